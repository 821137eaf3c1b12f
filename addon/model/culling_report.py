# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests for culling and their reports, for the panel, the command line and files. No Blender in it."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from .report import Coverage, Issue, Skipped


class CullRequest(NamedTuple):
    """The options of a culling.

    Attributes
    ----------
    scope : str
        As `scene.scope.scope_objects` takes it, without a second set.
    exact : bool
        False: an object beside an edge or a corner of the view may count as crossing.
    frames : (first, last), optional
        Both included. None: the current frame.
    camera : str
        Name of the camera; empty: the one that is active in each frame.
    """

    scope: str = "VISIBLE"
    exact: bool = True
    frames: tuple[int, int] | None = None
    camera: str = ""


@dataclass(frozen=True)
class CulledObject:
    """How an object stands to the camera's view."""

    name: str
    uid: int  # its `session_uid`
    verdict: int  # -1: outside in every frame; 1: inside in every frame; 0: anything else
    frames_seen: int  # in how many frames it is not outside


@dataclass(frozen=True)
class CullReport:
    """The answer to one culling."""

    file: str
    scene: str
    cameras: tuple[str, ...]  # those that are active in some frame, in the order in which they become so
    first_frame: int
    last_frame: int
    exact: bool
    objects: tuple[CulledObject, ...]  # sorted by name
    issues: tuple[Issue, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    coverage: Coverage = field(default_factory=Coverage)

    @property
    def frames(self) -> int:
        """The number of frames that were looked at."""
        return self.last_frame - self.first_frame + 1

    def sightings(self) -> tuple[int, int, int]:
        """The numbers of objects that are seen in every frame, in some frames, and never."""
        always = sum(entry.frames_seen == self.frames for entry in self.objects)
        never = sum(entry.frames_seen == 0 for entry in self.objects)
        return always, len(self.objects) - always - never, never

    def counts(self) -> Counter[int]:
        """How many objects got each verdict."""
        return Counter(self._counts)

    @cached_property
    def _counts(self) -> Counter[int]:
        return Counter(entry.verdict for entry in self.objects)

    def uids(self, verdict: int) -> list[int]:
        """The `session_uid` of each object that got this verdict."""
        return [entry.uid for entry in self.objects if entry.verdict == verdict]
