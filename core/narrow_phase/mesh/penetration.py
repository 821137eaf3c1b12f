# SPDX-License-Identifier: GPL-3.0-or-later
"""A translation that separates a shape (A) and a mesh (B). It is verified that B is free after the translation.

For one direction, the first free position is found. Two convex pieces that penetrate each other do so until B has moved
by their separating translation along the direction. A point of one boundary inside the other solid stays inside until
its ray hits the surface. So B moves by the longest of these translations. This is repeated until no pieces penetrate
and no point of either body is inside the other. Touching is free: a peg that touches the walls of its hole slides.

Several directions are tried: the normals of the intersecting faces, the axes of both shapes, and the separating
direction of the convex hulls. None depends on the axes of the world. Pairs whose extents along one of the shapes' own
directions overlap by no more than rounding need no search. The shortest translation found is returned. For convex
solids it is the penetration depth. For other shapes a shorter one may exist, along a direction that was not tried or
along a bent path.
"""

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from ...convex.gjk import separating_gap
from ...convex.polytopes.placed import PolytopeSupport, polytopes
from ...kernels import ways
from ...numerics.rows import ragged_blocks, rows_of_each, smallest_per_group
from ...numerics.steps import exhausted
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot, length, normalized
from ...shapes import Capsules, Cylinders, Kind, Spheres, SupportMapped, Triangles
from ...shapes.support_mapped import Supported
from ..convex_table import EITHER_ORDER
from .bvh_traversal import LeafPairs
from .interference import Deepest, Problems, deepest_points
from .intersection import Intersection, mean_normals
from .leaf_queries import distances, penetrating, tree_of, within
from .operands import (
    ConvexRows,
    MeshRows,
    ShapeRows,
    axes_of,
    box_centers,
    frames,
    hulls_of,
    in_world,
    reaches,
    slack_of,
)
from .ray_casting import hits, inside
from .verdicts import inner_points

# Limit on the product of the edge counts of two hulls, up to which the hulls are separated exactly.
_EDGES = 1 << 16
# Number of contact regions per pair that give directions: the largest ones.
_REGIONS = 4
# Maximum number of rounds; then the best translation found so far is returned. The one that separates the extents is
# always valid.
_MOST_ROUNDS = 64
# Number of Newton steps towards the end of a separating translation. The gap is convex along the direction, and three
# are usually enough.
_STEPS = 12
# Number of triangles of the meshes that are moved in one step, each counted for each of its directions.
_TOGETHER = 1 << 20


def directions(shared: Intersection) -> tuple[Ints, Floats]:
    """Candidate directions for each pair from both shapes and from the regions: the pair (K,) and the unit vector."""
    row, along = directions_of_shapes(shared.a, shared.b)
    more, normal = directions_of_regions(shared)
    return np.append(row, more), np.concatenate([along, normal])


def directions_of_shapes(a: ShapeRows, b: MeshRows) -> tuple[Ints, Floats]:
    """Directions from the convex hulls of both shapes, from their axes and from their boxes' centers."""
    every = np.arange(len(b))
    found = [hull_normals(a, b)]
    for side in (a, b):
        axes = axes_of(side)
        turned = np.einsum("nij,kj->nki", side.bodies.rotation, axes)
        found.append((np.repeat(every, len(axes)), turned.reshape(-1, 3)))
    found.append((every, box_centers(b) - box_centers(a)))
    row, along = (np.concatenate(part) for part in zip(*found, strict=True))
    size = length(along)
    sure = size > 0.0
    return row[sure], along[sure] / size[sure, None]


def hull_normals(a: ShapeRows, b: MeshRows) -> tuple[Ints, Floats]:
    """Normals between the convex hulls of pairs with few hull edges: pairs (K,), normals (K, 3)."""
    first, edges_a = hulls_of(a)
    second, edges_b = hulls_of(b)
    row = np.flatnonzero(edges_a * edges_b <= _EDGES)
    if first is None or second is None or not len(row):
        return row[:0], np.empty((0, 3))
    return row, EITHER_ORDER[first.kind, Kind.HULL].distance(first.take(row), second.take(row)).normal


def directions_of_regions(shared: Intersection) -> tuple[Ints, Floats]:
    """Mean normals of both shapes in the largest regions, and the opposite directions: pairs and directions."""
    found = mean_normals(shared)
    pair = shared.regions.pair[found.region]
    largest = smallest_per_group(pair, -found.count.astype(np.float64), _REGIONS)
    both = normalized(found.normal_a - found.normal_b, np.zeros(3))
    ways = [found.normal_a, -found.normal_b, both, -found.normal_a, found.normal_b]
    along = np.concatenate([normal[largest] for normal in ways])
    size = length(along)
    sure = size > 0.0
    return np.tile(pair[largest], len(ways))[sure], along[sure] / size[sure, None]


@dataclass(frozen=True)
class Translation:
    """A separating translation of each pair.

    Attributes
    ----------
    length : (P,) float64
        At least zero.
    direction : (P, 3) float64
        Unit. B translated by ``length * direction`` at most touches A.
    """

    length: Floats
    direction: Floats


def by_extents(a: ShapeRows, b: MeshRows) -> Translation:
    """The shortest translation of each pair that separates its extents along one of the shapes' own directions."""
    row, along = directions_of_shapes(a, b)
    best, chosen = np.full(len(b), np.inf), np.zeros((len(b), 3))
    _improve(best, chosen, row, along, reaches(a, row, along) + reaches(b, row, -along))
    return Translation(best, chosen)


def _improve(best: Floats, chosen: Floats, row: Ints, along: Floats, way: Floats) -> None:
    """Write free translations of rows (K,) where they are shorter than the `best` ones (P,), in place."""
    # If an index is repeated, the last value written remains: the first of the shortest ones.
    order = np.argsort(way, kind="stable")[::-1]
    order = order[way[order] < best[row[order]]]
    best[row[order]], chosen[row[order]] = np.maximum(way[order], 0.0), along[order]


def separating_translation(shared: Intersection, inner: Deepest) -> Generator[None, None, Translation]:
    """Find a separating translation for each pair, given the deepest points of the pairs, which penetrate, in steps."""
    a, b = shared.a, shared.b
    row, along = directions(shared)
    yield
    best, chosen = np.full(len(b), np.inf), np.zeros((len(b), 3))
    # The translation that separates the extents of A and B along the direction is always valid.
    whole = reaches(a, row, along) + reaches(b, row, -along)
    _improve(best, chosen, row, along, whole)
    order = np.lexsort((whole, row))
    row, along = row[order], along[order]
    slack = slack_of(a, b)
    way = np.maximum(_ray_distances(a, b, inner, row, along), 0.0)
    going = np.arange(len(row))
    for _ in range(_MOST_ROUNDS):
        going = going[way[going] < best[row[going]] - slack[row[going]]]
        if not len(going):
            break
        done = yield from _advance(a, b, row[going], along[going], 4.0 * slack, best - slack, way, going)
        yield
        ready = going[done]
        ready = ready[way[ready] < best[row[ready]] - slack[row[ready]]]
        ready = ready[smallest_per_group(row[ready], way[ready])]
        mine = row[ready]
        here = Intersection(a.take(mine), b.take(mine, way[ready, None] * along[ready]))
        level = 4.0 * slack_of(here.a, here.b)
        found = deepest_points(here, Problems.of_pairs(here), level)
        yield
        free = found.best <= level
        _improve(best, chosen, mine[free], along[ready[free]], way[ready[free]])
        step = _ray_distances(here.a, here.b, found, np.arange(len(mine)), along[ready])
        way[ready] += step
        stuck = free | (step <= slack[mine])
        going = np.setdiff1d(going, ready[stuck], assume_unique=True)
    return Translation(best, chosen)


def exit_distances(a: ShapeRows, b: MeshRows, along: Floats, level: Floats, most: Floats) -> Floats:
    """Return lower bounds of the distances by which B must move along unit vectors (P, 3) to leave A, (P,).

    The pairs penetrate. Pieces with a depth of at most `level` (P,) only touch. Distances longer than `most` (P,) need
    not be exact.
    """
    every, way = np.arange(len(b)), np.zeros(len(b))
    slack = slack_of(a, b)
    level = np.maximum(level, 4.0 * slack)
    exhausted(_advance(a, b, every, along, level, most, way, every))
    # If the surfaces do not penetrate each other, one body is inside the other, or the surfaces coincide.
    rows = np.flatnonzero(way <= slack)
    way[rows] = _inner_distances(a.take(rows), b.take(rows), along[rows])
    rows = rows[way[rows] <= slack[rows]]
    if len(rows):
        here = Intersection(a.take(rows), b.take(rows))
        inner = deepest_points(here, Problems.of_pairs(here), level[rows])
        way[rows] = _ray_distances(here.a, here.b, inner, np.arange(len(rows)), along[rows])
    return way


def _inner_distances(a: ShapeRows, b: MeshRows, along: Floats) -> Floats:
    """Return how far B must move along unit vectors (P, 3) until no inner point of either body is inside the other."""
    result = np.zeros(len(b))
    if isinstance(a, ConvexRows):
        return result
    both = a.has_volume() & b.has_volume()
    for own, solid, sign in ((a, b, -1.0), (b, a, 1.0)):
        for number, rows in rows_of_each(np.where(both, own.mesh, -1)):
            if number < 0:
                continue
            middles = inner_points(own.meshes[number])[0]
            row = np.repeat(rows, len(middles))
            point = in_world(own.bodies, row, np.tile(middles, (len(rows), 1))[:, None])[:, 0]
            within = inside(solid, row, point)
            row, point = row[within], point[within]
            ahead = hits(solid, row, point, sign * along[row]).distance
            np.maximum.at(result, row, np.where(np.isfinite(ahead), ahead, 0.0))
    return result


def _ray_distances(a: ShapeRows, b: MeshRows, inner: Deepest, row: Ints, along: Floats) -> Floats:
    """Return how far B must move along directions of rows (K,) until points inside have left the other body, (K,).

    Problems of the deepest points are the rows.
    """
    result = np.zeros(len(row))
    start = np.searchsorted(row, np.arange(len(b) + 1)) if (np.diff(row) >= 0).all() else None
    assert start is not None
    for solid, parts, sign in ((b, (inner.of_a, inner.middle_a), -1.0), (a, (inner.of_b, inner.middle_b), 1.0)):
        if isinstance(solid, ConvexRows):
            continue
        for points in parts:
            which = np.full(len(b), -1)
            which[points.row] = np.arange(len(points))
            asked = np.flatnonzero(which[row] >= 0)
            at = which[row[asked]]
            ahead = hits(solid, row[asked], points.point[at], sign * along[asked]).distance
            result[asked] = np.maximum(result[asked], np.where(np.isfinite(ahead), ahead, 0.0))
    return result


def _advance(
    a: ShapeRows, b: MeshRows, row: Ints, along: Floats, level: Floats, most: Floats, way: Floats, at: Ints
) -> Generator[None, None, Bools]:
    """Move B along directions of rows (K,) until no pieces penetrate, in steps: changes `way` at these places.

    Pieces with a depth of at most `level` (P,) only touch. Returns which are done; the others are as long
    as another direction of their row, or as `most` (P,) is.
    """
    limits = np.stack([slack_of(a, b), level], axis=1)
    done = np.zeros(len(row), dtype=bool)
    if isinstance(a, MeshRows):
        between = np.ascontiguousarray(frames(a, b).T)
        local = np.einsum("kji,kj->ki", a.bodies.rotation[row], along)
        far, limit = way[at], most.copy()
        size = np.left_shift(1, a.bodies.levels) + np.left_shift(1, b.bodies.levels)
        for some in ragged_blocks(size[row], _TOGETHER):
            moved = row[some], local[some], limits, limit, far[some], done[some]
            ways.advance(tree_of(a.bodies), tree_of(b.bodies), between, *moved)
            yield
        way[at] = far
        return done
    going = np.arange(len(row))
    while len(going):
        mine = row[going]
        here_a, here_b = a.take(mine), b.take(mine, way[at[going], None] * along[going])
        pieces = within(here_a, here_b, 0.0 * limits[mine, 0])
        pieces = pieces.take(penetrating(here_a, here_b, pieces, limits[mine, 1]))
        step = np.zeros(len(going))
        np.maximum.at(step, pieces.pair, _piece_distances(here_a, here_b, pieces, along[going[pieces.pair]]))
        way[at[going]] += step
        still = step <= limits[mine, 0]
        done[going[still]] = True
        going = going[~still]
        going = going[way[at[going]] < most[row[going]]]
        yield
    return done


def _piece_distances(a: ConvexRows, b: MeshRows, leaves: LeafPairs, along: Floats) -> Floats:
    """Return how far triangles of B must move along unit directions (K, 3) to leave a convex shape, (K,)."""
    if not len(leaves):
        return np.zeros(0)
    slack = slack_of(a, b)[leaves.pair]
    corners = b.placed(leaves.pair, leaves.b)
    way = np.maximum(a.support_distance(leaves.pair, along) - dot(corners, along[:, None]).min(axis=1), 0.0)
    gap = _Gaps(a, b, leaves, along)
    going = np.flatnonzero(way > slack)
    moved = way.copy()
    for _ in range(_STEPS):
        if not len(going):
            break
        # From the free side: the separating plane gives a lower bound of how far B can move back.
        distance, normal = gap.at(going, moved[going])
        slope = dot(normal, along[going])
        back = distance / np.where(slope > 0.0, slope, 1.0)
        can = (distance > slack[going]) & (slope > 0.0)
        moved[going[can]] = np.maximum(moved[going[can]] - back[can], 0.0)
        going = going[can & (moved[going] > 0.0)]
    return moved


class _Gaps:
    """Distances between convex shapes and triangles that are translated along their directions."""

    def __init__(self, a: ConvexRows, b: MeshRows, leaves: LeafPairs, along: Floats) -> None:
        self.a, self.b, self.of, self.along = a, b, leaves, along
        self.cores: tuple[Supported, PolytopeSupport] | None = None
        # Round shapes have closed forms, which are faster.
        if isinstance(a.shapes, Spheres | Capsules | Cylinders):
            return
        every, origin = np.arange(len(leaves)), a.interior_point()[leaves.pair]
        shapes, corner = a.shapes.take(leaves.pair), b.placed(leaves.pair, leaves.b)
        left: Supported
        if isinstance(shapes, SupportMapped):
            left = shapes.seen_from(origin)
        else:
            left = PolytopeSupport.of(polytopes(shapes).take(every, origin))
        self.cores = left, PolytopeSupport.of(polytopes(Triangles(corner)).take(every, origin))
        self.start = origin - corner.mean(axis=1)

    def at(self, rows: Ints, way: Floats) -> tuple[Floats, Floats]:
        """Distances of these pieces after translations `way` (K,), 0.0 if they intersect, and normals (K, 3)."""
        gone = way[:, None] * self.along[rows]
        if self.cores is not None:
            left, right = self.cores[0].take(rows), self.cores[1].take(rows)
            return separating_gap(left, replace(right, translation=right.translation + gone.T), self.start[rows] - gone)
        part = self.of.take(rows)
        there = LeafPairs(np.arange(len(rows)), part.a, part.b, part.bound)
        found = distances(self.a.take(part.pair), self.b.take(part.pair, gone), there)
        return np.where(found.distance > found.rounding, found.distance, 0.0), found.normal
