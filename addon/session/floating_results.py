# SPDX-License-Identifier: GPL-3.0-or-later
"""The floating objects of the last search, and the chosen one."""

from dataclasses import dataclass, field
from functools import cached_property

import bpy

from ..i18n.wrapping import ShortNames
from ..model.floating import Floating, FloatingRequest
from ..model.floating_search import FloatingEvidence, FloatingSearch
from ..scene import events
from ..scene.events import SceneChange
from .latest import Change, Latest, Result


@dataclass(eq=False)
class FloatingResult(Result):
    """The result of a search for floating objects.

    Attributes
    ----------
    found : tuple of Floating
    evidence : FloatingEvidence
    chosen : int
        Row that is highlighted. -1: none.
    """

    found: tuple[Floating, ...] = field(kw_only=True)
    evidence: FloatingEvidence = field(kw_only=True)
    chosen: int = -1

    @cached_property
    def short_names(self) -> ShortNames:
        """All names of the list."""
        return ShortNames(one.object for one in self.found)

    def happened(self, change: SceneChange) -> None:
        """Record a change of a scene: any object may support another."""
        if change.uids and self.change is None:
            self.change = Change.SCENE

    def row(self, number: int) -> Floating | None:
        """Return the object of a row. None if the row does not exist."""
        return self.found[number] if 0 <= number < len(self.found) else None


latest: "Latest[FloatingResult]" = Latest()


def keep(context: bpy.types.Context, request: FloatingRequest, search: FloatingSearch, chosen: int = -1) -> None:
    """Store a search, and drop the previous one. `chosen` is the row that is highlighted, if there is such a row."""
    chosen = min(chosen, len(search.found) - 1)
    place = events.place(context)
    latest.store(
        FloatingResult(place=place, asked=request, found=search.found, evidence=search.evidence, chosen=chosen)
    )


def found_here(context: bpy.types.Context) -> FloatingResult | None:
    """Return the last search, if it was in this scene."""
    return latest.here(events.place(context))
