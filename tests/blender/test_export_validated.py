# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports from a window: validated as the preferences say, and one file for each asset."""

import contextlib
import io
import json
import struct
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest

from collision_kit.addon.engines.scripts import SCRIPTS
from collision_kit.addon.scene.settings import ROOT
from collision_kit.addon.session import validation_results
from collision_kit.addon.ui.operators import exports as exports_operators
from collision_kit.addon.validation import on_export
from tests.helpers.blender.bridge_scene import add, cube_mesh
from tests.helpers.blender.colliders_scene import make, select
from tests.helpers.blender.panel_recorder import Recorder, stand_in

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


@pytest.mark.parametrize(("engine", "said"), [("UNREAL", "Unreal"), ("GODOT", "Godot"), ("UNITY", "Unity")])
def test_before_an_export_the_dialog_has_one_choice_and_names_the_engine_of_the_scene(engine: str, said: str) -> None:
    broken()
    bpy.context.scene.collision_kit.engine = engine
    operator = exports_operators.COLLISION_KIT_OT_rename_before_export
    manager, fake = invoked(operator, rename=True, export="export_fbx", listed="Rock_hitbox", omi=False)
    assert manager.confirm == "Export"
    fake.draw(bpy.context)
    assert fake.layout.texts == [
        f"{said} does not read the name of 1 collider",
        "Rock_hitbox",
        f"Rename for {said}",
    ]
    assert [name for _, name in fake.layout.props] == ["rename"]


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


class Dialogs:
    """Takes the place of a window manager, and counts the dialogs and file browsers that operators open."""

    def __init__(self) -> None:
        self.dialogs, self.browsers = 0, 0
        self.confirm = ""

    def invoke_props_dialog(self, _operator: object, *, confirm_text: str, **_looks: object) -> set[str]:
        self.dialogs += 1
        self.confirm = confirm_text
        return {"RUNNING_MODAL"}

    def fileselect_add(self, _operator: object) -> None:
        self.browsers += 1


def invoked(operator: type[bpy.types.Operator], **given: object) -> tuple[Dialogs, SimpleNamespace]:
    """Invoke an operator as a click in a menu does, and return what it opens and the operator."""
    manager = Dialogs()
    context = SimpleNamespace(
        window_manager=manager,
        scene=bpy.context.scene,
        view_layer=bpy.context.view_layer,
        mode="OBJECT",
        window=None,
        blend_data=bpy.data,
        preferences=bpy.context.preferences,
        evaluated_depsgraph_get=bpy.context.evaluated_depsgraph_get,
    )
    verb = operator.bl_idname.partition(".")[2]
    fake = stand_in(operator, layout=Recorder(), bl_rna=getattr(OPS, verb).get_rna_type(), **given)
    fake.invoke(context, None)
    return manager, fake


def test_an_export_from_a_window_asks_about_names_that_the_engine_does_not_read(monkeypatch) -> None:
    broken()
    begun: list[tuple[str, list[str], bool]] = []

    def ask(export: str, unread: list[str], *, omi: bool) -> None:
        begun.append((export, unread, omi))

    monkeypatch.setattr(exports_operators, "_ask_about_names", ask)
    export = exports_operators.COLLISION_KIT_OT_export_fbx
    manager, _ = invoked(
        export, asked=False, filepath="//rock.fbx", bl_idname=export.__name__, filename_ext=export.filename_ext
    )
    assert begun == [("export_fbx", ["Rock_hitbox"], False)]
    assert manager.browsers == 0
    manager, _ = invoked(
        export, asked=True, filepath="//rock.fbx", bl_idname=export.__name__, filename_ext=export.filename_ext
    )
    assert (len(begun), manager.browsers) == (1, 1)
    # Godot reads no names in a glTF file that declares colliders by OMI.
    bpy.context.scene.collision_kit.engine = "GODOT"
    export = exports_operators.COLLISION_KIT_OT_export_gltf
    manager, _ = invoked(
        export, asked=False, filepath="//rock.glb", bl_idname=export.__name__, filename_ext=export.filename_ext
    )
    assert (len(begun), manager.browsers) == (1, 1)
    bpy.context.scene.collision_kit.gltf.omi = False
    invoked(export, asked=False, filepath="//rock.glb", bl_idname=export.__name__, filename_ext=export.filename_ext)
    assert begun[1:] == [("export_gltf", ["Rock_hitbox"], False)]


def test_a_question_validates_once_and_its_answer_before_and_after(monkeypatch) -> None:
    broken()
    validated: list[bool] = []
    names_only = on_export._names_only

    def counted(context: bpy.types.Context, omi: bool):
        validated.append(omi)
        return names_only(context, omi)

    monkeypatch.setattr(on_export, "_names_only", counted)
    operator = exports_operators.COLLISION_KIT_OT_rename_before_export
    manager, fake = invoked(operator, rename=True, export="", listed="Rock_hitbox\nOther", omi=False)
    assert (manager.dialogs, validated) == (1, []), "the export has found the names"
    fake.draw(bpy.context)
    assert fake.layout.texts[1:3] == ["Rock_hitbox", "Other"]
    assert OPS.rename_before_export() == {"FINISHED"}
    assert validated == [False, False]


def test_what_omi_declares_keeps_its_name() -> None:
    broken()
    bpy.context.scene.collision_kit.engine = "GODOT"
    assert OPS.rename_before_export(omi=True) == {"FINISHED"}
    assert "Rock_hitbox" in bpy.data.objects
    assert OPS.rename_before_export() == {"FINISHED"}
    assert "Rock_hitbox" not in bpy.data.objects


def test_the_dialog_lists_the_names_and_renames_them() -> None:
    for number in range(14):
        parent = add(f"Crate{number:02}", cube_mesh(), at=(5.0 * number, 0.0, 0.0))
        add(f"Hitbox{number:02}", cube_mesh(), parent=parent).collision_kit.collider.kind = "BOX"
    bpy.context.scene.collision_kit.engine = "UNREAL"
    operator = exports_operators.COLLISION_KIT_OT_rename_before_export
    manager, fake = invoked(operator, rename=True, export="", listed="", omi=False)
    assert manager.dialogs == 1
    fake.draw(bpy.context)
    assert fake.layout.texts[0] == "Unreal does not read the names of 14 colliders"
    assert fake.layout.texts[1:13] == [f"Hitbox{number:02}" for number in range(12)]
    assert "and 2 more" in fake.layout.texts
    assert not fake.layout.props, "without an export there is nothing to do but rename"
    before = {ob.name for ob in bpy.data.objects}
    assert OPS.rename_before_export(rename=False) == {"FINISHED"}
    assert {ob.name for ob in bpy.data.objects} == before
    bpy.ops.ed.undo_push(message="Built")
    assert OPS.rename_before_export() == {"FINISHED"}
    colliders = {ob.name for ob in bpy.data.objects} - before
    assert {name.partition("_")[2] for name in colliders} == {f"Crate{number:02}_01" for number in range(14)}
    assert not on_export.unread_names(bpy.context)
    bpy.ops.ed.undo_push(message="Renamed")
    bpy.ops.ed.undo()
    assert {ob.name for ob in bpy.data.objects} == before


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
