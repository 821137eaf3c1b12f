# SPDX-License-Identifier: GPL-3.0-or-later
"""Copy what is set for one object to others."""

from typing import Any

import bpy
from bpy.props import EnumProperty

from ...i18n import CONTEXT
from ...i18n.lookup import report_, tip_
from ...scene.objects.some_selected import may_be_selected
from ...scene.settings import object_settings
from .object_settings import PARTS, WHAT


class COLLISION_KIT_OT_copy_collision_settings(bpy.types.Operator):
    """Gives the selected objects the settings of the active one."""

    bl_idname = "collision_kit.copy_collision_settings"
    bl_label = "Copy Collision Settings to Selected"
    bl_description = "Copy the collision settings of the active object to the other selected objects"
    bl_options = {"REGISTER", "UNDO"}

    what: EnumProperty(
        name="Settings",
        translation_context=CONTEXT,
        description="Settings to copy",
        items=WHAT,
        options={"ENUM_FLAG"},
        default={"SHAPE", "MARGIN", "GROUPS", "SURFACE"},
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be an active object, and others selected."""
        text = ""
        if context.active_object is None:
            text = tip_("No active object to copy from")
        elif not may_be_selected(context, lambda ob: ob != context.active_object):
            text = tip_("Select the objects to copy to in addition to the active object")
        if text:
            cls.poll_message_set(text)
        return not text

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Copy them."""
        source, count = object_settings(context.active_object), 0
        for ob in _others(context):
            target = object_settings(ob)
            for part in PARTS:
                if part in self.what:
                    _copy(source, target, part)
            count += 1
        self.report({"INFO"}, report_("Collision settings copied to {count} objects", count=count))
        return {"FINISHED"}


def _copy(source: Any, target: Any, part: str) -> None:
    for name in PARTS[part]:
        value = getattr(source, name)
        # An object is no part of itself, nor of one that is part of it: that would be a circle.
        if part == "BODY" and value is not None and value == target.id_data:
            continue
        setattr(target, name, value)


def _others(context: bpy.types.Context) -> list[bpy.types.Object]:
    return [ob for ob in context.selected_objects if ob != context.active_object]
