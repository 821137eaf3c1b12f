# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of several kinds in one index space."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ..numerics.types import Floats, Ints


@dataclass(eq=False)
class ShapeCollection:
    """Shapes of several kinds in one index space.

    Attributes
    ----------
    batches : tuple of shape batches
        Of one kind each.
    batch, slot : (N,) int64
        Which batch a row lies in, and where there.
    margin : (N,) float64 or None
        How much farther each row reaches than its shape, in every direction; None where no row has a margin.
    """

    batches: tuple[Any, ...]
    batch: Ints
    slot: Ints
    margin: Floats | None = None

    @classmethod
    def of(cls, batches: Sequence[Any], margin: Floats | None = None) -> Self:
        """The rows of all batches, numbered through in order, with their margins."""
        sizes = [len(batch) for batch in batches]
        slot = np.concatenate([np.arange(size) for size in sizes] or [np.empty(0, dtype=np.int64)])
        return cls(tuple(batches), np.repeat(np.arange(len(sizes)), sizes), slot, margin)

    def __len__(self) -> int:
        return len(self.batch)
