# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that are parts of one asset: by parents, by instances, and by the places of the parts.

A mesh with its children is an asset, and so is an armature with everything that is parented to it. An empty with its
children, or an instance of a collection, is an asset if its parts are connected. Many files have everything below one
empty named `World` or `Scene`, or below that of an importer. Such an empty is not an asset, because its parts are
apart, or stand on a common ground without touching each other. Then everything below it is examined in the same way.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from ....core.broad_phase.sweep_and_prune import sweep_and_prune
from ....core.numerics.rows import connected_components
from ....core.numerics.tolerances import EPS, ROUNDING_STEPS
from ....core.numerics.types import Floats, Ints
from ..meshes.types import GEOMETRY_TYPES
from .items import SCENE, Item, Namespace

# Two parts are connected if the gap between their bounds is at most this fraction of the smaller one's longest side.
GAP = 0.1
# A ground covers at least this fraction of the length and of the width, its height is at most this fraction of them,
# and nothing else is lower.
COVERED, HEIGHT = 0.8, 0.25
# More parts than this are not an asset but a scene.
MOST_PARTS = 2000
# Joints with parents are numbered downward from the first, and those with instancers from the second. Those of `linked`
# are above.
_FIRST_OF_PARENTS, _FIRST_OF_INSTANCERS = -(1 << 31), -(1 << 62)


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
        self._scattered = scattered_by(items, roots)
        self._instancers = {node: bodies[node] for node in set(self._scattered.values()) if node in bodies}
        self._above = [next((bodies[node] for node in line[1:] if node in bodies), -1) for line in lines]

    def names(self, bounds: tuple[Floats, Floats]) -> list[str]:
        """The name of the asset that each body is a part of, with at least one other. Empty if there is none.

        Parameters
        ----------
        bounds : (B, 3) float64 and (B, 3) float64
            Bounds of each body.
        """
        found = self._found(bounds, len(self._roots))
        for body, node in self._scattered.items():
            found[body] = node
        return _names(found, self._items)

    def assemblies(self, names: Sequence[str], bounds: tuple[Floats, Floats]) -> list[str]:
        """The name of the smaller asset that each body is a part of, if all are parts of one. Otherwise empty.

        It is an asset below the nodes that hold all bodies.

        Parameters
        ----------
        names : sequence of str
            The asset of each body.
        bounds : (B, 3) float64 and (B, 3) float64
        """
        if len(names) < 2 or not names[0] or len(set(names)) > 1:
            return [""] * len(names)
        return _names(self._found(bounds, len(names) - 1), self._items)

    def _found(self, bounds: tuple[Floats, Floats], most: int) -> list[int]:
        """The outermost asset of at most this many bodies that each body is a part of. -1 if there is none."""
        items, roots = self._items, self._roots
        found, waiting = [-1] * len(roots), list(self._tops)
        while waiting:
            node = waiting.pop()
            bodies = self._below[node]
            if len(bodies) < 2:
                continue
            members = [items[roots[body]] for body in bodies]
            if len(bodies) <= most and _is_asset(items[node], bodies, members, self._joints, bounds):
                for body in bodies:
                    found[body] = node
            else:
                waiting += self._children[node]
        return found

    def joints(self, names: Sequence[str], bounds: tuple[Floats, Floats]) -> list[frozenset[int]]:
        """The joints of each body in assets with these names (B): its own, and those with its parents.

        A part that protrudes from the bounds of its parent, as the lid of a chest does, is joined to it. A part inside
        these bounds, such as furniture in a room, is not. Scattered instances are joined to what they are scattered on.
        """
        lower, upper = bounds
        found = list(self._joints)
        for body, above in enumerate(self._above):
            if above < 0 or not names[body] or names[body] != names[above]:
                continue
            if (lower[body] < lower[above]).any() or (upper[body] > upper[above]).any():
                joint = {_FIRST_OF_PARENTS - body}
                found[body], found[above] = found[body] | joint, found[above] | joint
        for node, body in self._instancers.items():
            found[body] = found[body] | {_FIRST_OF_INSTANCERS - node}
        for body, node in self._scattered.items():
            if node in self._instancers:
                found[body] = found[body] | {_FIRST_OF_INSTANCERS - node}
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


def scattered_by(items: Sequence[Item], roots: Sequence[int]) -> dict[int, int]:
    """Return the bodies that particles or the faces or vertices of an object instance, and the item of that object.

    Instances of a collection, and those that are parts of the object whose geometry nodes make them, are not scattered.
    """
    own = {
        item.key.session_uid: row
        for row, item in enumerate(items)
        if item.namespace == SCENE and item.maker is None and item.facts.instance_type != "COLLECTION"
    }
    hosts = [items[root].host if items[root].namespace != SCENE else 0 for root in roots]
    return {body: own[host] for body, host in enumerate(hosts) if host in own}


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
    ground = ground_of(lower, upper)
    if ground >= 0 and _groups(near, len(lower), ground) > 1:
        return False
    return root.facts.type in GEOMETRY_TYPES or _groups(near, len(lower)) == 1


def are_near(lower: Floats, upper: Floats) -> bool:
    """Return whether finite bounds (N, 3) are all connected, directly or through others, and not only by a ground."""
    near, ground = _near(lower, upper), ground_of(lower, upper)
    return _groups(near, len(lower)) == 1 and (ground < 0 or _groups(near, len(lower), ground) == 1)


def _near(lower: Floats, upper: Floats) -> Ints:
    """Return the pairs (K, 2) of finite bounds (N, 3) that are connected."""
    size = (upper - lower).max(axis=1)
    # The gap is at most half of what the size of each allows, added up.
    margin = 0.5 * GAP * size[:, None] + ROUNDING_STEPS * EPS * np.maximum(np.abs(lower), np.abs(upper))
    pairs = sweep_and_prune(lower - margin, upper + margin)
    first, second = pairs.T
    gap = np.maximum(lower[first] - upper[second], lower[second] - upper[first]).max(axis=1)
    near: Ints = pairs[gap <= GAP * np.minimum(size[first], size[second])]
    return near


def ground_of(lower: Floats, upper: Floats) -> int:
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


def _groups(near: Ints, count: int, without: int = -1) -> int:
    """The number of connected components of so many parts, given the connected pairs (K, 2), `without` one part."""
    kept = near[(near != without).all(axis=1)]
    label = connected_components(count, *kept.T)
    return len(np.unique(label[np.arange(count) != without]))


def bounds_of_bodies(body: Ints, bounds: tuple[Floats, Floats], count: int) -> tuple[Floats, Floats]:
    """The bounds of bodies (B, 3), from those of their shapes (N, 3)."""
    lower, upper = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    np.minimum.at(lower, body, bounds[0])
    np.maximum.at(upper, body, bounds[1])
    return lower, upper
