# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigid bodies of Blender are the same bodies, with the same pairs, in a file and read back from it."""

from pathlib import Path

import bpy
import pytest

from collision_kit import api
from collision_kit.addon.scene.files import open_scene
from collision_kit.addon.scene.objects.collision_settings import surface_of
from collision_kit.addon.usd.importing import take_physics
from collision_kit.addon.usd.library import lacking
from tests.helpers.blender.bridge_scene import add, cube_mesh, l_mesh, rigid_body
from tests.helpers.gltf_files import read_file

pytestmark = pytest.mark.usefixtures("scene")

if not (hasattr(bpy.types, "EXPORT_SCENE_OT_gltf") and hasattr(bpy.types, "IMPORT_SCENE_OT_gltf")):
    pytest.skip("this Blender has no glTF exporter", allow_module_level=True)

ENDINGS = [".glb", pytest.param(".usdc", marks=pytest.mark.skipif(bool(lacking()), reason=lacking()))]


def compound(name: str, x: float, kind: str, collections: tuple[int, ...] = (0,)) -> bpy.types.Object:
    """A rigid body of two boxes below a mesh that does not collide itself."""
    body = add(name, cube_mesh((0.2, 0.2, 0.2)), at=(x, 0.0, 0.0))
    parts = [add(f"{name} {side}", cube_mesh((0.5, 0.5, 0.5)), parent=body, at=(side, 0.0, 2.0)) for side in (-1, 1)]
    bpy.context.view_layer.update()
    for part in parts:
        rigid_body(part, "BOX", kind)
    rigid_body(body, "COMPOUND", kind)
    for ob in (body, *parts):
        ob.rigid_body.collision_collections = [number in collections for number in range(20)]
    return body


def pairs() -> list[tuple[str, str, float]]:
    """Every pair of bodies up to a meter apart, and its signed distance."""
    report = api.check_collisions(clearance=1.0)
    names = [one.name for one in report.bodies]
    return sorted((*sorted((names[one.body_a], names[one.body_b])), round(one.distance, 4)) for one in report.pairs)


def through(tmp_path: Path, ending: str) -> Path:
    """Write the scene to a file, and read it back in place of the scene."""
    path = tmp_path / f"scene{ending}"
    (api.export_gltf if ending == ".glb" else api.export_usd)(path)
    open_scene(path)
    if ending != ".glb":
        assert take_physics(bpy.context, path) == ()
    bpy.context.view_layer.update()
    return path


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("kind", ["ACTIVE", "PASSIVE"])
def test_a_compound_is_one_body_with_the_shapes_of_its_children(kind: str, ending: str, tmp_path: Path) -> None:
    compound("Table", 0.0, kind)
    rigid_body(add("Beam", cube_mesh((0.5, 0.5, 0.5)), at=(2.2, 0.0, 2.0)), "BOX")
    bpy.context.view_layer.update()
    before = pairs()
    assert before == [("Beam", "Table", 0.2)]
    path = through(tmp_path, ending)
    assert pairs() == before
    if ending == ".glb":
        nodes = [(node["name"], node.get("extensions", {})) for node in read_file(path).nodes]
        moved = {name for name, physics in nodes if "motion" in physics.get("KHR_physics_rigid_bodies", {})}
        assert moved == ({"Table"} if kind == "ACTIVE" else set())


@pytest.mark.parametrize("ending", ENDINGS)
def test_collision_collections_are_filters(ending: str, tmp_path: Path) -> None:
    for name, x, collections in (("A", 0.0, (0,)), ("B", 0.4, (1,)), ("C", 0.8, (0, 2)), ("D", 1.2, (2,))):
        compound(name, x, "ACTIVE", collections)
    # What is no rigid body meets them all.
    add("Plain", cube_mesh((0.5, 0.5, 0.5)), at=(0.6, 0.0, 2.0)).collision_kit.shape = "BOX"
    bpy.context.view_layer.update()
    before = pairs()
    assert {(a, b) for a, b, _ in before} == {("A", "C"), ("C", "D"), *((one, "Plain") for one in "ABCD")}
    through(tmp_path, ending)
    assert pairs() == before


def test_a_static_compound_without_omi_is_noted(tmp_path: Path) -> None:
    compound("Table", 0.0, "PASSIVE")
    notes = api.export_gltf(tmp_path / "scene.glb", extensions=("KHR",))
    assert [note for note in notes if "static bodies" in note] == [
        "Table: KHR_physics_rigid_bodies does not support static bodies of several shapes; each shape is exported as a "
        "separate body"
    ]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_rigid_body_with_colliders_is_written_as_its_colliders(ending: str, tmp_path: Path) -> None:
    # Its own shape, the convex hull, would fill it.
    room = add("Room", l_mesh())
    rigid_body(room, "CONVEX_HULL", "PASSIVE")
    rigid_body(add("Ball", cube_mesh((0.15, 0.15, 0.15)), at=(1.3, 1.3, 0.5)), "BOX")
    bpy.context.view_layer.update()
    assert [(a, b) for a, b, distance in pairs() if distance < 0.0] == [("Ball", "Room")]
    made = api.make_collider(["Room"], "BEST", engine="GLTF")
    assert [(one.a, one.b) for one in made.gone_collisions] == [("Ball", "Room")]
    before = pairs()
    assert before and all(distance > 0.0 for _, _, distance in before)
    through(tmp_path, ending)
    assert pairs() == before


@pytest.mark.parametrize("ending", ENDINGS)
def test_colliders_of_a_rigid_body_have_its_collections_and_its_surface(ending: str, tmp_path: Path) -> None:
    for name, x, collections in (("A", 0.0, (0,)), ("B", 0.3, (1,)), ("C", 0.6, (0, 1))):
        ob = add(name, cube_mesh((0.5, 0.5, 0.5)), at=(x, 0.0, 0.0))
        rigid_body(ob, "BOX")
        ob.rigid_body.collision_collections = [number in collections for number in range(20)]
        ob.rigid_body.friction = 0.75
    bpy.context.view_layer.update()
    before = pairs()
    assert [(a, b) for a, b, _ in before] == [("A", "C"), ("B", "C")]
    made = api.make_collider(["A", "B", "C"], "BOX", engine="GLTF")
    assert pairs() == before and made.new_collisions == made.gone_collisions == ()
    report = api.check_collisions()
    assert [round(report.surface_of(one).friction, 6) for one in report.pairs] == [0.75, 0.75]
    through(tmp_path, ending)
    assert pairs() == before


def test_layers_and_surface_of_a_render_mesh_are_those_of_its_colliders() -> None:
    for name, layer in (("A", 2), ("B", 3)):
        ob = add(name, cube_mesh((0.5, 0.5, 0.5)))
        ob.collision_kit.own_groups, ob.collision_kit.own_surface, ob.collision_kit.friction = True, True, 0.25
        ob.collision_kit.groups = [number == layer - 1 for number in range(16)]
        ob.collision_kit.mask = [number == layer - 1 for number in range(16)]
    made = api.make_collider(["A", "B"], "BOX", engine="UNREAL")
    assert made.new_collisions == () and pairs() == []
    assert {surface_of(one.object).friction for one in made.colliders} == {0.25}
    # A collider's own layers count.
    own = made.colliders[0].object.collision_kit
    own.own_groups, own.groups, own.mask = True, [True] * 16, [True] * 16
    assert [(a, b) for a, b, _ in pairs()] == [("A", "B")]
    # A mesh that is only parented is no collider.
    child = add("Child", cube_mesh((0.5, 0.5, 0.5)), parent=bpy.data.objects["A"])
    assert surface_of(child).friction == 0.5
