# SPDX-License-Identifier: GPL-3.0-or-later
"""A cylinder (A) against a half-space or a plane (B), in closed form: the direction is opposite to the normal.

A plane has two sides (Lee 2018, section 13.3.2). For a cylinder, the plane is the surface of a half-space on the side
away from the cylinder's center, even if the cylinder reaches through the plane. A center in the plane is on the side
that the normal points to.
"""

import numpy as np

from ..convex.cylinders import PlacedCylinders
from ..numerics.tolerances import rounding
from ..numerics.types import Bools, Floats
from ..numerics.vectors import dot, length, normalized, perpendicular
from ..results import Contacts, Distances, FeatureKind, Separations, contact_type
from ..shapes import Cylinders, HalfSpaces, Planes
from ..shapes.batch import Rows
from .algorithm import PairAlgorithm

# Points of a manifold, and tested points on each rim: the lowest point, and those at quarter turns from it.
_POINTS = 4


class CylinderHalfSpace(PairAlgorithm[Cylinders, HalfSpaces]):
    """Pair queries by the height of A's lowest point over B's surface."""

    def overlap(self, a: Rows[Cylinders], b: Rows[HalfSpaces]) -> Bools:
        """Whether any point of A lies in B, touching included."""
        a, b = a.gathered(), b.gathered()
        cylinders, height, slack = _placed(a, b)
        return height - cylinders.reach(-b.normal) <= slack

    def distance(self, a: Rows[Cylinders], b: Rows[HalfSpaces]) -> Distances:
        """Signed distance: the height of A's lowest point above the surface.

        The witness point is the middle of all lowest points: of the cap on which the cylinder stands, or of the line on
        which it lies.
        """
        a, b = a.gathered(), b.gathered()
        cylinders, height, slack = _placed(a, b)
        value = height - cylinders.reach(-b.normal)
        tilt = dot(cylinders.half, b.normal)
        end = np.where(2.0 * np.abs(tilt) <= slack, 0.0, cylinders.cap_sign(-b.normal))
        out = cylinders.outward(-b.normal)
        out = np.where((-dot(out, b.normal) <= slack)[:, None], 0.0, out)
        middle = end[:, None] * cylinders.half + out
        # Start from the center's height, where the cancellation of position and offset is already done.
        point_a = middle - b.normal * (height + dot(middle, b.normal) - value)[:, None] + _origin(a)
        return Distances(value, point_a, point_a - value[:, None] * b.normal, -b.normal, slack)

    def separating_axis(self, a: Rows[Cylinders], b: Rows[HalfSpaces]) -> Separations:
        """The gap along the half-space's normal, which is the only axis."""
        a, b = a.gathered(), b.gathered()
        cylinders, height, _ = _placed(a, b)
        face = np.tile(np.array([FeatureKind.FACE, 0]), (len(a), 1))
        value = height - cylinders.reach(-b.normal)
        return Separations(value, -b.normal, cylinders.feature(-b.normal), face)

    def contacts(
        self, a: Rows[Cylinders], b: Rows[HalfSpaces], margin: float, known: Distances | None = None
    ) -> Contacts:
        """Up to four points of the rims that are in B or within `margin` of it: the deepest ones.

        The tested points of each rim are the lowest one and the three at quarter turns from it. A cylinder that stands
        on a cap has four contacts, one that lies on its side two, and one that rests on a rim one.
        """
        a, b = a.gathered(), b.gathered()
        cylinders, height, slack = _placed(a, b)
        axis, radius = cylinders.axis, cylinders.radius[:, None]
        first = normalized(cylinders.outward(-b.normal), perpendicular(axis))
        second = np.cross(axis, first)
        # The lowest point of the rim stays exact. With a radius of zero, only one of the four points is kept.
        around = radius[:, None] * np.stack([first, second, -first, -second], axis=1)
        spots = np.concatenate([around - cylinders.half[:, None], around + cylinders.half[:, None]], axis=1)
        gap = height[:, None] + dot(spots, b.normal[:, None])
        real = (np.arange(2 * _POINTS) % _POINTS == 0) | (radius > 0.0)
        order = np.argsort(np.where(real, gap, np.inf), axis=1, kind="stable")[:, :_POINTS]
        at = np.arange(len(a))[:, None]
        # No point may be lower than the support distance, and the lowest point must attain it.
        lowest = height - cylinders.reach(-b.normal)
        gap = np.maximum(gap, lowest[:, None])
        gap[at[:, 0], order[:, 0]] = lowest
        near = real[at, order] & (gap[at, order] <= margin + slack[:, None])
        pair, rank = np.nonzero(near)
        spot = order[pair, rank]
        normal, deep = b.normal[pair], gap[pair, spot]
        point = spots[pair, spot] - normal * (deep / 2.0)[:, None] + _origin(a)[pair]
        rim = np.stack([np.full(len(pair), FeatureKind.EDGE), spot // _POINTS], axis=1)
        shown = cylinders.take(pair).shown(rim[:, None])[:, 0]
        face = np.tile(np.array([FeatureKind.FACE, 0]), (len(pair), 1))
        return Contacts(
            pair=pair,
            point=point,
            normal=-normal,
            depth=np.maximum(-deep, -margin),
            type=contact_type(shown[:, 0], face[:, 0]),
            feature_a=shown,
            feature_b=face,
        )

    def contains(self, a: Rows[Cylinders], b: Rows[HalfSpaces]) -> Bools:
        """Always false: A is bounded."""
        return np.zeros(len(a), dtype=bool)

    def contained(self, a: Rows[Cylinders], b: Rows[HalfSpaces]) -> Bools:
        """Whether B contains all of A."""
        a, b = a.gathered(), b.gathered()
        cylinders, height, slack = _placed(a, b)
        return height + cylinders.reach(b.normal) <= slack


def _origin(a: Cylinders) -> Floats:
    return PlacedCylinders.of(a).center


def _placed(a: Cylinders, b: HalfSpaces) -> tuple[PlacedCylinders, Floats, Floats]:
    """A relative to its centers, the heights of the centers above B's surface, and the rounding error of each pair."""
    placed = PlacedCylinders.of(a)
    height = dot(placed.center, b.normal) - b.offset
    slack = rounding(placed.size, np.maximum(length(placed.center), np.abs(b.offset)))
    return placed.take(np.arange(len(a)), placed.center), height, slack


class CylinderPlane(PairAlgorithm[Cylinders, Planes]):
    """Pair queries by the half-space of the plane that does not contain A's center."""

    def overlap(self, a: Rows[Cylinders], b: Rows[Planes]) -> Bools:
        """Whether A intersects the plane, touching included."""
        a, b = a.gathered(), b.gathered()
        return _HALF_SPACE.overlap(a, _far_side(a, b))

    def distance(self, a: Rows[Cylinders], b: Rows[Planes]) -> Distances:
        """Signed distance: of the nearest point, or minus the least translation that moves A to one side."""
        a, b = a.gathered(), b.gathered()
        return _HALF_SPACE.distance(a, _far_side(a, b))

    def separating_axis(self, a: Rows[Cylinders], b: Rows[Planes]) -> Separations:
        """The gap along the plane's normal, which is the only axis."""
        a, b = a.gathered(), b.gathered()
        return _HALF_SPACE.separating_axis(a, _far_side(a, b))

    def contacts(self, a: Rows[Cylinders], b: Rows[Planes], margin: float, known: Distances | None = None) -> Contacts:
        """Up to four points of the rims that are beyond the plane or within `margin` of it."""
        a, b = a.gathered(), b.gathered()
        return _HALF_SPACE.contacts(a, _far_side(a, b), margin)

    def contains(self, a: Rows[Cylinders], b: Rows[Planes]) -> Bools:
        """Always false: A is bounded."""
        return np.zeros(len(a), dtype=bool)

    def contained(self, a: Rows[Cylinders], b: Rows[Planes]) -> Bools:
        """Whether A lies in the plane. This requires a radius of zero."""
        a, b = a.gathered(), b.gathered()
        halves = _far_side(a, b)
        turned = HalfSpaces(-halves.normal, -halves.offset)
        return _HALF_SPACE.contained(a, halves) & _HALF_SPACE.contained(a, turned)


def _far_side(a: Cylinders, b: Planes) -> HalfSpaces:
    """The half-space of each plane that does not contain A's center."""
    middle = a.start + (a.end - a.start) / 2.0
    height: Floats = dot(middle, b.normal) - b.offset
    sign = np.where(height < 0.0, -1.0, 1.0)
    return HalfSpaces(sign[:, None] * b.normal, sign * b.offset)


_HALF_SPACE = CylinderHalfSpace()
