# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders around vertex groups follow the bones of these: in any pose, converted, mirrored, and in a glTF file."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.addon.colliders import fit_record
from collision_kit.core.query.queries import distance
from collision_kit.core.shapes import Hulls, Spheres
from tests.helpers.blender.bridge_scene import world_vertices
from tests.helpers.blender.colliders_scene import held, make
from tests.helpers.blender.gltf_trip import Trip, assert_valid
from tests.helpers.blender.round_trip import through
from tests.helpers.blender.skinned_figure import COUNT, GROUPS, figure
from tests.helpers.gltf_files import TO_BLENDER, mesh_points, world
from tests.helpers.offline import slow

pytestmark = pytest.mark.usefixtures("scene")

POSES = {
    "rest": {},
    "bent": {"Arm.L": ((0.3, 0.8, -0.2), (0.0, 0.5, 0.1), 1.0), "Arm.R": ((-1.0, 0.1, 0.4), (0.0, 0.0, 0.0), 1.0)},
    "stretched": {"Arm.L": ((0.0, 0.0, 2.0), (1.0, 0.0, 0.0), 1.5), "Arm.R": ((0.5, 0.5, 0.5), (0.0, 0.0, 0.0), 0.5)},
}


def pose(name: str) -> None:
    rig = bpy.data.objects["Rig"]
    for bone in rig.pose.bones:
        bone.rotation_mode = "XYZ"
        turn, place, size = POSES[name].get(bone.name, ((0, 0, 0), (0, 0, 0), 1.0))
        bone.rotation_euler, bone.location, bone.scale = turn, place, (size,) * 3
    bpy.context.view_layer.update()


def group_of(body: bpy.types.Object, number: int) -> np.ndarray:
    """The vertices of a group in the world, as the armature has moved them."""
    return world_vertices(body)[COUNT * number : COUNT * (number + 1)]


def in_order(body: bpy.types.Object, made: list[bpy.types.Object]) -> list[bpy.types.Object]:
    """The colliders in the order of the groups."""
    middles = [group_of(body, number).mean(axis=0) for number in range(len(GROUPS))]
    places = np.array([world_vertices(ob).mean(axis=0) for ob in made])
    return [made[int(np.linalg.norm(places - middle, axis=1).argmin())] for middle in middles]


@pytest.mark.parametrize(("engine", "relative"), [("UNREAL", False), ("GODOT", True), ("UNITY", True), ("GLTF", False)])
@pytest.mark.parametrize("kind", ["BOX", "CAPSULE", *slow("SPHERE", "HULL")])
def test_colliders_follow_the_bones_of_their_groups(kind: str, engine: str, relative: bool) -> None:
    body = figure(relative=relative)
    pose("bent")
    made = in_order(body, make(kind, source="GROUPS", engine=engine))
    rig = bpy.data.objects["Rig"]
    for number, ob in enumerate(made):
        bone = GROUPS[number] if number < 2 else ""
        assert (ob.parent, ob.parent_type, ob.parent_bone) == ((rig, "BONE", bone) if bone else (body, "OBJECT", ""))
        assert api.render_mesh_of(ob) == body
    for name in ("bent", "rest", "stretched"):
        pose(name)
        for number, ob in enumerate(made):
            held(ob, group_of(body, number))
            record = fit_record.known(ob)
            assert record is not None
            assert number == 2 or not fit_record.is_stale(ob, body, record)
    # They are as tight in any pose as they were where they were made: hulls touch what they hold.
    if kind == "HULL":
        for number, ob in enumerate(made):
            apart = np.linalg.norm(world_vertices(ob)[:, None] - group_of(body, number), axis=2).min(axis=1)
            assert apart.max() < 2e-5
    assert "orphan-collider" not in {one.rule.id for one in api.validate_colliders(engine).issues}


def test_boxes_lie_along_the_bone(tmp_path: Path) -> None:
    body = figure()
    pose("stretched")
    boxes = in_order(body, make("BOX", source="GROUPS", engine="GLTF"))[:2]
    rig = bpy.data.objects["Rig"]
    for ob in boxes:
        bone = rig.matrix_world @ rig.pose.bones[ob.parent_bone].matrix
        turn = np.array(bone.to_3x3().normalized().inverted() @ ob.matrix_world.to_3x3())
        np.testing.assert_allclose(np.abs(turn), np.eye(3), atol=1e-5)


def test_converted_and_mirrored_ones_follow_bones_too() -> None:
    body = figure()
    pose("bent")
    left = in_order(body, make("BOX", source="GROUPS", engine="GLTF"))[0]
    (found,) = api.convert_collider([left], "SPHERE", engine="GLTF").colliders
    assert (found.object.parent_type, found.object.parent_bone) == ("BONE", "Arm.L")
    held(found.object, group_of(body, 0))
    pose("rest")
    held(found.object, group_of(body, 0))
    (copy,) = api.mirror_collider([found.object], "X", copy=True)
    assert (copy.parent, copy.parent_type, copy.parent_bone) == (bpy.data.objects["Rig"], "BONE", "Arm.R")
    middle = world_vertices(copy).mean(axis=0)
    pose("bent")
    assert np.linalg.norm(world_vertices(copy).mean(axis=0) - middle) > 0.1


def test_a_group_of_no_bone_that_deforms_stays_with_the_mesh() -> None:
    body = figure()
    rig = bpy.data.objects["Rig"]
    rig.data.bones["Arm.L"].use_deform = False
    body.modifiers["Armature"].use_vertex_groups = True
    left, right, _ = in_order(body, make("BOX", source="GROUPS"))
    assert (left.parent, left.parent_type) == (body, "OBJECT")
    assert right.parent_bone == "Arm.R"


@pytest.mark.parametrize("rest", [True, False])
def test_a_gltf_file_has_them_as_children_of_joints(rest: bool, tmp_path: Path) -> None:
    body = figure(scale=1.0)
    pose("bent")
    made = in_order(body, make("HULL", source="GROUPS", engine="GLTF"))
    names = {ob.name: number for number, ob in enumerate(made)}
    trip = Trip(tmp_path, export_rest_position_armature=rest)
    assert_valid(trip.file)
    nodes = trip.file.nodes
    (skin,) = trip.file.json["skins"]
    pose("rest" if rest else "bent")
    for name, number in names.items():
        (row,) = (row for row, node in enumerate(nodes) if node["name"] == name)
        (above,) = (one for one in range(len(nodes)) if row in nodes[one].get("children", []))
        if number < 2:
            assert above in skin["joints"]
            assert nodes[above]["name"] == GROUPS[number]
        source = nodes[row]["extensions"]["KHR_physics_rigid_bodies"]["collider"]["geometry"]["mesh"]
        placed = world(trip.file, row)
        points = mesh_points(trip.file, source) @ TO_BLENDER.T @ placed[:3, :3].T + placed[:3, 3]
        wanted = group_of(body, number)
        hull = Hulls.from_points([points])
        assert distance(Spheres(wanted, np.zeros(COUNT)), hull).distance.max() < 2e-5
        assert np.linalg.norm(points[:, None] - wanted, axis=2).min(axis=1).max() < 2e-5
    trip.back()
    (skinned,) = (ob for ob in bpy.data.objects if any(one.type == "ARMATURE" for one in ob.modifiers))
    for name, number in names.items():
        if number < 2:
            ob = bpy.data.objects[name]
            assert (ob.parent_type, ob.parent_bone, ob.collision_kit.collider.kind) == ("BONE", GROUPS[number], "HULL")
            assert api.render_mesh_of(ob) == skinned


@pytest.mark.parametrize("name", ["rest", "bent"])
def test_fbx_files_have_them_below_the_bone(name: str, tmp_path: Path) -> None:
    body = figure(scale=1.0)
    pose(name)
    made = in_order(body, make("HULL", source="GROUPS", engine="UNITY"))
    places = {ob.name: world_vertices(ob) for ob in made}
    bones = {ob.name: ob.parent_bone for ob in made}
    for _ in through(["fbx"], tmp_path):
        bpy.context.view_layer.update()
        for collider, vertices in places.items():
            ob = bpy.data.objects[collider]
            assert ob.parent_bone == bones[collider]
            apart = np.linalg.norm(world_vertices(ob)[:, None] - vertices[None], axis=2).min(axis=1).max()
            assert apart <= 2e-4, (collider, apart)
