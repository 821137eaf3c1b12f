# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distances and nearest boundary points for points and shapes of the plane.

A point is a circle without a radius: the shortest translation that moves a point out of a shape ends at the nearest
point of its boundary, also in a region with holes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.rows import with_positive_zeros
from ..numerics.types import Bools, Floats, Ints
from ..query.operands import rows_of_pairs
from ..rays.points import Measured, checked_points, closest
from ..results import ClosestPoints
from . import queries
from .dispatch import Operand
from .shapes.convex import Circles


def signed_distance(shapes: Operand, points: ArrayLike, pairs: ArrayLike | None = None) -> Floats:
    """The distance of points from the boundary of shapes of the plane; negative inside.

    Parameters
    ----------
    shapes : batch of shapes of the plane or World
        Without `pairs`, shapes and points are paired row by row, and a single shape or a single point with every row of
        the other.
    points : (Q, 2) array-like
    pairs : (P, 2) array-like of int, optional
        The rows of `shapes`, and those of `points`; "all": each shape with each point.

    Returns
    -------
    (Q,) float64
        The distance from the nearest point of the boundary. A hole of a region is outside.

    Raises
    ------
    UnsupportedPair
        For shapes in space.
    ValueError
        If `shapes` is not a batch of shapes, points have the wrong shape or are not finite, or numbers of rows do not
        match; names the argument and the row.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> planar.signed_distance(planar.Circles([0, 0], 1), [[3, 0], [0.5, 0]])
    array([ 2. , -0.5])
    """
    return _measured(shapes, points, pairs, features=False).distance


def contains_points(shapes: Operand, points: ArrayLike, pairs: ArrayLike | None = None) -> Bools:
    """Whether points are in shapes of the plane. The boundary counts, within rounding at the coordinates.

    Parameters
    ----------
    shapes, points, pairs
        As for `signed_distance`.

    Returns
    -------
    (Q,) bool

    Raises
    ------
    UnsupportedPair, ValueError
        As for `signed_distance`.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> planar.contains_points(planar.AABBs([0, 0], [2, 2]), [[1, 1], [2, 2], [3, 1]])
    array([ True,  True, False])
    """
    found = _measured(shapes, points, pairs, features=False)
    return np.asarray(found.distance <= found.rounding)


def closest_points(shapes: Operand, points: ArrayLike, pairs: ArrayLike | None = None) -> ClosestPoints:
    """The points of the boundary of shapes of the plane that are nearest to given points.

    Parameters
    ----------
    shapes, points, pairs
        As for `signed_distance`.

    Returns
    -------
    ClosestPoints
        A row for each pair: the signed distance, the nearest point (Q, 2), the normal, which is the gradient of the
        distance, and the feature. If several points are equally near, it is one of them.

    Raises
    ------
    UnsupportedPair, ValueError
        As for `signed_distance`.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> planar.closest_points(planar.AABBs([0, 0], [2, 2]), [[3, 1], [1, 1.75]]).point
    array([[2., 1.],
           [1., 2.]])
    """
    return with_positive_zeros(closest(_measured(shapes, points, pairs, features=True)))


def _measured(shapes: Operand, points: ArrayLike, pairs: ArrayLike | None, features: bool) -> Measured:
    queries.check_kind(shapes, "shapes")
    given = checked_points(points, 2)
    return measure(shapes, rows_of_pairs(shapes, given, pairs, ("shapes", "points")), given, features)


def measure(shapes: Operand, rows: Ints, points: Floats, features: bool) -> Measured:
    """Measure points against shapes; the rows (P, 2) of both are given. Without `features`, they are (-1, -1)."""
    given = points[rows[:, 1]]
    dots = Circles(points, np.zeros(len(points)))
    found = queries.distance(shapes, dots, rows)
    feature = queries.separating_axis(shapes, dots, rows).feature_a if features else np.full((len(rows), 2), -1)
    # Where a region and a point overlap, the witnesses of their distance lie beside it.
    nearest = given - found.distance[:, None] * found.normal
    return Measured(found.distance, nearest, found.normal, feature, np.zeros(len(rows), np.int64), found.rounding)
