# SPDX-License-Identifier: GPL-3.0-or-later
"""How well several convex pieces together fit a mesh.

Both distances are found like the gap of one shape in `quality`. Only the parts of the surface of a piece that are
outside all other pieces count, and only the parts of the mesh that are outside all pieces.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..hull import ConvexHull, convex_hull
from ..numerics.tolerances import FIT_GAP, PIECE_SEAM, PIECE_SLIVER
from ..numerics.types import Floats, Ints
from ..numerics.validation import check_range, check_type, items
from ..numerics.vectors import length, normalized
from ..shapes import Hulls, Meshes
from .point_set import highest, to_hull
from .quality import Patches, apart, enclosed, flat_patches, largest, patches_of

_QUERIES = 12000
"""Limit for the points whose distance is measured, in addition to one for each triangle of the pieces or of the
mesh."""


@dataclass(frozen=True)
class PiecesQuality:
    """How convex pieces compare with the mesh that they were made for.

    Attributes
    ----------
    count : int
        The number of pieces.
    volume : float
        The sum of the volumes of the pieces; overlaps count for each piece.
    hull_ratio : float
        `volume` divided by the volume of the convex hull of the mesh. Infinite for a flat mesh.
    mesh_ratio : float
        `volume` divided by the volume that the mesh encloses; NaN if it is not watertight, or there are no triangles.
    protrusion : float
        The largest distance of a point on the surface of the mesh from all pieces; without triangles, of the points.
    protrusion_error : float
        The true protrusion is between `protrusion` and ``protrusion + protrusion_error``.
    gap : float
        The largest distance of a point on the outer surface of the pieces from the surface of the mesh; without
        triangles, from the convex hull. Parts nearer to another piece than a ten-thousandth of the size are not outer
        surface. Parts of the outer surface that are narrower than a hundredth of the size may be missed.
    gap_error : float
        The true gap is between `gap` and ``gap + gap_error``.
    """

    count: int
    volume: float
    hull_ratio: float
    mesh_ratio: float
    protrusion: float
    protrusion_error: float
    gap: float
    gap_error: float


def pieces_quality(
    pieces: Sequence[ConvexHull], points: ArrayLike, triangles: ArrayLike | None = None
) -> PiecesQuality:
    """How well several convex pieces together fit a mesh.

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
        As `convex_hull` and `Meshes.from_triangles`; also if there are no pieces, or one has no volume.

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
    inside = np.nan if mesh is None else enclosed(mesh)
    out, out_error = _protrusion(pieces, hull, mesh, size)
    gap, gap_error = _gap(pieces, hull, mesh, size)
    return PiecesQuality(
        count=len(pieces),
        volume=volume,
        hull_ratio=volume / hull.volume if hull.volume > 0.0 else np.inf,
        mesh_ratio=volume / inside if inside > 0.0 else np.nan,
        protrusion=out,
        protrusion_error=out_error,
        gap=gap,
        gap_error=gap_error,
    )


def _gap(pieces: Sequence[ConvexHull], hull: ConvexHull, mesh: Meshes | None, size: float) -> tuple[float, float]:
    """The largest distance found of a point of the outer surface from the mesh, and how much larger it may be."""
    seam, sliver = PIECE_SEAM * size, PIECE_SLIVER * size

    def look(patches: Patches) -> tuple[Floats, Floats]:
        # Two pieces that meet in a plane both contain it, so points a little outside the surface are tested.
        outward = 2.0 * seam * normalized(np.cross(patches.first, patches.second), np.zeros(3))[:, None]
        middle, radius = patches.balls()
        corners = (patches.corners() + outward).reshape(-1, 3)
        covered, hidden = (np.zeros(len(middle), dtype=bool) for _ in range(2))
        for piece in pieces:
            # A convex piece that contains the corners of a flat patch contains the patch.
            covered |= (highest(corners, piece) <= seam).reshape(-1, 4).all(axis=1)
            hidden |= highest(middle + outward[:, 0], piece) <= seam
        covered |= hidden & (radius <= sliver)
        found, bound = np.zeros(len(middle)), np.zeros(len(middle))
        seen = np.flatnonzero(~covered)
        if len(seen):
            found[seen], bound[seen] = apart(patches.take(seen), hull, mesh)
        return np.where(hidden, 0.0, found), bound

    surface = Patches.joined([patches_of(Hulls([piece], [0])) for piece in pieces])
    return largest(surface, look, FIT_GAP * size, len(surface) + _QUERIES)


def _protrusion(
    pieces: Sequence[ConvexHull], hull: ConvexHull, mesh: Meshes | None, size: float
) -> tuple[float, float]:
    """The largest distance found of a point of the mesh from all pieces, and how much larger it may be."""
    if mesh is None:
        return _without_rounding(_nearest(pieces, hull.points)[0].max(), pieces), 0.0
    # A piece that contains the corners of a triangle contains the triangle.
    corners = mesh.geometry[0].corners
    flat = corners.reshape(-1, 3)
    held = np.zeros(len(corners), dtype=bool)
    for piece in pieces:
        held |= (highest(flat, piece) <= piece.tolerance).reshape(-1, 3).all(axis=1)
    if held.all():
        return 0.0, 0.0
    patches = flat_patches(corners[~held])

    def look(some: Patches) -> tuple[Floats, Floats]:
        center, radius = some.balls()
        found, nearest = _nearest(pieces, center)
        # The distance from a convex piece is greatest at a corner of the patch.
        bound, ends = found + radius, some.corners()
        for number in np.unique(nearest):
            rows = np.flatnonzero(nearest == number)
            out = np.maximum(to_hull(ends[rows].reshape(-1, 3), pieces[number]), 0.0)
            bound[rows] = np.minimum(bound[rows], out.reshape(-1, 4).max(axis=1))
        return found, bound

    most, error = largest(patches, look, FIT_GAP * size, len(patches) + _QUERIES)
    return _without_rounding(most, pieces), error


def _nearest(pieces: Sequence[ConvexHull], points: Floats) -> tuple[Floats, Ints]:
    """The distances of points from the nearest piece, 0 inside, and the number of that piece: (K,) each."""
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
    return found, nearest


def _without_rounding(most: float, pieces: Sequence[ConvexHull]) -> float:
    return float(most) if most > max(piece.tolerance for piece in pieces) else 0.0
