# SPDX-License-Identifier: GPL-3.0-or-later
"""The operators on motion: the check and its end, jumps, markers, the drawing, and what makes results untrue."""

from collections.abc import Callable

import bpy
import numpy as np
import pytest

from collision_kit.addon.live import live_mode as live
from collision_kit.addon.motion import check as motion
from collision_kit.addon.scene.animation.frames import split_frame
from collision_kit.addon.scene.settings import motion_request
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui.operators.motion import COLLISION_KIT_OT_check_motion
from collision_kit.addon.viewport import motion_contact as motion_overlay
from tests.helpers.blender import checked_scene
from tests.helpers.blender.bridge_scene import add_collection
from tests.helpers.blender.passing_scene import DEEPEST, FIRST, LAST, check, kept, passing, place_of, row_of
from tests.helpers.blender.stepped import taken

pytestmark = pytest.mark.usefixtures("scene")

ops = bpy.ops.collision_kit


def now() -> float:
    scene = bpy.context.scene
    return scene.frame_current + scene.frame_subframe


def selected() -> set[str]:
    return {ob.name for ob in bpy.context.view_layer.objects.selected}


def state() -> dict[str, object]:
    """Everything about a scene that a check could have changed."""
    scene = bpy.context.scene
    return {
        "frame": now(),
        "matrices": {ob.name: np.array(ob.matrix_world).tobytes() for ob in scene.objects},
        "selected": selected(),
        "active": bpy.context.view_layer.objects.active,
        "markers": len(scene.timeline_markers),
        "meshes": len(bpy.data.meshes),
    }


# The check


def test_contacts_are_listed_and_the_first_that_begins_is_chosen() -> None:
    passing()
    before = state()
    found = check()
    assert state() == before
    assert len(found.report.contacts) == 2
    assert len(bpy.context.window_manager.collision_kit.contacts.rows) == 2
    assert found.chosen == row_of("Slider", "Post")
    assert bpy.context.window_manager.collision_kit.contacts.active == place_of("Slider", "Post") == 0
    contact = found.contact(found.chosen)
    assert contact.first == pytest.approx(FIRST, abs=1e-3)
    assert found.contact(row_of("Shelf", "Book")).started_touching


def test_the_range_and_the_scope_are_those_of_the_settings() -> None:
    made = passing()
    scene, settings = bpy.context.scene, bpy.context.scene.collision_kit
    assert motion_request(bpy.context)[3:] == (1, 11, None, False, 0.0, None, (), ())
    settings.motion.frames = "PREVIEW"
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 3, 5
    assert motion_request(bpy.context)[3:5] == (3, 5)
    settings.motion.frames, settings.motion.frame_start, settings.motion.frame_end = "OWN", 6, 8
    settings.motion.deviation_mode, settings.motion.deviation = "MANUAL", 0.25
    settings.motion.clearance = 0.5
    assert motion_request(bpy.context)[3:] == (6, 8, 0.25, False, 0.5, None, (), ())
    group = add_collection("Group")
    for name in ("Slider", "Shelf"):
        group.objects.link(made[name])
    settings.scope, settings.collection_a = "COLLECTION", group
    assert motion_request(bpy.context)[:3] == ("COLLECTION", "Group", "")
    assert check().report.contacts == ()
    assert not motion_overlay.is_drawn()


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (lambda s: setattr(s.collision_kit, "scope", "SELECTED"), "Select the objects to check"),
        (lambda s: setattr(s.collision_kit, "scope", "CAMERA"), "The scene has no active camera"),
        (lambda s: setattr(s.collision_kit.motion, "frames", "PREVIEW"), "The scene has no preview range"),
        (
            lambda s: (
                setattr(s.collision_kit.motion, "frames", "OWN"),
                setattr(s.collision_kit.motion, "frame_end", 0),
            ),
            "The frame range ends at 0, before its start at 1",
        ),
        (lambda s: setattr(s, "frame_end", 1), "The range is a single frame"),
    ],
)
def test_what_is_missing_is_said(prepare: Callable[[bpy.types.Scene], object], message: str) -> None:
    passing()
    prepare(bpy.context.scene)
    with pytest.raises(RuntimeError, match=message):
        ops.check_motion()


@pytest.mark.parametrize(
    ("operator", "message"),
    [
        ("jump_to_contact", "No contacts: run Check Motion first"),
        ("add_contact_markers", "No contacts: run Check Motion first"),
        ("remove_contact_markers", "The timeline has no contact markers"),
        ("clear_motion_results", "No results: run Check Motion first"),
    ],
)
def test_without_results_there_is_nothing_to_do_with_them(operator: str, message: str) -> None:
    passing()
    with pytest.raises(RuntimeError, match=message):
        getattr(ops, operator)()


def test_results_of_another_scene_are_not_jumped_to() -> None:
    passing()
    check()
    bpy.context.window.scene = bpy.data.scenes.new("Other")
    for operator in (ops.jump_to_contact, ops.add_contact_markers):
        with pytest.raises(RuntimeError, match="The results belong to another scene or view layer"):
            operator()


def test_it_tells_how_far_it_is() -> None:
    passing()
    seen, (report, _) = taken(motion.steps(bpy.context, motion_request(bpy.context)))
    shares = [COLLISION_KIT_OT_check_motion.share(None, progress) for progress in seen]
    assert shares == sorted(shares)
    assert 0.0 < shares[0] < shares[-1] <= 1.0
    counts = [progress.contacts for progress in seen]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1] == len(report.contacts) == 2


def test_live_mode_waits_while_frames_are_only_visited() -> None:
    passing()
    checked_scene.check()
    live.start()
    try:
        assert live.update(bpy.context, 10.0)
        report = last_check.report
        steps = motion.steps(bpy.context, motion_request(bpy.context))
        for _ in range(3):
            next(steps)
            assert live.tick() == live.RENDERING
        steps.close()
        assert last_check.report is report
        assert last_check.change_for(last_check.settings) is None
        assert live.tick() is not live.RENDERING
    finally:
        live.stop()


# Jumps


@pytest.mark.parametrize(("moment", "frame"), [("FIRST", FIRST), ("DEEPEST", DEEPEST), ("LAST", LAST)])
def test_a_jump_sets_the_fraction_of_the_frame_and_selects_both(moment: str, frame: float) -> None:
    passing()
    check()
    row = row_of("Slider", "Post")
    bpy.data.objects["Shelf"].select_set(True)
    assert ops.jump_to_contact(row=row, moment=moment) == {"FINISHED"}
    assert now() == pytest.approx(frame, abs=2e-3)
    x = bpy.data.objects["Slider"].evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation.x
    assert x == pytest.approx(frame - 6.0, abs=2e-3)
    assert selected() == {"Slider", "Post"}
    assert kept().chosen == row
    assert kept().change is None, "another frame changes nothing about it"
    assert motion_overlay.is_drawn()


def test_a_jump_is_undone_with_the_selection() -> None:
    passing()
    check()
    bpy.data.objects["Shelf"].select_set(True)
    bpy.ops.ed.undo_push(message="Before")
    assert ops.jump_to_contact(row=row_of("Slider", "Post")) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()
    assert selected() == {"Shelf"}
    assert now() == pytest.approx(2.5)


def test_a_click_on_a_row_jumps_to_its_first_moment() -> None:
    passing()
    check()
    contacts = bpy.context.window_manager.collision_kit.contacts
    contacts.active = place_of("Shelf", "Book")
    assert now() == 1.0
    assert selected() == {"Shelf", "Book"}
    contacts.active = place_of("Slider", "Post")
    assert now() == pytest.approx(FIRST, abs=2e-3)


def test_without_a_number_the_chosen_contact_is_jumped_to() -> None:
    passing()
    check()
    bpy.context.window_manager.collision_kit.contacts.active = place_of("Slider", "Post")
    bpy.context.scene.frame_set(1)
    assert ops.jump_to_contact() == {"FINISHED"}
    assert now() == pytest.approx(FIRST, abs=2e-3)
    assert selected() == {"Slider", "Post"}


def test_what_cannot_be_jumped_to_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    made = passing()
    check()
    row = row_of("Slider", "Post")
    assert ops.jump_to_contact(row=7) == {"CANCELLED"}
    assert "There is no contact 7" in capfd.readouterr().out
    for name in ("Slider", "Post"):
        made[name].hide_set(True)
    assert ops.jump_to_contact(row=row) == {"FINISHED"}
    assert "Both objects are hidden" in capfd.readouterr().out
    assert now() == pytest.approx(FIRST, abs=2e-3)
    bpy.context.scene.frame_set(2)
    bpy.data.objects.remove(made["Slider"])
    bpy.context.view_layer.update()
    assert ops.jump_to_contact(row=row) == {"CANCELLED"}
    assert '"Slider" was deleted since this check' in capfd.readouterr().out
    assert now() == 2.0


@pytest.mark.parametrize(
    ("frame", "expected"),
    [(5.25, (5, 0.25)), (5.0, (5, 0.0)), (-0.5, (-1, 0.5)), (7.0 - 1e-12, (7, 0.0)), (-3.0, (-3, 0.0))],
)
def test_frames_are_split_as_blender_takes_them(frame: float, expected: tuple[int, float]) -> None:
    assert split_frame(frame) == expected
    bpy.context.scene.frame_set(expected[0], subframe=expected[1])
    assert now() == pytest.approx(frame, abs=1e-6)
