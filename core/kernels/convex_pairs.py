# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of convex shapes whose distance, depth or overlap GJK and EPA prove, radii included.

Each pair is measured in a frame at A's translation, so that shapes far from the origin keep their precision. Pairs that
are not proved are left to other algorithms: polytopes that touch or nearly so, flat ones, and those with two equally
short separating translations. Curved shapes that touch are moved apart by a millionth of their size, which shows their
normal, and points that are opposite each other along it prove the distance.
"""

from math import inf, nan

from ..numerics.tolerances import BEYOND, CURVED_DEPTH, CURVED_DISTANCE, EPS, NEAR, ROUNDING_STEPS
from .active_set import Settled, Work
from .apart import gap_along
from .arrays import Bools1, Floats1, Ints1, Vector
from .closest import closest_moved, closest_points, hold
from .epa import Polytope, begun, deepest, expanded
from .gjk import APART, FAR, OVERLAPPING, Simplex
from .loading import kernel
from .newton import least_overlap, local_gap
from .results import DistanceRows, put_distance
from .steepest import unit_or_up
from .supports import Shape, Side, placed, shifted
from .vectors import greatest_coordinate, length, minus, plus, put, row, scaled

# Dimensionless: the relative difference of the bounds of a distance that usually shows whether the radii exceed it.
ROUGH = 0.3
# Dimensionless: how far curved shapes that touch are moved apart to find their normal, as a share of the size of both;
# and the greatest number of such moves.
_STEP_OUT, _STEPS = 1e-6, 2
# Dimensionless: how far one shape is moved where symmetry leaves a pair undecided, as a share of the size of both: to
# decide whether it is deeper than a level, and to find its depth.
_ASIDE, _LITTLE_ASIDE = 1e-3, 1e-9


@kernel
def distances(
    a: Side,
    rows_a: Ints1,
    b: Side,
    rows_b: Ints1,
    curved: bool,
    limit: float,
    polytope: Polytope,
    work: Work,
    result: DistanceRows,
    proved: Bools1,
) -> None:
    """Measure the signed distance of each pair, and find its points.

    Parameters
    ----------
    a, b : Side
        All shapes, with centers and extents.
    rows_a, rows_b : (P,) int64
        The shapes of each pair.
    curved : bool
        Whether A or B has a curved surface, apart from its radius.
    limit : float
        Pairs that are farther apart are not measured exactly. May be infinite.
    polytope, work : Polytope, Work
        Room for those of one pair.
    result : DistanceRows
        Written.
    proved : (P,) bool
        Written: whether the pair is measured. If not, only `rounding` is written.
    """
    tolerance = CURVED_DISTANCE if curved else 0.0
    for pair in range(len(rows_a)):
        i, j = rows_a[pair], rows_b[pair]
        origin = row(a.translation, i)
        one, other = placed(a, i, origin), placed(b, j, origin)
        radius_a, radius_b = a.extents[i, 1], b.extents[j, 1]
        size, radii, slack = a.extents[i, 0] + b.extents[j, 0], radius_a + radius_b, error(one, other, curved)
        exact = ROUNDING_STEPS * EPS * size
        begin = minus(minus(row(a.centers, i), row(b.centers, j)), other.place)
        state, core, _, way, on_a, on_b, certain, doubtful, simplex = closest_points(
            one, other, work, begin, size, limit + BEYOND * slack + radii, tolerance, not curved
        )
        result.rounding[pair] = slack
        proved[pair] = state == FAR
        if curved and state != FAR:
            core, way, on_a, on_b, off = curved_gap(
                one, other, begin, size, exact, state, core, way, certain, simplex, polytope, work
            )
            proved[pair] = off <= exact
        elif state == APART:
            proved[pair] = not doubtful and core > NEAR * size
        elif state != FAR:
            hold(polytope.vertices, simplex)
            if begun(polytope):
                total = size + reach_of(simplex)
                depth, _, way, on_a, on_b, _, close, tied, _ = deepest(one, other, polytope, total, 0.0)
                core = -depth
                # For nearly flat shapes, the lower bound comes from slivers with inaccurate normals.
                proved[pair] = close and not tied and depth > NEAR * size
        if proved[pair]:
            gap = core - radii
            middle = plus(scaled(0.5, plus(on_a, on_b)), scaled((radius_a - radius_b) / 2.0, way))
            middle = plus(scaled(nan, middle) if state == FAR else middle, origin)
            put_distance(result, pair, gap, way, middle, slack)


@kernel
def overlaps(
    a: Side, rows_a: Ints1, b: Side, rows_b: Ints1, curved: bool, work: Work, overlap: Bools1, proved: Bools1
) -> None:
    """Decide whether the shapes of each pair have a point in common, touching included; as `distances`."""
    tolerance = CURVED_DISTANCE if curved else 0.0
    for pair in range(len(rows_a)):
        i, j = rows_a[pair], rows_b[pair]
        one, other = placed(a, i, row(a.translation, i)), placed(b, j, row(a.translation, i))
        size, radii, slack = (
            a.extents[i, 0] + b.extents[j, 0],
            a.extents[i, 1] + b.extents[j, 1],
            error(one, other, curved),
        )
        exact = ROUNDING_STEPS * EPS * size
        begin = minus(minus(row(a.centers, i), row(b.centers, j)), other.place)
        limit, together = BEYOND * slack + radii, False
        state, core, way, on_a, on_b, certain, doubtful = APART, 0.0, begin, begin, begin, False, False
        if curved and radii > 0.0:
            # Points that are nearer than the radii need not be the closest.
            state, core, _, _, _, _, _, _, _ = closest_points(one, other, work, begin, size, limit, ROUGH, False)
            together = state == APART and core <= radii - BEYOND * slack
        if state != FAR and not together:
            state, core, _, way, on_a, on_b, certain, doubtful, _ = closest_points(
                one, other, work, begin, size, limit, tolerance, not curved
            )
        if state == FAR:
            overlap[pair], proved[pair] = False, True
        elif state == APART:
            # The points are proved to be this near. If the radii are certainly larger, the direction does not matter.
            together = together or core <= radii - BEYOND * slack
            sure = together or not (doubtful or core <= NEAR * size)
            if curved and not together:
                sure = length(minus(on_b, on_a)) <= 0.5 * exact
                if not sure:
                    core, _, _, _, off = near_gap(one, other, work, begin, size, exact, core, way)
                    sure = off <= exact
            overlap[pair], proved[pair] = core - radii <= slack, sure
        else:
            overlap[pair], proved[pair] = True, certain or not curved
            if not proved[pair]:
                core, _, _, _, off = touching(one, other, work, begin, size, exact)
                overlap[pair], proved[pair] = core - radii <= slack, off <= exact


def curved_gap(
    a: Shape,
    b: Shape,
    begin: Vector,
    size: float,
    exact: float,
    state: int,
    distance: float,
    way: Vector,
    certain: bool,
    simplex: Simplex,
    polytope: Polytope,
    work: Work,
) -> Settled:
    """The gap of cores, one of which is curved, from what GJK has found. The last result is above `exact` if unproved.

    The bounds of GJK and EPA agree to rounding, but leave the normal, and so the points, open to the root of it.
    """
    if state == OVERLAPPING and certain:
        found = curved_depth(a, b, size, exact, simplex, (0.0, 0.0, 0.0), polytope)
        if found[4] <= exact:
            return found
        return touching(a, b, work, begin, size, exact)
    if state == OVERLAPPING:
        found = touching(a, b, work, begin, size, exact)
    else:
        found = near_gap(a, b, work, begin, size, exact, distance, way)
    if found[4] <= exact or (state == APART and distance > NEAR * size):
        return found
    # Of shapes with a common axis or plane of symmetry, the simplex may have the origin on a face. That is not so if
    # one of them is moved a little.
    shift = off_axes(_LITTLE_ASIDE * size)
    state, _, _, _, _, _, _, _, simplex = closest_moved(a, b, work, begin, size, shift)
    if state == OVERLAPPING:
        other = curved_depth(a, b, size, exact, simplex, shift, polytope)
        # `overlaps` leaves these pairs to other algorithms. So they decide those that are a rounding apart, and those
        # that overlap less along the direction of their closest points after a move apart.
        _, way, _, _, _ = touching(a, b, work, begin, size, exact)
        less = gap_along(a, b, way)
        if other[0] <= 0.0 and less <= other[0] + exact:
            return other
    return found


def curved_depth(
    a: Shape, b: Shape, size: float, exact: float, simplex: Simplex, shift: Vector, polytope: Polytope
) -> Settled:
    """Minus the depth by EPA and Newton's method, from a simplex of A and B moved by `shift`; see `curved_gap`."""
    hold(polytope.vertices, simplex)
    for k in range(4):
        put(polytope.vertices, k, plus(row(polytope.vertices, k), shift))
    if not begun(polytope):
        return 0.0, shift, shift, shift, inf
    total = size + reach_of(simplex)
    _, _, way, _, _, _, _, _, _ = deepest(a, b, polytope, total, CURVED_DEPTH)
    return least_overlap(a, b, polytope, way, size, exact)


def near_gap(
    a: Shape, b: Shape, work: Work, begin: Vector, size: float, exact: float, distance: float, way: Vector
) -> Settled:
    """The gap of curved cores that GJK finds to be apart or to touch, from their distance and direction."""
    if distance <= NEAR * size:
        found = touching(a, b, work, begin, size, exact)
        if found[4] <= exact:
            return found
    core, way, on_a, on_b, off = local_gap(a, b, way, size, exact)
    return core, way, on_a, on_b, off if core >= -exact else inf


def touching(a: Shape, b: Shape, work: Work, begin: Vector, size: float, exact: float) -> Settled:
    """The gap of cores that touch, its direction, and the points; see `local_gap`. The error is infinite if unproved.

    Cores that touch have no direction between their points. If B is moved away a little, they have one, and it is that
    of the cores, or near it. The gap along any direction is at most the distance, and the distance is at most that of
    two points. So points that are opposite each other along a direction prove it, unless the cores overlap by more than
    rounding.
    """
    way = unit_or_up(scaled(-1.0, begin))
    for _ in range(_STEPS):
        shift = scaled(_STEP_OUT * size, way)
        state, _, _, found, _, _, _, _, _ = closest_moved(a, b, work, begin, size, shift)
        if state != APART:
            break
        best = local_gap(a, b, found, size, exact)
        if best[4] <= exact and best[0] >= -exact:
            return best
        way = found
    return 0.0, way, way, way, inf


@kernel
def deeper(
    a: Side,
    rows_a: Ints1,
    b: Side,
    rows_b: Ints1,
    curved: bool,
    levels: Floats1,
    polytope: Polytope,
    work: Work,
    deep: Bools1,
    proved: Bools1,
) -> None:
    """Decide which pairs are deeper in each other than a level.

    Parameters
    ----------
    a, b, rows_a, rows_b, curved, polytope, work
        As for `distances`.
    levels : (P,) float64
        At least the rounding of each pair.
    deep : (P,) bool
        Written: whether no translation by the level or less separates the pair.
    proved : (P,) bool
        Written: whether this is certain.
    """
    tolerance = CURVED_DISTANCE if curved else 0.0
    for pair in range(len(rows_a)):
        i, j = rows_a[pair], rows_b[pair]
        one, other = placed(a, i, row(a.translation, i)), placed(b, j, row(a.translation, i))
        size, slack = a.extents[i, 0] + b.extents[j, 0], error(one, other, curved)
        # The level of the cores.
        level = levels[pair] - a.extents[i, 1] - b.extents[j, 1]
        begin = minus(minus(row(a.centers, i), row(b.centers, j)), other.place)
        deep[pair], proved[pair] = is_deeper(
            one, other, begin, size, slack, level, tolerance, not curved, polytope, work
        )
        if not proved[pair]:
            # Of shapes with a common axis or plane of symmetry, the simplex may have the origin on a face. That is not
            # so if one of them is moved a little, which changes the depth by no more than the way.
            way = off_axes(_ASIDE * size)
            there = shifted(other, way)
            far, _ = is_deeper(
                one,
                there,
                minus(begin, way),
                size,
                slack,
                level + _ASIDE * size,
                tolerance,
                not curved,
                polytope,
                work,
            )
            deep[pair], proved[pair] = far, far


def is_deeper(
    a: Shape,
    b: Shape,
    begin: Vector,
    size: float,
    slack: float,
    level: float,
    tolerance: float,
    settle: bool,
    polytope: Polytope,
    work: Work,
) -> tuple[bool, bool]:
    """Whether the cores of A and B are deeper in each other than a level, and whether that is sure.

    The arguments are those of `closest_points`; `slack` is the rounding of the pair.
    """
    state, core, bound, _, _, _, certain, _, simplex = closest_points(
        a, b, work, begin, size, max(BEYOND * slack - level, 0.0), tolerance, settle
    )
    if state == FAR:
        return False, True
    if state == APART:
        return -core > level, -core > level or slack - bound <= level
    hold(polytope.vertices, simplex)
    if not begun(polytope):
        return False, False
    total = size + reach_of(simplex)
    low, upper, _, _, _, _, _, _ = expanded(a, b, polytope, total, 0.0, level - slack, level)
    return certain and low > level, (certain and low > level) or upper <= level - slack


def off_axes(size: float) -> Vector:
    """Return a vector of at most a length, not parallel to common axes and planes."""
    return 0.789 * size, 0.084 * size, 0.608 * size


def error(a: Shape, b: Shape, curved: bool) -> float:
    """The rounding error of the distance of a pair; see `tolerances.rounding`."""
    which, i, j = 3 if curved else 2, a.at, b.at
    size = a.side.extents[i, 0] + b.side.extents[j, 0]
    return ROUNDING_STEPS * EPS * (size + max(a.side.extents[i, which], b.side.extents[j, which]))


def reach_of(simplex: Simplex) -> float:
    """The greatest coordinate of the vertices of a simplex."""
    _, p, q, r, tip, _, _, _, _ = simplex
    most = max(greatest_coordinate(p), greatest_coordinate(q))
    return max(most, max(greatest_coordinate(r), greatest_coordinate(tip)))
