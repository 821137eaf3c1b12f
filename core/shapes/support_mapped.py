# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex kinds that are known by their support mapping: what a kind has to tell, so that every question can be asked.

The support mapping of a convex shape takes a direction to the point of the shape farthest along it. It is all that the
algorithms of Gilbert, Johnson and Keerthi and of the expanding polytope need (van den Bergen, "Collision Detection in
Interactive 3D Environments", 2003, chapter 4). A kind that derives from `SupportMapped` is in every row of the pair
table that has no algorithm of its own.
"""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from ..numerics.rows import RowTable
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length
from ..results import FeatureKind
from .batch import Batch

# The kind of a patch that does not bulge; see `SupportMapped.patches`.
FLAT = 0

_SIGNS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


@dataclass(frozen=True)
class Outline(RowTable):
    """What the shapes of a batch turn to a direction.

    Attributes
    ----------
    kind : (P,) int64
        FACE, EDGE or VERTEX.
    corners : (P, K, 3) float64
        Counter-clockwise seen from outside, padded with the last one: an edge has two and a vertex one. K is 2 or more.
    plane : (P, 3) float64
        Outward normal of a face, else against the direction asked about.
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
        """Kind and index (P, 2) of the whole of what is turned."""
        first, side = self.corner_feature[:, 0], self.side_feature[:, 0]
        kind = self.kind[:, None]
        return np.where(kind == FeatureKind.FACE, self.face_feature, np.where(kind == FeatureKind.EDGE, side, first))


class SupportMapped(Batch):
    """Rows of convex shapes known by their support mapping."""

    @abstractmethod
    def support(self, direction: Floats) -> Floats:
        """The point of each shape farthest along its direction: (N, 3) -> (N, 3).

        Directions have any length. Of a flat face that is equally far the answer is a point in its middle, of an edge
        one of its ends, along no direction a point of the shape.
        """

    @abstractmethod
    def outline(self, direction: Floats, level: Floats | None = None) -> Outline:
        """The face, edge or point of each shape farthest along its unit direction (N, 3).

        Parameters
        ----------
        level : (N,) float64, optional
            What is lower by no more than this is as far. None: what a contact takes for a face or an edge, which is
            off by no more than `tolerances.FACE_TILT`.
        """

    @abstractmethod
    def oriented_box(self) -> tuple[Floats, Floats, Floats]:
        """The box about each shape along its own axes: center (N, 3), half extents (N, 3) and rotation (N, 3, 3)."""

    @abstractmethod
    def patches(self) -> tuple[Ints, Floats, Ints]:
        """Triangles with their corners on the boundary of each shape, which cover it: row, corners (K, 3, 3) and kind.

        Of the kind `FLAT` they are the boundary; else it bulges over them, as `bulge` tells. A shape without volume is
        its own boundary.
        """

    @abstractmethod
    def on_patch(self, row: Ints, kind: Ints, point: Floats, ends: tuple[Floats, Floats] | None) -> Floats:
        """Points (K, 3) of patches moved to the boundary.

        `ends` are the ends of the edge that each point is of; None: the points are within.
        """

    @abstractmethod
    def bulge(self, row: Ints, kind: Ints, corner: Floats) -> Floats:
        """How far the boundary is at most from patches (K, 3, 3): (K,)."""

    @abstractmethod
    def bend(self, row: Ints, kind: Ints, corner: Floats) -> Floats:
        """How much the boundary bends along the edges of patches (K, 3, 3), from each corner to the next: (K, 3)."""

    def interior_point(self) -> Floats:
        """A point in the middle of each shape, (N, 3)."""
        return self.oriented_box()[0]

    def has_volume(self) -> Bools:
        """Which shapes have an inside, (N,)."""
        return np.asarray((self.oriented_box()[1] > 0.0).all(axis=1), dtype=np.bool_)

    def faces_and_edges(self) -> tuple[Floats, Ints, Floats, Ints]:
        """Normals of flat faces (N, F, 3) with their indices (F,), and directions of straight edges alike."""
        nothing, none = np.empty((len(self), 0, 3)), np.empty(0, np.int64)
        return nothing, none, nothing, none

    @abstractmethod
    def lines(self, segments: int) -> Floats:
        """Lines that show each shape: edges and sections, with so many segments to a circle, (N, L, 2, 3)."""

    def feature_points(self, kind: int, index: int) -> Floats:
        """The outline of a flat face, a curve or a corner of the first shape, (K, 3); none of what is round."""
        return np.empty((0, 3))

    def seen_from(self, origin: Floats) -> "SupportMapped":
        """The shapes seen from points (N, 3)."""
        return self.placed(np.broadcast_to(np.eye(3), (len(self), 3, 3)), -origin)

    @property
    def size(self) -> Floats:
        """(N,) radius of a ball about the interior point that holds the shape."""
        return length(self.oriented_box()[1])

    def corners(self) -> Floats:
        """Points whose convex hull holds each shape: (N, K, 3)."""
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


def extent(shapes: SupportMapped, direction: Floats) -> Floats:
    """How far each shape reaches along its direction: (N,)."""
    return dot(shapes.support(direction), direction)
