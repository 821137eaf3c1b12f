# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders and render meshes: settings, button, and results, worst first."""

from typing import Any

import bpy

from ...i18n.lookup import label_
from ...i18n.units import area_text, measured_text, spoken_range
from ...model.coverage_report import Area, CoveredObject
from ...scene import open_file
from ...scene.settings import compared_list, coverage_request, scene_settings
from ...session import coverage_results
from ...session.coverage_results import CoverageResult
from ..result_list.view import resize
from .changes import draw_changes
from .layout import BUTTON, fact, fields, is_narrow, paragraph
from .list_rows import draw_show, search_by_name
from .motion_texts import listed
from .name_row import Value, draw_heads, draw_name, draw_names, row_count
from .tab import SwitchedTab

# Rows of the list before it scrolls, and minimum rows.
MOST_ROWS, FEWEST_ROWS = 10, 2
# Number of names that are listed before the rest is only counted.
MOST_NAMES = 5
# Width of a length, in pixels at a resolution scale of 1.
LENGTH = 62
# Significant digits of a length in the list.
DIGITS = 2


class COLLISION_KIT_UL_compared(bpy.types.UIList):
    """Compared objects, worst first."""

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: object,
        item: object,
        icon: int,
        active_data: object,
        active_property: str,
        index: int = 0,
        flt_flag: int = 0,
    ) -> None:
        """Draw an object: how far its colliders protrude and fall short. Dimmed if the scene has changed."""
        found = coverage_results.latest.result
        one = found.object(index) if found is not None else None
        if found is None or one is None:
            return
        row = layout.row(align=True)
        row.active = found.change is None
        row.enabled = one.uid in found.names
        units = context.scene.unit_settings
        values = [Value(measured_text(length, units, DIGITS), LENGTH) for length in (one.outside, one.inside)]
        state = "ERROR" if one.failing else "CHECKMARK"
        draw_names(context, row, [found.name(one)], values, found.short_names, state)

    def filter_items(
        self, context: bpy.types.Context, data: "bpy.types.AnyType", property: str
    ) -> tuple[list[int], list[int]]:
        """Keep the rows whose names contain the text of the search field. Sort worst first, or by name."""
        found = coverage_results.latest.result
        if found is None:
            return [], []
        return search_by_name(self, [found.name(one) for one in found.report.objects])


class COLLISION_KIT_PT_coverage(SwitchedTab, bpy.types.Panel):
    """Settings, and the list of objects."""

    bl_label = "Collider Coverage"
    bl_options = {"DEFAULT_CLOSED"}
    switch = "coverage"

    @classmethod
    def has_results(cls, _context: bpy.types.Context) -> bool:
        """Return whether there are results."""
        return coverage_results.latest.result is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings, the button, and the report if there is one."""
        layout, settings = self.layout, scene_settings(context).coverage
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        fields(column, context, settings, "scope", "max_outside", "max_inside", "include_hidden", "reachable_only")
        if settings.reachable_only:
            fields(column, context, settings, "reach")
        row = layout.row()
        row.scale_y = 1.5
        # In a narrow sidebar, the text needs the room of the icon.
        icon: Any = "NONE" if is_narrow(context) else "MOD_SHRINKWRAP"
        row.operator("collision_kit.compare_with_render_mesh", icon=icon)
        found = coverage_results.latest.result
        if found is not None:
            draw_changes(self.layout, context, found, found.report.scene, coverage_request(context))
            self._draw_summary(context, found)
            if found.report.objects:
                self._draw_objects(context, found)
            self._draw_drawing(context)

    def _draw_summary(self, context: bpy.types.Context, found: CoverageResult) -> None:
        report, column = found.report, self.layout.column(align=True)
        if not (report.objects or report.without_collider or report.out_of_reach):
            text = label_("Nothing to compare: no object has both a render mesh and colliders")
            paragraph(column, context, text, "INFO")
        elif report.objects:
            failing = len(report.failing)
            text = label_("{count} out of tolerance", count=failing) if failing else label_("No issues")
            paragraph(column, context, text, "ERROR" if failing else "CHECKMARK")
            paragraph(column, context, label_("{count} objects compared", count=len(report.objects)), "BLANK1")
        if report.without_collider:
            row = column.row(align=True)
            text = label_("{count} without collider", count=len(report.without_collider))
            paragraph(row.column(align=True), context, text, "GHOST_DISABLED", after=BUTTON)
            row.operator(
                "collision_kit.select_objects_without_collider", text="", icon="RESTRICT_SELECT_OFF", emboss=False
            )
            paragraph(column, context, listed(report.without_collider, MOST_NAMES), "BLANK1")
        if report.walked is not None:
            text = label_("{area} reached", area=area_text(report.walked.reached_area, context.scene.unit_settings))
            paragraph(column, context, text, "CON_FOLLOWPATH")
        if report.out_of_reach:
            text = label_("{count} out of reach", count=len(report.out_of_reach))
            paragraph(column, context, text, "BLANK1")
            paragraph(column, context, listed(report.out_of_reach, MOST_NAMES), "BLANK1")
        if report.skipped:
            names = listed([one.object for one in report.skipped], MOST_NAMES)
            paragraph(column, context, label_("Not compared: {names}", names=names), "INFO")

    def _draw_objects(self, context: bpy.types.Context, found: CoverageResult) -> None:
        compared, column = compared_list(context.window_manager), self.layout.column(align=True)
        heads = [Value(label_("Outside"), LENGTH), Value(label_("Inside"), LENGTH)]
        draw_heads(context, column, [label_("Object")], heads)
        names = ([found.name(one)] for one in found.report.objects)
        rows = row_count(context, [LENGTH, LENGTH], names, MOST_ROWS, FEWEST_ROWS)
        column.template_list("COLLISION_KIT_UL_compared", "", compared, "rows", compared, "active", rows=rows)
        one = found.object(found.chosen)
        if one is not None:
            box = self.layout.box().column(align=True)
            draw_name(box, context, found.name(one), found.short_names, in_box=True)
            farther = "OUTSIDE" if one.outside >= one.inside else "INSIDE"
            for number, side in enumerate((farther,) if one.one_gap else ("OUTSIDE", "INSIDE")):
                if number:
                    box.separator()
                self._draw_side(box, context, found, one, side)

    def _draw_side(
        self,
        layout: bpy.types.UILayout,
        context: bpy.types.Context,
        found: CoverageResult,
        one: CoveredObject,
        side: str,
    ) -> None:
        """Draw one of the two distances with its bound, and the area of the surface that is farther away.

        If both are of one place, it is the longer one.
        """
        units, outside = context.scene.unit_settings, side == "OUTSIDE"
        distance, bound = (one.outside, one.outside_bound) if outside else (one.inside, one.inside_bound)
        area, wrong = (one.outside_area, one.sticks_out) if outside else (one.inside_area, one.misses)
        row, above = layout.row(align=True), is_narrow(context)
        if one.one_gap:
            text, wrong = label_("Collider off the render mesh"), bool(one.failing)
        else:
            text = label_("Colliders protrude") if outside else label_("Render mesh not covered")
        icon, button_width = "ERROR" if wrong else "CHECKMARK", BUTTON if distance > 0.0 else 0.0
        paragraph(row.column(align=True), context, text, icon, in_box=True, after=button_width)
        if distance > 0.0:
            button: Any = row.operator("collision_kit.show_worst_place", text="", icon="ZOOM_SELECTED", emboss=False)
            button.row, button.side = found.chosen, side
        fact(layout, "Distance", spoken_range(distance, max(bound - distance, 0.0), units), above=above)
        if (outside or one.one_gap) and one.outside_collider and one.outside_collider != one.name:
            fact(layout, "Collider", one.outside_collider, above=above)
        if wrong and area is not None:
            fact(layout, "Area Beyond", _area_text(area, units), above=above)

    def _draw_drawing(self, context: bpy.types.Context) -> None:
        compared, column = compared_list(context.window_manager), self.layout.column()
        row = draw_show(context, column.column(align=True), compared, "show")
        row.operator("collision_kit.clear_comparison", text="", icon="X")
        if compared.show:
            fields(column, context, compared, "surfaces", "range")


def _area_text(area: Area, units: bpy.types.UnitSettings) -> str:
    """Return an area, and its fraction of the surface."""
    return f"{area_text(area.area, units, 3)} ({100.0 * area.share:.2g} %)"


@coverage_results.latest.on_new.subscribe
def fit() -> None:
    """Give the list a row for each object."""
    found = coverage_results.latest.result
    for manager in open_file.window_managers():
        resize(compared_list(manager).rows, len(found.report.objects) if found is not None else 0)
