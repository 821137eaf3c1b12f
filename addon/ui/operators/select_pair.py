# SPDX-License-Identifier: GPL-3.0-or-later
"""Select and frame the two objects of a result, and draw how they stand to each other."""

import bpy
from bpy.props import IntProperty

from ... import collisions, fixes
from ...i18n.lookup import report_
from ...model.report import PairResult
from ...scene.objects import selection
from ...session import dependencies, isolation
from ...session.collision_results import last
from ...viewport import pair as pair_overlay
from .results_poll import OnResults


class COLLISION_KIT_OT_select_pair(OnResults, bpy.types.Operator):
    """What a click on a row of the results list does."""

    bl_idname = "collision_kit.select_pair"
    bl_label = "Select Pair"
    bl_description = (
        "Select both objects of this result, make the smaller one that can be moved active, frame them, and draw "
        "their separating axis and contacts"
    )
    bl_options = {"REGISTER", "UNDO_GROUPED"}
    bl_undo_group = bl_label

    row: IntProperty(
        name="Result",
        description="Index of the result, from zero for the worst; -1 for the active result",
        default=-1,
        min=-1,
    )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Select, frame and draw, as far as the pair still exists."""
        row = last.chosen if self.row < 0 else self.row
        if row < 0:
            self.report({"WARNING"}, report_("No active result: click one in the list"))
            return {"CANCELLED"}
        return choose(self, context, row)


def choose(operator: bpy.types.Operator, context: bpy.types.Context, row: int) -> set[str]:
    """Choose a result for an operator: highlight it, and select, frame and draw it as far as it still exists."""
    dependencies.review(context)
    pair = last.pair(row)
    if pair is None:
        operator.report({"WARNING"}, report_("There is no result {row}", row=row))
        return {"CANCELLED"}
    last.chosen, last.framed = row, True
    collisions.tested_again.read_again(context)
    isolation.follow(context)
    pair_overlay.show(context, row)
    body_a, body_b = last.bodies_of(pair)
    for body in (body_a, body_b):
        if last.body_is_gone(body):
            operator.report({"WARNING"}, report_('"{name}" was deleted since this check', name=body.name))
            return {"CANCELLED"}
    found, much_smaller = select_objects_of(context, pair)
    if not found:
        operator.report({"WARNING"}, report_("Both objects are hidden: nothing was selected"))
        return {"CANCELLED"}
    # Where a pipe goes through a wall, the whole wall would make it a few pixels.
    selection.frame_selected(context, found[:1] if much_smaller and len(found) == 2 else found)
    return {"FINISHED"}


def select_objects_of(context: bpy.types.Context, pair: PairResult) -> tuple[list[bpy.types.Object], bool]:
    """Select the objects of a pair of the session's report, and make the one active that one would move.

    Returns
    -------
    found : list of bpy.types.Object
        The objects that are selected now; the active one first.
    much_smaller : bool
        Whether the active one is much smaller than the other.
    """
    body_a, body_b = last.bodies_of(pair)
    keys, much_smaller = (body_a.key, body_b.key), False
    if last.report is not None and last.world is not None:
        keys, much_smaller = fixes.first_to_move.first_to_move(last.report, last.world, pair)
    return selection.select_pair(context, *keys), much_smaller
