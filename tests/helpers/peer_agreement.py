# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of pairs of shapes, and the comparison with the results of another library."""

import numpy as np

import collision_kit.core as ck
from tests.helpers import zoo

# The tolerances at which iterative solvers stop, and the tolerance of the comparison: that of the other libraries, not
# ours.
PEER = 2e-5


def name(kinds):
    return f"{kinds[0].name}-{kinds[1].name}".lower()


def poses(shapes):
    """Rotation and translation of each shape."""
    still = np.eye(3)
    for row in range(len(shapes)):
        match shapes:
            case ck.Spheres():
                yield still, shapes.center[row]
            case ck.Boxes():
                yield shapes.rotation[row], shapes.center[row]
            case ck.Capsules():
                along = shapes.end[row] - shapes.start[row]
                axis = along / np.linalg.norm(along)
                side = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
                side /= np.linalg.norm(side)
                frame = np.stack([side, np.cross(axis, side), axis], axis=1)
                yield frame, (shapes.start[row] + shapes.end[row]) / 2.0
            case _:
                yield still, np.zeros(3)


def solids(shapes, library):
    """The library's shape of each row."""
    for row in range(len(shapes)):
        match shapes:
            case ck.Spheres():
                yield library.Sphere(shapes.radius[row])
            case ck.Boxes():
                sides = 2.0 * shapes.half_extents[row]
                yield library.Box(*sides)
            case ck.Capsules():
                yield library.Capsule(shapes.radius[row], np.linalg.norm(shapes.end[row] - shapes.start[row]))
            case ck.Triangles():
                yield library.TriangleP(*shapes.vertices[row])
            case ck.HalfSpaces():
                yield library.Halfspace(shapes.normal[row], shapes.offset[row])
            case ck.Planes():
                yield library.Plane(shapes.normal[row], shapes.offset[row])


def prove(a, b, rows):
    """Assert that the witnesses lie in their shapes and are the distance apart, and that the axis has that gap."""
    a, b = a.take(rows), b.take(rows)
    found = ck.distance(a, b)
    way = found.point_b - found.point_a
    np.testing.assert_allclose(way, found.distance[:, None] * found.normal, atol=1e-11)
    gap = -zoo.support(b, -found.normal) - zoo.support(a, found.normal)
    np.testing.assert_allclose(gap, found.distance, atol=1e-11)
    away = -found.distance[:, None] * found.normal
    np.testing.assert_allclose(ck.distance(a, zoo.moved(b, away)).distance, 0.0, atol=1e-11)
