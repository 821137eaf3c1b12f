# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether triangle meshes bound exactly their convex hulls, and what they enclose if they do not."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .hull import ConvexHull, convex_hull
from .results import Bools, Floats, Ints
from .vectors import dot, length

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


@dataclass(frozen=True, eq=False)
class _Faces:
    """Faces of many meshes: indices into the points of all meshes one after another, and the mesh of each."""

    corners: Ints
    mesh: Ints

    def take(self, rows: Ints | Bools) -> "_Faces":
        return _Faces(self.corners[rows], self.mesh[rows])


@dataclass(frozen=True, eq=False)
class _Joints:
    """How faces are joined.

    Attributes
    ----------
    uses, mesh : (E,)
        How many faces share each edge, and the mesh it is in.
    partner : (P, 2, 2)
        For each pair of faces that have an edge to themselves: face, and the corner of it that is not on the
        edge.
    rim : (R,)
        The vertices of all other edges.
    """

    uses: Ints
    mesh: Ints
    partner: Ints
    rim: Ints


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
    """
    return solidity(convex_hull(points), triangles).convex


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
    given = _Faces(
        np.concatenate([one + start for one, start in zip(rows, first, strict=False)]),
        np.repeat(np.arange(len(hulls)), [len(one) for one in rows]),
    )
    rounding = ROUNDING * np.array([hull.tolerance for hull in hulls])
    faces, joints = _welded(points, owner, given, rounding)
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


def _welded(points: Floats, owner: Ints, faces: _Faces, rounding: Floats) -> tuple[_Faces, _Joints]:
    """Make vertices at the same place one, drop faces that lose their area by it, and keep each once.

    Only meshes with seams pay for it: split normals and texture seams double the vertices along them.
    """
    joints = _joints(faces, len(points))
    for within in (np.zeros_like(rounding), rounding):
        if not len(joints.rim):
            break
        same = np.arange(len(points))
        same[joints.rim] = joints.rim[_lowest_near(points[joints.rim], owner[joints.rim], within[owner[joints.rim]])]
        seamed = np.zeros(len(rounding), np.bool_)
        seamed[owner[joints.rim]] = True
        whole, rest = faces.take(~seamed[faces.mesh]), faces.take(seamed[faces.mesh])
        rest = _distinct(_Faces(same[rest.corners], rest.mesh))
        faces = _Faces(np.concatenate([whole.corners, rest.corners]), np.concatenate([whole.mesh, rest.mesh]))
        joints = _joints(faces, len(points))
    return faces, joints


def _distinct(faces: _Faces) -> _Faces:
    """The faces with three different corners, each once."""
    a, b, c = np.sort(faces.corners, axis=1).T
    order = np.lexsort((c, b, a))
    a, b, c = a[order], b[order], c[order]
    again = np.zeros(len(order), np.bool_)
    again[1:] = (a[1:] == a[:-1]) & (b[1:] == b[:-1]) & (c[1:] == c[:-1])
    return faces.take(order[(a != b) & (b != c) & ~again])


def _lowest_near(points: Floats, owner: Ints, within: Floats) -> Ints:
    """For each point the lowest index of those of its mesh that lie `within`, directly or through others."""
    lowest = np.arange(len(points))
    # Along a direction that no modeller has a reason to line points up in, few other points are as near.
    along = points @ np.array([0.5483, 0.7071, 0.4465])
    order = np.lexsort((along, owner))
    pairs = []
    for step in range(1, len(points)):
        a, b = order[:-step], order[step:]
        near = (owner[a] == owner[b]) & (along[b] - along[a] <= 2.0 * within[a])
        if not near.any():
            break
        a, b = a[near], b[near]
        same = np.abs(points[a] - points[b]).max(axis=1) <= within[a]
        pairs.append(np.stack([a[same], b[same]]))
    if pairs:
        a, b = np.concatenate(pairs, axis=1)
        while (lowest[a] != lowest[b]).any():
            least = np.minimum(lowest[a], lowest[b])
            np.minimum.at(lowest, a, least)
            np.minimum.at(lowest, b, least)
    return lowest


def _joints(faces: _Faces, points: int) -> _Joints:
    """Find out which faces share which edges."""
    ends = faces.corners[:, [[1, 2], [2, 0], [0, 1]]].reshape(-1, 2)
    label = ends.min(axis=1) * points + ends.max(axis=1)
    order = np.argsort(label, kind="stable")
    fresh = np.ones(len(order), np.bool_)
    fresh[1:] = label[order[1:]] != label[order[:-1]]
    starts = np.flatnonzero(fresh)
    uses = np.diff(np.append(starts, len(order)))
    pairs = starts[uses == 2]
    side = np.stack([order[pairs], order[pairs + 1]], axis=1)
    rim = np.zeros(points, np.bool_)
    rim[ends[order[starts[uses != 2]]]] = True
    return _Joints(
        uses=uses,
        mesh=faces.mesh[order[starts] // 3],
        partner=np.stack([side // 3, side % 3], axis=-1),
        rim=np.flatnonzero(rim),
    )


def _fills(hulls: Sequence[ConvexHull], points: Floats, faces: _Faces, closed: Bools, rounding: Floats) -> Bools:
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


def _bounds_hull(hulls: Sequence[ConvexHull], points: Floats, faces: _Faces, partner: Ints, rounding: Floats) -> Bools:
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
    out = dot(normal[base], corners[face, corner] - corners[base, 0])
    folded = faces.mesh[base[out > rounding[faces.mesh[base]] * area[base]]]
    bounds: Bools = full & (np.bincount(folded, minlength=len(hulls)) == 0)
    return bounds
