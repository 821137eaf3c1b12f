# SPDX-License-Identifier: GPL-3.0-or-later
"""Friction, restitution, filters and bodies of colliders, converted between glTF files and object settings."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import bpy

from ..exchange import sentences
from ..exchange.issues import FileIssues
from ..scene.colliders.imported_bodies import join_body
from ..scene.objects.collision_settings import (
    ANY,
    GROUPS,
    groups_of,
    has_own_groups,
    has_rigid_groups,
    has_surface,
    margin_of,
    part_of,
    surface_of,
)
from ..scene.objects.moving import ancestors
from ..scene.objects.owners import is_collider, render_mesh_above
from ..scene.settings import object_settings
from .declared import Declared
from .filters import ALL, bits_of, filter_entry, group_and_mask, systems_of


def set_physics(made: Sequence[tuple[Declared, bpy.types.Object]], issues: FileIssues) -> None:
    """Set the surface properties and the groups from the file."""
    bits, left = bits_of(one.filter for one, _ in made if one.filter is not None)
    for one, ob in made:
        settings = object_settings(ob)
        if one.material is not None:
            settings.own_surface = True
            settings.friction = one.material.friction
            settings.restitution = one.material.restitution
            if one.material.restitution > settings.restitution:
                issues.add(ob.name, sentences.RESTITUTION, value=f"{one.material.restitution:.3g}")
        if one.filter is not None:
            settings.own_groups = True
            settings.groups, settings.mask = (_flags(value) for value in group_and_mask(one.filter, bits))
            lost = sorted(set(left) & {*one.filter.systems, *(one.filter.collides_with or ()), *one.filter.ignores})
            if lost:
                issues.add(ob.name, sentences.NO_GROUP, names=", ".join(lost))


def join_bodies(
    made: Sequence[tuple[Declared, bpy.types.Object]],
    found: Mapping[Any, bpy.types.Object],
    seen: Iterable[int],
    bodies: Sequence[int],
    motions: Sequence[str],
) -> None:
    """Assign objects to the bodies of the file.

    Parameters
    ----------
    made : sequence of (Declared, object)
    found : mapping of int to object
        Object of each node.
    seen : iterable of int
        Nodes whose objects are visible.
    bodies : sequence of int
        Body of each node; see `node_bodies`.
    motions : sequence of str
        Motion type of each node if it is a body; see `motion_of`.
    """
    solid: defaultdict[int, list[bpy.types.Object]] = defaultdict(list)
    visible: defaultdict[int, list[bpy.types.Object]] = defaultdict(list)
    triggers: set[int] = set()
    for one, ob in made:
        if one.trigger:
            triggers.add(bodies[one.node])
        else:
            solid[bodies[one.node]].append(ob)
    itself = {ob for _, ob in made}
    for node in seen:
        if found[node] not in itself:
            visible[bodies[node]].append(found[node])
    for body in found.keys() & {*solid, *visible}:
        join_body(found[body], solid[body], visible[body], triggers=body in triggers)
        if solid[body]:
            object_settings(found[body]).motion = motions[body]


def physics_of(
    ob: bpy.types.Object, trigger: bool, systems: int, issues: FileIssues
) -> list[tuple[str, str, dict[str, Any]]]:
    """Return references of a collider to materials and filters: the field, the list of the file, and the entry.

    Parameters
    ----------
    ob : bpy.types.Object
    trigger : bool
    systems : int
        Collision systems of the file, as from `systems_of`. If there are any, all colliders have filters.
    issues : FileIssues
    """
    entries: list[tuple[str, str, dict[str, Any]]] = []
    if not trigger and has_surface(ob):
        surface = surface_of(ob)
        material = {
            "staticFriction": surface.friction,
            "dynamicFriction": surface.friction,
            "restitution": surface.restitution,
        }
        entries.append(("physicsMaterial", "physicsMaterials", material))
    if systems:
        groups = groups_of(ob) if has_own_groups(ob) or systems & ~ALL else ANY
        entries.append(("collisionFilter", "collisionFilters", filter_entry(groups, systems)))
    if margin_of(ob) != 0.0:
        issues.add(ob.name, sentences.MARGIN)
    body = part_of((render_mesh_above(ob) if is_collider(ob) else None) or ob)
    if body is not None and body not in ancestors(ob):
        issues.add(ob.name, sentences.OTHER_BODY, body=body.name)
    return entries


def systems_for(objects: Sequence[bpy.types.Object]) -> int:
    """Return the collision systems of a file with some colliders. 0 if no two of them are excluded from colliding."""
    own = {groups_of(ob) for ob in objects if has_own_groups(ob)}
    rigid = {groups_of(ob) for ob in objects if has_rigid_groups(ob)} - own
    # Collections that all rigid bodies are in do not separate them.
    return systems_of({ANY, *own, *(rigid if len(rigid) > 1 else ())}) if own or len(rigid) > 1 else 0


def _flags(bits: int) -> tuple[bool, ...]:
    return tuple(bool(bits >> place & 1) for place in range(GROUPS))
