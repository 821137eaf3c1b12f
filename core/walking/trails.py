# SPDX-License-Identifier: GPL-3.0-or-later
"""The poses that a character reaches, column by column of a grid, and events on the way."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from ..kernels import walks
from ..kernels.heights import Ground
from ..kernels.walks import Room, Trail, Walker
from ..numerics.tolerances import WALK_SAME
from ..numerics.types import Bools, Floats, Ints

# Number of moves of poses between two progress reports.
_AT_A_TIME = 4096
# Maximum number of columns of a grid: each takes 8 bytes, and poses take more.
_MOST_COLUMNS = 1 << 27
# Minimum vertical component of a unit normal for extending its plane to the axis of a pose.
_UPRIGHT = 1e-3

EIGHT = np.array([(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)], dtype=np.int64)
FOUR = np.ascontiguousarray(EIGHT[::2])


@dataclass(frozen=True)
class Level:
    """The ground that a character walks on, and the grid of columns.

    Attributes
    ----------
    ground : Ground
    walker : Walker
    room : Room
    owner : (N,) int64
        The row of the world of each item.
    grid : (3,) float64
        The place of the first column, and the spacing.
    size : (2,) int64
        The number of columns along X and Y.
    ways : (W, 2) int64
        The moves to neighbors.
    """

    ground: Ground
    walker: Walker
    room: Room
    owner: Ints
    grid: Floats
    size: Ints
    ways: Ints

    def column(self, x: Ints, y: Ints) -> Ints:
        """The number of a column."""
        result: Ints = x * self.size[1] + y
        return result

    def places(self, columns: Ints) -> Floats:
        """The places of columns, (K, 2)."""
        x, y = columns // self.size[1], columns % self.size[1]
        return np.stack([self.grid[0] + x * self.grid[2], self.grid[1] + y * self.grid[2]], axis=1)

    def same(self) -> float:
        """Poses of a column whose heights differ by less are equal."""
        return WALK_SAME * self.walker.radius


def grid_of(spacing: float, lower: Floats, upper: Floats) -> tuple[Floats, Ints]:
    """The place and the size of a grid between two corners (2,), with a column at zero.

    Raises
    ------
    ValueError
        If it has too many columns.
    """
    first = np.floor(lower / spacing)
    size = np.maximum(np.ceil(upper / spacing) - first + 1.0, 1.0)
    if size.prod() > _MOST_COLUMNS:
        across = " x ".join(f"{one:g}" for one in (upper - lower).round(1))
        raise ValueError(f"spacing: {spacing:g} is too small for a level of {across}: at most {_MOST_COLUMNS} columns")
    return np.array([*(first * spacing), spacing]), size.astype(np.int64)


def room_of(ground: Ground) -> Room:
    """Room for the items near any column."""
    most = int(np.diff(ground.starts).max(initial=0)) + len(ground.planes) + 1
    return Room(np.empty(most, dtype=np.int64), np.empty(most), np.empty(most))


class Walk:
    """Reached poses, while more of them are added.

    Parameters
    ----------
    level : Level
    """

    def __init__(self, level: Level) -> None:
        self.level = level
        self._links: list[tuple[int, int]] = []
        ways = len(level.ways)
        self._trail = Trail(
            np.empty((1024, 9)),
            np.empty((1024, 5), dtype=np.int64),
            np.full((1024, ways), -1, dtype=np.int64),
            np.full(int(level.size.prod()), -1, dtype=np.int64),
            np.zeros(3, dtype=np.int64),
            np.empty((1024, 5), dtype=np.int64),
            np.empty((1024, 13)),
            level.grid,
            level.size,
            level.ways,
        )

    def __len__(self) -> int:
        return int(self._trail.counts[0])

    @property
    def poses(self) -> Floats:
        """Center of the lower ball, the point that carries it, and the normal there, (C, 9)."""
        return self._trail.poses[: len(self)]

    @property
    def links(self) -> Ints:
        """The column along X and Y, the item, the pose before, and the next one of the same column, (C, 5)."""
        return self._trail.links[: len(self)]

    @property
    def to(self) -> Ints:
        """The pose that each move leads to, (C, W)."""
        return self._trail.to[: len(self)]

    @property
    def events(self) -> Ints:
        """The pose, the move, the code, the item before and the item after, (E, 5)."""
        return self._trail.events[: int(self._trail.counts[2])]

    @property
    def values(self) -> Floats:
        """The value and the places of each event, (E, 13); see `kernels.walks.Trail`."""
        return self._trail.values[: int(self._trail.counts[2])]

    def enter(self, pose: Floats, item: int, parent: int) -> int:
        """Move from a pose (9,) to an adjacent column. Returns the pose there. -1 if none can be reached."""
        self._make_room()
        level = self.level
        start = np.ascontiguousarray(pose.reshape(3, 3))
        return walks.enter(level.ground, level.walker, level.room, level.owner, self._trail, start, item, parent)

    def connect(self, one: int, other: int) -> None:
        """Record that a pose leads to another one that is not a neighbor."""
        self._links.append((one, other))

    def edges(self) -> tuple[Ints, Ints]:
        """Pairs of poses, the first leading to the second, (E,) each."""
        start, way = np.nonzero(self.to >= 0)
        more = np.array(self._links, dtype=np.int64).reshape(-1, 2)
        return np.concatenate([start, more[:, 0]]), np.concatenate([self.to[start, way], more[:, 1]])

    def add(self, poses: Floats, columns: Ints, items: Ints) -> None:
        """Begin at poses (K, 9) of columns that have none yet at these heights."""
        for pose, column, item in zip(poses, columns.tolist(), items.tolist(), strict=True):
            self._make_room()
            trail, at = self._trail, len(self)
            trail.poses[at] = pose
            trail.links[at] = *divmod(column, int(self.level.size[1])), item, -1, trail.heads[column]
            trail.heads[column] = at
            trail.counts[0] += 1

    def go(self, most: int | None = None) -> Generator[tuple[int, int], None, None]:
        """Make all moves of at most `most` poses. Yields how many poses are done and how many wait."""
        level, waiting = self.level, 1
        while waiting and (most is None or len(self) < most):
            self._make_room()
            waiting = walks.walk(level.ground, level.walker, level.room, level.owner, self._trail, _AT_A_TIME)
            yield int(self._trail.counts[1]), waiting

    def search_gaps(self, some: Ints, levels: int) -> Generator[tuple[int, int], None, None]:
        """Search gaps around some poses. Yields how many are done and how many wait."""
        level, begin = self.level, 0
        while begin < len(some):
            self._make_room()
            part = np.ascontiguousarray(some[begin : begin + _AT_A_TIME])
            begin += walks.search_gaps(
                level.ground, level.walker, level.room, level.owner, self._trail, part, 0, levels
            )
            yield begin, len(some) - begin

    def _make_room(self) -> None:
        """Double the size of arrays that are nearly full."""
        trail, ways = self._trail, len(self.level.ways)
        fields = trail._asdict()
        if trail.counts[0] + 2 * ways > len(trail.poses):
            for name in ("poses", "links", "to"):
                fields[name] = _doubled(fields[name])
        if trail.counts[2] + 4 * ways > len(trail.events):
            for name in ("events", "values"):
                fields[name] = _doubled(fields[name])
        self._trail = Trail(**fields)

    def first(self, columns: Ints) -> Ints:
        """The first pose of each column, (K,). -1: none. `links` has the next ones."""
        result: Ints = self._trail.heads[columns]
        return result

    def at(self, columns: Ints, heights: Floats) -> Ints:
        """The poses of these columns at these heights, (K,). -1: none."""
        result = np.full(len(columns), -1, dtype=np.int64)
        place = self._trail.heads[columns]
        poses, links, same = self._trail.poses, self._trail.links, self.level.same()
        while (place >= 0).any():
            some = np.flatnonzero(place >= 0)
            near = np.abs(poses[place[some], 2] - heights[some]) <= same
            result[some[near]] = place[some[near]]
            place[some] = np.where(near, -1, links[place[some], 4])
        return result

    def returning(self, to: Ints) -> Bools:
        """The poses that lead to some pose of `to`, (C,)."""
        start, end = self.edges()
        order = np.argsort(end, kind="stable")
        first = np.searchsorted(end[order], np.arange(len(self) + 1))
        start = start[order]
        result = np.zeros(len(self), dtype=bool)
        result[to] = True
        front = to
        while len(front):
            count = first[front + 1] - first[front]
            rows = np.repeat(first[front], count) + np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
            found = np.unique(start[rows])
            front = found[~result[found]]
            result[front] = True
        return result


def _doubled(array: Ints) -> Ints:
    result = np.full((2 * len(array), *array.shape[1:]), -1, dtype=array.dtype)
    result[: len(array)] = array
    return result


def standing(level: Level, places: Floats) -> tuple[Floats, Ints]:
    """All poses at which the character can stand at places (Q, 2): poses (K, 9), and the place and the item (K, 2)."""
    places = np.ascontiguousarray(places)
    poses, found = [np.empty((0, 9))], [np.empty((0, 2), dtype=np.int64)]
    begin, room = 0, max(1 << 14, 4 * len(level.room.near))
    while begin < len(places):
        pose, which = np.empty((room, 9)), np.empty((room, 2), dtype=np.int64)
        begin, count = walks.stands(level.ground, level.walker, level.room, places, begin, pose, which)
        poses.append(pose[:count])
        found.append(which[:count])
    return np.concatenate(poses), np.concatenate(found)


def ground_below(poses: Floats) -> Floats:
    """The point below the axis of each pose (K, 9), on the plane of the surface that carries it: (K, 3)."""
    aside = poses[:, :2] - poses[:, 3:5]
    # On an edge, the normal may be horizontal.
    rise = np.where(poses[:, 8] > _UPRIGHT, poses[:, 8], np.inf)
    height = poses[:, 5] - (aside[:, 0] * poses[:, 6] + aside[:, 1] * poses[:, 7]) / rise
    result: Floats = np.column_stack([poses[:, :2], height])
    return result


def over_ground(level: Level, poses: Floats, span: float | None = None) -> Bools:
    """Whether there is ground under the axis of each pose (K, 9), (K,).

    Its height differs by at most `span` from the point that carries the pose. Default: a step or a radius, whichever is
    more.
    """
    over = np.zeros(len(poses), dtype=np.int64)
    walker = level.walker
    within = max(walker.step, walker.radius) if span is None else span
    thin = 1e-6 * walker.radius
    walks.over_ground(level.ground, walker, level.room, np.ascontiguousarray(poses), thin, within, over)
    return over == 1
