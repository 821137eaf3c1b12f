# SPDX-License-Identifier: GPL-3.0-or-later
"""Queries on convex pieces of two shapes, the second being a mesh: which pieces intersect, and which are nearest.

Triangle pairs are rejected first if one triangle is completely on one side of the other's plane.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ...convex.batch_sides import side_rows
from ...convex.rooms import polytope_room, work_room
from ...kernels import convex_trees, trees
from ...kernels.loading import pays
from ...numerics.rows import blocks, smallest_per_group
from ...numerics.tolerances import EPS, MESH_RAY, ROUNDING_STEPS
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import as_columns, dot_columns, length
from ...results import Contacts, Distances, FeatureKind, Separations
from ...shapes import Cylinders, Kind, SupportMapped, Triangles
from ...shapes.sides import chosen, triangle_side
from ..algorithm import PairAlgorithm
from ..convex_table import EITHER_ORDER
from .bvh_traversal import (
    NO_LEAVES,
    LeafPairs,
    Tighten,
    in_order,
    likely_intersecting,
    may_be_nearest,
    near_unordered,
    nearest_few,
)
from .operands import ConvexRows, MeshRows, ShapeRows, Trees, frames, pieces, size_of, slack_of
from .ray_casting import inside, untouched_components

# Triangle pairs measured for the first upper bound of the distance.
_FIRST = 8
# Multiple of the rounding error within which pieces of separated pairs are searched for.
_TOUCH = 16.0
# Number of piece pairs that are tested first for an intersection, and the minimum number of tree levels for this.
_FEW, _LARGE = 16, 6
# Number of pairs for which these first pieces are searched at once. Their arrays fit in cache.
_PAIRS = 256
# Dimensionless: fraction of the size of a pair. The axes of two triangles nearly in one plane are less accurate.
_SURELY = 1e-4
# A distance that no pair reaches, and that is less than `EMPTY`.
_ANY = 1e140
# Piece pairs tested at once.
_BLOCK = 1 << 15
# Room for pairs of triangles in the first traversal of a kernel.
_ROOM = 1024


def meeting(a: ShapeRows, b: MeshRows) -> LeafPairs:
    """All pairs of pieces that intersect, touching included, ordered by pair and pieces."""
    known = meeting_by_kernel(a, b)
    if known is None:
        found = within(a, b, 4.0 * slack_of(a, b))
        return found.take(overlap(a, b, found))
    found, meet = known
    doubt = np.flatnonzero(~meet)
    meet[doubt] = overlap(a, b, found.take(doubt))
    return in_order(found.take(meet))


def within(a: ShapeRows, b: MeshRows, reach: Floats) -> LeafPairs:
    """Candidate pairs of pieces within `reach` (P,), by their boxes and by the planes of triangles."""
    found = near_unordered(a.bodies, b.bodies, reach)
    if not isinstance(a, ConvexRows):
        found = found.take(np.flatnonzero(~apart_by_planes(a, b, found, reach)))
    return in_order(found)


def farther_than(a: ShapeRows, b: MeshRows, reach: Floats) -> Bools:
    """Whether no two pieces of each pair are within `reach` (P,) and neither shape is inside the other, (P,)."""
    result = ~any_within(a, b, reach + 4.0 * slack_of(a, b))
    rest = np.flatnonzero(result)
    result[rest] = ~contains_component(a.take(rest), b.take(rest), NO_LEAVES)
    return result


def any_within(a: ShapeRows, b: MeshRows, reach: Floats, *, searched: bool = False) -> Bools:
    """Whether any two pieces of each pair are within `reach` (P,), or touch, (P,).

    `searched`: `some_intersecting` has found no pieces of these pairs.
    """
    result = np.zeros(len(b), dtype=bool)
    slack = 4.0 * slack_of(a, b)
    if _pays(a, b):
        found, sure = traversed(a, b, reach, slack, trees.FIRST_WITHIN)
        result[found.pair[sure > 0.0]] = True
        found = found.take(sure == 0.0)
    else:
        if not searched:
            result[some_intersecting(a, b).pair] = True
        rest = np.flatnonzero(~result)
        here_a, here_b, far = a.take(rest), b.take(rest), (reach + slack)[rest]
        few = nearest_few(here_a.bodies, here_b.bodies, _FIRST)
        close = distances(here_a, here_b, few)
        result[rest[few.pair[close.distance <= reach[rest[few.pair]]]]] = True
        found = within(here_a, here_b, np.where(result[rest], -1.0, far))
        found = replace(found, pair=rest[found.pair])
    close = distances(a, b, found)
    result[found.pair[close.distance <= np.maximum(reach[found.pair], close.rounding)]] = True
    return result


def any_intersecting(a: ShapeRows, b: MeshRows) -> Bools:
    """Whether any two pieces of each pair intersect, (P,)."""
    result = np.zeros(len(b), dtype=bool)
    known = meeting_by_kernel(a, b, first=True)
    if known is not None:
        found, meet = known
        doubt = found.take(~meet)
        result[found.pair[meet]] = True
        result[doubt.pair[overlap(a, b, doubt)]] = True
        # For other pairs, all undecided ones have been found.
        rest = np.flatnonzero(~result & (np.bincount(found.pair, minlength=len(b)) == trees.DOUBTS))
    else:
        result[some_intersecting(a, b).pair] = True
        rest = np.flatnonzero(~result)
    result[rest[meeting(a.take(rest), b.take(rest)).pair]] = True
    return result


def some_intersecting(a: ShapeRows, b: MeshRows) -> LeafPairs:
    """Some intersecting pairs of pieces, only for meshes with many triangles; ordered by pair. May miss pairs."""
    known = meeting_by_kernel(a, b, first=True)
    if known is not None:
        return known[0].take(known[1])
    found = [NO_LEAVES]
    large = np.flatnonzero(np.maximum(a.bodies.levels, b.bodies.levels) >= _LARGE)
    for start in range(0, len(large), _PAIRS):
        rows = large[start : start + _PAIRS]
        first, second = a.take(rows), b.take(rows)
        few = likely_intersecting(first.bodies, second.bodies, 4.0 * slack_of(first, second), _FEW)
        few = few.take(overlap(first, second, few))
        found.append(replace(few, pair=rows[few.pair]))
    return LeafPairs.joined(found)


def overlap(a: ShapeRows, b: MeshRows, leaves: LeafPairs) -> Bools:
    """Whether these pieces intersect, (K,)."""
    result = np.zeros(len(leaves), dtype=bool)
    for rows in blocks(len(leaves), _BLOCK):
        asked = leaves.take(rows)
        pair, first, second = _pieces(a, b, asked)
        result[rows] = pair.overlap(first, second)
    return result


def distances(a: ShapeRows, b: MeshRows, leaves: LeafPairs) -> Distances:
    """Signed distances of these pairs of pieces."""
    result = Distances.empty(len(leaves))
    for rows in blocks(len(leaves), _BLOCK):
        pair, first, second = _pieces(a, b, leaves.take(rows))
        result.put(rows, pair.distance(first, second))
    return result


def penetrating(a: ShapeRows, b: MeshRows, leaves: LeafPairs, level: Floats) -> Bools:
    """Whether these pieces are deeper in each other than the `level` (P,) of their pair, (K,)."""
    result = np.zeros(len(leaves), dtype=bool)
    if not isinstance(a, ConvexRows):
        # The least overlap on the axes of two triangles is their depth. If it is far above the level, it decides.
        sure = level + _SURELY * size_of(a, b)
        for rows in blocks(len(leaves), _BLOCK):
            asked = leaves.take(rows)
            pair, first, second = _pieces(a, b, asked)
            result[rows] = pair.separating_axis(first, second).gap < -sure[asked.pair]
    rest = np.flatnonzero(~result)
    asked = leaves.take(rest)
    result[rest] = distances(a, b, asked).distance < -level[asked.pair]
    return result


def separations(a: ShapeRows, b: MeshRows, leaves: LeafPairs) -> Separations:
    """Separating axes of these pairs of pieces. Features are numbered as in the mesh."""
    pair, first, second = _pieces(a, b, leaves)
    part = pair.separating_axis(first, second)
    return replace(
        part,
        feature_a=mesh_features(a, leaves.pair, leaves.a, part.feature_a),
        feature_b=mesh_features(b, leaves.pair, leaves.b, part.feature_b),
    )


def contacts(a: ShapeRows, b: MeshRows, leaves: LeafPairs, margin: float) -> Contacts:
    """Contacts of these pairs of pieces; `pair` indexes `leaves`. Features are numbered as in the mesh."""
    pair, first, second = _pieces(a, b, leaves)
    part = pair.contacts(first, second, margin)
    row = part.pair
    return replace(
        part,
        feature_a=mesh_features(a, leaves.pair[row], leaves.a[row], part.feature_a),
        feature_b=mesh_features(b, leaves.pair[row], leaves.b[row], part.feature_b),
    )


def contains_component(a: ShapeRows, b: MeshRows, intersecting: LeafPairs) -> Bools:
    """Whether a connected component of one shape intersects nothing and is inside the solid of the other, (P,)."""
    result = np.zeros(len(b), dtype=bool)
    if not isinstance(a, ConvexRows):
        free = untouched_components(b, a, intersecting.pair, intersecting.b)
        result[free.row[inside(a, free.row, free.point)]] = True
        free = untouched_components(a, b, intersecting.pair, intersecting.a)
        row, point = free.row, free.point
    else:
        # A convex shape intersects every piece of a mesh inside it. In the other direction, one point decides.
        row = np.setdiff1d(np.arange(len(b)), intersecting.pair)
        point = a.interior_point()[row]
    result[row[inside(b, row, point)]] = True
    return result


@dataclass(frozen=True)
class ClosestLeaves:
    """The nearest pieces of each pair.

    Attributes
    ----------
    piece_a, piece_b : (P,) int64
    found : Distances
        One row per pair.
    """

    piece_a: Ints
    piece_b: Ints
    found: Distances

    def near(self) -> LeafPairs:
        """The pieces as leaf pairs."""
        return LeafPairs(np.arange(len(self.piece_a)), self.piece_a, self.piece_b, self.found.distance)


def nearest(a: ShapeRows, b: MeshRows, touch: Bools | None = None) -> ClosestLeaves:
    """Find the nearest pieces of each pair whose surfaces do not intersect. The result is exact up to rounding.

    For pairs that are expected to `touch` (P,), pieces that are close are measured first. Any pieces that touch are the
    nearest ones.
    """
    best = _none(len(b))
    rows = np.arange(len(b))
    if touch is not None:
        reach = np.where(touch, _TOUCH * slack_of(a, b), -1.0)
        asked = within(a, b, reach)
        for some in (asked.take(smallest_per_group(asked.pair, np.zeros(len(asked)), _FIRST)), asked):
            some = some.take(best.found.distance[some.pair] > best.found.rounding[some.pair])
            best = _best(best, some, distances(a, b, some))
        rows = np.flatnonzero(best.found.distance > reach)
    here_a, here_b = a.take(rows), b.take(rows)
    waiting = may_be_nearest_by_kernel(here_a, here_b, np.full(len(rows), _ANY))
    if waiting is None:
        asked = nearest_few(here_a.bodies, here_b.bodies, _FIRST)
        asked = replace(asked, pair=rows[asked.pair])
        best = _best(best, asked, distances(a, b, asked))
        tighten = None if isinstance(here_a, ConvexRows) else _bounds_of_distances(here_a, here_b)
        waiting = may_be_nearest(here_a.bodies, here_b.bodies, best.found.distance[rows], tighten)
    waiting = replace(waiting, pair=rows[waiting.pair])
    share = 4 * _FIRST
    while len(waiting):
        first = smallest_per_group(waiting.pair, waiting.bound, share)
        asked = waiting.take(first)
        best = _best(best, asked, distances(a, b, asked))
        later = np.ones(len(waiting), dtype=bool)
        later[first] = False
        waiting = waiting.take(later & (waiting.bound < best.found.distance[waiting.pair]))
        share *= 4
    return best


def _bounds_of_distances(a: MeshRows, b: MeshRows) -> Tighten:
    """Bounds of the distances of triangles, from above by their middles and from below along the line through these."""
    columns, slack = frames(a, b), 4.0 * slack_of(a, b)

    def tighten(leaves: LeafPairs, reach: Floats) -> LeafPairs:
        bound = leaves.bound.copy()
        for rows in blocks(len(leaves)):
            pair = leaves.pair[rows]
            p = as_columns(a.corners.take(a.triangle_start.take(pair) + leaves.a[rows], axis=0))
            other = as_columns(b.corners.take(b.triangle_start.take(pair) + leaves.b[rows], axis=0))
            frame = columns if columns.shape[1] == 1 else columns.take(pair, axis=1)
            q = np.array([[dot_columns(frame[3 * i : 3 * i + 3], at) + frame[9 + i] for i in range(3)] for at in other])
            way = np.array([(q[0][i] + q[1][i] + q[2][i] - p[:, i].sum(axis=0)) / 3.0 for i in range(3)])
            far = np.sqrt(dot_columns(way, way))
            way /= np.where(far > 0.0, far, 1.0)
            (p0, p1, p2), (q0, q1, q2) = ([dot_columns(way, corner) for corner in corners] for corners in (p, q))
            gap = np.minimum(np.minimum(q0, q1), q2) - np.maximum(np.maximum(p0, p1), p2)
            bound[rows] = np.maximum(bound[rows], gap - slack[pair])
            np.minimum.at(reach, pair, far + slack[pair])
        kept = np.flatnonzero(bound <= reach[leaves.pair])
        return replace(leaves, bound=bound).take(kept)

    return tighten


def _none(count: int) -> ClosestLeaves:
    result = Distances.empty(count)
    result.distance[:] = np.inf
    nothing = np.full(count, -1)
    return ClosestLeaves(nothing, nothing, result)


def _best(known: ClosestLeaves, asked: LeafPairs, found: Distances) -> ClosestLeaves:
    """The nearer of the known and the found pieces of each pair. Ties go to the lowest triangles."""
    order = np.lexsort((asked.b, asked.a, found.distance, asked.pair))
    first = order[np.unique(asked.pair[order], return_index=True)[1]]
    pair = asked.pair[first]
    tie = found.distance[first] == known.found.distance[pair]
    lower = asked.a[first] < known.piece_a[pair]
    lower |= (asked.a[first] == known.piece_a[pair]) & (asked.b[first] < known.piece_b[pair])
    better = (found.distance[first] < known.found.distance[pair]) | (tie & lower)
    first, pair = first[better], pair[better]
    piece_a, piece_b = known.piece_a.copy(), known.piece_b.copy()
    piece_a[pair], piece_b[pair] = asked.a[first], asked.b[first]
    known.found.put(pair, found.take(first))
    return ClosestLeaves(piece_a, piece_b, known.found)


def _pieces(a: ShapeRows, b: MeshRows, leaves: LeafPairs) -> tuple[PairAlgorithm[Any, Triangles], Any, Triangles]:
    """Return the algorithm for these pieces, and the pieces of A and of B."""
    first, second = pieces(a, leaves.pair, leaves.a), Triangles(b.placed(leaves.pair, leaves.b))
    return EITHER_ORDER[first.kind, Kind.TRIANGLE], first, second


def mesh_features(shapes: ShapeRows, row: Ints, triangle: Ints, feature: Ints) -> Ints:
    """Convert features of triangles to features of their meshes. Features of other shapes are not changed."""
    if isinstance(shapes, ConvexRows):
        return feature
    result = feature.copy()
    for number in np.unique(shapes.mesh[row]):
        mesh = shapes.meshes[number]
        mine = np.flatnonzero((shapes.mesh[row] == number) & (feature[:, 0] >= 0))
        which, corner = triangle[mine], feature[mine, 1] % 3
        result[mine, 1] = np.select(
            [feature[mine, 0] == FeatureKind.VERTEX, feature[mine, 0] == FeatureKind.EDGE],
            [mesh.welded_triangles[which, corner], mesh.edges.of_triangle[which, corner]],
            which,
        )
    return result


def apart_by_planes(a: MeshRows, b: MeshRows, leaves: LeafPairs, slack: Floats) -> Bools:
    """Whether one triangle is completely on one side of the other's plane, by more than the slack of its pair, (K,)."""
    result = np.zeros(len(leaves), dtype=bool)
    to_b, to_a = frames(a, b), frames(b, a)
    rounding = MESH_RAY * (a.bodies.reach + b.bodies.reach + np.abs(to_a[9:]).max(axis=0))
    for rows in blocks(len(leaves)):
        rest = np.arange(rows.start, rows.stop)
        for one, other, frame, of, against in ((a, b, to_b, leaves.a, leaves.b), (b, a, to_a, leaves.b, leaves.a)):
            pair = leaves.pair[rest]
            plane = one.planes.take(one.triangle_start.take(pair) + of[rest], axis=0).T.copy()
            corner = as_columns(other.corners.take(other.triangle_start.take(pair) + against[rest], axis=0))
            way = frame if frame.shape[1] == 1 else frame.take(pair, axis=1)
            normal = [dot_columns(way[axis : axis + 9 : 3], plane[:3]) for axis in range(3)]
            offset = plane[3] - dot_columns(way[9:], plane[:3])
            heights = [corner[n, 0] * normal[0] + corner[n, 1] * normal[1] + corner[n, 2] * normal[2] for n in range(3)]
            least = slack.take(pair) + rounding.take(pair) * plane[4]
            lowest = np.minimum(np.minimum(heights[0], heights[1]), heights[2]) - offset
            highest = np.maximum(np.maximum(heights[0], heights[1]), heights[2]) - offset
            apart = (lowest > least) | (highest < -least)
            result[rest[apart]] = True
            rest = rest[~apart]
    return result


def meeting_by_kernel(a: ShapeRows, b: MeshRows, first: bool = False) -> tuple[LeafPairs, Bools] | None:
    """Pairs of pieces that meet, and whether each surely does (K,); the others are within rounding.

    None if numpy has to do the work. With `first`, only one pair of pieces of each pair, if there is one that surely
    meets.
    """
    if not _pays(a, b):
        return None
    slack = 4.0 * slack_of(a, b)
    rounding = slack
    if isinstance(a, MeshRows):
        # As in `kernels.axes.doubt`, of the greatest coordinates in the world.
        offset = np.maximum(*(length(each.bodies.translation) + each.bodies.reach for each in (a, b)))
        rounding = 4.0 * ROUNDING_STEPS * EPS * offset
    found, sure = traversed(a, b, slack, rounding, trees.FIRST_MEETING if first else trees.ALL_MEETING)
    return found, sure > 0.0


def may_be_nearest_by_kernel(a: ShapeRows, b: MeshRows, reach: Floats) -> LeafPairs | None:
    """All pairs of pieces within `reach` (P,) that may be the nearest ones of their pair.

    None if numpy has to do the work.
    """
    if not _pays(a, b):
        return None
    found, bound = traversed(a, b, reach, 4.0 * slack_of(a, b), trees.NEAREST)
    return replace(found, bound=bound)


def _pays(a: ShapeRows, b: MeshRows) -> bool:
    """Whether the kernel is faster than numpy. Each pair of leaves is one pair for it."""
    return pays(int(np.exp2((a.bodies.levels + b.bodies.levels) / 2.0).sum()))


def traversed(a: ShapeRows, b: MeshRows, reach: Floats, rounding: Floats, question: int) -> tuple[LeafPairs, Floats]:
    """Return the results of `trees.traverse` or `convex_trees.traverse`: pairs of pieces, and their values."""
    traverse = _of_meshes(a, b) if isinstance(a, MeshRows) else _of_convex(a, b)
    reach, rounding = np.ascontiguousarray(reach), np.ascontiguousarray(rounding)
    parts: list[tuple[Ints, Floats]] = []
    pair, room = 0, _ROOM + 2 * len(b)
    while pair < len(b):
        found, values = np.empty((room, 3), dtype=np.int64), np.empty(room)
        pair, count = traverse(reach, rounding, question, pair, found, values)
        parts.append((found[:count], values[:count]))
        # The pair that did not fit into the output is traversed again.
        room *= 8
    rows = np.concatenate([np.empty((0, 3), dtype=np.int64), *(found for found, _ in parts)])
    value = np.concatenate([np.empty(0), *(values for _, values in parts)])
    return LeafPairs(rows[:, 0], rows[:, 1], rows[:, 2], np.zeros(len(rows))), value


_Traverse = Callable[..., tuple[int, int]]


def _of_meshes(a: MeshRows, b: MeshRows) -> _Traverse:
    return partial(trees.traverse, tree_of(a.bodies), tree_of(b.bodies), np.ascontiguousarray(frames(a, b).T))


def _of_convex(a: ConvexRows, b: MeshRows) -> _Traverse:
    shapes, frame = convex_of(a, b)
    traverse = chosen(convex_trees.traverse, "convex_trees.traverse", shapes.side)
    return partial(traverse, shapes, tree_of(b.bodies), frame, piece_room())


def convex_of(a: ConvexRows, b: MeshRows) -> tuple[convex_trees.Convex, Floats]:
    """The convex shapes as kernels read them, and the transforms from the meshes to the frames of the pairs (P, 12).

    The frame of a pair has the axes of the world and its origin at the tree of A.
    """
    side, rows = side_rows(a.shapes)
    bodies, origin = a.bodies, a.bodies.translation
    center, half = bodies.boxes(bodies.node_start)
    axes = bodies.rotation.transpose(0, 2, 1)
    boxes = axes.reshape(-1, 9), np.einsum("nij,nj->ni", bodies.rotation, center), half + bodies.radius[:, None]
    curved = isinstance(a.shapes, Cylinders | SupportMapped)
    shapes = convex_trees.Convex(side, rows, side.translation[rows] - origin, np.concatenate(boxes, axis=1), curved)
    return shapes, np.concatenate([b.bodies.rotation.reshape(-1, 9), b.bodies.translation - origin], axis=1)


def piece_room() -> convex_trees.Room:
    """Working memory for one triangle, which belongs to this thread."""
    return convex_trees.Room(triangle_side(), polytope_room(), work_room())


def tree_of(bodies: Trees) -> trees.Tree:
    """The tree of each row, in the form of kernels."""
    rows = bodies.node_start, bodies.leaf_start, bodies.triangle_start, np.left_shift(1, bodies.levels)
    table = np.stack(rows, axis=1)
    return trees.Tree(bodies.span, bodies.leaf, bodies.corners, table, bodies.fit, bodies.box)
