# SPDX-License-Identifier: GPL-3.0-or-later
"""Recognize parts that were copied together: who copies a tree copies its trunk and its crown.

If two bodies of different kinds are in each other, and copies of both are in each other in the same way, they are parts
of one thing that exists several times. Two copies of one body that are in each other are parts of it if a third part
joins both, as a trunk joins the parts of a crown.
"""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from ...core.numerics.rows import connected_components
from ...core.numerics.types import Floats, Ints
from ..model.folds import one_asset
from .pair_geometry import FEWEST, PairGeometry

# Copies of a pair have the same distance of their centers, also in height, and the same depth, to this fraction of the
# size of the smaller body: depths of meshes are computed to 0.1 %.
_SAME = 2e-3


def copied_parts(geometry: PairGeometry) -> dict[tuple[int, int], str]:
    """Return the pairs of bodies that were copied together, each with the name of all these things.

    Each pair penetrates by at most half of the smaller body, and occurs with at least `FEWEST` bodies of each kind.
    Neither stands on the other, or is within its bounds, as a book in a shelf, and both do not begin at one height, as
    a desk and its chair do: these are two things, which were copied with their fault.

    Parameters
    ----------
    geometry : PairGeometry

    Returns
    -------
    dict of (int, int) to str
        The lesser body of each pair is first.
    """
    first, second, count = geometry.first, geometry.second, len(geometry.bodies)
    two_things = geometry.stands | geometry.on_one_ground | geometry.holds
    some = np.flatnonzero(geometry.free & geometry.half & ~two_things)
    if not one_asset(geometry.bodies):
        # Pairs within an asset have its name.
        assets = [[geometry.bodies[body].asset for body in each[some].tolist()] for each in (first, second)]
        some = some[[not (a and a == b) for a, b in zip(*assets, strict=True)]]
    if len(some) < FEWEST:
        return {}
    kind = np.unique([f"{a:.2e} {b:.2e} {c:.2e}" for a, b, c in geometry.sides.tolist()], return_inverse=True)[1]
    copies = geometry.are_copies(first[some], second[some])
    rows = _several(geometry, kind, some[~copies])
    if not len(rows):
        return {}
    near = [set[int]() for _ in range(count)]
    for a, b in zip(first[rows].tolist(), second[rows].tolist(), strict=True):
        near[a].add(b)
        near[b].add(a)
    alike = some[copies]
    alike = alike[~(geometry.over[0] | geometry.over[1])[alike]]
    shared = [
        not near[a].isdisjoint(near[b]) for a, b in zip(first[alike].tolist(), second[alike].tolist(), strict=True)
    ]
    rows = np.concatenate([rows, _several(geometry, kind, alike[np.array(shared, bool)])])
    # All copies of a thing have one name.
    ends = kind[first[rows]], kind[second[rows]]
    thing = connected_components(int(kind.max()) + 1, *ends)[kind]
    members = defaultdict[int, set[int]](set)
    for a, b in zip(first[rows].tolist(), second[rows].tolist(), strict=True):
        members[int(thing[a])] |= {a, b}
    names = {one: geometry.largest(sorted(some)) for one, some in members.items()}
    pairs = np.sort([first[rows], second[rows]], axis=0).T.tolist()
    return {(a, b): names[int(thing[a])] for a, b in pairs}


def _several(geometry: PairGeometry, kind: Ints, rows: Ints) -> Ints:
    """Return which of these pairs lie like others that have other bodies, so that there are `FEWEST` of each.

    `kind` (B,) is a number for each size of bodies.
    """
    groups = defaultdict[tuple[int, int], list[int]](list)
    for row in rows.tolist():
        one, other = sorted((int(kind[geometry.first[row]]), int(kind[geometry.second[row]])))
        groups[one, other].append(row)
    found = [
        some
        for group in groups.values()
        # Fewer pairs have fewer bodies of a size. In a scene of many sizes, these are most groups.
        if len(group) >= FEWEST
        for some in _alike(geometry, np.array(group))
        if _are_many(geometry, kind, some)
    ]
    return np.concatenate(found) if found else rows[:0]


def _alike(geometry: PairGeometry, rows: Ints) -> Iterator[Ints]:
    """Return groups of these pairs, which are of bodies of the same two sizes, that lie alike."""
    (lower, upper), a, b = geometry.bounds, geometry.first[rows], geometry.second[rows]
    way = np.abs((lower[a] + upper[a] - lower[b] - upper[b]) / 2.0)
    size = np.minimum(geometry.sides[a, 2], geometry.sides[b, 2])
    label = np.zeros(len(rows), np.int64)
    for values in (np.linalg.norm(way, axis=1), way[:, 2], geometry.depth[rows]):
        label = np.unique([label, _runs(values, _SAME * size)], axis=1, return_inverse=True)[1].reshape(-1)
    order = np.argsort(label, kind="stable")
    return iter(np.split(rows[order], np.flatnonzero(np.diff(label[order])) + 1))


def _runs(values: Floats, gap: Floats) -> Ints:
    """Return a number for each run of values (N,) whose neighbors, when sorted, differ by at most the gap (N,)."""
    order = np.argsort(values, kind="stable")
    label = np.zeros(len(values), np.int64)
    label[order] = np.cumsum(np.diff(values[order], prepend=values[order[:1]]) > gap[order])
    return label


def _are_many(geometry: PairGeometry, kind: Ints, rows: Ints) -> bool:
    """Return whether these pairs, which are of bodies of the same two sizes, have `FEWEST` bodies of each."""
    ends = np.unique(np.concatenate([geometry.first[rows], geometry.second[rows]]))
    number = np.unique(kind[ends], return_counts=True)[1]
    return bool(number.min() >= FEWEST * (3 - len(number)))
