# SPDX-License-Identifier: GPL-3.0-or-later
"""The objects that a fix moves, as units, and the shapes of everything that they may collide with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.numerics.types import Floats, Ints
from ...core.numerics.validation import check_lengths
from ...core.shapes import Kind
from ..collisions.pairing import Pairing, touching_levels
from ..model.report import ObjectKey, Settings
from ..scene import accepted_pairs
from ..scene.objects import moving
from ..scene.objects.moving import Freedom, Lock
from ..scene.open_file import objects_by_uid
from ..scene.reading.geometry_cache import KnownGeometry
from ..scene.reading.incremental import Reading, read
from ..scene.scope import ScopeSelection, scope_objects
from ..scene.settings import NAME, check_settings
from .fix_result import FixResult, Left, NotMoved, Refusal
from .obstacles import STILL, Scenery


@dataclass(frozen=True, eq=False)
class Unit:
    """Objects that are moved together.

    Attributes
    ----------
    name : str
    tops : tuple of int
        The `session_uid` of the objects whose location is changed.
    uids : frozenset of int
        The `session_uid` of all objects that move with them.
    basis : (3, k) float64
        Directions along which they may be moved.
    locks : tuple of Lock
    """

    name: str
    tops: tuple[int, ...]
    uids: frozenset[int]
    basis: Floats
    locks: tuple[Lock, ...]

    def allows(self, direction: Floats) -> bool:
        """Return whether the unit may be moved along a unit vector."""
        return Freedom(self.basis, np.eye(3)).allows(direction)


@dataclass(frozen=True, eq=False)
class Setting:
    """The units of a fix and everything that they may collide with, in the current state of the scene."""

    units: tuple[Unit, ...]
    reading: Reading
    scenery: Scenery

    def usable(self, result: FixResult) -> list[int]:
        """Return the units that have shapes and can be moved. The reasons for the others are added to the result."""
        found = []
        for number, unit in enumerate(self.units):
            rows = np.flatnonzero(self.scenery.unit == number)
            endless = Kind.HALF_SPACE in self.scenery.world.kind[rows]
            if endless or not len(rows):
                refusal = Refusal.FLOOR if endless else Refusal.NO_SHAPE
                result.refused.append(NotMoved(unit.name, refusal))
            elif not unit.basis.shape[1]:
                result.refused.append(NotMoved(unit.name, None, unit.locks))
            else:
                found.append(number)
        return found

    def body_name(self, row: int) -> str:
        """Return the name of the body that a row belongs to."""
        return self.reading.shapes.bodies[int(self.reading.shapes.body[row])].name

    def any_penetrates(self, units: Sequence[int]) -> bool:
        """Return whether one of these units penetrates anything."""
        return bool(len(self.scenery.penetrating(units, np.zeros((len(self.units), 3)))))

    def still_penetrating(self) -> list[Left]:
        """Return the pairs of bodies with units that still penetrate, deepest first, without duplicates."""
        offsets = np.zeros((len(self.units), 3))
        pairs = self.scenery.penetrating(range(len(self.units)), offsets)
        found: dict[tuple[str, str], float] = {}
        for rows, depth in zip(pairs, self.scenery.depths(pairs, offsets).tolist(), strict=True):
            a, b = rows if self.scenery.unit[rows[0]] != STILL else rows[::-1]
            key = (self.body_name(a), self.body_name(b))
            found[key] = max(found.get(key, 0.0), depth)
        return sorted((Left(*key, depth) for key, depth in found.items()), key=lambda left: -left.depth)


@dataclass(frozen=True)
class Manner:
    """Options of a fix.

    Attributes
    ----------
    looks : int
        Number of times that the scene is read again and objects are moved again.
    by_selection : bool
        Whether a selection scope means the selected objects. Otherwise it means all visible objects.
    among_selected : bool
        Whether a selection scope still applies if only moved objects are selected.
    also : frozenset of int
        The `session_uid` of objects that are included in any scope.
    settings : Settings or None
        Scope and touching tolerance. None: the settings of the scene.
    leave : frozenset of frozenset of ObjectKey
        Pairs of bodies that may penetrate, like accepted pairs.
    together : tuple of frozenset of int
        The `session_uid` of objects that are moved together.
    """

    looks: int
    by_selection: bool = True
    among_selected: bool = False
    also: frozenset[int] = frozenset()
    settings: Settings | None = None
    leave: frozenset[frozenset[ObjectKey]] = frozenset()
    together: tuple[frozenset[int], ...] = ()


def setting_of_scene(context: bpy.types.Context, uids: Sequence[int], known: KnownGeometry, manner: Manner) -> Setting:
    """Return the units and everything that they may collide with, in the current state of the scene."""
    settings = manner.settings or check_settings(context)
    touching = settings.touching
    check_lengths(touching=0.0 if touching is None else touching)
    context.view_layer.update()
    units = units_of(context, uids, manner.together)
    moved = {uid for unit in units for uid in unit.uids}
    selection = _against(context, moved, manner)
    scope = {ob.session_uid for ob in (*selection.set_a, *(selection.set_b or ()))} | moved | manner.also
    reading = read(context, scope, known=known, include_operands=settings.include_operands)
    assert reading is not None, "without a time limit everything is read"
    shapes = reading.shapes
    number = np.full(len(shapes.body), STILL)
    for place, unit in enumerate(units):
        number[[is_of(key, unit.uids) for key in reading.keys]] = place
    pairing = _pairing(reading, selection, number)
    lower, upper = shapes.world.bounds()
    # Objects cannot be placed more exactly than float32 allows.
    level = np.maximum(touching_levels(lower, upper, None), 0.0 if touching is None else touching)
    body = {one.key: place for place, one in enumerate(shapes.bodies)}
    pairs = [
        tuple(body[key] for key in keys)
        for keys in {
            *manner.leave,
            *(accepted_pairs.known_pairs(context.scene) if hasattr(context.scene, NAME) else ()),
        }
        if len(keys) == 2 and all(key in body for key in keys)
    ]
    return Setting(units, reading, Scenery(shapes.world, number, pairing, level, [(a, b) for a, b in pairs]))


def units_of(
    context: bpy.types.Context,
    uids: Sequence[int],
    together: Sequence[frozenset[int]] = (),
    colliders: Mapping[int, list[bpy.types.Object]] | None = None,
) -> tuple[Unit, ...]:
    """Return the units of objects. Objects that are moved together are one unit, named after the first of them.

    `colliders`: those that do not move with their owners, by owner. None: they are read.
    """
    found = objects_by_uid(uids)
    colliders = moving.loose_colliders(context.scene) if colliders is None else colliders
    objects = [found[uid] for uid in uids if uid in found]
    loose_of = {
        ob.session_uid: [one for child in moving.family(ob) for one in colliders.get(child.session_uid, ())]
        for ob in objects
    }
    # A collider moves with its owner, whether it is selected or not.
    led = {one.session_uid for loose in loose_of.values() for one in loose}
    first = {uid: number for number, group in enumerate(together) for uid in group}
    groups: dict[int, list[bpy.types.Object]] = {}
    for ob in moving.tops(objects):
        if ob.session_uid not in led:
            # A key of its own, unless it is moved together with others.
            groups.setdefault(first.get(ob.session_uid, -ob.session_uid - 1), []).append(ob)
    units = []
    for group in groups.values():
        members = moving.tops([one for ob in group for one in (ob, *loose_of[ob.session_uid])])
        basis, locks = moving.common(moving.freedom(one) for one in members)
        everyone = frozenset(each.session_uid for one in members for each in moving.family(one))
        units.append(Unit(group[0].name, tuple(one.session_uid for one in members), everyone, basis, locks))
    return tuple(units)


def _against(context: bpy.types.Context, moved: set[int], manner: Manner) -> ScopeSelection:
    """Return the scope of the check.

    For a selection scope, all visible objects unless other objects are selected, too.
    """
    settings = manner.settings or check_settings(context)
    if settings.scope in {"SELECTED", "ACTIVE"}:
        selected = list(context.view_layer.objects.selected)
        others = manner.among_selected or any(ob.session_uid not in moved for ob in selected)
        return ScopeSelection(selected) if manner.by_selection and others else scope_objects(context, "VISIBLE")
    return scope_objects(context, settings.scope, settings.collection_a, settings.collection_b)


def _pairing(reading: Reading, selection: ScopeSelection, unit: Ints) -> Pairing:
    pairing = Pairing.of(reading.shapes, selection)
    if pairing.first is None or pairing.second is None:
        return pairing
    # Moved objects in neither set must not collide with either of the two, so all pairs are tested.
    stranger = np.zeros(len(pairing.first), dtype=bool)
    stranger[pairing.body[unit != STILL]] = True
    stranger &= ~pairing.first & ~pairing.second
    if stranger.any():
        return Pairing(pairing.body, filter=pairing.filter)
    return pairing


def is_of(key: ObjectKey, uids: frozenset[int] | set[int]) -> bool:
    """Return whether an object, or the object that instances it, is among those with these uids."""
    return key.session_uid in uids or key.instancer_uid in uids
