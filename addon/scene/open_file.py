# SPDX-License-Identifier: GPL-3.0-or-later
"""The open file: its path, and what is in it by name or `session_uid`, which outlives undo as no reference does."""

from collections.abc import Iterable

import bpy


def path() -> str:
    """Return where the file is; empty if it has never been saved."""
    return bpy.data.filepath


def objects_by_uid(uids: Iterable[int] | None = None) -> dict[int, bpy.types.Object]:
    """Return the objects with these uids, as far as they are there; None: all objects."""
    wanted = None if uids is None else set(uids)
    return {ob.session_uid: ob for ob in bpy.data.objects if wanted is None or ob.session_uid in wanted}


def object_names() -> dict[int, str]:
    """Return the names of all objects, by uid."""
    return {ob.session_uid: ob.name for ob in bpy.data.objects}


def scene_by_uid(uid: int) -> bpy.types.Scene | None:
    """Return the scene with this uid; None if it is gone."""
    return next((scene for scene in bpy.data.scenes if scene.session_uid == uid), None)


def scene_by_name(name: str) -> bpy.types.Scene | None:
    """Return the scene of this name; None if there is none."""
    return bpy.data.scenes.get(name)


def window_managers() -> list[bpy.types.WindowManager]:
    """Return the window managers, of which there is one, or none while a file is loaded."""
    return list(bpy.data.window_managers)
