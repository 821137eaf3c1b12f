# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels that the preferences show or hide."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from collision_kit.addon.ui import panels, shown_panels
from collision_kit.addon.ui.panels import menus, tab
from collision_kit.addon.ui.preferences import COLLISION_KIT_preferences
from tests.helpers.blender import checked_scene
from tests.helpers.blender.bridge_scene import add
from tests.helpers.blender.panel_recorder import Recorder, drawn, stand_in

SWITCHED = {panel.switch: panel for panel in panels.CLASSES if issubclass(panel, tab.SwitchedTab)}

# Those that are hidden until the user shows them, and what has results for each.
HIDDEN: dict[str, Callable[[], object]] = {
    "floating": lambda: bpy.ops.collision_kit.find_floating(),
    "planar": lambda: bpy.ops.collision_kit.show_convex_pieces(),
    "camera": lambda: bpy.ops.collision_kit.cull_to_camera(),
    "obstacle": lambda: bpy.ops.collision_kit.show_obstacle(),
    "convexity": lambda: bpy.ops.collision_kit.check_convexity(),
}


@pytest.fixture(autouse=True)
def everything_applies(scene: bpy.types.Scene) -> None:
    """A scene in which each panel could be used: a camera, two selected meshes, a chosen pair."""
    checked_scene.build()
    camera = add("Camera", bpy.data.cameras.new("Camera"), location=(0.0, 0.0, 20.0))
    scene.camera = camera
    mesh = bpy.data.meshes.new("Square")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [], [(0, 1, 2, 3)])
    square, other = add("Square", mesh, location=(9.0, 0.0, 0.0)), add("Other", mesh, location=(12.0, 0.0, 0.0))
    checked_scene.check()
    for ob in bpy.context.selected_objects:
        ob.select_set(False)
    for ob in (other, square):
        ob.select_set(True)
    bpy.context.view_layer.objects.active = square


def preferences(monkeypatch: pytest.MonkeyPatch, **switches: bool) -> None:
    """Let the preferences have these switches, and all others as they are at first."""
    values = {key: panel.shown for key, panel in shown_panels.PANELS.items()} | switches
    stored = SimpleNamespace(panels=SimpleNamespace(**values))
    monkeypatch.setattr(shown_panels, "preferences_of", lambda _context: stored)


def is_drawn(key: str) -> bool:
    return drawn(SWITCHED[key], bpy.context) is not None


def test_each_switch_is_one_panels_and_has_its_name() -> None:
    assert SWITCHED.keys() == shown_panels.PANELS.keys()
    order = [panel.switch for panel in panels.CLASSES if issubclass(panel, tab.SwitchedTab)]
    assert len(order) == len(SWITCHED)
    assert list(shown_panels.PANELS) == order
    others = {key for key, panel in SWITCHED.items() if panel.bl_label != shown_panels.PANELS[key].name}
    assert others == {"planar"}, "it is about checks, too"
    assert shown_panels.COLLISION_KIT_PG_panels.bl_rna.properties.keys()[2:] == order


@pytest.mark.parametrize("key", shown_panels.PANELS)
def test_a_panel_is_shown_if_the_preferences_show_it(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if key == "planar":
        bpy.context.scene.collision_kit.planar.dimension = "PLANE"
    preferences(monkeypatch)
    assert is_drawn(key) == (key not in HIDDEN)
    preferences(monkeypatch, **{key: True})
    assert is_drawn(key)
    preferences(monkeypatch, **{key: False})
    assert not is_drawn(key)


@pytest.mark.parametrize("key", HIDDEN)
def test_a_hidden_panel_is_shown_while_it_has_results(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    preferences(monkeypatch)
    if key == "planar":
        bpy.context.scene.collision_kit.planar.dimension = "PLANE"
    assert not is_drawn(key)
    assert HIDDEN[key]() == {"FINISHED"}
    assert is_drawn(key)


def dimensions() -> int:
    recorder = drawn(panels.COLLISION_KIT_PT_check, bpy.context)
    assert recorder is not None
    return [name for _, name in recorder.props].count("dimension")


def test_the_choice_of_planar_checks_is_hidden_unless_one_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    preferences(monkeypatch)
    assert dimensions() == 0
    preferences(monkeypatch, planar=True)
    assert dimensions() == 1
    preferences(monkeypatch)
    bpy.context.scene.collision_kit.planar.dimension = "PLANE"
    assert dimensions() == 1, "there must be a way back"


class Owner:
    """Has the properties of the group of switches; the recorder looks them up."""

    @property
    def bl_rna(self) -> bpy.types.Struct:
        return shown_panels.COLLISION_KIT_PG_panels.bl_rna


def test_the_preferences_and_a_menu_have_a_switch_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    stored: Any = SimpleNamespace(panels=Owner())
    assert not menus.COLLISION_KIT_MT_panels.poll(bpy.context) or shown_panels.preferences_of(bpy.context) is not None
    for module in (shown_panels, menus):
        monkeypatch.setattr(module, "preferences_of", lambda _context: stored)
    assert menus.COLLISION_KIT_MT_panels.poll(bpy.context)
    recorder = Recorder()
    stand_in(menus.COLLISION_KIT_MT_panels, layout=recorder).draw(bpy.context)
    assert [name for _, name in recorder.props] == list(shown_panels.PANELS)
    group = COLLISION_KIT_preferences.bl_rna.properties["panels"].fixed_type
    assert {key: group.properties[key].default for key in shown_panels.PANELS} == {
        key: panel.shown for key, panel in shown_panels.PANELS.items()
    }
