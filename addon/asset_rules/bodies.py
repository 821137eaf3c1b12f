# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules for bodies: a render mesh and its colliders, and how far one protrudes from the other."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from .limits import Length, Limits
from .measures import (
    farthest,
    most_outside,
    most_outside_of_hull,
    most_outside_of_surface,
)
from .rule import OneByOne, Place, Rule, each_body
from .subject import Body, Collider

# Dimensionless: a fraction of the size of the visible meshes. The smallest sphere around a cube protrudes from it by 21
# % of its diagonal.
_FAR_OUTSIDE = 0.25


def _orphan(body: Body, _limits: Limits) -> Iterator[Place]:
    if body.render is None:
        yield from ((collider, {}) for collider in body.colliders if not collider.needs_no_mesh)


ORPHAN = Rule(
    id="orphan-collider",
    title="No Render Mesh",
    severity="warning",
    engine="any",
    sentence="Collider has no render mesh, neither by name nor by parent.",
    advice="Name the collider after its render mesh, or parent it to the render mesh.",
    find=each_body(_orphan),
)


def _empty_collider(collider: Collider, _limits: Limits) -> Iterator[Place]:
    yield collider, {}


EMPTY_COLLIDER = Rule(
    id="empty-collider",
    title="Empty Named as Collider",
    severity="warning",
    engine="any",
    sentence="Name says collider, but it is an empty: Unreal, Godot, Unity and glTF import no collider from it.",
    advice="Make a collider for the render mesh, and delete the empty or give it another name.",
    find=OneByOne(lambda scene: scene.empties, _empty_collider),
)


def _no_collider(body: Body, _limits: Limits) -> Iterator[Place]:
    if body.render is not None and body.faces and not body.colliders and not body.by_itself:
        yield body.render, {}


NO_COLLIDER = Rule(
    id="no-collider",
    title="No Collider",
    severity="info",
    engine="any",
    sentence="Render mesh has no collider: objects pass through it.",
    advice="Add a collider if the object should block others.",
    find=each_body(_no_collider),
)


def _mesh_outside(body: Body, limits: Limits) -> Iterator[Place]:
    """The distance at the sampled points. The true distance may be slightly larger."""
    colliders = [collider for collider in body.colliders if collider.solid]
    for render in body.visible:
        if not render.solid or not colliders or render in body.colliders:
            continue
        enough = limits.sticking_out * render.size
        most = most_outside(render, colliders, enough)
        if most > enough:
            yield render, {"length": Length(most)}


MESH_OUTSIDE = Rule(
    id="mesh-sticks-out",
    title="Mesh Protrudes",
    severity="info",
    engine="any",
    sentence=("Render mesh protrudes from its colliders by {length}: objects pass through the visible surface there."),
    advice="Add a collider there, or enlarge a collider.",
    find=each_body(_mesh_outside),
)


def _collider_outside(body: Body, limits: Limits) -> Iterator[Place]:
    """The distance at the sampled points. The true distance may be slightly larger."""
    visible = [one for one in body.visible if one.solid]
    if not visible:
        return
    if limits.max_outside is not None:
        colliders = [one for one in body.colliders if one.solid and one not in visible]
        found = farthest(colliders, visible, limits.max_outside, union=True)
        if found is not None:
            yield colliders[found[0]], {"length": Length(found[1]), "other": visible[0].name}
        return
    for collider in body.colliders:
        if collider in visible or not collider.solid:
            continue
        enough = limits.sticking_out * max(one.size for one in visible)
        most = most_outside_of_surface(collider, visible, enough)
        if most > enough and not _far_outside(collider, visible, limits):
            yield collider, {"length": Length(most), "other": visible[0].name}


COLLIDER_OUTSIDE = Rule(
    id="collider-sticks-out",
    title="Collider Protrudes",
    severity="info",
    engine="any",
    sentence='Collider protrudes from "{other}" by {length}: an invisible wall.',
    advice="Shrink the collider, or split it.",
    find=each_body(_collider_outside),
)


def _far_outside(collider: Collider, visible: Sequence[Collider], limits: Limits) -> float:
    """Return how far a collider is outside of the convex hull of what is visible; 0 if that is not far."""
    enough = max(_FAR_OUTSIDE, limits.sticking_out) * max(one.size for one in visible)
    most = most_outside_of_hull(collider, visible, enough)
    return most if most > enough else 0.0


def _colliders_far_outside(body: Body, limits: Limits) -> Iterator[Place]:
    """Find nothing if the user has set how far is too far, which is an error then."""
    visible = [one for one in body.visible if one.solid]
    if not visible or limits.max_outside is not None:
        return
    for collider in body.colliders:
        if collider.solid and collider not in visible:
            most = _far_outside(collider, visible, limits)
            if most:
                yield collider, {"length": Length(most), "other": visible[0].name}


COLLIDER_FAR_OUTSIDE = Rule(
    id="collider-far-outside",
    title="Collider Far Outside",
    severity="warning",
    engine="any",
    sentence=(
        'Collider protrudes from the convex hull of "{other}" by {length}, more than a quarter of its size: it is '
        "too large, or not where the mesh is."
    ),
    advice="Make the collider again, or check its location and scale.",
    find=each_body(_colliders_far_outside),
)


def _misses(body: Body, limits: Limits) -> Iterator[Place]:
    """Uses certified distances. Applies only if the user has set a limit."""
    colliders = [one for one in body.colliders if one.solid]
    visible = [one for one in body.visible if one.solid and one not in colliders]
    if limits.max_inside is not None and colliders and visible:
        found = farthest(visible, colliders, limits.max_inside)
        if found is not None:
            yield visible[found[0]], {"length": Length(found[1])}


COLLIDER_MISSES = Rule(
    id="collider-misses",
    title="Collider Misses Mesh",
    severity="error",
    engine="any",
    sentence="Render mesh is outside of its colliders by {length}: objects sink in there.",
    advice="Enlarge a collider, or add one there.",
    find=each_body(_misses),
)


def with_thresholds(rules: Sequence[Rule], limits: Limits) -> list[Rule]:
    """Return the rules for these limits. Protruding by more than a threshold of the user is an error."""
    strict = limits.max_outside is not None
    return [replace(one, severity="error") if strict and one is COLLIDER_OUTSIDE else one for one in rules]
