# SPDX-License-Identifier: GPL-3.0-or-later
"""Friction, restitution, filters and bodies of colliders, between a glTF file and the settings of objects."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import bpy

from ..scene.objects.moving import ancestors
from ..scene.objects.owners import is_collider, render_mesh_above
from ..scene.objects.traits import GROUPS, groups_of, has_rigid_body, margin_of, part_of, settings_of, surface_of
from ..scene.settings import object_settings
from . import sentences
from .declared import Declared
from .filters import ALL, bits_of, filter_entry, group_and_mask
from .notes import Notes


def set_physics(made: Sequence[tuple[Declared, bpy.types.Object]], notes: Notes) -> None:
    """Give objects the surface and the groups that the file has for them."""
    bits, left = bits_of(one.filter for one, _ in made if one.filter is not None)
    for one, ob in made:
        settings = object_settings(ob)
        if one.material is not None:
            settings.own_surface = True
            settings.friction = one.material.friction
            settings.restitution = one.material.restitution
            if one.material.restitution > settings.restitution:
                notes.add(ob.name, sentences.RESTITUTION, value=f"{one.material.restitution:.3g}")
        if one.filter is not None:
            settings.own_groups = True
            settings.groups, settings.mask = (_flags(value) for value in group_and_mask(one.filter, bits))
            lost = sorted(set(left) & {*one.filter.systems, *(one.filter.collides_with or ()), *one.filter.ignores})
            if lost:
                notes.add(ob.name, sentences.NO_GROUP, names=", ".join(lost))


def join_bodies(
    made: Sequence[tuple[Declared, bpy.types.Object]],
    found: Mapping[Any, bpy.types.Object],
    seen: Iterable[int],
    bodies: Sequence[int],
    motions: Sequence[str],
) -> None:
    """Have objects be part of the bodies that the file has.

    Parameters
    ----------
    made : sequence of (Declared, object)
    found : mapping of int to object
        The object of each node.
    seen : iterable of int
        The nodes whose objects are seen.
    bodies : sequence of int
        The body of each node; see `node_bodies`.
    motions : sequence of str
        How each node moves if it is a body; see `motion_of`.
    """
    solid: defaultdict[int, list[bpy.types.Object]] = defaultdict(list)
    triggers: set[int] = set()
    for one, ob in made:
        body = bodies[one.node]
        if one.trigger:
            triggers.add(body)
        elif body in found:
            solid[body].append(ob)
            _join((render_mesh_above(ob) if is_collider(ob) else None) or ob, found[body])
    for body in solid:
        object_settings(found[body]).motion = motions[body]
    itself = {ob for _, ob in made}
    for node in seen:
        ob, body = found[node], bodies[node]
        if ob in itself or body not in found:
            continue
        if body in solid:
            _join(ob, found[body])
        # Without colliders that stand for it, nothing says that it is only seen.
        if not any(is_collider(one) for one in solid.get(body, ())) and (body in solid or body in triggers):
            object_settings(ob).shape = "NONE"


def _join(ob: bpy.types.Object, body: bpy.types.Object) -> None:
    """Have an object be part of a body."""
    if ob != body:
        object_settings(ob).part_of = body


def physics_of(
    ob: bpy.types.Object, trigger: bool, grouped: bool, notes: Notes
) -> list[tuple[str, str, dict[str, Any]]]:
    """What else a file says of a collider: the field, the list of the file that it points into, and the entry there.

    Parameters
    ----------
    ob : bpy.types.Object
    trigger : bool
    grouped : bool
        Whether some collider of the file has groups of its own: then all have theirs.
    notes : Notes
    """
    entries: list[tuple[str, str, dict[str, Any]]] = []
    if not trigger and (settings_of(ob).own_surface or has_rigid_body(ob)):
        surface = surface_of(ob)
        material = {
            "staticFriction": surface.friction,
            "dynamicFriction": surface.friction,
            "restitution": surface.restitution,
        }
        entries.append(("physicsMaterial", "physicsMaterials", material))
    if grouped:
        groups = groups_of(ob)
        own = settings_of(ob).own_groups
        entry = filter_entry(groups.group, groups.mask) if own else filter_entry(1, ALL)
        entries.append(("collisionFilter", "collisionFilters", entry))
    if margin_of(ob) != 0.0:
        notes.add(ob.name, sentences.MARGIN)
    body = part_of((render_mesh_above(ob) if is_collider(ob) else None) or ob)
    if body is not None and body not in ancestors(ob):
        notes.add(ob.name, sentences.OTHER_BODY, body=body.name)
    return entries


def grouped(objects: Iterable[bpy.types.Object]) -> bool:
    """Whether any of some objects has groups of its own."""
    return any(settings_of(ob).own_groups for ob in objects)


def _flags(bits: int) -> tuple[bool, ...]:
    return tuple(bool(bits >> place & 1) for place in range(GROUPS))
