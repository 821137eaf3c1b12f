# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances that a shape must move along a direction to leave another shape that it penetrates.

Convex shapes that move along a straight line overlap from their first to their last contact, and at no other place.
Meshes are unions of triangles, and compounds are unions of parts. For these, the distance is that at which all pieces
that penetrate each other now have been left. Other pieces may penetrate there, so the pair must be tested again.
"""

from typing import Any

import numpy as np

from ..narrow_phase.mesh.bounded_mesh import BoundedMesh
from ..narrow_phase.mesh.bvh_traversal import near
from ..narrow_phase.mesh.leaf_queries import distances
from ..narrow_phase.mesh.operands import MeshRows, ShapeRows, pieces
from ..narrow_phase.mesh.orientation import oriented_rows, oriented_side
from ..narrow_phase.mesh.penetration import exit_distances as of_meshes
from ..numerics.types import Floats, Ints
from ..query.dispatch import COMPOUNDS, pair_groups
from ..query.operands import Operand, pair_margins
from ..query.part_pairs import part_pairs
from ..query.queries import penetrating
from .time_of_impact import last_contact


def exit_distances(a: Operand, b: Operand, rows: Ints, along: Floats, most: Floats, touching: Floats) -> Floats:
    """Return the distances by which B of each pair must move along unit vectors until it has left A, (P,).

    For convex shapes, this is exact. For other shapes, it is the distance at which all pieces that penetrate now have
    been left: other pieces may penetrate there.

    Parameters
    ----------
    a, b : batch of shapes or World
    rows : (P, 2) int64
        Pairs that penetrate by more than `touching`.
    along : (P, 3) float64
    most : (P,) float64
        Longer distances need not be exact. They may be infinite.
    touching : (P,) float64
    """
    margins = pair_margins(a, b, rows)
    both = np.zeros(len(rows)) if margins is None else margins.sum(axis=1)
    result = np.zeros(len(rows))
    for group in pair_groups(a, b, rows):
        at = group.rows
        first, second = group.a.gathered(), group.b.gathered()
        way = -along[at] if group.flipped else along[at]
        if group.pair is COMPOUNDS:
            parts = part_pairs(first, second)
            deep = parts.take(np.flatnonzero(penetrating(parts.a, parts.b, parts.rows, touching[at][parts.pair])))
            where = at[deep.pair]
            left = exit_distances(deep.a, deep.b, deep.rows, way[deep.pair], most[where], touching[where])
            np.maximum.at(result, where, left)
        elif isinstance(group.pair, BoundedMesh):
            one, other = oriented_side(first), oriented_rows(second)
            result[at] = of_meshes(one, other, way, touching[at], most[at])
            wide = np.flatnonzero(both[at] > 0.0)
            if len(wide):
                some = at[wide]
                inflated = one.take(wide), other.take(wide), way[wide], both[some], most[some], touching[some]
                result[some] = np.maximum(result[some], _of_inflated_pieces(*inflated))
        else:
            result[at] = _of_convex(first, second, way, both[at], most[at])
    return result


def _of_convex(a: Any, b: Any, along: Floats, margin: Floats, most: Floats) -> Floats:
    """Return the distance of the last contact of convex shapes. Infinite if it is not less than `most`."""
    found = last_contact(a, b, velocity_b=most[:, None] * along, margin=margin)
    time = np.where(found.decided, np.where(found.hit, found.time, 0.0), found.safe)
    return np.where(time < 1.0, time * most, np.inf)


def _of_inflated_pieces(
    a: ShapeRows, b: MeshRows, along: Floats, margin: Floats, most: Floats, touching: Floats
) -> Floats:
    """Return the distance of the last contact of pieces of meshes that are nearer than the margin now."""
    result = np.zeros(len(b))
    leaves = near(a.bodies, b.bodies, margin)
    leaves = leaves.take(distances(a, b, leaves).distance < (margin - touching)[leaves.pair])
    of = leaves.pair
    if len(leaves):
        one, other = pieces(a, of, leaves.a), pieces(b, of, leaves.b)
        np.maximum.at(result, of, _of_convex(one, other, along[of], margin[of], most[of]))
    return result
