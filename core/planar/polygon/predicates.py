# SPDX-License-Identifier: GPL-3.0-or-later
"""Predicates of the plane that are exact for any float64 coordinates.

Floats are fractions whose denominator is a power of two, so coordinates scaled by the right power are integers, and
Python's integers do not round. Only where a rounded determinant leaves a doubt are they asked (the filter of Shewchuk,
"Adaptive precision floating-point arithmetic and fast robust geometric predicates", 1997).

On these rests whether a polygon is convex.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ...hull.planar import convex_hull
from ...numerics.tolerances import ORIENTATION_ERROR, ORIENTATION_UNDERFLOW
from ...numerics.types import Floats, Ints
from ...numerics.validation import point_set

Lattice = list[tuple[int, int]]
"""Points with integer coordinates, all scaled by the same power of two."""


def integers(points: Floats) -> Lattice:
    """The points (n, 2) scaled, without any rounding, to the smallest integers that a power of two makes of them."""
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
    """Twice the signed area of a triangle of lattice points: above zero where a, b, c turn to the left."""
    ax, ay = points[a]
    bx, by = points[b]
    cx, cy = points[c]
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)


def orientation(a: Floats, b: Floats, c: Floats) -> Ints:
    """Sign of the turn a, b, c, exactly: 1 left, 0 on one line, -1 right; (m, 2) each -> (m,)."""
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


def in_circle(points: Lattice, corners: Sequence[int], d: int) -> bool:
    """Whether lattice point d lies strictly inside the circle through three others that turn left."""
    dx, dy = points[d]
    (ax, ay), (bx, by), (cx, cy) = ((points[k][0] - dx, points[k][1] - dy) for k in corners)
    a, b, c = ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy
    return a * (bx * cy - by * cx) + b * (cx * ay - cy * ax) + c * (ax * by - ay * bx) > 0


# Multiples of the hull's tolerance: a corner is off by that, and so is the side of the hull it is held
# against.
_ROUNDING = 4.0


def is_convex(outline: ArrayLike) -> bool:
    """Whether a closed polygon goes once around a convex set (doc4code 2011, "Convex").

    Parameters
    ----------
    outline : (k, 2) array-like
        Corners in order, either way around; the last is joined to the first. Collinear corners and repeated
        ones are welcome.

    Returns
    -------
    bool
        Dents no deeper than the rounding of the coordinates are not seen; corners given as float32 are taken
        to carry that type's. A polygon whose corners lie on one line is convex if it goes there and back
        once.

    Raises
    ------
    ValueError
        If there is no corner, the shape is wrong, or a coordinate is not finite; names the row.

    Notes
    -----
    All corners are on the boundary of their hull, and going around them is no longer than going around the
    hull: a closed curve is at least as long as the outline of its hull, and only a convex one is no longer.

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
    with np.errstate(over="ignore"):  # as the hull's own may be
        length = float(np.hypot(side[:, 0], side[:, 1]).sum())
    return bool(on_boundary.all()) and length <= hull.perimeter + 2.0 * slack * len(side)
