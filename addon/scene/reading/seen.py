# SPDX-License-Identifier: GPL-3.0-or-later
"""Visible meshes and the shapes that are tested instead of them, to compare both."""

from collections import defaultdict
from dataclasses import dataclass

import bpy
import numpy as np

from ....core.numerics.types import Floats, Ints
from ....core.shapes import UNBOUNDED
from ....core.world.world import World
from ...model.message import Message
from ...model.report import ObjectKey, Skipped
from .. import events
from ..coverage import hidden_shown
from ..objects.choice import MESH, NAME
from .body_tree import body_tree, is_collider
from .geometry_cache import KnownGeometry
from .incremental import read
from .own_meshes import own_meshes
from .scene_snapshot import VisibleInstance, take_snapshot


@dataclass(frozen=True, eq=False)
class SeenBody:
    """A body: its visible meshes, and its tested shapes.

    Attributes
    ----------
    name : str
    uid : int
        `session_uid` of the object with this name.
    meshes : tuple of ((n, 3) float64, (m, 3) int64)
        In world space.
    world : World, optional
        The shapes, without margins. None: there is no collider.
    colliders : tuple of str
        The name of the object of each shape.
    collider_uids : tuple of int
        Their `session_uid`.
    collections : frozenset of str
        Names of the collections of the visible objects.
    """

    name: str
    uid: int
    meshes: tuple[tuple[Floats, Ints], ...]
    world: World | None
    colliders: tuple[str, ...]
    collider_uids: tuple[int, ...]
    collections: frozenset[str]


@dataclass(frozen=True, eq=False)
class Seen:
    """The visible bodies of a scope.

    Attributes
    ----------
    bodies : tuple of SeenBody
        By name.
    skipped : tuple of Skipped
        Bodies that cannot be compared, and why.
    """

    bodies: tuple[SeenBody, ...]
    skipped: tuple[Skipped, ...]


_UNBOUNDED = Message("Unbounded colliders are not compared.")
_SHAPELESS = Message("None of the colliders could be tested.")


def read_seen(context: bpy.types.Context, scope: set[int], *, include_hidden: bool) -> Seen:
    """Read the visible meshes of objects with these `session_uid`, and the shapes that are tested instead of them.

    Hidden colliders are read as if they were shown, because artists hide them. Hidden meshes are left out, unless
    `include_hidden`. The scene is restored afterwards.
    """
    shown = {_key(one) for one in take_snapshot(context, context.evaluated_depsgraph_get())[0].shown}
    with events.paused(), events.unrecorded(), hidden_shown(context):
        found = read(context, None, known=KnownGeometry(), margins=False)
        tree = body_tree(found.items)
        keys = {item.key: row for row, item in enumerate(found.items)}
        stood_for = {mesh for mesh, colliders in tree.colliders.items() if colliders}
        instead = {row for rows in tree.colliders.values() for row in rows}
        alone = {
            row
            for row, choice in found.chosen.items()
            if row not in stood_for | instead and choice.source != NAME and not is_collider(found.items[row])
        }
        wanted = [row for row in sorted(stood_for | alone) if include_hidden or found.items[row].key in shown]
        meshes = {
            mesh.key: mesh for mesh in own_meshes(context, {found.items[row].key: row for row in wanted}, every=True)
        }
    by_root: defaultdict[int, list[int]] = defaultdict(list)
    for row in wanted:
        if found.items[row].key in meshes:
            by_root[tree.root[row]].append(row)
    rows_of: defaultdict[int, list[int]] = defaultdict(list)
    for number, key in enumerate(found.keys):
        rows_of[keys[key]].append(number)
    bodies, skipped = list[SeenBody](), list[Skipped]()
    collections = _collections()
    for root, members in by_root.items():
        colliders = sorted({row for mesh in members for row in tree.colliders.get(mesh, ())})
        itself = [row for row in members if row in alone and found.chosen[row].source != MESH]
        parts = [*colliders, *itself]
        uids = {found.items[row].key.selected_uid for row in (*members, *parts)}
        if not uids & scope:
            continue
        label = found.items[root].label
        rows = np.array([number for row in parts for number in rows_of[row]], dtype=np.int64)
        world = found.shapes.world.take(rows) if len(rows) else None
        if world is not None and np.isin(world.kind, UNBOUNDED).any():
            skipped.append(Skipped(label, _UNBOUNDED))
            continue
        if parts and world is None:
            skipped.append(Skipped(label, _SHAPELESS))
            continue
        items = [found.items[keys[found.keys[row]]] for row in rows.tolist()]
        seen = [meshes[found.items[row].key] for row in members]
        bodies.append(
            SeenBody(
                label,
                found.items[root].key.selected_uid,
                tuple((mesh.points, mesh.triangles) for mesh in seen),
                world,
                tuple(item.label for item in items),
                tuple(item.key.selected_uid for item in items),
                frozenset().union(*(collections[found.items[row].key.selected_uid] for row in members)),
            )
        )
    return Seen(tuple(sorted(bodies, key=lambda one: one.name)), tuple(skipped))


def _key(shown: VisibleInstance) -> ObjectKey:
    return ObjectKey(shown.uid, shown.host, shown.persistent_id)


def _collections() -> defaultdict[int, set[str]]:
    """The names of the collections that contain each object, by `session_uid`."""
    found: defaultdict[int, set[str]] = defaultdict(set)
    for collection in bpy.data.collections:
        for ob in collection.all_objects:
            found[ob.session_uid].add(collection.name)
    return found
