# SPDX-License-Identifier: GPL-3.0-or-later
"""Recognize parts of one thing by what the author of a scene has left: names, origins and collections.

`Sofa feet` is a part of `Sofa`. *Separate* leaves both halves of a mesh with one origin. A collection whose objects all
penetrate each other, directly or through others, is one thing, as the body of a car is. Each is only the relation of
two bodies: their pair must also lie like a joint.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from ...core.numerics.rows import connected_components
from ...core.numerics.types import Bools
from ..model.alike import without_numbers
from ..scene.reading.assets import ground_of
from .pair_geometry import COMMON, FEWEST, PairGeometry

# At least this fraction of the related pairs that meet are joints, and at least this fraction of the objects of a
# collection penetrate each other, directly or through others.
SHARE, CONNECTED = 0.5, 0.8
# At most this fraction of the objects of a collection have one size: more are a stack of crates.
VARIED = 0.5
# A collection that nobody has named has more objects than this: Blender puts new objects in it.
UNNAMED = 4
# Two layers fill at least this fraction of their common bounds, as a cushion and its lining do.
LAYERS = 0.3
# Names that Blender gives to collections, without numbers.
_GIVEN = frozenset({"collection", "scenecollection", "mastercollection", "컬렉션", "씬컬렉션"})
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+")

_T = TypeVar("_T")


class Authored(NamedTuple):
    """Names of collections and transforms that the author of a scene has given to each body.

    Attributes
    ----------
    collections : sequence of frozenset of str
        All collections that contain it, with their ancestors.
    placements : sequence of bytes
        The transform of its object in the scene. Empty if it says nothing: at the origin of its parent or of the scene.
    """

    collections: Sequence[frozenset[str]]
    placements: Sequence[bytes]


def authored_parts(geometry: PairGeometry, authored: Authored) -> dict[tuple[int, int], str]:
    """Return the pairs of bodies that are parts of one thing by names, origins or collections, each with its name.

    A pair is a joint if it penetrates by at most half of the smaller body, or is only known to be at least so deep;
    if neither is a copy of the other, passes through it, or stands on it without meeting anything else, except two
    layers or two halves of one mesh; and if neither is a room, a floor, a wall or a backdrop. Bodies of two assets
    have no joint, and neither have bodies that the file declares to move or to collide. Of the pairs of a thing that
    meet, at least `SHARE` are joints: in a kit of walls, most only touch.

    Parameters
    ----------
    geometry : PairGeometry
    authored : Authored

    Returns
    -------
    dict of (int, int) to str
        The lesser body of each pair is first.
    """
    found: dict[tuple[int, int], str] = {}
    rooms = geometry.rooms
    joints = _joints(geometry)
    if not joints.any():
        return found
    for name, pairs, mine, fewest in _related(geometry, authored, rooms, joints):
        rows = np.flatnonzero(pairs & mine)
        if len(rows) >= max(fewest, SHARE * np.count_nonzero(pairs & geometry.meets)):
            for a, b in np.sort([geometry.first[rows], geometry.second[rows]], axis=0).T.tolist():
                found.setdefault((a, b), name)
    return found


def _joints(geometry: PairGeometry) -> Bools:
    """Return which pairs lie like a joint, (P,), also if one stands on the other."""
    first, second = geometry.first, geometry.second
    deep = geometry.half | (geometry.penetrates & ~np.isfinite(geometry.depth))
    some = deep & geometry.free & ~geometry.crossing[0]
    rows = np.flatnonzero(some)
    copies = geometry.are_copies(first[rows], second[rows])
    for row, copy in zip(rows.tolist(), copies.tolist(), strict=True):
        some[row] = not copy or geometry.are_turned(int(first[row]), int(second[row]))
    return some


def _related(
    geometry: PairGeometry, authored: Authored, rooms: Bools, joints: Bools
) -> Iterator[tuple[str, Bools, Bools, int]]:
    """Yield names of things, the pairs (P,) of bodies that may be their parts, what may be joints, and how few are.

    `joints` (P,) are all pairs that may be joints. Things that have none are left out.
    """
    first, second, count = geometry.first, geometry.second, len(geometry.bodies)
    ends = np.zeros(count, bool)
    ends[first[joints]] = ends[second[joints]] = True
    layered = geometry.layered(LAYERS)
    hung = joints & (~geometry.stands | layered)

    def among(rows: Iterable[int]) -> Bools:
        members = np.zeros(count, bool)
        members[list(rows)] = True
        return members & ~rooms

    of_collection = _by_value(authored.collections)
    several = {name: rows for name, rows in of_collection.items() if len(rows) <= COMMON * count}
    for name, rows in sorted(several.items(), key=lambda one: (len(one[1]), one[0])):
        members = among(rows) if ends[rows].sum() > 1 else np.zeros(count, bool)
        enough = members.sum() > (UNNAMED if without_numbers(name) in _GIVEN else FEWEST - 1)
        if enough and _is_one_thing(geometry, members):
            yield name, members[first] & members[second], hung, FEWEST
    apart = geometry.on_one_ground & ~layered
    for name, rows in _families(geometry, rooms, ends):
        members = among(rows)
        pairs = members[first] & members[second] & ~apart
        yield name, pairs, hung, FEWEST
        for row in np.flatnonzero(pairs).tolist():
            both = authored.collections[first[row]] & authored.collections[second[row]]
            pairs[row] = not several.keys().isdisjoint(both)
        yield name, pairs, hung, 1
    for rows in _by_value([[one] if one else [] for one in authored.placements]).values():
        if ends[rows].sum() > 1 and len(rows) <= COMMON * count:
            members = among(rows)
            yield geometry.largest(rows), members[first] & members[second], joints, 1


def _by_value(values: Sequence[Collection[_T]]) -> dict[_T, list[int]]:
    """Return the bodies that have each value."""
    found: defaultdict[_T, list[int]] = defaultdict(list)
    for body, mine in enumerate(values):
        for value in mine:
            found[value].append(body)
    return found


def _is_one_thing(geometry: PairGeometry, members: Bools) -> bool:
    """Return whether most of these bodies (B,) penetrate each other, directly or through others, and are varied.

    A collection with a ground that the others stand on is a place.
    """
    if ground_of(*(side[members] for side in geometry.bounds)) >= 0:
        return False
    among = geometry.penetrates & members[geometry.first] & members[geometry.second]
    label = connected_components(len(members), geometry.first[among], geometry.second[among])
    largest = int(np.bincount(label[members]).max(initial=0))
    sizes = Counter(tuple(f"{side:.2e}" for side in geometry.sides[row]) for row in np.flatnonzero(members).tolist())
    count = int(members.sum())
    return largest >= CONNECTED * count and len(sizes) >= FEWEST and max(sizes.values()) <= VARIED * count


def _families(geometry: PairGeometry, rooms: Bools, ends: Bools) -> Iterator[tuple[str, list[int]]]:
    """Yield the names of bodies that begin other names, such as `Bed` of `BedCover`, with all these bodies.

    `ends` (B,) are the bodies of which there are at least two.
    """
    names = [one.object or one.name for one in geometry.bodies]
    words = [
        tuple(word.casefold() for word in _WORDS.findall(name)) if own else ()
        for name, own in zip(names, geometry.own_names, strict=True)
    ]
    members: defaultdict[tuple[str, ...], set[int]] = defaultdict(set)
    stems = {one: row for row, one in reversed(list(enumerate(words))) if one}
    for row, one in enumerate(words):
        for length in range(1, len(one) + 1):
            if one[:length] in stems:
                members[one[:length]].add(row)
    for stem, rows in members.items():
        if len({words[row] for row in rows if ends[row]}) > 1 and not rooms[stems[stem]]:
            yield names[stems[stem]], sorted(rows)
