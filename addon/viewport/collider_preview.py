# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders that are about to be made, drawn until that is confirmed or not."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import bpy

from .. import colliders, debug_draw
from ..debug_draw.roles import Role
from ..session import fit_comparison
from ..system.late import np
from . import pair as pair_overlay
from . import stage

# So that neighbors differ.
_ROLES = (Role.SHAPE_A, Role.SHAPE_B, Role.OBSTACLE)


@dataclass(eq=False)
class ColliderPreview(stage.ObjectDrawing):
    """The colliders that are drawn.

    Attributes
    ----------
    compared : bool
        Whether they are those of a compared type, which are drawn as long as the comparison holds.
    """

    compared: bool = field(kw_only=True)

    def holds(self) -> bool:
        """Whether the types are still compared, if they were."""
        return not self.compared or bool(fit_comparison.known(bpy.context))


def show(
    context: bpy.types.Context,
    meshes: "Sequence[colliders.meshes.Mesh]",
    uids: Collection[int],
    *,
    compared: bool = False,
) -> None:
    """Draw the meshes of colliders of these objects, which are in the world, instead of whatever is drawn."""
    parts = []
    for number, (points, faces) in enumerate(meshes):
        role = _ROLES[number % len(_ROLES)]
        edges = {tuple(sorted(pair)) for face in faces for pair in zip(face, [*face[1:], face[0]], strict=True)}
        fans = [(face[0], face[place], face[place + 1]) for face in faces for place in range(1, len(face) - 1)]
        parts.append(debug_draw.primitives.as_triangles(points[np.array(fans)], role))
        parts.append(debug_draw.primitives.as_lines(points[np.array(sorted(edges))], role))
    drawn = debug_draw.primitives.concatenate(parts)
    stage.show(ColliderPreview(drawn, context.scene.session_uid, uids=frozenset(uids), compared=compared))


def hide(context: bpy.types.Context) -> None:
    """Draw the chosen pair of the results again instead."""
    stage.clear(ColliderPreview)
    pair_overlay.show_again(context)
