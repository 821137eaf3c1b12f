# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawings are made anew only when there is something else to draw, and expensive ones once."""

from collections.abc import Iterator

import bpy
import pytest

from collision_kit.addon.session import dependencies
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.viewport import handler, stage
from collision_kit.addon.viewport import pair as pair_overlay
from collision_kit.addon.viewport.pair import PairDrawing
from tests.helpers.blender.checked_scene import add_cube, check

pytestmark = pytest.mark.usefixtures("scene")


@pytest.fixture
def crossings(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The rows of each pair whose crossing curve is computed."""
    asked: list[tuple[int, int]] = []
    original = pair_overlay.debug_draw.explanation.crossing_primitives
    monkeypatch.setattr(
        pair_overlay.debug_draw.explanation,
        "crossing_primitives",
        lambda world, a, b: (asked.append((a, b)), original(world, a, b))[1],
    )
    return asked


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Everything that is handed over to be drawn."""
    made: list[object] = []
    original = handler.set_primitives
    monkeypatch.setattr(handler, "set_primitives", lambda *given: (made.append(given), original(*given))[1])
    return made


@pytest.fixture
def colored(scene: bpy.types.Scene) -> Iterator[None]:
    bpy.context.window_manager.collision_kit.explanation.by_verdict = True
    yield
    bpy.context.window_manager.collision_kit.explanation.by_verdict = False


def three() -> None:
    """First and Second penetrate each other, and so do Second and Third."""
    for name, x in (("First", 0.0), ("Second", 1.5), ("Third", 3.0)):
        add_cube(name, x)


def moved(name: str) -> None:
    bpy.data.objects[name].location.x += 0.01
    bpy.context.view_layer.update()


@pytest.mark.usefixtures("colored")
def test_colors_are_drawn_anew_only_if_another_body_is_stale(drawings: list[object]) -> None:
    three()
    outside = add_cube("Outside", 50.0)
    bpy.context.scene.collision_kit.scope = "SELECTED"
    for name in ("First", "Second", "Third"):
        bpy.data.objects[name].select_set(True)
    outside.select_set(False)
    check()
    drawings.clear()
    for _ in range(3):
        moved("Outside")
        assert drawings == []
    moved("Third")
    assert len(drawings) == 1
    for _ in range(3):
        moved("Third")
        moved("Outside")
    assert len(drawings) == 1
    moved("First")
    assert len(drawings) == 2
    bpy.context.scene.collision_kit.scope = "VISIBLE"


@pytest.mark.usefixtures("colored")
def test_colors_of_what_was_deleted_or_undone_go(drawings: list[object]) -> None:
    three()
    check()
    drawings.clear()
    before = last_check.staleness()
    bpy.ops.ed.undo_push(message="Before")
    bpy.data.objects.remove(bpy.data.objects["Third"])
    bpy.context.view_layer.update()
    dependencies.review(bpy.context)
    assert last_check.staleness() != before
    assert len(drawings) == 1
    bpy.ops.ed.undo_push(message="After")
    assert bpy.ops.ed.undo() == {"FINISHED"}
    assert stage.current(stage.Drawing) is None or len(drawings) == 2
    check()
    assert last_check.staleness() == stage.current(PairDrawing).staleness  # type: ignore[union-attr]


def test_the_curve_in_which_two_cross_is_found_once(crossings: list[tuple[int, int]]) -> None:
    three()
    check()
    assert len(crossings) == 1
    for row in (1, 0, 1, 0):
        pair_overlay.show(bpy.context, row)
    assert len(crossings) == len(set(crossings)) == 2
    explanation = bpy.context.window_manager.collision_kit.explanation
    explanation.contacts = False
    explanation.contacts = True
    assert len(crossings) == 2
    check()
    assert len(crossings) == 3


@pytest.mark.usefixtures("colored")
def test_colors_do_not_have_the_curve_found_again(crossings: list[tuple[int, int]]) -> None:
    three()
    check()
    moved("Third")
    moved("Third")
    assert len(crossings) == 1
