# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of pairs by collection, groups of connected objects, and what the list is limited to; suggested rules."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from collision_kit import api
from collision_kit.addon.model.report import PairResult, Report
from collision_kit.addon.model.verdict_names import FAULTS
from collision_kit.addon.session import stored_results
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui.operators.results import (
    COLLISION_KIT_OT_filter_results,
    COLLISION_KIT_OT_pairs_by_collection,
)
from collision_kit.addon.ui.operators.rules import SHOWN, COLLISION_KIT_OT_suggest_rules
from collision_kit.addon.ui.panels.menus import COLLISION_KIT_MT_groups, COLLISION_KIT_MT_statuses
from collision_kit.addon.ui.panels.results import COLLISION_KIT_PT_results
from collision_kit.addon.ui.panels.rules import COLLISION_KIT_PT_rules
from collision_kit.addon.ui.result_list import rows as results_rows
from tests.helpers.blender.checked_scene import add_cube
from tests.helpers.blender.panel_recorder import Recorder, drawn, stand_in
from tests.helpers.blender.results_scene import list_everything, listed

ops = bpy.ops.collision_kit


@pytest.fixture(autouse=True)
def level(scene: bpy.types.Scene) -> None:
    """Two doors in walls, a door in the other, a crate in nothing but the scene in a third wall; all 0.1 deep."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    list_everything()
    places = {
        "Doors": {"Door1": 0.0, "Door2": 1.9, "Door3": 20.0},
        "Walls": {"Wall1": 3.8, "Wall2": 21.9, "Wall3": 40.0},
    }
    for name, objects in places.items():
        collection = bpy.data.collections.new(name)
        bpy.context.scene.collection.children.link(collection)
        for each, x in objects.items():
            ob = add_cube(each, x)
            for old in ob.users_collection:
                old.objects.unlink(ob)
            collection.objects.link(ob)
    add_cube("Crate", 41.9)
    ops.check_collisions()


def popup(operator: type[bpy.types.Operator], **attributes: Any) -> Recorder:
    """The contents that an operator draws."""
    recorder = Recorder()
    stand_in(operator, layout=recorder, **attributes).draw(bpy.context)
    return recorder


ALL = {"Door1 × Door2", "Door2 × Wall1", "Door3 × Wall2", "Crate × Wall3"}


def test_the_table_counts_the_pairs_of_each_two_collections() -> None:
    shown = popup(COLLISION_KIT_OT_pairs_by_collection)
    assert shown.texts == [
        *("Pairs by Collection", "Scene Collection", "Doors", "Walls"),
        *("Scene Collection", "1", "Doors", "1", "2", "Walls"),
    ]
    assert shown.operators == ["collision_kit.filter_results"] * 3


def test_a_click_on_a_cell_filters_the_list_until_it_is_taken_off() -> None:
    assert set(listed()) == ALL
    ops.filter_results(by="COLLECTIONS", first="Walls", second="Doors")
    assert set(listed()) == {"Door2 × Wall1", "Door3 × Wall2"}
    panel = drawn(COLLISION_KIT_PT_results, bpy.context)
    assert "Doors  ×  Walls" in panel.texts
    assert panel.operators.count("collision_kit.filter_results") == 1
    ops.filter_results(by="COLLECTIONS", first="", second="Walls")
    assert listed() == ["Crate × Wall3"]
    # Another check keeps the filter.
    bpy.data.objects["Crate"].location.x = 60.0
    ops.check_collisions()
    assert listed() == []
    ops.filter_results()
    assert set(listed()) == ALL - {"Crate × Wall3"}
    assert "Doors  ×  Walls" not in drawn(COLLISION_KIT_PT_results, bpy.context).texts


def test_showing_all_results_takes_the_filter_off_too() -> None:
    ops.filter_results(by="COLLECTIONS", first="Doors", second="Doors")
    assert listed() == ["Door1 × Door2"]
    ops.show_all_results()
    assert set(listed()) == ALL


def test_the_table_knows_the_collections_of_now() -> None:
    bpy.data.collections["Doors"].objects.unlink(bpy.data.objects["Door3"])
    bpy.data.collections["Walls"].objects.link(bpy.data.objects["Door3"])
    fake = stand_in(COLLISION_KIT_OT_pairs_by_collection, layout=Recorder())
    manager = SimpleNamespace(invoke_popup=lambda _operator, width: {"FINISHED"})
    fake.invoke(SimpleNamespace(window_manager=manager), None)
    shown = popup(COLLISION_KIT_OT_pairs_by_collection)
    assert shown.texts[4:] == ["Scene Collection", "1", "Doors", "1", "1", "Walls", "1"]


def test_of_many_collections_those_with_most_pairs_are_shown() -> None:
    for number in range(14):
        pair = [add_cube(f"Pair{number}{side}", 100.0 * number + 500.0 + 1.9 * side) for side in range(2)]
        collection = bpy.data.collections.new(f"Set {number:02}")
        bpy.context.scene.collection.children.link(collection)
        for ob in pair:
            bpy.context.scene.collection.objects.unlink(ob)
            collection.objects.link(ob)
    ops.check_collisions()
    shown = popup(COLLISION_KIT_OT_pairs_by_collection)
    assert len(results_rows.parts().names) == 12
    assert {"Doors", "Walls"} <= set(shown.texts)
    assert shown.texts[-1] == "5 collections with fewer pairs are not shown"


def test_groups_are_listed_and_filter_the_list() -> None:
    shown = Recorder()
    stand_in(COLLISION_KIT_MT_groups, layout=shown).draw(bpy.context)
    assert shown.texts == [
        "All Pairs",
        "Group 1 (3 objects, 2 pairs)",
        "Group 2 (2 objects, 1 pair)",
        "Group 3 (2 objects, 1 pair)",
    ]
    ops.filter_results(by="GROUP", group=1)
    assert set(listed()) == {"Door1 × Door2", "Door2 × Wall1"}
    assert "Group 1 (3 objects, 2 pairs)" in drawn(COLLISION_KIT_PT_results, bpy.context).texts
    # A group is that of its first object.
    add_cube("Door4", -1.9)
    ops.check_collisions()
    assert set(listed()) == {"Door1 × Door2", "Door2 × Wall1", "Door1 × Door4"}
    ops.accept_pair(which="LISTED")
    assert listed() == []
    bpy.context.window_manager.collision_kit.view.accepted = True
    assert "A group without collisions" in drawn(COLLISION_KIT_PT_results, bpy.context).texts
    assert ops.filter_results(by="GROUP", group=9) == {"CANCELLED"}
    ops.filter_results(by="ALL")
    assert set(listed()) == {*ALL, "Door1 × Door4"}


def set_status(row: int, status: str) -> None:
    last_check.chosen = row
    assert ops.edit_pair_status(status=status) == {"FINISHED"}


def test_the_list_is_limited_to_a_status_which_is_saved_with_the_results(tmp_path: Path) -> None:
    report = last_check.report
    rows = {f"{a} × {b}": row for row, pair in enumerate(report.pairs) for a, b in [sorted(names_of(report, pair))]}
    set_status(rows["Door2 × Wall1"], "Closed")
    set_status(rows["Crate × Wall3"], "On Hold")
    shown = Recorder()
    stand_in(COLLISION_KIT_MT_statuses, layout=shown).draw(bpy.context)
    assert shown.texts == ["All Pairs", "Open (2)", "In Progress (0)", "Closed (1)", "On Hold (1)"]
    ops.filter_by_status(status="Open")
    assert set(listed()) == {"Door1 × Door2", "Door3 × Wall2"}
    set_status(rows["Door3 × Wall2"], "In Progress")
    assert listed() == ["Door1 × Door2"]
    ops.filter_by_status(status="On Hold")
    assert listed() == ["Crate × Wall3"]
    ops.filter_results(by="COLLECTIONS", first="Doors", second="Walls")
    assert listed() == []
    assert "Doors  ×  Walls, Status: On Hold" in drawn(COLLISION_KIT_PT_results, bpy.context).texts
    ops.filter_results()
    assert set(listed()) == ALL
    ops.filter_by_status(status="Closed")
    path = str(tmp_path / "work.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert stored_results.restore(bpy.context)
    assert bpy.context.window_manager.collision_kit.view.status == "Closed"
    assert listed() == ["Door2 × Wall1"]
    ops.show_all_results()
    assert set(listed()) == ALL


def names_of(report: Report, pair: PairResult) -> tuple[str, str]:
    return report.bodies[pair.body_a].name, report.bodies[pair.body_b].name


def test_what_a_cell_says() -> None:
    given = SimpleNamespace(by="COLLECTIONS", first="Walls", second="Doors")
    assert COLLISION_KIT_OT_filter_results.description(bpy.context, given) == "Doors  ×  Walls. Worst: Penetrating"


# Suggested rules


def bolts(count: int = 4) -> None:
    for number in range(count):
        add_cube(f"Plate.{number:03}", 100.0 + 10.0 * number)
        add_cube(f"Bolt.{number:03}", 101.99 + 10.0 * number)
    ops.check_collisions()


def test_nothing_is_taken_that_was_not_chosen_and_what_was_is_undone() -> None:
    bolts()
    assert ops.suggest_rules() == {"CANCELLED"}
    assert api.ignore_rules() == ()
    bpy.ops.ed.undo_push(message="before")
    assert ops.suggest_rules(take=(True, *(False,) * (SHOWN - 1))) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="added")
    (rule,) = api.ignore_rules()
    assert ([one.text for one in (*rule.a, *rule.b)], rule.reason) == (
        ["Bolt*", "Plate*"],
        "repeated in pairs of these names",
    )
    assert rule.max_depth == pytest.approx(0.011, rel=0.01)
    assert results_rows.marks().uses() == [4]
    bpy.ops.ed.undo()
    assert api.ignore_rules() == ()
    assert results_rows.marks().uses() == []


def test_the_dialog_says_what_each_rule_would_do() -> None:
    bolts()
    fake = stand_in(COLLISION_KIT_OT_suggest_rules, layout=Recorder(), bl_rna=COLLISION_KIT_OT_suggest_rules.bl_rna)
    asked: dict[str, Any] = {}
    manager = SimpleNamespace(invoke_props_dialog=lambda _operator, **how: asked.update(how) or {"RUNNING_MODAL"})
    assert fake.invoke(SimpleNamespace(window_manager=manager), None) == {"RUNNING_MODAL"}
    assert asked["confirm_text"] == "Add Rules"
    fake.layout = _Checkboxes()
    fake.draw(bpy.context)
    assert fake.layout.texts == [
        "Bolt*  ×  Plate*",
        "4 pairs",
        "repeated in pairs of these names",
        *[text for text in fake.layout.texts if text.startswith("Deepest: Bolt.00")],
        "4 of 8 pairs remain with all of these rules",
        "Look at the deepest pair of a rule before you add the rule",
    ]
    assert re.search(r", 0\.01 m\. Ignored up to 0\.01[01]\d* m$", fake.layout.texts[3])


def test_the_dialog_says_what_may_be_one_thing() -> None:
    car = bpy.data.collections.new("Car")
    bpy.context.scene.collection.children.link(car)
    for number in range(8):
        ob = add_cube(f"Part{'ABCDEFGH'[number]}", 100.0 + 0.6 * number)
        ob.scale.z = 1.0 + 0.1 * number
        car.objects.link(ob)
    ops.check_collisions()
    fake = stand_in(COLLISION_KIT_OT_suggest_rules, layout=Recorder(), bl_rna=COLLISION_KIT_OT_suggest_rules.bl_rna)
    manager = SimpleNamespace(invoke_props_dialog=lambda _operator, **how: {"RUNNING_MODAL"})
    assert fake.invoke(SimpleNamespace(window_manager=manager), None) == {"RUNNING_MODAL"}
    fake.layout = _Checkboxes()
    fake.draw(bpy.context)
    pairs = len(results_rows.marks().open_rows(last_check.report, FAULTS))
    assert fake.layout.texts[:3] == [
        'The collection "Car" is one thing',
        f"{fake.thing.pairs} pairs",
        f"Pairs within it share one line, and {pairs - fake.thing.pairs} of {pairs} pairs remain",
    ]
    assert 3 <= fake.thing.pairs <= pairs
    fake.found = []
    fake.layout = _Checkboxes()
    fake.draw(bpy.context)
    assert fake.layout.texts[0] == 'The collection "Car" is one thing'
    assert len(fake.layout.texts) == 3, "nothing about rules, as there are none"


class _Checkboxes(Recorder):
    """Writes down the values of a vector, each of which has a text of its own."""

    def prop(self, data: Any, name: str, *, index: int = -1, text: str = "", translate: bool = True) -> None:  # type: ignore[override]
        assert (name, index >= 0) in {("take", True), ("take_thing", False)}
        self._write(text, translate)

    def _part(self, **_options: Any) -> Recorder:
        self.parts.append(_Checkboxes(self))
        return self.parts[-1]


def test_without_suggestions_that_is_said() -> None:
    fake = stand_in(COLLISION_KIT_OT_suggest_rules)
    said: list[str] = []
    fake.report = lambda _kind, text: said.append(text)
    assert fake.invoke(bpy.context, None) == {"CANCELLED"}
    assert said == ["No rules to suggest"]


def test_a_check_of_motion_is_used_while_it_is_true() -> None:
    for name, place in {"Rail": 200.0, "Slider": 201.99}.items():
        add_cube(name, place)
    slider = bpy.data.objects["Slider"]
    for frame, y in ((1, 0.0), (5, 0.5)):
        slider.location.y = y
        slider.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_end = 5
    bpy.context.scene.frame_set(1)
    ops.check_motion()
    ops.check_collisions()
    assert ops.suggest_rules(take=(True, *(False,) * (SHOWN - 1))) == {"FINISHED"}
    (rule,) = api.ignore_rules()
    assert {one.text for one in (*rule.a, *rule.b)} == {"Rail", "Slider"}
    assert rule.reason == "in touch from frame 1 to 5, about equally deep"
    api.set_ignore_rules([])
    slider.location.y = 0.25
    slider.keyframe_insert("location", frame=3)
    bpy.context.view_layer.update()
    ops.check_collisions()
    assert ops.suggest_rules(take=(True, *(False,) * (SHOWN - 1))) == {"CANCELLED"}


def test_the_panel_has_the_button() -> None:
    assert "collision_kit.suggest_rules" in drawn(COLLISION_KIT_PT_rules, bpy.context).operators
    last_check.forget()
    assert not ops.suggest_rules.poll()
    assert not ops.pairs_by_collection.poll()
