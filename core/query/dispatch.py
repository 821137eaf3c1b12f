# SPDX-License-Identifier: GPL-3.0-or-later
"""Split a query about many pairs into queries about pairs of the same two kinds, and put the results back.

Pairs are grouped by their two kinds. In each group, A and B are in the order of the table of algorithms. Pairs with a
compound are expanded to pairs of parts. The queries of this module are for shapes without their margins; `queries` has
the public functions.
"""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, TypeVar

import numpy as np

from .. import results
from ..constants import DEFAULT_FRICTION, DEFAULT_RESTITUTION, Verdict
from ..narrow_phase.algorithm import PairAlgorithm
from ..narrow_phase.table import PAIRS
from ..numerics.rows import BLOCK, blocks, smallest_per_group
from ..numerics.types import Bools, Floats, Ints
from ..results import Contacts, Depths, Distances, Impacts, Separations, UnsupportedPair
from ..shapes import Batch, Compounds, Kind
from ..shapes.batch import BatchView, ComponentTable, Rows, combined_friction, combined_restitution
from .convex_meshes import HullsOfMeshes, as_hulls, by_convexity
from .early_outs import not_separated, separated_by_bounds
from .operands import Mixed, Operand, Place, indices, pair_shares, split, within
from .part_pairs import all_contained, first_parts, nearest_parts, part_pairs


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


def local_distance(a: Operand, b: Operand, rows: Ints) -> Distances:
    """Signed distance of each pair, which is the negated interference of overlapping pairs."""
    return _measured(a, b, rows, Distances, lambda group: group.pair.local_distance(group.a, group.b))


def distance_steps(a: Operand, b: Operand, rows: Ints) -> Generator[None, None, Distances]:
    """Run `distance` in steps."""
    results.record_pairs(len(rows))
    result = Distances.empty(len(rows))
    for group in pair_groups(a, b, rows):
        result.put(group.span, in_order(group, (yield from group.pair.distance_steps(group.a, group.b))))
    return result


def contacts(
    a: Operand, b: Operand, rows: Ints, margin: float = 0.0, axis: Floats | None = None, known: Distances | None = None
) -> Contacts:
    """Contact manifolds of pairs that are at most `margin` apart."""
    parts = _contacts(a, b, rows, margin, axis, known)
    return Contacts.joined([finish(group.pair.contacts(group.a, group.b, margin, far)) for group, far, finish in parts])


def contact_steps(
    a: Operand, b: Operand, rows: Ints, margin: float, known: Distances | None
) -> Generator[None, None, Contacts]:
    """Run `contacts` in steps."""
    found = []
    for group, far, finish in _contacts(a, b, rows, margin, None, known):
        found.append(finish((yield from group.pair.contact_steps(group.a, group.b, margin, far))))
    return Contacts.joined(found)


def _contacts(
    a: Operand, b: Operand, rows: Ints, margin: float, axis: Floats | None, known: Distances | None
) -> Iterator[tuple[Group, Distances | None, Callable[[Contacts], Contacts]]]:
    """Groups of pairs, their known distances, and what completes their contacts."""
    count = len(rows)
    results.record_pairs(count)
    if known is None:
        near = not_separated(a, b, rows, margin, axis)
    else:
        near = np.flatnonzero(known.distance <= margin + known.rounding)
    every = len(near) == count
    for group in pair_groups(a, b, rows if every else rows[near]):
        place = group.rows if every else near[group.rows]
        measured = None if known is None else in_order(group, known.take(place))
        yield group, measured, partial(_completed, a, b, rows, group, None if len(group) == count else place)


def _completed(a: Operand, b: Operand, rows: Ints, group: Group, place: Ints | None, part: Contacts) -> Contacts:
    """Contacts of a group with the caller's pairs, at these places, and with materials."""
    part = in_order(group, part)
    pair = part.pair if place is None else place[part.pair]
    if group.pair is COMPOUNDS:  # compounds fill in parts and materials themselves
        return replace(part, pair=pair)
    nothing = np.zeros_like(pair)
    fields = part.point, part.normal, part.depth, part.type, part.feature_a, part.feature_b, nothing, nothing
    return Contacts(pair, *fields, *materials_of(a, b, rows[pair]))


def interference(a: Operand, b: Operand, rows: Ints, known: Distances | None, touching: Floats) -> Floats:
    """Greatest depth of any point of one shape of each pair in the other; `touching` (P,) is the tolerance of each."""
    return depths(a, b, rows, known, touching).depth


def depths(a: Operand, b: Operand, rows: Ints, known: Distances | None, touching: Floats) -> Depths:
    """Return `interference`, with upper bounds where a search was ended early."""
    results.record_pairs(len(rows))
    result = Depths(*np.zeros((2, len(rows))))
    near = not_separated(a, b, rows, 0.0, None) if known is None else np.flatnonzero(known.distance < -known.rounding)
    for group in pair_groups(a, b, rows[near]):
        place = near[group.rows]
        measured = None if known is None else in_order(group, known.take(place))
        result.put(place, group.pair.depths(group.a, group.b, touching[place], measured))
    return result


def depth_steps(a: Operand, b: Operand, rows: Ints, touching: Floats, full: bool) -> Generator[None, None, Depths]:
    """Run `depths` in steps. In full, few depths are lower bounds."""
    results.record_pairs(len(rows))
    result, near = Depths(*np.zeros((2, len(rows)))), not_separated(a, b, rows, 0.0, None)
    for group in pair_groups(a, b, rows[near]):
        place = near[group.rows]
        result.put(place, (yield from group.pair.depth_steps(group.a, group.b, touching[place], full=full)))
    return result


def classify_steps(
    a: Operand,
    b: Operand,
    rows: Ints,
    touching: Floats,
    clearance: Floats,
    axis: Floats | None = None,
    *,
    deep: bool,
) -> Generator[None, None, tuple[Ints, Depths]]:
    """Return the verdict on each pair, with its tolerances (P,), and depths, in steps; see `PairAlgorithm`."""
    results.record_pairs(len(rows))
    result = np.full(len(rows), int(Verdict.SEPARATED), dtype=np.int64)
    inner = Depths(*np.zeros((2, len(rows))))
    near = np.flatnonzero(~separated_by_bounds(a, b, rows, np.maximum(touching, clearance), axis))
    for group in pair_groups(a, b, rows[near]):
        place = near[group.rows]
        result[place], depth = yield from group.pair.classify_steps(
            group.a, group.b, touching[place], clearance[place], deep=deep
        )
        inner.put(place, depth)
    return result, inner


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
    near = not_separated(a, b, rows, 0.0, axis)
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


def _greatest(parts: Depths, pair: Ints, count: int) -> Depths:
    """The greatest depth and bound of the parts of each pair. A bound below the accuracy of the depth is no other."""
    result = Depths(*np.zeros((2, count)))
    np.maximum.at(result.depth, pair, parts.depth)
    result.bound[:] = result.depth
    some = parts.at_least
    np.maximum.at(result.bound, pair[some], parts.bound[some])
    return result


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
        return self.depths(a, b, touching).depth

    def depths(self, a: Rows[Any], b: Rows[Compounds], touching: Floats, known: Distances | None = None) -> Depths:
        """See `PairAlgorithm`: the greatest depth, and the greatest bound, of any two parts."""
        parts = part_pairs(a.gathered(), b.gathered())
        found = depths(parts.a, parts.b, parts.rows, None, touching[parts.pair])
        return _greatest(found, parts.pair, len(a))

    def depth_steps(
        self, a: Rows[Any], b: Rows[Compounds], touching: Floats, known: Distances | None = None, *, full: bool
    ) -> Generator[None, None, Depths]:
        """See `PairAlgorithm`."""
        parts = part_pairs(a.gathered(), b.gathered())
        found = yield from depth_steps(parts.a, parts.b, parts.rows, touching[parts.pair], full)
        return _greatest(found, parts.pair, len(a))

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
