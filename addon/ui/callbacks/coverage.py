# SPDX-License-Identifier: GPL-3.0-or-later
"""Callbacks of the comparison with render meshes; see `callbacks` for why they are separate."""

from typing import Any

from .shared import click, show_or_pair


def chosen_object(_compared: Any) -> int:
    """Return the highlighted row of the objects."""
    from ...session.coverage_results import latest

    found = latest.result
    return found.chosen if found is not None else -1


def choose_object(_compared: Any, row: int) -> None:
    """Highlight another row."""
    from ...session.coverage_results import latest

    found = latest.result
    if found is not None:
        found.chosen = row


def object_chosen(compared: Any, _context: Any) -> None:
    """Do the same as clicking a row."""
    click("show_worst_place", compared.active)


def map_shown(_compared: Any) -> bool:
    """Whether the heat map is drawn."""
    from ...viewport import coverage_map

    return coverage_map.is_drawn()


def show_map(_compared: Any, wanted: bool) -> None:
    """Draw the heat map, or the chosen pair of the collision check again."""
    import bpy

    from ...viewport import coverage_map

    show_or_pair(wanted, lambda: coverage_map.draw(bpy.context), coverage_map.undraw)


def map_changed(_compared: Any, context: Any) -> None:
    """Draw the heat map with the current settings."""
    from ...viewport import coverage_map

    coverage_map.draw_again(context)
