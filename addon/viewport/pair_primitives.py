# SPDX-License-Identifier: GPL-3.0-or-later
"""Primitives of a pair, for the viewport and for pictures."""

import numpy as np

from ...core.numerics.types import Floats
from ...core.planar.world import PlacedWorld
from ...core.world.world import World
from ..debug_draw.explanation import patch_primitives
from ..debug_draw.extract import pair_primitives
from ..debug_draw.primitives import Primitives, as_label, as_points, concatenate
from ..debug_draw.roles import Role
from ..debug_draw.shapes import shape_edges
from ..model.report import PairResult
from .thinning import SPACING_SHARE, prominent


def evidence_primitives(
    world: World | PlacedWorld,
    pair: PairResult,
    *,
    size: float,
    arrow: float,
    label: str,
    label_role: Role | None = None,
    label_at_a: bool | None = None,
    contacts: bool = True,
    every_arrow: bool = False,
    depths: tuple[str, ...] = (),
) -> Primitives:
    """Return the two shapes of a pair as edges, its depth or gap, and its contacts.

    Parameters
    ----------
    world : World
        The tested shapes.
    pair : PairResult
    size : float
        Size of the shown part of an unbounded shape around the witness points.
    arrow : float
        Length of arrows. Both in Blender units.
    label : str
        Text at the depth or gap.
    label_role : Role, optional
    label_at_a : bool, optional
        Both as for `pair_primitives`.
    contacts : bool, optional
        Whether contact points, their normals and the area that they span are shown.
    every_arrow : bool, optional
        Whether all contacts have their normals and depths. Otherwise, if there are many, only those that `prominent`
        chooses have, and the others are small points.
    depths : tuple of str, optional
        Texts at the contact points, in order.
    """
    middle = (pair.point_a + pair.point_b) / 2.0
    points = pair.contact_points if contacts else np.empty((0, 3))
    depth, normals = pair.contact_depths[: len(points)], pair.contact_normals[: len(points)]
    if not len(normals):
        normals = np.broadcast_to(pair.normal, points.shape)
    shown = np.ones(len(points), np.bool_) if every_arrow else prominent(points, depth, SPACING_SHARE * arrow)
    return concatenate(
        [
            shape_edges(world, pair.shape_a, Role.SHAPE_A, focus=middle, size=size),
            shape_edges(world, pair.shape_b, Role.SHAPE_B, focus=middle, size=size),
            pair_primitives(
                pair.point_a,
                pair.point_b,
                pair.normal,
                pair.distance,
                points[shown],
                depth[shown],
                arrow,
                label,
                contact_normals=normals[shown],
                label_role=label_role,
                label_at_a=label_at_a,
            ),
            # Smaller points, as in the palette for normals, because they replace the normal.
            as_points(points[~shown], Role.NORMAL),
            *([] if isinstance(world, PlacedWorld) else _patches(points, normals)),
            # If there is no room for all, the deepest have theirs.
            *(as_label(points[row], Role.CONTACT, depths[row]) for row in np.argsort(-depth[: len(depths)])),
        ]
    )


def _patches(points: Floats, normals: Floats) -> list[Primitives]:
    """Return a patch for the contacts of each normal, because two shapes that fit together touch on several sides."""
    if not len(points):
        return []
    _, which = np.unique(np.round(normals, 6), axis=0, return_inverse=True)
    which = which.reshape(-1)
    return [patch_primitives(points[which == one], normals[which == one][0]) for one in range(which.max() + 1)]
