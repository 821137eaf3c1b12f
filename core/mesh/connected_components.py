# SPDX-License-Identifier: GPL-3.0-or-later
"""The loose parts of a mesh."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.types import Floats, Ints
from ..numerics.validation import check_range, point_set
from .triangle_mesh import TriangleMesh


@dataclass(frozen=True, eq=False)
class LoosePart:
    """One connected part of a mesh.

    Attributes
    ----------
    points : (k, 3) float64
        Those that its triangles have.
    triangles : (m, 3) int64
        Rows of `points`.
    point_index : (k,) int64
        Which points of the mesh these are, ascending.
    triangle_index : (m,) int64
        Which triangles of the mesh these are, ascending.
    """

    points: Floats
    triangles: Ints
    point_index: Ints
    triangle_index: Ints


def loose_parts(points: ArrayLike, triangles: ArrayLike) -> list[LoosePart]:
    """A mesh split into its connected parts, in the order of their lowest points.

    Triangles that share a point are connected. Points at the same coordinates are one point, so that seams of texture
    or shading do not split a mesh; they stay apart in what is returned. Points that no triangle has are in no part.

    Parameters
    ----------
    points : (n, 3) array-like
    triangles : (m, 3) array-like of int

    Returns
    -------
    list of LoosePart

    Raises
    ------
    ValueError
        If shapes are wrong, a coordinate is not finite or out of range, there is no triangle, or an index is out of
        range.

    Examples
    --------
    >>> from collision_kit.core import fit
    >>> points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [9, 0, 0], [8, 0, 0], [9, 1, 0]]
    >>> len(fit.loose_parts(points, [[0, 1, 2], [3, 4, 5]]))
    2
    """
    given = point_set(points, "points", (3,))
    check_range(given, "points")
    mesh = TriangleMesh.checked(given, triangles, "mesh")
    order = np.argsort(mesh.component, kind="stable")
    cuts = np.flatnonzero(np.diff(mesh.component[order])) + 1
    parts = []
    for rows in np.split(order, cuts):
        index, corner = np.unique(mesh.triangles[rows], return_inverse=True)
        parts.append(LoosePart(mesh.points[index], corner.reshape(-1, 3), index, rows))
    return parts
