# SPDX-License-Identifier: GPL-3.0-or-later
"""Live mode: after whatever happens to the scene its report is that of a fresh check of all of it."""

import gc
import random

import bpy
import pytest

from collision_kit.addon.live import beginning
from collision_kit.addon.live import incremental_check as live_check
from collision_kit.addon.live import live_mode as live
from collision_kit.addon.live.live_mode import Status
from collision_kit.addon.scene import settings as stored
from collision_kit.addon.session import dependencies
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui import panels
from collision_kit.addon.ui.panels.results import COLLISION_KIT_PT_results
from collision_kit.addon.viewport import pair as pair_overlay
from collision_kit.core.world.world import World
from tests.helpers.blender import checked_scene
from tests.helpers.blender.checked_scene import add_cube
from tests.helpers.blender.live_scene import LONG, assert_same_as_fresh, build_mixed, detailed, results, said, settle
from tests.helpers.blender.on_screen import on_screen
from tests.helpers.blender.panel_recorder import Recorder, drawn
from tests.helpers.blender.stepped import slow_clocks
from tests.helpers.offline import slow


def shown(panel: type[bpy.types.Panel]) -> Recorder:
    recorder = drawn(panel, bpy.context)
    assert recorder is not None
    return recorder


@pytest.fixture(autouse=True)
def live_off(scene: bpy.types.Scene):
    yield
    results().live = False
    last_check.forget()


def test_scrubbing_is_followed() -> None:
    build_mixed(random.Random(7))
    for number in range(0, 14, 2):
        ob = bpy.data.objects[f"Mesh {number}"]
        ob.keyframe_insert("location", frame=1)
        ob.location.x += 3.0
        ob.keyframe_insert("location", frame=20)
    results().live = True
    settle()
    verdicts = set()
    for frame in (1, 5, 6, 7, 20, 3, 3, 40, 41):
        bpy.context.scene.frame_set(frame)
        settle()
        assert_same_as_fresh()
        assert last_check.report.frame == frame
        verdicts.add(tuple(said(last_check.report)))
    assert len(verdicts) > 3


@pytest.mark.parametrize("scope", ["ALL", "COLLECTION", "COLLECTIONS", "SELECTED", "ACTIVE", "CAMERA"])
def test_every_scope_is_followed(scope: str) -> None:
    rng = random.Random(11)
    build_mixed(rng)
    scene = bpy.context.scene
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location.z = 8.0
    scene.collection.objects.link(camera)
    scene.camera = camera
    other = bpy.data.collections.new("Other")
    scene.collection.children.link(other)
    for number in range(0, 14, 2):
        other.objects.link(bpy.data.objects[f"Mesh {number}"])
    settings = scene.collision_kit
    settings.scope, settings.collection_a = scope, other
    if scope in {"COLLECTION", "COLLECTIONS"}:
        rest = bpy.data.collections.new("Rest")
        scene.collection.children.link(rest)
        for number in range(1, 14, 2):
            rest.objects.link(bpy.data.objects[f"Mesh {number}"])
        settings.collection_b = rest
    for ob in scene.objects:
        ob.select_set(ob.type == "MESH")
    bpy.context.view_layer.objects.active = bpy.data.objects["Mesh 0"]
    results().live = True
    settle()
    assert_same_as_fresh()
    assert last_check.report.pairs
    for step in range(8):
        ob = bpy.data.objects[f"Mesh {step}"]
        ob.location.x += rng.uniform(-2, 2)
        if scope == "CAMERA" and step % 2:
            camera.location.x += 1.0
        settle()
        assert_same_as_fresh()


def test_what_was_selected_at_first_is_what_is_followed() -> None:
    checked_scene.build()
    bpy.context.scene.collision_kit.scope = "SELECTED"
    for ob in bpy.context.scene.objects:
        ob.select_set(True)
    results().live = True
    settle()
    assert len(last_check.report.bodies) == 4
    bpy.ops.collision_kit.select_pair(row=0)  # which selects two
    settle()
    assert len(last_check.report.bodies) == 4
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    settle()
    assert len(last_check.report.bodies) == 2, "a check by hand asks about the selection anew"


def test_only_what_moved_is_tested_again(monkeypatch: pytest.MonkeyPatch) -> None:
    build_mixed(random.Random(3), count=30)
    results().live = True
    settle()
    asked: list[int] = []
    original = live_check.PairEvidence.finding.__func__

    def counting(cls, world, pairs, *rest):
        asked.append(len(pairs))
        return original(cls, world, pairs, *rest)

    monkeypatch.setattr(live_check.PairEvidence, "finding", classmethod(counting))
    reads: list[int] = []
    rereading = live_check.rereading
    monkeypatch.setattr(live_check, "rereading", lambda *a, **k: (reads.append(1), rereading(*a, **k))[1])
    every = last_check.report.tested["candidates"]
    bpy.data.objects["Mesh 5"].location.x += 0.1
    settle()
    assert not reads, "a moved object takes no reading of the scene"
    assert 0 < sum(asked) < every / 3
    asked.clear()
    bpy.data.objects["Mesh 5"].data.vertices[0].co.x += 0.1
    bpy.data.objects["Mesh 5"].data.update()
    settle()
    assert reads and 0 < sum(asked) < every / 3
    asked.clear()
    bpy.data.objects["Mesh 6"].select_set(True)
    bpy.data.objects["Mesh 6"].name = "Renamed"
    settle()
    assert sum(asked) <= every / 3
    monkeypatch.undo()
    assert_same_as_fresh()


def test_beyond_its_budget_it_says_that_it_is_catching_up_and_then_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    slow_clocks(monkeypatch)
    build_mixed(random.Random(5), count=60)
    results().live = True
    bpy.context.view_layer.update()
    seen, updates = set(), 0
    while not live.update(bpy.context, 0.0):
        seen.add(live.status())
        updates += 1
        assert updates < 1000
    assert Status.READING in seen and Status.BEHIND in seen
    assert updates > 3
    assert_same_as_fresh()
    # A change in the middle of it is taken in.
    for number in range(40):
        bpy.data.objects[f"Mesh {number}"].location.z += 0.1
    bpy.context.view_layer.update()
    assert not live.update(bpy.context, 0.0)
    assert live.status() is Status.BEHIND and live.status_values()["count"] > 0
    pending = {pair.verdict for pair in last_check.report.pairs}
    assert pending, "what is known is listed meanwhile"
    bpy.data.objects["Mesh 5"].location.x += 1.0
    settle(0.0)
    assert_same_as_fresh()
    for number in range(40):
        bpy.data.objects[f"Mesh {number}"].location.z += 0.1
    bpy.context.view_layer.update()
    assert not live.update(bpy.context, 0.0)
    bpy.data.objects.remove(bpy.data.objects["Mesh 7"])
    settle(0.0)
    assert_same_as_fresh()


def test_the_chosen_pair_stays_chosen_and_is_drawn_as_it_is_now() -> None:
    checked_scene.build()
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    results().live = True
    settle()
    results().active = 1
    name = last_check.pair_name(last_check.report.pairs[1])
    assert name == "Second × Third"
    before = on_screen()
    bpy.data.objects["Third"].location.x -= 0.75  # now the deepest
    settle()
    assert last_check.pair_name(last_check.report.pairs[last_check.chosen]) == name
    assert pair_overlay.shown_row() == last_check.chosen == 0
    assert on_screen() is not before and on_screen() is not None
    drawn = on_screen()
    bpy.data.objects["Fourth"].location.y += 0.1
    settle()
    assert on_screen() is drawn, "what has not changed is not drawn anew"
    bpy.data.objects["Third"].location.x += 50.0
    settle()
    assert last_check.pair_name(last_check.report.pairs[last_check.chosen]) == "First × Second", "else the worst"
    bpy.data.objects["Third"].location.x -= 50.0
    settle()
    assert last_check.pair_name(last_check.report.pairs[last_check.chosen]) == name, "until it is back"


def test_what_is_dragged_is_shown_where_it_is_worst_and_then_the_chosen_pair_again() -> None:
    checked_scene.build()
    checked_scene.add_cube("Fifth", 20.0)
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    results().live = True
    settle()
    assert evidence() == "First × Second"
    bpy.data.objects["Fifth"].location.x = 6.75  # deep in Fourth, near Third
    settle()
    assert evidence() == "Fifth × Fourth", "though First and Second were chosen, and are deeper"
    bpy.data.objects["Fifth"].location.x = 4.0
    settle()
    assert evidence() == "Fifth × Third", "the worst of three pairs"
    bpy.data.objects["Second"].location.x += 0.01
    settle()
    assert evidence() == "First × Second", "the chosen one is of what is dragged"
    bpy.data.objects["Fifth"].location.x = 30.0
    settle()
    assert evidence() == "First × Second", "nothing is near Fifth"
    # Moved together, they stay as they are to each other: they are shown with what they meet.
    bpy.data.objects["First"].location.x += 40.0
    bpy.data.objects["Second"].location.x += 40.0
    bpy.data.objects["Fifth"].location.x += 12.5
    settle()
    assert evidence() == "First × Second"
    bpy.data.objects["Second"].location.x += 0.01
    bpy.data.objects["First"].location.x += 0.01
    settle()
    assert evidence() == "Fifth × Second"


def evidence() -> str:
    """The pair whose evidence is drawn, which is the chosen row of the list."""
    assert pair_overlay.shown_row() == last_check.chosen
    return last_check.pair_name(last_check.report.pairs[last_check.chosen])


def test_it_says_by_how_much_it_is_behind_and_how_long_an_update_took(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(live.time, "perf_counter", lambda: clock[0])
    build_mixed(random.Random(5), count=60)
    results().live = True
    bpy.context.view_layer.update()
    live.note((), (), relations=True)
    clock[0] += 5.0  # the change was waiting for as long
    original = live._update

    def slow(context: bpy.types.Context, *_late: object) -> bool:
        clock[0] += 0.25
        return original(context, lambda: True, lambda: True, 1.0)

    monkeypatch.setattr(live, "_update", slow)
    parts = 1
    while not live.update(bpy.context, 0.0):
        assert live.seconds() == pytest.approx(0.25 * parts)
        assert live.behind() == pytest.approx(5.0 + 0.25 * parts)
        parts += 1
        assert parts < 1000
    assert parts > 3
    assert live.behind() == 0.0
    assert live.seconds() == pytest.approx(0.25 * parts)
    bpy.data.objects["Mesh 5"].location.x += 0.1
    bpy.context.view_layer.update()
    clock[0] += 3.0
    if not live.update(bpy.context, 0.0):
        assert live.behind() == pytest.approx(3.25)


def test_the_panel_says_why_the_plane_has_no_live_mode() -> None:
    checked_scene.build()
    bpy.context.scene.collision_kit.planar.dimension = "PLANE"
    said = " ".join(shown(panels.COLLISION_KIT_PT_check).texts)
    assert said == "Options Live checking does not support planar checks"


def test_results_are_stale_again_once_it_is_switched_off() -> None:
    checked_scene.build()
    results().live = True
    settle()
    assert results().live
    results().live = False
    assert live.status() is Status.OFF
    assert last_check.change_for(stored.check_settings(bpy.context)) is None
    bpy.data.objects["First"].location.x += 0.1
    bpy.context.view_layer.update()
    dependencies.review(bpy.context)
    assert last_check.change_for(stored.check_settings(bpy.context)) is not None


def test_loading_a_file_and_clearing_the_results_end_it() -> None:
    checked_scene.build()
    results().live = True
    settle()
    bpy.ops.collision_kit.clear_results()
    assert not live.is_on() and last_check.report is None
    results().live = True
    settle()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert not live.is_on() and last_check.report is None


def test_what_cannot_be_checked_is_said_and_no_error_gets_out() -> None:
    checked_scene.build()
    settings = bpy.context.scene.collision_kit
    group = bpy.data.collections.new("Group")
    bpy.context.scene.collection.children.link(group)
    settings.scope, settings.collection_a = "COLLECTION", group
    results().live = True
    settle()
    assert last_check.report.pairs == ()
    bpy.data.collections.remove(group)
    live.note((), (), relations=True)
    settle()
    assert live.status() is Status.STUCK and live.status_values()["reason"]
    settings.scope = "VISIBLE"
    settle()
    assert_same_as_fresh()


def test_an_unforeseen_error_is_told_in_the_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    checked_scene.build()
    results().live = True
    settle()

    def broken(*_arguments, **_names):
        raise RuntimeError("no such luck")

    with monkeypatch.context() as patch:
        patch.setattr(live_check, "moved", broken)
        bpy.data.objects["First"].location.x += 0.1
        settle()
    assert live.status() is Status.STUCK and "no such luck" in live.status_values()["reason"]
    bpy.data.objects["First"].location.x += 0.1
    settle()
    assert_same_as_fresh()


@pytest.mark.parametrize("fails", [False, True])
def test_no_garbage_is_collected_during_an_update(monkeypatch: pytest.MonkeyPatch, fails: bool) -> None:
    checked_scene.build()
    results().live = True
    collects = []

    def asked(*_args: object) -> bool:
        collects.append(gc.isenabled())
        if fails:
            raise RuntimeError("Broken")
        return True

    monkeypatch.setattr(live, "_update", asked)
    live.update(bpy.context, LONG)
    assert collects == [False] and gc.isenabled()


def test_another_scene_is_checked_when_it_is_the_current_one() -> None:
    checked_scene.build()
    results().live = True
    settle()
    assert len(last_check.report.bodies) == 4
    before = bpy.context.window.scene
    bpy.context.window.scene = bpy.data.scenes.new("Other")
    live.note((), (), relations=True)
    settle()
    assert last_check.report.scene == "Other" and not last_check.report.bodies
    bpy.context.window.scene = before
    live.note((), (), relations=True)
    settle()
    assert_same_as_fresh()


def test_an_edited_mesh_in_edit_mode_is_followed() -> None:
    import bmesh

    build_mixed(random.Random(2))
    results().live = True
    settle()
    ob = bpy.data.objects["Mesh 0"]
    bpy.context.view_layer.objects.active = ob
    bpy.ops.object.mode_set(mode="EDIT")
    settle()
    edited = bmesh.from_edit_mesh(ob.data)
    edited.verts.ensure_lookup_table()
    for step in range(3):
        edited.verts[step].co.z += 0.7
        bmesh.update_edit_mesh(ob.data)
        settle()
        assert_same_as_fresh()
    bpy.ops.object.mode_set(mode="OBJECT")
    settle()
    assert_same_as_fresh()


def test_the_budget_is_the_preference() -> None:
    assert stored.live_budget(bpy.context) == stored.LIVE_BUDGET / 1000.0
    addon = bpy.context.preferences.addons.get(stored.ROOT)
    if addon is not None:  # not of a checkout
        addon.preferences.live_budget = 200
        assert stored.live_budget(bpy.context) == 0.2
        addon.preferences.live_budget = stored.LIVE_BUDGET


def test_the_panel_says_how_far_it_is() -> None:
    checked_scene.build()
    assert shown(panels.COLLISION_KIT_PT_check).texts == ["Options"]
    results().live = True
    assert shown(panels.COLLISION_KIT_PT_check).texts == ["Options", Status.WAITING.value]
    settle()
    _, text = shown(panels.COLLISION_KIT_PT_check).texts
    assert text.startswith(Status.CURRENT.value) and "ms)" in text
    bpy.data.objects["First"].location.x += 0.1
    bpy.context.view_layer.update()
    # Between a change and the update that follows it nothing is said to be old.
    assert not any("changed" in text for text in shown(COLLISION_KIT_PT_results).texts)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The questions that are asked of worlds from now on, and about how many pairs."""
    found: list[tuple[str, int]] = []
    # However fast a pair is tested, it is a block of its own.
    monkeypatch.setattr(live_check, "_BLOCK", 1e-9)
    monkeypatch.setattr(beginning, "_STEP", 1e-9)
    for name in ("classify_steps", "interference", "depth_steps", "distance", "contains", "contacts"):
        ask = getattr(World, name)

        def asking(self, pairs, *given, _name=name, _ask=ask, **known):
            found.append((_name, len(pairs)))
            return _ask(self, pairs, *given, **known)

        monkeypatch.setattr(World, name, asking)
    return found


@pytest.mark.parametrize("count", [3, *slow(2)])
def test_an_update_without_time_asks_one_question_about_one_pair_of_meshes(asked, count) -> None:
    detailed(count)
    results().live = True
    everything = []
    for _ in range(200):
        asked.clear()
        done = live.update(bpy.context, 0.0)
        assert len(asked) <= 1, asked
        everything += asked
        if done:
            break
    assert {count for _, count in everything} == {1}
    assert {name for name, _ in everything} == {"classify_steps"}, "contacts are measured when they are shown"
    assert_same_as_fresh()


def test_what_keeps_moving_does_not_keep_other_pairs_from_being_tested(asked) -> None:
    detailed(3)
    mover = add_cube("Mover", 20.0)
    results().live = True
    settle()
    for ob in bpy.data.objects:
        if ob != mover:
            ob.location.y += 0.1
    bpy.context.view_layer.update()
    asked.clear()
    for step in range(40):
        mover.location.z = step
        bpy.context.view_layer.update()
        live.update(bpy.context, 0.0)
    assert asked.count(("classify_steps", 1)) == 3, "once for each of the three pairs of balls"
    settle()
    assert_same_as_fresh()


def test_libraries_of_assets_are_recognized_as_by_a_check() -> None:
    for number in range(5):
        add_cube(f"Car {number}", 0.0).scale = (1.0 + 0.2 * number, 1.0, 1.0 + 0.1 * number)
    bpy.context.scene.collision_kit.scope = "ALL"
    results().live = True
    settle()
    assert len(last_check.report.library) == 5 and len(last_check.report.folded) == 10
    assert_same_as_fresh()
    # Two of five are apart now, which is no library any more.
    for number in range(2):
        bpy.data.objects[f"Car {number}"].location.x = 20.0 * (number + 1)
    settle()
    assert not last_check.report.library and not last_check.report.folded
    assert_same_as_fresh()


def test_folds_are_found_anew_when_nothing_moves_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        add_cube(f"Car {number}", 0.0).scale = (1.0 + 0.2 * number, 1.0, 1.0 + 0.1 * number)
    bpy.context.scene.collision_kit.scope = "ALL"
    results().live = True
    settle()
    # Finding them took longer than an update may.
    live._live.check.arranging = 10.0
    monkeypatch.setattr(live, "_SETTLED", 1e9)
    for place in (20.0, 30.0):
        bpy.data.objects["Car 0"].location.x = place
        bpy.context.view_layer.update()
        for _ in range(5):
            assert not live.update(bpy.context, 1.0)
        assert len(last_check.report.library) == 5 and len(last_check.report.folded) == 6
        assert live.status() is Status.CURRENT and not last_check.partial
    bpy.data.objects["Car 1"].location.x = 40.0
    monkeypatch.setattr(live, "_SETTLED", 0.0)
    settle(1.0)
    assert not last_check.report.library and not last_check.report.folded
    assert_same_as_fresh()
    # Whatever is more than a move is arranged at once.
    monkeypatch.setattr(live, "_SETTLED", 1e9)
    live._live.check.arranging = 10.0
    add_cube("Car 5", 40.0)
    settle(1.0)
    assert_same_as_fresh()
