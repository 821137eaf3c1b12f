# SPDX-License-Identifier: GPL-3.0-or-later
"""Cheap proofs that pairs are apart, tried before anything costly (Lee 2018, section 13.1.2).

First the balls around the shapes, then an axis that the caller remembers from before: shapes that moved little are
as a rule parted by the axis that parted them last. Neither ever settles a pair that the exact method would not.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..convex.support import support
from ..numerics import counters
from ..numerics.rows import blocks
from ..numerics.tolerances import EARLY_OUT, EPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot
from ..shapes import UNBOUNDED, Kind, Shapes
from .dispatch import Operand, indices, shares, within

# Their own methods take no longer than a comparison of balls; and about what is unbounded there is no ball.
_SIMPLE = {
    *((Kind.SPHERE, kind) for kind in (Kind.SPHERE, Kind.CAPSULE, Kind.BOX)),
    *((kind, endless) for kind in Kind for endless in UNBOUNDED),
}
_LEAST = float(np.finfo(np.float64).tiny)


def proved_apart(a: Operand, b: Operand, rows: Ints, reach: Floats, axis: Floats | None) -> Bools:
    """Whether each pair is proved to be farther apart than `reach`.

    Parameters
    ----------
    rows : (P, 2) int64
    reach : (P,) float64
        At least 0.
    axis : (P, 3) float64, optional
        Unit vectors from A to B to try; rows of zeros are none.
    """
    result = np.zeros(len(rows), dtype=bool)
    if all(_simple(first, second) for first in _batches(a) for second in _batches(b)):
        return result
    known: dict[int, _Balls] = {}
    for batch_a, index_a, place_a in shares(a, rows[:, 0]):
        for batch_b, index_b, place_b in shares(b, rows[place_a, 1]):
            if _simple(batch_a, batch_b):
                continue
            place, at_a = within(place_a, place_b), index_a[place_b]
            balls_a, balls_b = _balls(batch_a, at_a, known), _balls(batch_b, index_b, known)
            apart = _apart(balls_a, balls_b, reach[place])
            counters.record_resolved(counters.BOUNDING_SPHERES, apart)
            result[place] = apart
            if axis is None:
                continue
            slack = balls_a.slack() + balls_b.slack()
            left = np.flatnonzero(~apart & axis[place].any(axis=1) & np.isfinite(slack))
            if not len(left):
                continue
            place, origin = indices(place, len(apart))[left], balls_a.center(left)
            along = axis[place]
            far_a = support(batch_a.take(at_a[left]), along) - origin
            near_b = support(batch_b.take(index_b[left]), -along) - origin
            parted = dot(near_b - far_a, along) > reach[place] + slack[left]
            result[place] = parted
            counters.record_resolved(counters.CACHED_AXIS, parted)
    return result


@dataclass(frozen=True)
class _Balls:
    """Bounding spheres on components, and which of them belongs to each row that is asked about: `index`, or in order.

    Attributes
    ----------
    centers : (3, N) float64
    slacks, reaches : (N,) float64
        What rounding may add to a distance from here, and the radii with that added.
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
        """The coordinates of the centers for a block of rows, and how far the shapes may reach from there."""
        columns = (*self.centers, self.reaches)
        if self.index is None:
            return [column[rows] for column in columns]
        index = np.ascontiguousarray(self.index[rows])
        return [column.take(index) for column in columns]


def _balls(batch: Shapes, index: Ints, known: dict[int, _Balls]) -> _Balls:
    """Of all of a small batch, made once and then `known`, or only of what is asked about of a large one."""
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
    """Whether the balls of each row are farther apart than `reach`."""
    result = np.empty(len(reach), dtype=bool)
    # Squares that overflow still compare rightly, and those that underflow are taken to prove nothing.
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


def _simple(a: Shapes, b: Shapes) -> bool:
    return (a.kind, b.kind) in _SIMPLE or (b.kind, a.kind) in _SIMPLE
