# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes that go on for ever: half-spaces and planes."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.types import Floats
from ..numerics.validation import array, coordinates, same_length
from ..numerics.vectors import dot, length, rotated
from .batch import Batch, Kind, Materials


@dataclass(frozen=True, eq=False)
class _Surfaces(Batch):
    """What half-spaces and planes have in common: the plane ``normal · x == offset``."""

    normal: Floats
    offset: Floats

    def __init__(self, normal: ArrayLike, offset: ArrayLike, materials: Materials | None = None) -> None:
        given, place = array(normal, "normal", (-1, 3)), array(offset, "offset", (-1,))
        same_length(normal=given, offset=place)
        size = length(given)
        if (size == 0.0).any():
            raise ValueError(f"normal: row {int(np.argmax(size == 0.0))} has no length")
        with np.errstate(over="ignore"):
            scaled = place / size  # over a normal that is hardly any it may be infinite, and is refused
        self.fill(normal=given / size[:, None], offset=coordinates(scaled, "offset", (-1,)), materials=materials)

    def __len__(self) -> int:
        return len(self.normal)

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Each shape turned by its rotation (N, 3, 3) about the origin, then moved by its translation (N, 3)."""
        normal = rotated(rotation, self.normal[:, None])[:, 0]
        return self.with_fields(normal=normal, offset=self.offset + dot(normal, translation))


class HalfSpaces(_Surfaces):
    """Half-spaces, solid where ``normal · x <= offset``.

    Parameters
    ----------
    normal : (N, 3) array-like
        Outward. Not of unit length: it is made so, and `offset` scaled with it. Zero is an error.
    offset : (N,) array-like
    materials : Materials, optional

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or is out of range, or if numbers of rows differ; if a normal has
        no length; names the field
        and the row.
    """

    kind: ClassVar[Kind] = Kind.HALF_SPACE

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds; infinite but on the open side of a half-space along a coordinate axis."""
        lower = np.full((len(self), 3), -np.inf)
        upper = np.full((len(self), 3), np.inf)
        aligned = np.abs(self.normal) == 1.0
        reach = self.normal * self.offset[:, None]
        return np.where(aligned & (self.normal < 0.0), reach, lower), np.where(
            aligned & (self.normal > 0.0), reach, upper
        )


class Planes(_Surfaces):
    """Planes ``normal · x == offset``: two-sided, without thickness.

    A shape beside a plane is apart from it on either side, and overlaps it where it reaches through.

    Parameters
    ----------
    normal : (N, 3) array-like
        Not of unit length: it is made so, and `offset` scaled with it. Zero is an error.
    offset : (N,) array-like
    materials : Materials, optional

    Raises
    ------
    ValueError
        If a field has the wrong shape, is not finite or is out of range, or if numbers of rows differ; if a normal has
        no length; names the field
        and the row.
    """

    kind: ClassVar[Kind] = Kind.PLANE

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds; infinite but across a plane at right angles to a coordinate axis."""
        aligned = np.abs(self.normal) == 1.0
        reach = self.normal * self.offset[:, None]
        return np.where(aligned, reach, -np.inf), np.where(aligned, reach, np.inf)
