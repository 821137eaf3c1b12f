# SPDX-License-Identifier: GPL-3.0-or-later
"""Crates and their colliders, for tests of validations."""

import bpy
import numpy as np

CORNERS = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def add(name, points=CORNERS, faces=SIDES, *, parent=None, mesh=None, **fields):
    """Add a mesh object, by default a cube with side 2."""
    if mesh is None:
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata([tuple(map(float, point)) for point in points], [], [list(face) for face in faces])
    ob = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(ob)
    ob.parent = parent
    for field, value in fields.items():
        setattr(ob, field, value)
    bpy.context.view_layer.update()
    return ob


def round_mesh(radius=1.0, half=0.0, segments=24, rings=12, axis=2):
    """A sphere or, with a length, a capsule: points and triangles."""
    points, faces = [], []
    for row in range(rings + 1):
        angle = np.pi * row / rings - np.pi / 2.0
        lift = half if row > rings // 2 else -half
        points += [
            (
                radius * np.cos(angle) * np.cos(turn),
                radius * np.cos(angle) * np.sin(turn),
                radius * np.sin(angle) + lift,
            )
            for turn in 2.0 * np.pi * np.arange(segments) / segments
        ]
    for row in range(rings):
        for turn in range(segments):
            a, b = row * segments + turn, row * segments + (turn + 1) % segments
            faces.append((a, b, b + segments, a + segments))
    return np.roll(np.array(points), axis - 2, axis=1), faces


def world(ob):
    """The vertices of an object in the world, sorted."""
    bpy.context.view_layer.update()
    matrix = np.array(ob.matrix_world, dtype=np.float64)
    points = np.array([tuple(vertex.co) for vertex in ob.data.vertices]) @ matrix[:3, :3].T + matrix[:3, 3]
    return points[np.lexsort(np.round(points, 4).T)]
