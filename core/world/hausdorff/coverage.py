# SPDX-License-Identifier: GPL-3.0-or-later
"""How far colliders are from what is seen: one-sided Hausdorff distances with certified bounds."""

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
from ...shapes import bounds, check_shapes
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
        No point is farther than this. At most ``distance + tolerance``, apart from rounding.
    point, nearest : (3,) float64
        The point of the surface, and the point of the other shapes that is nearest to it; NaN where the distance is 0.
    shape : int
        The row of the shape whose surface it is on; -1 where the distance is 0.
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
    """How far colliders are from what is seen.

    Attributes
    ----------
    outside : GreatestDistance
        How far the colliders stick out of what is seen: an invisible wall. `point` is on a collider.
    inside : GreatestDistance
        How far what is seen is outside of every collider: something sinks in that far. `point` is on what is seen.
    """

    outside: GreatestDistance
    inside: GreatestDistance


def greatest_distance(
    shapes: Operand, target: Operand, *, tolerance: float | None = None, union: bool = False
) -> GreatestDistance:
    """The greatest distance of a point of the surfaces of shapes from other shapes.

    This is a one-sided Hausdorff distance, found by branch and bound. Nothing is sampled: `bound` holds for all points.

    Parameters
    ----------
    shapes, target : batch of shapes or World
        The distance is from all shapes of `target` together. It is 0 inside a solid. Meshes whose rows are no solids,
        and triangles, are surfaces: the distance from them is the same on both sides.
    tolerance : float, optional
        The search ends when `bound` exceeds `distance` by no more than this, in the caller's unit; more than 0. None: a
        thousandth of the diagonal of the bounds of all shapes.
    union : bool
        If true, what is inside another of `shapes` does not count, nor inside another closed part of the same mesh.
        Where two of them share a face, or are apart by less than a seam, there is no surface between them. A seam is an
        eighth of the tolerance wide, but at most a ten-thousandth, and at least a millionth, of the diagonal.

    Returns
    -------
    GreatestDistance

    Raises
    ------
    UnsupportedPair
        If a shape is unbounded, or in the plane.
    ValueError
        If `shapes` or `target` has no shape, or one with a margin, or `tolerance` is not more than 0; names the
        argument.

    Notes
    -----
    The distance from a set of points differs by at most the distance of two points (Lipschitz). On a patch, it is
    therefore at most that of its middle plus the radius of a ball about it that contains the patch. The distance from a
    convex set is a convex function, so that it is greatest at a corner of a flat patch; a round patch is near the hull
    of its corners. With `union`, parts of the surface that are narrower than a sixteenth of the tolerance, and hidden
    on both sides, may be missed. An interval of Hausdorff distances by such bounds: Tang, Lee and Kim, "Interactive
    Hausdorff Distance Computation for General Polygonal Models", 2009.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> found = ck.greatest_distance(ck.Boxes([0, 0, 0], 1), ck.Spheres([0, 0, 0], 1))
    >>> round(found.distance, 9)
    0.732050808
    """
    check_shapes(shapes, "shapes")
    check_shapes(target, "target")
    check_flag(union, "union")
    given, others = single_shapes(shapes, "shapes"), single_shapes(target, "target")
    size = _Size.of(shapes, target)
    return _last(_search(given, Region(others), size.tolerance(tolerance), size, bool(union)))


def coverage(colliders: Operand, visible: Operand, *, tolerance: float | None = None) -> Coverage:
    """How far colliders stick out of what is seen, and how far what is seen is outside of every collider.

    Parameters
    ----------
    colliders : batch of shapes or World
        The surface of their union counts; see `greatest_distance`.
    visible : batch of shapes or World
        Usually meshes. A watertight mesh is a solid: a collider that stays inside does not stick out. From an open
        mesh, the distance counts on both sides. All of its triangles are seen.
    tolerance : float, optional
        As for `greatest_distance`.

    Returns
    -------
    Coverage

    Raises
    ------
    UnsupportedPair, ValueError
        As for `greatest_distance`.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> found = ck.coverage(ck.Boxes([0, 0, 0], [1, 1, 1.25]), ck.Boxes([0, 0, 0], [1, 1.5, 1]))
    >>> found.outside.distance, found.inside.distance
    (0.25, 0.5)
    """
    return _last(coverage_steps(colliders, visible, tolerance=tolerance))


def coverage_steps(
    colliders: Operand, visible: Operand, *, tolerance: float | None = None
) -> Iterator[Coverage | float]:
    """`coverage` in steps: yields the greatest bound that is left, and at last the result."""
    check_shapes(colliders, "colliders")
    check_shapes(visible, "visible")
    hit, seen = single_shapes(colliders, "colliders"), single_shapes(visible, "visible")
    size = _Size.of(colliders, visible)
    within, found = size.tolerance(tolerance), list[GreatestDistance]()
    for given, others, union in ((hit, seen, True), (seen, hit, False)):
        for one in _search(given, Region(others), within, size, union):
            if isinstance(one, GreatestDistance):
                found.append(one)
            else:
                yield one
    yield Coverage(*found)


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

    def tolerance(self, given: ArrayLike | None) -> float:
        """The tolerance of a search, at least rounding."""
        if given is None:
            return max(COVERAGE * self.diagonal, self.rounding)
        value = one_number(given, "tolerance")
        if not 0.0 < value < np.inf:
            raise ValueError(f"tolerance: {value:g}, but a number greater than 0 is needed")
        return max(value, self.rounding)

    def seam(self, tolerance: float) -> float:
        """The width of gaps that count as closed."""
        least, most = COVERAGE_SEAM
        return max(min(tolerance / 8.0, most * self.diagonal), least * self.diagonal, self.rounding)


def _search(
    given: list[tuple[Any, Ints]], region: Region, tolerance: float, size: _Size, union: bool
) -> Iterator[GreatestDistance | float]:
    exposure = Exposure([batch for batch, _ in given], size.seam(tolerance)) if union else None
    for found in farthest(given, region, exposure, tolerance):
        if not isinstance(found, Farthest):
            yield found
            continue
        if found.distance <= size.rounding:
            found = Farthest(0.0, found.bound, np.full(3, np.nan), np.full(3, np.nan), -1)
        bound = found.bound + size.rounding if found.bound > 0.0 else 0.0
        yield GreatestDistance(found.distance, bound, found.point, found.nearest, found.shape, tolerance)


def _last(steps: Iterator[Any]) -> Any:
    """The last of what steps yield."""
    return deque(steps, maxlen=1).pop()
