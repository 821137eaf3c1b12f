# SPDX-License-Identifier: GPL-3.0-or-later
"""From a question about many pairs to questions about pairs of the same two kinds, and back.

A question is asked about rows of a batch, or of several batches in one index space. Pairs are grouped by their two
kinds, and put in the order in which the table of pairs has them.

Before anything costly, cheap proofs that pairs are apart are tried (Lee 2018, section 13.1.2): first bounding spheres,
then an axis that the caller remembers, because last frame's separating axis usually still separates. Both are
conservative: they reject only pairs that the exact method would reject.
"""

from collections.abc import Iterator, Sized
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ..convex.support import support
from ..narrow_phase.algorithm import PairAlgorithm
from ..narrow_phase.table import PAIRS
from ..numerics import counters
from ..numerics.rows import blocks
from ..numerics.tolerances import EARLY_OUT, EPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import numbers
from ..numerics.vectors import dot
from ..results import UnsupportedPair
from ..shapes import UNBOUNDED, Batch, Kind, Shapes, check_shapes
from ..shapes.batch import BatchView, ComponentTable


class Mixed(Protocol):
    """Batches of several kinds in one index space, such as a `collision_kit.core.World`."""

    @property
    def batches(self) -> tuple[Any, ...]:
        """The batches, of one kind each."""

    @property
    def batch(self) -> Ints:
        """Which batch each row lies in."""

    @property
    def slot(self) -> Ints:
        """And where in it."""

    @property
    def margin(self) -> Floats | None:
        """The margin of each row; None where no row has one."""

    def __len__(self) -> int:
        """Rows in all batches together."""


Operand = Shapes | Mixed

# Places among the rows of a question, in ascending order: where they are all rows, `_EVERY`, which takes no memory.
Place = Ints | slice
_EVERY = slice(None)


def index_pairs(a: Operand, b: Operand, pairs: ArrayLike | None) -> Ints:
    """The rows of A and of B of each pair, checked: (P, 2).

    Raises
    ------
    UnsupportedPair
        If one is a shape of the plane.
    ValueError
        If one is no shape, numbers of rows do not go together, or a row is not there; names the argument and the row.
    """
    check_shapes(a, "a")
    check_shapes(b, "b")
    return rows_of_pairs(a, b, pairs)


def rows_of_pairs(a: Sized, b: Sized, pairs: ArrayLike | None) -> Ints:
    """Like `index_pairs`, for any two operands of some length, whose types are not checked."""
    if pairs is None:
        if len(a) != len(b) and 1 not in (len(a), len(b)):
            raise ValueError(f"a has {len(a)} rows and b has {len(b)}: equal lengths, or one of them 1, are needed")
        count = len(b) if len(a) == 1 else len(a)
        every = np.arange(count)
        return np.stack([every if len(a) == count else every * 0, every if len(b) == count else every * 0], axis=1)
    given = numbers(pairs, "pairs")
    if given.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if given.ndim != 2 or given.shape[1] != 2 or not np.issubdtype(given.dtype, np.integer):
        raise ValueError(f"pairs: {given.dtype} of shape {given.shape}, but integers of shape (P, 2) are needed")
    if any(side.min() < 0 or side.max() >= len(of) for side, of in ((given[:, 0], a), (given[:, 1], b))):
        bad = (given < 0) | (given >= [len(a), len(b)])
        row, side = np.argwhere(bad)[0]
        name, size = (("a", len(a)), ("b", len(b)))[side]
        raise ValueError(f"pairs: row {row} has index {given[row, side]} into {name} of length {size}")
    return given.astype(np.int64, copy=False)


def pair_margins(a: Batch | Mixed, b: Batch | Mixed, rows: Ints) -> Floats | None:
    """The margins of A and of B of each pair, (P, 2); None where all are zero."""
    margins = [None if isinstance(shapes, Batch) else shapes.margin for shapes in (a, b)]
    if all(margin is None for margin in margins):
        return None
    result = np.zeros(rows.shape)
    for side, margin in enumerate(margins):
        if margin is not None:
            result[:, side] = margin[rows[:, side]]
    return result if result.any() else None


def within(outer: Place, inner: Place) -> Place:
    """The places that are `inner` among those that are `outer`."""
    if isinstance(inner, slice):
        return outer
    return inner if isinstance(outer, slice) else outer[inner]


def indices(place: Place, count: int) -> Ints:
    """So many places as an array."""
    return np.arange(count) if isinstance(place, slice) else place


def shares(shapes: Batch | Mixed, rows: Ints) -> Iterator[tuple[Any, Ints, Place]]:
    """The batches that rows lie in: the batch, the rows within it, and their places in `rows`."""
    if isinstance(shapes, Batch):
        if len(rows):
            yield shapes, rows, _EVERY
        return
    batch = shapes.batch[rows]
    for number in np.unique(batch):
        place = np.flatnonzero(batch == number)
        every = len(place) == len(rows)
        yield shapes.batches[number], shapes.slot[rows if every else rows[place]], _EVERY if every else place


def split(shapes: Batch | Mixed, rows: Ints) -> Iterator[tuple[Any, Ints, Ints]]:
    """The batches that rows lie in: the batch, the rows within it, and their places in `rows` as an array."""
    for batch, index, place in shares(shapes, rows):
        yield batch, index, indices(place, len(index))


@dataclass(frozen=True)
class Group:
    """Pairs of the same two kinds, in the table's order: A and B are swapped where `flipped`."""

    place: Place
    a: BatchView[Any]
    b: BatchView[Any]
    pair: PairAlgorithm[Any, Any]
    flipped: bool

    def __len__(self) -> int:
        return len(self.a)

    @cached_property
    def rows(self) -> Ints:
        """Which of the rows asked about these are, in ascending order."""
        return indices(self.place, len(self))

    @property
    def span(self) -> Place:
        """`rows` as a slice where no others are between them."""
        if isinstance(self.place, slice):
            return self.place
        first, last = self.place[0], self.place[-1]
        return slice(first, last + 1) if last - first + 1 == len(self) else self.place

    def swapped(self, first: Any, second: Any) -> tuple[Any, Any]:
        """What belongs to the asker's A and B in the order of this group, or the other way round."""
        return (second, first) if self.flipped else (first, second)


def groups(a: Operand, b: Operand, rows: Ints, compounds: PairAlgorithm[Any, Any]) -> Iterator[Group]:
    """The pairs by kinds; `compounds` answers where one of the two is made of parts.

    Raises
    ------
    UnsupportedPair
        If two kinds are not in the table: two unbounded shapes.
    """
    tables: dict[int, ComponentTable] = {}
    for batch_a, index_a, place_a in shares(a, rows[:, 0]):
        for batch_b, index_b, place_b in shares(b, rows[place_a, 1]):
            flipped = batch_a.kind > batch_b.kind
            kinds = (batch_b.kind, batch_a.kind) if flipped else (batch_a.kind, batch_b.kind)
            pair = compounds if kinds[1] == Kind.COMPOUND else PAIRS.get(kinds)
            if pair is None:
                raise UnsupportedPair(f"{type(batch_a).__name__} against {type(batch_b).__name__}: both are unbounded")
            first, second = BatchView(batch_a, index_a[place_b], tables), BatchView(batch_b, index_b, tables)
            if flipped:
                first, second = second, first
            yield Group(within(place_a, place_b), first, second, pair, flipped)


# Their own methods take no longer than a comparison of balls; and about what is unbounded there is no ball.
_SIMPLE = {
    *((Kind.SPHERE, kind) for kind in (Kind.SPHERE, Kind.CAPSULE, Kind.BOX)),
    *((kind, endless) for kind in Kind for endless in UNBOUNDED),
}
# Of a single pair their own methods take no longer either: what costs is the number of steps.
_FLAT = (Kind.SPHERE, Kind.CAPSULE, Kind.BOX, Kind.TRIANGLE)
_LEAST = float(np.finfo(np.float64).tiny)


def separated_by_bounds(a: Operand, b: Operand, rows: Ints, reach: Floats, axis: Floats | None) -> Bools:
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
    single = len(rows) == 1 and axis is None
    if all(_simple(first, second, single) for first in _batches(a) for second in _batches(b)):
        return result
    known: dict[int, _Balls] = {}
    for batch_a, index_a, place_a in shares(a, rows[:, 0]):
        for batch_b, index_b, place_b in shares(b, rows[place_a, 1]):
            if _simple(batch_a, batch_b, single):
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


def _simple(a: Shapes, b: Shapes, single: bool) -> bool:
    flat = single and a.kind in _FLAT and b.kind in _FLAT
    return flat or (a.kind, b.kind) in _SIMPLE or (b.kind, a.kind) in _SIMPLE
