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
        Settings of the camera, and number of objects of the scene.
    primitives : Primitives
        The camera's view and all shapes, in the frame that was current.
    moved : bool
        Whether the overlay is out of date.
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
        """Record a change of a scene, and possibly of its settings or its objects.

        Motion in another frame does not make a culling over several frames out of date, only its overlay.
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
    """Store a culling, and drop the previous one.

    Parameters
    ----------
    context : bpy.types.Context
    request : CullRequest
    report : CullReport
    view : CameraView
        View in the current frame.
    primitives : Primitives
        Overlay of the view.
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
    """Return the dependencies of a culling, except objects."""
    return *cameras.camera.view_settings(scene), len(scene.objects)
