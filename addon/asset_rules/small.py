# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders that are too small."""

import numpy as np

from .rule import Length, Limits, Rule, Values, each_collider
from .subject import Collider


def _find(collider: Collider, limits: Limits) -> Values | None:
    """By its extent along the axes of the object, in the world; what is flat has a rule of its own."""
    stretch = np.sqrt((collider.linear**2).sum(axis=0))
    thin = float((np.ptp(collider.points, axis=0) * stretch).min())
    return {"length": Length(thin)} if thin < limits.smallest and collider.hull.dimension == 3 else None


RULE = Rule(
    id="too-small",
    severity="warning",
    engine="any",
    sentence="Thickness is only {length}: fast objects tunnel through it and stacks jitter.",
    advice="Make the collider thicker, or delete it.",
    find=each_collider(_find),
)
