# SPDX-License-Identifier: GPL-3.0-or-later
"""One triangle mesh in its own frame: its topology, its volume and its bounding volume hierarchy, computed on demand.

The hierarchy is a perfect binary tree of boxes in heap order: node i has the children 2i + 1 and 2i + 2, and every leaf
is one triangle. So it is built and traversed a whole level at a time. Leaves without a triangle are empty.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ..convexity.report import solidity
from ..hull import ConvexHull, convex_hull, convex_hulls
from ..numerics.rows import numbered_components
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import check_range, coordinates, numbers, point_set

# Lower bounds of an empty box, and minus its upper ones: no gap to it is ever small, and its square is still a number.
EMPTY = 1e150


@dataclass(frozen=True, eq=False)
class Edges:
    """The edges of a mesh.

    Attributes
    ----------
    vertices : (E, 2) int64
        Lower index first, rows in lexicographic order.
    of_triangle : (m, 3) int64
        The edges from corner 0 to 1, 1 to 2 and 2 to 0 of each triangle; -1 where the two corners are one.
    open : (E,) bool
        Not run along as often one way as the other: the mesh has a boundary here, or its triangles do not agree.
    uses : (E,) int64
        How many sides of triangles run along the edge.
    """

    vertices: Ints
    of_triangle: Ints
    open: np.ndarray
    uses: Ints


@dataclass(frozen=True, eq=False)
class Tree:
    """Boxes in heap order.

    Attributes
    ----------
    span : (2 * leaves - 1, 6) float64
        The lower bounds of each box and minus its upper ones, so that one comparison tells two boxes apart; `EMPTY`
        where no triangle is.
    triangle : (leaves,) int64
        The triangle of each leaf, -1 where none is.
    levels : int
        Steps from the root to a leaf: there are ``2 ** levels`` leaves.
    """

    span: Floats
    triangle: Ints
    levels: int


def tree_of(corners: Floats) -> Tree:
    """The tree over triangles (m, 3, 3), m at least 1.

    Triangles are ordered along a curve that fills space (Morton 1966), so that neighbors in the order are neighbors
    in space; a node is a run of that order.
    """
    count = len(corners)
    levels = max(0, int(count - 1).bit_length())
    leaves = 1 << levels
    first, second, third = corners[:, 0], corners[:, 1], corners[:, 2]
    lower = np.minimum(np.minimum(first, second), third)
    upper = np.maximum(np.maximum(first, second), third)
    order = np.argsort(_places(lower + (upper - lower) / 2.0), kind="stable")
    span = np.full((2 * leaves - 1, 6), EMPTY)
    span[leaves - 1 : leaves - 1 + count, :3] = lower[order]
    span[leaves - 1 : leaves - 1 + count, 3:] = -upper[order]
    for level in range(levels - 1, -1, -1):
        begin, end = (1 << level) - 1, (2 << level) - 1
        np.minimum(span[end : 2 * end + 1 : 2], span[end + 1 : 2 * end + 1 : 2], out=span[begin:end])
    return Tree(span, np.concatenate([order, np.full(leaves - count, -1)]), levels)


# Cells of the curve along each axis, as a power of two: three times it are the bits of a key.
_BITS = 16


def _places(points: Floats) -> Ints:
    """Place of each point (m, 3) along the curve."""
    low = points.min(axis=0)
    extent = float((points.max(axis=0) - low).max())
    cell = ((points - low) * ((1 << _BITS) - 1) / (extent if extent > 0.0 else 1.0)).astype(np.int64)
    result = np.zeros(len(points), dtype=np.int64)
    for axis in range(3):
        spread = cell[:, axis]
        # Two empty bits after each: 16 bits become 48.
        for shift, mask in (
            (16, 0x00FF0000FF0000FF),
            (8, 0x700F00F00F00F00F),
            (4, 0x30C30C30C30C30C3),
            (2, 0x1249249249249249),
        ):
            spread = (spread | (spread << shift)) & mask
        result |= spread << axis
    return result


@dataclass(frozen=True, eq=False, repr=False)
class TriangleMesh:
    """A triangle mesh in its own frame. Arrays are read-only.

    Vertices at the same coordinates are one vertex, known by the lowest index among them: what is split along seams of
    texture or shading is whole here.

    Attributes
    ----------
    points : (k, 3) float64
    triangles : (m, 3) int64
        As given, m at least 1. Of any shape: triangles without area count as the segments or points that they are.
    """

    points: Floats
    triangles: Ints

    def __repr__(self) -> str:
        return (
            f"TriangleMesh(points={len(self.points)}, triangles={len(self.triangles)}, "
            f"components={len(self.representatives)}, watertight={self.watertight})"
        )

    @classmethod
    def checked(cls, points: ArrayLike, triangles: ArrayLike, name: str) -> "TriangleMesh":
        """The mesh of these arrays.

        Raises
        ------
        ValueError
            If shapes are wrong, a coordinate is not finite, there is no triangle, or an index is out of range; names
            the field and the row.
        """
        place = coordinates(points, f"{name} vertices", (-1, 3))
        given = numbers(triangles, f"{name} triangles")
        if given.size == 0:
            raise ValueError(f"{name} triangles: empty, but a triangle is needed")
        if given.ndim != 2 or given.shape[1] != 3 or given.dtype.kind not in "iu":
            raise ValueError(
                f"{name} triangles: {given.dtype} of shape {given.shape}, but integers of shape (m, 3) are needed"
            )
        bad = ((given < 0) | (given >= len(place))).any(axis=1)
        if bad.any():
            row = int(np.argmax(bad))
            raise ValueError(f"{name} triangles: row {row} is {given[row].tolist()}, but there are {len(place)} points")
        index = given.astype(np.int64)
        index.flags.writeable = False
        return cls(place, index)

    def transformed(self, linear: Floats) -> "TriangleMesh":
        """The mesh with its points times a matrix (3, 3), which is applied to column vectors."""
        return TriangleMesh(self.points @ linear.T, self.triangles)

    @cached_property
    def names(self) -> Ints:
        """Lowest index of the vertices at the same place, for each vertex: (k,)."""
        return welded(self.points)

    @cached_property
    def welded_triangles(self) -> Ints:
        """The triangles over welded vertices, (m, 3)."""
        result: Ints = self.names[self.triangles]
        return result

    @cached_property
    def corners(self) -> Floats:
        """Coordinates of the corners, (m, 3, 3)."""
        result: Floats = self.points[self.triangles]
        return result

    @cached_property
    def edges(self) -> Edges:
        """The edges between welded vertices."""
        return edges(self.welded_triangles)

    @cached_property
    def fault(self) -> str:
        """What keeps the mesh from being watertight and consistently oriented, in words; empty if nothing does."""
        return what_is_open(self.welded_triangles, self.edges)

    @property
    def watertight(self) -> bool:
        """Whether every edge is run along as often one way as the other: then inside and outside are told apart."""
        return not self.fault

    @cached_property
    def component(self) -> Ints:
        """Connected component of each triangle, over shared vertices: (m,)."""
        corner = self.welded_triangles
        used, node = np.unique(corner, return_inverse=True)
        node = node.reshape(-1, 3)
        first, second = np.concatenate([node[:, :2], node[:, 1:]]).T
        of_node = numbered_components(len(used), first, second)
        result: Ints = of_node[node[:, 0]]
        return result

    @cached_property
    def representatives(self) -> Ints:
        """One triangle of each component, (C,)."""
        result: Ints = np.unique(self.component, return_index=True)[1].astype(np.int64)
        return result

    @cached_property
    def by_component(self) -> Ints:
        """All triangles, those of each component together and ascending: (m,)."""
        result: Ints = np.argsort(self.component, kind="stable").astype(np.int64)
        return result

    @cached_property
    def component_start(self) -> Ints:
        """Where each component begins in `by_component`, and where the last one ends: (C + 1,)."""
        result: Ints = np.append(0, np.cumsum(np.bincount(self.component))).astype(np.int64)
        return result

    @cached_property
    def used(self) -> Ints:
        """The welded vertices that triangles have, ascending."""
        result: Ints = np.unique(self.welded_triangles)
        return result

    @cached_property
    def vertex_component(self) -> Ints:
        """Connected component of each of the vertices `used`."""
        result = np.empty(len(self.used), dtype=np.int64)
        result[np.searchsorted(self.used, self.welded_triangles)] = self.component[:, None]
        return result

    @cached_property
    def tree(self) -> Tree:
        """The hierarchy of boxes over the triangles."""
        return tree_of(self.corners)

    @cached_property
    def hull(self) -> ConvexHull:
        """Convex hull of the vertices that triangles have."""
        return convex_hull(self.points[self.used])

    @cached_property
    def convex(self) -> bool:
        """Whether the mesh is the boundary of its hull, or, being flat, fills it."""
        return solidity(self.hull, np.searchsorted(self.used, self.welded_triangles)).convex

    @cached_property
    def has_volume(self) -> bool:
        """Whether the mesh, as a solid, has an inside: it is watertight and not flat, as a sheet with two sides is."""
        return self.watertight and self.hull.dimension == 3

    @cached_property
    def reach(self) -> float:
        """Radius of a ball about the frame's origin that holds the mesh."""
        return float(np.sqrt((self.points[self.used] ** 2).sum(axis=1).max()))

    @cached_property
    def ball(self) -> tuple[Floats, float]:
        """A ball that holds the mesh, about the middle of its bounds: center (3,) and radius."""
        points = self.points[self.used]
        low = points.min(axis=0)
        center: Floats = low + (points.max(axis=0) - low) / 2.0
        return center, float(np.sqrt(((points - center) ** 2).sum(axis=1).max()))

    @cached_property
    def facing(self) -> float:
        """-1.0 for a watertight mesh whose triangles face inwards, by the volume that they enclose; else 1.0."""
        corner = self.corners - self.corners[0, 0]
        volume = (corner[:, 0] * np.cross(corner[:, 1], corner[:, 2])).sum()
        return -1.0 if self.watertight and volume < 0.0 else 1.0

    @cached_property
    def creases(self) -> Bools:
        """Edges (E,) to draw: open ones, those of more than two triangles, and those where faces turn by an angle."""
        return crease_edges(self)


def build_hulls(meshes: Sequence[TriangleMesh]) -> None:
    """The hulls of all meshes that have none yet, in one go: many small ones cost little more than one."""
    missing = list(dict.fromkeys(mesh for mesh in meshes if "hull" not in vars(mesh)))
    for mesh, hull in zip(missing, convex_hulls([mesh.points[mesh.used] for mesh in missing]), strict=True):
        vars(mesh)["hull"] = hull


# Cosine of the angle between two faces from which their edge is a crease.
CREASE = float(np.cos(np.radians(30.0)))


def crease_edges(mesh: TriangleMesh) -> Bools:
    """See `TriangleMesh.creases`."""
    corner = mesh.corners
    normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    size = np.sqrt((normal * normal).sum(axis=1))
    unit = normal / np.where(size > 0.0, size, 1.0)[:, None]
    of_side = mesh.edges.of_triangle.reshape(-1)
    side = np.flatnonzero(of_side >= 0)
    triangle = side // 3
    # Of two faces, the sum of their unit normals is as long as their angle is flat: |u + v|² = 2 + 2 cos.
    total = np.stack(
        [np.bincount(of_side[side], weights=unit[triangle, axis], minlength=len(mesh.edges.uses)) for axis in range(3)],
        axis=1,
    )
    cosine = (total * total).sum(axis=1) / 2.0 - 1.0
    result: Bools = mesh.edges.open | (mesh.edges.uses != 2) | (cosine < CREASE)
    return result


@dataclass(frozen=True, eq=False)
class LoosePart:
    """One connected part of a mesh.

    Attributes
    ----------
    points : (k, 3) float64
        Those that its triangles have.
    triangles : (m, 3) int64
        Rows of `points`.
    point_index : (k,) int64
        Which points of the mesh these are, ascending.
    triangle_index : (m,) int64
        Which triangles of the mesh these are, ascending.
    """

    points: Floats
    triangles: Ints
    point_index: Ints
    triangle_index: Ints


def loose_parts(points: ArrayLike, triangles: ArrayLike) -> list[LoosePart]:
    """A mesh split into its connected parts, in the order of their lowest points.

    Triangles that share a point are connected. Points at the same coordinates are one point, so that seams of texture
    or shading do not split a mesh; they stay apart in what is returned. Points that no triangle has are in no part.

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
    order = np.argsort(mesh.component, kind="stable")
    cuts = np.flatnonzero(np.diff(mesh.component[order])) + 1
    parts = []
    for rows in np.split(order, cuts):
        index, corner = np.unique(mesh.triangles[rows], return_inverse=True)
        parts.append(LoosePart(mesh.points[index], corner.reshape(-1, 3), index, rows))
    return parts


def welded(points: Floats) -> Ints:
    """For each point the lowest index of those with exactly the same coordinates: (k, 3) -> (k,)."""
    if not len(points):
        return np.empty(0, dtype=np.int64)
    value = points + 0.0  # minus zero is zero
    order = np.lexsort(value.T[::-1])
    ordered = value[order]
    first = np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1))
    result = np.empty(len(points), dtype=np.int64)
    # The sort is stable, so the first of each run has the lowest index.
    result[order] = order[np.flatnonzero(first)][np.cumsum(first) - 1]
    return result


def edges(corners: Ints) -> Edges:
    """The edges of triangles (m, 3) between welded vertices."""
    start, end = corners.reshape(-1), np.roll(corners, -1, axis=1).reshape(-1)
    side = np.flatnonzero(start != end)
    low, high = np.minimum(start, end)[side], np.maximum(start, end)[side]
    span = int(corners.max(initial=0)) + 1
    key, number = np.unique(low * span + high, return_inverse=True)
    number = number.reshape(-1)
    of_side = np.full(len(start), -1)
    of_side[side] = number
    way = np.where(start[side] < end[side], 1, -1)
    balance = np.bincount(number, weights=way, minlength=len(key))
    uses = np.bincount(number, minlength=len(key))
    return Edges(np.stack([key // span, key % span], axis=1), of_side.reshape(-1, 3), balance != 0.0, uses)


def what_is_open(corners: Ints, found: Edges) -> str:
    """Why a mesh is not watertight and consistently oriented, in words; empty if it is."""
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
