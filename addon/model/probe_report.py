# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests for a probe and its reports, for the panel, the command line and files. No Blender in it."""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from ..system.late import np
from .report import Coverage, Issue, Skipped, Units

if TYPE_CHECKING:
    from ...core.numerics.types import Floats

# All kinds of findings, in the order of reports, and how one and several of them are called.
KINDS = {
    "fall": ("fall", "falls"),
    "stuck": ("place without a way back", "places without a way back"),
    "snag": ("snag", "snags"),
    "squeeze": ("narrow passage", "narrow passages"),
    "step": ("high step", "high steps"),
    "slope": ("steep slope", "steep slopes"),
    "unreachable": ("unreachable floor", "unreachable floors"),
}
# Bytes of an id; see `pair_ids`.
_BYTES = 8
# How far a way is drawn above the floor, as a share of the radius of the character.
_LIFT = 0.25


class CharacterPreset(NamedTuple):
    """The character controller of an engine as it is by default, in meters and degrees."""

    title: str
    radius: float
    height: float
    step: float
    slope: float


# From their documentation: docs/probe.md names the pages.
CHARACTERS = {
    "unreal": CharacterPreset("Unreal Engine 5.4 (Character)", 0.34, 1.76, 0.45, 44.765),
    "unity": CharacterPreset("Unity 6 (Character Controller)", 0.5, 2.0, 0.3, 45.0),
    "godot": CharacterPreset("Godot 4.3 (CharacterBody3D)", 0.5, 2.0, 0.0, 45.0),
    # A hull of 32 x 32 x 72 units and steps of 18, at 0.01905 m for a unit; the least height of a normal is 0.7.
    "source": CharacterPreset("Source (Half-Life 2, player)", 0.3048, 1.3716, 0.3429, 45.573),
}


class ProbeRequest(NamedTuple):
    """The options of a probe. Lengths in Blender units, angles in degrees.

    Attributes
    ----------
    scope, collection : str
        As `scene.scope.scope_objects` takes them.
    starts : tuple of str
        The names of empties or objects. Empty: those whose names begin with "start" or "spawn".
    radius, height, step, slope, drop, spacing : float
        See `core.Character` and `core.probe`.
    ball : bool
        A ball of this radius rolls; its height and step are not asked for.
    margin : float, optional
        None: an eighth of the radius.
    """

    scope: str = "ALL"
    collection: str = ""
    starts: tuple[str, ...] = ()
    radius: float = 0.4
    height: float = 1.8
    step: float = 0.35
    slope: float = 45.0
    drop: float = 2.0
    spacing: float = 0.25
    ball: bool = False
    margin: float | None = None


@dataclass(frozen=True, eq=False)
class ProbeFinding:
    """A place at which something is wrong. Lengths in Blender units, world coordinates.

    Attributes
    ----------
    id : str
        The same in each run and on each computer, as long as the objects keep their names.
    kind : str
        One of `KINDS`.
    point, before, after, contact : tuple of three floats
        See `core.Finding`.
    objects : tuple of str
        The names of the colliders beside it, sorted.
    measure, deep, area : float
        See `core.Finding`.
    pose : int
        The pose that it was met from.
    path : tuple of points
        The way from a start, in the order of the walk.
    ground : Ground, optional
        Of a place without a way back, and of a floor that is not reached: the floor.
    uids : tuple of int
        The `session_uid` of what is selected to show each of the objects.
    accepted : bool
        It was accepted, and is no fault.
    new : bool, optional
        Whether an earlier report does not have it; None: there is none.
    """

    id: str
    kind: str
    point: tuple[float, float, float]
    before: tuple[float, float, float]
    after: tuple[float, float, float]
    contact: tuple[float, float, float]
    objects: tuple[str, ...]
    measure: float
    deep: float
    area: float
    pose: int
    path: tuple[tuple[float, float, float], ...]
    ground: "Ground | None" = None
    uids: tuple[int, ...] = ()
    accepted: bool = False
    new: bool | None = None

    @property
    def open(self) -> bool:
        """Whether it is neither accepted nor known from an earlier report."""
        return not self.accepted and self.new is not False


@dataclass(frozen=True, eq=False)
class ProbeReport:
    """The answer to a probe.

    Attributes
    ----------
    request : ProbeRequest
        With the starts that were used, and the height and the step of a ball.
    reached_area : float
        In square Blender units.
    undetected_below : float
        No gap that is wider was missed.
    poses : int
        How many poses were reached.
    found : tuple of ProbeFinding
        In the order of `KINDS`.
    reached : Ground
        What was reached.
    starts : (S, 3) float64
        The poses at which the character begins: the lowest point of the capsule.
    uids : frozenset of int
        The `session_uid` of each object that it depends on.
    issues : tuple of Issue
        What there is to say about single objects.
    bodies : int
        How many bodies the character met or could have met.
    """

    file: str
    scene: str
    units: Units
    request: ProbeRequest
    reached_area: float
    undetected_below: float
    poses: int
    bodies: int
    found: tuple[ProbeFinding, ...]
    reached: "Ground"
    starts: "Floats" = field(default_factory=lambda: np.empty((0, 3)))
    uids: frozenset[int] = frozenset()
    issues: tuple[Issue, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    coverage: Coverage = field(default_factory=Coverage)

    @property
    def fails(self) -> bool:
        """Whether there is a finding that is neither accepted nor known."""
        return any(one.open for one in self.found)

    def way(self, one: ProbeFinding) -> "Floats":
        """The way from a start to a finding, (K, 3), a little above the floor, so that it can be seen."""
        result: Floats = np.array(one.path) - _LIFT * self.request.radius * self.reached.gravity
        return result

    def counts(self) -> dict[str, int]:
        """How many findings there are of each kind, those that are accepted or known left out."""
        counted = Counter(one.kind for one in self.found if one.open)
        return {kind: counted[kind] for kind in KINDS}

    def marked(self, accepted: Collection[str], known: Sequence[str] | None) -> "ProbeReport":
        """The report with these ids accepted, too, and compared with the ids of an earlier report."""
        found = tuple(
            replace(
                one, accepted=one.accepted or one.id in accepted, new=None if known is None else one.id not in known
            )
            for one in self.found
        )
        return replace(self, found=found)


@dataclass(frozen=True, eq=False)
class Ground:
    """A floor, to be drawn: a place below the axis of the character for each column of the grid that is on it.

    Attributes
    ----------
    places : (N, 3) float64
    normal : (N, 3) float64
        Of the surface there.
    spacing : float
        The side of the square of a column.
    gravity : (3,) float64
        Of unit length.
    """

    places: "Floats"
    normal: "Floats"
    spacing: float
    gravity: "Floats"


def path_name(one: ProbeFinding) -> str:
    """The name of an object that shows the way to a finding."""
    return f"Path to {KINDS[one.kind][0]}"


def finding_ids(found: Sequence[tuple[str, tuple[str, ...], tuple[float, ...]]]) -> list[str]:
    """The id of each finding, given its kind, its objects and its point.

    It is made of the kind and the objects. Those that are alike are numbered in the order of their places.
    """
    seen: Counter[str] = Counter()
    result = [""] * len(found)
    for row in sorted(range(len(found)), key=lambda row: tuple(round(one, 1) for one in found[row][2])):
        kind, objects, _ = found[row]
        text = json.dumps([kind, sorted(objects)])
        seen[text] += 1
        numbered = text + (str(seen[text]) if seen[text] > 1 else "")
        result[row] = hashlib.blake2s(numbered.encode("ascii"), digest_size=_BYTES).hexdigest()
    return result
