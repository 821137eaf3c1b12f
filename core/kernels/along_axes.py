# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances of pairs of polytopes, with their radii, whose best axes are known. GJK measures the separated pairs.

For overlapping pairs, the witness points are the middle of the deepest part of the contact patch along the axis, or the
crossing of the two edges that determine it.
"""

from math import inf, nan

from ..numerics.tolerances import BEYOND
from .active_set import Work
from .arrays import Bools1, Floats1, Floats2, Ints1, Ints2
from .axes import EDGE
from .closest import closest_points
from .gjk import OVERLAPPING
from .loading import kernel
from .manifolds import Room, patch_center, refined
from .solids import Solids, place
from .supports import Side
from .vectors import minus, plus, put, row, scaled


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
    complete: bool,
    gap: Floats1,
    axis: Floats2,
    feature_a: Ints2,
    feature_b: Ints2,
    slack: Floats1,
    distance: Floats1,
    point_a: Floats2,
    point_b: Floats2,
    normal: Floats2,
    rounding: Floats1,
    known: Bools1,
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
    complete : bool
        Whether the axes of the cores decide whether they meet. If not, the closest points of points, segments and flat
        cores may show a gap that their axes do not.
    gap, axis, feature_a, feature_b, slack : arrays
        The fields of `collision_kit.core.results.Separations` of the cores, and the largest gap that counts as contact.
    distance, point_a, point_b, normal, rounding : arrays
        The fields of `collision_kit.core.results.Distances`, which are written.
    known : (P,) bool
        Written: whether the points are known to lie on both surfaces.
    """
    for pair in range(len(rows_a)):
        i, j = rows_a[pair], rows_b[pair]
        origin = row(a.translation, i)
        at_a, at_b = (0.0, 0.0, 0.0), minus(row(b.translation, j), origin)
        level, reach, way = slack[pair], gap[pair], row(axis, pair)
        radius_a, radius_b = a.extents[i, 1], b.extents[j, 1]
        meets, inside, sure = reach <= level, reach < -level, True
        middle = nan, nan, nan
        if not inside:
            begin = minus(minus(row(a.centers, i), row(b.centers, j)), at_b)
            size = a.extents[i, 0] + b.extents[j, 0]
            state, far, lower, found, on_a, on_b, _, _, _ = closest_points(
                a, i, at_a, b, j, at_b, work, begin, size, inf, 0.0, True
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
            place(solids_a, k, origin, room.a)
            place(solids_b, m, origin, room.b)
            if feature_a[pair, 0] == EDGE and feature_b[pair, 0] == EDGE:
                edge_a, edge_b = feature_a[pair, 1], feature_b[pair, 1]
                way = refined(solids_a, k, solids_b, m, room, edge_a, edge_b, way)
            middle, depth, sure = patch_center(solids_a, k, solids_b, m, room, way, edge_a, edge_b, middle, level)
            reach = -depth if inside else reach - radius_a - radius_b
        else:
            middle = plus(middle, scaled((radius_a - radius_b) / 2.0, way))
            reach -= radius_a + radius_b
        middle, half = plus(middle, origin), scaled(reach / 2.0, way)
        distance[pair], rounding[pair], known[pair] = reach, level, sure
        put(normal, pair, way)
        put(point_a, pair, minus(middle, half))
        put(point_b, pair, plus(middle, half))
