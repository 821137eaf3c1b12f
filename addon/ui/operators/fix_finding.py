# SPDX-License-Identifier: GPL-3.0-or-later
"""Repair what one finding of a validation is about."""

import bpy
from bpy.props import IntProperty

from ... import validation
from ...i18n.lookup import report_
from ...i18n.rule_sentences import FIXED
from ...session import validation_results
from ...viewport import pair as pair_overlay
from .validation_poll import findings_missing


class COLLISION_KIT_OT_fix_finding(bpy.types.Operator):
    """Does what the rule of a finding advises, where that takes no decision."""

    bl_idname = "collision_kit.fix_finding"
    bl_label = "Fix Collider Issue"
    bl_description = "Fix this issue and validate again"
    bl_options = {"REGISTER", "UNDO"}

    row: IntProperty(
        name="Issue",
        description="Index of the issue, from zero; -1 for the first fixable issue of the active object",
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
            self.report({"WARNING"}, report_("No issue of the active object can be fixed automatically"))
            return {"CANCELLED"}
        if kept is None or violation is None:
            self.report({"WARNING"}, report_("There is no issue {row}", row=row))
            return {"CANCELLED"}
        if not violation.fixable:
            text = report_("This issue cannot be fixed automatically")
            if violation.linked:
                text = report_('"{name}" is linked: change it in its own file', name=violation.object)
            self.report({"WARNING"}, text)
            return {"CANCELLED"}
        report = validation.run.fix_finding(context, kept.report, violation)
        if report is None:
            self.report({"WARNING"}, report_('"{name}" was changed or deleted: validate again', name=violation.object))
            return {"CANCELLED"}
        validation.run.keep(context, report)
        pair_overlay.step_back(context)
        (done,) = report.done
        self.report({"INFO"}, report_('"{name}": {text}', name=done.object, text=report_(FIXED[done.fix])))
        return {"FINISHED"}
