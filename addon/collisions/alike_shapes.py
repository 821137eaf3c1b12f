# SPDX-License-Identifier: GPL-3.0-or-later
"""Equal shapes in the same place, such as copies on top of each other, whose results are shared."""

import numpy as np

from ...core import World
from ...core.numerics.types import Bools, Ints
from ...core.planar.world import PlacedWorld
from ...core.shapes import Hulls, Meshes
from ..scene.reading.batches import PLACES
from .pair_evidence import PairEvidence


class AlikePairs:
    """Pairs of shapes. Only one of several equal pairs is tested.

    Parameters
    ----------
    world : World or PlacedWorld
    pairs : (P, 2) int64
        Rows of the world.

    Attributes
    ----------
    tested : (T,) int64
        Rows of `pairs`, one of each group of equal pairs.
    count : (T,) int64
        Number of pairs equal to each.
    """

    def __init__(self, world: World | PlacedWorld, pairs: Ints) -> None:
        self._pairs, self._size = pairs, len(world)
        first, second = _alike(world)
        codes = first[pairs]
        # A pair of equal shapes is represented by the first two.
        same = codes[:, 0] == codes[:, 1]
        codes[same, 1] = second[codes[same, 0]]
        _, self.tested, self._of, self.count = np.unique(
            codes @ np.array([self._size, 1]), return_index=True, return_inverse=True, return_counts=True
        )

    def all_in(self, some: Bools) -> Bools:
        """Return which tested pairs stand only for some of all pairs (P,), (T,)."""
        others = np.bincount(self._of.reshape(-1)[~some], minlength=len(self.tested))
        found: Bools = others == 0
        return found

    def told(self, found: PairEvidence) -> PairEvidence:
        """Return the evidence of all pairs from that of the tested ones."""
        if len(self.tested) == len(self._pairs):
            return found
        place = np.full(len(self.tested), -1)
        tested = self._pairs[self.tested] @ np.array([self._size, 1])
        order = np.argsort(tested)
        place[order[np.searchsorted(tested[order], found.pairs @ np.array([self._size, 1]))]] = np.arange(len(found))
        rows = place[self._of.reshape(-1)]
        return found.told_of(rows[rows >= 0], self._pairs[rows >= 0])


def _alike(world: World | PlacedWorld) -> tuple[Ints, Ints]:
    """Return, for each shape, the first equal shape in the same place, (N,), and the second of these, (N,)."""
    first = np.arange(len(world))
    second = first.copy()
    if isinstance(world, PlacedWorld):
        return first, second
    for number, batch in enumerate(world.batches):
        rows = np.flatnonzero(world.batch == number)
        if batch.kind not in PLACES:
            continue
        fields = [getattr(batch, name).reshape(len(batch), -1) for name in PLACES[batch.kind]]
        if isinstance(batch, Hulls | Meshes):
            fields.append(batch.index[:, None].astype(np.float64))
        if world.margin is not None:
            margin = np.empty((len(batch), 1))
            margin[world.slot[rows], 0] = world.margin[rows]
            fields.append(margin)
        table = np.concatenate(fields, axis=1)[world.slot[rows]] + 0.0
        _, earliest, group = np.unique(table, axis=0, return_index=True, return_inverse=True)
        group = group.reshape(-1)
        first[rows] = rows[earliest][group]
        for row, leader in zip(rows.tolist(), first[rows].tolist(), strict=True):
            if row != leader and second[leader] == leader:
                second[leader] = row
    return first, second
