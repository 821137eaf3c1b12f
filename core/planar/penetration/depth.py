# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a body has to move to be free of another, where one of the two is concave.

The translations of B at which it meets A are the configuration space obstacle A − B (doc4code 2011), here a union of
convex sets, one for each two pieces. The shortest way out ends on the boundary of the union: in the middle of a side or
an arc of one of the sets, or where two of them cross. All such places are candidates; tried from the shortest on, a
little beyond, the first at which the bodies do not meet is the answer, proved by the test itself. A way out may lead
into a hole, and leads across whatever lies between. Where there are many sets, the plane is searched
(`branch_and_bound`).
"""

import numpy as np

from ...numerics.tolerances import WAY_OUT
from ...numerics.types import Bools, Floats, Ints
from ..narrow_phase import convex
from ..narrow_phase.convex import blocks
from ..shapes.pair_frames import local_pairs
from ..shapes.regions import Body, piece_pairs, pieces_of, ranges
from .boundary import Curves, Exits, crossings, nearest_places, nearness, sides
from .branch_and_bound import shortest_way
from .minkowski_difference import Obstacle

# Sets of a pair whose curves are crossed all with all; of more, the plane is searched.
_FEW_SETS = 12
# Candidates of each pair that are tried together at first; twice as many each time none of them is free.
_FIRST_TRIES = 4


def shortest_exit(a: Body, b: Body, rows_a: Ints, rows_b: Ints) -> tuple[Floats, Floats]:
    """Length (P,) and direction (P, 2) of the shortest translation of B that parts it from A, for pairs that meet."""
    best = np.empty((len(rows_a), 2))
    for some, one, other in local_pairs(a, b, rows_a, rows_b):
        best[some] = _shortest(one, other)
    bound = np.hypot(best[:, 0], best[:, 1])
    apart = bound > 0.0
    direction = np.where(apart[:, None], best / np.where(apart, bound, 1.0)[:, None], [0.0, 1.0])
    return bound, direction


def _shortest(a: Body, b: Body) -> Floats:
    """The shortest way out of each row, (P, 2)."""
    rows = np.arange(len(a))
    best = _around(a, b, rows, rows)
    length = np.hypot(best[:, 0], best[:, 1])
    many = ranges(a, rows)[1] * ranges(b, rows)[1] > _FEW_SETS
    for at in np.flatnonzero(many & (length > 0.0)).tolist():
        best[at] = shortest_way(Obstacle(a, b, at, at, length[at]), best[at])
    few = np.flatnonzero(~many)
    best[few] = _least_of_all(a, b, few, few, best[few])
    return best


def _least_of_all(a: Body, b: Body, rows_a: Ints, rows_b: Ints, around: Floats) -> Floats:
    """The shortest way out of each pair, (P, 2), by the exits of all its curves; those around the bodies are known."""
    if not len(rows_a):
        return around
    best = around.copy()
    curves, size = _curves(a, b, rows_a, rows_b)
    bound = np.hypot(best[:, 0], best[:, 1])
    for step in (nearest_places, crossings):
        # Only what is nearer than a way out that is known already.
        curves = curves.take(nearness(curves) <= bound[curves.owner])
        exits = step(curves)
        found = _first_free(a, b, rows_a, rows_b, exits, bound, size)
        better = np.isfinite(found[:, 0])
        best[better] = found[better]
        bound = np.hypot(best[:, 0], best[:, 1])
    return best


def _around(a: Body, b: Body, rows_a: Ints, rows_b: Ints) -> Floats:
    """The shortest way along an axis until the bounding boxes are apart, (P, 2)."""
    lower_a, upper_a = (side[rows_a] for side in a.bounds())
    lower_b, upper_b = (side[rows_b] for side in b.bounds())
    ways = np.concatenate([upper_a - lower_b, lower_a - upper_b], axis=1)
    least = np.abs(ways).argmin(axis=1)
    result = np.zeros((len(rows_a), 2))
    at = np.arange(len(rows_a))
    result[at, least % 2] = ways[at, least]
    return result


def _curves(a: Body, b: Body, rows_a: Ints, rows_b: Ints) -> tuple[Curves, Floats]:
    """The boundaries of the sets of all pairs of pieces, and the size of each pair of bodies."""
    found = []
    size = np.zeros(len(rows_a))
    first, second = pieces_of(a), pieces_of(b)
    for part in piece_pairs(a, b, rows_a, rows_b):
        for block in blocks(first, second, part.a, part.b):
            owner = part.owner[block.slots]
            np.maximum.at(size, owner, block.size)
            found += sides(block, owner)
    return Curves.joined(found), size


def _first_free(a: Body, b: Body, rows_a: Ints, rows_b: Ints, exits: Exits, bound: Floats, size: Floats) -> Floats:
    """The shortest exit of each pair a little beyond which the bodies do not meet; infinite where there is none."""
    result = np.full((len(rows_a), 2), np.inf)
    length = np.hypot(exits.x, exits.y)
    order = np.lexsort((length, exits.owner))
    order = order[length[order] < bound[exits.owner[order]]]
    owner = exits.owner[order]
    begin = np.searchsorted(owner, np.arange(len(rows_a)))
    end = np.searchsorted(owner, np.arange(len(rows_a)), side="right")
    tries = _FIRST_TRIES
    waiting = np.flatnonzero(begin < end)
    while len(waiting):
        until = np.minimum(begin[waiting] + tries, end[waiting])
        count = until - begin[waiting]
        at = np.repeat(begin[waiting] - (np.cumsum(count) - count), count) + np.arange(count.sum())
        tried, pair = order[at], owner[at]
        reach = WAY_OUT * size[pair]
        shift = np.stack([exits.x[tried] + reach * exits.ox[tried], exits.y[tried] + reach * exits.oy[tried]], axis=1)
        free = np.flatnonzero(~meets(a, b, rows_a[pair], rows_b[pair], shift))
        if len(free):
            which, place = np.unique(pair[free], return_index=True)
            chosen = tried[free[place]]
            result[which] = np.stack([exits.x[chosen], exits.y[chosen]], axis=1)
        begin[waiting] = until
        waiting = waiting[(until < end[waiting]) & ~np.isfinite(result[waiting, 0])]
        tries *= 2
    return result


def meets(a: Body, b: Body, rows_a: Ints, rows_b: Ints, shift: Floats | None = None) -> Bools:
    """Whether any two pieces have a point in common; B moved by `shift` (P, 2)."""
    result = np.zeros(len(rows_a), dtype=np.bool_)
    for part in piece_pairs(a, b, rows_a, rows_b):
        moved = None if shift is None else shift[part.owner]
        together = convex.overlap(pieces_of(a), pieces_of(b), part.a, part.b, moved)
        result[part.owner[together]] = True
    return result
