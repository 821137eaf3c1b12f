# SPDX-License-Identifier: GPL-3.0-or-later
"""Reach of meshes along directions, by their bounding box trees."""

from math import inf

from .arrays import Floats1, Floats2, Vector, floats1, ints1
from .loading import kernel
from .rays import Surfaces
from .vectors import corner, dot, row

# Size of the stack of nodes: at most one for each level, and the last two.
_DEPTH = 128


@kernel
def reaches(surfaces: Surfaces, directions: Floats2, found: Floats1) -> None:
    """Find the greatest coordinate of each mesh along its direction.

    Parameters
    ----------
    surfaces : Surfaces
        The mesh of each direction.
    directions : (K, 3) float64
        In the frame of the mesh.
    found : (K,) float64
        Written.
    """
    nodes, bounds = ints1(_DEPTH), floats1(_DEPTH)
    for at in range(len(directions)):
        along, best, top, leaves = row(directions, at), -inf, 1, surfaces.rows[at, 3]
        nodes[0], bounds[0] = 0, inf
        while top > 0:
            top -= 1
            # The bound is rounded like a coordinate along the direction, so no vertex below the node is above it.
            if bounds[top] <= best:
                continue
            node = nodes[top]
            if node + 1 >= leaves:
                triangle = surfaces.leaf[surfaces.rows[at, 1] + node + 1 - leaves]
                if triangle >= 0:
                    for n in range(3):
                        best = max(best, dot(along, corner(surfaces.corners, surfaces.rows[at, 2] + triangle, n)))
                continue
            first = _bound(surfaces.span, surfaces.rows[at, 0] + 2 * node + 1, along)
            second = _bound(surfaces.span, surfaces.rows[at, 0] + 2 * node + 2, along)
            # The child that reaches farther is on top of the stack.
            near = 1 if first > second else 0
            nodes[top + near], bounds[top + near] = 2 * node + 1, first
            nodes[top + 1 - near], bounds[top + 1 - near] = 2 * node + 2, second
            top += 2
        found[at] = best


def _bound(span: Floats2, node: int, along: Vector) -> float:
    """The greatest coordinate of a box along a direction."""
    if span[node, 0] > -span[node, 3]:
        return -inf
    x = span[node, 0] if along[0] < 0.0 else -span[node, 3]
    y = span[node, 1] if along[1] < 0.0 else -span[node, 4]
    z = span[node, 2] if along[2] < 0.0 else -span[node, 5]
    return dot(along, (x, y, z))
