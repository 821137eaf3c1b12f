# SPDX-License-Identifier: GPL-3.0-or-later
"""Callbacks of the lists of results and issues; see `addon.ui.callbacks.scene`."""

from typing import Any

from .shared import click


def chosen_place(results: Any) -> int:
    """Return the place of the chosen pair in the list."""
    from ..result_list import rows as results_rows

    return results_rows.chosen_place(results)


def choose_place(results: Any, place: int) -> None:
    """Choose the pair at a place in the list."""
    from ..result_list import rows as results_rows

    results_rows.choose_place(results, place)


def place_chosen(_results: Any, _context: Any) -> None:
    """Do the same as clicking a row."""
    from ...session.collision_results import last_check
    from ..result_list.rows import view

    if not view.turned and last_check.chosen >= 0:
        click("select_pair", last_check.chosen)


def row_tip(row: Any) -> str:
    """Return the tooltip of a row."""
    from ...scene.settings import results_list
    from ..result_list import tips

    place = int(row.path_from_id().rpartition("[")[2].removesuffix("]"))
    return tips.tip(results_list(row.id_data), place)


def grouping_changed(_view: Any, context: Any) -> None:
    """Adapt the number of rows to the other arrangement."""
    from ...scene.settings import results_list
    from ..result_list import rows as results_rows

    results_rows.fit(results_list(context.window_manager))


def issue_chosen(group: Any, context: Any) -> None:
    """Do the same as clicking a row."""
    from ...session import validation_results

    found = validation_results.kept_here(context)
    issue_group = found.report.by_rule.get(group.name) if found is not None else None
    if issue_group is not None and 0 <= group.active < len(issue_group.rows):
        click("select_issue", issue_group.rows[group.active])
