# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes with two faces along given directions, and lower bounds of their volumes along arcs of directions.

See `collision_kit.core.fit.box`.
"""

from math import inf

from ..numerics.tolerances import EPS, FIT_BOX_ARC
from .arrays import Floats1, Floats2, Floats3, Vector
from .loading import kernel
from .vectors import corner, cross, divided, dot, length, minus, perpendicular, row, scaled


@kernel
def boxes(points: Floats2, rays: Floats2, edges: Floats2, normal: Floats3, span: Floats3, volume: Floats1) -> None:
    """Find boxes around points by their first normals and edges that are in a face with the second normal.

    Parameters
    ----------
    points : (V, 3) float64
        At least one.
    rays, edges : (C, 3) float64
    normal : (3, C, 3) float64
        Written: the three normals of each box.
    span : (3, C, 3) float64
        Written: for each normal, from the lowest point along it to the highest. Of equal points, the first one counts.
    volume : (C,) float64
        Written.
    """
    for at in range(len(rays)):
        ray, edge = row(rays, at), row(edges, at)
        second = cross(ray, edge)
        # If the ray is parallel to the edge, the edge is flush for every second normal.
        if dot(second, second) <= FIT_BOX_ARC * FIT_BOX_ARC:
            second = perpendicular(ray)
        second = _unit(second, ray)
        second = _unit(minus(second, scaled(dot(second, ray), ray)), ray)
        first = _write(points, ray, normal, span, 0, at)
        middle = _write(points, second, normal, span, 1, at)
        volume[at] = first * middle * _write(points, cross(ray, second), normal, span, 2, at)


def _unit(a: Vector, fallback: Vector) -> Vector:
    """The unit vector along a vector, or another one if it is zero."""
    size = length(a)
    return divided(a, size) if size > 0.0 else fallback


def _write(points: Floats2, way: Vector, normal: Floats3, span: Floats3, which: int, at: int) -> float:
    """Write a normal of a box and its span. Returns the width of the box along it."""
    least = most = dot(row(points, 0), way)
    low = high = 0
    for one in range(1, len(points)):
        height = dot(row(points, one), way)
        if height > most:
            most, high = height, one
        elif height < least:
            least, low = height, one
    along = minus(row(points, high), row(points, low))
    normal[which, at, 0], normal[which, at, 1], normal[which, at, 2] = way
    span[which, at, 0], span[which, at, 1], span[which, at, 2] = along
    return dot(way, along)


@kernel
def bounds(span: Floats3, starts: Floats2, ends: Floats2, edges: Floats2, found: Floats1) -> None:
    """Find lower bounds of the volumes of boxes along arcs of their first normals.

    Parameters
    ----------
    span : (3, C, 3) float64
        Of one box of each arc, as written by `boxes`.
    starts, ends : (C, 3) float64
        Unit vectors: the ends of each arc.
    edges : (C, 3) float64
    found : (C,) float64
        Written; zero where nothing is proved.
    """
    for at in range(len(starts)):
        start, end, edge = row(starts, at), row(ends, at), row(edges, at)
        a, b, c = corner(span, 0, at), corner(span, 1, at), corner(span, 2, at)
        start_across, end_across = cross(start, edge), cross(end, edge)
        start_up, end_up = cross(c, start), cross(c, end)
        first_0, first_1 = dot(start, a), dot(end, a)
        second_0, second_1 = dot(start_across, b), dot(end_across, b)
        third = (
            dot(start_across, start_up),
            (dot(start_across, end_up) + dot(end_across, start_up)) / 2.0,
            dot(end_across, end_up),
        )
        square = 1.0, dot(start, end), 1.0
        across = dot(start_across, start_across), dot(start_across, end_across), dot(end_across, end_across)
        # Each width must be positive on the whole arc, or two of them could change sign together.
        widths = min(min(min(first_0, first_1), min(second_0, second_1)), min(min(third[0], third[1]), third[2]))
        found[at] = 0.0
        if widths >= 0.0 and square[1] > 0.0 and across[1] >= 0.0:
            product = first_0 * second_0, (first_0 * second_1 + first_1 * second_0) / 2.0, first_1 * second_1
            found[at] = _least_quotient(product, third, square, across)


def _least_quotient(a: Vector, b: Vector, c: Vector, d: Vector) -> float:
    """The smallest quotient of corresponding coefficients of two products of polynomials of degree two.

    All are in Bernstein form. The quotient of two sums of positive terms is at least the smallest of these.
    """
    least = _quotient(a[0] * b[0], c[0] * d[0], inf)
    least = _quotient((a[0] * b[1] + a[1] * b[0]) / 2.0, (c[0] * d[1] + c[1] * d[0]) / 2.0, least)
    above = (a[0] * b[2] + 4.0 * a[1] * b[1] + a[2] * b[0]) / 6.0
    least = _quotient(above, (c[0] * d[2] + 4.0 * c[1] * d[1] + c[2] * d[0]) / 6.0, least)
    least = _quotient((a[1] * b[2] + a[2] * b[1]) / 2.0, (c[1] * d[2] + c[2] * d[1]) / 2.0, least)
    return _quotient(a[2] * b[2], c[2] * d[2], least)


def _quotient(above: float, below: float, most: float) -> float:
    """A quotient, at most as large as another number; that number if the divisor is no more than rounding."""
    return min(most, above / below) if below > EPS else most
