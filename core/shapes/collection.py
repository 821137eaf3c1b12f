# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of several kinds in one index space."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ..numerics.types import Ints


@dataclass(eq=False)
class ShapeCollection:
    """Shapes of several kinds in one index space.

    Attributes
    ----------
    batches : tuple of shape batches
        Of one kind each.
    batch, slot : (N,) int64
        Which batch a row lies in, and where there.
    """

    batches: tuple[Any, ...]
    batch: Ints
    slot: Ints

    @classmethod
    def of(cls, batches: Sequence[Any]) -> Self:
        """The rows of all batches, numbered through in order."""
        sizes = [len(batch) for batch in batches]
        slot = np.concatenate([np.arange(size) for size in sizes] or [np.empty(0, dtype=np.int64)])
        return cls(tuple(batches), np.repeat(np.arange(len(sizes)), sizes), slot)

    def __len__(self) -> int:
        return len(self.batch)
