# SPDX-License-Identifier: GPL-3.0-or-later
"""Go to the next and the previous result."""

import bpy

from ...i18n.lookup import report_
from ...scene.settings import results_list
from ...session.collision_results import last
from ..result_list import rows as results_rows
from ..result_list.view import NONE, step
from .results_poll import OnResults
from .select_pair import COLLISION_KIT_OT_select_pair, choose


class Stepping(OnResults, bpy.types.Operator):
    """Chooses the result that is listed beside the chosen one. Not registered itself."""

    # 1: the next, -1: the one before.
    by = 1

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Choose it, as a click on its row would."""
        results = results_list(context.window_manager)
        lines, chosen = results_rows.lines(results), results_rows.chosen_place(results)
        first = self.by > 0 and not last.framed and chosen != NONE
        place = chosen if first else step(lines, chosen, self.by)
        if place == NONE:
            self.report({"INFO"}, report_("The filter hides all results"))
            return {"CANCELLED"}
        results_rows.choose_place(results, place)
        return choose(self, context, last.chosen)


class COLLISION_KIT_OT_next_result(Stepping):
    """After the last comes the first; what a check or a fix has chosen comes before the next."""

    bl_idname = "collision_kit.next_result"
    bl_label = "Next Collision"
    bl_description = (
        "Make the next result in the list active, select its objects and frame them. After the last "
        "result, start again at the first"
    )
    bl_options = {"REGISTER", "UNDO_GROUPED"}
    bl_undo_group = COLLISION_KIT_OT_select_pair.bl_label

    by = 1


class COLLISION_KIT_OT_previous_result(Stepping):
    """Before the first comes the last."""

    bl_idname = "collision_kit.previous_result"
    bl_label = "Previous Collision"
    bl_description = (
        "Make the previous result in the list active, select its objects and frame them. Before the "
        "first result, go to the last"
    )
    bl_options = {"REGISTER", "UNDO_GROUPED"}
    bl_undo_group = COLLISION_KIT_OT_select_pair.bl_label

    by = -1
