# SPDX-License-Identifier: GPL-3.0-or-later
"""What the verdicts are called on the command line and in files. Part of the contract with scripts: never changed."""

import re

from ...core.constants import CROSSING, INSIDE, OUTSIDE, Verdict

NAMES = {
    Verdict.DUPLICATE: "duplicate",
    Verdict.CONTAINED: "contained",
    Verdict.PENETRATING: "penetrating",
    Verdict.TOUCHING: "touching",
    Verdict.WITHIN_CLEARANCE: "within_clearance",
    Verdict.SEPARATED: "separated",
}

# What is wrong in itself, and fails a check unless other verdicts are asked for.
FAULTS = (Verdict.DUPLICATE, Verdict.CONTAINED, Verdict.PENETRATING)

CULL_NAMES = {INSIDE: "inside", CROSSING: "crossing", OUTSIDE: "outside"}


def words(verdict: Verdict) -> str:
    """A verdict's name as it stands in a sentence."""
    return NAMES[verdict].replace("_", " ")


_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def printable(text: str) -> str:
    """Text in which what XML 1.0 cannot hold is replaced: controls, halves of pairs, and what is no character."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
