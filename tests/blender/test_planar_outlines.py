# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects are read as the outlines that they have in a plane."""

import math

import bpy
import numpy as np
import pytest
from mathutils import Vector

from collision_kit.addon.scene.meshes.display_geometry import DrawnReader
from collision_kit.addon.scene.outlines import read_outlines
from collision_kit.addon.scene.outlines.planes import plane_of
from collision_kit.core import planar
from tests.helpers.blender.bridge_scene import cube_mesh, sphere_mesh
from tests.helpers.blender.planar_scene import (
    EIGHT,
    HOLE,
    ISLAND,
    SQUARE,
    L,
    area,
    batch_of,
    curve,
    flat_mesh,
    frame_mesh,
    issues,
    link,
    read,
    rim,
    rows,
    wire_mesh,
)

pytestmark = pytest.mark.usefixtures("scene")


def only(shapes, name):
    (row,) = rows(shapes, name)
    return shapes.shapes[row]


def test_a_flat_mesh_is_its_rim_with_all_holes() -> None:
    frame_mesh("Frame", location=(10.0, -3.0, 0.5))
    shapes = read()
    shape = only(shapes, "Frame")
    assert (shape.kind, shape.reason) == ("region", "flat mesh")
    assert rim(shapes, "Frame") == {(x + 10.0, y - 3.0) for x, y in (*SQUARE, *HOLE)}
    assert area(shapes, "Frame") == 12.0
    assert shapes.world.front.tolist() == [0.5]
    assert not shapes.issues


def test_islands_are_several_shapes_of_one_body() -> None:
    flat_mesh("Both", [SQUARE, [(x + 9.0, y) for x, y in L]])
    shapes = read()
    assert sorted(shapes.shapes[row].kind for row in rows(shapes, "Both")) == ["polygon", "region"]
    assert len(shapes.bodies) == 1
    assert len(shapes.bodies[0].members) == 1
    assert area(shapes, "Both") == 16.0 + 5.0


def test_faces_that_overlap_are_covered_once() -> None:
    flat_mesh("Cross", [[(0, 1), (3, 1), (3, 2), (0, 2)], [(1, 0), (2, 0), (2, 3), (1, 3)]])
    shapes = read()
    assert area(shapes, "Cross") == pytest.approx(5.0, abs=1e-5)
    assert len(rows(shapes, "Cross")) == 1


def test_a_face_that_crosses_itself_is_named_with_the_place() -> None:
    flat_mesh("Bow", [EIGHT], location=(10.0, 20.0, 3.0))
    shapes = read()
    assert issues(shapes) == {"Bow": "self-crossing-outline"}
    assert "(12, 22, 3)" in shapes.issues[0].message
    assert area(shapes, "Bow") == pytest.approx(16.0), "the hull stands for it"


@pytest.mark.parametrize("scale", [(2.0, 0.5, 1.0), (-1.0, 1.0, 1.0), (-2.0, -3.0, 1.0), (1.0, -0.25, -7.0)], ids=str)
@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.7), (0.5, -0.3, 1.1), (math.pi, 0.0, 0.0)], ids=str)
def test_scaled_mirrored_and_turned_things_have_the_area_of_their_shadow(scale, turn) -> None:
    ob = frame_mesh("Frame", scale=scale, rotation_euler=turn, location=(100.0, 50.0, 0.0))
    bent = flat_mesh("L", [L], scale=scale, rotation_euler=turn)
    quad = flat_mesh("Quad", [SQUARE], scale=scale, rotation_euler=turn)
    shapes = read()
    factor = abs(np.linalg.det(np.array(ob.matrix_world, dtype=float)[:2, :2]))
    assert area(shapes, ob.name) == pytest.approx(12.0 * factor, rel=1e-5)
    assert area(shapes, bent.name) == pytest.approx(5.0 * factor, rel=1e-5)
    assert only(shapes, quad.name).kind == "polygon"
    found = np.array(sorted(rim(shapes, quad.name)))
    wanted = np.array([tuple(quad.matrix_world @ vertex.co)[:2] for vertex in quad.data.vertices])
    assert len(found) == 4
    assert np.linalg.norm(found[:, None] - wanted, axis=-1).min(axis=0).max() < 1e-4
    assert not shapes.issues


def test_what_is_seen_edge_on_is_a_line_and_said_to_be() -> None:
    frame_mesh("Frame", rotation_euler=(math.pi / 2, 0.0, 0.3))
    shapes = read()
    assert issues(shapes) == {"Frame": "edge-on"}
    assert only(shapes, "Frame").reason == "seen edge-on"
    assert area(shapes, "Frame") == pytest.approx(0.0, abs=1e-5)
    line = batch_of(shapes, 0)
    ends = planar.Circles([[0.0, 0.0], [4 * math.cos(0.3), 4 * math.sin(0.3)]], [1e-5, 1e-5])
    assert planar.overlap(line, ends).all()


@pytest.mark.parametrize(("dimensions", "fill"), [("2D", "BOTH"), ("2D", "FRONT"), ("2D", "NONE"), ("3D", "")])
def test_a_closed_curve_encloses_by_the_even_odd_rule(dimensions, fill) -> None:
    curve("Rings", [SQUARE, HOLE, ISLAND], dimensions=dimensions, fill=fill, location=(1.0, 2.0, 0.0))
    shapes = read()
    assert {shapes.shapes[row].reason for row in rows(shapes, "Rings")} == {"closed curve"}
    assert area(shapes, "Rings") == 16.0 - 4.0 + 1.0
    assert rim(shapes, "Rings") == {(x + 1.0, y + 2.0) for x, y in (*SQUARE, *HOLE, *ISLAND)}
    assert len(shapes.bodies) == 1
    assert not shapes.issues


@pytest.mark.parametrize("kind", ["BEZIER", "NURBS"])
@pytest.mark.parametrize("resolution", [1, 5, 12])
def test_a_round_curve_is_read_at_the_resolution_of_the_viewport(kind, resolution) -> None:
    ob = curve("Round", [SQUARE, HOLE], kind=kind)
    ob.data.resolution_u = resolution
    for spline in ob.data.splines:
        spline.resolution_u = resolution
    bpy.context.view_layer.update()
    evaluated = ob.evaluated_get(bpy.context.evaluated_depsgraph_get())
    drawn = DrawnReader().read(evaluated, ob)
    assert drawn.curves == (4 * resolution, 4 * resolution), "Blender made as many vertices as its rule says"
    shapes = read()
    filled = sum(polygon.area for polygon in evaluated.to_mesh().polygons)
    evaluated.to_mesh_clear()
    assert area(shapes, "Round") == pytest.approx(filled, rel=1e-5), "what Blender fills"
    assert not shapes.issues


def test_straight_bezier_segments_have_one_vertex() -> None:
    ob = curve("Corner", [SQUARE], kind="BEZIER")
    for point in list(ob.data.splines[0].bezier_points)[:3]:
        point.handle_left_type = point.handle_right_type = "VECTOR"
    bpy.context.view_layer.update()
    drawn = DrawnReader().read(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()), ob)
    assert drawn.curves == (2 + 2 * ob.data.splines[0].resolution_u,)


@pytest.mark.parametrize(("dimensions", "fill"), [("2D", "BOTH"), ("2D", "NONE"), ("3D", "")])
def test_a_curve_that_crosses_itself_is_named_with_the_place(dimensions, fill) -> None:
    curve("Eight", [EIGHT], dimensions=dimensions, fill=fill, location=(6.0, 0.0, 1.0))
    shapes = read()
    assert issues(shapes) == {"Eight": "self-crossing-outline"}
    assert "(8, 2, 1)" in shapes.issues[0].message
    assert area(shapes, "Eight") == 16.0


def test_splines_that_cross_each_other_are_refused_as_well() -> None:
    curve("Cross", [[(0, 1), (3, 1), (3, 2), (0, 2)], [(1, 0), (2, 0), (2, 3), (1, 3)]])
    assert issues(read()) == {"Cross": "self-crossing-outline"}


SPIKED = [(0, 0), (2, 0), (2, 1), (3, 1), (2, 1), (2, 2), (0, 2)]
# Sides that go in and back take nothing away, and a bridge leads to a hole.
SLIT = [(0, 0), (4, 0), (4, 2), (2, 2), (4, 2), (4, 4), (0, 4)]
KEYHOLE = [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (1, 1), (1, 3), (3, 3), (3, 1), (1, 1)]


def loop_mesh(name: str, rings, **fields):
    """Edges in a loop, which goes over one vertex twice where two of its corners are in one place."""
    (ring,) = rings
    count = len(ring)
    return wire_mesh(name, [(x, y, 0.0) for x, y in ring], [(k, (k + 1) % count) for k in range(count)], **fields)


@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0), (0.3, -0.4, 1.1)])
@pytest.mark.parametrize("make", [curve, flat_mesh, loop_mesh])
def test_a_spike_without_width_is_told_with_its_tip(make, turn) -> None:
    ob = make("Spiked", [SPIKED], location=(5.0, -3.0, 1.0), rotation_euler=turn, scale=(2.0, 1.5, 1.0))
    shapes = read()
    assert issues(shapes) == {"Spiked": "spike-outline"}
    (issue,) = shapes.issues
    place = [float(part) for part in issue.message.partition("(")[2].partition(")")[0].split(",")]
    assert place[:2] == pytest.approx(list(ob.matrix_world @ Vector((3.0, 1.0, 0.0)))[:2], abs=1e-4)
    square = np.array([list(ob.matrix_world @ Vector((*corner, 0.0)))[:2] for corner in ((0, 0), (2, 0), (0, 2))])
    side_a, side_b = square[1:] - square[0]
    assert area(shapes, "Spiked") == pytest.approx(abs(side_a[0] * side_b[1] - side_a[1] * side_b[0]), rel=1e-5)


@pytest.mark.parametrize("ring", [SLIT, KEYHOLE, SQUARE, L])
@pytest.mark.parametrize("make", [curve, flat_mesh, loop_mesh])
def test_sides_within_what_is_bounded_are_no_spikes(make, ring) -> None:
    make("Thing", [ring], rotation_euler=(0.3, -0.4, 1.1))
    assert issues(read()) == {}


def test_an_open_curve_is_a_line_without_width() -> None:
    curve("Open", [L], dimensions="3D", cyclic=False)
    shapes = read()
    assert issues(shapes) == {"Open": "open-outline"}
    assert len(rows(shapes, "Open")) == len(L) - 1
    assert len(shapes.bodies) == 1
    assert area(shapes, "Open") == 0.0


def test_loops_of_edges_enclose_like_curves() -> None:
    corners = [(x, y, 0.0) for x, y in (*SQUARE, *HOLE)]
    loops = [(k, (k + 1) % 4) for k in range(4)] + [(4 + k, 4 + (k + 1) % 4) for k in range(4)]
    wire_mesh("Loops", corners, loops)
    wire_mesh("Forked", [*corners, (9.0, 9.0, 0.0)], [*loops, (2, 8)])
    shapes = read()
    assert area(shapes, "Loops") == 12.0
    assert area(shapes, "Forked") == pytest.approx(-4.0 + 4.0 + 4.0), "only the loop of its own encloses"
    assert issues(shapes) == {"Forked": "open-outline"}


def test_text_is_read_as_it_is_filled() -> None:
    data = bpy.data.curves.new("Text", "FONT")
    data.body = "B8"
    ob = link("Text", data, location=(1.0, 1.0, 0.0))
    shapes = read()
    evaluated = ob.evaluated_get(bpy.context.evaluated_depsgraph_get())
    filled = sum(polygon.area for polygon in evaluated.to_mesh().polygons)
    evaluated.to_mesh_clear()
    assert area(shapes, "Text") == pytest.approx(filled, rel=1e-4)
    assert [shapes.shapes[row].reason for row in rows(shapes, "Text")] == ["text", "text"]


@pytest.mark.parametrize("plane", ["XY", "XZ", "YZ"])
def test_a_solid_is_its_silhouette(plane) -> None:
    link("Cube", cube_mesh((1.0, 2.0, 3.0)), location=(5.0, 6.0, 7.0))
    shapes = read(plane)
    assert (only(shapes, "Cube").kind, only(shapes, "Cube").reason) == ("polygon", "outline of the mesh")
    axes = {"XY": (0, 1), "XZ": (0, 2), "YZ": (1, 2)}[plane]
    half, place = np.array([1.0, 2.0, 3.0])[list(axes)], np.array([5.0, 6.0, 7.0])[list(axes)]
    assert rim(shapes, "Cube") == {tuple(place + half * (x, y)) for x in (-1, 1) for y in (-1, 1)}
    assert shapes.world.front[0] == {"XY": 10.0, "XZ": -4.0, "YZ": 6.0}[plane]


def test_a_torus_has_a_hole_where_one_sees_through() -> None:
    bpy.ops.mesh.primitive_torus_add(major_radius=2.0, minor_radius=0.5)
    bpy.context.object.name = "Torus"
    shapes = read()
    assert only(shapes, "Torus").kind == "region"
    assert not planar.overlap(batch_of(shapes, 0), planar.Circles([[0.0, 0.0]], [1.4]))[0]
    assert planar.overlap(batch_of(shapes, 0), planar.Circles([[0.0, 0.0]], [1.51]))[0]


def test_settings_are_projected() -> None:
    def set_to(shape, name, data, **fields):
        link(name, data, **fields).collision_kit.shape = shape

    set_to("SPHERE", "Ball", sphere_mesh(1.5), location=(1.0, 2.0, 3.0), scale=(2.0, 2.0, -2.0))
    set_to("BOX", "Box", cube_mesh((1.0, 2.0, 3.0)), rotation_euler=(0.0, 0.0, 0.5))
    set_to("BOX", "Leaning", cube_mesh(), rotation_euler=(0.5, 0.4, 0.0))
    set_to("CAPSULE", "Standing", cube_mesh((1.0, 1.0, 3.0)))
    set_to("CAPSULE", "Lying", cube_mesh((1.0, 1.0, 3.0)), rotation_euler=(0.0, math.pi / 2, 0.0))
    set_to("CYLINDER", "Drum", cube_mesh((1.0, 1.0, 3.0)))
    set_to("CYLINDER", "Roller", cube_mesh((1.0, 1.0, 3.0)), rotation_euler=(0.0, math.pi / 2, 0.4))
    set_to("CYLINDER", "Toppling", cube_mesh((1.0, 1.0, 3.0)), rotation_euler=(0.0, 0.6, 0.4))
    set_to("CONE", "Spike", cube_mesh((1.0, 1.0, 3.0)))
    set_to("CONE", "Wedge", cube_mesh((1.0, 1.0, 3.0)), rotation_euler=(0.0, math.pi / 2, 0.4))
    set_to("CONE", "Tilted", cube_mesh((1.0, 1.0, 3.0)), rotation_euler=(0.0, 0.6, 0.4))
    set_to("ELLIPSOID", "Pebble", cube_mesh((2.0, 2.0, 1.0)))
    set_to("ELLIPSOID", "Egg", cube_mesh((1.0, 2.0, 3.0)), rotation_euler=(0.0, 0.6, 0.4))
    set_to("HULL", "Hull", flat_mesh("source", [L]).data)
    bpy.data.objects.remove(bpy.data.objects["source"])
    set_to("HALF_SPACE", "Floor", None)
    set_to("NONE", "Nothing", cube_mesh())
    shapes = read()
    kinds = {shape.object: shape.kind for shape in shapes.shapes}
    assert kinds == {
        "Ball": "circle",
        "Box": "rectangle",
        "Leaning": "polygon",
        "Standing": "circle",
        "Lying": "polygon",
        "Drum": "circle",
        "Roller": "rectangle",
        "Toppling": "polygon",
        "Spike": "circle",
        "Wedge": "polygon",
        "Tilted": "polygon",
        "Pebble": "circle",
        "Egg": "polygon",
        "Hull": "polygon",
    }
    ball = batch_of(shapes, rows(shapes, "Ball")[0])
    np.testing.assert_allclose([*ball.center[0], ball.radius[0]], [1.0, 2.0, 3.0], atol=1e-5)
    assert shapes.world.front[rows(shapes, "Ball")[0]] == pytest.approx(6.0, abs=1e-5)
    assert area(shapes, "Box") == pytest.approx(8.0, rel=1e-5)
    assert area(shapes, "Wedge") == pytest.approx(6.0, rel=1e-5)
    # Seen along z at an angle of 0.6: the semi-axes are 2 and what is left of 1 and 3.
    across = math.hypot(math.cos(0.6), 3.0 * math.sin(0.6))
    assert area(shapes, "Egg") == pytest.approx(math.pi * 2.0 * across, rel=1e-3)
    assert shapes.world.front[rows(shapes, "Egg")[0]] == pytest.approx(
        math.hypot(math.sin(0.6), 3.0 * math.cos(0.6)), abs=1e-5
    )
    # A half-ellipse and what lies between it and the tip, which is 6 sin 0.6 away: the tangents from the tip.
    reach, narrow = 6.0 * math.sin(0.6), math.cos(0.6)
    turn = math.acos(narrow / reach)
    expected = narrow * (math.pi - turn) + reach * math.sin(turn)
    assert area(shapes, "Tilted") == pytest.approx(expected, rel=1e-3)
    assert shapes.world.front[rows(shapes, "Tilted")[0]] == pytest.approx(3.0 * math.cos(0.6), abs=1e-5)
    assert area(shapes, "Lying") == pytest.approx(4 * 2 + math.pi, rel=1e-3)
    assert area(shapes, "Standing") == pytest.approx(math.pi, rel=2e-3)
    assert area(shapes, "Roller") == pytest.approx(6 * 2, rel=1e-5)
    lean = 6 * math.sin(0.6) * 2 + math.pi * math.cos(0.6)
    assert area(shapes, "Toppling") == pytest.approx(lean, rel=1e-3)
    assert shapes.world.front[rows(shapes, "Toppling")[0]] == pytest.approx(3 * math.cos(0.6) + math.sin(0.6), rel=1e-5)
    assert area(shapes, "Hull") == pytest.approx(5.0 + 2.0)
    assert issues(shapes) == {
        "Lying": "round-outline",
        "Tilted": "round-outline",
        "Egg": "round-outline",
        "Toppling": "round-outline",
        "Floor": "endless-outline",
    }
    assert {entry.object for entry in shapes.skipped} == {"Floor", "Nothing"}


def test_empties_and_instances_are_read() -> None:
    ball = link("Ball", None, location=(1.0, 0.0, 0.0))
    ball.empty_display_type, ball.empty_display_size = "SPHERE", 2.0
    ball.collision_kit.shape = "SPHERE"
    collection = bpy.data.collections.new("Kit")
    ob = frame_mesh("Frame")
    bpy.context.scene.collection.objects.unlink(ob)
    collection.objects.link(ob)
    for x in (10.0, 20.0):
        link(f"At {x:.0f}", None, instance_type="COLLECTION", instance_collection=collection, location=(x, 0.0, 0.0))
    shapes = read()
    assert only(shapes, "Ball").kind == "circle"
    assert rim(shapes, "At 10/Frame") == {(x + 10.0, y) for x, y in (*SQUARE, *HOLE)}
    assert area(shapes, "At 20/Frame") == 12.0
    assert len(shapes.bodies) == 3


def test_colliders_stand_for_their_mesh_in_the_plane_too() -> None:
    flat_mesh("Crate", [SQUARE])
    flat_mesh("UCX_Crate_01", [L])
    shapes = read()
    assert [shape.object for shape in shapes.shapes] == ["UCX_Crate_01"]
    assert [body.name for body in shapes.bodies] == ["Crate"]


def test_degenerate_things_are_tested_or_named_and_none_raises() -> None:
    wire_mesh("Empty", [], [])
    wire_mesh("Point", [(1.0, 2.0, 3.0)], [])
    wire_mesh("Cloud", [(0, 0, 0), (1, 0, 0), (0, 1, 5)], [])
    wire_mesh("Asked", [(0, 0, 0), (1, 0, 0), (0, 1, 5)], []).collision_kit.shape = "MESH"
    flat_mesh("Squashed", [SQUARE], scale=(1.0, 0.0, 1.0))
    flat_mesh("Gone", [SQUARE], scale=(0.0, 0.0, 0.0))
    flat_mesh("Sliver", [[(0, 0), (1, 0), (2, 0)]])
    bad = flat_mesh("Infinite", [SQUARE])
    bad.data.vertices[0].co.x = math.inf
    far = frame_mesh("Far", location=(1e6, 1e6, 0.0))
    curve("Single", [[(1.0, 1.0)]])
    shapes = read()
    assert {entry.object for entry in shapes.skipped} == {"Empty", "Point", "Cloud", "Infinite", "Single"}
    assert issues(shapes)["Infinite"] == "non-finite"
    assert issues(shapes)["Squashed"] == issues(shapes)["Gone"] == "edge-on"
    assert issues(shapes)["Asked"] == "no-faces"
    assert area(shapes, far.name) == pytest.approx(12.0)
    assert {"Asked", "Sliver"} <= {shape.object for shape in shapes.shapes}


def test_a_modifier_and_edit_mode_count() -> None:
    ob = flat_mesh("Row", [SQUARE])
    array = ob.modifiers.new("Array", "ARRAY")
    array.count, array.use_relative_offset, array.use_constant_offset = 3, False, True
    array.constant_offset_displace = (6.0, 0.0, 0.0)
    assert area(read(), "Row") == 48.0
    bpy.context.view_layer.objects.active = ob
    bpy.ops.object.mode_set(mode="EDIT")
    assert area(read(), "Row") == 48.0
    bpy.ops.object.mode_set(mode="OBJECT")


def test_a_beveled_curve_is_the_outline_of_what_it_makes() -> None:
    ob = curve("Tube", [SQUARE], dimensions="3D")
    ob.data.bevel_depth = 0.5
    shapes = read()
    # Blender sets the ring of a corner across its bisector and makes it no wider: so the sides are narrower by this.
    assert area(shapes, "Tube") == pytest.approx(4.0 * 4.0 * math.cos(math.pi / 4.0), rel=1e-5)
    assert only(shapes, "Tube").reason == "outline of the mesh"


def test_a_hole_that_touches_a_side_does_so_wherever_it_is_turned() -> None:
    tooth = [(0.0, 0.0), (3.0, 1.0), (3.0, 4.0), (-1.0, 4.0)]
    hole = [(1.5, 0.5), (2.0, 2.0), (1.0, 2.0)]
    for number in range(40):
        curve(f"Turned {number}", [tooth, hole], rotation_euler=(0.0, 0.0, 0.1 + number / 7.0))
    shapes = read()
    for number in range(40):
        assert area(shapes, f"Turned {number}") == pytest.approx(12.5 - 0.75, rel=1e-5)
    assert not shapes.issues


def test_what_rounding_breaks_is_looked_at_as_it_is_seen(monkeypatch) -> None:
    frame_mesh("Frame", rotation_euler=(0.0, 0.0, 0.3))
    curve("Ring", [SQUARE, HOLE], location=(9.0, 0.0, 0.0), scale=(1.0, -1.0, 1.0))
    asked, batches_of = [], read_outlines.batches_of

    def refuse_once(given):
        asked.append(given)
        if len(asked) == 1:
            raise ValueError("regions: row 0: outline: edge 0 crosses edge 1")
        return batches_of(given)

    monkeypatch.setattr(read_outlines, "batches_of", refuse_once)
    shapes = read()
    assert len(asked) == 2
    assert area(shapes, "Frame") == pytest.approx(12.0, rel=1e-6)
    assert area(shapes, "Ring") == 12.0
    monkeypatch.undo()
    assert rim(read(), "Frame") == rim(shapes, "Frame")


@pytest.mark.parametrize("plane", ["XY", "XZ", "YZ"])
def test_planes_are_seen_as_blenders_views_have_them(plane) -> None:
    axes = plane_of(bpy.context, plane).axes
    assert np.linalg.det(axes) == 1.0
    assert axes[2].tolist() == {"XY": [0, 0, 1], "XZ": [0, -1, 0], "YZ": [1, 0, 0]}[plane]
