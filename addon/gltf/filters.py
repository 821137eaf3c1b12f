# SPDX-License-Identifier: GPL-3.0-or-later
"""The systems that colliders of a glTF file are in, as groups of ours, which are numbered.

Group 1 is that of everything without a filter. The extension has colliders meet if all systems of each are among those
that the other collides with; the samples that come with it, and we, have one suffice.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..scene.objects.traits import GROUPS
from .declared import Filter

ALL = (1 << GROUPS) - 1

_OURS = re.compile(r"Group ([1-9]\d?)")


def system_of(place: int) -> str:
    """What a group is called in a file."""
    return f"Group {place + 1}"


def bits_of(filters: Iterable[Filter]) -> tuple[dict[str, int], list[str]]:
    """The groups of the systems that some filters name.

    Returns
    -------
    dict of str to int
        A bit for each. Names that were written by us have their own numbers; others are numbered in alphabetical
        order from group 2.
    list of str
        Systems for which there is no group left.
    """
    names = sorted({name for one in filters for name in (*one.systems, *(one.collides_with or ()), *one.ignores)})
    numbers = {name: int(match[1]) for name in names if (match := _OURS.fullmatch(name)) and int(match[1]) <= GROUPS}
    if len(numbers) == len(names):
        return {name: 1 << (number - 1) for name, number in numbers.items()}, []
    return {name: 2 << place for place, name in enumerate(names[: GROUPS - 1])}, names[GROUPS - 1 :]


def group_and_mask(one: Filter, bits: Mapping[str, int]) -> tuple[int, int]:
    """The groups that a collider is in, and those that it meets, as bits; as `bits_of` has them."""
    free = 0 if bits and min(bits.values()) == 1 else 1
    group = sum(bits.get(name, 0) for name in set(one.systems)) or 1
    if one.collides_with is not None:
        return group, free | sum(bits.get(name, 0) for name in set(one.collides_with))
    return group, ALL & ~sum(bits.get(name, 0) for name in set(one.ignores))


def filter_entry(group: int, mask: int) -> dict[str, list[str]]:
    """The entry of `collisionFilters` for groups and a mask."""
    entry = {"collisionSystems": _systems(group)}
    if mask & ALL != ALL:
        entry["collideWithSystems"] = _systems(mask)
    return entry


def omi_entry(path: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """A material or filter for OMI, where an empty list of systems to collide with stands for all of them."""
    found = dict(entry)
    if path == "collisionFilters" and found.get("collideWithSystems") == []:
        del found["collideWithSystems"]
        found["notCollideWithSystems"] = _systems(ALL)
    return found


def _systems(bits: int) -> list[str]:
    return [system_of(place) for place in range(GROUPS) if bits >> place & 1]
