# SPDX-License-Identifier: GPL-3.0-or-later
"""Intersections of triangles and meshes: the segments of pairs of triangles, and the curves that they form."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..narrow_phase.mesh.leaf_queries import meeting, mesh_features
from ..narrow_phase.mesh.operands import mesh_rows
from ..narrow_phase.triangle_intersection import Crossings, triangle_intersections
from ..numerics.rows import numbered_components
from ..numerics.types import Bools, Floats, Ints
from ..results import UnsupportedPair
from ..shapes import Meshes, Triangles
from .dispatch import Operand, index_pairs, pair_margins, split


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


@dataclass(frozen=True)
class MeshCrossings:
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

    def __len__(self) -> int:
        return len(self.pair)

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
    for batch_a, index_a, place_a in split(a, rows[:, 0]):
        for batch_b, index_b, place_b in split(b, rows[place_a, 1]):
            if not (isinstance(batch_a, Meshes) and isinstance(batch_b, Meshes)):
                other = batch_b if isinstance(batch_a, Meshes) else batch_a
                raise UnsupportedPair(f"crossing: {type(other).__name__} have no triangles that cross")
            found.append(_of_batches(batch_a.take(index_a[place_b]), batch_b.take(index_b), place_a[place_b]))
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
    found = triangle_intersections(Triangles(p), Triangles(q))
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
