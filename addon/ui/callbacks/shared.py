# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions that the callbacks of several features use; see `addon.ui.callbacks.scene` on `bpy` in here."""

from collections.abc import Callable
from typing import Any


def click(operator: str, row: int) -> None:
    """Run an operator of the add-on for a row of a list, if it is available.

    It is an operator and not a function, so that choosing a row can be undone like any other selection.
    """
    import bpy

    run: Any = getattr(bpy.ops.collision_kit, operator)  # type: ignore[attr-defined]
    if run.poll():
        # Without a window there may be no undo, and Blender crashes if a grouped step is pushed.
        undo_history: Any = bpy.ops.ed.undo_history
        run("EXEC_DEFAULT", undo_history.poll(), row=row)


def show_or_pair(wanted: bool, draw: Callable[[], object], undraw: Callable[[], object]) -> None:
    """Draw an overlay, or remove it and draw the chosen pair of the collision check again."""
    import bpy

    from ...session.collision_results import last_check
    from ...viewport import pair as pair_overlay

    if wanted:
        draw()
    else:
        undraw()
        pair_overlay.show(bpy.context, last_check.chosen)
