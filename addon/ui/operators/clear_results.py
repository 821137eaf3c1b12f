# SPDX-License-Identifier: GPL-3.0-or-later
"""Forget the results of the last check."""

import bpy

from ...i18n.lookup import tip_
from ...session.collision_results import last


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
