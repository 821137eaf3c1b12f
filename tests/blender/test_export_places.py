# SPDX-License-Identifier: GPL-3.0-or-later
"""Files are in meters and have everything at its place, whatever the unit scale of the scene and its parents."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.addon.exchange import sentences
from collision_kit.addon.exports.table import EXPORTS
from collision_kit.addon.exports.wanted import ExportOptions
from collision_kit.addon.scene.files import open_scene
from collision_kit.addon.usd.library import lacking
from tests.helpers.blender.bridge_scene import add, cube_mesh

pytestmark = pytest.mark.usefixtures("scene")

FORMATS = [".glb", ".gltf", ".fbx", *([] if lacking() else [".usda", ".usdc"])]


def static(ob):
    with bpy.context.temp_override(object=ob, active_object=ob, selected_objects=[ob]):
        bpy.ops.rigidbody.object_add(type="PASSIVE")
    ob.rigid_body.collision_shape = "BOX"


def written(path: Path) -> tuple[str, ...]:
    return tuple(EXPORTS[path.suffix].write(bpy.context, path, ExportOptions()))


def apart() -> float:
    """The distance of the two cubes, not of one and its own collider."""
    return min(float(one.distance) for one in api.check_collisions(clearance=9.0).pairs if one.distance > 0.0)


def bounds(name: str) -> np.ndarray:
    ob = bpy.data.objects[name]
    points = np.array([ob.matrix_world @ vertex.co for vertex in ob.data.vertices])
    return np.array([points.min(axis=0), points.max(axis=0)])


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("unit", [0.01, 0.3048, 1.0])
def test_a_gap_is_as_many_meters_in_the_file(ending: str, unit: float, tmp_path: Path) -> None:
    bpy.context.scene.unit_settings.scale_length = unit
    for number in range(2):
        static(add(f"Cube{number}", cube_mesh((0.5, 0.5, 0.5)), at=(3.0 * number, 0.0, 0.0)))
    bpy.context.view_layer.update()
    assert apart() == pytest.approx(2.0)
    written(tmp_path / f"scene{ending}")
    open_scene(tmp_path / f"scene{ending}")
    assert apart() * bpy.context.scene.unit_settings.scale_length == pytest.approx(2.0 * unit, rel=1e-5)


@pytest.mark.parametrize("ending", FORMATS)
def test_what_is_turned_below_an_uneven_parent_is_where_it_was(ending: str, tmp_path: Path) -> None:
    base = add("Base", cube_mesh(), scale=(2.0, 1.0, 0.5))
    arm = add("Arm", cube_mesh(), at=(0.0, 0.0, 5.0), rotation_euler=(0.6, 0.3, 0.7), scale=(0.5, 0.5, 1.5))
    add("Hand", cube_mesh((0.2, 0.2, 0.2)), at=(0.0, 0.0, 3.0), parent=arm)
    bpy.context.view_layer.update()
    arm.parent, arm.matrix_parent_inverse = base, base.matrix_world.inverted()
    bpy.context.view_layer.update()
    places = {name: bounds(name) for name in ("Base", "Arm", "Hand")}
    basis = arm.matrix_basis.copy()
    assert written(tmp_path / f"scene{ending}") == (f"Arm: {sentences.NO_PARENT}",)
    assert (arm.parent, arm.matrix_basis) == (base, basis)
    np.testing.assert_allclose(bounds("Arm"), places["Arm"], atol=1e-6)
    open_scene(tmp_path / f"scene{ending}")
    # Importers may give other names.
    found = [bounds(ob.name) for ob in bpy.context.scene.objects if ob.type == "MESH"]
    for there, place in zip(sorted(found, key=np.sum), sorted(places.values(), key=np.sum), strict=True):
        np.testing.assert_allclose(there, place, atol=1e-4)


@pytest.mark.parametrize("ending", [".glb", ".fbx"])
def test_what_moves_with_its_parent_keeps_it_and_that_is_said(ending: str, tmp_path: Path) -> None:
    base = add("Base", cube_mesh(), scale=(2.0, 1.0, 0.5))
    base.keyframe_insert("location", frame=1)
    add("Arm", cube_mesh(), rotation_euler=(0.6, 0.3, 0.7), parent=base)
    bpy.context.view_layer.update()
    # In the world it is sheared, too, but not within its parent.
    assert written(tmp_path / f"a{ending}") == ()
    arm = bpy.data.objects["Arm"]
    arm.parent = None
    bpy.context.view_layer.update()
    arm.parent, arm.matrix_parent_inverse = base, base.matrix_world.inverted()
    bpy.context.view_layer.update()
    assert written(tmp_path / f"b{ending}") == (f"Arm: {sentences.SHEARED}",)
    assert arm.parent == base
