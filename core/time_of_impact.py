# SPDX-License-Identifier: GPL-3.0-or-later
"""When moving shapes first touch, by conservative advancement that never misses an impact.

At any time the closest points of two convex shapes give a plane that parts them by their distance. No point of either
can cross the gap sooner than the greatest speed along the plane's normal allows, and until then there is proved to be
no touch: the shapes are taken there, and the next plane is found (Mirtich, "Impulse-based Dynamic Simulation", 1996;
Ericson, section 5.5). Without rotation the speed along the normal is known exactly; the step is then Newton's on the
distance, a convex function of time, which meets polytopes after as many steps as planes are passed, and its root is the
largest of the entry times per axis (seed 001, "Moving objects").
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from . import work
from .dispatch import Group, Operand, groups, index_pairs
from .motion import Motion, RigidMotion, rigid_motion
from .results import Bools, Distances, Floats, Impacts, Ints, UnsupportedPair
from .shapes import Batch, Kind
from .tolerances import ADVANCEMENT
from .vectors import length

# Steps after which the search gives up: a grazing touch of round shapes halves what is left in each step, and takes
# about thirty; turning shapes that come near each other without touching take the more the nearer they come.
MOST_STEPS = 400


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
    most_steps: int = MOST_STEPS,
) -> Impacts:
    """First time in [0, 1] at which the shapes of each pair touch, with point and normal.

    Parameters
    ----------
    velocity_a, velocity_b : (N, 3) array-like, optional
        Displacement of each shape over the interval; one row stands for all, none given is none.
    angular_velocity_a, angular_velocity_b : (N, 3) array-like, optional
        World-fixed axis times radians over the interval, about `pivot_a` and `pivot_b`.
    pivot_a, pivot_b : (N, 3) array-like, optional
        Where the axes run at time 0; they are displaced with the shape. None given: the origin.
    motion_a, motion_b : Motion, optional
        Any other motion, in place of the numbers.
    most_steps : int
        Pairs that take more are left undecided.

    Returns
    -------
    Impacts
        Without rotation times are right to rounding. With rotation a pair is taken to touch when it is no farther
        apart than `tolerances.ADVANCEMENT` of its size, so a hit may be early by the time it takes to close that gap,
        and never late.

    Raises
    ------
    UnsupportedPair
        For two unbounded shapes.
    ValueError
        If a velocity has the wrong shape or is not finite, or both numbers and a motion are given.
    """
    rows = index_pairs(a, b, pairs)
    work.asked(len(rows))
    given_a, given_b = (velocity_a, angular_velocity_a, pivot_a), (velocity_b, angular_velocity_b, pivot_b)
    moves_a, moves_b = _motion(a, "a", given_a, motion_a), _motion(b, "b", given_b, motion_b)
    count = len(rows)
    nowhere = np.full((2, count, 3), np.nan)
    result = Impacts(
        np.zeros(count, dtype=bool),
        np.full(count, np.inf),
        nowhere[0],
        nowhere[1],
        np.ones(count),
        np.ones(count, dtype=bool),
    )
    for group in groups(a, b, rows):
        first, second = group.swapped(moves_a.take(rows[group.rows, 0]), moves_b.take(rows[group.rows, 1]))
        _advance(group, first, second, result, most_steps)
    return result


def _motion(
    shapes: Operand,
    name: str,
    given: tuple[ArrayLike | None, ArrayLike | None, ArrayLike | None],
    motion: Motion | None,
) -> Motion:
    if motion is None:
        return rigid_motion(shapes, name, *given)
    if any(value is not None for value in given):
        raise ValueError(f"motion_{name}: given together with velocities of {name}")
    return motion


@dataclass
class _Pairs:
    """Pairs on their way: those of a group that are not settled yet."""

    place: Ints  # in the group
    a: Batch
    b: Batch
    motion_a: Motion
    motion_b: Motion
    ball_a: tuple[Floats, Floats]  # bounding spheres at time 0
    ball_b: tuple[Floats, Floats]
    reach: Floats  # apart by no more than this is touching
    time: Floats

    def take(self, rows: Ints) -> "_Pairs":
        """These pairs."""
        return _Pairs(
            self.place[rows],
            self.a.take(rows),
            self.b.take(rows),
            self.motion_a.take(rows),
            self.motion_b.take(rows),
            (self.ball_a[0][rows], self.ball_a[1][rows]),
            (self.ball_b[0][rows], self.ball_b[1][rows]),
            self.reach[rows],
            self.time[rows],
        )


def _advance(group: Group, motion_a: Motion, motion_b: Motion, result: Impacts, most_steps: int) -> None:
    """Settle all pairs of a group, and write them into the result."""
    count = len(group.rows)
    ball_a, ball_b = group.a.bounding_spheres(), group.b.bounding_spheres()
    turning = ~(_straight(motion_a) & _straight(motion_b))
    size = np.where(np.isfinite(ball_a[1]), ball_a[1], 0.0) + np.where(np.isfinite(ball_b[1]), ball_b[1], 0.0)
    reach = np.where(turning, ADVANCEMENT * size, 0.0)
    left = _Pairs(np.arange(count), group.a, group.b, motion_a, motion_b, ball_a, ball_b, reach, np.zeros(count))
    convex = not {group.a.kind, group.b.kind} & {Kind.MESH, Kind.ASSEMBLY}
    for _ in range(most_steps):
        if not len(left.place):
            return
        found: Distances = group.pair.distance(*_placed(left))
        speed = _closing(left, found, convex)
        touch = found.distance <= np.maximum(found.rounding, left.reach)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = np.where(speed > 0.0, found.distance / speed, np.inf)
        following = left.time + step
        # What is left of the gap at the end, along this plane: touching at the very end counts.
        at_end = found.distance - speed * (1.0 - left.time)
        _write_hits(group, result, left, found, touch)
        missed = ~touch & ((speed <= 0.0) | (at_end > found.rounding))
        result.safe[group.rows[left.place[missed]]] = 1.0
        go = np.flatnonzero(~touch & ~missed)
        # Where a step is lost in rounding the gap is, too.
        stuck = following[go] <= left.time[go]
        _write_hits(group, result, left, found, _mask(len(left.place), go[stuck]))
        go = go[~stuck]
        left = left.take(go)
        left.time = np.minimum(following[go], 1.0)
    where = group.rows[left.place]
    result.decided[where] = False
    result.safe[where] = left.time


def _straight(motion: Motion) -> Bools:
    """Which rows are displaced without turning, so that their speed along any normal is known exactly."""
    if isinstance(motion, RigidMotion):
        return length(motion.angular_velocity) == 0.0
    return np.zeros(1, dtype=bool)


def _mask(count: int, rows: Ints) -> Bools:
    result = np.zeros(count, dtype=bool)
    result[rows] = True
    return result


def _placed(left: _Pairs) -> tuple[Batch, Batch]:
    """The shapes at their times."""
    rotation_a, translation_a = left.motion_a.pose(left.time)
    rotation_b, translation_b = left.motion_b.pose(left.time)
    return left.a.placed(rotation_a, translation_a), left.b.placed(rotation_b, translation_b)


def _closing(left: _Pairs, found: Distances, convex: bool) -> Floats:
    """How fast the gap between A and B can close from now on, at most."""
    along = left.motion_a.approach(found.normal, *left.ball_a, left.time)
    along = along + left.motion_b.approach(-found.normal, *left.ball_b, left.time)
    known = np.isfinite(along) & convex
    if known.all():
        return along
    # Other parts than the closest may come in from any side: of a shape that is not convex, or of a half-space that
    # turns, of which only what the other shape can reach is of interest.
    ball_a = _within_reach(left.motion_a, left.ball_a, left.motion_b, left.ball_b)
    ball_b = _within_reach(left.motion_b, left.ball_b, left.motion_a, left.ball_a)
    every = left.motion_a.speed(*ball_a, left.time) + left.motion_b.speed(*ball_b, left.time)
    if isinstance(left.motion_a, RigidMotion) and isinstance(left.motion_b, RigidMotion):
        straight = _straight(left.motion_a) & _straight(left.motion_b)
        every = np.where(straight, length(left.motion_b.velocity - left.motion_a.velocity), every)
    return np.where(known, along, every)


def _within_reach(
    motion: Motion, ball: tuple[Floats, Floats], other: Motion, other_ball: tuple[Floats, Floats]
) -> tuple[Floats, Floats]:
    """The ball about a shape; of one without end, about all that the other shape may meet of it in the interval."""
    endless = np.isinf(ball[1])
    if not endless.any():
        return ball
    if not isinstance(motion, RigidMotion):
        raise UnsupportedPair(
            "a shape without end moves by velocities only: no bound of another motion's speed is known"
        )
    start = np.zeros(len(ball[1]))
    radius = other_ball[1] + other.speed(*other_ball, start) + length(motion.velocity)
    return np.where(endless[:, None], other_ball[0], ball[0]), np.where(endless, radius, ball[1])


def _write_hits(group: Group, result: Impacts, left: _Pairs, found: Distances, touch: Bools) -> None:
    where = group.rows[left.place[touch]]
    result.hit[where] = True
    result.time[where] = result.safe[where] = left.time[touch]
    result.point[where] = (found.point_a[touch] + found.point_b[touch]) / 2.0
    result.normal[where] = group.turned(found.normal[touch])
