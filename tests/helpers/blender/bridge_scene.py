# SPDX-License-Identifier: GPL-3.0-or-later
"""Small scenes for the tests of the bridge, and their reference values: Blender's own vertices and matrices."""

import math
from collections.abc import Sequence

import bpy
import numpy as np

from collision_kit.addon.scene.reading.read_scene import read_scene
from collision_kit.addon.scene.reading.scene_shapes import SceneShapes
from collision_kit.core.shapes import Kind

CUBE_VERTICES = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
CUBE_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]

# A rotation about none of the axes, as Euler angles.
TURNED = (0.3, -0.8, 1.7)

Vector = Sequence[float]


def mesh(vertices: Sequence[Vector], faces: Sequence[Sequence[int]] = (), edges: Sequence[Sequence[int]] = ()):
    data = bpy.data.meshes.new("mesh")
    data.from_pydata([tuple(map(float, v)) for v in vertices], list(edges), [tuple(map(int, f)) for f in faces])
    return data


def cube_mesh(half: Vector = (1.0, 1.0, 1.0), center: Vector = (0.0, 0.0, 0.0)):
    return mesh([[h * x + c for h, x, c in zip(half, v, center, strict=True)] for v in CUBE_VERTICES], CUBE_FACES)


def l_mesh():
    """An L: three unit cubes, volume 3 and hull volume 3.5, closed."""
    outline = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    vertices = [(x, y, z) for z in (0, 1) for x, y in outline]
    sides = [(i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6) for i in range(6)]
    return mesh(vertices, [tuple(reversed(range(6))), tuple(range(6, 12)), *sides])


def sphere_mesh(radius: float = 1.0, segments: int = 32, rings: int = 16, stretch: float = 0.0):
    """A UV sphere or, stretched, a capsule: its halves `stretch` further up and down."""
    rows = [0.5 * np.pi - np.pi * ring / rings for ring in range(1, rings)]
    if stretch:
        rows = sorted([*rows, 0.0], reverse=True)  # the equator twice, above and below the straight part
    vertices, shift = [(0.0, 0.0, radius + stretch)], []
    middle = len(rows) // 2
    for number, angle in enumerate(rows):
        shift.append(stretch if number < middle else -stretch)
        for turn in range(segments):
            around = 2.0 * np.pi * turn / segments
            vertices.append(
                (
                    radius * np.cos(angle) * np.cos(around),
                    radius * np.cos(angle) * np.sin(around),
                    radius * np.sin(angle) + shift[-1],
                )
            )
    vertices.append((0.0, 0.0, -radius - stretch))
    faces = [(0, 1 + i, 1 + (i + 1) % segments) for i in range(segments)]
    for row in range(len(rows) - 1):
        for i in range(segments):
            a, b = 1 + row * segments, 1 + (row + 1) * segments
            faces.append((a + i, b + i, b + (i + 1) % segments, a + (i + 1) % segments))
    last, base = len(vertices) - 1, 1 + (len(rows) - 1) * segments
    faces += [(last, base + (i + 1) % segments, base + i) for i in range(segments)]
    return mesh(vertices, faces)


# The collision shapes that are set for empties, by their display type.
EMPTY_SHAPES = {"CUBE": "BOX", "SPHERE": "SPHERE"}


def add(name: str, data=None, *, at: Vector = (0, 0, 0), collection=None, parent=None, **fields) -> bpy.types.Object:
    """Link a new object; `fields` are its attributes. An empty gets the shape of its display type."""
    ob = bpy.data.objects.new(name, data)
    assert ob.name == name, f"{name} was taken"
    (collection or bpy.context.scene.collection).objects.link(ob)
    ob.location = at
    ob.parent = parent
    for field, value in fields.items():
        setattr(ob, field, value)
    if fields.get("empty_display_type") in EMPTY_SHAPES:
        ob.collision_kit.shape = EMPTY_SHAPES[fields["empty_display_type"]]
    return ob


def add_collection(name: str, parent=None) -> bpy.types.Collection:
    """A collection in the scene or, if `parent` is False, in none."""
    collection = bpy.data.collections.new(name)
    if parent is not False:
        (parent or bpy.context.scene.collection).children.link(collection)
    return collection


def add_instance(name: str, instanced: bpy.types.Collection, **fields) -> bpy.types.Object:
    return add(name, instance_type="COLLECTION", instance_collection=instanced, **fields)


def rigid_body(ob: bpy.types.Object, shape: str, kind: str = "PASSIVE") -> bpy.types.Object:
    with bpy.context.temp_override(object=ob, active_object=ob, selected_objects=[ob]):
        bpy.ops.rigidbody.object_add(type=kind)
    ob.rigid_body.collision_shape = shape
    return ob


def with_setting(ob: bpy.types.Object, shape: str) -> bpy.types.Object:
    ob.collision_kit.shape = shape
    return ob


def sheared(name: str, data, **fields) -> bpy.types.Object:
    """A rotated child of a parent with a nonuniform scale."""
    parent = add(f"{name} parent", scale=(1.0, 2.0, 1.0))
    return add(name, data, parent=parent, rotation_euler=(0.0, 0.0, math.radians(30.0)), **fields)


def read(objects: Sequence[bpy.types.Object] | None = None, **options) -> SceneShapes:
    bpy.context.view_layer.update()
    return read_scene(bpy.context, objects, **options)


def row_of(shapes: SceneShapes, name: str) -> int:
    rows = [row for row, shape in enumerate(shapes.shapes) if shape.object == name]
    assert len(rows) == 1, (name, shapes.shapes, shapes.skipped)
    return rows[0]


def the(shapes: SceneShapes, name: str):
    """The report's entry of the only row of an object."""
    return shapes.shapes[row_of(shapes, name)]


def of_kind(shapes: SceneShapes, name: str, kind: Kind):
    """The batch with the single shape of an object, which must be of this kind."""
    row = row_of(shapes, name)
    assert shapes.world.kind[row] == kind, shapes.shapes[row]
    return shapes.world.batches[shapes.world.batch[row]].take(np.array([shapes.world.slot[row]]))


def issue_ids(shapes: SceneShapes, name: str) -> list[str]:
    return [issue.id for issue in shapes.issues if issue.object == name]


def body_names(shapes: SceneShapes) -> dict[str, list[str]]:
    """Names of the shapes of each body."""
    return {
        body.name: sorted(shape.object for shape in shapes.shapes if shape.body == number)
        for number, body in enumerate(shapes.bodies)
    }


def centers(shapes: SceneShapes) -> dict[str, tuple[float, ...]]:
    lower, upper = shapes.world.bounds()
    middle = np.round((lower + upper) / 2.0, 5) + 0.0
    return {shape.object: tuple(map(float, row)) for shape, row in zip(shapes.shapes, middle, strict=True)}


def skipped(shapes: SceneShapes) -> dict[str, str]:
    assert len({entry.object for entry in shapes.skipped}) == len(shapes.skipped), shapes.skipped
    return {entry.object: entry.reason for entry in shapes.skipped}


def world_vertices(ob: bpy.types.Object) -> np.ndarray:
    """The vertices of the evaluated object in the world according to Blender, one by one."""
    evaluated = ob.evaluated_get(bpy.context.evaluated_depsgraph_get())
    try:
        matrix = evaluated.matrix_world
        return np.array([tuple(matrix @ vertex.co) for vertex in evaluated.to_mesh().vertices])
    finally:
        evaluated.to_mesh_clear()


def world_corners(ob: bpy.types.Object) -> np.ndarray:
    """The vertices of `world_vertices` that belong to faces."""
    evaluated = ob.evaluated_get(bpy.context.evaluated_depsgraph_get())
    try:
        corners = sorted({index for polygon in evaluated.to_mesh().polygons for index in polygon.vertices})
    finally:
        evaluated.to_mesh_clear()
    return world_vertices(ob)[corners]


def directions(count: int = 64) -> np.ndarray:
    generator = np.random.default_rng(7)
    found = generator.normal(size=(count, 3))
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def reach(shapes: SceneShapes, row: int, along: np.ndarray) -> np.ndarray:
    """The extent of a shape of the world in each direction: its support function, by definition."""
    batch = shapes.world.batches[shapes.world.batch[row]]
    slot = int(shapes.world.slot[row])
    match batch.kind:
        case Kind.SPHERE:
            return along @ batch.center[slot] + batch.radius[slot]
        case Kind.CAPSULE:
            return np.maximum(along @ batch.start[slot], along @ batch.end[slot]) + batch.radius[slot]
        case Kind.BOX:
            extent = np.abs(along @ batch.rotation[slot]) @ batch.half_extents[slot]
            return along @ batch.center[slot] + extent
        case Kind.HULL:
            hull = batch.geometry[batch.index[slot]]
            corners = hull.points[hull.vertices] @ batch.rotation[slot].T + batch.translation[slot]
            return (along @ corners.T).max(axis=1)
        case Kind.MESH:
            mesh = batch.geometry[batch.index[slot]]
            corners = mesh.points @ batch.rotation[slot].T + batch.translation[slot]
            return (along @ corners.T).max(axis=1)
    raise AssertionError(batch.kind)


def assert_reaches(shapes: SceneShapes, name: str, points: np.ndarray, tolerance: float = 2e-6) -> None:
    """Assert that the shape has the convex hull of these points, judged by their support in many directions."""
    along = np.concatenate([directions(), np.eye(3), -np.eye(3)])
    expected = (along @ np.asarray(points, dtype=np.float64).T).max(axis=1)
    size = 1.0 + np.abs(points).max()
    np.testing.assert_allclose(reach(shapes, row_of(shapes, name), along), expected, atol=tolerance * size, rtol=0.0)


def nodes(name: str, *, instance, keep: bool = False) -> bpy.types.NodeTree:
    """Geometry nodes that put an instance on each point: of a mesh node, an object or a collection."""
    tree = bpy.data.node_groups.new(name, "GeometryNodeTree")
    tree.interface.new_socket(name="Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    tree.interface.new_socket(name="Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    into, out = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    scatter = tree.nodes.new("GeometryNodeInstanceOnPoints")
    tree.links.new(into.outputs[0], scatter.inputs["Points"])
    if isinstance(instance, bpy.types.Object):
        source = tree.nodes.new("GeometryNodeObjectInfo")
        source.inputs["Object"].default_value = instance
        source.inputs["As Instance"].default_value = True
        geometry = source.outputs["Geometry"]
    elif isinstance(instance, bpy.types.Collection):
        source = tree.nodes.new("GeometryNodeCollectionInfo")
        source.inputs["Collection"].default_value = instance
        geometry = source.outputs[0]
    else:
        geometry = tree.nodes.new(instance).outputs[0]
    tree.links.new(geometry, scatter.inputs["Instance"])
    join = tree.nodes.new("GeometryNodeJoinGeometry")
    tree.links.new(scatter.outputs[0], join.inputs[0])
    if keep:
        tree.links.new(into.outputs[0], join.inputs[0])
    tree.links.new(join.outputs[0], out.inputs[0])
    return tree
