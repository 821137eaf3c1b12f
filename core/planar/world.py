# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of several planar kinds in one index space; and the same laid into space, to be asked as a world there is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.tolerances import rounding
from ..numerics.types import Bools, Floats, Ints
from ..results import Contacts, Distances
from . import queries
from .penetration.interference import interference
from .shapes.regions import Body
from .sweep_and_prune import sweep_and_prune

Vectors = TypeVar("Vectors", Distances, Contacts)


class PlanarWorld:
    """Shapes of several kinds in one index space, and the pairs among them that may meet.

    The planar `collision_kit.core.World`: pairs are rows of it, answers are those of `collision_kit.core.planar`.

    Parameters
    ----------
    batches : sequence of batches of planar shapes
        Rows are numbered through in order.

    Attributes
    ----------
    batches : tuple of batches
    batch, slot : (N,) int64
        Which batch a row lies in, and where there.
    """

    def __init__(self, batches: Sequence[Body]) -> None:
        self.batches = tuple(batches)
        sizes = [len(batch) for batch in self.batches]
        self.batch: Ints = np.repeat(np.arange(len(sizes)), sizes)
        self.slot: Ints = np.concatenate([np.empty(0, np.int64), *(np.arange(size) for size in sizes)])

    def __len__(self) -> int:
        return len(self.batch)

    @cached_property
    def _bounds(self) -> tuple[Floats, Floats]:
        """The bounds of the bare shapes."""
        parts = [batch.bounds() for batch in self.batches]
        nothing = np.empty((0, 2))
        return np.concatenate([nothing, *(p[0] for p in parts)]), np.concatenate([nothing, *(p[1] for p in parts)])

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds of every shape: lower (N, 2) and upper (N, 2)."""
        return self._bounds

    def pairs(self, margin: float = 0.0) -> Ints:
        """Pairs whose bounds are no farther apart than `margin` along either axis: (P, 2), i < j, in order."""
        lower, upper = self.bounds()
        # Bounds carry rounding of their own; a hair more makes sure that no touching pair is lost to it.
        hair = 4.0 * np.finfo(np.float64).eps * np.abs(np.stack([lower, upper])).max(axis=(0, 2), initial=0.0)
        reach = (margin / 2.0 + hair)[:, None]
        return sweep_and_prune(lower - reach, upper + reach)

    def distance(self, pairs: ArrayLike) -> Distances:
        """See `collision_kit.core.planar.distance`."""
        given = _rows(pairs)
        vectors = np.empty((3, len(given), 2))
        result = Distances(np.empty(len(given)), vectors[0], vectors[1], vectors[2], np.empty(len(given)))
        for rows, a, b, slots in self._grouped(given):
            for name, value in vars(queries.distance(a, b, slots)).items():
                getattr(result, name)[rows] = value
        return result

    def interference(self, pairs: ArrayLike, *, known: Distances | None = None) -> Floats:
        """See `collision_kit.core.planar.penetration.interference`; `known` is what `distance` says of the pairs."""
        given = _rows(pairs)
        measured = self.distance(given) if known is None else known
        result = np.empty(len(given))
        for rows, a, b, slots in self._grouped(given):
            result[rows] = interference(a, b, slots[:, 0], slots[:, 1], measured.take(rows))
        return result

    def contacts(self, pairs: ArrayLike, margin: float = 0.0) -> Contacts:
        """See `collision_kit.core.planar.contacts`; rows are in the order of the pairs."""
        found = []
        for rows, a, b, slots in self._grouped(_rows(pairs)):
            part = queries.contacts(a, b, slots, margin)
            found.append(replace(part, pair=rows[part.pair]))
        if not found:
            none, features = np.empty((0, 2)), np.empty((0, 2), np.int64)
            ids = np.empty(0, np.int64)
            return Contacts(ids, none, none, np.empty(0), np.empty(0, np.int8), features, features)
        return Contacts.joined(found)

    def contains(self, pairs: ArrayLike) -> Bools:
        """See `collision_kit.core.planar.contains`."""
        given = _rows(pairs)
        result = np.zeros(len(given), np.bool_)
        (low_a, high_a), (low_b, high_b) = ([side[rows] for side in self._bounds] for rows in given.T)
        # What is inside has its bounds inside, give or take twice what counts as touching.
        largest = np.abs(np.stack([low_a, high_a, low_b, high_b])).max(axis=(0, 2), initial=0.0)
        slack = 2.0 * rounding(4.0 * largest, 2.0 * largest)[:, None]
        within = np.flatnonzero(((low_a <= low_b + slack) & (high_b <= high_a + slack)).all(axis=1))
        for rows, a, b, slots in self._grouped(given[within]):
            result[within[rows]] = queries.contains(a, b, slots)
        return result

    def _grouped(self, pairs: Ints) -> Iterator[tuple[Ints, Body, Body, Ints]]:
        """The pairs of each two batches: their rows, the batches, and the rows of these."""
        group = self.batch[pairs[:, 0]] * len(self.batches) + self.batch[pairs[:, 1]]
        for number in np.unique(group).tolist():
            rows = np.flatnonzero(group == number)
            first, second = divmod(number, len(self.batches))
            yield rows, self.batches[first], self.batches[second], self.slot[pairs[rows]]


@dataclass(frozen=True, eq=False)
class Plane:
    """A plane of space, as one looks at it.

    Attributes
    ----------
    axes : (3, 3) float64
        Rows: the plane's first and second axis, and its normal, towards who looks; orthonormal, right-handed.
    """

    axes: Floats

    def down(self, points: Floats) -> Floats:
        """Points of space (…, 3) in the plane's coordinates (…, 2)."""
        result: Floats = points @ self.axes[:2].T
        return result

    def height(self, points: Floats) -> Floats:
        """How far points of space (…, 3) lie in front of the origin."""
        result: Floats = points @ self.axes[2]
        return result

    def up(self, points: Floats, height: ArrayLike = 0.0) -> Floats:
        """Points of the plane (…, 2) in space, so far in front of the origin."""
        result: Floats = points @ self.axes[:2] + np.asarray(height, np.float64)[..., None] * self.axes[2]
        return result


class PlacedWorld:
    """A planar world in space: it answers as a `collision_kit.core.World` of flat shapes would, with vectors of space.

    What is seen as an outline is at no one height. So the answers on a pair lie at the front of the two, where nothing
    of theirs hides them.

    Parameters
    ----------
    flat : PlanarWorld
    plane : Plane
    front : (N,) float64
        How far each shape reaches to the front: the height of its foremost point.
    """

    def __init__(self, flat: PlanarWorld, plane: Plane, front: Floats) -> None:
        self.flat, self.plane, self.front = flat, plane, front

    def __len__(self) -> int:
        return len(self.flat)

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds in space, of the bounds in the plane: lower (N, 3) and upper (N, 3)."""
        low, high = self.flat.bounds()
        corners = [np.stack([x, y], axis=1) for x in (low[:, 0], high[:, 0]) for y in (low[:, 1], high[:, 1])]
        placed = np.stack([self.plane.up(corner, self.front) for corner in corners])
        return placed.min(axis=0), placed.max(axis=0)

    def pairs(self, margin: float = 0.0) -> Ints:
        """Pairs whose bounds in the plane are no farther apart than `margin`."""
        return self.flat.pairs(margin)

    def distance(self, pairs: ArrayLike) -> Distances:
        """See `collision_kit.core.planar.distance`."""
        given = _rows(pairs)
        return self._placed(self.flat.distance(given), self._height(given), ("point_a", "point_b"))

    def interference(self, pairs: ArrayLike, *, known: Distances | None = None) -> Floats:
        """See `collision_kit.core.planar.penetration.interference`; `known` is what `distance` says of the pairs."""
        return self.flat.interference(pairs, known=known)

    def contacts(self, pairs: ArrayLike, margin: float = 0.0, *, known: Distances | None = None) -> Contacts:
        """See `collision_kit.core.planar.contacts`; what is known of the pairs already is of no use here."""
        given = _rows(pairs)
        found = self.flat.contacts(given, margin)
        return self._placed(found, self._height(given)[found.pair], ("point",))

    def contains(self, pairs: ArrayLike) -> Bools:
        """See `collision_kit.core.planar.contains`."""
        return self.flat.contains(pairs)

    def _height(self, pairs: Ints) -> Floats:
        height: Floats = self.front[pairs].max(axis=1) if len(pairs) else np.empty(0)
        return height

    def _placed(self, found: Vectors, height: Floats, points: tuple[str, ...]) -> Vectors:
        placed: dict[str, Any] = {name: self.plane.up(getattr(found, name), height) for name in points}
        return replace(found, normal=self.plane.up(found.normal), **placed)


def _rows(pairs: ArrayLike) -> Ints:
    return np.asarray(pairs, np.int64).reshape(-1, 2)
