# SPDX-License-Identifier: GPL-3.0-or-later
"""Callbacks of the settings of an object. As in `ui.callbacks.scene`, `bpy` is accessed only while they run."""

from typing import Any

from .scene import shape_changed

# An object's margin, groups, surface and body affect its results as much as its shape.
setting_changed = shape_changed


def may_be_part_of(settings: Any, target: Any) -> bool:
    """Return whether an object can be chosen as the owner of another: not itself, and not already a part of it."""
    from ...scene.objects import collision_settings

    return collision_settings.may_be_part_of(settings.id_data, target)
