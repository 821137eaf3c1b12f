# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions that callbacks of several features call; see `addon.ui.callbacks.scene` on `bpy` in here."""

from collections.abc import Callable
from typing import Any


def click(operator: str, row: int) -> None:
    """Run an operator of the add-on for a row of a list, if it can be run.

    An operator and not a function, so that choosing a row can be undone like any other selection.
    """
    import bpy

    run: Any = getattr(bpy.ops.collision_kit, operator)  # type: ignore[attr-defined]
    if run.poll():
        # Without a window there may be no undo, and Blender crashes where a grouped step is pushed there.
        undo_history: Any = bpy.ops.ed.undo_history
        run("EXEC_DEFAULT", undo_history.poll(), row=row)


def show_or_pair(wanted: bool, draw: Callable[[], object], undraw: Callable[[], object]) -> None:
    """Draw an overlay, or take it away and draw the chosen pair of the collision check again."""
    import bpy

    from ...session.collision_results import last_check
    from ...viewport import pair as pair_overlay

    if wanted:
        draw()
    else:
        undraw()
        pair_overlay.show(bpy.context, last_check.chosen)
