# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions of the plane, the same for every pair of kinds, for one pair or a million.

Without `pairs`, batches of equal length are taken row by row, and a batch of one goes with every row of the other. With
`pairs` (P, 2), row i of the answer is about ``a[pairs[i, 0]]`` and ``b[pairs[i, 1]]``. Signs, witnesses, touching and
rounding are those of `collision_kit.core`; vectors are (N, 2).
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..numerics import counters
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import PLANE, coordinates, numbers, one_length, row_lengths
from ..query.operands import rows_of_pairs
from ..results import Contacts, Distances, Impacts, Separations, UnsupportedPair, Verdict
from ..shapes.materials import Materials, combined_friction, combined_restitution
from . import region_pairs
from .narrow_phase import convex, shape_cast
from .penetration.interference import interference as depths_inside
from .shapes.convex import AABBs, Circles, Polygons, Rectangles
from .shapes.regions import Body, Regions

KINDS = (Circles, AABBs, Rectangles, Polygons, Regions)


def bounds(shapes: Body) -> tuple[Floats, Floats]:
    """Axis-aligned bounds of each shape: lower (N, 2) and upper (N, 2).

    Parameters
    ----------
    shapes : batch of shapes of the plane

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
    _check_kind(shapes, "shapes")
    return shapes.bounds()


def overlap(a: Body, b: Body, pairs: ArrayLike | None = None) -> Bools:
    """Whether the shapes of each pair have a point in common.

    Touching counts: a gap no larger than rounding at the shapes' coordinates is contact. Bounding boxes and circles
    inside the shapes settle what they can first; `collision_kit.core.QueryStats` counts how much.

    Parameters
    ----------
    a, b : batch of shapes of the plane
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
    first, second = _rows(a, b, pairs)
    found: Bools = _answering(a, b).overlap(a, b, first, second)
    return found


def separating_axis(a: Body, b: Body, pairs: ArrayLike | None = None) -> Separations:
    """The axis along which each pair is farthest apart, or overlaps least.

    Two polygons, boxes or rectangles have the normals of their edges, either way around: the gap is then at most the
    distance. With a circle it is the direction of the closest points. Regions have none that tells them apart; they
    answer with their distance and its normal.

    Parameters
    ----------
    a, b : batch of shapes of the plane
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
    first, second = _rows(a, b, pairs)
    found: Separations = _answering(a, b).separating_axis(a, b, first, second)
    return found


def distance(a: Body, b: Body, pairs: ArrayLike | None = None) -> Distances:
    """Signed Euclidean distance of each pair, witness points and normal.

    Apart: the distance and the closest points. Overlapping: minus the length of the shortest translation that parts the
    two, and its direction. Concentric circles have the normal +Y. Convex shapes have witnesses on their surfaces in
    either case. Of regions that overlap, the depth is that of the shortest way out, be it into a hole, to 1e-9 of their
    size; their witnesses lie that far from each other, about a place where the two overlap.

    Parameters
    ----------
    a, b : batch of shapes of the plane
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
    first, second = _rows(a, b, pairs)
    found: Distances = _answering(a, b).distance(a, b, first, second)
    return found


def contacts(a: Body, b: Body, pairs: ArrayLike | None = None, margin: float = 0.0) -> Contacts:
    """Contact manifolds: point, normal from A to B, depth, type and features.

    Parameters
    ----------
    a, b : batch of shapes of the plane
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
    first, second = _rows(a, b, pairs)
    found: Contacts = _answering(a, b).contacts(a, b, first, second, reach)
    material_a, material_b = (
        material.take(rows[found.pair]) for material, rows in zip(_materials(a, b), (first, second), strict=True)
    )
    friction = combined_friction(material_a.friction, material_b.friction)
    return replace(
        found, friction=friction, restitution=combined_restitution(material_a.restitution, material_b.restitution)
    )


def contains(a: Body, b: Body, pairs: ArrayLike | None = None) -> Bools:
    """Whether A holds all of B, touching from inside included.

    Parameters
    ----------
    a, b : batch of shapes of the plane
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
    first, second = _rows(a, b, pairs)
    found: Bools = _answering(a, b).contains(a, b, first, second)
    return found


def interference(a: Body, b: Body, pairs: ArrayLike | None = None) -> Floats:
    """How deep any point of one shape of each pair is in the other.

    Of two convex shapes it is the penetration depth. Of others it is the greatest distance, from the boundary of the
    one, of a point of the boundary of the other that is inside; or the radius of the largest circle in what the two
    share, where that is greater, as it is of two copies in one place. Of a peg that is 0.1 too wide on one side of its
    slot it is 0.1, however long the way out of the slot is.

    Parameters
    ----------
    a, b : batch of shapes of the plane
        The N shapes of A and the M shapes of B. Without `pairs` they go row by row, and a batch of one goes with every
        row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare.

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
    first, second = _rows(a, b, pairs)
    return depths_inside(a, b, first, second, _answering(a, b).distance(a, b, first, second))


def classify(
    a: Body, b: Body, pairs: ArrayLike | None = None, *, touching: ArrayLike = 0.0, clearance: ArrayLike = 0.0
) -> Ints:
    """The `Verdict` on each pair.

    Parameters
    ----------
    a, b : batch of shapes of the plane
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
    first, second = _rows(a, b, pairs)
    levels = row_lengths(touching, "touching", len(first)), row_lengths(clearance, "clearance", len(first))
    answering = _answering(a, b)
    measured: Distances = answering.distance(a, b, first, second)
    result = measured.verdict(*levels)
    deep = np.flatnonzero(result == Verdict.PENETRATING)
    inner = depths_inside(a, b, first[deep], second[deep], measured.take(deep))
    fits = inner <= np.maximum(levels[0], measured.rounding)[deep]
    result[deep[fits]] = Verdict.TOUCHING
    deep = deep[~fits]
    held = answering.contains(a, b, first[deep], second[deep]) | answering.contains(b, a, second[deep], first[deep])
    result[deep[held]] = Verdict.CONTAINED
    return result


def time_of_impact(
    a: Body,
    b: Body,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    pairs: ArrayLike | None = None,
) -> Impacts:
    """When two shapes in straight motion first touch (doc4code 2011, "Dynamic intersection test").

    Parameters
    ----------
    a, b : batch of shapes of the plane
        The N shapes of A and the M shapes of B. Without `pairs` they go row by row, and a batch of one goes with every
        row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare.
    velocity_a, velocity_b : (N, 2) array-like, optional
        The displacement of each row of A and of B over the interval; a single row stands for all, none for rest.

    Returns
    -------
    Impacts
        All decided, and exact: by entry and exit times along each axis, circles by the roots of quadratics;
        `candidate_axes` shows the times. Touching or overlapping at the start is a hit at 0, a graze is a hit.

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
    >>> planar.time_of_impact(a, planar.Circles([[4, 0]], [1]), velocity_b=[[-4, 0]]).time
    array([0.5])
    """
    first, second = _rows(a, b, pairs)
    moves = velocity(velocity_a, len(a), "velocity_a")[first], velocity(velocity_b, len(b), "velocity_b")[second]
    if isinstance(a, Regions) or isinstance(b, Regions):
        return region_pairs.time_of_impact(a, b, first, second, *moves)
    return shape_cast.time_of_impact(a, b, first, second, *moves)


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


def check_kinds(a: Any, b: Any) -> None:
    """Raise `UnsupportedPair` unless both are shapes of the plane."""
    _check_kind(a, "a")
    _check_kind(b, "b")


def _check_kind(shapes: Any, name: str) -> None:
    if not isinstance(shapes, KINDS):
        raise UnsupportedPair(f"{name}: {type(shapes).__name__} is no shape of the plane")


def index_rows(a: Body, b: Body, pairs: ArrayLike | None) -> tuple[Ints, Ints]:
    """The rows of A and of B of each pair, checked."""
    check_kinds(a, b)
    rows = rows_of_pairs(a, b, pairs)
    return np.ascontiguousarray(rows[:, 0]), np.ascontiguousarray(rows[:, 1])


def _rows(a: Body, b: Body, pairs: ArrayLike | None) -> tuple[Ints, Ints]:
    first, second = index_rows(a, b, pairs)
    counters.record_pairs(len(first))
    return first, second


def _answering(a: Body, b: Body) -> Any:
    """The module that answers for two kinds."""
    return region_pairs if isinstance(a, Regions) or isinstance(b, Regions) else convex


def _materials(a: Body, b: Body) -> list[Materials]:
    return [Materials().spread(len(shapes)) if shapes.materials is None else shapes.materials for shapes in (a, b)]
