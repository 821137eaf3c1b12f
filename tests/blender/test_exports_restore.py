# SPDX-License-Identifier: GPL-3.0-or-later
"""Exporters set scenes to other frames; afterwards all scenes are as they were."""

import json
from pathlib import Path

import bpy
import pytest

from tests.helpers.blender.bridge_scene import add, cube_mesh
from tests.helpers.blender.gltf_trip import EXTENSION, OTHER

EXPORT = """
import bpy, importlib, json
folder, extension, ending = arguments
api = importlib.import_module(extension or "collision_kit").api
bpy.ops.wm.open_mainfile(filepath=folder + "/before.blend")
bpy.data.objects["Moved"].location.x = 55.0
bpy.context.view_layer.update()
options = {"export_animation": True} if ending == "usda" else {}
getattr(api, "export_" + {"glb": "gltf", "usda": "usd"}.get(ending, ending))(folder + "/scene." + ending, **options)
frames = {scene.name: scene.frame_current + scene.frame_subframe for scene in bpy.data.scenes}
places = {ob.name: ob.location.x for ob in bpy.data.objects if ob.type == "MESH"}
cameras = {scene.name: scene.camera.name for scene in bpy.data.scenes}
open(folder + "/after.json", "w").write(json.dumps([bpy.context.scene.name, frames, places, cameras]))
"""


def keyed(name: str, scene: bpy.types.Scene) -> bpy.types.Object:
    """A cube at x = 0 in frame 1 and at x = 20 in frame 21, and on the way in between."""
    ob = add(name, cube_mesh())
    if scene != bpy.context.scene:
        bpy.context.scene.collection.objects.unlink(ob)
        scene.collection.objects.link(ob)
    for frame in (1, 21):
        ob.location.x = frame - 1.0
        ob.keyframe_insert("location", frame=frame)
    return ob


def with_cameras(scene: bpy.types.Scene) -> str:
    """Give a scene a camera by a marker, and another one by hand; returns the name of that."""
    bound, chosen = (bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera")) for _ in range(2))
    for camera in (bound, chosen):
        scene.collection.objects.link(camera)
    scene.timeline_markers.new("Bound", frame=1).camera = bound
    scene.camera = chosen
    return str(chosen.name)


@pytest.mark.parametrize("ending", ["glb", "fbx", "usda"])
def test_all_scenes_are_as_before(scene: bpy.types.Scene, tmp_path: Path, ending: str) -> None:
    if ending == "usda":
        pytest.importorskip("pxr", reason="OpenUSD is not installed")
    shown, other = scene, bpy.data.scenes.new("Other")
    keyed("Moved", shown)
    keyed("Keyed", other)
    bpy.context.window.scene = other
    other.frame_set(6)
    bpy.context.window.scene = shown
    shown.frame_set(11, subframe=0.5)
    there = bpy.data.objects["Keyed"].location.x
    cameras = {one.name: with_cameras(one) for one in (shown, other)}
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "before.blend"), compress=False)
    told = OTHER.run(EXPORT, str(tmp_path), EXTENSION, ending)
    assert (tmp_path / "after.json").exists(), told
    assert json.loads((tmp_path / "after.json").read_text()) == [
        shown.name,
        {shown.name: 11.5, "Other": 6.0},
        {"Moved": 55.0, "Keyed": pytest.approx(there, abs=1e-5)},
        cameras,
    ]
    assert (tmp_path / f"scene.{ending}").exists()
