# SPDX-License-Identifier: GPL-3.0-or-later
"""Find out what an engine will make of the scene's colliders."""

import bpy

from ... import validation
from ...i18n.lookup import enumerated, label_, report_, sentences, tip_
from ...model.validation_report import ValidationReport
from ...viewport import pair as pair_overlay
from .modal_steps import RunInSteps, Steps, undisturbed


class COLLISION_KIT_OT_validate_colliders(RunInSteps):
    """Holds colliders against the rules of an engine, and lists what breaks them."""

    bl_idname = "collision_kit.validate_colliders"
    bl_label = "Validate Colliders"
    bl_description = (
        "Check how the engine will import the colliders: names, shapes, scale, and how well they "
        "match the render meshes"
    )
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be an object to look at."""
        found = bool(context.scene.objects)
        if not found:
            cls.poll_message_set(tip_("The scene has no objects"))
        return found

    def begin(self, context: bpy.types.Context) -> Steps:
        """Validate as the scene's settings say."""
        return undisturbed(context, validation.run.scene_steps(context))

    def share(self, progress: "validation.check.Progress") -> float:
        """How many of the questions have been asked."""
        return progress.done / max(progress.total, 1)

    def status(self, progress: "validation.check.Progress") -> str:
        """Say how many, and what was found so far."""
        return label_(
            "Validating: {done} of {total} tests, {count} issues found",
            done=progress.done,
            total=progress.total,
            count=progress.findings,
        )

    def finish(self, context: bpy.types.Context, found: ValidationReport) -> set[str]:
        """Keep the report for the panel, and sum it up."""
        validation.run.keep(context, found)
        pair_overlay.step_back(context)
        summarize(self, found)
        return {"FINISHED"}


def summarize(operator: bpy.types.Operator, report: ValidationReport) -> None:
    """Say how much was found, as a warning where there is an error."""
    counts = report.counts()
    tested = report_("{count} colliders validated", count=report.colliders)
    if not report.violations:
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
