# SPDX-License-Identifier: GPL-3.0-or-later
"""Passages that are slightly too narrow for a character."""

from __future__ import annotations

import numpy as np

from .finding import Finding
from .findings import Found
from .passages import Passage


def squeezes(found: Found, passages: list[Passage]) -> list[Finding]:
    """Report passages that are narrower than the character."""
    foot = np.array([0.0, 0.0, found.level.walker.radius])
    out, result = found.frame.out, []
    for one in passages:
        if one.width >= 2.0 * found.character.radius:
            continue
        ends = [pose[:3] for pose, _ in one.ends]
        beyond = max(ends, key=lambda end: float(np.hypot(*(end[:2] - one.place[:2]))))
        point = np.array([one.middle[0], one.middle[1], found.walk.values[one.event, 10]])
        pose = int(found.walk.events[one.event, 0])
        places = out(point), out(one.place - foot), out(beyond - foot), out(one.contact)
        result.append(Finding("squeeze", *places, one.shapes, one.width, 0.0, 0.0, pose))
    return result
