# SPDX-License-Identifier: GPL-3.0-or-later
"""Facts about the triangles of meshes that rules are about, of many meshes at once."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...core.mesh.triangle_mesh import edges, welded
from ...core.numerics.tolerances import RULE_ROUNDING
from ...core.numerics.types import Bools, Floats, Ints
from ...core.numerics.vectors import cross, dot, length


class SurfaceFacts(NamedTuple):
    """Facts about the triangles of a mesh. Vertices at the same place count as one.

    Attributes
    ----------
    doubles : int
        Number of vertices at the same place as one before them.
    without_area : int
        Number of triangles.
    border, inconsistent : int
        Number of edges of an odd number of triangles; and of an even number, not half of which run in each direction.
    crowded : bool
        Whether an edge has more than two triangles.
    watertight : bool
        Whether all edges are used equally often in both directions.
    inward : bool
        Whether it is watertight, and its faces point inward.
    """

    doubles: int
    without_area: int
    border: int
    inconsistent: int
    crowded: bool
    watertight: bool
    inward: bool


def surfaces_of(points: Sequence[Floats], triangles: Sequence[Ints]) -> list[SurfaceFacts]:
    """Return the facts about meshes that are given by their points (n, 3) and their triangles (m, 3), m at least 1."""
    count, size = len(points), [len(one) for one in points]
    first, begin = np.cumsum([0, *size])[:-1], np.cumsum([0, *(len(one) for one in triangles)])[:-1]
    owner, every = np.repeat(np.arange(count), size), np.concatenate(points)
    corner = np.concatenate([one + start for one, start in zip(triangles, first, strict=True)])
    mesh = np.repeat(np.arange(count), [len(one) for one in triangles])
    names = welded(np.column_stack([owner, every]))
    doubles = np.bincount(owner[names != np.arange(len(names))], minlength=count)
    found = edges(names[corner])
    of_edge = owner[found.vertices[:, 0]]
    odd = found.uses % 2 == 1
    border, inconsistent, crowded, used = (
        np.bincount(of_edge[some], minlength=count)
        for some in (found.open & odd, found.open & ~odd, found.uses > 2, found.uses > 0)
    )
    watertight = (used > 0) & (border + inconsistent == 0)
    corners = every[corner]
    size_of = np.maximum.reduceat(np.abs(corners).max(axis=(1, 2)), begin)
    without = np.bincount(mesh[_without_area(corners, size_of[mesh])], minlength=count)
    inward = watertight & _inward(corners, mesh, begin, size_of)
    facts = (doubles, without, border, inconsistent, crowded > 0, watertight, inward)
    return [SurfaceFacts(*row) for row in zip(*(column.tolist() for column in facts), strict=True)]


def without_area(points: Floats, triangles: Ints) -> Bools:
    """Find triangles whose height over the longest side is within the rounding of the coordinates.

    Parameters
    ----------
    points : (n, 3) float64
    triangles : (m, 3) int64

    Returns
    -------
    (m,) bool
    """
    corners = points[triangles]
    return _without_area(corners, np.abs(corners).max(initial=0.0))


def _without_area(corners: Floats, size: Floats) -> Bools:
    """Find triangles (m, 3, 3) without area in meshes of this size (m,)."""
    longest = length(corners - corners[:, [2, 0, 1]]).max(axis=1)
    area = length(cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    without: Bools = area <= RULE_ROUNDING * size * longest
    return without


def _inward(corners: Floats, mesh: Ints, begin: Ints, size: Floats) -> Bools:
    """Return which closed meshes have a negative volume: their faces point inward."""
    # Relative to a point of each mesh: far from the origin, the volume would be lost in rounding.
    first, second, third = (corners - corners[begin, 0][mesh][:, None]).transpose(1, 0, 2)
    volume = np.bincount(mesh, weights=dot(first, cross(second, third)), minlength=len(begin)) / 6.0
    area = np.bincount(mesh, weights=length(cross(second - first, third - first)), minlength=len(begin)) / 2.0
    # More than the rounding error of a mesh without volume.
    inward: Bools = volume < -RULE_ROUNDING * size * area
    return inward
