# SPDX-License-Identifier: GPL-3.0-or-later
"""A shorter way out for pairs that slide along each other, as a peg that is stuck in the floor of its hole.

`freeing` goes on as long as any pieces meet, so that sides that only touch hold back what slides along them. Here what
only touches is let go: B goes on until the pieces that cut into each other and the points inside are past, and is free
where no point is inside any more, by `interference`.
"""

import numpy as np

from ..grouped import smallest_per_group
from ..results import Floats, Ints
from .bodies import Surfaces
from .directions import directions
from .fits import opposed
from .freeing import Freeing, ways_out
from .inside import hits
from .interference import Submerged, measured
from .pieces import distances, meeting
from .search import Near, among
from .sides import Side, Whole, slack_of

# Looks before a pair is given up, and directions of each pair that go on at a time.
_LOOKS = 16
_AHEAD = 4


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
    row, along = directions(a, b, met)
    # Both ways along each.
    row, along = np.concatenate([row, row]), np.concatenate([along, -along])
    slack = 4.0 * slack_of(a, b)
    way = np.zeros(len(row))
    going = np.arange(len(row))
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
        step = _past(here_a, here_b, pieces, along[now], seen)
        done = now[free]
        # The last written of each pair is the shortest.
        done = done[np.argsort(-way[done], kind="stable")]
        best[row[done]], chosen[row[done]] = way[done], along[done]
        way[now] += step
        stuck = ~free & (step <= slack[row[now]])
        going = np.setdiff1d(going, now[free | stuck], assume_unique=True)
    return Freeing(best, chosen)


def _past(a: Side, b: Surfaces, met: Near, along: Floats, seen: Submerged) -> Floats:
    """How far B has to go along its direction until what cuts into each other now is past, (P,)."""
    result = np.zeros(len(b))
    deep = met.take(distances(a, b, met).distance < -4.0 * slack_of(a, b)[met.pair])
    np.maximum.at(result, deep.pair, ways_out(a, b, deep, along[deep.pair]))
    for solid, of_b, sign in ((a, True, 1.0), (b, False, -1.0)):
        inner = seen.take(seen.of_b == of_b)
        if len(inner) and not isinstance(solid, Whole):
            ahead = hits(solid, inner.pair, inner.point, sign * along[inner.pair]).distance
            np.maximum.at(result, inner.pair, np.where(np.isfinite(ahead), ahead, 0.0))
    return result
