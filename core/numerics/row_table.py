# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of rows: dataclasses of arrays that are equally long, one entry a row."""

from collections.abc import Sequence
from typing import Self

import numpy as np

from .types import Bools, Ints


class RowTable:
    """What dataclasses of arrays share; each field has one entry a row."""

    def __len__(self) -> int:
        return len(next(iter(vars(self).values())))

    def take(self, rows: Ints | Bools) -> Self:
        """These rows, in that order."""
        return type(self)(**{name: value[rows] for name, value in vars(self).items()})

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The rows of all parts, of which there is at least one."""
        return cls(**{name: np.concatenate([vars(part)[name] for part in parts]) for name in vars(parts[0])})
