# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints between objects, from rigid body constraints, and from parents and limits of transforms."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any

import bpy

from ...core.numerics.types import Floats
from ..model.message import Message
from ..system.late import np
from .objects.moving import ancestors

# Radians and meters. Limits that differ by less are equal.
_EQUAL = 1e-6

SEVERAL = Message("Constraints leave more than one direction free; exported as a fixed joint")
BENT = Message("Limits of rotation hold another axis at an angle; exported as a fixed joint")
ENDLESS = Message("Limit of location has no minimum or no maximum; exported as a fixed joint")
UNSUPPORTED = Message("Rigid body constraint has no counterpart in URDF; not exported: {kind}")


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint between an object and its parent.

    Attributes
    ----------
    child, parent : bpy.types.Object
    kind : str
        fixed, revolute, continuous or prismatic.
    frame : (4, 4) float64
        World space placement of the joint, without scale.
    axis : (3,) float64
        In the frame of the joint.
    lower, upper : float
        In radians or meters.
    """

    child: bpy.types.Object
    parent: bpy.types.Object
    kind: str
    frame: Floats
    axis: Floats
    lower: float = 0.0
    upper: float = 0.0


class Joints:
    """The joints between objects.

    Parameters
    ----------
    scene : bpy.types.Scene
    links : sequence of bpy.types.Object
        The objects to be joined.

    Attributes
    ----------
    found : list of Joint
        In the order of the objects. Constraints can make an object the child of several.
    issues : list of (str, str, mapping)
        The name of an object, a sentence about what could not be read exactly, and its values.
    """

    def __init__(self, scene: bpy.types.Scene, links: Sequence[bpy.types.Object]) -> None:
        self.found: list[Joint] = []
        self.issues: list[tuple[str, str, dict[str, str]]] = []
        known = {ob.session_uid for ob in links}
        for ob in scene.objects:
            joint = self._constrained(ob, known)
            if joint is not None:
                self.found.append(joint)
        constrained = {joint.child.session_uid for joint in self.found}
        for ob in links:
            parent = next((one for one in ancestors(ob) if one.session_uid in known), None)
            if parent is not None and ob.session_uid not in constrained:
                self.found.append(self._parented(ob, parent))

    def _constrained(self, ob: bpy.types.Object, known: set[int]) -> Joint | None:
        """The joint of a rigid body constraint between two of the objects."""
        body: Any = ob.rigid_body_constraint
        if body is None or not body.enabled or body.object1 is None or body.object2 is None:
            return None
        if not {body.object1.session_uid, body.object2.session_uid} <= known:
            return None
        parent, child = body.object1, body.object2
        frame = frame_of(ob)
        if body.type == "FIXED":
            return Joint(child, parent, "fixed", frame, np.eye(3)[0])
        if body.type == "HINGE":
            # About the constraint's Z axis.
            if not body.use_limit_ang_z:
                return Joint(child, parent, "continuous", frame, np.eye(3)[2])
            return Joint(child, parent, "revolute", frame, np.eye(3)[2], body.limit_ang_z_lower, body.limit_ang_z_upper)
        if body.type == "SLIDER" and body.use_limit_lin_x:
            # Along its X axis.
            lower, upper = float(body.limit_lin_x_lower), float(body.limit_lin_x_upper)
            return Joint(child, parent, "prismatic", frame, np.eye(3)[0], lower, upper)
        self.issues.append((ob.name, UNSUPPORTED, {"kind": str(body.type)}))
        return None

    def _parented(self, ob: bpy.types.Object, parent: bpy.types.Object) -> Joint:
        """The joint of an object from its limits of rotation and location."""
        frame = frame_of(ob)
        turns, slides = _limits(ob, "LIMIT_ROTATION"), _limits(ob, "LIMIT_LOCATION")
        free_turns, free_slides = _free(turns), _free(slides)
        fixed = Joint(ob, parent, "fixed", frame, np.eye(3)[0])
        if turns is None and slides is None:
            return fixed
        if len(free_turns) + len(free_slides) != 1:
            if free_turns or free_slides:
                self.issues.append((ob.name, SEVERAL, {}))
            return fixed
        moves = turns if free_turns else slides
        assert moves is not None  # one of the axes is free
        (axis,) = free_turns or free_slides
        limit, at = moves[axis], _now(ob, axis, turning=bool(free_turns))
        if free_slides:
            return self._sliding(ob, parent, axis, limit, at) or fixed
        if any(one is not None and abs(one[0]) > _EQUAL for other, one in enumerate(moves) if other != axis):
            self.issues.append((ob.name, BENT, {}))
            return fixed
        if limit is None:
            return Joint(ob, parent, "continuous", frame, np.eye(3)[axis])
        # The joint is at zero in the current pose.
        return Joint(ob, parent, "revolute", frame, np.eye(3)[axis], limit[0] - at, limit[1] - at)

    def _sliding(
        self, ob: bpy.types.Object, parent: bpy.types.Object, axis: int, limit: tuple[float, float] | None, at: float
    ) -> Joint | None:
        """The joint of an object that moves along an axis of its parent. None if it does not have two limits."""
        if limit is None:
            self.issues.append((ob.name, ENDLESS, {}))
            return None
        frame = frame_of(ob)
        above = ob.parent.matrix_world @ ob.matrix_parent_inverse if ob.parent is not None else ob.matrix_parent_inverse
        along = np.array(above, dtype=np.float64)[:3, axis]
        stretch = float(np.linalg.norm(along))
        direction = frame[:3, :3].T @ along / stretch
        lower, upper = stretch * (limit[0] - at), stretch * (limit[1] - at)
        return Joint(ob, parent, "prismatic", frame, direction, lower, upper)


def frame_of(ob: bpy.types.Object) -> Floats:
    """Location and rotation of an object in world space, as a matrix."""
    place, turn, _ = ob.matrix_world.decompose()
    frame = np.eye(4)
    frame[:3, :3] = np.array(turn.to_matrix(), dtype=np.float64)
    # A float32 rotation is not exactly orthonormal.
    left, _, right = np.linalg.svd(frame[:3, :3])
    frame[:3, :3], frame[:3, 3] = left @ right, np.array(place, dtype=np.float64)
    return frame


_Limits = list[tuple[float, float] | None]


def _limits(ob: bpy.types.Object, kind: str) -> _Limits | None:
    """The limits about or along each local axis, None for a free one. None if there is no such constraint."""
    for one in ob.constraints:
        limit: Any = one
        if limit.type == kind and limit.owner_space == "LOCAL" and limit.enabled and limit.influence == 1.0:
            if kind == "LIMIT_ROTATION":
                return [
                    (getattr(limit, f"min_{axis}"), getattr(limit, f"max_{axis}"))
                    if getattr(limit, f"use_limit_{axis}")
                    else None
                    for axis in "xyz"
                ]
            return [
                (getattr(limit, f"min_{axis}"), getattr(limit, f"max_{axis}"))
                if getattr(limit, f"use_min_{axis}") and getattr(limit, f"use_max_{axis}")
                else None
                for axis in "xyz"
            ]
    return None


def _free(limits: _Limits | None) -> list[int]:
    """The axes that limits do not lock."""
    if limits is None:
        return []
    return [axis for axis, one in enumerate(limits) if one is None or not isclose(*one, abs_tol=_EQUAL)]


def _now(ob: bpy.types.Object, axis: int, *, turning: bool) -> float:
    """Return how far an object is rotated about, or moved along, its axis."""
    place, turn, _ = ob.matrix_basis.decompose()
    return float(turn.to_euler("XYZ")[axis] if turning else place[axis])
