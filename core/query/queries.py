# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions, the same for every pair of kinds, for one pair or a million.

Shapes are batches. Without `pairs`, batches of equal length are taken row by row, and a batch of one goes with every
row of the other. With `pairs` (P, 2), row i of the answer is about ``a[pairs[i, 0]]`` and ``b[pairs[i, 1]]``. `a` and
`b` are a batch of one kind or a `World` of several, whose rows may have margins (see `margins`).
"""

import numpy as np
from numpy.typing import ArrayLike

from ..constants import Verdict
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import array, check_type, one_length, row_lengths
from ..numerics.vectors import normalized
from ..results import Contacts, Distances, Separations
from . import bare_queries
from .dispatch import Operand, index_pairs, pair_margins, separated_by_bounds
from .margins import InflatedPairs, SpacePairs


def overlap(a: Operand, b: Operand, pairs: ArrayLike | None = None, *, axis: ArrayLike | None = None) -> Bools:
    """Whether the shapes of each pair have a point in common.

    Touching counts: a gap no larger than rounding at the shapes' coordinates (`tolerances.rounding`) is contact.

    Parameters
    ----------
    a, b : batch of shapes or World
        The N shapes of A and the M shapes of B. Without `pairs` they go row by row, and a batch of one goes with every
        row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare.
    axis : (P, 3) array-like, optional
        An axis from A to B that may separate each pair, such as the one that did before the shapes moved; it is tried
        first, and changes no answer. Of any length; zeros are no axis.

    Returns
    -------
    (P,) bool

    Raises
    ------
    UnsupportedPair
        For two half-spaces.
    ValueError
        If `a` or `b` is no batch of shapes; if `pairs` has the wrong shape or names a row that is not there; without
        `pairs`, if the lengths differ and neither is one.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    >>> b = ck.Spheres([[1.5, 0, 0], [3, 0, 0]], [1, 1])
    >>> ck.overlap(a, b)
    array([ True, False])
    """
    rows = index_pairs(a, b, pairs)
    axes, inflated = _axes(axis, len(rows)), _inflated(a, b, rows)
    return bare_queries.overlap(a, b, rows, axes) if inflated is None else inflated.overlap(axes)


def separating_axis(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Separations:
    """The axis along which each pair is farthest apart, or overlaps least.

    For pairs that overlap the gap is minus the penetration depth. For pairs that are apart it is the largest over the
    candidate axes and at most the distance: two boxes have fifteen axes, a box and a triangle thirteen, two triangles
    eleven, all other pairs the closest direction, along which gap and distance are equal.

    Parameters
    ----------
    a, b : batch of shapes or World
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
        For two half-spaces.
    ValueError
        If `a` or `b` is no batch of shapes; if `pairs` has the wrong shape or names a row that is not there; without
        `pairs`, if the lengths differ and neither is one.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    >>> found = ck.separating_axis(a, ck.Boxes([[3, 0, 0]], [[1, 1, 1]]))
    >>> found.gap, found.axis
    (array([1.]), array([[1., 0., 0.]]))
    """
    rows = index_pairs(a, b, pairs)
    inflated = _inflated(a, b, rows)
    return bare_queries.separating_axis(a, b, rows) if inflated is None else inflated.separating_axis()


def distance(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Distances:
    """Signed Euclidean distance of each pair, witness points and normal.

    Apart: the distance, and the closest points. Overlapping: minus the penetration depth, which is the length of the
    shortest translation that parts the two (doc4code 2011, "Penetration depth"), with a point on either surface that
    such a translation brings together. Concentric spheres have the normal +Z.

    Parameters
    ----------
    a, b : batch of shapes or World
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
        For two half-spaces.
    ValueError
        If `a` or `b` is no batch of shapes; if `pairs` has the wrong shape or names a row that is not there; without
        `pairs`, if the lengths differ and neither is one.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    >>> found = ck.distance(a, ck.Spheres([[3, 0, 0]], [1]))
    >>> found.distance, found.point_a, found.point_b
    (array([1.]), array([[1., 0., 0.]]), array([[2., 0., 0.]]))
    """
    rows = index_pairs(a, b, pairs)
    inflated = _inflated(a, b, rows)
    return bare_queries.distance(a, b, rows) if inflated is None else inflated.distance()


def contacts(
    a: Operand,
    b: Operand,
    pairs: ArrayLike | None = None,
    margin: float = 0.0,
    *,
    axis: ArrayLike | None = None,
    known: Distances | None = None,
) -> Contacts:
    """Contact manifolds (Lee 2018, section 13.2): point, normal from A to B, depth, type and features.

    Parameters
    ----------
    a, b : batch of shapes or World
        The N shapes of A and the M shapes of B. Without `pairs` they go row by row, and a batch of one goes with every
        row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare.
    margin : float
        In the caller's unit, not negative. Pairs up to this far apart have contacts too, of negative depth. At 0 a
        pair has a contact exactly if it overlaps.
    axis : (P, 3) array-like, optional
        As for `overlap`.
    known : Distances, optional
        What `distance` answered about the same pairs, so that they need not be measured again.

    Returns
    -------
    Contacts
        Rows of one pair are together, deepest first: at most four where faces meet, two where an edge or a capsule
        lies on a face, every penetrating vertex against a half-space (of a cylinder at most four points), else one.
        Shapes without materials count as made of `Materials()`.

    Raises
    ------
    UnsupportedPair
        For two half-spaces.
    ValueError
        If `margin` is negative or not finite, or `known` has another number of rows.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    >>> found = ck.contacts(a, ck.Boxes([[0, 0, 1.75]], [[0.5, 0.5, 1]]))
    >>> found.depth
    array([0.25, 0.25, 0.25, 0.25])
    >>> found.normal[0]
    array([0., 0., 1.])
    >>> found.point[:, 2]
    array([0.875, 0.875, 0.875, 0.875])
    """
    reach = one_length(margin, "margin")
    rows = index_pairs(a, b, pairs)
    check_known(known, len(rows))
    axes, inflated = _axes(axis, len(rows)), _inflated(a, b, rows)
    if inflated is None:
        return bare_queries.contacts(a, b, rows, reach, axes, known)
    return inflated.contacts(reach, known)


def interference(
    a: Operand,
    b: Operand,
    pairs: ArrayLike | None = None,
    *,
    known: Distances | None = None,
    touching: ArrayLike = 0.0,
) -> Floats:
    """How deep any point of one shape of each pair is in the other: what a press fit has, and what a fault is.

    A peg that is held by a hole from all sides can be freed only by the whole way out, so its penetration depth is that
    way however little the two cut into each other. Their interference is how far they do: the greatest distance of a
    point of either boundary that is inside the other shape from the other's boundary. It is found by branch and bound.

    Parameters
    ----------
    a, b : batch of shapes or World
        The N shapes of A and the M shapes of B. Without `pairs` they go row by row, and a batch of one goes with every
        row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare.
    known : Distances, optional
        What `distance` answered about the same pairs, so that they need not be measured again.
    touching : float or (P,) array-like
        In the caller's unit; see `classify`. Of meshes and compounds that are no deeper in each other than this the
        answer is some depth up to it: to tell how little what fits but for rounding cuts takes long.

    Returns
    -------
    (P,) float64
        In the caller's unit. 0.0 where the two are apart or only touch; never more than the penetration depth, which it
        is where both are convex. Of meshes right to a thousandth (`tolerances.INTERFERENCE`) and, for round shapes,
        1e-6 of their size. Against a mesh without an inside it is the greatest penetration depth of any of its
        triangles; of a plane and a mesh, how far a part of the mesh reaches past the plane on its shorter side. Of
        compounds it is the greatest of any two parts. Of bodies whose boundaries coincide, such as copies in one
        place, it is at least the depth of a point in the middle of both.

    Raises
    ------
    UnsupportedPair
        For two half-spaces.
    ValueError
        If `known` has another number of rows, or `touching` is no length, or there are as many as neither one nor the
        pairs.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a, b = ck.Boxes([[0, 0, 0]], [[1, 1, 1]]), ck.Boxes([[1.75, 0, 0]], [[1, 1, 1]])
    >>> ck.interference(a, b)
    array([0.25])
    """
    rows = index_pairs(a, b, pairs)
    check_known(known, len(rows))
    level = row_lengths(touching, "touching", len(rows))
    inflated = _inflated(a, b, rows)
    if inflated is None:
        return bare_queries.interference(a, b, rows, known, level)
    return inflated.interference(known, level)


def contains(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Bools:
    """Whether A holds all of B, touching from inside included.

    Parameters
    ----------
    a, b : batch of shapes or World
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
        For two half-spaces.
    ValueError
        If `a` or `b` is no batch of shapes; if `pairs` has the wrong shape or names a row that is not there; without
        `pairs`, if the lengths differ and neither is one.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    >>> ck.contains(a, ck.Spheres([[0, 0, 0], [0, 0, 0]], [1, 2]))
    array([ True, False])
    """
    rows = index_pairs(a, b, pairs)
    inflated = _inflated(a, b, rows)
    return bare_queries.contains(a, b, rows) if inflated is None else inflated.contains()


def classify(
    a: Operand,
    b: Operand,
    pairs: ArrayLike | None = None,
    *,
    touching: ArrayLike = 0.0,
    clearance: ArrayLike = 0.0,
    axis: ArrayLike | None = None,
) -> Ints:
    """The `Verdict` on each pair.

    Parameters
    ----------
    a, b : batch of shapes or World
        The N shapes of A and the M shapes of B. Without `pairs` they go row by row, and a batch of one goes with every
        row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare.
    touching : float or (P,) array-like
        Pairs that are no farther apart than this touch, and so do pairs no point of which is deeper in the other (see
        `interference`). Rounding counts as touching in any case.
    clearance : float or (P,) array-like
        Pairs that do not touch, but are no farther apart than this, are within clearance.
    axis : (P, 3) array-like, optional
        As for `overlap`.

    Returns
    -------
    (P,) int64
        Values of `Verdict`. Contained: one of the two holds all of the other.

    Raises
    ------
    UnsupportedPair
        For two unbounded shapes.
    ValueError
        If `a` or `b` is no batch of shapes; if `pairs` has the wrong shape or names a row that is not there; if
        `touching` or `clearance` is negative or not finite, or has another number of rows than there are pairs.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    >>> b = ck.Spheres([[1.5, 0, 0], [2, 0, 0], [2.25, 0, 0], [9, 0, 0]], [1, 1, 1, 1])
    >>> verdicts = ck.classify(a, b, clearance=0.5)
    >>> [ck.Verdict(verdict).name for verdict in verdicts]
    ['PENETRATING', 'TOUCHING', 'WITHIN_CLEARANCE', 'SEPARATED']
    """
    rows = index_pairs(a, b, pairs)
    touches, clears = row_lengths(touching, "touching", len(rows)), row_lengths(clearance, "clearance", len(rows))
    near = np.flatnonzero(~proved_apart(a, b, rows, np.maximum(touches, clears), _axes(axis, len(rows))))
    result = np.full(len(rows), int(Verdict.SEPARATED), dtype=np.int64)
    found = distance(a, b, rows[near])
    deep_in = interference(a, b, rows[near], known=found, touching=touches[near])
    result[near] = found.verdict(touches[near], clears[near], interference=deep_in)
    deep = np.flatnonzero(result == Verdict.PENETRATING)
    held = contains(a, b, rows[deep]) | contains(b, a, rows[deep, ::-1])
    result[deep[held]] = Verdict.CONTAINED
    return result


def proved_apart(a: Operand, b: Operand, rows: Ints, reach: Floats, axis: Floats | None = None) -> Bools:
    """Whether pairs (P, 2) of rows are proved to be farther apart than `reach` (P,); an `axis` (P, 3) is tried."""
    margin = pair_margins(a, b, rows)
    reach = reach if margin is None else reach + margin.sum(axis=1)
    result = separated_by_bounds(a, b, rows, reach, axis)
    left = np.flatnonzero(~result)
    for group in bare_queries.pair_groups(a, b, rows[left]):
        place = left[group.rows]
        result[place] = group.pair.farther(group.a, group.b, reach[place])
    return result


def _inflated(a: Operand, b: Operand, rows: Ints) -> InflatedPairs | None:
    """The pairs with their margins; None if none of their shapes has one."""
    margin = pair_margins(a, b, rows)
    return None if margin is None else InflatedPairs(SpacePairs(a, b, rows), margin)


def check_known(known: Distances | None, count: int) -> None:
    """Raise for anything but what `distance` answered about so many pairs."""
    if known is None:
        return
    check_type(known, Distances, "known")
    if len(known) != count:
        raise ValueError(f"known: {len(known)} rows, but there are {count} pairs")


def _axes(axis: ArrayLike | None, count: int) -> Floats | None:
    """The axes to try first, made unit vectors; rows of zeros stay."""
    if axis is None:
        return None
    given = array(axis, "axis", (-1, 3))
    if len(given) != count:
        raise ValueError(f"axis: {len(given)} rows, but there are {count} pairs")
    return normalized(given, np.zeros(3))
