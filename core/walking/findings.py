# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings from the events of a walk: falls, floors without return, seams, steps and slopes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..kernels.walks import DROPPED, HIGH, SNAGGED, STEEP
from ..numerics.rows import rows_of_each
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross, length
from .character import Character
from .clusters import clusters, extent
from .finding import Finding
from .gaps import gap_width
from .ground import Frame
from .trails import Level, Walk, ground_below, over_ground, standing

# Maximum number of colliders that a finding names. If there are more, those at its first place are named.
_NAMED = 4
# A cosine, of 10 degrees: a step must lead to a level floor.
_LEVEL = 0.9848


@dataclass(frozen=True)
class Found:
    """A finished walk, and data for its findings.

    Attributes
    ----------
    shapes : batch of shapes or World
    frame : Frame
    level : Level
    walk : Walk
    character : Character
    spacing : float
    over : (C,) bool
        Which poses are over ground.
    margin : float
    """

    shapes: Any
    frame: Frame
    level: Level
    walk: Walk
    character: Character
    spacing: float
    over: Bools
    margin: float

    def events(self, code: int) -> Ints:
        """The events with a code, in the order in which they happened."""
        result: Ints = np.flatnonzero(self.walk.events[:, 2] == code)
        return result

    def owners(self, items: Ints) -> Ints:
        """The rows of the world of some items. -1: none."""
        return np.where(items >= 0, self.level.owner[items], -1)

    def named(self, rows: Ints, first: int) -> tuple[int, ...]:
        """The shapes of a finding: those of all of its events, or of the first one if there are too many."""
        both = self.owners(self.walk.events[rows, 3:5])
        every = np.unique(both[both >= 0])
        if len(every) > _NAMED:
            some = self.owners(self.walk.events[first, 3:5])
            every = np.unique(some[some >= 0])
        return tuple(every.tolist())

    def finding(
        self, kind: str, event: int, shapes: tuple[int, ...], measure: float, deep: float = 0.0, area: float = 0.0
    ) -> Finding:
        """The finding of an event."""
        value = self.walk.values[event]
        foot = np.array([0.0, 0.0, self.level.walker.radius])
        before, after = value[1:4] - foot, value[4:7] - foot
        point = np.array([before[0], before[1], value[10]])
        out = self.frame.out
        pose = int(self.walk.events[event, 0])
        return Finding(kind, out(point), out(before), out(after), out(value[7:10]), shapes, measure, deep, area, pose)


def falls(found: Found) -> list[Finding]:
    """Find places from which the character drops too far, one for each gap."""
    events = found.events(DROPPED)
    walk, result = found.walk, []
    places = walk.values[events, 4:7]
    for _, rows in rows_of_each(clusters(np.zeros(len(events), dtype=np.int64), places, 2.0 * found.spacing)):
        mine = events[rows]
        first = int(mine[np.argmin(walk.events[mine, 0])])
        value = walk.values[first]
        width = gap_width(found.shapes, found.frame, value[4:7], value[10], found.character)
        if not np.isfinite(width):
            # Open on one side: its size is the length of the edge.
            width = extent(walk.values[mine, 4:6]) + 2.0 * found.character.radius
        shapes = found.owners(walk.events[mine, 3])
        every = np.unique(shapes[shapes >= 0])
        if len(every) > _NAMED:
            every = found.owners(walk.events[[first], 3])
        result.append(
            found.finding("fall", first, tuple(every.tolist()), float(width), float(walk.values[mine, 0].max()))
        )
    return result


def stuck(found: Found, returns: Bools) -> list[Finding]:
    """Find floors that the character reaches, but from which it does not get back to a start."""
    walk = found.walk
    lost = np.flatnonzero(~returns)
    if not len(lost):
        return []
    number = np.full(len(walk), -1)
    number[lost] = np.arange(len(lost))
    start, end = walk.edges()
    group = np.full(len(walk), -1)
    group[lost] = clusters(np.zeros(len(lost), dtype=np.int64), walk.poses[lost, :3], 1.5 * found.spacing)
    entered = np.flatnonzero(returns[start] & ~returns[end])
    result = []
    for one, rows in rows_of_each(group[end[entered]]):
        mine = entered[rows]
        inside = np.flatnonzero(group == one)
        if not found.over[inside].any():
            continue
        # The entry that is nearest to a start.
        first = mine[np.argmin(start[mine])]
        before, after = walk.poses[start[first]], walk.poses[end[first]]
        items = walk.links[[start[first], end[first]], 2]
        foot = np.array([0.0, 0.0, found.level.walker.radius])
        point = np.array([before[0], before[1], before[5]])
        out = found.frame.out
        deep = before[5] - float(walk.poses[inside, 5].min())
        floor = walk.poses[inside[found.over[inside]]]
        area = len(floor) * found.spacing**2
        shapes = tuple(np.unique(found.owners(items)).tolist())
        result.append(
            Finding(
                "stuck",
                out(point),
                out(before[:3] - foot),
                out(after[:3] - foot),
                out(after[3:6]),
                shapes,
                float(deep),
                0.0,
                area,
                int(start[first]),
                out(ground_below(floor)),
                found.frame.turned_out(floor[:, 6:9]),
            )
        )
    return result


def seams(found: Found) -> list[Finding]:
    """Find edges between two colliders that look level, one for each pair of colliders and place."""
    events = found.events(SNAGGED)
    both = np.sort(found.owners(found.walk.events[events, 3:5]), axis=1)
    return _of_pairs(found, "snag", events, both, found.walk.values[events, 0])


def steps(found: Found) -> list[Finding]:
    """Find steps that are slightly too high, up to level floors with room for the character that are not reached."""
    events = _to_unreached(found, found.events(HIGH))
    events = events[found.walk.values[events, 12] >= _LEVEL]
    events = events[_have_room(found, found.walk.values[events, 7:10])]
    both = np.sort(found.owners(found.walk.events[events, 3:5]), axis=1)
    return _of_pairs(found, "step", events, both, found.walk.values[events, 0])


def _have_room(found: Found, edges: Floats) -> Bools:
    """At which edges (K, 3) the floor is as large as the square around the character. In each cell, one is chosen."""
    cell = np.rint(edges / found.character.radius).astype(np.int64)
    _, first, of_edge = np.unique(cell, axis=0, return_index=True, return_inverse=True)
    room = np.array([_has_room(found, edge) for edge in edges[first]], dtype=bool)
    result: Bools = room[of_edge.reshape(-1)]
    return result


def _has_room(found: Found, edge: Floats) -> bool:
    """Whether the floor at an edge is as large as the square around the character."""
    across = 2.0 * found.character.radius
    count = max(round(across / found.spacing), 2) * 2
    offset = (np.arange(2 * count) - count + 0.5) * (across / count)
    places = np.stack(np.meshgrid(offset, offset, indexing="ij"), axis=2).reshape(-1, 2) + edge[:2]
    poses, _ = standing(found.level, places)
    poses = poses[np.abs(poses[:, 5] - edge[2]) <= 0.5 * found.character.step]
    poses = poses[over_ground(found.level, poses, 0.5 * found.character.step)]
    return len(poses) * (across / count) ** 2 >= across**2


def slopes(found: Found) -> list[Finding]:
    """Find slopes that are slightly too steep, of faces that together are large enough for the character."""
    events = found.events(STEEP)
    owner = found.owners(found.walk.events[events, 4])
    angle = np.degrees(np.arccos(np.clip(found.walk.values[events, 0], -1.0, 1.0)))
    pairs, item = np.stack([owner, owner], axis=1), found.walk.events[events, 4]
    large = np.ones(len(events), dtype=bool)
    corners = found.level.ground.corners
    for _, rows in rows_of_each(_groups(found, events, pairs)):
        used = np.unique(item[rows])
        flat = used[used < len(corners)]
        sides = np.diff(corners[flat], axis=1)
        area = 0.5 * length(cross(sides[:, 0], sides[:, 1])).sum()
        large[rows] = len(flat) < len(used) or area >= (2.0 * found.character.radius) ** 2
    return _of_pairs(found, "slope", events[large], pairs[large], angle[large])


def _to_unreached(found: Found, events: Ints) -> Ints:
    """The events whose place after them is not reached from elsewhere."""
    walk, level = found.walk, found.level
    after = walk.values[events, 4:7]
    x = np.clip(np.rint((after[:, 0] - level.grid[0]) / level.grid[2]).astype(np.int64), 0, level.size[0] - 1)
    y = np.clip(np.rint((after[:, 1] - level.grid[1]) / level.grid[2]).astype(np.int64), 0, level.size[1] - 1)
    reached = np.zeros(len(events), dtype=bool)
    # The floor of the poses of the nearby column, and of those around it.
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            column = np.clip(x + dx, 0, level.size[0] - 1) * level.size[1] + np.clip(y + dy, 0, level.size[1] - 1)
            at = walk.first(column)
            while (at >= 0).any():
                some = np.flatnonzero(at >= 0)
                near = np.abs(walk.poses[at[some], 5] - walk.values[events[some], 11]) <= 10.0 * level.same()
                near &= walk.links[at[some], 2] == walk.events[events[some], 4]
                reached[some[near]] = True
                at[some] = walk.links[at[some], 4]
    return events[~reached]


def _of_pairs(found: Found, kind: str, events: Ints, pairs: Ints, measure: Floats) -> list[Finding]:
    """Return a finding for each pair of shapes and place, with the measure of its first event."""
    if not len(events):
        return []
    result = []
    for _, rows in rows_of_each(_groups(found, events, pairs)):
        first = rows[np.argmin(measure[rows])] if kind != "snag" else rows[np.argmax(measure[rows])]
        shapes = tuple(sorted({*pairs[first].tolist()} - {-1}))
        result.append(found.finding(kind, int(events[first]), shapes, float(measure[first])))
    return result


def _groups(found: Found, events: Ints, pairs: Ints) -> Ints:
    """Number the events of the same pair of shapes that are near each other."""
    count = int(pairs.max(initial=0)) + 2
    key = (pairs[:, 0] + 1) * count + pairs[:, 1] + 1
    return clusters(key, found.walk.values[events, 7:10], 4.0 * found.spacing)
