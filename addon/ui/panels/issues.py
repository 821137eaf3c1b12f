# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels of issues of single objects, and of objects that were not tested."""

from collections.abc import Sequence
from typing import Any

import bpy

from ...i18n.lookup import label_, translated
from ...model.report import Issue, Skipped
from ...session.collision_results import last_check
from .layout import paragraph
from .tab import CollisionTab

ICONS: dict[str, Any] = {"error": "CANCEL", "warning": "ERROR", "info": "INFO"}

# A panel is drawn completely, visible or not. Beyond this number of entries, only their number is shown.
MOST_ENTRIES = 50


class COLLISION_KIT_PT_issues(CollisionTab, bpy.types.Panel):
    """Objects that could not be represented exactly, and similar issues."""

    bl_label = "Issues"
    bl_parent_id = "COLLISION_KIT_PT_results"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if there are issues."""
        return last_check.report is not None and bool(last_check.report.issues)

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the number into the header."""
        draw_count(self.layout, len(last_check.report.issues) if last_check.report is not None else 0)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw each issue: the object, then the sentence."""
        draw_issues(self.layout, context, last_check.report.issues if last_check.report is not None else ())


class COLLISION_KIT_PT_skipped(CollisionTab, bpy.types.Panel):
    """Objects of the scope that were left out, by reason."""

    bl_label = "Not Tested"
    bl_parent_id = "COLLISION_KIT_PT_results"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if an object was left out."""
        return last_check.report is not None and bool(last_check.report.skipped)

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the number into the header."""
        draw_count(self.layout, len(last_check.report.skipped) if last_check.report is not None else 0)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw each reason once, with its objects below it."""
        draw_skipped(self.layout, context, last_check.report.skipped if last_check.report is not None else ())


def draw_issues(layout: bpy.types.UILayout, context: bpy.types.Context, issues: Sequence[Issue]) -> None:
    """Draw each issue: the object, then the sentence."""
    for issue in issues[:MOST_ENTRIES]:
        column = layout.column(align=True)
        column.label(text=issue.object, icon=ICONS.get(issue.severity, "INFO"), translate=False)
        paragraph(column, context, translated(issue.message), "BLANK1")
    draw_rest(layout, len(issues) - MOST_ENTRIES)


def draw_skipped(layout: bpy.types.UILayout, context: bpy.types.Context, skipped: Sequence[Skipped]) -> None:
    """Draw each reason once, with its objects below it."""
    by_reason: dict[str, list[str]] = {}
    for entry in skipped[:MOST_ENTRIES]:
        by_reason.setdefault(entry.reason, []).append(entry.object)
    for reason, names in by_reason.items():
        column = layout.column(align=True)
        paragraph(column, context, translated(reason), "INFO")
        for name in names:
            column.label(text=name, icon="BLANK1", translate=False)
    draw_rest(layout, len(skipped) - MOST_ENTRIES)


def draw_count(layout: bpy.types.UILayout, count: int) -> None:
    """Draw the number of entries of a panel into its header."""
    layout.label(text=f"{count} ", translate=False)


def draw_rest(layout: bpy.types.UILayout, count: int) -> None:
    """Draw the number of entries that are left out, if any."""
    if count > 0:
        layout.label(text=label_("and {count} more", count=count), translate=False)
