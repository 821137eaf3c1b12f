# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces that are colored by their distances to others."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.numerics.vectors import cross
from ...core.world.hausdorff.distance_map import DistanceMap
from .primitives import Primitives, Scale

# A viewpoint inside a surface is moved this many times as far away as the surface.
BESIDE = 2.5


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
        """Return the triangles with a corner that is farther away than this."""
        rows = (self.distance > least).any(axis=1)
        return HeatMap(self.corners[rows], self.distance[rows])


def outside_of(surface: HeatMap, point: ArrayLike, direction: ArrayLike, distance: float) -> float:
    """Return this distance from a point, or a larger one that is outside of a closed surface in this direction.

    Parameters
    ----------
    surface : HeatMap
    point, direction : (3,) array-like
        The direction is a unit vector.
    distance : float
    """
    corners = surface.corners.astype(np.float64) - np.asarray(point, np.float64)
    way = np.asarray(direction, np.float64)
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = cross(way, second)
    volume = np.einsum("ti,ti->t", first, across)
    over = np.divide(1.0, volume, out=np.zeros_like(volume), where=volume != 0.0)
    u = -over * np.einsum("ti,ti->t", corners[:, 0], across)
    turned = cross(-corners[:, 0], first)
    v = over * (turned @ way)
    at = over * np.einsum("ti,ti->t", second, turned)
    crossed = np.sort(at[(volume != 0.0) & (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (at > distance)])
    return float(BESIDE * crossed[0]) if len(crossed) % 2 else distance


def heat_primitives(maps: Sequence[HeatMap], greatest: float, scale: Scale) -> Primitives:
    """Show maps in the colors of a scale.

    Parameters
    ----------
    maps : sequence of HeatMap
    greatest : float
        Distance at the end of the scale, in the unit of the maps, above 0. Larger distances have the same color.
    scale : Scale
    """
    none = Primitives()
    distance = np.concatenate([none.grade, *(one.distance for one in maps)])
    return Primitives(
        graded=np.concatenate([none.graded, *(one.corners for one in maps)]),
        grade=np.minimum(distance / np.float32(greatest), np.float32(1.0)),
        scale=scale,
    )
