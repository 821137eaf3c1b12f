# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes: batches of one kind each, validated when they are constructed and immutable afterwards.

Each batch has a `kind`, a length, `take(rows)` and `bounds()`. All coordinates are in world space, in the caller's
unit, float64. Invalid input raises `ValueError` that names the field and, if possible, the row.
"""

from typing import Any

from ..numerics.types import Floats
from ..results import UnsupportedPair
from .batch import UNBOUNDED, Batch, Kind
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


def check_batch(shapes: Any, name: str) -> None:
    """Raise unless `shapes` is a batch of shapes in space, of one kind.

    Raises
    ------
    UnsupportedPair
        For shapes in the plane.
    ValueError
        For anything else; names the argument.
    """
    if not isinstance(shapes, Shapes):
        called = type(shapes).__name__
        if isinstance(shapes, Batch):
            raise UnsupportedPair(f"{name}: {called} is no shape of space")
        raise ValueError(f"{name}: {called}, but a batch of shapes is needed")


def check_shapes(shapes: Any, name: str) -> None:
    """Raise as `check_batch` does unless `shapes` is a batch of shapes in space, or a collection of several batches."""
    if not (hasattr(shapes, "slot") and all(isinstance(batch, Shapes) for batch in shapes.batches)):
        check_batch(shapes, name)


def bounds(shapes: Shapes) -> tuple[Floats, Floats]:
    """Axis-aligned bounds of each shape: lower (N, 3) and upper (N, 3), infinite for unbounded shapes.

    Parameters
    ----------
    shapes : batch of shapes or World

    Returns
    -------
    lower, upper : (N, 3) float64
        The bounds of a flat shape may have no volume.

    Raises
    ------
    ValueError
        If `shapes` is not a batch of shapes in space.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> ck.bounds(ck.Spheres([[1, 2, 3]], [1]))
    (array([[0., 1., 2.]]), array([[2., 3., 4.]]))
    """
    check_shapes(shapes, "shapes")
    return shapes.bounds()


def bounding_spheres(shapes: Shapes) -> tuple[Floats, Floats]:
    """Bounding sphere of each shape: center (N, 3) and radius (N,), which is infinite for unbounded shapes.

    Parameters
    ----------
    shapes : batch of shapes

    Returns
    -------
    center : (N, 3) float64
    radius : (N,) float64
        Infinite for an unbounded shape.

    Raises
    ------
    ValueError
        If `shapes` is not a batch of shapes in space.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> ck.bounding_spheres(ck.Boxes([[0, 0, 0]], [[2, 1, 2]]))
    (array([[0., 0., 0.]]), array([3.]))
    """
    check_batch(shapes, "shapes")
    return shapes.bounding_spheres()
