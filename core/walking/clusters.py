# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of places that are near each other and have the same key."""

import numpy as np

from ..numerics.rows import numbered_components
from ..numerics.types import Floats, Ints

_AROUND = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)], dtype=np.int64)


def clusters(key: Ints, places: Floats, reach: float) -> Ints:
    """Number the groups of places (K, 3) with the same key that are connected by distances of up to about `reach`.

    Returns
    -------
    (K,) int64
        From 0, in the order of their first places.
    """
    if not len(places):
        return np.empty(0, dtype=np.int64)
    cell = np.floor(places / reach).astype(np.int64)
    cell -= cell.min(axis=0) - 1
    size = cell.max(axis=0) + 2
    _, key = np.unique(key, return_inverse=True)
    number = ((key.reshape(-1) * size[0] + cell[:, 0]) * size[1] + cell[:, 1]) * size[2] + cell[:, 2]
    cells, of_place = np.unique(number, return_inverse=True)
    one, other = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for x, y, z in _AROUND.tolist():
        wanted = cells + (x * size[1] + y) * size[2] + z
        at = np.minimum(np.searchsorted(cells, wanted), len(cells) - 1)
        found = np.flatnonzero(cells[at] == wanted)
        one.append(found)
        other.append(at[found])
    group = numbered_components(len(cells), np.concatenate(one), np.concatenate(other))[of_place.reshape(-1)]
    # In the order of the first places.
    first = np.unique(group, return_index=True)[1]
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    result: Ints = rank[group]
    return result


def extent(places: Floats) -> float:
    """The greatest extent of places (K, 2) in any direction, to within 2 percent."""
    angle = np.arange(16) * np.pi / 16.0
    along = places @ np.stack([np.cos(angle), np.sin(angle)])
    return float(np.ptp(along, axis=0).max(initial=0.0)) if len(places) else 0.0
