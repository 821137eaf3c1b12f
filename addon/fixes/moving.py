# SPDX-License-Identifier: GPL-3.0-or-later
"""Fix collisions: move objects apart, move them into contact along a direction, or snap them together.

Translations are computed for shapes (`solver`) and applied to the objects. The scene is then read again to check the
result. The `FixResult` states what was not possible.
"""

from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple, TypeVar

import bpy
import numpy as np

from ...core.numerics.types import Floats, Ints
from ..culling.check import Progress
from ..model.report import ObjectKey, Settings
from ..model.steps import exhausted
from ..scene.objects import moving
from ..scene.open_file import objects_by_uid
from ..scene.reading.geometry_cache import KnownGeometry
from ..session import isolation
from .fix_result import FixResult, NotMoved, Refusal
from .obstacles import STILL, Scenery
from .problem import Manner, Setting, Unit, is_of, setting_of_scene
from .solver import clearing_translation, fall, others_of, separating_translation, separating_translations

# Number of passes over all units, because a unit may push another one into a third.
_PASSES = 4
# Number of times that the scene is read again and objects are moved again.
_LOOKS = 3
# More objects than this are not moved apart together, because their planes form one system of equations.
MOST_TOGETHER = 64

Steps = Generator[Progress, None, FixResult]
Found = TypeVar("Found")
Plan = Callable[[Setting, FixResult], Generator[Progress, None, Floats]]


def push_apart(
    context: bpy.types.Context,
    objects: Sequence[bpy.types.Object],
    *,
    together: bool = False,
    settings: Settings | None = None,
    leave: frozenset[frozenset[ObjectKey]] = frozenset(),
) -> FixResult:
    """Move objects by the shortest distance out of everything in the scope of the check that they penetrate.

    Parameters
    ----------
    context : bpy.types.Context
    objects : sequence of bpy.types.Object
        The objects that may be moved, with their children and colliders.
    together : bool
        Whether objects that penetrate each other are all moved at once, each by half. Otherwise they are moved one by
        one, smaller ones first.
    settings : Settings, optional
        Scope and touching tolerance. None: the settings of the scene.
    leave : frozenset of frozenset of ObjectKey
        Pairs of bodies that may penetrate, in addition to accepted ones.
    """
    uids = [ob.session_uid for ob in objects]
    return exhausted(push_apart_steps(context, uids, together=together, settings=settings, leave=leave))


def push_apart_steps(
    context: bpy.types.Context,
    uids: Sequence[int],
    *,
    together: bool = False,
    settings: Settings | None = None,
    leave: frozenset[frozenset[ObjectKey]] = frozenset(),
    known: Floats | None = None,
) -> Steps:
    """Run `push_apart` in steps. Closing the generator early moves everything back.

    If the first object is free after the translation `known` (3,), it is moved by that.
    """

    def plan(setting: Setting, result: FixResult) -> Generator[Progress, None, Floats]:
        return (yield from _apart(setting, result, together=together, known=None if result.moved else known))

    manner = Manner(_LOOKS, among_selected=len(uids) > 1, settings=settings, leave=leave)
    return _carried_out(context, uids, plan, manner)


def drop_to_surface(
    context: bpy.types.Context,
    objects: Sequence[bpy.types.Object],
    direction_of: Callable[[bpy.types.Object], Floats],
    *,
    push_apart_first: bool = False,
    settings: Settings | None = None,
) -> FixResult:
    """Move objects along a direction until each touches something. The object farthest ahead moves first.

    Parameters
    ----------
    context : bpy.types.Context
    objects : sequence of bpy.types.Object
    direction_of : function
        The unit vector (3,) along which an object is moved.
    push_apart_first : bool
        Whether an object that penetrates something is first moved out of it. Otherwise it is not moved, and the result
        says so.
    settings : Settings, optional
        As for `push_apart`.
    """
    directions = {ob.session_uid: direction_of(ob) for ob in objects}
    return exhausted(drop_to_surface_steps(context, directions, push_apart_first=push_apart_first, settings=settings))


def drop_to_surface_steps(
    context: bpy.types.Context,
    directions: dict[int, Floats],
    *,
    push_apart_first: bool = False,
    settings: Settings | None = None,
    together: tuple[frozenset[int], ...] = (),
    leave: frozenset[frozenset[ObjectKey]] = frozenset(),
) -> Steps:
    """Run `drop_to_surface` in steps, with the direction of each object by its uid.

    Objects of one set of uids in `together` keep their places to each other, so it does not matter whether they
    penetrate each other. They have the same direction. Pairs of bodies in `leave` may penetrate as well.
    """

    def plan(setting: Setting, result: FixResult) -> Generator[Progress, None, Floats]:
        return (yield from _fallen(setting, result, directions, push_apart_first=push_apart_first))

    manner = Manner(1, by_selection=False, settings=settings, leave=leave, together=together)
    return _carried_out(context, list(directions), plan, manner)


def snap(
    context: bpy.types.Context, ob: bpy.types.Object, other: set[int], *, settings: Settings | None = None
) -> FixResult:
    """Move an object by the shortest translation to another object, until the two touch.

    Parameters
    ----------
    context : bpy.types.Context
    ob : bpy.types.Object
    other : set of int
        The `session_uid` of every object that belongs to the other one.
    settings : Settings, optional
        As for `push_apart`.
    """

    def plan(setting: Setting, result: FixResult) -> Generator[Progress, None, Floats]:
        yield Progress(0, 1)
        return _closed(setting, result, other)

    return exhausted(_carried_out(context, [ob.session_uid], plan, Manner(1, also=frozenset(other), settings=settings)))


def move_away(
    context: bpy.types.Context,
    ob: bpy.types.Object,
    other: set[int],
    clearance: float,
    *,
    settings: Settings | None = None,
) -> FixResult:
    """Move an object away from another object that is too near, until it keeps the clearance.

    Parameters
    ----------
    context : bpy.types.Context
    ob : bpy.types.Object
    other : set of int
        The `session_uid` of every object that belongs to the other one.
    clearance : float
        In Blender units.
    settings : Settings, optional
        As for `push_apart`.
    """

    def plan(setting: Setting, result: FixResult) -> Generator[Progress, None, Floats]:
        return (yield from _cleared(setting, result, other, clearance))

    return exhausted(_carried_out(context, [ob.session_uid], plan, Manner(1, also=frozenset(other), settings=settings)))


def nudge(
    context: bpy.types.Context, ob: bpy.types.Object, offset: Floats, *, settings: Settings | None = None
) -> FixResult:
    """Move an object by a short translation (3,), such as the one between two coplanar faces.

    Parameters
    ----------
    context : bpy.types.Context
    ob : bpy.types.Object
    offset : (3,) float64
    settings : Settings, optional
        As for `push_apart`.
    """

    def plan(setting: Setting, result: FixResult) -> Generator[Progress, None, Floats]:
        yield Progress(0, 1)
        offsets, unit = np.zeros((len(setting.units), 3)), setting.units[0]
        if 0 in setting.usable(FixResult()):
            if unit.allows(offset / np.linalg.norm(offset)):
                offsets[0] = offset
            else:
                result.refused.append(NotMoved(unit.name, Refusal.DIRECTION, unit.locks))
        return offsets

    return exhausted(_carried_out(context, [ob.session_uid], plan, Manner(1, settings=settings)))


def _carried_out(
    context: bpy.types.Context,
    uids: Sequence[int],
    plan: Plan,
    manner: Manner,
) -> Steps:
    """Plan, move, and read the scene again, until nothing changes anymore."""
    known, result, looks, repeat = KnownGeometry(), FixResult(), manner.looks, manner.looks > 1
    before: dict[int, tuple[float, ...]] = {}
    try:
        for look in range(looks + 1):
            with isolation.overlooked(context):
                setting = setting_of_scene(context, uids, known, manner)
            if not look or repeat:
                result.refused = []
            usable = setting.usable(result if not look or repeat else FixResult())
            if look == looks or (look and not setting.any_penetrates(usable)):
                break
            offsets = yield from plan(setting, result)
            if not offsets.any():
                break
            _move(setting, offsets, before, result)
            context.view_layer.update()
            known.forget_all()
        # Objects that cannot be moved are reported as well, but are no reason to continue.
        result.left = setting.still_penetrating()
    except BaseException:
        _put_back(before)
        context.view_layer.update()
        raise
    return result


def _move(setting: Setting, offsets: Floats, before: dict[int, tuple[float, ...]], result: FixResult) -> None:
    objects = objects_by_uid(uid for unit in setting.units for uid in unit.tops)
    for unit, way in zip(setting.units, offsets, strict=True):
        if not way.any():
            continue
        for uid in unit.tops:
            before.setdefault(uid, moving.location_of(objects[uid]))
            moving.move(objects[uid], way)
        result.moved[unit.name] = result.moved.get(unit.name, np.zeros(3)) + way


def _put_back(before: dict[int, tuple[float, ...]]) -> None:
    for uid, ob in objects_by_uid(before).items():
        moving.put_back(ob, before[uid])


def _apart(
    setting: Setting, result: FixResult, *, together: bool, known: Floats | None
) -> Generator[Progress, None, Floats]:
    """Return translations of all units after which none penetrates anything."""
    usable, scenery = setting.usable(FixResult()), setting.scenery
    offsets = np.zeros((len(setting.units), 3))
    yield Progress(0, max(len(usable), 1))
    result.one_by_one = together and len(usable) > MOST_TOGETHER
    if together and 1 < len(usable) <= MOST_TOGETHER:
        search = separating_translations(scenery, usable, offsets, [setting.units[number].basis for number in usable])
        found = yield from _reported(search, Progress(0, len(usable)))
        if found is not None:
            offsets[usable] = found
            return offsets
    size = scenery.upper - scenery.lower
    volume = [float(size[scenery.unit == number].prod(axis=1).sum()) for number in usable]
    order = [usable[place] for place in np.argsort(volume, kind="stable")]
    for _ in range(_PASSES):
        stuck = []
        changed = False
        for done, number in enumerate(order):
            basis = setting.units[number].basis
            first = None if number or offsets[number].any() else known
            search = separating_translation(scenery, number, offsets, basis, first)
            way = yield from _reported(search, Progress(done, len(order)))
            if way is None:
                stuck.append(number)
            elif way.any():
                offsets[number] += way
                changed = True
            yield Progress(done, len(order))
        if not changed:
            break
    result.refused += [
        NotMoved(setting.units[number].name, Refusal.NO_FREE_POSITION, setting.units[number].locks) for number in stuck
    ]
    return offsets


def _reported(search: Generator[None, None, Found], progress: Progress) -> Generator[Progress, None, Found]:
    """Yield the same progress for each step of a search, and return its result."""
    while True:
        try:
            next(search)
        except StopIteration as stop:
            found: Found = stop.value
            return found
        yield progress


def _fallen(
    setting: Setting, result: FixResult, directions: dict[int, Floats], *, push_apart_first: bool
) -> Generator[Progress, None, Floats]:
    """Return translations of all units along their directions, until each touches something."""
    scenery = setting.scenery
    offsets = np.zeros((len(setting.units), 3))
    way_of = {number: directions[setting.units[number].tops[0]] for number in setting.usable(FixResult())}
    ahead = {}
    for number, direction in way_of.items():
        rows = scenery.unit == number
        ahead[number] = float((np.where(direction > 0.0, scenery.upper, scenery.lower)[rows] @ direction).max())
    yield Progress(0, max(len(way_of), 1))
    for done, number in enumerate(sorted(way_of, key=lambda number: -ahead[number])):
        unit, direction = setting.units[number], way_of[number]
        yield Progress(done, len(way_of))
        if not unit.allows(direction):
            result.refused.append(NotMoved(unit.name, Refusal.DIRECTION, unit.locks))
            continue
        if push_apart_first:
            search = separating_translation(scenery, number, offsets, unit.basis)
            out = yield from _reported(search, Progress(done, len(way_of)))
            offsets[number] += 0.0 if out is None else out
        met = fall(scenery, number, offsets, direction)
        other = setting.body_name(met.row) if met.row >= 0 else ""
        if len(met.inside):
            result.refused.append(_inside(setting, unit, met.inside, number, offsets))
        elif np.isinf(met.distance):
            result.refused.append(NotMoved(unit.name, Refusal.NOTHING_HIT))
        elif met.distance <= _level(scenery, number) and not offsets[number].any():
            result.refused.append(NotMoved(unit.name, Refusal.ALREADY, other=other))
        else:
            offsets[number] += met.distance * direction
            result.onto[unit.name] = other
    return offsets


def _level(scenery: Scenery, number: int) -> float:
    return float(scenery.level[scenery.unit == number].max())


def _inside(setting: Setting, unit: Unit, pairs: Ints, number: int, offsets: Floats) -> NotMoved:
    depths = setting.scenery.depths(pairs, offsets)
    deepest = int(np.argmax(depths))
    other = setting.body_name(int(others_of(setting.scenery, pairs, number)[deepest]))
    return NotMoved(unit.name, Refusal.INSIDE, other=other, length=float(depths[deepest]))


def _cleared(
    setting: Setting, result: FixResult, other: set[int], clearance: float
) -> Generator[Progress, None, Floats]:
    """Return the translation away from another object."""
    offsets = np.zeros((len(setting.units), 3))
    yield Progress(0, 1)
    if 0 not in setting.usable(FixResult()):
        return offsets
    unit, gap = setting.units[0], _gap_to(setting, result, other)
    if gap is None:
        return offsets
    if gap.distance > clearance + gap.level:
        result.refused.append(NotMoved(unit.name, Refusal.CLEAR, other=gap.name, length=gap.distance))
    else:
        search = clearing_translation(setting.scenery, 0, offsets, unit.basis, gap.pairs, clearance)
        way = yield from _reported(search, Progress(0, 1))
        if way is None:
            result.refused.append(NotMoved(unit.name, Refusal.NO_FREE_POSITION, unit.locks))
        else:
            offsets[0] = way
    return offsets


class _Gap(NamedTuple):
    """The gap between the first unit and another object.

    Attributes
    ----------
    pairs : (P, 2) int64
        The rows of the unit, each with each row of the object.
    distance : float
        Of the nearest pair. Smaller than 0 by rounding only.
    normal : (3,) float64
        Of the nearest pair, from the unit to the object.
    level : float
        Two rows touch up to this distance.
    name : str
        The body of the object that is nearest.
    """

    pairs: Ints
    distance: float
    normal: Floats
    level: float
    name: str


def _gap_to(setting: Setting, result: FixResult, other: set[int]) -> _Gap | None:
    """Measure the gap to another object. None, with the reason in the result, if it has no shape or they penetrate."""
    scenery, unit, pairs = setting.scenery, setting.units[0], _pairs_with(setting, other)
    if not len(pairs):
        result.refused.append(NotMoved(unit.name, Refusal.NOTHING_HIT))
        return None
    measured = scenery.measured(pairs, np.zeros((len(setting.units), 3)))
    nearest = int(np.argmin(measured.distance))
    distance, name = float(measured.distance[nearest]), setting.body_name(int(pairs[nearest, 1]))
    level = max(float(scenery.level[pairs[nearest]].max()), float(measured.rounding[nearest]))
    if distance < -level:
        result.refused.append(NotMoved(unit.name, Refusal.INSIDE, other=name, length=-distance))
        return None
    return _Gap(pairs, distance, measured.normal[nearest], level, name)


def _pairs_with(setting: Setting, other: set[int]) -> Ints:
    """Return the rows of the first unit, each with each row of another object that does not move with it."""
    scenery = setting.scenery
    theirs = [row for row, key in enumerate(setting.reading.keys) if is_of(key, other) and scenery.unit[row] == STILL]
    mine = np.flatnonzero(scenery.unit == 0)
    pairs = np.stack(np.meshgrid(mine, np.array(theirs, dtype=np.int64), indexing="ij"), axis=-1).reshape(-1, 2)
    return pairs[scenery.pairing.body[pairs[:, 0]] != scenery.pairing.body[pairs[:, 1]]]


def _closed(setting: Setting, result: FixResult, other: set[int]) -> Floats:
    """Return the translation to another object that is apart."""
    offsets = np.zeros((len(setting.units), 3))
    if 0 not in setting.usable(FixResult()):
        return offsets
    unit, gap = setting.units[0], _gap_to(setting, result, other)
    if gap is None:
        return offsets
    if gap.distance <= gap.level:
        result.refused.append(NotMoved(unit.name, Refusal.ALREADY, other=gap.name))
    elif not unit.allows(gap.normal):
        result.refused.append(NotMoved(unit.name, Refusal.DIRECTION, unit.locks))
    else:
        offsets[0] = gap.distance * gap.normal
        result.onto[unit.name] = gap.name
    return offsets
