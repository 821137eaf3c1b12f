# SPDX-License-Identifier: GPL-3.0-or-later
"""Repair everything of a validation that can be repaired."""

import bpy

from ... import validation
from ...i18n.lookup import enumerated, report_, tip_
from ...session import validation_results
from .validation_poll import findings_missing


class COLLISION_KIT_OT_fix_all(bpy.types.Operator):
    """Does what the rules advise, wherever that takes no decision, and lists what it did."""

    bl_idname = "collision_kit.fix_all"
    bl_label = "Fix All Collider Issues"
    bl_description = (
        "Fix all issues that need no decision, such as scale, normals, loose parts, concave colliders and names"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be something to repair, and object mode to do it in."""
        missing = findings_missing(context, repairing=True)
        kept = validation_results.kept_here(context)
        if not missing and kept is not None and not kept.report.any_fixable:
            missing = tip_("None of the issues can be fixed automatically")
        if missing:
            cls.poll_message_set(missing)
        return not missing

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Repair, list what was done, and what is left."""
        kept = validation_results.kept_here(context)
        if kept is None:
            return {"CANCELLED"}
        report = validation.run.fix_all(context, kept.report)
        validation.run.keep(context, report)
        repaired = report_("{count} issues fixed", count=len(report.done))
        left = report_("{count} issues left", count=len(report.violations))
        self.report({"INFO"}, enumerated((repaired, left)))
        return {"FINISHED"}
