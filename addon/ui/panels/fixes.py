# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be done about the chosen pair."""

import bpy

from ...i18n.lookup import label_
from ...session.collision_results import last
from .tab import CollisionTab

SEPARATE = "collision_kit.separate"


class COLLISION_KIT_PT_fixes(CollisionTab, bpy.types.Panel):
    """Buttons that move objects apart or into contact, and show the faces that cross."""

    bl_label = "Fixes"
    bl_parent_id = "COLLISION_KIT_PT_results"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it once a pair is chosen."""
        return last.pair(last.chosen) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the active object, which is what is moved, and the buttons."""
        column = self.layout.column(align=True)
        active = context.view_layer.objects.active
        if active is not None:
            column.label(text=active.name, icon="OBJECT_DATA", translate=False)
        row = column.row(align=True)
        row.operator(SEPARATE, text=label_("Push Apart"), translate=False, icon="MOD_EXPLODE").objects = "ACTIVE"
        halves = row.operator(SEPARATE, text=label_("Push Both Apart"), translate=False)
        halves.objects, halves.share_by = "SELECTED", "HALVES"
        row = column.row(align=True)
        row.operator("collision_kit.snap_contact", text=label_("Snap"), translate=False, icon="SNAP_ON")
        row.operator("collision_kit.rest_on", text=label_("Drop to Surface"), translate=False, icon="TRIA_DOWN_BAR")
        column.operator("collision_kit.select_crossing_faces", icon="FACESEL")
