# SPDX-License-Identifier: GPL-3.0-or-later
"""First contact of bodies made of convex pieces in motion: that of the first pieces that touch.

Compounds and surfaces are the unions of their pieces. A shape outside a solid mesh touches the surface of the mesh
before its interior. All first contacts are therefore those of convex shapes, and have the same accuracy.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..narrow_phase.algorithm import PairAlgorithm
from ..narrow_phase.mesh import unbounded_mesh
from ..narrow_phase.mesh.bvh_traversal import LeafPairs, near
from ..narrow_phase.mesh.operands import MeshRows, ShapeRows, mesh_rows, pieces, side
from ..numerics.rows import smallest_per_group
from ..numerics.tolerances import EPS, ROUNDING_STEPS
from ..numerics.types import Floats, Ints
from ..numerics.vectors import dot, length
from ..query.dispatch import Operand, part_pairs
from ..results import Impacts
from ..shapes import HalfSpaces, Planes, Spheres, Triangles
from .first_contacts import swept_slack
from .motion import Motion, RigidMotion

# Query for first contacts of rows of two operands: (a, b, rows (P, 2), motions of the pairs, margin (P,), iterations).
Query = Callable[[Operand, Operand, Ints, Motion, Motion, Floats, int], Impacts]
Motions = tuple[Any, Any]
Algorithm = PairAlgorithm[Any, Any]

# Most pairs of pieces per section of the displacement, and the shortest section as a fraction of the relevant part.
_MOST_PIECES = 1 << 16
_SHORTEST = 2.0**-10


def of_bodies(
    pair: Algorithm, a: Any, b: Any, motions: Motions, margin: Floats, max_iterations: int, query: Query
) -> Impacts:
    """First contact of each row of A and B, one of which has parts. Motions and margins are those of the rows."""
    parts = part_pairs(a, b)
    move_a, move_b = (motion.take(parts.pair) for motion in motions)
    found = query(parts.a, parts.b, parts.rows, move_a, move_b, margin[parts.pair], max_iterations)
    result = _earliest(found, parts.pair, len(a))
    _measured(pair, a, b, np.flatnonzero(result.time == 0.0), result)
    return result


def of_meshes(
    pair: Algorithm,
    a: Any,
    b: Any,
    motions: tuple[RigidMotion, RigidMotion],
    margin: Floats,
    max_iterations: int,
    query: Query,
) -> Impacts:
    """First contact of each row of A and of the meshes B. The meshes do not rotate."""
    count = len(b)
    result = Impacts.misses(count)
    at_start = pair.distance(a, b)
    slack = at_start.rounding + ROUNDING_STEPS * EPS * margin
    started = at_start.distance - margin <= slack
    result.hit[started], result.time[started], result.safe[started] = True, 0.0, 0.0
    result.point[started] = (at_start.point_a[started] + at_start.point_b[started]) / 2.0
    result.normal[started] = at_start.normal[started]
    rows = np.flatnonzero(~started)
    if len(rows):
        moves = motions[0].take(rows), motions[1].take(rows)
        method = _of_surfaces if isinstance(a, HalfSpaces | Planes) else _of_pieces
        found = method(a.take(rows), b.take(rows), moves, margin[rows], max_iterations, query)
        for name, value in vars(found).items():
            getattr(result, name)[rows] = value
    return result


def _earliest(found: Impacts, body: Ints, count: int) -> Impacts:
    """The first contact of each body. It is undecided if an undecided contact of a part may be earlier."""
    result = Impacts.misses(count)
    first = smallest_per_group(body, np.where(found.decided, found.time, found.safe))
    for name, value in vars(found).items():
        getattr(result, name)[body[first]] = value[first]
    return result


def _measured(pair: Algorithm, a: Any, b: Any, rows: Ints, result: Impacts) -> None:
    """Give pairs that touch at the start the point and normal of the bodies at rest."""
    if len(rows):
        touching = pair.distance(a.take(rows), b.take(rows))
        result.point[rows], result.normal[rows] = (touching.point_a + touching.point_b) / 2.0, touching.normal


def _of_surfaces(
    a: HalfSpaces | Planes, b: Any, motions: Motions, margin: Floats, max_iterations: int, query: Query
) -> Impacts:
    """Half-spaces and planes against meshes, separated at the start: the contact of the first vertex to touch."""
    rows, vertex = unbounded_mesh.foremost(a, b)
    move_a, move_b = (motion.take(rows) for motion in motions)
    points = Spheres(vertex, np.zeros(len(rows)))
    pairs = np.stack([rows, np.arange(len(rows))], axis=1)
    return _earliest(query(a, points, pairs, move_a, move_b, margin[rows], max_iterations), rows, len(b))


def _of_pieces(a: Any, b: Any, motions: Motions, margin: Floats, max_iterations: int, query: Query) -> Impacts:
    """Bounded shapes, separated at the start: the contacts of pieces close to each other, section by section."""
    first, second = side(a), mesh_rows(b)
    way = motions[1].velocity - motions[0].velocity
    extent = np.abs(first.bodies.translation) + np.abs(second.bodies.translation)
    extent += sum(np.abs(motion.velocity) for motion in motions)
    reach = margin + swept_slack(first.bodies.reach + second.bodies.reach + margin + extent.sum(axis=1))
    begin, end = _within(a, b, way, reach)
    stretch = np.maximum(end - begin, 0.0)
    shortest = _SHORTEST * stretch
    result = Impacts.misses(len(b))
    rows = np.flatnonzero(begin <= end)
    while len(rows):
        until = np.minimum(begin[rows] + stretch[rows], end[rows])
        sweep = way[rows] * (until - begin[rows])[:, None]
        moved = second.take(rows, way[rows] * begin[rows, None])
        candidates = near(first.bodies.take(rows), moved.bodies, reach[rows], sweep)
        few = np.bincount(candidates.pair, minlength=len(rows)) <= _MOST_PIECES
        few |= stretch[rows] <= shortest[rows]
        stretch[rows] = np.where(few, 2.0 * stretch[rows], stretch[rows] / 4.0)
        candidates = candidates.take(few[candidates.pair])
        which = rows[candidates.pair]
        found = _of_candidates(first, second, candidates, which, motions, margin, max_iterations, query)
        best = _earliest(found, which, len(b))
        sooner = np.minimum(best.time, best.safe) < np.minimum(result.time, result.safe)
        sooner |= best.hit & ~result.hit & result.decided
        for name, value in vars(best).items():
            getattr(result, name)[sooner] = value[sooner]
        begin[rows] = np.where(few, until, begin[rows])
        known = np.where(result.hit, result.time, np.where(result.decided, np.inf, result.safe))
        rows = rows[(begin[rows] < np.minimum(end[rows], known[rows]))]
    return result


def _of_candidates(
    first: ShapeRows,
    second: MeshRows,
    leaves: LeafPairs,
    row: Ints,
    motions: Motions,
    margin: Floats,
    max_iterations: int,
    query: Query,
) -> Impacts:
    """First contacts of pieces. `row` is the pair that each belongs to."""
    on_a, on_b = pieces(first, row, leaves.a), Triangles(second.placed(row, leaves.b))
    each = np.arange(len(row))
    move_a, move_b = (motion.take(row) for motion in motions)
    return query(on_a, on_b, np.stack([each, each], axis=1), move_a, move_b, margin[row], max_iterations)


def _within(a: Any, b: Any, way: Floats, reach: Floats) -> tuple[Floats, Floats]:
    """When bounding spheres of each pair are near each other, within [0, 1]. If never, the end is before the begin."""
    (center_a, radius_a), (center_b, radius_b) = a.bounding_spheres(), b.bounding_spheres()
    apart, radius, far = center_b - center_a, radius_a + radius_b + reach, length(way)
    unit = way / np.where(far > 0.0, far, 1.0)[:, None]
    middle = -dot(apart, unit)
    aside = length(apart + middle[:, None] * unit)
    half = np.sqrt(np.maximum(radius - aside, 0.0) * (radius + aside))
    near_by = (aside <= radius) & ((far > 0.0) | (length(apart) <= radius))
    with np.errstate(divide="ignore", invalid="ignore"):
        begin, end = (np.where(far > 0.0, of / far, 0.0) for of in (middle - half, middle + half))
    slack = 4.0 * EPS * np.abs(end) + swept_slack(np.ones(len(far)))
    begin, end = np.maximum(begin - slack, 0.0), np.minimum(end + slack, 1.0)
    return np.where(near_by, begin, 1.0), np.where(near_by, end, 0.0)
