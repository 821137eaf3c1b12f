# SPDX-License-Identifier: GPL-3.0-or-later
"""Overlay of a culling: the camera's view, and the classified objects."""

from dataclasses import dataclass

from .. import debug_draw
from ..model.culling_report import CullReport
from ..scene import cameras
from ..session.culling_results import CullingResult, latest
from ..system.late import np
from . import stage


@dataclass(eq=False)
class CullingDrawing(stage.Drawing):
    """Overlay of a culling."""

    culling: CullingResult

    def holds(self) -> bool:
        """Return whether it is up to date."""
        return self.culling is latest.result and self.culling.change is None and not self.culling.moved


def is_drawn() -> bool:
    """Return whether a culling is drawn."""
    return stage.current(CullingDrawing) is not None


def draw() -> None:
    """Draw the last culling instead of the current overlay, as far as it is up to date."""
    found = latest.result
    if found is not None and found.change is None:
        found.moved = False
        stage.show(CullingDrawing(found.primitives, found.place.scene_uid, found))


def undraw() -> None:
    """Stop drawing it."""
    stage.clear(CullingDrawing)


def primitives_of(report: CullReport, view: "cameras.camera_view.CameraView") -> "debug_draw.primitives.Primitives":
    """Return the camera's view and all shapes in it, by class."""
    verdict = {**view.verdict, **{entry.uid: entry.verdict for entry in report.objects}}
    of_body = [
        cameras.camera_view.combined({verdict[uid] for uid in cameras.camera_view.shown_by(body) & verdict.keys()})
        for body in view.shapes.bodies
    ]
    of_row = np.array([of_body[body] for body in view.shapes.body], dtype=np.int8)
    focus = view.frustum.near_corners.mean(axis=0)
    drawn = [
        debug_draw.frustum.verdict_primitives(view.shapes.world, of_row, focus=focus),
        debug_draw.frustum.frustum_primitives(view.frustum),
    ]
    return debug_draw.primitives.concatenate(drawn)


latest.on_new.subscribe(stage.refresh)
