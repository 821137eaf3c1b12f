# SPDX-License-Identifier: GPL-3.0-or-later
"""Walk the level: character, starts, button, and results."""

from typing import Any

import bpy

from ...i18n.lookup import label_
from ...i18n.units import area_text, length_text, limited_walk_message, spoken_text
from ...i18n.wrapping import unbroken
from ...model.probe_report import ProbeIssue
from ...scene import accepted_walk_issues
from ...scene.objects.starts import begins_somewhere
from ...scene.settings import listed_starts, probe_request, scene_settings, walk_issues
from ...session import probe_results, stored_walks
from ...session.probe_results import ProbeResult
from ..texts.probe import KIND_TEXTS, counted
from .changes import draw_changes
from .character_presets import COLLISION_KIT_PT_character_presets
from .issues import draw_count, draw_issues, draw_skipped
from .layout import buttons, fact, fields, has_header_room, is_narrow, opened, paragraph
from .list_rows import draw_show, draw_switch
from .tab import CollisionTab, SwitchedTab
from .walk_issue_list import listed_rows

TITLE = "Walk the Level"

# Rows of the lists before they scroll, and minimum rows.
MOST_ROWS = 10
FEWEST_ROWS = 2
ROWS_OF_STARTS = 2


class COLLISION_KIT_UL_starts(bpy.types.UIList):
    """Objects from which the character begins."""

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: object,
        item: Any,
        icon: int,
        active_data: object,
        active_property: str,
        index: int = 0,
        flt_flag: int = 0,
    ) -> None:
        """Draw the field of an object. Dimmed if it is not in the scene."""
        row = layout.row(align=True)
        row.active = item.object in listed_starts(context.scene)
        row.prop(item, "object", text="", emboss=False)


class COLLISION_KIT_PT_probe(SwitchedTab, bpy.types.Panel):
    """Settings, and the list of issues."""

    bl_label = TITLE
    bl_options = {"DEFAULT_CLOSED"}
    switch = "probe"

    @classmethod
    def has_results(cls, context: bpy.types.Context) -> bool:
        """Return whether there are results of this scene."""
        return probe_results.kept_here(context) is not None

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the button that lists the presets."""
        if has_header_room(context, label_(TITLE)):
            COLLISION_KIT_PT_character_presets.draw_panel_header(self.layout)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings, the button, and the report if there is one."""
        stored, layout = scene_settings(context).probe, self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        if not has_header_room(context, label_(TITLE)):
            COLLISION_KIT_PT_character_presets.draw_menu(layout, label_("Character Presets"))
        self._draw_settings(context, stored)
        self._draw_starts(context, stored)
        row = layout.row()
        row.scale_y = 1.5
        row.operator("collision_kit.walk_level", icon="OUTLINER_OB_ARMATURE")
        if stored_walks.problem():
            paragraph(self.layout.column(), context, stored_walks.problem(), icon="ERROR")
        found = probe_results.latest.result
        if found is not None:
            draw_changes(self.layout, context, found, found.report.scene, probe_request(context))
            self._draw_summary(context, found)
            self._draw_list(context, found)

    def _draw_settings(self, context: bpy.types.Context, stored: Any) -> None:
        column = self.layout.column()
        fields(column, context, stored, "scope")
        if stored.scope == "COLLECTION":
            fields(column, context, stored, "collection")
        column = self.layout.column()
        fields(column, context, stored, "shape")
        sizes = ("radius", "height", "step") if stored.shape == "CAPSULE" else ("radius",)
        fields(column.column(align=True), context, stored, *sizes, "slope", "drop")
        layout = opened(self.layout, "collision_kit_probe_options", label_("Options"))
        if layout is None:
            return
        column = layout.column()
        fields(column, context, stored, "spacing", "margin_mode")
        if stored.margin_mode == "MANUAL":
            fields(column, context, stored, "margin")

    def _draw_starts(self, context: bpy.types.Context, stored: Any) -> None:
        column = self.layout.column(align=True)
        column.label(text=label_("Starts"), translate=False)
        row = column.row()
        row.template_list(
            "COLLISION_KIT_UL_starts",
            "",
            stored,
            "starts",
            stored,
            "active_start",
            rows=ROWS_OF_STARTS,
        )
        side = row.column(align=True)
        side.operator("collision_kit.add_starts", text="", icon="ADD")
        side.operator("collision_kit.remove_start", text="", icon="REMOVE")
        if listed_starts(context.scene):
            return
        if begins_somewhere(context.scene, ()):
            text = label_('Without starts, it begins at objects whose names begin with "start" or "spawn"')
        else:
            text = label_(
                "No start. Select an empty or an object where the character begins and click the plus button, "
                'or name one "start"'
            )
        paragraph(column, context, text, "INFO")

    def _draw_summary(self, context: bpy.types.Context, found: ProbeResult) -> None:
        report, units, layout = found.report, context.scene.unit_settings, self.layout
        if not report.bodies:
            text = label_("Nothing to walk on: no body has a collision shape")
            paragraph(layout, context, text, icon="INFO")
            return
        column = layout.column(align=True)
        fact(column, "Reached", area_text(report.reached_area, units), above=is_narrow(context))
        text = label_(
            "All gaps wider than {width} are listed, if the character can go straight to them",
            width=unbroken(spoken_text(report.undetected_below, units)),
        )
        paragraph(column, context, text, "INFO")
        if not report.found:
            column.label(text=label_("Nothing found"), icon="CHECKMARK", translate=False)

    def _draw_list(self, context: bpy.types.Context, found: ProbeResult) -> None:
        view, layout = walk_issues(context.window_manager), self.layout
        if found.report.found:
            known = accepted_walk_issues.reasons(context.scene)
            column = layout.column(align=True)
            column.use_property_split = False
            for kind, what in KIND_TEXTS.items():
                count = sum(one.kind == kind and one.id not in known for one in found.report.found)
                if count:
                    draw_switch(column, context, view, kind, counted(kind, count, label_), what.icon)
            count = sum(one.id in known for one in found.report.found)
            if count:
                draw_switch(column, context, view, "accepted", label_("{count} accepted", count=count), "CHECKBOX_HLT")
            rows = min(max(len(found.report.found), FEWEST_ROWS), MOST_ROWS)
            layout.template_list("COLLISION_KIT_UL_walk_issues", "", view, "rows", view, "active", rows=rows)
            shown = len(listed_rows(context, found))
            if shown < len(found.report.found):
                row = layout.row()
                text = label_("{count} of {total} listed", count=shown, total=len(found.report.found))
                row.label(text=text, icon="FILTER", translate=False)
                row.operator("collision_kit.show_all_walk_issues", text="", icon="X", emboss=False)
        row = draw_show(context, layout.column(align=True), view, "show")
        row.operator("collision_kit.clear_walk_results", text="", icon="X")


class COLLISION_KIT_PT_walk_issue(CollisionTab, bpy.types.Panel):
    """The chosen issue: its kind, its place, and buttons."""

    bl_label = "Active Issue"
    bl_parent_id = "COLLISION_KIT_PT_probe"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if an issue is chosen."""
        found = probe_results.latest.result
        return found is not None and found.issue(found.chosen) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw its kind, its objects, its place, and the buttons."""
        found = probe_results.latest.result
        one = found.issue(found.chosen) if found is not None else None
        if found is None or one is None:
            return
        layout, kind = self.layout, KIND_TEXTS[one.kind]
        column = layout.column(align=True)
        column.label(text=label_(kind.name), icon=kind.icon, translate=False)
        sentence = limited_walk_message(one, found.report.request, context.scene.unit_settings, spoken_text)
        paragraph(column, context, label_(sentence.template, **sentence.values), "BLANK1")
        column = layout.column(align=True)
        for name in one.objects:
            column.label(text=name, icon="OBJECT_DATA", translate=False)
        self._draw_place(context, one)
        reason = accepted_walk_issues.reasons(context.scene).get(one.id)
        if reason:
            paragraph(layout, context, label_("Accepted: {reason}", reason=reason), "CHECKBOX_HLT")
        self._draw_buttons(context, accepted=reason is not None)

    def _draw_place(self, context: bpy.types.Context, one: ProbeIssue) -> None:
        units = context.scene.unit_settings
        place = ", ".join(unbroken(length_text(value, units)) for value in one.point)
        column = self.layout.column(align=True)
        fact(column, "Location", place, above=True)

    def _draw_buttons(self, context: bpy.types.Context, *, accepted: bool) -> None:
        accept = label_("Accepted") if accepted else label_("Accept")
        row = buttons(self.layout, context, label_("Show Path"), accept)
        row.operator("collision_kit.show_path", text=label_("Show Path"), translate=False, icon="CURVE_PATH")
        row.operator(
            "collision_kit.stop_accepting_walk_issue" if accepted else "collision_kit.accept_walk_issue",
            text=accept,
            translate=False,
            icon="CHECKMARK",
            depress=accepted,
        )


class COLLISION_KIT_PT_probe_issues(CollisionTab, bpy.types.Panel):
    """Objects that could not be represented exactly, and similar issues."""

    bl_label = "Issues"
    bl_parent_id = "COLLISION_KIT_PT_probe"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if there are issues."""
        found = probe_results.latest.result
        return found is not None and bool(found.report.issues)

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the number into the header."""
        found = probe_results.latest.result
        draw_count(self.layout, len(found.report.issues) if found is not None else 0)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw each issue: the object, then the sentence."""
        found = probe_results.latest.result
        draw_issues(self.layout, context, found.report.issues if found is not None else ())


class COLLISION_KIT_PT_probe_skipped(CollisionTab, bpy.types.Panel):
    """Objects of the scope that cannot be walked on, by reason."""

    bl_label = "Not Tested"
    bl_parent_id = "COLLISION_KIT_PT_probe"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if an object was left out."""
        found = probe_results.latest.result
        return found is not None and bool(found.report.skipped)

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the number into the header."""
        found = probe_results.latest.result
        draw_count(self.layout, len(found.report.skipped) if found is not None else 0)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw each reason once, with its objects below it."""
        found = probe_results.latest.result
        draw_skipped(self.layout, context, found.report.skipped if found is not None else ())
