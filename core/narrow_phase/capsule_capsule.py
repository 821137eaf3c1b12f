# SPDX-License-Identifier: GPL-3.0-or-later
"""Capsule against capsule: the distance of the segments, minus both radii.

Parallel capsules side by side touch along a line, and have two contacts (Lee 2018, section 13.2.5).
"""

import numpy as np

from ..geometry.segments import nearest_of_segments, shared_stretch
from ..numerics.soa import cross, dot, of_rows
from ..numerics.tolerances import NEAR, SUPPORT, rounding
from ..numerics.types import Bools, Floats, Ints
from ..results import FeatureKind
from ..shapes import Capsules
from . import closed_form
from .closed_form import BlockDistances, ClosedForm


class CapsuleCapsule(ClosedForm[Capsules, Capsules]):
    """Pair queries in closed form. Intersecting segments separate along their cross product."""

    def kernel(self, a: Capsules, b: Capsules) -> BlockDistances:
        """See `ClosedForm`."""
        return _BlockDistances(a, b)

    def side_contact(self, a: Capsules, b: Capsules, near: closed_form.Near) -> closed_form.SideContact:
        """See `ClosedForm`."""
        return _side_by_side(a, b, near)


class _BlockDistances:
    """`closed_form.BlockDistances`, relative to A's start."""

    def __init__(self, a: Capsules, b: Capsules) -> None:
        self.origin, end_a = of_rows(a.start), of_rows(a.end)
        start, end = of_rows(b.start), of_rows(b.end)
        offset = np.maximum(dot(self.origin, self.origin), dot(end_a, end_a))
        np.maximum(offset, dot(start, start), out=offset)
        np.maximum(offset, dot(end, end), out=offset)
        self.along = end_a
        self.along -= self.origin
        end -= start
        start -= self.origin
        self.start, self.other = start, end
        square, other = dot(self.along, self.along), dot(end, end)
        self.radius = a.radius
        radii = self.radius + b.radius
        self.size = size = (np.sqrt(square) + np.sqrt(other)) / 2.0 + radii
        self.slack = rounding(size, np.sqrt(offset, out=offset))
        self.closest = nearest_of_segments(self.along, start, end, square, other)
        self.far = np.sqrt(dot(self.closest.apart, self.closest.apart))
        self.doubtful: Bools | None = self.far <= NEAR * size
        self.distance = self.far - radii

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness point on A."""
        normal = self.closest.apart / np.where(self.far > 0.0, self.far, 1.0)
        closed_form.correct_directions(normal, self.far, self.size, self._gap, self._directions)
        point = self.along * self.closest.s
        point += normal * self.radius
        return normal, point

    def _gap(self, way: Floats, rows: Ints | slice) -> Floats:
        """Gap between the segments along directions."""
        u, v, start = self.along[:, rows], self.other[:, rows], self.start[:, rows]
        return dot(start, way) + np.minimum(dot(v, way), 0.0) - np.maximum(dot(u, way), 0.0)

    def _directions(self, way: Floats, rows: Ints) -> tuple[Floats, ...]:
        """Directions perpendicular to one segment or to both."""
        u, v = self.along[:, rows], self.other[:, rows]
        return (
            closed_form.perpendicular_to(way, u),
            closed_form.perpendicular_to(way, v),
            closed_form.perpendicular_to_both(way, u, v),
        )


def _side_by_side(a: Capsules, b: Capsules, near: closed_form.Near) -> closed_form.SideContact:
    """The ends of the shared part of parallel capsules."""
    u, v = (of_rows(shapes.end[near.rows] - shapes.start[near.rows]) for shapes in (a, b))
    square, other, across = dot(u, u), dot(v, v), cross(u, v)
    parallel = (square > 0.0) & (other > 0.0) & (dot(across, across) <= SUPPORT**2 * square * other)
    pairs = np.flatnonzero(parallel & (dot(u, near.normal) ** 2 <= SUPPORT**2 * square))
    rows, normal = near.rows[pairs], near.normal[:, pairs]
    size = (np.sqrt(square[pairs]) + np.sqrt(other[pairs])) / 2.0 + a.radius[rows] + b.radius[rows]
    start = of_rows(b.start[rows]) - near.origin[:, pairs]
    stretch = shared_stretch(u[:, pairs], start, v[:, pairs], normal, a.radius[rows], b.radius[rows])
    stretch.depth[:, stretch.length <= NEAR * size] = -np.inf
    return closed_form.SideContact(pairs, stretch.point, stretch.depth, size, _edges(len(rows)), _edges(len(rows)))


def _edges(count: int) -> Ints:
    """The feature of a capsule's side, its only edge, for both ends of each shared part."""
    result = np.zeros((2, count, 2), dtype=np.int64)
    result[..., 0] = FeatureKind.EDGE
    return result
