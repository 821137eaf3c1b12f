# SPDX-License-Identifier: GPL-3.0-or-later
"""The queries in the plane, which are the same for every pair of kinds, for one pair or a million.

Without `pairs`, batches of equal length are compared row by row, and a batch of one is compared with every row of the
other. With `pairs` (P, 2), row i of the result is for ``a[pairs[i, 0]]`` and ``b[pairs[i, 1]]``. Signs, witness points,
touching and rounding are as in `collision_kit.core`; vectors are (N, 2).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import results
from ..constants import Verdict
from ..continuous.time_of_impact import MAX_ITERATIONS
from ..numerics.rows import with_positive_zeros
from ..numerics.tolerances import EPS, ROUNDING_STEPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import PLANE, array, coordinates, numbers, one_length, row_lengths, whole_number
from ..query.margins import InflatedPairs
from ..query.operands import pair_margins, rows_of_pairs
from ..query.queries import check_known
from ..results import Contacts, Distances, Impacts, Separations, UnsupportedPair, put_hits
from . import dispatch
from .dispatch import Operand
from .margins import PlanarPairs
from .narrow_phase import shape_cast
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
        If `shapes` is not a batch of shapes of the plane.

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

    Touching shapes overlap: a gap no larger than the rounding of the shapes' coordinates counts as contact. Many pairs
    are settled early by bounding boxes and by circles inside the shapes; `collision_kit.core.QueryStats` counts them.

    Parameters
    ----------
    a, b : batch of shapes of the plane or World
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.

    Returns
    -------
    (P,) bool

    Raises
    ------
    UnsupportedPair
        If `a` or `b` is not a batch of shapes of the plane.
    ValueError
        If `pairs` has the wrong shape or names a row that does not exist; without `pairs`, if the lengths differ and
        neither is one.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> a = planar.Rectangles([[0, 0]], [[1, 1]], [0.0])
    >>> planar.overlap(a, planar.Circles([[1.5, 0], [3, 0]], [1, 1]))
    array([ True, False])
    """
    rows, inflated = _rows_and_margins(a, b, pairs)
    return dispatch.overlap(a, b, rows) if inflated is None else inflated.overlap()


def separating_axis(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Separations:
    """The axis along which each pair has the largest gap, or overlaps least.

    For polygons, boxes and rectangles, the candidate axes are the edge normals and their opposites, so that the gap is
    at most the distance. With a circle, the axis is the direction of the closest points. No single axis separates
    concave regions: for them, the result is their distance and its normal.

    Parameters
    ----------
    a, b : batch of shapes of the plane or World
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.

    Returns
    -------
    Separations
        One row for each pair: gap, axis from A to B, and the features that define the axis.

    Raises
    ------
    UnsupportedPair
        If `a` or `b` is not a batch of shapes of the plane.
    ValueError
        If `pairs` has the wrong shape or names a row that does not exist; without `pairs`, if the lengths differ and
        neither is one.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> a = planar.Rectangles([[0, 0]], [[1, 1]], [0.0])
    >>> planar.separating_axis(a, planar.Circles([[3, 0]], [1])).gap
    array([1.])
    """
    rows, inflated = _rows_and_margins(a, b, pairs)
    return with_positive_zeros(dispatch.separating_axis(a, b, rows) if inflated is None else inflated.separating_axis())


def distance(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Distances:
    """Signed Euclidean distance of each pair, witness points and normal.

    For separated shapes: the distance and the closest points. For overlapping shapes: minus the length of the shortest
    translation that separates the two, and its direction. The normal of concentric circles is +Y. The witness points of
    convex shapes lie on their surfaces in both cases. The depth of overlapping regions is accurate to 1e-9 of their
    size; the translation may move one into a hole of the other. Their witness points are as far apart as the depth,
    about a place where the two overlap.

    Parameters
    ----------
    a, b : batch of shapes of the plane or World
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.

    Returns
    -------
    Distances
        One row for each pair: signed distance, witness points, normal from A to B, and rounding.

    Raises
    ------
    UnsupportedPair
        If `a` or `b` is not a batch of shapes of the plane.
    ValueError
        If `pairs` has the wrong shape or names a row that does not exist; without `pairs`, if the lengths differ and
        neither is one.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> a = planar.Rectangles([[0, 0]], [[1, 1]], [0.0])
    >>> planar.distance(a, planar.Circles([[3, 0]], [1])).distance
    array([1.])
    """
    rows, inflated = _rows_and_margins(a, b, pairs)
    return with_positive_zeros(dispatch.distance(a, b, rows) if inflated is None else inflated.distance())


def contacts(a: Operand, b: Operand, pairs: ArrayLike | None = None, margin: float = 0.0) -> Contacts:
    """Contact manifolds: point, normal from A to B, depth, type and features.

    Parameters
    ----------
    a, b : batch of shapes of the plane or World
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.
    margin : float
        In the caller's unit, not negative. Pairs no farther apart than this have contacts too, with negative depth. At
        0, a pair has a contact exactly if it overlaps.

    Returns
    -------
    Contacts
        The rows of a pair are adjacent, deepest first. Convex shapes have two contacts where edges face each other,
        otherwise one, all with the normal of the pair. Regions have the contacts of all their pieces that overlap,
        without duplicates. Their normals are those of boundary edges or lead from corner to corner, never those of a
        cut between pieces. If regions penetrate so deeply that there is no such contact, they have one along the
        shortest separating translation, without features (-1, -1).

    Raises
    ------
    UnsupportedPair
        If `a` or `b` is not a batch of shapes of the plane.
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
    rows, inflated = _rows_and_margins(a, b, pairs)
    return with_positive_zeros(
        dispatch.contacts(a, b, rows, reach) if inflated is None else inflated.contacts(reach, None)
    )


def contains(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Bools:
    """Whether A contains all of B; B may touch the boundary of A from inside.

    Parameters
    ----------
    a, b : batch of shapes of the plane or World
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.

    Returns
    -------
    (P,) bool

    Raises
    ------
    UnsupportedPair
        If `a` or `b` is not a batch of shapes of the plane.
    ValueError
        If `pairs` has the wrong shape or names a row that does not exist; without `pairs`, if the lengths differ and
        neither is one.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> a = planar.Rectangles([[0, 0]], [[1, 1]], [0.0])
    >>> planar.contains(a, planar.Circles([[0, 0], [0, 0]], [1, 2]))
    array([ True, False])
    """
    rows, inflated = _rows_and_margins(a, b, pairs)
    return dispatch.contains(a, b, rows) if inflated is None else inflated.contains()


def interference(a: Operand, b: Operand, pairs: ArrayLike | None = None, *, known: Distances | None = None) -> Floats:
    """The greatest depth of a point of one shape of each pair inside the other.

    For two convex shapes, it is the penetration depth. For others, it is the greater of two values. The first is the
    greatest distance, from the boundary of one shape, of a point of the other's boundary inside it. The second is the
    radius of the largest circle in the intersection, which is greater, for example, for two copies in one place. If a
    peg is 0.1 too wide on one side of its slot, the interference is 0.1, however far the peg has to move out of
    the slot.

    Parameters
    ----------
    a, b : batch of shapes of the plane or World
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.
    known : Distances, optional
        The result of `distance` for the same pairs, so that they need not be measured again.

    Returns
    -------
    (P,) float64
        In the caller's unit, accurate to 1e-9 of the size of the pair, and at most the penetration depth; 0 for shapes
        that are apart or touch.

    Raises
    ------
    UnsupportedPair
        If `a` or `b` is not a batch of shapes of the plane.
    ValueError
        If `pairs` has the wrong shape or names a row that does not exist; without `pairs`, if the lengths differ and
        neither is one.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> slot = planar.Regions([([[0, 0], [4, 0], [4, 2], [3, 2], [3, 1], [1, 1], [1, 2], [0, 2]], [])])
    >>> planar.interference(slot, planar.AABBs([[1, 1], [0.9, 1]], [[3, 2], [3, 2]]))
    array([0. , 0.1])
    """
    rows, inflated = _rows_and_margins(a, b, pairs)
    check_known(known, len(rows))
    measured = _measured(a, b, rows, inflated) if known is None else known
    if inflated is None:
        return dispatch.interference(a, b, rows, measured)
    return inflated.interference(measured, np.zeros(len(rows)))


def classify(
    a: Operand, b: Operand, pairs: ArrayLike | None = None, *, touching: ArrayLike = 0.0, clearance: ArrayLike = 0.0
) -> Ints:
    """The `Verdict` for each pair.

    Parameters
    ----------
    a, b : batch of shapes of the plane or World
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.
    touching : float or (P,) array-like
        Pairs touch if they are no farther apart than this and their `interference` is no greater than this. Distances
        within rounding always count as touching.
    clearance : float or (P,) array-like
        Pairs that do not touch, but are no farther apart than this, are within clearance.

    Returns
    -------
    (P,) int64
        Values of `Verdict`. Contained: one of the two contains all of the other.

    Raises
    ------
    UnsupportedPair
        If `a` or `b` is not a batch of shapes of the plane.
    ValueError
        If `pairs` has the wrong shape or names a row that does not exist; without `pairs`, if the lengths differ and
        neither is one; if `touching` or `clearance` is negative or not finite, or has another number of
        rows than there are pairs.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> a = planar.Rectangles([[0, 0]], [[1, 1]], [0.0])
    >>> planar.classify(a, planar.Circles([[1.5, 0], [9, 0]], [1, 1]))
    array([3, 0])
    """
    rows, inflated = _rows_and_margins(a, b, pairs)
    levels = row_lengths(touching, "touching", len(rows)), row_lengths(clearance, "clearance", len(rows))
    measured = _measured(a, b, rows, inflated)
    result = measured.verdict(*levels)
    deep = np.flatnonzero(result == Verdict.PENETRATING)
    inner = interference(a, b, rows[deep], known=measured.take(deep))
    fits = inner <= np.maximum(levels[0], measured.rounding)[deep]
    result[deep[fits]] = Verdict.TOUCHING
    deep = deep[~fits]
    contained = contains(a, b, rows[deep]) | contains(b, a, rows[deep, ::-1])
    result[deep[contained]] = Verdict.CONTAINED
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

    The first contact of a pair without rotation is at the entry time of an axis (doc4code 2011, "Dynamic intersection
    test"). `candidate_axes` returns these times.

    Parameters
    ----------
    a, b : batch of shapes of the plane or World
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.
    velocity_a, velocity_b : (N, 2) array-like, optional
        Displacement of each shape over the interval. One row is used for all. None: the shapes do not move.
    angular_velocity_a, angular_velocity_b : (N,) array-like, optional
        Radians over the interval, counterclockwise, about `pivot_a` and `pivot_b`. One number is used for all.
    pivot_a, pivot_b : (N, 2) array-like, optional
        Centers of rotation at time 0; they move with the velocity of the shape. None: the origin.
    margin : float or (P,) array-like
        Not negative. Pairs touch if they are no farther apart than this; the point then lies midway between them.
    max_iterations : int
        Pairs that need more iterations are left undecided.

    Returns
    -------
    Impacts
        A pair that touches or overlaps at the start is a hit at time 0, and grazing contact is a hit. Without rotation
        and margin, times are exact and all pairs are decided: by entry and exit times along each axis, for circles by
        the roots of quadratics. With rotation, a pair counts as touching if it is no farther apart than
        `tolerances.ADVANCEMENT` of its size. A hit may then be early by the time that it takes to close that gap, but
        is never late.

    Raises
    ------
    UnsupportedPair
        If `a` or `b` is not a batch of shapes of the plane.
    ValueError
        If `pairs` has the wrong shape or names a row that does not exist; without `pairs`, if the lengths differ and
        neither is one; if a velocity has the wrong shape or is not finite.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> a = planar.Rectangles([[0, 0]], [[1, 1]], [0.0])
    >>> planar.time_of_impact(a, planar.Circles([[4, 0]], [1]), velocity_b=[[-4, 0]]).time
    array([0.5])
    """
    rows = index_rows(a, b, pairs)
    results.record_pairs(len(rows))
    room, steps = row_lengths(margin, "margin", len(rows)), whole_number(max_iterations, "max_iterations", 0)
    moves = []
    for side, (name, shapes) in enumerate((("a", a), ("b", b))):
        given = (velocity_a, angular_velocity_a, pivot_a), (velocity_b, angular_velocity_b, pivot_b)
        moves.append([value[rows[:, side]] for value in motion(*given[side], len(shapes), f"_{name}")])
    margins = pair_margins(a, b, rows)
    if margins is not None:
        room = room + margins.sum(axis=1)
    (speed_a, turn_a, pivots_a), (speed_b, turn_b, pivots_b) = moves
    curved = (turn_a != 0.0) | (turn_b != 0.0) | (room != 0.0)
    straight, rest = np.flatnonzero(~curved), np.flatnonzero(curved)
    if not len(rest):
        return with_positive_zeros(dispatch.time_of_impact(a, b, rows, speed_a, speed_b))
    result = Impacts.misses(len(rows), 2)
    result.put(straight, dispatch.time_of_impact(a, b, rows[straight], speed_a[straight], speed_b[straight]))
    at_start = dispatch.distance(a, b, rows[rest])
    near = at_start.distance - room[rest] <= at_start.rounding + ROUNDING_STEPS * EPS * room[rest]
    middle = (at_start.point_a[near] + at_start.point_b[near]) / 2.0
    put_hits(result, rest[near], 0.0, middle, at_start.normal[near])
    rest = rest[~near]
    for first, second, at_a, at_b, place in dispatch.groups(a, b, rows[rest]):
        some = rest[place]
        motions = (
            shape_cast.motion_in_space(speed_a[some], turn_a[some], pivots_a[some]),
            shape_cast.motion_in_space(speed_b[some], turn_b[some], pivots_b[some]),
        )
        part = shape_cast.time_of_impact_rotating(first.take(at_a), second.take(at_b), motions, room[some], steps)
        result.put(some, part)
    if margins is not None:
        # At this stage, the point lies midway between the shapes without margins. NaN stays NaN.
        result.point[:] += ((margins[:, 0] - margins[:, 1]) / 2.0)[:, None] * result.normal
    return with_positive_zeros(result)


def motion(
    speed: ArrayLike | None, turn: ArrayLike | None, pivot: ArrayLike | None, count: int, name: str
) -> tuple[Floats, Floats, Floats]:
    """Validated velocities (N, 2), angular velocities (N,) and pivots (N, 2); argument names end with `name`."""
    called = f"angular_velocity{name}"
    given = array(np.zeros(1) if turn is None else np.atleast_1d(numbers(turn, called)), called, (-1,))
    if len(given) not in (1, count):
        raise ValueError(f"{called}: {len(given)} rows, but there are {count} shapes")
    places = velocity(pivot, count, f"pivot{name}")
    return velocity(speed, count, f"velocity{name}"), np.broadcast_to(given, (count,)), places


def velocity(value: ArrayLike | None, count: int, name: str) -> Floats:
    """Validated velocities, (N, 2)."""
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
    """The validated rows of A and of B of each pair, (P, 2)."""
    check_kind(a, "a")
    check_kind(b, "b")
    return rows_of_pairs(a, b, pairs)


def check_kind(shapes: Any, name: str) -> None:
    """Raise `UnsupportedPair` unless `shapes` is a batch of shapes of the plane or a world of them."""
    batches = shapes.batches if hasattr(shapes, "slot") and hasattr(shapes, "batches") else (shapes,)
    for batch in batches:
        if not isinstance(batch, KINDS):
            raise UnsupportedPair(f"{name}: {type(batch).__name__} are no shapes of the plane")


def _rows_and_margins(a: Operand, b: Operand, pairs: ArrayLike | None) -> tuple[Ints, InflatedPairs | None]:
    """The rows of each pair, and the pairs with their margins; None instead if no shape has a margin."""
    rows = index_rows(a, b, pairs)
    results.record_pairs(len(rows))
    margin = pair_margins(a, b, rows)
    return rows, None if margin is None else InflatedPairs(PlanarPairs(a, b, rows), margin)


def _measured(a: Operand, b: Operand, rows: Ints, inflated: InflatedPairs | None) -> Distances:
    return with_positive_zeros(dispatch.distance(a, b, rows) if inflated is None else inflated.distance())
