# SPDX-License-Identifier: GPL-3.0-or-later
"""Cones: the convex hulls of a disc and a point above its center."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..kernels.supports import CONE, Side
from ..numerics.tolerances import FACE_TILT
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import common_rows, coordinates, sizes
from ..numerics.vectors import circles, cross, disc_support, dot, length, moved, normalized, perpendicular
from ..results import FeatureKind
from .batch import Kind, Materials
from .sides import farthest, round_side
from .support_mapped import FLAT, Outline, SupportMapped

# Edges of a cone: the rim of its base, and the line on its side that faces a direction.
RIM, SIDE = 0, 1

# Corners of the polygon that replaces the rim if the base lies on a face. They are points of the base. The sides
# between them are inside the rim by 1/200 of the radius.
_CORNERS = 32

# Kinds of patches, and the number of patches around the axis.
BASE, LATERAL = FLAT + 1, FLAT + 2
_AROUND = 8
# Dimensionless: fraction of the radius. Corners of the base this close to its rim are on the rim, and corners of the
# side this close to the axis are the apex.
_ON_RIM = 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class Cones(SupportMapped):
    """Solid right circular cones with a flat base.

    Parameters
    ----------
    base : (N, 3) array-like
        Centers of the bases.
    apex : (N, 3) array-like
        Tips. An apex at the center of its base is an error, because the base would have no direction.
    radius : (N,) array-like
        Radii of the bases. A cone with radius zero is a segment.
    materials : Materials, optional

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or out of range, a radius is negative, or a cone has no height;
        names the field and the row.

    Notes
    -----
    Features: the base is face 0, its rim edge 0, the side edge 1 and the apex vertex 0. If the radius is zero, the rim
    is vertex 1.
    """

    base: Floats
    apex: Floats
    radius: Floats
    kind: ClassVar[Kind] = Kind.CONE

    def __init__(self, base: ArrayLike, apex: ArrayLike, radius: ArrayLike, materials: Materials | None = None) -> None:
        low, high = coordinates(base, "base", (-1, 3)), coordinates(apex, "apex", (-1, 3))
        size = sizes(radius, "radius", (-1,))
        low, high, size = common_rows(base=low, apex=high, radius=size)
        short = (low == high).all(axis=1)
        if short.any():
            raise ValueError(f"apex: row {int(np.argmax(short))} is its base: a cone must have a height")
        self.fill(base=low, apex=high, radius=size, materials=materials)

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Rotate each shape by its matrix (N, 3, 3) about the origin, then translate it by its vector (N, 3)."""
        fields = {name: moved(getattr(self, name), rotation, translation) for name in ("base", "apex")}
        for name in {"_along", "_axis"} & vars(self).keys():
            fields[name] = moved(getattr(self, name), rotation, np.zeros_like(translation))
        return self.with_fields(**fields)

    def seen_from(self, origin: Floats) -> Self:
        """The shapes relative to points (N, 3)."""
        # Relative to another origin, the ends of a thin cone lose the digits that determine its axis. Keep the axis.
        along = self.along
        axis = normalized(along, np.zeros(3))
        return self.with_fields(base=self.base - origin, apex=self.apex - origin, _along=along, _axis=axis)

    @property
    def along(self) -> Floats:
        """Vectors from the centers of the bases to the apexes, (N, 3)."""
        seen: Floats | None = vars(self).get("_along")
        return self.apex - self.base if seen is None else seen

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        axis = normalized(self.along, np.zeros(3))
        # The base is a disc: along a coordinate axis, its extent is the radius times the sine of the angle to the
        # cone's axis.
        reach = self.radius[:, None] * np.hypot(axis[:, [1, 2, 0]], axis[:, [2, 0, 1]])
        return np.minimum(self.base - reach, self.apex), np.maximum(self.base + reach, self.apex)

    def bounding_spheres(self) -> tuple[Floats, Floats]:
        """The smallest bounding sphere: center (N, 3) and radius (N,)."""
        along = self.along
        height = length(along)
        # The sphere passes through the apex and the rim, or has the base as a great circle if the cone is flat.
        radius = np.where(height > self.radius, (height + self.radius * (self.radius / height)) / 2.0, self.radius)
        rise = np.maximum(height - radius, 0.0) / height
        return self.base + rise[:, None] * along, radius

    def support(self, direction: Floats) -> Floats:
        """The point of each shape that is farthest along its direction: (N, 3) -> (N, 3).

        If all points of a line on the side are equally far: the point on the rim. If the whole base is: its center.
        """
        return farthest(self.side, direction)

    @property
    def side(self) -> Side:
        """The shapes as kernels read them."""
        linear = np.stack([self._axes, self.along], axis=1)
        return round_side(CONE, linear, self.base, np.repeat(self.radius[:, None], 3, axis=1))

    def outline(self, direction: Floats, level: Floats | None = None) -> Outline:
        """The farthest feature along unit directions (N, 3): base, line on the side, point of the rim, or apex.

        Points that are lower by at most `level` (N,) are equally far. None: faces and lines within
        `tolerances.FACE_TILT`.
        """
        count = len(self)
        along = self.along
        height = length(along)
        axis, slope = along / height[:, None], np.hypot(height, self.radius)
        rim = self._outward(direction)
        rise, reach = dot(along, direction), dot(rim, direction)
        down = rise < 0.0
        if level is None:
            flat = down & (rise <= -FACE_TILT * height)
            side = np.abs(rise - reach) <= np.sqrt(1.0 - FACE_TILT**2) * slope
        else:
            flat = down & (2.0 * self.radius * length(cross(axis, direction)) <= level)
            side = np.abs(rise - reach) <= level
        flat &= self.radius > 0.0
        side &= ~flat
        tip = ~side & ~flat & (rise > reach)
        # Around the base from the farthest point, counterclockwise as seen from below. No other feature needs as many.
        most = _CORNERS if flat.any() else 2
        first = normalized(rim, perpendicular(axis))
        second = cross(first, axis)
        around = circles(first, second, most)
        lines = np.where((side | tip)[:, None], along, rim)
        corners = np.where(
            flat[:, None, None], self.radius[:, None, None] * around, np.repeat(lines[:, None], most, axis=1)
        )
        corners[side, 0] = rim[side]
        kind = np.where(flat, FeatureKind.FACE, np.where(side, FeatureKind.EDGE, FeatureKind.VERTEX))
        corner_feature = np.empty((count, most, 2), dtype=np.int64)
        corner_feature[:] = self._rim_feature()[:, None]
        corner_feature[tip] = corner_feature[side, 1:] = (FeatureKind.VERTEX, 0)
        side_feature = np.empty((count, most, 2), dtype=np.int64)
        side_feature[..., 0], side_feature[..., 1] = FeatureKind.EDGE, np.where(side, SIDE, RIM)[:, None]
        # Sides between the corners are inside the base; the rim is outside them.
        side_feature[flat] = (FeatureKind.FACE, 0)
        face_feature = np.tile(np.array([int(FeatureKind.FACE), 0]), (count, 1))
        plane = np.where(flat[:, None], -axis, direction)
        return Outline(kind, self.base[:, None] + corners, plane, corner_feature, side_feature, face_feature)

    def oriented_box(self) -> tuple[Floats, Floats, Floats]:
        """The bounding box of each shape; its last axis is the cone's: center, half extents, rotation (N, 3, 3)."""
        half = self.along / 2.0
        height = length(half)
        axis = half / height[:, None]
        side = perpendicular(axis)
        extents = np.stack([self.radius, self.radius, height], axis=1)
        return self.base + half, extents, np.stack([side, cross(axis, side), axis], axis=2)

    def interior_point(self) -> Floats:
        """The center of mass of each shape, (N, 3)."""
        return self.base + self.along / 4.0

    @property
    def size(self) -> Floats:
        """(N,) radius of a ball around the center of mass that contains the shape."""
        height = length(self.along)
        return np.maximum(0.75 * height, np.hypot(height / 4.0, self.radius))

    def faces_and_edges(self) -> tuple[Floats, Ints, Floats, Ints]:
        """The base's normal and the axis: normals (N, 1, 3), indices (1,), directions (N, 0, 3), indices (0,)."""
        axis = normalized(self.along, np.zeros(3))[:, None]
        return -axis, np.zeros(1, np.int64), axis[:, :0], np.empty(0, np.int64)

    def patches(self) -> tuple[Ints, Floats, Ints]:
        """Patches of each cone: of its base, and of its side up to the apex."""
        along = self.along
        axis = normalized(along, np.zeros(3))
        first = perpendicular(axis)
        second = cross(axis, first)
        out = circles(first, second, _AROUND)
        rim = out * self.radius[:, None, None]
        following = np.roll(rim, -1, axis=1)
        tip = np.broadcast_to(along[:, None], rim.shape)
        corners = [np.stack([np.zeros_like(rim), following, rim], axis=2), np.stack([rim, following, tip], axis=2)]
        count = len(self) * _AROUND
        corner = np.concatenate([each + self.base[:, None, None] for each in corners]).reshape(-1, 3, 3)
        row = np.tile(np.repeat(np.arange(len(self)), _AROUND), 2)
        return row, corner, np.repeat([BASE, LATERAL], count)

    def on_patch(self, row: Ints, kind: Ints, point: Floats, ends: tuple[Floats, Floats] | None) -> Floats:
        """Points (K, 3) of patches, moved to the boundary. On the base, only points of an edge on the rim are moved."""
        base, radius = self.base[row], self.radius[row]
        along = self.along[row]
        rise = np.clip(dot(point - base, along) / dot(along, along), 0.0, 1.0)
        foot = base + rise[:, None] * along
        result = foot + ((1.0 - rise) * radius)[:, None] * normalized(point - foot, np.zeros(3))
        stays = kind == BASE
        if ends is not None:
            stays &= ~(self._on_rim(row, ends[0]) & self._on_rim(row, ends[1]))
        return np.where(stays[:, None], point, result)

    def bulge(self, row: Ints, kind: Ints, corner: Floats) -> Floats:
        """Upper bound of the distance of the boundary from patches (K, 3, 3): (K,)."""
        radius = self.radius[row]
        half = self.bend(row, kind, corner).max(axis=1, initial=0.0) / 2.0
        result = radius - np.sqrt(np.maximum(radius * radius - half * half, 0.0))
        # After one of two adjacent patches of the side is divided, they no longer meet exactly in their common edge.
        return np.where(kind == LATERAL, 2.0 * result, result)

    def bend(self, row: Ints, kind: Ints, corner: Floats) -> Floats:
        """Chords of the rim that belong to the edges of patches (K, 3, 3), from each corner to the next: (K, 3)."""
        axis = normalized(self.along[row], np.zeros(3))[:, None]
        spoke = corner - self.base[row][:, None]
        rise = dot(spoke, axis)
        out = spoke - rise[..., None] * axis
        # The apex is on all lines of the side.
        apex = length(out) <= _ON_RIM * self.radius[row][:, None]
        unit = normalized(out, np.zeros(3))
        after, last = np.roll(unit, -1, axis=1), np.roll(apex, -1, axis=1)
        chord = np.where(apex | last, 0.0, self.radius[row][:, None] * length(after - unit))
        far = self._on_rim(np.repeat(row, 3), corner.reshape(-1, 3)).reshape(-1, 3)
        # On the base, only edges between corners on the rim.
        return np.where((kind == BASE)[:, None] & ~(far & np.roll(far, -1, axis=1)), 0.0, chord)

    def _on_rim(self, row: Ints, point: Floats) -> Bools:
        """Whether points (K, 3) of the base are on the rim."""
        axis = normalized(self.along[row], np.zeros(3))
        result: Bools = length(cross(point - self.base[row], axis)) >= self.radius[row] * (1.0 - _ON_RIM)
        return result

    def lines(self, segments: int) -> Floats:
        """The rim, and four lines on the side, (N, L, 2, 3)."""
        rim = self._rim(segments)
        low = rim[:, :: max(1, segments // 4)]
        tips = np.broadcast_to(self.apex[:, None], low.shape)
        sides = np.stack([low, tips], axis=2)
        return np.concatenate([np.stack([rim, np.roll(rim, -1, axis=1)], axis=2), sides], axis=1)

    def feature_points(self, kind: int, index: int) -> Floats:
        """Points of a feature of the first cone: the rim for the base and the rim, the axis for the side, a vertex."""
        if kind == FeatureKind.VERTEX:
            return (self.base if index else self.apex)[:1]
        if kind == FeatureKind.EDGE and index == SIDE:
            return np.concatenate([self.base[:1], self.apex[:1]])
        rim = self._rim(_CORNERS)[0]
        return rim if kind == FeatureKind.FACE else np.concatenate([rim, rim[:1]])

    def _rim(self, segments: int) -> Floats:
        """Points around the rims, (N, segments, 3), counterclockwise as seen from below."""
        axis = normalized(self.along, np.zeros(3))
        first = perpendicular(axis)
        second = cross(first, axis)
        out = circles(first, second, segments)
        return self.base[:, None] + self.radius[:, None, None] * out

    def _outward(self, direction: Floats) -> Floats:
        """Vector from the center of the base to the point of the rim that is farthest along the direction: (N, 3)."""
        return disc_support(self._axes, self.radius, direction)

    @property
    def _axes(self) -> Floats:
        """Unit vectors from the bases to the apexes, (N, 3)."""
        seen: Floats | None = vars(self).get("_axis")
        return normalized(self.along, np.zeros(3)) if seen is None else seen

    def _rim_feature(self) -> Ints:
        """Feature of the rim: edge 0 or, if the radius is zero, vertex 1."""
        bare = self.radius == 0.0
        kind = np.where(bare, int(FeatureKind.VERTEX), int(FeatureKind.EDGE))
        return np.stack([kind, np.where(bare, 1, RIM)], axis=1)
