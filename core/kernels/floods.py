# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of one mesh's surface inside another body, by flooding from the triangles that meet its surface."""

from .arrays import Floats1, Floats2, Ints1, Ints2, Vector, floats1, ints1
from .loading import kernel
from .points import nearest_triangle
from .rays import Surfaces
from .vectors import row
from .windings import is_inside, is_surely_inside

# Size of the stack of nodes: at most one for each level, and the last two.
_DEPTH = 128


@kernel
def flood(
    surfaces: Surfaces,
    places: Floats2,
    triangles: Ints2,
    corner_start: Ints1,
    corners: Ints1,
    starts: Ints2,
    frames: Floats2,
    slack: Floats1,
    touched: Ints2,
    begin: int,
    label: int,
    sides: Ints1,
    marks: Ints1,
    queue: Ints1,
    vertices: Ints2,
    flooded: Ints2,
) -> tuple[int, int, int, int]:
    """Find the vertices that are inside, and their triangles, from the triangles that meet the other surface.

    Parameters
    ----------
    surfaces : Surfaces
        The other body of each pair.
    places : (V, 3) float64
        The vertices of all meshes, in their own frames.
    triangles : (M, 3) int64
        The welded vertices of all triangles, numbered within their meshes.
    corner_start, corners : (V + 1,), (3 M,) int64
        The corners of triangles at each vertex, numbered within their meshes.
    starts : (P, 2) int64
        The first vertex and the first triangle of the mesh of each pair.
    frames : (P, 12) float64
        Transform from the mesh of each pair to the frame of the other body.
    slack : (P,) float64
        Rounding error of the distance from the other surface.
    touched : (K, 2) int64
        The pair, ascending, and the triangles that meet the other surface.
    begin, label : int
        The first row of `touched`, and the first label.
    sides, marks, queue : (V,), (M,), (V,) int64
        Room. The first two must be zero before the first call, and are kept between calls.
    vertices : (N, 3) int64
        Written: the pair, a vertex inside, and its label, which is the same for vertices connected by edges inside.
    flooded : (N, 3) int64
        Written: the pair, a triangle that has such a vertex and does not meet the other surface, and its label.

    Returns
    -------
    next : int
        The first row of `touched` that is not finished.
    vertex_count, triangle_count : int
        How many rows have been written.
    label : int
        The next label.
    """
    nodes, gaps = ints1(_DEPTH), floats1(_DEPTH)
    found, covered, at = 0, 0, begin
    while at < len(touched):
        pair, end = touched[at, 0], at
        first, base = starts[pair, 0], starts[pair, 1]
        outside, inside, mark = 2 * pair + 1, 2 * pair + 2, pair + 1
        before, labels = found, label
        while end < len(touched) and touched[end, 0] == pair:
            marks[base + touched[end, 1]] = mark
            end += 1
        for k in range(at, end):
            for n in range(3):
                vertex = triangles[base + touched[k, 1], n]
                if sides[first + vertex] == outside or sides[first + vertex] == inside:
                    continue
                point = _placed(frames, pair, row(places, first + vertex))
                far, _ = nearest_triangle(surfaces, pair, point, slack[pair], -1, nodes, gaps)
                # Within rounding of the surface, either side is right.
                if far > slack[pair]:
                    within = is_inside(surfaces, pair, point, nodes)
                else:
                    within = is_surely_inside(surfaces, pair, point, nodes)
                sides[first + vertex] = inside if within else outside
        full = False
        for k in range(at, end):
            for n in range(3):
                seed = triangles[base + touched[k, 1], n]
                if sides[first + seed] != inside:
                    continue
                # Vertices in the queue are marked as outside, so that none is added twice.
                sides[first + seed] = outside
                queue[0], waiting = seed, 1
                while waiting > 0:
                    waiting -= 1
                    vertex = queue[waiting]
                    if found == len(vertices):
                        full = True
                        break
                    vertices[found, 0], vertices[found, 1], vertices[found, 2] = pair, vertex, label
                    found += 1
                    for c in range(corner_start[first + vertex], corner_start[first + vertex + 1]):
                        triangle = corners[c] // 3
                        meets = marks[base + triangle] == mark
                        if not meets and marks[base + triangle] != -mark:
                            if covered == len(flooded):
                                full = True
                                break
                            marks[base + triangle] = -mark
                            flooded[covered, 0], flooded[covered, 1], flooded[covered, 2] = pair, triangle, label
                            covered += 1
                        for m in range(3):
                            other = triangles[base + triangle, m]
                            side = sides[first + other]
                            if side == inside or (not meets and side != outside):
                                sides[first + other] = outside
                                queue[waiting] = other
                                waiting += 1
                label += 1
        if full:
            # The pair is started again, with more room. Its marks are cleared.
            for k in range(len(sides)):
                if sides[k] == outside or sides[k] == inside:
                    sides[k] = 0
            for k in range(len(marks)):
                if marks[k] == mark or marks[k] == -mark:
                    marks[k] = 0
            while covered > 0 and flooded[covered - 1, 0] == pair:
                covered -= 1
            return at, before, covered, labels
        at = end
    return at, found, covered, label


def _placed(frames: Floats2, pair: int, point: Vector) -> Vector:
    """A point in the frame of the other body."""
    return (
        frames[pair, 0] * point[0] + frames[pair, 1] * point[1] + frames[pair, 2] * point[2] + frames[pair, 9],
        frames[pair, 3] * point[0] + frames[pair, 4] * point[1] + frames[pair, 5] * point[2] + frames[pair, 10],
        frames[pair, 6] * point[0] + frames[pair, 7] * point[1] + frames[pair, 8] * point[2] + frames[pair, 11],
    )
