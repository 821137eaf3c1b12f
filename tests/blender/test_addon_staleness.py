# SPDX-License-Identifier: GPL-3.0-or-later
"""Results survive whatever happens to the scene: they are current, marked as stale, or gone; never wrong."""

from collections.abc import Callable
from pathlib import Path

import bpy
import pytest

from collision_kit.addon.scene import events
from collision_kit.addon.scene import settings as stored
from collision_kit.addon.session import dependencies
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.session.latest import Change
from collision_kit.addon.viewport import pair as pair_overlay
from tests.helpers.blender import checked_scene
from tests.helpers.blender.checked_scene import add_cube, check
from tests.helpers.blender.on_screen import on_screen


@pytest.fixture(autouse=True)
def checked(scene: bpy.types.Scene) -> None:
    checked_scene.build()
    check()


def cube(name: str) -> bpy.types.Object:
    return bpy.data.objects[name]


def change() -> Change | None:
    """The text that the panel would have, once Blender has caught up."""
    bpy.context.view_layer.update()
    dependencies.review(bpy.context)
    return last_check.change_for(stored.check_settings(bpy.context))


def stale() -> list[bool]:
    assert last_check.report is not None
    return [last_check.pair_is_stale(pair) for pair in last_check.report.pairs]


def is_drawn() -> bool:
    return on_screen() is not None


def test_a_fresh_check_is_current_and_its_worst_pair_is_drawn() -> None:
    assert change() is None
    assert stale() == [False, False, False]
    assert pair_overlay.shown_row() == 0
    assert is_drawn()


def test_selecting_and_activating_change_nothing() -> None:
    bpy.ops.collision_kit.select_pair(row=2)
    bpy.context.view_layer.objects.active = cube("Second")
    bpy.ops.object.select_all(action="SELECT")
    assert change() is None
    assert stale() == [False, False, False]
    assert is_drawn()


def test_a_moved_object_makes_its_own_pairs_stale() -> None:
    cube("Third").location.z = 0.1
    assert change() is Change.SCENE
    assert stale() == [False, True, True]
    assert is_drawn(), "the pair that is drawn has not moved"


def test_what_is_drawn_disappears_when_its_object_moves() -> None:
    cube("First").location.z = 0.1
    assert change() is Change.SCENE
    assert stale() == [True, False, False]
    assert not is_drawn()
    pair_overlay.show(bpy.context, 0)
    assert not is_drawn(), "a stale pair is not drawn again"
    bpy.ops.collision_kit.select_pair(row=1)
    assert is_drawn()


def test_a_moved_parent_moves_its_children() -> None:
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    cube("Fourth").parent = parent
    check()
    parent.location.y = 1.0
    assert change() is Change.SCENE
    assert stale() == [False, False, True]


def test_an_edited_mesh_is_a_change() -> None:
    mesh = bpy.data.meshes.new("Tetrahedron")
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    mesh.from_pydata(corners, [], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Meshed", mesh))
    check()
    assert change() is None
    mesh.vertices[1].co.x = 3.0
    mesh.update()
    assert change() is Change.SCENE


def test_a_moved_object_that_was_not_tested_is_none() -> None:
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    bpy.context.scene.collection.objects.link(lamp)
    check()
    lamp.location.x = 1.0
    assert change() is None


def test_a_renamed_object_goes_by_its_new_name() -> None:
    cube("First").name = "Primus"
    assert change() is None
    assert last_check.report is not None
    assert last_check.pair_name(last_check.report.pairs[0]) == "Primus × Second"


def test_a_name_that_makes_a_collider_of_an_object_is_a_change() -> None:
    mesh = bpy.data.meshes.new("Mesh")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    for name in ("Rock", "Proxy"):
        bpy.context.scene.collection.objects.link(bpy.data.objects.new(name, mesh))
    check()
    assert change() is None
    cube("Proxy").name = "UCX_Rock"
    assert change() is Change.SCENE
    assert last_check.report is not None
    touched = [pair for pair in last_check.report.pairs if "Rock" in last_check.pair_name(pair)]
    assert touched
    assert all(last_check.pair_is_stale(pair) for pair in touched)


def test_a_deleted_object_leaves_its_name_and_an_explanation() -> None:
    bpy.data.objects.remove(cube("First"))
    assert change() is Change.SCENE
    assert stale() == [True, False, False]
    assert last_check.report is not None
    assert last_check.pair_name(last_check.report.pairs[0]) == "First × Second"
    assert [last_check.body_is_gone(body) for body in last_check.bodies_of(last_check.report.pairs[0])] == [True, False]
    assert not is_drawn()
    assert bpy.ops.collision_kit.select_pair(row=0) == {"CANCELLED"}
    assert bpy.ops.collision_kit.select_pair(row=1) == {"FINISHED"}


def test_everything_may_be_deleted() -> None:
    for ob in list(bpy.data.objects):
        bpy.data.objects.remove(ob)
    assert change() is Change.SCENE
    assert stale() == [True, True, True]
    assert bpy.ops.collision_kit.select_checked() == {"CANCELLED"}


@pytest.mark.parametrize("hide", ["hide_set", "hide_viewport", "collection", "unlink"])
def test_a_hidden_object_is_a_change(hide: str) -> None:
    ob = cube("First")
    if hide == "hide_set":
        ob.hide_set(True)
    elif hide == "hide_viewport":
        ob.hide_viewport = True
    elif hide == "unlink":
        bpy.context.scene.collection.objects.unlink(ob)
    else:
        collection = bpy.data.collections.new("Hidden")
        collection.hide_viewport = True
        bpy.context.scene.collection.children.link(collection)
        collection.objects.link(ob)
        bpy.context.scene.collection.objects.unlink(ob)
    assert change() is Change.SCENE
    assert stale() == [True, False, False]
    assert not is_drawn()


@pytest.mark.parametrize("scope", ["ALL", "SELECTED"])
def test_a_hidden_object_is_a_change_in_every_scope(scope: str) -> None:
    bpy.context.scene.collision_kit.scope = scope
    bpy.ops.object.select_all(action="SELECT")
    check()
    bpy.ops.object.select_all(action="DESELECT")
    assert change() is None
    cube("First").hide_set(True)
    assert change() is Change.SCENE
    assert stale() == [True, False, False]


def test_a_deleted_object_that_was_only_instanced_is_gone() -> None:
    collection = bpy.data.collections.new("Instanced")
    sources = [bpy.data.objects.new(name, None) for name in ("Inner", "Outer")]
    for source in sources:
        source.empty_display_type = "CUBE"
        source.collision_kit.shape = "BOX"
        collection.objects.link(source)
    host = add_cube("Host", 100.0)
    host.instance_type, host.instance_collection = "COLLECTION", collection
    check()
    assert last_check.report is not None
    row = next(
        row
        for row, pair in enumerate(last_check.report.pairs)
        if last_check.pair_name(pair) == "Host/Inner × Host/Outer"
    )
    bpy.data.objects.remove(sources[0])
    assert change() is Change.SCENE
    pair = last_check.report.pairs[row]
    assert last_check.pair_is_stale(pair)
    assert [last_check.body_is_gone(body) for body in last_check.bodies_of(pair)] == [True, False]


def test_a_new_object_in_the_scope_is_a_change_of_no_listed_pair() -> None:
    add_cube("Fifth", 20.0)
    assert change() is Change.SCENE
    assert stale() == [False, False, False]


def test_another_shape_is_a_change_at_once() -> None:
    assert change() is None
    cube("Second").collision_kit.shape = "SPHERE"
    assert stale() == [True, True, False]
    assert not is_drawn()


def test_another_shape_of_a_rigid_body_is_a_change() -> None:
    mesh = bpy.data.meshes.new("Tetrahedron")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    ob = bpy.data.objects.new("Body", mesh)
    bpy.context.scene.collection.objects.link(ob)
    with bpy.context.temp_override(object=ob, active_object=ob, selected_objects=[ob]):
        bpy.ops.rigidbody.object_add(type="PASSIVE")
    check()
    assert change() is None
    ob.rigid_body.collision_shape = "SPHERE"
    assert change() is Change.SCENE


def test_settings_that_change_and_change_back() -> None:
    settings = bpy.context.scene.collision_kit
    settings.clearance = 0.7
    assert change() is Change.SETTINGS
    assert stale() == [False, False, False]
    settings.clearance = 0.5
    assert change() is None
    settings.touching_mode = "MANUAL"
    assert change() is Change.SETTINGS


def test_another_frame_makes_stale_what_moves() -> None:
    cube("Fourth").keyframe_insert("location", frame=1)
    cube("Fourth").location.x = 9.0
    cube("Fourth").keyframe_insert("location", frame=11)
    bpy.context.scene.frame_set(1)
    check()
    assert change() is None
    bpy.context.scene.frame_set(6)
    assert change() is Change.SCENE
    assert stale() == [False, False, True]
    bpy.context.scene.frame_set(1)
    assert stale() == [False, False, True], "a simulation may not come back to where it was"


def test_another_frame_of_a_scene_that_stands_still_changes_nothing() -> None:
    bpy.context.scene.frame_set(7)
    assert change() is None


@pytest.mark.parametrize("to", [1, 7])
def test_a_script_that_moves_and_then_sets_the_frame_is_not_missed(to: int) -> None:
    cube("First").location.z = 5.0
    bpy.context.scene.frame_set(to)  # evaluates it without the handler for updates being called
    assert stale() == [True, False, False]
    assert not is_drawn()


def test_undo_and_redo_make_everything_stale_until_what_has_changed_is_tested_again() -> None:
    bpy.ops.ed.undo_push(message="Checked")
    cube("First").location.z = 5.0
    bpy.ops.ed.undo_push(message="Moved")
    check()
    assert change() is None
    assert bpy.ops.ed.undo() == {"FINISHED"}
    assert last_check.change_for(stored.check_settings(bpy.context)) is Change.UNDO
    assert all(stale())
    assert last_check.report is not None
    assert last_check.pair_name(last_check.report.pairs[0]) == "Second × Third"
    assert change() is None, "a look at the scene tests First again"
    assert not any(stale())
    assert last_check.pair_name(last_check.report.pairs[0]) == "First × Second"
    assert bpy.ops.ed.redo() == {"FINISHED"}
    assert all(stale())
    assert change() is None
    assert last_check.pair_name(last_check.report.pairs[0]) == "Second × Third"


def test_undo_of_what_cannot_be_kept_up_to_date_makes_everything_stale() -> None:
    bpy.context.scene.collision_kit.planar.dimension = "PLANE"
    check()
    bpy.ops.ed.undo_push(message="Checked")
    cube("First").location.z = 5.0
    bpy.ops.ed.undo_push(message="Moved")
    assert bpy.ops.ed.undo() == {"FINISHED"}
    assert change() is Change.UNDO
    assert all(stale())
    assert not is_drawn()


def test_the_rows_outlive_undo() -> None:
    bpy.ops.ed.undo_push(message="One")
    cube("Fourth").location.z = 5.0
    bpy.ops.ed.undo_push(message="Two")
    check()
    rows = len(bpy.context.window_manager.collision_kit.rows)
    assert rows == 2
    bpy.ops.ed.undo()
    assert len(bpy.context.window_manager.collision_kit.rows) == rows
    assert last_check.report is not None


def test_an_undone_deletion_brings_the_object_back_under_its_name() -> None:
    bpy.ops.ed.undo_push(message="Checked")
    bpy.data.objects.remove(cube("First"))
    bpy.ops.ed.undo_push(message="Deleted")
    assert change() is Change.SCENE
    bpy.ops.ed.undo()
    assert change() is None
    assert last_check.report is not None
    assert not any(last_check.body_is_gone(body) for body in last_check.report.bodies)
    assert bpy.ops.collision_kit.select_pair(row=0) == {"FINISHED"}


def reload(path: Path) -> None:
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))


def new_file(_path: Path) -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


@pytest.mark.parametrize("load", [reload, new_file])
def test_another_file_forgets_the_results(load: Callable[[Path], None], tmp_path: Path) -> None:
    load(tmp_path / "scene.blend")
    assert last_check.report is None
    assert not bpy.context.window_manager.collision_kit.rows
    assert not is_drawn()
    assert change() is None
    assert len(bpy.app.handlers.load_post) >= 1, "the handlers outlive the load"


def test_after_loading_a_file_the_watch_goes_on(tmp_path: Path) -> None:
    reload(tmp_path / "scene.blend")
    check()
    assert change() is None
    cube("First").location.z = 5.0
    assert change() is Change.SCENE


def test_saving_changes_nothing(tmp_path: Path) -> None:
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    assert change() is None


def test_the_results_of_one_scene_are_not_those_of_another() -> None:
    other = bpy.data.scenes.new("Other")
    bpy.context.window.scene = other
    assert events.place(bpy.context) != last_check.place
    assert not bpy.ops.collision_kit.select_pair.poll()
    assert last_check.report is not None


def test_results_do_not_keep_what_blender_owns() -> None:
    """Results must be plain data: references to objects dangle after undo."""

    def owned(value: object, depth: int = 0) -> bool:
        if isinstance(value, bpy.types.bpy_struct):
            return True
        if depth > 8 or isinstance(value, (str, bytes, int, float)):
            return False
        if isinstance(value, dict):
            return any(owned(part, depth + 1) for item in value.items() for part in item)
        if isinstance(value, (list, tuple, set, frozenset)):
            return any(owned(part, depth + 1) for part in value)
        return any(owned(part, depth + 1) for part in getattr(value, "__dict__", {}).values())

    assert not owned(last_check)


def test_dragging_and_playing_ask_for_no_look_at_the_whole_scene() -> None:
    cube("Fourth").keyframe_insert("location", frame=1)
    check()
    assert change() is None
    cube("First").location.z = 1.0
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(5)
    assert stale() == [True, False, True]
    assert not last_check.suspect


@pytest.mark.parametrize("animation", [False, True])
def test_rendering_changes_nothing(animation: bool, tmp_path: Path) -> None:
    scene = bpy.context.scene
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.render.resolution_x = scene.render.resolution_y = 16
    scene.render.filepath = str(tmp_path / "frame")
    scene.frame_end = 2
    check()
    bpy.ops.render.render(animation=animation)
    assert change() is None
