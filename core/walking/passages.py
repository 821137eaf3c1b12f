# SPDX-License-Identifier: GPL-3.0-or-later
"""Passages between two walls that no move of the grid goes through, and that may be slightly too narrow.

The walls are those that blocked moves. A capsule that is as wide as the passage, or as the character if there is room
for it, goes from the middle between them to both sides, until the whole character has room.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..kernels import walks
from ..kernels.walks import BLOCKED
from ..numerics.types import Floats, Ints
from ..query.queries import distance
from ..shapes import Capsules
from .character import Character
from .ground import Frame
from .trails import Level, Walk, standing

# Range of the vertical components of contact normals on walls.
_WALL = 0.5
# Distances in radii that the capsule goes to both sides of a passage, one after the other, until the whole character
# has room.
_AHEAD = (1.5, 2.5, 4.0, 6.0)
# In diameters of the character: wider passages are left to the grid.
_WIDEST = 1.3
# A cosine: walls face each other if the line between them is this far along the normals of both.
_FACING = 0.25
# Number of steps towards the nearest points of two walls.
_STEPS = 4


@dataclass(frozen=True)
class Passage:
    """A passage between two walls.

    Attributes
    ----------
    width : float
    middle : (3,) float64
        Midway between the walls.
    contact : (3,) float64
        Where a wall blocked the character.
    shapes : tuple of int
        The rows of both walls.
    event : int
        The blocked move.
    place : (3,) float64
        The pose in which it was blocked: the center of the lower ball.
    ends : tuple of two pairs of a pose (9,) and an item
        The poses on both sides in which the character has room.
    """

    width: float
    middle: Floats
    contact: Floats
    shapes: tuple[int, ...]
    event: int
    place: Floats
    ends: tuple[tuple[Floats, int], ...]


def passages(
    shapes: Any, frame: Frame, level: Level, walk: Walk, character: Character, margin: float, known: list[Passage]
) -> list[Passage]:
    """Find passages that are too narrow by at most a margin, or barely wide enough, beside known ones."""
    event, contact, normal, place = _contacts(shapes, frame, level, walk)
    if not len(event):
        return []
    thick = 2.0 * character.radius
    pairs = _facing(character, margin, contact, normal, place)
    owner = level.owner[walk.events[event, 4]]
    first, second = _nearest_points(shapes, frame, level, contact, owner, place, pairs)
    width = np.hypot(*(second - first)[:, :2].T)
    fits = (width >= thick - margin - 2.0 * level.walker.touch) & (width <= _WIDEST * thick)
    pairs, first, second, width = pairs[fits], first[fits], second[fits], width[fits]
    result: list[Passage] = []
    middle = 0.5 * (first + second)
    tried: set[tuple[int, ...]] = set()
    for row in np.argsort(width, kind="stable").tolist():
        one, other = pairs[row].tolist()
        cell = (*np.rint(middle[row] / (0.25 * character.radius)).astype(np.int64).tolist(), owner[one], owner[other])
        near = (each for each in (*known, *result) if np.abs(middle[row][:2] - each.middle[:2]).max() <= thick)
        if cell in tried or any(abs(each.place[2] - place[one, 2]) <= character.height for each in near):
            continue
        tried.add(cell)
        ends = _passed(level, middle[row], second[row] - first[row], float(width[row]), place[one], character.step)
        if ends is not None:
            rows = tuple(sorted({int(owner[one]), int(owner[other])}))
            result.append(
                Passage(float(width[row]), middle[row], contact[one], rows, int(event[one]), place[one], ends)
            )
    return result


def _contacts(shapes: Any, frame: Frame, level: Level, walk: Walk) -> tuple[Ints, Floats, Floats, Floats]:
    """Places where walls blocked moves: the event, the contact, the normal from the wall, and the pose."""
    events = np.flatnonzero((walk.events[:, 2] == BLOCKED) & (walk.events[:, 1] >= 0))
    start = walk.values[events, 1:4]
    target = level.ways[walk.events[events, 1]] + walk.links[walk.events[events, 0], :2]
    way = np.zeros((len(events), 3))
    way[:, :2] = level.grid[:2] + target * level.grid[2] - start[:, :2]
    item = np.ascontiguousarray(walk.events[events, 4])
    share = np.empty(len(events))
    walks.first_contacts(level.ground, level.walker, np.ascontiguousarray(start), way, item, share)
    place = start + share[:, None] * way
    # One for each place.
    _, first = np.unique(
        np.column_stack([np.rint(place / (0.25 * level.grid[2])), item]).astype(np.int64), axis=0, return_index=True
    )
    first = np.sort(first)
    events, place, item = events[first], place[first], item[first]
    top = place + np.array([0.0, 0.0, level.walker.tall])
    bodies = Capsules(frame.out(place), frame.out(top), np.full(len(place), level.walker.radius))
    near = distance(bodies, shapes, np.stack([np.arange(len(place)), level.owner[item]], axis=1))
    normal = -(near.normal @ frame.rotation.T)
    wall = (np.abs(normal[:, 2]) <= _WALL) & (near.distance <= 0.05 * level.grid[2])
    return events[wall], frame.into(near.point_b)[wall], normal[wall], place[wall]


def _facing(character: Character, margin: float, contact: Floats, normal: Floats, place: Floats) -> Ints:
    """Pairs of contacts that face each other, at about the width of the character."""
    thick = 2.0 * character.radius
    reach = 1.25 * _WIDEST * thick
    cell = np.floor(contact[:, :2] / reach).astype(np.int64)
    order = np.lexsort((cell[:, 1], cell[:, 0]))
    keys, first = np.unique(cell[order], axis=0, return_index=True)
    rows = dict(zip(map(tuple, keys.tolist()), np.split(order, first[1:]), strict=True))
    pairs = [np.empty((0, 2), dtype=np.int64)]
    for (x, y), mine in rows.items():
        around = [rows.get((x + dx, y + dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        others = np.concatenate([one for one in around if one is not None])
        one, other = (each.reshape(-1) for each in np.meshgrid(mine, others, indexing="ij"))
        across = contact[other] - contact[one]
        flat = np.hypot(across[:, 0], across[:, 1])
        level = np.abs(place[one, 2] - place[other, 2]) <= character.step + 0.5 * character.radius
        near = (one < other) & level & (flat >= thick - margin) & (flat <= reach)
        near &= (normal[one, :2] * across[:, :2]).sum(axis=1) > _FACING * flat
        near &= (normal[other, :2] * across[:, :2]).sum(axis=1) < -_FACING * flat
        pairs.append(np.stack([one[near], other[near]], axis=1))
    return np.concatenate(pairs)


def _nearest_points(
    shapes: Any, frame: Frame, level: Level, contact: Floats, owner: Ints, place: Floats, pairs: Ints
) -> tuple[Floats, Floats]:
    """The nearest points of both walls of each pair, seen from above. For a single shape, the contacts."""
    first, second = contact[pairs[:, 0]], contact[pairs[:, 1]]
    some = np.flatnonzero(owner[pairs[:, 0]] != owner[pairs[:, 1]])
    low = place[pairs[some, 0], 2]
    for _ in range(_STEPS if len(some) else 0):
        for here, there, row in ((first, second, pairs[some, 1]), (second, first, pairs[some, 0])):
            bottom, top = here[some].copy(), here[some].copy()
            bottom[:, 2], top[:, 2] = low, low + max(level.walker.tall, 1e-3 * level.walker.radius)
            lines = Capsules(frame.out(bottom), frame.out(top), 0.0)
            near = distance(lines, shapes, np.stack([np.arange(len(some)), owner[row]], axis=1))
            there[some] = frame.into(near.point_b)
    return first, second


def _passed(
    level: Level, middle: Floats, across: Floats, width: float, place: Floats, step: float
) -> tuple[tuple[Floats, int], ...] | None:
    """The poses on both sides of a passage where the whole character has room. None if it is not a passage."""
    full = level.walker
    radius = min(0.5 * width * (1.0 - 1e-6) - full.touch, full.radius)
    # With the same headroom.
    thin = full._replace(radius=radius, tall=full.tall + 2.0 * (full.radius - radius), carried=radius)
    thinner = Level(level.ground, thin, level.room, level.owner, level.grid, level.size, level.ways)
    poses, which = standing(thinner, middle[None, :2])
    some = np.flatnonzero(np.abs(poses[:, 2] - radius - (place[2] - full.radius)) <= step)
    if not len(some):
        return None
    pose, item = poses[some[0]], int(which[some[0], 1])
    flat = np.array([-across[1], across[0]]) / np.hypot(across[0], across[1])
    ends = []
    for turn in (1.0, -1.0):
        for ahead in _AHEAD:
            way = np.array([*(turn * ahead * full.radius * flat), 0.0])
            landed, start = np.empty(9), np.ascontiguousarray(pose.reshape(3, 3))
            if walks.go(level.ground, thin, level.room, level.owner, start, item, way, landed) != walks.LANDED:
                return None
            whole, carrier = standing(level, landed[None, :2])
            same = np.abs(whole[:, 2] - full.radius - (landed[2] - radius)) <= 0.5 * full.radius
            level_with = np.abs(whole[:, 5] - pose[5]) <= step
            if (same & level_with).any():
                at = int(np.flatnonzero(same & level_with)[0])
                ends.append((whole[at], int(carrier[at, 1])))
                break
        else:
            return None
    return tuple(ends)
