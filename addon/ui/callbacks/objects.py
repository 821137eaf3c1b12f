# SPDX-License-Identifier: GPL-3.0-or-later
"""Callbacks of an object's settings. As in `ui.callbacks.scene`, `bpy` is accessed only while they run."""

from typing import Any

from .scene import shape_changed

# An object's margin, groups, surface and body decide what is found about it as much as its shape does.
setting_changed = shape_changed


def may_be_part_of(settings: Any, target: Any) -> bool:
    """Whether an object can be chosen as that of which another is part: not itself, and no part of it already."""
    from ...scene.objects import collision_settings

    return collision_settings.may_be_part_of(settings.id_data, target)
