# SPDX-License-Identifier: GPL-3.0-or-later
"""The edges at which a mesh is not convex, their heights, and whether meshes bound their convex hulls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, partial

import numpy as np
from numpy.typing import ArrayLike

from ..hull import ConvexHull, convex_hull
from ..hull.spatial import compute
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import check_range, corners_of, numbers
from ..numerics.vectors import cross, dot, length
from .topology import Faces, Folds, edge_topology, extrapolation_factor, find_folds, weld

# In multiples of the hull's tolerance, which is the rounding of its points. A corner has that error, and so has the
# plane of the neighboring face that it is compared with. Faces that meet along a seam double the error again.
ROUNDING = 4.0
# In multiples of ROUNDING. A mesh that folds inward by more is neither flat nor convex, whatever its hull is.
_CLEAR = 64.0
# Number of triangles of a large mesh, in which a fold is first searched at some runs of so many triangles.
_LARGE, _RUNS, _RUN = 1 << 13, 32, 32
_GOLDEN = 0.6180339887498949


@dataclass(frozen=True, eq=False)
class Solidity:
    """Comparison of a mesh with its convex hull.

    Attributes
    ----------
    convex : bool
        The mesh is the boundary of its hull. A flat mesh fills its hull. The winding of the faces does not matter.
    extent : callable
        Measures `closed` and `volume`.
    """

    convex: bool
    extent: Callable[[], tuple[bool, float]]

    @property
    def closed(self) -> bool:
        """Whether every edge belongs to an even number of faces, so that the mesh has an inside."""
        return self._extent[0]

    @property
    def volume(self) -> float:
        """The volume that a closed mesh encloses if its faces are wound consistently; NaN for an open mesh."""
        return self._extent[1]

    @cached_property
    def _extent(self) -> tuple[bool, float]:
        return self.extent()


def is_convex(points: ArrayLike, triangles: ArrayLike) -> bool:
    """Whether a mesh is the boundary of a convex body, or a flat convex patch.

    Parameters
    ----------
    points : (n, 3) array-like
    triangles : (m, 3) array-like of int
        Wound either way. Vertices at the same place count as one.

    Returns
    -------
    bool
        Dents no deeper than the rounding of the coordinates are ignored; for points given as float32, the rounding of
        that type. A mesh that is open, or has faces inside it, is not convex. A mesh without faces is convex only if
        its points are collinear.

    Raises
    ------
    ValueError
        As for `convex_hull`, or if a coordinate is out of range, or a triangle is not three vertices of the mesh.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> tetrahedron = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> ck.is_convex(tetrahedron, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    True
    """
    hull = convex_hull(points)
    check_range(hull.points, "points")
    return solidity(hull, corners_of(triangles, "triangles", len(hull.points))).convex


def solidity(hull: ConvexHull, triangles: ArrayLike) -> Solidity:
    """Compare a mesh with the convex hull of its vertices; see `solidities`."""
    return solidities([hull], [triangles])[0]


def solidities(hulls: Sequence[ConvexHull], triangles: Sequence[ArrayLike]) -> list[Solidity]:
    """Compare many meshes with the convex hulls of their vertices.

    Parameters
    ----------
    hulls : sequence of ConvexHull
        The hull of all vertices of each mesh: `hull.points` are its vertices.
    triangles : sequence of (m, 3) array-like of int
        The triangles of each mesh, as indices into its `hull.points`, wound either way.

    Notes
    -----
    Hulls whose vertices and faces are not known yet are computed only for meshes that do not fold inward. Of a large
    mesh, one fold among some of its triangles is enough. Then `closed` and `volume` are measured when they are read.
    """
    rows = [np.asarray(one, dtype=np.int64).reshape(-1, 3) for one in triangles]
    folded = [_certainly_folds(hull, mine) for hull, mine in zip(hulls, rows, strict=True)]
    rest = [at for at, one in enumerate(folded) if not one]
    compared = iter(_compared([hulls[at] for at in rest], [rows[at] for at in rest]))
    return [
        Solidity(False, partial(_measured, hulls[at], rows[at])) if one else next(compared)
        for at, one in enumerate(folded)
    ]


def _measured(hull: ConvexHull, triangles: Ints) -> tuple[bool, float]:
    """Whether a mesh is closed, and its volume."""
    return _compared([hull], [triangles])[0].extent()


def _certainly_folds(hull: ConvexHull, triangles: Ints) -> bool:
    """Whether some triangles of a large mesh prove that it is not convex; False for other meshes.

    A point between vertices is inside a convex body. So it shows which side of a face is the outside, if it is
    certainly not in the plane of the face, in which it would be if the mesh were flat.
    """
    if len(triangles) < _LARGE:
        return False
    # Spread so that they are not all in one column of a grid.
    starts = (np.arange(1, _RUNS + 1) * _GOLDEN % 1.0 * (len(triangles) - _RUN)).astype(np.int64)
    near = np.zeros(len(hull.points), np.bool_)
    near[triangles[starts[:, None] + np.arange(_RUN)]] = True
    number, corners = np.unique(triangles[near[triangles].sum(axis=1) > 1], return_inverse=True)
    corners = corners.reshape(-1, 3)
    faces = Faces.of(corners, np.zeros(len(corners), np.int64))
    extremes = np.concatenate([hull.points.argmin(axis=0), hull.points.argmax(axis=0)])
    points = hull.points[number] - hull.points[extremes].mean(axis=0)
    corner, rounding = points[faces.corners], ROUNDING * hull.tolerance
    normal = cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    doubt = _CLEAR * rounding * length(normal) * extrapolation_factor(corner, np.zeros_like(normal))
    sure = np.abs(dot(normal, corner[:, 0])) > doubt
    partner = edge_topology(faces, len(number)).partner
    partner = partner[sure[partner[:, :, 0]].all(axis=1)]
    return bool(_higher_folds(points, faces, partner, np.array([rounding]))[0] > 1.0)


def _compared(hulls: Sequence[ConvexHull], rows: Sequence[Ints]) -> list[Solidity]:
    """`solidities` by all triangles."""
    if not hulls:
        return []
    first = np.cumsum([0] + [len(hull.points) for hull in hulls])
    owner = np.repeat(np.arange(len(hulls)), np.diff(first))
    points = np.concatenate([hull.points for hull in hulls])
    given = Faces.of(
        np.concatenate([one + start for one, start in zip(rows, first, strict=False)]),
        np.repeat(np.arange(len(hulls)), [len(one) for one in rows]),
    )
    # Relative to the middle of each mesh: far from the origin, rounding would exceed the volume.
    points -= _middles(points[given.corners], given.mesh, points[first[:-1]])[owner]
    rounding = ROUNDING * np.array([hull.tolerance for hull in hulls])
    faces, topology = weld(points, owner, given, rounding)
    count = len(hulls)
    has_faces = np.bincount(faces.mesh, minlength=count) > 0
    closed = has_faces & (np.bincount(topology.mesh[topology.uses % 2 != 0], minlength=count) == 0)
    single = np.bincount(topology.mesh[topology.uses != 2], minlength=count) == 0
    # Only closed meshes have a volume.
    inner = np.flatnonzero(closed[given.mesh])
    corners = points[given.corners[inner]]
    signed = dot(corners[:, 0], cross(corners[:, 1], corners[:, 2]))
    volume = np.abs(np.bincount(given.mesh[inner], weights=signed, minlength=count)) / 6.0
    fold = _folds(points, faces, topology.partner, rounding)
    tested = np.flatnonzero(fold <= _CLEAR)
    tested_hulls = [hulls[row] for row in tested.tolist()]
    compute(tested_hulls)
    convex = np.zeros(count, dtype=bool)
    full = _fills(tested_hulls, tested, points, faces.take((fold <= _CLEAR)[faces.mesh]), closed, rounding)
    for row, hull, filled in zip(tested, tested_hulls, full, strict=True):
        # The folds are not enough: a fine mesh can sink into a dent by less than rounding at each edge, and a surface
        # may wind around twice. The volume is not enough either: a small dent hardly changes it.
        whole = hull.dimension < 3 or (closed[row] and single[row] and fold[row] <= 1.0)
        convex[row] = hull.dimension < 2 or (filled and whole)
    volume = np.where(closed, volume, np.nan)
    extents: list[tuple[bool, float]] = list(zip(closed.tolist(), volume.tolist(), strict=True))
    return [Solidity(one, partial(extents.__getitem__, mesh)) for mesh, one in enumerate(convex.tolist())]


def _middles(corners: Floats, mesh: Ints, some: Floats) -> Floats:
    """The centroid of the surface of each mesh, which is inside a convex one; `some` (a point of it) without area."""
    start = some[mesh]
    side = corners - start[:, None]
    area = length(cross(side[:, 1] - side[:, 0], side[:, 2] - side[:, 0]))
    whole = np.bincount(mesh, weights=area, minlength=len(some))
    weights = area / np.where(whole > 0.0, whole, 1.0)[mesh]
    middle = (side[:, 0] + side[:, 1] + side[:, 2]) / 3.0
    step = [np.bincount(mesh, weights=weights * middle[:, axis], minlength=len(some)) for axis in range(3)]
    return some + np.stack(step, axis=1)


def _folds(points: Floats, faces: Faces, partner: Ints, rounding: Floats) -> Floats:
    """The height of the highest inward fold of each mesh, in multiples of its rounding, seen from the origin inside.

    Of a mesh with a fold that is clear, some edges are enough: it may have higher ones.
    """
    few = _higher_folds(points, faces, partner[::_SOME], rounding)
    rest = np.flatnonzero((few <= _CLEAR)[faces.mesh[partner[:, 0, 0]]])
    return np.maximum(few, _higher_folds(points, faces, partner[rest], rounding))


def _higher_folds(points: Floats, faces: Faces, partner: Ints, rounding: Floats) -> Floats:
    """`_folds` at some edges; 0.0 for meshes without any of them."""
    used = np.zeros(len(faces.corners), np.bool_)
    used[partner[:, :, 0]] = True
    number = np.cumsum(used) - 1
    partner = np.stack([number[partner[:, :, 0]], partner[:, :, 1]], axis=2)
    faces = faces.take(used)
    corners = points[faces.corners]
    normal = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    # The outside of a convex body is the side away from a point inside, however a face is wound.
    normal = np.where(dot(normal, corners[:, 0]) < 0.0, -1.0, 1.0)[:, None] * normal
    area = length(normal)
    # Measured from the plane of the larger of two faces, because that of a sliver is not reliable.
    larger = np.argmax(area[partner[:, :, 0]], axis=1)
    row = np.arange(len(partner))
    base, (face, corner) = partner[row, larger, 0], partner[row, 1 - larger].T
    apex = corners[face, corner]
    height = dot(normal[base], apex - corners[base, 0]) / extrapolation_factor(corners[base], apex)
    mesh, enough = faces.mesh[base], rounding[faces.mesh[base]] * area[base]
    result = np.zeros(len(rounding))
    np.maximum.at(result, mesh, np.where(height > enough, height / np.where(enough > 0.0, enough, 1.0), 0.0))
    return result


def _fills(
    hulls: Sequence[ConvexHull], rows: Ints, points: Floats, faces: Faces, closed: Bools, rounding: Floats
) -> Bools:
    """Whether the meshes `rows` (K,) are as large as their K hulls: (K,).

    Solids must have the volume of the hull. Flat meshes must cover it exactly once, or twice if they are two-sided.
    """
    a, b, c = points[faces.corners].transpose(1, 0, 2)
    normal = cross(b - a, c - a)
    surface = np.bincount(faces.mesh, weights=length(normal), minlength=len(closed))[rows]
    volume = np.bincount(faces.mesh, weights=np.abs(dot(normal, a)), minlength=len(closed))[rows] / 6.0
    solid = np.array([hull.dimension == 3 for hull in hulls], dtype=bool)
    # The area of a flat hull counts both of its sides.
    area = np.array([hull.area for hull in hulls]) * np.where(closed[rows], 1.0, 0.5)
    outline = np.zeros(len(rows))
    for at in np.flatnonzero(~solid).tolist():
        start, end = hulls[at].points[hulls[at].edges].transpose(1, 0, 2)
        outline[at] = length(end - start).sum()
    off_volume = np.abs(volume - np.array([hull.volume for hull in hulls])) - surface * rounding[rows]
    off_area = np.abs(surface / 2.0 - area) - 2.0 * outline * rounding[rows]
    filled: Bools = np.where(solid, off_volume, off_area) <= 0.0
    return filled


# Of so many edges, one shows of most meshes that are not convex that they are not.
_SOME = 16

# The number of depths of vertices below faces of the hull that are computed at once; this bounds the memory.
_DEPTHS_PER_BLOCK = 1 << 20


class Flaw(Enum):
    """The reasons why a mesh is not convex.

    Attributes
    ----------
    NO_FACES
        It has no faces.
    REFLEX_EDGES
        Edges at which it folds inward.
    BOUNDARY_EDGES
        Edges of one face only.
    NON_MANIFOLD_EDGES
        Edges of more than two faces.
    DISCONNECTED
        Several pieces that share no edge.
    UNREFERENCED_VERTICES
        Vertices that belong to no face and lie outside all faces.
    NON_ORIENTABLE
        Its faces cannot be wound consistently.
    SHALLOW_DENT
        A smooth dent: at each edge it folds inward by less than rounding.
    SELF_INTERSECTING
        It winds around more than once, or intersects itself.
    NOT_COVERING
        It is flat and does not cover its convex outline exactly once.
    """

    NO_FACES = "no faces"
    REFLEX_EDGES = "reflex edges"
    BOUNDARY_EDGES = "open edges"
    NON_MANIFOLD_EDGES = "crowded edges"
    DISCONNECTED = "several pieces"
    UNREFERENCED_VERTICES = "loose vertices"
    NON_ORIENTABLE = "one-sided"
    SHALLOW_DENT = "sagging"
    SELF_INTERSECTING = "crossing"
    NOT_COVERING = "unfilled"


@dataclass(frozen=True, eq=False)
class Convexity:
    """Whether a mesh is convex and, if it is not, where.

    Edges are pairs of vertices, the lower index first. Along a seam, where vertices are doubled, an edge is given by
    the vertices of each side.

    Attributes
    ----------
    convex : bool
        As `is_convex`.
    flaws : tuple of Flaw
        Everything that keeps the mesh from being convex, in the order of `Flaw`; at least one unless it is convex.
    reflex_edges : (R, 2) int64
        Edges at which the mesh folds inward by more than rounding, the highest first. Empty if it is convex.
    reflex_height : (R,) float64
        The height of the far corner of one face above the plane of the other, the larger of the two. About zero where
        one face is folded back onto the other.
    reflex_angle : (R,) float64
        By how much the inner angle between the two faces exceeds 180°, in radians: above 0, up to pi.
    reflex_polygon : (R,) int64
        If the edge is a diagonal along which a polygon is bent, the label of the polygon; otherwise -1.
    boundary_edges, non_manifold_edges : (K, 2) int64
        Edges of exactly one face, and edges of more than two.
    inconsistent_edges : (K, 2) int64
        Edges along which both faces run in the same direction, so that one of them is wound the wrong way. This is not
        a flaw, because convexity does not depend on winding.
    inside_out : bool
        Most of its surface is wound with the outside in. The outside of an open mesh is its convex side.
    components : int
        The number of connected components; parts are connected if they share an edge.
    dent_depth : float
        The depth of the deepest vertex below the hull if `SHALLOW_DENT` is the only flaw; otherwise zero.
    hull : ConvexHull
        The hull of all vertices.
    solidity : Solidity
        How the mesh compares with the hull.
    """

    convex: bool
    flaws: tuple[Flaw, ...]
    reflex_edges: Ints
    reflex_height: Floats
    reflex_angle: Floats
    reflex_polygon: Ints
    boundary_edges: Ints
    non_manifold_edges: Ints
    inconsistent_edges: Ints
    inside_out: bool
    components: int
    dent_depth: float
    hull: ConvexHull
    solidity: Solidity


def check_convexity(points: ArrayLike, triangles: ArrayLike, polygons: ArrayLike | None = None) -> Convexity:
    """Find the edges at which a mesh is not convex.

    Parameters
    ----------
    points : (n, 3) array-like
        For points given as float32, the rounding of that type is assumed.
    triangles : (m, 3) array-like of int
        Wound either way. Vertices at the same place count as one.
    polygons : (m,) array-like of int, optional
        For triangulated polygons: the label, not negative, of the polygon of each triangle. An edge between triangles
        of one polygon is a diagonal. None: every triangle is a face of its own.

    Returns
    -------
    Convexity

    Raises
    ------
    ValueError
        As `convex_hull`; also if a coordinate is out of range, a triangle is not three vertices of the mesh, or
        there is not one label for each triangle.

    Notes
    -----
    The winding of each connected component is made consistent. Outward is the side on which the volume about its own
    centroid is positive, so that a mesh that is inside out, or has random winding, has the same reflex edges. A
    triangle whose corners are collinear within rounding has no reliable plane. The faces on either side of it are
    compared with each other instead.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> tetrahedron = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> ck.check_convexity(tetrahedron, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]).convex
    True
    """
    hull = convex_hull(points)
    check_range(hull.points, "points")
    rows, labels = _checked(triangles, polygons, len(hull.points))
    comparison = solidity(hull, rows)
    centered = hull.points - hull.centroid
    none = np.zeros(len(hull.points), np.int64)
    given = Faces.of(rows, np.zeros(len(rows), np.int64))
    rounding = ROUNDING * hull.tolerance
    faces, topology = weld(centered, none, given, np.array([rounding]))
    folds = find_folds(centered, faces, topology, rounding)

    names = _Names(rows, faces)
    reflex = folds.reflex & (not comparison.convex and hull.dimension == 3)
    edges, height, angle, polygon = _reflex(folds, reflex, names, labels)
    boundary_edges = names.of(topology.sides[topology.first[topology.uses == 1]])
    non_manifold_edges = names.of(topology.sides[np.repeat(topology.uses > 2, topology.uses)])
    flaws: list[Flaw] = []
    dent_depth = 0.0
    if not comparison.convex and hull.dimension == 2:
        flaws = [Flaw.NOT_COVERING] if len(faces.corners) else [Flaw.NO_FACES]
    elif not comparison.convex:
        found = {
            Flaw.NO_FACES: not len(faces.corners),
            Flaw.REFLEX_EDGES: bool(len(edges)),
            Flaw.BOUNDARY_EDGES: bool(len(boundary_edges)),
            Flaw.NON_MANIFOLD_EDGES: bool(len(non_manifold_edges)),
            Flaw.DISCONNECTED: folds.components > 1,
            Flaw.UNREFERENCED_VERTICES: len(faces.corners) > 0 and _has_loose_vertices(hull, rows),
            Flaw.NON_ORIENTABLE: folds.non_orientable,
        }
        flaws = [flaw for flaw, is_so in found.items() if is_so]
        if not flaws:
            # No edge is missing and none folds inward: the surface is below the hull, or it intersects itself.
            dent_depth = _deepest(hull, rows)
            flaws = [Flaw.SHALLOW_DENT if dent_depth > rounding else Flaw.SELF_INTERSECTING]
    return Convexity(
        convex=comparison.convex,
        flaws=tuple(flaws),
        reflex_edges=edges,
        reflex_height=height,
        reflex_angle=angle,
        reflex_polygon=polygon,
        boundary_edges=boundary_edges,
        non_manifold_edges=non_manifold_edges,
        inconsistent_edges=names.of(folds.inconsistent.reshape(-1)),
        inside_out=folds.inside_out,
        components=folds.components,
        dent_depth=dent_depth if flaws == [Flaw.SHALLOW_DENT] else 0.0,
        hull=hull,
        solidity=comparison,
    )


class _Names:
    """Vertices, as given, of the sides of welded faces."""

    def __init__(self, rows: Ints, faces: Faces) -> None:
        self._rows, self._faces = rows, faces

    def pairs(self, sides: Ints) -> Ints:
        """The two vertices (K, 2) of each side, the lower first."""
        ends = (sides[:, None] % 3 + [1, 2]) % 3
        result: Ints = np.sort(self._rows[self.given(sides)[:, None], ends], axis=1)
        return result

    def of(self, sides: Ints) -> Ints:
        """The edges of these sides, in lexicographic order, without duplicates."""
        return np.unique(self.pairs(sides), axis=0)

    def given(self, sides: Ints) -> Ints:
        """The given triangle of each side."""
        result: Ints = self._faces.given[sides // 3]
        return result


def _checked(triangles: ArrayLike, polygons: ArrayLike | None, count: int) -> tuple[Ints, Ints]:
    """Triangles and their labels; without polygons, -1 for all."""
    given = corners_of(triangles, "triangles", count)
    labels = np.full(len(given), -1) if polygons is None else numbers(polygons, "polygons")
    if labels.shape != (len(given),) or labels.dtype.kind not in "iu":
        raise ValueError(
            f"polygons: {labels.dtype} of shape {labels.shape}, but one integer for each of {len(given)} triangles is "
            "needed"
        )
    return given, labels.astype(np.int64)


def _reflex(folds: Folds, wanted: Bools, names: _Names, labels: Ints) -> tuple[Ints, Floats, Floats, Ints]:
    """The edges of these folds without duplicates, the highest first; height, angle and bent polygon of each."""
    sides, between = folds.sides[wanted], folds.between[wanted]
    polygon = labels[names.given(sides.reshape(-1))].reshape(-1, 2)
    bent = np.repeat(np.where(polygon[:, 0] == polygon[:, 1], polygon[:, 0], -1), 2)
    # Across a sliver, the edge of the first face counts, unless the sliver and that face belong to the same polygon.
    within = (polygon[:, 0] == labels[names.given(3 * between)]) & (polygon[:, 0] >= 0)
    past = np.where(within, sides[:, 1], sides[:, 0])[:, None]
    # Otherwise the edges of both faces count, because each side of a seam has its own vertices.
    pairs = names.pairs(np.where(between[:, None] >= 0, past, sides).reshape(-1))
    height, angle = np.repeat(folds.height[wanted], 2), np.repeat(folds.angle[wanted], 2)
    order = np.lexsort((pairs[:, 1], pairs[:, 0], -angle, -height))
    _, first = np.unique(pairs[order], axis=0, return_index=True)
    kept = order[np.sort(first)]
    return pairs[kept], height[kept], angle[kept], bent[kept]


def _has_loose_vertices(hull: ConvexHull, rows: Ints) -> bool:
    """Whether a vertex that belongs to no face lies outside the hull of the vertices that do."""
    unused = np.setdiff1d(hull.vertices, rows)
    if not len(unused):
        return False
    inner = convex_hull(hull.points[np.unique(rows)])
    if inner.dimension < hull.dimension:
        return True
    return bool((hull.points[unused] @ inner.normals.T - inner.offsets > ROUNDING * hull.tolerance).any())


def _deepest(hull: ConvexHull, rows: Ints) -> float:
    """The depth of the deepest vertex of a face below the nearest face of the hull."""
    inner = np.setdiff1d(rows, hull.vertices)
    step = max(1, _DEPTHS_PER_BLOCK // len(hull.offsets))
    blocks = (hull.points[inner[start : start + step]] for start in range(0, len(inner), step))
    return max((float((hull.offsets - block @ hull.normals.T).min(axis=1).max()) for block in blocks), default=0.0)
