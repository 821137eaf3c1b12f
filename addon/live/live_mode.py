# SPDX-License-Identifier: GPL-3.0-or-later
"""Live mode: while it is on, the results follow the scene.

Handlers only record changes. A timer waits until nothing has changed for a moment, does part of the work within its
time budget, and runs again for the rest. No reference to Blender's data is kept between calls.
"""

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import bpy

from .. import live
from ..i18n.lookup import error_text
from ..model.errors import UserError
from ..model.report import ObjectKey, Report
from ..model.steps import after
from ..scene import events
from ..scene.events import NOWHERE, Place, SceneChange
from ..scene.settings import check_settings, live_budget
from ..session import comparison, dependencies
from ..session.collision_results import last
from ..system.garbage import without_collection
from ..viewport import pair as pair_overlay
from ..viewport import stage
from ..viewport.pair import PairDrawing
from .changes import Changes

log = logging.getLogger(__name__)

# Seconds: from the first change to the work, so that changes are processed together; until the next part of the work;
# and while an image is being rendered.
WAIT, NEXT, RENDERING = 0.05, 0.01, 0.5
# After a report that is not complete, the next one waits for so many times as long as it took to publish it.
_PAUSE = 8.0


class Status(Enum):
    """What live mode is doing; the value is the text in the panel."""

    OFF = ""
    WAITING = "Waiting for the scene"
    BEHIND = "Updating: {count} pairs left"
    READING = "Updating: reading the scene"
    CURRENT = "Up to date"
    STUCK = "Not up to date: {reason}"


@dataclass
class _Published:
    """The report in the session.

    Attributes
    ----------
    report : Report or None
        A different report in the session comes from another check.
    reading : object
        The reading that it is based on; None if live mode has not published it.
    row : int
        The row that was highlighted when it was published.
    is_remembered : bool
        Whether its dependencies are remembered.
    """

    report: Report | None = None
    reading: object = None
    row: int = -1
    is_remembered: bool = True


@dataclass
class _Live:
    """The state of live mode.

    Attributes
    ----------
    check : LiveCheck or None
    place : Place
        The scene and the view layer that it checks.
    changes : Changes
        The changes since the last update.
    published : _Published
    wanted : tuple of ObjectKey or None
        The bodies of the pair that the user has chosen.
    dragged : frozenset of int
        `session_uid` of the objects that have changed last, unless the whole scene may have.
    since : float or None
        The time of the first change that the results lack; None if they lack none.
    seconds : float
        The duration of the last update, all of its parts together.
    only_publishes : bool
        Whether the last update was late, so that the next one only publishes its report.
    next_report : float
        The time from which on a report is published that is not complete yet.
    """

    status: Status = Status.OFF
    reason: str = ""
    check: "live.incremental_check.LiveCheck | None" = None
    place: Place = NOWHERE
    changes: Changes = field(default_factory=Changes)
    published: _Published = field(default_factory=_Published)
    wanted: tuple[ObjectKey, ObjectKey] | None = None
    dragged: frozenset[int] = frozenset()
    since: float | None = None
    seconds: float = 0.0
    only_publishes: bool = False
    next_report: float = 0.0


_live = _Live()


def is_on() -> bool:
    """Whether the results follow the scene."""
    return _live.status is not Status.OFF


def status() -> Status:
    """What live mode is doing."""
    return _live.status


def status_values() -> dict[str, object]:
    """The values in the text of the status."""
    return {"count": _live.check.left if _live.check is not None else 0, "reason": _live.reason}


def seconds() -> float:
    """The duration of the last update, or of its parts so far."""
    return _live.seconds


def behind() -> float:
    """How many seconds ago the scene was as the results show it; 0: now."""
    return time.perf_counter() - _live.since if _live.since is not None else 0.0


def start() -> None:
    """Start live mode: from now on the results follow the scene."""
    if not is_on():
        _reset()
        _live.status = Status.WAITING
        last.followed = True
        _schedule()


def stop() -> None:
    """Stop live mode; the results remain, and can become stale."""
    if not is_on():
        return
    _reset()
    last.followed = last.partial = False
    if not bpy.app.background and bpy.app.timers.is_registered(tick):
        bpy.app.timers.unregister(tick)
    if last.report is not None:
        dependencies.remember(bpy.context)


@last.on_new.subscribe
def _stop_with_the_report() -> None:
    if last.report is None:
        stop()


def note(
    moved: Iterable[int],
    reshaped: Iterable[int],
    *,
    relations: bool = False,
    everything: bool = False,
    frame: bool = False,
    hidden: bool = False,
) -> None:
    """Record changes of the scene; see `Changes`."""
    if not is_on():
        return
    changes = _live.changes
    changes.frame |= frame
    changes.moved.update(moved)
    changes.reshaped.update(reshaped)
    changes.relations |= relations
    changes.everything |= everything
    changes.hidden |= hidden
    if changes:
        _live.since = time.perf_counter() if _live.since is None else _live.since
        _schedule()


@events.on_change.subscribe
def _on_change(change: SceneChange) -> None:
    if is_on():
        relations = change.relations and not change.is_empty
        note(change.moved, change.reshaped, relations=relations, frame=change.frame, hidden=change.is_empty)


@events.on_undo.subscribe
def _on_undo() -> None:
    note((), (), everything=True)


@events.on_settings.subscribe
def _on_settings() -> None:
    note((), (), relations=True)


@without_collection()
def update(context: bpy.types.Context, seconds: float) -> bool:
    """Update the results, as far as `seconds` allow; returns whether all work is done.

    An error is shown in the panel, and the update is tried again after the next change.
    """
    begin = time.perf_counter()
    if _live.status is not Status.BEHIND and _live.status is not Status.READING:
        _live.seconds = 0.0
    try:
        done = _update(context, after(seconds), after(seconds / 2.0))
    except UserError as error:  # a collection no longer exists, or no object is active
        done = True
        _fail(error_text(error))
    except Exception as error:
        done = True
        log.exception("Live checking has failed")
        _fail(f"{type(error).__name__}: {error}")
    _live.seconds += time.perf_counter() - begin
    _live.since = None if done and not _live.changes else begin if _live.since is None else _live.since
    return done


def _update(context: bpy.types.Context, late: Callable[[], bool], half_over: Callable[[], bool]) -> bool:
    # Pending evaluations cause notifications now, and not while the scene is read.
    context.evaluated_depsgraph_get()
    # Live mode tests all objects in the scope, without named tests, and no mesh against itself.
    place, settings = events.place(context), check_settings(context)
    settings = settings._replace(tests=(), self_check=False, loose_parts=False)
    if settings.plane is not None:
        raise UserError("Live checking does not support planar checks")
    check, only_publishes = _live.check, _live.only_publishes
    _live.only_publishes = False
    if check is None or place != _live.place or settings != check.settings or last.report is not _live.published.report:
        # There was another check, or the settings or the scene have changed: the selection is taken again.
        comparison.begin(last, live=True)
        _take_over()
        known = check.known if check is not None and place == _live.place else None
        check = _live.check = live.incremental_check.LiveCheck(
            settings, live.changes.Scope.of(context, settings), known
        )
        _live.place, only_publishes = place, False
    if not only_publishes:
        changes, _live.changes = _live.changes, Changes()
        if changes:
            whole = changes.everything or changes.frame
            _live.dragged = frozenset() if whole else frozenset(changes.moved | changes.reshaped)
        shows = time.perf_counter() >= _live.next_report
        check.update(context, changes, late, half_over, judges=shows)
        if not shows and (_live.changes or not check.is_done):
            _live.status = Status.READING if check.is_reading else Status.BEHIND
            return False
        if half_over():
            # To put the report together takes long if there are thousands of objects.
            _live.only_publishes = True
            _live.status = Status.READING if check.is_reading else Status.BEHIND
            return False
    done = check.is_done and not _live.changes
    begin = time.perf_counter()
    report = check.report(context)
    published = report is not None and report is not _live.published.report
    if report is not None:
        if published:
            _publish(context, check, report, done=done)
        elif done:
            last.partial = False
            last.renew(report, check.world)
    _live.next_report = time.perf_counter() + _PAUSE * (time.perf_counter() - begin)
    if done and not _live.published.is_remembered:
        if published and half_over():
            _live.only_publishes, _live.status = True, Status.BEHIND
            return False
        _live.published.is_remembered = True
        dependencies.remember(context, check.facts)
    if done and report is not None:
        comparison.settled(last)
    _live.status = Status.CURRENT if done else Status.READING if check.is_reading else Status.BEHIND
    _live.reason = ""
    events.redraw()
    return done


def _take_over() -> None:
    """Keep the pair that is chosen in the list."""
    _live.published = _Published(last.report, row=last.chosen)
    pair = last.pair(last.chosen)
    _live.wanted = None if pair is None else _keys(pair_bodies=last.bodies_of(pair))


def _publish(
    context: bpy.types.Context, check: "live.incremental_check.LiveCheck", report: Report, *, done: bool
) -> None:
    """Replace the last report, with the same pair chosen, and draw the result."""
    published = _live.published
    if last.chosen != published.row and (pair := last.pair(last.chosen)) is not None:
        _live.wanted = _keys(pair_bodies=last.bodies_of(pair))
    drawing = stage.current(stage.Drawing)
    drawn = isinstance(drawing, PairDrawing) or (drawing is None and not pair_overlay.has_stepped_back())
    last.partial = not done
    if check.reading is published.reading and last.report is published.report:
        last.renew(report, check.world)
    else:
        last.store(report, check.world, check.settings, _live.place)
        last.partial = not done
        dependencies.remember_names()
        published.reading, published.is_remembered = check.reading, False
    published.report = report
    last.chosen = published.row = _row_of(report, _live.wanted, _live.dragged)
    if not drawn:
        return
    same = isinstance(drawing, PairDrawing) and not drawing.by_verdict and drawing.pair is last.pair(last.chosen)
    if isinstance(drawing, PairDrawing) and same and last.chosen >= 0:
        drawing.row = last.chosen
    else:
        stage.clear()
        pair_overlay.show(context, last.chosen)


def _keys(*, pair_bodies: tuple[Any, Any]) -> tuple[ObjectKey, ObjectKey]:
    return pair_bodies[0].key, pair_bodies[1].key


def _row_of(report: Report, wanted: tuple[ObjectKey, ObjectKey] | None, dragged: frozenset[int]) -> int:
    """The row to show: of the pair that the user has chosen, or of the worst pair of what is dragged.

    The chosen pair is preferred if it is of what is dragged, or if nothing else is. Where it is not in the list, it is
    the worst of all pairs.
    """
    row = report.row_of(wanted) if wanted is not None else -1
    is_dragged = [not dragged.isdisjoint((body.key.session_uid, body.key.instancer_uid)) for body in report.bodies]
    # What is dragged together stays as it is.
    own = (number for number, pair in enumerate(report.pairs) if is_dragged[pair.body_a] != is_dragged[pair.body_b])
    if row < 0 or is_dragged[report.pairs[row].body_a] == is_dragged[report.pairs[row].body_b]:
        row = next(own, row)
    return row if row >= 0 or not report.pairs else 0


def _fail(reason: str) -> None:
    _live.check, _live.only_publishes, _live.status, _live.reason = None, False, Status.STUCK, reason
    _live.published.report = last.report
    last.suspect, last.partial = True, False
    _live.changes.forget()
    stage.clear()
    events.redraw()


def _reset() -> None:
    global _live
    _live = _Live()


def _schedule() -> None:
    # In background mode no timers run; scripts call `update`.
    if not bpy.app.background and not bpy.app.timers.is_registered(tick):
        bpy.app.timers.register(tick, first_interval=WAIT)


def tick() -> float | None:
    """The timer: do part of the work, and return when to run again."""
    if not is_on():
        return None
    if bpy.app.is_job_running("RENDER") or events.is_paused():
        return RENDERING
    context = bpy.context
    with events.in_a_window(context, _live.place.scene_uid):
        done = update(bpy.context, live_budget(context))
    # Reading the scene may itself cause notifications.
    return None if done and not _live.changes else NEXT
