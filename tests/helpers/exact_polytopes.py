# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact gaps of small polytopes with integer vertices, computed in integers without rounding.

If two polytopes are apart, the direction between their closest points is that of two vertices, of a vertex and an edge,
of two edges or of a face, and the gap along it is the distance. If they overlap, the largest gap over faces and pairs
of edges is minus the penetration depth. The largest gap over all these directions is therefore exact, also for flat
shapes.
"""

import itertools

import numpy as np

import collision_kit.core as ck

BOX_SIGNS = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], dtype=np.int64)
BOX_EDGES = np.array([(i, i | bit) for bit in (1, 2, 4) for i in range(8) if not i & bit])
SIDES = np.array([[0, 1], [1, 2], [2, 0]])

# Quaternions with small integers. The matrix of each is integer, and a rotation when divided by the sum of squares.
QUATERNIONS = np.array(
    [q for q in itertools.product(range(-2, 4), repeat=4) if 0 < sum(x * x for x in q) <= 15 and q[0] >= 0],
    dtype=np.int64,
)


def rational_rotations(rng, count):
    """Rotations as integer matrices (N, 3, 3) and their common denominators (N,)."""
    w, x, y, z = QUATERNIONS[rng.integers(0, len(QUATERNIONS), count)].T
    rows = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    return np.array(rows).transpose(2, 0, 1), w * w + x * x + y * y + z * z


def box_vertices(center, half, matrix):
    """Vertices (N, 8, 3) of boxes whose axes are the columns of integer matrices."""
    return center[:, None] + np.einsum("nij,kj,nj->nki", matrix, BOX_SIGNS, half)


def gaps(a, edges_a, b, edges_b, faces, thorough=True):
    """The largest gap of each pair as a float64, exactly zero if it is zero.

    Parameters
    ----------
    a, b : (N, V, 3), (N, W, 3) integers
    edges_a, edges_b : (E, 2), (F, 2)
    faces : (N, K, 3) integers
        Face normals of any length.
    thorough : bool
        Whether to include the directions of vertices; without them, the result is correct for solid shapes only.
    """
    result = np.empty(len(a))
    for first in range(0, len(a), 2000):
        rows = slice(first, first + 2000)
        result[rows] = _gaps(a[rows], edges_a, b[rows], edges_b, faces[rows], thorough)
    return result


def _gaps(a, edges_a, b, edges_b, faces, thorough):
    count = len(a)
    along_a, along_b = (s[:, e[:, 1]] - s[:, e[:, 0]] for s, e in ((a, edges_a), (b, edges_b)))
    if len(edges_a) == 12:
        along_a = along_a[:, ::4]
    if len(edges_b) == 12:
        along_b = along_b[:, ::4]
    axes = [faces, cross(along_a[:, :, None], along_b[:, None]).reshape(count, -1, 3)]
    # If all points are collinear, the axes contain no direction to the side, and only a depth of zero needs one.
    in_line = ~(axes[0] != 0).any(axis=(1, 2)) & ~(axes[1] != 0).any(axis=(1, 2))
    if thorough:
        between = b[:, None] - a[:, :, None]
        axes.append(between.reshape(count, -1, 3))
        for shape, edges, other, sign in ((a, edges_a, b, 1), (b, edges_b, a, -1)):
            along = shape[:, edges[:, 1]] - shape[:, edges[:, 0]]
            spoke = sign * (other[:, None] - shape[:, edges[:, 0], None])
            axes.append(cross(cross(along[:, :, None], spoke), along[:, :, None]).reshape(count, -1, 3))
    axis = np.concatenate(axes, axis=1)
    height_a, height_b = (np.stack([(axis * s[:, None, k]).sum(axis=2) for k in range(s.shape[1])]) for s in (a, b))
    gap = np.maximum(height_b.min(axis=0) - height_a.max(axis=0), height_a.min(axis=0) - height_b.max(axis=0))
    size = np.sqrt((axis.astype(float) ** 2).sum(axis=2))
    largest = np.where(size > 0.0, gap.astype(float) / np.where(size > 0.0, size, 1.0), -np.inf).max(axis=1)
    return np.where(in_line, np.maximum(largest, 0.0), largest)


def cross(a, b):
    """np.cross for integers of any size."""
    a, b = np.broadcast_arrays(a, b)
    return np.stack([a[..., i] * b[..., j] - a[..., j] * b[..., i] for i, j in ((1, 2), (2, 0), (0, 1))], axis=-1)


def gaps_of_floats(a, b):
    """The largest gap of each pair of boxes or triangles, computed from their exact floats as integers."""
    corners_a, edges_a, faces_a, power_a = as_integers(a)
    corners_b, edges_b, faces_b, power_b = as_integers(b)
    power = max(power_a, power_b)
    corners_a, corners_b = corners_a * 2 ** (power - power_a), corners_b * 2 ** (power - power_b)
    # For two boxes, the directions of faces and edges suffice: a flat box has faces in its own plane, too.
    thorough = not (isinstance(a, ck.Boxes) and isinstance(b, ck.Boxes))
    scaled = gaps(corners_a, edges_a, corners_b, edges_b, np.concatenate([faces_a, faces_b], axis=1), thorough)
    return np.ldexp(scaled, -power)


def as_integers(shapes):
    """Corners, edges and face normals, and the power of two that the corners are multiplied by."""
    if isinstance(shapes, ck.Triangles):
        (corners,), power = integers(shapes.vertices)
        sides = np.roll(corners, -1, axis=1) - corners
        return corners, SIDES, cross(sides[:, :1], sides[:, 1:2]), power
    (center, half, matrix), power = integers(shapes.center, shapes.half_extents, shapes.rotation)
    spokes = np.stack([(matrix * (half * signs)[:, None]).sum(axis=2) for signs in BOX_SIGNS.astype(object)], axis=1)
    columns = matrix.transpose(0, 2, 1)
    faces = cross(columns[:, [1, 2, 0]], columns[:, [2, 0, 1]])
    return center[:, None] * 2**power + spokes, BOX_EDGES, faces, 2 * power


def integers(*arrays):
    """Float arrays as Python integers, all multiplied by the same power of two, without rounding."""
    power = 0
    while any((np.ldexp(x, power) != np.rint(np.ldexp(x, power))).any() for x in arrays):
        power += 1
    whole = [np.array([int(v) for v in np.ldexp(x, power).reshape(-1)], dtype=object).reshape(x.shape) for x in arrays]
    return whole, power
