# SPDX-License-Identifier: GPL-3.0-or-later
"""The open file: its path, and its data by name or `session_uid`, which remain valid after undo, unlike references."""

from collections.abc import Iterable

import bpy

from ..model.report import Units


def path() -> str:
    """The path of the file. Empty if it has never been saved."""
    return bpy.data.filepath


# The scene that was imported last, by its `session_uid`, and the path of its file.
_imported = (0, "")


def note_import(scene: bpy.types.Scene, file: str) -> None:
    """Record the file that a scene was imported from."""
    global _imported
    _imported = scene.session_uid, file


def source(scene: bpy.types.Scene) -> str:
    """The path of the file of a scene: the open one, or that which it was imported from, otherwise empty."""
    return path() or (_imported[1] if _imported[0] == scene.session_uid else "")


def newer_version() -> str:
    """The version of Blender that saved the file, if it is newer than this one, otherwise empty.

    Data that only exists in that version is not read, and is lost when the file is saved.
    """
    saved = tuple(bpy.data.version[:2])
    return ".".join(map(str, saved)) if saved > bpy.app.version[:2] else ""


def units(scene: bpy.types.Scene) -> Units:
    """The units of a scene."""
    return Units(*(getattr(scene.unit_settings, field) for field in Units._fields))


def objects_by_uid(uids: Iterable[int] | None = None) -> dict[int, bpy.types.Object]:
    """The existing objects with these uids. None: all objects."""
    wanted = None if uids is None else set(uids)
    return {ob.session_uid: ob for ob in bpy.data.objects if wanted is None or ob.session_uid in wanted}


def object_names() -> dict[int, str]:
    """The names of all objects, by uid."""
    return {ob.session_uid: ob.name for ob in bpy.data.objects}


def scene_by_uid(uid: int) -> bpy.types.Scene | None:
    """The scene with this uid. None if it no longer exists."""
    return next((scene for scene in bpy.data.scenes if scene.session_uid == uid), None)


def scene_by_name(name: str) -> bpy.types.Scene | None:
    """The scene with this name. None if there is none."""
    return bpy.data.scenes.get(name)


def window_managers() -> list[bpy.types.WindowManager]:
    """The window managers: one, or none while a file is being loaded."""
    return list(bpy.data.window_managers)
