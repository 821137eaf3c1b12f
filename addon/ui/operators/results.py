# SPDX-License-Identifier: GPL-3.0-or-later
"""All results of a check: list all of them, select what was checked, forget them."""

import bpy

from ...i18n.lookup import report_, tip_
from ...scene import events
from ...scene.objects import selection
from ...scene.settings import results_list
from ...session.collision_results import last
from ..result_list import rows as results_rows
from ..result_list.part import ALL

# What hides results; the order and the grouping are left as they are.
FILTERS = (*results_rows.SWITCHES.values(), "accepted", "only_new", "text", "depth")


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
        view = results_list(context.window_manager).view
        for name in FILTERS:
            view.property_unset(name)
        results_rows.show_part(ALL)
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
        last.forget()
        return {"FINISHED"}
