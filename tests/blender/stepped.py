# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps, taken one by one: of generators, and of operators in a window."""

import itertools
from types import SimpleNamespace

import bpy
import pytest

from collision_kit.addon.model import steps as stepping
from tests.blender.panel_recorder import Recorder, stand_in
from tests.blender.test_culling_operators import Window


def taken(steps):
    """What a generator yields, and what it returns."""
    seen = []
    while True:
        try:
            seen.append(next(steps))
        except StopIteration as end:
            return seen, end.value


def drawn_text(draw) -> str | None:
    """What is drawn in the status bar, but for how to end it; None if nothing is."""
    if draw is None:
        return None
    layout = Recorder()
    draw(SimpleNamespace(layout=layout), None)
    cancel, text = layout.texts
    assert cancel == "Cancel" and not layout.untranslated
    return text


class OpenWindow(Window):
    """A window that writes down what the status bar says."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str | None] = []
        shown = self.status_text_set
        self.status_text_set = lambda draw: (shown(draw), self.texts.append(drawn_text(draw)))
        self.collision_kit = bpy.context.window_manager.collision_kit
        self.space_data, self.area, self.mode = None, None, "OBJECT"


def begun(operator):
    """An operator that has been invoked in a window, the window, what it answered, and what it has reported."""
    said: list[tuple[str, str]] = []
    made = stand_in(operator, report=lambda kind, text: said.append((*kind, text)))
    window = OpenWindow()
    return made, window, made.invoke(window, None), said


def event(kind: str, value: str = "PRESS") -> SimpleNamespace:
    return SimpleNamespace(type=kind, value=value)


def to_the_end(operator, window: Window) -> set[str]:
    for _ in range(10_000):
        answer = operator.modal(window, event("TIMER"))
        if answer != {"RUNNING_MODAL"}:
            return answer
    raise AssertionError("it never ends")


def slow_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the time takes a second."""
    monkeypatch.setattr(stepping, "monotonic", itertools.count().__next__)
