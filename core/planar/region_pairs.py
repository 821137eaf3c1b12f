# SPDX-License-Identifier: GPL-3.0-or-later
"""The queries for pairs with a region: computed for the convex pieces, returned for the bodies.

A point is in a region if it is in one of its pieces. Overlap, positive distance and time of impact are therefore
exactly those of the nearest pieces. The cuts between pieces would give wrong normals of contacts, a wrong depth
(`depth`) and wrong containment. These are computed from the boundary.
"""

from dataclasses import replace

import numpy as np

from ..numerics.rows import smallest_per_group
from ..numerics.tolerances import SAME_CONTACT, rounding
from ..numerics.types import Bools, Floats, Ints
from ..results import Contacts, ContactType, Distances, Impacts, Separations
from .narrow_phase import convex, shape_cast
from .narrow_phase.convex import Block, blocks, near_pairs
from .narrow_phase.sat import Facets, edge_gaps
from .narrow_phase.witnesses import Witnesses
from .penetration.depth import meets, shortest_exit
from .shapes.blocks import Convex
from .shapes.convex import Circles
from .shapes.regions import Body, PiecePairs, Regions, piece_pairs, pieces_of, product, ranges


def boundary_contacts(
    a: Body, b: Body, rows_a: Ints, rows_b: Ints, margin: float, shift: Floats | None = None
) -> tuple[Contacts, Bools]:
    """Contacts with normals of the boundaries, and whether any two pieces of each pair are near (P,).

    B is moved by `shift` (P, 2).
    """
    found, touched = [], np.zeros(len(rows_a), dtype=np.bool_)
    scale = np.zeros(len(rows_a))
    first, second = pieces_of(a), pieces_of(b)
    for part in piece_pairs(a, b, rows_a, rows_b):
        moved = None if shift is None else shift[part.owner]
        near = near_pairs(first, second, part.a, part.b, margin, moved)
        for block in blocks(first, second, part.a, part.b, near, moved):
            facets, owner = block.facets(), part.owner[block.slots]
            assert facets is not None  # a region has edges
            witnesses = block.witnesses(facets)
            touched[owner[witnesses.distance <= margin + block.slack]] = True
            np.maximum.at(scale, owner, block.size)
            facets, witnesses, usable = _on_boundary(a, b, part.a, part.b, block, facets, witnesses)
            made = convex.block_contacts(
                block, facets, witnesses, usable & (witnesses.distance <= margin + block.slack), margin
            )
            found.append(replace(made, pair=part.owner[made.pair]))
    return _without_duplicates(Contacts.joined(found, 2), scale), touched


def _without_duplicates(found: Contacts, scale: Floats) -> Contacts:
    """The contacts of each pair, deepest first, without duplicates from several pieces; `scale` (P,): pair sizes."""
    found = found.take(np.lexsort((-found.depth, found.pair)))
    steps = np.rint(found.point / (SAME_CONTACT * scale[found.pair])[:, None])
    keys = np.column_stack((found.pair, steps, np.rint(found.normal / SAME_CONTACT)))
    kept = np.unique(keys, axis=0, return_index=True)[1]
    return found.take(np.sort(kept))


def _on_boundary(
    a: Body, b: Body, rows_a: Ints, rows_b: Ints, block: Block, facets: Facets, witnesses: Witnesses
) -> tuple[Facets, Witnesses, Bools]:
    """The facets and witness points of a block, and which are usable; overlapping pieces use a boundary facet."""
    corners_a, corners_b = _corner_ids(a, rows_a[block.slots]), _corner_ids(b, rows_b[block.slots])
    best, given = _boundary_facets(a, b, corners_a, corners_b, block, facets)
    apart = facets.gap > block.slack
    change = ~apart & np.isfinite(best.gap)
    chosen = best.where(change, facets)
    witnesses = block.witnesses(chosen)
    beside = _between(a, corners_a, witnesses.corner_a, witnesses.nx, witnesses.ny) & _between(
        b, corners_b, witnesses.corner_b, -witnesses.nx, -witnesses.ny
    )
    usable = np.where(apart, np.where(witnesses.facing, given, beside), change & witnesses.shared)
    return chosen, witnesses, usable


def _corner_ids(body: Body, rows: Ints) -> Ints | None:
    """The first corner of each piece in the pool of its region; None for other shapes."""
    return body.pieces.pool.start[body.pieces.index[rows]] if isinstance(body, Regions) else None


def _between(body: Body, first: Ints | None, corner: Ints, x: Floats, y: Floats) -> Bools:
    """Whether corners (-1 always passes) can be touched from the direction of a unit vector."""
    if first is None or not isinstance(body, Regions):
        return np.ones(len(corner), np.bool_)
    return (corner < 0) | body.cones.contains(first + np.maximum(corner, 0), x, y)


def _boundary_facets(
    a: Body, b: Body, corners_a: Ints | None, corners_b: Ints | None, block: Block, facets: Facets
) -> tuple[Facets, Bools]:
    """The best facet with an edge on the boundary and a corner that can be touched; whether each given facet is one.

    The gap is minus infinity if there is none.
    """
    count = len(block.slots)
    best, by_b, which = np.full(count, -np.inf), np.zeros(count, np.bool_), np.zeros(count, np.int64)
    given = np.zeros(count, np.bool_)
    for of_b in (False, True):
        of, other = (block.b, block.a) if of_b else (block.a, block.b)
        own, theirs = (corners_b, corners_a) if of_b else (corners_a, corners_b)
        body, other_body = (b, a) if of_b else (a, b)
        sign = -1.0 if of_b else 1.0
        for edge, gap in enumerate(edge_gaps(of, other, sign * block.x, sign * block.y)):
            real = np.minimum(edge, of.count - 1)
            fits = np.ones(count, np.bool_)
            if own is not None and isinstance(body, Regions):
                fits &= body.cones.boundary[own + real]
            lowest = np.minimum((of.nx[edge] * other.x + of.ny[edge] * other.y).argmin(axis=0), other.count - 1)
            fits &= _between(other_body, theirs, lowest, -of.nx[edge], -of.ny[edge])
            given |= fits & (facets.by_b == of_b) & (facets.edge == edge)
            better = fits & (gap > best)
            best, by_b, which = np.where(better, gap, best), np.where(better, of_b, by_b), np.where(better, edge, which)
    return Facets(best, by_b, which), given


overlap = meets


def distance(a: Body, b: Body, rows_a: Ints, rows_b: Ints) -> Distances:
    """The distance of the nearest pieces; for overlapping bodies, minus their penetration depth."""
    result = Distances.empty(len(rows_a), 2)
    result.distance[:], result.rounding[:] = np.inf, 0.0
    for part in piece_pairs(a, b, rows_a, rows_b):
        few = _nearest_few(a, b, part)
        found = convex.distance(pieces_of(a), pieces_of(b), few.a, few.b)
        best = smallest_per_group(few.owner, found.distance)
        result.put(few.owner[best], found.take(best))
    # A body without width may lie on a cut inside the other body, and only touch its pieces.
    thin = _flat(a)[rows_a] | _flat(b)[rows_b]
    close = np.flatnonzero(result.distance <= np.where(thin, result.rounding, -result.rounding))
    length, normal = shortest_exit(a, b, rows_a[close], rows_b[close])
    inner = length > result.rounding[close]
    deep, length, normal = close[inner], length[inner], normal[inner]
    middle = (result.point_a[deep] + result.point_b[deep]) / 2.0
    half = normal * (length / 2.0)[:, None]
    result.distance[deep], result.normal[deep] = -length, normal
    result.point_a[deep], result.point_b[deep] = middle + half, middle - half
    return result


def _flat(body: Body) -> Bools:
    """Return which rows are points or segments; a region is never one."""
    return np.zeros(len(body), np.bool_) if isinstance(body, Regions) else body.rows.inner <= 0.0


def _nearest_few(a: Body, b: Body, part: PiecePairs) -> PiecePairs:
    """The pairs of pieces that may be the nearest of their bodies, judged by their bounding circles."""
    x, y, size, slack = convex.relative_places(pieces_of(a), pieces_of(b), part.a, part.b)
    apart = np.hypot(x, y)
    # Each piece contains its place, so that two pieces are no farther apart than their places.
    most = np.full(int(part.owner.max(initial=0)) + 1, np.inf)
    np.minimum.at(most, part.owner, apart)
    near = apart - size - slack <= most[part.owner]
    return PiecePairs(part.owner[near], part.a[near], part.b[near])


def separating_axis(a: Body, b: Body, rows_a: Ints, rows_b: Ints) -> Separations:
    """The gap of the nearest pieces, or minus the depth: no single axis separates concave bodies."""
    found = distance(a, b, rows_a, rows_b)
    features = np.full((2, len(rows_a), 2), -1, dtype=np.int64)
    return Separations(found.distance, found.normal, features[0], features[1])


def contacts(a: Body, b: Body, rows_a: Ints, rows_b: Ints, margin: float) -> Contacts:
    """Contacts with normals of the boundaries; for overlapping bodies without any, one along the depth."""
    result, touched = boundary_contacts(a, b, rows_a, rows_b, margin)
    touched[result.pair] = False
    rest = np.flatnonzero(touched)
    if not len(rest):
        return result
    found = distance(a, b, rows_a[rest], rows_b[rest])
    none = np.full((len(rest), 2), -1, dtype=np.int64)
    along_depth = Contacts(
        pair=rest,
        point=(found.point_a + found.point_b) / 2.0,
        normal=found.normal,
        depth=np.maximum(-found.distance, -margin),
        type=np.full(len(rest), int(ContactType.EDGE_EDGE), np.int8),
        feature_a=none,
        feature_b=none,
    )
    return Contacts.joined([result, along_depth])


def contains(a: Body, b: Body, rows_a: Ints, rows_b: Ints) -> Bools:
    """Whether A contains all of B; B may touch the boundary of A from inside.

    A convex body contains another if it contains all of its pieces. A region contains a piece if it contains the place
    of the piece, and no side of its boundary reaches into the piece.
    """
    result = np.ones(len(rows_a), dtype=np.bool_)
    if not isinstance(a, Regions):
        for part in piece_pairs(a, b, rows_a, rows_b):
            contained = convex.contains(a, pieces_of(b), part.a, part.b)
            result[part.owner[~contained]] = False
        return result
    pieces = pieces_of(b)
    places = Circles(np.stack([pieces.rows.x, pieces.rows.y], axis=1), np.zeros(len(pieces)))
    for part in product(rows_a, np.ones(len(rows_a), np.int64), *ranges(b, rows_b)):
        contained = meets(a, places, part.a, part.b)
        thin = np.flatnonzero(contained & (pieces.rows.inner[part.b] <= 0.0))
        contained[thin] = _covered(a, pieces, part.a[thin], part.b[thin])
        # Bodies with a piece that is already known to protrude are not tested further.
        result[part.owner[~contained]] = False
        still = np.flatnonzero(result[part.owner])
        geometry = a.index[part.a[still]]
        first, count = a.first_side[geometry], np.diff(a.first_side)[geometry]
        for sides in product(first, count, part.b[still], np.ones(len(still), np.int64)):
            overlapping = np.flatnonzero(convex.overlap(a.sides, pieces, sides.a, sides.b))
            found = convex.distance(a.sides, pieces, sides.a[overlapping], sides.b[overlapping])
            contained[still[sides.owner[overlapping[found.distance < -found.rounding]]]] = False
        result[part.owner[~contained]] = False
    return result


def _covered(a: Regions, b: Convex, rows_a: Ints, rows_b: Ints) -> Bools:
    """Whether pieces of A together cover shapes that are segments or points: the uncovered rest has no length."""
    intervals = []
    for part in piece_pairs(a, b, rows_a, rows_b):
        for block in blocks(a.pieces, b, part.a, part.b):
            shape = block.b
            at = np.arange(len(shape))
            sx, sy = shape.x[0], shape.y[0]
            far = np.hypot(shape.x - sx, shape.y - sy).argmax(axis=0)
            dx, dy = shape.x[far, at] - sx, shape.y[far, at] - sy
            low, high = np.zeros(len(at)), np.ones(len(at))
            for nx, ny, offset in zip(block.a.nx, block.a.ny, block.a.offset, strict=True):
                spare = offset + block.slack - nx * (sx + block.x) - ny * (sy + block.y)
                rate = nx * dx + ny * dy
                bound = spare / np.where(rate != 0.0, rate, 1.0)
                high = np.where(
                    rate > 0.0, np.minimum(high, bound), np.where((rate == 0.0) & (spare < 0.0), -1.0, high)
                )
                low = np.where(rate < 0.0, np.maximum(low, bound), low)
            some = low <= high
            intervals.append(np.stack([part.owner[block.slots], low, high])[:, some])
    owner, low, high = np.concatenate([np.empty((3, 0)), *intervals], axis=1)
    order = np.lexsort((low, owner))
    owner, low, high = owner[order].astype(np.int64), low[order], high[order]
    reached, whole = np.zeros(len(rows_a)), np.ones(len(rows_a), np.bool_)
    # The intervals of each segment in order from its start: a gap before the next one is not covered.
    rank = np.arange(len(owner)) - np.searchsorted(owner, owner)
    for turn in range(int(rank.max(initial=-1)) + 1):
        now = rank == turn
        whole[owner[now]] &= low[now] <= reached[owner[now]]
        reached[owner[now]] = np.maximum(reached[owner[now]], high[now])
    return whole & (reached >= 1.0)


def time_of_impact(a: Body, b: Body, rows_a: Ints, rows_b: Ints, velocity_a: Floats, velocity_b: Floats) -> Impacts:
    """The first contact of any two pieces; its point and normal are those of the boundaries at that time."""
    result = Impacts.misses(len(rows_a), 2)
    for part in piece_pairs(a, b, rows_a, rows_b):
        found = shape_cast.time_of_impact(
            pieces_of(a), pieces_of(b), part.a, part.b, velocity_a[part.owner], velocity_b[part.owner]
        )
        best = smallest_per_group(part.owner, found.time)
        result.put(part.owner[best], found.take(best))
    hit = np.flatnonzero(result.hit)
    if not len(hit):
        return result
    t = result.time[hit, None]
    shift = t * (velocity_b[hit] - velocity_a[hit])
    length = float(np.hypot(*shift.T).max())
    touch, _ = boundary_contacts(
        a, b, rows_a[hit], rows_b[hit], float(rounding(np.array(length), np.array(0.0))), shift
    )
    which, first = np.unique(touch.pair, return_index=True)
    rows = hit[which]
    result.normal[rows] = touch.normal[first]
    result.point[rows] = touch.point[first] + t[which] * velocity_a[rows]
    return result
