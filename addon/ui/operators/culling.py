# SPDX-License-Identifier: GPL-3.0-or-later
"""Cull to the camera: draw, select or hide objects outside its view, and clear the results."""

import bpy
from bpy.props import EnumProperty

from ....core.constants import CROSSING, INSIDE, OUTSIDE
from ... import culling, scene
from ...i18n import CONTEXT
from ...i18n.lookup import label_, report_, tip_
from ...model.culling_report import CullReport, CullRequest
from ...model.report import ObjectKey
from ...scene import cameras, events
from ...scene.objects import selection
from ...scene.objects.selection import some_selected
from ...scene.settings import cull_request, scene_settings
from ...session import culling_results
from ...viewport import camera_view as culling_overlay
from ..texts.culling import camera_missing, counted
from .base import Operator
from .modal_steps import RunInSteps, Steps
from .results import clear_latest


class CullingRun(RunInSteps):
    """Culls with the settings of the scene. In a window, several frames are tested between events.

    Not registered itself.
    """

    # Whether the operator selects or hides. Otherwise it draws.
    changes_objects = True

    _request: CullRequest

    @classmethod
    def missing(cls, context: bpy.types.Context) -> str:
        """Requires a usable camera, and objects."""
        text = camera_missing(context)
        if text:
            return text
        if cls.changes_objects and context.mode != "OBJECT":
            return tip_("Not in Object Mode")
        if scene_settings(context).cull_scope == "SELECTED" and not some_selected(context):
            return tip_("Select the objects to check")
        return ""

    def apply(self, context: bpy.types.Context, report: CullReport) -> set[str]:
        """Use the report as the operator does."""
        raise NotImplementedError

    def run(self, context: bpy.types.Context) -> set[str]:
        """Apply the last culling if it is up to date, otherwise cull."""
        known = self._known(context)
        return super().run(context) if known is None else self.apply(context, known)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Do the same as `run`, but cancelable."""
        return super().invoke(context, event) if self._known(context) is None else self.execute(context)

    def _known(self, context: bpy.types.Context) -> CullReport | None:
        """Return the last culling if a new one would be the same. None for an operator that draws."""
        found = culling_results.latest.result
        if found is None or not self.changes_objects or found.place != events.place(context):
            return None
        holds = not (found.moved or found.suspect) and found.change_for(cull_request(context)) is None
        return found.report if holds else None

    def begin(self, context: bpy.types.Context) -> Steps:
        """Test the frames of the scene's settings."""
        self._request = cull_request(context)
        return culling.check.steps(context, self._request)

    def is_short(self) -> bool:
        """Return whether there is only one frame to test."""
        return self._request.frames is None

    def share(self, progress: "culling.check.Progress") -> float:
        """Return the finished fraction of the frames."""
        return progress.done / progress.total

    def status(self, progress: "culling.check.Progress") -> str:
        """Return the number of tested frames."""
        return label_("Culling: {done} of {count} frames", done=progress.done, count=progress.total)

    def finish(self, context: bpy.types.Context, found: "culling.check.Culling") -> set[str]:
        """Store the results, update the overlay if there is one, and apply them."""
        request, was_drawn, view = self._request, culling_overlay.is_drawn(), found.view
        if request.frames is not None:
            # The overlay shows the current frame, which may not be among the tested ones.
            objects = scene.scope.scope_objects(context, request.scope).set_a
            view = cameras.camera_view.look_at(context, objects, exact=request.exact)
        culling_results.keep(context, request, found.report, view, culling_overlay.primitives_of(found.report, view))
        if was_drawn:
            culling_overlay.draw()
        return self.apply(context, found.report)


class COLLISION_KIT_OT_cull_to_camera(CullingRun):
    """Counts objects inside the camera's view, crossing its boundary, and outside, and draws them."""

    bl_idname = "collision_kit.cull_to_camera"
    manual = "culling"
    bl_label = "Cull to Camera"
    bl_description = (
        "Classify objects as inside, partly inside or outside the active camera's view, and color them in the viewport"
    )
    bl_options = {"REGISTER"}

    changes_objects = False

    def apply(self, _context: bpy.types.Context, report: CullReport) -> set[str]:
        """Draw the objects, and report the numbers."""
        culling_overlay.draw()
        self.report({"INFO"}, counted(report))
        return {"FINISHED"}


VERDICTS = {"OUTSIDE": OUTSIDE, "CROSSING": CROSSING, "INSIDE": INSIDE}


class COLLISION_KIT_OT_select_outside_camera(CullingRun):
    """Selects objects by their place in the camera's view."""

    bl_idname = "collision_kit.select_outside_camera"
    manual = "culling"
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
        """Select these objects only. If there are none, keep the selection."""
        selected = selection.select_objects(context, map(ObjectKey, report.uids(VERDICTS[self.which])))
        if not selected:
            return self.refuse(report_("No matching objects: selection unchanged"), "INFO")
        self.report({"INFO"}, report_("{count} objects selected", count=len(selected)))
        return {"FINISHED"}


class COLLISION_KIT_OT_hide_outside_camera(CullingRun):
    """Makes a large scene faster to work with: objects outside the view are hidden in the viewport."""

    bl_idname = "collision_kit.hide_outside_camera"
    manual = "culling"
    bl_label = "Hide Outside Camera"
    bl_description = "Hide objects outside the active camera's view in the viewport. Renders are not affected"
    bl_options = {"REGISTER", "UNDO"}

    def apply(self, context: bpy.types.Context, report: CullReport) -> set[str]:
        """Hide the objects."""
        hidden = selection.hide_objects(context, map(ObjectKey, report.uids(OUTSIDE)))
        if not hidden:
            return self.refuse(report_("No objects are outside the camera's view"), "INFO")
        self.report({"INFO"}, report_("{count} objects hidden", count=len(hidden)))
        return {"FINISHED"}


class COLLISION_KIT_OT_clear_camera_culling(Operator):
    """Clears the panel and the overlay."""

    bl_idname = "collision_kit.clear_camera_culling"
    manual = "culling"
    bl_label = "Clear Camera Culling"
    bl_description = "Clear the results of camera culling and their drawing in the viewport"
    bl_options = {"REGISTER"}

    @classmethod
    def missing(cls, _context: bpy.types.Context) -> str:
        """Requires results."""
        return tip_("No results: run Cull to Camera first") if culling_results.latest.result is None else ""

    def run(self, context: bpy.types.Context) -> set[str]:
        """Clear the results."""
        return clear_latest(context, culling_results.latest, drawn=culling_overlay.is_drawn())


CLASSES = (
    COLLISION_KIT_OT_cull_to_camera,
    COLLISION_KIT_OT_select_outside_camera,
    COLLISION_KIT_OT_hide_outside_camera,
    COLLISION_KIT_OT_clear_camera_culling,
)
