# SPDX-License-Identifier: GPL-3.0-or-later
"""Support mappings: all that GJK and its kin ask of a convex shape."""

from typing import Protocol, Self

from ..numerics.types import Floats, Ints


class Supported(Protocol):
    """Convex shapes, one for each pair, known by their support mapping.

    Attributes
    ----------
    size : (P,) float64
        Radius of a ball that holds the shape, about any point of it. Scales the tolerances of rounding.
    """

    @property
    def size(self) -> Floats:
        """See above."""

    def support(self, direction: Floats) -> Floats:
        """The point of each shape farthest along its direction: (P, 3) -> (P, 3).

        Directions have any length, zero included, and either memory layout; the answer may have either too. Of
        points that are equally far any one will do, but the same one each time.
        """

    def take(self, rows: Ints) -> Self:
        """The shapes of these rows, in that order."""

    def __len__(self) -> int: ...
