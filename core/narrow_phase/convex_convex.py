# SPDX-License-Identifier: GPL-3.0-or-later
"""Generic algorithm for bounded convex shapes: spheres, capsules, boxes, triangles and hulls, by their cores.

The core of a sphere is its center, and the core of a capsule is its segment. `gap` measures the distance or depth, and
`contact_manifold` computes the contacts. Everything is computed in a frame at A's position, so that scenes far from the
origin keep their precision.
"""

from collections.abc import Iterator

import numpy as np

from ..convex.contact_manifold import dropped, manifold, shape_features, support_feature
from ..convex.gap import KnownAxes, gap_along_axes, measured, meets, outside, similar_sizes
from ..convex.manifold import supporting_face
from ..convex.polytopes import Polytopes, polytopes
from ..numerics.tolerances import OFF_THIN, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length, normalized
from ..results import Contacts, Distances, Separations
from ..shapes import Boxes, Capsules, Hulls, Spheres, Triangles
from ..shapes.batch import Rows
from .algorithm import PairAlgorithm

Convex = Spheres | Capsules | Boxes | Triangles | Hulls

# Both directions along each of the world's axes.
_WAYS = np.concatenate([np.eye(3), -np.eye(3)])

# Pairs that are measured together. Their component arrays stay in cache.
_BLOCK = 16384


class ConvexConvex(PairAlgorithm[Convex, Convex]):
    """Pair queries for any two of these shapes."""

    def overlap(self, a: Rows[Convex], b: Rows[Convex]) -> Bools:
        """Whether the shapes of each pair have a point in common, touching included."""
        a, b = a.gathered(), b.gathered()
        result = np.zeros(len(a), dtype=bool)
        for rows, left, right, _ in _blocks(a, b):
            result[rows] = meets(left, right, _offset(a, b, rows))
        return result

    def distance(self, a: Rows[Convex], b: Rows[Convex], known_axes: KnownAxes | None = None) -> Distances:
        """Signed distance and witness points of each pair, along `known_axes` if they are given."""
        a, b = a.gathered(), b.gathered()
        return _distances(a, b, None, known_axes)

    def separating_axis(self, a: Rows[Convex], b: Rows[Convex]) -> Separations:
        """The axis with the largest gap: the direction of the closest points, or the axis of least overlap."""
        a, b = a.gathered(), b.gathered()
        result = Separations.empty(len(a))
        for rows, left, right, _ in _blocks(a, b):
            gap = measured(left, right, _offset(a, b, rows))
            result.gap[rows], result.axis[rows] = gap.distance, gap.normal
            for part, first, second in similar_sizes(left, right, np.arange(len(rows))):
                where, normal = rows[part], gap.normal[part]
                for shape, direction, feature in (
                    (first, normal, result.feature_a),
                    (second, -normal, result.feature_b),
                ):
                    made = support_feature(shape, direction, supporting_face(shape, direction))
                    feature[where] = shape_features(shape, made[:, None])[:, 0]
        return result

    def contacts(
        self,
        a: Rows[Convex],
        b: Rows[Convex],
        margin: float,
        known: Distances | None = None,
        known_axes: KnownAxes | None = None,
    ) -> Contacts:
        """Contact manifold of each pair that overlaps or is within `margin`. See `distance`."""
        a, b = a.gathered(), b.gathered()
        return _contacts(a, b, margin, _distances(a, b, margin, known_axes) if known is None else known)

    def contains(self, a: Rows[Convex], b: Rows[Convex]) -> Bools:
        """Whether A contains all of B, touching from inside included."""
        a, b = a.gathered(), b.gathered()
        result = np.zeros(len(a), dtype=bool)
        for rows, block_a, block_b, _ in _blocks(a, b):
            offset = _offset(a, b, rows)
            for part, left, right in similar_sizes(block_a, block_b, np.arange(len(rows))):
                result[rows[part]] = _holds(left, right, rounding(left.size + right.size, offset[part]))
        return result

    def contained(self, a: Rows[Convex], b: Rows[Convex]) -> Bools:
        """Whether B contains all of A."""
        return self.contains(b, a)


def _contacts(a: Convex, b: Convex, margin: float, gap: Distances) -> Contacts:
    """Contacts of pairs whose distances are known."""
    found = []
    near = np.flatnonzero(gap.distance <= margin + gap.rounding)
    if not len(near):
        return Contacts.joined([])
    for block, left, right, origin in _blocks(a.take(near), b.take(near)):
        rows = near[block]
        middle = (gap.point_a[rows] + gap.point_b[rows]) / 2.0 - origin
        for part, first, second in similar_sizes(left, right, np.arange(len(rows))):
            where = rows[part]
            least = -(margin + gap.rounding[where])
            made = manifold(first, second, gap.normal[where], gap.distance[where], middle[part], least)
            for shapes, polytope, sign in ((a, first, 0.5), (b, second, -0.5)):
                if isinstance(shapes, Hulls):
                    made = _on_needles(made, polytope, sign, gap.take(where), middle[part])
            found.append(
                Contacts(
                    where[made.pair],
                    made.point + origin[part][made.pair],
                    made.normal,
                    np.maximum(made.depth, -margin),
                    made.type,
                    made.feature_a,
                    made.feature_b,
                )
            )
    return Contacts.joined(found)


def _on_needles(made: Contacts, hulls: Polytopes, sign: float, gap: Distances, middle: Floats) -> Contacts:
    """Drop contacts off the surface of a needle or plate, where faces and vertices do not agree exactly."""
    rows = np.flatnonzero(hulls.thin[made.pair])
    if not len(rows):
        return made
    pair = made.pair[rows]
    surface = made.point[rows] + made.normal[rows] * (sign * made.depth[rows])[:, None]
    off = np.zeros(len(made.pair), dtype=bool)
    off[rows] = outside(hulls.take(pair), surface) > OFF_THIN * hulls.size[pair]
    return dropped(made, off, made.pair, middle, -gap.distance, gap.normal)


def _distances(a: Convex, b: Convex, limit: float | None, known_axes: KnownAxes | None) -> Distances:
    """Distances and witness points. Pairs farther apart than the limit are only known to be so."""
    result = Distances.empty(len(a))
    for rows, left, right, origin in _blocks(a, b):
        if known_axes is None:
            gap = measured(left, right, _offset(a, b, rows), limit)
        else:
            gap = gap_along_axes(left, right, known_axes.take(rows))
        half = gap.normal * (gap.distance / 2.0)[:, None]
        middle = gap.middle + origin
        result.distance[rows], result.normal[rows], result.rounding[rows] = gap.distance, gap.normal, gap.slack
        result.point_a[rows], result.point_b[rows] = middle - half, middle + half
    return result


def _holds(left: Polytopes, right: Polytopes, slack: Floats) -> Bools:
    """Whether A contains B, for pairs of similar sizes."""
    polytope = ~np.isin(left.pool.vertices.count[left.geometry], (1, 2))
    # Inside a polytope: behind every face. Inside a rounded point or segment: all vertices within the radius.
    axes = bounding_axes(left)
    reach, level = right.greatest(axes) + right.radius[:, None], left.greatest(axes)
    behind: Bools = np.all(reach <= level + slack[:, None], axis=1)
    sharp = np.flatnonzero(behind & polytope & (left.thin | (reach > level).any(axis=1)))
    behind[sharp] = all_inside(left.take(sharp), right.vertices[sharp], slack[sharp])
    start, along = left.vertices[:, :1], left.vertices[:, -1:] - left.vertices[:, :1]
    square = dot(along, along)
    t = np.clip(dot(right.vertices - start, along) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    far = length(right.vertices - start - t[..., None] * along).max(axis=1)
    within = far + right.radius <= left.radius + slack
    return np.where(polytope, behind, within)


def all_inside(shapes: Polytopes, points: Floats, slack: Floats) -> Bools:
    """Whether all points (P, K, 3) of each row are in the polytope, or no farther outside than `slack` (P,).

    At a sharp edge or tip, a point can be behind all faces within rounding and still be far outside.
    """
    count, each = points.shape[:2]
    if not count:
        return np.zeros(0, dtype=bool)
    off = outside(shapes.take(np.repeat(np.arange(count), each)), points.reshape(-1, 3))
    result: Bools = off.reshape(count, each).max(axis=1) <= slack
    return result


def bounding_axes(shapes: Polytopes) -> Floats:
    """Directions (P, K, 3) that bound a polytope: a shape is inside if it reaches no farther along all of them."""
    if shapes.vertices.shape[1] != 3:
        return shapes.normals
    # The faces of a triangle without area do not bound its line. Those of a point bound even less.
    run = normalized(np.roll(shapes.vertices, -1, axis=1) - shapes.vertices, np.zeros(3))
    return np.concatenate([shapes.normals, run, -run, np.broadcast_to(_WAYS, (len(shapes), *_WAYS.shape))], axis=1)


def _blocks(a: Convex, b: Convex) -> Iterator[tuple[Ints, Polytopes, Polytopes, Floats]]:
    """Blocks of pairs: their rows, A and B relative to A's position, and that position in the world."""
    left, right = polytopes(a), polytopes(b)
    for first in range(0, len(a), _BLOCK):
        rows = np.arange(first, min(first + _BLOCK, len(a)))
        origin = left.translation[rows]
        yield rows, left.take(rows, origin), right.take(rows, origin), origin


def _offset(a: Convex, b: Convex, rows: Ints) -> Floats:
    """Distance of the farther shape of each pair from the origin."""
    return np.maximum(_place(a, rows), _place(b, rows))


def _place(shapes: Convex, rows: Ints) -> Floats:
    if isinstance(shapes, Capsules):
        return np.maximum(length(shapes.start[rows]), length(shapes.end[rows]))
    if isinstance(shapes, Triangles):
        return length(shapes.vertices[rows]).max(axis=1)
    return length(shapes.translation[rows] if isinstance(shapes, Hulls) else shapes.center[rows])
