# SPDX-License-Identifier: GPL-3.0-or-later
"""A frustum and the tested shapes, each in the role of its verdict."""

import numpy as np
from numpy.typing import NDArray

from ...core.constants import CROSSING, INSIDE, OUTSIDE
from ...core.frustum.frustum import Frustum
from ...core.numerics.types import Floats
from ...core.world.world import World
from .primitives import Primitives, as_lines, concatenate
from .roles import Role
from .shapes import BOX_EDGES, CORNERS, shape_edges

# More shapes than this are drawn as their bounds. The edges of all of them would take seconds, and hide each other.
MOST_SHAPES = 400

ROLES = {OUTSIDE: Role.OUTSIDE, CROSSING: Role.CROSSING, INSIDE: Role.INSIDE}


def frustum_primitives(frustum: Frustum, *, reach: float = 1.0) -> Primitives:
    """Return the twelve edges of a frustum.

    An infinite one is cut off this far from its near plane, in the caller's unit.
    """
    corners = frustum.corners if np.isfinite(frustum.lengths).all() else frustum.corners_within(reach)
    return as_lines(corners[frustum.edges], Role.FRUSTUM)


def verdict_primitives(world: World, verdict: NDArray[np.integer], *, focus: Floats) -> Primitives:
    """Return the edges of shapes, colored by their verdicts.

    Up to `MOST_SHAPES` shapes are drawn by `shapes.shape_edges`. If there are more, the bounded ones are drawn as their
    axis-aligned bounds.

    Parameters
    ----------
    world : World
    verdict : (N,) int
        -1 outside, 0 crossing, 1 inside, for each row of the world.
    focus : (3,) float64
        The patch of a half-space is nearest to this point.
    """
    lower, upper = world.bounds()
    bounded = np.isfinite(lower).all(axis=1) & np.isfinite(upper).all(axis=1)
    alone = np.arange(len(world)) if len(world) <= MOST_SHAPES else np.flatnonzero(~bounded)
    spread = np.linalg.norm(np.ptp(np.concatenate([lower[bounded], upper[bounded]]), axis=0)) if bounded.any() else 0.0
    # Half the extent of everything else to each side.
    size = float(spread) / 2.0 or 1.0
    parts = [shape_edges(world, int(row), ROLES[int(verdict[row])], focus=focus, size=size) for row in alone]
    if len(world) > MOST_SHAPES:
        parts += [
            as_lines(_box_lines(lower[rows], upper[rows]), role)
            for value, role in ROLES.items()
            if len(rows := np.flatnonzero(bounded & (verdict == value)))
        ]
    return concatenate(parts)


def _box_lines(lower: Floats, upper: Floats) -> Floats:
    """Return the edges of axis-aligned boxes (N, 3): (12 N, 2, 3)."""
    middle, half = (lower + upper)[:, None] / 2.0, (upper - lower)[:, None] / 2.0
    return (middle + CORNERS * half)[:, BOX_EDGES].reshape(-1, 2, 3)
