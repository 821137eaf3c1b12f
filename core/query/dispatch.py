# SPDX-License-Identifier: GPL-3.0-or-later
"""Split a query about many pairs into queries about pairs of the same two kinds, and put the results back.

The operands of a query are rows of a batch, or of several batches with common row indices. Pairs are grouped by their
two kinds. In each group, A and B are in the order of the table of algorithms.

Cheap tests come before expensive ones (Lee 2018, section 13.1.2): first bounding spheres, then an axis that the caller
supplies, because the separating axis of the previous frame usually still separates. Both are conservative: they reject
only pairs that the exact method would reject.
"""

from collections.abc import Iterator, Sized
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from .. import results
from ..convex.support import support
from ..narrow_phase.algorithm import PairAlgorithm
from ..narrow_phase.table import PAIRS
from ..numerics.rows import blocks
from ..numerics.tolerances import EARLY_OUT, EPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import numbers
from ..numerics.vectors import dot
from ..results import UnsupportedPair
from ..shapes import UNBOUNDED, Batch, Kind, Shapes, check_shapes
from ..shapes.batch import BatchView, ComponentTable


class Mixed(Protocol):
    """Batches of several kinds with common row indices, such as a `collision_kit.core.World`."""

    @property
    def batches(self) -> tuple[Any, ...]:
        """The batches. Each has one kind."""

    @property
    def batch(self) -> Ints:
        """The batch of each row, as an index into `batches`."""

    @property
    def slot(self) -> Ints:
        """The row within that batch."""

    @property
    def margin(self) -> Floats | None:
        """The margin of each row; None if no row has one."""

    def __len__(self) -> int:
        """Number of rows in all batches together."""


Operand = Shapes | Mixed

# Ascending indices into the rows of a query. `_EVERY` stands for all rows and needs no memory.
Place = Ints | slice
_EVERY = slice(None)


def index_pairs(a: Operand, b: Operand, pairs: ArrayLike | None) -> Ints:
    """The validated rows of A and of B of each pair: (P, 2).

    Raises
    ------
    UnsupportedPair
        If one is a shape of the plane.
    ValueError
        If one is not a shape, the numbers of rows do not match, or a row does not exist; names the argument and the
        row.
    """
    check_shapes(a, "a")
    check_shapes(b, "b")
    return rows_of_pairs(a, b, pairs)


def rows_of_pairs(a: Sized, b: Sized, pairs: ArrayLike | None) -> Ints:
    """Like `index_pairs`, for any two operands with a length, whose types are not checked."""
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
    """The margins of A and of B of each pair, (P, 2); None if all are zero."""
    margins = [None if isinstance(shapes, Batch) else shapes.margin for shapes in (a, b)]
    if all(margin is None for margin in margins):
        return None
    result = np.zeros(rows.shape)
    for side, margin in enumerate(margins):
        if margin is not None:
            result[:, side] = margin[rows[:, side]]
    return result if result.any() else None


def within(outer: Place, inner: Place) -> Place:
    """Compose two selections: the elements `inner` of the elements `outer`."""
    if isinstance(inner, slice):
        return outer
    return inner if isinstance(outer, slice) else outer[inner]


def indices(place: Place, count: int) -> Ints:
    """`place` as an index array, for `count` rows in all."""
    return np.arange(count) if isinstance(place, slice) else place


def shares(shapes: Batch | Mixed, rows: Ints) -> Iterator[tuple[Any, Ints, Place]]:
    """The batches that contain the rows: the batch, the rows within it, and their positions in `rows`."""
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
    """Like `shares`, with the positions as an array."""
    for batch, index, place in shares(shapes, rows):
        yield batch, index, indices(place, len(index))


@dataclass(frozen=True)
class Group:
    """Pairs of the same two kinds, in the order of the table. If `flipped`, A and B are swapped."""

    place: Place
    a: BatchView[Any]
    b: BatchView[Any]
    pair: PairAlgorithm[Any, Any]
    flipped: bool

    def __len__(self) -> int:
        return len(self.a)

    @cached_property
    def rows(self) -> Ints:
        """Positions of the pairs in the query, in ascending order."""
        return indices(self.place, len(self))

    @property
    def span(self) -> Place:
        """`rows` as a slice if they are consecutive."""
        if isinstance(self.place, slice):
            return self.place
        first, last = self.place[0], self.place[-1]
        return slice(first, last + 1) if last - first + 1 == len(self) else self.place

    def swapped(self, first: Any, second: Any) -> tuple[Any, Any]:
        """Values for the caller's A and B in the order of this group, or the other way round."""
        return (second, first) if self.flipped else (first, second)


def groups(a: Operand, b: Operand, rows: Ints, compounds: PairAlgorithm[Any, Any]) -> Iterator[Group]:
    """The pairs grouped by kinds. `compounds` is the algorithm for pairs with a compound.

    Raises
    ------
    UnsupportedPair
        If the table has no algorithm for two kinds, as for two unbounded shapes.
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


# For these kinds, the exact test is as fast as a test of bounding spheres, or there is no bounding sphere.
_SIMPLE = {
    *((Kind.SPHERE, kind) for kind in (Kind.SPHERE, Kind.CAPSULE, Kind.BOX)),
    *((kind, endless) for kind in Kind for endless in UNBOUNDED),
}
# For a single pair of these kinds, the exact test is as fast, too: the number of numpy calls determines the time.
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
        Unit vectors from A to B to try; rows of zeros are ignored.
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
            far_a = support(batch_a.take(at_a[left]), along) - origin
            near_b = support(batch_b.take(index_b[left]), -along) - origin
            separated = dot(near_b - far_a, along) > reach[place] + slack[left]
            result[place] = separated
            results.record_resolved(results.CACHED_AXIS, separated)
    return result


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


def _simple(a: Shapes, b: Shapes, single: bool) -> bool:
    flat = single and a.kind in _FLAT and b.kind in _FLAT
    return flat or (a.kind, b.kind) in _SIMPLE or (b.kind, a.kind) in _SIMPLE
