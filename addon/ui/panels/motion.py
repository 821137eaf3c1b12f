# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels of first contacts of moving objects: settings, button, and results."""

from typing import Any

import bpy

from ...i18n.lookup import enumerated, label_
from ...i18n.units import spoken_text
from ...model.motion_report import NEAR, STATUSES, MotionReport
from ...scene.settings import contacts_list, motion_request, scene_settings
from ...session.motion_results import MotionResult
from ..result_list import contacts as listed_contacts
from .changes import draw_changes
from .contact_list import DEPTH, FRAME
from .icons import ACCEPTED
from .layout import buttons, fields, is_narrow, paragraph
from .list_rows import draw_search, draw_show, draw_switch, first_names
from .motion_texts import ICONS, counted, frame_text, listed
from .name_row import Value, draw_heads, is_wide, row_count
from .tab import SwitchedTab

# Lines of the list before it scrolls, and minimum rows.
MOST_ROWS = 10
FEWEST_ROWS = 2
# Number of names that are listed before the rest is only counted.
MOST_NAMES = 5


class COLLISION_KIT_PT_motion(SwitchedTab, bpy.types.Panel):
    """Settings, and the list of contacts."""

    bl_label = "Motion"
    bl_options = {"DEFAULT_CLOSED"}
    switch = "motion"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings, the button, and the report if there is one."""
        settings = scene_settings(context)
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        self._draw_settings(context, settings.motion)
        row = layout.row()
        row.scale_y = 1.5
        row.operator("collision_kit.check_motion", icon="CON_FOLLOWPATH")
        found = listed_contacts.current()
        if found is not None:
            draw_changes(self.layout, context, found, found.report.scene, motion_request(context))
            self._draw_summary(context, found)
            self._draw_contacts(context, found)

    def _draw_settings(self, context: bpy.types.Context, motion: Any) -> None:
        column = self.layout.column()
        fields(column, context, motion, "frames")
        if motion.frames == "OWN":
            fields(column.column(align=True), context, motion, "frame_start", "frame_end")
        fields(column, context, motion, "deviation_mode")
        if motion.deviation_mode == "MANUAL":
            fields(column, context, motion, "deviation")
        fields(column, context, motion, "clearance")

    def _draw_summary(self, context: bpy.types.Context, found: MotionResult) -> None:
        report = found.report
        column = self.layout.column(align=True)
        if len(report.bodies) < 2:
            text = label_("Nothing to test: fewer than two bodies have a collision shape")
            paragraph(column, context, text, icon="INFO")
            return
        if not report.rows:
            column.label(text=label_("No contacts"), icon="CHECKMARK", translate=False)
        self._draw_counts(context, column, report)
        moving = label_(
            "{bodies} bodies tested, {count} moving",
            bodies=len(report.bodies),
            count=report.tested.get("moving", 0),
        )
        paragraph(column, context, moving, "BLANK1")
        if report.unmoved:
            text = label_("Not listed: {count} pairs that touch and never move", count=report.unmoved)
            paragraph(column, context, text, "BLANK1")
        self._draw_certainty(context, found)

    def _draw_certainty(self, context: bpy.types.Context, found: MotionResult) -> None:
        """Draw how far the tested motion deviates, and which objects deform."""
        report, units = found.report, context.scene.unit_settings
        left = report.deviation_left
        if left.object:
            text = label_(
                'Tested motion differs by up to {length} from the animation ("{name}", frame {frame})',
                length=spoken_text(left.distance, units),
                name=left.object,
                frame=frame_text(left.frame),
            )
            paragraph(self.layout, context, text, "INFO")
        if report.deforming:
            names = listed(report.deforming, MOST_NAMES)
            text = label_("Deforming, tested at frames and subframes only: {names}", names=names)
            paragraph(self.layout, context, text, "MOD_SIMPLEDEFORM")

    def _draw_counts(self, context: bpy.types.Context, column: bpy.types.UILayout, report: MotionReport) -> None:
        """Draw the number of contacts of each kind. The checkbox in a line shows or hides them."""
        view, narrow = contacts_list(context.window_manager).view, is_narrow(context)
        counts, ignored = report.counts(), report.ignored_counts()
        for status in (status for status in (*STATUSES, NEAR) if counts[status]):
            text = counted(status, counts[status] - ignored[status])
            draw_switch(column, context, view, status, text, "" if narrow else ICONS[status])
        count = ignored.total()
        if count:
            text = label_("{count} ignored", count=count)
            if not view.accepted:
                text = label_("{count} hidden: {reasons}", count=count, reasons=text)
            draw_switch(column, context, view, "accepted", text, ACCEPTED)

    def _draw_heads(self, context: bpy.types.Context, column: bpy.types.UILayout) -> None:
        """Draw what the values of the list are: above their columns, or, if they are below each other, in one line."""
        frame, depth = label_("Frame"), label_("Depth")
        if is_wide(context, [FRAME, DEPTH]):
            draw_heads(context, column, [label_("Objects")], [Value(frame, FRAME), Value(depth, DEPTH)])
            return
        row = column.row()
        row.alignment = "RIGHT"
        row.label(text=enumerated([frame, depth]), translate=False)

    def _draw_contacts(self, context: bpy.types.Context, found: MotionResult) -> None:
        contacts, layout = contacts_list(context.window_manager), self.layout
        if found.report.rows:
            draw_search(layout, contacts.view)
            lines = listed_contacts.lines(contacts)
            first = first_names(found, found.report.rows, lines, MOST_ROWS)
            rows = row_count(context, [FRAME, DEPTH], first, MOST_ROWS, FEWEST_ROWS)
            column = layout.column(align=True)
            self._draw_heads(context, column)
            names = ("COLLISION_KIT_UL_contacts", "", contacts, "rows", contacts, "active")
            column.template_list(*names, rows=rows, maxrows=rows)
        column = layout.column(align=True)
        row = draw_show(context, column, contacts, "show")
        row.operator("collision_kit.clear_motion_results", text="", icon="X")
        add, remove = label_("Add Markers"), label_("Remove Markers")
        row = buttons(column, context, add, remove)
        row.operator("collision_kit.add_contact_markers", text=add, translate=False, icon="MARKER_HLT")
        row.operator("collision_kit.remove_contact_markers", text=remove, translate=False, icon="MARKER")
