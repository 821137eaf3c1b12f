# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds and reference points of the shapes of a batch, for the tests before those of corners."""

from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...numerics.tolerances import EARLY_OUT, EPS
from ...numerics.types import Floats, Ints
from .polygon_pool import Pool


@dataclass(frozen=True, eq=False)
class Rows:
    """One number for each row of a batch, in one array for each component.

    Attributes
    ----------
    x, y : (N,) float64
        The shape's place, its reference point: a point well inside it.
    rest_x, rest_y : (N,) float64
        The rounding error of the place. Far from the origin it may exceed the rounding of the shape itself.
    reach, inner : (N,) float64
        Radii of two circles about the place: one contains the shape, the other is inside it.
    magnitude : (N,) float64
        The largest distance from the origin of the terms that the place is computed from.
    extents : (N, 8) float64
        The extents of the shape relative to its place: least and greatest x, y, x + y and x - y.
    size_class : (N,) int64
        The number of corners to which a block pads the shape; 1 for circles.
    """

    x: Floats
    y: Floats
    rest_x: Floats
    rest_y: Floats
    reach: Floats
    inner: Floats
    magnitude: Floats
    extents: Floats
    size_class: Ints

    def __getitem__(self, rows: slice) -> "Rows":
        return Rows(*(getattr(self, one.name)[rows] for one in fields(self)))

    def take(self, rows: Ints, axis: int = 0) -> "Rows":
        """These rows, in that order, with the signature of an array's method, so that batches treat both alike."""
        return Rows(*(getattr(self, one.name).take(rows, axis=axis) for one in fields(self)))

    @cached_property
    def guard(self) -> Floats:
        """What each shape contributes to the least gap or overlap that an early test must find, (N,)."""
        return EARLY_OUT * EPS * (self.reach + self.magnitude)

    def from_origin(self, origin: Floats) -> "Rows":
        """These shapes relative to origins (N, 2), without the rounding of places that are far from (0, 0)."""
        x, y = (self.x - origin[:, 0]) + self.rest_x, (self.y - origin[:, 1]) + self.rest_y
        none = np.zeros(len(x))
        return replace(self, x=x, y=y, rest_x=none, rest_y=none, magnitude=np.hypot(x, y))

    @cached_property
    def starts(self) -> Floats:
        """Lower limits of each shape along x, y, x + y, x - y and the opposite directions, minus its guard: (N, 8)."""
        places = np.stack([self.x, self.y, self.x + self.y, self.x - self.y], axis=1)
        spare = self.guard[:, None] * np.array([1.0, 1.0, 2.0, 2.0])
        low, high = self.extents[:, ::2], self.extents[:, 1::2]
        return np.concatenate([places + low - spare, -(places + high) - spare], axis=1)

    @cached_property
    def ends(self) -> Floats:
        """Upper limits along the same directions, plus its guard: (N, 8)."""
        return -np.roll(self.starts, 4, axis=1)

    @cached_property
    def place(self) -> NDArray[np.complex128]:
        """The place as x + iy, (N,)."""
        return self.x + 1j * self.y

    @cached_property
    def core(self) -> Floats:
        """The radius of the inner circle minus the guard, (N,)."""
        return self.inner - self.guard

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 2) and upper (N, 2)."""
        place = np.stack([self.x, self.y], axis=1)
        return place + self.extents[:, 0:4:2], place + self.extents[:, 1:4:2]


def circle_rows(place: Floats, radius: Floats) -> Rows:
    """Rows of circles about places (N, 2)."""
    (x, y), none = place.T.copy(), np.zeros(len(place))
    extents = radius[:, None] * np.array([-1.0, 1.0, -1.0, 1.0, *(np.sqrt(2.0) * np.array([-1.0, 1.0, -1.0, 1.0]))])
    return Rows(x, y, none, none, radius, radius, np.hypot(x, y), extents, np.ones(len(x), np.int64))


def box_rows(place: Floats, rest: Floats, half: Floats, cosine: Floats, sine: Floats) -> Rows:
    """Rows of rotated rectangles with half-extents (N, 2) about places (N, 2) with rounding errors `rest` (N, 2)."""
    (x, y), (hx, hy) = place.T.copy(), half.T
    along = [
        np.abs(c) * hx + np.abs(s) * hy
        for c, s in ((cosine, sine), (sine, cosine), (cosine + sine, cosine - sine), (cosine - sine, cosine + sine))
    ]
    extents = np.stack([side for reach in along for side in (-reach, reach)], axis=1)
    rest_x, rest_y = rest.T.copy()
    reach, inner = np.hypot(hx, hy), np.minimum(hx, hy)
    return Rows(x, y, rest_x, rest_y, reach, inner, np.hypot(x, y), extents, np.full(len(x), 4))


def polygon_rows(place: Floats, rest: Floats, magnitude: Floats, pool: Pool) -> Rows:
    """Rows of polygons at places (N, 2) with rounding errors `rest` (N, 2); each row has its own geometry."""
    (x, y), (rest_x, rest_y) = place.T.copy(), rest.T.copy()
    first = pool.start[:-1]
    if not len(x):
        return Rows(x, y, x, y, x, x, magnitude, np.empty((0, 8)), pool.size_class)
    extents = [
        side.reduceat(along, first)
        for along in (pool.x, pool.y, pool.x + pool.y, pool.x - pool.y)
        for side in (np.minimum, np.maximum)
    ]
    reach = np.maximum.reduceat(np.hypot(pool.x, pool.y), first)
    inner = np.minimum.reduceat(pool.offset, first)
    return Rows(x, y, rest_x, rest_y, reach, inner, magnitude, np.stack(extents, axis=1), pool.size_class)
