# SPDX-License-Identifier: GPL-3.0-or-later
"""Find out which objects the active camera sees."""

import bpy

from ...model.culling_report import CullReport
from ...viewport import camera_view as culling_overlay
from ..texts.culling import counted
from .culling_run import CullingRun


class COLLISION_KIT_OT_cull_to_camera(CullingRun):
    """Counts what is inside the camera's view, crosses its boundary and is outside, and draws it."""

    bl_idname = "collision_kit.cull_to_camera"
    bl_label = "Cull to Camera"
    bl_description = (
        "Classify objects as inside, partly inside or outside the active camera's view, and color them in the viewport"
    )
    bl_options = {"REGISTER"}

    changes_objects = False

    def apply(self, _context: bpy.types.Context, report: CullReport) -> set[str]:
        """Draw them, and say how many there are of each."""
        culling_overlay.draw()
        self.report({"INFO"}, counted(report.counts()))
        return {"FINISHED"}
