# SPDX-License-Identifier: GPL-3.0-or-later
"""The operators that cull: what they select and hide, how undo brings it back, what is drawn, and the panel."""

import bpy
import numpy as np
import pytest

from collision_kit.addon.culling import check as culling_check
from collision_kit.addon.debug_draw import frustum as overlay
from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.session import culling_results
from collision_kit.addon.session.latest import Change
from collision_kit.addon.ui.panels.camera import COLLISION_KIT_PT_camera
from collision_kit.addon.viewport import camera_view as culling_overlay
from collision_kit.addon.viewport import pair as pair_overlay
from tests.helpers.blender import checked_scene
from tests.helpers.blender.bridge_scene import add, with_setting
from tests.helpers.blender.camera_scene import animated, cubes, looking_down, move, three
from tests.helpers.blender.on_screen import on_screen
from tests.helpers.blender.panel_recorder import drawn

pytestmark = pytest.mark.usefixtures("scene")


def selected() -> set[str]:
    return {ob.name for ob in bpy.context.view_layer.objects.selected}


def hidden() -> set[str]:
    return {ob.name for ob in bpy.context.view_layer.objects if ob.hide_get()}


def undoable(action) -> None:
    bpy.ops.ed.undo_push(message="Before")
    assert action() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="After")


def test_select_outside_camera_and_back() -> None:
    three()
    bpy.data.objects["In"].select_set(True)
    undoable(bpy.ops.collision_kit.select_outside_camera)
    assert selected() == {"Out"}
    bpy.ops.ed.undo()
    assert selected() == {"In"}
    for which, expected in (("CROSSING", {"Half"}), ("INSIDE", {"In"})):
        assert bpy.ops.collision_kit.select_outside_camera(which=which) == {"FINISHED"}
        assert selected() == expected


def test_where_there_is_nothing_to_select_the_selection_stays() -> None:
    looking_down()
    cubes(In=0.0)["In"].select_set(True)
    assert bpy.ops.collision_kit.select_outside_camera() == {"CANCELLED"}
    assert selected() == {"In"}
    assert bpy.ops.collision_kit.hide_outside_camera() == {"CANCELLED"}
    assert hidden() == set()


def test_hide_outside_camera_and_back() -> None:
    three()
    bpy.data.objects["Out"].select_set(True)
    undoable(bpy.ops.collision_kit.hide_outside_camera)
    assert hidden() == {"Out"}
    assert selected() == set()
    bpy.ops.ed.undo()
    assert hidden() == set()
    assert selected() == {"Out"}


def test_only_what_is_outside_in_all_frames_is_hidden() -> None:
    animated()
    bpy.context.scene.collision_kit.cull_frames = "RANGE"
    assert bpy.ops.collision_kit.hide_outside_camera() == {"FINISHED"}
    assert hidden() == {"Away"}
    assert bpy.context.scene.frame_current == 1
    bpy.data.objects["Away"].hide_set(False)
    bpy.context.scene.collision_kit.cull_frames = "CURRENT"
    assert bpy.ops.collision_kit.hide_outside_camera() == {"FINISHED"}
    assert hidden() == {"Away", "Passing"}


def test_only_what_is_in_the_scope_is_touched() -> None:
    three()
    cubes(Beyond=9.0)
    bpy.data.objects["Beyond"].select_set(True)
    bpy.context.scene.collision_kit.cull_scope = "SELECTED"
    assert bpy.ops.collision_kit.hide_outside_camera() == {"FINISHED"}
    assert hidden() == {"Beyond"}
    bpy.data.objects["Beyond"].hide_set(False)
    assert selected() == set(), "as Blender's own command leaves it"


def test_what_is_missing_is_said() -> None:
    made = cubes(A=0.0)
    for operator in ("cull_to_camera", "select_outside_camera", "hide_outside_camera"):
        with pytest.raises(RuntimeError, match="The scene has no active camera"):
            getattr(bpy.ops.collision_kit, operator)()
    with pytest.raises(RuntimeError, match="run Cull to Camera first"):
        bpy.ops.collision_kit.clear_camera_culling()
    camera = looking_down()
    bpy.context.scene.collision_kit.cull_scope = "SELECTED"
    with pytest.raises(RuntimeError, match="Select the objects to check"):
        bpy.ops.collision_kit.cull_to_camera()
    bpy.context.scene.collision_kit.cull_scope = "VISIBLE"
    bpy.context.view_layer.objects.active = made["A"]
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RuntimeError, match="Not in Object Mode"):
        bpy.ops.collision_kit.select_outside_camera()
    assert bpy.ops.collision_kit.cull_to_camera() == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")
    camera.scale = (0, 0, 0)
    with pytest.raises(RuntimeError, match='"Camera" has an empty clip range or zero scale'):
        bpy.ops.collision_kit.cull_to_camera()


# The drawing


def roles() -> dict[Role, int]:
    primitives = on_screen()
    if primitives is None:
        return {}
    return {
        Role(role): int(count) for role, count in zip(*np.unique(primitives.line_role, return_counts=True), strict=True)
    }


def test_the_view_and_the_objects_are_drawn_in_their_places() -> None:
    three()
    assert bpy.ops.collision_kit.cull_to_camera() == {"FINISHED"}
    assert roles() == {Role.FRUSTUM: 12, Role.INSIDE: 12, Role.CROSSING: 12, Role.OUTSIDE: 12}
    primitives = on_screen()
    for role, lower, upper in (
        (Role.FRUSTUM, [-2, -2, -10], [2, 2, 9]),
        (Role.INSIDE, [-0.5] * 3, [0.5] * 3),
        (Role.CROSSING, [1.5, -0.5, -0.5], [2.5, 0.5, 0.5]),
        (Role.OUTSIDE, [3.5, -0.5, -0.5], [4.5, 0.5, 0.5]),
    ):
        points = primitives.lines[primitives.line_role == role].reshape(-1, 3)
        assert points.min(axis=0) == pytest.approx(lower, abs=1e-5)
        assert points.max(axis=0) == pytest.approx(upper, abs=1e-5)


def test_very_many_are_drawn_as_their_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    three()
    with_setting(add("Floor", at=(0, 0, -2)), "HALF_SPACE")
    bpy.data.objects["In"].rotation_euler.z = np.radians(45.0)
    monkeypatch.setattr(overlay, "MOST_SHAPES", 3)
    bpy.ops.collision_kit.cull_to_camera()
    primitives = on_screen()
    assert roles()[Role.INSIDE] == 12
    points = primitives.lines[primitives.line_role == Role.INSIDE].reshape(-1, 3)
    assert points.max(axis=0) == pytest.approx([np.sqrt(0.5), np.sqrt(0.5), 0.5], abs=1e-5)
    assert roles()[Role.CROSSING] > 12, "the floor, which has no bounds, as a patch"


def test_it_is_drawn_instead_of_a_pair_and_switched_off_and_on() -> None:
    looking_down()
    checked_scene.build()
    checked_scene.check()
    results = bpy.context.window_manager.collision_kit
    assert not results.show_culling
    bpy.ops.collision_kit.cull_to_camera()
    assert results.show_culling
    assert pair_overlay.shown_row() == -1
    results.show_culling = False
    assert pair_overlay.shown_row() == 0, "the pair is drawn again"
    assert Role.FRUSTUM not in roles()
    results.show_culling = True
    assert Role.FRUSTUM in roles()
    bpy.ops.collision_kit.select_pair(row=1)
    assert not results.show_culling
    assert Role.FRUSTUM not in roles()
    bpy.ops.collision_kit.select_outside_camera()
    assert not results.show_culling, "selecting draws nothing anew"
    results.show_culling = True
    bpy.ops.collision_kit.clear_camera_culling()
    assert culling_results.latest.result is None
    assert pair_overlay.shown_row() == 1


@pytest.mark.parametrize("event", ["move", "turn", "zoom", "format", "delete", "shape", "undo", "frame", "lens"])
def test_it_goes_with_whatever_makes_it_untrue(event: str) -> None:
    objects = three()
    if event == "frame":
        move(objects["Half"], f1=2.0, f3=0.0)
    for frame, scale in ((1, 4.0), (2, 4.0), (3, 5.0)):
        bpy.context.scene.camera.data.ortho_scale = scale
        bpy.context.scene.camera.data.keyframe_insert("ortho_scale", frame=frame)
    bpy.context.scene.frame_set(1)
    bpy.ops.ed.undo_push(message="Before")
    cubes(New=0.0)
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.collision_kit.cull_to_camera()
    bpy.data.objects["In"].select_set(True)
    bpy.context.view_layer.update()
    kept = culling_results.latest.result
    assert kept is not None and kept.change is None and culling_overlay.is_drawn()
    camera = bpy.context.scene.camera
    {
        "move": lambda: setattr(bpy.data.objects["Out"].location, "x", 1.0),
        "turn": lambda: setattr(camera.rotation_euler, "x", 1.0),
        "zoom": lambda: setattr(camera.data, "ortho_scale", 1.0),
        "format": lambda: setattr(bpy.context.scene.render, "resolution_y", 50),
        "delete": lambda: bpy.data.objects.remove(bpy.data.objects["Out"]),
        "shape": lambda: setattr(bpy.data.objects["Out"].collision_kit, "shape", "SPHERE"),
        "undo": bpy.ops.ed.undo,
        "frame": lambda: bpy.context.scene.frame_set(2),
        "lens": lambda: bpy.context.scene.frame_set(3),
    }[event]()
    if event != "shape":  # Which no update tells of.
        bpy.context.view_layer.update()
    assert kept.change is (Change.UNDO if event == "undo" else Change.SCENE)
    assert not culling_overlay.is_drawn()
    bpy.context.window_manager.collision_kit.show_culling = True
    assert Role.FRUSTUM not in roles(), "what is untrue is not drawn again"


def test_another_frame_ends_the_drawing_of_a_range_but_not_its_counts() -> None:
    animated()
    bpy.context.scene.collision_kit.cull_frames = "RANGE"
    bpy.ops.collision_kit.cull_to_camera()
    assert culling_overlay.is_drawn()
    bpy.context.scene.frame_set(4)
    kept = culling_results.latest.result
    assert kept is not None and kept.change is None
    assert not culling_overlay.is_drawn()


def test_nothing_is_left_after_a_file_is_loaded() -> None:
    three()
    bpy.ops.collision_kit.cull_to_camera()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert culling_results.latest.result is None
    assert on_screen() is None


# The panel


def shown() -> list[str]:
    recorder = drawn(COLLISION_KIT_PT_camera, bpy.context)
    assert recorder is not None
    return recorder.texts


def facts() -> dict[str, str]:
    """Names and values, which follow each other."""
    texts, names = (
        shown(),
        ("Inside", "Partly Inside", "Outside", "Seen in Every Frame", "Seen in Some Frames", "Never Seen"),
    )
    return {name: texts[texts.index(name) + 1] for name in ("Camera", "Frames", *names) if name in texts}


def test_what_was_culled_is_selected_without_culling_again(monkeypatch: pytest.MonkeyPatch) -> None:
    animated()
    bpy.context.scene.collision_kit.cull_frames = "RANGE"
    bpy.ops.collision_kit.cull_to_camera()
    kept = culling_results.latest.result
    assert kept is not None
    count, steps = [], culling_check.steps
    monkeypatch.setattr(culling_check, "steps", lambda *given: count.append(1) or steps(*given))
    assert bpy.ops.collision_kit.select_outside_camera() == {"FINISHED"}
    never = {one.name for one in kept.report.objects if one.frames_seen == 0}
    assert {ob.name for ob in bpy.context.selected_objects} == never != set()
    assert count == []
    # What has changed is culled again.
    bpy.data.objects["Still"].location.x = 9.0
    bpy.context.view_layer.update()
    assert bpy.ops.collision_kit.select_outside_camera() == {"FINISHED"}
    assert "Still" in {ob.name for ob in bpy.context.selected_objects}
    assert count == [1]


@pytest.mark.usefixtures("all_panels")
def test_the_panel_needs_a_camera() -> None:
    cubes(A=0.0)
    assert drawn(COLLISION_KIT_PT_camera, bpy.context) is None
    looking_down()
    recorder = drawn(COLLISION_KIT_PT_camera, bpy.context)
    assert recorder is not None
    assert {name for _, name in recorder.props} == {"cull_scope", "cull_frames", "cull_method"}
    assert recorder.operators == [
        f"collision_kit.{name}" for name in ("cull_to_camera", "select_outside_camera", "hide_outside_camera")
    ]


def test_the_panel_counts_and_says_what_has_changed() -> None:
    animated()
    settings = bpy.context.scene.collision_kit
    bpy.ops.collision_kit.cull_to_camera()
    assert list(facts().values()) == ["Camera", "1", "2", "0", "2"]
    assert "changed since" not in " ".join(shown())
    settings.cull_frames = "RANGE"
    assert "The settings have changed since this check" in " ".join(shown())
    bpy.ops.collision_kit.cull_to_camera()
    seen = facts()
    assert seen.keys() >= {"Seen in Every Frame", "Seen in Some Frames", "Never Seen"}
    counts = [0, 0, 0]
    kept = culling_results.latest.result
    assert kept is not None
    for one in kept.report.objects:
        counts[0 if one.frames_seen == 5 else 1 if one.frames_seen else 2] += 1
    assert list(seen.values()) == ["Camera", "1 – 5", *map(str, counts)]
    assert min(counts) > 0
    some = next(one for one in kept.report.objects if 0 < one.frames_seen < 5)
    bpy.context.view_layer.objects.active = bpy.data.objects[some.name]
    assert f"{some.name}: seen in {some.frames_seen} of 5 frames" in shown()
    bpy.context.scene.frame_end = 4
    assert "The settings have changed since this check" in " ".join(shown())
    bpy.context.scene.frame_end = 5
    bpy.data.objects["Still"].location.x = 9.0
    bpy.context.view_layer.update()
    assert "The scene has changed since this check" in " ".join(shown())
    bpy.context.window.scene = bpy.data.scenes.new("Another")
    assert 'Results of scene "Scene"' in " ".join(shown())
