# SPDX-License-Identifier: GPL-3.0-or-later
"""Floors that a character does not reach."""

from __future__ import annotations

from math import ceil

import numpy as np

from ..numerics.rows import numbered_components, rows_of_each
from ..numerics.types import Bools, Floats, Ints
from ..rays.points import contains_points
from .finding import Finding
from .findings import Found
from .trails import EIGHT, Level, Walk, ground_below, over_ground, standing

# Number of columns processed at a time.
_BLOCK = 1 << 16
# Maximum number of floors above each other in one column that are compared.
_FLOORS = 32
# Number of poses of a floor that are tested for being inside a solid.
_TESTED = 32
# Maximum number of poses from which a way down is searched.
_MOST = 20000
# Diameters of the character within which a floor counts as beside another one, such as behind a wall.
_BESIDE = 3.0


def unreachable(found: Found, least_area: float) -> list[Finding]:
    """Find floors on which the character could stand and walk, but that it does not reach.

    A floor counts if its area is large enough, it is as wide as the character, and it belongs to the level: it leads to
    a reached floor, or it is level with one beside it. Roofs and the tops of walls do not count.
    """
    level, walk = found.level, found.walk
    poses, column, item = _free_poses(level)
    reached = walk.at(column, poses[:, 2]) >= 0
    keep = ~reached
    poses, column, item = poses[keep], column[keep], item[keep]
    keep = over_ground(level, poses)
    poses, column, item = poses[keep], column[keep], item[keep]
    if not len(poses):
        return []
    pairs, sides = _neighbors(level, poses, column, found.character.step)
    group = numbered_components(len(poses), pairs[:, 0], pairs[:, 1])
    wide = _inner(sides, ceil(found.character.radius / found.spacing))
    result = []
    for _, rows in rows_of_each(group):
        area = len(rows) * found.spacing**2
        if area < least_area or not wide[rows].any() or _inside(found, poses[rows]):
            continue
        near, away = _nearest(walk.poses, poses[rows, 3:6])
        at = int(np.argmin(away))
        if not (_beside(found, poses[rows]) or _leads_down(level, walk, poses[rows], column[rows], item[rows])):
            continue
        foot = np.array([0.0, 0.0, level.walker.radius])
        pose, before = poses[rows[at]], walk.poses[near[at]]
        out = found.frame.out
        shapes = tuple(np.unique(level.owner[item[rows]]).tolist())
        if len(shapes) > 4:
            shapes = (int(level.owner[item[rows[at]]]),)
        result.append(
            Finding(
                "unreachable",
                out(pose[3:6]),
                out(before[:3] - foot),
                out(pose[:3] - foot),
                out(pose[3:6]),
                shapes,
                float(pose[5] - before[5]),
                0.0,
                area,
                int(near[at]),
                out(ground_below(poses[rows])),
                found.frame.turned_out(poses[rows, 6:9]),
            )
        )
    return result


def _free_poses(level: Level) -> tuple[Floats, Ints, Ints]:
    """All poses at which the character can stand: the poses (K, 9), their columns and their items."""
    count, parts = int(level.size.prod()), []
    for begin in range(0, count, _BLOCK):
        columns = np.arange(begin, min(begin + _BLOCK, count))
        poses, which = standing(level, level.places(columns))
        parts.append((poses, columns[which[:, 0]], which[:, 1]))
    poses, column, item = (np.concatenate(each) for each in zip(*parts, strict=True))
    order = np.lexsort((poses[:, 2], column))
    return poses[order], column[order], item[order]


def _neighbors(level: Level, poses: Floats, column: Ints, step: float) -> tuple[Ints, Ints]:
    """Pairs of poses of neighboring columns that differ by at most a step, and the pose on each side, (K, 8)."""
    used, first = np.unique(column, return_index=True)
    count = np.diff(np.append(first, len(column)))
    x, y = used // level.size[1], used % level.size[1]
    sides = np.full((len(poses), len(EIGHT)), -1, dtype=np.int64)
    pairs = [np.empty((0, 2), dtype=np.int64)]
    most = min(int(count.max()), _FLOORS)
    slack = step + level.grid[2] * np.sqrt(2.0) * level.walker.rise
    for side, (dx, dy) in enumerate(EIGHT.tolist()):
        inside = (x + dx >= 0) & (x + dx < level.size[0]) & (y + dy >= 0) & (y + dy < level.size[1])
        wanted = np.where(inside, (x + dx) * level.size[1] + y + dy, -1)
        at = np.minimum(np.searchsorted(used, wanted), len(used) - 1)
        rows = np.flatnonzero(used[at] == wanted)
        for a in range(most):
            for b in range(most):
                some = rows[(count[rows] > a) & (count[at[rows]] > b)]
                one, other = first[some] + a, first[at[some]] + b
                near = np.abs(poses[one, 5] - poses[other, 5]) <= slack
                pairs.append(np.stack([one[near], other[near]], axis=1))
                sides[one[near], side] = other[near]
    return np.concatenate(pairs), sides


def _inner(sides: Ints, times: int) -> Bools:
    """Poses that have neighbors on all sides, which have such neighbors themselves, and so on."""
    inner = np.ones(len(sides), dtype=bool)
    for _ in range(times):
        inner = (sides >= 0).all(axis=1) & inner[sides].all(axis=1) & inner
    return inner


def _inside(found: Found, poses: Floats) -> bool:
    """Whether most poses are inside a solid."""
    some = poses[:: max(1, len(poses) // _TESTED)]
    points = found.frame.out(some[:, :3])
    lower, upper = found.shapes.bounds()
    point, row = np.nonzero(((lower[None] <= points[:, None]) & (upper[None] >= points[:, None])).all(axis=2))
    if not len(row):
        return False
    hit = contains_points(found.shapes, points, np.stack([row, point], axis=1))
    return len(np.unique(point[hit])) > len(some) / 2


def _nearest(reached: Floats, places: Floats) -> tuple[Ints, Floats]:
    """The nearest reached pose of some places (K, 3), and its distance. If there are many places, a few are tested."""
    some = np.unique(np.linspace(0, len(places) - 1, min(len(places), 64)).astype(np.int64))
    near, away = np.zeros(len(places), dtype=np.int64), np.full(len(places), np.inf)
    for at in some.tolist():
        square = ((reached[:, 3:6] - places[at]) ** 2).sum(axis=1)
        near[at] = int(np.argmin(square))
        away[at] = float(np.sqrt(square[near[at]]))
    return near, away


def _beside(found: Found, poses: Floats) -> bool:
    """Whether a floor is level with a reached one beside it."""
    reached = found.walk.poses[found.over]
    reach = _BESIDE * 2.0 * found.character.radius
    for at in np.unique(np.linspace(0, len(poses) - 1, min(len(poses), 256)).astype(np.int64)).tolist():
        away = np.abs(reached[:, 3:6] - poses[at, 3:6])
        if ((away[:, 0] <= reach) & (away[:, 1] <= reach) & (away[:, 2] <= found.character.step)).any():
            return True
    return False


def _leads_down(level: Level, walk: Walk, poses: Floats, column: Ints, item: Ints) -> bool:
    """Whether a floor leads to one that is reached."""
    back = Walk(level)
    back.add(poses[:_MOST], column[:_MOST], item[:_MOST])
    seen = 0
    for _ in back.go(len(poses) + _MOST):
        links = back.links[seen:]
        columns = level.column(links[:, 0], links[:, 1])
        if (walk.at(columns, back.poses[seen:, 2]) >= 0).any():
            return True
        seen = len(back)
    return False
