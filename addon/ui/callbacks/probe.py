# SPDX-License-Identifier: GPL-3.0-or-later
"""Callbacks of the properties of a probe; see `callbacks` on `bpy` in here."""

from typing import Any

from .shared import click, show_or_pair


def chosen_issue(_issues: Any) -> int:
    """Return the highlighted row of the issues."""
    from ...session.probe_results import latest

    found = latest.result
    return found.chosen if found is not None else -1


def choose_issue(_issues: Any, row: int) -> None:
    """Highlight another row."""
    from ...session.probe_results import latest

    found = latest.result
    if found is not None:
        found.chosen = row


def issue_chosen(issues: Any, _context: Any) -> None:
    """Do the same as clicking a row."""
    click("select_walk_issue", issues.active)


def filter_changed(_issues: Any, _context: Any) -> None:
    """Draw the issues that are listed."""
    from ...viewport import probe as probe_overlay

    if probe_overlay.is_drawn():
        probe_overlay.draw()


def walk_shown(_issues: Any) -> bool:
    """Whether the walk is drawn."""
    from ...viewport import probe as probe_overlay

    return probe_overlay.is_drawn()


def show_walk(_issues: Any, wanted: bool) -> None:
    """Draw the walk, or the chosen pair of the collision check again."""
    from ...viewport import probe as probe_overlay

    show_or_pair(wanted, probe_overlay.draw, probe_overlay.undraw)
