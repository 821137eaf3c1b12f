# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests and reports of a motion check, for the panel, the command line and files.

Plain data, without Blender. Frames are those of Blender's timeline, with fractions: 12.5 is half-way from frame 12 to
frame 13, with subframe 0.5.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ... import core
from ...core.constants import Verdict
from .folds import STATIC, Fold, FoldKind, asset_of_pair, is_area, one_asset, outer_of_pair
from .report import TWO_SIDED, Body, Coverage, Issue, Shape, Skipped, Units
from .rules import IgnoreRule, PairTest, Pattern

if TYPE_CHECKING:
    from ...core.numerics.types import Floats, Ints


# Statuses of contacts. Part of the contract with scripts.
STATUSES = ("new", "started", "undecided")
# Status of two bodies that never touch, but come nearer than the clearance.
NEAR = "near"
# What can fail a build: the statuses, and any contact that is ever deeper than touching.
PENETRATING = "penetrating"
FAILURES = (*STATUSES, PENETRATING, NEAR)
# Statuses that fail a build by default.
FAULTS = frozenset({"new", "undecided"})


class MotionRequest(NamedTuple):
    """Options of a motion check.

    Attributes
    ----------
    scope : str
        SELECTED, ACTIVE, VISIBLE, CAMERA, ALL, COLLECTION or COLLECTIONS, as for `addon.collisions.check.check`. CAMERA
        means the objects that the camera sees in the current frame when the check begins. Objects that are hidden in
        some frames are not tested in those.
    collection_a, collection_b : str
        Names of the collections for the last two scopes.
    start, end : int
        First and last frame, both included. The motion between frames is checked, too.
    deviation : float, optional
        In Blender units: maximum deviation of the true pose of an object, at its farthest point, from uniform motion
        between two samples before another sample is taken between them. None: a fraction of the size of each object.
    include_operands : bool
        As for `addon.collisions.check.check`.
    clearance : float
        In Blender units: bodies that never touch, but come nearer than this, are near misses. 0: near misses are not
        searched.
    touching : float, optional
        In Blender units: contacts that never get deeper than this only touch. None: the rounding of floating-point
        numbers.
    tests : tuple of PairTest
        Named tests whose contacts the list shows. The search finds all contacts.
    one_thing : tuple of Pattern
        Objects that are one thing, as for `addon.collisions.check.check`.
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
    one_thing: tuple[Pattern, ...] = ()


@dataclass(frozen=True, eq=False)
class Overlap:
    """Two shapes, one of them a concave mesh, placed as where their bodies are deepest in each other.

    Attributes
    ----------
    world : World
    pair : (2,) int64
        Rows of the world.
    depth : float
        Their interference.
    """

    world: "core.World"
    pair: "Ints"
    depth: float

    @cached_property
    def distance(self) -> float:
        """Minus the length of the shortest separating translation. It is measured when it is first asked for."""
        return -max(-float(self.world.distance(self.pair[None]).distance[0]), self.depth)


@dataclass(frozen=True, eq=False)
class MotionContact:
    """Two bodies that touch within the range, with the evidence. Lengths are in Blender units, in world space.

    Also used for near misses: two bodies that never touch, but come nearer than the clearance. Their `verdict` is
    `WITHIN_CLEARANCE`, `distance` is their smallest distance, above 0, and `first`, `last` and `deepest` are the frame
    where it occurs. `point` is midway between the two nearest points, and `normal` points from A to B.

    Attributes
    ----------
    body_a, body_b : int
        Indices into `MotionReport.bodies`.
    first : float
        Frame of the first contact. The first frame of the range if they already touch there.
    last : float
        Last frame of contact within the range. They may have separated in between.
    started_touching : bool
        Whether they already touch or penetrate in the first frame of the range.
    deepest : float
        Frame of the greatest depth.
    depth : float
        Interference in that frame: the greatest depth of a point of one body in the other, at least 0.
    separation : float or Overlap
        The `distance`. It takes longer to measure than the depth if one is a concave mesh. Then it is an `Overlap`, and
        measured when it is first asked for.
    verdict : Verdict
        Verdict for the greatest depth, as in a collision check: `TOUCHING` if no point is ever deeper than the touching
        tolerance, such as for a peg that moves in a fitting hole, otherwise `PENETRATING`.
    point, normal : (3,) float64
        Contact point and unit normal from A to B at the first contact.
    path : (K, 4) float64
        Frame, x, y, z of the contact point in all samples with contact, sorted by frame, including the first and the
        last contact. K is at least 1.
    shape_a, shape_b : int
        Indices into `MotionReport.shapes`: the two shapes that touch first.
    decided : bool
        False: the search stopped at its limit. The two may touch from `first` on, or may only come very near.
    proved_until : float
        Frame before which the motion between samples is proved free of contact. If neither body deforms, it is `first`.
        For deforming bodies, nothing is proved between samples, and it is the last sample before `first` in which they
        are apart.
    unbroken : bool
        Whether they touch in all samples.
    shallowest : float
        Smallest depth of the samples in which they touch, at least 0.
    per_frame : bool
        Whether one of the two deforms or changes its scale, so that its shapes are only known in samples (frames and
        subframes), and not in between.
    touching : float
        Touching tolerance where the greatest depth was found.
    test : int
        Index into `MotionReport.tests`: the test that found it. -1: there are no named tests.
    ignored : int
        Index into `MotionReport.rules`: the rule that ignores it. -1: none.
    curve : tuple of (float, float)
        Frame and distance in all samples in which the bounds of the two, enlarged by the clearance, overlap, sorted by
        frame. If they penetrate, the distance is minus the depth.
    """

    body_a: int
    body_b: int
    first: float
    last: float
    started_touching: bool
    deepest: float
    depth: float
    separation: float | Overlap
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
    def distance(self) -> float:
        """Minus the penetration depth where they are deepest, at most 0. For a near miss, the smallest distance.

        The penetration depth is the length of the shortest separating translation.
        """
        return self.separation.distance if isinstance(self.separation, Overlap) else self.separation

    @property
    def is_near_miss(self) -> bool:
        """Whether the two never touch."""
        return self.verdict == Verdict.WITHIN_CLEARANCE

    @property
    def nearest_points(self) -> tuple["Floats", "Floats"]:
        """The nearest points of A and of B at `first`. They are equal for a contact."""
        half = self.normal * (max(self.distance, 0.0) / 2.0)
        return self.point - half, self.point + half

    @property
    def penetrates(self) -> bool:
        """Whether the two are ever deeper than the touching tolerance."""
        return self.verdict == Verdict.PENETRATING

    @property
    def status(self) -> str:
        """`started`: touching in the first frame; `undecided`: not decided; `near`: a near miss; `new`: any other."""
        if self.is_near_miss:
            return NEAR
        if self.started_touching:
            return "started"
        return "new" if self.decided else "undecided"


def curve_parts(curve: Sequence[tuple[float, float]]) -> list[list[tuple[float, float]]]:
    """Return the connected parts of a curve. In between, the two bodies are far apart for more than a frame."""
    parts: list[list[tuple[float, float]]] = []
    for point in curve:
        if not parts or point[0] - parts[-1][-1][0] > 1.0 + 1e-6:
            parts.append([])
        parts[-1].append(point)
    return parts


def curve_range(contact: MotionContact, clearance: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return first and last frame of the curve of a contact, and the range of distances to be shown."""
    frames, distances = zip(*contact.curve, strict=True)
    low = min(0.0, *distances)
    high = max(0.0, *distances, clearance if low == 0.0 else 0.0)
    return (min(frames), max(max(frames), min(frames) + 1.0)), (low, high if high > low else low + 1.0)


class Deviation(NamedTuple):
    """Greatest deviation of the true pose of an object from the checked motion, and where it occurs."""

    distance: float = 0.0  # at the farthest point of the object, in Blender units
    object: str = ""  # name of the object; empty: nothing moves
    frame: float = 0.0


@dataclass(frozen=True)
class MotionReport:
    """Result of a motion check.

    Attributes
    ----------
    file, scene : str
    fps : float
        Frames per second, `render.fps / render.fps_base`.
    start, end : int
        First and last frame, both included.
    scope : str
    units : Units
    bodies : tuple of Body
        All bodies that could be tested in some frame, sorted by name.
    shapes : tuple of Shape
        Their shapes, each as in the first sample in which it appears.
    contacts : tuple of MotionContact
        Sorted by first frame. One for each pair of bodies that touch.
    deforming : tuple of str
        Names of deforming objects, whose shapes are only known in samples, sorted.
    deviation_allowed : float
        Greatest deviation allowed for any moving object. 0 if nothing moves.
    deviation_left : Deviation
        Greatest deviation found between the final samples. It exceeds the allowed one only if the limit of samples was
        reached, and an issue reports that.
    frames_visited : int
        Number of frames and subframes that Blender evaluated.
    issues : tuple of Issue
    skipped : tuple of Skipped
        Objects that could be tested in no frame of the range, and why.
    tested : dict of str to int
        Numbers of `bodies`, `moving` bodies, `shapes`, `samples`, and `candidates`: pairs of shapes whose bounds
        overlapped, counted once for each interval between samples.
    tests : tuple of PairTest
        The named tests. A contact is listed once for each test that finds it.
    rules : tuple of IgnoreRule
        Rules for ignoring contacts.
    clearance : float
        As in `MotionRequest`.
    near_misses : tuple of MotionContact
        Nearest first. One for each pair of bodies that never touch, but come nearer than the clearance.
    configuration : str
        As in `Report`.
    coverage : Coverage
    animated : bool
        Whether anything in the file is animated or simulated.
    clip : str
        Animation clip that was played. Empty: no named clip.
    moving : frozenset of int
        Indices of bodies that move or deform.
    unmoved : int
        Number of contacts and near misses that `of_moving` has left out.
    surroundings : tuple of str
        As in `Report`, in the first frame.
    joined : mapping of (int, int) to str
        Pairs of bodies that are parts of one thing, the lesser first, with its name: of declared things, and those that
        are joined in the first frame and never apart.
    evidence : bool
        Whether files tell how far concave meshes have to move to be separated, which takes longer to measure.
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
    surroundings: tuple[str, ...] = ()
    joined: Mapping[tuple[int, int], str] = field(default_factory=dict)
    evidence: bool = True

    def of_moving(self) -> "MotionReport":
        """Leave out contacts and near misses of two bodies that never move. A collision check reports these."""
        contacts, near = (
            tuple(one for one in rows if one.body_a in self.moving or one.body_b in self.moving)
            for rows in (self.contacts, self.near_misses)
        )
        unmoved = len(self.rows) - len(contacts) - len(near)
        return replace(self, contacts=contacts, near_misses=near, unmoved=unmoved)

    def told_distance(self, contact: MotionContact) -> float | None:
        """Return the `distance` of a contact that files tell. None if it is measured only with evidence."""
        return contact.distance if self.evidence or not isinstance(contact.separation, Overlap) else None

    @property
    def rows(self) -> tuple[MotionContact, ...]:
        """Return the contacts, and then the near misses."""
        return (*self.contacts, *self.near_misses)

    def test_of(self, contact: MotionContact) -> PairTest | None:
        """Return the named test that found a contact. None if there are none."""
        return self.tests[contact.test] if contact.test >= 0 else None

    def fold_of(self, contact: MotionContact) -> Fold | None:
        """Return the folded line that a contact belongs to. None if it is not folded."""
        a, b, test = self.bodies[contact.body_a], self.bodies[contact.body_b], self.test_of(contact)
        asked = self.scope in TWO_SIDED or (test is not None and bool(test.b))
        held = a.joints & b.joints or (a.assembly and a.assembly == b.assembly)
        asset = "" if asked or (self._alone and not held) else asset_of_pair(a, b)
        asset = asset if asked else self.joined.get((contact.body_a, contact.body_b), asset)
        if asset:
            return Fold(FoldKind.WITHIN, asset)
        # A body that is inside from the first frame on, and never leaves.
        inside = contact.started_touching and contact.unbroken and not asked
        if inside and (outer := outer_of_pair(a, b, self.surroundings)):
            return Fold(FoldKind.SURROUNDINGS, outer)
        area = "" if asked else next((one.name for one in (a, b) if is_area(one)), "")
        if area:
            return Fold(FoldKind.AREA, area)
        return Fold(FoldKind.STATIC) if a.motion == b.motion == STATIC else None

    @cached_property
    def _alone(self) -> bool:
        return bool(one_asset(self.bodies))

    def thing_of(self, contact: MotionContact) -> str:
        """Return the asset or the thing that both bodies of a contact are parts of. Empty if there is none."""
        ends = contact.body_a, contact.body_b
        return self.joined.get(ends) or asset_of_pair(self.bodies[ends[0]], self.bodies[ends[1]])

    def folds(self) -> dict[Fold, list[MotionContact]]:
        """Return the folded lines of contacts and near misses, without ignored ones."""
        found: dict[Fold, list[MotionContact]] = {}
        for contact in self.rows:
            fold = self.fold_of(contact) if contact.ignored < 0 else None
            if fold is not None:
                found.setdefault(fold, []).append(contact)
        return found

    def most_folds(self) -> int:
        """Return the maximum number of folded lines, whatever is ignored."""
        return len({self.fold_of(contact) for contact in self.rows} - {None})

    def folded_counts(self) -> Counter[str]:
        """Return the number of folded contacts for each of the `STATUSES`, and of folded near misses."""
        return Counter(contact.status for contacts in self.folds().values() for contact in contacts)

    def severity_of(self, contact: MotionContact) -> str:
        """Return the severity of a contact: error, warning or info."""
        if self.fold_of(contact) is not None:
            return "info"
        test = self.test_of(contact)
        return "error" if test is None else test.severity

    def reason(self, contact: MotionContact) -> str | None:
        """Return the reason of the rule that matches a contact, "" without a reason. None if no rule matches."""
        return self.rules[contact.ignored].reason if contact.ignored >= 0 else None

    def test_counts(self) -> list[int]:
        """Return the number of contacts and near misses that each named test has found."""
        count = Counter(contact.test for contact in self.rows)
        return [count[number] for number in range(len(self.tests))]

    def uses(self) -> list[int]:
        """Return the number of contacts and near misses that match each rule."""
        count = Counter(contact.ignored for contact in self.rows)
        return [count[number] for number in range(len(self.rules))]

    def ignored_counts(self) -> Counter[str]:
        """Return the number of ignored contacts for each of the `STATUSES`, and of ignored near misses."""
        return Counter(contact.status for contact in self.rows if contact.ignored >= 0)

    def seconds(self, frame: float) -> float:
        """Return the seconds from the first frame of the range to this one."""
        return (frame - self.start) / self.fps

    def pair_name(self, contact: MotionContact) -> str:
        """Return the names of both bodies."""
        return f"{self.bodies[contact.body_a].name} × {self.bodies[contact.body_b].name}"

    def counts(self) -> Counter[str]:
        """Return the number of contacts for each of the `STATUSES`, and of near misses."""
        return Counter(self._counts)

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(contact.status for contact in self.rows)


class PosedBodies(NamedTuple):
    """Shapes of two bodies, placed as at one time.

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
    """Shapes of the bodies of each contact, placed as at the first contact, for drawing.

    They do not refer to Blender data, so they can be kept as long as the report.
    """

    posed: Mapping[tuple[int, int], PosedBodies] = field(default_factory=dict)  # by body_a and body_b

    def posed_at(self, contact: MotionContact) -> PosedBodies:
        """Return the shapes of both bodies at the first contact, and the body of each."""
        return self.posed[contact.body_a, contact.body_b]

    def world_at(self, contact: MotionContact) -> "core.World":
        """Return the shapes of both bodies at the first contact."""
        return self.posed_at(contact).world

    def rows_of(self, contact: MotionContact, body: int) -> "Ints":
        """Return the rows of `world_at(contact)` that are shapes of this body."""
        rows: Ints = (self.posed_at(contact).body == body).nonzero()[0]
        return rows
