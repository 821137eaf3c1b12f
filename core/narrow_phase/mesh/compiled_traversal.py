# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled traversal of two trees (`core.mesh.compiled`), where it is loaded: triangles that meet, and the nearest.

Every function returns None where numpy has to do the work.
"""

from typing import Any

import numpy as np

from ...numerics.compilation import Kernels
from ...numerics.types import Bools, Floats
from ...numerics.vectors import length
from .bvh_traversal import LeafPairs
from .operands import MeshRows, ShapeRows, Trees, frames, slack_of

# Seconds that kernels save for each leaf of the trees of a pair, about.
_MEETING, _NEAREST = Kernels("mesh", 5e-8), Kernels("mesh", 5e-7)


def meeting(a: ShapeRows, b: MeshRows, first: bool = False) -> tuple[LeafPairs, Bools] | None:
    """Pairs of triangles that meet, and whether each surely does (K,); the others are within rounding.

    With `first`, only one pair of triangles of each pair of meshes, if there is one that surely meets.
    """
    kernels = _loaded(_MEETING, a, b)
    if kernels is None:
        return None
    offset = np.maximum(*(length(each.bodies.translation) + each.bodies.reach for each in (a, b)))
    found, sure = kernels.meeting(
        _tree(a.bodies), _tree(b.bodies), frames(a, b).T.copy(), 5.0 * slack_of(a, b), offset, first
    )
    return LeafPairs(found[:, 0], found[:, 1], found[:, 2], np.zeros(len(found))), sure


def may_be_nearest(a: ShapeRows, b: MeshRows, reach: Floats) -> LeafPairs | None:
    """All pairs of triangles within `reach` (P,) that may be the nearest ones of their pair of meshes."""
    kernels = _loaded(_NEAREST, a, b)
    if kernels is None:
        return None
    found, bound = kernels.nearest(_tree(a.bodies), _tree(b.bodies), frames(a, b).T.copy(), reach, 4.0 * slack_of(a, b))
    return LeafPairs(found[:, 0], found[:, 1], found[:, 2], bound)


def _loaded(kernels: Kernels, a: ShapeRows, b: MeshRows) -> Any | None:
    if not isinstance(a, MeshRows) or not len(b):
        return None
    return kernels.load(int(np.exp2((a.bodies.levels + b.bodies.levels) / 2.0).sum()))


def _tree(bodies: Trees) -> tuple[np.ndarray, ...]:
    """A tree in the form of `core.mesh.compiled`."""
    rows = (bodies.node_start, bodies.leaf_start, bodies.triangle_start, np.left_shift(1, bodies.levels))
    return bodies.span, bodies.leaf, bodies.corners, np.stack(rows, axis=1), np.zeros((len(bodies.span), 16))
