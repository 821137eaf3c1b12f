# SPDX-License-Identifier: GPL-3.0-or-later
"""Callbacks of a comparison with render meshes; `callbacks` says why they are apart."""

from typing import Any


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
    """Do what a click on a row does."""
    import bpy

    # An operator and not a function, so that the selection can be undone like any other.
    show: Any = bpy.ops.collision_kit.show_worst_place  # type: ignore[attr-defined]
    if show.poll():
        # Without a window there may be no undo, and Blender crashes where a grouped step is pushed there.
        undo_history: Any = bpy.ops.ed.undo_history
        show("EXEC_DEFAULT", undo_history.poll(), row=compared.active)


def map_shown(_compared: Any) -> bool:
    """Whether the heat map is drawn."""
    from ...viewport import coverage_map

    return coverage_map.is_drawn()


def show_map(_compared: Any, wanted: bool) -> None:
    """Draw the heat map, or the chosen pair of the collision check again."""
    import bpy

    from ...session.collision_results import last_check
    from ...viewport import coverage_map
    from ...viewport import pair as pair_overlay

    if wanted:
        coverage_map.draw(bpy.context)
    else:
        coverage_map.undraw()
        pair_overlay.show(bpy.context, last_check.chosen)


def map_changed(_compared: Any, context: Any) -> None:
    """Draw the heat map as it is wanted now."""
    from ...viewport import coverage_map

    coverage_map.draw_again(context)
