# SPDX-License-Identifier: GPL-3.0-or-later
"""The surfaces of shapes as patches: triangles where a surface is flat, rectangles of two parameters where it is round.

A patch can be split into smaller ones, which cover it exactly. Each patch has a bounding ball, and is close to the hull
of its four corners.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from ..narrow_phase.mesh.boundary import boundary, ends_of
from ..narrow_phase.mesh.operands import Convex
from ..numerics.rows import RowTable
from ..numerics.types import Floats, Ints
from ..numerics.vectors import cross, length, normalized, perpendicular
from ..results import UnsupportedPair
from ..shapes import Boxes, Capsules, Cones, Cylinders, Ellipsoids, Hulls, Spheres, Triangles


@dataclass(frozen=True, eq=False)
class Patches(RowTable):
    """Patches of surfaces.

    Flat patches are triangles at first. Round patches are rectangles of two parameters. The first is an angle about an
    axis. The second depends on `kind`: the height on the side of a cylinder or a cone, the angle from the axis on a
    sphere, or the radius on a cap. Ellipsoids are spheres in another scale.

    Attributes
    ----------
    corner, first, second : (P, 3) float64
        Flat: ``corner + u * first + u * v * second``. Round: a center, the axis, and three numbers: the radius; the
        greatest factor by which the axes lengthen, 1 except for ellipsoids; how much the radius decreases for each unit
        of height, or the side of the axis that a cap faces.
    side : (P, 2, 3) float64
        Round: two vectors perpendicular to the axis, of unit length except for ellipsoids.
    kind : (P,) int64
        `FLAT`, `SIDE`, `DOME` or `CAP`.
    low, high : (P, 2) float64
        The ranges of the two parameters.
    """

    corner: Floats
    first: Floats
    second: Floats
    side: Floats
    kind: Ints
    low: Floats
    high: Floats

    def quartered(self) -> Self:
        """Split each patch into four."""
        middle = (self.low + self.high) / 2.0
        lows, highs = [], []
        for u in (0, 1):
            for v in (0, 1):
                upper = np.array([u, v], dtype=bool)
                lows.append(np.where(upper, middle, self.low))
                highs.append(np.where(upper, self.high, middle))
        return self._split(lows, highs)

    def halved(self) -> Self:
        """Split each patch into two, across its longer side: the first halves of all, then the second ones."""
        across, along = self._extents()
        chosen = np.stack([across >= along, across < along], axis=1)
        middle = (self.low + self.high) / 2.0
        return self._split(
            [self.low, np.where(chosen, middle, self.low)], [np.where(chosen, middle, self.high), self.high]
        )

    def _split(self, lows: list[Floats], highs: list[Floats]) -> Self:
        fields = {name: np.concatenate([value] * len(lows)) for name, value in vars(self).items()}
        return type(self)(**{**fields, "low": np.concatenate(lows), "high": np.concatenate(highs)})

    def centers(self) -> Floats:
        """The center of each patch, which is a point of the patch, (P, 3)."""
        return self._at((self.low + self.high) / 2.0)

    def balls(self) -> tuple[Floats, Floats]:
        """The center of each patch, a point of the patch, and the radius of a ball about it that contains the patch."""
        center = self.centers()
        # A flat patch is a quadrilateral, or a triangle: one of its corners is farthest.
        flat = length(self.corners() - center[:, None]).max(axis=1)
        if self._all_flat():
            return center, flat
        # A path around the axis is at most as long as along the widest circle. It is perpendicular to the path along
        # it.
        across, along = self._extents()
        return center, np.where(self.kind == FLAT, flat, np.hypot(across, along) / 2.0)

    def corners(self) -> Floats:
        """The four corners of each patch, (P, 4, 3)."""
        ends = [np.where([u, v], self.high, self.low) for u in (False, True) for v in (False, True)]
        return np.stack([self._at(one) for one in ends], axis=1)

    def bulges(self) -> Floats:
        """Upper bounds of the distances of points of each patch from the hull of its corners, (P,); 0 if flat.

        The error of interpolation between the corners is bounded for one parameter at a time: an eighth of the square
        of its range, times the greatest second derivative. The second parameter is linear except on spheres.
        """
        turn, rise = (self.high - self.low).T
        dome = np.where(self.kind == DOME, self.second[:, 0] * np.square(rise), 0.0)
        round_ = (np.square(turn) * self._widest() + dome) * self.second[:, 1] / 8.0
        return np.where(self.kind == FLAT, 0.0, round_)

    def normals(self) -> tuple[Floats, Floats]:
        """Outward unit normals at the centers and at the corners of the patches, (P, 3) and (P, 4, 3).

        Zero where there is none: on triangles without area and on ellipsoids without volume.
        """
        ends = [np.where([u, v], self.high, self.low) for u in (False, True) for v in (False, True)]
        return self._normal((self.low + self.high) / 2.0), np.stack([self._normal(one) for one in ends], axis=1)

    def areas(self) -> Floats:
        """The area of each patch, (P,): exact, except that those of ellipsoids are found by quadrature."""
        low, high = self.low, self.high
        across = (np.square(high[:, 0]) - np.square(low[:, 0])) / 2.0
        area = across * (high[:, 1] - low[:, 1]) * length(cross(self.first, self.second))
        # Only ellipsoids are not rotationally symmetric about their axis.
        plain = self.second[:, 1] == 1.0
        for which, around in ((plain, (np.array([0.5]), np.array([1.0]))), (~plain, _GAUSS)):
            rows = np.flatnonzero((self.kind != FLAT) & which)
            if not len(rows):
                continue
            some, sum_ = self.take(rows), np.zeros(len(rows))
            span = some.high - some.low
            for u, weight_u in zip(*around, strict=True):
                for v, weight_v in zip(*_GAUSS, strict=True):
                    sum_ += weight_u * weight_v * some._stretch(some.low + np.array([u, v]) * span)
            area[rows] = sum_ * span[:, 0] * span[:, 1]
        return area

    def _stretch(self, place: Floats) -> Floats:
        """The area per unit of the two parameters of each round patch at these places, (P,)."""
        u, v = place.T
        radius, slope = self.second[:, 0], self.second[:, 2]
        zero, one = 0.0 * u, 1.0 + 0.0 * u
        out = np.choose(self.kind, [zero, radius - v * slope, radius * np.sin(v), v])
        # The derivatives of the distance from the axis and of the height by the second parameter.
        wider = np.choose(self.kind, [zero, -slope, radius * np.cos(v), one])
        higher = np.choose(self.kind, [zero, one, -radius * np.sin(v), zero])
        around = out[:, None] * (np.cos(u)[:, None] * self.side[:, 1] - np.sin(u)[:, None] * self.side[:, 0])
        along = wider[:, None] * self._around(u) + higher[:, None] * self.first
        return length(cross(around, along))

    def radii(self) -> Floats:
        """The least radius of curvature of each patch, (P,); infinite for flat patches.

        For cones, it is the one at the narrow end.
        """
        flat = (self.kind == FLAT) | (self.kind == CAP)
        return np.where(flat, np.inf, np.where(self.second[:, 1] == 1.0, self._narrowest(), 0.0))

    def _extents(self) -> tuple[Floats, Floats]:
        """Upper bounds of the lengths of each patch along its two parameters, (P,) each."""
        turn, rise = (self.high - self.low).T
        middle = ((self.low + self.high) / 2.0)[:, 1, None]
        flat = self.kind == FLAT
        across = np.where(flat, length(self.first + middle * self.second), self._widest() * self.second[:, 1]) * turn
        slant = np.choose(
            self.kind, [0.0 * turn, np.hypot(1.0, self.second[:, 2]), self.second[:, 0], 1.0 + 0.0 * turn]
        )
        along = np.where(flat, self.high[:, 0] * length(self.second), slant * self.second[:, 1]) * rise
        return across, along

    def _widest(self) -> Floats:
        """The radius of the widest circle around the axis on each round patch, before the scaling of ellipsoids."""
        radius, low, high = self.second[:, 0], self.low[:, 1], self.high[:, 1]
        side = radius - low * self.second[:, 2]
        dome = radius * np.sin(np.clip(np.pi / 2.0, low, high))
        return np.choose(self.kind, [0.0 * radius, side, dome, high])

    def _narrowest(self) -> Floats:
        """The least radius of curvature of each round patch."""
        radius = self.second[:, 0]
        return np.where(self.kind == SIDE, np.maximum(radius - self.high[:, 1] * self.second[:, 2], 0.0), radius)

    def _all_flat(self) -> bool:
        return bool((self.kind == FLAT).all())

    def _at(self, place: Floats) -> Floats:
        """The points of the patches at these parameters, one for each patch."""
        u, v = place.T
        flat = self.corner + u[:, None] * self.first + (u * v)[:, None] * self.second
        if self._all_flat():
            return flat
        radius = self.second[:, 0]
        out = np.choose(self.kind, [0.0 * u, radius - v * self.second[:, 2], radius * np.sin(v), v])
        up = np.choose(self.kind, [0.0 * u, v, radius * np.cos(v), 0.0 * u])
        round_ = self.corner + out[:, None] * self._around(u) + up[:, None] * self.first
        return np.where((self.kind == FLAT)[:, None], flat, round_)

    def _around(self, angle: Floats) -> Floats:
        """The vectors from the axis at these angles, one for each patch."""
        return np.cos(angle)[:, None] * self.side[:, 0] + np.sin(angle)[:, None] * self.side[:, 1]

    def _normal(self, place: Floats) -> Floats:
        """The outward unit normals at these parameters, one for each patch."""
        u, v = place.T
        slope, facing = self.second[:, 2], np.sign(self.second[:, 2])
        # Normals of a scaled surface have the inverse scale. The axes are orthogonal.
        axes = np.stack([self.first, self.side[:, 0], self.side[:, 1]], axis=1)
        square = np.square(axes).sum(axis=2)
        thin = (square == 0.0).any(axis=1)
        axes = axes / np.where(square > 0.0, square, 1.0)[:, :, None]
        up = np.choose(self.kind, [0.0 * u, slope, np.cos(v), facing])
        out = np.choose(self.kind, [0.0 * u, 1.0 + 0.0 * u, np.sin(v), 0.0 * u])
        shares = np.stack([up, out * np.cos(u), out * np.sin(u)], axis=1)
        round_ = np.where(thin[:, None], 0.0, np.einsum("pk,pki->pi", shares, axes))
        normal = np.where((self.kind == FLAT)[:, None], cross(self.first, self.second), round_)
        return normalized(normal, np.zeros(3))


FLAT, SIDE, DOME, CAP = range(4)

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)
_GAUSS = (_NODES + 1.0) / 2.0, _WEIGHTS / 2.0
"""The places and weights of a Gauss quadrature from 0 to 1."""

_AROUND = 8
"""The number of patches around an axis at the beginning."""


def patches_of(shapes: Convex) -> tuple[Patches, Ints]:
    """The surfaces of shapes as patches, and the shape of each patch, (P,).

    A shape without volume is its own surface. Flat patches are counterclockwise, seen from outside.
    """
    every = np.arange(len(shapes))
    if isinstance(shapes, Triangles | Boxes | Hulls):
        found = boundary(shapes)
        return flat_patches(found.corner), found.row
    if isinstance(shapes, Ellipsoids):
        axes = (shapes.rotation * shapes.radii[:, None]).transpose(0, 2, 1)
        frame = _Frame(
            shapes.center, axes[:, 2], axes[:, :2], np.ones(len(shapes)), shapes.radii.max(axis=1, initial=0.0)
        )
        return _joined([frame.rings(DOME, 0.0, np.pi)], every)
    if not isinstance(shapes, Cones | Spheres | Capsules | Cylinders):
        raise UnsupportedPair(f"no surface is known of a {type(shapes).__name__}")
    start, end = (shapes.base, shapes.apex) if isinstance(shapes, Cones) else ends_of(shapes)
    height, radius = length(end - start), shapes.radius
    axis = normalized(end - start, np.array([0.0, 0.0, 1.0]))
    first = perpendicular(axis)
    side, ones = np.stack([first, cross(axis, first)], axis=1), np.ones(len(shapes))
    at_start, at_end = _Frame(start, axis, side, radius, ones), _Frame(end, axis, side, radius, ones)
    if isinstance(shapes, Cones):
        return _joined(
            [at_start.rings(SIDE, 0.0, height, radius / height), at_start.rings(CAP, 0.0, radius, -1.0)], every
        )
    if isinstance(shapes, Cylinders):
        caps = [at_start.rings(CAP, 0.0, radius, -1.0), at_end.rings(CAP, 0.0, radius, 1.0)]
        return _joined([at_start.rings(SIDE, 0.0, height), *caps], every)
    half = np.pi / 2.0
    domes = [at_end.rings(DOME, 0.0, half), at_start.rings(DOME, half, np.pi)]
    return _joined(domes if isinstance(shapes, Spheres) else [at_start.rings(SIDE, 0.0, height), *domes], every)


def flat_patches(corners: Floats) -> Patches:
    """Patches for triangles (T, 3, 3)."""
    count = len(corners)
    a, b, c = corners.transpose(1, 0, 2)
    low, high = np.zeros((count, 2)), np.ones((count, 2))
    return Patches(a, b - a, c - b, np.zeros((count, 2, 3)), np.full(count, FLAT), low, high)


@dataclass(frozen=True)
class _Frame:
    """Axes of round surfaces, one for each shape: centers, axes, two vectors across, radii and scales."""

    center: Floats
    axis: Floats
    side: Floats
    radius: Floats
    scale: Floats

    def rings(self, kind: int, low: Floats | float, high: Floats | float, extra: Floats | float = 0.0) -> Patches:
        """A ring of patches around each axis, `low` to `high` in the second parameter."""
        count = len(self.center)
        turn = np.linspace(0.0, 2.0 * np.pi, _AROUND + 1)
        numbers = np.stack([self.radius, self.scale, np.broadcast_to(extra, count)], axis=1)
        ends = [
            np.stack(np.broadcast_arrays(turn[k : k + _AROUND], np.reshape(value, (-1, 1))), axis=-1)
            for k, value in ((0, low), (1, high))
        ]
        lows, highs = (np.broadcast_to(end, (count, _AROUND, 2)).reshape(-1, 2) for end in ends)
        rows = np.repeat(np.arange(count), _AROUND)
        every = self.center[rows], self.axis[rows], numbers[rows], self.side[rows]
        return Patches(*every, np.full(len(rows), kind), lows, highs)


def _joined(rings: list[Patches], every: Ints) -> tuple[Patches, Ints]:
    """The patches of several rings around each shape, and their shapes."""
    return Patches.joined(rings), np.tile(np.repeat(every, _AROUND), len(rings))
