# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes: batches of one kind each, validated when they are constructed and immutable afterwards.

Each batch has a `kind`, a length, `take(rows)` and `bounds()`. All coordinates are in world space, in the caller's
unit, float64. Invalid input raises `ValueError` that names the field and, if possible, the row.
"""

from .batch import UNBOUNDED, Batch, Kind, bounding_spheres, bounds, check_batch, check_shapes
from .bounded import Boxes, Capsules, Cylinders, Hulls, Meshes, Spheres, Triangles
from .compounds import Assemblies, Compounds
from .cones import Cones
from .ellipsoids import Ellipsoids
from .support_mapped import SupportMapped
from .unbounded import HalfSpaces, Planes

__all__ = [
    "UNBOUNDED",
    "Assemblies",
    "Batch",
    "Boxes",
    "Capsules",
    "Compounds",
    "Cones",
    "Cylinders",
    "Ellipsoids",
    "HalfSpaces",
    "Hulls",
    "Kind",
    "Meshes",
    "Planes",
    "Shapes",
    "Spheres",
    "SupportMapped",
    "Triangles",
    "bounding_spheres",
    "bounds",
    "check_batch",
    "check_shapes",
]

Shapes = (
    Spheres
    | Capsules
    | Cylinders
    | SupportMapped
    | Boxes
    | Triangles
    | Hulls
    | HalfSpaces
    | Planes
    | Meshes
    | Compounds
)
