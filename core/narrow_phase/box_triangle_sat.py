# SPDX-License-Identifier: GPL-3.0-or-later
"""Code shared by pairs of boxes and triangles: kernels on component arrays, and results from the best axes.

Plain arithmetic decides all pairs except those with a gap near zero and those with nearly parallel edges. These few are
decided by a robust method in each pair's own module.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import results
from ..convex.gap import KnownAxes
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
    """Storage for a block of pairs in component arrays. It is reused, as allocation costs more than the arithmetic."""

    def __init__(self, count: int) -> None: ...

    def load(self, a: Any, b: Any) -> None:
        """Load the pairs of a block."""


Kind = TypeVar("Kind", bound=Pairs)

# The robust method of a pair. It maps shapes and the preference of axes to `Answers` and the slack of each pair.
Robust = Callable[[Any, Any, float], tuple[Any, Floats]]


class FlatFaced(ConvexConvex):
    """Pair queries by the candidate axes of two boxes or triangles. The distance uses the generic method."""

    # The `Pairs` with the kernels, and the code of the first cross product of edges.
    pairs: ClassVar[type[Any]]
    first_edges: ClassVar[int]

    @abstractmethod
    def robust(self, a: Any, b: Any, preference: float) -> tuple["Answers", Floats]:
        """Axes and slack of a few pairs, with cross products in double-double."""

    @abstractmethod
    def slack(self, a: Any, b: Any) -> Floats:
        """Largest gap of each pair that counts as contact."""

    def overlap(self, a: Rows[Any], b: Rows[Any]) -> Bools:
        """See `PairAlgorithm`."""
        return overlap(self.pairs, self.robust, a, b)

    def separating_axis(self, a: Rows[Any], b: Rows[Any]) -> Separations:
        """The largest gap over the candidate axes.

        Cross products of parallel edges are left out. An axis wins over those before it only by more than
        `tolerances.AXIS_NAMED`, so that the result is stable under noise. The order is: faces of A, faces of B, edges.
        """
        return separating_axis(self.pairs, self.robust, self.first_edges, a, b, AXIS_NAMED)

    def distance(self, a: Rows[Any], b: Rows[Any], known_axes: KnownAxes | None = None) -> Distances:
        """Signed distance and witness points of each pair: depth from the axes, distance from the generic method."""
        a, b = a.gathered(), b.gathered()
        return self.measured(a, b, self._known_axes(a, b))

    def measured(self, a: Any, b: Any, known_axes: KnownAxes) -> Distances:
        """Distances of pairs whose best axes are known."""
        return super().distance(a, b, known_axes)

    def contacts(
        self,
        a: Rows[Any],
        b: Rows[Any],
        margin: float,
        known: Distances | None = None,
        known_axes: KnownAxes | None = None,
    ) -> Contacts:
        """Contact manifolds. The generic method runs only for pairs whose axes do not show a gap above `margin`."""
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
    """Iterate over the pairs in blocks. Each block is overwritten by the next."""
    pairs, room = None, 0
    for block in blocks(len(a)):
        count = block.stop - block.start
        if pairs is None or room != count:
            pairs, room = kind(count), count
        pairs.load(a.take(block), b.take(block))
        yield block, pairs


def overlap(kind: type[Any], robust: Robust, a: Any, b: Any) -> Bools:
    """Whether the shapes of each pair have a point in common: by faces, then by edges, then by the robust method.

    Parameters
    ----------
    kind : type of `Pairs`
        It also needs `faces`, `edges`, `take`, `error_bound`, `is_uncertain`, `extent`, `margin` and `describe`.
    robust : callable
        Returns the axes and the slack of a few pairs, given the preference of axes. Each pair's module has its own.
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
        results.record_resolved(results.FACE_AXES, len(faces) - len(left))
        results.record_resolved(results.EDGE_AXES, len(left) - len(rows))
        results.record_resolved(results.EXACT, len(rows))
    return result


def separating_axis(
    kind: type[Any], robust: Robust, first_edges: int, a: Any, b: Any, preference: float
) -> Separations:
    """The largest gap over the axes of each pair. Faces are preferred.

    For a separated pair, the returned axis has a positive gap. The other parameters are those of `overlap`.

    Parameters
    ----------
    first_edges : int
        The code of the first cross product of edges.
    preference : float
        A fraction of the size. An axis must be better than each axis before it by more than this.
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
        # Collinear shapes may have no axis left. Then there are no features to write.
        none = np.isinf(result.gap[block])
        pairs.describe(np.where(better, edges.code + np.int8(first_edges), code), np.flatnonzero(better), result, block)
        # A preferred axis without a gap may have won over an axis with a gap.
        np.multiply(pairs.margin, len(faces) + 1.0, out=pairs.margin)
        np.maximum(pairs.error_bound, pairs.margin, out=pairs.error_bound)
        again = pairs.is_uncertain(result.gap[block]) | none
        if preference < AXIS_DOUBT:
            # Rounding may decide whether a face or an edge has less overlap. If the gaps are equal, either may win.
            error_bound = AXIS_DOUBT * pairs.extent
            again |= (gap_edges < gap - pairs.margin) & (gap_edges >= gap - error_bound)
            again |= (gap_edges > gap + pairs.margin) & (gap_edges <= gap + error_bound)
        rows = block.start + np.flatnonzero(again)
        if len(rows):
            result.put(rows, robust(a.take(rows), b.take(rows), preference)[0])
    return result.separations()


def sum_of_products(a: Floats, b: Floats, out: Floats, work: Floats) -> None:
    """Compute ``(a * b).sum(axis=0)`` into `out` without an array of all products; `work` is scratch space."""
    np.multiply(a[0], b[0], out=out)
    out += np.multiply(a[1], b[1], out=work)
    out += np.multiply(a[2], b[2], out=work)


def picked(rows: Floats, index: Ints) -> Floats:
    """Select one row for each pair: (C, K, P), (P,) -> (C, P)."""
    result = np.empty((len(rows), rows.shape[2]))
    place = index * rows.shape[2]
    place += np.arange(rows.shape[2])
    for component, out in zip(rows, result, strict=True):
        component.reshape(-1).take(place, out=out, mode="clip")
    return result


class LargestGap:
    """The largest gap of each pair so far and the number of its axis. Ties go to the first axis."""

    gap: Floats
    code: NDArray[np.int8]

    def __init__(self) -> None:
        self._seen = 0

    def consider(self, gaps: Floats) -> None:
        """Compare with the gaps along the next axes, (K, P)."""
        gap, code = first_of_the_largest(gaps)
        if self._seen:
            code = np.where(gap > self.gap, code + np.int8(self._seen), self.code)
            np.maximum(gap, self.gap, out=gap)
        self.gap, self.code = gap, code
        self._seen += len(gaps)


def first_of_the_largest(gaps: Floats) -> tuple[Floats, NDArray[np.int8]]:
    """The largest gap of each pair, (K, P) -> (P,), and the first row that attains it."""
    count = len(gaps)
    largest: Floats = gaps.max(axis=0)
    # The marks decrease with the row, so the first of several equal gaps has the greatest mark.
    marks = np.equal(gaps, largest).view(np.int8)
    marks *= np.arange(count, 0, -1, dtype=np.int8)[:, None]
    return largest, np.int8(count) - marks.max(axis=0, initial=1)


def first_of_the_best(gaps: Floats, margin: Floats) -> tuple[Floats, Ints]:
    """The largest gap of each pair, (K, P) -> (P,), and its row. A later row must win by more than `margin` (P,)."""
    handicapped = margin * np.arange(len(gaps), dtype=np.float64)[:, None]
    np.subtract(gaps, handicapped, out=handicapped)
    code = first_of_the_largest(handicapped)[1].astype(np.int64)
    return picked(gaps[None], code)[0], code


def divide_by_sines(gaps: Floats, sine: Floats, scale: Floats | float, ill: Bools) -> None:
    """Normalize gaps along cross products in place: from signed squares of unnormalized gaps to those of real gaps.

    Parameters
    ----------
    gaps, sine : (K, P) float64
        `gaps` are signed squares. `sine` are the squared lengths of the cross products; they are overwritten.
    scale : (K, P) float64
        The value of `sine` for perpendicular edges.
    ill : (P,) bool
        Set to True if a cross product has lost too many digits. These and parallel edges get minus infinity.
    """
    low = sine <= NEAR_PARALLEL * scale
    if low.any():
        ill |= (low & (sine > PARALLEL * scale)).any(axis=0)
        np.copyto(gaps, -np.inf, where=low)
        np.copyto(sine, 1.0, where=low)
    gaps /= sine


def error_bound(size: Floats, place_a: Floats, place_b: Floats) -> Floats:
    """Bound of the rounding error (P,). Gaps with a smaller absolute value may have the wrong sign or be contact.

    `size` is the size of the pair. The places (P, ..., 3) are its coordinates.
    """
    offset = max(max(float(place.max()), -float(place.min())) for place in (place_a, place_b))
    return AXIS_DOUBT * size + 4.0 * ROUNDING_STEPS * EPS * offset


def unsquared(square: Floats) -> Floats:
    """The numbers with these signed squares."""
    result: Floats = np.copysign(np.sqrt(np.abs(square)), square)
    return result


def chosen(gaps: Floats, faces: int, margin: Floats, slack: Floats) -> Ints:
    """Choose the axis (P, K) of each pair. The first `faces` of the axes are preferred, in their order.

    An axis must be better by more than `margin` (P,). This does not apply if it has a gap above `slack` (P,) and those
    before it have none.
    """
    order = np.minimum(np.arange(gaps.shape[1]), faces)
    best: Ints = np.argmax(gaps - order * margin[:, None], axis=1)
    largest: Ints = np.argmax(gaps, axis=1)
    at = np.arange(len(gaps))
    return np.where((gaps[at, best] <= slack) & (gaps[at, largest] > slack), largest, best)


class Answers:
    """Separating axes before they become `Separations`. `features` (N, 4) are those of A and of B side by side."""

    def __init__(self, count: int) -> None:
        # One allocation: many small ones cost more than the arithmetic.
        room = np.empty((8, count)).reshape(-1)
        self.gap, self.axis = room[:count], room[count : 4 * count].reshape(count, 3)
        self.features = room[4 * count :].view(np.int64).reshape(count, 4)

    def put(self, rows: Ints, part: "Answers") -> None:
        """Overwrite these rows."""
        for name, value in vars(part).items():
            getattr(self, name)[rows] = value

    def separations(self) -> Separations:
        """Return the result without copies."""
        return Separations(self.gap, self.axis, self.features[:, :2], self.features[:, 2:])


def improve(
    result: Answers, rows: Ints, gaps: Floats, forward: Bools, axes: Floats, features: Ints, slack: Floats
) -> None:
    """Take the best of additional axes for rows where it has a gap that is larger than the known one.

    Parameters
    ----------
    gaps, forward, axes : (R, K), (R, K), (R, K, 3)
        For these rows.
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
