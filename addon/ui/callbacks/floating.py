# SPDX-License-Identifier: GPL-3.0-or-later
"""Callbacks of the search for floating objects; see `callbacks` on `bpy` in here."""

from typing import Any

from .shared import click


def chosen_row(_listed: Any) -> int:
    """Return the highlighted row."""
    from ...session.floating_results import latest

    return latest.result.chosen if latest.result is not None else -1


def choose_row(_listed: Any, row: int) -> None:
    """Highlight another row."""
    from ...session.floating_results import latest

    if latest.result is not None:
        latest.result.chosen = row


def row_chosen(listed: Any, _context: Any) -> None:
    """Do the same as clicking a row."""
    click("select_floating", listed.active)
