# SPDX-License-Identifier: GPL-3.0-or-later
"""Two boxes, a box and a triangle, or two triangles by their separating axes, which kernels test.

Two boxes have fifteen axes (Lee 2018, section 13.4; Ericson 2005, 4.4.1), see `kernels.boxes`. A box and a triangle
have thirteen (doc4code 2011, "Box vs triangle"), see `kernels.box_triangles`. Two triangles have eleven (Ericson 2005,
5.2.10) and, in one plane, the directions between their vertices and edges, see `kernels.triangle_pairs`. Plain
arithmetic decides all pairs except those with a gap near zero and those with nearly parallel edges. These few are
decided with cross products that keep all digits.
"""

from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

from .. import results
from ..convex.batch_sides import box_rows, indexed, measured_along, selected
from ..kernels import box_triangles, boxes, triangle_pairs
from ..numerics.tolerances import AXIS_NAMED, AXIS_TIE
from ..numerics.types import Bools, Floats, Ints
from ..results import Contacts, Distances, Separations
from ..shapes import Boxes
from ..shapes.batch import Rows
from .convex_convex import ConvexConvex, contacts_along


class FlatFaced(ConvexConvex):
    """Pair queries by the candidate axes of two boxes or triangles.

    Parameters
    ----------
    kernels : module
        The file of kernels that tests the axes of these two kinds.
    """

    def __init__(self, kernels: ModuleType) -> None:
        self._kernels = kernels

    def overlap(self, a: Rows[Any], b: Rows[Any]) -> Bools:
        """Whether the shapes of each pair have a point in common: by faces, then edges, then exactly."""
        result = np.empty(len(a), dtype=bool)
        by_faces, by_edges, exactly = self._kernels.overlaps(*_read(a), *_read(b), result)
        results.record_resolved(results.FACE_AXES, by_faces)
        results.record_resolved(results.EDGE_AXES, by_edges)
        results.record_resolved(results.EXACT, exactly)
        return result

    def separating_axis(self, a: Rows[Any], b: Rows[Any]) -> Separations:
        """The largest gap over the candidate axes.

        Cross products of parallel edges are left out. An axis wins over those before it only by more than
        `tolerances.AXIS_NAMED`, so that the result is stable under noise. The order is: faces of A, faces of B, edges.
        """
        return self._best_axes(a, b, AXIS_NAMED)[0]

    def distance(self, a: Rows[Any], b: Rows[Any]) -> Distances:
        """Signed distance and witness points of each pair: depth from the axes, distance from GJK."""
        return measured_along(a, b, *self._best_axes(a, b, AXIS_TIE), complete=True)

    def contacts(self, a: Rows[Any], b: Rows[Any], margin: float, known: Distances | None = None) -> Contacts:
        """Contact manifolds. Only pairs whose axes do not show a gap above `margin` are measured."""
        if known is not None:
            return contacts_along(a, b, margin, known)
        found, slack = self._best_axes(a, b, AXIS_TIE)
        near = (found.gap <= margin + slack).nonzero()[0]
        if len(near) == len(slack):
            return contacts_along(a, b, margin, measured_along(a, b, found, slack, complete=True))
        a, b = selected(a, near), selected(b, near)
        known = measured_along(a, b, found.take(near), slack[near], complete=True)
        made = contacts_along(a, b, margin, known)
        return replace(made, pair=near[made.pair])

    def _best_axes(self, a: Rows[Any], b: Rows[Any], preference: float) -> tuple[Separations, Floats]:
        """The largest gap over the axes of each pair, and the largest gap that counts as contact.

        For a separated pair, the axis has a positive gap. An axis must be better than each axis before it by more than
        `preference`, a fraction of the size. With `AXIS_TIE`, the axis determines the depth of an overlapping pair.
        """
        found, slack = Separations.empty(len(a)), np.empty(len(a))
        self._kernels.separating_axes(*_read(a), *_read(b), preference, *vars(found).values(), slack)
        return found, slack


def _read(rows: Rows[Any]) -> tuple[Any, Ints]:
    """The whole batch as kernels read it, and the rows in it."""
    batch, index = indexed(rows)
    if isinstance(batch, Boxes):
        return box_rows(batch), index
    return np.ascontiguousarray(batch.vertices), index


BOX_BOX = FlatFaced(boxes)
BOX_TRIANGLE = FlatFaced(box_triangles)
TRIANGLE_TRIANGLE = FlatFaced(triangle_pairs)
