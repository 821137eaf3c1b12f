# SPDX-License-Identifier: GPL-3.0-or-later
"""View frusta: six planes from a projection matrix, and what they cull of a batch of shapes.

doc4code 2011, "Frustum Culling" and "Box Culling"; Gribb and Hartmann, "Fast extraction of viewing frustum planes from
the world-view-projection matrix" (2001). The planes of doc4code 2011 point out of the frustum, and it culls a box whose
least value for one of them is not negative. Here they point in, and what is culled lies as a whole beyond one of them.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..broad_phase.sweep_and_prune import checked_bounds
from ..constants import CROSSING, INSIDE, OUTSIDE
from ..numerics.tolerances import EPS, ROUNDING_STEPS, rounding
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import array, check_flag, numbers, one_number
from ..numerics.vectors import length
from ..query import queries
from ..query.dispatch import Mixed
from ..shapes import Batch, Boxes, Compounds, HalfSpaces, Hulls, Planes, Shapes, check_shapes
from .projections import BLOCK, BallScreen, BoundsScreen, bounds_reach, boxes_overlap, extents

# Rows of the planes.
_NEAR, _FAR = 0, 1
# The two planes in which each edge lies that leads from the near plane to the far one.
_SIDES = np.array([(2, 4), (3, 4), (3, 5), (2, 5)])
_EDGES = np.array([(i, (i + 1) % 4) for i in range(4)] + [(4 + i, 4 + (i + 1) % 4) for i in range(4)])
_EDGES = np.concatenate([_EDGES, [(i, 4 + i) for i in range(4)]])
_EDGES.flags.writeable = False


@dataclass(frozen=True, eq=False)
class Frustum:
    """What a camera sees: the region between six planes. Made by `from_matrix`.

    Attributes
    ----------
    planes : (6, 4) float64
        Near, far, left, right, bottom, top; a point is inside where ``plane · (x, y, z, 1) >= 0`` for all of them, and
        that is its distance from the plane: normals have unit length. A far plane at infinity is (0, 0, 0, 1).
    near_corners : (4, 3) float64
        Left bottom, right bottom, right top, left top.
    rays : (4, 3) float64
        Unit vectors from them along the edges, away from the near plane.
    lengths : (4,) float64
        Of these edges; infinite if the far plane is at infinity.
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
        """The frustum of a projection.

        Parameters
        ----------
        clip_from_world : (4, 4) array-like
            Takes points to clip coordinates. With a matrix from the camera's space alone, a projection matrix, the
            frustum is in that space. Perspective or orthographic, shifted, reversed, with a far plane at infinity.
        depth : "opengl" or "direct3d"
            Whether ``-w <= z <= w`` is seen, as in OpenGL and Blender, or ``0 <= z <= w``, as in Direct3D, Vulkan and
            Metal.
        vectors : "column" or "row"
            Whether clip coordinates are ``clip_from_world @ (x, y, z, 1)``, or ``(x, y, z, 1) @ clip_from_world`` as
            in doc4code (2011).

        Returns
        -------
        Frustum
            A point is inside exactly if its clip coordinates are within the limits: ``-w <= x <= w``,
            ``-w <= y <= w`` and those of `depth`. The near plane is the one nearer to the eye, also where the
            depth is reversed. An orthographic projection has no eye: its near plane is where z is least.

        Raises
        ------
        ValueError
            If the matrix has another shape, is not finite, or no region with eight corners, four of them perhaps at
            infinity, is seen through it; if `depth` or `vectors` is none of these.
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
            raise ValueError("clip_from_world: no frustum: what it shows is empty, flat, or has not eight corners")
        return frustum

    @cached_property
    def corners(self) -> Floats:
        """(8, 3): left bottom, right bottom, right top, left top of the near plane, then of the far plane.

        If the far plane is at infinity, so are those corners: the limit of each coordinate along the edge. For
        something to draw there is `corners_within`.
        """
        finite = np.where(np.isfinite(self.lengths), self.lengths, 0.0)[:, None] * self.rays
        endless = np.where(self.rays == 0.0, 0.0, np.copysign(np.inf, self.rays))
        far = self.near_corners + np.where(np.isfinite(self.lengths)[:, None], finite, endless)
        return np.concatenate([self.near_corners, far])

    @property
    def edges(self) -> Ints:
        """(12, 2): the corners that are joined by an edge: around the near plane, around the far one, and between."""
        return _EDGES

    def corners_within(self, distance: float) -> Floats:
        """The corners, (8, 3), of the frustum cut off at a distance from the near plane; all finite.

        Parameters
        ----------
        distance : float
            In the caller's unit, above zero. Edges that end at the far plane before are not made longer.
        """
        along = one_number(distance, "distance")
        if not 0.0 < along < np.inf:
            raise ValueError(f"distance: {distance} is not a length above zero")
        reach = np.minimum(self.lengths, along / (self.rays @ self._forward))
        return np.concatenate([self.near_corners, self.near_corners + reach[:, None] * self.rays])

    def classify(self, shapes: Shapes | Mixed, exact: bool = False) -> NDArray[np.int8]:
        """Which shapes are outside, which are inside, and which cross the boundary.

        Parameters
        ----------
        shapes : batch of one kind, or World
            A compound is outside if all its parts are, inside if all are, and crossing otherwise.
        exact : bool
            False: outside is what lies beyond one of the planes. A large shape by an edge or a corner of the frustum
            may be outside and beyond none; it counts as crossing. True: those are decided, by the separating axis test
            for boxes, and for other kinds as `collision_kit.core.overlap` decides.

        Returns
        -------
        (N,) int8
            -1 outside, 0 crossing, 1 inside. What touches from outside is crossing and what touches from inside is
            inside, within rounding (`tolerances.rounding`). Half-spaces and planes are never inside; they are
            decided exactly either way.
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
        """`classify` for a batch, of no compounds, whose rows have these margins (N,)."""
        if isinstance(shapes, (HalfSpaces, Planes)):
            return self._classify_unbounded(shapes, 0.0 if margin is None else margin)
        result = np.full(len(shapes), OUTSIDE, dtype=np.int8)
        screen, near = BallScreen(self.planes), [np.empty(0, dtype=np.int64)]
        for begin in range(0, len(shapes), BLOCK):
            block = slice(begin, begin + BLOCK)
            center, radius = shapes.take(block).bounding_spheres()
            near.append(begin + screen.not_outside(center, radius if margin is None else radius + margin[block]))
        left = np.concatenate(near)
        for rows in (left[begin : begin + BLOCK] for begin in range(0, len(left), BLOCK)):
            result[rows] = self._classify(shapes.take(rows), exact, None if margin is None else margin[rows])
        return result

    def classify_bounds(self, lower: ArrayLike, upper: ArrayLike, exact: bool = False) -> NDArray[np.int8]:
        """`classify` for axis-aligned bounds, a million of them in about the time it takes to copy them.

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
            As `collision_kit.core.sweep_and_prune`.
        """
        check_flag(exact, "exact")
        low, high = numbers(lower, "lower"), numbers(upper, "upper")
        if low.shape != high.shape or low.ndim != 2 or low.shape[1] != 3:
            low, high = (bound.T for bound in checked_bounds(lower, upper))
        screen = BoundsScreen(self.planes)
        left, left_low, left_high = screen.not_outside(low, high)
        result = np.full(len(low), OUTSIDE, dtype=np.int8)
        for begin in range(0, len(left), BLOCK):
            block = slice(begin, begin + BLOCK)
            rows, some_low, some_high = left[block], left_low[:, block], left_high[:, block]
            inside, doubtful = screen.inside(some_low, some_high)
            result[rows] = np.where(inside, INSIDE, CROSSING)
            if doubtful.any():
                result[rows[doubtful]] = self._classify_bounds(some_low[:, doubtful], some_high[:, doubtful])
        if exact:
            self._decide_bounds(low, high, result)
        return result

    def _classify(self, shapes: Shapes, exact: bool, margin: Floats | None) -> NDArray[np.int8]:
        """`classify` for some bounded shapes of one kind."""
        center, radius = shapes.bounding_spheres()
        if margin is not None:
            radius = radius + margin
        place = length(center)
        # What the bounding spheres settle, by more than rounding, is settled; the rest is looked at more closely.
        offset = self.planes[:, 3:]
        level, reach = self.planes[:, :3] @ center.T + offset, length(self.planes[:, :3])[:, None] * radius
        slack = 2.0 * rounding(radius, np.maximum(place, np.abs(offset)))
        outside, inside = (level + reach < -slack).any(axis=0), (level - reach > slack).all(axis=0)
        result = np.where(outside, OUTSIDE, np.where(inside, INSIDE, CROSSING)).astype(np.int8)
        rows = np.flatnonzero(result == CROSSING)
        if len(rows):
            least, greatest = extents(shapes.take(rows), self.planes[:, :3])
            if margin is not None:
                reach = length(self.planes[:, :3])[:, None] * margin[rows]
                least, greatest = least - reach, greatest + reach
            result[rows] = self._by_planes(least, greatest, radius[rows], place[rows])
            rows = rows[(result[rows] == CROSSING) & self._may_be_beside(least, radius[rows], place[rows])]
        if exact and len(rows):
            part = shapes.take(rows)
            room = np.zeros(len(rows)) if margin is None else margin[rows]
            corners = self._corners_around(float((extents(part, self._forward[None])[1] + room).max()))
            if room.any():
                found = queries.distance(part, Hulls.from_points([corners]))
                meets = found.distance <= room + found.rounding + ROUNDING_STEPS * EPS * room
            elif isinstance(part, Boxes):
                meets = boxes_overlap(part.center, part.half_extents, part.rotation, corners)
            else:
                meets = queries.overlap(part, Hulls.from_points([corners]))
            result[rows[~meets]] = OUTSIDE
        return result

    def _classify_bounds(self, low: Floats, high: Floats) -> NDArray[np.int8]:
        """`classify_bounds` by the planes for some bounds, (3, n) each."""
        normals = self.planes[:, :3]
        least, greatest = -bounds_reach(low, high, -normals), bounds_reach(low, high, normals)
        return self._by_planes(least, greatest, *_balls_about(low, high))

    def _decide_bounds(self, low: Floats, high: Floats, result: NDArray[np.int8]) -> None:
        """Set to outside what lies beside the frustum, of bounds (N, 3) that cross some plane."""
        rows = np.flatnonzero(result == CROSSING)
        some_low, some_high = low[rows].T, high[rows].T
        least = -bounds_reach(some_low, some_high, -self.planes[:, :3])
        rows = rows[self._may_be_beside(least, *_balls_about(some_low, some_high))]
        if not np.isfinite(self.lengths).all():
            # Where both have no end there may be no place to cut the frustum off.
            rows = rows[np.isfinite(low[rows]).all(axis=1) & np.isfinite(high[rows]).all(axis=1)]
        if not len(rows):
            return
        some_low, some_high = low[rows], high[rows]
        corners = self._corners_around(float(bounds_reach(some_low.T, some_high.T, self._forward[None]).max()))
        # What is far beyond the frustum does not matter, infinite or not.
        spread = np.ptp(corners, axis=0)
        reach = corners.min(axis=0) - spread, corners.max(axis=0) + spread
        some_low, some_high = np.clip(some_low, *reach), np.clip(some_high, *reach)
        meets = boxes_overlap((some_low + some_high) / 2.0, (some_high - some_low) / 2.0, None, corners)
        result[rows[~meets]] = OUTSIDE

    def _by_planes(self, least: Floats, greatest: Floats, radius: Floats, place: Floats) -> NDArray[np.int8]:
        """The planes' verdicts by the extents along their normals, (6, n) each, with the rounding of the shapes."""
        offset = self.planes[:, 3:]
        slack = rounding(radius, np.maximum(place, np.abs(offset)))
        outside = (greatest + offset < -slack).any(axis=0)
        inside = (least + offset >= -slack).all(axis=0)
        return np.where(outside, OUTSIDE, np.where(inside, INSIDE, CROSSING)).astype(np.int8)

    def _may_be_beside(self, least: Floats, radius: Floats, place: Floats) -> Bools:
        """Of shapes that no plane cuts off, those that reach beyond two or more; as for `_by_planes`.

        What reaches beyond one alone has the point that is farthest within that one inside all six.
        """
        offset = self.planes[:, 3:]
        slack = rounding(radius, np.maximum(place, np.abs(offset)))
        result: Bools = np.count_nonzero(least + offset <= slack, axis=0) > 1
        return result

    def _classify_unbounded(self, shapes: HalfSpaces | Planes, margin: Floats | float) -> NDArray[np.int8]:
        """`classify` for half-spaces and planes, by the height of the frustum's corners above them."""
        endless = ~np.isfinite(self.lengths)
        corners = np.concatenate([self.near_corners, self.corners[4:][~endless]])
        offset = shapes.offset + margin
        height = shapes.normal @ corners.T - offset[:, None]
        middle = corners.mean(axis=0)
        slack = rounding(length(corners - middle).max(), np.maximum(length(middle), np.abs(offset)))
        # How an endless edge leads on: away from the surface, along it, or towards it.
        onward = shapes.normal @ self.rays[endless].T
        steep = np.abs(onward) > ROUNDING_STEPS * EPS
        above = (height.min(axis=1) > slack) & ~((onward < 0.0) & steep).any(axis=1)
        below = (height.max(axis=1) < -slack) & ~((onward > 0.0) & steep).any(axis=1)
        outside = above | below if isinstance(shapes, Planes) else above
        return np.where(outside, OUTSIDE, CROSSING).astype(np.int8)

    def _corners_around(self, height: float) -> Floats:
        """The corners; if the far plane is at infinity, cut off beyond this height in the direction of view."""
        if np.isfinite(self.lengths).all():
            return self.corners
        size = length(self.near_corners - self.near_corners.mean(axis=0)).max()
        # Twice as far, so that the cut is no face that shapes could touch.
        return self.corners_within(2.0 * float(max(height + self.planes[_NEAR, 3], 0.0) + size))

    @property
    def _forward(self) -> Floats:
        """Into the view: every edge leads away from the near plane."""
        return self.planes[_NEAR, :3]

    @classmethod
    def _of_planes(cls, planes: Floats) -> Self | None:
        """The frustum between these planes; None if it has not eight corners."""
        normals, offset = planes[:, :3], planes[:, 3]
        rays = np.cross(normals[_SIDES[:, 0]], normals[_SIDES[:, 1]])
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
        # The middle of what is near is well within all planes, unless the view is flat or turned inside out.
        middle = (near.mean(axis=0) + (near + inner[:, None] * rays).mean(axis=0)) / 2.0
        slack = rounding(size, np.maximum(length(middle), np.abs(offset)))
        if not (normals @ middle + offset > slack).all():
            return None
        for part in (planes, near, rays, lengths):
            part.flags.writeable = False
        return frustum


def _balls_about(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Half the diagonals of bounds (3, n), and how far from the origin their middles are, as far as they are finite."""
    finite_low, finite_high = np.where(np.isfinite(low), low, 0.0), np.where(np.isfinite(high), high, 0.0)
    return length((finite_high - finite_low).T / 2.0), length((finite_low + finite_high).T / 2.0)


def _planes(rows: Floats, depth: str) -> Floats | None:
    """The six planes, (6, 4), by the rows that clip coordinates are made by; None if there is no view."""
    x, y, z, w = rows
    begin = w + z if depth == "opengl" else z
    zero = ROUNDING_STEPS * EPS * (length(z[:3]) + length(w[:3]))
    unit: list[Floats] = []
    for plane in (begin, w - z, w + x, w - x, w + y, w - y):
        size = length(plane[:3])
        # Of planes at infinity, where w and z grow alike, only the offset is left.
        at_infinity = len(unit) < 2 and size <= zero
        if at_infinity and not plane[3] > 0.0:
            return None
        unit.append(np.array([0.0, 0.0, 0.0, 1.0]) if at_infinity else plane / size)
    begin, end, *sides = unit
    # The line in the middle of the view, along which x and y are zero.
    axis = np.cross(x[:3], y[:3])
    if not length(axis) > ROUNDING_STEPS * EPS * length(x[:3]) * length(y[:3]):
        return None
    axis = axis / length(axis)
    perspective = abs(w[:3] @ axis) > ROUNDING_STEPS * EPS * length(z[:3])
    if (w[:3] if perspective else begin[:3] - end[:3]) @ axis < 0.0:
        axis = -axis
    # Along it, the view is entered by the near plane; by one that is entered by both, through the later.
    start = np.linalg.solve(np.array([x[:3], y[:3], axis]), np.array([-x[3], -y[3], 0.0]))
    entered = [-(plane[3] + plane[:3] @ start) / (plane[:3] @ axis) for plane in (begin, end)]
    enters = [plane[:3] @ axis > 0.0 for plane in (begin, end)]
    if enters[1] and not (enters[0] and entered[0] >= entered[1]):
        begin, end = end, begin
    return np.array([begin, end, *sides])
