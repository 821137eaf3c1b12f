# SPDX-License-Identifier: GPL-3.0-or-later
"""Validation of colliders: run it, select the objects of issues, and fix them."""

from functools import partial
from typing import cast

import bpy
from bpy.props import IntProperty, StringProperty

from ... import validation
from ...i18n.lookup import enumerated, label_, report_, sentences, tip_
from ...i18n.rule_sentences import FIXED
from ...model.validation_report import ValidationReport
from ...scene.objects import selection
from ...session import validation_results
from ...viewport import pair as pair_overlay
from .base import Operator
from .modal_steps import RunInSteps, Steps, undisturbed


def issues_missing(context: bpy.types.Context, *, fixing: bool) -> str:
    """Return what is missing, as a tooltip. Empty if nothing is."""
    found = validation_results.kept_here(context)
    if found is None:
        return tip_("No results: run Validate Colliders first")
    if not found.report.issues:
        return tip_("The last validation found no issues")
    if fixing and context.mode != "OBJECT":
        return tip_("Not in Object Mode")
    return ""


class COLLISION_KIT_OT_validate_colliders(RunInSteps):
    """Checks colliders against the rules of an engine, and lists violations."""

    bl_idname = "collision_kit.validate_colliders"
    manual = "validation"
    bl_label = "Validate Colliders"
    bl_description = (
        "Check how the engine will import the colliders: names, shapes, scale, and how well they "
        "match the render meshes"
    )
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires an object in the scope."""
        return "" if context.scene.objects else tip_("The scene has no objects")

    def begin(self, context: bpy.types.Context) -> Steps:
        """Validate with the settings of the scene."""
        return undisturbed(context, validation.run.scene_steps(context))

    def share(self, progress: "validation.check.Progress") -> float:
        """Return the finished fraction of the tests."""
        return progress.done / max(progress.total, 1)

    def status(self, progress: "validation.check.Progress") -> str:
        """Return the progress, and the number of issues so far."""
        return label_(
            "Validating: {done} of {total} tests, {count} issues found",
            done=progress.done,
            total=progress.total,
            count=progress.issues,
        )

    def finish(self, context: bpy.types.Context, found: ValidationReport) -> set[str]:
        """Store the report for the panel, and summarize it."""
        validation.run.keep(context, found)
        pair_overlay.step_back(context)
        summarize(self, found)
        return {"FINISHED"}


def summarize(operator: bpy.types.Operator, report: ValidationReport) -> None:
    """Report the numbers of issues, as a warning if there is an error."""
    counts = report.counts()
    tested = report_("{count} colliders validated", count=report.colliders)
    if not report.issues:
        operator.report({"INFO"}, sentences((tested, report_("No issues"))))
        return
    found = enumerated(
        (
            report_("{count} errors", count=counts["error"]),
            report_("{count} warnings", count=counts["warning"]),
            report_("{count} info", count=counts["info"]),
        )
    )
    operator.report({"WARNING" if counts["error"] else "INFO"}, sentences((tested, found)))


class COLLISION_KIT_OT_select_issue(Operator):
    """The operator for clicks on an issue."""

    bl_idname = "collision_kit.select_issue"
    manual = "validation"
    bl_label = "Select Collider of Issue"
    bl_description = "Select and frame the object of this issue. A hidden object is shown"
    bl_options = {"REGISTER", "UNDO_GROUPED"}

    rule: StringProperty(
        name="Rule",
        description="ID of the rule. All objects with an issue of it are selected. Empty: only the object of Issue",
        options={"SKIP_SAVE"},
    )
    row: IntProperty(
        name="Issue",
        description=("Index of the issue, from zero; -1 for the first issue of the object after the active object"),
        default=-1,
        min=-1,
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """Return which objects are selected."""
        if getattr(properties, "rule", ""):
            return tip_("Select and frame all objects with this issue. Hidden objects are shown")
        return tip_(cls.bl_description)

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires issues of this scene."""
        return issues_missing(context, fixing=False)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Select and frame the object if it still exists, or all objects that violate a rule."""
        if self.rule:
            return self._select_all(context)
        row = validation_results.row_after_active(context) if self.row < 0 else self.row
        issue = validation_results.issue(context, row)
        if issue is None:
            return self.refuse(report_("There is no issue {row}", row=row), "WARNING")
        if not selection.select_uids(context, [issue.uid]):
            return self.refuse(
                report_('Cannot select "{name}": it was deleted or is hidden', name=issue.object), "WARNING"
            )
        pair_overlay.step_back(context)
        selection.frame_selected(context)
        return {"FINISHED"}

    def _select_all(self, context: bpy.types.Context) -> set[str]:
        uids = validation_results.uids_of(context, self.rule)
        if not uids:
            return self.refuse(report_("There is no issue of the rule {name}", name=self.rule), "WARNING")
        count = selection.select_uids(context, uids)
        if not count:
            return self.refuse(report_("Nothing selected: all objects are deleted or hidden"), "WARNING")
        pair_overlay.step_back(context)
        selection.frame_selected(context)
        self.report({"INFO"}, report_("{count} objects selected", count=count))
        return {"FINISHED"}


class COLLISION_KIT_OT_fix_issue(Operator):
    """Applies the automatic fix of an issue."""

    bl_idname = "collision_kit.fix_issue"
    manual = "validation"
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
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires issues of this scene, and Object Mode."""
        return issues_missing(context, fixing=True)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Fix the issue, report how, and validate again."""
        kept = validation_results.kept_here(context)
        row = validation_results.fixable_row_of_active(context) if self.row < 0 else self.row
        issue = validation_results.issue(context, row)
        if issue is None and self.row < 0:
            return self.refuse(report_("No issue of the active object can be fixed automatically"), "WARNING")
        if kept is None or issue is None:
            return self.refuse(report_("There is no issue {row}", row=row), "WARNING")
        if not issue.fixable:
            text = report_("This issue cannot be fixed automatically")
            if issue.linked:
                text = report_('"{name}" is linked: change it in its own file', name=issue.object)
            return self.refuse(text, "WARNING")
        report = validation.run.fix_issue(context, kept.report, issue)
        if report is None:
            return self.refuse(report_('"{name}" was changed or deleted: validate again', name=issue.object), "WARNING")
        validation.run.keep(context, report)
        pair_overlay.step_back(context)
        (done,) = report.done
        self.report({"INFO"}, report_('"{name}": {text}', name=done.object, text=report_(FIXED[done.fix])))
        return {"FINISHED"}


class COLLISION_KIT_OT_fix_issues(RunInSteps):
    """Applies all automatic fixes, and lists them. Finished fixes are kept if it is canceled."""

    bl_idname = "collision_kit.fix_issues"
    manual = "validation"
    bl_label = "Fix All Collider Issues"
    bl_description = (
        "Fix all issues that need no decision, such as scale, normals, loose parts, concave colliders and names"
    )
    bl_options = {"REGISTER", "UNDO"}

    # Not annotated, because Blender would make it a property.
    _repairs = cast("validation.fixes.Repairs", None)

    rule: StringProperty(
        name="Rule",
        description="ID of the rule whose issues are fixed. Empty: the issues of all rules",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """Return which issues are fixed."""
        if getattr(properties, "rule", ""):
            return tip_("Fix all issues of this rule that need no decision")
        return tip_(cls.bl_description)

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires fixable issues, and Object Mode."""
        missing, kept = issues_missing(context, fixing=True), validation_results.kept_here(context)
        if not missing and kept is not None and not kept.report.any_fixable:
            return tip_("None of the issues can be fixed automatically")
        return missing

    def begin(self, context: bpy.types.Context) -> Steps:
        """Fix the issues, in steps between which the view can be changed."""
        kept = validation_results.kept_here(context)
        assert kept is not None  # ensured by `poll`
        self._repairs = validation.fixes.Repairs(kept.report)
        return validation.run.fix_steps(context, self._repairs, self.rule, partial(undisturbed, context))

    def share(self, progress: "validation.fixes.FixProgress") -> float:
        """Return the finished fraction of the fixes known so far."""
        return progress.done / max(progress.done + progress.left, 1)

    def status(self, progress: "validation.fixes.FixProgress") -> str:
        """Return the numbers of finished and remaining fixes."""
        if not progress.left:
            return label_("Validating: {count} issues fixed", count=progress.done)
        return label_("Fixing issues: {done} of {total}", done=progress.done, total=progress.done + progress.left)

    def finish(self, context: bpy.types.Context, found: ValidationReport) -> set[str]:
        """Store the report for the panel. Report how many issues were fixed, and how many are left."""
        validation.run.keep(context, found)
        pair_overlay.step_back(context)
        self._sum_up(found)
        return {"FINISHED"}

    def leave(self, context: bpy.types.Context) -> set[str]:
        """Keep the finished fixes. Undo reverts them in one step."""
        if not self._repairs.done:
            return {"CANCELLED"}
        validation.run.keep_unfinished(context, self._repairs)
        pair_overlay.step_back(context)
        self._sum_up(self._repairs.so_far())
        return {"FINISHED"}

    def _sum_up(self, report: ValidationReport) -> None:
        repaired = report_("{count} issues fixed", count=len(report.done))
        left = report_("{count} issues left", count=len(report.issues))
        self.report({"INFO"}, enumerated((repaired, left)))


CLASSES = (
    COLLISION_KIT_OT_validate_colliders,
    COLLISION_KIT_OT_select_issue,
    COLLISION_KIT_OT_fix_issue,
    COLLISION_KIT_OT_fix_issues,
)
