# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact manifolds of two convex shapes whose distance, normal and witness points are known.

If the normal is nearly that of a face, the contact is a patch. For two parallel capsules, it is a line segment.
Otherwise it is one point, midway between the witness points. An edge must be significantly better than a face to
determine the contact. Otherwise rounding would decide whether a crate on another crate has four contacts or one.
"""

from math import isnan
from typing import NamedTuple

from ..numerics.tolerances import (
    COPLANAR,
    EPS,
    FACE_ALIGNMENT,
    FACE_DEEPER,
    FACE_DEEPER_SIZE,
    FACE_TIE,
    FACE_TILT,
    PATCH_DEPTH,
    SUPPORT,
    SUPPORT_STEPS,
)
from .arrays import Ints1, Ints2, Vector
from .axes import EDGE
from .exact import difference, exact_cross
from .loading import kernel
from .patches import (
    DEPTH,
    OUR_END,
    OUR_INDEX,
    OUR_KIND,
    THEIR_END,
    THEIR_INDEX,
    THEIR_KIND,
    Patch,
    are_side_by_side,
    choose,
    deepest_of,
    face_patch,
    facing_of,
    segment_patch,
    write_corner,
)
from .results import ContactRows, DistanceRows
from .solids import (
    FIRST_EDGE,
    THIN,
    Placed,
    Solid,
    Solids,
    edge_between,
    highest,
    is_joined,
    is_level,
    place,
    radius_of,
    shown_feature,
    size_of,
    supporting_face,
    supporting_feature,
    vertex_count,
)
from .vectors import cross, dot, length, minus, moved, normalized, plus, put, row, scaled


class Room(NamedTuple):
    """Room for one pair: the polytopes of A and of B, and a patch."""

    a: Placed
    b: Placed
    patch: Patch


@kernel
def contacts(
    a: Solids,
    rows_a: Ints1,
    b: Solids,
    rows_b: Ints1,
    room: Room,
    margin: float,
    known: DistanceRows,
    written: ContactRows,
) -> tuple[int, bool]:
    """Compute the contacts of pairs that are near enough.

    Parameters
    ----------
    a, b : Solids
    rows_a, rows_b : (P,) int64
        The shapes of each pair.
    room : Room
    margin : float
        Pairs up to this distance have contacts. Corners of a patch that are less deep are left out. A pair's own
        contact is always kept.
    known : DistanceRows
    written : ContactRows
        A patch has the normal of its face, and the depths along it. The greatest depth is that of the pair, or more
        within `tolerances.FACE_DEEPER` and `FACE_DEEPER_SIZE`.

    Returns
    -------
    count : int
        Number of contacts.
    thin : bool
        Whether one of them is of a needle or a plate.
    """
    count, thin = 0, False
    for at in range(len(rows_a)):
        gap, slack = known.distance[at], known.rounding[at]
        if not gap <= margin + slack:
            continue
        one, other = Solid(a, rows_a[at], room.a), Solid(b, rows_b[at], room.b)
        origin, way, first = row(a.translation, one.at), row(known.normal, at), count
        place(one, origin)
        place(other, origin)
        count, way = manifold(
            one, other, room.patch, way, gap, middle(known, at, origin), margin, slack, written, count
        )
        sort(written, first, count)
        thin = thin or a.extents[one.at, THIN] > 0.0 or b.extents[other.at, THIN] > 0.0
        for k in range(first, count):
            written.pair[k] = at
            put(written.point, k, plus(row(written.point, k), origin))
            put(written.normal, k, way)
            written.depth[k] = max(written.depth[k], -margin)
            put_feature(written.feature_a, k, shown_feature(one, written.feature_a[k, 0], written.feature_a[k, 1]))
            put_feature(written.feature_b, k, shown_feature(other, written.feature_b[k, 0], written.feature_b[k, 1]))
    return count, thin


def middle(known: DistanceRows, at: int, origin: Vector) -> Vector:
    """The point midway between the witness points of a pair, relative to an origin."""
    # The sum of the points before the origin is subtracted has the rounding of the world.
    return minus(scaled(0.5, plus(row(known.point_a, at), row(known.point_b, at))), origin)


def put_feature(features: Ints2, at: int, feature: tuple[int, int]) -> None:
    """Write the kind and the index of a feature."""
    features[at, 0], features[at, 1] = feature


def manifold(
    a: Solid,
    b: Solid,
    patch: Patch,
    way: Vector,
    gap: float,
    own: Vector,
    margin: float,
    rounding: float,
    written: ContactRows,
    count: int,
) -> tuple[int, Vector]:
    """Write the contacts of one pair after the first `count`. Returns how many there are then, and their normal.

    `own` is the point midway between the witness points, and `rounding` that of their distance.
    """
    least = -(margin + rounding)
    size_a, size_b = size_of(a), size_of(b)
    back, size = scaled(-1.0, way), size_a + size_b
    face_a, cosine_a = supporting_face(a, way, SUPPORT * size_a)
    face_b, cosine_b = supporting_face(b, back, SUPPORT * size_b)
    rounded = radius_of(a) + radius_of(b) > 0.0
    faced = vertex_count(a) > 1 and vertex_count(b) > 1
    # The patch of joined coplanar faces may miss the deepest corner.
    uneven = COPLANAR * ((size_a if is_joined(a) else 0.0) + (size_b if is_joined(b) else 0.0))
    lowest = -gap - FACE_DEEPER * max(gap, 0.0) - PATCH_DEPTH * size - uneven
    greatest = -gap + FACE_DEEPER * abs(gap) + FACE_DEEPER_SIZE * min(size_a, size_b)
    # A face may be off the pair's own normal by `FACE_TILT`. A round side touches a face along the face's own normal,
    # whatever is beyond the face's edge.
    nearest = 1.0 - FACE_ALIGNMENT if rounded else FACE_TILT
    by_b_first = cosine_b > cosine_a + FACE_TIE
    for turn in range(2):
        of_b = by_b_first != (turn == 1)
        cosine = cosine_b if of_b else cosine_a
        if not faced or cosine < nearest:
            continue
        if of_b:
            outward, facing = row(b.placed.normals, face_b), face_a
            if cosine < 1.0 - FACE_ALIGNMENT:
                facing = facing_of(a, outward)
            corners = face_patch(b, a, face_b, outward, facing, rounding, patch)
        else:
            outward, facing = row(a.placed.normals, face_a), face_b
            if cosine < 1.0 - FACE_ALIGNMENT:
                facing = facing_of(b, outward)
            corners = face_patch(a, b, face_a, outward, facing, rounding, patch)
        deepest = deepest_of(patch, corners)
        outward = scaled(-1.0, outward) if of_b else outward
        # The patch must be as deep as the pair and not much deeper.
        if not (lowest <= deepest <= greatest and dot(outward, way) >= FACE_TILT):
            continue
        choose(patch, corners, outward, least)
        # If the face is off at all, the patch must have two points. For a single point, the pair's own contact is
        # better.
        if patch.chosen[0] < 0 or (patch.chosen[1] < 0 and cosine < 1.0 - FACE_ALIGNMENT):
            continue
        count = keep(a, b, patch, of_b, corners, written, count)
        return count, outward
    put(written.point, count, own)
    written.depth[count] = -gap
    put_feature(written.feature_a, count, supporting_feature(a, way, face_a, cosine_a))
    put_feature(written.feature_b, count, supporting_feature(b, back, face_b, cosine_b))
    level = SUPPORT_STEPS * EPS * size
    corners, by_b = level_patch(a, b, patch, way, face_a, cosine_a, face_b, cosine_b, level, rounding)
    if corners < 0:
        return count + 1, way
    of_patch = corners
    # The pair's own point is added if the patch is less deep than the pair.
    if deepest_of(patch, corners) < -gap - PATCH_DEPTH * size:
        write_corner(patch, corners, own)
        patch.corners[corners, DEPTH] = -gap
        corners += 1
    choose(patch, corners, way, least)
    if patch.chosen[0] < 0:
        return count + 1, way
    return keep(a, b, patch, by_b, of_patch, written, count), way


def level_patch(
    a: Solid,
    b: Solid,
    patch: Patch,
    way: Vector,
    face_a: int,
    cosine_a: float,
    face_b: int,
    cosine_b: float,
    level: float,
    rounding: float,
) -> tuple[int, bool]:
    """Write the corners of the patch along a pair's own normal.

    The face that is level, seen along the normal, is the reference. If both are, it is the better aligned one. A sphere
    touches in one point, which is already known. Returns the number of corners, -1 if there is no patch, and whether
    the reference is B.
    """
    if vertex_count(a) == 1 or vertex_count(b) == 1:
        return -1, False
    back = scaled(-1.0, way)
    flat_a = is_level(a, way, face_a, cosine_a, level)
    flat_b = is_level(b, back, face_b, cosine_b, level)
    if flat_b and (not flat_a or cosine_b > cosine_a):
        facing = facing_of(a, back)
        return face_patch(b, a, face_b, back, facing, rounding, patch), True
    if flat_a:
        facing = facing_of(b, way)
        return face_patch(a, b, face_a, way, facing, rounding, patch), False
    if vertex_count(a) == 2 and vertex_count(b) == 2 and are_side_by_side(a.placed, b.placed, way):
        return segment_patch(a, b, way, patch), False
    return -1, False


def keep(a: Solid, b: Solid, patch: Patch, of_b: bool, corners: int, written: ContactRows, count: int) -> int:
    """Write the chosen corners of a patch after the first `count` contacts, and return how many there are then.

    A corner after the first `corners` is the pair's own contact, which is at the place `count`.
    """
    own_a = written.feature_a[count, 0], written.feature_a[count, 1]
    own_b = written.feature_b[count, 0], written.feature_b[count, 1]
    for n in range(4):
        k = patch.chosen[n]
        if k < 0:
            break
        put(written.point, count, row(patch.corners, k))
        written.depth[count] = patch.corners[k, DEPTH]
        if k >= corners:
            put_feature(written.feature_a, count, own_a)
            put_feature(written.feature_b, count, own_b)
        elif of_b:
            put_feature(written.feature_b, count, ours_of(b, patch, k))
            put_feature(written.feature_a, count, theirs_of(a, patch, k))
        else:
            put_feature(written.feature_a, count, ours_of(a, patch, k))
            put_feature(written.feature_b, count, theirs_of(b, patch, k))
        count += 1
    return count


def ours_of(of: Solid, patch: Patch, corner: int) -> tuple[int, int]:
    """The feature of the reference at a corner of a patch."""
    kind, index = patch.made[corner, OUR_KIND], patch.made[corner, OUR_INDEX]
    return kind, edge_between(of, index, patch.made[corner, OUR_END]) if kind == EDGE else index


def theirs_of(of: Solid, patch: Patch, corner: int) -> tuple[int, int]:
    """The feature of the incident shape at a corner of a patch."""
    kind, index = patch.made[corner, THEIR_KIND], patch.made[corner, THEIR_INDEX]
    return kind, edge_between(of, index, patch.made[corner, THEIR_END]) if kind == EDGE else index


def sort(written: ContactRows, first: int, count: int) -> None:
    """Order contacts by depth, deepest first. Equally deep ones keep their order."""
    for last in range(count - 1, first, -1):
        for k in range(first, last):
            if written.depth[k] < written.depth[k + 1]:
                written.depth[k], written.depth[k + 1] = written.depth[k + 1], written.depth[k]
                one, other = row(written.point, k), row(written.point, k + 1)
                put(written.point, k, other)
                put(written.point, k + 1, one)
                swap_features(written.feature_a, k)
                swap_features(written.feature_b, k)


def swap_features(features: Ints2, at: int) -> None:
    """Exchange a feature and the next one."""
    for n in range(2):
        features[at, n], features[at + 1, n] = features[at + 1, n], features[at, n]


def patch_center(
    a: Solid, b: Solid, patch: Patch, way: Vector, edge_a: int, edge_b: int, touch: Vector, slack: float
) -> tuple[Vector, float, bool]:
    """The mean of the deepest part of the contact patch of a pair along its best axis. Both shapes are placed.

    Parameters
    ----------
    a, b : Solid
    patch : Patch
    way : Vector
        The axis with the least overlap, or with the largest gap for separated pairs.
    edge_a, edge_b : int
        The edges whose cross product is the axis, else -1.
    touch : Vector
        A point that both cores contain if they only share boundary points, else NaN.
    slack : float
        Corners of a patch within this of the greatest depth are equally deep.

    Returns
    -------
    point : Vector
        Midway between the two surfaces.
    depth : float
        Along the axis.
    known : bool
        Whether the point lies on both surfaces within rounding.

    Notes
    -----
    Seen along the axis, the supporting features of A and of B have a common point if no axis has less overlap. A face
    is the supporting feature if it is level within rounding. Otherwise an edge or a corner of it lies farther. If
    neither a face nor two edges determine the point, it is not known.
    """
    level = SUPPORT_STEPS * EPS * (size_of(a) + size_of(b))
    back, radius_a, radius_b = scaled(-1.0, way), radius_of(a), radius_of(b)
    top, bottom = highest(a, way) + radius_a, -highest(b, back) - radius_b
    depth = top - bottom
    point, known = touch, True
    if isnan(touch[0]):
        point, known = common_point(a, b, way, edge_a, edge_b, top - radius_a, bottom + radius_b, level)
    face_a, cosine_a = supporting_face(a, way, level)
    face_b, cosine_b = supporting_face(b, back, level)
    corners, _ = level_patch(a, b, patch, way, face_a, cosine_a, face_b, cosine_b, level, 0.0)
    deepest = deepest_of(patch, corners)
    if corners > 0 and deepest >= depth - level:
        # The mean of the deepest corners.
        center, number = (0.0, 0.0, 0.0), 0.0
        for k in range(corners):
            if patch.corners[k, DEPTH] >= deepest - slack:
                number += 1.0
        for k in range(corners):
            if patch.corners[k, DEPTH] >= deepest - slack:
                center = plus(center, scaled(1.0 / number, row(patch.corners, k)))
        # Faces that are joined, and segments that are nearly parallel, are not exactly where they are taken to be.
        segments = vertex_count(a) == 2 and vertex_count(b) == 2
        point, known = center, not (is_joined(a) or is_joined(b) or segments)
    # Move the point to the mid-height of the pair. The height of a corner differs from it by rounding.
    return moved(point, way, (top + bottom) / 2.0 - dot(point, way)), depth, known


def common_point(
    a: Solid, b: Solid, way: Vector, edge_a: int, edge_b: int, top: float, bottom: float, level: float
) -> tuple[Vector, bool]:
    """The crossing of the two edges that determine the axis, and whether it is known.

    `top` and `bottom` are the height of A's core along the normal, and that of B's core against it.
    """
    # The core of a sphere is its center.
    if vertex_count(a) == 1:
        return row(a.placed.vertices, 0), True
    if vertex_count(b) == 1:
        return row(b.placed.vertices, 0), True
    start_a, run_a, _ = run_of(a, max(edge_a, 0))
    start_b, run_b, _ = run_of(b, max(edge_b, 0))
    # Seen along the normal, the two edges cross. For nearly parallel edges, take a point of their common part.
    between, along_a, along_b = flattened(minus(start_b, start_a), way), flattened(run_a, way), flattened(run_b, way)
    across = cross(along_b, way)
    t = share_of(dot(between, across), dot(along_a, across))
    u = share_of(dot(minus(scaled(t, along_a), between), along_b), dot(along_b, along_b))
    t = share_of(dot(moved(between, along_b, u), along_a), dot(along_a, along_a))
    on_a, on_b = moved(start_a, run_a, t), moved(start_b, run_b, u)
    off = length(minus(minus(scaled(t, along_a), between), scaled(u, along_b)))
    off = max(off, max(top - dot(on_a, way), dot(on_b, way) - bottom))
    return scaled(0.5, plus(on_a, on_b)), edge_a >= 0 and edge_b >= 0 and off <= level


def run_of(of: Solid, edge: int) -> tuple[Vector, Vector, Vector]:
    """The first vertex of an edge, the vector to the second one, and its rounding error."""
    place_of = of.solids.polytopes[of.solids.geometry[of.at], FIRST_EDGE] + edge
    start = row(of.placed.vertices, of.solids.edges[place_of, 0])
    run, error = difference(row(of.placed.vertices, of.solids.edges[place_of, 1]), start)
    return start, run, error


def flattened(a: Vector, way: Vector) -> Vector:
    """The component of a vector that is perpendicular to a unit vector."""
    return minus(a, scaled(dot(a, way), way))


def share_of(part: float, whole: float) -> float:
    """The ratio of part and whole, clipped to 0 and 1. 0 if the whole is 0."""
    return min(max(part / (whole if whole != 0.0 else 1.0), 0.0), 1.0)


def refined(a: Solid, b: Solid, edge_a: int, edge_b: int, way: Vector) -> Vector:
    """The exact cross product of two edges, if it has less overlap than their known one. Both are placed."""
    _, run_a, error_a = run_of(a, edge_a)
    _, run_b, error_b = run_of(b, edge_b)
    axis = exact_cross(run_a, error_a, run_b, error_b)
    if axis[0] == 0.0 and axis[1] == 0.0 and axis[2] == 0.0:
        return way
    axis = normalized(axis)
    axis = scaled(-1.0, axis) if dot(axis, way) < 0.0 else axis
    return axis if overlap_along(a, b, axis) < overlap_along(a, b, way) else way


def overlap_along(a: Solid, b: Solid, way: Vector) -> float:
    """Return how far the cores of A and B overlap along a direction."""
    return highest(a, way) + highest(b, scaled(-1.0, way))
