# SPDX-License-Identifier: GPL-3.0-or-later
"""The result of the last culling, and whether it is still valid."""

from dataclasses import dataclass, field

import bpy

from .. import debug_draw
from ..model.culling_report import CullReport, CullRequest
from ..model.report import body_uids
from ..scene import cameras, events
from ..scene.events import SceneChange
from .latest import Change, Latest, Result


@dataclass(eq=False)
class CullingResult(Result):
    """A culling.

    Attributes
    ----------
    report : CullReport
    surroundings : tuple
        The camera's settings and the number of objects of the scene.
    primitives : Primitives
        The camera's view and all shapes, in the frame that was current.
    moved : bool
        What is drawn is no longer so.
    """

    report: CullReport = field(kw_only=True)
    surroundings: tuple[object, ...] = field(kw_only=True)
    primitives: "debug_draw.primitives.Primitives" = field(kw_only=True)
    moved: bool = False

    @property
    def request(self) -> CullRequest:
        """The options of the culling."""
        assert isinstance(self.asked, CullRequest)
        return self.asked

    def happened(self, change: SceneChange) -> None:
        """Take note of a change of a scene, and perhaps of its settings or of what is in it.

        That another frame moves things does not make a culling over several frames untrue, only its drawing.
        """
        scene = change.scene
        if self.change is not None or scene.session_uid != self.place.scene_uid:
            return
        if not self.uids.isdisjoint(change.uids) or surroundings(scene) != self.surroundings:
            self.moved = True
            if not (change.frame and self.request.frames is not None):
                self.change = Change.SCENE


latest: "Latest[CullingResult]" = Latest()


def keep(
    context: bpy.types.Context,
    request: CullRequest,
    report: CullReport,
    view: "cameras.camera_view.CameraView",
    primitives: "debug_draw.primitives.Primitives",
) -> None:
    """Remember a culling, and forget the one before.

    Parameters
    ----------
    context : bpy.types.Context
    request : CullRequest
    report : CullReport
    view : CameraView
        That of the current frame.
    primitives : Primitives
        What there is to draw of that.
    """
    uids = {entry.uid for entry in report.objects} | {cameras.camera.camera_uid(context.scene)}
    uids.update(uid for body in view.shapes.bodies for uid in body_uids(body))
    latest.store(
        CullingResult(
            place=events.place(context),
            asked=request,
            uids=frozenset(uids),
            report=report,
            surroundings=surroundings(context.scene),
            primitives=primitives,
        )
    )


def surroundings(scene: bpy.types.Scene) -> tuple[object, ...]:
    """Return what a culling depends on besides objects."""
    return *cameras.camera.view_settings(scene), len(scene.objects)
