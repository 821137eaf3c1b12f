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

from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ...kernels import convex_ways, ways
from ...numerics.rows import ragged_blocks, rows_of_each, smallest_per_group
from ...numerics.steps import exhausted
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import length, normalized
from ...shapes import Kind
from ...shapes.sides import chosen
from ..convex_table import EITHER_ORDER
from .interference import Deepest, Problems, deepest_points
from .intersection import Intersection, mean_normals
from .leaf_queries import convex_of, piece_room, tree_of
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
# Number of triangles of the meshes that are moved in one step, each counted for each of its directions; and of
# levels of the trees of meshes at convex shapes, of whose triangles few are visited.
_TOGETHER, _LEVELS = 1 << 20, 1 << 11


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
    done, far, limit = np.zeros(len(row), dtype=bool), way[at], most.copy()
    if isinstance(a, MeshRows):
        advance, most_together = _ways(a, b), _TOGETHER
        size = np.left_shift(1, a.bodies.levels) + np.left_shift(1, b.bodies.levels)
        along = np.einsum("kji,kj->ki", a.bodies.rotation[row], along)
    else:
        advance, most_together, size = _convex_ways(a, b), _LEVELS, b.bodies.levels + 1
    for some in ragged_blocks(size[row], most_together):
        advance(row[some], along[some], limits, limit, far[some], done[some])
        yield
    way[at] = far
    return done


def _ways(a: MeshRows, b: MeshRows) -> Callable[..., None]:
    """The kernel for two meshes, which takes directions in A's frame."""
    between = np.ascontiguousarray(frames(a, b).T)
    return partial(ways.advance, tree_of(a.bodies), tree_of(b.bodies), between)


def _convex_ways(a: ConvexRows, b: MeshRows) -> Callable[..., None]:
    """The kernel for a convex shape and a mesh; see `convex_of`."""
    shapes, frame = convex_of(a, b)
    advance, tree = chosen(convex_ways.advance, "convex_ways.advance", shapes.side), tree_of(b.bodies)

    def advanced(*directions: Any) -> None:
        # The room is that of the thread in which a step runs.
        advance(shapes, tree, frame, piece_room(), *directions)

    return advanced
