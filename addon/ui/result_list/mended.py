# SPDX-License-Identifier: GPL-3.0-or-later
"""Which result is chosen after a fix has mended the chosen one, and after that fix was undone."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import bpy

from ...model.report import ObjectKey
from ...model.verdict_names import FAULTS
from ...scene import events, open_file
from ...scene.objects import moving
from ...scene.settings import results_list
from ...session.collision_results import last
from ...system.late import np
from ...viewport import pair as pair_overlay
from .rows import chosen_place, lines, marks
from .view import NONE, step

if TYPE_CHECKING:
    from ....core.numerics.types import Floats

# Share of the way of an object within which it is where it was before: matrices have the digits of float32.
_BACK = 0.01


class _Fix(NamedTuple):
    """What a fix has mended.

    Attributes
    ----------
    pair : frozenset of ObjectKey
    moved : dict of int to ((3,) float64, (3,) float64)
        Of each moved object, by its `session_uid`: where it was, and how it was moved; without parents and
        constraints, as Blender does not evaluate these before it tells of an undo.
    """

    pair: frozenset[ObjectKey]
    moved: "dict[int, tuple[Floats, Floats]]"


# The last one last.
_fixes: list[_Fix] = []


def place_of_fault(context: bpy.types.Context) -> int:
    """Return where the chosen pair is listed if it is a fault; else `NONE`."""
    pair = last.pair(last.chosen)
    is_fault = pair is not None and pair.verdict in FAULTS
    return chosen_place(results_list(context.window_manager)) if is_fault else NONE


def next_fault(context: bpy.types.Context, place: int) -> int:
    """Return the row of the fault that is listed at a place or, after the last one, of the first; `NONE`: no fault.

    Accepted and ignored pairs are no faults, nor is what the filter hides.
    """
    listed = lines(results_list(context.window_manager))
    report = last.report
    if report is None:
        return NONE
    faults = np.isin(listed.pair, marks().open_rows(report, FAULTS))
    found = step(listed._replace(pair=np.where(faults, listed.pair, NONE)), place - 1, 1)
    return int(listed.pair[found]) if found != NONE else NONE


def remember(context: bpy.types.Context, pair: frozenset[ObjectKey], ways: "Mapping[str, Floats]") -> None:
    """Remember a pair that a fix has mended, and how objects were moved, by name."""
    moved = moving.before(context, ways)
    _fixes.append(_Fix(pair, moved))


@events.on_undo.subscribe
def _choose_again() -> None:
    """Choose the pair again whose fix was undone."""
    undone = None
    while _fixes and _is_undone(_fixes[-1]):
        undone = _fixes.pop()
    if undone is None or last.report is None:
        return
    last.chosen, last.framed = last.report.row_of(undone.pair), True
    pair_overlay.show(bpy.context, last.chosen)


def _is_undone(fix: _Fix) -> bool:
    objects = open_file.objects_by_uid(fix.moved)
    return all(
        uid in objects and np.linalg.norm(moving.own_place(objects[uid]) - before) <= _BACK * np.linalg.norm(way)
        for uid, (before, way) in fix.moved.items()
    )


events.on_reset.subscribe(_fixes.clear)
