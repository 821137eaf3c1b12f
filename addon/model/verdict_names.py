# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of verdicts on the command line and in files. Part of the contract with scripts: they never change."""

from typing import TYPE_CHECKING

from ...core.constants import CROSSING, INSIDE, OUTSIDE, Verdict
from ..system.late import np

if TYPE_CHECKING:
    from ...core.numerics.types import Ints

# Worst first.
NAMES = {
    Verdict.DUPLICATE: "duplicate",
    Verdict.CONTAINED: "contained",
    Verdict.PENETRATING: "penetrating",
    Verdict.COPLANAR: "coplanar",
    Verdict.TOUCHING: "touching",
    Verdict.WITHIN_CLEARANCE: "within_clearance",
    Verdict.SEPARATED: "separated",
}

# Faults, which fail a check by default.
FAULTS = (Verdict.DUPLICATE, Verdict.CONTAINED, Verdict.PENETRATING, Verdict.COPLANAR)

# Verdicts among them with one object in the other.
DEEP = (Verdict.DUPLICATE, Verdict.CONTAINED, Verdict.PENETRATING)

# Badness of each verdict, by its number: the number of better verdicts.
RANKS = [list(reversed(NAMES)).index(verdict) for verdict in sorted(Verdict)]

CULL_NAMES = {INSIDE: "inside", CROSSING: "crossing", OUTSIDE: "outside"}


def ranks(verdicts: "Ints") -> "Ints":
    """Return the badness of verdicts. The worst has the largest number."""
    return np.array(RANKS, dtype=np.int64)[verdicts]


def words(verdict: Verdict) -> str:
    """Return the name of a verdict as used in a sentence."""
    return NAMES[verdict].replace("_", " ")
