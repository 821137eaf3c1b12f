# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that have a surface only because their nodes make a mesh: hair curves, point clouds, volumes, strokes."""

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.core import Verdict
from tests.helpers.blender.command_line import box


def hair() -> bpy.types.ID:
    data = bpy.data.hair_curves.new("Hair")
    data.add_curves([2, 2])
    data.position_data.foreach_set("vector", np.arange(12, dtype=np.float32) / 10.0)
    return data


DATA = {
    "CURVES": hair,
    "POINTCLOUD": lambda: bpy.data.pointclouds.new("Points"),
    "VOLUME": lambda: bpy.data.volumes.new("Volume"),
}
if hasattr(bpy.data, "grease_pencils_v3"):
    DATA["GREASEPENCIL"] = lambda: bpy.data.grease_pencils_v3.new("Strokes")


def tree(*, instances: bool = False) -> bpy.types.NodeTree:
    """Nodes that make a cube of side 1, or one at each of the points that they get."""
    made = bpy.data.node_groups.new("Nodes", "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        made.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    given, result = made.nodes.new("NodeGroupInput"), made.nodes.new("NodeGroupOutput")
    cube = made.nodes.new("GeometryNodeMeshCube")
    cube.inputs["Size"].default_value = (1.0, 1.0, 1.0)
    if instances:
        placed = made.nodes.new("GeometryNodeInstanceOnPoints")
        made.links.new(given.outputs[0], placed.inputs["Points"])
        made.links.new(cube.outputs[0], placed.inputs["Instance"])
        made.links.new(placed.outputs[0], result.inputs[0])
    else:
        made.links.new(cube.outputs[0], result.inputs[0])
    return made


def put(data: bpy.types.ID, nodes: bpy.types.NodeTree | None) -> bpy.types.Object:
    ob = bpy.data.objects.new("Made", data)
    bpy.context.scene.collection.objects.link(ob)
    if nodes is not None:
        ob.modifiers.new("Nodes", "NODES").node_group = nodes
    return ob


@pytest.fixture(autouse=True)
def empty() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


@pytest.mark.parametrize("kind", DATA)
def test_what_their_nodes_make_is_tested(kind: str) -> None:
    assert put(DATA[kind](), tree()).type == kind
    box("Near", (0.75, 0, 0))
    report = api.check_collisions(scope="ALL")
    assert {body.name for body in report.bodies} == {"Made", "Near"} and not report.skipped
    (pair,) = report.pairs
    assert (pair.verdict, pair.distance) == (Verdict.PENETRATING, pytest.approx(-0.25, abs=1e-6))
    bpy.data.objects["Near"].location.x = 5.0
    assert not api.check_collisions(scope="ALL").pairs


@pytest.mark.parametrize("kind", DATA)
def test_without_such_nodes_they_have_no_surface(kind: str) -> None:
    ob = put(DATA[kind](), None)
    box("Near", (0.75, 0, 0))
    for _ in range(2):
        report = api.check_collisions(scope="ALL")
        assert [body.name for body in report.bodies] == ["Near"]
        (skipped,) = report.skipped
        assert skipped.object == "Made" and "has no surface" in skipped.reason
        # Nodes that make nothing.
        ob.modifiers.new("Nodes", "NODES").node_group = bpy.data.node_groups.new("Nothing", "GeometryNodeTree")


def test_instances_on_hair_are_tested() -> None:
    put(hair(), tree(instances=True))
    box("Near", (1.2, 1.0, 1.1))
    report = api.check_collisions(scope="ALL")
    assert [api.names(report, pair) for pair in report.pairs] == [("Made", "Near")]


def test_they_move() -> None:
    ob = put(hair(), tree())
    box("Near", (3.0, 0, 0))
    ob.keyframe_insert("location", frame=1)
    ob.location.x = 4.0
    ob.keyframe_insert("location", frame=11)
    (contact,) = api.check_motion(scope="ALL", start=1, end=11).contacts
    assert contact.status == "new"
