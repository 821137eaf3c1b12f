# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision detection over batches of shapes, with numpy alone.

Make shapes, ask questions::

    import collision_kit.core as ck

    boxes = ck.Boxes(center=[[0, 0, 0]], half_extents=[[1, 1, 1]])
    balls = ck.Spheres(center=[[1.5, 0, 0], [4, 0, 0]], radius=[1, 1])
    ck.overlap(boxes, balls)               # [True, False]
    ck.distance(boxes, balls).distance     # [-0.5, 2.0]: negative is penetration depth

All normals point from A to B; below zero is penetration; lengths are in the caller's unit, float64.
"""

from .hull import ConvexHull, convex_hull, convex_hulls
from .pairs import UnsupportedPair
from .queries import classify, contacts, contains, distance, overlap, separating_axis
from .results import Contacts, ContactType, Distances, FeatureKind, Separations, Verdict
from .shapes import Boxes, Capsules, HalfSpaces, Hulls, Kind, Spheres, bounds
from .sweep_and_prune import sweep_and_prune
from .world import World

__all__ = [
    "Boxes",
    "Capsules",
    "ContactType",
    "Contacts",
    "ConvexHull",
    "Distances",
    "FeatureKind",
    "HalfSpaces",
    "Hulls",
    "Kind",
    "Separations",
    "Spheres",
    "UnsupportedPair",
    "Verdict",
    "World",
    "bounds",
    "classify",
    "contacts",
    "contains",
    "convex_hull",
    "convex_hulls",
    "distance",
    "overlap",
    "separating_axis",
    "sweep_and_prune",
]
