# SPDX-License-Identifier: GPL-3.0-or-later
"""Callbacks of the properties of the explanation; see `callbacks` for why they are separate."""

from typing import Any


def drawing_changed(_explanation: Any, context: Any) -> None:
    """Draw the chosen pair with the selected parts."""
    from ...session.collision_results import last_check
    from ...viewport import pair as pair_overlay

    pair_overlay.show(context, last_check.chosen)


def axis_row(_explanation: Any) -> int:
    """Return the highlighted row of the axes."""
    from ...viewport import axis_explorer

    return axis_explorer.place()


def choose_axis(_explanation: Any, row: int) -> None:
    """Show another axis."""
    from ...viewport import axis_explorer

    axis_explorer.look_at(row)
