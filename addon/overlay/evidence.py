# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn of a pair, in the viewport and in pictures alike."""

import numpy as np

from ...core.overlay.explanation import patch_primitives
from ...core.overlay.extract import pair_primitives
from ...core.overlay.primitives import Primitives, Role, as_label, concatenate
from ...core.overlay.shapes import shape_edges
from ...core.planar.world import PlacedWorld
from ...core.world import World
from ..report import PairResult


def evidence_primitives(
    world: World | PlacedWorld,
    pair: PairResult,
    *,
    size: float,
    arrow: float,
    label: str,
    contacts: bool = True,
    depths: tuple[str, ...] = (),
) -> Primitives:
    """The two shapes of a pair as edges, its axis, witnesses and contacts.

    Parameters
    ----------
    world : World
        The tested shapes.
    pair : PairResult
    size : float
        How much of an unbounded shape is shown around the witnesses.
    arrow : float
        Length of arrows. Both in Blender units.
    label : str
        What stands at the axis.
    contacts : bool, optional
        Whether contact points, their normals and what they span are shown.
    depths : tuple of str, optional
        What stands at the contact points, in their order.
    """
    middle = (pair.point_a + pair.point_b) / 2.0
    points = pair.contact_points if contacts else np.empty((0, 3))
    return concatenate(
        [
            shape_edges(world, pair.shape_a, Role.SHAPE_A, focus=middle, size=size),
            shape_edges(world, pair.shape_b, Role.SHAPE_B, focus=middle, size=size),
            pair_primitives(
                pair.point_a,
                pair.point_b,
                pair.normal,
                pair.distance,
                points,
                pair.contact_depths[: len(points)],
                arrow,
                label,
                contact_normals=pair.contact_normals[: len(points)],
            ),
            *([] if isinstance(world, PlacedWorld) else [patch_primitives(points, pair.normal)]),
            *(as_label(point, Role.CONTACT, text) for point, text in zip(points, depths, strict=False)),
        ]
    )
