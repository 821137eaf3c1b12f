# SPDX-License-Identifier: GPL-3.0-or-later
"""Linear and affine independence, affine hulls and barycentric coordinates, in any number of dimensions.

The definitions are those of doc4code 2011, "Linearly Independent" to "Simplex", in float64. Their "= 0" needs a
tolerance. There is one for each kind of input:

- Vectors: only directions matter. Each vector is normalized. They are taken in order of distance from the span of those
taken before, farthest first, and the distance must be more than sixteen rounding errors of float64. Scaling any of the
vectors does not change the result.
  taken before, the farthest first, and the distance must be more than sixteen roundings of float64. Scaling any of the
  vectors changes nothing.
- Points have the rounding of their coordinates. They are taken in order of distance from the affine hull of those taken
before, farthest first, and the distance must be more than the thickness below which `collision_kit.core.convex_hull`
treats a set as flat. Scaling all points does not change the result. Moving them away from the origin loses the digits
that larger coordinates cannot represent.
  before, the farthest first, and the distance must be more than the thickness below which
  `collision_kit.core.convex_hull` treats a set as flat. Scaling all points changes nothing. Moving them away from the
  origin loses the digits that larger coordinates cannot represent.

Arrays may have leading axes, written ``...``: there is one result for each set.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..hull import convex_hull
from ..hull.grid import GRID_BITS, SMALLEST_EXPONENT, rounding_in_steps
from ..hull.planar import convex_hull as planar_hull
from ..numerics.tolerances import EPS, HULL_THICKNESS, ROUNDING_STEPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import PLANE, coordinates, float_array, point_set


def linearly_independent(vectors: ArrayLike) -> Bools:
    """Whether only the trivial combination of the vectors is zero (doc4code 2011, "Linearly Independent").

    Parameters
    ----------
    vectors : (..., n, d) array-like
        Sets of n vectors. The empty set is independent; a set with the zero vector, or with more vectors than
        dimensions, is not.

    Returns
    -------
    (...) bool

    Raises
    ------
    ValueError
        If the shape is wrong or a number is not finite.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> bool(ck.linearly_independent([[1, 0, 0], [0, 1, 0]])), bool(ck.linearly_independent([[1, 0, 0], [2, 0, 0]]))
    (True, False)
    """
    given = _floats(vectors, "vectors", 2)
    largest = np.abs(given).max(axis=-1, keepdims=True, initial=0.0)
    scaled = np.ldexp(given, -np.frexp(largest)[1])
    length = np.linalg.norm(scaled, axis=-1, keepdims=True)
    unit = scaled / np.where(length > 0.0, length, 1.0)
    heights = _pivots(unit, given.shape[-2])[2]
    few = given.shape[-2] <= given.shape[-1]
    independent: Bools = np.all(heights > ROUNDING_STEPS * EPS, axis=-1) & np.array(few)
    return independent


def affine_dimension(points: ArrayLike) -> Ints:
    """Dimension of the affine hull of each point set: 0 for a point, 1 for a line, 2 for a plane.

    Parameters
    ----------
    points : (..., n, d) array-like
        At least one point each. For points given in float32 or float16, the rounding of that type is assumed.

    Returns
    -------
    (...) int64

    Raises
    ------
    ValueError
        If the shape is wrong, a set is empty or a number is not finite.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> int(ck.affine_dimension([[0, 0, 0], [1, 0, 0], [2, 0, 0]]))
    1
    """
    return _frames(_array(points, "points", 2)).dimension


def affinely_independent(points: ArrayLike) -> Bools:
    """Whether the differences from the first point are linearly independent (doc4code 2011, "Affinely Independent").

    The result does not depend on which point is the first.

    Parameters
    ----------
    points : (..., n, d) array-like
        At least one point each; a single point is affinely independent.

    Returns
    -------
    (...) bool

    Raises
    ------
    ValueError
        As `affine_dimension`.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> bool(ck.affinely_independent([[0, 0, 0], [1, 0, 0], [0, 1, 0]]))
    True
    """
    given = _array(points, "points", 2)
    independent: Bools = _frames(given).dimension == given.shape[-2] - 1
    return independent


def is_affine_combination(weights: ArrayLike) -> Bools:
    """Whether weights sum to one, up to rounding (doc4code 2011, "Affine Combination").

    Parameters
    ----------
    weights : (..., n) array-like

    Returns
    -------
    (...) bool

    Raises
    ------
    ValueError
        If `weights` is not an array of numbers, or one of them is not finite.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> bool(ck.is_affine_combination([0.5, 1.5, -1]))
    True
    """
    one = 2.0**-64  # scaled by this unit, no sum of the weights overflows
    given = _floats(weights, "weights", 1) * one
    slack = ROUNDING_STEPS * EPS * np.maximum(one, np.abs(given).sum(axis=-1))
    sums_to_one: Bools = np.abs(given.sum(axis=-1) - one) <= slack
    return sums_to_one


def is_convex_combination(weights: ArrayLike) -> Bools:
    """Whether weights sum to one, up to rounding, and none is negative (doc4code 2011, "Convex Hull").

    Parameters
    ----------
    weights : (..., n) array-like

    Returns
    -------
    (...) bool

    Raises
    ------
    ValueError
        If `weights` is not an array of numbers, or one of them is not finite.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> bool(ck.is_convex_combination([0.5, 1.5, -1]))
    False
    """
    given = _floats(weights, "weights", 1)
    convex: Bools = is_affine_combination(given) & (given >= 0.0).all(axis=-1)
    return convex


def affine_combination(points: ArrayLike, weights: ArrayLike) -> Floats:
    """The point ``sum(weights[i] * points[i])`` (doc4code 2011, "Affine Combination").

    Parameters
    ----------
    points : (..., n, d) array-like
    weights : (..., n) array-like
        Leading axes broadcast with those of `points`.

    Returns
    -------
    (..., d) float64
        Independent of the origin, except for rounding relative to the extent of the points.

    Raises
    ------
    ValueError
        If there is not one weight for each point, or the weights of a row do not sum to one; the error names the row.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> ck.affine_combination([[0, 0, 0], [2, 0, 0]], [0.25, 0.75])
    array([1.5, 0. , 0. ])
    """
    place, weight = _floats(points, "points", 2), _floats(weights, "weights", 1)
    if place.shape[-2] != weight.shape[-1]:
        raise ValueError(f"weights: {weight.shape[-1]} for {place.shape[-2]} points")
    bad = ~is_affine_combination(weight)
    if bad.any():
        row = int(np.argmax(bad))
        with np.errstate(over="ignore"):
            total = weight.sum(axis=-1).reshape(-1)[row]
        raise ValueError(f"weights: row {row} sums to {total:.17g}, not to 1")
    first = place[..., 0, :]
    combined: Floats = first + np.einsum("...n,...nd->...d", weight, place - first[..., None, :])
    return combined


@dataclass(frozen=True, eq=False)
class AffineHull:
    """The affine hull of a point set: a point, a line, a plane or the whole space; made by `affine_hull`.

    Attributes
    ----------
    point : (d,) float64
        One of the points.
    basis : (k, d) float64
        Orthonormal rows; no rows for a single point.
    spanning : (k + 1,) int64
        Rows of affinely independent points with the same affine hull; `point` is the first.
    spread : float
        The distance of the last of these points from the affine hull of the others. The greater it is, the better the
        hull is determined. Infinite for a single point.
    tolerance : float
        How far the points themselves may be from the hull, in their unit.
    """

    point: Floats
    basis: Floats
    spanning: Ints
    spread: float
    tolerance: float

    @property
    def dimension(self) -> int:
        """0 for a point, 1 for a line, 2 for a plane."""
        return len(self.basis)

    def project(self, points: ArrayLike) -> Floats:
        """The nearest points of the affine hull: (N, d) -> (N, d)."""
        offset = self._offsets(points)
        return self.point + (offset @ self.basis.T) @ self.basis

    def distance(self, points: ArrayLike) -> Floats:
        """Distances of points from the affine hull: (N, d) -> (N,), not negative."""
        offset = self._offsets(points)
        offset = offset - (offset @ self.basis.T) @ self.basis
        distances: Floats = np.linalg.norm(offset, axis=1)
        return distances

    def contains(self, points: ArrayLike) -> Bools:
        """Whether points lie in the affine hull, within the tolerance of its points: (N, d) -> (N,).

        The tolerance grows with the distance from `point`, in proportion to that distance divided by `spread`.
        """
        along = np.linalg.norm(self._offsets(points), axis=1)
        inside: Bools = self.distance(points) <= self.tolerance + self.tolerance / self.spread * along
        return inside

    def _offsets(self, points: ArrayLike) -> Floats:
        return coordinates(points, "points", (-1, len(self.point)), PLANE) - self.point


def affine_hull(points: ArrayLike) -> AffineHull:
    """All affine combinations of a point set, as a point and a basis (doc4code 2011, "Affine Hull").

    Parameters
    ----------
    points : (n, d) array-like
        At least one point.

    Returns
    -------
    AffineHull

    Raises
    ------
    ValueError
        As `affine_dimension`.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> ck.affine_hull([[0, 0, 1], [1, 0, 1]]).dimension
    1
    """
    given = _array(points, "points", 2)
    if given.ndim != 2:
        raise ValueError(f"points: shape {given.shape}, but (N, d) is needed")
    frames = _frames(given)
    count = int(frames.dimension)
    spread = float(frames.heights[count - 1]) if count else np.inf
    basis, spanning = frames.axes[:count], frames.index[: count + 1]
    point = given[spanning[0]].astype(np.float64)
    for array in (point, basis, spanning):
        array.flags.writeable = False
    return AffineHull(point, basis, spanning, spread, float(frames.tolerance))


def is_simplex(points: ArrayLike) -> bool:
    """Whether the convex hull of the points is a simplex (doc4code 2011, "Simplex").

    It is one if its vertices are affinely independent: a point, a segment, a triangle or a tetrahedron. Points that are
    not vertices are allowed.

    Parameters
    ----------
    points : (n, 2) or (n, 3) array-like
        At least one point.

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        As `collision_kit.core.convex_hull`.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> ck.is_simplex([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    True
    """
    given = point_set(points, "points", (2, 3))
    hull = planar_hull(given) if given.shape[1] == 2 else convex_hull(given)
    return len(hull.vertices) == hull.dimension + 1


def barycentric_coordinates(simplices: ArrayLike, points: ArrayLike) -> Floats:
    """Weights with which the corners of a simplex combine to a given point.

    Parameters
    ----------
    simplices : (N, k + 1, d) array-like
        Corners, affinely independent; k from 0 to d.
    points : (N, d) array-like
        A batch of one is combined with every row of the other argument. If k is less than d, the weights are those of
        the nearest point in the simplex's affine hull.

    Returns
    -------
    (N, k + 1) float64
        Rows sum to one. Inside the simplex all weights are positive; outside, some are negative.

    Raises
    ------
    ValueError
        If a simplex is degenerate (the error names the row), or the shapes do not fit.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> ck.barycentric_coordinates([[[0, 0, 0], [2, 0, 0]]], [[0.5, 0, 0]])
    array([[0.75, 0.25]])
    """
    corners, places = _array(simplices, "simplices", 3), _floats(points, "points", 2)
    if corners.ndim != 3 or places.ndim != 2 or corners.shape[2] != places.shape[1]:
        raise ValueError(f"points: shape {places.shape} does not go with simplices of shape {corners.shape}")
    if len(corners) != len(places) and 1 not in (len(corners), len(places)):
        raise ValueError(f"points: {len(places)} rows, but simplices has {len(corners)}")
    degenerate = ~affinely_independent(corners)
    if degenerate.any():
        raise ValueError(f"simplices: row {int(np.argmax(degenerate))} is degenerate")
    start = corners[:, 0].astype(np.float64)
    sides = (corners[:, 1:].astype(np.float64) - start[:, None]).transpose(0, 2, 1)
    offsets = places - start
    weights = np.empty((len(offsets), corners.shape[1]))
    if sides.shape[2]:
        # Each side is scaled by its own size, so that neither slivers nor very small simplices lose digits.
        size = np.ldexp(1.0, np.frexp(np.abs(sides).max(axis=1))[1])
        orthogonal, triangular = np.linalg.qr(sides / size[:, None, :])
        along = np.matmul(offsets[:, None, :], orthogonal).transpose(0, 2, 1)
        weights[:, 1:] = np.linalg.solve(triangular, along)[..., 0] / size
    weights[:, 0] = 1.0 - weights[:, 1:].sum(axis=1)
    return weights


@dataclass(frozen=True, eq=False)
class _Frames:
    """The points that span each set, the farthest first; the leading axes are those of the points."""

    dimension: Ints
    index: Ints  # (..., d + 1): spanning points; the first dimension + 1 are valid
    axes: Floats  # (..., d, d): orthonormal directions; the first `dimension` are valid
    heights: Floats  # (..., d): distance of each from the span of those before, in the points' unit
    tolerance: Floats  # (...): a height up to this is rounding


def _frames(points: NDArray[Any]) -> _Frames:
    count, width = points.shape[-2:]
    if not count:
        raise ValueError("points: empty, but an affine hull needs a point")
    largest = np.abs(points).max(axis=(-2, -1), initial=0.0).astype(np.float64)
    # As `hull.grid.grid_exponent`, for each set.
    exponent = np.maximum(np.frexp(largest)[1], SMALLEST_EXPONENT)
    scaled = np.ldexp(points.astype(np.float64), -exponent[..., None, None])
    start = np.argmax(np.linalg.norm(scaled - scaled[..., :1, :], axis=-1), axis=-1)
    first = np.take_along_axis(scaled, start[..., None, None], axis=-2)[..., 0, :]
    index, axes, heights = _pivots(scaled - first[..., None, :], width)
    tolerance = HULL_THICKNESS * rounding_in_steps(points.dtype) * 2.0**-GRID_BITS
    dimension = np.cumprod(heights > tolerance, axis=-1).sum(axis=-1)
    return _Frames(
        dimension,
        np.concatenate((start[..., None], index), axis=-1),
        axes,
        np.ldexp(heights, exponent[..., None]),
        np.ldexp(tolerance, exponent),
    )


def _pivots(vectors: Floats, most: int) -> tuple[Ints, Floats, Floats]:
    """Choose vectors one by one, each the farthest from the span of those before. Of equal ones, the lowest index.

    Returns their indices (..., m), the orthonormal direction that each adds (..., m, d) and its distance from the span
    (..., m). m is the lesser of `most` and d.
    """
    leading, (count, width) = vectors.shape[:-2], vectors.shape[-2:]
    steps = min(most, width) if count else 0
    index = np.empty((*leading, steps), np.int64)
    axes, heights = np.zeros((*leading, steps, width)), np.empty((*leading, steps))
    residual = vectors
    for step in range(steps):
        length = np.linalg.norm(residual, axis=-1)
        index[..., step] = np.argmax(length, axis=-1)
        at = index[..., step][..., None]
        heights[..., step] = np.take_along_axis(length, at, axis=-1)[..., 0]
        axis = np.take_along_axis(residual, at[..., None], axis=-2)[..., 0, :]
        size = np.linalg.norm(axis, axis=-1, keepdims=True)
        axis = axis / np.where(size > 0.0, size, 1.0)
        # The residual of a vector that nearly lies in the span is mostly rounding, and must be made orthogonal again.
        axis = axis - np.einsum("...k,...kd->...d", np.einsum("...kd,...d->...k", axes, axis), axes)
        size = np.linalg.norm(axis, axis=-1, keepdims=True)
        axes[..., step, :] = axis / np.where(size > 0.0, size, 1.0)
        along = np.einsum("...nd,...d->...n", residual, axes[..., step, :])
        residual = residual - along[..., None] * axes[..., step, None, :]
    return index, axes, heights


def _floats(value: ArrayLike, name: str, least: int) -> Floats:
    """An array of float64 with at least `least` axes."""
    return _array(value, name, least).astype(np.float64)


def _array(value: ArrayLike, name: str, least: int) -> NDArray[Any]:
    """An array with at least `least` axes, in its own type if that is a float type."""
    result = float_array(value, name)
    if result.ndim < least:
        raise ValueError(f"{name}: shape {result.shape}, but at least {least} axes are needed")
    return result
