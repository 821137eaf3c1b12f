# SPDX-License-Identifier: GPL-3.0-or-later
"""The same ideas in the plane: arrays of shape (N, 2), angles in radians, counter-clockwise positive.

Make shapes, ask questions, as in space::

    import collision_kit.core.planar as planar

    floor = planar.Regions([([[0, 0], [4, 0], [4, 1], [1, 1], [1, 3], [0, 3]], [])])
    balls = planar.Circles(center=[[2, 1.5], [2, 4]], radius=[1, 1])
    planar.overlap(floor, balls)            # [True, False]
    planar.distance(floor, balls).distance  # [-0.5, 2.0]: negative is penetration depth
"""

from ..candidate_axes import AxisStatus
from ..hull.planar import PlanarHull, convex_hull, convex_hulls
from ..results import Impacts
from .candidate_axes import CandidateAxes, candidate_axes
from .convexity import is_convex
from .decomposition import decompose
from .inside import inside
from .queries import (
    bounds,
    classify,
    contacts,
    contains,
    distance,
    interference,
    overlap,
    separating_axis,
    time_of_impact,
)
from .regions import Regions
from .shapes import AABBs, Circles, Polygons, Rectangles
from .sweep_and_prune import sweep_and_prune

__all__ = [
    "AABBs",
    "AxisStatus",
    "CandidateAxes",
    "Circles",
    "Impacts",
    "PlanarHull",
    "Polygons",
    "Rectangles",
    "Regions",
    "bounds",
    "candidate_axes",
    "classify",
    "contacts",
    "contains",
    "convex_hull",
    "convex_hulls",
    "decompose",
    "distance",
    "inside",
    "interference",
    "is_convex",
    "overlap",
    "separating_axis",
    "sweep_and_prune",
    "time_of_impact",
]
