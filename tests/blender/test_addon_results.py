# SPDX-License-Identifier: GPL-3.0-or-later
"""The operators: check, choose a pair, select what was checked, clear; and what they say when they cannot."""

import bpy
import pytest

from collision_kit.addon.collisions.check import check as run_check
from collision_kit.addon.session.collision_results import last_check
from collision_kit.core import Verdict
from tests.helpers.blender import checked_scene
from tests.helpers.blender.checked_scene import add_cube, check


@pytest.fixture(autouse=True)
def four_cubes(scene: bpy.types.Scene) -> None:
    checked_scene.build()


def names() -> list[tuple[str, Verdict]]:
    assert last_check.report is not None
    return [(last_check.pair_name(pair), pair.verdict) for pair in last_check.report.pairs]


def selected() -> set[str]:
    return {ob.name for ob in bpy.context.selected_objects}


def select(*wanted: str) -> None:
    for ob in bpy.context.scene.objects:
        ob.select_set(ob.name in wanted)
    bpy.context.view_layer.objects.active = bpy.data.objects[wanted[0]] if wanted else None


def test_a_check_lists_every_pair_worst_first() -> None:
    check()
    assert names() == [
        ("First × Second", Verdict.PENETRATING),
        ("Second × Third", Verdict.TOUCHING),
        ("Fourth × Third", Verdict.WITHIN_CLEARANCE),
    ]
    assert last_check.report is not None
    assert [round(pair.distance, 6) for pair in last_check.report.pairs] == [-0.5, 0.0, 0.25]
    assert len(bpy.context.window_manager.collision_kit.rows) == 3
    assert bpy.context.window_manager.collision_kit.active == 0, "the worst is highlighted"


def test_a_check_changes_nothing_in_the_scene() -> None:
    select("Third")
    before = {ob.name: ob.matrix_world.copy() for ob in bpy.data.objects}
    check()
    assert selected() == {"Third"}
    assert bpy.context.active_object.name == "Third"
    assert {ob.name: ob.matrix_world for ob in bpy.data.objects} == before


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("SELECTED", ["First × Second", "Second × Third"]),
        ("ACTIVE", ["Second × First", "Second × Third"]),
        ("VISIBLE", ["First × Second", "Second × Third"]),
        ("ALL", ["First × Second", "Second × Third"]),
        ("COLLECTION", ["First × Second"]),
        ("COLLECTIONS", ["Second × Third"]),
    ],
)
def test_each_scope_tests_what_it_says(scope: str, expected: list[str]) -> None:
    settings = bpy.context.scene.collision_kit
    settings.clearance = 0.0
    settings.scope = scope
    for field, members in (("collection_a", ("First", "Second")), ("collection_b", ("Third", "Fourth"))):
        collection = bpy.data.collections.new(field)
        bpy.context.scene.collection.children.link(collection)
        for name in members:
            collection.objects.link(bpy.data.objects[name])
        setattr(settings, field, collection)
    select("Second", "First", "Third")
    check()
    assert [name for name, _ in names()] == expected


def test_the_active_object_is_not_all_that_is_tested_between_the_others() -> None:
    bpy.context.scene.collision_kit.scope = "ACTIVE"
    select("Fourth", "First", "Second", "Third")
    check()
    assert names() == [("Fourth × Third", Verdict.WITHIN_CLEARANCE)]


def test_a_tolerance_of_ones_own_turns_a_shallow_penetration_into_touching() -> None:
    settings = bpy.context.scene.collision_kit
    settings.touching_mode, settings.touching = "MANUAL", 0.6
    check()
    assert ("First × Second", Verdict.TOUCHING) in names()


def test_choosing_a_row_selects_both_objects_and_can_be_undone() -> None:
    check()
    select("Fourth")
    bpy.ops.ed.undo_push(message="Before")
    bpy.context.window_manager.collision_kit.active = 1
    assert selected() == {"Second", "Third"}
    assert bpy.context.window_manager.collision_kit.active == 1
    bpy.ops.ed.undo()
    assert selected() == {"Fourth"}


def test_going_through_the_results_is_one_step_of_undo() -> None:
    check()
    select("Fourth")
    bpy.ops.ed.undo_push(message="Before")
    for choose in (
        lambda: setattr(bpy.context.window_manager.collision_kit, "active", 1),
        lambda: bpy.ops.collision_kit.next_result("EXEC_DEFAULT", True),
        lambda: bpy.ops.collision_kit.previous_result("EXEC_DEFAULT", True),
        lambda: bpy.ops.collision_kit.select_pair("EXEC_DEFAULT", True),
    ):
        choose()
    assert selected() == {"Second", "Third"}
    bpy.ops.ed.undo()
    assert selected() == {"Fourth"}
    bpy.ops.ed.redo()
    assert selected() == {"Second", "Third"}


def test_without_a_number_the_chosen_pair_is_selected() -> None:
    check()
    last_check.chosen = 2
    assert bpy.ops.collision_kit.select_pair() == {"FINISHED"}
    assert selected() == {"Fourth", "Third"}
    last_check.chosen = -1
    select("First")
    assert bpy.ops.collision_kit.select_pair() == {"CANCELLED"}
    assert selected() == {"First"}


def test_the_checked_objects_can_be_selected_again() -> None:
    bpy.context.scene.collision_kit.scope = "SELECTED"
    select("First", "Second", "Third")
    check()
    bpy.ops.collision_kit.select_pair(row=0)
    assert selected() == {"First", "Second"}
    bpy.ops.collision_kit.select_checked()
    assert selected() == {"First", "Second", "Third"}


def test_a_row_that_does_not_exist_is_refused() -> None:
    check()
    assert bpy.ops.collision_kit.select_pair(row=3) == {"CANCELLED"}
    assert last_check.chosen == 0


def test_clearing_forgets_everything() -> None:
    check()
    assert bpy.ops.collision_kit.clear_results() == {"FINISHED"}
    assert last_check.report is None
    assert last_check.world is None
    assert not bpy.context.window_manager.collision_kit.rows
    assert not bpy.ops.collision_kit.clear_results.poll()
    assert not bpy.ops.collision_kit.select_pair.poll()
    assert not bpy.ops.collision_kit.select_checked.poll()


@pytest.mark.parametrize(
    ("scope", "selection", "complaint"),
    [
        ("SELECTED", (), "Select the objects to check"),
        ("SELECTED", ("First",), "Select at least two objects"),
        ("ACTIVE", (), "No active object"),
        ("ACTIVE", ("First",), "Select at least one object besides the active one"),
        ("COLLECTION", (), "Choose the collection to check"),
        ("COLLECTIONS", (), "Choose both collections"),
    ],
)
def test_what_is_missing_is_said(scope: str, selection: tuple[str, ...], complaint: str) -> None:
    bpy.context.scene.collision_kit.scope = scope
    select(*selection)
    with pytest.raises(RuntimeError, match=complaint):
        bpy.ops.collision_kit.check_collisions()


def test_a_collection_against_itself_is_refused() -> None:
    settings = bpy.context.scene.collision_kit
    settings.scope = "COLLECTIONS"
    settings.collection_a = settings.collection_b = bpy.data.collections.new("One")
    with pytest.raises(RuntimeError, match="two different collections"):
        bpy.ops.collision_kit.check_collisions()


def test_one_selected_object_that_makes_instances_can_be_checked() -> None:
    collection = bpy.data.collections.new("Instanced")
    for name in ("First", "Second"):
        collection.objects.link(bpy.data.objects[name])
    host = add_cube("Host", 100.0)
    host.instance_type, host.instance_collection = "COLLECTION", collection
    bpy.context.scene.collision_kit.scope = "SELECTED"
    select("Host")
    check()
    assert ("Host/First × Host/Second", Verdict.PENETRATING) in names()


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_bodies_are_no_error(count: int) -> None:
    for name in list(checked_scene.PLACES)[count:]:
        bpy.data.objects.remove(bpy.data.objects[name])
    check()
    assert last_check.report is not None
    assert len(last_check.report.bodies) == count
    assert last_check.report.pairs == ()
    assert last_check.chosen == -1


@pytest.mark.parametrize("name", ["touching", "clearance"])
@pytest.mark.parametrize("length", [-1e-9, float("nan"), float("inf")])
def test_lengths_that_are_none_are_refused(name: str, length: float) -> None:
    with pytest.raises(ValueError, match=f"{name}: .* is not a length"):
        run_check(bpy.context, **{name: length})
