# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex hulls of point sets in space, of any dimension from a point to a solid, one or many at a time.

Points are rounded to an integer grid (`grid`), and the kernels find the hulls of a call one after the other
(`kernels.hulls`). No hull depends on the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from weakref import ref

import numpy as np
from numpy.typing import ArrayLike

from ..kernels import hull_faces, hull_order
from ..kernels import hulls as kernel
from ..numerics.rows import cyclic_successors
from ..numerics.tolerances import HULL_FLATNESS, HULL_LIFT, HULL_ROUNDING, HULL_THICKNESS
from ..numerics.types import Floats, Ints
from ..numerics.validation import array, items, point_set
from .grid import GRID_BITS, accurate_cross, dot, grid_exponent, rounding_in_steps, run_starts
from .rooms import hull_room, hulls_room, memory_for_one, order_room


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
        above = np.where(offset_slack > HULL_LIFT * tolerance, offset_slack, 0.0)
        polygons = hull_faces.Polygons(tail, first, np.column_stack((normals, above)))
        room, found = order_room(len(points), len(tail), len(count)), hulls_room(1, len(points))
        scale = np.array([_scale(exponent, self._steps)])
        hull_order.write_solid(np.ascontiguousarray(points), scale, polygons, len(count), room, found)
        points.flags.writeable = False
        image = object.__new__(ConvexHull)
        vars(image).update(points=points, _steps=self._steps, tolerance=tolerance, **_computed(0, found))
        return image


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
    """Convex hulls of many point sets at once: the results of `convex_hull`, faster than one by one.

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
        scale = _scale(grid_exponent(points), steps)
        vars(hull).update(points=points, _steps=steps, tolerance=steps * scale[hull_order.FROM_GRID], _scale=scale)
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
    scale = np.array([vars(hull)["_scale"] for hull in hulls])
    if len(hulls) == 1:
        one = hulls[0].points
        with memory_for_one(len(one)) as (room, found):
            kernel.convex_hulls(np.ascontiguousarray(one), np.array([0, len(one)], np.int64), scale, room, found)
            _complete(hulls, found)
        return
    lengths = np.array([len(hull.points) for hull in hulls], np.int64)
    found = hulls_room(len(hulls), int(lengths.sum()))
    points = np.ascontiguousarray(np.concatenate([hull.points for hull in hulls]))
    kernel.convex_hulls(points, run_starts(lengths), scale, hull_room(int(lengths.max())), found)
    _complete(hulls, found)


def _complete(hulls: Sequence[ConvexHull], found: hull_order.Hulls) -> None:
    """Give hulls the attributes that have been found."""
    for h, hull in enumerate(hulls):
        own = vars(hull)
        own.update(_computed(h, found))
        own.pop("_same_call", None)
        own.pop("_scale", None)


def _scale(exponent: int, steps: float) -> tuple[float, float, float, float]:
    """The scales of a hull for the kernels, see `kernels.hull_order`. The exponent is that of a grid step."""
    return 2.0**-exponent, 2.0**exponent, 2.0 ** -(exponent + GRID_BITS), steps


def _computed(h: int, found: hull_order.Hulls) -> dict[str, Any]:
    """The attributes of one of the hulls that have been found."""
    # Copy, so that a hull does not keep the arrays of all hulls of its call alive.
    (face, corner, edge, vertex), (last_face, last_corner, last_edge, last_vertex) = found.bounds[h : h + 2].tolist()
    corners, first = found.corners[corner:last_corner].copy(), found.first[face : last_face + 1].tolist()
    planes, edges = found.planes[face:last_face], found.edges[edge:last_edge]
    volume, area, *centroid = found.measures[h].tolist()
    arrays = {
        "vertices": found.vertices[vertex:last_vertex].copy(),
        "normals": planes[:, :3].copy(),
        "offsets": planes[:, 3].copy(),
        "edges": edges[:, :2].copy(),
        "edge_faces": edges[:, 2:].copy(),
        "centroid": np.array(centroid),
    }
    corners.flags.writeable = False
    for values in arrays.values():
        values.flags.writeable = False
    return {
        **arrays,
        "dimension": int(found.dimension[h]),
        "faces": tuple([corners[a - corner : b - corner] for a, b in pairwise(first)]),
        "volume": volume,
        "area": area,
    }


# Attributes that are computed when they are first used.
_COMPUTED = frozenset(field.name for field in fields(ConvexHull)) - {"points", "tolerance", "_steps"}
