# SPDX-License-Identifier: GPL-3.0-or-later
"""A sphere and a cylinder: the distance of the center from the nearest point of the cylinder, minus the radius.

The point is on a cap, on a rim or on the side. A center inside the cylinder moves out through the nearer of cap and
side. Ties go to the cap. For a center on the axis, the normal is any direction through the side.
"""

from math import copysign, sqrt
from typing import TypeAlias

from ..numerics.tolerances import EPS
from .arrays import Floats1, Floats2, Ints1, Vector
from .axes import FACE, VERTEX, rounding
from .cylinder_contacts import own_feature
from .cylinder_patches import Cylinder, placed_cylinder
from .loading import kernel
from .manifolds import middle, put_feature
from .results import ContactRows, DistanceRows, put_from
from .supports import Side
from .vectors import dot, length, moved, perpendicular, put, row, scaled

# The distance of a center beyond the nearer cap and beyond the side, negative inside; its height over the middle; the
# unit vector from the axis to it.
Place: TypeAlias = tuple[float, float, float, Vector]


@kernel
def distances(centers: Floats2, radii: Floats1, rows_a: Ints1, b: Side, rows_b: Ints1, result: DistanceRows) -> None:
    """Measure the signed distance of each pair, and find its points.

    Parameters
    ----------
    centers, radii : (N, 3) float64, (N,) float64
        The spheres.
    rows_a, rows_b : (P,) int64
        The sphere and the cylinder of each pair.
    b : Side
        With extents.
    result : DistanceRows
        Written.
    """
    for pair in range(len(rows_a)):
        center, radius, j = row(centers, rows_a[pair]), radii[rows_a[pair]], rows_b[pair]
        cylinder = placed_cylinder(b, j, center, 0.0)
        beyond, aside, level, outward = place_of(cylinder, radius)
        core, up, sideways = max(beyond, aside), 0.0, 0.0
        if core > 0.0:
            up, sideways = max(beyond, 0.0), max(aside, 0.0)
            core = sqrt(up * up + sideways * sideways)
            up, sideways = up / core, sideways / core
        elif beyond >= aside:
            up = 1.0
        else:
            sideways = 1.0
        way = moved(scaled(copysign(up, -level), cylinder.axis), outward, -sideways)
        slack = rounding(cylinder.size + radius, max(length(center), b.extents[j, 3]))
        put_from(result, pair, core - radius, way, moved(center, way, radius), slack)


@kernel
def places(
    centers: Floats2, radii: Floats1, rows_a: Ints1, b: Side, rows_b: Ints1, beyond: Floats1, aside: Floats1
) -> None:
    """Write how far the center of each pair is beyond the nearer cap and beyond the side, negative inside."""
    for pair in range(len(rows_a)):
        i = rows_a[pair]
        cylinder = placed_cylinder(b, rows_b[pair], row(centers, i), 0.0)
        beyond[pair], aside[pair], _, _ = place_of(cylinder, radii[i])


def place_of(cylinder: Cylinder, radius: float) -> Place:
    """The place of the center of a sphere, which is the origin."""
    spoke = scaled(-1.0, cylinder.center)
    level = dot(spoke, cylinder.axis)
    aside = moved(spoke, cylinder.axis, -level)
    # For a center near the axis, the residue along the axis may exceed the perpendicular component.
    aside = moved(aside, cylinder.axis, -dot(aside, cylinder.axis))
    across = length(aside)
    outward = perpendicular(cylinder.axis)
    if across > EPS * (cylinder.size + radius):
        outward = scaled(1.0 / across, aside)
    return abs(level) - cylinder.height, across - cylinder.radius, level, outward


@kernel
def contacts(
    radii: Floats1,
    rows_a: Ints1,
    b: Side,
    rows_b: Ints1,
    margin: float,
    known: DistanceRows,
    written: ContactRows,
) -> int:
    """Write one contact for each pair up to a distance of `margin`, and return their number."""
    count = 0
    for at in range(len(rows_a)):
        if known.distance[at] > margin + known.rounding[at]:
            continue
        j, way = rows_b[at], row(known.normal, at)
        put(written.point, count, middle(known, at, (0.0, 0.0, 0.0)))
        put(written.normal, count, way)
        written.pair[count], written.depth[count] = at, max(-known.distance[at], -margin)
        put_feature(written.feature_a, count, (FACE if radii[rows_a[at]] > 0.0 else VERTEX, 0))
        cylinder = placed_cylinder(b, j, row(b.translation, j), 0.0)
        put_feature(written.feature_b, count, own_feature(cylinder, scaled(-1.0, way)))
        count += 1
    return count
