# SPDX-License-Identifier: GPL-3.0-or-later
"""Generic algorithm for bounded convex shapes: spheres, capsules, boxes, triangles and hulls, by their cores.

The core of a sphere is its center, and the core of a capsule is its segment. GJK measures separated cores, and the
expanding polytope algorithm measures overlapping ones. Both prove their results. They cannot do so if the cores touch,
are flat, or have two equally short separating translations. Then the separating axis test of `kernels.facets` examines
all facets of A - B. Radii are ignored at first and added afterwards. `contact_manifold` computes the contacts.
Everything is computed in a frame at A's position, so that scenes far from the origin keep their precision.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..convex.batch_sides import (
    FACED_BLOCK,
    best_facets,
    faced,
    measured_along,
    proved_distances,
    proved_overlaps,
    taken,
)
from ..convex.contact_manifold import dropped, manifold, supporting_features
from ..convex.gjk import closest
from ..convex.polytopes.placed import Polytopes, PolytopeSupport, polytopes
from ..numerics.rows import rows_of_each
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
# Number of elements in the largest intermediate array of a block: about 16 MB of float64, to stay in cache.
_ELEMENTS = 1 << 21


class ConvexConvex(PairAlgorithm[Convex, Convex]):
    """Pair queries for any two of these shapes."""

    def overlap(self, a: Rows[Convex], b: Rows[Convex]) -> Bools:
        """Whether the shapes of each pair have a point in common, touching included."""
        result, left = proved_overlaps(a, b)
        if len(left):
            found = _distances(taken(a, left), taken(b, left), None)
            result[left] = found.distance <= found.rounding
        return result

    def distance(self, a: Rows[Convex], b: Rows[Convex]) -> Distances:
        """Signed distance and witness points of each pair."""
        return _distances(a, b, None)

    def separating_axis(self, a: Rows[Convex], b: Rows[Convex]) -> Separations:
        """The axis with the largest gap: the direction of the closest points, or the axis of least overlap."""
        found = _distances(a, b, None)
        features = supporting_features(a, found.normal, 1.0), supporting_features(b, found.normal, -1.0)
        return Separations(found.distance, found.normal, *features)

    def contacts(self, a: Rows[Convex], b: Rows[Convex], margin: float, known: Distances | None = None) -> Contacts:
        """Contact manifold of each pair that overlaps or is within `margin`."""
        return contacts_along(a, b, margin, _distances(a, b, margin) if known is None else known)

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


def contacts_along(a: Rows[Convex], b: Rows[Convex], margin: float, gap: Distances) -> Contacts:
    """Contacts of pairs whose distances are known."""
    found = []
    near = (gap.distance <= margin + gap.rounding).nonzero()[0]
    for first in range(0, len(near), FACED_BLOCK):
        rows = near[first : first + FACED_BLOCK]
        known = gap if len(rows) == len(gap) else gap.take(rows)
        made, thin = manifold(faced(a, rows), faced(b, rows), known, margin)
        if thin:
            for shapes, sign in ((a, 0.5), (b, -0.5)):
                made = _on_needles(made, shapes.take(rows), sign, known)
        if len(rows) == len(gap):
            return made
        found.append(replace(made, pair=rows[made.pair]))
    return Contacts.joined(found)


def _on_needles(made: Contacts, shapes: Convex, sign: float, gap: Distances) -> Contacts:
    """Drop contacts off the surface of needles or plates among hulls, where faces and vertices do not agree exactly."""
    if not isinstance(shapes, Hulls):
        return made
    hulls = polytopes(shapes).faceted(np.arange(len(shapes)))
    rows = np.flatnonzero(hulls.thin[made.pair])
    if not len(rows):
        return made
    pair = made.pair[rows]
    surface = made.point[rows] + made.normal[rows] * (sign * made.depth[rows])[:, None]
    off = np.zeros(len(made.pair), dtype=bool)
    beyond = outside(hulls.take(pair, hulls.translation[pair]), surface - hulls.translation[pair])
    off[rows] = beyond > np.maximum(OFF_THIN * hulls.size[pair], gap.rounding[pair])
    return dropped(made, off, made.pair, gap, (gap.point_a + gap.point_b) / 2.0)


def _distances(a: Rows[Convex], b: Rows[Convex], limit: float | None) -> Distances:
    """Distances and witness points. Pairs farther apart than the limit are only known to be so."""
    result, unproved = proved_distances(a, b, limit)
    if len(unproved):
        left, right = taken(a, unproved), taken(b, unproved)
        slack = result.rounding[unproved]
        result.put(unproved, measured_along(left, right, best_facets(left, right), slack, complete=False))
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


def outside(shapes: Polytopes, points: Floats) -> Floats:
    """Proved distance of points (P, 3) outside the cores, (P,)."""
    point = polytopes(Spheres(points, np.zeros(len(points))))
    found = closest(PolytopeSupport.of(shapes), PolytopeSupport.of(point), shapes.centers - points)
    # For shapes as thin as rounding, inner points may be measured as outside.
    height = dot(points, found.normal) - shapes.greatest(found.normal[:, None])[:, 0]
    return np.minimum(found.distance, np.maximum(height, 0.0))


def similar_sizes(a: Polytopes, b: Polytopes, rows: Ints) -> Iterator[tuple[Ints, Polytopes, Polytopes]]:
    """Blocks of pairs with similar numbers of vertices, so that padding wastes little: rows, A and B."""
    if not len(rows):
        return
    a, b = a.faceted(rows), b.faceted(rows)
    if len(rows) == 1:
        yield rows, a, b
        return
    group = _cost(a) * 64 + _cost(b)
    for key, members in rows_of_each(group):
        largest = (1 << key // 64) * (1 << key % 64)
        step = max(1, _ELEMENTS // (9 * largest))
        for first in range(0, len(members), step):
            block = members[first : first + step]
            yield rows[block], a.take(block), b.take(block)


def _cost(shapes: Polytopes) -> Ints:
    """Size class of each row: the binary logarithm of its vertex count. Points and segments have their own classes."""
    result: Ints = np.ceil(np.log2(shapes.pool.vertices.count[shapes.geometry])).astype(np.int64)
    return result
