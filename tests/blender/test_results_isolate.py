# SPDX-License-Identifier: GPL-3.0-or-later
"""The chosen pair alone in the 3D view, and everything again, exactly as it was."""

import bpy
import pytest

from collision_kit.addon.scene.settings import check_settings
from collision_kit.addon.session import dependencies, isolation
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui.operators.results import COLLISION_KIT_OT_isolate_pair
from tests.helpers.blender import checked_scene
from tests.helpers.blender.checked_scene import add_cube, check
from tests.helpers.blender.results_scene import list_everything


@pytest.fixture(autouse=True)
def four_cubes(scene: bpy.types.Scene) -> None:
    checked_scene.build()
    list_everything()
    isolation.forget()


def space() -> bpy.types.SpaceView3D:
    areas = bpy.context.window_manager.windows[0].screen.areas
    found: bpy.types.SpaceView3D = next(area for area in areas if area.type == "VIEW_3D").spaces.active
    return found


def in_local_view() -> set[str] | None:
    """The objects that the 3D view shows; None: everything."""
    if space().local_view is None:
        return None
    depsgraph = bpy.context.evaluated_depsgraph_get()
    objects = bpy.context.view_layer.objects
    return {ob.name for ob in objects if ob.evaluated_get(depsgraph).local_view_get(space())}


def toggle() -> None:
    assert bpy.ops.collision_kit.isolate_pair() == {"FINISHED"}


def enter_local_view(*names: str) -> None:
    for ob in bpy.data.objects:
        ob.select_set(ob.name in names)
    area = next(a for a in bpy.context.window_manager.windows[0].screen.areas if a.type == "VIEW_3D")
    region = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(area=area, region=region):
        assert bpy.ops.view3d.localview(frame_selected=False) == {"FINISHED"}


def test_the_pair_alone_is_shown_and_then_everything() -> None:
    check()
    bpy.data.objects["Fourth"].select_set(True)
    toggle()
    assert in_local_view() == {"First", "Second"}
    assert isolation.is_on(bpy.context)
    assert {ob.name for ob in bpy.context.selected_objects} == {"Fourth"}, "the selection is not its business"
    toggle()
    assert in_local_view() is None
    assert not isolation.is_on(bpy.context)


def test_nothing_is_hidden_from_a_check() -> None:
    check()
    before = len(last_check.report.pairs)
    toggle()
    bpy.context.view_layer.update()
    assert all(ob.visible_get() for ob in bpy.data.objects)
    check()
    assert len(last_check.report.pairs) == before
    toggle()
    assert in_local_view() is None


def test_in_the_view_itself_a_check_stays_as_it_is_too() -> None:
    area = next(area for area in bpy.context.window_manager.windows[0].screen.areas if area.type == "VIEW_3D")
    region = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(area=area, region=region):
        check()
        before = len(last_check.report.pairs)
        toggle()
        bpy.context.view_layer.update()
        assert not bpy.data.objects["Fourth"].visible_get(), "Blender asks the view"
        dependencies.review(bpy.context)
        assert last_check.change_for(check_settings(bpy.context)) is None
        assert bpy.ops.collision_kit.next_result() == {"FINISHED"}
        assert in_local_view() == {"Second", "Third"}
        check()
        assert len(last_check.report.pairs) == before
        toggle()
        enter_local_view("Fourth")
        last_check.chosen = 0
        toggle()
        assert in_local_view() == {"First", "Second"}, "neither was in the local view"


def test_a_local_view_of_the_users_own_comes_back_with_what_is_new() -> None:
    check()
    enter_local_view("Second", "Fourth")
    toggle()
    assert in_local_view() == {"First", "Second"}
    add_cube("Later", 30.0).local_view_set(space(), True)
    toggle()
    assert in_local_view() == {"Second", "Fourth", "Later"}


def test_another_pair_takes_the_place_of_the_isolated_one() -> None:
    check()
    toggle()
    bpy.ops.collision_kit.next_result()
    assert in_local_view() == {"Second", "Third"}
    bpy.context.window_manager.collision_kit.active = 2
    assert in_local_view() == {"Third", "Fourth"}
    toggle()
    assert in_local_view() is None


def test_where_the_user_has_left_the_local_view_there_is_nothing_to_end() -> None:
    check()
    toggle()
    enter_local_view()  # Blender's command leaves it.
    assert in_local_view() is None
    assert not isolation.is_on(bpy.context)
    enter_local_view("Fourth")
    toggle()
    assert in_local_view() == {"First", "Second"}
    toggle()
    assert in_local_view() == {"Fourth"}, "that one was the user's"


def test_it_can_be_undone() -> None:
    # That Blender leaves a local view with the undo is seen in a window only.
    assert "UNDO" in COLLISION_KIT_OT_isolate_pair.bl_options


def test_instances_are_shown_with_what_makes_them_appear() -> None:
    collection = bpy.data.collections.new("Instanced")
    bpy.context.scene.collection.objects.unlink(bpy.data.objects["First"])
    collection.objects.link(bpy.data.objects["First"])
    host = bpy.data.objects.new("Host", None)
    host.instance_type, host.instance_collection = "COLLECTION", collection
    bpy.context.scene.collection.objects.link(host)
    bpy.context.view_layer.update()
    check()
    assert "Host/First × Second" in {last_check.pair_name(pair) for pair in last_check.report.pairs}
    toggle()
    assert in_local_view() == {"Host", "Second"}


def test_what_is_hidden_cannot_be_isolated() -> None:
    check()
    for name in ("First", "Second"):
        bpy.data.objects[name].hide_set(True)
    assert bpy.ops.collision_kit.isolate_pair() == {"CANCELLED"}
    assert in_local_view() is None


def test_without_a_chosen_pair_there_is_nothing_to_isolate() -> None:
    with pytest.raises(RuntimeError, match="run Check Collisions first"):
        bpy.ops.collision_kit.isolate_pair()
    check()
    last_check.chosen = -1
    with pytest.raises(RuntimeError, match="No active result: click one in the list"):
        bpy.ops.collision_kit.isolate_pair()
