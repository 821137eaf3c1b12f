# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that the scene shows, an entry for each object and instance; and what it hides, and why."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import bpy
import numpy as np

from ...core.results import Floats
from ..report import ObjectKey
from .meshes import GEOMETRY_TYPES
from .visibility import hidden_in_instance, hidden_reason

# Blender fills the unused places of `persistent_id` with the greatest 32-bit integer.
_UNUSED = 2**31 - 1


class Namespace(NamedTuple):
    """Where names mean what they say: the scene itself, or one instance of one collection in it."""

    host: int = 0  # session_uid of the object that makes the instance appear; 0 for the scene
    nesting: tuple[int, ...] = ()  # persistent_id of the instances around it


SCENE = Namespace()


@dataclass(frozen=True, eq=False)
class Item:
    """An object, or an instance of one.

    Attributes
    ----------
    object : bpy.types.Object
        The original object, whose settings and name count.
    key : ObjectKey
    label : str
        As the report names it: the object's name, and before it those of the instances it is in.
    namespace : Namespace
    host : bpy.types.Object
        The object of the scene that makes it appear; for an object of the scene, itself.
    position : int
        Place in the depsgraph's list of instances; -1 where it is hidden.
    hidden : str
        Why it cannot be seen, as a phrase without its subject; empty where it can.
    maker : ObjectKey, optional
        For an instance that is no object of its own: the object whose geometry nodes made it.
    """

    object: bpy.types.Object
    key: ObjectKey
    label: str
    namespace: Namespace
    host: bpy.types.Object
    position: int = -1
    hidden: str = ""
    maker: ObjectKey | None = None


_IDENTITY: list[float] = np.eye(4).ravel().tolist()


def walk(depsgraph: bpy.types.Depsgraph) -> Iterator[tuple[int, bpy.types.DepsgraphObjectInstance]]:
    """Yield every instance with its position. What was yielded is gone after the next step."""
    return enumerate(depsgraph.object_instances)


def scene_items(context: bpy.types.Context, depsgraph: bpy.types.Depsgraph) -> tuple[list[Item], Floats]:
    """List the items of the view layer, hidden ones last, and the world matrix of each.

    Returns
    -------
    items : list of Item
    matrices : (N, 4, 4) float64
        The identity for hidden items, whose matrices Blender does not keep up to date.
    """
    listing = _Listing(context.view_layer)
    for position, instance in walk(depsgraph):
        listing.add(position, instance)
    listing.add_hidden_objects(context.scene)
    listing.add_hidden_members()
    return _numbered(listing.items), np.array(listing.matrices, dtype=np.float64).reshape(-1, 4, 4)


class _Listing:
    """The items found so far."""

    def __init__(self, view_layer: bpy.types.ViewLayer) -> None:
        self.items: list[Item] = []
        self.matrices: list[list[float]] = []
        self._view_layer = view_layer
        self._index: dict[ObjectKey, int] = {}
        self._hidden: dict[int, str] = {}  # by session_uid of the host
        self._labels: dict[Namespace, str] = {}  # of the collection instances inside collection instances

    def add(self, position: int, instance: bpy.types.DepsgraphObjectInstance) -> None:
        """List what a depsgraph instance shows, unless nobody sees it."""
        ob = instance.object.original
        host = instance.parent.original if instance.is_instance else ob
        if not instance.show_self or self._host_is_hidden(host):
            return
        # Evaluated objects have no session_uid of their own, so all are the originals'.
        key, maker = ObjectKey(ob.session_uid), None
        if instance.is_instance:
            persistent_id = tuple(number for number in instance.persistent_id if number != _UNUSED)
            key = ObjectKey(key.session_uid, host.session_uid, persistent_id)
            maker = self._maker(key)
        if maker is not None and len(key.persistent_id) == len(maker.persistent_id) + 1:
            # Part of that very object: the mesh of a curve, text or metaball follows it and is what is to be
            # read.
            if instance.object.type == "MESH":
                row = self._index[maker]
                self.items[row] = replace(self.items[row], position=position)
            return
        self._index[key] = len(self.items)
        self.items.append(self._item(position, ob, host, key, maker))
        # Row by row into a list: as fast in every version, where numpy takes up to ten times as long for a matrix.
        matrix: Any = instance.matrix_world
        self.matrices.append([*matrix[0], *matrix[1], *matrix[2], *matrix[3]])

    def _maker(self, key: ObjectKey) -> ObjectKey | None:
        """Return the item of the same object that an instance is a part of; it comes before its parts."""
        for start in range(1, len(key.persistent_id) + 1):
            maker = ObjectKey(key.session_uid, key.instancer_uid, key.persistent_id[start:])
            if maker in self._index:
                return maker
        itself = ObjectKey(key.session_uid)
        return itself if key.session_uid == key.instancer_uid and itself in self._index else None

    def add_hidden_objects(self, scene: bpy.types.Scene) -> None:
        """List the objects of the scene that the depsgraph does not show."""
        for ob in scene.objects:
            key = ObjectKey(ob.session_uid)
            if key in self._index:
                continue
            reason = hidden_reason(ob, self._view_layer) or "not shown itself, only what it instances"
            self._append_hidden(Item(ob, key, ob.name, SCENE, ob, hidden=reason))

    def add_hidden_members(self) -> None:
        """List the surfaces that belong to an instanced collection and do not appear with it."""
        shown: defaultdict[Namespace, set[int]] = defaultdict(set)
        for item in self.items:
            shown[item.namespace].add(item.key.session_uid)
        for item in tuple(self.items):
            collection = item.object.instance_collection if item.object.instance_type == "COLLECTION" else None
            if collection is None or item.hidden:
                continue
            namespace = Namespace(item.host.session_uid, item.key.persistent_id)
            for ob in collection.all_objects:
                if ob.type in GEOMETRY_TYPES and ob.session_uid not in shown[namespace]:
                    key = ObjectKey(ob.session_uid, namespace.host, namespace.nesting)
                    label = f"{item.label}/{ob.name}"
                    reason = hidden_in_instance(ob, collection)
                    self._append_hidden(Item(ob, key, label, namespace, item.host, hidden=reason))

    def _item(
        self,
        position: int,
        ob: bpy.types.Object,
        host: bpy.types.Object,
        key: ObjectKey,
        maker: ObjectKey | None,
    ) -> Item:
        if not key.instancer_uid:
            return Item(ob, key, ob.name, SCENE, host, position)
        namespace = Namespace(key.instancer_uid, key.persistent_id[1:])
        if maker is not None:
            return Item(ob, key, self.items[self._index[maker]].label, namespace, host, position, maker=maker)
        label = f"{self._labels.get(namespace, host.name)}/{ob.name}"
        if ob.instance_type == "COLLECTION":
            self._labels[Namespace(key.instancer_uid, key.persistent_id)] = label
        return Item(ob, key, label, namespace, host, position)

    def _host_is_hidden(self, host: bpy.types.Object) -> bool:
        """Whether the object behind an instance is hidden: the depsgraph lists what a closed eye hides."""
        uid = host.session_uid
        if uid not in self._hidden:
            self._hidden[uid] = hidden_reason(host, self._view_layer)
        return bool(self._hidden[uid])

    def _append_hidden(self, item: Item) -> None:
        self.items.append(item)
        self.matrices.append(_IDENTITY)


def _numbered(items: list[Item]) -> list[Item]:
    """Tell instances of the same name apart by numbers, in the order in which they are made."""
    count = Counter(item.label for item in items if item.maker is None)
    seen: Counter[str] = Counter()
    numbered = []
    for item in items:
        if item.maker is not None or (count[item.label] > 1 and item.key.instancer_uid):
            seen[item.label] += 1
            item = replace(item, label=f"{item.label}[{seen[item.label]}]")
        numbered.append(item)
    return numbered
