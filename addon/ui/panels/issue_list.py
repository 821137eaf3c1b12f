# SPDX-License-Identifier: GPL-3.0-or-later
"""Issues of a validation: a line for each rule, which opens to a list of its objects."""

from typing import Any

import bpy

from ...engines.scripts import SETTLED_BY
from ...i18n.lookup import label_, translated
from ...i18n.rule_sentences import message
from ...i18n.units import spoken_text
from ...model.validation_report import IssueGroup, ValidationReport
from ...scene import open_file
from ...scene.settings import issue_groups
from ...session import validation_results
from .issues import ICONS
from .layout import is_narrow, paragraph
from .list_rows import search_by_name

# Rows of a list before it scrolls.
MOST_ROWS = 6

# Icons of advice and of a fix.
ADVICE: Any = "LIGHT"
FIX: Any = "TOOL_SETTINGS"


class COLLISION_KIT_UL_issues(bpy.types.UIList):
    """Objects that violate one rule."""

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: Any,
        item: object,
        icon: int,
        active_data: object,
        active_property: str,
        index: int = 0,
        flt_flag: int = 0,
    ) -> None:
        """Draw an object, with a button if its issue can be fixed."""
        found = validation_results.kept_here(context)
        issue_group = found.report.by_rule.get(data.name) if found is not None else None
        if found is None or issue_group is None or index >= len(issue_group.rows):
            return
        issue = found.report.issues[issue_group.rows[index]]
        row = layout.row(align=True)
        row.active = found.change is None
        row.label(text=issue.object, translate=False)
        if issue.fixable:
            fix: Any = row.operator("collision_kit.fix_issue", text="", icon=FIX, emboss=False)
            fix.row = issue_group.rows[index]

    def filter_items(self, context: bpy.types.Context, data: Any, property: str) -> tuple[list[int], list[int]]:
        """Keep the rows whose objects' names contain the text of the search field. Sort by severity, or by name."""
        found = validation_results.kept_here(context)
        issue_group = found.report.by_rule.get(data.name) if found is not None else None
        if found is None or issue_group is None:
            return [], []
        return search_by_name(self, [found.report.issues[row].object for row in issue_group.rows])


def draw_issues(layout: bpy.types.UILayout, context: bpy.types.Context, report: ValidationReport) -> None:
    """Draw a line for each violated rule: its title, the number of issues, and buttons for all of its objects."""
    groups = issue_groups(context.window_manager)
    column = layout.column(align=True)
    for rule_id, issue_group in report.by_rule.items():
        # In the stubs, this returns None.
        opened: Any = column.panel
        header, body = opened(f"COLLISION_KIT_PT_issues_{rule_id}", default_closed=True)
        header.label(text=label_(issue_group.rule.title), icon=ICONS[issue_group.rule.severity], translate=False)
        buttons = header.row(align=True)
        buttons.alignment = "RIGHT"
        buttons.label(text=f"{len(issue_group.rows)}", translate=False)
        select: Any = buttons.operator("collision_kit.select_issue", text="", icon="RESTRICT_SELECT_OFF", emboss=False)
        select.rule = rule_id
        if issue_group.fixable:
            fix: Any = buttons.operator("collision_kit.fix_issues", text="", icon=FIX, emboss=False)
            fix.rule = rule_id
        elif not is_narrow(context):
            buttons.label(text="", icon="BLANK1")
        group = groups.get(rule_id)
        if body is not None and group is not None:
            _draw_rule(body, context, report, issue_group, group)


def _draw_rule(
    layout: bpy.types.UILayout,
    context: bpy.types.Context,
    report: ValidationReport,
    issue_group: IssueGroup,
    group: Any,
) -> None:
    """Draw the objects that violate a rule, and the issue and the advice for the active one."""
    rows = min(max(len(issue_group.rows), 2), MOST_ROWS)
    # The maximum is also the default, because a larger list would push other rules out of sight.
    layout.template_list("COLLISION_KIT_UL_issues", group.name, group, "rows", group, "active", rows=rows, maxrows=rows)
    place = group.active if 0 <= group.active < len(issue_group.rows) else 0
    issue = report.issues[issue_group.rows[place]]
    # If the problem is the same for each object, the text has no values of the object.
    column = layout.column(align=True)
    paragraph(column, context, translated(message(issue, context.scene.unit_settings, spoken_text)))
    paragraph(column, context, label_(issue_group.rule.advice), ADVICE)
    if issue_group.rule.fix and issue.linked:
        text = label_('"{name}" is linked: change it in its own file', name=issue.object)
        paragraph(column, context, text, "LINKED")
    if issue_group.rule.id in SETTLED_BY:
        button: Any = column.operator(
            "collision_kit.save_import_script", text=label_("Save Import Script"), translate=False, icon="FILE_SCRIPT"
        )
        button.engine = SETTLED_BY[issue_group.rule.id]
    layout.separator(factor=0.5)


@validation_results.latest.on_new.subscribe
def fit() -> None:
    """Adapt the lists to the issues: one list for each violated rule, with a row for each issue."""
    found = validation_results.latest.result
    for manager in open_file.window_managers():
        groups = issue_groups(manager)
        groups.clear()
        for rule_id, issue_group in found.report.by_rule.items() if found is not None else ():
            group = groups.add()
            group.name = rule_id
            for _ in issue_group.rows:
                group.rows.add()
