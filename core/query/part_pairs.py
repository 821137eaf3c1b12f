# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of a part of one shape and a part of another, for queries about compounds."""

from dataclasses import dataclass

import numpy as np

from ..numerics.rows import ragged_arange
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import length
from ..shapes import Compounds, Shapes
from .operands import Operand, split


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
