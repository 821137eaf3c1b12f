# SPDX-License-Identifier: GPL-3.0-or-later
"""The add-on comes, goes and comes back, and leaves nothing behind."""

import importlib
import pkgutil
import re
from types import SimpleNamespace

import bpy
import pytest

import collision_kit
from collision_kit import addon
from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.scene import events
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui import operators, panels, preferences
from collision_kit.addon.ui.properties import scene as properties
from collision_kit.addon.viewport.palette import LOOKS
from tests.helpers.blender import checked_scene
from tests.helpers.blender.checked_scene import check
from tests.helpers.blender.footprint import footprint

PACKAGE = collision_kit.__name__


def test_it_comes_and_goes_and_comes_back(scene: bpy.types.Scene) -> None:
    present = footprint(PACKAGE)
    kinds = {"class", "type", "operator", "property", "attribute", "handler", "menu", "manual", "key"}
    assert kinds <= {one.split()[0] for one in present}
    for _ in range(2):
        collision_kit.unregister()
        assert footprint(PACKAGE) == set()
        collision_kit.register()
        assert footprint(PACKAGE) == present
    checked_scene.build()
    check()
    assert last_check.report is not None


def test_going_with_results_at_hand_forgets_them(scene: bpy.types.Scene) -> None:
    checked_scene.build()
    check()
    collision_kit.unregister()
    try:
        assert last_check.report is None
        bpy.data.objects["First"].location.x = 3.0
        bpy.context.view_layer.update()
    finally:
        collision_kit.register()
    assert not bpy.context.window_manager.collision_kit.rows


def test_a_registration_that_fails_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    collision_kit.unregister()
    try:
        with monkeypatch.context() as patch:
            patch.setattr(events, "register", _fail)
            with pytest.raises(RuntimeError, match="on purpose"):
                collision_kit.register()
        assert footprint(PACKAGE) == set()
    finally:
        collision_kit.register()


def _fail() -> None:
    raise RuntimeError("on purpose")


def test_a_second_registration_is_refused_and_harms_nothing(scene: bpy.types.Scene) -> None:
    with pytest.raises(ValueError, match="registered"):
        collision_kit.register()
    checked_scene.build()
    check()


def test_names_follow_blenders_conventions() -> None:
    for operator in operators.CLASSES:
        verb = operator.__name__.removeprefix("COLLISION_KIT_OT_")
        assert operator.bl_idname == f"collision_kit.{verb}"
    for panel in panels.CLASSES:
        assert re.match("COLLISION_KIT_(PT|UL|MT)_[a-z_]+$", panel.__name__)


def test_every_operator_explains_itself_and_registers() -> None:
    for operator in operators.CLASSES:
        assert len(operator.bl_description) > 20
        assert not operator.bl_description.endswith(".")
        assert "REGISTER" in operator.bl_options
    checked = next(one for one in operators.CLASSES if one.bl_idname == "collision_kit.select_checked")
    assert "UNDO" in checked.bl_options, "it changes the selection"


def test_every_property_explains_itself() -> None:
    for group in (*properties.CLASSES, *preferences.CLASSES):
        for name in group.__annotations__:
            shown = group.bl_rna.properties[name]
            assert shown.type == "COLLECTION" or (shown.name and shown.description), name
            for item in getattr(shown, "enum_items", ()):
                assert item.description, (name, item.identifier)


def test_lengths_are_lengths_to_blender() -> None:
    for name in ("clearance", "touching"):
        shown = properties.COLLISION_KIT_PG_scene.bl_rna.properties[name]
        assert (shown.subtype, shown.unit) == ("DISTANCE", "LENGTH")


def test_the_preferences_change_the_looks_of_the_overlay_and_go_with_the_add_on() -> None:
    usual = dict(LOOKS)
    assert {Role.SHAPE_A, Role.WITNESS_A} <= set(preferences.ROLES["color_a"])
    chosen = SimpleNamespace(line_width=2.0, color_a=(0.1, 0.2, 0.3), is_property_set="color_a".__eq__)
    try:
        preferences.apply(chosen)
        for role, look in LOOKS.items():
            mine = role in preferences.ROLES["color_a"]
            assert look.color == ((0.1, 0.2, 0.3) if mine else usual[role].color)
            assert look.width == 2.0 * usual[role].width
    finally:
        preferences.apply()
    assert usual == LOOKS


def test_every_role_of_the_overlay_has_a_preference() -> None:
    # The colors of a heat map are a scale.
    assert {role for roles in preferences.ROLES.values() for role in roles} == set(LOOKS) - {Role.HEAT}


def test_it_comes_back_whatever_of_it_has_been_imported_meanwhile() -> None:
    # Modules of a package become attributes of it, and hide names of its own that are the same.
    names = [module.name for module in pkgutil.walk_packages(addon.__path__, f"{addon.__name__}.")]
    assert f"{addon.__name__}.gltf.importing" in names
    for name in names:
        importlib.import_module(name)
    before = footprint(PACKAGE)
    collision_kit.unregister()
    collision_kit.register()
    assert footprint(PACKAGE) == before


def test_the_preferences_say_whether_kernels_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    said = []
    for mode in ("compiled", "interpreted"):
        monkeypatch.setattr(preferences.kernels, "mode", mode)
        said.append(preferences._kernels())
    assert said == ["Compiled for this platform", "Interpreted: checks take longer"]
