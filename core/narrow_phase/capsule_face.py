# SPDX-License-Identifier: GPL-3.0-or-later
"""Side contact of a capsule with a face of a box or with a triangle: the ends of the segment's part over the face.

The edges of the face clip the segment (Cyrus and Beck). An end of this part is either a cap over the face, or a point
where the capsule's side crosses an edge of the face (Lee 2018, sections 13.2.3 and 13.2.5).
"""

import numpy as np

from ..convex.polytopes import Polytopes, polytopes
from ..geometry.segments import at
from ..numerics.soa import cross, dot, of_rows
from ..numerics.tolerances import CYLINDER_INSIDE, EPS, NEAR
from ..numerics.types import Floats, Ints
from ..results import FeatureKind
from ..shapes import Boxes, Capsules, Triangles
from .closed_form import Near, SideContact, supporting_feature

# Edge number where the part ends at an end of the capsule.
_CAP = -1


def side_contact(a: Capsules, b: Boxes | Triangles, near: Near) -> SideContact:
    """The parts of the capsules A over a face of B."""
    feature = supporting_feature(b, near.rows, -near.normal)
    along = of_rows(a.end[near.rows] - a.start[near.rows])
    pairs = np.flatnonzero((feature[:, 0] == FeatureKind.FACE) & (dot(along, along) > 0.0))
    rows, along, face = near.rows[pairs], along[:, pairs], feature[pairs, 1]
    origin, outward = near.origin[:, pairs], -near.normal[:, pairs]
    start = of_rows(a.start[rows]) - origin
    shapes = polytopes(b.take(rows)).take(np.arange(len(rows)), origin.T)
    outline, vertex = shapes.polygon(face)
    corners = [of_rows(outline[:, k]) for k in range(outline.shape[1])]
    reach = np.sqrt(dot(along, along))
    size = reach / 2.0 + shapes.size + a.radius[rows]
    lower, upper, first, last = _stretch(start, along, corners, outward, size)
    ends = np.stack([at(start, along, t) for t in (lower, upper)])
    # If the face is not exactly perpendicular to the normal, its height differs between the ends.
    normal = of_rows(shapes.normals[np.arange(len(rows)), face])
    depth = a.radius[rows] + np.stack([dot(corners[0] - end, normal) for end in ends]) / dot(normal, outward)
    # From the segment to the midpoint between the capsule's lower side and the face.
    point = ends + outward * (depth / 2.0 - a.radius[rows])[:, None]
    depth[:, (upper - lower) * reach <= NEAR * size] = -np.inf
    feature_a, feature_b = np.empty((2, 2, len(rows), 2), dtype=np.int64)
    for end, (side, cap) in enumerate(((first, 0), (last, 1))):
        at_cap = side == _CAP
        rounded = np.where(a.radius[rows] > 0.0, int(FeatureKind.FACE), int(FeatureKind.VERTEX))
        feature_a[end, :, 0] = np.where(at_cap, rounded, FeatureKind.EDGE)
        feature_a[end, :, 1] = np.where(at_cap, cap, 0)
        feature_b[end, :, 0] = np.where(at_cap, FeatureKind.FACE, FeatureKind.EDGE)
        feature_b[end, :, 1] = np.where(at_cap, face, _edge(shapes, vertex, np.maximum(side, 0)))
    return SideContact(pairs, point, depth, size, feature_a, feature_b)


def _stretch(
    start: Floats, along: Floats, corners: list[Floats], outward: Floats, size: Floats
) -> tuple[Floats, Floats, Ints, Ints]:
    """Parameters at which segments enter and leave a convex outline, seen from outside, and the edges they cross."""
    count = len(size)
    lower, upper = np.zeros(count), np.ones(count)
    first, last = np.full((2, count), _CAP)
    for k, corner in enumerate(corners):
        following, after = corners[(k + 1) % len(corners)], corners[(k + 2) % len(corners)]
        # Perpendicular to the edge. If the edge has no length, along the next edge.
        inward = np.where((following == corner).all(axis=0), after - following, cross(outward, following - corner))
        begin = dot(start - corner, inward)
        rise = dot(along, inward)
        # An edge that is parallel to the segment within rounding does not clip it.
        slack = CYLINDER_INSIDE * EPS * size * np.sqrt(dot(inward, inward))
        outside = np.minimum(begin, begin + rise) < -slack
        t = np.divide(-begin, rise, out=np.full(count, np.inf), where=rise != 0.0)
        enters = outside & (rise > 0.0) & (t > lower)
        leaves = outside & (rise <= 0.0) & (t < upper)
        lower, first = np.where(enters, t, lower), np.where(enters, k, first)
        upper, last = np.where(leaves, t, upper), np.where(leaves, k, last)
        # The segment is outside on its whole length, or the face is a point.
        upper = np.where((outside & (rise == 0.0)) | ~inward.any(axis=0), -np.inf, upper)
    upper = np.maximum(upper, lower)
    return lower, upper, first, last


def _edge(shapes: Polytopes, vertex: Ints, side: Ints) -> Ints:
    """Edge numbers of the polytopes from edge positions in outlines."""
    rows = np.arange(len(side))
    one, other = vertex[rows, side, None], vertex[rows, (side + 1) % vertex.shape[1], None]
    first, second = shapes.edges[..., 0], shapes.edges[..., 1]
    same = ((first == one) & (second == other)) | ((first == other) & (second == one))
    return same.argmax(axis=1)
