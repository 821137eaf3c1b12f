# SPDX-License-Identifier: GPL-3.0-or-later
"""First contact of bodies made of convex pieces in motion: that of the first pieces that touch.

Compounds and surfaces are unions of convex pieces. A shape outside a solid mesh touches the surface of the mesh before
its interior. The first contact is therefore always between two convex shapes, and has the same accuracy as theirs.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..narrow_phase.algorithm import PairAlgorithm
from ..narrow_phase.mesh import unbounded_mesh
from ..narrow_phase.mesh.bvh_traversal import LeafPairs, near
from ..narrow_phase.mesh.operands import MeshRows, ShapeRows, Trees, pieces
from ..narrow_phase.mesh.orientation import oriented_rows, oriented_side
from ..numerics.rows import smallest_per_group
from ..numerics.tolerances import EPS, ROUNDING_STEPS
from ..numerics.types import Floats, Ints
from ..numerics.vectors import dot, length
from ..query.operands import Operand
from ..query.part_pairs import part_pairs
from ..results import Distances, Impacts, put_hits
from ..shapes import HalfSpaces, Planes, Spheres, Triangles
from .first_contacts import swept_slack
from .motion import Ball, Motion, RigidMotion, rotations_by

# Query for first contacts of rows of two operands: (a, b, rows (P, 2), motions of the pairs, margin (P,), iterations).
Query = Callable[[Operand, Operand, Ints, Motion, Motion, Floats, int], Impacts]
Motions = tuple[Any, Any]
Algorithm = PairAlgorithm[Any, Any]

# The maximum number of pairs of pieces per section of the displacement, and the shortest section as a fraction of the
# relevant part. Many short sections take less time than few long ones, because no section after the first contact is
# searched.
_MOST_PIECES = 1 << 10
_SHORTEST = 2.0**-10
# Radians: the greatest rotation in a section.
_TURN = 0.5


def of_bodies(
    pair: Algorithm, a: Any, b: Any, motions: Motions, margin: Floats, max_iterations: int, query: Query
) -> Impacts:
    """First contact of each row of A and B, one of which has parts. Motions and margins are those of the rows."""
    parts = part_pairs(a, b)
    move_a, move_b = (motion.take(parts.pair) for motion in motions)
    found = query(parts.a, parts.b, parts.rows, move_a, move_b, margin[parts.pair], max_iterations)
    result = _earliest(found, parts.pair, len(a))
    rows = np.flatnonzero(result.time == 0.0)
    if len(rows):
        # The point and the normal of pairs that touch at the start are those of the bodies at rest.
        touching = pair.distance(a.take(rows), b.take(rows))
        result.point[rows], result.normal[rows] = (touching.point_a + touching.point_b) / 2.0, touching.normal
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
    """First contact of each row of A and of the meshes B. Half-spaces and planes against meshes do not rotate."""
    count = len(b)
    result = Impacts.misses(count)
    at_start = pair.distance(a, b)
    slack = at_start.rounding + ROUNDING_STEPS * EPS * margin
    started = at_start.distance - margin <= slack
    middle = (at_start.point_a[started] + at_start.point_b[started]) / 2.0
    put_hits(result, started, 0.0, middle, at_start.normal[started])
    rows = np.flatnonzero(~started)
    if isinstance(a, HalfSpaces | Planes):
        moves = motions[0].take(rows), motions[1].take(rows)
        result.put(rows, _of_surfaces(a.take(rows), b.take(rows), moves, margin[rows], max_iterations, query))
        return result
    window = _window(pair, a, b, motions, margin, at_start, rows)
    rows = rows[window[0] <= window[1]]
    window = window[:, window[0] <= window[1]]
    if len(rows):
        moves = motions[0].take(rows), motions[1].take(rows)
        found = _of_pieces(a.take(rows), b.take(rows), moves, margin[rows], window, max_iterations, query)
        result.put(rows, found)
    return result


def _window(
    pair: Algorithm, a: Any, b: Any, motions: Motions, margin: Floats, at_start: Distances, rows: Ints
) -> Floats:
    """Return when these rows can touch, given their distances at the start and, if they rotate, at the end: (2, R).

    The distance changes at most at the greatest relative speed of two points. If they can never touch, the end is
    before the begin.
    """
    moves = motions[0].take(rows), motions[1].take(rows)
    speed = length(moves[1].velocity - moves[0].velocity)
    for motion, batch in zip(moves, (a, b), strict=True):
        speed += length(motion.angular_velocity) * motion.arm(*batch.take(rows).bounding_spheres())
    # A generous bound of the rounding of distances, speeds and places.
    slack = 4.0 * at_start.rounding[rows] + swept_slack(speed + margin[rows])
    with np.errstate(divide="ignore", invalid="ignore"):
        begin = np.where(speed > 0.0, (at_start.distance[rows] - margin[rows] - slack) / speed, 2.0)
    begin = np.maximum(begin, 0.0)
    end = np.ones(len(rows))
    turning = np.flatnonzero((begin <= 1.0) & (moves[0].is_rotating() | moves[1].is_rotating()))
    if len(turning):
        ends = [
            batch.take(rows[turning]).placed(*of.take(turning).pose(np.ones(len(turning))))
            for batch, of in zip((a, b), moves, strict=True)
        ]
        # Pairs that overlap at the end may touch at any time until then. The depth of their overlap does not matter.
        apart = np.flatnonzero(~pair.overlap(*ends))
        if len(apart):
            at_end, turning = pair.distance(*(batch.take(apart) for batch in ends)), turning[apart]
            left = at_end.distance - margin[rows[turning]] - slack[turning] - 4.0 * at_end.rounding
            end[turning] = np.minimum(1.0 - left / speed[turning], 1.0)
    return np.stack([np.where(begin <= 1.0, begin, 2.0), end])


def _earliest(found: Impacts, body: Ints, count: int) -> Impacts:
    """The first contact of each body. It is undecided if an undecided contact of a part may be earlier."""
    result = Impacts.misses(count)
    first = smallest_per_group(body, np.where(found.decided, found.time, found.safe))
    result.put(body[first], found.take(first))
    return result


def _of_surfaces(
    a: HalfSpaces | Planes, b: Any, motions: Motions, margin: Floats, max_iterations: int, query: Query
) -> Impacts:
    """Half-spaces and planes against meshes, separated at the start: the contact of the first vertex to touch."""
    rows, vertex = unbounded_mesh.foremost(a, b)
    move_a, move_b = (motion.take(rows) for motion in motions)
    points = Spheres(vertex, np.zeros(len(rows)))
    pairs = np.stack([rows, np.arange(len(rows))], axis=1)
    return _earliest(query(a, points, pairs, move_a, move_b, margin[rows], max_iterations), rows, len(b))


def _of_pieces(
    a: Any, b: Any, motions: Motions, margin: Floats, window: Floats, max_iterations: int, query: Query
) -> Impacts:
    """Bounded shapes, separated at the start: the contacts of pieces close to each other, section by section.

    The shapes can touch only within `window` (2, P). In each section, the pieces of rotating shapes have the rotation
    of the middle of the section. They deviate from it by at most `swing`.
    """
    first, second = oriented_side(a), oriented_rows(b)
    way = motions[1].velocity - motions[0].velocity
    extent = np.abs(first.bodies.translation) + np.abs(second.bodies.translation)
    extent += sum(np.abs(motion.velocity) + np.abs(motion.pivot) for motion in motions)
    reach = margin + swept_slack(first.bodies.reach + second.bodies.reach + margin + extent.sum(axis=1))
    balls = a.bounding_spheres(), b.bounding_spheres()
    arms = [motion.arm(*ball) for motion, ball in zip(motions, balls, strict=True)]
    spins = [length(motion.angular_velocity) for motion in motions]
    swerve = sum(motion.max_deviation(ball[0]) for motion, ball in zip(motions, balls, strict=True))
    begin, end = _within(balls, way, reach + swerve)
    begin, end = np.maximum(begin, window[0]), np.minimum(end, window[1])
    spin = np.maximum(*spins)
    with np.errstate(divide="ignore"):
        longest = np.where(spin > 0.0, _TURN / spin, np.inf)
    stretch = np.clip(end - begin, 0.0, longest)
    shortest = _SHORTEST * stretch
    result = Impacts.misses(len(b))
    rows = np.flatnonzero(begin <= end)
    while len(rows):
        until = np.minimum(begin[rows] + stretch[rows], end[rows])
        duration, middle = until - begin[rows], (begin[rows] + until) / 2.0
        swing = sum(
            2.0 * np.sin(np.minimum(w[rows] * duration / 4.0, np.pi / 2.0)) * r[rows]
            for w, r in zip(spins, arms, strict=True)
        )
        still = _turned(first.bodies.take(rows), motions[0].take(rows), middle)
        moved = _turned(second.bodies.take(rows), motions[1].take(rows), middle, way[rows] * begin[rows, None])
        candidates = near(still, moved, reach[rows] + swing, way[rows] * duration[:, None])
        few = np.bincount(candidates.pair, minlength=len(rows)) <= _MOST_PIECES
        few |= stretch[rows] <= shortest[rows]
        stretch[rows] = np.minimum(np.where(few, 2.0 * stretch[rows], stretch[rows] / 4.0), longest[rows])
        candidates = candidates.take(few[candidates.pair])
        which = rows[candidates.pair]
        found = _of_candidates(first, second, candidates, which, motions, margin, max_iterations, query)
        best = _earliest(found, which, len(b))
        sooner = np.minimum(best.time, best.safe) < np.minimum(result.time, result.safe)
        sooner |= best.hit & ~result.hit & result.decided
        result.put(sooner, best.take(sooner))
        begin[rows] = np.where(few, until, begin[rows])
        known = np.where(result.hit, result.time, np.where(result.decided, np.inf, result.safe))
        rows = rows[(begin[rows] < np.minimum(end[rows], known[rows]))]
    return result


def _turned(bodies: Trees, motion: RigidMotion, time: Floats, shift: Floats | None = None) -> Trees:
    """Trees with the rotation at a given time, otherwise at their places at time 0, translated by `shift` if given."""
    place = bodies.translation if shift is None else bodies.translation + shift
    if not motion.is_rotating().any():
        return replace(bodies, translation=place)
    turn = rotations_by(motion.angular_velocity * time[:, None])
    spoke = bodies.translation - motion.pivot
    place = place + (np.matmul(turn, spoke[:, :, None])[:, :, 0] - spoke)
    return replace(bodies, rotation=turn @ bodies.rotation, translation=place)


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


def _within(balls: tuple[Ball, Ball], way: Floats, reach: Floats) -> tuple[Floats, Floats]:
    """Return when bounding spheres of each pair are near each other, within [0, 1]. If never, the end is before."""
    (center_a, radius_a), (center_b, radius_b) = balls
    apart, radius, far = center_b - center_a, radius_a + radius_b + reach, length(way)
    unit = way / np.where(far > 0.0, far, 1.0)[:, None]
    middle = -dot(apart, unit)
    aside = length(apart + middle[:, None] * unit)
    half = np.sqrt(np.maximum(radius - aside, 0.0) * (radius + aside))
    near_by = (aside <= radius) & ((far > 0.0) | (length(apart) <= radius))
    with np.errstate(divide="ignore", invalid="ignore"):
        # Without a displacement, they are near each other at all times.
        begin, end = np.where(far > 0.0, (middle - half) / far, 0.0), np.where(far > 0.0, (middle + half) / far, 1.0)
    slack = 4.0 * EPS * np.abs(end) + swept_slack(np.ones(len(far)))
    begin, end = np.maximum(begin - slack, 0.0), np.minimum(end + slack, 1.0)
    return np.where(near_by, begin, 1.0), np.where(near_by, end, 0.0)
