# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance or depth of any two convex shapes with support mappings, radii excluded.

GJK measures separated cores, and the expanding polytope algorithm overlapping ones. Both return bounds. If the cores
touch, or the polytope would become too large, other methods refine the result: steps apart (`apart`), Newton's method
(`steepest`), and active sets. A direction with less overlap than the best known one can only be near the normals of
faces of the polytope that are nearer than this overlap. So the search for it begins at these.
"""

from math import inf, nan

from ..numerics.tolerances import BEYOND, CURVED_DEPTH, CURVED_DISTANCE, EPS, NEAR, ROUNDING_STEPS
from .active_set import Settled, Work, brought_together, put_feature, settled
from .apart import GAIN, gap_along, measured_apart
from .arrays import Floats1, Floats2, Vector, floats1, floats2
from .closest import closest_points, hold
from .convex_pairs import reach_of
from .epa import Deepest, Polytope, begun, deepest, write_faces
from .gjk import FAR, OVERLAPPING, Simplex
from .loading import kernel
from .steepest import steepest_direction, third_axis
from .supports import Shape, Side, placed, shifted, support
from .vectors import dot, length, minus, normalized, plus, put, row, scaled

# Maximum number of faces of an unfinished polytope at whose normals a search for less overlap begins, and the multiple
# of `GAIN` within which its points agree.
MOST_FACES, TOUCHING = 24, 100.0
STARTS = 1 + MOST_FACES
# Dimensionless: a fraction of the size of a pair. Depths that differ by less belong to one valley.
VALLEY = 1e-6
# Dimensionless: a fraction of the size of a pair, by which B is moved out of symmetric positions.
ASIDE = 1e-9
# Dimensionless: a fraction of the size of a pair. Points that are farther off a supporting plane are improved.
OFF = 1e-9
# The directions of a search from many sides: the best known one, and those to the faces, edges and corners of a cube;
# and the number of the best of them that are refined by steps apart.
DIRECTIONS, FOLLOWED = 27, 8


@kernel
def measure(
    a: Side,
    b: Side,
    polytope: Polytope,
    work: Work,
    starts: Floats2,
    sizes: Floats1,
    radii: Floats1,
    slacks: Floats1,
    limit: float,
    deep: bool,
    gap: Floats1,
    normal: Floats2,
    middle: Floats2,
) -> None:
    """Measure the distance or depth of each pair.

    Parameters
    ----------
    a, b : Side
        P rows each.
    polytope, work : Polytope, Work
        Room for those of one pair.
    starts : (P, 3) float64
        From the centers of B to those of A.
    sizes, radii, slacks : (P,) float64
        The sizes of both shapes together, their radii, and the rounding errors.
    limit : float
        Pairs that are farther apart are not measured. May be infinite.
    deep : bool
        As for `collision_kit.core.narrow_phase.support_gap.measured`.
    gap, normal, middle : (P,), (P, 3), (P, 3) float64
        Written: the gap of the cores, the normal, and the midpoint between the points of the cores, which is NaN for
        pairs beyond the limit.
    """
    zero = 0.0, 0.0, 0.0
    for pair in range(len(sizes)):
        one, other = placed(a, pair, zero), placed(b, pair, zero)
        found = core_gap(
            one,
            other,
            polytope,
            work,
            row(starts, pair),
            sizes[pair],
            radii[pair],
            slacks[pair],
            limit,
            deep,
        )
        gap[pair] = found[0]
        put(normal, pair, found[1])
        put(middle, pair, scaled(0.5, plus(found[2], found[3])))


def core_gap(
    a: Shape,
    b: Shape,
    polytope: Polytope,
    work: Work,
    start: Vector,
    size: float,
    radii: float,
    slack: float,
    limit: float,
    deep: bool,
) -> Settled:
    """The gap of the cores of A and B; see `measure`."""
    scale = max(size - radii, ROUNDING_STEPS * EPS * size / NEAR)
    state, near, _, way, on_a, on_b, certain, doubtful, simplex = closest_points(
        a, b, work, start, size, limit + BEYOND * slack + radii, CURVED_DISTANCE, False
    )
    if dot(way, way) == 0.0:
        way = third_axis()
    best = near, way, on_a, on_b, inf
    if state == FAR:
        none = nan, nan, nan
        return near, way, none, none, inf
    refined = state == OVERLAPPING
    if state == OVERLAPPING:
        if not deep and certain:
            return -inf, way, on_a, on_b, inf
        best = depth_of(a, b, polytope, work, start, size, scale, simplex)
    elif doubtful or near <= NEAR * scale:
        level = gap_along(a, b, way)
        # If the points are certainly within the radii, or coincide by far, this is sufficient.
        together = not deep and near <= max(radii - BEYOND * slack, slack / BEYOND)
        refined = near - level > slack and not together
        best = 0.0 if together else level, way, on_a, on_b, inf
        # If the closest direction found shows an overlap, GJK has stalled before a sharp edge or tip.
        if refined and (near <= NEAR * scale or level < -slack):
            best = measured_apart(a, b, work, start, scale, size, True, level, way, on_a, on_b)
            # Cores without volume have their shortest separating translation perpendicular to them.
            if best[0] < -NEAR * scale:
                best = symmetric_depth(a, b, polytope, work, start, size, scale, 0.0, best)
        if refined and near - best[0] > slack:
            best = settled_gap(a, b, work, size, slack, best)
    if deep and refined:
        # The points may be off the supporting planes by the thickness of a sliver.
        way, on_a, on_b = best[1], best[2], best[3]
        rise, fall = below_planes(a, b, way, on_a, on_b)
        best = best[0], way, plus(on_a, scaled(rise, way)), minus(on_b, scaled(fall, way)), best[4]
    return best


def depth_of(
    a: Shape, b: Shape, polytope: Polytope, work: Work, start: Vector, size: float, scale: float, simplex: Simplex
) -> Settled:
    """Minus the depth of cores that overlap, from a simplex that contains the origin."""
    upper, lower, way, on_a, on_b, done, close, _, last = expanded_from(a, b, polytope, size, simplex)
    best = -upper, way, on_a, on_b, inf
    # A large triangle of A - B may be tilted so that its vertices, and the points of A and B in it, are off a surface.
    rise, fall = below_planes(a, b, way, on_a, on_b)
    if close and max(abs(rise), abs(fall)) <= OFF * scale:
        return best
    if upper < inf:
        found = from_faces(a, b, polytope, work, size, scale, best, last, done)
        if found[4] < inf:
            return found
    if not close and upper - lower > CURVED_DEPTH * scale:
        best = measured_apart(a, b, work, start, scale, size, True, best[0], best[1], best[2], best[3])
        if -best[0] > NEAR * scale:
            return symmetric_depth(a, b, polytope, work, start, size, scale, lower, best)
    return measured_apart(a, b, work, start, scale, size, False, best[0], best[1], best[2], best[3])


def expanded_from(a: Shape, b: Shape, polytope: Polytope, size: float, simplex: Simplex) -> Deepest:
    """The depth by EPA from a simplex; infinite if a face of it has no normal."""
    hold(polytope.vertices, simplex)
    if begun(polytope):
        return deepest(a, b, polytope, size + reach_of(simplex), CURVED_DEPTH)
    none = 0.0, 0.0, 0.0
    return inf, 0.0, none, none, none, True, False, False, none


def below_planes(a: Shape, b: Shape, way: Vector, on_a: Vector, on_b: Vector) -> tuple[float, float]:
    """The distances of points of A and B below the supporting planes along the direction, and along its opposite."""
    back = scaled(-1.0, way)
    rise = dot(minus(support(a, way), on_a), way)
    return rise, dot(minus(support(b, back), on_b), back)


def from_faces(
    a: Shape,
    b: Shape,
    polytope: Polytope,
    work: Work,
    size: float,
    scale: float,
    best: Settled,
    last: Vector,
    done: bool,
) -> Settled:
    """The least overlap that is found from the best direction and from normals of faces of an unfinished polytope.

    Its error is infinite if the search has not converged, another face is nearer than the depth found, or A and B do
    not touch at the points found once B has moved out by it. Edges that are short beside the shapes may stop Newton's
    method before that. In a curved valley of almost equal overlap, it stops at several places.
    """
    faces, gaps = floats2(MOST_FACES, 3), floats1(STARTS)
    count, rest = 0, inf
    if not done:
        count, rest = write_faces(polytope, last, -best[0], MOST_FACES, faces)
    slack, level, top, converged = GAIN * scale, -inf, best[1], False
    for k in range(count + 1):
        begin = best[1] if k == 0 else row(faces, k - 1)
        way, ended = steepest_direction(a, b, size, normalized(begin), True)
        gaps[k] = gap_along(a, b, way)
        if gaps[k] > level:
            level, top, converged = gaps[k], way, ended
    lower, way, on_a, on_b, miss = brought_together(a, b, work, top, level, slack)
    exact = converged and miss <= TOUCHING * slack and lower >= best[0] - slack and rest >= -lower - slack
    for k in range(count + 1):
        behind = level - gaps[k]
        exact = exact and not (behind > slack and behind < VALLEY / GAIN * slack)
    return lower, way, on_a, on_b, miss if exact else inf


def symmetric_depth(
    a: Shape,
    b: Shape,
    polytope: Polytope,
    work: Work,
    start: Vector,
    size: float,
    scale: float,
    proved: float,
    best: Settled,
) -> Settled:
    """Minus the depth in a symmetric position, with a lower bound of it: by small shifts of B, then by a search."""
    unsure = True
    for turn in range(2):
        if unsure:
            shift = small_shift(turn, ASIDE * scale)
            moved, begin = shifted(b, shift), minus(start, shift)
            state, _, _, _, _, _, _, _, simplex = closest_points(
                a, moved, work, begin, size, inf, CURVED_DISTANCE, False
            )
            if state == OVERLAPPING:
                upper, lower, way, on_a, on_b, _, _, _, _ = expanded_from(a, moved, polytope, size, simplex)
                # The depth changes by at most the length of the shift.
                proved = max(proved, lower - length(shift))
                if upper < inf:
                    level = gap_along(a, b, way)
                    if level > best[0]:
                        best = level, way, on_a, minus(on_b, shift), inf
            proved = max(proved, 0.0)
            unsure = -best[0] - proved > 4.0 * ASIDE * scale
    if unsure:
        best = searched(a, b, work, start, size, scale, best)
    return measured_apart(a, b, work, start, scale, size, False, best[0], best[1], best[2], best[3])


def small_shift(turn: int, by: float) -> Vector:
    """Return one of two short vectors that are not parallel to common axes and planes."""
    if turn == 0:
        return 0.61 * by, -0.47 * by, 0.29 * by
    return -0.31 * by, 0.43 * by, 0.71 * by


def settled_gap(a: Shape, b: Shape, work: Work, size: float, slack: float, best: Settled) -> Settled:
    """Improve a pair whose points are not proved to be the closest."""
    way, _ = steepest_direction(a, b, size, best[1], True)
    put_feature(a, b, work, way)
    found = settled(a, b, work, 4, way, slack / 4.0)
    miss = length(minus(minus(best[3], best[2]), scaled(best[0], best[1])))
    # Of directions that are equal within rounding, the one with the more accurate points is better.
    if found[0] >= best[0] + slack or (found[0] >= best[0] - slack and found[4] < miss):
        return found
    return best


def searched(a: Shape, b: Shape, work: Work, start: Vector, size: float, scale: float, best: Settled) -> Settled:
    """Search for a direction with less overlap from many sides, for a pair without a sufficient bound."""
    ways, gaps = floats2(DIRECTIONS, 3), floats1(DIRECTIONS)
    for k in range(DIRECTIONS):
        # The middle of the cube has no direction.
        to = (float(k // 9 - 1), float(k // 3 % 3 - 1), float(k % 3 - 1))
        begin = best[1] if k == DIRECTIONS // 2 else normalized(to)
        way, _ = steepest_direction(a, b, size, begin, False)
        put(ways, k, way)
        gaps[k] = gap_along(a, b, way)
    result = best
    for _ in range(FOLLOWED):
        top = 0
        for k in range(DIRECTIONS):
            if gaps[k] > gaps[top]:
                top = k
        way, level = row(ways, top), gaps[top]
        gaps[top] = -inf
        on_a = support(a, way)
        on_b = support(b, scaled(-1.0, way))
        found = measured_apart(a, b, work, start, scale, size, False, level, way, on_a, on_b)
        if found[0] > result[0]:
            result = found
    return result
