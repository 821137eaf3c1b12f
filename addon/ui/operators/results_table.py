# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of results in a wide popup: full names, and columns that sort."""

from collections.abc import Sequence
from typing import Any

import bpy

from ...i18n.lookup import label_
from ...scene.settings import results_list
from ...session.collision_results import last
from ..result_list import rows as results_rows
from .results_poll import OnResults

# Pixels at a resolution scale of 1, and rows of the list.
WIDTH = 900
MOST_ROWS = 24


def columns_now() -> list[tuple[str, str, int]]:
    """The order that a click on the head of each column gives, the head, and the share of the width."""
    columns = [
        ("VERDICT", label_("Verdict"), 15),
        ("NAME", label_("Objects"), 58),
        ("DEPTH", label_("Depth"), 12),
        ("GROUP", label_("Group"), 8),
    ]
    if last.report is not None and last.report.tests:
        columns.append(("TEST", label_("Test"), 15))
    return columns


def divided(layout: bpy.types.UILayout, shares: Sequence[int]) -> list[bpy.types.UILayout]:
    """Parts of a row, as wide as their shares of it."""
    rest, left, parts = layout, sum(shares), []
    for share in shares[:-1]:
        split = rest.split(factor=share / left, align=True)
        parts.append(split.row(align=True))
        rest, left = split.row(align=True), left - share
    return [*parts, rest]


class COLLISION_KIT_OT_results_table(OnResults, bpy.types.Operator):
    """Shows a table that stays until the pointer leaves it."""

    bl_idname = "collision_kit.results_table"
    bl_label = "Results Table"
    bl_description = (
        "Show the list of results in a wide popup with full names. Click the head of a column to sort by it"
    )
    bl_options = {"REGISTER"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        """Show it."""
        return context.window_manager.invoke_popup(self, width=WIDTH)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the search, the heads of the columns, and the list."""
        results, columns = results_list(context.window_manager), columns_now()
        layout, view = self.layout, results.view
        row = layout.row(align=True)
        row.prop(view, "text", text="", icon="VIEWZOOM", placeholder=label_("Search"))
        row.prop(view, "reverse", text="", icon="SORT_DESC" if view.reverse else "SORT_ASC")
        row.prop(view, "grouped", text="", icon="OUTLINER", toggle=True)
        heads = divided(layout.row(align=True), [share for *_, share in columns])
        for head, (order, text, _) in zip(heads, columns, strict=True):
            head.prop_enum(view, "order", order, text=text, icon="NONE", translate=False)
        layout.template_list(
            "COLLISION_KIT_UL_pair_table",
            "",
            results,
            "rows",
            results,
            "active",
            item_dyntip_propname="tip",
            rows=min(max(len(results_rows.lines(results).pair), 2), MOST_ROWS),
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Do nothing: without a window there is nothing to show."""
        return {"FINISHED"}
