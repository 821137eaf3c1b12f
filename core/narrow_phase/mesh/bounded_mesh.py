# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounded shapes (A) against triangle meshes (B): another mesh, or a convex shape against the triangles.

Bounding box trees find the triangles that may intersect.
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
from .intersection import Intersection, IntersectionDistances, intersection_of
from .leaf_queries import (
    ClosestLeaves,
    any_intersecting,
    contains_component,
    farther_than,
    nearest,
    penetrating,
    separations,
)
from .operands import Convex, MeshRows, ShapeRows, mesh_rows, reaches, side, slack_of
from .penetration import Translation, directions, separating_translation
from .press_fits import only_touching, sliding, touching_points


class BoundedMesh(PairAlgorithm[Convex | Meshes, Meshes]):
    """Pair queries by bounding box trees over the triangles."""

    def overlap(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Bools:
        """Whether the surfaces intersect, touching included, or one shape is inside the solid of the other, (P,)."""
        a, b = a.gathered(), b.gathered()
        first, second = side(a), mesh_rows(b)
        result = any_intersecting(first, second)
        rest = np.flatnonzero(~result)
        if len(rest):
            result[rest] = contains_component(first.take(rest), second.take(rest), NO_LEAVES)
        return result

    def distance(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Distances:
        """Signed distance (P,): the least distance of two pieces, or minus the length of a separating translation."""
        a, b = a.gathered(), b.gathered()
        first, second = side(a), mesh_rows(b)
        intersection = intersection_of(first, second)
        found = _separation(first, second, intersection)[0]
        return IntersectionDistances.of(found, intersection, np.arange(len(b)))

    def separating_axis(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Separations:
        """Best of the tried axes. The gap is that of the convex hulls and may be negative for separated shapes."""
        a, b = a.gathered(), b.gathered()
        first, second = side(a), mesh_rows(b)
        intersection = intersection_of(first, second)
        separation, deciding = _separation(first, second, intersection)
        row, along = directions(first, second, intersection.regions(first, second))
        row, along = np.append(np.arange(len(b)), row), np.concatenate([separation.normal, along])
        gap = -reaches(first, row, along) - reaches(second, row, -along)
        # The normal is listed first. It wins over axes that are better only by rounding.
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
        """Up to four contacts for each contact region, else one at the witness points."""
        a, b = a.gathered(), b.gathered()
        first, second = side(a), mesh_rows(b)
        intersection = intersection_of(first, second, known)
        separation = _separation(first, second, intersection)[0] if known is None else known
        return mesh_contacts.contacts(first, second, intersection, separation, margin)

    def interference(
        self, a: Rows[Convex | Meshes], b: Rows[Meshes], touching: Floats, known: Distances | None = None
    ) -> Floats:
        """Interference of each pair (P,). Values up to `touching` (P,) need not be exact."""
        a, b = a.gathered(), b.gathered()
        first, second = side(a), mesh_rows(b)
        # A pair that fits but for rounding has thousands of slivers to search. `least` avoids this search.
        leaves = intersection_of(first, second, known).leaves
        return mesh_interference.interference(first, second, leaves, least=touching)

    def farther(self, a: Rows[Convex | Meshes], b: Rows[Meshes], reach: Floats) -> Bools:
        """Whether no two pieces are within `reach` (P,) and neither shape is inside the other, (P,)."""
        a, b = a.gathered(), b.gathered()
        return farther_than(side(a), mesh_rows(b), reach)

    def contains(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Bools:
        """Whether A contains all of B, (P,). A surface contains nothing."""
        a, b = a.gathered(), b.gathered()
        return mesh_containment.contains(side(a), mesh_rows(b))

    def contained(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Bools:
        """Whether B contains all of A, (P,)."""
        a, b = a.gathered(), b.gathered()
        return mesh_containment.contained(side(a), mesh_rows(b))


def _separation(a: ShapeRows, b: MeshRows, intersection: Intersection) -> tuple[Distances, ClosestLeaves]:
    """Return the signed distance of each pair, and the pieces that decide it.

    For overlapping pairs these are the pieces that touch after the separating translation.
    """
    count, intersecting = len(b), intersection.leaves
    overlaps = np.zeros(count, dtype=bool)
    overlaps[intersecting.pair] = True
    overlaps |= contains_component(a, b, intersecting)
    free = Translation(np.zeros(count), np.zeros((count, 3)))
    rows = np.flatnonzero(overlaps)
    if len(rows):
        mine = intersection.take(rows)
        part = separating_translation(a.take(rows), b.take(rows), mine)
        intersection.learn(mine, rows)
        free.length[rows], free.direction[rows] = part.length, part.direction
        far = np.flatnonzero(free.length > 4.0 * slack_of(a, b))
        blocked = far[only_touching(a.take(far), b.take(far), among(intersecting, far))]
        fit, normal = _only_touch(a, b, intersecting, blocked)
        free.length[fit], free.direction[fit] = 0.0, normal
        rest = np.setdiff1d(blocked, fit)
        known = Translation(free.length[rest], free.direction[rest])
        part = sliding(a.take(rest), b.take(rest), intersection.take(rest), known)
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


def _only_touch(a: ShapeRows, b: MeshRows, intersecting: LeafPairs, rows: Ints) -> tuple[Ints, Floats]:
    """Pairs that only touch although their separating translation is long (a peg in its hole), and normals."""
    # One pair of pieces that penetrate is enough to exclude a pair. Few pieces are tested first.
    first = intersecting.take(smallest_per_group(intersecting.pair, intersecting.bound, _FIRST))
    slack = 4.0 * slack_of(a, b)
    for asked in (first, intersecting):
        asked = asked.take(np.isin(asked.pair, rows))
        rows = np.setdiff1d(rows, asked.pair[penetrating(a, b, asked, slack)])
    if not len(rows):
        return rows, np.empty((0, 3))
    here_a, here_b, pieces = a.take(rows), b.take(rows), among(intersecting, rows)
    level = 4.0 * slack_of(here_a, here_b)
    touch = np.flatnonzero(mesh_interference.interference(here_a, here_b, pieces, level=level) <= level)
    found = touching_points(here_a.take(touch), here_b.take(touch), among(pieces, touch))
    which, place = np.unique(found.pair, return_index=True)
    return rows[touch[which]], found.normal[place]


# Pieces of each pair that are tested first.
_FIRST = 32


def _unit(found: Distances) -> Floats:
    """Normals of separated pairs, recomputed from their witness points."""
    return normalized(found.point_b - found.point_a, found.normal)
