# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of objects that are linked from a library and overridden in this file."""

import bpy

from . import events
from .settings import object_settings


@events.on_save.subscribe
def complete_references() -> None:
    """Give the linked object of each override a settings group, with defaults if its file has none.

    From 5.0 on, Blender compares the single settings of a group only if both objects have the group. Otherwise it
    records that the whole group was replaced. It cannot apply this when the file is opened, and all settings would be
    lost.
    """
    for ob in bpy.data.objects:
        reference = ob.override_library.reference if ob.override_library is not None else None
        if isinstance(reference, bpy.types.Object):
            settings = object_settings(reference)
            # Reading a property creates the group.
            settings.is_property_set("shape")
            settings.collider.is_property_set("trigger")
