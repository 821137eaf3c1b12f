# SPDX-License-Identifier: GPL-3.0-or-later
"""Queries about shapes without their margins, for validated rows. `queries` has the public functions.

Each pair goes to the algorithm for its two kinds, group by group. Results are in the order of the input.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from .. import results
from ..constants import DEFAULT_FRICTION, DEFAULT_RESTITUTION
from ..narrow_phase.algorithm import PairAlgorithm
from ..numerics.rows import smallest_per_group
from ..numerics.types import Bools, Floats, Ints
from ..results import Contacts, Distances, Separations
from ..shapes import Compounds
from ..shapes.batch import Rows, combined_friction, combined_restitution
from .compounds import all_contained, first_parts, nearest_parts, part_pairs
from .dispatch import Group, Operand, groups, separated_by_bounds, split

Answers = TypeVar("Answers", Distances, Separations)
Flippable = TypeVar("Flippable", Distances, Separations, Contacts)


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
    a: Operand,
    b: Operand,
    rows: Ints,
    margin: float = 0.0,
    axis: Floats | None = None,
    known: Distances | None = None,
) -> Contacts:
    """Contact manifolds of pairs that are at most `margin` apart."""
    results.record_pairs(len(rows))
    if known is None:
        near = np.flatnonzero(~separated_by_bounds(a, b, rows, np.full(len(rows), margin), axis))
    else:
        near = np.flatnonzero(known.distance <= margin + known.rounding)
    found = []
    for group in pair_groups(a, b, rows[near]):
        measured = None if known is None else _in_order(group, known.take(near[group.rows]))
        part = _in_order(group, group.pair.contacts(group.a, group.b, margin, measured))
        part = replace(part, pair=near[group.rows[part.pair]])
        if group.pair is not COMPOUNDS:  # compounds fill in parts and materials themselves
            nothing = np.zeros_like(part.pair)
            friction, restitution = _materials(a, b, rows[part.pair])
            part = replace(part, part_a=nothing, part_b=nothing, friction=friction, restitution=restitution)
        found.append(part)
    return Contacts.joined(found)


def interference(a: Operand, b: Operand, rows: Ints, known: Distances | None, touching: Floats) -> Floats:
    """Greatest depth of any point of one shape of each pair in the other; `touching` (P,) is the tolerance of each."""
    results.record_pairs(len(rows))
    result = np.zeros(len(rows))
    if known is None:
        near = np.flatnonzero(~separated_by_bounds(a, b, rows, np.zeros(len(rows)), None))
    else:
        near = np.flatnonzero(known.distance < -known.rounding)
    for group in pair_groups(a, b, rows[near]):
        place = near[group.rows]
        measured = None if known is None else _in_order(group, known.take(place))
        result[place] = group.pair.interference(group.a, group.b, touching[place], measured)
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
    near = np.flatnonzero(~separated_by_bounds(a, b, rows, np.zeros(count), axis))
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
        return _in_order(kinds[0], query(kinds[0]))
    result = answers.empty(count)
    for group in kinds:
        for name, value in vars(_in_order(group, query(group))).items():
            getattr(result, name)[group.span] = value
    return result


def _contains(group: Group) -> Bools:
    """Whether the caller's A contains the caller's B. Contained shapes must also overlap, if only by touching."""
    contained = (group.pair.contained if group.flipped else group.pair.contains)(group.a, group.b)
    if contained.any():
        rows = np.flatnonzero(contained)
        contained[rows] = group.pair.overlap(group.a.take(rows), group.b.take(rows))
    return contained


def _in_order(group: Group, found: Flippable) -> Flippable:
    """Swap results between the A-B order of a group and the caller's order, if the group is flipped."""
    return found.flipped() if group.flipped else found


def _materials(a: Operand, b: Operand, rows: Ints) -> tuple[Floats, Floats]:
    """Combined friction and restitution of the two shapes of each pair."""
    surfaces = []
    for shapes, side in ((a, rows[:, 0]), (b, rows[:, 1])):
        friction = np.full(len(side), DEFAULT_FRICTION)
        restitution = np.full(len(side), DEFAULT_RESTITUTION)
        for batch, index, place in split(shapes, side):
            if batch.materials is not None:
                friction[place] = batch.materials.friction[index]
                restitution[place] = batch.materials.restitution[index]
        surfaces.append((friction, restitution))
    (friction_a, restitution_a), (friction_b, restitution_b) = surfaces
    return combined_friction(friction_a, friction_b), combined_restitution(restitution_a, restitution_b)


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

    def contains(self, a: Rows[Any], b: Rows[Compounds]) -> Bools:
        """Whether each part of B is in a single part of A. Unions of several parts of A are not considered."""
        parts = part_pairs(a.gathered(), b.gathered())
        contained = contains(parts.a, parts.b, parts.rows)
        return all_contained(contained, parts.pair, parts.rows[:, 1], len(a))

    def contained(self, a: Rows[Any], b: Rows[Compounds]) -> Bools:
        """Whether each part of A is in one part of B."""
        parts = part_pairs(a.gathered(), b.gathered())
        contained = contains(parts.b, parts.a, parts.rows[:, ::-1])
        return all_contained(contained, parts.pair, parts.rows[:, 0], len(a))


COMPOUNDS = CompoundPairs()
