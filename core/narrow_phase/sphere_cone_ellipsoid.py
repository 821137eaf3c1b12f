# SPDX-License-Identifier: GPL-3.0-or-later
"""Spheres against cones and ellipsoids: the distance of the center from the nearest point, minus the radius.

The nearest point of a cone is in the plane of its axis and the center. There, the cone is a triangle. The nearest point
of an ellipsoid follows from the greatest root of one equation (Eberly, "Distance from a Point to an Ellipse, an
Ellipsoid, or a Hyperellipsoid", 2013). The generic algorithm measures the few pairs with the center close to the
outside of a cone or in the middle of an ellipsoid, and with a very flat ellipsoid.
"""

from typing import Any

import numpy as np

from ..numerics.tolerances import EPS, NEAR, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross_columns, dot_columns, length, to_columns
from ..shapes import Cones, Ellipsoids, Spheres
from . import closed_form
from .algorithm import B
from .closed_form import ClosedForm
from .sphere_pairs import beside_axis
from .support_mapped import SupportMappedPair


class _SphereForm(ClosedForm[Spheres, B]):
    """A sphere and a shape that is defined by its support mapping."""

    fallback = SupportMappedPair()

    def contained(self, a: Spheres, b: Any) -> Bools:
        """Whether the other shape contains the sphere: its center is deeper than its radius."""
        found = self.distance(a, b)
        result: Bools = found.distance + 2.0 * a.radius <= found.rounding
        return result


class _FromCone:
    """`closed_form.BlockDistances`, relative to the sphere's center."""

    def __init__(self, a: Spheres, b: Cones) -> None:
        self.origin, self.radius = to_columns(a.center), a.radius
        offset = np.maximum(length(a.center), np.maximum(length(b.base), length(b.apex)))
        there = b.seen_from(a.center)
        self.base, along, self.broad = to_columns(there.base), to_columns(there.along), b.radius
        height = np.sqrt(dot_columns(along, along))
        self.axis = along / height
        self.apex = self.base + along
        _, reach = b.bounding_spheres()
        self.size = reach + self.radius
        self.slack = rounding(self.size, offset)
        # The center in the plane of the axis: its height over the base, and its distance from the axis.
        rise, self.outward, across = beside_axis(-self.base, self.axis, self.size)
        # The side runs from the rim to the apex.
        slant = np.hypot(height, self.broad)
        self.lean, self.tilt = height / slant, self.broad / slant
        beside = across - self.broad
        above = self.lean * beside + self.tilt * rise
        share = np.clip((self.lean * rise - self.tilt * beside) / slant, 0.0, 1.0)
        # Without a radius, the side is a line, which goes on beyond the apex.
        inside = (rise >= 0.0) & (rise <= height) & (above <= 0.0)
        under = (rise < 0.0) & (beside <= 0.0)
        # From the nearest point to the center, outward and along the axis.
        away = across - np.where(under, across, self.broad * (1.0 - share))
        up = rise - np.where(under, 0.0, height * share)
        far = np.hypot(away, up)
        scale = np.where(far > 0.0, far, 1.0)
        away, up = away / scale, up / scale
        by_base = inside & (-rise >= above)
        by_side = inside & ~by_base
        self.away = np.where(by_base, 0.0, np.where(by_side, self.lean, away))
        self.up = np.where(by_base, -1.0, np.where(by_side, self.tilt, up))
        self.core = np.where(by_base, -rise, np.where(by_side, above, far))
        # Inside, no direction between close points is needed.
        self.doubtful: Bools | None = ~inside & (far <= NEAR * self.size)
        self.distance = self.core - self.radius

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness point on A."""
        normal = -(self.away * self.outward + self.up * self.axis)
        side = -(self.lean * self.outward + self.tilt * self.axis)
        closed_form.correct_directions(
            normal, self.core, self.size, self._gap, lambda _, rows: (side[:, rows], self.axis[:, rows])
        )
        return normal, normal * self.radius

    def _gap(self, way: Floats, rows: Ints | slice) -> Floats:
        """The gap between the center and the cone along directions from A to B."""
        across = cross_columns(self.axis[:, rows], way)
        rim = dot_columns(self.base[:, rows], way) - self.broad[rows] * np.sqrt(dot_columns(across, across))
        return np.minimum(rim, dot_columns(self.apex[:, rows], way))


class SphereCone(_SphereForm[Cones]):
    """The distance of the center from the nearest point of the base, the rim, the side or the apex, minus the radius.

    A center inside the cone moves out through the nearer of base and side; if they are equally near, through the base.
    """

    kernel = _FromCone


# Dimensionless: the least ratio of two radii of an ellipsoid for which the equation is solved.
_LEAST_RATIO = 1e-3
# Dimensionless: the minimum fraction of the smallest squared radius by which the root must exceed the pole of the
# equation. Centers nearer to the pole are in the middle of the ellipsoid, where several points may be the nearest.
_LEAST_EXCESS = 1e-3
# Maximum number of steps to the root.
_STEPS = 32


class _FromEllipsoid:
    """`closed_form.BlockDistances`, relative to the sphere's center."""

    def __init__(self, a: Spheres, b: Ellipsoids) -> None:
        self.origin, self.radius = to_columns(a.center), a.radius
        self.size = b.size + self.radius
        self.slack = rounding(self.size, np.maximum(length(a.center), length(b.center)))
        spoke, turn = to_columns(a.center - b.center), to_columns(b.rotation)
        center = np.stack([dot_columns(turn[:, k], spoke) for k in range(3)])
        radii = to_columns(b.radii)
        least, most = radii.min(axis=0), radii.max(axis=0)
        regular = least > _LEAST_RATIO * most
        # In units of the greatest radius.
        unit = np.where(regular, most, 1.0)
        radii = np.where(regular, radii, 1.0) / unit
        place, square = np.abs(center) / unit, radii * radii
        root = (radii * place - square).max(axis=0)
        for _ in range(_STEPS):
            # To the left of the root of a convex function, Newton's method approaches the root without passing it.
            share = square + root
            share = np.where(share > 0.0, share, np.inf)
            terms = (radii * place / share) ** 2
            step = (terms.sum(axis=0) - 1.0) / np.maximum(2.0 * (terms / share).sum(axis=0), EPS)
            ahead = root + np.maximum(step, 0.0)
            if (ahead == root).all():
                break
            root = ahead
        excess = root + square.min(axis=0)
        regular &= excess >= _LEAST_EXCESS * square.min(axis=0)
        gradient = place / np.where(regular, square + root, 1.0)
        local = np.copysign(gradient / np.sqrt(np.maximum(dot_columns(gradient, gradient), EPS)), center)
        # The gap along the normal is the distance, however inexact the root is: its error is of second order.
        self.core = dot_columns(local, center) - np.sqrt(((radii * unit * local) ** 2).sum(axis=0))
        self.normal = -np.stack([dot_columns(turn[k], local) for k in range(3)])
        self.doubtful: Bools | None = ~regular
        self.distance = self.core - self.radius

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal and the witness point on A."""
        return self.normal, self.normal * self.radius


class SphereEllipsoid(_SphereForm[Ellipsoids]):
    """The distance of the center from the nearest point of the ellipsoid, minus the radius.

    In the ellipsoid's frame, the center c is x + t g at the nearest point x with the gradient g. So the components of g
    are ``c / (t + radius**2)``, and x is on the ellipsoid for the greatest root t.
    """

    kernel = _FromEllipsoid
