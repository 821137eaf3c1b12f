# SPDX-License-Identifier: GPL-3.0-or-later
"""Intersection segments of triangles, and the features at their ends.

Each triangle intersects the plane of the other in an interval of the line that both planes share. The intersection of
the two intervals is the segment (Möller, "A fast triangle-triangle intersection test", 1997).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from ..numerics import vectors
from ..numerics.rows import RowTable
from ..numerics.tolerances import PARALLEL, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import area_vectors, cross, dot, length, normalized
from ..results import FeatureKind
from ..shapes import Triangles
from .flat_faced import TRIANGLE_TRIANGLE

# The enumerations of the fields of results.
_ENUMS: dict[str, type[IntEnum]] = dict.fromkeys(("start_a", "start_b", "end_a", "end_b"), FeatureKind)


@dataclass(frozen=True, eq=False, repr=False)
class Crossings(RowTable):
    """Intersections of the triangles of each pair.

    Attributes
    ----------
    overlap : (P,) bool
        Whether they have a point in common, touching included.
    coplanar : (P,) bool
        The triangles overlap, and one lies in the plane of the other. They share an area or a part of an edge, and no
        segment is given. Two triangles without area always count as coplanar.
    start, end : (P, 3) float64
        Ends of the intersection segment; equal if the triangles touch in a point. The start is the end that comes first
        in lexicographic order. NaN if the triangles do not overlap or are coplanar.
    start_a, start_b, end_a, end_b : (P, 2) int64
        Features of A and of B at the ends: `FeatureKind` and index; (-1, -1) if there is no end. A vertex has
        precedence over an edge, and an edge over the face. So an end where an edge of A pierces B has this edge and the
        face of B. The face is the front (0).
    """

    overlap: Bools
    coplanar: Bools
    start: Floats
    end: Floats
    start_a: Ints
    start_b: Ints
    end_a: Ints
    end_b: Ints
    enums = _ENUMS


def triangle_intersections(a: Triangles, b: Triangles, overlap: bool = False) -> Crossings:
    """Intersect the triangles of each row. With `overlap`, all of them are known to overlap."""
    overlaps = np.ones(len(a), dtype=bool) if overlap else TRIANGLE_TRIANGLE.overlap(a, b)
    meet = np.flatnonzero(overlaps)
    features = np.full((4, len(a), 2), -1, dtype=np.int64)
    points = np.full((2, len(a), 3), np.nan)
    coplanar = np.zeros(len(a), dtype=bool)
    if len(meet):
        coplanar[meet], points[:, meet], features[:, meet] = _segments(a.take(meet), b.take(meet))
    return Crossings(overlaps, coplanar, *points, *features)


def _segments(a: Triangles, b: Triangles) -> tuple[Bools, Floats, Ints]:
    """Whether overlapping triangles are coplanar, both ends (2, P, 3), and their features (4, P, 2)."""
    slack = _slack(a, b)
    order_a, corners_a = _sorted_corners(a.vertices)
    order_b, corners_b = _sorted_corners(b.vertices)
    sides_a, sides_b = (vectors.two_diff(np.roll(c, -1, axis=1), c) for c in (corners_a, corners_b))
    normal_a, normal_b = _normals(*sides_a), _normals(*sides_b)
    solid_a, solid_b = np.count_nonzero(normal_a, axis=1) > 0, np.count_nonzero(normal_b, axis=1) > 0
    height_a, height_b = (
        _heights(corners_a, normal_b, corners_b, slack),
        _heights(corners_b, normal_a, corners_a, slack),
    )
    flat_a, flat_b = np.count_nonzero(height_a, axis=1) == 0, np.count_nonzero(height_b, axis=1) == 0
    # A triangle without area has no plane that could contain the other.
    coplanar: Bools = np.asarray(
        (flat_a | ~solid_b) & (flat_b | ~solid_a) | (flat_a | flat_b) & solid_a & solid_b, dtype=np.bool_
    )
    # Any coordinate orders the points along the common line; the steepest one has the least error. A triangle without
    # area has no plane. It intersects the other where it intersects the other's plane.
    line = np.abs(cross(normal_a, normal_b))
    steepest = np.where((solid_a & solid_b)[:, None], line, 1.0).argmax(axis=1)
    ends_a, made_a, level_a = _stretch(corners_a, height_a, steepest)
    ends_b, made_b, level_b = _stretch(corners_b, height_b, steepest)
    level_a[solid_a & ~solid_b] = level_b[solid_b & ~solid_a] = np.array([-np.inf, np.inf])
    points, features = [], []
    for end, sign in ((0, 1.0), (1, -1.0)):
        # The later of the two starts, the earlier of the two ends.
        ahead = sign * (level_a[:, end] - level_b[:, end])
        points.append(np.where((ahead >= 0.0)[:, None], ends_a[:, end], ends_b[:, end]))
        level = np.where(ahead >= 0.0, level_a[:, end], level_b[:, end])
        features.append(
            [_made_at(level, end, own, made, slack) for own, made in ((level_a, made_a), (level_b, made_b))]
        )
    point, feature = np.stack(points), np.array([features[0][0], features[0][1], features[1][0], features[1][1]])
    # Intervals that only touch may miss each other by rounding. Then both ends are the midpoint.
    at = np.arange(len(slack))
    missed = np.flatnonzero(point[0, at, steepest] > point[1, at, steepest])
    point[:, missed] = point[:, missed].mean(axis=0)
    turned = np.flatnonzero(_later(point[0], point[1]))
    point[:, turned] = point[::-1, turned]
    feature[:, turned] = feature[[2, 3, 0, 1]][:, turned]
    for place, order in enumerate((order_a, order_b, order_a, order_b)):
        _rename(feature[place], order)
    faces = feature[..., 0] == FeatureKind.FACE
    feature[faces] = _FACE
    point[:, coplanar], feature[:, coplanar] = np.nan, -1
    return coplanar, point, feature


def _made_at(level: Floats, end: int, own: Floats, made: Ints, slack: Floats) -> Ints:
    """The feature at a level of a triangle's interval: of the same end, else of the other end, else the face."""
    same, other = (np.abs(own[:, k] - level) <= slack for k in (end, 1 - end))
    return np.where(same[:, None], made[:, end], np.where(other[:, None], made[:, 1 - end], _FACE))


_FACE = np.array([FeatureKind.FACE, 0])


def _heights(corners: Floats, normal: Floats, other: Floats, slack: Floats) -> Floats:
    """Height of each corner (P, 3) above the plane of the other triangle; zero if it is within rounding."""
    # From the nearest corner of the other triangle. All its corners are in the plane.
    between = corners[:, :, None] - other[:, None]
    nearest = dot(between, between).argmin(axis=2)
    height = dot(np.take_along_axis(between, nearest[:, :, None, None], axis=2)[:, :, 0], normal[:, None])
    return np.where(np.abs(height) <= slack[:, None], 0.0, height)


def _stretch(corners: Floats, height: Floats, coordinate: Ints) -> tuple[Floats, Ints, Floats]:
    """Intersection intervals of triangles and planes: ends (P, 2, 3), features (P, 2, 2), coordinates (P, 2)."""
    at = np.arange(len(corners))
    following, rise = np.roll(corners, -1, axis=1), np.roll(height, -1, axis=1)
    through = height * rise < 0.0
    share = np.where(through, height / np.where(through, height - rise, 1.0), 0.0)[..., None]
    crossing = corners + share * (following - corners)
    points = np.concatenate([corners, crossing], axis=1)
    valid = np.concatenate([height == 0.0, through], axis=1)
    level = points[at[:, None], np.arange(6), coordinate[:, None]]
    first, last = np.where(valid, level, np.inf).argmin(axis=1), np.where(valid, level, -np.inf).argmax(axis=1)
    ends = np.stack([first, last], axis=1)
    made = np.stack([np.where(ends < 3, FeatureKind.VERTEX, FeatureKind.EDGE), ends % 3], axis=2)
    return points[at[:, None], ends], made, level[at[:, None], ends]


def _later(a: Floats, b: Floats) -> Bools:
    """Whether points `a` come after points `b` in lexicographic order, (P, 3), (P, 3) -> (P,)."""
    differs = a != b
    first = differs.argmax(axis=1)
    at = np.arange(len(a))
    result: Bools = differs.any(axis=1) & (a[at, first] > b[at, first])
    return result


def _sorted_corners(vertices: Floats) -> tuple[Ints, Floats]:
    """Sort the corners of each triangle lexicographically: their indices (P, 3) and the corners (P, 3, 3).

    Results then do not depend on the order in which the corners were given.
    """
    order = np.lexsort((vertices[..., 2], vertices[..., 1], vertices[..., 0]), axis=1)
    return order, np.take_along_axis(vertices, order[..., None], axis=1)


def _normals(sides: Floats, errors: Floats) -> Floats:
    """Unit normal of each triangle from its sides and their rounding errors (P, 3, 3); zero if it has no area."""
    normal = area_vectors(sides, errors)
    size = dot(sides, sides)
    flat = dot(normal, normal) <= PARALLEL * size[:, 0] * size[:, 1]
    return np.where(flat[:, None], 0.0, normalized(normal, np.zeros(3)))


def _slack(a: Triangles, b: Triangles) -> Floats:
    """Largest gap of each pair that counts as contact; independent of the order of the corners."""
    both = a.vertices, b.vertices
    size_a, size_b = (length(np.roll(vertices, -1, axis=1) - vertices).max(axis=1) for vertices in both)
    offset_a, offset_b = (length(vertices).max(axis=1) for vertices in both)
    return rounding(size_a + size_b, np.maximum(offset_a, offset_b))


def _rename(features: Ints, order: Ints) -> None:
    """Change features (P, 2) of triangles with sorted corners to those of the given triangles, in place."""
    at = np.arange(len(order))
    kind, index = features[:, 0], features[:, 1]
    corner = order[at, np.clip(index, 0, 2)]
    # Side k is opposite corner k + 2.
    side = (order[at, (np.clip(index, 0, 2) + 2) % 3] + 1) % 3
    odd = (order[:, 1] - order[:, 0]) % 3 == 2
    face = np.where(odd, 1 - index, index)
    features[:, 1] = np.select(
        [kind == FeatureKind.VERTEX, kind == FeatureKind.EDGE, kind == FeatureKind.FACE], [corner, side, face], index
    )
