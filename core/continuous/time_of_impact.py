# SPDX-License-Identifier: GPL-3.0-or-later
"""First and last time of contact of moving shapes, by conservative advancement that misses no impact.

At any time, the closest points of two separated convex shapes define a separating plane. The shapes cannot touch before
the gap is closed at the greatest possible speed along the plane's normal. They are advanced to that time, and the next
plane is computed (Mirtich, "Impulse-based Dynamic Simulation", 1996; Ericson, section 5.5). Without rotation, the speed
along the normal is known exactly. Such pairs have closed forms, or their planes give entry and exit times
(`cast_convex`). Compounds and meshes are unions of convex pieces (`cast_parts`), except meshes that rotate against
half-spaces and planes.

The methods in the order in which they are tried; each leaves the pairs that it cannot settle to the next:

| pairs | function | method |
|---|---|---|
| two boxes that do not rotate | `_by_kernel` | entry and exit times along the axes, in a kernel |
| any | `_by_bounds_and_closed_forms` | swept bounding spheres |
| kinds of `_CLOSED_FORMS` that do not rotate | `_by_bounds_and_closed_forms` | quadratic equations, or planes |
| compounds | `cast_parts.of_bodies` | the earliest pair of parts |
| convex shapes that do not rotate | `_by_planes_or_pieces` | separating planes, by GJK (`cast_convex`) |
| meshes | `_by_planes_or_pieces` | the earliest pair of pieces (`cast_parts.of_meshes`) |
| rotating shapes and half-spaces or planes | `_advance_rotating` | `advance_half_spaces` |
| rotating shapes that kernels can read | `_advance_rotating` | `advance_turning`, one kernel |
| other motions, other kinds | `_advance_generic` | conservative advancement, by `distance` |

The last contact is the first contact of the reversed motion.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import results
from ..convex.batch_sides import readable
from ..numerics.rows import RowTable, blocks, with_positive_zeros
from ..numerics.tolerances import ADVANCEMENT, EPS, ROUNDING_STEPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import row_lengths, whole_number
from ..numerics.vectors import length
from ..query.dispatch import Group, in_order, pair_groups
from ..query.operands import Operand, index_pairs, pair_margins, split
from ..results import Distances, Impacts, UnsupportedPair, put_hits
from ..shapes import Batch, HalfSpaces, Kind, Planes, Shapes
from ..shapes.batch import UNBOUNDED, BatchView, ShapeCollection
from . import cast_boxes, cast_convex, cast_parts, cast_polytopes, cast_round
from .conservative_advancement import advance_turning
from .first_contacts import FirstContacts, swept_slack, swept_spheres_disjoint
from .half_space_advancement import advance_half_spaces
from .motion import Ball, Motion, ReversedMotion, RigidMotion, motion_of

# Maximum number of iterations. For a grazing contact of round shapes, each iteration halves the remaining gap, which
# takes about thirty iterations. Rotating shapes that come close without touching take more iterations the closer they
# come.
MAX_ITERATIONS = 400

# The number of pairs processed together. Closed forms store many numbers for each pair, so their blocks are smaller
# than others.
_BLOCK = 4096

# Closed forms for translating pairs. They leave pairs that rounding could decide to conservative advancement.
ClosedForm = Callable[[Any, Any, Floats, Floats], FirstContacts]
KernelForm = Callable[[BatchView[Any], BatchView[Any], Floats, Floats], FirstContacts]
_CLOSED_FORMS: dict[tuple[Kind, Kind], ClosedForm] = {
    (Kind.SPHERE, Kind.SPHERE): cast_round.first_contacts,
    (Kind.SPHERE, Kind.CAPSULE): cast_round.first_contacts,
    (Kind.CAPSULE, Kind.CAPSULE): cast_round.first_contacts,
    (Kind.BOX, Kind.TRIANGLE): cast_polytopes.first_contacts,
    (Kind.BOX, Kind.HULL): cast_polytopes.first_contacts,
    (Kind.TRIANGLE, Kind.TRIANGLE): cast_polytopes.first_contacts,
    (Kind.TRIANGLE, Kind.HULL): cast_polytopes.first_contacts,
    (Kind.HULL, Kind.HULL): cast_polytopes.first_contacts,
}

# The same of rows that are not gathered, computed by kernels.
_KERNELS: dict[tuple[Kind, Kind], KernelForm] = {(Kind.BOX, Kind.BOX): cast_boxes.first_contacts}


def time_of_impact(
    a: Operand,
    b: Operand,
    pairs: ArrayLike | None = None,
    *,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    angular_velocity_a: ArrayLike | None = None,
    angular_velocity_b: ArrayLike | None = None,
    pivot_a: ArrayLike | None = None,
    pivot_b: ArrayLike | None = None,
    motion_a: Motion | None = None,
    motion_b: Motion | None = None,
    margin: ArrayLike = 0.0,
    max_iterations: int = MAX_ITERATIONS,
) -> Impacts:
    """First time in [0, 1] at which the shapes of each pair touch, with point and normal.

    Parameters
    ----------
    a, b : batch of shapes or World
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.
    velocity_a, velocity_b : (N, 3) array-like, optional
        Displacement of each shape over the interval. A single row applies to all shapes. None: no displacement.
    angular_velocity_a, angular_velocity_b : (N, 3) array-like, optional
        World-space axis times radians over the interval, about `pivot_a` and `pivot_b`.
    pivot_a, pivot_b : (N, 3) array-like, optional
        Points on the axes at time 0; they move with the shape. None: the origin.
    motion_a, motion_b : Motion, optional
        Any other motion, instead of velocities.
    margin : float or (P,) array-like
        Not negative. Pairs touch if they are at most this far apart. The point is then midway between them.
    max_iterations : int
        Pairs that need more iterations are undecided.

    Returns
    -------
    Impacts
        Without rotation, times are accurate to rounding and no contact is missed, however far shapes without thickness
        move. A gap counts as contact if it is at most 64 eps times the sum of the size, the distances from the origin
        and the displacements. With rotation, a pair counts as touching if it is at most `tolerances.ADVANCEMENT` of its
        size apart. A hit may then be early by the time needed to close that gap, but never late.

    Raises
    ------
    UnsupportedPair
        For two unbounded shapes.
    ValueError
        As for `distance`, and if a velocity has the wrong shape or is not finite, both velocities and a motion are
        given, `margin` is not a valid length, or `max_iterations` is not an integer of at least 0.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    >>> found = ck.time_of_impact(a, ck.Boxes([[4, 0, 0]], [[1, 1, 1]]), velocity_b=[[-4, 0, 0]])
    >>> found.hit, found.time, found.normal
    (array([ True]), array([0.5]), array([[1., 0., 0.]]))
    """
    rows = index_pairs(a, b, pairs)
    margin, steps = row_lengths(margin, "margin", len(rows)), whole_number(max_iterations, "max_iterations", 0)
    moves_a = motion_of(a, "a", (velocity_a, angular_velocity_a, pivot_a), motion_a)
    moves_b = motion_of(b, "b", (velocity_b, angular_velocity_b, pivot_b), motion_b)
    motions, margins = (moves_a.take(rows[:, 0]), moves_b.take(rows[:, 1])), pair_margins(a, b, rows)
    if margins is None:
        return with_positive_zeros(_impacts(a, b, rows, *motions, margin, steps))
    found = _impacts(a, b, rows, *motions, margin + margins.sum(axis=1), steps)
    # So far, the point is midway between the bare surfaces. NaN stays NaN.
    point = found.point + ((margins[:, 0] - margins[:, 1]) / 2.0)[:, None] * found.normal
    return with_positive_zeros(replace(found, point=point))


def _impacts(
    a: Operand, b: Operand, rows: Ints, motion_a: Motion, motion_b: Motion, margin: Floats, max_iterations: int
) -> Impacts:
    """First contact of each pair. Motions and margins are those of the pairs."""
    results.record_pairs(len(rows))
    result = Impacts.misses(len(rows))
    for group in pair_groups(a, b, rows):
        alone = len(group) == len(rows)
        moves = group.swapped(*(of if alone else of.take(group.rows) for of in (motion_a, motion_b)))
        left = _by_kernel(group, *moves, margin[group.rows], result)
        if not len(left):
            continue
        if len(left) < len(group):
            group, moves = group.take(left), (moves[0].take(left), moves[1].take(left))
        pending = _by_bounds_and_closed_forms(group, *moves, margin[group.rows], result)
        if Kind.COMPOUND in (pending.a.kind, pending.b.kind):
            motions = pending.motion_a, pending.motion_b
            found = cast_parts.of_bodies(
                group.pair, pending.a, pending.b, motions, pending.margin, max_iterations, _impacts
            )
            result.put(group.rows[pending.place], in_order(group, found))
            continue
        closed = pending.straight | _by_pieces(pending)
        rows_left = np.flatnonzero(closed)
        if len(rows_left):
            some = pending.take(rows_left)
            found = _by_planes_or_pieces(group, some, max_iterations)
            result.put(group.rows[some.place], in_order(group, found))
            pending = pending.take(np.flatnonzero(~closed))
        _advance_generic(group, _advance_rotating(group, pending, result, max_iterations), result, max_iterations)
    return result


def _by_pieces(pending: _Pairs) -> bool:
    """Whether the first contact of these pairs is that of pieces of meshes, even if they rotate."""
    if Kind.MESH not in (pending.a.kind, pending.b.kind) or isinstance(pending.a, HalfSpaces | Planes):
        return False
    return isinstance(pending.motion_a, RigidMotion) and isinstance(pending.motion_b, RigidMotion)


def _by_planes_or_pieces(group: Group, pending: _Pairs, max_iterations: int) -> Impacts:
    """First contact of pairs that do not rotate, and of pairs with meshes."""
    assert isinstance(pending.motion_a, RigidMotion) and isinstance(pending.motion_b, RigidMotion)
    if Kind.MESH in (pending.a.kind, pending.b.kind):
        moves = pending.motion_a, pending.motion_b
        return cast_parts.of_meshes(group.pair, pending.a, pending.b, moves, pending.margin, max_iterations, _impacts)
    velocities = pending.motion_a.velocity, pending.motion_b.velocity
    return cast_convex.first_contacts(group.pair, pending.a, pending.b, *velocities, pending.margin, max_iterations)


@dataclass
class _Pairs(RowTable):
    """Pairs of a group without a result yet."""

    place: Ints  # index in the group
    a: Batch
    b: Batch
    motion_a: Motion
    motion_b: Motion
    center_a: Floats  # of bounding spheres at time 0
    radius_a: Floats
    center_b: Floats
    radius_b: Floats
    straight: Bools  # without rotation, so that the speed along any normal is known exactly
    margin: Floats  # pairs that are this far apart already touch
    tolerance: Floats  # `tolerances.ADVANCEMENT` of the size
    time: Floats
    normal: Floats  # of the last separating plane, (P, 3); zero if there is none yet

    @property
    def ball_a(self) -> Ball:
        return self.center_a, self.radius_a

    @property
    def ball_b(self) -> Ball:
        return self.center_b, self.radius_b


def _straight(motion: Motion, count: int) -> Bools:
    """Return which rows do not rotate."""
    return ~motion.is_rotating() if isinstance(motion, RigidMotion) else np.zeros(count, dtype=bool)


def _by_kernel(group: Group, motion_a: Motion, motion_b: Motion, margin: Floats, result: Impacts) -> Ints:
    """Write the results of a kernel, if there is one, and return the other pairs."""
    count = len(group)
    closed_form = _KERNELS.get((group.a.batch.kind, group.b.batch.kind))
    if closed_form is None:
        return np.arange(count)
    rows = np.flatnonzero(_straight(motion_a, count) & _straight(motion_b, count) & (margin == 0.0))
    if not len(rows):
        return np.arange(count)
    some, velocities = group if len(rows) == count else group.take(rows), _velocities(motion_a, motion_b, rows)
    found = closed_form(some.a, some.b, *velocities)
    pending = np.ones(count, dtype=bool)
    pending[rows] = ~_write_settled(group, found, rows, velocities, result)
    return np.flatnonzero(pending)


def _velocities(motion_a: Motion, motion_b: Motion, rows: Ints) -> tuple[Floats, Floats]:
    """The velocities of rows that do not rotate."""
    assert isinstance(motion_a, RigidMotion) and isinstance(motion_b, RigidMotion)
    if len(rows) == len(motion_a.velocity):
        return motion_a.velocity, motion_b.velocity
    return motion_a.velocity.take(rows, axis=0), motion_b.velocity.take(rows, axis=0)


def _by_bounds_and_closed_forms(
    group: Group, motion_a: Motion, motion_b: Motion, margin: Floats, result: Impacts
) -> _Pairs:
    """Write the results of pairs that never come near each other or have a closed form, and return the other pairs."""
    count = len(group.rows)
    straight = _straight(motion_a, count) & _straight(motion_b, count)
    ball_a, ball_b = _balls(group.a), _balls(group.b)
    path, deviation = _max_deviation(motion_a, motion_b, ball_a, ball_b, straight)
    pending = np.empty(count, dtype=bool)
    for some in blocks(count):
        radius = ball_a[1][some] + ball_b[1][some] + margin[some]
        far = swept_spheres_disjoint(ball_a[0][some].T, ball_b[0][some].T, radius, path[some].T, deviation[some])
        np.logical_not(far, out=pending[some])
    results.record_resolved(results.BOUNDING_SPHERES, ~pending)
    result.safe[group.rows[~pending]] = 1.0
    closed_form = _CLOSED_FORMS.get((group.a.batch.kind, group.b.batch.kind))
    if closed_form is not None:
        # Closed forms do not support margins.
        plain = np.flatnonzero(pending & straight & (margin == 0.0))
        for some in blocks(len(plain), _BLOCK):
            rows = plain[some]
            velocities = _velocities(motion_a, motion_b, rows)
            found = closed_form(group.a.take(rows), group.b.take(rows), *velocities)
            pending[rows] = ~_write_settled(group, found, rows, velocities, result)
    rows = np.flatnonzero(pending)
    ball_a, ball_b = ((center[rows], radius[rows]) for center, radius in (ball_a, ball_b))
    radius_a, radius_b = (np.where(np.isfinite(radius), radius, 0.0) for _, radius in (ball_a, ball_b))
    return _Pairs(
        rows,
        group.a.take(rows),
        group.b.take(rows),
        motion_a.take(rows),
        motion_b.take(rows),
        *ball_a,
        *ball_b,
        straight[rows],
        margin[rows],
        ADVANCEMENT * (radius_a + radius_b),
        np.zeros(len(rows)),
        np.zeros((len(rows), 3)),
    )


def _balls(shapes: BatchView[Any]) -> Ball:
    """The bounding sphere of each row, computed once for each shape of the batch if that is not more work."""
    if len(shapes.batch) > len(shapes):
        ball: Ball = shapes.gathered().bounding_spheres()
        return ball
    center, radius = shapes.batch.bounding_spheres()
    return shapes.of_each(center), shapes.of_each(radius)


def _max_deviation(
    motion_a: Motion, motion_b: Motion, ball_a: Ball, ball_b: Ball, straight: Bools
) -> tuple[Floats, Floats]:
    """Displacement of B's bounding sphere relative to A's, and a bound of the additional approach by rotation."""
    relative, deviation = np.zeros((len(straight), 3)), np.zeros(len(straight))
    turning = np.flatnonzero(~straight)
    if isinstance(motion_a, RigidMotion) and isinstance(motion_b, RigidMotion):
        np.subtract(motion_b.velocity, motion_a.velocity, out=relative)
        # Rotation does not change the bounding sphere. Its center moves on an arc while the pivot moves straight.
        for rigid, (center, _) in ((motion_a, ball_a), (motion_b, ball_b)):
            deviation[turning] += rigid.take(turning).max_deviation(center[turning])
        return relative, deviation
    point = np.zeros(len(turning))
    for motion, (center, radius) in ((motion_a, ball_a), (motion_b, ball_b)):
        speed = motion.take(turning).max_speed(center[turning], point, point)
        deviation[turning] += np.where(np.isinf(radius[turning]), np.inf, speed)
    return relative, deviation


def _write_settled(
    group: Group, found: FirstContacts, rows: Ints, velocities: tuple[Floats, Floats], result: Impacts
) -> Bools:
    """Write the results of a closed form for these rows, and return which of them are settled."""
    touch = np.ones(len(found.rows), dtype=bool)
    # Where the closed form gives no point, the pair is measured and must prove to be touching.
    bare = np.flatnonzero(np.isnan(found.point[:, 0]))
    if len(bare):
        placed, path, at = [], np.zeros(len(bare)), found.rows[bare]
        for shapes, velocity in zip((group.a, group.b), velocities, strict=True):
            shift = velocity[at] * found.time[bare, None]
            placed.append(shapes.take(rows[at]).placed(np.eye(3)[None], shift))
            path += length(shift)
        measured = group.pair.distance(*placed)
        found.point[bare] = (measured.point_a + measured.point_b) / 2.0
        # If closest points coincide to rounding, their direction is meaningless.
        found.normal[bare] = np.where(np.isnan(found.normal[bare]), measured.normal, found.normal[bare])
        slack = 4.0 * measured.rounding + swept_slack(path)
        # The pair may overlap at the start, but not at a later first contact.
        touch[bare] = (measured.distance <= slack) & ((measured.distance >= -slack) | (found.time[bare] == 0.0))
        found.settled[found.rows] = touch
    places = group.rows[rows]
    result.safe[places[found.settled]] = 1.0
    hit = slice(None) if touch.all() else np.flatnonzero(touch)
    put_hits(result, places[found.rows[hit]], found.time[hit], found.point[hit], _turned(group, found.normal[hit]))
    return found.settled


def _advance_rotating(group: Group, pending: _Pairs, result: Impacts, max_iterations: int) -> _Pairs:
    """Settle rotating pairs by `advance_turning` or `advance_half_spaces`. Return those that neither supports."""
    if not len(pending.place):
        return pending
    if not (isinstance(pending.motion_a, RigidMotion) and isinstance(pending.motion_b, RigidMotion)):
        return pending
    motions = pending.motion_a, pending.motion_b
    shapes: tuple[Any, Any] = pending.a, pending.b
    if pending.a.kind in UNBOUNDED or pending.b.kind in UNBOUNDED:
        found = advance_half_spaces(
            group.pair, *shapes, motions, pending.margin, pending.tolerance, _position_error(pending), max_iterations
        )
    elif readable(*shapes):
        found = advance_turning(
            shapes,
            motions,
            (pending.ball_a, pending.ball_b),
            pending.margin,
            pending.tolerance,
            max_iterations,
        )
    else:
        return pending
    pending.time, pending.normal = found.time, found.normal
    where = group.rows[pending.place]
    result.safe[where[found.missed]] = 1.0
    _undecided(result, where[found.undecided], found.time[found.undecided])
    hit = np.flatnonzero(found.touching)
    put_hits(result, where[hit], found.time[hit], found.point[hit], _turned(group, found.normal[hit]))
    return pending.take(np.flatnonzero(~(found.missed | found.touching | found.undecided)))


def _advance_generic(group: Group, pending: _Pairs, result: Impacts, max_iterations: int) -> None:
    """Settle the remaining pairs of a group, which rotate, and write their results."""
    if not len(pending.place):
        return
    convex = Kind.MESH not in (pending.a.kind, pending.b.kind)
    error = _position_error(pending)
    for _ in range(max_iterations):
        if not len(pending.place):
            return
        found: Distances = group.pair.distance(*_placed(pending))
        gap = found.distance - pending.margin
        slack = found.rounding + ROUNDING_STEPS * EPS * pending.margin + error
        speed = _closing(pending, found, convex)
        touch = gap <= np.maximum(slack, pending.tolerance)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = np.where(speed > 0.0, gap / speed, np.inf)
        following = pending.time + step
        # The gap that remains along this plane at the end of the interval. Touching at the end counts.
        missed = ~touch & ((speed <= 0.0) | (gap - speed * (1.0 - pending.time) > slack))
        result.safe[group.rows[pending.place[missed]]] = 1.0
        # If a step is below the rounding of the time, the gap is below rounding, too.
        touch |= ~missed & (following <= pending.time)
        _write_hits(group, result, pending, found, np.flatnonzero(touch), slack)
        go = np.flatnonzero(~touch & ~missed)
        pending.time, pending.normal = np.minimum(following, 1.0), found.normal
        pending, error = pending.take(go), error[go]
    _undecided(result, group.rows[pending.place], pending.time)


def _position_error(pending: _Pairs) -> Floats:
    """Rounding of the positions of points of each pair during their motions: (P,)."""
    start, way = np.zeros(len(pending.place)), np.zeros(len(pending.place))
    for motion, ball, other, other_ball in (
        (pending.motion_a, pending.ball_a, pending.motion_b, pending.ball_b),
        (pending.motion_b, pending.ball_b, pending.motion_a, pending.ball_a),
    ):
        way += motion.max_speed(*_within_reach(motion, ball, other, other_ball), start)
        if isinstance(motion, RigidMotion):
            way += length(motion.pivot)
    result: Floats = ROUNDING_STEPS * EPS * way
    return result


def _undecided(result: Impacts, rows: Ints, time: Floats) -> None:
    result.decided[rows] = False
    result.safe[rows] = time


def _placed(pending: _Pairs) -> tuple[Batch, Batch]:
    """The shapes at their times."""
    rotation_a, translation_a = pending.motion_a.pose(pending.time)
    rotation_b, translation_b = pending.motion_b.pose(pending.time)
    return pending.a.placed(rotation_a, translation_a), pending.b.placed(rotation_b, translation_b)


def _closing(pending: _Pairs, found: Distances, convex: bool) -> Floats:
    """Upper bound of the speed at which the gap between A and B closes from now on."""
    along = pending.motion_a.max_approach_speed(found.normal, *pending.ball_a, pending.time)
    along = along + pending.motion_b.max_approach_speed(-found.normal, *pending.ball_b, pending.time)
    known = np.isfinite(along) & convex
    if known.all():
        return along
    # The normal gives no bound for concave shapes and rotating half-spaces, whose other parts may approach from any
    # side. Of a half-space, only the part that the other shape can reach matters.
    ball_a = _within_reach(pending.motion_a, pending.ball_a, pending.motion_b, pending.ball_b)
    ball_b = _within_reach(pending.motion_b, pending.ball_b, pending.motion_a, pending.ball_a)
    every = pending.motion_a.max_speed(*ball_a, pending.time) + pending.motion_b.max_speed(*ball_b, pending.time)
    return np.where(known, along, every)


def _within_reach(motion: Motion, ball: Ball, other: Motion, other_ball: Ball) -> Ball:
    """The bounding sphere of a shape. For an unbounded shape: a ball around all that the other shape may reach."""
    unbounded = np.isinf(ball[1])
    if not unbounded.any():
        return ball
    if not isinstance(motion, RigidMotion):
        raise UnsupportedPair(
            "an unbounded shape can only move by velocities: no bound of the speed of another motion is known"
        )
    start = np.zeros(len(ball[1]))
    radius = other_ball[1] + other.max_speed(*other_ball, start) + length(motion.velocity)
    return np.where(unbounded[:, None], other_ball[0], ball[0]), np.where(unbounded, radius, ball[1])


def _turned(group: Group, normals: Floats) -> Floats:
    """Normals from the caller's A to the caller's B."""
    return -normals if group.flipped else normals


def _write_hits(group: Group, result: Impacts, pending: _Pairs, found: Distances, at: Ints, slack: Floats) -> None:
    where, normal = group.rows[pending.place[at]], found.normal[at]
    # Closest points that coincide to rounding define no direction. Then the last normal is used.
    stale = (np.abs(found.distance[at]) <= 4.0 * slack[at]) & pending.normal[at].any(axis=1) & (pending.time[at] > 0.0)
    normal[stale] = pending.normal[at[stale]]
    middle = (found.point_a[at] + found.point_b[at]) / 2.0
    put_hits(result, where, pending.time[at], middle, _turned(group, normal))


def last_contact(
    a: Operand,
    b: Operand,
    pairs: ArrayLike | None = None,
    *,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    angular_velocity_a: ArrayLike | None = None,
    angular_velocity_b: ArrayLike | None = None,
    pivot_a: ArrayLike | None = None,
    pivot_b: ArrayLike | None = None,
    motion_a: Motion | None = None,
    motion_b: Motion | None = None,
    margin: ArrayLike = 0.0,
    max_iterations: int = MAX_ITERATIONS,
) -> Impacts:
    """Last time in [0, 1] at which the shapes of each pair touch, with point and normal: `time_of_impact` in reverse.

    Convex shapes that do not rotate touch from their time of impact to their last contact, and at no other time. Other
    pairs may separate and touch again in between.

    Parameters
    ----------
    a, b : batch of shapes or World
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.

    velocity_a, velocity_b : (N, 3) array-like, optional
        Displacement of each shape over the interval. A single row applies to all shapes. None: no displacement.
    angular_velocity_a, angular_velocity_b : (N, 3) array-like, optional
        World-space axis times radians over the interval, about `pivot_a` and `pivot_b`.
    pivot_a, pivot_b : (N, 3) array-like, optional
        Points on the axes at time 0; they move with the shape. None: the origin.
    motion_a, motion_b : Motion, optional
        Any other motion, instead of velocities.
    margin : float or (P,) array-like
        Not negative. Pairs touch if they are at most this far apart.
    max_iterations : int
        Pairs that need more iterations are undecided.

    Returns
    -------
    Impacts
        `time` is 1 if the pair touches or overlaps at the end, and infinite if it never touches. With rotation, it may
        be late by the time needed to open a gap of `tolerances.ADVANCEMENT` of the pair's size, but never early. `safe`
        is the time after which the pair is proved not to touch: 0 for a miss.

    Raises
    ------
    UnsupportedPair, ValueError
        As for `time_of_impact`.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    >>> found = ck.last_contact(a, ck.Boxes([[0, 0, 0]], [[1, 1, 1]]), velocity_b=[[4, 0, 0]])
    >>> found.hit, found.time
    (array([ True]), array([0.5]))
    """
    end_a, back_a = _backwards(a, motion_of(a, "a", (velocity_a, angular_velocity_a, pivot_a), motion_a))
    end_b, back_b = _backwards(b, motion_of(b, "b", (velocity_b, angular_velocity_b, pivot_b), motion_b))
    found = time_of_impact(
        end_a, end_b, pairs, motion_a=back_a, motion_b=back_b, margin=margin, max_iterations=max_iterations
    )
    time = np.where(found.hit, 1.0 - found.time, np.inf)
    return Impacts(found.hit, time, found.point, found.normal, 1.0 - found.safe, found.decided)


def _backwards(shapes: Operand, motion: Motion) -> tuple[Operand, Motion]:
    """The shapes at time 1, and their motion from there."""
    count = len(shapes)
    back = motion.reversed() if isinstance(motion, RigidMotion) else ReversedMotion.of(motion, count)
    if isinstance(shapes, Shapes):
        return shapes.placed(*motion.pose(np.ones(count))), back
    batches = []
    for batch, index, place in split(shapes, np.arange(count)):
        batches.append(batch.take(index).placed(*motion.take(place).pose(np.ones(len(place)))))
    return ShapeCollection.of(batches, shapes.margin), back
