# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels of a validation: issues of colliders, worst first, and fixes."""

from typing import Any

import bpy

from ...i18n import CONTEXT
from ...i18n.lookup import enumerated, label_, sentences
from ...i18n.rule_sentences import FIXED
from ...model.validation_report import ValidationReport
from ...scene.settings import scene_settings
from ...session import validation_results
from .issue_list import draw_issues
from .issues import MOST_ENTRIES, draw_count, draw_rest
from .layout import fields, is_narrow, paragraph
from .tab import CollisionTab, SwitchedTab


class COLLISION_KIT_PT_validation(SwitchedTab, bpy.types.Panel):
    """The engine, and the issues for it."""

    bl_label = "Validation"
    bl_options = {"DEFAULT_CLOSED"}
    switch = "validation"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings, the buttons and the issues."""
        stored = scene_settings(context).validation
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        fields(column, context, scene_settings(context), "engine")
        fields(column, context, stored, "scope")
        row = layout.row()
        row.scale_y = 1.5
        row.operator("collision_kit.validate_colliders", icon="CHECKMARK")
        found = validation_results.kept_here(context)
        if found is None:
            return
        column = layout.column()
        if found.change is not None:
            paragraph(column, context, label_("The scene has changed: validate again"), "ERROR")
        if not found.report.issues:
            tested = label_("{count} colliders validated", count=found.report.colliders)
            paragraph(column, context, sentences((tested, label_("No issues"))), "CHECKMARK")
            return
        layout.label(text=_counts(found.report), translate=False)
        # Blender would look this up among the names of operators.
        layout.operator("collision_kit.fix_issues", text=label_("Fix All"), translate=False, icon="TOOL_SETTINGS")
        draw_issues(layout, context, found.report)


class COLLISION_KIT_PT_validation_limits(CollisionTab, bpy.types.Panel):
    """Panel of the limits of a validation."""

    bl_label = "Limits"
    bl_translation_context: Any = CONTEXT
    bl_parent_id = "COLLISION_KIT_PT_validation"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the limits."""
        stored = scene_settings(context).validation
        # A field without a name beside it shows the name itself.
        self.layout.use_property_split = not is_narrow(context)
        self.layout.use_property_decorate = False
        column = self.layout.column()
        for name in ("smallest", "vertices", "triangles", "sticking_out", "overlap"):
            column.prop(stored, name)


class COLLISION_KIT_PT_validation_done(CollisionTab, bpy.types.Panel):
    """Panel of fixes."""

    bl_label = "Fixed"
    # Blender translates its own "Fixed" as "unmovable".
    bl_translation_context: Any = CONTEXT
    bl_parent_id = "COLLISION_KIT_PT_validation"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if something was fixed."""
        found = validation_results.kept_here(context)
        return found is not None and bool(found.report.done)

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Draw the number into the header."""
        found = validation_results.kept_here(context)
        draw_count(self.layout, len(found.report.done) if found is not None else 0)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw each fix: the object, and how."""
        found = validation_results.kept_here(context)
        done = found.report.done if found is not None else ()
        column = self.layout.column(align=True)
        for one in done[:MOST_ENTRIES]:
            column.label(text=label_('"{name}": {text}', name=one.object, text=label_(FIXED[one.fix])), translate=False)
        draw_rest(self.layout, len(done) - MOST_ENTRIES)


def _counts(report: ValidationReport) -> str:
    counts = report.counts()
    texts = (
        label_("{count} errors", count=counts["error"]),
        label_("{count} warnings", count=counts["warning"]),
        label_("{count} info", count=counts["info"]),
    )
    return enumerated(texts)
