# SPDX-License-Identifier: GPL-3.0-or-later
"""The convex pieces of an object's outline: drawn, and taken away again when they are no longer true."""

from dataclasses import dataclass

import bpy

from .. import colliders, debug_draw
from ..debug_draw.roles import Role
from ..scene import cameras, outlines
from ..scene.settings import scene_settings
from ..system.late import np
from . import pair as pair_overlay
from . import stage


@dataclass(eq=False)
class ConvexPiecesDrawing(stage.ObjectDrawing):
    """The pieces that are drawn.

    Attributes
    ----------
    name, reason : str
        Whose they are, and what the outline was taken from.
    pieces, corners : int
    area : float
    """

    name: str
    reason: str
    pieces: int
    corners: int
    area: float


def show(context: bpy.types.Context, ob: bpy.types.Object) -> ConvexPiecesDrawing:
    """Draw the pieces of an object, instead of whatever is drawn; raises as `colliders.outline_pieces.find_pieces`."""
    plane = scene_settings(context).planar.plane
    found = colliders.outline_pieces.find_pieces(context, ob, plane)
    uids = {ob.session_uid}
    if plane == outlines.planes.CAMERA:
        uids.add(cameras.camera.camera_uid(context.scene))
    shown = ConvexPiecesDrawing(
        primitives=debug_draw.planar.piece_primitives(found.pieces, found.plane, found.height, Role.OBSTACLE),
        scene_uid=context.scene.session_uid,
        name=ob.name,
        reason=found.reason,
        pieces=len(found.pieces),
        corners=len(np.unique(np.concatenate(found.pieces), axis=0)),
        area=found.area,
        uids=frozenset(uids),
    )
    stage.show(shown)
    return shown


def shown() -> ConvexPiecesDrawing | None:
    """Return what is drawn; None if nothing is, or something else by now."""
    return stage.current(ConvexPiecesDrawing)


def hide() -> None:
    """Draw no pieces."""
    stage.clear(ConvexPiecesDrawing)


def hide_and_show_pair(context: bpy.types.Context) -> None:
    """Draw the chosen pair of the results again."""
    hide()
    pair_overlay.show_again(context)
