# SPDX-License-Identifier: GPL-3.0-or-later
"""The floating objects of the last search, and the chosen one."""

from dataclasses import dataclass, field

import bpy

from ..model.floating import Floating, FloatingRequest
from ..scene import events
from ..scene.events import SceneChange
from .latest import Change, Latest, Result


@dataclass(eq=False)
class FloatingResult(Result):
    """The result of a search for floating objects.

    Attributes
    ----------
    found : tuple of Floating
    chosen : int
        Row that is highlighted. -1: none.
    """

    found: tuple[Floating, ...] = field(kw_only=True)
    chosen: int = -1

    def happened(self, change: SceneChange) -> None:
        """Record a change of a scene: any object may support another."""
        if change.uids and self.change is None:
            self.change = Change.SCENE

    def row(self, number: int) -> Floating | None:
        """Return the object of a row. None if the row does not exist."""
        return self.found[number] if 0 <= number < len(self.found) else None


latest: "Latest[FloatingResult]" = Latest()


def keep(context: bpy.types.Context, request: FloatingRequest, found: tuple[Floating, ...]) -> None:
    """Store a search, and drop the previous one."""
    latest.store(FloatingResult(place=events.place(context), asked=request, found=found))


def found_here(context: bpy.types.Context) -> FloatingResult | None:
    """Return the last search, if it was in this scene."""
    return latest.here(events.place(context))
