# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounded convex shapes over the flat surface of a half-space or plane: how high each of their vertices is.

A shape's core is seen from a place of its own, so that where a place and an offset nearly cancel, nothing else does.
"""

from dataclasses import dataclass

import numpy as np

from ..components import dot, of_rows
from ..polytopes import Polytopes, polytopes
from ..results import Bools, Floats, Ints
from ..shapes import Boxes, Capsules, HalfSpaces, Hulls, Planes, Spheres, Triangles
from ..tolerances import rounding

Bounded = Spheres | Capsules | Boxes | Triangles | Hulls
Rows = Ints | slice

# The corners of a box, in the order of `polytopes`.
_SIGNS = np.array([[x, y, z] for z in (-1.0, 1.0) for y in (-1.0, 1.0) for x in (-1.0, 1.0)])


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

    def low(self, normal: Floats) -> Floats:
        """How high the lowest vertex is over the place along a unit normal (3, P): (P,)."""
        return self.heights(normal).min(axis=0)

    def heights(self, normal: Floats) -> Floats:
        """How high each vertex is over the place along a unit normal (3, P): (V, P)."""
        return np.stack([dot(corner, normal) for corner in self.corners()])

    def lowest(self, normal: Floats, slack: Floats) -> Floats:
        """The middle of all vertices that are lowest along a unit normal, up to `slack` (P,): (3, P)."""
        heights = self.heights(normal)
        level = (heights <= heights.min(axis=0) + slack) & self.real()
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

    def __init__(self, shapes: Spheres, rows: Rows) -> None:
        place, radius = of_rows(shapes.center[rows]), shapes.radius[rows]
        super().__init__(place, dot(place, place), radius, radius)

    def low(self, normal: Floats) -> Floats:
        return np.zeros_like(self.size)

    def lowest(self, normal: Floats, slack: Floats) -> Floats:
        return np.zeros_like(self.place)

    def corners(self) -> list[Floats]:
        return [np.zeros_like(self.place)]


class _Segments(Cores):
    """Capsules, from the middle of their segments."""

    def __init__(self, shapes: Capsules, rows: Rows) -> None:
        self.half, place, radius = of_rows(shapes.end[rows]), of_rows(shapes.start[rows]), shapes.radius[rows]
        self.half -= place
        self.half /= 2.0
        place += self.half
        super().__init__(place, dot(place, place), np.sqrt(dot(self.half, self.half)) + radius, radius)

    def low(self, normal: Floats) -> Floats:
        return -np.abs(dot(self.half, normal))

    def lowest(self, normal: Floats, slack: Floats) -> Floats:
        rise = dot(self.half, normal)
        return self.half * -(np.sign(rise) * (2.0 * np.abs(rise) > slack))

    def corners(self) -> list[Floats]:
        return [-self.half, self.half]


class _Cuboids(Cores):
    """Boxes."""

    def __init__(self, shapes: Boxes, rows: Rows) -> None:
        place, half = of_rows(shapes.center[rows]), of_rows(shapes.half_extents[rows])
        self.axes = of_rows(shapes.rotation[rows])
        self.axes *= half
        super().__init__(place, dot(place, place), np.sqrt(dot(half, half)), np.zeros(place.shape[1]))

    def low(self, normal: Floats) -> Floats:
        result = np.zeros_like(self.size)
        for k in range(3):
            result -= np.abs(dot(self.axes[:, k], normal))
        return result

    def lowest(self, normal: Floats, slack: Floats) -> Floats:
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

    def __init__(self, shapes: Triangles, rows: Rows) -> None:
        self.corner = of_rows(shapes.vertices[rows])
        place = self.corner[0].copy()
        self.corner -= place
        size = np.sqrt(np.maximum(dot(self.corner[1], self.corner[1]), dot(self.corner[2], self.corner[2])))
        super().__init__(place, dot(place, place), size, np.zeros_like(size))

    def corners(self) -> list[Floats]:
        return list(self.corner)


class _Vertices(Cores):
    """Hulls, from their own origins. Few have as many vertices as the largest: the others are padded."""

    def __init__(self, hulls: Polytopes, rows: Rows) -> None:
        self.shapes = shapes = hulls.take(np.arange(len(hulls))[rows])
        place, self.turn = of_rows(shapes.translation), of_rows(shapes.linear)
        super().__init__(place, dot(place, place), shapes.size, np.zeros(len(shapes)))

    def low(self, normal: Floats) -> Floats:
        return self._lowest(normal)[0]

    def lowest(self, normal: Floats, slack: Floats) -> Floats:
        low, index, second = self._lowest(normal)
        result = np.empty_like(self.place)
        vertex = self.shapes.pool.columns[:, index]
        for k in range(3):
            result[k] = dot(self.turn[k], vertex)
        rows = np.flatnonzero(second <= low + slack)
        if len(rows):
            several = _Vertices(self.shapes, rows)
            result[:, rows] = Cores.lowest(several, normal[:, rows], slack[rows])
        return result

    def _lowest(self, normal: Floats) -> tuple[Floats, Ints, Floats]:
        """The height of the lowest vertex, its place in the pool, and the height of the lowest but one: (P,) each."""
        pool, geometry = self.shapes.pool, self.shapes.geometry
        x, y, z = pool.columns
        local = np.stack([dot(self.turn[:, k], normal) for k in range(3)])
        # Those with the most vertices first, so that the others drop out one by one at the end.
        order = np.argsort(-pool.vertices.count[geometry], kind="stable")
        count, index = pool.vertices.count[geometry[order]], pool.vertices.start[geometry[order]]
        local = local[:, order]
        best = index.copy()
        low, second = np.full((2, len(order)), np.inf)
        for left in np.searchsorted(-count, -np.arange(count[0])):
            at = index[:left]
            height = x.take(at) * local[0, :left]
            height += y.take(at) * local[1, :left]
            height += z.take(at) * local[2, :left]
            np.copyto(best[:left], at, where=height < low[:left])
            np.minimum(second[:left], np.maximum(height, low[:left]), out=second[:left])
            np.minimum(low[:left], height, out=low[:left])
            at += 1
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        return low[back], best[back], second[back]

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

    def __init__(self, a: "Placed", b: HalfSpaces | Planes, rows: Rows) -> None:
        self.cores = cores = a.at(rows)
        self.origin, self.normal = cores.place, of_rows(b.normal[rows])
        offset = b.offset[rows]
        self.slack = rounding(cores.size, np.maximum(np.sqrt(cores.far), np.abs(offset)))
        self.height = dot(cores.place, self.normal)
        self.height -= offset
        low = cores.low(self.normal)
        if isinstance(b, Planes):
            high = -cores.low(-self.normal)
            below = 2.0 * self.height + low + high < -self.slack
            sign = np.where(below, -1.0, 1.0)
            self.normal *= sign
            self.height *= sign
            low = np.where(below, -high, low)
        self.lowest = self.height + low
        self.lowest -= cores.radius
        self.distance = self.lowest

    def highest(self) -> Floats:
        """The height of A's highest point over the surface."""
        return self.height - self.cores.low(-self.normal) + self.cores.radius

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal, into the surface, and the middle of A's lowest points."""
        point = self.cores.lowest(self.normal, self.slack)
        # Level with the lowest point, from which the middle of several differs by rounding.
        point += self.normal * (self.lowest - self.height - dot(point, self.normal))
        return -self.normal, point


class Placed:
    """Bounded shapes, of which `at` gives the cores of some rows."""

    def __init__(self, shapes: Bounded) -> None:
        self._shapes = polytopes(shapes) if isinstance(shapes, Hulls) else shapes

    def __len__(self) -> int:
        return len(self._shapes)

    def at(self, rows: Rows) -> Cores:
        """The cores of these rows."""
        match self._shapes:
            case Spheres():
                return _Points(self._shapes, rows)
            case Capsules():
                return _Segments(self._shapes, rows)
            case Boxes():
                return _Cuboids(self._shapes, rows)
            case Triangles():
                return _Corners(self._shapes, rows)
            case hulls:
                return _Vertices(hulls, rows)
