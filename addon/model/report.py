# SPDX-License-Identifier: GPL-3.0-or-later
"""The report that the panel, the command line and files show. Plain data, without Blender."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from ... import core
from ...core.constants import DEFAULT_FRICTION, DEFAULT_RESTITUTION, Verdict
from ..system.late import np
from .floating import Floating
from .folds import (
    DRAWN,
    INFORMATION,
    CheckRequest,
    Fold,
    asset_of_pair,
    asset_or_name,
    copies_told,
    folded_rows,
    one_asset,
)
from .rules import PairTest, Pattern
from .verdict_names import RANKS, ranks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.numerics.types import Bools, Floats, Ints


class Units(NamedTuple):
    """Unit settings of the scene, named as in Blender."""

    system: str  # "METRIC", "IMPERIAL" or "NONE"
    scale_length: float  # meters in one Blender unit
    length_unit: str  # "METERS", "MILLIMETERS", "ADAPTIVE", …


class ObjectKey(NamedTuple):
    """Identifies one object, or one instance of it, in a Blender session.

    It survives renaming, undo and redo, but not loading a file. `persistent_id` is empty for an object that is not
    instanced. For an instance, `session_uid` is that of the instanced object, and `instancer_uid` that of its
    instancer.
    """

    session_uid: int
    instancer_uid: int = 0
    persistent_id: tuple[int, ...] = ()

    @property
    def selected_uid(self) -> int:
        """The `session_uid` of the object to select or move: its instancer or, if there is none, itself."""
        return self.instancer_uid or self.session_uid


# `Body.part` of crossing faces of a mesh.
CROSSING_FACES = -1


@dataclass(frozen=True, slots=True)
class Body:
    """A body that can collide: an object, or an object and its colliders."""

    name: str  # as shown in the report: "Crate.001", and "Shelf/Crate" for an instance
    key: ObjectKey  # of the render object, or the only object
    members: tuple[ObjectKey, ...] = ()  # every object whose shape is tested for this body
    library: str = ""  # name of the file that the render object is linked from; "": the open file
    object: str = ""  # name of the render object
    # Path of the file that the render object, or what it overrides, is linked from. "": the open file.
    library_file: str = ""
    part: int = 0  # number of a loose part, from 1; or `CROSSING_FACES`
    whole: str = ""  # for a part, the name of its body
    asset: str = ""  # asset that it is a part of, by the name of its root; "": no asset with other parts
    motion: str = ""  # "static", "dynamic" or "kinematic" as declared in the file; "": undeclared
    joints: frozenset[int] = frozenset()  # joints of the body that prevent collisions of the linked bodies
    source: str = DRAWN  # what is tested: `DRAWN`, `COLLIDERS` or `LEVEL`
    assembly: str = ""  # if all bodies are parts of one asset, a smaller one that it is a part of


class Surface(NamedTuple):
    """Friction and restitution of a surface, or of a contact; see `collision_kit.core.Materials`."""

    friction: float = DEFAULT_FRICTION
    restitution: float = DEFAULT_RESTITUTION


USUAL_SURFACE = Surface()


def combined(a: Surface, b: Surface) -> Surface:
    """Combine the surfaces of two shapes in contact."""
    friction = core.shapes.batch.combined_friction(np.array(a.friction), np.array(b.friction))
    restitution = core.shapes.batch.combined_restitution(np.array(a.restitution), np.array(b.restitution))
    return Surface(float(friction), float(restitution))


@dataclass(frozen=True, slots=True)
class Shape:
    """Source of one row of the world, and the reason for its shape."""

    object: str  # the object's name
    body: int  # index into Report.bodies
    kind: str  # "sphere", "capsule", "cylinder", "ellipsoid", "cone", "box", "hull", "half-space", "mesh"
    reason: str  # "setting", "rigid body", "name UBX_", "convex mesh", "mesh"
    margin: float = 0.0  # margin that was added on all sides, in Blender units
    surface: Surface = USUAL_SURFACE


@dataclass(frozen=True)
class Issue:
    """An issue of one object other than a collision."""

    id: str  # stable, e.g. "sheared-box"
    severity: str  # "error", "warning" or "info"
    object: str
    message: str  # a sentence: the problem, and what was done instead


# Id of the issue that all bodies are parts of one asset, which is then tested in full.
ONE_ASSET = "one-asset"

# Reasons for not testing an object because of its place in the scene: it is hidden, its collection is excluded from the
# view layer, or it is in a background set.
HIDDEN, EXCLUDED, BACKGROUND = "hidden", "excluded", "background"


@dataclass(frozen=True)
class Skipped:
    """An object of the scope that was not tested.

    Attributes
    ----------
    object, reason : str
        Name of the object, and a sentence.
    why : str
        `HIDDEN`, `EXCLUDED` or `BACKGROUND`. Empty: it has no testable shape, or has no owner.
    """

    object: str
    reason: str
    why: str = ""

    @property
    def phrase(self) -> str:
        """The reason as a phrase for a count: "hidden in the viewport"."""
        words = self.reason.rstrip(".").replace(":", ",").split(",")[0]
        return words[:1].lower() + words[1:]


class OtherScene(NamedTuple):
    """A scene of the file that was not checked, and the number of objects with a surface that only it has."""

    name: str
    objects: int


@dataclass(frozen=True)
class Coverage:
    """Objects and scenes that a check did not test: those of other scenes, and data of a newer Blender.

    Attributes
    ----------
    other_scenes : tuple of OtherScene
        Other scenes of the file that have objects of their own.
    newer : str
        Version of Blender that saved the file, if newer than this one, otherwise "".
    include_hidden : bool
        Whether hidden objects were tested.
    other_clips : tuple of str
        For a motion check, the animation clips that were not played.
    second_file : str
        Name of the file that the scene was tested against, or whose meshes are its colliders, otherwise "".
    """

    other_scenes: tuple[OtherScene, ...] = ()
    newer: str = ""
    include_hidden: bool = False
    other_clips: tuple[str, ...] = ()
    second_file: str = ""


@dataclass(frozen=True, slots=True)
class PairResult:
    """Relation of two bodies, with the evidence. Lengths are in Blender units, in world space.

    For overlapping bodies that are not both convex, a check computes the verdict and the interference first. Until the
    rest is measured, the pair is not `complete`: its distance is minus the interference, its normal is the axis along
    which the bounds overlap least, its first point is the center of the overlap of the bounds, and it has no contacts.
    """

    body_a: int
    body_b: int
    verdict: Verdict
    distance: float  # negative: penetration depth, the length of the shortest separating translation
    normal: "Floats"  # (3,), from A to B: the separating axis, or the axis of least penetration
    point_a: "Floats"  # (3,) witness on A
    point_b: "Floats"  # (3,) witness on B
    contact_points: "Floats"  # (K, 3)
    contact_depths: "Floats"  # (K,)
    shape_a: int  # index into Report.shapes: the deepest or nearest shapes of the two bodies
    shape_b: int
    # Greatest depth of a point of one body in the other, at most the penetration depth. None if it was not measured.
    interference: float | None = None
    # (K, 3): for concave bodies, each contact has its own normal. Empty if they were not measured.
    contact_normals: "Floats" = field(default_factory=lambda: np.empty((0, 3)))
    touching: float = 0.0  # touching tolerance of this pair
    rounding: float = 0.0  # distances up to this are rounding errors of coordinates; see `touching_levels`
    # The crossing faces of an evaluated mesh, if the pair is about them.
    faces: tuple[int, ...] = ()
    test: int = -1  # index into Report.tests: the test that found it; -1: there are no named tests
    complete: bool = True  # whether distance, normal, points and contacts have been measured
    # Whether the interference is only a lower bound, because the search for the deepest point was ended early.
    at_least: bool = False

    @property
    def gap(self) -> float:
        """The relation as one number: the distance, or minus the interference."""
        return self.distance if self.interference is None or self.distance >= 0.0 else -self.interference

    @property
    def depth(self) -> float:
        """The depth. Negative: the distance. Infinite: a duplicate."""
        return math.inf if self.verdict == Verdict.DUPLICATE else -self.gap

    @property
    def depth_bound(self) -> float:
        """The depth to compare with limits, as `depth`. Infinite if only a lower bound is known, too."""
        return math.inf if self.at_least else self.depth

    @property
    def held(self) -> bool:
        """Whether the interference is clearly less than the penetration depth: one contains the other."""
        return self.interference is not None and held(self.interference, self.distance)


# Dimensionless: a fraction of the penetration depth. From this difference on, interference and depth are shown
# separately.
HELD = 0.99


def held(interference: float, distance: float) -> bool:
    """Return whether the interference is clearly less than the penetration depth: one contains the other."""
    return interference < HELD * -distance


def in_order(results: Iterable[PairResult]) -> tuple[PairResult, ...]:
    """Return the results, worst first."""
    return tuple(
        sorted(results, key=lambda pair: (-RANKS[pair.verdict], pair.gap, pair.body_a, pair.body_b, pair.test))
    )


@dataclass(frozen=True, eq=False)
class PairResults(Sequence[PairResult]):
    """Results of pairs as arrays of their fields. Objects are created when the first one is accessed."""

    body_a: "Ints"
    body_b: "Ints"
    verdict: "Ints"
    distance: "Floats"
    normal: "Floats"  # (P, 3), as are the witness points
    point_a: "Floats"
    point_b: "Floats"
    contacts: "Ints"  # number for each pair; those of all pairs are concatenated
    contact_points: "Floats"
    contact_depths: "Floats"
    contact_normals: "Floats"  # if not measured, those of the pairs
    shape_a: "Ints"
    shape_b: "Ints"
    interference: "Floats"  # NaN: None
    touching: "Floats"
    rounding: "Floats"
    faces: "NDArray[Any]"  # (P,) of tuples
    test: "Ints"
    complete: "Bools"
    at_least: "Bools"

    @classmethod
    def of(cls, pairs: Sequence[PairResult]) -> "PairResults":
        """Return the arrays of results."""
        if isinstance(pairs, PairResults):
            return pairs
        values: dict[str, Any] = {"contacts": np.array([len(pair.contact_depths) for pair in pairs], np.int64)}
        for name in ("body_a", "body_b", "verdict", "shape_a", "shape_b", "test"):
            values[name] = np.array([getattr(pair, name) for pair in pairs], np.int64)
        for name in ("distance", "interference", "touching", "rounding"):
            values[name] = np.array([getattr(pair, name) for pair in pairs], np.float64)
        for name in ("normal", "point_a", "point_b", "contact_points"):
            values[name] = _flat(getattr(pair, name) for pair in pairs).reshape(-1, 3)
        return cls(
            **values,
            contact_depths=_flat(pair.contact_depths for pair in pairs),
            contact_normals=_flat(
                pair.contact_normals
                if len(pair.contact_normals) == len(pair.contact_points)
                else np.tile(pair.normal, (len(pair.contact_points), 1))
                for pair in pairs
            ).reshape(-1, 3),
            faces=np.fromiter((pair.faces for pair in pairs), object, len(pairs)),
            complete=np.array([pair.complete for pair in pairs], np.bool_),
            at_least=np.array([pair.at_least for pair in pairs], np.bool_),
        )

    @classmethod
    def joined(cls, parts: "Sequence[PairResults]") -> "PairResults":
        """Return the results of all parts, one part after another."""
        if len(parts) < 2:
            return parts[0] if parts else cls.of(())
        return cls(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(cls)))

    def in_order(self) -> "PairResults":
        """Return the results, worst first."""
        return self.take(np.lexsort((self.test, self.body_b, self.body_a, self.gap, -ranks(self.verdict))))

    @property
    def gap(self) -> "Floats":
        """Return `PairResult.gap` of each pair."""
        inner = (self.distance < 0.0) & ~np.isnan(self.interference)
        return np.where(inner, -self.interference, self.distance)

    @property
    def depth_bound(self) -> "Floats":
        """Return `PairResult.depth_bound` of each pair."""
        return np.where(self.at_least | (self.verdict == Verdict.DUPLICATE), np.inf, -self.gap)

    def take(self, rows: "Ints") -> "PairResults":
        """Return the results of these rows, in order."""
        count, end = self.contacts[rows], np.cumsum(self.contacts)[rows]
        mine = np.arange(count.sum()) + np.repeat(end - np.cumsum(count), count)
        return PairResults(
            *(getattr(self, one.name)[mine if one.name.startswith("contact_") else rows] for one in fields(self))
        )

    def with_rows(self, rows: "Ints", others: "PairResults") -> "PairResults":
        """Return the results with others in these rows."""
        place = np.arange(len(self))
        place[rows] = len(self) + np.arange(len(others))
        return PairResults.joined([self, others]).take(place)

    def __len__(self) -> int:
        return len(self.body_a)

    @overload
    def __getitem__(self, row: int) -> PairResult: ...

    @overload
    def __getitem__(self, row: slice) -> tuple[PairResult, ...]: ...

    def __getitem__(self, row: int | slice) -> PairResult | tuple[PairResult, ...]:
        return self._made[row]

    def __iter__(self) -> Iterator[PairResult]:
        return iter(self._made)

    def __eq__(self, other: object) -> bool:
        return self._made == (tuple(other) if isinstance(other, Sequence) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._made)

    @cached_property
    def _made(self) -> tuple[PairResult, ...]:
        last = np.cumsum(self.contacts)
        own = list(map(slice, (last - self.contacts).tolist(), last.tolist()))
        return tuple(map(PairResult, *(self._each(one.name, own) for one in fields(PairResult))))

    def _each(self, name: str, contacts: Sequence[slice]) -> Iterable[Any]:
        """Return a field of each result. `contacts` are the rows of its contacts."""
        values = getattr(self, name)
        if name.startswith("contact_"):
            return map(values.__getitem__, contacts)
        if name == "verdict":
            verdicts = {int(verdict): verdict for verdict in Verdict}
            return [verdicts[value] for value in values.tolist()]
        if name == "interference":
            return [None if math.isnan(value) else value for value in values.tolist()]
        return values if values.ndim > 1 else values.tolist()


def _flat(arrays: "Iterable[Floats]") -> "Floats":
    """Concatenate many small arrays. `np.concatenate` takes half as long again."""
    buffers: list[Any] = list(arrays)
    try:
        return np.frombuffer(b"".join(buffers))
    except TypeError:  # some of them have gaps
        return np.frombuffer(b"".join([array.tobytes() for array in buffers]))


@dataclass(frozen=True)
class Report:
    """Result of a check."""

    file: str
    scene: str
    frame: int
    scope: str
    units: Units
    touching: float  # tolerances in Blender units
    clearance: float
    bodies: tuple[Body, ...]
    shapes: tuple[Shape, ...]
    pairs: Sequence[PairResult]  # worst first; separated pairs beyond the clearance are left out
    issues: tuple[Issue, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    plane: str | None = None  # "XY", "XZ", "YZ" or "CAMERA"; None: in 3D
    tested: dict[str, int] = field(default_factory=dict)  # numbers of bodies, shapes and candidate pairs of shapes
    tests: tuple[PairTest, ...] = ()  # the named tests; a pair is listed once for each test that finds it
    configuration: str = ""  # file of the configuration; empty: none, or that of the scene
    self_check: bool = False  # whether each mesh was tested against itself, too
    loose_parts: bool = False  # whether each loose part of a mesh is a separate body
    coverage: Coverage = field(default_factory=Coverage)
    # Whether pairs within one asset are faults. None: only if all bodies are parts of one asset.
    within: bool | None = None
    static: bool = False  # whether pairs of static bodies are faults
    # Assets that are stored at one place, as in a library, so that pairs between them are not faults.
    library: frozenset[str] = frozenset()
    # Names of the bodies that contain nearly all others, such as a sky, outermost first. What is inside is no fault.
    surroundings: tuple[str, ...] = ()
    areas: bool = False  # whether pairs with water, fog, navigation meshes and triggers are faults
    # Pairs of bodies that are joined parts of one thing, the lesser first, with the name of the thing.
    joined: Mapping[tuple[int, int], str] = field(default_factory=dict)
    # Pairs of a part that is much deeper in another than its siblings, the lesser first. They are not parts of a fold.
    odd: frozenset[tuple[int, int]] = frozenset()
    floating: tuple[Floating, ...] | None = None  # floating objects; None: they were not searched

    @cached_property
    def folded(self) -> dict[int, Fold]:
        """Rows that lists show as one line, with the line of each."""
        two_sided = tuple(bool(test.b) for test in self.tests)
        asked = CheckRequest(
            *(self.within, self.static, self.library, self.surroundings, self.areas),
            *(two_sided, self.joined, self.odd),
        )
        return folded_rows(self.bodies, self._columns, asked)

    def clearance_of(self, pair: PairResult) -> float:
        """Return the clearance with which a pair was tested."""
        own = self.tests[pair.test].clearance if pair.test >= 0 else None
        return self.clearance if own is None else own

    @cached_property
    def asset_names(self) -> list[str]:
        """The asset of each body, or the body itself. If all bodies are parts of one asset, the smaller one inside."""
        if one_asset(self.bodies):
            return [one.assembly or one.name for one in self.bodies]
        return [asset_or_name(one) for one in self.bodies]

    @cached_property
    def assets_of_pairs(self) -> list[frozenset[str]]:
        """The assets of the two bodies of each pair, by name. A body without an asset stands for itself."""
        pairs, names = PairResults.of(self.pairs), self.asset_names
        both = zip(pairs.body_a.tolist(), pairs.body_b.tolist(), strict=True)
        return [frozenset((names[a], names[b])) for a, b in both]

    @cached_property
    def copies_told(self) -> dict[int, int]:
        """Rows of duplicates that stand for more than two copies, with the numbers of copies."""
        return copies_told(self._columns, self.folded)

    @cached_property
    def _columns(self) -> "list[Ints]":
        return [self.column(name) for name in ("body_a", "body_b", "verdict", "test")]

    @cached_property
    def related(self) -> list[int]:
        """Rows that are folded, or whose bodies are parts of one asset."""
        some = np.array([bool(one.asset or one.joints) for one in self.bodies], bool)
        body_a, body_b = (self.column(name) for name in ("body_a", "body_b"))
        rows = np.flatnonzero(some[body_a] & some[body_b])
        within = {
            row
            for row, a, b in zip(rows.tolist(), body_a[rows].tolist(), body_b[rows].tolist(), strict=True)
            if asset_of_pair(self.bodies[a], self.bodies[b])
        }
        return sorted(within | self.folded.keys())

    @property
    def tested_bodies(self) -> tuple[Body, ...]:
        """The bodies, without parts that are listed only because of their results."""
        return self.bodies if self.loose_parts else tuple(body for body in self.bodies if not body.part)

    def column(self, name: str) -> "Ints":
        """An integer field of each pair, by name."""
        values: Ints | list[int]
        if isinstance(self.pairs, PairResults):
            values = getattr(self.pairs, name)
        else:
            values = [getattr(pair, name) for pair in self.pairs]
        return np.asarray(values, dtype=np.int64)

    def verdicts_of(self, rows: Sequence[int]) -> Counter[Verdict]:
        """Return the number of pairs for each verdict among these rows."""
        return Counter(map(Verdict, self.column("verdict")[np.array(rows, dtype=np.int64)].tolist()))

    def test_of(self, pair: PairResult) -> PairTest | None:
        """Return the named test that found a pair. None if there are none."""
        return self.tests[pair.test] if pair.test >= 0 else None

    def severity_of(self, row: int) -> str:
        """Return the severity of the pair of a row if it is a fault: error, warning or info."""
        if row in self.folded and self.folded[row].kind in INFORMATION:
            return "info"
        test = self.test_of(self.pairs[row])
        return "error" if test is None else test.severity

    def row_of(self, keys: Collection[ObjectKey]) -> int:
        """Return the row of the pair of the two bodies with these keys. -1 if it is not listed."""
        wanted = {index for index, body in enumerate(self.bodies) if body.key in keys}
        if len(wanted) == 2:
            for row, pair in enumerate(self.pairs):
                if pair.body_a in wanted and pair.body_b in wanted:
                    return row
        return -1

    def surface_of(self, pair: PairResult) -> Surface:
        """Return friction and restitution of a pair's contacts, which all have the same two shapes."""
        return combined(self.shapes[pair.shape_a].surface, self.shapes[pair.shape_b].surface)

    def counts(self) -> Counter[Verdict]:
        """Return the number of pairs for each verdict. Separated pairs are not in the report."""
        return Counter(self._counts)

    @cached_property
    def test_counts(self) -> list[int]:
        """Return the number of pairs that each named test has found."""
        test = self.column("test")
        return [int(np.count_nonzero(test == number)) for number in range(len(self.tests))]

    @cached_property
    def _counts(self) -> Counter[Verdict]:
        found, count = np.unique(self.column("verdict"), return_counts=True)
        return Counter(dict(zip(map(Verdict, found.tolist()), count.tolist(), strict=True)))


# Scopes that test one set of objects against another.
TWO_SIDED = frozenset({"ACTIVE", "COLLECTIONS"})


class Settings(NamedTuple):
    """Options of a check, named as in `addon.collisions.check.check`. Lengths are in Blender units."""

    scope: str
    collection_a: str
    collection_b: str
    touching: float | None  # None: chosen by the check
    clearance: float
    plane: str | None = None  # as for `addon.collisions.check.check`
    include_operands: bool = False
    tests: tuple[PairTest, ...] = ()  # named tests; empty: everything in the scope is tested
    self_check: bool = False  # whether each mesh is tested against itself, too
    within: bool | None = None  # as in `Report.within`
    static: bool = False  # as in `Report.static`
    each_asset: bool = False  # whether only pairs within one asset are tested
    loose_parts: bool = False  # whether each loose part of a mesh is a separate body
    surroundings: bool = False  # whether bodies inside of surroundings are faults
    one_thing: tuple[Pattern, ...] = ()  # objects that are one thing, a pattern for each thing

    @property
    def asked_within(self) -> bool | None:
        """Return the value for `Report.within`.

        Testing one set of objects against another, or loose parts, requests each of the pairs explicitly.
        """
        asked = self.within is None and (self.scope in TWO_SIDED or self.loose_parts)
        return True if asked or self.each_asset else self.within

    @property
    def asked_areas(self) -> bool:
        """Return the value for `Report.areas`."""
        return self.surroundings or self.scope in TWO_SIDED


def body_uids(body: Body) -> set[int]:
    """Return the `session_uid` of every object of a body, including its instancers."""
    keys = (body.key, *body.members)
    found = {key.session_uid for key in keys}
    found.update(key.instancer_uid for key in keys if key.instancer_uid)
    return found


def is_gone(body: Body, names: Mapping[int, str]) -> bool:
    """Return whether the body's object, or its instancer, is missing in the file with these names."""
    return any(uid not in names for uid in _key_uids(body.key))


def name_now(body: Body, then: Mapping[int, str], now: Mapping[int, str]) -> str:
    """Return the current name of a body from the current names of all objects. If it was deleted, its name then."""
    uids = _key_uids(body.key)
    if is_gone(body, now) or all(now[uid] == then.get(uid) for uid in uids):
        return body.name
    return "/".join(now[uid] for uid in uids)


def _key_uids(key: ObjectKey) -> tuple[int, ...]:
    return (key.instancer_uid, key.session_uid) if key.instancer_uid else (key.session_uid,)
