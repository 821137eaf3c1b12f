# SPDX-License-Identifier: GPL-3.0-or-later
"""Choose the object of a pair that an artist would move."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...core.numerics.types import Floats, Ints
from ..model.report import ObjectKey, PairResult, Report
from ..scene.objects import moving
from ..scene.open_file import objects_by_uid

if TYPE_CHECKING:
    from ... import core
    from ...core.planar.world import PlacedWorld

# Dimensionless: an object with less than this fraction of the other's volume is moved, or else one with less than this
# fraction of its height.
_LESS, _SHORTER = 0.125, 0.8

# Dimensionless: of two objects with about the same volume, one is the upper one if its center is higher by more than
# this fraction of the lower height.
_HIGHER = 0.25


@dataclass(frozen=True)
class _Mover:
    """One of the two objects of a pair, with everything that moves with it.

    Attributes
    ----------
    fixed : bool
        Whether it cannot be moved.
    diagonal, volume : float
        Of the bounds. The volume is that of the local bounds of each object.
    low, high : float
        Bounds along Z.
    bodies : set of int
        Bodies of the report that move.
    """

    fixed: bool
    diagonal: float
    volume: float
    low: float
    high: float
    bodies: set[int]

    def goes_before(self, other: "_Mover", report: Report) -> bool:
        """Return whether an artist would move this object rather than the other."""
        if self.fixed != other.fixed:
            return other.fixed
        small, large = sorted((self.volume, other.volume))
        if small < _LESS * large:
            return self.volume < other.volume
        short, long = sorted((self.diagonal, other.diagonal))
        if short < _SHORTER * long:
            return self.diagonal < other.diagonal
        if all(map(np.isfinite, (self.low, self.high, other.low, other.high))):
            rise = (self.low + self.high - other.low - other.high) / 2.0
            if abs(rise) > _HIGHER * min(self.high - self.low, other.high - other.low):
                return rise > 0.0
        mine, theirs = self._pairs(report), other._pairs(report)
        if mine != theirs:
            return mine < theirs
        return (self.volume, self.diagonal) < (other.volume, other.diagonal)

    def _pairs(self, report: Report) -> int:
        """Return the number of pairs of the report that contain it."""
        return sum(not self.bodies.isdisjoint((one.body_a, one.body_b)) for one in report.pairs)


def first_to_move(report: Report, world: "core.World | PlacedWorld", pair: PairResult) -> tuple[ObjectKey, ObjectKey]:
    """Return the two objects of a pair, the one to move first.

    If only one object can be moved, it is that one. Otherwise, it is the one with less than an eighth of the volume,
    then the one that is shorter by a fifth. If they are about equal, it is the upper one, or the one in fewer pairs.
    Each object includes everything that moves with it, so the parent of many objects is large, and an infinite plane is
    larger than everything. The volume is that of the local bounds of each object, so a long pipe is smaller than a
    wall.

    Parameters
    ----------
    report : Report
    world : World or PlacedWorld
        Tested shapes, row for row with ``report.shapes``.
    pair : PairResult
        A pair of the report.

    Returns
    -------
    tuple of ObjectKey
    """
    keys = [report.bodies[body].key for body in (pair.body_a, pair.body_b)]
    body_of_shape = np.array([shape.body for shape in report.shapes], dtype=np.int64)
    bounds = world.bounds()
    a, b = (
        _mover(report, key, own, body_of_shape, bounds)
        for key, own in zip(keys, (pair.body_a, pair.body_b), strict=True)
    )
    # If both are equal, the first one in the report.
    return (keys[1], keys[0]) if b.goes_before(a, report) else (keys[0], keys[1])


def _mover(report: Report, key: ObjectKey, own: int, body_of_shape: Ints, bounds: tuple[Floats, Floats]) -> _Mover:
    """Return one of the two objects of a pair, which is the body `own` of the report."""
    ob = objects_by_uid([key.selected_uid]).get(key.selected_uid)
    moved = set() if ob is None else {each.session_uid for each in moving.family(ob)}
    bodies = {own} | {
        number
        for number, body in enumerate(report.bodies)
        if not moved.isdisjoint((body.key.session_uid, body.key.instancer_uid))
    }
    objects = objects_by_uid(report.bodies[body].key.session_uid for body in bodies)
    rows = np.isin(body_of_shape, list(bodies))
    low, high = (side[rows] for side in bounds)
    if not rows.any():
        low, high = np.zeros((2, 1, 3))
    return _Mover(
        ob is None or not moving.freedom(ob).basis.shape[1],
        float(np.linalg.norm(high.max(axis=0) - low.min(axis=0))),
        sum(
            _volume(report.bodies[body].key, objects, bounds, np.flatnonzero(body_of_shape == body)) for body in bodies
        ),
        float(low[:, 2].min()),
        float(high[:, 2].max()),
        bodies,
    )


def _volume(
    key: ObjectKey, objects: Mapping[int, bpy.types.Object], bounds: tuple[Floats, Floats], rows: Ints
) -> float:
    """Return the volume of a body's bounds, along the axes of its object if it has one."""
    if not len(rows):
        return 0.0
    extent = bounds[1][rows].max(axis=0) - bounds[0][rows].min(axis=0)
    if not np.isfinite(extent).all():
        return float("inf")
    ob = objects.get(key.session_uid)
    if ob is not None and not key.instancer_uid and moving.has_size(ob):
        return moving.volume(ob)
    return float(np.prod(extent))
