# SPDX-License-Identifier: GPL-3.0-or-later
"""Look at the next candidate axis of the chosen pair."""

import bpy
from bpy.props import EnumProperty

from ...i18n import CONTEXT
from ...i18n.lookup import tip_
from ...scene.settings import results_list
from ...viewport import axis_explorer
from ...viewport import pair as pair_overlay

STEPS = (
    ("NEXT", "Next", "Axis with the next smaller gap. After the last axis, start again at the first"),
    ("PREVIOUS", "Previous", "Axis with the next larger gap"),
    ("DECIDING", "Separating", "Separating axis: the axis with the largest gap or the least overlap"),
)


class COLLISION_KIT_OT_step_axis(bpy.types.Operator):
    """Steps through the axes along which the two might be apart."""

    bl_idname = "collision_kit.step_axis"
    bl_label = "Step Separating Axis"
    bl_description = (
        "Show another candidate axis of the separating axis test. Two convex shapes collide only if "
        "they overlap along all axes"
    )
    bl_options = {"REGISTER"}

    step: EnumProperty(
        name="Step",
        description="Which axis to show",
        translation_context=CONTEXT,
        items=STEPS,
        default="NEXT",
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be a pair with axes in the viewport."""
        text = ""
        if pair_overlay.shown_row() < 0:
            text = tip_("No active pair: click one in the list of results")
        elif not results_list(context.window_manager).explanation.ruler:
            text = tip_("Turn on Axis Ruler first")
        elif axis_explorer.explored() is None:
            text = tip_("Non-convex meshes have no separating axis")
        if text:
            cls.poll_message_set(text)
        return not text

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Look at it, and draw it."""
        here = axis_explorer.place()
        axis_explorer.look_at({"NEXT": here + 1, "PREVIOUS": here - 1, "DECIDING": 0}[self.step])
        pair_overlay.show(context, pair_overlay.shown_row())
        return {"FINISHED"}
