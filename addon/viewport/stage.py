# SPDX-License-Identifier: GPL-3.0-or-later
"""The drawing in the 3D viewport: one at a time; a new one replaces it."""

from dataclasses import dataclass, field
from typing import TypeVar

from .. import debug_draw
from ..scene import events
from ..scene.open_file import objects_by_uid
from . import handler


@dataclass(eq=False)
class Drawing:
    """Something that can be shown.

    Attributes
    ----------
    primitives : Primitives
    scene_uid : int
        `session_uid` of the scene that it belongs to; windows that show another one leave it out.
    """

    primitives: "debug_draw.primitives.Primitives"
    scene_uid: int

    def holds(self) -> bool:
        """Whether it still shows how things are; asked when something has happened to a scene."""
        return True

    def happened(self, change: events.SceneChange) -> bool:
        """Whether a change leaves it true, as far as the change alone tells."""
        return True

    def outlives_undo(self) -> bool:
        """Whether it may be true of another state of the scene."""
        return False


@dataclass(eq=False)
class ObjectDrawing(Drawing):
    """Something that is true as long as some objects stay as they are.

    Attributes
    ----------
    uids : frozenset of int
        Their `session_uid`.
    """

    uids: frozenset[int] = field(kw_only=True)

    def happened(self, change: events.SceneChange) -> bool:
        """Whether none of the objects has changed or gone."""
        return self.uids.isdisjoint(change.uids) and not (
            change.relations and len(objects_by_uid(self.uids)) < len(self.uids)
        )


D = TypeVar("D", bound="Drawing")

_current: list[Drawing] = []


def show(drawing: Drawing) -> None:
    """Show this from the next redraw on, instead of what was shown."""
    _current[:] = [drawing]
    handler.set_primitives(drawing.primitives, drawing.scene_uid)


def current(kind: type[D]) -> D | None:
    """Return what is shown, if it is of this kind; None if nothing is. `Drawing` is every kind."""
    drawing = _current[0] if _current else None
    return drawing if isinstance(drawing, kind) and handler.shows(drawing.primitives) else None


def clear(kind: type[Drawing] = Drawing) -> None:
    """Show nothing, if what is shown is of this kind."""
    if current(kind) is not None:
        _current.clear()
        handler.clear()


@events.on_settled.subscribe
def refresh() -> None:
    """Show no longer what no longer holds."""
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
