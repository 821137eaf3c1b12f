# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's glTF export and import with colliders, even if the add-on is not enabled."""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy

from ...model.errors import UserError
from ..animation.frames import all_frames_kept
from ..exporting import unsheared
from ..settings import ROOT, scene_settings


def export_file(
    context: bpy.types.Context, path: Path, wanted: Mapping[str, Any], options: Mapping[str, Any]
) -> list[str]:
    """Write the scene to a file with these settings of `COLLISION_KIT_PG_gltf`, without changing those of the scene.

    Custom properties are written, unless the options say otherwise. Returns the names of objects that are written
    without their parents; see `unsheared`.
    """
    settings = scene_settings(context).gltf
    wanted = {"write": True, "validate": False, **wanted}
    before = {name: getattr(settings, name) for name in wanted}
    with _found(), unsheared(context, None) as cleared, all_frames_kept(context):
        try:
            for name, value in wanted.items():
                setattr(settings, name, value)
            bpy.ops.export_scene.gltf(filepath=str(path), **{"export_extras": True, **options})
        except RuntimeError:
            giant = next(filter(_overflows, context.scene.objects), None)
            if giant is None:
                raise
            raise UserError('The scale of "{name}" is too large for glTF', name=giant.name) from None
        finally:
            for name, value in before.items():
                setattr(settings, name, value)
    return cleared


def import_file(context: bpy.types.Context, path: Path, options: Mapping[str, Any]) -> list[bpy.types.Object]:
    """Import a file with the colliders that it declares. Returns the new objects."""
    settings, there = scene_settings(context).gltf, {ob.session_uid for ob in bpy.data.objects}
    before = settings.read
    with _found():
        try:
            settings.read = True
            bpy.ops.import_scene.gltf(filepath=str(path), **options)
        finally:
            settings.read = before
    return [ob for ob in bpy.data.objects if ob.session_uid not in there]


def own_window() -> None:
    """Keep Blender 4.2 from crashing in the export and the import, which set the scene of the window.

    There, the layer collection of the context makes its scene the owner of the window, also after that scene has been
    freed by opening another file. Reading it again makes the owner the scene of now.
    """
    bpy.context.layer_collection  # noqa: B018


def _overflows(ob: bpy.types.Object) -> bool:
    """Whether Blender computes an infinite scale for an object, because the squares of its matrix are too large."""
    scale = ob.matrix_world.to_scale()
    return not math.isfinite(scale.x + scale.y + scale.z)


@contextmanager
def _found() -> Iterator[None]:
    """Enable this package as an add-on, because Blender's glTF add-on only calls enabled add-ons."""
    own_window()
    addons: Any = bpy.context.preferences.addons
    if "io_scene_gltf2" not in addons:
        raise ValueError("Blender's add-on glTF 2.0 format is not enabled")
    added = None
    if ROOT not in addons:
        added = addons.new()
        added.module = ROOT
    try:
        yield
    finally:
        if added is not None:
            addons.remove(added)
