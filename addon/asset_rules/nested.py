# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders inside others."""

from collections.abc import Iterator

from .among import pairs_of
from .rule import Hit, Limits, Rule, each_body
from .subject import Body


def _find(body: Body, _limits: Limits) -> Iterator[Hit]:
    """Of two that are the same, the second; each collider once."""
    found = pairs_of(body)
    said = set()
    for (first, second), inner, outer in zip(found.pairs, found.first_inside, found.second_inside, strict=True):
        row, other = (int(second), int(first)) if outer else (int(first), int(second))
        if (inner or outer) and row not in said:
            said.add(row)
            yield Hit(found.colliders[row], {"other": found.colliders[other].name})


RULE = Rule(
    id="nested-collider",
    severity="warning",
    engine="any",
    sentence='Collider is inside the collider "{other}", where nothing can touch it.',
    advice="Delete the collider.",
    find=each_body(_find),
)
