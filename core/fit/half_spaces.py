# SPDX-License-Identifier: GPL-3.0-or-later
"""A convex polytope as an intersection of half-spaces, fewer and fewer of them: it only ever grows.

Half-spaces n · x <= d around the origin correspond to the points n / d: the convex hull of these has a triangle for
every corner of the intersection and a vertex for every face of it. To take a face away is to take a vertex off that
hull. What then shows are triangles between its neighbors, and what the intersection gains is a cap over the face,
bounded by the neighbors' planes: see `caps`. The cheapest caps go first; those of faces that are not next to each
other add up, so that many are taken at once while there are many left.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from ..hull import ConvexHull, convex_hull
from ..numerics.tolerances import FIT_BOUNDED, FIT_GENERAL
from ..numerics.types import Floats, Ints
from .face_removal_volume import Cap, caps

_AT_ONCE = 12
"""One in so many faces is taken at once."""


class Removal:
    """Half-spaces whose intersection is bounded, and the order in which they are taken away."""

    def __init__(self, normals: Floats, offsets: Floats) -> None:
        """Begin with half-spaces n · x <= d, normals (F, 3) and offsets (F,) above zero."""
        self.points = normals / offsets[:, None]
        # No four planes meet in one corner once each is moved a little: then every step has one answer.
        moved = 1.0 + FIT_GENERAL * np.random.default_rng(0).random(len(offsets))
        self._general = self.points / moved[:, None]
        self._rings = _rings(convex_hull(self._general))
        self._known: dict[int, Cap] = {}

    def __iter__(self) -> Iterator[Ints]:
        """The half-spaces left, after each step; ends when none can be taken away."""
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
                self._take(plane)

    def corners(self, left: Ints) -> Floats | None:
        """Corners of the intersection of some of the half-spaces, as they were given; None if it is not bounded."""
        hull = convex_hull(self.points[left])
        if hull.dimension < 3 or (hull.offsets <= FIT_BOUNDED * np.abs(hull.points).max()).any():
            return None
        corners: Floats = hull.normals / hull.offsets[:, None]
        return corners

    def _measure(self) -> None:
        """Measure the caps that are not known."""
        new = [plane for plane in self._rings if plane not in self._known]
        by_size: dict[int, list[int]] = {}
        for plane in new:
            by_size.setdefault(len(self._rings[plane]), []).append(plane)
        for planes in by_size.values():
            ring = np.array([self._rings[plane] for plane in planes])
            for plane, cap in zip(planes, caps(self._general[planes], self._general[ring]), strict=True):
                self._known[plane] = cap

    def _take(self, plane: int) -> None:
        """Take a half-space away: its neighbors become each other's."""
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
    """The neighbors of each vertex of a hull, in order, counter-clockwise seen from outside; faces cut up as fans."""
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
