# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of the interface about the kinds of issues of a probe."""

from collections.abc import Callable
from typing import Any, NamedTuple

from ...model.probe_report import KIND_NAMES


class KindText(NamedTuple):
    """Name of a kind of issue, how many there are of it, and its icon."""

    name: str
    counted: str
    icon: Any


# In the order of `model.probe_report.KINDS`.
KIND_TEXTS = {
    "fall": KindText(KIND_NAMES["fall"], "{count} falls", "TRIA_DOWN_BAR"),
    "stuck": KindText(KIND_NAMES["stuck"], "{count} places without a way back", "LOCKED"),
    "snag": KindText(KIND_NAMES["snag"], "{count} snags", "SHARPCURVE"),
    "squeeze": KindText(KIND_NAMES["squeeze"], "{count} narrow passages", "ARROW_LEFTRIGHT"),
    "step": KindText(KIND_NAMES["step"], "{count} high steps", "IPO_CONSTANT"),
    "slope": KindText(KIND_NAMES["slope"], "{count} steep slopes", "IPO_LINEAR"),
    "unreachable": KindText(KIND_NAMES["unreachable"], "{count} unreachable floors", "UNLINKED"),
}


def counted(kind: str, count: int, text_of: Callable[..., str]) -> str:
    """Return the number of issues of a kind as text. `text_of` translates."""
    return text_of(KIND_TEXTS[kind].counted, count=count)
