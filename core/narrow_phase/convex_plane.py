# SPDX-License-Identifier: GPL-3.0-or-later
"""Any bounded shape with a polytope for a core (A) against a two-sided plane (B), in closed form.

A is on the side where most of it is, by its extent along the plane's normal; of two equals it is the side the normal
points to. To a shape on that side the plane is the surface of a half-space, and all is as with one: a shape that
reaches through overlaps the plane, as deep as the shorter way out is long (Lee 2018, section 13.3.2).
"""

import numpy as np

from ..numerics.rows import blocks
from ..numerics.types import Bools
from ..shapes import HalfSpaces, Planes
from ..shapes.batch import Rows
from .convex_half_space import ConvexHalfSpace
from .half_space_supports import Bounded, Placed, Sided


class ConvexPlane(ConvexHalfSpace):
    """The height of A over the side of B that most of A is on."""

    def contained(self, a: Rows[Bounded], b: Rows[HalfSpaces | Planes]) -> Bools:
        """Whether A lies in the plane, flat as it is."""
        placed = Placed(a)
        result = np.empty(len(a), dtype=bool)
        for block in blocks(len(a)):
            pairs = Sided(placed.take(block), b.take(block))
            result[block] = np.maximum(pairs.highest(), -pairs.lowest) <= pairs.slack
        return result
