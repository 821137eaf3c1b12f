# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of an object in a plane, in the plane's coordinates."""

from dataclasses import dataclass, replace

from ....core.numerics.types import Floats


@dataclass(frozen=True, eq=False)
class Circle:
    """A disk."""

    center: Floats
    radius: float


@dataclass(frozen=True, eq=False)
class Rectangle:
    """A rectangle, rotated counterclockwise by an angle."""

    center: Floats
    half: Floats
    angle: float
    margin: float = 0.0


@dataclass(frozen=True, eq=False)
class Polygon:
    """A convex polygon, a segment or a point: corners (k, 2) relative to a place (2,)."""

    corners: Floats
    place: Floats
    margin: float = 0.0


@dataclass(frozen=True, eq=False)
class PlaneArea:
    """A region that is concave or has holes: an outline and holes, (k, 2) each, relative to a place (2,)."""

    outline: Floats
    holes: tuple[Floats, ...]
    place: Floats
    margin: float = 0.0


PlaneShape = Circle | Rectangle | Polygon | PlaneArea


def with_margin(shape: PlaneShape, margin: float) -> PlaneShape:
    """All points within the margin of a shape. For a circle, a larger circle."""
    if isinstance(shape, Circle):
        return replace(shape, radius=shape.radius + margin)
    return replace(shape, margin=margin)
