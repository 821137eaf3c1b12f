# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of objects that a check has not tested, and why. Plain data, without Blender."""

from collections import Counter
from collections.abc import Sequence

from .report import HIDDEN, Skipped


def left_out(skipped: Sequence[Skipped]) -> Counter[str]:
    """Number of objects that were left out because of their place in the scene, by reason."""
    return Counter(one.phrase for one in skipped if one.why)


def any_hidden(skipped: Sequence[Skipped]) -> bool:
    """Return whether any of these is only hidden, so that including hidden objects would test it."""
    return any(one.why == HIDDEN for one in skipped)


def not_tested(tested: int, skipped: Sequence[Skipped]) -> str:
    """Return one line with the number of untested objects and the reasons. Empty if all were tested.

    Examples
    --------
    >>> not_tested(2, [Skipped("Lid", "Hidden in the viewport.", HIDDEN)])
    '1 of 3 objects not tested: 1 hidden in the viewport'
    >>> not_tested(2, [Skipped("Lid", "Hidden in the viewport.", HIDDEN), Skipped("Path", "Mesh has no faces.")])
    '2 of 4 objects not tested: 1 hidden in the viewport, 1 for another reason (mesh has no faces)'
    """
    if not skipped:
        return ""
    counts = left_out(skipped)
    parts = [f"{count} {phrase}" for phrase, count in counts.most_common()]
    others = len(skipped) - counts.total()
    if others and parts:
        reasons = {one.phrase for one in skipped if not one.why}
        told = "other reasons" if len(reasons) > 1 else f"another reason ({reasons.pop()})"
        parts.append(f"{others} for {told}")
    why = f": {', '.join(parts)}" if parts else ""
    return f"{len(skipped)} of {tested + len(skipped)} objects not tested{why}"
