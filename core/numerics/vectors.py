# SPDX-License-Identifier: GPL-3.0-or-later
"""Vector algebra on rows (..., 3) and on columns (3, P), and error-free sums and products of its terms.

Iterative algorithms process thousands of pairs at once, with one array for each coordinate: vectors are columns. With
contiguous coordinates, sums of products are several times as fast as on rows of three.

The cross product of two nearly parallel edges suffers cancellation; in plain float64 its direction may be lost. In
`cross_dd` each product and each difference carries its own rounding error (Dekker, "A floating-point technique for
extending the available precision", 1971), so the result is accurate whenever the sine of the angle is above eps.
"""

import numpy as np
from numpy.typing import ArrayLike

from .tolerances import EPS, ROUNDING_STEPS
from .types import Floats

# Squares within these limits keep full precision: digits that a smaller term loses are below the rounding of the sum.
_LEAST_SQUARE, _GREATEST_SQUARE = 1e-280, 1e300


def dot(a: Floats, b: Floats) -> Floats:
    """Inner product of the last axes, broadcasting: (..., 3), (..., 3) -> (...)."""
    result: Floats = np.einsum("...i,...i->...", a, b)
    return result


def cross(a: ArrayLike, b: ArrayLike) -> Floats:
    """Cross product of the last axes, broadcasting: (..., 3), (..., 3) -> (..., 3).

    The numbers are those of `numpy.cross`, which takes four times as long for few rows.
    """
    ax, ay, az, bx, by, bz = (vector[..., axis] for vector in map(np.asarray, (a, b)) for axis in range(3))
    x = ay * bz - az * by
    result: Floats = np.empty((*x.shape, 3), dtype=x.dtype)
    result[..., 0], result[..., 1], result[..., 2] = x, az * bx - ax * bz, ax * by - ay * bx
    return result


def length(a: Floats) -> Floats:
    """Euclidean length of the last axis, safe from overflow and underflow: (..., 3) -> (...)."""
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    with np.errstate(over="ignore"):
        square = np.asarray(x * x + y * y + z * z)
    result = np.sqrt(square)
    if not (square.min(initial=1.0) >= _LEAST_SQUARE and square.max(initial=1.0) <= _GREATEST_SQUARE):
        # `hypot` is safe, but takes five times as long.
        unsafe = ~((square >= _LEAST_SQUARE) & (square <= _GREATEST_SQUARE))
        result = np.where(unsafe, 0.0, result)
        result[unsafe] = np.hypot(np.hypot(x[unsafe], y[unsafe]), z[unsafe])
    return result[()]


def normalized(a: Floats, fallback: Floats) -> Floats:
    """Unit vectors along `a`. Where `a` is zero or not a number: `fallback`, broadcast to the shape of `a`."""
    size = length(a)[..., None]
    real = size > 0.0
    # Two selections would take four times as long as the division.
    return a / size if real.all() else np.where(real, a / np.where(real, size, 1.0), fallback)


def perpendicular(a: Floats) -> Floats:
    """A unit vector perpendicular to each of the unit vectors `a`: (N, 3) -> (N, 3).

    The result is the coordinate axis that is least aligned with `a`, with its component along `a` removed. It is
    therefore never zero. Where `a` is zero, the result is a coordinate axis.
    """
    helper = np.zeros_like(a)
    helper[np.arange(len(a)), np.argmin(np.abs(a), axis=1)] = 1.0
    return normalized(helper - a * dot(a, helper)[:, None], helper)


def perpendicular_part(a: Floats, along: Floats) -> Floats:
    """Unit vectors of the components of `a` that are perpendicular to `along`, accurate to the last digit, or zero.

    (..., 3), broadcasting. Where `along` is zero, unit vectors along `a`.
    """
    unit = normalized(along, np.zeros(3))
    for _ in range(2):
        # The second pass removes the rounding that the first one left along a long vector.
        a = normalized(a - dot(a, unit)[..., None] * unit, np.zeros(3))
    return a


def circles(first: Floats, second: Floats, count: int) -> Floats:
    """Points ``cos t * first + sin t * second`` at `count` equal steps of t: (N, 3), (N, 3) -> (N, count, 3)."""
    angle = np.arange(count) * (2.0 * np.pi / count)
    result: Floats = np.cos(angle)[:, None] * first[:, None] + np.sin(angle)[:, None] * second[:, None]
    return result


def disc_support(axis: Floats, radius: Floats, direction: Floats) -> Floats:
    """The support points of discs about the origin, (N, 3). Zero if the whole disc is equally far within rounding.

    The unit axes are perpendicular to the discs. Directions have any length.
    """
    # Twice: one pass leaves a residue along the axis if the direction is nearly parallel to it.
    aside = direction - dot(direction, axis)[:, None] * axis
    aside -= dot(aside, axis)[:, None] * axis
    size = length(aside)
    level = size <= ROUNDING_STEPS * EPS * length(direction)
    aside *= (np.where(level, 0.0, radius / np.where(level, 1.0, size)) if level.any() else radius / size)[:, None]
    return aside


def rotated(rotation: Floats, a: Floats) -> Floats:
    """Apply each matrix to its vectors: (N, 3, 3), (N, K, 3) -> (N, K, 3)."""
    return a @ rotation.transpose(0, 2, 1)


def moved(points: Floats, rotation: Floats, translation: Floats) -> Floats:
    """Rotate each point by its matrix about the origin, then translate it: (N, 3), (N, 3, 3), (N, 3) -> (N, 3)."""
    result: Floats = np.matmul(rotation, points[:, :, None])[:, :, 0] + translation
    return result


def dot_columns(a: Floats, b: Floats) -> Floats:
    """Inner products: (3, P), (3, P) -> (P,)."""
    result: Floats = a[0] * b[0]
    result += a[1] * b[1]
    result += a[2] * b[2]
    return result


def unit_columns(vectors: Floats) -> Floats:
    """Normalize vectors (3, P). Zero vectors stay zero."""
    size = np.sqrt(dot_columns(vectors, vectors))
    result: Floats = vectors / np.where(size > 0.0, size, 1.0)
    return result


def cross_columns(a: Floats, b: Floats) -> Floats:
    """Cross products: (3, P), (3, P) -> (3, P)."""
    result = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
        np.multiply(a[i], b[j], out=result[k])
        result[k] -= a[j] * b[i]
    return result


def to_columns(vectors: Floats) -> Floats:
    """Copy rows to components: (P, ...) -> (..., P), contiguous."""
    return np.array(vectors.transpose(*range(1, vectors.ndim), 0), order="C")


def as_columns(vectors: Floats) -> Floats:
    """Rows as components: (P, ...) -> (..., P). A view if the components are already contiguous: do not write to it."""
    return np.ascontiguousarray(vectors.transpose(*range(1, vectors.ndim), 0))


def turned(rotation: Floats, vectors: Floats) -> Floats:
    """Apply each matrix to its vector: (3, 3, P), (3, P) -> (3, P)."""
    result: Floats = np.einsum("kjp,jp->kp", rotation, vectors)
    return result


def turned_back(rotation: Floats, vectors: Floats) -> Floats:
    """Apply each transposed matrix to its vector: the coordinates along the columns of a rotation."""
    result: Floats = np.einsum("jkp,jp->kp", rotation, vectors)
    return result


# Splits a float64 into two halves of 26 bits. Products of such halves are exact.
_SPLIT = float(2**27 + 1)


def two_diff(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """``a - b`` rounded, and its rounding error: their exact sum is the difference."""
    head = a - b
    back = head - a
    return head, (a - (head - back)) - (b + back)


def cross_dd(a: Floats, b: Floats, a_low: Floats, b_low: Floats) -> Floats:
    """Cross products of ``a + a_low`` and ``b + b_low``, rounded once: (..., 3), (..., 3) -> (..., 3).

    Broadcasts. The low parts are rounding errors from `two_diff`, or zero.
    """
    columns = []
    for i, j in ((1, 2), (2, 0), (0, 1)):
        first, first_low = two_product(a[..., i], b[..., j])
        second, second_low = two_product(a[..., j], b[..., i])
        head, low = two_diff(first, second)
        low += first_low - second_low
        low += (a[..., i] * b_low[..., j] + a_low[..., i] * b[..., j]) - (
            a[..., j] * b_low[..., i] + a_low[..., j] * b[..., i]
        )
        columns.append(head + low)
    return np.stack(columns, axis=-1)


def area_vectors(sides: Floats, errors: Floats) -> Floats:
    """Cross product of two sides of each triangle, from sides and their rounding errors (P, 3, 3), with all digits."""
    return cross_dd(sides[:, 0], sides[:, 1], errors[:, 0], errors[:, 1])


def two_product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """``a * b`` rounded, and its rounding error; exact unless it over- or underflows."""
    head = a * b
    a_high, a_low = _split(a)
    b_high, b_low = _split(b)
    low = a_low * b_low - (((head - a_high * b_high) - a_low * b_high) - a_high * b_low)
    return head, low


def _split(a: Floats) -> tuple[Floats, Floats]:
    large = _SPLIT * a
    head = large - (large - a)
    return head, a - head
