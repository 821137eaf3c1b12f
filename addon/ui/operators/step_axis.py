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
    ("NEXT", "Next", "The axis with the next smaller gap; after the last comes the first"),
    ("PREVIOUS", "Previous", "The axis with the next larger gap"),
    ("DECIDING", "Deciding", "The axis with the largest gap or the least overlap: the one that decides"),
)


class COLLISION_KIT_OT_step_axis(bpy.types.Operator):
    """Steps through the axes along which the two might be apart."""

    bl_idname = "collision_kit.step_axis"
    bl_label = "Step Separating Axis"
    bl_description = (
        "Look at another axis along which the two shapes might be apart: what each covers of it, how much they have "
        "in common, and what made it. Two convex shapes collide exactly if they overlap along every one of them"
    )
    bl_options = {"REGISTER"}

    step: EnumProperty(
        name="Step",
        description="Which axis to look at",
        translation_context=CONTEXT,
        items=STEPS,
        default="NEXT",
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be a pair with axes in the viewport."""
        text = ""
        if pair_overlay.shown_row() < 0:
            text = tip_("Choose a pair in the results first")
        elif not results_list(context.window_manager).explanation.ruler:
            text = tip_("Turn on the axis ruler first")
        elif axis_explorer.explored() is None:
            text = tip_("A mesh that is not convex has no separating axes")
        if text:
            cls.poll_message_set(text)
        return not text

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Look at it, and draw it."""
        here = axis_explorer.place()
        axis_explorer.look_at({"NEXT": here + 1, "PREVIOUS": here - 1, "DECIDING": 0}[self.step])
        pair_overlay.show(context, pair_overlay.shown_row())
        return {"FINISHED"}
