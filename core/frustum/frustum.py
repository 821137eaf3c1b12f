# SPDX-License-Identifier: GPL-3.0-or-later
"""View frusta: six planes from a projection matrix, and frustum culling of a batch of shapes.

doc4code 2011, "Frustum Culling" and "Box Culling"; Gribb and Hartmann, "Fast extraction of viewing frustum planes from
the world-view-projection matrix" (2001). In doc4code 2011, the planes point out of the frustum, and a box is culled if
its minimum for one plane is not negative. Here the planes point into the frustum, and a shape is culled if all of it is
on the outer side of one plane.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..broad_phase.sweep_and_prune import checked_bounds
from ..constants import CROSSING, INSIDE, OUTSIDE
from ..numerics.rows import blocks, rows_of_each
from ..numerics.tolerances import EPS, ROUNDING_STEPS, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import array, check_flag, numbers, one_number
from ..numerics.vectors import cross, length
from ..query import queries
from ..query.operands import Mixed
from ..shapes import Batch, Boxes, Compounds, HalfSpaces, Hulls, Planes, Shapes, Spheres, check_shapes
from .projections import BallScreen, BoundsScreen, bounds_reach, boxes_overlap, extents

# Indices of the planes.
_NEAR, _FAR = 0, 1
# The two planes that define each edge from the near plane to the far plane.
_SIDES = np.array([(2, 4), (3, 4), (3, 5), (2, 5)])
_EDGES = np.array([(i, (i + 1) % 4) for i in range(4)] + [(4 + i, 4 + (i + 1) % 4) for i in range(4)])
_EDGES = np.concatenate([_EDGES, [(i, 4 + i) for i in range(4)]])
_EDGES.flags.writeable = False


@dataclass(frozen=True, eq=False)
class Frustum:
    """The view volume of a camera: the region between six planes. Constructed by `from_matrix`.

    Attributes
    ----------
    planes : (6, 4) float64
        Near, far, left, right, bottom, top, with unit normals that point inward. ``plane · (x, y, z, 1)`` is the signed
        distance of a point. A point is inside if it is not negative for any plane. A far plane at infinity is
        (0, 0, 0, 1).
    near_corners : (4, 3) float64
        Left bottom, right bottom, right top, left top.
    rays : (4, 3) float64
        Unit vectors from the near corners along the edges, away from the near plane.
    lengths : (4,) float64
        Lengths of these edges; infinite if the far plane is at infinity.
    """

    planes: Floats
    near_corners: Floats
    rays: Floats
    lengths: Floats

    @classmethod
    def from_matrix(
        cls,
        clip_from_world: ArrayLike,
        depth: Literal["opengl", "direct3d"] = "opengl",
        vectors: Literal["column", "row"] = "column",
    ) -> Self:
        """The frustum of a projection matrix.

        Parameters
        ----------
        clip_from_world : (4, 4) array-like
            Maps points to clip coordinates. With a projection matrix alone, which maps from camera space, the frustum
            is in camera space. The projection may be perspective or orthographic, shifted, with reversed depth, or with
            a far plane at infinity.
        depth : "opengl" or "direct3d"
            Whether the visible depths are ``-w <= z <= w``, as in OpenGL and Blender, or ``0 <= z <= w``, as in
            Direct3D, Vulkan and Metal.
        vectors : "column" or "row"
            Whether clip coordinates are ``clip_from_world @ (x, y, z, 1)``, or ``(x, y, z, 1) @ clip_from_world`` as in
            doc4code (2011).

        Returns
        -------
        Frustum
            A point is inside exactly if its clip coordinates are within the limits: ``-w <= x <= w``, ``-w <= y <= w``
            and those of `depth`. The near plane is the one closer to the eye, even if the depth is reversed. An
            orthographic projection has no eye; its near plane is the one with the least z.

        Raises
        ------
        ValueError
            If the matrix has another shape, or is not finite; if the visible region does not have eight corners, of
            which four may be at infinity; if `depth` or `vectors` has another value.
        """
        if not isinstance(depth, str) or depth not in ("opengl", "direct3d"):
            raise ValueError(f'depth: {depth!r}, but "opengl" or "direct3d" is needed')
        if not isinstance(vectors, str) or vectors not in ("column", "row"):
            raise ValueError(f'vectors: {vectors!r}, but "column" or "row" is needed')
        matrix = array(clip_from_world, "clip_from_world", (4, 4))
        frustum = None
        with np.errstate(all="ignore"):
            planes = _planes(matrix if vectors == "column" else matrix.T, depth)
            if planes is not None:
                frustum = cls._of_planes(planes)
        if frustum is None:
            raise ValueError("clip_from_world: no frustum: the visible region is empty, flat, or lacks corners")
        return frustum

    @cached_property
    def corners(self) -> Floats:
        """(8, 3): left bottom, right bottom, right top, left top of the near plane, then of the far plane.

        If the far plane is at infinity, so are its corners: each coordinate is its limit along the edge.
        `corners_within` returns finite corners, for example to draw them.
        """
        finite = np.where(np.isfinite(self.lengths), self.lengths, 0.0)[:, None] * self.rays
        infinite = np.where(self.rays == 0.0, 0.0, np.copysign(np.inf, self.rays))
        far = self.near_corners + np.where(np.isfinite(self.lengths)[:, None], finite, infinite)
        return np.concatenate([self.near_corners, far])

    @property
    def edges(self) -> Ints:
        """(12, 2): the two corners of each edge: around the near plane, around the far plane, and between the two."""
        return _EDGES

    def corners_within(self, distance: float) -> Floats:
        """The corners, (8, 3), of the frustum cut off at a distance from the near plane. All are finite.

        Parameters
        ----------
        distance : float
            In the caller's unit, above zero. Edges that reach the far plane before keep their lengths.
        """
        along = one_number(distance, "distance")
        if not 0.0 < along < np.inf:
            raise ValueError(f"distance: {distance} is not a length above zero")
        reach = np.minimum(self.lengths, along / (self.rays @ self._forward))
        return np.concatenate([self.near_corners, self.near_corners + reach[:, None] * self.rays])

    def classify(self, shapes: Shapes | Mixed, exact: bool = False) -> NDArray[np.int8]:
        """Whether each shape is outside, inside, or crosses the boundary.

        Parameters
        ----------
        shapes : batch of one kind, or World
            A compound is outside if all its parts are, inside if all its parts are, and crossing otherwise.
        exact : bool
            False: a shape is outside if it is beyond one of the planes. A large shape near an edge or a corner of the
            frustum may be outside but not beyond any plane; it counts as crossing. True: such shapes are decided by the
            separating axis test for boxes, and by `collision_kit.core.overlap` for other kinds.

        Returns
        -------
        (N,) int8
            -1 outside, 0 crossing, 1 inside. Within rounding (`tolerances.rounding`), a shape that touches the boundary
            from outside is crossing, and one that touches it from inside is inside. Half-spaces and planes are never
            inside. They are decided exactly for both values of `exact`.
        """
        check_shapes(shapes, "shapes")
        check_flag(exact, "exact")
        if isinstance(shapes, Compounds):
            body, part = shapes.parts_of(np.arange(len(shapes)))
            verdict = self.classify(shapes.parts, exact)[part]
            inside = np.bincount(body, verdict == INSIDE, len(shapes)) == shapes.count
            outside = np.bincount(body, verdict == OUTSIDE, len(shapes)) == shapes.count
            return np.where(outside, OUTSIDE, np.where(inside, INSIDE, CROSSING)).astype(np.int8)
        if not isinstance(shapes, Batch):
            result = np.empty(len(shapes), dtype=np.int8)
            for number, batch in enumerate(shapes.batches):
                rows = np.flatnonzero(shapes.batch == number)
                margin = None if shapes.margin is None else shapes.margin[rows]
                if margin is None or not margin.any():
                    result[rows] = self.classify(batch, exact)[shapes.slot[rows]]
                else:
                    result[rows] = self._classify_batch(batch.take(shapes.slot[rows]), exact, margin)
            return result
        return self._classify_batch(shapes, exact, None)

    def _classify_batch(self, shapes: Shapes, exact: bool, margin: Floats | None) -> NDArray[np.int8]:
        """`classify` for a batch of another kind than compounds, whose rows have these margins (N,)."""
        if isinstance(shapes, (HalfSpaces, Planes)):
            return self._classify_unbounded(shapes, 0.0 if margin is None else margin)
        result = np.full(len(shapes), OUTSIDE, dtype=np.int8)
        screen = BallScreen(self.planes)
        # For balls, the planes tell crossing from outside. For other shapes, only their extents do.
        by_ball = isinstance(shapes, Spheres) and not exact
        left = [(np.empty(0, dtype=np.int64), np.empty((4, 0)))]
        for block in blocks(len(shapes)):
            center, radius = shapes.take(block).bounding_spheres()
            radius = radius if margin is None else radius + margin[block]
            rows, balls = screen.not_outside(center, radius)
            left.append((block.start + rows, balls))
        near, balls = (np.concatenate(part, axis=-1) for part in zip(*left, strict=True))
        for block in blocks(len(near)):
            inside, crossing = screen.inside(balls[:, block])
            rows = near[block]
            result[rows] = np.where(inside, INSIDE, CROSSING)
            rows = rows[~(inside | crossing) if by_ball else ~inside]
            if len(rows):
                result[rows] = self._classify(shapes.take(rows), exact, None if margin is None else margin[rows])
        return result

    def classify_bounds(self, lower: ArrayLike, upper: ArrayLike, exact: bool = False) -> NDArray[np.int8]:
        """`classify` for axis-aligned bounds. A million of them take about as long as copying them.

        Parameters
        ----------
        lower, upper : (N, 3) array-like
            As for `collision_kit.core.sweep_and_prune`; they may be infinite.
        exact : bool
            As for `classify`.

        Returns
        -------
        (N,) int8

        Raises
        ------
        ValueError
            As for `collision_kit.core.sweep_and_prune`.
        """
        check_flag(exact, "exact")
        low, high = numbers(lower, "lower"), numbers(upper, "upper")
        if low.shape != high.shape or low.ndim != 2 or low.shape[1] != 3:
            low, high = (bound.T for bound in checked_bounds(lower, upper))
        screen = BoundsScreen(self.planes)
        left, left_low, left_high = screen.not_outside(low, high)
        result = np.full(len(low), OUTSIDE, dtype=np.int8)
        for block in blocks(len(left)):
            rows, some_low, some_high = left[block], left_low[:, block], left_high[:, block]
            inside, doubtful = screen.inside(some_low, some_high)
            result[rows] = np.where(inside, INSIDE, CROSSING)
            if doubtful.any():
                result[rows[doubtful]] = self._classify_bounds(some_low[:, doubtful], some_high[:, doubtful])
        if exact:
            self._decide_bounds(low, high, result)
        return result

    def _classify(self, shapes: Shapes, exact: bool, margin: Floats | None) -> NDArray[np.int8]:
        """`classify` for some bounded shapes of one kind, by their extents along the normals of the planes."""
        center, radius = shapes.bounding_spheres()
        room = np.zeros(len(shapes)) if margin is None else margin
        slack = self._rounding(radius + room, length(center))
        least, greatest = extents(shapes, self.planes[:, :3])
        reach = length(self.planes[:, :3])[:, None] * room
        least, greatest = least - reach, greatest + reach
        result = self._by_planes(least, greatest, slack)
        rows = np.flatnonzero((result == CROSSING) & self._may_be_beside(least, slack))
        if exact and len(rows):
            part, room = shapes.take(rows), room[rows]
            for some, corners in self._cut_off(extents(part, self._forward[None])[1][0] + room):
                near, reach = part.take(some), room[some]
                if reach.any():
                    found = queries.distance(near, Hulls.from_points([corners]))
                    meets = found.distance <= reach + found.rounding + ROUNDING_STEPS * EPS * reach
                elif isinstance(near, Boxes):
                    meets = boxes_overlap(near.center, near.half_extents, near.rotation, corners)
                else:
                    meets = queries.overlap(near, Hulls.from_points([corners]))
                result[rows[some[~meets]]] = OUTSIDE
        return result

    def _classify_bounds(self, low: Floats, high: Floats) -> NDArray[np.int8]:
        """`classify_bounds` with the planes alone, for some bounds, (3, n) each."""
        normals = self.planes[:, :3]
        least, greatest = -bounds_reach(low, high, -normals), bounds_reach(low, high, normals)
        return self._by_planes(least, greatest, self._rounding(*_spheres_of_bounds(low, high)))

    def _decide_bounds(self, low: Floats, high: Floats, result: NDArray[np.int8]) -> None:
        """Set bounds (N, 3) to outside that cross planes but are beside the frustum."""
        rows = np.flatnonzero(result == CROSSING)
        some_low, some_high = low[rows].T, high[rows].T
        least = -bounds_reach(some_low, some_high, -self.planes[:, :3])
        rows = rows[self._may_be_beside(least, self._rounding(*_spheres_of_bounds(some_low, some_high)))]
        if not np.isfinite(self.lengths).all():
            # If both the frustum and the bounds are infinite, there may be no place to cut the frustum off.
            rows = rows[np.isfinite(low[rows]).all(axis=1) & np.isfinite(high[rows]).all(axis=1)]
        if not len(rows):
            return
        for some, corners in self._cut_off(bounds_reach(low[rows].T, high[rows].T, self._forward[None])[0]):
            # Clip bounds far beyond the frustum, which may be infinite. This does not change the result.
            spread = np.ptp(corners, axis=0)
            reach = corners.min(axis=0) - spread, corners.max(axis=0) + spread
            some_low, some_high = np.clip(low[rows[some]], *reach), np.clip(high[rows[some]], *reach)
            meets = boxes_overlap((some_low + some_high) / 2.0, (some_high - some_low) / 2.0, None, corners)
            result[rows[some[~meets]]] = OUTSIDE

    def _rounding(self, radius: Floats, place: Floats) -> Floats:
        """The rounding of heights above the planes, (6, n), of shapes of a size and a distance from the origin."""
        return rounding(radius, np.maximum(place, np.abs(self.planes[:, 3:])))

    def _by_planes(self, least: Floats, greatest: Floats, slack: Floats) -> NDArray[np.int8]:
        """Classify shapes by their extents along the normals of the planes, (6, n) each, to rounding."""
        offset = self.planes[:, 3:]
        outside = (greatest + offset < -slack).any(axis=0)
        inside = (least + offset >= -slack).all(axis=0)
        return np.where(outside, OUTSIDE, np.where(inside, INSIDE, CROSSING)).astype(np.int8)

    def _may_be_beside(self, least: Floats, slack: Floats) -> Bools:
        """Return which shapes are beyond no plane but reach beyond at least two. Arguments as for `_by_planes`.

        If a shape extends beyond only one plane, its farthest point on the inner side of that plane is inside the
        frustum.
        """
        result: Bools = np.count_nonzero(least + self.planes[:, 3:] <= slack, axis=0) > 1
        return result

    def _classify_unbounded(self, shapes: HalfSpaces | Planes, margin: Floats | float) -> NDArray[np.int8]:
        """`classify` for half-spaces and planes, by the heights of the frustum's corners above them."""
        infinite = ~np.isfinite(self.lengths)
        corners = np.concatenate([self.near_corners, self.corners[4:][~infinite]])
        offset = shapes.offset + margin
        height = shapes.normal @ corners.T - offset[:, None]
        middle = corners.mean(axis=0)
        slack = rounding(length(corners - middle).max(), np.maximum(length(middle), np.abs(offset)))
        # Direction of an infinite edge: away from the surface, parallel to it, or towards it.
        onward = shapes.normal @ self.rays[infinite].T
        steep = np.abs(onward) > ROUNDING_STEPS * EPS
        above = (height.min(axis=1) > slack) & ~((onward < 0.0) & steep).any(axis=1)
        below = (height.max(axis=1) < -slack) & ~((onward > 0.0) & steep).any(axis=1)
        outside = above | below if isinstance(shapes, Planes) else above
        return np.where(outside, OUTSIDE, CROSSING).astype(np.int8)

    def _cut_off(self, height: Floats) -> Iterator[tuple[Ints, Floats]]:
        """For shapes that reach these heights (N,) along the view: rows, and the corners for them.

        If the far plane is at infinity, the frustum is cut off beyond the shapes, for each power of two of the heights.
        A cut for the farthest of all would cost the others digits.
        """
        if np.isfinite(self.lengths).all():
            yield np.arange(len(height)), self.corners
            return
        size = length(self.near_corners - self.near_corners.mean(axis=0)).max()
        # Twice as far, so that no shape can touch the cut.
        most = 2.0 * (np.maximum(height + self.planes[_NEAR, 3], 0.0) + size)
        for exponent, rows in rows_of_each(np.frexp(most)[1]):
            yield rows, self.corners_within(float(np.ldexp(1.0, exponent)))

    @property
    def _forward(self) -> Floats:
        """The view direction, along which every edge leads away from the near plane."""
        return self.planes[_NEAR, :3]

    @classmethod
    def _of_planes(cls, planes: Floats) -> Self | None:
        """The frustum between these planes; None if it does not have eight corners."""
        normals, offset = planes[:, :3], planes[:, 3]
        rays = cross(normals[_SIDES[:, 0]], normals[_SIDES[:, 1]])
        onward = rays @ normals[_NEAR]
        if not (np.abs(onward) > ROUNDING_STEPS * EPS).all():
            return None
        rays *= (np.sign(onward) / length(rays))[:, None]
        of_corner = np.column_stack([np.full(4, _NEAR), _SIDES])
        near = np.linalg.solve(normals[of_corner], -offset[of_corner][..., None])[..., 0]
        height, fall = near @ normals[_FAR] + offset[_FAR], rays @ normals[_FAR]
        lengths = np.where(fall < 0.0, height / np.where(fall < 0.0, -fall, 1.0), np.inf)
        frustum = cls(planes, near, rays, lengths)
        size = length(near - near.mean(axis=0)).max()
        inner = np.minimum(lengths, size)
        if not (np.isfinite(near).all() and len(set(np.isfinite(lengths).tolist())) == 1 and (inner > 0.0).all()):
            return None
        # The center of the part near the eye is well inside all planes, unless the frustum is flat or inverted.
        middle = (near.mean(axis=0) + (near + inner[:, None] * rays).mean(axis=0)) / 2.0
        slack = rounding(size, np.maximum(length(middle), np.abs(offset)))
        if not (normals @ middle + offset > slack).all():
            return None
        for part in (planes, near, rays, lengths):
            part.flags.writeable = False
        return frustum


def _spheres_of_bounds(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Half the diagonals of bounds (3, n), and distances of their centers from the origin; infinite counts as 0."""
    finite_low, finite_high = np.where(np.isfinite(low), low, 0.0), np.where(np.isfinite(high), high, 0.0)
    return length((finite_high - finite_low).T / 2.0), length((finite_low + finite_high).T / 2.0)


def _planes(rows: Floats, depth: str) -> Floats | None:
    """The six planes, (6, 4), from the rows of the matrix; None if there is no view volume."""
    x, y, z, w = rows
    begin = w + z if depth == "opengl" else z
    zero = ROUNDING_STEPS * EPS * (length(z[:3]) + length(w[:3]))
    unit: list[Floats] = []
    for plane in (begin, w - z, w + x, w - x, w + y, w - y):
        size = length(plane[:3])
        # A plane at infinity, for which the normals of w and z are parallel, has only an offset.
        at_infinity = len(unit) < 2 and size <= zero
        if at_infinity and not plane[3] > 0.0:
            return None
        unit.append(np.array([0.0, 0.0, 0.0, 1.0]) if at_infinity else plane / size)
    begin, end, *sides = unit
    # The line in the middle of the view, along which x and y are zero.
    axis = cross(x[:3], y[:3])
    if not length(axis) > ROUNDING_STEPS * EPS * length(x[:3]) * length(y[:3]):
        return None
    axis = axis / length(axis)
    perspective = abs(w[:3] @ axis) > ROUNDING_STEPS * EPS * length(z[:3])
    if (w[:3] if perspective else begin[:3] - end[:3]) @ axis < 0.0:
        axis = -axis
    # Along this line, the near plane is where the view volume begins. If both planes could be, it is the later one.
    start = np.linalg.solve(np.array([x[:3], y[:3], axis]), np.array([-x[3], -y[3], 0.0]))
    entered = [-(plane[3] + plane[:3] @ start) / (plane[:3] @ axis) for plane in (begin, end)]
    enters = [plane[:3] @ axis > 0.0 for plane in (begin, end)]
    if enters[1] and not (enters[0] and entered[0] >= entered[1]):
        begin, end = end, begin
    return np.array([begin, end, *sides])
