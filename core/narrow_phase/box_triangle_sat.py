# SPDX-License-Identifier: GPL-3.0-or-later
"""What the pairs of boxes and triangles have in common: kernels on components, and how their axes become answers.

Plain arithmetic decides all pairs but those whose gap is nearly zero and those with nearly parallel edges; these few
are done again carefully, by each pair's own module.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..convex.gap import KnownAxes
from ..numerics import counters
from ..numerics.rows import blocks
from ..numerics.tolerances import (
    AXIS_DOUBT,
    AXIS_NAMED,
    AXIS_PREFERENCE,
    AXIS_TIE,
    EPS,
    NEAR_PARALLEL,
    PARALLEL,
    ROUNDING_STEPS,
)
from ..numerics.types import Bools, Floats, Ints
from ..results import Contacts, Distances, Separations
from ..shapes.batch import Rows
from .convex_convex import ConvexConvex


class Pairs(Protocol):
    """Room for a block of pairs in components, used again for the next: fresh memory costs more than the sums."""

    def __init__(self, count: int) -> None: ...

    def load(self, a: Any, b: Any) -> None:
        """Fill in the pairs of a block."""


Kind = TypeVar("Kind", bound=Pairs)

# The robust method of a pair: shapes and the preference of axes, to `Answers` and the slack of each pair.
Robust = Callable[[Any, Any, float], tuple[Any, Floats]]


class FlatFaced(ConvexConvex):
    """The answers by the candidate axes of two boxes or triangles; their distance is found the generic way."""

    # The `Pairs` with the kernels of the axes, and the code of the first cross product of edges.
    pairs: ClassVar[type[Any]]
    first_edges: ClassVar[int]

    @abstractmethod
    def robust(self, a: Any, b: Any, preference: float) -> tuple["Answers", Floats]:
        """The axes and the slack of a few pairs, by cross products in twice the digits."""

    @abstractmethod
    def slack(self, a: Any, b: Any) -> Floats:
        """Greatest gap of each pair that is still contact."""

    def overlap(self, a: Rows[Any], b: Rows[Any]) -> Bools:
        """See `PairAlgorithm`."""
        return overlap(self.pairs, self.robust, a, b)

    def separating_axis(self, a: Rows[Any], b: Rows[Any]) -> Separations:
        """The largest gap over the candidate axes.

        Cross products of parallel edges are no axes and are left out. An axis wins over those before it only by more
        than `tolerances.AXIS_NAMED`, so that the answer does not flip under noise: faces of A, faces of B, edges.
        """
        return separating_axis(self.pairs, self.robust, self.first_edges, a, b, AXIS_NAMED)

    def distance(self, a: Rows[Any], b: Rows[Any], known_axes: KnownAxes | None = None) -> Distances:
        """Signed distance and witnesses of each pair: depth by the axes, distance the generic way."""
        a, b = a.gathered(), b.gathered()
        return self.measured(a, b, self._known_axes(a, b))

    def measured(self, a: Any, b: Any, known_axes: KnownAxes) -> Distances:
        """The distances of pairs whose axes are known."""
        return super().distance(a, b, known_axes)

    def contacts(
        self,
        a: Rows[Any],
        b: Rows[Any],
        margin: float,
        known: Distances | None = None,
        known_axes: KnownAxes | None = None,
    ) -> Contacts:
        """Contact manifolds of the pairs whose axes show that they may be near enough; no others cost anything."""
        a, b = a.gathered(), b.gathered()
        if known is not None:
            return super().contacts(a, b, margin, known)
        known_axes = self._known_axes(a, b)
        near = np.flatnonzero(known_axes.axes.gap <= margin + known_axes.slack)
        if len(near) < len(a):
            a, b, known_axes = a.take(near), b.take(near), known_axes.take(near)
        found = super().contacts(a, b, margin, self.measured(a, b, known_axes))
        return replace(found, pair=near[found.pair])

    def _known_axes(self, a: Any, b: Any) -> KnownAxes:
        best = separating_axis(self.pairs, self.robust, self.first_edges, a, b, AXIS_TIE)
        return KnownAxes(best, self.slack(a, b))


def in_blocks(kind: type[Kind], a: Any, b: Any) -> Iterator[tuple[slice, Kind]]:
    """The pairs of `a` and `b` block by block; each is gone when the next comes."""
    pairs, room = None, 0
    for block in blocks(len(a)):
        count = block.stop - block.start
        if pairs is None or room != count:
            pairs, room = kind(count), count
        pairs.load(a.take(block), b.take(block))
        yield block, pairs


def overlap(kind: type[Any], robust: Robust, a: Any, b: Any) -> Bools:
    """Whether the shapes of each pair have a point in common: faces first, then edges, then with care.

    Parameters
    ----------
    kind : type of `Pairs`
        Which also have `faces`, `edges`, `take`, `error_bound`, `is_uncertain`, `extent`, `margin` and `describe`.
    robust : callable
        The axes and the slack of a few pairs, as each pair's module finds them, given the preference of axes.
    """
    result = np.zeros(len(a), dtype=bool)
    for block, pairs in in_blocks(kind, a, b):
        faces = pairs.faces().max(axis=0)
        left = np.flatnonzero(faces <= pairs.error_bound)
        near = pairs.take(left)
        gap = np.maximum(faces[left], unsquared(near.edges().gap))
        result[block.start + left] = gap <= 0.0
        rows = block.start + left[near.is_uncertain(gap)]
        if len(rows):
            found, slack = robust(a.take(rows), b.take(rows), AXIS_PREFERENCE)
            result[rows] = found.gap <= slack
        counters.record_resolved(counters.FACE_AXES, len(faces) - len(left))
        counters.record_resolved(counters.EDGE_AXES, len(left) - len(rows))
        counters.record_resolved(counters.EXACT, len(rows))
    return result


def separating_axis(
    kind: type[Any], robust: Robust, first_edges: int, a: Any, b: Any, preference: float
) -> Separations:
    """The largest gap over the axes of each pair, faces preferred; the arguments are those of `overlap`.

    Of a pair that is apart, the axis shows a gap.

    Parameters
    ----------
    first_edges : int
        The code of the first cross product of edges.
    preference : float
        A fraction of the size: an axis must be better than each before it by so much.
    """
    result = Answers(len(a))
    for block, pairs in in_blocks(kind, a, b):
        np.multiply(pairs.extent, preference, out=pairs.margin)
        faces = pairs.faces()
        gap, code = first_of_the_best(faces, pairs.margin)
        edges = pairs.edges()
        gap_edges = unsquared(edges.gap)
        better = gap_edges > gap + pairs.margin
        result.gap[block] = np.where(better, gap_edges, gap)
        # Of shapes in one line no axis may be left, and then there is nothing to describe.
        none = np.isinf(result.gap[block])
        pairs.describe(np.where(better, edges.code + np.int8(first_edges), code), np.flatnonzero(better), result, block)
        # An axis that shows no gap may have come before one that does.
        np.multiply(pairs.margin, len(faces) + 1.0, out=pairs.margin)
        np.maximum(pairs.error_bound, pairs.margin, out=pairs.error_bound)
        again = pairs.is_uncertain(result.gap[block]) | none
        if preference < AXIS_DOUBT:
            # Which of faces and edges shows less overlap may be rounding; where they are alike, either will do.
            error_bound = AXIS_DOUBT * pairs.extent
            again |= (gap_edges < gap - pairs.margin) & (gap_edges >= gap - error_bound)
            again |= (gap_edges > gap + pairs.margin) & (gap_edges <= gap + error_bound)
        rows = block.start + np.flatnonzero(again)
        if len(rows):
            result.put(rows, robust(a.take(rows), b.take(rows), preference)[0])
    return result.separations()


def sum_of_products(a: Floats, b: Floats, out: Floats, work: Floats) -> None:
    """``(a * b).sum(axis=0)`` without an array of all products: (3, ...), (3, ...) -> (...), and room for as much."""
    np.multiply(a[0], b[0], out=out)
    out += np.multiply(a[1], b[1], out=work)
    out += np.multiply(a[2], b[2], out=work)


def picked(rows: Floats, index: Ints) -> Floats:
    """One row for each pair: (C, K, P), (P,) -> (C, P)."""
    result = np.empty((len(rows), rows.shape[2]))
    place = index * rows.shape[2]
    place += np.arange(rows.shape[2])
    for component, out in zip(rows, result, strict=True):
        component.reshape(-1).take(place, out=out, mode="clip")
    return result


class Leader:
    """The largest gap of each pair so far, and the number of the axis it belongs to; of equal ones the first."""

    gap: Floats
    code: NDArray[np.int8]

    def __init__(self) -> None:
        self._seen = 0

    def consider(self, gaps: Floats) -> None:
        """The gaps along the next axes, (K, P)."""
        gap, code = first_of_the_largest(gaps)
        if self._seen:
            code = np.where(gap > self.gap, code + np.int8(self._seen), self.code)
            np.maximum(gap, self.gap, out=gap)
        self.gap, self.code = gap, code
        self._seen += len(gaps)


def first_of_the_largest(gaps: Floats) -> tuple[Floats, NDArray[np.int8]]:
    """The largest gap of each pair, (K, P) -> (P,), and the first row that has it."""
    count = len(gaps)
    largest: Floats = gaps.max(axis=0)
    # Marks descend with the rows: of those that are equal the first has the greatest.
    marks = np.equal(gaps, largest).view(np.int8)
    marks *= np.arange(count, 0, -1, dtype=np.int8)[:, None]
    return largest, np.int8(count) - marks.max(axis=0, initial=1)


def first_of_the_best(gaps: Floats, margin: Floats) -> tuple[Floats, Ints]:
    """The largest gap of each pair, (K, P) -> (P,), and its row; a later row must win by more than `margin` (P,)."""
    handicapped = margin * np.arange(len(gaps), dtype=np.float64)[:, None]
    np.subtract(gaps, handicapped, out=handicapped)
    code = first_of_the_largest(handicapped)[1].astype(np.int64)
    return picked(gaps[None], code)[0], code


def divide_by_sines(gaps: Floats, sine: Floats, scale: Floats | float, ill: Bools) -> None:
    """Gaps times their sizes along cross products made the squares of gaps along unit axes, in place.

    Parameters
    ----------
    gaps, sine : (K, P) float64
        `sine` are the squared lengths of the cross products; spoiled.
    scale : (K, P) float64
        What `sine` would be, were the two at right angles.
    ill : (P,) bool
        Set where a cross product has lost too many digits. That one and those of parallel edges get minus infinity.
    """
    low = sine <= NEAR_PARALLEL * scale
    if low.any():
        ill |= (low & (sine > PARALLEL * scale)).any(axis=0)
        np.copyto(gaps, -np.inf, where=low)
        np.copyto(sine, 1.0, where=low)
    gaps /= sine


def error_bound(size: Floats, place_a: Floats, place_b: Floats) -> Floats:
    """Gaps no larger than this, either way, may have the wrong sign or be touching: (P,).

    `size` is that of the pair, and the places (P, ..., 3) are the coordinates it is given by.
    """
    offset = max(max(float(place.max()), -float(place.min())) for place in (place_a, place_b))
    return AXIS_DOUBT * size + 4.0 * ROUNDING_STEPS * EPS * offset


def unsquared(square: Floats) -> Floats:
    """The numbers whose squares, with their signs, these are."""
    result: Floats = np.copysign(np.sqrt(np.abs(square)), square)
    return result


def chosen(gaps: Floats, faces: int, margin: Floats, slack: Floats) -> Ints:
    """Which of the axes (P, K) decides, the first `faces` of them preferred, the first of these most.

    An axis must be better by more than `margin` (P,), unless it shows a gap, above `slack` (P,), and those before
    show none.
    """
    order = np.minimum(np.arange(gaps.shape[1]), faces)
    best: Ints = np.argmax(gaps - order * margin[:, None], axis=1)
    largest: Ints = np.argmax(gaps, axis=1)
    at = np.arange(len(gaps))
    return np.where((gaps[at, best] <= slack) & (gaps[at, largest] > slack), largest, best)


class Answers:
    """Separating axes on their way into `Separations`: `features` (N, 4) are those of A and of B side by side."""

    def __init__(self, count: int) -> None:
        # In one piece: what the system gives and takes back in many costs more than the sums.
        room = np.empty((8, count)).reshape(-1)
        self.gap, self.axis = room[:count], room[count : 4 * count].reshape(count, 3)
        self.features = room[4 * count :].view(np.int64).reshape(count, 4)

    def put(self, rows: Ints, part: "Answers") -> None:
        """Write the answers of some rows."""
        for name, value in vars(part).items():
            getattr(self, name)[rows] = value

    def separations(self) -> Separations:
        """The answers, of which nothing is copied."""
        return Separations(self.gap, self.axis, self.features[:, :2], self.features[:, 2:])


def improve(
    result: Answers, rows: Ints, gaps: Floats, forward: Bools, axes: Floats, features: Ints, slack: Floats
) -> None:
    """Take the best of more axes for those rows where it shows a gap, and a larger one.

    Parameters
    ----------
    gaps, forward, axes : (R, K), (R, K), (R, K, 3)
        Of the rows.
    features : (K, 4) int64
    slack : (R,) float64
    """
    at = np.arange(len(rows))
    best = np.argmax(gaps, axis=1)
    better = gaps[at, best] > np.maximum(slack, result.gap[rows])
    rows, at, best = rows[better], at[better], best[better]
    result.gap[rows] = gaps[at, best]
    result.axis[rows] = axes[at, best] * np.where(forward[at, best], 1.0, -1.0)[:, None]
    result.features[rows] = features[best]
