# SPDX-License-Identifier: GPL-3.0-or-later
"""Any two bounded convex shapes: spheres, capsules, boxes and hulls, through their cores.

GJK measures cores that are apart; the separating axis test decides and measures those that are not, or too close for
GJK to say. Radii are subtracted and added afterwards. Everything is computed in a frame at A's place, so that scenes
far from the origin keep their precision.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..gjk import closest
from ..manifold import Patch, face_patch, named_edges, reduced, segment_patch, supporting_face
from ..polytopes import Polytopes, polytopes
from ..results import Bools, Contacts, ContactType, Distances, FeatureKind, Floats, Ints, Separations
from ..sat import best_facet
from ..shapes import Boxes, Capsules, Hulls, Spheres, Triangles
from ..tolerances import FACE_ALIGNMENT, NEAR, SUPPORT, rounding
from ..vectors import dot, length, normalised

Convex = Spheres | Capsules | Boxes | Triangles | Hulls

# Numbers in the largest intermediate array of a block: about 16 MB of float64, which stays near the caches.
_BLOCK = 1 << 21
_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class _Gap:
    """How the two shapes of each pair stand, in the frame at A's place."""

    distance: Floats  # signed, radii included
    normal: Floats
    point_a: Floats  # the closest points of the cores, where not `inside`
    point_b: Floats
    apart: Bools  # the cores are apart, and GJK measured by how much
    inside: Bools  # the cores share more than a boundary, and have no closest points
    edge_a: Ints  # the edges that made the normal where the cores overlap and no face made it, else -1
    edge_b: Ints
    slack: Floats  # rounding of this pair


def overlap(a: Convex, b: Convex) -> Bools:
    """Whether the shapes of each pair have a point in common, touching included."""
    result = np.zeros(len(a), dtype=bool)
    for rows, left, right, _ in _blocks(a, b):
        gap = _gap(left, right, _offset(a, b, rows))
        result[rows] = gap.distance <= gap.slack
    return result


def distance(a: Convex, b: Convex) -> Distances:
    """Signed distance and witnesses of each pair."""
    result = Distances.empty(len(a))
    for rows, left, right, origin in _blocks(a, b):
        gap = _gap(left, right, _offset(a, b, rows))
        middle = _middle(left, right, gap)
        half = gap.normal * (gap.distance / 2.0)[:, None]
        result.distance[rows], result.normal[rows], result.rounding[rows] = gap.distance, gap.normal, gap.slack
        result.point_a[rows], result.point_b[rows] = origin + (middle - half), origin + (middle + half)
    return result


def separating_axis(a: Convex, b: Convex) -> Separations:
    """The axis with the largest gap: the closest direction of a pair that is apart, else that of least overlap."""
    count = len(a)
    result = Separations(
        np.empty(count), np.empty((count, 3)), np.empty((count, 2), np.int64), np.empty((count, 2), np.int64)
    )
    for rows, left, right, _ in _blocks(a, b):
        gap = _gap(left, right, _offset(a, b, rows))
        result.gap[rows], result.axis[rows] = gap.distance, gap.normal
        result.feature_a[rows] = shown_features(left, _support_feature(left, gap.normal)[:, None])[:, 0]
        result.feature_b[rows] = shown_features(right, _support_feature(right, -gap.normal)[:, None])[:, 0]
    return result


def contacts(a: Convex, b: Convex, margin: float) -> Contacts:
    """Contact manifold of each pair that overlaps, or is no farther apart than `margin`."""
    found = []
    for rows, left, right, origin in _blocks(a, b):
        gap = _gap(left, right, _offset(a, b, rows))
        near = np.flatnonzero(gap.distance <= margin + gap.slack)
        if len(near):
            part = _manifold(left.take(near), right.take(near), _rows(gap, near), margin)
            found.append(
                Contacts(
                    rows[near][part.pair],
                    part.point + origin[near][part.pair],
                    part.normal,
                    part.depth,
                    part.type,
                    part.feature_a,
                    part.feature_b,
                )
            )
    return Contacts.joined(found)


def contains(a: Convex, b: Convex) -> Bools:
    """Whether A holds all of B, touching from inside included."""
    result = np.zeros(len(a), dtype=bool)
    for rows, left, right, _ in _blocks(a, b):
        slack = rounding(left.size + right.size, _offset(a, b, rows))
        polytope = ~np.isin(left.pool.vertices.count[left.geometry], (1, 2))
        # Inside a polytope: behind every face. Around a point or segment: no vertex farther than the radius allows.
        reach = np.matmul(left.normals, right.vertices.transpose(0, 2, 1)).max(axis=2) + right.radius[:, None]
        edge = np.matmul(left.normals, left.vertices.transpose(0, 2, 1)).max(axis=2)
        behind = (reach <= edge + slack[:, None]).all(axis=1)
        start, along = left.vertices[:, :1], left.vertices[:, -1:] - left.vertices[:, :1]
        square = dot(along, along)
        t = np.clip(dot(right.vertices - start, along) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
        far = length(right.vertices - start - t[..., None] * along).max(axis=1)
        within = far + right.radius <= left.radius + slack
        result[rows] = np.where(polytope, behind, within)
    return result


def contained(a: Convex, b: Convex) -> Bools:
    """Whether B holds all of A."""
    return contains(b, a)


def _blocks(a: Convex, b: Convex) -> Iterator[tuple[Ints, Polytopes, Polytopes, Floats]]:
    """Blocks of pairs of like size: their rows, A and B in the frame at A's place, and that place in the world."""
    left, right = polytopes(a), polytopes(b)
    cost_a, cost_b = _cost(left), _cost(right)
    group = cost_a * 64 + cost_b
    for key in np.unique(group):
        rows = np.flatnonzero(group == key)
        largest = (1 << int(cost_a[rows[0]])) * (1 << int(cost_b[rows[0]]))
        step = max(1, _BLOCK // (9 * largest))
        for first in range(0, len(rows), step):
            block = rows[first : first + step]
            origin = left.translation[block]
            yield block, left.take(block, origin), right.take(block, origin), origin


def _cost(shapes: Polytopes) -> Ints:
    """Size class of each row: the binary logarithm of its vertices, points and segments apart from all else."""
    result: Ints = np.ceil(np.log2(shapes.pool.vertices.count)).astype(np.int64)[shapes.geometry]
    return result


def _offset(a: Convex, b: Convex, rows: Ints) -> Floats:
    """Distance from the origin of the farther of the two."""
    return np.maximum(_place(a, rows), _place(b, rows))


def _place(shapes: Convex, rows: Ints) -> Floats:
    if isinstance(shapes, Capsules):
        return np.maximum(length(shapes.start[rows]), length(shapes.end[rows]))
    if isinstance(shapes, Triangles):
        return length(shapes.vertices[rows]).max(axis=1)
    return length(shapes.translation[rows] if isinstance(shapes, Hulls) else shapes.center[rows])


def _rows(gap: _Gap, rows: Ints) -> _Gap:
    return _Gap(**{name: value[rows] for name, value in vars(gap).items()})


def _gap(a: Polytopes, b: Polytopes, offset: Floats) -> _Gap:
    """Distance of the cores by GJK, or their depth by SAT, and the radii on top of it."""
    count = len(a)
    size = a.size + b.size
    slack = rounding(size, offset)
    near = closest(a.vertices, b.vertices)
    core, point_a, point_b = near.distance.copy(), near.point_a, near.point_b
    normal = normalised(point_b - point_a, _UP)
    apart, inside = np.ones(count, dtype=bool), near.overlap.copy()
    edge_a, edge_b = np.full((2, count), -1)
    doubtful = np.flatnonzero(near.overlap | (core <= NEAR * size))
    if len(doubtful):
        facets = best_facet(a.take(doubtful), b.take(doubtful))
        # Closer than rounding is overlap; the facet then gives the normal, even of a gap just above zero.
        together = facets.gap <= np.where(near.overlap[doubtful], np.inf, slack[doubtful])
        meet = doubtful[together]
        apart[meet] = False
        core[meet], normal[meet] = facets.gap[together], facets.axis[together]
        # Where they share more than a boundary, GJK's common point may be any of theirs.
        inside[meet] |= facets.gap[together] < -slack[meet]
        edge_a[meet], edge_b[meet] = facets.edge_a[together], facets.edge_b[together]
    radii = a.radius + b.radius
    return _Gap(core - radii, normal, point_a, point_b, apart, inside, edge_a, edge_b, slack)


def _middle(a: Polytopes, b: Polytopes, gap: _Gap) -> Floats:
    """The point midway between the witnesses of each pair."""
    reach = ((a.radius - b.radius) / 2.0)[:, None]
    middle = (gap.point_a + gap.point_b) / 2.0 + gap.normal * reach
    meet = np.flatnonzero(~gap.apart)
    if len(meet):
        middle[meet] = _meeting_points(a.take(meet), b.take(meet), _rows(gap, meet))
    return middle


def _meeting_points(a: Polytopes, b: Polytopes, gap: _Gap) -> Floats:
    """The middle of the deepest part of the contact patch of pairs whose cores overlap."""
    point = _edge_points(a, b, gap)
    for rows, patch in _patches(a, b, gap):
        deepest = np.where(patch.valid, patch.depth, -np.inf).max(axis=1)
        level = patch.valid & (patch.depth >= (deepest - gap.slack[rows])[:, None])
        share = level / np.maximum(level.sum(axis=1), 1)[:, None]
        centre = np.einsum("pk,pki->pi", share, patch.point)
        some = level.any(axis=1)
        # Level to the depth of the pair, from which the corner's own depth differs by rounding.
        point[rows[some]] = centre[some]
    return point


def _edge_points(a: Polytopes, b: Polytopes, gap: _Gap) -> Floats:
    """Where the cores touch, or midway between the closest points of the two edges that are to be parted."""
    along = gap.normal[:, :, None]
    high = np.matmul(a.vertices, along)[:, :, 0]
    low = np.matmul(b.vertices, along)[:, :, 0]
    at = np.arange(len(high))
    on_a = a.vertices[at, high.argmax(axis=1)]
    on_b = b.vertices[at, low.argmin(axis=1)]
    edge_a, edge_b = _edges(a, gap.edge_a, gap.normal), _edges(b, gap.edge_b, -gap.normal)
    crossed = (edge_a >= 0) & (edge_b >= 0)
    ends_a = a.vertices[at[:, None], a.edges[at, np.maximum(edge_a, 0)][:, :2]]
    ends_b = b.vertices[at[:, None], b.edges[at, np.maximum(edge_b, 0)][:, :2]]
    run_a, run_b = ends_a[:, 1] - ends_a[:, 0], ends_b[:, 1] - ends_b[:, 0]
    # Seen along the normal the two edges cross; solve there for the place on A's edge.
    across = np.cross(run_b, gap.normal)
    scale = dot(run_a, across)
    t = np.clip(dot(ends_b[:, 0] - ends_a[:, 0], across) / np.where(scale != 0.0, scale, 1.0), 0.0, 1.0)
    on_edge = ends_a[:, 0] + t[:, None] * run_a
    # Without edges: the support point of the simpler shape, which is the one that pierces the other.
    pierces = on_b if b.vertices.shape[1] < a.vertices.shape[1] else on_a
    deep = np.where(crossed[:, None], on_edge, pierces)
    start = np.where(gap.inside[:, None], deep, (gap.point_a + gap.point_b) / 2.0)
    # From there to midway between the two support planes, radii included.
    level = (high.max(axis=1) + a.radius + low.min(axis=1) - b.radius) / 2.0
    return start + gap.normal * (level - dot(start, gap.normal))[:, None]


def _edges(shape: Polytopes, edge: Ints, direction: Floats) -> Ints:
    """The edges given, and where there is none (-1) the one that lies farthest along the direction, if one does."""
    feature = _support_feature(shape, direction)
    found = np.where(feature[:, 0] == FeatureKind.EDGE, feature[:, 1], -1)
    return np.where(edge >= 0, edge, found)


def _patches(a: Polytopes, b: Polytopes, gap: _Gap) -> Iterator[tuple[Ints, Patch]]:
    """The contact patches of the pairs that have one: their rows, and the patch with A and B in the pairs' order.

    A ball touches in one point, which is known already.
    """
    if a.vertices.shape[1] == 1 or b.vertices.shape[1] == 1:
        return
    face_a, cosine_a = supporting_face(a, gap.normal)
    face_b, cosine_b = supporting_face(b, -gap.normal)
    least = 1.0 - FACE_ALIGNMENT
    by_a = (cosine_a >= least) & (cosine_a >= cosine_b)
    by_b = (cosine_b >= least) & ~by_a
    rows = np.flatnonzero(by_a)
    if len(rows):
        patch = face_patch(a.take(rows), b.take(rows), face_a[rows], gap.normal[rows])
        yield rows, patch
    rows = np.flatnonzero(by_b)
    if len(rows):
        patch = face_patch(b.take(rows), a.take(rows), face_b[rows], -gap.normal[rows])
        yield rows, Patch(patch.point, patch.depth, patch.valid, patch.feature_b, patch.feature_a)
    if a.vertices.shape[1] == 2 and b.vertices.shape[1] == 2:
        rows = np.flatnonzero(~by_a & ~by_b & _side_by_side(a, b, gap.normal))
        if len(rows):
            yield rows, segment_patch(a.take(rows), b.take(rows), gap.normal[rows])


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


def _manifold(a: Polytopes, b: Polytopes, gap: _Gap, margin: float) -> Contacts:
    """Contacts of pairs that are near enough, in the frame of the pairs."""
    count = len(a)
    point, depth = np.zeros((count, 4, 3)), np.full((count, 4), -np.inf)
    feature_a, feature_b = np.zeros((2, count, 4, 2), dtype=np.int64)
    point[:, 0], depth[:, 0] = _middle(a, b, gap), -gap.distance
    feature_a[:, 0], feature_b[:, 0] = _support_feature(a, gap.normal), _support_feature(b, -gap.normal)
    least = -(margin + gap.slack)
    for rows, patch in _patches(a, b, gap):
        chosen = reduced(patch, gap.normal[rows], least[rows])
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
        gap.normal[pair],
        np.maximum(depth[pair, corner], -margin),
        contact_type(shown_a[:, 0], shown_b[:, 0]),
        shown_a,
        shown_b,
    )


def _support_feature(shape: Polytopes, direction: Floats) -> Ints:
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
