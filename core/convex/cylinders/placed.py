# SPDX-License-Identifier: GPL-3.0-or-later
"""Cylinders in the world: their support mapping and supporting features.

A cylinder is the Minkowski sum of its axis, a segment, and a perpendicular disc. Its support distance along d from its
center is |half · d| + r sin(d, axis). The caps are the faces 0 (at the start) and 1 (at the end). The rims around them
are the edges 0 and 1. The side is edge 2, like the side of a capsule in Lee 2018, section 13.2.5. A cylinder with
radius zero is a segment. Its caps and rims are the vertices 0 and 1. `side_outline` and `polytope_outline` give the
supporting feature of a cylinder's side and of a polytope: a face, an edge or a vertex.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...kernels.supports import CYLINDER, Side
from ...numerics.tolerances import CYLINDER_INSIDE, EPS, FACE_ALIGNMENT, FACE_TILT, RIM_TOUCH, SUPPORT
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import cross, disc_support, dot, length, normalized, perpendicular
from ...results import FeatureKind
from ...shapes import Cylinders
from ...shapes.sides import farthest, round_side
from ...shapes.support_mapped import Outline
from ..polytopes.placed import Polytopes
from ..supporting_faces import supporting_face

SIDE = 2


@dataclass(frozen=True)
class PlacedCylinders:
    """Rows of a batch of cylinders, relative to some origin.

    Attributes
    ----------
    center : (P, 3) float64
    half : (P, 3) float64
        Vector from the center to the center of the end cap.
    radius : (P,) float64
    """

    center: Floats
    half: Floats
    radius: Floats

    @classmethod
    def of(cls, shapes: Cylinders) -> "PlacedCylinders":
        """Convert the batch, row by row, relative to the world's origin."""
        half = (shapes.end - shapes.start) / 2.0
        return cls(shapes.start + half, half, shapes.radius)

    def __len__(self) -> int:
        return len(self.center)

    def take(self, rows: Ints, origin: Floats | None = None) -> "PlacedCylinders":
        """Select rows, relative to the points `origin` (P, 3) if given."""
        moved = self.center[rows]
        return PlacedCylinders(moved if origin is None else moved - origin, self.half[rows], self.radius[rows])

    @cached_property
    def height(self) -> Floats:
        """(P,) half the length."""
        return length(self.half)

    @cached_property
    def axis(self) -> Floats:
        """(P, 3) unit, from start to end."""
        return self.half / self.height[:, None]

    @cached_property
    def size(self) -> Floats:
        """(P,) radius of the sphere about the center that contains the cylinder."""
        return np.hypot(self.height, self.radius)

    def away(self, spoke: Floats) -> Floats:
        """Unit directions from the axis to points, perpendicular to the axis. The points are relative to the centers.

        (P, 3) -> (P, 3) or (P, K, 3) -> (P, K, 3). For points on the axis within rounding, any such direction is
        returned.
        """
        wide = spoke.ndim == 3
        axis, sideways = self.axis, perpendicular(self.axis)
        if wide:
            axis, sideways = axis[:, None], sideways[:, None]
        out = normalized(spoke - dot(spoke, axis)[..., None] * axis, np.zeros(3))
        # For a point near the axis, the residue along the axis may exceed the perpendicular component.
        out -= dot(out, axis)[..., None] * axis
        return normalized(np.where((length(out) > 0.5)[..., None], out, 0.0), sideways)

    def reach(self, direction: Floats) -> Floats:
        """Support distance of each cylinder along unit directions, (P, 3) -> (P,) or (P, K, 3) -> (P, K)."""
        wide = direction.ndim == 3
        center, half, axis = (x[:, None] if wide else x for x in (self.center, self.half, self.axis))
        across = cross(axis, direction)
        sine = np.sqrt(dot(across, across))
        return (
            dot(center, direction)
            + np.abs(dot(half, direction))
            + (self.radius[:, None] if wide else self.radius) * sine
        )

    def support(self, direction: Floats) -> Floats:
        """The support point along each direction (P, 3), of any length. Ties go to the start.

        If a whole cap is equally far, the result is its center.
        """
        return farthest(self.side, direction)

    @cached_property
    def side(self) -> Side:
        """The cylinders as kernels read them."""
        linear = np.stack([self.axis, self.half], axis=1)
        return round_side(CYLINDER, linear, self.center, np.repeat(self.radius[:, None], 3, axis=1))

    def rim_facing(self, direction: Floats, start: Floats, along: Floats) -> Floats:
        """The support point of a rim along each direction (P, 3), which is under a line, (P, 3).

        If a rim is nearly perpendicular to the direction, its support point is ill-conditioned. The crossing with the
        line, projected along the direction, is more accurate. Then the nearer crossing is returned.

        Parameters
        ----------
        direction : (P, 3) float64
            Unit, perpendicular to the lines.
        start, along : (P, 3) float64
            A point of each line, and the line's unit direction.
        """
        end, out = self.center + self.cap_sign(direction)[:, None] * self.half, self.outward(direction)
        cosine = dot(direction, self.axis)
        nearly_level = np.abs(cosine) > 0.5
        up = direction / np.where(nearly_level, cosine, 1.0)[:, None]
        # The line, projected to the plane of the rim, relative to the rim's center.
        spoke = start - end
        spoke = spoke - dot(spoke, self.axis)[:, None] * up
        run = normalized(along - dot(along, self.axis)[:, None] * up, np.zeros(3))
        middle = -dot(spoke, run)
        nearest = spoke + middle[:, None] * run
        half = np.sqrt(np.maximum(self.radius**2 - dot(nearest, nearest), 0.0))
        half = np.where(dot(out - nearest, run) < 0.0, -half, half)
        # If the line almost touches the rim, the crossing is ill-conditioned.
        crosses = nearly_level & (np.abs(half) > RIM_TOUCH * self.radius)
        crossing = self.radius[:, None] * normalized(nearest + half[:, None] * run, np.zeros(3))
        return end + np.where(crosses[:, None], crossing, out)

    def nearest(self, point: Floats) -> Floats:
        """The point of each cylinder nearest to a point (the point itself if it is inside), (P, 3) -> (P, 3)."""
        spoke = point - self.center
        level = dot(spoke, self.axis)
        flat = spoke - level[:, None] * self.axis
        away = length(flat)
        shrink = np.minimum(away, self.radius) / np.where(away > 0.0, away, 1.0)
        return self.center + np.clip(level, -self.height, self.height)[:, None] * self.axis + shrink[:, None] * flat

    def cap_sign(self, direction: Floats) -> Floats:
        """1 if the end is farther along the direction, else -1, (P,)."""
        return np.where(dot(self.half, direction) > 0.0, 1.0, -1.0)

    def outward(self, direction: Floats) -> Floats:
        """Vector from the axis to the supporting line of the side along the direction, (P, 3)."""
        return disc_support(self.axis, self.radius, direction)

    def facing_cap(self, direction: Floats, level: Floats | None = None) -> Bools:
        """Whether a cap is the supporting feature along the unit direction, within `FACE_ALIGNMENT`.

        If given, all points of the cap must also be within `level` (P,) of the support plane.
        """
        aligned = np.abs(dot(self.axis, direction)) >= 1.0 - FACE_ALIGNMENT
        if level is None:
            return aligned
        return aligned & (2.0 * self.radius * length(cross(self.axis, direction)) <= level)

    def nearly_facing_cap(self, direction: Floats) -> Bools:
        """Whether a cap is the supporting feature within `FACE_TILT`. On a face, such a cap makes a patch."""
        return np.abs(dot(self.axis, direction)) >= FACE_TILT

    def nearly_facing_side(self, direction: Floats) -> Bools:
        """Whether the side is tilted by at most `FACE_TILT`. On a face, such a side makes a line."""
        return np.abs(dot(self.axis, direction)) <= np.sqrt(1.0 - FACE_TILT**2)

    def facing_side(self, direction: Floats, level: Floats | None = None) -> Bools:
        """Whether both rims are equally far along the unit direction, within `level` (P,).

        None stands for `SUPPORT` times the size.
        """
        slack = SUPPORT * self.size if level is None else level
        both = 2.0 * np.abs(dot(self.half, direction)) <= slack
        return both & ~self.facing_cap(direction, level)

    def feature(self, direction: Floats) -> Ints:
        """Kind and index (P, 2) of the supporting feature along the unit direction."""
        cap = (self.cap_sign(direction) > 0.0).astype(np.int64)
        side = self.facing_side(direction)
        kind = np.where(self.facing_cap(direction), FeatureKind.FACE, FeatureKind.EDGE)
        return self.shown(np.stack([kind, np.where(side, SIDE, cap)], axis=1)[:, None])[:, 0]

    def shown(self, feature: Ints) -> Ints:
        """Convert caps and rims of radius zero to vertices in features (P, K, 2)."""
        bare = (self.radius == 0.0)[:, None] & (feature[..., 1] != SIDE)
        result = feature.copy()
        result[..., 0] = np.where(bare, FeatureKind.VERTEX, feature[..., 0])
        return result


def polytope_outline(
    cores: Polytopes,
    direction: Floats,
    on_cap: Bools | None = None,
    on_side: Bools | None = None,
    level: Floats | None = None,
) -> Outline:
    """The supporting face, edge or vertex of each core along its unit direction (P, 3).

    Parameters
    ----------
    cores : Polytopes
    direction : (P, 3) float64
    on_cap, on_side : (P,) bool, optional
        Whether the core faces a cap, or a side. Then a face counts even if it is tilted by up to
        `tolerances.FACE_TILT`. Against a cap, so does an edge.
    level : (P,) float64, optional
        Tolerance of the support plane; None: `tolerances.SUPPORT` times the size.
    """
    at = np.arange(len(cores))
    heights = np.matmul(cores.vertices, direction[:, :, None])[:, :, 0]
    on_top = heights >= (heights.max(axis=1) - (SUPPORT * cores.size if level is None else level))[:, None]
    face, cosine = supporting_face(cores, direction, level)
    tilted = np.zeros(len(cores), dtype=bool) if on_cap is None else on_cap
    flat = cosine >= np.where(tilted if on_side is None else tilted | on_side, FACE_TILT, 1.0 - FACE_ALIGNMENT)
    width = 2
    # Shapes without faces have no polygon.
    faced = np.flatnonzero(flat)
    if len(faced):
        corners, polygon = cores.take(faced).polygon(face[faced])
        width = max(2, polygon.shape[1])
        # A flat box has faces without area, which are edges or vertices.
        spokes = corners - corners[:, :1]
        area = cross(spokes, np.roll(spokes, -1, axis=1)).sum(axis=1)
        real = length(area) > CYLINDER_INSIDE * EPS * cores.size[faced] ** 2
        if level is not None:
            real &= np.take_along_axis(on_top[faced], polygon, axis=1).all(axis=1)
        faced, polygon = faced[real], polygon[real]
        flat[:] = False
        flat[faced] = True
    ends = cores.edges
    first, second = ends[..., 0], ends[..., 1]
    run = cores.vertices[at[:, None], first] - cores.vertices[at[:, None], second]
    # Of collinear edges, as in a triangle without area, the longest. An edge of length zero is a vertex.
    square = dot(run, run)
    top_first, top_second = on_top[at[:, None], first], on_top[at[:, None], second]
    long = np.where(top_first & top_second, square, 0.0)
    if on_cap is not None:
        # If there is no such edge, the longest one that starts on the support plane and is tilted a little.
        little = dot(run, direction[:, None]) ** 2 <= (1.0 - FACE_TILT**2) * square
        sloping = (top_first | top_second) & little & (on_cap & ~(long > 0.0).any(axis=1))[:, None]
        long = np.where(sloping, square, long)
    edge, top = long.argmax(axis=1), heights.argmax(axis=1)
    straight = ~flat & (long[at, edge] > 0.0)
    kind = np.where(flat, FeatureKind.FACE, np.where(straight, FeatureKind.EDGE, FeatureKind.VERTEX))
    index = np.repeat(top[:, None], width, axis=1)
    if len(faced):
        index[faced, : polygon.shape[1]] = polygon
        index[faced, polygon.shape[1] :] = polygon[:, -1:]
    index[straight, 0], index[straight, 1:] = first[at, edge][straight], second[at, edge][straight, None]
    following = np.roll(index, -1, axis=1)
    low, high = np.minimum(index, following)[..., None], np.maximum(index, following)[..., None]
    lower, upper = ends[:, None, :, :2].min(axis=3), ends[:, None, :, :2].max(axis=3)
    side = np.argmax((lower == low) & (upper == high), axis=2)
    plane = np.where(flat[:, None], cores.normals[at, np.maximum(face, 0)], direction)
    return Outline(
        kind,
        np.take_along_axis(cores.vertices, index[..., None], axis=1),
        plane,
        _features(FeatureKind.VERTEX, index),
        _features(FeatureKind.EDGE, side),
        _features(FeatureKind.FACE, face),
    )


def side_outline(
    cylinders: PlacedCylinders, direction: Floats, on_face: Bools | None = None, level: Floats | None = None
) -> Outline:
    """The supporting line on the side of each cylinder along its unit direction, or the supporting point of a rim.

    Rims are equally far within `level` (P,); None: `tolerances.SUPPORT` times the size. If the cylinder faces a face or
    a cap, `on_face` (P,), the line may be tilted by `tolerances.FACE_TILT`.
    """
    count = len(cylinders)
    out = cylinders.center + cylinders.outward(direction)
    along = cylinders.half
    side = cylinders.facing_side(direction, level)
    if on_face is not None:
        side |= on_face & cylinders.nearly_facing_side(direction)
    sign = cylinders.cap_sign(direction)
    first = np.where(side, -1.0, sign)
    corners = np.stack([out + first[:, None] * along, out + np.where(side, 1.0, sign)[:, None] * along], axis=1)
    kind = np.where(side, FeatureKind.EDGE, FeatureKind.VERTEX)
    cap = (sign > 0.0).astype(np.int64)
    rims = np.stack([np.where(side, 0, cap), np.where(side, 1, cap)], axis=1)
    edges = _features(FeatureKind.EDGE, np.full((count, 2), SIDE))
    return Outline(kind, corners, direction, cylinders.shown(_features(FeatureKind.EDGE, rims)), edges, edges[:, 0])


def _features(kind: FeatureKind, index: Ints) -> Ints:
    return np.stack([np.full(index.shape, kind), index], axis=-1)
