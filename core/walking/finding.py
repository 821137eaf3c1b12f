# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults that a character meets on its way."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..numerics.types import Floats

# All kinds, in the order of a report.
KINDS = ("fall", "stuck", "snag", "squeeze", "step", "slope", "unreachable")


@dataclass(frozen=True, eq=False)
class Finding:
    """A place at which something is wrong.

    Attributes
    ----------
    kind : str
        "fall": it drops farther than it may, or out of the level. "stuck": it gets there, but not back to a start.
        "snag": an edge between two colliders that are level to the eye. "squeeze": a passage a little too narrow.
        "step": a step a little too high. "slope": a slope a little too steep. "unreachable": a floor that it does not
        reach.
    point : (3,) float64
        Where it happens, on the floor of the pose before.
    before, after : (3,) float64
        The lowest point of the capsule before and after.
    contact : (3,) float64
        The point that decides.
    shapes : tuple of int
        The rows of the shapes beside it, ascending.
    measure : float
        "fall": the width of the gap. "stuck": how deep it is. "snag" and "step": the height. "squeeze": the width.
        "slope": degrees. "unreachable": the height above the nearest floor that is reached, negative below it.
    deep : float
        "fall": how deep it is, infinite out of the level. Otherwise 0.
    area : float
        "stuck" and "unreachable": the area of the floor. Otherwise 0.
    pose : int
        The row of `Probe.poses` from which it was met, to which `Probe.path` leads. "unreachable": the nearest one.
    ground, normal : (K, 3) float64
        "stuck" and "unreachable": the floor as in `Probe.ground` and `Probe.normal`. Otherwise empty.
    """

    kind: str
    point: Floats
    before: Floats
    after: Floats
    contact: Floats
    shapes: tuple[int, ...]
    measure: float
    deep: float
    area: float
    pose: int
    ground: Floats = field(default_factory=lambda: np.empty((0, 3)))
    normal: Floats = field(default_factory=lambda: np.empty((0, 3)))
