# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames, contacts and lists of names as the panels of motion write them."""

from collections.abc import Sequence
from typing import Any

from ...i18n.lookup import enumerated, label_
from ...model.motion_report import NEAR

# A key of one color for contacts that begin, of another for those that are there from the start.
ICONS: dict[str, Any] = {
    "new": "KEYTYPE_EXTREME_VEC",
    "started": "KEYTYPE_BREAKDOWN_VEC",
    "undecided": "QUESTION",
    "near": "KEYTYPE_MOVING_HOLD_VEC",
}


def counted(status: str, count: int) -> str:
    """Return how many contacts are of a status, one of `model.motion_report.STATUSES`, or how many near misses."""
    if status == NEAR:
        return label_("{count} near misses", count=count)
    if status == "new":
        return label_("{count} new contacts", count=count)
    if status == "started":
        return label_("{count} touching from the start", count=count)
    return label_("{count} undecided", count=count)


def frame_text(frame: float) -> str:
    """Return a frame with three decimals; a minus sign is a long one, as in the other panels."""
    return f"{round(frame, 3) + 0.0:.3f}".replace("-", "−")


def listed(names: Sequence[str], most: int) -> str:
    """Return names with commas between; of more than `most`, how many others there are."""
    more = [label_("and {count} more", count=len(names) - most)] if len(names) > most else []
    return enumerated([*names[:most], *more])
