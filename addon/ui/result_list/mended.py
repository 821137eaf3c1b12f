# SPDX-License-Identifier: GPL-3.0-or-later
"""Choose the next result after a fix has resolved the chosen one, and the previous one after undo."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import bpy

from ...model.report import ObjectKey
from ...model.verdict_names import FAULTS
from ...scene import events, open_file
from ...scene.objects import moving
from ...scene.settings import results_list
from ...session.collision_results import last_check
from ...system.late import np
from ...viewport import pair as pair_overlay
from .rows import chosen_place, lines, marks, row_after_check
from .view import NONE, step

if TYPE_CHECKING:
    from ....core.numerics.types import Floats

# Fraction of an object's translation within which it counts as back in place, because of float32 rounding.
_BACK = 0.01


class _Fix(NamedTuple):
    """Objects that a fix has moved while a pair was chosen.

    Attributes
    ----------
    pair : frozenset of ObjectKey
    place : int
        Place of the pair in the list, if it was a fault. Otherwise `NONE`.
    moved : dict of int to ((3,) float64, (3,) float64)
        Position and translation of each moved object, by `session_uid`, without parents and constraints, because
        Blender does not evaluate these before it reports an undo.
    """

    pair: frozenset[ObjectKey]
    place: int
    moved: "dict[int, tuple[Floats, Floats]]"


# Fixes that have resolved their pair, or may have, the latest last.
_fixes: list[_Fix] = []
_unknown: list[_Fix] = []

# The pair whose fix was undone, until the results are up to date.
_again: frozenset[ObjectKey] = frozenset()


def fixed(context: bpy.types.Context, ways: "Mapping[str, Floats]") -> list[int]:
    """Record how a fix has moved objects, by name. Return their `session_uid`."""
    pair = last_check.pair(last_check.chosen)
    is_fault = pair is not None and pair.verdict in FAULTS
    place = chosen_place(results_list(context.window_manager)) if is_fault else NONE
    _unknown.append(_Fix(last_check.keys_of(last_check.chosen), place, moving.before(context, ways)))
    return list(_unknown[-1].moved)


def go_on(context: bpy.types.Context) -> tuple[frozenset[ObjectKey], int, bool]:
    """Find which pairs fixes have resolved, from results that are up to date.

    Returns
    -------
    pair : frozenset of ObjectKey
        The pair that was resolved last. Empty: none.
    row : int
        Row to choose. `NONE`: keep the chosen one.
    is_again : bool
        Whether it is chosen because its fix was undone.
    """
    global _again
    report, mended = last_check.report, _Fix(frozenset(), NONE, {})
    for fix in _unknown:
        row = report.row_of(fix.pair) if report is not None and fix.place != NONE else NONE
        if report is not None and fix.place != NONE and not (row >= 0 and report.pairs[row].verdict in FAULTS):
            _fixes.append(fix)
            mended = fix
    _unknown.clear()
    again, _again = _again, frozenset()
    if mended.pair:
        return mended.pair, _next_fault(context, mended.place), False
    row = report.row_of(again) if report is not None and again else NONE
    is_again = row != NONE
    if row == NONE and last_check.pair(last_check.chosen) is None:
        row = row_after_check(context, frozenset())
    return frozenset(), row, is_again


def _next_fault(context: bpy.types.Context, place: int) -> int:
    """Return the row of the fault at a place in the list or, after the last one, of the first. `NONE`: no fault.

    Accepted, ignored and filtered pairs do not count.
    """
    listed = lines(results_list(context.window_manager))
    report = last_check.report
    if report is None:
        return NONE
    faults = np.isin(listed.pair, marks().open_rows(report, FAULTS))
    found = step(listed._replace(pair=np.where(faults, listed.pair, NONE)), place - 1, 1)
    return int(listed.pair[found]) if found != NONE else NONE


@events.on_undo.subscribe
def _choose_again() -> None:
    """Choose the pair again whose fix was undone."""
    global _again
    undone = None
    _unknown.clear()
    while _fixes and _is_undone(_fixes[-1]):
        undone = _fixes.pop()
    if undone is None or last_check.report is None:
        return
    _again = undone.pair
    last_check.chosen, last_check.framed = last_check.report.row_of(undone.pair), True
    pair_overlay.show(bpy.context, last_check.chosen)


def _is_undone(fix: _Fix) -> bool:
    objects = open_file.objects_by_uid(fix.moved)
    return all(
        uid in objects and np.linalg.norm(moving.own_place(objects[uid]) - before) <= _BACK * np.linalg.norm(way)
        for uid, (before, way) in fix.moved.items()
    )


@events.on_reset.subscribe
def _forget() -> None:
    global _again
    _again = frozenset()
    _fixes.clear()
    _unknown.clear()
