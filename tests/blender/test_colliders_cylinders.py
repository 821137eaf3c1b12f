# SPDX-License-Identifier: GPL-3.0-or-later
"""Cylinders about as long as wide, such as Blender's default one: their bounds do not say along which axis they are."""

import itertools
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.addon.engines.kinds import ENGINES, PRIMITIVES
from collision_kit.addon.scene.files import open_scene
from collision_kit.addon.usd.importing import take_physics
from collision_kit.addon.usd.library import lacking
from collision_kit.core.shapes import Kind
from tests.helpers.blender.bridge_scene import TURNED, add, cube_mesh, issue_ids, mesh, of_kind, read, world_vertices
from tests.helpers.blender.colliders_scene import PLACES, build, held, make, mesh_holds, select
from tests.helpers.blender.gltf_trip import Trip
from tests.helpers.offline import by_turns

pytestmark = pytest.mark.usefixtures("scene")

RATIOS = (0.9, 0.97, 0.999, 1.0, 1.0 + 1e-6, 1.003, 1.05, 1.1)
SIDES = (5, 6, 8, 16, 32, 64)
CASES = [
    pytest.param(sides, ratio, axis, caps, id=f"{sides}-{ratio}-{'XYZ'[axis]}-{caps}")
    for sides, ratio, axis, caps in itertools.product(SIDES, RATIOS, range(3), ("NGON", "TRIFAN", "triangles"))
]


def prism(sides: int, ratio: float, axis: int, caps: str = "NGON", turn: float = 0.0) -> bpy.types.Mesh:
    """A cylinder of radius 1 about so many times as long as wide, along an axis, turned about it."""
    around = turn + np.arange(sides) * 2.0 * np.pi / sides
    ring = np.c_[np.cos(around), np.sin(around)]
    points = np.concatenate([np.c_[ring, np.full(sides, -ratio)], np.c_[ring, np.full(sides, ratio)]])
    each = range(sides)
    faces = [(i, (i + 1) % sides, sides + (i + 1) % sides, sides + i) for i in each]
    if caps == "NGON":
        faces += [tuple(reversed(each)), tuple(sides + i for i in each)]
    elif caps == "triangles":
        faces += [(0, i + 1, i) for i in range(1, sides - 1)]
        faces += [(sides, sides + i, sides + i + 1) for i in range(1, sides - 1)]
    else:
        points = np.concatenate([points, [[0.0, 0.0, -ratio], [0.0, 0.0, ratio]]])
        faces += [(2 * sides, (i + 1) % sides, i) for i in each]
        faces += [(2 * sides + 1, sides + i, sides + (i + 1) % sides) for i in each]
    return mesh(np.roll(points, axis - 2, axis=1).tolist(), faces)


def cylinder_of(ob: bpy.types.Object) -> tuple[np.ndarray, float, float]:
    """Direction, length and radius of the cylinder that a check reads an object as."""
    shape = of_kind(read([ob]), ob.name, Kind.CYLINDER)
    along = shape.end[0] - shape.start[0]
    return along / np.linalg.norm(along), float(np.linalg.norm(along)), float(shape.radius[0])


@pytest.mark.parametrize(("sides", "ratio", "axis", "caps"), by_turns(CASES, 12, 0))
def test_the_axis_of_a_cylinder_is_the_one_along_which_it_looks_round(sides, ratio, axis, caps) -> None:
    ob = add("Drum", prism(sides, ratio, axis, caps, turn=0.3 * ratio), at=(1.0, -2.0, 3.0), rotation_euler=TURNED)
    ob.scale = (1.5, 1.5, 1.5)
    ob.collision_kit.shape = "CYLINDER"
    bpy.context.view_layer.update()
    direction, span, radius = cylinder_of(ob)
    wanted = np.array(ob.matrix_world.to_3x3().col[axis].normalized())
    assert abs(direction @ wanted) > 1.0 - 1e-6
    assert span == pytest.approx(3.0 * ratio, rel=1e-5) and 1.5 * 0.8 <= radius <= 1.5 * 1.00001


@pytest.mark.parametrize("sides", SIDES)
@pytest.mark.parametrize("ratio", [0.05, 1.0, 8.0])
def test_discs_and_rods_of_any_number_of_sides_are_along_their_axis(sides: int, ratio: float) -> None:
    for axis in range(3):
        ob = add(f"Drum {axis}", prism(sides, ratio, axis))
        ob.collision_kit.shape = "CYLINDER"
        bpy.context.view_layer.update()
        assert abs(cylinder_of(ob)[0][axis]) == 1.0


def test_what_looks_round_along_no_axis_or_all_goes_by_its_bounds() -> None:
    for name, data, axis in (
        ("Beam", cube_mesh((1.0, 3.0, 1.0)), 1),
        ("Board", cube_mesh((2.0, 2.0, 0.5)), 2),
        ("Brick", cube_mesh((1.0, 1.2, 1.4)), 2),
        ("Cube", cube_mesh(), 0),
    ):
        ob = add(name, data)
        ob.collision_kit.shape = "CYLINDER"
        bpy.context.view_layer.update()
        assert abs(cylinder_of(ob)[0][axis]) == 1.0, name


def default_cylinder(**fields) -> bpy.types.Object:
    bpy.ops.mesh.primitive_cylinder_add()
    ob = bpy.context.active_object
    ob.name = "Drum"
    for field, value in fields.items():
        setattr(ob, field, value)
    select(ob)
    return ob


@pytest.mark.parametrize("engine", [identifier for identifier, *_ in ENGINES])
@pytest.mark.parametrize("axis", range(3))
def test_a_collider_as_long_as_wide_is_made_as_longer_ones_are(engine: str, axis: int) -> None:
    settings = []
    for number, ratio in enumerate((1.0, 3.0)):
        ob = add(f"Drum {number}", prism(32, ratio, axis), at=(9.0 * number, 0.0, 0.0), rotation_euler=TURNED)
        select(ob)
        (made,) = make("CYLINDER", engine=engine)
        settings.append(made.collision_kit.shape)
        held(made, world_vertices(ob))
        assert made.collision_kit.collider.kind == "CYLINDER"
        assert api.collider_quality(made).protrusion <= 1e-6
        if "CYLINDER" in PRIMITIVES[engine]:
            direction, span, radius = cylinder_of(made)
            assert abs(direction @ np.array(ob.matrix_world.to_3x3().col[axis])) > 1.0 - 1e-6
            assert (span, radius) == pytest.approx((2.0 * ratio, 1.0), rel=1e-5)
            assert made.collision_kit.collider.axis == "Z"
        else:
            mesh_holds(made, world_vertices(ob))
    assert settings == ["CYLINDER" if "CYLINDER" in PRIMITIVES[engine] else "HULL"] * 2


@pytest.mark.parametrize("place", PLACES)
def test_the_default_cylinder_is_one_wherever_it_is(place: str) -> None:
    ob = build(place, default_cylinder().data.copy())
    for kind in ("CYLINDER", "BEST"):
        select(ob)
        (made,) = make(kind, engine="GLTF")
        held(made, world_vertices(ob))
        if place in ("plain", "turned", "even", "mirrored", "child", "child of mirrored"):
            assert cylinder_of(made)[1:] == pytest.approx(
                (2.0 * ob.matrix_world.median_scale, ob.matrix_world.median_scale), rel=1e-5
            )


def test_it_stays_a_cylinder_when_it_is_saved_copied_renamed_appended_scaled_and_turned(tmp_path: Path) -> None:
    default_cylinder(location=(1.0, 2.0, 3.0), rotation_euler=TURNED)
    (made,) = make("CYLINDER", engine="GLTF")
    made.name = "Anything"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "a.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    made = bpy.data.objects["Anything"]
    copy = made.copy()
    made.users_collection[0].objects.link(copy)
    made.scale, copy.rotation_euler = (2.0, 2.0, 2.0), (0.5, 0.4, 0.3)
    bpy.context.view_layer.update()
    for one, size in ((made, 2.0), (copy, 1.0)):
        direction, span, radius = cylinder_of(one)
        assert abs(direction @ np.array(one.matrix_world.to_3x3().col[2].normalized())) > 1.0 - 1e-6
        assert (span, radius) == pytest.approx((2.0 * size, size), rel=1e-5)
    # Rotation applied: the mesh is along another axis now, and the stored axis is not.
    made.parent, made.data = None, made.data.copy()
    made.matrix_world = made.matrix_world.__class__.Rotation(np.pi / 2.0, 4, "X")
    select(made)
    bpy.ops.object.transform_apply()
    assert abs(cylinder_of(made)[0][1]) == pytest.approx(1.0, abs=1e-6)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(tmp_path / "a.blend")) as (_, into):
        into.objects = ["Anything"]
    bpy.context.scene.collection.objects.link(bpy.data.objects["Anything"])
    bpy.context.view_layer.update()
    assert cylinder_of(bpy.data.objects["Anything"])[1:] == pytest.approx((2.0, 1.0), rel=1e-5)


@pytest.mark.parametrize("axis", range(3))
def test_a_stored_axis_decides_where_the_mesh_does_not(axis: int) -> None:
    ob = add("Crate", cube_mesh())
    ob.collision_kit.shape, ob.collision_kit.collider.axis = "CYLINDER", "XYZ"[axis]
    bpy.context.view_layer.update()
    assert abs(cylinder_of(ob)[0][axis]) == 1.0


def test_an_uneven_scale_makes_a_hull_of_it_and_says_so() -> None:
    ob = default_cylinder(scale=(2.0, 1.0, 1.0))
    ob.collision_kit.shape = "CYLINDER"
    bpy.context.view_layer.update()
    shapes = read([ob])
    of_kind(shapes, ob.name, Kind.HULL)
    assert issue_ids(shapes, ob.name) == ["scaled-cylinder"]
    ob.scale = (1.0, 1.0, 2.0)
    bpy.context.view_layer.update()
    assert cylinder_of(ob)[1:] == pytest.approx((4.0, 1.0), rel=1e-6)


def test_a_rigid_body_is_along_z_as_in_blenders_simulation() -> None:
    for axis in range(3):
        ob = add(f"Drum {axis}", prism(32, 1.0, axis))
        select(ob)
        bpy.ops.rigidbody.object_add()
        ob.rigid_body.collision_shape = "CYLINDER"
        bpy.context.view_layer.update()
        assert abs(cylinder_of(ob)[0][2]) == 1.0


def test_gltf_files_have_the_cylinder_and_give_it_back(tmp_path: Path) -> None:
    default_cylinder(location=(1.0, 2.0, 3.0), rotation_euler=TURNED)
    (made,) = make("CYLINDER", engine="GLTF")
    before = cylinder_of(made)
    assert [one.rule.id for one in api.validate_colliders(engine="GLTF").issues] == []
    trip = Trip(tmp_path)
    (found,) = trip.declared
    assert found.shape["type"] == "cylinder"
    trip.back()
    (again,) = [ob for ob in bpy.context.scene.objects if ob.collision_kit.shape == "CYLINDER"]
    assert again.collision_kit.collider.axis == "Z"
    after = cylinder_of(again)
    assert abs(before[0] @ after[0]) > 1.0 - 1e-6 and after[1:] == pytest.approx(before[1:], rel=1e-5)


@pytest.mark.skipif(bool(lacking()), reason=lacking() or "usd-core")
def test_usd_files_have_the_cylinder_and_give_it_back(tmp_path: Path) -> None:
    default_cylinder(location=(1.0, 2.0, 3.0), rotation_euler=TURNED)
    (made,) = make("CYLINDER", engine="GLTF")
    before, name = cylinder_of(made), made.name
    assert api.export_usd(tmp_path / "scene.usda") == ()
    assert "def Cylinder" in (tmp_path / "scene.usda").read_text()
    open_scene(tmp_path / "scene.usda")
    take_physics(bpy.context, tmp_path / "scene.usda")
    after = cylinder_of(bpy.data.objects[name])
    assert abs(before[0] @ after[0]) > 1.0 - 1e-6 and after[1:] == pytest.approx(before[1:], rel=1e-4)
