# SPDX-License-Identifier: GPL-3.0-or-later
"""Contents of the viewport."""

from collision_kit.addon.debug_draw.primitives import Primitives
from collision_kit.addon.viewport import stage


def on_screen() -> Primitives | None:
    """Return what is drawn at every redraw of a 3D view; None if nothing is."""
    drawing = stage.current(stage.Drawing)
    return drawing.primitives if drawing is not None else None
