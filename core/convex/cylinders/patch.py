# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact patches of a cap or side with the supporting feature of the other shape, projected along the normal.

The supporting feature is an outline: the corners of a face, the ends of an edge or of another cylinder's side, or one
point. The patch of a cap consists of corners of the outline in the cap, points of the rim in the outline, and crossings
of the rim with the edges. A side is clipped by the outline. Two caps are two discs.
"""

from dataclasses import dataclass

import numpy as np

from ...numerics.tolerances import CYLINDER_INSIDE, EPS, ROUNDING_STEPS, SIDE_CONTACT, SUPPORT
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import circles, dot, length, normalized
from ...results import FeatureKind
from ...shapes.support_mapped import Outline
from ..manifold import Patch
from .placed import PlacedCylinders, side_outline

# Number of points that represent a rim: enough that the four contacts kept, rim points or crossings, preserve its
# extent.
_RIM_POINTS = 8
# Newton steps to the crossings of two rims that are tilted by at most `FACE_TILT`, and the longest step, in radii.
_CROSSING_STEPS = 4
_LONGEST_STEP = 0.1
# A cosine. Points of a rim are counted from X if the axis is less aligned with X than this, else from Y.
_ALONG_X = 0.9


def cylinder_patch(
    cylinders: PlacedCylinders, outline: Outline, normal: Floats, radius: Floats, level: Floats | None = None
) -> Patch:
    """The contact patch of each cylinder with an outline that faces it.

    Parameters
    ----------
    cylinders : PlacedCylinders
        Shape A, P rows.
    outline : Outline
        The supporting feature of B against the normal.
    normal : (P, 3) float64
        Unit, from A to B.
    radius : (P,) float64
        Radius of B around its outline.
    level : (P,) float64, optional
        Tolerance of the support plane along the normal. None: `tolerances.SUPPORT` times the size; then a cap or side
        may also be tilted by `tolerances.FACE_TILT` against a face.

    Returns
    -------
    Patch
        Rows whose features miss each other by rounding may have no valid point.
    """
    cap = cylinders.facing_cap(normal, level)
    if level is None:
        cap |= cylinders.nearly_facing_cap(normal) & (outline.kind != FeatureKind.VERTEX)
    parts = []
    for rows in (np.flatnonzero(cap), np.flatnonzero(~cap)):
        if len(rows):
            shape, facing, along = cylinders.take(rows), outline.take(rows), normal[rows]
            if cap[rows[0]]:
                on_a, on_b, valid, feature_a, feature_b = _cap_and_outline(shape, facing, along)
            else:
                near = None if level is None else level[rows]
                on_a, on_b, valid, feature_a, feature_b = _side_and_outline(shape, facing, along, near)
            # Points that are not opposite each other along the normal are not contacts.
            aside = SUPPORT * (shape.size + radius[rows]) if level is None else level[rows]
            valid = valid & (length(np.cross(on_b - on_a, along[:, None])) <= aside[:, None])
            if not cap[rows[0]]:
                on_a, on_b, over = _over_each_other(shape, on_a, on_b, along, radius[rows])
                valid &= over
            parts.append((rows, _patch(on_a, on_b, valid, shape.shown(feature_a), feature_b, along, radius[rows])))
    return gathered(parts, len(cylinders))


def gathered(parts: list[tuple[Ints, Patch]], count: int) -> Patch:
    """Combine patches of some rows each into one patch, padded with invalid points."""
    room = max((part.depth.shape[1] for _, part in parts), default=1)
    result = Patch(
        np.zeros((count, room, 3)),
        np.full((count, room), -np.inf),
        np.zeros((count, room), dtype=bool),
        np.zeros((count, room, 2), dtype=np.int64),
        np.zeros((count, room, 2), dtype=np.int64),
    )
    for rows, part in parts:
        for name, value in vars(part).items():
            getattr(result, name)[rows, : value.shape[1]] = value
    return result


def cap_patch(a: PlacedCylinders, b: PlacedCylinders, normal: Floats) -> Patch:
    """The patch of a cap of each A and a cap of B: two discs, projected along the normal (P, 3)."""
    apart = length(b.center - a.center)
    face_a, face_b = _Cap.of(a, normal, apart + b.size), _Cap.of(b, -normal, apart + a.size)
    # The two crossings of the circles.
    spoke = face_a.drop(face_b.center[:, None], normal)[:, 0] - face_a.center
    away = length(spoke)
    foot = (away**2 + a.radius**2 - b.radius**2) / (2.0 * np.where(away > 0.0, away, 1.0))
    square = a.radius**2 - foot**2
    towards = normalized(spoke, np.zeros(3))
    sideways = np.sqrt(np.maximum(square, 0.0))[:, None] * np.cross(face_a.axis, towards)
    crossing = face_a.center[:, None] + (foot[:, None] * towards)[:, None] + np.stack([sideways, -sideways], axis=1)
    crossing = _on_both_rims(face_a, face_b, crossing, normal)
    crosses = np.repeat(((square >= 0.0) & (away > 0.0))[:, None], 2, axis=1)
    rim_a, rim_b = face_a.rim(), face_b.rim()
    under, above = face_b.drop(rim_a, normal), face_a.drop(rim_b, normal)
    on_a = [crossing, rim_a, above]
    on_b = [face_b.drop(crossing, normal), under, rim_b]
    valid = [crosses, face_b.holds(under), face_a.holds(above)]
    caps_a, caps_b = face_a.index[:, None], face_b.index[:, None]
    parts = (2, _RIM_POINTS, _RIM_POINTS)
    kinds_a = np.repeat([FeatureKind.EDGE, FeatureKind.EDGE, FeatureKind.FACE], parts)
    kinds_b = np.repeat([FeatureKind.EDGE, FeatureKind.FACE, FeatureKind.EDGE], parts)
    feature_a = np.stack(np.broadcast_arrays(kinds_a, caps_a), axis=2)
    feature_b = np.stack(np.broadcast_arrays(kinds_b, caps_b), axis=2)
    return _patch(
        np.concatenate(on_a, axis=1),
        np.concatenate(on_b, axis=1),
        np.concatenate(valid, axis=1),
        a.shown(feature_a),
        b.shown(feature_b),
        normal,
        np.zeros(len(a)),
    )


def _patch(
    on_a: Floats, on_b: Floats, valid: Bools, feature_a: Ints, feature_b: Ints, normal: Floats, radius: Floats
) -> Patch:
    """The patch from points of A's and B's features that are over each other along the normal."""
    depth = dot(on_a - on_b, normal[:, None]) + radius[:, None]
    middle = (on_a + on_b - radius[:, None, None] * normal[:, None]) / 2.0
    return Patch(middle, depth, valid, feature_a, feature_b)


@dataclass(frozen=True)
class _Cap:
    """The cap of each cylinder that faces a direction."""

    center: Floats
    axis: Floats  # outward
    radius: Floats
    index: Ints
    slack: Floats

    @classmethod
    def of(cls, cylinders: PlacedCylinders, direction: Floats, reach: Floats) -> "_Cap":
        """Return the caps. `reach` (P,) is the greatest distance of the other feature from the cylinder's center."""
        sign = cylinders.cap_sign(direction)
        slack = CYLINDER_INSIDE * EPS * (cylinders.size + reach)
        center = cylinders.center + sign[:, None] * cylinders.half
        return cls(center, sign[:, None] * cylinders.axis, cylinders.radius, (sign > 0.0).astype(np.int64), slack)

    def rim(self) -> Floats:
        """Points around the rim, (P, K, 3)."""
        # The first point must be stable under noise for common axes. The least coordinate of the axis would not be.
        aside = np.where(np.abs(self.axis[:, :1]) < _ALONG_X, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
        first = normalized(aside - dot(aside, self.axis)[:, None] * self.axis, np.zeros(3))
        circle = circles(first, np.cross(self.axis, first), _RIM_POINTS)
        return self.center[:, None] + self.radius[:, None, None] * circle

    def drop(self, points: Floats, normal: Floats) -> Floats:
        """Points (P, K, 3) moved along the normal into the plane of the cap."""
        rise = dot(self.center[:, None] - points, self.axis[:, None]) / dot(normal, self.axis)[:, None]
        return points + rise[..., None] * normal[:, None]

    def holds(self, points: Floats) -> Bools:
        """Whether points in the plane of the cap are inside it."""
        return length(points - self.center[:, None]) <= (self.radius + self.slack)[:, None]


def _on_both_rims(a: _Cap, b: _Cap, points: Floats, normal: Floats) -> Floats:
    """Move points (P, K, 3) along A's rim to where B's rim is over it, seen along the normal.

    The points are already there except for the tilt between the caps. So a few Newton steps are sufficient.
    """
    tilted = (length(np.cross(a.axis, b.axis)) > ROUNDING_STEPS * EPS)[:, None]
    if not tilted.any():
        return points
    for _ in range(_CROSSING_STEPS):
        out = normalized(points - a.center[:, None], np.zeros(3))
        turn = np.cross(a.axis[:, None], out)
        spoke = b.drop(points, normal) - b.center[:, None]
        moves = turn - (dot(turn, b.axis[:, None]) / dot(normal, b.axis)[:, None])[..., None] * normal[:, None]
        speed = 2.0 * dot(spoke, moves)
        step = (dot(spoke, spoke) - b.radius[:, None] ** 2) / np.where(speed != 0.0, speed, 1.0)
        # For rims that almost touch, the crossing is ill-conditioned.
        step = np.where(np.abs(step) <= _LONGEST_STEP * a.radius[:, None], step, 0.0)
        around = points - step[..., None] * turn - a.center[:, None]
        moved = a.center[:, None] + a.radius[:, None, None] * normalized(around, np.zeros(3))
        points = np.where(tilted[..., None], moved, points)
    return points


def _cap_and_outline(
    cylinders: PlacedCylinders, outline: Outline, normal: Floats
) -> tuple[Floats, Floats, Bools, Ints, Ints]:
    """Corners in the cap, crossings of the rim with the edges, and points of the rim in the face.

    The order matters: of equally deep points, the first is always kept, and it should be the end of an arc.
    """
    count, width = outline.corners.shape[:2]
    corners = outline.corners
    cap = _Cap.of(cylinders, normal, length(corners - cylinders.center[:, None]).max(axis=1))
    under = cap.drop(corners, normal)
    rim = cap.rim()
    above = rim + _height(outline, rim, normal)[..., None] * normal[:, None]
    in_face = (outline.kind == FeatureKind.FACE)[:, None] & _within(outline, above, normal, cap.slack)
    # Edges, projected to the plane of the cap, against the circle: |spoke + t run|² = r².
    spoke = under - cap.center[:, None]
    run = np.roll(under, -1, axis=1) - under
    square = dot(run, run)
    safe = np.where(square > 0.0, square, 1.0)
    middle = -dot(spoke, run) / safe
    nearest = spoke + middle[..., None] * run
    inner = (cap.radius + cap.slack)[:, None] ** 2 - dot(nearest, nearest)
    half = np.sqrt(np.maximum(inner, 0.0) / safe)
    at = np.stack([middle - half, middle + half], axis=2)
    crosses = ((inner >= 0.0) & (square > 0.0))[..., None] & (at >= 0.0) & (at <= 1.0)
    at = np.clip(at, 0.0, 1.0)[..., None]
    on_rim = (under[:, :, None] + at * run[:, :, None]).reshape(count, -1, 3)
    on_side = corners[:, :, None] + at * (np.roll(corners, -1, axis=1) - corners)[:, :, None]
    kinds = np.repeat([FeatureKind.FACE, FeatureKind.EDGE, FeatureKind.EDGE], (width, 2 * width, _RIM_POINTS))
    feature_a = np.stack(np.broadcast_arrays(kinds, cap.index[:, None]), axis=2)
    feature_b = np.concatenate(
        [
            outline.corner_feature,
            np.repeat(outline.side_feature, 2, axis=1),
            np.repeat(outline.face_feature[:, None], _RIM_POINTS, axis=1),
        ],
        axis=1,
    )
    return (
        np.concatenate([under, on_rim, rim], axis=1),
        np.concatenate([corners, on_side.reshape(count, -1, 3), above], axis=1),
        np.concatenate([cap.holds(under), crosses.reshape(count, -1), in_face], axis=1),
        feature_a,
        feature_b,
    )


def _side_and_outline(
    cylinders: PlacedCylinders, outline: Outline, normal: Floats, level: Floats | None
) -> tuple[Floats, Floats, Bools, Ints, Ints]:
    """The ends of the part of the side, or the point of the rim, over the outline: two points each."""
    flat, straight = outline.kind == FeatureKind.FACE, outline.kind == FeatureKind.EDGE
    own = side_outline(cylinders, normal, flat if level is None else None, level)
    start, run = own.corners[:, 0], own.corners[:, 1] - own.corners[:, 0]
    first, last = outline.corners[:, 0], outline.corners[:, 1]
    slack = CYLINDER_INSIDE * EPS * (cylinders.size + length(start - first)) if level is None else level

    enter, leave, side_enter, side_leave = _clipped(outline, start, run, normal, slack)
    other = last - first
    square, other_square = dot(run, run), dot(other, other)
    cross = np.cross(run, other)
    shorter = np.sqrt(np.minimum(square, other_square))
    aside = SUPPORT * shorter if level is None else level
    parallel = dot(cross, cross) <= aside**2 * np.maximum(square, other_square)
    # Parallel edges: the common part.
    ends = dot(outline.corners[:, :2] - start[:, None], run[:, None]) / np.where(square > 0.0, square, 1.0)[:, None]
    shared = np.stack([np.maximum(ends.min(axis=1), 0.0), np.minimum(ends.max(axis=1), 1.0)], axis=1)
    # Other edges: the crossing of the two lines, seen along the normal.
    across = np.cross(other, normal)
    turn = dot(run, across)
    meet = np.clip(dot(first - start, across) / np.where(turn != 0.0, turn, 1.0), 0.0, 1.0)
    beside = straight & parallel & (square > 0.0)
    t = np.stack([meet, meet], axis=1)
    t = np.where(beside[:, None], shared, t)
    t = np.where(flat[:, None], np.stack([enter, leave], axis=1), t)
    corner = dot(first - start, run) / np.where(square > 0.0, square, 1.0)
    t = np.where((outline.kind == FeatureKind.VERTEX)[:, None], np.clip(corner, 0.0, 1.0)[:, None], t)
    t = np.where((square > 0.0)[:, None], t, 0.0)
    valid = np.where((flat | beside)[:, None], (t[:, :1] <= t[:, 1:]) & (t >= 0.0) & (t <= 1.0), True)

    on_a = start[:, None] + t[..., None] * run[:, None]
    on_edge = dot(on_a - first[:, None], other[:, None]) / np.where(other_square > 0.0, other_square, 1.0)[:, None]
    on_edge = first[:, None] + np.clip(on_edge, 0.0, 1.0)[..., None] * other[:, None]
    # At a crossing, the point on the edge is the crossing itself, not the nearest point.
    aside = np.cross(run, normal)
    back = dot(other, aside)
    meet = np.clip(dot(start - first, aside) / np.where(back != 0.0, back, 1.0), 0.0, 1.0)
    crosswise = straight & ~parallel & (square > 0.0)
    on_edge = np.where(crosswise[:, None, None], (first + meet[:, None] * other)[:, None], on_edge)
    on_face = on_a + _height(outline, on_a, normal)[..., None] * normal[:, None]
    on_b = np.where(flat[:, None, None], on_face, on_edge)

    at = np.arange(len(start))[:, None]
    side = np.stack([side_enter, side_leave], axis=1)
    is_end = (t == [0.0, 1.0]) | (square == 0.0)[:, None]
    feature_a = np.where(is_end[..., None], own.corner_feature, own.side_feature)
    on_sides = np.where(is_end[..., None], outline.face_feature[:, None], outline.side_feature[at, side])
    feature_b = np.where(
        flat[:, None, None],
        on_sides,
        np.where(straight[:, None, None], outline.side_feature[:, :1], outline.corner_feature[:, :1]),
    )
    return on_a, on_b, valid, feature_a, feature_b


def _over_each_other(
    cylinders: PlacedCylinders, on_a: Floats, on_b: Floats, normal: Floats, radius: Floats
) -> tuple[Floats, Floats, Bools]:
    """Move points (P, K, 3) that are slightly beside each other around both surfaces until they are over each other.

    Also returns whether the results are on both surfaces. Surfaces with a tiny radius cannot be followed this far.
    """
    own, up, along = cylinders.radius[:, None], normal[:, None], cylinders.axis[:, None]
    between = on_b - on_a
    aside = between - dot(between, up)[..., None] * up
    beside = length(aside)
    both = own + radius[:, None]
    share = np.where(both > 0.0, own / np.where(both > 0.0, both, 1.0), 0.5)
    part_a, part_b = share * beside, (1.0 - share) * beside
    on_a = on_a + share[..., None] * aside
    on_a -= _drop(own, part_a)[..., None] * normalized(cylinders.outward(normal), np.zeros(3))[:, None]
    on_b = on_b - (1.0 - share)[..., None] * aside + _drop(radius[:, None], part_b)[..., None] * up
    spoke = on_a - cylinders.center[:, None]
    level = dot(spoke, along)
    off = np.maximum(np.abs(level) - cylinders.height[:, None], length(spoke - level[..., None] * along) - own)
    off = np.maximum(off, part_b - radius[:, None])
    off = np.maximum(off, length(np.cross(on_b - on_a, up)))
    return on_a, on_b, off <= SIDE_CONTACT * (cylinders.size + radius)[:, None]


def _drop(radius: Floats, aside: Floats) -> Floats:
    """Height difference of a round surface between its ridge and a point beside it."""
    part = np.minimum(aside, radius)
    rest = radius + np.sqrt(radius * radius - part * part)
    return part * part / np.where(rest > 0.0, rest, 1.0)


def _outward(outline: Outline, normal: Floats) -> Floats:
    """Outward vectors of the edges of a face, seen along the normal, (P, K, 3); zero for padding."""
    along = np.roll(outline.corners, -1, axis=1) - outline.corners
    return np.cross(normal[:, None], along)


def _within(outline: Outline, points: Floats, normal: Floats, slack: Floats) -> Bools:
    """Whether points (P, M, 3) project into the faces along the normal, (P, M)."""
    out = normalized(_outward(outline, normal), np.zeros(3))
    beyond = np.matmul(points, out.transpose(0, 2, 1)) - dot(outline.corners, out)[:, None]
    return (beyond <= slack[:, None, None]).all(axis=2)


def _height(outline: Outline, points: Floats, normal: Floats) -> Floats:
    """Distance along the normal from points (P, M, 3) to the plane of a face, (P, M)."""
    slope = dot(normal, outline.plane)
    return dot(outline.corners[:, :1] - points, outline.plane[:, None]) / slope[:, None]


def _clipped(
    outline: Outline, start: Floats, run: Floats, normal: Floats, slack: Floats
) -> tuple[Floats, Floats, Ints, Ints]:
    """Parameters, 0 to 1, at which the segments ``start + t run`` enter and leave a face, and the edges crossed."""
    out = normalized(_outward(outline, normal), np.zeros(3))
    beyond = dot(start[:, None] - outline.corners, out) - slack[:, None]
    speed = dot(run[:, None], out)
    t = -beyond / np.where(speed != 0.0, speed, 1.0)
    enters = np.where(speed < 0.0, t, 0.0)
    leaves = np.where(speed > 0.0, t, 1.0)
    missed = ((speed == 0.0) & (beyond > 0.0)).any(axis=1)
    enter = np.maximum(enters.max(axis=1), 0.0)
    leave = np.where(missed, -1.0, np.minimum(leaves.min(axis=1), 1.0))
    return enter, leave, enters.argmax(axis=1), leaves.argmin(axis=1)
