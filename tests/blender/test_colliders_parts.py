# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders of meshes that were put together from closed parts: each part has its own, and convex ones are kept."""

import json

import bmesh
import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix
from scipy.spatial import ConvexHull

from collision_kit import api
from collision_kit.addon.colliders import decomposition, scene_making
from collision_kit.addon.model.steps import exhausted
from collision_kit.addon.reports.writing import make_as_json, make_as_text
from collision_kit.addon.validation import check as validation
from tests.helpers.blender.bridge_scene import add, cube_mesh, l_mesh, mesh, world_vertices
from tests.helpers.blender.stepped import taken

pytestmark = pytest.mark.usefixtures("scene")

PLACE = Matrix.LocRotScale((3.0, -2.0, 1.0), Euler((0.4, -0.9, 2.0)), (1.0, 2.0, 0.5))
MIRRORED = Matrix.LocRotScale((3.0, -2.0, 1.0), Euler((0.4, -0.9, 2.0)), (-1.0, 1.0, 1.0))


def table(lift=0.0):
    """Low and high corners of a top and four legs, which end this much below the top."""
    legs = [((x, y, 0.0), (x + 0.1, y + 0.1, 0.7 - lift)) for x in (0.0, 1.5) for y in (0.0, 0.7)]
    return [((0.0, 0.0, 0.7), (1.6, 0.8, 0.75)), *legs]


def stairs():
    """Boxes of full height next to each other: each shares a part of a side with the next."""
    return [((0.3 * step, 0.0, 0.0), (0.3 * step + 0.3, 1.0, 0.2 * step + 0.2)) for step in range(6)]


def wall():
    """Boxes that share whole sides."""
    return [((x, 0.0, z), (x + 1.0, 0.3, z + 0.5)) for x in range(3) for z in (0.0, 0.5)]


def boxes(limits, *, merge=False, inward=()):
    """One mesh of boxes; after Merge by Distance, if that is asked for."""
    vertices, faces = [], []
    for number, (low, high) in enumerate(limits):
        middle, half = (np.add(low, high) / 2.0).tolist(), (np.subtract(high, low) / 2.0).tolist()
        one, start = cube_mesh(tuple(half), tuple(middle)), len(vertices)
        vertices += [tuple(vertex.co) for vertex in one.vertices]
        for polygon in one.polygons:
            corners = [start + corner for corner in polygon.vertices]
            faces.append(corners[::-1] if number in inward else corners)
    made = mesh(vertices, faces)
    if merge:
        edit = bmesh.new()
        edit.from_mesh(made)
        bmesh.ops.remove_doubles(edit, verts=edit.verts[:], dist=1e-5)
        edit.to_mesh(made)
        edit.free()
    return made


def corners(limits, matrix):
    """The eight corners of each box in the world, in order."""
    found = []
    for low, high in limits:
        at = np.array([(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
        found.append(in_order(at @ np.array(matrix)[:3, :3].T + np.array(matrix)[:3, 3]))
    return found


def in_order(points):
    return points[np.lexsort(np.round(points, 4).T)]


def are_the_boxes(objects, limits, matrix):
    """Each box is one of the objects, corner by corner."""
    left = [in_order(world_vertices(ob)) for ob in objects]
    assert len(left) == len(limits)
    for expected in corners(limits, matrix):
        near = [
            row for row, found in enumerate(left) if found.shape == (8, 3) and np.abs(found - expected).max() < 2e-6
        ]
        assert near
        del left[near[0]]


@pytest.mark.parametrize("kind", ["pieces", "hull"])
@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize("shape", [table, lambda: table(-0.002), stairs, wall])
@pytest.mark.parametrize("matrix", [PLACE, MIRRORED])
def test_boxes_that_touch_become_these_boxes(matrix, shape, merge, kind, monkeypatch) -> None:
    def never(*_):
        raise AssertionError("a box was decomposed")
        yield

    monkeypatch.setattr(decomposition, "_decompose", never)
    limits = shape()
    ob = add("Kit", boxes(limits, merge=merge, inward=(1, 4)))
    ob.matrix_world = matrix
    bpy.context.view_layer.update()
    if kind == "pieces":
        made = api.make_collider_pieces([ob], pieces=len(limits), engine="GODOT")
        (one,) = made.decomposed
        assert one.quality.count == len(limits)
        assert one.quality.mesh_ratio == pytest.approx(1.0, abs=1e-5)
        assert one.quality.gap + one.quality.gap_error <= 1e-6
        assert one.quality.protrusion + one.quality.protrusion_error <= 1e-6
    else:
        made = api.make_collider([ob], "HULL", source="PARTS", engine="GODOT")
    are_the_boxes([one.object for one in made.colliders], limits, matrix)
    assert all(one.quality.gap <= 1e-6 and one.quality.protrusion <= 1e-6 for one in made.colliders)


def test_fewer_pieces_than_parts_are_one_hull_each_and_the_report_says_so() -> None:
    add("Table", boxes(table()))
    add("Box", cube_mesh(center=(9.0, 0.0, 0.0)))
    bpy.context.view_layer.update()
    report = exhausted(scene_making.steps(bpy.context, scene_making.MakeRequest("PIECES", "UNREAL", pieces=4)))
    assert len(report.colliders) == 6 and not report.problems
    (warning,) = report.warnings
    assert warning.object == "Table" and "4" in warning.message
    assert "Table: has more parts" in make_as_text(report)
    (found,) = [one for one in json.loads(make_as_json(report))["findings"] if one["severity"] == "warning"]
    assert found["object"] == "Table"


def test_new_colliders_are_validated_in_steps() -> None:
    add("Table", boxes(table()))
    bpy.context.view_layer.update()
    seen, report = taken(scene_making.steps(bpy.context, scene_making.MakeRequest("HULL", "UNREAL")))
    assert len(report.colliders) == 1
    told = [one for one in seen if isinstance(one, validation.Progress)]
    assert told and told[-1].done == told[-1].total > 10


def test_only_concave_parts_are_decomposed_and_copies_of_them_once(monkeypatch) -> None:
    asked = []

    def cut(source, most, *_):
        yield from ()
        asked.append(most)
        # The two arms of the L, one after the other.
        return [source.points[:8], source.points[4:]]

    monkeypatch.setattr(decomposition, "is_available", lambda: True)
    monkeypatch.setattr(decomposition, "_decompose", cut)
    monkeypatch.setattr(decomposition, "_cut_by_planes", lambda *_: [])
    edit = bmesh.new()
    turn = Matrix.LocRotScale((0.0, 9.0, 2.0), Euler((0.3, 2.0, 1.0)), None)
    for matrix in (Matrix.Identity(4), turn):
        start = len(edit.verts)
        edit.from_mesh(l_mesh())
        edit.verts.ensure_lookup_table()
        for vertex in edit.verts[start:]:
            vertex.co = matrix @ vertex.co
    edit.from_mesh(boxes(table()))
    whole = bpy.data.meshes.new("Whole")
    edit.to_mesh(whole)
    edit.free()
    ob = add("Whole", whole)
    bpy.context.view_layer.update()
    made = api.make_collider_pieces([ob], pieces=11)
    assert asked == [3]  # two hulls more for each of both, of the four that are left
    assert len(made.colliders) == 5 + 2 + 2
    points = world_vertices(ob)
    inside = np.zeros(len(points), bool)
    for one in made.colliders:
        planes = ConvexHull(world_vertices(one.object)).equations
        inside |= (points @ planes[:, :3].T + planes[:, 3]).max(axis=1) <= 1e-5
    assert inside.all()


def test_the_report_has_the_numbers_of_each_piece_and_of_all_together() -> None:
    ob = add("Ring", l_mesh())
    bpy.context.view_layer.update()
    order = scene_making.MakeRequest("PIECES", "UNREAL", pieces=1)
    report = exhausted(scene_making.steps(bpy.context, order))
    content = json.loads(make_as_json(report))
    (piece,), (together,) = content["colliders"], content["pieces"]
    assert together["owner"] == ob.name and together["pieces"] == 1
    for name in ("volume", "gap", "gap_error", "protrusion", "protrusion_error"):
        assert piece[name] == together[name]
    # The side of the hull from (2, 1) to (1, 2) is farthest from the L in its middle: half a unit from both arms.
    assert together["gap"] <= 0.5 + 1e-6 <= together["gap"] + together["gap_error"] + 2e-6
    assert together["volume"] == pytest.approx(3.5, rel=1e-6) and together["mesh_ratio"] == pytest.approx(3.5 / 3.0)
    known = api.collider_quality(piece["object"])
    assert (known.gap, known.gap_error, known.protrusion_error) == (piece["gap"], piece["gap_error"], 0.0)
    made = api.make_collider_pieces([ob], pieces=1)
    assert made.decomposed[0].quality.gap == piece["gap"] == made.colliders[0].quality.gap
    text = make_as_text(report)
    assert "Pieces together:" in text and text.count("gap ") == 2
