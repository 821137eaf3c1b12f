# SPDX-License-Identifier: GPL-3.0-or-later
"""Digests of the states of objects, which are equal in every session, and the results that a scene stores."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import bpy

from .. import scene as scenes
from ..model.errors import UserError
from ..model.report import ObjectKey
from ..system.late import np
from .cameras.camera import camera_uid, view_settings
from .meshes.types import GEOMETRY_TYPES
from .objects.facts import facts_of
from .objects.saved_keys import Identities
from .open_file import objects_by_uid, scene_by_name, scene_by_uid
from .settings import NAME

_Step, _Result = TypeVar("_Step"), TypeVar("_Result")

# Bytes of a digest.
_SIZE = 8


def states(context: bpy.types.Context, uids: Iterable[int]) -> dict[int, str]:
    """A digest of each object: its settings, transform and evaluated geometry, and its instances."""
    depsgraph, scene = context.evaluated_depsgraph_get(), context.scene
    found, wanted = dict[int, Any](), objects_by_uid(uids)
    reader = scenes.meshes.geometry.GeometryReader()
    for uid, ob in wanted.items():
        facts, evaluated = facts_of(ob), ob.evaluated_get(depsgraph)
        settings = (facts.extras, facts.instance_type, facts.setting, facts.choice, facts.made, facts.part_of)
        parent = ob.parent.name if ob.parent is not None else ""
        shown = (ob.visible_get(), ob.display_type, ob.hide_render)
        camera = view_settings(scene)[1:] if uid == camera_uid(scene) else ()
        text = repr((settings, facts.traits._replace(part_of=0), facts.rigid_body, parent, shown, camera))
        found[uid] = hashlib.blake2b(text.encode(), digest_size=_SIZE)
        _add(found[uid], evaluated, evaluated.matrix_world, reader)
    instances: defaultdict[int, list[bytes]] = defaultdict(list)
    if any(ob.evaluated_get(depsgraph).is_instancer for ob in wanted.values()):
        for instance in depsgraph.object_instances:
            if instance.is_instance and instance.parent is not None:
                uid = instance.parent.original.session_uid
                if uid in found:
                    one = hashlib.blake2b(instance.object.name.encode(), digest_size=_SIZE)
                    _add(one, instance.object, instance.matrix_world, reader)
                    instances[uid].append(one.digest())
    for uid, parts in instances.items():
        found[uid].update(b"".join(sorted(parts)))
    return {uid: one.hexdigest() for uid, one in found.items()}


def _add(content: Any, evaluated: bpy.types.Object, matrix: Any, reader: Any) -> None:
    content.update(np.array(matrix, dtype=np.float32).tobytes())
    if evaluated.type in GEOMETRY_TYPES:
        content.update(scenes.meshes.geometry.digest(reader.read(evaluated)))


@contextmanager
def in_place(context: bpy.types.Context, scene_uid: int, view_layer: str) -> Iterator[bpy.types.Context | None]:
    """A context of a scene and one of its view layers. None if they do not exist."""
    scene = scene_by_uid(scene_uid)
    layer = scene.view_layers.get(view_layer) if scene is not None else None
    if scene is None or layer is None:
        yield None
    elif context.scene == scene and context.view_layer == layer:
        yield context
    else:
        with context.temp_override(scene=scene, view_layer=layer):
            yield bpy.context


@contextmanager
def in_scene(context: bpy.types.Context, name: str) -> Iterator[bpy.types.Context]:
    """A context of the scene with this name and its first view layer. Empty: the current scene and view layer.

    Raises
    ------
    UserError
        If the scene does not exist.
    """
    if not name:
        yield context
        return
    scene = scene_by_name(name)
    if scene is None:
        names = ", ".join(repr(one.name) for one in local_scenes())
        raise UserError("There is no scene {name}; there are: {names}", name=repr(name), names=names)
    layer = context.view_layer if context.scene == scene else scene.view_layers[0]
    with in_place(context, scene.session_uid, layer.name) as there:
        assert there is not None, "the scene and its view layer exist"
        there.view_layer.update()
        yield there


def steps_in_scene(name: str, steps: Generator[_Step, None, _Result]) -> Generator[_Step, None, _Result]:
    """Run each step in the context of a scene, as `in_scene`. Between the steps, the context is not changed.

    The steps read `bpy.context`.
    """
    try:
        while True:
            with in_scene(bpy.context, name):
                try:
                    step = next(steps)
                except StopIteration as end:
                    result: _Result = end.value
                    return result
            yield step
    finally:
        with in_scene(bpy.context, name):
            steps.close()


def uids_in_scene(scene: bpy.types.Scene) -> set[int]:
    """The `session_uid` of the objects of a scene, without those that are only instanced."""
    return {ob.session_uid for ob in scene.objects}


def local_scenes() -> list[bpy.types.Scene]:
    """The scenes of the open file that are not linked from another."""
    return [scene for scene in bpy.data.scenes if scene.library is None]


def has_view_layer(scene: bpy.types.Scene, name: str) -> bool:
    """Whether a scene has a view layer with this name."""
    return scene.view_layers.get(name) is not None


def stored_results(scene: bpy.types.Scene, what: str = "results") -> bytes:
    """The results that a scene stores: "results" of a check, or of a "walk". Empty if there are none.

    Those of a linked scene are ignored.
    """
    data: bytes = getattr(getattr(scene, NAME), what) if scene.library is None else b""
    return data.replace(b"\1\1", b"\0").replace(b"\1\2", b"\1")


def drop_results(scenes: Collection[int] | None, what: str = "results") -> None:
    """Remove stored results from these scenes (their `session_uid`) of the open file, or from all if None is given."""
    for scene in local_scenes():
        if scenes is None or scene.session_uid in scenes:
            store_results(scene, b"", what)


def states_by_name(
    identities: Identities, uids: Iterable[int], digests: Mapping[int, str]
) -> dict[tuple[str, str], str]:
    """Return the digests of objects by their names and libraries, for the file. Empty for those without a digest."""
    saved = ((identities.saved(ObjectKey(uid)), uid) for uid in uids)
    return {(one.name, one.library): digests.get(uid, "") for one, uid in saved if one is not None}


def store_results(scene: bpy.types.Scene, data: bytes, what: str = "results") -> None:
    """Store results in a scene, for the file. Empty: none. Blender ends a text at a zero byte, so that is replaced."""
    replaced, settings = data.replace(b"\1", b"\1\2").replace(b"\0", b"\1\1"), getattr(scene, NAME)
    if scene.library is not None or getattr(settings, what) == replaced:
        return
    if replaced:
        setattr(settings, what, replaced)
    else:
        settings.property_unset(what)
