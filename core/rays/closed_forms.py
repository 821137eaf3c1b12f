# SPDX-License-Identifier: GPL-3.0-or-later
"""Intersection intervals of lines and convex shapes, in closed form: one function for each kind.

All of them have a slack, the rounding at the coordinates of a ray and its shape: a line through an edge, a corner or a
face touches the shape. Whether a line meets a shape is decided for the shape inflated by the slack. The parameters are
those of the shape itself.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from ..hull import ConvexHull
from ..kernels import rays as kernels
from ..numerics.rows import RowTable, rows_of_each
from ..numerics.tolerances import EPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross, dot, length, normalized
from ..results import FeatureKind
from ..shapes import Boxes, Capsules, Cones, Cylinders, Ellipsoids, HalfSpaces, Hulls, Planes, Spheres, Triangles

# Dimensionless: the minimum ratio of the radii of an ellipsoid, and of the radius of a cone to its height, for which
# the closed forms are accurate.
_THIN = 1e-6


@dataclass(frozen=True, eq=False, repr=False)
class Lines(RowTable):
    """Lines, one for each shape of a batch.

    Attributes
    ----------
    point : (R, 3) float64
        The point of the line that is nearest to the center of the shape, relative to that center. For unbounded
        shapes, the origin of the ray.
    along : (R, 3) float64
        Unit directions.
    slack : (R,) float64
        Rounding at the coordinates of the ray and the shape.
    level : (R,) float64
        A sine. A line that is less inclined to a surface stays within the slack of it, within the extent of the shape.
    """

    point: Floats
    along: Floats
    slack: Floats
    level: Floats

    @classmethod
    def of(cls, point: Floats, along: Floats, slack: Floats, radius: Floats) -> Self:
        """Lines whose shapes are within a radius of the centers."""
        # The line may also miss the shape itself.
        size = np.maximum(2.0 * radius, slack / _MOST_LEVEL)
        return cls(point, along, slack, np.maximum(slack / np.where(size > 0.0, size, 1.0), LEVEL))


@dataclass(frozen=True, eq=False, repr=False)
class Spans(RowTable):
    """Parameters at which lines enter and leave shapes.

    Attributes
    ----------
    enter, leave : (R,) float64
        Parameters along the direction, from the point of the line. inf and -inf for a miss.
    normal : (R, 3) float64
        The unit normal of the shape at the entry point, against the direction.
    feature : (R, 2) int64
        `FeatureKind` and index of the feature at the entry point.
    """

    enter: Floats
    leave: Floats
    normal: Floats
    feature: Ints


# A sine: rounding of the product of two unit vectors. A line with less is parallel to a plane.
LEVEL = 4.0 * EPS
_MOST_LEVEL = 1e-3

Form = Callable[[Any, Lines, Floats], Spans]


def thin(shapes: Any) -> Bools:
    """Return which shapes have no closed form because they are too thin, (N,)."""
    if isinstance(shapes, Ellipsoids):
        return np.asarray(shapes.radii.min(axis=1) <= _THIN * shapes.radii.max(axis=1))
    if isinstance(shapes, Cones):
        height = length(shapes.apex - shapes.base)
        return np.asarray(np.minimum(shapes.radius, height) <= _THIN * np.maximum(shapes.radius, height))
    return np.zeros(len(shapes), dtype=bool)


def spheres(shapes: Spheres, lines: Lines, center: Floats) -> Spans:
    """Return where lines enter and leave spheres."""
    enter, leave = meet(in_ball(lines.point, lines.along, shapes.radius, lines.slack))
    normal = normalized(lines.point + finite(enter)[:, None] * lines.along, -lines.along)
    return Spans(enter, leave, normal, _features(len(shapes), FeatureKind.FACE))


def capsules(shapes: Capsules, lines: Lines, center: Floats) -> Spans:
    """Return where lines enter and leave capsules: the union of two balls and a cylinder."""
    half = (shapes.end - shapes.start) / 2.0
    axis, reach = normalized(half, np.zeros(3)), length(half)
    slab = _between(dot(lines.point, axis), dot(lines.along, axis), reach, lines)
    enter, leave = meet(_in_tube(lines, axis, shapes.radius), slab)
    for end in (-half, half):
        place = lines.point - end
        time = -dot(place, lines.along)
        ball = in_ball(place + time[:, None] * lines.along, lines.along, shapes.radius, lines.slack)
        first, last = meet(ball)
        met = first <= last
        enter = np.where(met, np.minimum(enter, first + time), enter)
        leave = np.where(met, np.maximum(leave, last + time), leave)
    point = lines.point + finite(enter)[:, None] * lines.along
    along = dot(point, axis)
    normal = normalized(point - np.clip(along, -reach, reach)[:, None] * axis, -lines.along)
    feature = _features(len(shapes), FeatureKind.FACE)
    feature[:, 1] = along > 0.0
    feature[np.abs(along) < reach] = FeatureKind.EDGE, 0
    return Spans(enter, leave, normal, feature)


def cylinders(shapes: Cylinders, lines: Lines, center: Floats) -> Spans:
    """Return where lines enter and leave cylinders."""
    half = (shapes.end - shapes.start) / 2.0
    axis, reach = normalized(half, np.zeros(3)), length(half)
    rate = dot(lines.along, axis)
    tube = _in_tube(lines, axis, shapes.radius)
    caps = _between(dot(lines.point, axis), rate, reach, lines)
    enter, leave = meet(tube, caps)
    point = lines.point + finite(enter)[:, None] * lines.along
    side = normalized(point - dot(point, axis)[:, None] * axis, -lines.along)
    cap = caps[0] >= tube[0]
    normal = np.where(cap[:, None], -np.sign(rate)[:, None] * axis, side)
    feature = _features(len(shapes), FeatureKind.EDGE, 2)
    feature[cap] = np.stack([np.zeros(len(shapes)) + FeatureKind.FACE, rate < 0.0], axis=1)[cap]
    return Spans(enter, leave, normal, feature)


def cones(shapes: Cones, lines: Lines, center: Floats) -> Spans:
    """Return where lines enter and leave cones: the half of a double cone that is above the base."""
    axis = normalized(shapes.apex - shapes.base, np.zeros(3))
    height = length(shapes.apex - shapes.base)
    slope = shapes.radius / height
    apex = lines.point - (shapes.apex - center)
    rate = dot(lines.along, axis)
    # A cone inflated by the slack has a higher apex.
    rise = lines.slack * np.hypot(1.0, slope) / slope
    wide, tight = (
        _in_cone(apex - raised[:, None] * axis, lines.along, axis, slope, height + raised + lower)
        for raised, lower in ((rise, lines.slack), (np.zeros_like(rise), np.zeros_like(rise)))
    )
    enter, leave = _within(*tight, *wide)
    point = apex + finite(enter)[:, None] * lines.along
    down = -dot(point, axis)
    radial = normalized(point + down[:, None] * axis, np.zeros(3))
    side = normalized(radial + slope[:, None] * axis, -lines.along)
    base = (rate > 0.0) & (np.abs(down - height) <= np.abs(length(point + down[:, None] * axis) - slope * down))
    # At the tip, the surface has no normal.
    tip = (down <= lines.slack) & ~base
    normal = np.where(base[:, None], -axis, np.where(tip[:, None], -lines.along, side))
    feature = _features(len(shapes), FeatureKind.EDGE, 1)
    feature[base], feature[tip] = (FeatureKind.FACE, 0), (FeatureKind.VERTEX, 0)
    return Spans(enter, leave, normal, feature)


def ellipsoids(shapes: Ellipsoids, lines: Lines, center: Floats) -> Spans:
    """Return where lines enter and leave ellipsoids: unit balls in another scale."""
    place, along = (_turned(shapes.rotation, each) / shapes.radii for each in (lines.point, lines.along))
    rate = length(along)
    unit = along / rate[:, None]
    time = -dot(place, unit)
    nearest = place + time[:, None] * unit
    slack = lines.slack / shapes.radii.min(axis=1, initial=np.inf)
    first, last = meet(in_ball(nearest, unit, np.ones(len(shapes)), slack))
    local = normalized(nearest + finite(first)[:, None] * unit, -unit) / shapes.radii
    normal = normalized(np.einsum("nij,nj->ni", shapes.rotation, local), -lines.along)
    return Spans((time + first) / rate, (time + last) / rate, normal, _features(len(shapes), FeatureKind.FACE))


def boxes(shapes: Boxes, lines: Lines, center: Floats) -> Spans:
    """Return where lines enter and leave boxes (Kay and Kajiya, "Ray tracing complex scenes", 1986)."""
    place, along = _turned(shapes.rotation, lines.point), _turned(shapes.rotation, lines.along)
    slabs = [_between(place[:, k], along[:, k], shapes.half_extents[:, k], lines) for k in range(3)]
    enter, leave = meet(*slabs)
    axis = np.argmax([slab[0] for slab in slabs], axis=0)
    rows = np.arange(len(shapes))
    back = along[rows, axis] < 0.0
    normal = np.where(back, 1.0, -1.0)[:, None] * shapes.rotation[rows, :, axis]
    return Spans(enter, leave, normal, _features(len(shapes), FeatureKind.FACE, 2 * axis + back))


def triangles(shapes: Triangles, lines: Lines, center: Floats) -> Spans:
    """Return where lines intersect triangles: polytopes with two faces and three sides."""
    corner = shapes.vertices - center[:, None]
    side = np.roll(corner, -1, axis=1) - corner
    lengths = length(side)
    across = cross(side[:, 0], side[:, 1])
    flat = length(across) == 0.0
    normal = normalized(across, np.array([0.0, 0.0, 1.0]))
    out = normalized(cross(side, normal[:, None]), np.zeros(3))
    planes = np.concatenate([normal[:, None], -normal[:, None], out], axis=1)
    offset = dot(planes, np.concatenate([corner[:, :1], corner[:, :1], corner], axis=1))
    first = 5 * np.arange(len(shapes))
    found = in_polytopes(
        np.concatenate([planes.reshape(-1, 3), offset.reshape(-1, 1)], axis=1), first, first + 5, lines
    )
    enter, leave, _ = found
    front = dot(normal, lines.along) <= 0.0
    facing = np.where(front[:, None], normal, -normal)
    feature = _features(len(shapes), FeatureKind.FACE, (~front).astype(np.int64))
    rows = np.flatnonzero(flat)
    if len(rows):
        # A segment or a point: the longest side, without a radius.
        of, longest = np.arange(len(rows)), np.argmax(lengths[rows], axis=1)
        ends = shapes.vertices[rows]
        rod = Capsules(ends[of, longest], ends[of, (longest + 1) % 3], 0.0)
        part = lines.take(rows)
        middle = (rod.start + rod.end) / 2.0 - center[rows]
        time = dot(middle - part.point, part.along)
        moved = replace(part, point=part.point - middle + time[:, None] * part.along)
        spans = capsules(rod, moved, center[rows])
        enter[rows], leave[rows] = spans.enter + time, spans.leave + time
        facing[rows] = spans.normal
        feature[rows] = np.stack([np.full(len(rows), FeatureKind.EDGE), longest], axis=1)
    return Spans(enter, leave, facing, feature)


def hulls(shapes: Hulls, lines: Lines, center: Floats) -> Spans:
    """Return where lines enter and leave convex hulls."""
    count = len(shapes)
    enter, leave, normal = np.full(count, np.inf), np.full(count, -np.inf), -lines.along
    feature = _features(count, FeatureKind.FACE)
    used, of = np.unique(shapes.index, return_inverse=True)
    of = of.reshape(-1)
    geometry = [shapes.geometry[number] for number in used]
    solid = np.array([hull.dimension >= 2 for hull in geometry], dtype=bool)
    tables = [_planes(hull) for hull in geometry]
    size = np.array([len(planes) for planes, _ in tables], dtype=np.int64)
    begin = np.cumsum(size) - size
    rows = np.flatnonzero(solid[of])
    if len(rows):
        planes = np.concatenate([planes for planes, _ in tables])
        names = np.concatenate([names for _, names in tables])
        local = shapes.geometry.balls[0][shapes.index[rows]]
        turn = shapes.rotation[rows]
        part = lines.take(rows)
        inner = replace(part, point=_turned(turn, part.point) + local, along=_turned(turn, part.along))
        first = begin[of[rows]]
        enter[rows], leave[rows], face = in_polytopes(planes, first, first + size[of[rows]], inner)
        hit = face >= 0
        normal[rows[hit]] = np.einsum("nij,nj->ni", turn[hit], planes[face[hit], :3])
        feature[rows[hit]] = names[face[hit]]
    for number, rows in rows_of_each(np.where(solid[of], -1, of)):
        if number >= 0:
            hull = geometry[number]
            ends = hull.points[hull.vertices[[0, -1]]]
            start, end = (
                np.einsum("nij,j->ni", shapes.rotation[rows], ends[k]) + shapes.translation[rows] for k in (0, 1)
            )
            part, middle = lines.take(rows), (start + end) / 2.0 - center[rows]
            time = dot(middle - part.point, part.along)
            moved = replace(part, point=part.point - middle + time[:, None] * part.along)
            spans = capsules(Capsules(start, end, 0.0), moved, center[rows])
            enter[rows], leave[rows], normal[rows] = spans.enter + time, spans.leave + time, spans.normal
            feature[rows] = (FeatureKind.EDGE, 0) if hull.dimension == 1 else (FeatureKind.VERTEX, hull.vertices[0])
    return Spans(enter, leave, normal, feature)


def half_spaces(shapes: HalfSpaces, lines: Lines, center: Floats) -> Spans:
    """Return where lines enter and leave half-spaces."""
    gap, rate = dot(shapes.normal, lines.point) - shapes.offset, dot(shapes.normal, lines.along)
    still, within = np.abs(rate) <= lines.level, gap <= lines.slack
    time = -gap / np.where(still, 1.0, rate)
    missed = ~within & (still | (rate > 0.0))
    enter = np.where(within, -np.inf, np.where(missed, np.inf, time))
    leave = np.where(missed, -np.inf, np.where(still | (rate < 0.0), np.inf, np.maximum(time, 0.0)))
    return Spans(enter, leave, shapes.normal, _features(len(shapes), FeatureKind.FACE))


def planes(shapes: Planes, lines: Lines, center: Floats) -> Spans:
    """Return where lines pass through planes."""
    gap, rate = dot(shapes.normal, lines.point) - shapes.offset, dot(shapes.normal, lines.along)
    still, lies = np.abs(rate) <= lines.level, np.abs(gap) <= lines.slack
    time = np.where(lies, 0.0, -gap / np.where(still, 1.0, rate))
    missed = still & ~lies
    normal = np.where((rate > 0.0)[:, None], -shapes.normal, shapes.normal)
    feature = _features(len(shapes), FeatureKind.FACE)
    return Spans(np.where(missed, np.inf, time), np.where(missed, -np.inf, time), normal, feature)


FORMS: dict[type[Any], Form] = {
    Spheres: spheres,
    Capsules: capsules,
    Cylinders: cylinders,
    Cones: cones,
    Ellipsoids: ellipsoids,
    Boxes: boxes,
    Triangles: triangles,
    Hulls: hulls,
    HalfSpaces: half_spaces,
    Planes: planes,
}


def _features(count: int, kind: int, index: Ints | int = 0) -> Ints:
    result = np.empty((count, 2), dtype=np.int64)
    result[:, 0], result[:, 1] = kind, index
    return result


def finite(time: Floats) -> Floats:
    """The parameters, with 0 for infinite ones."""
    return np.where(np.isfinite(time), time, 0.0)


def _turned(rotation: Floats, vector: Floats) -> Floats:
    """Transform vectors (R, 3) to the frames of rotations (R, 3, 3)."""
    result: Floats = np.einsum("nji,nj->ni", rotation, vector)
    return result


# The parameters at which lines enter and leave a shape, and the same for the shape inflated by the slack: (R,) each.
Interval = tuple[Floats, Floats, Floats, Floats]


def meet(*intervals: Interval) -> tuple[Floats, Floats]:
    """Intersect the intervals of some convex shapes. inf and -inf if the inflated shapes have no common point."""
    enter, leave = intervals[0][0], intervals[0][1]
    near, far = intervals[0][2], intervals[0][3]
    for each in intervals[1:]:
        enter, leave = np.maximum(enter, each[0]), np.minimum(leave, each[1])
        near, far = np.maximum(near, each[2]), np.minimum(far, each[3])
    return _within(enter, leave, near, far)


def _within(enter: Floats, leave: Floats, near: Floats, far: Floats) -> tuple[Floats, Floats]:
    """The intervals of shapes if the lines meet the inflated shapes.

    A line that only touches enters and leaves at once.
    """
    met = near <= far
    enter = np.minimum(np.maximum(enter, near), far)
    return np.where(met, enter, np.inf), np.where(met, np.maximum(np.minimum(leave, far), enter), -np.inf)


def in_ball(nearest: Floats, along: Floats, radius: Floats, slack: Floats) -> Interval:
    """The intervals of lines in balls. `nearest` (R, 3): their points that are nearest to the centers."""
    # Repeated, to remove the rounding error of the first pass.
    away = length(nearest - dot(nearest, along)[:, None] * along)
    half = np.sqrt(np.maximum((radius - away) * (radius + away), 0.0))
    wide = radius + slack
    most = np.where(away <= wide, np.sqrt(np.maximum((wide - away) * (wide + away), 0.0)), -np.inf)
    return -half, half, -most, most


def _in_tube(lines: Lines, axis: Floats, radius: Floats) -> Interval:
    """The intervals of lines in infinite cylinders. Lines along the axis are entirely inside or outside."""
    place = lines.point - dot(lines.point, axis)[:, None] * axis
    along = lines.along - dot(lines.along, axis)[:, None] * axis
    sine = length(along)
    unit = along / np.where(sine > 0.0, sine, 1.0)[:, None]
    time = -dot(place, unit)
    found = in_ball(place + time[:, None] * unit, unit, radius, lines.slack)
    still = sine <= lines.level
    within = np.where(length(place) <= radius + lines.slack, np.inf, -np.inf)
    divisor = np.where(still, 1.0, sine)
    with np.errstate(over="ignore"):
        ends = [
            np.where(still, sign * within, (time + each) / divisor) for each, sign in zip(found, _ENDS, strict=True)
        ]
    return ends[0], ends[1], ends[2], ends[3]


def _between(place: Floats, rate: Floats, reach: Floats, lines: Lines) -> Interval:
    """The intervals of lines between two parallel planes at this distance from the origin.

    Lines along the planes are entirely between them or not at all.
    """
    still, side = np.abs(rate) <= lines.level, np.where(rate < 0.0, -1.0, 1.0)
    wide = reach + lines.slack
    within = np.where(np.abs(place) <= wide, np.inf, -np.inf)
    divisor = np.where(still, 1.0, rate)
    with np.errstate(over="ignore"):
        ends = [
            np.where(still, sign * within, (sign * side * far - place) / divisor)
            for far, sign in zip((reach, reach, wide, wide), _ENDS, strict=True)
        ]
    return ends[0], ends[1], ends[2], ends[3]


# The ends of intervals: two where a line enters, two where it leaves.
_ENDS = (-1.0, 1.0, -1.0, 1.0)


def _in_cone(place: Floats, along: Floats, axis: Floats, slope: Floats, height: Floats) -> tuple[Floats, Floats]:
    """The intervals of lines in cones with the apex at the origin, without the other half of the double cone."""
    # From the nearest point to the apex: for a line through the apex, the root is as accurate as that point.
    time = -dot(place, along)
    place = place + time[:, None] * along
    down, rate = -dot(place, axis), -dot(along, axis)
    radial, across = place + down[:, None] * axis, along + rate[:, None] * axis
    # The squared distance from the axis minus that of the surface: square t² + 2 linear t + constant.
    steep = slope * slope
    square = dot(across, across) - steep * rate * rate
    linear = dot(radial, across) - steep * down * rate
    constant = (length(radial) - slope * down) * (length(radial) + slope * down)
    root = linear * linear - square * constant
    missed = (root < 0.0) & (square > 0.0)
    larger = -(linear + np.where(linear < 0.0, -1.0, 1.0) * np.sqrt(np.maximum(root, 0.0)))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        one, other = larger / square, np.where(larger == 0.0, 0.0, constant / larger)
        one = np.where((larger == 0.0) & (square == 0.0), 0.0, one)
        low, high = np.minimum(one, other), np.maximum(one, other)
        above = (down + rate * low) + (down + rate * high) < 0.0
    # A line that is steeper than the surface passes through both halves.
    both = square < 0.0
    enter = np.where(both, np.where(rate > 0.0, high, -np.inf), low)
    leave = np.where(both, np.where(rate > 0.0, np.inf, low), high)
    missed |= ~both & above
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        base = (height - down) / rate
    enter = np.where(rate < 0.0, np.maximum(enter, base), enter)
    leave = np.where(rate > 0.0, np.minimum(leave, base), leave)
    missed |= ((rate == 0.0) & (down > height)) | ~(enter <= leave)
    return np.where(missed, np.inf, enter + time), np.where(missed, -np.inf, leave + time)


def in_polytopes(planes: Floats, first: Ints, last: Ints, lines: Lines) -> tuple[Floats, Floats, Ints]:
    """The intervals of lines in polytopes, which are ranges of planes (F, 4), and the planes of entry."""
    count = len(lines)
    times, face = np.empty((count, 2)), np.empty(count, dtype=np.int64)
    rays = np.concatenate([lines.point, lines.along, lines.slack[:, None], lines.level[:, None]], axis=1)
    kernels.polytopes(np.ascontiguousarray(planes), np.stack([first, last], axis=1), rays, times, face)
    return times[:, 0].copy(), times[:, 1].copy(), face


def _planes(hull: ConvexHull) -> tuple[Floats, Ints]:
    """The planes (F, 4) of a hull, and the feature of each (F, 2). A flat hull also has planes at its edges."""
    normal, offset = hull.normals, hull.offsets
    name = _features(len(normal), FeatureKind.FACE, np.arange(len(normal)))
    if hull.dimension == 2:
        start, end = hull.points[hull.edges[:, 0]], hull.points[hull.edges[:, 1]]
        out = normalized(cross(end - start, normal[hull.edge_faces[:, 0]]), np.zeros(3))
        normal = np.concatenate([normal, out])
        offset = np.concatenate([offset, dot(out, start)])
        name = np.concatenate([name, _features(len(out), FeatureKind.EDGE, np.arange(len(out)))])
    return np.concatenate([normal, offset[:, None]], axis=1), name
