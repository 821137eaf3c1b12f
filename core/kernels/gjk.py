# SPDX-License-Identifier: GPL-3.0-or-later
"""The algorithm of Gilbert, Johnson and Keerthi (GJK): the distance of the origin from A - B, pair by pair.

GJK approaches the distance over simplices of A - B whose vertices are differences of support points. The nearest point
of a simplex is searched on all faces that have the newest vertex. So there is no case tree, and slivers cause no
errors. If a step does not come nearer, rounding dominates, and the search ends. Van den Bergen, Collision Detection in
Interactive 3D Environments, 2003, section 4.3; Ericson, Real-Time Collision Detection, 2005, section 9.5.
"""

from math import inf, sqrt
from typing import TypeAlias

from ..numerics.tolerances import CLOSE_CORES, EPS
from .arrays import Vector
from .supports import Shape, support
from .vectors import cross, divided, dot, minus, plus, scaled

# A step settles at least one vertex of A - B, and simplices never repeat. Polytopes take 2 to 12 steps. For curved
# shapes, the bounds agree within any tolerance that float64 can represent after fewer steps than this.
MOST_STEPS = 128

# Number of rounding errors of the coordinates within which the bounds of a distance count as equal.
CONVERGED = 4.0

# Number of rounding errors of the coordinates by which the origin must be inside a tetrahedron of A - B to be certain.
INSIDE = 16.0

# Number of rounding errors of the coordinates by which the distance of the points may exceed the proved gap. Beyond
# that, the last simplex was a sliver.
DOUBT = 16.0

# Ways in which a search ends.
APART, OVERLAPPING, FAR = 0, 1, 2

# Vertices of A - B, each with the point of A that it comes from. The first is the newest one. Those beyond their number
# are not used.
Simplex: TypeAlias = tuple[int, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector]
# How a search ends, the last nearest point, its squared length, the lower bound, the size that scales rounding, the
# simplex.
Found: TypeAlias = tuple[int, Vector, float, float, float, Simplex]
# How the search ends, the distance, the lower bound, the normal, the points of A and of B, whether the simplex contains
# the origin regardless of rounding, whether the points are not proved to be the closest, and the simplex.
Nearest: TypeAlias = tuple[int, float, float, Vector, Vector, Vector, bool, bool, Simplex]
# The parameter of a point of an edge, the point, and its square.
OnEdge: TypeAlias = tuple[float, Vector, float]
# The projection to a face, its square, and the normal.
OnFace: TypeAlias = tuple[Vector, float, Vector]
# The number of vertices, the second and the third one, the nearest point, its square, whether the origin is inside.
Grown: TypeAlias = tuple[int, int, int, Vector, float, bool]


def nearest(a: Shape, b: Shape, begin: Vector, size: float, limit: float, tolerance: float) -> Nearest:
    """Find the closest points of A and B."""
    away = sqrt(dot(begin, begin))
    if away == 0.0:
        begin = 1.0, 0.0, 0.0  # concentric: any direction will do
        away = 1.0
    state, point, square, bound, total, simplex = walked(a, b, begin, size, limit, tolerance, False)
    normal = on_a = on_b = (0.0, 0.0, 0.0)
    distance, doubtful, certain = bound, False, False
    if state == FAR:
        normal = divided(point, -sqrt(dot(point, point)))
    if state == OVERLAPPING:
        bound = 0.0
    if state == APART:
        count, p, q, r, _, on_p, on_q, on_r, _ = simplex
        u, v, w = weights(count, p, q, r)
        met = mean(u, p, v, q, w, r)
        on_a = mean(u, on_p, v, on_q, w, on_r)
        on_b = minus(on_a, met)
        distance = sqrt(square)
        if count == 2:
            upright, own = across(a, b, p, q, point, distance, total, bound)
            if own >= bound - CONVERGED * EPS * total:
                point, bound = upright, own
        normal = divided(point, -distance if distance > 0.0 else -1.0)
        miss = minus(met, point)
        apart, slack = sqrt(dot(met, met)), DOUBT * EPS * total
        # The points prove the distance unless the triangle is a sliver. Coincident points need no proof.
        unproved = sqrt(dot(miss, miss)) > slack or distance - bound > max(slack, tolerance * distance)
        if unproved and apart > slack:
            doubtful, distance = True, apart
        # In a plane of symmetry, a search may end on a simplex that contains the origin although it is deep inside
        # A - B. With perturbed directions, a proof of overlap is valid, and a distance is not.
        if distance <= INSIDE * EPS * (size + away):
            again, _, _, _, _, other = walked(a, b, begin, size, inf, tolerance, True)
            if again == OVERLAPPING:
                state, simplex = again, other
    if state == OVERLAPPING:
        distance, doubtful, certain = 0.0, False, contains_origin(simplex, size)
    return state, distance, bound, normal, on_a, on_b, certain, doubtful, simplex


def walked(a: Shape, b: Shape, point: Vector, size: float, limit: float, tolerance: float, bent: bool) -> Found:
    """Step until the search ends, from a direction on. If it is `bent`, the directions are perturbed."""
    square, lower, root, count, state = inf, -inf, 0.0, 0, APART
    tip = on_a = p = q = r = on_p = on_q = on_r = (0.0, 0.0, 0.0)
    for step in range(MOST_STEPS):
        root = sqrt(dot(point, point))
        way = plus(point, scaled(root, perturbation(step))) if bent else point
        on_a = support(a, scaled(-1.0, way))
        tip = minus(on_a, support(b, way))
        reach = dot(point, tip)
        if count == 0:
            size += sqrt(dot(tip, tip))
        if root > 0.0:
            lower = reach / root
        if reach > limit * root:
            state = FAR
            break
        if count > 0 and square - reach <= max(CONVERGED * EPS * root * size, tolerance * square):
            break
        least = INSIDE * EPS * size
        grown, second, third, nearest, nearer, inside = nearest_face(count, p, q, r, tip, least)
        if inside and root > least:
            state, count = OVERLAPPING, 4
            break
        if nearer >= square:  # rounding dominates
            break
        q, r = chosen(second, p, q, r), chosen(third, p, q, r)
        on_q, on_r = chosen(second, on_p, on_q, on_r), chosen(third, on_p, on_q, on_r)
        p, on_p = tip, on_a
        count, point, square = grown, nearest, nearer
    return state, point, square, lower, size, (count, p, q, r, tip, on_p, on_q, on_r, on_a)


def perturbation(step: int) -> Vector:
    """Relative perturbations of successive directions, to leave a plane of symmetry."""
    turn = step % 3
    if turn == 0:
        return 0.0253, -0.0171, 0.0093
    if turn == 1:
        return -0.0119, 0.0231, 0.0167
    return 0.0081, 0.0143, -0.0269


def chosen(which: int, p: Vector, q: Vector, r: Vector) -> Vector:
    """One of three vectors, by its number."""
    if which == 0:
        return p
    return q if which == 1 else r


def nearest_face(count: int, p: Vector, q: Vector, r: Vector, tip: Vector, least: float) -> Grown:
    """The face of a new vertex and the vertices of a simplex that is nearest to the origin.

    Returns
    -------
    count : int
        Its number of vertices. The first is the new one.
    second, third : int
        The numbers of its other vertices in the simplex.
    point, square : (float, float, float), float
        Its nearest point, and the squared distance.
    inside : bool
        The origin is inside the tetrahedron, by more than `least` from the faces of the new vertex.
    """
    if count == 0:
        return 1, 0, 1, tip, dot(tip, tip), False
    edge_p = minus(p, tip)
    t, point, square = on_edge(tip, edge_p)
    kept, size = 0, 2 if t > 0.0 else 1
    if count == 1:
        return size, kept, 1, point, square, False
    edge_q = minus(q, tip)
    t, foot, away = on_edge(tip, edge_q)
    if away < square:
        point, square, kept, size = foot, away, 1, 2 if t > 0.0 else 1
    face, best, normal = on_face(tip, edge_p, edge_q)
    second, third, inside = 0, 1, False
    if count == 3:
        edge_r = minus(r, tip)
        t, foot, away = on_edge(tip, edge_r)
        if away < square:
            point, square, kept, size = foot, away, 2, 2 if t > 0.0 else 1
        inside = same_side(normal, tip, edge_r, least)
        foot, away, normal = on_face(tip, edge_q, edge_r)
        inside = inside and same_side(normal, tip, edge_p, least)
        if away < best:
            face, best, second, third = foot, away, 1, 2
        foot, away, normal = on_face(tip, edge_p, edge_r)
        inside = inside and same_side(normal, tip, edge_q, least)
        if away < best:
            face, best, second, third = foot, away, 0, 2
    # Faces come first: if an edge is equally near, the nearest point is on both.
    if best <= square:
        return 3, second, third, face, best, inside
    return size, kept, 1, point, square, inside


def on_edge(corner: Vector, edge: Vector) -> OnEdge:
    """The point of an edge from a corner that is nearest to the origin."""
    square = dot(edge, edge)
    t = min(max(-dot(corner, edge) / (square if square > 0.0 else 1.0), 0.0), 1.0)
    point = corner[0] + t * edge[0], corner[1] + t * edge[1], corner[2] + t * edge[2]
    return t, point, dot(point, point)


def on_face(corner: Vector, first: Vector, second: Vector) -> OnFace:
    """The projection of the origin to the triangle between two edges from a corner.

    The square is infinite if the origin does not project into the triangle. The normal is not of unit length.
    """
    normal = cross(first, second)
    area = dot(normal, normal)
    along, aside = dot(cross(second, corner), normal), dot(cross(corner, first), normal)
    proper = along > 0.0 and aside > 0.0 and along + aside < area
    foot = scaled(dot(corner, normal) / (area if area > 0.0 else 1.0), normal)
    return foot, dot(foot, foot) if proper else inf, normal


def same_side(normal: Vector, corner: Vector, edge: Vector, least: float) -> bool:
    """Whether the origin is on the side of a face to which an edge goes, and farther from it than `least`."""
    height = -dot(normal, corner)
    return dot(normal, edge) * height > 0.0 and height * height > least * least * dot(normal, normal)


def weights(count: int, p: Vector, q: Vector, r: Vector) -> Vector:
    """Barycentric coordinates of the origin's projection on a simplex of one to three vertices."""
    if count == 1:
        return 1.0, 0.0, 0.0
    first = minus(q, p)
    if count == 2:
        t, _, _ = on_edge(p, first)
        return 1.0 - t, t, 0.0
    second = minus(r, p)
    normal = cross(first, second)
    area = dot(normal, normal)
    along = max(dot(cross(second, p), normal) / area, 0.0)
    aside = max(dot(cross(p, first), normal) / area, 0.0)
    total = max(along + aside, 1.0)
    along, aside = along / total, aside / total
    return 1.0 - along - aside, along, aside


def mean(u: float, p: Vector, v: float, q: Vector, w: float, r: Vector) -> Vector:
    """The weighted sum of three points. Points without weight do not count."""
    result = scaled(u, p)
    if v > 0.0:
        result = plus(result, scaled(v, q))
    return plus(result, scaled(w, r)) if w > 0.0 else result


def across(
    a: Shape, b: Shape, p: Vector, q: Vector, point: Vector, root: float, size: float, lower: float
) -> tuple[Vector, float]:
    """Make the nearest point of an edge perpendicular to the edge. Also returns the lower bound that it proves.

    Close to the origin, the rounding residue along the edge would be a large part of the vector. Near an end, another
    edge may be equally near. Then the direction perpendicular to this edge proves less.
    """
    edge = minus(q, p)
    square = dot(edge, edge)
    upright = minus(point, scaled(dot(point, edge) / (square if square > 0.0 else 1.0), edge))
    long = sqrt(dot(upright, upright))
    if long == 0.0 or root == 0.0:
        return point, lower
    upright = scaled(root / long, upright)
    if root > CLOSE_CORES * size:
        return upright, lower
    tip = minus(support(a, scaled(-1.0, upright)), support(b, upright))
    return upright, dot(upright, tip) / root


def contains_origin(simplex: Simplex, size: float) -> bool:
    """Whether a tetrahedron contains the origin regardless of the rounding errors of its corners.

    `size` is the size of both shapes together.
    """
    _, p, q, r, tip, _, _, _, _ = simplex
    # All faces counterclockwise, or all clockwise, as seen from outside.
    first, second = side_of(p, q, r, size), side_of(p, r, tip, size)
    third, fourth = side_of(p, tip, q, size), side_of(q, tip, r, size)
    total = first + second + third + fourth
    return total == 4 or total == -4


def side_of(p: Vector, q: Vector, r: Vector, size: float) -> int:
    """On which side of a face the origin is: 1, -1, or 0 if rounding decides."""
    volume = dot(cross(p, q), r)
    away_p, away_q, away_r = sqrt(dot(p, p)), sqrt(dot(q, q)), sqrt(dot(r, r))
    doubt = INSIDE * EPS * size * (away_p * away_q + away_q * away_r + away_r * away_p)
    if volume > doubt:
        return 1
    return -1 if volume < -doubt else 0
