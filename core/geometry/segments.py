# SPDX-License-Identifier: GPL-3.0-or-later
"""Closest points of segments. Arrays have the shape (3, P), with one row for each coordinate.

Ericson, "Real-Time Collision Detection", sections 5.1.2 and 5.1.9, with cross products where his differences of
products would cancel.
"""

from dataclasses import dataclass

import numpy as np

from ..numerics import vectors
from ..numerics.tolerances import EPS, NEAR_PARALLEL, PARALLEL_SINE_SQUARED, SIDE_CONTACT
from ..numerics.types import Bools, Floats
from ..numerics.vectors import cross_columns, dot_columns

# In rounding errors of the lengths of two segments and the distance between their starts. Places on parallel segments
# whose distances differ by no more than this are equally near.
_EQUAL = 8.0

_LEAST = float(np.finfo(np.float64).tiny)


def over(numerator: Floats, square: Floats) -> Floats:
    """The quotient by a square; zero where the square is zero. The square may be zero only where the numerator is."""
    result = np.maximum(square, _LEAST)
    # If the square has underflowed, the quotient may be infinite. Parameters are clamped afterwards.
    with np.errstate(over="ignore"):
        return np.divide(numerator, result, out=result)


def unit_interval(t: Floats) -> Floats:
    """Clamp `t` to [0, 1] in place and return it."""
    np.maximum(t, 0.0, out=t)
    return np.minimum(t, 1.0, out=t)


def at(start: Floats, along: Floats, t: Floats) -> Floats:
    """The points ``start + t * along``: (3, P), (3, P), (P,) -> (3, P)."""
    result = along * t
    result += start
    return result


def nearest_on_segment(start: Floats, along: Floats, square: Floats) -> tuple[Floats, Floats]:
    """The point of each segment ``start + t * along`` (3, P) nearest to the origin, and its parameter t in [0, 1].

    `along` may be zero. `square` (P,) is ``along · along``.
    """
    t = unit_interval(over(-dot_columns(start, along), square))
    point = at(start, along, t)
    # Repeated from that point: an interior foot is then perpendicular within rounding of the distance itself.
    t = unit_interval(t - over(dot_columns(point, along), square))
    return at(start, along, t), t


@dataclass(frozen=True)
class SegmentPairs:
    """Closest points of pairs of segments: A from the origin along `u`, B from `w` along `v`.

    Attributes
    ----------
    s, t : (P,) float64
        Parameters of the closest points on A and on B, in [0, 1].
    apart : (3, P) float64
        Vectors from the closest point on A to that on B.
    cross : (3, P) float64
        ``u × v``.
    cross_square : (P,) float64
    parallel : (P,) bool
    """

    s: Floats
    t: Floats
    apart: Floats
    cross: Floats
    cross_square: Floats
    parallel: Bools


def nearest_of_segments(u: Floats, w: Floats, v: Floats, square_u: Floats, square_v: Floats) -> SegmentPairs:
    """Closest points of pairs of segments. For parallel segments side by side, the middle of the overlap."""
    across = cross_columns(u, v)
    square = dot_columns(across, across)
    uv, uw = dot_columns(u, v), dot_columns(u, w)
    parallel = square <= PARALLEL_SINE_SQUARED * square_u * square_v
    s = unit_interval(over(dot_columns(across, cross_columns(w, v)), square))
    rows = np.flatnonzero(square <= NEAR_PARALLEL * square_u * square_v)
    if len(rows):
        near = u[:, rows], w[:, rows], v[:, rows]
        s[rows] = _along_each_other(*near, square_u[rows], square_v[rows], uv[rows], uw[rows])
    t = s * uv
    t -= dot_columns(v, w)
    t = unit_interval(over(t, square_v))
    s = t * uv
    s += uw
    s = unit_interval(over(s, square_u))
    apart = v * t
    apart += w
    apart -= u * s
    return SegmentPairs(s, t, apart, across, square, parallel)


def _along_each_other(
    u: Floats, w: Floats, v: Floats, square_u: Floats, square_v: Floats, uv: Floats, uw: Floats
) -> Floats:
    """The parameter on A of the closest points of segments that are parallel or nearly parallel: (P,).

    For any angle between them, the closest point is an end of the overlap or the point where they cross. If all points
    of the overlap are equally near within rounding, it is the middle of the overlap.
    """
    across = vectors.cross_dd(u.T, v.T, np.zeros_like(u.T), np.zeros_like(v.T)).T
    crossing = unit_interval(over(dot_columns(across, cross_columns(w, v)), dot_columns(across, across)))
    first, last = unit_interval(over(uw, square_u)), unit_interval(over(uw + uv, square_u))
    tried = np.stack([(first + last) / 2.0, first, last, crossing, np.zeros_like(uv), np.ones_like(uv)])
    far = np.empty_like(tried)
    for k, s in enumerate(tried):
        t = unit_interval(over(s * uv - dot_columns(v, w), square_v))
        apart = v * t + w - u * s
        far[k] = np.sqrt(dot_columns(apart, apart))
    far[0] -= _EQUAL * EPS * (np.sqrt(square_u) + np.sqrt(square_v) + np.sqrt(dot_columns(w, w)))
    result: Floats = tried[far.argmin(axis=0), np.arange(len(uv))]
    return result


@dataclass(frozen=True)
class Stretch:
    """Both ends of the overlap of two capsules side by side.

    Attributes
    ----------
    point : (2, 3, P) float64
        Midway between the two surfaces.
    depth : (2, P) float64
        Minus infinity where one capsule is not above the other.
    length : (P,) float64
        Length of the overlap. Negative if they are not side by side.
    """

    point: Floats
    depth: Floats
    length: Floats


def shared_stretch(u: Floats, w: Floats, v: Floats, normal: Floats, radius_a: Floats, radius_b: Floats) -> Stretch:
    """The overlap of parallel or nearly parallel capsules side by side.

    A's segment is ``t * u``, that of B is ``w + t * v``; neither length is zero. `normal` (3, P) are unit vectors from
    A to B, perpendicular to both segments.
    """
    square, other = dot_columns(u, u), dot_columns(v, v)
    bounds = np.sort(np.stack([dot_columns(w, u), dot_columns(w + v, u)]) / square, axis=0)
    bounds = np.stack([np.maximum(bounds[0], 0.0), np.minimum(bounds[1], 1.0)])
    point, depth = np.empty((2, *u.shape)), np.empty(bounds.shape)
    radii = radius_a + radius_b
    size = (np.sqrt(square) + np.sqrt(other)) / 2.0 + radii
    share = np.divide(radius_a, radii, out=np.full_like(radii, 0.5), where=radii > 0.0)
    for end, t in enumerate(bounds):
        on_a = u * t
        on_b = at(w, v, unit_interval(dot_columns(on_a - w, v) / other))
        # If the capsules are slightly skew, one end is above the side of the other, beside its ridge.
        between = on_b - on_a
        rise = dot_columns(between, normal)
        aside = between - normal * rise
        beside = np.sqrt(dot_columns(aside, aside))
        up_a, up_b = (
            np.sqrt(np.maximum(radius**2 - (part * beside) ** 2, 0.0))
            for radius, part in ((radius_a, share), (radius_b, 1.0 - share))
        )
        depth[end] = np.where(beside <= np.maximum(radii, SIDE_CONTACT * size), up_a + up_b - rise, -np.inf)
        point[end] = on_a + aside * share + normal * ((rise + up_a - up_b) / 2.0)
    return Stretch(point, depth, (bounds[1] - bounds[0]) * np.sqrt(square))
