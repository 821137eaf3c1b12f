# SPDX-License-Identifier: GPL-3.0-or-later
"""Rays against polytopes, against the triangles of meshes, and against the boxes of a tree.

A polytope is clipped by its planes (Cyrus and Beck, "Generalized two- and three-dimensional clipping", 1978). A tree is
traversed depth first, into the nearer of two boxes first, so that the first triangle is soon known. All tests have a
slack, so that no ray passes between two triangles or two planes that share an edge or a corner.
"""

from math import inf, sqrt
from typing import NamedTuple

from .arrays import Floats1, Floats2, Floats3, Ints1, Ints2, Vector, floats1, ints1
from .loading import kernel
from .vectors import corner, cross, dot, minus, moved, row

# Size of the stack of nodes: at most one for each level, and the last two.
_DEPTH = 128


class Surfaces(NamedTuple):
    """The bounding box trees of a batch of meshes, and the mesh that each ray is cast at.

    Attributes
    ----------
    span, leaf, corners : (nodes, 6) float64, (leaves,) int64, (triangles, 3, 3) float64
        As in `collision_kit.core.narrow_phase.mesh.operands.Trees`.
    rows : (R, 4) int64
        The first node, the first leaf, the first triangle and the number of leaves.
    """

    span: Floats2
    leaf: Ints1
    corners: Floats3
    rows: Ints2


@kernel
def polytopes(planes: Floats2, of: Ints2, rays: Floats2, times: Floats2, face: Ints1) -> None:
    """Clip lines by the planes of polytopes.

    Parameters
    ----------
    planes : (F, 4) float64
        Outward unit normals and offsets.
    of : (R, 2) int64
        The first plane of the polytope of each line, and the end.
    rays : (R, 8) float64
        A point of each line, its unit direction, the slack, and the rate at which a line that is inside by less than
        the slack at one end of the polytope comes so at the other end.
    times : (R, 2) float64
        Written: the parameters at which the line enters and leaves the polytope. inf and -inf for a miss.
    face : (R,) int64
        Written: the plane through which it enters; -1 if there is none.
    """
    for ray in range(len(rays)):
        start, along, slack = row(rays, ray), (rays[ray, 3], rays[ray, 4], rays[ray, 5]), rays[ray, 6]
        enter, leave, least, most, entered = -inf, inf, -inf, inf, -1
        for plane in range(of[ray, 0], of[ray, 1]):
            normal = row(planes, plane)
            rate, gap = dot(normal, along), dot(normal, start) - planes[plane, 3]
            if abs(rate) <= rays[ray, 7]:
                if gap > slack:
                    least, most = inf, -inf
                continue
            # Parameters of the intersection with the plane, and with the plane moved outward by the slack.
            time, other = -gap / rate, (slack - gap) / rate
            if rate < 0.0:
                least = max(least, other)
                if time > enter:
                    enter, entered = time, plane
            else:
                most, leave = min(most, other), min(leave, time)
        face[ray] = entered
        times[ray, 0], times[ray, 1] = inf, -inf
        if least <= most:
            times[ray, 0] = min(max(enter, least), most)
            times[ray, 1] = max(min(leave, most), times[ray, 0])


@kernel
def meshes(surfaces: Surfaces, rays: Floats2, both_sides: bool, times: Floats1, triangle: Ints1) -> None:
    """Find the first triangle that each ray hits.

    Parameters
    ----------
    surfaces : Surfaces
    rays : (R, 9) float64
        A point of each ray and its unit direction, in the frame of the mesh, the slack, and the parameters of its begin
        and end from that point.
    both_sides : bool
        Whether triangles are also hit from behind.
    times : (R,) float64
        Written: the parameter of the hit. inf for a miss.
    triangle : (R,) int64
        Written: the index of the triangle in the mesh, the lowest if there are several. -1 for a miss.
    """
    nodes, entries = ints1(_DEPTH), floats1(_DEPTH)
    for ray in range(len(rays)):
        start, along, slack = row(rays, ray), (rays[ray, 3], rays[ray, 4], rays[ray, 5]), rays[ray, 6]
        least, best, hit = rays[ray, 7], rays[ray, 8], -1
        root, leaf, first, leaves = (
            surfaces.rows[ray, 0],
            surfaces.rows[ray, 1],
            surfaces.rows[ray, 2],
            surfaces.rows[ray, 3],
        )
        nodes[0], entries[0], top = 0, box_entry(surfaces.span, root, start, along, slack, least), 1
        while top > 0:
            top -= 1
            if entries[top] > best:
                continue
            node = nodes[top]
            if node + 1 < leaves:
                one, other = 2 * node + 1, 2 * node + 2
                near = box_entry(surfaces.span, root + one, start, along, slack, least)
                far = box_entry(surfaces.span, root + other, start, along, slack, least)
                if far < near:
                    one, other, near, far = other, one, far, near
                if far <= best and far < inf:
                    nodes[top], entries[top] = other, far
                    top += 1
                if near <= best and near < inf:
                    nodes[top], entries[top] = one, near
                    top += 1
                continue
            number = surfaces.leaf[leaf + node + 1 - leaves]
            if number < 0:
                continue
            time = _triangle(surfaces.corners, first + number, start, along, slack, least, both_sides)
            if time < best or (time == best and time < inf and (hit < 0 or number < hit)):
                best, hit = time, number
        times[ray], triangle[ray] = best if hit >= 0 else inf, hit


@kernel
def boxes(span: Floats2, leaf: Ints1, rays: Floats2, begin: int, found: Ints2, entries: Floats1) -> tuple[int, int]:
    """Find the boxes of a tree that rays pass through, until the output is full.

    Parameters
    ----------
    span, leaf : (nodes, 6) float64, (leaves,) int64
        The tree; see `collision_kit.core.mesh.triangle_mesh.Tree`.
    rays : (R, 8) float64
        The origin of each ray, its unit direction, the slack, and its length.
    begin : int
        The first ray.
    found : (K, 2) int64
        Written: the ray and the box.
    entries : (K,) float64
        Written: where the ray enters the box, with the slack.

    Returns
    -------
    next : int
        The first ray that is not finished.
    count : int
        The number of boxes found.
    """
    nodes = ints1(_DEPTH)
    leaves, count = len(leaf), 0
    for ray in range(begin, len(rays)):
        start, along, slack = row(rays, ray), (rays[ray, 3], rays[ray, 4], rays[ray, 5]), rays[ray, 6]
        first, top, nodes[0] = count, 1, 0
        while top > 0:
            top -= 1
            node = nodes[top]
            entry = box_entry(span, node, start, along, slack, 0.0)
            if entry > rays[ray, 7] or entry == inf:
                continue
            if node + 1 < leaves:
                nodes[top], nodes[top + 1] = 2 * node + 1, 2 * node + 2
                top += 2
                continue
            if leaf[node + 1 - leaves] < 0:
                continue
            if count == len(found):
                return ray, first
            found[count, 0], found[count, 1], entries[count] = ray, leaf[node + 1 - leaves], entry
            count += 1
    return len(rays), count


def box_entry(span: Floats2, at: int, start: Vector, along: Vector, slack: float, least: float) -> float:
    """The parameter at which a ray that begins at `least` enters a box. inf for a miss."""
    enter, leave = least - slack, inf
    for k in range(3):
        low, high, place, rate = span[at, k] - slack, slack - span[at, k + 3], start[0], along[0]
        if k == 1:
            place, rate = start[1], along[1]
        if k == 2:
            place, rate = start[2], along[2]
        if low > high:
            return inf
        if rate == 0.0:
            if place < low or place > high:
                return inf
            continue
        one, other = (low - place) / rate, (high - place) / rate
        enter, leave = max(enter, min(one, other)), min(leave, max(one, other))
    return enter if enter <= leave else inf


def _triangle(
    corners: Floats3, at: int, start: Vector, along: Vector, slack: float, least: float, both_sides: bool
) -> float:
    """The parameter at which a ray hits a triangle. inf for a miss."""
    a = minus(corner(corners, at, 0), start)
    b = minus(corner(corners, at, 1), start)
    c = minus(corner(corners, at, 2), start)
    ab, bc, ca = minus(b, a), minus(c, b), minus(a, c)
    normal = cross(ab, bc)
    rate = dot(normal, along)
    if rate > 0.0 and not both_sides:
        return inf
    low = min(min(dot(a, along), dot(b, along)), dot(c, along))
    high = max(max(dot(a, along), dot(b, along)), dot(c, along))
    if high < least - slack:
        return inf
    one, two, three = sqrt(dot(ab, ab)), sqrt(dot(bc, bc)), sqrt(dot(ca, ca))
    if abs(rate) * max(max(one, two), three) <= slack * sqrt(dot(normal, normal)):
        return _edge_on(a, b, c, along, slack, least)
    sign = 1.0 if rate > 0.0 else -1.0
    # Volumes spanned by the ray and each edge: at most the distance of their lines times the length of the edge.
    if (
        sign * dot(along, cross(a, ab)) < -slack * one
        or sign * dot(along, cross(b, bc)) < -slack * two
        or sign * dot(along, cross(c, ca)) < -slack * three
    ):
        return inf
    time = min(max(dot(normal, a) / rate, low), high)
    return inf if time < least - slack else max(time, least)


def _edge_on(a: Vector, b: Vector, c: Vector, along: Vector, slack: float, least: float) -> float:
    """The parameter of the hit, at an edge or corner, of a ray in the plane of a triangle.

    The triangle may also be degenerate.
    """
    low, high = inf, -inf
    for k in range(3):
        end, other = a, b
        if k == 1:
            end, other = b, c
        if k == 2:
            end, other = c, a
        edge = minus(other, end)
        aside, across = moved(end, along, -dot(end, along)), moved(edge, along, -dot(edge, along))
        square = dot(across, across)
        part = min(max(-dot(aside, across) / square, 0.0), 1.0) if square > 0.0 else 0.0
        for step in range(2):
            # The point of the edge that is nearest to the line, and the corner.
            point = moved(end, edge, part if step == 0 else 0.0)
            time = dot(point, along)
            gap = moved(point, along, -time)
            if dot(gap, gap) <= slack * slack:
                low, high = min(low, time), max(high, time)
    return inf if high < least - slack else max(low, least)
