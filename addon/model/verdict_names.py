# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of verdicts on the command line and in files. Part of the contract with scripts: never changed."""

from typing import TYPE_CHECKING

from ...core.constants import CROSSING, INSIDE, OUTSIDE, Verdict
from ..system.late import np

if TYPE_CHECKING:
    from ...core.numerics.types import Ints

# The worst first.
NAMES = {
    Verdict.DUPLICATE: "duplicate",
    Verdict.CONTAINED: "contained",
    Verdict.PENETRATING: "penetrating",
    Verdict.COPLANAR: "coplanar",
    Verdict.TOUCHING: "touching",
    Verdict.WITHIN_CLEARANCE: "within_clearance",
    Verdict.SEPARATED: "separated",
}

# What is wrong in itself, and fails a check unless other verdicts are asked for.
FAULTS = (Verdict.DUPLICATE, Verdict.CONTAINED, Verdict.PENETRATING, Verdict.COPLANAR)

# Of these, one object is in the other.
DEEP = (Verdict.DUPLICATE, Verdict.CONTAINED, Verdict.PENETRATING)

# How bad each verdict is, by its number: the number of verdicts that are more harmless.
RANKS = [list(reversed(NAMES)).index(verdict) for verdict in sorted(Verdict)]

CULL_NAMES = {INSIDE: "inside", CROSSING: "crossing", OUTSIDE: "outside"}


def ranks(verdicts: "Ints") -> "Ints":
    """How bad verdicts are; the worst has the largest number."""
    return np.array(RANKS, dtype=np.int64)[verdicts]


def words(verdict: Verdict) -> str:
    """A verdict's name as it stands in a sentence."""
    return NAMES[verdict].replace("_", " ")
