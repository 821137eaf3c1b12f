# SPDX-License-Identifier: GPL-3.0-or-later
"""What an operator that takes long opens in a window it closes, however it ends; tests of a window run real ones."""

import itertools
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

import collision_kit
from collision_kit.addon.model.errors import UserError
from collision_kit.addon.ui.operators import modal_steps
from collision_kit.addon.ui.operators.modal_steps import RunInSteps
from tests.blender.panel_recorder import Recorder, stand_in

TOTAL = 20


class Window:
    """What is asked of a context with a window, which Blender as a module cannot give to an operator that waits."""

    def __init__(self) -> None:
        self.window = self.window_manager = self.workspace = self
        self.screen = SimpleNamespace(areas=())
        self.open: set[str] = set()
        self.texts: list[str] = []
        self.shares: list[float] = []
        self.event_timer_add = lambda _step, window: self.open.add("timer")
        self.event_timer_remove = lambda _timer: self.open.remove("timer")
        self.progress_begin = lambda _first, _last: self.open.add("progress")
        self.progress_end = lambda: self.open.remove("progress")
        self.progress_update = self.shares.append
        self.modal_handler_add = lambda _operator: None

    def status_text_set(self, draw: Any) -> None:
        if draw is None:
            self.open.discard("text")
            return
        self.open.add("text")
        layout = Recorder()
        draw(SimpleNamespace(layout=layout), None)
        assert layout.texts[0] == "Cancel" and not layout.untranslated
        self.texts.append(layout.texts[1])


class Counting(RunInSteps):
    """Counts, and fails where it is told to."""

    def begin(self, _context: Any) -> Iterator[int]:
        return self.counting()

    def counting(self) -> Any:
        try:
            for number in range(TOTAL):
                if number == TOTAL // 2 and self.error is not None:
                    raise self.error
                yield number
            return TOTAL
        finally:
            self.closed = True

    def share(self, number: int) -> float:
        return number / TOTAL

    def status(self, number: int) -> str:
        return f"Counting: {number}"

    def finish(self, _context: Any, found: int) -> set[str]:
        assert found == TOTAL
        return {"FINISHED"}


@pytest.fixture
def window(scene: Any, monkeypatch: pytest.MonkeyPatch) -> Window:
    """Two steps are taken between two looks at the keyboard."""
    monkeypatch.setattr(modal_steps, "monotonic", itertools.count().__next__)
    monkeypatch.setattr(modal_steps, "SLICE", 3)
    return Window()


def begun(window: Window, error: Exception | None = None) -> tuple[Any, list[str]]:
    """An operator that waits, and what it reports."""
    said: list[str] = []
    operator = stand_in(Counting, report=lambda _kind, text: said.append(text), error=error, closed=False)
    assert operator.invoke(window, None) == {"RUNNING_MODAL"}
    assert window.open == {"timer", "progress"}
    assert send(operator, window, "TIMER") == {"RUNNING_MODAL"}
    assert window.open == {"timer", "progress", "text"}
    return operator, said


def send(operator: Any, window: Window, kind: str, value: str = "PRESS") -> set[str]:
    answer: set[str] = operator.modal(window, SimpleNamespace(type=kind, value=value))
    return answer


def sent_to_the_end(operator: Any, window: Window) -> set[str]:
    for _ in range(TOTAL):
        answer = send(operator, window, "TIMER")
        if answer != {"RUNNING_MODAL"}:
            return answer
    raise AssertionError("it never ends")


def test_it_counts_to_the_end(window: Window) -> None:
    operator, said = begun(window)
    assert sent_to_the_end(operator, window) == {"FINISHED"}
    assert (window.open, said, operator.closed) == (set(), [], True)
    assert window.shares == sorted(set(window.shares)) and len(window.shares) > 5
    assert window.texts == [f"Counting: {round(share * TOTAL)}" for share in window.shares]


@pytest.mark.parametrize("cancels", ["ESC", "RIGHTMOUSE"])
def test_a_press_cancels_and_a_release_does_not(window: Window, cancels: str) -> None:
    operator, said = begun(window)
    assert send(operator, window, cancels, "RELEASE") == {"RUNNING_MODAL"}
    assert send(operator, window, cancels) == {"CANCELLED"}
    assert (window.open, said, operator.closed) == (set(), ["Canceled: nothing was changed"], True)


def test_blender_ending_it_ends_everything(window: Window) -> None:
    operator, said = begun(window)
    operator.cancel(window)
    assert (window.open, said, operator.closed) == (set(), [], True)


def test_disabling_the_add_on_ends_everything(window: Window) -> None:
    operator, said = begun(window)
    collision_kit.unregister()
    try:
        assert (window.open, said, operator.closed) == (set(), [], True)
        operator.cancel(window)
    finally:
        collision_kit.register()


def test_what_the_user_did_wrong_is_told(window: Window) -> None:
    operator, said = begun(window, UserError("no {good}", good="good"))
    assert sent_to_the_end(operator, window) == {"CANCELLED"}
    assert (window.open, said) == (set(), ["no good"])


@pytest.mark.parametrize("error", [ValueError("a fault"), ZeroDivisionError("a fault")])
def test_a_fault_is_raised_when_everything_is_closed(window: Window, error: Exception) -> None:
    operator, said = begun(window, error)
    with pytest.raises(type(error), match="a fault"):
        sent_to_the_end(operator, window)
    assert (window.open, said) == (set(), [])
