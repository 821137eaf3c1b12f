# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a triangle mesh bounds exactly its convex hull, and what it encloses if it does not."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .hull import ConvexHull, convex_hull
from .results import Bools, Floats, Ints
from .vectors import dot, length

# Multiples of float32's eps times the greatest coordinate or size. Meshes come from files and modellers that keep
# float32, and rotating or scaling one rounds each vertex by about one such step; the plane of a face adds a few.
FLOAT32_STEPS = 8.0


@dataclass(frozen=True)
class Solidity:
    """How a mesh compares with its convex hull.

    Attributes
    ----------
    convex : bool
        The mesh is the boundary of its hull, or, being flat, fills it. Which way its faces are wound plays no part.
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
        Dents less deep than float32's rounding at these coordinates are not seen. A mesh that is open, or has faces
        inside it, is not convex. A mesh without faces is convex only if its points lie on one line.
    """
    hull = convex_hull(points)
    return solidity(hull, triangles).convex


def solidity(hull: ConvexHull, triangles: ArrayLike) -> Solidity:
    """Compare a mesh with the convex hull of its vertices.

    Parameters
    ----------
    hull : ConvexHull
        Of all vertices of the mesh; `hull.points` are the vertices.
    triangles : (m, 3) array-like of int
        Indices into `hull.points`, wound either way.
    """
    rows = np.asarray(triangles, dtype=np.int64).reshape(-1, 3)
    faces, uses, partner = _welded(hull.points, rows)
    closed = len(faces) > 0 and not (uses % 2).any()
    reach = float(np.abs(hull.points).max(initial=0.0))
    lower, upper = hull.points.min(axis=0), hull.points.max(axis=0)
    rounding = FLOAT32_STEPS * float(np.finfo(np.float32).eps) * max(reach, float(length(upper - lower)))
    if hull.dimension < 2:
        return Solidity(True, closed, 0.0)
    if hull.dimension == 2:
        return Solidity(_fills_polygon(hull, faces, closed, rounding), closed, 0.0 if closed else np.nan)
    if not closed:
        return Solidity(False, False, np.nan)
    # About the centroid, not the origin: the volume of a mesh far from its origin would drown in rounding.
    corners = hull.points[rows] - hull.centroid
    volume = abs(float(dot(corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum())) / 6.0
    convex = bool((uses == 2).all()) and _bounds_hull(hull, faces, partner, rounding)
    return Solidity(convex, True, volume)


def _welded(points: Floats, triangles: Ints) -> tuple[Ints, Ints, Ints]:
    """The triangles with vertices at the same place made one, and how they are joined.

    Returns
    -------
    faces : (m, 3)
        Without those that lost their area to welding, and each once.
    uses : (E,)
        How many faces share each edge.
    partner : (P, 2, 2)
        For each pair of faces that share an edge: face and the corner of it that is not on the edge.
    """
    faces = triangles
    uses, partner = _joints(faces)
    if (uses != 2).any():
        # Only meshes with seams pay for the sort: split normals or texture seams double the vertices along them.
        _, place = np.unique(points, axis=0, return_inverse=True)
        first = np.full(len(points), len(points))
        np.minimum.at(first, place.reshape(-1), np.arange(len(points)))
        faces = first[place.reshape(-1)][faces]
    distinct = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    faces = faces[distinct]
    _, kept = np.unique(np.sort(faces, axis=1), axis=0, return_index=True)
    faces = faces[np.sort(kept)]
    return faces, *_joints(faces)


def _joints(faces: Ints) -> tuple[Ints, Ints]:
    """Count the faces at each edge, and list the pairs of faces that meet in an edge of exactly two."""
    if not len(faces):
        return np.empty(0, np.int64), np.empty((0, 2, 2), np.int64)
    edges = np.sort(faces[:, [[1, 2], [2, 0], [0, 1]]].reshape(-1, 2), axis=1)
    label = edges[:, 0] * (edges.max() + 1) + edges[:, 1]
    order = np.argsort(label, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(label[order]) != 0])
    uses = np.diff(np.r_[starts, len(order)])
    pairs = starts[uses == 2]
    side = np.stack([order[pairs], order[pairs + 1]], axis=1)
    return uses, np.stack([side // 3, side % 3], axis=-1)


def _fills_polygon(hull: ConvexHull, faces: Ints, closed: bool, rounding: float) -> bool:
    """Whether flat faces cover the hull, which is a polygon, exactly once (twice where they are two-sided)."""
    outline = hull.points[hull.faces[0]]
    area = _area(outline[0], outline[1:-1], outline[2:])
    corners = hull.points[faces]
    covered = _area(corners[:, 0], corners[:, 1], corners[:, 2])
    rim = float(length(np.roll(outline, -1, axis=0) - outline).sum())
    return abs(covered - (2.0 if closed else 1.0) * area) <= 2.0 * rim * rounding


def _area(a: Floats, b: Floats, c: Floats) -> float:
    return float(length(np.cross(b - a, c - a)).sum()) / 2.0


def _bounds_hull(hull: ConvexHull, faces: Ints, partner: Ints, rounding: float) -> bool:
    """Whether a closed surface folds outward at no edge and has the hull's volume.

    Folding alone would not do: a fine mesh sinks into a dent by less than rounding at each edge, and a surface may
    wind around twice. Volume alone would not do either: a small dent hardly shows in it.
    """
    corners = hull.points[faces] - hull.centroid
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    height = dot(normal, corners[:, 0])
    # The centroid lies inside a convex body, so the side away from it is a face's outside, however it is wound.
    normal = np.where(height < 0.0, -1.0, 1.0)[:, None] * normal
    surface = length(normal)
    if abs(float(np.abs(height).sum()) / 6.0 - hull.volume) > float(surface.sum()) * rounding:
        return False
    return not _folds_outward(corners, normal, surface, partner, rounding).any()


def _folds_outward(corners: Floats, normal: Floats, area: Floats, partner: Ints, rounding: float) -> Bools:
    """Where the far corner of one face of a pair stands out of the plane of the other by more than rounding."""
    # In the plane of the larger face: the plane of a sliver is all rounding.
    larger = np.argmax(area[partner[:, :, 0]], axis=1)
    row = np.arange(len(partner))
    base, (face, corner) = partner[row, larger, 0], partner[row, 1 - larger].T
    out = dot(normal[base], corners[face, corner] - corners[base, 0])
    folded: Bools = out > rounding * area[base]
    return folded
