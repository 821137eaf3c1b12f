# SPDX-License-Identifier: GPL-3.0-or-later
"""Accept a pair no longer."""

import bpy
from bpy.props import EnumProperty

from ...i18n import CONTEXT
from ...i18n.lookup import report_, tip_
from ...scene import accepted_pairs
from ...session.collision_results import last

WHICH = (
    ("CHOSEN", "Chosen Pair", "The pair that is highlighted in the list"),
    ("ALL", "All of the Scene", "Every pair that the scene remembers, collisions that are gone among them"),
)


class COLLISION_KIT_OT_unaccept_pair(bpy.types.Operator):
    """The way back from `accept_pair`."""

    bl_idname = "collision_kit.unaccept_pair"
    bl_label = "Stop Accepting Collision"
    bl_description = "Count a pair as a collision again, as it was before it was accepted; its reason is forgotten"
    bl_options = {"REGISTER", "UNDO"}

    which: EnumProperty(
        name="Pairs",
        description="What is no longer accepted",
        translation_context=CONTEXT,
        items=WHICH,
        default="CHOSEN",
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """The scene must remember accepted pairs."""
        missing = "" if len(accepted_pairs.entries(context.scene)) else tip_("No pair of this scene is accepted")
        if not missing and context.scene.library is not None:
            missing = tip_("The scene is linked from another file, which is where pairs are accepted")
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
            self.report({"INFO"}, report_("The chosen pair is not accepted"))
            return {"CANCELLED"}
        self.report({"INFO"}, report_("{count} no longer accepted", count=count))
        return {"FINISHED"}
