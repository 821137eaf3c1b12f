# SPDX-License-Identifier: GPL-3.0-or-later
"""The shapes: batches of one kind each, checked once when they are made and never changed afterwards.

Every batch has a `kind`, a length, `take(rows)` and `bounds()`. All coordinates are in the world, in the caller's
unit, float64. Bad input raises `ValueError` naming the field and, where there is one, the row.
"""

from typing import Any

from ..numerics.types import Floats
from ..results import UnsupportedPair
from .batch import UNBOUNDED, Batch, Kind
from .compounds import Assemblies, Compounds
from .cones import Cones
from .ellipsoids import Ellipsoids
from .polytopes import Boxes, Hulls, Meshes, Triangles
from .round import Capsules, Cylinders, Spheres
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
    """Raise unless this is a batch of shapes of space, of one kind.

    Raises
    ------
    UnsupportedPair
        For shapes of the plane.
    ValueError
        For anything else; names the argument.
    """
    if not isinstance(shapes, Shapes):
        called = type(shapes).__name__
        if isinstance(shapes, Batch):
            raise UnsupportedPair(f"{name}: {called} is no shape of space")
        raise ValueError(f"{name}: {called}, but a batch of shapes is needed")


def check_shapes(shapes: Any, name: str) -> None:
    """Raise as `check_batch` unless this is a batch of shapes of space, or several in one index space."""
    if not (hasattr(shapes, "slot") and all(isinstance(batch, Shapes) for batch in shapes.batches)):
        check_batch(shapes, name)


def bounds(shapes: Shapes) -> tuple[Floats, Floats]:
    """Axis-aligned bounds of each shape: lower (N, 3) and upper (N, 3), infinite where a shape is.

    Parameters
    ----------
    shapes : batch of shapes or World

    Returns
    -------
    lower, upper : (N, 3) float64
        Of no volume where the shape is flat.

    Raises
    ------
    ValueError
        If `shapes` is no batch of shapes of space.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> ck.bounds(ck.Spheres([[1, 2, 3]], [1]))
    (array([[0., 1., 2.]]), array([[2., 3., 4.]]))
    """
    check_shapes(shapes, "shapes")
    return shapes.bounds()


def bounding_spheres(shapes: Shapes) -> tuple[Floats, Floats]:
    """A ball that holds each shape: center (N, 3) and radius (N,), which is infinite where the shape is.

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
        If `shapes` is no batch of shapes of space.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> ck.bounding_spheres(ck.Boxes([[0, 0, 0]], [[2, 1, 2]]))
    (array([[0., 0., 0.]]), array([3.]))
    """
    check_batch(shapes, "shapes")
    return shapes.bounding_spheres()
