# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact patches of a cap or side with the supporting feature of the other shape, projected along the normal.

The supporting feature is an outline: the corners of a face, the ends of an edge or of another cylinder's side, or one
point. The patch of a cap consists of corners of the outline in the cap, crossings of the rim with the edges, and points
of the rim in the outline. A side is clipped by the outline. Two caps are two discs.

If no `level` is given, -1.0, the tolerance of a support plane is `tolerances.SUPPORT` times the size, and a cap or side
may also be tilted by `tolerances.FACE_TILT` against a face. With a level, only what is farthest along the normal to
this level counts, and only points that are exactly over each other.
"""

from math import cos, pi, sin, sqrt
from typing import NamedTuple

from ..numerics.tolerances import (
    CYLINDER_INSIDE,
    EPS,
    FACE_ALIGNMENT,
    FACE_TILT,
    ROUNDING_STEPS,
    SIDE_CONTACT,
    SUPPORT,
)
from .arrays import Vector
from .axes import EDGE, FACE, VERTEX
from .manifolds import share_of
from .patches import DEPTH, Patch, write_corner, write_features
from .supports import Side, on_disc
from .vectors import cross, dot, length, minus, moved, normalized, plus, put, row, scaled

# The index of the edge that stands for the side.
SIDE = 2
# Number of points that represent a rim: enough that the four contacts kept, rim points or crossings, preserve its
# extent.
RIM_POINTS = 8
# Newton steps to the crossings of two rims that are tilted by at most `FACE_TILT`, and the longest step, in radii.
CROSSING_STEPS, LONGEST_STEP = 4, 0.1
# A cosine. Points of a rim are counted from X if the axis is less aligned with X than this, else from Y.
ALONG_X = 0.9


class Cylinder(NamedTuple):
    """A cylinder in the frame of a pair: the vector `half` is from the center to the center of the end cap.

    `rounding` is that of the pair: points that are outside a cap or a face by less are inside.
    """

    center: Vector
    axis: Vector
    half: Vector
    radius: float
    height: float
    size: float
    rounding: float


class Cap(NamedTuple):
    """The cap of a cylinder that faces a direction, with its outward axis. Points within the slack of it are inside."""

    center: Vector
    axis: Vector
    radius: float
    slack: float
    number: int


class Outline(NamedTuple):
    """The supporting feature of the other shape, whose corners are `Patch.theirs`.

    Attributes
    ----------
    kind : int
        `FACE`, `EDGE` or `VERTEX`.
    corners : int
        Their number: two of an edge, which may be the same point, and one of a vertex.
    plane : Vector
        Outward normal of a face.
    face : int
    corner_kind : int
        Kind of feature that a corner is. Its index is in `Patch.their_vertex`.
    side : int
        The edge that all sides are. -1: the edges between the vertices of a polytope.
    """

    kind: int
    corners: int
    plane: Vector
    face: int
    corner_kind: int
    side: int


def placed_cylinder(of: Side, at: int, origin: Vector, rounding: float) -> Cylinder:
    """A row of a batch relative to a point of the world, and the rounding of its pair."""
    half, radius = (of.linear[at, 3], of.linear[at, 4], of.linear[at, 5]), of.sizes[at, 0]
    height = length(half)
    center = minus(row(of.translation, at), origin)
    return Cylinder(center, row(of.linear, at), half, radius, height, length((height, radius, 0.0)), rounding)


def end_along(cylinder: Cylinder, way: Vector) -> float:
    """1 if the end is farther along a direction, else -1."""
    return 1.0 if dot(cylinder.half, way) > 0.0 else -1.0


def outward(cylinder: Cylinder, way: Vector) -> Vector:
    """Vector from the axis to the supporting line of the side along a direction."""
    return on_disc(cylinder.axis, cylinder.radius, way)


def is_cap(cylinder: Cylinder, way: Vector, level: float) -> bool:
    """Whether a cap is the supporting feature along a unit direction, to `FACE_ALIGNMENT` and to the level."""
    if abs(dot(cylinder.axis, way)) < 1.0 - FACE_ALIGNMENT:
        return False
    return level < 0.0 or 2.0 * cylinder.radius * length(cross(cylinder.axis, way)) <= level


def is_side(cylinder: Cylinder, way: Vector, level: float) -> bool:
    """Whether both rims are equally far along a unit direction."""
    slack = SUPPORT * cylinder.size if level < 0.0 else level
    return 2.0 * abs(dot(cylinder.half, way)) <= slack and not is_cap(cylinder, way, level)


def is_nearly_cap(cylinder: Cylinder, way: Vector) -> bool:
    """Whether a cap is the supporting feature within `FACE_TILT`."""
    return abs(dot(cylinder.axis, way)) >= FACE_TILT


def is_nearly_side(cylinder: Cylinder, way: Vector) -> bool:
    """Whether the side is tilted by at most `FACE_TILT`."""
    return abs(dot(cylinder.axis, way)) <= sqrt(1.0 - FACE_TILT * FACE_TILT)


def outline_of_side(cylinder: Cylinder, way: Vector, on_face: bool, level: float, patch: Patch) -> Outline:
    """Write the supporting line on the side of a cylinder along a unit direction, or the supporting point of a rim.

    Against a face or a cap, `on_face`, the line may be tilted by `tolerances.FACE_TILT`.
    """
    side, sign = is_side(cylinder, way, level) or (on_face and is_nearly_side(cylinder, way)), end_along(cylinder, way)
    out = plus(cylinder.center, outward(cylinder, way))
    cap = 1 if sign > 0.0 else 0
    put(patch.theirs, 0, moved(out, cylinder.half, -1.0 if side else sign))
    put(patch.theirs, 1, moved(out, cylinder.half, 1.0 if side else sign))
    patch.their_vertex[0], patch.their_vertex[1] = 0 if side else cap, 1 if side else cap
    corner = VERTEX if cylinder.radius == 0.0 else EDGE
    return Outline(EDGE if side else VERTEX, 2, way, -1, corner, SIDE)


def write_patch(cylinder: Cylinder, outline: Outline, normal: Vector, radius: float, level: float, patch: Patch) -> int:
    """Write the patch of a cylinder with an outline that faces it, and return the number of its corners.

    `normal` is a unit vector from the cylinder to the outline. `radius` is that of the shape around its outline.
    """
    on_cap = is_cap(cylinder, normal, level)
    if level < 0.0 and outline.kind != VERTEX:
        on_cap = on_cap or is_nearly_cap(cylinder, normal)
    # Points that are not opposite each other along the normal are not contacts.
    aside = SUPPORT * (cylinder.size + radius) if level < 0.0 else level
    if on_cap:
        return cap_and_outline(cylinder, outline, normal, radius, aside, patch)
    return side_and_outline(cylinder, outline, normal, radius, aside, level, patch)


def add(
    on_a: Vector,
    on_b: Vector,
    normal: Vector,
    radius: float,
    kind: int,
    index: int,
    their_kind: int,
    their_index: int,
    their_end: int,
    patch: Patch,
    count: int,
) -> int:
    """Write a corner from a point of each feature, and return the number of corners."""
    write_corner(patch, count, scaled(0.5, minus(plus(on_a, on_b), scaled(radius, normal))))
    patch.corners[count, DEPTH] = dot(minus(on_a, on_b), normal) + radius
    write_features(patch, count, kind, index, 0, their_kind, their_index, their_end)
    return count + 1


def are_opposite(on_a: Vector, on_b: Vector, normal: Vector, aside: float) -> bool:
    """Whether two points are over each other along the normal."""
    return length(cross(minus(on_b, on_a), normal)) <= aside


def cap_of(cylinder: Cylinder, way: Vector, reach: float) -> Cap:
    """The cap that faces a direction. `reach` is the distance of the other feature from the center of the cylinder."""
    sign = end_along(cylinder, way)
    slack = max(CYLINDER_INSIDE * EPS * (cylinder.size + reach), cylinder.rounding)
    center = moved(cylinder.center, cylinder.half, sign)
    return Cap(center, scaled(sign, cylinder.axis), cylinder.radius, slack, 1 if sign > 0.0 else 0)


def rim_kind(cylinder: Cylinder, kind: int) -> int:
    """The kind of a feature of a cap or its rim. Those of radius zero are vertices."""
    return VERTEX if cylinder.radius == 0.0 else kind


def first_of_rim(axis: Vector) -> Vector:
    """The unit direction from the center of a rim to its first point."""
    # It must be stable under noise for common axes. The least coordinate of the axis would not be.
    aside = (1.0, 0.0, 0.0) if abs(axis[0]) < ALONG_X else (0.0, 1.0, 0.0)
    return normalized(minus(aside, scaled(dot(aside, axis), axis)))


def rim_point(cap: Cap, which: int) -> Vector:
    """One of `RIM_POINTS` points of the rim."""
    first = first_of_rim(cap.axis)
    second, angle = cross(cap.axis, first), which * (2.0 * pi / RIM_POINTS)
    return moved(cap.center, plus(scaled(cos(angle), first), scaled(sin(angle), second)), cap.radius)


def dropped_on(cap: Cap, point: Vector, normal: Vector) -> Vector:
    """A point moved along the normal into the plane of a cap."""
    return moved(point, normal, dot(minus(cap.center, point), cap.axis) / dot(normal, cap.axis))


def holds(cap: Cap, point: Vector) -> bool:
    """Whether a point in the plane of a cap is inside it."""
    return length(minus(point, cap.center)) <= cap.radius + cap.slack


def write_cap_patch(a: Cylinder, b: Cylinder, normal: Vector, patch: Patch) -> int:
    """Write the patch of a cap of A and a cap of B: two discs, projected along the normal."""
    apart = length(minus(b.center, a.center))
    face_a, face_b = cap_of(a, normal, apart + b.size), cap_of(b, scaled(-1.0, normal), apart + a.size)
    rim_a, rim_b, flat_a, flat_b = rim_kind(a, EDGE), rim_kind(b, EDGE), rim_kind(a, FACE), rim_kind(b, FACE)
    # The two crossings of the circles.
    spoke = minus(dropped_on(face_a, face_b.center, normal), face_a.center)
    away, count = length(spoke), 0
    foot = (away * away + a.radius * a.radius - b.radius * b.radius) / (2.0 * (away if away > 0.0 else 1.0))
    square = a.radius * a.radius - foot * foot
    for k in range(2 if square >= 0.0 and away > 0.0 else 0):
        towards = normalized(spoke)
        sideways = scaled(sqrt(square), cross(face_a.axis, towards))
        point = moved(moved(face_a.center, towards, foot), sideways, 1.0 if k == 0 else -1.0)
        point = on_both_rims(face_a, face_b, point, normal)
        under = dropped_on(face_b, point, normal)
        count = add(point, under, normal, 0.0, rim_a, face_a.number, rim_b, face_b.number, 0, patch, count)
    for k in range(RIM_POINTS):
        point = rim_point(face_a, k)
        under = dropped_on(face_b, point, normal)
        if holds(face_b, under):
            count = add(point, under, normal, 0.0, rim_a, face_a.number, flat_b, face_b.number, 0, patch, count)
    for k in range(RIM_POINTS):
        point = rim_point(face_b, k)
        above = dropped_on(face_a, point, normal)
        if holds(face_a, above):
            count = add(above, point, normal, 0.0, flat_a, face_a.number, rim_b, face_b.number, 0, patch, count)
    return count


def on_both_rims(a: Cap, b: Cap, point: Vector, normal: Vector) -> Vector:
    """Move a point along A's rim to where B's rim is over it, seen along the normal.

    The point is already there except for the tilt between the caps. So a few Newton steps are sufficient.
    """
    if length(cross(a.axis, b.axis)) <= ROUNDING_STEPS * EPS:
        return point
    for _ in range(CROSSING_STEPS):
        turn = cross(a.axis, normalized(minus(point, a.center)))
        spoke = minus(dropped_on(b, point, normal), b.center)
        speed = 2.0 * dot(spoke, minus(turn, scaled(dot(turn, b.axis) / dot(normal, b.axis), normal)))
        step = (dot(spoke, spoke) - b.radius * b.radius) / (speed if speed != 0.0 else 1.0)
        # For rims that almost touch, the crossing is ill-conditioned.
        if abs(step) > LONGEST_STEP * a.radius:
            step = 0.0
        point = moved(a.center, normalized(minus(moved(point, turn, -step), a.center)), a.radius)
    return point


def cap_and_outline(
    cylinder: Cylinder, outline: Outline, normal: Vector, radius: float, aside: float, patch: Patch
) -> int:
    """Write corners in the cap, crossings of the rim with the edges, and points of the rim in the face.

    The order matters: of equally deep points, the first is always kept, and it should be the end of an arc.
    """
    farthest, count = 0.0, 0
    for k in range(outline.corners):
        farthest = max(farthest, length(minus(row(patch.theirs, k), cylinder.center)))
    cap = cap_of(cylinder, normal, farthest)
    flat, rim = rim_kind(cylinder, FACE), rim_kind(cylinder, EDGE)
    for k in range(outline.corners):
        corner, vertex = row(patch.theirs, k), patch.their_vertex[k]
        under = dropped_on(cap, corner, normal)
        if holds(cap, under) and are_opposite(under, corner, normal, aside):
            count = add(under, corner, normal, radius, flat, cap.number, outline.corner_kind, vertex, 0, patch, count)
    # Edges, projected to the plane of the cap, against the circle: |spoke + t run|² = r².
    for k in range(outline.corners):
        following = (k + 1) % outline.corners
        start, end = row(patch.theirs, k), row(patch.theirs, following)
        under = dropped_on(cap, start, normal)
        spoke, run = minus(under, cap.center), minus(dropped_on(cap, end, normal), under)
        square = dot(run, run)
        if square == 0.0:
            continue
        middle = -dot(spoke, run) / square
        nearest = moved(spoke, run, middle)
        inner = (cap.radius + cap.slack) * (cap.radius + cap.slack) - dot(nearest, nearest)
        if inner < 0.0:
            continue
        half = sqrt(inner / square)
        for m in range(2):
            t = middle - half if m == 0 else middle + half
            if 0.0 <= t <= 1.0:
                on_a, on_b = moved(under, run, t), moved(start, minus(end, start), t)
                if are_opposite(on_a, on_b, normal, aside):
                    count = add_on_side(outline, k, on_a, on_b, normal, radius, rim, cap.number, patch, count)
    for k in range(RIM_POINTS if outline.kind == FACE else 0):
        point = rim_point(cap, k)
        above = moved(point, normal, height_of(outline, point, normal, patch))
        if is_within(outline, above, normal, cap.slack, patch) and are_opposite(point, above, normal, aside):
            count = add(point, above, normal, radius, rim, cap.number, FACE, outline.face, 0, patch, count)
    return count


def add_on_side(
    outline: Outline,
    side: int,
    on_a: Vector,
    on_b: Vector,
    normal: Vector,
    radius: float,
    kind: int,
    index: int,
    patch: Patch,
    count: int,
) -> int:
    """Write a corner at the side of an outline that begins at a corner of it; see `add`."""
    their_index, their_end = patch.their_vertex[side], patch.their_vertex[(side + 1) % outline.corners]
    if outline.side >= 0:
        their_index, their_end = outline.side, 0
    return add(on_a, on_b, normal, radius, kind, index, EDGE, their_index, their_end, patch, count)


def height_of(outline: Outline, point: Vector, normal: Vector, patch: Patch) -> float:
    """Distance along the normal from a point to the plane of a face."""
    return dot(minus(row(patch.theirs, 0), point), outline.plane) / dot(normal, outline.plane)


def outward_of(outline: Outline, side: int, normal: Vector, patch: Patch) -> Vector:
    """The outward unit vector of a side of a face, seen along the normal; zero for sides without length."""
    run = minus(row(patch.theirs, (side + 1) % outline.corners), row(patch.theirs, side))
    return normalized(cross(normal, run))


def is_within(outline: Outline, point: Vector, normal: Vector, slack: float, patch: Patch) -> bool:
    """Whether a point projects into a face along the normal."""
    for k in range(outline.corners):
        out = outward_of(outline, k, normal, patch)
        if dot(point, out) - dot(row(patch.theirs, k), out) > slack:
            return False
    return True


def side_and_outline(
    cylinder: Cylinder,
    outline: Outline,
    normal: Vector,
    radius: float,
    aside: float,
    level: float,
    patch: Patch,
) -> int:
    """Write the ends of the part of the side, or the point of the rim, over the outline: two corners."""
    flat, straight, sign = outline.kind == FACE, outline.kind == EDGE, end_along(cylinder, normal)
    long = is_side(cylinder, normal, level) or (level < 0.0 and flat and is_nearly_side(cylinder, normal))
    out, cap = plus(cylinder.center, outward(cylinder, normal)), 1 if sign > 0.0 else 0
    start = moved(out, cylinder.half, -1.0 if long else sign)
    run = minus(moved(out, cylinder.half, 1.0 if long else sign), start)
    first, last = row(patch.theirs, 0), row(patch.theirs, min(1, outline.corners - 1))
    slack = max(CYLINDER_INSIDE * EPS * (cylinder.size + length(minus(start, first))), cylinder.rounding)
    slack = level if level >= 0.0 else slack
    other = minus(last, first)
    square, other_square, across = dot(run, run), dot(other, other), cross(run, other)
    begin, end, enter, leave, crosswise = 0.0, 0.0, 0, 0, False
    if square > 0.0 and flat:
        begin, end, enter, leave = clipped(outline, start, run, normal, slack, patch)
        if not 0.0 <= begin <= end <= 1.0:
            return 0
    elif square > 0.0 and straight:
        wide = level if level >= 0.0 else SUPPORT * sqrt(min(square, other_square))
        if dot(across, across) <= wide * wide * max(square, other_square):
            # Parallel edges: the common part.
            one, two = dot(minus(first, start), run) / square, dot(minus(last, start), run) / square
            begin, end = max(min(one, two), 0.0), min(max(one, two), 1.0)
            if not 0.0 <= begin <= end <= 1.0:
                return 0
        else:
            # Other edges: the crossing of the two lines, seen along the normal.
            crosswise = True
            begin = share_of(dot(minus(first, start), cross(other, normal)), dot(run, cross(other, normal)))
            end = begin
    elif square > 0.0:
        begin = share_of(dot(minus(first, start), run), square)
        end = begin
    count = 0
    for k in range(2):
        t, side = begin if k == 0 else end, enter if k == 0 else leave
        on_a = moved(start, run, t)
        on_b = moved(first, other, share_of(dot(minus(on_a, first), other), other_square))
        if flat:
            on_b = moved(on_a, normal, height_of(outline, on_a, normal, patch))
        elif crosswise:
            # The point on the edge is the crossing itself, not the nearest point.
            beside = cross(run, normal)
            on_b = moved(first, other, share_of(dot(minus(start, first), beside), dot(other, beside)))
        if not are_opposite(on_a, on_b, normal, aside):
            continue
        on_a, on_b, over = over_each_other(cylinder, on_a, on_b, normal, radius)
        if not over:
            continue
        at_end = square == 0.0 or t == (0.0 if k == 0 else 1.0)
        kind, index = EDGE, SIDE
        if at_end:
            kind, index = rim_kind(cylinder, EDGE), k if long else cap
        if flat and not at_end:
            count = add_on_side(outline, side, on_a, on_b, normal, radius, kind, index, patch, count)
        elif flat:
            count = add(on_a, on_b, normal, radius, kind, index, FACE, outline.face, 0, patch, count)
        elif straight:
            count = add_on_side(outline, 0, on_a, on_b, normal, radius, kind, index, patch, count)
        else:
            vertex = patch.their_vertex[0]
            count = add(on_a, on_b, normal, radius, kind, index, outline.corner_kind, vertex, 0, patch, count)
    return count


def clipped(
    outline: Outline, start: Vector, run: Vector, normal: Vector, slack: float, patch: Patch
) -> tuple[float, float, int, int]:
    """Parameters, 0 to 1, at which the segment ``start + t run`` enters and leaves a face, and the sides crossed.

    If the segment misses the face, it leaves before it enters.
    """
    enter, leave, side_enter, side_leave, missed = 0.0, 1.0, 0, 0, False
    for k in range(outline.corners):
        out = outward_of(outline, k, normal, patch)
        beyond, speed = dot(minus(start, row(patch.theirs, k)), out) - slack, dot(run, out)
        if speed < 0.0 and -beyond / speed > enter:
            enter, side_enter = -beyond / speed, k
        elif speed > 0.0 and -beyond / speed < leave:
            leave, side_leave = -beyond / speed, k
        elif speed == 0.0 and beyond > 0.0:
            missed = True
    return enter, -1.0 if missed else leave, side_enter, side_leave


def over_each_other(
    cylinder: Cylinder, on_a: Vector, on_b: Vector, normal: Vector, radius: float
) -> tuple[Vector, Vector, bool]:
    """Move points that are slightly beside each other around both surfaces until they are over each other.

    Also returns whether the results are on both surfaces. Surfaces with a tiny radius cannot be followed this far.
    """
    own, between = cylinder.radius, minus(on_b, on_a)
    aside = minus(between, scaled(dot(between, normal), normal))
    beside, both = length(aside), own + radius
    part = own / both if both > 0.0 else 0.5
    ours, theirs = part * beside, (1.0 - part) * beside
    on_a = moved(plus(on_a, scaled(part, aside)), normalized(outward(cylinder, normal)), -drop(own, ours))
    on_b = moved(moved(on_b, aside, part - 1.0), normal, drop(radius, theirs))
    spoke = minus(on_a, cylinder.center)
    level = dot(spoke, cylinder.axis)
    off = max(abs(level) - cylinder.height, length(moved(spoke, cylinder.axis, -level)) - own)
    off = max(max(off, theirs - radius), length(cross(minus(on_b, on_a), normal)))
    return on_a, on_b, off <= SIDE_CONTACT * (cylinder.size + radius)


def drop(radius: float, aside: float) -> float:
    """Height difference of a round surface between its ridge and a point beside it."""
    part = min(aside, radius)
    rest = radius + sqrt(radius * radius - part * part)
    return part * part / rest if rest > 0.0 else 0.0
