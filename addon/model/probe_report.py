# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests and reports of a probe, for the panel, the command line and files. Does not need Blender."""

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
    from ...core.walking.probe import Probe

# Kinds of issues in the order of reports, with singular and plural names.
KINDS = {
    "fall": ("fall", "falls"),
    "stuck": ("place without a way back", "places without a way back"),
    "snag": ("snag", "snags"),
    "squeeze": ("narrow passage", "narrow passages"),
    "step": ("high step", "high steps"),
    "slope": ("steep slope", "steep slopes"),
    "unreachable": ("unreachable floor", "unreachable floors"),
}
# Their names in the interface.
KIND_NAMES = {
    "fall": "Fall",
    "stuck": "No Way Back",
    "snag": "Snag",
    "squeeze": "Narrow Passage",
    "step": "High Step",
    "slope": "Steep Slope",
    "unreachable": "Unreachable Floor",
}
# Bytes of an id; see `pair_ids`.
_BYTES = 8
# Height of a drawn path above the floor, as a fraction of the character's radius.
_LIFT = 0.25


class CharacterPreset(NamedTuple):
    """Default character controller of an engine, in meters and degrees."""

    title: str
    radius: float
    height: float
    step: float
    slope: float


# From their documentation; docs/probe.md names the pages.
CHARACTERS = {
    "unreal": CharacterPreset("Unreal Engine 5.4 (Character)", 0.34, 1.76, 0.45, 44.765),
    "unity": CharacterPreset("Unity 6 (Character Controller)", 0.5, 2.0, 0.3, 45.0),
    "godot": CharacterPreset("Godot 4.3 (CharacterBody3D)", 0.5, 2.0, 0.0, 45.0),
    # A hull of 32 x 32 x 72 units and steps of 18, with 0.01905 m per unit. The smallest vertical normal component is
    # 0.7.
    "source": CharacterPreset("Source (Half-Life 2, player)", 0.3048, 1.3716, 0.3429, 45.573),
}


class ProbeRequest(NamedTuple):
    """Options of a probe. Lengths are in Blender units, angles in degrees.

    Attributes
    ----------
    scope, collection : str
        As for `scene.scope.scope_objects`.
    starts : tuple of str
        Names of empties or objects. Empty: objects whose names begin with "start" or "spawn".
    radius, height, step, slope, drop, spacing : float
        See `core.Character` and `core.probe`.
    ball : bool
        Roll a ball of this radius. Its height and step are not used.
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
class ProbeIssue:
    """A place with a problem. Lengths are in Blender units, in world space.

    Attributes
    ----------
    id : str
        The same in each run and on each computer, as long as the objects keep their names.
    kind : str
        One of `KINDS`.
    point, before, after, contact : tuple of three floats
        See `core.Finding`.
    objects : tuple of str
        Names of the adjacent colliders, sorted.
    measure, deep, area : float
        See `core.Finding`.
    pose : int
        Pose from which it was found.
    path : tuple of points
        Path from a start, in walking order.
    ground : Ground, optional
        The floor, for a place without return, or a floor that is not reached.
    uids : tuple of int
        The `session_uid` of the objects to select, to show each of the objects.
    accepted : bool
        Whether it was accepted and is not a fault.
    new : bool, optional
        Whether an earlier report does not contain it. None: there is no earlier report.
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
        """Whether it is neither accepted nor in an earlier report."""
        return not self.accepted and self.new is not False


@dataclass(frozen=True, eq=False)
class ProbeReport:
    """Result of a probe.

    Attributes
    ----------
    request : ProbeRequest
        With the starts that were used, and the height and the step of a ball.
    reached_area : float
        In square Blender units.
    undetected_below : float
        No gap that is wider was missed.
    poses : int
        Number of poses that were reached.
    found : tuple of ProbeIssue
        In the order of `KINDS`.
    reached : Ground
        The floor that was reached.
    starts : (S, 3) float64
        Poses at which the character begins: the lowest point of the capsule.
    uids : frozenset of int
        The `session_uid` of each object that the result depends on.
    issues : tuple of Issue
        Issues of single objects.
    bodies : int
        Number of bodies that the character touched or could have touched.
    walk : core.Probe, optional
        All poses. None: there is nothing to walk on.
    """

    file: str
    scene: str
    units: Units
    request: ProbeRequest
    reached_area: float
    undetected_below: float
    poses: int
    bodies: int
    found: tuple[ProbeIssue, ...]
    reached: "Ground"
    starts: "Floats" = field(default_factory=lambda: np.empty((0, 3)))
    uids: frozenset[int] = frozenset()
    issues: tuple[Issue, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    coverage: Coverage = field(default_factory=Coverage)
    walk: "Probe | None" = None

    @property
    def fails(self) -> bool:
        """Return whether there is an issue that is neither accepted nor known."""
        return any(one.open for one in self.found)

    def way(self, one: ProbeIssue) -> "Floats":
        """Return the path from a start to an issue, (K, 3), slightly above the floor to be visible."""
        result: Floats = np.array(one.path) - _LIFT * self.request.radius * self.reached.gravity
        return result

    def counts(self) -> dict[str, int]:
        """Return the number of issues of each kind, without accepted and known ones."""
        counted = Counter(one.kind for one in self.found if one.open)
        return {kind: counted[kind] for kind in KINDS}

    def marked(self, accepted: Collection[str], known: Sequence[str] | None) -> "ProbeReport":
        """Return the report with these ids accepted, and compared with the ids of an earlier report."""
        found = tuple(
            replace(
                one, accepted=one.accepted or one.id in accepted, new=None if known is None else one.id not in known
            )
            for one in self.found
        )
        return replace(self, found=found)


@dataclass(frozen=True, eq=False)
class Ground:
    """A floor to be drawn: a point below the axis of the character for each column of the grid.

    Attributes
    ----------
    places : (N, 3) float64
    normal : (N, 3) float64
        Surface normal at the point.
    spacing : float
        Side of the square of a column.
    gravity : (3,) float64
        Unit vector.
    """

    places: "Floats"
    normal: "Floats"
    spacing: float
    gravity: "Floats"


def path_name(one: ProbeIssue) -> str:
    """Return the name of an object that shows the path to an issue."""
    return f"Path to {KINDS[one.kind][0]}"


def issue_ids(found: Sequence[tuple[str, tuple[str, ...], tuple[float, ...]]]) -> list[str]:
    """Return the id of each issue, from its kind, objects and point.

    It depends on the kind and the objects. Equal ones are numbered in the order of their places.
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
