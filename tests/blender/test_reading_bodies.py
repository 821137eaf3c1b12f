# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects make one body and stand for others, which are skipped and why, and which a scope brings along."""

import bpy
import pytest

from collision_kit.addon.model.report import ObjectKey
from tests.helpers.blender.bridge_scene import (
    add,
    add_collection,
    add_instance,
    body_names,
    cube_mesh,
    issue_ids,
    l_mesh,
    read,
    rigid_body,
    skipped,
)

pytestmark = pytest.mark.usefixtures("scene")


def crate(name: str = "Crate", colliders: tuple[str, ...] = ("UBX_Crate_01", "UBX_Crate_02")) -> bpy.types.Object:
    """A render mesh that is not convex, so that it would show if it were tested, and its colliders."""
    ob = add(name, l_mesh())
    for collider in colliders:
        add(collider, cube_mesh())
    return ob


# --- colliders


def test_colliders_stand_for_their_render_mesh() -> None:
    ob = crate()
    add("Rock", l_mesh())
    add("UCX_Rock", cube_mesh())
    shapes = read()
    assert body_names(shapes) == {"Crate": ["UBX_Crate_01", "UBX_Crate_02"], "Rock": ["UCX_Rock"]}
    body = shapes.bodies[0]
    assert body.key == ObjectKey(ob.session_uid)
    assert set(body.members) == {ObjectKey(bpy.data.objects[n].session_uid) for n in ("UBX_Crate_01", "UBX_Crate_02")}
    assert list(shapes.body) == [shape.body for shape in shapes.shapes]
    assert not shapes.issues and not shapes.skipped


def test_a_collider_without_a_render_mesh_is_a_body_of_its_own_and_says_so() -> None:
    add("UBX_House", cube_mesh())
    add("UBX__Mesh", cube_mesh())
    add("Mesh", cube_mesh())
    shapes = read()
    assert set(body_names(shapes)) == {"UBX_House", "UBX__Mesh", "Mesh"}
    assert issue_ids(shapes, "UBX_House") == issue_ids(shapes, "UBX__Mesh") == ["orphan-collider"]
    assert '"House"' in shapes.issues[0].message or '"House"' in shapes.issues[1].message


def test_the_parent_is_the_render_mesh_where_no_name_fits() -> None:
    house = add("House", l_mesh())
    add("UBX_Wall", cube_mesh(), parent=house)
    add("UBX_Roof", cube_mesh(), parent=bpy.data.objects["UBX_Wall"])
    handle = add("Handle", parent=house)
    add("UBX_Lost", cube_mesh(), parent=handle)
    shapes = read()
    assert body_names(shapes)["House"] == ["UBX_Roof", "UBX_Wall"]
    assert issue_ids(shapes, "UBX_Lost") == ["orphan-collider"], "an empty is no render mesh"


def test_duplicated_crates_keep_their_own_colliders() -> None:
    crate()
    for name in ("Crate.001", "UBX_Crate_01.001", "UBX_Crate_02.001"):
        add(name, l_mesh() if name.startswith("C") else cube_mesh())
    assert body_names(read()) == {
        "Crate": ["UBX_Crate_01", "UBX_Crate_02"],
        "Crate.001": ["UBX_Crate_01.001", "UBX_Crate_02.001"],
    }


def test_a_collider_set_to_nothing_stands_for_nothing() -> None:
    crate(colliders=("UBX_Crate",))
    bpy.data.objects["UBX_Crate"].collision_kit.shape = "NONE"
    shapes = read()
    assert body_names(shapes) == {"Crate": ["Crate"]}
    assert list(skipped(shapes)) == ["UBX_Crate"]


def test_a_trigger_stands_for_nothing_whatever_its_name() -> None:
    crate(colliders=("UBX_Crate_01", "UBX_Crate_02"))
    for name, left in (("UBX_Crate_01", ["UBX_Crate_02"]), ("UBX_Crate_02", ["Crate"])):
        bpy.data.objects[name].collision_kit.collider.trigger = True
        shapes = read()
        assert body_names(shapes) == {"Crate": left}
        assert skipped(shapes)[name] == "Triggers do not block anything."
        assert not shapes.issues


def test_a_trigger_without_a_render_mesh_is_not_missed() -> None:
    add("UBX_Nothing", cube_mesh()).collision_kit.collider.trigger = True
    shapes = read()
    assert not shapes.bodies and not shapes.issues


def test_a_render_mesh_with_a_setting_of_its_own_is_tested_along_with_its_colliders() -> None:
    ob = crate(colliders=("UBX_Crate",))
    ob.collision_kit.shape = "SPHERE"
    assert body_names(read()) == {"Crate": ["Crate", "UBX_Crate"]}


def test_colliders_that_cannot_be_tested_leave_their_render_mesh_skipped() -> None:
    crate(colliders=("UBX_Crate",))
    bpy.data.objects["UBX_Crate"].location.x = float("nan")
    shapes = read()
    assert not shapes.bodies
    assert skipped(shapes)["Crate"] == "None of the colliders could be tested."
    assert issue_ids(shapes, "UBX_Crate") == ["non-finite"]


def test_colliders_in_a_collection_instance_stand_for_their_render_mesh_there() -> None:
    collection = add_collection("Asset", False)
    for name, data in (("Crate", l_mesh()), ("UBX_Crate_01", cube_mesh()), ("UBX_Crate_02", cube_mesh())):
        add(name, data, collection=collection)
    add_instance("A", collection)
    add_instance("B", collection, at=(5, 0, 0))
    shapes = read()
    assert body_names(shapes) == {
        "A/Crate": ["A/UBX_Crate_01", "A/UBX_Crate_02"],
        "B/Crate": ["B/UBX_Crate_01", "B/UBX_Crate_02"],
    }
    assert not shapes.issues


def test_a_collider_in_the_scene_does_not_stand_for_a_mesh_in_an_instance() -> None:
    collection = add_collection("Asset", False)
    add("Crate", l_mesh(), collection=collection)
    add_instance("A", collection)
    add("UBX_Crate", cube_mesh())
    shapes = read()
    assert set(body_names(shapes)) == {"A/Crate", "UBX_Crate"}
    assert issue_ids(shapes, "UBX_Crate") == ["orphan-collider"]


# --- hidden


def test_hidden_objects_are_skipped_with_the_reason() -> None:
    for name in ("Disabled", "Hidden", "Shown"):
        add(name, cube_mesh())
    bpy.data.objects["Disabled"].hide_viewport = True
    bpy.data.objects["Hidden"].hide_set(True)
    bpy.data.objects["Shown"].hide_render = True
    off = {name: add_collection(name) for name in ("Excluded", "Eye", "Screen")}
    for name, collection in off.items():
        add(f"In {name}", cube_mesh(), collection=collection)
    layers = bpy.context.view_layer.layer_collection.children
    layers["Excluded"].exclude = True
    layers["Eye"].hide_viewport = True
    off["Screen"].hide_viewport = True
    shapes = read()
    assert [shape.object for shape in shapes.shapes] == ["Shown"]
    assert skipped(shapes) == {
        "Disabled": "Disabled in viewports.",
        "Hidden": "Hidden in the viewport.",
        "In Excluded": 'Not in view layer "ViewLayer": the collection is excluded or not in the scene.',
        "In Eye": "In a hidden collection.",
        "In Screen": "In a hidden collection.",
    }
    assert read(include_hidden_as_skipped=False).skipped == ()


def test_a_particle_emitter_that_is_not_shown_is_not_tested_but_its_particles_are() -> None:
    emitter = add("Emitter", cube_mesh())
    emitter.show_instancer_for_viewport = False
    emitter.modifiers.new("Particles", "PARTICLE_SYSTEM")
    settings = emitter.particle_systems[0].settings
    settings.count, settings.frame_start, settings.frame_end, settings.physics_type = 3, -1, 0, "NO"
    settings.render_type, settings.instance_object = "OBJECT", add("Rock", cube_mesh(), at=(0, 0, 9))
    bpy.context.scene.frame_set(2)
    shapes = read([emitter])
    assert sorted(body_names(shapes)) == ["Emitter/Rock[1]", "Emitter/Rock[2]", "Emitter/Rock[3]"]
    assert not shapes.skipped


def test_what_a_hidden_object_instances_is_hidden_with_it() -> None:
    collection = add_collection("Asset", False)
    add("Crate", cube_mesh(), collection=collection)
    eye = add_collection("Eye")
    add_instance("Pile", collection, collection=eye)
    bpy.context.view_layer.layer_collection.children["Eye"].hide_viewport = True
    shapes = read()
    assert not shapes.bodies
    assert skipped(shapes) == {"Pile": "In a hidden collection."}


def test_a_render_mesh_whose_colliders_are_all_hidden_is_tested_itself_and_says_so() -> None:
    crate()
    for name in ("UBX_Crate_01", "UBX_Crate_02"):
        bpy.data.objects[name].hide_set(True)
    shapes = read()
    assert body_names(shapes) == {"Crate": ["Crate"]}
    assert issue_ids(shapes, "Crate") == ["hidden-colliders"]
    assert set(skipped(shapes)) == {"UBX_Crate_01", "UBX_Crate_02"}


def test_the_colliders_that_can_be_seen_stand_for_it_alone_and_that_is_said() -> None:
    crate()
    bpy.data.objects["UBX_Crate_02"].hide_set(True)
    shapes = read()
    assert body_names(shapes) == {"Crate": ["UBX_Crate_01"]}
    assert issue_ids(shapes, "Crate") == ["hidden-colliders"]
    assert "1 of 2 colliders is hidden" in shapes.issues[0].message


def test_a_hidden_render_mesh_still_names_the_body_of_its_colliders() -> None:
    ob = crate()
    ob.hide_set(True)
    shapes = read()
    assert body_names(shapes) == {"Crate": ["UBX_Crate_01", "UBX_Crate_02"]}
    assert shapes.bodies[0].key == ObjectKey(ob.session_uid)
    assert not shapes.skipped, "its colliders stand for it"
    assert not shapes.issues


def test_colliders_hidden_inside_an_instanced_collection_are_reported() -> None:
    collection = add_collection("Asset", False)
    add("Crate", cube_mesh(), collection=collection)
    add("UBX_Crate", cube_mesh(), collection=collection, hide_viewport=True)
    add_instance("A", collection)
    shapes = read()
    assert body_names(shapes) == {"A/Crate": ["A/Crate"]}
    assert issue_ids(shapes, "A/Crate") == ["hidden-colliders"]
    assert skipped(shapes) == {"A/UBX_Crate": 'Disabled in viewports in the instanced collection "Asset".'}


# --- compound rigid bodies


def test_a_compound_and_its_children_are_one_body() -> None:
    truck = rigid_body(add("Truck", l_mesh()), "COMPOUND")
    rigid_body(add("Cab", cube_mesh(), parent=truck), "BOX")
    bed = rigid_body(add("Bed", l_mesh(), parent=truck), "COMPOUND")
    rigid_body(add("Plank", cube_mesh(), parent=bed), "CONVEX_HULL")
    add("Passenger", cube_mesh(), parent=truck)
    rigid_body(add("Stone", cube_mesh()), "BOX")
    shapes = read()
    assert body_names(shapes) == {
        "Truck": ["Cab", "Plank"],
        "Passenger": ["Passenger"],
        "Stone": ["Stone"],
    }
    assert not shapes.skipped and not shapes.issues


def test_a_compound_without_children_has_no_shape() -> None:
    rigid_body(add("Truck", l_mesh()), "COMPOUND")
    shapes = read()
    assert "without a child" in skipped(shapes)["Truck"]


def test_children_of_any_other_rigid_body_are_bodies_of_their_own() -> None:
    truck = rigid_body(add("Truck", cube_mesh()), "BOX")
    rigid_body(add("Cab", cube_mesh(), parent=truck), "BOX")
    assert set(body_names(read())) == {"Truck", "Cab"}


def test_a_collider_of_a_compounds_child_belongs_to_the_compound() -> None:
    truck = rigid_body(add("Truck", l_mesh()), "COMPOUND")
    rigid_body(add("Cab", l_mesh(), parent=truck), "MESH")
    add("UBX_Cab", cube_mesh())
    assert body_names(read()) == {"Truck": ["UBX_Cab"]}


def test_objects_that_belong_to_each_other_in_a_circle_are_one_body() -> None:
    collider = rigid_body(add("UBX_Crate", cube_mesh()), "COMPOUND")
    rigid_body(add("Crate", cube_mesh(), parent=collider), "BOX")
    collider.collision_kit.shape = "BOX"
    shapes = read()
    assert body_names(shapes) in ({"Crate": ["UBX_Crate"]}, {"UBX_Crate": ["UBX_Crate"]})
    assert not shapes.skipped


# --- scope


def test_only_the_scope_is_read() -> None:
    crate()
    rock = add("Rock", cube_mesh())
    add("Far", cube_mesh())
    assert body_names(read([rock])) == {"Rock": ["Rock"]}
    assert read([]).bodies == ()


def test_a_render_mesh_brings_its_colliders_along() -> None:
    ob = crate()
    assert body_names(read([ob])) == {"Crate": ["UBX_Crate_01", "UBX_Crate_02"]}


def test_a_collider_alone_is_tested_alone_under_the_name_of_its_render_mesh() -> None:
    crate()
    assert body_names(read([bpy.data.objects["UBX_Crate_02"]])) == {"Crate": ["UBX_Crate_02"]}


def test_a_compound_brings_its_children_along() -> None:
    truck = rigid_body(add("Truck", l_mesh()), "COMPOUND")
    rigid_body(add("Cab", cube_mesh(), parent=truck), "BOX")
    assert body_names(read([truck])) == {"Truck": ["Cab"]}


def test_an_instancer_brings_its_instances_and_the_instanced_objects_do_not_bring_it() -> None:
    collection = add_collection("Asset")
    ob = add("Crate", cube_mesh(), collection=collection)
    host = add_instance("Pile", collection)
    assert list(body_names(read([host]))) == ["Pile/Crate"]
    assert list(body_names(read([ob]))) == ["Crate"]


def test_every_object_of_the_scope_is_accounted_for() -> None:
    """Tested, or stood for by something tested, or skipped with a reason; but for helpers, which have no surface."""
    crate()
    add("Alone", cube_mesh())
    add("Gone", cube_mesh()).hide_set(True)
    add("Axes")
    add("Light", bpy.data.lights.new("light", "SUN"))
    add("Nothing", bpy.data.meshes.new("nothing"))
    rigid_body(add("Cab", cube_mesh(), parent=rigid_body(add("Truck", l_mesh()), "COMPOUND")), "BOX")
    collection = add_collection("Asset", False)
    add("Inside", cube_mesh(), collection=collection)
    add_instance("Pile", collection)
    shapes = read()
    tested = {shape.object for shape in shapes.shapes} | {body.name for body in shapes.bodies}
    stood_for = {"Pile"} if "Pile/Inside" in tested else set()
    assert not tested & set(skipped(shapes))
    assert {ob.name for ob in bpy.context.scene.objects} <= tested | stood_for | {"Axes", "Light"} | set(
        skipped(shapes)
    )
    assert set(skipped(shapes)) == {"Gone", "Nothing"}
