# SPDX-License-Identifier: GPL-3.0-or-later
"""Unbounded shapes: half-spaces and planes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.types import Floats
from ..numerics.validation import array, common_rows, coordinates
from ..numerics.vectors import dot, length, rotated
from .batch import Batch, Kind, Materials


@dataclass(frozen=True, eq=False, repr=False)
class _Surfaces(Batch):
    """Base class of half-spaces and planes: the plane ``normal · x == offset``."""

    normal: Floats
    offset: Floats

    def __init__(self, normal: ArrayLike, offset: ArrayLike, materials: Materials | None = None) -> None:
        given, place = array(normal, "normal", (-1, 3)), array(offset, "offset", (-1,))
        given, place = common_rows(normal=given, offset=place)
        size = length(given)
        if (size == 0.0).any():
            raise ValueError(f"normal: row {int(np.argmax(size == 0.0))} has no length")
        with np.errstate(over="ignore"):
            scaled = place / size  # may overflow for a very short normal; then it is rejected
        self.fill(normal=given / size[:, None], offset=coordinates(scaled, "offset", (-1,)), materials=materials)

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Rotate each shape by its matrix (N, 3, 3) about the origin, then translate it by its vector (N, 3)."""
        normal = rotated(rotation, self.normal[:, None])[:, 0]
        return self.with_fields(normal=normal, offset=self.offset + dot(normal, translation))


class HalfSpaces(_Surfaces):
    """Half-spaces, solid where ``normal · x <= offset``.

    Parameters
    ----------
    normal : (N, 3) array-like
        Outward, of any length except zero. Normals are normalized, and `offset` is scaled with them.
    offset : (N,) array-like
    materials : Materials, optional

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or is out of range, if numbers of rows differ, or if a normal is
        zero; names the field and the row.
    """

    kind: ClassVar[Kind] = Kind.HALF_SPACE

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds. They are infinite except on the outer side of a half-space along a coordinate axis."""
        reach = self.normal * self.offset[:, None]
        return np.where(self.normal == -1.0, reach, -np.inf), np.where(self.normal == 1.0, reach, np.inf)


class Planes(_Surfaces):
    """Planes ``normal · x == offset``: two-sided, without thickness.

    A shape on either side of a plane is separated from it. A shape that extends through the plane overlaps it.

    Parameters
    ----------
    normal : (N, 3) array-like
        Of any length except zero. Normals are normalized, and `offset` is scaled with them.
    offset : (N,) array-like
    materials : Materials, optional

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or is out of range, if numbers of rows differ, or if a normal is
        zero; names the field and the row.
    """

    kind: ClassVar[Kind] = Kind.PLANE

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds. They are infinite except along the normal of a plane that is normal to an axis."""
        aligned = np.abs(self.normal) == 1.0
        reach = self.normal * self.offset[:, None]
        return np.where(aligned, reach, -np.inf), np.where(aligned, reach, np.inf)
