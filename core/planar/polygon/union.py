# SPDX-License-Identifier: GPL-3.0-or-later
"""Unions of triangles, and the areas that closed curves enclose, as regions with holes.

Both are closed chains of edges. The winding number of the chain around a point decides whether the point belongs to the
region. A sweep fills the region with triangles. If no edges cross, the corners of the result are corners of the input,
bit for bit, and every decision is exact. Where edges cross, new corners are needed, and these have to be rounded. All
corners are then placed on a grid with the resolution of float32 for coordinates of that size, and edges are split until
none cross (iterated snap rounding, after Hobby, "Practical segment intersection with finite precision output", 1999).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...broad_phase import sweep_and_prune
from ...numerics.rows import cyclic_successors, numbered_components
from ...numerics.tolerances import GRID_STEPS, SILHOUETTE_WIDTH
from ...numerics.types import Floats, Ints
from ...numerics.validation import point_set
from .predicates import integers, is_convex, orientation
from .sweep import Side, SidesCross, Winding, sweep
from .triangulation import Triangulation, after

Region = tuple[Floats, list[Floats]]

# A silhouette with more edges is refused, because it would take seconds.
MOST_EDGES = 30_000

# Limit for rounds of splitting. Two or three are usual, and each leaves less for the next.
_MOST_ROUNDS = 40


class TooDetailed(ValueError):
    """Raised if there are too many edges to compute the silhouette in reasonable time."""


class Crossing(ValueError):
    """Two sides of closed curves cross.

    Attributes
    ----------
    point : (2,) float64
        Where they cross.
    """

    def __init__(self, point: Floats) -> None:
        x, y = point.tolist()
        super().__init__(f"sides cross at ({x:.9g}, {y:.9g})")
        self.point = point


class _Chain(NamedTuple):
    """Edges between distinct points: how often each runs from its first end to its second, minus how often back."""

    points: Floats  # (n, 2), in lexicographic order
    edges: Ints  # (e, 2), the lower end first
    times: Ints  # (e,), never 0


def silhouette(points: ArrayLike, triangles: ArrayLike, *, tidy: bool = False) -> list[Region]:
    """The union of triangles of either orientation.

    Parameters
    ----------
    points : (n, 2) array-like
    triangles : (m, 3) array-like of int
        Corners of each triangle; degenerate triangles cover nothing.
    tidy : bool
        Whether to omit corners that protrude by no more than a few roundings of float32. Where edges cross, such
        corners are always omitted. In a projection of a solid, they are often the two ends of its vertical edges.

    Returns
    -------
    list of (outline, holes)
        One region for each part connected by more than corners, in the format of `Regions` and `decompose`: outlines
        counterclockwise, holes clockwise. Where edges cross, the error is a few roundings of float32 at the size of
        the points. Parts and holes narrower than that are left out.

    Raises
    ------
    TooDetailed
        If more than `MOST_EDGES` edges remain of all triangles.
    ValueError
        If a shape is wrong or a coordinate is not finite.
    """
    place = point_set(points, "points", (2,)).astype(np.float64)
    corners = np.asarray(triangles, np.int64).reshape(-1, 3)
    step = _grid(place)
    chain = _of_triangles(place, corners)
    if len(chain.edges) > MOST_EDGES:
        raise TooDetailed(f"{len(chain.edges)} edges, but at most {MOST_EDGES} are taken")
    if not len(chain.edges):
        return []
    rounded = bool(len(_touches_and_crossings(chain.points, chain.edges)[1]))
    if rounded:
        # Triangles that were flipped by rounding still cover an area, so the edges are computed again.
        chain = _split_until_apart(_of_triangles(np.rint(place / step), corners))
    found = _regions(chain, lambda winding: winding > 0)
    if rounded:
        found = [_scaled(_tidy(region, SILHOUETTE_WIDTH), step) for region in found]
    elif tidy:
        found = [_tidy(region, SILHOUETTE_WIDTH * step) for region in found]
    width = SILHOUETTE_WIDTH * step
    wide = [(ring, [hole for hole in holes if _width(hole) > width]) for ring, holes in found if _width(ring) > width]
    return sorted(wide, key=lambda region: region[0].min(axis=0).tolist())


def enclosed(rings: Sequence[ArrayLike]) -> list[Region]:
    """The areas inside closed curves, by the even-odd rule: curves inside curves are holes, and islands inside those.

    Parameters
    ----------
    rings : sequence of (k, 2) array-like
        Corners in order, in either direction; the last is joined to the first. Rings may touch themselves and others.

    Returns
    -------
    list of (outline, holes)
        As in `silhouette`; the corners are corners of the input. Empty if no ring encloses an area.

    Raises
    ------
    Crossing
        If two sides cross, of the same ring or of two.
    ValueError
        If a ring is empty, a shape is wrong or a coordinate is not finite.
    """
    given = [point_set(ring, f"rings[{i}]", (2,)).astype(np.float64) for i, ring in enumerate(rings)]
    if not given:
        return []
    size = np.array([len(ring) for ring in given])
    chain = _chain(np.concatenate(given), np.arange(size.sum()), cyclic_successors(size))
    if not len(chain.edges):
        return []
    try:
        return _regions(chain, lambda winding: winding % 2 != 0)
    except SidesCross as crossing:
        raise Crossing(_where(chain, np.array([crossing.sides]))[0]) from None


def _grid(points: Floats) -> float:
    """The step of the grid: a power of two near the rounding of float32 at the largest coordinate."""
    largest = float(np.abs(points).max(initial=0.0))
    return float(np.ldexp(1.0, int(np.frexp(largest)[1]) + GRID_STEPS)) if largest > 0.0 else 1.0


def _of_triangles(points: Floats, triangles: Ints) -> _Chain:
    """The edges of triangles, all made counterclockwise; opposite edges of two triangles cancel."""
    a, b, c = triangles.T
    turn = orientation(points[a], points[b], points[c])
    b, c = np.where(turn < 0, c, b), np.where(turn < 0, b, c)
    solid = turn != 0
    a, b, c = a[solid], b[solid], c[solid]
    return _chain(points, np.concatenate([a, b, c]), np.concatenate([b, c, a]))


def _chain(points: Floats, begin: Ints, end: Ints, count: Ints | None = None) -> _Chain:
    """A chain of edges with their counts; equal points and equal edges are merged."""
    distinct, vertex = np.unique(points + 0.0, axis=0, return_inverse=True)
    vertex = vertex.reshape(-1)
    u, v = vertex[begin], vertex[end]
    times = np.where(u < v, 1, -1) * (1 if count is None else count)
    key, which = np.unique(np.minimum(u, v) * len(distinct) + np.maximum(u, v), return_inverse=True)
    total = np.zeros(len(key), np.int64)
    np.add.at(total, which.reshape(-1), times)
    kept = (total != 0) & (key // len(distinct) != key % len(distinct))
    edges = np.stack([key[kept] // len(distinct), key[kept] % len(distinct)], axis=1)
    used, renamed = np.unique(edges, return_inverse=True)
    return _Chain(distinct[used], renamed.reshape(-1, 2), total[kept])


def _where(chain: _Chain, crossing: Ints) -> Floats:
    """The crossing points of pairs of edges, rounded, (c, 2)."""
    (a, b), (c, d) = (chain.points[chain.edges[side]].transpose(1, 0, 2) for side in crossing.T)
    along, other = b - a, d - c
    share = _cross(c - a, other) / _cross(along, other)
    result: Floats = a + share[:, None] * along
    return result


def _cross(a: Floats, b: Floats) -> Floats:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def _touches_and_crossings(points: Floats, edges: Ints) -> tuple[Ints, Ints]:
    """Return where edges touch or cross other than in common ends.

    Parameters
    ----------
    points : (n, 2) float64
        In lexicographic order, without duplicates.
    edges : (e, 2) int64
        The ends of each edge, two different points.

    Returns
    -------
    touching : (t, 2) int64
        An edge, and a point in its interior; some twice.
    crossing : (c, 2) int64
        Two edges that cross.
    """
    # Points are in lexicographic order, which is also the order along any line.
    edges = np.sort(edges, axis=1)
    ends, flat = points[edges], np.zeros((len(edges), 1))
    pairs = sweep_and_prune(np.hstack([ends.min(axis=1), flat]), np.hstack([ends.max(axis=1), flat]))
    # Most of these pairs share a corner; only collinear ones among them need to be split.
    (i, j), (a, b), (c, d) = pairs.T, *(ends[edge].transpose(1, 0, 2) for edge in pairs.T)
    sides = orientation(np.concatenate([a, a, c, c]), np.concatenate([b, b, d, d]), np.concatenate([c, d, a, b]))
    point, on = np.concatenate([*edges[j].T, *edges[i].T]), np.concatenate([i, i, j, j])
    inside = (sides == 0) & (point > edges[on, 0]) & (point < edges[on, 1])
    of_c, of_d, of_a, of_b = sides.reshape(4, -1)
    crossing = (of_c * of_d < 0) & (of_a * of_b < 0)
    return np.stack([on[inside], point[inside]], axis=1), pairs[crossing]


def _split_until_apart(chain: _Chain) -> _Chain:
    """Split edges at whole coordinates until none cross.

    Splitting an edge at a rounded point moves its parts by less than a step, and they may then cross other edges. The
    splitting is therefore repeated.
    """
    for _ in range(_MOST_ROUNDS):
        touching, crossing = _touches_and_crossings(chain.points, chain.edges)
        if not len(crossing):  # where they only touch, the sweep splits them
            return chain
        new = np.rint(_where(chain, crossing))
        points = np.concatenate([chain.points, new])
        number = len(chain.points) + np.arange(len(new))
        edge = np.concatenate([np.tile(np.arange(len(chain.edges)), 2), touching[:, 0], *crossing.T])
        vertex = np.concatenate([chain.edges[:, 0], chain.edges[:, 1], touching[:, 1], number, number])
        start = chain.points[chain.edges[:, 0]]
        along = chain.points[chain.edges[:, 1]] - start
        place = ((points[vertex] - start[edge]) * along[edge]).sum(axis=1)
        order = np.lexsort((place, edge))
        edge, vertex = edge[order], vertex[order]
        inner = edge[1:] == edge[:-1]
        chain = _chain(points, vertex[:-1][inner], vertex[1:][inner], chain.times[edge[:-1][inner]])
        if not len(chain.edges):
            return chain
    raise TooDetailed("its edges cross too often to be told apart")


def _regions(chain: _Chain, inside: Callable[[int], bool]) -> list[Region]:
    """The regions of the triangles whose winding numbers are inside."""
    if not len(chain.edges):
        return []
    sides = [
        Side(u, v, ((0, times),), name)
        for name, ((u, v), times) in enumerate(zip(chain.edges.tolist(), chain.times.tolist(), strict=True))
    ]

    def filled(winding: Winding) -> bool:
        return inside(dict(winding).get(0, 0))

    third = Triangulation.of(sweep(chain.points, integers(chain.points), sides, filled).triangles)
    found = []
    for loops in _parts(third):
        rings = [chain.points[loop] for loop in loops]
        areas = [_area(ring) for ring in rings]
        outer = int(np.argmax(areas))
        found.append((rings[outer], [ring for number, ring in enumerate(rings) if number != outer]))
    return found


def _parts(solid: Triangulation) -> list[list[Ints]]:
    """For each part connected by edges, the loops around its triangles, with the triangles to the left."""
    # Each half-edge is connected to the next one of its triangle, and to its twin.
    edges = np.arange(len(solid.corner))
    beyond = np.where(solid.twin < 0, edges, solid.twin)
    part = numbered_components(len(edges), np.tile(edges, 2), np.concatenate([after(edges), beyond]))
    loops: list[list[Ints]] = [[] for _ in range(part.max(initial=-1) + 1)]
    for loop in solid.loops(solid.twin < 0):
        loops[part[loop[0]]].append(solid.corner[loop])
    return loops


def _area(ring: Floats) -> float:
    """Signed area: positive if counterclockwise."""
    about = ring - ring[0]
    return float(_cross(about, np.roll(about, -1, axis=0)).sum()) / 2.0


def _width(ring: Floats) -> float:
    """The width of a thin rectangle with the same area and perimeter."""
    run = float(np.hypot(*(np.roll(ring, -1, axis=0) - ring).T).sum())
    return 2.0 * abs(_area(ring)) / run if run > 0.0 else 0.0


def _scaled(region: Region, step: float) -> Region:
    ring, holes = region
    return ring * step, [hole * step for hole in holes]


def _tidy(region: Region, width: float) -> Region:
    """A region without the corners that exist only because of rounding, unless its rings would then cross."""
    ring, holes = region
    if not holes:
        corners = _simplified(ring, width)
        if len(corners) >= 3 and is_convex(corners):
            return corners, []
    simpler = [_simplified(one, width) for one in (ring, *holes)]
    if any(len(one) < 3 for one in simpler):
        return region
    try:
        found = enclosed(simpler)
    except Crossing:
        return region
    return found[0] if len(found) == 1 and len(found[0][1]) == len(holes) else region


def _simplified(ring: Floats, width: float) -> Floats:
    """The ring without corners that are within `width` of the segment that replaces them (Douglas and Peucker)."""
    # The simplification starts with a certain corner of the hull and the corner farthest from it.
    first = int(np.lexsort((ring[:, 1], ring[:, 0]))[0])
    ring = np.roll(ring, -first, axis=0)
    far = int(np.argmax(np.hypot(*(ring - ring[0]).T)))
    closed = np.concatenate([ring, ring[:1]])
    kept = np.zeros(len(closed), np.bool_)
    kept[[0, far]] = True
    queue = [(0, far), (far, len(ring))]
    while queue:
        begin, end = queue.pop()
        if end - begin < 2:
            continue
        between = closed[begin + 1 : end] - closed[begin]
        along = closed[end] - closed[begin]
        size = float(np.hypot(*along))
        share = np.clip(between @ along / size**2, 0.0, 1.0) if size > 0.0 else np.zeros(len(between))
        away = np.hypot(*(between - share[:, None] * along).T)
        farthest = int(np.argmax(away))
        if away[farthest] > width:
            middle = begin + 1 + farthest
            kept[middle] = True
            queue += [(begin, middle), (middle, end)]
    return ring[kept[:-1]]
