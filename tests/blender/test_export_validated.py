# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports from a window: validated as the preferences say, and one file for each asset."""

import contextlib
import io
import json
import struct
from collections.abc import Callable
from pathlib import Path

import bpy
import pytest

from collision_kit.addon.engines.scripts import SCRIPTS
from collision_kit.addon.scene.settings import ROOT
from collision_kit.addon.session import validation_results
from tests.helpers.blender.bridge_scene import add, cube_mesh
from tests.helpers.blender.colliders_scene import make, select

pytestmark = pytest.mark.usefixtures("scene")

OPS = bpy.ops.collision_kit
EXPORTS: dict[str, Callable[..., set[str]]] = {
    "own.glb": OPS.export_gltf,
    "own.gltf": OPS.export_gltf,
    "own.fbx": OPS.export_fbx,
    "blenders.glb": bpy.ops.export_scene.gltf,
}


@pytest.fixture
def preferences():
    """The add-on's preferences, which a test may change."""
    addons = bpy.context.preferences.addons
    added = ROOT not in addons
    if added:
        addons.new().module = ROOT
    found = addons[ROOT].preferences
    yield found
    found.validate_export = "NONE"
    if added:
        addons.remove(addons[ROOT])


def broken() -> None:
    """A collider that Unreal imports as a visible mesh."""
    made = add("Rock_hitbox", cube_mesh(), parent=add("Rock", cube_mesh()))
    made.collision_kit.collider.kind = "BOX"
    bpy.context.scene.collision_kit.engine = "UNREAL"
    bpy.context.scene.frame_set(7)


def nodes(path: Path) -> set[str]:
    """The names of the nodes of a binary glTF file."""
    data = path.read_bytes()
    (size,) = struct.unpack("<I", data[12:16])
    return {node["name"] for node in json.loads(data[20 : 20 + size])["nodes"]}


@pytest.mark.parametrize("name", EXPORTS)
def test_stop_writes_nothing_and_says_why(name: str, tmp_path: Path, preferences) -> None:
    broken()
    preferences.validate_export = "STOP"
    with pytest.raises(
        RuntimeError, match=r"Nothing was exported\. Errors: 1, such as .Rock_hitbox.: Name has no Unreal"
    ):
        EXPORTS[name](filepath=str(tmp_path / name))
    assert not list(tmp_path.iterdir())
    assert bpy.context.scene.frame_current == 7
    (found,) = [one for one in validation_results.latest.result.report.issues if one.rule.severity == "error"]
    assert found.object == "Rock_hitbox"


@pytest.mark.parametrize("name", EXPORTS)
def test_godot_needs_no_names_in_files_that_declare_colliders_by_omi(name: str, tmp_path: Path, preferences) -> None:
    broken()
    bpy.context.scene.collision_kit.engine = "GODOT"
    preferences.validate_export = "STOP"
    if name.endswith("fbx"):
        with pytest.raises(RuntimeError, match="Name has no Godot"):
            EXPORTS[name](filepath=str(tmp_path / name))
        return
    assert EXPORTS[name](filepath=str(tmp_path / name)) == {"FINISHED"}
    (tmp_path / name).unlink()
    bpy.context.scene.collision_kit.gltf.omi = False
    with pytest.raises(RuntimeError, match="Name has no Godot"):
        EXPORTS[name](filepath=str(tmp_path / name))


@pytest.mark.parametrize("name", EXPORTS)
def test_warn_writes_and_says_what_is_wrong_and_off_says_nothing(name: str, tmp_path: Path, preferences) -> None:
    broken()
    for wanted in ("WARN", "NONE"):
        preferences.validate_export = wanted
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            assert EXPORTS[name](filepath=str(tmp_path / name)) == {"FINISHED"}
        assert ("no Unreal collision prefix" in said.getvalue()) == (wanted == "WARN")
        assert (tmp_path / name).stat().st_size


@pytest.mark.parametrize("name", EXPORTS)
def test_stop_writes_what_has_no_errors(name: str, tmp_path: Path, preferences) -> None:
    select(add("Rock", cube_mesh()))
    make("BOX", engine="UNREAL")
    bpy.context.scene.collision_kit.engine = "UNREAL"
    preferences.validate_export = "STOP"
    assert EXPORTS[name](filepath=str(tmp_path / name)) == {"FINISHED"}
    assert (tmp_path / name).stat().st_size


def test_each_asset_gets_a_file_with_its_colliders(tmp_path: Path) -> None:
    rock, tree = add("Rock", cube_mesh()), add("Tree", cube_mesh(), at=(5.0, 0.0, 0.0))
    select(rock, tree)
    make("BOX", engine="UNREAL")
    OPS.hide_colliders()
    assert OPS.export_gltf(filepath=str(tmp_path / "any.glb"), each_asset=True) == {"FINISHED"}
    assert {path.name: nodes(path) for path in tmp_path.iterdir()} == {
        "Rock.glb": {"Rock", "UBX_Rock_01"},
        "Tree.glb": {"Tree", "UBX_Tree_01"},
    }
    select(tree)
    assert OPS.export_fbx(filepath=str(tmp_path / "any.fbx"), each_asset=True, selected=True) == {"FINISHED"}
    assert [path.name for path in tmp_path.glob("*.fbx")] == ["Tree.fbx"]
    OPS.export_gltf(filepath=str(tmp_path / "one.glb"), selected=True)
    assert nodes(tmp_path / "one.glb") == {"Tree", "UBX_Tree_01"}


def test_a_file_that_the_scene_uses_is_not_replaced(tmp_path: Path) -> None:
    add("Rock", cube_mesh())
    image = bpy.data.images.load(str(picture(tmp_path / "rock.glb")))
    image.use_fake_user = True
    before = (tmp_path / "rock.glb").read_bytes()
    with pytest.raises(RuntimeError, match="is a file that the scene uses"):
        OPS.export_gltf(filepath=str(tmp_path / "rock.glb"))
    assert (tmp_path / "rock.glb").read_bytes() == before


def picture(path: Path) -> Path:
    """A picture, whatever its file is called."""
    image = bpy.data.images.new("x", 2, 2)
    image.filepath_raw, image.file_format = str(path), "PNG"
    image.save()
    bpy.data.images.remove(image)
    return path


@pytest.mark.parametrize(
    ("engine", "name"), [("UNITY", "CollisionKitPostprocessor.cs"), ("GODOT", "collision_kit_import.gd")]
)
def test_import_scripts_come_along_and_are_saved(engine: str, name: str, tmp_path: Path) -> None:
    assert OPS.save_import_script(engine=engine, filepath=str(tmp_path / "script")) == {"FINISHED"}
    saved = (tmp_path / "script").read_text(encoding="utf-8")
    assert saved == (SCRIPTS[engine]).read_text(encoding="utf-8") and "UBX" in saved
    assert SCRIPTS[engine].name == name
    with pytest.raises(RuntimeError, match="Cannot write"):
        OPS.save_import_script(engine=engine, filepath=str(tmp_path / "none" / "script"))
