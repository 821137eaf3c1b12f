# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions, the same for every pair of kinds, for one pair or a million.

Shapes are batches. Without `pairs`, batches of equal length are taken row by row, and a batch of one goes with every
row of the other. With `pairs` (P, 2), row i of the answer is about ``a[pairs[i, 0]]`` and ``b[pairs[i, 1]]``. `a` and
`b` are a batch of one kind or a `World` of several.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from .materials import DEFAULT_FRICTION, DEFAULT_RESTITUTION, combined_friction, combined_restitution
from .pairs import PAIRS, UnsupportedPair
from .results import Bools, Contacts, Distances, Floats, Ints, Separations, Verdict
from .shapes import Shapes


class Mixed(Protocol):
    """Batches of several kinds in one index space; see `collision_kit.core.World`."""

    batches: tuple[Shapes, ...]
    batch: Ints
    slot: Ints

    def __len__(self) -> int:
        """Rows in all batches together."""


Operand = Shapes | Mixed


def overlap(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Bools:
    """Whether the shapes of each pair have a point in common.

    Touching counts: a gap no larger than rounding at the shapes' coordinates (`tolerances.rounding`) is contact.

    Returns
    -------
    (P,) bool

    Raises
    ------
    UnsupportedPair
        For two half-spaces.
    """
    return _whether(a, b, pairs, lambda group: group.pair.overlap)


def separating_axis(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Separations:
    """The axis along which each pair is farthest apart, or overlaps least.

    For pairs that overlap the gap is minus the penetration depth. For pairs that are apart it is the largest over the
    candidate axes and at most the distance: two boxes have their fifteen axes, all other pairs the closest direction,
    along which gap and distance are equal.

    Raises
    ------
    UnsupportedPair
        For two half-spaces.
    """
    rows = _pairs(a, b, pairs)
    count = len(rows)
    features = np.empty((2, count, 2), dtype=np.int64)
    result = Separations(np.empty(count), np.empty((count, 3)), features[0], features[1])
    for group in _groups(a, b, rows):
        part: Separations = group.pair.separating_axis(group.a, group.b)
        result.gap[group.rows] = part.gap
        result.axis[group.rows] = group.turned(part.axis)
        first, second = group.swapped(part.feature_a, part.feature_b)
        result.feature_a[group.rows], result.feature_b[group.rows] = first, second
    return result


def distance(a: Operand, b: Operand, pairs: ArrayLike | None = None) -> Distances:
    """Signed Euclidean distance of each pair, witness points and normal.

    Apart: the distance, and the closest points. Overlapping: minus the penetration depth, which is the length of the
    shortest translation that parts the two (seed 001, "Penetration depth"), with a point on either surface that such a
    translation brings together. Concentric spheres have the normal +Z.

    Raises
    ------
    UnsupportedPair
        For two half-spaces.
    """
    rows = _pairs(a, b, pairs)
    count = len(rows)
    result = Distances.empty(count)
    for group in _groups(a, b, rows):
        part: Distances = group.pair.distance(group.a, group.b)
        result.distance[group.rows], result.rounding[group.rows] = part.distance, part.rounding
        result.normal[group.rows] = group.turned(part.normal)
        first, second = group.swapped(part.point_a, part.point_b)
        result.point_a[group.rows], result.point_b[group.rows] = first, second
    return result


def contacts(a: Operand, b: Operand, pairs: ArrayLike | None = None, margin: float = 0.0) -> Contacts:
    """Contact manifolds (seed 002, section 13.2): point, normal from A to B, depth, type and features.

    Parameters
    ----------
    margin : float
        In the caller's unit, not negative. Pairs up to this far apart have contacts too, of negative depth. At 0 a
        pair has a contact exactly if it overlaps.

    Returns
    -------
    Contacts
        Rows of one pair are together, deepest first: at most four where faces meet, two where an edge or a capsule
        lies on a face, every penetrating vertex against a half-space, else one. Shapes without materials count as
        made of `Materials()`.

    Raises
    ------
    UnsupportedPair
        For two half-spaces.
    ValueError
        If `margin` is negative or not finite.
    """
    if not (np.isfinite(margin) and margin >= 0.0):
        raise ValueError(f"margin: {margin} is not a length of at least zero")
    rows = _pairs(a, b, pairs)
    found = []
    for group in _groups(a, b, rows):
        part: Contacts = group.pair.contacts(group.a, group.b, margin)
        first, second = group.swapped(part.feature_a, part.feature_b)
        normal = group.turned(part.normal)
        pair = group.rows[part.pair]
        friction, restitution = _materials(a, b, rows[pair])
        found.append(Contacts(pair, part.point, normal, part.depth, part.type, first, second, friction, restitution))
    return Contacts.joined(found)


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
    return _whether(a, b, pairs, lambda group: group.pair.contained if group.flipped else group.pair.contains)


def classify(
    a: Operand,
    b: Operand,
    pairs: ArrayLike | None = None,
    *,
    touching: ArrayLike = 0.0,
    clearance: ArrayLike = 0.0,
) -> Ints:
    """The `Verdict` on each pair.

    Parameters
    ----------
    touching : float or (P,) array-like
        Pairs whose signed distance is no farther from zero than this touch. Rounding counts as touching in any case.
    clearance : float or (P,) array-like
        Pairs that do not touch, but are no farther apart than this, are within clearance.

    Returns
    -------
    (P,) int64
        Values of `Verdict`. Contained: one of the two holds all of the other.
    """
    for name, lengths in (("touching", np.asarray(touching)), ("clearance", np.asarray(clearance))):
        if not (np.isfinite(lengths) & (lengths >= 0.0)).all():
            raise ValueError(f"{name}: {lengths} is not a length of at least zero")
    rows = _pairs(a, b, pairs)
    result = distance(a, b, rows).verdict(touching, clearance)
    deep = np.flatnonzero(result == Verdict.PENETRATING)
    held = contains(a, b, rows[deep]) | contains(b, a, rows[deep, ::-1])
    result[deep[held]] = Verdict.CONTAINED
    return result


@dataclass(frozen=True)
class _Group:
    """Pairs of the same two kinds, in the matrix's order: `a` and `b` are swapped where `flipped`."""

    rows: Ints
    a: Shapes
    b: Shapes
    pair: ModuleType
    flipped: bool

    def turned(self, vectors: Floats) -> Floats:
        """Normals from the asker's A to the asker's B."""
        return -vectors if self.flipped else vectors

    def swapped(self, first: Any, second: Any) -> tuple[Any, Any]:
        """What belongs to the asker's A, and to the asker's B."""
        return (second, first) if self.flipped else (first, second)


def _whether(
    a: Operand, b: Operand, pairs: ArrayLike | None, question: Callable[[_Group], Callable[[Shapes, Shapes], Bools]]
) -> Bools:
    """Yes or no for each pair, by the function that `question` picks for each group."""
    rows = _pairs(a, b, pairs)
    result = np.zeros(len(rows), dtype=bool)
    for group in _groups(a, b, rows):
        result[group.rows] = question(group)(group.a, group.b)
    return result


def _materials(a: Operand, b: Operand, rows: Ints) -> tuple[Floats, Floats]:
    """Friction and restitution of the two shapes of each pair together."""
    surfaces = []
    for shapes, side in ((a, rows[:, 0]), (b, rows[:, 1])):
        friction = np.full(len(side), DEFAULT_FRICTION)
        restitution = np.full(len(side), DEFAULT_RESTITUTION)
        for batch, index, place in _split(shapes, side):
            if batch.materials is not None:
                friction[place] = batch.materials.friction[index]
                restitution[place] = batch.materials.restitution[index]
        surfaces.append((friction, restitution))
    (friction_a, restitution_a), (friction_b, restitution_b) = surfaces
    return combined_friction(friction_a, friction_b), combined_restitution(restitution_a, restitution_b)


def _pairs(a: Operand, b: Operand, pairs: ArrayLike | None) -> Ints:
    """The rows of A and of B of each pair, checked: (P, 2)."""
    if pairs is None:
        if len(a) != len(b) and 1 not in (len(a), len(b)):
            raise ValueError(f"a has {len(a)} rows and b has {len(b)}: equal lengths, or one of them 1, are needed")
        count = len(b) if len(a) == 1 else len(a)
        every = np.arange(count)
        return np.stack([every if len(a) == count else every * 0, every if len(b) == count else every * 0], axis=1)
    given = np.asarray(pairs)
    if given.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if given.ndim != 2 or given.shape[1] != 2 or not np.issubdtype(given.dtype, np.integer):
        raise ValueError(f"pairs: {given.dtype} of shape {given.shape}, but integers of shape (P, 2) are needed")
    bad = (given < 0) | (given >= [len(a), len(b)])
    if bad.any():
        row, side = np.argwhere(bad)[0]
        name, size = (("a", len(a)), ("b", len(b)))[side]
        raise ValueError(f"pairs: row {row} has index {given[row, side]} into {name} of length {size}")
    return given.astype(np.int64)


def _groups(a: Operand, b: Operand, rows: Ints) -> Iterator[_Group]:
    """The pairs by kinds."""
    for batch_a, index_a, place_a in _split(a, rows[:, 0]):
        for batch_b, index_b, place_b in _split(b, rows[place_a, 1]):
            flipped = batch_a.kind > batch_b.kind
            first, second = (batch_b, batch_a) if flipped else (batch_a, batch_b)
            pair = PAIRS.get((first.kind, second.kind))
            if pair is None:
                raise UnsupportedPair(f"{type(batch_a).__name__} against {type(batch_b).__name__}: both are unbounded")
            part_a, part_b = batch_a.take(index_a[place_b]), batch_b.take(index_b)
            if flipped:
                part_a, part_b = part_b, part_a
            yield _Group(place_a[place_b], part_a, part_b, pair, flipped)


def _split(shapes: Operand, rows: Ints) -> Iterator[tuple[Shapes, Ints, Ints]]:
    """The batches that rows lie in: the batch, the rows within it, and their places in `rows`."""
    if isinstance(shapes, Shapes):
        if len(rows):
            yield shapes, rows, np.arange(len(rows))
        return
    batch = shapes.batch[rows]
    for number in np.unique(batch):
        place = np.flatnonzero(batch == number)
        yield shapes.batches[number], shapes.slot[rows[place]], place
