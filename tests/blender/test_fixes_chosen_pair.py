# SPDX-License-Identifier: GPL-3.0-or-later
"""The object that a click on a result makes active, the one that the buttons move, and the check after a fix."""

import math

import bpy
import numpy as np
import pytest

from collision_kit.addon.live import live_mode
from collision_kit.addon.model.report import PairResult
from collision_kit.addon.scene.settings import results_list
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui.panels import COLLISION_KIT_PT_pair
from collision_kit.addon.ui.panels.fixes import COLLISION_KIT_PT_fixes
from collision_kit.addon.ui.result_list import tips
from collision_kit.addon.viewport import framing, spoken
from collision_kit.core import Verdict
from tests.helpers.blender.bridge_scene import add, add_collection, add_instance, cube_mesh, with_setting
from tests.helpers.blender.panel_recorder import drawn


@pytest.fixture(autouse=True)
def empty(scene: bpy.types.Scene) -> None:
    """An empty scene."""


def check() -> None:
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()


def click(*names: str) -> bpy.types.Object:
    """Choose the result of two objects; the object that is active then."""
    report = last_check.report
    assert report is not None
    wanted = {
        row
        for row, pair in enumerate(report.pairs)
        if {report.bodies[pair.body_a].name, report.bodies[pair.body_b].name} == set(names)
    }
    bpy.ops.collision_kit.select_pair(row=wanted.pop())
    assert {ob.name for ob in bpy.context.selected_objects} == set(names)
    return bpy.context.view_layer.objects.active


def place(ob: bpy.types.Object) -> list[float]:
    bpy.context.view_layer.update()
    return list(ob.matrix_world.translation)


def test_the_smaller_object_becomes_active_whatever_the_order_of_the_names() -> None:
    add("A floor", cube_mesh((10.0, 10.0, 0.1)))
    staff = add("B staff", cube_mesh((0.1, 0.1, 1.0)), at=(0.0, 0.0, 1.0))
    add("C wall", cube_mesh((5.0, 0.1, 3.0)), at=(0.0, 9.0, 3.0))
    check()
    assert click("A floor", "B staff") == staff
    assert click("A floor", "C wall").name == "C wall"


def test_a_long_pipe_is_moved_and_not_the_wall() -> None:
    wall = add("A wall", cube_mesh((2.0, 0.1, 1.5)), at=(0.0, 0.0, 1.5))
    pipe = add("B pipe", cube_mesh((4.0, 0.05, 0.05)), at=(0.0, 0.12, 1.0))
    pipe.rotation_euler = (0.0, 0.6, 0.0)
    check()
    assert click("A wall", "B pipe") == pipe
    assert wall.location.y == 0.0


def test_of_equal_objects_the_upper_one_is_moved_and_else_that_in_fewer_pairs() -> None:
    lower, upper = add("A crate", cube_mesh()), add("B crate", cube_mesh(), at=(0.0, 0.3, 1.9))
    add("C crate", cube_mesh(), at=(1.9, 0.0, 0.0))
    third = add("D crate", cube_mesh(), at=(-1.9, 0.0, 0.1))
    check()
    assert click("A crate", "B crate") == upper
    assert click("A crate", "D crate") == third
    upper.lock_location = (True, True, True)
    assert click("A crate", "B crate") == lower


def test_a_smaller_object_that_cannot_be_moved_does_not_become_active() -> None:
    floor = add("A floor", cube_mesh((10.0, 10.0, 0.1)))
    staff = add("B staff", cube_mesh((0.1, 0.1, 1.0)), at=(0.0, 0.0, 1.0))
    staff.lock_location = (True, True, True)
    check()
    assert click("A floor", "B staff") == floor
    staff.lock_location = (False, True, True)
    assert click("A floor", "B staff") == staff


def test_the_parent_of_large_objects_counts_as_large() -> None:
    crate = add("A crate", cube_mesh())
    hinge = add("B hinge", cube_mesh((0.1, 0.1, 0.1)), at=(1.0, 0.0, 0.0))
    gate = add("C gate", cube_mesh((10.0, 0.1, 10.0)), at=(0.0, 20.0, 0.0))
    check()
    assert click("A crate", "B hinge") == hinge
    gate.parent = hinge
    check()
    assert click("A crate", "B hinge") == crate


def test_an_infinite_plane_is_never_the_first() -> None:
    ground = with_setting(add("A ground", cube_mesh((0.01, 0.01, 0.01))), "HALF_SPACE")
    rock = add("B rock", cube_mesh((4.0, 4.0, 4.0)))
    check()
    assert click("A ground", "B rock") == rock
    shown = drawn(COLLISION_KIT_PT_fixes, bpy.context)
    assert shown is not None
    assert not any(text.startswith("A ground:") for text in shown.texts)
    assert any(text.startswith("B rock:") for text in shown.texts)
    del ground


@pytest.mark.parametrize(
    ("objects", "share_by", "moved"), [("B", "TURN", [0.0, 0.5]), ("SELECTED", "HALVES", [-0.25, 0.25])]
)
def test_the_buttons_move_the_first_result_before_it_is_clicked(
    objects: str, share_by: str, moved: list[float]
) -> None:
    a, b = add("A", cube_mesh()), add("B", cube_mesh(), at=(1.5, 0.0, 0.0))
    deselect(None)
    check()
    assert bpy.ops.collision_kit.push_apart(objects=objects, share_by=share_by) == {"FINISHED"}
    assert np.allclose([place(a)[0], place(b)[0] - 1.5], moved, atol=1e-5)


def deselect(active: bpy.types.Object | None) -> None:
    """Select nothing; this object stays active."""
    bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = active


def test_where_nothing_is_selected_both_objects_of_the_chosen_pair_move_and_not_the_active_one() -> None:
    a, b = add("A", cube_mesh()), add("B", cube_mesh(), at=(1.5, 0.0, 0.0))
    other = add("Other", cube_mesh(), at=(0.0, 10.0, 0.0))
    deselect(other)
    check()
    assert bpy.ops.collision_kit.push_apart(objects="SELECTED", share_by="HALVES") == {"FINISHED"}
    np.testing.assert_allclose([place(a)[0], place(b)[0] - 1.5], [-0.25, 0.25], atol=1e-5)
    assert place(other) == [0.0, 10.0, 0.0]


def test_without_an_active_object_a_chosen_pair_is_moved_by_its_own_buttons_only() -> None:
    a, b = add("A", cube_mesh()), add("B", cube_mesh(), at=(1.5, 0.0, 0.0))
    deselect(None)
    check()
    assert bpy.ops.collision_kit.push_apart.poll()
    with pytest.raises(RuntimeError, match="Select the objects to move"):
        bpy.ops.collision_kit.push_apart(objects="ACTIVE")
    assert [place(a)[0], place(b)[0]] == [0.0, 1.5]


def test_a_chosen_pair_is_nothing_to_drop() -> None:
    a, _ = add("A", cube_mesh()), add("B", cube_mesh(), at=(1.5, 0.0, 0.0))
    deselect(None)
    check()
    assert last_check.pair(last_check.chosen) is not None
    assert not bpy.ops.collision_kit.drop_to_surface.poll()
    deselect(a)
    assert bpy.ops.collision_kit.drop_to_surface.poll()


def test_the_buttons_say_what_they_do_to_either_object() -> None:
    big, small = add("Big", cube_mesh()), add("Small", cube_mesh((0.5, 0.5, 0.5)), at=(1.25, 0.0, 0.0))
    check()
    assert click("Big", "Small") == small
    shown = drawn(COLLISION_KIT_PT_fixes, bpy.context)
    assert shown is not None
    ways = [text for text in shown.texts if " along " in text]
    assert ways == ["Small: 250 mm along +X", "Big: 250 mm along −X"]
    bpy.ops.collision_kit.push_apart(
        objects="A" if last_check.bodies_of(last_check.pair(last_check.chosen))[0].name == "Big" else "B"
    )
    np.testing.assert_allclose(place(big), (-0.25, 0.0, 0.0), atol=1e-5)
    np.testing.assert_allclose(place(small), (1.25, 0.0, 0.0), atol=1e-12)


def told_ways() -> list[str]:
    """Return what the buttons of the chosen pair say."""
    shown = drawn(COLLISION_KIT_PT_fixes, bpy.context)
    assert shown is not None
    return [text for text in shown.texts if " along " in text]


def told_pair() -> str:
    """Return what the panel says about the chosen pair."""
    shown = drawn(COLLISION_KIT_PT_pair, bpy.context)
    assert shown is not None
    return " ".join(shown.texts).replace("\N{NO-BREAK SPACE}", " ")


def moved_by(ob: bpy.types.Object, press: str) -> np.ndarray:
    before = place(ob)
    push(press)
    return np.subtract(place(ob), before)


def test_a_button_says_at_least_where_others_are_in_the_way() -> None:
    """The post is beside a wall on each side, so that it cannot leave the crate by the shortest way."""
    post = add("Post", cube_mesh((0.2, 0.2, 0.2)), at=(1.1, 0.0, 0.0))
    add("Crate", cube_mesh())
    for number, at in enumerate([(1.5, 0, 0), (1.1, 0.5, 0), (1.1, -0.5, 0), (1.1, 0, 0.5), (1.1, 0, -0.5)]):
        size = tuple(0.2 if at[axis] - (1.1 if axis == 0 else 0.0) else 0.6 for axis in range(3))
        add(f"Wall {number}", cube_mesh(size), at=tuple(float(value) for value in at))
    check()
    click("Crate", "Post")
    assert told_ways()[0] == "Post: at least 100 mm along +X"
    assert 'move "Post" by at least 100 mm along +X "Wall 0" is in the way Details' in told_pair()
    assert np.linalg.norm(moved_by(post, "Post")) > 0.1 + 1e-5


def test_another_way_of_comparable_length_is_told_and_taken_if_the_shortest_leads_into_something() -> None:
    """Out of the crate by 100 mm is a wall, up by 150 mm is nothing."""
    post = add("Post", cube_mesh((0.2, 0.2, 0.2)), at=(1.1, 0.0, 1.05))
    add("Crate", cube_mesh())
    add("Wall", cube_mesh((0.1, 2.0, 2.0)), at=(1.4, 0.0, 0.0))
    check()
    click("Crate", "Post")
    assert told_ways()[0] == "Post: 150 mm along +Z"
    assert '"Wall" is in the way of a shorter move' in told_pair()
    np.testing.assert_allclose(moved_by(post, "Post"), (0.0, 0.0, 0.15), atol=1e-5)


@pytest.mark.parametrize("height", [-0.1, 0.05])
def test_what_stands_through_a_floor_is_lifted_out_of_it_and_not_pushed_below(height: float) -> None:
    add("Floor", cube_mesh((5.0, 5.0, 0.1)), at=(0.0, 0.0, -0.1))
    post = add("Post", cube_mesh((0.2, 0.2, 0.5)), at=(0.0, 0.0, height))
    check()
    click("Floor", "Post")
    up = 0.5 - height
    assert told_ways()[0] == f"Post: {round(1000 * up)} mm along +Z"
    np.testing.assert_allclose(moved_by(post, "Post"), (0.0, 0.0, up), atol=1e-5)


def test_the_panel_says_that_a_shorter_way_leads_under_the_floor_and_the_list_shows_no_depth() -> None:
    add("Floor", cube_mesh((5.0, 5.0, 0.1)), at=(0.0, 0.0, -0.1))
    add("Post", cube_mesh((0.2, 0.2, 0.5)), at=(0.0, 0.0, -0.2))
    check()
    click("Floor", "Post")
    told = told_pair()
    assert 'move "Post" by 700 mm along +Z A shorter move leads under "Floor"' in told
    assert "Depth 500 mm" in told.partition("Details")[2]
    row = last_check.chosen
    assert [spoken.in_list(last_check.pair(row), bpy.context.scene.unit_settings)] == ["through"]
    assert "500 mm" not in tips.tip(results_list(bpy.context.window_manager), 0)
    assert "goes through" in tips.tip(results_list(bpy.context.window_manager), 0)


def test_what_hangs_in_a_ceiling_still_goes_down() -> None:
    add("Ceiling", cube_mesh((5.0, 5.0, 0.1)), at=(0.0, 0.0, 3.1))
    lamp = add("Lamp", cube_mesh((0.2, 0.2, 0.2)), at=(0.0, 0.0, 2.85))
    check()
    click("Ceiling", "Lamp")
    assert told_ways()[0] == "Lamp: 50 mm along −Z"
    np.testing.assert_allclose(moved_by(lamp, "Lamp"), (0.0, 0.0, -0.05), atol=1e-5)


def test_nothing_is_pushed_through_a_third_object() -> None:
    """A plate is in the block, between the crate and the side by which it would leave."""
    crate = add("Crate", cube_mesh((0.1, 0.1, 0.1)), at=(-0.2, 0.0, 0.45))
    add("Block", cube_mesh((0.35, 1.0, 1.0)), at=(-0.25, 0.0, 0.0))
    add("Plate", cube_mesh((0.01, 0.8, 0.8)), at=(0.07, 0.0, 0.0))
    check()
    click("Block", "Crate")
    assert told_ways()[0] == "Crate: 500 mm along −X"
    np.testing.assert_allclose(moved_by(crate, "Crate"), (-0.5, 0.0, 0.0), atol=1e-5)


def chosen() -> set[str]:
    pair = last_check.pair(last_check.chosen)
    return set() if pair is None else {body.name for body in last_check.bodies_of(pair)}


def selected() -> set[str]:
    return {ob.name for ob in bpy.context.selected_objects}


def push(name: str) -> None:
    """Press the button of the chosen pair that moves this object."""
    pair = last_check.pair(last_check.chosen)
    assert pair is not None
    bpy.ops.collision_kit.push_apart(objects="A" if last_check.bodies_of(pair)[0].name == name else "B")


def posts_in_a_floor() -> None:
    """Three posts that are sunk into a floor, the first the deepest, and five that stand on it."""
    add("Floor", cube_mesh((20.0, 20.0, 0.5)), at=(0.0, 0.0, -0.5))
    for number, depth in enumerate((0.3, 0.2, 0.1)):
        add(f"Sunk {number + 1}", cube_mesh((0.5, 0.5, 1.0)), at=(4.0 * number, 0.0, 1.0 - depth))
    for number in range(5):
        add(f"Stands {number + 1}", cube_mesh((0.5, 0.5, 1.0)), at=(4.0 * number - 8.0, 8.0, 1.0))


def test_after_a_fix_the_result_is_that_of_the_scene_as_it_is() -> None:
    add("A", cube_mesh())
    add("B", cube_mesh(), at=(1.5, 0.0, 0.0))
    add("C", cube_mesh(), at=(9.0, 0.0, 0.0))
    add("D", cube_mesh(), at=(11.0, 0.0, 0.0))
    check()
    click("A", "B")
    push("A")
    pair = last_check.pair(last_check.chosen)
    assert pair is not None and not last_check.pair_is_stale(pair)
    assert chosen() == selected() == {"A", "B"}, "no fault is left: what was mended stays the active result"
    assert pair.verdict == Verdict.TOUCHING
    assert last_check.report is not None and len(last_check.report.bodies) == 4
    assert not any(pair.verdict == Verdict.PENETRATING for pair in last_check.report.pairs)


def test_after_a_fix_the_next_fault_of_the_list_is_chosen_and_after_the_last_one_the_first() -> None:
    posts_in_a_floor()
    check()
    assert click("Floor", "Sunk 2").name == "Sunk 2"
    push("Sunk 2")
    assert chosen() == selected() == {"Floor", "Sunk 3"}
    assert bpy.context.view_layer.objects.active.name == "Sunk 3"
    push("Sunk 3")
    assert chosen() == selected() == {"Floor", "Sunk 1"}
    push("Sunk 1")
    assert chosen() == {"Floor", "Sunk 1"}
    assert last_check.report is not None
    assert [pair.verdict for pair in last_check.report.pairs] == [Verdict.TOUCHING] * 8


def test_a_fix_that_does_not_mend_the_chosen_pair_leaves_it_chosen() -> None:
    posts_in_a_floor()
    check()
    click("Floor", "Sunk 1")
    bpy.context.view_layer.objects.active = bpy.data.objects["Sunk 3"]
    bpy.ops.collision_kit.push_apart(objects="ACTIVE")
    assert chosen() == {"Floor", "Sunk 1"}


def recorded(monkeypatch: pytest.MonkeyPatch) -> list[frozenset[str]]:
    """Record the pairs that are framed."""
    framed = list[frozenset[str]]()

    def frame(_context: bpy.types.Context, pair: PairResult) -> bool:
        framed.append(frozenset(body.name for body in last_check.bodies_of(pair)))
        return True

    monkeypatch.setattr(framing, "frame", frame)
    return framed


def test_the_selection_follows_only_where_the_mended_pair_was_selected_but_the_view_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    posts_in_a_floor()
    check()
    framed = recorded(monkeypatch)
    click("Floor", "Sunk 1")
    for ob in tuple(bpy.context.selected_objects):
        ob.select_set(False)
    bpy.data.objects["Stands 1"].select_set(True)
    push("Sunk 1")
    assert (chosen(), selected()) == ({"Floor", "Sunk 2"}, {"Stands 1"})
    assert framed == [{"Floor", "Sunk 1"}, {"Floor", "Sunk 2"}], "by the click, and by the fix"


def test_accepted_and_filtered_faults_are_not_chosen_after_a_fix() -> None:
    posts_in_a_floor()
    check()
    click("Floor", "Sunk 2")
    bpy.ops.collision_kit.accept_pair()
    click("Floor", "Sunk 1")
    push("Sunk 1")
    assert chosen() == {"Floor", "Sunk 3"}
    bpy.ops.ed.undo_push(message="Filter")
    results_list(bpy.context.window_manager).view.text = "Sunk 3"
    push("Sunk 3")
    assert chosen() == {"Floor", "Sunk 3"}


def test_the_next_result_after_a_fix_comes_after_the_one_that_it_has_chosen_and_framed() -> None:
    posts_in_a_floor()
    check()
    click("Floor", "Sunk 1")
    push("Sunk 1")
    assert chosen() == selected() == {"Floor", "Sunk 2"}
    bpy.ops.collision_kit.next_result()
    assert chosen() == selected() == {"Floor", "Sunk 3"}


def test_undo_of_fixes_chooses_and_frames_what_is_a_fault_again(monkeypatch: pytest.MonkeyPatch) -> None:
    posts_in_a_floor()
    check()
    framed = recorded(monkeypatch)
    click("Floor", "Sunk 1")
    bpy.ops.ed.undo_push(message="Select Pair")
    for name in ("Sunk 1", "Sunk 2"):
        push(name)
        bpy.ops.ed.undo_push(message=name)
    bpy.data.objects["Stands 1"].location.x += 1.0
    bpy.ops.ed.undo_push(message="Move")
    for expected in ("Sunk 3", "Sunk 2", "Sunk 1"):
        framed.clear()
        bpy.ops.ed.undo()
        live_mode.update(bpy.context, math.inf)
        assert chosen() == {"Floor", expected}
        # Undoing the move of an object has undone no fix.
        assert framed == ([{"Floor", expected}] if expected != "Sunk 3" else [])
    assert selected() == {"Floor", "Sunk 1"}
    check()
    assert chosen() == {"Floor", "Sunk 1"}
    pair = last_check.pair(last_check.chosen)
    assert pair is not None and pair.verdict == Verdict.PENETRATING


def test_of_selected_objects_all_that_were_checked_are_checked_again() -> None:
    for name, at in (("A", 0.0), ("B", 1.5), ("C", 3.0), ("Other", 3.25)):
        add(name, cube_mesh(), at=(at, 0.0, 0.0)).select_set(name != "Other")
    bpy.context.scene.collision_kit.scope = "SELECTED"
    check()
    click("A", "B")
    bpy.ops.collision_kit.push_apart(objects="A")
    assert last_check.report is not None
    assert {body.name for body in last_check.report.bodies} == {"A", "B", "C"}
    pair = last_check.pair(last_check.chosen)
    assert pair is not None and not last_check.pair_is_stale(pair)


def test_of_selected_instances_what_they_show_is_not_checked_again() -> None:
    crate = add("Crate", cube_mesh(), at=(0.0, 30.0, 0.0))
    add("Wall", cube_mesh(), at=(1.5, 30.0, 0.0)).select_set(True)
    crates = add_collection("Crates", parent=False)
    crates.objects.link(crate)
    for name, x in (("One", 0.0), ("Two", 1.5)):
        add_instance(name, crates, at=(x, -30.0, 0.0)).select_set(True)
    crate.select_set(False)
    bpy.context.scene.collision_kit.scope = "SELECTED"
    check()
    assert last_check.report is not None
    tested = {body.name for body in last_check.report.bodies}
    assert tested == {"Wall", "One/Crate", "Two/Crate"}
    before, bpy.context.view_layer.objects.active = last_check.report, bpy.data.objects["One"]
    bpy.ops.collision_kit.push_apart(objects="ACTIVE")
    assert last_check.report is not before and {body.name for body in last_check.report.bodies} == tested
