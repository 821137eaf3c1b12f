# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled traversal of two trees (`core.mesh.compiled`), where it is loaded: triangles that meet, and the nearest.

Every function returns None where numpy has to do the work.
"""

from typing import Any

import numpy as np

from ...numerics.compilation import Kernels, constant
from ...numerics.tolerances import EPS, ROUNDING_STEPS
from ...numerics.types import Bools, Floats
from ...numerics.vectors import length
from .bvh_traversal import LeafPairs
from .operands import MeshRows, ShapeRows, frames, slack_of

# Seconds that kernels save for each leaf of the trees of a pair, about.
_MEETING, _NEAREST = Kernels("mesh", 3e-8), Kernels("mesh", 1e-6)


def meeting(a: ShapeRows, b: MeshRows, first: bool = False) -> tuple[LeafPairs, Bools] | None:
    """Pairs of triangles that meet, and whether each surely does (K,); the others are within rounding.

    With `first`, only one pair of triangles of each pair of meshes, if there is one that surely meets.
    """
    kernels = _loaded(_MEETING, a, b)
    if kernels is None:
        return None
    # As in `box_triangle.error_bound`, of the greatest coordinates in the world.
    offset = np.maximum(*(length(each.bodies.translation) + each.bodies.reach for each in (a, b)))
    rounding = constant(4.0 * ROUNDING_STEPS * EPS * offset)
    question = kernels.FIRST_MEETING if first else kernels.ALL_MEETING
    found, sure = kernels.traverse(*_trees(a, b), constant(4.0 * slack_of(a, b)), rounding, question)
    return LeafPairs(found[:, 0], found[:, 1], found[:, 2], np.zeros(len(found))), sure > 0.0


def may_be_nearest(a: ShapeRows, b: MeshRows, reach: Floats) -> LeafPairs | None:
    """All pairs of triangles within `reach` (P,) that may be the nearest ones of their pair of meshes."""
    kernels = _loaded(_NEAREST, a, b)
    if kernels is None:
        return None
    found, bound = kernels.traverse(*_trees(a, b), constant(reach), constant(4.0 * slack_of(a, b)), kernels.NEAREST)
    return LeafPairs(found[:, 0], found[:, 1], found[:, 2], bound)


def _loaded(kernels: Kernels, a: ShapeRows, b: MeshRows) -> Any | None:
    if not isinstance(a, MeshRows):
        return None
    return kernels.load(int(np.exp2((a.bodies.levels + b.bodies.levels) / 2.0).sum()))


def _trees(a: ShapeRows, b: MeshRows) -> list[Any]:
    """Both trees, and the frames in which they meet, in the form of `core.mesh.compiled`."""
    trees: list[Any] = []
    for bodies in (a.bodies, b.bodies):
        rows = (bodies.node_start, bodies.leaf_start, bodies.triangle_start, np.left_shift(1, bodies.levels))
        tables = [constant(each) for each in (bodies.span, bodies.leaf, bodies.corners, np.stack(rows, axis=1))]
        boxes = np.empty((len(bodies.span) + 1, 15))
        boxes[0] = 0.0
        trees.append((*tables, np.zeros(len(bodies.span), dtype=np.int64), boxes))
    return [*trees, constant(frames(a, b).T)]
