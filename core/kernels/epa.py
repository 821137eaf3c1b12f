# SPDX-License-Identifier: GPL-3.0-or-later
"""The expanding polytope algorithm: the distance of the origin from the boundary of A - B, pair by pair.

A polytope grows inside A - B, from a tetrahedron of support points around the origin. In each step, the support point
along the normal of the nearest face becomes a vertex. The polytope is complete when this support point is not beyond
the face. Van den Bergen, Collision Detection in Interactive 3D Environments, 2003, section 4.3.8.

Both bounds of the depth are certified. The plane through a support point is an upper bound, whatever the face it came
from. The distance of the nearest face is a lower bound for two reasons. The faces form a closed surface, because the
cone over the rim replaces the faces that it borders. And the origin is behind all faces. Such a surface encloses the
origin, and the ball up to its nearest face is inside the hull of its vertices. The surface need not be convex for this.
"""

from math import inf, sqrt
from typing import NamedTuple, TypeAlias

from ..numerics.tolerances import EPS, FACE_ALIGNMENT
from .arrays import Floats2, Ints1, Ints2, Vector
from .supports import Shape, support
from .vectors import cross, divided, dot, length, minus, plus, put, row, scaled

# Maximum number of steps for one pair. Polytopes of a hundred vertices take about 15.
MOST_STEPS = 96
# Maximum numbers of vertices and faces of a polytope. Each vertex adds two faces.
ROOM = 4 + MOST_STEPS
FACES = 2 * ROOM

# Number of rounding errors of the coordinates within which the bounds count as equal.
CONVERGED = 8.0

# Dimensionless: the least sine of the largest angle of a face. Below it, the normal is too inaccurate.
SLIVER = 1e-10
# Dimensionless: the sine of an angle. The cross product of two sides with a smaller angle loses more than a digit.
BLUNT = 0.1

# Multiple of the tolerance: a fraction of the size of a pair. Points that are less accurate do not count as converged.
MISS = 1e3

# Cosine of the angle between the normals of faces that count as alike.
ALIKE = 0.97

# Places in `Polytope.counts`.
COUNT, USED, STEP = 0, 1, 2

# The depth, the lower bound, the normal, the points of A and of B, whether the bounds agree, whether the points do,
# whether another direction is equally good, and the normal of the last face.
Deepest: TypeAlias = tuple[float, float, Vector, Vector, Vector, bool, bool, bool, Vector]
# The bounds of the depth, the normal of the upper one and the corners of its face, the normal of the last face, and
# whether the bounds agree.
Bounds: TypeAlias = tuple[float, float, Vector, int, int, int, Vector, bool]
# The normal of a face, its distance from the origin, and whether it is accurate.
Plane: TypeAlias = tuple[Vector, float, bool]


class Polytope(NamedTuple):
    """The polytope of one pair. It is allocated once for all pairs of a call.

    Attributes
    ----------
    counts : (3,) int64
        Numbers of vertices, of used rows for faces, and of steps of all pairs.
    vertices : (ROOM, 6) float64
        Vertices of A - B, and the points of A that they come from.
    planes : (FACES, 4) float64
        The outward unit normal of each face, and its distance from the origin, which is infinite for unused rows.
    corners : (FACES, 3) int64
        The vertices of each face, counterclockwise from outside.
    owner : (ROOM, ROOM) int64
        The face that has the edge from one vertex to another.
    seen : (FACES,) int64
        The last step at which each face was visible from the new vertex.
    stack : (FACES,) int64
        The visible faces of a step.
    rim : (3 FACES, 2) int64
        Their border: edges from one vertex to the next.
    passed : (ROOM,) int64
        The last step at which the border left each vertex.
    fresh : (3 FACES, 4) float64
        The planes of the faces that replace them.
    """

    counts: Ints1
    vertices: Floats2
    planes: Floats2
    corners: Ints2
    owner: Ints2
    seen: Ints1
    stack: Ints1
    rim: Ints2
    passed: Ints1
    fresh: Floats2


def expanded(
    a: Shape, b: Shape, polytope: Polytope, size: float, tolerance: float, enough: float, most: float
) -> Bounds:
    """Expand a tetrahedron until both bounds agree, or the depth is known to be at most `enough`, or above `most`."""
    slack = CONVERGED * EPS * size
    low, upper, best, i, j, k = 0.0, inf, (0.0, 0.0, 0.0), 0, 0, 0
    direction, done = best, False
    while True:
        nearest = 0
        for face in range(1, polytope.counts[USED]):
            if polytope.planes[face, 3] < polytope.planes[nearest, 3]:
                nearest = face
        low = max(low, polytope.planes[nearest, 3])
        direction = row(polytope.planes, nearest)
        on_a = support(a, direction)
        tip = minus(on_a, support(b, scaled(-1.0, direction)))
        reach = dot(direction, tip)
        if reach < upper:
            upper, best = reach, direction
            i, j, k = polytope.corners[nearest, 0], polytope.corners[nearest, 1], polytope.corners[nearest, 2]
        done = upper - low <= max(slack, tolerance * upper)
        if done or upper <= enough or low > most or polytope.counts[COUNT] == ROOM:
            break
        if not grown(polytope, tip, on_a, nearest, EPS * size):
            break
    return low, upper, best, i, j, k, direction, done


def deepest(a: Shape, b: Shape, polytope: Polytope, size: float, tolerance: float) -> Deepest:
    """Find the penetration depth of A and B, from a tetrahedron on."""
    slack = CONVERGED * EPS * size
    low, upper, best, i, j, k, direction, done = expanded(a, b, polytope, size, tolerance, -inf, inf)
    # The normal may be that of an earlier face, parallel to the nearest one and below it.
    u, v, w = projection(polytope, i, j, k, best)
    below = upper - dot(row(polytope.vertices, i), best) > slack + tolerance * upper
    inner = -inf if below else min(min(u, v), w)
    tied = False
    if done:
        for face in range(polytope.counts[USED]):
            if polytope.planes[face, 3] > upper + slack:
                continue
            tilt = minus(best, row(polytope.planes, face))
            if dot(tilt, tilt) > 2.0 * FACE_ALIGNMENT:
                tied = True
                continue
            # The nearest face may consist of several triangles. Take the one into which the origin projects.
            p, q, r = polytope.corners[face, 0], polytope.corners[face, 1], polytope.corners[face, 2]
            share = projection(polytope, p, q, r, best)
            least = min(min(share[0], share[1]), share[2])
            if least > inner:
                u, v, w = share
                inner, i, j, k = least, p, q, r
    u, v, w = max(u, 0.0), max(v, 0.0), max(w, 0.0)
    total = u + v + w
    if total == 0.0:
        total = 1.0
    u, v, w = u / total, v / total, w / total
    way = scaled(upper, best)
    at = plus(
        plus(scaled(u, row(polytope.vertices, i)), scaled(v, row(polytope.vertices, j))),
        scaled(w, row(polytope.vertices, k)),
    )
    point_a = plus(
        plus(scaled(u, origin_of(polytope, i)), scaled(v, origin_of(polytope, j))), scaled(w, origin_of(polytope, k))
    )
    miss = minus(at, way)
    # If the plane of a face exceeds the lower bound by a fraction t of the depth, the point is off by up to a fraction
    # sqrt(2 t) of it.
    off = min(sqrt(2.0 * tolerance) * upper, MISS * tolerance * size)
    close = done and sqrt(dot(miss, miss)) <= 2.0 * slack + off
    return upper, low, best, point_a, minus(point_a, way), done, close, tied, direction


def origin_of(polytope: Polytope, vertex: int) -> Vector:
    """The point of A that a vertex of A - B comes from."""
    return polytope.vertices[vertex, 3], polytope.vertices[vertex, 4], polytope.vertices[vertex, 5]


def begun(polytope: Polytope) -> bool:
    """Begin with the tetrahedron of the first four vertices. False if a face of it has no normal."""
    origin = row(polytope.vertices, 0)
    first, second = minus(row(polytope.vertices, 1), origin), minus(row(polytope.vertices, 2), origin)
    if dot(cross(first, second), minus(row(polytope.vertices, 3), origin)) < 0.0:
        for m in range(6):
            other = polytope.vertices[1, m]
            polytope.vertices[1, m], polytope.vertices[2, m] = polytope.vertices[2, m], other
    polytope.counts[COUNT], polytope.counts[USED] = 4, 4
    return (
        first_face(polytope, 0, 0, 2, 1)
        and first_face(polytope, 1, 0, 3, 2)
        and first_face(polytope, 2, 0, 1, 3)
        and first_face(polytope, 3, 1, 2, 3)
    )


def first_face(polytope: Polytope, face: int, i: int, j: int, k: int) -> bool:
    """Add a face of the tetrahedron. False if it has no normal."""
    corner = row(polytope.vertices, i)
    normal, offset, accurate = plane(row(polytope.vertices, j), row(polytope.vertices, k), corner, 0.0)
    if accurate:
        place(polytope, face, i, j, k, normal, offset)
    return accurate


def place(polytope: Polytope, face: int, i: int, j: int, k: int, normal: Vector, offset: float) -> None:
    """Write a face."""
    put(polytope.planes, face, normal)
    polytope.planes[face, 3] = offset
    polytope.corners[face, 0], polytope.corners[face, 1], polytope.corners[face, 2] = i, j, k
    polytope.owner[i, j] = polytope.owner[j, k] = polytope.owner[k, i] = face
    polytope.seen[face] = 0


def grown(polytope: Polytope, tip: Vector, on_a: Vector, nearest: int, rounding: float) -> bool:
    """Replace the faces that are visible from a new vertex, together with the nearest one, by a cone to it.

    Returns False and keeps the polytope unchanged if these faces do not form a disk, or a new face is too thin or does
    not have the origin behind it. A vertex that is closer to a face than `rounding` does not see it.
    """
    polytope.counts[STEP] += 1
    step, gone, sides = polytope.counts[STEP], 1, 0
    polytope.stack[0], polytope.seen[nearest] = nearest, step
    at = 0
    while at < gone:
        face = polytope.stack[at]
        at += 1
        for m in range(3):
            p, q = polytope.corners[face, m], polytope.corners[face, (m + 1) % 3]
            beyond = polytope.owner[q, p]
            if polytope.seen[beyond] == step:
                continue
            if dot(row(polytope.planes, beyond), tip) - rounding > polytope.planes[beyond, 3]:
                polytope.seen[beyond] = step
                polytope.stack[gone] = beyond
                gone += 1
            else:
                polytope.rim[sides, 0], polytope.rim[sides, 1] = p, q
                sides += 1
    # The rim of a disk is a loop that passes each vertex once. Each of its edges makes a face.
    if sides == 0 or sides > gone + 2:
        return False
    for side in range(sides):
        p = polytope.rim[side, 0]
        if polytope.passed[p] == step:
            return False
        polytope.passed[p] = step
        ahead = row(polytope.vertices, polytope.rim[side, 1])
        normal, offset, accurate = plane(row(polytope.vertices, p), ahead, tip, SLIVER)
        if not accurate or offset <= rounding:
            return False
        put(polytope.fresh, side, normal)
        polytope.fresh[side, 3] = offset
    new = polytope.counts[COUNT]
    put(polytope.vertices, new, tip)
    polytope.vertices[new, 3], polytope.vertices[new, 4], polytope.vertices[new, 5] = on_a
    polytope.counts[COUNT] += 1
    for side in range(sides):
        # New faces replace removed ones first.
        face = polytope.stack[side] if side < gone else polytope.counts[USED] + side - gone
        place(
            polytope,
            face,
            polytope.rim[side, 0],
            polytope.rim[side, 1],
            new,
            row(polytope.fresh, side),
            polytope.fresh[side, 3],
        )
    for side in range(sides, gone):
        polytope.planes[polytope.stack[side], 3] = inf
    polytope.counts[USED] += max(sides - gone, 0)
    return True


def plane(p: Vector, q: Vector, tip: Vector, sliver: float) -> Plane:
    """The plane of a face. It is accurate if the sine of the largest angle is above `sliver`."""
    first, second = minus(p, tip), minus(q, tip)
    one, two = dot(first, first), dot(second, second)
    normal = cross(first, second)
    square = dot(normal, normal)
    if square < BLUNT * BLUNT * one * two:
        return plane_of_sliver(first, second, one, two, minus(q, p), tip, sliver)
    if square == 0.0:
        return normal, 0.0, False
    normal = divided(normal, sqrt(square))
    return normal, dot(normal, tip), True


def plane_of_sliver(
    first: Vector, second: Vector, one: float, two: float, third: Vector, tip: Vector, sliver: float
) -> Plane:
    """The plane of a face with a small angle, or one near 180 degrees; see `plane`.

    The origin may be near one corner and far from the others. So the normal must be exact to rounding along each side.
    The cross product of two long sides would lose the digits of the short one. That of two sides at an angle near 180
    degrees has a component along the longest side, which is removed.

    Parameters
    ----------
    first, second, third : Vector
        The sides from the tip, and from the end of the first to that of the second.
    one, two : float
        The squared lengths of the first two.
    tip, sliver
        As for `plane`.
    """
    three = dot(third, third)
    # The cross product of any two sides is the same. That of the two shortest is the most accurate.
    if three >= max(one, two):
        normal, scale, longest, most = cross(first, second), one * two, third, three
    elif two >= one:
        normal, scale, longest, most = cross(first, third), one * three, second, two
    else:
        normal, scale, longest, most = cross(second, third), two * three, first, one
    if dot(normal, normal) <= sliver * sliver * scale:
        return normal, 0.0, False
    normal = minus(normal, scaled(dot(normal, longest) / most, longest))
    size = length(normal)
    if size == 0.0:
        return normal, 0.0, False
    normal = divided(normal, size)
    return normal, dot(normal, tip), True


def projection(polytope: Polytope, i: int, j: int, k: int, normal: Vector) -> Vector:
    """Barycentric coordinates of the origin, projected along a normal to a triangle."""
    p, q, r = row(polytope.vertices, i), row(polytope.vertices, j), row(polytope.vertices, k)
    u, v, w = dot(cross(q, r), normal), dot(cross(r, p), normal), dot(cross(p, q), normal)
    total = u + v + w
    if total == 0.0:
        total = 1.0
    return u / total, v / total, w / total


def write_faces(polytope: Polytope, near: Vector, upper: float, most: int, faces: Floats2) -> tuple[int, float]:
    """Write normals of faces near which a direction may have less overlap than the upper bound.

    The first is the normal `near`. Each next one is that of the nearest face below the bound that differs from all
    before it. Returns how many these are, at most `most`, and the distance of the nearest face that is left, which is
    infinite if there is none.
    """
    count, rest = 0, 0.0
    while count < most and rest < inf:
        put(faces, count, near)
        count += 1
        nearest, rest = -1, inf
        for face in range(polytope.counts[USED]):
            offset = polytope.planes[face, 3]
            if offset < rest and offset < upper and not is_alike(row(polytope.planes, face), faces, count):
                nearest, rest = face, offset
        if nearest >= 0:
            near = row(polytope.planes, nearest)
    return count, rest


def is_alike(normal: Vector, faces: Floats2, count: int) -> bool:
    """Whether a normal is nearly equal to one of the first ones written."""
    for k in range(count):
        if dot(normal, row(faces, k)) > ALIKE:
            return True
    return False
