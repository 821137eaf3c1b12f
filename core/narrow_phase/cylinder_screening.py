# SPDX-License-Identifier: GPL-3.0-or-later
"""Classify nearly all pairs of cylinders as certainly overlapping or certainly separated, with little computation.

Most separated pairs have a gap along the line between their centers, along an axis, or along the cross product of the
axes. For the others, a point is projected alternately onto the two cylinders (the method of alternating projections).
Both cylinders are shrunk a little. A projected point that is in both cylinders proves an overlap. A gap along the
difference of two projected points proves a separation. All vectors are stored by columns.
"""

from dataclasses import dataclass

import numpy as np

from ..numerics import soa
from ..numerics.rows import blocks
from ..numerics.tolerances import rounding
from ..numerics.types import Bools, Floats, Ints
from ..shapes import Cylinders
from ..shapes.batch import Rows

# Scale of the cylinders at each projection. A larger scale finds shallower overlaps, but after more steps.
_SHARES = (0.9, 0.9, 0.9, 0.97, 0.97, 0.99, 0.99, 0.998, 0.998)
# Over-relaxation as a share of the step. It prevents the steps from becoming ever shorter.
_ON = 0.5


@dataclass(frozen=True)
class _Columns:
    """Cylinders relative to A's center: `center` and `axis` (3, P), half the length and the `radius` (P,)."""

    center: Floats
    axis: Floats
    height: Floats
    radius: Floats

    def take(self, rows: Ints) -> "_Columns":
        return _Columns(self.center[:, rows], self.axis[:, rows], self.height[rows], self.radius[rows])

    def reach(self, direction: Floats) -> Floats:
        """Support distances from their centers along unit directions (3, P)."""
        across = soa.cross(self.axis, direction)
        return self.height * np.abs(soa.dot(self.axis, direction)) + self.radius * np.sqrt(soa.dot(across, across))

    def nearest(self, point: Floats, share: float) -> Floats:
        """The points of the cylinders, scaled by `share`, that are nearest to `point` (3, P)."""
        level, aside, far = self._seen(point)
        inward = np.minimum(share * self.radius / np.where(far > 0.0, far, 1.0), 1.0)
        limit = share * self.height
        return self.center + np.clip(level, -limit, limit) * self.axis + inward * aside

    def holds(self, point: Floats, depth: Floats) -> Bools:
        """Whether points (3, P) are inside at a depth above `depth` (P,)."""
        level, _, far = self._seen(point)
        result: Bools = (np.abs(level) < self.height - depth) & (far < self.radius - depth)
        return result

    def _seen(self, point: Floats) -> tuple[Floats, Floats, Floats]:
        """Coordinates of points along the axis, and their offsets from the axis as vectors and as lengths."""
        spoke = point - self.center
        level = soa.dot(spoke, self.axis)
        aside = spoke - level * self.axis
        return level, aside, np.sqrt(soa.dot(aside, aside))


def screened(a: Rows[Cylinders], b: Rows[Cylinders]) -> tuple[Bools, Ints]:
    """Which pairs certainly overlap, (P,), and the rows of undecided pairs."""
    result, doubt = np.zeros(len(a), dtype=bool), [np.empty(0, dtype=np.int64)]
    for rows in blocks(len(a)):
        overlap, left = _block(a.take(rows), b.take(rows))
        result[rows] = overlap
        doubt.append(rows.start + left)
    return result, np.concatenate(doubt)


def _block(a: Cylinders, b: Cylinders) -> tuple[Bools, Ints]:
    """`screened` for one block."""
    first, second, offset = _placed(a, b)
    result = np.zeros(len(offset), dtype=bool)
    slack = 2.0 * rounding(np.hypot(first.height, first.radius) + np.hypot(second.height, second.radius), offset)
    left = np.arange(len(offset))
    for candidate in (_between_centers, _axis_of_a, _axis_of_b, _across):
        here_a, here_b = first.take(left), second.take(left)
        left = left[~_apart(here_a, here_b, candidate(here_a, here_b), slack[left])]
    point = second.center[:, left]
    for share in _SHARES:
        if not len(left):
            break
        here_a, here_b, level = first.take(left), second.take(left), slack[left]
        on_b = here_b.nearest(point, share)
        on_a = here_a.nearest(on_b, share)
        both = here_a.holds(on_b, level) & here_b.holds(on_b, level)
        both |= here_b.holds(on_a, level) & here_a.holds(on_a, level)
        step = on_b - on_a
        result[left[both]] = True
        kept = np.flatnonzero(~both & ~_apart(here_a, here_b, _unit(step), level))
        left, point = left[kept], (on_a - _ON * step)[:, kept]
    return result, left


def _placed(a: Cylinders, b: Cylinders) -> tuple[_Columns, _Columns, Floats]:
    """Both cylinders relative to A's center, and the greater distance of a center from the world's origin."""
    placed = []
    for shapes in (a, b):
        start, half = soa.of_rows(shapes.start), soa.of_rows(shapes.end)
        half -= start
        half /= 2.0
        start += half
        height = np.sqrt(soa.dot(half, half))
        placed.append((start, _unit(half), height))
    (center_a, axis_a, height_a), (center_b, axis_b, height_b) = placed
    offset = np.sqrt(np.maximum(soa.dot(center_a, center_a), soa.dot(center_b, center_b)))
    first = _Columns(np.zeros_like(center_a), axis_a, height_a, a.radius)
    return first, _Columns(center_b - center_a, axis_b, height_b, b.radius), offset


def _apart(a: _Columns, b: _Columns, direction: Floats, slack: Floats) -> Bools:
    """Whether there is a gap along unit directions (3, P) or the opposite ones; False for zero vectors."""
    gap = np.abs(soa.dot(b.center - a.center, direction)) - a.reach(direction) - b.reach(direction)
    result: Bools = gap > slack
    return result


def _between_centers(a: _Columns, b: _Columns) -> Floats:
    return _unit(b.center - a.center)


def _axis_of_a(a: _Columns, _b: _Columns) -> Floats:
    return a.axis


def _axis_of_b(_a: _Columns, b: _Columns) -> Floats:
    return b.axis


def _across(a: _Columns, b: _Columns) -> Floats:
    return _unit(soa.cross(a.axis, b.axis))


def _unit(vector: Floats) -> Floats:
    """Normalize vectors (3, P). Zero vectors stay zero."""
    size = np.sqrt(soa.dot(vector, vector))
    result: Floats = vector / np.where(size > 0.0, size, 1.0)
    return result
