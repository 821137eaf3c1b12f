# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that are linked by joints, so that they do not collide: by constraints, bones, and links of robots.

Neighbors in a chain overlap where they are joined. A link of a robot is joined with the next link above it that has a
body, and a mesh on a bone with objects on the same bone and on the next bone above it. Meshes that one armature deforms
are the skin of one character, together with objects held by its bones. Engines test colliders and rigid bodies on bones
against each other, so only constraints join them. `assets` adds the joints of parts with parents.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from ..meshes.types import GEOMETRY_TYPES
from .assets import ancestry, parents_of
from .body_tree import is_collider
from .items import SCENE, Item, Namespace


def joints_of(items: Sequence[Item], root: Sequence[int], roots: Sequence[int]) -> list[frozenset[int]]:
    """The joints that disable collisions of each body with others.

    They are numbers: the `session_uid` of its object for a constraint, and negative numbers for all others.

    Parameters
    ----------
    items : sequence of Item
    root : sequence of int
        The item that names the body of each item.
    roots : sequence of int
        The item that names each body.
    """
    found: defaultdict[int, set[int]] = defaultdict(set)
    own = {item.key.session_uid: row for row, item in enumerate(items) if item.namespace == SCENE and not item.maker}
    for item in items:
        for uid in item.facts.joined:
            if item.namespace == SCENE and uid in own:
                found[root[own[uid]]].add(item.facts.uid)
    together = [*_on_armatures(items, root), *_links(items, root)]
    for number, bodies in zip(count(-1, -1), (one for one in together if len(one) > 1)):
        for body in bodies:
            found[body].add(number)
    return [frozenset(found[one]) for one in roots]


def _on_armatures(items: Sequence[Item], root: Sequence[int]) -> Iterator[set[int]]:
    """The bodies that each joint of an armature links, as the items that name them."""
    skins: defaultdict[tuple[Namespace, int], set[int]] = defaultdict(set)
    held: defaultdict[tuple[Namespace, int], dict[int, tuple[str, ...]]] = defaultdict(dict)
    for row, item in enumerate(items):
        how = item.facts.structure
        if not (how.deformed_by or how.bones) or how.rigid or how.link_part:
            continue
        if item.facts.type not in GEOMETRY_TYPES or is_collider(item):
            continue
        if how.deformed_by:
            skins[item.namespace, how.deformed_by].add(root[row])
        elif how.bones:
            held[item.namespace, how.bone_of][root[row]] = how.bones
    for armature in {*skins, *held}:
        skin = skins[armature]
        yield skin
        yield from (skin | {body} for body in held[armature] if skin)
        yield from _on_bones(held[armature].items())


def _on_bones(held: Iterable[tuple[int, tuple[str, ...]]]) -> Iterator[set[int]]:
    """The bodies on each bone, with those on the next bone above it that has any."""
    on: defaultdict[str, set[int]] = defaultdict(set)
    lines = {}
    for body, bones in held:
        on[bones[0]].add(body)
        lines[bones[0]] = bones
    for bone, bodies in on.items():
        above = next((one for one in lines[bone][1:] if one in on), None)
        yield bodies | (on[above] if above is not None else set())


def _links(items: Sequence[Item], root: Sequence[int]) -> Iterator[set[int]]:
    """The bodies of each link of a robot, with those of the next link above it that has any."""
    if not any(item.facts.structure.link_part for item in items):
        return
    above = parents_of(items)
    bodies: defaultdict[int, set[int]] = defaultdict(set)
    for row, item in enumerate(items):
        if item.facts.structure.link_part and row in above:
            bodies[above[row]].add(root[row])
    for link in list(bodies):
        outer = next((one for one in ancestry(link, above)[1:] if one in bodies), None)
        if outer is not None:
            yield bodies[link] | bodies[outer]
