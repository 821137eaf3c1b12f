# SPDX-License-Identifier: GPL-3.0-or-later
"""The convex shapes of the plane: batches of one kind each, validated when they are made, and immutable.

Coordinates are world coordinates in the caller's unit, float64. Angles are in radians, counterclockwise. Invalid input
raises `ValueError` with the field and the row. Each class accepts ``materials=``, as in space. Each batch has `Rows`:
bounds and reference points of its shapes, for the tests before those of corners.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...numerics.rows import RowTable, joined_indices, takes_rows
from ...numerics.tolerances import EARLY_OUT, EPS
from ...numerics.types import Floats, Ints
from ...numerics.validation import PLANE, array, common_rows, coordinates, items, point_set, sizes
from ...numerics.vectors import two_diff, two_product
from ...shapes.batch import Batch, Materials
from .polygon_pool import Outlines, PolygonPool, centers, convex_outlines, make_pool, with_caps


@dataclass(frozen=True, eq=False, repr=False)
class Rows(RowTable):
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

    @takes_rows
    def take(self, rows: Ints | slice) -> Rows:
        """These rows, in that order; `rows` may also be a mask of all rows."""
        every = [getattr(self, one.name) for one in fields(self)]
        # With an index array, `take` is three times as fast as brackets.
        return Rows(*(value[rows] if isinstance(rows, slice) else value.take(rows, axis=0) for value in every))

    @cached_property
    def guard(self) -> Floats:
        """The rounding margin of the early tests for each shape, (N,); the margin of a pair is the sum of both."""
        return EARLY_OUT * EPS * (self.reach + self.magnitude)

    def from_origin(self, origin: Floats) -> Rows:
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


def polygon_rows(place: Floats, rest: Floats, magnitude: Floats, pool: PolygonPool) -> Rows:
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


class Placed(Batch):
    """Base class of the convex kinds, each of which has `Rows`."""

    rows: Rows

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 2) and upper (N, 2)."""
        return self.rows.bounds()


class Circles(Placed):
    """Solid disks.

    Parameters
    ----------
    center : (N, 2) array-like
    radius : (N,) array-like
        A radius of zero makes a point.
    materials : Materials, optional
        One row for each shape, or one for all.

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or is out of range, or if numbers of rows differ; names the field
        and the row.
    """

    center: Floats
    radius: Floats

    def __init__(self, center: ArrayLike, radius: ArrayLike, *, materials: Materials | None = None) -> None:
        places = coordinates(center, "center", (-1, 2), PLANE)
        radii = sizes(radius, "radius", (-1,), PLANE)
        places, radii = common_rows(center=places, radius=radii)
        self.fill(materials, center=places, radius=radii, rows=circle_rows(places, radii))


class AABBs(Placed):
    """Solid axis-aligned rectangles.

    Parameters
    ----------
    lower, upper : (N, 2) array-like
        No lower bound is above its upper bound. Equal bounds make segments and points.
    materials : Materials, optional
        One row for each shape, or one for all.

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or is out of range, or if numbers of rows differ; names the field
        and the row.
    """

    lower: Floats
    upper: Floats

    def __init__(self, lower: ArrayLike, upper: ArrayLike, *, materials: Materials | None = None) -> None:
        low, high = coordinates(lower, "lower", (-1, 2), PLANE), coordinates(upper, "upper", (-1, 2), PLANE)
        low, high = common_rows(lower=low, upper=high)
        inverted = (low > high).any(axis=1)
        if inverted.any():
            raise ValueError(f"lower: row {int(np.argmax(inverted))} is above its upper bound")
        half = (high - low) / 2.0
        rows = box_rows(*two_diff(low, -half), half, *_direction(None, len(low)))
        self.fill(materials, lower=low, upper=high, rows=rows)

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: the shapes themselves."""
        return self.lower, self.upper


class Rectangles(Placed):
    """Solid rectangles with any rotation.

    Parameters
    ----------
    center : (N, 2) array-like
    half_extents : (N, 2) array-like
        Half the side lengths along the rectangle's own axes; zeros make segments and points.
    angle : (N,) array-like, optional
        Radians. At multiples of a right angle, within rounding, the axes are exact.
    materials : Materials, optional
        One row for each shape, or one for all.

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or is out of range, or if numbers of rows differ; names the field
        and the row.
    """

    center: Floats
    half_extents: Floats
    cosine: Floats
    sine: Floats

    def __init__(
        self,
        center: ArrayLike,
        half_extents: ArrayLike,
        angle: ArrayLike | None = None,
        *,
        materials: Materials | None = None,
    ) -> None:
        places = coordinates(center, "center", (-1, 2), PLANE)
        halves = sizes(half_extents, "half_extents", (-1, 2), PLANE)
        cosine, sine = _direction(angle, len(places))
        places, halves, cosine, sine = common_rows(center=places, half_extents=halves, angle=cosine, sine=sine)
        rows = box_rows(places, np.zeros_like(places), halves, cosine, sine)
        self.fill(materials, center=places, half_extents=halves, cosine=cosine, sine=sine, rows=rows)


class Polygons(Placed):
    """Solid convex polygons.

    Parameters
    ----------
    outlines : sequence of (k, 2) array-like
        Corners in order, in either direction; the last is joined to the first. Corners on a straight side and repeated
        corners are allowed. An outline with collinear corners is a segment, one with a single point is a point.
    translation : (N, 2) array-like, optional
    angle : (N,) array-like, optional
        Radians. A corner x has the world coordinates ``rotation(angle) @ x + translation``.
    materials : Materials, optional
        One row for each shape, or one for all.

    Raises
    ------
    ValueError
        If an outline is not convex (`Regions` accepts those). Dents no deeper than the rounding of the coordinates are
        filled.
    """

    shared: ClassVar[tuple[str, ...]] = ("pool",)
    refers: ClassVar[tuple[str, ...]] = ("index",)
    pool: PolygonPool
    index: Ints

    def __init__(
        self,
        outlines: Sequence[ArrayLike],
        translation: ArrayLike | None = None,
        angle: ArrayLike | None = None,
        *,
        materials: Materials | None = None,
    ) -> None:
        given = [point_set(one, f"outlines: row {row}", (2,)) for row, one in enumerate(items(outlines, "outlines"))]
        ranged = [coordinates(one, f"outlines: row {row}", (-1, 2), PLANE) for row, one in enumerate(given)]
        checked = convex_outlines(ranged, "outlines")
        self._place(checked, *frames(translation, angle, len(given), "outlines"), materials)

    @classmethod
    def of(cls, outlines: Outlines, translation: Floats, cosine: Floats, sine: Floats) -> Self:
        """Polygons from outlines that are known to be convex."""
        result = object.__new__(cls)
        result._place(outlines, translation, cosine, sine, None)
        return result

    def _place(
        self, outlines: Outlines, translation: Floats, cosine: Floats, sine: Floats, materials: Materials | None
    ) -> None:
        middle, outlines = centers(outlines), with_caps(outlines)[0]
        x, y = middle[:, 0], middle[:, 1]
        place, rest = _placed(middle, cosine, sine, translation)
        pool = make_pool(outlines, middle, cosine, sine)
        # Both terms of the place contribute rounding, even where they cancel.
        magnitude = np.hypot(x, y) + np.hypot(translation[:, 0], translation[:, 1])
        rows = polygon_rows(place, rest, magnitude, pool)
        self.fill(materials, pool=pool, index=np.arange(len(translation)), rows=rows)

    def __len__(self) -> int:
        return len(self.index)

    @classmethod
    def joined_shared(cls, batches: Sequence[Self]) -> dict[str, Any]:
        """The shared fields of `joined`, and those that refer to them, by name."""
        pools = [one.pool for one in batches]
        return {
            "pool": PolygonPool.joined(pools),
            "index": joined_indices([one.index for one in batches], [*map(len, pools)]),
        }

    def row_geometry(self) -> list[tuple[Any, ...]]:
        """The corners of each row relative to its place."""
        ends = zip(self.pool.start[self.index].tolist(), self.pool.start[self.index + 1].tolist(), strict=True)
        return [(self.pool.x[first:last], self.pool.y[first:last]) for first, last in ends]


def _placed(points: Floats, cosine: Floats, sine: Floats, translation: Floats) -> tuple[Floats, Floats]:
    """Points (N, 2) rotated and translated, and the rounding errors of their coordinates."""
    first, first_rest = two_product(np.stack([cosine, sine], axis=1), points[:, :1])
    second, second_rest = two_product(np.stack([sine, -cosine], axis=1), points[:, 1:])
    turned, turned_rest = two_diff(first, second)
    place, rest = two_diff(turned, -translation)
    return place, rest + (turned_rest + (first_rest - second_rest))


def frames(
    translation: ArrayLike | None, angle: ArrayLike | None, count: int, name: str
) -> tuple[Floats, Floats, Floats]:
    """Validated translations (N, 2), and cosines and sines of the angles (N,)."""
    moved = coordinates(np.zeros((count, 2)) if translation is None else translation, "translation", (-1, 2), PLANE)
    cosine, sine = _direction(angle, count)
    every = common_rows(**{name: np.empty(count), "translation": moved, "angle": cosine, "sine": sine})
    if len(every[0]) != count:
        given = {"translation": len(moved), "angle": len(cosine)}
        wrong = " and ".join(f"{which}: {rows} rows" for which, rows in given.items() if rows != count)
        raise ValueError(f"{wrong}, but {name} has {count}")
    return every[1], every[2], every[3]


def _direction(angle: ArrayLike | None, count: int) -> tuple[Floats, Floats]:
    """Cosines and sines of angles (N,); None: no rotation."""
    if angle is None:
        return np.ones(count), np.zeros(count)
    given = array(angle, "angle", (-1,))
    cosine, sine = np.cos(given), np.sin(given)
    # A right angle is not exact in float64, so its cosine is not exactly zero.
    slack = EPS * (1.0 + np.abs(given))
    quarter, half = np.abs(cosine) <= slack, np.abs(sine) <= slack
    cosine = np.where(quarter, 0.0, np.where(half, np.sign(cosine), cosine))
    return cosine, np.where(half, 0.0, np.where(quarter, np.sign(sine), sine))
