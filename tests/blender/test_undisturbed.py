# SPDX-License-Identifier: GPL-3.0-or-later
"""A check in steps goes on as long as the scene stays as it is; tests of a window press the keys."""

import re
from collections.abc import Callable

import bpy
import pytest

from collision_kit.addon.collisions import check as checks
from collision_kit.addon.model.errors import UserError
from collision_kit.addon.scene import events
from collision_kit.addon.scene.settings import check_settings
from collision_kit.addon.ui.operators.check import COLLISION_KIT_OT_check_collisions
from collision_kit.addon.ui.operators.modal_steps import Steps, undisturbed
from tests.helpers.blender.checked_scene import add_cube, build
from tests.helpers.blender.live_scene import detailed
from tests.helpers.blender.stepped import slow_clocks, taken


@pytest.fixture(autouse=True)
def slow(scene: bpy.types.Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    slow_clocks(monkeypatch)


def checking() -> Steps:
    """The steps of a check of the scene, a pair at a time."""
    return undisturbed(bpy.context, checks.steps(bpy.context, check_settings(bpy.context), seconds=0.0))


def test_the_status_bar_tells_how_far_it_is() -> None:
    build()
    operator = COLLISION_KIT_OT_check_collisions
    seen, (report, _) = taken(checking())
    assert len(report.pairs) == 3
    shares = [operator.share(None, progress) for progress in seen]
    assert shares == sorted(shares)
    assert 0.0 <= shares[0] < shares[-1] <= 1.0
    texts = [operator.status(None, progress) for progress in seen]
    told = [re.fullmatch(r"Testing pairs: (\d+) of 3, (\d+) collisions? found", text) for text in texts]
    counted = [found.groups() for found in told if found]
    assert counted == sorted(counted) and counted[-1] == ("3", "1")


def test_the_status_bar_says_that_the_scene_is_read() -> None:
    detailed(12)
    steps = checking()
    assert COLLISION_KIT_OT_check_collisions.status(None, next(steps)) == "Reading the scene"
    steps.close()


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


def other_scene() -> None:
    bpy.context.window.scene = bpy.data.scenes.new("Other")


@pytest.mark.parametrize("before", [1, 3])
@pytest.mark.parametrize("happens", [move, delete, undo, hide, frame, paused, other_scene])
def test_a_scene_that_changes_meanwhile_ends_it(happens: Callable[[], None], before: int) -> None:
    for number in range(6):
        add_cube(("First", "Second", "Third", "4", "5", "6")[number], 0.1 * number)
    steps = checking()
    for _ in range(before):
        next(steps)
    happens()
    with pytest.raises(UserError, match="The scene changed while the operator ran"):
        taken(steps)


def test_what_came_before_and_changes_of_other_data_do_not_end_it() -> None:
    build()
    bpy.data.objects["First"].location.x -= 0.25
    steps = checking()
    next(steps)
    bpy.data.materials.new("Paint").diffuse_color = (1.0, 0.0, 0.0, 1.0)
    bpy.context.view_layer.update()
    _, (report, _) = taken(steps)
    assert report.pairs[0].distance == pytest.approx(-0.25)


def test_a_mesh_in_edit_mode_is_checked_in_steps() -> None:
    detailed(2)
    bpy.context.view_layer.objects.active = bpy.data.objects["Ball 0"]
    bpy.ops.object.mode_set(mode="EDIT")
    _, (report, _) = taken(checking())
    assert len(report.pairs) == 1
    bpy.ops.object.mode_set(mode="OBJECT")


def test_notes_are_taken_until_they_are_no_longer_wanted() -> None:
    build()
    with events.recorded_changes(bpy.context) as ended:
        pass
    with events.recorded_changes(bpy.context) as notes:
        move()
    assert (notes.changed, ended.changed) == (True, False)
