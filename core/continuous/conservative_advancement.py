# SPDX-License-Identifier: GPL-3.0-or-later
"""First contact of rotating shapes: conservative advancement that extrapolates the rotation of the closest direction.

The closest points of two separated convex shapes define a direction n. Let x be a point of A and y a point of B. Their
separation along n is g = n . (y - x). Let n itself rotate at a constant rate r about an axis perpendicular to it. Let a
shape rotate by w about an axis, with all its points within rho of the axis. Along a fixed direction, the acceleration
of a point is then at most |w| |n x w| rho, and along any direction at most |w|^2 rho. Let V be a bound of the relative
speed of any two points. Then

    g'' + r^2 g <= H,   H = 2 r V + (|w|^2 rho of A) + (|w|^2 rho of B).

For r s < pi, the maximum principle states that g is at least the solution of this equation with equality between the
times 0 and s. Let f be the minimum of all g, which support functions give. Replace a negative f(s) by
f(s) r s / sin(r s), and let K = H / cos(r s / 2). Then

    f(u) >= f(0) + (f(s) - f(0)) u / s - K u (s - u) / 2   for 0 <= u <= s.

As long as the right side is positive, the shapes are proved not to touch, for any s and any axis. Here s is the time at
which the closest points would meet with their present velocities, and the direction continues to rotate as in the
previous step. The direction then nearly follows that of two edges or of a face, and each gap is about the product of
the two previous gaps, as in the secant method.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..convex.gjk import Closest, closest
from ..convex.polytopes.placed import PolytopeSupport
from ..kernels.supports import ELLIPSOID, Side
from ..narrow_phase.support_cores import Core, PolytopeCores, cores, places
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross_columns, dot_columns, to_columns, turned
from ..shapes.sides import farthest, round_side
from .first_contacts import swept_slack
from .motion import Ball, RigidMotion, rotations_about

# Dimensionless: the relative difference of the bounds of a distance between curved shapes from which a step begins.
_CURVED_STEP = 1e-9


@dataclass(frozen=True)
class Advancement:
    """State of the search.

    Attributes
    ----------
    time : (P,) float64
        Time until which each pair is proved not to touch, or its time of contact.
    missed, touching, undecided : (P,) bool
        Pairs that do not touch until the end; pairs that are closer than the tolerance at `time` and do not overlap;
        and pairs that need more iterations. All other pairs overlap or touch within rounding.
    point : (P, 3) float64
        For touching pairs: midway between the surfaces.
    normal : (P, 3) float64
        From A to B. For touching pairs, the contact normal. For others, the last direction along which they were
        separated, or zero.
    """

    time: Floats
    missed: Bools
    touching: Bools
    undecided: Bools
    point: Floats
    normal: Floats


def advance_turning(
    shapes: tuple[Any, Any],
    motions: tuple[RigidMotion, RigidMotion],
    balls: tuple[Ball, Ball],
    margin: Floats,
    tolerance: Floats,
    max_iterations: int,
) -> Advancement:
    """Advance pairs until they touch or miss. Pairs that overlap or touch within rounding stop where they are.

    Parameters
    ----------
    shapes : pair of batches
        A and B at time 0, P rows each: convex kinds that kernels can read.
    motions : pair of RigidMotion
    balls : pair of (center (P, 3), radius (P,))
        Bounding spheres at time 0.
    margin : (P,) float64
        Pairs that are this far apart already touch.
    tolerance : (P,) float64
        Additional distance at which pairs count as touching.
    max_iterations : int
    """
    pairs = _Pairs.of(shapes, motions, balls, margin, tolerance)
    count = len(margin)
    no, nowhere = np.zeros((3, count), dtype=bool), np.full((count, 3), np.nan)
    result = Advancement(np.zeros(count), no[0], no[1], no[2], nowhere, np.zeros((count, 3)))
    for _ in range(max_iterations):
        if not len(pairs.rows):
            break
        pairs.step(result)
    result.time[pairs.rows] = pairs.time
    result.undecided[pairs.rows] = True
    result.point[:] += places(shapes[0])
    return result


@dataclass(frozen=True)
class _RoundSupport:
    """Support mapping of cylinders, cones or ellipsoids, in component arrays, as `PolytopeSupport`.

    `linear` (3, 3, P): its columns are the vectors of the shapes that rotate with them; see `kernels.supports.Side`.
    `sizes` (P, 3): as there.
    """

    kind: int
    linear: Floats
    translation: Floats
    sizes: Floats
    size: Floats

    @classmethod
    def of(cls, shapes: Core) -> "_RoundSupport":
        """The support mapping of these shapes."""
        side: Side = shapes.side  # type: ignore[attr-defined]
        vectors = side.linear.reshape(-1, 3, 3).transpose((1, 2, 0) if side.kind == ELLIPSOID else (2, 1, 0))
        return cls(side.kind, vectors, to_columns(side.translation), side.sizes, shapes.size)

    def __len__(self) -> int:
        return len(self.size)

    def take(self, rows: Ints) -> "_RoundSupport":
        """The rows with these indices."""
        moved = self.linear.take(rows, axis=2), self.translation.take(rows, axis=1)
        return _RoundSupport(self.kind, *moved, self.sizes[rows], self.size[rows])

    @cached_property
    def side(self) -> Side:
        """The shapes as kernels read them."""
        vectors = self.linear.transpose((2, 0, 1) if self.kind == ELLIPSOID else (2, 1, 0))
        return round_side(self.kind, vectors, self.translation.T, self.sizes)

    def support(self, direction: Floats) -> Floats:
        """Support points of each shape along its direction, (P, 3) -> (P, 3)."""
        return farthest(self.side, direction)


@dataclass
class _Body:
    """One shape of each pair and its motion, in components, relative to A's position at time 0.

    `core`: the core at time 0. `radius` (P,): the radius around the core. `velocity`, `spin` (the angular velocity),
    its unit vector `axis`, `pivot`, and `arm` from the pivot to the shape's position: (3, P). `angular_speed` (P,):
    length of the spin. `turning_speed` (P,): the greatest speed of any point due to rotation, which is the angular
    speed times the greatest distance from the axis.
    """

    core: "PolytopeSupport | _RoundSupport"
    radius: Floats
    velocity: Floats
    spin: Floats
    axis: Floats
    pivot: Floats
    arm: Floats
    angular_speed: Floats
    turning_speed: Floats

    @classmethod
    def of(cls, shapes: Core, motion: RigidMotion, ball: Ball, origin: Floats) -> "_Body":
        """These shapes, which are already relative to `origin` (P, 3)."""
        spin, pivot = to_columns(motion.angular_velocity), to_columns(motion.pivot - origin)
        angular_speed = np.sqrt(dot_columns(spin, spin))
        core = shapes.mapping if isinstance(shapes, PolytopeCores) else _RoundSupport.of(shapes)
        return cls(
            core,
            shapes.radius,
            to_columns(motion.velocity),
            spin,
            spin / np.where(angular_speed > 0.0, angular_speed, 1.0),
            pivot,
            core.translation - pivot,
            angular_speed,
            angular_speed * motion.arm(*ball),
        )

    def take(self, rows: Ints) -> "_Body":
        """The rows with these indices."""
        others = {name: value.take(rows, axis=-1) for name, value in vars(self).items() if name != "core"}
        return _Body(self.core.take(rows), **others)

    def at(self, time: Floats) -> "PolytopeSupport | _RoundSupport":
        """The core at a time for each row."""
        turn = rotations_about(self.axis, self.angular_speed * time)
        place = self.pivot + self.velocity * time + turned(turn, self.arm)
        return replace(self.core, linear=np.einsum("ijp,jkp->ikp", turn, self.core.linear), translation=place)

    def speed(self, point: Floats, time: Floats) -> Floats:
        """The velocity of the body at a point (3, P) at a time."""
        result: Floats = self.velocity + cross_columns(self.spin, point - self.pivot - self.velocity * time)
        return result


@dataclass
class _Pairs:
    """Pairs without a result yet.

    `rows` (P,): indices of the pairs. `radii` (P,): sum of both radii and the margin. `tolerance` (P,): the gap that
    counts as touching. `slack` (P,): rounding of a gap. `relative_speed_bound` (P,): bound of the relative speed of any
    two points. `time` (P,): the present time. `search_direction` (3, P): approximate direction from B to A.
    `last_normal` (3, P) and `elapsed` (P,): the previous normal, and the time since then.
    """

    rows: Ints
    a: _Body
    b: _Body
    radii: Floats
    tolerance: Floats
    slack: Floats
    relative_speed_bound: Floats
    time: Floats
    search_direction: Floats
    last_normal: Floats
    elapsed: Floats

    @classmethod
    def of(
        cls,
        shapes: tuple[Any, Any],
        motions: tuple[RigidMotion, RigidMotion],
        balls: tuple[Ball, Ball],
        margin: Floats,
        tolerance: Floats,
    ) -> "_Pairs":
        """All pairs at their start."""
        origin = places(shapes[0])
        left, right = (cores(of, origin) for of in shapes)
        a, b = (_Body.of(*of, origin) for of in zip((left, right), motions, balls, strict=True))
        extent = left.size + right.size + margin
        for body in (a, b):
            extent += (np.abs(body.pivot) + np.abs(body.arm) + np.abs(body.velocity)).sum(axis=0)
        way = b.velocity - a.velocity
        none = np.zeros((5, len(margin)))
        return cls(
            np.arange(len(margin)),
            a,
            b,
            left.radius + right.radius + margin,
            tolerance,
            swept_slack(extent),
            np.sqrt(dot_columns(way, way)) + a.turning_speed + b.turning_speed,
            none[0],
            to_columns(left.center - right.center),
            none[1:4],
            none[4],
        )

    def take(self, rows: Ints) -> None:
        """Keep only these pairs."""
        for name, value in vars(self).items():
            body = isinstance(value, _Body)
            setattr(self, name, value.take(rows) if body else value.take(rows, axis=-1))

    def step(self, result: Advancement) -> None:
        """Measure the pairs at their times, and advance them as far as they are proved not to touch."""
        curved = isinstance(self.a.core, _RoundSupport) or isinstance(self.b.core, _RoundSupport)
        here = self.a.at(self.time), self.b.at(self.time)
        tolerance = _CURVED_STEP if curved else 0.0
        found = closest(*here, self.search_direction.T, None, tolerance, settle=not curved)
        gap, normal = found.lower - self.radii - self.slack, to_columns(found.normal)
        apart = ~found.overlap & (gap > self.slack)
        touch = apart & (found.distance - self.radii <= self.tolerance)
        self._write_touch(result, np.flatnonzero(touch), found)
        going = apart & ~touch
        if going.all():
            point_a, point_b = to_columns(found.point_a), to_columns(found.point_b)
        else:
            result.time[self.rows[~apart]] = self.time[~apart]
            result.normal[self.rows[~apart]] = self.last_normal.T[~apart]
            rows = np.flatnonzero(going)
            self.take(rows)
            gap, normal = gap[rows], normal.take(rows, axis=1)
            point_a, point_b = to_columns(found.point_a[rows]), to_columns(found.point_b[rows])
        if not len(self.rows):
            return
        closing = dot_columns(normal, self.a.speed(point_a, self.time) - self.b.speed(point_b, self.time))
        onward = self._onward(normal, gap, closing)
        following = self.time + onward
        missed = onward >= 1.0 - self.time
        result.missed[self.rows[missed]] = True
        stuck = ~missed & (following <= self.time)
        result.time[self.rows[stuck]], result.normal[self.rows[stuck]] = self.time[stuck], normal.T[stuck]
        self.time, self.search_direction, self.last_normal, self.elapsed = following, point_a - point_b, normal, onward
        if missed.any() or stuck.any():
            self.take(np.flatnonzero(~missed & ~stuck))

    def _write_touch(self, result: Advancement, at: Ints, found: Closest) -> None:
        where, normal = self.rows[at], found.normal[at]
        result.touching[where], result.time[where] = True, self.time[at]
        result.normal[where] = normal
        tilt = (self.a.radius[at] - self.b.radius[at]) / 2.0
        result.point[where] = (found.point_a[at] + found.point_b[at]) / 2.0 + normal * tilt[:, None]

    def _onward(self, normal: Floats, gap: Floats, closing: Floats) -> Floats:
        """Length of the next interval without contact: the longer one proved with fixed or with rotating normals."""
        axis = cross_columns(self.last_normal, normal)
        sine = np.sqrt(dot_columns(axis, axis))
        turning = np.flatnonzero((sine > 0.0) & (self.elapsed > 0.0))
        still = np.zeros_like(normal)
        onward = self._proved_interval(
            self.a, self.b, np.arange(len(gap)), normal, still, np.zeros_like(gap), gap, closing
        )
        if len(turning):
            sine, axis = sine[turning], axis.take(turning, axis=1)
            angle = np.arctan2(sine, dot_columns(self.last_normal, normal)[turning])
            turn_rate = angle / self.elapsed[turning]
            rows = self.a.take(turning), self.b.take(turning), turning
            on = self._proved_interval(
                *rows, normal.take(turning, axis=1), axis / sine, turn_rate, gap[turning], closing[turning]
            )
            onward[turning] = np.maximum(onward[turning], on)
        return onward

    def _proved_interval(
        self,
        a: _Body,
        b: _Body,
        rows: Ints,
        normal: Floats,
        axis: Floats,
        turn_rate: Floats,
        gap: Floats,
        closing: Floats,
    ) -> Floats:
        """Length of a proved interval without contact, (R,), for normals that rotate about an axis at a rate (R,)."""
        time = self.time.take(rows)
        acceleration_bound = 2.0 * turn_rate * self.relative_speed_bound.take(rows)
        for body in (a, b):
            across = cross_columns(normal, body.spin)
            acceleration_bound += body.turning_speed * np.where(
                turn_rate > 0.0, body.angular_speed, np.sqrt(dot_columns(across, across))
            )
        trial = np.minimum(trial_interval(gap, closing, acceleration_bound), 1.0 - time)
        # Rotate by at most one radian, which is far enough from half a turn.
        trial = np.minimum(trial, 1.0 / np.maximum(turn_rate, 1.0))
        angle = turn_rate * trial
        normal = normal * np.cos(angle) + cross_columns(axis, normal) * np.sin(angle)
        then = time + trial
        reach = b.at(then).support(-normal.T).T - a.at(then).support(normal.T).T
        after = dot_columns(normal, reach) - self.radii.take(rows) - self.slack.take(rows)
        return proved_interval(gap, after, acceleration_bound, trial, angle)


def trial_interval(gap: Floats, closing: Floats, acceleration_bound: Floats) -> Floats:
    """Return how far to look ahead: to when the gap closes at this speed, or as far as the curvature term allows.

    It is the longest s for which the lower bound is positive, or zero only at its end, if the gap continues to close at
    the present speed.
    """
    straight = (closing > 0.0) & (2.0 * closing * closing >= acceleration_bound * gap)
    newton = gap / np.where(straight, closing, 1.0)
    curved = (
        2.0
        * (np.sqrt(2.0 * acceleration_bound * gap) - closing)
        / np.where(acceleration_bound > 0.0, acceleration_bound, 1.0)
    )
    return np.where(straight, newton, np.where(acceleration_bound > 0.0, curved, np.inf))


def proved_interval(gap: Floats, after: Floats, acceleration_bound: Floats, trial: Floats, angle: Floats) -> Floats:
    """Root of the lower bound: length of the part of a trial interval without contact. `after` is the gap at its end.

    `angle` (P,): rotation of the direction during the trial, at most one radian.
    """
    after = after / np.where(after < 0.0, np.sinc(angle / np.pi), 1.0)
    acceleration_bound = acceleration_bound / np.cos(angle / 2.0)
    slope = (after - gap) / np.where(trial > 0.0, trial, 1.0) - acceleration_bound * trial / 2.0
    square = slope * slope - 2.0 * acceleration_bound * gap
    meets = (slope < 0.0) & (square >= 0.0)
    root = 2.0 * gap / np.where(meets, np.sqrt(np.maximum(square, 0.0)) - slope, 1.0)
    return np.where(meets, np.minimum(root, trial), trial)
