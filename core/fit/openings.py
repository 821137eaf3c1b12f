# SPDX-License-Identifier: GPL-3.0-or-later
"""Openings of a mesh: holes through it, and open borders of its surface."""

import numpy as np
from numpy.typing import ArrayLike

from ..mesh.triangle_mesh import TriangleMesh
from ..numerics.rows import connected_components
from ..numerics.tolerances import FIT_GAP
from ..numerics.types import Floats, Ints
from ..numerics.validation import check_range, point_set
from ..numerics.vectors import length
from .closed_parts import closed_parts


def openings(points: ArrayLike, triangles: ArrayLike) -> int:
    """Count the openings of a mesh: those that a convex shape around it would close.

    A closed part has one opening for each handle: a wall with a doorway has one, and so does a ring. An open part has
    one for each handle, and one for each border except the first, which is its outline: a tube without caps has one,
    and a sheet with two windows has two. A box without a lid has none by this definition, because it can be flattened
    to a sheet.

    By Euler's formula, the number of handles of a connected surface with V vertices, E edges, F triangles and B borders
    is ``(2 - B - (V - E + F)) / 2``.

    Parameters
    ----------
    points : (n, 3) array-like
    triangles : (m, 3) array-like of int
        Rows of `points`.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        As `closed_parts`.

    Examples
    --------
    >>> from collision_kit.core import fit
    >>> points = [[x, y, z] for z in (0, 1) for x, y in ((0, 0), (1, 0), (0, 1))]
    >>> sides = [[i, (i + 1) % 3, (i + 1) % 3 + 3] for i in range(3)] + [[i, (i + 1) % 3 + 3, i + 3] for i in range(3)]
    >>> fit.openings(points, sides), fit.openings(points, [*sides, [0, 2, 1], [3, 4, 5]])
    (1, 0)
    """
    check_range(point_set(points, "points", (3,)), "points")
    return sum(_of_part(TriangleMesh(part.points, part.triangles)) for part in closed_parts(points, triangles))


def _of_part(mesh: TriangleMesh) -> int:
    """The openings of a part, each component of which is a surface.

    Openings where surfaces share edges are not detected.
    """
    edges, component = mesh.edges, mesh.component
    count = int(component.max()) + 1
    of_edge = np.empty(len(edges.vertices), np.int64)
    sides = edges.of_triangle >= 0
    of_edge[edges.of_triangle[sides]] = np.broadcast_to(component[:, None], sides.shape)[sides]
    border = edges.uses == 1
    borders = _borders(edges.vertices[border], of_edge[border], count)
    vertices = np.bincount(mesh.vertex_component, minlength=count)
    curve = vertices - np.bincount(of_edge, minlength=count) + np.bincount(component, minlength=count)
    handles = np.maximum((2 - borders - curve) // 2, 0)
    return int((handles + np.maximum(borders - 1, 0)).sum())


def _borders(edges: Ints, component: Ints, count: int) -> Ints:
    """The number of closed chains of edges (E, 2) in each of `count` components."""
    used, node = np.unique(edges, return_inverse=True)
    first, second = node.reshape(-1, 2).T
    label = connected_components(len(used), first, second)[first]
    return np.bincount(component[np.unique(label, return_index=True)[1]], minlength=count)


def with_floor(points: ArrayLike, triangles: ArrayLike) -> tuple[Floats, Ints]:
    """Close the openings at the bottom of a mesh: those whose borders lie in the plane that the mesh stands on.

    Parameters
    ----------
    points : (n, 3) array-like
        Z is up.
    triangles : (m, 3) array-like of int
        Rows of `points`.

    Returns
    -------
    points : (n + k, 3) float64
        The given points, and one for each border that was closed.
    triangles : (m + j, 3) int64
        The given triangles, and those that close the borders. Borders that are not convex are closed with triangles
        that overlap.

    Raises
    ------
    ValueError
        If shapes are wrong, a coordinate is not finite or out of range, there is no triangle, or an index is out of
        range.

    Examples
    --------
    >>> from collision_kit.core import fit
    >>> points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> len(fit.with_floor(points, [[0, 1, 3], [1, 2, 3], [2, 0, 3]])[1])
    6
    """
    given = point_set(points, "points", (3,))
    check_range(given, "points")
    mesh = TriangleMesh.checked(given, triangles, "mesh")
    corner = mesh.welded_triangles
    # The sides that belong to only one triangle, in the direction of that triangle.
    side = mesh.edges.of_triangle
    row, place = np.nonzero((side >= 0) & (mesh.edges.uses == 1)[side])
    start, end = corner[row, place], corner[row, (place + 1) % 3]
    height = mesh.points[:, 2]
    low = height[mesh.used].min()
    level = low + FIT_GAP * float(length(np.ptp(mesh.used_points, axis=0)))
    label = connected_components(len(mesh.points), start, end)[start]
    # The whole border has to lie in that plane.
    top = np.full(len(mesh.points), -np.inf)
    np.maximum.at(top, label, np.maximum(height[start], height[end]))
    flat = top[label] <= level
    start, end, label = start[flat], end[flat], label[flat]
    borders, number = np.unique(label, return_inverse=True)
    summed = [np.bincount(number, weights=mesh.points[start, axis], minlength=len(borders)) for axis in range(3)]
    middle = np.stack(summed, axis=1) / np.bincount(number, minlength=len(borders))[:, None]
    closing = np.stack([end, start, len(mesh.points) + number.reshape(-1)], axis=1)
    return np.concatenate([mesh.points, middle]), np.concatenate([mesh.triangles, closing])
