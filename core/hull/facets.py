# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces of hulls as polygons: solid and flat sets on the grid, and the canonical order of their faces.

For a flat set, a solid is built: its coordinates in its plane are rounded to the grid, and an apex is added above the
plane. The neighbors of the apex in the hull of the solid are the outline of the set.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics.types import Bools, Floats, Ints
from .coplanar_merge import merge_coplanar, remove_noise, sort_around_faces
from .quickhull import GRID_BITS, accurate_cross, dot, simplicial_hulls


@dataclass(frozen=True)
class HullArrays:
    """All hulls of a call, one after another. Face and edge indices start at zero in each hull.

    Attributes
    ----------
    face_vertex : (C,) int64
        The corners of all faces, as indices into the points of the hull.
    face_first : (F + 1,) int64
        Face f has the corners ``face_vertex[face_first[f]:face_first[f + 1]]``.
    hull_face, hull_edge, hull_vertex : (H + 1,) int64
        Hull h has the faces hull_face[h] .. hull_face[h + 1] - 1, and so on.
    normals : (F, 3) float64
    edges : (E, 2) int64
    edge_faces : (E, 2) int64
    vertices : (V,) int64
    offsets : (F,) float64
    volume, area : (H,) float64
    centroid : (H, 3) float64
    """

    face_vertex: Ints
    face_first: Ints
    hull_face: Ints
    normals: Floats
    offsets: Floats
    edges: Ints
    edge_faces: Ints
    hull_edge: Ints
    vertices: Ints
    hull_vertex: Ints
    volume: Floats
    area: Floats
    centroid: Floats


def _bounds(owner: Ints, count: int) -> Ints:
    """Start of each owner's run in an ascending list, and the end of the last run."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(np.bincount(owner, minlength=count))))


def newell_normals(corner: Floats, first: Ints) -> Floats:
    """Unit normals of polygons from the sum of their triangles' area vectors; zero for polygons without area.

    Parameters
    ----------
    corner : (C, 3) float64
        Corners of all polygons, counter-clockwise seen from the side the normal points to, scaled so that their squares
        neither overflow nor underflow.
    first : (F + 1,) int64
        Polygon f has the corners first[f] .. first[f + 1] - 1.
    """
    count = np.diff(first)
    spoke = corner - np.repeat(corner[first[:-1]], count, axis=0)
    following = np.arange(1, len(corner) + 1, dtype=np.int64)
    following[first[1:] - 1] = first[:-1]
    normal = np.add.reduceat(accurate_cross(spoke, spoke[following]), first[:-1], axis=0)
    size = np.sqrt(dot(normal, normal))
    unit: Floats = normal / np.where(size > 0.0, size, 1.0)[:, None]
    return unit


def _measures(
    points: Floats, vertex: Ints, first: Ints, face_hull: Ints, solid: Bools, exponent: NDArray[np.int32]
) -> tuple[Floats, Floats, Floats]:
    """Volume, area and centroid of closed surfaces. If there is no volume: the centroid of the surface."""
    hulls = len(solid)
    count = np.diff(first)
    face = np.repeat(np.arange(len(count), dtype=np.int64), count)
    place = np.arange(len(vertex), dtype=np.int64) - first[face]
    second = np.flatnonzero((place > 0) & (place < count[face] - 1))
    owner = face_hull[face[second]]
    origin = np.zeros((hulls, 3))
    origin[face_hull[::-1]] = points[vertex[first[:-1]]][::-1]  # a corner of the first face, which is written last

    # Scaled so that coordinates are about one and products neither overflow nor underflow.
    shrink = -exponent[owner][:, None]
    origin = np.ldexp(origin, -exponent[:, None])
    corner = np.ldexp(points[vertex[first[face[second]]]], shrink)
    a = corner - origin[owner]
    b = np.ldexp(points[vertex[second]], shrink) - corner
    c = np.ldexp(points[vertex[second + 1]], shrink) - corner
    # Area times height instead of a triple product of long edges: accurate for thin hulls.
    across = accurate_cross(b, c)
    double_area = np.sqrt(dot(across, across))
    content = np.where(solid[owner], dot(a, across), 0.0)
    area: Floats = np.bincount(owner, double_area, hulls).astype(np.float64)
    volume: Floats = np.bincount(owner, content, hulls).astype(np.float64)

    # The centroid of a tetrahedron is a quarter of the sum of its corners (the origin is one); of a triangle, a third.
    weight = np.where(volume[owner] > 0.0, content / 4.0, double_area / 3.0)
    total = np.where(volume > 0.0, volume, area)
    middle = 3.0 * a + b + c
    centroid = np.empty((hulls, 3))
    for axis in range(3):
        centroid[:, axis] = np.bincount(owner, weight * middle[:, axis], hulls)
    centroid /= np.where(total > 0.0, total, 1.0)[:, None]
    with np.errstate(over="ignore", under="ignore"):
        volume, area = np.ldexp(volume / 6.0, 3 * exponent), np.ldexp(area / 2.0, 2 * exponent)
        centroid = np.ldexp(origin + centroid, exponent[:, None])
    return volume, area, centroid


def canonical_hulls(
    points: Floats,
    point_first: Ints,
    tail: Ints,
    face: Ints,
    normals: Floats,
    offset_slack: Floats,
    face_hull: Ints,
    solid: Bools,
    exponent: NDArray[np.int32],
) -> HullArrays:
    """Put faces in canonical order and derive all other attributes.

    Parameters
    ----------
    points : (n, 3) float64
        The input of all hulls, one after another.
    point_first : (H + 1,) int64
        Where each hull's points start.
    tail : (C,) int64
        The corners of all faces, in order around each face, as indices into `points`.
    face : (C,) int64
        The face of each corner, ascending.
    normals : (F, 3) float64
        Unit, outward.
    offset_slack : (F,) float64
        Difference between the offset of each face and that of its highest corner, in the unit of the points.
    face_hull : (F,) int64
    solid : (H,) bool
        Hulls that enclose a volume. All others consist of two opposite faces, or have no faces.
    exponent : (H,) int32
        The coordinates of each hull are below ``2 ** exponent``.
    """
    hulls, size = len(point_first) - 1, len(points)
    count = np.bincount(face, minlength=len(normals))
    first = np.cumsum(count) - count

    # Each face starts at its lowest corner. The two faces of an edge have opposite directions on it, so the first two
    # corners determine the lexicographic order of the faces.
    lowest = np.minimum.reduceat(tail, first) if len(tail) else tail
    at_lowest = np.flatnonzero(tail == lowest[face])
    place = (np.arange(len(tail), dtype=np.int64) - at_lowest[face]) % count[face]
    rotated = np.empty(len(tail), np.int64)
    rotated[first[face] + place] = tail
    order = np.lexsort((rotated[first + 1], rotated[first], face_hull)) if len(first) else first
    count, face_hull, normals, offset_slack = count[order], face_hull[order], normals[order], offset_slack[order]
    new_first = np.cumsum(count) - count
    face = np.repeat(np.arange(len(count), dtype=np.int64), count)
    tail = rotated[np.arange(len(tail), dtype=np.int64) + np.repeat(first[order] - new_first, count)]
    first = np.append(new_first, len(tail))
    normals = normals + 0.0  # no negative zeros

    head = np.empty_like(tail)
    head[:-1] = tail[1:]
    head[first[1:] - 1] = tail[first[:-1]]
    hull_face = _bounds(face_hull, hulls)
    local_face = face - hull_face[face_hull[face]]
    up = np.flatnonzero(tail < head)
    up = up[np.argsort(tail[up] * size + head[up])]
    down = np.flatnonzero(tail > head)
    down = down[np.argsort(head[down] * size + tail[down])]
    edge_faces = np.stack((local_face[up], local_face[down]), axis=1)
    edges = np.stack((tail[up], head[up]), axis=1)
    edge_hull = face_hull[face[up]]

    is_vertex = np.zeros(size, np.bool_)
    is_vertex[tail] = True
    vertices = np.flatnonzero(is_vertex)
    vertex_hull = np.searchsorted(point_first, vertices, side="right") - 1
    height = dot(points[tail], normals[face])
    offsets = np.maximum.reduceat(height, first[:-1]) if len(height) else height
    offsets = offsets + offset_slack
    volume, area, centroid = _measures(points, tail, first, face_hull, solid, exponent)
    return HullArrays(
        face_vertex=tail - point_first[face_hull[face]],
        face_first=first,
        hull_face=hull_face,
        normals=normals,
        offsets=offsets,
        edges=edges - point_first[edge_hull][:, None],
        edge_faces=edge_faces,
        hull_edge=_bounds(edge_hull, hulls),
        vertices=vertices - point_first[vertex_hull],
        hull_vertex=_bounds(vertex_hull, hulls),
        volume=volume,
        area=area,
        centroid=centroid,
    )


@dataclass(frozen=True)
class PolygonSurfaces:
    """The faces of many point sets.

    Attributes
    ----------
    tail : (C,) int64
        The corners of all faces in their order around them, counter-clockwise seen from outside.
    count : (F,) int64
        Number of corners of each face.
    normals : (F, 3) float64
        Unit, outward.
    offset_slack : (F,) float64
        Greatest height of points above the highest corner of each face, in grid steps.
    owner : (F,) int64
        The point set of each face.
    """

    tail: Ints
    count: Ints
    normals: Floats
    offset_slack: Floats
    owner: Ints


def run_starts(lengths: Ints) -> Ints:
    """Start of each of consecutive runs with these lengths, and the end of the last."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))


def polygon_surfaces(points: Floats, start: Ints, rounding: Floats, dimension: Ints, simplex: Ints) -> PolygonSurfaces:
    """Find the faces of point sets of two and three dimensions.

    Parameters
    ----------
    points : (n, 3) float64
        Grid points of all sets, one set after another, without duplicates.
    start : (H + 1,) int64
        Set h is ``points[start[h]:start[h + 1]]``.
    rounding : (H,) float64
        In grid steps.
    dimension, simplex
        Results of `spanning_simplices`. Sets of fewer than two dimensions have no faces.
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
    # Diagonals can exceed the width of the grid. Shrink coordinates outside the exact range by a power of two.
    reach = np.maximum.reduceat(np.maximum(np.abs(across), np.abs(along)), start[:-1])
    shrink = np.ldexp(1.0, np.minimum(GRID_BITS - np.frexp(reach)[1], 0))

    # Each set is followed by its apex, whose height is the width of the triangle.
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
    corner = turn[:, 2] > 0.0  # exact: points on a straight line are not vertices
    face = face[corner]
    tail = tail[corner] - face

    # Heights of points above the highest corner, on both sides.
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
    """For each position in runs of these lengths, the next one in its run; for the last position, the first."""
    ends = np.cumsum(lengths)
    following = np.arange(1, (ends[-1] if len(ends) else 0) + 1, dtype=np.int64)
    following[ends - 1] = ends - lengths
    return following
