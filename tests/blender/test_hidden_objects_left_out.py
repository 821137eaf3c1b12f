# SPDX-License-Identifier: GPL-3.0-or-later
"""Hidden objects get no colliders and are in no file for an engine, except what belongs to visible objects."""

import json
from pathlib import Path

import bpy
import pytest

from collision_kit.addon.cli import commands
from tests.helpers.blender.asset_scene import box

# Each is hidden. Those that stay: a collider of a visible mesh, a collider of no mesh, a level of a visible object, a
# parent, and an object that is hidden by keys.
STAY = ("UCX_Crate_01", "WallCollider", "Rock_LOD1", "Above", "Blinking")
LEFT_OUT = ("Copy", "Cutter", "Old", "Old_collider")


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    place = iter(range(0, 100, 3))

    def at(name: str, parent: bpy.types.Object | None = None) -> bpy.types.Object:
        x = float(next(place))
        return box(name, (x, 0.0, 0.0), (x + 1.0, 1.0, 1.0), parent)

    crate, _, above = at("Crate"), at("Rock_LOD0"), at("Above")
    at("Below", above)
    cut = crate.modifiers.new("Hole", "BOOLEAN")
    hidden = [above, *(at(name) for name in STAY if name != "Above"), *(at(name) for name in LEFT_OUT)]
    cut.object = bpy.data.objects["Cutter"]
    bpy.data.objects["Cutter"].hide_viewport = True
    blinking = bpy.data.objects["Blinking"]
    blinking.hide_viewport = True
    blinking.keyframe_insert("hide_viewport", frame=1)
    packed = bpy.data.collections.new("Packed")
    bpy.context.scene.collection.children.link(packed)
    packed.objects.link(bpy.data.objects["Copy"])
    bpy.context.scene.collection.objects.unlink(bpy.data.objects["Copy"])
    bpy.context.view_layer.layer_collection.children["Packed"].hide_viewport = True
    for ob in hidden:
        if not ob.hide_viewport and ob.visible_get():
            ob.hide_set(True)
    path = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def run(capfd: pytest.CaptureFixture, *arguments: object) -> tuple[int, str]:
    code = commands.command([str(one) for one in arguments])
    return code, capfd.readouterr().out


def names_in(path: Path) -> set[str]:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    getattr(bpy.ops.import_scene, {".glb": "gltf"}.get(path.suffix, path.suffix[1:]))(filepath=str(path))
    return {ob.name for ob in bpy.data.objects}


@pytest.mark.parametrize("suffix", [".glb", ".fbx"])
def test_make_leaves_out_what_is_hidden_and_says_so(scene: Path, suffix: str, capfd: pytest.CaptureFixture) -> None:
    out = scene.with_name(f"out{suffix}")
    command = ("make", scene, "--kind", "box", "--engine", "unreal", "--fail-on", "none")
    code, text = run(capfd, *command, "--output", out)
    told = f"4 hidden objects left out (--include-hidden includes them): {', '.join(LEFT_OUT)}"
    assert code == 0 and told in text.splitlines()
    untested = [line for line in text.splitlines() if "[hidden-colliders]" in line]
    assert [line.split()[1] for line in untested] == ["UCX_Crate_01", "WallCollider"]
    made = names_in(out)
    assert {"Crate", "Rock_LOD0", "Below", *STAY} <= made and not made & set(LEFT_OUT)
    assert [name for name in made if name.startswith("UBX_")] and not [
        name for name in made if name.startswith("UBX_") and any(one in name for one in (*STAY, *LEFT_OUT))
    ]


def test_all_of_it_is_written_on_request(scene: Path, capfd: pytest.CaptureFixture) -> None:
    out = scene.with_name("out.glb")
    command = ("make", scene, "--kind", "box", "--engine", "unreal", "--fail-on", "none", "--include-hidden")
    code, text = run(capfd, *command, "--output", out)
    assert code == 0 and "left out" not in text and "hidden-colliders" not in text
    assert {*STAY, *LEFT_OUT, "UBX_Old_01"} <= names_in(out) | {"UBX_Old_01"}


def test_export_leaves_out_the_same(scene: Path, capfd: pytest.CaptureFixture) -> None:
    out = scene.with_name("out.glb")
    code, text = run(capfd, "export", scene, out, "--format", "json")
    assert code == 0 and json.loads(text)["left_out"] == list(LEFT_OUT)
    assert not names_in(out) & set(LEFT_OUT)
    assert run(capfd, "export", scene, scene.with_name("{asset}.glb"))[0] == 0
    written = {path.stem for path in scene.parent.glob("*.glb")}
    assert {"Crate", "Rock_LOD0", "Above"} <= written and not written & {"Copy", "Cutter", "Old"}


def test_a_blender_file_has_everything(scene: Path, capfd: pytest.CaptureFixture) -> None:
    out = scene.with_name("out.blend")
    code, text = run(capfd, "export", scene, out)
    assert code == 0 and "left out" not in text
    bpy.ops.wm.open_mainfile(filepath=str(out))
    assert set(LEFT_OUT) <= {ob.name for ob in bpy.data.objects}


def test_a_scene_of_hidden_meshes_has_nothing_to_make(scene: Path, capfd: pytest.CaptureFixture) -> None:
    command = ("make", scene, "--kind", "box", "--engine", "any", "--objects", "Old")
    code = commands.command([str(one) for one in (*command, "--output", scene.with_name("out.glb"))])
    told = capfd.readouterr().err
    assert code == 2 and "whose name matches Old; 4 hidden objects left out (--include-hidden includes them)" in told
