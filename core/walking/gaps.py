# SPDX-License-Identifier: GPL-3.0-or-later
"""The width of a gap: the widest upright cylinder that falls through it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..numerics.types import Floats
from ..query.queries import distance
from ..shapes import Capsules
from .character import Character
from .ground import Frame

# Radii around a place beyond which a gap counts as open.
_WIDEST = 10.0
# Fraction of the radius to which the width is accurate.
_EXACT = 1e-4
_AROUND = np.array([(x, y, 0.0) for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0)])


def gap_width(shapes: Any, frame: Frame, place: Floats, floor: float, character: Character) -> float:
    """The width of the gap at a place (3,) of a frame. Infinite if it is open.

    It is twice the greatest distance of a vertical line from all shapes, between the floor and the allowed drop. The
    line begins at the place and moves to where the distance increases.
    """
    widest = _WIDEST * character.radius
    here = np.array([place[0], place[1], 0.0])
    best, reach = _free(shapes, frame, here[None], floor, character)[0], 2.0 * character.radius
    while reach > _EXACT * character.radius:
        around = here + reach * _AROUND
        free = _free(shapes, frame, around, floor, character)
        at = int(np.argmax(free))
        if free[at] > best * (1.0 + 1e-12):
            here, best = around[at], free[at]
        else:
            reach *= 0.5
        if best > widest:
            return float("inf")
    return float(2.0 * best)


def _free(shapes: Any, frame: Frame, places: Floats, floor: float, character: Character) -> Floats:
    """Distances of vertical lines at places (K, 3) from all shapes, limited to slightly more than the open width."""
    top, bottom = places.copy(), places.copy()
    top[:, 2], bottom[:, 2] = floor, floor - character.drop
    lines = Capsules(frame.out(top), frame.out(bottom), 0.0)
    lower, upper = shapes.bounds()
    limit = 1.01 * _WIDEST * character.radius
    low, high = lines.bounds()
    near = ((lower[None] <= high[:, None] + limit) & (upper[None] >= low[:, None] - limit)).all(axis=2)
    line, row = np.nonzero(near)
    result = np.full(len(places), limit)
    if len(line):
        away = distance(lines, shapes, np.stack([line, row], axis=1)).distance
        np.minimum.at(result, line, away)
    return result
