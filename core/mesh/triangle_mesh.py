# SPDX-License-Identifier: GPL-3.0-or-later
"""A triangle mesh in its own frame: topology, volume and bounding volume hierarchy, computed when they are needed.

The hierarchy is a complete binary tree of boxes in heap order: node i has the children 2i + 1 and 2i + 2, and each leaf
has one triangle. It can therefore be built and traversed one whole level at a time. Leaves without a triangle are
empty.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ..convexity.report import solidities, solidity
from ..hull import ConvexHull, convex_hull, convex_hulls
from ..kernels import halving, quads, topology
from ..numerics.rows import blocks, rows_of_each
from ..numerics.steps import exhausted
from ..numerics.tolerances import EPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import check_range, coordinates, corners_of, point_set
from ..numerics.vectors import cross, dot, length

# Lower bounds, and negated upper bounds, of an empty box. The gap to it is always large, and its square does not
# overflow.
EMPTY = 1e150


@dataclass(frozen=True, eq=False)
class Edges:
    """The edges of a mesh.

    Attributes
    ----------
    vertices : (E, 2) int64
        Lower index first, rows in lexicographic order.
    of_triangle : (m, 3) int64
        The edges from corner 0 to 1, 1 to 2 and 2 to 0 of each triangle; -1 if the two corners are the same vertex.
    open : (E,) bool
        Whether triangles use the edge more often in one direction than in the other: the mesh has a boundary here, or
        its triangles are not oriented consistently.
    uses : (E,) int64
        Number of sides of triangles on each edge.
    """

    vertices: Ints
    of_triangle: Ints
    open: np.ndarray
    uses: Ints


@dataclass(frozen=True, eq=False)
class Tree:
    """Boxes of a bounding volume hierarchy in heap order.

    Attributes
    ----------
    span : (2 * leaves - 1, 6) float64
        The lower bounds and the negated upper bounds of each box, so that one comparison tests whether two boxes are
        disjoint. `EMPTY` for nodes without triangles.
    triangle : (leaves,) int64
        The triangle of each leaf, or -1.
    levels : int
        Steps from the root to a leaf. There are ``2 ** levels`` leaves.
    """

    span: Floats
    triangle: Ints
    levels: int


def tree_of(corners: Floats) -> Tree:
    """The hierarchy over triangles (m, 3, 3), m at least 1.

    The triangles of a node are split at the median of their centers, along the axis of the greatest extent (Bentley,
    1975).
    """
    return exhausted(tree_steps(corners))


def tree_steps(corners: Floats) -> Generator[None, None, Tree]:
    """Run `tree_of` in steps of one level each."""
    levels = max(0, int(len(corners) - 1).bit_length())
    corners = np.ascontiguousarray(corners)
    triangle = yield from _halving(corners, levels)
    span = np.empty(((2 << levels) - 1, 6))
    inner = (1 << levels) - 1
    halving.fill(corners, triangle, EMPTY, inner, len(span), span)
    yield
    halving.fill(corners, triangle, EMPTY, 0, inner, span)
    return Tree(span, triangle, levels)


def _halving(corners: Floats, levels: int) -> Generator[None, None, Ints]:
    """The triangle of each leaf when a set of triangles is halved `levels` times; -1 for leaves without a triangle.

    Nodes are full, half full with an empty second half, or the last one of their level. So few nodes have one child.
    """
    count, leaves = len(corners), 1 << levels
    # Missing triangles have coordinates above all others.
    place, index = np.empty((leaves, 3)), np.full(leaves, count)
    place[count:], index[:count] = np.inf, np.arange(count)
    halving.centers(corners, place)
    low, high = np.empty((2, 1, 3))
    halving.extents(place, index, count, leaves, low, high)
    yield
    extent = float((high - low).max())
    for rows in blocks(count, _ROWS):
        # Half of the digits are enough for sorting.
        place[rows] = ((place[rows] - low) / (extent if extent > 0.0 else 1.0)).astype(np.float32)
    yield
    size = count  # of the last node of the level
    for level in range(levels - 1, 0, -1):
        half, quarter = 1 << level, 1 << level - 1
        lower, upper = np.empty((2, len(index) // (2 * half), 3))
        halving.extents(place, index, count, 2 * half, lower, upper)
        axis = (upper.astype(np.float32) - lower.astype(np.float32)).argmax(axis=1)
        halving.halve(place, index, axis, 2 * half, size, count)
        size -= quarter if size <= half + quarter else half
        yield
    index[index == count] = -1
    return index


@dataclass(frozen=True, eq=False, repr=False)
class TriangleMesh:
    """A triangle mesh in its own frame. Arrays are read-only.

    Vertices with the same coordinates are one vertex, with the lowest of their indices. Seams of texture or shading
    therefore do not split a mesh.

    Attributes
    ----------
    points : (k, 3) float64
    triangles : (m, 3) int64
        As given, m at least 1. Triangles without area count as segments or points.
    """

    points: Floats
    triangles: Ints

    def __repr__(self) -> str:
        return (
            f"TriangleMesh(points={len(self.points)}, triangles={len(self.triangles)}, "
            f"components={len(self.representatives)}, watertight={self.watertight})"
        )

    @classmethod
    def checked(cls, points: ArrayLike, triangles: ArrayLike, name: str) -> TriangleMesh:
        """The mesh of these arrays.

        Raises
        ------
        ValueError
            If shapes are wrong, a coordinate is not finite, there is no triangle, or an index is out of range; names
            the field and the row.
        """
        place = coordinates(points, f"{name} vertices", (-1, 3))
        index = corners_of(triangles, f"{name} triangles", len(place))
        if not len(index):
            raise ValueError(f"{name} triangles: empty, but a triangle is needed")
        index.flags.writeable = False
        return cls(place, index)

    def transformed(self, linear: Floats) -> TriangleMesh:
        """The mesh with its points multiplied by a matrix (3, 3), which is applied to column vectors."""
        return TriangleMesh(self.points @ linear.T, self.triangles)

    def flipped(self, triangles: Bools) -> TriangleMesh:
        """Return the mesh with some of its triangles (m,) flipped. At each edge, none or all of them are.

        Data that does not depend on orientation is reused. Triangles, vertices and edges keep their indices.
        """
        result = TriangleMesh(self.points, np.where(triangles[:, None], self.triangles[:, [0, 2, 1]], self.triangles))
        for name in _UNSIDED & vars(self).keys():
            vars(result)[name] = vars(self)[name]
        sides = np.where(triangles[:, None], self.edges.of_triangle[:, ::-1], self.edges.of_triangle)
        vars(result)["edges"] = replace(self.edges, of_triangle=sides)
        return result

    @property
    def is_large(self) -> bool:
        """Whether the mesh is prepared in steps."""
        return len(self.triangles) >= _LARGE

    def topology_steps(self) -> Generator[None, None, None]:
        """Compute the edges of a large mesh, and what they need, in steps. Nothing of a small one."""
        yield from self._computing(("names", "welded_triangles"))
        if self.is_large and "edges" not in vars(self):
            vars(self)["edges"] = yield from edge_steps(self.welded_triangles)
            yield
        yield from self._computing(("fault", "used"))

    def query_steps(self) -> Generator[None, None, None]:
        """Compute what queries need of a large mesh in steps, each of them at once. Nothing of a small one."""
        yield from self._computing(("names", "used", "reach", "corners", "planes"))
        if self.is_large and "tree" not in vars(self):
            vars(self)["tree"] = yield from tree_steps(self.corners)
            yield

    def _computing(self, names: Iterable[str]) -> Generator[None, None, None]:
        """Compute cached properties of a large mesh, in a step each."""
        for name in names:
            if self.is_large and name not in vars(self):
                getattr(self, name)
                yield

    @cached_property
    def names(self) -> Ints:
        """Lowest index of the vertices at the same place, for each vertex: (k,)."""
        return welded(self.points)

    @cached_property
    def welded_triangles(self) -> Ints:
        """The triangles over welded vertices, (m, 3)."""
        result: Ints = self.names.take(self.triangles)
        return result

    @cached_property
    def corners(self) -> Floats:
        """Coordinates of the corners, (m, 3, 3)."""
        result: Floats = self.points.take(self.triangles, axis=0)
        return result

    @cached_property
    def quads(self) -> Floats:
        """The triangles that are halves of a convex quad, (m, 2); see `kernels.quads`."""
        result = np.empty((len(self.triangles), 2))
        quads.quads(np.ascontiguousarray(self.corners), result)
        return result

    @cached_property
    def planes(self) -> Floats:
        """The planes of the triangles, (m, 5): unit normal, offset, and the growth factor of the rounding of heights.

        The normal of a long and thin triangle is less accurate. Triangles without area have a zero normal.
        """
        result = np.empty((len(self.triangles), 5))
        # One block after another, in memory that stays in cache.
        for rows in blocks(len(result), _ROWS):
            first, second, third = self.corners[rows].transpose(1, 0, 2)
            along, across = second - first, third - first
            normal = cross(along, across)
            area = length(normal)
            divisor = np.where(area > 0.0, area, 1.0)
            normal /= divisor[:, None]
            result[rows, :3], result[rows, 3] = normal, dot(normal, first)
            result[rows, 4] = 1.0 + length(along) * length(across) / divisor
        return result

    @cached_property
    def edges(self) -> Edges:
        """The edges between welded vertices."""
        return edges(self.welded_triangles)

    @cached_property
    def fault(self) -> str:
        """Return why the mesh is not watertight and consistently oriented, in words; empty if it is."""
        return what_is_open(self.welded_triangles, self.edges)

    @property
    def watertight(self) -> bool:
        """Whether all edges are used equally often in both directions. Inside and outside are then well defined."""
        return not self.fault

    @cached_property
    def component(self) -> Ints:
        """Connected component of each triangle, over shared vertices: (m,)."""
        result = np.empty(len(self.triangles), dtype=np.int64)
        corner = np.ascontiguousarray(self.welded_triangles)
        topology.components(corner, np.full(len(self.points), -1), result)
        return result

    @cached_property
    def representatives(self) -> Ints:
        """One triangle of each component, (C,)."""
        result: Ints = np.unique(self.component, return_index=True)[1].astype(np.int64)
        return result

    @cached_property
    def by_component(self) -> Ints:
        """All triangles, grouped by component and ascending within each: (m,)."""
        result: Ints = np.argsort(self.component, kind="stable").astype(np.int64)
        return result

    @cached_property
    def by_vertex(self) -> Ints:
        """All corners of triangles, numbered through, grouped by welded vertex: (3 m,)."""
        result: Ints = np.argsort(self.welded_triangles.reshape(-1), kind="stable").astype(np.int64)
        return result

    @cached_property
    def corner_start(self) -> Ints:
        """Start of each vertex in `by_vertex`, and the end of the last one: (k + 1,)."""
        count = np.bincount(self.welded_triangles.reshape(-1), minlength=len(self.points))
        return np.append(0, np.cumsum(count)).astype(np.int64)

    @cached_property
    def component_start(self) -> Ints:
        """Start of each component in `by_component`, and the end of the last one: (C + 1,)."""
        result: Ints = np.append(0, np.cumsum(np.bincount(self.component))).astype(np.int64)
        return result

    @cached_property
    def used(self) -> Ints:
        """The welded vertices of all triangles, ascending."""
        found = np.zeros(len(self.points), dtype=bool)
        found[self.welded_triangles] = True
        return np.flatnonzero(found)

    @cached_property
    def used_points(self) -> Floats:
        """The points of `used`."""
        return self.points if len(self.used) == len(self.points) else self.points[self.used]

    @cached_property
    def vertex_component(self) -> Ints:
        """Connected component of each vertex of `used`."""
        result = np.empty(len(self.used), dtype=np.int64)
        result[np.searchsorted(self.used, self.welded_triangles)] = self.component[:, None]
        return result

    @cached_property
    def tree(self) -> Tree:
        """The bounding volume hierarchy over the triangles."""
        return tree_of(self.corners)

    @cached_property
    def hull(self) -> ConvexHull:
        """Convex hull of the vertices of all triangles."""
        return convex_hull(self.used_points)

    @cached_property
    def convex(self) -> bool:
        """Whether the mesh is the boundary of its hull or, if it is flat, fills its hull.

        Dents no deeper than the rounding of the coordinates are ignored; see `is_convex`.
        """
        if self._is_dented:
            return False
        return solidity(self.hull, np.searchsorted(self.used, self.welded_triangles)).convex

    @cached_property
    def _is_dented(self) -> bool:
        """Whether the plane of one of a few triangles certainly has vertices on both sides. Only for large meshes."""
        step = len(self.triangles) // _SAMPLED
        if not step:
            return False
        corner = self.corners[::step]
        normal = cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
        longest = length(np.roll(corner, -1, axis=1) - corner).max(axis=1)
        points = self.used_points
        extent = float(length(points.max(axis=0) - points.min(axis=0)))
        # The plane of a small or thin triangle is not reliable far away from it.
        sure = np.flatnonzero(length(normal) > _RELIABLE * extent * longest)
        unit = normal[sure] / length(normal[sure])[:, None]
        least = _DENT * extent + _DENT_ROUNDING * float(np.abs(points).max()) / _RELIABLE
        for rows in blocks(len(sure), max(1, _HEIGHTS // len(points))):
            height = points @ unit[rows].T - dot(corner[sure[rows], 0], unit[rows])
            if (np.minimum(height.max(axis=0), -height.min(axis=0)) > least).any():
                return True
        return False

    @cached_property
    def has_volume(self) -> bool:
        """Whether the mesh has a volume as a solid: it is watertight, and not flat like a two-sided sheet."""
        if not self.watertight:
            return False
        # Four of a few vertices prove it for nearly all meshes: far from each other, from a line and from a plane.
        away = self.outermost - self.outermost[0]
        along = away[length(away).argmax()]
        across = cross(away, along)
        normal = across[length(across).argmax()]
        size = float(np.sqrt(dot(normal, normal)))
        if size > 0.0 and np.abs(away @ (normal / size)).max() > _THICK * np.abs(self.outermost).max():
            return True
        return self.hull.dimension == 3

    @cached_property
    def outermost(self) -> Floats:
        """The farthest vertices along the directions of a cube's faces, edges and corners, (26, 3)."""
        points = self.used_points
        result: Floats = points[(points @ _WAYS.T).argmax(axis=0)]
        return result

    @cached_property
    def reach(self) -> float:
        """Radius of a ball around the frame's origin that contains the mesh."""
        return float(np.sqrt((self.used_points**2).sum(axis=1).max()))

    @cached_property
    def ball(self) -> tuple[Floats, float]:
        """Bounding sphere around the center of the mesh's bounds: center (3,) and radius."""
        points = self.used_points
        low = points.min(axis=0)
        center: Floats = low + (points.max(axis=0) - low) / 2.0
        return center, float(np.sqrt(((points - center) ** 2).sum(axis=1).max()))

    @cached_property
    def creases(self) -> Bools:
        """Edges (E,) to draw: open edges, edges of more than two triangles, edges between faces at a large angle."""
        return self.creases_from(CREASE)

    def creases_from(self, cosine: float) -> Bools:
        """Edges (E,) to draw, where this is the largest cosine of the angle between the normals of a crease."""
        result: Bools = self.edges.open | (self.edges.uses != 2) | (self.edge_cosines < cosine)
        return result

    @cached_property
    def edge_cosines(self) -> Floats:
        """Cosines (E,) of the angles between the normals of both triangles of each edge; any value for other edges."""
        normal = cross(self.corners[:, 1] - self.corners[:, 0], self.corners[:, 2] - self.corners[:, 0])
        size = np.sqrt((normal * normal).sum(axis=1))
        unit = normal / np.where(size > 0.0, size, 1.0)[:, None]
        side = np.flatnonzero(self.edges.of_triangle.reshape(-1) >= 0)
        edge, of_edge = self.edges.of_triangle.reshape(-1)[side], unit[side // 3]
        # The length of the sum of two unit normals gives the cosine of the angle between them: |u + v|² = 2 + 2 cos.
        total = [np.bincount(edge, weights=column, minlength=len(self.edges.uses)) for column in of_edge.T]
        result: Floats = np.square(np.stack(total, axis=1)).sum(axis=1) / 2.0 - 1.0
        return result


# Number of triangles from which on a mesh is prepared in steps, and of those that are computed at a time.
_LARGE, _ROWS = 1 << 16, 1 << 14
# Number of triangles of a large mesh whose planes are tested, and number of heights computed at a time.
_SAMPLED, _HEIGHTS = 64, 1 << 20
# Dimensionless fractions of the extent: the minimum height of a triangle whose plane is used, and the height of a
# vertex that is certainly a dent or a bump.
_RELIABLE, _DENT = 1e-5, 1e-6
# The same as a fraction of the coordinates: many times what `is_convex` ignores, which is less than 256 eps.
_DENT_ROUNDING = 4096.0 * EPS
# Dimensionless: a thickness that is certainly not rounding error, as a fraction of the coordinates.
_THICK = 1e-9
# The directions of a cube's faces, edges and corners.
_THREE = (-1.0, 0.0, 1.0)
_WAYS = np.array([[x, y, z] for x in _THREE for y in _THREE for z in _THREE if (x, y, z) != (0.0, 0.0, 0.0)])

# Cached properties of a mesh that do not depend on the orientation of its triangles.
_UNSIDED = {
    *("names", "fault", "component", "representatives", "by_component", "component_start", "used", "vertex_component"),
    *("tree", "hull", "convex", "has_volume", "outermost", "reach", "ball"),
}


def build_hulls(meshes: Sequence[TriangleMesh]) -> None:
    """Compute the hulls of all meshes at once. Many small hulls take little longer than one."""
    for mesh, hull in zip(meshes, convex_hulls([mesh.used_points for mesh in meshes]), strict=True):
        vars(mesh)["hull"] = hull


def find_convex(meshes: Sequence[TriangleMesh]) -> None:
    """Find which watertight meshes are convex, all at once."""
    asked = [mesh for mesh in dict.fromkeys(meshes) if "convex" not in vars(mesh) and mesh.watertight]
    asked = [mesh for mesh in asked if not mesh._is_dented]
    build_hulls([mesh for mesh in asked if "hull" not in vars(mesh)])
    cells = [np.searchsorted(mesh.used, mesh.welded_triangles) for mesh in asked]
    for mesh, found in zip(asked, solidities([mesh.hull for mesh in asked], cells), strict=True):
        vars(mesh)["convex"] = found.convex


# Edges between faces are creases if the cosine of the angle between the face normals is below this.
CREASE = float(np.cos(np.radians(30.0)))


@dataclass(frozen=True, eq=False)
class LoosePart:
    """A connected component of a mesh.

    Attributes
    ----------
    points : (k, 3) float64
        The points of its triangles.
    triangles : (m, 3) int64
        Indices into `points`.
    point_index : (k,) int64
        Indices of the points in the mesh, ascending.
    triangle_index : (m,) int64
        Indices of the triangles in the mesh, ascending.
    """

    points: Floats
    triangles: Ints
    point_index: Ints
    triangle_index: Ints


def loose_parts(points: ArrayLike, triangles: ArrayLike) -> list[LoosePart]:
    """The connected components of a mesh, in the order of their lowest points.

    Triangles that share a point are connected. Points with the same coordinates count as one point, so seams of texture
    or shading do not split a mesh. They remain separate points in the result. Points without triangles are omitted.

    Parameters
    ----------
    points : (n, 3) array-like
    triangles : (m, 3) array-like of int

    Returns
    -------
    list of LoosePart

    Raises
    ------
    ValueError
        If shapes are wrong, a coordinate is not finite or out of range, there is no triangle, or an index is out of
        range.

    Examples
    --------
    >>> from collision_kit.core import fit
    >>> points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [9, 0, 0], [8, 0, 0], [9, 1, 0]]
    >>> len(fit.loose_parts(points, [[0, 1, 2], [3, 4, 5]]))
    2
    """
    given = point_set(points, "points", (3,))
    check_range(given, "points")
    mesh = TriangleMesh.checked(given, triangles, "mesh")
    parts = []
    for _, rows in rows_of_each(mesh.component):
        index, corner = np.unique(mesh.triangles[rows], return_inverse=True)
        parts.append(LoosePart(mesh.points[index], corner.reshape(-1, 3), index, rows))
    return parts


def welded(points: Floats) -> Ints:
    """For each point, the lowest index of the points with exactly the same coordinates: (k, d) -> (k,)."""
    value = np.ascontiguousarray(points + 0.0)  # minus zero is zero
    names, table = np.empty(len(value), dtype=np.int64), np.full(2 << len(value).bit_length(), -1)
    # SplitMix64 of each column and what is before it (Steele et al., "Fast splittable pseudorandom generators", 2014).
    mixed = np.zeros(len(value), dtype=np.uint64)
    for column in value.view(np.uint64).T:
        mixed ^= column
        for shift, factor in _MIXING:
            mixed ^= mixed >> shift
            mixed *= factor
    topology.weld(value, value.shape[1], (mixed % np.uint64(len(table))).astype(np.int64), table, names)
    return names


# Shifts and factors that mix the bits of a number.
_MIXING = [(np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB))]


def edges(corners: Ints) -> Edges:
    """The edges of triangles (m, 3) between welded vertices."""
    return exhausted(edge_steps(corners))


def edge_steps(corners: Ints) -> Generator[None, None, Edges]:
    """Run `edges` in two steps."""
    corners = np.ascontiguousarray(corners)
    start = np.zeros(int(corners.max(initial=-1)) + 2, dtype=np.int64)
    ends, sides = np.empty((2, corners.size), dtype=np.int64)
    count = topology.sides(corners, start, ends, sides)
    yield
    vertices, uses = np.empty((count, 2), dtype=np.int64), np.empty(count, dtype=np.int64)
    of_triangle, is_open = np.full(corners.shape, -1), np.empty(count, dtype=bool)
    topology.edges(corners, start, ends, sides, vertices, of_triangle, uses, is_open)
    return Edges(vertices, of_triangle, is_open, uses)


def what_is_open(corners: Ints, found: Edges) -> str:
    """Return why a mesh is not watertight and consistently oriented, in words; empty if it is."""
    if not len(found.uses):
        return "its triangles have no area"
    single = int(np.count_nonzero(found.open & (found.uses % 2 == 1)))
    double = int(np.count_nonzero(found.open & (found.uses % 2 == 0)))
    said = []
    if single:
        said.append(f"{single} open edge{'s' * (single > 1)}")
    if double:
        said.append(f"{double} edge{'s' * (double > 1)} between triangles of opposite orientation")
    return " and ".join(said)
