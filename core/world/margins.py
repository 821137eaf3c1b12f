# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes with a margin: each row of a world taken as all points no farther from its shape than its margin.

Of two convex shapes A and B the configuration space obstacle A − B, inflated by a ball of radius m = m_a + m_b, is that
of the inflated shapes. The signed distance from a convex set falls by exactly m when the set is inflated by m, inside
and outside, and the nearest direction stays; so distance, depth, normal and contacts of the inflated shapes follow from
those of the bare ones without rounding off any corner.

Of meshes that do not overlap although inflated, the distance falls by m as well. Of those that do, m less the bare
distance is what they have to part by at least; that they are free then is proved by looking, and where they are not
they go on along the same direction until they are.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from ..continuous.motion import Motion, motion_of
from ..continuous.time_of_impact import MAX_ITERATIONS, time_of_impact
from ..convex.support import support
from ..numerics.tolerances import EPS, ROUNDING_STEPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import check_lengths, one_length, row_lengths
from ..numerics.vectors import dot, normalized, perpendicular
from ..query import queries
from ..query.operands import index_pairs, split
from ..results import Contacts, Distances, Impacts, Separations, Verdict
from ..shapes import Boxes, Capsules, Cylinders, Hulls, Kind, Meshes, Shapes, Spheres, Triangles
from .margin_contacts import contacts_within
from .world import World

# Looks before a concave pair is taken to be free only past all of it.
_LOOKS = 32

# Sides of the prism around a cylinder that stands for it when a rounded shape is to hold it: its corners stand out by
# less than a ten-thousandth of the radius, so that what is said to be held is.
_SIDES = 256

_CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
_UNTURNED = np.eye(3)[None]


def margins(world: object) -> Floats | None:
    """The margin of each row of a world; None where no row has one."""
    result: Floats | None = getattr(world, "margin", None)
    return result


def inflated(batches: Sequence[Shapes], margin: Floats | None) -> World:
    """A world of these batches, whose rows have these margins (N,); a plain one where none has any."""
    if margin is None or not margin.any():
        return World(batches)
    return InflatedWorld(batches, margin)


def grown(bare: Distances, margin_a: Floats, margin_b: Floats) -> Distances:
    """How pairs stand whose shapes are inflated, of how they stand bare; exact for convex shapes."""
    both = margin_a + margin_b
    return Distances(
        bare.distance - both,
        bare.point_a + margin_a[:, None] * bare.normal,
        bare.point_b - margin_b[:, None] * bare.normal,
        bare.normal,
        bare.rounding + ROUNDING_STEPS * EPS * both,
    )


def grown_or_freed(
    bare: Distances,
    margin_a: Floats,
    margin_b: Floats,
    concave: Bools,
    beyond: Callable[[Ints, Floats], Floats],
    past: Callable[[Ints, Floats], Floats],
) -> Distances:
    """As `grown`; those that are not convex and overlap although only inflated go as far as frees them.

    Parameters
    ----------
    bare : Distances
        Of P pairs.
    margin_a, margin_b : (P,) float64
    concave : (P,) bool
    beyond : function
        How far apart the bare shapes of some of the pairs are once B is displaced by a vector each.
    past : function
        How far B of some of the pairs has to go along a unit vector each to have passed all of A, bare.
    """
    found, both = grown(bare, margin_a, margin_b), margin_a + margin_b
    rows = np.flatnonzero(concave & (both > 0.0) & (found.distance < -found.rounding))
    if not len(rows):
        return found
    way, normal, both = -found.distance[rows], found.normal[rows], both[rows]
    going = np.arange(len(rows))
    for _ in range(_LOOKS):
        missing = both[going] - beyond(rows[going], way[going, None] * normal[going])
        short = missing > found.rounding[rows[going]]
        going = going[short]
        if not len(going):
            break
        way[going] += missing[short]
    if len(going):
        way[going] = np.maximum(past(rows[going], normal[going]) + both[going], way[going])
    found.distance[rows] = -way
    found.point_b[rows] = found.point_a[rows] - way[:, None] * normal
    return found


def grown_contacts(
    ask: Callable[[Ints, float], Contacts], standing: Distances, margin_a: Floats, margin_b: Floats, margin: float
) -> Contacts:
    """The contacts of inflated pairs.

    Parameters
    ----------
    ask : function
        The contacts of some of the bare pairs, up to this far apart.
    standing : Distances
        How the inflated pairs stand.
    margin_a, margin_b : (P,) float64
    margin : float
        Inflated pairs up to this far apart have contacts, too.
    """
    both = margin_a + margin_b
    found = contacts_within(ask, both + margin)
    pair = found.pair
    depth = found.depth + both[pair]
    # The surfaces have come nearer from either side, each by its own margin.
    point = found.point + ((margin_a - margin_b)[pair] / 2.0)[:, None] * found.normal
    kept = np.flatnonzero(depth >= -margin - standing.rounding[pair])
    return replace(found, point=point, depth=depth).take(kept)


class InflatedWorld(World):
    """A `World` whose shapes have margins; its methods answer for the inflated shapes.

    The functions of `collision_kit.core`, given this world, see the bare ones.

    Parameters
    ----------
    batches : sequence of shape batches
        But for planes and assemblies.
    margin : (N,) array-like
        Of each row, not negative.

    Raises
    ------
    ValueError
        If there are not as many margins as shapes, one is not a length, or a plane or assembly has one.
    """

    def __init__(self, batches: Sequence[Shapes], margin: ArrayLike) -> None:
        super().__init__(batches)
        check_lengths(margin=margin)
        self.margin: Floats = np.array(margin, dtype=np.float64)
        if self.margin.shape != (len(self),):
            raise ValueError(f"margin: shape {self.margin.shape}, but there are {len(self)} shapes")
        odd = np.isin(self.kind, (Kind.PLANE, Kind.ASSEMBLY)) & (self.margin > 0.0)
        if odd.any():
            raise ValueError(f"margin: row {int(np.argmax(odd))} is a plane or an assembly, which takes none")

    def bounds(self) -> tuple[Floats, Floats]:
        """See `World.bounds`."""
        lower, upper = super().bounds()
        return lower - self.margin[:, None], upper + self.margin[:, None]

    def pairs(self, margin: float = 0.0) -> Ints:
        """See `World.pairs`."""
        still = np.zeros(len(self))
        return self._meeting(*super().bounds(), (still, still), one_length(margin, "margin"))

    def overlap(self, pairs: ArrayLike, *, axis: ArrayLike | None = None) -> Bools:
        """See `World.overlap`."""
        found = self.distance(pairs)
        return np.asarray(found.distance <= found.rounding)

    def separating_axis(self, pairs: ArrayLike) -> Separations:
        """See `World.separating_axis`; features are those of the bare shapes."""
        rows = index_pairs(self, self, pairs)
        bare, standing = super().separating_axis(rows), self.distance(rows)
        both = self.margin[rows].sum(axis=1)
        # Apart by less than the margins they overlap along the way to the closest point, not along an axis of the two.
        deep = (both > 0.0) & (standing.distance <= standing.rounding)
        gap = np.where(deep, standing.distance, bare.gap - both)
        return replace(bare, gap=gap, axis=np.where(deep[:, None], standing.normal, bare.axis))

    def distance(self, pairs: ArrayLike) -> Distances:
        """See `World.distance`."""
        rows = index_pairs(self, self, pairs)
        kinds = self.kind[rows]
        return grown_or_freed(
            super().distance(rows),
            self.margin[rows[:, 0]],
            self.margin[rows[:, 1]],
            (kinds == Kind.MESH).any(axis=1) & (kinds != Kind.HALF_SPACE).all(axis=1),
            lambda some, shift: self._beyond(rows[some], shift),
            lambda some, along: self._past(rows[some], along),
        )

    def interference(self, pairs: ArrayLike, *, known: Distances | None = None, touching: ArrayLike = 0.0) -> Floats:
        """See `World.interference`: of pairs that are not convex that of the bare shapes, and both margins."""
        rows = index_pairs(self, self, pairs)
        measured = self.distance(rows) if known is None else known
        level = row_lengths(touching, "touching", len(rows))
        depth = np.where(measured.distance < -measured.rounding, -measured.distance, 0.0)
        deep = np.flatnonzero((depth > 0.0) & np.isin(self.kind[rows], (Kind.MESH, Kind.ASSEMBLY)).any(axis=1))
        bare, both = super().distance(rows[deep]), self.margin[rows[deep]].sum(axis=1)
        grown = both - np.maximum(bare.distance, 0.0)
        inner = super().interference(rows[deep], known=bare, touching=np.maximum(level[deep] - grown, 0.0)) + grown
        depth[deep] = np.clip(inner, 0.0, depth[deep])
        return depth

    def contacts(
        self, pairs: ArrayLike, margin: float = 0.0, *, axis: ArrayLike | None = None, known: Distances | None = None
    ) -> Contacts:
        """See `World.contacts`; features are those of the bare shapes."""
        check_lengths(margin=margin)
        rows = index_pairs(self, self, pairs)
        standing = self.distance(rows) if known is None else known
        margin_a, margin_b = self.margin[rows].T

        both = margin_a + margin_b
        bare, rest = np.flatnonzero(both == 0.0), np.flatnonzero(both > 0.0)
        first = queries.contacts(self, self, rows[bare], margin, known=standing.take(bare))
        second = grown_contacts(
            lambda some, reach: queries.contacts(self, self, rows[rest[some]], reach),
            standing.take(rest),
            margin_a[rest],
            margin_b[rest],
            margin,
        )
        return Contacts.joined([replace(first, pair=bare[first.pair]), replace(second, pair=rest[second.pair])])

    def contains(self, pairs: ArrayLike) -> Bools:
        """See `World.contains`.

        A convex shape is held by another if that, inflated by the difference of the margins, holds the bare one. Of a
        cylinder that a rounded shape may hold a prism of 256 sides around it is asked about. A mesh holds what it holds
        bare, and of that only what keeps away from its surface as the difference asks, if that is below zero.
        """
        rows = index_pairs(self, self, pairs)
        room = self.margin[rows[:, 0]] - self.margin[rows[:, 1]]
        result = np.zeros(len(rows), dtype=bool)
        other = (self.margin[rows] > 0.0).any(axis=1)
        concave = self.kind[rows[:, 0]] == Kind.MESH
        bare = ~other | concave
        result[bare] = super().contains(rows[bare])
        tight = np.flatnonzero(other & concave & result & (room < 0.0))
        if len(tight):
            result[tight] = self._clear_of_surface(rows[tight], -room[tight])
        convex = np.flatnonzero(other & ~concave & (self.kind[rows[:, 1]] != Kind.HALF_SPACE))
        if len(convex):
            result[convex] = self._within(rows[convex], room[convex])
        return result

    def classify(self, pairs: ArrayLike, *, touching: ArrayLike = 0.0, clearance: ArrayLike = 0.0) -> Ints:
        """See `World.classify`."""
        check_lengths(touching=touching, clearance=clearance)
        rows = index_pairs(self, self, pairs)
        found = self.distance(rows)
        deep_in = self.interference(rows, known=found, touching=touching)
        result = found.verdict(touching, clearance, interference=deep_in)
        deep = np.flatnonzero(result == Verdict.PENETRATING)
        held = self.contains(rows[deep]) | self.contains(rows[deep, ::-1])
        result[deep[held]] = Verdict.CONTAINED
        return result

    def time_of_impact(
        self,
        pairs: ArrayLike | None = None,
        *,
        velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
        pivot: ArrayLike | None = None,
        motion: Motion | None = None,
        max_iterations: int = MAX_ITERATIONS,
    ) -> tuple[Ints, Impacts]:
        """See `World.time_of_impact`."""
        moves = motion_of(self, "", (velocity, angular_velocity, pivot), motion)
        rows = self._may_meet(moves) if pairs is None else index_pairs(self, self, pairs)
        return rows, inflated_impacts(self, rows, moves, max_iterations=max_iterations)

    def _meeting(self, lower: Floats, upper: Floats, shift: tuple[Floats, Floats], margin: float) -> Ints:
        room = self.margin[:, None]
        return super()._meeting(lower - room, upper + room, (shift[0] - self.margin, shift[1] + self.margin), margin)

    def _beyond(self, rows: Ints, shift: Floats) -> Floats:
        """How far apart bare pairs are once B of each is displaced."""
        moved, place = [], np.empty(len(rows), dtype=np.int64)
        count = 0
        for batch, index, where in split(self, rows[:, 1]):
            moved.append(batch.take(index).placed(_UNTURNED, shift[where]))
            place[where] = count + np.arange(len(index))
            count += len(index)
        return queries.distance(self, World(moved), np.stack([rows[:, 0], place], axis=1)).distance

    def _past(self, rows: Ints, along: Floats) -> Floats:
        """How far B of each pair has to go along a unit vector to have passed all of A, bare."""
        result = np.zeros(len(rows))
        for side, way in ((0, along), (1, -along)):
            for batch, index, place in split(self, rows[:, side]):
                result[place] += dot(support(batch.take(index), way[place]), way[place])
        return np.maximum(result, 0.0)

    def _clear_of_surface(self, rows: Ints, least: Floats) -> Bools:
        """Whether what a solid mesh holds stays so far away from its surface."""
        result = np.zeros(len(rows), dtype=bool)
        for batch, index, place in split(self, rows[:, 0]):
            surface = batch.take(index).with_fields(solid=np.zeros(len(index), dtype=bool))
            pairs = np.stack([np.arange(len(index)), rows[place, 1]], axis=1)
            found = queries.distance(surface, self, pairs)
            result[place] = found.distance >= least[place] - found.rounding
        return result

    def _within(self, rows: Ints, room: Floats) -> Bools:
        """Whether all of B lies no farther from convex A than this, or where that is below zero so deep in it."""
        held, inverse = np.unique(rows[:, 1], return_inverse=True)
        points, radius, first = self._hull_points(held)
        begin, end = first[inverse.reshape(-1)], first[inverse.reshape(-1) + 1]
        pair = np.repeat(np.arange(len(rows)), end - begin)
        point = np.arange(len(pair)) + np.repeat(begin - (np.cumsum(end - begin) - (end - begin)), end - begin)
        asked = np.stack([rows[pair, 0], point], axis=1)
        found = queries.distance(self, Spheres(points, np.zeros(len(points))), asked)
        slack = found.rounding + ROUNDING_STEPS * EPS * np.abs(room[pair])
        inside = found.distance + radius[point] <= room[pair] + slack
        result = np.ones(len(rows), dtype=bool)
        result[pair[~inside]] = False
        return result

    def _hull_points(self, rows: Ints) -> tuple[Floats, Floats, Ints]:
        """Balls whose hull each shape is: centers (K, 3), radii (K,), and where those of each begin (R + 1,)."""
        owner, points, radius = [], [], []
        for batch, index, place in split(self, rows):
            corners, size = _balls(batch.take(index))
            for one, mine in zip(place, corners, strict=True):
                owner.append(np.full(len(mine), one))
                points.append(mine)
            radius.append(np.repeat(size, [len(mine) for mine in corners]))
        order = np.argsort(np.concatenate(owner), kind="stable")
        count = np.bincount(np.concatenate(owner), minlength=len(rows))
        return np.concatenate(points)[order], np.concatenate(radius)[order], np.cumsum([0, *count])


def inflated_impacts(world: World, rows: Ints, moves: Motion, *, max_iterations: int = MAX_ITERATIONS) -> Impacts:
    """When pairs of rows of a world first touch, their margins counted; see `time_of_impact`."""
    margin = margins(world)
    if margin is None:
        return time_of_impact(world, world, rows, motion_a=moves, motion_b=moves, max_iterations=max_iterations)
    room_a, room_b = margin[rows].T
    found = time_of_impact(
        world, world, rows, motion_a=moves, motion_b=moves, margin=room_a + room_b, max_iterations=max_iterations
    )
    # Midway between the bare surfaces so far; NaN stays.
    point = found.point + ((room_a - room_b) / 2.0)[:, None] * found.normal
    return replace(found, point=point)


def _balls(shapes: Shapes) -> tuple[list[Floats], Floats]:
    """The balls of each row: their centers (k, 3), and one radius for all of a row."""
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
    assert isinstance(shapes, Hulls | Meshes)
    found = []
    for row in range(count):
        geometry = shapes.geometry[shapes.index[row]]
        used = geometry.used if isinstance(shapes, Meshes) else geometry.vertices
        found.append(geometry.points[used] @ shapes.rotation[row].T + shapes.translation[row])
    return found, np.zeros(count)


def _prisms(shapes: Cylinders) -> Floats:
    """Corners (N, 2 x sides, 3) of prisms around cylinders."""
    along = normalized(shapes.end - shapes.start, np.zeros(3))
    first = perpendicular(along)
    second = np.cross(along, first)
    angle = 2.0 * np.pi * np.arange(_SIDES) / _SIDES
    reach = shapes.radius[:, None, None] / np.cos(np.pi / _SIDES)
    rim = reach * (np.cos(angle)[:, None] * first[:, None] + np.sin(angle)[:, None] * second[:, None])
    return np.concatenate([shapes.start[:, None] + rim, shapes.end[:, None] + rim], axis=1)
