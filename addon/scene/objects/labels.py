# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels of bodies that patterns match: names, collections, libraries, materials, types and parents."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

import bpy

from ...model.report import Body, body_uids
from ...model.rules import Labels

# The custom property in which importers store the GUID of an object in an IFC file: 128 bits in base 64.
GLOBAL_ID = "GlobalId"
_IFC_GUID = re.compile(r"[0-3][0-9A-Za-z_$]{21}")


def labels_of(bodies: Sequence[Body]) -> list[Labels]:
    """The current labels of each body in the open file. A deleted object has only the body's name."""
    objects = {ob.session_uid: ob for ob in bpy.data.objects}
    read = _LabelReader()
    found = []
    for body in bodies:
        uids = [uid for uid in body_uids(body) if uid in objects]
        motion = _only(body.motion or _motion([objects[uid] for uid in uids]))
        hosts = {key.instancer_uid for key in (body.key, *body.members) if key.instancer_uid in objects}
        if len(uids) == 1 and not hosts:
            own = read.labels(objects[uids[0]])
            name = own.name if body.name in own.name else own.name | {body.name}
            found.append(own._replace(name=name, motion=motion))
            continue
        parts = [
            Labels(frozenset({body.name}), parent=frozenset(objects[uid].name for uid in hosts), motion=motion),
            *(read.labels(objects[uid]) for uid in uids),
        ]
        found.append(Labels(*(frozenset[str]().union(*labels) for labels in zip(*parts, strict=True))))
    return found


class _LabelReader:
    """Reads the labels of objects, those of each object once. Equal sets are one object."""

    def __init__(self) -> None:
        # Not by `all_objects`, whose list Blender makes when it is read first: 50 ms for 4,000 objects.
        self._collections: defaultdict[int, list[frozenset[str]]] = defaultdict(list)
        every = [*bpy.data.collections, *(scene.collection for scene in bpy.data.scenes)]
        for collection, names in zip(every, _with_ancestors(every), strict=True):
            for ob in collection.objects:
                self._collections[ob.session_uid].append(names)
        self._linked = len(bpy.data.libraries) > 0
        self._known: dict[int, Labels] = {}

    def labels(self, ob: bpy.types.Object) -> Labels:
        """Return the labels of an object, without its motion."""
        uid = ob.session_uid
        if uid not in self._known:
            self._known[uid] = Labels(
                name=frozenset({ob.name}),
                collection=self.collections(ob),
                library=frozenset(_libraries(ob)) if self._linked else _NONE,
                material=_set_of(tuple(_materials(ob))),
                type=_only(ob.type),
                parent=_set_of(tuple(one.name for one in _above(ob))) if ob.parent is not None else _NONE,
            )
        return self._known[uid]

    def collections(self, ob: bpy.types.Object) -> frozenset[str]:
        """Return the names of the collections that contain an object, and of their ancestors."""
        return _united(tuple(self._collections.get(ob.session_uid, ())))


_NONE = frozenset[str]()


def _with_ancestors(collections: Sequence[bpy.types.Collection]) -> list[frozenset[str]]:
    """Return the names of each collection and of all collections that contain it."""
    number = {collection.session_uid: place for place, collection in enumerate(collections)}
    names = [{collection.name} for collection in collections]
    above: list[list[int]] = [[] for _ in collections]
    for place, collection in enumerate(collections):
        for child in collection.children:
            above[number[child.session_uid]].append(place)
    for place, found in enumerate(names):
        waiting, seen = above[place][:], set[int]()
        while waiting:
            parent = waiting.pop()
            if parent not in seen:
                seen.add(parent)
                found.add(collections[parent].name)
                waiting += above[parent]
    return list(map(frozenset, names))


@lru_cache
def _united(sets: tuple[frozenset[str], ...]) -> frozenset[str]:
    return sets[0] if len(sets) == 1 else _NONE.union(*sets)


@lru_cache
def _set_of(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(texts)


@cache
def _only(text: str) -> frozenset[str]:
    return frozenset({text})


def collections_of(bodies: Sequence[Body]) -> list[str]:
    """The collection that directly contains each body's object. For an instance, that of its instancer.

    If there are several, it is the first. It is empty for an object that is in the scene collection or is deleted.
    """
    found: dict[int, str] = {}
    for collection in bpy.data.collections:
        for ob in collection.objects:
            found.setdefault(ob.session_uid, collection.name)
    return [found.get(body.key.selected_uid, "") for body in bodies]


def all_collections_of(bodies: Sequence[Body]) -> list[frozenset[str]]:
    """The collections that contain each body's object, with their ancestors. For an instance: its instancer's."""
    objects, read = {ob.session_uid: ob for ob in bpy.data.objects}, _LabelReader()
    found = [objects.get(body.key.selected_uid) for body in bodies]
    return [_NONE if ob is None else read.collections(ob) for ob in found]


def global_ids_of(bodies: Sequence[Body]) -> list[str]:
    """The IFC GUID of each body's object, from its custom property ``GlobalId``. Empty if it has none."""
    objects = {ob.session_uid: ob for ob in bpy.data.objects}
    found = [objects.get(body.key.session_uid) for body in bodies]
    texts = ["" if ob is None else ob.get(GLOBAL_ID, "") for ob in found]
    return [text if isinstance(text, str) and _IFC_GUID.fullmatch(text) else "" for text in texts]


def _materials(ob: bpy.types.Object) -> list[str]:
    return [slot.material.name for slot in ob.material_slots if slot.material is not None]


def _motion(objects: Sequence[bpy.types.Object]) -> str:
    """Motion types of objects for which the file declares none."""
    for ob in objects:
        for one in (ob, *_above(ob)):
            moved = one.animation_data
            if moved is not None and (moved.action is not None or moved.drivers or moved.nla_tracks):
                return "animated"
    return "undeclared"


def _above(ob: bpy.types.Object) -> Iterable[bpy.types.Object]:
    while ob.parent is not None:
        ob = ob.parent
        yield ob


def _libraries(ob: bpy.types.Object) -> Iterable[str]:
    for data in (ob, ob.data):
        override = data.override_library if data is not None else None
        for one in (data, override.reference if override is not None else None):
            if one is not None and one.library is not None:
                yield one.library.name
                yield bpy.path.basename(one.library.filepath)
