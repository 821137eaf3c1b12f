# SPDX-License-Identifier: GPL-3.0-or-later
"""Which object of a pair an artist would move, and which of the two is much smaller than the other."""

from typing import TYPE_CHECKING

import numpy as np

from ...core.numerics.types import Bools, Floats
from ..model.report import ObjectKey, PairResult, Report
from ..scene.objects import moving
from ..scene.open_file import objects_by_uid

if TYPE_CHECKING:
    from ... import core
    from ...core.planar.world import PlacedWorld

# Dimensionless: an object with less than this share of the other's size is much smaller.
_MUCH_SMALLER = 0.25


def first_to_move(
    report: Report, world: "core.World | PlacedWorld", pair: PairResult
) -> tuple[tuple[ObjectKey, ObjectKey], bool]:
    """The two objects of a pair: first the one to move, which is the smaller one unless it cannot be moved.

    The size of an object is the diagonal of the bounds of all tested shapes that move with it, so the parent of many
    objects is large, and an infinite plane is larger than everything.

    Parameters
    ----------
    report : Report
    world : World or PlacedWorld
        The tested shapes, row for row with ``report.shapes``.
    pair : PairResult
        One of the report.

    Returns
    -------
    keys : tuple of ObjectKey
    much_smaller : bool
        Whether the first has less than a quarter of the size of the second.
    """
    keys = [report.bodies[body].key for body in (pair.body_a, pair.body_b)]
    objects = objects_by_uid(key.selected_uid for key in keys)
    body_of_shape = np.array([shape.body for shape in report.shapes], dtype=np.int64)
    bounds = world.bounds()
    sizes, fixed = [], []
    for key, own in zip(keys, (pair.body_a, pair.body_b), strict=True):
        ob = objects.get(key.selected_uid)
        moved = set() if ob is None else {each.session_uid for each in moving.family(ob)}
        bodies = [own] + [
            number
            for number, body in enumerate(report.bodies)
            if not moved.isdisjoint((body.key.session_uid, body.key.instancer_uid))
        ]
        sizes.append(_diagonal(bounds, np.isin(body_of_shape, bodies)))
        fixed.append(ob is None or not moving.freedom(ob).basis.shape[1])
    # If both are equal, the first one in the report.
    first = 1 if (fixed[1], sizes[1]) < (fixed[0], sizes[0]) else 0
    return (keys[first], keys[1 - first]), sizes[first] < _MUCH_SMALLER * sizes[1 - first]


def _diagonal(bounds: tuple[Floats, Floats], rows: Bools) -> float:
    lower, upper = bounds
    if not rows.any():
        return 0.0
    return float(np.linalg.norm(upper[rows].max(axis=0) - lower[rows].min(axis=0)))
