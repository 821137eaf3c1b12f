# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels of detail: objects that show the same thing near and far. The most detailed one is tested.

They are objects whose names differ only in the number of the level, such as `Rock_LOD0` and `Rock_LOD1`, with their
descendants; the object with the name before that number, such as `Rock` or `Rock-col` of Godot, as the most detailed
one; and the children of an empty that is exported to FBX as a LOD group, in the order of their names.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ...engines.collider_roles import role_of
from ...engines.levels import level_of
from ...engines.unreal_names import without_number
from ..meshes.types import GEOMETRY_TYPES
from .assets import ancestry, parents_of
from .items import Item, Namespace

# Characters between a name and its level.
_BETWEEN = " _.:-"


class _Group(NamedTuple):
    """The common key of the levels of one object: names, and the parent if the names are not enough."""

    namespace: Namespace
    parent: int
    before: str = ""
    after: str = ""


def less_detailed(items: Sequence[Item], rows: Iterable[int], owner: Sequence[int]) -> dict[int, int]:
    """The items that are not tested because a more detailed level is, each with an item of that level.

    Parameters
    ----------
    items : sequence of Item
    rows : iterable of int
        The items that would be tested otherwise.
    owner : sequence of int
        The item that each item is a part of, such as the mesh of a collider. -1: none.
    """
    levels = _levels(items)
    if not levels:
        return {}
    above = parents_of(items)
    numbers: defaultdict[_Group, dict[int, int]] = defaultdict(dict)
    of_row: dict[int, tuple[_Group, int]] = {}
    for row in rows:
        # A collider has the level of its mesh.
        whole = row
        while owner[whole] >= 0 and whole not in levels:
            whole = owner[whole]
        line = [one for one in ancestry(whole, above) if one in levels]
        found = next((levels[one] for one in line if one == whole or levels[one][1] >= 0), None)
        if found is not None:
            of_row[row] = found
            group, number = found
            numbers[group].setdefault(number, row)
    return {
        row: numbers[group][min(numbers[group])]
        for row, (group, number) in of_row.items()
        if number > min(numbers[group])
    }


def _levels(items: Sequence[Item]) -> Mapping[int, tuple[_Group, int]]:
    """The group and the number of each item that is a level."""
    found: dict[int, tuple[_Group, int]] = {}
    in_groups: defaultdict[tuple[Namespace, int], list[int]] = defaultdict(list)
    lod_groups = {(item.namespace, item.facts.uid) for item in items if item.facts.lod_group}
    for row, item in enumerate(items):
        if (item.namespace, item.facts.parent) in lod_groups:
            in_groups[item.namespace, item.facts.parent].append(row)
            continue
        level = level_of(item.facts.name) if "lod" in item.facts.name.casefold() else None
        if level is None or item.maker is not None:
            continue
        if level.before:
            group = _Group(item.namespace, 0, level.before.casefold(), level.after.casefold())
        else:
            # Blender has numbered these names, which come from several objects.
            group = _Group(item.namespace, item.facts.parent, "", without_number(level.after)[0].casefold())
        found[row] = group, level.number
    found |= _whole_objects(items, found)
    for (namespace, parent), rows in in_groups.items():
        for number, row in enumerate(sorted(rows, key=lambda row: items[row].facts.name.casefold())):
            found[row] = _Group(namespace, parent), number
    return found


def _whole_objects(items: Sequence[Item], levels: Mapping[int, tuple[_Group, int]]) -> dict[int, tuple[_Group, int]]:
    """The group of each item that has no number and the name of the levels of its group. It is before all of them."""
    groups = {
        (group.namespace, group.before.rstrip(_BETWEEN)): group
        for group, _ in levels.values()
        if group.before.rstrip(_BETWEEN) and not group.after
    }
    for group, number in levels.values():
        if not number:
            groups.pop((group.namespace, group.before.rstrip(_BETWEEN)), None)
    found: dict[int, tuple[_Group, int]] = {}
    for row, item in enumerate(items if groups else ()):
        if row in levels or item.maker is not None or item.facts.type not in GEOMETRY_TYPES:
            continue
        role = role_of(item.facts.name)
        name = item.facts.name if role is None or role.own else role.stem
        named = groups.get((item.namespace, name.casefold()))
        if named is not None:
            found[row] = named, -1
    return found
