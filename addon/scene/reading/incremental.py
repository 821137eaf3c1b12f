# SPDX-License-Identifier: GPL-3.0-or-later
"""Read the scene incrementally: a reading reuses the unchanged shapes of the previous one."""

from collections import Counter
from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np

from ....core.numerics.types import Floats
from ....core.shapes import Kind
from ...model.report import ObjectKey
from ...model.shapes import Hull, Mesh, WorldShape
from ...model.steps import after, exhausted, telling
from ..meshes.geometry import Geometry
from ..objects.choice import ShapeChoice
from ..objects.facts import ObjectFacts
from ..objects.transforms import take_apart
from .batches import kind_of, world_of
from .body_tree import body_tree
from .geometry_cache import KnownGeometry
from .items import Item, items_of, matrices_at
from .items_in_scope import ItemsInScope
from .placing import ShapeMaker, ShapeResult
from .scene_shapes import SceneShapes, ShapeRow
from .scene_snapshot import SceneSnapshot, snapshot_steps
from .skipped_scripts import skipped_scripts

# Number of shapes that are made between two checks of the time.
_TOGETHER = 64


@dataclass(frozen=True, eq=False)
class ShapeSource:
    """The data that one shape was made from. The shape is made again only if any of this has changed.

    Attributes
    ----------
    choice : ShapeChoice
    geometry : Geometry or None
    matrix : bytes
    extras : tuple
        Other data of the object that affects the shape; see `ObjectFacts`.
    result : ShapeResult
    """

    choice: ShapeChoice
    geometry: Geometry | None
    matrix: bytes
    extras: tuple[object, ...]
    result: ShapeResult

    def is_made_of(
        self, choice: ShapeChoice, geometry: Geometry | None, matrix: bytes, extras: tuple[object, ...]
    ) -> bool:
        """Whether this data would make the same shape."""
        return geometry is self.geometry and (choice, matrix, extras) == (self.choice, self.matrix, self.extras)


@dataclass(frozen=True, eq=False)
class Reading:
    """The shapes of a scope, and the data that they were made from: plain data, without references to Blender data.

    Attributes
    ----------
    shapes : SceneShapes
    keys : tuple of ObjectKey
        The key of the object of each row of the world.
    placed : tuple of WorldShape
        The shape of each row.
    entries : dict of ObjectKey to ShapeSource
        For all tested objects, including those without a shape.
    movable : dict of int to ObjectFacts, by session_uid
        Objects that appear once and instance nothing. While the facts of such an object are unchanged, moving it only
        moves its shape.
    snapshot : SceneSnapshot
        Visible and hidden objects of the scene.
    items : list of Item
        All items of the scene, listed from `snapshot`.
    chosen : dict of int to ShapeChoice
        The tested items, with their choices of shapes.
    """

    shapes: SceneShapes
    keys: tuple[ObjectKey, ...]
    placed: tuple[WorldShape, ...]
    entries: dict[ObjectKey, ShapeSource]
    movable: dict[int, ObjectFacts]
    snapshot: SceneSnapshot
    items: list[Item]
    chosen: dict[int, ShapeChoice]


def read(
    context: bpy.types.Context,
    scope: set[int] | None,
    *,
    include_hidden_as_skipped: bool = True,
    before: Reading | None = None,
    known: KnownGeometry,
    margins: bool = True,
    include_operands: bool = True,
) -> Reading:
    """Run all steps of `reading` at once."""
    return exhausted(
        reading(
            context,
            scope,
            include_hidden_as_skipped=include_hidden_as_skipped,
            before=before,
            known=known,
            margins=margins,
            include_operands=include_operands,
            seconds=np.inf,
        )
    )


def reading(
    context: bpy.types.Context,
    scope: set[int] | None,
    *,
    include_hidden_as_skipped: bool = True,
    before: Reading | None = None,
    known: KnownGeometry,
    margins: bool = True,
    include_operands: bool = True,
    seconds: float,
) -> Generator[bool, None, Reading]:
    """Read like `read_scene`, reusing unchanged data.

    No reference to Blender data is kept between steps. The scene must not change in between, except that objects may
    move: their placements at the beginning count.

    Parameters
    ----------
    scope : set of int, optional
        `session_uid` of the objects of the scope. None: the whole scene.
    before : Reading, optional
        Shapes with the same entries are taken from this reading.
    known : KnownGeometry
        The geometry cache, to which missing geometry is added.
    margins : bool
        Whether the shapes include the margins of their objects.
    include_operands : bool
        Whether Boolean operands (`operands`) are read like other objects, and not skipped.
    seconds : float
        Approximate seconds for a step. Reading the scene's objects takes two steps. Listing the items, finding the
        bodies, choosing the tested items, and building the result take one each. Of a large mesh, so does each table
        that its shape needs.

    Yields
    ------
    bool
        Whether all work done so far is stored in `known`.

    Returns
    -------
    Reading

    Raises
    ------
    SceneChanged
        As for `KnownGeometry.reading`.
    """
    snapshot, matrices = yield from telling(False, snapshot_steps(context, context.evaluated_depsgraph_get()))
    yield False
    options = {
        "include_hidden_as_skipped": include_hidden_as_skipped,
        "margins": margins,
        "include_operands": include_operands,
    }
    return (yield from _read(context, scope, snapshot, matrices, before, known, seconds, **options))


def rereading(
    context: bpy.types.Context,
    scope: set[int],
    *,
    before: Reading,
    known: KnownGeometry,
    include_operands: bool,
    seconds: float,
) -> Generator[bool, None, Reading | dict[ObjectKey, ShapeSource]]:
    """Run `reading` for the same scope and options as before. The result may be only the changed shapes.

    Returns
    -------
    Reading, or dict of ObjectKey to Entry
        The new entries, if everything else is unchanged.
    """
    snapshot, matrices = yield from telling(False, snapshot_steps(context, context.evaluated_depsgraph_get()))
    yield False
    if snapshot == before.snapshot:
        here = matrices_at(before.items, matrices)
        entries = yield from _entries(context, before.items, before.chosen, here, before.entries, known, seconds)
        other = {key: entry for key, entry in entries.items() if entry is not before.entries.get(key)}
        if all(_is_like(entry.result, before.entries[key].result) for key, entry in other.items()):
            return other
    return (
        yield from _read(context, scope, snapshot, matrices, before, known, seconds, include_operands=include_operands)
    )


def _read(
    context: bpy.types.Context,
    scope: set[int] | None,
    snapshot: SceneSnapshot,
    matrices: Floats,
    before: Reading | None,
    known: KnownGeometry,
    seconds: float,
    *,
    include_hidden_as_skipped: bool = True,
    margins: bool = True,
    include_operands: bool = True,
) -> Generator[bool, None, Reading]:
    """The reading from a snapshot."""
    items = items_of(snapshot)
    yield False
    tree = body_tree(items)
    yield False
    in_scope = ItemsInScope(
        items, tree, scope, {} if include_operands else snapshot.operands, issues=skipped_scripts(context)
    )
    here = matrices_at(items, matrices)
    yield False
    old = before.entries if before is not None else {}
    entries = yield from _entries(context, items, in_scope.choices, here, old, known, seconds, margins=margins)
    made: list[tuple[int, WorldShape, str]] = []
    for row, result in zip(in_scope.choices, (entry.result for entry in entries.values()), strict=True):
        in_scope.settle(row, result)
        if result.shape is not None:
            made.append((row, result.shape, result.reason))
    made.sort(key=lambda entry: kind_of(entry[1]))
    yield False
    names = {kind: kind.name.lower().replace("_", "-") for kind in Kind}
    world = world_of([shape for _, shape, _ in made])
    yield False
    world.bounds()
    yield False
    shapes = SceneShapes.of(
        world,
        [ShapeRow(row, names[kind_of(shape)], reason) for row, shape, reason in made],
        in_scope,
        margins=margins,
        include_hidden_as_skipped=include_hidden_as_skipped,
    )
    keys, placed = tuple(items[row].key for row, _, _ in made), tuple(shape for _, shape, _ in made)
    return Reading(shapes, keys, placed, entries, _movable(items), snapshot, items, in_scope.choices)


def _entries(
    context: bpy.types.Context,
    items: list[Item],
    choices: dict[int, ShapeChoice],
    matrices: Floats,
    before: dict[ObjectKey, ShapeSource],
    known: KnownGeometry,
    seconds: float,
    *,
    margins: bool = True,
) -> Generator[bool, None, dict[ObjectKey, ShapeSource]]:
    """The entries of these items, in order. Those with unchanged data are the previous objects."""
    wanted = {items[row].position: items[row].key for row in choices}
    with_hull = {items[row].key for row, choice in choices.items() if choice.needs_hull}
    geometry = yield from telling(True, known.reading(context, wanted, with_hull, seconds))
    late = after(seconds)
    entries: dict[ObjectKey, ShapeSource] = {}
    new: list[int] = []
    for row, choice in choices.items():
        key, facts = items[row].key, items[row].facts
        old = before.get(key)
        if old is None or not old.is_made_of(choice, geometry.get(key), matrices[row].tobytes(), facts.extras):
            new.append(row)
        else:
            entries[key] = old
    if not new:
        return entries
    maker = ShapeMaker(take_apart(matrices[new]), margins=margins)
    yield False
    for number, row in enumerate(new):
        if number % _TOGETHER == 0 and late():
            yield False
            late = after(seconds)
        key, facts, choice = items[row].key, items[row].facts, choices[row]
        yield from telling(False, maker.preparing(choice, geometry.get(key), number))
        result = maker.make(choice, facts, geometry.get(key), number)
        entries[key] = ShapeSource(choice, geometry.get(key), matrices[row].tobytes(), facts.extras, result)
    return {items[row].key: entries[items[row].key] for row in choices}


def moved(
    context: bpy.types.Context, before: Reading, objects: Iterable[bpy.types.Object]
) -> dict[ObjectKey, ShapeSource] | None:
    """Make the shapes of objects that have only moved.

    Returns
    -------
    dict of ObjectKey to Entry, or None
        The new entries of the tested objects. None if more than their shapes changes, so that everything must be read.
    """
    here = [ob for ob in objects if ObjectKey(ob.session_uid) in before.entries]
    depsgraph = context.evaluated_depsgraph_get()
    matrices = np.array([ob.evaluated_get(depsgraph).matrix_world for ob in here], dtype=np.float64).reshape(-1, 4, 4)
    maker, entries = ShapeMaker(take_apart(matrices)), {}
    for row, ob in enumerate(here):
        key, facts = ObjectKey(ob.session_uid), before.movable[ob.session_uid]
        old = before.entries[key]
        result = maker.make(old.choice, facts, old.geometry, row)
        was = old.result
        if not _is_like(result, was):
            return None
        if isinstance(result.shape, Hull | Mesh) and _is_only_moved(np.frombuffer(old.matrix), matrices[row]):
            # The identical geometry object, which may be shared, not one that is only equal.
            same: dict[str, Any] = {"geometry": vars(was.shape)["geometry"]}
            result.shape = replace(result.shape, **same)
        entries[key] = ShapeSource(old.choice, old.geometry, matrices[row].tobytes(), old.extras, result)
    return entries


def _is_like(one: ShapeResult, other: ShapeResult) -> bool:
    """Whether two results have shapes of the same kind, or none, and the same reasons and issues."""
    return type(one.shape) is type(other.shape) and (one.reason, one.skipped, one.issues) == (
        other.reason,
        other.skipped,
        other.issues,
    )


def _is_only_moved(old: Floats, new: Floats) -> bool:
    """Whether a matrix has the same rotation and scale as another."""
    return np.array_equal(old.reshape(4, 4)[:3, :3], new[:3, :3])


def _movable(items: list[Item]) -> dict[int, ObjectFacts]:
    appear = Counter(item.key.session_uid for item in items)
    busy = {item.host for item in items if item.key.instancer_uid}
    return {
        item.facts.uid: item.facts
        for item in items
        if item.facts.instance_type == "NONE"
        and not item.key.instancer_uid
        and appear[item.facts.uid] == 1
        and item.facts.uid not in busy
    }
