# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders that stand for nothing."""

from collections.abc import Iterator

from .rule import Hit, Limits, Rule, each_body
from .subject import Body


def _find(body: Body, _limits: Limits) -> Iterator[Hit]:
    if body.render is None:
        yield from (Hit(collider, {}) for collider in body.colliders)


RULE = Rule(
    id="orphan-collider",
    severity="warning",
    engine="any",
    sentence="Collider has no render mesh, neither by name nor by parent.",
    advice="Name the collider after its render mesh, or parent it to the render mesh.",
    find=each_body(_find),
)
