# SPDX-License-Identifier: GPL-3.0-or-later
"""The separating axis test for convex polytopes: all facets of A - B.

doc4code 2011, "Convex polyhedron vs convex polyhedron": every face of A - B has the normal of a face of A, of a face of
B, or of an edge of A crossed with an edge of B. An edge pair is a facet only if the arcs of its edges on the Gauss map
cross (Gregorius, "The separating axis test between convex polyhedra", GDC 2013). The others need no projection. For
overlapping shapes, the largest gap over the facets is exactly minus the penetration depth.
"""

from math import inf
from typing import NamedTuple

from ..numerics.tolerances import EPS, PARALLEL, SLIVER
from .arrays import Floats1, Floats2, Ints1, Ints2, Vector
from .axes import EDGE, FACE, write_features
from .exact import exact_cross
from .loading import kernel
from .manifolds import run_of
from .solids import EDGES, FIRST_EDGE, NORMALS, SIZE, Placed, Solid, Solids, face_count, highest, place, vertex_count
from .supports import POLYTOPE, Shape, Side, support
from .vectors import cross, divided, dot, length, minus, plus, put, row, scaled

# Number of roundings of the size of a pair within which two gaps are equal.
EQUAL_STEPS = 8.0
# Radians. Arcs that miss each other by rounding count as crossing. An unnecessary facet only costs one projection.
ARC_SLACK = 1e-9
# Columns of `Arcs.arcs`: the unit direction of the edge, and the two ends of its arc.
DIRECTION, FIRST, SECOND = 0, 3, 6
# Columns of `Arcs.bounds`.
LEAST, MOST = 0, 1


class Arcs(NamedTuple):
    """Room for the Gauss map of one polytope.

    Attributes
    ----------
    arcs : (E, 9) float64
        The arc of each edge.
    bounds : (E, 2) float64
        The least and the greatest x of each arc. Those of an edge without length, which has no arc, are reversed.
    order : (E,) int64
        The edges by their least x.
    gaps : (F,) float64
        The gap along the normal of each face.
    """

    arcs: Floats2
    bounds: Floats2
    order: Ints1
    gaps: Floats1


class Body(NamedTuple):
    """The polytopes on one side of pairs, and room for one of them.

    Attributes
    ----------
    side : Side
    solids : Solids
        The same with their faces, not necessarily in the same rows.
    placed, arcs : Placed, Arcs
        Room for one polytope; the arcs of A are those of A, and the arcs of B those of -B.
    """

    side: Side
    solids: Solids
    placed: Placed
    arcs: Arcs


class Faced(NamedTuple):
    """One polytope of a body, which is placed: its support mapping, its faces and its arcs."""

    shape: Shape
    solid: Solid
    arcs: Arcs


@kernel
def best_facets(
    a: Body,
    rows_a: Ints1,
    faced_a: Ints1,
    b: Body,
    rows_b: Ints1,
    faced_b: Ints1,
    gap: Floats1,
    axis: Floats2,
    feature_a: Ints2,
    feature_b: Ints2,
) -> None:
    """Find the facet of A - B with the largest gap, for the cores of each pair.

    Faces win over edge pairs that are better only by rounding. Likewise faces of A win over faces of B, and lower
    indices over higher ones. So the axis is stable under noise.

    Parameters
    ----------
    a, b : Body
    rows_a, rows_b : (P,) int64
        The rows of each pair in the sides.
    faced_a, faced_b : (P,) int64
        The rows of each pair in the solids.
    gap, axis, feature_a, feature_b : arrays
        The fields of `collision_kit.core.results.Separations`, which are written. The axis is that of a face of A, of a
        face of B, or of an edge of each.
    """
    for pair in range(len(rows_a)):
        i, j, k, m = rows_a[pair], rows_b[pair], faced_a[pair], faced_b[pair]
        origin = row(a.solids.translation, k)
        one = Faced(Shape(a.side, i, (0.0, 0.0, 0.0)), Solid(a.solids, k, a.placed), a.arcs)
        shape = Shape(b.side, j, minus(row(b.solids.translation, m), origin))
        other = Faced(shape, Solid(b.solids, m, b.placed), b.arcs)
        place(one.solid, origin)
        place(other.solid, origin)
        slack = EQUAL_STEPS * EPS * (a.solids.extents[k, SIZE] + b.solids.extents[m, SIZE])
        most = face_gaps(one, other, -inf, slack)
        face = first_of(a.arcs.gaps, normal_count(one.solid), most - slack)
        reach, way = a.arcs.gaps[face], row(a.placed.normals, face)
        write_features(feature_a, feature_b, pair, (FACE, face, -1, -1))
        most = face_gaps(other, one, most, slack)
        face = first_of(b.arcs.gaps, normal_count(other.solid), most - slack)
        if b.arcs.gaps[face] > reach + slack:
            reach, way = b.arcs.gaps[face], scaled(-1.0, row(b.placed.normals, face))
            write_features(feature_a, feature_b, pair, (-1, -1, FACE, face))
        map_arcs(one.solid, one.arcs, 1.0)
        map_arcs(other.solid, other.arcs, -1.0)
        height, across, edge, their_edge = best_edges(one, other, reach + slack, slack)
        if height > reach + slack:
            reach, way = height, across
            write_features(feature_a, feature_b, pair, (EDGE, edge, EDGE, their_edge))
        gap[pair] = reach
        put(axis, pair, way)


def normal_count(of: Solid) -> int:
    """The number of normals of a row, also of faces without area."""
    return of.solids.polytopes[of.solids.geometry[of.at], NORMALS]


def edge_count(of: Solid) -> int:
    """The number of edges of a row."""
    return of.solids.polytopes[of.solids.geometry[of.at], EDGES]


def first_of(values: Floats1, count: int, least: float) -> int:
    """The first of these values that is not less than another one, 0 if there is none."""
    for k in range(count):
        if values[k] >= least:
            return k
    return 0


def has_table(of: Shape) -> bool:
    """Whether a direction table finds the farthest vertex of a shape."""
    return of.side.kind == POLYTOPE and of.side.places[of.at, 2] > 0


def reach_along(of: Faced, way: Vector) -> float:
    """The height of the farthest vertex of a polytope, which is placed, along a direction."""
    return dot(support(of.shape, way), way) if has_table(of.shape) else highest(of.solid, way)


def face_gaps(own: Faced, other: Faced, best: float, slack: float) -> float:
    """Write the gap along each normal of a polytope, and return the largest, or `best` if that is larger.

    Gaps that are smaller than the largest by more than the slack may be written as minus infinity.
    """
    search, count = not has_table(other.shape), vertex_count(other.solid)
    for face in range(normal_count(own.solid)):
        own.arcs.gaps[face] = -inf
        normal = row(own.solid.placed.normals, face)
        # No more than the height of the own vertices.
        real = face < face_count(own.solid)
        level = own.solid.placed.heights[face] if real else reach_along(own, normal)
        lowest = inf
        if search:
            for v in range(count):
                lowest = min(lowest, dot(row(other.solid.placed.vertices, v), normal))
                if lowest - level < best - slack:
                    break
        else:
            lowest = -reach_along(other, scaled(-1.0, normal))
        if lowest - level >= best - slack:
            own.arcs.gaps[face] = lowest - reach_along(own, normal)
            best = max(best, own.arcs.gaps[face])
    return best


def map_arcs(of: Solid, arcs: Arcs, sign: float) -> None:
    """Write the arcs of a polytope times a sign on the Gauss map, and their order. It is placed."""
    kind = of.solids.geometry[of.at]
    first, count = of.solids.polytopes[kind, FIRST_EDGE], of.solids.polytopes[kind, EDGES]
    for k in range(count):
        start, stop, one, other = (
            of.solids.edges[first + k, 0],
            of.solids.edges[first + k, 1],
            of.solids.edges[first + k, 2],
            of.solids.edges[first + k, 3],
        )
        along = minus(row(of.placed.vertices, stop), row(of.placed.vertices, start))
        begin, end = scaled(sign, row(of.placed.normals, one)), scaled(sign, row(of.placed.normals, other))
        size = length(along)
        put_part(arcs.arcs, k, DIRECTION, divided(along, size if size > 0.0 else 1.0))
        put_part(arcs.arcs, k, FIRST, begin)
        put_part(arcs.arcs, k, SECOND, end)
        # The greatest distance of an arc from its chord is in the middle.
        bulge = 1.0 - length(plus(begin, end)) / 2.0 + 2.0 * ARC_SLACK
        least, most = min(begin[0], end[0]) - bulge, max(begin[0], end[0]) + bulge
        arcs.bounds[k, LEAST], arcs.bounds[k, MOST] = least if size > 0.0 else inf, most if size > 0.0 else -inf
        arcs.order[k] = k
    # Shell sort.
    step = count // 2
    while step > 0:
        for k in range(step, count):
            edge, at_place = arcs.order[k], k
            least = arcs.bounds[edge, LEAST]
            while at_place >= step and arcs.bounds[arcs.order[at_place - step], LEAST] > least:
                arcs.order[at_place] = arcs.order[at_place - step]
                at_place -= step
            arcs.order[at_place] = edge
        step = step // 2


def put_part(arcs: Floats2, at: int, column: int, a: Vector) -> None:
    """Write a vector from a column of a row."""
    arcs[at, column], arcs[at, column + 1], arcs[at, column + 2] = a


def part(arcs: Floats2, at: int, column: int) -> Vector:
    """The vector from a column of a row."""
    return arcs[at, column], arcs[at, column + 1], arcs[at, column + 2]


def widest(arcs: Arcs, count: int) -> float:
    """The greatest extent of an arc along x."""
    most = 0.0
    for k in range(count):
        most = max(most, arcs.bounds[k, MOST] - arcs.bounds[k, LEAST])  # minus infinity without an arc
    return most


def first_arc(arcs: Arcs, count: int, least: float) -> int:
    """The place in the order of the first arc whose least x is not below another."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if arcs.bounds[arcs.order[middle], LEAST] < least:
            low = middle + 1
        else:
            high = middle
    return low


def first_crossing(a: Arcs, b: Arcs, edge: int, count: int, extent: float) -> int:
    """The place of the first arc of -B that crosses an arc of A, as `next_crossing`. No arc of -B is wider."""
    return next_crossing(a, b, edge, count, first_arc(b, count, a.bounds[edge, LEAST] - extent))


def next_crossing(a: Arcs, b: Arcs, edge: int, count: int, begin: int) -> int:
    """The place of the next arc of -B, from a place in its order, that crosses an arc of A; `count` if none does."""
    least, most, along = a.bounds[edge, LEAST], a.bounds[edge, MOST], part(a.arcs, edge, DIRECTION)
    for place_of in range(begin, count):
        other = b.order[place_of]
        if b.bounds[other, LEAST] > most:
            return count
        if b.bounds[other, MOST] < least:
            continue
        # Sides of the plane of each arc on which the two ends of the other one lie.
        low, high = dot(along, part(b.arcs, other, FIRST)), dot(along, part(b.arcs, other, SECOND))
        if not straddles(low, high):
            continue
        across = part(b.arcs, other, DIRECTION)
        start, stop = dot(across, part(a.arcs, edge, FIRST)), dot(across, part(a.arcs, edge, SECOND))
        # The crossing must be on the same side of the sphere. Otherwise one arc crosses the antipode of the other.
        if straddles(start, stop) and (low - high) * (stop - start) >= -ARC_SLACK * ARC_SLACK:
            return place_of
    return count


def straddles(one: float, other: float) -> bool:
    """Whether two heights are on different sides of zero, or on it within `ARC_SLACK`."""
    return min(one, other) <= ARC_SLACK and max(one, other) >= -ARC_SLACK


def edge_facet(a: Faced, b: Faced, edge: int, other: int) -> tuple[float, Vector]:
    """The gap along the cross product of two edges if they form a facet of A - B, and that unit vector.

    Then the gap is the distance of their lines. It is too large for arcs that do not cross exactly. Minus infinity for
    parallel edges.
    """
    start_a, run_a, error_a = run_of(a.solid, edge)
    start_b, run_b, error_b = run_of(b.solid, other)
    axis, sides = cross(run_a, run_b), dot(run_a, run_a) * dot(run_b, run_b)
    square = dot(axis, axis)
    if square < SLIVER * sides:
        axis = exact_cross(run_a, error_a, run_b, error_b)
        square = dot(axis, axis)
    if square <= PARALLEL * sides:
        return -inf, axis
    axis = divided(axis, length(axis))
    first, second = part(a.arcs.arcs, edge, FIRST), part(a.arcs.arcs, edge, SECOND)
    # For nearly flat shapes, the sum is mostly rounding error. The first face then determines the direction.
    outward = cross(minus(first, second), run_a) if dot(first, second) < 0.0 else plus(first, second)
    axis = scaled(-1.0, axis) if dot(axis, outward) < 0.0 else axis
    return dot(minus(start_b, start_a), axis), axis


def best_edges(a: Faced, b: Faced, floor: float, slack: float) -> tuple[float, Vector, int, int]:
    """The edge pair with the largest gap above `floor`: gap, axis and the two edges; minus infinity if there is none.

    Of edge pairs that are equal within the slack, the first is returned.
    """
    best, found, edges, others = floor, False, edge_count(a.solid), edge_count(b.solid)
    extent = widest(b.arcs, others)
    for edge in range(edges):
        at = first_crossing(a.arcs, b.arcs, edge, others, extent)
        while at < others:
            estimate, axis = edge_facet(a, b, edge, b.arcs.order[at])
            if estimate > best:
                gap = gap_along(a, b, axis)
                found, best = found or gap > best, max(best, gap)
            at = next_crossing(a.arcs, b.arcs, edge, others, at + 1)
    height, way, other = -inf, (0.0, 0.0, 0.0), -1
    if found:
        for edge in range(edges):
            at = first_crossing(a.arcs, b.arcs, edge, others, extent)
            while at < others:
                if other < 0 or b.arcs.order[at] < other:
                    estimate, axis = edge_facet(a, b, edge, b.arcs.order[at])
                    gap = gap_along(a, b, axis) if estimate >= best - slack else -inf
                    if gap >= best - slack:
                        height, way, other = gap, axis, b.arcs.order[at]
                at = next_crossing(a.arcs, b.arcs, edge, others, at + 1)
            if other >= 0:
                return height, way, edge, other
    return height, way, -1, -1


def gap_along(a: Faced, b: Faced, axis: Vector) -> float:
    """The gap between two polytopes, which are placed, along a unit axis."""
    return -reach_along(b, scaled(-1.0, axis)) - reach_along(a, axis)


@kernel
def crossings(a: Body, faced_a: Ints1, b: Body, faced_b: Ints1, found: Ints2) -> int:
    """Find all crossings of the arcs of A and of -B on the Gauss map, and return their number.

    Parameters
    ----------
    a, b : Body
    faced_a, faced_b : (P,) int64
        The rows of each pair in the solids.
    found : (K, 3) int64
        Written, as far as there is room: the pair, the edge of A and the edge of B.
    """
    count = 0
    for pair in range(len(faced_a)):
        k, m = faced_a[pair], faced_b[pair]
        origin = row(a.solids.translation, k)
        one, other = Solid(a.solids, k, a.placed), Solid(b.solids, m, b.placed)
        place(one, origin)
        place(other, origin)
        map_arcs(one, a.arcs, 1.0)
        map_arcs(other, b.arcs, -1.0)
        others = edge_count(other)
        extent = widest(b.arcs, others)
        for edge in range(edge_count(one)):
            at = first_crossing(a.arcs, b.arcs, edge, others, extent)
            while at < others:
                if count < len(found):
                    found[count, 0], found[count, 1], found[count, 2] = pair, edge, b.arcs.order[at]
                count += 1
                at = next_crossing(a.arcs, b.arcs, edge, others, at + 1)
    return count
