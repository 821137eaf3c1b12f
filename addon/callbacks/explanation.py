# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens when the properties of the explanation are read or changed; see `callbacks` for why they are apart."""

from typing import Any


def drawing_changed(_explanation: Any, context: Any) -> None:
    """Draw the chosen pair with the parts that are wanted now."""
    from ..overlay import pair as pair_overlay
    from ..session import last

    pair_overlay.show(context, last.chosen)


def axis_row(_explanation: Any) -> int:
    """Return the highlighted row of the axes."""
    from ..overlay import axis_explorer

    return axis_explorer.place()


def choose_axis(_explanation: Any, row: int) -> None:
    """Look at another axis."""
    from ..overlay import axis_explorer

    axis_explorer.look_at(row)
