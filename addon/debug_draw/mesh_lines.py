# SPDX-License-Identifier: GPL-3.0-or-later
"""The lines that show a triangle mesh."""

import numpy as np

from ...core.mesh.triangle_mesh import TriangleMesh
from ...core.numerics.types import Floats


def mesh_lines(mesh: TriangleMesh, many: int) -> Floats:
    """Lines (L, 2, 3) in the mesh's frame: its edges; of more than `many`, the creases and three sections."""
    ends = mesh.points[mesh.edges.vertices]
    if len(ends) <= many:
        return ends
    return np.concatenate([ends[mesh.creases], *(_section(mesh, axis) for axis in range(3))])


def _section(mesh: TriangleMesh, axis: int) -> Floats:
    """Lines (L, 2, 3) in which the plane across a coordinate axis through the middle of the bounds cuts the surface."""
    corners = mesh.corners
    place = mesh.ball[0][axis]
    above = corners[..., axis] >= place
    cut = np.flatnonzero(above.any(axis=1) & ~above.all(axis=1))
    start, end = corners[cut], np.roll(corners[cut], -1, axis=1)
    crosses = above[cut] != np.roll(above[cut], -1, axis=1)
    rise = end[..., axis] - start[..., axis]
    share = (place - start[..., axis]) / np.where(crosses, rise, 1.0)
    at = start + share[..., None] * (end - start)
    # Of the three sides of each triangle two are crossed.
    return at[crosses].reshape(-1, 2, 3)
