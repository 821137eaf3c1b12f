# SPDX-License-Identifier: GPL-3.0-or-later
"""Select the object that a finding of a validation is about."""

import bpy
from bpy.props import IntProperty, StringProperty

from ...i18n.lookup import report_, tip_
from ...scene.objects import select_one, selection
from ...session import validation_results
from ...viewport import pair as pair_overlay
from .validation_poll import findings_missing


class COLLISION_KIT_OT_select_finding(bpy.types.Operator):
    """What a click on a finding does."""

    bl_idname = "collision_kit.select_finding"
    bl_label = "Select Collider of Issue"
    bl_description = "Select and frame the object of this issue. A hidden object is shown"
    bl_options = {"REGISTER", "UNDO_GROUPED"}

    rule: StringProperty(
        name="Rule",
        description="ID of the rule. All objects with an issue of it are selected. Empty: only the object of Issue",
        options={"SKIP_SAVE"},
    )
    row: IntProperty(
        name="Issue",
        description=("Index of the issue, from zero; -1 for the first issue of the object after the active object"),
        default=-1,
        min=-1,
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """Say which objects are selected."""
        if getattr(properties, "rule", ""):
            return tip_("Select and frame all objects with this issue. Hidden objects are shown")
        return tip_(cls.bl_description)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be findings of this scene."""
        missing = findings_missing(context, repairing=False)
        if missing:
            cls.poll_message_set(missing)
        return not missing

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Select and frame it, if it is still there; or all objects that break a rule."""
        if self.rule:
            return self._select_all(context)
        row = validation_results.row_after_active(context) if self.row < 0 else self.row
        violation = validation_results.violation(context, row)
        if violation is None:
            self.report({"WARNING"}, report_("There is no issue {row}", row=row))
            return {"CANCELLED"}
        if not select_one.select(context, [violation.uid]):
            self.report(
                {"WARNING"}, report_('Cannot select "{name}": it was deleted or is hidden', name=violation.object)
            )
            return {"CANCELLED"}
        pair_overlay.step_back(context)
        selection.frame_selected(context)
        return {"FINISHED"}

    def _select_all(self, context: bpy.types.Context) -> set[str]:
        uids = validation_results.uids_of(context, self.rule)
        if not uids:
            self.report({"WARNING"}, report_("There is no issue of the rule {name}", name=self.rule))
            return {"CANCELLED"}
        count = select_one.select(context, uids)
        if not count:
            self.report({"WARNING"}, report_("Nothing selected: all objects are deleted or hidden"))
            return {"CANCELLED"}
        pair_overlay.step_back(context)
        selection.frame_selected(context)
        self.report({"INFO"}, report_("{count} objects selected", count=count))
        return {"FINISHED"}
