# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of each shape of a batch before its corners are looked at."""

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..results import Floats, Ints
from ..tolerances import EARLY_OUT, EPS
from .pool import Pool


@dataclass(frozen=True, eq=False)
class Rows:
    """One number for each row of a batch, by components.

    Attributes
    ----------
    x, y : (N,) float64
        The shape's place: a point well inside it.
    reach, inner : (N,) float64
        Radius of the circles about the place that hold the shape and that it holds.
    magnitude : (N,) float64
        The largest distance from the origin that went into the place.
    low_x, high_x, low_y, high_y : (N,) float64
        Bounds along the axes.
    low_up, high_up, low_down, high_down : (N,) float64
        Bounds along the diagonals x + y and x - y.
    size_class : (N,) int64
        To how many corners a block pads the shape; 1 for circles.
    """

    x: Floats
    y: Floats
    reach: Floats
    inner: Floats
    magnitude: Floats
    low_x: Floats
    high_x: Floats
    low_y: Floats
    high_y: Floats
    low_up: Floats
    high_up: Floats
    low_down: Floats
    high_down: Floats
    size_class: Ints

    def __getitem__(self, rows: slice) -> "Rows":
        return Rows(*(getattr(self, one.name)[rows] for one in fields(self)))

    def take(self, rows: Ints, axis: int = 0) -> "Rows":
        """These rows, in that order; as an array's, so that a batch takes of its rows what it takes of its fields."""
        return Rows(*(getattr(self, one.name).take(rows, axis=axis) for one in fields(self)))

    @cached_property
    def guard(self) -> Floats:
        """What each shape adds to what an early out has to leave, (N,)."""
        return EARLY_OUT * EPS * (self.reach + self.magnitude)

    @cached_property
    def starts(self) -> Floats:
        """Where each shape begins along ±x, ±y and the diagonals, less its guard: (N, 8)."""
        x, y, up, down, guard = self.low_x, self.low_y, self.low_up, self.low_down, self.guard
        lows = [x - guard, y - guard, up - 2.0 * guard, down - 2.0 * guard]
        x, y, up, down = self.high_x, self.high_y, self.high_up, self.high_down
        return np.stack([*lows, -x - guard, -y - guard, -up - 2.0 * guard, -down - 2.0 * guard], axis=1)

    @cached_property
    def ends(self) -> Floats:
        """Where it ends along the same, with its guard: (N, 8)."""
        return -np.roll(self.starts, 4, axis=1)

    @cached_property
    def place(self) -> NDArray[np.complex128]:
        """The place as x + iy, (N,)."""
        return self.x + 1j * self.y

    @cached_property
    def core(self) -> Floats:
        """The radius of the circle inside less the guard, (N,)."""
        return self.inner - self.guard

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 2) and upper (N, 2)."""
        return np.stack([self.low_x, self.low_y], axis=1), np.stack([self.high_x, self.high_y], axis=1)


def round_rows(place: Floats, radius: Floats) -> Rows:
    """Of circles about places (N, 2)."""
    x, y = place.T.copy()
    diagonal = radius * np.sqrt(2.0)
    up, down = x + y, x - y
    return Rows(
        x,
        y,
        radius,
        radius,
        np.hypot(x, y),
        *(x - radius, x + radius, y - radius, y + radius),
        *(up - diagonal, up + diagonal, down - diagonal, down + diagonal),
        np.ones(len(x), np.int64),
    )


def box_rows(place: Floats, half: Floats, cosine: Floats, sine: Floats) -> Rows:
    """Of rectangles of half-extents (N, 2), turned."""
    (x, y), (hx, hy) = place.T.copy(), half.T
    reach_x, reach_y = (np.abs(c) * hx + np.abs(s) * hy for c, s in ((cosine, sine), (sine, cosine)))
    reach_up = np.abs(cosine + sine) * hx + np.abs(cosine - sine) * hy
    reach_down = np.abs(cosine - sine) * hx + np.abs(cosine + sine) * hy
    up, down = x + y, x - y
    return Rows(
        x,
        y,
        np.hypot(hx, hy),
        np.minimum(hx, hy),
        np.hypot(x, y),
        *(x - reach_x, x + reach_x, y - reach_y, y + reach_y),
        *(up - reach_up, up + reach_up, down - reach_down, down + reach_down),
        np.full(len(x), 4),
    )


def polygon_rows(place: Floats, magnitude: Floats, pool: Pool) -> Rows:
    """Of polygons at their places, each row a geometry of its own."""
    x, y = place.T.copy()
    first = pool.start[:-1]

    def extent(along: Floats, middle: Floats) -> tuple[Floats, Floats]:
        if not len(along):
            return middle, middle
        return middle + np.minimum.reduceat(along, first), middle + np.maximum.reduceat(along, first)

    reach, inner = x, x
    if len(x):
        reach = np.maximum.reduceat(np.hypot(pool.x, pool.y), first)
        inner = np.minimum.reduceat(pool.offset, first)
    return Rows(
        x,
        y,
        reach,
        inner,
        magnitude,
        *extent(pool.x, x),
        *extent(pool.y, y),
        *extent(pool.x + pool.y, x + y),
        *extent(pool.x - pool.y, x - y),
        pool.size_class,
    )
