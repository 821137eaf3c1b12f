# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of levels of detail: ``Rock_LOD0``, ``rock-lod1``, ``Rock LOD 2``, ``Rock lod:20``, ``Tree_LOD0_Leaves``."""

import re
from typing import NamedTuple

# Preceding letters would make it part of a word, unless they are lower case and it is not.
_LEVELS = (
    re.compile(r"(?P<before>|.*[^A-Za-z])(?P<word>[Ll][Oo][Dd][ _:=-]?(?P<number>\d+))(?P<after>|[^A-Za-z0-9].*)"),
    re.compile(r"(?P<before>.*[a-z])(?P<word>LOD(?P<number>\d+))(?P<after>|[^A-Za-z0-9].*)"),
)


class Level(NamedTuple):
    """Parts of a name with a level of detail.

    Attributes
    ----------
    before, after : str
        Parts that the names of all levels of an object share.
    word : str
        The level as written: ``LOD0``.
    number : int
        0 is the most detailed level.
    """

    before: str
    word: str
    number: int
    after: str


def level_of(name: str) -> Level | None:
    """Return the parts of a name with a level of detail. None if it has none."""
    for pattern in _LEVELS:
        found = pattern.fullmatch(name)
        if found is not None:
            return Level(found["before"], found["word"], int(found["number"]), found["after"])
    return None
