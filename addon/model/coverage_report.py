# SPDX-License-Identifier: GPL-3.0-or-later
"""Request and report for the distances between colliders and render meshes. Plain data, without Blender."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from .probe_report import ProbeRequest
from .report import Coverage, Issue, Skipped, Units

Point = tuple[float, float, float]


class Thresholds(NamedTuple):
    """Largest allowed distances. None: no limit."""

    outside: float | None = None
    inside: float | None = None


NO_THRESHOLDS = Thresholds()


class Area(NamedTuple):
    """Area of a surface that is farther away than a threshold, in square Blender units; see `core.SurfaceArea`.

    Attributes
    ----------
    area, least, most : float
        The area, with lower and upper bound.
    share : float
        Fraction of the whole surface, from 0 to 1.
    """

    area: float
    least: float
    most: float
    share: float


class Walked(NamedTuple):
    """The walk after which only what the character came near counts.

    Attributes
    ----------
    request : ProbeRequest
        With the starts that were used.
    reach : float
        What was no farther from the character than this, counts.
    reached_area : float
        Of the floor, in square Blender units.
    """

    request: ProbeRequest
    reach: float
    reached_area: float


class CoverageRequest(NamedTuple):
    """Options of a comparison of colliders with visible surfaces. Lengths are in Blender units.

    Attributes
    ----------
    scope, collection : str
        As for `scene.scope.scope_objects`.
    thresholds : Thresholds
    by_collection : mapping of str to Thresholds
        Thresholds for objects in the collections with these names.
    tolerance : float, optional
        Accuracy of the distances. None: a thousandth of the diagonal of each object.
    required : bool
        Whether visible objects without colliders are issues.
    include_hidden : bool
        Whether hidden render meshes count as visible.
    walk : ProbeRequest, optional
        Only what this character comes near counts. None: everything does.
    reach : float, optional
        How near. None: as `reach_of` says.
    """

    scope: str = "ALL"
    collection: str = ""
    thresholds: Thresholds = NO_THRESHOLDS
    by_collection: Mapping[str, Thresholds] = {}
    tolerance: float | None = None
    required: bool = False
    include_hidden: bool = False
    walk: ProbeRequest | None = None
    reach: float | None = None


# The usual reach, in spacings of the grid: next to a wall, a character may get a whole diagonal nearer than its poses.
_USUAL_REACH = 1.5


def reach_of(request: CoverageRequest) -> float:
    """Return how near a surface must be to a pose of the character to count: as given, or one and a half spacings."""
    if request.reach is not None:
        return request.reach
    return _USUAL_REACH * (request.walk or ProbeRequest()).spacing


@dataclass(frozen=True)
class CoveredObject:
    """A visible object and its colliders.

    Attributes
    ----------
    name : str
    uid : int
        Its `session_uid`.
    colliders : tuple of str
        Names of its colliders. Its own name if it has its own collision shape.
    outside, inside : float
        How far the colliders protrude from it, and how far it protrudes from them.
    outside_bound, inside_bound : float
        Upper bounds of these distances.
    outside_point, inside_point : (x, y, z), optional
        Where they occur. None if the distance is 0.
    outside_collider : str
        The protruding collider. Empty if there is none.
    thresholds : Thresholds
    collider_uids : tuple of int
    outside_area, inside_area : Area, optional
        Area of the colliders that protrudes by more than the threshold, and area of the visible surface that is farther
        from the colliders than the threshold. None without a threshold.
    is_surface : bool
        Whether what is visible has no inside, such as a floor of one face. Colliders protrude on both of its sides.
    """

    name: str
    uid: int
    colliders: tuple[str, ...]
    outside: float
    inside: float
    outside_bound: float
    inside_bound: float
    outside_point: Point | None
    inside_point: Point | None
    outside_collider: str
    thresholds: Thresholds
    collider_uids: tuple[int, ...] = ()
    outside_area: Area | None = None
    inside_area: Area | None = None
    is_surface: bool = False

    @property
    def sticks_out(self) -> bool:
        """Whether the colliders protrude by more than allowed."""
        return self.thresholds.outside is not None and self.outside > self.thresholds.outside

    @property
    def misses(self) -> bool:
        """Whether the visible surface is farther from the colliders than allowed."""
        return self.thresholds.inside is not None and self.inside > self.thresholds.inside

    @property
    def one_gap(self) -> bool:
        """Whether both distances are those of one place, such as a dent in the collider of a floor.

        This can be so of a surface without an inside, if the points are nearer to each other than both distances
        together.
        """
        if not self.is_surface or self.outside_point is None or self.inside_point is None:
            return False
        return math.dist(self.outside_point, self.inside_point) <= self.outside + self.inside

    @property
    def failing(self) -> tuple[str, ...]:
        """Ids of its issues."""
        found = (("collider-sticks-out", self.sticks_out), ("collider-misses", self.misses))
        return tuple(name for name, wrong in found if wrong)


@dataclass(frozen=True)
class CoverageReport:
    """Result of a comparison of colliders with visible surfaces.

    Attributes
    ----------
    file, scene, scope, collection : str
    units : Units
    thresholds : Thresholds
        Thresholds for objects without thresholds of a collection.
    objects : tuple of CoveredObject
        Worst first.
    without_collider : tuple of str
        Names of visible objects without a collider.
    without_uids : tuple of int
        The `session_uid` of each.
    required : bool
        Whether missing colliders are issues.
    walked : Walked, optional
        The walk that limits what counts. None: everything does.
    out_of_reach : tuple of str
        Names of objects that the character does not come near. They are not compared.
    issues, skipped : tuple of Issue, tuple of Skipped
    coverage : Coverage
    configuration : str
    walked_uids : frozenset of int
        The `session_uid` of each object that the walk, and with it what is out of reach, depends on.
    """

    file: str
    scene: str
    scope: str
    units: Units
    thresholds: Thresholds
    objects: tuple[CoveredObject, ...]
    without_collider: tuple[str, ...]
    required: bool = False
    issues: tuple[Issue, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    coverage: Coverage = field(default_factory=Coverage)
    configuration: str = ""
    collection: str = ""
    without_uids: tuple[int, ...] = ()
    walked: Walked | None = None
    out_of_reach: tuple[str, ...] = ()
    walked_uids: frozenset[int] = frozenset()

    @property
    def failing(self) -> tuple[CoveredObject, ...]:
        """The objects with issues."""
        return tuple(one for one in self.objects if one.failing)

    @property
    def fails(self) -> bool:
        """Whether there is any issue."""
        return bool(self.failing) or (self.required and bool(self.without_collider))
