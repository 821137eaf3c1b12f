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
and for the last few of many, each step visits the faces of one polytope in scalar arithmetic, which takes a fifth of
that time. A polytope that becomes irregular there grows on as one of many.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics.compilation import Kernels, constant
from ..numerics.rows import RowTable, connected_components
from ..numerics.tolerances import EPS, FACE_ALIGNMENT
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross_columns, dot_columns
from ..shapes.support_mapped import Supported
from .epa_single import CONVERGED, MISS, ROOM, SLIVER, TETRAHEDRON, Face, Polytope, Single, one_by_one, started
from .polytopes import loaded

# What they save for hulls of 8 to 32 points.
_KERNELS = Kernels("convex", 1e-5, "penetration")

# Pairs that grow together. They start at once, and each gets one vertex per step. So all have the same vertex count.
_BLOCK = 8192
# Up to this many pairs, growing one polytope after the other takes less time.
_FEW = 4

# Number of bits of a vertex number in a packed triangle.
_BITS = 8
_MASK = (1 << _BITS) - 1
_Packed = NDArray[np.int32]

# Cosine of the angle between the normals of faces that count as alike.
ALIKE = 0.97


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
        The distance of the nearest other face, infinite if there is none below the upper bound: no direction that is
        turned from all of `normal` has less overlap.
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
    # Only polytopes have kernels, and need no tolerance.
    if not tolerance and (compiled := loaded(_KERNELS, a, b)) is not None:
        kernels, *sides = compiled
        regular = np.zeros(count, dtype=bool)
        kernels.penetration(*sides, constant(simplex), constant(size), *vars(result).values(), regular)
        proper = proper[~regular[proper]]
    elif len(proper) <= _FEW:
        begun = [started(simplex[row], EPS * size[row]) for row in proper]
        proper = _write(proper, one_by_one(a.take(proper), b.take(proper), begun, size[proper], tolerance), result)
    for first in range(0, len(proper), _BLOCK):
        rows = proper[first : first + _BLOCK]
        growing = _Growing(rows, simplex[rows], size[rows])
        left, right = a.take(rows), b.take(rows)
        found: list[Single | None] = []
        last = rows[:0]
        while len(alive := growing.step(left, right, tolerance)):
            left, right = left.take(alive), right.take(alive)
            if len(alive) <= _FEW and not found:
                last, found = rows[growing.columns], growing.one_by_one(left, right, tolerance)
                kept = np.flatnonzero([one is None for one in found])
                left, right = left.take(kept), right.take(kept)
        growing.write(tolerance, result)
        _write(last, found, result)
        if faces is not None:
            growing.write_faces(faces)
    return result


def _write(rows: Ints, found: list[Single | None], result: Penetration) -> Ints:
    """Write the results of these rows. Returns the rows without a result."""
    for row, one in zip(rows.tolist(), found, strict=True):
        if one is not None:
            for values, value in zip(vars(result).values(), one, strict=True):
                values[row] = value
    return rows[[one is None for one in found]]


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
        self.vertex, self.normal = np.empty((6, ROOM, count)), np.empty((3, 2 * ROOM, count))
        self.offset = np.empty((2 * ROOM, count))
        self.triangle = np.empty((2 * ROOM, count), dtype=np.int32)
        self.owner = np.empty((ROOM, ROOM, count), dtype=np.uint8)
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
        if not len(at):
            return at
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
        if self.vertices == ROOM or stop.all():
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
        pair, face, corners, following, across = self._visible_faces(visible)
        rims = ~visible.take(across)
        rim = np.flatnonzero(rims)
        at = pair.take(rim // 3)
        gone, sides = np.bincount(pair, minlength=count), np.bincount(at, minlength=count)
        # By rounding, other faces may be visible than those around the nearest one.
        if (apart := sides > gone + 2).any():
            number, inner = np.cumsum(visible) - 1, np.flatnonzero(~rims)
            label = connected_components(len(pair), inner // 3, number.take(across.reshape(-1).take(inner)))
            start = number.take(np.arange(count) * used + nearest)
            visible[visible] = ~apart[pair] | (label == label.take(start).take(pair))
            pair, face, corners, following, across = self._visible_faces(visible)
            rim = np.flatnonzero(~visible.take(across))
            at = pair.take(rim // 3)
            gone, sides = np.bincount(pair, minlength=count), np.bincount(at, minlength=count)
        seen = face * block + columns.take(pair)
        # Edges of the rim, from vertex i to vertex j, still ordered by pair.
        i, j = corners.reshape(-1).take(rim), following.reshape(-1).take(rim)
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
        entering = (tip * ROOM + i) * block + column
        owner[(i * ROOM + j) * block + column] = number
        owner[(j * ROOM + tip) * block + column] = number
        owner[entering] = number
        # A rim that passes a vertex twice is not a single loop. An origin on a face is neither inside nor outside.
        wrong = thin | (offset <= EPS * self.size.take(column)) | (owner.take(entering) != number)
        failed[at[wrong]] = True
        return failed

    def _visible_faces(self, visible: Bools) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """The visible faces of all pairs in turn: pair, face, and (K, 3) corners, the next corners, and neighbors.

        `visible` has a place for each face of each pair. A neighbor is the place of the face beyond the edge from a
        corner to the next.
        """
        used = 2 * self.vertices - 4
        place = np.flatnonzero(visible)
        pair = place // used  # faster than divmod
        first = pair * used
        face = place - first
        column = self.columns.take(pair)
        i, j, k = _unpacked(self.triangle.reshape(-1).take(face * self.block + column))
        corners, following = np.stack([i, j, k], axis=1), np.stack([j, k, i], axis=1)
        edge = (following * ROOM + corners) * self.block + column[:, None]
        across = self.owner.reshape(-1).take(edge) + first[:, None]
        return pair, face, corners, following, across

    def one_by_one(self, a: Supported, b: Supported, tolerance: float) -> list[Single | None]:
        """Finish the unfinished polytopes one by one. Those without a result remain unfinished."""
        at = self.columns
        found = one_by_one(a, b, list(map(self._polytope, at.tolist())), self.size[at], tolerance)
        self.done[at] = finished = np.array([one is not None for one in found], dtype=bool)
        self.columns = at[~finished]
        return found

    def _polytope(self, at: int) -> Polytope:
        """One polytope for scalar arithmetic."""
        vertices = list(map(tuple, self.vertex[:, : self.vertices, at].T.tolist()))
        real = np.flatnonzero(np.isfinite(self.offset[: 2 * self.vertices - 4, at]))
        corners = np.stack(_unpacked(self.triangle[real, at]), axis=1).tolist()
        planes = np.stack([self.offset[real, at], *self.normal[:, real, at]], axis=1).tolist()
        faces = [Face(*plane, *corner) for plane, corner in zip(planes, corners, strict=True)]
        i, j, k = (int(corner) for corner in _unpacked(self.upper_triangle[at]))
        x, y, z = self.upper_normal[:, at].tolist()
        u, v, w, *_ = vertices[i]
        bounds = float(self.lower[at]), float(self.upper[at])
        best = Face(x * u + y * v + z * w, x, y, z, i, j, k)
        return Polytope([one[:3] for one in vertices], [one[3:] for one in vertices], faces, bounds, best)

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
        off = np.minimum(np.sqrt(2.0 * tolerance) * self.upper, MISS * tolerance * self.size)
        near = miss <= 2.0 * slack + off
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
