# SPDX-License-Identifier: GPL-3.0-or-later
"""Items that form a body: visible meshes and their colliders, a compound, an object and its generated instances.

A visible mesh with colliders is not tested itself. Bodies are made from everything in the scene, whether it is in the
scope or hidden, so that a collider belongs to the same body whatever is selected.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import bpy

from ..objects.owners import kinship, named_by
from ..objects.structure import USUAL
from .items import SCENE, Item, Namespace, scene_items


@dataclass(frozen=True, eq=False)
class BodyTree:
    """Relations of the items to each other. All numbers are indices into the items.

    Attributes
    ----------
    owner : list of int
        The item that each item is a part of: the render mesh of a collider, the object that a file or the user has made
        it part of, the parent of a compound's child, or the object whose geometry nodes made it. -1: none.
    root : list of int
        The item at the end of the chain of owners. It gives the body its name.
    parts : dict of int to list of int
        The items with a given owner.
    colliders : dict of int to list of int
        The items that are tested instead of a visible mesh: colliders, and the rigid bodies of a ragdoll.
    circles : tuple of tuple of int
        Cycles of items, each part of the next, and the last of the first.
    lost : dict of int to str
        Items that the user has made part of an object that is missing, with its name.
    all_colliders : set of int
        The items that `is_collider` is True for.
    """

    owner: list[int]
    root: list[int]
    parts: dict[int, list[int]]
    colliders: dict[int, list[int]]
    circles: tuple[tuple[int, ...], ...] = ()
    lost: dict[int, str] = field(default_factory=dict)
    all_colliders: set[int] = field(default_factory=set)


def is_collider(item: Item) -> bool:
    """Whether an item is a collider of another."""
    return item.maker is None and named_by(item.facts).is_collider


def body_tree(items: Sequence[Item]) -> BodyTree:
    """Find out which items belong together.

    Colliders and compounds are matched within the scene, or within the same instance of a collection, and so are parts
    and the objects that the user has made them part of. The user's settings take precedence over names and parents.
    """
    spaces: defaultdict[Namespace, list[int]] = defaultdict(list)
    built: set[Namespace] = set()
    owned: defaultdict[Namespace, list[int]] = defaultdict(list)
    all_colliders = {index for index, item in enumerate(items) if is_collider(item)}
    for index, item in enumerate(items):
        spaces[item.namespace].append(index)
        if index in all_colliders or item.facts.structure != USUAL:
            built.add(item.namespace)
        if item.maker is not None or item.facts.traits.part_of or item.facts.rigid_body:
            owned[item.namespace].append(index)
    owner = [-1] * len(items)
    by_key = {item.key: index for index, item in enumerate(items)} if any(item.maker for item in items) else {}
    colliders: defaultdict[int, list[int]] = defaultdict(list)
    said: dict[int, int] = {}
    lost: dict[int, str] = {}
    for namespace in [space for space in spaces if space in owned or space in built]:
        members = spaces[namespace]
        by_uid = {items[index].key.session_uid: index for index in members if items[index].maker is None}
        for index in owned[namespace]:
            item = items[index]
            if item.maker is not None:
                owner[index] = by_key[item.maker]
                continue
            target = item.facts.traits.part_of
            if target in by_uid:
                owner[index] = said[index] = by_uid[target]
                continue
            if target:
                lost[index] = item.facts.part_of
            if item.facts.rigid_body:
                owner[index] = _compound_parent(item, items, by_uid)
        whole = [index for index in members if items[index].maker is None]
        tree = kinship([named_by(items[index].facts) for index in whole])
        for row, above in tree.body.items():
            owner[whole[row]] = whole[above]
        for row, meshes in tree.stands_for.items():
            # An item that is never tested, such as a trigger, cannot be tested instead of others.
            if items[whole[row]].facts.choice.shape != "NONE":
                for mesh in meshes:
                    colliders[whole[mesh]].append(whole[row])
    parts: defaultdict[int, list[int]] = defaultdict(list)
    for index, owning in enumerate(owner):
        if owning >= 0:
            parts[owning].append(index)
    root = [_root(index, owner) if owning >= 0 else index for index, owning in enumerate(owner)]
    return BodyTree(owner, root, dict(parts), dict(colliders), _circles(said, owner, root), lost, all_colliders)


def body_uids(context: bpy.types.Context, ob: bpy.types.Object) -> set[int]:
    """The `session_uid` of an object and of all other objects of the scene that are part of the same body."""
    items = scene_items(context, context.evaluated_depsgraph_get()).items
    root = body_tree(items).root
    own = [row for row, item in enumerate(items) if item.namespace == SCENE and item.maker is None]
    bodies = {root[row] for row in own if items[row].key.session_uid == ob.session_uid}
    return {ob.session_uid, *(items[row].key.session_uid for row in own if root[row] in bodies)}


def _circles(said: Iterable[int], owner: Sequence[int], root: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The cycles of owners. Only the user's settings can cause one."""
    found: dict[int, tuple[int, ...]] = {}
    for start in {root[index] for index in said}:
        if owner[start] >= 0:
            circle = [start]
            while owner[circle[-1]] != start:
                circle.append(owner[circle[-1]])
            found[start] = tuple(circle)
    return tuple(found.values())


def _compound_parent(item: Item, items: Sequence[Item], by_uid: dict[int, int]) -> int:
    """The compound rigid body that a rigid body is a child of. -1 if there is none."""
    index = by_uid.get(item.facts.parent, -1)
    return index if index >= 0 and items[index].facts.rigid_body == "COMPOUND" else -1


def _root(index: int, owner: list[int]) -> int:
    """Follow the owners to the end. In a cycle, the item with the lowest index is the root of all."""
    seen = [index]
    while owner[seen[-1]] >= 0:
        if owner[seen[-1]] in seen:
            return min(seen[seen.index(owner[seen[-1]]) :])
        seen.append(owner[seen[-1]])
    return seen[-1]
