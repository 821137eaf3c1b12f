# SPDX-License-Identifier: GPL-3.0-or-later
"""Interference: how deep any point of the boundary of one body is inside another.

For two convex solids this is the penetration depth. Otherwise `DeepestPoints` searches for the deepest point of each
boundary in the other body. Points in the middle of both bodies count as well (see `depth_of_middles`).
"""

from dataclasses import dataclass, replace

import numpy as np

from ...numerics.tolerances import INTERFERENCE, INTERFERENCE_ROUND
from ...numerics.types import Bools, Floats, Ints
from ...shapes import Capsules, Cylinders, Hulls, Spheres
from ..convex_table import EITHER_ORDER
from .boundary import Curved, Round, ends_of
from .bvh_traversal import LeafPairs, among
from .deepest_points import ROUNDS, DeepestPoints, Inner
from .intersection import Intersection
from .leaf_queries import contains_component, distances, meeting, nearest
from .operands import Convex, ConvexRows, MeshRows, ShapeRows, side, slack_of
from .penetration import separating_translation
from .point_depth import depth_of_middles, depths_in
from .ray_casting import inside

# Pairs that are searched at once. This bounds the memory.
_PAIRS = 512
# Rounds for depths that are already known to within a constant factor, and before pairs are separated for a bound.
_FEW_ROUNDS = 24
# Rounds of one search before the next search continues.
_TURN = 8


def interference(
    a: ShapeRows, b: MeshRows, intersecting: LeafPairs, *, level: Floats | None = None, least: Floats | None = None
) -> Floats:
    """Interference of each pair (P,), 0.0 for pairs that are separated or only touch. See `measured`."""
    return measured(a, b, intersecting, level=level, least=least)[0]


def measured(
    a: ShapeRows, b: MeshRows, intersecting: LeafPairs, *, level: Floats | None = None, least: Floats | None = None
) -> tuple[Floats, tuple[Inner, Inner]]:
    """Interference of each pair (P,), and points of A's and of B's boundary inside the other body.

    The search for the deepest points finds these on its way, for pairs that are not both convex. For two convex solids
    the interference is the penetration depth. If neither body has volume, it is the greatest penetration depth of any
    two of their pieces.

    Parameters
    ----------
    intersecting : LeafPairs
        All pairs of pieces that intersect.
    level : (P,) float64, optional
        If given, the search stops once it is known whether the interference is above this level. The returned value is
        then on the correct side of the level, but not exact.
    least : (P,) float64, optional
        Interferences of at most this value are not measured exactly: any value up to it may be returned.
    """
    result = np.zeros(len(b))
    nothing = Inner(np.empty(0, np.int64), np.empty((0, 3)), np.empty(0))
    seen = [nothing], [nothing]
    every = np.arange(len(b))
    convex = b.convex(every) & (isinstance(a, ConvexRows) or a.convex(every))
    rows = np.flatnonzero(convex)
    result[rows] = _of_convex(a.take(rows), b.take(rows))
    rest = np.flatnonzero(~convex)
    for first in range(0, len(rest), _PAIRS):
        some = rest[first : first + _PAIRS]
        asked = a.take(some), b.take(some), among(intersecting, some)
        known = [None if each is None else each[some] for each in (level, least)]
        result[some], found = _of_others(*asked, *known)
        for points, parts in zip(seen, found, strict=True):
            points += [replace(part, row=some[part.row]) for part in parts]
    return np.where(result > slack_of(a, b), result, 0.0), (Inner.joined(seen[0]), Inner.joined(seen[1]))


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
    return Hulls([mesh.hull for mesh in shapes.meshes], shapes.mesh, shapes.bodies.translation, shapes.bodies.rotation)


def _of_others(
    a: ShapeRows, b: MeshRows, intersecting: LeafPairs, level: Floats | None, least: Floats | None
) -> tuple[Floats, tuple[list[Inner], list[Inner]]]:
    """Interference of pairs with a body that is not convex or not a solid, and the boundary points found inside."""
    best = np.zeros(len(b))
    seen: tuple[list[Inner], list[Inner]] = [], []
    inside_a, inside_b = a.has_volume(), b.has_volume()
    # Surfaces have no inside. Their interference is the penetration depth of their pieces.
    flat = ~inside_b & (True if isinstance(a, ConvexRows) else ~inside_a)
    asked = intersecting.take(flat[intersecting.pair])
    np.maximum.at(best, asked.pair, np.maximum(-distances(a, b, asked).distance, 0.0))
    searches: list[_Search] = []
    for of_b, one, other, rows in (
        (True, b, a, np.flatnonzero(inside_a & ~flat)),
        (False, a, b, np.flatnonzero(inside_b)),
    ):
        mine, against = one.take(rows), other.take(rows)
        shapes = against.shapes if isinstance(against, ConvexRows) else None
        if isinstance(mine, MeshRows) and isinstance(shapes, Spheres | Capsules):
            found = _depth_in_rounded(mine, shapes, best, rows)
            seen[of_b].append(replace(found, row=rows[found.row]))
            continue
        if isinstance(mine, ConvexRows) and isinstance(mine.shapes, Curved):
            # The depths found in the other boundary decide how far this one is searched.
            _finish(searches, best)
        swapped = replace(intersecting, a=intersecting.b, b=intersecting.a) if of_b else intersecting
        searches += _searches(mine, against, swapped, best, rows, of_b, level, least)
    _finish(searches, best, _FEW_ROUNDS)
    left = [search.rows[search.deepest.waiting.row] for search in searches if search.rounds > _FEW_ROUNDS]
    rows = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *left]))
    if len(rows):
        # No point is deeper than a separating translation is long. So pairs that hardly overlap end here.
        most = np.full(len(b), np.inf)
        pieces = Intersection(among(intersecting, rows))
        most[rows] = separating_translation(a.take(rows), b.take(rows), pieces).length
        for search in searches:
            search.deepest.most = most[search.rows]
        _finish(searches, best)
    for search in searches:
        seen[search.of_b].extend(replace(part, row=search.rows[part.row]) for part in search.deepest.seen)
    return best, seen


@dataclass(frozen=True)
class _Search:
    """Search for the deepest boundary points of A or of B for some pairs, with a limit on the number of rounds."""

    rows: Ints
    of_b: bool
    deepest: DeepestPoints
    rounds: int


def _searches(
    one: ShapeRows,
    other: ShapeRows,
    intersecting: LeafPairs,
    best: Floats,
    rows: Ints,
    of_b: bool,
    level: Floats | None,
    least: Floats | None,
) -> list[_Search]:
    """Start the searches of the boundaries of `one` in the other bodies. Raises `best` of these rows in place."""
    result: list[_Search] = []
    if not len(rows):
        return result
    best[rows] = np.maximum(best[rows], depth_of_middles(one, other))
    rounds = np.full(len(rows), ROUNDS)
    if isinstance(one, ConvexRows) and isinstance(one.shapes, Round) and isinstance(other, MeshRows):
        # Take the segment from the axis to a boundary point. Its length is the radius. Where it enters the solid, its
        # depth in the shape is the length of the rest of the segment. So the preceding search of the solid's boundary
        # has found at least the point's depth if the shape has no caps, and at least two fifths of it otherwise.
        away = ~_axis_meets(one.shapes, other)
        any_depth = best[rows] > 4.0 * slack_of(one, other)
        rounds[away] = np.where(any_depth[away] & isinstance(one.shapes, Cylinders), _FEW_ROUNDS, 0)
    if isinstance(one, ConvexRows) and isinstance(one.shapes, Curved) and isinstance(other, MeshRows):
        # The search before did not distinguish depths up to these.
        most = best.copy()
        for known in (level, least):
            most = most if known is None else np.maximum(most, known)
        rounds[_outside_shallow(one, other, most[rows])] = 0
    for count in (_FEW_ROUNDS, ROUNDS):
        mine = np.flatnonzero(rounds == count)
        if len(mine):
            at = rows[mine]
            known_at = [None if known is None else known[at] for known in (level, least)]
            pieces = among(intersecting, at)
            deepest = DeepestPoints(one.take(mine), other.take(mine), pieces, best[at], *known_at)
            best[at] = deepest.best
            result.append(_Search(at, of_b, deepest, count))
    return result


def _finish(searches: list[_Search], best: Floats, most: int = ROUNDS) -> None:
    """Run all searches in turns, for at most `most` rounds. A depth found by one search saves the others work."""
    going = searches
    while going:
        for search in going:
            search.deepest.best = best[search.rows]
            search.deepest.run(min(_TURN, search.rounds - search.deepest.rounds))
            best[search.rows] = search.deepest.best
        going = [
            search for search in going if not search.deepest.done and search.deepest.rounds < min(search.rounds, most)
        ]


def _depth_in_rounded(one: MeshRows, shapes: Spheres | Capsules, best: Floats, rows: Ints) -> Inner:
    """Depth of meshes in spheres and capsules. The deepest point is the one nearest to the axis."""
    start, end = ends_of(shapes)
    found = nearest(side(Capsules(start, end, np.zeros(len(start)))), one).found
    depth = shapes.radius - np.maximum(found.distance, 0.0)
    best[rows] = np.maximum(best[rows], depth)
    inside = np.flatnonzero(depth > 4.0 * found.rounding)
    return Inner(inside, found.point_b[inside], depth[inside])


def _outside_shallow(one: ConvexRows, other: MeshRows, depth: Floats) -> Bools:
    """Which round shapes are outside the solids although the solid's surface is at most `depth` (P,) inside them, (P,).

    Take a boundary point at depth d in the solid, and the segment from it to the middle of the shape. The segment is at
    most twice the reach long. At least a length d of it is in the solid. Where it leaves the solid, its depth in the
    shape is at least the middle's depth times d over the length. So d is at most `INTERFERENCE_ROUND` times the reach
    if the surface is only this little inside the shape.
    """
    middle, every = one.interior_point(), np.arange(len(one))
    inner = depths_in(one).depth(every, middle)[0]
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
