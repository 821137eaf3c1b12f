# SPDX-License-Identifier: GPL-3.0-or-later
"""Select Crossing Faces: exactly the faces that another surface goes through, in whatever mode, and undone."""

import bmesh
import bpy
import numpy as np
import pytest

from collision_kit.addon.fixes.crossing_faces import crossing_faces
from collision_kit.addon.scene.reading.crossing_faces import surfaces_of
from collision_kit.core.mesh.triangle_mesh import TriangleMesh
from tests.helpers.blender.bridge_scene import (
    TURNED,
    add,
    add_collection,
    add_instance,
    cube_mesh,
    sphere_mesh,
    with_setting,
)


@pytest.fixture(autouse=True)
def empty(scene: bpy.types.Scene) -> None:
    """An empty scene."""


def activate(ob: bpy.types.Object, *others: bpy.types.Object) -> None:
    bpy.context.view_layer.update()
    for other in bpy.context.view_layer.objects:
        other.select_set(other == ob or other in others)
    bpy.context.view_layer.objects.active = ob


def run(**options: object) -> set[str]:
    return bpy.ops.collision_kit.select_intersecting_faces(**options)


def selected(ob: bpy.types.Object) -> list[int]:
    assert ob.mode == "EDIT"
    return [face.index for face in bmesh.from_edit_mesh(ob.data).faces if face.select]


def facing(ob: bpy.types.Object, x: float, y: float, z: float) -> int:
    """The face of a cube whose normal is this."""
    (found,) = (face.index for face in ob.data.polygons if np.allclose(face.normal, (x, y, z)))
    return found


def test_the_faces_that_a_bar_goes_through_are_selected_and_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    cube = add("Cube", cube_mesh())
    add("Bar", cube_mesh((3, 0.1, 0.1)), at=(0, 0.2, 0.3))
    ends = sorted((facing(cube, 1, 0, 0), facing(cube, -1, 0, 0)))
    activate(cube)
    assert run() == {"FINISHED"}
    assert bpy.context.mode == "EDIT_MESH"
    assert tuple(bpy.context.scene.tool_settings.mesh_select_mode) == (False, False, True)
    assert selected(cube) == ends
    assert '2 faces of "Cube" intersect other surfaces' in capsys.readouterr().out


def test_the_faces_are_those_that_a_plane_divides() -> None:
    """An oracle by another way: a face crosses a wide plane if it has corners on both sides of it."""
    ball = add("Ball", sphere_mesh(1.0, 16, 10), at=(1, 2, 3), rotation_euler=TURNED, scale=(1.0, 2.0, 0.5))
    wall = add("Wall", cube_mesh((20, 20, 20)), at=(1, 2, 3 + 20.123))
    activate(ball)
    assert run() == {"FINISHED"}
    found = set(selected(ball))
    bpy.ops.object.mode_set(mode="OBJECT")
    height = {v.index: (ball.matrix_world @ v.co).z - (wall.location.z - 20.0) for v in ball.data.vertices}
    sides = {face.index: {height[v] > 0.0 for v in face.vertices} for face in ball.data.polygons}
    assert found == {index for index, side in sides.items() if len(side) == 2}
    activate(ball)
    run(inside=True)
    assert set(selected(ball)) == {index for index, side in sides.items() if True in side}


def test_what_only_touches_does_not_cross_unless_it_is_wanted() -> None:
    crate = add("Crate", cube_mesh(), at=(0, 0, 1))
    add("Floor", cube_mesh((5, 5, 1)), at=(0, 0, -1))
    activate(crate)
    assert run() == {"CANCELLED"}
    assert bpy.context.mode == "OBJECT"
    assert run(touching=True) == {"FINISHED"}
    assert facing(crate, 0, 0, -1) in selected(crate) and facing(crate, 0, 0, 1) not in selected(crate)


def test_an_edge_that_lies_in_the_other_surface_crosses_it() -> None:
    column = add("Column", cube_mesh())
    edit = bmesh.new()
    edit.from_mesh(column.data)
    bmesh.ops.bisect_plane(edit, geom=[*edit.verts, *edit.edges, *edit.faces], plane_co=(0, 0, 0), plane_no=(0, 0, 1))
    edit.to_mesh(column.data)
    edit.free()
    add("Floor", cube_mesh((5, 5, 1)), at=(0, 0, -1))
    activate(column)
    assert run() == {"FINISHED"}
    # The sides above and below their common edges, eight of them; the bottom lies on the floor's own underside.
    around = {face.index for face in bmesh.from_edit_mesh(column.data).faces if abs(face.normal.z) < 0.5}
    assert around <= set(selected(column)) and len(around) == 8


def test_in_edit_mode_what_is_edited_counts_and_the_mode_stays() -> None:
    cube = add("Cube", cube_mesh())
    add("Bar", cube_mesh((3, 0.1, 0.1)), at=(0, 0, 5))
    activate(cube)
    bpy.ops.object.mode_set(mode="EDIT")
    edit = bmesh.from_edit_mesh(cube.data)
    for vertex in edit.verts:
        vertex.co.z += 5.0
    bmesh.update_edit_mesh(cube.data)
    assert run() == {"FINISHED"}
    assert bpy.context.mode == "EDIT_MESH" and len(selected(cube)) == 2
    bpy.data.objects["Bar"].location.z = 50.0
    assert run() == {"FINISHED"}
    assert selected(cube) == []


def test_extend_keeps_what_is_selected() -> None:
    cube = add("Cube", cube_mesh())
    bar = add("Bar", cube_mesh((3, 0.1, 0.1)))
    activate(cube)
    run()
    before = selected(cube)
    bar.rotation_euler = (0, 0, np.pi / 2)
    bpy.context.view_layer.update()
    run(extend=True)
    assert len(before) == 2 and set(before) < set(selected(cube)) and len(selected(cube)) == 4
    run()
    assert len(selected(cube)) == 2


def test_selected_objects_count_alone_and_stay_out_of_edit_mode() -> None:
    cube = add("Cube", cube_mesh())
    along, across = add("Along", cube_mesh((3, 0.1, 0.1))), add("Across", cube_mesh((0.1, 3, 0.1)))
    activate(cube, along)
    run()
    assert len(selected(cube)) == 2
    assert along.mode == across.mode == "OBJECT" and along.select_get() and not across.select_get()


def test_modifiers_and_instances_of_the_others_count() -> None:
    cube = add("Cube", cube_mesh())
    bar = add("Bar", cube_mesh((0.5, 0.1, 0.1)), at=(0, 0, 0))
    activate(cube)
    assert run() == {"CANCELLED"}
    modifier = bar.modifiers.new("Array", "ARRAY")
    modifier.count, modifier.relative_offset_displace[0] = 4, 1.0
    assert run() == {"FINISHED"}
    assert selected(cube) == [facing(cube, 1, 0, 0)]
    bpy.ops.object.mode_set(mode="OBJECT")
    bar.hide_set(True)
    inside = add_collection("Inside", parent=False)
    add("Member", cube_mesh((0.1, 3, 0.1)), collection=inside)
    add_instance("Maker", inside, at=(0, 0, 0.5))
    activate(cube)
    run()
    assert len(selected(cube)) == 2


def test_its_own_colliders_and_what_is_set_to_nothing_do_not_count() -> None:
    cube = add("Cube", cube_mesh())
    add("UBX_Cube", cube_mesh((0.9, 1.1, 0.9)))
    with_setting(add("Ghost", cube_mesh((3, 0.1, 0.1))), "NONE")
    activate(cube)
    assert run() == {"CANCELLED"}
    collider = bpy.data.objects["UBX_Cube"]
    activate(collider)
    assert run() == {"CANCELLED"}
    activate(cube, collider)
    assert run() == {"FINISHED"}


def pair_by_part_of(cube: bpy.types.Object, other: bpy.types.Object) -> None:
    other.collision_kit.part_of = cube


def pair_by_parent(cube: bpy.types.Object, other: bpy.types.Object) -> None:
    other.parent, other.name = cube, "Anything"
    other.collision_kit.collider.kind = "HULL"


def pair_through_another(cube: bpy.types.Object, other: bpy.types.Object) -> None:
    between = add("Between", cube_mesh((0.1, 0.1, 0.1)), parent=cube)
    between.collision_kit.collider.kind = "BOX"
    pair_by_parent(between, other)


def pair_by_godots_name(cube: bpy.types.Object, other: bpy.types.Object) -> None:
    other.name = f"{cube.name}_02-convcolonly"


@pytest.mark.parametrize("pair", [pair_by_part_of, pair_by_parent, pair_through_another, pair_by_godots_name])
def test_nothing_of_its_own_body_counts_however_it_is_paired(pair) -> None:
    cube, other = add("Cube", cube_mesh()), add("Other", cube_mesh((0.9, 1.1, 0.9)))
    activate(cube)
    assert run() == {"FINISHED"}, "as long as they are two bodies"
    bpy.ops.object.mode_set(mode="OBJECT")
    pair(cube, other)
    bpy.context.view_layer.update()
    for one in (cube, other):
        activate(one)
        assert run() == {"CANCELLED"}
    add("Stranger", cube_mesh((0.2, 0.2, 3)), at=(0.8, 0.8, 0.0))
    activate(cube)
    assert run() == {"FINISHED"}, "other bodies count as before"


@pytest.mark.parametrize("engine", ["UNREAL", "GODOT", "UNITY", "GLTF"])
def test_colliders_that_were_made_do_not_count(engine: str) -> None:
    cube = add("Cube", sphere_mesh())
    activate(cube)
    assert bpy.ops.collision_kit.make_collider(kind="BOX", engine=engine) == {"FINISHED"}
    (collider,) = (ob for ob in bpy.data.objects if ob != cube)
    collider.scale *= 0.9  # as it is, it only touches
    for one in (cube, collider):
        activate(one)
        assert run() == {"CANCELLED"}
    activate(cube, collider)
    assert run() == {"FINISHED"}, "what is selected counts whatever it is"


def test_undo_brings_the_selection_and_the_mode_back() -> None:
    cube = add("Cube", cube_mesh())
    add("Bar", cube_mesh((3, 0.1, 0.1)))
    activate(cube)
    bpy.ops.ed.undo_push(message="Before")
    run()
    bpy.ops.ed.undo_push(message="Select")
    bpy.ops.ed.undo()
    assert bpy.context.mode == "OBJECT"
    bpy.ops.ed.redo()
    assert bpy.context.mode == "EDIT_MESH"


def test_poll_says_what_is_missing() -> None:
    with pytest.raises(RuntimeError, match="The active object is not a mesh"):
        run()
    empty_object = add("Empty")
    activate(empty_object)
    with pytest.raises(RuntimeError, match="The active object is not a mesh"):
        run()
    cube = add("Cube", cube_mesh())
    add("Bar", cube_mesh((3, 0.1, 0.1)))
    activate(cube)
    cube.hide_set(True)
    assert bpy.context.view_layer.objects.active == cube
    with pytest.raises(RuntimeError, match="The active object is hidden"):
        run()


def test_the_triangles_of_one_face_are_one_face() -> None:
    square = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], dtype=np.float64)
    sheet = TriangleMesh(square, np.array([(0, 1, 2), (0, 2, 3)]))
    add("Spike", cube_mesh((0.1, 0.1, 2)), at=(0.5, -0.5, 0))
    bpy.context.view_layer.update()
    spike = surfaces_of(bpy.context, {ob.session_uid for ob in bpy.data.objects})
    assert crossing_faces(sheet, np.array([0, 0]), spike).crossing.tolist() == [0]
    assert crossing_faces(sheet, np.array([0, 1]), spike).crossing.tolist() == [0]
    assert crossing_faces(sheet, np.array([0, 0]), []).crossing.tolist() == []
