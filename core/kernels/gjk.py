# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances of pairs of polytopes, by the algorithm of Gilbert, Johnson and Keerthi (GJK).

Van den Bergen, Collision Detection in Interactive 3D Environments, section 4.3; Ericson, Real-Time Collision Detection,
section 9.5.
"""

from math import inf, sqrt

from ..numerics.tolerances import CLOSE_CORES, EPS
from .arrays import Bools1, Floats1, Floats2, Floats3, Vector, floats1, floats2
from .loading import kernel
from .supports import Side, support
from .vectors import cross, divided, dot, minus, put, row, scaled

# A step settles at least one vertex of A - B, and simplices never repeat. Polytopes take 2 to 12 steps. For curved
# shapes, the bounds agree within any tolerance that float64 can represent after fewer steps than this.
MOST_STEPS = 128

# Number of roundings of the coordinates within which the bounds of a distance count as equal.
CONVERGED = 4.0

# Number of roundings of the coordinates by which the origin must be inside a tetrahedron of A - B to be certain.
INSIDE = 16.0

# Number of roundings of the coordinates by which the distance of the points may exceed the proved gap. Beyond that, the
# last simplex was a sliver, and the pair is repeated with more than one simplex.
DOUBT = 16.0


def _on_edge(corner: Vector, edge: Vector) -> tuple[float, Vector, float]:
    """The point of an edge from a corner that is nearest to the origin: its parameter, the point, its square."""
    square = dot(edge, edge)
    t = -dot(corner, edge) / (square if square > 0.0 else 1.0)
    t = min(max(t, 0.0), 1.0)
    point = corner[0] + t * edge[0], corner[1] + t * edge[1], corner[2] + t * edge[2]
    return t, point, dot(point, point)


def _on_face(corner: Vector, first: Vector, second: Vector) -> tuple[Vector, float, Vector]:
    """Whether the origin projects into the triangle of a corner and two edges: the projection, its square, the normal.

    The square is infinite if it does not.
    """
    normal = cross(first, second)
    area = dot(normal, normal)
    along = dot(cross(second, corner), normal)
    across = dot(cross(corner, first), normal)
    proper = along > 0.0 and across > 0.0 and along + across < area
    foot = scaled(dot(corner, normal) / (area if area > 0.0 else 1.0), normal)
    return foot, dot(foot, foot) if proper else inf, normal


def _grown(simplex: Floats2, size: int, new: Floats1, least: float) -> tuple[int, int, int, Vector, float, bool]:
    """The face of a new vertex and the first `size` vertices of a simplex that is nearest to the origin.

    Returns
    -------
    size : int
        Its number of vertices. The first is the new one.
    kept_0, kept_1 : int
        The second and the third one.
    point, square : (float, float, float), float
        Its nearest point, and the squared distance.
    inside : bool
        The origin is inside the tetrahedron, by more than `least` from the faces of the new vertex.
    """
    corner = new[0], new[1], new[2]
    if size == 0:
        return 1, 0, 1, corner, dot(corner, corner), False
    edge_0 = minus(row(simplex, 0), corner)
    t, point, square = _on_edge(corner, edge_0)
    kept, count = 0, 2 if t > 0.0 else 1
    if size == 1:
        return count, kept, 1, point, square, False
    edge_1 = minus(row(simplex, 1), corner)
    t, foot, away = _on_edge(corner, edge_1)
    if away < square:
        point, square, kept, count = foot, away, 1, 2 if t > 0.0 else 1
    face, best, normal = _on_face(corner, edge_0, edge_1)
    first, second, inside = 0, 1, False
    if size == 3:
        edge_2 = minus(row(simplex, 2), corner)
        t, foot, away = _on_edge(corner, edge_2)
        if away < square:
            point, square, kept, count = foot, away, 2, 2 if t > 0.0 else 1
        inside = _same_side(normal, corner, edge_2, least)
        foot, away, normal = _on_face(corner, edge_1, edge_2)
        inside = inside and _same_side(normal, corner, edge_0, least)
        if away < best:
            face, best, first, second = foot, away, 1, 2
        foot, away, normal = _on_face(corner, edge_0, edge_2)
        inside = inside and _same_side(normal, corner, edge_1, least)
        if away < best:
            face, best, first, second = foot, away, 0, 2
    # Faces come first: if an edge is equally near, the nearest point is on both.
    if best <= square:
        return 3, first, second, face, best, inside
    return count, kept, 1, point, square, inside


def _same_side(normal: Vector, corner: Vector, other: Vector, least: float) -> bool:
    """Whether the origin is on the side of a face to which the edge `other` goes, and farther from it than `least`."""
    height = -dot(normal, corner)
    return dot(normal, other) * height > 0.0 and height * height > least * least * dot(normal, normal)


def _weights(simplex: Floats2, size: int) -> Vector:
    """Barycentric coordinates of the origin's projection on a simplex of one to three vertices."""
    corner = row(simplex, 0)
    if size == 1:
        return 1.0, 0.0, 0.0
    first = minus(row(simplex, 1), corner)
    if size == 2:
        t, _, _ = _on_edge(corner, first)
        return 1.0 - t, t, 0.0
    second = minus(row(simplex, 2), corner)
    normal = cross(first, second)
    area = dot(normal, normal)
    along = max(dot(cross(second, corner), normal) / area, 0.0)
    across = max(dot(cross(corner, first), normal) / area, 0.0)
    total = max(along + across, 1.0)
    along, across = along / total, across / total
    return 1.0 - along - across, along, across


def _across(simplex: Floats2, before: Vector, root: float) -> Vector:
    """The nearest point of an edge, made perpendicular to the edge."""
    edge = minus(row(simplex, 1), row(simplex, 0))
    square = dot(edge, edge)
    point = minus(before, scaled(dot(before, edge) / (square if square > 0.0 else 1.0), edge))
    length = sqrt(dot(point, point))
    return scaled(root / length, point) if length > 0.0 else before


@kernel
def closest(
    a: Side,
    b: Side,
    start: Floats2,
    sizes: Floats1,
    limits: Floats1,
    tolerance: float,
    skew: Floats2,
    distance: Floats1,
    lowest: Floats1,
    normal: Floats2,
    point_a: Floats2,
    point_b: Floats2,
    overlap: Bools1,
    beyond: Bools1,
    doubtful: Bools1,
    simplices: Floats3,
) -> None:
    """Measure the distances of pairs of polytopes, from `start` (P, 3) on.

    Parameters
    ----------
    a, b : Side
    start, sizes, limits, tolerance : (P, 3), (P,), (P,), float
        As in `collision_kit.core.convex.gjk.closest`. The limits may be infinite.
    skew : (K, 3) float64
        Perturbations of successive directions.
    distance, lowest, normal, point_a, point_b, overlap, beyond, doubtful, simplices : arrays
        The fields of `collision_kit.core.convex.gjk.Closest`, which are written.
    """
    simplex, new, mix = floats2(3, 6), floats1(6), floats1(6)
    for pair in range(len(start)):
        point, size, square, lower, count = row(start, pair), sizes[pair], inf, -inf, 0
        root, limit, finished = 0.0, limits[pair], False
        for step in range(MOST_STEPS):
            root = sqrt(dot(point, point))
            way = point
            if len(skew):
                bend = row(skew, step % len(skew))
                way = point[0] + root * bend[0], point[1] + root * bend[1], point[2] + root * bend[2]
            on_a = support(a, pair, scaled(-1.0, way))
            tip = minus(on_a, support(b, pair, way))
            new[0], new[1], new[2] = tip
            new[3], new[4], new[5] = on_a
            reach = dot(point, tip)
            if count == 0:
                size += sqrt(dot(tip, tip))
            if root > 0.0:
                lower = reach / root
            if reach > limit * root:
                beyond[pair], distance[pair], lowest[pair] = True, lower, lower
                put(normal, pair, scaled(-1.0, divided(point, root)))
                finished = True
                break
            if count and square - reach <= max(CONVERGED * EPS * root * size, tolerance * square):
                break
            least = INSIDE * EPS * size
            grown, kept_0, kept_1, nearest, nearer, inside = _grown(simplex, count, new, least)
            if inside and root > least:
                overlap[pair] = True
                for k in range(6):
                    for corner in range(3):
                        simplices[pair, corner, k] = simplex[corner, k]
                    simplices[pair, 3, k] = new[k]
                finished = True
                break
            if nearer >= square:  # rounding dominates
                break
            for k in range(6):
                one, other = simplex[kept_0, k], simplex[kept_1, k]
                simplex[0, k], simplex[1, k], simplex[2, k] = new[k], one, other
            count, point, square = grown, nearest, nearer
        if finished:
            continue
        weights = _weights(simplex, count)
        for k in range(6):
            mix[k] = weights[0] * simplex[0, k]
            if count > 1:
                mix[k] += weights[1] * simplex[1, k]
            if count > 2:
                mix[k] += weights[2] * simplex[2, k]
        root = sqrt(square)
        if count == 2:
            way = _across(simplex, point, root)
            # Near an end, another edge may be equally near. Then the direction perpendicular to this edge proves less.
            own = lower
            if root > 0.0 and root <= CLOSE_CORES * size:
                on_a = support(a, pair, scaled(-1.0, way))
                own = dot(way, minus(on_a, support(b, pair, way))) / root
            if own >= lower - CONVERGED * EPS * size:
                point, lower = way, own
        met = mix[0], mix[1], mix[2]
        miss, apart, slack = minus(met, point), sqrt(dot(met, met)), DOUBT * EPS * size
        distance[pair], lowest[pair] = root, lower
        put(normal, pair, scaled(-1.0, divided(point, root if root > 0.0 else 1.0)))
        for k in range(3):
            point_a[pair, k], point_b[pair, k] = mix[3 + k], mix[3 + k] - mix[k]
        # The points prove the distance unless the triangle is a sliver. Coinciding points need no proof.
        unproved = sqrt(dot(miss, miss)) > slack or root - lower > max(slack, tolerance * root)
        if unproved and apart > slack:
            doubtful[pair], distance[pair] = True, apart
            for corner in range(4):
                for k in range(6):
                    simplices[pair, corner, k] = simplex[corner if corner < count else 0, k]
