# SPDX-License-Identifier: GPL-3.0-or-later
"""A figure that an armature deforms."""

import bpy
import numpy as np

from tests.helpers.blender.bridge_scene import TURNED, add, mesh
from tests.helpers.blender.colliders_scene import select

COUNT = 20  # vertices of each group


GROUPS = ("Arm.L", "Arm.R", "Hat")


def figure(*, scale: float = 2.0, relative: bool = False) -> bpy.types.Object:
    """A mesh with two arms that follow bones with their full weight, and a hat that follows none."""
    bpy.ops.object.armature_add(enter_editmode=True)
    rig = bpy.context.object
    rig.name = "Rig"
    bones = rig.data.edit_bones
    bones[0].name = "Arm.L"
    bones["Arm.L"].head, bones["Arm.L"].tail, bones["Arm.L"].roll = (0.1, 0.0, 0.0), (1.0, 0.2, 0.3), 0.4
    other = bones.new("Arm.R")
    other.head, other.tail, other.roll = (-0.1, 0.0, 0.0), (-1.0, 0.2, 0.3), -0.4
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in rig.data.bones:
        bone.use_relative_parent = relative
    rig.location, rig.rotation_euler, rig.scale = (30.0, -2.0, 7.0), TURNED, (scale,) * 3
    cloud = np.random.default_rng(7).normal(size=(COUNT, 3)) * (0.3, 0.1, 0.15)
    left = cloud + np.array((0.6, 0.1, 0.1))
    parts = [left, left * (-1.0, 1.0, 1.0), cloud + np.array((0.0, 0.0, 2.0))]
    faces = [(first, first + 1, first + 2) for first in range(0, COUNT * len(parts), COUNT)]
    body = add("Body", mesh(np.concatenate(parts).tolist(), faces), parent=rig, at=(0.2, 0.0, 0.1))
    for number, name in enumerate(GROUPS):
        group = body.vertex_groups.new(name=name)
        group.add(list(range(COUNT * number, COUNT * (number + 1))), 1.0, "REPLACE")
    body.modifiers.new("Armature", "ARMATURE").object = rig
    select(body)
    return body
