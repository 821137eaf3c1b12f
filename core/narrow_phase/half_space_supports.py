# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights of the vertices of bounded convex shapes over the flat surface of a half-space or plane.

The vertices of a core are relative to its own reference point. So cancellation only affects the height of this point.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from ..convex.polytopes.placed import Polytopes, polytopes
from ..numerics.rows import RowTable
from ..numerics.tolerances import TABLE_SLACK, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import as_columns, dot_columns, to_columns, turned, turned_back
from ..shapes import Boxes, Capsules, HalfSpaces, Hulls, Planes, Spheres, Triangles

Bounded = Spheres | Capsules | Boxes | Triangles | Hulls


@dataclass(frozen=True)
class Low(RowTable):
    """The lowest vertices of cores along directions.

    Attributes
    ----------
    height : (P,) float64
        Height relative to the reference point.
    vertex : (P,) int64
        For hulls, the lowest vertex: a column of the pool's vertices.
    tied : (P,) bool
        For hulls, whether other vertices are equally low within the given slack.
    """

    height: Floats
    vertex: Ints
    tied: Bools

    @classmethod
    def of_few(cls, height: Floats) -> Self:
        """For cores with so few vertices that all are compared again."""
        return cls(height, np.zeros(len(height), dtype=np.int64), np.zeros(len(height), dtype=bool))


@dataclass
class BlockCores:
    """The cores of a block of shapes, in component arrays.

    Attributes
    ----------
    place : (3, P) float64
        Reference point in the world. All other coordinates are relative to it.
    far : (P,) float64
        Squared distance of the reference point from the origin.
    size, radius : (P,) float64
        Radius of a sphere about the reference point that contains the shape, and the radius of the shape's rounding.
    """

    place: Floats
    far: Floats
    size: Floats
    radius: Floats

    # Whether the reference point is the middle of the shape along every direction.
    symmetric: ClassVar[bool] = True

    def low(self, normal: Floats, slack: Floats | None = None) -> Low:
        """The lowest vertex along a unit normal (3, P). With a `slack` (P,), also whether others are equally low."""
        return Low.of_few(self.heights(normal).min(axis=0))

    def low_behind(self, normal: Floats, slack: Floats, rows: Ints) -> Low:
        """The lowest vertex against the normal of some rows, and whether others are equally low."""
        return self.low(-normal).take(rows)

    def middle(self, normal: Floats) -> tuple[Floats, Floats]:
        """The height of some inner point over the reference point, and the radius of a sphere about it in the core."""
        return np.zeros(len(self.size)), np.zeros(len(self.size))

    def heights(self, normal: Floats) -> Floats:
        """Height of each vertex over the reference point along a unit normal (3, P), (V, P)."""
        return np.stack([dot_columns(corner, normal) for corner in self.corners()])

    def lowest(self, normal: Floats, slack: Floats, low: Low) -> Floats:
        """Mean of all vertices as low as `low` along the unit normal within `slack` (P,), (3, P)."""
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
        """Return which vertices are not padding, (V, P), or (1, 1) if all are real."""
        return np.ones((1, 1), dtype=bool)

    def names(self) -> Ints | None:
        """The feature id of each vertex (V, P); None if it is the vertex number."""
        return None


class _Sums(BlockCores):
    """Spheres, capsules and boxes: none, one or three segments, added about the reference point.

    Each vector of `axes`, (3, P), runs from the middle to an end of a segment.
    """

    def __init__(self, place: Floats, axes: Sequence[Floats], size: Floats, radius: Floats) -> None:
        self.axes = axes
        super().__init__(place, dot_columns(place, place), size, radius)

    @classmethod
    def of(cls, shapes: Spheres | Capsules | Boxes) -> Self:
        """The cores of these shapes."""
        if isinstance(shapes, Spheres):
            return cls(to_columns(shapes.center), (), shapes.radius, shapes.radius)
        if isinstance(shapes, Capsules):
            half, place, radius = to_columns(shapes.end), to_columns(shapes.start), shapes.radius
            half -= place
            half /= 2.0
            place += half
            return cls(place, (half,), np.sqrt(dot_columns(half, half)) + radius, radius)
        half, axes = to_columns(shapes.half_extents), to_columns(shapes.rotation)
        axes *= half
        size = np.sqrt(dot_columns(half, half))
        return cls(to_columns(shapes.center), list(axes.swapaxes(0, 1)), size, np.zeros_like(size))

    def low(self, normal: Floats, slack: Floats | None = None) -> Low:
        result = np.zeros_like(self.size)
        for axis in self.axes:
            result -= np.abs(dot_columns(axis, normal))
        return Low.of_few(result)

    def lowest(self, normal: Floats, slack: Floats, low: Low) -> Floats:
        result = np.zeros_like(self.place)
        for axis in self.axes:
            rise = dot_columns(axis, normal)
            # If a segment is level, both of its ends are equally low.
            result -= axis * (np.sign(rise) * (2.0 * np.abs(rise) > slack))
        return result

    def corners(self) -> list[Floats]:
        corners = [np.zeros_like(self.place)]
        # The first axis changes fastest, as in `polytopes`.
        for axis in self.axes:
            corners = [corner + sign * axis for sign in (-1.0, 1.0) for corner in corners]
        return corners


class _Corners(BlockCores):
    """Triangles, relative to their first corner."""

    symmetric = False

    def __init__(self, shapes: Triangles) -> None:
        self.corner = to_columns(shapes.vertices)
        place = self.corner[0].copy()
        self.corner -= place
        size = np.sqrt(
            np.maximum(dot_columns(self.corner[1], self.corner[1]), dot_columns(self.corner[2], self.corner[2]))
        )
        super().__init__(place, dot_columns(place, place), size, np.zeros_like(size))

    def corners(self) -> list[Floats]:
        return list(self.corner)


class _Vertices(BlockCores):
    """Hulls, relative to their own origins. Vertices are padded to the count of the largest hull."""

    symmetric = False

    def __init__(self, shapes: Polytopes) -> None:
        self.shapes = shapes
        place, self.turn = as_columns(shapes.translation), as_columns(shapes.linear)
        super().__init__(place, dot_columns(place, place), shapes.size, np.zeros(len(shapes)))

    def low(self, normal: Floats, slack: Floats | None = None) -> Low:
        return self._deepest(self.shapes.geometry, -self._local(normal), slack)

    def low_behind(self, normal: Floats, slack: Floats, rows: Ints) -> Low:
        local = self._local(normal).take(rows, axis=1)
        return self._deepest(self.shapes.geometry.take(rows), local, slack.take(rows))

    def middle(self, normal: Floats) -> tuple[Floats, Floats]:
        center = self.shapes.pool.centers.T.take(self.shapes.geometry, axis=1)
        return dot_columns(center, self._local(normal)), self.shapes.inner

    def _local(self, normal: Floats) -> Floats:
        """The normal in the frames of the hulls."""
        return turned_back(self.turn, normal)

    def _deepest(self, geometry: Ints, down: Floats, slack: Floats | None) -> Low:
        """The farthest vertex of some polytopes of the pool along directions in their own frames."""
        pool = self.shapes.pool
        base = pool.vertices.start.take(geometry)
        vertex, depth, tied = pool.table.farthest(geometry, down, pool.columns, base, slack)
        return Low(-depth, vertex, np.zeros(len(depth), dtype=bool) if tied is None else tied)

    def lowest(self, normal: Floats, slack: Floats, low: Low) -> Floats:
        result = turned(self.turn, self.shapes.pool.columns.take(low.vertex, axis=1))
        # The table omits vertices that are off by more than its tolerance. Far from the origin, the slack is larger.
        wide = slack > TABLE_SLACK * self.shapes.pool.spread.take(self.shapes.geometry)
        rows = np.flatnonzero(low.tied | wide)
        if len(rows):
            several = _Vertices(self.shapes.take(rows))
            its = BlockCores.low(several, normal[:, rows])
            result[:, rows] = BlockCores.lowest(several, normal[:, rows], slack[rows], its)
        return result

    def corners(self) -> list[Floats]:
        vertices = self.shapes.vertices - self.shapes.translation[:, None]
        return list(np.ascontiguousarray(vertices.transpose(1, 2, 0)))

    def real(self) -> Bools:
        count = self.shapes.pool.vertices.count[self.shapes.geometry]
        return np.arange(count.max(initial=1))[:, None] < count

    def names(self) -> Ints | None:
        return self.shapes.pool.names.padded(self.shapes.geometry).T


def _cores(shapes: Bounded) -> BlockCores:
    match shapes:
        case Triangles():
            return _Corners(shapes)
        case Hulls():
            return _Vertices(polytopes(shapes))
        case _:
            return _Sums.of(shapes)


class Heights:
    """`closed_form.BlockDistances` of bounded shapes (A) over half-spaces or planes (B), sufficient for `overlap`.

    For a plane, A is on the side of one of its inner points. The other side is treated as a half-space.

    Attributes
    ----------
    cores : BlockCores
        The cores of A. `origin` is their reference point.
    normal : (3, P) float64
        Normal of the surface, towards A's side.
    height : (P,) float64
        Height of the reference point over the surface.
    low : Low
        The lowest vertices of the cores.
    distance : (P,) float64
        Height of A's lowest point over the surface: the signed distance, from the side that A is on.
    """

    doubtful: Bools | None = None
    # Whether several equally low vertices are detected.
    ties: ClassVar[bool] = False

    def __init__(self, a: Bounded, b: HalfSpaces | Planes) -> None:
        self.cores = cores = _cores(a)
        self.origin, self.normal = cores.place, to_columns(b.normal)
        offset = b.offset
        self.slack = rounding(cores.size, np.maximum(np.sqrt(cores.far), np.abs(offset)))
        self.height = dot_columns(cores.place, self.normal)
        self.height -= offset
        if isinstance(b, Planes):
            # If both sides have equal parts within rounding, take the side of the normal.
            self.middle, self.inner = cores.middle(self.normal)
            self.middle += self.height
            self.behind = 2.0 * self.middle < -self.slack
            sign = np.where(self.behind, -1.0, 1.0)
            self.normal *= sign
            self.height *= sign
            self.middle *= sign
        self.low = cores.low(self.normal, self.slack if self.ties else None)
        self.distance = self.height + self.low.height
        self.distance -= cores.radius

    def highest(self) -> Floats:
        """Height of A's highest point over the surface."""
        return self.height - self.cores.low(-self.normal).height + self.cores.radius

    def witnesses(self) -> tuple[Floats, Floats]:
        """The normal, into the surface, and the mean of A's lowest points."""
        point = self.cores.lowest(self.normal, self.slack, self.low)
        # Move the mean of several points to the height of the lowest point. They differ by rounding.
        point += self.normal * (self.distance - self.height - dot_columns(point, self.normal))
        return -self.normal, point


class Sided(Heights):
    """Heights for all other queries. For a plane, A is on the side where most of its extent is."""

    ties = True

    def __init__(self, a: Bounded, b: HalfSpaces | Planes) -> None:
        super().__init__(a, b)
        cores = self.cores
        if cores.symmetric or not isinstance(b, Planes):
            return
        # The side is certain if the inner sphere alone extends higher than the lowest vertex is deep.
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
        self.distance[rows] = self.height.take(rows) + self.low.height.take(rows) - cores.radius.take(rows)
