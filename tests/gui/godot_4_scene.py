# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes that are turned, as a Blender file, and with colliders for Unreal as glTF: run in a process of its own.

The arguments are the two files. Prints the corners of the boxes in Godot's axes as JSON.
"""

import json
import os
import sys

import bpy
from mathutils import Matrix

import collision_kit
from collision_kit import api

APART = 10.0
SIZE = (1.0, 2.0, 3.0)
KINDS = ("BOX", "SPHERE", "CAPSULE", "CYLINDER", "HULL")


def main(plain: str, colliders: str) -> None:
    """Build, save and export."""
    collision_kit.register()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    corners = {}
    for number, kind in enumerate(KINDS):
        bpy.ops.mesh.primitive_cube_add(size=1.0, location=(APART * number, 1.0, 2.0))
        ob = bpy.context.object
        ob.name = kind.capitalize()
        ob.data.transform(Matrix.Diagonal((*SIZE, 1.0)))
        ob.rotation_euler = (0.3, 0.2, 0.5)
        bpy.context.view_layer.update()
        points = [ob.matrix_world @ vertex.co for vertex in ob.data.vertices]
        corners[ob.name] = [(point.x, point.z, -point.y) for point in points]
    bpy.ops.wm.save_as_mainfile(filepath=plain)
    for kind in KINDS:
        api.make_collider([kind.capitalize()], kind, engine="UNREAL")
    # Blender's exporter by itself: names only, no OMI.
    bpy.ops.export_scene.gltf(filepath=colliders)
    print(json.dumps(corners), flush=True)
    # Blender 4.2 crashes at the end of some processes that have exported glTF.
    os._exit(0)


main(*sys.argv[1:])
