# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that fit into each other, for the tests of fits."""

import bpy
import numpy as np


def mesh(name, points, faces):
    data = bpy.data.meshes.new(name)
    data.from_pydata([tuple(map(float, point)) for point in points], [], faces)
    ob = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(ob)
    bpy.context.view_layer.update()
    return ob


CORNERS = [(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)]
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def boxes(name, *places):
    """A single mesh of boxes, each given by its lowest corner and its size."""
    points = [np.array(low) + np.array(size) * corner for low, size in places for corner in CORNERS]
    faces = [tuple(i + 8 * number for i in face) for number in range(len(places)) for face in SIDES]
    return mesh(name, points, faces)


def tube(name, sides, inner, outer, half):
    """A block around a hole along Z."""
    angle = np.arange(sides) * 2.0 * np.pi / sides
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    loops = [(outer, -half), (outer, half), (inner, half), (inner, -half)]
    points = [(*(radius * corner), z) for radius, z in loops for corner in ring]
    faces = []
    for first in range(4):
        second = (first + 1) % 4
        for i in range(sides):
            j = (i + 1) % sides
            faces.append((first * sides + i, first * sides + j, second * sides + j, second * sides + i))
    return mesh(name, points, faces)


def plug(name, sides, radius, half):
    angle = np.arange(sides) * 2.0 * np.pi / sides
    ring = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    points = [(*corner, z) for z in (-half, half) for corner in ring]
    faces = [tuple(reversed(range(sides))), tuple(range(sides, 2 * sides))]
    faces += [(i, (i + 1) % sides, sides + (i + 1) % sides, sides + i) for i in range(sides)]
    return mesh(name, points, faces)
