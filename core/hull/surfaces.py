# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces of solid and flat point sets on the grid, as polygons.

A flat set is made solid: its coordinates in its plane are rounded to the grid and an apex is added above. The neighbors
of the apex in the hull are the outline.
"""

from dataclasses import dataclass

import numpy as np

from ..numerics.types import Floats, Ints
from .coplanar_merge import merge_coplanar, sort_around_faces
from .grid import GRID_BITS, accurate_cross, dot
from .noise_removal import remove_noise
from .quickhull import simplicial_hulls


@dataclass(frozen=True)
class PolygonSurfaces:
    """The faces of many point sets.

    Attributes
    ----------
    tail : (C,) int64
        The corners of all faces in their order around them, counter-clockwise seen from outside.
    count : (F,) int64
        How many corners each face has.
    normals : (F, 3) float64
        Unit, outward.
    offset_slack : (F,) float64
        How far points may stand above the highest corner of the face, in grid steps.
    owner : (F,) int64
        The point set of each face.
    """

    tail: Ints
    count: Ints
    normals: Floats
    offset_slack: Floats
    owner: Ints


def run_starts(lengths: Ints) -> Ints:
    """Start of each run of these lengths, one after another, and the end of the last."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))


def polygon_surfaces(points: Floats, start: Ints, rounding: Floats, dimension: Ints, simplex: Ints) -> PolygonSurfaces:
    """Find the faces of point sets of two and three dimensions.

    Parameters
    ----------
    points : (n, 3) float64
        Grid points of all sets, one set after another, without repetitions.
    start : (H + 1,) int64
        Set h is ``points[start[h]:start[h + 1]]``.
    rounding : (H,) float64
        In grid steps.
    dimension, simplex
        As found by `spanning_simplices`. Sets of less than two dimensions have no faces.
    """
    parts = []
    for wanted, build in ((2, _flat_surfaces), (3, _solid_surfaces)):
        sets = np.flatnonzero(dimension == wanted)
        if not len(sets):
            continue
        first = run_starts(np.diff(start)[sets])
        shift = np.repeat(start[sets] - first[:-1], np.diff(first))
        source = np.arange(len(shift), dtype=np.int64) + shift
        corners = simplex[sets] - (start[sets] - first[:-1])[:, None]
        part = build(points[source], first, rounding[sets], corners)
        parts.append(PolygonSurfaces(source[part.tail], part.count, part.normals, part.offset_slack, sets[part.owner]))
    if not parts:
        none = np.empty(0, np.int64)
        return PolygonSurfaces(none, none, np.empty((0, 3)), np.empty(0), none)
    return PolygonSurfaces(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in PolygonSurfaces.__dataclass_fields__)
    )


def _solid_surfaces(points: Floats, start: Ints, rounding: Floats, simplex: Ints) -> PolygonSurfaces:
    hulls = remove_noise(points, start, rounding, simplicial_hulls(points, start, simplex))
    owner = np.repeat(np.arange(len(rounding), dtype=np.int64), np.diff(start))
    polygons = merge_coplanar(points, hulls, rounding[owner[hulls.corners[:, 0]]])
    count = np.bincount(polygons.face)
    first_corner = polygons.tail[np.cumsum(count) - count]
    return PolygonSurfaces(polygons.tail, count, polygons.normals, polygons.offset_slack, owner[first_corner])


def _flat_surfaces(points: Floats, start: Ints, rounding: Floats, simplex: Ints) -> PolygonSurfaces:
    sets = len(rounding)
    owner = np.repeat(np.arange(sets, dtype=np.int64), np.diff(start))
    base = points[simplex[:, :3]]
    normal = accurate_cross(base[:, 1] - base[:, 0], base[:, 2] - base[:, 0])
    normal /= np.sqrt(dot(normal, normal))[:, None]
    first_axis = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal), axis=1)])
    first_axis /= np.sqrt(dot(first_axis, first_axis))[:, None]
    second_axis = np.cross(normal, first_axis)
    offset = points - base[owner, 0]
    across, along = dot(offset, first_axis[owner]), dot(offset, second_axis[owner])
    # Diagonals can be longer than the grid is wide: shrink by a power of two what would leave the exact
    # range.
    reach = np.maximum.reduceat(np.maximum(np.abs(across), np.abs(along)), start[:-1])
    shrink = np.ldexp(1.0, np.minimum(GRID_BITS - np.frexp(reach)[1], 0))

    # Each set and, behind it, its apex, as high as the triangle is wide.
    first = start + np.arange(sets + 1, dtype=np.int64)
    apex = first[1:] - 1
    raised = np.zeros((first[-1], 3))
    row = np.arange(len(points), dtype=np.int64) + owner
    raised[row, 0] = np.rint(across * shrink[owner])
    raised[row, 1] = np.rint(along * shrink[owner])
    corners = np.concatenate((simplex[:, :3] + np.arange(sets, dtype=np.int64)[:, None], apex[:, None]), axis=1)
    flattened = raised[corners[:, :3]]
    raised[apex] = np.rint(flattened.mean(axis=1))
    raised[apex, 2] = np.abs(flattened).max(axis=(1, 2))
    rounding = rounding * shrink

    hulls = remove_noise(raised, first, rounding, simplicial_hulls(raised, first, corners))
    is_apex = np.zeros(len(raised), np.bool_)
    is_apex[apex] = True
    facet, side = np.nonzero(is_apex[hulls.corners])
    tail, head = hulls.corners[facet, (side + 1) % 3], hulls.corners[facet, (side + 2) % 3]
    raised_owner = np.repeat(np.arange(sets, dtype=np.int64), np.diff(first))
    tail, head, face = sort_around_faces(tail, head, raised_owner[tail], len(raised))
    before = np.empty_like(tail)
    before[cyclic_successors(np.bincount(face))] = tail
    turn = accurate_cross(raised[tail] - raised[before], raised[head] - raised[tail])
    corner = turn[:, 2] > 0.0  # exact: what lies on a straight line is no vertex
    face = face[corner]
    tail = tail[corner] - face

    # How far points stand above the highest corner on either side.
    height = dot(offset, normal[owner])
    count = np.bincount(face)
    first_corner = np.cumsum(count) - count
    above = np.maximum.reduceat(height, start[:-1]) - np.maximum.reduceat(height[tail], first_corner)
    below = np.minimum.reduceat(height[tail], first_corner) - np.minimum.reduceat(height, start[:-1])

    both = np.concatenate((2 * face, 2 * face[::-1] + 1))
    return PolygonSurfaces(
        np.concatenate((tail, tail[::-1]))[np.argsort(both, kind="stable")],
        np.repeat(count, 2),
        np.stack((normal, -normal), axis=1).reshape(-1, 3),
        np.stack((above, below), axis=1).ravel(),
        np.repeat(np.arange(sets, dtype=np.int64), 2),
    )


def cyclic_successors(lengths: Ints) -> Ints:
    """For each position in runs of these lengths, the next one in its run; the last is followed by the first."""
    ends = np.cumsum(lengths)
    following = np.arange(1, (ends[-1] if len(ends) else 0) + 1, dtype=np.int64)
    following[ends - 1] = ends - lengths
    return following
