# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of a scene's background set, and of that set's own, are listed as not tested."""

import json

import bpy
import pytest

from collision_kit import api
from collision_kit.addon.cli import commands


def cube(scene: bpy.types.Scene, name: str, x: float = 0.0) -> bpy.types.Object:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([(x, 0, 0), (x + 1, 0, 0), (x, 1, 0), (x, 0, 1)], [], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])
    ob = bpy.data.objects.new(name, mesh)
    scene.collection.objects.link(ob)
    return ob


@pytest.fixture
def scene(tmp_path) -> bpy.types.Scene:
    """Two objects that overlap each other and what is in the set, which has a set, which has the scene as its set."""
    bpy.ops.wm.read_homefile(use_empty=True)
    front = bpy.context.scene
    behind, far = (bpy.data.scenes.new(name) for name in ("Behind", "Far"))
    both = cube(front, "In front")
    cube(front, "Other", 5.0)
    cube(behind, "Wall", 0.25)
    cube(far, "Far wall", 0.25)
    behind.collection.objects.link(both)
    light = bpy.data.objects.new("Light", bpy.data.lights.new("Light", "POINT"))
    behind.collection.objects.link(light)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location.z = 20.0
    front.collection.objects.link(camera)
    front.camera = camera
    front.background_set, behind.background_set = behind, far
    bpy.context.view_layer.update()
    return front


NAMES = {"Wall": "Behind", "Far wall": "Far"}


def listed(skipped) -> dict[str, str]:
    return {one["object"]: one["reason"] for one in skipped if "background set" in one["reason"]}


@pytest.mark.parametrize("command", ["check", "motion", "cull", "validate"])
@pytest.mark.parametrize("kind", ["json", "text", "html"])
def test_each_report_lists_them(scene: bpy.types.Scene, tmp_path, capfd, command: str, kind: str) -> None:
    file = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    options = ["--engine", "unreal"] if command == "validate" else []
    options += [] if command == "cull" else ["--allow-empty"]
    capfd.readouterr()
    assert commands.command([command, str(file), *options, "--format", kind]) == 0
    output = capfd.readouterr().out
    reasons = {name: f"In the background set {behind}, which is not tested." for name, behind in NAMES.items()}
    if kind == "json":
        assert listed(json.loads(output)["skipped"]) == reasons
    else:
        assert all(name in output and reason in output for name, reason in reasons.items())
        # Each in the list, and in the count beside the verdict.
        assert output.count("background set") == 2 * len(NAMES)


@pytest.mark.parametrize("scope", ["ALL", "VISIBLE", "SELECTED"])
def test_a_scope_that_chooses_objects_leaves_them_out(scene: bpy.types.Scene, scope: str) -> None:
    for ob in scene.objects:
        ob.select_set(True)
    report = api.check_collisions(scope=scope)
    found = {one.object for one in report.skipped if "background set" in one.reason}
    assert found == (set() if scope == "SELECTED" else set(NAMES))
    assert {body.name for body in report.bodies} == {"In front", "Other"}


def test_sets_that_are_each_others_are_no_endless_chain(scene: bpy.types.Scene) -> None:
    """Blender refuses such a chain in its interface; a file may have one."""
    bpy.data.scenes["Far"].background_set = bpy.data.scenes["Behind"]
    report = api.check_collisions(scope="ALL")
    assert {one.object for one in report.skipped if "background set" in one.reason} == set(NAMES)
