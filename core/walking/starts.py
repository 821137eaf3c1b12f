# SPDX-License-Identifier: GPL-3.0-or-later
"""Reasons why a character cannot begin at a start."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..numerics.tolerances import WALK_TOUCH
from ..numerics.types import Bools, Floats
from ..query.operands import Operand
from ..rays.points import signed_distance
from ..rays.ray_cast import ray_cast
from ..shapes.batch import ShapeCollection
from ..world.world import World
from .character import Character


class NoStart(ValueError):
    """A start from which the character cannot begin.

    Attributes
    ----------
    row : int
        Row of the start.
    cause : str
        "inside": it is inside of a shape; "air": there is no shape below it; "steep": the shape below it is too steep;
        "narrow": the character does not fit on it; "closed": the character cannot leave the place.
    shape : int
        Row of that shape. -1 if there is none.
    """

    row: int
    cause: str
    shape: int

    @classmethod
    def at(cls, row: int, cause: str, shape: int = -1) -> NoStart:
        """Make the error of one of the starts."""
        result = cls(f"starts: row {row}: {_TEXTS[cause].format(shape=shape)}")
        result.row, result.cause, result.shape = row, cause, shape
        return result


_TEXTS = {
    "inside": "it is inside of shape {shape}",
    "air": "there is no floor below it",
    "steep": "shape {shape} below it is too steep",
    "narrow": "the character does not fit on shape {shape} below it",
    "closed": "the character cannot leave this place: it fits between no columns of the grid",
}


def inside_shapes(shapes: Any, points: Floats) -> Bools:
    """Return whether points (Q, 3) are inside of shapes, (Q,)."""
    if not len(points):
        return np.zeros(0, dtype=bool)
    pairs = np.indices((len(shapes), len(points))).reshape(2, -1).T
    depth = signed_distance(shapes, points, pairs).reshape(len(shapes), -1)
    return np.asarray((depth < 0.0).any(axis=0))


def no_floor(shapes: Operand, start: Floats, row: int, down: Floats, character: Character) -> NoStart:
    """Return the error of a start (3,) without a floor below it, on which the character can stand.

    The shape is the first one that a ray meets that is cast from the start in the direction of gravity (3,).
    """
    given: Any = shapes
    world = given if isinstance(given, ShapeCollection) else World([given])
    pairs = np.stack([np.arange(len(world)), np.zeros(len(world), dtype=np.int64)], axis=1)
    unit, touch = down / np.linalg.norm(down), WALK_TOUCH * character.radius
    depth = signed_distance(world, start[None], pairs)
    if len(pairs) and depth.min() < -touch:
        return NoStart.at(row, "inside", int(np.argmin(depth)))
    # Slightly above, so that a start on a surface meets it.
    hits = ray_cast(world, (start - 2.0 * touch * unit)[None], unit[None], pairs)
    if not hits.hit.any():
        return NoStart.at(row, "air")
    first = int(np.argmin(hits.distance))
    slope = np.degrees(np.arccos(np.clip(abs(hits.normal[first] @ unit), 0.0, 1.0)))
    return NoStart.at(row, "steep" if slope > character.slope else "narrow", first)
