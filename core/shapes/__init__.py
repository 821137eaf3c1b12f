# SPDX-License-Identifier: GPL-3.0-or-later
"""The shapes: batches of one kind each, checked once when they are made and never changed afterwards.

Every batch has a `kind`, a length, `take(rows)` and `bounds()`. All coordinates are in the world, in the caller's
unit, float64. Bad input raises `ValueError` naming the field and, where there is one, the row.
"""

from ..results import Floats
from .assemblies import Assemblies
from .batch import UNBOUNDED, Batch, Kind, array
from .meshes import Meshes
from .polytopes import Boxes, Hulls, Triangles
from .round import Capsules, Cylinders, Spheres
from .unbounded import HalfSpaces, Planes

__all__ = [
    "UNBOUNDED",
    "Assemblies",
    "Batch",
    "Boxes",
    "Capsules",
    "Cylinders",
    "HalfSpaces",
    "Hulls",
    "Kind",
    "Meshes",
    "Planes",
    "Shapes",
    "Spheres",
    "Triangles",
    "array",
    "bounding_spheres",
    "bounds",
]

Shapes = Spheres | Capsules | Cylinders | Boxes | Triangles | Hulls | HalfSpaces | Planes | Meshes | Assemblies


def bounds(shapes: Shapes) -> tuple[Floats, Floats]:
    """Axis-aligned bounds of each shape: lower (N, 3) and upper (N, 3), infinite where a shape is."""
    return shapes.bounds()


def bounding_spheres(shapes: Shapes) -> tuple[Floats, Floats]:
    """A ball that holds each shape: center (N, 3) and radius (N,), which is infinite where the shape is."""
    return shapes.bounding_spheres()
