# SPDX-License-Identifier: GPL-3.0-or-later
"""Interference: how deep any point of the boundary of one body is inside another, by branch and bound.

The depth of a point is its distance from the other body's boundary. Over a triangle that depth is bounded from above in
two ways. It is at most the distance from any one triangle of the other boundary, which is convex, so that its greatest
value over a piece is found at the corners of the piece; for a convex body the height under a supporting plane takes
that part. And it changes by no more than the point moves. Pieces whose bound is above the best depth found so far are
cut: by the planes of the triangles that cross them, then where two bounds are equal, so that each part has one nearest
triangle, as in the faces of a Voronoi diagram. Patches of round boundaries are pieces that bulge.

Bodies whose boundaries coincide, such as two copies in one place, have no boundary inside each other. So points in the
middle of each body count as well, with their depth in both.
"""

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ..grouped import first_of_each
from ..results import Bools, Floats, Ints
from ..shapes import Capsules, Cylinders, Hulls, Spheres, Triangles
from ..tolerances import INTERFERENCE, INTERFERENCE_ROUND, MESH_BESIDE
from ..vectors import dot, length, normalised
from .bodies import Convex, Surfaces, in_world
from .boundary import FLAT, SIDE, Boundary, Round, boundary, bulges, ends_of, settled
from .geometry import TriangleMesh
from .inside import hits, inside
from .pieces import distances, held, meeting, nearest
from .search import Near, among, near, nearest_few
from .sides import Side, Whole, side, slack_of

# Pairs that are searched at once, which bounds the memory.
_PAIRS = 128
# Points times triangles that are compared at once.
_COMPARED = 1 << 17
# Pieces of each pair that are looked at together, those of the greatest bounds.
_TOGETHER = 256
# Rounds of cuts, after which the upper bound is the answer.
_ROUNDS = 400
# Rounds for what is known to within a factor anyway.
_FEW_ROUNDS = 24
# Points in the middle of a mesh, over all of its components.
_MIDDLES = 16
# Steps in the search for the place on an edge where two bounds are equal. Any place will do; a good one saves cuts.
_STEPS = 8
# Triangles of a mesh that are all compared, and of larger ones those that give a first bound.
_FEW_TRIANGLES = 64
_FIRST = 4
# Levels of a tree of boxes that are gone down at once.
_LEVELS = 3


# Points that are found inside: their rows, places and depths.
Found = tuple[Ints, Floats, Floats]


class Inside(Protocol):
    """The body in which points are: their signed depth, and what bounds that from above."""

    def depth(self, row: Ints, point: Floats) -> tuple[Floats, Floats]:
        """Depth of world points (K, 3) in rows (K,), negative outside, and the bound at each: a key (K, 4)."""

    def bound(self, row: Ints, key: Floats, point: Floats) -> Floats:
        """What keys (K, 4) bound the depth of points (K, 3) by, where those are inside: (K,)."""


@dataclass(frozen=True)
class InsideConvex:
    """A convex shape: a key is a supporting plane, its outward normal and its offset."""

    shapes: Whole

    def depth(self, row: Ints, point: Floats) -> tuple[Floats, Floats]:
        """See `Inside`."""
        from ..pairs import PAIRS  # the matrix, which names this module's callers

        if not len(row):
            return np.empty(0), np.empty((0, 4))
        points, shapes = Spheres(point, np.zeros(len(point))), self.shapes.shapes.take(row)
        module = PAIRS[points.kind, shapes.kind]
        found = module.distance(points, shapes)
        outward = -found.normal
        return -found.distance, np.column_stack([outward, self.shapes.farthest(row, outward)])

    def bound(self, row: Ints, key: Floats, point: Floats) -> Floats:
        """See `Inside`."""
        result: Floats = key[:, 3] - dot(key[:, :3], point)
        return result


@dataclass(frozen=True)
class InsideMesh:
    """A solid mesh: a key is a triangle."""

    surfaces: Surfaces

    def depth(self, row: Ints, point: Floats) -> tuple[Floats, Floats]:
        """See `Inside`."""
        far, triangle = _nearest_triangles(self.surfaces, row, point)
        key = np.zeros((len(row), 4))
        key[:, 0] = triangle
        return np.where(inside(self.surfaces, row, point), far, -far), key

    def bound(self, row: Ints, key: Floats, point: Floats) -> Floats:
        """See `Inside`."""
        return to_triangles(point, self.surfaces.placed(row, key[:, 0].astype(np.int64)))


def _nearest_triangles(surfaces: Surfaces, row: Ints, point: Floats) -> tuple[Floats, Ints]:
    """How far points (K, 3) are from the surfaces of rows (K,), and which triangles are nearest."""
    far, triangle = np.empty(len(row)), np.empty(len(row), dtype=np.int64)
    for number, mesh in enumerate(surfaces.meshes):
        mine = np.flatnonzero(surfaces.mesh[row] == number)
        count = len(mesh.triangles)
        if count > _FEW_TRIANGLES:
            far[mine], triangle[mine] = _nearest_by_tree(surfaces.take(row[mine]), point[mine])
            continue
        # Each against all: no tree is faster.
        step = max(1, _COMPARED // count)
        for first in range(0, len(mine), step):
            block = mine[first : first + step]
            corner = surfaces.placed(np.repeat(row[block], count), np.tile(np.arange(count), len(block)))
            each = to_triangles(np.repeat(point[block], count, axis=0), corner).reshape(-1, count)
            triangle[block] = each.argmin(axis=1)
            far[block] = each[np.arange(len(block)), triangle[block]]
    return far, triangle


def _nearest_by_tree(surfaces: Surfaces, point: Floats) -> tuple[Floats, Ints]:
    """The same of point i and row i: a few triangles give a bound, then all that may be nearer are compared."""
    points = side(Spheres(point, np.zeros(len(point)))).bodies
    far, triangle = np.full(len(point), np.inf), np.zeros(len(point), dtype=np.int64)
    for asked in (nearest_few(points, surfaces.bodies, _FIRST), None):
        at = near(points, surfaces.bodies, far) if asked is None else asked
        each = np.empty(len(at))
        for first in range(0, len(at), _COMPARED):
            some = at.take(np.arange(first, min(first + _COMPARED, len(at))))
            each[first : first + len(some)] = to_triangles(point[some.pair], surfaces.placed(some.pair, some.b))
        best = first_of_each(at.pair, each)
        pair = at.pair[best]
        better = each[best] < far[pair]
        far[pair[better]], triangle[pair[better]] = each[best[better]], at.b[best[better]]
    return far, triangle


def to_triangles(point: Floats, corner: Floats) -> Floats:
    """How far points (K, 3) are from triangles (K, 3, 3): (K,).

    Over the inside that is the height, else the distance from the nearest side (Ericson, "Real-Time Collision
    Detection", 2005, section 5.1.5).
    """
    side = np.roll(corner, -1, axis=1) - corner
    out = point[:, None] - corner
    square = dot(side, side)
    share = np.clip(dot(out, side) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    beside = out - share[..., None] * side
    square = dot(beside, beside).min(axis=1)
    across = np.cross(side[:, 0], side[:, 1])
    within = (dot(np.cross(side, out), across[:, None]) >= 0.0).all(axis=1)
    size = length(across)
    over = within & (size > 0.0)
    height = np.abs(dot(out[:, 0], across)) / np.where(size > 0.0, size, 1.0)
    return np.where(over, np.minimum(height, np.sqrt(square)), np.sqrt(square))


@dataclass(frozen=True)
class Submerged:
    """Points of boundaries that are inside the other body, found on the way to the deepest.

    Attributes
    ----------
    pair : (K,) int64
    point : (K, 3) float64
        In the world.
    depth : (K,) float64
    of_b : (K,) bool
        Whether it is of the boundary of B.
    """

    pair: Ints
    point: Floats
    depth: Floats
    of_b: Bools


def submerged_points(a: Side, b: Surfaces, met: Near) -> Submerged:
    """Points inside, of pairs of which one is not convex, (K,): corners and middles of pieces, cut until one is."""
    seen = [Submerged(np.empty(0, np.int64), np.empty((0, 3)), np.empty(0), np.empty(0, bool))]
    interference(a, b, met, seen, level=4.0 * slack_of(a, b))
    return Submerged(*(np.concatenate(part) for part in zip(*(vars(each).values() for each in seen), strict=True)))


def interference(
    a: Side, b: Surfaces, met: Near, seen: list[Submerged] | None = None, *, level: Floats | None = None
) -> Floats:
    """How deep any point of one body is in the other, (P,): 0.0 where they are apart or only touch.

    Of two convex solids this is the penetration depth. Where neither has an inside, it is the greatest penetration
    depth of any two of their pieces.

    Parameters
    ----------
    met : Near
        All pieces that meet.
    seen : list, optional
        Points that are found inside are added to it.
    level : (P,) float64, optional
        It is enough to know whether each is above this: the answer then is any depth on the right side of it.
    """
    result = np.zeros(len(b))
    if not len(b):
        return result
    convex = np.array([mesh.convex for mesh in b.meshes])[b.mesh] & b.solid
    if isinstance(a, Surfaces):
        convex &= np.array([mesh.convex for mesh in a.meshes])[a.mesh] & a.solid
    rows = np.flatnonzero(convex)
    result[rows] = _of_convex(a.take(rows), b.take(rows))
    rest = np.flatnonzero(~convex)
    for first in range(0, len(rest), _PAIRS):
        some = rest[first : first + _PAIRS]
        found: list[Submerged] = []
        result[some] = _of_any(
            a.take(some), b.take(some), among(met, some), found, None if level is None else level[some]
        )
        if seen is not None:
            seen += [replace(part, pair=some[part.pair]) for part in found]
    return np.where(result > slack_of(a, b), result, 0.0)


def _of_convex(a: Side, b: Surfaces) -> Floats:
    """The penetration depth of convex solids, by their hulls."""
    from ..pairs import PAIRS  # the matrix, which names this module's callers

    if not len(b):
        return np.zeros(0)
    first, second = _hulls(a), _hulls(b)
    result: Floats = np.maximum(-PAIRS[first.kind, second.kind].distance(first, second).distance, 0.0)
    return result


def _hulls(of: Side) -> Convex:
    if isinstance(of, Whole):
        return of.shapes
    return Hulls([mesh.hull for mesh in of.meshes], of.mesh, of.bodies.translation, of.bodies.rotation)


def _of_any(a: Side, b: Surfaces, met: Near, seen: list[Submerged], level: Floats | None) -> Floats:
    """The same where one of the two is not convex, or is no solid."""
    best = np.zeros(len(b))
    solid_a = a.has_volume() if isinstance(a, Whole) else a.solid
    # Pieces of surfaces, which have no inside, have a depth all the same.
    flat = ~b.solid & (True if isinstance(a, Whole) else ~a.solid)
    asked = met.take(flat[met.pair])
    np.maximum.at(best, asked.pair, np.maximum(-distances(a, b, asked).distance, 0.0))
    for of_b, one, other, rows in (
        (True, b, a, np.flatnonzero(solid_a & ~flat)),
        (False, a, b, np.flatnonzero(b.solid)),
    ):
        for row, point, depth in _deepen(one.take(rows), other.take(rows), best, rows, level):
            seen.append(Submerged(rows[row], point, depth, np.full(len(row), of_b)))
    return best


def _deepen(one: Side, other: Side, best: Floats, rows: Ints, level: Floats | None) -> list[Found]:
    """Raise the best depths of these rows to those of the boundary of `one` in the other body.

    Returns rows, places and depths of points that are inside.
    """
    found: list[Found] = []
    if not len(rows):
        return found
    if isinstance(one, Surfaces) and isinstance(other, Whole) and isinstance(other.shapes, Spheres | Capsules):
        return _in_rounded(one, other.shapes, best, rows)
    within: Inside = InsideConvex(other) if isinstance(other, Whole) else InsideMesh(other)
    best[rows] = np.maximum(best[rows], _in_middle(one, other, within))
    rounds = np.full(len(rows), _ROUNDS)
    if isinstance(one, Whole) and isinstance(one.shapes, Round) and isinstance(other, Surfaces):
        # A way from the axis to a point of the surface, as long as the radius, comes into the solid at a point that is
        # as deep in the shape as the rest of the way is long: of what has no caps the search before has found it. With
        # caps it has found at least two fifths of it.
        away = ~_axis_meets(one.shapes, other)
        any_depth = best[rows] > 4.0 * slack_of(one, other)
        rounds[away] = np.where(any_depth[away] & isinstance(one.shapes, Cylinders), _FEW_ROUNDS, 0)
    for most in (_FEW_ROUNDS, _ROUNDS):
        mine = np.flatnonzero(rounds == most)
        if len(mine):
            here, there = one.take(mine), other.take(mine)
            of: Inside = InsideConvex(there) if isinstance(there, Whole) else InsideMesh(there)
            search = _Search(here, there, of, best[rows[mine]], most, None if level is None else level[rows[mine]])
            best[rows[mine]] = search.deepest()
            found += [(mine[row], point, depth) for row, point, depth in search.seen]
    return found


def _in_rounded(one: Surfaces, shapes: Spheres | Capsules, best: Floats, rows: Ints) -> list[Found]:
    """The same of a mesh in balls and capsules: its point nearest to the axis is the deepest."""
    start, end = ends_of(shapes)
    found = nearest(side(Capsules(start, end, np.zeros(len(start)))), one).found
    depth = shapes.radius - np.maximum(found.distance, 0.0)
    best[rows] = np.maximum(best[rows], depth)
    inside = np.flatnonzero(depth > 4.0 * found.rounding)
    return [(inside, found.point_b[inside], depth[inside])]


def _axis_meets(shapes: Round, b: Surfaces) -> Bools:
    """Whether the axis of each round shape, or the center of a ball, meets the solid."""
    start, end = ends_of(shapes)
    axis = side(Capsules(start, end, np.zeros(len(start))))
    met = meeting(axis, b)
    result = held(axis, b, met)
    result[met.pair] = True
    return result


def _in_middle(one: Side, other: Side, within: Inside) -> Floats:
    """The depth in both of points in the middle of one body, (P,); 0.0 where none is inside both."""
    result = np.zeros(len(one))
    if isinstance(one, Whole):
        row, point = np.flatnonzero(one.has_volume()), one.some_point()
        own: Inside = InsideConvex(one)
        point = point[row]
    else:
        row, point = _middles(one)
        own = InsideMesh(one)
    if not len(row):
        return result
    depth = within.depth(row, point)[0]
    deep = np.flatnonzero(depth > result[row])
    if not len(deep):
        return result
    np.maximum.at(result, row[deep], np.minimum(depth[deep], own.depth(row[deep], point[deep])[0]))
    return result


def _middles(of: Surfaces) -> tuple[Ints, Floats]:
    """Points in the middle of solids, some for each component of their surfaces: rows (K,) and points (K, 3).

    Each is halfway from a large triangle to what lies straight behind it.
    """
    rows, points = [np.empty(0, dtype=np.int64)], [np.empty((0, 3))]
    for number in np.unique(of.mesh[of.solid]):
        mesh = of.meshes[number]
        mine = np.flatnonzero((of.mesh == number) & of.solid)
        if "middles" not in vars(mesh):
            vars(mesh)["middles"] = _halfway(of.take(mine[:1]), mesh)
        local: Floats = vars(mesh)["middles"]
        rows.append(np.repeat(mine, len(local)))
        points.append(in_world(of.bodies, rows[-1], np.tile(local, (len(mine), 1))[:, None])[:, 0])
    return np.concatenate(rows), np.concatenate(points)


def _halfway(of: Surfaces, mesh: TriangleMesh) -> Floats:
    """The points of one mesh, in its own frame."""
    corner = mesh.corners
    across = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    large = first_of_each(mesh.component, -length(across), max(1, _MIDDLES // len(mesh.representatives)))
    inward = -mesh.facing * normalised(across[large], np.zeros(3))
    start = corner[large].mean(axis=1) + MESH_BESIDE * mesh.reach * inward
    still = replace(of.bodies, rotation=np.eye(3)[None], translation=np.zeros((1, 3)))
    there = replace(of, bodies=still)
    row = np.zeros(len(large), dtype=np.int64)
    ahead = hits(there, row, start, inward).distance
    behind = np.isfinite(ahead)
    result: Floats = start[behind] + inward[behind] * (ahead[behind] / 2.0)[:, None]
    return result


@dataclass(frozen=True)
class _Pieces:
    """Parts of a boundary.

    Attributes
    ----------
    row : (K,) int64
    corner : (K, 3, 3) float64
        In the world.
    kind : (K,) int64
        Flat, or which patch of a round boundary; see `boundary`.
    depth : (K, 4) float64
        Signed, of the corners and of the middle.
    key : (K, 4, 4) float64
        What bounds the depth, one for each of these.
    clear : (K,) bool
        Nothing of the other boundary crosses it.
    """

    row: Ints
    corner: Floats
    kind: Ints
    depth: Floats
    key: Floats
    clear: Bools

    def __len__(self) -> int:
        return len(self.row)

    def take(self, rows: Ints | Bools) -> "_Pieces":
        return _Pieces(**{name: value[rows] for name, value in vars(self).items()})

    @classmethod
    def joined(cls, parts: "list[_Pieces]") -> "_Pieces":
        return cls(*(np.concatenate(part) for part in zip(*(vars(each).values() for each in parts), strict=True)))


class _Search:
    """The deepest point of the boundary of each of `one` in the other body."""

    def __init__(self, one: Side, other: Side, within: Inside, best: Floats, rounds: int, level: Floats | None) -> None:
        self.one, self.other, self.within, self.best, self.rounds = one, other, within, best.copy(), rounds
        self.slack, self.level = slack_of(one, other), level
        slack = self.slack
        self.seen: list[Found] = []
        self.round = one.shapes if isinstance(one, Whole) and isinstance(one.shapes, Round) else None
        reach = one.bodies.reach
        self.give = 2.0 * slack if self.round is None else np.maximum(2.0 * slack, INTERFERENCE_ROUND * reach)

    def deepest(self) -> Floats:
        """The greatest depth of each row, (P,): attained to within `INTERFERENCE` of it."""
        parts = self._patches(self.one) if isinstance(self.one, Whole) else self._triangles(self.one)
        waiting = self._measured(parts.row, parts.corner, parts.kind, np.zeros(len(parts.row), dtype=bool))
        for _ in range(self.rounds):
            bound = self._bound(waiting)
            keep = np.flatnonzero(bound > self._enough(waiting.row))
            if not len(keep):
                return self.best
            waiting, bound = waiting.take(keep), bound[keep]
            now = np.zeros(len(waiting), dtype=bool)
            now[first_of_each(waiting.row, -bound, _TOGETHER)] = True
            waiting = _Pieces.joined([waiting.take(~now), self._cut(waiting.take(now))])
        if self.rounds == _ROUNDS:
            # Not settled: nothing that may be deeper is hidden.
            np.maximum.at(self.best, waiting.row, self._bound(waiting))
        return self.best

    def _enough(self, row: Ints) -> Floats:
        """What a bound has to be above to matter."""
        enough = self.best * (1.0 + INTERFERENCE) + self.give
        if self.level is not None:
            enough = np.where(self.best > self.level, np.inf, np.maximum(enough, self.level))
        return enough[row]

    def _patches(self, one: Whole) -> Boundary:
        """The boundary of a convex shape."""
        return boundary(one.shapes)

    def _triangles(self, one: Surfaces) -> Boundary:
        """The triangles of a mesh that may have the deepest point, by the boxes of its tree."""
        # The other as one box.
        whole = replace(self.other.bodies, levels=np.zeros_like(self.other.bodies.levels))
        at = near(one.bodies, whole, 2.0 * self.slack)
        count = np.bincount(at.pair, minlength=len(one))
        many = np.flatnonzero(count > _TOGETHER)
        if len(many):
            few = at.take(count[at.pair] <= _TOGETHER)
            pair, triangle = self._descend(one, many)
            row, which = np.append(few.pair, pair), np.append(few.a, triangle)
        else:
            row, which = at.pair, at.a
        return Boundary(row, one.placed(row, which), np.zeros(len(row), dtype=np.int64))

    def _descend(self, one: Surfaces, rows: Ints) -> tuple[Ints, Ints]:
        """Rows and triangles of boxes that may hold a deeper point than the best known, level by level."""
        bodies = one.bodies
        pair, node, level = rows, rows * 0, 0
        most = int(bodies.levels[rows].max())
        found: list[tuple[Ints, Ints]] = []
        while len(pair) and level <= most:
            done = bodies.levels[pair] <= level
            if done.any():
                first = np.left_shift(1, bodies.levels[pair[done]]) - 1
                found.append((pair[done], bodies.leaf[bodies.leaf_start[pair[done]] + node[done] - first]))
                pair, node = pair[~done], node[~done]
            step = np.minimum(bodies.levels[pair] - level, _LEVELS)
            # Below node i, so many levels down, are the nodes (i + 1) * 2**levels - 1 and those that follow.
            width = np.left_shift(1, step)
            which = np.repeat(np.arange(len(pair)), width)
            offset = np.arange(len(which)) - np.repeat(np.cumsum(width) - width, width)
            pair, node = pair[which], (node[which] + 1) * width[which] - 1 + offset
            center, half = bodies.boxes(bodies.node_start[pair] + node)
            filled = np.flatnonzero((half >= 0.0).all(axis=1))
            pair, node, center, half = pair[filled], node[filled], center[filled], half[filled]
            radius = length(half)
            place = np.einsum("kij,kj->ki", bodies.rotation[pair], center) + bodies.translation[pair]
            depth = self.within.depth(pair, place)[0]
            # Some point of each box is of the boundary.
            np.maximum.at(self.best, pair, depth - radius - self.slack[pair])
            kept = depth + radius > self._enough(pair)
            pair, node = pair[kept], node[kept]
            level += _LEVELS
        rows = np.concatenate([np.empty(0, dtype=np.int64), *(part[0] for part in found)])
        return rows, np.concatenate([np.empty(0, dtype=np.int64), *(part[1] for part in found)])

    def _measured(self, row: Ints, corner: Floats, kind: Ints, clear: Bools) -> _Pieces:
        """Pieces with the depths of their corners and middles, which the best may be among."""
        middle = corner.mean(axis=1)
        if self.round is not None:
            middle = settled(self.round, row, kind, middle)
        points = np.concatenate([corner, middle[:, None]], axis=1)
        # Corners that pieces share are measured once.
        flat = np.column_stack([np.repeat(row, 4), points.reshape(-1, 3)])
        some, which = np.unique(flat, axis=0, return_inverse=True)
        depth, key = self.within.depth(some[:, 0].astype(np.int64), np.ascontiguousarray(some[:, 1:]))
        which = which.reshape(-1, 4)
        of_some = some[:, 0].astype(np.int64)
        inside = depth > 4.0 * self.slack[of_some]
        self.seen.append((of_some[inside], some[inside, 1:], depth[inside]))
        result = _Pieces(row, corner, kind, depth[which], key[which], clear)
        np.maximum.at(self.best, row, result.depth.max(axis=1, initial=0.0))
        return result

    def _bulge(self, of: _Pieces) -> Floats:
        """How far the boundary is from the flat pieces, (K,)."""
        if self.round is None:
            return np.zeros(len(of))
        return bulges(self.round, of.row, of.kind, of.corner)

    def _bounds(self, of: _Pieces) -> Floats:
        """What each of the four keys bounds the depth of each corner by, (K, 4, 3)."""
        count = len(of)
        row, key, point = np.repeat(of.row, 12), np.repeat(of.key, 3, axis=1), np.tile(of.corner, (1, 4, 1))
        result: Floats = self.within.bound(row, key.reshape(-1, 4), point.reshape(-1, 3)).reshape(count, 4, 3)
        return result

    def _bound(self, of: _Pieces) -> Floats:
        """The least upper bound for the depth of any point of each piece, (K,)."""
        if not len(of):
            return np.zeros(0)
        edge = length(of.corner - np.roll(of.corner, -1, axis=1))
        farthest = np.maximum(edge, np.roll(edge, 1, axis=1))
        by_moving = (of.depth[:, :3] + farthest).min(axis=1)
        result: Floats = by_moving.copy()
        asked = np.flatnonzero(by_moving > self._enough(of.row))
        some = of.take(asked)
        result[asked] = np.minimum(result[asked], self._bounds(some).max(axis=2).min(axis=1))
        return result + self._bulge(of)

    def _cut(self, of: _Pieces) -> _Pieces:
        """The parts of pieces that may be deeper than the best: cut where they cross, or where bounds are equal."""
        heights = np.zeros((len(of), 3))
        crossed, clear, out = np.zeros((3, len(of)), dtype=bool)
        bulging = self._bulge(of)
        if isinstance(self.within, InsideMesh):
            flat = of.kind == FLAT
            asked = np.flatnonzero(flat & ~of.clear)
            heights[asked] = self._crossing(of.take(asked), self.within.surfaces)
            crossed = (heights.min(axis=1) < 0.0) & (heights.max(axis=1) > 0.0)
            clear = flat & ~crossed
            # What nothing crosses is all inside or all outside, as its middle is.
            out = clear & (of.depth[:, 3] <= 0.0)
        level = heights[crossed]
        lone, first, second = _ends(level)
        at = np.arange(len(level))
        shares = [level[at, lone] / (level[at, lone] - level[at, end]) for end in (first, second)]
        parts = [self._parts(of.take(crossed), (lone, first, second), (shares[0], shares[1]))]
        rest = ~crossed & ~out
        some = _Pieces(of.row, of.corner, of.kind, of.depth, of.key, clear).take(rest)
        parts.append(self._divided(some, bulging[rest]))
        return _Pieces.joined(parts)

    def _crossing(self, of: _Pieces, surfaces: Surfaces) -> Floats:
        """Heights of corners over the plane of a triangle that crosses each piece, (K, 3); zeros where none does."""
        result = np.zeros((len(of), 3))
        if not len(of):
            return result
        pieces, there = side(Triangles(of.corner)), surfaces.take(of.row)
        found = meeting(pieces, there)
        corner = there.placed(found.pair, found.b)
        normal = normalised(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), np.zeros(3))
        height = dot(of.corner[found.pair] - corner[:, :1], normal[:, None])
        slack = 2.0 * self.slack[of.row[found.pair]]
        height[np.abs(height) <= slack[:, None]] = 0.0
        least = np.minimum(height.max(axis=1), -height.min(axis=1))
        through = np.flatnonzero(least > 0.0)
        most = through[first_of_each(found.pair[through], -least[through])]
        result[found.pair[most]] = height[most]
        return result

    def _divided(self, of: _Pieces, bulging: Floats) -> _Pieces:
        """Pieces cut where the bound of the best key and that of the worst corner's own key are equal."""
        if not len(of):
            return of
        bounds = self._bounds(of)
        at = np.arange(len(of))
        best = bounds.max(axis=2).argmin(axis=1)
        worst = bounds[at, best].argmax(axis=1)
        difference = bounds[at, best] - bounds[at, worst]
        flat = bounds.max(axis=2).min(axis=1)
        usable = (difference.max(axis=1) > 0.0) & (difference.min(axis=1) <= 0.0) & (flat > self._enough(of.row))
        usable &= (difference < 0.0).any(axis=1)
        keys = of.key[at, best], of.key[at, worst]
        lone, first, second = _ends(difference)
        shares = [self._share(of, difference, lone, end, keys) for end in (first, second)]
        usable &= (np.minimum(*shares) >= _LEAST_SHARE) & (shares[0] <= 1.0 - _LEAST_SHARE)
        # Else along the middle of an edge: of the one that bulges where that is the trouble.
        along, next_one, last = self._edge(of, flat <= self._enough(of.row))
        half, full = np.full(len(of), 0.5), np.ones(len(of))
        return self._parts(
            of,
            (np.where(usable, lone, along), np.where(usable, first, next_one), np.where(usable, second, last)),
            (np.where(usable, shares[0], half), np.where(usable, shares[1], full)),
        )

    def _edge(self, of: _Pieces, bulging: Bools) -> tuple[Ints, Ints, Ints]:
        """The ends of the longest edge of each piece, and the corner that is left."""
        edge = np.roll(of.corner, -1, axis=1) - of.corner
        size = length(edge)
        if self.round is not None:
            start, end = (each[of.row] for each in ends_of(self.round))
            axis = normalised(end - start, np.array([0.0, 0.0, 1.0]))
            across = length(np.cross(edge, axis[:, None]))
            size = np.where((bulging & (of.kind == SIDE))[:, None], across, size)
        lone = size.argmax(axis=1)
        return lone, (lone + 1) % 3, (lone + 2) % 3

    def _parts(self, of: _Pieces, corners: tuple[Ints, Ints, Ints], shares: tuple[Floats, Floats]) -> _Pieces:
        """Pieces cut from one of the edges at a corner to the other, at these shares of the edges."""
        count = len(of)
        if not count:
            return of
        at = np.arange(count)
        tip, left, right = (of.corner[at, each] for each in corners)
        x = tip + shares[0][:, None] * (left - tip)
        whole = shares[1] >= 1.0
        y = np.where(whole[:, None], right, tip + shares[1][:, None] * (right - tip))
        if self.round is not None:
            x = settled(self.round, of.row, of.kind, x, (tip, left))
            y = np.where(whole[:, None], y, settled(self.round, of.row, of.kind, y, (tip, right)))
        third = np.flatnonzero(~whole)
        corner = np.concatenate(
            [
                np.stack([tip, x, y], axis=1),
                np.stack([x, left, right], axis=1),
                np.stack([x, right, y], axis=1)[third],
            ]
        )
        which = np.concatenate([at, at, third])
        return self._measured(of.row[which], corner, of.kind[which], of.clear[which])

    def _share(self, of: _Pieces, level: Floats, start: Ints, end: Ints, keys: tuple[Floats, Floats]) -> Floats:
        """Where along the edges from corners `start` to `end` two keys bound alike, as a share of the edge: (K,)."""
        at = np.arange(len(of))
        low, high = level[at, start].copy(), level[at, end].copy()
        on_line = high == 0.0
        tip, tail = of.corner[at, start], of.corner[at, end]
        left, right, share = np.zeros(len(of)), np.ones(len(of)), np.ones(len(of))
        for _ in range(_STEPS):
            # The false position, with the share of an end halved that stays (the Illinois method).
            share = np.clip(left + (right - left) * low / np.where(low != high, low - high, 1.0), left, right)
            place = tip + share[:, None] * (tail - tip)
            value = self.within.bound(of.row, keys[0], place) - self.within.bound(of.row, keys[1], place)
            same = np.sign(value) == np.sign(low)
            high = np.where(same, high / 2.0, value)
            low = np.where(same, value, low / 2.0)
            left, right = np.where(same, share, left), np.where(same, right, share)
        return np.where(on_line, 1.0, share)


def _ends(level: Floats) -> tuple[Ints, Ints, Ints]:
    """The corner that is alone on its side of where the level (K, 3) is zero, and the other two.

    A corner on the line itself is the last: the cut ends there.
    """
    at = np.arange(len(level))
    above = np.count_nonzero(level > 0.0, axis=1) == 1
    lone = np.where(above, level.argmax(axis=1), level.argmin(axis=1))
    first, second = (lone + 1) % 3, (lone + 2) % 3
    turned = level[at, first] == 0.0
    return lone, np.where(turned, second, first), np.where(turned, first, second)


# Of an edge: a cut nearer to its end would make parts without width.
_LEAST_SHARE = 1e-3
