# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring the two objects of the chosen pair to touch."""

import bpy

from ... import fixes
from ...i18n.lookup import error_text, report_, tip_
from ...model.errors import UserError
from ...model.report import body_uids
from ...scene.open_file import objects_by_uid
from ...session import dependencies
from ...session.collision_results import last
from ..texts.fixes import told
from .check_collisions import check_again
from .results_poll import chosen_missing


class COLLISION_KIT_OT_snap_contact(bpy.types.Operator):
    """Closes the gap of a pair."""

    bl_idname = "collision_kit.snap_contact"
    bl_label = "Snap to Contact"
    bl_description = (
        "Move one object of the active pair along the shortest way until it touches the other. The "
        "active object is preferred"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """A pair that is apart must be chosen, in object mode."""
        missing = _missing(context)
        if missing:
            cls.poll_message_set(missing)
        return not missing

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Measure the pair as it is now, and close its gap."""
        dependencies.review(context)
        report, pair = last.report, last.pair(last.chosen)
        assert report is not None and pair is not None  # As `poll` says; what is out of date is kept.
        bodies = last.bodies_of(pair)
        for body in bodies:
            if last.body_is_gone(body):
                self.report({"WARNING"}, report_('"{name}" was deleted since this check', name=body.name))
                return {"CANCELLED"}
        uids = [body_uids(body) for body in bodies]
        active = context.view_layer.objects.active
        second = active is not None and active.session_uid in uids[1]
        if report.shapes[pair.shape_a].kind == "half-space":
            second = True
        key = bodies[second].key
        mover = objects_by_uid([key.selected_uid])[key.selected_uid]
        try:
            outcome = fixes.moving.snap(context, mover, uids[not second])
        except UserError as error:
            self.report({"ERROR"}, error_text(error))
            return {"CANCELLED"}
        answer = told(self, context, outcome)
        if outcome.moved:
            check_again(context, outcome.moved)
        return answer


def _missing(context: bpy.types.Context) -> str:
    if context.mode != "OBJECT":
        return tip_("Not in Object Mode")
    settings, pair = last.settings, last.pair(last.chosen)
    missing = chosen_missing(context)
    if not missing and settings is not None and settings.plane is not None:
        missing = tip_("The results are planar: check in 3D first")
    if not missing and pair is not None and pair.distance <= 0.0:
        missing = tip_("The active pair touches or penetrates: no gap to close")
    return missing
