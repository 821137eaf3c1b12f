# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact manifolds of any two convex shapes whose distance, normal and witness points are known.

If the normal is nearly that of a face, the contact is a patch. For two parallel capsules, it is a line segment.
Otherwise it is one point, midway between the witness points. An edge must be significantly better than a face to
determine the contact. Otherwise rounding would decide whether a crate on another crate has four contacts or one.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..numerics import vectors
from ..numerics.tolerances import (
    COPLANAR,
    EPS,
    FACE_ALIGNMENT,
    FACE_DEEPER,
    FACE_DEEPER_SIZE,
    FACE_TIE,
    FACE_TILT,
    PATCH_DEPTH,
    SUPPORT,
    SUPPORT_STEPS,
)
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length, normalized
from ..results import Contacts, FeatureKind, contact_type
from .manifold import Patch, face_patch, named_edges, reduced, segment_patch, supporting_face
from .polytopes import Polytopes

# The supporting face of each shape, and the cosine between its normal and the direction.
_Support = tuple[Ints, Floats]


def manifold(a: Polytopes, b: Polytopes, normal: Floats, distance: Floats, middle: Floats, least: Floats) -> Contacts:
    """Compute the contacts of pairs that are near enough.

    Parameters
    ----------
    a, b : Polytopes
        P rows each. All rows of a side belong to one size class; see `similar_sizes`.
    normal, distance : (P, 3), (P,) float64
        Unit normal from A to B, and the signed distance along it.
    middle : (P, 3) float64
        Midpoint between the witness points: the contact of pairs without a patch.
    least : (P,) float64
        Corners of a patch that are less deep than this are left out. A pair's own contact is always kept.

    Returns
    -------
    Contacts
        A patch has the normal of its face, and the depths along it. The greatest depth is that of the pair, or more
        within `tolerances.FACE_DEEPER` and `FACE_DEEPER_SIZE`.
    """
    count = len(a)
    found = _Found(
        np.zeros((count, 4, 3)),
        np.full((count, 4), -np.inf),
        normal.copy(),
        *np.zeros((2, count, 4, 2), dtype=np.int64),
    )
    face_a, face_b = supporting_face(a, normal), supporting_face(b, -normal)
    found.point[:, 0], found.depth[:, 0] = middle, -distance
    size = a.size + b.size
    left = _by_faces(found, a, b, face_a, face_b, least)
    rest = a.take(left), b.take(left)
    level = SUPPORT_STEPS * EPS * size[left]
    faces = _of(face_a, left), _of(face_b, left)
    found.feature_a[left, 0] = support_feature(rest[0], normal[left], faces[0])
    found.feature_b[left, 0] = support_feature(rest[1], -normal[left], faces[1])
    flat = _level(rest[0], normal[left], faces[0], level), _level(rest[1], -normal[left], faces[1], level)
    for rows, patch in _patches(*rest, normal[left], *faces, flat):
        part = left[rows]
        found.put(part, a, b, *_with_witness(patch, found, part, least[part], PATCH_DEPTH * size[part]))
    order = np.argsort(-found.depth, axis=1, kind="stable")
    at = np.arange(count)[:, None]
    depth = found.depth[at, order]
    pair, corner = np.nonzero(depth > -np.inf)
    chosen = order[pair, corner]
    shown_a = shape_features(a, found.feature_a)[pair, chosen]
    shown_b = shape_features(b, found.feature_b)[pair, chosen]
    return Contacts(
        pair,
        found.point[pair, chosen],
        found.normal[pair],
        depth[pair, corner],
        contact_type(shown_a[:, 0], shown_b[:, 0]),
        shown_a,
        shown_b,
    )


@dataclass
class _Found:
    """Contacts under construction, four per pair. Unused ones have depth minus infinity. The first is the pair's."""

    point: Floats
    depth: Floats
    normal: Floats
    feature_a: Ints
    feature_b: Ints

    def put(self, rows: Ints, a: Polytopes, b: Polytopes, patch: Patch, chosen: Ints) -> None:
        """Replace a pair's own contact by the `chosen` corners (R, 4) of a patch, if there are any.

        An index beyond the corners of the patch is the pair's own contact.
        """
        some = chosen[:, 0] >= 0
        rows, chosen = rows[some], chosen[some]
        at, pick = np.flatnonzero(some)[:, None], np.maximum(chosen, 0)
        witness = chosen == patch.feature_a.shape[1]
        named = np.minimum(pick, patch.feature_a.shape[1] - 1)
        own_a, own_b = self.feature_a[rows, :1], self.feature_b[rows, :1]
        made_a = named_edges(a.take(rows), patch.feature_a[at, named])
        made_b = named_edges(b.take(rows), patch.feature_b[at, named])
        self.point[rows] = patch.point[at, pick]
        self.depth[rows] = np.where(chosen >= 0, patch.depth[at, pick], -np.inf)
        self.feature_a[rows] = np.where(witness[..., None], own_a, made_a)
        self.feature_b[rows] = np.where(witness[..., None], own_b, made_b)


def _of(face: _Support, rows: Ints) -> _Support:
    return face[0][rows], face[1][rows]


def _by_faces(found: _Found, a: Polytopes, b: Polytopes, face_a: _Support, face_b: _Support, least: Floats) -> Ints:
    """Fill in the pairs with a manifold along the normal of a face. Returns the rows of all other pairs.

    A face may be off the pair's own normal by `FACE_TILT`. Its patch must be as deep as the pair and not much deeper.
    If the face is off at all, the patch must have two points. For a single point, the pair's own contact is better.
    """
    count = len(a)
    if a.vertices.shape[1] == 1 or b.vertices.shape[1] == 1:
        return np.arange(count)
    depth = found.depth[:, 0]
    smaller = np.minimum(a.size, b.size)
    # The patch of joined coplanar faces may miss the deepest corner.
    uneven = COPLANAR * sum(np.where(shape.pool.joined[shape.geometry], shape.size, 0.0) for shape in (a, b))
    lowest = depth - FACE_DEEPER * np.maximum(-depth, 0.0) - PATCH_DEPTH * (a.size + b.size) - uneven
    highest = depth + FACE_DEEPER * np.abs(depth) + FACE_DEEPER_SIZE * smaller
    by_b_first = face_b[1] > face_a[1] + FACE_TIE
    # A round side touches a face along the face's own normal, whatever is beyond the face's edge.
    nearest = np.where(a.radius + b.radius > 0.0, 1.0 - FACE_ALIGNMENT, FACE_TILT)
    left, along = np.arange(count), found.normal.copy()
    for turn in (False, True):
        for of_b in (False, True):
            index, cosine = face_b if of_b else face_a
            rows = left[((by_b_first[left] == of_b) != turn) & (cosine[left] >= nearest[left])]
            if not len(rows):
                continue
            shape, other = (b.take(rows), a.take(rows)) if of_b else (a.take(rows), b.take(rows))
            outward = shape.normals[np.arange(len(rows)), index[rows]]
            # The supporting feature along the normal is also the one along the normal of an aligned face.
            facing, tilted = (face_a if of_b else face_b)[0][rows], np.flatnonzero(cosine[rows] < 1.0 - FACE_ALIGNMENT)
            if len(tilted):
                facing[tilted] = supporting_face(other.take(tilted), -outward[tilted])[0]
            patch = face_patch(shape, other, index[rows], outward, facing)
            if of_b:
                outward = -outward
                patch = patch.flipped()
            chosen = reduced(patch, outward, least[rows])
            deepest = np.where(patch.valid, patch.depth, -np.inf).max(axis=1)
            good = (deepest >= lowest[rows]) & (deepest <= highest[rows])
            good &= (chosen[:, 1] >= 0) | (cosine[rows] >= 1.0 - FACE_ALIGNMENT)
            good &= (chosen[:, 0] >= 0) & (dot(outward, along[rows]) >= FACE_TILT)
            found.normal[rows[good]] = outward[good]
            found.put(rows, a, b, patch, np.where(good[:, None], chosen, -1))
            left = np.setdiff1d(left, rows[good], assume_unique=True)
    return left


def _with_witness(patch: Patch, found: _Found, rows: Ints, least: Floats, slack: Floats) -> tuple[Patch, Ints]:
    """A patch and its corners to keep. The pair's own point is added if the patch is less deep than the pair."""
    deepest = np.where(patch.valid, patch.depth, -np.inf).max(axis=1)
    own = found.depth[rows, :1]
    lacking = deepest < own[:, 0] - slack
    whole = Patch(
        np.concatenate([patch.point, found.point[rows, :1]], axis=1),
        np.concatenate([patch.depth, own], axis=1),
        np.concatenate([patch.valid, lacking[:, None]], axis=1),
        patch.feature_a,
        patch.feature_b,
    )
    return whole, reduced(whole, found.normal[rows], least)


def dropped(contacts: Contacts, off: Bools, place: Ints, middle: Floats, depth: Floats, normal: Floats) -> Contacts:
    """Drop the contacts that are `off` (K,). A pair without contacts left gets one midway between its witness points.

    `place` (K,) is the pair of each contact, as an index into the midpoints between the witness points `middle` (P, 3),
    the depths (P,) and the normals (P, 3).
    """
    if not off.any():
        return contacts
    left = np.bincount(place[~off], minlength=len(depth)) > 0
    lone = np.flatnonzero(off & ~left[place])
    lone = lone[np.unique(place[lone], return_index=True)[1]]
    contacts.point[lone], contacts.depth[lone] = middle[place[lone]], depth[place[lone]]
    contacts.normal[lone] = normal[place[lone]]
    return contacts.take(np.flatnonzero(~off | np.isin(np.arange(len(off)), lone)))


def patch_centers(
    a: Polytopes, b: Polytopes, normal: Floats, edge_a: Ints, edge_b: Ints, touch: Floats, slack: Floats
) -> tuple[Floats, Floats, Bools]:
    """The mean of the deepest part of the contact patch of pairs, along their best axis.

    Parameters
    ----------
    a, b : Polytopes
        P rows each. All rows of a side belong to one size class.
    normal : (P, 3) float64
        The axis with the least overlap, or with the largest gap for separated pairs.
    edge_a, edge_b : (P,) int64
        The edges whose cross product is the normal, else -1.
    touch : (P, 3) float64
        A point that both cores contain if they only share boundary points, else NaN.
    slack : (P,) float64
        Corners of a patch within this of the greatest depth are equally deep.

    Returns
    -------
    point : (P, 3) float64
        Midway between the two surfaces.
    depth : (P,) float64
        Along the normal.
    known : (P,) bool
        Whether the point lies on both surfaces within rounding.

    Notes
    -----
    Seen along the normal, the supporting features of A and of B have a common point if no axis has less overlap. A face
    is the supporting feature if it is level within rounding. Otherwise an edge or a corner of it lies farther. If
    neither a face nor two edges determine the point, it is not known.
    """
    level = SUPPORT_STEPS * EPS * (a.size + b.size)
    face_a, face_b = supporting_face(a, normal, level), supporting_face(b, -normal, level)
    flat = _level(a, normal, face_a, level), _level(b, -normal, face_b, level)
    top, bottom = _levels(a, b, normal)
    depth = top - bottom
    point, known = _edge_points(a, b, normal, (edge_a, edge_b), (top - a.radius, bottom + b.radius), touch, level)
    for rows, patch in _patches(a, b, normal, face_a, face_b, flat):
        deepest = np.where(patch.valid, patch.depth, -np.inf).max(axis=1)
        deep = patch.valid & (patch.depth >= (deepest - slack[rows])[:, None])
        share = deep / np.maximum(deep.sum(axis=1), 1)[:, None]
        center = np.einsum("pk,pki->pi", share, patch.point)
        some = deep.any(axis=1) & (deepest >= depth[rows] - level[rows])
        point[rows[some]], known[rows[some]] = center[some], True
    # Move the point to the mid-height of the pair. The height of a corner differs from it by rounding.
    return point + normal * ((top + bottom) / 2.0 - dot(point, normal))[:, None], depth, known


def refined_normals(a: Polytopes, b: Polytopes, normal: Floats, edge_a: Ints, edge_b: Ints) -> Floats:
    """Recompute normals that are cross products of edges in higher precision. Keeps those with less overlap."""
    rows = np.flatnonzero((edge_a >= 0) & (edge_b >= 0))
    if not len(rows):
        return normal
    a, b, result, at = a.take(rows), b.take(rows), normal.copy(), np.arange(len(rows))[:, None]
    runs = []
    for shape, edge in ((a, edge_a), (b, edge_b)):
        ends = shape.vertices[at, shape.edges[at[:, 0], edge[rows]][:, :2]]
        runs.append(vectors.two_diff(ends[:, 1], ends[:, 0]))
    (run_a, lacking_a), (run_b, lacking_b) = runs
    axis = normalized(vectors.cross_dd(run_a, run_b, lacking_a, lacking_b), normal[rows])
    axis *= np.where(dot(axis, normal[rows]) < 0.0, -1.0, 1.0)[:, None]
    before, after = (np.subtract(*_levels(a, b, along)) for along in (normal[rows], axis))
    result[rows] = np.where((after < before)[:, None], axis, normal[rows])
    return result


def _levels(a: Polytopes, b: Polytopes, normal: Floats) -> tuple[Floats, Floats]:
    """Height of A's farthest point along the normal, and of B's against it, radii included."""
    along = normal[:, :, None]
    top = np.matmul(a.vertices, along)[:, :, 0].max(axis=1) + a.radius
    return top, np.matmul(b.vertices, along)[:, :, 0].min(axis=1) - b.radius


def _level(shape: Polytopes, direction: Floats, face: _Support, slack: Floats) -> Bools:
    """Whether all corners of the face are as far along the direction as the support point, within the slack."""
    exists = face[1] >= FACE_TILT
    rows = np.flatnonzero(exists)
    if len(rows):
        part, along = shape.take(rows), direction[rows, :, None]
        outline = part.polygon(face[0][rows])[0]
        highest = np.matmul(part.vertices, along)[:, :, 0].max(axis=1)
        exists[rows] = np.matmul(outline, along)[:, :, 0].min(axis=1) >= highest - slack[rows]
    return exists


def _edge_points(
    a: Polytopes,
    b: Polytopes,
    normal: Floats,
    edges: tuple[Ints, Ints],
    ends: tuple[Floats, Floats],
    touch: Floats,
    level: Floats,
) -> tuple[Floats, Bools]:
    """The common point of the cores, or the crossing of the two edges that determine the axis; and whether it is known.

    `ends` are the height of A's core along the normal, and that of B's core against it.
    """
    (edge_a, edge_b), (top, bottom) = edges, ends
    at = np.arange(len(top))[:, None]
    start_a, run_a, start_b, run_b = (
        vector
        for shape, edge in ((a, edge_a), (b, edge_b))
        for ends in (shape.vertices[at, shape.edges[at[:, 0], np.maximum(edge, 0)][:, :2]],)
        for vector in (ends[:, 0], ends[:, 1] - ends[:, 0])
    )
    # Seen along the normal, the two edges cross. For nearly parallel edges, take a point of their common part.
    between, along_a, along_b = (v - dot(v, normal)[:, None] * normal for v in (start_b - start_a, run_a, run_b))
    across = np.cross(along_b, normal)
    t = _share(dot(between, across), dot(along_a, across))
    u = _share(dot(t[:, None] * along_a - between, along_b), dot(along_b, along_b))
    t = _share(dot(between + u[:, None] * along_b, along_a), dot(along_a, along_a))
    on_a, on_b = start_a + t[:, None] * run_a, start_b + u[:, None] * run_b
    off = length(t[:, None] * along_a - between - u[:, None] * along_b)
    off = np.maximum(off, np.maximum(top - dot(on_a, normal), dot(on_b, normal) - bottom))
    crossed = (edge_a >= 0) & (edge_b >= 0) & (off <= level)
    single_a, single_b = a.vertices.shape[1] == 1, b.vertices.shape[1] == 1
    point = (on_a + on_b) / 2.0
    if single_a or single_b:
        # The core of a sphere is its center.
        point = a.vertices[:, 0] if single_a else b.vertices[:, 0]
        crossed = np.ones(len(point), dtype=bool)
    touching = ~np.isnan(touch[:, 0])
    return np.where(touching[:, None], touch, point), crossed | touching


def _share(part: Floats, whole: Floats) -> Floats:
    """The ratio of part and whole, clipped to 0 and 1; 0 if the whole is 0."""
    return np.clip(part / np.where(whole != 0.0, whole, 1.0), 0.0, 1.0)


def _patches(
    a: Polytopes, b: Polytopes, normal: Floats, face_a: _Support, face_b: _Support, flat: tuple[Bools, Bools]
) -> Iterator[tuple[Ints, Patch]]:
    """The contact patches along the pairs' own normals: rows and patches, with A and B in the order of the pairs.

    `flat` tells which of the faces are level, seen along the normal. If both are, the better aligned one is used. A
    sphere touches in one point, which is already known.
    """
    if a.vertices.shape[1] == 1 or b.vertices.shape[1] == 1:
        return
    by_a = flat[0] & ~(flat[1] & (face_b[1] > face_a[1]))
    by_b = flat[1] & ~by_a
    rows = np.flatnonzero(by_a)
    if len(rows):
        yield rows, face_patch(a.take(rows), b.take(rows), face_a[0][rows], normal[rows])
    rows = np.flatnonzero(by_b)
    if len(rows):
        yield rows, face_patch(b.take(rows), a.take(rows), face_b[0][rows], -normal[rows]).flipped()
    if a.vertices.shape[1] == 2 and b.vertices.shape[1] == 2:
        rows = np.flatnonzero(~by_a & ~by_b & _side_by_side(a, b, normal))
        if len(rows):
            yield rows, segment_patch(a.take(rows), b.take(rows), normal[rows])


def _side_by_side(a: Polytopes, b: Polytopes, normal: Floats) -> Bools:
    """Whether two segments are parallel, have a length, and are perpendicular to the normal."""
    run_a, run_b = (shape.vertices[:, 1] - shape.vertices[:, 0] for shape in (a, b))
    size_a, size_b = dot(run_a, run_a), dot(run_b, run_b)
    cross = np.cross(run_a, run_b)
    return (
        (size_a > 0.0)
        & (size_b > 0.0)
        & (dot(cross, cross) <= SUPPORT**2 * size_a * size_b)
        & (dot(run_a, normal) ** 2 <= SUPPORT**2 * size_a)
    )


def support_feature(shape: Polytopes, direction: Floats, support: _Support) -> Ints:
    """The supporting feature of each core along its direction: face, edge or vertex, (P, 2).

    `support` is the `supporting_face`.
    """
    face, cosine = support
    level = np.matmul(shape.vertices, direction[:, :, None])[:, :, 0]
    on_top = level >= (level.max(axis=1) - SUPPORT * shape.size)[:, None]
    at = np.arange(len(shape))[:, None]
    edges = shape.edges
    # A flat box has edges of length zero, which are vertices.
    long = (shape.vertices[at, edges[..., 0]] != shape.vertices[at, edges[..., 1]]).any(axis=2)
    both = on_top[at, edges[..., 0]] & on_top[at, edges[..., 1]] & long
    result = np.empty((len(shape), 2), dtype=np.int64)
    flat, edge = cosine >= 1.0 - FACE_ALIGNMENT, both.any(axis=1)
    result[:, 0] = np.where(flat, FeatureKind.FACE, np.where(edge, FeatureKind.EDGE, FeatureKind.VERTEX))
    result[:, 1] = np.where(flat, face, np.where(edge, both.argmax(axis=1), level.argmax(axis=1)))
    return result


def shape_features(shape: Polytopes, feature: Ints) -> Ints:
    """Convert features of cores (P, K, 2) to features of the shapes.

    A vertex of a hull gets its index in the hull's input. The round surface around a point is a face. A capsule's side
    is an edge, and its caps are faces (Lee 2018, section 13.2.5).
    """
    result = feature.copy()
    names = shape.pool.names.padded(shape.geometry)
    vertex = feature[..., 0] == FeatureKind.VERTEX
    named = np.take_along_axis(names, np.where(vertex, feature[..., 1], 0), axis=1)
    result[..., 1] = np.where(vertex, named, feature[..., 1])
    rounded = (shape.radius > 0.0)[:, None]
    result[..., 0] = np.where(vertex & rounded, FeatureKind.FACE, feature[..., 0])
    return result
