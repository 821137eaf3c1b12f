# SPDX-License-Identifier: GPL-3.0-or-later
"""Projection matrices of every convention, computed from their definitions."""

import numpy as np

DEPTHS = ("opengl", "direct3d")
VECTORS = ("column", "row")


def projection(name, depth="opengl"):
    """A matrix for column vectors; the camera looks along -Z, as in OpenGL and Blender. One formula for all depths."""
    near, far = 0.5, 40.0
    left, right, bottom, top = -0.4, 0.4, -0.3, 0.3
    match name:
        case "shifted":
            left, right, bottom, top = -0.1, 0.7, -0.5, 0.1
        case "narrow pixels":
            left, right = -0.08, 0.08
        case "long":
            near, far = 1e-3, 1e6
            left, right, bottom, top = np.array([left, right, bottom, top]) / 500.0
    at_near, at_far = (-1.0 if depth == "opengl" else 0.0), 1.0
    if "reversed" in name:
        at_near, at_far = at_far, at_near
    result = np.zeros((4, 4))
    if name.startswith("orthographic"):
        left, right, bottom, top = 10.0 * np.array([left, right, bottom, top])
        result[0, [0, 3]] = 2.0 / (right - left), -(right + left) / (right - left)
        result[1, [1, 3]] = 2.0 / (top - bottom), -(top + bottom) / (top - bottom)
        # Depth is a linear function over -z through (near, at_near) and (far, at_far).
        slope = (at_far - at_near) / (far - near)
        result[2, [2, 3]] = -slope, at_near - slope * near
        result[3, 3] = 1.0
        return result
    result[0, [0, 2]] = 2.0 * near / (right - left), (right + left) / (right - left)
    result[1, [1, 2]] = 2.0 * near / (top - bottom), (top + bottom) / (top - bottom)
    # Depth divided by w is a + b / -z, with w = -z.
    if "endless" in name:
        constant, hyperbolic = at_far, (at_near - at_far) * near
    else:
        hyperbolic = (at_near - at_far) * near * far / (far - near)
        constant = at_near - hyperbolic / near
    result[2, [2, 3]] = -constant, hyperbolic
    result[3, 2] = -1.0
    return result


PROJECTIONS = ["perspective", "shifted", "narrow pixels", "long", "reversed", "endless", "reversed endless"]
PROJECTIONS += ["orthographic"]


def placed(rng, spread=10.0):
    """A world-to-view matrix with a random place and viewing direction."""
    view = np.eye(4)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    view[:3, :3] = turn * np.sign(np.linalg.det(turn))
    view[:3, 3] = rng.uniform(-spread, spread, 3)
    return view


def clip(matrix, points):
    """Clip coordinates (N, 4) of points, for column vectors."""
    return np.column_stack([points, np.ones(len(points))]) @ matrix.T


def seen(matrix, points, depth):
    """Whether each point is inside the limits, and its margin: the least distance to them, relative to w."""
    x, y, z, w = clip(matrix, points).T
    low = -w if depth == "opengl" else np.zeros_like(w)
    room = np.min([w - x, w + x, w - y, w + y, w - z, z - low], axis=0)
    return room >= 0.0, room / np.abs(clip(np.abs(matrix), np.abs(points))).max(axis=1)
