# SPDX-License-Identifier: GPL-3.0-or-later
"""Box against box: the fifteen axes of Lee 2018, section 13.4.

For boxes that overlap, the largest gap of the fifteen is minus the penetration depth, because A - B has no other
facets. Most pairs need no generic method: their axis determines the witness points or the contacts.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from ..kernels import boxes
from ..results import Contacts, Distances
from ..shapes import Boxes
from ..shapes.batch import Rows
from . import box_box_contacts, box_box_distance
from .convex_convex import KnownAxes
from .flat_faced import FlatFaced


class BoxBox(FlatFaced):
    """Pair queries by the three axes of A, the three axes of B and their nine cross products."""

    def measured(self, a: Boxes, b: Boxes, known_axes: KnownAxes) -> Distances:
        """See `FlatFaced`. Pairs that the axes do not determine are measured by the generic method."""
        found, rows = box_box_distance.distances(a, b, known_axes)
        if len(rows):
            found.put(rows, super().measured(a.take(rows), b.take(rows), known_axes.take(rows)))
        return found

    def contacts(
        self,
        a: Rows[Any],
        b: Rows[Any],
        margin: float,
        known: Distances | None = None,
        known_axes: KnownAxes | None = None,
    ) -> Contacts:
        """See `FlatFaced`. Most pairs need neither witness points nor the generic method."""
        left, right = a.gathered(), b.gathered()
        best: Distances | KnownAxes = self.known_axes(a, b) if known is None else known
        if isinstance(best, KnownAxes):
            axes = best.axes
            pairs = box_box_contacts.Measured(axes.axis, axes.gap, best.slack, axes.gap < 0.0)
        else:
            pairs = box_box_contacts.Measured(best.normal, best.distance, best.rounding, np.ones(len(left), dtype=bool))
        near = np.flatnonzero(pairs.gap <= margin + pairs.slack)
        if len(near) < len(left):
            left, right, pairs, best = left.take(near), right.take(near), pairs.take(near), best.take(near)
        found, faceless, others = box_box_contacts.over_faces(left, right, pairs, margin)
        if isinstance(best, KnownAxes) and len(faceless):
            part, rest = box_box_distance.crossings(left, right, best, faceless)
            found.append(part)
            others = np.concatenate([rest, others])
        else:
            others = np.concatenate([faceless, others])
        if len(others):
            others.sort()
            left, right, best = left.take(others), right.take(others), best.take(others)
            gaps = self.measured(left, right, best) if isinstance(best, KnownAxes) else best
            part = super().contacts(left, right, margin, gaps)
            found.append(replace(part, pair=others[part.pair]))
        result = Contacts.joined(found)
        return replace(result, pair=near[result.pair], depth=np.maximum(result.depth, -margin))


BOX_BOX = BoxBox(boxes)
