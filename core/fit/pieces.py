# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures of how well several convex pieces fit a mesh, together and each on its own.

Both distances are found like the gap of one shape in `quality`: how far the surface of a piece is outside the mesh, and
how far the surface of the mesh is outside all pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..convexity import solidity
from ..hull import ConvexHull, convex_hull
from ..narrow_phase.mesh.operands import mesh_rows
from ..narrow_phase.mesh.ray_casting import inside
from ..numerics.tolerances import FIT_GAP, PIECE_SEAM, PIECE_SLIVER
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import check_range, check_type, items
from ..numerics.vectors import cross, length, normalized
from ..shapes import Hulls, Meshes
from .closed_parts import MeshPart, closed_parts
from .patches import Patches, flat_patches, patches_of
from .point_set import highest, to_hull, to_surface
from .quality import FitQuality, apart, enclosed, largest, largest_of_each

_QUERIES = 12000
"""Limit for the points whose distance is measured, in addition to one for each triangle of the pieces or of the
mesh."""


@dataclass(frozen=True)
class PiecesQuality:
    """Comparison of convex pieces with the mesh that they were made for.

    Attributes
    ----------
    count : int
        The number of pieces.
    volume : float
        The sum of the volumes of the pieces; overlaps count for each piece.
    hull_ratio : float
        `volume` divided by the volume of the convex hull of the mesh. Infinite for a flat mesh.
    mesh_ratio : float
        `volume` divided by the volume of the closed parts of the mesh; NaN if a part of it is not closed, or there are
        no triangles.
    protrusion : float
        The largest distance of a point on the surface of the mesh from all pieces; without triangles, of the points.
    protrusion_error : float
        The true protrusion is between `protrusion` and ``protrusion + protrusion_error``.
    gap : float
        The largest distance of a point on the surface of a piece from the mesh: 0 inside its closed parts.
    gap_error : float
        The true gap is between `gap` and ``gap + gap_error``.
    pieces : tuple of FitQuality
        The same for each piece. Its protrusion is the largest distance from it of a point on the surface of the mesh
        that is outside all pieces, and nearer to this one than to any other. Its ratios are NaN: it stands for a part
        of the mesh only.

    Notes
    -----
    If a part of the mesh is not closed, or there are no triangles, the distance is that from its surface, or from the
    hull of the points. Then the outer surface of all pieces together counts: not what is inside another piece, or
    nearer to it than a ten-thousandth of the size. Parts of the outer surface that are narrower than a hundredth of the
    size may be missed.
    """

    count: int
    volume: float
    hull_ratio: float
    mesh_ratio: float
    protrusion: float
    protrusion_error: float
    gap: float
    gap_error: float
    pieces: tuple[FitQuality, ...]


def pieces_quality(
    pieces: Sequence[ConvexHull], points: ArrayLike, triangles: ArrayLike | None = None
) -> PiecesQuality:
    """Return how well several convex pieces together fit a mesh.

    Parameters
    ----------
    pieces : sequence of ConvexHull
        The pieces, each with a volume.
    points : (n, 3) array-like
    triangles : (m, 3) array-like of int, optional
        Rows of `points`.

    Returns
    -------
    PiecesQuality

    Raises
    ------
    ValueError
        As for `convex_hull` and `Meshes.from_triangles`, or if there are no pieces, or one has no volume.

    Examples
    --------
    >>> import numpy as np
    >>> from collision_kit.core import convex_hull, fit
    >>> cube = np.array([[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)])
    >>> halves = [convex_hull(cube * (0.5, 1, 1)), convex_hull(cube * (0.5, 1, 1) + (1, 0, 0))]
    >>> found = fit.pieces_quality(halves, cube)
    >>> round(found.hull_ratio, 9), round(found.gap, 9), round(found.protrusion, 9)
    (1.0, 0.0, 0.0)
    """
    pieces = items(pieces, "pieces")
    if not pieces:
        raise ValueError("pieces: there are none")
    for number, piece in enumerate(pieces):
        check_type(piece, (ConvexHull,), f"pieces[{number}]")
        if piece.dimension < 3:
            raise ValueError(f"pieces[{number}] has no volume")
    hull = convex_hull(points)
    check_range(hull.points, "points")
    mesh = None if triangles is None else Meshes.from_triangles([(points, triangles)])
    size = float(length(np.ptp(hull.points[hull.vertices], axis=0)))
    volume = sum(float(piece.volume) for piece in pieces)
    parts = [] if mesh is None else closed_parts(points, mesh.geometry[0].triangles)
    solid = bool(parts) and all(part.closed for part in parts)
    enclosed_volume = sum(_volume(part) for part in parts) if solid else np.nan
    out, out_error = _protrusion(pieces, hull, mesh, size)
    gap, gap_error = _gap(pieces, hull, mesh, [part for part in parts if part.closed], solid, size)
    return PiecesQuality(
        count=len(pieces),
        volume=volume,
        hull_ratio=volume / hull.volume if hull.volume > 0.0 else np.inf,
        mesh_ratio=volume / enclosed_volume if enclosed_volume > 0.0 else np.nan,
        protrusion=float(out.max()),
        protrusion_error=_error(out, out_error),
        gap=float(gap.max()),
        gap_error=_error(gap, gap_error),
        pieces=tuple(
            FitQuality(float(piece.volume), np.nan, np.nan, *(float(x) for x in numbers))
            for piece, *numbers in zip(pieces, out, gap, gap_error, out_error, strict=True)
        ),
    )


def _volume(part: MeshPart) -> float:
    return enclosed(Meshes.from_triangles([(part.points, part.triangles)]))


def _error(found: Floats, error: Floats) -> float:
    """Return how far the largest of the true numbers may exceed the largest of the measured ones."""
    return float((found + error).max() - found.max())


class _Solid:
    """Closed parts of a mesh, which measure how deep points are inside them."""

    def __init__(self, parts: Sequence[MeshPart]) -> None:
        self._convex: list[ConvexHull] = []
        self._concave: list[Meshes] = []
        for part in parts:
            hull = convex_hull(part.points)
            if solidity(hull, part.triangles).convex:
                self._convex.append(hull)
            else:
                self._concave.append(Meshes.from_triangles([(part.points, part.triangles)], solid=True))
        self._bounds = [_bounds(hull.points[hull.vertices], hull.tolerance) for hull in self._convex]

    def holds(self, corners: Floats) -> Bools:
        """Whether one convex part contains all corners (P, 4, 3) of each patch, and so the patch."""
        result = np.zeros(len(corners), np.bool_)
        for hull, (low, high) in zip(self._convex, self._bounds, strict=True):
            near = np.flatnonzero(((low <= corners) & (corners <= high)).all(axis=(1, 2)))
            if len(near):
                heights = highest(corners[near].reshape(-1, 3), hull).reshape(-1, 4)
                result[near] |= (heights <= hull.tolerance).all(axis=1)
        return result

    def depth(self, points: Floats) -> Floats:
        """A lower bound of the distance of points (K, 3) from the surface of a part around them; negative outside."""
        result = np.full(len(points), -1.0)
        for hull, (low, high) in zip(self._convex, self._bounds, strict=True):
            near = np.flatnonzero(((low <= points) & (points <= high)).all(axis=1))
            if len(near):
                found = -highest(points[near], hull)
                # Points on the surface, within rounding, count as inside.
                found = np.where((found < 0.0) & (found >= -hull.tolerance), 0.0, found)
                result[near] = np.maximum(result[near], found)
        for mesh in self._concave:
            within = np.flatnonzero(inside(mesh_rows(mesh), np.zeros(len(points), np.int64), points))
            if len(within):
                result[within] = np.maximum(result[within], to_surface(points[within], mesh)[0])
        return result


def _bounds(points: Floats, more: float) -> tuple[Floats, Floats]:
    return points.min(axis=0) - more, points.max(axis=0) + more


def _gap(
    pieces: Sequence[ConvexHull],
    hull: ConvexHull,
    mesh: Meshes | None,
    parts: Sequence[MeshPart],
    solid: bool,
    size: float,
) -> tuple[Floats, Floats]:
    """For each piece, the largest distance found of its surface from the mesh, and how much larger that may be.

    `parts` are the closed parts of the mesh; `solid`: it has no others.
    """
    within = _Solid(parts)
    seam, sliver = PIECE_SEAM * size, PIECE_SLIVER * size

    def look(patches: Patches, number: Ints) -> tuple[Floats, Floats]:
        middle, radius = patches.balls()
        corners = patches.corners()
        depth = within.depth(middle)
        covered, hidden = within.holds(corners), depth >= 0.0
        if not solid:
            # Two pieces that meet in a plane both contain it, so points a little outside the surface are tested.
            outward = 2.0 * seam * normalized(cross(patches.first, patches.second), np.zeros(3))
            flat = (corners + outward[:, None]).reshape(-1, 3)
            between = np.zeros(len(middle), np.bool_)
            for piece in pieces:
                # A convex piece that contains the corners of a flat patch contains the patch.
                covered |= (highest(flat, piece) <= seam).reshape(-1, 4).all(axis=1)
                between |= highest(middle + outward, piece) <= seam
            covered |= between & (radius <= sliver)
            hidden |= between
        found, bound = np.zeros(len(middle)), np.zeros(len(middle))
        seen = np.flatnonzero(~covered)
        if len(seen):
            found[seen], bound[seen] = apart(patches.take(seen), hull, mesh)
        bound = np.where(depth > 0.0, np.minimum(bound, np.maximum(radius - depth, 0.0)), bound)
        return np.where(hidden, 0.0, found), bound

    surface = [patches_of(Hulls([piece], [0]))[0] for piece in pieces]
    number = np.repeat(np.arange(len(pieces)), [len(one) for one in surface])
    joined = Patches.joined(surface)
    return largest_of_each(joined, number, len(pieces), look, FIT_GAP * size, len(joined) + _QUERIES)


def _protrusion(
    pieces: Sequence[ConvexHull], hull: ConvexHull, mesh: Meshes | None, size: float
) -> tuple[Floats, Floats]:
    """For each piece, the largest distance found of a point of the mesh that is outside all and nearest to it.

    The error bound of the distance is returned as well.
    """
    best, none = np.zeros(len(pieces)), np.zeros(len(pieces))
    least = max(piece.tolerance for piece in pieces)
    if mesh is None:
        found, nearest, _ = _nearest(pieces, hull.points)
        np.maximum.at(best, nearest, np.where(found > least, found, 0.0))
        return best, none
    # A piece that contains the corners of a triangle contains the triangle.
    corners = mesh.geometry[0].corners
    held = np.zeros(len(corners), dtype=bool)
    for piece in pieces:
        low, high = _bounds(piece.points[piece.vertices], piece.tolerance)
        near = np.flatnonzero(~held & ((low <= corners) & (corners <= high)).all(axis=(1, 2)))
        if len(near):
            heights = highest(corners[near].reshape(-1, 3), piece).reshape(-1, 3)
            held[near] = (heights <= piece.tolerance).all(axis=1)
    if held.all():
        return best, none
    patches = flat_patches(corners[~held])
    radius = patches.balls()[1]
    found, _, heights = _nearest(pieces, patches.balls()[0])
    row, number = np.nonzero(np.maximum(heights, 0.0) <= (found + 2.0 * radius)[:, None])

    def look(some: Patches, numbers: Ints | None = None) -> tuple[Floats, Floats]:
        center, radius = some.balls()
        found, nearest, heights = _nearest(pieces, center)
        bound, ends = found + radius, some.corners()
        for one in np.unique(nearest):
            # The distance from a convex piece is greatest at a corner of the patch.
            rows = np.flatnonzero(nearest == one)
            out = np.maximum(to_hull(ends[rows].reshape(-1, 3), pieces[one]), 0.0)
            bound[rows] = np.minimum(bound[rows], out.reshape(-1, 4).max(axis=1))
        outside = np.where(found > least, found, 0.0)
        if numbers is None:
            return outside, bound
        # A piece that is this much farther from the center of a patch is not the nearest to any point of the patch.
        limit = found + 2.0 * radius
        far = np.maximum(heights[np.arange(len(numbers)), numbers], 0.0)
        for one in np.unique(numbers):
            rows = np.flatnonzero((numbers == one) & (far <= limit) & (nearest != one))
            if len(rows):
                far[rows] = np.maximum(to_hull(center[rows], pieces[one]), 0.0)
        value = np.where(nearest == numbers, outside, 0.0)
        return value, np.where((nearest == numbers) | (far <= limit), bound, 0.0)

    within = FIT_GAP * size
    most, error = largest(patches, look, within, len(patches) + _QUERIES)
    best, own = largest_of_each(patches.take(row), number, len(pieces), look, within, len(row) + _QUERIES)
    return best, np.minimum(own, np.maximum(most + error - best, 0.0))


def _nearest(pieces: Sequence[ConvexHull], points: Floats) -> tuple[Floats, Ints, Floats]:
    """The distances of points from the nearest piece, 0 inside, and the number of that piece: (K,) each.

    Also their heights above the faces of each piece, (K, pieces), which are lower bounds of the distance.
    """
    # The distance of a point from a piece is at least the greatest of its heights above the faces.
    heights = np.stack([highest(points, piece) for piece in pieces], axis=1)
    found, nearest = np.full(len(points), np.inf), np.zeros(len(points), dtype=np.int64)
    rows = np.arange(len(points))
    for order in np.argsort(heights, axis=1).T:
        left = rows[np.maximum(heights[rows, order], 0.0) < found]
        for number in np.unique(order[left]):
            here = left[order[left] == number]
            out = np.maximum(to_hull(points[here], pieces[number]), 0.0)
            closer = out < found[here]
            found[here[closer]], nearest[here[closer]] = out[closer], number
    return found, nearest, heights
