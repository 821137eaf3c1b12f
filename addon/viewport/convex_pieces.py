# SPDX-License-Identifier: GPL-3.0-or-later
"""The convex pieces of an object's outline: found, drawn, and taken away again when they are no longer true."""

from dataclasses import dataclass

import bpy
import numpy as np

from ...core.numerics.types import Floats
from ...core.planar import decompose
from ...core.planar.world import Plane
from ..debug_draw.planar import convex_parts, piece_primitives
from ..debug_draw.primitives import Role
from ..model.errors import UserError
from ..scene.cameras.camera import camera_uid
from ..scene.outlines.plane_shapes import Area
from ..scene.outlines.planes import CAMERA, plane_of
from ..scene.outlines.read_outlines import batches_of, outline_of
from ..scene.settings import scene_settings
from ..session.collision_results import last
from . import pair as pair_overlay
from . import stage


class NoPieces(UserError):
    """An object has no outline to be cut up."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """The outline of an object in convex pieces.

    Attributes
    ----------
    plane : Plane
    height : float
        Where they lie: at the object's front.
    pieces : list of (k, 2) float64
        Counter-clockwise, in the plane. Together they are the outline; round ones have many straight sides.
    reason : str
        What the outline was taken from, as a report has it.
    """

    plane: Plane
    height: float
    pieces: list[Floats]
    reason: str

    @property
    def area(self) -> float:
        """Of all pieces together."""
        return float(sum(_area(piece) for piece in self.pieces))


@dataclass(eq=False)
class Shown(stage.ObjectDrawing):
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


def find_pieces(context: bpy.types.Context, ob: bpy.types.Object) -> Pieces:
    """Cut the outline of an object in the plane that is set into convex pieces.

    Raises
    ------
    UserError
        If the plane cannot be looked at; `NoPieces` if the object has no outline there that encloses anything, or one
        that crosses itself.
    """
    plane = plane_of(context, scene_settings(context).planar.plane)
    outlined = outline_of(context, ob, plane)
    if outlined is None:
        raise NoPieces('"{name}" is hidden', name=ob.name)
    if outlined.skipped:
        raise NoPieces('"{name}" has no outline: {reason}', name=ob.name, reason=outlined.skipped)
    if outlined.crossing is not None:
        place = ", ".join(f"{x:.6g}" for x in outlined.crossing)
        raise NoPieces('The outline of "{name}" intersects itself at ({place})', name=ob.name, place=place)
    pieces: list[Floats] = []
    for shape in outlined.shapes:
        if isinstance(shape, Area):
            pieces += [piece + shape.place for piece in decompose(shape.outline, shape.holes)]
        else:
            pieces += convex_parts(batches_of([shape])[0])
    solid = [piece for piece in pieces if _area(piece) > 0.0]
    if not solid:
        raise NoPieces('The outline of "{name}" encloses no area', name=ob.name)
    return Pieces(plane, outlined.front, solid, outlined.reason)


def show(context: bpy.types.Context, ob: bpy.types.Object) -> Shown:
    """Draw the pieces of an object, instead of whatever is drawn; raises as `find_pieces`."""
    found = find_pieces(context, ob)
    uids = {ob.session_uid}
    if scene_settings(context).planar.plane == CAMERA:
        uids.add(camera_uid(context.scene))
    shown = Shown(
        primitives=piece_primitives(found.pieces, found.plane, found.height, Role.OBSTACLE),
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


def shown() -> Shown | None:
    """Return what is drawn; None if nothing is, or something else by now."""
    return stage.current(Shown)


def hide() -> None:
    """Draw no pieces."""
    stage.clear(Shown)


def hide_and_show_pair(context: bpy.types.Context) -> None:
    """Draw the chosen pair of the results again."""
    hide()
    pair_overlay.show(context, last.chosen)


def _area(corners: Floats) -> float:
    """Of a polygon, above zero counter-clockwise."""
    x, y = (corners - corners[0]).T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) / 2.0
