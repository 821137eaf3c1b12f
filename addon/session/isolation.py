# SPDX-License-Identifier: GPL-3.0-or-later
"""Isolate the chosen pair in the 3D view by Blender's local view. Nothing is hidden, so checks are not affected.

The previous visibility is restored exactly: everything, or the content of a local view of the user.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import bpy

from ..model.report import Body, body_uids
from ..scene import events
from ..scene.objects import visibility
from .collision_results import last_check


@dataclass(frozen=True)
class _Isolated:
    """A 3D view that shows only a pair.

    Attributes
    ----------
    space : int
        The view, by its memory address.
    before : frozenset of int or None
        The `session_uid` of the content of its previous local view. None: it had none.
    shown : frozenset of int
        The `session_uid` of what it shows now.
    """

    space: int
    before: frozenset[int] | None
    shown: frozenset[int]


_isolated: _Isolated | None = None


def is_on(context: bpy.types.Context) -> bool:
    """Return whether the 3D view of the context shows only a pair.

    Undo, or Blender's own command, may have ended it.
    """
    global _isolated
    view = visibility.local_view(context) if _isolated is not None else None
    if view is None or _isolated is None or view.space != _isolated.space:
        return False
    if not view.is_local():
        _isolated = None  # Blender does not report the end of a local view; a later one is not from the add-on.
    return _isolated is not None


def start(context: bpy.types.Context) -> bool:
    """Show only the chosen pair. Returns False without a view for that, or if nothing can be seen."""
    global _isolated
    view, uids = visibility.local_view(context), chosen_uids()
    if view is None or not view.visible(uids):
        return False
    before = frozenset(view.shown()) if view.is_local() else None
    if before is None and not view.enter(uids):
        return False
    view.show_only(uids)
    _isolated = _Isolated(view.space, before, frozenset(uids))
    return True


def stop(context: bpy.types.Context) -> None:
    """Restore what was shown before, and show objects added since."""
    global _isolated
    view, state = visibility.local_view(context), _isolated
    _isolated = None
    if view is None or state is None or not view.is_local():
        return
    if state.before is None:
        view.leave()
    else:
        view.show_only(state.before | (view.shown() - state.shown))


def follow(context: bpy.types.Context) -> None:
    """Another pair has been chosen. If a pair is isolated, isolate the chosen one instead."""
    global _isolated
    if not is_on(context) or _isolated is None:
        return
    view, uids = visibility.local_view(context), chosen_uids()
    if view is not None and view.visible(uids):
        view.show_only(uids)
        _isolated = _Isolated(_isolated.space, _isolated.before, frozenset(uids))


@contextmanager
def overlooked(context: bpy.types.Context) -> Iterator[None]:
    """Show the scene while the context is active, as if no pair were isolated.

    Blender determines visibility by the 3D view of the context or, without one, by the scene.
    """
    if is_on(context) and _isolated is not None and _isolated.before is None:
        with context.temp_override(area=None, region=None):
            yield
    else:
        yield


@events.on_load.subscribe
def forget() -> None:
    """Another file is open."""
    global _isolated
    _isolated = None


def chosen_uids() -> set[int]:
    """Return the `session_uid` of every object of the chosen pair."""
    pair = last_check.pair(last_check.chosen)
    bodies: Iterable[Body] = last_check.bodies_of(pair) if pair is not None else ()
    return {uid for body in bodies for uid in body_uids(body)}
