# SPDX-License-Identifier: GPL-3.0-or-later
"""Fit text into the available space: break it into lines, or shorten it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence

from .units import FIXED_UNITS

# The space between a number and its unit, and the spaces in a number with a power of ten.
_UNITS = "|".join(name for _, name in FIXED_UNITS.values())
_BEFORE_UNIT = re.compile(
    rf"(?<=[\d⁰¹²³⁴⁵⁶⁷⁸⁹]) (?=(?:{_UNITS}|rad|ms|s|%)(?![a-z]))|(?<=\d) (?=× 10)|(?<=\d ×) (?=10)"
)

# Limits, because drawing must not wait for thousands of names: number of names with the same first and last letter that
# parts of a name are compared with, and number of parts that are compared with all of these.
MOST_COMPARED = 200
MOST_PARTS = 4
# Number of cached short names, for different widths of a column while it is dragged.
MOST_KNOWN = 10_000

# Separators of words in names.
_SEPARATORS = " ._-/"

# Width of a text.
Measure = Callable[[str], float]


def wrapped(text: str, room: float, width: Measure) -> list[str]:
    """Break text at spaces into lines no wider than `room`. A wider word gets a line of its own.

    A number, its power of ten and its unit stay together, as does text joined by `unbroken`.
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


class ShortNames:
    """Names that appear in one place, such as a list, to be shortened so that they can be distinguished.

    If a name does not fit, its start and its end are kept and, if these do not distinguish it from other names, also a
    part of its middle that does: "Car…2_1", or "S…Door…h".

    Parameters
    ----------
    names : iterable of str
        All names, with repetitions if they occur more than once.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = sorted(set(names))
        self._reversed = sorted(name[::-1] for name in self._names)
        self._known: dict[tuple[str, float, float], str] = {}

    def shortened(self, name: str, room: float, width: Measure) -> str:
        """Shorten a name to the available space. An ellipsis replaces what is left out.

        If some choice of start, end and middle part is unique among the names, such a choice is returned. Choices
        without a middle part are preferred, then those with similar lengths of start and end.

        Parameters
        ----------
        name : str
        room : float
            Width that is available. If not even one letter fits, "…" is returned, even if it is too wide as well.
        width : function
            Returns the width of a text. Longer texts must not be narrower.
        """
        key = name, room, width("…")
        if key not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = name if width(name) <= room else self._shortened(name, room, width)
        return self._known[key]

    def beside(self, names: Sequence[str], rooms: Sequence[float], width: Measure) -> list[str]:
        """Shorten names that are in one row. Different names also look different, if any choice can distinguish them.

        This holds even if the list has so many names that some look like others.
        """
        short = [self.shortened(name, room, width) for name, room in zip(names, rooms, strict=True)]
        if len(set(short)) == len(set(names)):
            return short
        own = ShortNames(names)
        return [own.shortened(name, room, width) for name, room in zip(names, rooms, strict=True)]

    def _shortened(self, name: str, room: float, width: Measure) -> str:
        most = _most(len(name) - 1, lambda kept: width(_ends(name, kept - kept // 2, kept // 2)), room)
        head, tail = most - most // 2, most // 2
        if tail < 1:
            return _ends(name, max(most, 0), 0)
        short, alike = _ends(name, head, tail), self._alike(name, head, tail)
        for start in sorted(range(1, len(name) - 1), key=lambda start: abs(start - head)):
            if not alike:
                return short
            end = _most(len(name) - start - 1, lambda end: width(_ends(name, start, end)), room)  # noqa: B023
            others = self._alike(name, start, end) if end > 0 else alike
            if len(others) < len(alike):
                short, alike = _ends(name, start, end), others
        return (self._with_part(name, len(alike), room, width) or short) if alike else short

    def _alike(self, name: str, head: int, tail: int) -> list[str]:
        """Return the other names with as many of the same first and last letters."""
        start, end = name[:head], name[len(name) - tail :]
        first, last = _beginning(self._names, start), _beginning(self._reversed, end[::-1])
        if len(first) <= len(last):
            found = (self._names[place] for place in first if self._names[place].endswith(end))
        else:
            found = (one for place in last if (one := self._reversed[place][::-1]).startswith(start))
        return [other for other in found if other != name and len(other) > head + tail]

    def _with_part(self, name: str, most: int, room: float, width: Measure) -> str:
        """Return the first and last letters, and the middle part that is shared by the fewest other names.

        Empty if even the best part is shared by `most` others.
        """
        others = [other[2:-2] for other in self._alike(name, 1, 1)]
        compared = others[:: max(-(-len(others) // MOST_COMPARED), 1)]
        ranked = []
        for start in range(2, len(name) - 2):
            length = _most(len(name) - start - 2, lambda length: width(_around(name, start, length)), room)  # noqa: B023
            if length > 0:
                count = _containing(compared, name[start : start + length])
                # Parts that begin with a word are easiest to read.
                ranked.append((count, name[start - 1] not in _SEPARATORS, start, length))
        best = [
            (_containing(others, name[start : start + length]), in_word, start, length)
            for _, in_word, start, length in sorted(ranked)[:MOST_PARTS]
        ]
        count, _, start, length = min(best, default=(most, False, 0, 0))
        return _around(name, start, length) if count < most else ""


def _ends(name: str, head: int, tail: int) -> str:
    return f"{name[:head]}…{name[len(name) - tail :]}"


def _containing(texts: Sequence[str], part: str) -> int:
    return sum(part in text for text in texts)


def _around(name: str, start: int, length: int) -> str:
    return f"{name[0]}…{name[start : start + length]}…{name[-1]}"


def _most(most: int, width: Callable[[int], float], room: float) -> int:
    """Return the largest number up to `most` for which something fits. -1 if there is none."""
    return bisect_right(range(most + 1), room, key=width) - 1


def _beginning(names: list[str], start: str) -> range:
    """Return the range of indices, in sorted names, of those with this prefix."""
    first = bisect_left(names, start)
    return range(first, bisect_right(names, start, lo=first, key=lambda name: name[: len(start)]))
