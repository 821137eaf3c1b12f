# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines with a margin: each row of a planar world taken as all points no farther from its shape than its margin.

As `collision_kit.core.world.margins` has it in space; a region here is what a mesh is there.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.error_free import two_diff
from ..numerics.tolerances import EPS, ROUNDING_STEPS
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import check_lengths
from ..results import Contacts, Distances
from ..world.margins import grown_contacts, grown_or_freed
from . import queries
from .shapes.blocks import cores_of
from .shapes.bounds import Rows
from .shapes.convex import Circles
from .shapes.regions import Body, Regions, pieces_of, product, ranges
from .world import PlanarWorld


def inflated(batches: Sequence[Body], margin: Floats) -> PlanarWorld:
    """A planar world of these batches, whose rows have these margins (N,); a plain one where none has any."""
    return InflatedPlanarWorld(batches, margin) if margin.any() else PlanarWorld(batches)


class InflatedPlanarWorld(PlanarWorld):
    """A `PlanarWorld` whose shapes have margins; its methods answer for the inflated shapes.

    Parameters
    ----------
    batches : sequence of batches of planar shapes
    margin : (N,) array-like
        Of each row, not negative.

    Raises
    ------
    ValueError
        If there are not as many margins as shapes, or one is not a length.
    """

    def __init__(self, batches: Sequence[Body], margin: ArrayLike) -> None:
        super().__init__(batches)
        check_lengths(margin=margin)
        self.margin: Floats = np.array(margin, dtype=np.float64)
        if self.margin.shape != (len(self),):
            raise ValueError(f"margin: shape {self.margin.shape}, but there are {len(self)} shapes")
        self._concave: Bools = np.array([isinstance(batch, Regions) for batch in self.batches], np.bool_)[self.batch]

    def bounds(self) -> tuple[Floats, Floats]:
        """See `PlanarWorld.bounds`."""
        lower, upper = super().bounds()
        return lower - self.margin[:, None], upper + self.margin[:, None]

    def distance(self, pairs: ArrayLike) -> Distances:
        """See `PlanarWorld.distance`."""
        rows = np.asarray(pairs, np.int64).reshape(-1, 2)
        return grown_or_freed(
            super().distance(rows),
            self.margin[rows[:, 0]],
            self.margin[rows[:, 1]],
            np.asarray(self._concave[rows].any(axis=1)),
            lambda some, shift: self._beyond(rows[some], shift),
            lambda some, along: self._past(rows[some], along),
        )

    def interference(self, pairs: ArrayLike, *, known: Distances | None = None) -> Floats:
        """See `PlanarWorld.interference`: of bodies that are not convex that of the bare ones, and the margins."""
        rows = np.asarray(pairs, np.int64).reshape(-1, 2)
        measured = self.distance(rows) if known is None else known
        bare, both = super().distance(rows), self.margin[rows].sum(axis=1)
        inner = super().interference(rows, known=bare) + both - np.maximum(bare.distance, 0.0)
        result = np.maximum(-measured.distance, 0.0)
        result[result <= measured.rounding] = 0.0
        concave = self._concave[rows].any(axis=1)
        return np.where(concave, np.clip(inner, 0.0, result), result)

    def contacts(self, pairs: ArrayLike, margin: float = 0.0) -> Contacts:
        """See `PlanarWorld.contacts`; features are those of the bare shapes."""
        rows = np.asarray(pairs, np.int64).reshape(-1, 2)
        margin_a, margin_b = self.margin[rows].T
        both = margin_a + margin_b
        bare, rest = np.flatnonzero(both == 0.0), np.flatnonzero(both > 0.0)
        first = super().contacts(rows[bare], margin)
        ask = super().contacts
        second = grown_contacts(
            lambda some, reach: ask(rows[rest[some]], reach),
            self.distance(rows[rest]),
            margin_a[rest],
            margin_b[rest],
            margin,
        )
        parts = [replace(first, pair=bare[first.pair]), replace(second, pair=rest[second.pair])]
        return Contacts.joined([part for part in parts if len(part)] or parts[:1])

    def contains(self, pairs: ArrayLike) -> Bools:
        """See `PlanarWorld.contains`, and `InflatedWorld.contains` for what margins do to it."""
        rows = np.asarray(pairs, np.int64).reshape(-1, 2)
        room = self.margin[rows[:, 0]] - self.margin[rows[:, 1]]
        result = np.zeros(len(rows), np.bool_)
        other = (self.margin[rows] > 0.0).any(axis=1)
        concave = self._concave[rows[:, 0]]
        bare = ~other | concave
        result[bare] = super().contains(rows[bare])
        tight = np.flatnonzero(other & concave & result & (room < 0.0))
        result[tight] = self._clear_of_boundary(rows[tight], -room[tight])
        convex = np.flatnonzero(other & ~concave)
        result[convex] = self._within(rows[convex], room[convex])
        return result

    def _shape(self, row: int) -> Body:
        """The shape of a row, as a batch of one."""
        return self.batches[self.batch[row]].take(self.slot[[row]])

    def _beyond(self, rows: Ints, shift: Floats) -> Floats:
        """How far apart bare pairs are once B of each is displaced; concave ones that overlap are few."""
        found = [
            queries.distance(self._shape(a), _moved(self._shape(b), by)).distance
            for (a, b), by in zip(rows.tolist(), shift, strict=True)
        ]
        return np.concatenate(found)

    def _past(self, rows: Ints, along: Floats) -> Floats:
        """How far B of each pair has to go along a unit vector to have passed the bounds of A."""
        lower, upper = super().bounds()
        head = np.where(along > 0.0, upper[rows[:, 0]], lower[rows[:, 0]])
        tail = np.where(along > 0.0, lower[rows[:, 1]], upper[rows[:, 1]])
        way: Floats = np.maximum(((head - tail) * along).sum(axis=1), 0.0)
        return way

    def _clear_of_boundary(self, pairs: Ints, least: Floats) -> Bools:
        """Whether what a region holds stays so far away from its boundary."""
        result = np.ones(len(pairs), np.bool_)
        for place, regions, other, asked in self._grouped(pairs):
            assert isinstance(regions, Regions)
            geometry = regions.index[asked[:, 0]]
            sides = regions.first_side[geometry], np.diff(regions.first_side)[geometry]
            for meeting in product(*sides, *ranges(other, asked[:, 1])):
                met = np.stack([meeting.a, meeting.b], axis=1)
                found = queries.distance(regions.sides, pieces_of(other), met)
                near = found.distance < least[place[meeting.owner]] - found.rounding
                result[place[meeting.owner[near]]] = False
        return result

    def _within(self, pairs: Ints, room: Floats) -> Bools:
        """Whether all of B lies no farther from convex A than this, or where that is below zero so deep in it."""
        result = np.ones(len(pairs), np.bool_)
        for place, holder, other, asked in self._grouped(pairs):
            pieces = pieces_of(other)
            for meeting in product(asked[:, 0], np.ones(len(asked), np.int64), *ranges(other, asked[:, 1])):
                size_class = pieces.rows.size_class[meeting.b]
                for corners in np.unique(size_class).tolist():
                    mine = np.flatnonzero(size_class == corners)
                    row, owner = meeting.b[mine], place[meeting.owner[mine]]
                    core = cores_of(pieces, row, corners)
                    points = np.stack([core.x + pieces.rows.x[row], core.y + pieces.rows.y[row]], axis=2)
                    width = len(points)
                    met = np.stack([np.tile(meeting.a[mine], width), np.arange(width * len(mine))], axis=1)
                    dots = Circles(points.reshape(-1, 2), np.zeros(width * len(mine)))
                    found, owner = queries.distance(holder, dots, met), np.tile(owner, width)
                    slack = found.rounding + ROUNDING_STEPS * EPS * np.abs(room[owner])
                    out = found.distance + np.tile(core.radius, width) > room[owner] + slack
                    result[owner[out]] = False
        return result


def _moved(shape: Body, shift: Floats) -> Body:
    """A shape displaced by a vector (2,): only its place changes."""
    if isinstance(shape, Regions):
        return shape.with_fields(pieces=_moved(shape.pieces, shift), sides=_moved(shape.sides, shift))
    return shape.with_fields(rows=_moved_rows(shape.rows, float(shift[0]), float(shift[1])))


def _moved_rows(rows: Rows, x: float, y: float) -> Rows:
    magnitude = rows.magnitude + np.hypot(x, y)
    (new_x, rest_x), (new_y, rest_y) = (
        two_diff(place, np.full(len(place), -by)) for place, by in ((rows.x, x), (rows.y, y))
    )
    return replace(
        rows, x=new_x, y=new_y, rest_x=rows.rest_x + rest_x, rest_y=rows.rest_y + rest_y, magnitude=magnitude
    )
