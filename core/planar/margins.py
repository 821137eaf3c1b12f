# SPDX-License-Identifier: GPL-3.0-or-later
"""Margins in the plane, as in `collision_kit.core.query.margins`; regions are treated like meshes."""

from typing import ClassVar

import numpy as np

from ..numerics.tolerances import EPS, ROUNDING_STEPS, rounding
from ..numerics.types import Bools, Floats, Ints
from ..query.margins import BarePairs
from ..query.operands import indices, split
from ..results import Contacts, Depths, Distances
from . import dispatch
from .shapes.blocks import corners_of
from .shapes.convex import Circles
from .shapes.regions import Regions, from_origin, local_pairs, pieces_of, product, ranges


class PlanarPairs(BarePairs):
    """The implementation of `BarePairs` for shapes of the plane."""

    queries: ClassVar = dispatch

    def _regions(self, side: int) -> Bools:
        """Whether A, or B, of each pair is a region."""
        result = np.zeros(len(self.pairs), np.bool_)
        for batch, _, place in split((self.a, self.b)[side], self.pairs[:, side]):
            result[place] = isinstance(batch, Regions)
        return result

    @property
    def concave(self) -> Bools:
        """See `BarePairs.concave`."""
        return self._regions(0) | self._regions(1)

    @property
    def concave_a(self) -> Bools:
        """See `BarePairs.concave_a`."""
        return self._regions(0)

    def contacts(self, rows: Ints, margin: float, known: Distances | None) -> Contacts:
        """See `BarePairs.contacts`."""
        return dispatch.contacts(self.a, self.b, self.pairs[rows], margin)

    def depths(self, rows: Ints, known: Distances, touching: Floats) -> Depths:
        """See `BarePairs.depths`."""
        depth = dispatch.interference(self.a, self.b, self.pairs[rows], known)
        return Depths(depth, depth)

    def separated_by_bounds(self, rows: Ints, reach: Floats, axis: Floats | None) -> Bools:
        """See `BarePairs.separated_by_bounds`; decided by the axis-aligned bounds."""
        (low_a, high_a), (low_b, high_b) = self._bounds(rows)
        largest = np.abs(np.stack([low_a, high_a, low_b, high_b])).max(axis=(0, 2), initial=0.0)
        slack = reach + 2.0 * rounding(4.0 * largest + reach, 2.0 * largest)
        return np.asarray((np.maximum(low_b - high_a, low_a - high_b) > slack[:, None]).any(axis=1))

    def distance_after(self, rows: Ints, shift: Floats) -> Floats:
        """See `BarePairs.distance_after`."""
        result = np.empty(len(rows))
        for first, second, at_a, at_b, place in dispatch.groups(self.a, self.b, self.pairs[rows]):
            at = indices(place, len(at_a))
            for some, one, other in local_pairs(first, second, at_a, at_b):
                every = np.arange(len(one))
                moved = from_origin(other, every, -shift[at[some]])
                result[at[some]] = dispatch.distance(one, moved, np.stack([every, every], axis=1)).distance
        return result

    def clearing_distance(self, rows: Ints, along: Floats) -> Floats:
        """See `BarePairs.clearing_distance`: the distance until B is past the bounds of A."""
        (low_a, high_a), (low_b, high_b) = self._bounds(rows)
        head = np.where(along > 0.0, high_a, low_a)
        tail = np.where(along > 0.0, low_b, high_b)
        way: Floats = np.maximum(((head - tail) * along).sum(axis=1), 0.0)
        return way

    def keeps_from_boundary(self, rows: Ints, least: Floats) -> Bools:
        """See `BarePairs.keeps_from_boundary`."""
        result = np.ones(len(rows), np.bool_)
        for regions, other, at_a, at_b, place in dispatch.groups(self.a, self.b, self.pairs[rows]):
            assert isinstance(regions, Regions)
            at, geometry = indices(place, len(at_a)), regions.index[at_a]
            sides = regions.first_side[geometry], np.diff(regions.first_side)[geometry]
            for part in product(*sides, *ranges(other, at_b)):
                piece_rows = np.stack([part.a, part.b], axis=1)
                found = dispatch.distance(regions.sides, pieces_of(other), piece_rows)
                near = found.distance < least[at[part.owner]] - found.rounding
                result[at[part.owner[near]]] = False
        return result

    def within(self, rows: Ints, reach: Floats) -> Bools:
        """See `BarePairs.within`."""
        result = np.ones(len(rows), np.bool_)
        for first, second, at_a, at_b, place in dispatch.groups(self.a, self.b, self.pairs[rows]):
            at, pieces = indices(place, len(at_a)), pieces_of(second)
            for part in product(at_a, np.ones(len(at_a), np.int64), *ranges(second, at_b)):
                corners = corners_of(pieces, part.b)
                which, count = corners.owner, len(corners.x)
                dots = Circles(corners.points(), np.zeros(count))
                found = dispatch.distance(first, dots, np.stack([part.a[which], np.arange(count)], axis=1))
                owner = at[part.owner[which]]
                slack = found.rounding + ROUNDING_STEPS * EPS * np.abs(reach[owner])
                result[owner[found.distance + corners.radius[which] > reach[owner] + slack]] = False
        return result

    def _bounds(self, rows: Ints) -> list[tuple[Floats, Floats]]:
        """The bounds of A and of B of some pairs, (R, 2) each."""
        found = []
        for side, shapes in ((0, self.a), (1, self.b)):
            low, high = np.empty((2, len(rows), 2))
            for batch, index, place in split(shapes, self.pairs[rows, side]):
                low[place], high[place] = (bound[index] for bound in batch.bounds())
            found.append((low, high))
        return found
