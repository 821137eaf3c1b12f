# SPDX-License-Identifier: GPL-3.0-or-later
"""The queries for two batches of convex shapes: circles, axis-aligned boxes, rectangles and polygons.

Each function takes rows of A and of B, (P,) each. Cheap tests of bounds come first. The remaining pairs are tested
corner by corner, in blocks that fit into the caches. Coordinates are relative to A's place (its reference point), so
that scenes far from the origin are as precise as others.

Bounding boxes that are apart prove that the shapes are apart. Inner circles that overlap prove that the shapes overlap.
The remaining pairs of polygons are tested along a few directions. All these proofs require a gap or an overlap of more
than the pair's rounding, so that the exact test would have the same result.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ... import results
from ...numerics.rows import BLOCK
from ...numerics.rows import blocks as row_blocks
from ...numerics.tolerances import rounding
from ...numerics.types import Bools, Floats, Ints
from ...results import Contacts, Distances, FeatureKind, Separations, contact_type
from ..shapes.blocks import Convex, Cores, cores_of
from ..shapes.convex import AABBs, Circles, Polygons, Rectangles
from ..shapes.support_table import Complexes, verdicts
from .manifold import manifolds
from .sat import Facets, behind, best_facets, rectangle_facets
from .witnesses import Witnesses, named, witness_points

BOUNDING_BOXES = "bounding boxes"
INNER_CIRCLES = "inner circles"
FARTHEST_CORNERS = "farthest corners"

# Eight bytes that are all 1: the result of eight comparisons that are all true.
_ALL = np.uint64(0x0101010101010101)


def settle(a: Convex, b: Convex, rows_a: Ints, rows_b: Ints, shift: Floats | None = None) -> tuple[Bools, Ints]:
    """Pairs that certainly overlap (P,), and pairs still open; all others are apart. B is moved by `shift` (P, 2)."""
    result = np.zeros(len(rows_a), dtype=np.bool_)
    near = _near(a, b, rows_a, rows_b, shift)
    left, between = _not_by_circles(a, b, rows_a, rows_b, near, shift)
    results.record_resolved(BOUNDING_BOXES, len(rows_a) - len(near))
    results.record_resolved(INNER_CIRCLES, len(near) - len(left))
    result[near] = True
    result[left] = False
    if not (len(left) and isinstance(a, Polygons) and isinstance(b, Polygons)):
        return result, left
    i, j = rows_a.take(left), rows_b.take(left)
    spare = a.rows.guard.take(i) + b.rows.guard.take(j)
    known = verdicts(a.pool.directions, b.pool.directions, a.index.take(i), b.index.take(j), between, spare)
    results.record_resolved(FARTHEST_CORNERS, known != 0)
    result[left] = known > 0
    return result, left[known == 0]


def _near(a: Convex, b: Convex, rows_a: Ints, rows_b: Ints, shift: Floats | None) -> Ints:
    """The pairs whose bounds along the axes and the diagonals overlap."""
    in_order = [
        len(shapes) == len(rows) and bool((rows == np.arange(len(rows))).all())
        for shapes, rows in ((a, rows_a), (b, rows_b))
    ]
    found = [np.empty(0, np.int64)]
    for block in row_blocks(len(rows_a)):
        # Rows that are already in order need not be gathered.
        starts, ends = (
            bounds[block] if ordered else bounds.take(rows[block], axis=0)
            for bounds, rows, ordered in ((a.rows.starts, rows_a, in_order[0]), (b.rows.ends, rows_b, in_order[1]))
        )
        if shift is not None:
            x, y = shift[block].T
            moved = np.stack([x, y, x + y, x - y], axis=1)
            ends = ends + np.concatenate([moved, -moved], axis=1)
        found.append(block.start + np.flatnonzero((starts <= ends).view(np.uint64)[:, 0] == _ALL))
    return np.concatenate(found)


def _not_by_circles(
    a: Convex, b: Convex, rows_a: Ints, rows_b: Ints, slots: Ints, shift: Floats | None
) -> tuple[Ints, Complexes]:
    """The given pairs whose inner circles do not overlap, and B's place minus A's place."""
    left, between = [np.empty(0, np.int64)], [np.empty(0, np.complex128)]
    for block in row_blocks(len(slots)):
        part = slots[block]
        i, j = rows_a.take(part), rows_b.take(part)
        place, inner = b.rows.place.take(j) - a.rows.place.take(i), a.rows.core.take(i) + b.rows.core.take(j)
        if shift is not None:
            place += shift[part, 0] + 1j * shift[part, 1]
        x, y = place.real, place.imag
        rest = np.flatnonzero((inner <= 0.0) | (x * x + y * y >= inner * inner))
        left.append(part.take(rest))
        between.append(place.take(rest))
    return np.concatenate(left), np.concatenate(between)


# The size of the largest array of a block: a quarter of a megabyte.
_CELLS = 1 << 15


@dataclass(frozen=True, eq=False)
class Block:
    """Pairs of shapes of the same size classes.

    Attributes
    ----------
    slots : (n,) int64
        The places of these pairs in the query.
    a, b : Cores
    x, y : (n,) float64
        B's place minus A's place.
    size, slack : (n,) float64
        For each pair, the sum of the radii of the bounding circles, and the rounding.
    origin : (n, 2) float64
        A's place.
    boxes : bool
        Whether both are rectangles.
    """

    slots: Ints
    a: Cores
    b: Cores
    x: Floats
    y: Floats
    size: Floats
    slack: Floats
    origin: Floats
    boxes: bool

    @property
    def polygons(self) -> bool:
        """Whether no shape is a circle."""
        return self.a.has_edges and self.b.has_edges

    def facets(self) -> Facets | None:
        """The best facet of each pair; None for two circles."""
        if not (self.a.has_edges or self.b.has_edges):
            return None
        test = rectangle_facets if self.boxes else best_facets
        return test(self.a, self.b, self.x, self.y, self.size)

    def witnesses(self, facets: Facets | None) -> Witnesses:
        """The witness points of each pair."""
        return witness_points(self.a, self.b, self.x, self.y, facets, self.slack)


def blocks(
    a: Convex, b: Convex, rows_a: Ints, rows_b: Ints, slots: Ints | None = None, shift: Floats | None = None
) -> Iterator[Block]:
    """These pairs, or only those in `slots`, in blocks; B is moved by `shift` (P, 2)."""
    chosen = np.arange(len(rows_a)) if slots is None else slots
    boxes = all(isinstance(shapes, AABBs | Rectangles) for shapes in (a, b))
    class_a, class_b = a.rows.size_class[rows_a[chosen]], b.rows.size_class[rows_b[chosen]]
    key = class_a * (1 << 32) + class_b
    for value in np.unique(key):
        group = chosen if (key == value).all() else chosen[key == value]
        corners = int(value) >> 32, int(value) & ((1 << 32) - 1)
        step = int(np.clip(_CELLS // max(corners), 256, BLOCK))
        for some in row_blocks(len(group), step):
            part = group[some]
            i, j = rows_a[part], rows_b[part]
            cores = cores_of(a, i, corners[0]), cores_of(b, j, corners[1])
            places = relative_places(a, b, i, j, None if shift is None else shift[part])
            yield Block(part, *cores, *places, np.stack([a.rows.x[i], a.rows.y[i]], axis=1), boxes)


def relative_places(
    a: Convex, b: Convex, rows_a: Ints, rows_b: Ints, shift: Floats | None = None
) -> tuple[Floats, Floats, Floats, Floats]:
    """B's place minus A's place, x and y, the sum of the radii of the bounding circles, and the rounding of each pair.

    B is moved by `shift` (P, 2).
    """
    of_a, of_b = a.rows, b.rows
    x = (of_b.x[rows_b] - of_a.x[rows_a]) + (of_b.rest_x[rows_b] - of_a.rest_x[rows_a])
    y = (of_b.y[rows_b] - of_a.y[rows_a]) + (of_b.rest_y[rows_b] - of_a.rest_y[rows_a])
    if shift is not None:
        x, y = x + shift[:, 0], y + shift[:, 1]
    size = of_a.reach[rows_a] + of_b.reach[rows_b]
    return x, y, size, rounding(size, np.maximum(of_a.magnitude[rows_a], of_b.magnitude[rows_b]))


def overlap(a: Convex, b: Convex, rows_a: Ints, rows_b: Ints, shift: Floats | None = None) -> Bools:
    """Whether each pair has a common point; touching pairs overlap. B is moved by `shift` (P, 2)."""
    result, open_slots = settle(a, b, rows_a, rows_b, shift)
    for block in blocks(a, b, rows_a, rows_b, open_slots, shift):
        facets = block.facets()
        gap = facets.gap if facets is not None and block.polygons else block.witnesses(facets).distance
        result[block.slots] = gap <= block.slack
    results.record_resolved(results.EXACT, len(open_slots))
    return result


def separating_axis(a: Convex, b: Convex, rows_a: Ints, rows_b: Ints) -> Separations:
    """The largest gap along the edge normals and their opposites; with a circle, that of the closest points."""
    count = len(rows_a)
    result = Separations(np.empty(count), np.empty((count, 2)), *np.full((2, count, 2), -1, dtype=np.int64))
    for block in blocks(a, b, rows_a, rows_b):
        facets = block.facets()
        if facets is not None and block.polygons:
            _by_edges(block, facets, result)
            continue
        found = block.witnesses(facets)
        axis = np.stack([found.nx, found.ny], axis=1)
        result.put(block.slots, Separations(found.distance, axis, found.feature_a, found.feature_b))
    return result


def _by_edges(block: Block, facets: Facets, result: Separations) -> None:
    """Write the results of a block of polygons: the best facets, or edges whose opposite normals separate by more.

    Both directions of an edge normal are axes. For pairs that overlap, the outward one has the least overlap.
    """
    gap, by_b, edge = facets.gap.copy(), facets.by_b.copy(), facets.edge.copy()
    turned = np.zeros(len(gap), np.bool_)
    apart = np.empty(0, np.int64) if block.boxes else np.flatnonzero(gap > block.slack)
    parts, x, y = (block.a.take(apart), block.b.take(apart)), block.x[apart], block.y[apart]
    for of_b, sign in ((False, 1.0), (True, -1.0)) if len(apart) else ():
        far, which = behind(parts[of_b], parts[not of_b], sign * x, sign * y)
        rows = apart[better := far > gap[apart]]
        gap[rows], by_b[rows], edge[rows], turned[rows] = far[better], of_b, which[better], True
    slots = block.slots
    result.gap[slots] = gap
    for of_b, core, feature in ((False, block.a, result.feature_a), (True, block.b, result.feature_b)):
        chosen = np.flatnonzero(by_b == of_b)
        of, at = core.take(chosen), np.arange(len(chosen))
        outward = np.where(turned[chosen] == of_b, 1.0, -1.0)
        normals = np.stack([of.nx[edge[chosen], at], of.ny[edge[chosen], at]], axis=1)
        result.axis[slots[chosen]] = outward[:, None] * normals
        feature[slots[chosen]] = named(of, np.full(len(chosen), FeatureKind.EDGE), edge[chosen])


def distance(a: Convex, b: Convex, rows_a: Ints, rows_b: Ints) -> Distances:
    """Signed distance and witness points of each pair."""
    result = Distances.empty(len(rows_a), 2)
    for block in blocks(a, b, rows_a, rows_b):
        witnesses = block.witnesses(block.facets())
        normal = np.stack([witnesses.nx, witnesses.ny], axis=1)
        middle = block.origin + np.stack([witnesses.ax + witnesses.bx, witnesses.ay + witnesses.by], axis=1) / 2.0
        half = normal * (witnesses.distance / 2.0)[:, None]
        result.put(block.slots, Distances(witnesses.distance, middle - half, middle + half, normal, block.slack))
    return result


def contacts(a: Convex, b: Convex, rows_a: Ints, rows_b: Ints, margin: float) -> Contacts:
    """The contact manifold of each pair that overlaps or is no farther apart than `margin`."""
    found = []
    for block in blocks(a, b, rows_a, rows_b, near_pairs(a, b, rows_a, rows_b, margin)):
        facets = block.facets()
        witnesses = block.witnesses(facets)
        found.append(block_contacts(block, facets, witnesses, witnesses.distance <= margin + block.slack, margin))
    return Contacts.joined(found, 2)


def block_contacts(block: Block, facets: Facets | None, witnesses: Witnesses, near: Bools, margin: float) -> Contacts:
    """The contact manifolds of the pairs of a block that are `near` (n,)."""
    least = -(margin + block.slack)
    made = manifolds(block.a, block.b, block.x, block.y, facets, witnesses, least, block.slack)
    row, rank = np.nonzero(made.valid & near[:, None])
    feature_a, feature_b = made.feature_a[row, rank], made.feature_b[row, rank]
    return Contacts(
        pair=block.slots[row],
        point=block.origin[row] + np.stack([made.x[row, rank], made.y[row, rank]], axis=1),
        normal=np.stack([witnesses.nx[row], witnesses.ny[row]], axis=1),
        depth=np.maximum(made.depth[row, rank], -margin),
        type=contact_type(feature_a[:, 0], feature_b[:, 0]),
        feature_a=feature_a,
        feature_b=feature_b,
    )


def contains(a: Convex, b: Convex, rows_a: Ints, rows_b: Ints) -> Bools:
    """Whether A contains all of B; B may touch the boundary of A from inside."""
    result = np.zeros(len(rows_a), dtype=np.bool_)
    for block in blocks(a, b, rows_a, rows_b):
        x, y = block.b.x + block.x, block.b.y + block.y
        if isinstance(a, Circles):
            within = np.hypot(x, y).max(axis=0) + block.b.radius <= block.a.radius + block.slack
        else:
            within = np.ones(len(block.slots), np.bool_)
            for nx, ny, offset in zip(block.a.nx, block.a.ny, block.a.offset, strict=True):
                reach = (nx * x + ny * y).max(axis=0) + block.b.radius
                within &= reach <= offset + block.slack
        result[block.slots] = within
    return result


def near_pairs(a: Convex, b: Convex, rows_a: Ints, rows_b: Ints, margin: float, shift: Floats | None = None) -> Ints:
    """The pairs whose bounding circles are no farther apart than `margin` plus rounding; B moved by `shift` (P, 2)."""
    x, y, size, slack = relative_places(a, b, rows_a, rows_b, shift)
    near = np.hypot(x, y) <= size + margin + 2.0 * slack
    results.record_resolved(results.BOUNDING_SPHERES, ~near)
    results.record_resolved(results.EXACT, near)
    return np.flatnonzero(near)
