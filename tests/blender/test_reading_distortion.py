# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes that a matrix or a mesh makes impossible are reported, never approximated in silence; others are exact."""

import math

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from collision_kit.core.shapes import Kind
from tests.helpers.blender.bridge_scene import (
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
    row_of,
    sheared,
    skipped,
    sphere_mesh,
    the,
    with_setting,
    world_vertices,
)

pytestmark = pytest.mark.usefixtures("scene")


@pytest.mark.parametrize("name", ["UBX_Cube", "Cube"])
def test_a_sheared_box_is_its_hull_and_says_so(name: str) -> None:
    ob = sheared(name, cube_mesh())
    if name == "Cube":
        with_setting(ob, "BOX")
    shapes = read()
    assert "sheared-box" in issue_ids(shapes, name)
    assert the(shapes, name).kind == "hull"
    assert_reaches(shapes, name, world_vertices(ob))


@pytest.mark.parametrize("lean", [1e-7, 1e-6, 9e-6, 1.1e-5, 1e-4])
def test_a_box_that_leans_by_a_hair_is_a_box_up_to_the_tolerance_and_nothing_raises(lean: float) -> None:
    ob = with_setting(add("Box", cube_mesh(), parent=add("Parent", rotation_euler=TURNED)), "BOX")
    leaning = np.eye(4)
    leaning[0, 1] = leaning[0, 2] = leaning[1, 2] = lean
    ob.matrix_parent_inverse = Matrix(leaning)
    shapes = read()
    assert (the(shapes, "Box").kind == "hull") == (lean > 1e-5) == bool(shapes.issues)
    assert_reaches(shapes, "Box", world_vertices(ob), tolerance=2e-5)


def test_a_sheared_hull_is_exact_and_there_is_nothing_to_say() -> None:
    ob = sheared("Cube", cube_mesh())
    shapes = read()
    assert not shapes.issues
    assert_reaches(shapes, "Cube", world_vertices(ob))


def test_an_unevenly_scaled_capsule_is_its_hull_and_says_so() -> None:
    ob = with_setting(add("Ball", sphere_mesh(), scale=(1, 1, 1.5)), "CAPSULE")
    shapes = read()
    assert issue_ids(shapes, "Ball") == ["scaled-capsule"]
    assert the(shapes, "Ball").kind == "hull"
    assert_reaches(shapes, "Ball", world_vertices(ob))


@pytest.mark.parametrize("setting", ["SPHERE", "ELLIPSOID"])
@pytest.mark.parametrize("place", ["scaled", "mirrored", "sheared"])
def test_a_sphere_under_any_matrix_is_the_ellipsoid_that_it_maps_the_sphere_to(setting: str, place: str) -> None:
    data, where = cube_mesh((0.5, 0.5, 0.5)), {"rotation_euler": TURNED, "at": (1, 2, 3)}
    if place == "sheared":
        ob = sheared("Ball", data)
    else:
        ob = add("Ball", data, scale=(2, 3, 4) if place == "scaled" else (-2, 3, 4), **where)
    with_setting(ob, setting)
    shapes = read()
    assert issue_ids(shapes, "Ball") == (["scaled-sphere"] if setting == "SPHERE" else [])
    batch = of_kind(shapes, "Ball", Kind.ELLIPSOID)
    assert np.linalg.det(batch.rotation[0]) == pytest.approx(1.0)
    matrix = np.array(ob.matrix_world)
    rng = np.random.default_rng(3)
    for point in rng.normal(size=(50, 3)):
        point *= 0.5 / np.linalg.norm(point)
        local = batch.rotation[0].T @ (matrix[:3, :3] @ point + matrix[:3, 3] - batch.center[0])
        assert np.linalg.norm(local / batch.radii[0]) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("setting", ["AUTO", "BOX", "SPHERE", "CAPSULE", "HULL"])
def test_mirroring_is_no_distortion(setting: str) -> None:
    data = mesh([(0, 0, 0), (2, 0, 0), (0, 1, 0), (0, 0, 3)], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])
    ob = with_setting(add("Mirrored", data, scale=(-1, 1, 1), rotation_euler=TURNED, at=(1, 2, 3)), setting)
    shapes = read()
    assert not shapes.issues
    if setting in {"AUTO", "HULL"}:
        assert_reaches(shapes, "Mirrored", world_vertices(ob))
        batch = of_kind(shapes, "Mirrored", Kind.HULL)
        hull = batch.geometry[batch.index[0]]
        assert (hull.points[hull.vertices] @ hull.normals.T <= hull.offsets + 1e-6).all()
        assert hull.volume == pytest.approx(1.0)
        assert np.linalg.det(batch.rotation[0]) == pytest.approx(1.0)
    if setting == "BOX":
        corners = [(x, y, z) for x in (0, 2) for y in (0, 1) for z in (0, 3)]
        moved = [tuple(ob.matrix_world @ Vector(c)) for c in corners]
        assert_reaches(shapes, "Mirrored", np.array(moved))


@pytest.mark.parametrize("setting", ["AUTO", "BOX", "SPHERE", "ELLIPSOID", "CAPSULE", "CYLINDER", "CONE", "HULL"])
@pytest.mark.parametrize("scale", [(1, 1, 0), (0, 1, 0), (0, 0, 0)])
def test_what_is_scaled_to_nothing_is_a_flat_hull_and_says_so(setting: str, scale) -> None:
    ob = with_setting(add("Flat", cube_mesh(), scale=scale, rotation_euler=TURNED, at=(1, 2, 3)), setting)
    shapes = read()
    assert issue_ids(shapes, "Flat") == ["zero-scale"]
    assert the(shapes, "Flat").kind == "hull"
    assert_reaches(shapes, "Flat", world_vertices(ob))


@pytest.mark.parametrize("name", ["UBX_Flat", "USP_Flat", "UCP_Flat", "UCX_Flat"])
def test_a_collider_scaled_to_nothing_is_a_flat_hull(name: str) -> None:
    ob = add(name, cube_mesh(), scale=(1, 0, 1))
    shapes = read()
    assert sorted(issue_ids(shapes, name)) == ["orphan-collider", "zero-scale"]
    assert_reaches(shapes, name, world_vertices(ob))


def test_empties_scaled_to_nothing() -> None:
    add("Point", empty_display_type="SPHERE", scale=(0, 0, 0), at=(1, 2, 3))
    add("Disc", empty_display_type="SPHERE", scale=(1, 1, 0))
    add("Plate", empty_display_type="CUBE", scale=(1, 2, 0))
    shapes = read()
    assert issue_ids(shapes, "Point") == issue_ids(shapes, "Plate") == ["zero-scale"]
    np.testing.assert_allclose(of_kind(shapes, "Point", Kind.ELLIPSOID).center, [(1, 2, 3)])
    assert not of_kind(shapes, "Point", Kind.ELLIPSOID).radii.any()
    assert_reaches(shapes, "Plate", np.array([(x, 2 * y, 0) for x in (-1, 1) for y in (-1, 1)]))
    assert issue_ids(shapes, "Disc") == ["zero-scale"]
    np.testing.assert_allclose(sorted(of_kind(shapes, "Disc", Kind.ELLIPSOID).radii[0]), [0, 1, 1], atol=1e-12)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_vertex_that_is_nowhere_is_an_error_and_the_rest_is_tested(bad: float) -> None:
    data = cube_mesh()
    coordinates = np.array(CUBE_VERTICES, np.float32)
    coordinates[3, 1] = bad
    data.vertices.foreach_set("co", coordinates.ravel())
    add("Broken", data)
    add("Whole", cube_mesh())
    shapes = read()
    assert [(f.id, f.severity, f.object) for f in shapes.issues] == [("non-finite", "error", "Broken")]
    assert "Broken" in skipped(shapes)
    assert [shape.object for shape in shapes.shapes] == ["Whole"]


@pytest.mark.parametrize("setting", ["AUTO", "BOX", "HALF_SPACE"])
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_an_object_that_is_nowhere_is_an_error(bad: float, setting: str) -> None:
    with_setting(add("Broken", cube_mesh(), at=(0, bad, 0)), setting)
    with_setting(add("Broken empty", at=(bad, 0, 0)), "BOX" if setting == "AUTO" else setting)
    add("Whole", cube_mesh())
    shapes = read()
    assert {(f.id, f.object) for f in shapes.issues} == {
        ("non-finite", "Broken"),
        ("non-finite", "Broken empty"),
    }
    assert [shape.object for shape in shapes.shapes] == ["Whole"]


WIRE = {"vertices": [(0, 0, 0), (1, 0, 0), (1, 1, 0)], "edges": [(0, 1), (1, 2)]}


def test_a_mesh_without_faces_is_no_solid() -> None:
    add("Cloud", mesh(CUBE_VERTICES), rotation_euler=TURNED)
    add("Wire", mesh(**WIRE))
    add("Nothing", mesh([]))
    add("Plate", mesh([(0, 0, 0), (1, 0, 0), (1, 1, 0)], [(0, 1, 2)]))
    shapes = read()
    no_faces = "Mesh has no faces."
    assert skipped(shapes) == {"Cloud": no_faces, "Wire": no_faces, "Nothing": "Mesh has no vertices."}
    assert [body.name for body in shapes.bodies] == ["Plate"]
    assert not shapes.issues


@pytest.mark.parametrize("said_by", ["HULL", "BOX", "SPHERE", "rigid body", "name"])
@pytest.mark.parametrize("edges", [WIRE["edges"], []], ids=["edges", "vertices"])
def test_a_mesh_without_faces_that_was_made_a_collider_is_one(said_by: str, edges) -> None:
    name = "UCX_Wire" if said_by == "name" else "Wire"
    ob = add(name, mesh(WIRE["vertices"], edges=edges), rotation_euler=TURNED)
    if said_by == "rigid body":
        with bpy.context.temp_override(object=ob, active_object=ob, selected_objects=[ob]):
            bpy.ops.rigidbody.object_add(type="PASSIVE")
    elif said_by != "name":
        with_setting(ob, said_by)
    shapes = read()
    assert not skipped(shapes)
    is_hull = said_by not in {"BOX", "SPHERE"}
    assert ("no-faces" in issue_ids(shapes, name)) == is_hull
    if is_hull:
        assert_reaches(shapes, name, world_vertices(ob))


@pytest.mark.parametrize("setting", ["AUTO", "MESH", "HULL"])
@pytest.mark.parametrize("faces", ["flat", "convex", "concave"])
def test_edges_and_vertices_beside_faces_count_only_where_a_hull_is_asked_for(faces: str, setting: str) -> None:
    plain = {"flat": mesh([(0, 0, 0), (1, 0, 0), (1, 1, 0)], [(0, 1, 2)]), "convex": cube_mesh()}
    whole = plain.get(faces) or l_mesh()
    corners = [tuple(vertex.co) for vertex in whole.vertices]
    # The first of what is loose lies in the plane of the flat one.
    rest = [(0.5, 9.0, 0.0), (7.0, 8.0, 0.0), (-5.0, 0.0, 0.5)]
    polygons = [[index + 1 for index in polygon.vertices] for polygon in whole.polygons]
    data = mesh([rest[0], *corners, *rest[1:]], polygons, [(0, len(corners) + 1)])
    ob = with_setting(add("Both", data, rotation_euler=TURNED, at=(1, 2, 3)), setting)
    only = with_setting(add("Only", whole, rotation_euler=TURNED, at=(1, 2, 3)), setting)
    shapes = read()
    assert not skipped(shapes)
    assert_reaches(shapes, "Both", world_vertices(ob if setting == "HULL" else only))
    if setting != "HULL":
        both, alone = (the(shapes, name) for name in ("Both", "Only"))
        assert (both.kind, both.reason) == (alone.kind, alone.reason)
        assert both.kind == ("mesh" if faces == "concave" else "hull")


def test_helpers_are_not_missed_but_a_shape_asked_of_one_is_an_error() -> None:
    add("Camera", bpy.data.cameras.new("camera"))
    with_setting(add("Lamp", bpy.data.lights.new("lamp", "POINT")), "BOX")
    shapes = read()
    assert set(skipped(shapes)) == {"Lamp"}
    assert issue_ids(shapes, "Lamp") == ["no-geometry"]


# --- precision


def test_far_off_the_origin_the_shape_keeps_every_digit() -> None:
    near = add("Near", cube_mesh((0.125, 0.25, 0.5)), rotation_euler=TURNED)
    far = add("Far", near.data.copy(), rotation_euler=TURNED, at=(2.0**20, -(2.0**20), 2.0**19))
    shapes = read()
    at = np.array(far.matrix_world, dtype=np.float64)[:3, 3]
    lower, upper = shapes.world.bounds()
    size = upper - lower
    np.testing.assert_allclose(size[row_of(shapes, "Far")], size[row_of(shapes, "Near")], rtol=1e-9)
    batch = of_kind(shapes, "Far", Kind.HULL)
    np.testing.assert_array_equal(batch.translation[0], at)


def test_an_axis_aligned_cube_is_exact() -> None:
    add("Cube", cube_mesh(), at=(3, 0, 0))
    with_setting(add("Box", cube_mesh(), at=(0, 3, 0)), "BOX")
    shapes = read()
    lower, upper = shapes.world.bounds()
    np.testing.assert_array_equal(lower[row_of(shapes, "Cube")], (2, -1, -1))
    np.testing.assert_array_equal(upper[row_of(shapes, "Cube")], (4, 1, 1))
    np.testing.assert_array_equal(lower[row_of(shapes, "Box")], (-1, 2, -1))


@pytest.mark.parametrize("seed", range(4))
def test_whatever_matrices_there_are_shapes_are_true_or_something_is_said(seed: int) -> None:
    """Random parents, scales, settings, names: a hull is Blender's own vertices, and nothing is just gone."""
    generator = np.random.default_rng(seed)
    settings = ["AUTO", "AUTO", "BOX", "SPHERE", "CAPSULE", "HULL", "HALF_SPACE", "NONE"]
    kinds = [cube_mesh, l_mesh, lambda: sphere_mesh(0.7, 12, 6), lambda: mesh(CUBE_VERTICES[:5])]
    objects: list[bpy.types.Object] = []
    for number in range(40):
        prefix = str(generator.choice(["", "", "UBX_", "USP_", "UCP_", "UCX_"]))
        ob = add(f"{prefix}{chr(65 + number % 26)}{number}", kinds[generator.integers(len(kinds))]())
        ob.parent = objects[generator.integers(number)] if number and generator.random() < 0.5 else None
        ob.location = generator.normal(size=3) * 10.0 ** generator.integers(4)
        ob.rotation_euler = generator.uniform(-4.0, 4.0, size=3)
        ob.scale = generator.choice([-2.0, -1.0, 0.0, 1e-3, 0.5, 1.0, 1.0, 1.0, 3.0, 100.0], size=3)
        objects.append(with_setting(ob, str(generator.choice(settings))))
    shapes = read()
    tested = {shape.object for shape in shapes.shapes}
    assert tested | set(skipped(shapes)) | {body.name for body in shapes.bodies} == {ob.name for ob in objects}
    said = {issue.object for issue in shapes.issues}
    for ob in objects:
        if ob.name in tested and the(shapes, ob.name).kind == "hull":
            setting = ob.collision_kit.shape
            if setting != "BOX":
                assert_reaches(shapes, ob.name, world_vertices(ob), tolerance=1e-5)
            assert setting in {"AUTO", "HULL"} or ob.name in said
