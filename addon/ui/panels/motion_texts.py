# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of frames, contacts and lists of names in the motion panels."""

from collections.abc import Sequence
from typing import Any

from ...i18n.lookup import enumerated, label_
from ...model.motion_report import NEAR

# A keyframe icon of one color for contacts that begin, of another for those that exist from the start.
ICONS: dict[str, Any] = {
    "new": "KEYTYPE_EXTREME_VEC",
    "started": "KEYTYPE_BREAKDOWN_VEC",
    "undecided": "QUESTION",
    "near": "KEYTYPE_MOVING_HOLD_VEC",
}


def counted(status: str, count: int) -> str:
    """Return the number of contacts with a status of `model.motion_report.STATUSES`, or of near misses."""
    if status == NEAR:
        return label_("{count} near misses", count=count)
    if status == "new":
        return label_("{count} new contacts", count=count)
    if status == "started":
        return label_("{count} touching from the start", count=count)
    return label_("{count} undecided", count=count)


def frame_text(frame: float) -> str:
    """Return a frame with three decimals and a proper minus sign, as in the other panels."""
    return f"{round(frame, 3) + 0.0:.3f}".replace("-", "−")


def listed(names: Sequence[str], most: int) -> str:
    """Return names separated by commas. If there are more than `most`, the number of others follows."""
    more = [label_("and {count} more", count=len(names) - most)] if len(names) > most else []
    return enumerated([*names[:most], *more])
