# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep points are in a body, and what bounds the depth of other points from above.

The depth of a point is its distance from the boundary of the body. It is at most the distance from any one triangle of
a mesh, and in a convex shape at most the height under any one supporting plane. Both are convex functions of the point
inside, so that over a triangle they are greatest at a corner.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot
from ...shapes import Spheres
from ..convex_table import algorithm
from .nearest_triangles import nearest_triangles, to_triangles
from .operands import Side, Whole
from .placed import Surfaces
from .ray_casting import inside


class Inside(Protocol):
    """The body in which points are: their signed depth, and what bounds that from above."""

    def depth(self, row: Ints, point: Floats, within: Bools | None = None) -> tuple[Floats, Floats]:
        """Depth of world points (K, 3) in rows (K,), negative outside, and the bound at each: a key (K, 4).

        Those of points known to be `within` (K,) are not negative.
        """

    def bound(self, row: Ints, key: Floats, point: Floats) -> Floats:
        """What keys (K, 4) bound the depth of points (K, 3) by, where those are inside: (K,)."""


@dataclass(frozen=True)
class InsideConvex:
    """A convex shape: a key is a supporting plane, its outward normal and its offset."""

    shapes: Whole

    def depth(self, row: Ints, point: Floats, within: Bools | None = None) -> tuple[Floats, Floats]:
        """See `Inside`."""
        if not len(row):
            return np.empty(0), np.empty((0, 4))
        points, shapes = Spheres(point, np.zeros(len(point))), self.shapes.shapes.take(row)
        found = algorithm(points.kind, shapes.kind).distance(points, shapes)
        outward = -found.normal
        return -found.distance, np.column_stack([outward, self.shapes.farthest(row, outward)])

    def bound(self, row: Ints, key: Floats, point: Floats) -> Floats:
        """See `Inside`."""
        result: Floats = key[:, 3] - dot(key[:, :3], point)
        return result


@dataclass(frozen=True)
class InsideMesh:
    """A solid mesh: a key is a triangle."""

    surfaces: Surfaces

    def depth(self, row: Ints, point: Floats, within: Bools | None = None) -> tuple[Floats, Floats]:
        """See `Inside`."""
        far, triangle = nearest_triangles(self.surfaces, row, point)
        key = np.zeros((len(row), 4))
        key[:, 0] = triangle
        result = far if within is None else np.where(within, far, -far)
        asked = np.arange(len(row)) if within is None else np.flatnonzero(~within)
        result[asked] = np.where(inside(self.surfaces, row[asked], point[asked]), far[asked], -far[asked])
        return result, key

    def bound(self, row: Ints, key: Floats, point: Floats) -> Floats:
        """See `Inside`."""
        return to_triangles(point, self.surfaces.placed(row, key[:, 0].astype(np.int64)))


def depths_in(body: Side) -> Inside:
    """The depths of points in a body of either sort."""
    return InsideConvex(body) if isinstance(body, Whole) else InsideMesh(body)
