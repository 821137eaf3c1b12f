# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex outlines in one pool of corners and edges, in the layout of the kernels."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...hull.planar import strict_corners
from ...numerics.rows import cyclic_successors, ragged_arange
from ...numerics.tolerances import EPS, OUTLINE_DOUBT, REACH_SLACK, SHARP
from ...numerics.types import Bools, Floats, Ints
from ..polygon.predicates import integers, is_convex
from .support_table import Directions, directions

# The number of corners that are tested on each side of an edge to find the extent of the outline along its normal.
_NEIGHBORS = 64


@dataclass(frozen=True, eq=False)
class PolygonPool:
    """Concatenated geometries; geometry g has the corners ``start[g]:start[g + 1]``, counterclockwise.

    Corners are relative to the geometry's center, and rotated as in the world. A segment contains each end twice,
    with edges of zero length there whose normals point along the segment. A point contains itself four times, with the
    normals of a square. The edge normals are therefore all directions that the separating axis test needs for any
    shape.

    Attributes
    ----------
    x, y : (V,) float64
        Corners.
    nx, ny, offset : (V,) float64
        The outward unit normal of the edge from each corner to the next, and the geometry's extent along it.
    vertex : (V,) int64
        The name of each corner: the lowest index of its duplicates in the given outline.
    edge : (V,) int64
        The name of each edge: the corner at which it begins in the given order. An edge of zero length at the corner
        with the name c has the name ``-1 - c``.
    start : (G + 1,) int64
    """

    x: Floats
    y: Floats
    nx: Floats
    ny: Floats
    offset: Floats
    vertex: Ints
    edge: Ints
    start: Ints
    _padded: dict[tuple[str, int], NDArray[Any]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.start) - 1

    @classmethod
    def joined(cls, pools: "Sequence[PolygonPool]") -> "PolygonPool":
        """The geometries of all pools, in order."""
        names = ("x", "y", "nx", "ny", "offset", "vertex", "edge")
        every: dict[str, Any] = {name: np.concatenate([getattr(pool, name) for pool in pools]) for name in names}
        return cls(**every, start=np.cumsum([0, *np.concatenate([pool.count for pool in pools])]))

    @cached_property
    def count(self) -> Ints:
        """The number of corners of each geometry, (G,)."""
        return np.diff(self.start)

    @cached_property
    def size_class(self) -> Ints:
        """The number of corners to which a block pads each geometry: 4, 6, 8, 12, 16, 24, 32 …, two per doubling."""
        power = 1 << np.ceil(np.log2(np.maximum(self.count, 4))).astype(np.int64)
        return np.where((self.count <= power * 3 // 4) & (power > 4), power * 3 // 4, power)

    @cached_property
    def directions(self) -> Directions:
        """The table of the farthest corners of each geometry."""
        return directions(self.x, self.y, self.nx, self.ny, self.start)

    @cached_property
    def column(self) -> Ints:
        """The place of each geometry among those of its size class, (G,)."""
        order = np.argsort(self.size_class, kind="stable")
        column = np.empty_like(order)
        column[order] = np.arange(len(order)) - np.searchsorted(self.size_class[order], self.size_class[order])
        return column

    def padded(self, name: str, corners: int) -> NDArray[Any]:
        """A component of the geometries of one size class, (corners, …), padded with the last corner; cached.

        There is one row for each corner, so that a block reads contiguous numbers.
        """
        if (name, corners) not in self._padded:
            chosen = np.flatnonzero(self.size_class == corners)
            at = self.start[chosen] + np.minimum(np.arange(corners)[:, None], self.count[chosen] - 1)
            self._padded[name, corners] = vars(self)[name][at]
        return self._padded[name, corners]


@dataclass(frozen=True, eq=False)
class Outlines:
    """Convex outlines in the caller's coordinates, with names as in `PolygonPool`, and unit normals."""

    points: Floats
    vertex: Ints
    edge: Ints
    start: Ints
    normals: Floats

    @property
    def owner(self) -> Ints:
        """The outline of each corner, (V,)."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))


def convex_outlines(outlines: Sequence[Floats], name: str) -> Outlines:
    """The corners of convex outlines without collinear ones, counterclockwise.

    Raises `ValueError` with the first outline that is not convex. Most outlines are certainly strictly convex, and one
    vectorized test confirms it for all of them. For the others, `is_convex` decides, and their exact hulls are used.
    """
    if not outlines:
        none = np.empty((0, 2))
        return Outlines(none, np.empty(0, np.int64), np.empty(0, np.int64), np.zeros(1, np.int64), none)
    size = np.array([len(one) for one in outlines])
    start = np.concatenate(([0], np.cumsum(size)))
    points, first = np.concatenate(outlines), start[:-1]
    certain, clockwise = certainly_convex(points, start)
    owner, number = ragged_arange(size)
    # Clockwise outlines are read backwards; their edges begin where they end in the given order.
    reverse = clockwise[owner]
    vertex = np.where(reverse, size[owner] - 1 - number, number)
    edge = np.where(reverse, np.where(vertex > 0, vertex, size[owner]) - 1, vertex)
    doubtful = np.flatnonzero(~certain)
    if len(doubtful):
        vertices, edges = np.split(vertex, first[1:]), np.split(edge, first[1:])
        for row in doubtful.tolist():
            vertices[row], edges[row] = _exact_hull(outlines[row], f"{name}: row {row}")
        vertex, edge, size = np.concatenate(vertices), np.concatenate(edges), np.array([len(one) for one in vertices])
        start = np.concatenate(([0], np.cumsum(size)))
    points = points[np.repeat(first, size) + vertex]
    return Outlines(points, vertex, edge, start, outward_normals(points, start))


def with_caps(outlines: Outlines) -> tuple[Outlines, Ints]:
    """Add an edge of zero length at each sharp tip, whose normal points outward; returns the source of each corner too.

    Beyond the tip of a needle, the separations from its sides are nearly zero, however far away another shape is. The
    separation from the cap is at least half of the distance.
    """
    count = len(outlines.points)
    before = np.empty(count, np.int64)
    before[cyclic_successors(np.diff(outlines.start))] = np.arange(count)
    coming, going = outlines.normals[before], outlines.normals
    sharp = np.flatnonzero((coming * going).sum(axis=1) < SHARP)
    source = np.insert(np.arange(count), sharp, sharp)
    # Normals rotated back into the directions of their edges: incoming minus outgoing.
    ahead = np.stack([going[sharp, 1] - coming[sharp, 1], coming[sharp, 0] - going[sharp, 0]], axis=1)
    caps = ahead / np.hypot(ahead[:, 0], ahead[:, 1])[:, None]
    start = outlines.start + np.searchsorted(sharp, outlines.start)
    edge = np.insert(outlines.edge, sharp, -1 - outlines.vertex[sharp])
    normals = np.insert(outlines.normals, sharp, caps, axis=0)
    return Outlines(outlines.points[source], outlines.vertex[source], edge, start, normals), source


def make_pool(outlines: Outlines, center: Floats, cosine: Floats, sine: Floats) -> PolygonPool:
    """The outlines relative to their centers (G, 2), rotated by angles given by their cosines and sines."""
    start, owner = outlines.start, outlines.owner
    x, y = _turned(outlines.points - center[owner], cosine[owner], sine[owner])
    nx, ny = _turned(outlines.normals, cosine[owner], sine[owner])
    offset = _reach_along(x, y, nx, ny, start, owner)
    return PolygonPool(x, y, nx, ny, offset, outlines.vertex, outlines.edge, start)


def centers(outlines: Outlines) -> Floats:
    """A point well inside each outline, the mean of its corners: (G, 2)."""
    if not len(outlines.points):
        return np.empty((0, 2))
    first = outlines.start[:-1]
    # Relative to the first corner, so that no digits are lost far from the origin.
    origin = outlines.points[first]
    spoke = outlines.points - np.repeat(origin, np.diff(outlines.start), axis=0)
    return origin + np.add.reduceat(spoke, first, axis=0) / np.diff(outlines.start)[:, None]


def _turned(vectors: Floats, cosine: Floats, sine: Floats) -> tuple[Floats, Floats]:
    x, y = vectors[:, 0], vectors[:, 1]
    return cosine * x - sine * y, sine * x + cosine * y


def _reach_along(x: Floats, y: Floats, nx: Floats, ny: Floats, start: Ints, owner: Ints) -> Floats:
    """The extent of each geometry along each of its own normals.

    Corners are rounded, so a corner that does not belong to the edge may be farther. On both sides of the edge, corners
    are tested until one is certainly nearer, because the geometry is convex. At most `_NEIGHBORS` corners of a straight
    run are tested, which are equally far except for rounding.
    """
    after = cyclic_successors(np.diff(start))
    before = np.empty_like(after)
    before[after] = np.arange(len(after))
    largest = np.maximum.reduceat(np.maximum(np.abs(x), np.abs(y)), start[:-1]) if len(x) else x
    slack, count = REACH_SLACK * EPS * largest, np.minimum(np.diff(start), _NEIGHBORS)
    result = np.maximum(nx * x + ny * y, nx * x[after] + ny * y[after])
    # The reach falls along both chains from the farthest corner: once it has fallen, no corner beyond is farther.
    for following, corner in ((after, after), (before, np.arange(len(x)))):
        edge, at, steps = np.arange(len(x)), corner, 1
        while len(edge):
            at = following[at]
            reach = nx[edge] * x[at] + ny[edge] * y[at]
            result[edge] = np.maximum(result[edge], reach)
            steps += 1
            on = (reach >= result[edge] - slack[owner[edge]]) & (steps < count[owner[edge]])
            edge, at = edge[on], at[on]
    return result


def outward_normals(points: Floats, start: Ints) -> Floats:
    """Outward unit normals of the edges from each corner to the next; for segments and points as in `PolygonPool`."""
    after = cyclic_successors(np.diff(start))
    along = points[after] - points
    normals = unit_normals(along)
    sized = (along != 0.0).any(axis=1)
    flat = np.flatnonzero(~sized)
    if len(flat):
        number = flat - start[np.searchsorted(start, flat, side="right") - 1]
        square = np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
        before = (number > 0) & sized[flat - 1]
        ahead = np.stack([-normals[flat - 1, 1], normals[flat - 1, 0]], axis=1)
        normals[flat] = np.where(before[:, None], ahead, square[number % 4])
    return normals


def unit_normals(along: Floats) -> Floats:
    """The unit vectors perpendicular to others, to their right, (n, 2); zero for zero."""
    # They are first scaled to about unit length by powers of two, so that squares neither overflow nor underflow.
    scaled = np.ldexp(along, -np.frexp(np.abs(along).max(axis=1, keepdims=True, initial=0.0))[1])
    length = np.hypot(scaled[:, 0], scaled[:, 1])
    unit = scaled / np.where(length > 0.0, length, 1.0)[:, None]
    return np.column_stack((unit[:, 1], -unit[:, 0]))


def certainly_convex(points: Floats, start: Ints) -> tuple[Bools, Bools]:
    """Return which outlines certainly turn one way at every corner, once around, and which are clockwise."""
    after = cyclic_successors(np.diff(start))
    before = np.empty_like(after)
    before[after] = np.arange(len(after))
    first = start[:-1]
    along = points[after] - points
    coming = along[before]
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        turns = coming[:, 0] * along[:, 1] - coming[:, 1] * along[:, 0]
        run = np.hypot(along[:, 0], along[:, 1])
        largest = np.maximum.reduceat(np.abs(points).max(axis=1), first)
        doubt = OUTLINE_DOUBT * EPS * np.repeat(largest, np.diff(start)) * (run + run[before])
        left = np.logical_and.reduceat(turns > doubt, first)
        right = np.logical_and.reduceat(turns < -doubt, first)
    # Once around, the direction changes from rightward to leftward and back.
    rightward = (along[:, 0] > 0.0) | ((along[:, 0] == 0.0) & (along[:, 1] > 0.0))
    changes = np.add.reduceat((rightward != rightward[before]).astype(np.int64), first)
    tame = (largest < 1e150) & (largest > 1e-130) & (np.diff(start) >= 3)
    return (left | right) & (changes == 2) & tame, right


def _exact_hull(outline: Floats, name: str) -> tuple[Ints, Ints]:
    """The corners of the exact hull of an outline, counterclockwise, and the names of its edges."""
    if not is_convex(outline):
        raise ValueError(f"{name} is not convex; planar.Regions takes concave outlines")
    distinct, index = np.unique(outline + 0.0, axis=0, return_index=True)
    if len(distinct) == 1:
        return np.zeros(4, np.int64), np.full(4, -1)
    lattice = integers(distinct)
    lower, upper = strict_corners(lattice), strict_corners(lattice[::-1])
    ring = np.concatenate([np.flatnonzero(lower)[:-1], len(lattice) - 1 - np.flatnonzero(upper)[:-1]])
    vertex: NDArray[np.int64] = index[ring]
    if len(ring) == 2:
        u, v = (int(corner) for corner in vertex)
        return np.array([u, v, v, u]), np.array([u, -1 - v, v, -1 - u])
    whole = integers(outline)
    area = sum(ax * by - ay * bx for (ax, ay), (bx, by) in zip(whole, whole[1:] + whole[:1], strict=True))
    return vertex, vertex if area > 0 else np.roll(vertex, -1)
