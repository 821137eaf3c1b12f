# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders of one body that overlap."""

from collections.abc import Iterator

from .among import pairs_of
from .rule import Hit, Length, Limits, Rule, each_body
from .subject import Body


def _find(body: Body, limits: Limits) -> Iterator[Hit]:
    """Engines allow it, and it may be meant; one inside the other has a rule of its own."""
    found = pairs_of(body)
    for (first, second), depth, nested in zip(
        found.pairs, found.depth, found.first_inside | found.second_inside, strict=True
    ):
        one, other = found.colliders[first], found.colliders[second]
        if not nested and depth > limits.overlap * min(one.size, other.size):
            yield Hit(other, {"length": Length(depth), "other": one.name})


RULE = Rule(
    id="overlapping-colliders",
    severity="info",
    engine="any",
    sentence=(
        'Collider overlaps the collider "{other}" of the same body by {length}: contacts are doubled '
        "and the mass is too large."
    ),
    advice="Move or shrink one of the two, or merge them into one collider.",
    find=each_body(_find),
)
