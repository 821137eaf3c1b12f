# SPDX-License-Identifier: GPL-3.0-or-later
"""Search for duplicates: pairs with the same geometry in the same place."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from ..narrow_phase.mesh import verdicts
from ..numerics.rows import Table, blocks, ragged_arange, ragged_blocks, rows_of_each
from ..numerics.tolerances import EPS, ROUNDING_STEPS, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import row_lengths
from ..numerics.vectors import length, normalized
from ..shapes import (
    UNBOUNDED,
    Boxes,
    Capsules,
    Compounds,
    Cones,
    Cylinders,
    Ellipsoids,
    HalfSpaces,
    Hulls,
    Meshes,
    Planes,
    Shapes,
    Spheres,
    Triangles,
)
from ..shapes.bounded import Geometries
from .operands import Operand, index_pairs, pair_margins, pair_shares, split_pairs
from .part_pairs import all_contained, part_pairs

# Candidates compared at a time, to limit the memory.
_BLOCK = 1 << 18
# Up to this many pairs of corners of two convex shapes, all pairs are compared.
_FEW = 1 << 12
# Maximum number of cells of a grid along each axis, so that three cell indices fit in an int64.
_CELLS = 1 << 20
# Growth of the radius in which corresponding points are searched.
_GROWTH = 8.0

_CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


def duplicates(a: Operand, b: Operand, pairs: ArrayLike | None = None, *, tolerance: ArrayLike = 0.0) -> Bools:
    """Whether the shapes of each pair are the same geometry in the same place.

    No point on the surface of one shape may be farther than the tolerance from the surface of the other.

    - Boxes, triangles and hulls are compared by their corners, also with each other.
    - Meshes are compared by their vertices and triangles, in any order, and regardless of the orientation of triangles.
      Meshes that divide the same surface into other triangles are not found.
    - Other shapes are compared with shapes of their own kind, by their centers, ends, radii and axes.
    - Compounds are compared by their parts: each part of one must be a duplicate of a part of the other.

    Parameters
    ----------
    a, b : batch of shapes or World
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.
    tolerance : float or (P,) array-like
        In the caller's unit. Rounding is always tolerated.

    Returns
    -------
    (P,) bool

    Raises
    ------
    ValueError
        If `a` or `b` is not a batch of shapes; if `pairs` has the wrong shape or refers to a row that does not exist;
        if `tolerance` is negative or not finite, or has another number of rows than there are pairs.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    >>> b = ck.Boxes([[0, 0, 0], [0, 0, 0.01]], [[1, 1, 1], [1, 1, 1]])
    >>> ck.duplicates(a, b)
    array([ True, False])
    >>> ck.duplicates(a, b, tolerance=0.1)
    array([ True,  True])
    """
    rows = index_pairs(a, b, pairs)
    allowed = np.array(row_lengths(tolerance, "tolerance", len(rows)))
    margins = pair_margins(a, b, rows)
    if margins is not None:
        # Different margins move the two surfaces apart by their difference.
        allowed -= np.abs(margins[:, 0] - margins[:, 1])
    result = np.zeros(len(rows), dtype=bool)
    for batch_a, batch_b, index_a, index_b, place in pair_shares(a, b, rows):
        result[place] = _of_batches(batch_a, batch_b, index_a, index_b, allowed[place])
    return result


def solids_in_one_place(a: Operand, b: Operand, rows: Ints, touching: Floats) -> Bools:
    """Return which pairs (P, 2) are duplicates, to rounding, of a solid mesh with a point deeper than `touching` (P,).

    Each of the two contains the other. May miss some.
    """
    result = np.zeros(len(rows), dtype=bool)
    for batch_a, batch_b, index_a, index_b, place in split_pairs(a, b, rows):
        if not (isinstance(batch_a, Meshes) and isinstance(batch_b, Meshes)):
            continue
        for block in blocks(len(place), _BLOCK):
            mine, theirs, at = index_a[block], index_b[block], place[block]
            some = np.flatnonzero(batch_a.solid[mine] & batch_b.solid[theirs])
            mine, theirs, at = mine[some], theirs[some], at[some]
            same = np.flatnonzero(_of_batches(batch_a, batch_b, mine, theirs, np.zeros(len(at))))
            result[at[same]] = verdicts.inner_depths(batch_a, mine[same]) > touching[at[same]]
    return result


def _of_batches(a: Shapes, b: Shapes, index_a: Ints, index_b: Ints, allowed: Floats) -> Bools:
    """Whether pairs of rows of two batches are duplicates."""
    result = np.zeros(len(index_a), dtype=bool)
    if isinstance(a, Compounds) or isinstance(b, Compounds):
        return _compounds(a.take(index_a), b.take(index_b), allowed)
    flat = isinstance(a, _FLAT) and isinstance(b, _FLAT)
    if not flat and type(a) is not type(b):
        return result
    if a.kind in UNBOUNDED:
        return _unbounded(a.take(index_a), b.take(index_b), allowed)
    lower_a, upper_a = _bounds(a, index_a)
    lower_b, upper_b = _bounds(b, index_b)
    middle = np.abs(lower_a + upper_a) / 2.0
    allowed = allowed + rounding(length(upper_a - lower_a) + length(upper_b - lower_b), length(middle))
    off = np.maximum(np.abs(lower_a - lower_b), np.abs(upper_a - upper_b)).max(axis=1, initial=0.0)
    near = np.flatnonzero(off <= allowed)
    first, second, allowed = a.take(index_a[near]), b.take(index_b[near]), allowed[near]
    if isinstance(first, Geometries) and isinstance(second, Geometries):
        # Rows that do not have the same geometry in the same frame are compared by their points.
        result[near] = _frames_apart(first, second) <= allowed
        left = np.flatnonzero(~result[near])
        near, first, second, allowed = near[left], first.take(left), second.take(left), allowed[left]
    if not len(near):
        return result
    if isinstance(first, Meshes) and isinstance(second, Meshes):
        result[near] = _meshes(first, second, allowed)
    elif flat:
        result[near] = _corners(first, second, allowed)
    else:
        result[near] = _apart(first, second) <= allowed
    return result


def _bounds(shapes: Shapes, rows: Ints) -> tuple[Floats, Floats]:
    """The bounds of rows, computed once for equal rows."""
    used, place = np.unique(rows, return_inverse=True)
    lower, upper = shapes.take(used).bounds()
    return lower[place], upper[place]


def _frames_apart(a: Geometries, b: Geometries) -> Floats:
    """Upper bound of the distance of corresponding points for rows with the same geometry, otherwise infinite: (P,)."""
    result = np.full(len(a), np.inf)
    ids = [np.array([id(one) for one in shapes.geometry])[shapes.index] for shapes in (a, b)]
    rows = np.flatnonzero(ids[0] == ids[1])
    turned = np.sqrt(((a.rotation[rows] - b.rotation[rows]) ** 2).sum(axis=(1, 2)))
    reach = np.empty(len(rows))
    for index, some in rows_of_each(a.index[rows]):
        reach[some] = np.sqrt((a.geometry[index].points ** 2).sum(axis=1).max())
    result[rows] = length(a.translation[rows] - b.translation[rows]) + turned * reach
    return result


def _apart(a: Shapes, b: Shapes) -> Floats:
    """Upper bound of the distance of any point of one surface from the other, for round shapes of one kind: (P,)."""
    if isinstance(a, Spheres) and isinstance(b, Spheres):
        return length(a.center - b.center) + np.abs(a.radius - b.radius)
    if isinstance(a, Ellipsoids) and isinstance(b, Ellipsoids):
        # Exactly one symmetric positive semidefinite matrix maps the unit ball to the ellipsoid.
        difference = _stretch(a) - _stretch(b)
        return length(a.center - b.center) + np.sqrt((difference * difference).sum(axis=(1, 2)))
    if isinstance(a, Cones) and isinstance(b, Cones):
        return np.maximum(_discs(a.base, b.base, a.apex, b.apex, a.radius, b.radius), length(a.apex - b.apex))
    if isinstance(a, Cylinders) and isinstance(b, Cylinders):
        return np.minimum(
            np.maximum(
                _discs(a.start, b.start, a.end, b.end, a.radius, b.radius),
                _discs(a.end, b.end, a.start, b.start, a.radius, b.radius),
            ),
            np.maximum(
                _discs(a.start, b.end, a.end, b.start, a.radius, b.radius),
                _discs(a.end, b.start, a.start, b.end, a.radius, b.radius),
            ),
        )
    assert isinstance(a, Capsules) and isinstance(b, Capsules)
    same = np.maximum(length(a.start - b.start), length(a.end - b.end))
    other = np.maximum(length(a.start - b.end), length(a.end - b.start))
    return np.minimum(same, other) + np.abs(a.radius - b.radius)


def _discs(
    center_a: Floats, center_b: Floats, top_a: Floats, top_b: Floats, radius_a: Floats, radius_b: Floats
) -> Floats:
    """Upper bound of the distance between two discs with these centers and radii, whose axes point to these tops."""
    axis_a, axis_b = (normalized(top - center, np.zeros(3)) for top, center in ((top_a, center_a), (top_b, center_b)))
    tilt = np.maximum(radius_a, radius_b) * length(axis_a - axis_b)
    return length(center_a - center_b) + np.abs(radius_a - radius_b) + tilt


def _stretch(shapes: Ellipsoids) -> Floats:
    return np.einsum("nik,nk,njk->nij", shapes.rotation, shapes.radii, shapes.rotation)


def _unbounded(a: Shapes, b: Shapes, allowed: Floats) -> Bools:
    """Half-spaces and planes. Tilted surfaces diverge without limit, so only rounding of the normal is tolerated."""
    assert isinstance(a, HalfSpaces | Planes) and isinstance(b, HalfSpaces | Planes)
    size = np.abs(np.stack([a.offset, b.offset])).max(axis=0)
    result = np.zeros(len(a), dtype=bool)
    for way in (1.0, -1.0) if isinstance(a, Planes) else (1.0,):
        level = np.abs(a.offset - way * b.offset) <= allowed + rounding(np.zeros_like(size), size)
        result |= level & (length(a.normal - way * b.normal) <= ROUNDING_STEPS * EPS)
    return result


def _compounds(a: Shapes, b: Shapes, allowed: Floats) -> Bools:
    if not isinstance(b, Compounds):
        a, b = b, a
    assert isinstance(b, Compounds)
    parts = part_pairs(a, b)
    of_pair, count = allowed[parts.pair], len(allowed)
    equal = duplicates(parts.a, parts.b, parts.rows, tolerance=np.maximum(of_pair, 0.0)) & (of_pair >= 0.0)
    return all_contained(equal, parts.pair, parts.rows[:, 0], count) & all_contained(
        equal, parts.pair, parts.rows[:, 1], count
    )


_FLAT = (Boxes, Triangles, Hulls)


def _corners(a: Shapes, b: Shapes, allowed: Floats) -> Bools:
    """Convex shapes with flat faces: each corner must be within the tolerance of a corner of the other shape.

    All other points are convex combinations of corners, so they are within the tolerance of the other shape, too.
    """
    p, start_p, count_p = _points(a)
    q, start_q, count_q = _points(b)
    result = np.ones(len(allowed), dtype=bool)
    for one, start, count, other, start_o, count_o in (
        (p, start_p, count_p, q, start_q, count_q),
        (q, start_q, count_q, p, start_p, count_p),
    ):
        # Compare all pairs of few corners. For large hulls, search for corresponding corners.
        many = count * count_o > _FEW
        for row in np.flatnonzero(many & result).tolist():
            mine, theirs = one[start[row] : start[row] + count[row]], other[start_o[row] : start_o[row] + count_o[row]]
            result[row] = _has_partners(mine, theirs, float(allowed[row]))
        few = np.flatnonzero(~many & result)
        for block in ragged_blocks((count * count_o)[few], _BLOCK):
            rows = few[block]
            of, place = ragged_arange(count[rows])
            point = start[rows][of] + place
            which, with_place = ragged_arange(count_o[rows][of])
            apart = length(one[point[which]] - other[start_o[rows][of[which]] + with_place])
            least = np.full(len(of), np.inf)
            np.minimum.at(least, which, apart)
            result[rows[of[least > allowed[rows][of]]]] = False
    return result


def _points(shapes: Shapes) -> tuple[Floats, Ints, Ints]:
    """The corners of all rows, consecutively, with the start and the number of those of each row."""
    if isinstance(shapes, Hulls):
        used, index = np.unique(shapes.index, return_inverse=True)
        hulls = [shapes.geometry[number] for number in used.tolist()]
        table = Table.of([hull.points[hull.vertices] for hull in hulls])
        count = table.count[index]
        row, place = ragged_arange(count)
        local = table.values[table.start[index][row] + place]
        points = np.einsum("kij,kj->ki", shapes.rotation[row], local) + shapes.translation[row]
        return points, np.cumsum(count) - count, count
    if isinstance(shapes, Boxes):
        corner = np.einsum("nij,kj,nj->nki", shapes.rotation, _CORNERS, shapes.half_extents) + shapes.center[:, None]
    else:
        assert isinstance(shapes, Triangles)
        corner = shapes.vertices
    count = np.full(len(corner), corner.shape[1])
    return corner.reshape(-1, 3), np.cumsum(count) - count, count


def _meshes(a: Meshes, b: Meshes, allowed: Floats) -> Bools:
    """Compare meshes by their vertices and triangles."""
    result = np.zeros(len(allowed), dtype=bool)
    for row in range(len(allowed)):
        (p, cells_p), (q, cells_q) = _placed(a, row), _placed(b, row)
        result[row] = same_surface(p, q, cells_p, cells_q, float(allowed[row]))
    return result


def _placed(shapes: Meshes, row: int) -> tuple[Floats, Ints]:
    """The welded vertices of a row in the world, and its triangles as indices of them."""
    mesh = shapes.geometry[shapes.index[row]]
    points = mesh.used_points @ shapes.rotation[row].T + shapes.translation[row]
    return points, np.searchsorted(mesh.used, mesh.welded_triangles)


def same_surface(p: Floats, q: Floats, cells_p: Ints, cells_q: Ints, tolerance: float) -> bool:
    """Whether points correspond one to one within the tolerance, and so do the cells (edges or triangles) between them.

    Parameters
    ----------
    p, q : (N, d) float64
        No two points of a set are at the same place.
    cells_p, cells_q : (M, k) int64
        Indices of points.
    tolerance : float
    """
    if p.shape != q.shape or cells_p.shape != cells_q.shape:
        return False
    theirs = _sorted(cells_q)
    return any(np.array_equal(_sorted(partner[cells_p]), theirs) for partner in _correspondences(p, q, tolerance))


def _sorted(cells: Ints) -> Ints:
    """Cells in a canonical order, with sorted points, so that equal sets of cells are equal arrays."""
    cells = np.sort(cells, axis=1)
    result: Ints = cells[np.lexsort(cells.T[::-1])]
    return result


def _correspondences(p: Floats, q: Floats, tolerance: float) -> Iterator[Ints]:
    """One-to-one correspondences of the points p with q (N, d) within the tolerance, the most likely first."""
    yield from _by_order(p, q, tolerance)
    nearest = partners(p, q, tolerance)
    if (nearest >= 0).all() and len(np.unique(nearest)) == len(nearest):
        yield nearest


def _by_order(p: Floats, q: Floats, tolerance: float) -> Iterator[Ints]:
    """Correspondences by index and by rank in sorted order, if all distances are within the tolerance."""
    every = np.arange(len(p))
    for order_p, order_q in ((every, every), (np.lexsort(p.T), np.lexsort(q.T))):
        if (np.square(p[order_p] - q[order_q]).sum(axis=1) <= tolerance * tolerance).all():
            ranked = np.empty(len(p), dtype=np.int64)
            ranked[order_p] = order_q
            yield ranked


def _has_partners(p: Floats, q: Floats, tolerance: float) -> bool:
    """Whether each point of p has a point of q within the tolerance."""
    by_order = p.shape == q.shape and next(_by_order(p, q, tolerance), None) is not None
    return by_order or bool((partners(p, q, tolerance) >= 0).all())


def partners(p: Floats, q: Floats, tolerance: float) -> Ints:
    """The nearest of the points q (M, d) within the tolerance of each of p (N, d), or -1."""
    result = np.full(len(p), -1)
    both = np.concatenate([p, q])
    extent = float(np.ptp(both, axis=0).max())
    # Rounding of the coordinates, for points that are exactly at the distance of the tolerance.
    slack = 4.0 * EPS * float(np.abs(both).max())
    # With this spacing, a cell contains about one vertex of a surface.
    spacing = extent / np.sqrt(len(q))
    radius = min(tolerance, spacing)
    missing = np.arange(len(p))
    while True:
        reach = radius + slack
        result[missing] = _nearest(p[missing], q, reach, max(2.0 * reach, spacing, extent / _CELLS))
        missing = missing[result[missing] < 0]
        if radius >= tolerance or not len(missing):
            return result
        radius = min(radius * _GROWTH, tolerance)


def _nearest(p: Floats, q: Floats, radius: float, size: float) -> Ints:
    """The nearest of q within a radius of each of p, or -1. Cells are at least twice the radius wide."""
    result = np.full(len(p), -1)
    low = np.minimum(p.min(axis=0), q.min(axis=0)) - radius
    step = size if size > 0.0 else 1.0
    cell = _key(((q - low) / step).astype(np.int64))
    order = np.argsort(cell, kind="stable")
    cell = cell[order]
    from_cell, to_cell = (((p + way - low) / step).astype(np.int64) for way in (-radius, radius))
    width = p.shape[1]
    best = np.full(len(p), np.inf)
    for corner in range(1 << width):
        upper = np.array([corner >> axis & 1 for axis in range(width)], dtype=bool)
        # Search a cell only once if it contains both ends of the range.
        asked = np.flatnonzero(((to_cell > from_cell) | ~upper).all(axis=1))
        key = _key(np.where(upper, to_cell[asked], from_cell[asked]))
        start = np.searchsorted(cell, key)
        count = np.searchsorted(cell, key, side="right") - start
        for block in ragged_blocks(count, _BLOCK):
            which, place = ragged_arange(count[block])
            mine, theirs = asked[block][which], order[start[block][which] + place]
            apart = np.sqrt(np.square(p[mine] - q[theirs]).sum(axis=1))
            # If a point is written several times, the last value stays: the nearest.
            far_first = np.argsort(-apart, kind="stable")
            far_first = far_first[apart[far_first] <= np.minimum(radius, best[mine[far_first]])]
            best[mine[far_first]], result[mine[far_first]] = apart[far_first], theirs[far_first]
    return result


def _key(cell: Ints) -> Ints:
    result = cell[:, 0]
    for axis in range(1, cell.shape[1]):
        result = (result << 21) + cell[:, axis]
    return result
