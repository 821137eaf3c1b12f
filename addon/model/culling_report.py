# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests and reports of culling, for the panel, the command line and files. Does not need Blender."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from .report import Coverage, Issue, Skipped


class CullRequest(NamedTuple):
    """Options of culling.

    Attributes
    ----------
    scope : str
        As for `scene.scope.scope_objects`, without a second set.
    exact : bool
        False: an object near an edge or a corner of the view may count as crossing.
    frames : (first, last), optional
        First and last frame, both included. None: the current frame.
    camera : str
        Name of the camera. Empty: the active camera of each frame.
    """

    scope: str = "VISIBLE"
    exact: bool = True
    frames: tuple[int, int] | None = None
    camera: str = ""


@dataclass(frozen=True)
class CulledObject:
    """Place of an object relative to the camera's view."""

    name: str
    uid: int  # its `session_uid`
    verdict: int  # -1: outside in every frame; 1: inside in every frame; 0: anything else
    frames_seen: int  # number of frames in which it is not outside


@dataclass(frozen=True)
class CullReport:
    """Result of culling."""

    file: str
    scene: str
    cameras: tuple[str, ...]  # cameras that are active in some frame, in the order of their first use
    first_frame: int
    last_frame: int
    exact: bool
    objects: tuple[CulledObject, ...]  # sorted by name
    issues: tuple[Issue, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    coverage: Coverage = field(default_factory=Coverage)

    @property
    def frames(self) -> int:
        """The number of frames that were tested."""
        return self.last_frame - self.first_frame + 1

    def sightings(self) -> tuple[int, int, int]:
        """Return the numbers of objects that are seen in every frame, in some frames, and in none."""
        always = sum(entry.frames_seen == self.frames for entry in self.objects)
        never = sum(entry.frames_seen == 0 for entry in self.objects)
        return always, len(self.objects) - always - never, never

    def counts(self) -> Counter[int]:
        """Return the number of objects for each verdict."""
        return Counter(self._counts)

    @cached_property
    def _counts(self) -> Counter[int]:
        return Counter(entry.verdict for entry in self.objects)

    def uids(self, verdict: int) -> list[int]:
        """Return the `session_uid` of each object with this verdict."""
        return [entry.uid for entry in self.objects if entry.verdict == verdict]
