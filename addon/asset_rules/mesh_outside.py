# SPDX-License-Identifier: GPL-3.0-or-later
"""Render meshes that stick out of their colliders."""

from collections.abc import Iterator

from .measures import most_outside, surface_points
from .rule import Hit, Length, Limits, Rule, each_body
from .subject import Body


def _find(body: Body, limits: Limits) -> Iterator[Hit]:
    """As far as any point that is looked at does; in truth it may be a little more."""
    render, colliders = body.render, [collider for collider in body.colliders if collider.solid]
    if render is None or not render.solid or not colliders or render in body.colliders:
        return
    enough = limits.sticking_out * render.size
    most = most_outside(surface_points(render.mesh), colliders, enough)
    if most > enough:
        yield Hit(render, {"length": Length(most)})


RULE = Rule(
    id="mesh-sticks-out",
    severity="info",
    engine="any",
    sentence=("Render mesh protrudes from its colliders by {length}: objects pass through the visible surface there."),
    advice="Add a collider there, or enlarge a collider.",
    find=each_body(_find),
)
