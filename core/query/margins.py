# SPDX-License-Identifier: GPL-3.0-or-later
"""Margins: a row of a world with a margin represents all points within that distance of its shape.

Let A and B be convex. Inflating both by their margins inflates the configuration space obstacle A − B by a ball of
radius m = m_a + m_b. If a convex set is inflated by m, the signed distance from it decreases by exactly m, inside and
outside, and the closest direction does not change. Distance, depth, normal and contacts of the inflated shapes
therefore follow from those of the bare shapes, and corners are not approximated.

The distance of meshes also decreases by m if the inflated meshes do not overlap. If they overlap, m minus the bare
distance is a lower bound of the depth. It is checked whether that translation separates them. If not, B is moved on
in the same direction until they are separated. In the plane, the same applies to regions.
"""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from ..convex.support import support
from ..narrow_phase.support_mapped import holds_within
from ..numerics.rows import ragged_arange, smallest_per_group
from ..numerics.tolerances import EPS, ROUNDING_STEPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross, dot, normalized, perpendicular
from ..results import Contacts, Depths, Distances, Separations, contacts_per_margin
from ..shapes import (
    UNBOUNDED,
    Boxes,
    Capsules,
    Compounds,
    Cylinders,
    HalfSpaces,
    Hulls,
    Kind,
    Meshes,
    Planes,
    Shapes,
    Spheres,
    SupportMapped,
    Triangles,
)
from ..shapes.batch import ShapeCollection
from . import dispatch
from .convex_meshes import as_hulls, by_convexity
from .early_outs import separated_by_bounds
from .operands import Operand, pair_shares, split, split_pairs
from .part_pairs import all_contained, part_pairs

# After this many steps, B is moved past all of A if the pair is not convex.
_MAX_STEPS = 32

# Number of sides of the prism that replaces a cylinder in a test of whether a rounded shape contains it. The prism
# encloses the cylinder, so no cylinder is wrongly contained. Its corners protrude by less than 1e-4 of the radius.
_SIDES = 256

_CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
_UNTURNED = np.eye(3)[None]


@dataclass(frozen=True, eq=False)
class BarePairs(ABC):
    """Queries about pairs of shapes without their margins. `rows` (K,) are indices of the P pairs.

    Attributes
    ----------
    a, b : batch of shapes or World
    pairs : (P, 2) int64
        Rows of `a` and of `b`.
    """

    a: Any
    b: Any
    pairs: Ints

    # The queries of space or of the plane.
    queries: ClassVar[ModuleType]

    @property
    @abstractmethod
    def concave(self) -> Bools:
        """Pairs in which a shape may be concave, (P,)."""

    @property
    def bounded_concave(self) -> Bools:
        """Pairs with a mesh or a region, and without a half-space, (P,)."""
        return self.concave

    @property
    @abstractmethod
    def concave_a(self) -> Bools:
        """Pairs whose A is a mesh or a region, (P,)."""

    @property
    def endless_b(self) -> Bools:
        """Pairs whose B is unbounded, (P,)."""
        return np.zeros(len(self.pairs), dtype=bool)

    def in_parts(self, rows: Ints) -> Iterator[tuple[Ints, "BarePairs", Ints, Ints]]:
        """For rows with a compound: these rows, the pairs of their parts, the row and the part of B of each."""
        return iter(())

    def overlap(self, rows: Ints) -> Bools:
        """Whether the pairs have a point in common."""
        result: Bools = self.queries.overlap(self.a, self.b, self.pairs[rows])
        return result

    def separating_axis(self, rows: Ints) -> Separations:
        """The best axes of the pairs."""
        result: Separations = self.queries.separating_axis(self.a, self.b, self.pairs[rows])
        return result

    def distance(self, rows: Ints) -> Distances:
        """The distances of the pairs."""
        result: Distances = self.queries.distance(self.a, self.b, self.pairs[rows])
        return result

    @abstractmethod
    def contacts(self, rows: Ints, margin: float, known: Distances | None) -> Contacts:
        """The contacts of the pairs. `pair` is the index into `rows`."""

    @abstractmethod
    def depths(self, rows: Ints, known: Distances, touching: Floats) -> Depths:
        """The interference of the pairs, with upper bounds."""

    def depth_steps(self, rows: Ints, known: Distances, touching: Floats, full: bool) -> Generator[None, None, Depths]:
        """Run `depths` in steps. In full, few depths are lower bounds."""
        yield from ()
        return self.depths(rows, known, touching)

    def contains(self, rows: Ints) -> Bools:
        """Whether A contains B."""
        result: Bools = self.queries.contains(self.a, self.b, self.pairs[rows])
        return result

    @abstractmethod
    def separated_by_bounds(self, rows: Ints, reach: Floats, axis: Floats | None) -> Bools:
        """Whether a fast test proves that the pairs are farther apart than `reach`."""

    @abstractmethod
    def distance_after(self, rows: Ints, shift: Floats) -> Floats:
        """The distance of each pair after B is translated by its vector."""

    @abstractmethod
    def clearing_distance(self, rows: Ints, along: Floats) -> Floats:
        """A distance along a unit vector by which B of each pair has to move to be past all of A."""

    @abstractmethod
    def keeps_from_boundary(self, rows: Ints, least: Floats) -> Bools:
        """Whether B, which is contained in A, is at least this far from A's boundary."""

    @abstractmethod
    def within(self, rows: Ints, reach: Floats) -> Bools:
        """Whether the signed distance of all points of B from convex A is at most `reach`, which may be negative."""


def offset_distances(bare: Distances, margin_a: Floats, margin_b: Floats) -> Distances:
    """The distances of inflated pairs, computed from those of the bare shapes; exact for convex shapes."""
    both = margin_a + margin_b
    return Distances(
        bare.distance - both,
        bare.point_a + margin_a[:, None] * bare.normal,
        bare.point_b - margin_b[:, None] * bare.normal,
        bare.normal,
        bare.rounding + ROUNDING_STEPS * EPS * both,
    )


@dataclass(frozen=True)
class _ConcaveDepths:
    """Depths of all inflated pairs; of the concave ones, which are `rows`, those of the shortest translations.

    `bare` has the distances of these without margins, and `added` what the margins add to their interference.
    """

    depths: Depths
    rows: Ints
    bare: Distances
    added: Floats

    def inner(self, touching: Floats) -> Floats:
        """The tolerances of the bare shapes."""
        return np.maximum(touching[self.rows] - self.added, 0.0)

    def with_margins(self, inner: Depths) -> Depths:
        """All depths, with those of the bare shapes plus the margins."""
        most = self.depths.depth[self.rows]
        added = (np.clip(one + self.added, 0.0, most) for one in (inner.depth, inner.bound))
        self.depths.put(self.rows, Depths(*added))
        return self.depths


class InflatedPairs:
    """Queries about P pairs with margins.

    Parameters
    ----------
    bare : BarePairs
    margin : (P, 2) float64
        The margins of A and of B.
    """

    def __init__(self, bare: BarePairs, margin: Floats) -> None:
        self.bare, self.margin_a, self.margin_b = bare, margin[:, 0], margin[:, 1]
        self.both: Floats = self.margin_a + self.margin_b

    def overlap(self, axis: Floats | None = None) -> Bools:
        """Whether the pairs have a point in common."""
        every = np.arange(len(self.both))
        result = ~self.bare.separated_by_bounds(every, self.both, axis)
        plain = np.flatnonzero(result & (self.both == 0.0))
        result[plain] = self.bare.overlap(plain)
        near = np.flatnonzero(result & (self.both > 0.0))
        found = self.distance(near)
        result[near] = found.distance <= found.rounding
        return result

    def separating_axis(self) -> Separations:
        """The best axes of the pairs. Features are those of the bare shapes."""
        every = np.arange(len(self.both))
        bare, found = self.bare.separating_axis(every), self.distance(every)
        # If a pair overlaps only because of its margins, the axis of least overlap is the closest direction.
        deep = (self.both > 0.0) & (found.distance <= found.rounding)
        gap = np.where(deep, found.distance, bare.gap - self.both)
        return replace(bare, gap=gap, axis=np.where(deep[:, None], found.normal, bare.axis))

    def distance(self, rows: Ints | None = None) -> Distances:
        """The distances of the pairs. Moving B by the depth is proved to separate an overlapping pair."""
        every = np.arange(len(self.both)) if rows is None else rows
        both = self.both[every]
        found = offset_distances(self.bare.distance(every), self.margin_a[every], self.margin_b[every])
        overlapping = (both > 0.0) & (found.distance < -found.rounding)
        self._measure_parts(every, np.flatnonzero(overlapping), found)
        deep = np.flatnonzero(overlapping & self.bare.bounded_concave[every])
        if not len(deep):
            return found
        depth, normal = -found.distance[deep], found.normal[deep]
        pending = np.arange(len(deep))
        for _ in range(_MAX_STEPS):
            at = deep[pending]
            shift = depth[pending, None] * normal[pending]
            missing = both[at] - self.bare.distance_after(every[at], shift)
            short = missing > found.rounding[at]
            pending = pending[short]
            if not len(pending):
                break
            depth[pending] += missing[short]
        if len(pending):
            at = deep[pending]
            clear = self.bare.clearing_distance(every[at], normal[pending]) + both[at]
            depth[pending] = np.maximum(clear, depth[pending])
        found.distance[deep] = -depth
        found.point_b[deep] = found.point_a[deep] - depth[:, None] * normal
        return found

    def _measure_parts(self, every: Ints, deep: Ints, found: Distances) -> None:
        """Measure the meshes in overlapping compounds, and replace distances that are deeper: indices into `every`."""
        place = np.zeros(len(self.both), dtype=np.int64)
        place[every[deep]] = deep
        for rows, bare, pair, _ in self.bare.in_parts(every[deep]):
            mine = np.flatnonzero(bare.bounded_concave)
            if not len(mine):
                continue
            owner = rows[pair[mine]]
            margin = np.stack([self.margin_a, self.margin_b], axis=1)[owner]
            parts = InflatedPairs(replace(bare, pairs=bare.pairs[mine]), margin).distance()
            deepest = smallest_per_group(owner, parts.distance)
            at = place[owner[deepest]]
            deeper = parts.distance[deepest] < found.distance[at]
            found.put(at[deeper], parts.take(deepest[deeper]))

    def interference(self, known: Distances | None, touching: Floats) -> Floats:
        """The interference of the pairs. For concave pairs, it is that of the bare shapes plus the margins."""
        return self.depths(known, touching).depth

    def depths(self, known: Distances | None, touching: Floats) -> Depths:
        """Return `interference`, with upper bounds."""
        asked = self._concave_depths(known)
        if not len(asked.rows):
            return asked.depths
        return asked.with_margins(self.bare.depths(asked.rows, asked.bare, asked.inner(touching)))

    def depth_steps(self, known: Distances | None, touching: Floats, full: bool) -> Generator[None, None, Depths]:
        """Run `depths` in steps. In full, few depths are lower bounds."""
        asked = self._concave_depths(known)
        if not len(asked.rows):
            return asked.depths
        return asked.with_margins(
            (yield from self.bare.depth_steps(asked.rows, asked.bare, asked.inner(touching), full))
        )

    def _concave_depths(self, known: Distances | None) -> "_ConcaveDepths":
        found = self.distance() if known is None else known
        depth = np.where(found.distance < -found.rounding, -found.distance, 0.0)
        rows = np.flatnonzero((depth > 0.0) & self.bare.concave)
        bare = self.bare.distance(rows)
        return _ConcaveDepths(Depths(depth, depth.copy()), rows, bare, self.both[rows] - np.maximum(bare.distance, 0.0))

    def local_distance(self) -> Distances:
        """The distances of the pairs. Those of overlapping pairs are their negated interferences."""
        found = self.distance()
        depth = self.interference(found, np.zeros(len(self.both)))
        rows = np.flatnonzero(found.distance < -found.rounding)
        found.distance[rows] = -depth[rows]
        found.point_b[rows] = found.point_a[rows] - depth[rows, None] * found.normal[rows]
        return found

    def contacts(self, margin: float, known: Distances | None) -> Contacts:
        """The contacts of the pairs. Features are those of the bare shapes."""
        found = self.distance() if known is None else known
        plain, rows = np.flatnonzero(self.both == 0.0), np.flatnonzero(self.both > 0.0)
        first = self.bare.contacts(plain, margin, found.take(plain))
        both = self.both[rows]
        second = contacts_per_margin(lambda some, reach: self.bare.contacts(rows[some], reach, None), both + margin)
        depth = second.depth + both[second.pair]
        # The margins have moved both surfaces outward.
        shift = (self.margin_a - self.margin_b)[rows[second.pair]] / 2.0
        point = second.point + shift[:, None] * second.normal
        kept = np.flatnonzero(depth >= -margin - found.rounding[rows[second.pair]])
        second = replace(second, pair=rows[second.pair], point=point, depth=depth).take(kept)
        parts = [replace(first, pair=plain[first.pair]), second]
        return Contacts.joined([part for part in parts if len(part)] or parts[:1])

    def contains(self) -> Bools:
        """Whether A contains all of B.

        A convex shape, inflated by the difference of the margins, must contain the bare shape B. If A is rounded and B
        is a cylinder, B is replaced by a prism of 256 sides around it. A mesh contains the same shapes as without
        margins. If B has the larger margin, B must also keep that distance from the surface of the mesh. A compound
        contains everything that one of its parts contains.
        """
        reach, inflated = self.margin_a - self.margin_b, self.both > 0.0
        concave, endless = self.bare.concave_a, self.bare.endless_b
        result, left = np.zeros(len(reach), dtype=bool), np.ones(len(reach), dtype=bool)
        for rows, bare, pair, part in self.bare.in_parts(np.flatnonzero(inflated)):
            margin = np.stack([self.margin_a, self.margin_b], axis=1)[rows[pair]]
            result[rows] = all_contained(InflatedPairs(bare, margin).contains(), pair, part, len(rows))
            left[rows] = False
        plain = np.flatnonzero(left & (~inflated | concave | endless))
        result[plain] = self.bare.contains(plain)
        tight = np.flatnonzero(left & inflated & concave & result & (reach < 0.0))
        if len(tight):
            result[tight] = self.bare.keeps_from_boundary(tight, -reach[tight])
        convex = np.flatnonzero(left & inflated & ~concave & ~endless)
        if len(convex):
            result[convex] = self.bare.within(convex, reach[convex])
        return result


class SpacePairs(BarePairs):
    """`BarePairs` for shapes in space."""

    queries: ClassVar = dispatch

    def _kinds(self) -> Ints:
        """The kinds of both shapes of each pair, (P, 2). Convex meshes count as hulls in pairs of convex shapes."""
        kinds = np.empty((len(self.pairs), 2), dtype=np.int64)
        for batch_a, batch_b, index_a, index_b, place in split_pairs(self.a, self.b, self.pairs):
            for some, convex in by_convexity(batch_a, batch_b, index_a, index_b):
                rows = place if some is None else place[some]
                for side, batch in enumerate((batch_a, batch_b)):
                    kinds[rows, side] = Kind.HULL if convex and batch.kind == Kind.MESH else batch.kind
        return kinds

    @property
    def concave(self) -> Bools:
        """See `BarePairs.concave`: pairs with a mesh or a compound."""
        return np.asarray(np.isin(self._kinds(), (Kind.MESH, Kind.COMPOUND)).any(axis=1))

    @property
    def bounded_concave(self) -> Bools:
        """See `BarePairs.bounded_concave`."""
        kinds = self._kinds()
        found: Bools = (kinds == Kind.MESH).any(axis=1) & (kinds != Kind.HALF_SPACE).all(axis=1)
        return found

    @property
    def concave_a(self) -> Bools:
        """See `BarePairs.concave_a`."""
        found: Bools = self._kinds()[:, 0] == Kind.MESH
        return found

    @property
    def endless_b(self) -> Bools:
        """See `BarePairs.endless_b`."""
        return np.asarray(np.isin(self._kinds()[:, 1], UNBOUNDED))

    def in_parts(self, rows: Ints) -> Iterator[tuple[Ints, "SpacePairs", Ints, Ints]]:
        """See `BarePairs.in_parts`."""
        for batch_a, batch_b, index_a, index_b, place in pair_shares(self.a, self.b, self.pairs[rows]):
            a, b = batch_a.take(index_a), batch_b.take(index_b)
            if isinstance(b, Compounds):
                parts = part_pairs(a, b)
                found = SpacePairs(parts.a, parts.b, parts.rows)
            elif isinstance(a, Compounds):
                parts = part_pairs(b, a)
                found = SpacePairs(parts.b, parts.a, parts.rows[:, ::-1])
            else:
                continue
            yield rows[place], found, parts.pair, found.pairs[:, 1]

    def contacts(self, rows: Ints, margin: float, known: Distances | None) -> Contacts:
        """See `BarePairs.contacts`."""
        return dispatch.contacts(self.a, self.b, self.pairs[rows], margin, None, known)

    def depths(self, rows: Ints, known: Distances, touching: Floats) -> Depths:
        """See `BarePairs.depths`."""
        return dispatch.depths(self.a, self.b, self.pairs[rows], known, touching)

    def depth_steps(self, rows: Ints, known: Distances, touching: Floats, full: bool) -> Generator[None, None, Depths]:
        """See `BarePairs.depth_steps`."""
        return dispatch.depth_steps(self.a, self.b, self.pairs[rows], touching, full)

    def separated_by_bounds(self, rows: Ints, reach: Floats, axis: Floats | None) -> Bools:
        """See `BarePairs.separated_by_bounds`."""
        return separated_by_bounds(self.a, self.b, self.pairs[rows], reach, axis)

    def distance_after(self, rows: Ints, shift: Floats) -> Floats:
        """See `BarePairs.distance_after`."""
        moved, place = [], np.empty(len(rows), dtype=np.int64)
        count = 0
        for batch, index, where in split(self.b, self.pairs[rows, 1]):
            moved.append(batch.take(index).placed(_UNTURNED, shift[where]))
            place[where] = count + np.arange(len(index))
            count += len(index)
        at = np.stack([self.pairs[rows, 0], place], axis=1)
        return dispatch.distance(self.a, ShapeCollection.of(moved), at).distance

    def clearing_distance(self, rows: Ints, along: Floats) -> Floats:
        """See `BarePairs.clearing_distance`."""
        result = np.zeros(len(rows))
        for side, shapes, way in ((0, self.a, along), (1, self.b, -along)):
            for batch, index, place in split(shapes, self.pairs[rows, side]):
                result[place] += dot(support(batch.take(index), way[place]), way[place])
        return np.maximum(result, 0.0)

    def keeps_from_boundary(self, rows: Ints, least: Floats) -> Bools:
        """See `BarePairs.keeps_from_boundary`."""
        result = np.zeros(len(rows), dtype=bool)
        for batch, index, place in split(self.a, self.pairs[rows, 0]):
            surface = batch.take(index).with_fields(solid=np.zeros(len(index), dtype=bool))
            pairs = np.stack([np.arange(len(index)), self.pairs[rows[place], 1]], axis=1)
            found = dispatch.distance(surface, self.b, pairs)
            result[place] = found.distance >= least[place] - found.rounding
        return result

    def within(self, rows: Ints, reach: Floats) -> Bools:
        """See `BarePairs.within`."""
        contained, inverse = np.unique(self.pairs[rows, 1], return_inverse=True)
        points, radius, first = _spanning_balls(self.b, contained)
        begin, end = first[inverse.reshape(-1)], first[inverse.reshape(-1) + 1]
        pair, point = ragged_arange(end - begin, begin)
        at = np.stack([self.pairs[rows[pair], 0], point], axis=1)
        found = dispatch.distance(self.a, Spheres(points, np.zeros(len(points))), at)
        slack = found.rounding + ROUNDING_STEPS * EPS * np.abs(reach[pair])
        inside = found.distance + radius[point] <= reach[pair] + slack
        result = np.ones(len(rows), dtype=bool)
        result[pair[~inside]] = False
        for batch_a, batch_b, index_a, index_b, place in split_pairs(self.a, self.b, self.pairs[rows]):
            if isinstance(batch_b, SupportMapped):
                left = np.flatnonzero(~result[place])
                at = place[left]
                outer: Any = as_hulls(batch_a).take(index_a[left])
                result[at] = _hold(outer, batch_b.take(index_b[left]), reach[at])
        return result


def _hold(a: Shapes, b: SupportMapped, reach: Floats) -> Bools:
    """Whether the signed distance of all points of B from convex A is at most `reach`, (P,)."""
    if isinstance(a, Planes):
        return np.zeros(len(a), dtype=bool)
    if isinstance(a, HalfSpaces):
        farthest = Spheres(b.support(a.normal), np.zeros(len(b)))
        found = dispatch.distance(a, farthest, np.repeat(np.arange(len(a))[:, None], 2, axis=1))
        slack = found.rounding + ROUNDING_STEPS * EPS * np.abs(reach)
        return np.asarray(found.distance <= reach + slack, dtype=np.bool_)
    assert not isinstance(a, Meshes | Compounds)
    return holds_within(a, b, reach)


def _spanning_balls(shapes: Operand, rows: Ints) -> tuple[Floats, Floats, Ints]:
    """Balls whose convex hull contains the shape of each row: centers (K, 3), radii (K,), first balls (R + 1,)."""
    owner, points, radius = [], [], []
    for batch, index, place in split(shapes, rows):
        corners, size = _balls(batch.take(index))
        for one, centers in zip(place, corners, strict=True):
            owner.append(np.full(len(centers), one))
            points.append(centers)
        radius.append(np.repeat(size, [len(centers) for centers in corners]))
    order = np.argsort(np.concatenate(owner), kind="stable")
    count = np.bincount(np.concatenate(owner), minlength=len(rows))
    return np.concatenate(points)[order], np.concatenate(radius)[order], np.cumsum([0, *count])


def _balls(shapes: Shapes) -> tuple[list[Floats], Floats]:
    """The balls of each row: their centers (k, 3), and their common radius."""
    count = len(shapes)
    if isinstance(shapes, Spheres):
        return list(shapes.center[:, None]), shapes.radius
    if isinstance(shapes, Capsules):
        return list(np.stack([shapes.start, shapes.end], axis=1)), shapes.radius
    if isinstance(shapes, Boxes):
        corners = (_CORNERS * shapes.half_extents[:, None]) @ shapes.rotation.transpose(0, 2, 1)
        return list(shapes.center[:, None] + corners), np.zeros(count)
    if isinstance(shapes, Triangles):
        return list(shapes.vertices), np.zeros(count)
    if isinstance(shapes, Cylinders):
        return list(_prisms(shapes)), np.zeros(count)
    if isinstance(shapes, SupportMapped):
        return list(shapes.corners()), np.zeros(count)
    assert isinstance(shapes, Hulls | Meshes)
    found = []
    for row in range(count):
        geometry = shapes.geometry[shapes.index[row]]
        used = geometry.used if isinstance(shapes, Meshes) else geometry.vertices
        found.append(geometry.points[used] @ shapes.rotation[row].T + shapes.translation[row])
    return found, np.zeros(count)


def _prisms(shapes: Cylinders) -> Floats:
    """Corners (N, 2 x sides, 3) of prisms that enclose the cylinders."""
    along = normalized(shapes.end - shapes.start, np.zeros(3))
    first = perpendicular(along)
    second = cross(along, first)
    angle = 2.0 * np.pi * np.arange(_SIDES) / _SIDES
    reach = shapes.radius[:, None, None] / np.cos(np.pi / _SIDES)
    rim = reach * (np.cos(angle)[:, None] * first[:, None] + np.sin(angle)[:, None] * second[:, None])
    return np.concatenate([shapes.start[:, None] + rim, shapes.end[:, None] + rim], axis=1)
