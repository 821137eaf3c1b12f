# SPDX-License-Identifier: GPL-3.0-or-later
"""Floating bodies: their shapes, and the way down to what is below them."""

import numpy as np

from ...core.numerics.types import Floats, Ints
from ...core.world.world import World
from .extract import HEAD, arrows
from .primitives import Primitives, as_label, as_lines, as_points, as_triangles, concatenate
from .roles import Role
from .shapes import shape_edges
from .surfaces import shape_triangles

# Maximum number of drawn parts of connected bodies, and of filled triangles. More would hide what is below.
MOST_PARTS = 64
MOST_TRIANGLES = 2000

# Length of the arrow of bodies with nothing below them, as a fraction of their size.
ARROW = 0.75


def outline_primitives(world: World, rows: Ints) -> Primitives:
    """Show the edges of connected bodies, of at most `MOST_PARTS` shapes (K,)."""
    return concatenate([shape_edges(world, int(row), Role.FLOATING) for row in rows[:MOST_PARTS]])


def filled_primitives(world: World, rows: Ints) -> Primitives:
    """Fill the shapes (K,) of connected bodies, those with at most `MOST_TRIANGLES` triangles."""
    parts = [shape_triangles(world, int(row)) for row in rows[:MOST_PARTS]]
    return concatenate([as_triangles(part, Role.FLOATING) for part in parts if len(part) <= MOST_TRIANGLES])


def way_down_primitives(places: Floats, lowest: Floats, down: Floats, *, size: float, label: str) -> Primitives:
    """Show how far bodies can move down: a line from the place that first touches something, to what it touches.

    Parameters
    ----------
    places : (2, 3) float64
        Both ends. NaN if nothing is below. Then an arrow points down from the lowest point.
    lowest : (3,) float64
        The lowest point of the bodies.
    down : (3,) float64
        Unit vector.
    size : float
        Size of the bodies, in the caller's unit, above zero.
    label : str
        Text beside the middle of the line or of the arrow.
    """
    if np.isnan(places).any():
        length = ARROW * size
        drawn = arrows(lowest[None], (length * down)[None], HEAD * length, Role.GAP)
        return concatenate([drawn, as_label(lowest + length / 2.0 * down, Role.GAP, label)])
    return gap_primitives(places, label=label)


def gap_primitives(places: Floats, *, label: str) -> Primitives:
    """Show a gap between two places (2, 3), with a text beside its middle."""
    drawn = [as_lines(places[None], Role.GAP), as_points(places, Role.GAP)]
    return concatenate([*drawn, as_label(places.mean(axis=0), Role.GAP, label)])
