# SPDX-License-Identifier: GPL-3.0-or-later
"""A cylinder (A) against a half-space or a plane (B), in closed form: the direction is opposite to the normal.

A plane has two sides (Lee 2018, section 13.3.2). For a cylinder, the plane is the surface of a half-space on the side
away from the cylinder's center. The center's side is the nearer one, also if the cylinder reaches through the plane. A
center in the plane is on the side that the normal points to.
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

# Points of a manifold, and of those on each rim that are looked at: the lowest, and from it by quarter turns.
_POINTS = 4


class CylinderHalfSpace(PairAlgorithm[Cylinders, HalfSpaces]):
    """The height of A's lowest point over B's surface."""

    def overlap(self, a: Rows[Cylinders], b: Rows[HalfSpaces]) -> Bools:
        """Whether any point of A lies in B, touching included."""
        a, b = a.gathered(), b.gathered()
        cylinders, height, slack = _placed(a, b)
        return height - cylinders.reach(-b.normal) <= slack

    def distance(self, a: Rows[Cylinders], b: Rows[HalfSpaces]) -> Distances:
        """Signed distance: the height of A's lowest point above the surface.

        The witness is the middle of all lowest points: of the cap the cylinder stands on, of the line it lies on.
        """
        a, b = a.gathered(), b.gathered()
        cylinders, height, slack = _placed(a, b)
        value = height - cylinders.reach(-b.normal)
        tilt = dot(cylinders.half, b.normal)
        end = np.where(2.0 * np.abs(tilt) <= slack, 0.0, cylinders.cap_sign(-b.normal))
        out = cylinders.outward(-b.normal)
        out = np.where((-dot(out, b.normal) <= slack)[:, None], 0.0, out)
        middle = end[:, None] * cylinders.half + out
        # From the center's height, in which the place and the offset have canceled.
        point_a = middle - b.normal * (height + dot(middle, b.normal) - value)[:, None] + _origin(a)
        return Distances(value, point_a, point_a - value[:, None] * b.normal, -b.normal, slack)

    def separating_axis(self, a: Rows[Cylinders], b: Rows[HalfSpaces]) -> Separations:
        """The gap along the half-space's normal, the only axis there is."""
        a, b = a.gathered(), b.gathered()
        cylinders, height, _ = _placed(a, b)
        face = np.tile(np.array([FeatureKind.FACE, 0]), (len(a), 1))
        value = height - cylinders.reach(-b.normal)
        return Separations(value, -b.normal, cylinders.feature(-b.normal), face)

    def contacts(
        self, a: Rows[Cylinders], b: Rows[HalfSpaces], margin: float, known: Distances | None = None
    ) -> Contacts:
        """Up to four points of the rims that are in B, or no farther from it than `margin`; the deepest ones.

        On each rim it is the lowest point, and the three a quarter turn on. A cylinder standing on a cap has four
        contacts, one lying on its side two, and one resting on a rim one.
        """
        a, b = a.gathered(), b.gathered()
        cylinders, height, slack = _placed(a, b)
        axis, radius = cylinders.axis, cylinders.radius[:, None]
        first = normalized(cylinders.outward(-b.normal), perpendicular(axis))
        second = np.cross(axis, first)
        # The rim's lowest point keeps its place exactly; a radius of zero leaves one point of four.
        around = radius[:, None] * np.stack([first, second, -first, -second], axis=1)
        spots = np.concatenate([around - cylinders.half[:, None], around + cylinders.half[:, None]], axis=1)
        gap = height[:, None] + dot(spots, b.normal[:, None])
        real = (np.arange(2 * _POINTS) % _POINTS == 0) | (radius > 0.0)
        order = np.argsort(np.where(real, gap, np.inf), axis=1, kind="stable")[:, :_POINTS]
        at = np.arange(len(a))[:, None]
        # No point is lower than the reach says, and the lowest is as low.
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
        """Never: A is bounded."""
        return np.zeros(len(a), dtype=bool)

    def contained(self, a: Rows[Cylinders], b: Rows[HalfSpaces]) -> Bools:
        """Whether B holds all of A."""
        a, b = a.gathered(), b.gathered()
        cylinders, height, slack = _placed(a, b)
        return height + cylinders.reach(b.normal) <= slack


def _origin(a: Cylinders) -> Floats:
    return PlacedCylinders.of(a).center


def _placed(a: Cylinders, b: HalfSpaces) -> tuple[PlacedCylinders, Floats, Floats]:
    """A seen from its own centers, the height of those above B's surface, and the rounding of each pair."""
    placed = PlacedCylinders.of(a)
    height = dot(placed.center, b.normal) - b.offset
    slack = rounding(placed.size, np.maximum(length(placed.center), np.abs(b.offset)))
    return placed.take(np.arange(len(a)), placed.center), height, slack


class CylinderPlane(PairAlgorithm[Cylinders, Planes]):
    """The half-space of the plane that A's center is not in."""

    def overlap(self, a: Rows[Cylinders], b: Rows[Planes]) -> Bools:
        """Whether the plane passes through A, touching included."""
        a, b = a.gathered(), b.gathered()
        return _HALF_SPACE.overlap(a, _far_side(a, b))

    def distance(self, a: Rows[Cylinders], b: Rows[Planes]) -> Distances:
        """Signed distance: that of the nearest point, or minus the least that moves A to one side."""
        a, b = a.gathered(), b.gathered()
        return _HALF_SPACE.distance(a, _far_side(a, b))

    def separating_axis(self, a: Rows[Cylinders], b: Rows[Planes]) -> Separations:
        """The gap along the plane's normal, the only axis there is."""
        a, b = a.gathered(), b.gathered()
        return _HALF_SPACE.separating_axis(a, _far_side(a, b))

    def contacts(self, a: Rows[Cylinders], b: Rows[Planes], margin: float, known: Distances | None = None) -> Contacts:
        """Up to four points of the rims that are beyond the plane, or no farther from it than `margin`."""
        a, b = a.gathered(), b.gathered()
        return _HALF_SPACE.contacts(a, _far_side(a, b), margin)

    def contains(self, a: Rows[Cylinders], b: Rows[Planes]) -> Bools:
        """Never: A is bounded."""
        return np.zeros(len(a), dtype=bool)

    def contained(self, a: Rows[Cylinders], b: Rows[Planes]) -> Bools:
        """Whether A lies in the plane, which takes a radius of zero."""
        a, b = a.gathered(), b.gathered()
        halves = _far_side(a, b)
        turned = HalfSpaces(-halves.normal, -halves.offset)
        return _HALF_SPACE.contained(a, halves) & _HALF_SPACE.contained(a, turned)


def _far_side(a: Cylinders, b: Planes) -> HalfSpaces:
    """The half-space of each plane that A's center is not in."""
    middle = a.start + (a.end - a.start) / 2.0
    height: Floats = dot(middle, b.normal) - b.offset
    sign = np.where(height < 0.0, -1.0, 1.0)
    return HalfSpaces(sign[:, None] * b.normal, sign * b.offset)


_HALF_SPACE = CylinderHalfSpace()
