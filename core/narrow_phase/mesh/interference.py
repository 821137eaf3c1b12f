# SPDX-License-Identifier: GPL-3.0-or-later
"""Interference: how deep any point of the boundary of one body is inside another.

For two convex solids this is the penetration depth. Otherwise it is the depth of the deepest point of either boundary
in the other body (see `deepest`). Bodies whose boundaries coincide, such as two copies in one place, have no boundary
inside each other. Points in the middle of both bodies distinguish them from bodies that touch.
"""

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from ...mesh.triangle_mesh import TriangleMesh
from ...numerics.rows import smallest_per_group
from ...numerics.steps import ALL_ROWS, exhausted
from ...numerics.tolerances import INTERFERENCE, INTERFERENCE_ROUND, MESH_BESIDE
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import cross, length, normalized
from ...results import Depths
from ...shapes import Capsules, Cylinders, Hulls, Spheres
from ..convex_table import EITHER_ORDER
from .boundary import Curved, Round, ends_of
from .deepest import TOGETHER, Points, Search, Triangles, deepest_steps, depth_of_points, finished
from .intersection import Intersection, Parts
from .leaf_queries import contains_component, distances, meeting
from .operands import Convex, ConvexRows, MeshRows, ShapeRows, in_frame, in_world, side, slack_of
from .ray_casting import hits, inside


def interference(shared: Intersection, least: Floats, together: int) -> Generator[None, None, Depths]:
    """Interference of each pair (P,), 0.0 for pairs that are separated or only touch, in steps of so many triangles.

    Interferences of at most `least` (P,) are not measured exactly: any value up to it may be returned.
    """
    a, b = shared.a, shared.b
    result, bound = np.zeros((2, len(b)))
    every = np.arange(len(b))
    convex = b.convex(every) & (isinstance(a, ConvexRows) or a.convex(every))
    rows = np.flatnonzero(convex)
    result[rows] = bound[rows] = _of_convex(a.take(rows), b.take(rows))
    rows = np.flatnonzero(~convex)
    if len(rows):
        some = shared.take(rows) if convex.any() else shared
        yield from some.steps()
        found = yield from deepest_points_steps(some, Problems.of_pairs(some), least[rows], together)
        result[rows], bound[rows] = found.best, found.bound
    return _measured(a, b, result, bound)


def _measured(a: ShapeRows, b: MeshRows, depth: Floats, bound: Floats) -> Depths:
    """Depths without those that are only rounding."""
    slack = slack_of(a, b)
    return Depths(np.where(depth > slack, depth, 0.0), np.where(bound > slack, bound, 0.0))


def in_full(shared: Intersection, least: Floats) -> Generator[None, None, Depths]:
    """Measure `interference` in full, in steps: for each pair with a bound above its depth, what was left is searched.

    Pairs with a round shape keep their bounds. Their searches end at a number of patches or planes.
    """
    found = yield from interference(shared, least, TOGETHER)
    for at in np.flatnonzero(found.at_least).tolist():
        yield
        one = shared.take(np.array([at]))
        inner = yield from deepest_points_steps(one, Problems.of_pairs(one), least[[at]], TOGETHER)
        best, bound = inner.best[0], 0.0
        for (body, other), search in zip(((one.b, one.a), (one.a, one.b)), inner.searches, strict=True):
            if search is None or not len(search.rest):
                bound = bound if search is None else max(bound, float(search.bound[0]))
                continue
            known = replace(search, best=np.maximum(search.best, best))
            full = yield from finished(body, other, 0, known, 0, float(least[at]))
            best, bound = max(best, full.best[0]), max(bound, full.bound[0])
        bound = bound if bound > best * (1.0 + INTERFERENCE) + 2.0 * slack_of(one.a, one.b)[0] else best
        found.put(np.array([at]), _measured(one.a, one.b, np.array([best]), np.array([bound])))
    return found


def _of_convex(a: ShapeRows, b: MeshRows) -> Floats:
    """Penetration depths of convex solids (P,), computed from their hulls."""
    if not len(b):
        return np.zeros(0)
    first, second = _hulls(a), _hulls(b)
    result: Floats = np.maximum(-EITHER_ORDER[first.kind, second.kind].distance(first, second).distance, 0.0)
    return result


def _hulls(shapes: ShapeRows) -> Convex:
    if isinstance(shapes, ConvexRows):
        return shapes.shapes
    used, mesh = np.unique(shapes.mesh, return_inverse=True)
    hulls = [shapes.meshes[number].hull for number in used.tolist()]
    return Hulls(hulls, mesh.reshape(-1), shapes.bodies.translation, shapes.bodies.rotation)


@dataclass(frozen=True)
class Problems:
    """Parts of the overlaps of pairs whose deepest points are needed: whole pairs, or regions.

    Attributes
    ----------
    pair : (R,) int64
        Ascending.
    of : (K,) int64
        The problem of each pair of intersecting pieces.
    of_a, of_b : (L,) int64
        The problem of each label of the parts of A, and of B, inside the other.
    whole : bool
        Whether each problem is a whole pair.
    """

    pair: Ints
    of: Ints
    of_a: Ints
    of_b: Ints
    whole: bool = False

    @classmethod
    def of_pairs(cls, shared: Intersection) -> "Problems":
        """Each pair as a whole."""
        labels = []
        for under in shared.submerged:
            pair = np.zeros(under.labels, dtype=np.int64)
            pair[under.vertices.label] = under.vertices.pair
            labels.append(pair)
        return cls(np.arange(len(shared.b)), shared.leaves.pair, labels[0], labels[1], whole=True)


@dataclass(frozen=True)
class Deepest:
    """The deepest points of each problem.

    Attributes
    ----------
    best : (R,) float64
        The greatest depth.
    bound : (R,) float64
        An upper bound of the depth: above `best` if the search took too many pieces.
    of_a, of_b : Points
        Points of A's boundary in B, and of B's boundary in A, at most one for each problem. A convex shape A has points
        only for whole pairs: their rows are the first problems of these.
    middle_a, middle_b : Points
        Points in the middle of both bodies, if they are deeper than all of these, with the smaller of both depths: for
        `middle_a` the depth in B, for `middle_b` the depth in A. Rows as above.
    searches : tuple of Search or None
        Of B's triangles in A, and of A's triangles in B, if both are meshes and all problems were searched.
    """

    best: Floats
    bound: Floats
    of_a: Points
    of_b: Points
    middle_a: Points
    middle_b: Points
    searches: tuple[Search | None, Search | None] = (None, None)

    def of_pairs(self, rows: Ints) -> "Deepest":
        """Select pairs, which are ascending, and renumber them from 0. The problems are pairs."""
        number = np.full(len(self.best), -1)
        number[rows] = np.arange(len(rows))
        parts = []
        for points in (self.of_a, self.of_b, self.middle_a, self.middle_b):
            some = points.take(number[points.row] >= 0)
            parts.append(replace(some, row=number[some.row]))
        return Deepest(self.best[rows], self.bound[rows], parts[0], parts[1], parts[2], parts[3])


def deepest_points(shared: Intersection, asked: Problems, least: Floats | None = None) -> Deepest:
    """Find the deepest points of all problems of pairs that are not both convex.

    Depths of at most `least` (P,) are not measured exactly.
    """
    return exhausted(deepest_points_steps(shared, asked, least, ALL_ROWS))


def deepest_points_steps(
    shared: Intersection, asked: Problems, least: Floats | None, together: int
) -> Generator[None, None, Deepest]:
    """Run `deepest_points` in steps of so many triangles."""
    a, b, leaves, pair = shared.a, shared.b, shared.leaves, asked.pair
    in_a, in_b = a.has_volume(), b.has_volume()
    flat = ~in_b & (isinstance(a, ConvexRows) | ~in_a)
    in_a = in_a & ~flat
    best, level = np.zeros(len(pair)), None if least is None else least[pair]
    bound = np.zeros(len(pair))
    searches: list[Search | None] = [None, None]
    # Surfaces have no inside. Their interference is the penetration depth of their pieces.
    some = np.flatnonzero(flat[leaves.pair])
    np.maximum.at(best, asked.of[some], -distances(a, b, leaves.take(some)).distance)
    single = np.unique(pair, return_index=True)[1]
    first = np.zeros(len(b), dtype=np.int64)
    first[pair[single]] = single
    within_b, within_a = _middles_inside(a, b)
    also_a, also_b = _middles_inside(b, a)
    middle = [Points.joined(parts) for parts in ((within_b, also_b), (within_a, also_a))]
    for number, points in enumerate(middle):
        points = points.take(np.isin(points.row, pair))
        middle[number] = replace(points, row=first[points.row])
        if asked.whole:
            np.maximum.at(best, middle[number].row, points.depth)
    rows = np.flatnonzero(in_a[pair])
    ratio = _ratios(a, b)[pair] if asked.whole else np.ones(len(pair))
    # If a cylinder may be this many times as deep as the solid's boundary is in it, that must be less to be enough.
    enough = None if level is None else level / ratio
    if isinstance(a, ConvexRows) and isinstance(a.shapes, Spheres | Capsules):
        of_b = _deepest_in_rounded(a.shapes, b, shared, asked)
        np.maximum.at(best, of_b.row, of_b.depth)
    else:
        mine = _triangles(b, leaves.b, shared.submerged[1].triangles, asked, asked.of_b, rows)
        known = best[rows], None if enough is None else enough[rows]
        boxes = _boxes(shared, asked, 1, rows)
        search = yield from deepest_steps(b, a, mine, pair[rows], *known, boxes, together)
        best[rows], bound[rows] = np.maximum(best[rows], search.best), search.bound
        of_b = replace(search.points, row=rows[search.points.row])
        searches[0] = search if len(rows) == len(pair) else None
    rows, most = np.flatnonzero(in_b[pair]), None
    if isinstance(a, ConvexRows):
        rows = np.intersect1d(rows, single)
        rows = rows[
            _to_search(a.take(pair[rows]), b.take(pair[rows]), best[rows], None if level is None else level[rows])
        ]
        most = _most_of_cylinders(a.take(pair), slack_of(a, b)[pair], ratio, best, bound, enough)
        rows = rows if level is None else rows[most[rows] > level[rows]]
    mine = _triangles(a, leaves.a, shared.submerged[0].triangles, asked, asked.of_a, rows)
    # For each pair, the greatest of all depths. For each region, that of either body.
    known = best[rows] if asked.whole else np.zeros(len(rows)), None if level is None else level[rows]
    boxes = _boxes(shared, asked, 0, rows)
    search = yield from deepest_steps(a, b, mine, pair[rows], *known, boxes, together)
    best[rows] = np.maximum(best[rows], search.best)
    bound[rows] = np.maximum(bound[rows], search.bound if most is None else np.minimum(search.bound, most[rows]))
    of_a = search.points
    searches[1] = search if len(rows) == len(pair) else None
    # The greatest depth of each pair.
    greatest = np.zeros(len(b))
    np.maximum.at(greatest, pair, best)
    for number, points in enumerate(middle):
        middle[number] = points.take(points.depth >= greatest[pair[points.row]])
        np.maximum.at(best, middle[number].row, middle[number].depth)
    of_a, bound = replace(of_a, row=rows[of_a.row]), np.maximum(best, bound)
    # What may be left is no deeper than the allowed error.
    rest = best * (1.0 + INTERFERENCE) + 2.0 * slack_of(a, b)[pair]
    bound = np.where(bound > (rest if level is None else np.maximum(rest, level)), bound, best)
    return Deepest(best, bound, of_a, of_b, middle[0], middle[1], (searches[0], searches[1]))


def _triangles(one: ShapeRows, touched: Ints, under: Parts, asked: Problems, of_label: Ints, rows: Ints) -> Triangles:
    """The triangles of one mesh that may have points in the other body, for these problems."""
    if isinstance(one, ConvexRows):
        return Triangles(rows[:0], rows[:0])
    span = max((len(mesh.triangles) for mesh in one.meshes), default=1)
    number = np.full(len(asked.pair), -1)
    number[rows] = np.arange(len(rows))
    problem = number[np.append(asked.of, of_label[under.label])]
    triangle = np.append(touched, under.index)
    key = np.unique(problem[problem >= 0] * span + triangle[problem >= 0])
    return Triangles(key // span, key % span)


def _boxes(shared: Intersection, asked: Problems, number: int, rows: Ints) -> Floats | None:
    """Bounds (R, 6) of regions in the frames of B, or of A if `number` is 1; see `deepest`. None for whole pairs.

    A region is bounded by pieces of triangles that intersect others, and by vertices inside.
    """
    a, b, leaves = shared.a, shared.b, shared.leaves
    solid, one = (a, b) if number else (b, a)
    if asked.whole or isinstance(one, ConvexRows):
        return None
    low, high = np.full((len(asked.pair), 3), np.inf), np.full((len(asked.pair), 3), -np.inf)

    def local(row: Ints, points: Floats) -> Floats:
        if isinstance(solid, ConvexRows):
            return points
        flat = in_frame(solid.bodies, np.repeat(row, points.shape[1]), points.reshape(-1, 3))
        return flat.reshape(points.shape)

    corners = [local(leaves.pair, b.placed(leaves.pair, leaves.b))]
    if isinstance(a, MeshRows):
        corners.append(local(leaves.pair, a.placed(leaves.pair, leaves.a)))
    np.minimum.at(low, asked.of, np.max([corner.min(axis=1) for corner in corners], axis=0))
    np.maximum.at(high, asked.of, np.min([corner.max(axis=1) for corner in corners], axis=0))
    for body, under, of in ((a, shared.submerged[0], asked.of_a), (b, shared.submerged[1], asked.of_b)):
        if isinstance(body, MeshRows) and len(under.vertices):
            pair = under.vertices.pair
            point = local(pair, body.vertices(pair, under.vertices.index)[:, None])[:, 0]
            np.minimum.at(low, of[under.vertices.label], point)
            np.maximum.at(high, of[under.vertices.label], point)
    slack = 4.0 * slack_of(a, b)[asked.pair, None]
    return np.concatenate([low - slack, high + slack], axis=1)[rows]


def _deepest_in_rounded(shapes: Spheres | Capsules, b: MeshRows, shared: Intersection, asked: Problems) -> Points:
    """The deepest point of each problem in spheres and capsules: the one nearest to the axis."""
    start, end = ends_of(shapes)
    found = distances(side(Capsules(start, end, np.zeros(len(start)))), b, shared.leaves)
    first = smallest_per_group(asked.of, found.distance)
    depth = shapes.radius[shared.leaves.pair[first]] - np.maximum(found.distance[first], 0.0)
    inner = depth > found.rounding[first]
    return Points(asked.of[first][inner], found.point_b[first][inner], depth[inner])


def _to_search(one: ConvexRows, other: MeshRows, best: Floats, level: Floats | None) -> Bools:
    """Whether the boundary of each convex shape in the other solid may be deeper than the known depth, (P,).

    `best` (P,) is the depth of the deepest point of the other boundary in the shape, and `level` (P,) one up to which
    the search for it was not exact.
    """
    result = np.ones(len(one), dtype=bool)
    if not isinstance(one.shapes, Curved):
        return result
    if isinstance(one.shapes, Round):
        # Take the segment from the axis to a boundary point. Its length is the radius. Where it enters the solid, its
        # depth in the shape is the length of the rest of the segment. So the solid's boundary is at least as deep in
        # the shape if that has no caps, and at least two fifths as deep otherwise.
        away = ~_axis_meets(one.shapes, other)
        result[away] = isinstance(one.shapes, Cylinders) & (best[away] > 4.0 * slack_of(one, other)[away])
    rows = np.flatnonzero(result)
    known = best if level is None else np.maximum(best, level)
    result[rows[_outside_shallow(one.take(rows), other.take(rows), known[rows])]] = False
    return result


def _ratios(one: ShapeRows, other: MeshRows) -> Floats:
    """Return how many times as deep a cylinder may be in the solid as the solid's boundary is in the cylinder, (P,).

    1.0 for other shapes, and if the axis of the cylinder meets the solid: then nothing is known.

    Take a point of a cylinder with radius r at a small depth d in the solid, and the segment from it to a point of the
    axis at a distance t along the axis. Where the segment leaves the solid, a length of at least d is left. If the
    point is near a cap, the depth of that place is at least d t / sqrt(r² + t²) below the cap, and d r / sqrt(r² + t²)
    below the side. The other cap is farther away if t is at most nine tenths of the height. If the point is on the side
    and not near a cap, t is zero.
    """
    result = np.ones(len(other))
    if isinstance(one, ConvexRows) and isinstance(one.shapes, Cylinders) and len(other):
        start, end = ends_of(one.shapes)
        radius = one.shapes.radius
        along = np.minimum(radius, _ALONG_AXIS * length(end - start))
        away = (along > 0.0) & ~_axis_meets(one.shapes, other)
        result[away] = np.hypot(radius, along)[away] / along[away]
    return result


def _most_of_cylinders(
    one: ConvexRows, slack: Floats, ratio: Floats, best: Floats, bound: Floats, enough: Floats | None
) -> Floats:
    """Upper bounds (R,) of the depths of cylinders in solids, by the search of the solids' boundaries in them.

    The search has found the depth `best` and the `bound`, exact from `enough` on. Infinite if the `ratio` is not known,
    or if the depth is not small.
    """
    give = np.maximum(2.0 * slack, INTERFERENCE_ROUND * one.bodies.reach)
    most = np.maximum(bound, best * (1.0 + INTERFERENCE) + give)
    most = ratio * (most if enough is None else np.maximum(most, enough))
    if not isinstance(one.shapes, Cylinders):
        return np.full(len(most), np.inf)
    start, end = ends_of(one.shapes)
    small = (1.0 - _ALONG_AXIS) / 2.0 * np.minimum(one.shapes.radius, length(end - start))
    return np.where((ratio > 1.0) & (most <= small), most, np.inf)


def _outside_shallow(one: ConvexRows, other: MeshRows, depth: Floats) -> Bools:
    """Return which round shapes are outside the solids although the surface is at most `depth` (P,) in them, (P,).

    Take a boundary point at depth d in the solid, and the segment from it to the middle of the shape. The segment is at
    most twice the reach long. At least a length d of it is in the solid. Where it leaves the solid, its depth in the
    shape is at least the middle's depth times d over the length. So d is at most `INTERFERENCE_ROUND` times the reach
    if the surface is only this little inside the shape.
    """
    middle, every = one.interior_point(), np.arange(len(one))
    inner = depth_of_points(one, every, middle)
    most = (1.0 + INTERFERENCE) * depth + 4.0 * slack_of(one, other)
    result = 2.0 * most <= INTERFERENCE_ROUND * inner
    rows = np.flatnonzero(result)
    result[rows] = ~inside(other, rows, middle[rows])
    return result


def _axis_meets(shapes: Round, b: MeshRows) -> Bools:
    """Whether the axis of each round shape (the center of a sphere) intersects the solid, (P,)."""
    start, end = ends_of(shapes)
    axis = side(Capsules(start, end, np.zeros(len(start))))
    intersecting = meeting(axis, b)
    result = contains_component(axis, b, intersecting)
    result[intersecting.pair] = True
    return result


# Fraction of the height of a cylinder; see `_ratios`.
_ALONG_AXIS = 0.9

# Sample points in the middle of a mesh, over all of its components.
_MIDDLES = 16


def _middles_inside(one: ShapeRows, other: ShapeRows) -> tuple[Points, Points]:
    """The deepest point in the middle of each body `one` that is in the other, with the lesser of its two depths.

    First those for which this is the depth in the other body, then those for which it is the depth in their own.
    """
    if isinstance(one, ConvexRows):
        row = np.flatnonzero(one.has_volume())
        point = one.interior_point()[row]
    else:
        row, point = _middles(one)
    kept = np.flatnonzero(other.has_volume()[row])
    row, point = row[kept], point[kept]
    depth = depth_of_points(other, row, point)
    deep = np.flatnonzero(depth > 0.0)
    row, point = row[deep], point[deep]
    there, here = depth[deep], depth_of_points(one, row, point)
    depth = np.minimum(there, here)
    first = smallest_per_group(row, -depth)
    points = Points(row[first], point[first], depth[first])
    nearer, inner = (there <= here)[first], depth[first] > 0.0
    return points.take(inner & nearer), points.take(inner & ~nearer)


def _middles(shapes: MeshRows) -> tuple[Ints, Floats]:
    """Points in the middle of solids, some for each component of their surfaces: rows (K,) and points (K, 3).

    Each point is halfway between a large triangle and the surface opposite to it.
    """
    rows, points = [np.empty(0, dtype=np.int64)], [np.empty((0, 3))]
    for number in np.unique(shapes.mesh[shapes.solid]):
        mesh = shapes.meshes[number]
        mine = np.flatnonzero((shapes.mesh == number) & shapes.solid)
        if "middles" not in vars(mesh):
            vars(mesh)["middles"] = _halfway(shapes.take(mine[:1]), mesh)
        local: Floats = vars(mesh)["middles"]
        rows.append(np.repeat(mine, len(local)))
        points.append(in_world(shapes.bodies, rows[-1], np.tile(local, (len(mine), 1))[:, None])[:, 0])
    return np.concatenate(rows), np.concatenate(points)


def _halfway(shapes: MeshRows, mesh: TriangleMesh) -> Floats:
    """The points of one mesh, in its own frame."""
    corner = mesh.corners
    across = cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    large = smallest_per_group(mesh.component, -length(across), max(1, _MIDDLES // len(mesh.representatives)))
    large = large[across[large].any(axis=1)]
    inward = -normalized(across[large], np.zeros(3))
    start = corner[large].mean(axis=1) + MESH_BESIDE * mesh.reach * inward
    still = replace(shapes.bodies, rotation=np.eye(3)[None], translation=np.zeros((1, 3)))
    there = replace(shapes, bodies=still)
    row = np.zeros(len(large), dtype=np.int64)
    ahead = hits(there, row, start, inward).distance
    behind = np.isfinite(ahead)
    result: Floats = start[behind] + inward[behind] * (ahead[behind] / 2.0)[:, None]
    return result
