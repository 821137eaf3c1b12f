# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounded shapes (A) against triangle meshes (B): another mesh, or a convex shape against the triangles.

Bounding box trees find the triangles that may intersect. `Intersection` has what the queries about overlapping pairs
share. Their contacts are local (see `local_contacts`), and the distance is that to separate them (see `penetration`).

Methods for each query, in the order in which they are tried:

| query | pairs | module | method |
|---|---|---|---|
| `overlap` | any | `leaf_queries` | `trees` and `convex_trees`, until the first pieces that meet |
| | no surfaces that meet | `leaf_queries` | whether a part of one is inside the other, by winding numbers |
| `classify` | apart | `leaf_queries` | whether any two pieces are within the tolerance |
| | overlapping | `verdicts` | bounds of the depth; `interference` where these do not decide |
| `distance` | apart | `leaf_queries` | the nearest two pieces |
| | overlapping | `penetration` | extents, then a translation that separates (`ways`, `convex_ways`) |
| `local_distance` | apart | `leaf_queries` | the nearest two pieces |
| | overlapping | `deepest` | as `interference`, to the nearest point of the other boundary |
| `contacts` | apart, within the margin | `leaf_queries` | one contact at the nearest pieces |
| | overlapping | `local_contacts` | the deepest points of each region, four a patch |
| `interference` | overlapping | `deepest` | branch and bound over the surfaces (`kernels.depth_search`) |
| `contains` | any | `containment` | no surfaces that meet, and all parts inside |
"""

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from ...constants import Verdict
from ...numerics.rows import smallest_per_group
from ...numerics.steps import ALL_ROWS, exhausted
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import normalized
from ...results import Contacts, Depths, Distances, FeatureKind, Separations, contact_type, contacts_per_margin
from ...shapes import Meshes
from ...shapes.batch import Rows
from ..algorithm import PairAlgorithm
from . import containment, leaf_queries, verdicts
from .bvh_traversal import NO_LEAVES, LeafPairs
from .deepest import TOGETHER
from .interference import Problems, deepest_points, deepest_points_steps, in_full, interference
from .intersection import Intersection
from .local_contacts import exits_of, local_contact_steps, local_contacts
from .operands import Convex, MeshRows, ShapeRows, reaches, slack_of
from .orientation import oriented_rows, oriented_side, prepared
from .penetration import Translation, by_extents, directions, separating_translation


class BoundedMesh(PairAlgorithm[Convex | Meshes, Meshes]):
    """Pair queries by bounding box trees over the triangles."""

    def overlap(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Bools:
        """Whether the surfaces intersect, touching included, or one shape is inside the solid of the other, (P,)."""
        return _overlap(*_operands(a, b))

    def classify_steps(
        self, a: Rows[Convex | Meshes], b: Rows[Meshes], touching: Floats, clearance: Floats, *, deep: bool
    ) -> Generator[None, None, tuple[Ints, Depths]]:
        """See `PairAlgorithm`. Distances are not measured."""
        first, second = yield from _operands_in_steps(a, b)
        result = np.full(len(b), int(Verdict.SEPARATED))
        overlaps, near = _overlap_or_near(first, second, np.maximum(touching, clearance))
        apart = near & ~overlaps
        for reach, least, verdict in (
            (touching, 0.0 * touching, Verdict.TOUCHING),
            (clearance, touching, Verdict.WITHIN_CLEARANCE),
        ):
            left = np.flatnonzero(apart & (result == Verdict.SEPARATED) & (reach > least))
            result[left[leaf_queries.any_within(first.take(left), second.take(left), reach[left])]] = verdict
        rows = np.flatnonzero(overlaps)
        level = np.maximum(touching, slack_of(first, second))[rows]
        known, inner = verdicts.decided(first.take(rows), second.take(rows), level), Depths(*np.zeros((2, len(b))))
        asked = np.flatnonzero(known != verdicts.SHALLOW if deep else known == verdicts.UNKNOWN)
        if len(asked):
            yield
            at = rows[asked]
            found = yield from self.depth_steps(a.take(at), b.take(at), level[asked], full=False)
            inner.put(at, found)
            # If the search was ended early, a point may be as deep as the bound.
            deeper = np.where(found.bound > level[asked], verdicts.DEEP, verdicts.SHALLOW)
            known[asked] = np.maximum(known[asked], deeper)
        result[rows] = np.where(known == verdicts.DEEP, int(Verdict.PENETRATING), int(Verdict.TOUCHING))
        return result, inner

    def distance(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Distances:
        """Signed distance (P,): the least distance of two pieces, or minus the length of a separating translation."""
        return exhausted(self.distance_steps(a, b))

    def distance_steps(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Generator[None, None, Distances]:
        """See `PairAlgorithm`."""
        return (yield from _separation(Intersection(*(yield from _operands_in_steps(a, b)))))[0]

    def local_distance(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Distances:
        """Signed distance (P,): the least distance of two pieces, or minus the interference."""
        return _local_separation(Intersection(*_operands(a, b)))

    def separating_axis(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Separations:
        """Best of the tried axes. The gap is that of the convex hulls and may be negative for separated shapes."""
        shared = Intersection(*_operands(a, b))
        first, second = shared.a, shared.b
        separation, deciding = exhausted(_separation(shared))
        row, along = directions(shared)
        row, along = np.append(np.arange(len(b)), row), np.concatenate([separation.normal, along])
        gap = -reaches(first, row, along) - reaches(second, row, -along)
        # The normal is listed first. It wins over axes that are better only by rounding.
        gap[len(b) :] -= slack_of(first, second)[row[len(b) :]]
        best = smallest_per_group(row, -gap)
        made = leaf_queries.separations(first, second, deciding.near())
        axis = along[best]
        exact = -reaches(first, np.arange(len(b)), axis) - reaches(second, np.arange(len(b)), -axis)
        return Separations(exact, axis, made.feature_a, made.feature_b)

    def contacts(
        self, a: Rows[Convex | Meshes], b: Rows[Meshes], margin: float, known: Distances | None = None
    ) -> Contacts:
        """Up to four contacts for each patch of a region in which the pair overlaps, else one at the witness points."""
        return exhausted(self._contact_steps(a, b, margin, ALL_ROWS))

    def contact_steps(
        self, a: Rows[Convex | Meshes], b: Rows[Meshes], margin: float, known: Distances | None = None
    ) -> Generator[None, None, Contacts]:
        """See `PairAlgorithm`."""
        return self._contact_steps(a, b, margin, TOGETHER)

    def _contact_steps(
        self, a: Rows[Convex | Meshes], b: Rows[Meshes], margin: float, together: int
    ) -> Generator[None, None, Contacts]:
        shared = Intersection(*(yield from _operands_in_steps(a, b)))
        found = yield from local_contact_steps(shared, together)
        rest = np.flatnonzero(~shared.overlaps())
        if not len(rest) or margin <= 0.0:
            return found
        apart = _single(shared.a.take(rest), shared.b.take(rest), margin)
        found = Contacts.joined([found, replace(apart, pair=rest[apart.pair])])
        return found.take(np.argsort(found.pair, kind="stable"))

    def interference(
        self, a: Rows[Convex | Meshes], b: Rows[Meshes], touching: Floats, known: Distances | None = None
    ) -> Floats:
        """Interference of each pair (P,). Values up to `touching` (P,) need not be exact."""
        return self.depths(a, b, touching).depth

    def depths(
        self, a: Rows[Convex | Meshes], b: Rows[Meshes], touching: Floats, known: Distances | None = None
    ) -> Depths:
        """See `PairAlgorithm`."""
        return exhausted(interference(Intersection(*_operands(a, b)), touching, ALL_ROWS))

    def depth_steps(
        self,
        a: Rows[Convex | Meshes],
        b: Rows[Meshes],
        touching: Floats,
        known: Distances | None = None,
        *,
        full: bool,
    ) -> Generator[None, None, Depths]:
        """See `PairAlgorithm`."""
        shared = Intersection(*(yield from _operands_in_steps(a, b)))
        return (yield from in_full(shared, touching) if full else interference(shared, touching, TOGETHER))

    def farther(self, a: Rows[Convex | Meshes], b: Rows[Meshes], reach: Floats) -> Bools:
        """Whether no two pieces are within `reach` (P,) and neither shape is inside the other, (P,)."""
        return leaf_queries.farther_than(*_operands(a, b), reach)

    def contains(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Bools:
        """Whether A contains all of B, (P,). A surface contains nothing."""
        return containment.contains(*_operands(a, b))

    def contained(self, a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Bools:
        """Whether B contains all of A, (P,)."""
        return containment.contained(*_operands(a, b))


def _overlap(a: ShapeRows, b: MeshRows) -> Bools:
    result = leaf_queries.any_intersecting(a, b)
    rest = np.flatnonzero(~result)
    if len(rest):
        result[rest] = leaf_queries.contains_component(a.take(rest), b.take(rest), NO_LEAVES)
    return result


def _overlap_or_near(a: ShapeRows, b: MeshRows, reach: Floats) -> tuple[Bools, Bools]:
    """Return which pairs overlap, and which may have two pieces within `reach` (P,), (P,) each.

    Most pairs are decided by the first pieces that meet, or by none within reach.
    """
    overlaps, near = (np.zeros(len(b), dtype=bool) for _ in range(2))
    overlaps[leaf_queries.some_intersecting(a, b).pair] = True
    rest = np.flatnonzero(~overlaps)
    some = a.take(rest), b.take(rest)
    near[rest] = leaf_queries.any_within(*some, reach[rest] + 4.0 * slack_of(*some), searched=True)
    left = np.flatnonzero(near)
    overlaps[left] = leaf_queries.any_intersecting(a.take(left), b.take(left))
    rest = np.flatnonzero(~overlaps)
    if len(rest):
        overlaps[rest] = leaf_queries.contains_component(a.take(rest), b.take(rest), NO_LEAVES)
    return overlaps, near


def _operands(a: Rows[Convex | Meshes], b: Rows[Meshes]) -> tuple[ShapeRows, MeshRows]:
    """All rows of both operands."""
    return oriented_side(a.gathered()), oriented_rows(b.gathered())


def _operands_in_steps(a: Rows[Convex | Meshes], b: Rows[Meshes]) -> Generator[None, None, tuple[ShapeRows, MeshRows]]:
    """Run `_operands`, after steps in which what it needs of large meshes is computed."""
    first, second = a.gathered(), b.gathered()
    for shapes in (first, second):
        if isinstance(shapes, Meshes):
            yield from prepared(shapes)
    return _operands(first, second)


def _separation(shared: Intersection) -> Generator[None, None, tuple[Distances, leaf_queries.ClosestLeaves]]:
    """Return the signed distance of each pair, and the pieces that determine it, in steps.

    For overlapping pairs these are the pieces that touch after the separating translation.
    """
    a, b = shared.a, shared.b
    yield from shared.steps()
    count, overlaps = len(b), shared.overlaps()
    free = Translation(np.zeros(count), np.zeros((count, 3)))
    rows = np.flatnonzero(overlaps)
    if len(rows):
        part = by_extents(a.take(rows), b.take(rows))
        free.length[rows], free.direction[rows] = part.length, part.direction
    # Most touching pairs are decided here: their extents only touch.
    rows = rows[free.length[rows] > slack_of(a, b)[rows]]
    if len(rows):
        some = shared.take(rows)
        level = 4.0 * slack_of(some.a, some.b)
        inner = yield from deepest_points_steps(some, Problems.of_pairs(some), level, TOGETHER)
        yield
        touch = inner.bound <= level
        if touch.any():
            # A pair that only touches, such as a peg in its hole.
            touching = local_contacts(some.take(np.flatnonzero(touch)))
            first = np.unique(touching.pair, return_index=True)[1]
            free.length[rows[touch]], free.direction[rows[touch]] = 0.0, touching.normal[first]
        deep = np.flatnonzero(~touch)
        if len(deep):
            part = yield from separating_translation(some.take(deep), inner.of_pairs(deep))
            free.length[rows[deep]], free.direction[rows[deep]] = part.length, part.direction
    yield
    shift = free.length[:, None] * free.direction
    decided = leaf_queries.nearest(a, b.take(np.arange(count), shift), overlaps)
    found = decided.found
    result = Distances(
        np.where(overlaps, -free.length, found.distance),
        found.point_a,
        np.where(overlaps[:, None], found.point_a - shift, found.point_b),
        # The normals of separated pairs are recomputed from their witness points.
        np.where(overlaps[:, None], free.direction, normalized(found.point_b - found.point_a, found.normal)),
        np.maximum(found.rounding, 0.0),
    )
    return result, decided


def _local_separation(shared: Intersection) -> Distances:
    """Return the signed distance of each pair, which is minus the interference of overlapping pairs."""
    a, b = shared.a, shared.b
    result = Distances.empty(len(b))
    overlaps = shared.overlaps()
    rows, apart = np.flatnonzero(overlaps), np.flatnonzero(~overlaps)
    if len(apart):
        found = leaf_queries.nearest(a.take(apart), b.take(apart)).found
        normal = normalized(found.point_b - found.point_a, found.normal)
        rounding = np.maximum(found.rounding, 0.0)
        result.put(apart, Distances(found.distance, found.point_a, found.point_b, normal, rounding))
    if not len(rows):
        return result
    some = shared.take(rows)
    slack = slack_of(some.a, some.b)
    inner = deepest_points(some, Problems.of_pairs(some), 4.0 * slack)
    depth = np.where(inner.best > 4.0 * slack, inner.best, 0.0)
    point_a, normal = np.full((2, len(rows), 3), np.nan)
    for points, sign in ((inner.of_a, -1.0), (inner.middle_a, -1.0), (inner.of_b, 1.0), (inner.middle_b, 1.0)):
        # The deepest point of one boundary, and how it leaves the other body.
        points = points.take((points.depth >= depth[points.row]) & (depth[points.row] > 0.0))
        leaving = exits_of(some.a if sign > 0.0 else some.b, points.row, points.point)
        normal[points.row] = sign * leaving.outward
        ahead = depth[points.row, None] * leaving.outward if sign > 0.0 else 0.0
        point_a[points.row] = points.point + ahead
    # Pairs that only touch, and bodies without volume.
    left = np.flatnonzero(np.isnan(normal).any(axis=1))
    if len(left):
        touching = local_contacts(some.take(left))
        first = np.unique(touching.pair, return_index=True)[1]
        normal[left] = touching.normal[first]
        point_a[left] = touching.point[first] + (depth[left] / 2.0)[:, None] * normal[left]
    result.put(rows, Distances(-depth, point_a, point_a - depth[:, None] * normal, normal, slack))
    return result


def _single(a: ShapeRows, b: MeshRows, margin: float) -> Contacts:
    """One contact for each separated pair within `margin`, with the features of the nearest pieces."""
    decided = leaf_queries.nearest(a, b)
    found = decided.found
    rows = np.flatnonzero(found.distance <= margin + found.rounding)
    kinds = _deepest(a.take(rows), b.take(rows), replace(decided.near().take(rows), pair=np.arange(len(rows))))
    normal = normalized(found.point_b - found.point_a, found.normal)
    return Contacts(
        rows,
        (found.point_a + found.point_b)[rows] / 2.0,
        normal[rows],
        np.maximum(-found.distance[rows], -margin),
        kinds.type,
        kinds.feature_a,
        kinds.feature_b,
    )


def _deepest(a: ShapeRows, b: MeshRows, leaves: LeafPairs) -> Contacts:
    """The deepest contact of each of these pairs of pieces, however far apart they are."""
    if not len(leaves):
        return Contacts.joined([])
    apart = leaf_queries.distances(a, b, leaves)
    found = contacts_per_margin(
        lambda some, most: leaf_queries.contacts(a, b, leaves.take(some), most),
        np.maximum(apart.distance + 2.0 * apart.rounding, 0.0),
    )
    found = found.take(np.unique(found.pair, return_index=True)[1])
    # Contacts have their own rounding errors. They may be missing for pieces at the limit of the margin.
    bare = np.setdiff1d(np.arange(len(leaves)), found.pair)
    if not len(bare):
        return found
    made = leaf_queries.separations(a, b, leaves.take(bare))
    features = [np.where(each < 0, _A_FACE, each) for each in (made.feature_a, made.feature_b)]
    kind = contact_type(features[0][:, 0], features[1][:, 0])
    middle = (apart.point_a + apart.point_b)[bare] / 2.0
    rest = Contacts(bare, middle, apart.normal[bare], -apart.distance[bare], kind, *features)
    return Contacts.joined([found, rest])


_A_FACE = np.array([FeatureKind.FACE, 0])
