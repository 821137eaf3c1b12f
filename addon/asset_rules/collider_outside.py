# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders that stick out of their render mesh."""

from collections.abc import Iterator

from .measures import collider_points, outside_of_surface
from .rule import Hit, Length, Limits, Rule, each_body
from .subject import Body


def _find(body: Body, limits: Limits) -> Iterator[Hit]:
    """As far as any point that is looked at does; in truth it may be a little more."""
    render = body.render
    if render is None or not render.solid:
        return
    for collider in body.colliders:
        if collider is render or not collider.solid:
            continue
        most = float(outside_of_surface(collider_points(collider), render).max())
        if most > limits.sticking_out * render.size:
            yield Hit(collider, {"length": Length(most), "other": render.name})


RULE = Rule(
    id="collider-sticks-out",
    severity="info",
    engine="any",
    sentence='Collider protrudes from "{other}" by {length}: an invisible wall.',
    advice="Shrink the collider, or split it.",
    find=each_body(_find),
)
