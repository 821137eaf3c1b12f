# SPDX-License-Identifier: GPL-3.0-or-later
"""Results that follow the scene: continuously in live mode, or once after a fix, an undo or a redo.

Only pairs with an object that has changed since the last check are tested again. Handlers only record changes. A timer
waits until nothing has changed for a moment, does part of the work within its time budget, and runs again for the rest.
No reference to Blender data is kept between calls.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any

import bpy

from .. import collisions, live
from ..i18n.lookup import error_text
from ..model.errors import UserError
from ..model.report import ObjectKey, Report, Settings
from ..model.steps import after
from ..scene import events
from ..scene.events import NOWHERE, Event, Place, SceneChange
from ..scene.settings import check_settings, live_budget
from ..session import comparison, dependencies, isolation
from ..session.collision_results import last_check
from ..system.garbage import without_collection
from ..viewport import pair as pair_overlay
from ..viewport import stage
from ..viewport.pair import PairDrawing
from .changes import SceneChanges

log = logging.getLogger(__name__)

# Seconds: from the first change to the work, so that changes are processed together; until the next part of the work;
# and while an image is being rendered.
WAIT, NEXT, RENDERING = 0.05, 0.01, 0.5
# Seconds between redraws that only show progress.
_TOLD = 0.5
# Seconds of work after a fix before the rest is left to the timer. Seconds from an undo, after which all objects are
# read, to that work, because more undos may follow.
AT_ONCE, UNDONE = 0.3, 0.2
# After an incomplete report, the next one waits this many times as long as it took to publish the last.
_PAUSE = 8.0
# Seconds that finding the folds of pairs may take in an update whose time is shorter; and seconds from the last change
# to that work, if it takes longer.
_SHORT, _SETTLED = 0.05, 0.3


# The results are up to date again.
on_current: "Event[[]]" = Event()


class Status(Enum):
    """States of the results relative to the scene. The value is the text in the panel."""

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
        Reading that it is based on. None if it was not published by live mode.
    row : int
        Row that was highlighted when it was published.
    is_remembered : bool
        Whether its dependencies are recorded.
    """

    report: Report | None = None
    reading: object = None
    row: int = -1
    is_remembered: bool = True


@dataclass
class _Live:
    """State of live mode.

    Attributes
    ----------
    on : bool
        Whether live mode is on.
    begins : bool
        Whether it has been switched on since the last update.
    catches_up : bool
        Whether it is off, and the results are updated once.
    checked : Checked or None
        The last check, until `check` continues from it.
    beginning : Beginning or None
        A check of the whole scene in progress.
    check : LiveCheck or None
    place : Place
        Scene and view layer that it checks.
    changes : SceneChanges
        Changes since the last update, or since the last check.
    published : _Published
    wanted : tuple of ObjectKey or None
        Bodies of the pair that the user has chosen.
    dragged : frozenset of int
        `session_uid` of the last changed objects, unless the whole scene may have changed.
    since : float or None
        Time of the first change that the results lack. None if they are up to date.
    seconds : float
        Duration of the last update, with all of its parts.
    only_publishes : bool
        Whether the last update was late, so that the next one only publishes its report.
    next_redraw : float
        Time of the next redraw of the panel's progress.
    next_report : float
        Time of the next incomplete report.
    changed : float
        Time at which the last change was processed.
    """

    status: Status = Status.OFF
    reason: str = ""
    on: bool = False
    begins: bool = False
    catches_up: bool = False
    checked: "collisions.basis.Checked | None" = None
    beginning: "live.beginning.Beginning | None" = None
    check: "live.incremental_check.LiveCheck | None" = None
    place: Place = NOWHERE
    changes: SceneChanges = field(default_factory=SceneChanges)
    published: _Published = field(default_factory=_Published)
    wanted: tuple[ObjectKey, ObjectKey] | None = None
    dragged: frozenset[int] = frozenset()
    since: float | None = None
    seconds: float = 0.0
    only_publishes: bool = False
    next_redraw: float = 0.0
    next_report: float = 0.0
    changed: float = 0.0


_live = _Live()


def is_on() -> bool:
    """Return whether live mode is on."""
    return _live.on


def catches_up() -> bool:
    """Return whether live mode is off, and changes are being tested again once."""
    return _live.catches_up


def status() -> Status:
    """Return how the results follow the scene."""
    return _live.status


def status_values() -> dict[str, object]:
    """Return the values in the text of the status."""
    work = _live.beginning or _live.check
    return {"count": work.left if work is not None else 0, "reason": _live.reason}


def seconds() -> float:
    """Return the duration of the last update, or of its parts so far."""
    return _live.seconds


def tested() -> int:
    """Return how many pairs of shapes have been tested since the last check of the whole scene."""
    return _live.check.tested if _live.check is not None else 0


def behind() -> float:
    """Return the age in seconds of the scene state that the results show. 0: current."""
    return time.perf_counter() - _live.since if _live.since is not None else 0.0


def start() -> None:
    """Start live mode: from now on the results follow the scene."""
    if not is_on():
        _live.on = _live.begins = True
        _live.catches_up = False
        _live.status, _live.reason, _live.since = Status.WAITING, "", None
        last_check.followed = True
        _schedule()


def stop() -> None:
    """Stop live mode. The results remain, and can become stale."""
    if not is_on():
        return
    _rest()
    last_check.followed = last_check.partial = False
    if last_check.report is not None:
        dependencies.remember(bpy.context)


def keep(checked: "collisions.basis.Checked") -> None:
    """Continue from a check that is now that of the session, and test changes of the scene again."""
    if _live.beginning is not None:
        _live.beginning.discard()
    _live.checked, _live.beginning, _live.check = checked, None, None
    if not is_on():
        _live.changes = SceneChanges()


def catch_up(context: bpy.types.Context, uids: Iterable[int]) -> None:
    """Test changes since the last check again: these objects have just moved, and others may have moved before.

    Long work is left to the timer. Live mode follows the scene by itself.

    Parameters
    ----------
    context : bpy.types.Context
    uids : iterable of int
        `session_uid` of objects.
    """
    if is_on() or not _can_catch_up(context):
        return
    _live.changes.moved.update(uids)
    _live.catches_up = True
    if not update(context, float("inf") if bpy.app.background else AT_ONCE):
        _schedule()


def _can_catch_up(context: bpy.types.Context) -> bool:
    """Return whether it is known which objects the results of this scene tested."""
    settings = last_check.settings
    if last_check.report is None or settings is None or last_check.place != events.place(context):
        return False
    # If the active object was tested against the selected ones, only the data of the check shows which.
    return settings.scope != "ACTIVE" or _goes_on_from(last_check.place, settings)


def _goes_on_from(place: Place, settings: Settings) -> bool:
    """Return whether the results of the session are kept up to date without a check of the whole scene."""
    if _live.check is not None:
        return last_check.report is _live.published.report and settings == _live.check.settings and place == _live.place
    checked = _live.checked
    if checked is None or checked.report is not last_check.report or place != last_check.place:
        return False
    return checked.basis is not None and settings == checked.basis.settings


def _rest() -> None:
    """Stop all updates. The data of the last check is kept."""
    if _live.beginning is not None:
        _live.beginning.discard()
    _live.on = _live.begins = _live.catches_up = _live.only_publishes = False
    _live.status, _live.reason, _live.since, _live.beginning = Status.OFF, "", None, None
    if not bpy.app.background and bpy.app.timers.is_registered(tick):
        bpy.app.timers.unregister(tick)


@last_check.on_new.subscribe
def _stop_with_the_report() -> None:
    global _live
    if last_check.report is None:
        stop()
        _rest()
        _live = _Live()


def note(
    moved: Iterable[int],
    reshaped: Iterable[int],
    *,
    relations: bool = False,
    everything: bool = False,
    frame: bool = False,
    hidden: bool = False,
) -> None:
    """Record changes of the scene; see `SceneChanges`."""
    if not _notes():
        return
    changes = _live.changes
    changes.frame |= frame
    changes.moved.update(moved)
    changes.reshaped.update(reshaped)
    changes.relations |= relations
    changes.everything |= everything
    changes.hidden |= hidden
    if changes and (is_on() or catches_up()):
        _live.since = time.perf_counter() if _live.since is None else _live.since
        _schedule()


def _notes() -> bool:
    """Return whether changes matter, to live mode or to the data of the last check."""
    return is_on() or _live.checked is not None or _live.check is not None


@events.on_change.subscribe
def _on_change(change: SceneChange) -> None:
    if _notes():
        relations = change.relations and not change.is_empty
        note(change.moved, change.reshaped, relations=relations, frame=change.frame, hidden=change.is_empty)


@events.on_undo.subscribe
def _on_undo() -> None:
    """Test again what undo or redo has changed, if this needs no check of the whole scene."""
    settings = last_check.settings
    if not is_on() and settings is not None and _goes_on_from(last_check.place, settings):
        _live.catches_up = True
        if not bpy.app.background and bpy.app.timers.is_registered(tick):
            bpy.app.timers.unregister(tick)
        _schedule(UNDONE)
    note((), (), everything=True)


@dependencies.on_review.subscribe
def _on_review(context: bpy.types.Context) -> None:
    # In a window, the timer does this, a part at a time.
    if bpy.app.background and catches_up() and last_check.place == events.place(context):
        update(context, float("inf"))


@events.on_settings.subscribe
def _on_settings() -> None:
    if is_on():
        note((), (), relations=True)


@without_collection()
def update(context: bpy.types.Context, seconds: float) -> bool:
    """Update the results, as far as `seconds` allow. Return whether all work is done.

    An error is shown in the panel, and the update is tried again after the next change.
    """
    if not is_on() and not catches_up():
        return True
    begin = time.perf_counter()
    if _live.status is not Status.BEHIND and _live.status is not Status.READING:
        _live.seconds = 0.0
    try:
        with isolation.overlooked(context):
            done = _update(context, after(seconds), after(seconds / 2.0), max(seconds, _SHORT))
    except UserError as error:  # a collection no longer exists, or no object is active
        done = True
        _fail(error_text(error))
    except Exception as error:
        done = True
        log.exception("Following the scene has failed")
        _fail(f"{type(error).__name__}: {error}")
    _live.seconds += time.perf_counter() - begin
    _live.since = None if done and not _live.changes else begin if _live.since is None else _live.since
    if done and not _live.changes:
        if catches_up():
            _caught_up(context)
        else:
            on_current.publish()
    return done


def _caught_up(context: bpy.types.Context) -> None:
    """Stop updating the results, and show them."""
    seconds = _live.seconds
    _rest()
    _live.seconds = seconds
    on_current.publish()
    if stage.current(stage.Drawing) is None and not pair_overlay.has_stepped_back():
        pair_overlay.show(context, last_check.chosen)
    events.redraw()


def _settings(context: bpy.types.Context) -> Settings:
    """Return the settings of live mode: all objects in the scope, without named tests and self collision."""
    if catches_up():
        assert last_check.settings is not None
        return last_check.settings
    settings = check_settings(context)
    if settings.plane is not None:
        raise UserError("Live checking does not support planar checks")
    return settings._replace(tests=(), self_check=False, loose_parts=False)


def _update(
    context: bpy.types.Context, late: Callable[[], bool], half_over: Callable[[], bool], arranging: float
) -> bool:
    # Pending evaluations cause notifications now, and not while the scene is read.
    context.evaluated_depsgraph_get()
    place, settings = events.place(context), _settings(context)
    if catches_up() and place != last_check.place:
        raise UserError("The scene changed while the operator ran, so its result was discarded. Run it again")
    only_publishes, _live.only_publishes = _live.only_publishes, False
    beginning = _live.beginning
    if beginning is not None and (beginning.place, beginning.settings) != (place, settings):
        beginning.discard()
        _live.beginning = None
    if _live.beginning is None:
        goes_on = _goes_on_from(place, settings)
        if is_on() and (_live.begins or not goes_on):
            comparison.begin(last_check, live=True)
        _live.begins = False
        if not goes_on or _live.check is None:
            _begin(place, settings, goes_on=goes_on)
            only_publishes = False
    if _live.beginning is not None:
        checked = _live.beginning.go_on(context, _live.changes, late)
        if checked is None:
            _tell(reading=_live.beginning.is_reading)
            return False
        _live.beginning = None
        if checked.basis is None:
            _publish_checked(context, checked, settings)
            return True
        _live.check = live.incremental_check.LiveCheck(checked.basis, checked.report)
        _live.place = place
    check = _live.check
    assert check is not None
    if not only_publishes:
        changes, _live.changes = _live.changes, SceneChanges()
        if changes:
            _live.changed = time.perf_counter()
            whole = changes.everything or changes.frame
            _live.dragged = frozenset() if whole else frozenset(changes.moved | changes.reshaped)
        shows = is_on() and time.perf_counter() >= _live.next_report
        check.update(context, changes, late, half_over, judges=shows)
        if not shows and (_live.changes or not check.is_done):
            _tell(reading=check.is_reading)
            return False
        if half_over():
            # Assembling the report takes long if there are thousands of objects.
            _live.only_publishes = True
            _tell(reading=check.is_reading)
            return False
    tested = check.is_done and not _live.changes
    begin = time.perf_counter()
    settled = tested and begin >= _live.changed + _SETTLED
    report = check.report(context, arranges=settled or check.arranging <= arranging)
    done = tested and check.is_arranged
    published = report is not _live.published.report
    if published:
        _publish(context, check, report, done=tested)
    elif done:
        last_check.partial = False
        dependencies.remember_names()
        last_check.renew(report, check.world)
    _live.next_report = time.perf_counter() + _PAUSE * (time.perf_counter() - begin)
    if done and not _live.published.is_remembered:
        if published and half_over():
            _live.only_publishes, _live.status = True, Status.BEHIND
            return False
        _live.published.is_remembered = True
        dependencies.remember(context, check.facts)
    if done:
        comparison.settled(last_check)
    _live.status = Status.CURRENT if tested else Status.READING if check.is_reading else Status.BEHIND
    _live.reason = ""
    if published or done or not tested:
        events.redraw()
    return done


def _tell(*, reading: bool) -> None:
    """Show in the panel that there is more to do."""
    _live.status = Status.READING if reading else Status.BEHIND
    if time.perf_counter() >= _live.next_redraw:
        _live.next_redraw = time.perf_counter() + _TOLD
        events.redraw()


def _begin(place: Place, settings: Settings, *, goes_on: bool) -> None:
    """Continue from the last check, if possible, or begin a check of the whole scene."""
    checked, before = _live.checked, _live.check
    pair = last_check.pair(last_check.chosen)
    _live.wanted = None if pair is None else _keys(pair_bodies=last_check.bodies_of(pair))
    _live.checked = _live.check = None
    _live.published = _Published(last_check.report, row=last_check.chosen)
    if goes_on and checked is not None and checked.basis is not None:
        _live.check, _live.place = live.incremental_check.LiveCheck(checked.basis, checked.report), place
        _live.published.reading = _live.check.reading
        return
    selected = None
    if catches_up() and settings.scope == "SELECTED":
        # Clicking a result has selected only its objects. For instances, their instancer was selected.
        report = last_check.report
        assert report is not None
        selected = partial(collisions.tested_again.tested_objects, report)
    known = before.known if before is not None and place == _live.place else None
    _live.beginning = live.beginning.Beginning(place, settings, selected, known)


def _publish_checked(context: bpy.types.Context, checked: "collisions.basis.Checked", settings: Settings) -> None:
    """Replace the last report by that of a check that is not kept up to date."""
    with _redrawn(context):
        last_check.store(checked.report, checked.world, settings, events.place(context))
        last_check.chosen = _row_of(checked.report, _live.wanted, frozenset())
    dependencies.remember(context)


def _publish(
    context: bpy.types.Context, check: "live.incremental_check.LiveCheck", report: Report, *, done: bool
) -> None:
    """Replace the last report, keep the chosen pair, and draw the result."""
    published = _live.published
    if last_check.chosen != published.row and (pair := last_check.pair(last_check.chosen)) is not None:
        _live.wanted = _keys(pair_bodies=last_check.bodies_of(pair))
    with _redrawn(context):
        last_check.partial = not done
        if check.reading is published.reading and last_check.report is published.report:
            last_check.renew(report, check.world)
        else:
            framed = last_check.framed
            last_check.store(report, check.world, check.settings, _live.place)
            last_check.partial, last_check.framed = not done, framed
            dependencies.remember_names()
            published.reading, published.is_remembered = check.reading, False
        published.report = report
        last_check.chosen = published.row = _row_of(report, _live.wanted, _live.dragged if is_on() else frozenset())


@contextmanager
def _redrawn(context: bpy.types.Context) -> Iterator[None]:
    """Draw the chosen pair again after the context, if it was drawn before, or nothing was."""
    drawing = stage.current(stage.Drawing)
    drawn = isinstance(drawing, PairDrawing) or (drawing is None and not pair_overlay.has_stepped_back())
    yield
    if not drawn:
        return
    same = (
        isinstance(drawing, PairDrawing)
        and not drawing.by_verdict
        and drawing.pair is last_check.pair(last_check.chosen)
    )
    if isinstance(drawing, PairDrawing) and same and last_check.chosen >= 0:
        drawing.row = last_check.chosen
    else:
        stage.clear()
        pair_overlay.show(context, last_check.chosen)


def _keys(*, pair_bodies: tuple[Any, Any]) -> tuple[ObjectKey, ObjectKey]:
    return pair_bodies[0].key, pair_bodies[1].key


def _row_of(report: Report, wanted: tuple[ObjectKey, ObjectKey] | None, dragged: frozenset[int]) -> int:
    """Return the row to show: the pair that the user has chosen, or the worst pair of dragged objects.

    The chosen pair is preferred if it contains a dragged object, or no other pair does. If it is not in the list, the
    row is that of the worst pair.
    """
    row = report.row_of(wanted) if wanted is not None else -1
    is_dragged = [not dragged.isdisjoint((body.key.session_uid, body.key.instancer_uid)) for body in report.bodies]
    # Objects that are dragged together do not change relative to each other.
    own = (number for number, pair in enumerate(report.pairs) if is_dragged[pair.body_a] != is_dragged[pair.body_b])
    if row < 0 or is_dragged[report.pairs[row].body_a] == is_dragged[report.pairs[row].body_b]:
        row = next(own, row)
    return row if row >= 0 or not report.pairs else 0


def _fail(reason: str) -> None:
    _live.checked = _live.beginning = _live.check = None
    _live.only_publishes = False
    _live.changes.forget()
    _live.published.report = last_check.report
    if not is_on():
        # The previous results stay, and the panel says that they are out of date.
        return
    _live.status, _live.reason = Status.STUCK, reason
    last_check.suspect, last_check.partial = True, False
    stage.clear()
    events.redraw()


def _schedule(wait: float = WAIT) -> None:
    # In background mode no timers run; scripts call `update`.
    if not bpy.app.background and not bpy.app.timers.is_registered(tick):
        bpy.app.timers.register(tick, first_interval=wait)


def tick() -> float | None:
    """Timer function: do part of the work, and return when to run again."""
    if not is_on() and not catches_up():
        return None
    if bpy.app.is_job_running("RENDER") or events.is_paused():
        return RENDERING
    context = bpy.context
    with events.in_a_window(context, last_check.place.scene_uid):
        done = update(bpy.context, live_budget(context))
    # Reading the scene may itself cause notifications.
    return None if done and not _live.changes else NEXT
