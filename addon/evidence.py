# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn of a pair, in the viewport and in pictures alike."""

from ..core.overlay.extract import pair_primitives
from ..core.overlay.primitives import Primitives, Role, concatenate
from ..core.overlay.shapes import shape_edges
from ..core.world import World
from .report import PairResult


def evidence_primitives(world: World, pair: PairResult, *, size: float, arrow: float, label: str) -> Primitives:
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
    """
    middle = (pair.point_a + pair.point_b) / 2.0
    return concatenate(
        [
            shape_edges(world, pair.shape_a, Role.SHAPE_A, focus=middle, size=size),
            shape_edges(world, pair.shape_b, Role.SHAPE_B, focus=middle, size=size),
            pair_primitives(
                pair.point_a,
                pair.point_b,
                pair.normal,
                pair.distance,
                pair.contact_points,
                pair.contact_depths,
                arrow,
                label,
            ),
        ]
    )
