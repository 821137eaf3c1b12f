# SPDX-License-Identifier: GPL-3.0-or-later
"""Items: an entry for each object and instance that the scene shows, and for hidden ones, with the reason."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import NamedTuple

import bpy
import numpy as np

from ....core.numerics.types import Floats
from ...model.report import ObjectKey
from ..objects.facts import ObjectFacts
from .scene_snapshot import SceneSnapshot, VisibleInstance, take_snapshot


class Namespace(NamedTuple):
    """A namespace for looking up names: the scene itself, or one instance of one collection in it."""

    host: int = 0  # session_uid of the instancer; 0 for the scene
    nesting: tuple[int, ...] = ()  # persistent_id of the enclosing instances


SCENE = Namespace()

# Names that programs give to meshes which nobody has named. The name of the empty above them says what they are.
_UNNAMED = re.compile(r"(?i)(geom|geometry|mesh|node|object|primitive)?[ _.-]?\d+([_.]\d+)*")


class Item(NamedTuple):
    """An object, or an instance of one: plain data.

    Attributes
    ----------
    facts : ObjectFacts
        The facts of the original object, whose settings and name are used.
    key : ObjectKey
    label : str
        Its name in reports: the object's name, after the names of the enclosing instances. If it is the name of a
        program, such as `Object_4`, it is after the name of the empty that it is parented to.
    namespace : Namespace
    host : int
        `session_uid` of the object of the scene that instances it. For an object of the scene, its own.
    place : int
        Position in the depsgraph's list of instances. -1 if it is hidden.
    position : int
        The position there of the instance with its geometry, which may be a part of it.
    hidden : str
        The reason why it is not visible, as a phrase without a subject. Empty if it is visible.
    maker : ObjectKey, optional
        For an instance that is not an object of its own: the object whose geometry nodes made it.
    """

    facts: ObjectFacts
    key: ObjectKey
    label: str
    namespace: Namespace
    host: int
    place: int = -1
    position: int = -1
    hidden: str = ""
    maker: ObjectKey | None = None


class SceneItems(NamedTuple):
    """All items of the scene.

    Attributes
    ----------
    items : list of Item
        The items of the view layer, hidden ones last.
    matrices : (N, 4, 4) float64
        The world matrix of each, as in `matrices_at`.
    operands : dict of int to str
        As in `operands`.
    """

    items: list[Item]
    matrices: Floats
    operands: dict[int, str]


def scene_items(context: bpy.types.Context, depsgraph: bpy.types.Depsgraph) -> SceneItems:
    """List the items that the view layer shows and hides."""
    snapshot, matrices = take_snapshot(context, depsgraph)
    items = items_of(snapshot)
    return SceneItems(items, matrices_at(items, matrices), snapshot.operands)


def matrices_at(items: list[Item], matrices: Floats) -> Floats:
    """The world matrices (N, 4, 4) of items, taken from those of all instances.

    Hidden items have the identity, because Blender does not update their matrices.
    """
    place = np.array([item.place for item in items], dtype=np.int64)
    found = np.broadcast_to(np.eye(4), (len(items), 4, 4)).copy()
    found[place >= 0] = matrices[place[place >= 0]]
    return found


def items_of(snapshot: SceneSnapshot) -> list[Item]:
    """List the items from a snapshot, hidden ones last."""
    listing = _Listing(snapshot)
    for shown in snapshot.shown:
        listing.add(shown)
    for uid, reason in snapshot.unshown:
        facts = snapshot.facts[uid]
        listing.items.append(
            Item(facts, ObjectKey(uid), named_in_scene(facts, snapshot.facts), SCENE, uid, hidden=reason)
        )
    listing.add_hidden_members()
    return _numbered(listing.items)


def named_in_scene(facts: ObjectFacts, others: Mapping[int, ObjectFacts]) -> str:
    """The name of an object of the scene in reports, as `Item.label`. `others` are the facts of its parents."""
    above = others.get(facts.parent)
    if above is None or above.type != "EMPTY" or not _UNNAMED.fullmatch(facts.name):
        return facts.name
    return f"{above.name}/{facts.name}"


class _Listing:
    """The items found so far."""

    def __init__(self, snapshot: SceneSnapshot) -> None:
        self.items: list[Item] = []
        self._snapshot, self._facts = snapshot, snapshot.facts
        # Possible makers of instances: objects that instance something, and instances.
        self._hosts = {shown.host for shown in snapshot.shown}
        self._index: dict[ObjectKey, int] = {}
        self._labels: dict[Namespace, str] = {}  # of collection instances inside collection instances

    def add(self, shown: VisibleInstance) -> None:
        """List the item of a depsgraph instance."""
        uid, host, persistent_id, position, is_mesh = shown
        facts = self._facts[uid]
        if not host:
            key = ObjectKey(uid)
            if uid in self._hosts:
                self._index[key] = len(self.items)
            self.items.append(Item(facts, key, named_in_scene(facts, self._facts), SCENE, uid, position, position))
            return
        key = ObjectKey(uid, host, persistent_id)
        maker = self._maker(key)
        if maker is not None and len(persistent_id) == len(maker.persistent_id) + 1:
            # A part of the same object: the mesh of a curve, text or metaball follows it and must be read.
            if is_mesh:
                row = self._index[maker]
                self.items[row] = self.items[row]._replace(position=position)
            return
        namespace = Namespace(host, persistent_id[1:])
        if maker is not None:
            label = self.items[self._index[maker]].label
        else:
            label = f"{self._labels.get(namespace, self._facts[host].name)}/{facts.name}"
            if facts.instance_type == "COLLECTION":
                self._labels[Namespace(host, persistent_id)] = label
        self._index[key] = len(self.items)
        self.items.append(Item(facts, key, label, namespace, host, position, position, maker=maker))

    def _maker(self, key: ObjectKey) -> ObjectKey | None:
        """The item of the same object that an instance is a part of. It comes before its parts."""
        for start in range(1, len(key.persistent_id) + 1):
            maker = ObjectKey(key.session_uid, key.instancer_uid, key.persistent_id[start:])
            if maker in self._index:
                return maker
        itself = ObjectKey(key.session_uid)
        return itself if key.session_uid == key.instancer_uid and itself in self._index else None

    def add_hidden_members(self) -> None:
        """List the surfaces that belong to an instanced collection and are hidden in it."""
        members = self._snapshot.members
        hosts = [item for item in self.items if item.facts.collection in members and not item.hidden]
        if not hosts:
            return
        shown: defaultdict[Namespace, set[int]] = defaultdict(set)
        for item in self.items:
            shown[item.namespace].add(item.key.session_uid)
        for item in hosts:
            namespace = Namespace(item.host, item.key.persistent_id)
            for uid, reason in members[item.facts.collection]:
                if uid not in shown[namespace]:
                    facts, key = self._facts[uid], ObjectKey(uid, namespace.host, namespace.nesting)
                    label = f"{item.label}/{facts.name}"
                    self.items.append(Item(facts, key, label, namespace, item.host, hidden=reason))


def _numbered(items: list[Item]) -> list[Item]:
    """Distinguish instances with the same name by numbers, in the order in which they are made."""
    if not any(item.key.instancer_uid for item in items):
        return items
    count = Counter(item.label for item in items if item.maker is None)
    seen: Counter[str] = Counter()
    numbered = []
    for item in items:
        if item.maker is not None or (count[item.label] > 1 and item.key.instancer_uid):
            seen[item.label] += 1
            item = item._replace(label=f"{item.label}[{seen[item.label]}]")
        numbered.append(item)
    return numbered
