# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances of collections, on vertices and by geometry nodes: each where it is, under its own name."""

import math

import bpy
import pytest

from collision_kit.addon.model.report import ObjectKey
from collision_kit.addon.scene.reading.items import scene_items
from tests.helpers.blender.bridge_scene import (
    add,
    add_collection,
    add_instance,
    body_names,
    centers,
    cube_mesh,
    mesh,
    nodes,
    read,
)

pytestmark = pytest.mark.usefixtures("scene")


def asset() -> bpy.types.Collection:
    """A collection that is only instanced: a crate, and above it a lid in a child collection."""
    collection = add_collection("Asset", False)
    add("Crate", cube_mesh(), collection=collection)
    add("Lid", cube_mesh((1, 1, 0.1)), collection=add_collection("Lids", collection), at=(0, 0, 2))
    return collection


def test_a_collection_instance_is_each_of_its_objects_where_it_stands() -> None:
    host = add_instance("Pile", asset(), at=(10, 0, 0), rotation_euler=(0, 0, math.pi / 2), scale=(2, 2, 2))
    shapes = read()
    assert centers(shapes) == {"Pile/Crate": (10, 0, 0), "Pile/Lid": (10, 0, 4)}
    assert body_names(shapes) == {"Pile/Crate": ["Pile/Crate"], "Pile/Lid": ["Pile/Lid"]}
    assert not shapes.skipped, "the empty that makes the instance appear is not missed"
    key = shapes.bodies[0].key
    assert (key.session_uid, key.instancer_uid) == (bpy.data.objects["Crate"].session_uid, host.session_uid)
    assert len({body.key for body in shapes.bodies}) == 2


def test_nested_instances_are_named_by_the_way_to_them() -> None:
    inner = asset()
    outer = add_collection("Outer", False)
    for number, name in enumerate(["Left", "Right"]):
        add_instance(name, inner, collection=outer, at=(0, 10.0 * number, 0))
    add_instance("Row", outer, at=(5, 0, 0))
    shapes = read()
    assert centers(shapes) == {
        "Row/Left/Crate": (5, 0, 0),
        "Row/Left/Lid": (5, 0, 2),
        "Row/Right/Crate": (5, 10, 0),
        "Row/Right/Lid": (5, 10, 2),
    }
    assert len({body.key for body in shapes.bodies}) == 4
    assert not shapes.skipped


def test_a_text_in_a_collection_instance_is_read_once() -> None:
    collection = add_collection("Signs", False)
    add("Sign", bpy.data.curves.new("sign", "FONT"), collection=collection)
    add_instance("Street", collection, at=(0, 0, 3))
    shapes = read()
    assert [shape.object for shape in shapes.shapes] == ["Street/Sign"]
    assert centers(shapes)["Street/Sign"][2] == 3


def test_objects_instanced_on_vertices() -> None:
    host = add("Host", mesh([(0, 0, 0), (10, 0, 0), (0, 10, 0)]), instance_type="VERTS")
    host.show_instancer_for_viewport = False
    add("Leaf", cube_mesh(), parent=host)
    shapes = read()
    assert {name: center for name, center in centers(shapes).items() if name != "Leaf"} == {
        "Host/Leaf[1]": (0, 0, 0),
        "Host/Leaf[2]": (10, 0, 0),
        "Host/Leaf[3]": (0, 10, 0),
    }
    assert not shapes.skipped


def test_what_geometry_nodes_make_of_an_object_is_part_of_its_body() -> None:
    ob = add("Fence", mesh([(0, 0, 0), (3, 0, 0)], edges=[(0, 1)]), at=(0, 0, 1))
    ob.modifiers.new("Nodes", "NODES").node_group = nodes("posts", instance="GeometryNodeMeshCube")
    shapes = read()
    assert centers(shapes) == {"Fence[1]": (0, 0, 1), "Fence[2]": (3, 0, 1)}
    assert body_names(shapes) == {"Fence": ["Fence[1]", "Fence[2]"]}
    assert shapes.bodies[0].key == ObjectKey(ob.session_uid)
    assert not shapes.skipped, "the host has no vertices of its own, but what it makes is tested"


def test_geometry_nodes_keep_the_mesh_they_are_told_to_keep() -> None:
    ob = add("Post", cube_mesh())
    ob.modifiers.new("Nodes", "NODES").node_group = nodes("corners", instance="GeometryNodeMeshCube", keep=True)
    shapes = read()
    assert body_names(shapes) == {"Post": ["Post", *(f"Post[{n}]" for n in range(1, 9))]}


def test_colliders_stand_for_what_geometry_nodes_make_as_well() -> None:
    ob = add("Fence", mesh([(0, 0, 0), (3, 0, 0)]))
    ob.modifiers.new("Nodes", "NODES").node_group = nodes("posts", instance="GeometryNodeMeshCube")
    add("UBX_Fence", cube_mesh())
    assert body_names(read()) == {"Fence": ["UBX_Fence"]}


def test_a_mesh_to_which_geometry_nodes_add_a_curve_is_still_its_mesh() -> None:
    ob = add("Cube", cube_mesh())
    tree = nodes("ring", instance="GeometryNodeMeshCube", keep=True)
    join = next(node for node in tree.nodes if node.bl_idname == "GeometryNodeJoinGeometry")
    for link in [link for link in join.inputs[0].links if link.from_node.bl_idname.endswith("OnPoints")]:
        tree.links.remove(link)
    tree.links.new(tree.nodes.new("GeometryNodeCurvePrimitiveCircle").outputs[0], join.inputs[0])
    tree.links.new(tree.nodes.new("GeometryNodePoints").outputs[0], join.inputs[0])
    ob.modifiers.new("Nodes", "NODES").node_group = tree
    shapes = read()
    assert [(shape.object, shape.reason) for shape in shapes.shapes] == [("Cube", "convex mesh")]


def test_geometry_nodes_inside_a_collection_instance() -> None:
    collection = add_collection("Fences", False)
    ob = add("Fence", mesh([(0, 0, 0), (3, 0, 0)]), collection=collection)
    ob.modifiers.new("Nodes", "NODES").node_group = nodes("posts", instance="GeometryNodeMeshCube")
    add_instance("Farm", collection, at=(0, 5, 0))
    shapes = read()
    assert centers(shapes) == {"Farm/Fence[1]": (0, 5, 0), "Farm/Fence[2]": (3, 5, 0)}
    assert list(body_names(shapes)) == ["Farm/Fence"]


def test_objects_and_collections_scattered_by_geometry_nodes_are_bodies_of_their_own() -> None:
    crate = add("Crate", cube_mesh(), at=(0, 0, 50))
    first = add("First", mesh([(0, 0, 0), (9, 0, 0)]))
    first.modifiers.new("Nodes", "NODES").node_group = nodes("one", instance=crate)
    bpy.context.view_layer.update()
    assert centers(read()) == {"Crate": (0, 0, 50), "First/Crate[1]": (0, 0, 0), "First/Crate[2]": (9, 0, 0)}
    collection = add_collection("Assets", False)
    add("Rock", cube_mesh(), collection=collection, at=(0, 3, 0))
    add("UBX_Rock_01", cube_mesh(), collection=collection, at=(0, 3, 0))
    second = add("Second", mesh([(0, 0, 0), (0, 0, 9)]))
    second.modifiers.new("Nodes", "NODES").node_group = nodes("many", instance=collection)
    shapes = read([second])
    assert body_names(shapes) == {
        "Second/Rock[1]": ["Second/UBX_Rock_01[1]"],
        "Second/Rock[2]": ["Second/UBX_Rock_01[2]"],
    }
    assert sorted(center[2] for center in centers(shapes).values()) == [0, 9]


def test_every_item_has_a_key_of_its_own() -> None:
    collection = asset()
    for number in range(3):
        add_instance(f"Pile {number}", collection)
    ob = add("Fence", mesh([(0, 0, 0), (3, 0, 0)]))
    ob.modifiers.new("Nodes", "NODES").node_group = nodes("posts", instance="GeometryNodeMeshCube", keep=True)
    add("Text", bpy.data.curves.new("text", "FONT"))
    bpy.context.view_layer.update()
    items, matrices, _ = scene_items(bpy.context, bpy.context.evaluated_depsgraph_get())
    assert len({item.key for item in items}) == len({item.label for item in items}) == len(items) == len(matrices)
    assert all(item.key.session_uid for item in items)
