# SPDX-License-Identifier: GPL-3.0-or-later
"""GJK and the expanding polytope algorithm for pairs of polytopes, one pair after the other, compiled by numba.

These are the steps of `gjk` and `epa` with the same arithmetic and the same tolerances: van den Bergen, Collision
Detection in Interactive 3D Environments, sections 4.3 and 4.3.8; Ericson, Real-Time Collision Detection, section 9.5.
The kernels write into the arrays of a result. All arrays are contiguous, and those that are only read are
`compilation.constant`.

The shapes on one side of the pairs are five arrays, `polytopes.Side`: `points` (3, V), the vertices of all polytopes;
`frames` (12, P), the rows of a linear map and a translation; `places` (4, P), the first vertex, the number of vertices,
and the grid and the first cell in the direction table; and `starts` and `candidates` of that table. A grid of -1 means
that there is no table.
"""

from math import inf, sqrt
from typing import Any, TypeAlias

import numpy as np
from numba import njit

from ..numerics.tolerances import CLOSE_CORES, EPS, FACE_ALIGNMENT
from ..numerics.types import Bools, Floats, Ints
from . import epa_single, gjk

_Vector: TypeAlias = tuple[float, float, float]

_CONVERGED, _DOUBT, _INSIDE, _MOST_STEPS = gjk.CONVERGED, gjk.DOUBT, gjk.INSIDE, gjk.MOST_STEPS
_DEPTH_CONVERGED, _SLIVER = epa_single.CONVERGED, epa_single.SLIVER
_ROOM = epa_single.ROOM
_TETRAHEDRON = np.array(epa_single.TETRAHEDRON)

# For functions that make no arrays. Otherwise numba would count references to their arguments in the innermost loops.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
_inner = njit(**_OPTIONS)


@_inner
def _dot(a: _Vector, b: _Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@_inner
def _minus(a: _Vector, b: _Vector) -> _Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@_inner
def _scaled(factor: float, a: _Vector) -> _Vector:
    return factor * a[0], factor * a[1], factor * a[2]


@_inner
def _cross(a: _Vector, b: _Vector) -> _Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@_inner
def _row(values: Floats, row: int) -> _Vector:
    return values[row, 0], values[row, 1], values[row, 2]


@_inner
def _searched(points: Floats, first: int, count: int, way: _Vector) -> int:
    """The farthest of consecutive vertices along a direction."""
    best, most = first, -inf
    for at in range(first, first + count):
        height = way[0] * points[0, at] + way[1] * points[1, at] + way[2] * points[2, at]
        if height > most:
            best, most = at, height
    return best


@_inner
def _looked_up(points: Floats, first: int, grid: int, cells: int, starts: Ints, candidates: Ints, way: _Vector) -> int:
    """The farthest of the vertices in the cell of a direction; see `DirectionTable.cell`."""
    x, y, z = way
    size = abs(x) + abs(y) + abs(z)
    scale = 0.5 * grid / (size if size > 0.0 else 1.0)
    across = min(int((x + y) * scale + 0.5 * grid), max(grid - 1, 0))
    along = min(int((x - y) * scale + 0.5 * grid), max(grid - 1, 0))
    cell = cells + (across + (grid if z < 0.0 else 0)) * grid + along
    best, most = first, -inf
    for place in range(starts[cell], starts[cell + 1]):
        at = first + candidates[place]
        height = x * points[0, at] + y * points[1, at] + z * points[2, at]
        if height > most:
            best, most = at, height
    return best


@_inner
def _support(
    points: Floats, frames: Floats, places: Ints, starts: Ints, candidates: Ints, pair: int, way: _Vector
) -> _Vector:
    """The support point of a polytope along a direction."""
    first, grid = places[0, pair], places[2, pair]
    local = (
        frames[0, pair] * way[0] + frames[3, pair] * way[1] + frames[6, pair] * way[2],
        frames[1, pair] * way[0] + frames[4, pair] * way[1] + frames[7, pair] * way[2],
        frames[2, pair] * way[0] + frames[5, pair] * way[1] + frames[8, pair] * way[2],
    )
    if grid < 0:
        best = _searched(points, first, places[1, pair], local)
    else:
        best = _looked_up(points, first, grid, places[3, pair], starts, candidates, local)
    x, y, z = points[0, best], points[1, best], points[2, best]
    return (
        frames[0, pair] * x + frames[1, pair] * y + frames[2, pair] * z + frames[9, pair],
        frames[3, pair] * x + frames[4, pair] * y + frames[5, pair] * z + frames[10, pair],
        frames[6, pair] * x + frames[7, pair] * y + frames[8, pair] * z + frames[11, pair],
    )


@_inner
def _on_edge(corner: _Vector, edge: _Vector) -> tuple[float, _Vector, float]:
    """The point of an edge from a corner that is nearest to the origin: its parameter, the point, its square."""
    square = _dot(edge, edge)
    t = -_dot(corner, edge) / (square if square > 0.0 else 1.0)
    t = min(max(t, 0.0), 1.0)
    point = corner[0] + t * edge[0], corner[1] + t * edge[1], corner[2] + t * edge[2]
    return t, point, _dot(point, point)


@_inner
def _on_face(corner: _Vector, first: _Vector, second: _Vector) -> tuple[_Vector, float, _Vector]:
    """Whether the origin projects into the triangle of a corner and two edges: the projection, its square, the normal.

    The square is infinite if it does not.
    """
    normal = _cross(first, second)
    area = _dot(normal, normal)
    along = _dot(_cross(second, corner), normal)
    across = _dot(_cross(corner, first), normal)
    proper = along > 0.0 and across > 0.0 and along + across < area
    foot = _scaled(_dot(corner, normal) / (area if area > 0.0 else 1.0), normal)
    return foot, _dot(foot, foot) if proper else inf, normal


@_inner
def _grown(simplex: Floats, size: int, new: Floats, least: float) -> tuple[int, int, int, _Vector, float, bool]:
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
        return 1, 0, 1, corner, _dot(corner, corner), False
    edge_0 = _minus(_row(simplex, 0), corner)
    t, point, square = _on_edge(corner, edge_0)
    kept, count = 0, 2 if t > 0.0 else 1
    if size == 1:
        return count, kept, 1, point, square, False
    edge_1 = _minus(_row(simplex, 1), corner)
    t, foot, away = _on_edge(corner, edge_1)
    if away < square:
        point, square, kept, count = foot, away, 1, 2 if t > 0.0 else 1
    face, best, normal = _on_face(corner, edge_0, edge_1)
    first, second, inside = 0, 1, False
    if size == 3:
        edge_2 = _minus(_row(simplex, 2), corner)
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


@_inner
def _same_side(normal: _Vector, corner: _Vector, other: _Vector, least: float) -> bool:
    """Whether the origin is on the side of a face to which the edge `other` goes, and farther from it than `least`."""
    height = -_dot(normal, corner)
    return _dot(normal, other) * height > 0.0 and height * height > least * least * _dot(normal, normal)


@_inner
def _weights(simplex: Floats, size: int) -> _Vector:
    """Barycentric coordinates of the origin's projection on a simplex of one to three vertices."""
    corner = _row(simplex, 0)
    if size == 1:
        return 1.0, 0.0, 0.0
    first = _minus(_row(simplex, 1), corner)
    if size == 2:
        t, _, _ = _on_edge(corner, first)
        return 1.0 - t, t, 0.0
    second = _minus(_row(simplex, 2), corner)
    normal = _cross(first, second)
    area = _dot(normal, normal)
    along = max(_dot(_cross(second, corner), normal) / area, 0.0)
    across = max(_dot(_cross(corner, first), normal) / area, 0.0)
    total = max(along + across, 1.0)
    along, across = along / total, across / total
    return 1.0 - along - across, along, across


@_inner
def _across(simplex: Floats, before: _Vector, root: float) -> _Vector:
    """Make the nearest point of an edge perpendicular to the edge; see `gjk._Walk._across`."""
    edge = _minus(_row(simplex, 1), _row(simplex, 0))
    square = _dot(edge, edge)
    point = _minus(before, _scaled(_dot(before, edge) / (square if square > 0.0 else 1.0), edge))
    length = sqrt(_dot(point, point))
    return _scaled(root / length, point) if length > 0.0 else before


@njit(cache=True, error_model="numpy")
def closest(
    points_a: Floats,
    frames_a: Floats,
    places_a: Ints,
    starts_a: Ints,
    candidates_a: Ints,
    points_b: Floats,
    frames_b: Floats,
    places_b: Ints,
    starts_b: Ints,
    candidates_b: Ints,
    start: Floats,
    sizes: Floats,
    limits: Floats,
    tolerance: float,
    skew: Floats,
    distance: Floats,
    lowest: Floats,
    normal: Floats,
    point_a: Floats,
    point_b: Floats,
    overlap: Bools,
    beyond: Bools,
    doubtful: Bools,
    simplices: Floats,
) -> None:
    """The steps of `gjk.closest` for pairs of polytopes, from `start` (P, 3) on.

    Parameters
    ----------
    points_a, frames_a, places_a, starts_a, candidates_a, points_b, frames_b, places_b, starts_b, candidates_b : arrays
        See above.
    start, sizes, limits, tolerance : (P, 3), (P,), (P,), float
        As in `gjk`. The limits may be infinite.
    skew : (K, 3) float64
        Perturbations of successive directions.
    distance, lowest, normal, point_a, point_b, overlap, beyond, doubtful, simplices : arrays
        The fields of `gjk.Closest`, which are written.
    """
    simplex, new, mix = np.zeros((3, 6)), np.zeros(6), np.zeros(6)
    for pair in range(len(start)):
        point, size, square, lower, count = _row(start, pair), sizes[pair], inf, -inf, 0
        root, limit, finished = 0.0, limits[pair], False
        for step in range(_MOST_STEPS):
            root = sqrt(_dot(point, point))
            way = point
            if len(skew):
                bend = _row(skew, step % len(skew))
                way = point[0] + root * bend[0], point[1] + root * bend[1], point[2] + root * bend[2]
            on_a = _support(points_a, frames_a, places_a, starts_a, candidates_a, pair, _scaled(-1.0, way))
            tip = _minus(on_a, _support(points_b, frames_b, places_b, starts_b, candidates_b, pair, way))
            new[0], new[1], new[2] = tip
            new[3], new[4], new[5] = on_a
            reach = _dot(point, tip)
            if count == 0:
                size += sqrt(_dot(tip, tip))
            if root > 0.0:
                lower = reach / root
            if reach > limit * root:
                beyond[pair], distance[pair], lowest[pair] = True, lower, lower
                for k in range(3):
                    normal[pair, k] = -point[k] / root
                finished = True
                break
            if count and square - reach <= max(_CONVERGED * EPS * root * size, tolerance * square):
                break
            least = _INSIDE * EPS * size
            grown, kept_0, kept_1, nearest, nearer, inside = _grown(simplex, count, new, least)
            if inside and root > least:
                overlap[pair] = True
                simplices[pair, :3] = simplex
                simplices[pair, 3] = new
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
                on_a = _support(points_a, frames_a, places_a, starts_a, candidates_a, pair, _scaled(-1.0, way))
                own = (
                    _dot(way, _minus(on_a, _support(points_b, frames_b, places_b, starts_b, candidates_b, pair, way)))
                    / root
                )
            if own >= lower - _CONVERGED * EPS * size:
                point, lower = way, own
        met = mix[0], mix[1], mix[2]
        miss, apart, slack = _minus(met, point), sqrt(_dot(met, met)), _DOUBT * EPS * size
        distance[pair], lowest[pair] = root, lower
        for k in range(3):
            normal[pair, k] = -point[k] / (root if root > 0.0 else 1.0)
            point_a[pair, k], point_b[pair, k] = mix[3 + k], mix[3 + k] - mix[k]
        # The points prove the distance unless the triangle is a sliver. Coinciding points need no proof.
        unproved = sqrt(_dot(miss, miss)) > slack or root - lower > max(slack, tolerance * root)
        if unproved and apart > slack:
            doubtful[pair], distance[pair] = True, apart
            for k in range(4):
                simplices[pair, k] = simplex[k if k < count else 0]


@_inner
def _faced(corners: Ints, planes: Floats, face: int, vertices: Floats, least: float) -> bool:
    """Compute the plane of a face of the polytope. False if it is too thin, or does not have the origin behind it."""
    tip = _row(vertices, corners[face, 2])
    first = _minus(_row(vertices, corners[face, 0]), tip)
    second = _minus(_row(vertices, corners[face, 1]), tip)
    normal = _cross(first, second)
    square = _dot(normal, normal)
    if square <= _SLIVER * _SLIVER * _dot(first, first) * _dot(second, second):
        return False
    length = sqrt(square)
    normal = normal[0] / length, normal[1] / length, normal[2] / length
    offset = _dot(normal, tip)
    planes[face, 0], planes[face, 1], planes[face, 2] = normal
    planes[face, 3] = offset
    return offset > least


@_inner
def _projection(vertices: Floats, i: int, j: int, k: int, normal: _Vector) -> _Vector:
    """Barycentric coordinates of the origin, projected along the normal to a triangle."""
    p, q, r = _row(vertices, i), _row(vertices, j), _row(vertices, k)
    u, v, w = _dot(_cross(q, r), normal), _dot(_cross(r, p), normal), _dot(_cross(p, q), normal)
    total = u + v + w
    if total == 0.0:
        total = 1.0
    return u / total, v / total, w / total


@njit(cache=True, error_model="numpy")
def penetration(
    points_a: Floats,
    frames_a: Floats,
    places_a: Ints,
    starts_a: Ints,
    candidates_a: Ints,
    points_b: Floats,
    frames_b: Floats,
    places_b: Ints,
    starts_b: Ints,
    candidates_b: Ints,
    simplices: Floats,
    sizes: Floats,
    depth: Floats,
    lowest: Floats,
    normals: Floats,
    point_a: Floats,
    point_b: Floats,
    converged: Bools,
    tied: Bools,
    regular: Bools,
) -> None:
    """The penetration depths of pairs of polytopes; see `epa.penetration`.

    Parameters
    ----------
    points_a, frames_a, places_a, starts_a, candidates_a, points_b, frames_b, places_b, starts_b, candidates_b : arrays
        See above.
    simplices, sizes : (P, 4, 6), (P,)
        As in `epa`.
    depth, lowest, normals, point_a, point_b, converged, tied : arrays
        The fields of `epa.Penetration`, which are written.
    regular : (P,) bool
        Written: whether the polytope stays regular. If not, nothing else is written.
    """
    vertices = np.empty((_ROOM, 6))
    planes, corners = np.empty((2 * _ROOM, 4)), np.empty((2 * _ROOM, 3), dtype=np.int64)
    # The last step at which a visible face had the edge from one vertex to another, and at which the rim left a vertex.
    seen, passed = np.zeros((_ROOM, _ROOM), dtype=np.int64), np.zeros(_ROOM, dtype=np.int64)
    old = np.empty((2 * _ROOM, 3), dtype=np.int64)
    now = 0
    for pair in range(len(simplices)):
        unit = EPS * sizes[pair]
        least = _DEPTH_CONVERGED * unit
        vertices[:4] = simplices[pair]
        origin = _row(vertices, 0)
        first, second, third = (
            _minus(_row(vertices, 1), origin),
            _minus(_row(vertices, 2), origin),
            _minus(_row(vertices, 3), origin),
        )
        if _dot(_cross(first, second), third) < 0.0:
            vertices[1], vertices[2] = simplices[pair, 2], simplices[pair, 1]
        count, faces, sound = 4, 4, True
        for face in range(4):
            for k in range(3):
                corners[face, k] = _TETRAHEDRON[face, k]
            sound = sound and _faced(corners, planes, face, vertices, unit)
        lower, upper, normal, i, j, k = 0.0, inf, (0.0, 0.0, 0.0), 0, 0, 0
        done = False
        while sound and count < _ROOM:
            nearest = 0
            for face in range(1, faces):
                if planes[face, 3] < planes[nearest, 3]:
                    nearest = face
            lower = max(lower, planes[nearest, 3])
            way = _row(planes, nearest)
            on_a = _support(points_a, frames_a, places_a, starts_a, candidates_a, pair, way)
            tip = _minus(on_a, _support(points_b, frames_b, places_b, starts_b, candidates_b, pair, _scaled(-1.0, way)))
            reach = _dot(way, tip)
            if reach < upper:
                upper, normal = reach, way
                i, j, k = corners[nearest, 0], corners[nearest, 1], corners[nearest, 2]
            if upper - lower <= least:
                done = True
                break
            # Remove the visible faces.
            now += 1
            kept, gone = 0, 0
            for face in range(faces):
                p, q, r = corners[face, 0], corners[face, 1], corners[face, 2]
                if _dot(_row(planes, face), tip) - unit > planes[face, 3]:
                    seen[p, q] = seen[q, r] = seen[r, p] = now
                    old[gone, 0], old[gone, 1], old[gone, 2] = p, q, r
                    gone += 1
                else:
                    if kept < face:
                        corners[kept, 0], corners[kept, 1], corners[kept, 2] = p, q, r
                        for m in range(4):
                            planes[kept, m] = planes[face, m]
                    kept += 1
            # They form a disk. Its rim is a loop that passes each vertex once. Each edge of it makes a face.
            vertices[count, 0], vertices[count, 1], vertices[count, 2] = tip
            vertices[count, 3], vertices[count, 4], vertices[count, 5] = on_a
            faces = kept
            for face in range(gone):
                for m in range(3):
                    p, q = old[face, m], old[face, (m + 1) % 3]
                    if seen[q, p] == now:
                        continue
                    sound = sound and passed[p] != now and faces < kept + gone + 2
                    passed[p] = now
                    if sound:
                        corners[faces, 0], corners[faces, 1], corners[faces, 2] = p, q, count
                        sound = _faced(corners, planes, faces, vertices, unit)
                        faces += 1
            sound = sound and faces > kept
            count += 1
        regular[pair] = done
        if not done:
            continue
        weights = _projection(vertices, i, j, k, normal)
        # The normal may be that of an earlier face, parallel to the nearest one and below it.
        below = upper - _dot(_row(vertices, i), normal) > least
        inner = -inf if below else min(weights)
        for face in range(faces):
            if planes[face, 3] > upper + least:
                continue
            tilt = _minus(normal, _row(planes, face))
            if _dot(tilt, tilt) > 2.0 * FACE_ALIGNMENT:
                tied[pair] = True
                continue
            # The nearest face may consist of several triangles. Take the one into which the origin projects.
            p, q, r = corners[face, 0], corners[face, 1], corners[face, 2]
            found = _projection(vertices, p, q, r, normal)
            if min(found) > inner:
                weights, inner, i, j, k = found, min(found), p, q, r
        u, v, w = max(weights[0], 0.0), max(weights[1], 0.0), max(weights[2], 0.0)
        total = u + v + w
        if total == 0.0:
            total = 1.0
        u, v, w = u / total, v / total, w / total
        miss = 0.0
        depth[pair], lowest[pair] = upper, lower
        for m in range(3):
            way_m = upper * normal[m]
            normals[pair, m] = normal[m]
            point_a[pair, m] = u * vertices[i, 3 + m] + v * vertices[j, 3 + m] + w * vertices[k, 3 + m]
            point_b[pair, m] = point_a[pair, m] - way_m
            miss += (u * vertices[i, m] + v * vertices[j, m] + w * vertices[k, m] - way_m) ** 2
        converged[pair] = sqrt(miss) <= 2.0 * least
