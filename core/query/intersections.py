# SPDX-License-Identifier: GPL-3.0-or-later
"""Intersections of triangles and meshes: segments, the curves that they form, and triangles of a mesh that cross.

Two triangles of a mesh cross if their interiors have a point in common. Float64 proves nearly all pairs to cross or not
to. The few others are decided in rational numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from ..mesh.triangle_mesh import TriangleMesh
from ..narrow_phase.mesh.bvh_traversal import LeafPairs, near
from ..narrow_phase.mesh.leaf_queries import apart_by_planes, meeting, mesh_features
from ..narrow_phase.mesh.operands import mesh_rows
from ..narrow_phase.triangle_intersection import Crossings, triangle_intersections
from ..numerics.rows import RowTable, numbered_components
from ..numerics.tolerances import EPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross, dot, length, normalized
from ..results import UnsupportedPair
from ..shapes import Meshes, Triangles
from .operands import Operand, index_pairs, pair_margins, split_pairs


def crossing_segments(a: Triangles, b: Triangles, pairs: ArrayLike | None = None) -> Crossings:
    """The segment in which the triangles of each pair intersect.

    Parameters
    ----------
    a, b : Triangles
        The result does not depend on the order of a triangle's corners.
    pairs : (P, 2) array-like of int, optional
        Rows of `a` and of `b`. If None, rows are paired as in all queries.

    Returns
    -------
    Crossings
        One row for each pair.

    Raises
    ------
    UnsupportedPair
        For other shapes.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a = ck.Triangles([[[0, 0, 0], [2, 0, 0], [0, 2, 0]]])
    >>> b = ck.Triangles([[[0.5, 0.5, -1], [0.5, 0.5, 1], [3, 0.5, 0]]])
    >>> ck.crossing_segments(a, b).start
    array([[0.5, 0.5, 0. ]])
    """
    for name, shapes in (("a", a), ("b", b)):
        if not isinstance(shapes, Triangles):
            raise UnsupportedPair(f"{name}: {type(shapes).__name__}, but only triangles cross in segments")
    rows = index_pairs(a, b, pairs)
    return triangle_intersections(a.take(rows[:, 0]), b.take(rows[:, 1]))


@dataclass(frozen=True)
class CrossingCurve:
    """A curve in which two meshes intersect.

    Attributes
    ----------
    pair : int
        Index of the pair in the query.
    points : (k, 3) float64
        Points along the curve. A single point if the meshes touch in a point.
    closed : bool
        Whether the last point is connected to the first.
    """

    pair: int
    points: Floats
    closed: bool


@dataclass(frozen=True, eq=False, repr=False)
class MeshCrossings(RowTable):
    """All pairs of triangles that intersect or touch, ordered by pair, triangle of A and triangle of B.

    Attributes
    ----------
    pair : (C,) int64
        Index of the pair in the query.
    triangle_a, triangle_b : (C,) int64
        Indices of the triangles in their meshes.
    coplanar : (C,) bool
        Whether one triangle lies in the plane of the other. They share an area or a part of an edge, and no segment is
        given.
    start, end : (C, 3) float64
        Ends of the segment in which the two intersect. They are equal if the two touch in a point, and NaN if they are
        coplanar.
    curve : (C,) int64
        Number of the connected curve that the segment belongs to, counted over all pairs; -1 for coplanar triangles.
    nodes : (C, 2) int64
        Numbers of the two ends of the segment, -1 if there is none. Ends on the same features of the two meshes, and
        ends in the same place, have the same number.
    """

    pair: Ints
    triangle_a: Ints
    triangle_b: Ints
    coplanar: Bools
    start: Floats
    end: Floats
    curve: Ints
    nodes: Ints

    def curves(self) -> list[CrossingCurve]:
        """The intersection curves as polylines, each segment once.

        A curve ends where three or more segments meet, for example where an edge of one mesh lies on the other mesh.
        """
        rows = np.flatnonzero(~self.coplanar)
        ends = np.sort(self.nodes[rows], axis=1)
        _, first = np.unique(ends, axis=0, return_index=True)
        rows, ends = rows[first], ends[first]
        point = np.empty((int(self.nodes.max(initial=-1)) + 1, 3))
        point[self.nodes[rows, 0]], point[self.nodes[rows, 1]] = self.start[rows], self.end[rows]
        long = ends[:, 0] != ends[:, 1]
        degree = np.bincount(ends[long].reshape(-1), minlength=len(point))
        at: dict[int, list[int]] = {}
        for segment in np.flatnonzero(long).tolist():
            for node in ends[segment].tolist():
                at.setdefault(node, []).append(segment)
        used = np.zeros(len(rows), dtype=bool)
        result = []
        # Start with the ends of open curves. The remaining curves are loops.
        begins = sorted(at, key=lambda node: (degree[node] == 2, node))
        for begin in begins:
            for segment in at[begin]:
                if not used[segment]:
                    path = _path(begin, segment, ends, at, degree, used)
                    closed = len(path) > 2 and path[0] == path[-1]
                    result.append(
                        CrossingCurve(int(self.pair[rows[segment]]), point[path[:-1] if closed else path], closed)
                    )
        # Points of touching contact at which no segment ends.
        alone = [segment for segment in np.flatnonzero(~long).tolist() if not degree[ends[segment, 0]]]
        result += [CrossingCurve(int(self.pair[rows[one]]), point[ends[one, :1]], False) for one in alone]
        return result


def crossing(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> MeshCrossings:
    """All pairs of triangles in which meshes intersect, and the curves in which they intersect.

    Parameters
    ----------
    a, b : Meshes or World
    pairs : (P, 2) array-like of int, optional
        Rows of `a` and of `b`. If None, rows are paired as in all queries.

    Returns
    -------
    MeshCrossings
        The pairs of triangles of all pairs of meshes, and their curves.

    Raises
    ------
    UnsupportedPair
        If a row is not a mesh, or has a margin.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> points = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]]
    >>> triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    >>> meshes = ck.Meshes.from_triangles([(points, triangles)] * 2, translation=[[0, 0, 0], [0.5, 0.6, 0.7]])
    >>> found = ck.crossing(meshes, meshes, [[0, 1]])
    >>> sorted(set(found.curve.tolist()))
    [0]
    """
    rows = index_pairs(a, b, pairs)
    if pair_margins(a, b, rows) is not None:
        raise UnsupportedPair("crossing: the surfaces of meshes with margins are not triangles")
    found = []
    for batch_a, batch_b, index_a, index_b, place in split_pairs(a, b, rows):
        if not (isinstance(batch_a, Meshes) and isinstance(batch_b, Meshes)):
            other = batch_b if isinstance(batch_a, Meshes) else batch_a
            raise UnsupportedPair(f"crossing: {type(other).__name__} have no triangles that cross")
        found.append(_of_batches(batch_a.take(index_a), batch_b.take(index_b), place))
    none = np.empty(0, dtype=np.int64)
    ends = np.concatenate([np.empty((0, 2, 5), dtype=np.int64), *(each[2] for each in found)])
    pair, first, second = (np.concatenate([none, *(each[0][k] for each in found)]) for k in range(3))
    points = np.concatenate([np.empty((0, 2, 3)), *(each[1] for each in found)])
    order = np.lexsort((second, first, pair))
    pair, first, second, points, ends = pair[order], first[order], second[order], points[order], ends[order]
    coplanar = np.isnan(points).any(axis=(1, 2))
    real = np.flatnonzero(~coplanar)
    nodes, curve = np.full((len(pair), 2), -1), np.full(len(pair), -1)
    if len(real):
        nodes[real] = _nodes(pair[real], points[real], ends[real])
        curve[real] = numbered_components(int(nodes.max()) + 1, nodes[real, 0], nodes[real, 1])[nodes[real, 0]]
    return MeshCrossings(pair, first, second, coplanar, points[:, 0], points[:, 1], curve, nodes)


def _of_batches(a: Meshes, b: Meshes, place: Ints) -> tuple[tuple[Ints, Ints, Ints], Floats, Ints]:
    """Pairs and triangles that intersect, both ends (C, 2, 3), and the pair and features of each end (C, 2, 5)."""
    first, second = mesh_rows(a), mesh_rows(b)
    hit = meeting(first, second)
    p, q = first.placed(hit.pair, hit.a), second.placed(hit.pair, hit.b)
    found = triangle_intersections(Triangles(p), Triangles(q), overlap=True)
    pair = place[hit.pair]
    ends = []
    for feature_a, feature_b in ((found.start_a, found.start_b), (found.end_a, found.end_b)):
        named = mesh_features(first, hit.pair, hit.a, feature_a), mesh_features(second, hit.pair, hit.b, feature_b)
        ends.append(np.column_stack([pair, *named]))
    return (pair, hit.a, hit.b), np.stack([found.start, found.end], axis=1), np.stack(ends, axis=1)


def _nodes(pair: Ints, points: Floats, ends: Ints) -> Ints:
    """Numbers of the ends, (C, 2). Ends on the same features, or in the same place, have the same number."""
    equal = []
    for keys in (ends.reshape(-1, 5).T, [np.repeat(pair, 2), *(points.reshape(-1, 3) + 0.0).T]):
        order = np.lexsort(keys)
        ordered = np.stack([np.asarray(key)[order] for key in keys])
        same = (ordered[:, 1:] == ordered[:, :-1]).all(axis=0)
        equal.append(np.stack([order[:-1][same], order[1:][same]]))
    first, second = np.concatenate(equal, axis=1)
    return numbered_components(2 * len(pair), first, second).reshape(-1, 2)


def _path(begin: int, segment: int, ends: Ints, at: dict[int, list[int]], degree: Ints, used: Bools) -> list[int]:
    """The nodes along a curve from `begin`, starting with `segment`, until the curve ends, branches or closes."""
    path = [begin]
    node = begin
    while True:
        used[segment] = True
        node = int(ends[segment, 1] if ends[segment, 0] == node else ends[segment, 0])
        path.append(node)
        following = [other for other in at[node] if not used[other]]
        if degree[node] != 2 or not following:
            return path
        segment = following[0]


# Triangles whose neighbors are searched at a time, to limit the memory.
_BLOCK = 1 << 13
# Multiples of eps: bound of the errors of a height, of a normal, and of the product of both, relative to their size.
_STEPS = 64.0


@dataclass(frozen=True, eq=False, repr=False)
class SelfCrossings(RowTable):
    """Pairs of triangles of the same mesh that cross, ordered by row and triangles.

    Attributes
    ----------
    row : (C,) int64
        Index of the mesh in the batch.
    triangle_a, triangle_b : (C,) int64
        The two triangles, the lower index first.
    coplanar : (C,) bool
        Whether both lie in one plane and overlap.
    start, end : (C, 3) float64
        Ends of the segment in which they intersect. If they are coplanar, both are a point in the overlap.
    """

    row: Ints
    triangle_a: Ints
    triangle_b: Ints
    coplanar: Bools
    start: Floats
    end: Floats


def self_crossing(meshes: Meshes) -> SelfCrossings:
    """All pairs of triangles in which a mesh crosses itself, for each row.

    Two triangles cross if their interiors have a point in common. This is decided exactly, for the coordinates that
    the geometry has. Triangles without area cross nothing. Where a surface passes through another only along edges of
    both, no triangle crosses.

    Parameters
    ----------
    meshes : Meshes

    Returns
    -------
    SelfCrossings

    Raises
    ------
    UnsupportedPair
        For other shapes.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> points = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, -1], [1, 1, 2], [2, 1, 1]]
    >>> found = ck.self_crossing(ck.Meshes.from_triangles([(points, [[0, 1, 2], [3, 4, 5]])]))
    >>> found.triangle_a, found.triangle_b
    (array([0]), array([1]))
    """
    if not isinstance(meshes, Meshes):
        raise UnsupportedPair(f"meshes: {type(meshes).__name__}, but only meshes have triangles that cross")
    parts = [_none()]
    known: dict[int, SelfCrossings] = {}
    for row, index in enumerate(meshes.index.tolist()):
        if index not in known:
            known[index] = _of_mesh(meshes.geometry[index])
        found = known[index]
        start, end = (points @ meshes.rotation[row].T + meshes.translation[row] for points in (found.start, found.end))
        parts.append(replace(found, row=np.full(len(found), row), start=start, end=end))
    return SelfCrossings.joined(parts)


def _none() -> SelfCrossings:
    no, nowhere = np.empty(0, dtype=np.int64), np.empty((0, 3))
    return SelfCrossings(no, no, no, np.empty(0, dtype=bool), nowhere, nowhere)


def _of_mesh(mesh: TriangleMesh) -> SelfCrossings:
    """The crossings of one mesh, in its own frame."""
    whole = Meshes([mesh], [0], solid=False)
    # Process triangles in the order of the leaves, in which consecutive triangles are close to each other.
    order = mesh.tree.triangle[mesh.tree.triangle >= 0]
    parts = [_none()]
    for first in range(0, len(order), _BLOCK):
        some = order[first : first + _BLOCK]
        block = Meshes([TriangleMesh(mesh.points, mesh.triangles[some])], [0], solid=False)
        one, other = mesh_rows(block), mesh_rows(whole)
        leaves = near(one.bodies, other.bodies, np.zeros(1))
        a, b = some[leaves.a], leaves.b
        kept = a < b
        a, b = a[kept], b[kept]
        for start in range(0, len(a), 8 * _BLOCK):
            parts.append(_crossing(mesh, a[start : start + 8 * _BLOCK], b[start : start + 8 * _BLOCK]))
    found = SelfCrossings.joined(parts)
    return found.take(np.lexsort((found.triangle_b, found.triangle_a)))


def _crossing(mesh: TriangleMesh, a: Ints, b: Ints) -> SelfCrossings:
    """The pairs of triangles that cross."""
    whole = mesh_rows(Meshes([mesh], [0], solid=False))
    leaves = LeafPairs(np.zeros(len(a), dtype=np.int64), a, b, np.zeros(len(a)))
    left = np.flatnonzero(~apart_by_planes(whole, whole, leaves, np.zeros(1)))
    a, b = a[left], b[left]
    named_a, named_b = _shared_first(mesh.welded_triangles[a], mesh.welded_triangles[b])
    p, q = mesh.points[named_a], mesh.points[named_b]
    shared = (named_a == named_b).sum(axis=1)
    apart, meet, start, end = _decided(p, q, shared)
    coplanar = np.zeros(len(a), dtype=bool)
    # Pairs that float64 does not decide.
    for row in np.flatnonzero(~apart & ~meet).tolist():
        found = crossing_exactly(p[row], q[row])
        if found is not None:
            meet[row], coplanar[row] = True, found[0]
            start[row], end[row] = found[1:]
    rows = np.flatnonzero(meet)
    return SelfCrossings(np.zeros(len(rows), np.int64), a[rows], b[rows], coplanar[rows], start[rows], end[rows])


def _shared_first(a: Ints, b: Ints) -> tuple[Ints, Ints]:
    """The vertices (K, 3) of triangles, reordered so that vertices that both have come first, in the same order."""
    equal = a[:, :, None] == b[:, None, :]
    # If a triangle has a vertex twice, only the first one counts.
    equal[:, 1:] &= a[:, 1:, None] != a[:, :1, None]
    equal[:, 2] &= (a[:, 2] != a[:, 1])[:, None]
    equal &= np.cumsum(equal, axis=2) == 1
    in_a, in_b = equal.any(axis=2), equal.any(axis=1)
    order_a = np.argsort(~in_a, axis=1, kind="stable")
    partner = np.where(in_a, equal.argmax(axis=2), 3)
    partner = np.take_along_axis(partner, order_a, axis=1)
    rest = np.argsort(in_b, axis=1, kind="stable")  # vertices that only B has, then the others
    rank = np.cumsum(partner == 3, axis=1) - 1
    order_b = np.where(partner == 3, np.take_along_axis(rest, np.maximum(rank, 0), axis=1), partner)
    return np.take_along_axis(a, order_a, axis=1), np.take_along_axis(b, order_b, axis=1)


def _decided(p: Floats, q: Floats, shared: Ints) -> tuple[Bools, Bools, Floats, Floats]:
    """Return which pairs of triangles certainly do not cross, which certainly cross, and the segments of these.

    The first `shared` (K,) corners of both triangles are the same.
    """
    base = p[:, :1]
    # Differences of exact coordinates: each has a relative error of at most eps.
    u, v = p - base, q - base
    size = np.maximum(length(u), length(v)).max(axis=1)
    apart = _split(u, v, shared, _STEPS * EPS * size) | _hinged(u, v, shared)
    normal_u, normal_v = (cross(w[:, 1] - w[:, 0], w[:, 2] - w[:, 0]) for w in (u, v))
    own = np.arange(3) < shared[:, None]
    height_u = np.where(own, 0.0, dot(u - v[:, :1], normal_v[:, None]))
    height_v = np.where(own, 0.0, dot(v - u[:, :1], normal_u[:, None]))
    error = _STEPS * EPS * np.maximum(size, 0.0) ** 3
    level = error[:, None]
    crossed = np.ones(len(p), dtype=bool)
    for height in (height_u, height_v):
        certain = (np.abs(height) > level) | own
        one_sided = certain.all(axis=1) & ((height <= 0.0).all(axis=1) | (height >= 0.0).all(axis=1))
        apart |= one_sided & (height != 0.0).any(axis=1)
        crossed &= certain.all(axis=1) & (height < 0.0).any(axis=1) & (height > 0.0).any(axis=1)
    along = normalized(cross(normal_u, normal_v), np.array([1.0, 0.0, 0.0]))
    (low_u, high_u, ends_u, off_u), (low_v, high_v, ends_v, off_v) = (
        _stretch(w, height, along, error) for w, height in ((u, height_u), (v, height_v))
    )
    off = off_u + off_v + _STEPS * EPS * size
    overlap = np.minimum(high_u, high_v) - np.maximum(low_u, low_v)
    apart |= crossed & (overlap < -off)
    meet = crossed & ~apart & (overlap > off)
    start = np.where((low_u >= low_v)[:, None], ends_u[:, 0], ends_v[:, 0]) + base[:, 0]
    end = np.where((high_u <= high_v)[:, None], ends_u[:, 1], ends_v[:, 1]) + base[:, 0]
    return apart, meet, start, end


def _split(u: Floats, v: Floats, shared: Ints, margin: Floats) -> Bools:
    """Whether a plane certainly separates the corners that are not shared. It contains the shared vertex, if any."""
    own = np.arange(3)[None] < shared[:, None]
    both = shared < 2
    result = np.zeros(len(u), dtype=bool)
    edges = [(w, k) for w in (u, v) for k in range(3)]
    middle_u, middle_v = (normalized(w.mean(axis=1), np.zeros(3)) for w in (u, v))
    ways = [middle_v - middle_u]
    for w, k in edges:
        normal = normalized(cross(w[:, 1] - w[:, 0], w[:, 2] - w[:, 0]), np.zeros(3))
        ways.append(cross(normalized(w[:, (k + 1) % 3] - w[:, k], np.zeros(3)), normal))
    for way in ways:
        along_u, along_v = dot(u, way[:, None]), dot(v, way[:, None])
        for sign in (1.0, -1.0):
            last = np.where(own, -np.inf, sign * along_u).max(axis=1)
            first = np.where(own, np.inf, sign * along_v).min(axis=1)
            through = (last < -margin) & (first > margin)
            result |= both & np.where(shared == 1, through, last < first - 2.0 * margin)
    return result


def _hinged(u: Floats, v: Floats, shared: Ints) -> Bools:
    """Whether triangles with a common edge are certainly not folded onto each other."""
    hinge = normalized(u[:, 1] - u[:, 0], np.zeros(3))
    a, b = u[:, 2] - u[:, 0], v[:, 2] - v[:, 0]
    margin = _STEPS * EPS * (length(a) + length(b)) ** 2
    a, b = (w - dot(w, hinge)[:, None] * hinge for w in (a, b))
    result: Bools = (shared == 2) & ((dot(a, b) < -margin) | (length(cross(a, b)) > margin))
    return result


def _stretch(w: Floats, height: Floats, along: Floats, error: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Intersections of triangles (K, 3, 3) with the other's plane: range along a direction, end points, and error."""
    following, rise = np.roll(w, -1, axis=1), np.roll(height, -1, axis=1)
    through = height * rise < 0.0
    drop = np.where(through, np.abs(height - rise), 1.0)
    points = w + np.where(through, np.abs(height) / drop, 0.0)[..., None] * (following - w)
    valid = through | (height == 0.0)
    place = dot(points, along[:, None])
    off = np.where(through, length(following - w) * 4.0 * error[:, None] / drop, 0.0).max(axis=1)
    low, high = np.where(valid, place, np.inf), np.where(valid, place, -np.inf)
    at = np.arange(len(w))
    ends = np.stack([points[at, low.argmin(axis=1)], points[at, high.argmax(axis=1)]], axis=1)
    return low.min(axis=1), high.max(axis=1), ends, off


Exact = tuple[Fraction, ...]


def crossing_exactly(p: Floats, q: Floats) -> tuple[bool, Floats, Floats] | None:
    """Whether two crossing triangles (3, 3) are coplanar, and the ends of their segment; None if they do not cross."""
    a, b = ([tuple(map(Fraction, corner)) for corner in corners.tolist()] for corners in (p, q))
    normal_a, normal_b = (_cross(_minus(t[1], t[0]), _minus(t[2], t[0])) for t in (a, b))
    if not any(normal_a) or not any(normal_b):
        return None
    height_a, height_b = [_dot(normal_b, _minus(x, b[0])) for x in a], [_dot(normal_a, _minus(x, a[0])) for x in b]
    if not any(height_a):
        return _flat(a, b, normal_a)
    if not (min(height_a) < 0 < max(height_a) and min(height_b) < 0 < max(height_b)):
        return None
    along = _cross(normal_a, normal_b)
    stretches = [sorted((_dot(along, x), x) for x in _on_plane(t, h)) for t, h in ((a, height_a), (b, height_b))]
    start, end = max(stretch[0] for stretch in stretches), min(stretch[-1] for stretch in stretches)
    if start[0] >= end[0]:
        return None
    return False, np.array(start[1], dtype=np.float64), np.array(end[1], dtype=np.float64)


def _on_plane(corners: list[Exact], height: list[Fraction]) -> list[Exact]:
    """The corners of a triangle that are on a plane, and the points in which its edges intersect the plane."""
    points = [x for x, h in zip(corners, height, strict=True) if not h]
    for i, j in ((0, 1), (1, 2), (2, 0)):
        if height[i] * height[j] < 0:
            share = height[i] / (height[i] - height[j])
            points.append(tuple(x + share * (y - x) for x, y in zip(corners[i], corners[j], strict=True)))
    return points


def _flat(a: list[Exact], b: list[Exact], normal: Exact) -> tuple[bool, Floats, Floats] | None:
    """Like `crossing_exactly`, for coplanar triangles. They cross if A, clipped by the edges of B, has an area."""
    drop = max(range(3), key=lambda axis: abs(normal[axis]))
    x, y = (axis for axis in range(3) if axis != drop)

    def turn(o: Exact, s: Exact, t: Exact) -> Fraction:
        return (s[x] - o[x]) * (t[y] - o[y]) - (s[y] - o[y]) * (t[x] - o[x])

    sign = 1 if turn(*b) > 0 else -1
    left = a
    for i, j in ((0, 1), (1, 2), (2, 0)):
        side = [sign * turn(b[i], b[j], point) for point in left]
        kept: list[Exact] = []
        for k, point in enumerate(left):
            if side[k] >= 0:
                kept.append(point)
            after = (k + 1) % len(left)
            if side[k] * side[after] < 0:
                share = side[k] / (side[k] - side[after])
                kept.append(tuple(s + share * (t - s) for s, t in zip(point, left[after], strict=True)))
        left = kept
    if len(left) < 3 or not any(turn(left[0], left[k], left[k + 1]) for k in range(1, len(left) - 1)):
        return None
    middle = np.array([sum(values) / len(left) for values in zip(*left, strict=True)], dtype=np.float64)
    return True, middle, middle


def _minus(a: Exact, b: Exact) -> Exact:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _dot(a: Exact, b: Exact) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def _cross(a: Exact, b: Exact) -> Exact:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
