# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that are declared static, by rigid bodies, files or hand: their pairs are folded."""

import base64
import json
import struct
from pathlib import Path
from typing import Any

import bpy
import pytest

from tests.helpers.blender.asset_scene import FACES, box, check_file, checked, faults, folded, rigid


@pytest.fixture(autouse=True)
def _empty_file() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def test_two_passive_rigid_bodies_are_information() -> None:
    rigid(box("Wall", (0.0, 0.0, 0.0), (5.0, 0.2, 3.0)), "PASSIVE")
    rigid(box("Bar", (1.0, 0.1, 0.0), (1.2, 0.5, 3.0)), "PASSIVE")
    rigid(box("Ball", (3.0, 0.1, 0.0), (4.0, 1.0, 1.0)), "ACTIVE")
    box("Undeclared", (4.5, 0.1, 0.0), (6.0, 1.0, 1.0))
    report = checked()
    assert folded(report) == {"static": 1}
    assert faults(report) == [("Ball", "Wall"), ("Undeclared", "Wall")]
    assert ("Bar", "Wall") in faults(checked(static=True))
    bpy.data.objects["Bar"].rigid_body.kinematic = True
    assert ("Bar", "Wall") in faults(checked())


def test_the_sentence_without_faults_names_collisions_of_static_bodies(tmp_path: Path, capfd: Any) -> None:
    for number in range(3):
        rigid(box(f"Wall {number}", (0.5 * number, 0, 0), (0.5 * number + 0.8, 1, 1)), "PASSIVE")
    path = tmp_path / "walls.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    code, text = check_file(capfd, path)
    assert code == 0 and "No collisions, except between static bodies (2 pairs, folded)." in text.splitlines()
    assert "except between static bodies (2 pairs, folded)" in check_file(capfd, path, "--format", "html")[1]
    assert "No collisions.\n" not in text
    bpy.data.objects["Wall 1"].location.z = 5.0
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    assert "No collisions." in check_file(capfd, path)[1].splitlines()


@pytest.mark.parametrize("physics", [True, False])
def test_what_is_neither_rendered_nor_a_rigid_body_is_a_helper(physics: bool) -> None:
    crate = box("Crate", (0, 0, 0), (1, 1, 1))
    walkable = box("Walkable", (-5, -5, -1), (5, 5, 0.1))
    walkable.hide_render = True
    if physics:
        rigid(crate, "ACTIVE")
    report = checked()
    assert faults(report) == ([] if physics else [("Crate", "Walkable")])
    assert [one.object for one in report.skipped] == ["Walkable"] * physics
    assert faults(checked(include_operands=True)) == [("Crate", "Walkable")]
    if physics:
        # It has what stands for it, or stands for itself.
        collider = box("UCX_Walkable", (-5, -5, -1), (5, 5, 0.2), walkable)
        assert faults(checked()) == [("Crate", "Walkable")]
        bpy.data.objects.remove(collider)
        walkable.collision_kit.shape = "BOX"
        assert faults(checked()) == [("Crate", "Walkable")]


def gltf_with_bodies(path: Path, extension: str, motion: dict | None) -> Path:
    """A glTF file with two boxes as bodies that are 0.5 in each other; the second has a motion."""
    points = [c for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0) for c in (x, y, z)]
    faces = [k for a, b, c, d in FACES for k in (a, b, c, a, c, d)]
    data = struct.pack("<24f", *points) + struct.pack(f"<{len(faces)}H", *faces)
    shapes = "KHR_implicit_shapes" if extension == "KHR_physics_rigid_bodies" else "OMI_physics_shape"
    geometry = {"geometry": {"shape": 0}} if shapes.startswith("KHR") else {"shape": 0}
    nodes: list[dict] = []
    for number, moved in enumerate((None, motion)):
        collider = {"name": f"Collider {number}", "extensions": {extension: {"collider": geometry}}}
        nodes += [
            {
                "name": f"Body {number}",
                "children": [len(nodes) + 1, len(nodes) + 2],
                "translation": [1.5 * number, 0, 0],
            },
            {"name": f"Mesh {number}", "mesh": 0},
            collider,
        ]
        if moved is not None:
            nodes[3 * number]["extensions"] = {extension: {"motion": moved}}
    content = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 3]}],
        "nodes": nodes,
        "extensionsUsed": [extension, shapes],
        "extensions": {shapes: {"shapes": [{"type": "box", "box": {"size": [2, 2, 2]}}]}},
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": len(data), "uri": "data:;base64," + base64.b64encode(data).decode()}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 96},
            {"buffer": 0, "byteOffset": 96, "byteLength": len(data) - 96},
        ],
        "accessors": [
            {
                **{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
                **{"min": [-1, -1, -1], "max": [1, 1, 1]},
            },
            {"bufferView": 1, "componentType": 5123, "count": len(faces), "type": "SCALAR"},
        ],
    }
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("extension", "motion", "declared"),
    [
        ("KHR_physics_rigid_bodies", None, "static"),
        ("KHR_physics_rigid_bodies", {}, "dynamic"),
        ("KHR_physics_rigid_bodies", {"isKinematic": True}, "kinematic"),
        ("OMI_physics_body", {"type": "static"}, "static"),
        ("OMI_physics_body", {"type": "dynamic"}, "dynamic"),
        ("OMI_physics_body", {"type": "kinematic"}, "kinematic"),
    ],
)
def test_a_gltf_file_declares_what_moves(
    extension: str, motion: dict | None, declared: str, tmp_path: Path, capfd: pytest.CaptureFixture
) -> None:
    path = gltf_with_bodies(tmp_path / "bodies.gltf", extension, motion)
    code, text = check_file(capfd, path, "--format", "json")
    report = json.loads(text)
    assert [body["motion"] for body in report["bodies"]] == ["static", declared]
    assert [one["folded"] for one in report["pairs"]] == ["static" if declared == "static" else None]
    assert code == (0 if declared == "static" else 1)
    assert check_file(capfd, path, "--static")[0] == 1


def test_the_motion_type_of_an_object_is_set_by_hand() -> None:
    for number in range(2):
        box(f"Box {number}", (0.5 * number, 0, 0), (0.5 * number + 1, 1, 1)).collision_kit.motion = "STATIC"
    assert folded(checked()) == {"static": 1}
    bpy.data.objects["Box 1"].collision_kit.motion = "DYNAMIC"
    assert faults(checked()) == [("Box 0", "Box 1")]
