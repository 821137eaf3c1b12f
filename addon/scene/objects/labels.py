# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels of bodies that patterns match: names, collections, libraries, materials, types and parents."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache

import bpy

from ...model.report import Body, body_uids
from ...model.rules import Labels

# The custom property in which importers store the GUID of an object in an IFC file: 128 bits in base 64.
GLOBAL_ID = "GlobalId"
_IFC_GUID = re.compile(r"[0-3][0-9A-Za-z_$]{21}")


def labels_of(bodies: Sequence[Body]) -> list[Labels]:
    """The current labels of each body in the open file. A deleted object has only the body's name."""
    objects = {ob.session_uid: ob for ob in bpy.data.objects}
    collections: defaultdict[int, set[str]] = defaultdict(set)
    for collection in (*bpy.data.collections, *(scene.collection for scene in bpy.data.scenes)):
        for ob in collection.all_objects:
            collections[ob.session_uid].add(collection.name)
    of_object: dict[int, Labels] = {}
    found = []
    for body in bodies:
        uids = [uid for uid in body_uids(body) if uid in objects]
        for uid in uids:
            if uid not in of_object:
                of_object[uid] = _labels(objects[uid], collections[uid])
        motion = body.motion or _motion([objects[uid] for uid in uids])
        hosts = {key.instancer_uid for key in (body.key, *body.members)} & objects.keys()
        if len(uids) == 1 and not hosts:
            own = of_object[uids[0]]
            name = own.name if body.name in own.name else own.name | {body.name}
            found.append(Labels(name, own.collection, own.library, own.material, own.type, own.parent, _only(motion)))
            continue
        parts = [
            Labels(
                frozenset({body.name}),
                parent=frozenset(objects[uid].name for uid in hosts),
                motion=_only(motion),
            ),
            *(of_object[uid] for uid in uids),
        ]
        found.append(Labels(*(frozenset[str]().union(*labels) for labels in zip(*parts, strict=True))))
    return found


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


def global_ids_of(bodies: Sequence[Body]) -> list[str]:
    """The IFC GUID of each body's object, from its custom property ``GlobalId``. Empty if it has none."""
    objects = {ob.session_uid: ob for ob in bpy.data.objects}
    found = [objects.get(body.key.session_uid) for body in bodies]
    texts = ["" if ob is None else ob.get(GLOBAL_ID, "") for ob in found]
    return [text if isinstance(text, str) and _IFC_GUID.fullmatch(text) else "" for text in texts]


def _labels(ob: bpy.types.Object, collections: Iterable[str]) -> Labels:
    return Labels(
        name=frozenset({ob.name}),
        collection=frozenset(collections),
        library=frozenset(_libraries(ob)),
        material=frozenset(slot.material.name for slot in ob.material_slots if slot.material is not None),
        type=frozenset({ob.type}),
        parent=frozenset(one.name for one in _above(ob)),
    )


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
