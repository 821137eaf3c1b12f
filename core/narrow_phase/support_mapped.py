# SPDX-License-Identifier: GPL-3.0-or-later
"""Any two convex shapes, by their support mappings: the generic algorithm for pairs without a special one.

GJK and the expanding polytope algorithm measure the pair (`support_gap`). Their lower and upper bounds may differ, for
example if several separating translations are almost equally short. Then Newton's method searches for the directions of
least overlap (`steepest`). If a face lies over a face or an edge, the contact is a patch. For parallel edges it is a
line segment, and otherwise it is one point.
"""

from typing import Any

import numpy as np

from ..convex.batch_sides import batch_of, proved_distances, proved_overlaps, readable, selected
from ..convex.contact_manifold import supporting_features
from ..convex.manifold import Patch, on_faces, outline_crossings, points_inside
from ..convex.polytopes.placed import Polytopes, polytopes
from ..numerics.tolerances import SUPPORT, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross, dot, length, normalized, perpendicular
from ..results import Contacts, Distances, FeatureKind, Separations, contact_type
from ..shapes import Cylinders, Ellipsoids, SupportMapped
from ..shapes.batch import Rows
from ..shapes.support_mapped import Outline
from .algorithm import PairAlgorithm
from .convex_convex import bounding_axes
from .patch_contacts import OwnContact, contacts_of
from .support_cores import Convex, Core, CoreBlock, core_blocks, cores, places, point_cores
from .support_gap import measured, steepest


def face_patch(
    a: Outline, b: Outline, normal: Floats, size: Floats, flat_a: Polytopes | None, flat_b: Polytopes | None
) -> Patch:
    """All corners of the patch of a face over a face or over an edge.

    The outlines are the supporting features of A along the unit `normal` (P, 3) from A to B, and of B against it. At
    least one is a face. `size` (P,) is that of the pair, for rounding. `flat_a` and `flat_b` are the cores of A and of
    B if they are polytopes.
    """
    count = len(normal)
    side = perpendicular(normal)
    frame = np.stack([side, cross(normal, side), normal], axis=2)
    origin = a.corners[:, :1]
    ours, theirs = (outline.corners - origin for outline in (a, b))
    ours, theirs = ours @ frame, theirs @ frame
    own, other = ours[..., :2], theirs[..., :2]
    within, _, _ = points_inside(other, own, size)
    # Seen along the normal, the outline of B has the opposite orientation.
    covered, _, _ = points_inside(own, other[:, ::-1], size)
    crossing, at = outline_crossings(own, other, size)
    where = other[:, None] + at[..., None] * (np.roll(other, -1, axis=1) - other)[:, None]
    place = np.concatenate([other, own, where.reshape(count, -1, 2)], axis=1)
    valid = np.concatenate([within, covered, crossing.reshape(count, -1)], axis=1)
    base = origin + place @ frame[..., :2].transpose(0, 2, 1)
    top, bottom = _heights(a, ours, place, frame), _heights(b, theirs, place, frame)
    for outline, shape, height, sign in ((a, flat_a, top, 1.0), (b, flat_b, bottom, -1.0)):
        if shape is not None:
            which = valid & (outline.kind == FeatureKind.FACE)[:, None]
            on_faces(shape, which, base, normal, height, sign)
    point = base + ((top + bottom) / 2.0)[..., None] * normal[:, None]
    width_a, width_b = own.shape[1], other.shape[1]
    feature_a = np.concatenate(
        [
            np.repeat(a.feature()[:, None], width_b, axis=1),
            a.corner_feature,
            np.repeat(a.side_feature, width_b, axis=1),
        ],
        axis=1,
    )
    feature_b = np.concatenate(
        [b.corner_feature, np.repeat(b.feature()[:, None], width_a, axis=1), np.tile(b.side_feature, (1, width_a, 1))],
        axis=1,
    )
    return Patch(point, top - bottom, valid, feature_a, feature_b)


def _heights(outline: Outline, corners: Floats, place: Floats, frame: Floats) -> Floats:
    """Height of an outline along the normal over points (P, K, 2) of the plane, (P, K)."""
    run = corners[:, 1] - corners[:, 0]
    square = dot(run[:, :2], run[:, :2])
    along = run[:, :2] * (run[:, 2] / np.where(square > 0.0, square, 1.0))[:, None]
    plane = np.einsum("pij,pi->pj", frame, outline.plane)
    steep = np.where(plane[:, 2] != 0.0, plane[:, 2], 1.0)
    across = -plane[:, :2] / steep[:, None]
    slope = np.where((outline.kind == FeatureKind.FACE)[:, None], across, along)
    slope = np.where((outline.kind == FeatureKind.VERTEX)[:, None], 0.0, slope)
    rise = np.einsum("pki,pi->pk", place - corners[:, :1, :2], slope)
    # The outline is between its lowest and highest corner.
    low, high = corners[..., 2].min(axis=1, keepdims=True), corners[..., 2].max(axis=1, keepdims=True)
    return np.clip(corners[:, :1, 2] + rise, low, high)


def side_by_side(a: Outline, b: Outline) -> Bools:
    """Return which pairs have parallel edges as supporting features, (P,)."""
    run_a, run_b = (of.corners[:, 1] - of.corners[:, 0] for of in (a, b))
    long = length(run_a) * length(run_b)
    parallel = length(cross(run_a, run_b)) <= SUPPORT * long
    edges = (a.kind == FeatureKind.EDGE) & (b.kind == FeatureKind.EDGE)
    result: Bools = edges & parallel & (long > 0.0)
    return result


def edge_patch(a: Outline, b: Outline, normal: Floats) -> Patch:
    """The patch of parallel edges: the ends of their shared part."""
    start, run = a.corners[:, 0], a.corners[:, 1] - a.corners[:, 0]
    ends = dot(b.corners[:, :2] - start[:, None], run[:, None]) / dot(run, run)[:, None]
    t = np.stack([np.maximum(ends.min(axis=1), 0.0), np.minimum(ends.max(axis=1), 1.0)], axis=1)
    on_a = start[:, None] + t[..., None] * run[:, None]
    other = b.corners[:, 1] - b.corners[:, 0]
    u = np.clip(dot(on_a - b.corners[:, :1], other[:, None]) / dot(other, other)[:, None], 0.0, 1.0)
    on_b = b.corners[:, :1] + u[..., None] * other[:, None]
    rise = dot(on_b - on_a, normal[:, None])
    point = on_a + (rise / 2.0)[..., None] * normal[:, None]
    valid = np.repeat((t[:, :1] <= t[:, 1:]), 2, axis=1)
    return Patch(point, -rise, valid, _of_ends(a, t), _of_ends(b, u))


def _of_ends(outline: Outline, t: Floats) -> Ints:
    """Features of points at parameters `t` (P, 2) of edges. End points have the feature of the corner."""
    at = (t[..., None] >= 0.5).astype(np.int64)
    corners = np.take_along_axis(outline.corner_feature[:, :2], at, axis=1)
    is_end = ((t == 0.0) | (t == 1.0))[..., None]
    return np.where(is_end, corners, outline.side_feature[:, :1])


# Directions to the faces, edges and corners of a cube.
_AROUND = np.array([[x, y, z] for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z], dtype=float)

# Patches processed at once, each with up to a thousand corners.
_PATCHES = 128

# In a containment query: the number of tested directions that are refined, and the number of steps.
_FOLLOWED, _STEPS = 8, 6
# Pairs of a containment query that are processed at once, each in all these directions.
_HELD_AT_ONCE = 1024
# Dimensionless: a fraction of the size. Thinner shapes are treated as this thick to choose directions.
_THIN = 1e-6
# Dimensionless: a fraction of the size of a pair. A round shape contains points that are outside by at most this.
_HELD = 1e-12


class SupportMappedPair(PairAlgorithm[Convex, Convex]):
    """Pair queries by GJK and the expanding polytope algorithm."""

    def overlap(self, a: Rows[Convex], b: Rows[Convex]) -> Bools:
        """Whether the shapes of each pair have a point in common, touching included."""
        result, left = proved_overlaps(a, b) if readable(a, b) else (np.empty(len(a), dtype=bool), np.arange(len(a)))
        for block in core_blocks(a.take(left), b.take(left)):
            gap = measured(block.a, block.b, block.offset, 0.0, deep=False)
            result[left[block.rows]] = gap.distance <= gap.slack
        return result

    def distance(self, a: Rows[Convex], b: Rows[Convex]) -> Distances:
        """Signed distance and witness points of each pair."""
        return distances(a, b, None)

    def separating_axis(self, a: Rows[Convex], b: Rows[Convex]) -> Separations:
        """The direction of the closest points of a separated pair, otherwise the direction of least overlap."""
        result, found = Separations.empty(len(a)), distances(a, b, None)
        result.gap[:], result.axis[:] = found.distance, found.normal
        if _touch_in_points(a, b):
            result.feature_a[:], result.feature_b[:] = _features(a, found.normal, 1.0), _features(b, found.normal, -1.0)
            return result
        for block in core_blocks(a.gathered(), b.gathered()):
            outlines = _outlines(block.a, block.b, found.normal[block.rows])
            result.feature_a[block.rows], result.feature_b[block.rows] = (each.feature() for each in outlines)
        return result

    def contacts(self, a: Rows[Convex], b: Rows[Convex], margin: float, known: Distances | None = None) -> Contacts:
        """Contact manifold of each pair that overlaps or is within `margin`."""
        gap = distances(a, b, margin) if known is None else known
        near = np.flatnonzero(gap.distance <= margin + gap.rounding)
        if _touch_in_points(a, b):
            return _own_contacts(selected(a, near), selected(b, near), near, gap.take(near), margin)
        left, right = a.gathered().take(near), b.gathered().take(near)
        flat_a, flat_b = _polytopes(left), _polytopes(right)
        found = []
        for block in core_blocks(left, right):
            rows = near[block.rows]
            middle = (gap.point_a[rows] + gap.point_b[rows]) / 2.0 - block.origin
            faces = _outlines(block.a, block.b, gap.normal[rows], leaning=True)
            level = _outlines(block.a, block.b, gap.normal[rows])
            kinds = (faces[0].kind, faces[1].kind)
            flat = (np.maximum(*kinds) == FeatureKind.FACE) & (np.minimum(*kinds) >= FeatureKind.EDGE)
            beside = ~flat & side_by_side(*level)
            own = OwnContact(
                rows,
                block.origin,
                middle,
                gap.distance[rows],
                gap.normal[rows],
                gap.rounding[rows],
                level[0].feature(),
                level[1].feature(),
            )
            size = block.a.size + block.b.size
            some = np.flatnonzero(flat)
            for first in range(0, len(some), _PATCHES):
                part = some[first : first + _PATCHES]
                cored = (
                    None if shape is None else shape.take(block.rows[part], block.origin[part])
                    for shape in (flat_a, flat_b)
                )
                patch = face_patch(faces[0].take(part), faces[1].take(part), own.normal[part], size[part], *cored)
                found.append(contacts_of(_rounded(patch, block, part, own), own.take(part), margin))
            part = np.flatnonzero(beside)
            if len(part):
                patch = edge_patch(level[0].take(part), level[1].take(part), own.normal[part])
                found.append(contacts_of(_rounded(patch, block, part, own), own.take(part), margin))
            part = np.flatnonzero(~flat & ~beside)
            found.append(contacts_of(_nothing(len(part)), own.take(part), margin))
        return Contacts.joined(found)

    def contains(self, a: Convex, b: Convex) -> Bools:
        """Whether A contains all of B, touching from inside included."""
        flat, cored = _polytopes(a), _polytopes(b)
        result = np.zeros(len(a), dtype=bool)
        for block in core_blocks(a, b, _HELD_AT_ONCE):
            rows = block.rows
            slack = block.slack()
            held, unsure = np.ones((2, len(rows)), dtype=bool)
            faced = np.arange(0) if flat is None else np.flatnonzero(_has_faces(flat, rows))
            if flat is not None and len(faced):
                own = flat.take(rows[faced], block.origin[faced])
                held[faced] = _behind_faces(own, block.b.take(faced), slack[faced])
                # At a sharp edge or tip, a point can be behind all faces within rounding and still be far outside.
                unsure[faced] = own.thin
            asked = np.flatnonzero(held & unsure)
            points = None if cored is None else cored.take(rows[asked], block.origin[asked])
            held[asked] = _held(block.a.take(asked), block.b.take(asked), points, slack[asked])
            result[rows] = held
        return result

    def contained(self, a: Convex, b: Convex) -> Bools:
        """Whether B contains all of A."""
        return self.contains(b, a)


def distances(a: Rows[Convex], b: Rows[Convex], limit: float | None) -> Distances:
    """Distances and witness points. Pairs that are farther apart than the limit are not measured exactly."""
    if readable(a, b):
        result, left = proved_distances(a, b, limit)
    else:
        result, left = Distances.empty(len(a)), np.arange(len(a))
    for block in core_blocks(a.take(left), b.take(left)):
        gap = measured(block.a, block.b, block.offset, limit)
        rows, half, middle = left[block.rows], gap.normal * (gap.distance / 2.0)[:, None], gap.middle + block.origin
        result.distance[rows], result.normal[rows], result.rounding[rows] = gap.distance, gap.normal, gap.slack
        result.point_a[rows], result.point_b[rows] = middle - half, middle + half
    return result


def _touch_in_points(a: Rows[Convex], b: Rows[Convex]) -> bool:
    """Whether a batch is of ellipsoids, which have no faces or edges that could make a patch."""
    return isinstance(batch_of(a), Ellipsoids) or isinstance(batch_of(b), Ellipsoids)


def _own_contacts(a: Rows[Convex], b: Rows[Convex], rows: Ints, gap: Distances, margin: float) -> Contacts:
    """One contact for each pair, midway between its witness points. `rows` are their indices in the query."""
    feature_a, feature_b = _features(a, gap.normal, 1.0), _features(b, gap.normal, -1.0)
    kind, depth = contact_type(feature_a[:, 0], feature_b[:, 0]), np.maximum(-gap.distance, -margin)
    return Contacts(rows, (gap.point_a + gap.point_b) / 2.0, gap.normal, depth, kind, feature_a, feature_b)


def _features(shapes: Rows[Convex], normal: Floats, sign: float) -> Ints:
    """The supporting feature of each shape along its direction (P, 3) times a sign: kind and index, (P, 2)."""
    own: Any = shapes.gathered()
    if not isinstance(own, Cylinders | SupportMapped):
        return supporting_features(shapes, normal, sign)
    found = cores(own, places(own))
    return found.outline(sign * normal, SUPPORT * found.size).feature()


def _outlines(a: Core, b: Core, normal: Floats, *, leaning: bool = False) -> tuple[Outline, Outline]:
    """Supporting features along the normal: level within `tolerances.SUPPORT`, or if `leaning` also slightly tilted."""
    levels = [None if leaning else SUPPORT * of.size for of in (a, b)]
    return a.outline(normal, levels[0]), b.outline(-normal, levels[1])


def _rounded(patch: Patch, block: CoreBlock, rows: Ints, own: OwnContact) -> Patch:
    """Convert a patch of the cores to a patch of the shapes."""
    radius_a, radius_b = block.a.radius[rows], block.b.radius[rows]
    shift = own.normal[rows] * ((radius_a - radius_b) / 2.0)[:, None]
    depth = patch.depth + (radius_a + radius_b)[:, None]
    return Patch(patch.point + shift[:, None], depth, patch.valid, patch.feature_a, patch.feature_b)


def _nothing(count: int) -> Patch:
    """Patches without corners."""
    features = np.zeros((count, 1, 2), dtype=np.int64)
    return Patch(np.zeros((count, 1, 3)), np.zeros((count, 1)), np.zeros((count, 1), dtype=bool), features, features)


def _polytopes(shapes: Convex) -> Polytopes | None:
    """The batch as polytopes with radii, or None for kinds without such a form."""
    if isinstance(shapes, Cylinders | SupportMapped):
        return None
    return polytopes(shapes)


def _has_faces(flat: Polytopes, rows: Ints) -> Bools:
    """Return which of these polytopes have no radius and are bounded by faces."""
    result: Bools = (flat.radius[rows] == 0.0) & (flat.pool.vertices.count[flat.geometry[rows]] > 2)
    return result


def _behind_faces(flat: Polytopes, b: Core, slack: Floats) -> Bools:
    """Whether B is behind all faces of polytopes without a radius, (P,)."""
    axes = bounding_axes(flat)
    count, faces = axes.shape[:2]
    pair = np.repeat(np.arange(count), faces)
    normal = axes.reshape(-1, 3)
    reach = (dot(b.take(pair).support(normal), normal) + b.radius[pair]).reshape(count, faces)
    within = reach <= flat.greatest(axes) + slack[:, None]
    return np.asarray(within.all(axis=1), dtype=np.bool_)


def holds_within(a: Convex, b: Convex, reach: Floats) -> Bools:
    """Whether the signed distance of all points of a round B from A is at most `reach` (P,), which may be negative."""
    result = np.zeros(len(a), dtype=bool)
    for block in core_blocks(a, b, _HELD_AT_ONCE):
        more = reach[block.rows]
        slack = rounding(block.a.size + block.b.size + np.abs(more), block.offset)
        result[block.rows] = _held(block.a, block.b, None, slack + more)
    return result


def _held(a: Core, b: Core, points: Polytopes | None, reach: Floats) -> Bools:
    """Whether B extends beyond A by more than `reach` (P,) along no direction, and no point of B is farther from A.

    The distance of a point from A is a convex function. Its maximum over a polytope is at a vertex. For a round shape,
    steps to the support point of B along the gradient increase the distance.
    """
    if not len(reach):
        return np.zeros(0, dtype=bool)
    ways = np.concatenate([_around(a), _around(b)], axis=1)
    pair = np.repeat(np.arange(len(ways)), ways.shape[1])
    room = _room(a.take(pair), b.take(pair), ways.reshape(-1, 3)).reshape(ways.shape[:2])
    limit = reach + _HELD * (a.size + b.size)
    result = np.asarray(room.min(axis=1) >= -limit, dtype=np.bool_)
    rows = np.flatnonzero(result)
    if not len(rows):
        return result
    a, b, limit = a.take(rows), b.take(rows), limit[rows]
    # The depth of a point inside A only matters if A has a radius, or if that depth is required.
    deep = bool((b.radius > limit).any())
    if points is not None:
        vertices = points.take(rows).vertices
        where, vertex = np.repeat(np.arange(len(rows)), vertices.shape[1]), vertices.reshape(-1, 3)
        gap = measured(a.take(where), point_cores(vertex), np.zeros(len(vertex)), deep=deep)
        result[rows] = gap.distance.reshape(len(rows), -1).max(axis=1) + b.radius <= limit
        return result
    # Three tests: support points of B in many directions, points where A extends least beyond B, and steps from there.
    every = np.repeat(np.arange(len(rows)), ways.shape[1])
    tips = b.take(every).support(ways[rows].reshape(-1, 3))
    gap = measured(a.take(every), point_cores(tips), np.zeros(len(tips)), deep=deep)
    inside = (gap.distance + b.radius[every] <= limit[every]).reshape(len(rows), -1).all(axis=1)
    result[rows] = inside
    rows, limit, a, b = rows[inside], limit[inside], a.take(np.flatnonzero(inside)), b.take(np.flatnonzero(inside))
    best = np.argsort(room[rows], axis=1)[:, :_FOLLOWED]
    pair = np.repeat(np.arange(len(rows)), _FOLLOWED)
    a, b = a.take(pair), b.take(pair)
    normal, _ = steepest(a, b, ways[rows[:, None], best].reshape(-1, 3), within=True)
    far = -_room(a, b, normal)
    for _ in range(_STEPS):
        point = point_cores(b.support(normal))
        gap = measured(a, point, np.zeros(len(normal)), deep=deep)
        far = np.maximum(far, gap.distance + b.radius)
        within = np.flatnonzero(np.isinf(gap.distance))
        normal[within], _ = steepest(a.take(within), point.take(within), normal[within])
        outside = np.flatnonzero(np.isfinite(gap.distance))
        normal[outside] = gap.normal[outside]
    result[rows] = far.reshape(len(rows), _FOLLOWED).max(axis=1) <= limit
    return result


def _around(core: Core) -> Floats:
    """Unit directions (P, K, 3) around cores whose support points are spread over them, however thin the cores are."""
    half, turn = core.box
    half = np.maximum(half, _THIN * half.max(axis=1, keepdims=True, initial=0.0))
    local = _AROUND / np.where(half > 0.0, half, 1.0)[:, None]
    return np.asarray(normalized(local @ turn.transpose(0, 2, 1), np.zeros(3)))


def _room(a: Core, b: Core, normal: Floats) -> Floats:
    """Return how much farther A extends than B along unit directions."""
    return dot(a.support(normal) - b.support(normal), normal) + a.radius - b.radius
