# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of surfaces that count: those that are not hidden by other shapes, and that are within given ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...fit.patches import Patches
from ...numerics.types import Bools, Floats, Ints
from ...rays.in_worlds import Shapes, nearest
from ...rays.points import measure
from .exposure import Exposure


@dataclass(frozen=True, eq=False)
class Counted:
    """Tells points and patches of surfaces that count from those that do not.

    Attributes
    ----------
    exposure : Exposure or None
        What is hidden by other shapes does not count. None: nothing is hidden.
    within : Shapes or None
        What is outside of all of them does not count. None: it does.
    slack : float
        A point that is no farther outside of `within` than this counts.
    """

    exposure: Exposure | None
    within: Shapes | None
    slack: float

    @property
    def all(self) -> bool:
        """Whether everything counts."""
        return self.within is None and not self._hides

    @property
    def _hides(self) -> bool:
        return self.exposure is not None and self.exposure.any

    def leaves_out(self, points: Floats, normals: Floats, shape: Ints) -> Bools:
        """Whether points (P, 3) of the surfaces of shapes (P,) do not count; normals are zero where there is none."""
        out = np.zeros(len(points), dtype=bool)
        if self.exposure is not None:
            out = self.exposure.is_hidden(points, normals, shape)
        left = np.flatnonzero(~out)
        if self.within is not None and len(left):
            out[left] = self._away(points[left]) > self.slack
        return out

    def leave_out(self, patches: Patches, shape: Ints, center: Floats, radius: Floats) -> tuple[Bools, Bools]:
        """Whether the middles of patches do not count, and whether no point of the patches does, (P,) each."""
        out, whole = np.zeros((2, len(center)), dtype=bool)
        if self.within is not None and len(center):
            away = self._away(center)
            out, whole = away > self.slack, away > radius
        if self.exposure is not None:
            left = np.flatnonzero(~whole)
            hidden, gone = self.exposure.are_hidden(patches.take(left), shape[left], center[left], radius[left])
            out[left] |= hidden
            whole[left] = gone
        return out, whole

    def take_in(self, patches: Patches, shape: Ints, center: Floats, radius: Floats) -> Bools:
        """Whether it is certain that each point of a patch counts, (P,)."""
        result = np.ones(len(center), dtype=bool)
        if self.within is not None and len(center):
            result = self._away(center) + radius <= 0.0
        if self.exposure is not None:
            left = np.flatnonzero(result)
            result[left] = self.exposure.are_shown(patches.take(left), shape[left], center[left], radius[left])
        return result

    def hides_itself(self, shape: Ints) -> Bools:
        """Whether shapes (P,) have parts that can hide other parts."""
        if self.exposure is None or not self.exposure.any:
            return np.zeros(len(shape), dtype=bool)
        return self.exposure.hides_itself(shape)

    def _away(self, points: Floats) -> Floats:
        """Return how far points (P, 3) are outside of `within`, (P,); inside, not more than 0."""
        assert self.within is not None
        _, found = nearest(self.within, np.ascontiguousarray(points), measure, False)
        return found.distance
