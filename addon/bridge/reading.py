# SPDX-License-Identifier: GPL-3.0-or-later
"""One reading of the scene, and the next one from it: what has not changed is not made again."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

import bpy
import numpy as np

from ...core.results import Floats
from ..report import ObjectKey
from .batches import kind_of, world_of
from .bodies import family
from .choice import Choice, choose
from .gathering import Gathering
from .items import Item, scene_items
from .known_geometry import KnownGeometry
from .meshes import Geometry
from .placements import take_apart
from .placing import Hull, Mesh, Outcome, ShapeMaker, WorldShape
from .read_shapes import Row, SceneShapes
from .traits import margin_of, traits_of


@dataclass(frozen=True, eq=False)
class Entry:
    """What one shape was made of; it is made anew only if any of this has changed.

    Attributes
    ----------
    choice : Choice
    geometry : Geometry or None
    matrix : bytes
    extras : tuple
        What else of the object matters; see `extras_of`.
    outcome : Outcome
    """

    choice: Choice
    geometry: Geometry | None
    matrix: bytes
    extras: tuple[object, ...]
    outcome: Outcome

    def is_made_of(self, choice: Choice, geometry: Geometry | None, matrix: bytes, extras: tuple[object, ...]) -> bool:
        """Whether these would make the same shape."""
        return geometry is self.geometry and (choice, matrix, extras) == (self.choice, self.matrix, self.extras)


@dataclass(frozen=True, eq=False)
class Reading:
    """The shapes of a scope, and what they were made of: plain data, no reference to Blender's.

    Attributes
    ----------
    shapes : SceneShapes
    keys : tuple of ObjectKey
        What each row of the world is the shape of.
    placed : tuple of WorldShape
        The shape of each row.
    entries : dict of ObjectKey to Entry
        Of everything that was to be tested, also what has no shape.
    movable : dict of int to tuple, by session_uid
        Objects that appear once, instance nothing and make nothing else appear: to move one of them moves its shape
        and changes nothing else, as long as its `relations` are these.
    """

    shapes: SceneShapes
    keys: tuple[ObjectKey, ...]
    placed: tuple[WorldShape, ...]
    entries: dict[ObjectKey, Entry]
    movable: dict[int, tuple[object, ...]]


def extras_of(ob: bpy.types.Object) -> tuple[object, ...]:
    """What, apart from its geometry and its matrix, decides the shape of an object that stands for a given one."""
    size = float(ob.empty_display_size) if ob.type == "EMPTY" else 0.0
    unused = ob.rigid_body.collision_margin if ob.rigid_body is not None and ob.rigid_body.use_margin else -1.0
    return (ob.type, size, unused, margin_of(ob))


def relations(ob: bpy.types.Object) -> tuple[object, ...]:
    """What decides which body an object belongs to, as what it is tested, and against what."""
    parent = ob.parent.session_uid if ob.parent is not None else 0
    return (ob.name, parent, ob.instance_type, ob.hide_viewport, choose(ob), traits_of(ob))


def read(
    context: bpy.types.Context,
    scope: set[int] | None,
    *,
    include_hidden_as_skipped: bool = True,
    before: Reading | None = None,
    known: KnownGeometry,
    margins: bool = True,
    late: Callable[[], bool] = lambda: False,
) -> Reading | None:
    """Read as `read_scene` does, keeping what has not changed.

    Parameters
    ----------
    scope : set of int, optional
        `session_uid` of the objects of the scope; None: the whole scene.
    before : Reading, optional
        Shapes whose entries are the same are those of this reading, the same objects.
    known : KnownGeometry
        Geometry read before; what it does not know is read into it.
    margins : bool
        Whether shapes have the margins of their objects.
    late : function
        Whether to stop. A little more is read each time, and what was read is known next time.

    Returns
    -------
    Reading or None
        None: stopped before all geometry was known.
    """
    begin = monotonic()
    depsgraph = context.evaluated_depsgraph_get()
    items, matrices = scene_items(context, depsgraph)
    kin = family(items)
    gathering = Gathering(items, kin, scope)
    geometry = known.read(
        depsgraph,
        {items[row].position: items[row].key for row in gathering.choices},
        {items[row].key for row, choice in gathering.choices.items() if choice.needs_hull},
        late,
        listed=monotonic() - begin,
    )
    if geometry is None:
        return None
    maker = ShapeMaker(take_apart(matrices), margins=margins)
    entries: dict[ObjectKey, Entry] = {}
    made: list[tuple[int, WorldShape, str]] = []
    for row, choice in gathering.choices.items():
        key, ob = items[row].key, items[row].object
        old = before.entries.get(key) if before is not None else None
        parts = (choice, geometry.get(key), matrices[row].tobytes(), extras_of(ob))
        if old is None or not old.is_made_of(*parts):
            old = Entry(*parts, maker.make(choice, ob, parts[1], row))
        entries[key], outcome = old, old.outcome
        gathering.settle(row, outcome)
        if outcome.shape is not None:
            made.append((row, outcome.shape, outcome.reason))
    made.sort(key=lambda entry: kind_of(entry[1]))
    shapes = SceneShapes.of(
        world_of([shape for _, shape, _ in made]),
        [Row(row, kind_of(shape).name.lower().replace("_", "-"), reason) for row, shape, reason in made],
        gathering,
        margins=margins,
        include_hidden_as_skipped=include_hidden_as_skipped,
    )
    keys, placed = tuple(items[row].key for row, _, _ in made), tuple(shape for _, shape, _ in made)
    return Reading(shapes, keys, placed, entries, _movable(items))


def moved(
    context: bpy.types.Context, before: Reading, objects: Iterable[bpy.types.Object]
) -> dict[ObjectKey, Entry] | None:
    """Make the shapes of objects that have moved and not changed otherwise.

    Returns
    -------
    dict of ObjectKey to Entry, or None
        The new entries of those that are tested; None if more than their shapes changes, so that all has to be read.
    """
    here = [ob for ob in objects if ObjectKey(ob.session_uid) in before.entries]
    depsgraph = context.evaluated_depsgraph_get()
    matrices = np.array([ob.evaluated_get(depsgraph).matrix_world for ob in here], dtype=np.float64).reshape(-1, 4, 4)
    maker, entries = ShapeMaker(take_apart(matrices)), {}
    for row, ob in enumerate(here):
        key = ObjectKey(ob.session_uid)
        old = before.entries[key]
        parts = (old.choice, old.geometry, matrices[row].tobytes(), extras_of(ob))
        outcome = maker.make(old.choice, ob, old.geometry, row)
        was = old.outcome
        if type(outcome.shape) is not type(was.shape) or (outcome.reason, outcome.skipped, outcome.remarks) != (
            was.reason,
            was.skipped,
            was.remarks,
        ):
            return None
        if isinstance(outcome.shape, Hull | Mesh) and _is_only_moved(np.frombuffer(old.matrix), matrices[row]):
            # The very same geometry, which others may share, and not one that is equal to it.
            same: dict[str, Any] = {"geometry": vars(was.shape)["geometry"]}
            outcome.shape = replace(outcome.shape, **same)
        entries[key] = Entry(*parts, outcome)
    return entries


def _is_only_moved(old: Floats, new: Floats) -> bool:
    """Whether a matrix turns and scales as another does."""
    return np.array_equal(old.reshape(4, 4)[:3, :3], new[:3, :3])


def _movable(items: list[Item]) -> dict[int, tuple[object, ...]]:
    appear = Counter(item.key.session_uid for item in items)
    busy = {item.host.session_uid for item in items if item.key.instancer_uid}
    return {
        item.key.session_uid: relations(item.object)
        for item in items
        if appear[item.key.session_uid] == 1
        and not item.key.instancer_uid
        and item.key.session_uid not in busy
        and item.object.instance_type == "NONE"
    }
