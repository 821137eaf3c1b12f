# SPDX-License-Identifier: GPL-3.0-or-later
"""Any bounded shape (A) against a triangle mesh (B): another mesh, or a convex shape against its triangles.

Trees of boxes find the triangles that may meet.
"""

import numpy as np

from ...numerics.rows import smallest_per_group
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import normalized
from ...results import Contacts, Distances, Separations
from ...shapes import Meshes
from ...shapes.batch import Rows
from ..algorithm import PairAlgorithm
from . import contacts as mesh_contacts
from . import containment as mesh_containment
from . import interference as mesh_interference
from .bvh_traversal import NO_LEAVES, LeafPairs, among
from .leaf_queries import ClosestLeaves, beyond, distances, held, meeting, meets, nearest, separations
from .operands import Convex, MeshRows, ShapeRows, mesh_rows, reaches, side, slack_of
from .penetration import Translation, directions, separating_translation
from .press_fits import only_touching, sliding, touches


class BoundedMesh(PairAlgorithm[Convex | Meshes, Meshes]):
    """The answers by trees of boxes over the triangles."""

    def overlap(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Bools:
        """Whether the surfaces meet, touching included, or one is inside the other where that one is a solid."""
        a, b = a.gathered(), b.gathered()
        first, second = side(a), mesh_rows(b)
        result = meets(first, second)
        rest = np.flatnonzero(~result)
        if len(rest):
            result[rest] = held(first.take(rest), second.take(rest), NO_LEAVES)
        return result

    def distance(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Distances:
        """Apart: the least distance of any two pieces. Overlapping: minus the length of a translation that frees."""
        a, b = a.gathered(), b.gathered()
        first, second = side(a), mesh_rows(b)
        return _separation(first, second, meeting(first, second))[0]

    def separating_axis(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Separations:
        """The best of the axes tried. The gap is that of the hulls: it may be negative though the two are apart."""
        a, b = a.gathered(), b.gathered()
        first, second = side(a), mesh_rows(b)
        met = meeting(first, second)
        separation, deciding = _separation(first, second, met)
        row, along = directions(first, second, met)
        row, along = np.append(np.arange(len(b)), row), np.concatenate([separation.normal, along])
        gap = -reaches(first, row, along) - reaches(second, row, -along)
        # The normal itself, listed first, wins over what is better by no more than rounding.
        gap[len(b) :] -= slack_of(first, second)[row[len(b) :]]
        order = np.lexsort((-gap, row))
        best = order[np.unique(row[order], return_index=True)[1]]
        made = separations(first, second, deciding.near())
        axis = along[best]
        exact = -reaches(first, np.arange(len(b)), axis) - reaches(second, np.arange(len(b)), -axis)
        return Separations(exact, axis, made.feature_a, made.feature_b)

    def contacts(
        self, a: Rows[Convex | Meshes], b: Rows[Meshes], margin: float, known: Distances | None = None
    ) -> Contacts:
        """Up to four contacts for each region in which the two meet, else one at the nearest or the freed place."""
        a, b = a.gathered(), b.gathered()
        first, second = side(a), mesh_rows(b)
        met = meeting(first, second)
        separation = _separation(first, second, met)[0] if known is None else known
        return mesh_contacts.contacts(first, second, met, separation, margin)

    def interference(
        self, a: Rows[Convex | Meshes], b: Rows[Meshes], touching: Floats, known: Distances | None = None
    ) -> Floats:
        """How deep any point of one is in the other; up to `touching` (P,) any depth will do."""
        a, b = a.gathered(), b.gathered()
        first, second = side(a), mesh_rows(b)
        # What fits but for rounding is thousands of slivers to search, and known at once to be no deeper than this.
        return mesh_interference.interference(first, second, meeting(first, second), least=touching)

    def farther(self, a: Rows[Convex | Meshes], b: Rows[Meshes], reach: Floats) -> Bools:
        """Whether no two pieces of each pair are within `reach` of each other, and none is inside the other."""
        a, b = a.gathered(), b.gathered()
        return beyond(side(a), mesh_rows(b), reach)

    def contains(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Bools:
        """Whether A holds all of B; a surface holds nothing."""
        a, b = a.gathered(), b.gathered()
        return mesh_containment.contains(side(a), mesh_rows(b))

    def contained(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Bools:
        """Whether B holds all of A."""
        a, b = a.gathered(), b.gathered()
        return mesh_containment.contained(side(a), mesh_rows(b))


def _separation(a: ShapeRows, b: MeshRows, met: LeafPairs) -> tuple[Distances, ClosestLeaves]:
    """The signed distance of each pair, and the pieces that decide it.

    Of pairs that overlap the deciding pieces are those that touch once they are freed.
    """
    count = len(b)
    overlaps = np.zeros(count, dtype=bool)
    overlaps[met.pair] = True
    overlaps |= held(a, b, met)
    free = Translation(np.zeros(count), np.zeros((count, 3)))
    rows = np.flatnonzero(overlaps)
    if len(rows):
        part = separating_translation(a.take(rows), b.take(rows), among(met, rows))
        free.length[rows], free.direction[rows] = part.length, part.direction
        held_fast = np.intersect1d(only_touching(a, b, met), np.flatnonzero(free.length > 4.0 * slack_of(a, b)))
        fit, normal = _only_touch(a, b, met, held_fast)
        free.length[fit], free.direction[fit] = 0.0, normal
        rest = np.setdiff1d(held_fast, fit)
        known = Translation(free.length[rest], free.direction[rest])
        part = sliding(a.take(rest), b.take(rest), among(met, rest), known)
        free.length[rest], free.direction[rest] = part.length, part.direction
    shift = free.length[:, None] * free.direction
    decided = nearest(a, b.take(np.arange(count), shift), overlaps)
    found = decided.found
    result = Distances(
        np.where(overlaps, -free.length, found.distance),
        found.point_a,
        np.where(overlaps[:, None], found.point_a - shift, found.point_b),
        np.where(overlaps[:, None], free.direction, _unit(found)),
        np.maximum(found.rounding, 0.0),
    )
    return result, decided


def _only_touch(a: ShapeRows, b: MeshRows, met: LeafPairs, rows: Ints) -> tuple[Ints, Floats]:
    """Which of these pairs only touch though the way out is long, as a peg in its hole, and normals of touches."""
    # A pair of pieces that cut into each other settles most of them.
    first = met.take(smallest_per_group(met.pair, met.bound, _FIRST))
    slack = 4.0 * slack_of(a, b)
    for asked in (first, met):
        asked = asked.take(np.isin(asked.pair, rows))
        deep = distances(a, b, asked).distance < -slack[asked.pair]
        rows = np.setdiff1d(rows, asked.pair[deep])
    if not len(rows):
        return rows, np.empty((0, 3))
    here_a, here_b, pieces = a.take(rows), b.take(rows), among(met, rows)
    level = 4.0 * slack_of(here_a, here_b)
    touch = np.flatnonzero(mesh_interference.interference(here_a, here_b, pieces, level=level) <= level)
    found = touches(here_a.take(touch), here_b.take(touch), among(pieces, touch))
    which, place = np.unique(found.pair, return_index=True)
    return rows[touch[which]], found.normal[place]


# Pieces of each pair that are looked at first.
_FIRST = 32


def _unit(found: Distances) -> Floats:
    """The normals of pairs that are apart, exactly along their witnesses."""
    return normalized(found.point_b - found.point_a, found.normal)
