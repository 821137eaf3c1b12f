# SPDX-License-Identifier: GPL-3.0-or-later
"""Polytopes with faces and edges, placed in the frame of a pair: supporting faces and features."""

from math import inf
from typing import NamedTuple

from ..numerics.tolerances import COPLANAR, COPLANAR_COSINE, FACE_ALIGNMENT, FACE_TILT, SUPPORT
from .arrays import Floats1, Floats2, Ints1, Ints2, Vector
from .axes import EDGE, FACE, VERTEX
from .loading import kernel
from .vectors import dot, minus, normalized, plus, put, row, scaled

# Columns of `Solids.polytopes` and of `Solids.polygons`.
FIRST_VERTEX, VERTICES, FIRST_NORMAL, FACES, FIRST_POLYGON, FIRST_EDGE, EDGES, JOINED, NORMALS = range(9)
START, CORNERS, REPRESENTATIVE = range(3)
# Columns of `Solids.extents`.
SIZE, RADIUS, THIN = range(3)


class Solids(NamedTuple):
    """Polytopes with a radius: the distinct ones in their own frames, and the rows of a batch.

    Attributes
    ----------
    vertices, normals, edges, corners, names : (V, 3), (F, 3) float64, (E, 4), (C,), (V,) int64
        Of all polytopes, one after the other; see `collision_kit.core.convex.polytopes.pools.Pool`. The corners are
        those of all outlines.
    polytopes : (G, 9) int64
        Of each polytope: its first vertex and the number of vertices, its first normal and the number of faces, its
        first outline, its first edge and the number of edges, whether some faces are joined with coplanar ones, and the
        number of normals. Faces without area have the last normals.
    polygons : (L, 3) int64
        For each outline: its first corner, the number of corners, and the face that represents its group.
    geometry : (P,) int64
        The polytope of each row.
    linear, rotation, translation : (P, 9), (P, 9), (P, 3) float64
        For each row: the matrix that maps vertices to world axes, the one that maps normals, and the translation.
    extents : (P, 3) float64
        The radius of a sphere about the translation that contains the shape, the radius, and 1.0 for needles and
        plates.
    """

    vertices: Floats2
    normals: Floats2
    edges: Ints2
    corners: Ints1
    names: Ints1
    polytopes: Ints2
    polygons: Ints2
    geometry: Ints1
    linear: Floats2
    rotation: Floats2
    translation: Floats2
    extents: Floats2


class Placed(NamedTuple):
    """Room for one row in the frame of a pair.

    Attributes
    ----------
    vertices, normals, heights : (V, 3), (F, 3), (F,) float64
        The vertices, the normals of the faces, and the heights of the faces along their normals.
    level, front : (V,) float64, (V,) int64
        Room for the heights of the vertices along a direction, and for the highest ones.
    """

    vertices: Floats2
    normals: Floats2
    heights: Floats1
    level: Floats1
    front: Ints1


def place(of: Solids, at: int, origin: Vector, placed: Placed) -> None:
    """Place a row relative to a point of the world."""
    kind, shift = of.geometry[at], minus(row(of.translation, at), origin)
    first = of.polytopes[kind, FIRST_VERTEX]
    for k in range(of.polytopes[kind, VERTICES]):
        put(placed.vertices, k, plus(applied(of.linear, at, row(of.vertices, first + k)), shift))
    first = of.polytopes[kind, FIRST_NORMAL]
    for face in range(of.polytopes[kind, NORMALS]):
        put(placed.normals, face, applied(of.rotation, at, row(of.normals, first + face)))
    for face in range(of.polytopes[kind, FACES]):
        normal = row(placed.normals, face)
        outline, height = of.polytopes[kind, FIRST_POLYGON] + face, -inf
        for k in range(of.polygons[outline, CORNERS]):
            height = max(height, dot(normal, row(placed.vertices, of.corners[of.polygons[outline, START] + k])))
        placed.heights[face] = height


def applied(matrices: Floats2, at: int, a: Vector) -> Vector:
    """The product of a matrix, row by row, and a vector."""
    return (
        matrices[at, 0] * a[0] + matrices[at, 1] * a[1] + matrices[at, 2] * a[2],
        matrices[at, 3] * a[0] + matrices[at, 4] * a[1] + matrices[at, 5] * a[2],
        matrices[at, 6] * a[0] + matrices[at, 7] * a[1] + matrices[at, 8] * a[2],
    )


def vertex_count(of: Solids, at: int) -> int:
    """The number of vertices of a row."""
    return of.polytopes[of.geometry[at], VERTICES]


def face_count(of: Solids, at: int) -> int:
    """The number of faces of a row."""
    return of.polytopes[of.geometry[at], FACES]


def is_joined(of: Solids, at: int) -> bool:
    """Whether some faces of a row are joined with coplanar ones."""
    return of.polytopes[of.geometry[at], JOINED] > 0


def outline_of(of: Solids, at: int, face: int) -> int:
    """The number of the outline of a face."""
    return of.polytopes[of.geometry[at], FIRST_POLYGON] + face


def highest(of: Solids, at: int, placed: Placed, way: Vector) -> float:
    """The height of the farthest vertex along a direction."""
    most = -inf
    for k in range(vertex_count(of, at)):
        most = max(most, dot(row(placed.vertices, k), way))
    return most


def supporting_face(of: Solids, at: int, placed: Placed, way: Vector, slack: float) -> tuple[int, float]:
    """The supporting face along a direction, and the cosine of its normal with it; -1 and -1 if there is no face.

    This is the face with the most vertices on the support plane. Ties go to the most aligned face. If shapes penetrate
    deeply, the most aligned of all faces may be away from the contact. Of a group of coplanar faces, the representative
    is returned. Vertices within the slack of a plane are on it.
    """
    faces, count, front = face_count(of, at), vertex_count(of, at), 0
    if faces == 0:
        return -1, -1.0
    most = -inf
    for k in range(count):
        placed.level[k] = dot(row(placed.vertices, k), way)
        most = max(most, placed.level[k])
    for k in range(count):
        if placed.level[k] >= most - slack:
            placed.front[front] = k
            front += 1
    best, score = 0, -inf
    for face in range(faces):
        normal, least = row(placed.normals, face), placed.heights[face] - slack
        shared = 0
        for k in range(front):
            if dot(normal, row(placed.vertices, placed.front[k])) >= least:
                shared += 1
        # A cosine is at most one, so a quarter of it never outweighs an additional vertex.
        value = shared + dot(normal, way) / 4.0
        if value > score:
            best, score = face, value
    best = of.polygons[outline_of(of, at, best), REPRESENTATIVE]
    return best, dot(row(placed.normals, best), way)


def is_level(of: Solids, at: int, placed: Placed, way: Vector, face: int, cosine: float, slack: float) -> bool:
    """Whether all corners of a supporting face are as far along a direction as the support point, within the slack."""
    if cosine < FACE_TILT:
        return False
    least, outline = highest(of, at, placed, way) - slack, outline_of(of, at, face)
    for k in range(of.polygons[outline, CORNERS]):
        if dot(row(placed.vertices, of.corners[of.polygons[outline, START] + k]), way) < least:
            return False
    return True


def supporting_feature(of: Solids, at: int, placed: Placed, way: Vector, face: int, cosine: float) -> tuple[int, int]:
    """The supporting feature of a core along a direction: face, edge or vertex. The face is the supporting one."""
    if cosine >= 1.0 - FACE_ALIGNMENT:
        return FACE, face
    most, best = -inf, 0
    for k in range(vertex_count(of, at)):
        placed.level[k] = dot(row(placed.vertices, k), way)
        if placed.level[k] > most:
            most, best = placed.level[k], k
    kind = of.geometry[at]
    least, first = most - SUPPORT * of.extents[at, SIZE], of.polytopes[kind, FIRST_EDGE]
    for k in range(of.polytopes[kind, EDGES]):
        one, other = of.edges[first + k, 0], of.edges[first + k, 1]
        if placed.level[one] >= least and placed.level[other] >= least:
            # A flat box has edges of length zero, which are vertices.
            run = minus(row(placed.vertices, other), row(placed.vertices, one))
            if run[0] != 0.0 or run[1] != 0.0 or run[2] != 0.0:
                return EDGE, k
    return VERTEX, best


def edge_between(of: Solids, at: int, placed: Placed, begin: int, end: int) -> int:
    """The edge between two vertices.

    An edge of a joined outline of coplanar faces may consist of several edges. Then the edge from its first vertex that
    is nearest to its direction is returned.
    """
    kind, one, other = of.geometry[at], min(begin, end), max(begin, end)
    first, count = of.polytopes[kind, FIRST_EDGE], of.polytopes[kind, EDGES]
    for k in range(count):
        start, stop = of.edges[first + k, 0], of.edges[first + k, 1]
        if min(start, stop) == one and max(start, stop) == other:
            return k
    best, most = 0, -inf
    side = normalized(minus(row(placed.vertices, other), row(placed.vertices, one)))
    for k in range(count):
        start, stop, cosine = of.edges[first + k, 0], of.edges[first + k, 1], -2.0
        if start == one or stop == one:
            away = minus(row(placed.vertices, stop), row(placed.vertices, start))
            cosine = dot(normalized(away), side)
            if start != one:
                cosine = -cosine
        if cosine > most:
            best, most = k, cosine
    return best


def shown_feature(of: Solids, at: int, kind: int, index: int) -> tuple[int, int]:
    """A feature of a shape, from that of its core.

    A vertex of a hull gets its index in the hull's input. The round surface around a point is a face. A capsule's side
    is an edge, and its caps are faces (Lee 2018, section 13.2.5).
    """
    if kind != VERTEX:
        return kind, index
    name = of.names[of.polytopes[of.geometry[at], FIRST_VERTEX] + index]
    return FACE if of.extents[at, RADIUS] > 0.0 else VERTEX, name


def rise_to_surface(of: Solids, at: int, placed: Placed, point: Vector, way: Vector) -> float:
    """Return how far a point is below the surface along a unit direction.

    This uses the planes of all faces that point in this direction, not only of the representatives. Zero if there are
    none, or if the given point is outside the shape. The latter happens beyond faces parallel to the direction.
    """
    rise = inf
    for face in range(face_count(of, at)):
        normal = row(placed.normals, face)
        cosine = dot(normal, way)
        if cosine >= COPLANAR_COSINE:
            rise = min(rise, (placed.heights[face] - dot(normal, point)) / cosine)
    if rise == inf:
        return 0.0
    for face in range(face_count(of, at)):
        normal = row(placed.normals, face)
        if rise * dot(normal, way) - (placed.heights[face] - dot(normal, point)) > COPLANAR * of.extents[at, SIZE]:
            return 0.0
    return rise


@kernel
def supporting_faces(of: Solids, room: Placed, ways: Floats2, slack: Floats1, face: Ints1, cosine: Floats1) -> None:
    """Write the supporting face of each row along its direction, and its cosine; see `supporting_face`."""
    for at in range(len(ways)):
        place(of, at, (0.0, 0.0, 0.0), room)
        face[at], cosine[at] = supporting_face(of, at, room, row(ways, at), slack[at])


@kernel
def supporting_features(of: Solids, rows: Ints1, room: Placed, ways: Floats2, sign: float, feature: Ints2) -> None:
    """Write the supporting feature of each of these rows along its direction times a sign, kind and index, (P, 2)."""
    for at in range(len(ways)):
        i, way = rows[at], scaled(sign, row(ways, at))
        place(of, i, row(of.translation, i), room)
        found, cosine = supporting_face(of, i, room, way, SUPPORT * of.extents[i, SIZE])
        kind, index = supporting_feature(of, i, room, way, found, cosine)
        feature[at, 0], feature[at, 1] = shown_feature(of, i, kind, index)
