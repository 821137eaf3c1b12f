# SPDX-License-Identifier: GPL-3.0-or-later
"""Repairs: what they were for is gone, everything stays where it is, and each is one step to undo."""

import bmesh
import bpy
import numpy as np
import pytest
from mathutils import Vector

from collision_kit.addon.asset_rules.limits import Limits
from collision_kit.addon.engines.rules import RULES
from collision_kit.addon.i18n.rule_sentences import FIXED
from collision_kit.addon.scene.colliders.repair import ORDER
from collision_kit.addon.session import validation_results
from collision_kit.addon.validation.check import validate
from collision_kit.addon.validation.run import fix_issues
from collision_kit.core.convexity import is_convex
from collision_kit.core.hull import convex_hull
from tests.helpers.blender.validated_scene import CORNERS, SIDES, add, round_mesh, world
from tests.helpers.offline import slow

SHIFTED = np.add(CORNERS, (0.5, 0.25, 0.0))


def ids(engine="any", limits=None):
    return [one.rule.id for one in validate(bpy.context, engine, limits=limits).issues]


def fix(engine="any", limits=None):
    """Fix all, and return what was done as (rule, fix)."""
    report = fix_issues(bpy.context, validate(bpy.context, engine, limits=limits))
    assert ids(engine, limits) == [one.rule.id for one in report.issues]
    return [(one.rule, one.fix) for one in report.done]


def crate(name="UCX_Crate_01", *shape, **fields):
    return add(name, *shape, parent=add("Crate"), **fields)


def sheared():
    parent = add("Crate", scale=(1.0, 3.0, 1.0), rotation_euler=(0.2, 0.3, 0.4))
    return add("UCX_Crate_01", SHIFTED, parent=parent, rotation_euler=(0.5, 0.6, 0.7), location=(1.0, 2.0, 3.0))


SCALED = {
    "unapplied-scale": lambda: crate(points=SHIFTED, scale=(1.0, 2.0, 3.0), rotation_euler=(0.1, 0.2, 0.3)),
    "negative-scale": lambda: crate(points=SHIFTED, scale=(1.0, -2.0, 3.0), rotation_euler=(0.1, 0.2, 0.3)),
    "sheared": sheared,
}


def test_what_hangs_on_a_vertex_stays_where_it_is_and_what_hangs_on_a_triangle_is_not_moved(scene):
    ob = crate(points=SHIFTED, scale=(1.0, 2.0, 3.0), rotation_euler=(0.1, 0.2, 0.3))
    child = add("Lamp", parent=ob, location=(1.0, 0.0, 0.0), rotation_euler=(0.3, 0.2, 0.1))
    child.parent_type, child.parent_vertices = "VERTEX", (3, 0, 0)
    bpy.context.view_layer.update()
    before = np.array(child.matrix_world)
    assert ("unapplied-scale", "apply") in fix()
    bpy.context.view_layer.update()
    np.testing.assert_allclose(np.array(child.matrix_world), before, atol=1e-5)
    ob.scale = (2.0, 1.0, 1.0)
    child.parent_type, child.parent_vertices = "VERTEX_3", (0, 1, 2)
    bpy.context.view_layer.update()
    before = np.array(child.matrix_world)
    assert fix() == []
    assert "unapplied-scale" in ids()
    bpy.context.view_layer.update()
    np.testing.assert_allclose(np.array(child.matrix_world), before, atol=1e-6)


@pytest.mark.parametrize("rule", SCALED)
def test_scale_is_put_into_the_mesh_and_nothing_moves(scene, rule):
    ob = SCALED[rule]()
    child = add("Lamp", parent=ob, location=(1.0, 0.0, 0.0))
    before, before_child = world(ob), world(child)
    assert rule in ids()
    assert fix() == [(rule, "apply")]
    assert not {*SCALED, "inside-out"} & set(ids())
    np.testing.assert_allclose(world(ob), before, atol=1e-5)
    np.testing.assert_allclose(world(child), before_child, atol=1e-5)


def test_what_is_sheared_has_location_rotation_and_scale_only_as_files_store_them(scene):
    ob = sheared()
    fix()
    local = np.array(ob.parent.matrix_world.inverted() @ ob.matrix_world)[:3, :3]
    lean = local.T @ local
    np.testing.assert_allclose(lean, np.diag(np.diag(lean)), atol=1e-6)


def test_hidden_objects_are_repaired_where_they_are(scene):
    parent = add("Crate", location=(3.0, 0.0, 0.0))
    ob = add("UCX_Crate_01", SHIFTED, parent=parent, scale=(1.0, 2.0, 1.0))
    before = world(ob)
    ob.hide_set(True)
    parent.location.x += 2.0
    bpy.context.view_layer.update()
    assert fix() == [("unapplied-scale", "apply")]
    ob.hide_set(False)
    np.testing.assert_allclose(world(ob), np.add(before, (2.0, 0.0, 0.0)), atol=1e-5)


def test_a_shared_mesh_stays_as_it_is_for_others(scene):
    ob = crate(scale=(2.0, 2.0, 2.0))
    other = add("UCX_Crate_02", parent=bpy.data.objects["Crate"], mesh=ob.data)
    before = world(other)
    assert ("shared-mesh-scales", "own-mesh") in fix()
    assert ob.data != other.data
    np.testing.assert_array_equal(world(other), before)
    assert "unapplied-scale" not in ids()


def test_normals_are_turned_outward(scene):
    for number, faces in enumerate(([side[::-1] for side in SIDES], [SIDES[0][::-1], *SIDES[1:]])):
        crate(f"UCX_Crate_{number}", faces=faces, location=(9.0 * number, 0.0, 0.0))
    assert {"inside-out", "inconsistent-normals"} <= set(ids())
    assert {way for _, way in fix()} == {"outward"}
    assert not {"inside-out", "inconsistent-normals"} & set(ids())


def test_vertices_and_faces_that_are_too_many_go(scene):
    points = np.array(CORNERS)[np.array(SIDES)].reshape(-1, 3)
    doubled = crate(points=points, faces=np.arange(24).reshape(-1, 4))
    edge = [*CORNERS, (0.0, -1.0, -1.0)]
    sliver = add("UCX_Crate_02", edge, [*SIDES, (0, 8, 4)], parent=doubled.parent)
    assert {"duplicate-vertices", "zero-area"} <= set(ids())
    assert {way for _, way in fix()} == {"clean"}
    assert not {"duplicate-vertices", "zero-area", "open-mesh"} & set(ids())
    assert len(doubled.data.vertices) == 8
    assert len(sliver.data.polygons) in (6, 7, 12)


def test_polygons_with_corners_on_one_line_keep_no_triangle_without_area(scene):
    # Edges have a corner in the middle, which is farther out by as little as float32 can tell.
    edges = sorted({tuple(sorted((side[at - 1], side[at]))) for side in SIDES for at in range(4)})
    middle = np.array(CORNERS, np.float32)[edges].mean(axis=1) * np.float32(1.0 + 2.0**-23)
    faces = SIDES
    for number, edge in enumerate(edges):
        faces = [with_corner(side, edge, 8 + number) for side in faces]
    ob = crate(points=[*CORNERS, *middle.tolist()], faces=faces)
    assert {"zero-area"} <= set(ids())
    assert {way for _, way in fix()} == {"clean"}
    assert not {"zero-area", "open-mesh"} & set(ids())
    assert len(ob.data.vertices) <= 20


def with_corner(side, edge, corner):
    """A polygon with one more corner between two that follow each other, in either order."""
    for at in range(len(side)):
        if {side[at - 1], side[at]} == set(edge):
            return (*side[:at], corner, *side[at:])
    return side


def test_what_is_not_convex_is_replaced_by_its_hull(scene):
    dented = [*CORNERS, (0.0, 0.0, 0.0)]
    sides = [side for side in SIDES if not {1, 3, 5, 7} >= set(side)]
    ob = crate(points=dented, faces=[*sides, (1, 5, 8), (5, 7, 8), (7, 3, 8), (3, 1, 8)])
    ob.data.materials.append(bpy.data.materials.new("Wire"))
    assert fix() == [("not-convex", "hull")]
    assert len(ob.data.vertices) == 8
    assert len(ob.data.polygons) == 6
    assert [slot.name for slot in ob.material_slots] == ["Wire"]
    assert ids() == []


def test_holes_of_convex_colliders_are_closed_and_those_of_others_are_left(scene):
    ob = crate(faces=SIDES[1:])
    other = add("Crate_02-colonly", faces=SIDES[1:], parent=ob.parent)
    assert fix() == [("open-mesh", "hull")]
    assert len(ob.data.polygons) == 6
    assert len(other.data.polygons) == 5


def test_loose_vertices_become_a_hull(scene):
    ob = crate(faces=[])
    assert fix() == [("no-faces", "hull")]
    assert len(ob.data.polygons) == 6


def test_simplified_hulls_keep_the_budget_and_hold_everything(scene):
    points, faces = round_mesh()
    ob = crate(points=points, faces=faces)
    assert "vertex-budget" in ids()
    limits = Limits(vertices=20)
    assert ("vertex-budget", "simplify") in fix(limits=limits)
    after = np.array([tuple(vertex.co) for vertex in ob.data.vertices], dtype=np.float64)
    assert len(after) <= 20
    triangles = [
        (p.vertices[0], p.vertices[i], p.vertices[i + 1])
        for p in ob.data.polygons
        for i in range(1, len(p.vertices) - 1)
    ]
    assert is_convex(after.astype(np.float32), triangles)
    hull = convex_hull(after)
    assert (points @ hull.normals.T - hull.offsets).max() < 1e-5


@pytest.mark.parametrize("rule", ["unity-triangles", *slow("unity-vertices")])
def test_unity_s_limits_are_kept(scene, rule):
    points, faces = round_mesh(segments=48, rings=24)
    crate(points=points, faces=faces)
    limits = Limits(vertices=10**6)
    assert rule in ids("unity", limits)
    fix("unity", limits)
    assert not {"unity-vertices", "unity-triangles"} & set(ids("unity", limits))


@pytest.mark.parametrize("engine", ["any", "unreal", "godot"])
def test_pieces_become_objects_with_names_that_the_engine_reads(scene, engine):
    name = "Crate_01-convcolonly" if engine == "godot" else "UCX_Crate_01"
    ob = crate(
        name,
        [*np.multiply(CORNERS, 0.4), *np.add(np.multiply(CORNERS, 0.4), (0.0, 0.0, 2.0))],
        [*SIDES, *np.add(SIDES, 8)],
    )
    ob.location.x = 0.25
    before = world(ob)
    assert ("several-pieces", "separate") in fix(engine)
    pieces = [one for one in bpy.context.scene.objects if one.name != "Crate"]
    assert len(pieces) == 2
    assert not {"several-pieces", "orphan-collider", f"{engine}-name", "unreal-no-render-mesh"} & set(ids(engine))
    assert all(piece.parent == ob.parent for piece in pieces)
    after = np.concatenate([world(piece) for piece in pieces])
    np.testing.assert_allclose(after[np.lexsort(np.round(after, 4).T)], before, atol=1e-6)


@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize("shift", [(2.0, 0.0, 0.0), (2.0, 2.0, 0.0), (2.0, 2.0, 2.0)])
def test_pieces_that_touch_become_objects(scene, shift, merged):
    points = np.concatenate([CORNERS, np.add(CORNERS, shift)])
    faces = np.concatenate([SIDES, np.add(SIDES, 8)])
    if merged:
        points, number = np.unique(points, axis=0, return_inverse=True)
        faces = number.reshape(-1)[faces]
        # Of two faces in the same place one is left, as after Merge by Distance.
        faces = faces[np.unique(np.sort(faces, axis=1), axis=0, return_index=True)[1]]
    crate("UCX_Crate_01", points, faces.tolist())
    assert ("several-pieces", "separate") in fix("unreal")
    pieces = [one for one in bpy.context.scene.objects if one.name != "Crate"]
    low = sorted(tuple(world(piece).min(axis=0).round(5).tolist()) for piece in pieces)
    assert low == sorted(tuple(np.add(np.min(CORNERS, axis=0), step).tolist()) for step in ((0.0, 0.0, 0.0), shift))
    for piece in pieces:
        assert (len(piece.data.vertices), len(piece.data.edges), len(piece.data.polygons)) == (8, 12, 6)
        assert all(
            face.normal.dot(face.center - sum((v.co for v in piece.data.vertices), Vector()) / 8) > 0
            for face in piece.data.polygons
        )
    assert not {"several-pieces", "not-convex", "inconsistent-normals", "open-mesh", "inside-out"} & set(ids("unreal"))


def test_origins_go_to_the_middle_and_nothing_moves(scene):
    ob = crate("UBX_Crate_01", SHIFTED, rotation_euler=(0.1, 0.2, 0.3), scale=(1.0, 1.0, 1.0))
    child = add("Lamp", parent=ob)
    before, before_child = world(ob), world(child)
    assert fix("gltf") == [("gltf-offset", "origin")]
    assert "gltf-offset" not in ids("gltf")
    np.testing.assert_allclose(world(ob), before, atol=1e-5)
    np.testing.assert_allclose(world(child), before_child, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "engine", "renamed"),
    [
        ("UCX_Crat_01", "unreal", "UCX_Crate_01"),
        ("ucx_crate_07", "unreal", "UCX_Crate_01"),
        ("Crate_07-convcolonly", "unreal", "UCX_Crate_01"),
        ("UCX_Crate_07", "godot", "Crate_01-convcolonly"),
        ("UBX_Crate_07", "godot", "Crate_01-convcolonly"),
        ("Crate-colonly-001", "godot", "Crate_01-colonly"),
        ("-convcolonly", "godot", "Crate_01-convcolonly"),
        ("Crate_07-ConvColOnly", "godot", "Crate_01-convcolonly"),
    ],
)
def test_names_become_what_the_engine_reads(scene, name, engine, renamed):
    ob = crate(name)
    assert {way for _, way in fix(engine)} == {"rename"}
    assert ob.name == renamed
    assert [one for one in ids(engine) if one.startswith(engine)] == []


def test_a_number_that_makes_another_mesh_s_name_is_passed_over(scene):
    add("Crate_01", location=(9.0, 0.0, 0.0))
    ob = crate("UCX_Crat_01")
    fix("unreal")
    assert ob.name == "UCX_Crate_02"


def test_what_is_no_box_becomes_a_convex_collider(scene):
    leaning = [(x + 0.1 * z, y, z) for x, y, z in CORNERS]
    ob = crate("UBX_Crate_01", leaning)
    add("UCX_Crate_01", parent=ob.parent)
    assert ("unreal-not-a-box", "as-hull") in fix("unreal")
    assert ob.name == "UCX_Crate_02"


@pytest.mark.parametrize("way", ["modifier", "keys", "constraint", "edit"])
def test_what_would_lose_something_is_left_alone(scene, way):
    ob = crate(scale=(2.0, 2.0, 2.0))
    if way == "modifier":
        ob.modifiers.new("Bevel", "BEVEL")
    elif way == "keys":
        ob.shape_key_add()
    elif way == "constraint":
        ob.constraints.new("LIMIT_SCALE")
    else:
        bpy.context.view_layer.objects.active = ob
        bpy.ops.object.mode_set(mode="EDIT")
    assert "unapplied-scale" in ids()
    assert fix() == []
    if way == "edit":
        bpy.ops.object.mode_set(mode="OBJECT")


def test_a_disabled_collider_is_read_while_its_mesh_is_edited_in_another_object(scene):
    ob = crate()
    add("Twin", mesh=ob.data)
    ob.hide_viewport = True
    bpy.context.view_layer.objects.active = bpy.data.objects["Twin"]
    bpy.ops.object.mode_set(mode="EDIT")
    edited = bmesh.from_edit_mesh(ob.data)
    assert "open-mesh" not in ids()
    bmesh.ops.delete(edited, geom=edited.faces[:1], context="FACES_ONLY")
    bmesh.update_edit_mesh(ob.data)
    assert "open-mesh" in ids()
    bpy.ops.object.mode_set(mode="OBJECT")


def test_what_one_sees_keeps_its_form(scene):
    ob = add("Crate-convcol", faces=SIDES[1:])
    assert "open-mesh" in ids("godot")
    assert fix("godot") == []
    assert len(ob.data.polygons) == 5


def test_every_fix_of_a_rule_is_one_that_there_is():
    assert {rule.fix for rule in RULES if rule.fix} == set(ORDER) == set(FIXED)


# The operators.


def broken_crate():
    ob = crate(scale=(1.0, 2.0, 3.0))
    ob.name = "UCX_Crat_01"
    bpy.context.scene.collision_kit.engine = "UNREAL"
    assert bpy.ops.collision_kit.validate_colliders() == {"FINISHED"}
    return ob


def kept():
    found = validation_results.kept_here(bpy.context)
    assert found is not None
    return found.report


def test_the_operator_keeps_what_the_settings_ask_for(scene):
    broken_crate()
    assert {one.rule.id for one in kept().issues} >= {"unapplied-scale", "unreal-no-render-mesh"}
    bpy.context.scene.collision_kit.engine = "ANY"
    bpy.ops.collision_kit.validate_colliders()
    assert "unreal-no-render-mesh" not in {one.rule.id for one in kept().issues}
    bpy.context.scene.collision_kit.validation.smallest = 100.0
    bpy.ops.collision_kit.validate_colliders()
    assert "too-small" in {one.rule.id for one in kept().issues}


def test_one_issue_is_fixed_and_the_rest_is_left(scene):
    ob = broken_crate()
    row = [one.rule.id for one in kept().issues].index("unapplied-scale")
    assert bpy.ops.collision_kit.fix_issue(row=row) == {"FINISHED"}
    assert tuple(ob.scale) == pytest.approx((1.0, 1.0, 1.0))
    assert ob.name == "UCX_Crat_01"
    assert [one.rule.id for one in kept().issues].count("unapplied-scale") == 0
    assert [one.fix for one in kept().done] == ["apply"]


def test_all_is_fixed_in_one_step_that_can_be_undone(scene):
    broken_crate()
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.collision_kit.fix_issues() == {"FINISHED"}
    assert {one.fix for one in kept().done} == {"apply", "rename"}
    assert "UCX_Crate_01" in bpy.data.objects
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    ob = bpy.data.objects["UCX_Crat_01"]
    assert tuple(ob.scale) == pytest.approx((1.0, 2.0, 3.0))
    found = validation_results.latest.result
    assert found is not None
    assert found.change is not None


def test_a_click_selects_the_object_and_shows_it(scene):
    ob = broken_crate()
    ob.hide_set(True)
    assert bpy.ops.collision_kit.select_issue(row=0) == {"FINISHED"}
    assert bpy.context.view_layer.objects.active == ob
    assert [one.name for one in bpy.context.view_layer.objects.selected] == [ob.name]


def test_without_a_number_issues_are_gone_through_object_by_object(scene):
    broken_crate()
    add("UCX_Nobody_01")
    bpy.ops.collision_kit.validate_colliders()
    listed = list(dict.fromkeys(one.object for one in kept().issues))
    assert len(listed) > 1
    bpy.context.view_layer.objects.active = None
    seen = []
    for _ in range(2 * len(listed)):
        assert bpy.ops.collision_kit.select_issue() == {"FINISHED"}
        seen.append(bpy.context.view_layer.objects.active.name)
    assert seen == 2 * listed


def test_without_a_number_the_active_object_is_fixed(scene):
    ob = broken_crate()
    before = [(one.rule.id, one.object) for one in kept().issues if one.fixable]
    bpy.context.view_layer.objects.active = ob
    assert bpy.ops.collision_kit.fix_issue() == {"FINISHED"}
    (done,) = kept().done
    assert (done.rule, done.object) == before[0]
    bpy.context.view_layer.objects.active = None
    assert bpy.ops.collision_kit.fix_issue() == {"CANCELLED"}


def test_what_is_gone_or_takes_a_decision_is_said(scene):
    ob = broken_crate()
    (row,) = [row for row, one in enumerate(kept().issues) if one.rule.id == "collider-far-outside"]
    assert bpy.ops.collision_kit.fix_issue(row=row) == {"CANCELLED"}
    assert bpy.ops.collision_kit.fix_issue(row=99) == {"CANCELLED"}
    bpy.data.objects.remove(ob)
    assert bpy.ops.collision_kit.fix_issue(row=0) == {"CANCELLED"}
    assert bpy.ops.collision_kit.select_issue(row=0) == {"CANCELLED"}
    assert bpy.ops.collision_kit.fix_issues() == {"FINISHED"}
    assert kept().done == ()


def test_moving_something_makes_it_old_and_another_file_forgets_it(scene):
    ob = broken_crate()
    found = validation_results.latest.result
    assert found is not None
    assert found.change is None
    ob.location.x += 1.0
    bpy.context.view_layer.update()
    assert found.change is not None
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert validation_results.latest.result is None


def test_buttons_that_can_do_nothing_say_why(scene):
    with pytest.raises(RuntimeError, match="no objects"):
        bpy.ops.collision_kit.validate_colliders()
    crate()
    with pytest.raises(RuntimeError, match="No results: run Validate Colliders first"):
        bpy.ops.collision_kit.fix_issues()
    bpy.ops.collision_kit.validate_colliders()
    with pytest.raises(RuntimeError, match="found no issues"):
        bpy.ops.collision_kit.fix_issues()
    add("Lamp", location=(9.0, 0.0, 0.0))
    bpy.ops.collision_kit.validate_colliders()
    with pytest.raises(RuntimeError, match="None of the issues"):
        bpy.ops.collision_kit.fix_issues()
