# SPDX-License-Identifier: GPL-3.0-or-later
"""Set objects back to what they are without settings."""

from typing import Any

import bpy

from ...i18n.lookup import report_, tip_
from ...scene.objects.some_selected import may_be_selected, some_selected
from ...scene.settings import object_settings
from .object_settings import PARTS


class COLLISION_KIT_OT_reset_collision_settings(bpy.types.Operator):
    """Unsets the collision settings of the selected objects."""

    bl_idname = "collision_kit.reset_collision_settings"
    bl_label = "Reset Collision Settings"
    bl_description = "Reset the collision settings of the selected objects to their defaults. Collider data is kept"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Something must be selected that has settings."""
        text = ""
        if not some_selected(context):
            text = tip_("Select the objects to reset")
        elif not may_be_selected(context, _is_set):
            text = tip_("The selected objects have default collision settings")
        if text:
            cls.poll_message_set(text)
        return not text

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Unset them; to what they are by default first, for unsetting tells nobody that anything has changed."""
        count = 0
        for ob in filter(_is_set, context.selected_objects):
            settings = object_settings(ob)
            for names in PARTS.values():
                for name in names:
                    if _differs(settings, name):
                        setattr(settings, name, _default(settings, name))
                    settings.property_unset(name)
            count += 1
        if not count:
            self.report({"WARNING"}, report_("The selected objects have default collision settings"))
            return {"CANCELLED"}
        self.report({"INFO"}, report_("Collision settings of {count} objects reset", count=count))
        return {"FINISHED"}


def _is_set(ob: bpy.types.Object) -> bool:
    settings = object_settings(ob)
    names = (name for names in PARTS.values() for name in names)
    return any(settings.is_property_set(name) and _differs(settings, name) for name in names)


def _differs(settings: bpy.types.PropertyGroup, name: str) -> bool:
    value, usual = getattr(settings, name), _default(settings, name)
    return bool((tuple(value) if isinstance(usual, tuple) else value) != usual)


def _default(settings: bpy.types.PropertyGroup, name: str) -> object:
    known: Any = settings.bl_rna.properties[name]
    if known.type == "POINTER":
        return None
    return tuple(known.default_array) if getattr(known, "is_array", False) else known.default
