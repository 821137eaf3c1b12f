# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiled walks of two bounding box trees: which triangles of two meshes meet, and which are the nearest.

A walk goes depth first, into the larger of two boxes, and to the nearer child first. So it can stop at the first two
triangles that meet, and soon knows a good upper bound of a distance. Boxes are compared on the face normals of both,
without the cross products of their edges (van den Bergen, "Efficient collision detection of complex deformable models
using AABB trees", 1997). Boxes around few triangles are fitted to their mean normal, which makes them thin (Gottschalk
et al., "OBBTree", 1996). Triangles meet by the eleven axes of Ericson, "Real-Time Collision Detection", 2005, 5.2.10,
and are as far apart as their nearest edges, or as a corner over a face. Nothing here decides a case within rounding.

A tree is a tuple of six arrays: `span`, `leaf` and `corners` of `operands.Trees`; for each row the first node, the
first leaf, the first triangle and the number of leaves, (N, 4); and the fitted boxes: the row of each node, 0 if there
is none yet, and the rows (nodes + 1, 15), of which the first has their number. Frames (P, 12) bring B to A's frame: a
matrix, row by row, and a translation.
"""

import numpy as np
from numba import njit

from ..numerics.tolerances import AXIS_DOUBT, EPS, NEAR_PARALLEL, PARALLEL
from ..numerics.types import Floats, Ints

Tree = tuple[Floats, Ints, Floats, Ints, Ints, Floats]

ALL_MEETING, FIRST_MEETING, NEAREST = range(3)

_compiled = njit(cache=True, error_model="numpy")

# Node pairs that wait: at most one for each level of both trees, and the last two.
_DEPTH = 256
# Triangles below a node for which a box is fitted. Those of larger nodes are along the axes of the mesh.
_FITTED = 64
# Rounding of the squared distance of nearly parallel edges, as a share of the square of the longest.
_PARALLEL_EDGES = 4.0 * EPS


@_compiled
def traverse(a: Tree, b: Tree, frames: Floats, reach: Floats, rounding: Floats, question: int) -> tuple[Ints, Floats]:
    """Find pairs of triangles.

    Parameters
    ----------
    a, b : trees
    frames : (P, 12) float64
    reach : (P,) float64
        Less than `EMPTY`. Pairs of triangles that are farther apart are not returned.
    rounding : (P,) float64
        Rounding of a distance.
    question : int
        `ALL_MEETING`: all pairs of triangles that meet, or may meet. `FIRST_MEETING`: of each pair of meshes, only the
        first two triangles that surely meet, if there are any. `NEAREST`: all that may be the nearest.

    Returns
    -------
    found : (K, 3) int64
        The pair of meshes, ascending, and the triangles of A and of B.
    value : (K,) float64
        1.0 for triangles that surely meet, 0.0 for those in doubt. For `NEAREST`, a lower bound of their distance.
    """
    span_a, leaf_a, corners_a, rows_a, fit_a, box_a = a
    span_b, leaf_b, corners_b, rows_b, fit_b, box_b = b
    found, values, count = np.empty((64, 3), np.int64), np.empty(64), 0
    stack, gaps, (p, q, sides, others) = np.empty((_DEPTH, 2), np.int64), np.empty(_DEPTH), np.empty((4, 3, 3))
    for pair in range(len(frames)):
        frame, begin, top, best, slack = frames[pair], count, 1, reach[pair], rounding[pair]
        node_a, place_a, triangle_a, leaves_a = rows_a[pair]
        node_b, place_b, triangle_b, leaves_b = rows_b[pair]
        stack[0, 0], stack[0, 1], gaps[0] = 0, 0, 0.0
        limit = (best + slack) * (best + slack)
        while top > 0:
            top -= 1
            if gaps[top] > limit:
                continue
            i, j = stack[top]
            if i + 1 >= leaves_a and j + 1 >= leaves_b:
                one, other = leaf_a[place_a + i + 1 - leaves_a], leaf_b[place_b + j + 1 - leaves_b]
                _place(corners_a, triangle_a + one, corners_b, triangle_b + other, frame, p, q)
                if question == NEAREST:
                    square, doubt = _distance(p, q, sides, others)
                    if square - doubt > limit:
                        continue
                    value = max(np.sqrt(max(square - doubt, 0.0)) - slack, 0.0)
                    best = min(best, np.sqrt(square))
                    limit = (best + slack) * (best + slack)
                else:
                    value = _meet(p, q, sides, others, slack)
                    if value < 0.0:
                        continue
                    if question == FIRST_MEETING and value > 0.0:
                        count = begin
                        top = 0
                if count == len(found):
                    found, values = _grown(found), _grown(values)
                found[count, 0], found[count, 1], found[count, 2], values[count] = pair, one, other, value
                count += 1
                continue
            i, j, k, m = _children(span_a, node_a, i, leaves_a, span_b, node_b, j, leaves_b)
            for node in (i, k):
                if fit_a[node_a + node] == 0:
                    _fit(a, pair, node)
            for node in (j, m):
                if fit_b[node_b + node] == 0:
                    _fit(b, pair, node)
            gap, far = _gap(box_a, fit_a[node_a + i], box_b, fit_b[node_b + j], frame)
            other_gap, other_far = _gap(box_a, fit_a[node_a + k], box_b, fit_b[node_b + m], frame)
            if other_gap < gap or (other_gap == gap and other_far < far):
                i, j, k, m, gap, other_gap = k, m, i, j, other_gap, gap
            # What is put on the stack last is the next.
            if other_gap <= limit:
                stack[top, 0], stack[top, 1], gaps[top] = k, m, other_gap
                top += 1
            if gap <= limit:
                stack[top, 0], stack[top, 1], gaps[top] = i, j, gap
                top += 1
        if question == NEAREST:
            # The least distance has been lowered since some of them were found.
            last, count = count, begin
            for row in range(begin, last):
                if values[row] <= best:
                    found[count], values[count] = found[row], values[row]
                    count += 1
    return found[:count], values[:count]


@_compiled
def _grown(rows: np.ndarray) -> np.ndarray:
    """An array with the same rows and room for as many again."""
    return np.concatenate((rows, np.empty_like(rows)))


@_compiled
def _place(corners_a: Floats, one: int, corners_b: Floats, other: int, frame: Floats, p: Floats, q: Floats) -> None:
    """Copy the corners of a triangle of A, and bring those of a triangle of B to A's frame."""
    for n in range(3):
        x, y, z = corners_b[other, n, 0], corners_b[other, n, 1], corners_b[other, n, 2]
        for k in range(3):
            p[n, k] = corners_a[one, n, k]
            q[n, k] = frame[3 * k] * x + frame[3 * k + 1] * y + frame[3 * k + 2] * z + frame[9 + k]


@_compiled
def _children(
    span_a: Floats, node_a: int, i: int, leaves_a: int, span_b: Floats, node_b: int, j: int, leaves_b: int
) -> tuple[int, int, int, int]:
    """Split the larger of two boxes, or the one that is not a leaf: two pairs of nodes (i, j) and (k, m)."""
    at, to = node_a + i, node_b + j
    # Half extents are half of the negated sum of the lower bound and the negated upper bound.
    size_a = span_a[at, 0] + span_a[at, 1] + span_a[at, 2] + span_a[at, 3] + span_a[at, 4] + span_a[at, 5]
    size_b = span_b[to, 0] + span_b[to, 1] + span_b[to, 2] + span_b[to, 3] + span_b[to, 4] + span_b[to, 5]
    if j + 1 >= leaves_b or (i + 1 < leaves_a and size_a <= size_b):
        return 2 * i + 1, j, 2 * i + 2, j
    return i, 2 * j + 1, i, 2 * j + 2


@_compiled
def _gap(box_a: Floats, i: int, box_b: Floats, j: int, frame: Floats) -> tuple[float, float]:
    """Lower bound of the squared distance of two fitted boxes, and the squared distance of their centers."""
    x, y, z = _turned(frame, box_b[j, 9], box_b[j, 10], box_b[j, 11])
    x, y, z = x + frame[9] - box_a[i, 9], y + frame[10] - box_a[i, 10], z + frame[11] - box_a[i, 11]
    square = x * x + y * y + z * z
    ux, uy, uz = _turned(frame, box_b[j, 0], box_b[j, 1], box_b[j, 2])
    vx, vy, vz = _turned(frame, box_b[j, 3], box_b[j, 4], box_b[j, 5])
    wx, wy, wz = _turned(frame, box_b[j, 6], box_b[j, 7], box_b[j, 8])
    # Along the axes of B's box, the distance of the centers, less both half extents; and the same along those of A's.
    ahead_u = abs(ux * x + uy * y + uz * z) - box_b[j, 12]
    ahead_v = abs(vx * x + vy * y + vz * z) - box_b[j, 13]
    ahead_w = abs(wx * x + wy * y + wz * z) - box_b[j, 14]
    gap = 0.0
    for k in range(3):
        ax, ay, az, half = box_a[i, 3 * k], box_a[i, 3 * k + 1], box_a[i, 3 * k + 2], box_a[i, 12 + k]
        u, v, w = abs(ax * ux + ay * uy + az * uz), abs(ax * vx + ay * vy + az * vz), abs(ax * wx + ay * wy + az * wz)
        ahead_u, ahead_v, ahead_w = ahead_u - u * half, ahead_v - v * half, ahead_w - w * half
        ahead = abs(ax * x + ay * y + az * z) - half - u * box_b[j, 12] - v * box_b[j, 13] - w * box_b[j, 14]
        gap += max(ahead, 0.0) ** 2
    return max(gap, max(ahead_u, 0.0) ** 2 + max(ahead_v, 0.0) ** 2 + max(ahead_w, 0.0) ** 2), square


@_compiled
def _turned(frame: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    return (
        frame[0] * x + frame[1] * y + frame[2] * z,
        frame[3] * x + frame[4] * y + frame[5] * z,
        frame[6] * x + frame[7] * y + frame[8] * z,
    )


@_compiled
def _fit(tree: Tree, pair: int, node: int) -> None:
    """Fit a box to the triangles below a node when it is first visited: axes, center and half extents.

    The third axis is the mean normal of the triangles, weighted by area. So a box around a smooth surface is thin.
    """
    span, leaf, corners, rows, fit, box = tree
    at, place, start, leaves = rows[pair, 0] + node, rows[pair, 1], rows[pair, 2], rows[pair, 3]
    wide, last = 1, node + 1
    while last < leaves:
        wide, last = 2 * wide, 2 * last
    place += last - leaves
    end = place + wide
    # Row 0 counts the boxes. So boxes that are used together are close together in memory.
    box[0, 0] += 1.0
    fit[at] = to = int(box[0, 0])
    box[to, :12] = 0.0
    if wide > _FITTED or leaf[place] < 0:
        for k in range(3):
            box[to, 4 * k] = 1.0
            box[to, 9 + k] = 0.5 * (span[at, k] - span[at, 3 + k])
            box[to, 12 + k] = -0.5 * (span[at, k] + span[at, 3 + k])
        return
    x, y, z = 0.0, 0.0, 0.0
    for n in range(place, end):
        if leaf[n] < 0:
            continue
        first, second, third = corners[start + leaf[n]]
        nx, ny, nz = _cross(
            second[0] - first[0], second[1] - first[1], second[2] - first[2],
            third[0] - first[0], third[1] - first[1], third[2] - first[2],
        )  # fmt: skip
        x, y, z = x + nx, y + ny, z + nz
    size = np.hypot(np.hypot(x, y), z)
    x, y, z = (x / size, y / size, z / size) if size > 0.0 else (0.0, 0.0, 1.0)
    # The first axis is at right angles to the normal, and to the second or the first coordinate axis.
    size = np.hypot(x, z) if abs(x) > abs(y) else np.hypot(y, z)
    ux, uy, uz = (z / size, 0.0, -x / size) if abs(x) > abs(y) else (0.0, z / size, -y / size)
    vx, vy, vz = _cross(x, y, z, ux, uy, uz)
    box[to, :9] = ux, uy, uz, vx, vy, vz, x, y, z
    for k in range(3):
        x, y, z, low, high = box[to, 3 * k], box[to, 3 * k + 1], box[to, 3 * k + 2], np.inf, -np.inf
        for n in range(place, end):
            if leaf[n] < 0:
                continue
            for corner in corners[start + leaf[n]]:
                height = x * corner[0] + y * corner[1] + z * corner[2]
                low, high = min(low, height), max(high, height)
        middle = 0.5 * (low + high)
        for n in range(3):
            box[to, 9 + n] += middle * box[to, 3 * k + n]
        box[to, 12 + k] = 0.5 * (high - low)


@_compiled
def _sides(corners: Floats, sides: Floats) -> float:
    """Compute the sides of a triangle. Returns the square of the longest."""
    longest = 0.0
    for n in range(3):
        for k in range(3):
            sides[n, k] = corners[(n + 1) % 3, k] - corners[n, k]
        longest = max(longest, sides[n, 0] ** 2 + sides[n, 1] ** 2 + sides[n, 2] ** 2)
    return longest


@_compiled
def _meet(p: Floats, q: Floats, sides: Floats, others: Floats, rounding: float) -> float:
    """1 if two triangles surely meet, -1 if they surely do not, and 0 within rounding; see `triangle_triangle`."""
    doubt = AXIS_DOUBT * (np.sqrt(_sides(p, sides)) + np.sqrt(_sides(q, others))) + rounding
    # Each axis must show an overlap, and no axis may have lost too many digits.
    sure, axes = True, 0
    for n in range(2):
        one, other, u = (p, q, sides) if n == 0 else (q, p, others)
        x, y, z = _cross(u[0, 0], u[0, 1], u[0, 2], u[1, 0], u[1, 1], u[1, 2])
        square, scale = x * x + y * y + z * z, _square(u, 0) * _square(u, 1)
        if square <= NEAR_PARALLEL * scale:
            sure = sure and square <= PARALLEL * scale
            continue
        low, high = np.inf, -np.inf
        for k in range(3):
            height = x * (other[k, 0] - one[0, 0]) + y * (other[k, 1] - one[0, 1]) + z * (other[k, 2] - one[0, 2])
            low, high = min(low, height), max(high, height)
        gap = max(low, -high)
        if gap * gap > doubt * doubt * square and gap > 0.0:
            return -1.0
        sure = sure and gap < 0.0 and gap * gap > doubt * doubt * square
        axes += 1
    ax, ay, az = _cross(sides[0, 0], sides[0, 1], sides[0, 2], sides[1, 0], sides[1, 1], sides[1, 2])
    bx, by, bz = _cross(others[0, 0], others[0, 1], others[0, 2], others[1, 0], others[1, 1], others[1, 2])
    for i in range(3):
        ux, uy, uz = sides[i, 0], sides[i, 1], sides[i, 2]
        # The corner opposite to an edge is off its ends by this much along each axis of the edge. See `_Block.edges`.
        rise = 0.5 * (bx * ux + by * uy + bz * uz)
        for j in range(3):
            vx, vy, vz = others[j, 0], others[j, 1], others[j, 2]
            x, y, z = _cross(ux, uy, uz, vx, vy, vz)
            square, scale = x * x + y * y + z * z, _square(sides, i) * _square(others, j)
            if square <= NEAR_PARALLEL * scale:
                sure = sure and square <= PARALLEL * scale
                continue
            opposite = 0.5 * (ax * vx + ay * vy + az * vz)
            gap = x * (q[j, 0] - p[i, 0]) + y * (q[j, 1] - p[i, 1]) + z * (q[j, 2] - p[i, 2])
            gap = abs(gap + rise + opposite) - abs(rise) - abs(opposite)
            if gap * gap > doubt * doubt * square and gap > 0.0:
                return -1.0
            sure = sure and gap < 0.0 and gap * gap > doubt * doubt * square
            axes += 1
    return 1.0 if sure and axes > 0 else 0.0


@_compiled
def _distance(p: Floats, q: Floats, sides: Floats, others: Floats) -> tuple[float, float]:
    """Squared distance of two triangles, and by how much rounding may have increased it for nearly parallel edges."""
    longest = max(_sides(p, sides), _sides(q, others))
    least = np.inf
    for i in range(3):
        for j in range(3):
            least = min(least, _between_edges(p, sides, i, q, others, j))
    least = min(least, _over_face(p, q, others))
    least = min(least, _over_face(q, p, sides))
    return least, _PARALLEL_EDGES * longest


@_compiled
def _between_edges(p: Floats, sides: Floats, i: int, q: Floats, others: Floats, j: int) -> float:
    """Squared distance of two edges (Ericson, 5.1.9)."""
    x, y, z = p[i, 0] - q[j, 0], p[i, 1] - q[j, 1], p[i, 2] - q[j, 2]
    ux, uy, uz, vx, vy, vz = sides[i, 0], sides[i, 1], sides[i, 2], others[j, 0], others[j, 1], others[j, 2]
    uu, vv, uv = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, ux * vx + uy * vy + uz * vz
    along, across = ux * x + uy * y + uz * z, vx * x + vy * y + vz * z
    area = uu * vv - uv * uv
    s = min(max((uv * across - along * vv) / area, 0.0), 1.0) if area > 0.0 else 0.0
    t = (uv * s + across) / vv if vv > 0.0 else -1.0
    if t < 0.0 or t > 1.0:
        t = min(max(t, 0.0), 1.0)
        s = min(max((uv * t - along) / uu, 0.0), 1.0) if uu > 0.0 else 0.0
    x, y, z = x + s * ux - t * vx, y + s * uy - t * vy, z + s * uz - t * vz
    return x * x + y * y + z * z


@_compiled
def _over_face(corners: Floats, face: Floats, sides: Floats) -> float:
    """Least squared height of those corners of a triangle that are over a face; zero if one of its edges pierces it."""
    x, y, z = _cross(sides[0, 0], sides[0, 1], sides[0, 2], sides[1, 0], sides[1, 1], sides[1, 2])
    size, least, before = np.sqrt(x * x + y * y + z * z), np.inf, 0.0
    if size == 0.0:
        return least
    x, y, z = x / size, y / size, z / size
    for n in range(4):
        px, py, pz = corners[n % 3, 0], corners[n % 3, 1], corners[n % 3, 2]
        height = x * (px - face[0, 0]) + y * (py - face[0, 1]) + z * (pz - face[0, 2])
        if n < 3 and _over(px, py, pz, face, sides, x, y, z):
            least = min(least, height * height)
        if n > 0 and (before < 0.0) != (height < 0.0) and before != height:
            share = height / (before - height)
            cx, cy, cz = corners[n - 1, 0] - px, corners[n - 1, 1] - py, corners[n - 1, 2] - pz
            if _over(px - share * cx, py - share * cy, pz - share * cz, face, sides, x, y, z):
                return 0.0
        before = height
    return least


@_compiled
def _over(px: float, py: float, pz: float, face: Floats, sides: Floats, x: float, y: float, z: float) -> bool:
    """Whether a point is within the prism over a face, along its normal (x, y, z)."""
    for k in range(3):
        ux, uy, uz = _cross(sides[k, 0], sides[k, 1], sides[k, 2], px - face[k, 0], py - face[k, 1], pz - face[k, 2])
        if ux * x + uy * y + uz * z < 0.0:
            return False
    return True


@_compiled
def _cross(ux: float, uy: float, uz: float, vx: float, vy: float, vz: float) -> tuple[float, float, float]:
    return uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx


@_compiled
def _square(rows: Floats, n: int) -> float:
    return rows[n, 0] * rows[n, 0] + rows[n, 1] * rows[n, 1] + rows[n, 2] * rows[n, 2]
