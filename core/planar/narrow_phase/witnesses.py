# SPDX-License-Identifier: GPL-3.0-or-later
"""Witness points of two convex shapes, with normal and features, from their best facet.

As a function of direction, the separation is unimodal wherever it is positive. The direction of the closest points
therefore lies between the best edge normal and the next one. The closest points of two separated polygons are on the
edge with the largest separation and next to the corner to which it is measured. Nothing else needs to be tested.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...numerics.rows import RowTable
from ...numerics.types import Bools, Floats, Ints
from ...results import FeatureKind
from ..shapes.blocks import Cores
from .sat import Facets


@dataclass(frozen=True, eq=False)
class Witnesses(RowTable):
    """The witness points of n pairs, relative to A's place.

    Attributes
    ----------
    distance : (n,) float64
        Signed distance, radii included.
    nx, ny : (n,) float64
        Unit normal from A to B.
    ax, ay, bx, by : (n,) float64
        The witness points on A and on B.
    feature_a, feature_b : (n, 2) int64
        `FeatureKind` and name of each feature.
    facing : (n,) bool
        Whether the normal is that of the best facet, and not a direction from corner to corner.
    shared : (n,) bool
        Whether the facet and the lowest feature above it overlap along the tangent.
    corner_a, corner_b : (n,) int64
        The corners that are the witness points, if the normal leads from corner to corner; otherwise -1.
    """

    distance: Floats
    nx: Floats
    ny: Floats
    ax: Floats
    ay: Floats
    bx: Floats
    by: Floats
    feature_a: Ints
    feature_b: Ints
    facing: Bools
    shared: Bools
    corner_a: Ints
    corner_b: Ints

    def turned(self, x: Floats, y: Floats) -> "Witnesses":
        """These witness points with A and B exchanged, relative to the other shape's place, which is at x, y."""
        return replace(
            self,
            nx=-self.nx,
            ny=-self.ny,
            ax=self.bx - x,
            ay=self.by - y,
            bx=self.ax - x,
            by=self.ay - y,
            feature_a=self.feature_b,
            feature_b=self.feature_a,
            corner_a=self.corner_b,
            corner_b=self.corner_a,
        )


def witness_points(a: Cores, b: Cores, x: Floats, y: Floats, facets: Facets | None, slack: Floats) -> Witnesses:
    """The witness points of each pair; `facets` is None for two circles."""
    if facets is None:
        return _of_circles(a, b, x, y)
    count = len(x)
    features, corners = np.empty((2, count, 2), np.int64), np.full((2, count), -1)
    result = Witnesses(*np.empty((7, count)), *features, *np.empty((2, count), np.bool_), *corners)
    for by_b in (False, True):
        rows = np.flatnonzero(facets.by_b == by_b)
        if not len(rows):
            continue
        of, other, sign = (b, a, -1.0) if by_b else (a, b, 1.0)
        px, py = sign * x[rows], sign * y[rows]
        part = _by_facet(of.take(rows), other.take(rows), px, py, facets.edge[rows], facets.gap[rows], slack[rows])
        result.put(rows, part.turned(px, py) if by_b else part)
    return result


def named(core: Cores, kind: Ints, corner: Ints) -> Ints:
    """Features (n, 2) with the caller's names: a corner, or the edge that begins at a corner."""
    at = np.arange(len(core))
    edge = core.edge[corner, at]
    by_corner = (kind == FeatureKind.VERTEX) | (edge < 0)
    name = np.where(edge < 0, -1 - edge, edge)
    name = np.where(kind == FeatureKind.VERTEX, core.vertex[corner, at], name)
    found = np.where(by_corner, FeatureKind.VERTEX, FeatureKind.EDGE)
    return np.stack([np.where(core.radius > 0.0, FeatureKind.EDGE, found), name], axis=1)


def _of_circles(a: Cores, b: Cores, x: Floats, y: Floats) -> Witnesses:
    """Two circles: along the line of their centers; concentric circles have the normal +Y."""
    apart = np.hypot(x, y)
    some = apart > 0.0
    size = np.where(some, apart, 1.0)
    nx, ny = np.where(some, x / size, 0.0), np.where(some, y / size, 1.0)
    corner = np.zeros(len(x), np.int64)
    feature_a, feature_b = (named(core, corner, corner) for core in (a, b))
    ax, ay, bx, by = nx * a.radius, ny * a.radius, x - nx * b.radius, y - ny * b.radius
    gap = apart - (a.radius + b.radius)
    return Witnesses(gap, nx, ny, ax, ay, bx, by, feature_a, feature_b, corner > 0, corner > 0, corner, corner)


def _by_facet(core: Cores, other: Cores, x: Floats, y: Floats, edge: Ints, gap: Floats, slack: Floats) -> Witnesses:
    """Pairs whose best facet is an edge of the first shape; normals lead from it to the other."""
    at = np.arange(len(x))
    nx, ny = core.nx[edge, at], core.ny[edge, at]
    height = nx * (other.x + x) + ny * (other.y + y)
    along = nx * (other.y + y) - ny * (other.x + x)
    lowest = height.argmin(axis=0)
    level = height <= height[lowest, at] + slack
    low, high, far = extent(along, level)
    # Several edges that are collinear within rounding count as one.
    reach, own = nx * core.x + ny * core.y, nx * core.y - ny * core.x
    begin, end, tip = extent(own, reach >= reach.max(axis=0) - slack)
    first, last = np.maximum(begin, low), np.minimum(end, high)
    facing = (first <= last) | (gap <= slack)
    shared = first <= last + slack
    # On the edge, at the center of the overlap.
    place, top = np.clip((first + last) / 2.0, begin, end), core.offset[edge, at]
    ax, ay = nx * top - ny * place, ny * top + nx * place
    bx, by = ax + gap * nx, ay + gap * ny
    # The corner at which the lowest edge of the other shape begins, if it is parallel to the facet.
    after = other.after(lowest)
    lies = high - low > slack
    begins = np.where(level[after, at], lowest, other.before(np.minimum(lowest, other.count - 1)))
    kind_other = np.where(lies, FeatureKind.EDGE, FeatureKind.VERTEX)
    feature = named(core, np.full(len(x), FeatureKind.EDGE), edge)
    feature_other = named(other, kind_other, np.where(lies, begins, lowest))
    distance = gap.copy()
    corners = np.full((2, len(x)), -1)
    rest = np.flatnonzero(~facing)
    if len(rest):
        parts = core.take(rest), other.take(rest)
        after_it = (low > end)[rest]
        corner = np.where(after_it, tip[1][rest], tip[0][rest]), np.where(after_it, far[0][rest], far[1][rest])
        places, kinds, which = _corners(*parts, x[rest], y[rest], *corner)
        distance[rest], nx[rest], ny[rest], ax[rest], ay[rest], bx[rest], by[rest] = places
        feature[rest], feature_other[rest] = (named(*each) for each in zip(parts, kinds, which, strict=True))
        corners[:, rest] = np.where(np.stack(kinds) == FeatureKind.VERTEX, np.stack(which), -1)
    ax, ay = ax + nx * core.radius, ay + ny * core.radius
    bx, by = bx - nx * other.radius, by - ny * other.radius
    distance -= core.radius + other.radius
    return Witnesses(distance, nx, ny, ax, ay, bx, by, feature, feature_other, facing, shared, *corners)


def extent(along: Floats, level: Bools) -> tuple[Floats, Floats, tuple[Ints, Ints]]:
    """Least and greatest coordinate of the corners in `level`, and the corners that have them."""
    low, high = np.where(level, along, np.inf), np.where(level, along, -np.inf)
    return low.min(axis=0), high.max(axis=0), (low.argmin(axis=0), high.argmax(axis=0))


def _corners(
    own: Cores, other: Cores, x: Floats, y: Floats, corner: Ints, facing: Ints
) -> tuple[tuple[Floats, ...], tuple[Ints, Ints], tuple[Ints, Ints]]:
    """Closest points near two corners that face each other past the end of an edge.

    In exact arithmetic they are always the two corners. The sides beside them are tried for edges that are nearly
    parallel.
    """
    count = len(x)
    at = np.arange(count)
    near, other_near = (
        (core.before(k), k, core.after(k))
        for core, k in ((own, np.minimum(corner, own.count - 1)), (other, np.minimum(facing, other.count - 1)))
    )
    ours = [own.corner(k) for k in near]
    theirs = [(ox + x, oy + y) for ox, oy in map(other.corner, other_near)]
    vertex, line = np.full(count, FeatureKind.VERTEX), np.full(count, FeatureKind.EDGE)
    found = []
    for k in (0, 1):
        t, foot = _foot(theirs[1], ours[k], ours[k + 1])
        inner = (t > 0.0) & (t < 1.0)
        kind, which = np.where(inner, line, vertex), np.where(t < 1.0, near[k], near[k + 1])
        found.append((*foot, *theirs[1], kind, which, vertex, other_near[1]))
        t, foot = _foot(ours[1], theirs[k], theirs[k + 1])
        inner = (t > 0.0) & (t < 1.0)
        kind, which = np.where(inner, line, vertex), np.where(t < 1.0, other_near[k], other_near[k + 1])
        found.append((*ours[1], *foot, vertex, near[1], kind, which))
    square = np.stack([(f[2] - f[0]) ** 2 + (f[3] - f[1]) ** 2 for f in found])
    best = square.argmin(axis=0)
    ax, ay, bx, by = (np.stack([f[k] for f in found])[best, at] for k in range(4))
    kind, which, kind_other, which_other = (np.stack([f[k] for f in found])[best, at] for k in range(4, 8))
    dx, dy = bx - ax, by - ay
    distance = np.hypot(dx, dy)
    places = distance, dx / distance, dy / distance, ax, ay, bx, by
    return places, (kind, kind_other), (which, which_other)


def _foot(
    point: tuple[Floats, Floats], start: tuple[Floats, Floats], end: tuple[Floats, Floats]
) -> tuple[Floats, tuple[Floats, Floats]]:
    """The parameter, from 0 to 1, and the point of a segment nearest to a given point."""
    (sx, sy), dx, dy = start, end[0] - start[0], end[1] - start[1]
    square = dx * dx + dy * dy
    t = ((point[0] - sx) * dx + (point[1] - sy) * dy) / np.where(square > 0.0, square, 1.0)
    t = np.clip(t, 0.0, 1.0)
    return t, (np.where(t < 1.0, sx + t * dx, end[0]), np.where(t < 1.0, sy + t * dy, end[1]))
