# SPDX-License-Identifier: GPL-3.0-or-later
"""Cheap tests that reject pairs before an exact query.

Cheap tests come before expensive ones (Lee 2018, section 13.1.2): first bounding spheres, then an axis that the caller
supplies, because the separating axis of the previous frame usually still separates. Both are conservative: they reject
only pairs that the exact method would reject.
"""

from dataclasses import dataclass, replace

import numpy as np

from .. import results
from ..convex.support import support
from ..numerics.rows import blocks
from ..numerics.tolerances import EARLY_OUT, EPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot
from ..shapes import UNBOUNDED, Kind, Shapes
from .operands import Operand, indices, pair_shares

# For these kinds, the exact test is as fast as a test of bounding spheres, or there is no bounding sphere.
_SIMPLE = {
    *((Kind.SPHERE, kind) for kind in (Kind.SPHERE, Kind.CAPSULE, Kind.BOX)),
    *((kind, endless) for kind in Kind for endless in UNBOUNDED),
}
# For a single pair of these kinds, the exact test is as fast, too: the number of numpy calls determines the time.
_CONVEX = (Kind.SPHERE, Kind.CAPSULE, Kind.CYLINDER, Kind.CONE, Kind.ELLIPSOID, Kind.BOX, Kind.TRIANGLE, Kind.HULL)
_LEAST = float(np.finfo(np.float64).tiny)


def separated_by_bounds(a: Operand, b: Operand, rows: Ints, reach: Floats, axis: Floats | None) -> Bools:
    """Whether each pair is proved to be farther apart than `reach`.

    Parameters
    ----------
    rows : (P, 2) int64
    reach : (P,) float64
        At least 0.
    axis : (P, 3) float64, optional
        Unit vectors from A to B to try; rows of zeros are ignored.
    """
    result = np.zeros(len(rows), dtype=bool)
    single = _is_single(rows, axis)
    if _all_simple(a, b, single):
        return result
    known: dict[int, _Balls] = {}
    for batch_a, batch_b, index_a, index_b, place in pair_shares(a, b, rows):
        if _simple(batch_a, batch_b, single):
            continue
        balls_a, balls_b = _balls(batch_a, index_a, known), _balls(batch_b, index_b, known)
        apart = _apart(balls_a, balls_b, reach[place])
        results.record_resolved(results.BOUNDING_SPHERES, apart)
        result[place] = apart
        if axis is None:
            continue
        slack = balls_a.slack() + balls_b.slack()
        left = np.flatnonzero(~apart & axis[place].any(axis=1) & np.isfinite(slack))
        if not len(left):
            continue
        place, origin = indices(place, len(apart))[left], balls_a.center(left)
        along = axis[place]
        far_a = support(batch_a.take(index_a[left]), along) - origin
        near_b = support(batch_b.take(index_b[left]), -along) - origin
        separated = dot(near_b - far_a, along) > reach[place] + slack[left]
        result[place] = separated
        results.record_resolved(results.CACHED_AXIS, separated)
    return result


def not_separated(a: Operand, b: Operand, rows: Ints, reach: float, axis: Floats | None) -> Ints:
    """The pairs that are not proved to be farther apart than `reach`, ascending; see `separated_by_bounds`."""
    if _all_simple(a, b, _is_single(rows, axis)):
        return np.arange(len(rows))
    return np.flatnonzero(~separated_by_bounds(a, b, rows, np.full(len(rows), reach), axis))


@dataclass(frozen=True)
class _Balls:
    """Bounding spheres as components. `index` is the sphere of each row of the query; None: in order.

    Attributes
    ----------
    centers : (3, N) float64
    slacks, reaches : (N,) float64
        What rounding may add to a distance from the center, and the radii with that added.
    """

    centers: Floats
    slacks: Floats
    reaches: Floats
    index: Ints | None

    def center(self, rows: Ints) -> Floats:
        """The centers for these rows, (R, 3)."""
        return self.centers.T[rows if self.index is None else self.index[rows]]

    def slack(self) -> Floats:
        """The slack for each row."""
        return self.slacks if self.index is None else self.slacks[self.index]

    def block(self, rows: slice) -> list[Floats]:
        """The coordinates of the centers for a block of rows, and the radii with their slack."""
        columns = (*self.centers, self.reaches)
        if self.index is None:
            return [column[rows] for column in columns]
        index = np.ascontiguousarray(self.index[rows])
        return [column.take(index) for column in columns]


def _balls(batch: Shapes, index: Ints, known: dict[int, _Balls]) -> _Balls:
    """Spheres of all rows of a small batch, cached in `known`; for a large batch, spheres of the needed rows only."""
    if len(index) >= len(batch):
        if id(batch) not in known:
            known[id(batch)] = _balls_of(batch)
        return replace(known[id(batch)], index=index)
    return _balls_of(batch.take(index))


def _balls_of(shapes: Shapes) -> _Balls:
    center, radius = shapes.bounding_spheres()
    columns = np.ascontiguousarray(center.T)
    slack = EARLY_OUT * EPS * (np.abs(columns).sum(axis=0) + radius)
    return _Balls(columns, slack, radius + slack, None)


def _apart(a: _Balls, b: _Balls, reach: Floats) -> Bools:
    """Whether the spheres of each row are farther apart than `reach`."""
    result = np.empty(len(reach), dtype=bool)
    # Comparisons of squares that overflow are still correct. Squares that underflow prove nothing.
    with np.errstate(over="ignore"):
        for block in blocks(len(reach)):
            *center_a, limit = a.block(block)
            *center_b, other = b.block(block)
            limit = limit + other
            limit += reach[block]
            limit *= limit
            np.maximum(limit, _LEAST, out=limit)
            square = np.zeros_like(limit)
            for one, two in zip(center_a, center_b, strict=True):
                step = two - one
                step *= step
                square += step
            np.greater(square, limit, out=result[block])
    return result


def _batches(shapes: Operand) -> tuple[Shapes, ...]:
    return (shapes,) if isinstance(shapes, Shapes) else shapes.batches


def _is_single(rows: Ints, axis: Floats | None) -> bool:
    return len(rows) == 1 and axis is None


def _all_simple(a: Operand, b: Operand, single: bool) -> bool:
    """Whether no pair of these operands is worth a test of bounding spheres."""
    return all(_simple(first, second, single) for first in _batches(a) for second in _batches(b))


def _simple(a: Shapes, b: Shapes, single: bool) -> bool:
    convex = single and a.kind in _CONVEX and b.kind in _CONVEX
    return convex or (a.kind, b.kind) in _SIMPLE or (b.kind, a.kind) in _SIMPLE
