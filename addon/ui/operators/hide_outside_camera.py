# SPDX-License-Identifier: GPL-3.0-or-later
"""Hide what the active camera does not see."""

import bpy

from ....core.frustum.frustum import OUTSIDE
from ...i18n.lookup import report_
from ...model.culling_report import CullReport
from ...model.report import ObjectKey
from ...scene.objects import selection
from .culling_run import CullingRun


class COLLISION_KIT_OT_hide_outside_camera(CullingRun):
    """Makes a large scene lighter to work with: what is not in the picture is hidden in the viewport."""

    bl_idname = "collision_kit.hide_outside_camera"
    bl_label = "Hide Outside Camera"
    bl_description = "Hide objects outside the active camera's view in the viewport. Renders are not affected"
    bl_options = {"REGISTER", "UNDO"}

    def apply(self, context: bpy.types.Context, report: CullReport) -> set[str]:
        """Hide them."""
        hidden = selection.hide_objects(context, map(ObjectKey, report.uids(OUTSIDE)))
        if not hidden:
            self.report({"INFO"}, report_("No objects are outside the camera's view"))
            return {"CANCELLED"}
        self.report({"INFO"}, report_("{count} objects hidden", count=len(hidden)))
        return {"FINISHED"}
