# SPDX-License-Identifier: GPL-3.0-or-later
"""Go to the moment of a contact."""

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty

from ...i18n import CONTEXT
from ...i18n.lookup import report_, tip_
from ...model.motion_report import MotionContact
from ...scene import animation, events
from ...scene.objects import selection
from ...session import dependencies, motion_results
from ...viewport import curve_preview
from ...viewport import motion_contact as motion_overlay

MOMENTS = (
    ("FIRST", "First", "When the two objects first touch"),
    ("DEEPEST", "Deepest", "When the two objects penetrate the most"),
    ("LAST", "Last", "When the two objects touch for the last time"),
)


class COLLISION_KIT_OT_jump_to_contact(bpy.types.Operator):
    """What a click on a row of the list of contacts does."""

    bl_idname = "collision_kit.jump_to_contact"
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
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be a contact in this scene to go to."""
        text = contacts_missing(context)
        if text:
            cls.poll_message_set(text)
        return not text

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Go there, select and draw, as far as both objects still exist."""
        dependencies.review(context)
        found = motion_results.latest.result
        row = found.chosen if found is not None and self.row < 0 else self.row
        contact = found.contact(row) if found is not None else None
        if found is None or contact is None:
            self.report({"WARNING"}, report_("There is no contact {row}", row=row))
            return {"CANCELLED"}
        found.chosen = row
        curve_preview.refresh()
        motion_overlay.draw()
        body_a, body_b = found.bodies_of(contact)
        for body in (body_a, body_b):
            if found.body_is_gone(body):
                self.report({"WARNING"}, report_('"{name}" was deleted since this check', name=body.name))
                return {"CANCELLED"}
        animation.frames.go_to(context.scene, moment_of(contact, self.moment))
        if not selection.select_pair(context, body_a.key, body_b.key):
            self.report({"WARNING"}, report_("Both objects are hidden: nothing was selected"))
        elif self.frame_both:
            selection.frame_selected(context)
        return {"FINISHED"}


def contacts_missing(context: bpy.types.Context) -> str:
    """Return why there are no contacts to work with, as a tooltip; empty if there are."""
    found = motion_results.latest.result
    if found is None or not found.report.rows:
        return tip_("No contacts: run Check Motion first")
    if events.place(context) != found.place:
        return tip_("The results belong to another scene or view layer")
    return ""


def moment_of(contact: MotionContact, moment: str) -> float:
    """The frame of a moment, one of `MOMENTS`."""
    return {"FIRST": contact.first, "DEEPEST": contact.deepest, "LAST": contact.last}[moment]
