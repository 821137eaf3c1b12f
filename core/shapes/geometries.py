# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches whose rows place geometries that many of them may share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.types import Floats, Ints
from ..numerics.validation import SPACE, check_type, coordinates, indices, items, same_length
from ..numerics.vectors import moved
from .batch import Batch, rotations
from .materials import Materials

# Kept with a geometry that has been looked at: they never change, and many batches are made of each.
_CHECKED = "_checked_as"


@dataclass(frozen=True, eq=False)
class Geometries(Batch):
    """What hulls and meshes have in common.

    A point x of the geometry ``geometry[index]`` lies at ``rotation @ x + translation`` in the world.
    """

    geometry: tuple[Any, ...]
    index: Ints
    translation: Floats
    rotation: Floats
    shared: ClassVar[tuple[str, ...]] = ("geometry",)

    def place(
        self,
        geometry: Sequence[Any],
        made_of: type[Any],
        index: ArrayLike,
        translation: ArrayLike | None,
        rotation: ArrayLike | None,
        materials: Materials | None,
        **fields: Any,
    ) -> None:
        """Check and set the fields of a batch while it is being made."""
        made_of_these = items(geometry, "geometry")
        for row, one in enumerate(made_of_these):
            if getattr(one, _CHECKED, None) is not made_of:
                check_type(one, made_of, f"geometry: row {row}")
                _check_range(one, row)
                vars(one)[_CHECKED] = made_of
        if not made_of_these and np.size(index):
            raise ValueError(f"geometry: empty, but index has {np.size(index)} rows")
        rows = indices(index, "index", len(made_of_these), "geometries")
        rows.flags.writeable = False
        place = coordinates(np.zeros((len(rows), 3)) if translation is None else translation, "translation", (-1, 3))
        turn = rotations(rotation, len(rows))
        same_length(index=rows, translation=place, rotation=turn)
        made = {"geometry": tuple(made_of_these), "index": rows, "translation": place, "rotation": turn}
        self.fill(materials=materials, **made, **fields)

    def __len__(self) -> int:
        return len(self.index)

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Each shape turned by its rotation (N, 3, 3) about the origin, then moved by its translation (N, 3)."""
        place = moved(self.translation, rotation, translation)
        return self.with_fields(translation=place, rotation=rotation @ self.rotation)


def _check_range(geometry: Any, row: int) -> None:
    """Raise `ValueError` unless coordinates are in range."""
    largest = np.abs(geometry.points).max()
    if largest > SPACE.most or 0.0 < largest < SPACE.least:
        wanted = f"{SPACE.least:g} to {SPACE.most:g} or zero"
        raise ValueError(f"geometry: row {row} is out of range: its largest coordinate is {largest:.2g}, not {wanted}")
