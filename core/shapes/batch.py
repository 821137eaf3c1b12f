# SPDX-License-Identifier: GPL-3.0-or-later
"""What all batches of shapes have in common, and the checks their fields go through."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..materials import Materials
from ..results import Bools, Floats, Ints
from ..tolerances import ROTATION
from ..vectors import length


class Kind(IntEnum):
    """The kinds of shapes, in the order in which pairs of them are named."""

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


def array(value: ArrayLike, field: str, shape: tuple[int, ...]) -> Floats:
    """`value` as a float64 array of `shape`, where -1 stands for any length.

    Raises
    ------
    ValueError
        If the shape differs or a number is not finite; names the field and the first bad row.
    """
    try:
        result = np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{field}: not an array of numbers ({error})") from None
    if result.size == 0 and shape[0] < 0:
        result = result.reshape(0, *shape[1:])  # an empty list has no rows, whatever its shape
    wanted = "(" + ", ".join("N" if n < 0 else str(n) for n in shape) + ("," if len(shape) == 1 else "") + ")"
    if result.ndim != len(shape) or any(w >= 0 and n != w for n, w in zip(result.shape, shape, strict=True)):
        raise ValueError(f"{field}: shape {result.shape}, but {wanted} is needed")
    if not np.isfinite(result).all():
        finite = np.asarray(np.isfinite(result).all(axis=tuple(range(1, result.ndim))))
        raise ValueError(f"{field}: row {int(np.argmin(finite))} is not finite")
    result.flags.writeable = False
    return result


def same_length(**fields: Floats | Ints) -> None:
    """Raise `ValueError` unless all arrays have as many rows as the first."""
    names = list(fields)
    for name in names[1:]:
        if len(fields[name]) != len(fields[names[0]]):
            raise ValueError(f"{name}: {len(fields[name])} rows, but {names[0]} has {len(fields[names[0]])}")


def not_negative(value: Floats, field: str) -> Floats:
    """`value` unchanged; raise `ValueError` naming the row if anything in it is below zero."""
    bad = np.asarray((value < 0.0).any(axis=tuple(range(1, value.ndim))))
    if bad.any():
        raise ValueError(f"{field}: row {int(np.argmax(bad))} is negative")
    return value


def rotations(value: ArrayLike | None, count: int, field: str = "rotation") -> Floats:
    """(N, 3, 3) rotations, made exactly orthonormal; None stands for no rotation.

    Raises
    ------
    ValueError
        If a matrix is farther than `tolerances.ROTATION` from orthonormal, or mirrors.
    """
    if value is None:
        result = np.broadcast_to(np.eye(3), (count, 3, 3)).copy()
    else:
        given = array(value, field, (-1, 3, 3))
        error = np.abs(given @ given.transpose(0, 2, 1) - np.eye(3)).reshape(len(given), 9).max(axis=1, initial=0.0)
        if (error > ROTATION).any():
            row = int(np.argmax(error > ROTATION))
            raise ValueError(f"{field}: row {row} is not a rotation: {error[row]:.2g} from orthonormal")
        mirrors = np.linalg.det(given) < 0.0
        if mirrors.any():
            raise ValueError(f"{field}: row {int(np.argmax(mirrors))} is a reflection, not a rotation")
        left, _, right = np.linalg.svd(given)
        # A matrix that is orthonormal to rounding stays bit for bit as given: axis-aligned boxes keep exact axes.
        result = np.where((error > 4e-16)[:, None, None], left @ right, given)
    result.flags.writeable = False
    return result
