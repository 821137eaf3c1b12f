# SPDX-License-Identifier: GPL-3.0-or-later
"""The expanding polytope algorithm for pairs of polytopes, one pair after the other, compiled by numba.

These are the steps of `epa` with the same arithmetic and the same tolerances: van den Bergen, Collision
Detection in Interactive 3D Environments, section 4.3.8.
The kernels write into the arrays of a result. All arrays are contiguous, and those that are only read are
`compilation.constant`.

The shapes on one side of the pairs are five arrays, `supports.Side`: `points` (3, V), the vertices of all polytopes;
`frames` (12, P), the rows of a linear map and a translation; `places` (4, P), the first vertex, the number of vertices,
and the grid and the first cell in the direction table; and `starts` and `candidates` of that table. A grid of -1 means
that there is no table.
"""

from math import inf, sqrt
from typing import Any, TypeAlias

import numpy as np
from numba import njit

from ..numerics.tolerances import EPS, FACE_ALIGNMENT
from ..numerics.types import Bools, Floats, Ints
from . import epa_single

_Vector: TypeAlias = tuple[float, float, float]

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
