# SPDX-License-Identifier: GPL-3.0-or-later
"""Which triangles of two meshes do not meet because one lies all on one side of the other's plane."""

import numpy as np

from ...numerics.tolerances import MESH_RAY
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot, length


def apart_by_planes(p: Floats, q: Floats, at_p: Ints, at_q: Ints, slack: Floats) -> Bools:
    """Whether one triangle lies all on one side of the other's plane, farther than `slack` (K,): (K,).

    Pair i is of ``p[at_p[i]]`` and ``q[at_q[i]]``, of tables (T, 3, 3) of triangles.
    """
    result = np.zeros(len(at_p), dtype=bool)
    plane_p, plane_q = _planes(p), _planes(q)
    rest = np.arange(len(at_p))
    for (normal, offset, size), one, other, corners in ((plane_p, at_p, at_q, q), (plane_q, at_q, at_p, p)):
        mine = one[rest]
        heights = np.einsum("kni,ki->kn", corners[other[rest]], normal[mine]) - offset[mine, None]
        least = slack[rest] + MESH_RAY * (size[mine] + np.abs(corners).max(initial=0.0))
        lowest = np.minimum(np.minimum(heights[:, 0], heights[:, 1]), heights[:, 2])
        highest = np.maximum(np.maximum(heights[:, 0], heights[:, 1]), heights[:, 2])
        apart = (lowest > least) | (highest < -least)
        result[rest[apart]] = True
        rest = rest[~apart]
    return result


def _planes(corners: Floats) -> tuple[Floats, Floats, Floats]:
    """Unit normals (T, 3), offsets (T,), and how uncertain rounding leaves those, as a length (T,)."""
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    cross = np.cross(first, second)
    area = length(cross)
    normal = cross / np.where(area > 0.0, area, 1.0)[:, None]
    # The longer and thinner a triangle, the less is its normal worth.
    blunt = length(first) * length(second) / np.where(area > 0.0, area, 1.0)
    return normal, dot(normal, corners[:, 0]), np.abs(corners).max(axis=(1, 2), initial=0.0) * (1.0 + blunt)
