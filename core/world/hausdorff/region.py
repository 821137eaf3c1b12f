# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes as one set of points that others are measured against: solids with their insides, and surfaces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from ...kernels import points as kernels
from ...kernels import uncovered as kernel
from ...kernels.rays import Surfaces
from ...kernels.uncovered import UNKNOWN
from ...mesh.triangle_mesh import Tree, tree_of
from ...narrow_phase.mesh.boundary import boundary
from ...narrow_phase.mesh.orientation import oriented_rows
from ...narrow_phase.mesh.ray_casting import inside
from ...numerics.rows import RowTable, ragged_arange, rows_of_each
from ...numerics.tolerances import rounding
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import length
from ...query.operands import Operand, split
from ...rays.in_worlds import Shapes, nearest
from ...rays.points import measure
from ...results import UnsupportedPair
from ...shapes import UNBOUNDED, Batch, Boxes, Compounds, Hulls, Meshes, Triangles
from ..world import World
from .hulls import nearest_on, placed_hulls


def single_shapes(shapes: Operand, name: str) -> list[tuple[Any, Ints]]:
    """Batches of these shapes, and the row of each shape. Compounds are replaced by their parts.

    Raises
    ------
    ValueError
        If there is no shape, or a row has a margin. The message names the argument and the row.
    UnsupportedPair
        If a shape is unbounded.
    """
    if not len(shapes):
        raise ValueError(f"{name}: no shape, but one is needed")
    if not isinstance(shapes, Batch) and shapes.margin is not None:
        row = int(np.argmax(shapes.margin > 0.0))
        raise ValueError(f"{name}: row {row} has a margin of {shapes.margin[row]:g}, but only 0 is supported")
    found = list[tuple[Any, Ints]]()
    for batch, index, place in split(shapes, np.arange(len(shapes))):
        if batch.kind in UNBOUNDED:
            raise UnsupportedPair(f"{name}: row {int(place[0])} is unbounded, so it has no greatest distance")
        if isinstance(batch, Compounds):
            owner, part = batch.parts_of(index)
            found += [(one.take(rows), place[owner[at]]) for one, rows, at in split(batch.parts, part)]
        else:
            found.append((batch.take(index), place))
    return found


@dataclass(frozen=True, eq=False)
class Found(RowTable):
    """Points measured against a region.

    Attributes
    ----------
    distance : (Q,) float64
        Distance from the region. Inside a solid at most 0, and a ball with that radius is inside as well.
    shape, triangle : (Q,) int64
        The nearest round shape or box, or the nearest triangle of a mesh or a hull. -1 for the other one.
    point : (Q, 3) float64
        The nearest point of a surface. Within a hull, the point itself.
    """

    distance: Floats
    shape: Ints
    triangle: Ints
    point: Floats


# Number of parts of patches that are found at once.
_PARTS = 1 << 14
# Dimensionless: fraction of the largest coordinate. Points less than this above the planes of a hull are measured.
_NEAR = 1e-6


class Region:
    """The union of bounded shapes. Meshes count as solids if their rows are."""

    def __init__(self, shapes: list[tuple[Any, Ints]]) -> None:
        meshes = [batch for batch, _ in shapes if isinstance(batch, Meshes)]
        hulls = [batch for batch, _ in shapes if isinstance(batch, Hulls)]
        loose = [batch.vertices for batch, _ in shapes if isinstance(batch, Triangles)]
        others = [batch for batch, _ in shapes if not isinstance(batch, Meshes | Triangles | Hulls)]
        self._world = Shapes.of(World(others)) if others else None
        self._meshes = oriented_rows(Meshes.joined(meshes)) if meshes else None
        self._solid = np.flatnonzero(self._meshes.solid) if self._meshes is not None else np.zeros(0, np.int64)
        placed = [placed_triangles(batch) for batch in meshes]
        self._bounds = [
            _bounds(corners[begin:end])
            for batch, (corners, row) in zip(meshes, placed, strict=True)
            for begin, end in pairwise(np.searchsorted(row, np.arange(len(batch) + 1)))
        ]
        self._hulls = [hull for batch in hulls for hull in placed_hulls(batch)]
        flat = [(one.corner, one.row) for one in map(boundary, hulls)]
        first = np.cumsum([0, *map(len, hulls)])
        owned = [rows + begin for (_, rows), begin in zip(flat, first, strict=False)]
        corners = [*(each for each, _ in flat), *loose, *(corners for corners, _ in placed)]
        self._corners = np.ascontiguousarray(np.concatenate(corners)) if corners else np.empty((0, 3, 3))
        # The hull of each triangle.
        self._owner = np.full(len(self._corners), -1)
        if owned:
            joined = np.concatenate(owned)
            self._owner[: len(joined)] = joined
        self._tree = tree_of(self._corners) if len(self._corners) else None
        self._shapes = [batch for batch, _ in shapes]
        self._is_box = [isinstance(one, Boxes) for one in others for _ in range(len(one))]
        self._size = float(np.abs(self._corners).max(initial=0.0))

    def measure(self, points: Floats) -> Found:
        """Measure points against the region."""
        count = len(points)
        found = Found(np.full(count, np.inf), np.full(count, -1), np.full(count, -1), np.zeros((count, 3)))
        if self._world is not None and count:
            rows, measured = nearest(self._world, points, measure, False)
            found.put(slice(None), Found(measured.distance, rows[:, 0], found.triangle, measured.point))
        if self._tree is not None and count:
            self._against_triangles(np.ascontiguousarray(points), found)
        return found

    def _against_triangles(self, points: Floats, found: Found) -> None:
        assert self._tree is not None
        count = len(points)
        place, triangle = nearest_on(self._tree, self._corners, points)
        distance = length(points - place)
        self._inside_hulls(points, distance, triangle, place)
        within = np.zeros(count, dtype=bool)
        slack = rounding(np.full(count, self._size), length(points))
        for row in self._solid.tolist():
            low, high = self._bounds[row]
            # Points as deep in a convex shape are skipped, because they are no farther from the region, and so are
            # points on the surface.
            near = ((low <= points) & (points <= high)).all(axis=1) & (distance > slack)
            asked = np.flatnonzero(near & ~within & (found.distance > -distance))
            if len(asked):
                assert self._meshes is not None
                within[asked] = inside(self._meshes, np.full(len(asked), row), points[asked])
        distance = np.where(within, -distance, distance)
        nearer = np.flatnonzero(distance < found.distance)
        found.put(nearer, Found(distance[nearer], np.full(len(nearer), -1), triangle[nearer], place[nearer]))

    def _inside_hulls(self, points: Floats, distance: Floats, triangle: Ints, place: Floats) -> None:
        """Overwrite the distances of points inside hulls. Their triangle is one of the hull."""
        for number, hull in enumerate(self._hulls):
            if hull is None:
                continue
            rows = hull.may_contain(points)
            height = hull.highest(points[rows])
            rows, height = rows[height <= 0.0], height[height <= 0.0]
            deeper = rows[height < distance[rows]]
            distance[deeper] = height[height < distance[rows]]
            triangle[deeper] = np.searchsorted(self._owner[self._owner >= 0], number)
            place[deeper] = points[deeper]

    def bounds(self, found: Found, corners: Floats, bulges: Floats) -> Floats:
        """Upper bounds (P,) of the distances of patches from the region, from the nearest shape of a point of each.

        The distance from a convex set is a convex function, even where it is negative inside. On the hull of the
        corners (P, 4, 3) it is greatest at a corner. A point of the patch is within the bulge of that hull.
        """
        result = np.full(len(corners), np.inf)
        rows = np.flatnonzero(found.triangle >= 0)
        if len(rows):
            apart = np.empty(4 * len(rows))
            ends = np.ascontiguousarray(corners[rows].reshape(-1, 3))
            kernels.from_triangles(self._corners, np.repeat(found.triangle[rows], 4), ends, apart)
            for number, mine in rows_of_each(self._owner[found.triangle[rows]]):
                hull = self._hulls[number] if number >= 0 else None
                if hull is not None:
                    at = (4 * mine[:, None] + np.arange(4)).reshape(-1)
                    height = hull.highest(ends[at])
                    apart[at] = np.where(height <= 0.0, height, apart[at])
                    # Corners on the surface, up to rounding, are near another triangle of the hull.
                    near = at[(height > 0.0) & (height <= _NEAR * self._size) & (height < apart[at])]
                    apart[near] = hull.distance(ends[near])
            result[rows] = apart.reshape(-1, 4).max(axis=1)
        rows = np.flatnonzero(found.shape >= 0)
        if len(rows):
            assert self._world is not None
            ends = corners[rows].reshape(-1, 3)
            pairs = np.stack([np.repeat(found.shape[rows], 4), np.arange(len(ends))], axis=1)
            result[rows] = measure(self._world.world, pairs, ends, False).distance.reshape(-1, 4).max(axis=1)
        return result + bulges

    def least(self, center: Floats, distance: Floats, radius: Floats, corners: Floats, bulges: Floats) -> Floats:
        """Lower bounds (P,) of the distances of patches from the region.

        Each convex part of the region, with meshes replaced by their hulls, is below the plane through its nearest
        point to the center of the patch. Parts that are farther from the center (P, 3) than its distance plus the
        radius cannot be nearer to another point of the patch than that distance.
        """
        result = distance.copy()
        world, parts = self._parts
        pairs = parts.within(np.ascontiguousarray(center), distance + radius)
        lowest = heights(world, pairs, center, corners, bulges)
        np.minimum.at(result, pairs[:, 1], lowest)
        return result

    def uncovered(self, patches: Floats, limit: float) -> tuple[Floats, Ints, Floats]:
        """Find the parts of flat patches that are not within a limit of triangles of the region.

        Parameters
        ----------
        patches : (P, 4, 3) float64
            Convex, with the corners in order.
        limit : float

        Returns
        -------
        parts : (K, 3, 3) float64
            Triangles, grouped by patch. None of the flat surfaces of the region crosses them.
        count : (P,) int64
            The number of triangles of each patch; `kernels.uncovered.WHOLE` if no part of it was left out, `UNKNOWN` if
            it is near too many triangles.
        farthest : (P,) float64
            Upper bounds of the distances of the parts that were left out.
        """
        tree, corners = self._flat
        count, farthest = np.full(len(patches), UNKNOWN), np.zeros(len(patches))
        if tree is None or not len(patches):
            return np.empty((0, 3, 3)), count, farthest
        rows = np.array([[0, 0, 0, len(tree.triangle)]])
        slack = self._slack
        parts, begin = list[Floats](), 0
        while begin < len(patches):
            found = np.empty((_PARTS, 3, 3))
            begin, used = kernel.uncovered(
                Surfaces(tree.span, tree.triangle, corners, rows),
                *(patches, limit, slack, begin, found, count, farthest),
            )
            parts.append(found[:used])
        return np.concatenate(parts), count, farthest

    def inside_flat(self, found: Found) -> Bools:
        """Whether points are inside shapes whose surfaces are flat, and not on the surface up to rounding."""
        flat = np.array([*self._is_box, True])[np.where(found.triangle >= 0, -1, found.shape)]
        return np.asarray(flat & (found.distance < -self._slack))

    @cached_property
    def _slack(self) -> float:
        """The rounding of coordinates of flat surfaces."""
        size = float(np.abs(self._flat[1]).max(initial=0.0))
        return float(rounding(np.array(size), np.array(size)))

    @cached_property
    def _flat(self) -> tuple[Tree | None, Floats]:
        """The triangles of all flat surfaces, and their tree."""
        boxes = [boundary(one).corner for one in self._shapes if isinstance(one, Boxes)]
        if not boxes:
            return self._tree, self._corners
        corners = np.ascontiguousarray(np.concatenate([self._corners, *boxes]))
        return tree_of(corners), corners

    @cached_property
    def _parts(self) -> tuple[World, Shapes]:
        """Convex parts that cover the region."""
        world = World([_hulls_of(one) if isinstance(one, Meshes) else one for one in self._shapes])
        return world, Shapes.of(world)


def heights(world: World, pairs: Ints, center: Floats, corners: Floats, bulges: Floats) -> Floats:
    """The smallest heights of patches above convex shapes, (K,). -inf if the center is not outside.

    They are measured from the plane through the nearest point of the shape to the center of the patch.

    Parameters
    ----------
    world : World
    pairs : (K, 2) int64
        Rows of the world, and of the patches.
    center : (P, 3) float64
    corners : (P, 4, 3) float64
    bulges : (P,) float64
        Maximum distance of points of the patch from the hull of its corners.
    """
    found = measure(world, pairs, center, False)
    above = np.einsum("pki,pi->pk", corners[pairs[:, 1]] - found.point[:, None], found.normal).min(axis=1)
    return np.where(found.distance > 0.0, above - bulges[pairs[:, 1]], -np.inf)


def _hulls_of(batch: Meshes) -> Hulls:
    points = [mesh.used_points for mesh in batch.geometry]
    whole = Hulls.from_points(points)
    return Hulls(whole.geometry, batch.index, batch.translation, batch.rotation)


def placed_triangles(batch: Meshes) -> tuple[Floats, Ints]:
    """The corners of all triangles of meshes in world space (T, 3, 3), solids facing outward, and their rows (T,)."""
    rows = oriented_rows(batch)
    row, triangle = ragged_arange(np.array([len(one.triangles) for one in rows.meshes], dtype=np.int64)[rows.mesh])
    return rows.placed(row, triangle), row


def _bounds(corners: Floats) -> tuple[Floats, Floats]:
    return corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
