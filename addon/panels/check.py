# SPDX-License-Identifier: GPL-3.0-or-later
"""What to check, and the button that checks it."""

import bpy

from ..stored import scene_settings
from .tab import CollisionTab


class COLLISION_KIT_PT_check(CollisionTab, bpy.types.Panel):
    """The first panel of the tab."""

    bl_label = "Collision Check"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the scene's settings."""
        settings = scene_settings(context)
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False

        column = layout.column()
        column.prop(settings, "scope")
        if settings.scope in {"COLLECTION", "COLLECTIONS"}:
            column.prop(settings, "collection_a")
        if settings.scope == "COLLECTIONS":
            column.prop(settings, "collection_b")

        column = layout.column()
        column.prop(settings, "clearance")
        column.prop(settings, "touching_mode")
        if settings.touching_mode == "MANUAL":
            column.prop(settings, "touching")

        row = layout.row()
        row.scale_y = 1.5
        row.operator("collision_kit.check_collisions", icon="MOD_PHYSICS")
