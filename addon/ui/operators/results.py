# SPDX-License-Identifier: GPL-3.0-or-later
"""All results of a check: list all of them, select what was checked, forget them."""

import bpy
from bpy.props import EnumProperty

from ...i18n import CONTEXT
from ...i18n.lookup import report_, tip_
from ...scene import events
from ...scene.objects import selection
from ...session import stored_results
from ...session.collision_results import last
from ..result_list import rows as results_rows
from ..verdicts import VERDICTS
from .results_poll import OnResults

# The verdicts that pairs of the list have, by the names that operators have for them.
BY_NAME = {name.upper(): verdict for verdict, name in results_rows.SWITCHES.items()}


class COLLISION_KIT_OT_show_all_results(bpy.types.Operator):
    """Takes every filter off the list."""

    bl_idname = "collision_kit.show_all_results"
    bl_label = "Show All Collision Results"
    bl_description = "Reset the filters so that all results are listed"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be results."""
        if last.report is None:
            cls.poll_message_set(tip_("No results: run Check Collisions first"))
        return last.report is not None

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Reset them."""
        results_rows.show_all(context.window_manager)
        return {"FINISHED"}


class COLLISION_KIT_OT_select_checked(bpy.types.Operator):
    """The way back from one pair to all that was checked, so that the same selection can be checked again."""

    bl_idname = "collision_kit.select_checked"
    bl_label = "Select Checked Objects"
    bl_description = "Select all objects that the last check tested, for example to check them again"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be a report of this scene."""
        if last.report is None:
            cls.poll_message_set(tip_("No results: run Check Collisions first"))
            return False
        if events.place(context) != last.place:
            cls.poll_message_set(tip_("The results belong to another scene or view layer"))
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Select them, as far as they still exist and can be seen."""
        keys = [body.key for body in last.report.bodies] if last.report is not None else []
        selected = selection.select_objects(context, keys)
        self.report({"INFO"}, report_("{count} objects selected", count=len(selected)))
        return {"FINISHED"} if selected else {"CANCELLED"}


class COLLISION_KIT_OT_select_verdict(OnResults, bpy.types.Operator):
    """From a number of pairs to their objects."""

    bl_idname = "collision_kit.select_verdict"
    bl_label = "Select by Verdict"
    bl_description = "Select the objects of all pairs with this verdict that are neither accepted nor ignored"
    bl_options = {"REGISTER", "UNDO"}

    verdict: EnumProperty(
        name="Verdict",
        translation_context=CONTEXT,
        description="Which pairs' objects are selected",
        items=[(name, VERDICTS[verdict].name, "") for name, verdict in BY_NAME.items()],
        default="PENETRATING",
    )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Select them, as far as they still exist and can be seen."""
        report = last.report
        rows = results_rows.marks().open_rows(report, (BY_NAME[self.verdict],)) if report is not None else ()
        if report is None or not rows:
            self.report({"WARNING"}, report_("There are no such pairs"))
            return {"CANCELLED"}
        keys = [body.key for row in rows for body in last.bodies_of(report.pairs[row])]
        selected = selection.select_objects(context, keys)
        self.report({"INFO"}, report_("{count} objects selected", count=len(selected)))
        return {"FINISHED"} if selected else {"CANCELLED"}


class COLLISION_KIT_OT_clear_results(bpy.types.Operator):
    """Empties the list and takes the drawing out of the viewport."""

    bl_idname = "collision_kit.clear_results"
    bl_label = "Clear Collision Results"
    bl_description = "Clear the list of results and their drawing in the viewport"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be results."""
        if last.report is None:
            cls.poll_message_set(tip_("No results to clear"))
        return last.report is not None

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Forget the report."""
        stored_results.clear()
        return {"FINISHED"}
