# SPDX-License-Identifier: GPL-3.0-or-later
"""Select the copies that were left on top of other objects, so that they can be deleted."""

import bpy

from ...i18n.lookup import report_
from ...model.duplicates import copies
from ...model.report import body_uids
from ...scene.objects import selection
from ...session.collision_results import last
from ..result_list import rows as results_rows
from .results_poll import OnResults


class COLLISION_KIT_OT_select_duplicates(OnResults, bpy.types.Operator):
    """What is selected can be deleted, and one object stays in each place."""

    bl_idname = "collision_kit.select_duplicates"
    bl_label = "Select Duplicates"
    bl_description = (
        "Of objects that have the same geometry in the same place, select all but one, for example to delete them. "
        "Accepted and ignored pairs and instances are left out"
    )
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Select them, and say how many there are."""
        assert last.report is not None  # As `poll` says.
        found = copies(last.report, results_rows.marks())
        if not found:
            self.report({"WARNING"}, report_("No duplicates found"))
            return {"CANCELLED"}
        # The colliders of a copy would remain as duplicates of those of the other.
        keys = [key for body in found for key in (body.key, *body.members)]
        selected = {ob.session_uid for ob in selection.select_objects(context, keys)}
        if not selected:
            self.report({"WARNING"}, report_("All duplicates are hidden: nothing was selected"))
            return {"CANCELLED"}
        count = sum(not selected.isdisjoint(body_uids(body)) for body in found)
        self.report({"INFO"}, report_("{count} duplicates selected", count=count))
        return {"FINISHED"}
