# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of issues of a probe: the kind as an icon, the objects, and the measure."""

from typing import Any

import bpy

from ...i18n.units import spoken_text
from ...model.probe_report import ProbeIssue
from ...scene import accepted_walk_issues, events, open_file
from ...scene.settings import walk_issues
from ...session import probe_results
from ..result_list.view import resize
from ..texts.probe import KIND_TEXTS
from .list_rows import search_by_name
from .name_row import Value, draw_names

CHOOSE = "collision_kit.select_walk_issue"

# Usual width of a measure, in pixels at a resolution scale of 1.
MEASURE = 46

# Significant digits of a measure. Few, because the names need the room.
DIGITS = 2


class COLLISION_KIT_UL_walk_issues(bpy.types.UIList):
    """Issues of the report, in the order of their kinds."""

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: object,
        item: object,
        icon: int,
        active_data: object,
        active_property: str,
        index: int = 0,
        flt_flag: int = 0,
    ) -> None:
        """Draw one issue. Dimmed if it is accepted, or if the scene has changed since."""
        found = probe_results.latest.result
        one = found.issue(index) if found is not None else None
        if found is None or one is None:
            return
        row = layout.row(align=True)
        row.active = found.change is None and one.id not in accepted_walk_issues.reasons(context.scene)
        # A row has room for two names, but there may be more.
        names = one.objects if len(one.objects) <= 2 else (names_text(one),)
        values = [Value(measure_text(one, context.scene.unit_settings, DIGITS), MEASURE)]
        icon_of: Any = KIND_TEXTS[one.kind].icon
        draw_names(context, row, names, values, found.short_names, icon_of, choose=(CHOOSE, index))

    def filter_items(self, context: bpy.types.Context, data: Any, property: str) -> tuple[list[int], list[int]]:
        """Keep the listed rows whose names contain the text of the search field. Sort by name if requested."""
        found = probe_results.latest.result
        if found is None:
            return [], []
        rows = found.report.found[: len(getattr(data, property))]
        return search_by_name(self, [names_text(one) for one in rows], listed_rows(context, found))


def names_text(one: ProbeIssue) -> str:
    """Return the names of the objects of an issue."""
    return " × ".join(one.objects)


def measure_text(one: ProbeIssue, units: bpy.types.UnitSettings, digits: int) -> str:
    """Return the measure of an issue: an angle or a length."""
    return f"{one.measure:.1f}°" if one.kind == "slope" else spoken_text(one.measure, units, digits)


def listed_rows(context: bpy.types.Context, found: probe_results.ProbeResult) -> set[int]:
    """Return the rows that pass the filters of the list."""
    view = walk_issues(context.window_manager)
    kinds = {kind for kind in KIND_TEXTS if getattr(view, kind)}
    return set(probe_results.listed_rows(context, found, kinds, view.accepted))


@probe_results.latest.on_new.subscribe
def fit() -> None:
    """Give the list a row for each issue."""
    found = probe_results.latest.result
    for manager in open_file.window_managers():
        resize(walk_issues(manager).rows, len(found.report.found) if found is not None else 0)


@events.on_load.subscribe
def _opened() -> None:
    """Reset the filters of the previous file, because window managers are kept when a file is loaded."""
    for manager in open_file.window_managers():
        view = walk_issues(manager)
        for name in (*KIND_TEXTS, "accepted"):
            view.property_unset(name)
