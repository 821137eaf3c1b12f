# SPDX-License-Identifier: GPL-3.0-or-later
"""The shapes: batches of one kind each, checked once when they are made and never changed afterwards.

Every batch has a `kind`, a length, `take(rows)` and `bounds()`. All coordinates are in the world, in the caller's
unit, float64. Bad input raises `ValueError` naming the field and, where there is one, the row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from .hull import ConvexHull, convex_hulls
from .results import Floats, Ints
from .tolerances import ROTATION
from .vectors import length

Shape = TypeVar("Shape")


class Kind(IntEnum):
    """The kinds of shapes, in the order in which pairs of them are named."""

    SPHERE = 0
    CAPSULE = 1
    BOX = 2
    HULL = 3
    HALF_SPACE = 4


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
    finite = np.isfinite(result).all(axis=tuple(range(1, result.ndim)))
    if not finite.all():
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
    bad = (value < 0.0).any(axis=tuple(range(1, value.ndim)))
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


@dataclass(frozen=True, eq=False)
class Spheres:
    """Solid balls.

    Parameters
    ----------
    center : (N, 3) array-like
    radius : (N,) array-like
        Zero is a point.
    """

    center: Floats
    radius: Floats
    kind: ClassVar[Kind] = Kind.SPHERE

    def __init__(self, center: ArrayLike, radius: ArrayLike) -> None:
        _set(self, center=array(center, "center", (-1, 3)))
        _set(self, radius=not_negative(array(radius, "radius", (-1,)), "radius"))
        same_length(center=self.center, radius=self.radius)

    def __len__(self) -> int:
        return len(self.center)

    def take(self, rows: Ints) -> Self:
        """The spheres of these rows, in that order."""
        return _copy(self, center=self.center[rows], radius=self.radius[rows])

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        return self.center - self.radius[:, None], self.center + self.radius[:, None]


@dataclass(frozen=True, eq=False)
class Capsules:
    """Solid capsules: all points within `radius` of a segment.

    Parameters
    ----------
    start, end : (N, 3) array-like
        The segment's ends, the centres of the two caps. Equal ends make a sphere.
    radius : (N,) array-like
        Zero is a segment.
    """

    start: Floats
    end: Floats
    radius: Floats
    kind: ClassVar[Kind] = Kind.CAPSULE

    def __init__(self, start: ArrayLike, end: ArrayLike, radius: ArrayLike) -> None:
        _set(self, start=array(start, "start", (-1, 3)), end=array(end, "end", (-1, 3)))
        _set(self, radius=not_negative(array(radius, "radius", (-1,)), "radius"))
        same_length(start=self.start, end=self.end, radius=self.radius)

    def __len__(self) -> int:
        return len(self.start)

    def take(self, rows: Ints) -> Self:
        """The capsules of these rows, in that order."""
        return _copy(self, start=self.start[rows], end=self.end[rows], radius=self.radius[rows])

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        radius = self.radius[:, None]
        return np.minimum(self.start, self.end) - radius, np.maximum(self.start, self.end) + radius


@dataclass(frozen=True, eq=False)
class Boxes:
    """Solid boxes, oriented as one likes.

    Parameters
    ----------
    center : (N, 3) array-like
    half_extents : (N, 3) array-like
        Half the side lengths along the box's own axes; zeros make rectangles, segments and points.
    rotation : (N, 3, 3) array-like, optional
        Columns are the box's axes in the world; none: aligned with the world.
    """

    center: Floats
    half_extents: Floats
    rotation: Floats
    kind: ClassVar[Kind] = Kind.BOX

    def __init__(self, center: ArrayLike, half_extents: ArrayLike, rotation: ArrayLike | None = None) -> None:
        _set(self, center=array(center, "center", (-1, 3)))
        _set(self, half_extents=not_negative(array(half_extents, "half_extents", (-1, 3)), "half_extents"))
        _set(self, rotation=rotations(rotation, len(self.center)))
        same_length(center=self.center, half_extents=self.half_extents, rotation=self.rotation)

    def __len__(self) -> int:
        return len(self.center)

    def take(self, rows: Ints) -> Self:
        """The boxes of these rows, in that order."""
        return _copy(self, center=self.center[rows], half_extents=self.half_extents[rows], rotation=self.rotation[rows])

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        reach = np.einsum("nij,nj->ni", np.abs(self.rotation), self.half_extents)
        return self.center - reach, self.center + reach


@dataclass(frozen=True, eq=False)
class Hulls:
    """Solid convex hulls; many rows may share one geometry.

    Parameters
    ----------
    geometry : sequence of ConvexHull
        In their own frames.
    index : (N,) array-like of int
        The geometry of each row.
    translation : (N, 3) array-like
    rotation : (N, 3, 3) array-like, optional
        A row's point x lies at ``rotation @ x + translation`` in the world.
    """

    geometry: tuple[ConvexHull, ...]
    index: Ints
    translation: Floats
    rotation: Floats
    kind: ClassVar[Kind] = Kind.HULL

    def __init__(
        self,
        geometry: Sequence[ConvexHull],
        index: ArrayLike,
        translation: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
    ) -> None:
        rows = np.array(index, dtype=np.int64).reshape(-1)
        bad = (rows < 0) | (rows >= len(geometry))
        if bad.any():
            row = int(np.argmax(bad))
            raise ValueError(f"index: row {row} is {rows[row]}, but there are {len(geometry)} geometries")
        rows.flags.writeable = False
        _set(self, geometry=tuple(geometry), index=rows)
        moved = np.zeros((len(rows), 3)) if translation is None else translation
        _set(self, translation=array(moved, "translation", (-1, 3)))
        _set(self, rotation=rotations(rotation, len(rows)))
        same_length(index=self.index, translation=self.translation, rotation=self.rotation)

    @classmethod
    def from_points(
        cls,
        points: Sequence[ArrayLike],
        translation: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
    ) -> Self:
        """The convex hull of each point set, (k, 3) each; see `collision_kit.core.convex_hull`."""
        return cls(convex_hulls(list(points)), np.arange(len(points)), translation, rotation)

    def __len__(self) -> int:
        return len(self.index)

    def take(self, rows: Ints) -> Self:
        """The hulls of these rows, in that order; the geometries are shared, not copied."""
        return _copy(
            self,
            geometry=self.geometry,
            index=self.index[rows],
            translation=self.translation[rows],
            rotation=self.rotation[rows],
        )

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 3) and upper (N, 3)."""
        lower, upper = np.empty((2, len(self), 3))
        for index in np.unique(self.index):
            rows = self.index == index
            hull = self.geometry[index]
            turned = self.rotation[rows] @ hull.points[hull.vertices].T
            lower[rows], upper[rows] = turned.min(axis=2), turned.max(axis=2)
        return lower + self.translation, upper + self.translation


@dataclass(frozen=True, eq=False)
class HalfSpaces:
    """Half-spaces, solid where ``normal · x <= offset``.

    Parameters
    ----------
    normal : (N, 3) array-like
        Outward. Not of unit length: it is made so, and `offset` scaled with it. Zero is an error.
    offset : (N,) array-like
    """

    normal: Floats
    offset: Floats
    kind: ClassVar[Kind] = Kind.HALF_SPACE

    def __init__(self, normal: ArrayLike, offset: ArrayLike) -> None:
        given = array(normal, "normal", (-1, 3))
        size = length(given)
        if (size == 0.0).any():
            raise ValueError(f"normal: row {int(np.argmax(size == 0.0))} has no length")
        _set(self, normal=given / size[:, None], offset=array(offset, "offset", (-1,)))
        same_length(normal=self.normal, offset=self.offset)
        _set(self, offset=self.offset / size)

    def __len__(self) -> int:
        return len(self.normal)

    def take(self, rows: Ints) -> Self:
        """The half-spaces of these rows, in that order."""
        return _copy(self, normal=self.normal[rows], offset=self.offset[rows])

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds; infinite but on the open side of a half-space along a coordinate axis."""
        lower = np.full((len(self), 3), -np.inf)
        upper = np.full((len(self), 3), np.inf)
        aligned = np.abs(self.normal) == 1.0
        reach = self.normal * self.offset[:, None]
        return np.where(aligned & (self.normal < 0.0), reach, lower), np.where(
            aligned & (self.normal > 0.0), reach, upper
        )


Shapes = Spheres | Capsules | Boxes | Hulls | HalfSpaces


def bounds(shapes: Shapes) -> tuple[Floats, Floats]:
    """Axis-aligned bounds of each shape: lower (N, 3) and upper (N, 3), infinite where a shape is."""
    return shapes.bounds()


def _set(shape: Any, **fields: Any) -> None:
    """Fill fields of a frozen batch while it is being made."""
    for name, value in fields.items():
        object.__setattr__(shape, name, value)


def _copy(shape: Shape, **fields: Any) -> Shape:
    """A batch of the same class with these fields, which come from a batch that was checked."""
    result = object.__new__(type(shape))
    _set(result, **fields)
    return result
