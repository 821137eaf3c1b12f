# SPDX-License-Identifier: GPL-3.0-or-later
"""What the verdicts are called on the command line and in files. Part of the contract with scripts: never changed."""

from ...core.constants import CROSSING, INSIDE, OUTSIDE, Verdict

NAMES = {
    Verdict.CONTAINED: "contained",
    Verdict.PENETRATING: "penetrating",
    Verdict.TOUCHING: "touching",
    Verdict.WITHIN_CLEARANCE: "within_clearance",
    Verdict.SEPARATED: "separated",
}

# What is wrong in itself, and fails a check unless other verdicts are asked for.
FAULTS = (Verdict.CONTAINED, Verdict.PENETRATING)

CULL_NAMES = {INSIDE: "inside", CROSSING: "crossing", OUTSIDE: "outside"}


def words(verdict: Verdict) -> str:
    """A verdict's name as it stands in a sentence."""
    return NAMES[verdict].replace("_", " ")


def printable(text: str) -> str:
    """Text in which what XML 1.0 cannot hold is replaced: controls, halves of pairs, and what is no character."""
    return "".join(letter if _is_character(ord(letter)) else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _is_character(code: int) -> bool:
    return code in (0x9, 0xA, 0xD) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000
