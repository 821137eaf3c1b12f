# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of faces of a polytope that are coplanar except for noise, to be used as one face in contacts.

A flat side whose vertices have the rounding error of float32 has a hull of many facets with very low ridges. A shape
that rests there touches many of them. The patch of a single facet would lose most of the contact. The largest facet of
such a group represents the group, with an outline around the vertices of all its facets.
"""

import numpy as np

from ...hull.planar import outlines
from ...numerics.rows import Table, cyclic_successors, ragged_arange
from ...numerics.tolerances import COPLANAR, COPLANAR_COSINE
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import cross, dot, length, perpendicular

# Ratio of a polytope's size to the step of the grid on which outlines are computed exactly.
_GRID = 2.0**40


def coplanar_groups(
    vertices: Floats, normals: Floats, faces: Table[np.int64], beside: Ints
) -> tuple[Table[np.int64], Ints]:
    """The outline of each face, joined with its coplanar neighbors, and the representative face of each.

    Parameters
    ----------
    vertices : (V, 3) float64
    normals : (F, 3) float64
        Unit, outward.
    faces : Table of vertex indices
        Outlines, counterclockwise; F rows.
    beside : (E, 2) int64
        The two faces next to each edge.

    Returns
    -------
    outlines : Table of vertex indices
        A row for each face: the outline of its group. The corners are within `tolerances.COPLANAR` times the size of
        the plane of the group's largest face.
    representative : (F,) int64
        The largest face of the group. A face without coplanar neighbors represents itself.
    """
    count = len(faces.count)
    own = np.arange(count)
    if not len(beside):
        return faces, own
    pairs = np.concatenate([beside, beside[:, ::-1]])
    slack = COPLANAR * float(length(vertices - vertices.mean(axis=0)).max())
    level = coplanar_pairs(vertices, normals, faces, pairs, slack)
    if not level.any():
        return faces, own
    area = face_areas(vertices, faces)
    rank = np.empty(count, dtype=np.int64)
    rank[np.lexsort((-own, area))] = own
    near = pairs[level]
    near = np.concatenate([near, near[:, ::-1]])
    representative = np.where(np.bincount(near[:, 0], minlength=count) > 0, -1, own)
    representatives, members = [], []
    while True:
        # Remaining faces that have no larger remaining neighbor in their plane.
        near = near[(representative[near] < 0).all(axis=1)]
        greatest = np.full(count, -1)
        np.maximum.at(greatest, near[:, 0], rank[near[:, 1]])
        seed = np.flatnonzero((representative < 0) & (greatest < rank))
        if not len(seed):
            break
        first, second = _connected(vertices, normals, faces, pairs, seed, slack)
        order = np.argsort(rank[first], kind="stable")
        free = representative[second[order]] < 0
        representative[second[order][free]] = first[order][free]  # the largest is written last
        representatives.append(first)
        members.append(second)
    groups = np.concatenate(representatives), np.concatenate(members)
    return _joined(vertices, normals, faces, *groups, representative), representative


def coplanar_pairs(
    vertices: Floats, normals: Floats, faces: Table[np.int64], pairs: Ints, slack: Floats | float
) -> Bools:
    """Whether the second face of each pair (K, 2) lies in the plane of the first, and has a similar direction."""
    one, other = pairs.T
    size = faces.count[other]
    first = np.cumsum(size) - size
    place = ragged_arange(size, faces.start[other])[1]
    corner = vertices[faces.values[place]] - np.repeat(vertices[faces.values[faces.start[one]]], size, axis=0)
    height = dot(corner, np.repeat(normals[one], size, axis=0))
    low = np.minimum.reduceat(height, first) if len(first) else height
    result: Bools = (low >= -slack) & (dot(normals[one], normals[other]) >= COPLANAR_COSINE)
    return result


def face_areas(vertices: Floats, faces: Table[np.int64]) -> Floats:
    """Area of each face, (F,)."""
    spoke = vertices[faces.values] - np.repeat(vertices[faces.values[faces.start]], faces.count, axis=0)
    doubled = np.add.reduceat(cross(spoke, spoke[cyclic_successors(faces.count)]), faces.start, axis=0)
    result: Floats = length(doubled) / 2.0
    return result


def _connected(
    vertices: Floats, normals: Floats, faces: Table[np.int64], pairs: Ints, seed: Ints, slack: float
) -> tuple[Ints, Ints]:
    """Each seed with all faces that are coplanar with it and connected to it: seed and face, including itself."""
    count = len(faces.count)
    order = np.argsort(pairs[:, 0], kind="stable")
    neighbor = pairs[order, 1]
    first = np.searchsorted(pairs[order, 0], np.arange(count + 1))
    known = front = np.unique(seed * count + seed)
    while len(front):
        representative, face = np.divmod(front, count)
        which, place = ragged_arange(first[face + 1] - first[face], first[face])
        reached = np.setdiff1d(representative[which] * count + neighbor[place], known)
        representative, face = np.divmod(reached, count)
        front = reached[coplanar_pairs(vertices, normals, faces, np.column_stack([representative, face]), slack)]
        known = np.union1d(known, front)
    representative, face = np.divmod(known, count)
    return representative, face


def _joined(
    vertices: Floats, normals: Floats, faces: Table[np.int64], first: Ints, second: Ints, representative: Ints
) -> Table[np.int64]:
    """The outlines of the groups for every face. `first` are their largest faces and `second` their members."""
    grouped = np.bincount(first, minlength=len(representative))
    several = grouped[first] > 1
    first, second = first[several], second[several]
    size = faces.count[second]
    place = ragged_arange(size, faces.start[second])[1]
    group, vertex = np.divmod(np.unique(np.repeat(first, size) * len(vertices) + faces.values[place]), len(vertices))
    side = perpendicular(normals)
    up = cross(normals, side)
    spoke = vertices[vertex] - vertices[faces.values[faces.start[group]]]
    grid = np.abs(spoke).max() / _GRID
    flat = np.rint(np.stack([dot(spoke, side[group]), dot(spoke, up[group])], axis=1) / grid)
    order = np.lexsort((flat[:, 1], flat[:, 0], group))
    flat, group, vertex = flat[order], group[order], vertex[order]
    fresh = np.append(True, (np.diff(flat, axis=0) != 0.0).any(axis=1) | (np.diff(group) != 0))
    flat, group, vertex = flat[fresh], group[fresh], vertex[fresh]
    named, start = np.unique(group, return_index=True)
    corner, owner = outlines(flat, np.append(start, len(flat)))
    around = np.split(vertex[corner], np.flatnonzero(np.diff(owner)) + 1)
    rows = np.split(faces.values, faces.start[1:])
    merged = dict(zip(named.tolist(), around, strict=True))
    return Table.of([merged.get(at, rows[at]) for at in representative.tolist()])
