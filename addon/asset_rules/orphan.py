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
    sentence="There is no render mesh that it could stand for, by its name or as its parent.",
    advice="Name it after its render mesh, or make it a child of it.",
    find=each_body(_find),
)
