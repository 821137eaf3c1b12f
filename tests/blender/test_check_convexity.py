# SPDX-License-Identifier: GPL-3.0-or-later
"""Check Convexity: which edges end up selected, what is said, what undo brings back, and the panel."""

import bmesh
import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from collision_kit.addon.i18n.units import angle_text, area_text, volume_text
from collision_kit.addon.session import convexity_results
from collision_kit.addon.ui.panels.convexity import COLLISION_KIT_PT_convexity
from collision_kit.core import Flaw, convex_hull
from tests.helpers.blender.checked_scene import look
from tests.helpers.blender.panel_recorder import Recorder, drawn


@pytest.fixture(autouse=True)
def empty(scene: bpy.types.Scene) -> None:
    convexity_results.forget()


def add(name: str, mesh: bpy.types.Mesh) -> bpy.types.Object:
    ob = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(ob)
    ob.select_set(True)
    bpy.context.view_layer.objects.active = ob
    bpy.context.view_layer.update()
    return ob


def grid_box(name: str = "Block", dents: tuple[Vector, ...] = (), depth: float = 0.1) -> bpy.types.Object:
    """A cube of side 2 of four by four quads a side; the vertices at the dents are pushed in."""
    edit = bmesh.new()
    bmesh.ops.create_cube(edit, size=2.0)
    bmesh.ops.subdivide_edges(edit, edges=edit.edges[:], cuts=3, use_grid_fill=True)
    for vertex in edit.verts:
        if any((vertex.co - dent).length < 1e-4 for dent in dents):
            vertex.co.z -= depth
    mesh = bpy.data.meshes.new(name)
    edit.to_mesh(mesh)
    edit.free()
    return add(name, mesh)


def wedge_cut() -> bpy.types.Object:
    """A prism over an L: one reflex edge, upright at (1, 1), of a right angle."""
    outline = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    vertices = [(x, y, z) for z in (0, 1) for x, y in outline]
    sides = [(i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6) for i in range(6)]
    mesh = bpy.data.meshes.new("Step")
    mesh.from_pydata(vertices, [], [tuple(reversed(range(6))), tuple(range(6, 12)), *sides])
    return add("Step", mesh)


def selected_edges(ob: bpy.types.Object) -> set[tuple[int, int]]:
    if any(other.data == ob.data and other.mode == "EDIT" for other in bpy.context.scene.objects):
        # Writing the edited mesh back to read it from there would keep undo from restoring it.
        edges = bmesh.from_edit_mesh(ob.data).edges
        return {tuple(sorted(vertex.index for vertex in edge.verts)) for edge in edges if edge.select}
    return {tuple(sorted(edge.vertices)) for edge in ob.data.edges if edge.select}


def check(**options: object) -> None:
    assert bpy.ops.collision_kit.check_convexity(**options) == {"FINISHED"}


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_a_convex_mesh_stays_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    ob = grid_box()
    before = selected_edges(ob)
    check()
    assert bpy.context.mode == "OBJECT"
    assert selected_edges(ob) == before
    known = convexity_results.known(ob)
    assert known is not None and known.convexity.convex


def test_the_one_edge_of_a_step_is_selected_and_its_concave_caps_add_none(capsys: pytest.CaptureFixture[str]) -> None:
    ob = wedge_cut()
    check()
    assert bpy.context.mode == "EDIT_MESH"
    assert tuple(bpy.context.scene.tool_settings.mesh_select_mode) == (False, True, False)
    assert selected_edges(ob) == {(3, 9)}
    text = said(capsys)
    assert "Step" in text and "not convex" in text and "90°" in text and "1 m" in text


def test_exactly_the_valleys_of_the_planted_dents_are_selected() -> None:
    dents = (Vector((-0.5, 0.5, 1.0)), Vector((0.5, -0.5, 1.0)))
    ob = grid_box(dents=dents)
    check()
    ob.update_from_editmode()
    # Quads around a dent are bent, so that each may have its valley along its diagonal or along its edges; in
    # either case what is selected belongs to a face at a dent, and every edge that runs into a dent is there.
    dented = {
        vertex.index for vertex in ob.data.vertices if any((vertex.co.xy - dent.xy).length < 1e-4 for dent in dents)
    }
    dented = {index for index in dented if ob.data.vertices[index].co.z > 0.0}
    assert len(dented) == 2
    around = {tuple(sorted(key)) for face in ob.data.polygons if dented & set(face.vertices) for key in face.edge_keys}
    found = selected_edges(ob)
    assert {edge for edge in found if not dented & set(edge)} <= around
    assert {tuple(sorted(edge.vertices)) for edge in ob.data.edges if dented & set(edge.vertices)} <= found


def test_a_dent_between_triangles_selects_the_edges_that_run_into_it_and_no_other() -> None:
    ob = grid_box(dents=(Vector((0.5, 0.5, 1.0)),))
    edit = bmesh.new()
    edit.from_mesh(ob.data)
    bmesh.ops.triangulate(edit, faces=edit.faces[:])
    edit.to_mesh(ob.data)
    edit.free()
    (dent,) = (vertex.index for vertex in ob.data.vertices if abs(vertex.co.z - 0.9) < 1e-5)
    check()
    assert selected_edges(ob) == {tuple(sorted(e.vertices)) for e in ob.data.edges if dent in e.vertices}


def test_open_edges_are_selected_too_unless_they_are_not_wanted() -> None:
    ob = wedge_cut()
    edit = bmesh.new()
    edit.from_mesh(ob.data)
    edit.faces.ensure_lookup_table()
    bmesh.ops.delete(edit, geom=[edit.faces[1]], context="FACES_ONLY")
    edit.to_mesh(ob.data)
    edit.free()
    check()
    rim = {tuple(sorted((6 + i, 6 + (i + 1) % 6))) for i in range(6)}
    assert selected_edges(ob) == {(3, 9)} | rim
    check(kinds={"OPEN"})
    assert selected_edges(ob) == rim
    check(kinds={"REFLEX"})
    assert selected_edges(ob) == {(3, 9)}


def test_in_edit_mode_what_is_being_edited_is_checked_and_the_mode_kept() -> None:
    ob = grid_box()
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_mode(type="VERT")
    edit = bmesh.from_edit_mesh(ob.data)
    (top,) = (v for v in edit.verts if (v.co - Vector((0, 0, 1))).length < 1e-4)
    top.co.z = 0.5
    index = top.index
    bmesh.update_edit_mesh(ob.data)
    check()
    assert bpy.context.mode == "EDIT_MESH"
    found = selected_edges(ob)
    assert found and any(index in edge for edge in found)
    assert not any(v.select for v in bmesh.from_edit_mesh(ob.data).verts if v.co.z < 0.4)


def test_a_convex_mesh_in_edit_mode_has_nothing_selected_afterwards() -> None:
    ob = grid_box()
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    check()
    assert selected_edges(ob) == set()


def test_several_objects_are_checked_and_each_gets_its_own_edges(capsys: pytest.CaptureFixture[str]) -> None:
    step, block = wedge_cut(), grid_box()
    assert bpy.context.view_layer.objects.active == block
    check()
    assert selected_edges(step) == {(3, 9)}
    assert selected_edges(block) == set()
    text = said(capsys)
    assert '1 of 2 meshes is not convex. "Step": 1 concave edge, by 1 m and 90°' in text
    assert bpy.context.view_layer.objects.active == step


def test_objects_that_share_a_mesh_are_each_judged_in_their_own_scale(capsys: pytest.CaptureFixture[str]) -> None:
    step = wedge_cut()
    twin = add("Twin", step.data)
    twin.scale = (3.0, 3.0, 3.0)
    bpy.context.view_layer.update()
    check()
    assert selected_edges(step) == {(3, 9)}
    assert "1 edge selected" in said(capsys)
    heights = [convexity_results.known(ob).convexity.reflex_height for ob in (step, twin)]  # type: ignore[union-attr]
    assert heights[0] == pytest.approx([1.0])
    assert heights[1] == pytest.approx([3.0])


def test_of_several_the_one_that_folds_deepest_is_told_about(capsys: pytest.CaptureFixture[str]) -> None:
    for size in (1.0, 3.0, 2.0):
        ob = wedge_cut()
        ob.name = f"Step {size:.0f}"
        ob.scale = (size, size, size)
    bpy.context.view_layer.update()
    check()
    assert '3 of 3 meshes are not convex. "Step 3": 1 concave edge, by 3 m' in said(capsys)


def test_undo_brings_mode_selection_and_mesh_back() -> None:
    ob = wedge_cut()
    # By way of bmesh, because `edge.select = …` on a mesh crashes Blender 5.0.
    edit = bmesh.new()
    edit.from_mesh(ob.data)
    for edge in edit.edges:
        edge.select = edge.index == 0
    edit.to_mesh(ob.data)
    edit.free()
    before = selected_edges(ob)
    assert len(before) == 1
    bpy.ops.ed.undo_push(message="Before")
    check()
    bpy.ops.ed.undo_push(message="Check Convexity")
    assert selected_edges(bpy.data.objects["Step"]) == {(3, 9)}
    bpy.ops.ed.undo()
    assert bpy.context.mode == "OBJECT"
    assert selected_edges(bpy.data.objects["Step"]) == before


def test_hidden_edges_are_shown_if_they_are_at_fault() -> None:
    ob = wedge_cut()
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.hide()
    check()
    assert selected_edges(ob) == {(3, 9)}


def test_modifiers_are_left_out_and_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    ob = grid_box()
    modifier = ob.modifiers.new("Displace", "DISPLACE")
    modifier.strength = -0.4
    wave = ob.modifiers.new("Wave", "WAVE")
    assert wave is not None
    check()
    known = convexity_results.known(ob)
    assert known is not None and known.convexity.convex
    assert "Modifiers were ignored" in said(capsys)


@pytest.mark.parametrize(
    "matrix", [Matrix.Scale(-1.0, 4, (1, 0, 0)), Matrix.Translation((500, 0, 0)), Matrix.Rotation(1, 4, "Y")]
)
def test_mirrored_and_moved_objects_keep_their_edges(matrix: Matrix) -> None:
    ob = wedge_cut()
    ob.matrix_world = matrix
    bpy.context.view_layer.update()
    check()
    assert selected_edges(ob) == {(3, 9)}


def test_objects_that_cannot_be_checked_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    add("Hollow", bpy.data.meshes.new("Hollow"))
    assert bpy.ops.collision_kit.check_convexity() == {"CANCELLED"}
    assert "Hollow" in said(capsys)
    broken = grid_box("Broken")
    broken.data.vertices[0].co.x = float("nan")
    check_of_rest = grid_box("Fine")
    check()
    assert "Broken" in said(capsys)
    assert convexity_results.known(check_of_rest) is not None


def test_what_is_missing_is_said() -> None:
    with pytest.raises(RuntimeError, match="Select a mesh object"):
        bpy.ops.collision_kit.check_convexity()
    grid_box()
    bpy.ops.object.mode_set(mode="SCULPT")
    with pytest.raises(RuntimeError, match="Object Mode or mesh Edit Mode"):
        bpy.ops.collision_kit.check_convexity()
    bpy.ops.object.mode_set(mode="OBJECT")


# The panel


def panel() -> Recorder | None:
    return drawn(COLLISION_KIT_PT_convexity, bpy.context)


def texts() -> str:
    recorder = panel()
    assert recorder is not None
    return " ".join(recorder.texts).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.usefixtures("all_panels")
def test_the_panel_shows_the_hull_of_the_active_mesh() -> None:
    assert panel() is None, "nothing is active"
    ob = wedge_cut()
    assert "Volume" not in texts()
    check()
    bpy.ops.object.mode_set(mode="OBJECT")
    hull = convex_hull(np.array([vertex.co for vertex in ob.data.vertices]))
    shown = panel()
    assert shown is not None
    facts = dict(zip(shown.texts, shown.texts[1:], strict=False))
    assert (facts["Vertices"], facts["Edges"], facts["Faces"]) == ("10", "15", "7")
    assert len(hull.vertices) == 10
    assert facts["Volume"] == volume_text(3.5, bpy.context.scene.unit_settings)
    assert facts["Area"] == area_text(hull.area, bpy.context.scene.unit_settings)
    assert facts["Filled"] == f"{100 * 3.0 / 3.5:.4g} %"
    assert '"Step" is not convex' in shown.texts
    assert "1 concave edge, by 1 m and 90°" in texts()


def test_the_hull_is_measured_in_the_scale_of_the_object() -> None:
    ob = grid_box()
    ob.scale = (2.0, 1.0, 0.5)
    bpy.context.view_layer.update()
    units = bpy.context.scene.unit_settings
    units.length_unit = "CENTIMETERS"
    check()
    assert "8 × 10⁶ cm³" in texts()
    units.scale_length = 0.01
    assert "8 cm³" in texts() and "28 cm²" in texts()
    units.system = "NONE"
    assert "8" in drawn(COLLISION_KIT_PT_convexity, bpy.context).texts  # type: ignore[union-attr]
    units.system = "METRIC"
    assert "100 %" in texts()


def test_a_change_is_noticed_and_taking_it_back_is_too() -> None:
    ob = grid_box()
    check()
    changed = "Possibly changed since this check"
    assert changed not in texts()
    ob.location.x = 5.0
    look()
    assert changed not in texts(), "where it is plays no part"
    ob.scale.x = 2.0
    look()
    assert changed in texts()
    ob.scale.x = 1.0
    look()
    assert changed not in texts()
    ob.data.vertices[0].co.x += 0.1
    ob.data.update()
    look()
    assert changed in texts()


def test_entering_edit_mode_for_the_user_is_no_change() -> None:
    wedge_cut()
    check()
    assert "Possibly changed" not in texts()
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    assert "Possibly changed" not in texts()


def test_what_is_being_edited_is_no_longer_what_was_checked() -> None:
    ob = grid_box()
    check()
    bpy.ops.object.mode_set(mode="EDIT")
    edit = bmesh.from_edit_mesh(ob.data)
    edit.verts.ensure_lookup_table()
    edit.verts[0].co.x += 0.1
    bmesh.update_edit_mesh(ob.data)
    bpy.context.view_layer.update()
    assert "Possibly changed since this check" in texts()


def test_a_new_file_knows_nothing() -> None:
    ob = grid_box()
    check()
    ob.data.vertices[0].co.x += 0.1
    ob.data.update()
    bpy.context.view_layer.update()
    assert convexity_results.is_suspect()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert not convexity_results.is_suspect()


def test_each_flaw_has_a_sentence() -> None:
    ob = grid_box()
    check()
    known = convexity_results.known(ob)
    assert known is not None
    units = bpy.context.scene.unit_settings
    for flaw in Flaw:
        if flaw is not Flaw.REFLEX_EDGES:
            assert " " in convexity_results.flaw_text(flaw, known.convexity, units)


@pytest.mark.parametrize(
    ("unit", "volume", "text"),
    [
        ("MILLIMETERS", 8.37758041, "8.378 × 10⁹ mm³"),
        ("MILLIMETERS", 1.234567e-4, "123457 mm³"),
        ("MILLIMETERS", 1e-3, "1 × 10⁶ mm³"),
        ("MILLIMETERS", 1.5e-9, "1.5 mm³"),
        ("METERS", 1.5e-9, "1.5 × 10⁻⁹ m³"),
        ("METERS", -8e-6, "-8 × 10⁻⁶ m³"),
        ("METERS", 0.00012, "0.00012 m³"),
        ("METERS", 0.0, "0 m³"),
        ("METERS", np.inf, "inf m³"),
        ("ADAPTIVE", 1.5e-9, "1.5 mm³"),
    ],
)
def test_volumes_of_any_size_have_few_digits(unit: str, volume: float, text: str) -> None:
    units = bpy.context.scene.unit_settings
    units.length_unit = unit
    assert volume_text(volume, units) == text


def test_areas_have_few_digits_too() -> None:
    units = bpy.context.scene.unit_settings
    units.length_unit = "MILLIMETERS"
    assert area_text(123.456789, units) == "1.235 × 10⁸ mm²"
    units.system = "NONE"
    assert area_text(1.23456789e8, units) == "1.235 × 10⁸"


def test_angles_follow_the_scenes_unit() -> None:
    units = bpy.context.scene.unit_settings
    assert angle_text(np.pi / 4, units) == "45°"
    units.system_rotation = "RADIANS"
    assert angle_text(0.5, units) == "0.5 rad"
