# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders in USD files are what UsdPhysics says, where they are in Blender; read back with usd-core."""

import itertools
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.addon.exchange import sentences
from collision_kit.addon.scene.files import open_scene
from collision_kit.addon.usd import library
from collision_kit.addon.usd.library import lacking
from collision_kit.core.shapes import Boxes, Capsules, Cones, Cylinders, Spheres
from tests.helpers.blender.bridge_scene import add, cube_mesh, l_mesh, read, with_setting
from tests.helpers.blender.colliders_scene import make, select
from tests.helpers.blender.usd_read import read_physics
from tests.helpers.offline import slow

pytestmark = [pytest.mark.usefixtures("scene")]

if lacking():
    pytest.skip(lacking(), allow_module_level=True)

ROUNDING = 4e-6

# The type of the prim, and the class of the shape that is tested.
PRIMITIVES = {
    "BOX": ("Cube", Boxes),
    "SPHERE": ("Sphere", Spheres),
    "CAPSULE": ("Capsule", Capsules),
    "CYLINDER": ("Cylinder", Cylinders),
    "CONE": ("Cone", Cones),
}


def exported(tmp_path: Path, ending: str = ".usdc", notes: tuple[str, ...] = ()) -> dict:
    """The prims of the scene's file."""
    file = tmp_path / f"scene{ending}"
    assert api.export_usd(file) == notes
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".")] == []
    found = read_physics(file)
    assert found["kilograms"] == 1.0
    return found["prims"]


def colliders(prims: dict) -> dict:
    return {path: one for path, one in prims.items() if "PhysicsCollisionAPI" in one["schemas"]}


def placed(prim: dict) -> tuple[np.ndarray, float]:
    """Points that say where a primitive is in the world, as in `shape_of`, and its radius there."""
    # USD multiplies rows.
    matrix = np.array(prim["matrix"]).T
    linear, place = matrix[:3, :3], matrix[:3, 3]
    if prim["type"] == "Cube":
        corners = np.array(list(itertools.product((-0.5, 0.5), repeat=3))) * prim["size"]
        return corners @ linear.T + place, 0.0
    stretch = np.linalg.norm(linear, axis=0)
    assert np.ptp(stretch) <= 1e-6 * stretch.max(), "round shapes are scaled evenly"
    if prim["type"] == "Sphere":
        return place[None], prim["radius"] * stretch[0]
    along = np.eye(3)["XYZ".index(prim["axis"])] * prim["height"] / 2.0
    return np.stack([-along, along]) @ linear.T + place, prim["radius"] * stretch[0]


def shape_of(shapes: object, name: str) -> tuple[type, np.ndarray, float]:
    """The same of the shape that a check tests."""
    row = next(row for row, one in enumerate(shapes.shapes) if one.object == name)
    batch = shapes.world.batches[shapes.world.batch[row]].take(np.array([shapes.world.slot[row]]))
    if isinstance(batch, Boxes):
        signs = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
        return Boxes, (signs * batch.half_extents[0]) @ batch.rotation[0].T + batch.center[0], 0.0
    if isinstance(batch, Spheres):
        return Spheres, batch.center, float(batch.radius[0])
    if isinstance(batch, Cones):
        return Cones, np.stack([batch.base[0], batch.apex[0]]), float(batch.radius[0])
    return type(batch), np.stack([batch.start[0], batch.end[0]]), float(batch.radius[0])


def apart(some: np.ndarray, others: np.ndarray) -> float:
    table = np.linalg.norm(some[:, None] - others[None], axis=2)
    return float(max(table.min(axis=0).max(), table.min(axis=1).max()))


@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (1.5, 1.5, 1.5)])
def test_shapes_are_prims_of_their_kind_where_they_are(tmp_path: Path, scale: tuple[float, float, float]) -> None:
    kinds = {}
    for number, (along, at, kind) in enumerate(
        itertools.product(range(3), [(0.0, 0.0, 0.0), (0.5, -0.25, 3.0)], PRIMITIVES)
    ):
        half = np.array([0.25, 0.5, 0.5])
        half[along] = 2.0
        ob = add(f"{kind}_{number}", cube_mesh(half.tolist(), at), at=(9.0 * number, 1.0, 2.0), scale=scale)
        ob.rotation_euler = (0.3, -0.8, 1.7)
        with_setting(ob, kind)
        # Cones stand along Z, and what is as long along two axes is along the first of them.
        kinds[ob.name] = (kind, "Z" if kind == "CONE" else "XYZ"[along])
    shapes = read()
    prims = exported(tmp_path)
    found = colliders(prims)
    assert set(found) == {f"/root/{name}/{name}_collider" for name in kinds}
    for path, prim in found.items():
        name = path.split("/")[2]
        kind, axis = kinds[name]
        assert (prim["type"], prim["purpose"]) == (PRIMITIVES[kind][0], "guide")
        if kind not in {"BOX", "SPHERE"}:
            assert prim["axis"] == axis
        tests, points, radius = shape_of(shapes, name)
        assert tests is PRIMITIVES[kind][1]
        got, width = placed(prim)
        if kind == "CONE":
            assert np.abs(got - points).max() <= ROUNDING * (1.0 + np.abs(points).max()), "the apex is the second"
        assert apart(got, points) <= ROUNDING * (1.0 + np.abs(points).max())
        assert width == pytest.approx(radius, rel=ROUNDING)
        assert prim["extent"] is not None
        # What is seen is not what collides.
        assert all(one["purpose"] == "default" for other, one in prims.items() if other != path and other not in found)


def test_an_upside_down_cone_stays_so(tmp_path: Path) -> None:
    with_setting(add("Cone", cube_mesh((0.5, 0.5, 2.0)), rotation_euler=(np.pi, 0.0, 0.0)), "CONE")
    points = shape_of(read(), "Cone")[1]
    (prim,) = colliders(exported(tmp_path)).values()
    assert np.abs(placed(prim)[0] - points).max() <= 1e-5
    assert points[1, 2] < points[0, 2]


def test_made_colliders_replace_their_meshes_and_keep_their_names(tmp_path: Path) -> None:
    rock = add("Rock", l_mesh())
    select(rock)
    names = {}
    for kind in ("BOX", "SPHERE", "CAPSULE", "CYLINDER", "HULL"):
        select(rock)
        (made,) = make(kind, engine="GLTF")
        names[made.name] = PRIMITIVES[kind][0] if kind in PRIMITIVES else "Mesh"
    prims = exported(tmp_path, ".usda")
    found = colliders(prims)
    assert {path: one["type"] for path, one in found.items()} == {
        f"/root/Rock/{name}/{name}": kind for name, kind in names.items()
    }
    assert all(one["purpose"] == "guide" for one in found.values())
    (hull,) = (one for one in found.values() if one["type"] == "Mesh")
    assert hull["physics:approximation"] == "convexHull"
    assert "PhysicsMeshCollisionAPI" in hull["schemas"]
    # The render mesh, and that of the hull.
    assert sum(one["type"] == "Mesh" for one in prims.values()) == 2
    open_scene(tmp_path / "scene.usda")
    assert set(names) <= {ob.name for ob in bpy.data.objects}


def test_meshes_collide_as_they_are_or_as_hulls(tmp_path: Path) -> None:
    for setting in ("HULL", "MESH", "ELLIPSOID"):
        with_setting(add(setting, l_mesh()), setting)
    note = "ELLIPSOID: Ellipsoids are not supported by UsdPhysics; exported as the convex hull of the mesh"
    found = colliders(exported(tmp_path, notes=(note,)))
    assert {path.split("/")[2]: one["physics:approximation"] for path, one in found.items()} == {
        "HULL": "convexHull",
        "MESH": "none",
        "ELLIPSOID": "convexHull",
    }
    assert all(one["type"] == "Mesh" and one["purpose"] == "default" for one in found.values())


def rigid(ob: bpy.types.Object, **fields: object) -> bpy.types.Object:
    with bpy.context.temp_override(object=ob, active_object=ob, selected_objects=[ob]):
        bpy.ops.rigidbody.object_add(type="ACTIVE")
    for name, value in fields.items():
        setattr(ob.rigid_body, name, value)
    return ob


def test_bodies_have_mass_and_materials(tmp_path: Path) -> None:
    rigid(add("Crate", cube_mesh()), mass=2.5, collision_shape="BOX", friction=0.25, restitution=0.75)
    rigid(add("Lift", cube_mesh(), at=(9, 0, 0)), mass=4.0, kinematic=True, collision_shape="BOX")
    rigid(add("Part", cube_mesh(), at=(0, 0, 5)), collision_shape="BOX").parent = bpy.data.objects["Crate"]
    note = f"Part: {sentences.NESTED}".format(body="Crate")
    prims = exported(tmp_path, notes=(note,))
    bodies = {path: one for path, one in prims.items() if "PhysicsRigidBodyAPI" in one["schemas"]}
    assert set(bodies) == {"/root/Crate", "/root/Lift"}
    assert bodies["/root/Crate"]["physics:mass"] == 2.5
    assert "physics:kinematicEnabled" not in bodies["/root/Crate"]
    assert bodies["/root/Lift"]["physics:kinematicEnabled"] is True
    assert set(colliders(prims)) == {
        "/root/Crate/Crate_collider",
        "/root/Lift/Lift_collider",
        "/root/Crate/Part/Part_collider",
    }
    (target,) = prims["/root/Crate/Crate_collider"]["targets"]["material:binding:physics"]
    material = prims[target]
    assert material["type"] == "Material" and "PhysicsMaterialAPI" in material["schemas"]
    assert material["physics:dynamicFriction"] == material["physics:staticFriction"] == 0.25
    assert material["physics:restitution"] == 0.75


def test_layers_are_collision_groups(tmp_path: Path) -> None:
    for name, layer, mask in (("A", 0, (0, 1)), ("B", 1, (0,)), ("C", 2, (2,))):
        ob = with_setting(add(name, cube_mesh()), "BOX")
        ob.collision_kit.own_groups = True
        ob.collision_kit.groups = [place == layer for place in range(16)]
        ob.collision_kit.mask = [place in mask for place in range(16)]
    prims = exported(tmp_path)
    groups = {path: one for path, one in prims.items() if one["type"] == "PhysicsCollisionGroup"}
    of = {one["targets"]["collection:colliders:includes"][0].split("/")[2]: path for path, one in groups.items()}
    names = {path: name for name, path in of.items()}
    apart_ = {
        name: {names[other] for other in groups[path]["targets"].get("physics:filteredGroups", [])}
        for name, path in of.items()
    }
    # A and B are in the masks of each other; B is not in its own.
    assert apart_ == {"A": {"C"}, "B": {"B", "C"}, "C": {"A", "B"}}


def test_constraints_without_collisions_filter_pairs(tmp_path: Path) -> None:
    first, second = rigid(add("Door", cube_mesh())), rigid(add("Frame", cube_mesh()))
    hinge = bpy.data.objects.new("Hinge", None)
    bpy.context.scene.collection.objects.link(hinge)
    bpy.context.view_layer.objects.active = hinge
    bpy.ops.rigidbody.constraint_add(type="HINGE")
    hinge.rigid_body_constraint.object1, hinge.rigid_body_constraint.object2 = first, second
    hinge.rigid_body_constraint.disable_collisions = True
    door = exported(tmp_path)["/root/Door"]
    assert "PhysicsFilteredPairsAPI" in door["schemas"]
    assert door["targets"]["physics:filteredPairs"] == ["/root/Frame"]


@pytest.mark.parametrize("ending", [".usdz", *slow(".usd", ".usda", ".usdc")])
def test_every_ending_is_written(tmp_path: Path, ending: str) -> None:
    with_setting(add("Crate", cube_mesh()), "BOX")
    assert len(colliders(exported(tmp_path, ending))) == 1


def test_what_is_not_written_is_said(tmp_path: Path) -> None:
    trigger = with_setting(add("Zone", cube_mesh()), "BOX")
    trigger.collision_kit.collider.trigger = True
    with_setting(add("Soft", cube_mesh()), "BOX").collision_kit.margin = 0.1
    notes = api.export_usd(tmp_path / "scene.usdc")
    assert notes == (
        "Zone: Triggers are not supported by UsdPhysics; not exported",
        "Soft: Margin is not supported by this format; not exported",
    )
    assert len(colliders(read_physics(tmp_path / "scene.usdc")["prims"])) == 1


def test_bad_requests_leave_the_file_that_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add("Crate", cube_mesh())
    there = tmp_path / "scene.usdc"
    there.write_bytes(b"before")
    with pytest.raises(ValueError, match="not a USD file; these are:"):
        api.export_usd(tmp_path / "scene.txt")
    with pytest.raises(OSError):
        api.export_usd(tmp_path / "missing" / "scene.usdc")
    monkeypatch.setattr(library, "PROGRAM", "raise SystemExit('broken')")
    with pytest.raises(ValueError, match="OpenUSD failed: broken"):
        api.export_usd(there)
    assert there.read_bytes() == b"before"
    assert [one.name for one in tmp_path.iterdir()] == ["scene.usdc"]


def test_the_operator_does_the_same(tmp_path: Path) -> None:
    with_setting(add("Crate", cube_mesh()), "BOX")
    select(with_setting(add("Other", cube_mesh()), "BOX"))
    file = tmp_path / "scene.usda"
    assert bpy.ops.collision_kit.export_usd(filepath=str(file), selected=True) == {"FINISHED"}
    assert list(colliders(read_physics(file)["prims"])) == ["/root/Other/Other_collider"]


def test_some_objects_are_written_alone(tmp_path: Path) -> None:
    for name in ("Crate", "Other"):
        with_setting(add(name, cube_mesh()), "BOX")
    file = tmp_path / "scene.usdc"
    assert api.export_usd(file, objects=["Other"]) == ()
    assert list(colliders(read_physics(file)["prims"])) == ["/root/Other/Other_collider"]
