# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes, some of them movable, and which of them collide for given translations. Does not need Blender."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core import ConvexHull, Distances, distance, last_contact, support, sweep_and_prune_between, time_of_impact
from ...core.hull import convex_hulls
from ...core.mesh.triangle_mesh import TriangleMesh
from ...core.narrow_phase.mesh.deepest import depth_of_points
from ...core.narrow_phase.mesh.orientation import oriented_rows
from ...core.numerics.types import Bools, Floats, Ints
from ...core.query.margins import offset_distances
from ...core.query.operands import split
from ...core.results import Impacts
from ...core.shapes import UNBOUNDED, Boxes, HalfSpaces, Hulls, Kind, Meshes, Shapes, Triangles
from ...core.world.world import World
from ..collisions.pairing import Pairing

# Unit of rows that are not moved.
STILL = -1
_UNTURNED = np.eye(3)[None]
# Fraction of a mesh's radius by which a corner must be deeper than touching to exceed rounding errors.
_PLAIN = 1e-5
# Bounds of unbounded shapes: the largest coordinates of float32.
_FAR = 1e39
# Coarse parts of a mesh: the maximum number for the largest mesh, and the factor by which each refinement multiplies
# it.
_COARSE, _FINER = 32, 4


@dataclass(frozen=True, eq=False)
class Near:
    """Pairs of rows that overlap or nearly touch, with the row of the earlier body first.

    Attributes
    ----------
    pairs : (P, 2) int64
    measured : Distances
    level : (P,) float64
        Depths up to this count as touching.
    interference : (P,) float64
        Greatest depth of a point of one shape in the other.
    """

    pairs: Ints
    measured: Distances
    level: Floats
    interference: Floats

    @property
    def depth(self) -> Floats:
        """The depth of each pair, (P,). For pairs that are apart, minus the distance."""
        return -self.measured.distance

    @property
    def penetrating(self) -> Ints:
        """The indices of the pairs that are deeper than touching."""
        return np.flatnonzero(np.minimum(self.depth, self.interference) > self.level)

    def take(self, places: Ints) -> "Near":
        """Return the given pairs."""
        return Near(self.pairs[places], self.measured.take(places), self.level[places], self.interference[places])


@dataclass(frozen=True, eq=False)
class Swept:
    """Convex parts of a unit, and of the shapes that they may touch during some translations.

    Attributes
    ----------
    world : World
        Parts of both, placed as at the start.
    pairs : (P, 2) int64
        Rows of `world`: the moving part, and the part that it may touch.
    other : (P,) int64
        Row of the scenery to which the latter belongs.
    which : (P,) int64
        Translation of each pair.
    way : (P, 3) float64
        The translation vector.
    coarse : float
        Size of the largest part of a mesh that is the hull of several triangles, or 0.0 if there is none.
    """

    world: World
    pairs: Ints
    other: Ints
    which: Ints
    way: Floats
    coarse: float

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
        return replace(self, **{name: getattr(self, name)[places] for name in ("pairs", "other", "which", "way")})

    def extent(self, direction: Floats) -> Floats:
        """Return the extents of the parts of each pair along a unit vector, (P, 2). Infinite for unbounded shapes."""
        result = np.full(self.pairs.shape, np.inf)
        for side in (0, 1):
            for batch, index, place in split(self.world, self.pairs[:, side]):
                if batch.kind not in UNBOUNDED:
                    part = batch.take(index)
                    ends = support(part, direction[None]) - support(part, -direction[None])
                    result[place, side] = ends @ direction + 2.0 * self._margins()[place, side]
        return result

    def _margins(self) -> Floats:
        """Return the margins of both shapes of each pair, (P, 2)."""
        margin = self.world.margin
        return np.zeros(self.pairs.shape) if margin is None else margin[self.pairs]

    def _moving(self) -> tuple[World, World, Ints, Floats]:
        """Return both sides at the start, and the translation of each row of the first."""
        first, second, places = self._sides(np.zeros(len(self.pairs)))
        velocity = np.empty((len(self.pairs), 3))
        velocity[places[:, 0]] = self.way
        return first, second, places, velocity

    def _sides(self, share: Floats, beside: Floats | None = None) -> tuple[World, World, Ints]:
        shift = share[:, None] * self.way + (0.0 if beside is None else beside)
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
        self._slow = np.isin(world.kind, (Kind.MESH, Kind.COMPOUND))
        count = int(pairing.body.max(initial=-1)) + 1
        self._left_out = np.array([a * count + b for pair in left_out for a, b in (pair, pair[::-1])], dtype=np.int64)
        self._bodies = count
        self._hulls: dict[tuple[TriangleMesh, int], list[ConvexHull]] = {}

    @property
    def has_meshes(self) -> bool:
        """Whether any shape is a mesh or a compound."""
        return bool(self._slow.any())

    def near(self, units: Sequence[int], offsets: Floats, margin: float = 0.0) -> Near:
        """Return the pairs of given units that overlap or are nearer than `margin`.

        `offsets` (U, 3) translate all units.
        """
        shift = self._shift(offsets)
        return self._measured(self._pairs(units, shift, margin), shift, margin)

    def blocker(self, unit: int, offsets: Floats, first: int = -1) -> int:
        """Return a row that a unit penetrates, or -1.

        The row `first` is tested before others, and meshes one by one.
        """
        shift = self._shift(offsets)
        pairs = self._pairs([unit], shift, 0.0)
        other = np.where(self.unit[pairs[:, 0]] == unit, pairs[:, 1], pairs[:, 0])
        slow = self._slow[pairs].any(axis=1)
        known = other == first
        quick = np.flatnonzero(~slow & ~known)
        for place in np.flatnonzero(slow).tolist():
            a, b = pairs[place].tolist()
            if self._plainly_penetrate(a, b, shift):
                return int(other[place])
        for places in (np.flatnonzero(known), quick, *np.flatnonzero(slow & ~known)[:, None]):
            if not len(places):
                continue
            sub, where, _ = self._placed(pairs[places], shift)
            deep = places[self._penetrate(sub, where, pairs[places])]
            if len(deep):
                return int(other[deep[0]])
        return -1

    def tried(self, unit: int, offsets: Floats, ways: Floats) -> tuple[Bools, Bools]:
        """Return whether a unit penetrates a convex shape after translations (K, 3), or may penetrate others.

        The result is two arrays (K,).
        """
        shift = self._shift(offsets)
        moved = np.where((self.unit == unit)[:, None], ways[:, None], 0.0)
        each = [self._pairs([unit], shift + more, 0.0) for more in moved]
        pairs, place = np.concatenate(each), np.repeat(np.arange(len(ways)), [len(some) for some in each])
        slow = self._slow[pairs].any(axis=1)
        quick = np.flatnonzero(~slow)
        asked = pairs[quick]
        moves = np.concatenate([shift[rows] + moved[place[quick], rows] for rows in asked.T])
        sub, at = self._in_rows(asked.T.reshape(-1), moves)
        result = np.zeros((2, len(ways)), dtype=bool)
        result[0, place[quick[self._penetrate(sub, at.reshape(2, -1).T, asked)]]] = True
        result[1, place[slow]] = True
        return result[0], result[1]

    def swept(self, unit: int, offsets: Floats, ways: Floats, most: int | None = None) -> "Swept":
        """Return the shapes that a unit may touch during translations (D, 3), with meshes as triangles for exact times.

        If there are more than `most` pairs, meshes are split into as many convex hulls of neighboring triangles as this
        allows, but at least a few.
        """
        shift = self._shift(offsets)
        lower, upper = self.lower + shift, self.upper + shift
        rows = np.flatnonzero(self.unit == unit)
        low = lower[rows] + np.minimum(ways, 0.0).min(axis=0)
        high = upper[rows] + np.maximum(ways, 0.0).max(axis=0)
        pairs = self._allowed(self._meeting(rows, lower, upper, low, high, 0.0))
        size = 1
        if most is not None:
            largest = max((len(mesh.triangles) for mesh in map(self._mesh, np.unique(pairs)) if mesh), default=1)
            while largest > size * _COARSE:
                size *= _FINER
        result = self._swept(pairs, shift, ways, size)
        while size > 1:
            size //= _FINER
            finer = self._swept(pairs, shift, ways, size)
            if len(finer.pairs) > (most or 0):
                break
            result = finer
        return result

    def _swept(self, pairs: Ints, shift: Floats, ways: Floats, size: int) -> "Swept":
        """Return pairs of rows that may touch on the way, with meshes as hulls of about `size` triangles each."""
        used = np.unique(pairs)
        meshes = used[self.world.kind[used] == Kind.MESH]
        convex = np.setdiff1d(used, meshes)
        pool, _, order = self._placed(np.stack([convex, convex], axis=1), shift)
        batches, ids, count = list(pool.batches), {}, len(order)
        every = np.zeros(len(self.world)) if self.world.margin is None else self.world.margin
        margin = [every[order]]
        ids.update({int(row): np.array([place]) for place, row in enumerate(order.tolist())})
        for row in meshes.tolist():
            batches.append(self._parts(row, size, shift[row]))
            ids[row] = count + np.arange(len(batches[-1]))
            margin.append(np.full(len(batches[-1]), every[row]))
            count += len(batches[-1])
        world = World(batches, np.concatenate(margin))
        low, high = world.bounds()
        coarse = float(np.linalg.norm((high - low)[len(order) :], axis=1).max(initial=0.0)) if size > 1 else 0.0
        least, greatest = np.minimum(ways, 0.0), np.maximum(ways, 0.0)
        found, other, which = [np.empty((0, 2), dtype=np.int64)], [pairs[:0, 0]], [pairs[:0, 0]]
        for a, b in pairs.tolist():
            mine, theirs = ids[a], ids[b]
            slack = self.level[[a, b]].max()
            infinite = np.clip([low[theirs] - slack, high[theirs] + slack], -_FAR, _FAR)
            for number in range(len(ways)):
                met = sweep_and_prune_between(low[mine] + least[number], high[mine] + greatest[number], *infinite)
                found.append(np.stack([mine[met[:, 0]], theirs[met[:, 1]]], axis=1))
                other.append(np.full(len(met), b))
                which.append(np.full(len(met), number))
        of_way = np.concatenate(which)
        return Swept(world, np.concatenate(found), np.concatenate(other), of_way, ways[of_way], coarse)

    def _mesh(self, row: int) -> TriangleMesh | None:
        """Return the mesh of a row. None for other shapes."""
        batch = self.world.batches[self.world.batch[row]]
        return batch.geometry[batch.index[self.world.slot[row]]] if isinstance(batch, Meshes) else None

    def _parts(self, row: int, size: int, shift: Floats) -> Triangles | Hulls:
        """Return the translated triangles of a mesh, or convex hulls of about `size` triangles each."""
        batch, slot, mesh = self.world.batches[self.world.batch[row]], self.world.slot[row], self._mesh(row)
        assert isinstance(batch, Meshes) and mesh is not None
        rotation, translation = batch.rotation[slot], batch.translation[slot] + shift
        if size == 1:
            return Triangles((mesh.points @ rotation.T + translation)[mesh.triangles])
        if (mesh, size) not in self._hulls:
            leaves = mesh.tree.triangle.reshape(-1, min(size, len(mesh.tree.triangle)))
            groups = [mesh.triangles[each[each >= 0]] for each in leaves if (each >= 0).any()]
            self._hulls[mesh, size] = convex_hulls([mesh.points[np.unique(group)] for group in groups])
        hulls = self._hulls[mesh, size]
        count = len(hulls)
        places = np.broadcast_to(translation, (count, 3)), np.broadcast_to(rotation, (count, 3, 3))
        return Hulls(hulls, np.arange(count), *places)

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

    def _meeting(self, rows: Ints, lower: Floats, upper: Floats, low: Floats, high: Floats, margin: float) -> Ints:
        """Return the given rows, with bounds `low` and `high`, paired with nearby rows of other units."""
        if not len(rows):
            return np.empty((0, 2), dtype=np.int64)
        slack = (
            margin
            + self.level[rows].max()
            + 1e-12 * float(np.abs([low, high]).max(where=np.isfinite([low, high]), initial=0.0))
        )
        own = self.unit[rows[0]]
        others = np.flatnonzero(
            (self.unit != own) & ((lower <= high.max(axis=0) + slack) & (upper >= low.min(axis=0) - slack)).all(axis=1)
        )
        meets = (lower[others] <= high[:, None] + slack) & (upper[others] >= low[:, None] - slack)
        first, second = np.nonzero(meets.all(axis=2))
        return np.stack([rows[first], others[second]], axis=1)

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

    def _pairs(self, units: Sequence[int], shift: Floats, margin: float) -> Ints:
        """Return pairs of the given units that may be nearer than the margin, the earlier body first."""
        lower, upper = self.lower + shift, self.upper + shift
        found = [np.empty((0, 2), dtype=np.int64)]
        for unit in units:
            rows = np.flatnonzero(self.unit == unit)
            found.append(self._meeting(rows, lower, upper, lower[rows], upper[rows], margin))
        return self.pairing.ordered(self._allowed(np.unique(np.sort(np.concatenate(found), axis=1), axis=0)))

    def _measured(self, pairs: Ints, shift: Floats, margin: float) -> Near:
        """Return the given pairs that are near."""
        sub, where, _ = self._placed(pairs, shift)
        measured = sub.distance(where)
        level = np.maximum(self.level[pairs].max(axis=1, initial=0.0), measured.rounding)
        deep = np.flatnonzero(measured.distance < -level)
        interference = np.maximum(-measured.distance, 0.0)
        interference[deep] = sub.interference(where[deep], known=measured.take(deep), touching=level[deep])
        close = np.flatnonzero(measured.distance <= np.maximum(margin, level))
        return Near(pairs[close], measured.take(close), level[close], interference[close])

    def _penetrate(self, sub: World, where: Ints, pairs: Ints) -> Bools:
        """Return whether pairs, which are the rows `where` (P, 2) of `sub`, are deeper than touching, (P,).

        Separating translations of meshes are not measured, because they take longer.
        """
        level = self.level[pairs].max(axis=1, initial=0.0)
        return sub.interference(where, touching=level) > level

    def _plainly_penetrate(self, a: int, b: int, shift: Floats) -> bool:
        """Return whether a corner of a mesh is deep in a box, hull or mesh, so that no measuring is needed."""
        for mesh_row, row in ((a, b), (b, a)):
            batch, slot = self.world.batches[self.world.batch[mesh_row]], self.world.slot[mesh_row]
            if not isinstance(batch, Meshes):
                continue
            mesh = batch.geometry[batch.index[slot]]
            corners = mesh.points @ batch.rotation[slot].T + batch.translation[slot] + shift[mesh_row] - shift[row]
            plain = 2.0 * float(self.level[[a, b]].max()) + _PLAIN * mesh.ball[1]
            depth = _depths(self.world.batches[self.world.batch[row]], int(self.world.slot[row]), corners, plain)
            if depth.max(initial=0.0) > plain:
                return True
        return False

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


def _depths(batch: Shapes, slot: int, points: Floats, enough: float) -> Floats:
    """Return the depths (n,) of points (n, 3) in a box, a hull or a mesh. Empty for other shapes.

    They are at most zero outside. A depth of at most `enough` need not be exact.
    """
    if isinstance(batch, Boxes):
        away = np.abs((points - batch.center[slot]) @ batch.rotation[slot])
        depths: Floats = (batch.half_extents[slot] - away).min(axis=1)
        return depths
    if isinstance(batch, Hulls):
        hull = batch.geometry[batch.index[slot]]
        if hull.dimension == 3:
            own = (points - batch.translation[slot]) @ batch.rotation[slot]
            depths = (hull.offsets - own @ hull.normals.T).min(axis=1)
            return depths
    if isinstance(batch, Meshes):
        every = np.zeros(len(points), dtype=np.int64)
        solid = oriented_rows(batch.take(np.array([slot])))
        return depth_of_points(solid, every, points, np.full(len(points), enough))
    return np.empty(0)
