# SPDX-License-Identifier: GPL-3.0-or-later
"""The geometry that is read is that which Blender shows: modifiers, edit mode, curves, texts, metaballs, parents."""

import bmesh
import bpy
import numpy as np
import pytest
from mathutils import Euler

from collision_kit.addon.model.report import ObjectKey
from collision_kit.addon.scene.reading import incremental
from collision_kit.addon.scene.reading.geometry_cache import KnownGeometry, SceneChanged
from tests.helpers.blender.bridge_scene import (
    add,
    add_collection,
    add_instance,
    assert_reaches,
    centers,
    cube_mesh,
    issue_ids,
    l_mesh,
    read,
    row_of,
    skipped,
    the,
    world_vertices,
)
from tests.helpers.blender.stepped import taken

pytestmark = pytest.mark.usefixtures("scene")


def test_modifiers_count() -> None:
    ob = add("Cube", cube_mesh())
    array = ob.modifiers.new("Array", "ARRAY")
    array.count, array.relative_offset_displace = 3, (2.0, 0.0, 0.0)
    shapes = read()
    lower, upper = shapes.world.bounds()
    np.testing.assert_allclose([lower[0], upper[0]], [(-1, -1, -1), (9, 1, 1)])
    assert (the(shapes, "Cube").kind, the(shapes, "Cube").reason) == ("mesh", "mesh")


def test_objects_with_and_without_modifiers_on_one_mesh_are_told_apart() -> None:
    data = cube_mesh()
    plain, other = add("Plain", data), add("Other", data, at=(5, 0, 0))
    big = add("Big", data, at=(0, 9, 0))
    big.modifiers.new("Cast", "CAST").factor = 1.0
    shapes = read()
    for ob in (plain, other, big):
        assert_reaches(shapes, ob.name, world_vertices(ob))


def test_shape_keys_count() -> None:
    ob = add("Cube", cube_mesh())
    ob.shape_key_add(name="Basis")
    key = ob.shape_key_add(name="Long")
    for point in key.data:
        point.co.x *= 3.0
    key.value = 0.5
    shapes = read()
    np.testing.assert_allclose(shapes.world.bounds()[1][0], (2, 1, 1))


@pytest.mark.parametrize("modifier", [None, "SUBSURF"])
def test_edit_mode_counts_and_so_it_does_for_others_of_that_mesh(modifier) -> None:
    data = cube_mesh()
    edited, linked = add("Edited", data), add("Linked", data, at=(20, 0, 0))
    if modifier:
        edited.modifiers.new("m", modifier)
    bpy.context.view_layer.objects.active = edited
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        for vertex in bmesh.from_edit_mesh(data).verts:
            vertex.co *= 3.0
        bmesh.update_edit_mesh(data)
        shapes = read()
        _, upper = shapes.world.bounds()
        assert upper[row_of(shapes, "Linked")] == pytest.approx((23, 3, 3))
        assert_reaches(shapes, "Edited", world_vertices(edited))
        assert upper[row_of(shapes, "Edited"), 0] == (pytest.approx(3) if not modifier else pytest.approx(3, rel=0.6))
        assert linked.mode == "OBJECT"
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")


def test_curves_texts_and_metaballs_are_read_once_each() -> None:
    tube = bpy.data.curves.new("tube", "CURVE")
    tube.dimensions, tube.bevel_depth = "3D", 0.25
    tube.splines.new("POLY").points.add(1)
    tube.splines[0].points[1].co = (4, 0, 0, 1)
    text = bpy.data.curves.new("text", "FONT")
    text.body, text.extrude = "I", 0.1
    ball = bpy.data.metaballs.new("ball")
    ball.elements.new()
    surface = bpy.data.curves.new("surface", "SURFACE")
    objects = [add("Tube", tube), add("Text", text, at=(0, 5, 0)), add("Ball", ball, at=(0, 0, 9))]
    add("Surface", surface)
    shapes = read()
    assert sorted(shape.object for shape in shapes.shapes) == ["Ball", "Text", "Tube"]
    for ob in objects:
        assert_reaches(shapes, ob.name, world_vertices(ob))
    assert skipped(shapes) == {"Surface": "Mesh has no vertices."}
    assert [body.key for body in shapes.bodies] == [
        ObjectKey(bpy.data.objects[name].session_uid) for name in ("Ball", "Text", "Tube")
    ]


def test_a_curve_without_a_surface_is_a_path_unless_it_is_given_a_shape() -> None:
    path = bpy.data.curves.new("path", "CURVE")
    path.dimensions = "3D"
    path.splines.new("POLY").points.add(2)
    for point, at in zip(path.splines[0].points, [(0, 0, 0), (4, 0, 0), (4, 4, 0)], strict=True):
        point.co = (*at, 1)
    ob = add("Path", path, rotation_euler=(0.2, 0.3, 0.4))
    shapes = read()
    assert not shapes.bodies and not shapes.issues
    assert skipped(shapes) == {"Path": "Curve has no surface."}
    ob.collision_kit.shape = "HULL"
    shapes = read()
    assert issue_ids(shapes, "Path") == ["no-faces"]
    assert_reaches(shapes, "Path", world_vertices(ob))


def test_a_metaball_family_is_one_surface() -> None:
    for number, name in enumerate(["Ball", "Ball.001"]):
        data = bpy.data.metaballs.new("ball")
        data.elements.new()
        add(name, data, at=(1.5 * number, 0, 0))
    shapes = read()
    assert [shape.object for shape in shapes.shapes] == ["Ball"]
    assert "metaball" in skipped(shapes)["Ball.001"]
    assert shapes.world.bounds()[1][0][0] > 1.5


def test_parents_constraints_and_shear_count() -> None:
    root = add("Root", scale=(1, 3, 1), rotation_euler=(0.1, 0.2, 0.3), at=(1, 2, 3))
    arm = add("Arm", cube_mesh(), parent=root, rotation_euler=(0.4, 0.5, 0.6), scale=(-1, 2, 1))
    hand = add("Hand", l_mesh(), parent=arm, at=(2, 0, 0))
    follower = add("Follower", cube_mesh())
    follower.constraints.new("COPY_TRANSFORMS").target = hand
    shapes = read()
    for ob in (arm, hand, follower):
        assert_reaches(shapes, ob.name, world_vertices(ob))


def test_the_current_frame_counts() -> None:
    ob = add("Cube", cube_mesh())
    for frame, place in ((1, 0.0), (11, 10.0)):
        ob.location.x = place
        ob.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(11)
    assert centers(read()) == {"Cube": (10, 0, 0)}


def test_one_mesh_is_read_and_hulled_once_and_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    from collision_kit.addon.scene.meshes import geometry

    reads = []
    original = geometry.geometry_of
    monkeypatch.setattr(geometry, "geometry_of", lambda data: reads.append(data.name) or original(data))
    data = cube_mesh()
    for number in range(20):
        turned = (0.1 * number, 0.2 * number, 0.3 * number)
        add(f"Cube {number}", data, at=(3 * number, 0, 0), rotation_euler=turned, scale=(1.7, 0.3, 2.0))
    shapes = read()
    assert len(reads) == 1
    (batch,) = shapes.world.batches
    assert len(batch.geometry) == 1, "turned copies of one scale share one geometry"
    for number in range(20):
        assert_reaches(shapes, f"Cube {number}", world_vertices(bpy.data.objects[f"Cube {number}"]))


def test_a_cube_turned_and_subdivided_in_edit_mode_has_the_hull_of_a_cube() -> None:
    data = cube_mesh()
    grid = bmesh.new()
    grid.from_mesh(data)
    bmesh.ops.subdivide_edges(grid, edges=grid.edges, cuts=7, use_grid_fill=True)
    grid.to_mesh(data)
    grid.free()
    data.transform(Euler((0.3, -0.8, 1.7)).to_matrix().to_4x4())
    add("Cube", data)
    shapes = read()
    (batch,) = shapes.world.batches
    assert (len(batch.geometry[0].vertices), len(batch.geometry[0].faces)) == (8, 6)
    assert not shapes.issues


def test_reading_changes_nothing_and_gives_the_same_again() -> None:
    collection = add_collection("Asset", False)
    add("Crate", cube_mesh(), collection=collection)
    add_instance("Pile", collection)
    add("Text", bpy.data.curves.new("text", "FONT"))
    add("L", l_mesh(), scale=(1, 2, -1))
    before = {name: len(getattr(bpy.data, name)) for name in ("objects", "meshes", "curves", "collections")}
    first, second = read(), read()
    assert before == {name: len(getattr(bpy.data, name)) for name in before}
    assert (first.shapes, first.bodies, first.issues) == (second.shapes, second.bodies, second.issues)
    np.testing.assert_array_equal(first.world.bounds(), second.world.bounds())


def test_an_empty_scene_has_no_shapes() -> None:
    shapes = read()
    assert (len(shapes.world), shapes.shapes, shapes.bodies, shapes.issues, shapes.skipped) == (
        0,
        (),
        (),
        (),
        (),
    )
    assert shapes.body.shape == (0,)


def test_however_little_time_there_is_a_scene_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(40):
        add(f"Cube {number}", cube_mesh((1.0 + number, 1.0, 1.0)), at=(0.0, 3.0 * number, 0.0))
    looks: list[int] = []
    looking = incremental.snapshot_steps
    monkeypatch.setattr(incremental, "snapshot_steps", lambda *given: (looks.append(1), looking(*given))[1])
    steps, found = taken(incremental.reading(bpy.context, None, known=KnownGeometry(), seconds=0.0))
    assert len(looks) == 1
    assert sum(steps) >= 39, "each mesh is read in a step of its own, and is known from then on"
    for number in range(40):
        assert_reaches(found.shapes, f"Cube {number}", world_vertices(bpy.data.objects[f"Cube {number}"]))


def test_what_is_not_where_it_was_is_not_taken_for_it() -> None:
    key = ObjectKey(add("Cube", cube_mesh()).session_uid)
    add("Other", cube_mesh((2.0, 1.0, 1.0)), at=(5.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    assert len(KnownGeometry().read(bpy.context, {0: key}, set())[key].points) == 8
    for wanted in ({1: key}, {2: key}):
        with pytest.raises(SceneChanged):
            KnownGeometry().read(bpy.context, wanted, set())
