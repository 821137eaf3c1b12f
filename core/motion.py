# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion of shapes over an interval of time, and the bounds that hold for all of it."""

from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from .dispatch import Operand
from .results import Floats, Ints
from .shapes import array
from .vectors import dot, length, moved, normalised


class Motion(Protocol):
    """How shapes move over the times 0 to 1, row for row with a batch; at time 0 they are where the batch has them."""

    def take(self, rows: Ints) -> Self:
        """The motions of these rows."""

    def pose(self, time: Floats) -> tuple[Floats, Floats]:
        """Rotation (P, 3, 3) and translation (P, 3), a time for each row: x goes to ``rotation @ x + translation``."""

    def approach(self, normal: Floats, center: Floats, radius: Floats, time: Floats) -> Floats:
        """The greatest speed along `normal`, from `time` on, of any point that lies in a ball at time 0: (P,).

        What the advancement proves is proved for motions of which this is true.
        """

    def speed(self, center: Floats, radius: Floats, time: Floats) -> Floats:
        """The greatest speed in any direction, from `time` on, of any point that lies in a ball at time 0: (P,)."""


@dataclass(frozen=True, eq=False)
class RigidMotion:
    """Even motion: a displacement over the interval, and a turn about a pivot that is displaced with it.

    At time t a point x is at ``pivot + t * velocity + R(t * angular_velocity) @ (x - pivot)``.

    Attributes
    ----------
    velocity : (N, 3) float64
        Displacement over the interval.
    angular_velocity : (N, 3) float64
        Axis in the world times radians over the interval.
    pivot : (N, 3) float64
    """

    velocity: Floats
    angular_velocity: Floats
    pivot: Floats

    def take(self, rows: Ints) -> Self:
        """The motions of these rows."""
        return type(self)(self.velocity[rows], self.angular_velocity[rows], self.pivot[rows])

    def pose(self, time: Floats) -> tuple[Floats, Floats]:
        """Rotation (P, 3, 3) and translation (P, 3) at a time for each row."""
        rotation = rotations_by(self.angular_velocity * time[:, None])
        held = moved(self.pivot, rotation, np.zeros_like(self.pivot))
        return rotation, self.velocity * time[:, None] + (self.pivot - held)

    def approach(self, normal: Floats, center: Floats, radius: Floats, time: Floats) -> Floats:
        """The greatest speed along `normal` of any point of a ball at any time.

        A point's distance from the axis never changes, and of the velocity ω × r the part along n is (n × ω) · r.
        """
        turning = length(np.cross(normal, self.angular_velocity))
        return dot(self.velocity, normal) + _product(turning, self._from_axis(center, radius))

    def speed(self, center: Floats, radius: Floats, time: Floats) -> Floats:
        """The greatest speed of any point of a ball at any time."""
        turning = length(self.angular_velocity)
        return length(self.velocity) + _product(turning, self._from_axis(center, radius))

    def _from_axis(self, center: Floats, radius: Floats) -> Floats:
        """The greatest distance from the axis of any point of a ball."""
        axis = normalised(self.angular_velocity, np.zeros(3))
        spoke = center - self.pivot
        return length(spoke - axis * dot(spoke, axis)[:, None]) + radius


def _product(speed: Floats, radius: Floats) -> Floats:
    """Angular speed times radius, of which the one may be infinite where the other is zero."""
    return speed * np.where(speed > 0.0, radius, 0.0)


def rigid_motion(
    shapes: Operand,
    name: str,
    velocity: ArrayLike | None,
    angular_velocity: ArrayLike | None,
    pivot: ArrayLike | None,
) -> RigidMotion:
    """The motion of each row of a batch, checked; what is not given is zero, and one row stands for all.

    Raises
    ------
    ValueError
        If a shape is wrong or a number not finite; names the field, such as ``velocity_a`` for `name` "a", and the row.
    """
    fields = []
    for field, value in (("velocity", velocity), ("angular_velocity", angular_velocity), ("pivot", pivot)):
        checked = array(np.zeros((1, 3)) if value is None else value, f"{field}_{name}", (-1, 3))
        if len(checked) not in (1, len(shapes)):
            raise ValueError(f"{field}_{name}: {len(checked)} rows, but {name} has {len(shapes)}")
        fields.append(np.broadcast_to(checked, (len(shapes), 3)))
    return RigidMotion(*fields)


def rotations_by(vector: Floats) -> Floats:
    """The rotation about each vector (P, 3) by its length in radians: (P, 3, 3), by Rodrigues' formula."""
    angle = length(vector)
    axis = normalised(vector, np.zeros(3))
    x, y, z = axis.T
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
    sine, rest = np.sin(angle)[:, None, None], 2.0 * (np.sin(angle / 2.0) ** 2)[:, None, None]
    return np.eye(3) + sine * cross + rest * (cross @ cross)
