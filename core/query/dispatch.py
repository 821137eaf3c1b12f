# SPDX-License-Identifier: GPL-3.0-or-later
"""From a question about many pairs to questions about pairs of the same two kinds, and back.

Pairs are grouped by the two kinds, and put in the order in which the table of pairs has them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..narrow_phase.algorithm import PairAlgorithm
from ..narrow_phase.table import PAIRS
from ..numerics.types import Ints
from ..results import UnsupportedPair
from ..shapes import Kind
from ..shapes.batch_view import BatchView, ComponentTable
from .operands import Operand, Place, indices, shares, within


@dataclass(frozen=True)
class Group:
    """Pairs of the same two kinds, in the table's order: A and B are swapped where `flipped`."""

    place: Place
    a: BatchView[Any]
    b: BatchView[Any]
    pair: PairAlgorithm[Any, Any]
    flipped: bool

    def __len__(self) -> int:
        return len(self.a)

    @cached_property
    def rows(self) -> Ints:
        """Which of the rows asked about these are, in ascending order."""
        return indices(self.place, len(self))

    @property
    def span(self) -> Place:
        """`rows` as a slice where no others are between them."""
        if isinstance(self.place, slice):
            return self.place
        first, last = self.place[0], self.place[-1]
        return slice(first, last + 1) if last - first + 1 == len(self) else self.place

    def swapped(self, first: Any, second: Any) -> tuple[Any, Any]:
        """What belongs to the asker's A and B in the order of this group, or the other way round."""
        return (second, first) if self.flipped else (first, second)


def groups(a: Operand, b: Operand, rows: Ints, compounds: PairAlgorithm[Any, Any]) -> Iterator[Group]:
    """The pairs by kinds; `compounds` answers where one of the two is made of parts.

    Raises
    ------
    UnsupportedPair
        If two kinds are not in the table: two unbounded shapes.
    """
    tables: dict[int, ComponentTable] = {}
    for batch_a, index_a, place_a in shares(a, rows[:, 0]):
        for batch_b, index_b, place_b in shares(b, rows[place_a, 1]):
            flipped = batch_a.kind > batch_b.kind
            kinds = (batch_b.kind, batch_a.kind) if flipped else (batch_a.kind, batch_b.kind)
            pair = compounds if kinds[1] == Kind.ASSEMBLY else PAIRS.get(kinds)
            if pair is None:
                raise UnsupportedPair(f"{type(batch_a).__name__} against {type(batch_b).__name__}: both are unbounded")
            first, second = BatchView(batch_a, index_a[place_b], tables), BatchView(batch_b, index_b, tables)
            if flipped:
                first, second = second, first
            yield Group(within(place_a, place_b), first, second, pair, flipped)
