# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders made of objects, faces and parts: they hold everything, are where they belong and called as they should."""

import bmesh
import bpy
import numpy as np
import pytest

from collision_kit.addon import api
from collision_kit.addon.asset_rules.limits import Limits
from collision_kit.addon.colliders import fit_record as colliders_record
from collision_kit.addon.engines.kinds import ENGINES, PRIMITIVES
from tests.helpers.blender.bridge_scene import (
    add,
    add_collection,
    body_names,
    cube_mesh,
    l_mesh,
    mesh,
    read,
    sphere_mesh,
    world_vertices,
)
from tests.helpers.blender.colliders_scene import KINDS, PLACES, build, cloud_mesh, held, make, mesh_holds, select
from tests.helpers.offline import slow

pytestmark = pytest.mark.usefixtures("scene")

# The others are placements of the same sorts.
QUICK = ("plain", "uneven", "mirrored", "sheared mirrored")
NAMES = [identifier for identifier, _, _ in ENGINES]
PREFIXES = {"BOX": "UBX", "SPHERE": "USP", "CAPSULE": "UCP", "CYLINDER": "UCX", "HULL": "UCX"}


@pytest.mark.parametrize("place", [*QUICK, *slow(*(place for place in PLACES if place not in QUICK))])
@pytest.mark.parametrize("engine", ["UNREAL", *slow("GODOT", "GLTF")])
def test_every_vertex_is_held_by_what_a_check_reads_and_by_what_the_engine_does(place: str, engine: str) -> None:
    ob = build(place)
    points = world_vertices(ob)
    for kind in KINDS if engine == "UNREAL" else KINDS[1:5]:
        select(ob)
        (made,) = make(kind, engine=engine)
        held(made, points)
        record = colliders_record.known(made)
        assert record is not None
        assert record.quality.hull_ratio >= 1.0 - 1e-6
        assert record.quality.protrusion <= 1e-6
        if made.collision_kit.shape in {"BOX", "HULL"}:
            mesh_holds(made, points)
        assert made.parent == ob
        local = np.array(ob.matrix_world.inverted() @ made.matrix_world, dtype=np.float64)[:3, :3]
        axes = local / np.linalg.norm(local, axis=0)
        assert np.abs(axes.T @ axes - np.eye(3)).max() < 2e-5, "exporters would lose a shear"
        assert (made.display_type, made.hide_render, len(made.data.materials)) == ("WIRE", True, 0)
        assert [collection.name for collection in made.users_collection] == ["Colliders"]


@pytest.mark.parametrize("place", PLACES)
def test_a_box_holds_to_the_last_bit_and_is_no_larger(place: str) -> None:
    ob = build(place)
    (made,) = make("BOX")
    matrix = np.array(made.matrix_world, dtype=np.float64)
    local = (world_vertices(ob) - matrix[:3, 3]) @ np.linalg.inv(matrix[:3, :3]).T
    corners = np.array([vertex.co for vertex in made.data.vertices], dtype=np.float64)
    size = 1e-6 * np.abs(world_vertices(ob)).max()
    if "sheared" not in place:  # where the box's axes are not those of the object
        np.testing.assert_allclose(corners.min(axis=0), local.min(axis=0), atol=size)
        np.testing.assert_allclose(corners.max(axis=0), local.max(axis=0), atol=size)
        assert made.collision_kit.shape == "BOX"


def test_a_box_of_a_cube_has_its_corners_exactly() -> None:
    ob = build("plain", cube_mesh((0.3, 1.7, 2.9), (0.1, 0.2, 0.3)))
    (made,) = make("BOX")
    given = world_vertices(ob)
    found = world_vertices(made)
    assert (found.min(axis=0) <= given.min(axis=0)).all()
    assert (found.max(axis=0) >= given.max(axis=0)).all()
    np.testing.assert_allclose(np.sort(found, axis=0), np.sort(given, axis=0), rtol=3e-7)


@pytest.mark.parametrize("place", ["turned", "even", "uneven", "mirrored", "child"])
def test_scale_is_applied_and_the_place_kept_when_the_object_moves(place: str) -> None:
    ob = build(place)
    (made,) = make("CAPSULE")
    np.testing.assert_allclose(np.linalg.norm(np.array(made.matrix_world)[:3, :3], axis=0), 1.0, atol=1e-5)
    assert tuple(made.scale) == (1.0, 1.0, 1.0)
    before = world_vertices(made)
    ob.location.x += 5.0
    bpy.context.view_layer.update()
    along = np.array(ob.parent.matrix_world)[:3, 0] if ob.parent else np.array((1.0, 0.0, 0.0))
    np.testing.assert_allclose(world_vertices(made), before + 5.0 * along, atol=1e-4)


def long_mesh():
    """A cloud that is longer than wide."""
    return mesh((np.random.default_rng(1).normal(size=(30, 3)) * (3.0, 0.3, 0.3)).tolist())


def test_a_disc_is_read_as_the_cylinder_that_it_is() -> None:
    ob = build("turned", mesh((np.random.default_rng(1).normal(size=(30, 3)) * (2.0, 2.0, 0.1)).tolist()))
    (made,) = make("CYLINDER", engine="GLTF")
    assert made.collision_kit.shape == "CYLINDER"
    assert made.dimensions.z < 0.5 * made.dimensions.x
    held(made, world_vertices(ob))


def test_shapes_are_read_as_what_they_are() -> None:
    ob = build("turned", long_mesh())
    for engine in NAMES:
        for kind in ("BOX", "SPHERE", "CAPSULE", "CYLINDER", "HULL"):
            select(ob)
            (made,) = make(kind, engine=engine)
            assert made.collision_kit.shape == (kind if kind in PRIMITIVES[engine] else "HULL")
            assert made.collision_kit.collider.kind == kind


@pytest.mark.parametrize("radius", [0.37, *slow(1.0)])
def test_what_is_a_sphere_already_gets_that_sphere(radius: float) -> None:
    build("turned", sphere_mesh(radius))
    (made,) = make("SPHERE")
    np.testing.assert_allclose(made.dimensions, 2.0 * radius, rtol=2e-6)
    record = colliders_record.known(made)
    assert record is not None
    select(bpy.data.objects["Rock"])
    (best,) = make("BEST")
    assert best.name == "USP_Rock_02"
    scores = colliders_record.known(best).scores
    assert set(scores) == {"SPHERE", "CAPSULE", "BOX", "HULL"}
    # A hull of 32 vertices that contains the sphere is larger than the sphere.
    assert scores["SPHERE"] == pytest.approx(1.0) and scores["HULL"] > 1.1
    select(bpy.data.objects["Rock"])
    (best,) = make("BEST", budget=1000)
    scores = colliders_record.known(best).scores
    assert min(scores.values()) == scores["HULL"] == 1.0
    assert 1.0 < scores["SPHERE"] <= 1.1


def test_the_best_is_the_simplest_within_the_gap_or_has_the_smallest() -> None:
    ob = build("turned", cloud_mesh(5))
    gaps = {}
    for kind in ("SPHERE", "CAPSULE", "ORIENTED_BOX", "BUDGET_HULL"):  # as Best Fit has them, for Unreal
        select(ob)
        (made,) = make(kind)
        gaps[kind] = colliders_record.known(made).quality.gap
    for most in (1e-9, 0.99 * gaps["CAPSULE"], 1.01 * gaps["ORIENTED_BOX"]):
        select(ob)
        (best,) = make("BEST", gap=most)
        expected = next((kind for kind in gaps if gaps[kind] <= most), min(gaps, key=lambda kind: gaps[kind]))
        kept = colliders_record.known(best)
        assert kept.quality.gap == pytest.approx(gaps[expected], rel=1e-2, abs=1e-6), most
        assert best.collision_kit.collider.kind == "BEST"
        assert kept.scores == {}
        assert len(best.data.vertices) <= 32 or expected != "BUDGET_HULL"


def test_a_simple_hull_keeps_to_its_budget() -> None:
    ob = build("uneven", cloud_mesh(3, 400))
    for budget in (4, 9, 30):
        select(ob)
        (made,) = make("BUDGET_HULL", budget=budget)
        assert len(made.data.vertices) <= budget
        mesh_holds(made, world_vertices(ob))


@pytest.mark.parametrize("engine", ["UNREAL", "UNITY"])
def test_meshes_of_round_shapes_stay_within_what_validation_accepts(engine: str) -> None:
    ob = build("plain")
    select(ob)
    (made,) = make("CYLINDER", engine=engine)
    assert 30 < len(made.data.vertices) <= Limits().vertices
    mesh_holds(made, world_vertices(ob), 1e-7)


@pytest.mark.parametrize("kind", ["SPHERE", "CAPSULE", "CYLINDER"])
def test_round_shapes_made_for_godot_are_valid_there(kind: str) -> None:
    ob = build("plain")
    select(ob)
    (made,) = make(kind, engine="GODOT")
    held(made, world_vertices(ob))
    report = api.validate_colliders(engine="GODOT")
    # A sphere or a cylinder around this long box protrudes far from it.
    others = [one.rule for one in report.issues if one.rule.id != "collider-far-outside"]
    assert {rule.severity for rule in others} <= {"info"}, [rule.id for rule in others]


@pytest.mark.parametrize("engine", ["UNREAL", "GODOT", "UNITY", "GLTF"])
def test_a_capsule_around_a_ball_has_no_faces_without_area(engine: str) -> None:
    ob = build("plain", sphere_mesh())
    select(ob)
    (made,) = make("CAPSULE", engine=engine)
    assert min(face.area for face in made.data.polygons) > 1e-3
    held(made, world_vertices(ob))


def test_modifiers_count() -> None:
    ob = build("plain", cube_mesh())
    array = ob.modifiers.new("Array", "ARRAY")
    array.count = 3
    select(ob)
    (made,) = make("BOX")
    np.testing.assert_allclose(made.dimensions, (6.0, 2.0, 2.0), rtol=1e-6)


def test_around_all_is_one_and_belongs_to_the_active_object() -> None:
    first = build("turned")
    second = add("Other", cube_mesh(), at=(6.0, 0.0, 0.0))
    select(second, first)
    (made,) = make("HULL", source="AROUND")
    assert made.name == "UCX_Other_01"
    assert made.parent == second
    mesh_holds(made, np.concatenate([world_vertices(first), world_vertices(second)]))


def two_cubes():
    """Two cubes in one mesh, far apart."""
    vertices, faces = [], []
    for shift in (0.0, 5.0):
        start = len(vertices)
        one = cube_mesh(center=(shift, 0.0, 0.0))
        vertices += [tuple(vertex.co) for vertex in one.vertices]
        faces += [[start + corner for corner in polygon.vertices] for polygon in one.polygons]
    return mesh(vertices, faces)


def test_each_loose_part_gets_one() -> None:
    build("plain", two_cubes())
    made = make("BOX", source="PARTS")
    assert [ob.name for ob in made] == ["UBX_Rock_01", "UBX_Rock_02"]
    assert sorted(round(ob.matrix_world.translation.x, 5) for ob in made) == [0.0, 5.0]
    for ob in made:
        np.testing.assert_allclose(ob.dimensions, 2.0, rtol=1e-6)


def edit_faces(ob: bpy.types.Object, faces: set[int]) -> None:
    select(ob)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_mode(type="FACE")
    bpy.ops.mesh.select_all(action="DESELECT")
    edit = bmesh.from_edit_mesh(ob.data)
    for face in edit.faces:
        face.select_set(face.index in faces)
    edit.select_flush_mode()
    bmesh.update_edit_mesh(ob.data)


def test_selected_faces_are_what_is_held_in_edit_mode() -> None:
    ob = build("uneven", two_cubes())
    edit_faces(ob, set(range(6)))
    points = world_vertices(ob)
    (made,) = make("BOX")
    assert bpy.context.mode == "EDIT_MESH"
    bpy.ops.object.mode_set(mode="OBJECT")
    held(made, points[:8])
    np.testing.assert_allclose(sorted(made.dimensions), (1.0, 4.0, 6.0), rtol=1e-5)


def test_nothing_selected_says_what_to_select() -> None:
    ob = build("plain", two_cubes())
    edit_faces(ob, set())
    with pytest.raises(RuntimeError, match="Select the faces"):
        bpy.ops.collision_kit.make_collider()
    bpy.ops.object.mode_set(mode="OBJECT")
    (made,) = make("BOX")
    select(made)
    with pytest.raises(RuntimeError, match="are not colliders"):
        bpy.ops.collision_kit.make_collider()


def test_where_no_collider_can_be_made_no_collection_is_left() -> None:
    ob = build("plain", two_cubes())
    assert not ob.vertex_groups
    with pytest.raises(RuntimeError, match="no vertex groups"):
        bpy.ops.collision_kit.make_collider("EXEC_DEFAULT", source="GROUPS")
    assert [one.name for one in bpy.data.objects] == ["Rock"]
    assert not bpy.data.collections


def test_undo_leaves_nothing_in_one_step() -> None:
    build("plain", two_cubes())
    bpy.ops.ed.undo_push(message="Before")
    before = [sorted(one.name for one in block) for block in (bpy.data.objects, bpy.data.meshes, bpy.data.collections)]
    bpy.ops.collision_kit.make_collider("EXEC_DEFAULT", True, source="PARTS")
    assert len(bpy.data.objects) == 3
    bpy.ops.ed.undo()
    after = [sorted(one.name for one in block) for block in (bpy.data.objects, bpy.data.meshes, bpy.data.collections)]
    assert after == before
    assert bpy.data.objects["Rock"].select_get()


def test_undo_in_edit_mode_leaves_nothing() -> None:
    ob = build("plain", two_cubes())
    bpy.ops.ed.undo_push(message="Before")
    edit_faces(ob, {0, 1})
    bpy.ops.ed.undo_push(message="Edit")
    bpy.ops.collision_kit.make_collider("EXEC_DEFAULT", True, kind="SPHERE")
    assert len(bpy.data.objects) == 2
    bpy.ops.ed.undo()
    assert [one.name for one in bpy.data.objects] == ["Rock"]
    assert not bpy.data.collections


# Names


def test_unreal_names_are_read_back_as_colliders_of_that_body() -> None:
    ob = build("turned")
    other = add("Rock_01", cube_mesh(), at=(30.0, 0.0, 0.0))
    copy = add("Rock.001", cube_mesh(), at=(60.0, 0.0, 0.0))
    for owner in (ob, other, copy):
        for kind in ("BOX", "SPHERE", "CAPSULE", "CYLINDER", "HULL"):
            select(owner)
            (made,) = make(kind)
            assert made.name.startswith(PREFIXES[kind] + "_" + owner.name + "_")
    bodies = body_names(read())
    assert set(bodies) == {"Rock", "Rock_01", "Rock.001"}
    for name, parts in bodies.items():
        assert len(parts) == 5
        assert {part.partition("_")[2].rpartition("_")[0] for part in parts} == {name}


def test_a_number_that_would_pair_with_another_mesh_is_passed_over() -> None:
    build("plain")
    add("rock_01", cube_mesh(), at=(9.0, 0.0, 0.0))
    select(bpy.data.objects["Rock"])
    (made,) = make("BOX")
    assert made.name == "UBX_Rock_02"


@pytest.mark.parametrize(
    ("engine", "names"),
    [
        ("ANY", ["UBX_Rock_01", "UBX_Rock_02"]),
        ("UNREAL", ["UBX_Rock_01", "UBX_Rock_02"]),
        ("GODOT", ["Rock_01-convcolonly", "Rock_02-convcolonly"]),
        ("UNITY", ["Rock_collider", "Rock_collider_02"]),
        ("GLTF", ["Rock_collider", "Rock_collider_02"]),
        ("USD", ["Rock_collider", "Rock_collider_02"]),
    ],
)
def test_names_follow_the_engine_of_the_scene(engine: str, names: list[str]) -> None:
    bpy.context.scene.collision_kit.engine = engine
    build("plain", two_cubes())
    assert [ob.name for ob in make("BOX", source="PARTS")] == names


def test_a_name_that_blender_cannot_keep_is_refused_and_nothing_made() -> None:
    longest = 63 if bpy.app.version < (5, 0) else 255
    build("plain", name="R" * longest)
    with pytest.raises(RuntimeError, match="shorten"):
        bpy.ops.collision_kit.make_collider()
    assert len(bpy.data.objects) == 1
    assert len(bpy.data.meshes) == 1


# What is degenerate


def plane_mesh():
    return mesh([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], [(0, 1, 2, 3)])


def test_flat_things_have_boxes_of_the_thickness_that_is_asked_for() -> None:
    ob = build("turned", plane_mesh())
    for kind, options, thickness in (("BOX", {}, 0.02), ("BOX", {"thickness": 0.25}, 0.25), ("HULL", {}, 0.02)):
        select(ob)
        (made,) = make(kind, **options)
        np.testing.assert_allclose(sorted(made.dimensions), (thickness, 2.0, 2.0), rtol=1e-4)
        assert made.collision_kit.shape == "BOX"
        held(made, world_vertices(ob))


def test_one_vertex_none_and_no_number() -> None:
    point = build("plain", mesh([(1.0, 2.0, 3.0)]))
    (made,) = make("BOX")
    np.testing.assert_allclose(made.matrix_world.translation, (1.0, 2.0, 3.0))
    held(made, world_vertices(point))
    empty = add("Empty mesh", mesh([]))
    nowhere = add("Nowhere", mesh([(0.0, 0.0, float("nan"))]))
    select(empty, nowhere)
    with pytest.raises(RuntimeError, match=r"has no vertices.*infinite or not a number"):
        bpy.ops.collision_kit.make_collider()


def test_what_is_scaled_to_nothing_gets_a_collider_that_is_no_child() -> None:
    ob = build("plain")
    ob.scale.z = 0.0
    select(ob)
    (made,) = make("BOX", thickness=0.1)
    assert made.parent is None
    held(made, world_vertices(ob))


def test_a_collection_that_is_hidden_still_gets_true_colliders() -> None:
    ob = build("even")
    collection = add_collection("Colliders")
    bpy.context.view_layer.layer_collection.children[collection.name].exclude = True
    select(ob)
    (made,) = make("BOX")
    assert list(collection.objects) == [made]
    bpy.context.view_layer.layer_collection.children[collection.name].exclude = False
    held(made, world_vertices(ob))


# Fit quality


def test_what_is_kept_of_the_fit_is_true_and_goes_stale() -> None:
    ob = build("plain", l_mesh())
    (made,) = make("HULL")
    record = colliders_record.known(made)
    assert record.quality.hull_ratio == pytest.approx(1.0)
    assert record.quality.mesh_ratio == pytest.approx(3.5 / 3.0)
    # The middle of the hull's slanted face, at (1.5, 1.5), is half a unit above either side of the inner corner.
    assert record.quality.gap == pytest.approx(0.5, abs=0.01)
    assert not colliders_record.is_stale(made, ob, record)
    ob.location = (100.0, -30.0, 2.0)
    ob.rotation_euler = (1.0, 2.0, 3.0)
    bpy.context.view_layer.update()
    assert not colliders_record.is_stale(made, ob, record)
    made.location.x += 0.01
    bpy.context.view_layer.update()
    assert colliders_record.is_stale(made, ob, record)
    made.location.x -= 0.01
    bpy.context.view_layer.update()
    assert not colliders_record.is_stale(made, ob, record)
    ob.data.vertices[0].co.x -= 1.0
    ob.data.update()
    bpy.context.view_layer.update()
    assert colliders_record.is_stale(made, ob, record)
