# SPDX-License-Identifier: GPL-3.0-or-later
"""Projections of shapes onto plane normals, and boxes against a frustum by the separating axis test.

A box that is not beyond any single plane of a frustum may still be outside: a large box near an edge or a corner.
Convex polyhedra are separated exactly if the normal of a face of either, or the cross product of an edge of one and an
edge of the other, is a separating axis (doc4code 2011, "Convex polyhedron vs convex polyhedron"). The caller has
already tested the planes of the frustum.
"""

import numpy as np

from ..broad_phase.sweep_and_prune import checked_bounds
from ..convex.support import support
from ..numerics.rows import BLOCK, blocks, rows_of_each
from ..numerics.tolerances import EPS, ROUNDING_STEPS, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross, length, normalized
from ..shapes import Boxes, Capsules, Cylinders, Hulls, Meshes, Shapes, Spheres, Triangles


def extents(shapes: Shapes, normals: Floats) -> tuple[Floats, Floats]:
    """Minimum and maximum of ``normal · x`` over each bounded shape: normals (K, 3) -> (K, N), (K, N). No compounds."""
    if isinstance(shapes, Spheres):
        middle = normals @ shapes.center.T
        reach = length(normals)[:, None] * shapes.radius
        return middle - reach, middle + reach
    if isinstance(shapes, (Capsules, Cylinders)):
        ends = normals @ shapes.start.T, normals @ shapes.end.T
        reach = length(normals)[:, None] * shapes.radius
        if isinstance(shapes, Cylinders):
            # The extent of a cap's rim depends on the angle between the normal and the axis.
            axis = normalized(shapes.end - shapes.start, np.zeros(3))
            reach = length(cross(normals[:, None], axis[None])) * shapes.radius
        return np.minimum(*ends) - reach, np.maximum(*ends) + reach
    if isinstance(shapes, Boxes):
        middle = normals @ shapes.center.T
        # n · axis for all boxes in one product (doc4code 2011, "Box Culling").
        along = normals @ shapes.rotation.transpose(1, 0, 2).reshape(3, -1)
        reach = np.einsum("kni,ni->kn", np.abs(along, out=along).reshape(len(normals), -1, 3), shapes.half_extents)
        return middle - reach, middle + reach
    if isinstance(shapes, Triangles):
        corners = np.einsum("ki,nci->kcn", normals, shapes.vertices)
        return corners.min(axis=1), corners.max(axis=1)
    least, greatest = np.empty((2, len(normals), len(shapes)))
    if isinstance(shapes, Meshes | Hulls):
        for index, rows in rows_of_each(shapes.index):
            points = _points_of(shapes, index).T
            for row, normal in enumerate(normals):
                along = (normal @ shapes.rotation[rows]) @ points
                place = shapes.translation[rows] @ normal
                least[row, rows], greatest[row, rows] = along.min(axis=1) + place, along.max(axis=1) + place
        return least, greatest
    for row, normal in enumerate(normals):
        least[row] = support(shapes, -normal[None]) @ normal
        greatest[row] = support(shapes, normal[None]) @ normal
    return least, greatest


def _points_of(shapes: Meshes | Hulls, index: int) -> Floats:
    """The points of one geometry of a batch that its extents depend on, (V, 3)."""
    if isinstance(shapes, Meshes):
        return shapes.geometry[index].used_points
    hull = shapes.geometry[index]
    return hull.points[hull.vertices]


def bounds_reach(low: Floats, high: Floats, normals: Floats) -> Floats:
    """Maximum of ``normal · x`` over each axis-aligned box: low and high (3, N), which may be infinite -> (K, N).

    The farthest corner of a box along a normal (its "p-vertex") has the high bound where the normal is positive, and
    the low bound where it is negative. Coordinates with a zero normal are omitted, because they may be infinite.
    """
    result = np.zeros((len(normals), low.shape[1]))
    for row, normal in enumerate(normals):
        for axis in np.flatnonzero(normal):
            result[row] += normal[axis] * (high if normal[axis] > 0.0 else low)[axis]
    return result


class _Screen:
    """Fast plane tests of many shapes. Shapes that nearly touch a plane are not decided.

    Parameters
    ----------
    planes : (K, 4)
        Unit normals; a point is inside where ``plane · (x, 1) >= 0``.
    weights : (K, C)
        The maximum of a shape along each normal is the sum of its C numbers with these weights.
    """

    def __init__(self, planes: Floats, weights: Floats) -> None:
        self._normals, self._offset, self._weights = planes[:, :3], planes[:, 3], weights
        self._largest, self._doubt = -1.0, np.zeros(len(planes))
        # Buffers for a block, as components, reused for the next block.
        self._numbers, self._greatest = np.empty((weights.shape[1], BLOCK)), np.empty((len(planes), BLOCK))

    def _allow(self, reach: float) -> None:
        """Set the tolerance above the rounding of all shapes so far. `reach` is the largest coordinate of a block."""
        if reach > self._largest:
            self._largest = reach
            self._doubt = 2.0 * rounding(np.full(len(self._offset), 4.0 * reach), np.abs(self._offset))

    def _left(self, block: Floats) -> Ints:
        """The shapes of a block (C, N) that are not beyond a plane by more than rounding."""
        greatest = np.matmul(self._weights, block, out=self._greatest[:, : block.shape[1]])
        return np.flatnonzero(~(greatest < (-self._offset - self._doubt)[:, None]).any(axis=0))


class BallScreen(_Screen):
    """Fast plane tests of many balls."""

    def __init__(self, planes: Floats) -> None:
        # A plane at infinity has a zero normal, and all shapes are inside it.
        near = planes[planes[:, :3].any(axis=1)]
        super().__init__(near, np.column_stack([near[:, :3], np.ones(len(near))]))

    def not_outside(self, center: Floats, radius: Floats) -> tuple[Ints, Floats]:
        """The balls (N, 3) and (N,) not beyond a plane by more than rounding: rows, and centers and radii (4, M)."""
        block = self._numbers[:, : len(center)]
        block[:3], block[3] = center.T, radius
        self._allow(max(float(block.max()), -float(block[:3].min())))
        rows = self._left(block)
        return rows, block.take(rows, axis=1)

    def inside(self, balls: Floats) -> tuple[Bools, Bools]:
        """For balls (4, M) that are not outside: whether they are inside, or cross a plane, by more than rounding."""
        doubt, radius = self._doubt[:, None], balls[3]
        level = np.matmul(self._normals, balls[:3], out=self._greatest[:, : balls.shape[1]])
        level += self._offset[:, None]
        crossing = np.logical_and.reduce(level + radius > doubt, axis=0)
        level -= radius
        inside = np.logical_and.reduce(level > doubt, axis=0)
        crossing &= np.logical_or.reduce(level < -doubt, axis=0)
        return inside, crossing


class BoundsScreen(_Screen):
    """Fast plane tests of many axis-aligned bounds."""

    def __init__(self, planes: Floats) -> None:
        self._positive, self._negative = np.maximum(planes[:, :3], 0.0), np.minimum(planes[:, :3], 0.0)
        super().__init__(planes, np.concatenate([self._negative, self._positive], axis=1))

    def not_outside(self, low: Floats, high: Floats) -> tuple[Ints, Floats, Floats]:
        """The bounds (N, 3) that are not beyond a plane by more than rounding: indices, and bounds (3, M).

        Raises
        ------
        ValueError
            As for `checked_bounds`.
        """
        checked = False
        left: list[tuple[Ints, Floats]] = [(np.empty(0, dtype=np.int64), np.empty((6, 0)))]
        with np.errstate(invalid="ignore"):
            for some in blocks(len(low)):
                block = self._numbers[:, : some.stop - some.start]
                block[:3], block[3:] = low[some].T, high[some].T
                if not (block[:3] <= block[3:]).all():
                    checked_bounds(low, high)
                reach = max(float(block[3:].max()), -float(block[:3].min()))
                if not np.isfinite(reach):
                    if not checked:
                        checked_bounds(low, high)
                        checked = True
                    reach = float(np.abs(block[np.isfinite(block)]).max(initial=0.0))
                self._allow(reach)
                # The maximum takes the high bound where the normal is positive, and the low bound elsewhere. An
                # infinite bound times zero is NaN, which is not less than anything.
                rows = self._left(block)
                left.append((rows + some.start, block.take(rows, axis=1)))
        indices, bounds = (np.concatenate(part, axis=-1) for part in zip(*left, strict=True))
        return indices, bounds[:3], bounds[3:]

    def inside(self, low: Floats, high: Floats) -> tuple[Bools, Bools]:
        """For bounds (3, N) that are not outside: whether they are inside, and whether that is uncertain."""
        offset, doubt = self._offset[:, None], self._doubt[:, None]
        with np.errstate(invalid="ignore"):
            greatest = self._positive @ high + self._negative @ low + offset
            least = self._positive @ low + self._negative @ high + offset
        inside: Bools = np.logical_and.reduce(least > doubt, axis=0)
        crossing = (least < -doubt).any(axis=0) & (greatest > doubt).all(axis=0)
        return inside, ~(inside | crossing)


# Boxes per chunk, so that temporary arrays stay in cache.
_EXACT_BLOCK = 2048


def boxes_overlap(center: Floats, half_extents: Floats, rotation: Floats | None, corners: Floats) -> Bools:
    """Whether boxes overlap or touch a frustum, tested along the boxes' face normals and products of edges.

    The columns of `rotation` are the axes of a box; None: the axes of the world. `corners` are as for
    `Frustum.corners`, all finite.
    """
    result = np.ones(len(center), dtype=bool)
    directions = _edge_directions(corners)
    middle = corners.mean(axis=0)
    spread = float(length(corners - middle).max())
    for rows in blocks(len(center), _EXACT_BLOCK):
        turn = None if rotation is None else rotation[rows]
        result[rows] = _overlap(center[rows], half_extents[rows], turn, corners, directions, middle, spread)
    return result


def _overlap(
    center: Floats, half: Floats, turn: Floats | None, corners: Floats, edges: Floats, middle: Floats, spread: float
) -> Bools:
    """`boxes_overlap` for one chunk, in the frames of the boxes."""
    slack = rounding(length(half) + spread, np.maximum(length(center), length(middle)))
    # (3, 8, n) and (3, E, n): boxes are the last axis, so that every operation is contiguous.
    place = corners[:, :, None] - center.T[None]
    along = np.broadcast_to(edges[:, :, None], (*edges.shape, len(center)))
    if turn is not None:
        place = np.einsum("cin,nij->cjn", place, turn)
        along = np.einsum("ei,nij->ejn", edges, turn)
    half = half.T
    apart = np.zeros(half.shape[1], dtype=bool)
    for axis in range(3):
        first, second = (axis + 1) % 3, (axis + 2) % 3
        apart |= np.maximum(place[:, axis].min(axis=0), -place[:, axis].max(axis=0)) - half[axis] > slack
        for edge in along:
            # Cross product of the edge and the box's axis; its component along that axis is zero.
            one, other = -edge[second], edge[first]
            size = np.hypot(one, other)
            level = one * place[:, first] + other * place[:, second]
            reach = half[first] * np.abs(one) + half[second] * np.abs(other)
            gap = np.maximum(level.min(axis=0), -level.max(axis=0)) - reach
            # Parallel edges have no cross product.
            apart |= (gap > slack * size) & (size > ROUNDING_STEPS * EPS)
    return ~apart


def _edge_directions(corners: Floats) -> Floats:
    """Directions of the frustum's edges, without parallel duplicates: (E, 3) unit vectors."""
    ring = np.roll(np.arange(4), -1)
    near, far = corners[:4], corners[4:]
    every = np.concatenate([far - near, near[ring] - near, far[ring] - far])
    every = every / length(every)[:, None]
    parallel = length(cross(every[:, None], every)) <= ROUNDING_STEPS * EPS
    # Remove edges that are parallel to an earlier one.
    return every[~np.tril(parallel, -1).any(axis=1)]
