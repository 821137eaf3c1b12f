# SPDX-License-Identifier: GPL-3.0-or-later
"""All candidate axes of the separating axis test for pairs of convex shapes, with the gap along each.

Two convex shapes are separated exactly if there is a gap between their projections on some axis (doc4code 2011,
"Separating axis theorem"). Finitely many axes need to be tested. The one with the largest gap decides.

The candidate axes are defined by the directions of the faces and edges of the shapes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike

from ..convex.batch_sides import crossing_edges
from ..convex.polytopes.placed import Polytopes, polytopes
from ..convex.support import support
from ..numerics import vectors
from ..numerics.rows import RowTable, smallest_per_group
from ..numerics.tolerances import EPS, PARALLEL, ROUNDING_STEPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross, dot, length, normalized
from ..results import FeatureKind, UnsupportedPair
from ..shapes import (
    UNBOUNDED,
    Boxes,
    Capsules,
    Cylinders,
    HalfSpaces,
    Hulls,
    Kind,
    Planes,
    Shapes,
    Spheres,
    SupportMapped,
    Triangles,
)
from .operands import Operand, index_pairs, pair_margins, split, split_pairs
from .queries import distance, separating_axis


@dataclass(frozen=True)
class AxisFeatures:
    """Face normals and edge directions of the rows of a batch; short rows are padded.

    Attributes
    ----------
    faces : (N, F, 3) float64
        Unit normals, outward; zero for a face without area, which has no normal.
    face_names : (N, F, 2) int64
        `FeatureKind` and index. For the face of zero width at an edge: the edge.
    face_real : (N, F) bool
        False for padding.
    mirrored : bool
        Whether every face also represents the opposite face.
    edges : (N, E, 3) float64
        Unit directions; zero for an edge without length.
    edge_names : (N, E) int64
        Indices of the edges. If one row represents several parallel edges: the first of them.
    edge_real : (N, E) bool
    """

    faces: Floats
    face_names: Ints
    face_real: Bools
    mirrored: bool
    edges: Floats
    edge_names: Ints
    edge_real: Bools


def axis_features(shapes: Shapes) -> AxisFeatures:
    """Face normals and edge directions of each shape.

    A box has three faces and three edges, which represent all parallel ones. A triangle has its face, its three sides,
    and a face of zero width at each side. A capsule has its axis as an edge, a cylinder its axis as a face and as an
    edge, a cone its axis as a face. Spheres and ellipsoids have nothing. A half-space and a plane have one face.

    Raises
    ------
    UnsupportedPair
        For meshes and compounds.
    """
    count = len(shapes)
    if isinstance(shapes, Boxes):
        axes = shapes.rotation.transpose(0, 2, 1)
        return _fixed(axes, np.array([1, 3, 5]), axes, 4 * np.arange(3))
    if isinstance(shapes, Triangles):
        along = np.roll(shapes.vertices, -1, axis=1) - shapes.vertices
        sides = normalized(along, np.zeros(3))
        # Face 1, on the side of the normal. The opposite face has index 0.
        normal = normalized(cross(-along[:, 2], along[:, 0]), np.zeros(3))
        across = normalized(cross(sides, normal[:, None]), np.zeros(3))
        result = _fixed(np.concatenate([normal[:, None], across], axis=1), np.array([1, 0, 1, 2]), sides, np.arange(3))
        result.face_names[:, 1:, 0] = FeatureKind.EDGE
        return result
    if isinstance(shapes, Capsules | Cylinders):
        along = normalized(shapes.end - shapes.start, np.zeros(3))[:, None]
        # The side of a cylinder is edge 2, after the rims. A capsule has only one edge.
        side = np.array([2 if isinstance(shapes, Cylinders) else 0])
        return _fixed(along[:, : isinstance(shapes, Cylinders)], np.ones(1, np.int64), along, side)
    if isinstance(shapes, SupportMapped):
        return _fixed(*shapes.faces_and_edges())
    if isinstance(shapes, HalfSpaces | Planes):
        nothing = np.empty((count, 0, 3))
        return _fixed(shapes.normal[:, None], np.zeros(1, np.int64), nothing, np.empty(0, np.int64))
    if isinstance(shapes, Spheres):
        nothing, none = np.empty((count, 0, 3)), np.empty(0, np.int64)
        return _fixed(nothing, none, nothing, none)
    if isinstance(shapes, Hulls):
        return _of_hulls(shapes)
    raise UnsupportedPair(f"{type(shapes).__name__}: only convex shapes have separating axes")


def _fixed(faces: Floats, face_index: Ints, edges: Floats, edge_index: Ints) -> AxisFeatures:
    """Features of shapes that all have the same number of them, in opposite pairs."""
    count = len(faces)
    names = np.empty((*faces.shape[:2], 2), dtype=np.int64)
    names[..., 0], names[..., 1] = FeatureKind.FACE, face_index[: faces.shape[1]]
    return AxisFeatures(
        faces=faces,
        face_names=names,
        face_real=np.ones(faces.shape[:2], dtype=bool),
        mirrored=True,
        edges=edges,
        edge_names=np.broadcast_to(edge_index, (count, edges.shape[1])),
        edge_real=np.ones(edges.shape[:2], dtype=bool),
    )


def _of_hulls(shapes: Hulls) -> AxisFeatures:
    rows = polytopes(shapes)
    pool, geometry = rows.pool, rows.geometry
    faces, edges = rows.normals, rows.edges
    names = np.empty((*faces.shape[:2], 2), dtype=np.int64)
    names[..., 0], names[..., 1] = FeatureKind.FACE, np.arange(faces.shape[1])
    thin = np.arange(faces.shape[1]) >= pool.faces[geometry][:, None]
    # A face of zero width is named after the first edge beside it.
    beside = np.full(faces.shape[:2], edges.shape[1])
    for side in (2, 3):
        np.minimum.at(beside, (np.arange(len(rows))[:, None], edges[..., side]), np.arange(edges.shape[1]))
    names[thin] = np.stack([np.full(np.count_nonzero(thin), FeatureKind.EDGE), beside[thin]], axis=1)
    at = np.arange(len(rows))[:, None]
    along = rows.vertices[at, edges[..., 1]] - rows.vertices[at, edges[..., 0]]
    return AxisFeatures(
        faces=faces,
        face_names=names,
        face_real=np.arange(faces.shape[1]) < pool.normals.count[geometry][:, None],
        mirrored=False,
        edges=along / np.where(length(along) > 0.0, length(along), 1.0)[..., None],
        edge_names=np.broadcast_to(np.arange(edges.shape[1]), edges.shape[:2]),
        edge_real=np.arange(edges.shape[1]) < pool.edges.count[geometry][:, None],
    )


_FLAT_FACED = (Kind.BOX, Kind.TRIANGLE)
_POLYTOPES = (Capsules, Boxes, Triangles, Hulls)


class AxisSource(IntEnum):
    """The features that define an axis.

    Attributes
    ----------
    FACE_A
        The normal of a face of A.
    FACE_B
        The normal of a face of B.
    EDGES
        The cross product of an edge of A and an edge of B.
    CLOSEST
        The direction between the closest points or, for overlapping pairs, of least penetration.
    """

    FACE_A = 0
    FACE_B = 1
    EDGES = 2
    CLOSEST = 3


class AxisStatus(IntEnum):
    """Whether an axis was tested or, if not, why.

    Attributes
    ----------
    TESTED
        The axis was tested.
    DEGENERATE
        The feature that would define it has no area or length, or the centers coincide.
    PARALLEL
        The two edges are parallel and have no cross product. In the plane: an earlier axis of the pair is parallel.
    """

    TESTED = 0
    DEGENERATE = 1
    PARALLEL = 2


@dataclass(frozen=True)
class CandidateAxes:
    """Candidate axes of many pairs, one axis per row. Rows of the same pair are consecutive.

    Attributes
    ----------
    pair : (C,) int64
        Index of the pair in the query.
    axis : (C, 3) float64
        Unit vector from A to B: of the two directions, the one with the larger gap. Zero for skipped axes.
    interval_a, interval_b : (C, 2) float64
        Minimum and maximum of ``axis · x`` over A and over B: infinite for unbounded shapes, NaN for skipped axes.
    gap : (C,) float64
        Minimum of B minus maximum of A; if negative, its magnitude is the overlap. NaN for skipped axes.
    source : (C,) int8
        `AxisSource`.
    feature_a, feature_b : (C, 2) int64
        `FeatureKind` and index of the features that define the axis, as in `Separations`; (-1, -1) for a shape that
        does not contribute.
    status : (C,) int8
        `AxisStatus`.
    best : (P,) int64
        For each pair, the row of the axis with the largest gap, which decides.
    """

    pair: Ints
    axis: Floats
    interval_a: Floats
    interval_b: Floats
    gap: Floats
    source: Ints
    feature_a: Ints
    feature_b: Ints
    status: Ints
    best: Ints

    def __len__(self) -> int:
        return len(self.pair)

    def of(self, pair: int) -> Ints:
        """The rows of one pair, largest gap first, skipped axes last."""
        rows = np.flatnonzero(self.pair == pair)
        return rows[np.argsort(np.where(self.status[rows] > 0, np.inf, -self.gap[rows]), kind="stable")]


@dataclass(frozen=True)
class _Axes(RowTable):
    """Axes of some pairs before the shapes are projected on them."""

    pair: Ints
    axis: Floats
    source: Ints
    feature_a: Ints
    feature_b: Ints
    mirrored: Bools
    status: Ints


def candidate_axes(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> CandidateAxes:
    """Every candidate axis of each pair of convex shapes, with both projection intervals.

    Boxes and triangles have the usual axes: the face normals of both, and the cross products of their edges. These are
    fifteen axes for two boxes, thirteen for a box and a triangle, and eleven for two triangles. A triangle has three
    additional axes in its own plane. A hull has all its faces, and those pairs of edges whose arcs intersect on the
    Gauss map. The other pairs of edges, often thousands, define no facets of A - B. Round shapes have the directions of
    their features.

    Pairs of other kinds than boxes and triangles also have the closest direction or, if they overlap, the direction of
    least penetration. Boxes and triangles have it if `separating_axis` returns an axis with a larger gap than all their
    axes, as for triangles in one plane and nearly parallel edges. A pair with a half-space or a plane has only the
    normal of that shape.

    Parameters
    ----------
    a, b : batch of shapes or World
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.

    Returns
    -------
    CandidateAxes
        One row for each axis. Rows of the same pair are consecutive.

    Raises
    ------
    UnsupportedPair
        For two unbounded shapes, and for shapes that are not convex.
    ValueError
        If `a` or `b` is not a batch of shapes; if `pairs` has the wrong shape or refers to a row that does not exist;
        without `pairs`, if the lengths differ and neither is one.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    >>> axes = ck.candidate_axes(a, ck.Boxes([[3, 0, 0]], [[1, 1, 1]]))
    >>> len(axes.axis), int(axes.gap.argmax())
    (15, 6)
    """
    rows = index_pairs(a, b, pairs)
    found = [_faces(axis_features(Spheres([], [])), AxisSource.FACE_A)]
    for batch_a, batch_b, index_a, index_b, place in split_pairs(a, b, rows):
        if batch_a.kind in UNBOUNDED and batch_b.kind in UNBOUNDED:
            names = f"{type(batch_a).__name__} against {type(batch_b).__name__}"
            raise UnsupportedPair(f"{names}: both are unbounded")
        for axes in _candidates(batch_a.take(index_a), batch_b.take(index_b)):
            found.append(replace(axes, pair=place[axes.pair]))
    every = _Axes.joined(found)
    result = _projected(a, b, rows, every.take(np.argsort(every.pair, kind="stable")))
    # The axis that `separating_axis` returns is usually one of the others. It is kept only if it has a larger gap.
    named = (result.source == AxisSource.CLOSEST) & ((result.feature_a[:, 0] >= 0) | (result.feature_b[:, 0] >= 0))
    if not named.any():
        return result
    most = np.full(len(rows), -np.inf)
    others = np.flatnonzero(~named & (result.status == AxisStatus.TESTED))
    np.maximum.at(most, result.pair[others], result.gap[others])
    ends = np.abs(np.concatenate([result.interval_a, result.interval_b], axis=1)).max(axis=1)
    kept = np.flatnonzero(~named | (result.gap > most[result.pair] + ROUNDING_STEPS * EPS * ends))
    fields = {name: value[kept] for name, value in vars(result).items() if name != "best"}
    return CandidateAxes(**fields, best=smallest_per_group(fields["pair"], -fields["gap"]))


def _candidates(a: Shapes, b: Shapes) -> list[_Axes]:
    """The axes of each pair of rows of two batches, each of one kind."""
    features_a, features_b = axis_features(a), axis_features(b)
    faces_a = _faces(features_a, AxisSource.FACE_A)
    faces_b = _flipped(_faces(features_b, AxisSource.FACE_B))
    if {a.kind, b.kind} & {*UNBOUNDED}:
        # An unbounded shape has no finite extent along any axis except its normal.
        return [faces_a if a.kind in UNBOUNDED else faces_b]
    facets = Kind.HULL in (a.kind, b.kind) and isinstance(a, _POLYTOPES) and isinstance(b, _POLYTOPES)
    edges = _facets(a, b) if facets else _crosses(features_a, features_b)
    count = len(a)
    if {a.kind, b.kind} <= {*_FLAT_FACED}:
        best = separating_axis(a, b)
        axis, feature_a, feature_b = best.axis, best.feature_a, best.feature_b
    else:
        axis, feature_a = distance(a, b).normal, np.full((count, 2), -1)
        feature_b = feature_a
    source, tested = np.full(count, AxisSource.CLOSEST), np.full(count, AxisStatus.TESTED)
    one_way = np.zeros(count, dtype=bool)
    closest = _Axes(np.arange(count), axis, source, feature_a, feature_b, one_way, tested)
    return [faces_a, faces_b, edges, closest]


def _faces(features: AxisFeatures, source: AxisSource) -> _Axes:
    """An axis for each face of each row, as if the shape were A."""
    pair, face = np.nonzero(features.face_real)
    axis = features.faces[pair, face]
    count = len(pair)
    return _Axes(
        pair,
        axis,
        np.full(count, source),
        features.face_names[pair, face],
        np.full((count, 2), -1),
        np.full(count, features.mirrored),
        np.where(axis.any(axis=1), AxisStatus.TESTED, AxisStatus.DEGENERATE),
    )


def _flipped(axes: _Axes) -> _Axes:
    """The axes of A as axes of B, in the opposite direction."""
    return replace(axes, axis=-axes.axis, feature_a=axes.feature_b, feature_b=axes.feature_a)


def _crosses(a: AxisFeatures, b: AxisFeatures) -> _Axes:
    """The cross product of each edge direction of A with each of B."""
    pair, i, j = np.nonzero(a.edge_real[:, :, None] & b.edge_real[:, None, :])
    names_a, names_b = a.edge_names[pair, i], b.edge_names[pair, j]
    return _edge_axes(pair, a.edges[pair, i], b.edges[pair, j], names_a, names_b, mirrored=True)


def _facets(a: Shapes, b: Shapes) -> _Axes:
    """The cross products of those edges whose arcs on the Gauss map intersect."""
    assert isinstance(a, _POLYTOPES) and isinstance(b, _POLYTOPES)
    left, right = polytopes(a), polytopes(b)
    pair, edge_a, edge_b = crossing_edges(a, b)
    along_a, outward = _edge(left, pair, edge_a)
    along_b, _ = _edge(right, pair, edge_b)
    axes = _edge_axes(pair, along_a, along_b, _named(a, edge_a), _named(b, edge_b), mirrored=False)
    # The normal of a facet of A - B points to the side of the normals beside its edge on A.
    axes.axis[dot(axes.axis, outward) < 0.0] *= -1.0
    return axes


def _edge(rows: Polytopes, pair: Ints, edge: Ints) -> tuple[Floats, Floats]:
    """Unit direction of an edge, and the sum of the normals of its two faces."""
    start, end, first, second = rows.edges[pair, edge].T
    along = normalized(rows.vertices[pair, end] - rows.vertices[pair, start], np.zeros(3))
    return along, rows.normals[pair, first] + rows.normals[pair, second]


def _named(shapes: Shapes, edge: Ints) -> Ints:
    """The index of an edge in its shape. Flat cores have a copy of each edge for each side."""
    sides = {Kind.CAPSULE: 1, Kind.TRIANGLE: 3}.get(shapes.kind)
    return edge if sides is None else edge % sides


def _edge_axes(pair: Ints, along_a: Floats, along_b: Floats, edge_a: Ints, edge_b: Ints, *, mirrored: bool) -> _Axes:
    """Axes from pairs of unit edge directions, (K, 3) each."""
    count = len(pair)
    nothing = np.zeros(3)
    product = vectors.cross_dd(along_a, along_b, nothing, nothing)
    zero = ~(along_a.any(axis=1) & along_b.any(axis=1))
    parallel = dot(product, product) <= PARALLEL
    status = np.select([zero, parallel], [int(AxisStatus.DEGENERATE), int(AxisStatus.PARALLEL)], int(AxisStatus.TESTED))
    axis = np.where((status > 0)[:, None], 0.0, normalized(product, np.zeros(3)))
    feature_a, feature_b = (np.stack([np.full(count, FeatureKind.EDGE), edge], axis=1) for edge in (edge_a, edge_b))
    return _Axes(pair, axis, np.full(count, AxisSource.EDGES), feature_a, feature_b, np.full(count, mirrored), status)


def _projected(a: Operand, b: Operand, rows: Ints, axes: _Axes) -> CandidateAxes:
    """Project both shapes on each axis, and choose the direction that points from A to B."""
    count = len(axes.pair)
    shown = np.flatnonzero(axes.status == AxisStatus.TESTED)
    interval_a, interval_b = np.full((2, count, 2), np.nan)
    along = axes.axis[shown]
    for shapes, side, interval in ((a, 0, interval_a), (b, 1, interval_b)):
        for batch, index, place in split(shapes, rows[axes.pair[shown], side]):
            interval[shown[place]] = _interval(batch.take(index), along[place])
    margin = pair_margins(a, b, rows)
    if margin is not None:
        for side, interval in ((0, interval_a), (1, interval_b)):
            interval += margin[axes.pair, side, None] * [-1.0, 1.0]
    forward, backward = interval_b[:, 0] - interval_a[:, 1], interval_a[:, 0] - interval_b[:, 1]
    turn = axes.mirrored & (backward > forward)
    axis = np.where(turn[:, None], -axes.axis, axes.axis)
    interval_a, interval_b = (np.where(turn[:, None], -i[:, ::-1], i) for i in (interval_a, interval_b))
    gap = np.where(turn, backward, forward)
    return CandidateAxes(
        axes.pair,
        axis,
        interval_a,
        interval_b,
        gap,
        axes.source.astype(np.int8),
        np.where(turn[:, None], _opposite(axes.feature_a), axes.feature_a),
        np.where(turn[:, None], _opposite(axes.feature_b), axes.feature_b),
        axes.status.astype(np.int8),
        smallest_per_group(axes.pair, -gap),  # the first of equal gaps: faces are before edges
    )


def _opposite(feature: Ints) -> Ints:
    """The face on the opposite side. Faces of these shapes come in opposite pairs; see `axis_features`."""
    index = np.where((feature[:, 0] == FeatureKind.FACE) & (feature[:, 1] % 2 == 1), feature[:, 1] - 1, feature[:, 1])
    return np.stack([feature[:, 0], index], axis=1)


def _interval(shapes: Shapes, along: Floats) -> Floats:
    """Minimum and maximum of each shape along its axis: (N, 2)."""
    if isinstance(shapes, HalfSpaces | Planes):
        # The axis is the shape's normal or its opposite.
        same = dot(shapes.normal, along) > 0.0
        level = np.where(same, shapes.offset, -shapes.offset)
        if isinstance(shapes, Planes):
            return np.stack([level, level], axis=1)
        return np.stack([np.where(same, -np.inf, level), np.where(same, level, np.inf)], axis=1)
    high = dot(support(shapes, along), along)
    low = dot(support(shapes, -along), along)
    return np.stack([low, high], axis=1)
