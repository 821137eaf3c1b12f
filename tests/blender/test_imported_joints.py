# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints of glTF files link bodies, and skinned meshes keep their colliders on the way through glTF."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit import api
from tests.helpers.blender.bridge_scene import body_names, read, world_vertices
from tests.helpers.blender.colliders_scene import make
from tests.helpers.blender.gltf_trip import Trip
from tests.helpers.blender.gltf_writing import wrote
from tests.helpers.blender.skinned_figure import figure

pytestmark = pytest.mark.usefixtures("scene")

if not (hasattr(bpy.types, "EXPORT_SCENE_OT_gltf") and hasattr(bpy.types, "IMPORT_SCENE_OT_gltf")):
    pytest.skip("this Blender has no glTF exporter", allow_module_level=True)

FIXED = {"limits": [{"angularAxes": [0, 1, 2], "linearAxes": [0, 1, 2], "min": 0, "max": 0}]}
HINGE = {"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0}, {"angularAxes": [0, 1], "min": 0, "max": 0}]}


def chain(tmp_path: Path, extension: str, *kinds: dict, **fields: object) -> Path:
    """Boxes in a row that overlap, of which each is joined to the next by the node below it."""
    nodes = []
    for number in range(len(kinds) + 1):
        content = {"motion": {}, "collider": {"geometry": {"shape": 0}}}
        node = {"name": f"Link {number}", "translation": [1.5 * number, 0, 0]}
        nodes.append({**node, "extensions": {"KHR_physics_rigid_bodies": content}})
    for number in range(len(kinds)):
        joint = {"joint": number, "connectedNode": number + 1, **fields}
        own = {"joint": joint} if extension == "KHR_physics_rigid_bodies" else joint
        nodes[number]["children"] = [len(nodes)]
        nodes.append({"name": f"Joint {number}", "extensions": {extension: own}})
    physics = {"physicsJoints": list(kinds)}
    if extension == "KHR_physics_rigid_bodies":
        return wrote(tmp_path, nodes, [{"type": "box", "box": {"size": [2, 2, 2]}}], physics)
    shapes = {"shapes": [{"type": "box", "box": {"size": [2, 2, 2]}}]}
    more = {"KHR_implicit_shapes": shapes, extension: physics}
    return wrote(tmp_path, nodes, extensionsUsed=[*more, "KHR_physics_rigid_bodies"], extensions=more)


def load(path: Path) -> tuple[str, ...]:
    return api.import_gltf(path).notes


@pytest.mark.parametrize("extension", ["KHR_physics_rigid_bodies", "OMI_physics_joint"])
def test_joints_become_constraints_and_what_they_link_is_folded(extension: str, tmp_path: Path) -> None:
    notes = load(chain(tmp_path, extension, FIXED, HINGE))
    assert [note for note in notes if "Joint" in note] == [
        "Joint 1: Limits and drives of the joint are not supported; imported as a generic rigid body constraint"
    ]
    found = {}
    for ob in bpy.data.objects:
        if (one := ob.rigid_body_constraint) is not None:
            found[ob.name] = (one.type, one.object1.name, one.object2.name, one.disable_collisions)
    assert found == {"Joint 0": ("FIXED", "Link 0", "Link 1", True), "Joint 1": ("GENERIC", "Link 1", "Link 2", True)}
    report = api.check_collisions(scope="ALL")
    assert [body.name for body in report.bodies] == ["Link 0", "Link 1", "Link 2"]
    assert len(report.pairs) == len(report.folded) == 2
    assert not api.faults(report)


def test_joints_whose_bodies_collide_leave_them_so(tmp_path: Path) -> None:
    load(chain(tmp_path, "KHR_physics_rigid_bodies", FIXED, enableCollision=True))
    report = api.check_collisions(scope="ALL")
    assert len(api.faults(report)) == 1


@pytest.mark.parametrize(("field", "index"), [("joint", 7), ("connectedNode", 70), ("joint", "0"), ("joint", None)])
def test_joints_that_refer_to_nothing_are_said(field: str, index: object, tmp_path: Path) -> None:
    notes = load(chain(tmp_path, "KHR_physics_rigid_bodies", FIXED, **{field: index}))
    assert f"Joint 0: Joint refers to a {field} that is not in the file; ignored" in notes
    assert len(api.faults(api.check_collisions(scope="ALL"))) == 1


@pytest.mark.parametrize("engine", ["GODOT", "UNITY", "GLTF", "UNREAL"])
def test_a_skinned_mesh_keeps_its_name_and_its_colliders(engine: str, tmp_path: Path) -> None:
    body = figure()
    body.data.name = "mesh of the figure"
    (made,) = make("HULL", engine=engine)
    bpy.context.scene.collision_kit.engine = engine
    name, points = made.name, world_vertices(made)
    assert body_names(read()) == {"Body": [name]}
    trip = Trip(tmp_path)
    trip.back()
    shapes = read()
    assert body_names(shapes) == {"Body": [name]}
    assert {one.id for one in shapes.issues} & {"orphan-collider", "circular-body"} == set()
    assert bpy.data.objects["Body"].find_armature() == bpy.data.objects["Rig"]
    after = world_vertices(bpy.data.objects[name])
    # The file repeats vertices at sharp edges.
    apart = np.linalg.norm(after[:, None] - points, axis=2)
    assert max(apart.min(axis=0).max(), apart.min(axis=1).max()) < 1e-4
    # The importer adds an object that is the shape of bones.
    found = {one.rule.id for one in api.validate_colliders(engine).issues if one.object in ("Body", name)}
    assert found & {"no-collider", "orphan-collider", "godot-name", "unreal-no-render-mesh", "unreal-orphan"} == set()
