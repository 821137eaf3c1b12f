# SPDX-License-Identifier: GPL-3.0-or-later
"""Select what the active camera does not see."""

import bpy
from bpy.props import EnumProperty

from ....core.frustum.frustum import CROSSING, INSIDE, OUTSIDE
from ...i18n import CONTEXT
from ...i18n.lookup import report_
from ...model.culling_report import CullReport
from ...model.report import ObjectKey
from ...scene.objects import selection
from .culling_run import CullingRun

VERDICTS = {"OUTSIDE": OUTSIDE, "CROSSING": CROSSING, "INSIDE": INSIDE}


class COLLISION_KIT_OT_select_outside_camera(CullingRun):
    """Selects objects by where they are in the camera's view."""

    bl_idname = "collision_kit.select_outside_camera"
    bl_label = "Select Outside Camera"
    bl_description = "Select objects that are outside the active camera's view, or partly or fully inside it"
    bl_options = {"REGISTER", "UNDO"}

    which: EnumProperty(
        name="Select",
        description="Which objects are selected",
        translation_context=CONTEXT,
        items=(
            ("OUTSIDE", "Outside", "Objects outside the view"),
            ("CROSSING", "Partly Inside", "Objects partly inside the view"),
            ("INSIDE", "Inside", "Objects fully inside the view"),
        ),
        default="OUTSIDE",
    )

    def apply(self, context: bpy.types.Context, report: CullReport) -> set[str]:
        """Select them, and nothing else; if there are none, leave the selection as it is."""
        selected = selection.select_objects(context, map(ObjectKey, report.uids(VERDICTS[self.which])))
        if not selected:
            self.report({"INFO"}, report_("No matching objects: selection unchanged"))
            return {"CANCELLED"}
        self.report({"INFO"}, report_("{count} objects selected", count=len(selected)))
        return {"FINISHED"}
