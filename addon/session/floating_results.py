# SPDX-License-Identifier: GPL-3.0-or-later
"""The objects that nothing held when somebody looked last, and which of them is chosen."""

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
        The row that is highlighted; -1: none.
    """

    found: tuple[Floating, ...] = field(kw_only=True)
    chosen: int = -1

    def happened(self, change: SceneChange) -> None:
        """Take note of a change of a scene: each object may hold another."""
        if change.uids and self.change is None:
            self.change = Change.SCENE

    def row(self, number: int) -> Floating | None:
        """Return what is in a row; None where there is no such row."""
        return self.found[number] if 0 <= number < len(self.found) else None


latest: "Latest[FloatingResult]" = Latest()


def keep(context: bpy.types.Context, request: FloatingRequest, found: tuple[Floating, ...]) -> None:
    """Remember a search, and forget the one before."""
    latest.store(FloatingResult(place=events.place(context), asked=request, found=found))


def found_here(context: bpy.types.Context) -> FloatingResult | None:
    """Return the last search, if it was one of this scene."""
    return latest.here(events.place(context))
