# SPDX-License-Identifier: GPL-3.0-or-later
"""Accept a pair no longer."""

import bpy
from bpy.props import EnumProperty

from ...i18n import CONTEXT
from ...i18n.lookup import report_, tip_
from ...scene import accepted_pairs
from ...session.collision_results import last

WHICH = (
    ("CHOSEN", "Active Pair", "The active pair in the list"),
    ("ALL", "All Pairs of Scene", "All accepted pairs of the scene, including collisions that no longer exist"),
)


class COLLISION_KIT_OT_unaccept_pair(bpy.types.Operator):
    """The way back from `accept_pair`."""

    bl_idname = "collision_kit.unaccept_pair"
    bl_label = "Stop Accepting Collision"
    bl_description = "Report a pair as a collision again, and delete the reason for which it was accepted"
    bl_options = {"REGISTER", "UNDO"}

    which: EnumProperty(
        name="Pairs",
        description="Which pairs are no longer accepted",
        translation_context=CONTEXT,
        items=WHICH,
        default="CHOSEN",
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """The scene must remember accepted pairs."""
        missing = "" if len(accepted_pairs.entries(context.scene)) else tip_("The scene has no accepted pairs")
        if not missing and context.scene.library is not None:
            missing = tip_("The scene is linked: accept pairs in its own file")
        if missing:
            cls.poll_message_set(missing)
        return not missing

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Forget it."""
        if self.which == "ALL":
            count = accepted_pairs.withdraw_all(context.scene)
        else:
            count = accepted_pairs.withdraw(context.scene, [last.keys_of(last.chosen)])
        if not count:
            self.report({"INFO"}, report_("The active pair is not accepted"))
            return {"CANCELLED"}
        self.report({"INFO"}, report_("{count} no longer accepted", count=count))
        return {"FINISHED"}
