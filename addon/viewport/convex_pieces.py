# SPDX-License-Identifier: GPL-3.0-or-later
"""Overlay of the convex pieces of an object's outline, removed when they are out of date."""

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
    """The drawn pieces.

    Attributes
    ----------
    name, reason : str
        Name of the object, and the source of the outline.
    pieces, corners : int
    area : float
    """

    name: str
    reason: str
    pieces: int
    corners: int
    area: float


def show(context: bpy.types.Context, ob: bpy.types.Object) -> ConvexPiecesDrawing:
    """Draw the pieces of an object instead of the current overlay.

    Raises as `colliders.outline_pieces.find_pieces` does.
    """
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
    """Return the drawn pieces. None if nothing is drawn, or something else."""
    return stage.current(ConvexPiecesDrawing)


def hide() -> None:
    """Stop drawing pieces."""
    stage.clear(ConvexPiecesDrawing)


def hide_and_show_pair(context: bpy.types.Context) -> None:
    """Draw the chosen pair of the results again."""
    hide()
    pair_overlay.show_again(context)
