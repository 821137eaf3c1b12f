# SPDX-License-Identifier: GPL-3.0-or-later
"""Timeline markers of contacts: their frames and names."""

import math
from collections.abc import Sequence

from ..i18n.wrapping import ShortNames
from ..model.motion_report import MotionContact, MotionReport

# Blender truncates marker names to this many bytes.
MOST_BYTES = 63


def places(report: MotionReport, names: Sequence[str]) -> dict[tuple[str, int], None]:
    """Return name and frame of a marker for each contact that is not ignored, given the names of the bodies."""
    short = ShortNames(names)
    return {
        (_name(contact, names, short), math.floor(contact.first + 0.5)): None
        for contact in report.contacts
        if contact.ignored < 0
    }


def _name(contact: MotionContact, names: Sequence[str], short: ShortNames) -> str:
    """Return both names and the frame. Long names are shortened, so that the frame remains."""
    frame = f" {contact.first:.3f}"
    one, other = names[contact.body_a], names[contact.body_b]
    room = MOST_BYTES - _bytes(f" × {frame}")
    first = short.shortened(one, max(room // 2, room - _bytes(other)), _bytes)
    second = short.shortened(other, room - _bytes(first), _bytes)
    return f"{first} × {second}{frame}"


def _bytes(text: str) -> int:
    return len(text.encode())
