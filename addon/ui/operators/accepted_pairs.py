# SPDX-License-Identifier: GPL-3.0-or-later
"""Accept a pair as it is, and take that back."""

import bpy
from bpy.props import EnumProperty, StringProperty

from ...i18n import CONTEXT
from ...i18n.lookup import report_, tip_
from ...scene import accepted_pairs
from ...scene.settings import results_list
from ...session.collision_results import last
from ..result_list import rows as results_rows
from .results_poll import results_missing

TO_ACCEPT = (
    ("CHOSEN", "Active Pair", "The active pair in the list"),
    ("LISTED", "All Listed Pairs", "All pairs that the list currently shows"),
)


class COLLISION_KIT_OT_accept_pair(bpy.types.Operator):
    """Says that two objects are meant to be as they are."""

    bl_idname = "collision_kit.accept_pair"
    bl_label = "Accept Collision"
    bl_description = (
        "Mark a collision as intended. The file stores the reason. The pair no longer fails checks on "
        "the command line, unless it becomes deeper"
    )
    bl_options = {"REGISTER", "UNDO"}

    reason: StringProperty(name="Reason", description="Why this collision is intended")
    which: EnumProperty(
        name="Pairs",
        description="Which pairs are accepted",
        translation_context=CONTEXT,
        items=TO_ACCEPT,
        default="CHOSEN",
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be results of this scene, and the scene must be the file's own."""
        missing = results_missing(context)
        if not missing and context.scene.library is not None:
            missing = tip_("The scene is linked: accept pairs in its own file")
        if missing:
            cls.poll_message_set(missing)
        return not missing

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the reason; at first, the one that was given before."""
        self.reason = results_rows.marks().accepted.get(last.chosen, self.reason)
        return {*context.window_manager.invoke_props_dialog(self)}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remember it."""
        rows = [last.chosen]
        if self.which == "LISTED":
            listed = results_rows.lines(results_list(context.window_manager)).pair
            rows = sorted({int(row) for row in listed if row >= 0})
        report = last.report
        pairs = {keys: report.pairs[row].depth for row in rows if report and (keys := last.keys_of(row))}
        count = accepted_pairs.accept(context.scene, pairs, self.reason.strip())
        if not count:
            self.report({"WARNING"}, report_("No active result: click one in the list"))
            return {"CANCELLED"}
        self.report({"INFO"}, report_("{count} accepted", count=count))
        return {"FINISHED"}


TO_WITHDRAW = (
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
        items=TO_WITHDRAW,
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
