# SPDX-License-Identifier: GPL-3.0-or-later
"""Names and icons of verdicts in the interface."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...core.constants import Verdict


class VerdictText(NamedTuple):
    """Name of a verdict, with the number of pairs, its icon, and whether it is a fault."""

    name: str
    counted: str
    icon: Any  # the stubs have a separate type for icons, which has no name
    alert: bool


# Worst first.
VERDICTS = {
    Verdict.DUPLICATE: VerdictText("Duplicate", "{count} duplicate", "DUPLICATE", True),
    Verdict.CONTAINED: VerdictText("Contained", "{count} contained", "PROP_ON", True),
    Verdict.PENETRATING: VerdictText("Penetrating", "{count} penetrating", "SELECT_INTERSECT", True),
    Verdict.COPLANAR: VerdictText("Coplanar", "{count} coplanar", "FACESEL", True),
    Verdict.TOUCHING: VerdictText("Touching", "{count} touching", "UV_ISLANDSEL", False),
    Verdict.WITHIN_CLEARANCE: VerdictText("Within Clearance", "{count} within clearance", "DRIVER_DISTANCE", False),
    Verdict.SEPARATED: VerdictText("Separated", "{count} separated", "CHECKMARK", False),
}


def found(counts: Mapping[Verdict, int]) -> list[tuple[VerdictText, int]]:
    """Return the verdicts of at least one pair, worst first, with the numbers of pairs."""
    return [(text, counts[verdict]) for verdict, text in VERDICTS.items() if counts[verdict]]
