# SPDX-License-Identifier: GPL-3.0-or-later
"""Points in the middle of bodies.

Bodies whose boundaries coincide, such as two copies in one place, have no boundary inside each other. Points in the
middle of either tell them from bodies that touch.
"""

from dataclasses import replace

import numpy as np

from ...mesh.triangle_mesh import TriangleMesh
from ...numerics.rows import smallest_per_group
from ...numerics.tolerances import MESH_BESIDE
from ...numerics.types import Floats, Ints
from ...numerics.vectors import length, normalized
from .operands import Side, Whole
from .placed import Surfaces, in_world
from .point_depth import depths_in
from .ray_casting import hits

# Points in the middle of a mesh, over all of its components.
_MIDDLES = 16


def depth_of_middles(one: Side, other: Side) -> Floats:
    """The depth in both bodies of points in the middle of `one`, (P,); 0.0 where none is inside both."""
    result = np.zeros(len(one))
    if isinstance(one, Whole):
        row = np.flatnonzero(one.has_volume())
        point = one.some_point()[row]
    else:
        row, point = _middles(one)
    if not len(row):
        return result
    depth = depths_in(other).depth(row, point)[0]
    deep = np.flatnonzero(depth > 0.0)
    if len(deep):
        np.maximum.at(result, row[deep], np.minimum(depth[deep], depths_in(one).depth(row[deep], point[deep])[0]))
    return result


def _middles(of: Surfaces) -> tuple[Ints, Floats]:
    """Points in the middle of solids, some for each component of their surfaces: rows (K,) and points (K, 3).

    Each is halfway from a large triangle to what lies straight behind it.
    """
    rows, points = [np.empty(0, dtype=np.int64)], [np.empty((0, 3))]
    for number in np.unique(of.mesh[of.solid]):
        mesh = of.meshes[number]
        mine = np.flatnonzero((of.mesh == number) & of.solid)
        if "middles" not in vars(mesh):
            vars(mesh)["middles"] = _halfway(of.take(mine[:1]), mesh)
        local: Floats = vars(mesh)["middles"]
        rows.append(np.repeat(mine, len(local)))
        points.append(in_world(of.bodies, rows[-1], np.tile(local, (len(mine), 1))[:, None])[:, 0])
    return np.concatenate(rows), np.concatenate(points)


def _halfway(of: Surfaces, mesh: TriangleMesh) -> Floats:
    """The points of one mesh, in its own frame."""
    corner = mesh.corners
    across = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    large = smallest_per_group(mesh.component, -length(across), max(1, _MIDDLES // len(mesh.representatives)))
    inward = -mesh.facing * normalized(across[large], np.zeros(3))
    start = corner[large].mean(axis=1) + MESH_BESIDE * mesh.reach * inward
    still = replace(of.bodies, rotation=np.eye(3)[None], translation=np.zeros((1, 3)))
    there = replace(of, bodies=still)
    row = np.zeros(len(large), dtype=np.int64)
    ahead = hits(there, row, start, inward).distance
    behind = np.isfinite(ahead)
    result: Floats = start[behind] + inward[behind] * (ahead[behind] / 2.0)[:, None]
    return result
