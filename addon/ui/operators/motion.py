# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion: check it, jump to contacts, and mark them in the timeline."""

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty

from ... import motion
from ...i18n import CONTEXT
from ...i18n.lookup import label_, report_, sentences, tip_
from ...model.motion_report import MotionContact, MotionEvidence, MotionReport
from ...scene import animation, events
from ...scene.objects import selection
from ...scene.settings import ignore_rules_of, motion_frames, motion_request, scene_settings
from ...session import dependencies, motion_results
from ...session.motion_results import latest
from ...viewport import curve_preview
from ...viewport import motion_contact as motion_overlay
from .base import Operator, missing_here
from .check import scope_problem
from .modal_steps import RunInSteps, Steps
from .results import clear_latest


class COLLISION_KIT_OT_check_motion(RunInSteps):
    """Follows moving objects through the frames, and shows the first contact."""

    bl_idname = "collision_kit.check_motion"
    manual = "motion"
    bl_label = "Check Motion"
    bl_description = (
        "Find when animated objects first touch, between frames too, with the place, the greatest "
        "depth and the last contact"
    )
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Return what is missing for a check of the scope in the range of frames."""
        return scope_problem(context) or _range_problem(context)

    def begin(self, context: bpy.types.Context) -> Steps:
        """Check the frames of the settings."""
        self._request = motion_request(context)
        return motion.check.steps(context, self._request)

    def share(self, progress: "motion.check.Progress") -> float:
        """Return the finished fraction of the range."""
        return progress.done / progress.total

    def status(self, progress: "motion.check.Progress") -> str:
        """Return the current frame, and the number of contacts so far."""
        return label_(
            "Checking motion: frame {frame} of {end}, {count} contacts found",
            frame=self._request.start + progress.done - 1,
            end=self._request.end,
            count=progress.contacts,
        )

    def finish(self, context: bpy.types.Context, found: tuple[MotionReport, MotionEvidence]) -> set[str]:
        """Store the report, list its contacts, and draw the chosen one."""
        report, evidence = found
        report = motion.named_tests.with_tests(report.of_moving(), self._request.tests, ignore_rules_of(context.scene))
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
        count = sum(contact.ignored < 0 for contact in report.contacts)
        near = sum(contact.ignored < 0 for contact in report.near_misses)
        found = [report_("{count} contacts", count=count) if count else report_("No contacts")]
        if near:
            found.append(report_("{count} near misses", count=near))
        self.report({"INFO"}, sentences((*found, frames, tested)))


def _range_problem(context: bpy.types.Context) -> str:
    """Return why there is no range of frames, as a tooltip. Empty if there is one."""
    scene = context.scene
    start, end = motion_frames(scene)
    if scene_settings(context).motion.frames == "PREVIEW" and not scene.use_preview_range:
        return tip_("The scene has no preview range")
    if start > end:
        return tip_("The frame range ends at {end}, before its start at {start}", start=start, end=end)
    if start == end:
        return tip_("The range is a single frame: use Check Collisions instead")
    return ""


MOMENTS = (
    ("FIRST", "First", "When the two objects first touch"),
    ("DEEPEST", "Deepest", "When the two objects penetrate the most"),
    ("LAST", "Last", "When the two objects touch for the last time"),
)


class COLLISION_KIT_OT_jump_to_contact(Operator):
    """The operator for clicks on a row of the list of contacts."""

    bl_idname = "collision_kit.jump_to_contact"
    manual = "motion"
    bl_label = "Jump to Contact"
    bl_description = (
        "Set the current frame and subframe to a moment of this contact, select both objects, and "
        "draw how they first touch"
    )
    bl_options = {"REGISTER", "UNDO_GROUPED"}

    row: IntProperty(
        name="Contact",
        description="Index of the contact, from zero; -1 for the active contact",
        default=-1,
        min=-1,
    )
    moment: EnumProperty(
        name="Moment",
        translation_context=CONTEXT,
        description="Moment of the contact to jump to",
        items=MOMENTS,
        default="FIRST",
    )
    frame_both: BoolProperty(name="Frame Both", description="Bring both objects into view", default=True)

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a contact in this scene."""
        return contacts_missing(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Go to the frame, select and draw, as far as both objects still exist."""
        dependencies.review(context)
        found = motion_results.latest.result
        row = found.chosen if found is not None and self.row < 0 else self.row
        contact = found.contact(row) if found is not None else None
        if found is None or contact is None:
            return self.refuse(report_("There is no contact {row}", row=row), "WARNING")
        found.chosen = row
        curve_preview.refresh()
        motion_overlay.draw()
        body_a, body_b = found.bodies_of(contact)
        for body in (body_a, body_b):
            if found.body_is_gone(body):
                return self.refuse(report_('"{name}" was deleted since this check', name=body.name), "WARNING")
        animation.frames.go_to(context.scene, moment_of(contact, self.moment))
        if not selection.select_pair(context, body_a.key, body_b.key):
            self.report({"WARNING"}, report_("Both objects are hidden: nothing was selected"))
        elif self.frame_both:
            selection.frame_selected(context)
        return {"FINISHED"}


def contacts_missing(context: bpy.types.Context) -> str:
    """Return why there are no contacts to work with, as a tooltip. Empty if there are."""
    found = motion_results.latest.result
    place = found.place if found is not None and found.report.rows else None
    return missing_here(context, place, tip_("No contacts: run Check Motion first"))


def moment_of(contact: MotionContact, moment: str) -> float:
    """Return the frame of a moment, one of `MOMENTS`."""
    return {"FIRST": contact.first, "DEEPEST": contact.deepest, "LAST": contact.last}[moment]


class COLLISION_KIT_OT_add_contact_markers(Operator):
    """Adds a marker for each contact, and removes those of an earlier check."""

    bl_idname = "collision_kit.add_contact_markers"
    manual = "motion"
    bl_label = "Add Contact Markers"
    bl_description = (
        "Add a timeline marker at the first moment of each contact. Markers of earlier checks are replaced "
        "unless renamed or moved"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires contacts in this scene."""
        return contacts_missing(context)

    def run(self, context: bpy.types.Context) -> set[str]:
        """Add the markers."""
        dependencies.review(context)
        found = latest.result
        if found is None:
            return {"CANCELLED"}
        count = animation.markers.add(
            context.scene, motion.markers.places(found.report, list(map(found.body_name, found.report.bodies)))
        )
        self.report({"INFO"}, report_("{count} markers added", count=count))
        return {"FINISHED"}


class COLLISION_KIT_OT_remove_contact_markers(Operator):
    """Removes the markers that *Add Contact Markers* has added."""

    bl_idname = "collision_kit.remove_contact_markers"
    manual = "motion"
    bl_label = "Remove Contact Markers"
    bl_description = "Remove the timeline markers of contacts, except those that were renamed or moved"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires such a marker."""
        return tip_("The timeline has no contact markers") if not animation.markers.ours(context.scene) else ""

    def run(self, context: bpy.types.Context) -> set[str]:
        """Remove the markers."""
        count = animation.markers.remove(context.scene)
        self.report({"INFO"}, report_("{count} markers removed", count=count))
        return {"FINISHED"}


class COLLISION_KIT_OT_clear_motion_results(Operator):
    """Clears the list of contacts and removes the overlay."""

    bl_idname = "collision_kit.clear_motion_results"
    manual = "motion"
    bl_label = "Clear Motion Results"
    bl_description = "Clear the list of contacts and their drawing in the viewport. Timeline markers are kept"
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, _context: bpy.types.Context) -> str:
        """Requires results."""
        return tip_("No results: run Check Motion first") if motion_results.latest.result is None else ""

    def run(self, context: bpy.types.Context) -> set[str]:
        """Clear the results."""
        return clear_latest(context, motion_results.latest, drawn=motion_overlay.is_drawn())


CLASSES = (
    COLLISION_KIT_OT_check_motion,
    COLLISION_KIT_OT_jump_to_contact,
    COLLISION_KIT_OT_add_contact_markers,
    COLLISION_KIT_OT_remove_contact_markers,
    COLLISION_KIT_OT_clear_motion_results,
)
