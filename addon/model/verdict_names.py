# SPDX-License-Identifier: GPL-3.0-or-later
"""What the verdicts are called on the command line and in files. Part of the contract with scripts: never changed."""

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
