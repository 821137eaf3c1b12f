# SPDX-License-Identifier: GPL-3.0-or-later
"""Preview of convex pieces that are about to become colliders, until it is confirmed or canceled."""

from collections.abc import Sequence

import bpy

from .. import colliders, debug_draw
from ..debug_draw.roles import Role
from ..system.late import np
from . import pair as pair_overlay
from . import stage

# So that neighbors differ.
_ROLES = (Role.SHAPE_A, Role.SHAPE_B, Role.OBSTACLE)


class ColliderPiecesDrawing(stage.Drawing):
    """The drawn pieces."""


def show(context: bpy.types.Context, fitted: "Sequence[colliders.fit.Fitted]") -> None:
    """Draw hulls instead of the current overlay."""
    parts = []
    for number, one in enumerate(fitted):
        points, faces = colliders.fit.world_mesh(one.shape, True, np.eye(3))
        role = _ROLES[number % len(_ROLES)]
        edges = {tuple(sorted(pair)) for face in faces for pair in zip(face, [*face[1:], face[0]], strict=True)}
        fans = [(face[0], face[place], face[place + 1]) for face in faces for place in range(1, len(face) - 1)]
        parts.append(debug_draw.primitives.as_triangles(points[np.array(fans)], role))
        parts.append(debug_draw.primitives.as_lines(points[np.array(sorted(edges))], role))
    stage.show(ColliderPiecesDrawing(debug_draw.primitives.concatenate(parts), context.scene.session_uid))


def hide(context: bpy.types.Context) -> None:
    """Draw the chosen pair of the results again instead."""
    stage.clear(ColliderPiecesDrawing)
    pair_overlay.show_again(context)
