# SPDX-License-Identifier: GPL-3.0-or-later
"""Callbacks of the plane of a check; see `callbacks` for why imports are inside functions."""

from typing import Any


def plane_changed(_settings: Any, _context: Any) -> None:
    """Remove drawn pieces of another plane, and report that the settings of the scene have changed."""
    from ...scene import events
    from ...viewport import convex_pieces

    convex_pieces.hide()
    events.on_settings.publish()
