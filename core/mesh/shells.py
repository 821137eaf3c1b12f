# SPDX-License-Identifier: GPL-3.0-or-later
"""The shells of a watertight mesh: closed surfaces that are connected over edges, and the volume that each encloses.

At an edge of two triangles, both belong to one shell. At an edge of more triangles, it must be decided which of them
belong together. Each is paired with one that runs along the edge in the opposite direction, in this order of
preference:

1. triangles with the same two vertices there before coincident vertices were welded, if no others have them;
2. triangles that are connected elsewhere, over edges where this is decided;
3. triangles that bound the same wedge, such as for two boxes that share an edge.

Triangles of one pair are not in the same half-plane if that can be avoided. So for a surface with every face twice,
once flipped, each side is a shell, and two boxes that share a face are two shells.
"""

from dataclasses import dataclass

import numpy as np

from ..numerics.rows import RowTable, connected_components, numbered_components, smallest_per_group
from ..numerics.tolerances import SHELL_PLANE, SHELL_VOLUME
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross, dot, length, normalized, perpendicular, perpendicular_part
from .triangle_mesh import TriangleMesh

# Edges without a clear decision are decided in about this many rounds.
_TURNS = 64


def shells_of(mesh: TriangleMesh) -> Ints:
    """The shell of each triangle of a mesh, (m,), numbered in the order of their lowest triangles.

    An edge of more than two triangles connects none of them if it is not used equally often in both directions. There
    are none of these in a watertight mesh.
    """
    count, edges = len(mesh.triangles), mesh.edges
    edge = edges.of_triangle.reshape(-1)
    order = np.argsort(edge, kind="stable")
    order = order[np.searchsorted(edge[order], 0) :]
    double = edges.uses[edge[order]] == 2
    pairs = order[double].reshape(-1, 2)
    if not double.all():
        pairs = _paired(mesh, _sides(mesh, order[~double]), pairs)
    return numbered_components(count, *(pairs // 3).T)


@dataclass(frozen=True)
class _Sides(RowTable):
    """Sides of triangles on edges of more than two triangles.

    Attributes
    ----------
    side : (K,) int64
        ``3 * triangle + corner``, where `corner` is the one at which the side begins.
    edge : (K,) int64
    ahead : (K,) bool
        Whether the side runs from the lower to the higher vertex.
    plane : (K,) int64
        The half-plane of the triangle, numbered in the order of the angles about the edge.
    """

    side: Ints
    edge: Ints
    ahead: Bools
    plane: Ints


def _sides(mesh: TriangleMesh, side: Ints) -> _Sides:
    """Sides (K,) ordered by edge."""
    start, end = _ends(side, mesh.welded_triangles)
    edge = mesh.edges.of_triangle.reshape(-1)[side]
    apex = mesh.welded_triangles[side // 3, (side % 3 + 2) % 3]
    low, high = mesh.points[np.minimum(start, end)], mesh.points[np.maximum(start, end)]
    return _Sides(side, edge, start < end, half_planes(low, high, mesh.points[apex], edge))


def _paired(mesh: TriangleMesh, sides: _Sides, pairs: Ints) -> Ints:
    """The known pairs of sides (P, 2), and those of all other sides, except on edges that are not even."""
    count = len(mesh.triangles)
    sides = sides.take(_even(sides, sides.edge))
    found = _of_shared_vertices(mesh, sides)
    while True:
        pairs = np.concatenate([pairs, sides.side[found]])
        left = np.ones(len(sides), dtype=bool)
        left[found] = False
        sides = sides.take(left)
        if not len(sides):
            return pairs
        part = connected_components(count, *(pairs // 3).T)[sides.side // 3]
        found = _balanced(sides, np.unique(sides.edge * count + part, return_inverse=True)[1].reshape(-1), part)
        if not len(found):
            of_edges = np.unique(sides.edge, return_inverse=True)[1].reshape(-1)
            found = _balanced(sides, of_edges, part)
            # Connections over other edges may decide the pairing of layers in one half-plane.
            doubt = _doubt(sides, of_edges, found)
            least = np.flatnonzero(doubt == doubt.min())
            chosen = least if doubt.min() == 0 else least[: max(1, len(doubt) // _TURNS)]
            found = found[np.isin(of_edges[found[:, 0]], chosen)]


def _ends(side: Ints, corner: Ints) -> tuple[Ints, Ints]:
    """The start and the end of sides (K,), among the corners (m, 3)."""
    triangle, at = np.divmod(side, 3)
    return corner[triangle, at], corner[triangle, (at + 1) % 3]


def _of_shared_vertices(mesh: TriangleMesh, sides: _Sides) -> Ints:
    """Pairs (K, 2) of the sides, as rows, that have the same two given vertices, if only they have them."""
    start, end = _ends(sides.side, mesh.triangles)
    key = np.minimum(start, end) * len(mesh.points) + np.maximum(start, end)
    _, group, uses = np.unique(key, return_inverse=True, return_counts=True)
    group = group.reshape(-1)
    order = np.argsort(group, kind="stable")
    pair = order[uses[group[order]] == 2].reshape(-1, 2)
    return pair[sides.ahead[pair[:, 0]] != sides.ahead[pair[:, 1]]]


def _balanced(sides: _Sides, group: Ints, part: Ints) -> Ints:
    """Pairs (K, 2) of the sides, as rows, within groups (K,) with equal numbers in both directions.

    The pairs bound wedges of the solid if the shell faces outward, or wedges outside the solid if it faces inward: the
    choice with fewer pairs in one half-plane.
    """
    rows = _even(sides, group)
    if not len(rows):
        return np.empty((0, 2), dtype=np.int64)
    taken = sides.take(rows)
    both = [_wedges(taken, group[rows], part[rows], ends) for ends in (taken.ahead, ~taken.ahead)]
    count = int(group.max()) + 1
    folds = [np.bincount(group[rows[pair[:, 0]]], weights=_folded(taken, pair), minlength=count) for pair in both]
    better = folds[1] < folds[0]
    chosen = [pair[better[group[rows[pair[:, 0]]]] == second] for pair, second in zip(both, (False, True), strict=True)]
    return rows[np.concatenate(chosen)]


def _even(sides: _Sides, group: Ints) -> Ints:
    """The sides, as rows, in groups (K,) with equal numbers in both directions."""
    return np.flatnonzero(np.bincount(group, weights=np.where(sides.ahead, 1.0, -1.0))[group] == 0.0)


def _wedges(sides: _Sides, group: Ints, part: Ints, ends: Bools) -> Ints:
    """Pairs (K, 2) of sides, as rows, that bound one wedge. Seen along the edge, one begins it and the other `ends` it.

    If wedges overlap, the first to begin is the first to end, as if both surfaces continued behind the edge. In one
    half-plane, ends come before beginnings, and layers are in the order of their `part` (K,).
    """
    order = np.lexsort((part, ~ends, sides.plane, group))
    ends, group = ends[order], group[order]
    # Start where the fewest wedges overlap.
    depth = np.cumsum(np.where(ends, -1, 1))
    lowest = smallest_per_group(group, depth)[np.unique(group, return_inverse=True)[1].reshape(-1)]
    place = (np.arange(len(order)) - lowest - 1) % np.bincount(group)[group]
    both = (np.flatnonzero(~ends), np.flatnonzero(ends))
    first, last = (rows[np.lexsort((place[rows], group[rows]))] for rows in both)
    return np.stack([order[first], order[last]], axis=1)


def _folded(sides: _Sides, pair: Ints) -> Bools:
    """Whether the triangles of pairs of sides (K, 2) are in the same half-plane, (K,)."""
    return sides.plane[pair[:, 0]] == sides.plane[pair[:, 1]]


def _doubt(sides: _Sides, group: Ints, pair: Ints) -> Ints:
    """The ambiguity of the pairs of each group (G,). 0 if there is only one way to pair its sides.

    It is greatest if partners are in one half-plane. Otherwise, it depends on the number of half-planes beyond two, and
    of sides in one half-plane with another of their direction.
    """
    folded = np.bincount(group[pair[:, 0]], weights=_folded(sides, pair))
    _, layer, uses = np.unique(2 * sides.plane + sides.ahead, return_inverse=True, return_counts=True)
    layered = np.bincount(group, weights=uses[layer.reshape(-1)] > 1)
    planes = np.bincount(group[np.unique(sides.plane, return_index=True)[1]])
    result: Ints = (len(sides) * folded + layered + np.maximum(planes - 2, 0)).astype(np.int64)
    return result


def half_planes(low: Floats, high: Floats, apex: Floats, edge: Ints) -> Ints:
    """Numbers (K,) of the half-planes of triangles at edges from `low` to `high`, by their angles around the edge."""
    axis = normalized(high - low, np.array([0.0, 0.0, 1.0]))
    away = perpendicular_part(apex - low, axis)
    _, origin, of_edge = np.unique(edge, return_index=True, return_inverse=True)
    zero = normalized(away[origin[of_edge.reshape(-1)]], perpendicular(axis))
    angle = np.arctan2(dot(away, cross(axis, zero)), dot(away, zero)) % (2.0 * np.pi)
    angle[angle > 2.0 * np.pi - SHELL_PLANE] = 0.0
    order = np.lexsort((angle, edge))
    new = np.append(True, (np.diff(angle[order]) > SHELL_PLANE) | (np.diff(edge[order]) != 0))
    result = np.empty(len(edge), dtype=np.int64)
    result[order] = np.cumsum(new)
    return result


def cavities_of(volume: Floats, inner: Ints, outer: Ints) -> tuple[Ints, Bools]:
    """For each shell (S,), the shell of which it is a cavity, or -1, and whether it has to be flipped.

    Parameters
    ----------
    volume : (S,)
        Negative for shells that face inward.
    inner, outer : (K,)
        All pairs of shells with the first inside the second.
    """
    around: list[list[int]] = [[] for _ in range(len(volume))]
    for one, other in zip(inner.tolist(), outer.tolist(), strict=True):
        around[one].append(other)
    size = np.abs(volume)
    cavity_of, flipped = np.full(len(volume), -1), np.zeros(len(volume), dtype=bool)
    # A surrounding shell encloses more volume than the shell inside.
    for one in np.argsort(-size, kind="stable").tolist():
        inward = volume[one] < 0.0
        if around[one]:
            parent = min(around[one], key=size.__getitem__)
            solids = [other for other in around[one] if cavity_of[other] < 0]
            if inward != flipped[parent] and 2 * len(solids) > len(around[one]):
                cavity_of[one] = min(solids, key=size.__getitem__)
        flipped[one] = size[one] > 0.0 and inward != (cavity_of[one] >= 0)
    return cavity_of, flipped


def volumes_of(mesh: TriangleMesh, shell: Ints) -> Floats:
    """The volume of each shell (S,), negative if its triangles face inward. Zero if it is within rounding."""
    _, first, count = np.unique(shell, return_index=True, return_counts=True)
    corner = mesh.corners - mesh.corners[first, 0][shell][:, None]
    volume = np.bincount(shell, weights=dot(corner[:, 0], cross(corner[:, 1], corner[:, 2]))) / 6.0
    far = np.zeros(len(first))
    np.maximum.at(far, shell, np.abs(corner).max(axis=(1, 2)))
    # Upper bound first, then the actual value.
    area: Floats = 12.0 * count * far**2
    if (np.abs(volume) <= SHELL_VOLUME * far * area).any():
        across = cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
        area = np.bincount(shell, weights=length(across)).astype(np.float64)
    result: Floats = np.where(np.abs(volume) > SHELL_VOLUME * far * area, volume, 0.0)
    return result
