# SPDX-License-Identifier: GPL-3.0-or-later
"""Half-spaces or planes (A) against triangle meshes (B), in closed form over the vertices of the mesh.

A plane intersects a mesh if a connected component of the mesh has vertices on both sides. Whole components may lie on
either side. The shortest translation along the normal after which no component is on both sides separates the pair.
"""

from dataclasses import dataclass

import numpy as np

from ...numerics.rows import rows_of_each, smallest_per_group
from ...numerics.tolerances import rounding
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot, length
from ...results import Contacts, ContactType, Distances, FeatureKind, Separations
from ...shapes import HalfSpaces, Meshes, Planes
from ...shapes.batch import Rows
from ..algorithm import PairAlgorithm
from .operands import mesh_rows

Unbounded = HalfSpaces | Planes


class UnboundedMesh(PairAlgorithm[Unbounded, Meshes]):
    """Pair queries by the heights of all vertices."""

    def overlap(self, a: Rows[Unbounded], b: Rows[Meshes]) -> Bools:
        """Whether any point of B lies in A, touching included, (P,)."""
        a, b = a.gathered(), b.gathered()
        way = _way(a, _heights(a, b))
        return way.gap <= way.slack

    def distance(self, a: Rows[Unbounded], b: Rows[Meshes]) -> Distances:
        """Signed distance (P,): to the nearest component, or minus the shortest translation that separates the pair."""
        a, b = a.gathered(), b.gathered()
        way = _way(a, _heights(a, b))
        normal = way.sign[:, None] * a.normal
        # The vertex that touches first, or separates last.
        place = mesh_rows(b).vertices(np.arange(len(b)), way.vertex)
        point_a = place - normal * (way.sign * (dot(place, a.normal) - a.offset) - way.gap)[:, None]
        point_a -= normal * way.gap[:, None]
        return Distances(way.gap, point_a, point_a + way.gap[:, None] * normal, normal, way.slack)

    def separating_axis(self, a: Rows[Unbounded], b: Rows[Meshes]) -> Separations:
        """The gap along the normal. For a plane, on the side with the larger gap; ties go to the normal's side."""
        a, b = a.gathered(), b.gathered()
        heights = _heights(a, b)
        low, high = heights.lowest(), heights.highest()
        up = isinstance(a, HalfSpaces) | (heights.value[low] >= -heights.value[high])
        at, sign = np.where(up, low, high), np.where(up, 1.0, -1.0)
        return Separations(sign * heights.value[at], sign[:, None] * a.normal, *_features(heights.vertex[at]))

    def contacts(self, a: Rows[Unbounded], b: Rows[Meshes], margin: float, known: Distances | None = None) -> Contacts:
        """A contact for each vertex of B that is within `margin` of A's surface or has to cross it to separate."""
        a, b = a.gathered(), b.gathered()
        heights = _heights(a, b)
        way = _way(a, heights)
        height = way.sign[heights.row] * heights.value
        slack = way.slack[heights.row]
        through = height >= np.minimum(way.gap, 0.0)[heights.row] - slack
        at = np.flatnonzero(through & (height <= margin + slack))
        at = at[np.lexsort((height[at], heights.row[at]))]
        pair, gap = heights.row[at], height[at]
        normal = way.sign[pair][:, None] * a.normal[pair]
        point = mesh_rows(b).vertices(pair, heights.vertex[at]) - normal * (gap / 2.0)[:, None]
        kind = np.full(len(at), ContactType.POINT_FACE, dtype=np.int8)
        return Contacts(pair, point, normal, np.maximum(-gap, -margin), kind, *_features(heights.vertex[at]))

    def interference(
        self, a: Rows[Unbounded], b: Rows[Meshes], touching: Floats, known: Distances | None = None
    ) -> Floats:
        """Return how far B extends into a half-space, or its components across a plane on their shorter sides, (P,)."""
        a, b = a.gathered(), b.gathered()
        heights = _heights(a, b)
        if isinstance(a, HalfSpaces):
            deepest = -heights.value[heights.lowest()]
        else:
            row, low, high = _component_heights(heights)
            deepest = np.zeros(len(b))
            np.maximum.at(deepest, row, np.minimum(high, -low))
        return np.where(deepest > heights.slack, deepest, 0.0)

    def contains(self, a: Rows[Unbounded], b: Rows[Meshes]) -> Bools:
        """Whether A contains all of B, (P,). A plane contains a mesh that lies in it."""
        a, b = a.gathered(), b.gathered()
        heights = _heights(a, b)
        inside = heights.value[heights.highest()] <= heights.slack
        return inside & (heights.value[heights.lowest()] >= -heights.slack) if isinstance(a, Planes) else inside

    def contained(self, a: Rows[Unbounded], b: Rows[Meshes]) -> Bools:
        """Always false: B is bounded."""
        return np.zeros(len(b), dtype=bool)


def foremost(a: Unbounded, b: Meshes) -> tuple[Ints, Floats]:
    """Vertices that A's surface may reach first when B moves, the nearest on either side: rows and points."""
    heights = _heights(a, b)
    side = np.sign(heights.value).astype(np.int64)
    at = np.flatnonzero(side)
    at = at[smallest_per_group(3 * heights.row[at] + side[at], np.abs(heights.value[at]))]
    return heights.row[at], mesh_rows(b).vertices(heights.row[at], heights.vertex[at])


@dataclass(frozen=True)
class _Heights:
    """Heights of all vertices of all meshes over A's surface, ordered by row and vertex."""

    row: Ints
    vertex: Ints
    component: Ints
    value: Floats
    slack: Floats

    def lowest(self) -> Ints:
        """Index of the least height of each row."""
        return smallest_per_group(self.row, self.value)

    def highest(self) -> Ints:
        """Index of the greatest height of each row."""
        return smallest_per_group(self.row, -self.value)


@dataclass(frozen=True)
class _Way:
    """The separation of each pair along the normal.

    Attributes
    ----------
    gap : (P,) float64
        Signed distance.
    sign : (P,) float64
        1.0 if B is, or has to move, on the side of the normal, else -1.0.
    vertex : (P,) int64
        The vertex of B that attains the distance.
    slack : (P,) float64
    """

    gap: Floats
    sign: Floats
    vertex: Ints
    slack: Floats


def _heights(a: Unbounded, b: Meshes) -> _Heights:
    of = mesh_rows(b)
    none = np.empty(0, dtype=np.int64)
    parts = [(none, none, none, np.empty(0))]
    # Compute the height of the origin first, then that of the vertex relative to it. The sum is accurate when both
    # nearly cancel.
    place = dot(b.translation, a.normal) - a.offset
    local = np.einsum("nji,nj->ni", b.rotation, a.normal)
    for number, mine in rows_of_each(of.mesh):
        mesh = of.meshes[number]
        used = mesh.used
        value = (local[mine] @ mesh.points[used].T + place[mine, None]).reshape(-1)
        count = len(mine)
        parts.append((np.repeat(mine, len(used)), np.tile(used, count), np.tile(mesh.vertex_component, count), value))
    row, vertex, component, value = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    order = np.argsort(row, kind="stable")
    offset = np.maximum(length(b.translation), np.abs(a.offset))
    slack = rounding(of.bodies.reach, offset)
    return _Heights(row[order], vertex[order], component[order], value[order], slack)


def _features(vertex: Ints) -> tuple[Ints, Ints]:
    """The only feature of A, and these vertices of B, (K, 2) each."""
    face = np.tile(np.array([FeatureKind.FACE, 0]), (len(vertex), 1))
    return face, np.stack([np.full(len(vertex), FeatureKind.VERTEX), vertex], axis=1)


def _way(a: Unbounded, heights: _Heights) -> _Way:
    if isinstance(a, HalfSpaces):
        low = heights.lowest()
        return _Way(heights.value[low], np.ones(len(a)), heights.vertex[low], heights.slack)
    return _plane_way(heights, len(a))


def _plane_way(heights: _Heights, count: int) -> _Way:
    """The separation from planes, on the nearer side; ties go to the normal's side."""
    row, low, high = _component_heights(heights)
    width = np.bincount(row, minlength=count)
    start = np.cumsum(width) - width
    slot = np.arange(len(row)) - start[row]
    lower = np.full((count, int(width.max(initial=1))), np.inf)
    upper = np.full(lower.shape, -np.inf)
    lower[row, slot], upper[row, slot] = low, high
    slack = heights.slack[:, None]
    meets = (lower <= slack) & (upper >= -slack)
    # Separated: the nearest component. Overlapping: the shorter translation after which no component is on both sides.
    above = np.where(lower > 0.0, lower, np.inf).min(axis=1)
    below = np.where(upper < 0.0, -upper, np.inf).min(axis=1)
    up, down = _first_free(-upper, -lower), _first_free(lower, upper)
    overlaps = meets.any(axis=1)
    sign = np.where(np.where(overlaps, up <= down, above <= below), 1.0, -1.0)
    gap = np.where(overlaps, -np.minimum(up, down), np.minimum(above, below))
    # The vertex that is, or will be, at the surface.
    off = np.abs(sign[heights.row] * heights.value - gap[heights.row])
    return _Way(gap, sign, heights.vertex[smallest_per_group(heights.row, off)], heights.slack)


def _component_heights(heights: _Heights) -> tuple[Ints, Floats, Floats]:
    """Row, least height and greatest height of each component, ordered by row."""
    span = int(heights.component.max(initial=0)) + 1
    key, which = np.unique(heights.row * span + heights.component, return_inverse=True)
    low, high = np.full(len(key), np.inf), np.full(len(key), -np.inf)
    np.minimum.at(low, which.reshape(-1), heights.value)
    np.maximum.at(high, which.reshape(-1), heights.value)
    return key // span, low, high


def _first_free(left: Floats, right: Floats) -> Floats:
    """The smallest number ≥ 0 that is in none of the open intervals of each row, (P, C), (P, C) -> (P,)."""
    left = np.where(left <= right, left, np.inf)
    order = np.argsort(left, axis=1)
    left, right = np.take_along_axis(left, order, axis=1), np.take_along_axis(right, order, axis=1)
    reach = np.maximum.accumulate(np.maximum(np.where(np.isfinite(left), right, 0.0), 0.0), axis=1)
    before = np.column_stack([np.zeros(len(left)), reach])
    free = np.column_stack([left >= before[:, :-1], np.ones(len(left), dtype=bool)])
    result: Floats = np.take_along_axis(before, free.argmax(axis=1)[:, None], axis=1)[:, 0]
    return result
