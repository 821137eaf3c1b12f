# SPDX-License-Identifier: GPL-3.0-or-later
"""Mark contacts in the timeline."""

import bpy

from .. import dependencies
from ..language import report_
from ..motion import markers as contact_markers
from ..motion import session as motion_session
from .jump_to_contact import contacts_missing


class COLLISION_KIT_OT_add_contact_markers(bpy.types.Operator):
    """Adds a marker for each contact, and takes those of an earlier check away."""

    bl_idname = "collision_kit.add_contact_markers"
    bl_label = "Add Contact Markers"
    bl_description = (
        "Mark each contact in the timeline, at the whole frame nearest to its first moment, with both names and the "
        "frame. Markers that were added for an earlier check are removed; those that you have renamed or moved stay"
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
        found = motion_session.latest.result
        if found is None:
            return {"CANCELLED"}
        count = contact_markers.add(context.scene, contact_markers.wanted(found))
        self.report({"INFO"}, report_("{count} markers added", count=count))
        return {"FINISHED"}
