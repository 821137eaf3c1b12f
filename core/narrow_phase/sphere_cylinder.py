# SPDX-License-Identifier: GPL-3.0-or-later
"""A sphere (A) against a cylinder (B), in closed form: the point on the cylinder nearest to the center.

The point is on a cap, on a rim or on the side. If the center is inside the cylinder, the point is on the nearest cap or
on the side, whichever is nearer. Everything is computed in a frame at B's position.
"""

from dataclasses import dataclass

import numpy as np

from ..convex.cylinders import SIDE, PlacedCylinders
from ..numerics.tolerances import rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length, normalized
from ..results import Contacts, Distances, FeatureKind, Separations, contact_type
from ..shapes import Cylinders, Spheres
from ..shapes.batch import Rows
from .algorithm import PairAlgorithm


@dataclass(frozen=True)
class _Nearest:
    """Position of a sphere's center relative to a cylinder."""

    distance: Floats  # the sphere's radius included
    normal: Floats  # from the sphere to the cylinder
    point: Floats  # on the cylinder's surface, in the world
    feature: Ints
    slack: Floats
    beyond: Floats  # height of the center above the nearer cap, negative inside
    aside: Floats  # distance of the center outside the side, negative inside


class SphereCylinder(PairAlgorithm[Spheres, Cylinders]):
    """Pair queries in closed form. For a center on the axis, the normal is any direction through the side."""

    def overlap(self, a: Rows[Spheres], b: Rows[Cylinders]) -> Bools:
        """Whether the shapes of each pair have a point in common, touching included."""
        a, b = a.gathered(), b.gathered()
        found = _nearest(a, b)
        return found.distance <= found.slack

    def distance(self, a: Rows[Spheres], b: Rows[Cylinders]) -> Distances:
        """Signed distance and witness points of each pair."""
        a, b = a.gathered(), b.gathered()
        found = _nearest(a, b)
        point_a = found.point - found.distance[:, None] * found.normal
        return Distances(found.distance, point_a, found.point, found.normal, found.slack)

    def separating_axis(self, a: Rows[Spheres], b: Rows[Cylinders]) -> Separations:
        """The direction of the closest points of a separated pair, else the direction of least overlap."""
        a, b = a.gathered(), b.gathered()
        found = _nearest(a, b)
        return Separations(found.distance, found.normal, _ball(a), found.feature)

    def contacts(self, a: Rows[Spheres], b: Rows[Cylinders], margin: float, known: Distances | None = None) -> Contacts:
        """One contact for each pair that overlaps or is within `margin`."""
        a, b = a.gathered(), b.gathered()
        found = _nearest(a, b)
        pair = np.flatnonzero(found.distance <= margin + found.slack)
        gap, normal = found.distance[pair], found.normal[pair]
        feature_a, feature_b = _ball(a)[pair], found.feature[pair]
        return Contacts(
            pair=pair,
            point=found.point[pair] - normal * (gap / 2.0)[:, None],
            normal=normal,
            depth=np.maximum(-gap, -margin),
            type=contact_type(feature_a[:, 0], feature_b[:, 0]),
            feature_a=feature_a,
            feature_b=feature_b,
        )

    def contains(self, a: Rows[Spheres], b: Rows[Cylinders]) -> Bools:
        """Whether A contains all of B: the farthest point of the farther rim is within the radius of the center."""
        a, b = a.gathered(), b.gathered()
        found, cylinders = _nearest(a, b), PlacedCylinders.of(b)
        far = np.hypot(found.beyond + 2.0 * cylinders.height, found.aside + 2.0 * cylinders.radius)
        return far <= a.radius + found.slack

    def contained(self, a: Rows[Spheres], b: Rows[Cylinders]) -> Bools:
        """Whether B contains all of A."""
        a, b = a.gathered(), b.gathered()
        found = _nearest(a, b)
        return np.maximum(found.beyond, found.aside) + a.radius <= found.slack


def _nearest(a: Spheres, b: Cylinders) -> _Nearest:
    cylinders = PlacedCylinders.of(b)
    spoke = a.center - cylinders.center
    level = dot(spoke, cylinders.axis)
    outward = cylinders.away(spoke)
    across = np.maximum(dot(spoke, outward), 0.0)
    end = np.where(level > 0.0, 1.0, -1.0)
    upward = end[:, None] * cylinders.axis
    beyond, aside = np.abs(level) - cylinders.height, across - cylinders.radius
    above, outside = np.maximum(beyond, 0.0), np.maximum(aside, 0.0)
    out = (beyond > 0.0) | (aside > 0.0)
    gap = np.where(out, np.hypot(above, outside), np.maximum(beyond, aside))
    # Inside, the shortest way out is through the nearer of cap and side. Ties go to the cap.
    up = (above > 0.0) | ~out & (beyond >= aside)
    sideways = (outside > 0.0) | ~out & (beyond < aside)
    diagonal = above[:, None] * upward + outside[:, None] * outward
    away = np.where(up[:, None], upward, outward)
    away = np.where((up & sideways)[:, None], normalized(diagonal, upward), away)
    point = cylinders.center + np.where(up, end * cylinders.height, level)[:, None] * cylinders.axis
    point += np.where(sideways, cylinders.radius, across)[:, None] * outward
    cap = (end > 0.0).astype(np.int64)
    feature = np.stack([np.where(up & ~sideways, FeatureKind.FACE, FeatureKind.EDGE), np.where(up, cap, SIDE)], axis=1)
    offset = np.maximum(length(a.center), length(cylinders.center))
    return _Nearest(
        gap - a.radius,
        -away,
        point,
        cylinders.shown(feature[:, None])[:, 0],
        rounding(cylinders.size + a.radius, offset),
        beyond,
        aside,
    )


def _ball(a: Spheres) -> Ints:
    """The only feature of each sphere: a round face, or a vertex if the radius is zero."""
    kind = np.where(a.radius > 0.0, FeatureKind.FACE, FeatureKind.VERTEX)
    return np.stack([kind, np.zeros(len(a), dtype=np.int64)], axis=1)
