# SPDX-License-Identifier: GPL-3.0-or-later
"""Live mode: after random edits, undo and redo its report is that of a fresh check of all of it."""

import random

import bpy
import pytest

from collision_kit.addon.live import incremental_check as live_check
from collision_kit.addon.live import live_mode as live
from collision_kit.addon.scene import events
from collision_kit.addon.scene.reading import scene_snapshot
from collision_kit.addon.scene.reading.scene_snapshot import SceneChanged, snapshot_steps
from collision_kit.addon.session.collision_results import last_check
from tests.helpers.blender.checked_scene import add_cube
from tests.helpers.blender.live_scene import (
    LONG,
    Artist,
    assert_same_as_fresh,
    build_mixed,
    mesh_object,
    results,
    settle,
)


@pytest.fixture(autouse=True)
def live_off(scene: bpy.types.Scene):
    yield
    results().live = False
    last_check.forget()


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 12))])
def test_after_every_random_edit_the_report_is_that_of_a_fresh_check(seed: int) -> None:
    rng = random.Random(seed)
    build_mixed(rng)
    artist = Artist(rng)
    results().live = True
    settle()
    assert_same_as_fresh()
    found = set()
    for step in range(25):
        for _ in range(rng.choice([1, 1, 1, 3])):
            verb = artist.act()
        settle(rng.choice([LONG, 0.0]))
        try:
            assert_same_as_fresh()
        except AssertionError as error:
            raise AssertionError(f"after step {step}, {verb}: {error}") from error
        found |= {pair.verdict for pair in last_check.report.pairs}
    assert len(found) >= 2


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4))])
def test_undo_and_redo_are_followed(seed: int) -> None:
    rng = random.Random(100 + seed)
    build_mixed(rng)
    artist = Artist(rng)
    bpy.ops.ed.undo_push(message="Built")
    results().live = True
    settle()
    for _ in range(6):
        artist.act()
        bpy.context.view_layer.update()
        bpy.ops.ed.undo_push(message="Act")
        settle()
        assert_same_as_fresh()
    for back in (True, True, True, False, True, True, False, False):
        assert (bpy.ops.ed.undo if back else bpy.ops.ed.redo)() == {"FINISHED"}
        settle()
        assert_same_as_fresh()


def test_an_edit_that_is_undone_is_followed() -> None:
    build_mixed(random.Random(1))
    ob = bpy.data.objects["Mesh 0"]
    bpy.ops.ed.undo_push(message="Built")
    results().live = True
    settle()
    for vertex in ob.data.vertices:
        vertex.co *= 3.0
    ob.data.update()
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="Edited")
    settle()
    before = len(last_check.report.pairs)
    assert_same_as_fresh()
    assert bpy.ops.ed.undo() == {"FINISHED"}
    settle()
    assert_same_as_fresh()
    assert len(last_check.report.pairs) != before


def test_a_new_name_may_change_the_order_of_bodies() -> None:
    build_mixed(random.Random(1))
    results().live = True
    settle()
    pair = last_check.report.pairs[0]
    later = last_check.report.bodies[pair.body_b].key.session_uid
    next(ob for ob in bpy.data.objects if ob.session_uid == later).name = "A"
    settle()
    assert_same_as_fresh()


@pytest.mark.parametrize("how", ["hidden", "object", "collection"])
def test_a_new_name_of_what_is_hidden_is_followed(how: str) -> None:
    first, second, hidden = (mesh_object(name, 0, (0.5 * x, 0.0, 0.0)) for x, name in enumerate("ABC"))
    assert first.visible_get() and second.visible_get()
    own = bpy.data.collections.new("Own")
    bpy.context.scene.collection.children.link(own)
    for collection in hidden.users_collection:
        collection.objects.unlink(hidden)
    own.objects.link(hidden)
    hidden.hide_viewport, own.hide_viewport = how == "object", how == "collection"
    bpy.context.view_layer.update()
    hidden.hide_set(how == "hidden")
    bpy.context.scene.collision_kit.scope = "ALL"
    results().live = True
    settle()
    assert_same_as_fresh()
    hidden.name = "UCX_A_01"
    settle()
    assert_same_as_fresh()
    # Together with something that Blender does report.
    hidden.name = "Other"
    second.location.y += 0.25
    settle()
    assert_same_as_fresh()
    hidden.name = "UCX_B_01"
    bpy.context.scene.frame_set(bpy.context.scene.frame_current + 1)
    settle()
    assert_same_as_fresh()


def test_a_hidden_empty_that_gets_a_shape_is_followed() -> None:
    for x in (0.0, 1.5):
        mesh_object("A", 0, (x, 0.0, 0.0))
    hidden = bpy.data.objects.new("Empty", None)
    bpy.context.scene.collection.objects.link(hidden)
    hidden.hide_viewport = True
    bpy.context.scene.collision_kit.scope = "ALL"
    results().live = True
    settle()
    for shape in ("SPHERE", "AUTO", "BOX"):
        hidden.collision_kit.shape = shape
        settle()
        assert_same_as_fresh()


def test_what_is_reported_without_an_update_costs_no_look_at_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = [mesh_object(f"Shown {x}", 0, (3.0 * x, 0.0, 0.0)) for x in range(20)]
    hidden = mesh_object("Hidden", 0, (0.0, 0.0, 0.0))
    hidden.hide_viewport = True
    bpy.context.scene.collision_kit.scope = "ALL"
    results().live = True
    settle()
    assert len(last_check.report.bodies) == len(shown)
    asked: list[str] = []
    for module in (live_check, scene_snapshot):
        facts_of = module.facts_of
        monkeypatch.setattr(module, "facts_of", lambda ob, facts_of=facts_of: asked.append(ob.name) or facts_of(ob))
    # Nothing but a notification without an update.
    events.on_change.publish(events.SceneChange(bpy.context.scene))
    settle()
    assert set(asked) <= {"Hidden"}
    hidden.name = "UCX_Shown 1"
    settle()
    assert len(asked) >= len(shown)
    assert_same_as_fresh()


def test_colliders_that_change_their_body_are_tested_against_each_other() -> None:
    for name, x in (("Rock", 0.0), ("Stone", 40.0), ("UCX_Rock_01", 0.0), ("UCX_Rock_02", 0.5)):
        mesh_object(name, 0, (x, 0.0, 0.0))
    results().live = True
    settle()
    assert last_check.report.pairs == ()
    for name, count in (("UCX_Stone_01", 1), ("UCX_Rock_02", 0), ("UCX_Stone_01", 1)):
        ob = next(ob for ob in bpy.data.objects if ob.location.x == 0.5)
        ob.name = name
        settle()
        assert len(last_check.report.pairs) == count
        assert_same_as_fresh()


def test_a_parent_may_change_the_body_of_a_collider() -> None:
    for name, x in (("Rock", 0.0), ("UCX_Other_01", 0.5)):
        mesh_object(name, 0, (x, 0.0, 0.0))
    results().live = True
    settle()
    assert len(last_check.report.pairs) == 1
    for parent, count in ((bpy.data.objects["Rock"], 0), (None, 1)):
        bpy.data.objects["UCX_Other_01"].parent = parent
        settle()
        assert len(last_check.report.pairs) == count
        assert_same_as_fresh()


def test_a_floor_that_moves_is_followed() -> None:
    build_mixed(random.Random(4))
    results().live = True
    settle()
    counts = set()
    for step in (1.0, 1.5, -4.0):
        bpy.data.objects["Floor"].location.z += step
        settle()
        assert_same_as_fresh()
        counts.add(sum("Floor" in last_check.pair_name(pair) for pair in last_check.report.pairs))
    assert len(counts) == 3


def test_a_scale_that_makes_another_shape_of_an_object_is_followed() -> None:
    build_mixed(random.Random(4))
    ob = bpy.data.objects["Mesh 0"]
    ob.collision_kit.shape = "SPHERE"
    results().live = True
    settle()
    issues = len(last_check.report.issues)
    for scale, more in (((1.0, 2.0, 1.0), 1), ((1.5, 1.5, 1.5), 0)):
        ob.scale = scale
        settle()
        assert_same_as_fresh()
        assert len(last_check.report.issues) == issues + more


def test_an_object_that_is_to_stand_for_another_shape_is_followed() -> None:
    build_mixed(random.Random(4))
    results().live = True
    settle()
    bpy.context.view_layer.update()
    for shape in ("BOX", "NONE", "AUTO"):
        bpy.data.objects["Mesh 1"].collision_kit.shape = shape
        settle()
        assert_same_as_fresh()


@pytest.mark.parametrize(
    ("seed", "steps"), [(0, 4), *(pytest.param(seed, 12, marks=pytest.mark.slow) for seed in range(6))]
)
def test_what_changes_while_the_scene_is_being_read_is_taken_in(seed: int, steps: int) -> None:
    rng = random.Random(200 + seed)
    build_mixed(rng)
    artist = Artist(rng)
    results().live = True
    settle()
    unfinished = 0
    for step in range(steps):
        for _ in range(rng.randrange(1, 6)):
            verb = artist.act()
            bpy.context.view_layer.update()
            for _ in range(rng.randrange(4)):
                unfinished += not live.update(bpy.context, 0.0)
        settle(0.0)
        try:
            assert_same_as_fresh()
        except AssertionError as error:
            raise AssertionError(f"after step {step}, {verb}: {error}") from error
    assert unfinished > steps


def test_an_object_that_is_removed_while_the_scene_is_looked_at_is_noticed() -> None:
    cubes = [add_cube(name, 0.0) for name in "AB"]
    steps = snapshot_steps(bpy.context, bpy.context.evaluated_depsgraph_get())
    next(steps)
    bpy.data.objects.remove(cubes[0])
    with pytest.raises(SceneChanged):
        next(steps)


def test_a_scene_that_never_keeps_still_is_read_nevertheless() -> None:
    build_mixed(random.Random(6))
    results().live = True
    settle()
    bodies = len(last_check.report.bodies)
    for number in range(12):
        bpy.data.objects[f"Mesh {number}"].select_set(number % 2 == 0)
        if number == 0:
            bpy.data.objects.remove(bpy.data.objects["Empty 0"])
        bpy.context.view_layer.update()
        live.update(bpy.context, 0.0)
    assert len(last_check.report.bodies) == bodies - 1
    settle()
    assert_same_as_fresh()


def test_a_mere_selection_lists_nothing_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    build_mixed(random.Random(7))
    results().live = True
    settle()
    report, store, listed = last_check.report, last_check.store, []
    monkeypatch.setattr(last_check, "store", lambda *given: (listed.append(1), store(*given)))
    bpy.data.objects["Mesh 3"].select_set(True)
    settle()
    assert last_check.report is report
    bpy.data.objects["Mesh 3"].data.vertices[0].co.x += 0.5
    bpy.data.objects["Mesh 3"].data.update()
    settle()
    assert last_check.report is not report and not listed
    assert_same_as_fresh()
    bpy.data.objects["Instancer"].location.x += 0.5
    settle()
    assert not listed
    assert_same_as_fresh()
    bpy.data.objects["Mesh 3"].name = "Other"
    settle()
    assert listed
    assert_same_as_fresh()


def test_an_object_that_joins_or_leaves_the_scope_is_followed() -> None:
    build_mixed(random.Random(7))
    group = bpy.data.collections.new("Group")
    bpy.context.scene.collection.children.link(group)
    for number in range(0, 10, 2):
        group.objects.link(bpy.data.objects[f"Mesh {number}"])
    settings = bpy.context.scene.collision_kit
    settings.scope, settings.collection_a = "COLLECTION", group
    results().live = True
    settle()
    bodies = len(last_check.report.bodies)
    group.objects.link(bpy.data.objects["Mesh 5"])
    settle()
    assert len(last_check.report.bodies) == bodies + 1
    assert_same_as_fresh()
    group.objects.unlink(bpy.data.objects["Mesh 5"])
    settle()
    assert len(last_check.report.bodies) == bodies
    assert_same_as_fresh()


def test_bodies_that_stay_as_they_are_are_not_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    build_mixed(random.Random(8), count=30)
    results().live = True
    settle()
    judged: list[int] = []
    original = live_check.judged
    monkeypatch.setattr(
        live_check,
        "judged",
        lambda world, evidence, *rest: (judged.append(len(evidence)), original(world, evidence, *rest))[1],
    )
    every = len(last_check.report.pairs)
    mesh_object("A first one", 0, (50.0, 0.0, 0.0))
    settle()
    assert sum(judged) == 0, "all others only have other numbers"
    assert_same_as_fresh()
    first = last_check.report.bodies[last_check.report.pairs[0].body_a].name
    bpy.data.objects[first].name = "Z"
    settle()
    assert 0 < sum(judged) < every
    assert_same_as_fresh()


@pytest.mark.parametrize("seconds", [LONG, 0.0])
@pytest.mark.parametrize("left", [0, 1])
def test_everything_that_is_tested_may_go_and_come_back(left: int, seconds: float) -> None:
    build_mixed(random.Random(9))
    results().live = True
    settle()
    pairs = len(last_check.report.pairs)
    assert pairs
    everyone = list(bpy.context.scene.objects)
    for ob in everyone[left:]:
        ob.hide_set(True)
    settle(seconds)
    assert_same_as_fresh()
    assert len(last_check.report.bodies) == left
    for ob in everyone:
        ob.hide_set(False)
    settle(seconds)
    assert_same_as_fresh()
    assert len(last_check.report.pairs) == pairs
    for ob in everyone[left:]:
        bpy.data.objects.remove(ob)
    settle(seconds)
    assert_same_as_fresh()
    assert len(last_check.report.bodies) == left
