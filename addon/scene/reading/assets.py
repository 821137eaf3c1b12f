# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that are parts of one asset: by parents, by instances of collections, and by the places of the parts.

A mesh with its children is an asset, and so is an armature with everything that is parented to it. An empty with its
children, or an instance of a collection, is an asset if its parts are connected. Many files have everything below one
empty named `World` or `Scene`, or below that of an importer. Such an empty is not an asset, because its parts are
apart, or stand on a common ground without touching each other. Then everything below it is examined in the same way.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from ....core.numerics.types import Bools, Floats, Ints
from ..meshes.types import GEOMETRY_TYPES
from .items import SCENE, Item, Namespace

# Two parts are connected if the gap between their bounds is at most this fraction of the smaller one's longest side.
GAP = 0.1
# A ground covers at least this fraction of the length and of the width, its height is at most this fraction of them,
# and nothing else is lower.
COVERED, HEIGHT = 0.8, 0.25
# More parts than this are not an asset but a scene.
MOST_PARTS = 2000
# Joints with parents are numbered downward from here. Those of `linked` are above.
_FIRST_OF_PARENTS = -(1 << 31)


class AssetTree:
    """Relations of bodies by parents and instances. Which of them are assets depends on the places of the bodies.

    Parameters
    ----------
    items : sequence of Item
    roots : sequence of int
        The item that names each body.
    joints : sequence of frozenset of int
        The joints of each body.
    """

    def __init__(self, items: Sequence[Item], roots: Sequence[int], joints: Sequence[frozenset[int]]) -> None:
        self._items, self._roots, self._joints = items, roots, joints
        above = parents_of(items)
        lines = [ancestry(root, above) for root in roots]
        self._below: defaultdict[int, list[int]] = defaultdict(list)
        for body, line in enumerate(lines):
            for node in line:
                self._below[node].append(body)
        self._children: defaultdict[int, dict[int, None]] = defaultdict(dict)
        for line in lines:
            for child, parent in pairwise(line):
                self._children[parent][child] = None
        self._tops = list(dict.fromkeys(line[-1] for line in lines))
        bodies = {root: body for body, root in enumerate(roots)}
        self._above = [next((bodies[node] for node in line[1:] if node in bodies), -1) for line in lines]

    def names(self, bounds: tuple[Floats, Floats]) -> list[str]:
        """The name of the asset that each body is a part of, with at least one other. Empty if there is none.

        Parameters
        ----------
        bounds : (B, 3) float64 and (B, 3) float64
            Bounds of each body.
        """
        items, roots = self._items, self._roots
        found, waiting = [-1] * len(roots), list(self._tops)
        while waiting:
            node = waiting.pop()
            bodies = self._below[node]
            if len(bodies) < 2:
                continue
            if _is_asset(items[node], bodies, [items[roots[body]] for body in bodies], self._joints, bounds):
                for body in bodies:
                    found[body] = node
            else:
                waiting += self._children[node]
        return _names(found, items)

    def joints(self, names: Sequence[str], bounds: tuple[Floats, Floats]) -> list[frozenset[int]]:
        """The joints of each body in assets with these names (B): its own, and those with its parents.

        A part that protrudes from the bounds of its parent, as the lid of a chest does, is joined to it. A part inside
        these bounds, such as furniture in a room, is not.
        """
        lower, upper = bounds
        found = list(self._joints)
        for body, above in enumerate(self._above):
            if above < 0 or not names[body] or names[body] != names[above]:
                continue
            if (lower[body] < lower[above]).any() or (upper[body] > upper[above]).any():
                joint = {_FIRST_OF_PARENTS - body}
                found[body], found[above] = found[body] | joint, found[above] | joint
        return found


def _names(found: Sequence[int], items: Sequence[Item]) -> list[str]:
    """The names of assets. Names shared by several assets, as from different libraries, get numbers."""
    names = {node: items[node].label for node in found if node >= 0}
    count, seen = Counter(names.values()), Counter[str]()
    for node, name in names.items():
        if count[name] > 1:
            seen[name] += 1
            names[node] = f"{name} [{seen[name]}]"
    return [names.get(node, "") for node in found]


def parents_of(items: Sequence[Item]) -> dict[int, int]:
    """The row of the parent of each item, or of the collection instance that it is in."""
    rows = {(item.namespace, item.key.session_uid): row for row, item in enumerate(items) if item.maker is None}
    hosts = {
        Namespace(item.host, item.key.persistent_id) if item.namespace != SCENE else Namespace(item.host): row
        for row, item in enumerate(items)
        if item.facts.instance_type == "COLLECTION"
    }
    found = {}
    for row, item in enumerate(items):
        parent = rows.get((item.namespace, item.facts.parent)) if item.facts.parent else None
        if parent is None and item.namespace != SCENE:
            parent = hosts.get(item.namespace)
        if parent is not None and parent != row:
            found[row] = parent
    return found


def ancestry(row: int, above: Mapping[int, int]) -> list[int]:
    """An item and its ancestors."""
    line = [row]
    while line[-1] in above and above[line[-1]] not in line:
        line.append(above[line[-1]])
    return line


def _is_asset(
    root: Item,
    bodies: Sequence[int],
    members: Sequence[Item],
    joints: Sequence[frozenset[int]],
    bounds: tuple[Floats, Floats],
) -> bool:
    """Whether everything below a root is one asset."""
    if len(bodies) > MOST_PARTS:
        return False
    loose = [body for body, item in zip(bodies, members, strict=True) if item.facts.motion == "dynamic"]
    if len(loose) > 1 and not any(joints[body] for body in loose):
        # Each of them falls separately.
        return False
    if root.facts.type == "ARMATURE":
        return True
    lower, upper = bounds[0][list(bodies)], bounds[1][list(bodies)]
    finite = np.isfinite(lower).all(axis=1) & np.isfinite(upper).all(axis=1)
    if not finite.all():
        return False
    near = _near(lower, upper)
    ground = _ground(lower, upper)
    if ground >= 0 and _groups(near[np.arange(len(near)) != ground][:, np.arange(len(near)) != ground]) > 1:
        return False
    return root.facts.type in GEOMETRY_TYPES or _groups(near) == 1


def _near(lower: Floats, upper: Floats) -> Bools:
    """Return which bounds (N, 3) are connected: (N, N)."""
    gap = np.maximum(lower[:, None] - upper[None], lower[None] - upper[:, None]).max(axis=2)
    size = (upper - lower).max(axis=1)
    near: Bools = gap <= GAP * np.minimum(size[:, None], size[None])
    return near


def _ground(lower: Floats, upper: Floats) -> int:
    """The part that all others stand on. -1 if there is none."""
    size, whole = upper - lower, upper.max(axis=0) - lower.min(axis=0)
    flat = size[:, 2] <= HEIGHT * size[:, :2].min(axis=1)
    wide = (size[:, :2] >= COVERED * whole[:2]).all(axis=1)
    rows = np.flatnonzero(flat & wide)
    if not len(rows):
        return -1
    lowest = int(rows[np.argmin(lower[rows, 2])])
    others = np.delete(np.arange(len(lower)), lowest)
    return lowest if (upper[others, 2] > upper[lowest, 2]).all() else -1


def _groups(near: Bools) -> int:
    """The number of connected components of a symmetric relation (N, N)."""
    left, count = np.ones(len(near), dtype=np.bool_), 0
    while left.any():
        count += 1
        front: Ints = np.flatnonzero(left)[:1]
        while len(front):
            left[front] = False
            front = np.flatnonzero(near[front].any(axis=0) & left)
    return count


def bounds_of_bodies(body: Ints, bounds: tuple[Floats, Floats], count: int) -> tuple[Floats, Floats]:
    """The bounds of bodies (B, 3), from those of their shapes (N, 3)."""
    lower, upper = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    np.minimum.at(lower, body, bounds[0])
    np.maximum.at(upper, body, bounds[1])
    return lower, upper
