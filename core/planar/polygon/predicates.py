# SPDX-License-Identifier: GPL-3.0-or-later
"""Predicates of the plane that are exact for any float64 coordinates, and the convexity test of polygons.

Floats are fractions whose denominator is a power of two. Multiplied by a suitable power of two, coordinates become
integers, and Python's integers are exact. They are used only where a rounded determinant is not certain (the filter of
Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates", 1997).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ...hull.planar import convex_hull
from ...numerics.tolerances import ORIENTATION_ERROR, ORIENTATION_UNDERFLOW
from ...numerics.types import Floats, Ints
from ...numerics.validation import point_set

Lattice = list[tuple[int, int]]
"""Points with integer coordinates, all scaled by the same power of two."""


def integers(points: Floats) -> Lattice:
    """The points (n, 2) multiplied by the power of two that makes them the smallest integers, without rounding."""
    mantissa, exponent = np.frexp(points)
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    shift = exponent.astype(np.int64)
    used = whole != 0
    shift = np.where(used, shift - (int(shift[used].min()) if used.any() else 0), 0)
    scaled = [x << s for x, s in zip(whole.reshape(-1).tolist(), shift.reshape(-1).tolist(), strict=True)]
    bits = 0
    for number in scaled:
        bits |= number
    spare = (bits & -bits).bit_length() - 1 if bits else 0
    return [(x >> spare, y >> spare) for x, y in zip(scaled[::2], scaled[1::2], strict=True)]


def turn(points: Lattice, a: int, b: int, c: int) -> int:
    """Twice the signed area of a triangle of lattice points: positive if a, b, c turn to the left."""
    ax, ay = points[a]
    bx, by = points[b]
    cx, cy = points[c]
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)


def signed_turn(x: list[float], y: list[float], lattice: Lattice, a: int, b: int, c: int) -> float:
    """A number with the exact sign of the turn a, b, c: positive to the left.

    Parameters
    ----------
    x, y : list of float
        The coordinates of the points, of about unit size, so that products neither overflow nor lose digits.
    lattice : list of (int, int)
        The same points with integer coordinates.
    a, b, c : int
    """
    ax, ay = x[a], y[a]
    one, other = (x[b] - ax) * (y[c] - ay), (y[b] - ay) * (x[c] - ax)
    found = one - other
    if abs(found) <= ORIENTATION_ERROR * (abs(one) + abs(other)) + ORIENTATION_UNDERFLOW:
        exact = turn(lattice, a, b, c)
        return (exact > 0) - (exact < 0)
    return found


def of_unit_size(points: Floats) -> Floats:
    """Points, scaled by the power of two that makes their largest coordinate about one; exact except for underflow."""
    scaled: Floats = np.ldexp(points, -int(np.frexp(np.abs(points).max(initial=0.0))[1]))
    return scaled


def orientation(a: Floats, b: Floats, c: Floats) -> Ints:
    """Exact sign of the turn a, b, c: 1 left, 0 collinear, -1 right; (m, 2) each -> (m,)."""
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        first = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1])
        second = (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
        determinant = first - second
        certain = np.abs(determinant) > ORIENTATION_ERROR * (np.abs(first) + np.abs(second)) + ORIENTATION_UNDERFLOW
        certain &= np.isfinite(determinant)
    result: Ints = np.where(certain, np.sign(np.where(certain, determinant, 0.0)), 0).astype(np.int64)
    doubtful = np.flatnonzero(~certain)
    if len(doubtful):
        lattice = integers(np.concatenate([a[doubtful], b[doubtful], c[doubtful]]))
        count = len(doubtful)
        turns = [turn(lattice, row, row + count, row + 2 * count) for row in range(count)]
        result[doubtful] = [(t > 0) - (t < 0) for t in turns]
    return result


# In multiples of the hull's tolerance: a corner has that error, and so has the side of the hull that it is compared
# with.
_ROUNDING = 4.0


def is_convex(outline: ArrayLike) -> bool:
    """Whether a closed polygon goes once around a convex set (doc4code 2011, "Convex").

    Parameters
    ----------
    outline : (k, 2) array-like
        Corners in order, in either direction; the last is joined to the first. Collinear and repeated corners are
        allowed.

    Returns
    -------
    bool
        Dents no deeper than the rounding of the coordinates are ignored; for corners given as float32, the rounding of
        that type. A polygon with collinear corners is convex if it goes out and back once.

    Raises
    ------
    ValueError
        If there is no corner, the shape is wrong, or a coordinate is not finite; the message names the row.

    Notes
    -----
    The test: all corners are on the boundary of their hull, and the polygon is no longer than the hull's perimeter. A
    closed curve is at least as long as the perimeter of its hull, and exactly as long only if it is convex.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> planar.is_convex([[0, 0], [2, 0], [2, 2], [0, 2]])
    True
    """
    hull = convex_hull(point_set(outline, "outline", (2,)))
    if hull.dimension == 0:
        return True
    slack = _ROUNDING * hull.tolerance
    others = np.delete(hull.points, hull.vertices, axis=0)
    on_boundary = (others @ hull.normals.T - hull.offsets).max(axis=1, initial=-np.inf) >= -slack
    side = np.roll(hull.points, -1, axis=0) - hull.points
    with np.errstate(over="ignore"):  # the perimeter of the hull may overflow as well
        length = float(np.hypot(side[:, 0], side[:, 1]).sum())
    return bool(on_boundary.all()) and length <= hull.perimeter + 2.0 * slack * len(side)
