# SPDX-License-Identifier: GPL-3.0-or-later
"""Convert joints of imported files to rigid body constraints, which define the linked bodies."""

from typing import Any

import bpy

# In the stubs, operators return nothing.
_operators: Any = bpy.ops


def join(
    context: bpy.types.Context,
    holder: bpy.types.Object | str,
    first: bpy.types.Object,
    second: bpy.types.Object,
    *,
    fixed: bool,
    collides: bool,
) -> None:
    """Link two objects with a rigid body constraint.

    Parameters
    ----------
    context : bpy.types.Context
    holder : bpy.types.Object or str
        The empty for the constraint, or the name of a new one at the place of the first object. If the object is not an
        empty or already has a constraint, a new empty is made, too.
    first, second : bpy.types.Object
    fixed : bool
        Whether they cannot move relative to each other.
    collides : bool
        Whether they still collide.
    """
    scene = context.scene
    if isinstance(holder, str) or holder.type != "EMPTY" or holder.rigid_body_constraint is not None:
        name = holder if isinstance(holder, str) else f"{holder.name}_joint"
        holder = bpy.data.objects.new(name, None)
        scene.collection.objects.link(holder)
        holder.matrix_world = first.matrix_world.copy()
    if scene.rigidbody_world is None:
        _operators.rigidbody.world_add()
    world: Any = scene.rigidbody_world
    # Blender's operator crashes in a world without bodies and constraints.
    if world.constraints is None:
        world.constraints = bpy.data.collections.new("RigidBodyConstraints")
    world.constraints.objects.link(holder)
    constraint: Any = holder.rigid_body_constraint
    constraint.type = "FIXED" if fixed else "GENERIC"
    constraint.object1, constraint.object2 = first, second
    constraint.disable_collisions = not collides


def give_joints(old: bpy.types.Object, new: bpy.types.Object, objects: Any) -> None:
    """Replace an object in the constraints that link it with another one."""
    for ob in objects:
        constraint: Any = ob.rigid_body_constraint
        for name in ("object1", "object2") if constraint is not None else ():
            if getattr(constraint, name) == old:
                setattr(constraint, name, new)
