# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes with a radius: spheres, capsules and cylinders."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.types import Floats
from ..numerics.validation import coordinates, same_length, sizes
from ..numerics.vectors import length, moved, normalized
from .batch import Batch, Kind, Materials


@dataclass(frozen=True, eq=False)
class Spheres(Batch):
    """Solid spheres.

    Parameters
    ----------
    center : (N, 3) array-like
    radius : (N,) array-like
        A sphere with radius zero is a point.
    materials : Materials, optional

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or is out of range, or if numbers of rows differ; names the field
        and the row.
    """

    center: Floats
    radius: Floats
    kind: ClassVar[Kind] = Kind.SPHERE

    def __init__(self, center: ArrayLike, radius: ArrayLike, materials: Materials | None = None) -> None:
        place = coordinates(center, "center", (-1, 3))
        size = sizes(radius, "radius", (-1,))
        same_length(center=place, radius=size)
        self.fill(center=place, radius=size, materials=materials)

    def __len__(self) -> int:
        return len(self.center)

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Rotate each shape by its matrix (N, 3, 3) about the origin, then translate it by its vector (N, 3)."""
        return self.with_fields(center=moved(self.center, rotation, translation))

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        return self.center - self.radius[:, None], self.center + self.radius[:, None]

    def bounding_spheres(self) -> tuple[Floats, Floats]:
        """The spheres themselves: center (N, 3) and radius (N,)."""
        return self.center, self.radius


@dataclass(frozen=True, eq=False)
class _Segments(Batch):
    """Base class of capsules and cylinders: a segment with a radius."""

    start: Floats
    end: Floats
    radius: Floats

    def __init__(self, start: ArrayLike, end: ArrayLike, radius: ArrayLike, materials: Materials | None = None) -> None:
        first, last = coordinates(start, "start", (-1, 3)), coordinates(end, "end", (-1, 3))
        size = sizes(radius, "radius", (-1,))
        same_length(start=first, end=last, radius=size)
        self.fill(start=first, end=last, radius=size, materials=materials)

    def __len__(self) -> int:
        return len(self.start)

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Rotate each shape by its matrix (N, 3, 3) about the origin, then translate it by its vector (N, 3)."""
        ends = {name: moved(getattr(self, name), rotation, translation) for name in ("start", "end")}
        return self.with_fields(**ends)


class Capsules(_Segments):
    """Solid capsules: all points within `radius` of a segment.

    Parameters
    ----------
    start, end : (N, 3) array-like
        Ends of the segment, which are the centers of the two caps. If they are equal, the shape is a sphere.
    radius : (N,) array-like
        A capsule with radius zero is a segment.
    materials : Materials, optional

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or is out of range, or if numbers of rows differ; names the field
        and the row.
    """

    kind: ClassVar[Kind] = Kind.CAPSULE

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        radius = self.radius[:, None]
        return np.minimum(self.start, self.end) - radius, np.maximum(self.start, self.end) + radius

    def bounding_spheres(self) -> tuple[Floats, Floats]:
        """The smallest bounding sphere: center (N, 3) and radius (N,)."""
        half = (self.end - self.start) / 2.0
        return self.start + half, length(half) + self.radius


class Cylinders(_Segments):
    """Solid cylinders with flat caps.

    Parameters
    ----------
    start, end : (N, 3) array-like
        The centers of the two caps. Equal ends are an error, because the caps would have no direction.
    radius : (N,) array-like
        A cylinder with radius zero is a segment.
    materials : Materials, optional

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or is out of range, if numbers of rows differ, or if the two ends
        of a row are equal; names the field and the row.
    """

    kind: ClassVar[Kind] = Kind.CYLINDER

    def __init__(self, start: ArrayLike, end: ArrayLike, radius: ArrayLike, materials: Materials | None = None) -> None:
        super().__init__(start, end, radius, materials)
        short = (self.start == self.end).all(axis=1)
        if short.any():
            raise ValueError(f"end: row {int(np.argmax(short))} is its start: a cylinder must have a length")

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        axis = normalized(self.end - self.start, np.zeros(3))
        # A cap is a disc: along a coordinate axis, its extent is the radius times the sine of the angle to the
        # cylinder's axis.
        sine = np.hypot(axis[:, [1, 2, 0]], axis[:, [2, 0, 1]])
        reach = self.radius[:, None] * sine
        return np.minimum(self.start, self.end) - reach, np.maximum(self.start, self.end) + reach

    def bounding_spheres(self) -> tuple[Floats, Floats]:
        """The smallest bounding sphere: center (N, 3) and radius (N,)."""
        half = (self.end - self.start) / 2.0
        return self.start + half, np.hypot(length(half), self.radius)
