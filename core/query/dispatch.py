# SPDX-License-Identifier: GPL-3.0-or-later
"""Split a query about many pairs into queries about pairs of the same two kinds, and put the results back.

The operands of a query are rows of a batch, or of several batches with common row indices. Pairs are grouped by their
two kinds. In each group, A and B are in the order of the table of algorithms. Pairs with a compound are expanded to
pairs of parts. The queries of this module are for shapes without their margins; `queries` has the public functions.

Cheap tests come before expensive ones (Lee 2018, section 13.1.2): first bounding spheres, then an axis that the caller
supplies, because the separating axis of the previous frame usually still separates. Both are conservative: they reject
only pairs that the exact method would reject.
"""

from collections.abc import Callable, Iterator, Sized
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from .. import results
from ..constants import DEFAULT_FRICTION, DEFAULT_RESTITUTION, Verdict
from ..convex.support import support
from ..narrow_phase.algorithm import PairAlgorithm
from ..narrow_phase.table import PAIRS
from ..numerics.rows import BLOCK, blocks, ragged_arange, smallest_per_group
from ..numerics.tolerances import EARLY_OUT, EPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import numbers
from ..numerics.vectors import dot, length
from ..results import Contacts, Distances, Impacts, Separations, UnsupportedPair
from ..shapes import UNBOUNDED, Batch, Compounds, Kind, Shapes, check_shapes
from ..shapes.batch import BatchView, ComponentTable, Rows, combined_friction, combined_restitution
from .convex_meshes import HullsOfMeshes, as_hulls, by_convexity


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


def rows_of_pairs(a: Sized, b: Sized, pairs: ArrayLike | None, names: tuple[str, str] = ("a", "b")) -> Ints:
    """Like `index_pairs`, for any two operands with a length, whose types are not checked. Messages have the names."""
    if pairs is None:
        if len(a) != len(b) and 1 not in (len(a), len(b)):
            lengths = f"{names[0]} has {len(a)} rows and {names[1]} has {len(b)}"
            raise ValueError(f'{lengths}: equal lengths, or one of them 1, or pairs="all" are needed')
        count = len(b) if len(a) == 1 else len(a)
        result = np.zeros((count, 2), dtype=np.int64)
        if count > 1:
            for side, of in enumerate((a, b)):
                result[:, side] = np.arange(count) if len(of) == count else 0
        return result
    if isinstance(pairs, str) and pairs == "all":
        return np.stack([each.reshape(-1) for each in np.indices((len(a), len(b)))], axis=1)
    given = numbers(pairs, "pairs")
    if given.size == 0 and given.dtype.kind != "b":
        return np.empty((0, 2), dtype=np.int64)
    if given.ndim != 2 or given.shape[1] != 2 or not np.issubdtype(given.dtype, np.integer):
        mask = "; pairs[mask] are those that a mask selects" if given.dtype.kind == "b" else ""
        raise ValueError(f"pairs: {given.dtype} of shape {given.shape}, but integers of shape (P, 2) are needed{mask}")
    if any(side.min() < 0 or side.max() >= len(of) for side, of in ((given[:, 0], a), (given[:, 1], b))):
        bad = (given < 0) | (given >= [len(a), len(b)])
        row, side = np.argwhere(bad)[0]
        name, size = names[side], (len(a), len(b))[side]
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


def pair_shares(a: Batch | Mixed, b: Batch | Mixed, rows: Ints) -> Iterator[tuple[Any, Any, Ints, Ints, Place]]:
    """The batches that contain the pairs (P, 2): A's and B's, the rows within each, and the positions in `rows`."""
    for batch_a, index_a, place_a in shares(a, rows[:, 0]):
        for batch_b, index_b, place_b in shares(b, rows[place_a, 1]):
            yield batch_a, batch_b, index_a[place_b], index_b, within(place_a, place_b)


def split_pairs(a: Batch | Mixed, b: Batch | Mixed, rows: Ints) -> Iterator[tuple[Any, Any, Ints, Ints, Ints]]:
    """Like `pair_shares`, with the positions as an array."""
    for batch_a, batch_b, index_a, index_b, place in pair_shares(a, b, rows):
        yield batch_a, batch_b, index_a, index_b, indices(place, len(index_a))


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

    def take(self, rows: Ints) -> "Group":
        """Some of these pairs; the rows are in ascending order."""
        a, b = (replace(of, rows=of.rows[rows]) for of in (self.a, self.b))
        return Group(self.rows[rows], a, b, self.pair, self.flipped)

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
    for batch_a, batch_b, index_a, index_b, place in pair_shares(a, b, rows):
        for some, convex in by_convexity(batch_a, batch_b, index_a, index_b):
            given = as_hulls(batch_a) if convex else batch_a, as_hulls(batch_b) if convex else batch_b
            flipped = given[0].kind > given[1].kind
            kinds = (given[1].kind, given[0].kind) if flipped else (given[0].kind, given[1].kind)
            pair = compounds if kinds[1] == Kind.COMPOUND else PAIRS.get(kinds)
            if pair is None:
                raise UnsupportedPair(f"{type(batch_a).__name__} against {type(batch_b).__name__}: both are unbounded")
            first, second = (
                BatchView(batch, index if some is None else index[some], tables)
                for batch, index in zip(given, (index_a, index_b), strict=True)
            )
            if flipped:
                first, second = second, first
            if convex:
                pair = HullsOfMeshes(pair, *((batch_b, batch_a) if flipped else (batch_a, batch_b)))
            yield Group(place if some is None else within(place, some), first, second, pair, flipped)


# For these kinds, the exact test is as fast as a test of bounding spheres, or there is no bounding sphere.
_SIMPLE = {
    *((Kind.SPHERE, kind) for kind in (Kind.SPHERE, Kind.CAPSULE, Kind.BOX)),
    *((kind, endless) for kind in Kind for endless in UNBOUNDED),
}
# For a single pair of these kinds, the exact test is as fast, too: the number of numpy calls determines the time.
_FLAT = (Kind.SPHERE, Kind.CAPSULE, Kind.BOX, Kind.TRIANGLE, Kind.HULL)
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


def _not_separated(a: Operand, b: Operand, rows: Ints, reach: float, axis: Floats | None) -> Ints:
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
    flat = single and a.kind in _FLAT and b.kind in _FLAT
    return flat or (a.kind, b.kind) in _SIMPLE or (b.kind, a.kind) in _SIMPLE


@dataclass(frozen=True)
class PartPairs:
    """Pairs of a part of A and a part of B: rows of the parts, and the pair of bodies that they belong to."""

    a: Operand
    b: Operand
    rows: Ints  # (K, 2)
    pair: Ints  # (K,), ascending

    def take(self, rows: Ints) -> "PartPairs":
        """The pairs of parts with these indices."""
        return PartPairs(self.a, self.b, self.rows[rows], self.pair[rows])


def part_pairs(a: Shapes, b: Compounds) -> PartPairs:
    """All parts of A's row i with all parts of B's row i, ordered by i."""
    of_a, part_a = _part_rows(a)
    of_b, part_b = _part_rows(b)
    count_b = np.bincount(of_b, minlength=len(b))
    start_b = np.cumsum(count_b) - count_b
    which, place = ragged_arange(count_b[of_a], start_b[of_a])
    rows = np.stack([part_a[which], part_b[place]], axis=1)
    return PartPairs(a.parts if isinstance(a, Compounds) else a, b.parts, rows, of_a[which])


def _part_rows(shapes: Shapes) -> tuple[Ints, Ints]:
    """The parts of all rows of a batch: the row, and the index of the part."""
    every = np.arange(len(shapes))
    return shapes.parts_of(every) if isinstance(shapes, Compounds) else (every, every)


def first_parts(shapes: Shapes) -> Ints:
    """The index of the first part of each row, (N,). A shape without parts is its own part."""
    return shapes.first if isinstance(shapes, Compounds) else np.arange(len(shapes))


def nearest_parts(parts: PartPairs, count: int) -> PartPairs:
    """The pairs of parts that may be the nearest of their bodies. Bounding spheres exclude the others."""
    center_a, radius_a = _part_balls(parts.a, parts.rows[:, 0])
    center_b, radius_b = _part_balls(parts.b, parts.rows[:, 1])
    apart, radii = length(center_b - center_a), radius_a + radius_b
    farthest = np.full(count, np.inf)
    np.minimum.at(farthest, parts.pair, apart + radii)
    return parts.take(np.flatnonzero(~(apart - radii > farthest[parts.pair])))


def _part_balls(shapes: Operand, rows: Ints) -> tuple[Floats, Floats]:
    center, radius = np.empty((len(rows), 3)), np.empty(len(rows))
    for batch, index, place in split(shapes, rows):
        center[place], radius[place] = batch.take(index).bounding_spheres()
    return center, radius


def all_contained(contained: Bools, pair: Ints, part: Ints, count: int) -> Bools:
    """Whether all inner parts (`part`) of each pair of bodies are contained, from the results for pairs of parts."""
    _, which, owner = np.unique(part + (part.max(initial=0) + 1) * pair, return_index=True, return_inverse=True)
    some = np.zeros(len(which), dtype=bool)
    some[owner.reshape(-1)[contained]] = True
    result = np.ones(count, dtype=bool)
    result[pair[which[~some]]] = False
    return result


Answers = TypeVar("Answers", Distances, Separations)
Flippable = TypeVar("Flippable", Distances, Separations, Contacts, Impacts)


def overlap(a: Operand, b: Operand, rows: Ints, axis: Floats | None = None) -> Bools:
    """Whether the shapes of each pair have a point in common. `axis` (P, 3): unit vectors to try first, or zeros."""
    return _boolean(a, b, rows, axis, lambda group: group.pair.overlap(group.a, group.b))


def separating_axis(a: Operand, b: Operand, rows: Ints) -> Separations:
    """The axis with the largest gap of each pair; for overlapping pairs, the axis of least overlap."""
    return _measured(a, b, rows, Separations, lambda group: group.pair.separating_axis(group.a, group.b))


def distance(a: Operand, b: Operand, rows: Ints) -> Distances:
    """Signed Euclidean distance of each pair, with its witness points."""
    return _measured(a, b, rows, Distances, lambda group: group.pair.distance(group.a, group.b))


def contacts(
    a: Operand, b: Operand, rows: Ints, margin: float = 0.0, axis: Floats | None = None, known: Distances | None = None
) -> Contacts:
    """Contact manifolds of pairs that are at most `margin` apart."""
    count = len(rows)
    results.record_pairs(count)
    if known is None:
        near = _not_separated(a, b, rows, margin, axis)
    else:
        near = np.flatnonzero(known.distance <= margin + known.rounding)
    every = len(near) == count
    found = []
    for group in pair_groups(a, b, rows if every else rows[near]):
        place = group.rows if every else near[group.rows]
        measured = None if known is None else in_order(group, known.take(place))
        part = in_order(group, group.pair.contacts(group.a, group.b, margin, measured))
        pair = part.pair if len(group) == count else place[part.pair]
        if group.pair is COMPOUNDS:  # compounds fill in parts and materials themselves
            found.append(replace(part, pair=pair))
            continue
        nothing = np.zeros_like(pair)
        fields = part.point, part.normal, part.depth, part.type, part.feature_a, part.feature_b, nothing, nothing
        found.append(Contacts(pair, *fields, *materials_of(a, b, rows[pair])))
    return Contacts.joined(found)


def interference(a: Operand, b: Operand, rows: Ints, known: Distances | None, touching: Floats) -> Floats:
    """Greatest depth of any point of one shape of each pair in the other; `touching` (P,) is the tolerance of each."""
    results.record_pairs(len(rows))
    result = np.zeros(len(rows))
    near = _not_separated(a, b, rows, 0.0, None) if known is None else np.flatnonzero(known.distance < -known.rounding)
    for group in pair_groups(a, b, rows[near]):
        place = near[group.rows]
        measured = None if known is None else in_order(group, known.take(place))
        result[place] = group.pair.interference(group.a, group.b, touching[place], measured)
    return result


def classify(
    a: Operand, b: Operand, rows: Ints, touching: Floats, clearance: Floats, axis: Floats | None = None
) -> Ints:
    """The verdict on each pair, with its tolerances (P,). Contained pairs are reported as penetrating."""
    results.record_pairs(len(rows))
    result = np.full(len(rows), int(Verdict.SEPARATED), dtype=np.int64)
    near = np.flatnonzero(~separated_by_bounds(a, b, rows, np.maximum(touching, clearance), axis))
    for group in pair_groups(a, b, rows[near]):
        place = near[group.rows]
        result[place] = group.pair.classify(group.a, group.b, touching[place], clearance[place])
    return result


def contains(a: Operand, b: Operand, rows: Ints) -> Bools:
    """Whether A contains all of B."""
    return _boolean(a, b, rows, None, _contains)


def pair_groups(a: Operand, b: Operand, rows: Ints) -> Iterator[Group]:
    """The pairs grouped by kinds, with their algorithms; raises `UnsupportedPair` for two unbounded shapes."""
    return groups(a, b, rows, COMPOUNDS)


def _boolean(a: Operand, b: Operand, rows: Ints, axis: Floats | None, query: Callable[[Group], Bools]) -> Bools:
    """Result of a boolean query, which `query` answers for each group; False for pairs proved to be separated."""
    count = len(rows)
    results.record_pairs(count)
    near = _not_separated(a, b, rows, 0.0, axis)
    result = np.zeros(count, dtype=bool)
    every = len(near) == count
    for group in pair_groups(a, b, rows if every else rows[near]):
        part = query(group)
        if len(part) == count:  # one group in the order of the input: no copy needed
            return part
        result[group.span if every else near[group.span]] = part
    return result


def _measured(a: Operand, b: Operand, rows: Ints, answers: type[Answers], query: Callable[[Group], Answers]) -> Answers:
    """Results of a query, which `query` answers for each group."""
    count = len(rows)
    results.record_pairs(count)
    kinds = list(pair_groups(a, b, rows))
    if len(kinds) == 1:  # one group in the order of the input: no copy needed
        return in_order(kinds[0], query(kinds[0]))
    result = answers.empty(count)
    for group in kinds:
        result.put(group.span, in_order(group, query(group)))
    return result


def _contains(group: Group) -> Bools:
    """Whether the caller's A contains the caller's B. Contained shapes must also overlap, if only by touching."""
    query = group.pair.contained if group.flipped else group.pair.contains
    contained = np.empty(len(group), dtype=bool)
    if len(group) <= BLOCK:  # a single block needs no tables of components
        contained[:] = query(group.a.gathered(), group.b.gathered())
    else:
        for block in blocks(len(group)):
            contained[block] = query(group.a.take(block), group.b.take(block))
    rows = np.flatnonzero(contained)
    if len(rows):
        contained[rows] = group.pair.overlap(group.a.take(rows), group.b.take(rows))
    return contained


def in_order(group: Group, found: Flippable) -> Flippable:
    """Swap results between the A-B order of a group and the caller's order, if the group is flipped."""
    return found.flipped() if group.flipped else found


def materials_of(a: Batch | Mixed, b: Batch | Mixed, rows: Ints) -> tuple[Floats, Floats]:
    """Combined friction and restitution of the two shapes of each pair."""
    friction_a, restitution_a = _surfaces(a, rows[:, 0])
    same = all(isinstance(shapes, Batch) and shapes.materials is None for shapes in (a, b))
    friction_b, restitution_b = (friction_a, restitution_a) if same else _surfaces(b, rows[:, 1])
    return combined_friction(friction_a, friction_b), combined_restitution(restitution_a, restitution_b)


def _surfaces(shapes: Batch | Mixed, side: Ints) -> tuple[Floats, Floats]:
    """Friction and restitution of the shapes of these rows."""
    friction = np.full(len(side), DEFAULT_FRICTION)
    restitution = np.full(len(side), DEFAULT_RESTITUTION)
    if isinstance(shapes, Batch) and shapes.materials is None:
        return friction, restitution
    for batch, index, place in split(shapes, side):
        if batch.materials is not None:
            friction[place] = batch.materials.friction[index]
            restitution[place] = batch.materials.restitution[index]
    return friction, restitution


class CompoundPairs(PairAlgorithm[Any, Compounds]):
    """Any shape (A) against a compound (B): queries about pairs of parts, whose results are combined.

    Parts of the same compound are never compared. The distance of two bodies is that of their nearest parts or, if they
    overlap, of their deepest pair of parts. For overlapping bodies, moving B by the depth along the normal separates
    only that pair of parts; others may still overlap.
    """

    def overlap(self, a: Rows[Any], b: Rows[Compounds]) -> Bools:
        """Whether any part of A overlaps any part of B."""
        parts = part_pairs(a.gathered(), b.gathered())
        result = np.zeros(len(a), dtype=bool)
        result[parts.pair[overlap(parts.a, parts.b, parts.rows)]] = True
        return result

    def distance(self, a: Rows[Any], b: Rows[Compounds]) -> Distances:
        """Distance of the nearest parts, or negated depth of the deepest parts."""
        parts = nearest_parts(part_pairs(a.gathered(), b.gathered()), len(a))
        found = distance(parts.a, parts.b, parts.rows)
        return found.take(smallest_per_group(parts.pair, found.distance))

    def separating_axis(self, a: Rows[Any], b: Rows[Compounds]) -> Separations:
        """The separating axis of the pair of parts with the least gap.

        It separates those two parts. It need not separate the bodies, which may be concave.
        """
        parts = nearest_parts(part_pairs(a.gathered(), b.gathered()), len(a))
        found = separating_axis(parts.a, parts.b, parts.rows)
        return found.take(smallest_per_group(parts.pair, found.gap))

    def contacts(self, a: Rows[Any], b: Rows[Compounds], margin: float, known: Distances | None = None) -> Contacts:
        """The contacts of all pairs of parts."""
        bodies = a.gathered(), b.gathered()
        parts = part_pairs(*bodies)
        found = contacts(parts.a, parts.b, parts.rows, margin)
        pair = parts.pair[found.pair]
        first = [first_parts(shapes)[pair] for shapes in bodies]
        part_a, part_b = (parts.rows[found.pair, side] - first[side] for side in (0, 1))
        return replace(found, pair=pair, part_a=part_a, part_b=part_b).take(np.lexsort((-found.depth, pair)))

    def interference(
        self, a: Rows[Any], b: Rows[Compounds], touching: Floats, known: Distances | None = None
    ) -> Floats:
        """The greatest interference of any two parts."""
        parts = part_pairs(a.gathered(), b.gathered())
        result = np.zeros(len(a))
        np.maximum.at(result, parts.pair, interference(parts.a, parts.b, parts.rows, None, touching[parts.pair]))
        return result

    def contains(self, a: Any, b: Compounds) -> Bools:
        """Whether each part of B is in a single part of A. Unions of several parts of A are not considered."""
        parts = part_pairs(a, b)
        contained = contains(parts.a, parts.b, parts.rows)
        return all_contained(contained, parts.pair, parts.rows[:, 1], len(a))

    def contained(self, a: Any, b: Compounds) -> Bools:
        """Whether each part of A is in one part of B."""
        parts = part_pairs(a, b)
        contained = contains(parts.b, parts.a, parts.rows[:, ::-1])
        return all_contained(contained, parts.pair, parts.rows[:, 0], len(a))


COMPOUNDS = CompoundPairs()
