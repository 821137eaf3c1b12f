# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches of shapes: their fields and materials, collections of several kinds, and rows gathered on demand."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ..constants import DEFAULT_FRICTION, DEFAULT_RESTITUTION
from ..numerics.tolerances import ROTATION
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import array, float_array
from ..numerics.vectors import length


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
    ELLIPSOID
        `Ellipsoids`.
    CONE
        `Cones`.
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
    COMPOUND
        `Compounds`.
    """

    SPHERE = 0
    CAPSULE = 1
    CYLINDER = 2
    ELLIPSOID = 3
    CONE = 4
    BOX = 5
    TRIANGLE = 6
    HULL = 7
    HALF_SPACE = 8
    PLANE = 9
    MESH = 10
    COMPOUND = 11


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
            shared = name in cls.shared
            everything = type(values[0])(one for value in values for one in value) if shared else np.concatenate(values)
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


Shape = TypeVar("Shape", bound=Batch)
Taken = TypeVar("Taken", covariant=True)

# Rows that are turned into components at once, so that they still are in the nearest cache.
_FEW = 512
# In bytes: what is no larger stays in the second cache, where it costs nothing that a shape's numbers lie apart.
_CACHED = 1 << 21


class Rows(Protocol[Taken]):
    """A batch, or rows of one that are gathered when they are needed."""

    def __len__(self) -> int: ...

    def take(self, rows: Ints | slice) -> Taken:
        """The shapes of these rows, in that order; those of a slice may come without their materials."""

    def gathered(self) -> Taken:
        """The shapes of all rows."""


class ComponentTable:
    """A batch whose shapes are gathered as components.

    All about a shape lies in one row, because two lines of memory are read faster than one for each number; unless the
    batch is small: then the numbers lie as components already.
    """

    def __init__(self, batch: Batch) -> None:
        every = {name: value for name, value in vars(batch).items() if name not in ("materials", *batch.shared)}
        self._batch = batch
        fields = {name: value.reshape(len(batch), -1) for name, value in every.items() if value.dtype == np.float64}
        self._table = np.concatenate(list(fields.values()), axis=1)
        self._columns = np.ascontiguousarray(self._table.T) if self._table.nbytes <= _CACHED else None
        self._others = {name: value for name, value in every.items() if name not in fields}
        ends = np.cumsum([value.shape[1] for value in fields.values()]).tolist()
        # The columns of each field, their shape, and the order of the dimensions that makes them rows again.
        self._fields = [
            (
                name,
                slice(end - flat.shape[1], end),
                every[name].shape[1:],
                (every[name].ndim - 1, *range(every[name].ndim - 1)),
            )
            for (name, flat), end in zip(fields.items(), ends, strict=True)
        ]

    def take(self, rows: Ints) -> Any:
        """The shapes of these rows without their materials, each component contiguous, as kernels want it."""
        count = len(rows)
        if self._columns is not None:
            # All rows are there; clipping saves asking.
            columns = self._columns.take(rows, axis=1, mode="clip")
        else:
            columns = np.empty((self._table.shape[1], count))
            for first in range(0, count, _FEW):
                few = slice(first, first + _FEW)
                columns[:, few] = self._table.take(rows[few], axis=0).T
        result = {name: value.take(rows, axis=0) for name, value in self._others.items()}
        for name, where, shape, order in self._fields:
            result[name] = columns[where].reshape(*shape, count).transpose(order)
        return self._batch.with_fields(materials=None, **result)


@dataclass(frozen=True)
class BatchView(Generic[Shape]):
    """Rows of a batch that are gathered when they are needed.

    To gather everything first costs a closed form more than its arithmetic: block by block, the rows stay in the
    caches.
    """

    batch: Shape
    rows: Ints
    tables: dict[int, ComponentTable]

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, rows: Ints | slice) -> Shape:
        """The shapes of some of these rows, in that order; those of a block may come without their materials."""
        first = self._first
        if isinstance(rows, slice) and first is not None:
            return self.batch.take(slice(first + rows.start, first + rows.stop))  # as they lie, uncopied
        # Side by side, because every field of the batch is gathered by them.
        index = np.ascontiguousarray(self.rows[rows])
        if isinstance(rows, slice) and len(self.rows) >= len(self.batch):
            taken: Shape = self._table.take(index)
            return taken
        return self.batch.take(index)

    def gathered(self) -> Shape:
        """The shapes of all of these rows."""
        return self.batch.take(np.ascontiguousarray(self.rows))

    def of_each(self, values: Floats) -> Floats:
        """Of numbers that belong to the shapes of the batch, (N, ...), those of each row: as they lie, or copied."""
        first = self._first
        return values.take(self.rows, axis=0) if first is None else values[first : first + len(self.rows)]

    @cached_property
    def _first(self) -> int | None:
        """The first of the rows, if the others follow it one by one."""
        rows = self.rows
        follow = len(rows) > 0 and rows[-1] - rows[0] == len(rows) - 1 and bool((np.diff(rows) == 1).all())
        return int(rows[0]) if follow else None

    @cached_property
    def _table(self) -> ComponentTable:
        key = id(self.batch)
        if key not in self.tables:
            self.tables[key] = ComponentTable(self.batch)
        return self.tables[key]
