# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces subdivided into triangles with distances from other shapes: heat maps, and areas beyond a threshold.

The distances of a patch are bounded as in the search for the greatest one. Patches are halved where the interpolation
error between their corners would exceed the resolution, and where a threshold runs through them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...fit.patches import FLAT, Patches, flat_patches, patches_of
from ...numerics.rows import RowTable, blocks
from ...numerics.types import Bools, Floats, Ints
from ...numerics.validation import one_length
from ...numerics.vectors import cross, length
from ...shapes import Meshes
from .counted import Counted
from .region import Region, placed_triangles

# Number of patches that are halved at once.
_TOGETHER = 4096
# Number of triangles whose patches are made at once.
_TRIANGLES = 1 << 16
# Maximum numbers of patches that halving for the resolution, and then for a threshold, may add.
_MAP_BUDGET, _AREA_BUDGET = 40000, 60000
# Allowed undecided fraction of an area, and that fraction of the whole surface.
_UNDECIDED, _NEGLIGIBLE = 0.02, 1e-5
# Multiple of the resolution by which points may be farther away than all corners of their patch.
_HIDDEN_PEAK = 8.0
# Fraction of the resolution: allowed error in the middle. The largest error of a patch is often elsewhere.
_BEND = 0.5
# Fraction of the size: partly hidden patches are halved down to this.
_HIDDEN_IN_PART = 0.01


@dataclass(frozen=True)
class SurfaceArea:
    """The area of a surface that is farther from other shapes than a threshold.

    Attributes
    ----------
    area : float
        In the square of the caller's unit: the certain area, and undecided patches that are farther away at their
        center.
    least, most : float
        Bounds of the area, apart from rounding.
    total : float
        The area of the whole surface, measured like `area`.
    """

    area: float
    least: float
    most: float
    total: float

    @property
    def share(self) -> float:
        """`area` as a fraction of `total`. 0 if that is 0."""
        return self.area / self.total if self.total > 0.0 else 0.0


@dataclass(frozen=True, eq=False)
class DistanceMap(RowTable):
    """Triangles of surfaces, with the distances of their corners from other shapes.

    Attributes
    ----------
    corners : (T, 3, 3) float64
        In world space. For round surfaces, chords.
    distance : (T, 3) float64
        Of each corner, in the caller's unit, at least 0.
    least, most : (T,) float64
        Bounds of the distances of all points of the surface that the triangle represents.
    error : (T,) float64
        How much farther away a point of its patch may be than all corners of the patch.
    area : (T,) float64
        Area of that surface.
    shape : (T,) int64
        The row of the shape whose surface it is.
    exposed, covered : (T,) bool
        Whether it is certain that no part of it is inside other shapes; otherwise, whether its center is.
    """

    rows_are = "triangles"

    corners: Floats
    distance: Floats
    least: Floats
    most: Floats
    error: Floats
    area: Floats
    shape: Ints
    exposed: Bools
    covered: Bools

    def beyond(self, threshold: float) -> SurfaceArea:
        """The area that is farther away than a threshold, in the caller's unit.

        Parameters
        ----------
        threshold : float

        Returns
        -------
        SurfaceArea

        Raises
        ------
        ValueError
            If `threshold` is not a valid length.

        Examples
        --------
        >>> import collision_kit.core as ck
        >>> found = ck.distance_map(ck.Boxes([0, 0, 0], [1, 1, 1.25]), ck.Boxes([0, 0, 0], 1), threshold=0.125)
        >>> area = found.beyond(0.125)
        >>> area.least <= 2 * 4 + 8 * 2 * 0.125 <= area.most
        True
        """
        threshold = one_length(threshold, "threshold")
        certain, possible = self.least > threshold, self.most > threshold
        likely = ~self.covered & possible & (certain | (self.distance.mean(axis=1) > threshold))
        least = float(self.area[self.exposed & certain].sum())
        most = max(float(self.area[possible].sum()), least)
        area = min(max(float(self.area[likely].sum()), least), most)
        return SurfaceArea(area, least, most, float(self.area[~self.covered].sum()))


@dataclass(frozen=True, eq=False)
class _Leaves(RowTable):
    """Patches that are not entirely hidden, with their measures.

    Attributes
    ----------
    patches : Patches
    shape : (P,) int64
    radius : (P,) float64
    ends : (P, 4) float64
        The distances of their corners.
    least, most, error, area : (P,) float64
        As in `DistanceMap`.
    bend : (P,) float64
        The interpolation error of the distance in the middle.
    exposed, covered, settled : (P,) bool
        As in `DistanceMap`, and whether halving would not decide more about that.
    """

    patches: Patches
    shape: Ints
    radius: Floats
    ends: Floats
    least: Floats
    most: Floats
    error: Floats
    area: Floats
    bend: Floats
    exposed: Bools
    covered: Bools
    settled: Bools


def map_steps(
    shapes: list[tuple[Any, Ints]],
    region: Region,
    counted: Counted,
    size: float,
    resolution: float | None,
    threshold: float | None,
) -> Iterator[DistanceMap | float]:
    """Make a map in steps: yields the used fraction of the patch budget, and finally the map.

    Parameters
    ----------
    shapes : list of batches, with the number of each shape
    region : Region
    counted : Counted
        Which parts of the surfaces count.
    size : float
        The diagonal of the bounds of everything.
    resolution : float or None
        Allowed interpolation error between corners, where it is measured. None: not limited.
    threshold : float or None
        The distance whose area is requested. None: none.
    """
    work = _Work(region, counted, size)
    first = 0
    for batch, _ in shapes:
        for part, owner in _surfaces(batch):
            work.add(part, first + owner)
            yield 0.0
        first += len(batch)
    if resolution is not None:
        yield from work.refine(lambda leaves: _unclear(leaves, resolution, size), _MAP_BUDGET)
    if threshold is not None:
        yield from work.refine_area(threshold)
    numbers = np.concatenate([number for _, number in shapes])
    yield _triangles(work.leaves(), numbers)


def _surfaces(batch: Any) -> Iterator[tuple[Patches, Ints]]:
    """The patches of the surfaces of a batch, and the row of each."""
    if not isinstance(batch, Meshes):
        yield patches_of(batch)
        return
    corners, row = placed_triangles(batch)
    for rows in blocks(len(corners), _TRIANGLES):
        yield flat_patches(corners[rows]), row[rows]


def _unclear(leaves: _Leaves, resolution: float, size: float) -> Floats:
    """The urgency of halving patches for a map, as multiples of the acceptable error."""
    in_part = ~leaves.settled & (leaves.most > resolution)
    wrong = np.maximum(leaves.bend / _BEND, leaves.error / _HIDDEN_PEAK) / resolution
    return np.maximum(wrong, np.where(in_part, leaves.radius / (_HIDDEN_IN_PART * size), 0.0))


class _Work:
    def __init__(self, region: Region, counted: Counted, size: float) -> None:
        self._region, self._size = region, size
        self._counted = counted
        self._parts = list[_Leaves]()

    def leaves(self) -> _Leaves:
        """All patches."""
        self._parts = [_Leaves.joined(self._parts)]
        return self._parts[0]

    def add(self, patches: Patches, shape: Ints) -> None:
        """Measure patches, and keep those that are not hidden."""
        none = np.zeros(len(shape))
        points, number = np.unique(patches.corners().reshape(-1, 3), axis=0, return_inverse=True)
        ends = self._distances(points)[number.reshape(-1)].reshape(-1, 4)
        self._parts.append(self._measured(patches, shape, ends, none, none + np.inf))

    def refine(
        self,
        urgency: Callable[[_Leaves], Floats],
        budget: int,
        then: Callable[[_Leaves], _Leaves] = lambda leaves: leaves,
    ) -> Iterator[float]:
        """Halve patches whose urgency is above 1, most urgent first, until the budget is used up.

        `then` can refine the halves.
        """
        open_, done, used = self.leaves(), list[_Leaves](), 0
        while True:
            need = urgency(open_)
            done.append(open_.take(need <= 1.0))
            rows = np.flatnonzero(need > 1.0)
            room = min(_TOGETHER, budget - used)
            if not len(rows) or room <= 0:
                self._parts = [*done, open_.take(rows)]
                return
            if len(rows) > room:
                rows = rows[np.argpartition(-need[rows], room)]
            now, later = open_.take(rows[:room]), open_.take(rows[room:])
            halves = then(self._halves(now))
            used += len(now)
            open_ = _Leaves.joined([later, halves])
            yield used / budget

    def refine_area(self, threshold: float) -> Iterator[float]:
        """Halve patches until little of the area beyond the threshold is undecided, or the budget is used up."""

        def urgency(leaves: _Leaves) -> Floats:
            beyond = leaves.most > threshold
            undecided = (beyond & (leaves.least <= threshold)) | ~leaves.settled
            area = np.where(undecided, leaves.area, 0.0)
            decided[0] += float(leaves.area[beyond & ~undecided].sum())
            if area.sum() <= max(_UNDECIDED * decided[0], _NEGLIGIBLE * total):
                return np.zeros(len(area))
            return np.where(undecided & (area > 0.0), 1.0 + area / total, 0.0)

        self._parts = [self._decided(self.leaves(), threshold)]
        total = max(float(self.leaves().area.sum()), np.finfo(np.float64).tiny)
        # Decided patches are not measured again.
        decided = [0.0]
        yield from self.refine(urgency, _AREA_BUDGET, lambda leaves: self._decided(leaves, threshold))

    def _decided(self, leaves: _Leaves, threshold: float) -> _Leaves:
        """The same patches, with better lower bounds of those that seem to be beyond a threshold."""
        center = leaves.patches.centers()
        rows = np.flatnonzero((leaves.least <= threshold) & (leaves.ends.min(axis=1, initial=np.inf) > threshold))
        distance = self._region.measure(np.ascontiguousarray(center[rows])).distance
        rows, distance = rows[distance > threshold], distance[distance > threshold]
        some, least = leaves.patches.take(rows), leaves.least.copy()
        found = self._region.least(center[rows], distance, leaves.radius[rows], some.corners(), some.bulges())
        least[rows] = np.maximum(least[rows], found)
        return replace(leaves, least=least)

    def _distances(self, points: Floats) -> Floats:
        return np.maximum(self._region.measure(np.ascontiguousarray(points)).distance, 0.0)

    def _halves(self, leaves: _Leaves) -> _Leaves:
        """The halves of patches. Only their new corners are measured."""
        halves = leaves.patches.halved()
        low = halves.take(np.arange(len(leaves)))
        # Corners of the first half that are new, those of the second half in the same places, and all others.
        across = low.high[:, 0] != leaves.patches.high[:, 0]
        first, second = (np.where(across[:, None], *one) for one in (([2, 3], [1, 3]), ([0, 1], [0, 2])))
        ends = np.stack([leaves.ends, leaves.ends])
        new = np.take_along_axis(low.corners(), first[:, :, None], axis=1)
        value = self._distances(new.reshape(-1, 3)).reshape(-1, 2)
        for half, places in zip(ends, (first, second), strict=True):
            np.put_along_axis(half, places, value, axis=1)
        bounds = (np.tile(one, 2) for one in (leaves.least, leaves.most))
        return self._measured(halves, np.tile(leaves.shape, 2), ends.reshape(-1, 4), *bounds)

    def _measured(self, patches: Patches, shape: Ints, value: Floats, least: Floats, most: Floats) -> _Leaves:
        """Return the measures of patches, without those that are entirely hidden.

        Parameters
        ----------
        patches : Patches
        shape : (P,) int64
        value : (P, 4) float64
            The distances of their corners.
        least, most : (P,) float64
            Bounds that are known.
        """
        center, radius = patches.balls()
        hidden, exposed = np.zeros(len(shape), dtype=bool), np.ones(len(shape), dtype=bool)
        settled = exposed.copy()
        if not self._counted.all:
            hidden, whole = self._counted.leave_out(patches, shape, center, radius)
            rows = np.flatnonzero(~whole)
            patches, shape, center, radius = patches.take(rows), shape[rows], center[rows], radius[rows]
            hidden, value, least, most = hidden[rows], value[rows], least[rows], most[rows]
            exposed = ~hidden
            asked = np.flatnonzero(exposed)
            exposed[asked] = self._counted.take_in(patches.take(asked), shape[asked], center[asked], radius[asked])
            settled = exposed | self._counted.hides_itself(shape)
        found = self._region.measure(center)
        signed = found.distance
        most = np.minimum(most, np.maximum(signed + radius, 0.0))
        rows = np.flatnonzero(most > 0.0)
        some = patches.take(rows)
        near = self._region.bounds(found.take(rows), some.corners(), some.bulges())
        most[rows] = np.minimum(most[rows], np.maximum(near, 0.0))
        highest = value.max(axis=1, initial=0.0)
        most = np.maximum(most, np.maximum(highest, signed))
        least = np.maximum(least, signed - radius)
        bend = np.abs(np.maximum(signed, 0.0) - value.mean(axis=1))
        return _Leaves(
            patches,
            shape,
            radius,
            value,
            least,
            most,
            most - highest,
            patches.areas(),
            bend,
            exposed,
            hidden,
            settled,
        )


def _triangles(leaves: _Leaves, numbers: Ints) -> DistanceMap:
    """Two triangles for each patch, or one if it is a triangle."""
    ends = leaves.patches.corners()
    flat = leaves.patches.kind == FLAT
    parts, areas = list[DistanceMap](), list[Floats]()
    for chosen in ([0, 2, 3], [0, 3, 1]):
        corners = ends[:, chosen]
        areas.append(length(cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])))
    # The tip of a flat patch has its first two corners in one place.
    tip = flat & (leaves.patches.low[:, 0] == 0.0)
    both = areas[0] + areas[1]
    share = np.where(tip, 1.0, np.where(both > 0.0, areas[0] / np.where(both > 0.0, both, 1.0), 0.5))
    for chosen, part in (([0, 2, 3], share), ([0, 3, 1], 1.0 - share)):
        parts.append(
            DistanceMap(
                corners=ends[:, chosen],
                distance=leaves.ends[:, chosen],
                least=leaves.least,
                most=leaves.most,
                error=leaves.error,
                area=part * leaves.area,
                shape=numbers[leaves.shape],
                exposed=leaves.exposed,
                covered=leaves.covered,
            )
        )
    parts[1] = parts[1].take(~tip)
    return DistanceMap.joined(parts)
