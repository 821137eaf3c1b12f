# SPDX-License-Identifier: GPL-3.0-or-later
"""Directions along which meshes that are not convex may be separated, found without measuring their depths.

`distance` searches for a short translation among the same directions.
"""

from collections.abc import Iterator

import numpy as np

from ..narrow_phase.mesh import penetration
from ..narrow_phase.mesh.bounded_mesh import BoundedMesh
from ..narrow_phase.mesh.intersection import Intersection
from ..narrow_phase.mesh.operands import MeshRows, ShapeRows
from ..narrow_phase.mesh.orientation import oriented_rows, oriented_side
from ..numerics.types import Bools, Floats, Ints
from .dispatch import Group, pair_groups
from .operands import Operand, pair_margins

# Meshes with more levels in their trees are not intersected to find directions.
_LEVELS = 13


def between_meshes(a: Operand, b: Operand, rows: Ints) -> Bools:
    """Return which pairs (P, 2) have a mesh that is not convex, and no unbounded shape or compound, (P,)."""
    result = np.zeros(len(rows), dtype=bool)
    for group, _, _ in _groups(a, b, rows):
        result[group.rows] = True
    return result


def by_extents(a: Operand, b: Operand, rows: Ints) -> tuple[Floats, Floats]:
    """Return a translation of B of each pair of overlapping meshes that separates their extents along its direction.

    Parameters
    ----------
    a, b : batch of shapes or World
    rows : (P, 2) int64
        Pairs of `between_meshes`.

    Returns
    -------
    length : (P,) float64
        At least as long as the distance to separate the pair.
    direction : (P, 3) float64
        The direction for which the translation is shortest, among normals of hulls, axes and centers.
    """
    length, direction = np.zeros(len(rows)), np.zeros((len(rows), 3))
    for group, first, second in _groups(a, b, rows):
        found = penetration.by_extents(first, second)
        length[group.rows] = found.length
        direction[group.rows] = -found.direction if group.flipped else found.direction
    margins = pair_margins(a, b, rows)
    return length if margins is None else length + margins.sum(axis=1), direction


def directions(a: Operand, b: Operand, rows: Ints) -> tuple[Ints, Floats]:
    """Return directions in which B of each pair of meshes may leave A: pairs (K,), ascending, and unit vectors."""
    pair, along = [np.empty(0, dtype=np.int64)], [np.empty((0, 3))]
    for group, first, second in _groups(a, b, rows):
        few = np.flatnonzero(np.maximum(first.bodies.levels, second.bodies.levels) <= _LEVELS)
        row, way = penetration.directions_of_shapes(first, second)
        more, normal = penetration.directions_of_regions(Intersection(first.take(few), second.take(few)))
        way = np.concatenate([way, normal])
        pair.append(group.rows[np.append(row, few[more])])
        along.append(-way if group.flipped else way)
    every = np.concatenate(pair)
    order = np.argsort(every, kind="stable")
    return every[order], np.concatenate(along)[order]


def _groups(a: Operand, b: Operand, rows: Ints) -> Iterator[tuple[Group, ShapeRows, MeshRows]]:
    for group in pair_groups(a, b, rows):
        if isinstance(group.pair, BoundedMesh):
            yield group, oriented_side(group.a.gathered()), oriented_rows(group.b.gathered())
