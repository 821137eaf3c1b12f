# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of cylinders with polytopes and with each other, along the normals of known distances."""

from math import inf, nan

from ..numerics.tolerances import CYLINDER_INSIDE, EPS, FACE_ALIGNMENT, FACE_TILT, OFF_THIN, PATCH_LEVEL, SUPPORT
from .arrays import Bools1, Floats1, Floats2, Ints1, Vector
from .axes import EDGE, FACE, VERTEX
from .cylinder_patches import (
    SIDE,
    Cylinder,
    Outline,
    end_along,
    is_cap,
    is_nearly_cap,
    is_nearly_side,
    is_side,
    outline_of_side,
    placed_cylinder,
    rim_kind,
    write_cap_patch,
    write_patch,
)
from .loading import kernel
from .manifolds import Room, middle, put_feature, sort, theirs_of
from .patches import (
    DEPTH,
    OUR_INDEX,
    OUR_KIND,
    THEIR_INDEX,
    THEIR_KIND,
    Patch,
    choose,
    deepest_of,
    write_corner,
    write_features,
)
from .results import ContactRows, DistanceRows
from .solids import (
    CORNERS,
    EDGES,
    FIRST_EDGE,
    START,
    THIN,
    Solid,
    Solids,
    edge_between,
    is_joined,
    outline_of,
    place,
    radius_of,
    rise_to_surface,
    shown_feature,
    size_of,
    supporting_face,
    vertex_count,
)
from .supports import Side
from .vectors import cross, dot, greatest_coordinate, length, minus, moved, plus, put, row, scaled

# The level of what is not to be exactly level; see `cylinder_patches`.
NEARLY = -1.0


@kernel
def with_polytopes(
    a: Side,
    rows_a: Ints1,
    b: Solids,
    rows_b: Ints1,
    room: Room,
    margin: float,
    known: DistanceRows,
    written: ContactRows,
    off: Bools1,
) -> tuple[int, bool]:
    """Compute the contacts of cylinders and polytopes with a radius.

    Parameters
    ----------
    a, rows_a, b, rows_b : Side, (P,) int64, Solids, (P,) int64
        All shapes, and those of each pair.
    room : Room
    margin : float
        Corners of a patch that are less deep than minus the margin are left out.
    known : DistanceRows
    written : ContactRows
        All contacts of a pair have its normal.
    off : (K,) bool
        Written: whether a contact with a needle or a plate is off the cylinder.

    Returns
    -------
    count : int
        Number of contacts.
    thin : bool
        Whether one of them is of a needle or a plate.
    """
    count, thin = 0, False
    for at in range(len(rows_a)):
        i, other = rows_a[at], Solid(b, rows_b[at], room.b)
        origin, way, first = row(a.translation, i), row(known.normal, at), count
        cylinder = placed_cylinder(a, i, origin, known.rounding[at])
        place(other, origin)
        corners = patch_with_polytope(cylinder, other, room.patch, way, NEARLY)
        own = choose_with(known, at, origin, margin, corners, room.patch)
        for n in range(4):
            k = room.patch.chosen[n]
            if k < 0:
                break
            kind, index = room.patch.made[k, OUR_KIND], room.patch.made[k, OUR_INDEX]
            if k == own:
                kind, index = own_feature(cylinder, way)
                outline = outline_of_core(other, scaled(-1.0, way), False, False, False, NEARLY, room.patch)
                their_kind, their_index = feature_of(outline, other, room.patch)
            else:
                their_kind, their_index = theirs_of(other, room.patch, k)
            their_kind, their_index = shown_feature(other, their_kind, their_index)
            write_features(room.patch, k, kind, index, 0, their_kind, their_index, 0)
        count = write_chosen(room.patch, False, at, way, margin, written, count)
        is_thin = b.extents[other.at, THIN] > 0.0
        thin = thin or (is_thin and count > first)
        for k in range(first, count):
            place_of = row(written.point, k)
            surface = moved(place_of, way, written.depth[k] / 2.0)
            off[k] = is_thin and outside(cylinder, surface) > allowed(place_of, known.rounding[at])
            put(written.point, k, plus(place_of, origin))
    return count, thin


@kernel
def with_cylinders(
    a: Side,
    rows_a: Ints1,
    b: Side,
    rows_b: Ints1,
    room: Room,
    margin: float,
    known: DistanceRows,
    written: ContactRows,
    off: Bools1,
) -> int:
    """Compute the contacts of two cylinders each; see `with_polytopes`. All cylinders may be needles or plates."""
    count = 0
    for at in range(len(rows_a)):
        origin, way, first = row(a.translation, rows_a[at]), row(known.normal, at), count
        rounding = known.rounding[at]
        one = placed_cylinder(a, rows_a[at], origin, rounding)
        other = placed_cylinder(b, rows_b[at], origin, rounding)
        corners, of_b = patch_with_cylinder(one, other, way, NEARLY, room.patch)
        own = choose_with(known, at, origin, margin, corners, room.patch)
        if own >= 0:
            kind, index = own_feature(one, way)
            their_kind, their_index = own_feature(other, scaled(-1.0, way))
            if of_b:
                kind, index, their_kind, their_index = their_kind, their_index, kind, index
            write_features(room.patch, own, kind, index, 0, their_kind, their_index, 0)
        count = write_chosen(room.patch, of_b, at, way, margin, written, count)
        for k in range(first, count):
            place_of, half = row(written.point, k), written.depth[k] / 2.0
            on_a, on_b = moved(place_of, way, half), moved(place_of, way, -half)
            off[k] = max(outside(one, on_a), outside(other, on_b)) > allowed(place_of, known.rounding[at])
            put(written.point, k, plus(place_of, origin))
    return count


def choose_with(known: DistanceRows, at: int, origin: Vector, margin: float, corners: int, patch: Patch) -> int:
    """Choose at most four corners of a patch, and return the one that is the pair's own contact, -1 if there is none.

    If the patch is less deep than the pair, the pair's own contact is added, midway between its witness points. A rim
    is represented by a few points. The depth that a cap tilted by noise lacks between these points is ignored.
    """
    distance, slack, way = known.distance[at], known.rounding[at], row(known.normal, at)
    deepest, size, own = deepest_of(patch, corners), 0.0, -1
    for k in range(corners):
        size = max(size, greatest_coordinate(row(patch.corners, k)))
    lacking = PATCH_LEVEL * size if corners > 2 else slack
    if deepest < -distance - lacking or deepest < -(margin + slack):
        own = corners
        write_corner(patch, own, middle(known, at, origin))
        patch.corners[own, DEPTH] = -distance
        corners += 1
    choose(patch, corners, way, -(margin + slack))
    return own


def write_chosen(
    patch: Patch, of_b: bool, at: int, way: Vector, margin: float, written: ContactRows, count: int
) -> int:
    """Write the chosen corners of a patch of a pair after the first `count` contacts, the deepest first.

    Points are in the frame of the pair. The features are those of the corners: B's come first if `of_b`. Returns how
    many contacts there are then.
    """
    first = count
    for n in range(4):
        k = patch.chosen[n]
        if k < 0:
            break
        ours = patch.made[k, OUR_KIND], patch.made[k, OUR_INDEX]
        theirs = patch.made[k, THEIR_KIND], patch.made[k, THEIR_INDEX]
        written.pair[count], written.depth[count] = at, max(patch.corners[k, DEPTH], -margin)
        put(written.point, count, row(patch.corners, k))
        put(written.normal, count, way)
        put_feature(written.feature_a, count, theirs if of_b else ours)
        put_feature(written.feature_b, count, ours if of_b else theirs)
        count += 1
    sort(written, first, count)
    return count


@kernel
def middles_with_polytopes(
    a: Side, b: Solids, room: Room, normal: Floats2, distance: Floats1, slack: Floats1, point: Floats2
) -> None:
    """Write the middle of the deepest part of the patch of each row of A and B, along its normal.

    NaN if the patch is less deep than the pair, by more than the slack: the features only face each other within
    rounding.
    """
    zero = 0.0, 0.0, 0.0
    for at in range(len(slack)):
        other = Solid(b, at, room.b)
        place(other, zero)
        corners = patch_with_polytope(placed_cylinder(a, at, zero, 0.0), other, room.patch, row(normal, at), slack[at])
        put(point, at, deepest_middle(room.patch, corners, distance[at], slack[at]))


@kernel
def middles_with_cylinders(
    a: Side, b: Side, room: Room, normal: Floats2, distance: Floats1, slack: Floats1, point: Floats2
) -> None:
    """The same as `middles_with_polytopes` for two cylinders."""
    zero = 0.0, 0.0, 0.0
    for at in range(len(slack)):
        one, other = placed_cylinder(a, at, zero, 0.0), placed_cylinder(b, at, zero, 0.0)
        corners, _ = patch_with_cylinder(one, other, row(normal, at), slack[at], room.patch)
        put(point, at, deepest_middle(room.patch, corners, distance[at], slack[at]))


def deepest_middle(patch: Patch, corners: int, distance: float, slack: float) -> Vector:
    """The mean of the deepest corners of a patch. NaN if they are less deep than the pair."""
    deepest, number, middle = deepest_of(patch, corners), 0.0, (0.0, 0.0, 0.0)
    if not deepest >= -distance - slack:
        return nan, nan, nan
    for k in range(corners):
        if patch.corners[k, DEPTH] >= deepest - slack:
            number += 1.0
    for k in range(corners):
        if patch.corners[k, DEPTH] >= deepest - slack:
            middle = moved(middle, row(patch.corners, k), 1.0 / number)
    return middle


def patch_with_polytope(cylinder: Cylinder, b: Solid, patch: Patch, way: Vector, level: float) -> int:
    """Write the patch of a cylinder and a polytope that is placed, and return the number of its corners."""
    back, tilts = scaled(-1.0, way), level < 0.0
    on_cap, on_side = tilts and is_nearly_cap(cylinder, way), tilts and is_nearly_side(cylinder, way)
    outline = outline_of_core(b, back, tilts, on_cap, on_side, level, patch)
    corners = write_patch(cylinder, outline, way, radius_of(b), level, patch)
    if outline.kind == FACE and is_joined(b):
        for k in range(corners):
            # From the plane of the joined faces to the faces themselves.
            middle = row(patch.corners, k)
            on_b = moved(middle, way, -patch.corners[k, DEPTH] / 2.0)
            rise = rise_to_surface(b, on_b, back)
            write_corner(patch, k, moved(middle, way, -rise / 2.0))
            patch.corners[k, DEPTH] += rise
    return corners


def patch_with_cylinder(a: Cylinder, b: Cylinder, way: Vector, level: float, patch: Patch) -> tuple[int, bool]:
    """Write the patch of two cylinders. Returns the number of its corners, and whether its first features are B's."""
    back, cap_a, cap_b = scaled(-1.0, way), is_cap(a, way, level), is_cap(b, way, level)
    if level < 0.0:
        cap_a, cap_b = is_nearly_cap(a, way), is_nearly_cap(b, way)
    if cap_a and cap_b:
        return write_cap_patch(a, b, way, patch), False
    if cap_b:
        outline = outline_of_side(a, way, level < 0.0, level, patch)
        return write_patch(b, outline, back, 0.0, level, patch), True
    outline = outline_of_side(b, back, level < 0.0 and cap_a, level, patch)
    return write_patch(a, outline, way, 0.0, level, patch), False


def outline_of_core(
    of: Solid, way: Vector, tilts: bool, on_cap: bool, on_side: bool, level: float, patch: Patch
) -> Outline:
    """Write the supporting face, edge or vertex of the core of a polytope along a unit direction.

    If it may be tilted, `tilts`, a face counts within `tolerances.FACE_TILT` against a cap and against a side, and an
    edge against a cap.
    """
    slack, count = SUPPORT * size_of(of) if level < 0.0 else level, vertex_count(of)
    face, cosine = supporting_face(of, way, slack)
    most, top = -inf, 0
    for k in range(count):
        of.placed.level[k] = dot(row(of.placed.vertices, k), way)
        if of.placed.level[k] > most:
            most, top = of.placed.level[k], k
    least = most - slack
    if cosine >= (FACE_TILT if on_cap or on_side else 1.0 - FACE_ALIGNMENT):
        outline, area, even = outline_of(of, face), (0.0, 0.0, 0.0), True
        begin, corners = of.solids.polygons[outline, START], of.solids.polygons[outline, CORNERS]
        start = row(of.placed.vertices, of.solids.corners[begin])
        for k in range(corners):
            vertex, following = of.solids.corners[begin + k], of.solids.corners[begin + (k + 1) % corners]
            corner = row(of.placed.vertices, vertex)
            area = plus(area, cross(minus(corner, start), minus(row(of.placed.vertices, following), start)))
            even = even and (level < 0.0 or of.placed.level[vertex] >= least)
            put(patch.theirs, k, corner)
            patch.their_vertex[k] = vertex
        # A flat box has faces without area, which are edges or vertices.
        size = size_of(of)
        if even and length(area) > CYLINDER_INSIDE * EPS * size * size:
            return Outline(FACE, corners, row(of.placed.normals, face), face, VERTEX, -1)
    # Of collinear edges, as in a triangle without area, the longest. An edge of length zero is a vertex.
    best, longest = longest_edge(of, way, least, False)
    if longest == 0.0 and tilts and on_cap:
        best, longest = longest_edge(of, way, least, True)
    if longest > 0.0:
        first = of.solids.polytopes[of.solids.geometry[of.at], FIRST_EDGE]
        for k in range(2):
            vertex = of.solids.edges[first + best, k]
            put(patch.theirs, k, row(of.placed.vertices, vertex))
            patch.their_vertex[k] = vertex
        return Outline(EDGE, 2, way, -1, VERTEX, -1)
    put(patch.theirs, 0, row(of.placed.vertices, top))
    patch.their_vertex[0] = top
    return Outline(VERTEX, 1, way, -1, VERTEX, -1)


def longest_edge(of: Solid, way: Vector, least: float, sloping: bool) -> tuple[int, float]:
    """The longest edge on the support plane, and the square of its length, which is 0 if there is none.

    If `sloping`, one end is enough if the edge is tilted by at most `tolerances.FACE_TILT`. The heights of the vertices
    are `Placed.level`.
    """
    best, longest, kind = 0, 0.0, of.solids.geometry[of.at]
    for k in range(of.solids.polytopes[kind, EDGES]):
        edge = of.solids.polytopes[kind, FIRST_EDGE] + k
        one, other = of.solids.edges[edge, 0], of.solids.edges[edge, 1]
        run = minus(row(of.placed.vertices, one), row(of.placed.vertices, other))
        square, rise = dot(run, run), dot(run, way)
        high, low = max(of.placed.level[one], of.placed.level[other]), min(of.placed.level[one], of.placed.level[other])
        little = rise * rise <= (1.0 - FACE_TILT * FACE_TILT) * square
        there = (high >= least and little) if sloping else low >= least
        if there and square > longest:
            best, longest = k, square
    return best, longest


def feature_of(outline: Outline, of: Solid, patch: Patch) -> tuple[int, int]:
    """Kind and index of the whole feature of a polytope."""
    if outline.kind == FACE:
        return FACE, outline.face
    first = patch.their_vertex[0]
    if outline.kind == EDGE:
        return EDGE, edge_between(of, first, patch.their_vertex[1])
    return VERTEX, first


def own_feature(cylinder: Cylinder, way: Vector) -> tuple[int, int]:
    """Kind and index of the supporting feature of a cylinder along a unit direction."""
    if is_side(cylinder, way, NEARLY):
        return EDGE, SIDE
    kind = FACE if is_cap(cylinder, way, NEARLY) else EDGE
    return rim_kind(cylinder, kind), 1 if end_along(cylinder, way) > 0.0 else 0


def allowed(point: Vector, rounding: float) -> float:
    """Return how far a contact with a needle or a plate may be off a surface."""
    return max(OFF_THIN * greatest_coordinate(point), rounding)


def outside(cylinder: Cylinder, point: Vector) -> float:
    """The distance of a point outside a cylinder."""
    spoke = minus(point, cylinder.center)
    level = dot(spoke, cylinder.axis)
    away = length(moved(spoke, cylinder.axis, -level)) - cylinder.radius
    return length((max(abs(level) - cylinder.height, 0.0), max(away, 0.0), 0.0))
