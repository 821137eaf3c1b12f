# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of press fits (one shape holds the other from several sides, as a hole holds a peg), and their separation.

The contact region goes around the held shape. So no single normal and no separation along it describes its points. If
the shapes only touch, each contact point has the normal of the face that supports it, and depth 0. If they penetrate a
little, the contact points are corners and middles of boundary triangles that are inside the other body. Each has its
own depth and the direction to the nearest point of the other boundary. Points with similar normals form a patch of up
to four.

A peg may be stuck in the floor of its hole. `separating_translation` moves B as long as any pieces intersect, so sides
that only touch prevent the short translation. For such pairs touching is ignored: B moves until the penetrating pieces
and the points inside are separated. The position is free if no point is inside the other body, by `interference`.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...numerics.rows import RowTable, of_each, smallest_per_group
from ...numerics.tolerances import FIT_DEEP, FIT_OPPOSED
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot, length, normalized
from ...results import contacts_per_margin
from ...shapes import Spheres
from ..convex_table import EITHER_ORDER
from . import leaf_queries
from .bvh_traversal import LeafPairs, among
from .deepest_points import Inner
from .interference import measured
from .intersection import Intersection, normals, patches
from .leaf_queries import meeting, penetrating
from .operands import ConvexRows, MeshRows, ShapeRows, reaches, side, slack_of
from .penetration import Translation, directions, piece_distances
from .point_depth import nearest_triangles
from .ray_casting import hits


@dataclass(frozen=True)
class Points(RowTable):
    """Contact points before they are grouped into patches.

    Attributes
    ----------
    pair : (K,) int64
    point : (K, 3) float64
        Midway between the surfaces.
    normal : (K, 3) float64
        From A to B.
    depth : (K,) float64
    feature_a, feature_b : (K, 2) int64
    """

    pair: Ints
    point: Floats
    normal: Floats
    depth: Floats
    feature_a: Ints
    feature_b: Ints


def touching_points(a: ShapeRows, b: MeshRows, intersecting: LeafPairs) -> Points:
    """Contact points of pieces that only touch, with the normals of the supporting faces, and depth 0.

    A face supports if everything that touches it is on its outer side: the other piece, or the whole convex shape. If
    no face of a pair supports, as for two touching edges, the normals of the pieces are used.
    """
    if not len(intersecting):
        return _none()
    slack = 4.0 * slack_of(a, b)
    row = intersecting.pair
    found = contacts_per_margin(
        lambda some, most: leaf_queries.contacts(a, b, intersecting.take(some), most), slack[row]
    )
    q = b.placed(row, intersecting.b)
    out_b = normals(q) * b.solid[row][:, None]
    if isinstance(a, MeshRows):
        p = a.placed(row, intersecting.a)
        out_a = normals(p) * a.solid[row][:, None]
        by_a = _supports(p[:, 0], out_a, dot(q, out_a[:, None]), -out_b, slack[row])
        by_b = _supports(q[:, 0], out_b, dot(p, out_b[:, None]), -out_a, slack[row])
    else:
        out_a, by_a = np.zeros_like(out_b), np.zeros(len(row), dtype=bool)
        low, high = -reaches(a, row, -out_b), reaches(a, row, out_b)
        by_b = _supports(q[:, 0], out_b, np.stack([low, high], axis=1), np.zeros_like(out_b), slack[row])
    normal = np.where(by_a[:, None], out_a, -out_b)[found.pair]
    sure = (by_a | by_b)[found.pair]
    # Otherwise the normal of the pieces, oriented by the outer sides of the faces.
    way = np.sign(dot(found.normal, (out_a - out_b)[found.pair]))
    normal = np.where(sure[:, None], normal, found.normal * np.where(way < 0.0, -1.0, 1.0)[:, None])
    pair = row[found.pair]
    supported = np.zeros(len(b), dtype=bool)
    supported[pair[sure]] = True
    kept = np.flatnonzero(sure | ~supported[pair])
    none = np.zeros(len(kept))
    return Points(pair[kept], found.point[kept], normal[kept], none, found.feature_a[kept], found.feature_b[kept])


def _none() -> Points:
    nowhere, features = np.empty((0, 3)), np.empty((0, 2), dtype=np.int64)
    return Points(np.empty(0, dtype=np.int64), nowhere, nowhere, np.empty(0), features, features)


def _supports(place: Floats, outward: Floats, level: Floats, against: Floats, slack: Floats) -> Bools:
    """Whether heights along the outward normals (K, 3) of faces through `place` are all on the outer side, (K,).

    A piece in the plane of the face is on its outer side if it faces in the opposite direction.
    """
    height = level - dot(place, outward)[:, None]
    faces = dot(against, outward)
    beyond = (height.max(axis=1) > slack) | (faces > 0.0) | (length(against) == 0.0)
    return (height.min(axis=1) >= -slack) & beyond & (length(outward) > 0.0)


def penetrating_points(a: ShapeRows, b: MeshRows, intersecting: LeafPairs) -> Points:
    """Boundary points inside the other body, with depths and separating directions. Patches keep their deep points."""
    if not len(b):
        return _none()
    of_a, of_b = measured(a, b, intersecting, level=4.0 * slack_of(a, b))[1]
    parts, facing_each = [_none()], [np.empty(0, dtype=bool)]
    for solid, one, found, sign in ((a, b, of_b, 1.0), (b, a, of_a, -1.0)):
        outward, face = _outward_normals(solid, found.row, found.point)
        own, feature = _outward_normals(one, found.row, found.point)
        facing_each.append(dot(outward, own) < FIT_OPPOSED)
        middle = found.point + outward * (found.depth / 2.0)[:, None]
        features = (face, feature) if sign > 0.0 else (feature, face)
        parts.append(Points(found.row, middle, sign * outward, found.depth, *features))
    points, against = Points.joined(parts), np.concatenate(facing_each)
    # Near the ends of a patch, the nearest boundary point may be beside it. Such points count only if no faces oppose.
    sure = np.zeros(len(b), dtype=bool)
    sure[points.pair[against]] = True
    points = points.take(against | ~sure[points.pair])
    patch = patches(points.pair, points.normal)
    most = np.zeros(int(patch.max(initial=-1)) + 1)
    np.maximum.at(most, patch, points.depth)
    return points.take(points.depth >= FIT_DEEP * most[patch])


def _outward_normals(solid: ShapeRows, row: Ints, point: Floats) -> tuple[Floats, Ints]:
    """Outward unit normals at the boundary points nearest to points (K, 3) inside or on the body, and the features."""
    if not len(row):
        return np.empty((0, 3)), np.empty((0, 2), dtype=np.int64)
    points = Spheres(point, np.zeros(len(point)))
    if isinstance(solid, ConvexRows):
        shapes = solid.shapes.take(row)
        pair = EITHER_ORDER[points.kind, shapes.kind]
        return -pair.distance(points, shapes).normal, pair.separating_axis(points, shapes).feature_b
    triangle = nearest_triangles(solid, row, point)[1]
    which, there = LeafPairs(np.arange(len(row)), row * 0, triangle, np.zeros(len(row))), solid.take(row)
    outward = normals(solid.placed(row, triangle))
    # The direction to an edge or a vertex is not the normal of the triangle.
    aslant = leaf_queries.distances(side(points), there, which).point_b - point
    far = length(aslant) > 8.0 * slack_of(solid, solid)[row]
    outward = np.where(far[:, None], normalized(aslant, outward), outward)
    return outward, leaf_queries.separations(side(points), there, which).feature_b


# Steps until a pair is given up, and directions of each pair that are continued in one step.
_MOST_STEPS = 16
_AT_A_TIME = 4
# Dimensionless: directions whose components differ by less are equal.
_ALIKE = 1e-6


def shortened(a: ShapeRows, b: MeshRows, intersection: Intersection, known: Translation) -> Translation:
    """Shorten the `known` separating translation of each pair, if pieces that only touch made it long.

    Parameters
    ----------
    a, b, intersection
        Pairs that overlap, with faces that face each other.
    """
    intersecting, slack = intersection.leaves, 4.0 * slack_of(a, b)
    deep = penetrating(a, b, intersecting, slack)
    rows = np.unique(intersecting.pair[~deep])
    if not len(rows):
        return known
    here_a, here_b, pieces = a.take(rows), b.take(rows), among(intersecting, rows)
    depth, seen = measured(here_a, here_b, pieces, level=slack[rows])
    touch = np.flatnonzero((depth <= slack[rows]) & ~np.isin(rows, intersecting.pair[deep]))
    # A pair that only touches, such as a peg in its hole.
    found = touching_points(here_a.take(touch), here_b.take(touch), among(pieces, touch))
    which, place = np.unique(found.pair, return_index=True)
    fit = touch[which]
    least, direction = known.length.copy(), known.direction.copy()
    least[rows[fit]], direction[rows[fit]] = 0.0, found.normal[place]
    left = np.setdiff1d(np.arange(len(rows)), fit)
    rows, inner = rows[left], (_of_rows(seen[0], left), _of_rows(seen[1], left))
    some, pieces = Translation(least[rows], direction[rows]), among(intersecting.take(deep), rows)
    part = _sliding(a.take(rows), b.take(rows), intersection.take(rows), some, pieces, inner)
    least[rows], direction[rows] = part.length, part.direction
    return Translation(least, direction)


def _of_rows(points: Inner, rows: Ints) -> Inner:
    """Select the points of these rows, which are ascending, and renumber their rows from 0."""
    kept = points.take(np.isin(points.row, rows))
    return replace(kept, row=np.searchsorted(rows, kept.row))


def _sliding(
    a: ShapeRows,
    b: MeshRows,
    intersection: Intersection,
    known: Translation,
    deep: LeafPairs,
    seen: tuple[Inner, Inner],
) -> Translation:
    """Find a separating translation of each pair. It is shorter than the `known` one if sliding permits it.

    Parameters
    ----------
    a, b, intersection
        Pairs that overlap.
    known : Translation
    deep, seen
        As for `_separating_distances`.
    """
    if not len(b):
        return known
    best, chosen = known.length.copy(), known.direction.copy()
    row, along = _both_ways(*directions(a, b, intersection.regions(a, b)))
    slack = 4.0 * slack_of(a, b)
    # All directions begin at the same position.
    way = _separating_distances(a, b, deep, row, along, seen)
    going = np.flatnonzero(way > slack[row])
    for _ in range(_MOST_STEPS):
        going = going[way[going] < best[row[going]] - slack[row[going]]]
        if not len(going):
            break
        now = going[smallest_per_group(row[going], way[going], _AT_A_TIME)]
        here_a, here_b = a.take(row[now]), b.take(row[now], way[now, None] * along[now])
        pieces = meeting(here_a, here_b)
        level = 4.0 * slack_of(here_a, here_b)
        depth, seen = measured(here_a, here_b, pieces, level=level)
        free = depth <= level
        deep = pieces.take(penetrating(here_a, here_b, pieces, level))
        step = _separating_distances(here_a, here_b, deep, np.arange(len(now)), along[now], seen)
        done = now[free]
        # If an index is repeated, the last value written remains: the shortest.
        done = done[np.argsort(-way[done], kind="stable")]
        best[row[done]], chosen[row[done]] = way[done], along[done]
        way[now] += step
        stuck = ~free & (step <= slack[row[now]])
        going = np.setdiff1d(going, now[free | stuck], assume_unique=True)
    return Translation(best, chosen)


def _both_ways(row: Ints, along: Floats) -> tuple[Ints, Floats]:
    """Directions (K, 3) of rows (K,) and the opposite directions, without duplicates."""
    row, along = np.concatenate([row, row]), np.concatenate([along, -along])
    alike = np.column_stack([row, np.rint(along / _ALIKE)])
    first = np.sort(np.unique(alike, axis=0, return_index=True)[1])
    return row[first], along[first]


def _separating_distances(
    a: ShapeRows, b: MeshRows, deep: LeafPairs, row: Ints, along: Floats, seen: tuple[Inner, Inner]
) -> Floats:
    """How far B must move along directions of rows (K,) to separate the pieces that penetrate now, (K,).

    `deep` are these pieces, and `seen` the points of A's and of B's boundary inside the other body.
    """
    result = np.zeros(len(row))
    which, at = of_each(row, deep.pair)
    np.maximum.at(result, which, piece_distances(a, b, deep.take(at), along[which]))
    for solid, inner, sign in ((b, seen[0], -1.0), (a, seen[1], 1.0)):
        inner = inner.take(np.argsort(inner.row, kind="stable"))
        which, at = of_each(row, inner.row)
        if len(at) and not isinstance(solid, ConvexRows):
            ahead = hits(solid, inner.row[at], inner.point[at], sign * along[which]).distance
            np.maximum.at(result, which, np.where(np.isfinite(ahead), ahead, 0.0))
    return result
