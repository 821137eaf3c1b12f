# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the evaluated scene: Blender objects in; core shapes, their bodies and what was left out come out.

Modifiers, edit mode, instances and parents count, because it is the evaluated scene that is read. Nothing is
changed.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.results import Ints
from ...core.world import World
from ..report import Body, Finding, Shape, Skipped
from .batches import kind_of, world_of
from .bodies import Family, family
from .gathering import Gathering
from .items import Item, scene_items, walk
from .meshes import GEOMETRY_TYPES, Geometry, GeometryReader, make_hulls
from .placements import take_apart
from .placing import ShapeMaker, WorldShape


@dataclass(frozen=True, eq=False)
class SceneShapes:
    """The shapes of a scope, row for row, and what they belong to.

    Attributes
    ----------
    world : World
    shapes : tuple of Shape
        One for each row of the world.
    bodies : tuple of Body
        Sorted by name. Each has at least one row.
    body : (N,) int64
        The body of each row.
    findings : tuple of Finding
    skipped : tuple of Skipped
        Every object of the scope that has no row, unless something that has one stands for it.
    """

    world: World
    shapes: tuple[Shape, ...]
    bodies: tuple[Body, ...]
    body: Ints
    findings: tuple[Finding, ...]
    skipped: tuple[Skipped, ...]


def read_scene(
    context: bpy.types.Context,
    objects: Iterable[bpy.types.Object] | None,
    *,
    include_hidden_as_skipped: bool = True,
) -> SceneShapes:
    """Read the collision shapes of objects, as the current view layer shows them in the current frame.

    Parameters
    ----------
    context : bpy.types.Context
    objects : iterable of bpy.types.Object, optional
        The scope, as original objects; what they instance belongs to it. A render mesh brings its colliders
        along, and a compound rigid body its children, even where those are not in the scope; a collider by
        itself brings neither its render mesh's other colliders nor its mesh. None: the whole scene.
    include_hidden_as_skipped : bool
        Whether objects of the scope that cannot be seen are listed as skipped.

    Returns
    -------
    SceneShapes
        What cannot be represented faithfully is in its findings; no object of whatever kind raises.
    """
    depsgraph = context.evaluated_depsgraph_get()
    items, matrices = scene_items(context, depsgraph)
    kin = family(items)
    scope = None if objects is None else {ob.session_uid for ob in objects}
    gathering = Gathering(items, kin, scope)
    geometry = _read_geometry(depsgraph, {items[row].position for row in gathering.choices})
    make_hulls(
        geometry[items[row].position]
        for row, choice in gathering.choices.items()
        if choice.needs_hull and items[row].position in geometry
    )
    maker = ShapeMaker(take_apart(matrices))
    made: list[tuple[int, WorldShape, str]] = []
    for row, choice in gathering.choices.items():
        outcome = maker.make(choice, items[row].object, geometry.get(items[row].position), row)
        gathering.settle(row, outcome)
        if outcome.shape is not None:
            made.append((row, outcome.shape, outcome.reason))
    made.sort(key=lambda entry: kind_of(entry[1]))
    bodies, body = _bodies([row for row, _, _ in made], items, kin)
    return SceneShapes(
        world=world_of([shape for _, shape, _ in made]),
        shapes=tuple(
            Shape(items[row].label, int(number), kind_of(shape).name.lower().replace("_", "-"), reason)
            for (row, shape, reason), number in zip(made, body, strict=True)
        ),
        bodies=bodies,
        body=body,
        findings=tuple(gathering.findings),
        skipped=gathering.skipped(with_hidden=include_hidden_as_skipped),
    )


def _read_geometry(depsgraph: bpy.types.Depsgraph, positions: set[int]) -> dict[int, Geometry]:
    """Read the geometry at these positions of the instances, which are walked anew: those seen are gone."""
    reader = GeometryReader()
    return {
        position: reader.read(instance.object)
        for position, instance in walk(depsgraph)
        if position in positions and instance.object.type in GEOMETRY_TYPES
    }


def _bodies(rows: list[int], items: list[Item], kin: Family) -> tuple[tuple[Body, ...], Ints]:
    """Return the bodies that some items make up, sorted by name, and which of them each item belongs to."""
    members: defaultdict[int, list[int]] = defaultdict(list)
    for row in rows:
        members[kin.root[row]].append(row)
    roots = sorted(members, key=lambda root: (items[root].label, root))
    number = {root: place for place, root in enumerate(roots)}
    bodies = tuple(
        Body(items[root].label, items[root].key, tuple(items[row].key for row in sorted(members[root])))
        for root in roots
    )
    return bodies, np.array([number[kin.root[row]] for row in rows], dtype=np.int64)
