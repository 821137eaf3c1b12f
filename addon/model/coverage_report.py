# SPDX-License-Identifier: GPL-3.0-or-later
"""Request and report for the distances between colliders and render meshes. Plain data, without Blender."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

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
    """

    scope: str = "ALL"
    collection: str = ""
    thresholds: Thresholds = NO_THRESHOLDS
    by_collection: Mapping[str, Thresholds] = {}
    tolerance: float | None = None
    required: bool = False
    include_hidden: bool = False


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

    @property
    def sticks_out(self) -> bool:
        """Whether the colliders protrude by more than allowed."""
        return self.thresholds.outside is not None and self.outside > self.thresholds.outside

    @property
    def misses(self) -> bool:
        """Whether the visible surface is farther from the colliders than allowed."""
        return self.thresholds.inside is not None and self.inside > self.thresholds.inside

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
    issues, skipped : tuple of Issue, tuple of Skipped
    coverage : Coverage
    configuration : str
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

    @property
    def failing(self) -> tuple[CoveredObject, ...]:
        """The objects with issues."""
        return tuple(one for one in self.objects if one.failing)

    @property
    def fails(self) -> bool:
        """Whether there is any issue."""
        return bool(self.failing) or (self.required and bool(self.without_collider))
