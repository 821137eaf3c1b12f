# SPDX-License-Identifier: GPL-3.0-or-later
"""Read the placement of everything in a scope, frame after frame: only matrices, as long as nothing else changes.

Objects that appear, disappear or change their bodies are read as in a check. Meshes that modifiers, shape keys or other
animation may change are read in every sample, and compared. Single objects that are moved only by their own keys are
placed without evaluating the scene.
"""

from collections.abc import Callable, Generator, Sequence, Set
from dataclasses import dataclass, field, replace

import bpy
import numpy as np

from ....core.numerics.types import Bools, Floats, Ints
from ...model.report import HIDDEN, Body, Issue, ObjectKey, Shape, Skipped
from ..meshes.geometry import Geometry
from ..meshes.types import GEOMETRY_TYPES, NODE_TYPES
from ..objects.choice import ShapeChoice
from ..objects.collision_settings import Groups, filter_of
from ..objects.facts import facts_of
from ..objects.transforms import take_apart
from ..open_file import objects_by_uid
from ..reading.batches import kind_of
from ..reading.geometry_cache import KnownGeometry
from ..reading.incremental import Reading, read
from ..reading.placing import ShapeMaker, ShapeResult
from ..reading.scene_shapes import SceneShapes
from ..reading.scene_snapshot import instances_of, matrices_of
from .keyed_objects import KeyedObject, is_keyed
from .moving_shapes import NONE, Form, Sample, SampleBasis, of_each_basis, placements

# Objects tested as one of these have no shape of their own in any frame.
_NO_SHAPE = ("NONE", "COMPOUND")
# Dimensionless: curves place an object as Blender does if its matrix differs by less, which is rounding of float32.
ROUNDING = 8.0 * float(np.finfo(np.float32).eps)
# How many samples are placed by curves before others may have their turn.
_AT_ONCE = 256

# A frame, a sample near it, and the required rows (K,), which include all rows of their bodies.
Asked = tuple[float, Sample, Ints]


@dataclass(frozen=True, eq=False)
class _Tested:
    """An object or instance to be tested: its place in the depsgraph's list of instances, and its role."""

    key: ObjectKey
    row: int
    object: bpy.types.Object
    label: str
    choice: ShapeChoice
    position: int


@dataclass(frozen=True, eq=False)
class _Layout:
    """The tested objects, valid as long as the depsgraph lists the same instances.

    Attributes
    ----------
    signature : bytes
        Identifies the instances that the depsgraph lists.
    tested : tuple of _Tested
    row, position : (K,) int64
        The row of each, and its position among the instances.
    bendable : dict of int to ObjectKey
        Objects whose geometry may differ in each frame, by position.
    with_hull : set of ObjectKey
    geometry : dict of ObjectKey to Geometry
    variable : (V,) int64
        Tested objects that must be compared in every frame, because more than their matrices may change.
    keyed : dict of int to KeyedObject or None
        Requested keyed objects, by place. None if more than their keys moves them.
    """

    signature: bytes
    tested: tuple[_Tested, ...]
    row: Ints
    position: Ints
    bendable: dict[int, ObjectKey]
    with_hull: set[ObjectKey]
    geometry: dict[ObjectKey, Geometry]
    variable: Ints
    keyed: dict[int, KeyedObject | None] = field(default_factory=dict)


class PoseReader:
    """Reads the placement of the shapes of a scope in any frame. Rows and bodies are numbered as they appear.

    Parameters
    ----------
    context : bpy.types.Context
    go : function
        Sets the scene to a frame.
    scope : set of int
        `session_uid` of the objects of the scope.
    with_hidden : bool
        Whether hidden objects count as skipped.
    include_operands : bool
        As in `reading`.

    Attributes
    ----------
    shapes : list of Shape
        For each row, its data when it first had a shape; without a kind while it has had none.
    bodies : list of Body
    body : list of int
        The body of each row.
    visited : int
        The number of frames that have been evaluated.
    deforming : set of int
        Rows that have changed in another way than by rigid motion.
    """

    def __init__(
        self,
        context: bpy.types.Context,
        go: Callable[[float], None],
        scope: Set[int],
        *,
        with_hidden: bool,
        include_operands: bool = True,
    ) -> None:
        self.shapes: list[Shape] = []
        self.bodies: list[Body] = []
        self.body: list[int] = []
        self.visited = 0
        self.deforming: set[int] = set()
        self._context, self._go, self._scope, self._with_hidden = context, go, set(scope), with_hidden
        self._include_operands = include_operands
        self._groups: list[Groups] = []
        self._row: dict[ObjectKey, int] = {}
        self._number: dict[ObjectKey, int] = {}
        self._known = KnownGeometry()
        self._reading: Reading | None = None
        self._layout: _Layout | None = None
        self._forms = 0
        # Dicts serve as ordered sets.
        self._issues: dict[Issue, None] = {}
        self._skipped: dict[Skipped, None] = {}

    def samples(self, asked: Sequence[Asked]) -> Generator[None, None, list[Sample]]:
        """Place the rows of each sample by their curves if only keys move them, and evaluate the other samples.

        Yields after each block of rows that are placed by their curves, and after each evaluation of the scene.
        """
        found: list[Sample | None] = []
        for begin in range(0, len(asked), _AT_ONCE):
            found += self._by_keys(asked[begin : begin + _AT_ONCE])
            yield
        samples = []
        for one, sample in zip(asked, found, strict=True):
            if sample is None:
                sample = self.sample(*one)
                yield
            samples.append(sample)
        return samples

    def sample(self, frame: float, near: Sample | None = None, rows: Ints | None = None) -> Sample:
        """Evaluate a frame. A row that has only moved since the sample `near` keeps its form.

        Parameters
        ----------
        frame : float
        near : Sample, optional
        rows : (K,) int64, optional
            The required rows, which include all rows of their bodies. The others may be as in `near`.
        """
        self._go(frame)
        self.visited += 1
        depsgraph = self._context.evaluated_depsgraph_get()
        signature = _signature(depsgraph)
        fresh: dict[ObjectKey, ShapeResult] = {}
        layout = self._layout
        if layout is None or layout.signature != signature:
            layout, fresh = self._lay_out(depsgraph, signature)
            rows = None
        elif near is None or near.basis.made_for is not layout or len(near) != len(self.shapes):
            rows = None
        places = np.arange(len(layout.row)) if rows is None else np.flatnonzero(np.isin(layout.row, rows))
        if layout.bendable and not fresh:
            wanted = set(layout.position[places].tolist())
            bendable = {position: key for position, key in layout.bendable.items() if position in wanted}
            self._known.forget(key.session_uid for key in bendable.values())
            layout.geometry.update(self._known.read(self._context, bendable, layout.with_hull & {*bendable.values()}))
        matrix = matrices_of(depsgraph)[layout.position[places]]
        sample = self._sample(frame, near, layout, places, matrix, fresh)
        if (np.array(self.body, dtype=np.int64)[sample.there] == NONE).any():
            # A row without a shape when the scene was read has no body.
            self._lay_out(depsgraph, signature)
        return sample

    def stays_alone(self) -> bool:
        """Whether there are fewer than two bodies, and no other body can appear in other frames."""
        if len(self.bodies) > 1 or any(one.why == HIDDEN for one in self._skipped):
            return False
        objects = objects_by_uid(self._scope).values()
        return not any(
            ob.instance_type != "NONE" or len(ob.particle_systems) or any(one.type == "NODES" for one in ob.modifiers)
            for ob in objects
        )

    def keyed(self, asked: Sequence[tuple[Sample, Ints]]) -> list[bool]:
        """Whether rows can be placed without evaluating the scene in frames near that of a sample, for each."""
        found = self._by_keys([(near.frame, near, rows) for near, rows in asked])
        return [sample is not None for sample in found]

    def _by_keys(self, asked: Sequence[Asked]) -> list[Sample | None]:
        """Samples of rows that are moved by keys only, placed by their curves. None if there are other rows.

        In the frame of the sample `near`, the curves must give the same placement as this evaluated sample.
        """
        layout = self._layout
        if layout is None:
            return [None] * len(asked)
        count, known = len(self.shapes), dict[int, tuple[list[KeyedObject], Ints]]()
        place_of = np.full(count, NONE)
        place_of[layout.row] = np.arange(len(layout.row))
        for number, (_, near, rows) in enumerate(asked):
            if near.basis.made_for is layout and len(near) == count:
                places = place_of[rows]
                places = places[places != NONE]
                objects = [self._keyed(layout, place) for place in places.tolist()]
                keyed = [one for one in objects if one is not None]
                of_places = layout.row[places]
                if len(keyed) == len(objects) and (near.basis.number[of_places] != NONE).all():
                    known[number] = keyed, of_places
        found = _by_curves([(*asked[number][:2], *mine) for number, mine in known.items()])
        sample_of = dict(zip(known, found, strict=True))
        return [sample_of.get(number) for number in range(len(asked))]

    def _keyed(self, layout: _Layout, place: int) -> KeyedObject | None:
        if place not in layout.keyed:
            one = layout.tested[place]
            alone = not one.key.instancer_uid and place not in layout.variable
            by_keys = alone and is_keyed(self._context.scene, one.object)
            layout.keyed[place] = KeyedObject(one.object) if by_keys else None
        return layout.keyed[place]

    def issues(self) -> tuple[tuple[Issue, ...], tuple[Skipped, ...]]:
        """Issues about single objects, and the objects that had a shape in no frame."""
        tested = {shape.object for shape in self.shapes if shape.kind} | {body.name for body in self.bodies}
        return tuple(self._issues), tuple(entry for entry in self._skipped if entry.object not in tested)

    def tested(self) -> SceneShapes:
        """All rows and bodies that have appeared so far, as shapes of one reading, without their world."""
        assert self._reading is not None, "nothing has been read"
        return replace(
            self._reading.shapes,
            shapes=tuple(self.shapes),
            bodies=tuple(self.bodies),
            body=np.array(self.body, dtype=np.int64),
            filter=filter_of(self._groups),
        )

    def _sample(
        self,
        frame: float,
        near: Sample | None,
        layout: _Layout,
        places: Ints,
        matrix: Floats,
        fresh: dict[ObjectKey, ShapeResult],
    ) -> Sample:
        """A sample of the tested objects at some places of the layout, with their matrices (K, 4, 4)."""
        count = len(self.shapes)
        before = near.basis if near is not None else None
        if before is None or len(before) != count:
            before = SampleBasis(before, count, {}, 0)
        rows = layout.row[places]
        kept, turn = before.turned(rows, matrix[:, :3, :3])
        kept &= self._as_before(before, layout, places, matrix)
        changed: dict[int, Form | None] = {}
        new = np.flatnonzero(~kept)
        if len(new):
            changed.update(self._new_forms(before, layout, places[new], matrix[new], fresh))
            turn[new] = np.eye(3)
        if len(places) == len(layout.row):
            gone = np.ones(count, dtype=bool)
            gone[rows] = False
            changed.update((row, None) for row in np.flatnonzero(gone).tolist() if before.form[row] is not None)
            rotation, translation = np.broadcast_to(np.eye(3), (count, 3, 3)).copy(), np.zeros((count, 3))
        else:
            assert near is not None, "some rows are read, and the others are those of another sample"
            rotation, translation = near.rotation.copy(), near.translation.copy()
        rotation[rows], translation[rows] = turn, np.where(np.isfinite(matrix[:, :3, 3]), matrix[:, :3, 3], 0.0)
        basis = SampleBasis(before, count, changed, self._forms) if changed else before
        basis.made_for = layout
        self._forms += len(changed)
        return Sample(frame, basis, rotation, translation)

    def _as_before(self, before: SampleBasis, layout: _Layout, places: Ints, matrix: Floats) -> Bools:
        """Return which tested objects have the same data as before except for their matrices; (K,)."""
        shapeless = before.number[layout.row[places]] == NONE
        if before.made_for is layout:
            same, compared = ~shapeless, np.flatnonzero(shapeless | np.isin(places, layout.variable))
        else:
            same, compared = np.zeros(len(places), dtype=bool), np.arange(len(places))
        for number in compared.tolist():
            one = layout.tested[places[number]]
            form = before.form[one.row]
            same[number] = (
                form is not None
                and form.geometry is layout.geometry.get(one.key)
                and (one.object.type != "EMPTY" or form.extras == facts_of(one.object).extras)
                # An object without a shape may get one with any change.
                and (form.shape is not None or np.array_equal(form.matrix, matrix[number], equal_nan=True))
            )
        return same

    def _new_forms(
        self,
        before: SampleBasis,
        layout: _Layout,
        places: Ints,
        matrix: Floats,
        fresh: dict[ObjectKey, ShapeResult],
    ) -> dict[int, Form | None]:
        maker = ShapeMaker(take_apart(matrix))
        made: dict[int, Form | None] = {}
        for number, place in enumerate(places.tolist()):
            one = layout.tested[place]
            geometry = layout.geometry.get(one.key)
            facts = facts_of(one.object)
            result = fresh.get(one.key) or maker.make(one.choice, facts, geometry, number)
            shape = result.shape
            self._issues.update(
                dict.fromkeys(Issue(issue.id, issue.severity, one.label, issue.message) for issue in result.issues)
            )
            made[one.row] = Form(shape, matrix[number], geometry, facts.extras)
            if shape is None:
                continue
            old = before.form[one.row]
            if old is not None and old.shape is not None:
                self.deforming.add(one.row)
            if not self.shapes[one.row].kind:
                kind = kind_of(shape).name.lower().replace("_", "-")
                self.shapes[one.row] = replace(self.shapes[one.row], kind=kind, reason=result.reason)
        return made

    def _lay_out(
        self, depsgraph: bpy.types.Depsgraph, signature: bytes
    ) -> tuple[_Layout, dict[ObjectKey, ShapeResult]]:
        """Read the scene as a check does, and number new objects."""
        if self._layout is not None:
            self._known.forget(key.session_uid for key in self._layout.bendable.values())
        reading = read(
            self._context,
            self._scope,
            include_hidden_as_skipped=self._with_hidden,
            before=self._reading,
            known=self._known,
            include_operands=self._include_operands,
        )
        self._reading = reading
        self._issues.update(dict.fromkeys(reading.shapes.issues))
        self._skipped.update(dict.fromkeys(reading.shapes.skipped))
        numbers = [self._body(body) for body in reading.shapes.bodies]
        of_body = {key: numbers[body] for key, body in zip(reading.keys, reading.shapes.body.tolist(), strict=True)}
        tested: list[_Tested] = []
        objects = objects_by_uid()
        for item in reading.items:
            entry = reading.entries.get(item.key)
            if entry is None or item.position < 0 or entry.choice.shape in _NO_SHAPE:
                continue
            row = self._row.setdefault(item.key, len(self.shapes))
            if row == len(self.shapes):
                traits = item.facts.traits
                self.shapes.append(Shape(item.label, NONE, "", "", traits.margin, traits.surface))
                self.body.append(NONE)
                self._groups.append(traits.groups)
            if self.body[row] == NONE and item.key in of_body:
                self.body[row] = of_body[item.key]
                self.shapes[row] = replace(self.shapes[row], body=of_body[item.key])
            tested.append(_Tested(item.key, row, objects[item.facts.uid], item.label, entry.choice, item.position))
        entries = {one.key: reading.entries[one.key] for one in tested}
        self._layout = _Layout(
            signature=signature,
            tested=tuple(tested),
            row=np.array([one.row for one in tested], dtype=np.int64),
            position=np.array([one.position for one in tested], dtype=np.int64),
            bendable={one.position: one.key for one in tested if _may_bend(one.object)},
            with_hull={one.key for one in tested if one.choice.needs_hull},
            geometry={key: entry.geometry for key, entry in entries.items() if entry.geometry is not None},
            variable=np.array(
                [place for place, one in enumerate(tested) if one.object.type == "EMPTY" or _may_bend(one.object)],
                dtype=np.int64,
            ),
        )
        return self._layout, {key: entry.result for key, entry in entries.items()}

    def _body(self, body: Body) -> int:
        number = self._number.setdefault(body.key, len(self.bodies))
        if number == len(self.bodies):
            self.bodies.append(body)
        else:
            before = self.bodies[number]
            members = tuple(dict.fromkeys([*before.members, *body.members]))
            self.bodies[number] = replace(before, members=members)
        return number


def _by_curves(asked: Sequence[tuple[float, Sample, list[KeyedObject], Ints]]) -> list[Sample | None]:
    """Samples in given frames, in which the rows (K,) of keyed objects are where their curves place them.

    The others are as in a given sample. None if the curves do not place the rows where they are in that sample, or if
    the objects are not rigid.
    """
    nears = [near for _, near, _, _ in asked]
    which = np.repeat(np.arange(len(asked)), [len(rows) for *_, rows in asked])
    rows = np.concatenate([np.empty(0, dtype=np.int64), *(mine for *_, mine in asked)])
    both = [one.matrix(at) for frame, near, objects, _ in asked for one in objects for at in (near.frame, frame)]
    matrix = np.array(both, dtype=np.float64).reshape(-1, 2, 4, 4)
    kept, turn = np.empty((len(rows), 2), dtype=bool), np.empty((len(rows), 2, 3, 3))
    for basis, here in of_each_basis(nears, which):
        linear = matrix[here, :, :3, :3].reshape(-1, 3, 3)
        same, rotation = basis.turned(np.repeat(rows[here], 2), linear)
        kept[here], turn[here] = same.reshape(-1, 2), rotation.reshape(-1, 2, 3, 3)
    before, place = placements(nears, which, rows), matrix[:, :, :3, 3]
    off = np.abs(place[:, 0] - before[1]) > ROUNDING * np.abs(place[:, 0]).max(axis=1, keepdims=True)
    failed = off.any(axis=1) | (np.abs(turn[:, 0] - before[0]) > ROUNDING).any(axis=(1, 2))
    failed |= ~kept.all(axis=1) | ~np.isfinite(matrix).all(axis=(1, 2, 3))
    found: list[Sample | None] = []
    ends = np.searchsorted(which, np.arange(len(asked) + 1))
    for (frame, near, _, own), begin, end in zip(asked, ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        if failed[begin:end].any():
            found.append(None)
            continue
        rotation, translation = near.rotation.copy(), near.translation.copy()
        rotation[own], translation[own] = turn[begin:end, 1], place[begin:end, 1]
        found.append(Sample(frame, near.basis, rotation, translation))
    return found


def _signature(depsgraph: bpy.types.Depsgraph) -> bytes:
    """A value that is equal as long as the depsgraph lists the same instances in the same order."""
    uids = np.array([instance.object.original.session_uid for _, instance in instances_of(depsgraph)], dtype=np.int64)
    identity, shown = np.empty(8 * len(uids), dtype=np.int32), np.empty(len(uids), dtype=bool)
    depsgraph.object_instances.foreach_get("persistent_id", identity)
    depsgraph.object_instances.foreach_get("show_self", shown)
    return uids.tobytes() + identity.tobytes() + shown.tobytes()


def _may_bend(ob: bpy.types.Object) -> bool:
    """Whether the evaluated geometry of an object may differ in another frame."""
    if ob.type not in GEOMETRY_TYPES | NODE_TYPES:
        return False
    if ob.type != "MESH" or ob.modifiers or ob.parent_type in ("ARMATURE", "LATTICE", "CURVE"):
        return True
    data = ob.data
    return bool(getattr(data, "shape_keys", None) or getattr(data, "animation_data", None))
