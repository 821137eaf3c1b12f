# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches of shapes: kinds, fields, materials, bounds, collections of several kinds, and rows gathered on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..broad_phase.sweep_and_prune import HasBounds
from ..constants import DEFAULT_FRICTION, DEFAULT_RESTITUTION
from ..numerics.rows import HasRows, concatenate, joined_indices, takes_rows
from ..numerics.tolerances import ROTATION
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import array, float_array, numbers
from ..numerics.vectors import length
from ..results import UnsupportedPair


@dataclass(frozen=True, eq=False, repr=False)
class Materials(HasRows):
    """Friction and restitution of the shapes of a batch, for the parameter ``materials``.

    Parameters
    ----------
    friction : float or (N,) array-like
        Coefficient of Coulomb friction, at least 0.
    restitution : float or (N,) array-like
        From 0 (no bounce) to 1 (a collision conserves energy).

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
            raise ValueError(f"materials: numbers of rows differ: {lengths}")
        count = max(counts - {1}, default=1)
        for name, row in fields.items():
            object.__setattr__(self, name, np.broadcast_to(row, (count,)))

    def __len__(self) -> int:
        return len(self.friction)

    @takes_rows
    def take(self, rows: Ints | slice) -> Self:
        """The materials of these rows, in that order; `rows` may also be a mask of all rows."""
        result = object.__new__(type(self))
        object.__setattr__(result, "friction", self.friction[rows])
        object.__setattr__(result, "restitution", self.restitution[rows])
        return result

    def spread(self, count: int) -> Self:
        """One row for each of `count` shapes. A single row applies to all shapes.

        Raises
        ------
        ValueError
            If the number of rows is neither 1 nor `count`.
        """
        if len(self) not in (1, count):
            raise ValueError(f"materials: {len(self)} rows, but there are {count} shapes")
        return self.take(np.zeros(count, dtype=np.int64)) if len(self) != count else self

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The rows of all parts. At least one part is needed."""
        return cls(*(np.concatenate([getattr(one, name) for one in parts]) for name in ("friction", "restitution")))

    @classmethod
    def of(cls, batches: Sequence[Batch]) -> Self:
        """The materials of all shapes of these batches, in order."""
        every: list[Any] = [(cls() if one.materials is None else one.materials).spread(len(one)) for one in batches]
        return cls.joined(every)

    def compared(self) -> dict[str, Any]:
        """The values that `equals` compares, by name."""
        return {"friction": self.friction, "restitution": self.restitution}


def combined_friction(a: Floats, b: Floats) -> Floats:
    """Combined friction of two materials: the geometric mean, so that sliding needs only one slippery surface.

    Box2D and Jolt use the same rule. Blender's rigid bodies multiply instead. Two surfaces with equal friction below 1
    are then more slippery than either of them.
    """
    return np.sqrt(a * b)


def combined_restitution(a: Floats, b: Floats) -> Floats:
    """Combined restitution of two materials: the larger value, so that a rubber ball bounces off any floor."""
    return np.maximum(a, b)


class Kind(IntEnum):
    """The kinds of shapes. Pairs of kinds are named in this order.

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


class Batch(HasRows):
    """Shapes of one kind, one per row, validated when they are constructed and immutable afterwards.

    Attributes
    ----------
    kind : Kind
    materials : Materials or None
        One row for each shape, or None for default materials.
    """

    kind: ClassVar[Kind]
    rows_are: ClassVar[str] = "shapes"
    # Fields that belong to all rows. `take` does not select from them.
    shared: ClassVar[tuple[str, ...]] = ()
    materials: Materials | None

    def fill(self, materials: Materials | None = None, **fields: Any) -> None:
        """Set the fields and materials of a batch during construction. A single row of materials applies to all."""
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        if not isinstance(materials, Materials | None):
            raise ValueError(f"materials: {type(materials).__name__}, but Materials are needed")
        given = None if materials is None else materials.spread(len(self))
        object.__setattr__(self, "materials", given)

    def __len__(self) -> int:
        return len(next(iter(vars(self).values())))

    @takes_rows
    def take(self, rows: Ints | slice) -> Self:
        """The shapes of these rows, in that order; `rows` may also be a mask of all rows. A slice copies nothing."""
        result = object.__new__(type(self))
        for name, value in vars(self).items():
            if name == "materials":
                taken = None if value is None else value.take(rows)
            else:
                taken = value
                if name not in self.shared:
                    # With an index array, `take` is three times as fast as brackets.
                    plain = isinstance(value, np.ndarray) and not isinstance(rows, slice)
                    taken = value.take(rows, axis=0) if plain else value[rows]
            object.__setattr__(result, name, taken)
        return result

    def gathered(self) -> Self:
        """The shapes of all rows, which is the batch itself; see `Rows`."""
        return self

    @classmethod
    def joined(cls, batches: Sequence[Self]) -> Self:
        """All shapes of these batches of the same kind, in order. At least one batch is needed.

        Raises
        ------
        ValueError
            If a batch is of another kind, or there is none.
        """
        if not batches or not all(isinstance(batch, cls) for batch in batches):
            raise ValueError(f"batches: at least one is needed, and all must be {cls.__name__}")
        result = object.__new__(cls)
        # Cones can keep their axes in addition to their ends; see `Cones.seen_from`.
        names = [name for name in vars(batches[0]) if all(name in vars(batch) for batch in batches)]
        for name in names:
            if name not in ("materials", *cls.shared):
                values = [vars(batch)[name] for batch in batches]
                everything = np.concatenate(values) if isinstance(values[0], np.ndarray) else concatenate(values)
                object.__setattr__(result, name, everything)
        for name, value in cls.joined_shared(batches).items():
            object.__setattr__(result, name, value)
        plain = all(batch.materials is None for batch in batches)
        object.__setattr__(result, "materials", None if plain else Materials.of(batches))
        return result

    @classmethod
    def joined_shared(cls, batches: Sequence[Self]) -> dict[str, Any]:
        """The shared fields of `joined`, and the fields that refer to them, by name."""
        return {}

    def compared(self) -> dict[str, Any]:
        """The values that `equals` compares, by name; see `row_geometry`."""
        own = {name: value for name, value in vars(self).items() if not name.startswith("_")}
        for name in (*self.shared, *self.refers):
            del own[name]
        own["materials"] = Materials.of([self])
        return {**own, "geometry": self.row_geometry()}

    # Fields that refer to rows of the shared fields.
    refers: ClassVar[tuple[str, ...]] = ()

    def row_geometry(self) -> list[tuple[Any, ...]]:
        """The part of each row in the shared fields: a list of N tuples of arrays. Empty if no field is shared."""
        return []

    def printed(self) -> dict[str, Any]:
        """The values that `repr` prints if there are few rows, by name."""
        own = {name: value for name, value in super().printed().items() if not name.startswith("_")}
        for name in {*self.shared, *self.refers} & own.keys():
            del own[name]
        return own

    def placed(self, rotation: Floats, translation: Floats) -> Self:
        """Rotate each shape by its matrix (N, 3, 3) about the origin, then translate it by its vector (N, 3)."""
        raise NotImplementedError

    def with_fields(self, **fields: Any) -> Self:
        """A copy with some fields replaced by arrays with as many rows, which are not validated."""
        result = object.__new__(type(self))
        for name, value in {**vars(self), **fields}.items():
            object.__setattr__(result, name, value)
        return result

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds of each shape: lower (N, 3) and upper (N, 3), infinite for unbounded shapes."""
        raise NotImplementedError

    def bounding_spheres(self) -> tuple[Floats, Floats]:
        """Bounding sphere of each shape: center (N, 3) and radius (N,), which is infinite for unbounded shapes."""
        lower, upper = self.bounds()
        unbounded: Bools = np.isinf(np.concatenate([lower, upper], axis=1)).any(axis=1)
        lower, upper = np.where(unbounded[:, None], 0.0, lower), np.where(unbounded[:, None], 0.0, upper)
        return (lower + upper) / 2.0, np.where(unbounded, np.inf, length((upper - lower) / 2.0))


def check_batch(shapes: Any, name: str) -> None:
    """Raise unless `shapes` is a batch of shapes in space, of one kind.

    Raises
    ------
    UnsupportedPair
        For planar shapes.
    ValueError
        For anything else; names the argument.
    """
    if not (isinstance(shapes, Batch) and hasattr(shapes, "kind")):
        called = type(shapes).__name__
        if isinstance(shapes, Batch):
            raise UnsupportedPair(
                f"{name}: {called} are shapes of the plane; collision_kit.core.planar has their queries"
            )
        raise ValueError(f"{name}: {called}, but a batch of shapes is needed")


def check_shapes(shapes: Any, name: str) -> None:
    """Raise as `check_batch` does unless `shapes` is a batch of shapes in space, or a collection of several batches."""
    if not (hasattr(shapes, "slot") and all(hasattr(batch, "kind") for batch in shapes.batches)):
        check_batch(shapes, name)


def bounds(shapes: HasBounds) -> tuple[Floats, Floats]:
    """Axis-aligned bounds of each shape: lower (N, 3) and upper (N, 3), infinite for unbounded shapes.

    Parameters
    ----------
    shapes : batch of shapes or World

    Returns
    -------
    lower, upper : (N, 3) float64
        The bounds of a flat shape may have no volume.

    Raises
    ------
    ValueError
        If `shapes` is not a batch of shapes in space.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> ck.bounds(ck.Spheres([[1, 2, 3]], [1]))
    (array([[0., 1., 2.]]), array([[2., 3., 4.]]))
    """
    check_shapes(shapes, "shapes")
    return shapes.bounds()


def bounding_spheres(shapes: Batch) -> tuple[Floats, Floats]:
    """Bounding sphere of each shape: center (N, 3) and radius (N,), which is infinite for unbounded shapes.

    Parameters
    ----------
    shapes : batch of shapes

    Returns
    -------
    center : (N, 3) float64
    radius : (N,) float64
        Infinite for an unbounded shape.

    Raises
    ------
    ValueError
        If `shapes` is not a batch of shapes in space.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> ck.bounding_spheres(ck.Boxes([[0, 0, 0]], [[2, 1, 2]]))
    (array([[0., 0., 0.]]), array([3.]))
    """
    check_batch(shapes, "shapes")
    return shapes.bounding_spheres()


def rotations(value: ArrayLike | None, count: int, field: str = "rotation") -> Floats:
    """Rotation matrices (N, 3, 3), made exactly orthonormal. None: no rotation.

    Rotations of other libraries with a method ``as_matrix``, such as those of scipy, are accepted, too.

    Raises
    ------
    ValueError
        If an entry differs from the nearest orthonormal matrix by more than `tolerances.ROTATION`, or for a reflection.
    """
    if value is None:
        result = np.broadcast_to(np.eye(3), (count, 3, 3)).copy()
    else:
        matrices = numbers(value.as_matrix() if hasattr(value, "as_matrix") else value, field)
        if matrices.ndim in (1, 2) and matrices.shape[-1] == 4:
            hint = "for quaternions, give an object with as_matrix, such as scipy's Rotation.from_quat(...)"
            raise ValueError(f"{field}: shape {matrices.shape}, but (N, 3, 3) is needed; {hint}")
        given = array(matrices, field, (-1, 3, 3))
        # No entry of a rotation is above 1, and squares of very large entries would overflow.
        large = np.abs(given).reshape(len(given), 9).max(axis=1, initial=0.0)
        if (large > 2.0).any():
            row = int(np.argmax(large > 2.0))
            raise ValueError(f"{field}: row {row} is not a rotation: an entry is {large[row]:.2g}")
        error = np.abs(given @ given.transpose(0, 2, 1) - np.eye(3)).reshape(len(given), 9).max(axis=1, initial=0.0)
        result = given.copy()
        # A matrix that is orthonormal to rounding is not changed at all, so that axis-aligned boxes keep exact axes.
        off = np.flatnonzero(error > 4e-16)
        left, _, right = np.linalg.svd(given[off])
        result[off] = left @ right  # the nearest orthonormal matrix
        far = np.abs(result - given).reshape(len(given), 9).max(axis=1, initial=0.0)
        if (far > ROTATION).any():
            row = int(np.argmax(far > ROTATION))
            raise ValueError(f"{field}: row {row} is not a rotation: {far[row]:.2g} from orthonormal")
        mirrors = np.linalg.det(given) < 0.0
        if mirrors.any():
            raise ValueError(f"{field}: row {int(np.argmax(mirrors))} is a reflection, not a rotation")
    result.flags.writeable = False
    return result


@dataclass(eq=False, repr=False)
class ShapeCollection(HasRows):
    """Shapes of several kinds with common row indices.

    Attributes
    ----------
    batches : tuple of shape batches
        One kind each.
    batch, slot : (N,) int64
        The batch of each row, and the row within that batch.
    margin : (N,) float64 or None
        Distance by which each row is inflated, in all directions. None if no row has a margin.
    """

    batches: tuple[Any, ...]
    batch: Ints
    slot: Ints
    margin: Floats | None = None

    @classmethod
    def of(cls, batches: Sequence[Any], margin: Floats | None = None) -> Self:
        """The rows of all batches, numbered consecutively, with their margins."""
        sizes = [len(batch) for batch in batches]
        slot = np.concatenate([np.arange(size) for size in sizes] or [np.empty(0, dtype=np.int64)])
        return cls(tuple(batches), np.repeat(np.arange(len(sizes)), sizes), slot, margin)

    def __len__(self) -> int:
        return len(self.batch)

    @takes_rows
    def take(self, rows: Ints | slice) -> Self:
        """These rows, in that order. `rows` may also be a mask of all rows. The batches are not changed."""
        result = object.__new__(type(self))
        for name, value in vars(self).items():
            # What was computed of all rows is computed again.
            if not isinstance(getattr(type(self), name, None), cached_property):
                object.__setattr__(result, name, value[rows] if isinstance(value, np.ndarray) else value)
        return result

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The rows of all parts. At least one part is needed."""
        result = object.__new__(cls)
        for name, value in vars(parts[0]).items():
            if isinstance(value, np.ndarray) and name != "margin":
                object.__setattr__(result, name, np.concatenate([vars(part)[name] for part in parts]))
        result.batches = tuple(batch for part in parts for batch in part.batches)
        result.batch = joined_indices([part.batch for part in parts], [len(part.batches) for part in parts])
        margins = [np.zeros(len(part)) if part.margin is None else part.margin for part in parts]
        result.margin = None if all(part.margin is None for part in parts) else np.concatenate(margins)
        return result

    def per_row(self, of_batch: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """Values of all shapes of each batch, as values (N, ...) of the rows. At least one batch is needed."""
        first = np.cumsum([0, *(len(values) for values in of_batch[:-1])])
        return np.concatenate(of_batch)[first[self.batch] + self.slot]

    def compared(self) -> dict[str, Any]:
        """The values that `equals` compares, by name: the shapes of each class, and their rows."""
        names = [type(batch).__name__ for batch in self.batches]
        name = np.array(names, dtype=object)[self.batch] if names else np.empty(0, object)
        result: dict[str, Any] = {"class": name.tolist()}
        for one in sorted(set(name.tolist())):
            order, parts = [], []
            for number in [number for number, other in enumerate(names) if other == one]:
                rows = np.flatnonzero(self.batch == number)
                order.append(rows)
                parts.append(self.batches[number].take(self.slot[rows]))
            result[one] = concatenate(parts).take(np.argsort(np.concatenate(order), kind="stable"))
        result["margin"] = np.zeros(len(self)) if self.margin is None else self.margin
        return result

    def __repr__(self) -> str:
        used = np.bincount(self.batch, minlength=len(self.batches)).tolist()
        counts = ", ".join(
            f"{count} {type(one).__name__}" for one, count in zip(self.batches, used, strict=True) if count
        )
        return f"{type(self).__name__}({counts or 'no shapes'})"


Shape = TypeVar("Shape", bound=Batch)
Taken = TypeVar("Taken", covariant=True)

# Number of rows transposed at a time, so that they stay in the L1 cache.
_FEW = 512
# In bytes: smaller tables stay in the L2 cache, where access to separate components is fast.
_CACHED = 1 << 21


class Rows(Protocol[Taken]):
    """A batch, or rows of a batch that are gathered on demand."""

    def __len__(self) -> int: ...

    def take(self, rows: Ints | slice) -> Taken:
        """The shapes of these rows, in that order. For a slice, materials may be missing."""

    def gathered(self) -> Taken:
        """The shapes of all rows."""


class ComponentTable:
    """A batch whose shapes are gathered as contiguous components.

    All values of a shape are stored in one row, because reading two cache lines is faster than reading one for each
    value. In a small batch, values are stored as components instead.
    """

    def __init__(self, batch: Batch) -> None:
        every = {name: value for name, value in vars(batch).items() if name not in ("materials", *batch.shared)}
        self._batch = batch
        fields = {name: value.reshape(len(batch), -1) for name, value in every.items() if value.dtype == np.float64}
        self._table = np.concatenate(list(fields.values()), axis=1)
        self._columns = np.ascontiguousarray(self._table.T) if self._table.nbytes <= _CACHED else None
        self._others = {name: value for name, value in every.items() if name not in fields}
        ends = np.cumsum([value.shape[1] for value in fields.values()]).tolist()
        # For each field: its columns, its shape, and the order of dimensions that turns components into rows again.
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
        """The shapes of these rows without their materials. Each component is contiguous, as algorithms need it."""
        count = len(rows)
        if self._columns is not None:
            # All indices are valid. With clipping, numpy does not check them.
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
    """Rows of a batch that are gathered on demand.

    For closed forms, gathering all rows at once would take longer than the arithmetic. Gathered in blocks, rows stay in
    the cache.
    """

    batch: Shape
    rows: Ints
    tables: dict[int, ComponentTable]

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, rows: Ints | slice) -> Shape:
        """The shapes of some of these rows, in that order. For a slice, materials may be missing."""
        first = self._first
        if isinstance(rows, slice) and first is not None:
            return self.batch.take(slice(first + rows.start, first + rows.stop))  # a view
        # Contiguous, because every field of the batch is gathered with it.
        index = np.ascontiguousarray(self.rows[rows])
        if isinstance(rows, slice) and len(self.rows) >= len(self.batch):
            taken: Shape = self._table.take(index)
            return taken
        return self.batch.take(index)

    def gathered(self) -> Shape:
        """The shapes of all rows."""
        return self.batch.take(np.ascontiguousarray(self.rows))

    def smaller(self) -> tuple[Shape, Ints]:
        """The batch and the rows, or the shapes of the rows with their indices if the batch has more shapes."""
        if len(self.batch) <= len(self.rows):
            return self.batch, self.rows
        return self.gathered(), np.arange(len(self.rows))

    def of_each(self, values: Floats) -> Floats:
        """Values (N, ...) of the shapes of the batch for each row of the view; a view or a copy."""
        first = self._first
        return values.take(self.rows, axis=0) if first is None else values[first : first + len(self.rows)]

    @cached_property
    def _first(self) -> int | None:
        """The first row if the rows are consecutive, otherwise None."""
        rows = self.rows
        follow = len(rows) > 0 and rows[-1] - rows[0] == len(rows) - 1
        # For a single row, the comparison would take as long as a closed form.
        return int(rows[0]) if follow and (len(rows) == 1 or bool((np.diff(rows) == 1).all())) else None

    @cached_property
    def _table(self) -> ComponentTable:
        key = id(self.batch)
        if key not in self.tables:
            self.tables[key] = ComponentTable(self.batch)
        return self.tables[key]
