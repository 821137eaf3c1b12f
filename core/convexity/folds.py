# SPDX-License-Identifier: GPL-3.0-or-later
"""Dihedral folds of one mesh at its edges, with consistent winding, outward orientation, and slivers bridged."""

from dataclasses import dataclass

import numpy as np

from ..numerics.segmented import connected_components
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import dot, length
from .topology import EdgeTopology, Faces, extrapolation_factor


@dataclass(frozen=True, eq=False)
class Folds:
    """Where two faces meet, one row for each two.

    A side of a face is numbered ``3 * face + corner`` after the corner that it does not have.

    Attributes
    ----------
    sides : (P, 2)
        The sides at which they meet.
    between : (P,)
        Where they meet across slivers, the sliver at the first side; otherwise -1.
    reflex : (P,)
        Whether they fold inward by more than rounding.
    height : (P,)
        The far corner of the smaller above the plane of the larger; not negative where they fold inward.
    angle : (P,)
        By how much the inner angle is above 180°, in radians; negative: below.
    inconsistent : (K, 2)
        Sides of those that are wound against each other.
    non_orientable : bool
        The surface cannot be wound consistently.
    inside_out : bool
        Most of the surface is wound with the outside in.
    components : int
        Parts of the surface that share no edge.
    """

    sides: Ints
    between: Ints
    reflex: Bools
    height: Floats
    angle: Floats
    inconsistent: Ints
    non_orientable: bool
    inside_out: bool
    components: int


def find_folds(points: Floats, faces: Faces, joints: EdgeTopology, rounding: float) -> Folds:
    """Measure how a mesh folds wherever two faces meet.

    Parameters
    ----------
    points : (n, 3)
        About the middle of the mesh.
    faces, joints : Faces, Joints
        Of one mesh, welded.
    rounding : float
        How far a corner may be from where it belongs, in the unit of the points.
    """
    corners = points[faces.corners]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = length(normal)
    longest = length(corners[:, [2, 0, 1]] - corners[:, [1, 2, 0]])
    # A triangle that is this narrow is as good as its longest side.
    sliver = area <= rounding * longest.max(axis=1, initial=0.0)

    side = 3 * joints.partner[:, :, 0] + joints.partner[:, :, 1]
    start = faces.corners[side // 3, (side % 3 + 1) % 3]
    a, b = side[:, 0] // 3, side[:, 1] // 3
    same_way = start[:, 0] == start[:, 1]
    root, flipped = _oriented_components(len(corners), a, b, same_way)
    crossed = (flipped[a] ^ flipped[b]) != same_way
    outward, inside_out = _outward(corners, normal, area, root, flipped, rounding)

    across, slivers = _across_slivers(side, sliver, np.argmax(longest, axis=1))
    sides = np.concatenate([side, across])
    height, angle, reliable = _measure(corners, outward, area, sides, rounding)
    f, g = sides[:, 0] // 3, sides[:, 1] // 3
    # Flat on each other: there is no height, but faces with a plane of their own that look opposite ways.
    folded_back = (np.abs(height) <= reliable) & (dot(outward[f], outward[g]) < 0.0) & ~sliver[f] & ~sliver[g]
    edge = np.repeat(np.arange(len(joints.uses)), joints.uses)
    shared = np.flatnonzero(edge[1:] == edge[:-1])
    first, second = joints.sides[shared] // 3, joints.sides[shared + 1] // 3
    connected = connected_components(len(corners), first, second)
    return Folds(
        sides=sides,
        between=np.concatenate([np.full(len(side), -1), slivers]),
        reflex=(height > reliable) | folded_back,
        height=np.where(folded_back, np.maximum(height, 0.0), height),
        angle=np.where(folded_back, np.abs(angle), angle),
        inconsistent=side[same_way],
        non_orientable=bool(crossed.any()),
        inside_out=inside_out,
        components=len(np.unique(connected)),
    )


def _oriented_components(count: int, a: Ints, b: Ints, inconsistent: Bools) -> tuple[Ints, Bools]:
    """Connected components, and which members must be flipped to agree within each component.

    Parameters
    ----------
    count : int
    a, b : (P,)
        Connected members.
    inconsistent : (P,)
        Whether one of the two must be flipped to agree with the other.

    Returns
    -------
    label : (count,)
        The lowest member of each component.
    flipped : (count,)
        Whether the member must be flipped to agree with the lowest one.
    """
    label, flipped = np.arange(count), np.zeros(count, np.bool_)
    while True:
        apart = label[a] != label[b]
        if not apart.any():
            return label, flipped
        a, b, inconsistent = a[apart], b[apart], inconsistent[apart]
        low, high = np.minimum(label[a], label[b]), np.maximum(label[a], label[b])
        order = np.lexsort((low, high))
        fresh = np.ones(len(order), np.bool_)
        fresh[1:] = high[order[1:]] != high[order[:-1]]
        link = order[fresh]
        parent, over = np.arange(count), np.zeros(count, np.bool_)
        parent[high[link]] = low[link]
        over[high[link]] = (inconsistent ^ flipped[a] ^ flipped[b])[link]
        while (parent[parent] != parent).any():
            over ^= over[parent]
            parent = parent[parent]
        flipped ^= over[label]
        label = parent[label]


def _outward(
    corners: Floats, normal: Floats, area: Floats, root: Ints, flipped: Bools, rounding: float
) -> tuple[Floats, bool]:
    """Outward normals with twice the area as length, and whether most of the surface is wound inward."""
    count = len(corners)
    sign = np.where(flipped, -1.0, 1.0)
    surface = np.bincount(root, weights=area, minlength=count)
    weight = area / np.where(surface[root] > 0.0, surface[root], 1.0)
    middle = np.stack([np.bincount(root, weights=weight * x, minlength=count) for x in corners.mean(axis=1).T], axis=1)
    cone = dot(sign[:, None] * normal, corners[:, 0] - middle[root])
    enclosed = np.bincount(root, weights=cone, minlength=count)
    as_wound = np.bincount(root, weights=sign * area, minlength=count)
    # What encloses nothing has no outside but the one that it is given.
    outside = np.where(np.abs(enclosed) > rounding * surface, enclosed, as_wound)
    sign *= np.where(outside < 0.0, -1.0, 1.0)[root]
    return sign[:, None] * normal, bool((sign * area).sum() < 0.0)


def _across_slivers(side: Ints, sliver: Bools, longest: Ints) -> tuple[Ints, Ints]:
    """For each face that meets a sliver at one of its shorter sides: what lies beyond its longest.

    Returns
    -------
    sides : (K, 2)
        The side of the face, and the side of the one that lies beyond. Slivers upon slivers are passed, too.
    between : (K,)
        The first sliver.
    """
    if not sliver.any():
        return np.empty((0, 2), np.int64), np.empty(0, np.int64)
    twin = np.full(3 * len(sliver), -1)
    twin[side[:, 0]], twin[side[:, 1]] = side[:, 1], side[:, 0]
    sides = np.arange(len(twin))
    through = 3 * (sides // 3) + longest[sides // 3]
    passes = sliver[sides // 3] & (sides != through) & (twin[through] >= 0)
    following = np.where(passes, twin[through], sides)
    for _ in range(len(twin).bit_length()):  # doubling: no chain is longer, and slivers in a circle lead nowhere
        following = following[following]
    near = np.flatnonzero((twin >= 0) & ~sliver[sides // 3])
    near = near[sliver[twin[near] // 3]]
    beyond = following[twin[near]]
    kept = ~sliver[beyond // 3] & (beyond // 3 != near // 3)
    return np.stack([near[kept], beyond[kept]], axis=1), twin[near[kept]] // 3


def _measure(
    corners: Floats, outward: Floats, area: Floats, sides: Ints, rounding: float
) -> tuple[Floats, Floats, Floats]:
    """Height and angle of each fold, and the height from which it is more than rounding."""
    face, corner = sides // 3, sides % 3
    row = np.arange(len(sides))
    # Over the plane of the larger: that of a sliver is all rounding.
    larger = np.argmax(area[face], axis=1)
    base, other = face[row, larger], face[row, 1 - larger]
    apex = corners[other, corner[row, 1 - larger]]
    height = dot(outward[base], apex - corners[base, 0]) / np.where(area[base] > 0.0, area[base], 1.0)
    reliable = rounding * extrapolation_factor(corners[base], apex)
    sine = length(np.cross(outward[base], outward[other]))
    angle = np.copysign(np.arctan2(sine, dot(outward[base], outward[other])), height)
    return height, angle, reliable
