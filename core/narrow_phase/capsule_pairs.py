# SPDX-License-Identifier: GPL-3.0-or-later
"""Two capsules: the distance of the segments, minus both radii.

Parallel capsules side by side touch along a line, and have two contacts (Lee 2018, section 13.2.5).
"""

import numpy as np

from ..geometry.segments import nearest_of_segments, shared_stretch
from ..numerics.tolerances import NEAR, SUPPORT, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross_columns, dot_columns, to_columns
from ..results import FeatureKind
from ..shapes import Capsules
from . import closed_form
from .closed_form import ClosedForm, Near, SideContact


class _FromCapsule:
    """`closed_form.BlockDistances`, relative to A's start."""

    def __init__(self, a: Capsules, b: Capsules, quick: bool = False) -> None:
        self.quick = quick
        self.origin, end_a = to_columns(a.start), to_columns(a.end)
        start, end = to_columns(b.start), to_columns(b.end)
        offset = np.maximum(dot_columns(self.origin, self.origin), dot_columns(end_a, end_a))
        np.maximum(offset, dot_columns(start, start), out=offset)
        np.maximum(offset, dot_columns(end, end), out=offset)
        self.along = end_a
        self.along -= self.origin
        end -= start
        start -= self.origin
        self.start, self.other = start, end
        square, other = dot_columns(self.along, self.along), dot_columns(end, end)
        self.radius = a.radius
        radii = self.radius + b.radius
        self.size = size = (np.sqrt(square) + np.sqrt(other)) / 2.0 + radii
        self.slack = rounding(size, np.sqrt(offset, out=offset))
        self.closest = nearest_of_segments(self.along, start, end, square, other)
        self.far = np.sqrt(dot_columns(self.closest.apart, self.closest.apart))
        self.doubtful: Bools | None = self.far <= NEAR * size
        self.distance = self.far - radii

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness point on A."""
        normal = self.closest.apart / np.where(self.far > 0.0, self.far, 1.0)
        s = self.closest.s
        rows = self._corrected(normal, self.far)
        if len(rows):
            u, v = self.along[:, rows], self.other[:, rows]
            start = self.start[:, rows] - normal[:, rows] * self.far[rows]
            s[rows] = nearest_of_segments(u, start, v, dot_columns(u, u), dot_columns(v, v)).s
        point = self.along * s
        point += normal * self.radius
        return normal, point

    def _corrected(self, way: Floats, far: Floats) -> Ints:
        """Correct the directions `way` in place and return their rows, or only mark them as doubtful.

        See `ClosedForm.quick`.
        """
        if not self.quick:
            return closed_form.correct_directions(way, far, self.size, self._gap, self._directions)
        wrong = closed_form.inaccurate(way, far, self.size, self._gap)
        self.doubtful = wrong if self.doubtful is None else wrong | self.doubtful
        return np.empty(0, dtype=np.int64)

    def _gap(self, way: Floats, rows: Ints | slice) -> Floats:
        """Gap between the segments along directions."""
        u, v, start = self.along[:, rows], self.other[:, rows], self.start[:, rows]
        return dot_columns(start, way) + np.minimum(dot_columns(v, way), 0.0) - np.maximum(dot_columns(u, way), 0.0)

    def _directions(self, way: Floats, rows: Ints) -> tuple[Floats, ...]:
        """Directions perpendicular to one segment or to both."""
        u, v = self.along[:, rows], self.other[:, rows]
        return (
            closed_form.perpendicular_to(way, u),
            closed_form.perpendicular_to(way, v),
            closed_form.perpendicular_to_both(way, u, v),
        )


def _side_by_side(a: Capsules, b: Capsules, near: Near) -> SideContact:
    """The ends of the shared part of parallel capsules."""
    u, v = (to_columns(shapes.end[near.rows] - shapes.start[near.rows]) for shapes in (a, b))
    square, other, across = dot_columns(u, u), dot_columns(v, v), cross_columns(u, v)
    parallel = (square > 0.0) & (other > 0.0) & (dot_columns(across, across) <= SUPPORT**2 * square * other)
    pairs = np.flatnonzero(parallel & (dot_columns(u, near.normal) ** 2 <= SUPPORT**2 * square))
    rows, normal = near.rows[pairs], near.normal[:, pairs]
    size = (np.sqrt(square[pairs]) + np.sqrt(other[pairs])) / 2.0 + a.radius[rows] + b.radius[rows]
    start = to_columns(b.start[rows]) - near.origin[:, pairs]
    stretch = shared_stretch(u[:, pairs], start, v[:, pairs], normal, a.radius[rows], b.radius[rows])
    stretch.depth[:, stretch.length <= NEAR * size] = -np.inf
    return SideContact(pairs, stretch.point, stretch.depth, size, _side_features(len(rows)), _side_features(len(rows)))


def _side_features(count: int) -> Ints:
    """The feature of a capsule's side, its only edge, for both ends of each shared part."""
    result = np.zeros((2, count, 2), dtype=np.int64)
    result[..., 0] = FeatureKind.EDGE
    return result


class CapsuleCapsule(ClosedForm[Capsules, Capsules]):
    """The distance of the segments, minus both radii. Intersecting segments separate along their cross product."""

    kernel = _FromCapsule
    quick = True
    side_contact = staticmethod(_side_by_side)
