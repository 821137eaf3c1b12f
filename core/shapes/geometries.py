# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches whose rows place geometries that many of them may share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..materials import Materials
from ..results import Floats, Ints
from ..vectors import moved
from .batch import Batch, array, rotations, same_length


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
        index: ArrayLike,
        translation: ArrayLike | None,
        rotation: ArrayLike | None,
        materials: Materials | None,
        **fields: Any,
    ) -> None:
        """Check and set the fields of a batch while it is being made."""
        rows = np.array(index, dtype=np.int64).reshape(-1)
        bad = (rows < 0) | (rows >= len(geometry))
        if bad.any():
            row = int(np.argmax(bad))
            raise ValueError(f"index: row {row} is {rows[row]}, but there are {len(geometry)} geometries")
        rows.flags.writeable = False
        place = array(np.zeros((len(rows), 3)) if translation is None else translation, "translation", (-1, 3))
        turn = rotations(rotation, len(rows))
        same_length(index=rows, translation=place, rotation=turn)
        made = {"geometry": tuple(geometry), "index": rows, "translation": place, "rotation": turn}
        self.fill(materials=materials, **made, **fields)

    def __len__(self) -> int:
        return len(self.index)

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Each shape turned by its rotation (N, 3, 3) about the origin, then moved by its translation (N, 3)."""
        place = moved(self.translation, rotation, translation)
        return self.with_fields(translation=place, rotation=rotation @ self.rotation)
