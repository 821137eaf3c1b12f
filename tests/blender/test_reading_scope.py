# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects a scope means, and finding, selecting and framing them again."""

from types import SimpleNamespace

import bpy
import pytest

from collision_kit.addon.model.report import ObjectKey
from collision_kit.addon.scene.objects import selection as write
from collision_kit.addon.scene.scope import scope_objects
from tests.helpers.blender.bridge_scene import add, add_collection, add_instance, cube_mesh
from tests.helpers.blender.views import beside_axis, looks

pytestmark = pytest.mark.usefixtures("scene")


@pytest.fixture
def objects() -> SimpleNamespace:
    """Two props, a piece of level in a child collection, and something hidden."""
    props, level = add_collection("Props"), add_collection("Level")
    made = SimpleNamespace(
        a=add("A", cube_mesh(), collection=props),
        b=add("B", cube_mesh(), collection=props, at=(30, 0, 0)),
        wall=add("Wall", cube_mesh(), collection=add_collection("Walls", level)),
        hidden=add("Hidden", cube_mesh(), collection=props),
    )
    made.hidden.hide_set(True)
    bpy.context.view_layer.update()
    return made


def names(found: list[bpy.types.Object] | None) -> set[str] | None:
    return None if found is None else {ob.name for ob in found}


def scope(name: str, *collections: str) -> tuple[set[str] | None, set[str] | None]:
    selection = scope_objects(bpy.context, name, *collections)
    return names(selection.set_a), names(selection.set_b)


def test_scopes(objects: SimpleNamespace) -> None:
    objects.a.select_set(True)
    objects.wall.select_set(True)
    bpy.context.view_layer.objects.active = objects.wall
    assert scope("SELECTED") == ({"A", "Wall"}, None)
    assert scope("ACTIVE") == ({"Wall"}, {"A"})
    assert scope("VISIBLE") == ({"A", "B", "Wall"}, None)
    assert scope("ALL") == ({"A", "B", "Wall", "Hidden"}, None)
    assert scope("COLLECTION", "Level") == ({"Wall"}, None)
    assert scope("COLLECTIONS", "Props", "Level") == ({"A", "B", "Hidden"}, {"Wall"})


def test_the_active_object_need_not_be_selected(objects: SimpleNamespace) -> None:
    objects.a.select_set(True)
    bpy.context.view_layer.objects.active = objects.b
    assert scope("ACTIVE") == ({"B"}, {"A"})


def test_nothing_selected_is_an_empty_scope(objects: SimpleNamespace) -> None:
    assert scope("SELECTED") == (set(), None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ACTIVE",), "No active object"),
        (("COLLECTION", "Gone"), "no collection 'Gone'"),
        (("COLLECTIONS", "Props", "Gone"), "no collection 'Gone'"),
        (("COLLECTION",), "no collection ''"),
        (("EVERYTHING",), "no scope 'EVERYTHING'"),
    ],
)
def test_a_scope_that_means_nothing_is_an_error(objects: SimpleNamespace, arguments, message: str) -> None:
    bpy.context.view_layer.objects.active = None
    with pytest.raises(ValueError, match=message):
        scope_objects(bpy.context, *arguments)


def key(ob: bpy.types.Object) -> ObjectKey:
    return ObjectKey(ob.session_uid)


def selected() -> set[str]:
    return {ob.name for ob in bpy.context.view_layer.objects.selected}


def test_both_objects_of_a_pair_are_selected_and_nothing_else(objects: SimpleNamespace) -> None:
    objects.wall.select_set(True)
    assert write.select_pair(bpy.context, key(objects.b), key(objects.a)) == [objects.b, objects.a]
    assert selected() == {"A", "B"}
    assert bpy.context.view_layer.objects.active == objects.b


def test_an_object_is_found_after_a_rename_and_not_after_it_is_deleted(objects: SimpleNamespace) -> None:
    a, b = key(objects.a), key(objects.b)
    objects.a.name = "Renamed"
    assert write.select_pair(bpy.context, a, b) == [objects.a, objects.b]
    bpy.data.objects.remove(objects.a)
    assert write.select_pair(bpy.context, a, b) == [objects.b]
    assert selected() == {"B"}


def test_undo_does_not_lose_the_objects(objects: SimpleNamespace) -> None:
    a, b = key(objects.a), key(objects.b)
    bpy.ops.ed.undo_push(message="before")
    objects.a.location.x = 5.0
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    assert [ob.name for ob in write.select_pair(bpy.context, a, b)] == ["A", "B"]


def test_when_everything_is_gone_the_selection_stays(objects: SimpleNamespace) -> None:
    objects.wall.select_set(True)
    gone = key(objects.a)
    bpy.data.objects.remove(objects.a)
    assert write.select_pair(bpy.context, gone, key(objects.hidden)) == []
    assert selected() == {"Wall"}


def test_after_a_file_is_loaded_nothing_wrong_is_selected(objects: SimpleNamespace) -> None:
    a, b = key(objects.a), key(objects.b)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    add("Innocent", cube_mesh())
    assert write.select_pair(bpy.context, a, b) == []


def test_of_an_instance_its_instancer_is_selected(objects: SimpleNamespace) -> None:
    host = add_instance("Pile", bpy.data.collections["Props"])
    bpy.context.view_layer.update()
    inside = ObjectKey(objects.a.session_uid, host.session_uid, (0,))
    assert write.select_objects(bpy.context, [inside, inside]) == [host]


def test_in_edit_mode_the_active_object_stays(objects: SimpleNamespace) -> None:
    bpy.context.view_layer.objects.active = objects.wall
    objects.wall.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        write.select_pair(bpy.context, key(objects.a), key(objects.b))
        write.frame_selected(bpy.context)
        assert bpy.context.view_layer.objects.active == objects.wall
        assert bpy.context.mode == "EDIT_MESH"
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")


def test_framing_brings_the_selection_into_the_middle_of_a_3d_view(objects: SimpleNamespace) -> None:
    views = looks()
    assert views
    write.select_pair(bpy.context, key(objects.b), key(objects.b))
    assert write.frame_selected(bpy.context)
    framed = [view for view in views if beside_axis(view, (30.0, 0.0, 0.0)) < 0.1]
    assert framed
    # Farther away than Blender frames it: there is room for what is drawn around it.
    distance = max(view.view_distance for view in framed)
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D" and area.spaces.active.region_3d in framed:
                region = next(region for region in area.regions if region.type == "WINDOW")
                with bpy.context.temp_override(window=window, area=area, region=region):
                    bpy.ops.view3d.view_selected()
    assert max(view.view_distance for view in framed) < 0.8 * distance


def test_without_a_3d_view_nothing_is_framed() -> None:
    nowhere = SimpleNamespace(
        window=None, area=None, scene=bpy.context.scene, window_manager=SimpleNamespace(windows=[])
    )
    assert write.frame_selected(nowhere) is False
