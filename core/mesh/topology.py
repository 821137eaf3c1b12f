# SPDX-License-Identifier: GPL-3.0-or-later
"""Topology of a mesh: welded vertices, edges, connected components, and what keeps it open."""

from dataclasses import dataclass

import numpy as np

from ..numerics.types import Floats, Ints


@dataclass(frozen=True, eq=False)
class Edges:
    """The edges of a mesh.

    Attributes
    ----------
    vertices : (E, 2) int64
        Lower index first, rows in lexicographic order.
    of_triangle : (m, 3) int64
        The edges from corner 0 to 1, 1 to 2 and 2 to 0 of each triangle; -1 where the two corners are one.
    open : (E,) bool
        Not run along as often one way as the other: the mesh has a boundary here, or its triangles do not agree.
    uses : (E,) int64
        How many sides of triangles run along the edge.
    """

    vertices: Ints
    of_triangle: Ints
    open: np.ndarray
    uses: Ints


def welded(points: Floats) -> Ints:
    """For each point the lowest index of those with exactly the same coordinates: (k, 3) -> (k,)."""
    if not len(points):
        return np.empty(0, dtype=np.int64)
    value = points + 0.0  # minus zero is zero
    order = np.lexsort(value.T[::-1])
    ordered = value[order]
    first = np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1))
    result = np.empty(len(points), dtype=np.int64)
    # The sort is stable, so the first of each run has the lowest index.
    result[order] = order[np.flatnonzero(first)][np.cumsum(first) - 1]
    return result


def edges(corners: Ints) -> Edges:
    """The edges of triangles (m, 3) between welded vertices."""
    start, end = corners.reshape(-1), np.roll(corners, -1, axis=1).reshape(-1)
    side = np.flatnonzero(start != end)
    low, high = np.minimum(start, end)[side], np.maximum(start, end)[side]
    span = int(corners.max(initial=0)) + 1
    key, number = np.unique(low * span + high, return_inverse=True)
    number = number.reshape(-1)
    of_side = np.full(len(start), -1)
    of_side[side] = number
    way = np.where(start[side] < end[side], 1, -1)
    balance = np.bincount(number, weights=way, minlength=len(key))
    uses = np.bincount(number, minlength=len(key))
    return Edges(np.stack([key // span, key % span], axis=1), of_side.reshape(-1, 3), balance != 0.0, uses)


def components(first: Ints, second: Ints, count: int) -> Ints:
    """Number of the connected component of each of `count` nodes, joined by pairs of them: (count,).

    Components are numbered in the order of their lowest nodes.
    """
    label = np.arange(count)
    while len(first):
        low = np.minimum(label[first], label[second])
        before = label.copy()
        # Hook the roots onto the least label next to them, then let everything point at its root.
        np.minimum.at(label, label[first], low)
        np.minimum.at(label, label[second], low)
        while True:
            up = label[label]
            if (up == label).all():
                break
            label = up
        if (label == before).all():
            break
        apart = label[first] != label[second]
        first, second = first[apart], second[apart]
    return np.unique(label, return_inverse=True)[1].reshape(-1).astype(np.int64)


def what_is_open(corners: Ints, found: Edges) -> str:
    """Why a mesh is not watertight and consistently oriented, in words; empty if it is."""
    if not len(found.uses):
        return "its triangles have no area"
    single = int(np.count_nonzero(found.open & (found.uses % 2 == 1)))
    double = int(np.count_nonzero(found.open & (found.uses % 2 == 0)))
    said = []
    if single:
        said.append(f"{single} open edge{'s' * (single > 1)}")
    if double:
        said.append(f"{double} edge{'s' * (double > 1)} between triangles of opposite orientation")
    return " and ".join(said)
