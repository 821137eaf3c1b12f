# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that the active camera sees."""

import bpy

from ...i18n.lookup import enumerated, label_
from ...scene.settings import cull_request, results_list, scene_settings
from ...session import culling_results
from ..texts.culling import classes, frames_text
from .layout import buttons, fact, fields, is_narrow, paragraph
from .list_rows import draw_show
from .tab import SwitchedTab


class COLLISION_KIT_PT_camera(SwitchedTab, bpy.types.Panel):
    """Settings, buttons and counts of culling."""

    bl_label = "Camera"
    bl_options = {"DEFAULT_CLOSED"}
    switch = "camera"

    @classmethod
    def applies(cls, context: bpy.types.Context) -> bool:
        """Return whether there is an active camera."""
        return context.scene.camera is not None

    @classmethod
    def has_results(cls, _context: bpy.types.Context) -> bool:
        """Return whether there are results."""
        return culling_results.latest.result is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings, the buttons, and the results."""
        settings = scene_settings(context)
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        fields(column, context, settings, "cull_scope", "cull_frames", "cull_method")
        column = layout.column(align=True)
        column.operator("collision_kit.cull_to_camera", icon="CAMERA_DATA")
        # Blender would look these up among the names of operators.
        select, hide = label_("Select Outside"), label_("Hide Outside")
        row = buttons(column, context, select, hide)
        button = row.operator(
            "collision_kit.select_outside_camera", text=select, translate=False, icon="RESTRICT_SELECT_OFF"
        )
        button.which = "OUTSIDE"
        row.operator("collision_kit.hide_outside_camera", text=hide, translate=False, icon="HIDE_ON")
        found = culling_results.latest.result
        if found is not None:
            self._draw_found(context, found)

    def _draw_found(self, context: bpy.types.Context, found: culling_results.CullingResult) -> None:
        layout, report = self.layout, found.report
        change = found.change_for(cull_request(context))
        if found.place.scene_uid != context.scene.session_uid:
            paragraph(
                layout.box(),
                context,
                label_('Results of scene "{name}"', name=report.scene),
                icon="TIME",
                in_box=True,
            )
        elif change is not None:
            paragraph(layout.box(), context, label_(change.value), icon="TIME", in_box=True)
        column = layout.column(align=True)
        narrow = is_narrow(context)
        fact(column, "Camera", enumerated(report.cameras), above=narrow)
        fact(column, "Frames", frames_text(report), above=narrow)
        for kind, count in classes(report):
            fact(column, kind.name, f"{count}", above=narrow)
        active = context.active_object
        if report.frames > 1 and active is not None:
            seen = [one.frames_seen for one in report.objects if one.uid == active.session_uid]
            if seen:
                text = label_(
                    "{name}: seen in {seen} of {total} frames", name=active.name, seen=seen[0], total=report.frames
                )
                paragraph(layout, context, text, icon="OBJECT_DATA")
        row = draw_show(context, layout.column(align=True), results_list(context.window_manager), "show_culling")
        row.operator("collision_kit.clear_camera_culling", text="", icon="X")
