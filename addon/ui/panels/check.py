# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of the check: its options and its button."""

from typing import Any

import bpy

from ...i18n.lookup import label_
from ...live import live_mode as live
from ...scene.settings import results_list, scene_settings
from ...session import stored_results
from .check_presets import COLLISION_KIT_PT_check_presets
from .layout import NARROW, field, has_header_room, is_narrow, opened, paragraph
from .planar import draw_dimension
from .tab import CollisionTab

# The panel shows the delay of results that are older than this, in seconds.
NOTICED = 0.1

TITLE = "Collision Check"

_ICONS = {live.Status.CURRENT: "CHECKMARK", live.Status.STUCK: "ERROR"}


class COLLISION_KIT_PT_check(CollisionTab, bpy.types.Panel):
    """The first panel of the tab."""

    bl_label = TITLE

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the button that lists the presets."""
        if has_header_room(context, label_(TITLE)):
            COLLISION_KIT_PT_check_presets.draw_panel_header(self.layout)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings of the scene."""
        settings = scene_settings(context)
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False

        draw_dimension(layout, context, settings)
        narrow = is_narrow(context, NARROW)
        if not has_header_room(context, label_(TITLE)):
            COLLISION_KIT_PT_check_presets.draw_menu(layout, label_("Check Presets"))
        column = layout.column()
        field(column, settings, "scope", above=narrow)
        if settings.scope in {"COLLECTION", "COLLECTIONS"}:
            column.prop(settings, "collection_a")
        if settings.scope == "COLLECTIONS":
            column.prop(settings, "collection_b")
        column = layout.column()
        field(column, settings, "clearance", above=narrow)
        self._draw_options(context, settings)
        row = layout.row()
        row.scale_y = 1.5
        row.operator("collision_kit.check_collisions", icon="MOD_PHYSICS")
        row = layout.row()
        # An option that is on can be switched off.
        row.enabled = settings.planar.dimension == "SPACE" or live.is_on()
        row.prop(results_list(context.window_manager), "live", icon="PLAY")
        if not row.enabled:
            paragraph(layout.column(), context, label_("Live checking does not support planar checks"), icon="INFO")
        self._draw_live(context)
        if stored_results.problem():
            paragraph(layout.column(), context, stored_results.problem(), icon="ERROR")

    def _draw_options(self, context: bpy.types.Context, settings: Any) -> None:
        """Draw a closed section with less common options."""
        layout = opened(self.layout, "collision_kit_check_options", label_("Options"))
        if layout is None:
            return
        column = layout.column()
        column.prop(settings, "touching_mode")
        if settings.touching_mode == "MANUAL":
            column.prop(settings, "touching")
        column = layout.column()
        column.use_property_split = not is_narrow(context)
        column.prop(settings, "parts")
        column.prop(settings, "one_thing")
        column.prop(settings, "static")
        column.prop(settings, "surroundings")
        column.prop(settings, "include_operands")
        row = column.row()
        row.enabled = settings.planar.dimension == "SPACE"
        row.prop(settings, "loose_parts")
        row = column.row()
        # Loose parts are tested against each other then.
        row.enabled = settings.planar.dimension == "SPACE" and not settings.loose_parts
        row.prop(settings, "self_check")
        layout.menu("COLLISION_KIT_MT_panels")

    def _draw_live(self, context: bpy.types.Context) -> None:
        status = live.status()
        if status is live.Status.OFF:
            return
        text = label_(status.value, **live.status_values())
        if status is live.Status.CURRENT:
            took = label_("last update {count} ms", count=round(live.seconds() * 1000.0))
            text = label_("{text} ({reason})", text=text, reason=took)
        elif live.behind() >= NOTICED:
            late = label_("{seconds} s behind", seconds=f"{live.behind():.1f}")
            text = label_("{text} ({reason})", text=text, reason=late)
        paragraph(self.layout.column(), context, text, icon=_ICONS.get(status, "TIME"))
