# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex shapes that are known by their support function, and the base class of the kinds that are defined by one.

The support function of a convex shape maps a direction to the point of the shape that is farthest along it. The
algorithms of Gilbert, Johnson and Keerthi and the expanding polytope algorithm need nothing else (van den Bergen,
"Collision Detection in Interactive 3D Environments", 2003, chapter 4): they work on `Supported`. A kind that derives
from `SupportMapped` can be paired with every other kind in the table of pairs, which has generic algorithms for it.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from ..numerics.rows import RowTable
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import length
from ..results import FeatureKind
from .batch import Batch

# The kind of a flat patch; see `SupportMapped.patches`.
FLAT = 0

_SIGNS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


class Supported(Protocol):
    """Convex shapes with a support mapping, one for each pair.

    Attributes
    ----------
    size : (P,) float64
        Radius of a sphere about any point of the shape that contains the shape. It scales rounding tolerances.
    """

    @property
    def size(self) -> Floats:
        """See above."""

    def support(self, direction: Floats) -> Floats:
        """Support points of each shape along its direction, (P, 3) -> (P, 3).

        Directions have any length, including zero, and any memory layout. The result may have any memory layout, too.
        If several points are equally far, any of them is valid, but it must be the same each time.
        """

    def take(self, rows: Ints) -> Self:
        """Select rows, in this order."""

    def __len__(self) -> int: ...


@dataclass(frozen=True)
class Outline(RowTable):
    """The face, edge or vertex of each shape of a batch that is farthest along a direction.

    Attributes
    ----------
    kind : (P,) int64
        FACE, EDGE or VERTEX.
    corners : (P, K, 3) float64
        Counterclockwise as seen from outside, padded with the last one. An edge has two, a vertex one. K is at least
        2.
    plane : (P, 3) float64
        Outward normal of a face. For an edge or a vertex: the direction of the query.
    corner_feature, side_feature : (P, K, 2) int64
        Kind and index of each corner, and of the side from it to the next.
    face_feature : (P, 2) int64
    """

    kind: Ints
    corners: Floats
    plane: Floats
    corner_feature: Ints
    side_feature: Ints
    face_feature: Ints

    def feature(self) -> Ints:
        """Kind and index (P, 2) of the whole feature."""
        first, side = self.corner_feature[:, 0], self.side_feature[:, 0]
        kind = self.kind[:, None]
        return np.where(kind == FeatureKind.FACE, self.face_feature, np.where(kind == FeatureKind.EDGE, side, first))


class SupportMapped(Batch):
    """Convex shapes that are defined by a support function."""

    @abstractmethod
    def support(self, direction: Floats) -> Floats:
        """The point of each shape that is farthest along its direction: (N, 3) -> (N, 3).

        Directions may have any length. If a whole flat face is equally far, the result is a point in its middle; if an
        edge is, one of its ends. For a zero direction, it is any point of the shape.
        """

    @abstractmethod
    def outline(self, direction: Floats, level: Floats | None = None) -> Outline:
        """The face, edge or vertex of each shape that is farthest along its unit direction (N, 3).

        Parameters
        ----------
        level : (N,) float64, optional
            Points that are lower by at most this are equally far. None: faces and edges within `tolerances.FACE_TILT`,
            which contacts use.
        """

    @abstractmethod
    def oriented_box(self) -> tuple[Floats, Floats, Floats]:
        """The bounding box of each shape along its own axes: center (N, 3), half extents (N, 3), rotation (N, 3, 3)."""

    @abstractmethod
    def patches(self) -> tuple[Ints, Floats, Ints]:
        """Triangles that cover each shape, with corners on its boundary: row, corners (K, 3, 3) and kind.

        Patches of the kind `FLAT` are parts of the boundary. Over other patches, the boundary is curved; see `bulge`. A
        shape without volume is its own boundary.
        """

    @abstractmethod
    def on_patch(self, row: Ints, kind: Ints, point: Floats, ends: tuple[Floats, Floats] | None) -> Floats:
        """Points (K, 3) of patches, moved to the boundary.

        `ends`: the ends of the edge that contains each point. None: the points are inside their patches.
        """

    @abstractmethod
    def bulge(self, row: Ints, kind: Ints, corner: Floats) -> Floats:
        """Upper bound of the distance of the boundary from patches (K, 3, 3): (K,)."""

    @abstractmethod
    def bend(self, row: Ints, kind: Ints, corner: Floats) -> Floats:
        """Measure of how far the boundary is curved along each edge of patches (K, 3, 3): (K, 3), 0 if straight."""

    def interior_point(self) -> Floats:
        """A point in the middle of each shape, (N, 3)."""
        return self.oriented_box()[0]

    def has_volume(self) -> Bools:
        """Return which shapes have a volume, (N,)."""
        return np.asarray((self.oriented_box()[1] > 0.0).all(axis=1), dtype=np.bool_)

    def faces_and_edges(self) -> tuple[Floats, Ints, Floats, Ints]:
        """Normals of flat faces (N, F, 3) and their indices (F,), and the same for directions of straight edges."""
        nothing, none = np.empty((len(self), 0, 3)), np.empty(0, np.int64)
        return nothing, none, nothing, none

    @abstractmethod
    def lines(self, segments: int) -> Floats:
        """Line segments that show each shape: edges and sections, (N, L, 2, 3), with `segments` per circle."""

    def feature_points(self, kind: int, index: int) -> Floats:
        """Points on a flat face's outline, a curve or a vertex of the first shape, (K, 3); none for curved faces."""
        return np.empty((0, 3))

    def seen_from(self, origin: Floats) -> "SupportMapped":
        """The shapes relative to points (N, 3)."""
        return self.placed(np.broadcast_to(np.eye(3), (len(self), 3, 3)), -origin)

    @property
    def size(self) -> Floats:
        """(N,) radius of a ball around the interior point that contains the shape."""
        return length(self.oriented_box()[1])

    def corners(self) -> Floats:
        """Points whose convex hull contains each shape: (N, K, 3)."""
        center, half, rotation = self.oriented_box()
        return center[:, None] + (_SIGNS * half[:, None]) @ rotation.transpose(0, 2, 1)

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        ends = [
            [self.support(np.broadcast_to(sign * axis, (len(self), 3)))[:, k] for k, axis in enumerate(np.eye(3))]
            for sign in (-1.0, 1.0)
        ]
        lower, upper = (np.stack(each, axis=1) for each in ends)
        return lower, upper
