# SPDX-License-Identifier: GPL-3.0-or-later
"""Find shapes that are unchanged between two readings, with the same body and the same pairs to test."""

from collections.abc import Mapping

import numpy as np

from ...core.numerics.types import Ints
from ..collisions.pairing import Pairing
from ..model.report import ObjectKey
from ..scene.objects.collision_settings import ANY
from ..scene.reading.incremental import Reading


def rows_before(before: Reading, then: Pairing, row: Mapping[ObjectKey, int], now: Reading, pairing: Pairing) -> Ints:
    """Return the previous row of each row. -1 if its shape, body, set or group has changed.

    Parameters
    ----------
    before, now : Reading
    then, pairing : Pairing
        Of the previous and of the current reading.
    row : mapping of ObjectKey to int
        Rows of the previous reading.
    """
    result = np.full(len(now.keys), -1)
    for place, key in enumerate(now.keys):
        old = row.get(key, -1)
        if old >= 0 and before.entries[key] is now.entries[key]:
            result[place] = old
    rows = np.flatnonzero(result >= 0)
    owners_now, owners_then = (
        [reading.shapes.bodies[body].key for body in reading.shapes.body[which].tolist()]
        for reading, which in ((now, rows), (before, result[rows]))
    )
    same = np.array([one == other for one, other in zip(owners_now, owners_then, strict=True)], dtype=bool)
    for side_now, side_then in ((pairing.first, then.first), (pairing.second, then.second)):
        if side_now is not None and side_then is not None:
            same &= side_now[pairing.body[rows]] == side_then[then.body[result[rows]]]
    groups_now, groups_then = (_groups(of, which) for of, which in ((pairing, rows), (then, result[rows])))
    same &= (groups_now == groups_then).all(axis=0)
    result[rows[~same]] = -1
    return result


def _groups(pairing: Pairing, rows: Ints) -> Ints:
    """Return the collision group and mask of some rows, (2, K)."""
    if pairing.filter is None:
        return np.broadcast_to(np.array(ANY)[:, None], (2, len(rows)))
    return np.stack([pairing.filter.group[rows], pairing.filter.mask[rows]])
