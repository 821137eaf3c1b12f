# SPDX-License-Identifier: GPL-3.0-or-later
"""Callbacks of the plane of a check; `callbacks` says why imports are inside functions."""

from typing import Any


def plane_changed(_settings: Any, _context: Any) -> None:
    """Draw no pieces that belong to another plane, and tell that the settings of the scene are others."""
    from ...scene import events
    from ...viewport import convex_pieces

    convex_pieces.hide()
    events.on_settings.publish()
