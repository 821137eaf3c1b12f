# SPDX-License-Identifier: GPL-3.0-or-later
"""What the last culling found, whether it still holds, and its drawing.

Kept in Python and keyed by `session_uid`, as the report of a collision check is; `addon.watch` tells it what happens
to the scene.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import bpy
import numpy as np

from ...core.overlay.frustum import frustum_primitives, verdict_primitives
from ...core.overlay.primitives import Primitives, concatenate
from ..bridge.camera import camera_uid, view_settings
from ..bridge.camera_view import CameraView, combined, shown_by
from ..drawing import handler
from ..overlay.pair import hide
from ..session import Change, body_uids, last
from .report import CullReport, Request


@dataclass
class Kept:
    """A culling.

    Attributes
    ----------
    report : CullReport
    request : Request
    scene_uid : int
    surroundings : tuple
        The camera's settings and the number of objects of the scene.
    uids : frozenset of int
        The objects and the camera that it depends on.
    primitives : Primitives
        The camera's view and all shapes, in the frame that was current.
    change : Change, optional
        What has happened since.
    """

    report: CullReport
    request: Request
    scene_uid: int
    surroundings: tuple[object, ...]
    uids: frozenset[int]
    primitives: Primitives
    change: Change | None = field(default=None)


_kept: list[Kept] = []


def kept() -> Kept | None:
    """Return the last culling; None if there is none."""
    return _kept[0] if _kept else None


def keep(context: bpy.types.Context, request: Request, report: CullReport, view: CameraView) -> None:
    """Remember a culling, and forget the one before.

    Parameters
    ----------
    context : bpy.types.Context
    request : Request
    report : CullReport
    view : CameraView
        That of the current frame, to be drawn.
    """
    uids = {entry.uid for entry in report.objects} | {camera_uid(context.scene)}
    uids.update(uid for body in view.shapes.bodies for uid in body_uids(body))
    _kept[:] = [
        Kept(
            report=report,
            request=request,
            scene_uid=context.scene.session_uid,
            surroundings=_surroundings(context.scene),
            uids=frozenset(uids),
            primitives=_primitives(report, view),
        )
    ]


def forget() -> None:
    """Forget the last culling, and draw it no more."""
    undraw()
    _kept.clear()


def draw() -> None:
    """Draw the camera's view and what was classified, instead of a pair, as far as it still holds."""
    found = kept()
    if found is not None and found.change is None:
        hide()
        handler.set_primitives(found.primitives, found.scene_uid)
        last.view_drawn = True


def undraw() -> None:
    """Draw it no more."""
    if last.view_drawn:
        hide()


def mark_changed(scene: bpy.types.Scene, uids: Iterable[int], *, frame_changed: bool) -> None:
    """Take note that these objects have changed, and perhaps the scene's settings or what is in it.

    That another frame moves them does not make a culling over several frames untrue, only its drawing.
    """
    found = kept()
    if found is None or found.change is not None or scene.session_uid != found.scene_uid:
        return
    if not found.uids.isdisjoint(uids) or _surroundings(scene) != found.surroundings:
        undraw()
        if not (frame_changed and found.request.frames is not None):
            found.change = Change.SCENE


def mark_undone() -> None:
    """Take note that another state of the scene has taken its place."""
    found = kept()
    if found is not None:
        undraw()
        found.change = Change.UNDO


def _surroundings(scene: bpy.types.Scene) -> tuple[object, ...]:
    return *view_settings(scene), len(scene.objects)


def _primitives(report: CullReport, view: CameraView) -> Primitives:
    verdict = {**view.verdict, **{entry.uid: entry.verdict for entry in report.objects}}
    of_body = [combined({verdict[uid] for uid in shown_by(body) & verdict.keys()}) for body in view.shapes.bodies]
    of_row = np.array([of_body[body] for body in view.shapes.body], dtype=np.int8)
    focus = view.frustum.near_corners.mean(axis=0)
    drawn = [verdict_primitives(view.shapes.world, of_row, focus=focus), frustum_primitives(view.frustum)]
    return concatenate(drawn)
