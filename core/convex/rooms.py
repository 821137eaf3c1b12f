# SPDX-License-Identifier: GPL-3.0-or-later
"""Room that kernels need for one pair, made once for each thread."""

import threading

import numpy as np

from ..kernels import active_set, epa

_OWN = threading.local()


def polytope_room() -> epa.Polytope:
    """Room for the polytope of one pair, which belongs to this thread."""
    kept: epa.Polytope | None = getattr(_OWN, "polytope", None)
    if kept is None:
        vertices, faces, sides = epa.ROOM, epa.FACES, 3 * epa.FACES
        places = (3, (faces, 3), (vertices, vertices), faces, faces, (sides, 2), vertices)
        counts, corners, owner, seen, stack, rim, passed = (np.zeros(shape, dtype=np.int64) for shape in places)
        points, planes, fresh = np.empty((vertices, 6)), np.empty((faces, 4)), np.empty((sides, 4))
        kept = _OWN.polytope = epa.Polytope(counts, points, planes, corners, owner, seen, stack, rim, passed, fresh)
    return kept


def work_room() -> active_set.Work:
    """Room for the points of one pair, which belongs to this thread."""
    kept: active_set.Work | None = getattr(_OWN, "work", None)
    if kept is None:
        count = active_set.SIMPLICES_AND_TRIANGLES
        points, nearest, shown = np.zeros((active_set.ROOM, 6)), np.zeros((count, 6)), np.zeros((count, 2))
        kept = _OWN.work = active_set.Work(points, nearest, shown)
    return kept
