# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes in Blender that the benchmarks measure. The density does not depend on the number of objects."""

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np

from collision_kit.core import convex_hull

# The space of each moving object is the cube of so many units, and it has a key at each so many frames.
_ROOM, _BETWEEN_KEYS = 3.5, 50
BOX_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
_IMPORTERS = {
    ".obj": lambda path: bpy.ops.wm.obj_import(filepath=path),
    ".ply": lambda path: bpy.ops.wm.ply_import(filepath=path),
    ".stl": lambda path: bpy.ops.wm.stl_import(filepath=path),
}

Build = Callable[[np.random.Generator, int], None]


def boxes(rng: np.random.Generator, count: int) -> None:
    """Turned cubes of one mesh, with eleven candidates for each."""
    mesh, reach = cube(), _reach(22.0, count, 5000)
    for _ in range(count):
        link(mesh, rng.uniform(-reach, reach, 3), rng.uniform(-3, 3, 3))


def hulls(rng: np.random.Generator, count: int) -> None:
    """Convex meshes of 64 points on a sphere, each its own."""
    reach = _reach(7.0, count, 500)
    for _ in range(count):
        points = rng.normal(size=(64, 3))
        points /= np.linalg.norm(points, axis=1)[:, None]
        faces = [face.tolist() for face in convex_hull(points).faces]
        link(made("Hull", points, faces), rng.uniform(-reach, reach, 3), np.zeros(3))


def tori(rng: np.random.Generator, count: int) -> None:
    """Concave tori of 1,152 triangles and one mesh, with six candidates for each."""
    mesh, reach = torus(48, 12), _reach(9.5, count, 100)
    for _ in range(count):
        link(mesh, rng.uniform(0, reach, 3), rng.uniform(-3, 3, 3))


def far_tori(_rng: np.random.Generator, count: int) -> None:
    """Concave tori of 100,000 triangles, each its own, in a row with nothing near."""
    for number in range(count):
        link(torus(500, 100), np.array([5.0 * number, 0.0, 0.0]), np.zeros(3))


def kit(rng: np.random.Generator, count: int, parts: int = 12) -> None:
    """Parts of a building kit: concave profiles with thickness, on a grid, turned by right angles.

    Neighbors touch by their faces, and one part in ten is 2 cm out of place.
    """
    profiles = [_profile(rng) for _ in range(parts)]
    side = int(np.ceil(np.cbrt(count)))
    for number in range(count):
        cell = np.array([number % side, number // side % side, number // side**2], dtype=float)
        off = rng.uniform(-0.02, 0.02, 3) if rng.random() < 0.1 else np.zeros(3)
        link(profiles[rng.integers(parts)], cell + off, np.array([0.0, 0.0, np.pi / 2.0 * rng.integers(4)]))


def instances(rng: np.random.Generator, count: int) -> None:
    """Instances of a collection of five concave parts; `count` is the number of parts that the scene shows."""
    shared = bpy.data.collections.new("Kit")
    for number in range(5):
        part = bpy.data.objects.new(f"Part{number}", _profile(rng))
        part.location = (1.0 * number, 0.0, 0.0)
        shared.objects.link(part)
    reach = _reach(14.0, count, 1000)
    for _ in range(count // 5):
        empty = bpy.data.objects.new("Instance", None)
        empty.instance_type, empty.instance_collection = "COLLECTION", shared
        empty.location, empty.rotation_euler = rng.uniform(-reach, reach, 3), rng.uniform(-3, 3, 3)
        bpy.context.scene.collection.objects.link(empty)


def mechanism(_rng: np.random.Generator, count: int) -> None:
    """Housings, bearings, shafts and washers of 96 sides, in meters, four to a set.

    The fits alternate between clearance and press fit, and are 10 µm to 0.1 mm. Washers lie on the housings.
    """
    for number in range(count // 4):
        at, fit = 0.12 * number, (1e-5, 3e-5, 5e-5, 1e-4)[number % 4]
        out, shaft = 0.020 + (fit if number % 2 else -fit), 0.010 + (fit if number % 3 else -fit)
        for mesh, height in (
            (tube(96, 0.035, 0.020, 0.03), 0.0),
            (tube(96, out, 0.010, 0.012), 0.0),
            (tube(96, shaft, 0.0, 0.1), 0.01),
            (tube(96, 0.018, 0.0102, 0.003), 0.0165 - fit * (number % 2)),
        ):
            link(mesh, np.array([at, 0.0, height]), np.zeros(3))


def heap(rng: np.random.Generator, count: int) -> None:
    """Rings of 1,700 triangles and one mesh in a heap, each in several others."""
    mesh, reach = torus(50, 17), _reach(5.0, count, 60)
    for _ in range(count):
        link(mesh, rng.uniform(0, reach, 3), rng.uniform(-3, 3, 3))


def props(rng: np.random.Generator, count: int) -> None:
    """Turned concave props of twelve meshes, of which about a quarter are in a neighbor."""
    profiles = [_profile(rng) for _ in range(12)]
    side = int(np.ceil(np.cbrt(count)))
    for number in range(count):
        cell = np.array([number % side, number // side % side, number // side**2], dtype=float)
        link(profiles[rng.integers(12)], 1.25 * cell + rng.uniform(-0.2, 0.2, 3), rng.uniform(-3, 3, 3))


def terrain(rng: np.random.Generator, count: int, cells: int = 200, *, sunk: bool = False) -> None:
    """Convex props on a terrain of 80,000 triangles: half of them in the ground, the others just above it.

    For another number of `cells`, it has twice its square of triangles. Where they are `sunk`, all props are in it.
    """
    at = np.linspace(-50.0, 50.0, cells + 1)
    x, y = np.meshgrid(at, at, indexing="ij")
    points = np.stack([x, y, _height(x, y)], axis=-1).reshape(-1, 3)
    number = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    quads = np.stack([number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]], axis=-1).reshape(-1, 4)
    faces = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    link(made("Terrain", points, faces.tolist()), np.zeros(3), np.zeros(3))
    stone = rng.normal(size=(40, 3))
    stone /= np.linalg.norm(stone, axis=1)[:, None]
    meshes = [cube(), made("Stone", stone, [face.tolist() for face in convex_hull(stone).faces])]
    for place in range(count):
        x, y = rng.uniform(-45.0, 45.0, 2)
        height = float(_height(x, y)) + (0.9 if sunk or place % 2 else 2.5)
        link(meshes[place // 2 % 2], np.array([x, y, height]), np.array([0.0, 0.0, rng.uniform(-3, 3)]))


def moving_rings(rng: np.random.Generator, count: int) -> None:
    """Rings of 1,700 triangles and one mesh, that move and turn over 20 frames."""
    moving(rng, [torus(50, 17)], count, 20)


def moving_boxes(rng: np.random.Generator, count: int) -> None:
    """Cubes of one mesh, that move and turn over 250 frames."""
    moving(rng, [cube(1.0)], count, 250)


def moving(rng: np.random.Generator, meshes: list[bpy.types.Mesh], count: int, frames: int) -> None:
    """Objects of meshes that take turns, each on its own smooth way through a room."""
    scene, side = bpy.context.scene, _ROOM * count ** (1.0 / 3.0)
    scene.frame_start, scene.frame_end = 1, frames
    for number in range(count):
        ob = bpy.data.objects.new(f"Object {number}", meshes[number % len(meshes)])
        scene.collection.objects.link(ob)
        place = rng.uniform(0.0, side, 3)
        for frame in range(1, frames + _BETWEEN_KEYS, _BETWEEN_KEYS):
            ob.location, ob.rotation_euler = place, rng.uniform(-1.5, 1.5, 3)
            ob.keyframe_insert("location", frame=frame)
            ob.keyframe_insert("rotation_euler", frame=frame)
            place = np.clip(place + rng.uniform(-4.0, 4.0, 3), 0.0, side)


def colliders(rng: np.random.Generator, count: int) -> None:
    """Convex props of 32 vertices, each with its own mesh and a collider that is a copy of it."""
    side = int(np.ceil(np.sqrt(count)))
    for number in range(count):
        points = rng.normal(size=(32, 3))
        points *= rng.uniform(0.3, 0.6, 3) / np.linalg.norm(points, axis=1)[:, None]
        mesh = made("Prop", points, [face.tolist() for face in convex_hull(points).faces])
        for name in (f"Prop{number}", f"UCX_Prop{number}_01"):
            link(mesh.copy(), np.array([*divmod(number, side), 0.0]) * 2.0, np.zeros(3))
            bpy.context.scene.collection.objects[-1].name = name


def two_cubes(_rng: np.random.Generator, _count: int) -> None:
    """Two cubes in each other, and one frame: what a process takes for the least scene."""
    bpy.context.scene.frame_end = 1
    mesh = cube()
    for place in (0.0, 1.5):
        link(mesh, np.array([place, 0.0, 0.0]), np.zeros(3))


def tube(sides: int, outer: float, inner: float, height: float) -> bpy.types.Mesh:
    """A tube along Z, in the middle of the origin; a cylinder if the inner radius is zero."""
    turn = 2.0 * np.pi * np.arange(sides) / sides
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    at, after = np.arange(sides), np.roll(np.arange(sides), -1)
    radii = [outer, inner] if inner > 0.0 else [outer]
    circles = [np.column_stack([r * ring, np.full(sides, z)]) for r in radii for z in (-height / 2.0, height / 2.0)]
    faces = np.stack([at, after, sides + after, sides + at], axis=1).tolist()
    if inner > 0.0:
        low, high = 2 * sides, 3 * sides
        faces += np.stack([low + at, high + at, high + after, low + after], axis=1).tolist()
        faces += np.stack([sides + at, sides + after, high + after, high + at], axis=1).tolist()
        faces += np.stack([at, low + at, low + after, after], axis=1).tolist()
    else:
        faces += [at[::-1].tolist(), (sides + at).tolist()]
    return made("Tube", np.concatenate(circles), faces)


def scans(folder: Path) -> Build:
    """Meshes of a folder (OBJ, PLY, STL), brought to size 2, in turn and turned."""

    def build(rng: np.random.Generator, count: int) -> None:
        meshes = []
        for path in sorted(folder.iterdir()):
            if read := _IMPORTERS.get(path.suffix.lower()):
                read(str(path))
                made = bpy.context.view_layer.objects.active
                points = np.empty(3 * len(made.data.vertices))
                made.data.vertices.foreach_get("co", points)
                points = points.reshape(-1, 3)
                low, high = points.min(axis=0), points.max(axis=0)
                points = (points - (low + high) / 2.0) * (2.0 / (high - low).max())
                made.data.vertices.foreach_set("co", points.ravel())
                meshes.append(made.data)
                bpy.data.objects.remove(made)
        reach = _reach(4.0, count, 50)
        for number in range(count):
            link(meshes[number % len(meshes)], rng.uniform(-reach, reach, 3), rng.uniform(-3, 3, 3))

    return build


def torus(around: int, across: int) -> bpy.types.Mesh:
    """A mesh of two triangles for each of so many places around the ring, and across it."""
    u, v = np.meshgrid(*(2.0 * np.pi * np.arange(count) / count for count in (around, across)), indexing="ij")
    reach = 1.0 + 0.3 * np.cos(v)
    points = np.stack([reach * np.cos(u), reach * np.sin(u), 0.3 * np.sin(v)], axis=-1).reshape(-1, 3)
    at = np.arange(around * across).reshape(around, across)
    corners = [np.roll(at, shift, axis=(0, 1)).ravel() for shift in ((0, 0), (-1, 0), (-1, -1), (0, -1))]
    faces = np.concatenate([np.stack([corners[k] for k in one], axis=1) for one in ((0, 1, 2), (0, 2, 3))])
    return made("Torus", points, faces.tolist())


def link(mesh: bpy.types.Mesh, location: np.ndarray, rotation: np.ndarray) -> None:
    """Add an object of the mesh to the scene."""
    made = bpy.data.objects.new(mesh.name, mesh)
    made.location, made.rotation_euler = location, rotation
    bpy.context.scene.collection.objects.link(made)


def made_scene(build: Build, count: int) -> None:
    """Replace the file by an empty one with these objects."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    build(np.random.default_rng(0), count)
    bpy.context.view_layer.update()


def _height(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The height of the terrain."""
    height: np.ndarray = 3.0 * np.sin(x / 9.0) * np.cos(y / 11.0) + 0.2 * np.sin(1.3 * x + y)
    return height


def _reach(reach: float, count: int, of: int) -> float:
    """The extent of the scene at which `count` objects are as dense as `of` objects within `reach`."""
    return float(reach * np.cbrt(count / of))


def made(name: str, points: np.ndarray, faces: list[list[int]]) -> bpy.types.Mesh:
    """A mesh of these points and faces."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points.tolist(), [], faces)
    return mesh


def cube(side: float = 2.0) -> bpy.types.Mesh:
    """A cube."""
    corners = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    return made("Cube", side * corners, BOX_FACES)


def _profile(rng: np.random.Generator) -> bpy.types.Mesh:
    """An L of unit width and height, its arms of random thickness, with a bevel of so many edges at the corner."""
    thick, deep = rng.uniform(0.15, 0.4, 2)
    turn = np.linspace(0.0, np.pi / 2.0, int(rng.integers(2, 12)))
    inner = np.stack([deep + 0.1 - 0.1 * np.sin(turn), thick + 0.1 - 0.1 * np.cos(turn)], axis=1)
    outline = np.concatenate([[(0.0, 0.0), (1.0, 0.0), (1.0, thick)], inner, [(deep, 1.0), (0.0, 1.0)]])
    count = len(outline)
    points = np.concatenate([np.column_stack([outline - 0.5, np.full(count, z)]) for z in (-0.5, 0.5)])
    sides = [[k, (k + 1) % count, count + (k + 1) % count, count + k] for k in range(count)]
    return made("Profile", points, [list(range(count))[::-1], list(range(count, 2 * count)), *sides])
