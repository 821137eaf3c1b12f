# SPDX-License-Identifier: GPL-3.0-or-later
"""Custom properties of objects are in exported files, and the settings of the add-on are not among them."""

from pathlib import Path

import bpy
import pytest

from collision_kit import api
from collision_kit.addon.cli import commands
from tests.helpers.blender.bridge_scene import add, cube_mesh
from tests.helpers.gltf_files import read_file


@pytest.fixture
def crate(scene) -> bpy.types.Object:
    ob = add("Crate", cube_mesh())
    ob["hit_points"], ob["surface"] = 5, "wood"
    # These are custom properties, too, before Blender 5.0.
    ob.collision_kit.margin = 0.125
    bpy.context.scene["level"] = 3
    bpy.context.scene.collision_kit.clearance = 0.5
    return ob


@pytest.mark.usefixtures("crate")
def test_a_gltf_file_has_them(tmp_path: Path) -> None:
    api.make_collider(["Crate"], "BOX", engine="GLTF")
    api.export_gltf(tmp_path / "crate.glb")
    file = read_file(tmp_path / "crate.glb")
    assert {node["name"]: node.get("extras") for node in file.nodes} == {
        "Crate": {"hit_points": 5, "surface": "wood"},
        "Crate_collider": None,
    }
    assert file.json["scenes"][0]["extras"] == {"level": 3}


@pytest.mark.usefixtures("crate")
@pytest.mark.parametrize("suffix", [".glb", ".fbx"])
def test_they_are_there_after_the_commands(suffix: str, tmp_path: Path, capfd) -> None:
    first, second = tmp_path / "crate.blend", tmp_path / f"crate{suffix}"
    bpy.ops.wm.save_as_mainfile(filepath=str(first))
    command = ("make", str(first), "--kind", "box", "--engine", "unreal", "--output", str(second))
    assert commands.command(command) == 0
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    getattr(bpy.ops.import_scene, {".glb": "gltf"}.get(suffix, suffix[1:]))(filepath=str(second))
    found = bpy.data.objects["Crate"]
    assert (found["hit_points"], found["surface"]) == (5, "wood")
