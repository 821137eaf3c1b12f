# SPDX-License-Identifier: GPL-3.0-or-later
"""Ellipsoids: unit balls scaled along their axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..kernels.supports import ELLIPSOID, Side
from ..numerics.types import Floats, Ints
from ..numerics.validation import common_rows, coordinates, sizes
from ..numerics.vectors import circles, length, moved, normalized
from ..results import FeatureKind
from .batch import Kind, Materials, rotations
from .sides import farthest, round_side
from .support_mapped import FLAT, Outline, SupportMapped

# The kind of a curved patch.
ROUND = FLAT + 1

# Triangles of the unit ball between the ends of its axes; and number of triangles around the center of a flat
# ellipsoid.
_OCTAHEDRON = np.array(
    [
        [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]
        if x * y * z > 0.0
        else [[0.0, y, 0.0], [x, 0.0, 0.0], [0.0, 0.0, z]]
        for x in (-1.0, 1.0)
        for y in (-1.0, 1.0)
        for z in (-1.0, 1.0)
    ]
)
_FAN = 64


@dataclass(frozen=True, eq=False, repr=False)
class Ellipsoids(SupportMapped):
    """Solid ellipsoids: unit balls, scaled along their axes, rotated and translated.

    Parameters
    ----------
    center : (N, 3) array-like
    radii : (N, 3) array-like
        Semi-axes. With one zero, the shape is an elliptic disc, with two a segment, with three a point.
    rotation : (N, 3, 3) array-like, optional
        The columns are the directions of the semi-axes. None: the axes of the world.
    materials : Materials, optional

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or out of range, or a radius is negative; names field and row.
    """

    center: Floats
    radii: Floats
    rotation: Floats
    kind: ClassVar[Kind] = Kind.ELLIPSOID

    def __init__(
        self, center: ArrayLike, radii: ArrayLike, rotation: ArrayLike | None = None, materials: Materials | None = None
    ) -> None:
        place, size = coordinates(center, "center", (-1, 3)), sizes(radii, "radii", (-1, 3))
        turn = rotations(rotation, len(place))
        place, size, turn = common_rows(center=place, radii=size, rotation=turn)
        self.fill(center=place, radii=size, rotation=turn, materials=materials)

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Rotate each shape by its matrix (N, 3, 3) about the origin, then translate it by its vector (N, 3)."""
        return self.with_fields(center=moved(self.center, rotation, translation), rotation=rotation @ self.rotation)

    def seen_from(self, origin: Floats) -> Self:
        """The shapes relative to points (N, 3)."""
        return self.with_fields(center=self.center - origin)

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        reach = length(self.rotation * self.radii[:, None])
        return self.center - reach, self.center + reach

    def bounding_spheres(self) -> tuple[Floats, Floats]:
        """The smallest bounding sphere: center (N, 3) and radius (N,)."""
        return self.center, self.size

    @property
    def size(self) -> Floats:
        """(N,) radius of the smallest bounding sphere."""
        return self.radii.max(axis=1, initial=0.0)

    def support(self, direction: Floats) -> Floats:
        """The farthest point of each shape along its direction, (N, 3) -> (N, 3). Across a flat disc: its center."""
        return farthest(self.side, direction)

    @property
    def side(self) -> Side:
        """The shapes as kernels read them."""
        return round_side(ELLIPSOID, self.rotation, self.center, self.radii)

    def outline(self, direction: Floats, level: Floats | None = None) -> Outline:
        """The point of each shape that is farthest along its unit direction (N, 3). It is on the only, curved face."""
        count = len(self)
        feature = np.zeros((count, 2, 2), dtype=np.int64)
        feature[self.radii.any(axis=1), :, 0] = FeatureKind.FACE
        kind = np.full(count, int(FeatureKind.VERTEX))
        corners = np.repeat(self.support(direction)[:, None], 2, axis=1)
        return Outline(kind, corners, direction, feature, feature, feature[:, 0])

    def patches(self) -> tuple[Ints, Floats, Ints]:
        """Eight patches of each ellipsoid between the ends of its semi-axes. For a disc: a fan of triangles."""
        solid = self.has_volume()
        local = np.where(solid[:, None, None, None], _OCTAHEDRON, np.zeros(3))
        count = len(self)
        corner = self.center[:, None, None] + np.einsum(
            "nij,ntkj->ntki", self.rotation, local * self.radii[:, None, None]
        )
        row = np.repeat(np.arange(count), len(_OCTAHEDRON))
        corner, kind = corner.reshape(-1, 3, 3), np.full(len(row), ROUND)
        keep = solid[row]
        # The two larger axes of flat ellipsoids.
        thin = np.flatnonzero(~solid)
        first, second = np.argsort(self.radii[thin], axis=1)[:, :0:-1].T
        axes = [self.radii[thin, k][:, None] * self.rotation[thin, :, k] for k in (second, first)]
        rim = circles(axes[0], axes[1], _FAN)
        fan = np.stack([np.zeros_like(rim), rim, np.roll(rim, -1, axis=1)], axis=2) + self.center[thin, None, None]
        return (
            np.concatenate([row[keep], np.repeat(thin, _FAN)]),
            np.concatenate([corner[keep], fan.reshape(-1, 3, 3)]),
            np.concatenate([kind[keep], np.full(len(thin) * _FAN, FLAT)]),
        )

    def on_patch(self, row: Ints, kind: Ints, point: Floats, ends: tuple[Floats, Floats] | None) -> Floats:
        """Points (K, 3) of patches, moved to the boundary, away from the center."""
        unit = normalized(self._in_ball(row, point), np.zeros(3))
        out = self.center[row] + np.einsum("nij,nj->ni", self.rotation[row], self.radii[row] * unit)
        return np.where((kind == ROUND)[:, None], out, point)

    def bulge(self, row: Ints, kind: Ints, corner: Floats) -> Floats:
        """Upper bound of the distance of the boundary from patches (K, 3, 3): (K,)."""
        # Three points of a ball are on a circle whose radius is at most the longest edge divided by the root of three.
        half = self.bend(row, kind, corner).max(axis=1, initial=0.0) / np.sqrt(3.0)
        return self.size[row] * (1.0 - np.sqrt(np.maximum(1.0 - half * half, 0.0)))

    def bend(self, row: Ints, kind: Ints, corner: Floats) -> Floats:
        """Lengths of the edges of patches (K, 3, 3) on the unit ball: (K, 3)."""
        local = self._in_ball(np.repeat(row, 3), corner.reshape(-1, 3)).reshape(-1, 3, 3)
        return np.where((kind == ROUND)[:, None], length(np.roll(local, -1, axis=1) - local), 0.0)

    def _in_ball(self, row: Ints, point: Floats) -> Floats:
        """Points (K, 3) mapped to the unit ball."""
        local = np.einsum("nij,ni->nj", self.rotation[row], point - self.center[row])
        radii = self.radii[row]
        return local / np.where(radii > 0.0, radii, 1.0)

    def lines(self, segments: int) -> Floats:
        """The three ellipses in the planes of the semi-axes, (N, L, 2, 3)."""
        angle = np.arange(segments) * (2.0 * np.pi / segments)
        circle = np.stack([np.cos(angle), np.sin(angle), np.zeros(segments)], axis=1)
        circles = np.stack([np.roll(circle, turn, axis=1) for turn in range(3)])
        local = np.stack([circles, np.roll(circles, -1, axis=1)], axis=2).reshape(-1, 3)
        found = np.einsum("nij,nkj->nki", self.rotation, local * self.radii[:, None]) + self.center[:, None]
        return found.reshape(len(self), -1, 2, 3)

    def oriented_box(self) -> tuple[Floats, Floats, Floats]:
        """The bounding box of each shape along its own axes: center (N, 3), half extents (N, 3), rotation (N, 3, 3)."""
        return self.center, self.radii, self.rotation
