# SPDX-License-Identifier: GPL-3.0-or-later
"""Cut a concave mesh by planes into few convex pieces, each the hull of what is on its side of all cuts.

Where a surface is concave, there is empty space between it and its convex hull. Along the normal of the surface, the
space is as high as the way to the hull. The integral of its root over the surface measures how concave a piece is. Each
step makes the cut that reduces the sum of all pieces most.

Candidates are the planes of faces that have points of the piece on both sides, as the faces beside a concave edge do.
For boxes that were put together, as in buildings and furniture, the pieces are these boxes. Curved concave surfaces
have no such planes and are approximated poorly.

Cutting along the planes at concave edges is an old method (Chazelle, "Convex partitions of polyhedra", 1984), and so is
stopping at a tolerated concavity (Lien and Amato, "Approximate convex decomposition of polyhedra", 2007).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..hull import ConvexHull, convex_hull, convex_hulls
from ..mesh.triangle_mesh import TriangleMesh
from ..numerics.rows import blocks
from ..numerics.tolerances import CUT_GAP, CUT_PLANE
from ..numerics.types import Floats
from ..numerics.validation import check_range, one_length, point_set, whole_number
from ..numerics.vectors import cross, length

# Triangles of a piece for which cuts are compared, and triangles for which the space above them is measured.
_COMPARED, _MEASURED = 128, 1024
# Planes that are tried for each piece, those with the largest faces first.
_PLANES = 24
# Dimensionless: a fraction of the measure of the piece. A cut that reduces it by less is not worth a piece.
_WORTH = 1e-3
# Products of a triangle and a face of the hull that are computed at once; this bounds the memory.
_NUMBERS = 1 << 20
# Unit normals and offsets, as fractions of the size, that agree to so many decimals are of one plane.
_DECIMALS = 5


def convex_pieces(
    points: ArrayLike, triangles: ArrayLike, pieces: int = 8, *, gap: float = CUT_GAP
) -> list[ConvexHull]:
    """Cut a mesh by planes into convex pieces that contain all of its triangles.

    The pieces do not overlap, but a piece may fill hollows of the mesh. Each step cuts the piece for which this helps
    most. It ends when the number of pieces is reached, when there is nowhere more space above the surface of a
    piece than `gap`, or when no cut helps.

    The hull of a surface without thickness, such as a box of single faces that face outward, has no space above it. It
    is not cut, although the hull fills it: compare the result with the mesh by `pieces_quality`.

    Parameters
    ----------
    points : (n, 3) array-like
    triangles : (m, 3) array-like of int
        Rows of `points`, counterclockwise as seen from outside.
    pieces : int
        Maximum number of pieces, at least 1.
    gap : float
        Dimensionless: a fraction of the diagonal of the bounds of the mesh. Measured along the normals, for
        meshes of many triangles at a sample of them.

    Returns
    -------
    list of ConvexHull
        Each has a volume, unless the mesh is flat: then there is one, its hull. Points without triangles are in none.

    Raises
    ------
    ValueError
        If shapes are wrong, a coordinate is not finite or out of range, there is no triangle, an index is out of range,
        `pieces` is less than 1, or `gap` is negative.

    Examples
    --------
    An L of two boxes:

    >>> import numpy as np
    >>> from collision_kit.core import fit
    >>> outline = np.array([(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (0, 2)])
    >>> points = np.array([(x, y, z) for z in (0, 1) for x, y in outline])
    >>> sides = [t for i in range(6) for j in [(i + 1) % 6] for t in ((i, j, j + 6), (i, j + 6, i + 6))]
    >>> floor = [(0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 5, 4)]
    >>> roof = [(a + 6, c + 6, b + 6) for a, b, c in floor]
    >>> sorted(round(piece.volume, 9) for piece in fit.convex_pieces(points, sides + floor + roof))
    [1.0, 3.0]
    """
    given = point_set(points, "points", (3,))
    check_range(given, "points")
    mesh = TriangleMesh.checked(given, triangles, "mesh")
    pieces, gap = whole_number(pieces, "pieces", 1), one_length(gap, "gap")
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    middle, size = low + (high - low) / 2.0, float(length(high - low))
    corners = (mesh.points[mesh.triangles] - middle) / (size or 1.0)
    whole = convex_hull(corners.reshape(-1, 3))
    if whole.dimension < 3:
        return [convex_hull(corners.reshape(-1, 3) * size + middle)]
    done: list[_Piece] = [_Piece.of(corners, whole)]
    cuts: list[_Cut | None] = [None if done[0].space <= gap else _best_cut(done[0])]
    while len(done) < pieces:
        row = max(range(len(done)), key=lambda one: 0.0 if (cut := cuts[one]) is None else cut.gain)
        cut = cuts[row]
        if cut is None:
            break
        done[row : row + 1] = cut.halves
        cuts[row : row + 1] = [None if half.space <= gap else _best_cut(half) for half in cut.halves]
    return convex_hulls([piece.corners.reshape(-1, 3) * size + middle for piece in done])


@dataclass(frozen=True, eq=False)
class _Piece:
    """A part of a mesh between cuts.

    Attributes
    ----------
    corners : (m, 3, 3) float64
        Its triangles, clipped. Some of them, chosen by area, are compared.
    compared : (k, 3, 3) float64
    space : float
        The greatest height of its hull above its surface.
    """

    corners: Floats
    compared: Floats
    space: float

    @classmethod
    def of(cls, corners: Floats, hull: ConvexHull) -> "_Piece":
        some = _sample(corners, _MEASURED)
        return cls(corners, _sample(corners, _COMPARED), float(_space(some, hull)[0].max(initial=0.0)))


class _Cut(NamedTuple):
    """A cut of a piece in two: how much less concave they are together, and the halves."""

    gain: float
    halves: "tuple[_Piece, _Piece]"


def _best_cut(piece: _Piece) -> _Cut | None:
    """Return the cut that leaves the least space between the surface and its hulls. None if no cut helps."""
    normals, offsets = _candidates(piece)
    sides = [_clipped(piece.compared, normal, offset) for normal, offset in zip(normals, offsets, strict=True)]
    if not len(normals):
        return None
    kept = [row for row, pair in enumerate(sides) if all(len(side) for side in pair)]
    whole, *hulls = convex_hulls(
        [piece.compared.reshape(-1, 3), *(side.reshape(-1, 3) for row in kept for side in sides[row])]
    )
    before = _concavity(piece.compared, whole)
    least, chosen = _WORTH * before, -1
    for number, row in enumerate(kept):
        pair = hulls[2 * number : 2 * number + 2]
        if min(hull.dimension for hull in pair) == 3:
            gain = before - sum(_concavity(side, hull) for side, hull in zip(sides[row], pair, strict=True))
            if gain > least:
                least, chosen = gain, row
    if chosen < 0:
        return None
    above, below = _clipped(piece.corners, normals[chosen], float(offsets[chosen]))
    hull, other = convex_hulls([above.reshape(-1, 3), below.reshape(-1, 3)])
    return _Cut(least, (_Piece.of(above, hull), _Piece.of(below, other)))


def _candidates(piece: _Piece) -> tuple[Floats, Floats]:
    """Return the unit normals, (K, 3), and offsets, (K,), of planes that may cut a piece well."""
    points = piece.compared.reshape(-1, 3)
    across = cross(piece.compared[:, 1] - piece.compared[:, 0], piece.compared[:, 2] - piece.compared[:, 0])
    area = length(across)
    faces = np.flatnonzero(area > CUT_PLANE**2)
    normals = across[faces] / area[faces, None]
    offsets = (normals * piece.compared[faces, 0]).sum(axis=1)
    # Faces that face each other may have one plane.
    largest = np.take_along_axis(normals, np.abs(normals).argmax(axis=1)[:, None], axis=1)
    rows = np.round(np.column_stack([normals, offsets]) * np.sign(largest), _DECIMALS) + 0.0
    _, first, plane = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    total = np.bincount(plane.ravel(), weights=area[faces], minlength=len(first))
    heights = points @ normals[first].T - offsets[first]
    between = (heights.min(axis=0) < -CUT_PLANE) & (heights.max(axis=0) > CUT_PLANE)
    order = np.argsort(-total, kind="stable")
    chosen = first[order[between[order]][:_PLANES]]
    return normals[chosen], offsets[chosen]


def _concavity(corners: Floats, hull: ConvexHull) -> float:
    """Return the integral of the square root of the space between triangles (m, 3, 3) and their hull.

    With the root, a cut along a wall of a room, which has nothing above it afterwards, counts for more than one through
    the middle of the room, which leaves half of the space above both walls.
    """
    space, area = _space(corners, hull)
    return float(area @ np.sqrt(space).mean(axis=1))


def _space(corners: Floats, hull: ConvexHull) -> tuple[Floats, Floats]:
    """Return how far the hull is above triangles along their normals, at the middles of their edges, and their areas.

    Returns
    -------
    (m, 3) float64
        0 for triangles without area.
    (m,) float64
    """
    edge = corners[:, 1:] - corners[:, :1]
    across = cross(edge[:, 0], edge[:, 1])
    area = length(across)
    result = np.zeros((len(corners), 3))
    sound = np.flatnonzero(area > CUT_PLANE**2)
    middle = (corners + np.roll(corners, -1, axis=1))[sound] / 2.0
    for rows in blocks(len(sound), max(1, _NUMBERS // len(hull.normals))):
        slope = (across[sound[rows]] / area[sound[rows], None]) @ hull.normals.T
        below = np.maximum(hull.offsets - middle[rows] @ hull.normals.T, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            way = np.where(slope[:, None] > CUT_PLANE, below / slope[:, None], np.inf)
        result[sound[rows]] = way.min(axis=2)
    return result, area / 2.0


def _sample(corners: Floats, most: int) -> Floats:
    """Return at most so many of some triangles, evenly by area."""
    if len(corners) <= most:
        return corners
    edge = corners[:, 1:] - corners[:, :1]
    total = np.cumsum(length(cross(edge[:, 0], edge[:, 1])))
    at = np.searchsorted(total, (np.arange(most) + 0.5) / most * total[-1])
    return corners[np.unique(np.minimum(at, len(corners) - 1))]


def _clipped(corners: Floats, normal: Floats, offset: float) -> tuple[Floats, Floats]:
    """Return what of triangles (m, 3, 3) is above and below a plane.

    Triangles in the plane bound the solid behind them.
    """
    height = corners @ normal - offset
    height[np.abs(height) <= CUT_PLANE] = 0.0
    side = np.sign(height)
    flat = ~side.any(axis=1)
    if flat.any():
        edge = corners[flat, 1:] - corners[flat, :1]
        side[flat] = -np.sign(cross(edge[:, 0], edge[:, 1]) @ normal)[:, None]
    above, below = (side >= 0.0).all(axis=1) & (side > 0.0).any(axis=1), (side <= 0.0).all(axis=1)
    crossing = np.flatnonzero(~(above | below))
    if not len(crossing):
        return corners[above], corners[below]
    # A corner that is alone on its side first. If one is in the plane, each of the others is; the one above is taken.
    lone = np.where((side[crossing] > 0.0).sum(axis=1)[:, None] == 1, side[crossing] > 0.0, side[crossing] < 0.0)
    order = (lone.argmax(axis=1)[:, None] + np.arange(3)) % 3
    rows = np.arange(len(crossing))[:, None]
    a, b, c = np.moveaxis(corners[crossing][rows, order], 1, 0)
    h, up = height[crossing][rows, order], side[crossing][rows, order][:, 0] > 0.0
    ab = a + (h[:, 0] / (h[:, 0] - h[:, 1]))[:, None] * (b - a)
    ac = a + (h[:, 0] / (h[:, 0] - h[:, 2]))[:, None] * (c - a)
    tip = np.stack([a, ab, ac], axis=1)
    rest = np.concatenate([np.stack([ab, b, c], axis=1), np.stack([ab, c, ac], axis=1)])
    twice = np.concatenate([up, up])
    return (
        np.concatenate([corners[above], tip[up], rest[~twice]]),
        np.concatenate([corners[below], tip[~up], rest[twice]]),
    )
