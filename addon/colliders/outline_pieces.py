# SPDX-License-Identifier: GPL-3.0-or-later
"""Split the outline of an object into convex pieces, for engines that require convex polygons."""

from dataclasses import dataclass

import bpy
import numpy as np

from ...core.numerics.types import Floats
from ...core.planar import decompose
from ...core.planar.world import Plane
from ..debug_draw.planar import convex_parts
from ..model.errors import UserError
from ..scene.outlines.plane_shapes import PlaneArea
from ..scene.outlines.planes import plane_of
from ..scene.outlines.read_outlines import batches_of, outline_of


class NoPieces(UserError):
    """The object has no outline that can be split."""


@dataclass(frozen=True, eq=False)
class OutlinePieces:
    """Outline of an object in convex pieces.

    Attributes
    ----------
    plane : Plane
    height : float
        Height of the pieces: the front of the object.
    pieces : list of (k, 2) float64
        Counterclockwise, in the plane. Their union is the outline. Round outlines have many straight sides.
    reason : str
        Source of the outline, as in a report.
    """

    plane: Plane
    height: float
    pieces: list[Floats]
    reason: str

    @property
    def area(self) -> float:
        """Area of all pieces together."""
        return float(sum(_area(piece) for piece in self.pieces))


def find_pieces(context: bpy.types.Context, ob: bpy.types.Object, plane_name: str) -> OutlinePieces:
    """Split the outline of an object in a plane of `plane_of` into convex pieces.

    Raises
    ------
    UserError
        If the plane cannot be used. `NoPieces` if the outline is empty or intersects itself.
    """
    plane = plane_of(context, plane_name)
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
        if isinstance(shape, PlaneArea):
            pieces += [piece + shape.place for piece in decompose(shape.outline, shape.holes)]
        else:
            pieces += convex_parts(batches_of([shape])[0])
    solid = [piece for piece in pieces if _area(piece) > 0.0]
    if not solid:
        raise NoPieces('The outline of "{name}" encloses no area', name=ob.name)
    return OutlinePieces(plane, outlined.front, solid, outlined.reason)


def _area(corners: Floats) -> float:
    """Signed area of a polygon, positive if counterclockwise."""
    x, y = (corners - corners[0]).T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) / 2.0
