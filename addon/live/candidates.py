# SPDX-License-Identifier: GPL-3.0-or-later
"""Candidate pairs of shapes, kept up to date while shapes move, appear and disappear."""

from collections.abc import Mapping, Sequence

import numpy as np

from ...core.broad_phase import SweepAndPrune
from ...core.numerics.types import Bools, Floats, Ints
from ..model.report import ObjectKey
from ..model.shapes import HalfSpace


class KeptCandidates:
    """Pairs of rows of a world whose bounds overlap. For a half-space, the rows whose bounds reach into it."""

    def __init__(self) -> None:
        self._sap = SweepAndPrune(np.empty((0, 3)), np.empty((0, 3)))
        self._slot: dict[ObjectKey, int] = {}
        self._slots: Ints = np.empty(0, dtype=np.int64)  # for each row; -1 for half-spaces
        self._rows: Ints = np.empty(0, dtype=np.int64)  # for each slot
        self._low, self._high = np.empty((2, 0, 3))
        self._endless: dict[int, HalfSpace] = {}

    def renew(
        self, keys: Sequence[ObjectKey], low: Floats, high: Floats, endless: Mapping[int, HalfSpace], changed: Bools
    ) -> None:
        """Replace all rows: keys, bounds (N, 3), half-spaces, and which rows may have moved."""
        bounded = {key: row for row, key in enumerate(keys) if row not in endless}
        gone = [key for key in self._slot if key not in bounded]
        if gone:
            self._sap.remove([self._slot.pop(key) for key in gone])
            self._sap.update()  # frees their slots
        moving = [row for key, row in bounded.items() if changed[row] and key in self._slot]
        if moving:
            self._sap.update([self._slot[keys[row]] for row in moving], low[moving], high[moving])
        new = [row for key, row in bounded.items() if key not in self._slot]
        if new:
            slots = self._sap.add(low[new], high[new])
            self._slot.update(zip((keys[row] for row in new), slots.tolist(), strict=True))
            self._sap.update()
        self._slots = np.array([self._slot.get(key, -1) for key in keys], dtype=np.int64)
        self._rows = np.full(int(self._slots.max(initial=-1)) + 1, -1)
        rows = np.flatnonzero(self._slots >= 0)
        self._rows[self._slots[rows]] = rows
        self._low, self._high, self._endless = low.copy(), high.copy(), dict(endless)

    def move(self, rows: Ints, low: Floats, high: Floats, endless: Mapping[int, HalfSpace]) -> None:
        """Change the bounds (K, 3) of these rows, and the half-spaces among them."""
        self._low[rows], self._high[rows] = low, high
        self._endless.update(endless)
        bounded = self._slots[rows] >= 0
        if bounded.any():
            self._sap.update(self._slots[rows[bounded]], low[bounded], high[bounded])

    def of(self, rows: Bools) -> Ints:
        """Return the pairs (P, 2) with one of these rows (a mask), in lexicographic order, lower row first."""
        pairs = self._rows[self._sap.pairs] if len(self._sap.pairs) else np.empty((0, 2), dtype=np.int64)
        found = [pairs[rows[pairs].any(axis=1)]]
        bounded = np.flatnonzero(self._slots >= 0)
        for row, surface in self._endless.items():
            others = bounded if rows[row] else bounded[rows[bounded]]
            nearest = np.where(surface.normal > 0.0, self._low[others], self._high[others])
            slack = 16.0 * np.finfo(np.float64).eps * (np.abs(nearest).max(axis=1, initial=0.0) + abs(surface.offset))
            meets = others[nearest @ surface.normal - surface.offset <= slack]
            found.append(np.stack([np.full(len(meets), row), meets], axis=1))
        every = np.sort(np.concatenate(found), axis=1)
        return every[np.lexsort((every[:, 1], every[:, 0]))]
