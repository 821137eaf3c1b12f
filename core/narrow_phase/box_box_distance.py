# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance of two boxes from their best axis, for pairs where the axis determines it.

Along the normal of a face, one corner of the other box lies farthest. Along the cross product of two edges, one edge of
each box lies farthest. If this corner projects into the face, or the two edges cross along the axis, these are the
closest points. For overlapping boxes they are the points that the shortest separating translation brings together. All
other pairs need another method: boxes that touch, several equally far corners, and closest points on other features.
"""

import numpy as np

from ..numerics.rows import blocks
from ..numerics.tolerances import SUPPORT
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import as_columns, cross_columns, dot_columns, turned, turned_back
from ..results import Contacts, ContactType, Distances, FeatureKind
from ..shapes import Boxes
from .convex_convex import KnownAxes

# Dimensionless: a squared sine. The crossing point of edges that are closer to parallel is less accurate.
_CROSSED = 1e-2


def distances(a: Boxes, b: Boxes, known_axes: KnownAxes) -> tuple[Distances, Ints]:
    """Return the distances, and the rows for which they are not determined."""
    axes, count = known_axes.axes, len(a)
    middle, known = np.empty((count, 3)), np.zeros(count, dtype=bool)
    sure = np.abs(axes.gap) > known_axes.slack
    face_a, face_b = (feature[:, 0] == FeatureKind.FACE for feature in (axes.feature_a, axes.feature_b))
    for of_b, which in enumerate((face_a, face_b)):
        own, other, sign = (b, a, -1.0) if of_b else (a, b, 1.0)
        for rows in _parts(which & sure):
            face = (axes.feature_b if of_b else axes.feature_a)[rows, 1]
            along = sign * as_columns(axes.axis[rows])
            middle[rows], known[rows] = _by_corner(own.take(rows), other.take(rows), along, axes.gap[rows], face // 2)
    for rows in _parts(sure & ~face_a & ~face_b):
        edges = axes.feature_a[rows, 1] // 4, axes.feature_b[rows, 1] // 4
        middle[rows], known[rows] = _by_edges(a.take(rows), b.take(rows), as_columns(axes.axis[rows]), *edges)
    half = axes.axis * (axes.gap / 2.0)[:, None]
    found = Distances(axes.gap, middle - half, middle + half, axes.axis, known_axes.slack)
    return found, np.flatnonzero(~known)


def crossings(a: Boxes, b: Boxes, known_axes: KnownAxes, rows: Ints) -> tuple[Contacts, Ints]:
    """The single contacts of those pairs among `rows` whose edges cross, and the rows of the others."""
    axes = known_axes.axes
    sure = (np.abs(axes.gap[rows]) > known_axes.slack[rows]) & (axes.feature_a[rows, 0] == FeatureKind.EDGE)
    crossed, found = np.zeros(len(rows), dtype=bool), []
    for part in _parts(sure):
        at = rows[part]
        edges = axes.feature_a[at, 1] // 4, axes.feature_b[at, 1] // 4
        middle, known = _by_edges(a.take(at), b.take(at), as_columns(axes.axis[at]), *edges)
        crossed[part] = known
        at = at[known]
        kind = np.full(len(at), int(ContactType.EDGE_EDGE), dtype=np.int8)
        features = axes.feature_a[at], axes.feature_b[at]
        found.append(Contacts(at, middle[known], axes.axis[at], -axes.gap[at], kind, *features))
    return Contacts.joined(found), rows[~crossed]


def _parts(which: Bools) -> list[Ints]:
    """The selected rows, in blocks."""
    rows = np.flatnonzero(which)
    return [rows[block] for block in blocks(len(rows))]


def _by_corner(own: Boxes, other: Boxes, normal: Floats, gap: Floats, axis: Ints) -> tuple[Floats, Bools]:
    """Midpoint between the corner of `other` farthest against the normal and the face of `own` that has this normal.

    Also returns whether this corner is the only farthest one and projects into the face. `axis` (P,) is of the face.
    """
    turn, half = as_columns(other.rotation), as_columns(own.half_extents)
    far, only = _farthest(other, turn, -normal, half.sum(axis=0))
    point = as_columns(other.center - own.center)
    point += turned(turn, far)
    over = np.abs(turned_back(as_columns(own.rotation), point)) <= half
    over[axis, np.arange(len(axis))] = True
    point -= normal * (gap / 2.0)
    return own.center + point.T, np.logical_and.reduce(over & only)


def _by_edges(a: Boxes, b: Boxes, normal: Floats, edge_a: Ints, edge_b: Ints) -> tuple[Floats, Bools]:
    """Midpoint between the edges farthest along the normal, and whether these edges cross, seen along it.

    The normal is perpendicular to both edges. `edge_a` and `edge_b` (P,) are the axes that they are parallel to.
    """
    at, ends, runs, halves, known = np.arange(len(a)), [], [], [], np.ones(len(a), dtype=bool)
    size = a.half_extents.sum(axis=1) + b.half_extents.sum(axis=1)
    for box, edge, along in ((a, edge_a, normal), (b, edge_b, -normal)):
        turn = as_columns(box.rotation)
        far, only = _farthest(box, turn, along, size)
        far[edge, at], only[edge, at] = 0.0, True
        known &= np.logical_and.reduce(only)
        ends.append(turned(turn, far))
        runs.append(turn[:, edge, at])
        halves.append(box.half_extents[at, edge])
    (start, end), (run_a, run_b) = ends, runs
    end += as_columns(b.center - a.center)
    way, cosine = end - start, dot_columns(run_a, run_b)
    normal_to_both = cross_columns(run_a, run_b)
    square = dot_columns(normal_to_both, normal_to_both)
    known &= square > _CROSSED
    square[~known] = 1.0
    by_a, by_b = dot_columns(way, run_a), dot_columns(way, run_b)
    on_a, on_b = (by_a - cosine * by_b) / square, (cosine * by_a - by_b) / square
    known &= (np.abs(on_a) <= halves[0]) & (np.abs(on_b) <= halves[1])
    middle = (start + end + on_a * run_a + on_b * run_b) / 2.0
    return a.center + middle.T, known


def _farthest(box: Boxes, turn: Floats, direction: Floats, size: Floats) -> tuple[Floats, Bools]:
    """The farthest corner of each box along a direction, (3, P) in its frame, and the axes along which it is unique.

    `turn` (3, 3, P) are the axes of the box. `size` (P,) is the size of the other box.
    """
    half, along = as_columns(box.half_extents), turned_back(turn, direction)
    return np.copysign(half, along), np.abs(along) * half > SUPPORT * (half.sum(axis=0) + size)
