# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions, the same for every pair of kinds, for one pair or a million.

Shapes are batches. Without `pairs`, batches of equal length are taken row by row, and a batch of one goes with every
row of the other. With `pairs` (P, 2), row i of the answer is about ``a[pairs[i, 0]]`` and ``b[pairs[i, 1]]``. `a` and
`b` are a batch of one kind or a `World` of several.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ..narrow_phase.algorithm import PairAlgorithm
from ..numerics import counters
from ..numerics.segmented import smallest_per_group
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import array, check_type, one_length, row_lengths
from ..numerics.vectors import normalized
from ..results import Contacts, Distances, Separations, Verdict
from ..shapes import Assemblies
from ..shapes.batch_view import Rows
from ..shapes.materials import DEFAULT_FRICTION, DEFAULT_RESTITUTION, combined_friction, combined_restitution
from .compounds import all_held, first_parts, nearest_parts, part_pairs
from .culling import proved_apart
from .dispatch import Group, groups
from .operands import Operand, index_pairs, split

Answers = TypeVar("Answers", Distances, Separations)
Flippable = TypeVar("Flippable", Distances, Separations, Contacts)


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
    return _whether(a, b, pairs, axis, lambda group: group.pair.overlap(group.a, group.b))


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
    count = len(rows)
    counters.record_pairs(count)
    kinds = list(pair_groups(a, b, rows))
    if len(kinds) == 1:  # in order: nothing to copy
        return _separations(kinds[0])
    result = Separations.empty(count)
    for group in kinds:
        _put(result, group, _separations(group))
    return result


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
    count = len(rows)
    counters.record_pairs(count)
    kinds = list(pair_groups(a, b, rows))
    if len(kinds) == 1:  # in order: nothing to copy
        return _distances(kinds[0])
    result = Distances.empty(count)
    for group in kinds:
        _put(result, group, _distances(group))
    return result


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
    _check_known(known, len(rows))
    counters.record_pairs(len(rows))
    if known is None:
        near = np.flatnonzero(~proved_apart(a, b, rows, np.full(len(rows), reach), _axes(axis, len(rows))))
    else:
        near = np.flatnonzero(known.distance <= reach + known.rounding)
    found = []
    for group in pair_groups(a, b, rows[near]):
        part = _contacts(group, reach, None if known is None else known.take(near[group.rows]))
        part = replace(part, pair=near[group.rows[part.pair]])
        if group.pair is not COMPOUNDS:  # which tells of parts itself
            nothing = np.zeros_like(part.pair)
            friction, restitution = _materials(a, b, rows[part.pair])
            part = replace(part, part_a=nothing, part_b=nothing, friction=friction, restitution=restitution)
        found.append(part)
    return Contacts.joined(found)


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
        In the caller's unit; see `classify`. Of meshes and assemblies that are no deeper in each other than this the
        answer is some depth up to it: to tell how little what fits but for rounding cuts takes long.

    Returns
    -------
    (P,) float64
        In the caller's unit. 0.0 where the two are apart or only touch; never more than the penetration depth, which it
        is where both are convex. Of meshes right to a thousandth (`tolerances.INTERFERENCE`) and, for round shapes,
        1e-6 of their size. Against a mesh without an inside it is the greatest penetration depth of any of its
        triangles; of a plane and a mesh, how far a part of the mesh reaches past the plane on its shorter side. Of
        assemblies it is the greatest of any two parts. Of bodies whose boundaries coincide, such as copies in one
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
    _check_known(known, len(rows))
    level = row_lengths(touching, "touching", len(rows))
    counters.record_pairs(len(rows))
    result = np.zeros(len(rows))
    if known is None:
        near = np.flatnonzero(~proved_apart(a, b, rows, np.zeros(len(rows)), None))
    else:
        near = np.flatnonzero(known.distance < -known.rounding)
    for group in pair_groups(a, b, rows[near]):
        place = near[group.rows]
        measured = None if known is None else _in_order(group, known.take(place))
        result[place] = group.pair.interference(group.a, group.b, level[place], measured)
    return result


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
    return _whether(a, b, pairs, None, _contains)


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


def _whether(
    a: Operand,
    b: Operand,
    pairs: ArrayLike | None,
    axis: ArrayLike | None,
    question: Callable[[Group], Bools],
) -> Bools:
    """Yes or no for each pair, by a `question` to each group; no for pairs proved apart."""
    rows = index_pairs(a, b, pairs)
    count = len(rows)
    counters.record_pairs(count)
    near = np.flatnonzero(~proved_apart(a, b, rows, np.zeros(count), _axes(axis, count)))
    result = np.zeros(count, dtype=bool)
    every = len(near) == count
    for group in pair_groups(a, b, rows if every else rows[near]):
        part = question(group)
        if len(part) == count:  # of one kind, and in order: nothing to copy
            return part
        result[group.span if every else near[group.span]] = part
    return result


def pair_groups(a: Operand, b: Operand, rows: Ints) -> Iterator[Group]:
    """The pairs by kinds, with what answers for them; raises `UnsupportedPair` for two unbounded shapes."""
    return groups(a, b, rows, COMPOUNDS)


def _separations(group: Group) -> Separations:
    """The axes of a group's pairs from the asker's A to the asker's B."""
    return _in_order(group, group.pair.separating_axis(group.a, group.b))


def _distances(group: Group) -> Distances:
    """The distances of a group's pairs, likewise."""
    return _in_order(group, group.pair.distance(group.a, group.b))


def _contacts(group: Group, margin: float, known: Distances | None) -> Contacts:
    """The contacts of a group's pairs, likewise."""
    measured = None if known is None else _in_order(group, known)
    return _in_order(group, group.pair.contacts(group.a, group.b, margin, measured))


def _contains(group: Group) -> Bools:
    """Whether the asker's A holds the asker's B."""
    return (group.pair.contained if group.flipped else group.pair.contains)(group.a, group.b)


def _in_order(group: Group, found: Flippable) -> Flippable:
    """Answers in the order of a group from those in the order of the asker, and the other way round."""
    return found.flipped() if group.flipped else found


def _put(result: Answers, group: Group, part: Answers) -> None:
    """Write the answers of a group's pairs to their rows."""
    for name, value in vars(part).items():
        getattr(result, name)[group.span] = value


def _check_known(known: Distances | None, count: int) -> None:
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


def _materials(a: Operand, b: Operand, rows: Ints) -> tuple[Floats, Floats]:
    """Friction and restitution of the two shapes of each pair together."""
    surfaces = []
    for shapes, side in ((a, rows[:, 0]), (b, rows[:, 1])):
        friction = np.full(len(side), DEFAULT_FRICTION)
        restitution = np.full(len(side), DEFAULT_RESTITUTION)
        for batch, index, place in split(shapes, side):
            if batch.materials is not None:
                friction[place] = batch.materials.friction[index]
                restitution[place] = batch.materials.restitution[index]
        surfaces.append((friction, restitution))
    (friction_a, restitution_a), (friction_b, restitution_b) = surfaces
    return combined_friction(friction_a, friction_b), combined_restitution(restitution_a, restitution_b)


class Compounds(PairAlgorithm[Any, Assemblies]):
    """Any shape (A) against an assembly (B): the pairs of parts are asked about, and the answers put together.

    Parts of one assembly are never asked about each other. The distance of two bodies is that of their nearest, or
    deepest, parts. What is said of overlapping bodies is therefore true of the deepest pair of parts: moving B by the
    depth along the normal parts those two, and may leave others.
    """

    def overlap(self, a: Rows[Any], b: Rows[Assemblies]) -> Bools:
        """Whether any part of A meets any part of B."""
        parts = part_pairs(a.gathered(), b.gathered())
        result = np.zeros(len(a), dtype=bool)
        result[parts.pair[overlap(parts.a, parts.b, parts.rows)]] = True
        return result

    def distance(self, a: Rows[Any], b: Rows[Assemblies]) -> Distances:
        """Distance of the nearest parts, or depth of the deepest."""
        parts = nearest_parts(part_pairs(a.gathered(), b.gathered()), len(a))
        found = distance(parts.a, parts.b, parts.rows)
        return found.take(smallest_per_group(parts.pair, found.distance))

    def separating_axis(self, a: Rows[Any], b: Rows[Assemblies]) -> Separations:
        """The axis of the pair of parts that is least far apart.

        It separates those two and not as a rule the bodies, which need not be convex.
        """
        parts = nearest_parts(part_pairs(a.gathered(), b.gathered()), len(a))
        found = separating_axis(parts.a, parts.b, parts.rows)
        return found.take(smallest_per_group(parts.pair, found.gap))

    def contacts(self, a: Rows[Any], b: Rows[Assemblies], margin: float, known: Distances | None = None) -> Contacts:
        """The contacts of all pairs of parts."""
        bodies = a.gathered(), b.gathered()
        parts = part_pairs(*bodies)
        found = contacts(parts.a, parts.b, parts.rows, margin)
        pair = parts.pair[found.pair]
        first = [first_parts(shapes)[pair] for shapes in bodies]
        part_a, part_b = (parts.rows[found.pair, side] - first[side] for side in (0, 1))
        return replace(found, pair=pair, part_a=part_a, part_b=part_b).take(np.lexsort((-found.depth, pair)))

    def interference(
        self, a: Rows[Any], b: Rows[Assemblies], touching: Floats, known: Distances | None = None
    ) -> Floats:
        """The greatest of any two parts."""
        parts = part_pairs(a.gathered(), b.gathered())
        result = np.zeros(len(a))
        np.maximum.at(result, parts.pair, interference(parts.a, parts.b, parts.rows, touching=touching[parts.pair]))
        return result

    def contains(self, a: Rows[Any], b: Rows[Assemblies]) -> Bools:
        """Whether each part of B lies in one part of A; one that only several parts of A hold together is not told."""
        parts = part_pairs(a.gathered(), b.gathered())
        held = contains(parts.a, parts.b, parts.rows)
        return all_held(held, parts.pair, parts.rows[:, 1], len(a))

    def contained(self, a: Rows[Any], b: Rows[Assemblies]) -> Bools:
        """Whether each part of A lies in one part of B."""
        parts = part_pairs(a.gathered(), b.gathered())
        held = contains(parts.b, parts.a, parts.rows[:, ::-1])
        return all_held(held, parts.pair, parts.rows[:, 0], len(a))


COMPOUNDS = Compounds()
