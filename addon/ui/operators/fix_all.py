# SPDX-License-Identifier: GPL-3.0-or-later
"""Repair everything of a validation that can be repaired."""

from functools import partial
from typing import cast

import bpy
from bpy.props import StringProperty

from ... import validation
from ...i18n.lookup import enumerated, label_, report_, tip_
from ...model.validation_report import ValidationReport
from ...session import validation_results
from ...viewport import pair as pair_overlay
from .modal_steps import RunInSteps, Steps, undisturbed
from .validation_poll import findings_missing


class COLLISION_KIT_OT_fix_all(RunInSteps):
    """Does what the rules advise, wherever that takes no decision, and lists what it did; what it did stays done."""

    bl_idname = "collision_kit.fix_all"
    bl_label = "Fix All Collider Issues"
    bl_description = (
        "Fix all issues that need no decision, such as scale, normals, loose parts, concave colliders and names"
    )
    bl_options = {"REGISTER", "UNDO"}

    # Annotated, Blender would take it for a property.
    _repairs = cast("validation.fixes.Repairs", None)

    rule: StringProperty(
        name="Rule",
        description="ID of the rule whose issues are fixed. Empty: the issues of all rules",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """Say which issues are fixed."""
        if getattr(properties, "rule", ""):
            return tip_("Fix all issues of this rule that need no decision")
        return tip_(cls.bl_description)

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

    def begin(self, context: bpy.types.Context) -> Steps:
        """Repair, in steps between which the scene may be looked at."""
        kept = validation_results.kept_here(context)
        assert kept is not None  # As `poll` says.
        self._repairs = validation.fixes.Repairs(kept.report)
        return validation.run.fix_steps(context, self._repairs, self.rule, partial(undisturbed, context))

    def share(self, progress: "validation.fixes.FixProgress") -> float:
        """How many of the repairs known so far are done."""
        return progress.done / max(progress.done + progress.left, 1)

    def status(self, progress: "validation.fixes.FixProgress") -> str:
        """Say how many repairs are done, and how many are left."""
        if not progress.left:
            return label_("Validating: {count} issues fixed", count=progress.done)
        return label_("Fixing issues: {done} of {total}", done=progress.done, total=progress.done + progress.left)

    def finish(self, context: bpy.types.Context, found: ValidationReport) -> set[str]:
        """Keep the report for the panel; say how many issues were fixed, and how many are left."""
        validation.run.keep(context, found)
        pair_overlay.step_back(context)
        self._sum_up(found)
        return {"FINISHED"}

    def leave(self, context: bpy.types.Context) -> set[str]:
        """Keep what was repaired: undo takes it back in one step."""
        if not self._repairs.done:
            return {"CANCELLED"}
        validation.run.keep_unfinished(context, self._repairs)
        pair_overlay.step_back(context)
        self._sum_up(self._repairs.so_far())
        return {"FINISHED"}

    def _sum_up(self, report: ValidationReport) -> None:
        repaired = report_("{count} issues fixed", count=len(report.done))
        left = report_("{count} issues left", count=len(report.violations))
        self.report({"INFO"}, enumerated((repaired, left)))
