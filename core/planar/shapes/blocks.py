# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks of convex shapes in the layout of the kernels: one array for each component, one row for each corner.

Every convex kind is a polygon with a radius: a circle is a single corner with a radius; the others have radius zero.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...numerics.rows import ragged_arange
from ...numerics.types import Floats, Ints
from .convex import AABBs, Circles, Polygons, Rectangles
from .polygon_pool import PolygonPool

Convex = Circles | AABBs | Rectangles | Polygons

# Corners of a rectangle in units of its half-extents, counterclockwise from the lower left, and the normals of the
# edges that begin at these corners.
_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
_NORMALS = np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])


class Cores:
    """Corners of n shapes relative to their places, padded to K corners by repeating the last corner.

    Components are fetched from the pool when they are first used, because most pairs need only few of them.

    Attributes
    ----------
    x, y : (K, n) float64
        Corners, counterclockwise.
    nx, ny, offset : (K, n) float64
        For the edge that begins at each corner: the outward unit normal, and the extent of the shape along it. Circles
        have none (K = 0).
    vertex, edge : (K, n) int64
        Names, as in `PolygonPool`.
    count : (n,) int64
        The number of corners without padding.
    radius : (n,) float64
    """

    def __init__(
        self,
        count: Ints,
        radius: Floats,
        components: dict[str, Any],
        pool: PolygonPool | None,
        corners: int,
        column: Ints,
    ) -> None:
        self.count = count
        self.radius = radius
        self._components = components
        self._pool = pool
        self._corners = corners
        self._column = column

    def __len__(self) -> int:
        return len(self.count)

    def _component(self, name: str) -> Any:
        if name not in self._components:
            assert self._pool is not None
            self._components[name] = np.take(self._pool.padded(name, self._corners), self._column, axis=1)
        return self._components[name]

    x = property(lambda self: self._component("x"))
    y = property(lambda self: self._component("y"))
    nx = property(lambda self: self._component("nx"))
    ny = property(lambda self: self._component("ny"))
    offset = property(lambda self: self._component("offset"))
    vertex = property(lambda self: self._component("vertex"))
    edge = property(lambda self: self._component("edge"))

    @property
    def has_edges(self) -> bool:
        """Whether the shapes are polygons, not circles."""
        return self._pool is not None or len(self.nx) > 0

    def take(self, columns: Ints) -> "Cores":
        """The given shapes."""
        components = {} if self._pool is not None else {k: v[:, columns] for k, v in self._components.items()}
        kept = self.count[columns], self.radius[columns], components, self._pool
        return Cores(*kept, self._corners, self._column[columns])

    def after(self, corner: Ints) -> Ints:
        """The next corner of each shape, counterclockwise."""
        return np.where(corner + 1 < self.count, corner + 1, 0)

    def before(self, corner: Ints) -> Ints:
        """The previous corner of each shape; `corner` is not padding."""
        return np.where(corner > 0, corner, self.count) - 1

    def corner(self, corner: Ints) -> tuple[Floats, Floats]:
        """One corner of each shape."""
        at = np.arange(len(self))
        return self.x[corner, at], self.y[corner, at]


def cores_of(shapes: Convex, rows: Ints, corners: int) -> Cores:
    """The cores of some rows of a batch, all of the size class `corners`."""
    match shapes:
        case Circles():
            zero, nothing = np.zeros((1, len(rows))), np.empty((0, len(rows)))
            name = np.zeros((1, len(rows)), np.int64)
            components = {"x": zero, "y": zero, "nx": nothing, "ny": nothing, "offset": nothing}
            named = {"vertex": name, "edge": name}
            return Cores(np.ones(len(rows), np.int64), shapes.radius[rows], {**components, **named}, None, 1, rows)
        case AABBs():
            lower, upper = shapes.lower[rows], shapes.upper[rows]
            return _boxes((upper - lower) / 2.0, np.ones(len(rows)), np.zeros(len(rows)))
        case Rectangles():
            return _boxes(shapes.half_extents[rows], shapes.cosine[rows], shapes.sine[rows])
        case Polygons():
            pool, geometry = shapes.pool, shapes.index[rows]
            return Cores(pool.count[geometry], np.zeros(len(rows)), {}, pool, corners, pool.column[geometry])


@dataclass(frozen=True, eq=False)
class Corners:
    """The corners and sides of n shapes without padding, concatenated, relative to the places of the shapes.

    Attributes
    ----------
    x, y : (V,) float64
    nx, ny, offset : (V,) float64
        As `Cores` has them. Circles have none.
    start, count, sides : (n,) int64
        The first corner of each shape, and the numbers of its corners and sides: a circle has one corner and no side.
    place : (2, n) float64
    radius : (n,) float64
    """

    x: Floats
    y: Floats
    nx: Floats
    ny: Floats
    offset: Floats
    start: Ints
    count: Ints
    sides: Ints
    place: Floats
    radius: Floats

    @property
    def owner(self) -> Ints:
        """The shape of each corner, (V,)."""
        return np.repeat(np.arange(len(self.count)), self.count)

    def points(self) -> Floats:
        """The corners in world coordinates, (V, 2)."""
        return np.stack([self.x, self.y], axis=1) + self.place.T[self.owner]


def corners_of(shapes: Convex, rows: Ints) -> Corners:
    """The corners of some rows of a batch."""
    names = ("x", "y", "nx", "ny", "offset")
    if isinstance(shapes, Polygons):
        pool, geometry = shapes.pool, shapes.index[rows]
        count, radius = pool.count[geometry], np.zeros(len(rows))
        at = ragged_arange(count, pool.start[geometry])[1]
        x, y, nx, ny, offset = (vars(pool)[name][at] for name in names)
    else:
        cores = cores_of(shapes, rows, 4)
        count, radius = cores.count, cores.radius
        x, y, nx, ny, offset = (getattr(cores, name).T.ravel() for name in names)
    sides = np.zeros_like(count) if isinstance(shapes, Circles) else count
    place = np.stack([shapes.rows.x[rows], shapes.rows.y[rows]])
    return Corners(x, y, nx, ny, offset, np.cumsum(count) - count, count, sides, place, radius)


def _boxes(half: Floats, cosine: Floats, sine: Floats) -> Cores:
    count = len(half)
    hx, hy = half[:, 0], half[:, 1]
    local_x, local_y = _CORNERS[:, :1] * hx, _CORNERS[:, 1:] * hy
    names = np.broadcast_to(np.arange(4)[:, None], (4, count))
    components = {
        "x": local_x * cosine - local_y * sine,
        "y": local_x * sine + local_y * cosine,
        "nx": _NORMALS[:, :1] * cosine - _NORMALS[:, 1:] * sine,
        "ny": _NORMALS[:, :1] * sine + _NORMALS[:, 1:] * cosine,
        "offset": np.stack([hy, hx, hy, hx]),
        "vertex": names,
        "edge": names,
    }
    return Cores(np.full(count, 4), np.zeros(count), components, None, 4, names[0])
