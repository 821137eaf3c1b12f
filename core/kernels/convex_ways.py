# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances that a mesh has to move along a direction until no triangle of it penetrates a convex shape.

As in `ways`: all triangles that penetrate the shape now continue to do so until the mesh has moved by the longest of
their separating translations. No translation is longer than from the lowest point of a triangle along the direction to
the highest point of the shape. So triangles are visited from the lowest, and the others are left out as soon as this
difference shows that they are no longer than the longest that is known.

The translation of one triangle is found from the free side. The planes between it and the shape, at a position where
they are separated, give a lower bound of how far it can move back. The gap is convex along the direction. So this is
Newton's method, which takes about three steps.
"""

from math import inf

from ..numerics.tolerances import CURVED_DISTANCE
from .apart import gap_along
from .arrays import Bools1, Floats1, Floats2, Ints1, Vector, floats1, floats2, ints1
from .closest import closest_points
from .convex_pairs import is_deeper, off_axes
from .convex_trees import Convex, Room, edge_of, middle_of, put_piece
from .gjk import APART
from .loading import kernel
from .supports import Shape, shifted, support
from .trees import Tree, fit, gap
from .vectors import dot, minus, plus, row, scaled

# Size of the stack of nodes: at most one for each level, and the last two.
_DEPTH = 128
# Maximum number of steps of one direction. Any of them gives a valid distance.
_STEPS = 512
# Maximum number of Newton steps towards the end of a separating translation.
_NEWTON = 12
# Dimensionless: relative difference of the bounds of a gap that need not be the exact distance.
_GAP = 1e-6
# Dimensionless: how far a triangle is moved aside where symmetry leaves a pair undecided, as a share of its size.
_ASIDE, _LEAST_ASIDE, _NEXT_ASIDE = 1e-3, 1e-10, 1e-3


@kernel
def advance(
    a: Convex,
    b: Tree,
    frames: Floats2,
    room: Room,
    rows: Ints1,
    along: Floats2,
    limits: Floats2,
    limit: Floats1,
    way: Floats1,
    done: Bools1,
) -> None:
    """Move B along directions until no triangle penetrates, or until another direction of the pair is shorter.

    Parameters
    ----------
    a : Convex
    b : Tree
    frames : (P, 12) float64
        For each pair, the transform from B to the frame of the pair: a matrix, row by row, and a translation.
    room : Room
    rows : (R,) int64
        The pair of each direction.
    along : (R, 3) float64
        Unit directions in the frame of the pair.
    limits, limit, way, done
        As for `ways.advance`.
    """
    nodes, lows, frame = ints1(_DEPTH), floats1(_DEPTH), floats2(1, 12)
    for at in range(len(rows)):
        pair, direction = rows[at], row(along, at)
        slack, level = limits[pair, 0], limits[pair, 1]
        shape = Shape(a.side, a.rows[pair], row(a.places, pair))
        top = dot(support(shape, direction), direction) + a.side.extents[shape.at, 1]
        done[at] = False
        for k in range(12):
            frame[0, k] = frames[pair, k]
        for _ in range(_STEPS):
            if way[at] >= limit[pair]:
                break
            for k in range(3):
                frame[0, 9 + k] = frames[pair, 9 + k] + way[at] * along[at, k]
            most = limit[pair] - way[at]
            ahead = _ahead(a, b, pair, frame, direction, top, slack, level, most, room, nodes, lows)
            if ahead <= slack:
                done[at], limit[pair] = True, way[at]
                break
            way[at] += ahead


def _ahead(
    a: Convex,
    b: Tree,
    pair: int,
    frame: Floats2,
    direction: Vector,
    top: float,
    slack: float,
    level: float,
    enough: float,
    room: Room,
    nodes: Ints1,
    lows: Floats1,
) -> float:
    """Return how far B has to move at least until triangles that penetrate now no longer do.

    The height of the shape along the direction is `top`. A distance of at least `enough` need not be the longest.
    """
    root, leaf, first, leaves = b.rows[pair, 0], b.rows[pair, 1], b.rows[pair, 2], b.rows[pair, 3]
    longest, count = slack, 1
    fit(b, pair, 0)
    nodes[0], lows[0] = 0, _lowest(b.box, b.fit[root], frame, direction)
    while count > 0 and longest < enough:
        count -= 1
        node = nodes[count]
        if top - lows[count] <= longest:
            continue
        if node + 1 >= leaves:
            triangle = b.leaf[leaf + node + 1 - leaves]
            if triangle >= 0:
                longest = max(
                    longest,
                    _way(a, pair, b, first + triangle, frame, direction, top, slack, level, longest, room),
                )
            continue
        one, other = 2 * node + 1, 2 * node + 2
        fit(b, pair, one)
        fit(b, pair, other)
        low = _lowest(b.box, b.fit[root + one], frame, direction)
        high = _lowest(b.box, b.fit[root + other], frame, direction)
        if high < low:
            one, other, low, high = other, one, high, low
        # The last one on the stack is the next. Boxes that only touch have no triangles that penetrate.
        if top - high > longest and _is_near(a.boxes, pair, b.box, b.fit[root + other], frame):
            nodes[count], lows[count] = other, high
            count += 1
        if top - low > longest and _is_near(a.boxes, pair, b.box, b.fit[root + one], frame):
            nodes[count], lows[count] = one, low
            count += 1
    return longest


def _is_near(box_a: Floats2, i: int, box_b: Floats2, j: int, frame: Floats2) -> bool:
    """Whether two boxes may overlap."""
    square, _ = gap(box_a, i, box_b, j, frame, 0)
    return square <= 0.0


def _lowest(box: Floats2, at: int, frame: Floats2, direction: Vector) -> float:
    """The least height of a fitted box of B along a direction."""
    back = (
        frame[0, 0] * direction[0] + frame[0, 3] * direction[1] + frame[0, 6] * direction[2],
        frame[0, 1] * direction[0] + frame[0, 4] * direction[1] + frame[0, 7] * direction[2],
        frame[0, 2] * direction[0] + frame[0, 5] * direction[1] + frame[0, 8] * direction[2],
    )
    height = dot(back, (box[at, 9], box[at, 10], box[at, 11]))
    height += dot(direction, (frame[0, 9], frame[0, 10], frame[0, 11]))
    for k in range(3):
        height -= abs(dot(back, (box[at, 3 * k], box[at, 3 * k + 1], box[at, 3 * k + 2]))) * box[at, 12 + k]
    return height


def _way(
    a: Convex,
    pair: int,
    b: Tree,
    triangle: int,
    frame: Floats2,
    direction: Vector,
    top: float,
    slack: float,
    level: float,
    longest: float,
    room: Room,
) -> float:
    """Return how far a triangle has to move to be free. Zero if it only touches, or if it is at most `longest`."""
    start, reach = put_piece(b, triangle, frame, 0, room)
    low = dot(start, direction) + min(min(dot(edge_of(room, 1), direction), dot(edge_of(room, 2), direction)), 0.0)
    if top - low <= longest:
        return 0.0
    shape, piece = Shape(a.side, a.rows[pair], row(a.places, pair)), Shape(room.piece, 0, start)
    size, radius = a.side.extents[shape.at, 0] + reach, a.side.extents[shape.at, 1]
    begin = minus(plus(shape.place, row(a.side.centers, shape.at)), middle_of(start, room))
    if not _is_deep(shape, piece, begin, size, reach, slack, level - radius, a.curved, room):
        return 0.0
    # From the free side: the separating planes give a lower bound of how far the triangle can move back.
    way = top - low
    for _ in range(_NEWTON):
        shift = scaled(way, direction)
        there = shifted(piece, shift)
        state, _, _, normal, _, _, _, _, _ = closest_points(
            shape, there, room.work, minus(begin, shift), size, inf, _GAP, False
        )
        if state != APART:
            break
        apart = gap_along(shape, there, normal) - radius
        slope = dot(normal, direction)
        if apart <= slack or slope <= 0.0:
            break
        way -= apart / slope
        if way <= longest:
            return 0.0
    return way


def _is_deep(
    a: Shape,
    b: Shape,
    begin: Vector,
    size: float,
    reach: float,
    slack: float,
    level: float,
    curved: bool,
    room: Room,
) -> bool:
    """Whether a triangle is deeper in a shape than a level, that of the core. The triangle extends as far as `reach`.

    Of a shape and a triangle with a common plane of symmetry, the simplex may have the origin on a face. That is not
    so if the triangle is moved a little, which changes the depth by no more than the way.
    """
    tolerance, aside, share = CURVED_DISTANCE if curved else 0.0, 0.0, _ASIDE
    while True:
        shift = off_axes(aside)
        there, ahead = shifted(b, shift), minus(begin, shift)
        deep, proved = is_deeper(
            a, there, ahead, size, slack, level + aside, tolerance, not curved, room.polytope, room.work
        )
        if aside == 0.0 and proved:
            return deep
        if deep and proved:
            return True
        if share < _LEAST_ASIDE:
            return False
        aside, share = share * reach, share * _NEXT_ASIDE
