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
        "It is {length} deep in the collider “{other}” of the same body: contacts are found twice there, and "
        "a mass computed from them is too large."
    ),
    advice="Move or shrink one of the two, or make one collider of them.",
    find=each_body(_find),
)
