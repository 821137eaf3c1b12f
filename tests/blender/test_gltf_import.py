# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders of glTF files are read as the shapes that they declare; what cannot be read is said."""

import json
import os
import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit.addon.exchange.issues import last_lines
from collision_kit.addon.scene.reading.read_scene import read_scene
from collision_kit.core.shapes import HalfSpaces, Hulls, Meshes
from tests.helpers.blender.gltf_scene import actual, apart, expected, read_shapes
from tests.helpers.blender.gltf_writing import collider, triangle_mesh, wrote
from tests.helpers.gltf_files import Found, declared, read_file, write_binary
from tests.helpers.offline import slow
from tests.hunt import gltf_mutants

FILES = ["Filtering.glb", "JointTypes.glb", "Materials_Friction.glb", "ShapeTypes.glb", "Triggers.glb"]

# What float32 leaves of coordinates of a few meters, through some parents.
ROUNDING = 4e-6

pytestmark = pytest.mark.usefixtures("scene")

if not hasattr(bpy.types, "IMPORT_SCENE_OT_gltf"):
    pytest.skip("this Blender has no glTF importer", allow_module_level=True)


def load(path: Path) -> None:
    assert bpy.ops.import_scene.gltf(filepath=str(path), loglevel=50) == {"FINISHED"}
    bpy.context.view_layer.update()


BOX = {"type": "box", "box": {"size": [1.0, 2.0, 3.0]}}
SPHERE = {"type": "sphere", "sphere": {"radius": 0.5}}
CAPSULE = {"type": "capsule", "capsule": {"height": 2.0, "radiusBottom": 0.5, "radiusTop": 0.5}}
DISC = {"type": "cylinder", "cylinder": {"height": 0.25, "radiusBottom": 1.5, "radiusTop": 1.5}}
ROD = {"type": "cylinder", "cylinder": {"height": 4.0, "radiusBottom": 0.5, "radiusTop": 0.5}}
CONE = {"type": "cylinder", "cylinder": {"height": 2.0, "radiusBottom": 1.0, "radiusTop": 0.0}}
DROP = {"type": "capsule", "capsule": {"height": 2.0, "radiusBottom": 1.0, "radiusTop": 0.25}}
SHAPES = [BOX, SPHERE, CAPSULE, DISC, ROD]


def assert_is(shape: object, found: Found) -> None:
    """A shape that was read is the declared one."""
    kind, points, radius = expected(found)
    got, at, width = actual(shape)
    assert got == kind, found.name
    tapered = kind is Hulls and found.points is None
    if not tapered:
        assert apart(at, points) <= ROUNDING * (1.0 + np.abs(points).max()), found.name
        assert width == pytest.approx(radius, rel=1e-6)
        return
    # The hull holds the shape, and is no wider than the polygon around its circles.
    fields = found.shape[found.shape["type"]]
    axis = (points[1] - points[0]) / np.linalg.norm(points[1] - points[0])
    off = np.linalg.norm(np.cross(at - points[0], axis), axis=1).max()
    # Sixteen sides around and, of a ball, six rings from pole to pole.
    assert radius <= off <= radius / (np.cos(np.pi / 16) * np.cos(np.pi / 12)) * (1.0 + 1e-6)
    reach = (at - points[0]) @ axis
    ends = (fields["radiusBottom"], fields["radiusTop"]) if found.shape["type"] == "capsule" else (0.0, 0.0)
    length = np.linalg.norm(points[1] - points[0])
    assert reach.min() <= -ends[0] + ROUNDING and reach.min() >= -1.06 * ends[0] - ROUNDING
    assert reach.max() >= length + ends[1] - ROUNDING and reach.max() <= length + 1.06 * ends[1] + ROUNDING


def object_of(name: str, role: str) -> bpy.types.Object:
    """The object that a declared collider has become."""
    own = bpy.data.objects.get(f"{name}_{role}")
    return own if own is not None else bpy.data.objects[name]


@pytest.mark.parametrize("name", FILES)
def test_every_declared_collider_is_read_as_what_it_is(data_dir: Path, name: str) -> None:
    path = data_dir / "gltf_physics" / name
    wanted = declared(read_file(path))
    assert len(wanted) >= 3
    load(path)
    shapes = read_shapes()
    for found in wanted:
        ob = object_of(found.name, found.role)
        assert ob.collision_kit.collider.trigger == (found.role == "trigger")
        assert_is(shapes[ob.name], found)
    # What is only seen of a body with colliders has no shape.
    marked = [ob for ob in bpy.data.objects if ob.collision_kit.shape not in {"AUTO", "NONE"}]
    assert len(marked) == len(wanted)
    assert not any(ob.name.startswith("physicsMeshDataNode") for ob in bpy.data.objects)


@pytest.mark.parametrize("name", FILES)
def test_without_the_option_a_file_is_read_as_blender_reads_it(data_dir: Path, name: str) -> None:
    bpy.context.scene.collision_kit.gltf.read = False
    load(data_dir / "gltf_physics" / name)
    assert all(ob.collision_kit.shape == "AUTO" for ob in bpy.data.objects)
    assert "Colliders" not in bpy.data.collections


def test_materials_are_those_of_the_file(data_dir: Path) -> None:
    path = data_dir / "gltf_physics" / "Materials_Friction.glb"
    file = read_file(path)
    load(path)
    materials = file.json["extensions"]["KHR_physics_rigid_bodies"]["physicsMaterials"]
    assert len({one["dynamicFriction"] for one in materials}) == 3
    for found in declared(file):
        settings = object_of(found.name, found.role).collision_kit
        material = materials[found.content["physicsMaterial"]]
        assert settings.own_surface
        assert settings.friction == pytest.approx(material["dynamicFriction"], rel=1e-6)
        assert settings.restitution == pytest.approx(material["restitution"], rel=1e-6)


def test_filters_become_groups(data_dir: Path) -> None:
    path = data_dir / "gltf_physics" / "Filtering.glb"
    file = read_file(path)
    load(path)
    filters = file.json["extensions"]["KHR_physics_rigid_bodies"]["collisionFilters"]
    wanted = declared(file)
    for a in wanted:
        for b in wanted:
            one, other = (filters[each.content["collisionFilter"]] for each in (a, b))
            meet = bool(set(one["collisionSystems"]) & set(other["collideWithSystems"])) and bool(
                set(other["collisionSystems"]) & set(one["collideWithSystems"])
            )
            first, second = (object_of(each.name, each.role).collision_kit for each in (a, b))
            assert first.own_groups
            found = any(x and y for x, y in zip(first.groups, second.mask, strict=True)) and any(
                x and y for x, y in zip(second.groups, first.mask, strict=True)
            )
            assert found == meet, (a.name, b.name)


def test_what_moves_as_one_is_one_body(data_dir: Path) -> None:
    load(data_dir / "gltf_physics" / "ShapeTypes.glb")
    read = read_scene(bpy.context, None)
    names = {}
    for row, shape in enumerate(read.shapes):
        names.setdefault(read.bodies[read.body[row]].name, set()).add(shape.object)
    wheels = {f"{side}Wheel{number}" for side in ("Left", "Right") for number in ("", ".001")}
    assert {name.removesuffix("_collider") for name in names["DynamicCompound"]} == wheels | {"Chassis"}
    assert not any(shape.object.startswith("Headlight") for shape in read.shapes)
    assert any("Trigger" in skipped.reason for skipped in read.skipped if skipped.object == "Headlight")


@pytest.mark.parametrize("scale", [None, [2.0, 2.0, 2.0], [-1.5, 1.5, 1.5]], ids=str)
@pytest.mark.parametrize("number", range(len(SHAPES)))
def test_nodes_without_a_mesh_become_the_collider(number: int, scale: list[float] | None, tmp_path: Path) -> None:
    node = {"name": "Thing", "translation": [1.0, 2.0, 3.0], "rotation": [0.0, 0.6, 0.0, 0.8]}
    node["extensions"] = collider(shape=number)
    path = wrote(tmp_path, [node | ({"scale": scale} if scale else {})], SHAPES)
    load(path)
    assert [ob.name for ob in bpy.data.objects] == ["Thing"]
    ob = bpy.data.objects["Thing"]
    assert ob.hide_render and ob.display_type == "WIRE"
    assert [collection.name for collection in ob.users_collection] == ["Colliders"]
    assert_is(read_shapes()["Thing"], declared(read_file(path))[0])


@pytest.mark.parametrize("number", range(len(SHAPES)))
def test_a_collider_of_a_mesh_is_an_unscaled_child_of_it(number: int, tmp_path: Path) -> None:
    parent = {"name": "Parent", "children": [1], "rotation": [0.6, 0.0, 0.0, 0.8], "scale": [2.0, 2.0, 2.0]}
    node = {"name": "Thing", "mesh": 0, "translation": [1.0, 2.0, 3.0], "extensions": collider(shape=number)}
    path = wrote(tmp_path, [parent, node], SHAPES, **triangle_mesh())
    load(path)
    ob = bpy.data.objects["Thing_collider"]
    assert ob.parent == bpy.data.objects["Thing"]
    assert np.allclose(ob.matrix_world.to_scale(), 1.0, atol=1e-6)
    assert ob.collision_kit.collider.kind == ["BOX", "SPHERE", "CAPSULE", "CYLINDER", "CYLINDER"][number]
    assert_is(read_shapes()[ob.name], declared(read_file(path))[0])
    assert [body.name for body in read_scene(bpy.context, None).bodies] == ["Thing"]


@pytest.mark.parametrize("size", [[1.0, 2.0, 3.0], [1.0, 1.0, 1.0], [1.0, 1.00001, 1.0]])
def test_a_mesh_with_the_bounds_of_its_shape_has_the_shape_itself(size: list[float], tmp_path: Path) -> None:
    node = {"name": "Thing", "mesh": 0, "extensions": collider(), "scale": [2.0, 1.0, 1.0]}
    shape = {"type": "box", "box": {"size": size}}
    path = wrote(tmp_path, [node], [shape], **triangle_mesh(1, centered=True))
    load(path)
    own = size == [1.0, 1.0, 1.0]
    assert {ob.name for ob in bpy.data.objects} == ({"Thing"} if own else {"Thing", "Thing_collider"})
    ob = object_of("Thing", "collider")
    assert_is(read_shapes()[ob.name], declared(read_file(path))[0])
    assert bpy.data.objects["Thing"].hide_render is False


def test_a_box_keeps_its_sizes_under_uneven_scale(tmp_path: Path) -> None:
    node = {"name": "Thing", "mesh": 0, "scale": [2.0, 0.5, -3.0], "extensions": collider(), "translation": [1, 0, 0]}
    bare = {"name": "Bare", "scale": [2.0, 0.5, -3.0], "extensions": collider()}
    path = wrote(tmp_path, [node, bare], [BOX], **triangle_mesh())
    load(path)
    shapes = read_shapes()
    for name, found in zip(("Thing_collider", "Bare"), declared(read_file(path)), strict=True):
        assert_is(shapes[name], found)
        # As the extension says: the absolute value of the scale.
        assert sorted(2.0 * shapes[name].half_extents[0]) == pytest.approx(sorted([2.0, 1.0, 9.0]), rel=1e-6)


@pytest.mark.parametrize("mesh", [None, 0])
@pytest.mark.parametrize("shape", [SPHERE, CAPSULE, ROD], ids=lambda shape: shape["type"])
def test_what_scale_distorts_is_a_hull_and_said(shape: dict, mesh: int | None, tmp_path: Path) -> None:
    node = {"name": "Thing", "scale": [1.0, 1.0, 1.5], "extensions": collider()} | ({} if mesh is None else {"mesh": 0})
    load(wrote(tmp_path, [node], [shape], **triangle_mesh()))
    name = "Thing" if mesh is None else "Thing_collider"
    assert isinstance(read_shapes()[name], Hulls)
    assert last_lines() == ("Thing: Scale distorts the shape; imported as the convex hull of the mesh",)
    bounds = np.ptp(actual(read_shapes()[name])[1], axis=0)
    radius, height = (0.5, 1.0) if shape is SPHERE else (0.5, 3.0) if shape is CAPSULE else (0.5, 4.0)
    assert bounds == pytest.approx([2 * radius, 3 * radius, height], rel=0.1)


@pytest.mark.parametrize("shape", [CONE, DROP], ids=["cone", "drop"])
def test_two_radii_are_a_hull_that_holds_them_and_said(shape: dict, tmp_path: Path) -> None:
    path = wrote(tmp_path, [{"name": "Thing", "extensions": collider()}], [shape])
    load(path)
    assert_is(read_shapes()["Thing"], declared(read_file(path))[0])
    assert len(last_lines()) == 1 and "Radii" in last_lines()[0]


def test_a_plane_without_end_is_a_half_space(tmp_path: Path) -> None:
    node = {"name": "Ground", "translation": [0.0, 2.0, 0.0], "extensions": collider()}
    load(wrote(tmp_path, [node], [{"type": "plane", "plane": {}}]))
    shape = read_shapes()["Ground"]
    assert isinstance(shape, HalfSpaces)
    assert shape.normal[0] == pytest.approx([0.0, 0.0, 1.0], abs=1e-6)
    assert shape.offset[0] == pytest.approx(2.0, rel=1e-6)
    assert last_lines() == ()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"sizeX": 2.0, "sizeZ": 4.0}, ["One-sided"]),
        ({"sizeX": 2.0, "sizeZ": 4.0, "doubleSided": True}, []),
    ],
)
def test_a_plane_that_ends_is_a_rectangle(fields: dict, said: list[str], tmp_path: Path) -> None:
    load(wrote(tmp_path, [{"name": "Lid", "extensions": collider()}], [{"type": "plane", "plane": fields}]))
    _, points, _ = actual(read_shapes()["Lid"])
    assert np.ptp(points, axis=0) == pytest.approx([2.0, 4.0, 0.0], abs=1e-6)
    assert [word in note for note, word in zip(last_lines(), said, strict=True)] == [True] * len(said)


GEOMETRIES = {
    "own mesh": ([{"mesh": 0}], {"mesh": 0}),
    "own node": ([{"mesh": 0}], {"node": 0}),
    "another mesh": ([{"mesh": 0}], {"mesh": 1}),
    "a node apart": ([{"mesh": 0}, {"mesh": 1, "apart": True, "name": "Apart"}], {"node": 1}),
    "the same mesh apart": ([{"mesh": 1}, {"mesh": 1, "apart": True, "name": "Apart"}], {"node": 1}),
    "a bare node": ([{}], {"mesh": 1}),
    "a bare node and one apart": ([{}, {"mesh": 1, "apart": True, "name": "Apart"}], {"node": 1}),
}


@pytest.mark.parametrize("convex", [True, False])
@pytest.mark.parametrize("case", GEOMETRIES)
def test_meshes_are_read_wherever_they_are(case: str, convex: bool, tmp_path: Path) -> None:
    nodes, geometry = GEOMETRIES[case]
    nodes = [dict(node) for node in nodes]
    nodes[0] |= {"name": "Thing", "translation": [1.0, 0.0, 2.0], "scale": [1.0, 2.0, 1.0]}
    nodes[0]["extensions"] = collider(geometry=geometry | ({"convexHull": True} if convex else {}))
    path = wrote(tmp_path, nodes, physics={}, **triangle_mesh(2))
    (wanted,) = declared(read_file(path))
    load(path)
    assert {ob.name for ob in bpy.data.objects} <= {"Thing", "Thing_collider"}
    ob = object_of("Thing", "collider")
    assert ob.collision_kit.shape == ("HULL" if convex else "MESH")
    # A tetrahedron is convex, and so tested as its hull either way.
    _, points, _ = actual(read_shapes()[ob.name])
    assert apart(points, expected(wanted)[1]) <= ROUNDING * 4.0


def test_a_mesh_and_those_below_it_are_one_geometry(tmp_path: Path) -> None:
    below = {"mesh": 1, "translation": [5.0, 0.0, 0.0], "name": "Below"}
    nodes = [{"mesh": 0, "children": [1], "name": "Thing", "extensions": collider(geometry={"node": 0})}, below]
    load(wrote(tmp_path, nodes, **triangle_mesh(2)))
    shape = read_shapes()["Thing_collider"]
    assert isinstance(shape, Meshes)
    assert len(actual(shape)[1]) == 8
    assert np.ptp(actual(shape)[1], axis=0) == pytest.approx([7.0, 2.0, 2.0], abs=1e-6)


def test_a_node_can_be_a_collider_and_a_trigger(tmp_path: Path) -> None:
    extensions = {
        "KHR_physics_rigid_bodies": collider()["KHR_physics_rigid_bodies"]
        | collider("trigger", shape=1)["KHR_physics_rigid_bodies"]
    }
    path = wrote(tmp_path, [{"name": "Thing", "extensions": extensions}], [BOX, SPHERE])
    load(path)
    shapes = read_shapes()
    first, second = declared(read_file(path))
    assert_is(shapes["Thing"], first)
    assert_is(shapes["Thing_trigger"], second)
    assert bpy.data.objects["Thing_trigger"].collision_kit.collider.trigger


def test_units_of_the_scene_count(tmp_path: Path) -> None:
    bpy.context.scene.unit_settings.scale_length = 0.01
    load(wrote(tmp_path, [{"name": "Thing", "extensions": collider(shape=1)}], [BOX, SPHERE]))
    assert read_shapes()["Thing"].radius[0] == pytest.approx(50.0, rel=1e-6)


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ({"type": "box", "box": {"size": [1.0, 0.0, 1.0]}}, "size is 0"),
        ({"type": "box", "box": {"size": [1.0, 1.0]}}, "size is not three numbers"),
        ({"type": "sphere", "sphere": {"radius": -1.0}}, "radius is -1"),
        ({"type": "sphere", "sphere": {"radius": "wide"}}, "radius is not a number"),
        ({"type": "sphere", "sphere": {"radius": True}}, "radius is not a number"),
        ({"type": "sphere", "sphere": {"radius": 10**400}}, "radius is not from 0 to 3.4e+38"),
        ({"type": "sphere", "sphere": {"radius": 1e39}}, "radius is not from 0 to 3.4e+38"),
        ({"type": "box", "box": {"size": [1.0, -(10**400), 1.0]}}, "size is not from 0 to 3.4e+38"),
        ({"type": "capsule", "capsule": {"height": 1e-60}}, "height is 1e-60, below 1.2e-38"),
        ({"type": "capsule", "capsule": {"height": 0.0}}, "height is 0"),
        ({"type": "cylinder", "cylinder": {"radiusTop": 0, "radiusBottom": 0}}, "both radii are zero"),
        ({"type": "torus"}, "type is 'torus'"),
        ({}, "type is None"),
    ],
)
def test_shapes_that_are_none_are_said(shape: dict, said: str, tmp_path: Path) -> None:
    load(wrote(tmp_path, [{"name": "Thing", "extensions": collider()}], [shape]))
    assert last_lines() == (f"Thing: Shape is invalid: {said}; ignored",)
    assert bpy.data.objects["Thing"].collision_kit.shape == "AUTO"


@pytest.mark.parametrize("geometry", [{"shape": 7}, {"node": 9}, {"mesh": -1}, {"shape": "0"}])
def test_geometries_that_are_not_there_are_said(geometry: dict, tmp_path: Path) -> None:
    load(wrote(tmp_path, [{"name": "Thing", "extensions": collider(geometry=geometry)}], [BOX]))
    (what,) = geometry
    assert last_lines() == (f"Thing: Collider refers to a {what} that is not in the file; ignored",)


@pytest.mark.parametrize("physics", [True, False])
@pytest.mark.parametrize(
    ("children", "names"),
    [
        ({0: [1], 1: [0]}, '"A" > "B" > "A"'),
        ({0: [0]}, '"A" > "A"'),
        ({0: [1], 1: [2], 2: [1]}, '"B" > "Node_2" > "B"'),
        ({1: [2], 2: [1]}, '"B" > "Node_2" > "B"'),
    ],
)
def test_a_cycle_of_nodes_is_refused_by_their_names(children: dict, names: str, physics: bool, tmp_path: Path) -> None:
    nodes: list[dict] = [{"name": "A"}, {"name": "B"}, {}]
    for node, below in children.items():
        nodes[node]["children"] = below
    if physics:
        nodes[0]["extensions"] = collider()
    path = wrote(tmp_path, nodes, [BOX])
    with pytest.raises(RuntimeError, match=f"^Error: Node hierarchy forms a cycle: {names}\n?$"):
        bpy.ops.import_scene.gltf(filepath=str(path), loglevel=50)
    assert not bpy.data.objects


def test_a_long_chain_of_nodes_ends_in_a_collider(tmp_path: Path) -> None:
    nodes: list[dict] = [{"name": f"N{number}", "children": [number + 1]} for number in range(200)]
    load(wrote(tmp_path, [*nodes, {"name": "Last", "extensions": collider()}], [BOX]))
    assert bpy.data.objects["Last"].collision_kit.shape == "BOX"


REQUIRED = ["KHR_implicit_shapes", "KHR_physics_rigid_bodies"]


@pytest.mark.parametrize("required", [REQUIRED[:1], REQUIRED])
def test_files_that_require_the_extensions_are_read(required: list[str], tmp_path: Path) -> None:
    path = wrote(tmp_path, [{"name": "Thing", "extensions": collider()}], [BOX], extensionsRequired=required)
    load(path)
    assert bpy.data.objects["Thing"].collision_kit.shape == "BOX"


@pytest.mark.parametrize("name", FILES)
def test_samples_that_require_the_extensions_are_read_alike(data_dir: Path, name: str, tmp_path: Path) -> None:
    file = read_file(data_dir / "gltf_physics" / name)
    file.json["extensionsRequired"] = REQUIRED
    path = tmp_path / name
    write_binary(path, file)
    load(path)
    for found in declared(file):
        assert_is(read_shapes()[object_of(found.name, found.role).name], found)


def test_without_the_option_files_that_require_them_are_refused(tmp_path: Path) -> None:
    bpy.context.scene.collision_kit.gltf.read = False
    path = wrote(tmp_path, [{"name": "Thing", "extensions": collider()}], [BOX], extensionsRequired=REQUIRED)
    with pytest.raises(RuntimeError, match="KHR_implicit_shapes is not available"):
        load(path)


THING = {"name": "Thing", "extensions": collider()}


@pytest.mark.parametrize(
    ("nodes", "more", "said"),
    [
        ([{"children": [99, -1]}], {}, {"/nodes/1/children/0": "node 99", "/nodes/1/children/1": "node -1"}),
        ([{"mesh": 5, "skin": 0}], {}, {"/nodes/1/mesh": "mesh 5", "/nodes/1/skin": "skin 0"}),
        ([{"camera": -1}], {"scene": 3}, {"/scene": "scene 3", "/nodes/1/camera": "camera -1"}),
        ([], {"scenes": [{"nodes": [0, 7]}]}, {"/scenes/0/nodes/1": "node 7"}),
        ([{}], {"scenes": [{"nodes": [0, 1, 1]}]}, {"/scenes/0/nodes": "Node 1 is listed more than once"}),
        (
            [{"children": [2]}, {}],
            {"scenes": [{"nodes": [0, 1, 2]}]},
            {"/scenes/0/nodes": "Node 2 is listed more than once"},
        ),
        ([{"children": [3]}, {"children": [3]}, {}], {}, {"/nodes/2": "3 already has the parent 1"}),
        ([{"children": [2, 2]}, {}], {}, {"/nodes/1": "2 already has the parent 1"}),
        ([{"skin": 0}], {"skins": [{"joints": [9]}]}, {"/skins/0/joints/0": "node 9"}),
        (
            [{}],
            {"animations": [{"samplers": [], "channels": [{"sampler": 0, "target": {"node": 1, "path": "scale"}}]}]},
            {"/animations/0/channels/0/sampler": "sampler 0"},
        ),
    ],
)
def test_what_leads_nowhere_is_said_with_its_place_and_the_rest_is_read(
    nodes: list[dict], more: dict, said: dict, tmp_path: Path
) -> None:
    load(wrote(tmp_path, [dict(THING), *(dict(node) for node in nodes)], [BOX], **more))
    assert bpy.data.objects["Thing"].collision_kit.shape == "BOX"
    assert len(bpy.data.objects) == 1 + len(nodes)
    found = [note.split(": ", 1) for note in last_lines()]
    assert [place for place, _ in found] == [*said]
    assert all(said[place] in text for place, text in found)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ({"buffers": [{"uri": "missing.bin", "byteLength": 96}]}, '"missing.bin"'),
        ({"buffers": [{"uri": "data:application/octet-stream;base64,AAAA", "byteLength": 96}]}, "/bufferViews/0"),
        ({"buffers": []}, "/bufferViews/0/buffer"),
        ({"bufferViews": []}, "/accessors/0/bufferView"),
        ({"bufferViews": [{"buffer": 0, "byteLength": 12}] * 2}, "/accessors/0"),
        ({"accessors": []}, "accessor 0"),
    ],
)
def test_data_that_are_missing_are_said_and_the_rest_is_read(damage: dict, said: str, tmp_path: Path) -> None:
    nodes = [dict(THING), {"name": "Rock", "mesh": 0, "extensions": collider(geometry={"mesh": 0})}]
    load(wrote(tmp_path, nodes, [BOX], **triangle_mesh() | damage))
    assert bpy.data.objects["Thing"].collision_kit.shape == "BOX"
    assert {ob.name for ob in bpy.data.objects} == {"Thing", "Rock"}
    place = "/meshes/0/primitives/0/attributes/POSITION: "
    assert any(note.startswith(place) and note.endswith(said) for note in last_lines())


def test_fields_of_another_type_are_said_and_the_rest_is_read(tmp_path: Path) -> None:
    physics = {
        "physicsMaterials": [{"staticFriction": "0.5", "dynamicFriction": 10**400, "restitution": -1}, 3],
        "collisionFilters": [{"collisionSystems": "A", "collideWithSystems": [1], "notCollideWithSystems": ["B"]}],
    }
    one = collider(physicsMaterial=0, collisionFilter=0)
    one["KHR_physics_rigid_bodies"] |= {"motion": 1, "trigger": []}
    two = collider(physicsMaterial=1, geometry={"shape": 0, "convexHull": "yes"})
    three = {"KHR_physics_rigid_bodies": {"collider": {"geometry": 0}}}
    nodes = [{"name": name, "extensions": of} for name, of in (("One", one), ("Two", two), ("Three", three))]
    load(wrote(tmp_path, nodes, [BOX], physics))
    number = "is not a valid number of at least 0; imported as"
    kind = "has the wrong type; ignored"
    assert set(last_lines()) == {
        f"One: Field staticFriction {number} 0.6",
        f"One: Field dynamicFriction {number} 0.6",
        f"One: Field restitution {number} 0.0",
        f"One: Field collisionSystems {kind}",
        f"One: Field collideWithSystems {kind}",
        f"One: Field motion {kind}",
        f"One: Field trigger {kind}",
        f"Two: Field physicsMaterials/1 {kind}",
        f"Two: Field convexHull {kind}",
        f"Three: Field geometry {kind}",
    }
    assert [bpy.data.objects[name].collision_kit.shape for name in ("One", "Two", "Three")] == ["BOX", "BOX", "AUTO"]


def test_a_floor_without_end_may_be_below_a_mesh(tmp_path: Path) -> None:
    both = collider(shape=0)
    both["KHR_physics_rigid_bodies"]["trigger"] = {"geometry": {"shape": 1}}
    nodes = [{"name": "House", "mesh": 0, "children": [1]}, {"name": "Floor", "extensions": both}]
    load(wrote(tmp_path, nodes, [{"type": "plane", "plane": {}}, BOX], **triangle_mesh()))
    assert isinstance(read_shapes()["Floor"], HalfSpaces)
    assert last_lines() == ()


def test_what_is_in_no_scene_and_gives_its_mesh_only_is_no_collider(tmp_path: Path) -> None:
    apart = {"mesh": 0, "apart": True, "name": "Apart", "extensions": collider()}
    load(
        wrote(
            tmp_path, [{"name": "Thing", "extensions": collider(geometry={"node": 1})}, apart], [BOX], **triangle_mesh()
        )
    )
    assert {ob.name for ob in bpy.data.objects} == {"Thing"}
    assert isinstance(read_shapes()["Thing"], Hulls | Meshes)


def test_an_armature_keeps_its_collider_apart(tmp_path: Path) -> None:
    nodes = [{"name": "Rig", "children": [1], "extensions": collider()}, {"name": "Bone"}, {"mesh": 0, "skin": 0}]
    load(wrote(tmp_path, nodes, [BOX], skins=[{"joints": [1]}], **triangle_mesh()))
    assert bpy.data.objects["Rig"].type == "ARMATURE"
    assert_is(read_shapes()["Rig_collider"], declared(read_file(tmp_path / "file.gltf"))[0])


def test_files_that_are_imported_together_are_read_each_by_itself(tmp_path: Path) -> None:
    one = wrote(tmp_path, [{"name": "One", "extensions": collider(shape=3)}], [BOX]).rename(tmp_path / "one.gltf")
    two = wrote(tmp_path, [{"name": "Two"}]).rename(tmp_path / "two.gltf")
    files = [{"name": one.name}, {"name": two.name}]
    # Blender 4.2 has no such property, and looks beside the file.
    has_folder = "directory" in bpy.ops.import_scene.gltf.get_rna_type().properties
    folder = {"directory": str(tmp_path)} if has_folder else {}
    bpy.ops.import_scene.gltf(filepath=str(one), files=files, loglevel=50, **folder)
    assert last_lines() == ("One: Collider refers to a shape that is not in the file; ignored",)
    assert {ob.name: ob.collision_kit.shape for ob in bpy.data.objects} == {"One": "AUTO", "Two": "AUTO"}


@pytest.mark.parametrize("count", [10, *slow(60)])
def test_random_damage_is_said_and_nothing_raises(count: int) -> None:
    assert gltf_mutants.run(0, count) == []


def test_what_is_left_out_is_said(tmp_path: Path) -> None:
    physics = {
        "physicsMaterials": [
            {"staticFriction": 0.75, "dynamicFriction": 0.25, "restitution": 2.0, "frictionCombine": "average"}
        ]
    }
    extensions = collider(motion={"mass": 2.0, "linearVelocity": [1, 0, 0]}, physicsMaterial=0)
    extensions["KHR_physics_rigid_bodies"]["joint"] = {"joint": 0, "connectedNode": 0}
    both = {"type": "plane", "plane": {"doubleSided": True}}
    nodes = [{"name": "Thing", "extensions": extensions}, {"name": "Flat", "extensions": collider(shape=1)}]
    load(wrote(tmp_path, nodes, [BOX, both], physics))
    assert set(last_lines()) == {
        "Thing: Joint refers to a joint that is not in the file; ignored",
        "Thing: Motion properties are not supported; ignored: linearVelocity, mass",
        "Thing: Static friction 0.75 and dynamic friction 0.25 differ; imported as 0.25",
        "Thing: Material combine modes are not supported; ignored: frictionCombine",
        "Thing: Restitution is 2; imported as 1",
        "Flat: Infinite two-sided plane is not supported; ignored",
    }
    assert bpy.data.objects["Thing"].collision_kit.friction == pytest.approx(0.25)


def test_more_systems_than_groups_are_said(tmp_path: Path) -> None:
    names = [f"System {number:02d}" for number in range(20)]
    physics = {"collisionFilters": [{"collisionSystems": [name]} for name in names]}
    nodes = [{"name": name, "extensions": collider(collisionFilter=number)} for number, name in enumerate(names)]
    load(wrote(tmp_path, nodes, [BOX], physics))
    assert [note.split(":")[0] for note in last_lines()] == names[15:]


def test_the_command_reads_them_too(root: Path, tmp_path: Path) -> None:
    """As a Python package, where Blender has no add-on of this name."""
    (tmp_path / "collision_kit").symlink_to(root, target_is_directory=True)
    file = wrote(
        tmp_path, [{"name": "A", "extensions": collider()}, {"name": "B", "extensions": collider("trigger")}], [BOX]
    )
    code = (
        "import os, sys; sys.path.insert(0, sys.argv[1]); from collision_kit.addon.cli import commands; "
        "from collision_kit.command import usage; "
        "options = ['check', sys.argv[2], '--allow-empty', '--format', 'json']; "
        "code = commands.main(usage.read(options).options)[0]; "
        "sys.stdout.flush(); os._exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), str(file)],
        # Blender sets OCIO for itself, and 5.2 tells on its standard output whenever it finds it set.
        env={name: value for name, value in os.environ.items() if name != "OCIO"},
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert [one["object"] for one in report["skipped"]] == ["B"]
