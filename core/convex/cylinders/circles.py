# SPDX-License-Identifier: GPL-3.0-or-later
"""Directions along which the rim of a cylinder faces a straight edge or another rim.

Along these directions d, the support function h(d) of A - B is stationary. Both problems have finitely many solutions.
Projected along an edge, a rim is an ellipse, which has at most one such direction in each quarter. For two circles,
Newton's method finds the one near a known direction (C. A. Neff, "Finding the distance between two circles in
three-dimensional space", IBM Journal of Research and Development 34, 1990).
"""

from dataclasses import dataclass

import numpy as np

from ...numerics.tolerances import EPS, NEAR
from ...numerics.types import Bools, Floats
from ...numerics.vectors import cross, dot, length, normalized, perpendicular

# Newton steps on a concave function from the side on which they cannot overshoot. 4 to 9 are usual.
_MOST_STEPS = 60

# Newton steps on the angle around a circle, and the longest one, in radians.
_POLISH = 5
_POLISH_STEP = 0.1


def edge_frames(axis: Floats, along: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Frames perpendicular to edges, in which a disc perpendicular to an axis projects to an axis-aligned ellipse.

    Parameters
    ----------
    axis, along : (..., 3) float64
        Unit: the disc's axis and the edge.

    Returns
    -------
    short, wide : (..., 3) float64
        Unit vectors perpendicular to the edge, along the minor and the major axis of the ellipse. The component of the
        axis along `short` is not negative, and that along `wide` is zero.
    sine, cosine : (...,) float64
        Of the angle between axis and edge. The cosine is without sign.
    """
    product = cross(along, axis)
    sine = np.sqrt(dot(product, product))
    flat_along, flat = along.reshape(-1, 3), product.reshape(-1, 3)
    # Nearly parallel: the cross product is mostly rounding error. Its component along the edge is removed. Then any
    # direction perpendicular to the edge is valid, because the ellipse is a circle.
    wide = np.where((sine > 0.0).reshape(-1, 1), normalized(flat, np.zeros(3)), perpendicular(flat_along))
    wide = normalized(wide - dot(wide, flat_along)[:, None] * flat_along, np.zeros(3)).reshape(along.shape)
    short = cross(wide, along)
    return short, wide, sine, np.abs(dot(along, axis))


def edge_normals(radius: Floats, sine: Floats, cosine: Floats, x: Floats, y: Floats) -> tuple[Floats, Bools]:
    """Local minimum of the support function of an ellipse minus that of a point, over a quarter of the directions.

    The ellipse has the semi-axes ``radius * cosine`` along x and `radius` along y. Over the directions d = (1, t) with
    t >= 0, its support minus (x, y) · d has at most one local minimum. It is at the least root of the concave function
    ``k t / sqrt(a² + b² t²) + x t - y`` with ``k = b² - a²``.

    Parameters
    ----------
    radius, sine, cosine, x, y : float64
        Of one shape. `y` is not negative.

    Returns
    -------
    t : float64
    exists : bool
    """
    b, a = radius, np.maximum(radius * cosine, EPS * radius)
    k = (radius * sine) ** 2
    safe_a = np.where(a > 0.0, a, 1.0)
    exists = k / safe_a + x > 0.0
    # An initial value left of the root: the first term is never above b.
    t = np.where(x > 0.0, np.maximum(y - b, 0.0) / np.where(x > 0.0, x, 1.0), 0.0)
    t = np.minimum(t, 1.0 / EPS**2)
    shape = t.shape
    t, exists = t.reshape(-1), exists.reshape(-1)
    a2, b2, k, x, y = ((z.reshape(-1)) for z in (safe_a**2, b**2, k, x, y))
    rows = np.flatnonzero(exists)
    for _ in range(_MOST_STEPS):
        if not len(rows):
            break
        now, across = t[rows], a2[rows]
        square = across + b2[rows] * now * now
        root = np.sqrt(square)
        value = k[rows] * now / root + x[rows] * now - y[rows]
        slope = k[rows] * across / (square * root) + x[rows]
        rising = slope > 0.0
        step = -value / np.where(rising, slope, 1.0)
        exists[rows[~rising]] = False
        following = np.minimum(now + np.maximum(step, 0.0), 1.0 / EPS**2)
        t[rows] = np.where(rising, following, now)
        rows = rows[rising & (following > now * (1.0 + 4.0 * EPS))]
    return t.reshape(shape), exists.reshape(shape)


def farthest_from_line(
    center: Floats, axis: Floats, radius: Floats, point: Floats, along: Floats
) -> tuple[Floats, Floats]:
    """The point of each circle farthest from a line, (P, 3), and its distance from the line.

    The line has a `point` (P, 3) and a unit direction `along` (P, 3).
    """
    short, wide, sine, cosine = edge_frames(axis, along)
    spoke = center - point
    x, y = dot(spoke, short), dot(spoke, wide)
    # The farthest point of an ellipse is in the same quarter as its center. It is the greatest root of the function in
    # `edge_normals`, approached from the right.
    slope_x, level = np.abs(x), np.abs(y)
    b, a = radius, np.maximum(radius * cosine, EPS * radius)
    k = (radius * sine) ** 2
    t = np.minimum((b + level) / np.where(slope_x > 0.0, slope_x, EPS**2), 1.0 / EPS**2)
    for _ in range(_MOST_STEPS):
        square = np.where(a > 0.0, a * a + (b * t) ** 2, 1.0)
        value = k * t / np.sqrt(square) - slope_x * t + level
        change = k * a * a / (square * np.sqrt(square)) - slope_x
        falls = (change < 0.0) & (value < 0.0)
        following = np.where(falls, t - value / np.where(falls, change, 1.0), t)
        if not (following < t * (1.0 - 4.0 * EPS)).any():
            break
        t = following
    towards = np.where(x < 0.0, -1.0, 1.0)[:, None] * short + (t * np.where(y < 0.0, -1.0, 1.0))[:, None] * wide
    out = towards - dot(towards, axis)[:, None] * axis
    found = center + radius[:, None] * normalized(out, perpendicular(axis))
    off = found - point
    return found, length(off - dot(off, along)[:, None] * along)


def farthest_from_segment(center: Floats, axis: Floats, radius: Floats, start: Floats, end: Floats) -> Floats:
    """Greatest distance of a point of each circle from a segment, which may have length zero, (P,).

    If an end of the segment is nearest, this is the point farthest from that end. Otherwise it is the point farthest
    from the line, as no point is nearer to the segment than to its line.
    """
    along = normalized(end - start, perpendicular(axis))
    run = length(end - start)
    points = [farthest_from_line(center, axis, radius, start, along)[0]]
    for tip in (start, end):
        spoke = center - tip
        out = normalized(spoke - dot(spoke, axis)[:, None] * axis, perpendicular(axis))
        points.append(center + radius[:, None] * out)
    off = np.stack(points, axis=1) - start[:, None]
    t = np.clip(dot(off, along[:, None]), 0.0, run[:, None])
    result: Floats = length(off - t[..., None] * along[:, None]).max(axis=1)
    return result


@dataclass(frozen=True)
class TwoRims:
    """A circle of A and a circle of B for each pair, and the points of A's circle that face B's.

    Let p be a point of A's circle, n the derivative of its squared distance from B's center along the circle, and m the
    derivative of rho², its squared distance from B's axis. With the radius r of B's circle, the distance of p from B's
    circle is stationary where ``n rho = r m``.
    """

    center_a: Floats
    axis_a: Floats
    radius_a: Floats
    center_b: Floats
    axis_b: Floats
    radius_b: Floats

    def normal_near(self, outward: Floats) -> Floats:
        """The direction found by Newton's method from the point of A's circle in direction `outward`, (P, 3)."""
        first = perpendicular(self.axis_a)
        angle = np.arctan2(dot(outward, cross(self.axis_a, first)), dot(outward, first))
        return self._directions(self._polished(angle[:, None]))[:, 0]

    def _polished(self, angle: Floats) -> Floats:
        for _ in range(_POLISH):
            # The factor of the polynomial for the near side of B's circle: its roots are simple.
            at = self._around(angle)
            value = at.n * at.rho - self.radius_b[:, None] * at.m
            slope = at.n_change * at.rho - self.radius_b[:, None] * at.m_change
            slope += at.n * at.m / (2.0 * np.where(at.rho > 0.0, at.rho, 1.0))
            step = np.where(slope != 0.0, value / np.where(slope != 0.0, slope, 1.0), 0.0)
            angle = angle - np.clip(step, -_POLISH_STEP, _POLISH_STEP)
        return angle

    def _around(self, angle: Floats) -> "_Around":
        first = perpendicular(self.axis_a)
        second = cross(self.axis_a, first)
        cosine, sine = np.cos(angle)[..., None], np.sin(angle)[..., None]
        out = cosine * first[:, None] + sine * second[:, None]
        turn = cosine * second[:, None] - sine * first[:, None]
        apart, axis_b, radius = (self.center_a - self.center_b)[:, None], self.axis_b[:, None], self.radius_a[:, None]
        point = apart + radius[..., None] * out
        along = dot(point, axis_b)
        flat = point - along[..., None] * axis_b
        n, n_change = 2.0 * radius * dot(apart, turn), -2.0 * radius * dot(apart, out)
        rise = radius * dot(turn, axis_b)
        m = n - 2.0 * along * rise
        m_change = n_change - 2.0 * rise**2 + 2.0 * along * radius * dot(out, axis_b)
        return _Around(out, point, flat, along, n, n_change, m, m_change, np.sqrt(dot(flat, flat)))

    def _directions(self, angle: Floats) -> Floats:
        """Directions from the points of A's circle at these angles (P, K) to the nearest points of B's circle."""
        at = self._around(angle)
        out_b = self._out_of_b(at)
        between = self._between(at, out_b)
        # If the circles nearly intersect, their tangents give a more accurate direction than their points. A circle
        # that is smaller than its distance is a point, and its tangent has nothing to do with the direction.
        tangents = self._tangents(at, out_b)
        size = length(self.center_a - self.center_b) + self.radius_a + self.radius_b
        meet = length(between) <= np.minimum(NEAR * size, self.radius_a)[:, None]
        normal = normalized(np.where(meet[..., None], tangents, between), self.axis_a[:, None])
        return normal * np.where(dot(normal, at.out) < 0.0, -1.0, 1.0)[..., None]

    def _out_of_b(self, at: "_Around") -> Floats:
        """Unit directions from the center of B's circle to its points nearest to points of A's circle, (P, K, 3)."""
        return normalized(at.flat, np.broadcast_to(perpendicular(self.axis_b)[:, None], at.flat.shape))

    def _between(self, at: "_Around", out_b: Floats) -> Floats:
        """From points of A's circle to the nearest points of B's circle, (P, K, 3).

        They are exactly perpendicular to B's circle there, however small their distance is.
        """
        beside = at.rho - self.radius_b[:, None]
        result: Floats = -at.height[..., None] * self.axis_b[:, None] - beside[..., None] * out_b
        return result

    def _tangents(self, at: "_Around", out_b: Floats) -> Floats:
        """Cross products of the tangents of the two circles, (P, K, 3)."""
        return cross(cross(self.axis_a[:, None], at.out), cross(self.axis_b[:, None], out_b))


@dataclass(frozen=True)
class _Around:
    """Points of A's circle at some angles, with the terms of `TwoRims`, relative to B's center: (P, K) or (P, K, 3)."""

    out: Floats  # from the center of A's circle, unit
    point: Floats
    flat: Floats  # without the component along B's axis
    height: Floats  # the component along B's axis
    n: Floats
    n_change: Floats
    m: Floats
    m_change: Floats
    rho: Floats
