# SPDX-License-Identifier: GPL-3.0-or-later
"""How far one triangle must be translated along a direction to separate it from another.

Both triangles are projected along the direction. Each point of a projection has a height. The translation is the
greatest height difference over the intersection of the projections. The maximum is at a corner of one triangle over
the other, or where two edges cross.
"""

from dataclasses import dataclass

import numpy as np

from ...numerics.rows import blocks
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import as_columns, dot_columns, perpendicular
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
    """How far triangles Q have to move along unit directions (K, 3) to be separated from P, which they intersect.

    Lengths up to `slack` (K,) cannot be distinguished from zero.
    """
    result = Depths(np.empty(len(p)), np.empty((len(p), 3)), *(np.empty((len(p), 2), dtype=np.int64) for _ in range(2)))
    for rows in blocks(len(p), _BLOCK):
        result.length[rows], best, share = _of_block(p[rows], q[rows], direction[rows], slack[rows])
        result.point[rows] = _points(p[rows], q[rows], direction[rows], result.length[rows], best, share)
        result.feature_p[rows], result.feature_q[rows] = _FEATURES[best, 0], _FEATURES[best, 1]
    return result


def lengths_along(p: Floats, q: Floats, direction: Floats, slack: Floats) -> Floats:
    """The lengths of `depths_along`, (K,)."""
    result = np.zeros(len(p))
    for rows in blocks(len(p), _BLOCK):
        for way, valid in _ways(p[rows], q[rows], direction[rows], slack[rows])[0]:
            way[~valid] = 0.0
            np.maximum(result[rows], way.reshape(-1, way.shape[-1]).max(axis=0), out=result[rows])
    return result


# Triangles processed together. Arrays of nine numbers for each fit in cache.
_BLOCK = 1 << 11


def _of_block(p: Floats, q: Floats, direction: Floats, slack: Floats) -> tuple[Floats, Ints, Floats]:
    """The translations (K,), the candidates that decide, and where on P's edge these are if two edges cross."""
    ways, share = _ways(p, q, direction, slack)
    greatest, best = np.full(len(p), -np.inf), np.zeros(len(p), dtype=np.int64)
    number = 0
    for way, valid in ways:
        for each, usable in zip(way.reshape(-1, len(p)), valid.reshape(-1, len(p)), strict=True):
            better = np.flatnonzero(usable & (each > greatest))
            greatest[better], best[better] = each[better], number
            number += 1
    return np.maximum(greatest, 0.0), best, share.reshape(9, -1)


def _ways(p: Floats, q: Floats, direction: Floats, slack: Floats) -> tuple[list[tuple[Floats, Bools]], Floats]:
    """The height of P over Q for each candidate, by kind, and whether it counts; and the shares of `_crossings`."""
    side = perpendicular(direction)
    frame = [as_columns(each) for each in (side, np.cross(direction, side), direction)]
    origin = as_columns(p[:, 0])
    flat_p, flat_q = (
        np.array([[dot_columns(axis, as_columns(corners[:, n]) - origin) for axis in frame] for n in range(3)])
        for corners in (p, q)
    )
    edges_p, edges_q = flat_p[_NEXT] - flat_p, flat_q[_NEXT] - flat_q
    over_p, ok_p = _over(flat_q, flat_p, edges_p, slack)  # heights of P's plane at the corners of Q
    over_q, ok_q = _over(flat_p, flat_q, edges_q, slack)
    across, ok_edges, share = _crossings(flat_p, edges_p, flat_q, edges_q, slack)
    on_edge_q, ok_on_q = _on_edges(flat_p, flat_q, edges_q, slack, lowest=True)
    on_edge_p, ok_on_p = _on_edges(flat_q, flat_p, edges_p, slack, lowest=False)
    kinds = [
        (flat_p[:, 2] - over_q, ok_q),
        (over_p - flat_q[:, 2], ok_p),
        (across, ok_edges),
        (flat_p[:, None, 2] - on_edge_q, ok_on_q),
        (on_edge_p - flat_q[:, None, 2], ok_on_p),
    ]
    return kinds, share


def _points(p: Floats, q: Floats, direction: Floats, far: Floats, best: Ints, share: Floats) -> Floats:
    """Points on P's surface where the triangles separate last, (K, 3)."""
    result = p[:, 0].copy()
    kind = np.searchsorted(_FIRST, best, side="right") - 1
    number = best - _FIRST[kind]
    rows = np.flatnonzero(kind == 0)
    result[rows] = p[rows, number[rows]]
    rows = np.flatnonzero(kind == 1)
    result[rows] = q[rows, number[rows]] + far[rows, None] * direction[rows]
    rows = np.flatnonzero(kind == 2)
    start = number[rows] // 3
    tail, head = p[rows, start], p[rows, _NEXT[start]]
    result[rows] = tail + share[number[rows], rows, None] * (head - tail)
    rows = np.flatnonzero(kind == 3)
    result[rows] = p[rows, number[rows] // 3]
    rows = np.flatnonzero(kind == 4)
    result[rows] = q[rows, number[rows] // 3] + far[rows, None] * direction[rows]
    return result


# The first candidate of each kind in `_FEATURES`.
_FIRST = np.array([0, 3, 6, 15, 24])


def _over(points: Floats, flat: Floats, edges: Floats, slack: Floats) -> tuple[Floats, Bools]:
    """Heights of triangles at corners of others (3, K), and whether the corners project into them, edges included."""
    x, y, z = flat.transpose(1, 0, 2)
    along_x, along_y, _ = edges.transpose(1, 0, 2)
    area = along_x[0] * (y[2] - y[0]) - along_y[0] * (x[2] - x[0])
    size = np.sqrt(along_x * along_x + along_y * along_y)
    sure = np.abs(area) > 4.0 * slack * size.max(axis=0)
    turn, divisor = np.sign(area), np.where(sure, np.abs(area), 1.0)
    give = -slack * size
    lowest, highest = z.min(axis=0), z.max(axis=0)
    height, within = np.zeros((3, len(area))), np.empty((3, len(area)), dtype=bool)
    for corner in range(3):
        within[corner] = sure
        for edge in range(3):
            # Twice the area between the corner and the edge, positive inside for either orientation.
            part = along_x[edge] * (points[corner, 1] - y[edge]) - along_y[edge] * (points[corner, 0] - x[edge])
            part *= turn
            within[corner] &= part >= give[edge]
            height[corner] += part / divisor * z[edge - 1]
    return np.clip(height, lowest, highest), within


def _crossings(p: Floats, edges_p: Floats, q: Floats, edges_q: Floats, slack: Floats) -> tuple[Floats, Bools, Floats]:
    """For each edge pair: the height of P over Q at the crossing, whether the edges cross, and where on P's edge."""
    along_p, along_q = edges_p[:, None], edges_q[None]
    turn = along_p[:, :, 0] * along_q[:, :, 1] - along_p[:, :, 1] * along_q[:, :, 0]
    size_p, size_q = (np.sqrt(each[:, 0] ** 2 + each[:, 1] ** 2) for each in (edges_p, edges_q))
    give = slack * np.maximum(size_p[:, None], size_q)
    sure = np.abs(turn) > 4.0 * give
    safe = np.where(sure, turn, 1.0)
    x, y = (q[None, :, axis] - p[:, None, axis] for axis in (0, 1))
    s = (x * along_q[:, :, 1] - y * along_q[:, :, 0]) / safe
    t = (x * along_p[:, :, 1] - y * along_p[:, :, 0]) / safe
    give /= np.abs(safe)
    crosses = sure & (s >= -give) & (s <= 1.0 + give) & (t >= -give) & (t <= 1.0 + give)
    s, t = np.clip(s, 0.0, 1.0), np.clip(t, 0.0, 1.0)
    height = p[:, None, 2] + s * along_p[:, :, 2] - (q[None, :, 2] + t * along_q[:, :, 2])
    return height, crosses, s


def _on_edges(points: Floats, flat: Floats, edges: Floats, slack: Floats, lowest: bool) -> tuple[Floats, Bools]:
    """Heights of each edge at the corners of other triangles that lie on it, (3, 3, K), and whether they do.

    If an edge is parallel to the direction, the height is that of its lower or its upper end.
    """
    along_x, along_y, along_z = edges.transpose(1, 0, 2)
    x, y = (points[:, None, axis] - flat[None, :, axis] for axis in (0, 1))
    square = along_x * along_x + along_y * along_y
    sure = np.sqrt(square) > 4.0 * slack
    t = np.clip((x * along_x + y * along_y) / np.where(sure, square, 1.0), 0.0, 1.0)
    end = (np.minimum if lowest else np.maximum)(along_z, 0.0)
    height = flat[:, 2] + np.where(sure, t * along_z, end)
    # Beside an edge that is parallel to the direction, t does not count.
    t = np.where(sure, t, 0.0)
    x -= t * along_x
    y -= t * along_y
    return height, x * x + y * y <= (4.0 * slack) ** 2
