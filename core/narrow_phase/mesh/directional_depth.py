# SPDX-License-Identifier: GPL-3.0-or-later
"""How far one triangle must be translated along a direction to separate it from another.

Both triangles are projected along the direction. Each point of a projection has a height. The translation is the
greatest height difference over the intersection of the projections. The maximum is at a corner of one triangle over
the other, or where two edges cross.
"""

from dataclasses import dataclass

import numpy as np

from ...numerics.types import Floats, Ints
from ...numerics.vectors import perpendicular
from ...results import FeatureKind

_NEXT = np.array([1, 2, 0])
_VERTEX, _EDGE, _FACE = (int(kind) for kind in FeatureKind)
# Feature kind and number of P and of Q for each candidate, in the order in which `depths_along` lists them.
_FEATURES = np.array(
    [((_VERTEX, i), (_FACE, 0)) for i in range(3)]
    + [((_FACE, 0), (_VERTEX, i)) for i in range(3)]
    + [((_EDGE, i), (_EDGE, j)) for i in range(3) for j in range(3)]
    + [((_VERTEX, i), (_EDGE, j)) for i in range(3) for j in range(3)]
    + [((_EDGE, j), (_VERTEX, i)) for i in range(3) for j in range(3)],
    dtype=np.int64,
)


@dataclass(frozen=True)
class Depths:
    """Separating translations along given directions.

    Attributes
    ----------
    length : (K,) float64
        How far Q has to move along the direction; at least zero.
    point : (K, 3) float64
        On P's surface, where the triangles separate last.
    feature_p, feature_q : (K, 2) int64
        `FeatureKind` and number in the triangle of the features that separate last. Edge i runs from corner i to the
        next corner.
    """

    length: Floats
    point: Floats
    feature_p: Ints
    feature_q: Ints


def depths_along(p: Floats, q: Floats, direction: Floats, slack: Floats) -> Depths:
    """Compute how far triangles Q have to move along unit directions to be separated from P.

    Parameters
    ----------
    p, q : (K, 3, 3) float64
        Triangles that intersect.
    direction : (K, 3) float64
    slack : (K,) float64
        Lengths up to this cannot be distinguished from zero.
    """
    count = len(p)
    side = perpendicular(direction)
    frame = np.stack([side, np.cross(direction, side), direction], axis=1)
    origin = p[:, :1]
    flat_p, flat_q = (np.einsum("kij,knj->kni", frame, corners - origin) for corners in (p, q))
    over_p, ok_p = _over(flat_q, flat_p, slack)  # heights of P's plane at the corners of Q
    over_q, ok_q = _over(flat_p, flat_q, slack)
    across, where, ok_edges = _crossings(flat_p, flat_q, slack)
    on_edge_q, ok_on_q = _on_edges(flat_p, flat_q, slack, lowest=True)
    on_edge_p, ok_on_p = _on_edges(flat_q, flat_p, slack, lowest=False)
    way = np.concatenate(
        [
            flat_p[..., 2] - over_q,
            over_p - flat_q[..., 2],
            across,
            (flat_p[:, :, None, 2] - on_edge_q).reshape(count, 9),
            (on_edge_p - flat_q[:, :, None, 2]).reshape(count, 9),
        ],
        axis=1,
    )
    valid = np.concatenate([ok_q, ok_p, ok_edges, ok_on_q.reshape(count, 9), ok_on_p.reshape(count, 9)], axis=1)
    way = np.where(valid, way, -np.inf)
    best = way.argmax(axis=1)
    at = np.arange(count)
    far = np.maximum(way[at, best], 0.0)
    at_p = np.zeros((count, 33, 3))
    at_p[:, :3] = p
    lift_p = over_p - flat_q[..., 2]
    at_p[:, 3:6] = q + lift_p[..., None] * direction[:, None]
    at_p[:, 6:15] = np.einsum("kij,kni->knj", frame, where) + origin
    at_p[:, 15:24] = np.repeat(p, 3, axis=1)
    at_p[:, 24:33] = (
        q[:, :, None] + (on_edge_p - flat_q[:, :, None, 2])[..., None] * direction[:, None, None]
    ).reshape(count, 9, 3)
    point = np.where(np.isfinite(at_p[at, best]), at_p[at, best], p[:, 0])
    return Depths(far, point, _FEATURES[best, 0], _FEATURES[best, 1])


def _cross(u: Floats, v: Floats) -> Floats:
    """Cross product of the first two coordinates of vectors."""
    result: Floats = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    return result


def _over(points: Floats, flat: Floats, slack: Floats) -> tuple[Floats, np.ndarray]:
    """Heights of triangles at corners of others (K, 3), and whether the corners project into them, edges included."""
    start, end = flat, flat[:, _NEXT]
    along = end - start
    area = _cross(along[:, 0], flat[:, 2] - flat[:, 0])
    size = np.hypot(along[..., 0], along[..., 1])
    sure = np.abs(area) > 4.0 * slack * size.max(axis=1)
    # Twice the areas between each corner and each edge, positive inside for either orientation.
    turn = np.sign(area)[:, None, None]
    part = turn * _cross(along[:, None], points[:, :, None] - start[:, None])
    within = (part >= -(slack[:, None] * size)[:, None]).all(axis=2)
    weight = part[..., [1, 2, 0]] / np.where(sure, np.abs(area), 1.0)[:, None, None]
    height = np.einsum("kni,ki->kn", weight, flat[..., 2])
    lowest, highest = flat[..., 2].min(axis=1)[:, None], flat[..., 2].max(axis=1)[:, None]
    return np.clip(height, lowest, highest), within & sure[:, None]


def _crossings(p: Floats, q: Floats, slack: Floats) -> tuple[Floats, Floats, np.ndarray]:
    """For each edge pair: the height of P over Q at the crossing, the point on P, and whether the edges cross."""
    start_p, along_p = p[:, :, None], (p[:, _NEXT] - p)[:, :, None]
    start_q, along_q = q[:, None], (q[:, _NEXT] - q)[:, None]
    turn = _cross(along_p, along_q)
    size_p, size_q = (np.hypot(along[..., 0], along[..., 1]) for along in (along_p, along_q))
    sure = np.abs(turn) > 4.0 * slack[:, None, None] * np.maximum(size_p, size_q)
    safe = np.where(sure, turn, 1.0)
    s = _cross(start_q - start_p, along_q) / safe
    t = _cross(start_q - start_p, along_p) / safe
    give = slack[:, None, None] * np.maximum(size_p, size_q) / np.abs(safe)
    crosses = sure & (s >= -give) & (s <= 1.0 + give) & (t >= -give) & (t <= 1.0 + give)
    s, t = np.clip(s, 0.0, 1.0)[..., None], np.clip(t, 0.0, 1.0)[..., None]
    on_p, on_q = start_p + s * along_p, start_q + t * along_q
    count = len(p)
    return (
        (on_p - on_q)[..., 2].reshape(count, 9),
        on_p.reshape(count, 9, 3),
        crosses.reshape(count, 9),
    )


def _on_edges(points: Floats, flat: Floats, slack: Floats, lowest: bool) -> tuple[Floats, np.ndarray]:
    """Heights of each edge at the corners of other triangles that lie on it, (K, 3, 3), and whether they do.

    If an edge is parallel to the direction, the height is that of its lower or its upper end.
    """
    start, along = flat[:, None], (flat[:, _NEXT] - flat)[:, None]
    offset = points[:, :, None] - start
    square = along[..., 0] ** 2 + along[..., 1] ** 2
    size = np.sqrt(square)
    sure = size > 4.0 * slack[:, None, None]
    t = (offset[..., 0] * along[..., 0] + offset[..., 1] * along[..., 1]) / np.where(sure, square, 1.0)
    t = np.clip(t, 0.0, 1.0)
    beside = np.hypot(offset[..., 0] - t * along[..., 0], offset[..., 1] - t * along[..., 1])
    ends = np.stack([start[..., 2], start[..., 2] + along[..., 2]])
    end = ends.min(axis=0) if lowest else ends.max(axis=0)
    height = np.where(sure, start[..., 2] + t * along[..., 2], end)
    close = np.where(sure, beside, np.hypot(offset[..., 0], offset[..., 1]))
    return height, close <= 4.0 * slack[:, None, None]
