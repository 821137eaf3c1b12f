# SPDX-License-Identifier: GPL-3.0-or-later
"""Repair what one finding of a validation is about."""

import bpy
from bpy.props import IntProperty

from ...i18n.lookup import label_, report_
from ...i18n.rule_sentences import FIXED
from ...session import validation_results
from ...validation import run as validation_run
from ...validation.fixes import fix_one
from .validation_poll import findings_missing


class COLLISION_KIT_OT_fix_finding(bpy.types.Operator):
    """Does what the rule of a finding advises, where that takes no decision."""

    bl_idname = "collision_kit.fix_finding"
    bl_label = "Fix Collider Finding"
    bl_description = "Repair what this finding is about, and validate again. One step to undo"
    bl_options = {"REGISTER", "UNDO"}

    row: IntProperty(
        name="Finding",
        description="Number of the finding, counted from zero; -1: the first about the active object that can be fixed",
        default=-1,
        min=-1,
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be findings of this scene, and object mode to repair them in."""
        missing = findings_missing(context, repairing=True)
        if missing:
            cls.poll_message_set(missing)
        return not missing

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Repair, say how, and validate again."""
        kept = validation_results.kept_here(context)
        row = validation_results.fixable_row_of_active(context) if self.row < 0 else self.row
        violation = validation_results.violation(context, row)
        if violation is None and self.row < 0:
            self.report({"WARNING"}, report_("Nothing about the active object can be fixed automatically"))
            return {"CANCELLED"}
        if kept is None or violation is None:
            self.report({"WARNING"}, report_("There is no finding {row}", row=row))
            return {"CANCELLED"}
        if not violation.fixable:
            self.report({"WARNING"}, report_("This finding takes a decision: nothing was changed"))
            return {"CANCELLED"}
        done = fix_one(context, kept.report, violation)
        if done is None:
            self.report({"WARNING"}, report_("“{name}” was changed or deleted: validate again", name=violation.object))
            return {"CANCELLED"}
        validation_run.keep(context, validation_run.validate_again(context, kept.report), (done,))
        self.report({"INFO"}, f"{done.object}: {label_(FIXED[done.fix])}")
        return {"FINISHED"}
