# SPDX-License-Identifier: GPL-3.0-or-later
"""Which shape an object stands for, who decides it, and where it is in the world."""

import math

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from collision_kit.core.shapes import Kind
from tests.helpers.blender.bridge_scene import (
    CUBE_FACES,
    CUBE_VERTICES,
    TURNED,
    add,
    assert_reaches,
    cube_mesh,
    issue_ids,
    l_mesh,
    mesh,
    of_kind,
    read,
    rigid_body,
    row_of,
    sheared,
    skipped,
    sphere_mesh,
    the,
    with_setting,
    world_vertices,
)

pytestmark = pytest.mark.usefixtures("scene")

# --- the order: setting, rigid body, name, mesh


def test_the_setting_comes_first_then_the_rigid_body_then_the_name_then_the_mesh() -> None:
    ob = add("UCX_Thing", cube_mesh())
    assert (the(read(), "UCX_Thing").kind, the(read(), "UCX_Thing").reason) == ("hull", "name UCX_")
    rigid_body(ob, "BOX")
    assert (the(read(), "UCX_Thing").kind, the(read(), "UCX_Thing").reason) == ("box", "rigid body")
    with_setting(ob, "SPHERE")
    assert (the(read(), "UCX_Thing").kind, the(read(), "UCX_Thing").reason) == ("sphere", "setting")


def test_a_convex_mesh_is_its_hull_and_there_is_nothing_to_say() -> None:
    add("Cube", cube_mesh(), rotation_euler=TURNED, at=(1, 2, 3))
    shapes = read()
    assert (the(shapes, "Cube").kind, the(shapes, "Cube").reason) == ("hull", "convex mesh")
    assert not shapes.issues and not shapes.skipped
    assert_reaches(shapes, "Cube", world_vertices(bpy.data.objects["Cube"]))


def test_a_mesh_that_is_not_convex_is_tested_as_it_is() -> None:
    ob = add("L", l_mesh(), rotation_euler=TURNED, scale=(2, -1, 1), at=(3, 4, 5))
    inside = add("In the notch", empty_display_type="SPHERE", empty_display_size=0.1)
    inside.location = ob.matrix_world @ Vector((1.5, 1.5, 0.5))
    bpy.context.view_layer.update()
    inside.location = ob.matrix_world @ Vector((1.5, 1.5, 0.5))
    shapes = read()
    assert (the(shapes, "L").kind, the(shapes, "L").reason) == ("mesh", "mesh")
    assert not shapes.issues
    assert of_kind(shapes, "L", Kind.MESH).solid.all()
    assert_reaches(shapes, "L", world_vertices(ob))
    # Its hull would hold the ball.
    rows = [[row_of(shapes, "L"), row_of(shapes, "In the notch")]]
    assert shapes.world.distance(rows).distance[0] > 0.1


def test_meshes_of_one_scale_share_one_geometry() -> None:
    data = l_mesh()
    for number in range(4):
        add(f"L {number}", data, at=(5.0 * number, 0, 0), rotation_euler=(0, 0, number), scale=(1, 1, 1 + number // 2))
    (batch,) = read().world.batches
    assert batch.kind == Kind.MESH and len(batch.geometry) == 2


@pytest.mark.parametrize("fields", [{"scale": (1, 2, 0)}, {"scale": (0, 0, 0)}])
def test_a_mesh_that_is_scaled_to_nothing_is_its_flat_hull(fields) -> None:
    add("L", l_mesh(), **fields)
    shapes = read()
    assert the(shapes, "L").kind == "hull"
    assert issue_ids(shapes, "L") == ["zero-scale"]


def test_a_sheared_mesh_is_as_blender_has_it() -> None:
    ob = sheared("L", l_mesh())
    shapes = read()
    assert the(shapes, "L").kind == "mesh"
    assert_reaches(shapes, "L", world_vertices(ob))


def test_closed_parts_that_face_inward_are_turned_and_named() -> None:
    def parts(*sides: tuple[float, float, bool]) -> bpy.types.Mesh:
        points = [np.add(np.multiply(vertex, size), (x, 0, 0)) for x, size, _ in sides for vertex in CUBE_VERTICES]
        ways = [[face[::-1] if inward else face for face in CUBE_FACES] for *_, inward in sides]
        return mesh(points, [[8 * n + c for c in face] for n, faces in enumerate(ways) for face in faces])

    add("One inward", parts((0, 1, False), (1, 1, True), (9, 1, True)))
    add("Twice", parts((0, 1, False), (0, 1, True), (4, 1, False)))
    add("All inward", parts((0, 1, True), (1, 1, True)))
    add("Hollow", parts((0, 2, False), (0, 1, True)))
    shapes = read()
    assert [(f.id, f.severity, f.object, "(2)" in f.message) for f in shapes.issues] == [
        ("inward-parts", "info", "One inward", True),
        ("inward-parts", "info", "Twice", False),
    ]
    assert of_kind(shapes, "One inward", Kind.MESH).solid.all()


def test_an_open_mesh_is_a_surface_and_says_so() -> None:
    data = cube_mesh()
    data.clear_geometry()
    data.from_pydata(CUBE_VERTICES, [], [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4)])
    add("Open box", data)
    shapes = read()
    assert [(f.id, f.severity, f.object) for f in shapes.issues] == [("open-mesh", "info", "Open box")]
    assert not of_kind(shapes, "Open box", Kind.MESH).solid.any()


@pytest.mark.parametrize("setting", ["BOX", "SPHERE", "CAPSULE", "HULL", "MESH"])
def test_a_setting_goes_by_the_bounds_about_their_own_center(setting: str) -> None:
    add("Thing", cube_mesh((1.0, 2.0, 3.0), (5.0, 0.0, 0.0)), scale=(2.0, 2.0, 2.0), at=(0, 0, 1))
    with_setting(bpy.data.objects["Thing"], setting)
    shapes = read()
    assert not shapes.issues
    assert the(shapes, "Thing").reason == "setting"
    if setting == "BOX":
        box = of_kind(shapes, "Thing", Kind.BOX)
        np.testing.assert_allclose(box.center, [(10, 0, 1)])
        np.testing.assert_allclose(box.half_extents, [(2, 4, 6)])
    elif setting == "SPHERE":
        sphere = of_kind(shapes, "Thing", Kind.SPHERE)
        np.testing.assert_allclose(sphere.center, [(10, 0, 1)])
        np.testing.assert_allclose(sphere.radius, [6])
    elif setting == "CAPSULE":
        capsule = of_kind(shapes, "Thing", Kind.CAPSULE)
        np.testing.assert_allclose(sorted([capsule.start[0, 2], capsule.end[0, 2]]), [-1, 3])
        np.testing.assert_allclose(capsule.radius, [4])
    else:
        assert_reaches(shapes, "Thing", world_vertices(bpy.data.objects["Thing"]))


def test_a_capsule_by_setting_lies_along_the_longest_side_and_stands_where_two_are_equal() -> None:
    with_setting(add("Log", cube_mesh((3.0, 1.0, 0.5))), "CAPSULE")
    with_setting(add("Plate", cube_mesh((2.0, 1.0, 2.0))), "CAPSULE")
    shapes = read()
    log = of_kind(shapes, "Log", Kind.CAPSULE)
    np.testing.assert_allclose(np.abs(log.end - log.start), [(4, 0, 0)])
    np.testing.assert_allclose(log.radius, [1])
    np.testing.assert_allclose(of_kind(shapes, "Plate", Kind.CAPSULE).radius, [2])


def test_an_object_set_to_nothing_is_skipped() -> None:
    with_setting(add("Ghost", cube_mesh()), "NONE")
    shapes = read()
    assert len(shapes.world) == 0
    assert "set to None" in skipped(shapes)["Ghost"]


# --- rigid bodies


def test_rigid_bodies_have_the_size_that_blender_simulates() -> None:
    for number, shape in enumerate(["BOX", "SPHERE", "CAPSULE", "CONVEX_HULL", "MESH"]):
        rigid_body(add(shape, cube_mesh((1.0, 0.5, 2.0)), at=(10.0 * number, 0, 0)), shape)
    shapes = read()
    np.testing.assert_allclose(of_kind(shapes, "BOX", Kind.BOX).half_extents, [(1, 0.5, 2)])
    np.testing.assert_allclose(of_kind(shapes, "SPHERE", Kind.SPHERE).radius, [2])
    capsule = of_kind(shapes, "CAPSULE", Kind.CAPSULE)
    np.testing.assert_allclose([capsule.start[0, 2], capsule.end[0, 2], capsule.radius[0]], [-1, 1, 1])
    assert the(shapes, "CONVEX_HULL").kind == the(shapes, "MESH").kind == "hull"
    assert {shape.reason for shape in shapes.shapes} == {"rigid body"}
    assert not shapes.issues


@pytest.mark.parametrize("shape", ["BOX", "SPHERE", "CAPSULE"])
def test_a_rigid_body_off_its_origin_is_where_the_simulation_has_it(shape: str) -> None:
    """The floor's top is at 0. What falls onto it comes to rest where its shape, not its mesh, touches."""
    floor = add("Floor", cube_mesh((20.0, 20.0, 1.0)), at=(0, 0, -1))
    ob = add("Crate", cube_mesh((1, 1, 1), center=(0, 0, 1)), at=(0, 0, 1.5))
    rigid_body(floor, "BOX")
    rigid_body(ob, shape, "ACTIVE")
    for frame in range(1, 100):
        bpy.context.scene.frame_set(frame)
    shapes = read()
    # The mesh's lowest point is at its origin; a shape about the mesh would let the origin sink to 0.
    rest = ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation.z
    assert rest == pytest.approx(1.0, abs=0.05)
    lower, _ = shapes.world.bounds()
    assert lower[row_of(shapes, "Crate"), 2] == pytest.approx(0.0, abs=0.05)
    assert issue_ids(shapes, "Crate") == ["off-center-rigid-body"]


def test_a_cone_stands_with_its_tip_up_about_the_origin_as_a_rigid_body_and_in_the_bounds_by_setting() -> None:
    data = cube_mesh((3.0, 0.5, 1.0))
    rigid_body(add("Body", data, scale=(2, 2, 2)), "CONE")
    moved = data.copy()
    moved.transform(Matrix.Translation((0.0, 0.0, 5.0)))
    with_setting(add("Set", moved, at=(0, 9, 0), rotation_euler=TURNED), "CONE")
    shapes = read()
    assert not shapes.issues
    body, by_setting = (of_kind(shapes, name, Kind.CONE) for name in ("Body", "Set"))
    np.testing.assert_allclose([body.base[0], body.apex[0]], [(0, 0, -2), (0, 0, 2)], atol=1e-6)
    np.testing.assert_allclose([body.radius[0], by_setting.radius[0]], [6, 3], rtol=1e-6)
    place = bpy.data.objects["Set"].matrix_world
    ends = [tuple(place @ Vector((0.0, 0.0, z))) for z in (4.0, 6.0)]
    np.testing.assert_allclose([by_setting.base[0], by_setting.apex[0]], ends, atol=1e-5)


def test_a_cone_of_a_rigid_body_rests_where_the_simulation_has_it() -> None:
    floor = add("Floor", cube_mesh((20.0, 20.0, 1.0)), at=(0, 0, -1))
    # On its side it rests on its rim and its tip; with its tip down it would not stay where it is put.
    lying = add("Lying", cube_mesh((1.0, 1.0, 2.0)), at=(0, 0, 1.5), rotation_euler=(math.pi / 2, 0, 0))
    standing = add("Standing", cube_mesh(), at=(8, 0, 1))
    rigid_body(floor, "BOX")
    for ob in (lying, standing):
        rigid_body(ob, "CONE", "ACTIVE")
    for frame in range(1, 100):
        bpy.context.scene.frame_set(frame)
    shapes = read()
    lower, _ = shapes.world.bounds()
    for name in ("Lying", "Standing"):
        assert lower[row_of(shapes, name), 2] == pytest.approx(0.0, abs=0.06)
    stands = standing.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world
    assert stands.translation.z == pytest.approx(1.0, abs=0.06) and stands[2][2] == pytest.approx(1.0, abs=0.01)


def test_a_cone_stays_one_when_it_is_stretched_along_its_axis_and_not_across() -> None:
    for name, scale in (("Long", (1, 1, 3)), ("Oval", (1, 3, 1)), ("Mirrored", (1, -1, -2))):
        with_setting(add(name, cube_mesh((1, 1, 2)), scale=scale, rotation_euler=TURNED), "CONE")
    with_setting(sheared("Sheared", cube_mesh((1, 1, 2))), "CONE")
    with_setting(add("Disc", cube_mesh((1, 1, 0))), "CONE")
    shapes = read()
    assert {shape.object: shape.kind for shape in shapes.shapes} == {
        "Long": "cone",
        "Oval": "hull",
        "Mirrored": "cone",
        "Sheared": "hull",
        "Disc": "hull",  # of no height
    }
    mirrored, place = of_kind(shapes, "Mirrored", Kind.CONE), bpy.data.objects["Mirrored"].matrix_world
    np.testing.assert_allclose(mirrored.apex[0], tuple(place @ Vector((0.0, 0.0, 2.0))), atol=1e-5)
    assert issue_ids(shapes, "Oval") == issue_ids(shapes, "Sheared") == ["scaled-cone"]


def test_an_ellipsoid_by_setting_is_as_wide_as_the_bounds() -> None:
    with_setting(add("Egg", cube_mesh((3.0, 0.5, 1.0)), scale=(1, 2, 3), at=(1, 2, 3)), "ELLIPSOID")
    with_setting(add("Empty", empty_display_size=2.0, scale=(1, 1, 3)), "ELLIPSOID")
    shapes = read()
    assert not shapes.issues
    egg = of_kind(shapes, "Egg", Kind.ELLIPSOID)
    np.testing.assert_allclose(egg.center, [(1, 2, 3)], atol=1e-6)
    lower, upper = shapes.world.bounds()
    for name, half in (("Egg", (3, 1, 3)), ("Empty", (2, 2, 6))):
        row = row_of(shapes, name)
        np.testing.assert_allclose((upper - lower)[row] / 2.0, half, rtol=1e-6)


def test_a_cylinder_stands_upright_as_a_rigid_body_and_lies_along_its_longest_side_by_setting() -> None:
    rigid_body(add("Drum", cube_mesh((3.0, 0.5, 1.0)), scale=(2, 2, 2)), "CYLINDER")
    with_setting(add("Log", cube_mesh((3.0, 0.5, 1.0)), at=(0, 9, 0), rotation_euler=TURNED), "CYLINDER")
    shapes = read()
    assert not shapes.issues
    drum, log = (of_kind(shapes, name, Kind.CYLINDER) for name in ("Drum", "Log"))
    np.testing.assert_allclose([drum.start[0], drum.end[0]], [(0, 0, -2), (0, 0, 2)], atol=1e-6)
    np.testing.assert_allclose([drum.radius[0], log.radius[0]], [6, 1], rtol=1e-6)
    axis = np.array(bpy.data.objects["Log"].matrix_world)[:3, 0]
    np.testing.assert_allclose(log.end - log.start, [6 * axis], atol=1e-5)
    np.testing.assert_allclose((log.end + log.start) / 2, [(0, 9, 0)], atol=1e-6)


def test_a_cylinder_of_a_rigid_body_rests_where_the_simulation_has_it() -> None:
    floor = add("Floor", cube_mesh((20.0, 20.0, 1.0)), at=(0, 0, -1))
    # On its side it rests on its radius, which is that of its wider side.
    ob = add("Drum", cube_mesh((1.0, 0.4, 2.0)), at=(0, 0, 1.2), rotation_euler=(math.pi / 2, 0, 0))
    rigid_body(floor, "BOX")
    rigid_body(ob, "CYLINDER", "ACTIVE")
    for frame in range(1, 60):
        bpy.context.scene.frame_set(frame)
    shapes = read()
    lower, _ = shapes.world.bounds()
    assert lower[row_of(shapes, "Drum"), 2] == pytest.approx(0.0, abs=0.05)


def test_a_cylinder_stays_one_when_it_is_stretched_along_its_axis_and_not_across() -> None:
    for name, scale in (("Long", (3, 1, 1)), ("Oval", (1, 1, 3)), ("Mirrored", (-2, 1, -1))):
        with_setting(add(name, cube_mesh((2, 1, 1)), scale=scale, rotation_euler=TURNED), "CYLINDER")
    with_setting(sheared("Sheared", cube_mesh((2, 1, 1))), "CYLINDER")
    with_setting(add("Disc", cube_mesh((1, 0, 0))), "CYLINDER")
    with_setting(add("Point", cube_mesh((0, 0, 0))), "CYLINDER")
    shapes = read()
    assert {shape.object: shape.kind for shape in shapes.shapes} == {
        "Long": "cylinder",
        "Oval": "hull",
        "Mirrored": "cylinder",
        "Sheared": "hull",
        "Disc": "cylinder",  # of no radius
        "Point": "hull",
    }
    long = of_kind(shapes, "Long", Kind.CYLINDER)
    np.testing.assert_allclose(np.linalg.norm(long.end - long.start), 12, rtol=1e-6)
    assert issue_ids(shapes, "Oval") == issue_ids(shapes, "Sheared") == ["scaled-cylinder"]


def test_a_rigid_body_that_is_a_mesh_is_tested_as_it_is() -> None:
    rigid_body(add("L", l_mesh()), "MESH")
    rigid_body(add("L as hull", l_mesh()), "CONVEX_HULL")
    rigid_body(add("Cube", cube_mesh()), "MESH")
    shapes = read()
    assert {shape.object: shape.kind for shape in shapes.shapes} == {"L": "mesh", "L as hull": "hull", "Cube": "hull"}
    assert {shape.reason for shape in shapes.shapes} == {"rigid body"}
    assert not shapes.issues


def test_a_collision_margin_is_mentioned() -> None:
    ob = rigid_body(add("Cube", cube_mesh()), "CONVEX_HULL")
    assert not read().issues
    ob.rigid_body.use_margin = True
    ob.rigid_body.collision_margin = 0.1
    assert [(f.id, "0.1" in f.message) for f in read().issues] == [("rigid-body-margin", True)]


# --- names


def test_a_box_by_name_is_found_in_a_mesh_that_is_turned_in_itself() -> None:
    turn = np.array([[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])
    data = mesh(np.array(CUBE_VERTICES) * (1, 2, 3) @ turn.T, [tuple(p.vertices) for p in cube_mesh().polygons])
    ob = add("UBX_Wall", data, rotation_euler=TURNED, scale=(2, 2, 2))
    shapes = read()
    box = of_kind(shapes, "UBX_Wall", Kind.BOX)
    assert sorted(box.half_extents[0]) == pytest.approx([2, 4, 6], rel=1e-6)
    assert_reaches(shapes, "UBX_Wall", world_vertices(ob))
    assert the(shapes, "UBX_Wall").reason == "name UBX_"


@pytest.mark.parametrize(
    ("name", "data", "issue"),
    [
        ("UBX_Ball", sphere_mesh, "not-a-box"),
        ("UBX_L", l_mesh, "not-a-box"),
        ("USP_Cube", cube_mesh, "not-a-sphere"),
    ],
)
def test_a_mesh_that_is_not_what_its_name_says_is_its_hull(name: str, data, issue: str) -> None:
    ob = add(name, data(), rotation_euler=TURNED)
    shapes = read()
    assert issue in issue_ids(shapes, name)
    assert the(shapes, name).kind == "hull"
    assert_reaches(shapes, name, world_vertices(ob))


def test_a_sphere_and_a_capsule_by_name() -> None:
    add("USP_Ball", sphere_mesh(1.5), at=(3, 0, 0), scale=(2, 2, 2))
    add("UCP_Post", sphere_mesh(0.5, stretch=1.0), rotation_euler=(math.pi / 2, 0, 0))
    add("UCP_Plank", cube_mesh((4, 1, 0.2)))
    shapes = read()
    sphere = of_kind(shapes, "USP_Ball", Kind.SPHERE)
    np.testing.assert_allclose(sphere.radius, [3], rtol=1e-6)
    np.testing.assert_allclose(sphere.center, [(3, 0, 0)], atol=1e-6)
    capsule = of_kind(shapes, "UCP_Post", Kind.CAPSULE)
    np.testing.assert_allclose(capsule.radius, [0.5], rtol=1e-5)
    np.testing.assert_allclose(sorted([*capsule.start[:, 1], *capsule.end[:, 1]]), [-1, 1], atol=1e-5)
    assert issue_ids(shapes, "USP_Ball") == issue_ids(shapes, "UCP_Post") == ["orphan-collider"]
    assert "not-a-capsule" in issue_ids(shapes, "UCP_Plank")
    assert the(shapes, "UCP_Plank").kind == "capsule"


def test_an_egg_that_the_object_scales_to_a_sphere_is_one_and_a_ball_that_it_scales_to_an_egg_is_none() -> None:
    egg = sphere_mesh()
    egg.transform(Matrix.Diagonal((1.0, 1.0, 0.5, 1.0)))
    add("USP_Egg", egg, scale=(1, 1, 2), at=(4, 5, 6))
    add("USP_Ball", sphere_mesh(), scale=(1, 1, 2))
    shapes = read()
    sphere = of_kind(shapes, "USP_Egg", Kind.SPHERE)
    np.testing.assert_allclose([*sphere.center[0], sphere.radius[0]], [4, 5, 6, 1], atol=1e-5)
    assert the(shapes, "USP_Ball").kind == "hull"
    assert "scaled-sphere" in issue_ids(shapes, "USP_Ball")


def test_a_box_by_name_keeps_its_shape_under_uneven_scale_along_its_sides() -> None:
    ob = add("UBX_Plank", cube_mesh(), scale=(5.0, 0.5, 0.1), rotation_euler=TURNED)
    shapes = read()
    assert sorted(of_kind(shapes, "UBX_Plank", Kind.BOX).half_extents[0]) == pytest.approx([0.1, 0.5, 5.0], rel=1e-5)
    assert_reaches(shapes, "UBX_Plank", world_vertices(ob))


def test_a_convex_collider_that_is_not_convex_is_a_warning() -> None:
    add("UCX_L", l_mesh())
    shapes = read()
    assert {f.id: f.severity for f in shapes.issues} == {
        "concave-collider": "warning",
        "orphan-collider": "warning",
    }


# --- empties and half-spaces


def test_an_empty_is_no_body_because_of_how_it_is_displayed() -> None:
    with_setting(add("Ball", empty_display_size=0.5, scale=(2, 2, 2), at=(1, 0, 0)), "SPHERE")
    with_setting(add("Block", empty_display_size=0.5, scale=(2, 4, 6), at=(0, 0, 5)), "BOX")
    for shown in ("PLAIN_AXES", "ARROWS", "SINGLE_ARROW", "CUBE", "SPHERE", "CIRCLE", "CONE", "IMAGE"):
        with_setting(add(shown, empty_display_type=shown), "AUTO")
    shapes = read()
    sphere, box = of_kind(shapes, "Ball", Kind.SPHERE), of_kind(shapes, "Block", Kind.BOX)
    np.testing.assert_allclose([*sphere.center[0], sphere.radius[0]], [1, 0, 0, 1])
    np.testing.assert_allclose([*box.center[0], *box.half_extents[0]], [0, 0, 5, 1, 2, 3])
    assert the(shapes, "Ball").reason == the(shapes, "Block").reason == "setting"
    assert {shape.object for shape in shapes.shapes} == {"Ball", "Block"}
    assert not shapes.issues and not shapes.skipped


def test_an_empty_with_the_name_of_a_collider_is_none_and_is_reported() -> None:
    add("Crate", cube_mesh())
    for name in ("Crate-colonly", "UBX_Crate_01"):
        with_setting(add(name, empty_display_type="CUBE"), "AUTO")
    with_setting(add("UCX_Crate_02", at=(9, 0, 0)), "BOX")
    shapes = read()
    assert {shape.object for shape in shapes.shapes} == {"Crate", "UCX_Crate_02"}
    assert {(f.id, f.severity, f.object) for f in shapes.issues} == {
        ("empty-collider", "warning", "Crate-colonly"),
        ("empty-collider", "warning", "UBX_Crate_01"),
    }


def test_a_setting_gives_any_empty_a_box_or_a_sphere_but_no_hull() -> None:
    for setting in ("BOX", "SPHERE", "HULL", "CAPSULE"):
        with_setting(add(setting, empty_display_size=2.0), setting)
    shapes = read()
    np.testing.assert_allclose(of_kind(shapes, "BOX", Kind.BOX).half_extents, [(2, 2, 2)])
    np.testing.assert_allclose(of_kind(shapes, "SPHERE", Kind.SPHERE).radius, [2])
    assert {(f.id, f.severity, f.object) for f in shapes.issues} == {
        ("no-geometry", "error", "HULL"),
        ("no-geometry", "error", "CAPSULE"),
    }
    assert set(skipped(shapes)) == {"HULL", "CAPSULE"}


def test_an_unevenly_scaled_sphere_empty_is_an_ellipsoid_and_a_sheared_cube_empty_is_its_hull() -> None:
    add("Egg", empty_display_type="SPHERE", scale=(1, 1, 2))
    block = sheared("Block", None, empty_display_type="CUBE")
    shapes = read()
    assert [(f.id, f.severity) for f in shapes.issues if f.object == "Egg"] == [("scaled-sphere", "info")]
    np.testing.assert_allclose(sorted(of_kind(shapes, "Egg", Kind.ELLIPSOID).radii[0]), [1, 1, 2])
    assert issue_ids(shapes, "Block") == ["sheared-box"]
    corners = [tuple(block.matrix_world @ Vector(v)) for v in CUBE_VERTICES]
    assert_reaches(shapes, "Block", np.array(corners))


@pytest.mark.parametrize("data", [None, cube_mesh, "light"])
def test_a_half_space_is_solid_below_the_local_plane(data) -> None:
    made = bpy.data.lights.new("light", "POINT") if data == "light" else data and data()
    ob = add("Floor", made, at=(1, 2, 3), rotation_euler=TURNED, scale=(3, 4, 5))
    with_setting(ob, "HALF_SPACE")
    shapes = read()
    plane = of_kind(shapes, "Floor", Kind.HALF_SPACE)
    up = np.array(ob.matrix_world.to_3x3().col[2])
    np.testing.assert_allclose(plane.normal[0], up / np.linalg.norm(up), atol=1e-6)
    assert plane.offset[0] == pytest.approx(plane.normal[0] @ (1, 2, 3), abs=1e-6)
    assert (the(shapes, "Floor").kind, the(shapes, "Floor").reason) == ("half-space", "setting")


def test_the_plane_of_a_half_space_holds_its_local_x_and_y_under_shear_and_mirroring() -> None:
    ob = with_setting(sheared("Slope", None), "HALF_SPACE")
    ob.rotation_euler = (0.5, 0.3, 0.5)
    down = with_setting(add("Down", None, scale=(1, 1, -1)), "HALF_SPACE")
    shapes = read()
    normal = of_kind(shapes, "Slope", Kind.HALF_SPACE).normal[0]
    axes = np.array(ob.matrix_world, dtype=np.float64)[:3, :3].T
    assert abs(normal @ axes[0]) < 1e-6 and abs(normal @ axes[1]) < 1e-6 and normal @ axes[2] > 0
    assert of_kind(shapes, down.name, Kind.HALF_SPACE).normal[0] @ (0, 0, 1) == pytest.approx(-1)


def test_a_half_space_scaled_to_nothing_is_an_error() -> None:
    with_setting(add("Flat", scale=(0, 1, 1)), "HALF_SPACE")
    shapes = read()
    assert [(f.id, f.severity) for f in shapes.issues] == [("no-plane", "error")]
