# SPDX-License-Identifier: GPL-3.0-or-later
"""The animation clips of the open file: NLA tracks with the same name, as Blender imports those of a glTF file."""

from collections import defaultdict
from typing import Any

import bpy

from ...model.errors import UserError


def clip_names() -> list[str]:
    """The names of all clips, in the order in which they are found."""
    return list(_clips())


def clip_played() -> str:
    """The name of the active clip, whose actions are those of their objects. Empty if there is none."""
    for name, parts in _clips().items():
        if any(strip.action is not None and strip.action == owner.action for owner, strip in parts):
            return name
    return ""


def play(name: str) -> None:
    """Give each object its action in a clip, or none if it has no part in it. Tracks are muted.

    Raises
    ------
    UserError
        If the clip does not exist.
    """
    clips = _clips()
    if name not in clips:
        names = ", ".join(map(repr, clips)) or "–"
        raise UserError("There is no clip {name}; there are: {names}", name=repr(name), names=names)
    for owner in {id(owner): owner for parts in clips.values() for owner, _ in parts}.values():
        for track in owner.nla_tracks:
            track.mute = True
        owner.action = None
    for owner, strip in clips[name]:
        owner.action = strip.action
        # Actions have slots since Blender 4.4.
        if getattr(strip, "action_slot", None) is not None:
            owner.action_slot = strip.action_slot


def _clips() -> dict[str, list[tuple[Any, Any]]]:
    """The animation data and the strip of each part of each clip."""
    found: defaultdict[str, list[tuple[Any, Any]]] = defaultdict(list)
    for one in (*bpy.data.objects, *bpy.data.shape_keys):
        owner: Any = one.animation_data
        for track in owner.nla_tracks if owner is not None else ():
            if len(track.strips) == 1 and track.strips[0].action is not None:
                found[track.name].append((owner, track.strips[0]))
    return found
