# SPDX-License-Identifier: GPL-3.0-or-later
"""The accuracy required of every pair of kinds, and a test whether a point belongs to a shape."""

import numpy as np
from scipy.optimize import linprog

import collision_kit.core as ck
from collision_kit.core.shapes import UNBOUNDED
from tests.helpers import zoo

# For shapes of unit size, some of which are slivers whose normals have an error of a few thousand roundings.
TINY = 1e-11


# Iterative results are less accurate: depths and distances of unit-sized shapes, points on the surfaces, normals.
LOOSE, LOOSE_POINT, LOOSE_NORMAL = {"generic": 1e-8, "degenerate": 1e-6}, 1e-7, 1e-5


def loose(kinds):
    """Whether the pair uses the generic algorithm for two support-mapped shapes."""
    return bool({ck.Kind.ELLIPSOID, ck.Kind.CONE} & {*kinds}) and not {*kinds} & {*UNBOUNDED}


def belongs(shapes, row, point, slack=TINY):
    """Whether a point lies in a shape, by linear programming if there are vertices, independently of our own code."""
    if isinstance(shapes, ck.HalfSpaces):
        return shapes.normal[row] @ point <= shapes.offset[row] + slack
    if isinstance(shapes, ck.Planes):
        return abs(shapes.normal[row] @ point - shapes.offset[row]) <= slack
    if isinstance(shapes, ck.Cylinders):
        return in_cylinder(shapes.start[row], shapes.end[row], shapes.radius[row], point, slack)
    if isinstance(shapes, ck.Ellipsoids):
        return in_ellipsoid(shapes.center[row], shapes.radii[row], shapes.rotation[row], point, slack)
    if isinstance(shapes, ck.Cones):
        return in_cone(shapes.base[row], shapes.apex[row], shapes.radius[row], point, slack)
    points, radius = zoo.cores(shapes.take(np.array([row])))
    vertices = points[0]
    if len(vertices) <= 2:
        start, along = vertices[0], vertices[-1] - vertices[0]
        t = np.clip(along @ (point - start) / max(along @ along, 1e-300), 0.0, 1.0)
        return np.linalg.norm(point - start - t * along) <= radius[0] + slack
    # min s such that |Σ wᵢ vᵢ - p|∞ <= s, w a convex combination
    count = len(vertices)
    slack = np.hstack([vertices.T, -np.ones((3, 1))])
    upper = np.vstack([slack, np.hstack([-vertices.T, -np.ones((3, 1))])])
    answer = linprog(
        np.r_[np.zeros(count), 1.0],
        A_ub=upper,
        b_ub=np.r_[point, -point],
        A_eq=[np.r_[np.ones(count), 0.0]],
        b_eq=[1.0],
        method="highs",
    )
    return answer.status == 0 and answer.fun <= 1e-7  # the solver's own tolerance


def in_cylinder(start, end, radius, point, slack):
    axis = (end - start) / np.linalg.norm(end - start)
    along, aside = (point - start) @ axis, np.linalg.norm(np.cross(axis, point - start))
    return -slack <= along <= np.linalg.norm(end - start) + slack and aside <= radius + slack


def in_ellipsoid(center, radii, rotation, point, slack):
    local = rotation.T @ (point - center)
    flat = radii == 0.0
    if (np.abs(local[flat]) > slack).any():
        return False
    scaled = local[~flat] / radii[~flat]
    return np.linalg.norm(scaled) <= 1.0 + slack / min(radii[~flat], default=1.0)


def in_cone(base, apex, radius, point, slack):
    height = np.linalg.norm(apex - base)
    axis = (apex - base) / height
    along, aside = (point - base) @ axis, np.linalg.norm(np.cross(axis, point - base))
    # The distance beyond the line from the rim to the apex.
    beyond = ((aside - radius) * height + along * radius) / np.hypot(height, radius)
    return along >= -slack and beyond <= slack and np.linalg.norm(point - apex) <= np.hypot(height, radius) + slack
