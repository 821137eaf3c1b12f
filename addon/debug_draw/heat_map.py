# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces that are colored by how far they are from others."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.world.hausdorff.distance_map import DistanceMap
from .primitives import Primitives, Scale


@dataclass(frozen=True, eq=False)
class HeatMap:
    """Triangles with the distances of their corners.

    Attributes
    ----------
    corners : (T, 3, 3) float32
    distance : (T, 3) float32
    """

    corners: NDArray[np.float32]
    distance: NDArray[np.float32]

    @classmethod
    def of(cls, found: DistanceMap) -> "HeatMap":
        """Return the triangles of a map that are visible."""
        shown = ~found.covered
        return cls(found.corners[shown].astype(np.float32), found.distance[shown].astype(np.float32))

    def raised(self, least: float) -> "HeatMap":
        """The triangles of which a corner is farther away than this."""
        rows = (self.distance > least).any(axis=1)
        return HeatMap(self.corners[rows], self.distance[rows])


def heat_primitives(maps: Sequence[HeatMap], greatest: float, scale: Scale) -> Primitives:
    """Show maps in the colors of a scale.

    Parameters
    ----------
    maps : sequence of HeatMap
    greatest : float
        The distance at the end of the scale, in the unit of the maps, more than 0. All greater ones look like it.
    scale : Scale
    """
    none = Primitives()
    distance = np.concatenate([none.grade, *(one.distance for one in maps)])
    return Primitives(
        graded=np.concatenate([none.graded, *(one.corners for one in maps)]),
        grade=np.minimum(distance / np.float32(greatest), np.float32(1.0)),
        scale=scale,
    )
