# SPDX-License-Identifier: GPL-3.0-or-later
"""What the operators that cull have in common: they look through frames, and Esc ends that."""

from collections.abc import Generator
from time import monotonic

import bpy

from .. import culled, culling
from ..bridge.camera import UnusableCamera
from ..bridge.camera_view import look_at
from ..bridge.scope import scope_objects
from ..camera_texts import camera_missing, refusal
from ..cull_report import CullReport, Request
from ..culling import Culling, Progress
from ..language import label_, report_, tip_
from ..session import last
from ..stored import cull_request, scene_settings

# Seconds of work between two looks at the keyboard.
SLICE = 0.1
# Seconds until the next work, in which Blender draws.
PAUSE = 0.01


class CullingRun(bpy.types.Operator):
    """Culls as the scene's settings say. In a window, several frames are looked at while events are waited for.

    Not registered itself.
    """

    # Whether the operator selects or hides; drawing is what it does otherwise.
    changes_objects = True

    _request: Request
    _run: Generator[Progress, None, Culling]
    _timer: bpy.types.Timer

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be a camera that can be used, and objects."""
        text = camera_missing(context)
        if not text and cls.changes_objects and context.mode != "OBJECT":
            text = tip_("Go to object mode first")
        if not text and scene_settings(context).cull_scope == "SELECTED" and not context.selected_objects:
            text = tip_("Select the objects to check")
        if text:
            cls.poll_message_set(text)
        return not text

    def apply(self, context: bpy.types.Context, report: CullReport) -> set[str]:
        """Do with the report what the operator is for."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Look at all frames, without a way to end that."""
        request = cull_request(context)
        manager = context.window_manager
        run = culling.steps(context, request)
        manager.progress_begin(0, 1)
        try:
            while True:
                done, total = next(run)
                manager.progress_update(done / total)
        except StopIteration as end:
            return self._finish(context, request, end.value)
        except ValueError as error:
            return self._refuse(error)
        finally:
            manager.progress_end()

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Look at one frame at once, and at several while Esc can end it."""
        self._request = cull_request(context)
        if self._request.frames is None or context.window is None:
            return self.execute(context)
        self._run = culling.steps(context, self._request)
        self._timer = context.window_manager.event_timer_add(PAUSE, window=context.window)
        context.window_manager.progress_begin(0, 1)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Look at some more frames, or stop."""
        if event.type == "ESC":
            self._stop(context)
            self.report({"INFO"}, report_("Cancelled: nothing was changed"))
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        begin = monotonic()
        try:
            while monotonic() - begin < SLICE:
                done, total = next(self._run)
        except StopIteration as end:
            self._stop(context)
            return self._finish(context, self._request, end.value)
        except ValueError as error:
            self._stop(context)
            return self._refuse(error)
        except Exception:
            self._stop(context)
            raise
        context.window_manager.progress_update(done / total)
        text = label_("Looking through the camera: {done} of {total} frames. Esc stops", done=done, total=total)
        context.workspace.status_text_set(text)
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Put the scene back when Blender ends the operator."""
        self._stop(context)

    def _stop(self, context: bpy.types.Context) -> None:
        self._run.close()
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)

    def _refuse(self, error: ValueError) -> set[str]:
        self.report({"ERROR"}, refusal(error) if isinstance(error, UnusableCamera) else str(error))
        return {"CANCELLED"}

    def _finish(self, context: bpy.types.Context, request: Request, found: Culling) -> set[str]:
        """Keep what was found, renew its drawing if there is one, and apply it."""
        was_drawn = last.view_drawn
        view = found.view
        if request.frames is not None:
            # What is drawn is the current frame, which need not be among those that were looked at.
            try:
                view = look_at(context, scope_objects(context, request.scope).set_a, exact=request.exact)
            except UnusableCamera as error:
                return self._refuse(error)
        culled.keep(context, request, found.report, view)
        if was_drawn:
            culled.draw()
        return self.apply(context, found.report)
