# SPDX-License-Identifier: GPL-3.0-or-later
"""Text in the room that there is: broken into lines, or shortened."""

import re
from collections.abc import Callable

from .units import FIXED_UNITS

# The space between a number and its unit.
_BEFORE_UNIT = re.compile(rf"(?<=\d) (?=(?:{'|'.join(name for _, name in FIXED_UNITS.values())}|rad|ms|s|%)(?![a-z]))")

# The width of a text.
Measure = Callable[[str], float]


def wrapped(text: str, room: float, width: Measure) -> list[str]:
    """Break text at spaces into lines no wider than `room`; a word that is wider has a line of its own.

    A number and its unit stay together, and what `unbroken` has joined.
    """
    lines: list[str] = []
    for word in _BEFORE_UNIT.sub("\N{NO-BREAK SPACE}", text).split(" ") if text else ():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def unbroken(text: str) -> str:
    """Keep the parts of a direction, or a number and what it counts, on one line."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def shortened(name: str, room: float, width: Measure) -> str:
    """Leave out as much of the middle of a name as is too wide; its end, often a number, stays."""
    left_out = 0
    short = name
    while width(short) > room and left_out < len(name):
        left_out += 1
        kept = len(name) - left_out
        short = f"{name[: (kept + 1) // 2]}…{name[len(name) - kept // 2 :]}"
    return short
