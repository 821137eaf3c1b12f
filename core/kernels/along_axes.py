# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances of pairs of polytopes, with their radii, whose best axes are known. GJK measures the separated pairs.

For overlapping pairs, the witness points are the middle of the deepest part of the contact patch along the axis, or the
crossing of the two edges that determine it. Patches of joined coplanar faces and of nearly parallel segments need not
be on both surfaces. GJK measures how far their points are outside. If that is more than rounding, the closest points of
the cores are used, or those where the shapes touch after B has moved out of A.
"""

from math import inf, isnan, nan

from ..numerics.tolerances import BEYOND, EPS, ON_SURFACE
from .active_set import Work, brought_together
from .arrays import Floats1, Floats2, Ints1, Ints2, Vector
from .axes import EDGE
from .closest import closest_points
from .gjk import OVERLAPPING
from .loading import kernel
from .manifolds import Room, patch_center, refined
from .results import DistanceRows, put_distance
from .solids import Solid, Solids, place
from .supports import Shape, Side, placed, support
from .vectors import dot, minus, moved, plus, row, scaled


@kernel
def distances(
    a: Side,
    rows_a: Ints1,
    b: Side,
    rows_b: Ints1,
    solids_a: Solids,
    faced_a: Ints1,
    solids_b: Solids,
    faced_b: Ints1,
    room: Room,
    work: Work,
    point: Side,
    complete: bool,
    gap: Floats1,
    axis: Floats2,
    feature_a: Ints2,
    feature_b: Ints2,
    slack: Floats1,
    result: DistanceRows,
) -> None:
    """Measure the signed distance of each pair, and find its points.

    Parameters
    ----------
    a, rows_a, b, rows_b : Side, (P,) int64, Side, (P,) int64
        All shapes, with centers and extents, and those of each pair.
    solids_a, faced_a, solids_b, faced_b : Solids, (P,) int64, Solids, (P,) int64
        The same with their faces.
    room, work : Room, Work
        Room for those of one pair.
    point : Side
        A point at the origin.
    complete : bool
        Whether the axes of the cores decide whether they meet. If not, the closest points of points, segments and flat
        cores may show a gap that their axes do not.
    gap, axis, feature_a, feature_b, slack : arrays
        The fields of `collision_kit.core.results.Separations` of the cores, and the largest gap that counts as contact.
    result : DistanceRows
        Written.
    """
    for pair in range(len(rows_a)):
        i, j = rows_a[pair], rows_b[pair]
        origin = row(a.translation, i)
        one, other = placed(a, i, origin), placed(b, j, origin)
        level, reach, way = slack[pair], gap[pair], row(axis, pair)
        radius_a, radius_b = a.extents[i, 1], b.extents[j, 1]
        meets, inside = reach <= level, reach < -level
        size, tilt = a.extents[i, 0] + b.extents[j, 0], (radius_a - radius_b) / 2.0
        middle = nan, nan, nan
        if not inside:
            begin = minus(minus(row(a.centers, i), row(b.centers, j)), other.place)
            state, far, lower, found, on_a, on_b, _, _, _ = closest_points(
                one, other, work, begin, size, inf, 0.0, True
            )
            if not complete:
                meets = state == OVERLAPPING or max(reach, lower) <= level
            if state != OVERLAPPING and not (meets and far > level):
                middle = scaled(0.5, plus(on_a, on_b))
            # For separated pairs, the normal is the direction of the closest points, unless it is mostly rounding.
            if state != OVERLAPPING and not meets and not (reach > lower and far <= BEYOND * level):
                # A gap is a lower bound of the distance. It decides where GJK finds less by rounding.
                reach, way = max(far, reach), found
        if meets:
            k, m, edge_a, edge_b = faced_a[pair], faced_b[pair], -1, -1
            solid_a, solid_b = Solid(solids_a, k, room.a), Solid(solids_b, m, room.b)
            place(solid_a, origin)
            place(solid_b, origin)
            if feature_a[pair, 0] == EDGE and feature_b[pair, 0] == EDGE:
                edge_a, edge_b = feature_a[pair, 1], feature_b[pair, 1]
                way = refined(solid_a, solid_b, edge_a, edge_b, way)
            touch = middle
            middle, depth, sure = patch_center(solid_a, solid_b, room.patch, way, edge_a, edge_b, touch, level)
            reach = -depth + radius_a + radius_b if inside else reach
            off, exact = 0.0, ON_SURFACE * EPS * size
            if not sure:
                off = off_cores(one, other, point, work, middle, way, reach, tilt)
            if off > exact and not isnan(touch[0]):
                # Such points are in both cores, which only share boundary points.
                touch = moved(touch, way, dot(minus(middle, touch), way))
                own = off_cores(one, other, point, work, touch, way, reach, tilt)
                if own < off:
                    middle, off = touch, own
            if off > exact:
                lower, along, on_a, on_b, miss = brought_together(one, other, work, way, reach, level / 4.0)
                if miss < off:
                    # Pairs that touch by their facets do so regardless of the rounding of the points.
                    reach, way = min(lower, level), along
                    middle = moved(scaled(0.5, plus(on_a, on_b)), way, tilt)
        else:
            middle = moved(middle, way, tilt)
        reach -= radius_a + radius_b
        put_distance(result, pair, reach, way, plus(middle, origin), level)


def off_cores(
    a: Shape, b: Shape, point: Side, work: Work, middle: Vector, way: Vector, core: float, tilt: float
) -> float:
    """Return how far the points of two cores are outside them: the greater distance.

    They are the gap `core` apart along the normal. `middle` is midway between the surfaces of the shapes, and so `tilt`
    from midway between the points.
    """
    between, half = moved(middle, way, -tilt), scaled(core / 2.0, way)
    return max(outside(a, point, work, minus(between, half)), outside(b, point, work, plus(between, half)))


def outside(of: Shape, point: Side, work: Work, where: Vector) -> float:
    """Proved distance of a point outside the core of a shape."""
    tip = Shape(point, 0, where)
    begin, size = minus(plus(of.place, row(of.side.centers, of.at)), where), of.side.extents[of.at, 0]
    _, distance, _, way, _, _, _, _, _ = closest_points(of, tip, work, begin, size, inf, 0.0, True)
    # For shapes as thin as rounding, inner points may be measured as outside.
    height = dot(where, way) - dot(support(of, way), way)
    return min(distance, max(height, 0.0))
