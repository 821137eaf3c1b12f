# SPDX-License-Identifier: GPL-3.0-or-later
"""Accepted pairs: a scene remembers them through renames, undo, saving and loading, by the objects and not by names."""

from pathlib import Path

import bpy
import pytest

from collision_kit.addon.scene import accepted_pairs
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui.result_list import rows as results_rows
from tests.helpers.blender import checked_scene
from tests.helpers.blender.checked_scene import add_cube, check
from tests.helpers.blender.results_scene import list_everything, listed, results


@pytest.fixture(autouse=True)
def four_cubes(scene: bpy.types.Scene) -> None:
    checked_scene.build()
    list_everything()


def accept(reason: str = "", row: int = 0) -> None:
    last_check.chosen = row
    assert bpy.ops.collision_kit.accept_pair(reason=reason) == {"FINISHED"}


def reasons() -> dict[str, str]:
    """Names of the accepted pairs of the last report, and why."""
    assert last_check.report is not None
    found = results_rows.marks().accepted
    return {last_check.pair_name(last_check.report.pairs[row]): reason for row, reason in found.items()}


def test_a_pair_is_accepted_for_a_reason_and_that_can_change() -> None:
    check()
    assert reasons() == {}
    accept(" let into the wall ")
    assert reasons() == {"First × Second": "let into the wall"}
    accept("glued")
    assert reasons() == {"First × Second": "glued"}
    assert len(bpy.context.scene.collision_kit.accepted) == 1
    check()
    assert reasons() == {"First × Second": "glued"}, "it is remembered beyond the check"


def test_what_is_accepted_is_told_by_the_objects_and_not_by_their_names() -> None:
    check()
    accept("glued")
    # They change places in the order of names; and something else gets the name.
    bpy.data.objects["First"].name = "Zero"
    add_cube("First", 1.2)
    bpy.context.view_layer.update()
    check()
    assert reasons() == {"Second × Zero": "glued"}


def test_accepting_can_be_undone_and_redone() -> None:
    check()
    bpy.ops.ed.undo_push(message="Before")
    accept("glued")
    bpy.ops.ed.undo_push(message="Accept")
    bpy.ops.ed.undo()
    assert reasons() == {}
    bpy.ops.ed.redo()
    assert reasons() == {"First × Second": "glued"}


def test_a_file_remembers_what_it_is_told_under_the_names_of_the_day(tmp_path: Path) -> None:
    check()
    accept("glued")
    bpy.data.objects["First"].name = "Zero"
    path = str(tmp_path / "accepted.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.wm.open_mainfile(filepath=path)
    # Renamed once more before anybody asks; the name that was saved belongs to something else.
    bpy.data.objects["Zero"].name = "Nil"
    add_cube("Zero", 1.2)
    check()
    assert reasons() == {"Nil × Second": "glued"}


def test_the_file_is_told_before_it_is_saved_and_not_only_after_loading(tmp_path: Path) -> None:
    check()
    accept("glued")
    before = bpy.context.scene.collision_kit.accepted[0].bodies
    bpy.data.objects["First"].name = "Zero"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "told.blend"), compress=False)
    after = bpy.context.scene.collision_kit.accepted[0].bodies
    assert "First" in before
    assert "First" not in after
    assert "Zero" in after


def test_instances_are_told_apart(tmp_path: Path) -> None:
    collection = bpy.data.collections.new("Instanced")
    for name in ("First", "Second", "Third", "Fourth"):
        bpy.context.scene.collection.objects.unlink(bpy.data.objects[name])
        collection.objects.link(bpy.data.objects[name])
    for number, place in enumerate((0.0, 100.0)):
        host = bpy.data.objects.new(f"Host {number}", None)
        host.instance_type, host.instance_collection = "COLLECTION", collection
        host.location.x = place
        bpy.context.scene.collection.objects.link(host)
    bpy.context.view_layer.update()
    check()
    names = [last_check.pair_name(one) for one in last_check.report.pairs]
    accept("glued", names.index("Host 1/First × Host 1/Second"))
    assert list(reasons()) == ["Host 1/First × Host 1/Second"]
    path = str(tmp_path / "instances.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    bpy.ops.wm.open_mainfile(filepath=path)
    check()
    assert list(reasons()) == ["Host 1/First × Host 1/Second"]


def test_objects_of_a_library_are_told_from_those_of_the_file(tmp_path: Path) -> None:
    library = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=library, compress=False)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    checked_scene.build()
    with bpy.data.libraries.load(library, link=True) as (_, target):
        target.objects = ["First"]
    linked = next(ob for ob in bpy.data.objects if ob.library is not None)
    bpy.context.scene.collection.objects.link(linked)
    path = str(tmp_path / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    check()
    uids = {ob.session_uid: ob for ob in bpy.data.objects}

    linked_key = next(body.key for body in last_check.report.bodies if body.key.session_uid == linked.session_uid)

    def accepted_objects() -> list[set[tuple[str, bool]]]:
        report = last_check.report
        return [
            {
                (
                    uids[report.bodies[body].key.session_uid].name,
                    uids[report.bodies[body].key.session_uid].library is None,
                )
                for body in (report.pairs[row].body_a, report.pairs[row].body_b)
            }
            for row in results_rows.marks().accepted
        ]

    row = next(
        row
        for row, one in enumerate(last_check.report.pairs)
        if last_check.keys_of(row)
        == {body.key for body in last_check.report.bodies if body.name == "Second"}
        | {body.key for body in last_check.report.bodies if body.key.session_uid == linked.session_uid}
    )
    accept("from the library", row)
    mine = {body.key for body in last_check.report.bodies if body.name in {"First", "Second"}} - {linked_key}
    accept("of the file", last_check.report.row_of(mine))
    expected = [{("First", False), ("Second", True)}, {("First", True), ("Second", True)}]
    assert all(one in accepted_objects() for one in expected)
    assert len(accepted_objects()) == 2
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    bpy.ops.wm.open_mainfile(filepath=path)
    check()
    uids = {ob.session_uid: ob for ob in bpy.data.objects}
    assert all(one in accepted_objects() for one in expected)
    assert len(accepted_objects()) == 2
    assert sorted(results_rows.marks().accepted.values()) == ["from the library", "of the file"]


def test_all_that_is_listed_can_be_accepted_at_once() -> None:
    check()
    results().view.text = "third"
    assert listed() == ["Second × Third", "Fourth × Third"]
    assert bpy.ops.collision_kit.accept_pair(which="LISTED", reason="shelf") == {"FINISHED"}
    assert reasons() == {"Second × Third": "shelf", "Fourth × Third": "shelf"}


def test_accepting_ends() -> None:
    check()
    assert not bpy.ops.collision_kit.stop_accepting_pair.poll()
    accept("glued")
    accept("rests", 1)
    last_check.chosen = 2
    assert bpy.ops.collision_kit.stop_accepting_pair() == {"CANCELLED"}, "that one is not accepted"
    last_check.chosen = 0
    assert bpy.ops.collision_kit.stop_accepting_pair() == {"FINISHED"}
    assert list(reasons()) == ["Second × Third"]
    bpy.data.objects.remove(bpy.data.objects["Third"])
    check()
    assert reasons() == {}
    assert bpy.ops.collision_kit.stop_accepting_pair(which="ALL") == {"FINISHED"}, "what is gone among them"
    assert len(accepted_pairs.entries(bpy.context.scene)) == 0


def test_a_deleted_object_brings_its_pair_back_only_if_it_comes_back() -> None:
    check()
    accept("glued")
    bpy.data.objects.remove(bpy.data.objects["First"])
    add_cube("First", 0.0)
    check()
    assert "First × Second" in listed()
    assert reasons() == {}, "another object of the same name is another object"


@pytest.mark.parametrize(
    "text",
    [
        *("", "nonsense", "[]", "[1, 2]", '[["A", "", "", "", []]]', "{}", "[" * 100_000),
        '[["First", "", "", "", []], ["Second", "", "", "", [{}]]]',
        '[["First", "", [], "", []], [{}, "", "", "", []]]',
    ],
)
def test_an_entry_that_nobody_wrote_is_overlooked(text: str) -> None:
    check()
    accept("glued")
    entry = bpy.context.scene.collision_kit.accepted.add()
    entry.bodies = entry.keys = text
    accepted_pairs.changed()
    assert reasons() == {"First × Second": "glued"}
    accepted_pairs.file_saving()
    accepted_pairs.file_loaded()
    assert reasons() == {"First × Second": "glued"}


def test_each_scene_remembers_its_own() -> None:
    check()
    accept("glued")
    other = bpy.data.scenes.new("Other")
    for ob in bpy.context.scene.objects:
        other.collection.objects.link(ob)
    bpy.context.window.scene = other
    bpy.context.view_layer.update()
    other.collision_kit.clearance = 0.5
    check()
    assert len(listed()) == 3
    assert reasons() == {}


def test_a_scene_that_is_linked_brings_what_is_accepted_in_it(tmp_path: Path) -> None:
    check()
    accept("glued")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    # Of the same name, and not what is meant.
    add_cube("First", 0.0)
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (there, into):
        into.scenes = there.scenes
    bpy.context.window.scene = into.scenes[0]
    list_everything()
    check()
    assert reasons() == {"First × Second": "glued"}
