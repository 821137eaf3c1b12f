# SPDX-License-Identifier: GPL-3.0-or-later
"""Ragged arrays: rows of different lengths in one array."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from .types import Ints

Scalar = TypeVar("Scalar", np.float64, np.int64)


@dataclass(frozen=True)
class Table(Generic[Scalar]):
    """A ragged array: row i is ``values[start[i] : start[i] + count[i]]``."""

    values: NDArray[Scalar]
    start: Ints
    count: Ints

    @classmethod
    def of(cls, rows: Sequence[NDArray[Scalar]]) -> "Table[Scalar]":
        """Build from a sequence of rows."""
        count = np.array([len(row) for row in rows], dtype=np.int64)
        return cls(np.concatenate(rows), np.cumsum(count) - count, count)

    @classmethod
    def joined(cls, tables: Sequence["Table[Scalar]"]) -> "Table[Scalar]":
        """Concatenate the rows of several arrays, without gaps."""
        count = np.concatenate([table.count for table in tables])
        return cls(np.concatenate([table.values for table in tables]), np.cumsum(count) - count, count)

    def padded(self, rows: Ints) -> NDArray[Scalar]:
        """These rows as (P, greatest count, ...); shorter rows repeat their last entry, empty rows are an error."""
        width = int(self.count[rows].max(initial=1))
        at = self.start[rows, None] + np.minimum(np.arange(width), self.count[rows, None] - 1)
        return self.values[at]
