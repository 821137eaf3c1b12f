# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance between the cores of many pairs at once, by the algorithm of Gilbert, Johnson and Keerthi.

The distance of A and B is that of the origin to A - B (seed 001, "Distance"). GJK walks there over simplices of
A - B whose vertices are differences of support points. Every step below works on all pairs that are not finished yet.
"""

from dataclasses import dataclass

import numpy as np

from .results import Bools, Floats, Ints
from .tolerances import EPS
from .vectors import dot, length

# A step settles at least one vertex of A - B, and simplices never repeat; real pairs take 3 to 12 steps.
_MOST_STEPS = 128

_EDGES = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])
_TRIANGLES = np.array([[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]])
_FACES_BY_SIZE = (
    (2, _EDGES[:1], _TRIANGLES[:0]),
    (3, _EDGES[[0, 1, 3]], _TRIANGLES[:1]),
    (4, _EDGES, _TRIANGLES),
)


@dataclass(frozen=True)
class Closest:
    """Closest points of the two cores of each pair.

    Attributes
    ----------
    distance : (P,) float64
        Zero where the cores overlap.
    point_a, point_b : (P, 3) float64
        Meaningless where `overlap`.
    overlap : (P,) bool
        The origin was found inside a tetrahedron of A - B.
    """

    distance: Floats
    point_a: Floats
    point_b: Floats
    overlap: Bools


def closest(vertices_a: Floats, vertices_b: Floats) -> Closest:
    """Closest points of conv(A) and conv(B) for each pair.

    Parameters
    ----------
    vertices_a : (P, V, 3) float64
    vertices_b : (P, W, 3) float64
        Any vertex may be repeated (padding).

    Notes
    -----
    Van den Bergen, Collision Detection in Interactive 3D Environments, section 4.3; the sub-distance problem is solved
    by trying every face of the simplex, which needs no case analysis and does not fail on slivers.
    """
    count = len(vertices_a)
    result = Closest(np.zeros(count), np.zeros((count, 3)), np.zeros((count, 3)), np.zeros(count, dtype=bool))
    rows = np.arange(count)
    scale = np.abs(vertices_a).max(axis=(1, 2)) + np.abs(vertices_b).max(axis=(1, 2))
    # The simplex: support points of A and of B, how many there are, and the weights of the closest point.
    a = np.repeat(vertices_a[:, :1], 4, axis=1)
    b = np.repeat(vertices_b[:, :1], 4, axis=1)
    size = np.ones(count, dtype=np.int64)
    weight = np.zeros((count, 4))
    weight[:, 0] = 1.0
    point = a[:, 0] - b[:, 0]
    for _ in range(_MOST_STEPS):
        if not len(rows):
            break
        new_a = _support(vertices_a, -point)
        new_b = _support(vertices_b, point)
        new = new_a - new_b
        square = dot(point, point)
        slack = square - dot(point, new)
        # The lower bound is as good as it can get, or the support is already a vertex of the simplex.
        known = ((new[:, None] == a - b).all(axis=2) & (np.arange(4) < size[:, None])).any(axis=1)
        done = known | (slack <= 4.0 * EPS * np.sqrt(square) * scale) | (square == 0.0)
        grown_a, grown_b, grown = a.copy(), b.copy(), np.minimum(size + 1, 4)
        at = np.arange(len(rows))
        grown_a[at, np.minimum(size, 3)], grown_b[at, np.minimum(size, 3)] = new_a, new_b
        nearest, weights, inside = _nearest_on_simplex(grown_a - grown_b, grown)
        overlap = ~done & inside
        # No progress: rounding has the last word, the simplex before this step stands.
        done |= ~inside & (dot(nearest, nearest) >= square)
        move = ~done & ~overlap
        a, b, size, weight = _compacted(
            np.where(move[:, None, None], grown_a, a),
            np.where(move[:, None, None], grown_b, b),
            np.where(move, grown, size),
            np.where(move[:, None], weights, weight),
        )
        stop = done | overlap
        where = rows[stop]
        result.overlap[where] = overlap[stop]
        _write(result, where, a[stop], b[stop], weight[stop])
        keep = ~stop
        rows, scale, size = rows[keep], scale[keep], size[keep]
        vertices_a, vertices_b = vertices_a[keep], vertices_b[keep]
        a, b, weight, point = a[keep], b[keep], weight[keep], nearest[keep]
    _write(result, rows, a, b, weight)
    result.distance[result.overlap] = 0.0
    return result


def _support(vertices: Floats, direction: Floats) -> Floats:
    """The vertex of each row farthest along its direction: (P, V, 3), (P, 3) -> (P, 3)."""
    far = np.argmax(np.matmul(vertices, direction[:, :, None])[:, :, 0], axis=1)
    result: Floats = vertices[np.arange(len(vertices)), far]
    return result


def _write(result: Closest, rows: Ints, a: Floats, b: Floats, weight: Floats) -> None:
    result.point_a[rows] = np.einsum("pk,pki->pi", weight, a)
    result.point_b[rows] = np.einsum("pk,pki->pi", weight, b)
    # From the differences, not from the two points: close pairs far out would lose their distance to rounding.
    result.distance[rows] = length(np.einsum("pk,pki->pi", weight, a - b))


def _compacted(a: Floats, b: Floats, size: Ints, weight: Floats) -> tuple[Floats, Floats, Ints, Floats]:
    """The same simplices without the vertices of weight zero, the others first."""
    order = np.argsort(weight <= 0.0, axis=1, kind="stable")
    size = np.minimum(size, np.count_nonzero(weight > 0.0, axis=1))
    return (
        np.take_along_axis(a, order[..., None], axis=1),
        np.take_along_axis(b, order[..., None], axis=1),
        size,
        np.take_along_axis(weight, order, axis=1),
    )


def _nearest_on_simplex(simplex: Floats, size: Ints) -> tuple[Floats, Floats, Bools]:
    """The point of each simplex nearest to the origin, its weights, and whether the origin is inside.

    Simplices are (P, 4, 3) of which the first `size` vertices count, 2 to 4.
    """
    count = len(simplex)
    nearest, weights = np.empty((count, 3)), np.zeros((count, 4))
    inside = np.zeros(count, dtype=bool)
    for vertices, edges, triangles in _FACES_BY_SIZE:
        rows = np.flatnonzero(size == vertices)
        if len(rows):
            group = simplex[rows]
            nearest[rows], weights[rows] = _nearest_on_faces(group, edges, triangles)
            if vertices == 4:
                inside[rows] = _origin_inside(group)
    return nearest, weights, inside


def _nearest_on_faces(simplex: Floats, edges: Ints, triangles: Ints) -> tuple[Floats, Floats]:
    """The nearest point over the given edges (ends included) and triangle interiors, with its four weights."""
    count = len(simplex)
    start, along = simplex[:, edges[:, 0]], simplex[:, edges[:, 1]] - simplex[:, edges[:, 0]]
    square = dot(along, along)
    t = np.clip(-dot(start, along) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    weights = np.zeros((count, len(edges) + len(triangles), 4))
    on_edge = np.arange(len(edges))
    weights[:, on_edge, edges[:, 0]] = 1.0 - t
    weights[:, on_edge, edges[:, 1]] = t
    points = start + t[..., None] * along
    if len(triangles):
        p, q, r = (simplex[:, triangles[:, k]] for k in range(3))
        normal = np.cross(q - p, r - p)
        area = dot(normal, normal)
        u = dot(np.cross(q, r), normal)
        v = dot(np.cross(r, p), normal)
        w = dot(np.cross(p, q), normal)
        total = u + v + w
        proper = (np.minimum(np.minimum(u, v), w) > 0.0) & (area > 0.0)
        safe = np.where(proper, total, 1.0)
        in_triangle = len(edges) + np.arange(len(triangles))
        for corner, value in enumerate((u, v, w)):
            weights[:, in_triangle, triangles[:, corner]] = np.where(proper, value / safe, 0.0)
        flat = normal * (dot(normal, p) / np.where(area > 0.0, area, 1.0))[..., None]
        points = np.concatenate([points, np.where(proper[..., None], flat, np.inf)], axis=1)
    best = np.argmin(dot(points, points), axis=1)
    at = np.arange(count)
    return points[at, best], weights[at, best]


def _origin_inside(tetrahedron: Floats) -> Bools:
    """Whether the origin lies strictly inside each tetrahedron (P, 4, 3); never for a flat one."""
    p, q, r, s = (tetrahedron[:, k] for k in range(4))
    volume = dot(np.cross(q - p, r - p), s - p)
    # The volumes with the origin in place of p, q, r and s: all of one sign inside.
    parts = (
        dot(np.cross(q, r), s),
        dot(np.cross(r, p), s),
        dot(np.cross(p, q), s),
        -dot(np.cross(p, q), r),
    )
    result: Bools = np.logical_and.reduce([part * volume > 0.0 for part in parts])
    return result
