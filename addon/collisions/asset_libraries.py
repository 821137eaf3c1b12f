# SPDX-License-Identifier: GPL-3.0-or-later
"""Recognizes scenes in which different assets are stored in one place, as in libraries of assets."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from ...core.constants import Verdict
from ...core.numerics.types import Floats, Ints
from ..model.folds import asset_or_name
from ..model.report import Body
from ..scene.reading.assets import bounds_of_bodies

# A library has at least so many assets in one place, which are this share of all.
FEWEST, SHARE = 4, 2 / 3
# The place is the median of the origins. An asset is there if its bounds contain the place, or are no farther from it
# than this share of the median size of the assets, and its origin is no farther from it than this share of its size.
NEAR_BOUNDS, NEAR_ORIGIN = 0.1, 0.5
# Of the pairs of these assets, so many overlap.
OVERLAPPING = 0.5


def stored_in_one_place(
    bodies: Sequence[Body],
    body: Ints,
    bounds: tuple[Floats, Floats],
    origins: Floats,
    pairs: Iterable[tuple[int, int, int]],
) -> frozenset[str]:
    """The names of the assets that are stored in one place; none if the scene is no library.

    They have their origins and their bounds at one place, and most of them overlap. Copies of one asset do not count.

    Parameters
    ----------
    bodies : sequence of Body
    body : (N,) int64
        That of each shape.
    bounds : (N, 3) float64 and (N, 3) float64
        Those of each shape.
    origins : (B, 3) float64
        Where the origin of the asset of each body is, or that of a body which is in none; NaN if it is unknown.
    pairs : iterable of (int, int, int)
        What was found: two bodies and the verdict of each pair. It is read only if the assets are in one place.
    """
    members: defaultdict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(bodies):
        members[asset_or_name(one)].append(number)
    names = sorted(members)
    if len(names) < FEWEST:
        return frozenset()
    place_of = {one: place for place, name in enumerate(names) for one in members[name]}
    asset = np.array([place_of[one] for one in range(len(bodies))])
    lower, upper = bounds_of_bodies(asset[body], bounds, len(names))
    at = origins[[members[name][0] for name in names]]
    size = (upper - lower).max(axis=1)
    finite = np.isfinite(size) & np.isfinite(at).all(axis=1)
    if not finite.any():
        return frozenset()
    place, usual = np.median(at[finite], axis=0), float(np.median(size[finite]))
    reach = NEAR_BOUNDS * usual
    around = (lower <= place + reach).all(axis=1) & (place <= upper + reach).all(axis=1)
    near = np.abs(at - place).max(axis=1) <= NEAR_ORIGIN * np.maximum(size, usual)
    there = set(np.flatnonzero(finite & around & near).tolist())
    if len(there) < max(FEWEST, SHARE * len(names)):
        return frozenset()
    overlapping, copies = set[frozenset[int]](), set[int]()
    of = asset.tolist()
    for a, b, verdict in pairs:
        first, second = sorted((of[a], of[b]))
        if first != second and verdict in (Verdict.PENETRATING, Verdict.CONTAINED):
            overlapping.add(frozenset((first, second)))
        elif verdict == Verdict.DUPLICATE:
            copies.add(second)
    different = there - copies
    count = len(different)
    inside = sum(one <= different for one in overlapping)
    if count < FEWEST or count < SHARE * len(names) or inside < OVERLAPPING * count * (count - 1) / 2:
        return frozenset()
    return frozenset(names[one] for one in there)
