# SPDX-License-Identifier: GPL-3.0-or-later
"""Support mappings: the only interface of convex shapes that GJK and related algorithms need."""

from typing import Protocol, Self

from ..numerics.types import Floats, Ints


class Supported(Protocol):
    """Convex shapes with a support mapping, one for each pair.

    Attributes
    ----------
    size : (P,) float64
        Radius of a sphere about any point of the shape that contains the shape. It scales rounding tolerances.
    """

    @property
    def size(self) -> Floats:
        """See above."""

    def support(self, direction: Floats) -> Floats:
        """Support points of each shape along its direction, (P, 3) -> (P, 3).

        Directions have any length, including zero, and any memory layout. The result may have any memory layout, too.
        If several points are equally far, any of them is valid, but it must be the same each time.
        """

    def take(self, rows: Ints) -> Self:
        """Select rows, in this order."""

    def __len__(self) -> int: ...
