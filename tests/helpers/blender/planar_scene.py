# SPDX-License-Identifier: GPL-3.0-or-later
"""Flat objects for the tests of planar checks, and the outlines that are expected from them."""

from collections.abc import Sequence
from itertools import pairwise

import bpy
import numpy as np

from collision_kit.addon.debug_draw.planar import boundary, convex_parts
from collision_kit.addon.scene.outlines.planes import plane_of
from collision_kit.addon.scene.outlines.read_outlines import read_outlines
from collision_kit.addon.scene.reading.scene_shapes import PlanarShapes

SQUARE = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]
HOLE = [(1.0, 1.0), (1.0, 3.0), (3.0, 3.0), (3.0, 1.0)]
ISLAND = [(1.5, 1.5), (2.5, 1.5), (2.5, 2.5), (1.5, 2.5)]
L = [(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)]
EIGHT = [(0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0)]


def link(name: str, data, **fields) -> bpy.types.Object:
    ob = bpy.data.objects.new(name, data)
    assert ob.name == name, f"{name} was taken"
    bpy.context.scene.collection.objects.link(ob)
    for field, value in fields.items():
        setattr(ob, field, value)
    return ob


def flat_mesh(
    name: str, rings: Sequence[Sequence[tuple[float, float]]], height: float = 0.0, **fields
) -> bpy.types.Object:
    """Faces in the object's XY plane, one for each ring."""
    mesh = bpy.data.meshes.new(name)
    corners = [(x, y, height) for ring in rings for x, y in ring]
    start = np.cumsum([0, *map(len, rings)])
    mesh.from_pydata(corners, [], [list(range(a, b)) for a, b in pairwise(start)])
    return link(name, mesh, **fields)


def frame_mesh(name: str, **fields) -> bpy.types.Object:
    """A square with a square hole, made of four faces."""
    mesh = bpy.data.meshes.new(name)
    inner = [HOLE[0], HOLE[3], HOLE[2], HOLE[1]]
    mesh.from_pydata(
        [(x, y, 0.0) for x, y in (*SQUARE, *inner)], [], [(k, (k + 1) % 4, 4 + (k + 1) % 4, 4 + k) for k in range(4)]
    )
    return link(name, mesh, **fields)


def curve(name: str, rings, *, kind="POLY", dimensions="2D", cyclic=True, fill="BOTH", **fields) -> bpy.types.Object:
    """A curve made of straight splines, or of Bezier or NURBS splines with these control points."""
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions = dimensions
    if dimensions == "2D":
        data.fill_mode = fill
    for ring in rings:
        spline = data.splines.new(kind)
        points = spline.bezier_points if kind == "BEZIER" else spline.points
        points.add(len(ring) - 1)
        for point, (x, y) in zip(points, ring, strict=True):
            point.co = (x, y, 0.0) if kind == "BEZIER" else (x, y, 0.0, 1.0)
            if kind == "BEZIER":
                point.handle_left_type = point.handle_right_type = "AUTO"
        spline.use_cyclic_u = cyclic
    return link(name, data, **fields)


def wire_mesh(name: str, corners, edges, **fields) -> bpy.types.Object:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, edges, [])
    return link(name, mesh, **fields)


def read(plane: str = "XY", objects=None) -> PlanarShapes:
    bpy.context.view_layer.update()
    chosen = bpy.context.scene.objects if objects is None else objects
    return read_outlines(bpy.context, chosen, plane_of(bpy.context, plane))


def rows(shapes: PlanarShapes, name: str) -> list[int]:
    return [row for row, shape in enumerate(shapes.shapes) if shape.object == name]


def batch_of(shapes: PlanarShapes, row: int):
    """One shape of the world, as a batch of one."""
    world = shapes.world.flat
    return world.batches[world.batch[row]].take(world.slot[[row]])


def area(shapes: PlanarShapes, name: str) -> float:
    total = 0.0
    for row in rows(shapes, name):
        for part in convex_parts(batch_of(shapes, row)):
            x, y = (part - part[0]).T
            total += float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) / 2.0
    return total


def rim(shapes: PlanarShapes, name: str) -> set[tuple[float, float]]:
    """The ends of all lines of the boundary, rounded."""
    ends = np.concatenate([boundary(batch_of(shapes, row)).reshape(-1, 2) for row in rows(shapes, name)])
    return {(float(x), float(y)) for x, y in np.round(ends, 5) + 0.0}


def issues(shapes: PlanarShapes) -> dict[str, str]:
    return {issue.object: issue.id for issue in shapes.issues}
