# SPDX-License-Identifier: GPL-3.0-or-later
"""Check when moving objects first touch."""

import bpy

from ... import motion
from ...i18n.lookup import label_, report_, sentences, tip_
from ...model.motion_report import MotionEvidence, MotionReport
from ...scene import events
from ...scene.settings import motion_frames, motion_request, scene_settings
from ...session import dependencies, motion_results
from ...viewport import motion_contact as motion_overlay
from .check_collisions import scope_problem
from .modal_steps import RunInSteps, Steps


class COLLISION_KIT_OT_check_motion(RunInSteps):
    """Follows what moves through the frames, and shows the first contact that begins among them."""

    bl_idname = "collision_kit.check_motion"
    bl_label = "Check Motion"
    bl_description = (
        "Find when animated objects first touch, between frames too, with the place, the greatest "
        "depth and the last contact"
    )
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Say what is missing for a check of the scope in the range of frames."""
        text = scope_problem(context) or _range_problem(context)
        if text:
            cls.poll_message_set(text)
        return not text

    def begin(self, context: bpy.types.Context) -> Steps:
        """Follow the motion in the frames that the settings name."""
        self._request = motion_request(context)
        return motion.check.steps(context, self._request)

    def share(self, progress: "motion.check.Progress") -> float:
        """How much of the range has been followed."""
        return progress.done / progress.total

    def status(self, progress: "motion.check.Progress") -> str:
        """Say in which frame it is, and how many contacts have been found."""
        return label_(
            "Checking motion: frame {frame} of {end}, {count} contacts found",
            frame=self._request.start + progress.done - 1,
            end=self._request.end,
            count=progress.contacts,
        )

    def finish(self, context: bpy.types.Context, found: tuple[MotionReport, MotionEvidence]) -> set[str]:
        """Keep the report, list its contacts, and draw the chosen one."""
        report, evidence = found
        motion_results.keep(report, evidence, self._request, events.place(context))
        dependencies.remember_motion(context)
        motion_overlay.draw()
        self._summarize(report)
        return {"FINISHED"}

    def _summarize(self, report: MotionReport) -> None:
        tested = report_("{count} bodies tested", count=len(report.bodies))
        frames = report_("Frames {start} to {end}", start=report.start, end=report.end)
        if len(report.bodies) < 2:
            self.report({"WARNING"}, report_("Nothing to test: fewer than two bodies have a collision shape"))
            return
        count, near = len(report.contacts), len(report.near_misses)
        found = [report_("{count} contacts", count=count) if count else report_("No contacts")]
        if near:
            found.append(report_("{count} near misses", count=near))
        self.report({"INFO"}, sentences((*found, frames, tested)))


def _range_problem(context: bpy.types.Context) -> str:
    """Return why there is no range of frames, as a tooltip; empty if there is one."""
    scene = context.scene
    start, end = motion_frames(scene)
    if scene_settings(context).motion.frames == "PREVIEW" and not scene.use_preview_range:
        return tip_("The scene has no preview range")
    if start > end:
        return tip_("The frame range ends at {end}, before its start at {start}", start=start, end=end)
    if start == end:
        return tip_("The range is a single frame: use Check Collisions instead")
    return ""
