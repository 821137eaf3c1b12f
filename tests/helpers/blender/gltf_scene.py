# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders in Blender, compared with what a file declares."""

import itertools

import bpy
import numpy as np
from scipy.spatial import ConvexHull, QhullError

from collision_kit.addon.scene.reading.read_scene import read_scene
from collision_kit.core.shapes import Boxes, Capsules, Cylinders, HalfSpaces, Hulls, Meshes, Spheres
from tests.helpers.gltf_files import Found


def read_shapes() -> dict[str, object]:
    """The shape of every object that is tested, or would be if it were not a trigger, by name: a batch of one row."""
    triggers = [ob for ob in bpy.data.objects if ob.collision_kit.collider.trigger]
    for ob in triggers:
        ob.collision_kit.collider.trigger = False
    bpy.context.view_layer.update()
    read = read_scene(bpy.context, None)
    for ob in triggers:
        ob.collision_kit.collider.trigger = True
    found = {}
    for row, shape in enumerate(read.shapes):
        batch = read.world.batches[read.world.batch[row]]
        found[shape.object] = batch.take(np.array([read.world.slot[row]]))
    return found


def expected(found: Found) -> tuple[type, np.ndarray, float]:
    """The kind of a declared collider, points that determine its placement, and its radius, in the world.

    Corners of a box; the center of a ball; the ends of the axis of a capsule or cylinder; the vertices of a mesh.
    """
    linear, place = found.matrix[:3, :3], found.matrix[:3, 3]
    if found.points is not None:
        points = found.points @ linear.T + place
        return (Hulls, corners_of(points), 0.0) if found.convex else (Meshes, points, 0.0)
    kind = found.shape["type"]
    fields = found.shape.get(kind, {})
    scale = float(np.abs(np.linalg.det(linear))) ** (1.0 / 3.0)
    if kind == "box":
        size = np.array(fields["size"])[[0, 2, 1]]
        corners = np.array(list(itertools.product((-0.5, 0.5), repeat=3))) * size
        return Boxes, corners @ linear.T + place, 0.0
    if kind == "sphere":
        return Spheres, place[None], fields["radius"] * scale
    if kind == "plane":
        return HalfSpaces, place[None], 0.0
    half = fields["height"] / 2.0
    ends = np.array([(0.0, 0.0, -half), (0.0, 0.0, half)]) @ linear.T + place
    if fields["radiusTop"] != fields["radiusBottom"]:
        return Hulls, ends, max(fields["radiusTop"], fields["radiusBottom"]) * scale
    return {"capsule": Capsules, "cylinder": Cylinders}[kind], ends, fields["radiusTop"] * scale


def actual(shape: object) -> tuple[type, np.ndarray, float]:
    """The same for a shape that was read."""
    if isinstance(shape, Boxes):
        signs = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
        return Boxes, (signs * shape.half_extents[0]) @ shape.rotation[0].T + shape.center[0], 0.0
    if isinstance(shape, Spheres):
        return Spheres, shape.center, float(shape.radius[0])
    if isinstance(shape, Capsules | Cylinders):
        return type(shape), np.stack([shape.start[0], shape.end[0]]), float(shape.radius[0])
    if isinstance(shape, HalfSpaces):
        return HalfSpaces, shape.normal * shape.offset[:, None], 0.0
    assert isinstance(shape, Hulls | Meshes)
    points = shape.geometry[shape.index[0]].points @ shape.rotation[0].T + shape.translation[0]
    return type(shape), corners_of(points) if isinstance(shape, Hulls) else points, 0.0


def corners_of(points: np.ndarray) -> np.ndarray:
    """The corners of the convex hull of some points, computed by Qhull; all points if they are coplanar."""
    try:
        return points[ConvexHull(points).vertices]
    except QhullError:
        return points


def apart(some: np.ndarray, others: np.ndarray) -> float:
    """The largest distance from a point of either set to the nearest of the other."""
    table = np.linalg.norm(some[:, None] - others[None], axis=2)
    return float(max(table.min(axis=0).max(), table.min(axis=1).max()))
