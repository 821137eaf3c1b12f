# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders in glTF files by the extensions of OMI: written beside the KHR drafts, and read with and without them."""

import itertools
from collections import Counter
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.addon.colliders.meshes import round_mesh
from collision_kit.addon.exchange.issues import last_lines
from collision_kit.core.shapes import Boxes, Capsules, Cylinders, Hulls, Meshes, Spheres
from tests.helpers.blender.bridge_scene import add, cube_mesh, l_mesh, mesh, rigid_body, with_setting
from tests.helpers.blender.colliders_scene import PLACES, build, make, select
from tests.helpers.blender.gltf_scene import actual, apart, corners_of, read_shapes
from tests.helpers.blender.gltf_trip import Trip, assert_valid, is_omi
from tests.helpers.blender.gltf_writing import collider, triangle_mesh, wrote
from tests.helpers.gltf_files import TO_BLENDER, mesh_points, world
from tests.helpers.offline import by_turns

pytestmark = pytest.mark.usefixtures("scene")

if not (hasattr(bpy.types, "EXPORT_SCENE_OT_gltf") and hasattr(bpy.types, "IMPORT_SCENE_OT_gltf")):
    pytest.skip("this Blender has no glTF exporter", allow_module_level=True)

ROUNDING = 1e-6
TYPES = {"BOX": "box", "SPHERE": "sphere", "CAPSULE": "capsule", "CYLINDER": "cylinder", "HULL": "convex"}


def omi(trip: Trip, node: dict) -> dict:
    return node["extensions"]["OMI_physics_body"]


def shape_of(trip: Trip, content: dict) -> dict:
    return trip.file.json["extensions"]["OMI_physics_shape"]["shapes"][content["shape"]]


def five() -> dict[str, str]:
    """Five colliders of a mesh that is turned, as for Godot; their names, and the kind of each."""
    found = {}
    for number, kind in enumerate(TYPES):
        ob = build("turned", name=f"Rock {number}")
        select(ob)
        (made,) = make(kind, engine="GODOT")
        found[made.name] = kind
    bpy.context.scene.collision_kit.engine = "GODOT"
    return found


def test_the_five_shapes_are_written_as_such_and_as_the_khr_drafts_have_them(tmp_path: Path) -> None:
    kinds = five()
    bpy.context.scene.collision_kit.gltf.omi_capsules = "BETWEEN_CENTERS"
    ground = with_setting(add("Ground", l_mesh(), at=(30.0, 0.0, 0.0)), "MESH")
    trip = Trip(tmp_path)
    assert_valid(trip.file)
    by_khr = {found.name: found for found in trip.declared}
    nodes = {node["name"]: number for number, node in enumerate(trip.file.nodes) if is_omi(node)}
    assert set(nodes) == set(by_khr), "each on the very node that has the other"
    for name, number in nodes.items():
        owner = name.removesuffix("_shape")
        kind = "trimesh" if owner == ground.name else TYPES[kinds[owner]]
        shape = shape_of(trip, omi(trip, trip.file.nodes[number])["collider"])
        assert shape["type"] == kind
        fields, khr = shape[kind], by_khr[name]
        if kind in {"convex", "trimesh"}:
            assert khr.shape is None and khr.convex == (kind == "convex")
            assert np.array_equal(mesh_points(trip.file, fields["mesh"]) @ TO_BLENDER.T, khr.points)
        else:
            assert khr.shape["type"] == kind
            assert {**fields, **khr.shape[kind]} == fields, "not a digit differs"
            assert set(fields) - set(khr.shape[kind]) <= {"radius"}
        kind_of, points, radius = measured(shape, world(trip.file, number), trip)
        got, at, width = actual(trip.shapes[owner])
        assert kind_of == got
        assert apart(points, at) <= 4.0 * ROUNDING * (1.0 + np.abs(at).max())
        assert radius == pytest.approx(width, rel=4.0 * ROUNDING)
    assert trip.notes == []


MADE = by_turns([pytest.param(kind, place) for kind in (*TYPES, "BEST") for place in PLACES], len(PLACES), 0)


@pytest.mark.parametrize(("kind", "place"), MADE)
def test_a_collider_made_for_godot_is_one_shape_there_and_comes_back_as_one(
    kind: str, place: str, tmp_path: Path
) -> None:
    ob = build(place, mesh(*round_mesh(0.4, 1.5)) if kind == "BEST" else None)
    (made,) = make(kind, engine="GODOT")
    bpy.context.scene.collision_kit.engine = "GODOT"
    name, owner, setting = made.name, ob.name, made.collision_kit.shape
    kinds, shape = kinds_of_shapes(), actual(read_shapes()[name])
    trip = Trip(tmp_path)
    assert_valid(trip.file)
    declared = [omi(trip, node)["collider"] for node in trip.file.nodes if is_omi(node)]
    expected = {"BEST": "capsule"}.get(kind, TYPES.get(kind))
    if setting == "HULL":
        assert kind == "HULL" or "uneven" in place or "sheared" in place
        expected = "convex"
    assert [shape_of(trip, one)["type"] for one in declared] == [expected]
    # Godot would make shapes of meshes with this name.
    assert [node["name"] for node in trip.file.nodes if "mesh" in node] == [owner]
    found = trip.back()
    assert kinds_of_shapes() == kinds
    (kind_of, points, radius), (other, at, width) = actual(found[name]), shape
    assert kind_of == other
    assert apart(points, at) <= 8.0 * ROUNDING * (1.0 + np.abs(at).max())
    assert radius == pytest.approx(width, rel=8.0 * ROUNDING)
    report = api.validate_colliders("GODOT")
    assert (report.bodies, report.colliders) == (1, 1)
    assert not {"godot-name", "godot-capsule-height"} & {one.rule.id for one in report.issues}


def kinds_of_shapes() -> Counter[str]:
    """Return how many objects there are of each shape."""
    return Counter(ob.collision_kit.shape for ob in bpy.data.objects if ob.type == "MESH")


def measured(shape: dict, matrix: np.ndarray, trip: Trip) -> tuple[type, np.ndarray, float]:
    """Kind, points that say where it is, and radius, of a shape of OMI on an unscaled node, in the world."""
    kind, fields = shape["type"], shape[shape["type"]]
    if kind in {"convex", "trimesh"}:
        points = mesh_points(trip.file, fields["mesh"]) @ TO_BLENDER.T
        hull = kind == "convex"
        placed = points @ matrix[:3, :3].T + matrix[:3, 3]
        return (Hulls, corners_of(placed), 0.0) if hull else (Meshes, placed, 0.0)
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    if kind == "box":
        half = np.array(fields["size"])[[0, 2, 1]] / 2.0
        corners = np.array(list(itertools.product((-1.0, 1.0), repeat=3))) * half
        return Boxes, corners @ matrix[:3, :3].T + matrix[:3, 3], 0.0
    if kind == "sphere":
        return Spheres, matrix[None, :3, 3], fields["radius"] * scale[0]
    # The height of a capsule is that between the centers, as that of a cylinder is.
    ends = np.array([(0.0, 0.0, -1.0), (0.0, 0.0, 1.0)]) * fields["height"] / 2.0
    radius = fields["radiusTop"] * scale[0]
    return {"capsule": Capsules, "cylinder": Cylinders}[kind], ends @ matrix[:3, :3].T + matrix[:3, 3], radius


@pytest.mark.parametrize("capsules", ["BETWEEN_CENTERS", "TOTAL"])
def test_omi_alone_comes_back_as_it_was(capsules: str, tmp_path: Path) -> None:
    kinds = five()
    with_setting(add("Ground", l_mesh(), at=(30.0, 0.0, 0.0)), "MESH")
    settings = bpy.context.scene.collision_kit.gltf
    settings.khr, settings.omi_capsules = False, capsules
    trip = Trip(tmp_path)
    assert_valid(trip.file)
    assert not any("KHR" in name for name in trip.file.json["extensionsUsed"])
    shapes = trip.file.json["extensions"]["OMI_physics_shape"]["shapes"]
    (capsule,) = (one for one in shapes if one["type"] == "capsule")
    got = actual(next(shape for shape in trip.shapes.values() if isinstance(shape, Capsules)))
    between = float(np.linalg.norm(got[1][1] - got[1][0]))
    expected = between if capsules == "BETWEEN_CENTERS" else between + 2.0 * got[2]
    assert capsule["capsule"]["height"] == pytest.approx(expected, rel=4.0 * ROUNDING)
    assert capsule["capsule"]["radius"] == pytest.approx(got[2], rel=4.0 * ROUNDING)
    assert ("radiusTop" in capsule["capsule"]) == (capsules == "BETWEEN_CENTERS")
    back = trip.back()
    for name in [*kinds, "Ground"]:
        (kind, points, radius), (other, at, width) = actual(back[name]), actual(trip.shapes[name])
        assert kind == other, name
        assert apart(points, at) <= 4.0 * ROUNDING * (1.0 + np.abs(at).max())
        assert radius == pytest.approx(width, rel=4.0 * ROUNDING)
    assert trip.read_notes == []


def test_each_can_be_switched_off(tmp_path: Path) -> None:
    with_setting(add("Crate", cube_mesh()), "BOX")
    used = {}
    for extensions in ((), ("KHR",), ("OMI",)):
        settings = bpy.context.scene.collision_kit.gltf
        settings.khr, settings.omi = "KHR" in extensions, "OMI" in extensions
        folder = tmp_path / "-".join(["out", *extensions])
        folder.mkdir()
        used[extensions] = {name[:3] for name in Trip(folder).file.json.get("extensionsUsed", [])}
    assert used == {extensions: set(extensions) for extensions in used}


def test_what_moves_and_its_surface_and_triggers_are_written(tmp_path: Path) -> None:
    falling = rigid_body(add("Falling", cube_mesh((1.0, 2.0, 3.0))), "BOX", "ACTIVE")
    falling.rigid_body.mass, falling.rigid_body.friction, falling.rigid_body.restitution = 2.5, 0.75, 0.25
    animated = rigid_body(add("Animated", cube_mesh(), at=(9.0, 0.0, 0.0)), "BOX", "ACTIVE")
    animated.rigid_body.kinematic = True
    rigid_body(add("Floor", cube_mesh(), at=(0.0, 9.0, 0.0)), "BOX")
    zone = with_setting(add("Zone", cube_mesh(), at=(0.0, 0.0, 9.0)), "BOX")
    zone.collision_kit.collider.trigger = True
    zone.collision_kit.own_groups = True
    zone.collision_kit.mask = [False] * 16
    with_setting(add("Water", cube_mesh(), at=(0.0, 0.0, -9.0)), "HALF_SPACE")
    trip = Trip(tmp_path)
    assert_valid(trip.file)
    bodies = {node["name"]: omi(trip, node) for node in trip.file.nodes if is_omi(node)}
    assert {name: body.get("motion") for name, body in bodies.items()} == {
        "Falling": {"type": "dynamic", "mass": 2.5},
        "Animated": {"type": "kinematic", "mass": 1},
        "Floor": None,
        "Zone": None,
    }
    lists = trip.file.json["extensions"]["OMI_physics_body"]
    assert lists["physicsMaterials"][bodies["Falling"]["collider"]["physicsMaterial"]] == {
        "staticFriction": 0.75,
        "dynamicFriction": 0.75,
        "restitution": 0.25,
    }
    assert set(bodies["Zone"]) == {"trigger"}
    # No list at all would be all systems.
    entry = lists["collisionFilters"][bodies["Zone"]["trigger"]["collisionFilter"]]
    assert entry["notCollideWithSystems"] == [f"Group {number}" for number in range(1, 17)]
    assert any(note.startswith("Water: Half-spaces are not supported by OMI") for note in trip.notes)


def load(path: Path) -> None:
    assert bpy.ops.import_scene.gltf(filepath=str(path), loglevel=50) == {"FINISHED"}
    bpy.context.view_layer.update()


def wrote_omi(tmp_path: Path, nodes: list[dict], shapes: list, physics: dict | None = None, **more) -> Path:
    """A file that declares everything by OMI; `wrote` says the same by the KHR drafts."""
    extensions = {"OMI_physics_shape": {"shapes": shapes}, "OMI_physics_body": physics or {}}
    return wrote(tmp_path, nodes, extensionsUsed=[*extensions], extensions=extensions, **more)


def body(shape: object = 0, role: str = "collider", **more) -> dict:
    return {"OMI_physics_body": {role: {"shape": shape}, **more}}


@pytest.mark.parametrize(
    ("shape", "kind", "size"),
    [
        ({"type": "box"}, Boxes, (1.0, 1.0, 1.0)),
        ({"type": "sphere", "sphere": {}}, Spheres, (1.0, 1.0, 1.0)),
        ({"type": "capsule", "capsule": {}}, Capsules, (1.0, 1.0, 2.0)),
        ({"type": "cylinder"}, Cylinders, (1.0, 1.0, 2.0)),
        # One radius: as it was before September 2024, when the height was the total.
        ({"type": "capsule", "capsule": {"height": 3.0, "radius": 0.5}}, Capsules, (1.0, 1.0, 3.0)),
        ({"type": "capsule", "capsule": {"height": 1.0, "radius": 0.5}}, Spheres, (1.0, 1.0, 1.0)),
        ({"type": "cylinder", "cylinder": {"height": 3.0, "radius": 0.25}}, Cylinders, (0.5, 0.5, 3.0)),
        # Both: the newer counts.
        (
            {"type": "capsule", "capsule": {"height": 3.0, "radius": 9.0, "radiusTop": 0.5, "radiusBottom": 0.5}},
            Capsules,
            (1.0, 1.0, 4.0),
        ),
    ],
)
def test_shapes_are_read_with_the_values_that_omi_gives_what_is_missing(
    shape: dict, kind: type, size: tuple[float, ...], tmp_path: Path
) -> None:
    load(wrote_omi(tmp_path, [{"name": "Thing", "extensions": body()}], [shape]))
    assert isinstance(read_shapes()["Thing"], kind)
    assert tuple(bpy.data.objects["Thing"].dimensions) == pytest.approx(size, rel=1e-6)
    assert last_lines() == ()


@pytest.mark.parametrize(("kind", "found"), [("convex", "HULL"), ("hull", "HULL"), ("trimesh", "MESH")])
def test_meshes_are_read(kind: str, found: str, tmp_path: Path) -> None:
    nodes = [{"name": "Thing", "mesh": 0, "extensions": body()}]
    load(wrote_omi(tmp_path, nodes, [{"type": kind, kind: {"mesh": 0}}], **triangle_mesh()))
    assert bpy.data.objects["Thing"].collision_kit.shape == found
    assert last_lines() == ()


def test_triggers_materials_filters_and_bodies_are_read(tmp_path: Path) -> None:
    physics = {
        "physicsMaterials": [{"staticFriction": 0.5, "dynamicFriction": 0.5, "restitution": 0.25}],
        "collisionFilters": [{"collisionSystems": ["A"], "collideWithSystems": []}],
    }
    part = {"shape": 0, "physicsMaterial": 0, "collisionFilter": 0}
    nodes = [
        {"name": "Car", "children": [1, 2], "extensions": {"OMI_physics_body": {"motion": {"type": "dynamic"}}}},
        {"name": "Wheel", "extensions": {"OMI_physics_body": {"collider": part}}},
        {"name": "Zone", "extensions": body(role="trigger")},
        {"name": "House", "children": [4], "extensions": {"OMI_physics_body": {"motion": {"type": "static"}}}},
        {"name": "Door", "extensions": {"OMI_physics_body": {"collider": {**part, "physicsMaterial": -1}}}},
        {"name": "Group", "extensions": {"OMI_physics_body": {"collider": {}}}},
    ]
    load(wrote_omi(tmp_path, nodes, [{"type": "box"}], physics))
    wheel, door = bpy.data.objects["Wheel"].collision_kit, bpy.data.objects["Door"].collision_kit
    assert (wheel.friction, wheel.restitution) == (0.5, 0.25)
    assert wheel.part_of == bpy.data.objects["Car"]
    assert door.part_of == bpy.data.objects["House"], "a static motion makes a body, too"
    assert not door.own_surface
    assert all(wheel.mask), "an empty list of OMI stands for all systems"
    assert bpy.data.objects["Zone"].collision_kit.collider.trigger
    assert last_lines() == ()


def test_what_both_declare_is_there_once(tmp_path: Path) -> None:
    both = {**body(), **collider()}
    extensions = {
        "OMI_physics_shape": {"shapes": [{"type": "sphere"}]},
        "KHR_implicit_shapes": {"shapes": [{"type": "box"}]},
    }
    only = {"KHR_physics_rigid_bodies": {"motion": {}}, **body()}
    nodes = [{"name": "Both", "extensions": both}, {"name": "Only", "extensions": only}]
    load(wrote(tmp_path, nodes, extensionsUsed=[], extensions=extensions))
    found = read_shapes()
    assert isinstance(found["Both"], Boxes)
    assert isinstance(found["Only"], Spheres)
    assert len(bpy.data.objects) == 2


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ({"type": "box", "box": {"size": [1.0, -1.0, 1.0]}}, "Shape is invalid: size is -1; ignored"),
        ({"type": "box", "box": []}, "Shape is invalid: box is not an object; ignored"),
        ({"type": "plane"}, "Shape is invalid: type is 'plane'; ignored"),
        ({"type": ["box"]}, "Shape is invalid: type is ['box']; ignored"),
        ({}, "Shape is invalid: type is None; ignored"),
        ([], "Shape is invalid: not an object; ignored"),
        ({"type": "capsule", "capsule": {"radius": "wide"}}, "Shape is invalid: radiusBottom is not a number; ignored"),
        ({"type": "capsule", "capsule": {"radius": 1, "height": -3}}, "Shape is invalid: height is -3; ignored"),
        ({"type": "convex"}, "Collider refers to a mesh that is not in the file; ignored"),
        ({"type": "trimesh", "trimesh": {"mesh": 7}}, "Collider refers to a mesh that is not in the file; ignored"),
        ({"type": "convex", "convex": 3}, "Collider refers to a mesh that is not in the file; ignored"),
    ],
)
def test_shapes_that_are_none_are_said(shape: object, said: str, tmp_path: Path) -> None:
    load(wrote_omi(tmp_path, [{"name": "Thing", "extensions": body()}], [shape]))
    assert last_lines() == (f"Thing: {said}",)
    assert bpy.data.objects["Thing"].collision_kit.shape == "AUTO"


@pytest.mark.parametrize("index", [7, -2, "0", True, [0], 10**400, 0.0])
def test_shapes_that_are_not_there_are_said(index: object, tmp_path: Path) -> None:
    load(wrote_omi(tmp_path, [{"name": "Thing", "extensions": body(index)}], [{"type": "box"}]))
    assert last_lines() == ("Thing: Collider refers to a shape that is not in the file; ignored",)


def test_a_compound_trigger_is_said(tmp_path: Path) -> None:
    nodes = [
        {"name": "All", "children": [1], "extensions": {"OMI_physics_body": {"trigger": {"nodes": [1]}}}},
        {"name": "Part", "extensions": body(role="trigger")},
    ]
    load(wrote_omi(tmp_path, nodes, [{"type": "box"}]))
    assert last_lines() == ("All: Compound trigger is not supported; imported as separate triggers",)
    assert bpy.data.objects["Part"].collision_kit.collider.trigger


def test_files_that_require_them_are_read(tmp_path: Path) -> None:
    required = ["OMI_physics_shape", "OMI_physics_body"]
    load(wrote_omi(tmp_path, [{"name": "Thing", "extensions": body()}], [{"type": "box"}], extensionsRequired=required))
    assert isinstance(read_shapes()["Thing"], Boxes)


def test_scripts_choose_what_is_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="extensions"):
        api.export_gltf(tmp_path / "a.glb", extensions=["USD"])
    with pytest.raises(ValueError, match="omi_capsules"):
        api.export_gltf(tmp_path / "a.glb", omi_capsules="HALF")
