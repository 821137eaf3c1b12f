# SPDX-License-Identifier: GPL-3.0-or-later
"""Two cylinders: the best of all directions along which caps, sides and rims can face each other.

Everything is computed in a frame at A's position.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..convex.cylinders import PlacedCylinders
from ..convex.cylinders.candidate_directions import FeaturePair, facing_cylinders
from ..convex.cylinders.circles import farthest_from_line
from ..convex.cylinders.features import side_outline
from ..convex.cylinders.patch import cap_patch, cylinder_patch, gathered
from ..convex.manifold import Patch
from ..numerics.tolerances import rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length
from ..shapes import Cylinders
from ..shapes.batch import Rows
from .cylinder_queries import FacingBlock, FacingPair
from .cylinder_screening import screened

# Pairs of a block. Each needs some thousand numbers, which stay in cache.
_BLOCK = 1 << 10


@dataclass(frozen=True)
class _FacingBlock(FacingBlock):
    """Cylinders against cylinders."""

    b: PlacedCylinders

    @property
    def radius(self) -> Floats:
        return np.zeros(len(self))

    def is_unique(self) -> Bools:
        beside = self.a.facing_side(self.normal, self.slack) & self.b.facing_side(-self.normal, self.slack)
        return (self.facing.feature_pair >= FeaturePair.RIM_EDGE) & ~beside

    def witness(self) -> Floats:
        feature_pair, normal, index = self.facing.feature_pair, self.normal, self.facing.index
        # The index numbers the rims of A against B's side first, then the rims of B against A's side.
        on_b = (feature_pair == FeaturePair.CAP) | ((feature_pair == FeaturePair.RIM_EDGE) & (index >= 2))
        # If A's side or cap faces B, A has no unique farthest point. The distance then came from a point of B's rim.
        level = self.a.facing_side(normal, self.slack) | self.a.facing_cap(normal, self.slack)
        on_b |= (feature_pair == FeaturePair.VERTEX) & level
        result = np.where(on_b[:, None], self.b.support(-normal), self.a.support(normal))
        rows = np.flatnonzero(feature_pair == FeaturePair.SIDE_EDGE)
        # Intersection of the axes, seen along the normal.
        along = self.b.half[rows]
        aside = np.cross(self.a.axis[rows], normal[rows])
        speed = dot(along, aside)
        t = dot(self.a.center[rows] - self.b.center[rows], aside) / np.where(speed != 0.0, speed, 1.0)
        result[rows] = self.b.center[rows] + np.clip(t, -1.0, 1.0)[:, None] * along
        return result

    def patch(self, level: Floats | None = None) -> Patch:
        normal = self.normal
        if level is None:
            cap_a, cap_b = self.a.nearly_facing_cap(normal), self.b.nearly_facing_cap(normal)
        else:
            cap_a, cap_b = self.a.facing_cap(normal, level), self.b.facing_cap(normal, level)
        parts = []
        for rows in (np.flatnonzero(cap_a & cap_b), np.flatnonzero(~cap_b), np.flatnonzero(cap_b & ~cap_a)):
            if not len(rows):
                continue
            a, b, along, none = self.a.take(rows), self.b.take(rows), normal[rows], np.zeros(len(rows))
            near = None if level is None else level[rows]
            tilted = None if near is not None else cap_a[rows] | cap_b[rows]
            if not cap_b[rows[0]]:
                part = cylinder_patch(a, side_outline(b, -along, tilted, near), along, none, near)
            elif cap_a[rows[0]]:
                part = cap_patch(a, b, along)
            else:
                turned = cylinder_patch(b, side_outline(a, along, tilted, near), -along, none, near)
                part = Patch(turned.point, turned.depth, turned.valid, turned.feature_b, turned.feature_a)
            parts.append((rows, part))
        return gathered(parts, len(self.rows))

    def outside(self, point_a: Floats, point_b: Floats, every: bool = False) -> Floats:
        return np.maximum(length(self.a.nearest(point_a) - point_a), length(self.b.nearest(point_b) - point_b))

    def support_of_b(self) -> PlacedCylinders:
        return self.b

    def features(self) -> tuple[Ints, Ints]:
        return self.a.feature(self.normal), self.b.feature(-self.normal)


class CylinderCylinder(FacingPair[Cylinders, Cylinders]):
    """Pair queries by the best of all directions along which features of the two can face each other."""

    def blocks(self, a: Cylinders, b: Cylinders) -> Iterator[_FacingBlock]:
        """See `FacingPair`."""
        for rows, left, right, origin, slack in _blocks(a, b):
            yield _FacingBlock(rows, origin, left, right, facing_cylinders(left, right), slack)

    def overlap(self, a: Rows[Cylinders], b: Rows[Cylinders]) -> Bools:
        """Whether the cylinders of each pair have a point in common, touching included."""
        result, left = screened(a, b)
        if len(left):
            result[left] = super().overlap(a.take(left), b.take(left))
        return result

    def contains(self, a: Rows[Cylinders], b: Rows[Cylinders]) -> Bools:
        """Whether A contains all of B: B is between A's caps, and B's rims are within A's radius of A's axis."""
        a, b = a.gathered(), b.gathered()
        result = np.zeros(len(a), dtype=bool)
        for rows, left, right, _, slack in _blocks(a, b):
            level = dot(right.center - left.center, left.axis)
            reach = right.reach(left.axis) - dot(right.center, left.axis)
            between = np.abs(level) + reach <= left.height + slack
            far = [
                farthest_from_line(right.center + sign * right.half, right.axis, right.radius, left.center, left.axis)[
                    1
                ]
                for sign in (-1.0, 1.0)
            ]
            result[rows] = between & (np.maximum(*far) <= left.radius + slack)
        return result

    def contained(self, a: Rows[Cylinders], b: Rows[Cylinders]) -> Bools:
        """Whether B contains all of A."""
        return self.contains(b, a)


def _blocks(a: Cylinders, b: Cylinders) -> Iterator[tuple[Ints, PlacedCylinders, PlacedCylinders, Floats, Floats]]:
    """Blocks of pairs: rows, A and B relative to A's position, that position, and the rounding error of each pair."""
    left, right = PlacedCylinders.of(a), PlacedCylinders.of(b)
    for first in range(0, len(a), _BLOCK):
        rows = np.arange(first, min(first + _BLOCK, len(a)))
        origin = left.center[rows]
        offset = np.maximum(length(origin), length(right.center[rows]))
        yield (
            rows,
            left.take(rows, origin),
            right.take(rows, origin),
            origin,
            rounding(left.size[rows] + right.size[rows], offset),
        )
