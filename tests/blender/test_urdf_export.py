# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots in URDF files are what the scene is; read back with yourdfpy."""

import itertools
import json
import math
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.addon.urdf import masses
from collision_kit.core.hull import convex_hull
from tests.helpers.blender.bridge_scene import add, cube_mesh, l_mesh, with_setting
from tests.helpers.blender.colliders_scene import make, select

pytestmark = pytest.mark.usefixtures("scene")

needs_parser = pytest.mark.skipif(find_spec("yourdfpy") is None, reason="needs yourdfpy")

# The transforms are those of all joints at zero, then with one joint moved.
_PROGRAM = """
import json, sys
import yourdfpy
robot = yourdfpy.URDF.load(sys.argv[1], build_collision_scene_graph=True, load_collision_meshes=True)
moved = json.loads(sys.argv[2])
robot.update_cfg({**{name: 0.0 for name in robot.actuated_joint_names}, **moved})
assert robot.validate(), robot.errors
links = {}
for name, link in robot.link_map.items():
    shapes = []
    for one in link.collisions:
        geometry = one.geometry
        origin = None if one.origin is None else one.origin.tolist()
        kind = next(k for k in ("box", "sphere", "cylinder", "mesh") if getattr(geometry, k) is not None)
        shape = getattr(geometry, kind)
        sizes = {key: getattr(shape, key) for key in ("size", "radius", "length", "filename") if hasattr(shape, key)}
        sizes = {key: value.tolist() if hasattr(value, "tolist") else value for key, value in sizes.items()}
        shapes.append({"kind": kind, "origin": origin, **sizes})
    inertial = None
    if link.inertial is not None:
        i = link.inertial
        inertial = {"mass": i.mass, "center": i.origin[:3, 3].tolist(), "inertia": i.inertia.tolist()}
    links[name] = {"matrix": robot.get_transform(name).tolist(), "shapes": shapes, "inertial": inertial}
joints = {}
for name, joint in robot.joint_map.items():
    limit = joint.limit
    joints[joint.child] = {"kind": joint.type, "parent": joint.parent, "axis": joint.axis.tolist(),
                           "limit": None if limit is None else [limit.lower, limit.upper]}
bounds = {name: mesh.bounds.tolist() for name, mesh in robot.scene.geometry.items()}
json.dump({"links": links, "joints": joints, "bounds": bounds, "base": robot.base_link}, sys.stdout)
"""


def read_robot(file: Path, **moved: float) -> dict:
    """The robot, with joints moved by their child links."""
    given = json.dumps({f"{name}_joint": value for name, value in moved.items()})
    command = [sys.executable, "-I", "-c", _PROGRAM, str(file), given]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def exported(tmp_path: Path, *, notes: tuple[str, ...] = (), **moved: float) -> dict:
    file = tmp_path / "robot.urdf"
    assert api.export_urdf(file) == notes
    assert sorted(one.name for one in tmp_path.iterdir()) == ["robot.urdf", "robot_meshes"]
    return read_robot(file, **moved)


def effort(*names: str) -> tuple[str, ...]:
    text = "Joint is exported with effort and velocity 0, which Blender does not have: set them in the file"
    return tuple(f"{name}: {text}" for name in names)


def frame(ob: bpy.types.Object) -> np.ndarray:
    """Location and rotation of an object."""
    place, turn, _ = ob.matrix_world.decompose()
    found = np.eye(4)
    found[:3, :3], found[:3, 3] = np.array(turn.to_matrix()), place
    return found


@needs_parser
def test_links_are_where_objects_are_with_their_colliders(tmp_path: Path) -> None:
    rock = add("Rock", l_mesh(), at=(1.0, 2.0, 3.0), rotation_euler=(0.3, -0.8, 1.7), scale=(1.5, 1.5, 1.5))
    made = {}
    for kind in ("BOX", "SPHERE", "CYLINDER", "CAPSULE", "HULL"):
        select(rock)
        (one,) = make(kind, engine="GLTF")
        made[kind] = one.name
    with_setting(add("Ground", cube_mesh((5.0, 5.0, 0.1))), "BOX")
    bpy.context.view_layer.update()
    robot = exported(tmp_path)
    assert robot["base"] == "base_link"
    assert set(robot["links"]) == {"base_link", "Rock", "Ground"}
    link = robot["links"]["Rock"]
    assert np.abs(np.array(link["matrix"]) - frame(rock)).max() <= 1e-6
    kinds = [one["kind"] for one in link["shapes"]]
    assert kinds == ["box", "sphere", "cylinder", "cylinder", "sphere", "sphere", "mesh"]
    assert robot["joints"]["Rock"] == {"kind": "fixed", "parent": "base_link", "axis": [1, 0, 0], "limit": None}
    box = bpy.data.objects[made["BOX"]]
    corners = np.array([box.matrix_world @ vertex.co for vertex in box.data.vertices])
    shape = link["shapes"][0]
    place = frame(rock) @ np.array(shape["origin"])
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2.0
    found = (signs * shape["size"]) @ place[:3, :3].T + place[:3, 3]
    assert np.linalg.norm(found[:, None] - corners[None], axis=2).min(axis=0).max() <= 1e-5
    seen = np.array(robot["bounds"]["Rock.stl"])
    local = np.array([np.linalg.inv(frame(rock)) @ (rock.matrix_world @ v.co).to_4d() for v in rock.data.vertices])
    assert np.abs(seen - [local.min(axis=0)[:3], local.max(axis=0)[:3]]).max() <= 1e-5


@needs_parser
def test_units_are_meters(tmp_path: Path) -> None:
    bpy.context.scene.unit_settings.scale_length = 0.01
    with_setting(add("Crate", cube_mesh((100.0, 50.0, 25.0)), at=(200.0, 0.0, 0.0)), "BOX")
    link = exported(tmp_path)["links"]["Crate"]
    assert link["shapes"][0]["size"] == pytest.approx([2.0, 1.0, 0.5])
    assert np.array(link["matrix"])[0, 3] == pytest.approx(2.0)


def limited(ob: bpy.types.Object, kind: str, **fields: object) -> None:
    limit = ob.constraints.new(kind)
    limit.owner_space = "LOCAL"
    for name, value in fields.items():
        setattr(limit, name, value)


@needs_parser
def test_parents_and_limits_are_joints(tmp_path: Path) -> None:
    body = add("Body", cube_mesh(), at=(0.0, 0.0, 1.0), rotation_euler=(0.0, 0.0, 0.5))
    arm = add("Arm", cube_mesh(), at=(2.0, 0.0, 0.0), rotation_euler=(0.0, 0.2, 0.0))
    wheel, slide, lamp, free = (add(name, cube_mesh(), at=(0, 3, 1)) for name in ("Wheel", "Slide", "Lamp", "Free"))
    for ob in (arm, wheel, slide, lamp, free):
        ob.parent = body
    held = {"use_limit_x": True, "use_limit_z": True}
    limited(arm, "LIMIT_ROTATION", **held, use_limit_y=True, min_y=-0.5, max_y=1.0)
    limited(wheel, "LIMIT_ROTATION", use_limit_x=True, use_limit_y=True)
    slide.rotation_euler = (0.0, 0.0, 0.7)
    every = {f"use_{side}_{axis}": True for side in ("min", "max") for axis in "xyz"}
    limited(slide, "LIMIT_LOCATION", **every, min_x=0.0, max_x=2.0, min_y=3, max_y=3, min_z=1, max_z=1)
    limited(free, "LIMIT_ROTATION", use_limit_x=True)
    bpy.context.view_layer.update()
    several = "Free: Constraints leave more than one direction free; exported as a fixed joint"
    robot = exported(tmp_path, notes=(several, *effort("Arm", "Slide")))
    kinds = {name: (one["kind"], one["parent"]) for name, one in robot["joints"].items()}
    assert kinds == {
        "Body": ("fixed", "base_link"),
        "Arm": ("revolute", "Body"),
        "Wheel": ("continuous", "Body"),
        "Slide": ("prismatic", "Body"),
        "Lamp": ("fixed", "Body"),
        "Free": ("fixed", "Body"),
    }
    for ob in (body, arm, wheel, slide, lamp, free):
        assert np.abs(np.array(robot["links"][ob.name]["matrix"]) - frame(ob)).max() <= 1e-6, ob.name
    # At zero the arm is where it is now, which is turned by 0.2.
    assert robot["joints"]["Arm"]["limit"] == pytest.approx([-0.7, 0.8], abs=1e-6)
    # Moved in the robot as in Blender, it is in the same place.
    moved = read_robot(tmp_path / "robot.urdf", Arm=0.4, Wheel=1.2, Slide=1.5)
    arm.rotation_euler.y += 0.4
    wheel.rotation_euler.z += 1.2
    slide.location.x += 1.5
    bpy.context.view_layer.update()
    for ob in (arm, wheel, slide):
        assert np.abs(np.array(moved["links"][ob.name]["matrix"]) - frame(ob)).max() <= 1e-6, ob.name


def constraint(kind: str, first: bpy.types.Object, second: bpy.types.Object, **fields: object) -> bpy.types.Object:
    made = bpy.data.objects.new(kind, None)
    bpy.context.scene.collection.objects.link(made)
    if bpy.context.scene.rigidbody_world is None:
        bpy.ops.rigidbody.world_add()
    bpy.context.view_layer.objects.active = made
    bpy.ops.rigidbody.constraint_add(type=kind)
    joint = made.rigid_body_constraint
    joint.object1, joint.object2 = first, second
    for name, value in fields.items():
        setattr(joint, name, value)
    return made


@needs_parser
def test_rigid_body_constraints_are_joints_where_they_are(tmp_path: Path) -> None:
    base, door, drawer, lid = (add(name, cube_mesh(), at=(x, 0, 0)) for x, name in enumerate("ABCD"))
    hinge = constraint("HINGE", base, door, use_limit_ang_z=True, limit_ang_z_lower=-1.0, limit_ang_z_upper=0.25)
    hinge.location, hinge.rotation_euler = (0.5, 0.5, 0.0), (0.4, 0.1, 0.2)
    constraint("SLIDER", base, drawer, use_limit_lin_x=True, limit_lin_x_lower=0.0, limit_lin_x_upper=0.75)
    constraint("POINT", base, lid)
    bpy.context.view_layer.update()
    unsupported = "POINT: Rigid body constraint has no counterpart in URDF; not exported: POINT"
    robot = exported(tmp_path, notes=(unsupported, *effort("B", "C")))
    assert robot["joints"]["B"]["kind"] == "revolute"
    assert robot["joints"]["B"]["limit"] == pytest.approx([-1.0, 0.25])
    assert robot["joints"]["B"]["axis"] == [0, 0, 1]
    assert np.abs(np.array(robot["links"]["B"]["matrix"]) - frame(hinge)).max() <= 1e-6
    assert (robot["joints"]["C"]["kind"], robot["joints"]["C"]["axis"]) == ("prismatic", [1, 0, 0])
    assert robot["joints"]["C"]["limit"] == pytest.approx([0.0, 0.75])
    assert robot["joints"]["D"]["parent"] == "base_link"


@needs_parser
def test_mass_and_inertia_are_those_of_the_colliders(tmp_path: Path) -> None:
    crate = add("Crate", cube_mesh((1.0, 0.5, 0.25), (0.5, 0.0, 0.0)))
    select(crate)
    bpy.ops.rigidbody.object_add(type="ACTIVE")
    crate.rigid_body.mass, crate.rigid_body.collision_shape = 6.0, "CONVEX_HULL"
    bare = add("Bare", bpy.data.meshes.new("Bare"))
    select(bare)
    bpy.ops.rigidbody.object_add(type="ACTIVE")
    inertial = exported(tmp_path, notes=tuple(api.export_urdf(tmp_path / "robot.urdf")))["links"]["Crate"]["inertial"]
    assert inertial["mass"] == 6.0
    assert inertial["center"] == pytest.approx([0.5, 0.0, 0.0], abs=1e-6)
    x, y, z = 2.0, 1.0, 0.5
    expected = np.diag([y * y + z * z, x * x + z * z, x * x + y * y]) * 6.0 / 12.0
    assert np.abs(np.array(inertial["inertia"]) - expected).max() <= 1e-5


def fine(kind: str) -> np.ndarray:
    """Many points on a solid of radius 0.5 and height 2 along Z."""
    turn, rise = np.meshgrid(np.linspace(0.0, 2.0 * np.pi, 241)[:-1], np.linspace(-0.5 * np.pi, 0.5 * np.pi, 121))
    points = np.stack([np.cos(rise) * np.cos(turn), np.cos(rise) * np.sin(turn), np.sin(rise)], axis=-1).reshape(-1, 3)
    if kind == "ball":
        return 0.5 * points
    if kind == "capsule":
        return np.concatenate([0.5 * points + (0, 0, 1), 0.5 * points - (0, 0, 1)])
    circle = 0.5 * np.stack([np.cos(turn[0]), np.sin(turn[0]), 0.0 * turn[0]], axis=1)
    return np.concatenate([circle, circle]) + np.repeat([(0, 0, 1), (0, 0, -1)], len(circle), axis=0)


@pytest.mark.parametrize(
    ("kind", "exact"),
    [("ball", masses.ball(0.5)), ("cylinder", masses.cylinder(0.5, 2.0)), ("capsule", masses.capsule(0.5, 2.0))],
)
def test_closed_forms_of_inertia_are_those_of_fine_meshes(kind: str, exact: masses.Solid) -> None:
    hull = convex_hull(fine(kind))
    fans = [[(face[0], a, b) for a, b in itertools.pairwise(face[1:])] for face in hull.faces]
    mesh = masses.polyhedron(hull.points, np.array([one for fan in fans for one in fan]))
    assert mesh.volume == pytest.approx(exact.volume, rel=2e-3)
    assert np.abs(mesh.center).max() <= 1e-6
    assert np.abs(masses.inertia(mesh, 3.0) - masses.inertia(exact, 3.0)).max() <= 3e-3


@pytest.mark.parametrize("loop", [True, False])
def test_what_is_no_tree_is_refused(tmp_path: Path, loop: bool) -> None:
    first, second, third = (add(name, cube_mesh()) for name in "ABC")
    constraint("HINGE", first, second)
    if loop:
        constraint("HINGE", second, first)
    else:
        constraint("HINGE", third, second)
    (tmp_path / "robot.urdf").write_bytes(b"before")
    with pytest.raises(ValueError, match="form a loop" if loop else "one parent"):
        api.export_urdf(tmp_path / "robot.urdf")
    assert (tmp_path / "robot.urdf").read_bytes() == b"before"
    assert [one.name for one in tmp_path.iterdir()] == ["robot.urdf"]


def test_an_empty_scene_is_no_robot(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no object that can be a link"):
        api.export_urdf(tmp_path / "robot.urdf")


def test_the_operator_writes_the_selected_objects(tmp_path: Path) -> None:
    add("Other", cube_mesh())
    select(add("Crate", cube_mesh()))
    assert bpy.ops.collision_kit.export_urdf(filepath=str(tmp_path / "a.urdf"), selected=True) == {"FINISHED"}
    text = (tmp_path / "a.urdf").read_text()
    assert 'link name="Crate"' in text and "Other" not in text
    assert math.isclose((tmp_path / "a_meshes" / "Crate.stl").stat().st_size, 84 + 12 * 50)
