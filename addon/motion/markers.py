# SPDX-License-Identifier: GPL-3.0-or-later
"""Where contacts are marked in the timeline, and what the markers say."""

import math
from collections.abc import Sequence

from ..i18n.wrapping import shortened
from ..model.motion_report import MotionContact, MotionReport

# Blender cuts names of markers off at this many bytes.
MOST_BYTES = 63


def places(report: MotionReport, names: Sequence[str]) -> dict[tuple[str, int], None]:
    """Name and frame of a marker for each contact, in their order, given the names of the bodies."""
    return {(_name(contact, names), math.floor(contact.first + 0.5)): None for contact in report.contacts}


def _name(contact: MotionContact, names: Sequence[str]) -> str:
    """Both names and the frame; the middles of long names are left out, so that the frame stays."""
    frame = f" {contact.first:.3f}"
    one, other = names[contact.body_a], names[contact.body_b]
    room = MOST_BYTES - _bytes(f" × {frame}")
    first = shortened(one, max(room // 2, room - _bytes(other)), _bytes)
    second = shortened(other, room - _bytes(first), _bytes)
    return f"{first} × {second}{frame}"


def _bytes(text: str) -> int:
    return len(text.encode())
