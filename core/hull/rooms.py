# SPDX-License-Identifier: GPL-3.0-or-later
"""Working memory of the kernels that find hulls, and the memory for their results."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from ..kernels import grids, hull_faces, hull_noise, hull_order, hulls, quickhull
from ..numerics.types import Ints


def _ints(*shape: int) -> Ints:
    return np.empty(shape, np.int64)


def sorting_room(count: int) -> grids.Sorting:
    """Room for putting points in order."""
    return grids.Sorting(np.empty((count, 3)), _ints(count, 2))


def facet_room(count: int) -> quickhull.Facets:
    """Room for points and the facets of their hull."""
    facets = 2 * count
    return quickhull.Facets(
        points=np.empty((count, 3)),
        corners=_ints(facets, 3),
        neighbors=_ints(facets, 3),
        planes=np.empty((facets, quickhull.PLANE_COLUMNS)),
        state=_ints(facets, 5),
        room=_ints(facets, 4),
        following=_ints(count),
        moved=_ints(count),
        begin=_ints(count),
        border=_ints(count, 3),
    )


def surface_room(count: int) -> quickhull.Surface:
    """Room for the simplicial hull of points."""
    facets = 2 * count
    return quickhull.Surface(_ints(facets, 3), _ints(facets, 3), np.empty((facets, quickhull.SURFACE_COLUMNS)))


def polygon_room(corners: int, faces: int) -> hull_faces.Polygons:
    """Room for faces."""
    return hull_faces.Polygons(_ints(corners), _ints(faces + 1), np.empty((faces, hull_faces.POLYGON_COLUMNS)))


def order_room(count: int, corners: int, faces: int) -> hull_order.Order:
    """Room for putting the faces of a hull of some points in order."""
    return hull_order.Order(
        _ints(count), _ints(count + 1), _ints(faces, hull_order.FACE_COLUMNS), _ints(corners, hull_order.SIDE_COLUMNS)
    )


def hull_room(count: int) -> hulls.Room:
    """Room for the hull of some points."""
    distinct, source = np.empty((count, 3)), _ints(count)
    sorting = sorting_room(count)
    # The apex of a flat set.
    count += 1
    return hulls.Room(
        sorting=sorting,
        distinct=distinct,
        source=source,
        raised=np.empty((count, 3)),
        facets=facet_room(count),
        noise=hull_noise.Noise(
            _ints(count, hull_noise.MARK_COLUMNS),
            np.empty((count, 3)),
            np.empty(count, np.bool_),
            _ints(count),
            surface_room(count),
        ),
        surface=surface_room(count),
        regions=hull_faces.Regions(_ints(2 * count, hull_faces.FACET_COLUMNS), _ints(count, hull_faces.VERTEX_COLUMNS)),
        polygons=polygon_room(6 * count, 2 * count),
        order=order_room(count, 6 * count, 2 * count),
    )


def hulls_room(sets: int, points: int) -> hull_order.Hulls:
    """Memory for the hulls of some sets, with some points together."""
    return hull_order.Hulls(
        bounds=_ints(sets + 1, hull_order.BOUND_COLUMNS),
        dimension=_ints(sets),
        corners=_ints(6 * points),
        first=_ints(2 * points + 1),
        planes=np.empty((2 * points, hull_order.PLANE_COLUMNS)),
        edges=_ints(3 * points, hull_order.EDGE_COLUMNS),
        vertices=_ints(points),
        measures=np.empty((sets, hull_order.MEASURE_COLUMNS)),
    )


# Points of the hull for which memory is kept: about half a megabyte.
_KEPT_POINTS = 256

# Memory that no call uses. Threads take it from here and put it back, which Python does one at a time.
_UNUSED: list[tuple[hulls.Room, hull_order.Hulls]] = []


@contextmanager
def memory_for_one(count: int) -> Iterator[tuple[hulls.Room, hull_order.Hulls]]:
    """Working memory and memory for the result of the hull of some points, which is kept if they are few."""
    if count > _KEPT_POINTS:
        yield hull_room(count), hulls_room(1, count)
        return
    try:
        memory = _UNUSED.pop()
    except IndexError:
        memory = hull_room(_KEPT_POINTS), hulls_room(1, _KEPT_POINTS)
    try:
        yield memory
    finally:
        _UNUSED.append(memory)
