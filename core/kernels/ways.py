# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances that a mesh has to move along a direction until no triangle of it penetrates one of another mesh.

All pairs of triangles that penetrate each other now continue to do so until the mesh has moved by the longest of their
separating translations. So it is moved by this, repeatedly, until there are none. The translation of one pair of
triangles is the greatest difference of their heights along the direction over the intersection of their projections.
The greatest is at a corner of one triangle over the other, or where two edges cross.
"""

from math import inf, sqrt

from .arrays import Bools1, Floats1, Floats2, Ints1, Ints2, Vector, floats2, ints2
from .loading import kernel
from .trees import Tree, children, fit, gap, placed
from .triangles import beyond
from .vectors import corner, cross, dot, minus, perpendicular, put, row

# Size of the stack of node pairs: at most one for each level of both trees, and the last two.
_DEPTH = 256
# Maximum number of steps of one direction, and of pairs of triangles in one step before the last. Any of them gives a
# step.
_STEPS, _ENOUGH = 512, 48


@kernel
def advance(
    a: Tree,
    b: Tree,
    frames: Floats2,
    rows: Ints1,
    along: Floats2,
    limits: Floats2,
    limit: Floats1,
    way: Floats1,
    done: Bools1,
) -> None:
    """Move B along directions until no triangles penetrate, or until another direction of the pair is shorter.

    Parameters
    ----------
    a, b : Tree
    frames : (P, 12) float64
        For each pair, the transform from B to A's frame: a matrix, row by row, and a translation.
    rows : (R,) int64
        The pair of each direction.
    along : (R, 3) float64
        Unit directions in A's frame.
    limits : (P, 2) float64
        Rounding error of a length, and the depth up to which triangles only touch.
    limit : (P,) float64
        Longer translations are not needed. Lowered to the shortest finished one.
    way : (R,) float64
        How far B has been moved at the start. The new value is written.
    done : (R,) bool
        Written: whether no triangles penetrate.
    """
    stack, frame = ints2(_DEPTH, 2), floats2(1, 12)
    p, q, sides, others = floats2(3, 3), floats2(3, 3), floats2(3, 3), floats2(3, 3)
    flat_p, flat_q = floats2(3, 3), floats2(3, 3)
    for at in range(len(rows)):
        pair, direction = rows[at], row(along, at)
        slack, level = limits[pair, 0], limits[pair, 1]
        done[at] = False
        for k in range(12):
            frame[0, k] = frames[pair, k]
        for _ in range(_STEPS):
            if way[at] >= limit[pair]:
                break
            for k in range(3):
                frame[0, 9 + k] = frames[pair, 9 + k] + way[at] * along[at, k]
            ahead = _ahead(a, b, pair, frame, direction, slack, level, stack, p, q, sides, others, flat_p, flat_q)
            if ahead <= slack:
                done[at], limit[pair] = True, way[at]
                break
            way[at] += ahead


def _ahead(
    a: Tree,
    b: Tree,
    pair: int,
    frame: Floats2,
    direction: Vector,
    slack: float,
    level: float,
    stack: Ints2,
    p: Floats2,
    q: Floats2,
    sides: Floats2,
    others: Floats2,
    flat_p: Floats2,
    flat_q: Floats2,
) -> float:
    """Return how far B has to move at least until triangles that penetrate now no longer do."""
    node_a, leaves_a, node_b, leaves_b = a.rows[pair, 0], a.rows[pair, 3], b.rows[pair, 0], b.rows[pair, 3]
    most, found, top = 0.0, 0, 1
    stack[0, 0], stack[0, 1] = 0, 0
    while top > 0 and found < _ENOUGH:
        top -= 1
        i, j = stack[top, 0], stack[top, 1]
        if i + 1 >= leaves_a and j + 1 >= leaves_b:
            one = a.leaf[a.rows[pair, 1] + i + 1 - leaves_a]
            other = b.leaf[b.rows[pair, 1] + j + 1 - leaves_b]
            for n in range(3):
                put(p, n, corner(a.corners, a.rows[pair, 2] + one, n))
                put(q, n, placed(frame, 0, corner(b.corners, b.rows[pair, 2] + other, n)))
            if beyond(p, q, sides, others, level) > 0.0:
                way = along_direction(p, q, direction, slack, flat_p, flat_q)
                if way > slack:
                    most = max(most, way)
                    found += 1
            continue
        i, j, k, m = children(a, node_a, i, leaves_a, b, node_b, j, leaves_b)
        fit(a, pair, i)
        fit(a, pair, k)
        fit(b, pair, j)
        fit(b, pair, m)
        near, far = gap(a.box, a.fit[node_a + i], b.box, b.fit[node_b + j], frame, 0)
        other_near, other_far = gap(a.box, a.fit[node_a + k], b.box, b.fit[node_b + m], frame, 0)
        if other_far < far:
            i, j, k, m, near, other_near = k, m, i, j, other_near, near
        # Boxes that only touch have no triangles that penetrate.
        if other_near <= 0.0:
            stack[top, 0], stack[top, 1] = k, m
            top += 1
        if near <= 0.0:
            stack[top, 0], stack[top, 1] = i, j
            top += 1
    return most


def along_direction(p: Floats2, q: Floats2, direction: Vector, slack: float, flat_p: Floats2, flat_q: Floats2) -> float:
    """Return the least distance that triangle Q, which meets P, has to move along a unit direction to be separate.

    Lengths up to the slack cannot be distinguished from zero. `flat_p` and `flat_q` are room.
    """
    side = perpendicular(direction)
    up, origin = cross(direction, side), row(p, 0)
    for n in range(3):
        one, other = minus(row(p, n), origin), minus(row(q, n), origin)
        put(flat_p, n, (dot(one, side), dot(one, up), dot(one, direction)))
        put(flat_q, n, (dot(other, side), dot(other, up), dot(other, direction)))
    most = max(_over(flat_p, flat_q, slack, 1.0), _over(flat_q, flat_p, slack, -1.0))
    for i in range(3):
        start, end = row(flat_p, i), row(flat_p, (i + 1) % 3)
        x, y, z = minus(end, start)
        size = sqrt(x * x + y * y)
        for j in range(3):
            tail, head = row(flat_q, j), row(flat_q, (j + 1) % 3)
            u, v, w = minus(head, tail)
            give = slack * max(size, sqrt(u * u + v * v))
            turn = x * v - y * u
            if abs(turn) <= 4.0 * give:
                continue
            across, aside, _ = minus(tail, start)
            s, t, room = (across * v - aside * u) / turn, (across * y - aside * x) / turn, give / abs(turn)
            if s < -room or s > 1.0 + room or t < -room or t > 1.0 + room:
                continue
            s, t = min(max(s, 0.0), 1.0), min(max(t, 0.0), 1.0)
            most = max(most, start[2] + s * z - (tail[2] + t * w))
    return max(most, 0.0)


def _over(face: Floats2, corners: Floats2, slack: float, sign: float) -> float:
    """The greatest height of a triangle over corners of another, or the reverse. -inf if none are over each other.

    Both are given by two coordinates and a height. Corners within the slack of an edge are over it. If an edge is
    parallel to the direction of heights, the height of its higher end is used.
    """
    one, two, three = row(face, 0), row(face, 1), row(face, 2)
    area = (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0])
    most, size = -inf, 0.0
    for n in range(3):
        x, y, _ = minus(row(face, (n + 1) % 3), row(face, n))
        size = max(size, sqrt(x * x + y * y))
    for n in range(3):
        point = row(corners, n)
        if abs(area) > 4.0 * slack * size:
            within, height = True, 0.0
            for k in range(3):
                start = row(face, k)
                x, y, _ = minus(row(face, (k + 1) % 3), start)
                part = x * (point[1] - start[1]) - y * (point[0] - start[0])
                part = part if area > 0.0 else -part
                within = within and part >= -slack * sqrt(x * x + y * y)
                height += part / abs(area) * face[(k + 2) % 3, 2]
            if within:
                low, high = min(min(one[2], two[2]), three[2]), max(max(one[2], two[2]), three[2])
                most = max(most, sign * (min(max(height, low), high) - point[2]))
        for k in range(3):
            start = row(face, k)
            x, y, z = minus(row(face, (k + 1) % 3), start)
            across, aside, square = point[0] - start[0], point[1] - start[1], x * x + y * y
            share, rise = 0.0, max(z, 0.0) if sign > 0.0 else min(z, 0.0)
            if sqrt(square) > 4.0 * slack:
                share = min(max((across * x + aside * y) / square, 0.0), 1.0)
                rise = share * z
            across, aside = across - share * x, aside - share * y
            if across * across + aside * aside <= 16.0 * slack * slack:
                most = max(most, sign * (start[2] + rise - point[2]))
    return most
