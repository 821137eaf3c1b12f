# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex hulls of point sets in space, of any dimension from a point to a solid, one or many at a time.

Points are rounded to an integer grid with exact predicates, and a spanning simplex determines the dimension. Quickhull
(Barber, Dobkin and Huhdanpaa 1996) builds the exact simplicial hull (`quickhull`). Vertices that are rounding noise are
removed, and coplanar triangles are merged to polygons (`coplanar_merge`). Flat sets are processed as the base of a
cone. Faces are put in canonical order. Each step works on all hulls of a call at once, and no hull depends on the
others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from weakref import ref

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..numerics.rows import cyclic_successors, ragged_arange
from ..numerics.tolerances import HULL_FLATNESS, HULL_LIFT, HULL_ROUNDING, HULL_THICKNESS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import array, items, point_set
from .coplanar_merge import polygon_surfaces
from .quickhull import (
    GRID_BITS,
    accurate_cross,
    dot,
    grid_exponent,
    grid_points,
    rounding_in_steps,
    run_starts,
    spanning_simplices,
)


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
    return run_starts(np.bincount(owner, minlength=count))


def newell_normals(corner: Floats, first: Ints) -> Floats:
    """Unit normals of polygons from the sum of their triangles' area vectors; zero for polygons without area.

    Polygon f has the corners first[f] .. first[f + 1] - 1, counterclockwise seen from the side the normal points to,
    and scaled so that their squares neither overflow nor underflow.
    """
    count = np.diff(first)
    spoke = corner - np.repeat(corner[first[:-1]], count, axis=0)
    normal = np.add.reduceat(accurate_cross(spoke, spoke[cyclic_successors(count)]), first[:-1], axis=0)
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
    count: Ints,
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
    count : (F,) int64
        Number of corners of each face.
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
    first = np.cumsum(count) - count
    face = np.repeat(np.arange(len(count), dtype=np.int64), count)

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
    face, place = ragged_arange(count, first[order])
    tail = rotated[place]
    first = np.append(new_first, len(tail))
    normals = normals + 0.0  # no negative zeros

    head = tail[cyclic_successors(count)]
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


CHECKED_HEIGHTS = 1 << 18
"""If points times faces exceed this, rebuilding a hull takes less time than checking its image."""

FEW_POINTS = 128
"""Up to this many points, searching all points for the farthest takes less time than computing the hull."""


@dataclass(frozen=True, eq=False, repr=False)
class ConvexHull:
    """The convex hull of a point set, constructed by `convex_hull`.

    All indices are rows of `points`. Arrays are read-only. All attributes but the points and the tolerance are computed
    when one of them is first used, for all hulls of the same call at once.

    Attributes
    ----------
    points : (n, 3) float64
        The input.
    dimension : int
        3: a solid. 2: flat, with two opposite faces. 1: two vertices, one edge, no faces. 0: one vertex. An extent of
        less than three times the tolerance counts as zero.
    vertices : (V,) int64
        The extreme points within `tolerance`, ascending. Of points that coincide, the lowest index.
    faces : tuple of (k,) int64
        Convex polygons, counterclockwise as seen from outside. Each starts at its lowest corner. They are in
        lexicographic order.
    normals : (F, 3) float64
        Unit, outward.
    offsets : (F,) float64
        ``points @ normals.T <= offsets + tolerance``. The corners of a face are at most four times the tolerance below
        its offset.
    edges : (E, 2) int64
        Lower index first, rows in lexicographic order.
    edge_faces : (E, 2) int64
        The two faces of each edge. The first one has the edge in the direction from the lower to the higher index. -1
        if there are no faces.
    volume : float
    area : float
        Area of the whole surface. For a flat hull, both sides.
    centroid : (3,) float64
        Centroid of the volume. For a flat hull, of its area; for a segment, its midpoint.
    tolerance : float
        The distance, in the unit of the points, within which points count as coplanar, collinear or equal: 32 to 64 eps
        times the largest coordinate, and about 4 float32 eps more for points given as float32.
    """

    points: Floats
    dimension: int
    vertices: Ints
    faces: tuple[Ints, ...]
    normals: Floats
    offsets: Floats
    edges: Ints
    edge_faces: Ints
    volume: float
    area: float
    centroid: Floats
    tolerance: float
    _steps: float

    def __repr__(self) -> str:
        return (
            f"ConvexHull(dimension={self.dimension}, points={len(self.points)}, "
            f"vertices={len(self.vertices)}, edges={len(self.edges)}, faces={len(self.faces)}, "
            f"volume={self.volume:.6g})"
        )

    if not TYPE_CHECKING:  # type checkers know the fields

        def __getattr__(self, name: str) -> Any:
            if name not in _COMPUTED:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            compute([hull for reference in vars(self).get("_same_call", ()) if (hull := reference()) is not None])
            return vars(self)[name]

    def __dir__(self) -> list[str]:
        # Including attributes that are computed on first use.
        return [*super().__dir__(), *_COMPUTED]

    def __getstate__(self) -> dict[str, Any]:
        compute([self])
        return {name: value for name, value in vars(self).items() if name in self.__dataclass_fields__}

    @property
    def large(self) -> bool:
        """Whether `corners` are only the vertices."""
        return len(self.points) > FEW_POINTS or self._steps > HULL_ROUNDING

    @cached_property
    def corners(self) -> Floats:
        """(K, 3) points with the same hull: all points if they are few and exact, which saves computing the hull."""
        return self.points[self.vertices] if self.large else self.points

    def transformed(self, linear: ArrayLike, translation: ArrayLike = (0.0, 0.0, 0.0)) -> ConvexHull:
        """Hull of the points multiplied by a matrix and moved, with the same faces if they are still correct.

        Parameters
        ----------
        linear : (3, 3) array-like
            Applied to column vectors. For a reflection, the faces are reversed. If the image is flat, or does not agree
            with the faces within rounding, the hull is rebuilt.
        translation : (3,) array-like
            Added afterwards.

        Raises
        ------
        ValueError
            If the matrix is not (3, 3), the translation not (3,), one of them not finite, or the image too large for
            float64.
        """
        matrix = point_set(linear, "linear", (3,)).astype(np.float64)
        if len(matrix) != 3:
            raise ValueError(f"linear: shape {matrix.shape}, but (3, 3) is needed")
        offset = array(translation, "translation", (3,))
        with np.errstate(over="ignore", invalid="ignore"):  # overflow is not finite and therefore rejected
            image = point_set(self.points @ matrix.T + offset, "linear: image of the points", (3,))
        return self._image(image, bool(np.linalg.slogdet(matrix)[0] < 0.0)) or _hulls([image], [self._steps])[0]

    def _image(self, points: Floats, mirrored: bool) -> ConvexHull | None:
        """The hull of the transformed points with the faces of this hull, or None if they are no longer correct."""
        if self.dimension < 3 or len(points) * len(self.faces) > CHECKED_HEIGHTS:
            return None
        tail = np.concatenate([face[::-1] if mirrored else face for face in self.faces])
        count = np.array([len(face) for face in self.faces], np.int64)
        first = run_starts(count)
        exponent = grid_exponent(points)
        normals = newell_normals(np.ldexp(points[tail], -exponent), first)
        face = np.repeat(np.arange(len(count), dtype=np.int64), count)
        heights = points @ normals.T
        highest, lowest = heights.max(axis=0), heights.min(axis=0)
        reached = dot(points[tail], normals[face])
        tolerance = self._steps * 2.0**exponent
        flat = highest - np.minimum.reduceat(reached, first[:-1]) <= HULL_FLATNESS * tolerance
        if not flat.all() or (highest - lowest <= HULL_THICKNESS * tolerance).any():
            return None
        offset_slack = highest - np.maximum.reduceat(reached, first[:-1])
        arrays = canonical_hulls(
            points,
            np.array([0, len(points)], np.int64),
            tail,
            count,
            normals,
            np.where(offset_slack > HULL_LIFT * tolerance, offset_slack, 0.0),
            np.zeros_like(count),
            np.array([True]),
            np.array([exponent + GRID_BITS], np.int32),
        )
        return _extract(0, points, 3, self.vertices, tolerance, self._steps, arrays)


def convex_hull(points: ArrayLike) -> ConvexHull:
    """Convex hull of points in space. It never fails on finite input.

    Parameters
    ----------
    points : (n, 3) array-like
        At least one point. Duplicate, collinear, coplanar and cospherical points are allowed. An array of float32 or
        float16 is assumed to be rounded to its type: faces that are coplanar within that rounding are merged.

    Returns
    -------
    ConvexHull

    Raises
    ------
    ValueError
        If there is no point, the shape is wrong, or a coordinate is not finite; names the row.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> hull = ck.convex_hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]])
    >>> hull.vertices
    array([0, 1, 2, 3])
    """
    checked = point_set(points, "points", (3,))
    return _hulls([checked.astype(np.float64)], [rounding_in_steps(checked.dtype)])[0]


def convex_hulls(points: Sequence[ArrayLike]) -> list[ConvexHull]:
    """Convex hulls of many point sets at once: the results of `convex_hull`, much faster than one by one.

    Parameters
    ----------
    points : sequence of (n, 3) array-like

    Returns
    -------
    list of ConvexHull
        One for each point set, in order.

    Raises
    ------
    ValueError
        As for `convex_hull`; names the set and the row.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> triangle, segment = ck.convex_hulls([[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 0], [0, 0, 2]]])
    >>> triangle.dimension, segment.dimension
    (2, 1)
    """
    every = items(points, "points")
    if every and np.shape(every[0]) == (3,):
        raise ValueError("points[0]: shape (3,), but (N, 3) is needed; for one point set, write [points]")
    checked = [point_set(one, f"points[{index}]", (3,)) for index, one in enumerate(every)]
    return _hulls([one.astype(np.float64) for one in checked], [rounding_in_steps(one.dtype) for one in checked])


def _hulls(inputs: list[Floats], rounding: list[float]) -> list[ConvexHull]:
    """The hulls of validated points, which they share without a copy. `rounding` is in grid steps."""
    hulls = []
    for points, steps in zip(inputs, rounding, strict=True):
        hull = object.__new__(ConvexHull)
        points.flags.writeable = False
        vars(hull).update(points=points, _steps=steps, tolerance=float(np.ldexp(steps, grid_exponent(points))))
        hulls.append(hull)
    call = [ref(hull) for hull in hulls]
    for hull in hulls:
        vars(hull)["_same_call"] = call
    return hulls


def compute(hulls: Sequence[ConvexHull]) -> None:
    """Compute the vertices, faces and edges of the hulls that do not have them yet, all at once."""
    hulls = [hull for hull in dict.fromkeys(hulls) if "_same_call" in vars(hull)]
    if not hulls:
        return
    inputs = [hull.points for hull in hulls]
    steps = np.array([hull._steps for hull in hulls])
    exponent = np.array([grid_exponent(one) for one in inputs], np.int32)  # the type that ldexp takes on every platform
    first = run_starts(np.array([len(one) for one in inputs], np.int64))
    points = np.concatenate(inputs)
    distinct, index, start = grid_points(points, first, exponent)
    dimension, simplex = spanning_simplices(distinct, start, HULL_THICKNESS * steps)
    found = polygon_surfaces(distinct, start, steps, dimension, simplex)
    # Ignore slacks that are rounding errors, so that a face with exact corners has an exact offset.
    offset_slack = np.where(found.offset_slack > HULL_LIFT * steps[found.owner], found.offset_slack, 0.0)
    arrays = canonical_hulls(
        points,
        first,
        index[found.tail],
        found.count,
        found.normals,
        np.ldexp(offset_slack, exponent[found.owner]),
        found.owner,
        dimension == 3,
        exponent + GRID_BITS,
    )
    ends = np.sort(index[simplex[:, :2]] - first[:-1, None], axis=1)
    ends[dimension == 0] = 0  # all points coincide within rounding: use the first
    for h, hull in enumerate(hulls):
        computed = _extract(h, hull.points, int(dimension[h]), ends[h], hull.tolerance, hull._steps, arrays)
        vars(hull).update({name: vars(computed)[name] for name in _COMPUTED})
        vars(hull).pop("_same_call", None)


def _extract(
    h: int, points: Floats, dimension: int, ends: Ints, tolerance: float, steps: float, arrays: HullArrays
) -> ConvexHull:
    """One hull from the arrays of all hulls. `ends` are the vertices of a hull without faces."""
    # Copy, so that a hull does not keep the arrays of all hulls of its call alive.
    face = slice(arrays.hull_face[h], arrays.hull_face[h + 1])
    edge = slice(arrays.hull_edge[h], arrays.hull_edge[h + 1])
    first = arrays.face_first[arrays.hull_face[h] : arrays.hull_face[h + 1] + 1]
    corners = arrays.face_vertex[first[0] : first[-1]].copy()
    corners.flags.writeable = False
    if dimension >= 2:
        vertices = arrays.vertices[arrays.hull_vertex[h] : arrays.hull_vertex[h + 1]].copy()
        edges, edge_faces, centroid = (
            arrays.edges[edge].copy(),
            arrays.edge_faces[edge].copy(),
            arrays.centroid[h].copy(),
        )
    else:
        vertices, edges = ends[: dimension + 1].copy(), ends[None, :][:dimension].copy()
        edge_faces = np.full((dimension, 2), -1, np.int64)
        centroid = points[vertices].mean(axis=0)
    hull = ConvexHull(
        points=points,
        dimension=dimension,
        vertices=vertices,
        faces=tuple([corners[a:b] for a, b in pairwise((first - first[0]).tolist())]),
        normals=arrays.normals[face].copy(),
        offsets=arrays.offsets[face].copy(),
        edges=edges,
        edge_faces=edge_faces,
        volume=float(arrays.volume[h]),
        area=float(arrays.area[h]),
        centroid=centroid,
        tolerance=tolerance,
        _steps=steps,
    )
    for values in (hull.points, vertices, hull.normals, hull.offsets, edges, edge_faces, centroid):
        values.flags.writeable = False
    return hull


# Attributes that are computed when they are first used.
_COMPUTED = frozenset(field.name for field in fields(ConvexHull)) - {"points", "tolerance", "_steps"}
