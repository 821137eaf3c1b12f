# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounded convex shapes over the flat surface of a half-space or plane: how high each of their vertices is.

A shape's core is seen from a place of its own, so that where a place and an offset nearly cancel, nothing else does.
"""

from dataclasses import dataclass

import numpy as np

from ..components import dot, of_rows
from ..dispatch import Chosen
from ..polytopes import Polytopes, PooledHulls
from ..results import Bools, Floats, Ints
from ..shapes import Boxes, Capsules, HalfSpaces, Hulls, Planes, Spheres, Triangles
from ..tolerances import TABLE_SLACK, rounding
from .rounded import Rows

Bounded = Spheres | Capsules | Boxes | Triangles | Hulls

# The corners of a box, in the order of `polytopes`.
_SIGNS = np.array([[x, y, z] for z in (-1.0, 1.0) for y in (-1.0, 1.0) for x in (-1.0, 1.0)])


@dataclass(frozen=True)
class Low:
    """The lowest vertices of cores along directions.

    Attributes
    ----------
    height : (P,) float64
        Over the place.
    vertex : (P,) int64, optional
        Which it is, where there are many to choose from: a column of the pool's vertices.
    second : (P,) float64, optional
        The height of the lowest but one.
    """

    height: Floats
    vertex: Ints | None = None
    second: Floats | None = None

    def but(self, other: "Low", where: Bools) -> "Low":
        """The other's where that is true."""
        height = np.where(where, other.height, self.height)
        if self.vertex is None or self.second is None or other.vertex is None or other.second is None:
            return Low(height)
        return Low(height, np.where(where, other.vertex, self.vertex), np.where(where, other.second, self.second))


@dataclass
class Cores:
    """The cores of a block of shapes, on components.

    Attributes
    ----------
    place : (3, P) float64
        In the world; what follows is seen from there.
    far : (P,) float64
        Square of its distance from the origin.
    size, radius : (P,) float64
        Radius of a ball about the place that holds the shape, and how much the shape is rounded.
    """

    place: Floats
    far: Floats
    size: Floats
    radius: Floats

    def low(self, normal: Floats) -> Low:
        """The lowest vertex along a unit normal (3, P)."""
        return Low(self.heights(normal).min(axis=0))

    def heights(self, normal: Floats) -> Floats:
        """How high each vertex is over the place along a unit normal (3, P): (V, P)."""
        return np.stack([dot(corner, normal) for corner in self.corners()])

    def lowest(self, normal: Floats, slack: Floats, low: Low) -> Floats:
        """The middle of all vertices as low as `low` along its unit normal, up to `slack` (P,): (3, P)."""
        heights = self.heights(normal)
        level = (heights <= low.height + slack) & self.real()
        share = level / level.sum(axis=0)
        result = np.zeros_like(self.place)
        for corner, part in zip(self.corners(), share, strict=True):
            result += corner * part
        return result

    def corners(self) -> list[Floats]:
        """The vertices, (3, P) each."""
        raise NotImplementedError

    def real(self) -> Bools:
        """Which of the vertices are no padding: (V, P), or (1, 1) where all are real."""
        return np.ones((1, 1), dtype=bool)

    def names(self) -> Ints | None:
        """The feature id of each vertex, (V, P), where that is not its number."""
        return None


class _Points(Cores):
    """Spheres."""

    def __init__(self, shapes: Spheres) -> None:
        place, radius = of_rows(shapes.center), shapes.radius
        super().__init__(place, dot(place, place), radius, radius)

    def low(self, normal: Floats) -> Low:
        return Low(np.zeros_like(self.size))

    def lowest(self, normal: Floats, slack: Floats, low: Low) -> Floats:
        return np.zeros_like(self.place)

    def corners(self) -> list[Floats]:
        return [np.zeros_like(self.place)]


class _Segments(Cores):
    """Capsules, from the middle of their segments."""

    def __init__(self, shapes: Capsules) -> None:
        self.half, place, radius = of_rows(shapes.end), of_rows(shapes.start), shapes.radius
        self.half -= place
        self.half /= 2.0
        place += self.half
        super().__init__(place, dot(place, place), np.sqrt(dot(self.half, self.half)) + radius, radius)

    def low(self, normal: Floats) -> Low:
        return Low(-np.abs(dot(self.half, normal)))

    def lowest(self, normal: Floats, slack: Floats, low: Low) -> Floats:
        rise = dot(self.half, normal)
        return self.half * -(np.sign(rise) * (2.0 * np.abs(rise) > slack))

    def corners(self) -> list[Floats]:
        return [-self.half, self.half]


class _Cuboids(Cores):
    """Boxes."""

    def __init__(self, shapes: Boxes) -> None:
        place, half = of_rows(shapes.center), of_rows(shapes.half_extents)
        self.axes = of_rows(shapes.rotation)
        self.axes *= half
        super().__init__(place, dot(place, place), np.sqrt(dot(half, half)), np.zeros(place.shape[1]))

    def low(self, normal: Floats) -> Low:
        result = np.zeros_like(self.size)
        for k in range(3):
            result -= np.abs(dot(self.axes[:, k], normal))
        return Low(result)

    def lowest(self, normal: Floats, slack: Floats, low: Low) -> Floats:
        result = np.zeros_like(self.place)
        for k in range(3):
            rise = dot(self.axes[:, k], normal)
            # Both ends of an axis are lowest where it is level.
            result -= self.axes[:, k] * (np.sign(rise) * (2.0 * np.abs(rise) > slack))
        return result

    def corners(self) -> list[Floats]:
        return [sum(sign * self.axes[:, k] for k, sign in enumerate(signs)) for signs in _SIGNS]


class _Corners(Cores):
    """Triangles, from their first corner."""

    def __init__(self, shapes: Triangles) -> None:
        self.corner = of_rows(shapes.vertices)
        place = self.corner[0].copy()
        self.corner -= place
        size = np.sqrt(np.maximum(dot(self.corner[1], self.corner[1]), dot(self.corner[2], self.corner[2])))
        super().__init__(place, dot(place, place), size, np.zeros_like(size))

    def corners(self) -> list[Floats]:
        return list(self.corner)


class _Vertices(Cores):
    """Hulls, from their own origins. Few have as many vertices as the largest: the others are padded."""

    def __init__(self, shapes: Polytopes) -> None:
        self.shapes = shapes
        place, self.turn = of_rows(shapes.translation), of_rows(shapes.linear)
        super().__init__(place, dot(place, place), shapes.size, np.zeros(len(shapes)))

    def low(self, normal: Floats) -> Low:
        pool, geometry = self.shapes.pool, self.shapes.geometry
        local = np.stack([dot(self.turn[:, k], normal) for k in range(3)])
        start, count = pool.table.candidates(geometry, -local)
        base = pool.vertices.start.take(geometry)
        best = base + pool.table.candidate.take(start)
        low, second = dot(pool.columns.take(best, axis=1), local), np.full(len(base), np.inf)
        rows, level = np.flatnonzero(count > 1), 1
        while len(rows):
            at = base.take(rows) + pool.table.candidate.take(start.take(rows) + level)
            height, least = dot(pool.columns.take(at, axis=1), local.take(rows, axis=1)), low.take(rows)
            second[rows] = np.minimum(second.take(rows), np.maximum(height, least))
            best[rows] = np.where(height < least, at, best.take(rows))
            low[rows] = np.minimum(height, least)
            level += 1
            rows = rows[count.take(rows) > level]
        return Low(low, best, second)

    def lowest(self, normal: Floats, slack: Floats, low: Low) -> Floats:
        assert low.vertex is not None and low.second is not None
        result = np.empty_like(self.place)
        vertex = self.shapes.pool.columns.take(low.vertex, axis=1)
        for k in range(3):
            result[k] = dot(self.turn[k], vertex)
        # A table leaves out what is beaten by more than its tolerance, in which far away a slack has no place.
        wide = slack > TABLE_SLACK * self.shapes.pool.spread.take(self.shapes.geometry)
        rows = np.flatnonzero((low.second <= low.height + slack) | wide)
        if len(rows):
            several = _Vertices(self.shapes.take(rows))
            its = Cores.low(several, normal[:, rows])
            result[:, rows] = Cores.lowest(several, normal[:, rows], slack[rows], its)
        return result

    def corners(self) -> list[Floats]:
        vertices = self.shapes.vertices - self.shapes.translation[:, None]
        return list(np.ascontiguousarray(vertices.transpose(1, 2, 0)))

    def real(self) -> Bools:
        count = self.shapes.pool.vertices.count[self.shapes.geometry]
        return np.arange(count.max(initial=1))[:, None] < count

    def names(self) -> Ints | None:
        return self.shapes.pool.names.padded(self.shapes.geometry).T


class Heights:
    """`rounded.Standing` of bounded shapes (A) over half-spaces or planes (B).

    Over a plane, A is on the side where most of its extent is, in doubt on the side of the normal; what is behind that
    side is a half-space to it.

    Attributes
    ----------
    cores : Cores
        Of A; `origin` is their place.
    normal : (3, P) float64
        Of the surface, out towards A's side.
    height : (P,) float64
        Of the cores' place over the surface.
    lowest : (P,) float64
        The height of A's lowest point over the surface.
    """

    doubtful: Bools | None = None

    def __init__(self, cores: Cores, b: HalfSpaces | Planes) -> None:
        self.cores = cores
        self.origin, self.normal = cores.place, of_rows(b.normal)
        offset = b.offset
        self.slack = rounding(cores.size, np.maximum(np.sqrt(cores.far), np.abs(offset)))
        self.height = dot(cores.place, self.normal)
        self.height -= offset
        low = cores.low(self.normal)
        if isinstance(b, Planes):
            high = cores.low(-self.normal)
            below = 2.0 * self.height + low.height - high.height < -self.slack
            sign = np.where(below, -1.0, 1.0)
            self.normal *= sign
            self.height *= sign
            low = low.but(high, below)
        self._low = low
        self.lowest = self.height + low.height
        self.lowest -= cores.radius
        self.distance = self.lowest

    def highest(self) -> Floats:
        """The height of A's highest point over the surface."""
        return self.height - self.cores.low(-self.normal).height + self.cores.radius

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal, into the surface, and the middle of A's lowest points."""
        point = self.cores.lowest(self.normal, self.slack, self._low)
        # Level with the lowest point, from which the middle of several differs by rounding.
        point += self.normal * (self.lowest - self.height - dot(point, self.normal))
        return -self.normal, point


class Placed:
    """Bounded shapes, of which `take` gives the cores of some rows."""

    def __init__(self, shapes: Rows[Bounded]) -> None:
        self._shapes = shapes
        if isinstance(shapes, Hulls):
            self._pooled = PooledHulls(shapes.geometry, shapes.index)
        elif isinstance(shapes, Chosen) and isinstance(shapes.batch, Hulls):
            self._pooled = PooledHulls(shapes.batch.geometry, shapes.batch.index[shapes.rows])

    def __len__(self) -> int:
        return len(self._shapes)

    def take(self, rows: Ints | slice) -> Cores:
        """The cores of these rows."""
        match self._shapes.take(rows):
            case Spheres() as spheres:
                return _Points(spheres)
            case Capsules() as capsules:
                return _Segments(capsules)
            case Boxes() as boxes:
                return _Cuboids(boxes)
            case Triangles() as triangles:
                return _Corners(triangles)
            case hulls:
                return _Vertices(self._pooled.of(hulls))
