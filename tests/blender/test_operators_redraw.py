# SPDX-License-Identifier: GPL-3.0-or-later
"""Every operator redraws views and panels at its end, whatever that is."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

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
    assert {owner(cls, "execute") for cls in operators.CLASSES} == {base.Operator}
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


def registered(parent: type = bpy.types.Operator) -> Iterator[type[bpy.types.Operator]]:
    """All classes of operators that Blender runs under the name of the extension."""
    for cls in parent.__subclasses__():
        if getattr(cls, "is_registered", False) and cls.__name__.startswith("COLLISION_KIT_OT_"):
            yield cls
        yield from registered(cls)


NAMES = sorted(cls.bl_idname.partition(".")[2] for cls in operators.CLASSES)


def test_the_operators_that_are_tried_are_those_that_are_registered() -> None:
    assert sorted({cls.__name__.partition("_OT_")[2] for cls in registered()}) == NAMES
    assert sorted(dir(bpy.ops.collision_kit)) == NAMES


@pytest.mark.parametrize("end", ["done", "refused", "failed"])
@pytest.mark.parametrize("name", NAMES)
def test_each_registered_operator_redraws_when_blender_has_run_it(
    name: str, end: str, redrawn: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    (cls,) = (cls for cls in set(registered()) if cls.__name__ == f"COLLISION_KIT_OT_{name}")
    seen: list[int] = []

    def run(_self: object, _context: object) -> set[str]:
        redrawn.clear()
        seen.append(1)
        if end == "done":
            return {"FINISHED"}
        raise {"refused": UserError, "failed": ZeroDivisionError}[end]("no such luck")

    # What it needs, and what it does, are other questions.
    monkeypatch.setattr(cls, "missing", classmethod(lambda *_: ""))
    monkeypatch.setattr(cls, "run", run)
    call = getattr(bpy.ops.collision_kit, name)
    if end == "done":
        assert call("EXEC_DEFAULT") == {"FINISHED"}
    else:
        with pytest.raises(RuntimeError, match="no such luck"):
            call("EXEC_DEFAULT")
    assert seen == [1]
    assert redrawn


@pytest.mark.parametrize("name", ["check_collisions", "clear_results", "accept_pair", "next_result", "ignore_pair"])
def test_operators_called_by_scripts_redraw_too(name: str, scene: bpy.types.Scene, redrawn: list[int]) -> None:
    checked_scene.build()
    checked_scene.check()
    redrawn.clear()
    assert getattr(bpy.ops.collision_kit, name)() == {"FINISHED"}
    assert redrawn
