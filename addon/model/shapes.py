# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of colliders in world space or in object space: plain data, one class for each kind."""

from dataclasses import dataclass, replace

from ...core.hull import ConvexHull
from ...core.mesh.triangle_mesh import TriangleMesh
from ...core.numerics.types import Floats


@dataclass(frozen=True, eq=False)
class Box:
    """A box. The columns of the rotation `axes` are its directions, and `half` its half extents along them."""

    center: Floats
    axes: Floats
    half: Floats
    margin: float = 0.0


@dataclass(frozen=True, eq=False)
class Sphere:
    """A sphere."""

    center: Floats
    radius: float


@dataclass(frozen=True, eq=False)
class Capsule:
    """A capsule: the ends of its segment, and its radius. `fits` is whether the mesh is a capsule within 5 %."""

    start: Floats
    end: Floats
    radius: float
    fits: bool = True


@dataclass(frozen=True, eq=False)
class Cylinder:
    """A cylinder: the centers of its caps, and its radius."""

    start: Floats
    end: Floats
    radius: float
    margin: float = 0.0


@dataclass(frozen=True, eq=False)
class Ellipsoid:
    """An ellipsoid. The columns of the rotation `axes` are the directions of its semi-axes `radii`."""

    center: Floats
    axes: Floats
    radii: Floats
    margin: float = 0.0


@dataclass(frozen=True, eq=False)
class Cone:
    """A cone: the center of its base, its apex, and the radius of its base."""

    base: Floats
    apex: Floats
    radius: float
    margin: float = 0.0


Primitive = Box | Sphere | Capsule | Cylinder | Ellipsoid | Cone


@dataclass(frozen=True, eq=False)
class Hull:
    """A convex hull. Its points x have the world coordinates ``rotation @ x + translation``."""

    geometry: ConvexHull
    translation: Floats
    rotation: Floats
    margin: float = 0.0


@dataclass(frozen=True, eq=False)
class HalfSpace:
    """A half-space, solid where ``normal · x <= offset``."""

    normal: Floats
    offset: float


@dataclass(frozen=True, eq=False)
class Mesh:
    """A triangle mesh. Its points x have the world coordinates ``rotation @ x + translation``."""

    geometry: TriangleMesh
    translation: Floats
    rotation: Floats
    margin: float = 0.0


WorldShape = Sphere | Capsule | Cylinder | Ellipsoid | Cone | Box | Hull | HalfSpace | Mesh


def with_margin(shape: WorldShape, margin: float) -> WorldShape:
    """All points within the margin of a shape. For round shapes and half-spaces, a larger shape."""
    if margin == 0.0:
        return shape
    if isinstance(shape, Sphere | Capsule):
        return replace(shape, radius=shape.radius + margin)
    if isinstance(shape, HalfSpace):
        return replace(shape, offset=shape.offset + margin)
    return replace(shape, margin=margin)
