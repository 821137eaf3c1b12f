# SPDX-License-Identifier: GPL-3.0-or-later
"""A table of each polygon's farthest corners along fixed directions, and early tests of pairs that use it.

A and B overlap if B's place, relative to A's place, lies in A − B (doc4code 2011, "Configuration space obstacle"). The
ray through that point from the middle of A − B leaves this polygon between two of its corners. They are found by
bisection: the farthest corner along a direction shows on which side of it to continue. Each direction may prove the two
apart, and a point in front of the line through two corners is inside (like a portal of Snethen's XenoCollide, "Game
Programming Gems 7", 2008). Both proofs leave a margin of the exact test's rounding, so that its result would be the
same.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics.rows import RowTable, blocks
from ...numerics.tolerances import PRODUCT_RANGE
from ...numerics.types import Bools, Floats, Ints

# The number of directions, a power of two. Up to 32 corners, one or two corners are then between two neighbors.
COUNT = 32
_HALF = COUNT // 2
# A corner of A - B beside the ray has a direction within a right angle of it, and the ray lies between two directions.
_QUARTER = COUNT // 4 + 1

Complexes = NDArray[np.complex128]

# Points on the square |x| + |y| = 1, counterclockwise from -Y, so that their components are exact.
_STEP = np.arange(COUNT) * 4.0 / COUNT - 1.0
_SINE = np.where(_STEP <= 1.0, _STEP, 2.0 - _STEP)
_DIRECTION = np.where(_STEP <= 1.0, 1.0, -1.0) * (1.0 - np.abs(_SINE)) + 1j * _SINE


@dataclass(frozen=True, eq=False)
class Directions:
    """The farthest corners of the geometries of a pool.

    Attributes
    ----------
    corner : (V,) complex128
        The corners, x + iy, so that one look-up fetches both coordinates.
    start : (G + 1,) int64
    farthest : (G * COUNT,) int32
        The corner of the pool that is the farthest of each geometry along each direction.
    orderly : (G,) bool
        Whether the table is certainly correct. It is not certain if rounding has exchanged the normals of two nearly
        collinear sides, for points, and for sizes whose squares overflow or underflow.
    """

    corner: Complexes
    start: Ints
    farthest: NDArray[np.int32]
    orderly: Bools

    def along(self, geometry: Ints, direction: Ints) -> NDArray[np.int32]:
        """The farthest corners of geometries along directions, whose numbers wrap around."""
        return self.farthest.take(geometry * COUNT + (direction & (COUNT - 1)))

    def between(self, geometry: Ints, direction: Ints) -> Complexes:
        """The corners (k, n) from the farthest along `direction` to that along the next one, the last one repeated."""
        first, begin = self.along(geometry, direction), self.start[geometry]
        count = self.start[geometry + 1] - begin
        steps = (self.along(geometry, direction + 1) - first) % count
        step = np.minimum(np.arange(steps.max(initial=0) + 1)[:, None], steps)
        return self.corner[begin + (first - begin + step) % count]


def directions(x: Floats, y: Floats, nx: Floats, ny: Floats, start: Ints) -> Directions:
    """The table for the geometries of a pool, from its components.

    The corner between two sides is the farthest along all directions between their normals. For each direction, the
    sides whose normals come before it are therefore counted. Normals are accurate to a few eps even for short sides,
    because they are computed from differences of the given coordinates, and turn by less than 144 degrees at a corner.
    The true farthest corner is thus farther than the chosen one by no more than about 20 eps of the size.
    """
    count, first = np.diff(start), start[:-1]
    geometries = len(count)
    if not geometries:
        return Directions(x + 1j * y, start, np.empty(0, np.int32), np.empty(0, np.bool_))
    owner = np.repeat(np.arange(geometries), count)
    before = np.arange(len(x)) - 1
    before[first] = start[1:] - 1
    passed_from = np.ceil(_around(nx, ny)).astype(np.int64)
    lowest = passed_from < passed_from[before]
    size = np.maximum.reduceat(np.abs(x) + np.abs(y), first)
    orderly = np.add.reduceat(lowest.astype(np.int64), first) == 1
    orderly &= (size > PRODUCT_RANGE[0]) & (size < PRODUCT_RANGE[1])
    begin = np.zeros(geometries, np.int64)
    begin[owner[lowest]] = np.flatnonzero(lowest) - first[owner[lowest]]
    sides = np.bincount(owner * (COUNT + 1) + passed_from, minlength=geometries * (COUNT + 1))
    passed = sides.reshape(geometries, COUNT + 1)[:, :COUNT].cumsum(axis=1)
    farthest = first[:, None] + (begin[:, None] + passed) % count[:, None]
    return Directions(x + 1j * y, start, farthest.astype(np.int32).ravel(), orderly)


def _around(x: Floats, y: Floats) -> Floats:
    """The position of directions among those of the table, from 0 to `COUNT`."""
    sine = y / (np.abs(x) + np.abs(y))
    return (np.where(x < 0.0, 2.0 - sine, sine) + 1.0) * (COUNT / 4.0)


@dataclass(eq=False)
class _Search(RowTable):
    """Open pairs, B's place relative to A's, and the corners of A - B to the right and left of it.

    These corners are the farthest along the directions `low` and `high`. At first both are the middle, which proves
    nothing.
    """

    slot: Ints
    of_a: Ints
    of_b: Ints
    between: Complexes
    spare: Floats
    low: Ints
    high: Ints
    right: Complexes
    left: Complexes

    def blocks(self) -> Iterator["_Search"]:
        """Blocks of this search, so that the data of a step fit into the caches."""
        return (self.take(rows) for rows in blocks(len(self)))

    def turn(self, corner: Complexes) -> Bools:
        """Replace the right or the left corner by `corner`; returns whether it was the right one."""
        onward = corner.real * self.between.imag >= corner.imag * self.between.real
        self.right, self.left = np.where(onward, corner, self.right), np.where(onward, self.left, corner)
        return onward

    def apart(self, corner: Complexes, along: Complexes) -> Bools:
        """Whether pairs are apart along directions, given the corners of A - B that are farthest along them."""
        beyond, length = self.between - corner, np.abs(along.real) + np.abs(along.imag)
        return along.real * beyond.real + along.imag * beyond.imag > self.spare * length

    def meet(self) -> Bools:
        """Whether B's place is in front of the line from the right to the left corner, and therefore in A - B."""
        line, reach = self.left - self.right, self.between - self.right
        length = np.abs(line.real) + np.abs(line.imag)
        return line.real * reach.imag - line.imag * reach.real > self.spare * length


def verdicts(
    a: Directions, b: Directions, of_a: Ints, of_b: Ints, between: Complexes, spare: Floats
) -> NDArray[np.int8]:
    """Certain results for pairs of geometries: 1 if they overlap, -1 if they are apart, 0 if neither is certain.

    Parameters
    ----------
    of_a, of_b : (n,) int64
        The geometries.
    between : (n,) complex128
        B's place minus A's place.
    spare : (n,) float64
        The margin that a proof must have.
    """
    known = np.zeros(len(of_a), np.int8)
    slot = np.flatnonzero(a.orderly.take(of_a) & b.orderly.take(of_b) & (between != 0.0))
    if not len(slot):
        return known
    between, middle = between.take(slot), np.zeros(len(slot), np.complex128)
    toward = _around(between.real, between.imag).astype(np.int64)
    ends = toward - _QUARTER, toward + _QUARTER
    search = _Search(slot, of_a.take(slot), of_b.take(slot), between, spare.take(slot), *ends, middle, middle)
    done: list[_Search] = []
    first = True
    while len(search):
        rest = []
        for part in search.blocks():
            if first:
                # Bounds along directions near the first one overlap, so it only decides the side.
                _bisect(a, b, part)
            corner, now = _bisect(a, b, part)
            apart = part.apart(corner, _DIRECTION.take(now & (COUNT - 1)))
            verdict = (part.meet() & ~apart).view(np.int8) - apart.view(np.int8)
            known[part.slot] = verdict
            neighbors = part.high - part.low == 1
            rest.append(part.take(np.flatnonzero((verdict == 0) & ~neighbors)))
            done.append(part.take(np.flatnonzero((verdict == 0) & neighbors)))
        search, first = _Search.joined(rest), False
    for part in _Search.joined(done).blocks():
        _between_neighbors(a, b, part, known)
    return known


def _bisect(a: Directions, b: Directions, search: _Search) -> tuple[Complexes, Ints]:
    """Test the direction in the middle of the range: its corner of A - B, and its number."""
    now = (search.low + search.high) >> 1
    corner = a.corner.take(a.along(search.of_a, now)) - b.corner.take(b.along(search.of_b, now + _HALF))
    onward = search.turn(corner)
    search.low, search.high = np.where(onward, now, search.low), np.where(onward, search.high, now)
    return corner, now


def _between_neighbors(a: Directions, b: Directions, search: _Search, known: NDArray[np.int8]) -> None:
    """Continue along the normals of the lines from corner to corner, while they are between two neighboring directions.

    The farthest corners along these normals are the farthest along the two directions, or one of the few between them.
    """
    first, second = (_DIRECTION.take((search.low + step) & (COUNT - 1)) for step in (0, 1))
    corners = a.between(search.of_a, search.low), b.between(search.of_b, search.low + _HALF)
    # Every step passes an edge of A - B, and there are no more of these than candidates. If rounding makes the search
    # alternate between two corners, nothing is proved, and the exact test decides.
    for _ in range(len(corners[0]) + len(corners[1])):
        if not len(search):
            return
        along = -1j * (search.left - search.right)
        between = (_turn(first, along) >= 0.0) & (_turn(along, second) >= 0.0)
        corner = _farthest(corners[0], along) - _farthest(corners[1], -along)
        last = (corner == search.left) | (corner == search.right)
        search.turn(corner)
        apart = search.apart(corner, along) & between
        verdict = (search.meet() & ~apart).view(np.int8) - apart.view(np.int8)
        known[search.slot] = verdict
        rest = np.flatnonzero((verdict == 0) & between & ~last)
        search, first, second = search.take(rest), first.take(rest), second.take(rest)
        corners = corners[0][:, rest], corners[1][:, rest]


def _turn(one: Complexes, other: Complexes) -> Floats:
    return one.real * other.imag - one.imag * other.real


def _farthest(candidates: Complexes, along: Complexes) -> Complexes:
    """The farthest of the candidates (k, n) along each of n directions."""
    height = candidates.real * along.real + candidates.imag * along.imag
    return candidates[height.argmax(axis=0), np.arange(len(along))]
