# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders converted, mirrored, found and made alike."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.addon.colliders import fit_record as colliders_record
from collision_kit.addon.colliders import scene_making
from collision_kit.addon.model.steps import exhausted
from collision_kit.addon.scene.objects.visibility import evaluated
from tests.helpers.blender.bridge_scene import add, cube_mesh, mesh, world_vertices
from tests.helpers.blender.colliders_scene import KINDS, PLACES, build, cloud_mesh, held, make, mesh_holds, select
from tests.helpers.offline import by_turns, slow

pytestmark = pytest.mark.usefixtures("scene")

MIRRORS = [pytest.param(place, axis, id=f"{place}-{axis}") for place in PLACES for axis in "XYZ"]


@pytest.mark.parametrize("place", ["uneven", "sheared", *slow("turned", "mirrored")])
def test_converted_colliders_hold_the_same_vertices(place: str) -> None:
    ob = build(place)
    (made,) = make("SPHERE")
    points, uid = world_vertices(ob), made.session_uid
    for kind in ("HULL", *KINDS):
        select(made)
        assert bpy.ops.collision_kit.convert_collider(kind=kind) == {"FINISHED"}
        held(made, points)
        assert made.collision_kit.collider.kind == kind
        assert made.parent == ob
        if kind == "HULL":  # from a sphere and back, nothing was added
            assert colliders_record.known(made).quality.hull_ratio == pytest.approx(1.0, abs=1e-5)
    assert made.session_uid == uid
    assert len(bpy.data.objects) == (3 if ob.parent else 2)
    assert len(bpy.data.meshes) == 2


@pytest.mark.parametrize(
    ("points", "text"), [([], "has no vertices"), ([(0.0, 0.0, np.nan)], "has a vertex coordinate that is infinite")]
)
def test_a_collider_without_usable_vertices_is_refused_by_name(points: list[Any], text: str) -> None:
    build("plain")
    (made,) = make("BOX")
    made.data = mesh(points)
    select(made)
    refused = f'"{made.name}" {text}'
    with pytest.raises(RuntimeError, match=refused):
        bpy.ops.collision_kit.convert_collider(kind="SPHERE")
    with pytest.raises(RuntimeError, match=refused):
        bpy.ops.collision_kit.compare_types()
    select(add("Not a collider", mesh(points)))
    with pytest.raises(RuntimeError, match=f'"Not a collider" {text}'):
        bpy.ops.collision_kit.compare_types()
    with pytest.raises(api.UserError, match=refused):
        api.convert_collider([made], "SPHERE")


def test_a_collider_is_converted_by_itself_where_its_render_mesh_is_empty_now() -> None:
    ob = build("plain")
    (made,) = make("BOX")
    ob.data = mesh([])
    points = world_vertices(made)
    select(made)
    assert bpy.ops.collision_kit.convert_collider(kind="SPHERE") == {"FINISHED"}
    held(made, points)


def test_names_follow_the_kind() -> None:
    build("plain")
    (made,) = make("BOX")
    for kind, name in (("SPHERE", "USP_Rock_01"), ("CYLINDER", "UCX_Rock_01"), ("CAPSULE", "UCP_Rock_01")):
        select(made)
        bpy.ops.collision_kit.convert_collider(kind=kind)
        assert (made.name, made.data.name) == (name, name)


@pytest.mark.parametrize("scale", [(2.0, 2.0, 0.5), (2.0, 2.0, 2.0)])
def test_a_collider_changed_by_hand_is_held_as_it_is(scale: tuple[float, ...]) -> None:
    build("plain", cube_mesh())
    (made,) = make("BOX")
    made.scale = scale
    select(made)
    bpy.ops.collision_kit.convert_collider(kind="HULL")
    np.testing.assert_allclose(made.dimensions, 2.0 * np.array(scale), rtol=1e-5)
    np.testing.assert_allclose(np.array(made.scale), 1.0)


def test_a_part_of_a_mesh_keeps_to_its_part() -> None:
    vertices = np.concatenate([np.random.default_rng(2).normal(size=(30, 3)), np.full((4, 3), 50.0)])
    vertices[30:] += np.eye(4, 3)
    build("even", mesh(vertices.tolist(), [*((0, i, i + 1) for i in range(1, 29)), (30, 31, 32), (30, 31, 33)]))
    made = make("SPHERE", source="PARTS")
    large = max(made, key=lambda ob: ob.dimensions.x)
    before = large.matrix_world.translation.copy()
    select(large)
    bpy.ops.collision_kit.convert_collider(kind="BOX")
    assert (large.matrix_world.translation - before).length < 10.0
    assert max(large.dimensions) < 30.0


def test_what_was_around_several_objects_holds_them_all() -> None:
    first = build("turned")
    second = add("Other", cube_mesh(), at=(6.0, 0.0, 0.0))
    select(second, first)
    (made,) = make("CAPSULE", source="AROUND")
    select(made)
    bpy.ops.collision_kit.convert_collider(kind="HULL")
    mesh_holds(made, np.concatenate([world_vertices(first), world_vertices(second)]))


@pytest.mark.parametrize(("place", "axis"), by_turns(MIRRORS, 3, 0))
def test_mirrored_colliders_are_mirror_images(place: str, axis: str) -> None:
    ob = build(place, cube_mesh((0.5, 0.4, 0.3), (2.0, 1.5, 1.0)))
    points = world_vertices(ob)
    for kind in ("BOX", "CAPSULE", "HULL"):
        select(ob)
        (made,) = make(kind)
        select(made)
        before = set(bpy.data.objects)
        assert bpy.ops.collision_kit.mirror_collider(axis=axis) == {"FINISHED"}
        (image,) = set(bpy.data.objects) - before
        assert bpy.context.view_layer.objects.active == image
        normal = mirror_normal(ob, "XYZ".index(axis))
        origin = np.array(ob.matrix_world, dtype=np.float64)[:3, 3]
        mirrored = points - 2.0 * ((points - origin) @ normal)[:, None] * normal
        held(image, mirrored)
        assert image.parent == ob
        matrix = np.array(image.matrix_world, dtype=np.float64)[:3, :3]
        if "sheared" not in place:
            assert np.linalg.det(matrix) > 0.0
        assert signed_volume(image) > 0.0
        assert signed_volume(image) == pytest.approx(signed_volume(made), rel=1e-4)
        assert image.name[:4] == made.name[:4]
        assert image.data.name == image.name
        assert image.display_type == "WIRE"


def mirror_normal(ob: bpy.types.Object, axis: int) -> np.ndarray:
    """The object's axis, or where the axes are not at right angles, that of the nearest rotation."""
    left, _, right = np.linalg.svd(np.array(ob.matrix_world, dtype=np.float64)[:3, :3])
    return (left @ right)[:, axis]


def signed_volume(ob: bpy.types.Object) -> float:
    """Of its mesh in the world: positive if its faces look outward there, mirrored objects turning them over."""
    ob.data.calc_loop_triangles()
    points = world_vertices(ob)
    corner = points[[list(triangle.vertices) for triangle in ob.data.loop_triangles]] - points.mean(axis=0)
    volume = float(np.einsum("ij,ij->i", corner[:, 0], np.cross(corner[:, 1], corner[:, 2])).sum()) / 6.0
    return volume * float(np.sign(np.linalg.det(np.array(ob.matrix_world)[:3, :3])))


@pytest.mark.parametrize("place", PLACES)
def test_faces_look_outward(place: str) -> None:
    ob = build(place, cloud_mesh(5))
    for kind in ("BOX", "SPHERE", "CAPSULE", "CYLINDER", "HULL"):
        select(ob)
        (made,) = make(kind)
        assert signed_volume(made) > 0.0


def test_mirroring_in_place_twice_changes_nothing() -> None:
    build("turned", cube_mesh((0.5, 0.4, 0.3), (2.0, 1.5, 1.0)))
    (made,) = make("BOX")
    before, name = np.sort(world_vertices(made), axis=0), made.name
    for _ in range(2):
        select(made)
        bpy.ops.collision_kit.mirror_collider(axis="Z", copy=False)
        assert made.data.name == made.name == name
    np.testing.assert_allclose(np.sort(world_vertices(made), axis=0), before, atol=2e-5)


def test_each_finds_the_other() -> None:
    ob = build("plain")
    make("BOX")
    select(ob)
    make("HULL")
    stray = add("UCX_Nothing_01", cube_mesh(), at=(50.0, 0.0, 0.0))
    bpy.context.scene.collision_kit.engine = "UNITY"
    other = add("Other", cube_mesh(), at=(9.0, 0.0, 0.0))
    select(other)
    (plain,) = make("BOX")
    assert plain.name == "Other_collider"
    select(ob)
    assert bpy.ops.collision_kit.select_colliders() == {"FINISHED"}
    assert {one.name for one in bpy.context.selected_objects} == {"UBX_Rock_01", "UCX_Rock_01"}
    bpy.ops.collision_kit.select_render_mesh()
    assert bpy.context.selected_objects == [ob]
    select(plain)
    bpy.ops.collision_kit.select_render_mesh()
    assert bpy.context.selected_objects == [other]
    bpy.ops.collision_kit.select_colliders()
    assert bpy.context.selected_objects == [plain]
    select(stray)
    assert bpy.ops.collision_kit.select_render_mesh() == {"CANCELLED"}
    assert bpy.ops.collision_kit.select_colliders() == {"CANCELLED"}
    assert bpy.context.selected_objects == [stray]
    select(ob)
    with pytest.raises(RuntimeError, match="Select a collider"):
        bpy.ops.collision_kit.select_render_mesh()


def test_a_collider_that_is_named_for_one_mesh_and_a_child_of_another_is_its_names() -> None:
    rock = build("plain")
    other = add("Other", cube_mesh())
    collider = add("UCX_Rock_01", cube_mesh(), parent=other)
    select(collider)
    bpy.ops.collision_kit.select_render_mesh()
    assert bpy.context.selected_objects == [rock]


def test_settings_are_copied_and_forms_are_not() -> None:
    ob = build("plain")
    (first,) = make("BOX")
    select(ob)
    (second,) = make("SPHERE")
    home = bpy.data.collections.new("Elsewhere")
    bpy.context.scene.collection.children.link(home)
    home.objects.link(first)
    bpy.data.collections["Colliders"].objects.unlink(first)
    first.show_in_front, first.display_type, first.color = True, "SOLID", (1.0, 0.5, 0.0, 1.0)
    select(first, second)
    assert bpy.ops.collision_kit.copy_collider_settings() == {"FINISHED"}
    assert (second.show_in_front, second.display_type) == (True, "SOLID")
    assert tuple(second.color) == (1.0, 0.5, 0.0, 1.0)
    assert second.users_collection == (home,)
    assert second.collision_kit.shape == "SPHERE"
    assert len(second.data.vertices) > 8
    bpy.ops.collision_kit.copy_collider_settings(what={"SHAPE"})
    assert second.collision_kit.shape == "BOX"
    select(first)
    with pytest.raises(RuntimeError, match="copy to in addition"):
        bpy.ops.collision_kit.copy_collider_settings()


@pytest.mark.parametrize("operator", ["convert_collider", "mirror_collider"])
def test_without_a_collider_they_say_so(operator: str) -> None:
    build("plain")
    with pytest.raises(RuntimeError, match="belong to a render mesh"):
        getattr(bpy.ops.collision_kit, operator)()


def test_one_undo_takes_a_conversion_and_a_copy_back() -> None:
    build("turned")
    bpy.ops.collision_kit.make_collider(kind="BOX")
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.collision_kit.convert_collider("EXEC_DEFAULT", True, kind="SPHERE")
    bpy.ops.ed.undo()
    assert "UBX_Rock_01" in bpy.data.objects
    assert len(bpy.data.objects["UBX_Rock_01"].data.vertices) == 8
    bpy.ops.collision_kit.mirror_collider("EXEC_DEFAULT", True)
    assert len(bpy.data.objects) == 3
    bpy.ops.ed.undo()
    assert len(bpy.data.objects) == 2


@pytest.mark.parametrize("enabled", [True, False])
def test_colliders_with_constraints_are_converted_where_they_are(enabled: bool) -> None:
    build("turned", cube_mesh((0.5, 0.4, 0.3), (2.0, 1.5, 1.0)))
    (made,) = make("BOX")
    copied = made.constraints.new("COPY_LOCATION")
    copied.target, copied.use_offset, copied.enabled = add("Target", None, at=(10.0, 0.0, 0.0)), True, enabled
    select(made)
    assert (made.matrix_world.translation.x > 9.0) == enabled
    points = world_vertices(made)
    assert bpy.ops.collision_kit.convert_collider(kind="ORIENTED_BOX") == {"FINISHED"}
    bpy.context.view_layer.update()
    mesh_holds(made, points)
    np.testing.assert_allclose(np.ptp(world_vertices(made), axis=0), np.ptp(points, axis=0), rtol=1e-5)


def disable(ob: bpy.types.Object, how: str, tmp_path: Path) -> bpy.types.Object:
    """Have Blender evaluate an object no longer, by itself or by its collection, and open the file again.

    Blender stores no placements in files.
    """
    if how == "object":
        ob.hide_viewport = True
    else:
        own = bpy.data.collections.new("Own")
        bpy.context.scene.collection.children.link(own)
        for other in ob.users_collection:
            other.objects.unlink(ob)
        own.objects.link(ob)
        own.hide_viewport = True
    name = ob.name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "scene.blend"))
    return bpy.data.objects[name]


def enable(ob: bpy.types.Object) -> None:
    """Undo `disable`."""
    assert not ob.visible_get()
    ob.hide_viewport = False
    for collection in ob.users_collection:
        collection.hide_viewport = False
    bpy.context.view_layer.update()


@pytest.mark.parametrize("how", ["object", "collection"])
@pytest.mark.parametrize("moved", [True, False])
def test_colliders_are_converted_where_they_are_while_they_are_disabled(how: str, moved: bool, tmp_path: Path) -> None:
    build("turned")
    (made,) = make("BOX")
    copied = made.constraints.new("COPY_LOCATION")
    copied.use_offset = True
    if moved:
        copied.target = add("Target", None, at=(10.0, 0.0, 0.0))
    made.rotation_euler = (1.0, 0.5, 0.0)
    bpy.context.view_layer.update()
    points, before = world_vertices(made), np.array(made.matrix_basis)
    made = disable(made, how, tmp_path)
    collections = set(bpy.data.collections)
    api.convert_collider([made], "ORIENTED_BOX" if moved else "BOX")
    assert set(bpy.data.collections) == collections
    enable(made)
    assert np.abs(np.array(made.matrix_basis) - before).max() > 0.1
    mesh_holds(made, points)


@pytest.mark.parametrize("how", ["object", "collection"])
def test_colliders_are_mirrored_and_made_while_they_are_disabled(how: str, tmp_path: Path) -> None:
    ob = build("uneven")
    points = world_vertices(ob)
    ob = disable(ob, how, tmp_path)
    (made,) = api.make_collider([ob], "BOX").colliders
    (pieces,) = api.make_collider_pieces([ob], pieces=1).colliders
    (image,) = api.mirror_collider([made.object], "X")
    enable(ob)
    mesh_holds(made.object, points)
    mesh_holds(pieces.object, points)
    normal = np.array(ob.matrix_world.to_3x3().normalized().col[0])
    offsets = points - np.array(ob.matrix_world.translation)
    mesh_holds(image, points - 2.0 * (offsets @ normal)[:, None] * normal)


def test_the_mirrored_copy_of_a_disabled_collider_is_disabled() -> None:
    (made,) = api.make_collider([build("uneven")], "BOX").colliders
    made.object.hide_viewport = True
    (image,) = api.mirror_collider([made.object], "X")
    assert image.hide_viewport and made.object.hide_viewport
    assert image.users_collection == made.object.users_collection
    assert "Evaluated" not in bpy.data.collections


def test_what_fails_while_disabled_objects_are_enabled_leaves_them_disabled() -> None:
    first, second = build("uneven"), add("Other", cube_mesh())
    first.hide_viewport = second.hide_viewport = True
    bpy.context.view_layer.update()
    outcomes = iter([MemoryError, None])

    def update() -> None:
        if error := next(outcomes):
            raise error

    context: Any = SimpleNamespace(
        scene=bpy.context.scene,
        view_layer=SimpleNamespace(update=update),
        evaluated_depsgraph_get=bpy.context.evaluated_depsgraph_get,
    )
    with pytest.raises(MemoryError), evaluated(context, [first, second]):
        pass
    assert first.hide_viewport and second.hide_viewport
    assert "Evaluated" not in bpy.data.collections
    with evaluated(bpy.context, [first, second]):
        bpy.data.objects.remove(first)
    assert second.hide_viewport
    assert "Evaluated" not in bpy.data.collections


@pytest.mark.parametrize("how", ["object", "collection"])
def test_colliders_of_a_scene_are_made_around_disabled_objects(how: str, tmp_path: Path) -> None:
    ob = build("uneven")
    ob.modifiers.new("Twice", "ARRAY")
    bpy.context.view_layer.update()
    points = world_vertices(ob)
    assert len(points) > len(ob.data.vertices)
    ob = disable(ob, how, tmp_path)
    report = exhausted(scene_making.steps(bpy.context, scene_making.MakeRequest("BOX", "UNREAL", include_hidden=True)))
    (made,) = [bpy.data.objects[one.object] for one in report.colliders]
    enable(ob)
    mesh_holds(made, points)
