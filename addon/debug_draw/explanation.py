# SPDX-License-Identifier: GPL-3.0-or-later
"""Explanation of why two shapes collide or not: a candidate axis with its ruler and the features that determine it."""

import numpy as np

from ...core.convex.support import support
from ...core.hull.planar import convex_hull
from ...core.numerics.types import Floats, Ints
from ...core.numerics.vectors import cross, length, perpendicular
from ...core.planar.world import PlacedWorld
from ...core.query.candidate_axes import AxisStatus, CandidateAxes, candidate_axes
from ...core.query.coplanar import CoplanarFaces
from ...core.query.intersections import crossing
from ...core.results import FeatureKind, UnsupportedPair
from ...core.shapes import Boxes, HalfSpaces, Hulls, Meshes, Planes, Shapes, Triangles
from ...core.world.world import World
from .features import feature_primitives
from .primitives import Primitives, as_lines, as_triangles, concatenate
from .roles import Role
from .ruler import Projection, offset_direction, ruler
from .shapes import shape_at
from .surfaces import shape_triangles

_ENDLESS = HalfSpaces | Planes
_FLAT_FACED = Boxes | Triangles | Hulls | Meshes

# Axes that agree in this many decimals are listed once, and sides of coplanar faces are on one line.
_DECIMALS = 6


def pair_axes(world: World | PlacedWorld, row_a: int, row_b: int) -> CandidateAxes | None:
    """Return the candidate axes of a pair of shapes. None if one of them is not convex, or is planar."""
    if isinstance(world, PlacedWorld):
        return None
    try:
        return candidate_axes(world, world, [[row_a, row_b]])
    except UnsupportedPair:
        return None


def listed_axes(axes: CandidateAxes) -> tuple[Ints, Ints]:
    """Return the listed axes of a pair, and the rows of its parallel edges, which have no axis.

    Axes with the same direction are listed once, as the first of them. The deciding axis comes first. If gaps are
    equal, it is the one with row `best`.
    """
    rows = axes.of(0)
    parallel = axes.status[rows] == AxisStatus.PARALLEL
    edges, rows = rows[parallel], rows[~parallel]
    best = axes.best[0] if len(axes.best) else -1
    rest = rows[rows != best]
    tested = axes.status[rows] == AxisStatus.TESTED
    first = [best] if len(rows) and tested.any() else []
    rows = np.concatenate([np.array(first, np.int64), rest if first else rows])
    if not len(rows):
        return rows, edges
    same = np.round(axes.axis[rows], _DECIMALS)
    # Opposite faces have the same axis. The direction with the larger gap comes first and is listed.
    leading = np.take_along_axis(same, (same != 0.0).argmax(axis=1)[:, None], axis=1)
    _, earliest = np.unique(np.where(leading < 0.0, -same, same) + 0.0, axis=0, return_index=True)
    listed = axes.status[rows] != AxisStatus.TESTED
    listed[earliest] = True
    return rows[listed], edges


def axis_primitives(
    world: World,
    row_a: int,
    row_b: int,
    axes: CandidateAxes,
    which: int,
    *,
    middle: Floats,
    size: float,
    label: str,
    with_ruler: bool = True,
) -> Primitives:
    """Show one candidate axis of a pair: the ruler, and the features that determine the axis.

    For a skipped axis, only the features are shown: it was skipped because they are parallel.

    Parameters
    ----------
    world : World
    row_a, row_b : int
        The shapes.
    axes : CandidateAxes
        Axes of this pair.
    which : int
        Row of `axes`.
    middle : (3,) float64
        Point between the shapes where they meet or are nearest.
    size : float
        Size of the smaller shape, in the caller's unit, above zero.
    label : str
        Text at the overlap or gap.
    with_ruler : bool, optional
        Whether the ruler is shown.
    """
    a, b = shape_at(world, row_a), shape_at(world, row_b)
    along = axes.axis[which]
    parts = [
        feature_primitives(shape, _facing(shape, feature[which], way), role, focus=middle, size=size)
        for shape, feature, role, way in (
            (a, axes.feature_a, Role.FEATURE_A, along),
            (b, axes.feature_b, Role.FEATURE_B, -along),
        )
    ]
    if with_ruler and axes.status[which] == AxisStatus.TESTED:
        axis = axes.axis[which]
        projections = [
            _projection(shape, axis, *interval[which])
            for shape, interval in ((a, axes.interval_a), (b, axes.interval_b))
        ]
        top = _top(a, b, offset_direction(axis), middle, size)
        parts.append(ruler(axis, *projections, middle=middle, top=top, size=size, label=label))
    return concatenate(parts)


def patch_primitives(points: Floats, normal: Floats) -> Primitives:
    """Show the area spanned by contact points (K, 3) across the normal: a filled outline, or a line."""
    if not len(points):
        return Primitives()
    u = perpendicular(normal[None])[0]
    hull = convex_hull((points - points.mean(axis=0)) @ np.stack([u, cross(normal, u)], axis=1))
    ring = points[hull.outline]
    if hull.dimension < 2:
        return as_lines(ring[None], Role.PATCH) if hull.dimension else Primitives()
    fan = np.stack([np.broadcast_to(ring[0], ring[1:-1].shape), ring[1:-1], ring[2:]], axis=1)
    outline = np.stack([ring, np.roll(ring, -1, axis=0)], axis=1)
    return concatenate([as_triangles(fan, Role.PATCH), as_lines(outline, Role.PATCH)])


def coplanar_primitives(faces: CoplanarFaces) -> Primitives:
    """Fill the overlaps of coplanar faces, and draw the border of the area that they cover together."""
    outline = faces.outline
    fans = np.stack(
        [np.broadcast_to(outline[:, :1], outline[:, 2:].shape), outline[:, 1:-1], outline[:, 2:]], axis=2
    ).reshape(-1, 3, 3)
    # Unused corners repeat the first.
    fans = fans[cross(fans[:, 1] - fans[:, 0], fans[:, 2] - fans[:, 0]).any(axis=1)]
    sides = np.stack([outline, np.roll(outline, -1, axis=1)], axis=2)
    used = (np.ptp(sides, axis=2) > 0.0).any(axis=2)
    normal = np.broadcast_to(faces.normal[:, None], (*sides.shape[:2], 3))[used]
    return concatenate([as_triangles(fans, Role.COPLANAR), as_lines(_border(sides[used], normal), Role.COPLANAR)])


def _border(sides: Floats, normal: Floats) -> Floats:
    """Return the parts (K, 2, 3) of the sides (S, 2, 3) of polygons that no polygon in the same plane is beyond.

    The sides are directed, with the polygon on the left seen against the normal (S, 3) of its plane. Along each line,
    sides of neighbors have opposite directions, and cancel.
    """
    if not len(sides):
        return sides
    center = sides.reshape(-1, 3).mean(axis=0)
    size = float(np.abs(sides - center).max())
    along = sides[:, 1] - sides[:, 0]
    along /= length(along)[:, None]
    rounded = np.round(along, _DECIMALS)
    leading = np.take_along_axis(rounded, (rounded != 0.0).argmax(axis=1)[:, None], axis=1)
    along = np.where(leading < 0.0, -along, along)
    moment = cross((sides[:, 0] - center) / size, along)
    _, line = np.unique(_groups(np.concatenate([along, moment, normal], axis=1)), axis=0, return_inverse=True)
    points, line = sides.reshape(-1, 3), np.repeat(line.reshape(-1), 2)
    place = ((points - center) * np.repeat(along, 2, axis=0)).sum(axis=1)
    order = np.lexsort((place, line))
    points, place, line = points[order], place[order], line[order]
    # Sides along the line less those against it, from each end of a side to the next.
    count = np.cumsum(np.tile([1, -1], len(sides))[order])[:-1]
    kept = (count != 0) & (line[1:] == line[:-1]) & (np.diff(place) > size * 10.0**-_DECIMALS)
    return np.stack([points[:-1][kept], points[1:][kept]], axis=1)


def _groups(values: Floats) -> Ints:
    """Number the values of each column, the same number for values that differ by rounding.

    Values that are rounded to decimals differ where they are on both sides of a half.
    """
    order = np.argsort(values, axis=0)
    steps = np.diff(np.take_along_axis(values, order, axis=0), axis=0) > 10.0**-_DECIMALS
    result = np.zeros(values.shape, dtype=np.int64)
    np.put_along_axis(result, order[1:], np.cumsum(steps, axis=0), axis=0)
    return result


def crossing_primitives(world: World | PlacedWorld, row_a: int, row_b: int) -> Primitives:
    """Show the lines in which the surfaces of two flat-faced shapes cross. Empty if one of them is round."""
    if isinstance(world, PlacedWorld):
        return Primitives()
    a, b = _surface(world, row_a), _surface(world, row_b)
    if a is None or b is None:
        return Primitives()
    found = crossing(a, b)
    real = ~found.coplanar
    return as_lines(np.stack([found.start[real], found.end[real]], axis=1), Role.CURVE)


def _surface(world: World, row: int) -> Meshes | None:
    shape = shape_at(world, row)
    if isinstance(shape, Meshes):
        return shape
    if not isinstance(shape, _FLAT_FACED):
        return None
    corners = shape_triangles(world, row)
    points, index = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    return Meshes.from_triangles([(points, index.reshape(-1, 3))]) if len(corners) else None


def _facing(shape: Shapes, feature: Ints, way: Floats) -> Ints:
    """Return the parallel edge of a box that is farthest along their common candidate axis."""
    if not isinstance(shape, Boxes) or feature[0] != FeatureKind.EDGE:
        return feature
    axis = int(feature[1]) // 4
    low, high = (k for k in range(3) if k != axis)
    far = way @ shape.rotation[0] > 0.0
    return np.array([FeatureKind.EDGE, 4 * axis + int(far[low]) + 2 * int(far[high])])


def _projection(shape: Shapes, axis: Floats, low: float, high: float) -> Projection:
    ends = []
    for value, way in ((low, -axis), (high, axis)):
        ends.append(support(shape, way[None])[0] if np.isfinite(value) else np.full(3, np.nan))
    return Projection(float(low), float(high), ends[0], ends[1])


def _top(a: Shapes, b: Shapes, away: Floats, middle: Floats, size: float) -> float:
    """Return how far the shapes extend from the middle. A much larger shape is cut off."""
    reach = [
        float((support(shape, away[None])[0] - middle) @ away) for shape in (a, b) if not isinstance(shape, _ENDLESS)
    ]
    return min(max(reach, default=0.0), min(reach, default=0.0) + size)
