# SPDX-License-Identifier: GPL-3.0-or-later
"""A capsule that lies over a face of a box or on a triangle: the two ends of the stretch over the face.

The segment is cut by the sides of the face (Cyrus and Beck). An end of the stretch is a cap over the face, or the
capsule's side over a side of the face (Lee 2018, sections 13.2.3 and 13.2.5).
"""

import numpy as np

from ..convex.polytopes import Polytopes, polytopes
from ..geometry.segments import at
from ..numerics.soa import cross, dot, of_rows
from ..numerics.tolerances import CYLINDER_INSIDE, EPS, NEAR
from ..numerics.types import Floats, Ints
from ..results import FeatureKind
from ..shapes import Boxes, Capsules, Triangles
from .closed_form import Near, SideContact
from .support_features import supporting_feature

# Stands for the number of a side where a stretch ends at the capsule's own end.
_CAP = -1


def side_contact(a: Capsules, b: Boxes | Triangles, near: Near) -> SideContact:
    """The stretches of the capsules A that face a face of B."""
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
    # Of a face that is a little off the normal each end is over another height.
    normal = of_rows(shapes.normals[np.arange(len(rows)), face])
    depth = a.radius[rows] + np.stack([dot(corners[0] - end, normal) for end in ends]) / dot(normal, outward)
    # From the segment to midway between the capsule's lower side and the face.
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
    """Parameters at which segments enter and leave a convex outline seen from outside, and by which of its sides."""
    count = len(size)
    lower, upper = np.zeros(count), np.ones(count)
    first, last = np.full((2, count), _CAP)
    for k, corner in enumerate(corners):
        following, after = corners[(k + 1) % len(corners)], corners[(k + 2) % len(corners)]
        # At right angles to the side; where it has no length, along the next one.
        inward = np.where((following == corner).all(axis=0), after - following, cross(outward, following - corner))
        begin = dot(start - corner, inward)
        rise = dot(along, inward)
        # What runs along a side, to rounding, is not cut by it.
        slack = CYLINDER_INSIDE * EPS * size * np.sqrt(dot(inward, inward))
        outside = np.minimum(begin, begin + rise) < -slack
        t = np.divide(-begin, rise, out=np.full(count, np.inf), where=rise != 0.0)
        enters = outside & (rise > 0.0) & (t > lower)
        leaves = outside & (rise <= 0.0) & (t < upper)
        lower, first = np.where(enters, t, lower), np.where(enters, k, first)
        upper, last = np.where(leaves, t, upper), np.where(leaves, k, last)
        # Outside along its whole length, or over a face that is a point.
        upper = np.where((outside & (rise == 0.0)) | ~inward.any(axis=0), -np.inf, upper)
    upper = np.maximum(upper, lower)
    return lower, upper, first, last


def _edge(shapes: Polytopes, vertex: Ints, side: Ints) -> Ints:
    """The index of an edge by the place of the side in an outline."""
    rows = np.arange(len(side))
    one, other = vertex[rows, side, None], vertex[rows, (side + 1) % vertex.shape[1], None]
    first, second = shapes.edges[..., 0], shapes.edges[..., 1]
    same = ((first == one) & (second == other)) | ((first == other) & (second == one))
    return same.argmax(axis=1)
