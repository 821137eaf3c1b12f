# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertices of the one mesh inside the solid of the other, and the regions of contact that they hang together with."""

from dataclasses import dataclass

import numpy as np

from ...mesh.topology import components
from ...numerics.types import Bools, Ints
from .bvh_traversal import Near
from .contact_regions import Regions, vertex_names
from .operands import Side, Whole
from .placed import Surfaces
from .ray_casting import inside


@dataclass(frozen=True)
class Submerged:
    """Submerged vertices with a region each; one that hangs together with several regions is listed for each.

    Attributes
    ----------
    region, vertex : (K,) int64
    of_b : (K,) bool
        Whether it is a vertex of B.
    """

    region: Ints
    vertex: Ints
    of_b: Bools


def submerged(a: Side, b: Surfaces, met: Near, found: Regions) -> Submerged:
    """The submerged vertices of all pairs that meet; none of a convex shape, whose pieces are whole."""
    parts = []
    if not isinstance(a, Whole):
        parts.append((_of(a, b, met.pair, met.a, found), False))
        parts.append((_of(b, a, met.pair, met.b, found), True))
    none = np.empty(0, dtype=np.int64)
    return Submerged(
        np.concatenate([none, *(part[0] for part, _ in parts)]),
        np.concatenate([none, *(part[1] for part, _ in parts)]),
        np.concatenate([np.empty(0, dtype=bool), *(np.full(len(part[0]), of_b) for part, of_b in parts)]),
    )


def _of(one: Surfaces, other: Surfaces, pair: Ints, triangle: Ints, found: Regions) -> tuple[Ints, Ints]:
    """Regions and vertices of the one mesh inside the other."""
    some = np.unique(pair[other.solid[pair]])
    rows, points, names = [], [], []
    for row in some:
        used = one.meshes[one.mesh[row]].used
        rows.append(np.full(len(used), row))
        names.append(used)
        points.append(one.points(int(row))[used])
    if not rows:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    row, vertex = np.concatenate(rows), np.concatenate(names)
    within = inside(other, row, np.concatenate(points))
    row, vertex = row[within], vertex[within]
    # Vertices are joined along edges of which both ends are submerged, and to the regions of their triangles.
    span = max((len(mesh.points) for mesh in one.meshes), default=1)
    key = row * span + vertex
    if not len(key):
        return key, key
    first, second = [], []
    for each in some:
        ends = one.meshes[one.mesh[each]].edges.vertices + each * span
        at = np.minimum(np.searchsorted(key, ends), len(key) - 1)
        both = (key[at] == ends).all(axis=1)
        first.append(at[both, 0])
        second.append(at[both, 1])
    label = components(np.concatenate(first), np.concatenate(second), len(key))
    corner = vertex_names(one, pair, triangle) + pair[:, None] * span
    at = np.minimum(np.searchsorted(key, corner), len(key) - 1)
    hit, place = np.nonzero(key[at] == corner)
    links = np.unique(np.stack([label[at[hit, place]], found.of[hit]], axis=1), axis=0)
    # Each component of vertices once for each of its regions.
    start = np.searchsorted(links[:, 0], label)
    count = np.searchsorted(links[:, 0], label, side="right") - start
    which = np.repeat(np.arange(len(key)), count)
    link = np.repeat(start, count) + np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
    return links[link, 1], vertex[which]
