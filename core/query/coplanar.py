# SPDX-License-Identifier: GPL-3.0-or-later
"""Coplanar faces of two shapes that face the same way and overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..kernels import coplanar as kernels
from ..narrow_phase.mesh.boundary import boundary
from ..narrow_phase.mesh.operands import in_world, surfaces_of
from ..narrow_phase.mesh.orientation import oriented_rows
from ..numerics.rows import RowTable
from ..numerics.types import Floats, Ints
from ..numerics.validation import row_lengths
from ..numerics.vectors import cross, length
from ..shapes import Boxes, Compounds, Hulls, Meshes, Triangles
from .operands import Operand, index_pairs, split_pairs
from .part_pairs import part_pairs

# Initial room for triangles and overlaps of a kernel.
_ROOM = 1 << 12


@dataclass(frozen=True, eq=False, repr=False)
class CoplanarFaces(RowTable):
    """Overlaps of coplanar faces that face the same way.

    Attributes
    ----------
    pair : (K,) int64
        Row of the result of a query about the same pairs. Overlaps are ordered by it.
    area : (K,) float64
    center : (K, 3) float64
        The mean of the corners of the overlap.
    normal : (K, 3) float64
        Outward unit normal of the face of A.
    outline : (K, 8, 3) float64
        The corners of the overlap, a convex polygon, counterclockwise seen against the normal. Unused corners repeat
        the first.
    """

    pair: Ints
    area: Floats
    center: Floats
    normal: Floats
    outline: Floats


def coplanar_faces(
    a: Operand, b: Operand, pairs: ArrayLike | None = None, *, tolerance: ArrayLike = 0.0
) -> CoplanarFaces:
    """Coplanar faces of the shapes of each pair that face the same way and overlap.

    Renderers draw both at the same depth, so that they flicker (z-fighting). Faces that touch and face opposite ways,
    such as those of a crate on a floor, are not included. Meshes and hulls are tested triangle by triangle, so a planar
    face may have several overlaps. Triangles of a solid mesh face outward; those of a surface have the direction of
    their winding.

    Parameters
    ----------
    a, b : batch of shapes or World
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other. Only triangles, boxes, hulls, meshes and compounds of them have flat
        faces; margins are ignored.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.
    tolerance : float or (P,) array-like
        Maximum distance of the faces from a common plane, in the caller's unit. Narrower overlaps are ignored.

    Returns
    -------
    CoplanarFaces
        Pairs without such faces have no row.

    Raises
    ------
    UnsupportedPair
        For shapes in the plane.
    ValueError
        If `a` or `b` is not a batch of shapes; if `pairs` has the wrong shape or refers to a row that does not exist;
        if `tolerance` is negative or not finite, or has another number of rows than there are pairs.

    Notes
    -----
    A triangle of B is clipped by the sides of one of A and by the two planes at the tolerance from it (Sutherland and
    Hodgman, "Reentrant polygon clipping", 1974).

    Examples
    --------
    A poster in the plane of the wall that it hangs on:

    >>> import collision_kit.core as ck
    >>> wall = ck.Boxes([0, 0, 0], [2, 0.1, 1])
    >>> poster = ck.Boxes([0, 0.05, 0], [0.5, 0.05, 0.5])
    >>> found = ck.coplanar_faces(wall, poster, tolerance=1e-6)
    >>> float(found.area.sum()), found.normal[0]
    (1.0, array([0., 1., 0.]))
    """
    rows = index_pairs(a, b, pairs)
    return found_faces(a, b, rows, row_lengths(tolerance, "tolerance", len(rows)))


def found_faces(a: Operand, b: Operand, rows: Ints, tolerance: Floats) -> CoplanarFaces:
    """`coplanar_faces` for validated pairs (P, 2) and tolerances (P,)."""
    parts = [_none()]
    for batch_a, batch_b, index_a, index_b, place in split_pairs(a, b, rows):
        level = tolerance[place]
        if isinstance(batch_a, Compounds) or isinstance(batch_b, Compounds):
            found, pair = _of_bodies(batch_a.take(index_a), batch_b.take(index_b), level)
            parts.append(_numbered(found, place[pair]))
        elif isinstance(batch_a, _FLAT) and isinstance(batch_b, _FLAT):
            parts.append(_numbered(_of_shapes(batch_a.take(index_a), batch_b.take(index_b), level), place))
    found = CoplanarFaces.joined(parts)
    return found.take(np.argsort(found.pair, kind="stable"))


_FLAT = (Triangles, Boxes, Hulls, Meshes)


def _none() -> CoplanarFaces:
    vectors = np.empty((2, 0, 3))
    none = np.empty(0, dtype=np.int64)
    return CoplanarFaces(none, np.empty(0), vectors[0], vectors[1], np.empty((0, kernels.CORNERS, 3)))


def _numbered(found: CoplanarFaces, pair: Ints) -> CoplanarFaces:
    return CoplanarFaces(**{**vars(found), "pair": pair[found.pair]})


def _of_bodies(a: Any, b: Any, level: Floats) -> tuple[CoplanarFaces, Ints]:
    """The overlaps of the parts of bodies, row by row, and the row of each pair of parts."""
    if isinstance(b, Compounds):
        parts = part_pairs(a, b)
        return found_faces(parts.a, parts.b, parts.rows, level[parts.pair]), parts.pair
    parts = part_pairs(b, a)
    return found_faces(parts.b, parts.a, parts.rows[:, ::-1], level[parts.pair]), parts.pair


def _of_shapes(a: Any, b: Any, level: Floats) -> CoplanarFaces:
    """The overlaps of shapes, row by row."""
    low_a, high_a = a.bounds()
    low_b, high_b = b.bounds()
    reach = level[:, None]
    low, high = np.maximum(low_a, low_b) - reach, np.minimum(high_a, high_b) + reach
    meet = np.flatnonzero((low <= high).all(axis=1))
    ours, first_a = _triangles(a.take(meet), low[meet], high[meet])
    theirs, first_b = _triangles(b.take(meet), low[meet], high[meet])
    level, begin, room, parts = level[meet], 0, _ROOM, [_none()]
    while begin < len(meet):
        found, outline = np.empty((room, 3), dtype=np.int64), np.empty((room, kernels.CORNERS, 3))
        count_of, area = np.empty(room, dtype=np.int64), np.empty(room)
        after, count = kernels.overlaps(ours, first_a, theirs, first_b, level, begin, found, outline, count_of, area)
        # One pair may have more overlaps than fit into the output.
        room, begin = room if after > begin else 2 * room, after
        corners = outline[:count]
        used = np.arange(kernels.CORNERS) < count_of[:count, None]
        center = (corners * used[:, :, None]).sum(axis=1) / count_of[:count, None]
        side = ours[found[:count, 1]]
        across = cross(side[:, 1] - side[:, 0], side[:, 2] - side[:, 0])
        normal = across / length(across)[:, None]
        parts.append(CoplanarFaces(meet[found[:count, 0]], area[:count], center, normal, corners))
    return CoplanarFaces.joined(parts)


def _triangles(shapes: Any, low: Floats, high: Floats) -> tuple[Floats, Ints]:
    """The triangles in a box of each shape, (T, 3, 3) in world space; the first of each shape, and the end, (N + 1,).

    The triangles of a shape are ordered by their smallest x.
    """
    if isinstance(shapes, Meshes):
        row, corner = _of_meshes(shapes, low, high)
    else:
        found = boundary(shapes)
        row, corner = found.row, found.corner
        inside = (corner.min(axis=1) <= high[row]) & (corner.max(axis=1) >= low[row])
        keep = inside.all(axis=1)
        row, corner = row[keep], corner[keep]
    order = np.lexsort((corner[:, :, 0].min(axis=1), row))
    ends = np.searchsorted(row[order], np.arange(len(shapes) + 1))
    return np.ascontiguousarray(corner[order]), ends


def _of_meshes(shapes: Meshes, low: Floats, high: Floats) -> tuple[Ints, Floats]:
    """The triangles of meshes near a box of each: the row, (T,), and the corners in the world, (T, 3, 3)."""
    surface = oriented_rows(shapes)
    bodies = surface.bodies
    # The bounding box of the box in the frame of the mesh.
    center, half = (low + high) / 2.0, (high - low) / 2.0
    middle = np.einsum("nji,nj->ni", bodies.rotation, center - bodies.translation)
    extent = np.einsum("nji,nj->ni", np.abs(bodies.rotation), half)
    extent += 1e-9 * (np.abs(middle) + extent)
    box = np.concatenate([middle - extent, middle + extent], axis=1)
    surfaces, begin, room, parts = surfaces_of(bodies), 0, _ROOM, [np.empty((0, 2), dtype=np.int64)]
    while begin < len(shapes):
        found = np.empty((room, 2), dtype=np.int64)
        after, count = kernels.near(surfaces, box, begin, found)
        room, begin = room if after > begin else 2 * room, after
        parts.append(found[:count])
    row, triangle = np.concatenate(parts).T
    corner = bodies.corners[bodies.triangle_start[row] + triangle]
    return row, in_world(bodies, row, corner).reshape(-1, 3, 3)
