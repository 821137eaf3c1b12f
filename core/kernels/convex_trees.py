# SPDX-License-Identifier: GPL-3.0-or-later
"""Traversal of the bounding box tree of a mesh with a convex shape: which triangles meet it, and which are nearest.

As in `trees`, the traversal goes depth first, and to the nearer child first. For each triangle that it reaches, GJK
gives bounds of the distance. Where they leave a pair open, it is returned as undecided.
"""

from math import inf, sqrt
from typing import NamedTuple

from .active_set import Work
from .arrays import Floats1, Floats2, Ints1, Ints2, Vector, floats1, ints1
from .closest import closest_points
from .epa import Polytope
from .gjk import FAR, OVERLAPPING
from .loading import kernel
from .supports import Shape, Side
from .trees import DOUBTS, FIRST_MEETING, FIRST_WITHIN, NEAREST, Tree, fit, gap, placed, still_nearest
from .vectors import corner, dot, minus, plus, row, scaled

# Size of the stack of nodes: at most one for each level, and the last two.
_DEPTH = 128
# Dimensionless: relative difference of the bounds of a distance. A smaller one would leave fewer triangles undecided.
_CLOSE = 1e-6


class Convex(NamedTuple):
    """The convex shape of each pair.

    Attributes
    ----------
    side : Side
        All shapes, with centers and extents.
    rows : (P,) int64
        The shape of each pair.
    places : (P, 3) float64
        Its translation, relative to the origin of the pair's frame.
    boxes : (P, 15) float64
        A box around it in that frame: the axes, row by row, the center and the half extents.
    curved : bool
        Whether the shapes have curved surfaces, apart from their radii.
    """

    side: Side
    rows: Ints1
    places: Floats2
    boxes: Floats2
    curved: bool


class Room(NamedTuple):
    """Room for one triangle, as a side of one row, and for the queries about it.

    Attributes
    ----------
    piece : Side
        A polytope with three vertices, the first of which is the origin.
    polytope, work : Polytope, Work
    """

    piece: Side
    polytope: Polytope
    work: Work


@kernel
def traverse(
    a: Convex,
    b: Tree,
    frames: Floats2,
    room: Room,
    reach: Floats1,
    rounding: Floats1,
    question: int,
    begin: int,
    found: Ints2,
    values: Floats1,
) -> tuple[int, int]:
    """Find triangles near convex shapes, until the output is full.

    Parameters
    ----------
    a : Convex
    b : Tree
    frames : (P, 12) float64
        For each pair, the transform from B to the frame of the pair: a matrix, row by row, and a translation.
    room : Room
    reach, rounding, question, begin
        As for `trees.traverse`.
    found : (K, 3) int64
        Written: the pair, ascending, 0, and the triangle of B.
    values : (K,) float64
        As for `trees.traverse`.

    Returns
    -------
    pair, count : int
        As for `trees.traverse`.
    """
    count = 0
    nodes, gaps = ints1(_DEPTH), floats1(_DEPTH)
    for pair in range(begin, len(frames)):
        first, top, best, slack = count, 1, reach[pair], rounding[pair]
        root, leaves = b.rows[pair, 0], b.rows[pair, 3]
        nodes[0], gaps[0] = 0, 0.0
        limit = (best + slack) * (best + slack)
        while top > 0:
            top -= 1
            if gaps[top] > limit:
                continue
            node = nodes[top]
            if node + 1 >= leaves:
                triangle = b.leaf[b.rows[pair, 1] + node + 1 - leaves]
                low, high, sure = _bounds(a, b, b.rows[pair, 2] + triangle, frames, pair, best + slack, room)
                if low - slack > best:
                    continue
                value = 0.0
                if question == NEAREST:
                    value = max(low - slack, 0.0)
                    best = min(best, max(high, 0.0))
                    limit = (best + slack) * (best + slack)
                elif question == FIRST_WITHIN:
                    value = 1.0 if high + slack <= best else 0.0
                elif low > slack:
                    continue
                else:
                    value = 1.0 if sure or high + slack < 0.0 else 0.0
                if question in (FIRST_MEETING, FIRST_WITHIN) and value > 0.0:
                    count = first
                    top = 0
                if question == FIRST_MEETING and count + 1 == first + DOUBTS:
                    top = 0
                if count == len(found):
                    return pair, first
                found[count, 0], found[count, 1], found[count, 2], values[count] = pair, 0, triangle, value
                count += 1
                continue
            one, other = 2 * node + 1, 2 * node + 2
            fit(b, pair, one)
            fit(b, pair, other)
            near, far = gap(a.boxes, pair, b.box, b.fit[root + one], frames, pair)
            other_near, other_far = gap(a.boxes, pair, b.box, b.fit[root + other], frames, pair)
            if other_near < near or (other_near == near and other_far < far):
                one, other, near, other_near = other, one, other_near, near
            # The last one on the stack is the next.
            if other_near <= limit:
                nodes[top], gaps[top] = other, other_near
                top += 1
            if near <= limit:
                nodes[top], gaps[top] = one, near
                top += 1
        if question == NEAREST:
            count = still_nearest(found, values, first, count, best)
    return len(frames), count


def _bounds(
    a: Convex, b: Tree, triangle: int, frames: Floats2, pair: int, enough: float, room: Room
) -> tuple[float, float, bool]:
    """A lower and an upper bound of the distance of a shape and a triangle, and whether they surely meet.

    Infinite if they are farther apart than `enough`.
    """
    start, reach = put_piece(b, triangle, frames, pair, room)
    shape, piece = Shape(a.side, a.rows[pair], row(a.places, pair)), Shape(room.piece, 0, start)
    size, radius = a.side.extents[shape.at, 0] + reach, a.side.extents[shape.at, 1]
    begin = minus(plus(shape.place, row(a.side.centers, shape.at)), middle_of(start, room))
    state, distance, bound, _, _, _, certain, _, _ = closest_points(
        shape, piece, room.work, begin, size, enough + radius, _CLOSE, False
    )
    if state == FAR:
        return inf, inf, False
    if state == OVERLAPPING:
        return -radius, -radius, certain
    return bound - radius, distance - radius, False


def put_piece(b: Tree, triangle: int, frames: Floats2, pair: int, room: Room) -> tuple[Vector, float]:
    """Write a triangle in the frame of the pair, relative to its first corner. Returns this corner and the size."""
    start = placed(frames, pair, corner(b.corners, triangle, 0))
    one = minus(placed(frames, pair, corner(b.corners, triangle, 1)), start)
    other = minus(placed(frames, pair, corner(b.corners, triangle, 2)), start)
    for k in range(3):
        room.piece.points[k, 0] = 0.0
    room.piece.points[0, 1], room.piece.points[1, 1], room.piece.points[2, 1] = one
    room.piece.points[0, 2], room.piece.points[1, 2], room.piece.points[2, 2] = other
    return start, sqrt(max(dot(one, one), dot(other, other)))


def edge_of(room: Room, which: int) -> Vector:
    """The edge from the first corner of the triangle to another one."""
    return room.piece.points[0, which], room.piece.points[1, which], room.piece.points[2, which]


def middle_of(start: Vector, room: Room) -> Vector:
    """The center of the triangle, given its first corner."""
    return plus(start, scaled(1.0 / 3.0, plus(edge_of(room, 1), edge_of(room, 2))))
