# SPDX-License-Identifier: GPL-3.0-or-later
"""The queries for shapes of the plane without margins, for validated rows (P, 2).

Pairs are grouped by their batches, and the module for the two kinds is called. The results are returned in the order of
the pairs.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import TypeVar

import numpy as np

from ..numerics.tolerances import rounding
from ..numerics.types import Bools, Floats, Ints
from ..query.dispatch import materials_of
from ..query.operands import Mixed, Place, indices, shares, within
from ..results import Contacts, Distances, Impacts, Separations
from . import region_pairs
from .narrow_phase import convex, shape_cast
from .penetration.interference import interference as depths_inside
from .shapes.regions import Body, Regions

Operand = Body | Mixed
# The rows of A and of B of some pairs, their batches, and the places of these pairs in the query.
Group = tuple[Body, Body, Ints, Ints, Place]
Answers = TypeVar("Answers", Separations, Distances, Impacts)


def overlap(a: Operand, b: Operand, rows: Ints) -> Bools:
    """Whether the shapes of each pair have a point in common."""
    result = np.empty(len(rows), dtype=np.bool_)
    for first, second, at_a, at_b, place in groups(a, b, rows):
        result[place] = _module(first, second).overlap(first, second, at_a, at_b)
    return result


def separating_axis(a: Operand, b: Operand, rows: Ints) -> Separations:
    """The axis along which each pair has the largest gap, or overlaps least."""
    return _answered(a, b, rows, Separations.empty, lambda *pair: _module(*pair[:2]).separating_axis(*pair[:4]))


def distance(a: Operand, b: Operand, rows: Ints) -> Distances:
    """Signed Euclidean distance of each pair, with witness points."""
    return _answered(a, b, rows, Distances.empty, lambda *pair: _module(*pair[:2]).distance(*pair[:4]))


def contacts(a: Operand, b: Operand, rows: Ints, margin: float) -> Contacts:
    """Contact manifolds of pairs that are no farther apart than `margin`."""
    parts = []
    for first, second, at_a, at_b, place in groups(a, b, rows):
        found: Contacts = _module(first, second).contacts(first, second, at_a, at_b, margin)
        pair = indices(place, len(at_a))[found.pair]
        friction, restitution = materials_of(a, b, rows[pair])
        parts.append(replace(found, pair=pair, friction=friction, restitution=restitution))
    return parts[0] if len(parts) == 1 else Contacts.joined(parts, 2)


def interference(a: Operand, b: Operand, rows: Ints, known: Distances) -> Floats:
    """The greatest depth of a point of one shape of each pair inside the other; `known` is the result of `distance`."""
    result = np.empty(len(rows))
    for first, second, at_a, at_b, place in groups(a, b, rows):
        result[place] = depths_inside(first, second, at_a, at_b, known.take(indices(place, len(at_a))))
    return result


def contains(a: Operand, b: Operand, rows: Ints) -> Bools:
    """Whether A contains all of B."""
    result = np.zeros(len(rows), np.bool_)
    for first, second, at_a, at_b, place in groups(a, b, rows):
        (low_a, high_a), (low_b, high_b) = (
            [side[at] for side in shapes.bounds()] for shapes, at in ((first, at_a), (second, at_b))
        )
        # If A contains B, its bounds contain those of B, except for twice the tolerance of touching.
        largest = np.abs(np.stack([low_a, high_a, low_b, high_b])).max(axis=(0, 2), initial=0.0)
        slack = 2.0 * rounding(4.0 * largest, 2.0 * largest)[:, None]
        inside = np.flatnonzero(((low_a <= low_b + slack) & (high_b <= high_a + slack)).all(axis=1))
        found = _module(first, second).contains(first, second, at_a[inside], at_b[inside])
        result[indices(place, len(at_a))[inside]] = found
    return result


def time_of_impact(a: Operand, b: Operand, rows: Ints, velocity_a: Floats, velocity_b: Floats) -> Impacts:
    """The first time of contact of each pair, without rotation; velocities (P, 2) are those of the pairs."""

    def question(first: Body, second: Body, at_a: Ints, at_b: Ints, place: Place) -> Impacts:
        module = region_pairs if isinstance(first, Regions) or isinstance(second, Regions) else shape_cast
        found: Impacts = module.time_of_impact(first, second, at_a, at_b, velocity_a[place], velocity_b[place])
        return found

    return _answered(a, b, rows, Impacts.misses, question)


def groups(a: Operand, b: Operand, rows: Ints) -> Iterator[Group]:
    """Group the pairs by their two batches."""
    for batch_a, index_a, place_a in shares(a, np.ascontiguousarray(rows[:, 0])):
        for batch_b, index_b, place_b in shares(b, np.ascontiguousarray(rows[place_a, 1])):
            yield batch_a, batch_b, index_a[place_b], index_b, within(place_a, place_b)


def _answered(
    a: Operand, b: Operand, rows: Ints, empty: Callable[[int, int], Answers], question: Callable[..., Answers]
) -> Answers:
    """The results for all pairs, from one call of `question` for each group."""
    pairs = list(groups(a, b, rows))
    if len(pairs) == 1:  # a single group keeps the order of the pairs
        return question(*pairs[0])
    result = empty(len(rows), 2)
    for pair in pairs:
        result.put(pair[-1], question(*pair))
    return result


def _module(a: Body, b: Body) -> ModuleType:
    """The module with the queries for two kinds."""
    return region_pairs if isinstance(a, Regions) or isinstance(b, Regions) else convex
