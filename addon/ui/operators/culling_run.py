# SPDX-License-Identifier: GPL-3.0-or-later
"""What the operators that cull have in common: they look through frames, and Esc ends that."""

import bpy

from ...culling import check as culling
from ...culling.check import Culling, Progress
from ...i18n.lookup import error_text, label_, tip_
from ...model.culling_report import CullReport, Request
from ...model.errors import UserError
from ...scene.cameras.camera_view import look_at
from ...scene.objects.some_selected import some_selected
from ...scene.scope import scope_objects
from ...scene.settings import cull_request, scene_settings
from ...session import culling_results
from ...viewport import camera_view as culling_overlay
from ..texts.culling import camera_missing
from .modal_steps import RunInSteps, Steps


class CullingRun(RunInSteps):
    """Culls as the scene's settings say. In a window, several frames are looked at while events are waited for.

    Not registered itself.
    """

    # Whether the operator selects or hides; drawing is what it does otherwise.
    changes_objects = True

    _request: Request

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be a camera that can be used, and objects."""
        text = camera_missing(context)
        if not text and cls.changes_objects and context.mode != "OBJECT":
            text = tip_("Not in Object Mode")
        if not text and scene_settings(context).cull_scope == "SELECTED" and not some_selected(context):
            text = tip_("Select the objects to check")
        if text:
            cls.poll_message_set(text)
        return not text

    def apply(self, context: bpy.types.Context, report: CullReport) -> set[str]:
        """Do with the report what the operator is for."""
        raise NotImplementedError

    def begin(self, context: bpy.types.Context) -> Steps:
        """Look through the frames that the scene's settings name."""
        self._request = cull_request(context)
        return culling.steps(context, self._request)

    def is_short(self) -> bool:
        """Whether there is one frame to look at."""
        return self._request.frames is None

    def share(self, progress: Progress) -> float:
        """How many of the frames have been looked at."""
        return progress.done / progress.total

    def status(self, progress: Progress) -> str:
        """Say how many."""
        return label_("Culling: {done} of {count} frames", done=progress.done, count=progress.total)

    def finish(self, context: bpy.types.Context, found: Culling) -> set[str]:
        """Keep what was found, renew its drawing if there is one, and apply it."""
        request, was_drawn, view = self._request, culling_overlay.is_drawn(), found.view
        if request.frames is not None:
            # What is drawn is the current frame, which need not be among those that were looked at.
            try:
                view = look_at(context, scope_objects(context, request.scope).set_a, exact=request.exact)
            except UserError as error:
                self.report({"ERROR"}, error_text(error))
                return {"CANCELLED"}
        culling_results.keep(context, request, found.report, view, culling_overlay.primitives_of(found.report, view))
        if was_drawn:
            culling_overlay.draw()
        return self.apply(context, found.report)
