# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems that a character meets on its way."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..numerics.types import Floats

# All kinds, in the order of a report.
KINDS = ("fall", "stuck", "snag", "squeeze", "step", "slope", "unreachable")


@dataclass(frozen=True, eq=False)
class Finding:
    """A place with a problem.

    Attributes
    ----------
    kind : str
        "fall": it drops farther than allowed, or out of the level. "stuck": it gets there, but not back to a start.
        "snag": an edge between two colliders that look level. "squeeze": a passage that is slightly too narrow. "step":
        a step that is slightly too high. "slope": a slope that is slightly too steep. "unreachable": a floor that it
        does not reach.
    point : (3,) float64
        Place of the problem, on the floor of the pose before.
    before, after : (3,) float64
        The lowest point of the capsule before and after.
    contact : (3,) float64
        The deciding point.
    shapes : tuple of int
        The rows of the adjacent shapes, ascending.
    measure : float
        "fall": the width of the gap. "stuck": the depth. "snag" and "step": the height. "squeeze": the width. "slope":
        degrees. "unreachable": the height above the nearest reached floor, negative below it.
    deep : float
        "fall": the depth, infinite out of the level. Otherwise 0.
    area : float
        "stuck" and "unreachable": the area of the floor. Otherwise 0.
    pose : int
        The row of `Probe.poses` from which it was found, to which `Probe.path` leads. "unreachable": the nearest one.
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
