# SPDX-License-Identifier: GPL-3.0-or-later
"""A sphere and a box: the distance of the center from the nearest point of the box, minus the radius.

In the box's frame, that point is the center clamped to the half extents. A center inside the box moves out through the
nearest face. If it is equally near to several faces, the first is taken.
"""

from math import copysign, sqrt

from .arrays import Bools1, Floats1, Floats2, Ints1, Vector
from .axes import BoxRows, column, rounding
from .box_triangles import to_world
from .loading import kernel
from .results import DistanceRows, put_from
from .vectors import divided, dot, minus, moved, row


@kernel
def distances(
    centers: Floats2,
    radii: Floats1,
    rows_a: Ints1,
    b: BoxRows,
    rows_b: Ints1,
    result: DistanceRows,
) -> None:
    """Measure the signed distance of each pair, and find its points.

    Parameters
    ----------
    centers, radii : (N, 3) float64, (N,) float64
        The spheres.
    rows_a, rows_b : (P,) int64
        The sphere and the box of each pair.
    b : BoxRows
    result : DistanceRows
        Written.
    """
    for pair in range(len(rows_a)):
        i, j = rows_a[pair], rows_b[pair]
        center, radius, level = row(centers, i), radii[i], contact_gap(centers, radii, i, b, j)
        seen = in_frame(center, b, j)
        x, y, z = abs(seen[0]) - b.half[j, 0], abs(seen[1]) - b.half[j, 1], abs(seen[2]) - b.half[j, 2]
        out = max(x, 0.0), max(y, 0.0), max(z, 0.0)
        core = sqrt(dot(out, out))
        if core > 0.0:
            out = divided(out, core)
        else:
            # Ties are broken by the order of the axes, not by rounding.
            core = max(max(x, y), z)
            if x >= core - level:
                out = 1.0, 0.0, 0.0
            elif y >= core - level:
                out = 0.0, 1.0, 0.0
            else:
                out = 0.0, 0.0, 1.0
        inward = copysign(out[0], -seen[0]), copysign(out[1], -seen[1]), copysign(out[2], -seen[2])
        way, gap = to_world(b, j, inward), core - radius
        put_from(result, pair, gap, way, moved(center, way, radius), level)


@kernel
def overlaps(centers: Floats2, radii: Floats1, rows_a: Ints1, b: BoxRows, rows_b: Ints1, overlap: Bools1) -> None:
    """Decide whether the sphere and the box of each pair have a point in common; as `distances`."""
    for pair in range(len(rows_a)):
        i, j = rows_a[pair], rows_b[pair]
        seen, level = in_frame(row(centers, i), b, j), contact_gap(centers, radii, i, b, j)
        x, y, z = abs(seen[0]) - b.half[j, 0], abs(seen[1]) - b.half[j, 1], abs(seen[2]) - b.half[j, 2]
        out = max(x, 0.0), max(y, 0.0), max(z, 0.0)
        overlap[pair] = sqrt(dot(out, out)) - radii[i] <= level


def in_frame(point: Vector, b: BoxRows, j: int) -> Vector:
    """A point of the world in the frame of a box."""
    away = minus(point, row(b.center, j))
    return dot(column(b.turn, j, 0), away), dot(column(b.turn, j, 1), away), dot(column(b.turn, j, 2), away)


def contact_gap(centers: Floats2, radii: Floats1, i: int, b: BoxRows, j: int) -> float:
    """The largest gap of a pair that counts as contact."""
    center, place, half = row(centers, i), row(b.center, j), row(b.half, j)
    offset = sqrt(max(dot(center, center), dot(place, place)))
    return rounding(sqrt(dot(half, half)) + radii[i], offset)
