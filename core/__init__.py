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

from . import planar
from .affine import (
    AffineHull,
    affine_combination,
    affine_dimension,
    affine_hull,
    affinely_independent,
    barycentric_coordinates,
    is_affine_combination,
    is_convex_combination,
    is_simplex,
    linearly_independent,
)
from .convexity import is_convex
from .convexity_edges import Convexity, Flaw, check_convexity
from .hull import ConvexHull, convex_hull, convex_hulls
from .materials import Materials
from .minkowski import (
    Nearest,
    configuration_space_obstacle,
    distance_of_origin,
    minkowski_sum,
    penetration_depth_of_origin,
    reflection,
)
from .pairs import UnsupportedPair
from .queries import classify, contacts, contains, distance, overlap, separating_axis
from .results import Contacts, ContactType, Distances, FeatureKind, Separations, Verdict
from .shapes import (
    Boxes,
    Capsules,
    Cylinders,
    HalfSpaces,
    Hulls,
    Kind,
    Planes,
    Spheres,
    Triangles,
    bounding_spheres,
    bounds,
)
from .support import support
from .sweep_and_prune import sweep_and_prune
from .work import Work
from .world import World

__all__ = [
    "AffineHull",
    "Boxes",
    "Capsules",
    "ContactType",
    "Contacts",
    "ConvexHull",
    "Convexity",
    "Cylinders",
    "Distances",
    "FeatureKind",
    "Flaw",
    "HalfSpaces",
    "Hulls",
    "Kind",
    "Materials",
    "Nearest",
    "Planes",
    "Separations",
    "Spheres",
    "Triangles",
    "UnsupportedPair",
    "Verdict",
    "Work",
    "World",
    "affine_combination",
    "affine_dimension",
    "affine_hull",
    "affinely_independent",
    "barycentric_coordinates",
    "bounding_spheres",
    "bounds",
    "check_convexity",
    "classify",
    "configuration_space_obstacle",
    "contacts",
    "contains",
    "convex_hull",
    "convex_hulls",
    "distance",
    "distance_of_origin",
    "is_affine_combination",
    "is_convex",
    "is_convex_combination",
    "is_simplex",
    "linearly_independent",
    "minkowski_sum",
    "overlap",
    "penetration_depth_of_origin",
    "planar",
    "reflection",
    "separating_axis",
    "support",
    "sweep_and_prune",
]
