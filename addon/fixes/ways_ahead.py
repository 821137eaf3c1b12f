# SPDX-License-Identifier: GPL-3.0-or-later
"""Find what is in the way of an object that a fix of a pair would move, among the shapes of the last check."""

from collections.abc import Callable, Generator
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.numerics.types import Floats, Ints
from ...core.shapes import Kind
from ...core.world.world import World
from ..collisions.blocks import costs
from ..collisions.pairing import Pairing, touching_levels
from ..model.report import PairResult, Report, Settings
from ..model.steps import after
from ..scene import accepted_pairs
from ..scene.objects import moving
from .obstacles import STILL, Scenery
from .problem import Unit, is_of, units_of
from .solver import clearing_translation, straight_translation

# A way that leads into nothing else is taken instead of the shortest one if it is at most this many times as long.
_COMPARABLE = 2.0
# Number of times that the pairs of an object are tested, about, and where on a way they are.
_TESTS, _BETWEEN = 8, (0.25, 0.5, 0.75)
# Directions that are tried instead: never down.
_ASIDE = np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]])


@dataclass(frozen=True, eq=False)
class WayAhead:
    """A translation of an object, among other objects.

    Attributes
    ----------
    vector : (3,) float64
        A translation.
    is_free : bool
        Whether the object is free there. Otherwise others are in the way, and it has to move farther.
    obstacle : int
        The body of the report that is in the way of the shortest translation. -1: none, or a lock of the object.
    under : bool
        Whether the shortest translation leads under the obstacle.
    """

    vector: Floats
    is_free: bool
    obstacle: int = -1
    under: bool = False


def way_out(
    unit: Unit, scenery: Scenery, pair: PairResult, side: int, shortest: Floats, seconds: float
) -> WayAhead | None:
    """Return how the object of one side of a pair leaves the other. None if it would take too long to find out.

    It is the shortest translation, unless that leads into or through other objects, or under what the object stands
    in: then it is another one of comparable length that does not, if there is one.

    Parameters
    ----------
    unit : Unit
        The object of that side, from `units_of_pair`.
    scenery : Scenery
        From `scenery_of`.
    pair : PairResult
        A pair of the report.
    side : int
        0 for A, 1 for B.
    shortest : (3,) float64
        The shortest translation out of the other object alone.
    seconds : float
        About how long it may take.
    """
    if _cost(scenery, _COMPARABLE * shortest) > seconds:
        return None
    length, late = float(np.linalg.norm(shortest)), after(seconds)
    start = _numbers(scenery, scenery.penetrating([0], np.zeros((1, 3))))
    allowed = length > 0.0 and unit.allows(shortest / length)
    met, other = _met(scenery, shortest, start) if allowed else -1, (pair.shape_b, pair.shape_a)[side]
    is_open = allowed and met < 0
    under = is_open and _goes_under(scenery, other, shortest)
    if is_open and not under:
        return WayAhead(shortest, is_free=True)
    row = other if under else met
    obstacle = int(scenery.pairing.body[row]) if row >= 0 else -1
    best: Floats | None = None
    for direction in _ASIDE:
        limit = _COMPARABLE * length if best is None else float(np.linalg.norm(best))
        if late() or not unit.allows(direction):
            continue
        way = _until(straight_translation(scenery, 0, direction, limit), late)
        if way is not None and _met(scenery, way, start) < 0:
            best = way
    if best is not None:
        return WayAhead(best, is_free=True, obstacle=obstacle, under=under)
    return WayAhead(shortest, is_free=is_open, obstacle=-1 if is_open else obstacle)


def way_apart(
    unit: Unit, scenery: Scenery, pair: PairResult, side: int, clearance: float, seconds: float
) -> WayAhead | None:
    """Return how the object of one side of a pair gets out of the clearance. None if that is not found.

    The other parameters are those of `way_out`.
    """
    if _cost(scenery, np.full(3, clearance)) > seconds:
        return None
    body = pair.body_b if side == 0 else pair.body_a
    theirs = np.flatnonzero((scenery.pairing.body == body) & (scenery.unit == STILL))
    pairs = np.stack(np.meshgrid(np.flatnonzero(scenery.unit == 0), theirs, indexing="ij"), axis=-1).reshape(-1, 2)
    search = clearing_translation(scenery, 0, np.zeros((1, 3)), unit.basis, pairs, clearance)
    way = _until(search, after(seconds))
    return None if way is None else WayAhead(way, is_free=True)


def units_of_pair(context: bpy.types.Context, report: Report, pair: PairResult) -> list[Unit | None]:
    """Return the objects of both sides of a pair, each with what moves with it. None for an object that is gone."""
    colliders, found = moving.loose_colliders(context.scene), list[Unit | None]()
    for body in (pair.body_a, pair.body_b):
        units = units_of(context, [report.bodies[body].key.selected_uid], colliders=colliders)
        found.append(units[0] if units else None)
    return found


def moves_along(report: Report, pair: PairResult, side: int, unit: Unit | None) -> bool:
    """Return whether the object of the other side of a pair moves with the one of this side, such as its child."""
    other = report.bodies[(pair.body_b, pair.body_a)[side]].key
    return unit is not None and is_of(other, unit.uids)


def scenery_of(
    context: bpy.types.Context,
    report: Report,
    world: World,
    settings: Settings,
    pair: PairResult,
    side: int,
    unit: Unit | None,
) -> Scenery | None:
    """Return all shapes of the check, those of the object of one side as what moves. None if it cannot move."""
    bodies = report.bodies
    if unit is None or not unit.basis.shape[1]:
        return None
    own = [any(is_of(key, unit.uids) for key in (body.key, *body.members)) for body in bodies]
    body = np.array([shape.body for shape in report.shapes], dtype=np.int64)
    number = np.where(np.array(own)[body], 0, STILL)
    if Kind.HALF_SPACE in world.kind[number == 0] or number[(pair.shape_b, pair.shape_a)[side]] != STILL:
        return None
    touching = 0.0 if settings.touching is None else settings.touching
    level = np.maximum(touching_levels(*world.bounds(), None), touching)
    place = {one.key: row for row, one in enumerate(bodies)}
    left = [
        (a, b)
        for a, b in (
            tuple(place[key] for key in keys)
            for keys in accepted_pairs.known_pairs(context.scene)
            if len(keys) == 2 and all(key in place for key in keys)
        )
    ]
    return Scenery(world, number, Pairing(body), level, left)


def _cost(scenery: Scenery, reach: Floats) -> float:
    """Return about how many seconds it takes to search ways of this extent."""
    lower, upper = scenery.lower, scenery.upper
    mine = np.flatnonzero(scenery.unit == 0)
    most = float(np.linalg.norm(reach))
    low, high = lower[mine].min(axis=0) - most, upper[mine].max(axis=0) + most
    others = np.flatnonzero((scenery.unit != 0) & (lower <= high).all(axis=1) & (upper >= low).all(axis=1))
    pairs = np.stack(np.meshgrid(mine, others, indexing="ij"), axis=-1).reshape(-1, 2)
    return _TESTS * float(costs(scenery.world, (lower, upper), pairs).sum())


def _met(scenery: Scenery, way: Floats, start: Ints) -> int:
    """Return a row that the object is in after a translation, or goes through and was not in before. -1: none."""
    after_it = scenery.penetrating([0], way[None])
    if not len(after_it):
        between = [scenery.penetrating([0], share * way[None]) for share in _BETWEEN]
        passed = np.concatenate(between)
        after_it = passed[~np.isin(_numbers(scenery, passed), start)]
    if not len(after_it):
        return -1
    first, second = after_it[0].tolist()
    return int(second if scenery.unit[first] == 0 else first)


def _goes_under(scenery: Scenery, other: int, way: Floats) -> bool:
    """Return whether the top of the object is above that of another row now, and below it after a translation."""
    top, above = float(scenery.upper[scenery.unit == 0, 2].max()), float(scenery.upper[other, 2])
    return top > above and top + float(way[2]) < above


def _numbers(scenery: Scenery, pairs: Ints) -> Ints:
    """Return a number for each pair of rows, the earlier body first."""
    return np.asarray(pairs[:, 0] * len(scenery.unit) + pairs[:, 1])


def _until(search: Generator[None, None, Floats | None], late: Callable[[], bool]) -> Floats | None:
    """Run a search until it is late. Return None if it has found nothing until then."""
    while not late():
        try:
            next(search)
        except StopIteration as end:
            found: Floats | None = end.value
            return found
    search.close()
    return None
