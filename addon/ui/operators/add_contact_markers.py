# SPDX-License-Identifier: GPL-3.0-or-later
"""Mark contacts in the timeline."""

import math

import bpy

from ...i18n.lookup import report_
from ...i18n.wrapping import shortened
from ...scene.animation import markers
from ...session import dependencies
from ...session.motion_results import Kept, latest
from .jump_to_contact import contacts_missing

# Blender cuts names of markers off at this many bytes.
MOST_BYTES = 63


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
        count = markers.add(context.scene, _places(found))
        self.report({"INFO"}, report_("{count} markers added", count=count))
        return {"FINISHED"}


def _places(found: Kept) -> dict[tuple[str, int], None]:
    """Name and frame of a marker for each contact, in their order."""
    return {
        (_name(found, row), math.floor(contact.first + 0.5)): None for row, contact in enumerate(found.report.contacts)
    }


def _name(found: Kept, row: int) -> str:
    """Both names and the frame; the middles of long names are left out, so that the frame stays."""
    contact = found.report.contacts[row]
    frame = f" {contact.first:.3f}"
    names = [found.body_name(body) for body in found.bodies_of(contact)]
    room = MOST_BYTES - _bytes(f" × {frame}")
    first = shortened(names[0], max(room // 2, room - _bytes(names[1])), _bytes)
    second = shortened(names[1], room - _bytes(first), _bytes)
    return f"{first} × {second}{frame}"


def _bytes(text: str) -> int:
    return len(text.encode())
