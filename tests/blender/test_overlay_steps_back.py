# SPDX-License-Identifier: GPL-3.0-or-later
"""The drawing of the chosen pair makes room for what is done in other panels, until a pair is chosen again."""

from collections.abc import Callable

import bpy
import pytest

from collision_kit.addon.live import live_mode as live
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.viewport import pair as pair_overlay
from tests.helpers.blender import checked_scene
from tests.helpers.blender.bridge_scene import add, cube_mesh
from tests.helpers.blender.checked_scene import check
from tests.helpers.blender.on_screen import on_screen


@pytest.fixture(autouse=True)
def checked(scene: bpy.types.Scene) -> None:
    checked_scene.build()
    add("Rock", cube_mesh(), at=(20.0, 0.0, 0.0))
    check()
    bpy.ops.collision_kit.select_pair(row=0)


def select(name: str) -> None:
    bpy.ops.object.select_all(action="DESELECT")
    bpy.data.objects[name].select_set(True)
    bpy.context.view_layer.objects.active = bpy.data.objects[name]


def make_collider() -> None:
    select("Rock")
    assert bpy.ops.collision_kit.make_collider(kind="BOX") == {"FINISHED"}


def convert_collider() -> None:
    make_collider()
    bpy.ops.collision_kit.select_pair(row=0)
    select("UBX_Rock_01")
    assert bpy.ops.collision_kit.convert_collider(kind="SPHERE") == {"FINISHED"}


def mirror_collider() -> None:
    make_collider()
    bpy.ops.collision_kit.select_pair(row=0)
    select("UBX_Rock_01")
    assert bpy.ops.collision_kit.mirror_collider(axis="X") == {"FINISHED"}


def validate() -> None:
    assert bpy.ops.collision_kit.validate_colliders() == {"FINISHED"}


def select_issue() -> None:
    validate()
    bpy.ops.collision_kit.select_pair(row=0)
    assert bpy.ops.collision_kit.select_issue(row=0) == {"FINISHED"}


@pytest.mark.parametrize("work", [make_collider, convert_collider, mirror_collider, validate, select_issue])
def test_work_in_another_panel_hides_the_pair_and_a_click_on_its_row_shows_it(work: Callable[[], None]) -> None:
    assert on_screen() is not None
    work()
    assert on_screen() is None
    assert last_check.chosen == 0, "the row stays chosen"
    bpy.ops.collision_kit.select_pair(row=0)
    assert on_screen() is not None


def test_the_colors_of_all_bodies_stay() -> None:
    explanation = bpy.context.window_manager.collision_kit.explanation
    explanation.by_verdict = True
    bpy.ops.collision_kit.select_pair(row=0)
    assert pair_overlay.shown_row() == 0
    validate()
    assert on_screen() is not None
    assert pair_overlay.shown_row() == -1
    explanation.by_verdict = False


def test_live_mode_does_not_bring_the_pair_back() -> None:
    live.start()
    try:
        live.update(bpy.context, 10.0)
        assert on_screen() is not None
        validate()
        bpy.data.objects["First"].location.x += 0.125
        bpy.context.view_layer.update()
        live.update(bpy.context, 10.0)
        assert on_screen() is None
    finally:
        live.stop()
