# SPDX-License-Identifier: GPL-3.0-or-later
"""The normal of each region of contact, and how far along it the region has to go until its two sides are past.

The way along a direction is the longest of three: that of the pieces that cross, that of the vertices of one side that
are inside the other, and that of what still meets when all these are past (`_parted`): the deepest points of two sides
may be on two edges whose triangles do not cross each other. Of several directions the one with the shortest way is the
region's normal.
"""

from dataclasses import dataclass

import numpy as np

from ...numerics.rows import RowTable, of_each, smallest_per_group
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import dot, length, normalized
from .bvh_traversal import Near
from .contact_regions import Regions, Submerged, region_labels, vertex_names
from .directional_depth import exits
from .leaf_queries import meeting
from .operands import Side, Whole, slack_of
from .penetration import vertices, ways_out
from .placed import Surfaces
from .ray_casting import hits

# Submerged vertices of a region, of either side, whose ways out are measured.
_LAST = 16
# Looks at what still meets of a region, and regions of a pair that are looked at, as each look is at whole meshes.
_LOOKS, _REGIONS = 16, 64


@dataclass(frozen=True)
class LastEnds(RowTable):
    """Where triangles part that meet only after what crosses is past, in at most one place of each region.

    Attributes
    ----------
    region, a, b : (K,) int64
        The region and the triangles.
    length : (K,) float64
        The way along the region's normal.
    point : (K, 3) float64
        Of A's surface.
    feature_a, feature_b : (K, 2) int64
        Within the triangles.
    """

    region: Ints
    a: Ints
    b: Ints
    length: Floats
    point: Floats
    feature_a: Ints
    feature_b: Ints


_NONE = np.empty(0, dtype=np.int64)
_NO_ENDS = LastEnds(
    _NONE, _NONE, _NONE, np.empty(0), np.empty((0, 3)), np.empty((0, 2), np.int64), np.empty((0, 2), np.int64)
)


@dataclass(frozen=True)
class RegionDepths:
    """The normal of each region and the way along it.

    Attributes
    ----------
    normal : (R, 3) float64
    depth : (R,) float64
    last : LastEnds
        Of the regions whose way is longest there.
    """

    normal: Floats
    depth: Floats
    last: LastEnds


@dataclass(frozen=True)
class Ahead:
    """What lies ahead of submerged vertices along the normals of their regions."""

    vertex: Ints
    point: Floats
    distance: Floats
    triangle: Ints


def region_depths(a: Side, b: Surfaces, met: Near, found: Regions, under: Submerged, direction: Floats) -> RegionDepths:
    """The normal of least depth of each region, and that depth; `direction` (R, 3) is the way apart of its pair."""
    both = normalized(found.normal_a - found.normal_b, np.zeros(3))
    candidates = [direction, both, found.normal_a, -found.normal_b]
    # The triangles of a surface face any way.
    for surface, normal in ((a, -found.normal_a), (b, found.normal_b)):
        if isinstance(surface, Surfaces):
            candidates.append(np.where(surface.solid[found.pair][:, None], 0.0, normal))
    best, chosen = np.full(len(found.pair), np.inf), direction.copy()
    slack = slack_of(a, b)[found.pair]
    last = _NO_ENDS
    for candidate in candidates:
        usable = length(candidate) > 0.5
        normal = np.where(usable[:, None], candidate, chosen)
        depth = np.where(usable, _depths(a, b, met, found, under, normal), np.inf)
        ends = _NO_ENDS
        if not isinstance(a, Whole):
            # What is left can only make the way longer.
            ends = _parted(a, b, met, found, under, normal, depth, best - slack)
            depth[ends.region] = ends.length
        better = depth < best - slack
        best[better], chosen[better] = depth[better], normal[better]
        last = LastEnds.joined([last.take(~better[last.region]), ends.take(better[ends.region])])
    return RegionDepths(chosen, best, last)


def _depths(a: Side, b: Surfaces, met: Near, found: Regions, under: Submerged, normal: Floats) -> Floats:
    """How far each region has to go along its normal until what crosses and what vertices are inside are past, (R,)."""
    result = np.zeros(len(normal))
    np.maximum.at(result, found.of, ways_out(a, b, met, normal[found.of]))
    for of, ahead in rays(a, b, found, under, normal):
        np.maximum.at(result, of, ahead.distance)
    return result


def rays(a: Side, b: Surfaces, found: Regions, under: Submerged, normal: Floats) -> list[tuple[Ints, Ahead]]:
    """For the vertices of A and for those of B: regions, and what their rays meet of the other; 0 where nothing."""
    result = []
    for of_b, one, other, sign in ((False, a, b, -1.0), (True, b, a, 1.0)):
        mine = np.flatnonzero(under.of_b == of_b)
        if isinstance(one, Whole) or isinstance(other, Whole) or not len(mine):
            continue
        region, vertex = under.region[mine], under.vertex[mine]
        pair = found.pair[region]
        point = vertices(one, pair, vertex)
        # Those that leave last.
        last = smallest_per_group(region, sign * dot(point, normal[region]), _LAST)
        region, vertex, pair, point = region[last], vertex[last], pair[last], point[last]
        met = hits(other, pair, point, sign * normal[region])
        seen = np.isfinite(met.distance)
        result.append((region[seen], Ahead(vertex[seen], point[seen], met.distance[seen], met.triangle[seen])))
    return result


class _Triangles:
    """Triangles of one side, of each region."""

    def __init__(self, of: Surfaces, met: Ints, found: Regions, under: Submerged, of_b: bool) -> None:
        """Those that share a vertex with one that crosses, and those of submerged vertices."""
        self.span = max(len(mesh.triangles) for mesh in of.meshes)
        self.keys = np.empty(0, dtype=np.int64)
        mine = under.of_b == of_b
        names = vertex_names(of, found.pair[found.of], met)
        region = np.concatenate([np.repeat(found.of, 3), under.region[mine]])
        vertex = np.concatenate([names.reshape(-1), under.vertex[mine]])
        number = of.mesh[found.pair[region]]
        for each in np.unique(number):
            here = np.unique(np.stack([region, vertex], axis=1)[number == each], axis=0)
            corner = of.meshes[each].welded_triangles.reshape(-1)
            order = np.argsort(corner, kind="stable")
            which, place = of_each(here[:, 1], corner[order])
            self.add(here[which, 0], order[place] // 3)

    def add(self, region: Ints, triangle: Ints) -> None:
        """Let these be of their regions too."""
        self.keys = np.union1d(self.keys, region * self.span + triangle)

    def has(self, region: Ints, triangle: Ints) -> Bools:
        """Whether each triangle is of its region."""
        return np.isin(region * self.span + triangle, self.keys)


def _parted(
    a: Surfaces, b: Surfaces, met: Near, found: Regions, under: Submerged, normal: Floats, depth: Floats, most: Floats
) -> LastEnds:
    """Where what still meets of each region after `depth` (R,) along its normal (R, 3) parts last.

    B goes on as far as the longest way of what meets, and looks again, until nothing of the region does. Where the
    pair has other regions, what meets is of this one if it hangs together with `_Triangles` of both of its sides.
    Regions whose way is not below `most` (R,) are left there.
    """
    rows = np.flatnonzero((depth < most) & (a.solid | b.solid)[found.pair])
    # The largest regions of each pair.
    rows = np.sort(rows[smallest_per_group(found.pair[rows], -found.count[rows].astype(np.float64), _REGIONS)])
    result, way = _NO_ENDS, depth.copy()
    alone = (np.bincount(found.pair, minlength=len(b)) == 1)[found.pair]
    known: list[_Triangles] = []
    if not alone[rows].all():
        known = [_Triangles(a, met.a, found, under, of_b=False), _Triangles(b, met.b, found, under, of_b=True)]
    for _ in range(_LOOKS):
        if not len(rows):
            break
        here_a = a.take(found.pair[rows])
        here_b = b.take(found.pair[rows], way[rows, None] * normal[rows])
        now = meeting(here_a, here_b)
        region = rows[now.pair]
        if known:
            label = region_labels(here_a, here_b, now)
            own = alone[region] | (known[0].has(region, now.a) & known[1].has(region, now.b))
            kept = np.flatnonzero(np.isin(label, label[own]))
            now, region = now.take(kept), region[kept]
            known[0].add(region, now.a)
            known[1].add(region, now.b)
        slack = slack_of(here_a, here_b)[now.pair]
        ends = exits(here_a.placed(now.pair, now.a), here_b.placed(now.pair, now.b), normal[region], slack)
        far = np.flatnonzero(ends.length > 4.0 * slack)
        far = far[smallest_per_group(region[far], -ends.length[far])]
        rows = region[far]
        way[rows] += ends.length[far]
        parted = LastEnds(
            rows, now.a[far], now.b[far], way[rows], ends.point[far], ends.feature_p[far], ends.feature_q[far]
        )
        result = LastEnds.joined([result.take(~np.isin(result.region, rows)), parted])
        rows = rows[way[rows] < most[rows]]
    return result
