# SPDX-License-Identifier: GPL-3.0-or-later
"""The request and the report of a check of motion, for the panel, the command line and files.

Plain data, no Blender in it. Frames are those of Blender's timeline, with fractions: 12.5 is half-way from frame 12
to frame 13, its subframe 0.5.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ... import core
from ...core.constants import Verdict
from .folds import STATIC, Fold, FoldKind, asset_of_pair, one_asset
from .report import TWO_SIDED, Body, Coverage, Issue, Shape, Skipped, Units
from .rules import IgnoreRule, PairTest

if TYPE_CHECKING:
    from ...core.numerics.types import Floats, Ints


# What a contact may be; part of the contract with scripts.
STATUSES = ("new", "started", "undecided")
# The status of two bodies that never touch, but come nearer than the clearance.
NEAR = "near"
# What may fail a build: besides those any contact in which one is ever deeper in the other than what touches.
PENETRATING = "penetrating"
FAILURES = (*STATUSES, PENETRATING, NEAR)
# What fails a build unless something else is asked for.
FAULTS = frozenset({"new", "undecided"})


class MotionRequest(NamedTuple):
    """The options of a check of motion.

    Attributes
    ----------
    scope : str
        SELECTED, ACTIVE, VISIBLE, CAMERA, ALL, COLLECTION or COLLECTIONS, as `addon.collisions.check.check` takes it.
        CAMERA means what the camera sees in the frame that is current when the check begins; what is hidden in some
        frames is not tested in those.
    collection_a, collection_b : str
        Names of the collections that the last two scopes speak of.
    start, end : int
        First and last frame, both included; the motion between all frames from the one to the other is checked.
    deviation : float, optional
        In Blender units: how far the true pose of an object may stray, at its farthest point, from the even motion
        between two samples before another sample is taken between them. None: for each object a share of its size.
    include_operands : bool
        As `addon.collisions.check.check` takes it.
    clearance : float
        In Blender units: bodies that never touch, but come nearer than this, are near misses. 0: none is looked for.
    touching : float, optional
        In Blender units: contacts that never get deeper than this only touch. None: what floating-point numbers leave
        open.
    tests : tuple of PairTest
        The named tests whose contacts the list shows; the search is for all contacts.
    """

    scope: str = "VISIBLE"
    collection_a: str = ""
    collection_b: str = ""
    start: int = 1
    end: int = 250
    deviation: float | None = None
    include_operands: bool = False
    clearance: float = 0.0
    touching: float | None = None
    tests: tuple[PairTest, ...] = ()


@dataclass(frozen=True, eq=False)
class MotionContact:
    """Two bodies that touch at some time within the range, with the evidence. Lengths in Blender units, world space.

    It is also used for near misses: two bodies that never touch, but come nearer than the clearance. Their `verdict` is
    `WITHIN_CLEARANCE`, `distance` is their least distance, above 0, and `first`, `last` and `deepest` are the frame of
    it. `point` is midway between the two points that are nearest to each other, and `normal` points from A to B.

    Attributes
    ----------
    body_a, body_b : int
        Indices into `MotionReport.bodies`.
    first : float
        Frame of the first contact; the range's first frame if they touch there already.
    last : float
        Last frame in touch within the range; between the two they may have parted.
    started_touching : bool
        They touch or penetrate in the range's first frame already.
    deepest : float
        Frame in which the greatest depth was found.
    depth : float
        How deep any point of one is in the other there, the interference that a collision check tells: at least 0.
    distance : float
        Minus the penetration depth there, which is how far one has to move to be free: at most 0.
    verdict : Verdict
        By the greatest depth, as a collision check has it: `TOUCHING` where no point is ever deeper than what counts as
        touching, as a peg that moves in the hole that it fits; else `PENETRATING`.
    point, normal : (3,) float64
        At the first contact: where they touch, and the unit normal from A to B.
    path : (K, 4) float64
        Frame, x, y, z: where they touch, in the samples in which they do, in the order of frames, the first contact
        and the last among them. K is at least 1.
    shape_a, shape_b : int
        Indices into `MotionReport.shapes`: the two that touch first.
    decided : bool
        False: the search stopped at its limit, and the two may touch from `first` on, or may only come very near.
    proved_until : float
        Frame before which the motion between samples is proved free of contact. `first`, if neither of the two
        deforms; of bodies that do, nothing is proved between samples, and this is the last sample before `first`
        in which they are apart.
    unbroken : bool
        They are in touch in all samples.
    shallowest : float
        The least penetration depth of the samples in which they are in touch: at least 0.
    per_frame : bool
        One of the two deforms or changes its scale, so its shapes are taken from samples, frames and subframes, and
        are not followed between them.
    touching : float
        How near counted as touching, where the greatest depth was found.
    test : int
        Index into `MotionReport.tests`: the test that found it. -1: there are no named tests.
    ignored : int
        Index into `MotionReport.rules`: the rule that ignores it. -1: none does.
    curve : tuple of (float, float)
        Frame and distance, in the order of frames, in the samples in which the bounds of the two, enlarged by the
        clearance, overlap. Where they penetrate, it is minus the penetration depth.
    """

    body_a: int
    body_b: int
    first: float
    last: float
    started_touching: bool
    deepest: float
    depth: float
    distance: float
    verdict: Verdict
    point: "Floats"
    normal: "Floats"
    path: "Floats"
    shape_a: int
    shape_b: int
    decided: bool = True
    proved_until: float = 0.0
    per_frame: bool = False
    unbroken: bool = False
    shallowest: float = 0.0
    touching: float = 0.0
    test: int = -1
    ignored: int = -1
    curve: tuple[tuple[float, float], ...] = ()

    @property
    def is_near_miss(self) -> bool:
        """Whether the two never touch."""
        return self.verdict == Verdict.WITHIN_CLEARANCE

    @property
    def nearest_points(self) -> tuple["Floats", "Floats"]:
        """The point of A and the point of B that are nearest to each other at `first`; of a contact they are equal."""
        half = self.normal * (max(self.distance, 0.0) / 2.0)
        return self.point - half, self.point + half

    @property
    def penetrates(self) -> bool:
        """Whether one is ever deeper in the other than what counts as touching."""
        return self.verdict == Verdict.PENETRATING

    @property
    def status(self) -> str:
        """`started`: in touch in the first frame; `undecided`: not decided; `near`: a near miss; `new`: any other."""
        if self.is_near_miss:
            return NEAR
        if self.started_touching:
            return "started"
        return "new" if self.decided else "undecided"


def curve_parts(curve: Sequence[tuple[float, float]]) -> list[list[tuple[float, float]]]:
    """The connected parts of a curve: in between, the two bodies are far from each other for more than a frame."""
    parts: list[list[tuple[float, float]]] = []
    for point in curve:
        if not parts or point[0] - parts[-1][-1][0] > 1.0 + 1e-6:
            parts.append([])
        parts[-1].append(point)
    return parts


def curve_range(contact: MotionContact, clearance: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """First and last frame of the curve of a contact, and the least and greatest distance that a drawing shows."""
    frames, distances = zip(*contact.curve, strict=True)
    low = min(0.0, *distances)
    high = max(0.0, *distances, clearance if low == 0.0 else 0.0)
    return (min(frames), max(max(frames), min(frames) + 1.0)), (low, high if high > low else low + 1.0)


class Deviation(NamedTuple):
    """How far the true pose of an object strays from the motion that was checked, and where."""

    distance: float = 0.0  # at the object's farthest point, in Blender units
    object: str = ""  # of whom; empty: nothing moves
    frame: float = 0.0


@dataclass(frozen=True)
class MotionReport:
    """The answer to one check of motion.

    Attributes
    ----------
    file, scene : str
    fps : float
        Frames in a second, `render.fps / render.fps_base`.
    start, end : int
        First and last frame, both included.
    scope : str
    units : Units
    bodies : tuple of Body
        Sorted by name: all that could be tested in some frame.
    shapes : tuple of Shape
        Their shapes, each as it is in the first sample in which it appears.
    contacts : tuple of MotionContact
        In the order of their first frames. One for each pair of bodies that touch.
    deforming : tuple of str
        Names of the objects whose shapes change, so that they are taken from samples; sorted.
    deviation_allowed : float
        The greatest that was allowed for any object that moves; 0 if nothing does.
    deviation_left : Deviation
        The greatest that probing between samples found, once all samples were taken. It is above what was allowed
        only where the limit of samples was reached; an issue says so then.
    frames_visited : int
        How many frames and subframes Blender evaluated.
    issues : tuple of Issue
    skipped : tuple of Skipped
        What could be tested in no frame of the range, and why.
    tested : dict of str to int
        How many `bodies`, `moving` bodies, `shapes`, `samples`, and `candidates`: pairs of shapes whose bounds met,
        once for each interval between samples.
    tests : tuple of PairTest
        The named tests. A contact is listed once for each test that finds it.
    rules : tuple of IgnoreRule
        The rules by which contacts are ignored.
    clearance : float
        As in `MotionRequest`.
    near_misses : tuple of MotionContact
        The nearest first. One for each pair of bodies that never touch, but come nearer than the clearance.
    configuration : str
        As in `Report`.
    coverage : Coverage
    animated : bool
        Whether anything in the file is animated or simulated.
    clip : str
        The animation clip that was played; empty: none of a name.
    moving : frozenset of int
        Indices of the bodies that move or deform.
    unmoved : int
        How many contacts and near misses `of_moving` has left out.
    """

    file: str
    scene: str
    fps: float
    start: int
    end: int
    scope: str
    units: Units
    bodies: tuple[Body, ...]
    shapes: tuple[Shape, ...]
    contacts: tuple[MotionContact, ...]
    deforming: tuple[str, ...] = ()
    deviation_allowed: float = 0.0
    deviation_left: Deviation = field(default_factory=Deviation)
    frames_visited: int = 0
    issues: tuple[Issue, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    tested: dict[str, int] = field(default_factory=dict)
    tests: tuple[PairTest, ...] = ()
    rules: tuple[IgnoreRule, ...] = ()
    clearance: float = 0.0
    near_misses: tuple[MotionContact, ...] = ()
    configuration: str = ""
    coverage: Coverage = field(default_factory=Coverage)
    animated: bool = True
    clip: str = ""
    moving: frozenset[int] = frozenset()
    unmoved: int = 0

    def of_moving(self) -> "MotionReport":
        """Leave out contacts and near misses of two bodies that never move: a check of one frame tells of these."""
        contacts, near = (
            tuple(one for one in rows if one.body_a in self.moving or one.body_b in self.moving)
            for rows in (self.contacts, self.near_misses)
        )
        unmoved = len(self.rows) - len(contacts) - len(near)
        return replace(self, contacts=contacts, near_misses=near, unmoved=unmoved)

    @property
    def rows(self) -> tuple[MotionContact, ...]:
        """The contacts, and then the near misses."""
        return (*self.contacts, *self.near_misses)

    def test_of(self, contact: MotionContact) -> PairTest | None:
        """The named test that found a contact; None if there are none."""
        return self.tests[contact.test] if contact.test >= 0 else None

    def fold_of(self, contact: MotionContact) -> Fold | None:
        """The line that a contact is in with others, because of what its bodies are to each other; None: in none."""
        a, b, test = self.bodies[contact.body_a], self.bodies[contact.body_b], self.test_of(contact)
        asked = self.scope in TWO_SIDED or (test is not None and bool(test.b))
        asset = "" if asked or (self._alone and not a.joints & b.joints) else asset_of_pair(a, b)
        if asset:
            return Fold(FoldKind.WITHIN, asset)
        return Fold(FoldKind.STATIC) if a.motion == b.motion == STATIC else None

    @cached_property
    def _alone(self) -> bool:
        return bool(one_asset(self.bodies))

    def folds(self) -> dict[Fold, list[MotionContact]]:
        """The lines that stand for several contacts and near misses, without ignored ones."""
        found: dict[Fold, list[MotionContact]] = {}
        for contact in self.rows:
            fold = self.fold_of(contact) if contact.ignored < 0 else None
            if fold is not None:
                found.setdefault(fold, []).append(contact)
        return found

    def most_folds(self) -> int:
        """How many such lines there may be, whatever is ignored."""
        return len({self.fold_of(contact) for contact in self.rows} - {None})

    def folded_counts(self) -> Counter[str]:
        """How many folded contacts are of each of the `STATUSES`, and how many near misses."""
        return Counter(contact.status for contacts in self.folds().values() for contact in contacts)

    def severity_of(self, contact: MotionContact) -> str:
        """How much a contact matters: error, warning or info."""
        if self.fold_of(contact) is not None:
            return "info"
        test = self.test_of(contact)
        return "error" if test is None else test.severity

    def reason(self, contact: MotionContact) -> str | None:
        """Why the rule that takes a contact ignores it, "" without a reason; None: no rule takes it."""
        return self.rules[contact.ignored].reason if contact.ignored >= 0 else None

    def test_counts(self) -> list[int]:
        """How many contacts and near misses each named test has found."""
        count = Counter(contact.test for contact in self.rows)
        return [count[number] for number in range(len(self.tests))]

    def uses(self) -> list[int]:
        """How many contacts and near misses each of the rules takes."""
        count = Counter(contact.ignored for contact in self.rows)
        return [count[number] for number in range(len(self.rules))]

    def ignored_counts(self) -> Counter[str]:
        """How many ignored contacts are of each of the `STATUSES`, and how many near misses."""
        return Counter(contact.status for contact in self.rows if contact.ignored >= 0)

    def seconds(self, frame: float) -> float:
        """Seconds from the range's first frame to this one."""
        return (frame - self.start) / self.fps

    def pair_name(self, contact: MotionContact) -> str:
        """Return the names of both bodies."""
        return f"{self.bodies[contact.body_a].name} × {self.bodies[contact.body_b].name}"

    def counts(self) -> Counter[str]:
        """How many contacts are of each of the `STATUSES`, and how many near misses there are."""
        return Counter(self._counts)

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(contact.status for contact in self.rows)


class PosedBodies(NamedTuple):
    """The shapes of two bodies where they are at one time.

    Attributes
    ----------
    world : World
        All shapes of the two bodies.
    body : (N,) int64
        Index into `MotionReport.bodies` of each row of the world.
    """

    world: "core.World"
    body: "Ints"


@dataclass(frozen=True, eq=False)
class MotionEvidence:
    """The shapes of the bodies of each contact, as they are when they first touch: for those who draw them.

    Nothing of it refers to Blender's data, so it may be kept for as long as the report.
    """

    posed: Mapping[tuple[int, int], PosedBodies] = field(default_factory=dict)  # by body_a and body_b

    def posed_at(self, contact: MotionContact) -> PosedBodies:
        """The shapes of both bodies at the first contact, and whose each is."""
        return self.posed[contact.body_a, contact.body_b]

    def world_at(self, contact: MotionContact) -> "core.World":
        """The shapes of both bodies at the first contact."""
        return self.posed_at(contact).world

    def rows_of(self, contact: MotionContact, body: int) -> "Ints":
        """Rows of `world_at(contact)` that are shapes of this body."""
        rows: Ints = (self.posed_at(contact).body == body).nonzero()[0]
        return rows
