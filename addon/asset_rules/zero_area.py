# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles without area."""

import numpy as np

from ...core.numerics.tolerances import RULE_ROUNDING
from ...core.numerics.vectors import length
from .rule import Limits, Rule, Values, each_collider
from .subject import Collider


def _find(collider: Collider, _limits: Limits) -> Values | None:
    """No area: no higher over its longest side than coordinates are rounded by."""
    corners = collider.points[collider.triangles]
    longest = length(corners - np.roll(corners, 1, axis=1)).max(axis=1)
    area = length(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    rounding = RULE_ROUNDING * np.abs(corners).max()
    count = int(np.count_nonzero(area <= rounding * longest))
    return {"count": count} if count else None


RULE = Rule(
    id="zero-area",
    severity="warning",
    engine="any",
    sentence="Mesh has {count} triangles without area.",
    advice="Dissolve degenerate faces.",
    find=each_collider(_find),
    fix="clean",
)
