# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision detection in the plane. Arrays have the shape (N, 2); angles are in radians, positive if counterclockwise.

Shapes and queries work as in space::

    import collision_kit.core.planar as planar

    floor = planar.Regions([([[0, 0], [4, 0], [4, 1], [1, 1], [1, 3], [0, 3]], [])])
    balls = planar.Circles(center=[[2, 1.5], [2, 4]], radius=[1, 1])
    planar.overlap(floor, balls)            # [True, False]
    planar.distance(floor, balls).distance  # [-0.5, 2.0]: negative is penetration depth
"""

from ..hull.planar import PlanarHull, convex_hull, convex_hulls
from ..query.candidate_axes import AxisStatus
from ..results import ClosestPoints, Impacts, RayHits
from .candidate_axes import CandidateAxes, candidate_axes
from .points import closest_points, contains_points, signed_distance
from .polygon.decomposition import decompose
from .polygon.point_in_polygon import inside
from .polygon.predicates import is_convex
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
from .ray_cast import ray_cast
from .shapes.convex import AABBs, Circles, Polygons, Rectangles
from .shapes.regions import Regions
from .world import World, sweep_and_prune

__all__ = [
    "AABBs",
    "AxisStatus",
    "CandidateAxes",
    "Circles",
    "ClosestPoints",
    "Impacts",
    "PlanarHull",
    "Polygons",
    "RayHits",
    "Rectangles",
    "Regions",
    "World",
    "bounds",
    "candidate_axes",
    "classify",
    "closest_points",
    "contacts",
    "contains",
    "contains_points",
    "convex_hull",
    "convex_hulls",
    "decompose",
    "distance",
    "inside",
    "interference",
    "is_convex",
    "overlap",
    "ray_cast",
    "separating_axis",
    "signed_distance",
    "sweep_and_prune",
    "time_of_impact",
]
