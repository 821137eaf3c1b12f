# SPDX-License-Identifier: GPL-3.0-or-later
"""What the operators that go from result to result have in common."""

import bpy

from ...i18n.lookup import report_
from ...scene.settings import results_list
from ...session.collision_results import last
from ..result_list import rows as results_rows
from ..result_list.view import NONE, step
from .results_poll import results_missing
from .select_pair import choose


class Stepping(bpy.types.Operator):
    """Chooses the result that is listed beside the chosen one. Not registered itself."""

    # 1: the next, -1: the one before.
    by = 1

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be results of this scene."""
        missing = results_missing(context)
        if missing:
            cls.poll_message_set(missing)
        return not missing

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Choose it, as a click on its row would."""
        results = results_list(context.window_manager)
        lines = results_rows.lines(results)
        place = step(lines, results_rows.chosen_place(results), self.by)
        if place == NONE:
            self.report({"INFO"}, report_("The filter hides all results"))
            return {"CANCELLED"}
        results_rows.choose_place(results, place)
        return choose(self, context, last.chosen)
