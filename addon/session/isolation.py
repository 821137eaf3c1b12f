# SPDX-License-Identifier: GPL-3.0-or-later
"""The chosen pair alone in the 3D view, by Blender's local view: nothing is hidden, so that checks stay as they are.

What was visible is back exactly when it ends: everything, or what a local view of the user's own showed.
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
    """A 3D view that shows a pair only.

    Attributes
    ----------
    space : int
        Which view, by its place in memory.
    before : frozenset of int or None
        The `session_uid` of what its local view showed before; None: it had none.
    shown : frozenset of int
        Of what it shows now.
    """

    space: int
    before: frozenset[int] | None
    shown: frozenset[int]


_isolated: _Isolated | None = None


def is_on(context: bpy.types.Context) -> bool:
    """Whether the 3D view of the context shows a pair only: undo, or Blender's own command, may have ended it."""
    global _isolated
    view = visibility.local_view(context) if _isolated is not None else None
    if view is None or _isolated is None or view.space != _isolated.space:
        return False
    if not view.is_local():
        _isolated = None  # Blender tells nobody that a local view has ended; one to come is not ours.
    return _isolated is not None


def start(context: bpy.types.Context) -> bool:
    """Show the chosen pair only; False where there is no view to do that in, or nothing that can be seen."""
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
    """Show again what was shown before, and what has come since."""
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
    """Another pair has been chosen: where one is isolated, isolate that one instead."""
    global _isolated
    if not is_on(context) or _isolated is None:
        return
    view, uids = visibility.local_view(context), chosen_uids()
    if view is not None and view.visible(uids):
        view.show_only(uids)
        _isolated = _Isolated(_isolated.space, _isolated.before, frozenset(uids))


@contextmanager
def overlooked(context: bpy.types.Context) -> Iterator[None]:
    """See what the scene shows for as long as this lasts, as if no pair were isolated.

    Blender asks the 3D view of the context what is visible; without one it asks the scene.
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
    """The `session_uid` of every object that takes part in the chosen pair."""
    pair = last_check.pair(last_check.chosen)
    bodies: Iterable[Body] = last_check.bodies_of(pair) if pair is not None else ()
    return {uid for body in bodies for uid in body_uids(body)}
