# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether triangle meshes bound exactly their convex hulls, and what they enclose if they do not."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..hull import ConvexHull, convex_hull
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import check_range, corners_of
from ..numerics.vectors import dot, length
from .topology import Faces, extrapolation_factor, weld

# Multiples of the hull's own tolerance, which is the rounding of its points. A corner is off by that, and so
# is the plane of the next face that it is held against; faces met along a seam double it once more.
ROUNDING = 4.0


@dataclass(frozen=True)
class Solidity:
    """How a mesh compares with its convex hull.

    Attributes
    ----------
    convex : bool
        The mesh is the boundary of its hull, or, being flat, fills it. Which way its faces are wound plays no
        part.
    closed : bool
        Every edge belongs to an even number of faces, so the mesh has an inside.
    volume : float
        What a closed mesh encloses, where its faces are wound consistently; NaN for an open mesh.
    """

    convex: bool
    closed: bool
    volume: float


def is_convex(points: ArrayLike, triangles: ArrayLike) -> bool:
    """Whether a mesh is the boundary of a convex body, or a flat convex patch.

    Parameters
    ----------
    points : (n, 3) array-like
    triangles : (m, 3) array-like of int
        Wound either way. Vertices at the same place count as one.

    Returns
    -------
    bool
        Dents no deeper than the rounding of the coordinates are not seen; points given as float32 are taken
        to carry that type's. A mesh that is open, or has faces inside it, is not convex. A mesh without faces
        is convex only if its points lie on one line.

    Raises
    ------
    ValueError
        As `convex_hull`; also if a coordinate is out of range, a triangle has not three vertices of the mesh.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> tetrahedron = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> ck.is_convex(tetrahedron, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    True
    """
    hull = convex_hull(points)
    check_range(hull.points, "points")
    return solidity(hull, corners_of(triangles, "triangles", len(hull.points))).convex


def solidity(hull: ConvexHull, triangles: ArrayLike) -> Solidity:
    """Compare a mesh with the convex hull of its vertices; see `solidities`."""
    return solidities([hull], [triangles])[0]


def solidities(hulls: Sequence[ConvexHull], triangles: Sequence[ArrayLike]) -> list[Solidity]:
    """Compare many meshes with the convex hulls of their vertices.

    Parameters
    ----------
    hulls : sequence of ConvexHull
        Of all vertices of each mesh: `hull.points` are its vertices.
    triangles : sequence of (m, 3) array-like of int
        Of each mesh, as indices into its `hull.points`, wound either way.
    """
    if not hulls:
        return []
    rows = [np.asarray(one, dtype=np.int64).reshape(-1, 3) for one in triangles]
    first = np.cumsum([0] + [len(hull.points) for hull in hulls])
    owner = np.repeat(np.arange(len(hulls)), np.diff(first))
    # About the centroids, not the origin: the volume of a mesh far from its origin would drown in rounding.
    points = np.concatenate([hull.points - hull.centroid for hull in hulls])
    given = Faces(
        np.concatenate([one + start for one, start in zip(rows, first, strict=False)]),
        np.repeat(np.arange(len(hulls)), [len(one) for one in rows]),
        np.arange(sum(len(one) for one in rows)),
    )
    rounding = ROUNDING * np.array([hull.tolerance for hull in hulls])
    faces, joints = weld(points, owner, given, rounding)
    count = len(hulls)
    has_faces = np.bincount(faces.mesh, minlength=count) > 0
    closed = has_faces & (np.bincount(joints.mesh[joints.uses % 2 != 0], minlength=count) == 0)
    single = np.bincount(joints.mesh[joints.uses != 2], minlength=count) == 0
    corners = points[given.corners]
    signed = dot(corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
    volume = np.abs(np.bincount(given.mesh, weights=signed, minlength=count)) / 6.0
    dimension = np.array([hull.dimension for hull in hulls])
    solid = closed & single & _bounds_hull(hulls, points, faces, joints.partner, rounding)
    convex = np.where(
        dimension == 3, solid, np.where(dimension == 2, _fills(hulls, points, faces, closed, rounding), True)
    )
    return [
        Solidity(bool(convex[mesh]), bool(closed[mesh]), float(volume[mesh]) if closed[mesh] else np.nan)
        for mesh in range(count)
    ]


def _fills(hulls: Sequence[ConvexHull], points: Floats, faces: Faces, closed: Bools, rounding: Floats) -> Bools:
    """Whether the faces of flat meshes cover their hulls exactly once (twice where they are two-sided)."""
    a, b, c = points[faces.corners].transpose(1, 0, 2)
    covered = np.bincount(faces.mesh, weights=length(np.cross(b - a, c - a)), minlength=len(hulls)) / 2.0
    # The hull's area counts both of its sides.
    area = np.array([hull.area for hull in hulls]) * np.where(closed, 1.0, 0.5)
    outline = np.zeros(len(hulls))
    for row, hull in enumerate(hulls):
        if hull.dimension == 2:
            start, end = hull.points[hull.edges].transpose(1, 0, 2)
            outline[row] = length(end - start).sum()
    filled: Bools = np.abs(covered - area) <= 2.0 * outline * rounding
    return filled


def _bounds_hull(hulls: Sequence[ConvexHull], points: Floats, faces: Faces, partner: Ints, rounding: Floats) -> Bools:
    """Whether closed surfaces fold outward at no edge and have their hulls' volume.

    Folding alone would not do: a fine mesh sinks into a dent by less than rounding at each edge, and a
    surface may wind around twice. Volume alone would not do either: a small dent hardly shows in it.
    """
    corners = points[faces.corners]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    height = dot(normal, corners[:, 0])
    # The centroid, here the origin, lies inside a convex body: away from it is outside, however a face is
    # wound.
    normal = np.where(height < 0.0, -1.0, 1.0)[:, None] * normal
    area = length(normal)
    volume = np.bincount(faces.mesh, weights=np.abs(height), minlength=len(hulls)) / 6.0
    surface = np.bincount(faces.mesh, weights=area, minlength=len(hulls))
    full = np.abs(volume - np.array([hull.volume for hull in hulls])) <= surface * rounding
    # In the plane of the larger face of two: the plane of a sliver is all rounding.
    larger = np.argmax(area[partner[:, :, 0]], axis=1)
    row = np.arange(len(partner))
    base, (face, corner) = partner[row, larger, 0], partner[row, 1 - larger].T
    apex = corners[face, corner]
    out = dot(normal[base], apex - corners[base, 0])
    folded = faces.mesh[base[out / extrapolation_factor(corners[base], apex) > rounding[faces.mesh[base]] * area[base]]]
    bounds: Bools = full & (np.bincount(folded, minlength=len(hulls)) == 0)
    return bounds
