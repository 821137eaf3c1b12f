# SPDX-License-Identifier: GPL-3.0-or-later
"""Convert the evidence of one pair to primitives."""

import numpy as np
from numpy.typing import ArrayLike

from ...core.numerics.types import Floats
from ...core.numerics.vectors import length as row_length
from ...core.numerics.vectors import perpendicular
from .primitives import Primitives, as_label, as_lines, as_points, concatenate
from .roles import Role

# Length of an arrowhead as a fraction of the arrow. Its width is 0.8 times its length.
HEAD = 0.22

# Contact normals are shorter than the pair's axis beside them.
NORMAL_SHARE = 0.6


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
) -> Primitives:
    """Show the evidence of one pair: its axis, the segment between its witness points, and its contacts.

    The axis runs through both witness points, extends `length` beyond them at both ends, and ends in an arrowhead on
    B's side. The segment between the witness points is `Role.DEPTH` for a penetrating pair and `Role.GAP` for a pair
    that is apart. The label is at the tip of the arrow, where it hides nothing. Every contact point has an arrow along
    the normal and, if it is deep, its own depth segment.

    Parameters
    ----------
    point_a, point_b : (3,) array-like
        Witness points, with ``point_b - point_a == distance * normal``.
    normal : (3,) array-like
        Unit vector from A to B.
    distance : float
        Negative: the penetration depth. No segment is drawn for zero.
    contact_points : (K, 3) array-like
    contact_depths : (K,) array-like
        Positive: how far the surfaces have passed each other at the point. Other points get no segment.
    length : float
        Length of arrows in the caller's unit, above zero.
    label : str, optional
        Text at the tip of the axis. Empty: none.
    contact_normals : (K, 3) array-like, optional
        Unit vectors from A to B. Default: `normal` for all contacts.

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
    if not (np.isfinite(distance) and np.isfinite(length) and length > 0.0):
        raise ValueError(f"distance and length must be finite and length above zero: {distance}, {length}")

    middle, reach = (a + b) / 2.0, abs(distance) / 2.0 + length
    parts = [arrows((middle - reach * along)[None], (2.0 * reach * along)[None], HEAD * length, Role.AXIS)]
    if len(ways) != len(points):
        raise ValueError(f"contact_normals: {len(ways)} rows, but contact_points has {len(points)}")
    parts.append(arrows(points, NORMAL_SHARE * length * ways, HEAD * NORMAL_SHARE * length, Role.NORMAL))
    deep = depths > 0.0
    half = depths[deep, None] / 2.0 * ways[deep]
    parts.append(as_lines(np.stack([points[deep] - half, points[deep] + half], axis=1), Role.DEPTH))
    if distance != 0.0:
        parts.append(as_lines(np.stack([a, b])[None], Role.DEPTH if distance < 0.0 else Role.GAP))
    parts.append(as_points(points, Role.CONTACT))
    parts.append(as_points(a[None], Role.WITNESS_A))
    parts.append(as_points(b[None], Role.WITNESS_B))
    parts.append(as_label(middle + reach * along, Role.DEPTH if distance < 0.0 else Role.GAP, label))
    return concatenate(parts)


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
    sideways = np.stack([across, np.cross(direction, across)], axis=1)
    barb = np.minimum(head, size)[:, None, None] * (
        0.4 * np.concatenate([sideways, -sideways], axis=1) - direction[:, None]
    )
    shafts = np.stack([tail, tip], axis=1)
    barbs = np.stack([np.broadcast_to(tip[:, None], barb.shape), tip[:, None] + barb], axis=2)
    return as_lines(np.concatenate([shafts, barbs.reshape(-1, 2, 3)]), role)


def _vector(value: ArrayLike, field: str) -> Floats:
    vector = np.asarray(value, np.float64)
    if vector.shape != (3,):
        raise ValueError(f"{field}: shape {vector.shape}, but (3,) is needed")
    return _finite(vector, field)


def _finite(value: Floats, field: str) -> Floats:
    if not np.isfinite(value).all():
        raise ValueError(f"{field}: not finite")
    return value
