# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact manifolds of polytopes with radii along a given normal.

The reference is a face of one shape. The incident feature is the other shape's most opposed face (or segment, or
point). Seen along the normal, the manifold is the intersection of two convex polygons. Its corners are of three kinds:
corners of the incident polygon inside the reference, corners of the reference inside the incident polygon, and
crossings of the outlines (Lee 2018, sections 13.2.3 to 13.2.6 and 13.4.1). All are computed at once, without stepwise
clipping, so each comes with the two features that determine it.
"""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..geometry.segments import shared_stretch
from ..numerics.tolerances import EPS, PATCH_LEVEL, SUPPORT
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, normalized, perpendicular, to_columns
from ..results import FeatureKind
from .polytopes import Polytopes

Number = TypeVar("Number", np.float64, np.int64)

# Upper bound of vertex numbers. It is used to pack two of them into one number.
_VERTEX_LIMIT = 1 << 31

# Number of roundings by which a corner may be outside an outline and still count as inside. Coordinates in the plane of
# the patch are sums of three products of differences.
_INSIDE_STEPS = 64.0

# Number of heights of vertices above faces that are stored at once.
_HEIGHTS = 1 << 21


@dataclass(frozen=True)
class Patch:
    """All corners of the contact patch of each pair, before the reduction.

    Attributes
    ----------
    point : (P, K, 3) float64
        Midway between the surfaces.
    depth : (P, K) float64
    valid : (P, K) bool
    feature_a, feature_b : (P, K, 2) int64
        `FeatureKind` and index. Vertices and faces have their index. Edges have a number packed from their two
        vertices, which `named_edges` converts to an index.
    """

    point: Floats
    depth: Floats
    valid: Bools
    feature_a: Ints
    feature_b: Ints

    def flipped(self) -> "Patch":
        """The same patch with the features of A and B swapped."""
        return Patch(self.point, self.depth, self.valid, self.feature_b, self.feature_a)


def supporting_face(polytopes: Polytopes, normal: Floats, level: Floats | None = None) -> tuple[Ints, Floats]:
    """The supporting face along `normal` (P, 3), and the cosine of its normal with it; -1 and -1 if there is no face.

    This is the face with the most vertices on the support plane. Ties go to the most aligned face. If shapes penetrate
    deeply, the most aligned of all faces may be away from the contact. Of a group of coplanar faces, the representative
    is returned. Vertices within `level` (P,) of a plane are on it; None stands for `tolerances.SUPPORT` of the size.
    """
    at = np.arange(len(normal))
    width = polytopes.vertices.shape[1]
    slack = (SUPPORT * polytopes.size if level is None else level)[:, None]
    level = np.matmul(polytopes.vertices, normal[:, :, None])[:, :, 0]
    on_top = level >= level.max(axis=1, keepdims=True) - slack
    on_top &= np.arange(width) < polytopes.pool.vertices.count[polytopes.geometry][:, None]
    shared = _shared(polytopes, on_top, slack)
    cosine = np.matmul(polytopes.normals, normal[:, :, None])[:, :, 0]
    real = np.arange(cosine.shape[1]) < polytopes.pool.faces[polytopes.geometry][:, None]
    # A cosine is at most one, so a quarter of it never outweighs an additional vertex.
    face = np.argmax(np.where(real, shared + cosine / 4.0, -1.0), axis=1)
    exists = real[:, 0]
    place = np.where(exists, polytopes.pool.first_polygon[polytopes.geometry] + face, 0)
    face = np.where(exists, polytopes.pool.representative[place], -1)
    return face, np.where(exists, cosine[at, face], -1.0)


def _shared(polytopes: Polytopes, on_top: Bools, slack: Floats) -> Ints:
    """Number of the vertices `on_top` (P, V) that are on the plane of each face within the slack (P, 1), (P, F)."""
    count = np.count_nonzero(on_top, axis=1)
    # Sort these vertices to the front, so that no others are tested.
    first = np.argsort(~on_top, axis=1, kind="stable")[:, : count.max(initial=1)]
    chosen = np.take_along_axis(polytopes.vertices, first[..., None], axis=1).transpose(1, 0, 2)[..., None]
    counts = np.arange(len(chosen))[:, None] < count
    least = polytopes.heights - slack
    shared = np.zeros(least.shape, dtype=np.int64)
    step = max(1, _HEIGHTS // max(1, least.size))
    for some in (slice(begin, begin + step) for begin in range(0, len(chosen), step)):
        heights = np.matmul(polytopes.normals, chosen[some])[..., 0]
        shared += np.count_nonzero((heights >= least) & counts[some, :, None], axis=0)
    return shared


def face_patch(
    reference: Polytopes, incident: Polytopes, face: Ints, normal: Floats, facing: Ints | None = None
) -> Patch:
    """The patch of pairs whose normal is that of a face of `reference`, which is shape A of the result.

    Parameters
    ----------
    reference, incident : Polytopes
        P rows each. The incident cores may also be segments and points.
    face : (P,) int64
        The reference face.
    normal : (P, 3) float64
        Unit normal from the reference to the incident shape.
    facing : (P,) int64, optional
        The incident face, if known: the `supporting_face` against the normal.
    """
    count = len(reference)
    outline, outline_vertex = reference.polygon(face)
    other, other_vertex, other_face, outward = _incident(incident, normal, facing)
    side = perpendicular(normal)
    frame = np.stack([side, np.cross(normal, side), normal])
    origin = outline[:, 0]
    ours = _seen(outline - origin[:, None], frame)
    theirs = _seen(other - origin[:, None], frame)
    slope = _seen(outward[:, None], frame)[:, 0]
    ours, own, theirs, height = ours[..., :2], ours[..., 2], theirs[..., :2], theirs[..., 2]
    top = np.matmul(reference.vertices - origin[:, None], normal[:, :, None])[:, :, 0].max(axis=1)
    scale = reference.size + incident.size

    # Corners of the incident outline inside the reference.
    inside, _, _ = points_inside(theirs, ours, scale)
    # Corners of the reference inside the incident polygon, whose outline has the opposite orientation.
    covered, near, at = points_inside(ours, theirs[:, ::-1], scale)
    covered &= (slope[:, 2] < 0.0)[:, None]
    steep = np.where(slope[:, 2] < 0.0, slope[:, 2], -1.0)[:, None]
    lateral = ours - theirs[:, :1]
    height_at_ours = height[:, :1] - (lateral[..., 0] * slope[:, :1] + lateral[..., 1] * slope[:, 1:2]) / steep
    # On the outline, use the height of the edge: a face parallel to the normal has no unique height there.
    start = height[:, None, ::-1]
    lowest = np.where(near, start + at * (_following(start, 2) - start), np.inf).min(axis=2)
    height_at_ours = np.where(near.any(axis=2), lowest, height_at_ours)
    # Crossings of the two outlines.
    crossing, at = outline_crossings(ours, theirs, scale)
    rise = (_following(height) - height)[:, None, :]
    height_at_crossing = height[:, None, :] + at * rise
    where = theirs[:, None] + at[..., None] * (_following(theirs) - theirs)[:, None]

    flat = np.concatenate([theirs, ours, where.reshape(count, -1, 2)], axis=1)
    level = np.concatenate([height, height_at_ours, height_at_crossing.reshape(count, -1)], axis=1)
    # A joined outline of coplanar faces is not exactly planar. It is between its lowest and its highest corner.
    lowest, highest = height.min(axis=1, keepdims=True), height.max(axis=1, keepdims=True)
    surface = np.minimum(np.maximum(level, lowest), highest) - incident.radius[:, None]
    ceiling = np.empty_like(surface)
    ceiling[:] = (top + reference.radius)[:, None]
    across, up, normals = (_by_pairs(axis)[:, None] for axis in frame)
    base = flat[..., :1] * across + flat[..., 1:] * up + _by_pairs(origin)[:, None]
    valid = np.concatenate([inside, covered, crossing.reshape(count, -1)], axis=1)
    # The heights of a shape's own corners are known.
    their_own, our_own = slice(theirs.shape[1]), slice(theirs.shape[1], theirs.shape[1] + ours.shape[1])
    joined = reference.pool.joined[reference.geometry]
    if joined.any():
        ceiling[joined, our_own] = (own + reference.radius[:, None])[joined]
    for shape, corners, height, sign in ((reference, our_own, ceiling, 1.0), (incident, their_own, surface, -1.0)):
        which = valid & (other_face >= 0)[:, None] if shape is incident else valid.copy()
        which[:, corners] = False
        on_faces(shape, which, base, normal, height, sign)
    base += ((surface + ceiling) / 2.0)[..., None] * normals
    feature_a, feature_b = _features(outline_vertex, other_vertex, face, other_face)
    return Patch(base, ceiling - surface, valid, feature_a, feature_b)


def _by_pairs(rows: Floats) -> Floats:
    """The array with the pairs contiguous in memory, which makes all steps along the first axis fast."""
    return np.ascontiguousarray(rows.T).T


def _seen(vectors: Floats, frame: Floats) -> Floats:
    """Coordinates of vectors (P, K, 3) in a frame (3, P, 3), with the pairs contiguous in memory, (P, K, 3)."""
    x, y, z = np.ascontiguousarray(vectors.transpose(2, 1, 0))
    result = np.empty((3, *x.shape))
    for out, axis in zip(result, frame, strict=True):
        along = axis.T.copy()
        np.multiply(x, along[0], out=out)
        out += y * along[1]
        out += z * along[2]
    return result.transpose(2, 1, 0)


def on_faces(shape: Polytopes, which: Bools, base: Floats, normal: Floats, height: Floats, sign: float = 1.0) -> None:
    """Correct heights over the plane of joined coplanar faces to heights over the faces themselves, in place.

    The corners of patches, ``base + height * normal`` with a height for each (P, K), are over faces where `which` (P,
    K) is true. The faces point along the unit `normal` (P, 3), or against it for a `sign` of -1.
    """
    row, corner = np.nonzero(which & shape.pool.joined[shape.geometry][:, None])
    if not len(row):
        return
    along = normal[row]
    start = base[row, corner] + height[row, corner, None] * along
    rise = shape.surface(row, start, sign * along)
    height[row, corner] += np.where(np.isfinite(rise), sign * rise, 0.0)


def segment_patch(a: Polytopes, b: Polytopes, normal: Floats) -> Patch:
    """The patch of two parallel segments side by side: the ends of their common part."""
    start, other = a.vertices[:, 0], b.vertices[:, 0]
    u, w, v, up = (
        to_columns(part) for part in (a.vertices[:, 1] - start, other - start, b.vertices[:, 1] - other, normal)
    )
    stretch = shared_stretch(u, w, v, up, a.radius, b.radius)
    edge = np.empty((len(a), 2, 2), dtype=np.int64)
    edge[..., 0], edge[..., 1] = FeatureKind.EDGE, 1  # the number of the edge from vertex 0 to vertex 1
    valid = (stretch.depth > -np.inf) & (stretch.length >= 0.0)
    return Patch(start[:, None] + stretch.point.transpose(2, 0, 1), stretch.depth.T, valid.T, edge, edge)


def _incident(incident: Polytopes, normal: Floats, facing: Ints | None) -> tuple[Floats, Ints, Ints, Floats]:
    """Corners and vertex indices of the incident feature, its face, and the normal of the face."""
    face = supporting_face(incident, -normal)[0] if facing is None else facing
    corners = incident.vertices
    vertex = np.broadcast_to(np.arange(corners.shape[1]), corners.shape[:2])
    outward = np.zeros_like(normal)
    exists = face >= 0
    if exists.any():
        chosen = np.maximum(face, 0)
        outline, outline_vertex = incident.polygon(chosen)
        # Some triangles may have collinear corners and no face.
        kept = np.minimum(np.arange(outline.shape[1]), corners.shape[1] - 1)
        corners = np.where(exists[:, None, None], outline, corners[:, kept])
        vertex = np.where(exists[:, None], outline_vertex, vertex[:, kept])
        outward = np.where(exists[:, None], incident.normals[np.arange(len(face)), chosen], 0.0)
    return corners, vertex, face, outward


def _following(values: NDArray[Number], axis: int = 1) -> NDArray[Number]:
    """For each entry the next one along an axis, and for the last the first: a faster `numpy.roll`."""
    ahead: tuple[slice, ...] = (slice(None),) * axis
    return np.concatenate([values[(*ahead, slice(1, None))], values[(*ahead, slice(None, 1))]], axis=axis)


def points_inside(points: Floats, polygon: Floats, size: Floats) -> tuple[Bools, Bools, Floats]:
    """Whether points (P, K, 2) are inside a counter-clockwise polygon (P, M, 2), which may be padded.

    Parameters
    ----------
    size : (P,) float64
        Size of the shapes, for rounding.

    Returns
    -------
    inside : (P, K) bool
        Behind every edge, or within rounding of an edge. The distance from the line of an edge is not used for this:
        near the tip of a sliver, a point may be near to both lines but far from the edges. The bounding box excludes
        points if the polygon is only a segment or a point, as edges of length zero exclude nothing.
    near : (P, K, M) bool
        Which edges are within rounding.
    t : (P, K, M) float64
        Parameter of the nearest point on each edge, 0 to 1.
    """
    x, y, first, second = points[..., 0], points[..., 1], polygon[..., 0], polygon[..., 1]
    along, rise = (_following(of) - of for of in (first, second))
    square = along * along + rise * rise
    along, rise, square = along[:, None], rise[:, None], np.where(square > 0.0, square, 1.0)[:, None]
    over, up = x[:, :, None] - first[:, None], y[:, :, None] - second[:, None]
    t = np.minimum(np.maximum((over * along + up * rise) / square, 0.0), 1.0)
    # Relative to the nearest point of the edge, so that the height is as accurate as the distance from the nearer end.
    over -= t * along
    up -= t * rise
    behind = np.logical_and.reduce(along * up - rise * over >= 0.0, axis=2)
    slack = _INSIDE_STEPS * EPS * size[:, None]
    near = over * over + up * up <= (slack * slack)[:, None]
    for of, corner in ((x, first), (y, second)):
        behind &= of >= corner.min(axis=1)[:, None] - slack
        behind &= of <= corner.max(axis=1)[:, None] + slack
    return behind | near.any(axis=2), near, t


def outline_crossings(ours: Floats, theirs: Floats, size: Floats) -> tuple[Bools, Floats]:
    """Crossings of the edges of two outlines, ends included, (P, M, K), and their parameter on the second's edge.

    Edges of length zero, which padding makes, cross nothing. Parallel edges do not either. The lines of nearly parallel
    edges may cross far beyond their common part, by rounding. So the crossing must also be on the first's edge. If
    edges of one line have a common part, its ends are corners, which are inside. `size` (P,) is the size of the shapes.
    """
    (along, rise), (their_along, their_rise) = (
        [_following(of[..., k]) - of[..., k] for k in (0, 1)] for of in (ours, theirs)
    )
    along, rise, their_along, their_rise = (
        along[:, :, None],
        rise[:, :, None],
        their_along[:, None],
        their_rise[:, None],
    )
    over, up = (theirs[:, None, :, k] - ours[:, :, None, k] for k in (0, 1))
    turn = along * their_rise - rise * their_along
    with np.errstate(divide="ignore", invalid="ignore"):
        at = (over * rise - up * along) / turn
        slack = (_INSIDE_STEPS * EPS * size)[:, None, None]
        length = np.sqrt(their_along * their_along + their_rise * their_rise)
        cross = (turn != 0.0) & (np.abs(at - 0.5) <= 0.5 + slack / length)
        at = np.where(cross, np.minimum(np.maximum(at, 0.0), 1.0), 0.0)
        over += at * their_along
        up += at * their_rise
        square = along * along + rise * rise
        cross &= np.abs((over * along + up * rise) / square - 0.5) <= 0.5 + slack / np.sqrt(square)
    return cross, at


def _features(outline: Ints, other: Ints, face: Ints, other_face: Ints) -> tuple[Ints, Ints]:
    """Feature kind and index on the reference and the incident shape, in the order of the corners of `face_patch`."""
    count, ours, theirs = len(outline), outline.shape[1], other.shape[1]
    shape_a, shape_b = np.empty((2, count, theirs + ours + ours * theirs, 2), dtype=np.int64)
    shape_a[:, :theirs, 0], shape_a[:, :theirs, 1] = FeatureKind.FACE, face[:, None]
    shape_b[:, :theirs, 0], shape_b[:, :theirs, 1] = FeatureKind.VERTEX, other
    shape_a[:, theirs : theirs + ours, 0], shape_a[:, theirs : theirs + ours, 1] = FeatureKind.VERTEX, outline
    shape_b[:, theirs : theirs + ours, 0], shape_b[:, theirs : theirs + ours, 1] = FeatureKind.FACE, other_face[:, None]
    shape_a[:, theirs + ours :, 0] = shape_b[:, theirs + ours :, 0] = FeatureKind.EDGE
    shape_a[:, theirs + ours :, 1] = np.repeat(_sides(outline), theirs, axis=1)
    shape_b[:, theirs + ours :, 1] = np.tile(_sides(other), (1, ours))
    return shape_a, shape_b


def _sides(outline: Ints) -> Ints:
    """A number for each edge of an outline, packed from its two vertices regardless of its orientation."""
    following = _following(outline)
    return np.minimum(outline, following) * _VERTEX_LIMIT + np.maximum(outline, following)


def named_edges(polytopes: Polytopes, feature: Ints) -> Ints:
    """Convert edges in features (P, K, 2) from their vertices, as in `Patch`, to their index.

    An edge of a joined outline of coplanar faces may consist of several edges. Then the edge from its first vertex that
    is nearest to its direction is returned.
    """
    edges = polytopes.edges
    numbers = np.minimum(edges[..., 0], edges[..., 1]) * _VERTEX_LIMIT + np.maximum(edges[..., 0], edges[..., 1])
    same = numbers[:, None, :] == feature[..., 1, None]
    index = np.argmax(same, axis=2)
    sides = feature[..., 0] == FeatureKind.EDGE
    row, corner = np.nonzero(sides & ~same.any(axis=2))
    if len(row):
        first, last = np.divmod(feature[row, corner, 1], _VERTEX_LIMIT)
        one, other = edges[row, :, 0], edges[row, :, 1]
        at = row[:, None]
        side = normalized(polytopes.vertices[row, last] - polytopes.vertices[row, first], np.zeros(3))
        along = normalized(polytopes.vertices[at, other] - polytopes.vertices[at, one], np.zeros(3))
        cosine = dot(along, side[:, None])
        cosine = np.where(one == first[:, None], cosine, np.where(other == first[:, None], -cosine, -2.0))
        index[row, corner] = cosine.argmax(axis=1)
    result = feature.copy()
    result[..., 1] = np.where(sides, index, feature[..., 1])
    return result


def reduced(patch: Patch, normal: Floats, least: Floats) -> Ints:
    """Choose at most four corners of each patch that keep its extent: indices (P, 4), -1 if there are fewer.

    The first is the deepest. The second is the farthest from it, the third the farthest from their line. The fourth
    adds the most area to the triangle. Corners less deep than `least` (P,) and duplicates are left out. Values within
    `tolerances.PATCH_LEVEL` are equal, and the first corner wins, so that the choice is stable under noise.
    """
    count = len(normal)
    at = np.arange(count)
    usable = patch.valid & (patch.depth >= least[:, None])
    chosen = np.full((count, 4), -1)
    scale = np.where(usable, np.abs(patch.point).max(axis=2), 0.0).max(axis=1, initial=0.0)
    depth = np.where(usable, patch.depth, -np.inf)
    deepest = np.argmax(depth >= (depth.max(axis=1, initial=-np.inf) - PATCH_LEVEL * scale)[:, None], axis=1)
    spoke = patch.point - patch.point[at, deepest][:, None]
    spoke -= _inner(spoke, normal)[..., None] * normal[:, None]
    reach = np.where(usable, _inner(spoke, spoke), 0.0)
    # Corners within this distance are one corner, found by two kinds of features.
    merge = (1e-9 * scale) ** 2
    chosen[:, 0] = np.where(usable.any(axis=1), deepest, -1)
    second = _first_of_the_greatest(reach)
    has_second = reach[at, second] > merge
    chosen[:, 1] = np.where(has_second, second, -1)
    axis = spoke[at, second]
    area = np.where(usable, _inner(spoke, np.cross(normal, axis)), 0.0)
    third = _first_of_the_greatest(np.abs(area))
    has_third = has_second & (area[at, third] ** 2 > merge * reach[at, second])
    chosen[:, 2] = np.where(has_third, third, -1)
    # With the triangle oriented counter-clockwise, the fourth is the corner farthest outside one of its edges.
    turn = np.sign(area[at, third])[:, None]
    tip = spoke[at, third]
    beyond = -turn * area
    for start, side in ((axis, tip - axis), (tip, -tip)):
        across = np.cross(normal, side)
        np.maximum(beyond, turn * (dot(start, across)[:, None] - _inner(spoke, across)), out=beyond)
    beyond = np.where(usable, beyond, 0.0)
    fourth = _first_of_the_greatest(beyond)
    has_fourth = has_third & (beyond[at, fourth] > 0.0) & (beyond[at, fourth] ** 2 > merge * reach[at, second])
    chosen[:, 3] = np.where(has_fourth, fourth, -1)
    return chosen


def _inner(vectors: Floats, other: Floats) -> Floats:
    """Inner products of vectors (P, K, 3) with one vector (P, 3) per pair, or with (P, K, 3), (P, K)."""
    x, y, z = (other[..., k] if other.ndim == vectors.ndim else other[:, k, None] for k in range(3))
    result: Floats = vectors[..., 0] * x
    result += vectors[..., 1] * y
    result += vectors[..., 2] * z
    return result


def _first_of_the_greatest(values: Floats) -> Ints:
    """For each row (P, K), the first value within noise of the greatest, which is positive."""
    result: Ints = np.argmax(values >= (1.0 - PATCH_LEVEL) * values.max(axis=1, keepdims=True), axis=1)
    return result
