# SPDX-License-Identifier: GPL-3.0-or-later
"""Penetration depth of pairs by the expanding polytope algorithm: many at once, or a few one by one.

The depth of A in B is the distance of the origin from the boundary of A - B (doc4code 2011, "Penetration depth"). A
polytope grows inside A - B, from a tetrahedron of support points around the origin. In each step, the support point
along the normal of the nearest face becomes a vertex. The polytope is complete when this support point is not beyond
the face.

Both bounds of the depth are certified. The plane through a support point is an upper bound, whatever the face it came
from. The distance of the nearest face is a lower bound for two reasons. The faces form a closed surface, because the
cone over the rim replaces the faces that it borders. And the origin is behind all faces. Such a surface encloses the
origin, and the ball up to its nearest face is inside the hull of its vertices. The surface need not be convex for this.

For many pairs, a step is a number of calls of numpy, which take as long for one pair as for hundreds. For a few pairs,
each step visits the faces of one polytope in scalar arithmetic, which takes a fifth of that time. A polytope that
becomes irregular there grows again with the others.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..numerics.compilation import Kernels, constant
from ..numerics.rows import RowTable, connected_components
from ..numerics.tolerances import EPS, FACE_ALIGNMENT
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross_columns, dot_columns
from ..shapes.support_mapped import Supported
from .polytopes import PolytopeSupport, loaded

# What they save for hulls of 8 to 32 points.
_KERNELS = Kernels("convex", 1e-5, "penetration")

# Pairs that grow together. They start at once, and each gets one vertex per step. So all have the same vertex count.
_BLOCK = 8192
# Up to this many pairs, growing one polytope after the other takes less time.
_FEW = 4

# Maximum number of steps for one pair. Polytopes of a hundred vertices take about 15.
MOST_STEPS = 96
_ROOM = 4 + MOST_STEPS

# Number of bits of a vertex number in a packed triangle.
_BITS = 8
_MASK = (1 << _BITS) - 1
_Packed = NDArray[np.int32]

# Number of roundings of the coordinates within which the bounds count as equal.
CONVERGED = 8.0

# Dimensionless: the sine of the least angle of a face at its newest vertex. Below it, the normal is too inaccurate.
SLIVER = 1e-10

# Cosine of the angle between the normals of faces that count as alike.
ALIKE = 0.97

# Faces of a tetrahedron whose fourth vertex is above the triangle of the first three, with outward orientation.
TETRAHEDRON = [(0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3)]


@dataclass(frozen=True)
class Penetration:
    """Penetration of the two shapes of each pair.

    Attributes
    ----------
    depth : (P,) float64
        An upper bound: a translation of B by ``depth * normal`` separates the two.
    lower : (P,) float64
        A lower bound: no shorter translation separates them.
    normal : (P, 3) float64
        Unit vector from A to B.
    point_a, point_b : (P, 3) float64
        Surface points that this translation brings together: ``point_a - point_b == depth * normal``.
    converged : (P,) bool
        The bounds agree within the tolerance, and the distance of the points along the normal is the depth. False also
        if a face became too thin, the polytope too large, or the origin is so near to the boundary that its side is
        unknown. The bounds are valid nevertheless. If the given vertices have a face without area, the upper bound is
        infinite.
    tied : (P,) bool
        Another direction is equally good within rounding.
    """

    depth: Floats
    lower: Floats
    normal: Floats
    point_a: Floats
    point_b: Floats
    converged: Bools
    tied: Bools


@dataclass(frozen=True)
class Faces(RowTable):
    """Faces of unfinished polytopes at which to search for less overlap.

    A direction of less overlap than the upper bound is near the normal of a face that is nearer than this bound.

    Attributes
    ----------
    normal : (P, K, 3) float64
        Normals of faces, zero if unused: of the nearest one, of the nearest one that is turned from it by more than
        `ALIKE`, of the nearest one that is turned from both, and so on.
    rest : (P,) float64
        No direction that is turned from all of them has less overlap.
    """

    normal: Floats
    rest: Floats


def penetration(
    a: Supported, b: Supported, simplex: Floats, tolerance: float = 0.0, faces: Faces | None = None
) -> Penetration:
    """Penetration depth of overlapping pairs.

    Parameters
    ----------
    a, b : Supported
        P shapes each.
    simplex : (P, 4, 6) float64
        Vertices of A - B that contain the origin, and the points of A that they come from, as returned by
        `collision_kit.core.convex.gjk.closest`.
    tolerance : float
        Dimensionless. A pair is finished if its bounds differ by at most this times the depth. Zero is for polytopes.
        Curved shapes need 1e-6 or more.
    faces : Faces, optional
        Where a pair is not finished, faces of its polytope are written here. Kernels do not write them.

    Notes
    -----
    Van den Bergen, Collision Detection in Interactive 3D Environments, section 4.3.8.
    """
    count = len(a)
    vectors, flags = np.zeros((3, count, 3)), np.zeros((2, count), dtype=bool)
    result = Penetration(np.full(count, np.inf), np.zeros(count), *vectors, *flags)
    size = a.size + b.size + np.abs(simplex[..., :3]).max(axis=(1, 2), initial=0.0)
    proper = _proper(simplex)
    if (compiled := loaded(_KERNELS, a, b)) is not None:
        kernels, *sides = compiled
        regular = np.zeros(count, dtype=bool)
        given = constant(simplex), constant(size), tolerance
        kernels.penetration(*sides, *given, *vars(result).values(), regular)
        proper = proper[~regular[proper]]
    elif len(proper) <= _FEW:
        proper = _one_by_one(a, b, simplex, size, tolerance, proper, result)
    for first in range(0, len(proper), _BLOCK):
        rows = proper[first : first + _BLOCK]
        growing = _Growing(rows, simplex[rows], size[rows])
        left, right = a.take(rows), b.take(rows)
        while len(alive := growing.step(left, right, tolerance)):
            left, right = left.take(alive), right.take(alive)
        growing.write(tolerance, result)
        if faces is not None:
            growing.write_faces(faces)
    return result


def _one_by_one(
    a: Supported, b: Supported, simplex: Floats, size: Floats, tolerance: float, rows: Ints, result: Penetration
) -> Ints:
    """Write the results of these rows one by one. Returns the rows whose polytopes become irregular."""
    left = []
    for row in rows.tolist():
        unit = EPS * float(size[row])
        limits = _Limits(CONVERGED * unit, tolerance, unit)
        found = _single(a.take(rows[rows == row]), b.take(rows[rows == row]), simplex[row], limits)
        if found is None:
            left.append(row)
            continue
        for values, value in zip(vars(result).values(), found, strict=True):
            values[row] = value
    return np.array(left, dtype=np.int64)


def _proper(simplex: Floats) -> Ints:
    """Indices of the tetrahedra (P, 4, 6) whose faces all have a normal."""
    corner = simplex[..., :3].transpose(1, 2, 0)
    faces = [cross_columns(corner[j] - corner[i], corner[k] - corner[i]) for i, j, k in TETRAHEDRON]
    return np.flatnonzero(np.all([dot_columns(normal, normal) > 0.0 for normal in faces], axis=0))


class _Growing:
    """The polytopes of a block of pairs, one column each.

    Each step adds a vertex to every unfinished polytope and two faces to almost every one. So all of these use the same
    number of rows.

    Attributes
    ----------
    columns : (S,) int64
        The unfinished pairs.
    vertices : int
        Number of vertices of their polytopes. The number of faces is twice that, minus four.
    vertex : (6, V, B) float64
        Vertices of A - B and the points of A that they come from, for the B pairs of the block.
    triangle : (F, B) int32
        Vertices of each face, counter-clockwise from outside, packed into one number.
    normal, offset : (3, F, B), (F, B) float64
        Planes of the faces. The offset is infinite for unused faces.
    owner : (V, V, B) uint8
        The face that has the edge from one vertex to another.
    rows : (B,) int64
        The rows of the results.
    size, upper, lower : (B,) float64
        The best bounds so far, and the size that scales their rounding error.
    nearest : (3, B) float64
        The normal of the face at which each polytope has grown last.
    upper_normal, upper_triangle : (3, B) float64, (B,) int32
        The face whose normal gives the upper bound.
    done : (B,) bool
        Whether the bounds agree.
    """

    def __init__(self, rows: Ints, simplex: Floats, size: Floats) -> None:
        count = len(rows)
        self.rows, self.size = rows, size
        self.upper, self.lower = np.full(count, np.inf), np.zeros(count)
        self.nearest, self.upper_normal = np.zeros((2, 3, count))
        self.upper_triangle = np.zeros(count, dtype=np.int32)
        self.columns, self.done = np.arange(count), np.zeros(count, dtype=bool)
        self.block, self.vertices = count, 4
        # Unused rows are not initialized, so they cost nothing.
        self.vertex, self.normal = np.empty((6, _ROOM, count)), np.empty((3, 2 * _ROOM, count))
        self.offset = np.empty((2 * _ROOM, count))
        self.triangle = np.empty((2 * _ROOM, count), dtype=np.int32)
        self.owner = np.empty((_ROOM, _ROOM, count), dtype=np.uint8)
        corner = simplex.transpose(1, 2, 0)
        edge = corner[1:, :3] - corner[0, :3]
        flip = dot_columns(cross_columns(edge[0], edge[1]), edge[2]) < 0.0
        for k, other in enumerate((0, 2, 1, 3)):
            self.vertex[:, k] = np.where(flip, corner[other], corner[k])
        for face, (i, j, k) in enumerate(TETRAHEDRON):
            start = self.vertex[:3, i]
            normal = cross_columns(self.vertex[:3, j] - start, self.vertex[:3, k] - start)
            normal /= np.sqrt(dot_columns(normal, normal))
            self.normal[:, face], self.offset[face] = normal, dot_columns(normal, start)
            self.triangle[face] = _packed(i, j, k)
            self.owner[i, j] = self.owner[j, k] = self.owner[k, i] = face

    def step(self, a: Supported, b: Supported, tolerance: float) -> Ints:
        """Grow each unfinished polytope at its nearest face. Returns which of them remain unfinished."""
        at, used = self.columns, 2 * self.vertices - 4
        count, offset = len(at), self.offset[:used].take(at, axis=1)
        lower = offset.min(axis=0)
        nearest = np.flatnonzero(offset == lower)
        best = np.empty(count, dtype=np.int64)
        best[nearest % count] = nearest // count
        best = best * self.block + at
        normal = self.nearest[:, at] = self.normal.reshape(3, -1).take(best, axis=1)
        new_a = a.support(normal.T).T
        new = new_a - b.support(-normal.T).T
        lower = self.lower[at] = np.maximum(self.lower.take(at), lower)
        reach, upper = dot_columns(normal, new), self.upper.take(at)
        better = np.flatnonzero(reach < upper)
        where = at.take(better)
        self.upper[where] = upper[better] = reach.take(better)
        self.upper_normal[:, where] = normal.take(better, axis=1)
        self.upper_triangle[where] = self.triangle.reshape(-1).take(best.take(better))
        stop = upper - lower <= np.maximum(CONVERGED * EPS * self.size.take(at), tolerance * upper)
        self.done[at] = stop
        if self.vertices == _ROOM or stop.all():
            return np.empty(0, dtype=np.int64)
        alive = np.flatnonzero(~(stop | self._grow(new, new_a, offset, stop, best // self.block)))
        self.columns = at.take(alive)
        return alive

    def _grow(self, new: Floats, new_a: Floats, offset: Floats, stop: Bools, nearest: Ints) -> Bools:
        """Replace the faces visible from the new vertex (3, S) by a cone to it. Returns where this failed.

        `nearest` (S,) are the faces in whose directions the new vertices were found.
        """
        columns, block, used = self.columns, self.block, 2 * self.vertices - 4
        count = len(columns)
        x, y, z = (part[:used].take(columns, axis=1) for part in self.normal)
        sight = x * new[0]
        sight += y * new[1]
        sight += z * new[2]
        sight -= np.where(stop, np.inf, EPS * self.size.take(columns))
        visible = np.greater(sight, offset).T.copy().reshape(-1)  # pair by pair
        pair, face, corners, across = self._visible_faces(visible)
        rims = ~visible.take(across)
        gone, sides = np.bincount(pair, minlength=count), np.bincount(pair, rims.sum(axis=1), minlength=count)
        # By rounding, other faces may be visible than those around the nearest one.
        if (apart := sides > gone + 2).any():
            number, inner = np.cumsum(visible) - 1, np.flatnonzero(~rims)
            label = connected_components(len(pair), inner // 3, number.take(across.reshape(-1).take(inner)))
            start = number.take(np.arange(count) * used + nearest)
            visible[visible] = ~apart[pair] | (label == label.take(start).take(pair))
            pair, face, corners, across = self._visible_faces(visible)
            rims = ~visible.take(across)
        seen = face * block + columns.take(pair)
        # Edges of the rim, from vertex i to vertex j, still ordered by pair.
        rim = np.flatnonzero(rims)
        at = pair.take(rim // 3)
        i, j = corners.reshape(-1).take(rim), corners[:, [1, 2, 0]].reshape(-1).take(rim)
        gone, sides = np.bincount(pair, minlength=count), np.bincount(at, minlength=count)
        failed = (sides > gone + 2) | ((sides == 0) & ~stop)
        if failed.any():
            kept = ~failed[at]
            at, i, j = at[kept], i[kept], j[kept]
            face, seen = face[~failed[pair]], seen[~failed[pair]]
            sides[failed] = gone[failed] = 0
        # New faces reuse the places of removed faces, and then the next free ones.
        rank = np.arange(len(at)) - (np.cumsum(sides) - sides).take(at)
        spare = rank - gone.take(at)
        reused = np.minimum((np.cumsum(gone) - gone).take(at) + rank, len(seen) - 1)
        face = np.where(spare < 0, face.take(reused), used + spare)
        column = columns.take(at)
        place = face * block + column
        tip = self.vertices
        self.vertices += 1
        self.vertex[:3, tip, columns], self.vertex[3:, tip, columns] = new, new_a
        # Where a polytope gains fewer faces, these are unused.
        self.offset[used : used + 2], self.normal[:, used : used + 2] = np.inf, 0.0
        offsets, vertex = self.offset.reshape(-1), self.vertex.reshape(6, -1)[:3]
        offsets[seen] = np.inf
        top = new.take(at, axis=1)
        one, other = vertex.take(i * block + column, axis=1), vertex.take(j * block + column, axis=1)
        one -= top
        other -= top
        normal = cross_columns(one, other)
        square = dot_columns(normal, normal)
        thin = square <= SLIVER**2 * dot_columns(one, one) * dot_columns(other, other)
        normal /= np.sqrt(np.where(thin, 1.0, square))
        offset = dot_columns(normal, top)
        for k in range(3):
            self.normal[k].reshape(-1)[place] = normal[k]
        offsets[place] = offset
        self.triangle.reshape(-1)[place] = _packed(i, j, tip)
        number = face.astype(np.uint8)
        owner = self.owner.reshape(-1)
        entering = (tip * _ROOM + i) * block + column
        owner[(i * _ROOM + j) * block + column] = number
        owner[(j * _ROOM + tip) * block + column] = number
        owner[entering] = number
        # A rim that passes a vertex twice is not a single loop. An origin on a face is neither inside nor outside.
        wrong = thin | (offset <= EPS * self.size.take(column)) | (owner.take(entering) != number)
        failed[at[wrong]] = True
        return failed

    def _visible_faces(self, visible: Bools) -> tuple[Ints, Ints, Ints, Ints]:
        """The visible faces of all pairs, one after the other: pair, face, and (K, 3) their corners and neighbors.

        `visible` has a place for each face of each pair. A neighbor is the place of the face beyond the edge from a
        corner to the next.
        """
        used = 2 * self.vertices - 4
        pair, face = np.divmod(np.flatnonzero(visible), used)
        column = self.columns.take(pair)
        corners = np.stack(_unpacked(self.triangle.reshape(-1).take(face * self.block + column)), axis=1)
        edge = (corners[:, [1, 2, 0]] * _ROOM + corners) * self.block + column[:, None]
        across = self.owner.reshape(-1).take(edge) + (pair * used)[:, None]
        return pair, face, corners, across

    def write(self, tolerance: float, result: Penetration) -> None:
        """Write the results of all pairs."""
        corner = self._corners(np.arange(self.block), self.upper_triangle)
        weight = _projections(corner[:, :3], self.upper_normal)
        slack = CONVERGED * EPS * self.size
        # The normal may be that of an earlier face, parallel to the nearest one and below it.
        below = self.upper - dot_columns(corner[0, :3], self.upper_normal) > slack + tolerance * self.upper
        least = np.where(below, -np.inf, weight.min(axis=0))
        level = np.where(self.done, self.upper + slack, -np.inf)
        face, pair = np.nonzero(self.offset[: 2 * self.vertices - 4] <= level)
        several = (np.bincount(pair, minlength=self.block) > 1)[pair] | below[pair]
        if several.any():
            # The nearest face may consist of several triangles. Take the one into which the origin projects.
            face, pair = face[several], pair[several]
            normal = self.upper_normal.take(pair, axis=1)
            tilt = normal - self.normal[:, face, pair]
            tied = dot_columns(tilt, tilt) > 2.0 * FACE_ALIGNMENT
            result.tied[self.rows[pair[tied]]] = True
            face, pair, normal = face[~tied], pair[~tied], normal[:, ~tied]
            corners = self._corners(pair, self.triangle[face, pair])
            weights = _projections(corners[:, :3], normal)
            order = np.lexsort((-weights.min(axis=0), pair))
            order = order[np.flatnonzero(np.diff(pair[order], prepend=-1))]
            inner = order[weights.min(axis=0)[order] > least[pair[order]]]
            weight[:, pair[inner]], corner[:, :, pair[inner]] = weights[:, inner], corners[:, :, inner]
        weight = np.maximum(weight, 0.0)
        total = weight.sum(axis=0)
        weight /= np.where(total > 0.0, total, 1.0)
        mean, way = np.einsum("kp,kip->ip", weight, corner), self.upper * self.upper_normal
        miss = mean[:3] - way
        miss = np.sqrt(dot_columns(miss, miss))
        where = self.rows
        result.depth[where], result.lower[where], result.normal[where] = self.upper, self.lower, self.upper_normal.T
        result.point_a[where], result.point_b[where] = mean[3:].T, (mean[3:] - way).T
        # If the plane of a face exceeds the lower bound by a share t of the depth, the point is off by up to a share
        # sqrt(2 t) of it.
        near = miss <= 2.0 * slack + np.sqrt(2.0 * tolerance) * self.upper
        result.converged[where] = self.done & near

    def write_faces(self, faces: Faces) -> None:
        """Write the normals of faces of unfinished polytopes."""
        at = np.flatnonzero(~self.done)
        used = 2 * self.vertices - 4
        offset, normal = self.offset[:used, at], self.normal[:, :used, at]
        every, rows = np.arange(len(at)), self.rows[at]
        # The normals of faces that are too thin are not unit vectors. The directions around them have other faces.
        offset[(offset >= self.upper[at]) | (dot_columns(normal, normal) < ALIKE)] = np.inf
        # The face that the last step was taken at may have been removed.
        near = self.nearest[:, at]
        for k in range(faces.normal.shape[1]):
            faces.normal[rows, k] = near.T
            offset[dot_columns(normal, near[:, None]) > ALIKE] = np.inf
            best = offset.argmin(axis=0)
            faces.rest[rows] = rest = offset[best, every]
            near = np.where(np.isfinite(rest), normal[:, best, every], 0.0)

    def _corners(self, at: Ints, triangle: _Packed) -> Floats:
        """Vertices of packed triangles of these pairs, (3, 6, K)."""
        vertex = self.vertex.reshape(6, -1)
        return np.stack([vertex.take(corner * self.block + at, axis=1) for corner in _unpacked(triangle)])


def _packed(i: Ints | int, j: Ints | int, k: Ints | int) -> Ints | int:
    return (i << 2 * _BITS) | (j << _BITS) | k


def _unpacked(triangle: _Packed) -> tuple[Ints, Ints, Ints]:
    whole = triangle.astype(np.int64)
    return whole >> 2 * _BITS, (whole >> _BITS) & _MASK, whole & _MASK


def _projections(corner: Floats, normal: Floats) -> Floats:
    """Barycentric coordinates (3, P) of the origin, projected along the normals (3, P) to triangles (3, 3, P)."""
    p, q, r = corner
    parts = np.stack(
        [
            dot_columns(cross_columns(q, r), normal),
            dot_columns(cross_columns(r, p), normal),
            dot_columns(cross_columns(p, q), normal),
        ]
    )
    total = parts.sum(axis=0)
    result: Floats = parts / np.where(total != 0.0, total, 1.0)
    return result


_Vector = tuple[float, float, float]


class _Face(NamedTuple):
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
_Single = tuple[float, float, _Vector, _Vector, _Vector, bool, bool]


def _single(a: Supported, b: Supported, simplex: Floats, limits: _Limits) -> _Single | None:
    """Penetration depth of one pair that overlaps, with the arguments of `penetration`.

    None if the polytope becomes irregular.
    """
    vertices: list[_Vector] = [(x, y, z) for x, y, z, *_ in simplex.tolist()]
    points: list[_Vector] = [(x, y, z) for *_, x, y, z in simplex.tolist()]
    first, second, third = (_minus(vertex, vertices[0]) for vertex in vertices[1:])
    if _dot(_cross(first, second), third) < 0.0:
        vertices[1], vertices[2], points[1], points[2] = vertices[2], vertices[1], points[2], points[1]
    faces = list[_Face]()
    new = _faces(vertices, TETRAHEDRON, limits)
    lower, upper, best = 0.0, inf, _NOTHING
    support_a, support_b = _support(a), _support(b)
    for _ in range(MOST_STEPS):
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
        faces, new = kept, _faces(vertices, [(i, j, len(vertices) - 1) for i, j in rim], limits)
    return None


def _support(shape: Supported) -> Callable[[Floats], _Vector]:
    """The support mapping of one shape."""
    corners = shape.corners() if isinstance(shape, PolytopeSupport) else None
    if corners is None:
        return lambda direction: tuple(shape.support(direction[None])[0].tolist())
    listed = list(map(tuple, corners.tolist()))
    return lambda direction: listed[(corners @ direction).argmax()]


_NOTHING = _Face(inf, 0.0, 0.0, 0.0, 0, 0, 0)


def _faces(vertices: list[_Vector], corners: list[tuple[int, int, int]], limits: _Limits) -> list[_Face] | None:
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
        if offset <= limits.rounding:
            return None
        result.append(_Face(offset, x, y, z, i, j, k))
    return result


def _result(
    vertices: list[_Vector],
    points: list[_Vector],
    faces: list[_Face],
    best: _Face,
    bounds: tuple[float, float],
    limits: _Limits,
) -> _Single:
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
    converged = sqrt(_dot(miss, miss)) <= 2.0 * limits.converged + sqrt(2.0 * limits.tolerance) * upper
    return upper, lower, normal, point_a, _minus(point_a, way), converged, tied


def _projection(vertices: list[_Vector], face: _Face, normal: _Vector) -> _Vector:
    """Barycentric coordinates of the origin, projected along the normal to a face."""
    p, q, r = (vertices[corner] for corner in face[4:])
    u, v, w = _dot(_cross(q, r), normal), _dot(_cross(r, p), normal), _dot(_cross(p, q), normal)
    total = u + v + w or 1.0
    return u / total, v / total, w / total


def _mean(points: list[_Vector], face: _Face, weights: _Vector) -> _Vector:
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
