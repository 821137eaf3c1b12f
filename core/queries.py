# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions, the same for every pair of kinds, for one pair or a million.

Shapes are batches. Without `pairs`, batches of equal length are taken row by row, and a batch of one goes with every
row of the other. With `pairs` (P, 2), row i of the answer is about ``a[pairs[i, 0]]`` and ``b[pairs[i, 1]]``. `a` and
`b` are a batch of one kind or a `World` of several.
"""

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from . import work
from .dispatch import Group, Operand, groups, index_pairs, split
from .early_outs import proved_apart
from .inputs import array, check_type, one_length, row_lengths
from .materials import DEFAULT_FRICTION, DEFAULT_RESTITUTION, combined_friction, combined_restitution
from .results import Bools, Contacts, Distances, Floats, Ints, Separations, Verdict
from .vectors import normalised

Answers = TypeVar("Answers", Distances, Separations)


def overlap(a: Operand, b: Operand, pairs: ArrayLike | None = None, *, axis: ArrayLike | None = None) -> Bools:
    """Whether the shapes of each pair have a point in common.

    Touching counts: a gap no larger than rounding at the shapes' coordinates (`tolerances.rounding`) is contact.

    Parameters
    ----------
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
    """
    return _whether(a, b, pairs, axis, lambda group: group.ask("overlap"))


def separating_axis(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Separations:
    """The axis along which each pair is farthest apart, or overlaps least.

    For pairs that overlap the gap is minus the penetration depth. For pairs that are apart it is the largest over the
    candidate axes and at most the distance: two boxes have fifteen axes, a box and a triangle thirteen, two triangles
    eleven, all other pairs the closest direction, along which gap and distance are equal.

    Raises
    ------
    UnsupportedPair
        For two half-spaces.
    """
    rows = index_pairs(a, b, pairs)
    count = len(rows)
    work.asked(count)
    kinds = list(groups(a, b, rows))
    if len(kinds) == 1:  # in order: nothing to copy
        return _separations(kinds[0])
    features = np.empty((2, count, 2), dtype=np.int64)
    result = Separations(np.empty(count), np.empty((count, 3)), features[0], features[1])
    for group in kinds:
        _put(result, group, _separations(group))
    return result


def distance(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Distances:
    """Signed Euclidean distance of each pair, witness points and normal.

    Apart: the distance, and the closest points. Overlapping: minus the penetration depth, which is the length of the
    shortest translation that parts the two (doc4code 2011, "Penetration depth"), with a point on either surface that
    such a translation brings together. Concentric spheres have the normal +Z.

    Raises
    ------
    UnsupportedPair
        For two half-spaces.
    """
    rows = index_pairs(a, b, pairs)
    count = len(rows)
    work.asked(count)
    kinds = list(groups(a, b, rows))
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
    """
    reach = one_length(margin, "margin")
    rows = index_pairs(a, b, pairs)
    _check_known(known, len(rows))
    work.asked(len(rows))
    if known is None:
        near = np.flatnonzero(~proved_apart(a, b, rows, np.full(len(rows), reach), _axes(axis, len(rows))))
    else:
        near = np.flatnonzero(known.distance <= reach + known.rounding)
    found = []
    for group in groups(a, b, rows[near]):
        part = _contacts(group, reach, None if known is None else known.take(near[group.rows]))
        pair = near[group.rows[part.pair]]
        first, second = group.swapped(part.feature_a, part.feature_b)
        normal = group.turned(part.normal)
        if len(part.part_a) == len(part):  # an assembly has asked about its parts
            parts, surface = group.swapped(part.part_a, part.part_b), (part.friction, part.restitution)
        else:
            parts, surface = (np.zeros_like(pair), np.zeros_like(pair)), _materials(a, b, rows[pair])
        found.append(Contacts(pair, part.point, normal, part.depth, part.type, first, second, *parts, *surface))
    return Contacts.joined(found)


def interference(a: Operand, b: Operand, pairs: ArrayLike | None = None, *, known: Distances | None = None) -> Floats:
    """How deep any point of one shape of each pair is in the other: what a press fit has, and what a fault is.

    A peg that is held by a hole from all sides can be freed only by the whole way out, so its penetration depth is that
    way however little the two cut into each other. Their interference is how far they do: the greatest distance of a
    point of either boundary that is inside the other shape from the other's boundary. It is found by branch and bound.

    Parameters
    ----------
    known : Distances, optional
        What `distance` answered about the same pairs, so that they need not be measured again.

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
        If `known` has another number of rows.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> a, b = ck.Boxes([[0, 0, 0]], [[1, 1, 1]]), ck.Boxes([[1.75, 0, 0]], [[1, 1, 1]])
    >>> ck.interference(a, b)
    array([0.25])
    """
    rows = index_pairs(a, b, pairs)
    _check_known(known, len(rows))
    work.asked(len(rows))
    result = np.zeros(len(rows))
    if known is None:
        near = np.flatnonzero(~proved_apart(a, b, rows, np.zeros(len(rows)), None))
    else:
        near = np.flatnonzero(known.distance < -known.rounding)
    for group in groups(a, b, rows[near]):
        place = near[group.rows]
        if group.has_interference:
            result[place] = group.ask("interference")
        else:
            found = _distances(group) if known is None else known.take(place)
            result[place] = np.where(found.distance < -found.rounding, -found.distance, 0.0)
    return result


def contains(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Bools:
    """Whether A holds all of B, touching from inside included.

    Returns
    -------
    (P,) bool

    Raises
    ------
    UnsupportedPair
        For two half-spaces.
    """
    return _whether(a, b, pairs, None, lambda group: group.ask("contained" if group.flipped else "contains"))


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
    """
    rows = index_pairs(a, b, pairs)
    touches, clears = row_lengths(touching, "touching", len(rows)), row_lengths(clearance, "clearance", len(rows))
    near = np.flatnonzero(~proved_apart(a, b, rows, np.maximum(touches, clears), _axes(axis, len(rows))))
    result = np.full(len(rows), int(Verdict.SEPARATED), dtype=np.int64)
    found = distance(a, b, rows[near])
    deep_in = interference(a, b, rows[near], known=found)
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
    work.asked(count)
    near = np.flatnonzero(~proved_apart(a, b, rows, np.zeros(count), _axes(axis, count)))
    result = np.zeros(count, dtype=bool)
    every = len(near) == count
    for group in groups(a, b, rows if every else rows[near]):
        part = question(group)
        if len(part) == count:  # of one kind, and in order: nothing to copy
            return part
        result[group.span if every else near[group.span]] = part
    return result


def _separations(group: Group) -> Separations:
    """The axes of a group's pairs from the asker's A to the asker's B."""
    part: Separations = group.ask("separating_axis")
    return Separations(part.gap, group.turned(part.axis), *group.swapped(part.feature_a, part.feature_b))


def _distances(group: Group) -> Distances:
    """The distances of a group's pairs, likewise."""
    part: Distances = group.ask("distance")
    points = group.swapped(part.point_a, part.point_b)
    return Distances(part.distance, *points, group.turned(part.normal), part.rounding)


def _put(result: Answers, group: Group, part: Answers) -> None:
    """Write the answers of a group's pairs to their rows."""
    for name, value in vars(part).items():
        getattr(result, name)[group.span] = value


def _contacts(group: Group, margin: float, known: Distances | None) -> Contacts:
    """The contacts of a group in its own order, of what is known already where its pairs of kinds can use that."""
    of_measured = getattr(group.pair, "contacts_of_measured", None)
    if known is None or of_measured is None:
        found: Contacts = group.pair.contacts(group.a, group.b, margin)
    else:
        points, normal = group.swapped(known.point_a, known.point_b), group.turned(known.normal)
        turned = Distances(known.distance, *points, normal, known.rounding)
        found = of_measured(group.a, group.b, margin, turned)
    return found


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
    return normalised(given, np.zeros(3))


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
