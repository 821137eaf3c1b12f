# SPDX-License-Identifier: GPL-3.0-or-later
"""Cylinders placed for the narrow phase: their support, and what faces a direction.

A cylinder is its axis, a segment, plus a disc at right angles to it. Along d it reaches |half · d| + r sin(d, axis)
from its center. Its features: the caps are faces 0 (at the start) and 1 (at the end); the rims around them are edges
0 and 1, and the side is edge 2, as Lee 2018, section 13.2.5, has the side of a capsule. Without a radius it is a
segment: what would be a cap or a rim is vertex 0 or 1.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...numerics.tolerances import EPS, FACE_ALIGNMENT, FACE_TILT, RIM_TOUCH, ROUNDING_STEPS, SUPPORT
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot, length, normalized, perpendicular
from ...results import FeatureKind
from ...shapes import Cylinders

SIDE = 2


@dataclass(frozen=True)
class PlacedCylinders:
    """Rows of a batch of cylinders, seen from some origin.

    Attributes
    ----------
    center : (P, 3) float64
    half : (P, 3) float64
        From the center to the center of the end cap.
    radius : (P,) float64
    """

    center: Floats
    half: Floats
    radius: Floats

    @classmethod
    def of(cls, shapes: Cylinders) -> "PlacedCylinders":
        """The batch, row for row, seen from the world's origin."""
        half = (shapes.end - shapes.start) / 2.0
        return cls(shapes.start + half, half, shapes.radius)

    def __len__(self) -> int:
        return len(self.center)

    def take(self, rows: Ints, origin: Floats | None = None) -> "PlacedCylinders":
        """The cylinders of these rows, seen from the points `origin` (P, 3) if given."""
        moved = self.center[rows]
        return PlacedCylinders(moved if origin is None else moved - origin, self.half[rows], self.radius[rows])

    @cached_property
    def height(self) -> Floats:
        """(P,) half the length."""
        return length(self.half)

    @cached_property
    def axis(self) -> Floats:
        """(P, 3) unit, from start to end."""
        return self.half / self.height[:, None]

    @cached_property
    def size(self) -> Floats:
        """(P,) radius of the ball about the center that holds the cylinder."""
        return np.hypot(self.height, self.radius)

    def away(self, spoke: Floats) -> Floats:
        """Unit directions at right angles to the axis in which points lie that are seen from the center.

        (P, 3) -> (P, 3) or (P, K, 3) -> (P, K, 3). Of a point on the axis, to rounding, any.
        """
        wide = spoke.ndim == 3
        axis, sideways = self.axis, perpendicular(self.axis)
        if wide:
            axis, sideways = axis[:, None], sideways[:, None]
        out = normalized(spoke - dot(spoke, axis)[..., None] * axis, np.zeros(3))
        # Of a point near the axis, what is left along it may be more than what lies across.
        out -= dot(out, axis)[..., None] * axis
        return normalized(np.where((length(out) > 0.5)[..., None], out, 0.0), sideways)

    def reach(self, direction: Floats) -> Floats:
        """Greatest inner product of each cylinder with unit directions: (P, 3) -> (P,) or (P, K, 3) -> (P, K)."""
        wide = direction.ndim == 3
        center, half, axis = (x[:, None] if wide else x for x in (self.center, self.half, self.axis))
        across = np.cross(axis, direction)
        sine = np.sqrt(dot(across, across))
        return (
            dot(center, direction)
            + np.abs(dot(half, direction))
            + (self.radius[:, None] if wide else self.radius) * sine
        )

    def support(self, direction: Floats) -> Floats:
        """The farthest point along each direction (P, 3), of any length; of ends equally far, the start.

        Where a whole cap is equally far, the answer is its center.
        """
        return self.center + self.cap_sign(direction)[:, None] * self.half + self.outward(direction)

    def rim_facing(self, direction: Floats, start: Floats, along: Floats) -> Floats:
        """The point of a rim farthest along each direction (P, 3), which lies under a line: (P, 3).

        Where a rim is nearly level its farthest point is not known as well as where the line crosses it, seen along
        the direction: there it is the nearer crossing.

        Parameters
        ----------
        direction : (P, 3) float64
            Unit, at right angles to the lines.
        start, along : (P, 3) float64
            A point of each line, and the line's unit direction.
        """
        end, out = self.center + self.cap_sign(direction)[:, None] * self.half, self.outward(direction)
        cosine = dot(direction, self.axis)
        nearly_level = np.abs(cosine) > 0.5
        up = direction / np.where(nearly_level, cosine, 1.0)[:, None]
        # The line in the plane of the rim, seen from its center.
        spoke = start - end
        spoke = spoke - dot(spoke, self.axis)[:, None] * up
        run = normalized(along - dot(along, self.axis)[:, None] * up, np.zeros(3))
        middle = -dot(spoke, run)
        nearest = spoke + middle[:, None] * run
        half = np.sqrt(np.maximum(self.radius**2 - dot(nearest, nearest), 0.0))
        half = np.where(dot(out - nearest, run) < 0.0, -half, half)
        # A line that all but touches the rim crosses it nowhere in particular.
        crosses = nearly_level & (np.abs(half) > RIM_TOUCH * self.radius)
        crossing = self.radius[:, None] * normalized(nearest + half[:, None] * run, np.zeros(3))
        return end + np.where(crosses[:, None], crossing, out)

    def nearest(self, point: Floats) -> Floats:
        """The point of each cylinder nearest to a point outside it, or that point itself: (P, 3) -> (P, 3)."""
        spoke = point - self.center
        level = dot(spoke, self.axis)
        flat = spoke - level[:, None] * self.axis
        away = length(flat)
        shrink = np.minimum(away, self.radius) / np.where(away > 0.0, away, 1.0)
        return self.center + np.clip(level, -self.height, self.height)[:, None] * self.axis + shrink[:, None] * flat

    def cap_sign(self, direction: Floats) -> Floats:
        """1 where the end lies farther along the direction, else -1: (P,)."""
        return np.where(dot(self.half, direction) > 0.0, 1.0, -1.0)

    def outward(self, direction: Floats) -> Floats:
        """From the axis to the side, as far along the direction as possible: (P, 3)."""
        # Twice, because once leaves a residue along the axis when the direction is nearly the axis; along the axis but
        # for rounding, all of the cap is equally far.
        aside = direction - dot(direction, self.axis)[:, None] * self.axis
        aside -= dot(aside, self.axis)[:, None] * self.axis
        level = np.sqrt(dot(aside, aside)) <= ROUNDING_STEPS * EPS * np.sqrt(dot(direction, direction))
        return self.radius[:, None] * np.where(level[:, None], 0.0, normalized(aside, np.zeros(3)))

    def facing_cap(self, direction: Floats, level: Floats | None = None) -> Bools:
        """Whether a cap is the feature farthest along the unit direction, to within `FACE_ALIGNMENT`.

        And, if given, with no point of it lower than the rest by more than `level` (P,).
        """
        aligned = np.abs(dot(self.axis, direction)) >= 1.0 - FACE_ALIGNMENT
        if level is None:
            return aligned
        return aligned & (2.0 * self.radius * length(np.cross(self.axis, direction)) <= level)

    def nearly_facing_cap(self, direction: Floats) -> Bools:
        """Whether a cap is the farthest feature to within `FACE_TILT`: on a face such a cap makes a patch."""
        return np.abs(dot(self.axis, direction)) >= FACE_TILT

    def nearly_facing_side(self, direction: Floats) -> Bools:
        """Whether the side is tilted against it by no more than `FACE_TILT`: on a face it makes a line."""
        return np.abs(dot(self.axis, direction)) <= np.sqrt(1.0 - FACE_TILT**2)

    def facing_side(self, direction: Floats, level: Floats | None = None) -> Bools:
        """Whether both rims are equally far along the unit direction, to within `level` (P,).

        None: to within `SUPPORT` of the size.
        """
        slack = SUPPORT * self.size if level is None else level
        both = 2.0 * np.abs(dot(self.half, direction)) <= slack
        return both & ~self.facing_cap(direction, level)

    def feature(self, direction: Floats) -> Ints:
        """Kind and index (P, 2) of the feature that lies farthest along the unit direction."""
        cap = (self.cap_sign(direction) > 0.0).astype(np.int64)
        side = self.facing_side(direction)
        kind = np.where(self.facing_cap(direction), FeatureKind.FACE, FeatureKind.EDGE)
        return self.shown(np.stack([kind, np.where(side, SIDE, cap)], axis=1)[:, None])[:, 0]

    def shown(self, feature: Ints) -> Ints:
        """Features (P, K, 2) where caps and rims without a radius are vertices."""
        bare = (self.radius == 0.0)[:, None] & (feature[..., 1] != SIDE)
        result = feature.copy()
        result[..., 0] = np.where(bare, FeatureKind.VERTEX, feature[..., 0])
        return result
