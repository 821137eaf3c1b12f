# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of pairs by collection, and what limits the list of results to a cell of it or to a group."""

from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty

from ...i18n import CONTEXT
from ...i18n.lookup import label_, report_, tip_
from ...scene import events
from ...session.collision_results import last
from ..result_list import rows as results_rows
from ..result_list.part import ALL, Part, collection_text
from ..verdicts import VERDICTS
from .results_poll import OnResults

# Pixels at a resolution scale of 1: the names of rows, and a column.
NAMES, COLUMN = 150, 84


class COLLISION_KIT_OT_pair_matrix(OnResults, bpy.types.Operator):
    """Shows a table that stays until the pointer leaves it."""

    bl_idname = "collision_kit.pair_matrix"
    bl_label = "Pairs by Collection"
    bl_description = (
        "Show how many pairs every two collections have, and the worst of them. Click a number to list them"
    )
    bl_options = {"REGISTER"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        """Show the collections as they are now."""
        results_rows.show_part(results_rows.part)
        width = NAMES + COLUMN * max(len(results_rows.parts().names), 2)
        return context.window_manager.invoke_popup(self, width=width)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw a row for each collection, from the diagonal on."""
        parts = results_rows.parts()
        self.layout.label(text=label_("Pairs by Collection"), translate=False)
        table = self.layout.column(align=True)
        head = _columns(table, "", len(parts.names))
        for name in parts.names:
            head.label(text=collection_text(name), translate=False)
        for first in parts.names:
            row = _columns(table, collection_text(first), len(parts.names))
            for second in parts.names:
                cell = parts.cells.get((first, second))
                if cell is None:
                    row.label(text="", translate=False)
                    continue
                place, verdict = row.row(align=True), VERDICTS[cell.worst]
                place.alert = verdict.alert
                button: Any = place.operator(
                    "collision_kit.filter_results",
                    text=str(len(cell.rows)),
                    translate=False,
                    icon=verdict.icon,
                    depress=results_rows.part.between == (first, second),
                )
                button.by, button.first, button.second = "COLLECTIONS", first, second
        if not parts.names:
            self.layout.label(text=label_("All pairs are accepted or ignored"), icon="CHECKMARK", translate=False)
        if parts.left_out:
            text = label_("{count} collections with fewer pairs are not shown", count=parts.left_out)
            self.layout.label(text=text, icon="INFO", translate=False)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Do nothing: without a window there is nothing to show."""
        return {"FINISHED"}


PARTS = (
    ("ALL", "All", "List all pairs again"),
    ("COLLECTIONS", "Collections", "List the pairs between two collections"),
    ("GROUP", "Group", "List the pairs of a group of connected objects"),
)


class COLLISION_KIT_OT_filter_results(OnResults, bpy.types.Operator):
    """What a click on a cell of the table, or on a group, does."""

    bl_idname = "collision_kit.filter_results"
    bl_label = "Filter Collision Results"
    bl_description = "List only the pairs between two collections, or of one group of connected objects, or all again"
    bl_options = {"REGISTER"}

    by: EnumProperty(
        name="Pairs",
        translation_context=CONTEXT,
        description="Which pairs are listed",
        items=PARTS,
        options={"SKIP_SAVE"},
    )
    first: StringProperty(
        name="Collection", description="One of the two collections; empty: the scene collection", options={"SKIP_SAVE"}
    )
    second: StringProperty(
        name="Other Collection",
        description="The other collection; empty: the scene collection",
        options={"SKIP_SAVE"},
    )
    group: IntProperty(
        name="Group",
        description="Number of the group, from one for the group with most pairs",
        default=1,
        min=1,
        options={"SKIP_SAVE"},
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """What a cell says."""
        given: Any = properties
        if given.by != "COLLECTIONS":
            return tip_(cls.bl_description)
        between = _between(given.first, given.second)
        cell = results_rows.parts().cells.get(between)
        worst = label_(VERDICTS[cell.worst].name) if cell is not None else ""
        return tip_("{pair}. Worst: {verdict}", pair=results_rows.parts().text(Part(between)), verdict=worst)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Limit the list."""
        chosen = ALL
        if self.by == "COLLECTIONS":
            chosen = Part(_between(self.first, self.second))
        elif self.by == "GROUP":
            groups, report = results_rows.parts().groups, last.report
            if report is None or self.group > len(groups):
                self.report({"WARNING"}, report_("There is no group {number}", number=self.group))
                return {"CANCELLED"}
            chosen = Part(member=report.bodies[groups[self.group - 1].bodies[0]].key)
        results_rows.show_part(chosen)
        events.redraw()
        return {"FINISHED"}


def _between(first: str, second: str) -> tuple[str, str]:
    return (first, second) if first <= second else (second, first)


def _columns(table: bpy.types.UILayout, name: str, count: int) -> bpy.types.UILayout:
    """A row with a name, and the layout of its columns."""
    row = table.split(factor=NAMES / (NAMES + COLUMN * max(count, 2)), align=True)
    row.label(text=name, translate=False)
    return row.grid_flow(columns=max(count, 2), even_columns=True, even_rows=False, align=False, row_major=True)
