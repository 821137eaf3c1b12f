# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion between the collision systems of a glTF file and the numbered groups of the add-on.

Group 1 contains everything without a filter. In the extension, two colliders collide if all systems of each are among
those that the other collides with. In its samples, and in this add-on, one common system is enough.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..scene.objects.collision_settings import GROUPS, RIGID, Groups
from .declared import Filter

ALL = (1 << GROUPS) - 1

_OURS = re.compile(r"Group ([1-9]\d?)")


def system_of(place: int) -> str:
    """Return the name of a group in a file. Later groups are the collision collections of rigid bodies."""
    if place == GROUPS:
        return "Rigid Bodies"
    return f"Group {place + 1}" if place < GROUPS else f"Collection {place - GROUPS}"


def bits_of(filters: Iterable[Filter]) -> tuple[dict[str, int], list[str]]:
    """Return the groups for the systems that some filters name.

    Returns
    -------
    dict of str to int
        A bit for each. Groups written by this add-on have their own numbers. Other systems get the remaining ones in
        alphabetical order, from group 2 on.
    list of str
        Systems for which no group is left.
    """
    names = sorted({name for one in filters for name in (*one.systems, *(one.collides_with or ()), *one.ignores)})
    numbers = {name: int(match[1]) for name in names if (match := _OURS.fullmatch(name)) and int(match[1]) <= GROUPS}
    others = [name for name in names if name not in numbers]
    free = [number for number in range(2, GROUPS + 1) if number not in numbers.values()]
    numbers |= dict(zip(others, free, strict=False))
    return {name: 1 << (number - 1) for name, number in numbers.items()}, others[len(free) :]


def group_and_mask(one: Filter, bits: Mapping[str, int]) -> tuple[int, int]:
    """Return the groups that a collider is in, and those that it collides with, as bits; see `bits_of`."""
    free = 0 if bits and min(bits.values()) == 1 else 1
    group = sum(bits.get(name, 0) for name in set(one.systems)) or 1
    if one.collides_with is not None:
        return group, free | sum(bits.get(name, 0) for name in set(one.collides_with))
    return group, ALL & ~sum(bits.get(name, 0) for name in set(one.ignores))


def systems_of(every: Iterable[Groups]) -> int:
    """Return the systems of a file with colliders of these groups, as bits: the groups in use, including other ones."""
    used = 0
    for one in every:
        used |= _own_systems(one)
    return used if used & ~ALL else ALL


def filter_entry(groups: Groups, systems: int) -> dict[str, list[str]]:
    """Return the entry of `collisionFilters` for the groups of a collider, in a file with these systems."""
    mask = groups.mask
    if mask & RIGID and not groups.group & RIGID:
        # Colliders that are not rigid bodies collide with these in any collection.
        mask |= ~ALL
    entry = {"collisionSystems": _names(_own_systems(groups))}
    if systems & ~mask:
        entry["collideWithSystems"] = _names(mask & systems)
    return entry


def omi_entry(path: str, entry: Mapping[str, Any], systems: int) -> dict[str, Any]:
    """Return a material or filter for OMI, where an empty list of systems to collide with means all."""
    found = dict(entry)
    if path == "collisionFilters" and found.get("collideWithSystems") == []:
        del found["collideWithSystems"]
        found["notCollideWithSystems"] = _names(systems)
    return found


def _own_systems(groups: Groups) -> int:
    """Return the systems that a collider is in. For a rigid body, its collision collections."""
    return groups.group & ~RIGID or groups.group


def _names(bits: int) -> list[str]:
    return [system_of(place) for place in range(bits.bit_length()) if bits >> place & 1]
