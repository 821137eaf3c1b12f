# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole batches of convex shapes in the form that kernels read, and pairs that kernels can decide on their own."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..kernels import along_axes, axes, facets
from ..kernels import convex_pairs as kernel
from ..kernels.results import DistanceRows
from ..kernels.solids import Solids
from ..kernels.supports import Side
from ..numerics.rows import blocks
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import length
from ..results import Distances, Separations
from ..shapes import Boxes, Capsules, Cones, Cylinders, Ellipsoids, Hulls, Spheres, Triangles
from ..shapes.batch import Batch, BatchView, Kind, Rows
from ..shapes.sides import box_side, changed, side_of
from .cylinders import PlacedCylinders
from .polytopes.placed import PolytopeSupport, polytopes
from .rooms import arcs_room, manifold_room, polytope_room, work_room

# Kinds with a curved surface, apart from the radius of a sphere or capsule.
_CURVED = frozenset((Kind.CYLINDER, Kind.CONE, Kind.ELLIPSOID))

# Batches of up to this many shapes are converted as a whole, and larger ones if at least half of their rows are
# requested.
_WHOLE = 4096
# The number of pairs that are processed together with their faces, which need much memory.
FACED_BLOCK = 16384

# A point at the origin.
_POINT = box_side(np.zeros((1, 9)), np.zeros((1, 3)))

# The converted sides of batches, kept as long as the batches exist. Batches do not change.
_SIDES: WeakKeyDictionary[Batch, Side] = WeakKeyDictionary()
# The same for shapes with faces: the solids and their width.
_FACED: WeakKeyDictionary[Batch, tuple[Solids, int]] = WeakKeyDictionary()


def readable(*rows: Rows[Any]) -> bool:
    """Whether kernels can read these shapes: all convex kinds of this package, and no kind that derives from them."""
    return all(type(batch_of(of)) in _READ for of in rows)


def batch_of(rows: Rows[Any]) -> Any:
    """The whole batch that these rows are of."""
    return rows.batch if isinstance(rows, BatchView) else rows


def indexed(rows: Rows[Any]) -> tuple[Any, Ints]:
    """The whole batch, and the rows within it."""
    if isinstance(rows, BatchView):
        return rows.batch, np.ascontiguousarray(rows.rows)
    return rows, np.arange(len(rows))


def box_rows(boxes: Boxes) -> axes.BoxRows:
    """All boxes of a batch as kernels read them."""
    fields = boxes.center, boxes.half_extents, boxes.rotation
    return axes.BoxRows(*map(np.ascontiguousarray, fields))


def side_rows(rows: Rows[Any]) -> tuple[Side, Ints]:
    """The side of the batch, and the rows within it; of a few rows of a large batch, only the side of these.

    Compiled kernels cannot read kinds that are not `readable`; see `shapes.sides.chosen`.
    """
    batch, index = indexed(rows)
    side = _SIDES.get(batch)
    if side is None:
        read = _READ.get(type(batch), _of_mapped)
        if len(batch) > max(2 * len(index), _WHOLE):
            return read(batch.take(index)), np.arange(len(index))
        side = _SIDES[batch] = read(batch)
    return side, index


@dataclass(frozen=True)
class Faced:
    """Shapes with faces and edges as kernels read them.

    Attributes
    ----------
    solids : Solids
    width : int
        See `Pool.width`.
    rows : (P,) int64
        The row of each shape in the solids.
    """

    solids: Solids
    width: int
    rows: Ints


def faced(rows: Rows[Any], some: Ints) -> Faced:
    """Convert some rows of spheres, capsules, boxes, triangles or hulls.

    If hulls have no faces yet, only those of these rows are computed.
    """
    batch, index = indexed(rows)
    index = index if len(some) == len(index) else index[some]
    kept = _FACED.get(batch)
    if kept is not None:
        return Faced(*kept, index)
    count = len(batch)
    if count > _WHOLE:
        batch, index = batch.take(index), np.arange(len(index))
    every = polytopes(batch)
    if count <= _WHOLE and (len(index) >= count or every.cores.is_faceted):
        shapes = every.faceted(np.arange(count))
        kept = _FACED[batch] = shapes.solids, shapes.pool.width
        return Faced(*kept, index)
    shapes = every.faceted(index)
    return Faced(shapes.solids, shapes.pool.width, np.arange(len(index)))


def proved_distances(a: Rows[Any], b: Rows[Any], limit: float | None = None) -> tuple[Distances, Ints]:
    """Measure pairs of convex shapes that kernels can read. Also returns the rows that remain to be measured.

    Pairs that are farther apart than the limit are not measured exactly.
    """
    result = Distances.empty(len(a))
    proved = np.empty(len(a), dtype=bool)
    (side_a, rows_a), (side_b, rows_b) = side_rows(a), side_rows(b)
    bound, rooms = np.inf if limit is None else limit, (polytope_room(), work_room())
    written = DistanceRows(*vars(result).values())
    kernel.distances(side_a, rows_a, side_b, rows_b, are_curved(a, b), bound, *rooms, written, proved)
    return result, (~proved).nonzero()[0]


def proved_overlaps(a: Rows[Any], b: Rows[Any]) -> tuple[Bools, Ints]:
    """Decide which pairs of convex shapes overlap, as `proved_distances`."""
    overlap, proved = np.empty((2, len(a)), dtype=bool)
    kernel.overlaps(*side_rows(a), *side_rows(b), are_curved(a, b), work_room(), overlap, proved)
    return overlap, (~proved).nonzero()[0]


def proved_deeper(a: tuple[Side, Ints], b: tuple[Side, Ints], level: Floats, *, curved: bool) -> tuple[Bools, Ints]:
    """Decide which pairs of rows of two sides are deeper in each other than `level` (P,), as `proved_distances`."""
    deep, proved = np.empty((2, len(level)), dtype=bool)
    rooms = polytope_room(), work_room()
    kernel.deeper(*a, *b, curved, np.ascontiguousarray(level), *rooms, deep, proved)
    return deep, (~proved).nonzero()[0]


def best_facets(a: Rows[Any], b: Rows[Any]) -> Separations:
    """Find the facet of A - B with the largest gap for the cores of each pair; see `kernels.facets.best_facets`."""
    found = Separations.empty(len(a))
    for left, right, faced_a, faced_b, given in _faced_blocks(a, b, tuple(vars(found).values())):
        body_a, rows_a, body_b, rows_b = _bodies(left, right, faced_a, faced_b)
        facets.best_facets(body_a, rows_a, faced_a.rows, body_b, rows_b, faced_b.rows, *given)
    return found


def crossing_edges(a: Rows[Any], b: Rows[Any]) -> tuple[Ints, Ints, Ints]:
    """Find the pair, the edge of A and the edge of B for all edges whose arcs cross on the Gauss maps of A and -B."""
    found = [np.empty((0, 3), dtype=np.int64)]
    for left, right, faced_a, faced_b, (pairs,) in _faced_blocks(a, b, (np.arange(len(a)),)):
        body_a, _, body_b, _ = _bodies(left, right, faced_a, faced_b)
        count = facets.crossings(body_a, faced_a.rows, body_b, faced_b.rows, np.empty((0, 3), dtype=np.int64))
        some = np.empty((count, 3), dtype=np.int64)
        facets.crossings(body_a, faced_a.rows, body_b, faced_b.rows, some)
        found.append(np.column_stack([pairs[some[:, 0]], some[:, 1:]]))
    pair, edge_a, edge_b = np.concatenate(found).T
    order = np.lexsort((edge_b, edge_a, pair))
    return pair[order], edge_a[order], edge_b[order]


def _bodies(a: Rows[Any], b: Rows[Any], faced_a: Faced, faced_b: Faced) -> tuple[facets.Body, Ints, facets.Body, Ints]:
    """The shapes of A and of B with room for one pair, and the rows of each pair in their sides."""
    (side_a, rows_a), (side_b, rows_b) = side_rows(a), side_rows(b)
    width = max(faced_a.width, faced_b.width)
    room, (arcs_a, arcs_b) = manifold_room(width), arcs_room(width)
    body_a = facets.Body(side_a, faced_a.solids, room.a, arcs_a)
    return body_a, rows_a, facets.Body(side_b, faced_b.solids, room.b, arcs_b), rows_b


def measured_along(a: Rows[Any], b: Rows[Any], found: Separations, slack: Floats, *, complete: bool) -> Distances:
    """Measure pairs of polytopes whose best axes are known. A gap of at most `slack` (P,) is contact.

    If the axes are `complete`, their gaps decide. Otherwise, the closest points may show that flat cores are separated.
    """
    result = Distances.empty(len(a))
    fields = *vars(found).values(), slack, *vars(result).values()
    for left, right, faced_a, faced_b, given in _faced_blocks(a, b, fields):
        solids = faced_a.solids, faced_a.rows, faced_b.solids, faced_b.rows
        sides = *side_rows(left), *side_rows(right)
        rooms = manifold_room(max(faced_a.width, faced_b.width)), work_room()
        gap, axis, feature_a, feature_b, level, *written = given
        best = gap, axis, feature_a, feature_b, level
        along_axes.distances(*sides, *solids, *rooms, _POINT, complete, *best, DistanceRows(*written))
    return result


def _faced_blocks(
    a: Rows[Any], b: Rows[Any], fields: tuple[Any, ...]
) -> Iterator[tuple[Rows[Any], Rows[Any], Faced, Faced, tuple[Any, ...]]]:
    """Blocks of pairs, with their faces and with the part of each of the arrays (P, ...)."""
    count = len(a)
    for block in blocks(count, FACED_BLOCK):
        left, right, given, some = a, b, fields, np.arange(block.start, block.stop)
        if len(some) < count:
            left, right, given = selected(a, some), selected(b, some), tuple(field[block] for field in fields)
            some = some - block.start
        yield left, right, faced(left, some), faced(right, some), given


def selected(rows: Rows[Any], some: Ints) -> Rows[Any]:
    """Some of these rows, gathered when they are needed."""
    return replace(rows, rows=rows.rows[some]) if isinstance(rows, BatchView) else rows.take(some)


def taken(rows: Rows[Any], some: Ints) -> Rows[Any]:
    """Gather some of these rows; all of them stay as they are, if the batch is small, so that it is converted once."""
    return rows if len(some) == len(rows) and len(batch_of(rows)) <= _WHOLE else rows.take(some)


def are_curved(*rows: Rows[Any]) -> bool:
    """Whether any of these batches is of a kind with a curved surface, apart from the radius."""
    return any(batch_of(of).kind in _CURVED for of in rows)


def _of_polytopes(batch: Any) -> Side:
    rows = polytopes(batch)
    far = length(rows.translation)
    if isinstance(batch, Capsules):
        farthest = np.maximum(length(batch.start), length(batch.end))
    elif isinstance(batch, Triangles):
        farthest = length(batch.vertices).max(axis=1)
    else:
        farthest = far
    extents = np.stack([rows.size, rows.radius, farthest, far], axis=1)
    return PolytopeSupport.of(rows).side._replace(centers=rows.centers - rows.translation, extents=extents)


def _of_cylinders(batch: Cylinders) -> Side:
    rows = PlacedCylinders.of(batch)
    return rows.side._replace(centers=np.zeros((len(rows), 3)), extents=_extents(rows.size, rows.center))


def _of_mapped(batch: Any) -> Side:
    middle, side = batch.interior_point(), side_of(batch)
    return changed(side, centers=middle - side.translation, extents=_extents(batch.size, middle))


def _extents(size: Floats, middle: Floats) -> Floats:
    far = length(middle)
    return np.stack([size, np.zeros(len(size)), far, far], axis=1)


_READ: dict[type, Callable[[Any], Side]] = {
    **dict.fromkeys((Spheres, Capsules, Boxes, Triangles, Hulls), _of_polytopes),
    Cylinders: _of_cylinders,
    Cones: _of_mapped,
    Ellipsoids: _of_mapped,
}
