# SPDX-License-Identifier: GPL-3.0-or-later
"""Find colliders that are much larger than their meshes and fill empty space."""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...core import fit
from ...core.numerics.types import Floats, Ints
from ...core.numerics.vectors import cross, length
from ..asset_rules.limits import Length
from ..model.message import Message
from ..scene.colliders.sources import Source
from .decomposition import Decomposed
from .fit import Fitted

LARGEST_RATIO = 2.0
"""Largest volume of a collider, relative to its mesh, without an issue."""

LARGEST_GAP = 0.1
"""How far a collider may protrude from its mesh without an issue, as a fraction of the mesh size."""

OPENING = 0.02
"""The same for a mesh with openings, such as doorways, which the collider closes."""

_CLOSES = Message("Closes an opening of the mesh and protrudes by {length} there.")
_STICKS_OUT = Message("Protrudes from the mesh by {length}, more than a tenth of its size.")
_FILLS = Message("Has {ratio} × the volume of the mesh.")


class Fit(NamedTuple):
    """Comparison of a collider, or of all pieces together, with a mesh, as in `core.fit.FitQuality`."""

    mesh_ratio: float
    gap: float


class Loose(NamedTuple):
    """Problems of the collider of a mesh.

    Attributes
    ----------
    closes, sticks_out : float
        How far it protrudes from a mesh with and without openings. 0: not too far.
    ratio : float
        Its volume relative to the mesh. 0: not too large.
    """

    closes: float = 0.0
    sticks_out: float = 0.0
    ratio: float = 0.0

    @property
    def excess(self) -> tuple[float, float]:
        """Sort key, larger for looser colliders: the protrusion, then the volume."""
        return max(self.closes, self.sticks_out), self.ratio

    def messages(self) -> list[tuple[str, Message]]:
        """Return the ids of the issues and their sentences."""
        found = []
        if self.closes:
            found.append(("closes-opening", Message(_CLOSES, length=Length(self.closes))))
        if self.sticks_out:
            found.append(("collider-sticks-out", Message(_STICKS_OUT, length=Length(self.sticks_out))))
        if self.ratio:
            found.append(("collider-too-large", Message(_FILLS, ratio=f"{self.ratio:.3g}")))
        return found


class Judge:
    """Compares colliders with their meshes. Results are reused for copies."""

    def __init__(self) -> None:
        self._known: dict[tuple[float, float, int, int], Loose] = {}

    def of(self, fitted: Fitted, gap: float) -> Loose:
        """Return how a collider is too loose, unless its gap was requested. Empty for parts of a mesh and points."""
        source, quality = fitted.source, fitted.quality
        if not source.alone or not len(source.triangles) or fitted.kind == "MESH" or quality.gap <= gap:
            return Loose()
        if fitted.was_flat:
            return self._compared(source, Fit(_area_ratio(fitted), quality.gap), flat=True)
        if len(np.unique(source.triangles)) < len(source.points):
            return Loose()
        found = self._compared(source, Fit(quality.mesh_ratio, quality.gap))
        return found if found == Loose() else self._above_floor(fitted, found)

    def of_pieces(self, source: Source, decomposed: Decomposed) -> Loose:
        """Return the problems of all pieces of a mesh together."""
        return self._compared(source, Fit(decomposed.quality.mesh_ratio, decomposed.quality.gap))

    def _above_floor(self, fitted: Fitted, found: Loose) -> Loose:
        """Judge a collider of a mesh that may be open at the bottom, because nothing comes from below."""
        source = fitted.source
        points, triangles = fit.with_floor(source.points, source.triangles)
        if len(triangles) == len(source.triangles):
            return found
        quality = fit.fit_quality(fitted.shape, points, triangles)
        floored = replace(source, points=points, triangles=triangles)
        return self._compared(floored, Fit(quality.mesh_ratio, quality.gap))

    def _compared(self, source: Source, quality: Fit, *, flat: bool = False) -> Loose:
        key = (quality.mesh_ratio, quality.gap, len(source.points), len(source.triangles))
        if key not in self._known:
            self._known[key] = _compared(source.points, source.triangles, quality, flat)
        return self._known[key]


def _compared(points: Floats, triangles: Ints, quality: Fit, flat: bool) -> Loose:
    """Compare a collider with a mesh. For a flat mesh, only its plane matters, because nothing hits its edge."""
    size = float(length(np.ptp(points, axis=0)))
    ratio = quality.mesh_ratio if quality.mesh_ratio > LARGEST_RATIO else 0.0  # and if it is NaN
    through = not flat and quality.gap > _thickness(points)
    if quality.gap > OPENING * size and (through or fit.openings(points, triangles)):
        return Loose(quality.gap, 0.0, ratio)
    return Loose(0.0, quality.gap if quality.gap > LARGEST_GAP * size and not flat else 0.0, ratio)


def _thickness(points: Floats) -> float:
    """Return the thickness of points along their smallest principal axis.

    A larger ball around a point of a collider that contains no part of the mesh passes through it. So there is an
    opening, possibly at the border of a wall, as for doorways.
    """
    centered = points - points.mean(axis=0)
    axes = np.linalg.eigh(centered.T @ centered)[1]
    return float(np.ptp(centered @ axes, axis=0).min())


def _area_ratio(fitted: Fitted) -> float:
    """Return the area of the box of a flat mesh relative to the area of the mesh."""
    source = fitted.source
    corner = source.points[source.triangles]
    area = float(length(cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])).sum()) / 2.0
    return fitted.quality.volume / fitted.thickness / area if area > 0.0 else math.nan
