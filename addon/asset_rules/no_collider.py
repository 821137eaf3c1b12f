# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that nothing stands for."""

from collections.abc import Iterator

from .rule import Hit, Limits, Rule, each_body
from .subject import Body


def _find(body: Body, _limits: Limits) -> Iterator[Hit]:
    if body.render is not None and not body.colliders and not body.by_itself:
        yield Hit(body.render, {})


RULE = Rule(
    id="no-collider",
    severity="info",
    engine="any",
    sentence="Render mesh has no collider: objects pass through it.",
    advice="Add a collider if the object should block others.",
    find=each_body(_find),
)
