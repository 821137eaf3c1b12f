# SPDX-License-Identifier: GPL-3.0-or-later
"""The point of a surface that is farthest from a region, by branch and bound.

The surface is divided into patches. On each of them, the distance from the region is at most that of its center plus
the radius of a ball around it, and at most the greatest distance of its corners from the nearest triangle or convex
shape to its center. Patches that cannot exceed the largest distance found are discarded. Of flat ones, the parts that
are within that distance of triangles are subtracted, so that a surface that is coincident with another one needs no
smaller patches. The others are halved, those with the greatest bounds first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...fit.patches import FLAT, Patches, flat_patches, patches_of
from ...kernels.uncovered import WHOLE
from ...numerics.rows import blocks
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import length
from ...shapes import Meshes
from .counted import Counted
from .region import Found, Region, placed_triangles

# Number of patches that are measured at once.
_TOGETHER = 4096
# Number of triangles whose patches are made at once.
_TRIANGLES = 1 << 16
# Fraction of the tolerance at which the search ends, and the number of additional patches for this beyond the
# tolerance.
_FINE, _BUDGET = 0.01, 30000
# Maximum number of patches, in addition to the initial ones.
_MOST = 1_000_000
# Fractions of the tolerance: patches smaller than the first are measured where they are not hidden, and those smaller
# than the second are discarded if all of their corners and their centers are hidden.
_SMALL, _SLIVER = 0.25, 0.0625


@dataclass(frozen=True)
class Farthest:
    """The farthest point that was found.

    Attributes
    ----------
    distance, bound : float
    point, nearest : (3,) float64
        The point of the surface, and the nearest point of the region. NaN if the distance is 0.
    shape : int
        Number of the shape of the surface. -1 if the distance is 0.
    """

    distance: float
    bound: float
    point: Floats
    nearest: Floats
    shape: int


class _Best:
    """The farthest point so far that counts."""

    def __init__(self) -> None:
        self.distance = 0.0
        self.point = self.nearest = np.full(3, np.nan)
        self.shape = -1

    def offer(self, found: Found, points: Floats, shape: Ints, rows: Ints) -> None:
        """Use the farthest of these rows, if it is farther."""
        if not len(rows):
            return
        row = int(rows[np.argmax(found.distance[rows])])
        if found.distance[row] > self.distance:
            self.distance = float(found.distance[row])
            self.point, self.nearest, self.shape = points[row].copy(), found.point[row].copy(), int(shape[row])


def farthest(
    shapes: list[tuple[Any, Ints]], region: Region, counted: Counted, tolerance: float, least: float
) -> Iterator[Farthest | float]:
    """Search in steps: yields the greatest remaining bound, and finally the result.

    Parameters
    ----------
    shapes : list of batches, with the number of each shape
    region : Region
    counted : Counted
        Which parts of the surfaces count.
    tolerance : float
        The search ends when the bound exceeds the distance by at most this, or after `_MOST` patches.
    least : float
        The rounding of distances, which is at most the tolerance.
    """
    search = _Search(region, counted, tolerance, least)
    first = 0
    for batch, _ in shapes:
        yield from search.begin(batch, first)
        first += len(batch)
    yield from search.refine()
    best = search.best
    bound = max(best.distance, search.dropped)
    numbers = np.concatenate([number for _, number in shapes])
    shape = int(numbers[best.shape]) if best.shape >= 0 else -1
    yield Farthest(best.distance, bound, best.point, best.nearest, shape)


class _Search:
    def __init__(self, region: Region, counted: Counted, tolerance: float, least: float) -> None:
        self.region, self.counted, self.tolerance = region, counted, tolerance
        self.best, self.dropped = _Best(), 0.0
        # Less than rounding is neither found nor needed, as it is added to the bound.
        self.fine = max(_FINE * tolerance, least)
        self._patches = list[Patches]()
        self._shape, self._bound = list[Ints](), list[Floats]()
        self._measured = 0

    def begin(self, batch: Any, first: int) -> Iterator[float]:
        """Add the surfaces of a batch: flat patches with their corners, whose distances are often the greatest."""
        if isinstance(batch, Meshes):
            corners, row = placed_triangles(batch)
            shape = first + row
        else:
            patches, row = patches_of(batch)
            shape = first + row
            round_ = patches.bulges() > 0.0
            if round_.any() or not len(patches):
                self._look(patches, shape, np.full(len(patches), np.inf))
                yield self.dropped
                return
            ends = patches.corners()
            corners = ends[:, [0, 2, 3]]
        for rows in blocks(len(corners), _TRIANGLES):
            self._look_at_triangles(corners[rows], shape[rows])
            yield self.dropped

    def _look_at_triangles(self, corners: Floats, shape: Ints) -> None:
        points, number = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
        found = self.region.measure(points)
        number = number.reshape(-1, 3)
        value = found.distance[number]
        self._offer_corners(found, points, number, corners, shape)
        # No point of a triangle is farther from a corner than the longer of its sides there.
        side = length(corners - np.roll(corners, -1, axis=1))
        longer = np.maximum(side, np.roll(side, 1, axis=1))
        bound = (value + longer).min(axis=1)
        open_ = np.flatnonzero(bound > self.best.distance + self.fine)
        closed = np.delete(bound, open_)
        self.dropped = max(self.dropped, float(closed.max(initial=0.0)))
        for rows in blocks(len(open_), _TRIANGLES // 4):
            some = open_[rows]
            self._look(flat_patches(corners[some]), shape[some], bound[some])

    def _offer_corners(self, found: Found, points: Floats, number: Ints, corners: Floats, shape: Ints) -> None:
        """Use the farthest corner of triangles that counts."""
        if self.counted.all:
            owner = np.empty(len(points), dtype=np.int64)
            owner[number] = shape[:, None]
            self.best.offer(found, points, owner, np.arange(len(points)))
            return
        normal = flat_patches(corners).normals()[0]
        order = np.argsort(-found.distance[number], axis=None)
        order = order[found.distance[number.reshape(-1)[order]] > self.best.distance]
        for rows in blocks(len(order), _TOGETHER):
            some = order[rows]
            at = number.reshape(-1)[some]
            if found.distance[at[0]] <= self.best.distance:
                return
            shown = np.flatnonzero(~self.counted.leaves_out(points[at], normal[some // 3], shape[some // 3]))
            if len(shown):
                self.best.offer(found.take(at), points[at], shape[some // 3], shown)
                return

    def _look(self, patches: Patches, shape: Ints, bound: Floats, *, uncrossed: bool = False) -> None:
        """Measure patches, and keep those that may have points farther than the farthest one found.

        Parameters
        ----------
        patches : Patches
        shape : (P,) int64
        bound : (P,) float64
            Known bounds of their distances.
        uncrossed : bool
            Whether no flat surface of the region crosses a patch. Then it is inside if its center is.
        """
        self._measured += len(patches)
        center, radius = patches.balls()
        found = self.region.measure(center)
        bound = np.minimum(bound, np.maximum(found.distance + radius, 0.0))
        if uncrossed:
            bound[self.region.inside_flat(found)] = 0.0
        cut = self.best.distance + self.fine
        rows = np.flatnonzero(bound > cut)
        if len(rows):
            some = patches.take(rows)
            most = self.region.bounds(found.take(rows), some.corners(), some.bulges())
            bound[rows] = np.minimum(bound[rows], np.maximum(most, 0.0))
        keep = bound > cut
        asked = np.flatnonzero(keep | (found.distance > self.best.distance))
        if not self.counted.all:
            near, at, of = patches.take(asked), found.take(asked), shape[asked]
            gone = self._offer_counted(near, of, at, center[asked], radius[asked])
            keep[asked[gone]] = False
            bound[asked[gone]] = 0.0
        else:
            self.best.offer(found, center, shape, asked)
        keep &= bound > self.best.distance + self.fine
        self.dropped = max(self.dropped, float(bound[~keep].max(initial=0.0)))
        rows = np.flatnonzero(keep)
        if not uncrossed:
            rows = self._subtract(patches, shape, bound, rows, self.region.inside_flat(found))
        if len(rows):
            self._patches.append(patches.take(rows))
            self._shape.append(shape[rows])
            self._bound.append(bound[rows])

    def _subtract(self, patches: Patches, shape: Ints, bound: Floats, rows: Ints, inside: Bools) -> Ints:
        """Replace flat patches by the parts that are not within the farthest distance of triangles.

        Patches whose centers are inside, and that no triangle crosses, are inside. Returns the rows that are left.
        """
        flat = rows[patches.kind[rows] == FLAT]
        if not len(flat):
            return rows
        loop = np.ascontiguousarray(patches.take(flat).corners()[:, [0, 1, 3, 2]])
        parts, count, most = self.region.uncovered(loop, self.best.distance + self.fine)
        divided = count >= 0
        self.dropped = max(self.dropped, float(most[divided].max(initial=0.0)))
        if len(parts):
            owner = np.repeat(flat, np.maximum(count, 0))
            self._look(flat_patches(parts), shape[owner], bound[owner], uncrossed=True)
        gone = divided | ((count == WHOLE) & inside[flat])
        return np.setdiff1d(rows, flat[gone], assume_unique=True)

    def _offer_counted(self, patches: Patches, shape: Ints, found: Found, center: Floats, radius: Floats) -> Bools:
        """Use the centers that count. Returns which patches do not count at all."""
        hidden, whole = self.counted.leave_out(patches, shape, center, radius)
        self.best.offer(found, center, shape, np.flatnonzero(~hidden))
        small = np.flatnonzero(hidden & ~whole & (radius <= _SMALL * self.tolerance))
        if len(small):
            # A part of the patch is not hidden, or is too narrow to matter.
            some = patches.take(small)
            ends, normals = some.corners().reshape(-1, 3), some.normals()[1].reshape(-1, 3)
            owner = np.repeat(shape[small], 4)
            covered = self.counted.leaves_out(ends, normals, owner)
            self.best.offer(self.region.measure(ends), ends, owner, np.flatnonzero(~covered))
            sliver = covered.reshape(-1, 4).all(axis=1) & (radius[small] <= _SLIVER * self.tolerance)
            whole[small[sliver]] = True
        return whole

    def refine(self) -> Iterator[float]:
        """Halve patches until the bound is tight enough."""
        budget, limit = self._measured + _BUDGET, self._measured + _MOST
        while self._patches:
            patches = Patches.joined(self._patches)
            shape, bound = np.concatenate(self._shape), np.concatenate(self._bound)
            open_ = bound > self.best.distance + self.fine
            self.dropped = max(self.dropped, float(bound[~open_].max(initial=0.0)))
            rows = np.flatnonzero(open_)
            most = float(bound[rows].max(initial=0.0))
            near = most <= self.best.distance + self.tolerance
            if not len(rows) or (near and self._measured >= budget) or self._measured >= limit:
                self.dropped = max(self.dropped, most)
                return
            if not near:
                budget = max(budget, self._measured + _BUDGET)
            if len(rows) > _TOGETHER:
                rows = rows[np.argpartition(-bound[rows], _TOGETHER)]
            now, later = rows[:_TOGETHER], rows[_TOGETHER:]
            self._patches, self._shape, self._bound = [], [], []
            if len(later):
                self._patches, self._shape, self._bound = [patches.take(later)], [shape[later]], [bound[later]]
            self._look(patches.take(now).halved(), np.tile(shape[now], 2), np.tile(bound[now], 2))
            yield most
