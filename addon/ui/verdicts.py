# SPDX-License-Identifier: GPL-3.0-or-later
"""How the interface shows each verdict."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...core.constants import Verdict


class VerdictText(NamedTuple):
    """A verdict's name, how many pairs got it, its icon, and whether it is a fault."""

    name: str
    counted: str
    icon: Any  # the stubs have a type of its own for icons, which has no name
    alert: bool


# The worst first.
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
    """The verdicts that at least one pair got, the worst first, with how many did."""
    return [(text, counts[verdict]) for verdict, text in VERDICTS.items() if counts[verdict]]
