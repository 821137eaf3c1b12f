# SPDX-License-Identifier: GPL-3.0-or-later
"""Every operator redraws views and panels at its end, whatever that is."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from bl_operators.presets import AddPresetBase

from collision_kit.addon.model.errors import UserError
from collision_kit.addon.scene import events
from collision_kit.addon.ui import operators
from collision_kit.addon.ui.operators import base, modal_steps
from tests.helpers.blender import checked_scene
from tests.helpers.blender.panel_recorder import stand_in


@pytest.fixture
def redrawn(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """As many entries as there were redraws."""
    count: list[int] = []
    monkeypatch.setattr(events, "redraw", lambda: count.append(1))
    return count


def owner(cls: type, name: str) -> type:
    """The class that a method comes from."""
    return next(one for one in cls.__mro__ if name in vars(one))


def test_no_operator_ends_in_another_way_than_the_base_class() -> None:
    assert {cls.__name__ for cls in operators.CLASSES if not issubclass(cls, base.Operator)} == set()
    # Blender's own way to add a preset shows nothing of ours.
    others = {cls for cls in operators.CLASSES if owner(cls, "execute") is not base.Operator}
    assert {cls.__name__ for cls in others if owner(cls, "execute") is not AddPresetBase} == set()
    modal = {cls.__name__ for cls in operators.CLASSES if hasattr(cls, "modal")}
    assert modal
    assert {owner(cls, "modal") for cls in operators.CLASSES if hasattr(cls, "modal")} == {modal_steps.RunInSteps}


class Told:
    """The part of Blender that an operator needs."""

    def report(self, kind: set[str], text: str) -> None: ...


def one_of(parent: type, **methods: Any) -> SimpleNamespace:
    return stand_in(type("Sample", (Told, parent), methods))


def fails(error: type[Exception]) -> Any:
    def run(*_arguments: object) -> None:
        raise error("no such luck")

    return run


def test_an_operator_redraws_whether_it_succeeds_refuses_or_fails(redrawn: list[int]) -> None:
    assert one_of(base.Operator, run=lambda *_: {"FINISHED"}).execute(bpy.context) == {"FINISHED"}
    assert len(redrawn) == 1
    assert one_of(base.Operator, run=fails(UserError)).execute(bpy.context) == {"CANCELLED"}
    assert len(redrawn) == 2
    with pytest.raises(ZeroDivisionError):
        one_of(base.Operator, run=fails(ZeroDivisionError)).execute(bpy.context)
    assert len(redrawn) == 3


@pytest.mark.parametrize("end", ["done", "refused", "failed"])
@pytest.mark.parametrize("begin", ["run", "invoke"])
def test_an_operator_in_steps_redraws_after_the_last_of_them(
    begin: str, end: str, redrawn: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def steps(_self: object, _context: object) -> Iterator[int]:
        yield 1
        seen.append(len(redrawn))
        if end != "done":
            raise {"refused": UserError, "failed": ZeroDivisionError}[end]("no such luck")

    methods: dict[str, Any] = {"begin": steps, "share": lambda *_: 0.5, "status": lambda *_: "Half-way"}
    sample = one_of(modal_steps.RunInSteps, **methods, finish=lambda *_: seen.append(len(redrawn)) or {"FINISHED"})
    monkeypatch.setattr(modal_steps, "AT_ONCE", 60.0)
    arguments = (bpy.context,) if begin == "run" else (bpy.context, None)
    if end == "failed":
        with pytest.raises(ZeroDivisionError):
            getattr(sample, begin)(*arguments)
    else:
        getattr(sample, begin)(*arguments)
    assert len(redrawn) > max(seen[:1])


@pytest.mark.parametrize("name", ["check_collisions", "clear_results", "accept_pair", "next_result", "ignore_pair"])
def test_operators_called_by_scripts_redraw_too(name: str, scene: bpy.types.Scene, redrawn: list[int]) -> None:
    checked_scene.build()
    checked_scene.check()
    redrawn.clear()
    assert getattr(bpy.ops.collision_kit, name)() == {"FINISHED"}
    assert redrawn
