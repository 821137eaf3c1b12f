# SPDX-License-Identifier: GPL-3.0-or-later
"""The public names of `core`. `core` imports this module when one of them is first used."""

from . import planar
from .broad_phase import SweepAndPrune, sweep_and_prune, sweep_and_prune_between
from .broad_phase.collision_filter import CollisionFilter
from .constants import Verdict
from .continuous.motion import Motion, RigidMotion, motion_between
from .continuous.swept_aabb import swept_bounds
from .continuous.swept_axes import SweptAxes, swept_axes
from .continuous.time_of_impact import last_contact, time_of_impact
from .convex.minkowski import (
    OriginProjection,
    configuration_space_obstacle,
    distance_to_origin,
    minkowski_sum,
    penetration_depth_of_origin,
    reflection,
)
from .convex.support import support
from .convexity import Convexity, Flaw, check_convexity, is_convex
from .frustum import Frustum
from .geometry.affine import (
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
from .hull import ConvexHull, convex_hull, convex_hulls
from .narrow_phase.triangle_intersection import Crossings
from .numerics.rows import concatenate
from .persistent_contacts.contact_cache import ContactCache, ContactState, PersistentContacts, RemovalReason
from .query.candidate_axes import AxisSource, AxisStatus, CandidateAxes, candidate_axes
from .query.coplanar import CoplanarFaces, coplanar_faces
from .query.duplicates import duplicates
from .query.intersections import CrossingCurve, MeshCrossings, SelfCrossings, crossing, crossing_segments, self_crossing
from .query.queries import classify, contacts, contains, distance, interference, overlap, separating_axis
from .rays.points import closest_points, contains_points, signed_distance
from .rays.ray_cast import ray_cast
from .results import (
    ClosestPoints,
    Contacts,
    ContactType,
    Distances,
    FeatureKind,
    Impacts,
    QueryStats,
    RayHits,
    Separations,
    UnsupportedPair,
    WorldClosestPoints,
    WorldImpacts,
    WorldRayHits,
)
from .shapes import (
    Assemblies,
    Boxes,
    Capsules,
    Compounds,
    Cones,
    Cylinders,
    Ellipsoids,
    HalfSpaces,
    Hulls,
    Kind,
    Meshes,
    Planes,
    Spheres,
    Triangles,
    bounding_spheres,
    bounds,
)
from .shapes.batch import Materials
from .walking.character import Character
from .walking.finding import Finding
from .walking.probe import Probe, probe, probe_steps
from .walking.starts import NoStart
from .world.hausdorff.coverage import Coverage, GreatestDistance, coverage, distance_map, greatest_distance
from .world.hausdorff.distance_map import DistanceMap, SurfaceArea
from .world.world import World

__all__ = [
    "AffineHull",
    "Assemblies",
    "AxisSource",
    "AxisStatus",
    "Boxes",
    "CandidateAxes",
    "Capsules",
    "Character",
    "ClosestPoints",
    "CollisionFilter",
    "Compounds",
    "Cones",
    "ContactCache",
    "ContactState",
    "ContactType",
    "Contacts",
    "ConvexHull",
    "Convexity",
    "CoplanarFaces",
    "Coverage",
    "CrossingCurve",
    "Crossings",
    "Cylinders",
    "DistanceMap",
    "Distances",
    "Ellipsoids",
    "FeatureKind",
    "Finding",
    "Flaw",
    "Frustum",
    "GreatestDistance",
    "HalfSpaces",
    "Hulls",
    "Impacts",
    "Kind",
    "Materials",
    "MeshCrossings",
    "Meshes",
    "Motion",
    "NoStart",
    "OriginProjection",
    "PersistentContacts",
    "Planes",
    "Probe",
    "QueryStats",
    "RayHits",
    "RemovalReason",
    "RigidMotion",
    "SelfCrossings",
    "Separations",
    "Spheres",
    "SurfaceArea",
    "SweepAndPrune",
    "SweptAxes",
    "Triangles",
    "UnsupportedPair",
    "Verdict",
    "World",
    "WorldClosestPoints",
    "WorldImpacts",
    "WorldRayHits",
    "affine_combination",
    "affine_dimension",
    "affine_hull",
    "affinely_independent",
    "barycentric_coordinates",
    "bounding_spheres",
    "bounds",
    "candidate_axes",
    "check_convexity",
    "classify",
    "closest_points",
    "concatenate",
    "configuration_space_obstacle",
    "contacts",
    "contains",
    "contains_points",
    "convex_hull",
    "convex_hulls",
    "coplanar_faces",
    "coverage",
    "crossing",
    "crossing_segments",
    "distance",
    "distance_map",
    "distance_to_origin",
    "duplicates",
    "greatest_distance",
    "interference",
    "is_affine_combination",
    "is_convex",
    "is_convex_combination",
    "is_simplex",
    "last_contact",
    "linearly_independent",
    "minkowski_sum",
    "motion_between",
    "overlap",
    "penetration_depth_of_origin",
    "planar",
    "probe",
    "probe_steps",
    "ray_cast",
    "reflection",
    "self_crossing",
    "separating_axis",
    "signed_distance",
    "support",
    "sweep_and_prune",
    "sweep_and_prune_between",
    "swept_axes",
    "swept_bounds",
    "time_of_impact",
]
