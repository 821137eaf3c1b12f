# SPDX-License-Identifier: GPL-3.0-or-later
"""The convex pieces of two shapes of which the second is a mesh: which of them meet, and which are nearest."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...numerics.rows import smallest_per_group
from ...numerics.types import Bools, Ints
from ...results import Contacts, Distances, FeatureKind, Separations
from ...shapes import Kind, Triangles
from ..algorithm import PairAlgorithm
from ..convex_table import algorithm
from .bvh_traversal import Near, may_be_nearest, near, nearest_few
from .operands import Side, Whole, pieces, slack_of
from .placed import Surfaces
from .plane_culling import apart_by_planes
from .ray_casting import inside, untouched

# Triangles looked at for a first idea of the distance.
_FIRST = 8
# Piece pairs asked about together.
_BLOCK = 1 << 15


def meeting(a: Side, b: Surfaces) -> Near:
    """All pairs of pieces that meet, touching included, ordered by pair and pieces."""
    found = near(a.bodies, b.bodies, 4.0 * slack_of(a, b))
    if not isinstance(a, Whole) and len(found):
        (p, at_p), (q, at_q) = a.table(found.pair, found.a), b.table(found.pair, found.b)
        found = found.take(~apart_by_planes(p, q, at_p, at_q, 4.0 * slack_of(a, b)[found.pair]))
    return found.take(overlap(a, b, found))


def overlap(a: Side, b: Surfaces, of: Near) -> Bools:
    """Whether these pieces meet, (K,)."""
    result = np.zeros(len(of), dtype=bool)
    for rows in _blocks(len(of)):
        asked = of.take(rows)
        pair, first, second = _pieces(a, b, asked)
        result[rows] = pair.overlap(first, second)
    return result


def distances(a: Side, b: Surfaces, of: Near) -> Distances:
    """Signed distances of these pieces."""
    result = Distances.empty(len(of))
    for rows in _blocks(len(of)):
        pair, first, second = _pieces(a, b, of.take(rows))
        for name, value in vars(pair.distance(first, second)).items():
            getattr(result, name)[rows] = value
    return result


def separations(a: Side, b: Surfaces, of: Near) -> Separations:
    """The axes of these pieces, with the features of the mesh numbered as the mesh numbers them."""
    pair, first, second = _pieces(a, b, of)
    part = pair.separating_axis(first, second)
    feature_a, feature_b = named(a, of.pair, of.a, part.feature_a), named(b, of.pair, of.b, part.feature_b)
    return Separations(part.gap, part.axis, feature_a, feature_b)


def contacts(a: Side, b: Surfaces, of: Near, margin: float) -> Contacts:
    """The contacts of these pieces, `pair` counting them, with the features numbered as the mesh numbers them."""
    pair, first, second = _pieces(a, b, of)
    part = pair.contacts(first, second, margin)
    row = part.pair
    return replace(
        part,
        feature_a=named(a, of.pair[row], of.a[row], part.feature_a),
        feature_b=named(b, of.pair[row], of.b[row], part.feature_b),
    )


def held(a: Side, b: Surfaces, met: Near) -> Bools:
    """Whether a connected component of one that meets nothing lies inside the solid that the other is: (P,)."""
    result = np.zeros(len(b), dtype=bool)
    if not isinstance(a, Whole):
        free = untouched(b, a, met.pair, met.b)
        result[free.row[inside(a, free.row, free.point)]] = True
        free = untouched(a, b, met.pair, met.a)
        row, point = free.row, free.point
    else:
        # A convex shape meets every piece of a mesh that it holds; the other way round one point will do.
        row = np.setdiff1d(np.arange(len(b)), met.pair)
        point = a.some_point()[row]
    result[row[inside(b, row, point)]] = True
    return result


@dataclass(frozen=True)
class Nearest:
    """The nearest pieces of each pair.

    Attributes
    ----------
    piece_a, piece_b : (P,) int64
    found : Distances
        One row a pair.
    """

    piece_a: Ints
    piece_b: Ints
    found: Distances

    def near(self) -> Near:
        """The pieces as pairs of pieces."""
        return Near(np.arange(len(self.piece_a)), self.piece_a, self.piece_b, self.found.distance)


def nearest(a: Side, b: Surfaces) -> Nearest:
    """The nearest pieces of each pair whose surfaces do not meet, all that may be nearer looked at."""
    count = len(b)
    asked = nearest_few(a.bodies, b.bodies, _FIRST)
    best = _best(_none(count), asked, distances(a, b, asked))
    waiting = may_be_nearest(a.bodies, b.bodies, best.found.distance)
    share = 4 * _FIRST
    while len(waiting):
        first = smallest_per_group(waiting.pair, waiting.bound, share)
        asked = waiting.take(first)
        best = _best(best, asked, distances(a, b, asked))
        later = np.ones(len(waiting), dtype=bool)
        later[first] = False
        waiting = waiting.take(later & (waiting.bound < best.found.distance[waiting.pair]))
        share *= 4
    return best


def _none(count: int) -> Nearest:
    result = Distances.empty(count)
    result.distance[:] = np.inf
    nothing = np.full(count, -1)
    return Nearest(nothing, nothing, result)


def _best(known: Nearest, asked: Near, found: Distances) -> Nearest:
    """The nearer of what was known and what was found of each pair; of equals the lower triangles."""
    order = np.lexsort((asked.b, asked.a, found.distance, asked.pair))
    first = order[np.unique(asked.pair[order], return_index=True)[1]]
    pair = asked.pair[first]
    better = found.distance[first] < known.found.distance[pair]
    first, pair = first[better], pair[better]
    piece_a, piece_b = known.piece_a.copy(), known.piece_b.copy()
    piece_a[pair], piece_b[pair] = asked.a[first], asked.b[first]
    for name, value in vars(known.found).items():
        value[pair] = getattr(found, name)[first]
    return Nearest(piece_a, piece_b, known.found)


def _pieces(a: Side, b: Surfaces, of: Near) -> tuple[PairAlgorithm[Any, Triangles], Any, Triangles]:
    """What answers about these pieces, and the pieces of A and of B."""
    first, second = pieces(a, of.pair, of.a), Triangles(b.placed(of.pair, of.b))
    return algorithm(first.kind, Kind.TRIANGLE), first, second


def named(of: Side, row: Ints, triangle: Ints, feature: Ints) -> Ints:
    """Features of triangles as features of their meshes; those of other shapes as they are."""
    if isinstance(of, Whole):
        return feature
    result = feature.copy()
    for number, mesh in enumerate(of.meshes):
        mine = np.flatnonzero((of.mesh[row] == number) & (feature[:, 0] >= 0))
        which, corner = triangle[mine], feature[mine, 1] % 3
        result[mine, 1] = np.select(
            [feature[mine, 0] == FeatureKind.VERTEX, feature[mine, 0] == FeatureKind.EDGE],
            [mesh.welded_triangles[which, corner], mesh.edges.of_triangle[which, corner]],
            which,
        )
    return result


def _blocks(count: int) -> list[Ints]:
    return [np.arange(first, min(first + _BLOCK, count)) for first in range(0, count, _BLOCK)]
