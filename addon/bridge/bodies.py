# SPDX-License-Identifier: GPL-3.0-or-later
"""Which items make one body: a render mesh and its colliders, a compound, an object and what it generates.

A render mesh is not tested itself where colliders stand for it. Bodies are made of everything the scene has,
whether it is in the scope or hidden, so that a collider belongs to the same body whatever is selected.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .choice import made_as_collider, setting_of
from .items import Item, Namespace
from .meshes import GEOMETRY_TYPES
from .naming import RenderMeshes, collider_prefix
from .traits import part_of


@dataclass(frozen=True, eq=False)
class Family:
    """How the items belong together; all by index into the items.

    Attributes
    ----------
    owner : list of int
        What an item is a part of: a collider's render mesh, a compound's child's parent, the object whose
        geometry nodes made it. -1: nothing.
    root : list of int
        What is reached by going from owner to owner; the body is named after it.
    parts : dict of int to list of int
        The items that have a given owner.
    colliders : dict of int to list of int
        Those of them that are its colliders by name.
    circles : tuple of tuple of int
        Items each of which is part of the next, and the last of the first.
    lost : dict of int to str
        Items that are said to be part of an object that is not where they are, and its name.
    """

    owner: list[int]
    root: list[int]
    parts: dict[int, list[int]]
    colliders: dict[int, list[int]]
    circles: tuple[tuple[int, ...], ...] = ()
    lost: dict[int, str] = field(default_factory=dict)


def is_collider(item: Item) -> bool:
    """Whether an item stands for another: its name says so, or it was made as a collider."""
    ob = item.object
    if item.maker is not None or ob.type not in GEOMETRY_TYPES:
        return False
    return bool(collider_prefix(ob.name)) or made_as_collider(ob)


def family(items: Sequence[Item]) -> Family:
    """Find out which items belong together.

    Colliders and compounds look for each other in the scene, or within the same instance of a collection, and so do
    parts and what they are said to be part of; what is said goes before what names and parents suggest.
    """
    spaces: defaultdict[Namespace, list[int]] = defaultdict(list)
    for index, item in enumerate(items):
        spaces[item.namespace].append(index)
    by_key = {item.key: index for index, item in enumerate(items)}
    owner = [-1] * len(items)
    colliders: defaultdict[int, list[int]] = defaultdict(list)
    said: dict[int, int] = {}
    lost: dict[int, str] = {}
    for members in spaces.values():
        by_uid = {items[index].key.session_uid: index for index in members if items[index].maker is None}
        collider_indices = [index for index in members if is_collider(items[index])]
        meshes = _render_meshes(items, members) if collider_indices else None
        for index in members:
            item = items[index]
            if item.maker is not None:
                owner[index] = by_key[item.maker]
                continue
            target = part_of(item.object)
            if target is not None and target.session_uid in by_uid:
                owner[index] = said[index] = by_uid[target.session_uid]
                continue
            if target is not None:
                lost[index] = target.name
            if item.object.rigid_body is not None:
                owner[index] = _compound_parent(item, items, by_uid)
        for index in collider_indices:
            name, parents = items[index].object.name, _render_parents(items[index], items, by_uid)
            if index in said:
                found: int | None = said[index]
            elif meshes is not None and collider_prefix(name):
                found = meshes.of_collider(name, parents)
            else:
                found = parents[0][1] if parents else None
            if found is not None:
                owner[index] = found
                if setting_of(items[index].object) != "NONE":
                    colliders[found].append(index)
    parts: defaultdict[int, list[int]] = defaultdict(list)
    for index, owning in enumerate(owner):
        if owning >= 0:
            parts[owning].append(index)
    root = [_root(index, owner) for index in range(len(items))]
    return Family(owner, root, dict(parts), dict(colliders), _circles(said, owner, root), lost)


def _circles(said: Iterable[int], owner: Sequence[int], root: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The circles that lead from owner to owner back to where they begin; only what is said can close one."""
    found: dict[int, tuple[int, ...]] = {}
    for start in {root[index] for index in said}:
        if owner[start] >= 0:
            circle = [start]
            while owner[circle[-1]] != start:
                circle.append(owner[circle[-1]])
            found[start] = tuple(circle)
    return tuple(found.values())


def _render_meshes(items: Sequence[Item], members: list[int]) -> RenderMeshes[int]:
    """The items of one namespace that a collider may stand for."""
    return RenderMeshes(
        (items[index].object.name, index)
        for index in members
        if items[index].object.type in GEOMETRY_TYPES and not is_collider(items[index]) and items[index].maker is None
    )


def _render_parents(item: Item, items: Sequence[Item], by_uid: dict[int, int]) -> list[tuple[str, int]]:
    """The render mesh that a collider is parented to, directly or through other colliders; with its name."""
    parent = item.object.parent
    while parent is not None and parent.session_uid in by_uid:
        index = by_uid[parent.session_uid]
        if not is_collider(items[index]):
            return [(parent.name, index)] if parent.type in GEOMETRY_TYPES else []
        parent = parent.parent
    return []


def _compound_parent(item: Item, items: Sequence[Item], by_uid: dict[int, int]) -> int:
    """The compound rigid body that a rigid body is a child of; -1 if there is none."""
    parent = item.object.parent
    if parent is None or parent.session_uid not in by_uid or parent.rigid_body is None:
        return -1
    return by_uid[parent.session_uid] if parent.rigid_body.collision_shape == "COMPOUND" else -1


def _root(index: int, owner: list[int]) -> int:
    """Go from owner to owner; where that leads around in a circle, the least of them is the root of all."""
    seen = [index]
    while owner[seen[-1]] >= 0:
        if owner[seen[-1]] in seen:
            return min(seen[seen.index(owner[seen[-1]]) :])
        seen.append(owner[seen[-1]])
    return seen[-1]
