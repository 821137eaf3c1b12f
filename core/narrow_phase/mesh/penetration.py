# SPDX-License-Identifier: GPL-3.0-or-later
"""A translation that parts a shape (A) and a mesh (B), proved: it is tried, and B is found free.

For one direction the first free place is found exactly. Two convex pieces that meet do so until the end of their way
out along the direction, and a vertex inside the other's solid is inside until its ray meets the surface. So B moves by
the longest of these ways, again and again, until nothing holds it: no pieces meet, and no component of either is inside
the other (one may come to be there on the way). Several directions are tried, none of which depends on the axes of the
world: the normals of the faces that meet, the axes of both, the direction that separates the hulls. The one that is
free first is taken. For convex solids that is the depth. For others a shorter way may exist, along a direction that was
not tried or round a corner.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...convex.gjk import parted
from ...convex.polytopes import PolytopeSupport, polytopes
from ...convex.support_map import Supported
from ...mesh.triangle_mesh import build_hulls
from ...numerics.rows import of_each, smallest_per_group
from ...numerics.tolerances import MESH_PROBE
from ...numerics.types import Floats, Ints
from ...numerics.vectors import dot, length, normalized
from ...shapes import Capsules, Cylinders, Hulls, Kind, Spheres, SupportMapped, Triangles
from ..convex_table import algorithm
from .bvh_traversal import LeafPairs
from .contact_regions import regions
from .directional_depth import depths_along
from .leaf_queries import distances, meeting, some_meeting
from .operands import Convex, ConvexRows, MeshRows, ShapeRows, extremes, reaches, size_of, slack_of
from .ray_casting import held_places, hits, inside

# Edges of the one times edges of the other up to which the hulls of two shapes are parted exactly.
_EDGES = 1 << 16
# Vertices of a mesh up to which its hull is built for that.
_VERTICES = 1 << 12
# Regions of contact, the largest ones, of each pair that give directions.
_REGIONS = 4

_AXES = np.concatenate([np.eye(3), -np.eye(3)])


def directions(a: ShapeRows, b: MeshRows, met: LeafPairs) -> tuple[Ints, Floats]:
    """Unit directions for each pair: the pair (K,) and the direction (K, 3)."""
    every = np.arange(len(b))
    found = [hull_normals(a, b)]
    for side in (a, b):
        axes = _axes(side)
        turned = np.einsum("nij,kj->nki", side.bodies.rotation, axes)
        found.append((np.repeat(every, len(axes)), turned.reshape(-1, 3)))
    found.append((every, middles(b) - middles(a)))
    if len(met):
        found += _of_regions(a, b, met)
    row, along = (np.concatenate(part) for part in zip(*found, strict=True))
    size = length(along)
    sure = size > 0.0
    return row[sure], along[sure] / size[sure, None]


def _axes(shapes: ShapeRows) -> Floats:
    """Axes of a side's own, in its frame: none of a ball, and only the long one of what is round about it."""
    if isinstance(shapes, ConvexRows) and isinstance(shapes.shapes, Spheres):
        return _AXES[:0]
    if isinstance(shapes, ConvexRows) and isinstance(shapes.shapes, Capsules | Cylinders):
        return _AXES[2::3]
    return _AXES


def middles(shapes: ShapeRows) -> Floats:
    """The middle of each shape's box, in the world: (N, 3)."""
    bodies = shapes.bodies
    result: Floats = np.einsum("nij,nj->ni", bodies.rotation, bodies.boxes(bodies.node_start)[0]) + bodies.translation
    return result


def hull_normals(a: ShapeRows, b: MeshRows) -> tuple[Ints, Floats]:
    """The normal between the convex hulls of each pair that has few edges: pairs (K,), normals (K, 3)."""
    first, edges_a = _hull(a)
    second, edges_b = _hull(b)
    row = np.flatnonzero(edges_a * edges_b <= _EDGES)
    if first is None or second is None or not len(row):
        return row[:0], np.empty((0, 3))
    return row, algorithm(first.kind, Kind.HULL).distance(first.take(row), second.take(row)).normal


def _hull(surface: ShapeRows) -> tuple[Convex | None, Ints]:
    """The convex hulls of a side, and how many edges each has."""
    if isinstance(surface, ConvexRows):
        shapes = surface.shapes
        if isinstance(shapes, Hulls):
            return shapes, np.array(
                [max(1, len(shapes.geometry[index].edges)) for index in shapes.index], dtype=np.int64
            )
        return shapes, np.full(len(shapes), 12)
    if max(len(mesh.used) for mesh in surface.meshes) > _VERTICES:
        return None, np.full(len(surface), _EDGES + 1)
    build_hulls(surface.meshes)
    geometry = [mesh.hull for mesh in surface.meshes]
    edges = np.array([max(1, len(hull.edges)) for hull in geometry], dtype=np.int64)
    return Hulls(geometry, surface.mesh, surface.bodies.translation, surface.bodies.rotation), edges[surface.mesh]


def _of_regions(a: ShapeRows, b: MeshRows, met: LeafPairs) -> list[tuple[Ints, Floats]]:
    """Both ways along the mean normals of either side of the largest regions."""
    found = regions(a, b, met)
    largest = smallest_per_group(found.pair, -found.count.astype(np.float64), _REGIONS)
    result = []
    for normal in (found.normal_a, found.normal_b):
        result += [(found.pair[largest], sign * normal[largest]) for sign in (1.0, -1.0)]
    result.append((found.pair[largest], normalized(found.normal_a - found.normal_b, np.zeros(3))[largest]))
    return result


# Looks before a pair is given up for what is free until then; the way out of the whole shape always is.
_LOOKS = 96
# Directions of each pair that go on at a time.
_AHEAD = 2
# Directions times pieces that meet, for each pair: with so many the first directions are good, and looks are dear.
_WORK = 1 << 10
# Steps of Newton's method towards the end of a way out; the gap along the way is convex, and three do as a rule.
_STEPS = 12


@dataclass(frozen=True)
class Translation:
    """A free translation of each pair.

    Attributes
    ----------
    length : (P,) float64
        Not below zero.
    direction : (P, 3) float64
        Unit: B moved by ``length * direction`` touches A at most.
    """

    length: Floats
    direction: Floats


def separating_translation(a: ShapeRows, b: MeshRows, met: LeafPairs) -> Translation:
    """A translation that frees each pair of `a` and `b`, which overlap, and whose pieces `met` meet."""
    row, along = directions(a, b, met)
    best, chosen = np.full(len(b), np.inf), np.zeros((len(b), 3))
    # What all of A reaches against all of B is always free.
    whole = reaches(a, row, along) + reaches(b, row, -along)
    order = np.lexsort((whole, row))
    first = order[np.unique(row[order], return_index=True)[1]]
    best[row[first]], chosen[row[first]] = np.maximum(whole[first], 0.0), along[first]
    slack = slack_of(a, b)
    way = np.zeros(len(row))
    going = _promising(a, b, row, whole, met)
    fresh = np.ones(len(row), dtype=bool)
    for _ in range(_LOOKS):
        going = going[way[going] < best[row[going]] - slack[row[going]]]
        if not len(going):
            break
        # Those that have come least far go on: the others can wait until these are free, and mostly need not go then.
        now = going if fresh.all() else going[np.sort(smallest_per_group(row[going], way[going], _AHEAD))]
        mine = row[now]
        # Rays first: they are cheap, and go far.
        step = _ways_of_last(a, b, mine, along[now], way[now])
        here = np.flatnonzero(step <= slack[mine])
        first = fresh[now[here]] & (way[now[here]] == 0.0)
        for some, known in ((here[first], met), (here[~first], None)):
            step[some] = _ways_of_rest(a, b, mine[some], along[now[some]], way[now[some]], known)
        fresh[now] = False
        way[now] += step
        free = now[step <= slack[mine]]
        going = np.setdiff1d(going, free, assume_unique=True)
        # The last written of each pair is the shortest.
        free = free[np.argsort(-way[free], kind="stable")]
        free = free[way[free] < best[row[free]]]
        best[row[free]], chosen[row[free]] = way[free], along[free]
    return Translation(best, chosen)


def _promising(a: ShapeRows, b: MeshRows, row: Ints, whole: Floats, met: LeafPairs) -> Ints:
    """The problems to look at: all, but only those of the shortest ways where many pieces cross."""
    most = np.maximum(_WORK // np.maximum(np.bincount(met.pair, minlength=len(b)), 1), 2)
    # Where pieces only touch, the way out may be nothing along any of the directions, whatever the whole shapes reach.
    many = most < np.bincount(row, minlength=len(b))
    asked = met.take(many[met.pair])
    deep = distances(a, b, asked).distance < -4.0 * slack_of(a, b)[asked.pair]
    many[asked.pair[deep]] = False
    most[many] = len(row)
    order = np.lexsort((whole, row))
    start = np.searchsorted(row[order], row[order])
    return np.sort(order[np.arange(len(order)) - start < most[row[order]]])


def _ways_of_rest(a: ShapeRows, b: MeshRows, row: Ints, along: Floats, way: Floats, met: LeafPairs | None) -> Floats:
    """How much farther B (moved by `way`) has to go for what meets to part, for each row and direction; 0 if free.

    These are the pieces that meet, or where no two of them cross the loose parts that are inside the other's solid.
    """
    result = np.zeros(len(row))
    if not len(row):
        return result
    here_a, here_b = a.take(row), b.take(row, way[:, None] * along)
    slack, rest = slack_of(here_a, here_b), np.arange(len(row))
    if met is None:
        # Some of them do while there are any.
        some = some_meeting(here_a, here_b)
        np.maximum.at(result, some.pair, ways_out(here_a, here_b, some, along[some.pair]))
        rest = np.flatnonzero(result <= slack)
        here_a, here_b, along = here_a.take(rest), here_b.take(rest), along[rest]
    found = meeting(here_a, here_b) if met is None else _spread(met, row)
    np.maximum.at(result, rest[found.pair], ways_out(here_a, here_b, found, along[found.pair]))
    past = np.flatnonzero(result[rest] <= slack[rest])
    result[rest[past]] = _ways_of_loose(here_a.take(past), here_b.take(past), along[past], _spread(found, past))
    return result


def _ways_of_loose(a: ShapeRows, b: MeshRows, along: Floats, met: LeafPairs) -> Floats:
    """How far B has to go along its direction until a point of each loose part in A is out, and likewise A's in B."""
    result = np.zeros(len(b))
    of_a, of_b = held_places(a, b, met, along, MESH_PROBE * size_of(a, b))
    for solid, inner, sign in ((b, of_a, -1.0), (a, of_b, 1.0)):
        if len(inner.row) and not isinstance(solid, ConvexRows):
            ahead = hits(solid, inner.row, inner.point, sign * along[inner.row]).distance
            np.maximum.at(result, inner.row, np.where(np.isfinite(ahead), ahead, 0.0))
    return result


def _ways_of_last(a: ShapeRows, b: MeshRows, row: Ints, along: Floats, way: Floats) -> Floats:
    """How far B has to go until its last point has left A, where that is in A, and likewise A's last point in B."""
    every = np.arange(len(row))
    here_a, here_b = a.take(row), b.take(row, way[:, None] * along)
    probe = MESH_PROBE * size_of(here_a, here_b)
    if isinstance(here_a, ConvexRows):
        return _way_of_point(here_b, here_a.support_point(every, along), -along, probe)
    tail = vertices(here_b, every, extremes(here_b, every, -along)[1])
    head = vertices(here_a, every, extremes(here_a, every, along)[1])
    return np.maximum(_way_of_point(here_a, tail, along, probe), _way_of_point(here_b, head, -along, probe))


def _way_of_point(surface: MeshRows, point: Floats, along: Floats, probe: Floats) -> Floats:
    """How far each point inside its solid goes until it meets the surface, (K,); 0 outside."""
    row = np.arange(len(point))
    start = point + probe[:, None] * along
    within = np.flatnonzero(inside(surface, row, start))
    result = np.zeros(len(point))
    if len(within):
        ahead = hits(surface, within, start[within], along[within]).distance
        result[within] = np.where(np.isfinite(ahead), ahead + probe[within], 0.0)
    return result


def ways_out(a: ShapeRows, b: MeshRows, leaves: LeafPairs, along: Floats) -> Floats:
    """How far pieces of B that meet pieces of A have to go along unit directions (K, 3) until they are past: (K,)."""
    if not len(leaves):
        return np.zeros(0)
    slack = slack_of(a, b)[leaves.pair]
    if not isinstance(a, ConvexRows):
        return depths_along(a.placed(leaves.pair, leaves.a), b.placed(leaves.pair, leaves.b), along, slack).length
    corners = b.placed(leaves.pair, leaves.b)
    way = np.maximum(a.support_distance(leaves.pair, along) - dot(corners, along[:, None]).min(axis=1), 0.0)
    gap = _Gaps(a, b, leaves, along)
    going = np.flatnonzero(way > slack)
    moved = way.copy()
    for _ in range(_STEPS):
        if not len(going):
            break
        # From the free side: a plane parts the two, and lets B come back until it is used up.
        distance, normal = gap.at(going, moved[going])
        slope = dot(normal, along[going])
        back = distance / np.where(slope > 0.0, slope, 1.0)
        can = (distance > slack[going]) & (slope > 0.0)
        moved[going[can]] = np.maximum(moved[going[can]] - back[can], 0.0)
        going = going[can & (moved[going] > 0.0)]
    return moved


class _Gaps:
    """How far convex shapes are apart from triangles that have gone some of their ways."""

    def __init__(self, a: ConvexRows, b: MeshRows, leaves: LeafPairs, along: Floats) -> None:
        self.a, self.b, self.of, self.along = a, b, leaves, along
        self.cores: tuple[Supported, PolytopeSupport] | None = None
        # Round shapes have closed forms, which are sooner done.
        if isinstance(a.shapes, Spheres | Capsules | Cylinders):
            return
        every, origin = np.arange(len(leaves)), a.interior_point()[leaves.pair]
        shapes, corner = a.shapes.take(leaves.pair), b.placed(leaves.pair, leaves.b)
        left: Supported
        if isinstance(shapes, SupportMapped):
            left = shapes.seen_from(origin)
        else:
            left = PolytopeSupport.of(polytopes(shapes).take(every, origin))
        self.cores = left, PolytopeSupport.of(polytopes(Triangles(corner)).take(every, origin))
        self.start = origin - corner.mean(axis=1)

    def at(self, rows: Ints, way: Floats) -> tuple[Floats, Floats]:
        """The distance of these pieces after these ways (K,), 0.0 where they meet, and its direction (K, 3)."""
        gone = way[:, None] * self.along[rows]
        if self.cores is not None:
            left, right = self.cores[0].take(rows), self.cores[1].take(rows)
            return parted(left, replace(right, translation=right.translation + gone.T), self.start[rows] - gone)
        part = self.of.take(rows)
        there = LeafPairs(np.arange(len(rows)), part.a, part.b, part.bound)
        found = distances(self.a.take(part.pair), self.b.take(part.pair, gone), there)
        return np.where(found.distance > found.rounding, found.distance, 0.0), found.normal


def vertices(shapes: MeshRows, row: Ints, vertex: Ints) -> Floats:
    """Vertices of rows in the world, (K, 3)."""
    result = np.empty((len(row), 3))
    for number, mesh in enumerate(shapes.meshes):
        mine = np.flatnonzero(shapes.mesh[row] == number)
        turn = shapes.bodies.rotation[row[mine]]
        result[mine] = np.einsum("kij,kj->ki", turn, mesh.points[vertex[mine]]) + shapes.bodies.translation[row[mine]]
    return result


def _spread(met: LeafPairs, row: Ints) -> LeafPairs:
    """What meets of each problem, whose pairs are `row` (K,)."""
    problem, at = of_each(row, met.pair)
    return LeafPairs(problem, met.a[at], met.b[at], met.bound[at])
