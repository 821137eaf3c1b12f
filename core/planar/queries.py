# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions of the plane, the same for every pair of kinds, for one pair or a million.

Without `pairs`, batches of equal length are taken row by row, and a batch of one goes with every row of the other. With
`pairs` (P, 2), row i of the answer is about ``a[pairs[i, 0]]`` and ``b[pairs[i, 1]]``. Signs, witnesses, touching and
rounding are those of `collision_kit.core`; vectors are (N, 2).
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..constants import Verdict
from ..continuous.time_of_impact import MAX_ITERATIONS
from ..numerics import counters
from ..numerics.tolerances import EPS, ROUNDING_STEPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import PLANE, array, coordinates, numbers, one_length, row_lengths, whole_number
from ..query.dispatch import pair_margins, rows_of_pairs
from ..query.margins import InflatedPairs
from ..query.queries import check_known
from ..results import Contacts, Distances, Impacts, Separations, UnsupportedPair
from . import bare_queries, turning
from .bare_queries import Operand
from .margins import PlanarPairs
from .shapes.convex import AABBs, Circles, Polygons, Rectangles
from .shapes.regions import Regions

KINDS = (Circles, AABBs, Rectangles, Polygons, Regions)


def bounds(shapes: Any) -> tuple[Floats, Floats]:
    """Axis-aligned bounds of each shape: lower (N, 2) and upper (N, 2).

    Parameters
    ----------
    shapes : batch of shapes of the plane or World

    Returns
    -------
    lower, upper : (N, 2) float64

    Raises
    ------
    UnsupportedPair
        If `shapes` is no batch of shapes of the plane.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> a = planar.Rectangles([[0, 0]], [[1, 1]], [0.0])
    >>> planar.bounds(a)
    (array([[-1., -1.]]), array([[1., 1.]]))
    """
    check_kind(shapes, "shapes")
    found: tuple[Floats, Floats] = shapes.bounds()
    return found


def overlap(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Bools:
    """Whether the shapes of each pair have a point in common.

    Touching counts: a gap no larger than rounding at the shapes' coordinates is contact. Bounding boxes and circles
    inside the shapes settle what they can first; `collision_kit.core.QueryStats` counts how much.

    Parameters
    ----------
    a, b : batch of shapes of the plane or World
        The N shapes of A and the M shapes of B. Without `pairs` they go row by row, and a batch of one goes with every
        row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare.

    Returns
    -------
    (P,) bool

    Raises
    ------
    UnsupportedPair
        For what is no shape of the plane.
    ValueError
        If `pairs` has the wrong shape or names a row that is not there; without `pairs`, if the lengths differ and
        neither is one.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> a = planar.Rectangles([[0, 0]], [[1, 1]], [0.0])
    >>> planar.overlap(a, planar.Circles([[1.5, 0], [3, 0]], [1, 1]))
    array([ True, False])
    """
    rows, inflated = _asked(a, b, pairs)
    return bare_queries.overlap(a, b, rows) if inflated is None else inflated.overlap()


def separating_axis(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Separations:
    """The axis along which each pair is farthest apart, or overlaps least.

    Two polygons, boxes or rectangles have the normals of their edges, either way around: the gap is then at most the
    distance. With a circle it is the direction of the closest points. Regions have none that tells them apart; they
    answer with their distance and its normal.

    Parameters
    ----------
    a, b : batch of shapes of the plane or World
        The N shapes of A and the M shapes of B. Without `pairs` they go row by row, and a batch of one goes with every
        row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare.

    Returns
    -------
    Separations
        One row for each pair: gap, axis from A to B, and the features that made the axis.

    Raises
    ------
    UnsupportedPair
        For what is no shape of the plane.
    ValueError
        If `pairs` has the wrong shape or names a row that is not there; without `pairs`, if the lengths differ and
        neither is one.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> a = planar.Rectangles([[0, 0]], [[1, 1]], [0.0])
    >>> planar.separating_axis(a, planar.Circles([[3, 0]], [1])).gap
    array([1.])
    """
    rows, inflated = _asked(a, b, pairs)
    return bare_queries.separating_axis(a, b, rows) if inflated is None else inflated.separating_axis()


def distance(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Distances:
    """Signed Euclidean distance of each pair, witness points and normal.

    Apart: the distance and the closest points. Overlapping: minus the length of the shortest translation that parts the
    two, and its direction. Concentric circles have the normal +Y. Convex shapes have witnesses on their surfaces in
    either case. Of regions that overlap, the depth is that of the shortest way out, be it into a hole, to 1e-9 of their
    size; their witnesses lie that far from each other, about a place where the two overlap.

    Parameters
    ----------
    a, b : batch of shapes of the plane or World
        The N shapes of A and the M shapes of B. Without `pairs` they go row by row, and a batch of one goes with every
        row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare.

    Returns
    -------
    Distances
        One row for each pair: signed distance, witness points, normal from A to B, and rounding.

    Raises
    ------
    UnsupportedPair
        For what is no shape of the plane.
    ValueError
        If `pairs` has the wrong shape or names a row that is not there; without `pairs`, if the lengths differ and
        neither is one.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> a = planar.Rectangles([[0, 0]], [[1, 1]], [0.0])
    >>> planar.distance(a, planar.Circles([[3, 0]], [1])).distance
    array([1.])
    """
    rows, inflated = _asked(a, b, pairs)
    return bare_queries.distance(a, b, rows) if inflated is None else inflated.distance()


def contacts(a: Operand, b: Operand, pairs: ArrayLike | None = None, margin: float = 0.0) -> Contacts:
    """Contact manifolds: point, normal from A to B, depth, type and features.

    Parameters
    ----------
    a, b : batch of shapes of the plane or World
        The N shapes of A and the M shapes of B. Without `pairs` they go row by row, and a batch of one goes with every
        row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare.
    margin : float
        In the caller's unit, not negative. Pairs up to this far apart have contacts too, of negative depth. At 0 a pair
        has a contact exactly if it overlaps.

    Returns
    -------
    Contacts
        Rows of one pair are together, deepest first. Convex shapes: two where edges face each other, else one, and all
        have the normal of the pair. Regions: those of all their pieces that meet, each once, with normals of edges of
        the boundaries or from corner to corner, never of a cut between pieces; bodies so deep in each other that there
        are none get one, along the shortest way out, of no feature (-1, -1).

    Raises
    ------
    UnsupportedPair
        For what is no shape of the plane.
    ValueError
        If `margin` is negative or not finite.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> a = planar.Rectangles([[0, 0]], [[1, 1]], [0.0])
    >>> planar.contacts(a, planar.Rectangles([[1.75, 0]], [[1, 0.5]], [0.0])).depth
    array([0.25, 0.25])
    """
    reach = one_length(margin, "margin")
    rows, inflated = _asked(a, b, pairs)
    return bare_queries.contacts(a, b, rows, reach) if inflated is None else inflated.contacts(reach, None)


def contains(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Bools:
    """Whether A holds all of B, touching from inside included.

    Parameters
    ----------
    a, b : batch of shapes of the plane or World
        The N shapes of A and the M shapes of B. Without `pairs` they go row by row, and a batch of one goes with every
        row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare.

    Returns
    -------
    (P,) bool

    Raises
    ------
    UnsupportedPair
        For what is no shape of the plane.
    ValueError
        If `pairs` has the wrong shape or names a row that is not there; without `pairs`, if the lengths differ and
        neither is one.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> a = planar.Rectangles([[0, 0]], [[1, 1]], [0.0])
    >>> planar.contains(a, planar.Circles([[0, 0], [0, 0]], [1, 2]))
    array([ True, False])
    """
    rows, inflated = _asked(a, b, pairs)
    return bare_queries.contains(a, b, rows) if inflated is None else inflated.contains()


def interference(a: Operand, b: Operand, pairs: ArrayLike | None = None, *, known: Distances | None = None) -> Floats:
    """How deep any point of one shape of each pair is in the other.

    Of two convex shapes it is the penetration depth. Of others it is the greatest distance, from the boundary of the
    one, of a point of the boundary of the other that is inside; or the radius of the largest circle in what the two
    share, where that is greater, as it is of two copies in one place. Of a peg that is 0.1 too wide on one side of its
    slot it is 0.1, however long the way out of the slot is.

    Parameters
    ----------
    a, b : batch of shapes of the plane or World
        The N shapes of A and the M shapes of B. Without `pairs` they go row by row, and a batch of one goes with every
        row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare.
    known : Distances, optional
        What `distance` answered about the same pairs, so that they need not be measured again.

    Returns
    -------
    (P,) float64
        In the caller's unit, to 1e-9 of it, and at most the penetration depth; 0 where shapes are apart or touch.

    Raises
    ------
    UnsupportedPair
        For what is no shape of the plane.
    ValueError
        If `pairs` has the wrong shape or names a row that is not there; without `pairs`, if the lengths differ and
        neither is one.

    Examples
    --------
    >>> slot = Regions([([[0, 0], [4, 0], [4, 2], [3, 2], [3, 1], [1, 1], [1, 2], [0, 2]], [])])
    >>> interference(slot, AABBs([[1, 1], [0.9, 1]], [[3, 2], [3, 2]]))
    array([0. , 0.1])
    """
    rows, inflated = _asked(a, b, pairs)
    check_known(known, len(rows))
    measured = _measured(a, b, rows, inflated) if known is None else known
    if inflated is None:
        return bare_queries.interference(a, b, rows, measured)
    return inflated.interference(measured, np.zeros(len(rows)))


def classify(
    a: Operand, b: Operand, pairs: ArrayLike | None = None, *, touching: ArrayLike = 0.0, clearance: ArrayLike = 0.0
) -> Ints:
    """The `Verdict` on each pair.

    Parameters
    ----------
    a, b : batch of shapes of the plane or World
        The N shapes of A and the M shapes of B. Without `pairs` they go row by row, and a batch of one goes with every
        row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare.
    touching : float or (P,) array-like
        Pairs that are no farther apart than this, and of which no point of one is deeper in the other, touch: those
        whose `interference` is no more. Rounding counts as touching in any case.
    clearance : float or (P,) array-like
        Pairs that do not touch, but are no farther apart than this, are within clearance.

    Returns
    -------
    (P,) int64
        Values of `Verdict`. Contained: one of the two holds all of the other.

    Raises
    ------
    UnsupportedPair
        If `a` or `b` is no batch of shapes of the plane.
    ValueError
        If `pairs` has the wrong shape or names a row that is not there; without `pairs`, if the lengths differ and
        neither is one; if `touching` or `clearance` is negative or not finite, or has another number of
        rows than there are pairs.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> a = planar.Rectangles([[0, 0]], [[1, 1]], [0.0])
    >>> planar.classify(a, planar.Circles([[1.5, 0], [9, 0]], [1, 1]))
    array([3, 0])
    """
    rows, inflated = _asked(a, b, pairs)
    levels = row_lengths(touching, "touching", len(rows)), row_lengths(clearance, "clearance", len(rows))
    measured = _measured(a, b, rows, inflated)
    result = measured.verdict(*levels)
    deep = np.flatnonzero(result == Verdict.PENETRATING)
    inner = interference(a, b, rows[deep], known=measured.take(deep))
    fits = inner <= np.maximum(levels[0], measured.rounding)[deep]
    result[deep[fits]] = Verdict.TOUCHING
    deep = deep[~fits]
    held = contains(a, b, rows[deep]) | contains(b, a, rows[deep, ::-1])
    result[deep[held]] = Verdict.CONTAINED
    return result


def time_of_impact(
    a: Operand,
    b: Operand,
    pairs: ArrayLike | None = None,
    *,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    angular_velocity_a: ArrayLike | None = None,
    angular_velocity_b: ArrayLike | None = None,
    pivot_a: ArrayLike | None = None,
    pivot_b: ArrayLike | None = None,
    margin: ArrayLike = 0.0,
    max_iterations: int = MAX_ITERATIONS,
) -> Impacts:
    """First time in [0, 1] at which the shapes of each pair touch, with point and normal.

    Pairs that do not turn touch at an entry time along some axis (doc4code 2011, "Dynamic intersection test").
    `candidate_axes` shows the times.

    Parameters
    ----------
    a, b : batch of shapes of the plane or World
        The N shapes of A and the M shapes of B. Without `pairs` they go row by row, and a batch of one goes with every
        row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare.
    velocity_a, velocity_b : (N, 2) array-like, optional
        Displacement of each shape over the interval. One row stands for all. None: the shapes stay.
    angular_velocity_a, angular_velocity_b : (N,) array-like, optional
        Radians over the interval, counter-clockwise, about `pivot_a` and `pivot_b`. One number stands for all.
    pivot_a, pivot_b : (N, 2) array-like, optional
        Centers of rotation at time 0; they are displaced with the shape. None: the origin.
    margin : float or (P,) array-like
        Not negative. Pairs touch when they are no farther apart than this; the point then lies midway between them.
    max_iterations : int
        Pairs that take more are left undecided.

    Returns
    -------
    Impacts
        Touching or overlapping at the start is a hit at 0, a graze is a hit. Without rotation and margin times are
        exact and all pairs are decided: by entry and exit times along each axis, circles by the roots of quadratics.
        With rotation a pair is taken to touch when it is no farther apart than `tolerances.ADVANCEMENT` of its size, so
        a hit may be early by the time it takes to close that gap, and is never late.

    Raises
    ------
    UnsupportedPair
        For what is no shape of the plane.
    ValueError
        If `pairs` has the wrong shape or names a row that is not there; without `pairs`, if the lengths differ and
        neither is one; if a velocity has the wrong shape or is not finite.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> a = planar.Rectangles([[0, 0]], [[1, 1]], [0.0])
    >>> planar.time_of_impact(a, planar.Circles([[4, 0]], [1]), velocity_b=[[-4, 0]]).time
    array([0.5])
    """
    rows = index_rows(a, b, pairs)
    counters.record_pairs(len(rows))
    room, steps = row_lengths(margin, "margin", len(rows)), whole_number(max_iterations, "max_iterations", 0)
    moves = []
    for side, (name, shapes) in enumerate((("a", a), ("b", b))):
        given = (velocity_a, angular_velocity_a, pivot_a), (velocity_b, angular_velocity_b, pivot_b)
        moves.append([value[rows[:, side]] for value in motion(*given[side], len(shapes), f"_{name}")])
    margins = pair_margins(a, b, rows)
    if margins is not None:
        room = room + margins.sum(axis=1)
    (speed_a, turn_a, pivots_a), (speed_b, turn_b, pivots_b) = moves
    straight = np.flatnonzero((turn_a == 0.0) & (turn_b == 0.0) & (room == 0.0))
    if len(straight) == len(rows):
        return bare_queries.time_of_impact(a, b, rows, speed_a, speed_b)
    result = Impacts.misses(len(rows), 2)
    found = bare_queries.time_of_impact(a, b, rows[straight], speed_a[straight], speed_b[straight])
    _write(result, straight, found)
    rest = np.setdiff1d(np.arange(len(rows)), straight)
    at_start = bare_queries.distance(a, b, rows[rest])
    near = at_start.distance - room[rest] <= at_start.rounding + ROUNDING_STEPS * EPS * room[rest]
    hit = rest[near]
    result.hit[hit], result.time[hit], result.safe[hit] = True, 0.0, 0.0
    result.point[hit] = (at_start.point_a[near] + at_start.point_b[near]) / 2.0
    result.normal[hit] = at_start.normal[near]
    rest = rest[~near]
    for first, second, at_a, at_b, place in bare_queries.groups(a, b, rows[rest]):
        some = rest[place]
        motions = (
            turning.motion_in_space(speed_a[some], turn_a[some], pivots_a[some]),
            turning.motion_in_space(speed_b[some], turn_b[some], pivots_b[some]),
        )
        part = turning.time_of_impact(first.take(at_a), second.take(at_b), motions, room[some], steps)
        _write(result, some, part)
    if margins is not None:
        # The point lies midway between the bare surfaces so far; NaN stays.
        result.point[:] += ((margins[:, 0] - margins[:, 1]) / 2.0)[:, None] * result.normal
    return result


def motion(
    speed: ArrayLike | None, turn: ArrayLike | None, pivot: ArrayLike | None, count: int, name: str
) -> tuple[Floats, Floats, Floats]:
    """Checked velocities (N, 2), angular velocities (N,) and pivots (N, 2); `name` ends the names of the arguments."""
    called = f"angular_velocity{name}"
    given = array(np.zeros(1) if turn is None else np.atleast_1d(numbers(turn, called)), called, (-1,))
    if len(given) not in (1, count):
        raise ValueError(f"{called}: {len(given)} rows, but there are {count} shapes")
    places = velocity(pivot, count, f"pivot{name}")
    return velocity(speed, count, f"velocity{name}"), np.broadcast_to(given, (count,)), places


def velocity(value: ArrayLike | None, count: int, name: str) -> Floats:
    """Checked velocities, (N, 2)."""
    if value is None:
        return np.zeros((count, 2))
    given = numbers(value, name)
    if given.shape == (2,):
        given = given[None]
    checked = coordinates(given, name, (-1, 2), PLANE)
    if len(checked) not in (1, count):
        raise ValueError(f"{name}: {len(checked)} rows, but there are {count} shapes")
    return np.broadcast_to(checked, (count, 2))


def index_rows(a: Operand, b: Operand, pairs: ArrayLike | None) -> Ints:
    """The rows of A and of B of each pair, checked: (P, 2)."""
    check_kind(a, "a")
    check_kind(b, "b")
    return rows_of_pairs(a, b, pairs)


def check_kind(shapes: Any, name: str) -> None:
    """Raise `UnsupportedPair` for what is no shape of the plane, and no world of them."""
    batches = shapes.batches if hasattr(shapes, "slot") and hasattr(shapes, "batches") else (shapes,)
    for batch in batches:
        if not isinstance(batch, KINDS):
            raise UnsupportedPair(f"{name}: {type(batch).__name__} is no shape of the plane")


def _asked(a: Operand, b: Operand, pairs: ArrayLike | None) -> tuple[Ints, InflatedPairs | None]:
    """The rows of each pair, and the pairs with their margins; None if none of their shapes has one."""
    rows = index_rows(a, b, pairs)
    counters.record_pairs(len(rows))
    margin = pair_margins(a, b, rows)
    return rows, None if margin is None else InflatedPairs(PlanarPairs(a, b, rows), margin)


def _measured(a: Operand, b: Operand, rows: Ints, inflated: InflatedPairs | None) -> Distances:
    return bare_queries.distance(a, b, rows) if inflated is None else inflated.distance()


def _write(result: Impacts, rows: Ints, found: Impacts) -> None:
    for name, value in vars(found).items():
        getattr(result, name)[rows] = value
