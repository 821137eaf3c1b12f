# SPDX-License-Identifier: GPL-3.0-or-later
"""The systems that colliders of a glTF file are in, as groups of ours, which are numbered.

Group 1 is that of everything without a filter. The extension has colliders meet if all systems of each are among those
that the other collides with; the samples that come with it, and we, have one suffice.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..scene.objects.collision_settings import GROUPS, RIGID, Groups
from .declared import Filter

ALL = (1 << GROUPS) - 1

_OURS = re.compile(r"Group ([1-9]\d?)")


def system_of(place: int) -> str:
    """The name of a group in a file; those behind ours are of the collision collections of rigid bodies."""
    if place == GROUPS:
        return "Rigid Bodies"
    return f"Group {place + 1}" if place < GROUPS else f"Collection {place - GROUPS}"


def bits_of(filters: Iterable[Filter]) -> tuple[dict[str, int], list[str]]:
    """The groups of the systems that some filters name.

    Returns
    -------
    dict of str to int
        A bit for each. Groups that were written by us have their own numbers; other systems get those that are left, in
        alphabetical order from group 2.
    list of str
        Systems for which there is no group left.
    """
    names = sorted({name for one in filters for name in (*one.systems, *(one.collides_with or ()), *one.ignores)})
    numbers = {name: int(match[1]) for name in names if (match := _OURS.fullmatch(name)) and int(match[1]) <= GROUPS}
    others = [name for name in names if name not in numbers]
    free = [number for number in range(2, GROUPS + 1) if number not in numbers.values()]
    numbers |= dict(zip(others, free, strict=False))
    return {name: 1 << (number - 1) for name, number in numbers.items()}, others[len(free) :]


def group_and_mask(one: Filter, bits: Mapping[str, int]) -> tuple[int, int]:
    """The groups that a collider is in, and those that it meets, as bits; as `bits_of` has them."""
    free = 0 if bits and min(bits.values()) == 1 else 1
    group = sum(bits.get(name, 0) for name in set(one.systems)) or 1
    if one.collides_with is not None:
        return group, free | sum(bits.get(name, 0) for name in set(one.collides_with))
    return group, ALL & ~sum(bits.get(name, 0) for name in set(one.ignores))


def systems_of(every: Iterable[Groups]) -> int:
    """The systems of a file with colliders of these groups, as bits: ours, and only those in use if others are."""
    used = 0
    for one in every:
        used |= _own_systems(one)
    return used if used & ~ALL else ALL


def filter_entry(groups: Groups, systems: int) -> dict[str, list[str]]:
    """The entry of `collisionFilters` for the groups of a collider, in a file with these systems."""
    mask = groups.mask
    if mask & RIGID and not groups.group & RIGID:
        # What is no rigid body meets these whatever collections they are in.
        mask |= ~ALL
    entry = {"collisionSystems": _names(_own_systems(groups))}
    if systems & ~mask:
        entry["collideWithSystems"] = _names(mask & systems)
    return entry


def omi_entry(path: str, entry: Mapping[str, Any], systems: int) -> dict[str, Any]:
    """A material or filter for OMI, where an empty list of systems to collide with stands for all of them."""
    found = dict(entry)
    if path == "collisionFilters" and found.get("collideWithSystems") == []:
        del found["collideWithSystems"]
        found["notCollideWithSystems"] = _names(systems)
    return found


def _own_systems(groups: Groups) -> int:
    """The systems that a collider is in: of a rigid body, its collision collections."""
    return groups.group & ~RIGID or groups.group


def _names(bits: int) -> list[str]:
    return [system_of(place) for place in range(bits.bit_length()) if bits >> place & 1]
