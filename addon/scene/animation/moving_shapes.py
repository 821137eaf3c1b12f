# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes that move: their form, which is constant during rigid motion, and their placement at one time.

A row is one shape of one object, or of one instance of it. Its form is its shape as placed in the world at some time.
While the object moves rigidly, its placement is a rotation of the form about the object's origin, and the position of
this origin. If the shape is stretched, bent or changed otherwise, it gets another form.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ....core.continuous.motion import Motion, RigidMotion, motion_between
from ....core.numerics.types import Bools, Floats, Ints
from ....core.numerics.vectors import length, moved, rotated
from ....core.shapes.batch import Batch
from ....core.world.world import World
from ...model import tolerances
from ...model.shapes import WorldShape
from ..meshes.geometry import Geometry
from ..reading.batches import kind_of, world_of

NONE = -1


@dataclass(frozen=True, eq=False)
class Form:
    """A shape, and the data that it was made from.

    Attributes
    ----------
    shape : WorldShape or None
        In world coordinates, of an object with the given matrix; None: the object has no shape.
    matrix : (4, 4) float64
    geometry : Geometry or None
    extras : tuple
        Other data that determines the shape, see `ObjectFacts.extras`.
    """

    shape: WorldShape | None
    matrix: Floats
    geometry: Geometry | None
    extras: tuple[object, ...]


class SampleBasis:
    """The forms of N rows; samples with the same forms share one object.

    Attributes
    ----------
    form : list of Form or None
        None: the row does not exist or is hidden.
    worlds : dict of int to World
        The shapes of the forms.
    number : (N,) int64
        Equal for equal forms; `NONE` for a form without a shape.
    world, slot : (N,) int64
        The world of each form, and its row in that world.
    linear, inverse, gram : (N, 3, 3) float64
        The linear part of the form's matrix, its inverse (NaN if there is none) and ``linear.T @ linear``.
    origin : (N, 3) float64
        The position of the object's origin in the form.
    center, radius : (N, 3), (N,) float64
        A sphere around the shape as placed in the form; the radius is infinite for a half-space.
    made_for : object
        The creator may store here what the basis was made for.
    """

    _COLUMNS = {
        "number": (np.int64, ()),
        "world": (np.int64, ()),
        "slot": (np.int64, ()),
        "linear": (np.float64, (3, 3)),
        "inverse": (np.float64, (3, 3)),
        "gram": (np.float64, (3, 3)),
        "origin": (np.float64, (3,)),
        "center": (np.float64, (3,)),
        "radius": (np.float64, ()),
    }
    form: list[Form | None]
    worlds: dict[int, World]
    number: Ints
    world: Ints
    slot: Ints
    linear: Floats
    inverse: Floats
    gram: Floats
    origin: Floats
    center: Floats
    radius: Floats

    def __init__(
        self, before: "SampleBasis | None", count: int, changed: Mapping[int, Form | None], number: int
    ) -> None:
        """The forms of `before` extended to `count` rows, with changed ones, numbered from `number` on."""
        self.made_for: object = None
        known = len(before) if before is not None else 0
        self.form = [*(before.form if before is not None else ()), *([None] * (count - known))]
        for name, (kind, shape) in self._COLUMNS.items():
            column = np.full((count, *shape), NONE if kind is np.int64 else np.nan, dtype=kind)
            if before is not None:
                column[:known] = getattr(before, name)
            setattr(self, name, column)
        worlds = dict(before.worlds) if before is not None else {}
        shaped: list[tuple[int, WorldShape]] = []
        for row, new in changed.items():
            self.form[row], self.number[row] = new, NONE
            if new is not None:
                self._take_apart(row, new.matrix)
                if new.shape is not None:
                    shaped.append((row, new.shape))
        if shaped:
            shaped.sort(key=lambda entry: kind_of(entry[1]))
            rows = np.array([row for row, _ in shaped])
            worlds[number] = made = world_of([shape for _, shape in shaped])
            self.number[rows], self.world[rows] = number + np.arange(len(rows)), number
            self.slot[rows] = np.arange(len(rows))
            balls = [batch.bounding_spheres() for batch in made.batches]
            self.center[rows] = np.concatenate([ball[0] for ball in balls])
            margin = made.margin
            self.radius[rows] = np.concatenate([ball[1] for ball in balls]) + (0.0 if margin is None else margin)
        used = set(self.world[self.number != NONE].tolist())
        self.worlds = {key: world for key, world in worlds.items() if key in used}

    def __len__(self) -> int:
        return len(self.number)

    def _take_apart(self, row: int, matrix: Floats) -> None:
        linear = matrix[:3, :3]
        self.linear[row], self.origin[row] = linear, matrix[:3, 3]
        self.gram[row], self.inverse[row] = linear.T @ linear, np.nan
        if np.isfinite(matrix).all():
            stretch = np.linalg.svd(linear, compute_uv=False)
            if stretch[2] > tolerances.FLAT * stretch[0]:
                self.inverse[row] = np.linalg.inv(linear)

    def turned(self, rows: Ints, linear: Floats) -> tuple[Bools, Floats]:
        """Return which rows these linear parts of matrices only rotate, (K,), and the rotations, (K, 3, 3)."""
        before, gram = self.linear[rows], self.gram[rows]
        same = (linear == before).all(axis=(1, 2))
        rotation = np.broadcast_to(np.eye(3), linear.shape).copy()
        other = np.flatnonzero(~same)
        if len(other):
            now = linear[other]
            size = np.sqrt(np.diagonal(gram[other], axis1=1, axis2=2))
            with np.errstate(invalid="ignore", over="ignore"):
                change = np.abs(now.transpose(0, 2, 1) @ now - gram[other])
                turn = now @ self.inverse[rows[other]]
                kept = (change <= tolerances.SHEAR * size[:, :, None] * size[:, None, :]).all(axis=(1, 2))
                # Without an inverse this is NaN, which is not above zero.
                kept &= np.linalg.det(turn) > 0.0
            same[other], rotation[other[kept]] = kept, _orthonormal(turn[kept])
        return same, rotation


def _orthonormal(matrices: Floats) -> Floats:
    """The rotations nearest to matrices that differ from them by rounding; Newton's method squares the error."""
    for _ in range(3):
        matrices = matrices @ (1.5 * np.eye(3) - 0.5 * matrices.transpose(0, 2, 1) @ matrices)
    return matrices


@dataclass(frozen=True, eq=False)
class Sample:
    """The placement of all rows at one time, as Blender evaluates them.

    Attributes
    ----------
    frame : float
    basis : SampleBasis
    rotation : (N, 3, 3) float64
        The rotation of each form about its object's origin.
    translation : (N, 3) float64
        The current position of that origin.
    """

    frame: float
    basis: SampleBasis
    rotation: Floats
    translation: Floats

    def __len__(self) -> int:
        return len(self.basis)

    @cached_property
    def there(self) -> Bools:
        """The rows that have a shape."""
        return self.basis.number != NONE

    def widened(self, count: int) -> "Sample":
        """The sample extended to `count` rows; the new rows do not exist in it."""
        more = count - len(self)
        if not more:
            return self
        basis = SampleBasis(self.basis, count, {}, 0)
        rotation = np.concatenate([self.rotation, np.broadcast_to(np.eye(3), (more, 3, 3))])
        return Sample(self.frame, basis, rotation, np.concatenate([self.translation, np.zeros((more, 3))]))


def same_place(one: Sample, other: Sample) -> Bools:
    """Rows with exactly the same form and placement: (N,)."""
    same: Bools = np.asarray(one.basis.number == other.basis.number)
    same &= (one.translation == other.translation).all(axis=1)
    same &= (one.rotation == other.rotation).all(axis=(1, 2))
    return same


def same_form(one: Sample, other: Sample) -> Bools:
    """Rows that exist in both samples and have at most moved: (N,)."""
    return one.there & (one.basis.number == other.basis.number)


def radii(sample: Sample) -> Floats:
    """The radius of a sphere around each shape; an unbounded one extends to the farthest other shape; 0 for none."""
    basis = sample.basis
    center = rotated(sample.rotation, (basis.center - basis.origin)[:, None])[:, 0] + sample.translation
    bounded = np.isfinite(basis.radius) & sample.there
    far = float((length(center[bounded]) + basis.radius[bounded]).max(initial=0.0))
    radius = np.where(bounded, basis.radius, 0.0)
    endless = sample.there & ~bounded
    radius[endless] = far + length(sample.translation[endless])
    return radius


def apart(sample: Sample, rows: Ints, turn: Floats, shift: Floats, radius: Floats) -> Floats:
    """Upper bounds of the distance of points of these rows in two poses that differ by a matrix and a translation."""
    basis = sample.basis
    spoke = np.where(np.isfinite(basis.radius[rows])[:, None], basis.center[rows] - basis.origin[rows], 0.0)
    # The difference of two rotations stretches vectors by at most its Frobenius norm divided by the square root of two.
    stretch = np.sqrt((turn * turn).sum(axis=(1, 2)) / 2.0)
    result: Floats = length(rotated(turn, spoke[:, None])[:, 0] + shift) + stretch * radius[rows]
    return result


def placements(samples: Sequence[Sample], which: Ints, rows: Ints) -> tuple[Floats, Floats]:
    """Rotation (K, 3, 3) and translation (K, 3) of given rows (K,), each in one of the samples, `which` (K,)."""
    rotation, translation = np.empty((len(rows), 3, 3)), np.empty((len(rows), 3))
    order = np.argsort(which, kind="stable")
    used, begins = np.unique(which[order], return_index=True)
    ends = [*begins[1:].tolist(), len(order)][: len(used)]
    for one, begin, end in zip(used.tolist(), begins.tolist(), ends, strict=True):
        mine = order[begin:end]
        row = rows[mine]
        rotation[mine], translation[mine] = samples[one].rotation[row], samples[one].translation[row]
    return rotation, translation


def motions(begins: Sequence[Sample], ends: Sequence[Sample], which: Ints, rows: Ints) -> RigidMotion:
    """The uniform motion of given rows (K,), each from one sample to another with the same form, `which` (K,)."""
    return motion_between(*placements(begins, which, rows), *placements(ends, which, rows))


@dataclass(frozen=True, eq=False)
class PosedRows:
    """Rows of samples as one world.

    Attributes
    ----------
    world : World
    place : (K,) int64
        The row of the world for each given row.
    """

    world: World
    place: Ints


def posed(samples: Sequence[Sample], which: Ints, rows: Ints) -> PosedRows:
    """The shapes of given rows (K,), each placed as in one of the samples, `which` (K,)."""
    number, slot = np.empty((2, len(rows)), dtype=np.int64)
    origin = np.empty((len(rows), 3))
    worlds: dict[int, World] = {}
    for basis, here in of_each_basis(samples, which):
        mine = rows[here]
        number[here], slot[here], origin[here] = basis.world[mine], basis.slot[mine], basis.origin[mine]
        worlds.update(basis.worlds)
    rotation, translation = placements(samples, which, rows)
    shift = moved(-origin, rotation, translation)
    parts: dict[int, list[tuple[Ints, Batch]]] = {}
    for one in np.unique(number).tolist():
        world, here = worlds[one], np.flatnonzero(number == one)
        batch, within = world.batch[slot[here]], world.slot[slot[here]]
        for part, shapes in enumerate(world.batches):
            mine = here[batch == part]
            if len(mine):
                placed = shapes.take(within[batch == part]).placed(rotation[mine], shift[mine])
                parts.setdefault(int(shapes.kind), []).append((mine, placed))
    margin = np.zeros(len(rows))
    for one in np.unique(number).tolist():
        of_world = worlds[one].margin
        if of_world is not None:
            margin[number == one] = of_world[slot[number == one]]
    place, count, batches = np.empty(len(rows), dtype=np.int64), 0, list[Any]()
    for kind in sorted(parts):
        for mine, _ in parts[kind]:
            place[mine] = count + np.arange(len(mine))
            count += len(mine)
        same_kind = [one for _, one in parts[kind]]
        batches.append(same_kind[0] if len(same_kind) == 1 else type(same_kind[0]).joined(same_kind))
    placed_margin = np.empty(len(rows))
    placed_margin[place] = margin
    return PosedRows(World(batches, placed_margin), place)


def of_each_basis(samples: Sequence[Sample], which: Ints) -> Iterator[tuple[SampleBasis, Ints]]:
    """Each basis of the samples `which` (K,), and the places in `which` of samples with it."""
    used = np.unique(which).tolist()
    bases = {id(samples[one].basis): samples[one].basis for one in used}
    number = {key: place for place, key in enumerate(bases)}
    basis_of = np.full(len(samples), NONE)
    basis_of[used] = [number[id(samples[one].basis)] for one in used]
    for place, basis in enumerate(bases.values()):
        yield basis, np.flatnonzero(basis_of[which] == place)


def in_world(motion: Motion, posed: PosedRows) -> Motion:
    """The motion of the given rows, for the rows of the world."""
    order = np.empty(len(posed.place), dtype=np.int64)
    order[posed.place] = np.arange(len(order))
    return motion.take(order)
