# SPDX-License-Identifier: GPL-3.0-or-later
"""What engines will make of the colliders: the findings of a validation, worst first, and what was repaired."""

from typing import Any

import bpy

from ...i18n import CONTEXT
from ...i18n.lookup import label_, sentences, translated
from ...i18n.rule_sentences import FIXED, SEVERITY_NAMES, message
from ...model.validation_report import ValidationReport
from ...scene.settings import scene_settings
from ...session import validation_results
from .findings import ICONS, MOST_ENTRIES, draw_count, draw_rest
from .layout import paragraph
from .tab import CollisionTab


class COLLISION_KIT_PT_validation(CollisionTab, bpy.types.Panel):
    """Which engine, and what it would not like."""

    bl_label = "Validation"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings, the buttons and the findings."""
        stored = scene_settings(context).validation
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        column.prop(stored, "engine")
        column.prop(stored, "scope")
        row = layout.row()
        row.scale_y = 1.5
        row.operator("collision_kit.validate_colliders", icon="CHECKMARK")
        found = validation_results.kept_here(context)
        if found is None:
            return
        column = layout.column()
        if found.change is not None:
            paragraph(column, context, label_("The scene has changed: validate again"), "ERROR")
        if not found.report.violations:
            tested = label_("{count} colliders validated", count=found.report.colliders)
            paragraph(column, context, sentences((tested, label_("No issues"))), "CHECKMARK")
            return
        # Blender would look this up among the names of operators.
        layout.operator("collision_kit.fix_all", text=label_("Fix All"), translate=False, icon="TOOL_SETTINGS")
        _draw_findings(layout, context, found.report)


class COLLISION_KIT_PT_validation_limits(CollisionTab, bpy.types.Panel):
    """What colliders are held against."""

    bl_label = "Limits"
    bl_translation_context: Any = CONTEXT
    bl_parent_id = "COLLISION_KIT_PT_validation"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the limits."""
        stored = scene_settings(context).validation
        self.layout.use_property_split = True
        self.layout.use_property_decorate = False
        column = self.layout.column()
        for name in ("smallest", "vertices", "triangles", "sticking_out", "overlap"):
            column.prop(stored, name)


class COLLISION_KIT_PT_validation_done(CollisionTab, bpy.types.Panel):
    """What has been repaired."""

    bl_label = "Fixed"
    bl_parent_id = "COLLISION_KIT_PT_validation"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show it if something was."""
        found = validation_results.kept_here(context)
        return found is not None and bool(found.report.done)

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Say how much, for those who do not open it."""
        found = validation_results.kept_here(context)
        draw_count(self.layout, len(found.report.done) if found is not None else 0)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw each repair: the object, and how."""
        found = validation_results.kept_here(context)
        done = found.report.done if found is not None else ()
        column = self.layout.column(align=True)
        for one in done[:MOST_ENTRIES]:
            column.label(text=label_('"{name}": {text}', name=one.object, text=label_(FIXED[one.fix])), translate=False)
        draw_rest(self.layout, len(done) - MOST_ENTRIES)


def _draw_findings(layout: bpy.types.UILayout, context: bpy.types.Context, report: ValidationReport) -> None:
    """Draw the worst: under its severity each object, what is wrong with it, and what to do."""
    counts, severity = report.counts(), ""
    for number, violation in enumerate(report.violations[:MOST_ENTRIES]):
        rule = violation.rule
        if rule.severity != severity:
            severity = rule.severity
            title = layout.row()
            title.label(
                text=label_("{name}: {text}", name=label_(SEVERITY_NAMES[severity]), text=counts[severity]),
                translate=False,
            )
        # No box: it would take room from the sentences, which are broken for the width of the sidebar.
        column = layout.column(align=True)
        row = column.row()
        left = row.row()
        left.alignment = "LEFT"
        click = left.operator(
            "collision_kit.select_finding",
            text=violation.object,
            translate=False,
            icon=ICONS[severity],
            emboss=False,
        )
        click.row = number
        if violation.fixable:
            right = row.row()
            right.alignment = "RIGHT"
            fix = right.operator("collision_kit.fix_finding", text=label_("Fix"), translate=False)
            fix.row = number
        paragraph(column, context, translated(message(violation, context.scene.unit_settings)), "BLANK1")
        paragraph(column, context, label_(rule.advice), "RIGHTARROW_THIN")
    draw_rest(layout, len(report.violations) - MOST_ENTRIES)
