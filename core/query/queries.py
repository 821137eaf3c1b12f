# SPDX-License-Identifier: GPL-3.0-or-later
"""The public queries. They are the same for all pairs of kinds, for one pair or a million.

Operands are batches of shapes. Without `pairs`, batches of equal length are compared row by row, and a batch of one is
compared with every row of the other. With `pairs` (P, 2), row i of the result is about ``a[pairs[i, 0]]`` and
``b[pairs[i, 1]]``. `a` and `b` are batches of one kind, or a `World` of several kinds whose rows may have margins (see
`margins`).
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numpy.typing import ArrayLike

from ..constants import Verdict
from ..numerics.rows import with_positive_zeros
from ..numerics.steps import exhausted
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import array, check_type, one_length, row_lengths
from ..numerics.vectors import normalized
from ..results import Contacts, Depths, Distances, Separations
from . import dispatch
from .duplicates import solids_in_one_place
from .early_outs import separated_by_bounds
from .margins import InflatedPairs, SpacePairs
from .operands import Operand, index_pairs, pair_margins


def overlap(a: Operand, b: Operand, pairs: ArrayLike | None = None, *, axis: ArrayLike | None = None) -> Bools:
    """Whether the shapes of each pair have a point in common.

    Touching counts: a gap within rounding at the shapes' coordinates (`tolerances.rounding`) is contact.

    Parameters
    ----------
    a, b : batch of shapes or World
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.
    axis : (P, 3) array-like, optional
        A vector from A to B of any length that may separate each pair, such as the separating axis before the shapes
        moved. It is tried first and does not change the result. Zeros: no axis.

    Returns
    -------
    (P,) bool

    Raises
    ------
    UnsupportedPair
        For two unbounded shapes.
    ValueError
        If `a` or `b` is not a batch of shapes; if `pairs` has the wrong shape or refers to a row that does not exist;
        without `pairs`, if the lengths differ and neither is one; if `axis` has another number of rows than there are
        pairs.

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
    return dispatch.overlap(a, b, rows, axes) if inflated is None else inflated.overlap(axes)


def separating_axis(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Separations:
    """The axis with the largest gap of each pair or, if the pair overlaps, the axis of least overlap.

    For overlapping pairs, the gap is the negated penetration depth. For separated pairs, it is the largest gap over the
    candidate axes, which is at most the distance. Two boxes have fifteen candidate axes, a box and a triangle thirteen,
    two triangles eleven. All other pairs use the direction between the closest points, along which the gap is the
    distance.

    Parameters
    ----------
    a, b : batch of shapes or World
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
        For two unbounded shapes.
    ValueError
        If `a` or `b` is not a batch of shapes; if `pairs` has the wrong shape or refers to a row that does not exist;
        without `pairs`, if the lengths differ and neither is one.

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
    return with_positive_zeros(dispatch.separating_axis(a, b, rows) if inflated is None else inflated.separating_axis())


def distance(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Distances:
    """Signed Euclidean distance of each pair, witness points and normal.

    Separated pairs: the distance and the closest points. Overlapping pairs: the negated distance to separate them, and
    a point on each surface that meet after this translation. For two convex shapes it is the penetration depth, the
    length of the shortest translation that separates them (doc4code 2011, "Penetration depth"). For meshes that are not
    convex, it is the length of a translation that is proved to separate the pair, and at least the `interference`.
    Concentric spheres have the normal +Z.

    Parameters
    ----------
    a, b : batch of shapes or World
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
        For two unbounded shapes.
    ValueError
        If `a` or `b` is not a batch of shapes; if `pairs` has the wrong shape or refers to a row that does not exist;
        without `pairs`, if the lengths differ and neither is one.

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
    return with_positive_zeros(dispatch.distance(a, b, rows) if inflated is None else inflated.distance())


def local_distance(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Distances:
    """Signed distance of each pair, as `distance`, but the depth of overlapping pairs is their `interference`.

    It takes much less time for meshes that are not convex, because no translation that separates them is searched. The
    witness points of overlapping pairs are a deepest point of one boundary in the other shape and the nearest point of
    that shape's boundary.

    Parameters
    ----------
    a, b : batch of shapes or World
    pairs : (P, 2) array-like of int, optional
        As for `distance`.

    Returns
    -------
    Distances

    Raises
    ------
    UnsupportedPair
        For two unbounded shapes.
    ValueError
        As for `distance`.
    """
    rows = index_pairs(a, b, pairs)
    inflated = _inflated(a, b, rows)
    found = dispatch.local_distance(a, b, rows) if inflated is None else inflated.local_distance()
    return with_positive_zeros(found)


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
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.
    margin : float
        In the caller's unit, not negative. Pairs up to this far apart also have contacts, with negative depth. If 0, a
        pair has a contact exactly if it overlaps.
    axis : (P, 3) array-like, optional
        As for `overlap`.
    known : Distances, optional
        Result of `distance` for the same pairs, which have not moved since, so that they are not measured again.

    Returns
    -------
    Contacts
        Rows of the same pair are consecutive, deepest first. A pair has at most four contacts if faces meet, and two
        if an edge or a capsule lies on a face. A mesh that is not convex has at most four for each patch of similar
        normals in each connected part of the overlap, and the deepest is as deep as the `interference`. Against a
        half-space, a pair has one for every penetrating vertex, or at most four for a cylinder. All other pairs have
        one. Shapes without materials have the values of `Materials()`.

    Raises
    ------
    UnsupportedPair
        For two unbounded shapes.
    ValueError
        As for `overlap`, and if `margin` is negative or not finite, or `known` has another number of rows than there
        are pairs.

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
        return with_positive_zeros(dispatch.contacts(a, b, rows, reach, axes, known))
    return with_positive_zeros(inflated.contacts(reach, known))


def distance_steps(a: Operand, b: Operand, rows: Ints) -> Generator[None, None, Distances]:
    """Run `distance` of pairs (P, 2) in steps; with margins, in one."""
    if pair_margins(a, b, rows) is not None:
        return distance(a, b, rows)
    return with_positive_zeros((yield from dispatch.distance_steps(a, b, rows)))


def contact_steps(
    a: Operand, b: Operand, rows: Ints, margin: float, known: Distances | None
) -> Generator[None, None, Contacts]:
    """Run `contacts` of pairs (P, 2) in steps; with margins, in one."""
    if pair_margins(a, b, rows) is not None:
        return contacts(a, b, rows, margin, known=known)
    return with_positive_zeros((yield from dispatch.contact_steps(a, b, rows, margin, known)))


def interference(
    a: Operand, b: Operand, pairs: ArrayLike | None = None, *, known: Distances | None = None, touching: ArrayLike = 0.0
) -> Floats:
    """Greatest depth of a point of one shape of each pair in the other: small for a press fit, large for a fault.

    A peg in a tight hole must be pulled out completely to be separated, so its penetration depth is large even if the
    two hardly overlap. The interference measures how much they overlap. For two convex shapes, it is defined as the
    penetration depth. For other pairs, it is the greatest distance from the boundary of one shape of any point of the
    other's boundary inside it, and it is found by branch and bound.

    Parameters
    ----------
    a, b : batch of shapes or World
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.
    known : Distances, optional
        Result of `distance` for the same pairs, which have not moved since, so that they are not measured again.
    touching : float or (P,) array-like
        In the caller's unit; see `classify`. Meshes and compounds with an interference of at most this value are not
        measured exactly, and any value up to it may be returned. The exact interference of shapes that fit except for
        rounding takes long to find.

    Returns
    -------
    (P,) float64
        In the caller's unit. 0.0 if the pair is separated or only touches. At most the penetration depth, and equal
        to it if both shapes are convex. For meshes, accurate to a thousandth (`tolerances.INTERFERENCE`); for round
        shapes, to 1e-6 of their size. If the search for the deepest point would take very many steps, it is the depth
        of the deepest point that was found, a lower bound; `World.depths` tells for which pairs. Against a mesh that is
        not solid, it is the greatest penetration depth of any of its triangles. For a plane and a mesh, it is how far a
        part of the mesh extends past the plane on its shorter side. For compounds, it is the greatest interference of
        any two parts. If the boundaries of two bodies coincide, as for copies in the same place, it is at least the
        depth of a point in the middle of both.

    Raises
    ------
    UnsupportedPair
        For two unbounded shapes.
    ValueError
        As for `distance`, and if `known` has another number of rows than there are pairs, if `touching` is not a valid
        length, or if the number of its values is neither 1 nor the number of pairs.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a, b = ck.Boxes([[0, 0, 0]], [[1, 1, 1]]), ck.Boxes([[1.75, 0, 0]], [[1, 1, 1]])
    >>> ck.interference(a, b)
    array([0.25])
    """
    rows = index_pairs(a, b, pairs)
    check_known(known, len(rows))
    return depths(a, b, rows, known, row_lengths(touching, "touching", len(rows))).depth


def depths(a: Operand, b: Operand, rows: Ints, known: Distances | None, touching: Floats) -> Depths:
    """Return `interference` of pairs (P, 2), with upper bounds where the search for the deepest point was ended."""
    inflated = _inflated(a, b, rows)
    if inflated is None:
        return dispatch.depths(a, b, rows, known, touching)
    return inflated.depths(known, touching)


def depth_steps(
    a: Operand, b: Operand, rows: Ints, touching: Floats, known: Distances | None = None, *, full: bool
) -> Generator[None, None, Depths]:
    """Run `depths` in steps. In full, few depths are lower bounds."""
    inflated = _inflated(a, b, rows)
    if inflated is None:
        return dispatch.depth_steps(a, b, rows, touching, full)
    return inflated.depth_steps(known, touching, full)


def contains(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Bools:
    """Whether A contains all of B. B may touch A's boundary from inside.

    Parameters
    ----------
    a, b : batch of shapes or World
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
        For two unbounded shapes.
    ValueError
        If `a` or `b` is not a batch of shapes; if `pairs` has the wrong shape or refers to a row that does not exist;
        without `pairs`, if the lengths differ and neither is one.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    >>> ck.contains(a, ck.Spheres([[0, 0, 0], [0, 0, 0]], [1, 2]))
    array([ True, False])
    """
    rows = index_pairs(a, b, pairs)
    inflated = _inflated(a, b, rows)
    return dispatch.contains(a, b, rows) if inflated is None else inflated.contains()


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
        The N shapes of A and the M shapes of B. Without `pairs`, they are compared row by row, and a batch of one is
        compared with every row of the other.
    pairs : (P, 2) array-like of int, optional
        The rows of `a` and of `b` to compare; "all": each row of `a` with each row of `b`.
    touching : float or (P,) array-like
        A pair touches if its gap is at most this, or if no point of one shape is deeper than this in the other (see
        `interference`). Distances within rounding always count as touching.
    clearance : float or (P,) array-like
        Pairs that do not touch and have a gap of at most this are within clearance.
    axis : (P, 3) array-like, optional
        As for `overlap`.

    Returns
    -------
    (P,) int64
        Values of `Verdict`. Contained means that one of the two shapes contains all of the other.

    Raises
    ------
    UnsupportedPair
        For two unbounded shapes.
    ValueError
        If `a` or `b` is not a batch of shapes; if `pairs` has the wrong shape or refers to a row that does not exist;
        if `touching` or `clearance` is negative or not finite, or has another number of rows than there are pairs.

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
    return exhausted(classify_steps(a, b, rows, touches, clears, _axes(axis, len(rows)), deep=False))[0]


def classify_steps(
    a: Operand, b: Operand, rows: Ints, touches: Floats, clears: Floats, axes: Floats | None = None, *, deep: bool
) -> Generator[None, None, tuple[Ints, Depths]]:
    """Run `classify` of pairs (P, 2) in steps. If `deep`, also return the depths of pairs that penetrate or contain."""
    result, inner = yield from _verdict_steps(a, b, rows, touches, clears, axes, deep=deep)
    inside = np.flatnonzero(result == Verdict.PENETRATING)
    contained = contains(a, b, rows[inside]) | contains(b, a, rows[inside, ::-1])
    result[inside[contained]] = Verdict.CONTAINED
    return result, inner


def penetrating(a: Operand, b: Operand, rows: Ints, touching: Floats) -> Bools:
    """Return whether `classify` reports the pairs (P, 2) as penetrating or contained, with their tolerances (P,)."""
    found = _verdict_steps(a, b, rows, touching, np.zeros(len(rows)), None, deep=False)
    return exhausted(found)[0] >= int(Verdict.PENETRATING)


def _verdict_steps(
    a: Operand, b: Operand, rows: Ints, touches: Floats, clears: Floats, axes: Floats | None, *, deep: bool
) -> Generator[None, None, tuple[Ints, Depths]]:
    """Return the verdicts on pairs and depths as `classify_steps`. Only duplicates are reported as contained."""
    inner = Depths(*np.zeros((2, len(rows))))
    if _inflated(a, b, rows) is None:
        same = solids_in_one_place(a, b, rows, touches)
        rest, alike = np.flatnonzero(~same), np.flatnonzero(same)
        result = np.full(len(rows), int(Verdict.CONTAINED), dtype=np.int64)
        result[rest], found = yield from dispatch.classify_steps(
            a, b, rows[rest], touches[rest], clears[rest], None if axes is None else axes[rest], deep=deep
        )
        inner.put(rest, found)
        if deep and len(alike):
            inner.put(alike, (yield from depth_steps(a, b, rows[alike], touches[alike], full=False)))
        return result, inner
    near = np.flatnonzero(~proved_apart(a, b, rows, np.maximum(touches, clears), axes))
    result = np.full(len(rows), int(Verdict.SEPARATED), dtype=np.int64)
    known = distance(a, b, rows[near])
    inner.put(near, (yield from depth_steps(a, b, rows[near], touches[near], known, full=False)))
    # If a search was ended early, a point may be as deep as the bound.
    result[near] = known.verdict(touches[near], clears[near], interference=inner.bound[near])
    return result, inner


def proved_apart(a: Operand, b: Operand, rows: Ints, reach: Floats, axis: Floats | None = None) -> Bools:
    """Whether pairs (P, 2) are proved to be farther apart than `reach` (P,). `axis` (P, 3): axes to try first."""
    margin = pair_margins(a, b, rows)
    reach = reach if margin is None else reach + margin.sum(axis=1)
    result = separated_by_bounds(a, b, rows, reach, axis)
    left = np.flatnonzero(~result)
    for group in dispatch.pair_groups(a, b, rows[left]):
        place = left[group.rows]
        result[place] = group.pair.farther(group.a, group.b, reach[place])
    return result


def _inflated(a: Operand, b: Operand, rows: Ints) -> InflatedPairs | None:
    """The pairs with their margins; None if no shape has a margin."""
    margin = pair_margins(a, b, rows)
    return None if margin is None else InflatedPairs(SpacePairs(a, b, rows), margin)


def check_known(known: Distances | None, count: int) -> None:
    """Raise `ValueError` unless `known` is None or a result of `distance` with this many rows."""
    if known is None:
        return
    check_type(known, Distances, "known")
    if len(known) != count:
        raise ValueError(f"known: {len(known)} rows, but there are {count} pairs")


def _axes(axis: ArrayLike | None, count: int) -> Floats | None:
    """The axes to try first, normalized; rows of zeros stay zero."""
    if axis is None:
        return None
    given = array(axis, "axis", (-1, 3))
    if len(given) != count:
        raise ValueError(f"axis: {len(given)} rows, but there are {count} pairs")
    return normalized(given, np.zeros(3))
