# SPDX-License-Identifier: GPL-3.0-or-later
"""Recognize scenes in which different assets are stored at one place, as in asset libraries."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from ...core.constants import Verdict
from ...core.numerics.types import Floats, Ints
from ..model.folds import asset_or_name
from ..model.report import Body
from ..scene.reading.assets import bounds_of_bodies

# A library has at least this many assets at one place, and at least this fraction of all assets.
FEWEST, SHARE = 4, 2 / 3
# The place is the median of the origins. An asset is there if its bounds contain the place or are within this fraction
# of the median asset size of it, and its origin is within this fraction of its size.
NEAR_BOUNDS, NEAR_ORIGIN = 0.1, 0.5
# At least this fraction of the pairs of these assets overlap, with the center of the smaller one inside of the larger.
OVERLAPPING = 0.5


def stored_in_one_place(
    bodies: Sequence[Body],
    body: Ints,
    bounds: tuple[Floats, Floats],
    origins: Floats,
    pairs: Sequence[Ints],
) -> frozenset[str]:
    """Return the names of the assets that are stored at one place. Empty if the scene is not a library.

    Their origins and bounds are at one place, and most of them overlap, with the center of the smaller inside of the
    bounds of the larger. So things that stand on each other are no library. Copies of one asset do not count.

    Parameters
    ----------
    bodies : sequence of Body
    body : (N,) int64
        Body of each shape.
    bounds : (N, 3) float64 and (N, 3) float64
        Bounds of each shape.
    origins : (B, 3) float64
        Origin of the asset of each body, or of the body itself if it has no asset. NaN if unknown.
    pairs : (P,) int64, three times
        The two bodies and the verdict of each found pair.
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
    there = finite & around & near
    if there.sum() < max(FEWEST, SHARE * len(names)):
        return frozenset()
    body_a, body_b, verdict = pairs
    ends = np.sort(asset[np.stack([body_a, body_b], axis=1)], axis=1)
    different = there.copy()
    different[ends[verdict == Verdict.DUPLICATE, 1]] = False
    # Copies have the same size.
    sides = np.sort(upper - lower, axis=1)
    sides /= np.maximum(usual, np.finfo(float).tiny)
    different &= np.isin(np.arange(len(names)), np.unique(sides.round(3), axis=0, return_index=True)[1])
    count = int(different.sum())
    deep = ends[np.isin(verdict, (Verdict.PENETRATING, Verdict.CONTAINED)) & (ends[:, 0] != ends[:, 1])]
    overlapping = np.unique(deep[different[deep].all(axis=1)], axis=0)
    larger = size[overlapping[:, 0]] >= size[overlapping[:, 1]]
    small, large = (np.where(larger, *columns) for columns in (overlapping.T[::-1], overlapping.T))
    center = (lower[small] + upper[small]) / 2.0
    inside = int(((lower[large] <= center) & (center <= upper[large])).all(axis=1).sum())
    if count < FEWEST or count < SHARE * len(names) or inside < OVERLAPPING * count * (count - 1) / 2:
        return frozenset()
    return frozenset(names[one] for one in np.flatnonzero(there).tolist())
