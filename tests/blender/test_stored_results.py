# SPDX-License-Identifier: GPL-3.0-or-later
"""Results in the file: they are there after it has been opened again, as old where something has changed."""

import logging
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit.addon.model.report import PairResult, Report
from collision_kit.addon.scene import object_states
from collision_kit.addon.scene import settings as stored_settings
from collision_kit.addon.scene.objects import collision_settings
from collision_kit.addon.session import stored_results
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.session.latest import Change
from collision_kit.addon.ui.panels import check as panels_check
from collision_kit.addon.ui.panels.colliders import COLLISION_KIT_PT_colliders
from collision_kit.addon.ui.result_list import rows as results_rows
from collision_kit.addon.viewport import pair as pair_overlay
from tests.helpers.blender import checked_scene, live_scene, planar_scene
from tests.helpers.blender.bridge_scene import (
    CUBE_FACES,
    CUBE_VERTICES,
    TURNED,
    add,
    add_instance,
    cube_mesh,
    mesh,
)
from tests.helpers.blender.checked_scene import add_cube, check, look
from tests.helpers.blender.on_screen import on_screen
from tests.helpers.blender.panel_recorder import drawn
from tests.helpers.blender.results_scene import list_everything, results

ops = bpy.ops.collision_kit


@pytest.fixture(autouse=True)
def empty(scene: bpy.types.Scene) -> None:
    """An empty scene, and a list without a filter."""
    list_everything()


def save(path: Path) -> int:
    """Save the file, and return its size."""
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    return path.stat().st_size


def open_again(path: Path) -> bool:
    """Open the file, and restore its results as Blender's timer does in a window; whether there were any."""
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert last_check.report is None
    return stored_results.restore(bpy.context)


def through(path: Path) -> bool:
    save(path)
    return open_again(path)


def found() -> Report:
    assert last_check.report is not None
    return last_check.report


def change() -> Change | None:
    """The text that the panel would have."""
    look()
    return last_check.change_for(stored_settings.check_settings(bpy.context))


def stale() -> dict[str, bool]:
    return {last_check.pair_name(pair): last_check.pair_is_stale(pair) for pair in found().pairs}


def numbers(pair: PairResult) -> list[float]:
    values = pair.distance, pair.interference, pair.touching, *pair.normal, *pair.point_a, *pair.point_b
    rows = pair.body_a, pair.body_b, pair.shape_a, pair.shape_b, pair.verdict, *pair.faces, pair.test
    return [math.nan if value is None else float(value) for value in (*rows, *values, *pair.point_b)]


def contacts(pair: PairResult) -> np.ndarray:
    return np.column_stack([pair.contact_points, pair.contact_depths, pair.contact_normals])


def assert_same(after: Report, before: Report) -> None:
    """The results are those from before."""
    assert [body.name for body in after.bodies] == [body.name for body in before.bodies]
    assert after.shapes == before.shapes
    assert after.issues == before.issues
    assert after.skipped == before.skipped
    assert after.tested == before.tested
    assert len(after.pairs) == len(before.pairs)
    for one, other in zip(after.pairs, before.pairs, strict=True):
        assert numbers(one) == pytest.approx(numbers(other), rel=1e-9, abs=1e-9, nan_ok=True)
        assert contacts(one) == pytest.approx(contacts(other), rel=1e-6, abs=1e-5)


@pytest.mark.slow
def test_five_thousand_pairs_are_there_again_and_cost_less_than_a_megabyte(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    mesh = cube_mesh((0.5, 0.5, 0.5))
    for number in random.permutation(5000).tolist():
        ob = bpy.data.objects.new(f"Box{number}", mesh)
        ob.location, ob.rotation_euler = random.uniform(0.0, 27.2, 3), random.uniform(0.0, 3.0, 3)
        bpy.context.scene.collection.objects.link(ob)
    # Blender adds empty settings to an object when they are first asked for, and a check must not.
    never_checked = save(tmp_path / "a.blend")
    check()
    before = found()
    assert len(before.pairs) >= 5000
    assert 100_000 < save(tmp_path / "b.blend") - never_checked <= 1_000_000
    assert open_again(tmp_path / "b.blend")
    assert_same(found(), before)
    assert change() is None
    assert not any(stale().values())
    assert pair_overlay.shown_row() == last_check.chosen >= 0
    assert last_check.world is not None, "the shapes of the pair that is drawn are read"
    assert ops.select_pair(row=4999) == {"FINISHED"}
    assert change() is None
    assert on_screen() is not None
    assert {ob.name for ob in bpy.context.selected_objects} == {
        before.bodies[before.pairs[4999].body_a].name,
        before.bodies[before.pairs[4999].body_b].name,
    }


def draw_colliders() -> bool:
    """Draw what is known of the active collider."""
    bpy.context.view_layer.objects.active = add("UBX_Rock_01", cube_mesh())
    found = drawn(COLLISION_KIT_PT_colliders, bpy.context)
    return found is not None and "UBX_Rock_01" in found.texts


def read_all() -> bool:
    """Read the settings of all objects, and what they may be part of."""
    first, second = list(bpy.data.objects)[:2]
    return all(map(collision_settings.read, bpy.data.objects)) and collision_settings.may_be_part_of(first, second)


@pytest.mark.parametrize(
    ("run", "answer"),
    [
        (ops.check_collisions, {"FINISHED"}),
        (ops.validate_colliders, {"FINISHED"}),
        (ops.reset_collision_settings.poll, False),
        (draw_colliders, True),
        (read_all, True),
    ],
)
def test_no_object_gets_settings_from_being_read(run: Callable[[], object], answer: object) -> None:
    for name, x in checked_scene.PLACES.items():
        add(name, cube_mesh(), at=(x, 0.0, 0.0))
    bpy.ops.object.select_all(action="SELECT")
    assert run() == answer
    assert not any(ob.is_property_set(stored_settings.NAME) for ob in bpy.data.objects)


def test_the_list_shows_the_results(tmp_path: Path) -> None:
    checked_scene.build()
    check()
    assert through(tmp_path / "a.blend")
    assert len(bpy.context.window_manager.collision_kit.rows) == 3


def test_the_chosen_pair_is_drawn_again_unless_its_objects_have_changed(tmp_path: Path) -> None:
    checked_scene.build()
    check()
    assert ops.select_pair(row=1) == {"FINISHED"}
    before = on_screen()
    assert before is not None
    assert through(tmp_path / "a.blend")
    after = on_screen()
    assert after is not None and pair_overlay.shown_row() == 1
    assert list(map(str, after.labels)) == list(map(str, before.labels))
    np.testing.assert_allclose(after.lines, before.lines, atol=1e-6)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    results().show_overlay = False
    assert stored_results.restore(bpy.context)
    assert on_screen() is None and last_check.world is None, "nothing is read for it"
    results().show_overlay = True
    assert ops.select_pair(row=1) == {"FINISHED"}
    save(tmp_path / "a.blend")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    for ob in bpy.data.objects:
        ob.location.z += 0.25
    bpy.context.view_layer.update()
    # Nobody has restored the results in the meantime, as without the extension.
    save(tmp_path / "a.blend")
    assert open_again(tmp_path / "a.blend")
    assert on_screen() is None


def test_filters_order_and_the_chosen_pair_are_as_they_were(tmp_path: Path) -> None:
    for number in range(3):
        add_cube(f"Cube {number}", 1.5 * number)
    check()
    view = results().view
    view.text, view.order, view.reverse, view.touching, view.accepted, view.depth = (
        "cube",
        "NAME",
        True,
        False,
        True,
        0.1,
    )
    last_check.chosen = 1
    name = last_check.pair_name(found().pairs[1])
    assert through(tmp_path / "a.blend")
    view = results().view
    assert (view.text, view.order, view.reverse, view.touching, view.accepted) == ("cube", "NAME", True, False, True)
    assert view.depth == pytest.approx(0.1)
    assert last_check.pair_name(found().pairs[last_check.chosen]) == name


def test_a_crate_that_sank_since_the_file_was_saved_is_new(tmp_path: Path) -> None:
    add_cube("Floor", 0.0)
    add_cube("Crate", 2.0)
    check()
    assert through(tmp_path / "a.blend")
    bpy.data.objects["Crate"].location.x -= 0.05
    bpy.context.view_layer.update()
    check()
    assert results_rows.marks().new == {0}


def move(_path: Path) -> None:
    bpy.data.objects["First"].location.z += 0.01


def hide(_path: Path) -> None:
    bpy.data.objects["First"].hide_set(True)


def give_a_margin(_path: Path) -> None:
    bpy.data.objects["First"].collision_kit.margin = 0.125


def enlarge(_path: Path) -> None:
    bpy.data.objects["First"].empty_display_size = 1.25


def delete(_path: Path) -> None:
    bpy.data.objects.remove(bpy.data.objects["First"])


def rename(_path: Path) -> None:
    bpy.data.objects["First"].name = "Other"


@pytest.mark.parametrize("act", [move, hide, give_a_margin, enlarge, delete, rename])
def test_what_was_changed_elsewhere_is_old(act: Callable[[Path], None], tmp_path: Path) -> None:
    checked_scene.build()
    check()
    save(tmp_path / "a.blend")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    act(tmp_path)
    bpy.context.view_layer.update()
    # Nobody has restored the results in the meantime, as without the extension.
    save(tmp_path / "b.blend")
    assert open_again(tmp_path / "b.blend")
    assert change() is Change.SCENE
    assert stale() == {"First × Second": True, "Second × Third": False, "Fourth × Third": False}


def test_an_edited_mesh_and_a_turned_instance_are_old(tmp_path: Path) -> None:
    shelf = bpy.data.collections.new("Shelf")
    add("Book", cube_mesh(), collection=shelf)
    add_instance("Instance", shelf)
    add("Edited", cube_mesh(), at=(1.5, 0.0, 0.0))
    add("Left", cube_mesh(), at=(0.0, 1.5, 0.0))
    bpy.context.view_layer.update()
    check()
    names = set(stale())
    assert len(names) == 3
    assert through(tmp_path / "a.blend")
    assert stale() == dict.fromkeys(names, False)
    assert ops.select_pair(row=0) == {"FINISHED"}
    assert change() is None
    last_check.forget()
    bpy.data.objects["Edited"].data.vertices[0].co.x -= 0.001
    bpy.data.objects["Edited"].data.update()
    assert through(tmp_path / "b.blend")
    assert {name for name, old in stale().items() if old} == {name for name in names if "Edited" in name}
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    bpy.data.objects["Book"].data.vertices[0].co.x -= 0.001
    assert through(tmp_path / "c.blend")
    assert {name for name, old in stale().items() if old} == {name for name in names if "Book" in name}


def test_a_new_object_makes_the_check_old_and_no_pair(tmp_path: Path) -> None:
    checked_scene.build()
    check()
    save(tmp_path / "a.blend")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    add_cube("New", 50.0)
    assert through(tmp_path / "b.blend")
    assert change() is Change.SCENE
    assert not any(stale().values())


def test_what_was_old_when_it_was_saved_stays_old(tmp_path: Path) -> None:
    checked_scene.build()
    check()
    bpy.data.objects["First"].location.z = 0.5
    bpy.context.view_layer.update()
    assert through(tmp_path / "a.blend")
    assert change() is Change.SCENE
    assert stale() == {"First × Second": True, "Second × Third": False, "Fourth × Third": False}
    # Saved and opened once more, with nothing changed.
    assert through(tmp_path / "a.blend")
    assert stale() == {"First × Second": True, "Second × Third": False, "Fourth × Third": False}


def test_results_of_settings_that_were_changed_say_so(tmp_path: Path) -> None:
    checked_scene.build()
    check()
    bpy.context.scene.collision_kit.clearance = 0.125
    assert through(tmp_path / "a.blend")
    assert change() is Change.SETTINGS


def test_a_renamed_object_has_its_new_name(tmp_path: Path) -> None:
    checked_scene.build()
    check()
    bpy.data.objects["First"].name = "Renamed"
    bpy.context.view_layer.update()
    assert through(tmp_path / "a.blend")
    assert change() is None
    assert "Renamed × Second" in stale()


def test_after_undo_everything_holds_and_saving_does_not_undo(tmp_path: Path) -> None:
    checked_scene.build()
    bpy.ops.ed.undo_push(message="Built")
    check()
    bpy.data.objects["First"].location.z = 0.5
    bpy.ops.ed.undo_push(message="Moved")
    save(tmp_path / "a.blend")
    bpy.ops.ed.undo()
    assert found().pairs
    # Undo brings the scene back that had stored no results: they are stored again.
    save(tmp_path / "b.blend")
    for name, moved in (("a", True), ("b", False)):
        assert open_again(tmp_path / f"{name}.blend")
        assert stale()["First × Second"] == moved
    assert not any(stale().values())


def test_each_scene_has_its_own(tmp_path: Path) -> None:
    first = bpy.context.scene.name
    checked_scene.build()
    check()
    save(tmp_path / "a.blend")
    other = bpy.data.scenes.new("Other")
    bpy.context.window.scene = other
    add_cube("Here", 0.0)
    add_cube("There", 0.5)
    check()
    # The results are those of a scene that is not shown.
    bpy.context.window.scene = bpy.data.scenes[first]
    assert through(tmp_path / "b.blend")
    assert bpy.context.scene.name == first
    assert change() is None
    assert list(stale()) == ["First × Second", "Second × Third", "Fourth × Third"]
    bpy.context.window.scene = bpy.data.scenes["Other"]
    assert stored_results.restore(bpy.context)
    assert change() is None
    assert stale() == {"Here × There": False}


def test_a_copy_of_a_scene_has_none(tmp_path: Path) -> None:
    checked_scene.build()
    check()
    save(tmp_path / "a.blend")
    bpy.ops.scene.new(type="FULL_COPY")
    copy = bpy.context.scene.name
    assert not through(tmp_path / "b.blend")
    assert bpy.context.scene.name == copy
    assert last_check.report is None


@pytest.mark.parametrize("link", [True, False])
def test_a_scene_from_another_file(link: bool, tmp_path: Path) -> None:
    bpy.context.scene.name = "Level"
    checked_scene.build()
    check()
    save(tmp_path / "level.blend")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    # An object with the name and the place of one that comes.
    add_cube("First", 0.0)
    with bpy.data.libraries.load(str(tmp_path / "level.blend"), link=link) as (_, wanted):
        wanted.scenes = ["Level"]
    bpy.context.window.scene = bpy.data.scenes["Level"]
    save(tmp_path / "user.blend")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "user.blend"))
    if link:
        assert not stored_results.restore(bpy.context)
        return
    assert stored_results.restore(bpy.context)
    assert change() is Change.SCENE
    assert stale() == {"First × Second": True, "Second × Third": False, "Fourth × Third": False}


def test_results_in_a_plane(tmp_path: Path) -> None:
    planar_scene.flat_mesh("A", [planar_scene.L])
    planar_scene.flat_mesh("B", [planar_scene.SQUARE], location=(0.5, 0.5, 3.0))
    planar_scene.curve("C", [planar_scene.SQUARE], location=(2.0, -3.0, 0.0))
    bpy.context.scene.collision_kit.planar.dimension = "PLANE"
    bpy.context.scene.collision_kit.planar.plane = "XY"
    bpy.context.view_layer.update()
    check()
    before = found()
    assert len(before.pairs) >= 2
    assert through(tmp_path / "a.blend")
    assert_same(found(), before)
    assert change() is None
    assert ops.select_pair(row=0) == {"FINISHED"}
    assert on_screen() is not None
    assert change() is None


def test_self_collision(tmp_path: Path) -> None:
    places = [(0.0, 0.0, 0.0), (1.5, 0.0, 0.0), (10.0, 0.0, 0.0), (12.0, 0.0, 0.0)]
    points = [np.add(vertex, place) for place in places for vertex in CUBE_VERTICES]
    faces = [[8 * n + c for c in face] for n in range(len(places)) for face in CUBE_FACES]
    add("Gate", mesh(points, faces), rotation_euler=TURNED)
    add("Other", cube_mesh(), at=(0.0, 0.0, 1.5))
    bpy.context.scene.collision_kit.self_check = True
    bpy.context.view_layer.update()
    check()
    before = found()
    crossing = next(row for row, pair in enumerate(before.pairs) if pair.faces)
    assert len(before.pairs[crossing].contact_points)
    assert through(tmp_path / "a.blend")
    assert_same(found(), before)
    for row in range(len(before.pairs)):
        assert ops.select_pair(row=row) == {"FINISHED"}
        assert change() is None
    assert last_check.world is not None
    assert len(last_check.world) == len(found().shapes)


def test_results_of_live_mode_have_no_self_collision(tmp_path: Path) -> None:
    points = [np.add(vertex, (x, 0.0, 0.0)) for x in (0.0, 1.5) for vertex in CUBE_VERTICES]
    add("Gate", mesh(points, [[8 * n + c for c in face] for n in range(2) for face in CUBE_FACES]))
    add("Other", cube_mesh(), at=(0.0, 0.0, 1.5))
    bpy.context.scene.collision_kit.self_check = True
    live_scene.results().live = True
    live_scene.settle()
    before = found()
    assert [body.name for body in before.bodies] == ["Gate", "Other"]
    assert through(tmp_path / "a.blend")
    assert_same(found(), before)
    assert ops.select_pair(row=0) == {"FINISHED"}
    # A check of meshes against themselves has more shapes.
    assert change() is Change.SETTINGS
    bpy.context.scene.collision_kit.self_check = False
    assert change() is None


def test_a_saved_report_is_the_one_before(tmp_path: Path) -> None:
    for number in range(2):
        add(f"Box{number}", cube_mesh(), at=(1.2 * number, 0.0, 0.0))
    bpy.context.view_layer.update()
    save(tmp_path / "a.blend")
    check()
    assert ops.save_report(filepath=str(tmp_path / "before.txt")) == {"FINISHED"}
    assert "contacts" in (tmp_path / "before.txt").read_text()
    assert through(tmp_path / "a.blend")
    assert ops.save_report(filepath=str(tmp_path / "after.txt")) == {"FINISHED"}
    assert (tmp_path / "after.txt").read_text() == (tmp_path / "before.txt").read_text()


def test_what_is_read_as_another_shape_makes_everything_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked_scene.build()
    check()
    # Had a later version other digests of states, or other shapes.
    monkeypatch.setattr(object_states, "states", lambda _context, uids: dict.fromkeys(uids, "same"))
    save(tmp_path / "a.blend")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    bpy.data.objects["First"].collision_kit.shape = "SPHERE"
    bpy.context.view_layer.update()
    assert stored_results.restore(bpy.context)
    assert not any(stale().values())
    ops.select_pair(row=0)
    assert all(stale().values())
    assert last_check.world is None


def test_clear_removes_what_is_stored(tmp_path: Path) -> None:
    checked_scene.build()
    check()
    save(tmp_path / "a.blend")
    assert object_states.stored_results(bpy.context.scene)
    ops.clear_results()
    assert not through(tmp_path / "a.blend")
    assert not bpy.context.scene.collision_kit.is_property_set("results")
    assert not stored_results.problem()
    # A check after that is stored.
    check()
    ops.clear_results()
    check()
    assert through(tmp_path / "a.blend")


def test_a_preference_switches_it_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked_scene.build()
    check()
    save(tmp_path / "a.blend")
    monkeypatch.setattr(stored_results, "saves_results", lambda _context: False)
    save(tmp_path / "b.blend")
    assert last_check.report is not None
    assert not open_again(tmp_path / "b.blend")
    assert open_again(tmp_path / "a.blend")


def drawn_check() -> list[str]:
    """The texts of the panel."""
    panel = drawn(panels_check.COLLISION_KIT_PT_check, bpy.context)
    assert panel is not None
    return panel.texts


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[: len(data) // 2],
    "text": lambda _data: b"a text",
    "changed": lambda data: data[:40] + bytes([data[40] ^ 255]) + data[41:],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_results_are_ignored_with_one_message(
    damage: Callable[[bytes], bytes], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    checked_scene.build()
    check()
    save(tmp_path / "a.blend")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    scene = bpy.context.scene
    object_states.store_results(scene, damage(object_states.stored_results(scene)))
    save(tmp_path / "b.blend")
    with caplog.at_level(logging.WARNING):
        assert not open_again(tmp_path / "b.blend")
    assert last_check.report is None
    assert len(caplog.records) == 1
    assert "damaged" in stored_results.problem()
    assert "are damaged and were ignored" in " ".join(drawn_check())
    check()
    assert not stored_results.problem()
    assert through(tmp_path / "b.blend")


def test_every_byte_can_be_stored(tmp_path: Path) -> None:
    data = bytes(range(256)) + b"\0\0\1\1\2\2\0\1\2\1\0" + bytes(range(255, -1, -1))
    object_states.store_results(bpy.context.scene, data)
    save(tmp_path / "a.blend")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    assert object_states.stored_results(bpy.context.scene) == data


# In a Blender of its own, which knows nothing of the extension.
WITHOUT = """
import bpy, os, sys
path = sys.argv[1]
bpy.ops.wm.open_mainfile(filepath=path)
assert not hasattr(bpy.types.Scene, "collision_kit")
assert len(bpy.data.objects) == 4
bpy.data.objects["Fourth"].location.x += 0.125
bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
print("saved")
sys.stdout.flush()
os._exit(0)
"""


def test_the_file_opens_without_the_extension(tmp_path: Path) -> None:
    checked_scene.build()
    check()
    save(tmp_path / "a.blend")
    command = [sys.executable, "-c", WITHOUT, str(tmp_path / "a.blend")]
    result = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env={**os.environ, "PYTHONPATH": ""}
    )
    assert "saved" in result.stdout, result.stderr
    assert "rror" not in result.stdout + result.stderr
    assert open_again(tmp_path / "a.blend")
    assert stale() == {"First × Second": False, "Second × Third": False, "Fourth × Third": True}
