# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion of shapes over an interval of time, with upper bounds of speeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.rows import RowTable, takes_rows
from ..numerics.tolerances import ROTATION_NOISE
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import common_rows, coordinates, selected_rows
from ..numerics.vectors import cross, dot, length, moved, normalized
from ..query.operands import Operand
from ..shapes import check_shapes
from ..shapes.batch import rotations

# Centers (P, 3) and radii (P,) of bounding spheres.
Ball = tuple[Floats, Floats]


class Motion(Protocol):
    """Motion of shapes in the interval [0, 1], one row per shape. At time 0, shapes are where the batch has them."""

    def take(self, rows: Ints) -> Self:
        """The motions of these rows."""

    def pose(self, time: Floats) -> tuple[Floats, Floats]:
        """Rotation (P, 3, 3) and translation (P, 3) at a time for each row: x is at ``rotation @ x + translation``."""

    def max_approach_speed(self, normal: Floats, center: Floats, radius: Floats, time: Floats) -> Floats:
        """Upper bound of the speed along `normal`, from `time` on, of all points that are in a ball at time 0: (P,).

        Conservative advancement relies on this bound.
        """

    def max_speed(self, center: Floats, radius: Floats, time: Floats) -> Floats:
        """Upper bound of the speed, from `time` on, of all points that are in a ball at time 0: (P,)."""


@dataclass(frozen=True, eq=False, repr=False)
class RigidMotion(RowTable):
    """Motion at constant velocity, with a rotation at constant angular velocity about a pivot that moves along.

    At time t a point x is at ``pivot + t * velocity + R(t * angular_velocity) @ (x - pivot)``.

    Attributes
    ----------
    velocity : (N, 3) float64
        Displacement over the interval.
    angular_velocity : (N, 3) float64
        World-space axis times radians over the interval.
    pivot : (N, 3) float64
    """

    velocity: Floats
    angular_velocity: Floats
    pivot: Floats

    @takes_rows
    def take(self, rows: Ints | slice) -> Self:
        """The motions of these rows, in that order; `rows` may also be a mask of all rows."""
        return type(self)(*(_rows(field, rows) for field in (self.velocity, self.angular_velocity, self.pivot)))

    def pose(self, time: Floats) -> tuple[Floats, Floats]:
        """Rotation (P, 3, 3) and translation (P, 3) at a time for each row."""
        if not self.angular_velocity.any():
            return np.tile(np.eye(3), (len(time), 1, 1)), self.velocity * time[:, None]
        rotation = rotations_by(self.angular_velocity * time[:, None])
        rotated_pivot = moved(self.pivot, rotation, np.zeros_like(self.pivot))
        return rotation, self.velocity * time[:, None] + (self.pivot - rotated_pivot)

    def max_approach_speed(self, normal: Floats, center: Floats, radius: Floats, time: Floats) -> Floats:
        """Upper bound of the speed along `normal` of all points of a ball, at all times.

        A point keeps its distance from the axis. The component of the velocity ω × r along n is (n × ω) · r.
        """
        turning = length(cross(normal, self.angular_velocity))
        return dot(self.velocity, normal) + _product(turning, self.arm(center, radius))

    def max_speed(self, center: Floats, radius: Floats, time: Floats) -> Floats:
        """Upper bound of the speed of all points of a ball, at all times."""
        turning = length(self.angular_velocity)
        return length(self.velocity) + _product(turning, self.arm(center, radius))

    def distance_from_axis(self, point: Floats) -> Floats:
        """Distance of each point from the axis of rotation, which is constant."""
        axis = normalized(self.angular_velocity, np.zeros(3))
        spoke = point - self.pivot
        return length(spoke - axis * dot(spoke, axis)[:, None])

    def arm(self, center: Floats, radius: Floats) -> Floats:
        """Greatest distance of the points of balls from the axis of rotation: (P,)."""
        return self.distance_from_axis(center) + radius

    def max_deviation(self, point: Floats) -> Floats:
        """Greatest distance of each point from its place under the translation alone: (P,)."""
        angle = np.minimum(length(self.angular_velocity), np.pi)
        result: Floats = 2.0 * np.sin(angle / 2.0) * self.distance_from_axis(point)
        return result

    def is_rotating(self) -> Bools:
        """Return which rows rotate. Speed bounds of the other rows are exact."""
        if self.angular_velocity.strides[0] == 0:
            # One row for all.
            return np.full(len(self.angular_velocity), self.angular_velocity[:1].any())
        x, y, z = self.angular_velocity.T
        return (x != 0.0) | (y != 0.0) | (z != 0.0)

    def reversed(self) -> Self:
        """The motion in reverse, from the pose at time 1."""
        return type(self)(-self.velocity, -self.angular_velocity, self.pivot + self.velocity)


@dataclass(frozen=True, eq=False)
class ReversedMotion(RowTable):
    """Any motion in reverse, from the pose at time 1. It is itself a `Motion`.

    Its speed bounds are those of the whole forward motion.
    """

    forward: Motion
    rotation: Floats
    translation: Floats

    def __len__(self) -> int:
        return len(self.rotation)

    @classmethod
    def of(cls, motion: Motion, count: int) -> Self:
        """The reverse of a motion of `count` rows."""
        return cls(motion, *motion.pose(np.ones(count)))

    def pose(self, time: Floats) -> tuple[Floats, Floats]:
        """Rotation (P, 3, 3) and translation (P, 3) at a time for each row."""
        rotation, translation = self.forward.pose(1.0 - time)
        turn = rotation @ self.rotation.transpose(0, 2, 1)
        return turn, translation - moved(self.translation, turn, np.zeros_like(translation))

    def max_approach_speed(self, normal: Floats, center: Floats, radius: Floats, time: Floats) -> Floats:
        """Upper bound of the speed along `normal` of all points of a ball, at all times."""
        return self.forward.max_approach_speed(-normal, self._before(center), radius, np.zeros_like(time))

    def max_speed(self, center: Floats, radius: Floats, time: Floats) -> Floats:
        """Upper bound of the speed of all points of a ball, at all times."""
        return self.forward.max_speed(self._before(center), radius, np.zeros_like(time))

    def _before(self, center: Floats) -> Floats:
        """Position of a point at the start of the forward motion."""
        return moved(center - self.translation, self.rotation.transpose(0, 2, 1), np.zeros_like(center))


def _rows(field: Floats, rows: Ints | slice) -> Floats:
    """Rows of an array. A broadcast array stays broadcast."""
    if isinstance(rows, slice):
        return field[rows]
    if field.strides[0] == 0:
        # No element is read, so numpy would not detect an index that is out of range.
        selected_rows(rows, len(field))
        return np.broadcast_to(field[:1], (len(rows), 3))
    return field.take(rows, axis=0)


def _product(speed: Floats, radius: Floats) -> Floats:
    """Angular speed times radius; zero if the speed is zero and the radius infinite."""
    return speed * np.where(speed > 0.0, radius, 0.0)


def motion_of(
    shapes: Operand,
    name: str,
    given: tuple[ArrayLike | None, ArrayLike | None, ArrayLike | None],
    motion: Motion | None = None,
) -> Motion:
    """The motion of each row of a batch: `motion`, or the rigid motion with the given velocities.

    Raises
    ------
    ValueError
        As for `rigid_motion`, or if both are given.
    """
    check_shapes(shapes, name or "shapes")
    if motion is None:
        return rigid_motion(shapes, name, *given)
    if not hasattr(motion, "max_approach_speed"):
        called = f"motion_{name}" if name else "motion"
        raise ValueError(f"{called}: {type(motion).__name__}, but a Motion is needed")
    if any(value is not None for value in given):
        field = (f"_{name}", f" of {name}") if name else ("", "")
        raise ValueError(f"motion{field[0]}: given together with velocities{field[1]}")
    return motion


def rigid_motion(
    shapes: Operand, name: str, velocity: ArrayLike | None, angular_velocity: ArrayLike | None, pivot: ArrayLike | None
) -> RigidMotion:
    """The validated rigid motion of each row of a batch. Missing values are zero. A single row applies to all shapes.

    Raises
    ------
    ValueError
        If a shape is wrong or a number not finite; names the field, such as ``velocity_a`` for `name` "a", and the row.
    """
    fields = []
    for field, value in (("velocity", velocity), ("angular_velocity", angular_velocity), ("pivot", pivot)):
        called = f"{field}_{name}" if name else field
        checked = coordinates(np.zeros((1, 3)) if value is None else value, called, (-1, 3))
        if len(checked) not in (1, len(shapes)):
            raise ValueError(f"{called}: {len(checked)} rows, but {name or 'the batch'} has {len(shapes)}")
        fields.append(np.broadcast_to(checked, (len(shapes), 3)))
    return RigidMotion(*fields)


def motion_between(
    rotation_0: ArrayLike, translation_0: ArrayLike, rotation_1: ArrayLike, translation_1: ArrayLike
) -> RigidMotion:
    """The rigid motion that takes each shape from one pose to another, for parameters such as `motion_a`.

    The origin of each frame moves at constant velocity. The frame rotates about it at constant angular velocity, by the
    smallest angle. The motion applies to shapes in the world at time 0: a point y of the frame is at ``rotation_0 @ y +
    translation_0`` at time 0, and at ``rotation_1 @ y + translation_1`` at time 1, to rounding.

    Parameters
    ----------
    rotation_0, rotation_1 : (N, 3, 3) array-like
        Columns are the axes of the frame in the world. None: the axes of the world.
    translation_0, translation_1 : (N, 3) array-like
        Position of the origin of the frame.

    Returns
    -------
    RigidMotion
        Its pivots are `translation_0`. A rotation within rounding of zero is zero, so that the shape is handled as
        translating. For a half-turn, both directions are equally short; the largest component of the axis is then
        positive.

    Raises
    ------
    ValueError
        If a shape is wrong, a number is not finite, or a matrix is not a rotation; names the field and the row.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> motion = ck.motion_between(None, [[0, 0, 0]], None, [[0, 0, 2]])
    >>> ck.time_of_impact(ck.Spheres([[0, 0, 0]], [1]), ck.Spheres([[0, 0, 3]], [1]), motion_a=motion).time
    array([0.5])
    """
    begin, end = (
        coordinates(translation_0, "translation_0", (-1, 3)),
        coordinates(translation_1, "translation_1", (-1, 3)),
    )
    before, after = rotations(rotation_0, len(begin), "rotation_0"), rotations(rotation_1, len(begin), "rotation_1")
    begin, end, before, after = common_rows(translation_0=begin, translation_1=end, rotation_0=before, rotation_1=after)
    turn = rotation_vectors(after @ before.transpose(0, 2, 1))
    return RigidMotion(end - begin, turn, begin)


def rotation_vectors(rotation: Floats) -> Floats:
    """Shortest rotation vector of each rotation matrix (P, 3, 3), the inverse of `rotations_by`: (P, 3).

    It is computed from the quaternion, starting with its largest component to avoid cancellation (Shepperd, "Quaternion
    from rotation matrix", 1978). Near a half-turn, the axis is in the symmetric part of the matrix, otherwise in the
    antisymmetric part.
    """
    trace = np.trace(rotation, axis1=1, axis2=2)
    # Row k is the quaternion x, y, z, w times four times its component k.
    rows = np.empty((len(rotation), 4, 4))
    rows[:, :3, :3] = rotation + rotation.transpose(0, 2, 1)
    for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
        rows[:, k, k] = 1.0 + 2.0 * rotation[:, k, k] - trace
        rows[:, k, 3] = rows[:, 3, k] = rotation[:, j, i] - rotation[:, i, j]
    rows[:, 3, 3] = 1.0 + trace
    largest = np.argmax(np.diagonal(rows, axis1=1, axis2=2), axis=1)
    quaternion = rows[np.arange(len(rotation)), largest]
    vector, real = quaternion[:, :3], quaternion[:, 3]
    size = length(vector)
    # Both signs are the same rotation. The one with a positive real part has the smaller angle.
    leading = vector[np.arange(len(vector)), np.argmax(np.abs(vector), axis=1)]
    half_turn = 2.0 * np.abs(real) <= ROTATION_NOISE * size
    sign = np.where(np.where(half_turn, leading, real) < 0.0, -1.0, 1.0)
    angle = 2.0 * np.arctan2(size, sign * real)
    return normalized(vector, np.zeros(3)) * (np.where(angle > ROTATION_NOISE, angle, 0.0) * sign)[:, None]


def rotations_by(vector: Floats) -> Floats:
    """The rotation about each vector (P, 3) by its length in radians: (P, 3, 3), by Rodrigues' formula."""
    return np.ascontiguousarray(rotations_about(normalized(vector, np.zeros(3)).T, length(vector)).transpose(2, 0, 1))


def rotations_about(axis: Floats, angle: Floats) -> Floats:
    """The same for unit vectors (3, P) and angles (P,), in components: (3, 3, P). Zero vectors do not rotate."""
    result: Floats = axis[:, None] * (axis * (2.0 * np.sin(angle / 2.0) ** 2))
    cosine, sine = np.cos(angle), axis * np.sin(angle)
    for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
        result[k, k] += cosine
        result[j, i] += sine[k]
        result[i, j] -= sine[k]
    return result
