# SPDX-License-Identifier: GPL-3.0-or-later
"""Simultaneous traversal of two bounding box trees: which triangles of two meshes meet, and which are nearest.

The traversal goes depth first, into the larger of two boxes, and to the nearer child first. So it can stop at the first
two triangles that meet, and soon knows a good upper bound of a distance. Boxes are compared on the face normals of
both, without the cross products of their edges (van den Bergen, "Efficient collision detection of complex deformable
models using AABB trees", 1997). Boxes around few triangles are fitted to their mean normal, which makes them thin
(Gottschalk et al., "OBBTree", 1996).
"""

from math import inf, sqrt
from typing import NamedTuple

from .arrays import Floats1, Floats2, Floats3, Ints1, Ints2, Vector, floats1, floats2, ints2
from .loading import kernel
from .triangles import distance, meet
from .vectors import corner, cross, divided, dot, minus, moved, put

ALL_MEETING, FIRST_MEETING, NEAREST, FIRST_WITHIN = range(4)

# Number of undecided pairs of triangles after which the first that meet are no longer searched.
DOUBTS = 8

# Size of the stack of node pairs: at most one for each level of both trees, and the last two.
_DEPTH = 256
# Number of triangles below a node up to which a box is fitted. Boxes of larger nodes are along the axes of the mesh.
_FITTED = 64
# Squared lengths of normals within which they keep all digits.
_LEAST, _MOST = 1e-280, 1e280


class Tree(NamedTuple):
    """The bounding box trees of a batch of meshes, and the mesh in each pair.

    Attributes
    ----------
    span, leaf, corners : (nodes, 6) float64, (leaves,) int64, (triangles, 3, 3) float64
        As in `collision_kit.core.narrow_phase.mesh.operands.Trees`.
    rows : (P, 4) int64
        The first node, the first leaf, the first triangle and the number of leaves.
    fit : (nodes,) int64
        The row of the fitted box of each node, 0 if there is none yet. Written.
    box : (nodes + 1, 15) float64
        The fitted boxes: axes, center and half extents. The first row has their number. Written.
    """

    span: Floats2
    leaf: Ints1
    corners: Floats3
    rows: Ints2
    fit: Ints1
    box: Floats2


@kernel
def traverse(
    a: Tree,
    b: Tree,
    frames: Floats2,
    reach: Floats1,
    rounding: Floats1,
    question: int,
    begin: int,
    found: Ints2,
    values: Floats1,
) -> tuple[int, int]:
    """Find pairs of triangles, until the output is full.

    Parameters
    ----------
    a, b : Tree
    frames : (P, 12) float64
        For each pair, the transform from B to A's frame: a matrix, row by row, and a translation.
    reach : (P,) float64
        Less than `EMPTY`. Pairs of triangles that are farther apart are not returned.
    rounding : (P,) float64
        Rounding error of a distance.
    question : int
        `ALL_MEETING`: all pairs of triangles that meet, or may meet. `FIRST_MEETING`: for each pair of meshes, only the
        first two triangles that surely meet; if there are none, or not before these, the first `DOUBTS` that may meet.
        `NEAREST`: all that may be the nearest. `FIRST_WITHIN`: the first two that surely are within reach; if there are
        none, all that may be.
    begin : int
        The first pair of meshes.
    found : (K, 3) int64
        Written: the pair of meshes, ascending, and the triangles of A and of B.
    values : (K,) float64
        Written: 1.0 for triangles that surely meet, or are within reach, 0.0 for undecided ones. For `NEAREST`, a lower
        bound of their distance.

    Returns
    -------
    pair : int
        The first pair of meshes that did not fit into the output, or the number of pairs.
    count : int
        Number of rows of `found` that have been written for the pairs before.
    """
    count = 0
    stack, gaps = ints2(_DEPTH, 2), floats1(_DEPTH)
    p, q, sides, others = floats2(3, 3), floats2(3, 3), floats2(3, 3), floats2(3, 3)
    for pair in range(begin, len(frames)):
        first, top, best, slack = count, 1, reach[pair], rounding[pair]
        node_a, leaves_a, node_b, leaves_b = a.rows[pair, 0], a.rows[pair, 3], b.rows[pair, 0], b.rows[pair, 3]
        stack[0, 0], stack[0, 1], gaps[0] = 0, 0, 0.0
        limit = (best + slack) * (best + slack)
        while top > 0:
            top -= 1
            if gaps[top] > limit:
                continue
            i, j = stack[top, 0], stack[top, 1]
            if i + 1 >= leaves_a and j + 1 >= leaves_b:
                one = a.leaf[a.rows[pair, 1] + i + 1 - leaves_a]
                other = b.leaf[b.rows[pair, 1] + j + 1 - leaves_b]
                for n in range(3):
                    put(p, n, corner(a.corners, a.rows[pair, 2] + one, n))
                    put(q, n, placed(frames, pair, corner(b.corners, b.rows[pair, 2] + other, n)))
                if question in (NEAREST, FIRST_WITHIN):
                    square, doubt = distance(p, q, sides, others)
                    if square - doubt > limit:
                        continue
                    if question == NEAREST:
                        value = max(sqrt(max(square - doubt, 0.0)) - slack, 0.0)
                        best = min(best, sqrt(square))
                        limit = (best + slack) * (best + slack)
                    else:
                        value = 1.0 if sqrt(square) + slack <= best else 0.0
                else:
                    value = meet(p, q, sides, others, slack)
                    if value < 0.0:
                        continue
                if question in (FIRST_MEETING, FIRST_WITHIN) and value > 0.0:
                    count = first
                    top = 0
                if question == FIRST_MEETING and count + 1 == first + DOUBTS:
                    top = 0
                if count == len(found):
                    return pair, first
                found[count, 0], found[count, 1], found[count, 2], values[count] = pair, one, other, value
                count += 1
                continue
            i, j, k, m = children(a, node_a, i, leaves_a, b, node_b, j, leaves_b)
            fit(a, pair, i)
            fit(a, pair, k)
            fit(b, pair, j)
            fit(b, pair, m)
            near, far = gap(a.box, a.fit[node_a + i], b.box, b.fit[node_b + j], frames, pair)
            other_near, other_far = gap(a.box, a.fit[node_a + k], b.box, b.fit[node_b + m], frames, pair)
            if other_near < near or (other_near == near and other_far < far):
                i, j, k, m, near, other_near = k, m, i, j, other_near, near
            # The last one on the stack is the next.
            if other_near <= limit:
                stack[top, 0], stack[top, 1], gaps[top] = k, m, other_near
                top += 1
            if near <= limit:
                stack[top, 0], stack[top, 1], gaps[top] = i, j, near
                top += 1
        if question == NEAREST:
            count = still_nearest(found, values, first, count, best)
    return len(frames), count


def still_nearest(found: Ints2, values: Floats1, first: int, last: int, best: float) -> int:
    """Keep those of the rows from the first on whose lower bound is not above the distance, which was lowered since.

    Returns the end of those that are kept.
    """
    count = first
    for at in range(first, last):
        if values[at] <= best:
            for n in range(3):
                found[count, n] = found[at, n]
            values[count] = values[at]
            count += 1
    return count


def _turned(frames: Floats2, pair: int, v: Vector) -> Vector:
    """Transform a vector of B to A's frame."""
    return (
        frames[pair, 0] * v[0] + frames[pair, 1] * v[1] + frames[pair, 2] * v[2],
        frames[pair, 3] * v[0] + frames[pair, 4] * v[1] + frames[pair, 5] * v[2],
        frames[pair, 6] * v[0] + frames[pair, 7] * v[1] + frames[pair, 8] * v[2],
    )


def placed(frames: Floats2, pair: int, point: Vector) -> Vector:
    """Transform a point of B to A's frame."""
    return (
        frames[pair, 0] * point[0] + frames[pair, 1] * point[1] + frames[pair, 2] * point[2] + frames[pair, 9],
        frames[pair, 3] * point[0] + frames[pair, 4] * point[1] + frames[pair, 5] * point[2] + frames[pair, 10],
        frames[pair, 6] * point[0] + frames[pair, 7] * point[1] + frames[pair, 8] * point[2] + frames[pair, 11],
    )


def children(
    a: Tree, node_a: int, i: int, leaves_a: int, b: Tree, node_b: int, j: int, leaves_b: int
) -> tuple[int, int, int, int]:
    """Split the larger of two boxes, or the one that is not a leaf: two pairs of nodes (i, j) and (k, m)."""
    if j + 1 >= leaves_b or (i + 1 < leaves_a and _size(a.span, node_a + i) <= _size(b.span, node_b + j)):
        return 2 * i + 1, j, 2 * i + 2, j
    return i, 2 * j + 1, i, 2 * j + 2


def _size(span: Floats2, at: int) -> float:
    """The negated sum of the edges of a box: the sum of the lower bounds and of the negated upper bounds."""
    return span[at, 0] + span[at, 1] + span[at, 2] + span[at, 3] + span[at, 4] + span[at, 5]


def gap(box_a: Floats2, i: int, box_b: Floats2, j: int, frames: Floats2, pair: int) -> tuple[float, float]:
    """Lower bound of the squared distance of two fitted boxes, and the squared distance of their centers."""
    center = _turned(frames, pair, (box_b[j, 9], box_b[j, 10], box_b[j, 11]))
    shift = (
        center[0] + frames[pair, 9] - box_a[i, 9],
        center[1] + frames[pair, 10] - box_a[i, 10],
        center[2] + frames[pair, 11] - box_a[i, 11],
    )
    u = _turned(frames, pair, (box_b[j, 0], box_b[j, 1], box_b[j, 2]))
    v = _turned(frames, pair, (box_b[j, 3], box_b[j, 4], box_b[j, 5]))
    w = _turned(frames, pair, (box_b[j, 6], box_b[j, 7], box_b[j, 8]))
    # Along the axes of B's box, the distance of the centers, less both half extents; and the same along those of A's.
    ahead_u = abs(dot(u, shift)) - box_b[j, 12]
    ahead_v = abs(dot(v, shift)) - box_b[j, 13]
    ahead_w = abs(dot(w, shift)) - box_b[j, 14]
    square = 0.0
    for k in range(3):
        axis, half = (box_a[i, 3 * k], box_a[i, 3 * k + 1], box_a[i, 3 * k + 2]), box_a[i, 12 + k]
        on_u, on_v, on_w = abs(dot(axis, u)), abs(dot(axis, v)), abs(dot(axis, w))
        ahead_u, ahead_v, ahead_w = ahead_u - on_u * half, ahead_v - on_v * half, ahead_w - on_w * half
        ahead = abs(dot(axis, shift)) - half - on_u * box_b[j, 12] - on_v * box_b[j, 13] - on_w * box_b[j, 14]
        square += _squared(ahead)
    return max(square, _squared(ahead_u) + _squared(ahead_v) + _squared(ahead_w)), dot(shift, shift)


def _squared(gap: float) -> float:
    """The square of a gap. Zero if there is no gap."""
    return gap * gap if gap > 0.0 else 0.0


def fit(tree: Tree, pair: int, node: int) -> None:
    """Fit a box to the triangles below a node when it is first visited: axes, center and half extents.

    The third axis is the mean normal of the triangles, weighted by area. So a box around a smooth surface is thin.
    """
    at = tree.rows[pair, 0] + node
    if tree.fit[at] != 0:
        return
    place, start, leaves = tree.rows[pair, 1], tree.rows[pair, 2], tree.rows[pair, 3]
    wide, last = 1, node + 1
    while last < leaves:
        wide, last = 2 * wide, 2 * last
    place += last - leaves
    end = place + wide
    # Row 0 counts the boxes, so that boxes that are used together are close together in memory.
    tree.box[0, 0] += 1.0
    to = int(tree.box[0, 0])
    tree.fit[at] = to
    for k in range(12):
        tree.box[to, k] = 0.0
    if wide > _FITTED or tree.leaf[place] < 0:
        for k in range(3):
            tree.box[to, 4 * k] = 1.0
            tree.box[to, 9 + k] = 0.5 * (tree.span[at, k] - tree.span[at, 3 + k])
            tree.box[to, 12 + k] = -0.5 * (tree.span[at, k] + tree.span[at, 3 + k])
        return
    total = (0.0, 0.0, 0.0)
    for n in range(place, end):
        if tree.leaf[n] < 0:
            continue
        first = corner(tree.corners, start + tree.leaf[n], 0)
        one = minus(corner(tree.corners, start + tree.leaf[n], 1), first)
        total = moved(total, cross(one, minus(corner(tree.corners, start + tree.leaf[n], 2), first)), 1.0)
    square, normal = dot(total, total), (0.0, 0.0, 1.0)
    if square > _LEAST and square < _MOST:
        normal = divided(total, sqrt(square))
    # The first axis is perpendicular to the normal, and to the second or the first coordinate axis.
    x, y, z = normal
    u = (z, 0.0, -x) if abs(x) > abs(y) else (0.0, z, -y)
    u = divided(u, sqrt(dot(u, u)))
    v = cross(normal, u)
    for k in range(3):
        axis = u if k == 0 else v if k == 1 else normal
        tree.box[to, 3 * k], tree.box[to, 3 * k + 1], tree.box[to, 3 * k + 2] = axis
        low, high = inf, -inf
        for n in range(place, end):
            if tree.leaf[n] < 0:
                continue
            for which in range(3):
                height = dot(axis, corner(tree.corners, start + tree.leaf[n], which))
                low, high = min(low, height), max(high, height)
        middle = 0.5 * (low + high)
        tree.box[to, 9] += middle * axis[0]
        tree.box[to, 10] += middle * axis[1]
        tree.box[to, 11] += middle * axis[2]
        tree.box[to, 12 + k] = 0.5 * (high - low)
