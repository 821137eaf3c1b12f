# SPDX-License-Identifier: GPL-3.0-or-later
"""The candidate separating axes of the chosen pair, and what each shows."""

import math

import bpy

from .... import core
from ....core.constants import Verdict
from ...i18n.lookup import label_
from ...i18n.units import SIGNIFICANT_DIGITS, decided_text, direction_text, shown_gap, spoken_text, spoken_units
from ...model.report import Units
from ...scene.settings import results_list
from ...viewport import axis_explorer
from ...viewport import pair as pair_overlay
from ...viewport.axis_explorer import Exploration
from .layout import MARGIN, VALUE_SHARE, fact, is_narrow, measure, paragraph, scale, sidebar_width
from .name_row import BESIDE, PADDING
from .tab import SwitchedTab

STEP = "collision_kit.step_axis"

# Rows of the list before it scrolls.
MOST_ROWS = 6

# Significant digits of a length in the list.
DIGITS = 3

# Fraction of a row's width for the name.
NAME_SHARE = 0.66


class COLLISION_KIT_UL_axes(bpy.types.UIList):
    """The axes, the deciding one first."""

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
        """Draw the features of an axis, and its gap or overlap. Skipped axes are dimmed."""
        found = axis_explorer.explored()
        if found is None or index >= len(found.order):
            return
        axes, which = found.axes, int(found.order[index])
        tested = axes.status[which] == core.AxisStatus.TESTED
        row = layout.row(align=True)
        row.active = bool(tested)
        if axes.status[which] == core.AxisStatus.PARALLEL:
            row.label(text=label_("{count} parallel, skipped", count=found.parallel), icon="BLANK1", translate=False)
            return
        gap = _gap(found, which)
        if tested:
            text = _coordinate_text(gap, found, spoken_units(gap, context.scene.unit_settings), DIGITS)
        else:
            text = label_("no direction")
        # The value is shown in full. What is left is for the name.
        inner = sidebar_width(context) - BESIDE * scale(context)
        value = measure(context)(text) + PADDING * scale(context)
        split = row.split(factor=min(NAME_SHARE, max(1.0 - value / inner, 0.0)), align=True)
        split.label(text=axis_name(axes, which), icon="KEYFRAME_HLT" if index == 0 else "KEYFRAME", translate=False)
        right = split.row()
        right.alignment = "RIGHT"
        right.label(text=text, translate=False)


class COLLISION_KIT_PT_axes(SwitchedTab, bpy.types.Panel):
    """Steps through the axes, and explains why each is not the deciding one."""

    bl_label = "Separating Axes"
    bl_parent_id = "COLLISION_KIT_PT_results"
    bl_options = {"DEFAULT_CLOSED"}
    switch = "axes"

    @classmethod
    def applies(cls, _context: bpy.types.Context) -> bool:
        """Show it if a pair is drawn."""
        return pair_overlay.shown_row() >= 0

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the list, the buttons, and the data of the axis."""
        layout = self.layout
        explanation = results_list(context.window_manager).explanation
        if not explanation.ruler:
            layout.prop(explanation, "ruler")
            return
        found = axis_explorer.explored()
        if found is None:
            paragraph(layout, context, label_("Non-convex meshes have no separating axis"), "INFO")
            return
        rows = min(len(found.order), MOST_ROWS)
        layout.template_list("COLLISION_KIT_UL_axes", "", explanation, "axes", explanation, "axis", rows=rows)
        row = layout.row(align=True)
        row.operator(STEP, text="", icon="TRIA_LEFT").step = "PREVIOUS"
        # Blender would look it up among the names of operators.
        row.operator(STEP, text=label_("Separating Axis"), translate=False).step = "DECIDING"
        row.operator(STEP, text="", icon="TRIA_RIGHT").step = "NEXT"
        self._draw_axis(context, found)

    def _draw_axis(self, context: bpy.types.Context, found: Exploration) -> None:
        axes, which = found.axes, int(found.order[axis_explorer.place()])
        units = context.scene.unit_settings
        if axes.status[which] == core.AxisStatus.PARALLEL:
            text = label_("Not tested: parallel edges have no common normal. The first two are drawn")
            paragraph(self.layout, context, text)
            return
        column = self.layout.column(align=True)
        narrow = is_narrow(context)
        fact(column, "Axis", f"{axis_explorer.place() + 1} / {found.total}: {axis_name(axes, which)}", above=narrow)
        if axes.status[which] != core.AxisStatus.TESTED:
            paragraph(self.layout, context, label_("Not tested: degenerate face or edge"))
            return
        fact(column, "Direction", direction_text(axes.axis[which]), above=narrow)
        gap, best = _gap(found, which), _gap(found, int(found.order[0]))
        fact(column, "Overlap" if gap < 0.0 else "Gap", spoken_text(abs(gap), units), above=narrow)
        ends = [end for interval in (axes.interval_a[which], axes.interval_b[which]) for end in map(abs, interval)]
        common = spoken_units(max(filter(math.isfinite, ends), default=0.0), units)
        range_a, range_b = (
            " … ".join(_coordinate_text(float(end), found, common) for end in interval)
            for interval in (axes.interval_a[which], axes.interval_b[which])
        )
        room, width = VALUE_SHARE * (sidebar_width(context) - MARGIN * scale(context)), measure(context)
        wide = narrow or max(width(range_a), width(range_b)) > room
        fact(column, "Range of A", range_a, above=wide)
        fact(column, "Range of B", range_b, above=wide)
        if axis_explorer.place() == 0:
            if found.pair.verdict == Verdict.TOUCHING:
                text = label_("Separating axis: the shapes touch along it")
            elif gap < 0.0:
                text = label_("Axis of least penetration: no other axis has less overlap")
            else:
                text = label_("Separating axis: no other axis has a larger gap")
        else:
            more = spoken_text(best - gap, units)
            text = (
                label_("Not the axis of least penetration, along which the overlap is {length} smaller", length=more)
                if best < 0.0
                else label_("Not the separating axis, along which the gap is {length} larger", length=more)
            )
        paragraph(self.layout, context, text)


def _gap(found: Exploration, which: int) -> float:
    return shown_gap(found.pair, float(found.axes.gap[which]))


def _coordinate_text(
    place: float, found: Exploration, units: bpy.types.UnitSettings | Units, digits: int = SIGNIFICANT_DIGITS
) -> str:
    """Return a signed length along an axis in this unit. It may be infinite."""
    if not math.isfinite(place):
        return "−∞" if place < 0.0 else "∞"
    return decided_text(place if abs(place) > found.pair.rounding else 0.0, units, digits).replace("-", "−")


def axis_name(axes: "core.CandidateAxes", which: int) -> str:
    """Return the features of an axis, in the language of the interface."""
    kind_a, index_a = axes.feature_a[which].tolist()
    kind_b, index_b = axes.feature_b[which].tolist()
    source = axes.source[which]
    if source == core.AxisSource.CLOSEST:
        return label_("closest points") if axes.gap[which] >= 0.0 else label_("least penetration")
    if source == core.AxisSource.EDGES:
        return label_("edges {a} × {b}", a=index_a, b=index_b)
    if source == core.AxisSource.FACE_A:
        return label_("side {a} of A" if kind_a == core.FeatureKind.EDGE else "face {a} of A", a=index_a)
    return label_("side {b} of B" if kind_b == core.FeatureKind.EDGE else "face {b} of B", b=index_b)
