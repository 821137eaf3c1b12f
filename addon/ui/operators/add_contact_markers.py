# SPDX-License-Identifier: GPL-3.0-or-later
"""Mark contacts in the timeline."""

import bpy

from ... import motion
from ...i18n.lookup import report_
from ...scene import animation
from ...session import dependencies
from ...session.motion_results import latest
from .jump_to_contact import contacts_missing


class COLLISION_KIT_OT_add_contact_markers(bpy.types.Operator):
    """Adds a marker for each contact, and takes those of an earlier check away."""

    bl_idname = "collision_kit.add_contact_markers"
    bl_label = "Add Contact Markers"
    bl_description = (
        "Add a timeline marker at the first moment of each contact. Markers of earlier checks are replaced "
        "unless renamed or moved"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be contacts in this scene."""
        text = contacts_missing(context)
        if text:
            cls.poll_message_set(text)
        return not text

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add them."""
        dependencies.review(context)
        found = latest.result
        if found is None:
            return {"CANCELLED"}
        count = animation.markers.add(
            context.scene, motion.markers.places(found.report, list(map(found.body_name, found.report.bodies)))
        )
        self.report({"INFO"}, report_("{count} markers added", count=count))
        return {"FINISHED"}
