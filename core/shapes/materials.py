# SPDX-License-Identifier: GPL-3.0-or-later
"""What surfaces are made of, and what a contact between two of them makes of it (Lee 2018, section 13.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.types import Floats, Ints
from ..numerics.validation import float_array

# Of shapes given without materials, as of a rigid body in Blender that nobody has touched.
DEFAULT_FRICTION = 0.5
DEFAULT_RESTITUTION = 0.0


@dataclass(frozen=True, eq=False)
class Materials:
    """Friction and restitution of the shapes of a batch, given to it as ``materials=``.

    Parameters
    ----------
    friction : float or (N,) array-like
        Coulomb's coefficient, at least 0.
    restitution : float or (N,) array-like
        0: a blow is swallowed; 1: it is given back whole.

    Raises
    ------
    ValueError
        If a number is not finite or out of its range; names the field and the row.
    """

    friction: Floats
    restitution: Floats

    def __init__(self, friction: ArrayLike = DEFAULT_FRICTION, restitution: ArrayLike = DEFAULT_RESTITUTION) -> None:
        fields = {}
        for name, value, most in (("friction", friction, np.inf), ("restitution", restitution, 1.0)):
            given = float_array(value, name).astype(np.float64)
            if given.ndim > 1:
                raise ValueError(f"{name}: shape {given.shape}, but (N,) is needed")
            row = given.reshape(-1)
            bad = (row < 0.0) | (row > most)
            if bad.any():
                wanted = "at least 0" if most == np.inf else f"between 0 and {most:g}"
                raise ValueError(f"{name}: row {int(np.argmax(bad))} is {row[np.argmax(bad)]:g}, but must be {wanted}")
            fields[name] = row
        counts = {len(row) for row in fields.values()}
        if len(counts - {1}) > 1:
            lengths = " and ".join(f"{name} {len(row)}" for name, row in fields.items())
            raise ValueError(f"materials: numbers of rows do not go together: {lengths}")
        count = max(counts - {1}, default=1)
        for name, row in fields.items():
            object.__setattr__(self, name, np.broadcast_to(row, (count,)))

    def __len__(self) -> int:
        return len(self.friction)

    def take(self, rows: Ints | slice) -> Self:
        """The materials of these rows, in that order."""
        result = object.__new__(type(self))
        object.__setattr__(result, "friction", self.friction[rows])
        object.__setattr__(result, "restitution", self.restitution[rows])
        return result

    def spread(self, count: int) -> Self:
        """One row for each of `count` shapes, of which a single row stands for all.

        Raises
        ------
        ValueError
            If there are neither one nor `count` rows.
        """
        if len(self) not in (1, count):
            raise ValueError(f"materials: {len(self)} rows, but there are {count} shapes")
        return self.take(np.zeros(count, dtype=np.int64)) if len(self) != count else self

    @classmethod
    def joined(cls, materials: Sequence[Self | None], counts: Sequence[int]) -> Self:
        """The materials of batches of so many shapes, one after the other; None stands for the default."""
        every = [(cls() if one is None else one).spread(count) for one, count in zip(materials, counts, strict=True)]
        return cls(*(np.concatenate([getattr(one, name) for one in every]) for name in ("friction", "restitution")))


def combined_friction(a: Floats, b: Floats) -> Floats:
    """Friction between two materials: the geometric mean, so that one slippery surface is enough to slide.

    The rule of Box2D and Jolt. Blender's own rigid bodies multiply instead, which makes two like surfaces of friction
    below 1 more slippery than either.
    """
    return np.sqrt(a * b)


def combined_restitution(a: Floats, b: Floats) -> Floats:
    """Restitution between two materials: the larger, so that a rubber ball bounces off any floor."""
    return np.maximum(a, b)
