# SPDX-License-Identifier: GPL-3.0-or-later
"""The expanding polytope algorithm for one pair at a time, in scalar arithmetic, see `epa`.

A step visits the faces of one polytope. For a few pairs, this takes less time than the calls of numpy for a step.
"""

from collections.abc import Callable, Sequence
from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from ..numerics.tolerances import EPS, FACE_ALIGNMENT
from ..numerics.types import Floats
from ..shapes.support_mapped import Supported
from .polytopes import PolytopeSupport

# Maximum number of steps for one pair. Polytopes of a hundred vertices take about 15.
MOST_STEPS = 96
ROOM = 4 + MOST_STEPS

# Number of roundings of the coordinates within which the bounds count as equal.
CONVERGED = 8.0

# Dimensionless: the sine of the least angle of a face at its newest vertex. Below it, the normal is too inaccurate.
SLIVER = 1e-10

# Multiple of the tolerance: a fraction of the size of a pair. Points that are less accurate do not count as converged.
MISS = 1e3

# Faces of a tetrahedron whose fourth vertex is above the triangle of the first three, with outward orientation.
TETRAHEDRON = [(0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3)]


_Vector = tuple[float, float, float]


class Face(NamedTuple):
    """A triangle of the polytope.

    Attributes
    ----------
    offset : float
        Distance of its plane from the origin.
    x, y, z : float
        Its outward unit normal.
    i, j, k : int
        Its vertices, counter-clockwise from outside.
    """

    offset: float
    x: float
    y: float
    z: float
    i: int
    j: int
    k: int


class Polytope(NamedTuple):
    """The unfinished polytope of a single pair: vertices of A - B, the points of A that they come from, and faces.

    `bounds` are the lower and the upper bound so far, and `best` is the face whose normal gives the upper one.
    """

    vertices: list[_Vector]
    points: list[_Vector]
    faces: list[Face]
    bounds: tuple[float, float]
    best: Face


class _Limits(NamedTuple):
    """When the polytope of a single pair is finished, and when it is irregular.

    Attributes
    ----------
    converged : float
        A length. The bounds agree if they differ by no more.
    tolerance : float
        Dimensionless. The bounds also agree if they differ by no more than this share of the depth.
    rounding : float
        A length. A vertex closer to the plane of a face than this is not in front of it.
    """

    converged: float
    tolerance: float
    rounding: float


# The fields of `Penetration` for one pair.
Single = tuple[float, float, _Vector, _Vector, _Vector, bool, bool]


def one_by_one(
    a: Supported, b: Supported, begun: Sequence[Polytope | None], size: Floats, tolerance: float
) -> list[Single | None]:
    """Penetration depth of each pair, from its polytope on; None if there is none or it becomes irregular."""
    found: list[Single | None] = []
    for row, polytope in enumerate(begun):
        unit, here = EPS * float(size[row]), np.array([row])
        limits = _Limits(CONVERGED * unit, tolerance, unit)
        found.append(None if polytope is None else _single(a.take(here), b.take(here), polytope, limits))
    return found


def started(simplex: Floats, rounding: float) -> Polytope | None:
    """The polytope of a tetrahedron (4, 6), as of `penetration`; None if a face is too thin or at the origin."""
    vertices: list[_Vector] = [(x, y, z) for x, y, z, *_ in simplex.tolist()]
    points: list[_Vector] = [(x, y, z) for *_, x, y, z in simplex.tolist()]
    first, second, third = (_minus(vertex, vertices[0]) for vertex in vertices[1:])
    if _dot(_cross(first, second), third) < 0.0:
        vertices[1], vertices[2], points[1], points[2] = vertices[2], vertices[1], points[2], points[1]
    faces = _faces(vertices, TETRAHEDRON, rounding)
    return None if faces is None else Polytope(vertices, points, faces, (0.0, inf), _NOTHING)


def _single(a: Supported, b: Supported, polytope: Polytope, limits: _Limits) -> Single | None:
    """Penetration depth of one pair that overlaps. None if the polytope becomes irregular."""
    vertices, points, faces, (lower, upper), best = polytope
    new: list[Face] | None = []
    support_a, support_b = _support(a), _support(b)
    while len(vertices) < ROOM:
        if new is None:
            return None
        faces += new
        nearest = min(faces)
        _, x, y, z, *_ = nearest
        lower = max(lower, nearest.offset)
        normal = np.array([x, y, z])
        point = support_a(normal)
        u, v, w = tip = _minus(point, support_b(-normal))
        reach = x * u + y * v + z * w
        if reach < upper:
            upper, best = reach, nearest
        if upper - lower <= max(limits.converged, limits.tolerance * upper):
            return _result(vertices, points, faces, best, (lower, upper), limits)
        edges, kept = set[tuple[int, int]](), []
        for face in faces:
            offset, x, y, z, i, j, k = face
            if x * u + y * v + z * w - limits.rounding > offset:
                edges.update(((i, j), (j, k), (k, i)))
            else:
                kept.append(face)
        rim = [(i, j) for i, j in edges if (j, i) not in edges]
        # The faces visible from the new vertex form a disk. Its rim is a loop that passes each vertex once.
        if not rim or len(rim) > len(faces) - len(kept) + 2 or len({i for i, _ in rim}) < len(rim):
            return None
        vertices.append(tip)
        points.append(point)
        faces, new = kept, _faces(vertices, [(i, j, len(vertices) - 1) for i, j in rim], limits.rounding)
    return None


def _support(shape: Supported) -> Callable[[Floats], _Vector]:
    """The support mapping of one shape."""
    corners = shape.corners() if isinstance(shape, PolytopeSupport) else None
    if corners is None:
        return lambda direction: tuple(shape.support(direction[None])[0].tolist())
    listed = list(map(tuple, corners.tolist()))
    return lambda direction: listed[(corners @ direction).argmax()]


_NOTHING = Face(inf, 0.0, 0.0, 0.0, 0, 0, 0)


def _faces(vertices: list[_Vector], corners: list[tuple[int, int, int]], rounding: float) -> list[Face] | None:
    """The faces of triples of vertices, or None if one is too thin, or does not have the origin behind it."""
    result = []
    for i, j, k in corners:
        tip = vertices[k]
        first, second = _minus(vertices[i], tip), _minus(vertices[j], tip)
        x, y, z = _cross(first, second)
        square = x * x + y * y + z * z
        if square <= SLIVER**2 * _dot(first, first) * _dot(second, second):
            return None
        length = sqrt(square)
        x, y, z = x / length, y / length, z / length
        offset = x * tip[0] + y * tip[1] + z * tip[2]
        if offset <= rounding:
            return None
        result.append(Face(offset, x, y, z, i, j, k))
    return result


def _result(
    vertices: list[_Vector],
    points: list[_Vector],
    faces: list[Face],
    best: Face,
    bounds: tuple[float, float],
    limits: _Limits,
) -> Single:
    """The result along the normal of the best face."""
    lower, upper = bounds
    normal = best[1:4]
    chosen, weights, tied = best, _projection(vertices, best, normal), False
    # The normal may be that of an earlier face, parallel to the nearest one and below it.
    below = upper - best.offset > limits.converged + limits.tolerance * upper
    least = -inf if below else min(weights)
    for face in faces:
        if face.offset > upper + limits.converged:
            continue
        tilt = _minus(normal, face[1:4])
        if _dot(tilt, tilt) > 2.0 * FACE_ALIGNMENT:
            tied = True
            continue
        # The nearest face may consist of several triangles. Take the one into which the origin projects.
        found = _projection(vertices, face, normal)
        if min(found) > least:
            chosen, weights, least = face, found, min(found)
    on_hull, point_a = _mean(vertices, chosen, weights), _mean(points, chosen, weights)
    way = (upper * normal[0], upper * normal[1], upper * normal[2])
    miss = _minus(on_hull, way)
    # If the plane of a face exceeds the lower bound by a share t of the depth, the point is off by up to a share
    # sqrt(2 t) of it.
    off = min(sqrt(2.0 * limits.tolerance) * upper, MISS * limits.tolerance / EPS * limits.rounding)
    converged = sqrt(_dot(miss, miss)) <= 2.0 * limits.converged + off
    return upper, lower, normal, point_a, _minus(point_a, way), converged, tied


def _projection(vertices: list[_Vector], face: Face, normal: _Vector) -> _Vector:
    """Barycentric coordinates of the origin, projected along the normal to a face."""
    p, q, r = (vertices[corner] for corner in face[4:])
    u, v, w = _dot(_cross(q, r), normal), _dot(_cross(r, p), normal), _dot(_cross(p, q), normal)
    total = u + v + w or 1.0
    return u / total, v / total, w / total


def _mean(points: list[_Vector], face: Face, weights: _Vector) -> _Vector:
    """The mean of the points at the corners of a face; negative weights count as 0."""
    p, q, r = (points[corner] for corner in face[4:])
    u, v, w = (max(weight, 0.0) for weight in weights)
    total = u + v + w or 1.0
    u, v, w = u / total, v / total, w / total
    return (
        u * p[0] + v * q[0] + w * r[0],
        u * p[1] + v * q[1] + w * r[1],
        u * p[2] + v * q[2] + w * r[2],
    )


def _minus(p: _Vector, q: _Vector) -> _Vector:
    return p[0] - q[0], p[1] - q[1], p[2] - q[2]


def _dot(p: _Vector, q: _Vector) -> float:
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]


def _cross(p: _Vector, q: _Vector) -> _Vector:
    return p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]
