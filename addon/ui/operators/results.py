# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of a check: step through pairs, select, isolate and filter them, and show them as tables."""

from collections.abc import Sequence
from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty

from ... import collisions, fixes
from ...i18n import CONTEXT
from ...i18n.lookup import label_, report_, tip_
from ...model.duplicates import copies
from ...model.report import PairResult, body_uids
from ...scene.objects import selection, visibility
from ...scene.settings import results_list
from ...session import dependencies, isolation, stored_results
from ...session.collision_results import last_check
from ...session.latest import Latest
from ...viewport import framing
from ...viewport import pair as pair_overlay
from ..result_list import rows as results_rows
from ..result_list.part import ALL, Part, collection_text
from ..result_list.view import NONE, step
from ..verdicts import VERDICTS
from .base import Operator, missing_here


def report_missing(context: bpy.types.Context) -> str:
    """Return what is missing for an operator on the whole report, which may have no pairs."""
    return _missing(context, last_check.report is not None)


def results_missing(context: bpy.types.Context) -> str:
    """Return what is missing for an operator on the results of this scene."""
    return _missing(context, last_check.report is not None and bool(last_check.report.pairs))


def _missing(context: bpy.types.Context, found: bool) -> str:
    return missing_here(context, last_check.place if found else None, tip_("No results: run Check Collisions first"))


class OnResults(Operator):
    """Base of operators on the results of this scene. Not registered itself."""

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires results of this scene."""
        return results_missing(context)


def chosen_missing(context: bpy.types.Context) -> str:
    """Return what is missing for an operator on the chosen pair."""
    missing = results_missing(context)
    if not missing and last_check.pair(last_check.chosen) is None:
        missing = tip_("No active result: click one in the list")
    return missing


class COLLISION_KIT_OT_select_pair(OnResults):
    """The operator for clicks on a row of the results list."""

    bl_idname = "collision_kit.select_pair"
    manual = "quickstart"
    bl_label = "Select Pair"
    bl_description = (
        "Select both objects of this result, make the smaller one that can be moved active, frame them, and draw "
        "their separating axis and contacts"
    )
    bl_options = {"REGISTER", "UNDO_GROUPED"}
    bl_undo_group = bl_label

    row: IntProperty(
        name="Result",
        description="Index of the result, from zero for the worst; -1 for the active result",
        default=-1,
        min=-1,
    )

    def run(self, context: bpy.types.Context) -> set[str]:
        """Select, frame and draw, as far as the pair still exists."""
        row = last_check.chosen if self.row < 0 else self.row
        if row < 0:
            return self.refuse(report_("No active result: click one in the list"), "WARNING")
        return choose(self, context, row)


def choose(operator: Operator, context: bpy.types.Context, row: int) -> set[str]:
    """Choose a result for an operator: highlight it, and select, frame and draw it as far as it still exists."""
    dependencies.review(context)
    pair = last_check.pair(row)
    if pair is None:
        return operator.refuse(report_("There is no result {row}", row=row), "WARNING")
    last_check.chosen, last_check.framed = row, True
    collisions.tested_again.read_again(context)
    isolation.follow(context)
    pair_overlay.show(context, row)
    body_a, body_b = last_check.bodies_of(pair)
    for body in (body_a, body_b):
        if last_check.body_is_gone(body):
            return operator.refuse(report_('"{name}" was deleted since this check', name=body.name), "WARNING")
    if not select_objects_of(context, pair):
        return operator.refuse(report_("Both objects are hidden: nothing was selected"), "WARNING")
    if not framing.frame(context, last_check.pair(row) or pair):
        selection.frame_selected(context)
    return {"FINISHED"}


def select_objects_of(context: bpy.types.Context, pair: PairResult) -> list[bpy.types.Object]:
    """Select the objects of a pair of the session's report, and activate the one to be moved.

    Returns
    -------
    list of bpy.types.Object
        Selected objects, the active one first.
    """
    body_a, body_b = last_check.bodies_of(pair)
    keys = body_a.key, body_b.key
    if last_check.report is not None and last_check.world is not None:
        keys = fixes.first_to_move.first_to_move(last_check.report, last_check.world, pair)
    return selection.select_pair(context, *keys)


class Stepping(OnResults):
    """Chooses the result before or after the chosen one in the list. Not registered itself."""

    # 1: next, -1: previous.
    by = 1

    def run(self, context: bpy.types.Context) -> set[str]:
        """Choose it, as clicking its row does."""
        results = results_list(context.window_manager)
        lines, chosen = results_rows.lines(results), results_rows.chosen_place(results)
        first = self.by > 0 and not last_check.framed and chosen != NONE
        place = chosen if first else step(lines, chosen, self.by)
        if place == NONE:
            return self.refuse(report_("The filter hides all results"), "INFO")
        results_rows.choose_place(results, place)
        return choose(self, context, last_check.chosen)


class COLLISION_KIT_OT_next_result(Stepping):
    """The first follows the last. A result chosen by a check or a fix comes before the next."""

    bl_idname = "collision_kit.next_result"
    manual = "quickstart"
    bl_label = "Next Result"
    bl_description = (
        "Make the next result in the list active, select its objects and frame them. After the last "
        "result, start again at the first"
    )
    bl_options = {"REGISTER", "UNDO_GROUPED"}
    bl_undo_group = COLLISION_KIT_OT_select_pair.bl_label

    by = 1


class COLLISION_KIT_OT_previous_result(Stepping):
    """The last precedes the first."""

    bl_idname = "collision_kit.previous_result"
    manual = "quickstart"
    bl_label = "Previous Result"
    bl_description = (
        "Make the previous result in the list active, select its objects and frame them. Before the "
        "first result, go to the last"
    )
    bl_options = {"REGISTER", "UNDO_GROUPED"}
    bl_undo_group = COLLISION_KIT_OT_select_pair.bl_label

    by = -1


class COLLISION_KIT_OT_isolate_pair(Operator):
    """Temporarily hides all other objects."""

    bl_idname = "collision_kit.isolate_pair"
    manual = "quickstart"
    bl_label = "Isolate Pair"
    bl_description = (
        "Show only the objects of the active result in this 3D viewport, or restore what was shown. "
        "Visibility settings are not changed"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a chosen pair and a 3D view, or a view that shows a pair alone."""
        if isolation.is_on(context):
            return ""
        return chosen_missing(context) or (tip_("No 3D viewport") if visibility.local_view(context) is None else "")

    def run(self, context: bpy.types.Context) -> set[str]:
        """Start or end isolation."""
        if isolation.is_on(context):
            isolation.stop(context)
        elif not isolation.start(context):
            return self.refuse(report_("Both objects are hidden: nothing to show"), "WARNING")
        else:
            # An isolated result counts as seen, so the next one comes after it.
            last_check.framed = True
        return {"FINISHED"}


class COLLISION_KIT_OT_select_duplicates(OnResults):
    """Selects duplicates so that they can be deleted, and one object stays in each place."""

    bl_idname = "collision_kit.select_duplicates"
    manual = "report"
    bl_label = "Select Duplicates"
    bl_description = (
        "Of objects that have the same geometry in the same place, select all but one, for example to delete them. "
        "Accepted and ignored pairs and instances are left out"
    )
    bl_options = {"REGISTER", "UNDO"}

    def run(self, context: bpy.types.Context) -> set[str]:
        """Select the duplicates, and report their number."""
        assert last_check.report is not None  # ensured by `poll`
        found = copies(last_check.report, results_rows.marks())
        if not found:
            return self.refuse(report_("No duplicates found"), "WARNING")
        # The colliders of a copy would remain as duplicates of those of the other.
        keys = [key for body in found for key in (body.key, *body.members)]
        selected = {ob.session_uid for ob in selection.select_objects(context, keys)}
        if not selected:
            return self.refuse(report_("All duplicates are hidden: nothing was selected"), "WARNING")
        count = sum(not selected.isdisjoint(body_uids(body)) for body in found)
        self.report({"INFO"}, report_("{count} duplicates selected", count=count))
        return {"FINISHED"}


# Verdicts of pairs in the list, by their names for operators.
BY_NAME = {name.upper(): verdict for verdict, name in results_rows.SWITCHES.items()}


class COLLISION_KIT_OT_show_all_results(Operator):
    """Clears all filters of the list."""

    bl_idname = "collision_kit.show_all_results"
    manual = "quickstart"
    bl_label = "Show All Collision Results"
    bl_description = "Reset the filters so that all results are listed"
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires results."""
        return tip_("No results: run Check Collisions first") if last_check.report is None else ""

    def run(self, context: bpy.types.Context) -> set[str]:
        """Reset the filters."""
        results_rows.show_all(context.window_manager)
        return {"FINISHED"}


class COLLISION_KIT_OT_select_checked(Operator):
    """Selects all checked objects, so that the same selection can be checked again."""

    bl_idname = "collision_kit.select_checked"
    manual = "quickstart"
    bl_label = "Select Checked Objects"
    bl_description = "Select all objects that the last check tested, for example to check them again"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a report on this scene."""
        return report_missing(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Select the objects that still exist and are visible."""
        keys = [body.key for body in last_check.report.bodies] if last_check.report is not None else []
        selected = selection.select_objects(context, keys)
        self.report({"INFO"}, report_("{count} objects selected", count=len(selected)))
        return {"FINISHED"} if selected else {"CANCELLED"}


class COLLISION_KIT_OT_select_by_verdict(OnResults):
    """Selects the objects of all pairs with a verdict."""

    bl_idname = "collision_kit.select_by_verdict"
    manual = "quickstart"
    bl_label = "Select by Verdict"
    bl_description = "Select the objects of all pairs with this verdict that are neither accepted nor ignored"
    bl_options = {"REGISTER", "UNDO"}

    verdict: EnumProperty(
        name="Verdict",
        translation_context=CONTEXT,
        description="Which pairs' objects are selected",
        items=[(name, VERDICTS[verdict].name, "") for name, verdict in BY_NAME.items()],
        default="PENETRATING",
    )

    def run(self, context: bpy.types.Context) -> set[str]:
        """Select the objects that still exist and are visible."""
        report = last_check.report
        rows = results_rows.marks().open_rows(report, (BY_NAME[self.verdict],)) if report is not None else ()
        if report is None or not rows:
            return self.refuse(report_("There are no such pairs"), "WARNING")
        keys = [body.key for row in rows for body in last_check.bodies_of(report.pairs[row])]
        selected = selection.select_objects(context, keys)
        self.report({"INFO"}, report_("{count} objects selected", count=len(selected)))
        return {"FINISHED"} if selected else {"CANCELLED"}


def clear_latest(context: bpy.types.Context, latest: Latest[Any], *, drawn: bool) -> set[str]:
    """Clear the last result of one kind. If it was drawn, draw the chosen pair of the collision check again."""
    latest.forget()
    if drawn:
        pair_overlay.show(context, last_check.chosen)
    return {"FINISHED"}


class COLLISION_KIT_OT_clear_results(Operator):
    """Clears the list and the overlay."""

    bl_idname = "collision_kit.clear_results"
    manual = "quickstart"
    bl_label = "Clear Collision Results"
    bl_description = "Clear the list of results and their drawing in the viewport"
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires results."""
        return tip_("No results to clear") if last_check.report is None else ""

    def run(self, context: bpy.types.Context) -> set[str]:
        """Clear the report."""
        stored_results.clear()
        return {"FINISHED"}


# Width in pixels at a resolution scale of 1, and number of rows of the list.
WIDTH = 900
MOST_ROWS = 24


def columns_now() -> list[tuple[str, str, int]]:
    """The order set by clicking each column header, the header, and the fraction of the width."""
    columns = [
        ("VERDICT", label_("Verdict"), 15),
        ("NAME", label_("Objects"), 58),
        ("DEPTH", label_("Depth"), 12),
        ("GROUP", label_("Group"), 8),
    ]
    if last_check.report is not None and last_check.report.tests:
        columns.append(("TEST", label_("Test"), 15))
    return columns


def divided(layout: bpy.types.UILayout, shares: Sequence[int]) -> list[bpy.types.UILayout]:
    """Return parts of a row with these fractions of its width."""
    rest, left, parts = layout, sum(shares), []
    for share in shares[:-1]:
        split = rest.split(factor=share / left, align=True)
        parts.append(split.row(align=True))
        rest, left = split.row(align=True), left - share
    return [*parts, rest]


class COLLISION_KIT_OT_results_table(OnResults):
    """Shows a table until the pointer leaves it."""

    bl_idname = "collision_kit.results_table"
    manual = "quickstart"
    bl_label = "Results Table"
    bl_description = (
        "Show the list of results in a wide popup with full names. Click the head of a column to sort by it"
    )
    bl_options = {"REGISTER"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        """Show the table."""
        return context.window_manager.invoke_popup(self, width=WIDTH)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the search, the column headers, and the list."""
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

    def run(self, context: bpy.types.Context) -> set[str]:
        """Do nothing: without a window there is nothing to show."""
        return {"FINISHED"}


# Pixels at a resolution scale of 1: row names, and a column.
NAMES, COLUMN = 150, 84


class COLLISION_KIT_OT_pairs_by_collection(OnResults):
    """Shows a table until the pointer leaves it."""

    bl_idname = "collision_kit.pairs_by_collection"
    manual = "report"
    bl_label = "Pairs by Collection"
    bl_description = (
        "Show how many pairs every two collections have, and the worst of them. Click a number to list them"
    )
    bl_options = {"REGISTER"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        """Show the current collections."""
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

    def run(self, context: bpy.types.Context) -> set[str]:
        """Do nothing: without a window there is nothing to show."""
        return {"FINISHED"}


PARTS = (
    ("ALL", "All", "List all pairs again"),
    ("COLLECTIONS", "Collections", "List the pairs between two collections"),
    ("GROUP", "Group", "List the pairs of a group of connected objects"),
)


class COLLISION_KIT_OT_filter_results(OnResults):
    """The operator for clicks on a cell of the table, or on a group."""

    bl_idname = "collision_kit.filter_results"
    manual = "report"
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
        """Return the tooltip of a cell."""
        given: Any = properties
        if given.by != "COLLECTIONS":
            return tip_(cls.bl_description)
        between = _between(given.first, given.second)
        cell = results_rows.parts().cells.get(between)
        worst = label_(VERDICTS[cell.worst].name) if cell is not None else ""
        return tip_("{pair}. Worst: {verdict}", pair=results_rows.parts().text(Part(between)), verdict=worst)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Limit the list."""
        chosen = ALL
        if self.by == "ALL":
            results_list(context.window_manager).view.property_unset("status")
        if self.by == "COLLECTIONS":
            chosen = Part(_between(self.first, self.second))
        elif self.by == "GROUP":
            groups, report = results_rows.parts().groups, last_check.report
            if report is None or self.group > len(groups):
                return self.refuse(report_("There is no group {number}", number=self.group), "WARNING")
            chosen = Part(member=report.bodies[groups[self.group - 1].bodies[0]].key)
        results_rows.show_part(chosen)
        return {"FINISHED"}


class COLLISION_KIT_OT_filter_by_status(OnResults):
    """Lists only pairs of a status."""

    bl_idname = "collision_kit.filter_by_status"
    manual = "report"
    bl_label = "Filter by Status"
    bl_description = "List only the pairs that have a status. Those without one are open"
    bl_options = {"REGISTER"}

    status: StringProperty(
        name="Status", description="Status of the listed pairs. Empty lists all pairs", options={"SKIP_SAVE"}
    )

    def run(self, context: bpy.types.Context) -> set[str]:
        """Limit the list."""
        results_list(context.window_manager).view.status = self.status
        return {"FINISHED"}


def _between(first: str, second: str) -> tuple[str, str]:
    return (first, second) if first <= second else (second, first)


def _columns(table: bpy.types.UILayout, name: str, count: int) -> bpy.types.UILayout:
    """Return a row with a name, and the layout of its columns."""
    row = table.split(factor=NAMES / (NAMES + COLUMN * max(count, 2)), align=True)
    row.label(text=name, translate=False)
    return row.grid_flow(columns=max(count, 2), even_columns=True, even_rows=False, align=False, row_major=True)


CLASSES = (
    COLLISION_KIT_OT_select_pair,
    COLLISION_KIT_OT_next_result,
    COLLISION_KIT_OT_previous_result,
    COLLISION_KIT_OT_isolate_pair,
    COLLISION_KIT_OT_select_duplicates,
    COLLISION_KIT_OT_show_all_results,
    COLLISION_KIT_OT_select_checked,
    COLLISION_KIT_OT_select_by_verdict,
    COLLISION_KIT_OT_clear_results,
    COLLISION_KIT_OT_results_table,
    COLLISION_KIT_OT_pairs_by_collection,
    COLLISION_KIT_OT_filter_results,
    COLLISION_KIT_OT_filter_by_status,
)
