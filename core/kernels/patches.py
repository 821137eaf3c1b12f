# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact patches of two polytopes with radii along a given normal.

The reference is a face of one shape. The incident feature is the other shape's most opposed face (or segment, or
point). Seen along the normal, the patch is the intersection of two convex polygons. Its corners are of three kinds:
corners of the incident polygon inside the reference, corners of the reference inside the incident polygon, and
crossings of the outlines (Lee 2018, sections 13.2.3 to 13.2.6 and 13.4.1). Each comes with the two features that
determine it.
"""

from math import inf, sqrt
from typing import NamedTuple

from ..numerics.tolerances import EPS, PATCH_LEVEL, SIDE_CONTACT, SUPPORT
from .arrays import Floats2, Ints1, Ints2, Vector
from .axes import EDGE, FACE, VERTEX
from .solids import (
    CORNERS,
    START,
    Placed,
    Solid,
    highest,
    is_joined,
    outline_of,
    radius_of,
    rise_to_surface,
    size_of,
    supporting_face,
    vertex_count,
)
from .vectors import cross, dot, minus, moved, perpendicular, plus, put, row, scaled

# Number of rounding errors by which a corner may be outside an outline and still count as inside. Coordinates in the
# plane of the patch are sums of three products of differences.
INSIDE_STEPS = 64.0
# Dimensionless: a fraction of the coordinates. Corners within this distance are one corner, found by two kinds of
# features.
SAME = 1e-9

# Columns of `Patch.corners`: a point midway between the surfaces, and the depth. Columns of `Patch.made`: of the
# reference and of the incident shape, the kind of the feature, and its index, or the two vertices of an edge.
DEPTH = 3
OUR_KIND, OUR_INDEX, OUR_END, THEIR_KIND, THEIR_INDEX, THEIR_END = range(6)


class Patch(NamedTuple):
    """Room for the corners of one patch.

    Attributes
    ----------
    ours, theirs : (M, 3), (T, 3) float64
        The outlines of the reference and of the incident feature in the frame of the reference: two coordinates in the
        plane, and the height over it.
    our_vertex, their_vertex : (M,), (T,) int64
    corners : (K, 4) float64
    made : (K, 6) int64
    chosen : (4,) int64
        The corners that are kept. -1: fewer than four.
    """

    ours: Floats2
    theirs: Floats2
    our_vertex: Ints1
    their_vertex: Ints1
    corners: Floats2
    made: Ints2
    chosen: Ints1


def face_patch(
    reference: Solid, incident: Solid, face: int, normal: Vector, facing: int, rounding: float, patch: Patch
) -> int:
    """Write the corners of a patch over a face, and return how many there are.

    `normal` is a unit vector from the reference to the incident shape. `facing` is the incident face, or -1 if there is
    none. `rounding` is that of the pair: corners that are outside an outline by less are inside.
    """
    side = perpendicular(normal)
    up = cross(normal, side)
    outline = outline_of(reference, face)
    origin = row(reference.placed.vertices, reference.solids.corners[reference.solids.polygons[outline, START]])
    ours = reference.solids.polygons[outline, CORNERS]
    for k in range(ours):
        vertex = reference.solids.corners[reference.solids.polygons[outline, START] + k]
        away = minus(row(reference.placed.vertices, vertex), origin)
        put(patch.ours, k, (dot(away, side), dot(away, up), dot(away, normal)))
        patch.our_vertex[k] = vertex
    theirs, slope = vertex_count(incident), (0.0, 0.0, 0.0)
    outline = 0
    if facing >= 0:
        outline = outline_of(incident, facing)
        theirs = incident.solids.polygons[outline, CORNERS]
        outward = row(incident.placed.normals, facing)
        slope = dot(outward, side), dot(outward, up), dot(outward, normal)
    low, high = inf, -inf
    for k in range(theirs):
        vertex = k
        if facing >= 0:
            vertex = incident.solids.corners[incident.solids.polygons[outline, START] + k]
        away = minus(row(incident.placed.vertices, vertex), origin)
        height = dot(away, normal)
        put(patch.theirs, k, (dot(away, side), dot(away, up), height))
        patch.their_vertex[k] = vertex
        # A joined outline of coplanar faces is not exactly planar. It is between its lowest and its highest corner.
        low, high = min(low, height), max(high, height)
    radius, their_radius = radius_of(reference), radius_of(incident)
    top = highest(reference, normal) - dot(origin, normal)
    slack = max(INSIDE_STEPS * EPS * (size_of(reference) + size_of(incident)), rounding)
    uneven, their_uneven = is_joined(reference), is_joined(incident) and facing >= 0
    back, count, room = scaled(-1.0, normal), 0, len(patch.corners)
    for k in range(theirs):
        x, y, height = row(patch.theirs, k)
        inside, _ = is_inside(x, y, patch.ours, ours, False, slack)
        if inside:
            base = plus(origin, plus(scaled(x, side), scaled(y, up)))
            ceiling = top + radius
            if uneven:
                ceiling += rise_to_surface(reference, moved(base, normal, ceiling), normal)
            write_corner(patch, count, moved(base, normal, (height - their_radius + ceiling) / 2.0))
            patch.corners[count, DEPTH] = ceiling - (height - their_radius)
            write_features(patch, count, FACE, face, 0, VERTEX, patch.their_vertex[k], 0)
            count += 1
    for k in range(ours):
        if slope[2] >= 0.0:
            break
        x, y, own_height = row(patch.ours, k)
        inside, lowest = is_inside(x, y, patch.theirs, theirs, True, slack)
        if inside:
            # On the outline, use the height of the edge: a face parallel to the normal has no unique height there.
            height = lowest
            if lowest == inf:
                lateral = (x - patch.theirs[0, 0]) * slope[0] + (y - patch.theirs[0, 1]) * slope[1]
                height = patch.theirs[0, 2] - lateral / slope[2]
            surface = min(max(height, low), high) - their_radius
            # The heights of a shape's own corners are known.
            ceiling = (own_height if uneven else top) + radius
            base = plus(origin, plus(scaled(x, side), scaled(y, up)))
            if their_uneven:
                surface -= rise_to_surface(incident, moved(base, normal, surface), back)
            write_corner(patch, count, moved(base, normal, (surface + ceiling) / 2.0))
            patch.corners[count, DEPTH] = ceiling - surface
            write_features(patch, count, VERTEX, patch.our_vertex[k], 0, FACE, facing, 0)
            count += 1
    for m in range(ours):
        for k in range(theirs):
            crosses, t = crossing(patch.ours, m, (m + 1) % ours, patch.theirs, k, (k + 1) % theirs, slack)
            if crosses and count < room:
                following = (k + 1) % theirs
                x, y, height = row(patch.theirs, k)
                x += t * (patch.theirs[following, 0] - x)
                y += t * (patch.theirs[following, 1] - y)
                height += t * (patch.theirs[following, 2] - height)
                surface, ceiling = min(max(height, low), high) - their_radius, top + radius
                base = plus(origin, plus(scaled(x, side), scaled(y, up)))
                if uneven:
                    ceiling += rise_to_surface(reference, moved(base, normal, ceiling), normal)
                if their_uneven:
                    surface -= rise_to_surface(incident, moved(base, normal, surface), back)
                write_corner(patch, count, moved(base, normal, (surface + ceiling) / 2.0))
                patch.corners[count, DEPTH] = ceiling - surface
                one, their = patch.our_vertex[m], patch.their_vertex[k]
                ends = patch.our_vertex[(m + 1) % ours], patch.their_vertex[following]
                write_features(patch, count, EDGE, one, ends[0], EDGE, their, ends[1])
                count += 1
    return count


def facing_of(incident: Solid, normal: Vector) -> int:
    """The face of the incident shape that supports it against a normal; -1 if there is none."""
    face, _ = supporting_face(incident, scaled(-1.0, normal), SUPPORT * size_of(incident))
    return face


def write_corner(patch: Patch, at: int, point: Vector) -> None:
    """Write the point of a corner."""
    patch.corners[at, 0], patch.corners[at, 1], patch.corners[at, 2] = point


def write_features(
    patch: Patch, at: int, kind: int, index: int, end: int, their_kind: int, their_index: int, their_end: int
) -> None:
    """Write the features that determine a corner."""
    patch.made[at, OUR_KIND], patch.made[at, OUR_INDEX], patch.made[at, OUR_END] = kind, index, end
    patch.made[at, THEIR_KIND], patch.made[at, THEIR_INDEX] = their_kind, their_index
    patch.made[at, THEIR_END] = their_end


def is_inside(x: float, y: float, outline: Floats2, count: int, backward: bool, slack: float) -> tuple[bool, float]:
    """Whether a point of the plane is inside an outline, and the lowest height of the edges that contain it.

    The height is infinite if no edge contains it. A point is inside if it is behind every edge, or within the slack of
    an edge. The distance from the line of an edge is not used for this: near the tip of a sliver, a point may be near
    both lines but far from the edges. The bounding box excludes points if the outline is only a segment or a point,
    because edges of length zero exclude nothing. Outlines are counterclockwise unless `backward`.
    """
    left, right, lower, upper = inf, -inf, inf, -inf
    behind, lowest = True, inf
    for n in range(count):
        k, following = n, (n + 1) % count
        if backward:
            k, following = count - 1 - n, count - 1 - (n + 1) % count
        start_x, start_y, height = row(outline, k)
        left, right, lower, upper = min(left, start_x), max(right, start_x), min(lower, start_y), max(upper, start_y)
        along, rise = outline[following, 0] - start_x, outline[following, 1] - start_y
        square = along * along + rise * rise
        over, up = x - start_x, y - start_y
        t = min(max((over * along + up * rise) / (square if square > 0.0 else 1.0), 0.0), 1.0)
        # Relative to the nearest point of the edge, so that the height is as accurate as the distance from the nearer
        # end.
        over -= t * along
        up -= t * rise
        if along * up - rise * over < 0.0:
            behind = False
        if over * over + up * up <= slack * slack:
            lowest = min(lowest, height + t * (outline[following, 2] - height))
    inside = left - slack <= x <= right + slack and lower - slack <= y <= upper + slack
    return (behind and inside) or lowest < inf, lowest


def crossing(
    ours: Floats2, begin: int, end: int, theirs: Floats2, start: int, stop: int, slack: float
) -> tuple[bool, float]:
    """Whether two edges of outlines cross, ends included, and the parameter on the second one.

    Edges of length zero cross nothing. Parallel edges do not either. The lines of nearly parallel edges may cross far
    beyond their common part, by rounding. So the crossing must also be on the first edge. If edges of one line have a
    common part, its ends are corners, which are inside.
    """
    along, rise = ours[end, 0] - ours[begin, 0], ours[end, 1] - ours[begin, 1]
    their_along, their_rise = theirs[stop, 0] - theirs[start, 0], theirs[stop, 1] - theirs[start, 1]
    turn = along * their_rise - rise * their_along
    if turn == 0.0:
        return False, 0.0
    over, up = theirs[start, 0] - ours[begin, 0], theirs[start, 1] - ours[begin, 1]
    t = (over * rise - up * along) / turn
    size = sqrt(their_along * their_along + their_rise * their_rise)
    if abs(t - 0.5) > 0.5 + slack / size:
        return False, 0.0
    t = min(max(t, 0.0), 1.0)
    over += t * their_along
    up += t * their_rise
    square = along * along + rise * rise
    return abs((over * along + up * rise) / square - 0.5) <= 0.5 + slack / sqrt(square), t


def are_side_by_side(own: Placed, other: Placed, normal: Vector) -> bool:
    """Whether two segments are parallel, have a length, and are perpendicular to the normal."""
    run = minus(row(own.vertices, 1), row(own.vertices, 0))
    their_run = minus(row(other.vertices, 1), row(other.vertices, 0))
    size, their_size, across = dot(run, run), dot(their_run, their_run), cross(run, their_run)
    return (
        size > 0.0
        and their_size > 0.0
        and dot(across, across) <= SUPPORT * SUPPORT * size * their_size
        and dot(run, normal) * dot(run, normal) <= SUPPORT * SUPPORT * size
    )


def segment_patch(a: Solid, b: Solid, normal: Vector, patch: Patch) -> int:
    """Write the patch of two parallel segments side by side: the ends of their common part."""
    start, radius, their_radius = row(a.placed.vertices, 0), radius_of(a), radius_of(b)
    u, w = minus(row(a.placed.vertices, 1), start), minus(row(b.placed.vertices, 0), start)
    v = minus(row(b.placed.vertices, 1), row(b.placed.vertices, 0))
    square, their_square, radii = dot(u, u), dot(v, v), radius + their_radius
    one, last = dot(w, u) / square, dot(plus(w, v), u) / square
    begin, end = max(min(one, last), 0.0), min(max(one, last), 1.0)
    size = (sqrt(square) + sqrt(their_square)) / 2.0 + radii
    share = radius / radii if radii > 0.0 else 0.5
    count = 0
    for k in range(2):
        on_a = scaled(begin if k == 0 else end, u)
        on_b = moved(w, v, min(max(dot(minus(on_a, w), v) / their_square, 0.0), 1.0))
        # If the capsules are slightly skew, one end is above the side of the other, beside its ridge.
        between = minus(on_b, on_a)
        rise = dot(between, normal)
        aside = minus(between, scaled(rise, normal))
        beside = sqrt(dot(aside, aside))
        up = sqrt(max(radius * radius - share * beside * (share * beside), 0.0))
        down = sqrt(max(their_radius * their_radius - (1.0 - share) * beside * ((1.0 - share) * beside), 0.0))
        if begin <= end and beside <= max(radii, SIDE_CONTACT * size):
            point = plus(plus(start, on_a), plus(scaled(share, aside), scaled((rise + up - down) / 2.0, normal)))
            write_corner(patch, count, point)
            patch.corners[count, DEPTH] = up + down - rise
            write_features(patch, count, EDGE, 0, 1, EDGE, 0, 1)
            count += 1
    return count


def deepest_of(patch: Patch, count: int) -> float:
    """The greatest depth of a corner."""
    deepest = -inf
    for k in range(count):
        deepest = max(deepest, patch.corners[k, DEPTH])
    return deepest


def choose(patch: Patch, count: int, normal: Vector, least: float) -> None:
    """Choose at most four corners of a patch that keep its extent.

    The first is the deepest. The second is the farthest from it, the third the farthest from their line. The fourth
    adds the most area to the triangle. Corners less deep than `least` and duplicates are left out. Values within
    `tolerances.PATCH_LEVEL` are equal, and the first corner wins, so that the choice is stable under noise.
    """
    for k in range(4):
        patch.chosen[k] = -1
    deepest, size = -inf, 0.0
    for k in range(count):
        if patch.corners[k, DEPTH] >= least:
            deepest = max(deepest, patch.corners[k, DEPTH])
            size = max(size, max(max(abs(patch.corners[k, 0]), abs(patch.corners[k, 1])), abs(patch.corners[k, 2])))
    if deepest == -inf:
        return
    first = 0
    while patch.corners[first, DEPTH] < max(deepest - PATCH_LEVEL * size, least):
        first += 1
    patch.chosen[0] = first
    origin, merge = row(patch.corners, first), SAME * size * (SAME * size)
    farthest = 0.0
    for k in range(count):
        spoke = spoke_of(patch, k, origin, normal, least)
        farthest = max(farthest, dot(spoke, spoke))
    if farthest <= merge:
        return
    second, axis, reach = first, (0.0, 0.0, 0.0), 0.0
    for k in range(count):
        spoke = spoke_of(patch, k, origin, normal, least)
        if dot(spoke, spoke) >= (1.0 - PATCH_LEVEL) * farthest:
            second, axis, reach = k, spoke, dot(spoke, spoke)
            break
    if reach <= merge:
        return
    patch.chosen[1] = second
    across = cross(normal, axis)
    greatest = 0.0
    for k in range(count):
        greatest = max(greatest, abs(dot(spoke_of(patch, k, origin, normal, least), across)))
    tip, area, third = (0.0, 0.0, 0.0), 0.0, first
    for k in range(count):
        spoke = spoke_of(patch, k, origin, normal, least)
        if abs(dot(spoke, across)) >= (1.0 - PATCH_LEVEL) * greatest:
            third, tip, area = k, spoke, dot(spoke, across)
            break
    if area * area <= merge * reach:
        return
    patch.chosen[2] = third
    # With the triangle oriented counterclockwise, the fourth is the corner farthest outside one of its edges.
    turn = 1.0 if area > 0.0 else -1.0
    greatest = 0.0
    for k in range(count):
        greatest = max(greatest, beyond_triangle(spoke_of(patch, k, origin, normal, least), normal, axis, tip, turn))
    for k in range(count):
        if patch.corners[k, DEPTH] < least:
            continue
        beyond = beyond_triangle(spoke_of(patch, k, origin, normal, least), normal, axis, tip, turn)
        if beyond >= (1.0 - PATCH_LEVEL) * greatest:
            if beyond > 0.0 and beyond * beyond > merge * reach:
                patch.chosen[3] = k
            return


def spoke_of(patch: Patch, at: int, origin: Vector, normal: Vector, least: float) -> Vector:
    """The vector in the plane of the patch from a corner to another one.

    Zero if the other is less deep than `least`.
    """
    if patch.corners[at, DEPTH] < least:
        return 0.0, 0.0, 0.0
    spoke = minus(row(patch.corners, at), origin)
    return minus(spoke, scaled(dot(spoke, normal), normal))


def beyond_triangle(spoke: Vector, normal: Vector, axis: Vector, tip: Vector, turn: float) -> float:
    """Return how far a corner is outside the triangle of three others, times the length of an edge."""
    beyond = -turn * dot(spoke, cross(normal, axis))
    across = cross(normal, minus(tip, axis))
    beyond = max(beyond, turn * (dot(axis, across) - dot(spoke, across)))
    across = cross(normal, scaled(-1.0, tip))
    return max(beyond, turn * (dot(tip, across) - dot(spoke, across)))
