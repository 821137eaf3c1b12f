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


class Solid(NamedTuple):
    """A row of polytopes, and the room where it is placed."""

    solids: Solids
    at: int
    placed: Placed


def place(of: Solid, origin: Vector) -> None:
    """Place a row relative to a point of the world."""
    kind, shift = of.solids.geometry[of.at], minus(row(of.solids.translation, of.at), origin)
    first = of.solids.polytopes[kind, FIRST_VERTEX]
    for k in range(of.solids.polytopes[kind, VERTICES]):
        put(of.placed.vertices, k, plus(applied(of.solids.linear, of.at, row(of.solids.vertices, first + k)), shift))
    first = of.solids.polytopes[kind, FIRST_NORMAL]
    for face in range(of.solids.polytopes[kind, NORMALS]):
        put(of.placed.normals, face, applied(of.solids.rotation, of.at, row(of.solids.normals, first + face)))
    for face in range(of.solids.polytopes[kind, FACES]):
        normal = row(of.placed.normals, face)
        outline, height = of.solids.polytopes[kind, FIRST_POLYGON] + face, -inf
        for k in range(of.solids.polygons[outline, CORNERS]):
            corner = of.solids.corners[of.solids.polygons[outline, START] + k]
            height = max(height, dot(normal, row(of.placed.vertices, corner)))
        of.placed.heights[face] = height


def applied(matrices: Floats2, at: int, a: Vector) -> Vector:
    """The product of a matrix, row by row, and a vector."""
    return (
        matrices[at, 0] * a[0] + matrices[at, 1] * a[1] + matrices[at, 2] * a[2],
        matrices[at, 3] * a[0] + matrices[at, 4] * a[1] + matrices[at, 5] * a[2],
        matrices[at, 6] * a[0] + matrices[at, 7] * a[1] + matrices[at, 8] * a[2],
    )


def size_of(of: Solid) -> float:
    """The radius of a sphere about the translation of a row that contains it."""
    return of.solids.extents[of.at, SIZE]


def radius_of(of: Solid) -> float:
    """Return how far a row extends beyond its core."""
    return of.solids.extents[of.at, RADIUS]


def vertex_count(of: Solid) -> int:
    """The number of vertices of a row."""
    return of.solids.polytopes[of.solids.geometry[of.at], VERTICES]


def face_count(of: Solid) -> int:
    """The number of faces of a row."""
    return of.solids.polytopes[of.solids.geometry[of.at], FACES]


def is_joined(of: Solid) -> bool:
    """Whether some faces of a row are joined with coplanar ones."""
    return of.solids.polytopes[of.solids.geometry[of.at], JOINED] > 0


def outline_of(of: Solid, face: int) -> int:
    """The number of the outline of a face."""
    return of.solids.polytopes[of.solids.geometry[of.at], FIRST_POLYGON] + face


def highest(of: Solid, way: Vector) -> float:
    """The height of the farthest vertex along a direction."""
    most = -inf
    for k in range(vertex_count(of)):
        most = max(most, dot(row(of.placed.vertices, k), way))
    return most


def supporting_face(of: Solid, way: Vector, slack: float) -> tuple[int, float]:
    """The supporting face along a direction, and the cosine of its normal with it; -1 and -1 if there is no face.

    This is the face with the most vertices on the support plane. Ties go to the most aligned face. If shapes penetrate
    deeply, the most aligned of all faces may be away from the contact. Of a group of coplanar faces, the representative
    is returned. Vertices within the slack of a plane are on it.
    """
    faces, count, front = face_count(of), vertex_count(of), 0
    if faces == 0:
        return -1, -1.0
    most = -inf
    for k in range(count):
        of.placed.level[k] = dot(row(of.placed.vertices, k), way)
        most = max(most, of.placed.level[k])
    for k in range(count):
        if of.placed.level[k] >= most - slack:
            of.placed.front[front] = k
            front += 1
    best, score = 0, -inf
    for face in range(faces):
        normal, least = row(of.placed.normals, face), of.placed.heights[face] - slack
        shared = 0
        for k in range(front):
            if dot(normal, row(of.placed.vertices, of.placed.front[k])) >= least:
                shared += 1
        # A cosine is at most one, so a quarter of it never outweighs an additional vertex.
        value = shared + dot(normal, way) / 4.0
        if value > score:
            best, score = face, value
    best = of.solids.polygons[outline_of(of, best), REPRESENTATIVE]
    return best, dot(row(of.placed.normals, best), way)


def is_level(of: Solid, way: Vector, face: int, cosine: float, slack: float) -> bool:
    """Whether all corners of a supporting face are as far along a direction as the support point, within the slack."""
    if cosine < FACE_TILT:
        return False
    least, outline = highest(of, way) - slack, outline_of(of, face)
    for k in range(of.solids.polygons[outline, CORNERS]):
        if dot(row(of.placed.vertices, of.solids.corners[of.solids.polygons[outline, START] + k]), way) < least:
            return False
    return True


def supporting_feature(of: Solid, way: Vector, face: int, cosine: float) -> tuple[int, int]:
    """The supporting feature of a core along a direction: face, edge or vertex. The face is the supporting one."""
    if cosine >= 1.0 - FACE_ALIGNMENT:
        return FACE, face
    most, best = -inf, 0
    for k in range(vertex_count(of)):
        of.placed.level[k] = dot(row(of.placed.vertices, k), way)
        if of.placed.level[k] > most:
            most, best = of.placed.level[k], k
    kind = of.solids.geometry[of.at]
    least, first = most - SUPPORT * size_of(of), of.solids.polytopes[kind, FIRST_EDGE]
    for k in range(of.solids.polytopes[kind, EDGES]):
        one, other = of.solids.edges[first + k, 0], of.solids.edges[first + k, 1]
        if of.placed.level[one] >= least and of.placed.level[other] >= least:
            # A flat box has edges of length zero, which are vertices.
            run = minus(row(of.placed.vertices, other), row(of.placed.vertices, one))
            if run[0] != 0.0 or run[1] != 0.0 or run[2] != 0.0:
                return EDGE, k
    return VERTEX, best


def edge_between(of: Solid, begin: int, end: int) -> int:
    """The edge between two vertices.

    An edge of a joined outline of coplanar faces may consist of several edges. Then the edge from its first vertex that
    is nearest to its direction is returned.
    """
    kind, one, other = of.solids.geometry[of.at], min(begin, end), max(begin, end)
    first, count = of.solids.polytopes[kind, FIRST_EDGE], of.solids.polytopes[kind, EDGES]
    for k in range(count):
        start, stop = of.solids.edges[first + k, 0], of.solids.edges[first + k, 1]
        if min(start, stop) == one and max(start, stop) == other:
            return k
    best, most = 0, -inf
    side = normalized(minus(row(of.placed.vertices, other), row(of.placed.vertices, one)))
    for k in range(count):
        start, stop, cosine = of.solids.edges[first + k, 0], of.solids.edges[first + k, 1], -2.0
        if start == one or stop == one:
            away = minus(row(of.placed.vertices, stop), row(of.placed.vertices, start))
            cosine = dot(normalized(away), side)
            if start != one:
                cosine = -cosine
        if cosine > most:
            best, most = k, cosine
    return best


def shown_feature(of: Solid, kind: int, index: int) -> tuple[int, int]:
    """A feature of a shape, from that of its core.

    A vertex of a hull gets its index in the hull's input. The round surface around a point is a face. A capsule's side
    is an edge, and its caps are faces (Lee 2018, section 13.2.5).
    """
    if kind != VERTEX:
        return kind, index
    name = of.solids.names[of.solids.polytopes[of.solids.geometry[of.at], FIRST_VERTEX] + index]
    return FACE if radius_of(of) > 0.0 else VERTEX, name


def rise_to_surface(of: Solid, point: Vector, way: Vector) -> float:
    """Return how far a point is below the surface along a unit direction.

    This uses the planes of all faces that point in this direction, not only of the representatives. Zero if there are
    none, or if the given point is outside the shape. The latter happens beyond faces parallel to the direction.
    """
    rise = inf
    for face in range(face_count(of)):
        normal = row(of.placed.normals, face)
        cosine = dot(normal, way)
        if cosine >= COPLANAR_COSINE:
            rise = min(rise, (of.placed.heights[face] - dot(normal, point)) / cosine)
    if rise == inf:
        return 0.0
    for face in range(face_count(of)):
        normal = row(of.placed.normals, face)
        if rise * dot(normal, way) - (of.placed.heights[face] - dot(normal, point)) > COPLANAR * size_of(of):
            return 0.0
    return rise


@kernel
def supporting_faces(of: Solids, room: Placed, ways: Floats2, slack: Floats1, face: Ints1, cosine: Floats1) -> None:
    """Write the supporting face of each row along its direction, and its cosine; see `supporting_face`."""
    for at in range(len(ways)):
        one = Solid(of, at, room)
        place(one, (0.0, 0.0, 0.0))
        face[at], cosine[at] = supporting_face(one, row(ways, at), slack[at])


@kernel
def supporting_features(of: Solids, rows: Ints1, room: Placed, ways: Floats2, sign: float, feature: Ints2) -> None:
    """Write the supporting feature of each of these rows along its direction times a sign, kind and index, (P, 2)."""
    for at in range(len(ways)):
        one, way = Solid(of, rows[at], room), scaled(sign, row(ways, at))
        place(one, row(of.translation, one.at))
        found, cosine = supporting_face(one, way, SUPPORT * size_of(one))
        kind, index = supporting_feature(one, way, found, cosine)
        feature[at, 0], feature[at, 1] = shown_feature(one, kind, index)
