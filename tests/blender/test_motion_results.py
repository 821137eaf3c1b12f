# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawings of a contact, and changes that make the results of a check of motion untrue."""

from collections.abc import Callable

import bpy
import numpy as np
import pytest

from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.live import live_mode as live
from collision_kit.addon.session import culling_results, dependencies, motion_results
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.session.latest import Change
from collision_kit.addon.viewport import camera_view as culling_overlay
from collision_kit.addon.viewport import motion_contact as motion_overlay
from collision_kit.addon.viewport import pair as pair_overlay
from collision_kit.addon.viewport import stage
from tests.helpers.blender import checked_scene
from tests.helpers.blender.bridge_scene import add, cube_mesh
from tests.helpers.blender.camera_scene import looking_down
from tests.helpers.blender.on_screen import on_screen
from tests.helpers.blender.passing_scene import check, passing

pytestmark = pytest.mark.usefixtures("scene")

ops = bpy.ops.collision_kit


def roles(kind: str = "line_role") -> dict[Role, int]:
    primitives = on_screen()
    if primitives is None:
        return {}
    return {
        Role(role): int(n) for role, n in zip(*np.unique(getattr(primitives, kind), return_counts=True), strict=True)
    }


def points_of(role: Role) -> np.ndarray:
    primitives = on_screen()
    return primitives.lines[primitives.line_role == role].reshape(-1, 3)


def test_both_are_drawn_where_they_first_touch() -> None:
    passing()
    found = check()
    assert motion_overlay.is_drawn()
    contact = found.contact(found.chosen)
    names = [body.name for body in found.bodies_of(contact)]
    boxes = {"Slider": ([-1.25, -0.5, -0.5], [-0.25, 0.5, 0.5]), "Post": ([-0.25, -2, -2], [0.25, 2, 2])}
    for role, name in zip((Role.SHAPE_A, Role.SHAPE_B), names, strict=True):
        points = points_of(role)
        assert points.min(axis=0) == pytest.approx(boxes[name][0], abs=2e-3)
        assert points.max(axis=0) == pytest.approx(boxes[name][1], abs=2e-3)
    tail, tip = on_screen().lines[on_screen().line_role == Role.NORMAL][0]
    assert tail == pytest.approx(contact.point)
    away = 1.0 if names[0] == "Slider" else -1.0
    assert (tip - tail) / np.linalg.norm(tip - tail) == pytest.approx([away, 0, 0], abs=1e-6)
    assert on_screen().labels == (f"first contact in frame {contact.first:.3f}",)
    legend = [str(text) for _, text in on_screen().legend]
    assert legend == [*names, "first contact, and its direction", "path of the contact", "deepest"]
    assert roles("point_role").keys() == {Role.CONTACT, Role.PATH, Role.DEPTH}
    assert Role.PATH in roles()
    assert stage.current(stage.Drawing).scene_uid == bpy.context.scene.session_uid


def test_it_is_drawn_instead_of_others_and_switched_off_and_on() -> None:
    passing()
    checked_scene.check()
    assert pair_overlay.shown_row() == 0
    contacts = bpy.context.window_manager.collision_kit.contacts
    assert not contacts.show
    check()
    assert contacts.show and pair_overlay.shown_row() == -1
    contacts.show = False
    assert pair_overlay.shown_row() == 0, "the pair is drawn again"
    assert Role.PATH not in roles()
    contacts.show = True
    assert Role.PATH in roles()
    ops.select_pair(row=0)
    assert not contacts.show and Role.PATH not in roles()
    contacts.show = True
    looking_down()
    ops.cull_to_camera()
    assert not contacts.show and culling_overlay.is_drawn() and Role.PATH not in roles()
    contacts.show = True
    assert not culling_overlay.is_drawn() and culling_results.latest.result is not None and Role.FRUSTUM not in roles()
    ops.clear_motion_results()
    assert motion_results.latest.result is None
    assert len(contacts.rows) == 0
    assert pair_overlay.shown_row() == 0
    ops.clear_results()
    assert on_screen() is None


def test_live_results_do_not_draw_over_it() -> None:
    passing()
    live.start()
    try:
        live.update(bpy.context, 10.0)
        check()
        bpy.data.objects["Shelf"].color = (1.0, 0.0, 0.0, 1.0)
        bpy.context.scene.frame_set(6)
        live.update(bpy.context, 10.0)
        assert len(last_check.report.pairs) > 0
        assert motion_overlay.is_drawn() and Role.PATH in roles()
    finally:
        live.stop()


# What makes results untrue


def undo() -> None:
    bpy.ops.ed.undo()


CHANGES: dict[str, Callable[[], object]] = {
    "move": lambda: setattr(bpy.data.objects["Post"].location, "y", 0.1),
    "scale": lambda: setattr(bpy.data.objects["Post"].scale, "y", 0.9),
    "modifier": lambda: bpy.data.objects["Post"].modifiers.new("Array", "ARRAY"),
    "new key": lambda: bpy.data.objects["Slider"].keyframe_insert("location", index=0, frame=40),
    "driver": lambda: setattr(bpy.data.objects["Post"].driver_add("location", 2).driver, "expression", "frame"),
    "constraint": lambda: setattr(
        bpy.data.objects["Post"].constraints.new("COPY_LOCATION"), "target", bpy.data.objects["Shelf"]
    ),
    "shape": lambda: setattr(bpy.data.objects["Post"].collision_kit, "shape", "SPHERE"),
    "new object": lambda: add("New", cube_mesh()),
    "deleted": lambda: bpy.data.objects.remove(bpy.data.objects["Shelf"]),
    "hidden": lambda: bpy.data.objects["Post"].hide_set(True),
    "hidden, animated": lambda: bpy.data.objects["Slider"].hide_set(True),
    "rate": lambda: setattr(bpy.context.scene.render, "fps", 12),
    "undo": undo,
}


@pytest.mark.parametrize("event", CHANGES)
def test_it_goes_with_whatever_may_make_it_untrue(event: str) -> None:
    passing()
    bpy.ops.ed.undo_push(message="Before")
    add("Far", cube_mesh(), at=(0.0, 90.0, 0.0))
    bpy.ops.ed.undo_push(message="After")
    found = check()
    CHANGES[event]()
    assert motion_overlay.is_drawn() is (event not in {"shape", "undo"}), "these are known at once"
    bpy.context.view_layer.update()
    dependencies.review(bpy.context)
    assert found.change is (Change.UNDO if event == "undo" else Change.SCENE)
    assert not motion_overlay.is_drawn()
    bpy.context.window_manager.collision_kit.contacts.show = True
    assert Role.PATH not in roles(), "what is untrue is not drawn again"


UNCHANGED: dict[str, Callable[[], object]] = {
    "frame": lambda: bpy.context.scene.frame_set(9),
    "subframe": lambda: bpy.context.scene.frame_set(3, subframe=0.3),
    "selection": lambda: bpy.data.objects["Post"].select_set(True),
    "color": lambda: setattr(bpy.data.objects["Post"], "color", (1.0, 0.0, 0.0, 1.0)),
    "name": lambda: setattr(bpy.data.objects["Post"], "name", "Pole"),
    "marker": lambda: bpy.context.scene.timeline_markers.new("Mine", frame=4),
    "light": lambda: setattr(bpy.data.objects["Lamp"].location, "x", 1.0),
    "range": lambda: setattr(bpy.context.scene, "frame_end", 12),
}


@pytest.mark.parametrize("event", UNCHANGED)
def test_it_stays_with_what_makes_no_difference(event: str) -> None:
    passing()
    add("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    bpy.context.view_layer.update()
    found = check()
    UNCHANGED[event]()
    bpy.context.view_layer.update()
    dependencies.review(bpy.context)
    assert found.change is None
    assert motion_overlay.is_drawn()
    assert motion_results.latest.result is found


def test_animated_visibility_is_no_change() -> None:
    made = passing()
    for frame, hidden in ((1, False), (8, True)):
        made["Book"].hide_viewport = hidden
        made["Book"].keyframe_insert("hide_viewport", frame=frame)
    bpy.context.scene.frame_set(1)
    found = check()
    bpy.context.scene.frame_set(9)
    assert not made["Book"].visible_get()
    bpy.data.objects["Post"].select_set(True)
    bpy.context.view_layer.update()
    dependencies.review(bpy.context)
    assert found.change is None


def test_nothing_is_left_after_a_file_is_loaded() -> None:
    passing()
    check()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert motion_results.latest.result is None
    assert on_screen() is None
    assert len(bpy.context.window_manager.collision_kit.contacts.rows) == 0
