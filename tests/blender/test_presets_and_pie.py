# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets of checks: those that come along, those that the user keeps; and the pie menu with its entry for a key."""

import runpy
from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest

from collision_kit.addon.collisions.presets import ADD, APPLY, FOLDER, OWN, SHIPPED, VALUES
from collision_kit.addon.ui import keymap
from collision_kit.addon.ui.panels.check_presets import COLLISION_KIT_PT_check_presets
from collision_kit.addon.ui.panels.pie import COLLISION_KIT_MT_pie_context_menu
from tests.helpers.blender.panel_recorder import Recorder, drawn, stand_in

pytestmark = pytest.mark.usefixtures("scene")


def value(path: str) -> object:
    return bpy.context.scene.collision_kit.path_resolve(path)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The user's folder of scripts, empty."""
    monkeypatch.setattr(bpy.utils, "user_resource", lambda _kind, path="", create=False: _made(tmp_path / path, create))
    monkeypatch.setattr(
        bpy.utils, "preset_paths", lambda sub: [str(path) for path in [tmp_path / "presets" / sub] if path.is_dir()]
    )
    return tmp_path / "presets" / FOLDER


def _made(path: Path, create: bool) -> str:
    if create:
        path.mkdir(parents=True, exist_ok=True)
    return str(path)


@pytest.mark.parametrize("preset", [identifier for identifier, _, _ in SHIPPED if identifier != OWN])
@pytest.mark.parametrize("scale", [1.0, 0.001])
def test_presets_that_come_along_are_in_meters_and_undone(preset: str, scale: float) -> None:
    bpy.context.scene.unit_settings.scale_length = scale
    settings = bpy.context.scene.collision_kit
    settings.scope, settings.planar.dimension, settings.clearance = "ALL", "PLANE", 7.0
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.collision_kit.apply_check_preset(shipped=preset) == {"FINISHED"}
    assert (settings.scope, settings.planar.dimension) == ("VISIBLE", "SPACE")
    meters = {
        "GAME_LEVEL": ("MANUAL", 0.001, 0.0),
        "MECHANICAL": ("AUTOMATIC", None, 0.0003),
        "TOUCHING_COUNTS": ("MANUAL", 0.0, 0.0),
    }
    mode, touching, clearance = meters[preset]
    assert settings.touching_mode == mode
    assert settings.clearance * scale == pytest.approx(clearance, rel=1e-6)
    if touching is not None:
        assert settings.touching * scale == pytest.approx(touching, rel=1e-6)
    bpy.ops.ed.undo_push(message="preset")
    bpy.ops.ed.undo()
    assert bpy.context.scene.collision_kit.clearance == 7.0


def test_what_counts_as_touching_decides_by_the_preset() -> None:
    """Cubes half a millimeter deep in each other are at rest in a level, and collide where touching counts."""
    from collision_kit.addon.session.collision_results import last_check
    from collision_kit.core import Verdict
    from tests.helpers.blender.bridge_scene import add, cube_mesh

    add("A", cube_mesh())
    add("B", cube_mesh(), at=(1.9995, 0.0, 0.0))
    bpy.context.view_layer.update()
    for preset, verdict in (("GAME_LEVEL", Verdict.TOUCHING), ("TOUCHING_COUNTS", Verdict.PENETRATING)):
        bpy.ops.collision_kit.apply_check_preset(shipped=preset)
        bpy.ops.collision_kit.check_collisions()
        assert last_check.report.pairs[0].verdict == verdict
    bpy.data.objects["B"].location.x = 2.0002
    bpy.ops.collision_kit.apply_check_preset(shipped="MECHANICAL")
    bpy.ops.collision_kit.check_collisions()
    assert last_check.report.pairs[0].verdict == Verdict.WITHIN_CLEARANCE


def test_the_users_presets_are_kept_listed_applied_and_removed(folder: Path) -> None:
    settings = bpy.context.scene.collision_kit
    settings.scope, settings.clearance, settings.touching_mode, settings.touching = "ALL", 0.5, "MANUAL", 0.25
    settings.planar.dimension, settings.planar.plane = "PLANE", "XZ"
    kept = {path: value(path) for path in VALUES}
    bpy.ops.collision_kit.add_check_preset(name="My Level")
    (file,) = folder.glob("*.py")
    assert file.name == "My_Level.py"
    assert "collection" not in file.read_text(encoding="utf-8")
    bpy.ops.collision_kit.apply_check_preset(shipped="GAME_LEVEL")
    assert {path: value(path) for path in VALUES} != kept
    assert bpy.ops.collision_kit.apply_check_preset(filepath=str(file)) == {"FINISHED"}
    assert {path: value(path) for path in VALUES} == kept
    bpy.ops.collision_kit.add_check_preset(name="My Level", remove_name=True)
    assert not list(folder.glob("*.py"))
    with pytest.raises(RuntimeError, match="Preset not found"):
        bpy.ops.collision_kit.apply_check_preset(filepath=str(file))


@pytest.mark.parametrize("name", ["apply_check_preset", "apply_name_preset"])
def test_a_preset_whose_script_fails_is_one_line(tmp_path: Path, name: str) -> None:
    file = tmp_path / "Broken.py"
    file.write_text("import bpy\nbpy.nowhere.x = 3\n", encoding="utf-8")
    with pytest.raises(RuntimeError, match="Failed to execute the preset: AttributeError") as error:
        getattr(bpy.ops.collision_kit, name)(filepath=str(file))
    assert "Traceback" not in str(error.value)


def test_the_panel_lists_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[tuple[list[str], bool, object]] = []
    monkeypatch.setattr(
        COLLISION_KIT_PT_check_presets,
        "path_menu",
        lambda _self, paths, operator, *, filter_ext, add_operator: listed.append(
            (paths, filter_ext(".py"), (operator, add_operator))
        ),
    )
    recorder = drawn(COLLISION_KIT_PT_check_presets, bpy.context)
    assert recorder.texts == [name for identifier, name, _ in SHIPPED if identifier != OWN]
    assert recorder.operators == [APPLY] * 3
    folder.mkdir(parents=True)
    drawn(COLLISION_KIT_PT_check_presets, bpy.context)
    (nothing, shown_before, verbs), (paths, shown, _) = listed
    assert verbs == (APPLY, ADD)
    assert not shown_before and Path(nothing[0]).is_dir(), "a folder that is not there yet is not said to be missing"
    assert shown and paths == [str(folder)]


def test_blender_itself_finds_and_lists_the_users_presets() -> None:
    """With Blender's own folders: the preset is in the user's, where other presets are, and is gone afterwards."""
    bpy.ops.collision_kit.add_check_preset(name="Only A Test")
    try:
        (found,) = [Path(one) / "Only_A_Test.py" for one in bpy.utils.preset_paths(FOLDER)]
        assert found.is_file()
        assert found.is_relative_to(bpy.utils.user_resource("SCRIPTS"))
    finally:
        bpy.ops.collision_kit.add_check_preset(name="Only A Test", remove_name=True)
    assert not found.exists()


class Pie(Recorder):
    """A recorder that knows of pies."""

    def menu_pie(self) -> "Recorder":
        return self._part()


def test_the_pie_has_eight_slices() -> None:
    recorder = Pie()
    stand_in(COLLISION_KIT_MT_pie_context_menu, layout=recorder).draw(bpy.context)
    assert recorder.operators == [
        f"collision_kit.{verb}"
        for verb in (
            "previous_result",
            "next_result",
            "check_collisions",
            "push_apart",
            "isolate_pair",
            "make_collider",
            "validate_colliders",
            "clear_results",
        )
    ]
    assert [name for _, name in recorder.props] == ["live"]
    # F3 finds these commands in other menus, and lists no menu with this ending.
    assert COLLISION_KIT_MT_pie_context_menu.__name__ == keymap.PIE
    assert keymap.PIE.endswith("_context_menu")
    # Validating and clearing share the last slice.
    assert len(recorder.operators) + len(recorder.props) - 1 == 8
    assert not recorder.untranslated


def shortcuts() -> list[bpy.types.KeyMapItem]:
    """The entries of the add-on in the keymaps of add-ons."""
    keyconfig = bpy.context.window_manager.keyconfigs.addon
    items = [item for name in ("Object Mode", "3D View") for item in keyconfig.keymaps[name].keymap_items]
    return [
        item
        for item in items
        if item.idname.startswith("collision_kit.") or getattr(item.properties, "name", "") == keymap.PIE
    ]


def preferences() -> Recorder:
    recorder = Recorder()
    keymap.draw(recorder, bpy.context)
    return recorder


def test_the_entries_for_keys_go_with_the_add_on() -> None:
    assert [(item.idname, item.type) for item in shortcuts()] == [
        ("collision_kit.next_result", "PAGE_DOWN"),
        ("collision_kit.previous_result", "PAGE_UP"),
        ("wm.call_menu_pie", "NONE"),
    ]
    keymap.unregister()
    try:
        assert shortcuts() == []
        bpy.context.window_manager.keyconfigs.update()
        assert preferences().texts == [
            f'A shortcut was removed from the keymap "{name}"' for name in ("Object Mode", "Object Mode", "3D View")
        ]
    finally:
        keymap.register()
    assert len(shortcuts()) == 3


def test_the_keys_are_not_blenders_in_object_mode() -> None:
    """In the keymaps that a 3D view has in this mode, those of the window and the screen among them."""
    # Blender as a module loads no keys, but it has the file that makes them.
    path = Path(
        bpy.utils.resource_path("LOCAL"), "scripts", "presets", "keyconfig", "keymap_data", "blender_default.py"
    )
    keymaps = {name: content["items"] for name, _, content in runpy.run_path(str(path))["generate_keymaps"]()}
    events = [
        event
        for name in ("Object Mode", "Object Non-modal", "3D View", "3D View Generic", "Frames", "Screen", "Window")
        for _, event, _ in keymaps[name]
    ]
    assert len(events) > 100
    used = {
        (event["type"], *(bool(event.get(one)) for one in ("ctrl", "shift", "alt", "oskey")))
        for event in events
        if not event.get("any")
    }
    assert ("PAGE_DOWN", True, False, False, False) in used, "Ctrl with it goes to the next workspace"
    ours = {(item.type, item.ctrl, item.shift, item.alt, item.oskey) for item in shortcuts() if item.type != "NONE"}
    assert len(ours) == 2
    assert not used & ours
    assert not {kind for kind, *_ in ours} & {event["type"] for event in events if event.get("any")}


def test_templates_of_names_are_kept_applied_undone_and_removed(folder: Path) -> None:
    settings = bpy.context.scene.collision_kit.colliders
    settings.name_unreal, settings.name_godot = "COL-{kind}.{mesh}", "{mesh}-{index}-{suffix}"
    bpy.ops.collision_kit.add_name_preset(name="Studio")
    (file,) = (folder.parent / "names").glob("*.py")
    settings.name_unreal = settings.name_godot = ""
    settings.name_unity = "{mesh}!"
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.collision_kit.apply_name_preset("EXEC_DEFAULT", True, filepath=str(file)) == {"FINISHED"}
    assert (settings.name_unreal, settings.name_godot, settings.name_unity) == (
        "COL-{kind}.{mesh}",
        "{mesh}-{index}-{suffix}",
        "",
    )
    bpy.ops.ed.undo()
    assert bpy.context.scene.collision_kit.colliders.name_unity == "{mesh}!"
    bpy.ops.collision_kit.add_name_preset(name="Studio", remove_active=False, remove_name=True)
    assert not file.exists()
    with pytest.raises(RuntimeError, match="Preset not found"):
        bpy.ops.collision_kit.apply_name_preset(filepath=str(file))
