# SPDX-License-Identifier: GPL-3.0-or-later
"""The current overlay in the 3D viewport. There is one at a time; a new one replaces it."""

from dataclasses import dataclass, field
from typing import TypeVar

from .. import debug_draw
from ..scene import events
from ..scene.open_file import objects_by_uid
from . import handler


@dataclass(eq=False)
class Drawing:
    """An overlay.

    Attributes
    ----------
    primitives : Primitives
    scene_uid : int
        `session_uid` of its scene. Windows that show another scene leave it out.
    """

    primitives: "debug_draw.primitives.Primitives"
    scene_uid: int

    def holds(self) -> bool:
        """Return whether it is up to date. Called after changes of a scene."""
        return True

    def happened(self, change: events.SceneChange) -> bool:
        """Return whether a change leaves it valid, as far as the change alone tells."""
        return True

    def outlives_undo(self) -> bool:
        """Return whether it may be valid in another state of the scene."""
        return False


@dataclass(eq=False)
class ObjectDrawing(Drawing):
    """An overlay that is valid as long as some objects are unchanged.

    Attributes
    ----------
    uids : frozenset of int
        Their `session_uid`.
    """

    uids: frozenset[int] = field(kw_only=True)

    def happened(self, change: events.SceneChange) -> bool:
        """Return whether none of the objects has changed or was deleted."""
        return self.uids.isdisjoint(change.uids) and not (
            change.relations and len(objects_by_uid(self.uids)) < len(self.uids)
        )


D = TypeVar("D", bound="Drawing")

_current: list[Drawing] = []


def show(drawing: Drawing) -> None:
    """Show this from the next redraw on, instead of the current overlay."""
    _current[:] = [drawing]
    handler.set_primitives(drawing.primitives, drawing.scene_uid)


def current(kind: type[D]) -> D | None:
    """Return the current overlay, if it is of this kind. None if there is none. `Drawing` is every kind."""
    drawing = _current[0] if _current else None
    return drawing if isinstance(drawing, kind) and handler.shows(drawing.primitives) else None


def clear(kind: type[Drawing] = Drawing) -> None:
    """Clear the overlay, if it is of this kind."""
    if current(kind) is not None:
        _current.clear()
        handler.clear()


@events.on_settled.subscribe
def refresh() -> None:
    """Clear the overlay if it is out of date."""
    drawing = current(Drawing)
    if drawing is not None and not drawing.holds():
        clear()


@events.on_change.subscribe
def _on_change(change: events.SceneChange) -> None:
    drawing = current(Drawing)
    if drawing is not None and not drawing.happened(change):
        clear()


@events.on_undo.subscribe
def _on_undo() -> None:
    drawing = current(Drawing)
    if drawing is not None and not drawing.outlives_undo():
        clear()


@events.on_reset.subscribe
def _on_reset() -> None:
    clear()
