# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of the results list: the maximum number of lines, and the entry of the session's report at each."""

from dataclasses import replace
from typing import Any

import bpy

from ....core.constants import Verdict
from ...model.marks import NO_MARKS, PairMarks
from ...model.verdict_names import NAMES
from ...scene import accepted_pairs, events, open_file
from ...scene.objects.labels import collections_of
from ...scene.settings import ignore_rules_of, results_list
from ...session import comparison
from ...session.collision_results import last_check
from .part import ALL, Part, Parts
from .view import NONE, ListLines, ResultsView, Wish, most_lines, resize

# Lines of the list. There is one list.
view = ResultsView()

# The part of the pairs that the list is limited to.
part: Part = ALL
_parts = Parts(None, NO_MARKS, ())

# Properties of `COLLISION_KIT_PG_view` that show and hide the pairs of a verdict.
SWITCHES = {verdict: name for verdict, name in NAMES.items() if verdict != Verdict.SEPARATED}

# The properties that hide results; the order and the grouping hide none.
_FILTERS = (*SWITCHES.values(), "accepted", "only_new", "text", "status", "depth")

# The state that the marks belong to: equal numbers and rules, and identical objects, mean no change.
_marks: tuple[tuple[object, ...], tuple[object, ...], PairMarks] = ((), (), NO_MARKS)


def marks() -> PairMarks:
    """Return the marks of the pairs of the session's report. It is the same object until something changes."""
    global _marks
    report, scene = last_check.report, checked_scene()
    if report is None:
        return NO_MARKS
    # While live mode is catching up, pairs still to be tested do not count as new.
    changes = None if last_check.partial else comparison.changes(last_check)
    entries = len(accepted_pairs.entries(scene)) if scene is not None else 0
    rules = ignore_rules_of(scene) if scene is not None else ()
    numbers, objects = (entries, accepted_pairs.version(), rules), (report, changes)
    if numbers != _marks[0] or [*map(id, objects)] != [*map(id, _marks[1])]:
        known = accepted_pairs.marked(scene, report, rules) if scene is not None else NO_MARKS
        if changes is not None:
            known = replace(known, new=changes.new, worse=changes.worse, gone=changes.gone)
        _marks = numbers, objects, known
    return _marks[2]


def checked_scene() -> bpy.types.Scene | None:
    """Return the scene of the session's report. None if it no longer exists."""
    return open_file.scene_by_uid(last_check.place.scene_uid)


def parts() -> Parts:
    """Return the parts of the session's report. It is the same object until something changes."""
    global _parts
    report, known = last_check.report, marks()
    if report is not _parts.report or known is not _parts.marks:
        _parts = Parts(report, known, collections_of(report.bodies) if report is not None else ())
    return _parts


def show_part(chosen: Part) -> None:
    """Limit the list to a part of the pairs, by the current collections of objects."""
    global part, _parts
    part, _parts = chosen, Parts(None, NO_MARKS, ())


def show_all(manager: bpy.types.WindowManager) -> None:
    """Reset all filters."""
    settings = results_list(manager).view
    for name in _FILTERS:
        settings.property_unset(name)
    show_part(ALL)


def wish(settings: Any) -> Wish:
    """Return the view settings of a `COLLISION_KIT_PG_view`."""
    return Wish(
        kinds=frozenset(verdict for verdict, name in SWITCHES.items() if getattr(settings, name)),
        accepted=settings.accepted,
        only_new=settings.only_new,
        text=settings.text,
        status=settings.status,
        depth=settings.depth,
        order=settings.order,
        reverse=settings.reverse,
        grouped=settings.grouped,
        rows=parts().rows(part),
    )


def lines(results: Any) -> ListLines:
    """Return the lines of the list of a `COLLISION_KIT_PG_results`."""
    return view.lines(last_check, wish(results.view), marks())


def fit(results: Any) -> None:
    """Give the list as many rows as the report may need."""
    resize(results.rows, most_lines(last_check.report, results.view.grouped))


@events.on_load.subscribe
def _opened() -> None:
    """Reset the filters of the previous file, because window managers are kept when a file is loaded."""
    for manager in open_file.window_managers():
        show_all(manager)


@last_check.on_new.subscribe
def _fit_all() -> None:
    for manager in open_file.window_managers():
        fit(results_list(manager))


def chosen_place(results: Any) -> int:
    """Return the place of the chosen pair in the list. `NONE` if it is not listed."""
    return view.place_of(lines(results), last_check.chosen)


def choose_place(results: Any, place: int) -> None:
    """Choose the pair at a place, or open or close the heading or fold there."""
    row = view.choose(lines(results), place)
    if row != NONE:
        last_check.chosen = row


def row_after_check(context: bpy.types.Context, keys: frozenset[Any], *, framed: bool = False) -> int:
    """Return the row of the pair that was chosen before a check or, if it is no longer listed, of the first pair.

    If the user did not choose it, as after a file was opened, the first new or worse fault comes before it. A pair that
    is not listed because it is accepted or ignored is not chosen. `NONE` if there is no other.
    """
    report = last_check.report
    if report is None or not report.pairs:
        return NONE
    row, known, results = report.row_of(keys) if keys else NONE, marks(), results_list(context.window_manager)
    settled = row in known.accepted or row in known.ignored
    listed = lines(results).pair
    shown = listed[listed >= 0].tolist()
    news = known.news(report) if not framed else frozenset()
    first_new = next((one for one in shown if one in news), NONE)
    if first_new != NONE and row not in news:
        return int(first_new)
    if row >= 0 and (results.view.accepted or not settled):
        return row
    return int(shown[0]) if shown else NONE
