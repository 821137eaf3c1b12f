# SPDX-License-Identifier: GPL-3.0-or-later
"""After a fix, an undo or a redo the results are those of a fresh check, and only what has changed is tested again."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit.addon.collisions.check import check as fresh_check
from collision_kit.addon.live import beginning
from collision_kit.addon.live import incremental_check as live_check
from collision_kit.addon.live import live_mode as live
from collision_kit.addon.model.rules import PairTest
from collision_kit.addon.session import comparison, dependencies
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui.operators import check as check_operators
from collision_kit.addon.viewport import pair as pair_overlay
from collision_kit.core import Verdict
from tests.helpers.blender.bridge_scene import add, cube_mesh
from tests.helpers.blender.live_scene import LONG, Artist, build_mixed, results, said
from tests.helpers.offline import slow


@pytest.fixture(autouse=True)
def forgotten(scene: bpy.types.Scene):
    yield
    results().live = False
    last_check.forget()


@pytest.fixture
def tested(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of pairs of shapes that are tested again; -1 for a check of the whole scene."""
    found: list[int] = []
    finding, go_on = live_check.PairEvidence.finding.__func__, beginning.Beginning.go_on

    def counted(cls, world, pairs, *rest):
        found.append(len(pairs))
        return finding(cls, world, pairs, *rest)

    def whole(self, *given):
        found.append(-1)
        return go_on(self, *given)

    monkeypatch.setattr(live_check.PairEvidence, "finding", classmethod(counted))
    monkeypatch.setattr(beginning.Beginning, "go_on", whole)
    return found


def check() -> None:
    bpy.context.view_layer.update()
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}


def settle() -> None:
    """Have the timer do what is to be done, as in a window."""
    bpy.context.view_layer.update()
    while not live.update(bpy.context, LONG):
        pass
    dependencies.review(bpy.context)


def assert_as_fresh() -> None:
    """Every row holds, and the list is that of a check of the whole scene with the same settings."""
    report, settings = last_check.report, last_check.settings
    assert report is not None and settings is not None and not live.catches_up()
    assert not any(map(last_check.pair_is_stale, report.pairs))
    fresh, shapes = fresh_check(bpy.context, **settings._asdict(), evidence=False)
    ours, theirs = said(report), said(fresh)
    assert ours.keys() == theirs.keys()
    for key, pair in ours.items():
        other = theirs[key]
        assert (pair.verdict, pair.complete, pair.test) == (other.verdict, other.complete, other.test), key
        np.testing.assert_allclose([pair.distance, pair.interference], [other.distance, other.interference], atol=1e-9)
    for field in ("frame", "scope", "clearance", "bodies", "shapes", "issues", "skipped", "tested"):
        assert getattr(report, field) == getattr(fresh, field), field
    assert last_check.world is not None
    np.testing.assert_array_equal(np.stack(last_check.world.bounds()), np.stack(shapes.world.bounds()))
    assert last_check.dependencies == dependencies.current(bpy.context, settings)


def grid(count: int) -> list[bpy.types.Object]:
    """Posts that are sunk into a floor of their own each, the first the deepest, side by side."""
    posts = []
    for number in range(count):
        x = 4.0 * number
        add(f"Floor {number}", cube_mesh((1.9, 1.9, 0.5)), at=(x, 0.0, -0.5))
        posts.append(add(f"Post {number}", cube_mesh((0.5, 0.5, 1.0)), at=(x, 0.0, 0.9 + 0.05 * number / count)))
    return posts


def choose(*names: str) -> None:
    report = last_check.report
    assert report is not None
    keys = [body.key for body in report.bodies if body.name in names]
    assert bpy.ops.collision_kit.select_pair(row=report.row_of(keys)) == {"FINISHED"}


def push(name: str) -> None:
    bpy.context.view_layer.objects.active = bpy.data.objects[name]
    assert bpy.ops.collision_kit.push_apart(objects="ACTIVE") == {"FINISHED"}
    bpy.ops.ed.undo_push(message=f"Push {name}")


def test_a_fix_tests_the_pairs_of_what_moved_and_no_others(tested: list[int]) -> None:
    grid(40)
    check()
    report = last_check.report
    assert report is not None and report.tested is not None and report.tested["candidates"] == 40
    tested.clear()
    choose("Floor 7", "Post 7")
    push("Post 7")
    assert sum(tested) == 1 and -1 not in tested, "the post reaches its own floor only"
    assert_as_fresh()
    assert report.counts()[Verdict.PENETRATING] - last_check.report.counts()[Verdict.PENETRATING] == 1
    # What was moved by hand before is tested again, too.
    bpy.data.objects["Post 9"].location.x += 1.0
    bpy.context.view_layer.update()
    tested.clear()
    push("Post 8")
    assert 2 <= sum(tested) <= 3 and -1 not in tested
    assert_as_fresh()


def test_an_undo_keeps_every_row_and_tests_what_has_changed_back(tested: list[int]) -> None:
    grid(40)
    check()
    choose("Floor 7", "Post 7")
    bpy.ops.ed.undo_push(message="Checked")
    before = said(last_check.report)
    push("Post 7")
    pushed = said(last_check.report)
    tested.clear()
    assert bpy.ops.ed.undo() == {"FINISHED"}
    settle()
    assert sum(tested) == 1 and -1 not in tested
    assert_as_fresh()
    assert {key: pair.verdict for key, pair in said(last_check.report).items()} == {
        key: pair.verdict for key, pair in before.items()
    }
    assert [body.name for body in last_check.bodies_of(last_check.pair(last_check.chosen))] == ["Floor 7", "Post 7"]
    assert pair_overlay.shown_row() == last_check.chosen
    tested.clear()
    assert bpy.ops.ed.redo() == {"FINISHED"}
    settle()
    assert sum(tested) == 1 and -1 not in tested
    assert_as_fresh()
    assert {key: pair.verdict for key, pair in said(last_check.report).items()} == {
        key: pair.verdict for key, pair in pushed.items()
    }


def test_after_undo_of_one_push_all_of_337_rows_hold(tested: list[int]) -> None:
    # A row of tiles, each of which touches the next one, and a crate that is sunk into one of them.
    tile = cube_mesh((0.5, 0.5, 0.05))
    for number in range(337):
        add(f"Tile {number}", tile, at=(1.0 * number, 0.0, 0.0))
    add("Crate", cube_mesh((0.1, 0.1, 0.1)), at=(6.0, 0.0, 0.145))
    check()
    bpy.ops.ed.undo_push(message="Checked")
    assert len(last_check.report.pairs) == 337
    (row,) = [row for row, pair in enumerate(last_check.report.pairs) if pair.verdict == Verdict.PENETRATING]
    last_check.chosen = row
    tested.clear()
    assert bpy.ops.collision_kit.push_apart(objects="A" if named(row)[0] == "Crate" else "B") == {"FINISHED"}
    settle()
    assert not any(pair.verdict == Verdict.PENETRATING for pair in last_check.report.pairs)
    bpy.ops.ed.undo_push(message="Pushed")
    assert bpy.ops.ed.undo() == {"FINISHED"}
    settle()
    report = last_check.report
    assert len(report.pairs) == 337
    assert sum(map(last_check.pair_is_stale, report.pairs)) == 0
    assert last_check.change_for(last_check.settings) is None
    assert sum(tested) <= 4, "the pair of the crate, there and back"
    assert_as_fresh()


def named(row: int) -> list[str]:
    return [last_check.body_name(body) for body in last_check.bodies_of(last_check.report.pairs[row])]


def test_an_undo_of_what_changes_no_shape_tests_nothing(tested: list[int]) -> None:
    grid(5)
    check()
    report = last_check.report
    bpy.ops.ed.undo_push(message="Checked")
    bpy.ops.object.select_all(action="DESELECT")
    bpy.ops.ed.undo_push(message="Deselected")
    tested.clear()
    assert bpy.ops.ed.undo() == {"FINISHED"}
    settle()
    assert tested == [] and last_check.report is report
    assert_as_fresh()


def rename(_folder: Path) -> None:
    bpy.data.objects["Post 3"].name = "Pillar of another name"
    bpy.data.objects["Floor 1"].name = "Zzz"


def delete(_folder: Path) -> None:
    bpy.data.objects.remove(bpy.data.objects["Post 3"])


def duplicate_linked(_folder: Path) -> None:
    twin = bpy.data.objects["Post 4"].copy()
    twin.location.x += 0.7
    bpy.context.scene.collection.objects.link(twin)


def edit_mesh(_folder: Path) -> None:
    bpy.context.view_layer.objects.active = bpy.data.objects["Post 4"]
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.transform.translate(value=(0.0, 0.0, -0.1))
    bpy.ops.object.mode_set(mode="OBJECT")


def link_library(folder: Path) -> None:
    path = folder / "library.blend"
    block = bpy.data.objects.new("Linked block", cube_mesh((0.4, 0.4, 0.4)))
    bpy.data.libraries.write(str(path), {block})
    bpy.data.objects.remove(block)
    with bpy.data.libraries.load(str(path), link=True) as (_found, wanted):
        wanted.objects = ["Linked block"]
    bpy.context.scene.collection.objects.link(wanted.objects[0])


def visit_another_scene(_folder: Path) -> None:
    first = bpy.context.scene
    bpy.context.window.scene = bpy.data.scenes.new("Another")
    bpy.context.view_layer.update()
    bpy.context.window.scene = first


EDITS = (rename, delete, duplicate_linked, edit_mesh, link_library, visit_another_scene)


@pytest.mark.parametrize("edit", EDITS, ids=lambda one: one.__name__)
def test_the_list_is_true_after_an_edit_its_undo_and_its_redo_between_fixes(
    edit: Callable[[Path], None], tmp_path: Path
) -> None:
    grid(6)
    check()
    bpy.ops.ed.undo_push(message="Checked")
    choose("Floor 2", "Post 2")
    push("Post 2")
    assert_as_fresh()
    edit(tmp_path)
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="Edited")
    push("Post 5")
    assert_as_fresh()
    for step in (bpy.ops.ed.undo, bpy.ops.ed.undo, bpy.ops.ed.undo, bpy.ops.ed.redo, bpy.ops.ed.redo, bpy.ops.ed.redo):
        assert step() == {"FINISHED"}
        settle()
        assert_as_fresh()
    push("Post 0")
    assert_as_fresh()


@pytest.mark.parametrize("seed", [0, *slow(*range(1, 8))])
def test_after_random_edits_fixes_undo_and_redo_the_list_is_that_of_a_fresh_check(seed: int, tested: list[int]) -> None:
    rng = random.Random(300 + seed)
    build_mixed(rng)
    bpy.ops.ed.undo_push(message="Built")
    check()
    artist = Artist(rng)
    artist.verbs.remove(artist.settings)
    moves = 0
    for _ in range(24):
        what = rng.random()
        if what < 0.3:
            artist.act()
            bpy.context.view_layer.update()
            bpy.ops.ed.undo_push(message="Edit")
            continue
        if what < 0.6:
            ob = artist.any("MESH")
            bpy.context.view_layer.objects.active = ob
            if not bpy.ops.collision_kit.push_apart.poll():
                continue
            before = last_check.report
            try:
                bpy.ops.collision_kit.push_apart(objects="ACTIVE")
            except RuntimeError:  # The object is locked, hidden, or in everything's way.
                continue
            bpy.ops.ed.undo_push(message="Fix")
            if last_check.report is before:
                continue
            moves += 1
        else:
            undo = bpy.ops.ed.undo if what < 0.85 else bpy.ops.ed.redo
            if not undo.poll():
                continue
            undo()
            settle()
        if live.catches_up():
            settle()
        assert_as_fresh()
    assert moves > 1
    assert -1 not in tested, "no check of the whole scene was needed"


def test_marks_of_what_is_new_outlive_a_fix() -> None:
    posts = grid(6)
    for post in posts[:3]:
        post.location.z = 1.0
    check()
    for post in posts[:3]:
        post.location.z = 0.8
    check()
    news = comparison.changes(last_check)
    assert news is not None and len(news.new) == 3
    choose("Floor 1", "Post 1")
    push("Post 1")
    news = comparison.changes(last_check)
    assert news is not None
    names = {tuple(body.name for body in last_check.bodies_of(last_check.report.pairs[row])) for row in news.new}
    assert names == {("Floor 0", "Post 0"), ("Floor 2", "Post 2")}


@pytest.mark.parametrize("how", ["plane", "self_check", "loose_parts", "tests", "stored"])
def test_what_cannot_be_kept_up_to_date_is_checked_as_a_whole(
    how: str, tested: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    grid(4)
    settings = bpy.context.scene.collision_kit
    if how == "plane":
        settings.planar.dimension, settings.planar.plane = "PLANE", "XZ"
    elif how in {"self_check", "loose_parts"}:
        setattr(settings, how, True)
    elif how == "tests":
        original = check_operators.check_settings
        named = (PairTest("posts", ("Post *",), ("Floor *",)),)
        monkeypatch.setattr(check_operators, "check_settings", lambda context: original(context)._replace(tests=named))
    check()
    if how == "stored":
        # As of results that come from the file.
        last_check.store(replace(last_check.report), None, last_check.settings, last_check.place)
        dependencies.remember(bpy.context)
    choose("Floor 1", "Post 1")
    before = last_check.report
    push("Post 1")
    assert -1 in tested and last_check.report is not before
    report = last_check.report
    assert report is not None and not any(map(last_check.pair_is_stale, report.pairs))
    touching = [pair for pair in report.pairs if pair.verdict == Verdict.TOUCHING]
    assert {body.name for pair in touching for body in last_check.bodies_of(pair)} == {"Floor 1", "Post 1"}


def test_live_mode_goes_on_from_the_last_check(tested: list[int]) -> None:
    grid(20)
    check()
    report = last_check.report
    bpy.data.objects["Post 3"].location.z = 1.0
    tested.clear()
    results().live = True
    settle()
    assert sum(tested) == 1 and -1 not in tested
    assert last_check.report is not report
    results().live = False
    assert_as_fresh()
    # What it has found is gone on from by a fix.
    tested.clear()
    push("Post 5")
    assert sum(tested) == 1 and -1 not in tested
    assert_as_fresh()


def test_another_tolerance_is_another_question(tested: list[int]) -> None:
    grid(3)
    check()
    bpy.context.scene.collision_kit.clearance = 0.5
    results().live = True
    settle()
    assert -1 in tested and last_check.report.clearance == 0.5
    results().live = False
    assert_as_fresh()


def test_a_fix_among_selected_objects_tests_the_same_ones_again(tested: list[int]) -> None:
    grid(3)
    for ob in bpy.context.scene.objects:
        ob.select_set(ob.name != "Floor 2")
    bpy.context.view_layer.objects.active = bpy.data.objects["Post 0"]
    bpy.context.scene.collision_kit.scope = "ACTIVE"
    check()
    report = last_check.report
    assert report is not None and len(report.pairs) == 1
    choose("Floor 0", "Post 0")
    tested.clear()
    push("Post 0")
    assert sum(tested) == 1 and -1 not in tested
    assert last_check.report is not report and len(last_check.report.bodies) == len(report.bodies)
    assert last_check.report.pairs[0].verdict == Verdict.TOUCHING
