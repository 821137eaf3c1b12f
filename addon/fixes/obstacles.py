# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes, some of them movable, and which of them collide for given translations. Does not need Blender."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise

import numpy as np

from ...core import Distances, distance, duplicates, last_contact, support, sweep_and_prune_between, time_of_impact
from ...core.continuous.exit_distances import exit_distances
from ...core.numerics.types import Bools, Floats, Ints
from ...core.query.margins import offset_distances
from ...core.query.mesh_directions import between_meshes, by_extents, directions
from ...core.query.operands import split
from ...core.query.queries import penetrating
from ...core.results import Impacts
from ...core.shapes import UNBOUNDED, HalfSpaces, Kind, Meshes, Triangles
from ...core.world.world import World
from ..collisions.pairing import Pairing

# Unit of rows that are not moved.
STILL = -1
_UNTURNED = np.eye(3)[None]
# Possible obstacles of a translation are tested in groups. Each group begins at one of these ranks.
_RANKS = (0, 2, 8, 1 << 62)
# Number of pairs of meshes that give more than one direction.
_MESHES = 4
# Bounds of unbounded shapes: the largest coordinates of float32.
_FAR = 1e39


@dataclass(frozen=True, eq=False)
class Near:
    """Pairs of rows that penetrate, and convex ones that touch, with the row of the earlier body first.

    Attributes
    ----------
    pairs : (P, 2) int64
    deep : (P,) bool
        Whether the pair is deeper than touching.
    normal : (P, 3) float64
        Unit vector from the first to the second, along which the two are separated.
    way : (P,) float64
        Length of the translation of the second along the normal that separates the two. At least zero.
    mesh : (P,) bool
        Whether one of the two is a mesh that is not convex. Then a shorter translation may separate the two.
    """

    pairs: Ints
    deep: Bools
    normal: Floats
    way: Floats
    mesh: Bools

    def take(self, places: Ints) -> "Near":
        """Return the given pairs."""
        return Near(*(getattr(self, field.name)[places] for field in fields(self)))


@dataclass(frozen=True, eq=False)
class Swept:
    """Convex parts of a unit, and of the shapes that they may touch during a translation.

    Attributes
    ----------
    world : World
        Parts of both, placed as at the start.
    pairs : (P, 2) int64
        Rows of `world`: the moving part, and the part that it may touch.
    other : (P,) int64
        The row of the scenery to which the latter belongs.
    way : (3,) float64
        The translation.
    """

    world: World
    pairs: Ints
    other: Ints
    way: Floats

    def first(self) -> Impacts:
        """Return the first contact of each pair, as a fraction of the translation."""
        first, second, places, velocity = self._moving()
        return time_of_impact(first, second, places, velocity_a=velocity, margin=self._margins().sum(axis=1))

    def last(self) -> Impacts:
        """Return the last contact of each pair, as a fraction of the translation."""
        first, second, places, velocity = self._moving()
        return last_contact(first, second, places, velocity_a=velocity, margin=self._margins().sum(axis=1))

    def at(self, share: Floats, beside: Floats | None = None) -> Distances:
        """Return the distances of the pairs after fractions (P,) of the translation, and an extra translation (3,)."""
        return offset_distances(distance(*self._sides(share, beside)), *self._margins().T)

    def take(self, places: Ints) -> "Swept":
        """Return the given pairs."""
        return replace(self, pairs=self.pairs[places], other=self.other[places])

    def extent(self, direction: Floats) -> Floats:
        """Return the extents of the parts of each pair along a unit vector, (P, 2). Infinite for unbounded shapes."""
        result = np.full(self.pairs.shape, np.inf)
        bounded = ~np.isin(self.world.kind[self.pairs], UNBOUNDED)
        rows = self.pairs[bounded]
        along = np.broadcast_to(direction, (len(rows), 3))
        result[bounded] = _extents(self.world, rows, along) + 2.0 * self._margins()[bounded]
        return result

    def _margins(self) -> Floats:
        """Return the margins of both shapes of each pair, (P, 2)."""
        margin = self.world.margin
        return np.zeros(self.pairs.shape) if margin is None else margin[self.pairs]

    def _moving(self) -> tuple[World, World, Ints, Floats]:
        """Return both sides at the start, and the translation of each row of the first."""
        first, second, places = self._sides(np.zeros(len(self.pairs)))
        return first, second, places, np.broadcast_to(self.way, (len(self.pairs), 3))

    def _sides(self, share: Floats, beside: Floats | None = None) -> tuple[World, World, Ints]:
        shift = share[:, None] * self.way[None] + (0.0 if beside is None else beside)
        sides, places = [], np.empty((len(self.pairs), 2), dtype=np.int64)
        for side in (0, 1):
            batches, count = [], 0
            for batch, index, place in split(self.world, self.pairs[:, side]):
                part = batch.take(index)
                batches.append(part if side else part.placed(_UNTURNED, shift[place]))
                places[place, side] = count + np.arange(len(place))
                count += len(place)
            sides.append(World(batches))
        return sides[0], sides[1], places


class Scenery:
    """Shapes of a scene, those of some units with a translation.

    Parameters
    ----------
    world : World
    unit : (N,) int64
        Unit that each row is moved with. `STILL` for rows that are not moved.
    pairing : Pairing
        Pairs to be tested.
    level : (N,) float64
        Touching tolerance of each row.
    left_out : sequence of (int, int)
        Pairs of bodies that are accepted as they are.
    """

    def __init__(
        self, world: World, unit: Ints, pairing: Pairing, level: Floats, left_out: Sequence[tuple[int, int]] = ()
    ) -> None:
        self.world, self.unit, self.pairing, self.level = world, unit, pairing, level
        self.lower, self.upper = world.bounds()
        self._endless = np.isin(world.kind, UNBOUNDED)
        count = int(pairing.body.max(initial=-1)) + 1
        self._left_out = np.array([a * count + b for pair in left_out for a, b in (pair, pair[::-1])], dtype=np.int64)
        self._bodies = count

    def penetrating(self, units: Sequence[int], offsets: Floats) -> Ints:
        """Return the pairs of given units that penetrate, (P, 2), with the row of the earlier body first.

        `offsets` (U, 3) translate all units. Depths are measured only where no bound decides.
        """
        shift = self._shift(offsets)
        pairs = self._pairs(units, shift)
        sub, where, _ = self._placed(pairs, shift)
        return pairs[_collide(sub, where, self.level[pairs].max(axis=1, initial=0.0))]

    def depths(self, pairs: Ints, offsets: Floats) -> Floats:
        """Return the greatest depth of a point of one shape in the other, for pairs that penetrate, (P,)."""
        sub, where, _ = self._placed(pairs, self._shift(offsets))
        return sub.interference(where, touching=self.level[pairs].max(axis=1, initial=0.0))

    def near(self, units: Sequence[int], offsets: Floats) -> Near:
        """Return the pairs of given units that penetrate, and convex pairs that touch.

        `offsets` (U, 3) translate all units.
        """
        shift = self._shift(offsets)
        pairs = self._pairs(units, shift)
        sub, where, _ = self._placed(pairs, shift)
        level = self.level[pairs].max(axis=1, initial=0.0)
        mesh, deep = between_meshes(sub, sub, where), np.zeros(len(pairs), dtype=bool)
        normal, way = np.zeros((len(pairs), 3)), np.full(len(pairs), -np.inf)
        rows = np.flatnonzero(~mesh)
        measured = sub.distance(where[rows])
        normal[rows], way[rows] = measured.normal, -measured.distance
        level[rows] = np.maximum(level[rows], measured.rounding)
        inner = np.flatnonzero(way[rows] > level[rows])
        some = rows[inner]
        known = measured.take(inner)
        deep[some] = sub.interference(where[some], known=known, touching=level[some]) > level[some]
        rows = np.flatnonzero(mesh)
        rows = rows[_collide(sub, where[rows], level[rows])]
        deep[rows] = True
        way[rows], normal[rows] = by_extents(sub, sub, where[rows])
        close = np.flatnonzero(deep | (~mesh & (way >= -level)))
        return Near(pairs[close], deep[close], normal[close], np.maximum(way[close], 0.0), mesh[close])

    def directions(self, near: Near, unit: int, offsets: Floats) -> Floats:
        """Return directions (K, 3) in which a unit may leave what it penetrates.

        The normals of all pairs come first, then further directions for the first pairs of meshes.
        """
        sub, where, _ = self._placed(near.pairs, self._shift(offsets))
        meshes = np.flatnonzero(near.mesh)[:_MESHES]
        pair, along = directions(sub, sub, where[meshes])
        # The first of each pair, then the second of each, and so on.
        turn = np.arange(len(pair)) - np.searchsorted(pair, pair)
        order = np.lexsort((pair, turn))
        every = np.append(np.arange(len(near.pairs)), meshes[pair[order]])
        ways = np.concatenate([near.normal, along[order]])
        return np.where((self.unit[near.pairs[every, 0]] == unit)[:, None], -ways, ways)

    def exits(
        self, unit: int, offsets: Floats, ways: Floats, directions: Floats, most: Floats, left: Ints
    ) -> tuple[Floats, Ints]:
        """Return lower bounds of the distances that a unit must move further along unit vectors until it is free.

        Parameters
        ----------
        unit : int
        offsets : (U, 3) float64
            The translations of all units.
        ways : (K, 3) float64
            Translations of the unit, in addition to its offset.
        directions : (K, 3) float64
        most : (K,) float64
            Longer distances need not be exact. They may be infinite.
        left : (K,) int64
            The obstacle that was left last, or -1. It is tested only if there is no other obstacle.

        Returns
        -------
        ahead : (K,) float64
            Zero where the unit is free.
        row : (K,) int64
            The obstacle that is left then, or -1 where the unit is free.
        """
        shift = self._shift(offsets)
        place, a, b = self._met(unit, shift, ways)
        rank = self._ranks(place, a, b, shift, ways, directions, b == left[place])
        ahead, row = np.zeros(len(ways)), np.full(len(ways), -1)
        for first, last in pairwise(_RANKS):
            # One obstacle is enough for a lower bound.
            some = np.flatnonzero((rank >= first) & (rank < last) & (ahead[place] == 0.0))
            if not len(some):
                continue
            mine, other, of = a[some], b[some], place[some]
            sub, where = self._side_by_side(mine, other, of, shift, ways)
            level = np.maximum(self.level[mine], self.level[other])
            deep = penetrating(sub, sub, where, level)
            copies = _copies(sub, where, level, deep)
            kept = np.append(np.flatnonzero(deep), copies)
            where, of, other, level = where[kept], of[kept], other[kept], level[kept]
            # A pair that penetrates by more than its level does so until it has moved by more than this.
            far = np.maximum(exit_distances(sub, sub, where, directions[of], most[of], level), level)
            # Open meshes in one place would be duplicates no more after a tiny translation.
            same = slice(len(kept) - len(copies), None)
            far[same] = np.maximum(far[same], _extents(sub, where[same, 1], directions[of[same]]))
            order = np.argsort(far, kind="stable")
            ahead[of[order]], row[of[order]] = far[order], other[order]
        return ahead, row

    def _ranks(
        self, place: Ints, a: Ints, b: Ints, shift: Floats, ways: Floats, directions: Floats, late: Bools
    ) -> Ints:
        """Return the order in which pairs of each translation are tested: first those whose bounds are left last."""
        low, high = (side + shift for side in (self.lower, self.upper))
        along = directions[place]
        ahead, behind = np.where(along > 0.0, high[b], low[b]), np.where(along > 0.0, low[a], high[a])
        # Unbounded shapes are tested first. Coordinates across the direction may be infinite.
        with np.errstate(invalid="ignore"):
            far = np.nan_to_num(np.where(along == 0.0, 0.0, (ahead - behind) * along), posinf=_FAR).sum(axis=1)
        order = np.lexsort((-far, late, place))
        rank = np.empty(len(place), dtype=np.int64)
        rank[order] = np.arange(len(place)) - np.searchsorted(place[order], place[order])
        return rank

    def _met(self, unit: int, shift: Floats, ways: Floats) -> tuple[Ints, Ints, Ints]:
        """Return pairs whose bounds meet after translations (K, 3) of a unit: the translation, and both rows."""
        lower, upper = self.lower + shift, self.upper + shift
        own = np.flatnonzero(self.unit == unit)
        low, high = lower[own] + ways.min(axis=0), upper[own] + ways.max(axis=0)
        a, b = self._allowed(self._meeting(own, lower, upper, low, high)).T
        slack = self._slack(own, low, high)
        meets = (lower[a] + ways[:, None] <= upper[b] + slack) & (upper[a] + ways[:, None] >= lower[b] - slack)
        place, which = np.nonzero(meets.all(axis=2))
        return place, a[which], b[which]

    def _side_by_side(self, a: Ints, b: Ints, place: Ints, shift: Floats, ways: Floats) -> tuple[World, Ints]:
        """Return a world with rows `a` after these translations and rows `b`, and the pairs as its rows, (P, 2)."""
        count = len(self.unit)
        moved, first = np.unique(place * count + a, return_inverse=True)
        still, second = np.unique(b, return_inverse=True)
        rows = np.append(moved % count, still)
        moves = shift[rows]
        moves[: len(moved)] += ways[moved // count]
        sub, at = self._in_rows(rows, moves)
        return sub, np.stack([at[len(moved) + second], at[first]], axis=1)

    def swept(self, unit: int, offsets: Floats, way: Floats) -> "Swept":
        """Return the shapes that a unit may touch during a translation (3,). Meshes are split into triangles."""
        shift = self._shift(offsets)
        lower, upper = self.lower + shift, self.upper + shift
        rows = np.flatnonzero(self.unit == unit)
        low, high = lower[rows] + np.minimum(way, 0.0), upper[rows] + np.maximum(way, 0.0)
        pairs = self._allowed(self._meeting(rows, lower, upper, low, high))
        used = np.unique(pairs)
        meshes = used[self.world.kind[used] == Kind.MESH]
        convex = np.setdiff1d(used, meshes)
        pool, _, order = self._placed(np.stack([convex, convex], axis=1), shift)
        batches, ids, count = list(pool.batches), {}, len(order)
        every = np.zeros(len(self.world)) if self.world.margin is None else self.world.margin
        margin = [every[order]]
        ids.update({int(row): np.array([place]) for place, row in enumerate(order.tolist())})
        for row in meshes.tolist():
            batches.append(self._triangles(row, shift[row]))
            ids[row] = count + np.arange(len(batches[-1]))
            margin.append(np.full(len(batches[-1]), every[row]))
            count += len(batches[-1])
        world = World(batches, np.concatenate(margin))
        low, high = world.bounds()
        found, other = [np.empty((0, 2), dtype=np.int64)], [pairs[:0, 0]]
        for a, b in pairs.tolist():
            mine, theirs = ids[a], ids[b]
            slack = self.level[[a, b]].max()
            infinite = np.clip([low[theirs] - slack, high[theirs] + slack], -_FAR, _FAR)
            moved = low[mine] + np.minimum(way, 0.0), high[mine] + np.maximum(way, 0.0)
            met = sweep_and_prune_between(*moved, *infinite)
            found.append(np.stack([mine[met[:, 0]], theirs[met[:, 1]]], axis=1))
            other.append(np.full(len(met), b))
        return Swept(world, np.concatenate(found), np.concatenate(other), way)

    def _triangles(self, row: int, shift: Floats) -> Triangles:
        """Return the translated triangles of a mesh."""
        batch, slot = self.world.batches[self.world.batch[row]], self.world.slot[row]
        assert isinstance(batch, Meshes)
        mesh = batch.geometry[batch.index[slot]]
        corners = mesh.points @ batch.rotation[slot].T + batch.translation[slot] + shift
        return Triangles(corners[mesh.triangles])

    def measured(self, pairs: Ints, offsets: Floats) -> Distances:
        """Return the distances of these pairs of rows, with units translated by `offsets` (U, 3)."""
        sub, places, _ = self._placed(pairs, self._shift(offsets))
        return sub.distance(places)

    def reach(self, unit: int, offsets: Floats, direction: Floats) -> float:
        """Return the distance along a unit vector to pass everything, or to meet an unbounded shape."""
        shift = self._shift(offsets)
        rows, others = np.flatnonzero(self.unit == unit), np.flatnonzero((self.unit != unit) & ~self._endless)
        lower, upper = self.lower + shift, self.upper + shift
        behind = np.where(direction > 0.0, lower, upper)[rows] @ direction
        ahead = np.where(direction > 0.0, upper, lower)[others] @ direction
        far = max(0.0, float((ahead.max(initial=-np.inf) - behind).max(initial=0.0)))
        for row in np.flatnonzero(self._endless):
            surface = self.world.batches[self.world.batch[row]].take(self.world.slot[[row]])
            assert isinstance(surface, HalfSpaces)
            normal = surface.normal[0]
            closing = float(normal @ direction)
            if closing:
                corners = np.where(normal * closing > 0.0, lower[rows], upper[rows])
                far = max(far, float(((surface.offset[0] - corners @ normal) / closing).max(initial=0.0)))
        # A little more, so that a shape that is touched at the end is passed.
        return 1.01 * far + float(np.ptp(behind)) if far else 0.0

    def _shift(self, offsets: Floats) -> Floats:
        # Rows that are not moved have the last translation.
        return np.concatenate([offsets, np.zeros((1, 3))])[self.unit]

    def _meeting(self, rows: Ints, lower: Floats, upper: Floats, low: Floats, high: Floats) -> Ints:
        """Return the given rows, with bounds `low` and `high`, paired with rows of other units that may touch."""
        if not len(rows):
            return np.empty((0, 2), dtype=np.int64)
        slack = self._slack(rows, low, high)
        own = self.unit[rows[0]]
        others = np.flatnonzero(
            (self.unit != own) & ((lower <= high.max(axis=0) + slack) & (upper >= low.min(axis=0) - slack)).all(axis=1)
        )
        meets = (lower[others] <= high[:, None] + slack) & (upper[others] >= low[:, None] - slack)
        first, second = np.nonzero(meets.all(axis=2))
        return np.stack([rows[first], others[second]], axis=1)

    def _slack(self, rows: Ints, low: Floats, high: Floats) -> float:
        """Return the distance between bounds up to which rows with bounds `low` and `high` may touch."""
        size = float(np.abs([low, high]).max(where=np.isfinite([low, high]), initial=0.0))
        return float(self.level[rows].max(initial=0.0)) + 1e-12 * size

    def _allowed(self, pairs: Ints) -> Ints:
        """Return the given pairs that are tested, in the given order of rows."""
        body = self.pairing.body[pairs]
        allowed = ~self._endless[pairs].all(axis=1)
        allowed &= ~np.isin(body[:, 0] * self._bodies + body[:, 1], self._left_out)
        kept = pairs[allowed]
        # The pairing puts the earlier body first; here the moved row comes first.
        tested = self.pairing.ordered(kept)
        count = len(self.unit)
        keys = np.concatenate([tested[:, 0] * count + tested[:, 1], tested[:, 1] * count + tested[:, 0]])
        return kept[np.isin(kept[:, 0] * count + kept[:, 1], keys)]

    def _pairs(self, units: Sequence[int], shift: Floats) -> Ints:
        """Return pairs of the given units that may touch, with the row of the earlier body first."""
        lower, upper = self.lower + shift, self.upper + shift
        found = [np.empty((0, 2), dtype=np.int64)]
        for unit in units:
            rows = np.flatnonzero(self.unit == unit)
            found.append(self._meeting(rows, lower, upper, lower[rows], upper[rows]))
        return self.pairing.ordered(self._allowed(np.unique(np.sort(np.concatenate(found), axis=1), axis=0)))

    def _in_rows(self, rows: Ints, shift: Floats) -> tuple[World, Ints]:
        """Return a world with the shapes of some rows (K,), each translated, and the row of each in it, (K,)."""
        batches, order = [], [rows[:0]]
        for batch, index, place in split(self.world, rows):
            batches.append(batch.take(index).placed(_UNTURNED, shift[place]))
            order.append(place)
        used = np.concatenate(order)
        at = np.empty(len(rows), dtype=np.int64)
        at[used] = np.arange(len(used))
        margin = self.world.margin
        return World(batches, None if margin is None else margin[rows[used]]), at

    def _placed(self, pairs: Ints, shift: Floats) -> tuple[World, Ints, Ints]:
        """Return the shapes of some pairs in their places, the pairs as rows of these, and the original rows."""
        rows, inverse = np.unique(pairs, return_inverse=True)
        world, at = self._in_rows(rows, shift[rows])
        return world, at[inverse.reshape(-1, 2)], rows[np.argsort(at)]


def _collide(world: World, pairs: Ints, level: Floats) -> Bools:
    """Return which pairs of rows (P, 2) penetrate by more than their levels (P,), or are duplicates."""
    result = penetrating(world, world, pairs, level)
    result[_copies(world, pairs, level, result)] = True
    return result


def _copies(world: World, pairs: Ints, level: Floats, deep: Bools) -> Ints:
    """Return the pairs of duplicate meshes that do not penetrate.

    Open meshes in one place do not penetrate, because no point of one is inside the other.
    """
    rest = np.flatnonzero(~deep & (world.kind[pairs] == Kind.MESH).all(axis=1))
    return rest[duplicates(world, world, pairs[rest], tolerance=level[rest])]


def _extents(world: World, rows: Ints, along: Floats) -> Floats:
    """Return the extents of bounded shapes (P,) along unit vectors (P, 3)."""
    result = np.empty(len(rows))
    for batch, index, place in split(world, rows):
        part = batch.take(index)
        ends = support(part, along[place]) - support(part, -along[place])
        result[place] = (ends * along[place]).sum(axis=1)
    return result
