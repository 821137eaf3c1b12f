# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure how two bodies of a pair lie to each other, by their bounds, for the recognition of joined parts."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np

from ...core.broad_phase.sweep_and_prune import sweep_and_prune
from ...core.constants import Verdict
from ...core.numerics.rows import connected_components
from ...core.numerics.types import Bools, Floats, Ints
from ..model.alike import is_own_name, without_numbers
from ..model.folds import DRAWN, is_area
from ..model.report import Body
from ..scene.reading.assets import HEIGHT, ground_of
from .body_extents import BodyExtents

# A thing has at least this many joints, or more parts than this.
FEWEST = 3
# A joint is less than this deep, as a fraction of the longest side of the smaller part.
HALF = 0.5
# A detail is at most as large as the first fraction of what it is on, and in it by at most the second.
DETAIL, FLUSH = 0.4, 0.05
# A backdrop is at least this many times as large as everything else together.
BACKDROP = 10.0
# What is this near to the bounds of the larger part, as a fraction of its size, sits on it and is not inside.
RIM = 0.05
# A wall or a floor is at most as thick as this fraction of its width, and as long as this fraction of the scene or more
# in two directions.
PLATE, COVERED = 0.1, 0.4
# Parts are copies if the sides of their bounds differ by at most this fraction.
_SAME_SIZE = 1e-3
# They are turned against each other if their lengths along a diagonal differ by more than this fraction.
_TURNED = 0.05
# A word or a collection that more than this fraction of bodies have says nothing, as `SM` of `SM_Wall` and `SM_Tree`.
COMMON = 0.9


class PairGeometry:
    """Sizes and places of bodies, and of the pairs that a check has found.

    Parameters
    ----------
    bodies : sequence of Body
    bounds : (B, 3) float64 and (B, 3) float64
        Bounds of each body.
    columns : (P,) int64, three times, and (P,) float64
        The two bodies, the verdict and the depth of each pair. Infinite if only a lower bound is known.
    extents : BodyExtents, optional
        Without them, each body is one part, and copies are not turned against each other.

    Attributes
    ----------
    first, second : (P,) int64
    depth : (P,) float64
    penetrates, meets : (P,) bool
        Which pairs penetrate, and which penetrate, touch or are coplanar.
    sides : (B, 3) float64
        Sides of the bounds of each body, ascending.
    own_names : list of str
        The name of each body without numbers. Empty if nobody has named it.
    """

    def __init__(
        self,
        bodies: Sequence[Body],
        bounds: tuple[Floats, Floats],
        columns: tuple[Ints, Ints, Ints, Floats],
        extents: BodyExtents | None,
    ) -> None:
        self.bodies, self.bounds, self.extents = bodies, bounds, extents
        self.first, self.second, verdict, self.depth = columns
        self.sides = np.sort(bounds[1] - bounds[0], axis=1)
        self.own_names = own_names(bodies)
        self.penetrates: Bools = verdict == Verdict.PENETRATING
        self.meets = self.penetrates | (verdict == Verdict.TOUCHING) | (verdict == Verdict.COPLANAR)

    @cached_property
    def half(self) -> Bools:
        """Pairs that penetrate by at most half of the smaller body, (P,)."""
        return self.penetrates & self.shallow(HALF)

    @cached_property
    def neighbors(self) -> list[set[int]]:
        """The bodies that each body meets."""
        near = [set[int]() for _ in self.bodies]
        for a, b in zip(self.first[self.meets].tolist(), self.second[self.meets].tolist(), strict=True):
            near[a].add(b)
            near[b].add(a)
        return near

    @cached_property
    def over(self) -> tuple[Bools, Bools]:
        """Pairs of which the first body is over the second, and of which the second is over the first, (P,) each.

        It is within the outline of the other, and at least half of it is higher than the other.
        """
        lower, upper = (each[:, 2] for each in self.bounds)
        left, right = (each[:, :2] for each in self.bounds)
        found = np.zeros((2, len(self.first)), bool)
        for row, (one, other) in enumerate(((self.first, self.second), (self.second, self.first))):
            found[row] = (lower[other] < lower[one]) & (lower[one] < upper[other]) & (upper[other] < upper[one])
            found[row] &= upper[other] - lower[one] <= HALF * (upper[one] - lower[one])
            found[row] &= ((left[other] <= left[one]) & (right[one] <= right[other])).all(axis=1)
        return found[0], found[1]

    @cached_property
    def stands(self) -> Bools:
        """Pairs of which one stands on the other and meets nothing else, as a vase does on a table, (P,).

        A head is wider than its neck, so it does not stand on it. A sign on a wall, most of which is below the top of
        the wall, does not, either.
        """
        alone = np.array([len(others) == 1 for others in self.neighbors], bool)
        one, other = self.over
        result: Bools = (one & alone[self.first]) | (other & alone[self.second])
        return result

    @cached_property
    def crossing(self) -> tuple[Bools, Bools, Bools]:
        """Pairs of which one passes through the other, or through a plate, or has its middle inside, (P,) each.

        All is asked of the bounds of pairs that are `half` deep and do not stand on each other, and then of those of
        their loose parts. False for all other pairs.
        """
        lower, upper = self.bounds
        some = self.half & ~self.stands
        passes, pierces, buried = found = np.zeros((3, len(some)), bool)
        rows = np.flatnonzero(some)
        first, second = self.first[rows], self.second[rows]
        found[:, rows] = _crossings((lower[first], upper[first]), (lower[second], upper[second]))
        if self.extents is None:
            return passes, pierces, buried
        alone = self.extents.in_one_piece()
        divided = ~alone[self.first] | ~alone[self.second]
        for row in np.flatnonzero(found.any(axis=0) & divided).tolist():
            one, other = (self.extents.loose(int(body)) for body in (self.first[row], self.second[row]))
            parts = _crossings((one[0][:, None], one[1][:, None]), other)
            found[:, row] &= parts.any(axis=(1, 2))
        return passes, pierces, buried

    def sunk(self) -> Floats:
        """Return how far the smaller body has to move to free the bounds, as a fraction of its size that way, (P,)."""
        (lower, upper), size = self.bounds, self.bounds[1] - self.bounds[0]
        larger = size.max(axis=1)[self.first] >= size.max(axis=1)[self.second]
        small, large = np.where(larger, self.second, self.first), np.where(larger, self.first, self.second)
        with np.errstate(invalid="ignore", divide="ignore"):
            ways = np.minimum(upper[small] - lower[large], upper[large] - lower[small]) / size[small]
        result: Floats = np.nan_to_num(ways, nan=np.inf).min(axis=1)
        return result

    def set_in(self) -> Bools:
        """Return of which pairs (P,) both are plates that lie the same way, as a window in a wall."""
        size = self.bounds[1] - self.bounds[0]
        with np.errstate(invalid="ignore"):
            plate, way = is_plate(size), size.argmin(axis=1)
        result: Bools = (plate[self.first] & plate[self.second]) & (way[self.first] == way[self.second])
        return result

    def connected(self, rows: Iterable[int]) -> Iterator[list[int]]:
        """Yield groups of more than `FEWEST` of these bodies that meet each other, directly or through others."""
        inside = np.zeros(len(self.bodies), bool)
        inside[list(rows)] = True
        among = self.meets & inside[self.first] & inside[self.second]
        label = connected_components(len(self.bodies), self.first[among], self.second[among])
        for one in np.unique(label[self.first[among]]).tolist():
            group = np.flatnonzero(inside & (label == one)).tolist()
            if len(group) > FEWEST:
                yield group

    def shells(self, rows: Sequence[int]) -> Bools:
        """Return which of these bodies are a room or a terrain, (R,).

        They have half of the others inside of their bounds. Half of these stand at the bottom, or nothing but the room
        connects all others with each other.
        """
        lower, upper = self.bounds[0][rows], self.bounds[1][rows]
        pairs = sweep_and_prune(lower, upper)
        outer = np.concatenate([pairs[:, 0], pairs[:, 1]])
        inner = np.concatenate([pairs[:, 1], pairs[:, 0]])
        holds = ((lower[outer] <= lower[inner]) & (upper[inner] <= upper[outer])).all(axis=1)
        found = np.asarray(2 * np.bincount(outer[holds], minlength=len(rows)) >= len(rows) - 1)
        for place in np.flatnonzero(found).tolist():
            within = np.array(rows)[inner[holds & (outer == place)]]
            standing = int(self.at_bottom(np.full(len(within), rows[place]), within).sum())
            others = [one for one in rows if one != rows[place] and not is_area(self.bodies[one])]
            apart = max(map(len, self.connected(others)), default=0) < len(others)
            found[place] = apart or 2 * standing >= len(within)
        return found

    def without_backdrops(self) -> list[int]:
        """Return all bodies but those that are far larger than everything else, on which a thing is shown."""
        lower, upper = self.bounds
        size = (upper - lower).max(axis=1)
        rows = np.argsort(size, kind="stable").tolist()
        while len(rows) > 1 and np.isfinite(size[rows[-1]]):
            rest = rows[:-1]
            if size[rows[-1]] < BACKDROP * (upper[rest].max(axis=0) - lower[rest].min(axis=0)).max():
                break
            rows = rest
        return sorted(rows)

    def plates(self, rows: Sequence[int]) -> Bools:
        """Return which of these bodies are walls, floors or ceilings of all of them, (R,)."""
        lower, upper = self.bounds[0][rows], self.bounds[1][rows]
        size = upper - lower
        whole = upper.max(axis=0) - lower.min(axis=0)
        found = ~np.isfinite(size.sum(axis=1))
        for axis in range(3):
            wide = [one for one in range(3) if one != axis]
            # A terrain has hills.
            thin = size[:, axis] <= (HEIGHT if axis == 2 else PLATE) * size[:, wide].min(axis=1)
            found |= thin & (size[:, wide] >= COVERED * whole[wide]).all(axis=1)
        return found

    @cached_property
    def on_one_ground(self) -> Bools:
        """Pairs of which both bodies begin at one height, as a desk and its chair do, (P,)."""
        lower, upper = (side[:, 2] for side in self.bounds)
        with np.errstate(invalid="ignore"):  # half-spaces have no height
            height = np.minimum(*((upper - lower)[side] for side in (self.first, self.second)))
            found: Bools = np.abs(lower[self.first] - lower[self.second]) <= RIM * height
        return found

    @cached_property
    def holds(self) -> Bools:
        """Pairs of which one is completely within the bounds of the other, as a book in a shelf is, (P,)."""
        (lower, upper), a, b = self.bounds, self.first, self.second
        found = np.zeros(len(a), bool)
        for one, other in ((a, b), (b, a)):
            found |= ((lower[one] <= lower[other]) & (upper[other] <= upper[one])).all(axis=1)
        return found

    @cached_property
    def free(self) -> Bools:
        """Pairs that may be parts of one thing, (P,).

        Neither is a room, a floor, a wall or a backdrop, or declared to move or to collide, and they are not of two
        assets.
        """
        free = np.array([one.source == DRAWN and not one.motion for one in self.bodies], bool) & ~self.rooms
        found: Bools = free[self.first] & free[self.second]
        for row in np.flatnonzero(found).tolist():
            a, b = (self.bodies[int(side[row])].asset for side in (self.first, self.second))
            found[row] = a == b or not (a and b)
        return found

    @cached_property
    def rooms(self) -> Bools:
        """Bodies that are a room, a ground, a wall or a backdrop of the others, (B,)."""
        found = np.ones(len(self.bodies), bool)
        rows = self.without_backdrops()
        found[rows] = self.shells(rows) | self.plates(rows) if len(rows) > 2 else False
        ground = ground_of(*self.bounds)
        if ground >= 0:
            found[ground] = True
        return found

    def layered(self, least: float) -> Bools:
        """Return of which pairs (P,) the common bounds fill at least this fraction of the bounds of either."""
        lower, upper = self.bounds
        a, b = self.first, self.second
        with np.errstate(invalid="ignore"):  # half-spaces have no volume
            common = np.maximum(np.minimum(upper[a], upper[b]) - np.maximum(lower[a], lower[b]), 0.0).prod(axis=1)
            volume = (upper - lower).prod(axis=1)
            result: Bools = common > least * (volume[a] + volume[b] - common)
        return result

    def largest(self, rows: Sequence[int]) -> str:
        """Return the name of the largest of these bodies, and the number of the others."""
        lower, upper = self.bounds
        largest = self.bodies[rows[int(np.argmax(np.linalg.norm(upper[rows] - lower[rows], axis=1)))]].name
        return f"{largest} + {len(rows) - 1}"

    def at_bottom(self, a: Ints, b: Ints) -> Bools:
        """Return of which pairs the smaller body begins at the bottom of the larger, as furniture in a room does."""
        lower, upper = self.bounds
        size = (upper - lower).max(axis=1)
        small, large = np.where(size[a] >= size[b], (b, a), (a, b))
        with np.errstate(invalid="ignore"):
            low = lower[small, 2] - lower[large, 2] <= PLATE * (upper[large, 2] - lower[large, 2])
        found: Bools = low | ~np.isfinite(size[large])
        return found

    def are_turned(self, a: int, b: int) -> bool:
        """Return whether two copies of one object are turned against each other."""
        if self.extents is None:
            return False
        one, other = self.extents.diagonal(a), self.extents.diagonal(b)
        return bool((np.abs(one - other) > _TURNED * np.maximum(one, other)).any())

    def shallow(self, most: float) -> Bools:
        """Return which pairs overlap by at most this fraction of the smaller body, (P,)."""
        size = (self.bounds[1] - self.bounds[0]).max(axis=1)
        small = np.minimum(size[self.first], size[self.second])
        result: Bools = np.isfinite(small) & (self.depth <= most * small)
        return result

    def details(self) -> Bools:
        """Return of which pairs the smaller body is a detail of the larger, as a button is of a robot, (P,)."""
        size = (self.bounds[1] - self.bounds[0]).max(axis=1)
        small = np.minimum(size[self.first], size[self.second])
        large = np.maximum(size[self.first], size[self.second])
        result: Bools = np.isfinite(large) & (small <= DETAIL * large) & (self.depth <= FLUSH * large)
        return result

    def inside(self) -> Bools:
        """Return of which pairs the center of the smaller body is well inside the bounds of the larger, (P,)."""
        lower, upper = self.bounds
        size = (upper - lower).max(axis=1)
        larger = size[self.first] >= size[self.second]
        small = np.where(larger, self.second, self.first)
        large = np.where(larger, self.first, self.second)
        with np.errstate(invalid="ignore"):  # a half-space has no center
            center = (lower[small] + upper[small]) / 2.0
            margin = RIM * (upper[large] - lower[large])
            outside = (center < lower[large] + margin) | (upper[large] - margin < center)
        result: Bools = outside.sum(axis=1) == 0
        return result

    def without_copies(self, joints: Bools) -> Ints:
        """Return one row for each pair of bodies that are no copies of each other."""
        rows = distinct(self.first, self.second, joints)
        return rows[~self.are_copies(self.first[rows], self.second[rows])]

    def are_copies(self, first: Ints, second: Ints) -> Bools:
        """Return which pairs (P,) are copies of one object, by sizes, or by names that differ only in numbers."""
        one, other = self.sides[first], self.sides[second]
        result: Bools = np.abs(one - other).max(axis=1, initial=0.0) <= _SAME_SIZE * np.maximum(one[:, 2], other[:, 2])
        left = np.flatnonzero(~result)
        names = [[self.own_names[body] for body in each[left].tolist()] for each in (first, second)]
        result[left] = [bool(a) and a == b for a, b in zip(*names, strict=True)]
        return result


def _crossings(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Bools:
    """Return which bounds (..., 3) pass through others, or through a plate, or have their middle inside: (3, ...).

    What passes through is longer than the other along some axis, on both sides, and narrower across. The middle is
    that of the smaller bounds, well inside of the larger.
    """
    (low, high), (lower, upper) = one, other
    with np.errstate(invalid="ignore"):  # half-spaces have no sizes and no centers
        size, sizes = high - low, upper - lower
        meet = ((low <= upper) & (lower <= high)).all(axis=-1)
        room = RIM * np.minimum(size, sizes)
        inner = (lower + room < low) & (high < upper - room)
        outer = (low + room < lower) & (upper < high - room)
        passes = meet & (inner | outer).all(axis=-1) & inner.any(axis=-1) & outer.any(axis=-1)
        plate = is_plate(size) | is_plate(sizes)
        larger = (size.max(axis=-1) >= sizes.max(axis=-1))[..., None]
        middle = np.where(larger, lower + upper, low + high) / 2.0
        margin = RIM * np.where(larger, size, sizes)
        after = np.where(larger, low, lower) + margin <= middle
        before = middle <= np.where(larger, high, upper) - margin
    return np.array([passes, passes & plate, meet & (after & before).all(axis=-1)])


def is_plate(size: Floats) -> Bools:
    """Return which sizes (..., 3) are those of plates, (...)."""
    sides = np.sort(size, axis=-1)
    result: Bools = sides[..., 0] <= PLATE * sides[..., 1]
    return result


def distinct(first: Ints, second: Ints, some: Bools) -> Ints:
    """Return one of these rows for each pair of bodies: several named tests may find the same pair."""
    rows = np.flatnonzero(some)
    return rows[np.sort(np.unique(np.sort([first[rows], second[rows]], axis=0), axis=1, return_index=True)[1])]


def own_names(bodies: Sequence[Body]) -> list[str]:
    """Return the name of each body without numbers. Empty if nobody has named it."""
    names = [without_numbers(one.object or one.name) for one in bodies]
    return [name if is_own_name(name) else "" for name in names]
