# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounded convex shapes over the flat surface of a half-space or plane: how high each of their vertices is.

A shape's core is seen from a place of its own, so that where a place and an offset nearly cancel, nothing else does.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..convex.polytopes import Polytopes, polytopes
from ..numerics.soa import columns, dot, of_rows, turned, turned_back
from ..numerics.tolerances import TABLE_SLACK, rounding
from ..numerics.types import Bools, Floats, Ints
from ..shapes import Boxes, Capsules, HalfSpaces, Hulls, Planes, Spheres, Triangles
from ..shapes.batch import Rows

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
    tied : (P,) bool, optional
        Whether others are as low, up to the slack that was asked for.
    """

    height: Floats
    vertex: Ints | None = None
    tied: Bools | None = None

    def take(self, rows: Ints) -> "Low":
        """Those of these rows, in that order."""
        vertex = None if self.vertex is None else self.vertex.take(rows)
        return Low(self.height.take(rows), vertex, None if self.tied is None else self.tied.take(rows))

    def put(self, rows: Ints, other: "Low") -> None:
        """Those of these rows replaced by others."""
        for name, value in vars(other).items():
            if value is not None:
                getattr(self, name)[rows] = value


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

    # Whether the place is the middle of the shape along any direction.
    symmetric: ClassVar[bool] = True

    def low(self, normal: Floats, slack: Floats | None = None) -> Low:
        """The lowest vertex along a unit normal (3, P), and with a `slack` (P,) whether others are as low."""
        return Low(self.heights(normal).min(axis=0))

    def low_behind(self, normal: Floats, slack: Floats, rows: Ints) -> Low:
        """The lowest vertex of some rows against the normal, and whether others are as low."""
        return self.low(-normal).take(rows)

    def middle(self, normal: Floats) -> tuple[Floats, Floats]:
        """The height over the place of some point within the core, and the radius of a ball about it that is too."""
        return np.zeros(len(self.size)), np.zeros(len(self.size))

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

    def low(self, normal: Floats, slack: Floats | None = None) -> Low:
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

    def low(self, normal: Floats, slack: Floats | None = None) -> Low:
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

    def low(self, normal: Floats, slack: Floats | None = None) -> Low:
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

    symmetric = False

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

    symmetric = False

    def __init__(self, shapes: Polytopes) -> None:
        self.shapes = shapes
        place, self.turn = columns(shapes.translation), columns(shapes.linear)
        super().__init__(place, dot(place, place), shapes.size, np.zeros(len(shapes)))

    def low(self, normal: Floats, slack: Floats | None = None) -> Low:
        return self._deepest(self.shapes.geometry, -self._local(normal), slack)

    def low_behind(self, normal: Floats, slack: Floats, rows: Ints) -> Low:
        local = self._local(normal).take(rows, axis=1)
        return self._deepest(self.shapes.geometry.take(rows), local, slack.take(rows))

    def middle(self, normal: Floats) -> tuple[Floats, Floats]:
        center = self.shapes.pool.centers.T.take(self.shapes.geometry, axis=1)
        return dot(center, self._local(normal)), self.shapes.inner

    def _local(self, normal: Floats) -> Floats:
        """The normal in the hulls' own frames."""
        return turned_back(self.turn, normal)

    def _deepest(self, geometry: Ints, down: Floats, slack: Floats | None) -> Low:
        """The farthest vertex of some polytopes of the pool along directions in their own frames."""
        pool = self.shapes.pool
        base = pool.vertices.start.take(geometry)
        vertex, depth, tied = pool.table.farthest(geometry, down, pool.columns, base, slack)
        return Low(-depth, vertex, tied)

    def lowest(self, normal: Floats, slack: Floats, low: Low) -> Floats:
        assert low.vertex is not None and low.tied is not None
        result = turned(self.turn, self.shapes.pool.columns.take(low.vertex, axis=1))
        # A table leaves out what is beaten by more than its tolerance, in which far away a slack has no place.
        wide = slack > TABLE_SLACK * self.shapes.pool.spread.take(self.shapes.geometry)
        rows = np.flatnonzero(low.tied | wide)
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
    """`closed_form.BlockDistances` of bounded shapes (A) over half-spaces or planes (B), as far as `overlap` needs it.

    Over a plane, A is taken to be on the side of some point of it, and what is behind that side is a half-space to it.

    Attributes
    ----------
    cores : Cores
        Of A; `origin` is their place.
    normal : (3, P) float64
        Of the surface, out towards A's side.
    height : (P,) float64
        Of the cores' place over the surface.
    low : Low
        The lowest of the cores' vertices.
    lowest : (P,) float64
        The height of A's lowest point over the surface.
    """

    doubtful: Bools | None = None
    # Whether it matters that several vertices are lowest.
    ties: ClassVar[bool] = False

    def __init__(self, cores: Cores, b: HalfSpaces | Planes) -> None:
        self.cores = cores
        self.origin, self.normal = cores.place, of_rows(b.normal)
        offset = b.offset
        self.slack = rounding(cores.size, np.maximum(np.sqrt(cores.far), np.abs(offset)))
        self.height = dot(cores.place, self.normal)
        self.height -= offset
        if isinstance(b, Planes):
            # Of two equal halves, up to rounding, it is the side of the normal.
            self.middle, self.inner = cores.middle(self.normal)
            self.middle += self.height
            self.behind = 2.0 * self.middle < -self.slack
            sign = np.where(self.behind, -1.0, 1.0)
            self.normal *= sign
            self.height *= sign
            self.middle *= sign
        self.low = cores.low(self.normal, self.slack if self.ties else None)
        self.lowest = self.height + self.low.height
        self.lowest -= cores.radius

    @property
    def distance(self) -> Floats:
        """Signed, from the side that A is on."""
        return self.lowest

    def highest(self) -> Floats:
        """The height of A's highest point over the surface."""
        return self.height - self.cores.low(-self.normal).height + self.cores.radius

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal, into the surface, and the middle of A's lowest points."""
        point = self.cores.lowest(self.normal, self.slack, self.low)
        # Level with the lowest point, from which the middle of several differs by rounding.
        point += self.normal * (self.lowest - self.height - dot(point, self.normal))
        return -self.normal, point


class Sided(Heights):
    """Heights for the other questions: over a plane, A is on the side where most of its extent is."""

    ties = True

    def __init__(self, cores: Cores, b: HalfSpaces | Planes) -> None:
        super().__init__(cores, b)
        if cores.symmetric or not isinstance(b, Planes):
            return
        # It surely is where the ball about the middle alone reaches higher up than the lowest vertex reaches down.
        sure = self.height + self.low.height
        sure += self.middle
        sure += self.inner
        rows = np.flatnonzero(sure <= 2.0 * self.slack)
        other = cores.low_behind(self.normal, self.slack, rows)
        slack, behind = self.slack.take(rows), self.behind.take(rows)
        middle = 2.0 * self.height.take(rows) + self.low.height.take(rows) - other.height
        wrong = np.flatnonzero(np.where(behind, middle <= slack, middle < -slack))
        rows = rows.take(wrong)
        self.low.put(rows, other.take(wrong))
        self.normal[:, rows] *= -1.0
        self.height[rows] *= -1.0
        self.lowest[rows] = self.height.take(rows) + self.low.height.take(rows) - cores.radius.take(rows)


class Placed:
    """Bounded shapes, of which `take` gives the cores of some rows."""

    def __init__(self, shapes: Rows[Bounded]) -> None:
        self._shapes = shapes

    def __len__(self) -> int:
        return len(self._shapes)

    def gathered(self) -> Cores:
        """The cores of all rows."""
        return self.take(slice(0, len(self)))

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
                return _Vertices(polytopes(hulls))
