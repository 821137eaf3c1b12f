# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances between colliders and render meshes: one-sided Hausdorff distances with certified bounds."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...numerics.tolerances import COVERAGE, COVERAGE_SEAM, rounding
from ...numerics.types import Floats, Ints
from ...numerics.validation import check_flag, one_number
from ...numerics.vectors import length
from ...query.operands import Operand
from ...rays.in_worlds import Shapes
from ...shapes import Batch, bounds, check_shapes
from ..world import World
from .counted import Counted
from .distance_map import DistanceMap, SurfaceArea, map_steps
from .exposure import Exposure
from .region import Region, single_shapes
from .search import Farthest, farthest


@dataclass(frozen=True, eq=False)
class GreatestDistance:
    """The point of a surface that is farthest from other shapes.

    Attributes
    ----------
    distance : float
        In the caller's unit, at least 0. The distance of `point`.
    bound : float
        No point is farther than this. At most ``distance + tolerance``, apart from rounding, unless the search stopped
        at its limit: see `greatest_distance`.
    point, nearest : (3,) float64
        The point of the surface, and the nearest point of the other shapes. NaN if the distance is 0.
    shape : int
        The row of the shape whose surface contains it. -1 if the distance is 0.
    tolerance : float
        The tolerance of the search.
    """

    distance: float
    bound: float
    point: Floats
    nearest: Floats
    shape: int
    tolerance: float


@dataclass(frozen=True, eq=False)
class Coverage:
    """Distances between colliders and visible surfaces.

    Attributes
    ----------
    outside : GreatestDistance
        How far the colliders protrude from the visible surface, like an invisible wall. `point` is on a collider.
    inside : GreatestDistance
        How far the visible surface is outside every collider, so that objects sink in. `point` is on the visible
        surface.
    outside_area, inside_area : SurfaceArea or None
        Areas of both surfaces that are farther away than `max_outside` and `max_inside`. None without these.
    """

    outside: GreatestDistance
    inside: GreatestDistance
    outside_area: SurfaceArea | None = None
    inside_area: SurfaceArea | None = None


def greatest_distance(
    shapes: Operand,
    target: Operand,
    *,
    tolerance: float | None = None,
    union: bool = False,
    within: Operand | None = None,
) -> GreatestDistance:
    """The greatest distance of a point of the surfaces of shapes from other shapes.

    This is a one-sided Hausdorff distance, found by branch and bound. Nothing is sampled: `bound` is valid for all
    points.

    Parameters
    ----------
    shapes, target : batch of shapes or World
        The distance is from the union of all shapes of `target`. It is 0 inside a solid. Triangles, and meshes whose
        rows are not solid, are surfaces: the distance from them is the same on both sides.
    tolerance : float, optional
        The search ends when `bound` exceeds `distance` by at most this, in the caller's unit; above 0. None: a
        thousandth of the diagonal of the bounds of all shapes. It ends at the latest when a million patches have been
        measured, in addition to one for each of the surface. Then `bound` is still certain, but may be less tight. This
        happens if the tolerance is much smaller than a ten-thousandth of the diagonal.
    union : bool
        If true, parts inside another of `shapes`, or inside another closed part of the same mesh, are ignored. Where
        two of them share a face, or their gap is narrower than a seam, there is no surface between them. A seam is an
        eighth of the tolerance wide, but at most a ten-thousandth, and at least a millionth, of the diagonal.
    within : batch of shapes or World, optional
        Only the points of the surface in these shapes count, such as those that a character comes near: `Probe.near`
        has them. Rows may have margins, and may be unbounded. The distance may be that of a point that is outside by up
        to a quarter of the tolerance. None: all points count.

    Returns
    -------
    GreatestDistance

    Raises
    ------
    UnsupportedPair
        If a shape is unbounded or planar.
    ValueError
        If `shapes` or `target` is empty or has a shape with a margin, `within` is empty, or `tolerance` is not above 0.
        The message names the argument.

    Notes
    -----
    The distances of two points from a set differ by at most the distance between the points (Lipschitz). On a patch,
    the distance is therefore at most that of its center plus the radius of a ball about it that contains the patch. The
    distance from a convex set is a convex function, so it is greatest at a corner of a flat patch; a round patch is
    near the hull of its corners. With `union`, parts of the surface that are narrower than a sixteenth of the
    tolerance, and hidden on both sides, may be missed. An interval of Hausdorff distances by such bounds: Tang, Lee and
    Kim, "Interactive Hausdorff Distance Computation for General Polygonal Models", 2009.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> found = ck.greatest_distance(ck.Boxes([0, 0, 0], 1), ck.Spheres([0, 0, 0], 1))
    >>> round(found.distance, 9)
    0.732050808
    """
    search = _Search.of(shapes, target, ("shapes", "target"), union, within)
    return _last(search.greatest(search.size.length(tolerance, "tolerance")))


def distance_map(
    shapes: Operand,
    target: Operand,
    *,
    resolution: float | None = None,
    threshold: float | None = None,
    union: bool = False,
    within: Operand | None = None,
) -> DistanceMap:
    """The surfaces of shapes as triangles, with the distances of their corners from other shapes.

    Such a map shows the distance at each place of a surface. It is subdivided where needed, so that a dent in a large
    face is visible.

    Parameters
    ----------
    shapes, target, union, within
        As for `greatest_distance`.
    resolution : float, optional
        Triangles are subdivided until the interpolation error of the distance in the middle is at most this, in the
        caller's unit, and no point can be farther away than all corners of its patch by more than eight times as much,
        or 40,000 patches of the surface have been cut. None: a thousandth of the diagonal of the bounds of all shapes.
    threshold : float, optional
        Triangles are also subdivided along this distance, until at most a fiftieth of the area beyond it is undecided,
        or 60,000 more patches have been cut. None: no threshold.

    Returns
    -------
    DistanceMap
        `DistanceMap.beyond` has areas, with bounds.

    Raises
    ------
    UnsupportedPair, ValueError
        As for `greatest_distance`, and if `resolution` is not above 0, or `threshold` is negative.

    Notes
    -----
    The bounds are those of `greatest_distance`. `DistanceMap.error` is how much farther away a point may be than all
    corners of its patch. It exceeds eight times the resolution where the limit was reached.

    Examples
    --------
    >>> import numpy as np
    >>> import collision_kit.core as ck
    >>> found = ck.distance_map(ck.Boxes([0, 0, 0], [1, 1, 1.25]), ck.Boxes([0, 0, 0], 1))
    >>> bool(np.isclose(found.distance.max(), 0.25)), bool(np.isclose(found.area.sum(), 2 * 4 + 4 * 2 * 2.5))
    (True, True)
    """
    search = _Search.of(shapes, target, ("shapes", "target"), union, within)
    fine = search.size.length(resolution, "resolution")
    limit = None if threshold is None else search.size.threshold(threshold, "threshold")
    return _last(search.mapped(fine, fine, limit))


def coverage(
    colliders: Operand,
    visible: Operand,
    *,
    tolerance: float | None = None,
    max_outside: float | None = None,
    max_inside: float | None = None,
    within: Operand | None = None,
) -> Coverage:
    """Measure how far colliders protrude from the visible surface, and how far it is outside every collider.

    Parameters
    ----------
    colliders : batch of shapes or World
        The surface of their union is measured; see `greatest_distance`.
    visible : batch of shapes or World
        Usually meshes. A watertight mesh is a solid: a collider inside it does not protrude. For an open mesh, the
        distance is measured on both sides. All of its triangles are visible.
    tolerance : float, optional
        As for `greatest_distance`.
    max_outside, max_inside : float, optional
        Distances beyond which the areas of both surfaces are computed, as in `distance_map`. Not negative.
    within : batch of shapes or World, optional
        As for `greatest_distance`.

    Returns
    -------
    Coverage

    Raises
    ------
    UnsupportedPair, ValueError
        As for `greatest_distance`, and if `max_outside` or `max_inside` is negative.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> found = ck.coverage(ck.Boxes([0, 0, 0], [1, 1, 1.25]), ck.Boxes([0, 0, 0], [1, 1.5, 1]))
    >>> found.outside.distance, found.inside.distance
    (0.25, 0.5)
    """
    return _last(
        coverage_steps(
            colliders, visible, tolerance=tolerance, max_outside=max_outside, max_inside=max_inside, within=within
        )
    )


@dataclass(frozen=True, eq=False)
class CoverageMaps:
    """The maps that `coverage_steps` makes.

    Attributes
    ----------
    outside, inside : DistanceMap
        Of the surface of the colliders, and of the visible surface.
    """

    outside: DistanceMap
    inside: DistanceMap


def coverage_steps(
    colliders: Operand,
    visible: Operand,
    *,
    tolerance: float | None = None,
    max_outside: float | None = None,
    max_inside: float | None = None,
    within: Operand | None = None,
    maps: bool = False,
) -> Iterator[Coverage | CoverageMaps | None]:
    """Run `coverage` in steps: yields None, and finally the maps, if requested, and the result.

    The resolution of maps is 1/32 of the greatest distance, but at least the tolerance.
    """
    searches = (
        _Search.of(colliders, visible, ("colliders", "visible"), True, within),
        _Search.of(visible, colliders, ("visible", "colliders"), False, within),
    )
    size = searches[0].size
    exact = size.length(tolerance, "tolerance")
    limits = [
        None if one is None else size.threshold(one, name)
        for one, name in ((max_outside, "max_outside"), (max_inside, "max_inside"))
    ]
    found, areas, made = list[GreatestDistance](), list[SurfaceArea | None](), list[DistanceMap]()
    for search, limit in zip(searches, limits, strict=True):
        for one in search.greatest(exact):
            if isinstance(one, GreatestDistance):
                found.append(one)
            yield None
        beyond = limit is not None and found[-1].bound > limit
        areas.append(None if limit is None else _NO_AREA)
        if maps or beyond:
            fine = max(found[-1].distance * _SHADES, exact) if maps else None
            for step in search.mapped(exact, fine, limit if beyond else None):
                if isinstance(step, DistanceMap):
                    made.append(step)
                yield None
            if limit is not None:
                areas[-1] = made[-1].beyond(limit)
    if maps:
        yield CoverageMaps(*made)
    yield Coverage(found[0], found[1], areas[0], areas[1])


# Tolerance of `within`, as a fraction of the tolerance of the search.
_SLACK = 0.25
# Resolution of a map, as a fraction of the greatest distance.
_SHADES = 1.0 / 32.0

_NO_AREA = SurfaceArea(0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class _Size:
    """The diagonal of the bounds of all shapes, and the rounding of distances there."""

    diagonal: float
    rounding: float

    @classmethod
    def of(cls, *operands: Any) -> _Size:
        limits = [bounds(one) for one in operands]
        low = np.min([lower.min(axis=0) for lower, _ in limits], axis=0)
        high = np.max([upper.max(axis=0) for _, upper in limits], axis=0)
        diagonal = length(high - low)
        far = length(np.maximum(np.abs(low), np.abs(high)))
        return cls(float(diagonal), float(rounding(diagonal, far)))

    def length(self, given: ArrayLike | None, name: str) -> float:
        """A length above 0. Default: `COVERAGE` of the diagonal."""
        if given is None:
            return max(COVERAGE * self.diagonal, self.rounding)
        value = one_number(given, name)
        if not 0.0 < value < np.inf:
            raise ValueError(f"{name}: {value:g}, but a number greater than 0 is needed")
        return max(value, self.rounding)

    def threshold(self, given: ArrayLike, name: str) -> float:
        """A threshold for areas, at least rounding."""
        value = one_number(given, name)
        if not 0.0 <= value < np.inf:
            raise ValueError(f"{name}: {value:g}, but a number that is not negative is needed")
        return max(value, self.rounding)

    def seam(self, tolerance: float) -> float:
        """The maximum width of gaps that count as closed."""
        least, most = COVERAGE_SEAM
        return max(min(tolerance / 8.0, most * self.diagonal), least * self.diagonal, self.rounding)


@dataclass(frozen=True, eq=False)
class _Search:
    """The surfaces of some shapes, and the region of others that they are measured against."""

    given: list[tuple[Any, Ints]]
    region: Region
    size: _Size
    union: bool
    within: Shapes | None

    @classmethod
    def of(
        cls, shapes: Operand, target: Operand, names: tuple[str, str], union: bool, within: Operand | None
    ) -> _Search:
        """Validate the shapes, with these names in messages."""
        check_shapes(shapes, names[0])
        check_shapes(target, names[1])
        check_flag(union, "union")
        inside = None
        if within is not None:
            check_shapes(within, "within")
            if not len(within):
                raise ValueError("within: no shape, but one is needed")
            inside = Shapes.of(World([within]) if isinstance(within, Batch) else within)
        given, others = single_shapes(shapes, names[0]), single_shapes(target, names[1])
        return cls(given, Region(others), _Size.of(shapes, target), bool(union), inside)

    def greatest(self, tolerance: float) -> Iterator[GreatestDistance | float]:
        """Search in steps: yields the greatest remaining bound, and finally the result."""
        size = self.size
        for found in farthest(self.given, self.region, self._counted(tolerance), tolerance, size.rounding):
            if not isinstance(found, Farthest):
                yield found
                continue
            if found.distance <= size.rounding:
                found = Farthest(0.0, found.bound, np.full(3, np.nan), np.full(3, np.nan), -1)
            bound = found.bound + size.rounding if found.bound > 0.0 else 0.0
            yield GreatestDistance(found.distance, bound, found.point, found.nearest, found.shape, tolerance)

    def mapped(
        self, tolerance: float, resolution: float | None, threshold: float | None
    ) -> Iterator[DistanceMap | float]:
        """Make a map in steps, with the seam width of a search with this tolerance; see `map_steps`."""
        counted = self._counted(tolerance, once=True)
        return map_steps(self.given, self.region, counted, self.size.diagonal, resolution, threshold)

    def _counted(self, tolerance: float, *, once: bool = False) -> Counted:
        exposure = None
        if self.union:
            exposure = Exposure([batch for batch, _ in self.given], self.size.seam(tolerance), once=once)
        return Counted(exposure, self.within, _SLACK * tolerance)


def _last(steps: Iterator[Any]) -> Any:
    """The last value of some steps."""
    return deque(steps, maxlen=1).pop()
