# SPDX-License-Identifier: GPL-3.0-or-later
"""A shorter way out for pairs that slide along each other, as a peg that is stuck in the floor of its hole.

`freeing` goes on as long as any pieces meet, so that sides that only touch hold back what slides along them. Here what
only touches is let go: B goes on until the pieces that cut into each other and the points inside are past, and is free
where no point is inside any more, by `interference`.
"""

import numpy as np

from ...numerics.rows import of_each, smallest_per_group
from ...numerics.types import Floats, Ints
from .bvh_traversal import Near, among
from .escape_directions import directions
from .interference import Submerged, measured
from .leaf_queries import distances, meeting
from .operands import Side, Whole, slack_of
from .penetration import Freeing, ways_out
from .placed import Surfaces
from .press_fits import opposed
from .ray_casting import hits

# Looks before a pair is given up, and directions of each pair that go on at a time.
_LOOKS = 16
_AHEAD = 4
# Dimensionless: components of directions that are taken for one differ by less.
_ALIKE = 1e-6


def only_touching(a: Side, b: Surfaces, met: Near) -> Ints:
    """Pairs with pieces that only touch, on sides that face each other: ascending."""
    rows = np.flatnonzero(opposed(a, b, met))
    asked = among(met, rows)
    touch = np.abs(distances(a.take(rows), b.take(rows), asked).distance) <= 4.0 * slack_of(a, b)[rows[asked.pair]]
    result: Ints = rows[np.unique(asked.pair[touch])]
    return result


def sliding(a: Side, b: Surfaces, met: Near, known: Freeing) -> Freeing:
    """A free translation of each pair, shorter than the `known` one where sliding is.

    Parameters
    ----------
    a, b, met
        Pairs that overlap, and all pieces of them that meet.
    """
    if not len(b):
        return known
    best, chosen = known.length.copy(), known.direction.copy()
    row, along = _both_ways(*directions(a, b, met))
    slack = 4.0 * slack_of(a, b)
    # All begin in one place, which is looked at once.
    way = _past(a, b, met, row, along, measured(a, b, met, level=slack)[1])
    going = np.flatnonzero(way > slack[row])
    for _ in range(_LOOKS):
        going = going[way[going] < best[row[going]] - slack[row[going]]]
        if not len(going):
            break
        now = going[smallest_per_group(row[going], way[going], _AHEAD)]
        here_a, here_b = a.take(row[now]), b.take(row[now], way[now, None] * along[now])
        pieces = meeting(here_a, here_b)
        level = 4.0 * slack_of(here_a, here_b)
        depth, seen = measured(here_a, here_b, pieces, level=level)
        free = depth <= level
        step = _past(here_a, here_b, pieces, np.arange(len(now)), along[now], seen)
        done = now[free]
        # The last written of each pair is the shortest.
        done = done[np.argsort(-way[done], kind="stable")]
        best[row[done]], chosen[row[done]] = way[done], along[done]
        way[now] += step
        stuck = ~free & (step <= slack[row[now]])
        going = np.setdiff1d(going, now[free | stuck], assume_unique=True)
    return Freeing(best, chosen)


def _both_ways(row: Ints, along: Floats) -> tuple[Ints, Floats]:
    """Directions (K, 3) of rows (K,) and the opposite ones, each of them once."""
    row, along = np.concatenate([row, row]), np.concatenate([along, -along])
    alike = np.column_stack([row, np.rint(along / _ALIKE)])
    first = np.sort(np.unique(alike, axis=0, return_index=True)[1])
    return row[first], along[first]


def _past(a: Side, b: Surfaces, met: Near, row: Ints, along: Floats, seen: Submerged) -> Floats:
    """How far B has to go along directions of rows (K,) until what cuts into each other now is past, (K,)."""
    result = np.zeros(len(row))
    deep = met.take(distances(a, b, met).distance < -4.0 * slack_of(a, b)[met.pair])
    which, at = of_each(row, deep.pair)
    np.maximum.at(result, which, ways_out(a, b, deep.take(at), along[which]))
    for solid, of_b, sign in ((a, True, 1.0), (b, False, -1.0)):
        inner = seen.take(seen.of_b == of_b)
        inner = inner.take(np.argsort(inner.pair, kind="stable"))
        which, at = of_each(row, inner.pair)
        if len(at) and not isinstance(solid, Whole):
            ahead = hits(solid, inner.pair[at], inner.point[at], sign * along[which]).distance
            np.maximum.at(result, which, np.where(np.isfinite(ahead), ahead, 0.0))
    return result
