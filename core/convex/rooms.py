# SPDX-License-Identifier: GPL-3.0-or-later
"""Working memory that kernels need for one pair, allocated once for each thread."""

from _thread import get_ident

import numpy as np

from ..kernels import active_set, epa, facets, manifolds, patches, solids


class _Rooms:
    """The working memory of one thread, as far as it has been allocated."""

    polytope: epa.Polytope | None = None
    work: active_set.Work | None = None
    manifold: tuple[int, manifolds.Room] | None = None
    arcs: tuple[int, tuple[facets.Arcs, facets.Arcs]] | None = None


# The keys are thread identifiers. If a thread has ended, the next thread with its identifier reuses its memory.
_OF_THREADS: dict[int, _Rooms] = {}


def _own() -> _Rooms:
    """Return the working memory of this thread."""
    number = get_ident()
    rooms = _OF_THREADS.get(number)
    if rooms is None:
        rooms = _OF_THREADS[number] = _Rooms()
    return rooms


def polytope_room() -> epa.Polytope:
    """Working memory for the polytope of one pair, which belongs to this thread."""
    own = _own()
    kept = own.polytope
    if kept is None:
        vertices, faces, sides = epa.ROOM, epa.FACES, 3 * epa.FACES
        places = (3, (faces, 3), (vertices, vertices), faces, faces, (sides, 2), vertices)
        counts, corners, owner, seen, stack, rim, passed = (np.zeros(shape, dtype=np.int64) for shape in places)
        points, planes, fresh = np.empty((vertices, 6)), np.empty((faces, 4)), np.empty((sides, 4))
        kept = own.polytope = epa.Polytope(counts, points, planes, corners, owner, seen, stack, rim, passed, fresh)
    return kept


def work_room() -> active_set.Work:
    """Working memory for the points of one pair, which belongs to this thread."""
    own = _own()
    kept = own.work
    if kept is None:
        count = active_set.SIMPLICES_AND_TRIANGLES
        points, nearest, shown = np.zeros((active_set.ROOM, 6)), np.zeros((count, 6)), np.zeros((count, 2))
        kept = own.work = active_set.Work(points, nearest, shown)
    return kept


# The number of crossings of edges that may be found at one vertex, for each corner of the two outlines.
_MOST_CROSSINGS = 4


def manifold_room(width: int) -> manifolds.Room:
    """Working memory for the contact manifold of one pair, which belongs to this thread.

    `width` is the greater `Pool.width` of the two polytopes.
    """
    own = _own()
    kept = own.manifold
    if kept is None or kept[0] < width:
        width = 2 * width
        corners = 2 * width * (1 + _MOST_CROSSINGS) + 1
        ours, theirs = np.empty((2, width, 3))
        our_vertex, their_vertex = np.empty((2, width), dtype=np.int64)
        made, chosen = np.empty((corners, 6), dtype=np.int64), np.empty(4, dtype=np.int64)
        patch = patches.Patch(ours, theirs, our_vertex, their_vertex, np.empty((corners, 4)), made, chosen)
        kept = own.manifold = width, manifolds.Room(_placed(width), _placed(width), patch)
    return kept[1]


def arcs_room(width: int) -> tuple[facets.Arcs, facets.Arcs]:
    """Working memory for the Gauss maps of one pair; it belongs to this thread. `width` is as for `manifold_room`."""
    own = _own()
    kept = own.arcs
    if kept is None or kept[0] < width:
        width = 2 * width
        kept = own.arcs = width, (_arcs(width), _arcs(width))
    return kept[1]


def _arcs(width: int) -> facets.Arcs:
    edges = 2 * width
    return facets.Arcs(np.empty((edges, 9)), np.empty((edges, 2)), np.empty(edges, dtype=np.int64), np.empty(width))


def _placed(width: int) -> solids.Placed:
    vertices, normals = np.empty((2, width, 3))
    heights, level = np.empty((2, width))
    return solids.Placed(vertices, normals, heights, level, np.empty(width, dtype=np.int64))
