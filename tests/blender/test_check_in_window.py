# SPDX-License-Identifier: GPL-3.0-or-later
"""Check Collisions in a window: with progress, until Esc, and as long as the scene stays as it is."""

import itertools
import re

import bpy
import pytest

from collision_kit.addon.collisions import check as checks
from collision_kit.addon.scene import events, settings
from collision_kit.addon.session.collision_results import last
from collision_kit.addon.ui.operators import modal_steps
from collision_kit.addon.ui.operators.check_collisions import COLLISION_KIT_OT_check_collisions
from collision_kit.addon.viewport import pair as pair_overlay
from tests.blender.checked_scene import add_cube, build, check
from tests.blender.live_scene import detailed
from tests.blender.stepped import begun, event, slow_clocks, to_the_end

pytestmark = pytest.mark.usefixtures("scene")


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two steps are taken between two looks at the keyboard, and each tests one pair."""
    monkeypatch.setattr(modal_steps, "monotonic", itertools.count().__next__)
    monkeypatch.setattr(modal_steps, "SLICE", 3)
    slow_clocks(monkeypatch)
    original = checks.steps
    monkeypatch.setattr(checks, "steps", lambda *given: original(*given, seconds=0.0))


def test_what_is_soon_done_is_done_at_once() -> None:
    build()
    _, window, answer, said = begun(COLLISION_KIT_OT_check_collisions)
    assert answer == {"FINISHED"}
    assert (window.open, window.said, window.texts) == (set(), [], [])
    assert len(last.report.pairs) == 3
    assert len(said) == 1


@pytest.mark.usefixtures("slow")
def test_in_a_window_it_tells_how_far_it_is_and_swallows_events() -> None:
    build()
    operator, window, answer, said = begun(COLLISION_KIT_OT_check_collisions)
    assert answer == {"RUNNING_MODAL"}
    assert window.open == {"timer", "progress"}
    for kind in ("MOUSEMOVE", "LEFTMOUSE", "Z", "TIMER1"):
        assert operator.modal(window, event(kind)) == {"RUNNING_MODAL"}
    assert last.report is None
    assert to_the_end(operator, window) == {"FINISHED"}
    assert window.open == set()
    assert window.said == sorted(window.said)
    assert 0.0 <= window.said[0] < window.said[-1] <= 1.0
    told = [
        re.fullmatch(r"Testing pairs: (\d+) of 3, (\d+) collisions? found", text).groups()
        for text in window.texts
        if text and text.startswith("Testing")
    ]
    # How many steps are taken between two looks at the time depends on how long they are; the end is not told.
    assert told == sorted(told) and told[-1] in {("2", "1"), ("3", "1")}
    assert window.texts[-1] is None
    assert said == [("WARNING", "1 penetrating, 1 touching, 1 within clearance. 4 bodies tested")]
    assert last.change_for(settings.check_settings(bpy.context)) is None
    assert last.chosen == pair_overlay.shown_row() == 0


@pytest.mark.usefixtures("slow")
def test_the_status_bar_says_that_the_scene_is_read() -> None:
    detailed(12)
    operator, window, _, _ = begun(COLLISION_KIT_OT_check_collisions)
    operator.modal(window, event("TIMER"))
    assert window.texts == ["Reading the scene"]
    operator.modal(window, event("ESC"))


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("timers", [0, 1])
@pytest.mark.parametrize("cancels", ["ESC", "RIGHTMOUSE"])
def test_canceling_leaves_the_earlier_report_as_it_was(timers: int, cancels: str) -> None:
    build()
    check()
    earlier, shown = last.report, pair_overlay.shown_row()
    bpy.context.scene.collision_kit.clearance = 0.0
    operator, window, _, said = begun(COLLISION_KIT_OT_check_collisions)
    for _ in range(timers):
        assert operator.modal(window, event("TIMER")) == {"RUNNING_MODAL"}
    assert operator.modal(window, event(cancels, "RELEASE")) == {"RUNNING_MODAL"}
    assert operator.modal(window, event(cancels)) == {"CANCELLED"}
    assert said == [("INFO", "Canceled: nothing was changed")]
    assert window.open == set()
    assert (last.report, pair_overlay.shown_row(), len(window.collision_kit.rows)) == (earlier, shown, 3)
    assert not events._notes


def move() -> None:
    bpy.data.objects["First"].location.x += 0.1
    bpy.context.view_layer.update()


def delete() -> None:
    bpy.data.objects.remove(bpy.data.objects["First"])
    bpy.context.view_layer.update()


def undo() -> None:
    for state in ("Before", "After"):
        bpy.ops.ed.undo_push(message=state)
    assert bpy.ops.ed.undo() == {"FINISHED"}


def hide() -> None:
    bpy.data.objects["First"].hide_set(True)
    bpy.context.view_layer.update()


def frame() -> None:
    first = bpy.data.objects["First"]
    first.keyframe_insert("location", frame=1)
    first.location.x += 1.0
    first.keyframe_insert("location", frame=2)
    bpy.context.scene.frame_set(2)


def paused() -> None:
    with events.paused():
        move()


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("timers", [1, 3])
@pytest.mark.parametrize("happens", [move, delete, undo, hide, frame, paused])
def test_a_scene_that_changes_meanwhile_ends_it(happens, timers: int) -> None:
    for number in range(6):
        add_cube(("First", "Second", "Third", "4", "5", "6")[number], 0.1 * number)
    check()
    earlier = last.report
    operator, window, _, said = begun(COLLISION_KIT_OT_check_collisions)
    for _ in range(timers):
        assert operator.modal(window, event("TIMER")) == {"RUNNING_MODAL"}
    happens()
    assert to_the_end(operator, window) == {"CANCELLED"}
    assert said == [("ERROR", "The scene changed while the operator ran, so its result was discarded. Run it again")]
    assert window.open == set()
    assert last.report is earlier
    assert not events._notes


@pytest.mark.usefixtures("slow")
def test_another_scene_that_is_shown_meanwhile_ends_it() -> None:
    build()
    operator, window, _, said = begun(COLLISION_KIT_OT_check_collisions)
    operator.modal(window, event("TIMER"))
    window.scene = bpy.data.scenes.new("Other")
    assert to_the_end(operator, window) == {"CANCELLED"}
    assert said[-1][0] == "ERROR"
    assert last.report is None


@pytest.mark.usefixtures("slow")
def test_what_came_before_and_changes_of_other_data_do_not_end_it() -> None:
    build()
    bpy.data.objects["First"].location.x -= 0.25
    operator, window, _, _ = begun(COLLISION_KIT_OT_check_collisions)
    operator.modal(window, event("TIMER"))
    bpy.data.materials.new("Paint").diffuse_color = (1.0, 0.0, 0.0, 1.0)
    bpy.context.view_layer.update()
    assert to_the_end(operator, window) == {"FINISHED"}
    assert last.report.pairs[0].distance == pytest.approx(-0.25)


@pytest.mark.usefixtures("slow")
def test_a_mesh_in_edit_mode_is_checked_in_steps() -> None:
    detailed(2)
    bpy.context.view_layer.objects.active = bpy.data.objects["Ball 0"]
    bpy.ops.object.mode_set(mode="EDIT")
    operator, window, _, said = begun(COLLISION_KIT_OT_check_collisions)
    assert to_the_end(operator, window) == {"FINISHED"}, said
    assert len(last.report.pairs) == 1
    bpy.ops.object.mode_set(mode="OBJECT")


@pytest.mark.usefixtures("slow")
def test_blender_ending_the_operator_ends_everything() -> None:
    build()
    operator, window, _, _ = begun(COLLISION_KIT_OT_check_collisions)
    operator.modal(window, event("TIMER"))
    operator.cancel(window)
    assert window.open == set()
    assert not events._notes
    assert last.report is None
