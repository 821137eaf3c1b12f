# SPDX-License-Identifier: GPL-3.0-or-later
"""Convert the evidence of one pair to primitives."""

import numpy as np
from numpy.typing import ArrayLike

from ...core.numerics.types import Floats
from ...core.numerics.vectors import cross, perpendicular
from ...core.numerics.vectors import length as row_length
from .primitives import Primitives, as_label, as_lines, as_points, concatenate
from .roles import Role

# Length of an arrowhead as a fraction of the arrow. Its width is 0.8 times its length.
HEAD = 0.22

# Half the length of a tick at an end of the depth of a pair, as a fraction of the arrow.
TICK = 0.15

# Contact normals are shorter than the way out beside them.
NORMAL_SHARE = 0.6

# Witness points are shown if they are at least this far apart, as a fraction of the arrow. Nearer ones would cover each
# other and what is between them.
WITNESS = 0.25


def pair_primitives(
    point_a: ArrayLike,
    point_b: ArrayLike,
    normal: ArrayLike,
    distance: float,
    contact_points: ArrayLike,
    contact_depths: ArrayLike,
    length: float,
    label: str = "",
    *,
    contact_normals: ArrayLike = (),
    label_role: Role | None = None,
    label_at_a: bool | None = None,
) -> Primitives:
    """Show the evidence of one pair: the segment between its witness points, and its contacts.

    The segment is `Role.DEPTH` for a penetrating pair and `Role.GAP` for a pair that is apart. It has ticks across its
    ends: an arrow would tell one of the shapes to move. The witness points are shown if the segment is long enough to
    be seen between them. Every contact point has a line along the normal and, if it is deep, its own depth segment.

    Parameters
    ----------
    point_a, point_b : (3,) array-like
        Witness points, with ``point_b - point_a == distance * normal``.
    normal : (3,) array-like
        Unit vector from A to B.
    distance : float
        Negative: the penetration depth. For zero, neither the segment nor the witness points are drawn.
    contact_points : (K, 3) array-like
    contact_depths : (K,) array-like
        Positive: how far the surfaces have passed each other at the point. Other points get no segment.
    length : float
        Length of the way out in the caller's unit, above zero. Ticks and normals are fractions of it.
    label : str, optional
        Text at the segment. Empty: none.
    contact_normals : (K, 3) array-like, optional
        Unit vectors from A to B. Default: `normal` for all contacts.
    label_role : Role, optional
        Role of the label. Default: that of the segment between the witness points.
    label_at_a : bool, optional
        Whether the label is at the witness point on A, or on B, on the side away from the other. Default: at the upper
        one.

    Raises
    ------
    ValueError
        If an array has the wrong shape, a number is not finite, or `length` is not above zero.
    """
    a, b = _vector(point_a, "point_a"), _vector(point_b, "point_b")
    along = _vector(normal, "normal")
    points = _finite(np.asarray(contact_points, np.float64).reshape(-1, 3), "contact_points")
    depths = _finite(np.asarray(contact_depths, np.float64).reshape(-1), "contact_depths")
    ways = _finite(np.asarray(contact_normals, np.float64).reshape(-1, 3), "contact_normals")
    ways = ways if len(ways) else np.broadcast_to(along, points.shape)
    if len(points) != len(depths):
        raise ValueError(f"contact_depths: {len(depths)} rows, but contact_points has {len(points)}")
    if len(ways) != len(points):
        raise ValueError(f"contact_normals: {len(ways)} rows, but contact_points has {len(points)}")
    if not (np.isfinite(distance) and np.isfinite(length) and length > 0.0):
        raise ValueError(f"distance and length must be finite and length above zero: {distance}, {length}")

    between = Role.DEPTH if distance < 0.0 else Role.GAP
    parts = [as_lines(np.stack([points, points + NORMAL_SHARE * length * ways], axis=1), Role.NORMAL)]
    deep = depths > 0.0
    half = depths[deep, None] / 2.0 * ways[deep]
    parts.append(as_lines(np.stack([points[deep] - half, points[deep] + half], axis=1), Role.DEPTH))
    parts.append(as_points(points, Role.CONTACT))
    if distance != 0.0:
        parts.append(as_lines(np.stack([a, b])[None], between))
        parts.append(_ticks(np.stack([a, b]), along, TICK * length, between))
    if abs(distance) >= WITNESS * length:
        parts += [as_points(a[None], Role.WITNESS_A), as_points(b[None], Role.WITNESS_B)]
    at_a = a[2] > b[2] if label_at_a is None else label_at_a
    at, away = (a, b) if at_a else (b, a)
    parts.append(as_label(at, between if label_role is None else label_role, label, away))
    return concatenate(parts)


def way_primitives(
    tail: Floats, way: Floats, head: float, label: str = "", *, label_role: Role = Role.WAY
) -> Primitives:
    """Show the way of one shape out of the other: an arrow along `way` (3,), and its label at the tip."""
    return concatenate([arrows(tail[None], way[None], head, Role.WAY), as_label(tail + way, label_role, label, tail)])


def arrows(tail: Floats, vector: Floats, head: float, role: Role) -> Primitives:
    """Return arrows from `tail` (N, 3) along `vector` (N, 3): a shaft and a head of four barbs each.

    The head is `head` long, but never longer than the shaft, and 0.8 times as wide as long. A zero vector gives no
    arrow.
    """
    size = row_length(vector)
    tail, vector, size = tail[size > 0.0], vector[size > 0.0], size[size > 0.0]
    tip = tail + vector
    direction = vector / size[:, None]
    across = perpendicular(direction)
    sideways = np.stack([across, cross(direction, across)], axis=1)
    barb = np.minimum(head, size)[:, None, None] * (
        0.4 * np.concatenate([sideways, -sideways], axis=1) - direction[:, None]
    )
    shafts = np.stack([tail, tip], axis=1)
    barbs = np.stack([np.broadcast_to(tip[:, None], barb.shape), tip[:, None] + barb], axis=2)
    return as_lines(np.concatenate([shafts, barbs.reshape(-1, 2, 3)]), role)


def _ticks(at: Floats, along: Floats, half: float, role: Role) -> Primitives:
    """Return two lines across a direction at each of the points (N, 3), so that they are visible from any side."""
    across = perpendicular(along[None])[0]
    sides = half * np.stack([across, cross(along, across)])
    ends = np.stack([at[:, None] - sides, at[:, None] + sides], axis=2)
    return as_lines(ends.reshape(-1, 2, 3), role)


def _vector(value: ArrayLike, field: str) -> Floats:
    vector = np.asarray(value, np.float64)
    if vector.shape != (3,):
        raise ValueError(f"{field}: shape {vector.shape}, but (3,) is needed")
    return _finite(vector, field)


def _finite(value: Floats, field: str) -> Floats:
    if not np.isfinite(value).all():
        raise ValueError(f"{field}: not finite")
    return value
