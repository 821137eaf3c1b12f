# SPDX-License-Identifier: GPL-3.0-or-later
"""Text in the room that there is: broken into lines, or shortened."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable

from .units import FIXED_UNITS

# The space between a number and its unit, and those in a number with a power of ten.
_UNITS = "|".join(name for _, name in FIXED_UNITS.values())
_BEFORE_UNIT = re.compile(
    rf"(?<=[\d⁰¹²³⁴⁵⁶⁷⁸⁹]) (?=(?:{_UNITS}|rad|ms|s|%)(?![a-z]))|(?<=\d) (?=× 10)|(?<=\d ×) (?=10)"
)

# Drawing must not wait for thousands of names: parts of a name are compared with so many that look the same, and so
# many of the parts with all names.
MOST_COMPARED = 200
MOST_PARTS = 4
# Shortened names that are remembered, for the widths that a column had while it was dragged.
MOST_KNOWN = 10_000

# What separates words in names.
_SEPARATORS = " ._-/"

# The width of a text.
Measure = Callable[[str], float]


def wrapped(text: str, room: float, width: Measure) -> list[str]:
    """Break text at spaces into lines no wider than `room`; a word that is wider has a line of its own.

    A number, its power of ten and its unit stay together, and what `unbroken` has joined.
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


class ShortNames:
    """Names that appear in one list.

    Parameters
    ----------
    names : iterable of str
        All names, each as often as it may be.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = sorted(set(names))
        self._reversed = sorted(name[::-1] for name in self._names)
        self._known: dict[tuple[str, float, float], str] = {}

    def shortened(self, name: str, room: float, width: Measure) -> str:
        """Leave out what a name has in common with others, if not all of it has room.

        The middle is left out. Where other names would then look the same, less is left of the start and more of the
        end, or the other way round. If that does not help, a part from within the name is shown.
        """
        key = name, room, width("…")
        if key not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = self._shortened(name, room, width)
        return self._known[key]

    def _shortened(self, name: str, room: float, width: Measure) -> str:
        short = shortened(name, room, width)
        if short in {name, "…"}:
            return short
        middle = len(short) // 2
        alike = self._alike(name, middle, len(short) - 1 - middle)
        for head in sorted(range(len(name)), key=lambda head: abs(head - middle)):
            if not alike:
                return short
            tail = _most(len(name) - head - 1, lambda tail: width(_ends(name, head, tail)), room)  # noqa: B023
            others = self._alike(name, head, tail) if tail >= 0 else alike
            if len(others) < len(alike):
                short, alike = _ends(name, head, tail), others
        return self._part(name, alike, room, width) or short if alike else short

    def _alike(self, name: str, head: int, tail: int) -> list[str]:
        """The other names that begin and end with as many of the same letters."""
        start, end = name[:head], name[len(name) - tail :]
        first, last = _beginning(self._names, start), _beginning(self._reversed, end[::-1])
        if len(first) <= len(last):
            found = (self._names[place] for place in first if self._names[place].endswith(end))
        else:
            found = (one for place in last if (one := self._reversed[place][::-1]).startswith(start))
        return [other for other in found if other != name]

    def _part(self, name: str, alike: list[str], room: float, width: Measure) -> str:
        """The part from within a name that fewest other names have; empty if it is no better than the ends."""
        compared = alike[:: -(-len(alike) // MOST_COMPARED)]
        ranked = []
        for start in range(1, len(name) - 1):
            length = _most(len(name) - start - 1, lambda length: width(f"…{name[start : start + length]}…"), room)  # noqa: B023
            if length > 0:
                part = name[start : start + length]
                ranked.append((sum(part in other for other in compared), name[start - 1] not in _SEPARATORS, part))
        counted = [(sum(part in other for other in self._names) - 1, part) for *_, part in sorted(ranked)[:MOST_PARTS]]
        count, best = min(counted, default=(len(alike), ""))
        return f"…{best}…" if count < len(alike) else ""


def _ends(name: str, head: int, tail: int) -> str:
    return f"{name[:head]}…{name[len(name) - tail :]}"


def _most(most: int, width: Callable[[int], float], room: float) -> int:
    """The largest number up to `most` for which something has room; -1 if there is none."""
    return bisect_right(range(most + 1), room, key=width) - 1


def _beginning(names: list[str], start: str) -> range:
    """The places, in sorted names, of those that begin with this."""
    first = bisect_left(names, start)
    return range(first, bisect_right(names, start, lo=first, key=lambda name: name[: len(start)]))
