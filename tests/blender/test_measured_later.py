# SPDX-License-Identifier: GPL-3.0-or-later
"""The timer that measures the drawn pair in full, in steps, and what happens to the scene meanwhile."""

from collections.abc import Callable, Generator
from typing import Any

import bpy
import numpy as np
import pytest

from collision_kit.addon.collisions import pair_evidence
from collision_kit.addon.model.report import PairResult, PairResults
from collision_kit.addon.session import dependencies
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.viewport import pair as overlay


def one_step(seconds: float) -> Callable[[], bool]:
    """Return a clock that allows one step, then says that it is late."""
    answers = iter((False, True))
    return lambda: next(answers)


@pytest.fixture(autouse=True)
def rows(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Rings in each other, checked: the rows of two pairs that are not measured in full. Timers do not run here."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    for number, place in enumerate([(0, 0, 0), (0.9, 0, 0), (0.9, 0.3, 0.1)]):
        bpy.ops.mesh.primitive_torus_add(major_segments=16, minor_segments=8, location=place)
        bpy.context.object.name = f"Ring {number}"
    monkeypatch.setattr(overlay, "_measured", lambda world, row, pair: pair)
    monkeypatch.setattr(overlay, "after", one_step)
    bpy.context.scene.collision_kit.scope = "ALL"
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    found = [row for row, pair in enumerate(last_check.report.pairs) if not pair.complete]
    overlay.show(bpy.context, found[0])
    assert len(found) > 1 and not last_check.pair(found[0]).complete
    return found


def steps_left() -> int:
    """Run the timer until it ends. Return its number of steps."""
    count = 1
    while overlay._measure() is not None:
        count += 1
    return count


def test_the_drawn_pair_is_measured_in_steps_and_drawn_again(rows: list[int]) -> None:
    drawn = overlay.stage.current(overlay.PairDrawing)
    expected = pair_evidence.measured(last_check.world, PairResults.of([drawn.pair]), np.array([0]))[0]
    assert steps_left() > 2
    found = last_check.pair(rows[0])
    assert found.complete and (found.distance, found.interference) == (expected.distance, expected.interference)
    np.testing.assert_array_equal(found.contact_points, expected.contact_points)
    again = overlay.stage.current(overlay.PairDrawing)
    assert again is not drawn and again.pair is found
    assert steps_left() == 1


def test_another_pair_ends_the_measuring_of_the_first(rows: list[int]) -> None:
    assert overlay._measure() == overlay.SOON
    overlay.show(bpy.context, rows[1])
    steps_left()
    assert not last_check.pair(rows[0]).complete and last_check.pair(rows[1]).complete


def delete() -> None:
    for ob in list(bpy.data.objects):
        bpy.data.objects.remove(ob)
    bpy.context.view_layer.update()
    dependencies.review(bpy.context)


def move() -> None:
    for ob in bpy.data.objects:
        ob.location.x += ob.location.x
    bpy.context.view_layer.update()
    dependencies.review(bpy.context)


def undo() -> None:
    bpy.ops.ed.undo_push(message="Before")
    move()
    bpy.ops.ed.undo_push(message="Moved")
    bpy.ops.ed.undo()


def load() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def check_again() -> None:
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}


@pytest.mark.parametrize("change", [delete, move, undo, load])
def test_what_is_out_of_date_is_not_measured_further(rows: list[int], change: Callable[[], None]) -> None:
    assert overlay._measure() == overlay.SOON
    change()
    assert overlay._measure() is None and overlay._measuring is None
    assert last_check.report is None or not last_check.pair(rows[0]).complete


def test_after_another_check_the_new_pair_is_measured(rows: list[int]) -> None:
    assert overlay._measure() == overlay.SOON
    before = overlay._measuring
    check_again()
    overlay.show(bpy.context, rows[0])
    assert overlay._measure() == overlay.SOON and overlay._measuring.pair is last_check.pair(rows[0])
    assert overlay._measuring is not before
    steps_left()
    assert last_check.pair(rows[0]).complete


def test_a_step_that_fails_ends_the_measuring_and_the_next_begins_anew(
    rows: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*given: Any) -> Generator[int, None, PairResult]:
        yield 0
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(pair_evidence, "measuring", failing)
        for _ in range(2):
            assert overlay._measure() == overlay.SOON
            with pytest.raises(MemoryError):
                overlay._measure()
    steps_left()
    assert last_check.pair(rows[0]).complete
