# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes for the tests of making colliders, and assertions about what a collider contains."""

import bpy
import numpy as np

from collision_kit.core.query.queries import distance
from collision_kit.core.shapes import Hulls, Spheres
from tests.helpers.blender.bridge_scene import TURNED, add, mesh, of_kind, read, row_of, world_vertices

KINDS = ("BOX", "ORIENTED_BOX", "SPHERE", "CAPSULE", "CYLINDER", "HULL", "BUDGET_HULL", "BEST")
KINDS += ("KDOP10", "KDOP18", "KDOP26")

# Placements of a render mesh, as fields of the object; the last four have a parent, see `build`.
PLACES = {
    "plain": {},
    "turned": {"at": (3.0, -2.0, 7.0), "rotation_euler": TURNED},
    "even": {"at": (-40.0, 5.0, 0.25), "rotation_euler": TURNED, "scale": (2.5, 2.5, 2.5)},
    "uneven": {"at": (1.0, 2.0, 3.0), "rotation_euler": TURNED, "scale": (0.5, 2.0, 3.0)},
    "mirrored": {"at": (1.0, 2.0, 3.0), "rotation_euler": TURNED, "scale": (-1.5, 1.5, 1.5)},
    "mirrored uneven": {"rotation_euler": TURNED, "scale": (-1.0, 2.0, -0.75)},
    "child": {"at": (0.5, 0.0, 1.0), "rotation_euler": (0.5, 0.2, -1.0)},
    "child of mirrored": {"at": (0.5, 0.0, 1.0), "rotation_euler": (0.0, 0.0, 0.5 * np.pi)},
    "sheared": {"at": (0.5, 0.0, 1.0), "rotation_euler": (0.5, 0.2, -1.0)},
    "sheared mirrored": {"at": (0.5, 0.0, 1.0), "rotation_euler": (0.5, 0.2, -1.0)},
}
PARENTS = {
    "child": {"at": (10.0, 0.0, -3.0), "rotation_euler": TURNED, "scale": (2.0, 2.0, 2.0)},
    "child of mirrored": {"at": (10.0, 0.0, -3.0), "rotation_euler": TURNED, "scale": (1.0, -1.0, 1.0)},
    "sheared": {"rotation_euler": TURNED, "scale": (1.0, 2.0, 0.5)},
    "sheared mirrored": {"rotation_euler": TURNED, "scale": (1.0, -2.0, 0.5)},
}


def cloud_mesh(seed: int = 0, count: int = 40):
    """Points of an asymmetric cloud, four of which are corners of triangles."""
    points = np.random.default_rng(seed).normal(size=(count, 3)) * (1.0, 0.6, 0.3) + (0.4, 0.0, -0.2)
    return mesh(points.tolist(), [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)])


def build(place: str, data=None, name: str = "Rock") -> bpy.types.Object:
    """A render mesh, selected and active."""
    parent = add(f"{name} parent", **PARENTS[place]) if place in PARENTS else None
    ob = add(name, data or cloud_mesh(), parent=parent, **PLACES[place])
    select(ob)
    return ob


def select(*objects: bpy.types.Object) -> None:
    """Select these objects; the first is active."""
    bpy.context.view_layer.update()
    for ob in bpy.context.view_layer.objects:
        ob.select_set(ob in objects)
    bpy.context.view_layer.objects.active = objects[0]


def make(kind: str, **options) -> list[bpy.types.Object]:
    """Make colliders for the selected objects; returns the results by name."""
    before = set(bpy.data.objects)
    assert bpy.ops.collision_kit.make_collider(kind=kind, **options) == {"FINISHED"}
    return sorted(set(bpy.data.objects) - before, key=lambda ob: ob.name)


def held(collider: bpy.types.Object, points: np.ndarray, slack: float = 4e-6) -> None:
    """Assert that the shape read from a collider contains points, within float32's rounding of their coordinates."""
    shapes = read([collider])
    row = row_of(shapes, collider.name)
    shape = of_kind(shapes, collider.name, shapes.world.kind[row])
    outside(shape, points, slack)


def mesh_holds(collider: bpy.types.Object, points: np.ndarray, slack: float = 4e-6) -> None:
    """Assert that the convex hull of a collider's vertices contains points."""
    outside(Hulls.from_points([world_vertices(collider)]), points, slack)


def outside(shape, points: np.ndarray, slack: float) -> None:
    apart = distance(Spheres(points, np.zeros(len(points))), shape).distance
    assert apart.max() <= slack * (1.0 + np.abs(points).max()), apart.max()
