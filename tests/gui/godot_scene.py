# SPDX-License-Identifier: GPL-3.0-or-later
"""Build colliders in Blender, validate them for Godot, and export them as glTF: run in a process of its own.

The argument is the folder of a Godot project. Prints, as JSON, what each object is predicted to become there.
"""

import json
import os
import sys

import bpy

import collision_kit
from collision_kit import api
from collision_kit.addon.engines.collider_roles import role_of

# Each object is elsewhere, by which Godot's shapes are told apart.
APART = 10.0
NAMES = (
    "Rock-convcolonly",
    "Cave-colonly",
    "Wall-col",
    "Crate-convcol",
    "Tree_01-convcolonly",
    "Bush-convcolonly_002",
    "Gate-rigid",
    "Sign_collider",
    "Post-convcolonly-003",
    "Bench-ConvColOnly",
    "Plain",
    "Plank",
)
# Names of meshes; the others have none that says something.
MESHES = {"Plank": "Plank-convcol", "Plain": "Plain-colonly"}
# The object is imported without a shape.
IGNORED = {"godot-name", "godot-number", "godot-empty-name"}


def main(folder: str) -> None:
    """Build, predict and export."""
    collision_kit.register()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    for number, name in enumerate(NAMES):
        points = [(0, 0, 0), (2, 0, 0), (0, 3, 0), (0, 0, 4)]
        faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
        mesh = bpy.data.meshes.new(MESHES.get(name, f"Mesh{number}"))
        mesh.from_pydata(points, [], faces)
        ob = bpy.data.objects.new(name, mesh)
        ob.location.x = APART * number
        bpy.context.scene.collection.objects.link(ob)
        if name == "Sign_collider":
            ob.collision_kit.collider.kind = "HULL"
    found: dict[str, list[str]] = {}
    for one in api.validate_colliders("GODOT").issues:
        found.setdefault(one.object, []).append(one.rule.id)
    predicted = {}
    for number, name in enumerate(NAMES):
        rules = found.get(name, [])
        role = role_of(MESHES[name] if "godot-mesh-name" in rules else name)
        taken = role is not None and role.read and not IGNORED & set(rules)
        assert role is None or taken or IGNORED & set(rules), "what is not taken is said"
        predicted[name] = {
            "place": APART * number,
            "kind": role.kind if role is not None and taken else None,
            "seen": role is None or not taken or not role.own,
            "rules": [rule for rule in rules if rule.startswith("godot")],
        }
    bpy.ops.export_scene.gltf(filepath=os.path.join(folder, "scene.glb"))
    print(json.dumps(predicted), flush=True)
    # Blender 4.2 crashes at the end of some processes that have exported glTF.
    os._exit(0)


main(sys.argv[1])
