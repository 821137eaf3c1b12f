# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact manifolds of any two convex shapes whose distance, normal and witnesses are known.

Where the normal is that of a face the contact is a patch, and of two capsules side by side a stretch; everywhere else
it is one point, midway between the witnesses.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..manifold import Patch, face_patch, named_edges, reduced, segment_patch, supporting_face
from ..polytopes import Polytopes
from ..results import Bools, Contacts, ContactType, FeatureKind, Floats, Ints
from ..tolerances import FACE_ALIGNMENT, SUPPORT
from ..vectors import dot


def manifold(a: Polytopes, b: Polytopes, normal: Floats, distance: Floats, middle: Floats, least: Floats) -> Contacts:
    """Contacts of pairs that are near enough.

    Parameters
    ----------
    a, b : Polytopes
        P rows each, of one size class on either side; see `like_sizes`.
    normal, distance : (P, 3), (P,) float64
        Unit, from A to B, and the signed distance along it.
    middle : (P, 3) float64
        Midway between the witnesses: the contact of pairs without a patch.
    least : (P,) float64
        Corners of a patch that are less deep than this are left out; a pair's own point never is.
    """
    count = len(a)
    point, depth = np.zeros((count, 4, 3)), np.full((count, 4), -np.inf)
    feature_a, feature_b = np.zeros((2, count, 4, 2), dtype=np.int64)
    point[:, 0], depth[:, 0] = middle, -distance
    feature_a[:, 0], feature_b[:, 0] = support_feature(a, normal), support_feature(b, -normal)
    for rows, patch in _patches(a, b, normal):
        chosen = reduced(patch, normal[rows], least[rows])
        some = chosen[:, 0] >= 0
        at, pick = np.arange(len(rows))[:, None], np.maximum(chosen, 0)
        filled = rows[some]
        point[filled] = patch.point[at, pick][some]
        depth[filled] = np.where(chosen >= 0, patch.depth[at, pick], -np.inf)[some]
        feature_a[filled] = named_edges(a.take(rows), patch.feature_a[at, pick])[some]
        feature_b[filled] = named_edges(b.take(rows), patch.feature_b[at, pick])[some]
    order = np.argsort(-depth, axis=1, kind="stable")
    at = np.arange(count)[:, None]
    point, depth = point[at, order], depth[at, order]
    feature_a, feature_b = feature_a[at, order], feature_b[at, order]
    pair, corner = np.nonzero(depth > -np.inf)
    shown_a = shown_features(a, feature_a)[pair, corner]
    shown_b = shown_features(b, feature_b)[pair, corner]
    return Contacts(
        pair,
        point[pair, corner],
        normal[pair],
        depth[pair, corner],
        contact_type(shown_a[:, 0], shown_b[:, 0]),
        shown_a,
        shown_b,
    )


def meeting_points(
    a: Polytopes, b: Polytopes, normal: Floats, edge_a: Ints, edge_b: Ints, touch: Floats, slack: Floats
) -> Floats:
    """The middle of the deepest part of the contact patch of pairs whose cores overlap: (P, 3).

    Parameters
    ----------
    a, b : Polytopes
        P rows each, of one size class on either side.
    normal : (P, 3) float64
    edge_a, edge_b : (P,) int64
        The edges whose cross product the normal is, else -1.
    touch : (P, 3) float64
        A point that the cores share if they share no more than their boundaries, else NaN.
    slack : (P,) float64
        Corners of a patch that are deeper by no more than this are equally deep.
    """
    point = _edge_points(a, b, normal, edge_a, edge_b, touch)
    for rows, patch in _patches(a, b, normal):
        deepest = np.where(patch.valid, patch.depth, -np.inf).max(axis=1)
        level = patch.valid & (patch.depth >= (deepest - slack[rows])[:, None])
        share = level / np.maximum(level.sum(axis=1), 1)[:, None]
        centre = np.einsum("pk,pki->pi", share, patch.point)
        some = level.any(axis=1)
        # Level to the depth of the pair, from which the corner's own depth differs by rounding.
        point[rows[some]] = centre[some]
    return point


def _edge_points(a: Polytopes, b: Polytopes, normal: Floats, edge_a: Ints, edge_b: Ints, touch: Floats) -> Floats:
    """Where the cores touch, or midway between the closest points of the two edges that are to be parted."""
    along = normal[:, :, None]
    high = np.matmul(a.vertices, along)[:, :, 0]
    low = np.matmul(b.vertices, along)[:, :, 0]
    at = np.arange(len(high))
    on_a = a.vertices[at, high.argmax(axis=1)]
    on_b = b.vertices[at, low.argmin(axis=1)]
    edge_a, edge_b = _edges(a, edge_a, normal), _edges(b, edge_b, -normal)
    crossed = (edge_a >= 0) & (edge_b >= 0)
    ends_a = a.vertices[at[:, None], a.edges[at, np.maximum(edge_a, 0)][:, :2]]
    ends_b = b.vertices[at[:, None], b.edges[at, np.maximum(edge_b, 0)][:, :2]]
    run_a, run_b = ends_a[:, 1] - ends_a[:, 0], ends_b[:, 1] - ends_b[:, 0]
    # Seen along the normal the two edges cross; solve there for the place on A's edge.
    across = np.cross(run_b, normal)
    scale = dot(run_a, across)
    t = np.clip(dot(ends_b[:, 0] - ends_a[:, 0], across) / np.where(scale != 0.0, scale, 1.0), 0.0, 1.0)
    on_edge = ends_a[:, 0] + t[:, None] * run_a
    # Without edges: the support point of the simpler shape, which is the one that pierces the other.
    pierces = on_b if b.vertices.shape[1] < a.vertices.shape[1] else on_a
    deep = np.where(crossed[:, None], on_edge, pierces)
    start = np.where(np.isnan(touch), deep, touch)
    # From there to midway between the two support planes, radii included.
    level = (high.max(axis=1) + a.radius + low.min(axis=1) - b.radius) / 2.0
    return start + normal * (level - dot(start, normal))[:, None]


def _edges(shape: Polytopes, edge: Ints, direction: Floats) -> Ints:
    """The edges given, and where there is none (-1) the one that lies farthest along the direction, if one does."""
    feature = support_feature(shape, direction)
    found = np.where(feature[:, 0] == FeatureKind.EDGE, feature[:, 1], -1)
    return np.where(edge >= 0, edge, found)


def _patches(a: Polytopes, b: Polytopes, normal: Floats) -> Iterator[tuple[Ints, Patch]]:
    """The contact patches of the pairs that have one: their rows, and the patch with A and B in the pairs' order.

    A ball touches in one point, which is known already.
    """
    if a.vertices.shape[1] == 1 or b.vertices.shape[1] == 1:
        return
    face_a, cosine_a = supporting_face(a, normal)
    face_b, cosine_b = supporting_face(b, -normal)
    least = 1.0 - FACE_ALIGNMENT
    by_a = (cosine_a >= least) & (cosine_a >= cosine_b)
    by_b = (cosine_b >= least) & ~by_a
    rows = np.flatnonzero(by_a)
    if len(rows):
        patch = face_patch(a.take(rows), b.take(rows), face_a[rows], normal[rows])
        yield rows, patch
    rows = np.flatnonzero(by_b)
    if len(rows):
        patch = face_patch(b.take(rows), a.take(rows), face_b[rows], -normal[rows])
        yield rows, Patch(patch.point, patch.depth, patch.valid, patch.feature_b, patch.feature_a)
    if a.vertices.shape[1] == 2 and b.vertices.shape[1] == 2:
        rows = np.flatnonzero(~by_a & ~by_b & _side_by_side(a, b, normal))
        if len(rows):
            yield rows, segment_patch(a.take(rows), b.take(rows), normal[rows])


def _side_by_side(a: Polytopes, b: Polytopes, normal: Floats) -> Bools:
    """Whether two segments are parallel, have length, and lie across the normal."""
    run_a, run_b = (shape.vertices[:, 1] - shape.vertices[:, 0] for shape in (a, b))
    size_a, size_b = dot(run_a, run_a), dot(run_b, run_b)
    cross = np.cross(run_a, run_b)
    return (
        (size_a > 0.0)
        & (size_b > 0.0)
        & (dot(cross, cross) <= SUPPORT**2 * size_a * size_b)
        & (dot(run_a, normal) ** 2 <= SUPPORT**2 * size_a)
    )


def support_feature(shape: Polytopes, direction: Floats) -> Ints:
    """The face, edge or vertex of each core that lies farthest along its direction: (P, 2)."""
    face, cosine = supporting_face(shape, direction)
    level = np.matmul(shape.vertices, direction[:, :, None])[:, :, 0]
    on_top = level >= (level.max(axis=1) - SUPPORT * shape.size)[:, None]
    at = np.arange(len(shape))[:, None]
    edges = shape.edges
    # A flat box has edges of no length, which are vertices.
    long = (shape.vertices[at, edges[..., 0]] != shape.vertices[at, edges[..., 1]]).any(axis=2)
    both = on_top[at, edges[..., 0]] & on_top[at, edges[..., 1]] & long
    result = np.empty((len(shape), 2), dtype=np.int64)
    flat, edge = cosine >= 1.0 - FACE_ALIGNMENT, both.any(axis=1)
    result[:, 0] = np.where(flat, FeatureKind.FACE, np.where(edge, FeatureKind.EDGE, FeatureKind.VERTEX))
    result[:, 1] = np.where(flat, face, np.where(edge, both.argmax(axis=1), level.argmax(axis=1)))
    return result


def shown_features(shape: Polytopes, feature: Ints) -> Ints:
    """Features of cores (P, K, 2) as features of the shapes themselves.

    A vertex of a hull goes by its index in the hull's input. The round surface around a point is a face; a capsule's
    side is an edge, as seed 002, section 13.2.5, has it, and its caps are faces.
    """
    result = feature.copy()
    names = shape.pool.names.padded(shape.geometry)
    vertex = feature[..., 0] == FeatureKind.VERTEX
    named = np.take_along_axis(names, np.where(vertex, feature[..., 1], 0), axis=1)
    result[..., 1] = np.where(vertex, named, feature[..., 1])
    rounded = (shape.radius > 0.0)[:, None]
    result[..., 0] = np.where(vertex & rounded, FeatureKind.FACE, feature[..., 0])
    return result


def contact_type(kind_a: Ints, kind_b: Ints) -> NDArray[np.int8]:
    """`ContactType` of contacts between features of these kinds."""
    return _TYPES[kind_a, kind_b]


_TYPES = np.array(
    [
        [ContactType.POINT_POINT, ContactType.POINT_EDGE, ContactType.POINT_FACE],
        [ContactType.POINT_EDGE, ContactType.EDGE_EDGE, ContactType.EDGE_FACE],
        [ContactType.POINT_FACE, ContactType.EDGE_FACE, ContactType.FACE_FACE],
    ],
    dtype=np.int8,
)
