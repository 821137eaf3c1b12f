# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes against a frustum, decided exactly by the separating axis test.

A box that no single plane of a frustum cuts off may still lie beside it: a large box by an edge or a corner. Convex
polyhedra are apart exactly if the normal of a face of either, or an edge of one crossed with an edge of the other,
parts them (doc4code 2011, "Convex polyhedron vs convex polyhedron"). The planes of the frustum have been tested before.
"""

import numpy as np

from ..numerics.tolerances import EPS, ROUNDING_STEPS, rounding
from ..numerics.types import Bools, Floats
from ..numerics.vectors import length

# Boxes at a time, so that what is computed for them stays in cache.
_BLOCK = 2048


def boxes_overlap(center: Floats, half_extents: Floats, rotation: Floats | None, corners: Floats) -> Bools:
    """Whether boxes overlap a frustum, as far as the boxes' faces and pairs of edges can tell; touching counts.

    Parameters
    ----------
    center, half_extents : (N, 3)
    rotation : (N, 3, 3) or None
        Columns are a box's axes; None: they are those of the world.
    corners : (8, 3)
        As `Frustum.corners`, all finite.
    """
    result = np.ones(len(center), dtype=bool)
    directions = _edge_directions(corners)
    middle = corners.mean(axis=0)
    spread = float(length(corners - middle).max())
    for begin in range(0, len(center), _BLOCK):
        rows = slice(begin, begin + _BLOCK)
        turn = None if rotation is None else rotation[rows]
        result[rows] = _overlap(center[rows], half_extents[rows], turn, corners, directions, middle, spread)
    return result


def _overlap(
    center: Floats, half: Floats, turn: Floats | None, corners: Floats, edges: Floats, middle: Floats, spread: float
) -> Bools:
    """One block of `boxes_overlap`, in the frames of the boxes."""
    slack = rounding(length(half) + spread, np.maximum(length(center), length(middle)))
    # (3, 8, n) and (3, E, n): components first, so that every step runs along the boxes.
    place = corners[:, :, None] - center.T[None]
    along = np.broadcast_to(edges[:, :, None], (*edges.shape, len(center)))
    if turn is not None:
        place = np.einsum("cin,nij->cjn", place, turn)
        along = np.einsum("ei,nij->ejn", edges, turn)
    half = half.T
    apart = np.zeros(half.shape[1], dtype=bool)
    for axis in range(3):
        first, second = (axis + 1) % 3, (axis + 2) % 3
        apart |= np.maximum(place[:, axis].min(axis=0), -place[:, axis].max(axis=0)) - half[axis] > slack
        for edge in along:
            # The edge crossed with the box's axis; it has no component along that axis.
            one, other = -edge[second], edge[first]
            size = np.hypot(one, other)
            level = one * place[:, first] + other * place[:, second]
            reach = half[first] * np.abs(one) + half[second] * np.abs(other)
            gap = np.maximum(level.min(axis=0), -level.max(axis=0)) - reach
            # Parallel edges have no axis of their own.
            apart |= (gap > slack * size) & (size > ROUNDING_STEPS * EPS)
    return ~apart


def _edge_directions(corners: Floats) -> Floats:
    """Directions of the frustum's edges, those that are parallel once: (E, 3) unit vectors."""
    ring = np.roll(np.arange(4), -1)
    near, far = corners[:4], corners[4:]
    every = np.concatenate([far - near, near[ring] - near, far[ring] - far])
    every = every / length(every)[:, None]
    parallel = length(np.cross(every[:, None], every)) <= ROUNDING_STEPS * EPS
    # Each but those that are parallel to one before.
    return every[~np.tril(parallel, -1).any(axis=1)]
