# SPDX-License-Identifier: GPL-3.0-or-later
"""What all batches of shapes have in common, and the checks their fields go through."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.tolerances import ROTATION
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import array
from ..numerics.vectors import length
from .materials import Materials


class Kind(IntEnum):
    """The kinds of shapes, in the order in which pairs of them are named.

    Attributes
    ----------
    SPHERE
        `Spheres`.
    CAPSULE
        `Capsules`.
    CYLINDER
        `Cylinders`.
    BOX
        `Boxes`.
    TRIANGLE
        `Triangles`.
    HULL
        `Hulls`.
    HALF_SPACE
        `HalfSpaces`.
    PLANE
        `Planes`.
    MESH
        `Meshes`.
    ASSEMBLY
        `Assemblies`.
    """

    SPHERE = 0
    CAPSULE = 1
    CYLINDER = 2
    BOX = 3
    TRIANGLE = 4
    HULL = 5
    HALF_SPACE = 6
    PLANE = 7
    MESH = 8
    ASSEMBLY = 9


UNBOUNDED = (Kind.HALF_SPACE, Kind.PLANE)


class Batch:
    """Rows of shapes of one kind, checked once when they are made and never changed afterwards.

    Attributes
    ----------
    kind : Kind
    materials : Materials or None
        One row for each shape.
    """

    kind: ClassVar[Kind]
    # Fields that all rows share, which `take` leaves as they are.
    shared: ClassVar[tuple[str, ...]] = ()
    materials: Materials | None

    def fill(self, materials: Materials | None = None, **fields: Any) -> None:
        """Set the fields of a batch while it is being made, and its materials, of which one row stands for all."""
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        if not isinstance(materials, Materials | None):
            raise ValueError(f"materials: {type(materials).__name__}, but Materials are needed")
        given = None if materials is None else materials.spread(len(self))
        object.__setattr__(self, "materials", given)

    def __len__(self) -> int:
        raise NotImplementedError

    def take(self, rows: Ints | slice) -> Self:
        """The shapes of these rows, in that order; of a slice, nothing is copied."""
        result = object.__new__(type(self))
        for name, value in vars(self).items():
            if name == "materials":
                taken = None if value is None else value.take(rows)
            else:
                taken = value
                if name not in self.shared:
                    # By an index, `take` is three times as fast as brackets.
                    taken = value[rows] if isinstance(rows, slice) else value.take(rows, axis=0)
            object.__setattr__(result, name, taken)
        return result

    def gathered(self) -> Self:
        """The shapes of all rows: the batch itself."""
        return self

    @classmethod
    def joined(cls, batches: Sequence[Self]) -> Self:
        """All shapes of these batches of one kind, at least one of them, in that order."""
        result = object.__new__(cls)
        fields = {name: [vars(batch)[name] for batch in batches] for name in vars(batches[0]) if name != "materials"}
        for name, values in fields.items():
            everything = (
                tuple(one for value in values for one in value) if name in cls.shared else np.concatenate(values)
            )
            object.__setattr__(result, name, everything)
        if "geometry" in cls.shared:
            # The geometries of each batch come after those of the batches before.
            before = np.cumsum([0, *(len(geometry) for geometry in fields["geometry"][:-1])])
            index = vars(result)["index"] + np.repeat(before, [len(batch) for batch in batches])
            object.__setattr__(result, "index", index)
        materials = [batch.materials for batch in batches]
        given = None if all(one is None for one in materials) else Materials.joined(materials, [*map(len, batches)])
        object.__setattr__(result, "materials", given)
        return result

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Each shape turned by its rotation (N, 3, 3) about the origin, then moved by its translation (N, 3)."""
        raise NotImplementedError

    def with_fields(self, **fields: Any) -> Self:
        """A copy with some fields replaced by arrays of as many rows, which need no check."""
        result = object.__new__(type(self))
        for name, value in {**vars(self), **fields}.items():
            object.__setattr__(result, name, value)
        return result

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds of each shape: lower (N, 3) and upper (N, 3), infinite where a shape is."""
        raise NotImplementedError

    def bounding_spheres(self) -> tuple[Floats, Floats]:
        """A ball about each shape: center (N, 3) and radius (N,), which is infinite where the shape is."""
        lower, upper = self.bounds()
        endless: Bools = np.isinf(np.concatenate([lower, upper], axis=1)).any(axis=1)
        lower, upper = np.where(endless[:, None], 0.0, lower), np.where(endless[:, None], 0.0, upper)
        return (lower + upper) / 2.0, np.where(endless, np.inf, length((upper - lower) / 2.0))


def rotations(value: ArrayLike | None, count: int, field: str = "rotation") -> Floats:
    """(N, 3, 3) rotations, made exactly orthonormal; None stands for no rotation.

    Raises
    ------
    ValueError
        If an entry is farther than `tolerances.ROTATION` from that of the nearest orthonormal matrix, or it mirrors.
    """
    if value is None:
        result = np.broadcast_to(np.eye(3), (count, 3, 3)).copy()
    else:
        given = array(value, field, (-1, 3, 3))
        # No entry of a rotation is above 1, and squares of very large ones are no numbers.
        large = np.abs(given).reshape(len(given), 9).max(axis=1, initial=0.0)
        if (large > 2.0).any():
            row = int(np.argmax(large > 2.0))
            raise ValueError(f"{field}: row {row} is not a rotation: an entry is {large[row]:.2g}")
        error = np.abs(given @ given.transpose(0, 2, 1) - np.eye(3)).reshape(len(given), 9).max(axis=1, initial=0.0)
        result = given.copy()
        # A matrix that is orthonormal to rounding stays bit for bit as given: axis-aligned boxes keep exact axes.
        off = np.flatnonzero(error > 4e-16)
        left, _, right = np.linalg.svd(given[off])
        result[off] = left @ right  # the nearest there is
        far = np.abs(result - given).reshape(len(given), 9).max(axis=1, initial=0.0)
        if (far > ROTATION).any():
            row = int(np.argmax(far > ROTATION))
            raise ValueError(f"{field}: row {row} is not a rotation: {far[row]:.2g} from orthonormal")
        mirrors = np.linalg.det(given) < 0.0
        if mirrors.any():
            raise ValueError(f"{field}: row {int(np.argmax(mirrors))} is a reflection, not a rotation")
    result.flags.writeable = False
    return result
