# SPDX-License-Identifier: GPL-3.0-or-later
"""How many objects a check has not tested, and why. Plain data, no Blender in it."""

from collections import Counter
from collections.abc import Sequence

from .report import HIDDEN, Skipped


def left_out(skipped: Sequence[Skipped]) -> Counter[str]:
    """How many objects were left out because of where they are, by the reason as a phrase."""
    return Counter(one.phrase for one in skipped if one.why)


def any_hidden(skipped: Sequence[Skipped]) -> bool:
    """Whether any of these is only hidden, so that it can be tested where hidden objects are included."""
    return any(one.why == HIDDEN for one in skipped)


def not_tested(tested: int, skipped: Sequence[Skipped]) -> str:
    """How many of all objects were not tested, and why, in one line; "" if all were tested.

    Examples
    --------
    >>> not_tested(2, [Skipped("Lid", "Hidden in the viewport.", HIDDEN)])
    '1 of 3 objects not tested: 1 hidden in the viewport'
    """
    if not skipped:
        return ""
    counts = left_out(skipped)
    parts = [f"{count} {phrase}" for phrase, count in counts.most_common()]
    others = len(skipped) - counts.total()
    if others and parts:
        parts.append(f"{others} for other reasons")
    why = f": {', '.join(parts)}" if parts else ""
    return f"{len(skipped)} of {tested + len(skipped)} objects not tested{why}"
