# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance of many pairs at once, by the algorithm of Gilbert, Johnson and Keerthi (GJK).

The distance of A and B is that of the origin from A - B (doc4code 2011, "Distance"). GJK approaches it over simplices
of A - B whose vertices are differences of support points. It only uses the support mapping of the shapes. So polytopes
and shapes with curved surfaces are handled alike. Every step processes all unfinished pairs, ordered by the size of
their simplices, so that no pair does the work of another's case.
"""

from dataclasses import dataclass

import numpy as np

from ..kernels import gjk as kernels
from ..kernels.gjk import CONVERGED, DOUBT, INSIDE, MOST_STEPS
from ..kernels.loading import pays
from ..numerics.tolerances import CLOSE_CORES, EPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross_columns, dot_columns, length, normalized
from ..shapes.support_mapped import Supported
from .active_set import settled
from .polytopes import both_sides

# Dimensionless: relative difference of the bounds of a gap that need not be the exact distance.
_GAP_TOLERANCE = 1e-6
# Dimensionless: the least `tolerance` of `closest` for curved shapes.
CURVED = 1e-14

# Relative perturbations of successive directions, to leave a plane of symmetry.
_SKEW = np.array([[0.0253, -0.0171, 0.0093], [-0.0119, 0.0231, 0.0167], [0.0081, 0.0143, -0.0269]])
_STRAIGHT = np.empty((0, 3))

# Faces of a tetrahedron with its newest vertex: the two edges from this vertex that bound each, and the third edge.
_FIRST, _SECOND, _OTHER = [0, 1, 0], [1, 2, 2], [2, 0, 1]

# The faces of a tetrahedron, all counter-clockwise or all clockwise as seen from outside.
_FACES = ((0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2))

# For these three faces and three edges: the number of vertices, and the two older vertices that are kept.
_SIZE = np.array([3, 3, 3, 2, 2, 2], dtype=np.int8)
_KEPT = np.array([[0, 1, 0, 0, 1, 2], [1, 2, 2, 2, 2, 2]])


@dataclass(frozen=True)
class Closest:
    """The distance of each pair and its proof.

    Attributes
    ----------
    distance : (P,) float64
        An upper bound, proved by the points. Zero where `overlap`.
    lower : (P,) float64
        A lower bound, proved by `normal`: along it, the gap between A and B is this. For polytopes the two bounds agree
        within rounding, for curved shapes within the given tolerance.
    normal : (P, 3) float64
        Unit vector from A to B; zero if the points coincide.
    point_a, point_b : (P, 3) float64
        The closest points. Undefined where `overlap` or `beyond`.
    overlap : (P,) bool
        The origin is in the interior of A - B, by more than rounding.
    beyond : (P,) bool
        The pair is farther apart than the limit and was not measured further. `distance` is only the lower bound.
    doubtful : (P,) bool
        The distance of the points exceeds `lower` by more than rounding or the given tolerance.
    simplex : (P, 4, 6) float64
        Where `overlap`: four vertices of A - B that contain the origin, each followed by the point of A that it comes
        from.
    """

    distance: Floats
    lower: Floats
    normal: Floats
    point_a: Floats
    point_b: Floats
    overlap: Bools
    beyond: Bools
    doubtful: Bools
    simplex: Floats

    @classmethod
    def empty(cls, count: int) -> "Closest":
        """Allocate `count` rows."""
        normal, point_a, point_b = np.zeros((3, count, 3))
        overlap, beyond, doubtful = np.zeros((3, count), dtype=bool)
        distance, lower = np.zeros((2, count))
        return cls(distance, lower, normal, point_a, point_b, overlap, beyond, doubtful, np.empty((count, 4, 6)))


def closest(
    a: Supported,
    b: Supported,
    start: Floats | None = None,
    limit: Floats | None = None,
    tolerance: float = 0.0,
    *,
    settle: bool = True,
) -> Closest:
    """Find the closest points of the two shapes of each pair.

    Parameters
    ----------
    a, b : Supported
        P shapes each.
    start : (P, 3) float64, optional
        Approximate vector from B to A, where the search begins. The difference of the centers is a good choice.
    limit : (P,) float64, optional
        Pairs farther apart than this are not measured. With 0, only overlap is decided.
    tolerance : float
        Dimensionless. A pair is finished if its bounds differ by at most this times the distance. Zero requests the
        accuracy of rounding, for polytopes. Curved shapes need `CURVED` or more, as no step finds their last vertex.
    settle : bool
        Whether pairs whose points are not proved to be the closest are repeated with more points. If False, they are
        `doubtful` in the result.

    Notes
    -----
    Van den Bergen, Collision Detection in Interactive 3D Environments, section 4.3. The nearest point of a simplex is
    searched on all faces that have the newest vertex. So there is no case tree, and slivers do no harm. If a step does
    not come nearer, rounding dominates, and the search ends.
    """
    count = len(a)
    result = Closest.empty(count)
    if not count:
        return result
    if start is None:
        axis = np.broadcast_to(np.array([1.0, 0.0, 0.0]), (count, 3))
        start = (a.support(axis) + a.support(-axis) - b.support(axis) - b.support(-axis)) / 2.0
    begin = np.array(start.T, order="C")
    begin[0, ~begin.any(axis=0)] = 1.0  # concentric: any direction will do
    size = a.size + b.size
    _walk(a, b, begin, size, limit, tolerance, result)
    # In a plane of symmetry, a search may end on a simplex that contains the origin although it is deep inside A - B.
    on_simplex = result.distance <= INSIDE * EPS * (size + np.sqrt(dot_columns(begin, begin)))
    again = np.flatnonzero(on_simplex & ~result.overlap & ~result.beyond)
    if len(again):
        # Repeat with perturbed directions. The distance found is not valid, but a proof of overlap is.
        found = Closest.empty(len(again))
        _walk(a.take(again), b.take(again), begin.take(again, axis=1), size[again], None, tolerance, found, _SKEW)
        inside = again[found.overlap]
        result.overlap[inside], result.distance[inside] = True, 0.0
        result.simplex[inside] = found.simplex[found.overlap]
        result.doubtful[inside] = False
    _refute(a, b, begin, size, result)
    rows = np.flatnonzero(result.doubtful)
    if settle and len(rows):
        _settle(a.take(rows), b.take(rows), rows, DOUBT * EPS * size[rows], tolerance, result)
    return result


def separating_gap(a: Supported, b: Supported, start: Floats) -> tuple[Floats, Floats]:
    """The gap between two separating planes of each pair, and their unit normal from A to B; 0.0 if there are none.

    The relative error of the gap, as a distance, is at most `_GAP_TOLERANCE`. This is faster than `closest`, because
    touching and overlapping pairs are not examined further. `start` (P, 3) is as for `closest`.
    """
    near = closest(a, b, start, None, _GAP_TOLERANCE, settle=False)
    gap = dot_columns((b.support(-near.normal) - a.support(near.normal)).T, near.normal.T)
    return np.where(near.overlap, 0.0, np.maximum(gap, 0.0)), near.normal


def _refute(a: Supported, b: Supported, begin: Floats, size: Floats, result: Closest) -> None:
    """Correct pairs that seem to overlap by a sliver of a tetrahedron although a direction separates them.

    The normals of a sliver are mostly rounding error. So it is unknown on which side of it the origin is.
    """
    rows = np.flatnonzero(result.overlap & ~certain_overlap(result, size))
    if not len(rows):
        return
    slack = DOUBT * EPS * size[rows]
    found = settled(a.take(rows), b.take(rows), normalized(-begin[:, rows].T, np.zeros(3)), slack, result.simplex[rows])
    apart = np.flatnonzero(found.lower > slack)
    rows, found = rows[apart], found.take(apart)
    result.overlap[rows] = False
    result.lower[rows], result.normal[rows] = found.lower, found.normal
    result.point_a[rows], result.point_b[rows] = found.point_a, found.point_b
    result.distance[rows] = length(found.point_b - found.point_a)
    result.doubtful[rows] = result.distance[rows] - found.lower > slack[apart]


def certain_overlap(found: Closest, size: Floats) -> Bools:
    """Which pairs overlap regardless of the rounding errors of their tetrahedra, (P,). `size` is as for `_certain`."""
    result = found.overlap.copy()
    rows = np.flatnonzero(result)
    result[rows] = _certain(found.simplex[rows], size[rows])
    return result


def _certain(simplex: Floats, size: Floats) -> Bools:
    """Whether tetrahedra (P, 4, 6) contain the origin regardless of the rounding errors of their corners.

    `size` (P,) is the size of both shapes together.
    """
    corner = [simplex[:, k, :3].T for k in range(4)]
    away = [np.sqrt(dot_columns(one, one)) for one in corner]
    sides = []
    for i, j, k in _FACES:
        volume = dot_columns(cross_columns(corner[i], corner[j]), corner[k])
        doubt = away[i] * away[j] + away[j] * away[k] + away[k] * away[i]
        sides.append(np.where(np.abs(volume) > INSIDE * EPS * size * doubt, np.sign(volume), np.nan))
    one_side: Bools = np.abs(sum(sides)) == len(_FACES)
    return one_side


def _settle(a: Supported, b: Supported, rows: Ints, slack: Floats, tolerance: float, result: Closest) -> None:
    """Repeat pairs whose points are not proved to be the closest."""
    bound = np.maximum(slack, tolerance * result.distance[rows])
    found = settled(a, b, result.normal[rows], bound, result.simplex[rows, :3])
    apart = length(found.point_b - found.point_a)
    known = result.point_b[rows] - result.point_a[rows] - result.lower[rows, None] * result.normal[rows]
    better = found.miss < length(known)
    where = rows[better]
    result.distance[where], result.lower[where] = apart[better], found.lower[better]
    result.normal[where] = found.normal[better]
    result.point_a[where], result.point_b[where] = found.point_a[better], found.point_b[better]
    result.doubtful[rows] = result.distance[rows] - result.lower[rows] > bound


def _walk(
    a: Supported,
    b: Supported,
    begin: Floats,
    size: Floats,
    limit: Floats | None,
    tolerance: float,
    result: Closest,
    skew: Floats = _STRAIGHT,
) -> None:
    """Step until all pairs are finished, from `begin` (3, P) on. With `skew`, the directions are perturbed in turn."""
    if pays(len(a)) and (sides := both_sides(a, b)) is not None:
        limits = np.full(len(size), np.inf) if limit is None else limit
        begins, sizes, limits = map(np.ascontiguousarray, (begin.T, size, limits))
        kernels.closest(*sides, begins, sizes, limits, tolerance, skew, *vars(result).values())
        return
    walk = _Walk(begin, size, limit)
    shapes = a, b
    for step in range(MOST_STEPS):
        direction = walk.point.T
        if len(skew):
            direction = direction + np.sqrt(dot_columns(walk.point, walk.point))[:, None] * skew[step % len(skew)]
        new_a = a.support(-direction).T
        new = new_a - b.support(direction).T
        stop = walk.step(np.concatenate([new, new_a]), tolerance, result)
        if stop.all():
            break
        order = walk.keep(~stop)
        a, b = a.take(order), b.take(order)
    else:
        walk.finish(np.arange(len(walk.rows)))
    walk.write(*shapes, result, tolerance)


@dataclass(frozen=True)
class _Finished:
    """The last simplices of the pairs, see `_Walk`. `count` is the number of their vertices, 0 for unfinished pairs."""

    point: Floats
    square: Floats
    lower: Floats
    size: Floats
    simplex: Floats
    count: Ints

    @classmethod
    def empty(cls, pairs: int) -> "_Finished":
        """Allocate `pairs` columns."""
        square, lower, size = np.empty((3, pairs))
        return cls(np.empty((3, pairs)), square, lower, size, np.empty((3, 6, pairs)), np.zeros(pairs, dtype=np.int64))


class _Walk:
    """The unfinished pairs, ordered by the number of vertices of their simplices.

    Attributes
    ----------
    rows : (P,) int64
        Indices of the pairs.
    point : (3, P) float64
        Nearest point of the simplex to the origin.
    square : (P,) float64
        Its squared length; infinite before there is a simplex.
    simplex : (3, 6, P) float64
        Vertices of A - B, and the points of A that they come from.
    ends : (5,) tuple of int
        Pairs ``ends[n]`` to ``ends[n + 1]`` have n vertices.
    finished : _Finished
        The last simplices of all pairs.
    """

    def __init__(self, point: Floats, size: Floats, limit: Floats | None) -> None:
        count = len(size)
        self.finished = _Finished.empty(count)
        self.rows, self.point, self.size, self.limit = np.arange(count), point, size, limit
        self.square = np.full(count, np.inf)
        self.lower = np.full(count, -np.inf)
        self.simplex = np.zeros((3, 6, count))
        self.ends = (0, count, count, count, count)

    def step(self, new: Floats, tolerance: float, result: Closest) -> Bools:
        """Add a vertex (6, P) to each simplex. Returns which pairs are finished."""
        count = len(self.rows)
        root = np.sqrt(dot_columns(self.point, self.point))
        reach = dot_columns(self.point, new[:3])
        if self.ends[1]:
            self.size = self.size + np.sqrt(dot_columns(new[:3], new[:3]))
        far = reach > self.limit * root if self.limit is not None else np.zeros(count, dtype=bool)
        np.divide(reach, root, out=self.lower, where=root > 0.0)
        if self.ends[1]:
            done = np.zeros(count, dtype=bool)  # there is no simplex yet
        else:
            done = self.square - reach <= np.maximum(CONVERGED * EPS * root * self.size, tolerance * self.square)
        grown = _Grown(np.empty((3, count)), np.empty(count), np.empty((3, 6, count)), np.empty(count, dtype=np.int8))
        inside = np.zeros(count, dtype=bool)
        for size, grow in enumerate((_one, _two, _three)):
            part = slice(self.ends[size], self.ends[size + 1])
            if part.stop > part.start:
                grow(self.simplex[:, :, part], new[:, part], grown.part(part))
        part = slice(self.ends[3], self.ends[4])
        if part.stop > part.start:
            least = INSIDE * EPS * self.size[part]
            inside[part] = _four(self.simplex[:, :, part], new[:, part], grown.part(part), least)
            inside[part] &= root[part] > least
        inside &= ~done & ~far
        # The step does not come nearer: rounding dominates. The simplex before this step is kept.
        done |= grown.square >= self.square
        stop = far | done | inside
        self._write_overlap(result, np.flatnonzero(inside), new)
        if far.any():
            at = np.flatnonzero(far & ~inside)
            where = self.rows[at]
            result.beyond[where] = True
            result.distance[where] = result.lower[where] = self.lower[at]
            result.normal[where] = (-self.point[:, at] / root[at]).T
        self.finish(np.flatnonzero(done & ~far & ~inside))
        self.next = grown
        return stop

    def keep(self, alive: Bools) -> Ints:
        """Drop the finished pairs and reorder the others. Returns the old columns in the new order."""
        groups = [np.flatnonzero(alive & (self.next.size == size)) for size in (1, 2, 3)]
        order = np.concatenate(groups)
        ends = np.cumsum([0, 0, *(len(group) for group in groups)])
        self.ends = tuple(ends.tolist())
        self.rows, self.size = self.rows[order], self.size[order]
        self.limit = None if self.limit is None else self.limit[order]
        self.point, self.square = self.next.point.take(order, axis=1), self.next.square[order]
        self.simplex, self.lower = self.next.simplex.take(order, axis=2), self.lower[order]
        return order

    def finish(self, at: Ints) -> None:
        """Keep the simplices of these pairs. Their results are written together."""
        if len(at):
            last, rows = self.finished, self.rows[at]
            last.point[:, rows], last.square[rows] = self.point.take(at, axis=1), self.square[at]
            last.lower[rows], last.size[rows] = self.lower[at], self.size[at]
            last.simplex[..., rows] = self.simplex.take(at, axis=2)
            last.count[rows] = np.searchsorted(self.ends, at, side="right") - 1

    def write(self, a: Supported, b: Supported, result: Closest, tolerance: float) -> None:
        """Write the results of finished pairs from their simplices."""
        last = self.finished
        for count in (1, 2, 3):
            part = np.flatnonzero(last.count == count)
            if not len(part):
                continue
            simplex = last.simplex[:count, :, part]
            mix = np.einsum("kp,kip->pi", _weights(simplex[:, :3]), simplex)
            result.point_a[part], result.point_b[part] = mix[:, 3:], mix[:, 3:] - mix[:, :3]
            point, distance, lower = last.point[:, part], np.sqrt(last.square[part]), last.lower[part]
            if count == 2:
                point, lower = _across(a, b, part, last, simplex)
            result.distance[part], result.lower[part] = distance, lower
            result.normal[part] = (-point / np.where(distance > 0.0, distance, 1.0)).T
            # The points prove the distance unless the triangle is a sliver. Coinciding points need no proof.
            miss, apart = mix[:, :3].T - point, np.sqrt(dot_columns(mix[:, :3].T, mix[:, :3].T))
            slack = DOUBT * EPS * last.size[part]
            doubtful = np.sqrt(dot_columns(miss, miss)) > slack
            doubtful |= distance - lower > np.maximum(slack, tolerance * distance)
            doubtful &= apart > slack
            at = part[doubtful]
            result.doubtful[at], result.distance[at] = True, apart[doubtful]
            result.simplex[at, :count] = simplex[..., doubtful].transpose(2, 0, 1)
            result.simplex[at, count:] = result.simplex[at, :1]

    def _write_overlap(self, result: Closest, at: Ints, new: Floats) -> None:
        if not len(at):
            return
        where = self.rows[at]
        result.overlap[where] = True
        vertices = np.concatenate([self.simplex.take(at, axis=2), new.take(at, axis=1)[None]])
        result.simplex[where] = vertices.transpose(2, 0, 1)


def _across(a: Supported, b: Supported, part: Ints, last: _Finished, simplex: Floats) -> tuple[Floats, Floats]:
    """Make the nearest points of edges perpendicular to the edges, (3, R). Also returns their lower bounds.

    Close to the origin, the rounding residue along the edge would be a large part of the vector.
    """
    before, lower, root, size = last.point[:, part], last.lower[part], np.sqrt(last.square[part]), last.size[part]
    edge = (simplex[1] - simplex[0])[:3]
    square = dot_columns(edge, edge)
    point = before - dot_columns(before, edge) / np.where(square > 0.0, square, 1.0) * edge
    length = np.sqrt(dot_columns(point, point))
    proper = length > 0.0
    point = np.where(proper, point * (root / np.where(proper, length, 1.0)), before)
    # Near an end, another edge may be equally near. Then the direction perpendicular to this edge proves less.
    near = np.flatnonzero(proper & (root <= CLOSE_CORES * size))
    if len(near):
        a, b, way = a.take(part[near]), b.take(part[near]), point[:, near]
        own = dot_columns(way, (a.support(-way.T) - b.support(way.T)).T) / root[near]
        better = own >= lower[near] - CONVERGED * EPS * size[near]
        lower[near] = np.where(better, own, lower[near])
        point[:, near] = np.where(better, way, before[:, near])
    return point, lower


@dataclass(frozen=True)
class _Grown:
    """Simplices after a step: nearest point, its square, vertices, and their number."""

    point: Floats
    square: Floats
    simplex: Floats
    size: Ints

    def part(self, pairs: slice) -> "_Grown":
        """Views of the pairs of one size."""
        return _Grown(self.point[:, pairs], self.square[pairs], self.simplex[:, :, pairs], self.size[pairs])


def _one(_: Floats, new: Floats, out: _Grown) -> None:
    out.point[:] = new[:3]
    out.square[:] = dot_columns(new[:3], new[:3])
    out.simplex[0] = new
    out.size[:] = 1


def _two(simplex: Floats, new: Floats, out: _Grown) -> None:
    t, point, square = _on_edge(new[:3], simplex[0, :3] - new[:3])
    out.point[:], out.square[:] = point, square
    out.simplex[0], out.simplex[1] = new, simplex[0]
    out.size[:] = np.where(t > 0.0, 2, 1)


def _three(simplex: Floats, new: Floats, out: _Grown) -> None:
    corner = new[:3]
    edges = simplex[:2, :3].swapaxes(0, 1) - corner[:, None]
    t, points, squares = _on_edge(corner, edges)
    second = squares[1] < squares[0]
    square = np.where(second, squares[1], squares[0])
    on_face, face_point, face_square, _ = _on_face(corner, edges, 0, 1)
    on_face &= face_square <= square
    out.point[:] = np.where(on_face, face_point, np.where(second, points[:, 1], points[:, 0]))
    out.square[:] = np.where(on_face, face_square, square)
    out.simplex[0], out.simplex[2] = new, simplex[1]
    out.simplex[1] = np.where(second & ~on_face, simplex[1], simplex[0])
    out.size[:] = np.where(on_face, 3, np.where(np.where(second, t[1], t[0]) > 0.0, 2, 1))


def _four(simplex: Floats, new: Floats, out: _Grown, least: Floats) -> Bools:
    """Also return whether the origin is inside by more than `least` from the three faces with the new vertex."""
    corner, count = new[:3], new.shape[1]
    edges = simplex[:, :3].swapaxes(0, 1) - corner[:, None]
    t, on_edges, edge_squares = _on_edge(corner, edges)
    on_face, on_faces, face_squares, normals = _on_face(corner, edges, _FIRST, _SECOND)
    # Faces come first: if an edge is equally near, the nearest point is on both.
    squares = np.concatenate([np.where(on_face, face_squares, np.inf), edge_squares])
    best = np.argmin(squares, axis=0)
    pick = best * count + np.arange(count)
    out.point[:] = np.concatenate([on_faces, on_edges], axis=1).reshape(3, -1).take(pick, axis=1)
    out.square[:] = squares.reshape(-1).take(pick)
    on_corner = (best > 2) & (t.reshape(-1).take(np.maximum(pick - 3 * count, 0)) == 0.0)
    out.size[:] = np.where(on_corner, 1, _SIZE.take(best))
    out.simplex[0] = new
    whole = simplex.swapaxes(0, 1).reshape(6, -1)
    out.simplex[1] = whole.take(_KEPT[0].take(best) * count + np.arange(count), axis=1)
    out.simplex[2] = whole.take(_KEPT[1].take(best) * count + np.arange(count), axis=1)
    # The origin and the vertex that is not on the face are on the same side of the face.
    origin = -np.einsum("ikp,ip->kp", normals, corner)
    other = np.einsum("ikp,ikp->kp", normals, edges[:, _OTHER])
    off = (other * origin > 0.0) & (origin * origin > least * least * np.einsum("ikp,ikp->kp", normals, normals))
    inside: Bools = off.all(axis=0)
    return inside


def _on_edge(corner: Floats, edge: Floats) -> tuple[Floats, Floats, Floats]:
    """The point of each edge from `corner` that is nearest to the origin: its parameter, 0 to 1, the point, its square.

    Edges are (3, P), or (3, K, P) with several for each corner (3, P).
    """
    if edge.ndim > corner.ndim:
        corner = corner[:, None]
    square = dot_columns(edge, edge)
    t = -dot_columns(corner, edge) / np.where(square > 0.0, square, 1.0)
    t = np.minimum(np.maximum(t, 0.0), 1.0)
    point = corner + t * edge
    return t, point, dot_columns(point, point)


def _on_face(
    corner: Floats, edges: Floats, first: int | list[int], second: int | list[int]
) -> tuple[Bools, Floats, Floats, Floats]:
    """Whether the origin projects into each triangle, the projection, its square, and the normal (not normalized).

    The triangles lie between the `first` and the `second` of the edges (3, K, P) that start at the corner (3, P).
    """
    normal, beside = cross_columns(edges[:, first], edges[:, second]), cross_columns(corner[:, None], edges)
    if normal.ndim > corner.ndim:
        corner = corner[:, None]
    area = dot_columns(normal, normal)
    along = -dot_columns(beside[:, second], normal)
    across = dot_columns(beside[:, first], normal)
    proper = (along > 0.0) & (across > 0.0) & (along + across < area)
    height = dot_columns(corner, normal) / np.where(area > 0.0, area, 1.0)
    foot = height * normal
    return proper, foot, dot_columns(foot, foot), normal


def _weights(simplex: Floats) -> Floats:
    """Barycentric coordinates (k, P) of the origin's projection on each simplex (k, 3, P)."""
    corner = simplex[0]
    if len(simplex) == 1:
        return np.ones((1, simplex.shape[2]))
    first = simplex[1] - corner
    if len(simplex) == 2:
        t = _on_edge(corner, first)[0]
        return np.stack([1.0 - t, t])
    second = simplex[2] - corner
    normal = cross_columns(first, second)
    area = dot_columns(normal, normal)
    along = np.maximum(dot_columns(cross_columns(second, corner), normal) / area, 0.0)
    across = np.maximum(dot_columns(cross_columns(corner, first), normal) / area, 0.0)
    total = np.maximum(along + across, 1.0)
    along /= total
    across /= total
    return np.stack([1.0 - along - across, along, across])
