# SPDX-License-Identifier: GPL-3.0-or-later
"""Point sets as support-mapped shapes."""

from dataclasses import dataclass

import numpy as np


@dataclass
class Clouds:
    """Hulls of points by their support mapping, without tables."""

    points: np.ndarray

    def __len__(self):
        return len(self.points)

    @property
    def size(self):
        return np.linalg.norm(self.points, axis=2).max(axis=1)

    def support(self, direction):
        best = np.einsum("pki,pi->pk", self.points, direction).argmax(axis=1)
        return self.points[np.arange(len(self)), best]

    def take(self, rows):
        return Clouds(self.points[rows])
