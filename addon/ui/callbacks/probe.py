# SPDX-License-Identifier: GPL-3.0-or-later
"""Callbacks of the properties of a probe; see `callbacks` on `bpy` in here."""

from typing import Any


def chosen_finding(_findings: Any) -> int:
    """Return the highlighted row of the findings."""
    from ...session.probe_results import latest

    found = latest.result
    return found.chosen if found is not None else -1


def choose_finding(_findings: Any, row: int) -> None:
    """Highlight another row."""
    from ...session.probe_results import latest

    found = latest.result
    if found is not None:
        found.chosen = row


def finding_chosen(findings: Any, _context: Any) -> None:
    """Do what a click on a row does."""
    import bpy

    # An operator and not a function, so that selecting objects can be undone like any other selection.
    select_finding: Any = bpy.ops.collision_kit.select_finding  # type: ignore[attr-defined]
    if select_finding.poll():
        # Without a window there may be no undo, and Blender crashes where a grouped step is pushed there.
        undo_history: Any = bpy.ops.ed.undo_history
        select_finding("EXEC_DEFAULT", undo_history.poll(), row=findings.active)


def filter_changed(_findings: Any, _context: Any) -> None:
    """Draw the findings that are listed."""
    from ...viewport import probe as probe_overlay

    if probe_overlay.is_drawn():
        probe_overlay.draw()


def walk_shown(_findings: Any) -> bool:
    """Whether the walk is drawn."""
    from ...viewport import probe as probe_overlay

    return probe_overlay.is_drawn()


def show_walk(_findings: Any, wanted: bool) -> None:
    """Draw the walk, or the chosen pair of the collision check again."""
    import bpy

    from ...session.collision_results import last_check
    from ...viewport import pair as pair_overlay
    from ...viewport import probe as probe_overlay

    if wanted:
        probe_overlay.draw()
    else:
        probe_overlay.undraw()
        pair_overlay.show(bpy.context, last_check.chosen)
