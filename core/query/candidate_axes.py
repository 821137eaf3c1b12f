# SPDX-License-Identifier: GPL-3.0-or-later
"""Every axis that may separate a pair of convex shapes, with what each shows: the separating axis test, explained.

Two convex shapes are apart exactly if some axis shows a gap between their projections (doc4code 2011, "Separating axis
theorem"); of the finitely many axes that need a look, the one with the largest gap decides.

The features that make axes are the directions of the faces and of the edges of the shapes.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike

from ..convex.gap import crossing_arcs
from ..convex.polytopes import Polytopes, polytopes
from ..convex.support import support
from ..numerics import error_free
from ..numerics.rows import smallest_per_group
from ..numerics.tolerances import EPS, PARALLEL, ROUNDING_STEPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length, normalized
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
from .dispatch import Operand, index_pairs, pair_margins, split
from .queries import distance, separating_axis


@dataclass(frozen=True)
class AxisFeatures:
    """Faces and edge directions of the rows of a batch; short rows are padded.

    Attributes
    ----------
    faces : (N, F, 3) float64
        Unit normals, outward; zero where a face has no area and hence no normal.
    face_names : (N, F, 2) int64
        `FeatureKind` and index; an edge where the face is the one of zero width through it.
    face_real : (N, F) bool
        False for padding.
    mirrored : bool
        Every face stands for the opposite one as well.
    edges : (N, E, 3) float64
        Unit directions; zero where an edge has no length.
    edge_names : (N, E) int64
        Indices of the edges; of parallel ones that are taken together, the first.
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
    """Faces and edges of each shape.

    A box has three faces and three edges, each standing for all that are parallel to it. A triangle has its face, the
    three of zero width through its sides, and its sides. A capsule has its axis for an edge, a cylinder its axis for
    a face and for an edge, a cone for a face, a sphere and an ellipsoid nothing. A half-space and a plane are one face.

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
        # Its face 1, whose opposite is face 0, on the side of the normal.
        normal = normalized(np.cross(-along[:, 2], along[:, 0]), np.zeros(3))
        across = normalized(np.cross(sides, normal[:, None]), np.zeros(3))
        result = _fixed(np.concatenate([normal[:, None], across], axis=1), np.array([1, 0, 1, 2]), sides, np.arange(3))
        result.face_names[:, 1:, 0] = FeatureKind.EDGE
        return result
    if isinstance(shapes, Capsules | Cylinders):
        along = normalized(shapes.end - shapes.start, np.zeros(3))[:, None]
        # A cylinder's side is its edge 2, after the rims; a capsule has no other edge.
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
    raise UnsupportedPair(f"{type(shapes).__name__}: what need not be convex has no separating axes")


def _fixed(faces: Floats, face_index: Ints, edges: Floats, edge_index: Ints) -> AxisFeatures:
    """Features of shapes that all have equally many, in opposite pairs."""
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
    # A face of zero width goes by the first edge beside it.
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


# Numbers in the largest intermediate array.
_BLOCK = 1 << 21

_FLAT_FACED = (Kind.BOX, Kind.TRIANGLE)
_POLYTOPES = (Capsules, Boxes, Triangles, Hulls)


class AxisSource(IntEnum):
    """What made an axis.

    Attributes
    ----------
    FACE_A
        The normal of a face of A.
    FACE_B
        The normal of a face of B.
    EDGES
        The cross product of an edge of A and an edge of B.
    CLOSEST
        The direction between the closest points, or of least penetration.
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
        It was tested.
    DEGENERATE
        The edge, or the cross product, has no length.
    PARALLEL
        An earlier axis of the pair is parallel to it.
    """

    TESTED = 0
    DEGENERATE = 1  # the feature that would define it has no area or length, or centers coincide
    PARALLEL = 2  # parallel edges have no cross product; in the plane, an earlier axis has this direction


@dataclass(frozen=True)
class CandidateAxes:
    """Axes of many pairs, one row an axis, rows of one pair next to each other.

    Attributes
    ----------
    pair : (C,) int64
        Which pair, as a row of the question.
    axis : (C, 3) float64
        Unit, from A to B: of the two ways the one with the larger gap. Zero where skipped.
    interval_a, interval_b : (C, 2) float64
        Least and greatest of ``axis · x`` over A and over B; infinite for what goes on for ever, NaN where skipped.
    gap : (C,) float64
        Least of B minus greatest of A: minus the overlap where negative. NaN where skipped.
    source : (C,) int8
        `AxisSource`.
    feature_a, feature_b : (C, 2) int64
        `FeatureKind` and index of what made the axis, as in `Separations`; (-1, -1) where a shape had no part in it.
    status : (C,) int8
        `AxisStatus`: tested; zero, as a face has no area or an edge no length; or parallel edges, which have no cross
        product.
    best : (P,) int64
        The row of each pair with the largest gap: the axis that decides.
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
class _Made:
    """Axes of some pairs before they are projected."""

    pair: Ints
    axis: Floats
    source: Ints
    feature_a: Ints
    feature_b: Ints
    mirrored: Bools
    status: Ints


def candidate_axes(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> CandidateAxes:
    """Every candidate axis of each pair of convex shapes, with both projection intervals.

    Boxes and triangles have the textbook's: face normals of both, cross products of their edges (two boxes fifteen
    axes; a box and a triangle thirteen, two triangles eleven, and a triangle three more in its own plane). A hull has
    all its faces, and those edge pairs whose arcs cross on the Gauss map; the others, thousands as a rule, are no
    facets of A - B. Round shapes have the directions of their features, and every pair that is not of boxes and
    triangles has the closest direction besides (of overlapping pairs, the direction of least penetration). Boxes and
    triangles have it where all their axes show less than the one that `separating_axis` names: triangles in one plane,
    and edges all but parallel. Against a half-space or a plane there is but its normal.

    Parameters
    ----------
    a, b : batch of shapes or World
        The N shapes of A and the M shapes of B. Without `pairs` they go row by row, and a batch of one goes with every
        row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare.

    Returns
    -------
    CandidateAxes
        One row for each axis, the rows of one pair next to each other.

    Raises
    ------
    UnsupportedPair
        For two unbounded shapes, and for shapes that are not convex.
    ValueError
        If `a` or `b` is no batch of shapes; if `pairs` has the wrong shape or names a row that is not there; without
        `pairs`, if the lengths differ and neither is one.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    >>> axes = ck.candidate_axes(a, ck.Boxes([[3, 0, 0]], [[1, 1, 1]]))
    >>> len(axes.axis), int(axes.gap.argmax())
    (15, 6)
    """
    rows = index_pairs(a, b, pairs)
    found: list[_Made] = []
    for batch_a, index_a, place_a in split(a, rows[:, 0]):
        for batch_b, index_b, place_b in split(b, rows[place_a, 1]):
            if batch_a.kind in UNBOUNDED and batch_b.kind in UNBOUNDED:
                names = f"{type(batch_a).__name__} against {type(batch_b).__name__}"
                raise UnsupportedPair(f"{names}: both are unbounded")
            place = place_a[place_b]
            for made in _candidates(batch_a.take(index_a[place_b]), batch_b.take(index_b)):
                found.append(_Made(place[made.pair], *list(vars(made).values())[1:]))
    if not found:
        return _projected(a, b, rows, _faces(axis_features(Spheres([], [])), AxisSource.FACE_A))
    order = np.argsort(np.concatenate([made.pair for made in found]), kind="stable")
    every = _Made(**{name: np.concatenate([vars(m)[name] for m in found])[order] for name in vars(found[0])})
    result = _projected(a, b, rows, every)
    # The axis named is one of the others as a rule.
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


def _candidates(a: Shapes, b: Shapes) -> list[_Made]:
    """The axes of each pair of two batches of one kind, row by row."""
    features_a, features_b = axis_features(a), axis_features(b)
    faces_a = _faces(features_a, AxisSource.FACE_A)
    faces_b = _turned(_faces(features_b, AxisSource.FACE_B))
    if {a.kind, b.kind} & {*UNBOUNDED}:
        # Along any axis but its normal an unbounded shape has no end.
        return [faces_a if a.kind in UNBOUNDED else faces_b]
    facets = Kind.HULL in (a.kind, b.kind) and isinstance(a, _POLYTOPES) and isinstance(b, _POLYTOPES)
    edges = _facets(a, b) if facets else _crosses(features_a, features_b)
    count = len(a)
    if {a.kind, b.kind} <= {*_FLAT_FACED}:
        best, one_way = separating_axis(a, b), np.zeros(count, dtype=bool)
        made = np.full(count, AxisSource.CLOSEST), best.feature_a.copy(), best.feature_b.copy(), one_way
        named = _Made(np.arange(count), best.axis, *made, np.full(count, AxisStatus.TESTED))
        return [faces_a, faces_b, edges, named]
    none, source = np.full((count, 2), -1), np.full(count, AxisSource.CLOSEST)
    one_way, tested = np.zeros(count, dtype=bool), np.full(count, AxisStatus.TESTED)
    closest = _Made(np.arange(count), distance(a, b).normal, source, none, none, one_way, tested)
    return [faces_a, faces_b, edges, closest]


def _faces(features: AxisFeatures, source: AxisSource) -> _Made:
    """An axis for each face of each row, named as if the shape were A."""
    pair, face = np.nonzero(features.face_real)
    axis = features.faces[pair, face]
    count = len(pair)
    return _Made(
        pair,
        axis,
        np.full(count, source),
        features.face_names[pair, face],
        np.full((count, 2), -1),
        np.full(count, features.mirrored),
        np.where(axis.any(axis=1), AxisStatus.TESTED, AxisStatus.DEGENERATE),
    )


def _turned(made: _Made) -> _Made:
    """These axes as axes of B, which point the other way."""
    return _Made(made.pair, -made.axis, made.source, made.feature_b, made.feature_a, made.mirrored, made.status)


def _crosses(a: AxisFeatures, b: AxisFeatures) -> _Made:
    """The cross product of each edge direction of A and each of B."""
    pair, i, j = np.nonzero(a.edge_real[:, :, None] & b.edge_real[:, None, :])
    names_a, names_b = a.edge_names[pair, i], b.edge_names[pair, j]
    return _edge_axes(pair, a.edges[pair, i], b.edges[pair, j], names_a, names_b, mirrored=True)


def _facets(a: Shapes, b: Shapes) -> _Made:
    """The cross products of those edges whose arcs on the Gauss map cross."""
    assert isinstance(a, _POLYTOPES) and isinstance(b, _POLYTOPES)
    left, right = polytopes(a), polytopes(b)
    per_pair = 9 * left.edges.shape[1] * right.edges.shape[1]
    step = max(1, _BLOCK // per_pair)
    found = []
    for first in range(0, len(a), step):
        block = np.arange(first, min(first + step, len(a)))
        pair, edge_a, edge_b = crossing_arcs(left.take(block), right.take(block))
        found.append(np.stack([block[pair], edge_a, edge_b]))
    pair, edge_a, edge_b = np.concatenate([np.empty((3, 0), np.int64), *found], axis=1)
    # Padding repeats edges.
    real = (edge_a < left.pool.edges.count[left.geometry[pair]]) & (
        edge_b < right.pool.edges.count[right.geometry[pair]]
    )
    pair, edge_a, edge_b = pair[real], edge_a[real], edge_b[real]
    along_a, outward = _edge(left, pair, edge_a)
    along_b, _ = _edge(right, pair, edge_b)
    made = _edge_axes(pair, along_a, along_b, _named(a, edge_a), _named(b, edge_b), mirrored=False)
    # A facet looks the way of the normals beside its edge on A.
    made.axis[dot(made.axis, outward) < 0.0] *= -1.0
    return made


def _edge(rows: Polytopes, pair: Ints, edge: Ints) -> tuple[Floats, Floats]:
    """Unit direction of an edge, and the sum of the normals beside it."""
    start, end, first, second = rows.edges[pair, edge].T
    along = normalized(rows.vertices[pair, end] - rows.vertices[pair, start], np.zeros(3))
    return along, rows.normals[pair, first] + rows.normals[pair, second]


def _named(shapes: Shapes, edge: Ints) -> Ints:
    """The index of an edge in its shape, of which flat cores have one for each side of each edge."""
    sides = {Kind.CAPSULE: 1, Kind.TRIANGLE: 3}.get(shapes.kind)
    return edge if sides is None else edge % sides


def _edge_axes(pair: Ints, along_a: Floats, along_b: Floats, edge_a: Ints, edge_b: Ints, *, mirrored: bool) -> _Made:
    """Axes from unit edge directions, (K, 3) each."""
    count = len(pair)
    nothing = np.zeros(3)
    cross = error_free.cross_dd(along_a, along_b, nothing, nothing)
    zero = ~(along_a.any(axis=1) & along_b.any(axis=1))
    parallel = dot(cross, cross) <= PARALLEL
    status = np.select([zero, parallel], [int(AxisStatus.DEGENERATE), int(AxisStatus.PARALLEL)], int(AxisStatus.TESTED))
    axis = np.where((status > 0)[:, None], 0.0, normalized(cross, np.zeros(3)))
    feature_a, feature_b = (np.stack([np.full(count, FeatureKind.EDGE), edge], axis=1) for edge in (edge_a, edge_b))
    return _Made(pair, axis, np.full(count, AxisSource.EDGES), feature_a, feature_b, np.full(count, mirrored), status)


def _projected(a: Operand, b: Operand, rows: Ints, made: _Made) -> CandidateAxes:
    """Both intervals on each axis, and which way round it is an axis from A to B."""
    count = len(made.pair)
    shown = np.flatnonzero(made.status == AxisStatus.TESTED)
    interval_a, interval_b = np.full((2, count, 2), np.nan)
    along = made.axis[shown]
    for shapes, side, interval in ((a, 0, interval_a), (b, 1, interval_b)):
        for batch, index, place in split(shapes, rows[made.pair[shown], side]):
            interval[shown[place]] = _interval(batch.take(index), along[place])
    margin = pair_margins(a, b, rows)
    if margin is not None:
        for side, interval in ((0, interval_a), (1, interval_b)):
            interval += margin[made.pair, side, None] * [-1.0, 1.0]
    forward, backward = interval_b[:, 0] - interval_a[:, 1], interval_a[:, 0] - interval_b[:, 1]
    turn = made.mirrored & (backward > forward)
    axis = np.where(turn[:, None], -made.axis, made.axis)
    interval_a, interval_b = (np.where(turn[:, None], -i[:, ::-1], i) for i in (interval_a, interval_b))
    gap = np.where(turn, backward, forward)
    return CandidateAxes(
        made.pair,
        axis,
        interval_a,
        interval_b,
        gap,
        made.source.astype(np.int8),
        np.where(turn[:, None], _opposite(made.feature_a), made.feature_a),
        np.where(turn[:, None], _opposite(made.feature_b), made.feature_b),
        made.status.astype(np.int8),
        smallest_per_group(made.pair, -gap),  # of equal gaps the first: faces come before edges
    )


def _opposite(feature: Ints) -> Ints:
    """The face on the other side, of features of shapes whose faces come in opposite pairs; see `axis_features`."""
    index = np.where((feature[:, 0] == FeatureKind.FACE) & (feature[:, 1] % 2 == 1), feature[:, 1] - 1, feature[:, 1])
    return np.stack([feature[:, 0], index], axis=1)


def _interval(shapes: Shapes, along: Floats) -> Floats:
    """Least and greatest of the shapes along their axes: (N, 2)."""
    if isinstance(shapes, HalfSpaces | Planes):
        # The axis is the shape's own normal, one way round or the other.
        same = dot(shapes.normal, along) > 0.0
        level = np.where(same, shapes.offset, -shapes.offset)
        if isinstance(shapes, Planes):
            return np.stack([level, level], axis=1)
        return np.stack([np.where(same, -np.inf, level), np.where(same, level, np.inf)], axis=1)
    high = dot(support(shapes, along), along)
    low = dot(support(shapes, -along), along)
    return np.stack([low, high], axis=1)
