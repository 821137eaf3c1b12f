# SPDX-License-Identifier: GPL-3.0-or-later
"""The intersection of the surfaces of pairs of shapes, of which the second is a mesh, shared by several queries.

A check asks for the distance, the interference and the contacts of the same pairs. All three need the pieces that
intersect, and two need the contact regions and the vertices inside. `IntersectionDistances` keeps them for the next
query.
"""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from ...numerics.types import Bools, Ints
from ...results import Distances
from .bvh_traversal import LeafPairs
from .contact_regions import Regions, Submerged, regions, submerged
from .leaf_queries import meeting
from .operands import MeshRows, ShapeRows


@dataclass(eq=False)
class Intersection:
    """The intersection of the surfaces of each pair of some rows `a` and `b`, which methods take as arguments.

    Attributes
    ----------
    leaves : LeafPairs
        All pairs of pieces that intersect.
    found : Regions, optional
        Their contact regions, once they are known.
    under : Submerged, optional
        The submerged vertices, once they are known.
    """

    leaves: LeafPairs
    found: Regions | None = None
    under: Submerged | None = None

    def regions(self, a: ShapeRows, b: MeshRows) -> Regions:
        """The contact regions."""
        if self.found is None:
            self.found = regions(a, b, self.leaves)
        return self.found

    def submerged(self, a: ShapeRows, b: MeshRows) -> Submerged:
        """The submerged vertices."""
        if self.under is None:
            self.under = submerged(a, b, self.leaves, self.regions(a, b))
        return self.under

    def take(self, rows: Ints) -> "Intersection":
        """Select these pairs, which are ascending, and renumber them from 0."""
        wanted = np.zeros(max(rows.max(initial=-1), self.leaves.pair.max(initial=-1)) + 1, dtype=bool)
        wanted[rows] = True
        some = self.only(wanted)
        number = np.cumsum(wanted) - 1
        found = None if some.found is None else replace(some.found, pair=number[some.found.pair])
        return Intersection(replace(some.leaves, pair=number[some.leaves.pair]), found, some.under)

    def only(self, wanted: Bools) -> "Intersection":
        """Select the pieces of the wanted pairs (P,). Pairs keep their numbers."""
        kept = wanted[self.leaves.pair]
        leaves, found, under = self.leaves.take(kept), self.found, self.under
        if found is None:
            return Intersection(leaves)
        region = wanted[found.pair]
        number = np.cumsum(region) - 1
        if under is not None:
            under = under.take(region[under.region])
            under = replace(under, region=number[under.region])
        mine = Regions(
            number[found.of[kept]],
            found.pair[region],
            found.count[region],
            found.normal_a[region],
            found.normal_b[region],
        )
        return Intersection(leaves, mine, under)

    def learn(self, part: "Intersection", rows: Ints) -> None:
        """Adopt what is known about these rows, which are all that have intersecting pieces."""
        if part.found is not None:
            self.found, self.under = replace(part.found, pair=rows[part.found.pair]), part.under


class IntersectionDistances(Distances):
    """Distances of pairs with a mesh, with the intersection of their surfaces for the next query about them.

    Attributes
    ----------
    intersection : Intersection or None
        None if the distances were made from other tables.
    row : (N,) int64
        The pair of the intersection that each row is about.
    """

    # Not in `vars`, which has the fields of the table.
    __slots__ = ("intersection", "row")

    def __init__(self, *fields: Any, **named: Any) -> None:
        super().__init__(*fields, **named)
        self.intersection: Intersection | None = None
        self.row: Ints = np.empty(0, dtype=np.int64)

    @classmethod
    def of(cls, distances: Distances, intersection: Intersection, row: Ints) -> "IntersectionDistances":
        """Distances of pairs `row` (N,) of the intersection."""
        result = cls(**vars(distances))
        result.intersection, result.row = intersection, row
        return result

    def take(self, rows: Ints | Bools | slice) -> Self:
        """These rows, in that order."""
        result = super().take(rows)
        if self.intersection is not None:
            result.intersection, result.row = self.intersection, self.row[rows]
        return result


def intersection_of(a: ShapeRows, b: MeshRows, known: Distances | None = None) -> Intersection:
    """The intersection of each pair, as the `known` distances of the same pairs keep it, or found anew."""
    if isinstance(known, IntersectionDistances) and known.intersection is not None and (np.diff(known.row) > 0).all():
        return known.intersection.take(known.row)
    return Intersection(meeting(a, b))
