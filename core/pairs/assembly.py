# SPDX-License-Identifier: GPL-3.0-or-later
"""Any shape or assembly (A) against an assembly (B): its parts are asked, and the answers put together.

Parts of one assembly are never asked about each other. The distance of two bodies is that of their nearest, or
deepest, parts. What is said of overlapping bodies is therefore true of the deepest pair of parts: moving B by the
depth along the normal parts those two, and may leave others.
"""

from dataclasses import dataclass

import numpy as np

from .. import queries
from ..dispatch import Operand, split
from ..grouped import first_of_each
from ..results import Bools, Contacts, Distances, Floats, Ints, Separations
from ..shapes import Assemblies, Shapes
from ..vectors import length


@dataclass(frozen=True)
class PartPairs:
    """All pairs of a part of A and a part of B: the rows of the two, and which pair of bodies they belong to."""

    a: Operand
    b: Operand
    rows: Ints  # (K, 2)
    pair: Ints  # (K,), ascending

    def take(self, rows: Ints) -> "PartPairs":
        """These pairs of parts."""
        return PartPairs(self.a, self.b, self.rows[rows], self.pair[rows])


def overlap(a: Shapes | Assemblies, b: Assemblies) -> Bools:
    """Whether any part of A meets any part of B."""
    parts = part_pairs(a, b)
    result = np.zeros(len(a), dtype=bool)
    result[parts.pair[queries.overlap(parts.a, parts.b, parts.rows)]] = True
    return result


def distance(a: Shapes | Assemblies, b: Assemblies) -> Distances:
    """Distance of the nearest parts, or depth of the deepest."""
    parts = _nearest(part_pairs(a, b), len(a))
    found = queries.distance(parts.a, parts.b, parts.rows)
    return found.take(first_of_each(parts.pair, found.distance))


def separating_axis(a: Shapes | Assemblies, b: Assemblies) -> Separations:
    """The axis of the pair of parts that is least far apart.

    It separates those two and not as a rule the bodies, which need not be convex.
    """
    parts = _nearest(part_pairs(a, b), len(a))
    found = queries.separating_axis(parts.a, parts.b, parts.rows)
    rows = first_of_each(parts.pair, found.gap)
    return Separations(*(value[rows] for value in vars(found).values()))


def contacts(a: Shapes | Assemblies, b: Assemblies, margin: float) -> Contacts:
    """The contacts of all pairs of parts."""
    parts = part_pairs(a, b)
    found = queries.contacts(parts.a, parts.b, parts.rows, margin)
    pair = parts.pair[found.pair]
    first = [_first(shapes)[pair] for shapes in (a, b)]
    part_a, part_b = (parts.rows[found.pair, side] - first[side] for side in (0, 1))
    order = np.lexsort((-found.depth, pair))
    fields = {**vars(found), "pair": pair, "part_a": part_a, "part_b": part_b}
    return Contacts(**fields).take(order)


def interference(a: Shapes | Assemblies, b: Assemblies) -> Floats:
    """The greatest of any two parts."""
    parts = part_pairs(a, b)
    result = np.zeros(len(a))
    np.maximum.at(result, parts.pair, queries.interference(parts.a, parts.b, parts.rows))
    return result


def contains(a: Shapes | Assemblies, b: Assemblies) -> Bools:
    """Whether each part of B lies in one part of A. A part that only several parts of A hold together is not told."""
    parts = part_pairs(a, b)
    held = queries.contains(parts.a, parts.b, parts.rows)
    return _all_held(held, parts.pair, parts.rows[:, 1], len(a))


def contained(a: Shapes | Assemblies, b: Assemblies) -> Bools:
    """Whether each part of A lies in one part of B."""
    parts = part_pairs(a, b)
    held = queries.contains(parts.b, parts.a, parts.rows[:, ::-1])
    return _all_held(held, parts.pair, parts.rows[:, 0], len(a))


def part_pairs(a: Shapes | Assemblies, b: Assemblies) -> PartPairs:
    """All parts of A's row i with all parts of B's row i, pair after pair."""
    of_a, part_a = _rows(a)
    of_b, part_b = _rows(b)
    # Every part of A's row i with every part of B's row i.
    count_b = np.bincount(of_b, minlength=len(b))
    start_b = np.cumsum(count_b) - count_b
    repeat = count_b[of_a]
    pair = np.repeat(of_a, repeat)
    rank = np.arange(len(pair)) - np.repeat(np.cumsum(repeat) - repeat, repeat)
    rows = np.stack([np.repeat(part_a, repeat), part_b[start_b[pair] + rank]], axis=1)
    return PartPairs(a.parts if isinstance(a, Assemblies) else a, b.parts, rows, pair)


def _rows(shapes: Shapes | Assemblies) -> tuple[Ints, Ints]:
    """The parts of each row of a batch: the row, and the part's number."""
    every = np.arange(len(shapes))
    return shapes.parts_of(every) if isinstance(shapes, Assemblies) else (every, every)


def _first(shapes: Shapes | Assemblies) -> Ints:
    """The number of each row's first part."""
    return shapes.first if isinstance(shapes, Assemblies) else np.arange(len(shapes))


def _nearest(parts: PartPairs, count: int) -> PartPairs:
    """Without the pairs of parts that others of the same bodies are nearer than, by the balls about them."""
    center_a, radius_a = _balls(parts.a, parts.rows[:, 0])
    center_b, radius_b = _balls(parts.b, parts.rows[:, 1])
    apart, radii = length(center_b - center_a), radius_a + radius_b
    farthest = np.full(count, np.inf)
    np.minimum.at(farthest, parts.pair, apart + radii)
    return parts.take(np.flatnonzero(~(apart - radii > farthest[parts.pair])))


def _balls(shapes: Operand, rows: Ints) -> tuple[Floats, Floats]:
    center, radius = np.empty((len(rows), 3)), np.empty(len(rows))
    for batch, index, place in split(shapes, rows):
        center[place], radius[place] = batch.take(index).bounding_spheres()
    return center, radius


def _all_held(held: Bools, pair: Ints, part: Ints, count: int) -> Bools:
    """Whether every part of each pair is held by some other: `held` tells it for each pair of parts."""
    _, which, owner = np.unique(part + (part.max(initial=0) + 1) * pair, return_index=True, return_inverse=True)
    some = np.zeros(len(which), dtype=bool)
    some[owner.reshape(-1)[held]] = True
    result = np.ones(count, dtype=bool)
    result[pair[which[~some]]] = False
    return result
