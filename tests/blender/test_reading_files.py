# SPDX-License-Identifier: GPL-3.0-or-later
"""Real scenes and meshes from files: all is read, and every shape is true to Blender's own vertices."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit.addon.collisions.check import check
from collision_kit.addon.scene.files import open_scene
from collision_kit.addon.scene.reading.read_scene import SceneShapes
from collision_kit.core.shapes import Kind
from tests.helpers.blender.bridge_scene import (
    add,
    assert_reaches,
    cube_mesh,
    read,
    skipped,
    with_setting,
    world_corners,
    world_vertices,
)

pytestmark = pytest.mark.usefixtures("scene")

PHYSICS = ["Filtering.glb", "JointTypes.glb", "Materials_Friction.glb", "ShapeTypes.glb", "Triggers.glb"]
MESHES = [
    "CesiumMilkTruck.glb",
    "Duck.glb",
    "bunny.ply",
    "fandisk.obj",
    "featuretype.STL",
    "not_convex.obj",
    "rabbit.obj",
    "teapot.stl",
    "wallhole.obj",
]


def import_file(path: Path) -> None:
    match path.suffix.lower():
        case ".glb":
            bpy.ops.import_scene.gltf(filepath=str(path))
        case ".obj":
            bpy.ops.wm.obj_import(filepath=str(path))
        case ".ply":
            bpy.ops.wm.ply_import(filepath=str(path))
        case ".stl":
            bpy.ops.wm.stl_import(filepath=str(path))


def assert_true_to_blender(shapes: SceneShapes) -> None:
    for shape in shapes.shapes:
        if shape.kind in {"hull", "mesh"}:
            of_mesh = shape.reason in {"mesh", "convex mesh"}
            vertices = (world_corners if of_mesh else world_vertices)(bpy.data.objects[shape.object])
            assert_reaches(shapes, shape.object, vertices, tolerance=5e-6)


@pytest.mark.parametrize("name", PHYSICS)
def test_physics_scenes(name: str, data_dir: Path) -> None:
    import_file(data_dir / "gltf_physics" / name)
    shapes = read()
    meshes = {ob.name for ob in bpy.context.scene.objects if ob.type == "MESH"}
    tested = {shape.object for shape in shapes.shapes}
    # The colliders that a file declares stand for the mesh that they are children of.
    stood_for = {bpy.data.objects[name].parent.name for name in tested if name.endswith("_collider")}
    assert tested and tested | set(skipped(shapes)) | stood_for >= meshes
    assert not [issue for issue in shapes.issues if issue.severity == "error"]
    assert_true_to_blender(shapes)


@pytest.mark.parametrize("name", MESHES)
def test_meshes(name: str, data_dir: Path) -> None:
    import_file(data_dir / "meshes" / name)
    shapes = read()
    assert len(shapes.world) >= 1
    assert not [issue for issue in shapes.issues if issue.severity == "error"]
    assert_true_to_blender(shapes)
    for shape in shapes.shapes:
        assert (shape.kind, shape.reason) in {("mesh", "mesh"), ("hull", "convex mesh")}
    # What is not closed is tested as a surface, and that is said; what is, is a solid.
    open_ = {issue.object for issue in shapes.issues if issue.id == "open-mesh"}
    for row, shape in enumerate(shapes.shapes):
        if shape.kind == "mesh":
            batch = shapes.world.batches[shapes.world.batch[row]]
            assert batch.solid[shapes.world.slot[row]] == (shape.object not in open_)


@pytest.mark.parametrize("name", MESHES)
def test_hulls_of_real_meshes_have_the_volume_that_qhull_gives_them(name: str, data_dir: Path) -> None:
    spatial = pytest.importorskip("scipy.spatial")
    import_file(data_dir / "meshes" / name)
    for ob in bpy.context.scene.objects:
        with_setting(ob, "HULL")
    shapes = read()
    for row, shape in enumerate(shapes.shapes):
        batch = shapes.world.batches[shapes.world.batch[row]]
        assert batch.kind == Kind.HULL
        volume = batch.geometry[batch.index[shapes.world.slot[row]]].volume
        oracle = spatial.ConvexHull(world_vertices(bpy.data.objects[shape.object])).volume
        assert volume == pytest.approx(oracle, rel=1e-4)


def test_real_meshes_are_told_convex_or_not(data_dir: Path) -> None:
    """A mesh is convex if none of its triangles has a vertex of the mesh in front of it."""
    for name in ("not_convex.obj", "fandisk.obj", "rabbit.obj", "wallhole.obj"):
        import_file(data_dir / "meshes" / name)
    shapes = read()
    reasons = {shape.object: shape.reason for shape in shapes.shapes}
    for ob in bpy.context.scene.objects:
        vertices = world_vertices(ob)
        ob.data.calc_loop_triangles()
        corners = vertices[np.array([tuple(t.vertices) for t in ob.data.loop_triangles])]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        size = np.linalg.norm(normal, axis=1)
        normal = normal[size > 0] / size[size > 0, None]
        out = normal @ vertices.T - np.einsum("ij,ij->i", normal, corners[size > 0, 0])[:, None]
        convex = out.max() < 1e-4 * np.ptp(vertices, axis=0).max()
        assert (reasons[ob.name] == "convex mesh") == convex, ob.name


def test_a_point_cloud_from_a_file_without_faces(data_dir: Path) -> None:
    lines = (data_dir / "meshes" / "ballA.off").read_text().split("\n")
    count = int(lines[1].split()[0])
    data = bpy.data.meshes.new("ball")
    data.from_pydata([tuple(map(float, line.split()[:3])) for line in lines[2 : 2 + count]], [], [])
    ob = add("Ball", data)
    assert skipped(read()) == {"Ball": "Mesh has no faces."}
    ob.collision_kit.shape = "HULL"
    shapes = read()
    assert [issue.id for issue in shapes.issues] == ["no-faces"]
    assert_reaches(shapes, "Ball", world_vertices(ob))


def test_a_path_is_no_body_in_an_fbx_file_either(tmp_path: Path) -> None:
    path = bpy.data.curves.new("path", "CURVE")
    path.dimensions = "3D"
    path.splines.new("POLY").points.add(2)
    for point, at in zip(path.splines[0].points, [(0, 0, 0), (4, 0, 0), (4, 4, 0)], strict=True):
        point.co = (*at, 1)
    add("Path", path)
    add("Tower", cube_mesh(), at=(2, 1, 0))
    file = tmp_path / "scene.fbx"
    bpy.ops.export_scene.fbx(filepath=str(file))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    open_scene(file)
    assert bpy.data.objects["Path"].type == "MESH"
    report, _ = check(bpy.context, "ALL")
    assert not report.pairs and not report.issues
    assert [(entry.object, entry.reason) for entry in report.skipped] == [("Path", "Mesh has no faces.")]


def test_what_is_linked_from_a_file_that_is_gone_is_an_error(tmp_path: Path) -> None:
    library, user = tmp_path / "library.blend", tmp_path / "user.blend"
    group = bpy.data.collections.new("Group")
    for name in ("Object", "Mesh", "Member"):
        made = add(name, bpy.data.meshes.new(name))
        made.data.from_pydata(
            [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
        )
        made.data.name = name
    group.objects.link(bpy.data.objects["Member"])
    bpy.data.libraries.write(str(library), {bpy.data.objects["Object"], bpy.data.meshes["Mesh"], group}, fake_user=True)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(library), link=True) as (_, into):
        into.objects, into.meshes, into.collections = ["Object"], ["Mesh"], ["Group"]
    bpy.context.scene.collection.objects.link(bpy.data.objects["Object"])
    own = bpy.data.objects.new("Own", bpy.data.meshes["Mesh"])
    instance = bpy.data.objects.new("Instance", None)
    instance.instance_type, instance.instance_collection = "COLLECTION", bpy.data.collections["Group"]
    for ob in (own, instance):
        bpy.context.scene.collection.objects.link(ob)
    add("There", cube_mesh())
    shapes = read()
    assert {body.name for body in shapes.bodies} == {"Object", "Own", "Instance/Member", "There"}
    assert not [issue for issue in shapes.issues if issue.severity == "error"]
    bpy.ops.wm.save_as_mainfile(filepath=str(user))
    library.unlink()
    bpy.ops.wm.open_mainfile(filepath=str(user))
    shapes = read()
    assert [body.name for body in shapes.bodies] == ["There"]
    message = "Data linked from library.blend is missing; not tested."
    assert {(one.id, one.severity, one.object, one.message) for one in shapes.issues} == {
        ("missing-link", "error", name, message) for name in ("Object", "Own", "Instance")
    }


@pytest.mark.skipif(not bpy.app.build_options.usd, reason="this Blender has no USD")
@pytest.mark.parametrize("ending", [".usd", ".usda", ".usdc", ".usdz"])
def test_meshes_of_usd_files_are_bodies(tmp_path: Path, ending: str) -> None:
    for number in range(3):
        add(f"Crate {number}", cube_mesh(), at=(1.5 * number, 0.0, 0.0))
    file = tmp_path / f"scene{ending}"
    bpy.ops.wm.usd_export(filepath=str(file))
    open_scene(file)
    report, _ = check(bpy.context, "ALL")
    assert len(report.bodies) == 3
    assert len(report.pairs) == 2
