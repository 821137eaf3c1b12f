# SPDX-License-Identifier: GPL-3.0-or-later
"""Parse values of the command line and of configuration files: lengths, scopes, verdicts."""

import math
import re
from collections.abc import Iterable

from ...core.constants import Verdict
from .verdict_names import NAMES

_METERS = {"": 1.0, "m": 1.0, "cm": 0.01, "mm": 0.001}

# Verdicts that can make a check fail, by their names in reports.
VERDICTS = {name: verdict for verdict, name in NAMES.items() if verdict != Verdict.SEPARATED}

PLANES = ("xy", "xz", "yz", "camera")


# Maximum length in meters, which can be computed with in any scene unit.
LONGEST = 1e30


def length(text: str) -> float:
    """Read a length in meters: a number, or a number with a unit in lower or upper case.

    Raises
    ------
    ValueError
        If it is neither, or not from 0 to `LONGEST`.
    """
    match = re.fullmatch(r"([0-9.e+-]+)\s*(m|cm|mm)?", text.lower(), re.ASCII)
    try:
        value = float(match[1]) * _METERS[match[2] or ""] if match else math.nan
    except ValueError:
        value = math.nan
    if not 0.0 <= value <= LONGEST:
        raise ValueError(f"{text!r} is not a length from 0 to {LONGEST:g} m, such as 0.01, 10mm or 1cm")
    return value


def scope(text: str) -> tuple[str, str]:
    """Read a scope, and its collection if it has one.

    Raises
    ------
    ValueError
        If the scope does not exist.
    """
    name, colon, collection = text.partition(":")
    if name in ("all", "visible", "camera", "selected", "active") and not colon:
        return name.upper(), ""
    if name == "collection" and collection:
        return "COLLECTION", collection
    raise ValueError(f"{text!r} is not all, visible, camera, selected, active or collection:NAME")


def verdicts(names: Iterable[str]) -> frozenset[Verdict]:
    """Read the names of verdicts. "none" means no verdict.

    Raises
    ------
    ValueError
        If a verdict does not exist.
    """
    wanted = [name for name in names if name and name != "none"]
    for name in wanted:
        if name not in VERDICTS:
            raise ValueError(f"{name!r} is not one of {', '.join(VERDICTS)}, none")
    return frozenset(VERDICTS[name] for name in wanted)
