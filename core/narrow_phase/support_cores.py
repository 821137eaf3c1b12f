# SPDX-License-Identifier: GPL-3.0-or-later
"""Every convex kind as a core with a support mapping, and a radius about the core."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, Self

import numpy as np

from ..convex.contact_manifold import shape_features
from ..convex.cylinders import PlacedCylinders
from ..convex.cylinders.placed import polytope_outline, side_outline
from ..convex.polytopes.placed import Polytopes, PolytopeSupport, polytopes
from ..kernels.supports import Side
from ..numerics.rows import RowTable
from ..numerics.tolerances import rounding
from ..numerics.types import Floats, Ints
from ..numerics.vectors import circles, cross, length, normalized, perpendicular
from ..results import FeatureKind
from ..shapes import Boxes, Capsules, Cylinders, Hulls, Spheres, SupportMapped, Triangles
from ..shapes.sides import farthest, side_of
from ..shapes.support_mapped import Outline

Convex = Spheres | Capsules | Cylinders | SupportMapped | Boxes | Triangles | Hulls

# Number of corners that represent the rim of a cap; see `shapes.cones`.
_CORNERS = 32


class Core(Protocol):
    """Rows of convex shapes, relative to some origin. See `Supported` for the support mapping and the size."""

    @property
    def size(self) -> Floats:
        """Radius of a sphere that contains the shape, (P,)."""

    @property
    def radius(self) -> Floats:
        """Return how far the shape extends beyond its core, (P,)."""

    @property
    def center(self) -> Floats:
        """A point of the core, (P, 3)."""

    @property
    def box(self) -> tuple[Floats, Floats]:
        """Half extents (P, 3) and rotation (P, 3, 3) of a bounding box along the core's axes."""

    def __len__(self) -> int: ...

    def take(self, rows: Ints) -> Self:
        """Select rows, in this order."""

    def support(self, direction: Floats) -> Floats:
        """Support points of each core along its direction, (P, 3) -> (P, 3)."""

    def outline(self, direction: Floats, level: Floats | None = None) -> Outline:
        """The supporting feature of each core along a unit direction (P, 3); see `SupportMapped.outline`."""


@dataclass(frozen=True)
class _MappedCores(RowTable):
    """Kinds with a support mapping, and cylinders. They are their own cores."""

    rows: Any

    @cached_property
    def size(self) -> Floats:
        return self.rows.size

    @cached_property
    def radius(self) -> Floats:
        return np.zeros(len(self))

    @cached_property
    def center(self) -> Floats:
        return self.rows.interior_point()

    @property
    def box(self) -> tuple[Floats, Floats]:
        return self.rows.oriented_box()[1:]

    @cached_property
    def side(self) -> Side:
        return side_of(self.rows)

    def support(self, direction: Floats) -> Floats:
        return farthest(self.side, direction)

    def outline(self, direction: Floats, level: Floats | None = None) -> Outline:
        return self.rows.outline(direction, level)


@dataclass(frozen=True)
class PolytopeCores(RowTable):
    """Polytopes with a radius."""

    rows: Polytopes
    mapping: PolytopeSupport

    @classmethod
    def of(cls, rows: Polytopes) -> Self:
        """These polytopes."""
        return cls(rows, PolytopeSupport.of(rows))

    @property
    def size(self) -> Floats:
        """See `Core`."""
        return self.rows.size

    @property
    def radius(self) -> Floats:
        """See `Core`."""
        return self.rows.radius

    @cached_property
    def center(self) -> Floats:
        """See `Core`."""
        return self.rows.centers

    @property
    def box(self) -> tuple[Floats, Floats]:
        """See `Core`."""
        return np.repeat(self.size[:, None], 3, axis=1), np.broadcast_to(np.eye(3), (len(self), 3, 3))

    @property
    def side(self) -> Side:
        """The cores as kernels read them."""
        return self.mapping.side

    def support(self, direction: Floats) -> Floats:
        """See `Core`."""
        return self.mapping.support(direction)

    def outline(self, direction: Floats, level: Floats | None = None) -> Outline:
        """See `Core`."""
        leaning = np.ones(len(self), dtype=bool) if level is None else None
        found = polytope_outline(self.rows, direction, leaning, leaning, level)
        corner, side = (shape_features(self.rows, of) for of in (found.corner_feature, found.side_feature))
        face = shape_features(self.rows, found.face_feature[:, None])[:, 0]
        return Outline(found.kind, found.corners, found.plane, corner, side, face)


@dataclass(frozen=True)
class CylinderCores(_MappedCores):
    """Cylinders, with their caps and sides as features."""

    rows: PlacedCylinders

    @property
    def center(self) -> Floats:
        """See `Core`."""
        return self.rows.center

    @property
    def box(self) -> tuple[Floats, Floats]:
        """See `Core`."""
        axis, radius = self.rows.axis, self.rows.radius
        side = perpendicular(axis)
        turn = np.stack([side, cross(axis, side), axis], axis=2)
        return np.stack([radius, radius, self.rows.height], axis=1), turn

    def outline(self, direction: Floats, level: Floats | None = None) -> Outline:
        """See `Core`."""
        leaning = np.ones(len(self), dtype=bool) if level is None else None
        line = side_outline(self.rows, direction, leaning, level)
        flat = self.rows.nearly_facing_cap(direction) if level is None else self.rows.facing_cap(direction, level)
        flat &= self.rows.radius > 0.0
        most = _CORNERS if flat.any() else 2
        sign = self.rows.cap_sign(direction)
        plane = sign[:, None] * self.rows.axis
        first = normalized(self.rows.outward(direction), perpendicular(plane))
        second = cross(plane, first)
        around = circles(first, second, most)
        cap = (self.rows.center + sign[:, None] * self.rows.half)[:, None]
        cap = cap + self.rows.radius[:, None, None] * around
        pick = np.minimum(np.arange(most), 1)
        index = np.repeat((sign > 0.0).astype(np.int64)[:, None], most, axis=1)

        def features(kind: FeatureKind, of: Ints) -> Ints:
            here = np.stack([np.full_like(index, int(kind)), index], axis=2)
            return np.where(flat[:, None, None], here, of)

        face = np.stack([np.full(len(self), int(FeatureKind.FACE)), index[:, 0]], axis=1)
        return Outline(
            np.where(flat, int(FeatureKind.FACE), line.kind),
            np.where(flat[:, None, None], cap, line.corners[:, pick]),
            np.where(flat[:, None], plane, line.plane),
            features(FeatureKind.EDGE, line.corner_feature[:, pick]),
            # The edges between these corners are inside the cap; the rim is outside them.
            features(FeatureKind.FACE, line.side_feature[:, pick]),
            np.where(flat[:, None], face, line.face_feature),
        )


def cores(shapes: Convex, origin: Floats) -> Core:
    """The rows of a batch as cores, relative to points (N, 3)."""
    if isinstance(shapes, SupportMapped):
        return _MappedCores(shapes.seen_from(origin))
    every = np.arange(len(shapes))
    if isinstance(shapes, Cylinders):
        return CylinderCores(PlacedCylinders.of(shapes).take(every, origin))
    return PolytopeCores.of(polytopes(shapes).take(every, origin))


def places(shapes: Convex) -> Floats:
    """A point of each shape, (N, 3)."""
    if isinstance(shapes, SupportMapped):
        return shapes.interior_point()
    if isinstance(shapes, Cylinders):
        return PlacedCylinders.of(shapes).center
    return polytopes(shapes).translation


def point_cores(point: Floats) -> Core:
    """Points (N, 3) as cores."""
    return cores(Spheres(point, np.zeros(len(point))), np.zeros_like(point))


# Pairs processed at once. Most of the steps are for few of them, and cost the same for one pair as for a hundred.
_PAIRS = 1 << 14


@dataclass(frozen=True)
class CoreBlock:
    """Pairs in a frame at A's position: rows, cores, the frame's origin, and its distance from the world's origin."""

    rows: Ints
    a: Core
    b: Core
    origin: Floats
    offset: Floats

    def slack(self) -> Floats:
        """Rounding error of each pair."""
        return rounding(self.a.size + self.b.size, self.offset)


def core_blocks(a: Convex, b: Convex, size: int = _PAIRS) -> Iterator[CoreBlock]:
    """All pairs of two batches, as cores, `size` pairs at a time."""
    if not len(a):
        return
    place_a, place_b = places(a), places(b)
    far = np.maximum(length(place_a), length(place_b))
    for first in range(0, len(a), size):
        rows = np.arange(first, min(first + size, len(a)))
        origin = place_a[rows]
        yield CoreBlock(rows, cores(a.take(rows), origin), cores(b.take(rows), origin), origin, far[rows])
