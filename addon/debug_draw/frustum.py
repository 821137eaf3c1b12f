# SPDX-License-Identifier: GPL-3.0-or-later
"""A frustum and the shapes that it was asked about, each in the role of its verdict."""

import numpy as np
from numpy.typing import NDArray

from ...core.constants import CROSSING, INSIDE, OUTSIDE
from ...core.frustum.frustum import Frustum
from ...core.numerics.types import Floats
from ...core.world.world import World
from .primitives import Primitives, as_lines, concatenate
from .roles import Role
from .shapes import BOX_EDGES, CORNERS, shape_edges

# More shapes than this are drawn as their bounds: the edges of all of them would take seconds, and hide each other.
MOST_SHAPES = 400

ROLES = {OUTSIDE: Role.OUTSIDE, CROSSING: Role.CROSSING, INSIDE: Role.INSIDE}


def frustum_primitives(frustum: Frustum, *, reach: float = 1.0) -> Primitives:
    """The twelve edges of a frustum; one without end is cut off this far, in the caller's unit, from its near plane."""
    corners = frustum.corners if np.isfinite(frustum.lengths).all() else frustum.corners_within(reach)
    return as_lines(corners[frustum.edges], Role.FRUSTUM)


def verdict_primitives(world: World, verdict: NDArray[np.integer], *, focus: Floats) -> Primitives:
    """The edges of shapes, colored by their verdicts.

    Up to `MOST_SHAPES` as `shapes.shape_edges` draws them; of more, the bounded ones as their bounds along the world's
    axes.

    Parameters
    ----------
    world : World
    verdict : (N,) int
        -1 outside, 0 crossing, 1 inside, of each row of the world.
    focus : (3,) float64
        The patch that stands for a half-space lies nearest to this point.
    """
    lower, upper = world.bounds()
    bounded = np.isfinite(lower).all(axis=1) & np.isfinite(upper).all(axis=1)
    alone = np.arange(len(world)) if len(world) <= MOST_SHAPES else np.flatnonzero(~bounded)
    spread = np.linalg.norm(np.ptp(np.concatenate([lower[bounded], upper[bounded]]), axis=0)) if bounded.any() else 0.0
    # Half as far to each side as everything else reaches.
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
    """The edges of axis-aligned boxes (N, 3): (12 N, 2, 3)."""
    middle, half = (lower + upper)[:, None] / 2.0, (upper - lower)[:, None] / 2.0
    return (middle + CORNERS * half)[:, BOX_EDGES].reshape(-1, 2, 3)
