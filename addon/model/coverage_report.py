# SPDX-License-Identifier: GPL-3.0-or-later
"""How far colliders are from what is seen: what is asked, and what was found. Plain data, no Blender in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from .report import Coverage, Issue, Skipped, Units

Point = tuple[float, float, float]


class Thresholds(NamedTuple):
    """The greatest distances that are no issue; None: none is one."""

    outside: float | None = None
    inside: float | None = None


NO_THRESHOLDS = Thresholds()


class Area(NamedTuple):
    """How much of a surface is farther away than a threshold, in Blender units squared; see `core.SurfaceArea`.

    Attributes
    ----------
    area, least, most : float
        The area, and what it is at least and at most.
    share : float
        Of the whole surface, from 0 to 1.
    """

    area: float
    least: float
    most: float
    share: float


class CoverageRequest(NamedTuple):
    """The options of a comparison of colliders with visible surfaces; lengths in Blender units.

    Attributes
    ----------
    scope, collection : str
        As `scene.scope.scope_objects` takes them.
    thresholds : Thresholds
    by_collection : mapping of str to Thresholds
        Others for objects of collections with these names.
    tolerance : float, optional
        Of the distances. None: a thousandth of the diagonal of each object.
    required : bool
        Whether visible objects without a collider are issues.
    include_hidden : bool
        Whether hidden render meshes count as seen.
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
        The names of the objects that it is tested as; its own, if it has a shape of its own.
    outside, inside : float
        How far the colliders stick out of it, and how far it is outside of them.
    outside_bound, inside_bound : float
        What these are at most.
    outside_point, inside_point : (x, y, z), optional
        Where; None if the distance is 0.
    outside_collider : str
        The collider that sticks out; empty if none does.
    thresholds : Thresholds
    collider_uids : tuple of int
    outside_area, inside_area : Area, optional
        How much of the surface of the colliders sticks out by more than its threshold, and how much of what is seen is
        missed by more; None without a threshold.
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
        """Whether the colliders stick out by more than allowed."""
        return self.thresholds.outside is not None and self.outside > self.thresholds.outside

    @property
    def misses(self) -> bool:
        """Whether what is seen is outside of the colliders by more than allowed."""
        return self.thresholds.inside is not None and self.inside > self.thresholds.inside

    @property
    def failing(self) -> tuple[str, ...]:
        """The ids of what is wrong."""
        found = (("collider-sticks-out", self.sticks_out), ("collider-misses", self.misses))
        return tuple(name for name, wrong in found if wrong)


@dataclass(frozen=True)
class CoverageReport:
    """The answer to a comparison of colliders with what is seen.

    Attributes
    ----------
    file, scene, scope, collection : str
    units : Units
    thresholds : Thresholds
        Those that hold where no collection has others.
    objects : tuple of CoveredObject
        The worst first.
    without_collider : tuple of str
        Names of visible objects without a collider.
    without_uids : tuple of int
        The `session_uid` of each.
    required : bool
        Whether these are issues.
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
        """The objects of which something is wrong."""
        return tuple(one for one in self.objects if one.failing)

    @property
    def fails(self) -> bool:
        """Whether anything is wrong."""
        return bool(self.failing) or (self.required and bool(self.without_collider))
