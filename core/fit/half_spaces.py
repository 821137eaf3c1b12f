# SPDX-License-Identifier: GPL-3.0-or-later
"""Simplify a convex polytope: remove half-spaces from its intersection, which only ever grows.

Half-spaces n · x <= d around the origin correspond to the dual points n / d. The convex hull of these points has a
triangle for each corner of the intersection, and a vertex for each of its faces. Removing a face removes that vertex
from the dual hull, and triangles between its neighbors take its place. The intersection grows by a cap over the face,
which the planes of the neighbors bound: see `caps`. The smallest caps are removed first. The caps of faces that are not
neighbors of each other do not influence each other, so that several faces are removed in one step while many are left.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from ..hull import ConvexHull, convex_hull
from ..numerics.tolerances import FIT_BOUNDED, FIT_GENERAL
from ..numerics.types import Floats, Ints
from ..numerics.vectors import cross, dot

_AT_ONCE = 12
"""In one step, at most one out of this many faces is removed."""


class Removal:
    """Half-spaces with a bounded intersection, and the order in which they are removed."""

    def __init__(self, normals: Floats, offsets: Floats) -> None:
        """Start with half-spaces n · x <= d, normals (F, 3) and offsets (F,) above zero."""
        self.points = normals / offsets[:, None]
        # Each plane is moved a little, so that no four of them meet in one corner: every step is then unambiguous.
        moved = 1.0 + FIT_GENERAL * np.random.default_rng(0).random(len(offsets))
        self._general = self.points / moved[:, None]
        self._rings = _rings(convex_hull(self._general))
        self._known: dict[int, Cap] = {}

    def __iter__(self) -> Iterator[Ints]:
        """The half-spaces left after each step; ends when none can be removed."""
        while True:
            yield np.array(sorted(self._rings))
            self._measure()
            order = sorted(self._known, key=lambda plane: self._known[plane].volume)
            most = max(1, len(order) // _AT_ONCE)
            gone: list[int] = []
            beside: set[int] = set()
            for plane in order:
                if len(gone) == most or not np.isfinite(self._known[plane].volume):
                    break
                if plane not in beside:
                    gone.append(plane)
                    beside.update(self._rings[plane])
            if not gone:
                return
            for plane in gone:
                self._remove(plane)

    def corners(self, left: Ints) -> Floats | None:
        """Corners of the intersection of some of the given half-spaces; None if it is not bounded."""
        hull = convex_hull(self.points[left])
        if hull.dimension < 3 or (hull.offsets <= FIT_BOUNDED * np.abs(hull.points).max()).any():
            return None
        corners: Floats = hull.normals / hull.offsets[:, None]
        return corners

    def _measure(self) -> None:
        """Measure the caps that are not known yet."""
        new = [plane for plane in self._rings if plane not in self._known]
        by_size: dict[int, list[int]] = {}
        for plane in new:
            by_size.setdefault(len(self._rings[plane]), []).append(plane)
        for planes in by_size.values():
            ring = np.array([self._rings[plane] for plane in planes])
            for plane, cap in zip(planes, caps(self._general[planes], self._general[ring]), strict=True):
                self._known[plane] = cap

    def _remove(self, plane: int) -> None:
        """Remove a half-space: its neighbors become neighbors of each other."""
        ring = self._rings.pop(plane)
        third: dict[tuple[int, int], int] = {}
        for a, b, c in self._known.pop(plane).triangles.tolist():
            third[a, b], third[b, c], third[c, a] = c, a, b
        for place, one in enumerate(ring):
            own = self._rings[one]
            between = []
            turn = third[place, (place + 1) % len(ring)]
            while turn != (place - 1) % len(ring):
                between.append(ring[turn])
                turn = third[place, turn]
            at = own.index(plane)
            self._rings[one] = own[:at] + between + own[at + 1 :]
            self._known.pop(one, None)


def _rings(hull: ConvexHull) -> dict[int, list[int]]:
    """The neighbors of each vertex of a hull, counterclockwise seen from outside, with faces triangulated as fans."""
    following: dict[int, dict[int, int]] = {}
    for face in hull.faces:
        corners = face.tolist()
        for b, c in pairwise(corners[1:]):
            a = corners[0]
            for x, y, z in ((a, b, c), (b, c, a), (c, a, b)):
                following.setdefault(x, {})[y] = z
    rings = {}
    for vertex, after in following.items():
        first = next(iter(after))
        ring = [first]
        while after[ring[-1]] != first:
            ring.append(after[ring[-1]])
        rings[vertex] = ring
    return rings


_MOST = 24
"""Faces with more sides are not tried. They have fewer when some of their neighbors have been removed."""


@dataclass(frozen=True, eq=False)
class Cap:
    """The part that the intersection gains when one face is removed.

    Attributes
    ----------
    volume : float
        Infinite if the other half-spaces do not bound it.
    triangles : (k - 2, 3) int64
        New corners: triangles of the dual hull between the k neighbors, as places in their ring.
    """

    volume: float
    triangles: Ints


def caps(point: Floats, ring: Floats) -> list[Cap]:
    """The caps of K faces with k neighbors each, in general position.

    Parameters
    ----------
    point : (K, 3) float64
        The dual points of the faces.
    ring : (K, k, 3) float64
        The dual points of their neighbors, counterclockwise seen from outside.
    """
    count, size = ring.shape[:2]
    none = np.empty((0, 3), np.int64)
    if size > _MOST:
        return [Cap(np.inf, none)] * count
    triples = np.array(list(combinations(range(size), 3)))
    corner = ring[:, triples]
    origin = corner[:, :, 0]
    normal = cross(corner[:, :, 1] - origin, corner[:, :, 2] - origin)
    offset = dot(normal, origin)
    height = np.matmul(normal, ring.transpose(0, 2, 1)) - offset[:, :, None]
    height[:, np.arange(len(triples))[:, None], triples] = -1.0
    # Triangles of the neighbors' hull that face the removed point.
    seen = (height < 0.0).all(axis=2) & (dot(normal, point[:, None]) > offset)
    limit = FIT_BOUNDED * np.sqrt(dot(normal, normal)) * np.abs(ring).max(axis=(1, 2))[:, None]
    good = np.flatnonzero((seen.sum(axis=1) == size - 2) & ~(seen & (offset <= limit)).any(axis=1))
    result = [Cap(np.inf, none)] * count
    if len(good):
        which, triple = np.nonzero(seen[good])
        triangles = triples[triple].reshape(len(good), size - 2, 3)
        place = normal[good][which, triple] / offset[good][which, triple][:, None]
        volumes = _volumes(point[good], ring[good], triangles, place.reshape(len(good), size - 2, 3))
        for row, volume, made in zip(good, volumes, triangles, strict=True):
            result[row] = Cap(float(volume), made)
    return result


def _volumes(point: Floats, ring: Floats, triangles: Ints, tips: Floats) -> Floats:
    """Volumes of caps: a sixth of the sum, over all faces and their edges, of the determinants that these span.

    Every edge of a cap lies between two planes a and b. It joins the corner of the dual triangle to the right of the
    edge from a to b with the corner of the one to the left. The corners are relative to one on the removed face, so
    that this face contributes nothing.
    """
    count, size = ring.shape[:2]
    rows = np.arange(count)[:, None]
    after = np.roll(ring, -1, axis=1)
    base = _intersections(np.broadcast_to(point[:, None], ring.shape), ring, after)
    origin = base[:, :1]
    base, tips = base - origin, tips - origin
    left = np.zeros((count, size, size, 3))
    for first, second in ((0, 1), (1, 2), (2, 0)):
        left[rows, triangles[:, :, first], triangles[:, :, second]] = tips
    place = np.arange(size)
    left[:, (place + 1) % size, place] = base
    turn = cross(left.transpose(0, 2, 1, 3), left).sum(axis=2) + cross(np.roll(base, 1, axis=1), base)
    # From that corner, the foot of the perpendicular on the plane q · x = 1.
    foot = (1.0 - dot(ring, origin)) / dot(ring, ring)
    volumes: Floats = (foot[:, :, None] * ring * turn).sum(axis=(1, 2)) / 6.0
    return volumes


def _intersections(a: Floats, b: Floats, c: Floats) -> Floats:
    """Intersection points of the planes of three dual points."""
    normal = cross(b - a, c - a)
    result: Floats = normal / dot(normal, a)[..., None]
    return result
