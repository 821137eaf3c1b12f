# SPDX-License-Identifier: GPL-3.0-or-later
"""Compounds: bodies made of several shapes (Lee 2018, section 13.1: primitives and their local transforms)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.rows import joined_indices, ragged_arange
from ..numerics.types import Floats, Ints
from ..numerics.validation import common_rows, coordinates, items
from .batch import Batch, Kind, ShapeCollection, rotations


@dataclass(frozen=True, eq=False, repr=False)
class Compounds(Batch):
    """Bodies, each of which is the union of its parts. Parts of the same body are never tested against each other.

    Parameters
    ----------
    bodies : sequence of sequences of shape batches
        The parts of each body, in its own frame; at least one shape for each body. A compound in the sequence is
        replaced by its parts. Materials are those of the parts.
    translation : (N, 3) array-like, optional
    rotation : (N, 3, 3) array-like, optional
        A point x of a body is at ``rotation @ x + translation`` in the world.

    Attributes
    ----------
    parts : ShapeCollection
        The parts of all bodies, in world coordinates.
    first, count : (N,) int64
        The parts of each body are the rows from ``first`` up to, but not including, ``first + count``, in the given
        order.

    Raises
    ------
    ValueError
        If a body has no part, or as for the other batches; names the body.
    """

    parts: ShapeCollection
    first: Ints
    count: Ints
    kind: ClassVar[Kind] = Kind.COMPOUND
    shared: ClassVar[tuple[str, ...]] = ("parts",)
    refers: ClassVar[tuple[str, ...]] = ("first",)

    def __init__(
        self, bodies: Sequence[Sequence[Batch]], translation: ArrayLike | None = None, rotation: ArrayLike | None = None
    ) -> None:
        bodies = [items(body, f"bodies: body {row}") for row, body in enumerate(items(bodies, "bodies"))]
        place = coordinates(np.zeros((len(bodies), 3)) if translation is None else translation, "translation", (-1, 3))
        turn = rotations(rotation, len(bodies))
        row_of, place, turn = common_rows(bodies=np.arange(len(bodies)), translation=place, rotation=turn)
        if len(row_of) != len(bodies):
            raise ValueError(f"translation and rotation: {len(row_of)} rows, but bodies has {len(bodies)}")
        parts, body = [], []
        for row, batches in enumerate(bodies):
            for batch in batches:
                if not isinstance(batch, Batch) or not hasattr(batch, "kind"):
                    raise ValueError(
                        f"bodies: body {row} has a {type(batch).__name__}, which is not a batch of shapes in space"
                    )
                for part in _flattened(batch):
                    parts.append(part)
                    body.append(row)
        size = np.array([len(part) for part in parts], dtype=np.int64)
        owner = np.repeat(np.array(body, dtype=np.int64), size)
        count = np.bincount(owner, minlength=len(bodies))
        if (count == 0).any():
            raise ValueError(f"bodies: body {int(np.argmax(count == 0))} has no part")
        kinds = np.repeat(np.array([part.kind for part in parts], dtype=np.int64), size)
        joined, number, slot = [], np.zeros_like(kinds), np.zeros_like(kinds)
        for kind in np.unique(kinds):
            rows = np.flatnonzero(kinds == kind)
            same = [part for part in parts if part.kind == kind and len(part)]
            joined.append(type(same[0]).joined(same).placed(turn[owner[rows]], place[owner[rows]]))
            number[rows], slot[rows] = len(joined) - 1, np.arange(len(rows))
        collection = ShapeCollection(tuple(joined), number, slot)
        self.fill(parts=collection, first=np.cumsum(count) - count, count=count.astype(np.int64))

    def __len__(self) -> int:
        return len(self.first)

    @classmethod
    def joined_shared(cls, batches: Sequence[Self]) -> dict[str, Any]:
        """The shared fields of `joined`, and those that refer to them, by name."""
        every = [one.parts for one in batches]
        first = joined_indices([one.first for one in batches], [*map(len, every)])
        return {"parts": ShapeCollection.joined(every), "first": first}

    def row_geometry(self) -> list[tuple[Any, ...]]:
        """The parts of each body."""
        ends = zip(self.first.tolist(), (self.first + self.count).tolist(), strict=True)
        return [(self.parts.take(slice(first, last)),) for first, last in ends]

    def parts_of(self, rows: Ints) -> tuple[Ints, Ints]:
        """All parts of these bodies, in order: the index into `rows`, and the index of the part; both (K,)."""
        return ragged_arange(self.count[rows], self.first[rows])

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Rotate each body by its matrix (N, 3, 3) about the origin, then translate it by its vector (N, 3)."""
        rotation = np.broadcast_to(rotation, (len(self), 3, 3))
        place, part = self.parts_of(np.arange(len(self)))
        batches, batch, slot = [], self.parts.batch[part], np.zeros_like(part)
        for number, shapes in enumerate(self.parts.batches):
            rows = np.flatnonzero(batch == number)
            body = place[rows]
            batches.append(shapes.take(self.parts.slot[part[rows]]).placed(rotation[body], translation[body]))
            slot[rows] = np.arange(len(rows))
        collection = ShapeCollection(tuple(batches), batch, slot)
        return self.with_fields(parts=collection, first=np.cumsum(self.count) - self.count)

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        low, high = np.empty((2, len(self.parts), 3))
        for number, shapes in enumerate(self.parts.batches):
            rows = np.flatnonzero(self.parts.batch == number)
            lower, upper = shapes.bounds()
            low[rows], high[rows] = lower[self.parts.slot[rows]], upper[self.parts.slot[rows]]
        if not len(self):
            return np.empty((0, 3)), np.empty((0, 3))
        _, part = self.parts_of(np.arange(len(self)))
        start = np.cumsum(self.count) - self.count
        return np.minimum.reduceat(low[part], start), np.maximum.reduceat(high[part], start)


def _flattened(batch: Batch) -> list[Batch]:
    """The parts of a compound, one per batch, in order. Any other batch is returned unchanged."""
    if not isinstance(batch, Compounds):
        return [batch]
    _, part = batch.parts_of(np.arange(len(batch)))
    parts = batch.parts
    return [parts.batches[parts.batch[row]].take(parts.slot[[row]]) for row in part]


# Alias for scripts outside this project.
Assemblies = Compounds
