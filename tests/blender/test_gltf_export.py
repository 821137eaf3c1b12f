# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders are written as glTF's physics extensions have them, and come back as what they were.

Everything goes through Blenders of their own: the glTF exporter of 4.2 crashes in long sessions.
"""

import itertools
from pathlib import Path

import bpy
import numpy as np
import pytest

import collision_kit
from collision_kit import api
from collision_kit.addon.ui.panels import gltf as panels_gltf
from collision_kit.core.shapes import Boxes, Capsules, Cylinders, Hulls, Meshes, Spheres
from tests.helpers.blender.bridge_scene import (
    add,
    add_collection,
    add_instance,
    cube_mesh,
    l_mesh,
    rigid_body,
    with_setting,
)
from tests.helpers.blender.colliders_scene import PLACES, build, make, select
from tests.helpers.blender.gltf_scene import actual, apart, expected
from tests.helpers.blender.gltf_trip import Trip, assert_valid

pytestmark = pytest.mark.usefixtures("scene")

if not (hasattr(bpy.types, "EXPORT_SCENE_OT_gltf") and hasattr(bpy.types, "IMPORT_SCENE_OT_gltf")):
    pytest.skip("this Blender has no glTF exporter", allow_module_level=True)

ROUNDING = 1e-6


def assert_same(found: object, given: object) -> None:
    """Kind, place and size are the same to a millionth."""
    (kind, points, radius), (other, at, width) = actual(found), actual(given)
    assert kind == other
    assert apart(points, at) <= ROUNDING * (1.0 + np.abs(at).max())
    assert radius == pytest.approx(width, rel=ROUNDING, abs=ROUNDING)


def test_the_dialogs_of_blender_ask_for_our_part() -> None:
    from io_scene_gltf2 import exporter_extension_layout_draw

    assert exporter_extension_layout_draw[collision_kit.__name__] is collision_kit.draw_export
    assert callable(collision_kit.draw_import)
    panels_gltf.unregister()
    assert collision_kit.__name__ not in exporter_extension_layout_draw
    panels_gltf.register()


def for_gltf() -> None:
    bpy.context.scene.collision_kit.engine = "GLTF"


def test_the_window_is_owned_by_a_scene_that_exists(tmp_path: Path) -> None:
    """Blender 4.2 crashes where the export sets the scene of a window whose owner has been freed."""
    bpy.context.layer_collection  # noqa: B018
    bpy.context.window.scene = bpy.data.scenes.new("Second")
    add("Box", cube_mesh((0.5, 0.5, 0.5)))
    api.export_gltf(tmp_path / "scene.glb")
    assert bpy.context.window.id_data in (None, bpy.context.window_manager, bpy.context.scene)


def test_made_colliders_come_back_as_they_were(tmp_path: Path) -> None:
    for_gltf()
    kinds = {}
    for number, place in enumerate(PLACES):
        ob = build(place, name=f"Rock {number}")
        for kind in ("BOX", "ORIENTED_BOX", "SPHERE", "CAPSULE", "CYLINDER", "HULL"):
            select(ob)
            (made,) = make(kind, engine="GLTF")
            kinds[made.name] = (kind, ob.name)
    trip = Trip(tmp_path)
    assert_valid(trip.file)
    # The file has the shapes themselves, and no mesh of any collider.
    assert {found.name for found in trip.declared} == set(kinds)
    assert all("mesh" not in trip.node(name) for name in kinds)
    for found in trip.declared:
        kind, points, radius = expected(found)
        got, at, width = actual(trip.shapes[found.name])
        assert kind == got, found.name
        assert apart(points, at) <= 4.0 * ROUNDING * (1.0 + np.abs(at).max())
        assert radius == pytest.approx(width, rel=4.0 * ROUNDING, abs=ROUNDING)
    back = trip.back()
    assert {one.name for one in bpy.data.objects} == trip.names
    for name, (_, owner) in kinds.items():
        assert bpy.data.objects[name].parent == bpy.data.objects[owner]
        assert bpy.data.objects[name].collision_kit.collider.kind != "NONE"
        assert bpy.data.objects[name].data.name == name
        assert_same(back[name], trip.shapes[name])
    assert trip.notes == []


SETTINGS = {
    "BOX": Boxes,
    "SPHERE": Spheres,
    "CAPSULE": Capsules,
    "CYLINDER": Cylinders,
    "HULL": Hulls,
    "MESH": Meshes,
}


def test_shapes_of_objects_are_written_where_they_are(tmp_path: Path) -> None:
    given = {}
    for along, at in itertools.product(range(3), [(0.0, 0.0, 0.0), (0.5, -0.25, 3.0)]):
        half = np.array([0.25, 0.5, 0.5])
        half[along] = 2.0
        for shape in SETTINGS:
            mesh = l_mesh() if shape == "MESH" else cube_mesh(half.tolist(), at)
            place = (10.0 * len(given), 1.0, 2.0)
            name = f"{shape} {len(given)}"
            with_setting(add(name, mesh, at=place, rotation_euler=(0.3, -0.8, 1.7), scale=(1.5, 1.5, 1.5)), shape)
            given[name] = shape
    trip = Trip(tmp_path)
    assert_valid(trip.file)
    assert {found.name.removesuffix("_shape") for found in trip.declared} == set(given)
    for found in trip.declared:
        name = found.name.removesuffix("_shape")
        kind, points, radius = expected(found)
        got, where, width = actual(trip.shapes[name])
        assert kind == got == SETTINGS[given[name]]
        assert apart(points, where) <= 4.0 * ROUNDING * (1.0 + np.abs(where).max())
        assert radius == pytest.approx(width, rel=4.0 * ROUNDING, abs=ROUNDING)
    # What is seen keeps its mesh.
    assert all("mesh" in trip.node(name) for name in given)
    back = trip.back()
    for name in given:
        marked = [each for each in (f"{name}_shape", f"{name}_collider", name) if each in back]
        (one,) = (each for each in marked if bpy.data.objects[each].collision_kit.shape != "AUTO")
        assert_same(back[one], trip.shapes[name])


@pytest.mark.parametrize("scale", [(1.0, 2.0, 3.0), (-1.0, 1.0, 2.0)])
def test_uneven_scale_keeps_what_it_does_not_distort(scale: tuple[float, ...], tmp_path: Path) -> None:
    with_setting(add("Box", cube_mesh((0.5, 1.0, 0.25)), rotation_euler=(0.3, -0.8, 1.7), scale=scale), "BOX")
    round_one = add("Round", cube_mesh((1.0, 1.0, 1.0)), at=(9.0, 0.0, 0.0), scale=scale)
    with_setting(round_one, "SPHERE")
    trip = Trip(tmp_path)
    assert_valid(trip.file)
    box, hull = trip.declared
    assert box.shape["type"] == "box"
    assert apart(expected(box)[1], actual(trip.shapes["Box"])[1]) <= 4.0 * ROUNDING * 4.0
    assert hull.shape is None and hull.convex
    assert any(note.startswith("Round: ") for note in trip.notes)


def test_a_half_space_is_a_plane(tmp_path: Path) -> None:
    with_setting(add("Ground", at=(3.0, 4.0, -2.0), rotation_euler=(0.2, 0.1, 0.0)), "HALF_SPACE")
    trip = Trip(tmp_path)
    assert_valid(trip.file)
    (found,) = trip.declared
    assert found.shape["type"] == "plane"
    assert_same(trip.back()["Ground"], trip.shapes["Ground"])


def test_triggers_stay_triggers(tmp_path: Path) -> None:
    ob = with_setting(add("Zone", cube_mesh((1.0, 2.0, 3.0))), "BOX")
    ob.collision_kit.collider.trigger = True
    trip = Trip(tmp_path)
    assert_valid(trip.file)
    assert [found.role for found in trip.declared] == ["trigger"]
    assert_same(trip.back()["Zone"], trip.shapes["Zone"])
    assert bpy.data.objects["Zone"].collision_kit.collider.trigger


def test_rigid_bodies_are_written_with_what_moves_them(tmp_path: Path) -> None:
    falling = rigid_body(add("Falling", cube_mesh((1.0, 2.0, 3.0))), "BOX", "ACTIVE")
    falling.rigid_body.mass, falling.rigid_body.friction, falling.rigid_body.restitution = 2.5, 0.75, 0.25
    animated = rigid_body(add("Animated", cube_mesh(), at=(9.0, 0.0, 0.0)), "BOX", "ACTIVE")
    animated.rigid_body.kinematic = True
    rigid_body(add("Floor", cube_mesh(), at=(0.0, 9.0, 0.0)), "BOX")
    trip = Trip(tmp_path)
    assert_valid(trip.file)
    motions = {node["name"]: node["extensions"]["KHR_physics_rigid_bodies"].get("motion") for node in trip.file.nodes}
    assert motions == {"Falling": {"mass": 2.5}, "Animated": {"mass": 1, "isKinematic": True}, "Floor": None}
    content = trip.node("Falling")["extensions"]["KHR_physics_rigid_bodies"]["collider"]
    materials = trip.file.json["extensions"]["KHR_physics_rigid_bodies"]["physicsMaterials"]
    assert materials[content["physicsMaterial"]] == {
        "staticFriction": 0.75,
        "dynamicFriction": 0.75,
        "restitution": 0.25,
    }
    trip.back()
    settings = bpy.data.objects["Falling"].collision_kit
    assert settings.own_surface
    assert (settings.friction, settings.restitution) == (0.75, 0.25)


def test_surfaces_and_groups_come_back(tmp_path: Path) -> None:
    groups = {
        "A": ({1, 2}, {1, 2}),
        "B": ({2}, {2, 16}),
        "C": ({16}, set(range(1, 17))),
        "Plain": ({1}, set(range(1, 17))),
    }
    for place, (name, (own, met)) in enumerate(groups.items()):
        ob = with_setting(add(name, cube_mesh(), at=(4.0 * place, 0.0, 0.0)), "BOX")
        if name != "Plain":
            ob.collision_kit.own_groups = True
            ob.collision_kit.groups = [number in own for number in range(1, 17)]
            ob.collision_kit.mask = [number in met for number in range(1, 17)]
        ob.collision_kit.own_surface = True
        ob.collision_kit.friction = 0.125 * place
    trip = Trip(tmp_path)
    assert_valid(trip.file)
    trip.back()
    for place, (name, (own, met)) in enumerate(groups.items()):
        settings = bpy.data.objects[name].collision_kit
        assert settings.own_groups and settings.own_surface
        assert {number for number in range(1, 17) if settings.groups[number - 1]} == own
        assert {number for number in range(1, 17) if settings.mask[number - 1]} == met
        assert settings.friction == 0.125 * place


@pytest.mark.parametrize(
    ("engine", "meshes", "revision"),
    [
        ("UNREAL", "AUTO", "MESH"),
        ("UNREAL", "LEAVE_OUT", "NODE"),
        ("GLTF", "AUTO", "MESH"),
        ("GLTF", "AUTO", "NODE"),
        ("GLTF", "KEEP", "NODE"),
    ],
)
def test_meshes_of_colliders_are_kept_or_left_out(engine: str, meshes: str, revision: str, tmp_path: Path) -> None:
    scene = bpy.context.scene.collision_kit
    scene.engine, scene.gltf.meshes, scene.gltf.revision = engine, meshes, revision
    build("turned")
    (hull,) = make("HULL", engine=engine)
    name = hull.name
    trip = Trip(tmp_path)
    assert_valid(trip.file)
    kept = meshes == "KEEP" or (meshes, engine) == ("AUTO", "UNREAL")
    (found,) = trip.declared
    own = next(node for node in trip.file.nodes if node["name"] == name and "extensions" in node)
    assert ("mesh" in own) == kept
    geometry = found.content["geometry"]
    assert set(geometry) == {"convexHull", "mesh" if revision == "MESH" else "node"}
    if revision == "NODE":
        assert geometry["node"] not in [child for scene in trip.file.json["scenes"] for child in scene["nodes"]]
        assert not any(geometry["node"] in node.get("children", ()) for node in trip.file.nodes)
    assert apart(expected(found)[1], actual(trip.shapes[name])[1]) <= 4.0 * ROUNDING * 10.0
    back = trip.back()
    assert {ob.name for ob in bpy.data.objects} == {"Rock", name}
    assert_same(back[name], trip.shapes[name])
    assert bpy.data.objects[name].collision_kit.collider.kind == "HULL"
    assert bpy.data.objects[name].hide_render


@pytest.mark.parametrize("kind", ["BOX", "CYLINDER"])
def test_colliders_that_keep_their_meshes_are_themselves_again(kind: str, tmp_path: Path) -> None:
    bpy.context.scene.collision_kit.gltf.meshes = "KEEP"
    build("turned")
    (made,) = make(kind, engine="GLTF")
    name = made.name
    trip = Trip(tmp_path)
    assert "mesh" in trip.node(name)
    assert trip.declared[0].shape is not None
    back = trip.back()
    assert {ob.name for ob in bpy.data.objects} == {"Rock", name}
    assert bpy.data.objects[name].collision_kit.collider.kind == kind
    assert_same(back[name], trip.shapes[name])


def test_without_the_option_nothing_is_declared(tmp_path: Path) -> None:
    bpy.context.scene.collision_kit.gltf.write = False
    build("plain")
    make("BOX", engine="GLTF")
    trip = Trip(tmp_path)
    assert trip.declared == []
    assert "extensions" not in trip.file.json


def test_files_without_colliders_are_as_before(tmp_path: Path) -> None:
    add("Rock", cube_mesh())
    trip = Trip(tmp_path)
    assert "extensions" not in trip.file.json and "extensionsUsed" not in trip.file.json


def test_blenders_axes_are_kept_where_the_file_has_them(tmp_path: Path) -> None:
    for number, shape in enumerate(("BOX", "CAPSULE", "CYLINDER")):
        half = (0.25, 0.25, 1.0)
        with_setting(add(shape, cube_mesh(half), at=(4.0 * number, 1.0, 2.0), rotation_euler=(0.3, -0.8, 1.7)), shape)
    trip = Trip(tmp_path, export_yup=False)
    assert_valid(trip.file)
    back = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    for found in trip.declared:
        _, points, radius = expected(found)
        _, where, width = actual(trip.shapes[found.name.removesuffix("_shape")])
        assert apart(points @ back.T, where) <= 4.0 * ROUNDING * 10.0
        assert radius == pytest.approx(width, rel=4.0 * ROUNDING)


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    flat = with_setting(add("Flat", cube_mesh((1.0, 1.0, 0.0))), "BOX")
    gone = with_setting(add("Gone", cube_mesh(), scale=(1.0, 0.0, 1.0)), "BOX")
    thick = with_setting(add("Thick", cube_mesh(), at=(0.0, 9.0, 0.0)), "BOX")
    thick.collision_kit.margin = 0.5
    other = add("Other", cube_mesh(), at=(0.0, -9.0, 0.0))
    thick.collision_kit.part_of = other
    trip = Trip(tmp_path)
    assert_valid(trip.file)
    texts = {name: [note for note in trip.notes if note.startswith(f"{name}: ")] for name in ("Flat", "Gone", "Thick")}
    assert any("no volume" in note for note in texts["Flat"])
    assert texts["Gone"]
    assert any("Margin" in note for note in texts["Thick"]) and any("Other" in note for note in texts["Thick"])
    assert {found.name for found in trip.declared} >= {"Thick"}
    assert flat.name and gone.name
    (box,) = (found for found in trip.declared if found.name == "Thick")
    assert box.shape["box"]["size"] == [2.0, 2.0, 2.0]


def test_what_is_said_of_a_scene_is_said_once_whatever_other_scenes_the_file_has(tmp_path: Path) -> None:
    thick = with_setting(add("Thick", cube_mesh()), "BOX")
    thick.collision_kit.margin = 0.5
    bpy.data.scenes.new("Second")
    trip = Trip(tmp_path)
    assert len(trip.file.json["scenes"]) == 2
    assert trip.notes == ["Thick: Margin is not supported by this format; not exported"]


def test_cones_and_ellipsoids_are_written_as_hulls_and_said(tmp_path: Path) -> None:
    for number, shape in enumerate(("CONE", "ELLIPSOID")):
        with_setting(add(shape, cube_mesh((1.0, 2.0, 3.0)), at=(9.0 * number, 0.0, 0.0)), shape)
    trip = Trip(tmp_path)
    assert_valid(trip.file)
    assert {found.name: found.convex for found in trip.declared} == {"CONE": True, "ELLIPSOID": True}
    for name in ("CONE", "ELLIPSOID"):
        assert [note for note in trip.notes if note.startswith(f"{name}: ") and "convex hull" in note]


def test_instances_bring_their_colliders(tmp_path: Path) -> None:
    for_gltf()
    kit = add_collection("Kit", parent=False)
    rock = add("Rock", cube_mesh((1.0, 2.0, 3.0)), collection=kit)
    box = with_setting(add("Rock_collider", cube_mesh((1.0, 2.0, 3.0)), collection=kit, parent=rock), "BOX")
    box.collision_kit.collider.kind = "BOX"
    places = [(5.0, 0.0, 0.0), (-5.0, 1.0, 2.0)]
    for number, place in enumerate(places):
        add_instance(f"Here{number}", kit, location=place, scale=(2.0, 2.0, 2.0))
    trip = Trip(tmp_path)
    assert_valid(trip.file)
    assert [found.name for found in trip.declared] == ["Rock_collider"] * 2
    for found, place in zip(sorted(trip.declared, key=lambda one: -one.matrix[0, 3]), places, strict=True):
        _, corners, _ = expected(found)
        assert corners.mean(axis=0) == pytest.approx(place, abs=1e-5)
        assert np.ptp(corners, axis=0) == pytest.approx([4.0, 8.0, 12.0], rel=1e-6)
