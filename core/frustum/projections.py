# SPDX-License-Identifier: GPL-3.0-or-later
"""Projections of shapes onto plane normals, for the plane tests of a frustum."""

import numpy as np

from ..broad_phase.sweep_and_prune import checked_bounds
from ..convex.support import support
from ..numerics.tolerances import rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import length, normalized
from ..shapes import Boxes, Capsules, Cylinders, Meshes, Shapes, Spheres, Triangles

# Bounds at a time, so that what is computed for them stays in cache.
_BLOCK = 16384


def extents(shapes: Shapes, normals: Floats) -> tuple[Floats, Floats]:
    """Least and greatest of ``normal · x`` over each bounded shape; not for assemblies, which are their parts.

    Parameters
    ----------
    shapes : batch of N
    normals : (K, 3)

    Returns
    -------
    least, greatest : (K, N) float64
    """
    if isinstance(shapes, Spheres):
        middle = normals @ shapes.center.T
        reach = length(normals)[:, None] * shapes.radius
        return middle - reach, middle + reach
    if isinstance(shapes, (Capsules, Cylinders)):
        ends = normals @ shapes.start.T, normals @ shapes.end.T
        reach = length(normals)[:, None] * shapes.radius
        if isinstance(shapes, Cylinders):
            # A cap's rim reaches as far as the normal leans over it.
            axis = normalized(shapes.end - shapes.start, np.zeros(3))
            reach = length(np.cross(normals[:, None], axis[None])) * shapes.radius
        return np.minimum(*ends) - reach, np.maximum(*ends) + reach
    if isinstance(shapes, Boxes):
        middle = normals @ shapes.center.T
        # n · axis of every box in one product (doc4code 2011, "Box Culling").
        along = normals @ shapes.rotation.transpose(1, 0, 2).reshape(3, -1)
        reach = np.einsum("kni,ni->kn", np.abs(along, out=along).reshape(len(normals), -1, 3), shapes.half_extents)
        return middle - reach, middle + reach
    if isinstance(shapes, Triangles):
        corners = np.einsum("ki,nci->kcn", normals, shapes.vertices)
        return corners.min(axis=1), corners.max(axis=1)
    least, greatest = np.empty((2, len(normals), len(shapes)))
    if isinstance(shapes, Meshes):
        for index in np.unique(shapes.index):
            rows, mesh = np.flatnonzero(shapes.index == index), shapes.geometry[index]
            points = mesh.points[mesh.used].T
            for row, normal in enumerate(normals):
                along = (normal @ shapes.rotation[rows]) @ points
                place = shapes.translation[rows] @ normal
                least[row, rows], greatest[row, rows] = along.min(axis=1) + place, along.max(axis=1) + place
        return least, greatest
    for row, normal in enumerate(normals):
        least[row] = support(shapes, -normal[None]) @ normal
        greatest[row] = support(shapes, normal[None]) @ normal
    return least, greatest


def bounds_reach(low: Floats, high: Floats, normals: Floats) -> Floats:
    """Greatest ``normal · x`` over each axis-aligned box: low and high (3, N), which may be infinite -> (K, N).

    The corner of a box that lies farthest along a normal (its "p-vertex") takes the high bound where the normal is
    positive and the low one where it is negative, and a coordinate that does not matter is left out, be it infinite.
    """
    result = np.zeros((len(normals), low.shape[1]))
    for row, normal in enumerate(normals):
        for axis in np.flatnonzero(normal):
            result[row] += normal[axis] * (high if normal[axis] > 0.0 else low)[axis]
    return result


class BoundsScreen:
    """Plane tests of very many axis-aligned bounds: fast, and certain except for those that nearly touch a plane.

    Parameters
    ----------
    planes : (6, 4)
        Inside where ``plane · (x, 1) >= 0``, unit normals.
    """

    def __init__(self, planes: Floats) -> None:
        # Two planes are there twice, so that the verdicts on a box are eight bytes, which one comparison looks at.
        eight = planes[[0, 1, 2, 3, 4, 5, 0, 1]]
        self._positive = np.ascontiguousarray(np.maximum(eight[:, :3], 0.0).T)
        self._negative = np.ascontiguousarray(np.minimum(eight[:, :3], 0.0).T)
        self._offset = eight[:, 3]
        # More than the rounding of any box so far: what is beyond a plane by more is outside for certain.
        self._doubt = np.zeros(8)

    def not_outside(self, low: Floats, high: Floats) -> tuple[Ints, Floats, Floats]:
        """The boxes, (N, 3) each, that are not beyond a plane by more than rounding: indices, and bounds (3, M).

        Raises
        ------
        ValueError
            As `checked_bounds`.
        """
        size = min(_BLOCK, len(low))
        greatest, part, limit = np.empty((3, size, 8))
        beyond = np.empty((size, 8), dtype=bool)
        largest, checked = -1.0, False
        left: list[tuple[Ints, Floats, Floats]] = [(np.empty(0, dtype=np.int64), low[:0], high[:0])]
        with np.errstate(invalid="ignore"):
            for begin in range(0, len(low), _BLOCK):
                some_low, some_high = low[begin : begin + _BLOCK], high[begin : begin + _BLOCK]
                if not (some_low <= some_high).all():
                    checked_bounds(low, high)
                reach = max(float(some_high.max()), -float(some_low.min()))
                if not np.isfinite(reach):
                    if not checked:
                        checked_bounds(low, high)
                        checked = True
                    both = np.stack([some_low, some_high])
                    reach = float(np.abs(both[np.isfinite(both)]).max(initial=0.0))
                if reach > largest:
                    largest = reach
                    self._doubt = 2.0 * rounding(np.full(8, 4.0 * largest), np.abs(self._offset))
                    limit[:] = -self._offset - self._doubt
                count = len(some_low)
                # A box's greatest value takes its high bound where the normal is positive, else the low one. An
                # infinite bound times zero is NaN, which is not less than anything.
                np.matmul(some_high, self._positive, out=greatest[:count])
                np.matmul(some_low, self._negative, out=part[:count])
                np.add(greatest[:count], part[:count], out=greatest[:count])
                np.less(greatest[:count], limit[:count], out=beyond[:count])
                rows = np.flatnonzero(beyond[:count].view(np.uint64)[:, 0] == 0)
                left.append((rows + begin, some_low[rows], some_high[rows]))
        indices, left_low, left_high = (np.concatenate(part) for part in zip(*left, strict=True))
        return indices, np.ascontiguousarray(left_low.T), np.ascontiguousarray(left_high.T)

    def inside(self, low: Floats, high: Floats) -> tuple[Bools, Bools]:
        """Of boxes (3, N) that are not outside: whether they are inside, and whether that is in doubt."""
        offset, doubt = self._offset[:6, None], self._doubt[:6, None]
        positive, negative = (np.ascontiguousarray(part[:, :6].T) for part in (self._positive, self._negative))
        with np.errstate(invalid="ignore"):
            greatest = positive @ high + negative @ low + offset
            least = positive @ low + negative @ high + offset
        inside: Bools = np.logical_and.reduce(least > doubt, axis=0)
        crossing = (least < -doubt).any(axis=0) & (greatest > doubt).all(axis=0)
        return inside, ~(inside | crossing)
