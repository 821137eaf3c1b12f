# SPDX-License-Identifier: GPL-3.0-or-later
"""The drawing of a culling: the camera's view, and what was classified against it."""

from dataclasses import dataclass

import numpy as np

from ..debug_draw.frustum import frustum_primitives, verdict_primitives
from ..debug_draw.primitives import Primitives, concatenate
from ..model.culling_report import CullReport
from ..scene.cameras.camera_view import CameraView, combined, shown_by
from ..session.culling_results import Kept, latest
from . import stage


@dataclass(eq=False)
class CullingDrawing(stage.Drawing):
    """What is drawn of a culling."""

    culling: Kept

    def holds(self) -> bool:
        """Whether it is still what the camera sees."""
        return self.culling is latest.result and self.culling.change is None and not self.culling.moved


def is_drawn() -> bool:
    """Whether a culling is drawn."""
    return stage.current(CullingDrawing) is not None


def draw() -> None:
    """Draw the last culling instead of whatever is drawn, as far as it still holds."""
    found = latest.result
    if found is not None and found.change is None:
        found.moved = False
        stage.show(CullingDrawing(found.primitives, found.place.scene_uid, found))


def undraw() -> None:
    """Draw it no more."""
    stage.clear(CullingDrawing)


def primitives_of(report: CullReport, view: CameraView) -> Primitives:
    """Return the camera's view and all shapes that it shows, by how they were classified."""
    verdict = {**view.verdict, **{entry.uid: entry.verdict for entry in report.objects}}
    of_body = [combined({verdict[uid] for uid in shown_by(body) & verdict.keys()}) for body in view.shapes.bodies]
    of_row = np.array([of_body[body] for body in view.shapes.body], dtype=np.int8)
    focus = view.frustum.near_corners.mean(axis=0)
    drawn = [verdict_primitives(view.shapes.world, of_row, focus=focus), frustum_primitives(view.frustum)]
    return concatenate(drawn)


latest.on_new.subscribe(stage.refresh)
