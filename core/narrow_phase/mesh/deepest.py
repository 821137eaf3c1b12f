# SPDX-License-Identifier: GPL-3.0-or-later
"""The depth of points in bodies, and the deepest point of a boundary in a body.

A body is a mesh or a convex shape. `kernels/depth_search` finds the deepest point of triangles in a mesh or in a
polytope by branch and bound. Round shapes are reduced to this case:

- A round body is approximated by a polytope around it, whose planes touch it where points were found to be deepest
  (Kelley, "The cutting-plane method for solving convex programs", 1960).
- The boundary of a round shape is covered by triangles with a bound on their distance from it. Those that may have the
  deepest point are halved, and their corners moved to the boundary.
"""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from ...kernels import depth_search, depths
from ...kernels.depth_search import Deepest, Problems
from ...kernels.depths import Boundaries
from ...kernels.pieces import COLUMNS
from ...numerics.rows import RowTable, smallest_per_group
from ...numerics.steps import ALL_ROWS, exhausted
from ...numerics.tolerances import INTERFERENCE, INTERFERENCE_ROUND
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import cross, dot, length, normalized
from ...shapes import Boxes, Hulls, Spheres, SupportMapped
from ...shapes import Triangles as Pieces
from ..convex_table import EITHER_ORDER
from .boundary import SIDE, Curved, boundary, bulges, ends_of, moved_to_boundary
from .leaf_queries import any_within
from .operands import AROUND, Convex, ConvexRows, MeshRows, ShapeRows, in_frame, in_world, side, slack_of, surfaces_of

# Maximum number of rounds of halving, of planes that are added to a polytope, and of patches of a boundary that are
# kept for each pair. The bulge of a patch is a quarter after each two halvings.
_ROUNDS, _PLANES, _PATCHES = 24, 64, 512
# Number of patches of a pair above which the distances of whole patches are measured.
_ALONG = 128
# Dimensionless: fraction of the allowed error. Patches that bulge by no more are searched as triangles.
_FINE = 0.25
# Maximum number of waiting pieces while one triangle is searched; and of all pieces, in addition to some for each
# triangle, after which the tolerance is doubled. If a thin ring is in a wall, two large triangles become thousands of
# pieces.
_WAITING, _PIECES, _MORE = 4096, 4096, 16
# Maximum number of further searches of what was left, and for each, of triangles whose quarters it searches and of
# pieces in addition to some for each.
_MORE_SEARCHES, _TOGETHER, _MORE_PIECES = 64, 16, 4096
# Number of triangles, and of problems, whose pieces are searched in one step: at most some tenths of a second.
TOGETHER, _PROBLEMS = 4096, 2
# Instead, for one of the polytopes around a round body: the next one is closer, whichever point is found.
_PIECES_AROUND = 256
# Number of faces of a solid along which planes are put around a round body, and the difference of the components of
# the normals of one face.
_FACES, _SAME_FACE = 96, 1e-6


@dataclass(frozen=True)
class Points(RowTable):
    """Points of the boundaries of bodies that are inside others.

    Attributes
    ----------
    row : (K,) int64
    point : (K, 3) float64
        In the world.
    depth : (K,) float64
    """

    row: Ints
    point: Floats
    depth: Floats


def no_points() -> Points:
    """Return no points."""
    return Points(np.empty(0, dtype=np.int64), np.empty((0, 3)), np.empty(0))


def depth_of_points(body: ShapeRows, row: Ints, point: Floats, enough: Floats | None = None) -> Floats:
    """Depths (K,) of world points (K, 3) in the bodies of rows (K,), negative outside.

    The depth is the distance from the boundary. A depth of at most `enough` (K,) need not be exact: any value up to it
    may be returned.
    """
    if isinstance(body, ConvexRows):
        return _planes_below(body, row, point)[0]
    result, key = np.empty(len(row)), np.empty(len(row), dtype=np.int64)
    if len(row):
        level = np.zeros(len(row)) if enough is None else np.ascontiguousarray(enough)
        place = np.ascontiguousarray(in_frame(body.bodies, row, point))
        depths.points(surfaces_of(body.bodies, row), place, level, result, key)
    return result


def nearest_triangles(surfaces: MeshRows, row: Ints, point: Floats) -> tuple[Floats, Ints]:
    """Distances (K,) of points (K, 3) from the surfaces of rows (K,), and the nearest triangles."""
    result, key = np.empty(len(row)), np.empty(len(row), dtype=np.int64)
    place = np.ascontiguousarray(in_frame(surfaces.bodies, row, point))
    depths.distances(surfaces_of(surfaces.bodies, row), place, result, key)
    return result, key


def _planes_below(body: ConvexRows, row: Ints, point: Floats) -> tuple[Floats, Floats]:
    """Depths (K,) of points in convex shapes, and the tangent planes nearest to them: normals and offsets."""
    if not len(row):
        return np.empty(0), np.empty((0, 4))
    points, shapes = Spheres(point, np.zeros(len(point))), body.shapes.take(row)
    found = EITHER_ORDER[points.kind, shapes.kind].distance(points, shapes)
    outward = -found.normal
    return -found.distance, np.column_stack([outward, body.support_distance(row, outward)])


def planes_of(shapes: Convex) -> tuple[Floats, Ints]:
    """The planes of polytopes in the world (F, 4), row by row, and the number of each row (N,)."""
    if isinstance(shapes, Boxes):
        normal = np.concatenate([shapes.rotation, -shapes.rotation], axis=2).transpose(0, 2, 1)
        offset = np.einsum("nki,ni->nk", normal, shapes.center) + np.tile(shapes.half_extents, 2)
        return np.concatenate([normal, offset[..., None]], axis=2).reshape(-1, 4), np.full(len(shapes), 6)
    assert isinstance(shapes, Hulls)
    hulls = [shapes.geometry[index] for index in shapes.index.tolist()]
    count = np.array([len(hull.offsets) for hull in hulls], dtype=np.int64)
    row = np.repeat(np.arange(len(hulls)), count)
    local = np.concatenate([np.empty((0, 3)), *(hull.normals for hull in hulls)])
    offset = np.concatenate([np.empty(0), *(hull.offsets for hull in hulls)])
    normal = np.einsum("kij,kj->ki", shapes.rotation[row], local)
    return np.column_stack([normal, offset + dot(normal, shapes.translation[row])]), count


@dataclass(frozen=True)
class Triangles(RowTable):
    """Triangles of boundaries that may be inside other bodies.

    Attributes
    ----------
    problem : (K,) int64
        The problem of each, ascending.
    triangle : (K,) int64
        A triangle of the mesh of its row, or a row of `corner`.
    """

    problem: Ints
    triangle: Ints


@dataclass(frozen=True)
class Unsearched(RowTable):
    """Triangles that a search has left because they need too many pieces.

    Attributes
    ----------
    problem : (K,) int64
    corner : (K, 3, 3) float64
        In the frame of the mesh that they belong to. Of a polytope, in the world.
    bound : (K,) float64
        No point that is left is deeper.
    """

    problem: Ints
    corner: Floats
    bound: Floats


@dataclass(frozen=True)
class Search:
    """The deepest points of problems that were found.

    Attributes
    ----------
    best : (R,) float64
        The greatest depths: those of the points that were found, or known before.
    bound : (R,) float64
        Upper bounds: equal to `best` if it is accurate, and above if the search took too many pieces.
    points : Points
        The points that are deeper than the known depth. `row` is the problem.
    rest : Unsearched
        Those of flat triangles, in solids that are not round.
    on : (K,) int64
        Which of the searched triangles each point is on, in solids that are not round.
    """

    best: Floats
    bound: Floats
    points: Points
    rest: Unsearched
    on: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    @classmethod
    def nothing(cls, best: Floats) -> "Search":
        """A search of nothing, with the known depths."""
        return cls(best, best, no_points(), _nothing_left())


def _nothing_left() -> Unsearched:
    return Unsearched(np.empty(0, dtype=np.int64), np.empty((0, 3, 3)), np.empty(0))


@dataclass(frozen=True)
class _Boundary:
    """Triangles of boundaries, and the transforms from each problem to world space."""

    corner: Floats
    rotation: Floats
    translation: Floats


def deepest(
    one: ShapeRows,
    other: ShapeRows,
    some: Triangles,
    row: Ints,
    best: Floats,
    least: Floats | None = None,
    boxes: Floats | None = None,
) -> Search:
    """Search the deepest point of triangles of `one` in the other body, for each problem; see `deepest_steps`."""
    return exhausted(deepest_steps(one, other, some, row, best, least, boxes, ALL_ROWS))


def deepest_steps(
    one: ShapeRows,
    other: ShapeRows,
    some: Triangles,
    row: Ints,
    best: Floats,
    least: Floats | None,
    boxes: Floats | None,
    together: int,
) -> Generator[None, None, "Search"]:
    """Search the deepest point of triangles of `one` in the other body, for each problem.

    Parameters
    ----------
    one, other
        Bodies of each row.
    some : Triangles
        For meshes. For convex shapes, the whole boundary is searched.
    row : (R,) int64
        The row of each problem.
    best : (R,) float64
        The greatest known depths.
    least : (R,) float64, optional
        Depths of at most this value are not measured exactly.
    boxes : (R, 6) float64, optional
        Lower and upper bounds of the relevant points, in the frame of the other body; for a convex shape, the world.
    together : int
        Number of triangles of a step. The search in round shapes, and of their boundaries, is one step.
    """
    if not len(row):
        return Search.nothing(best)
    slack = slack_of(one, other)[row]
    limits = np.zeros((len(row), 3))
    limits[:, 0], limits[:, 1] = slack, 2.0 * slack
    if least is not None:
        limits[:, 2] = least
    if isinstance(one, ConvexRows):
        if isinstance(one.shapes, Curved):
            assert isinstance(other, MeshRows)
            return _of_patches(one, other, row, best, limits)
        found = boundary(one.shapes.take(row))
        order = np.argsort(found.row, kind="stable")
        some = Triangles(found.row[order], order)
        still = np.broadcast_to(np.eye(3), (len(row), 3, 3)), np.zeros((len(row), 3))
        source = _Boundary(found.corner, *still)
    else:
        bodies = one.bodies
        source = _Boundary(bodies.corners, bodies.rotation[row], bodies.translation[row])
        some = Triangles(some.problem, some.triangle + bodies.triangle_start[row[some.problem]])
    if isinstance(other, ConvexRows) and isinstance(other.shapes, Curved):
        return _in_round(source, other, some, row, best, limits, boxes)
    return (yield from _search_steps(source, other, some, row, best, limits, boxes, pieces=_PIECES, together=together))


def _searched(
    source: _Boundary,
    other: ShapeRows,
    some: Triangles,
    row: Ints,
    best: Floats,
    limits: Floats,
    boxes: Floats | None = None,
    planes: tuple[Floats, Ints] | None = None,
    *,
    pieces: int,
) -> Search:
    """Run `_search_steps`."""
    return exhausted(
        _search_steps(source, other, some, row, best, limits, boxes, planes, pieces=pieces, together=ALL_ROWS)
    )


def _search_steps(
    source: _Boundary,
    other: ShapeRows,
    some: Triangles,
    row: Ints,
    best: Floats,
    limits: Floats,
    boxes: Floats | None = None,
    planes: tuple[Floats, Ints] | None = None,
    *,
    pieces: int,
    together: int,
) -> Generator[None, None, Search]:
    """Search triangles by the kernel. `planes` are those of each problem, if they are not the faces of the other."""
    count, best = len(row), best.copy()
    turn, shift = source.rotation, source.translation
    surfaces, faces = surfaces_of(other.bodies, row), np.zeros((count, 2), dtype=np.int64)
    plane, quads = np.empty((0, 4)), np.empty((0, 2))
    if isinstance(other, MeshRows):
        quads = other.quads()
        back = other.bodies.rotation[row].transpose(0, 2, 1)
        turn = np.matmul(back, turn)
        shift = np.matmul(back, (shift - other.bodies.translation[row])[..., None])[..., 0]
    else:
        plane, number = planes_of(other.shapes.take(row)) if planes is None else planes
        faces[:, 1] = np.cumsum(number)
        faces[:, 0] = faces[:, 1] - number
    given = np.searchsorted(some.problem, np.arange(count + 1))
    limits = np.column_stack([limits, pieces + _MORE * np.diff(given)])
    # Problems without triangles are not in any range.
    place, found, bound = np.empty((count, 3)), np.full(count, -1), best.copy()
    memory, state = np.empty((len(some), 3)), np.tile([-1.0, 0.0, 1.0, 0.0], (count, 1))
    plane, corner = np.ascontiguousarray(plane), np.ascontiguousarray(source.corner)
    triangle = np.ascontiguousarray(some.triangle)
    frame = np.concatenate([turn.reshape(-1, 9), shift], axis=1)
    boxes = np.tile(_EVERYWHERE, (count, 1)) if boxes is None else boxes

    def part(of: slice, ranges: Ints) -> tuple[Problems, Deepest]:
        there = Boundaries(surfaces._replace(rows=surfaces.rows[of]), quads, plane, faces[of])
        these = Problems(there, corner, triangle, ranges, frame[of], boxes[of], limits[of])
        return these, Deepest(best[of], bound[of], place[of], found[of], memory, state[of])

    waiting = np.empty((_WAITING, COLUMNS))
    for of, ranges in _ranges(given, together):
        depth_search.measure_centers(*part(of, ranges))
        if together < len(some):
            yield
    for of, ranges in _ranges(given, together, _PROBLEMS if together < ALL_ROWS else ALL_ROWS):
        depth_search.search(*part(of, ranges), waiting)
        if together < len(some):
            yield
    new = np.flatnonzero(found >= 0)
    point = place[new]
    if isinstance(other, MeshRows):
        point = in_world(other.bodies, row[new], point[:, None])[:, 0]
    level = _level(best, limits)
    left = np.flatnonzero(memory[:, 0] > level[some.problem])
    rest = Unsearched(some.problem[left], source.corner[some.triangle[left]], memory[left, 0])
    return Search(best, bound, Points(new, point, best[new]), rest, found[new])


def _level(best: Floats, limits: Floats) -> Floats:
    """Return the depth up to which other points count as no deeper than the deepest one that was found, (R,)."""
    result: Floats = np.maximum(best * (1.0 + INTERFERENCE) + limits[:, 1], limits[:, 2])
    return result


def finished(
    one: ShapeRows, other: ShapeRows, row: int, found: Search, at: int, least: float
) -> Generator[None, None, Search]:
    """Search what was left of a problem, in steps of one call of the kernel each.

    Parameters
    ----------
    one, other
        Bodies of each row.
    row : int
        The row of the problem.
    found : Search
        The search that has left something.
    at : int
        The problem in it.
    least : float
        As for `deepest`.

    Returns
    -------
    Search
        Of one problem. Its bound is above the depth only if even these steps were too few.
    """
    rows, mine = np.array([row]), found.rest.take(found.rest.problem == at)
    slack = slack_of(one, other)[rows]
    limits = np.column_stack([slack, 2.0 * slack, [least]])
    best, points = found.best[[at]], found.points.take(found.points.row == at)
    corner, bound = mine.corner, mine.bound
    turn, shift = np.eye(3)[None], np.zeros((1, 3))
    if isinstance(one, MeshRows):
        turn, shift = one.bodies.rotation[rows], one.bodies.translation[rows]
    for number in range(_MORE_SEARCHES + 1):
        level = _level(best, limits)
        deeper = np.flatnonzero(bound > level)
        corner, bound = corner[deeper], bound[deeper]
        if not len(bound) or number == _MORE_SEARCHES:
            break
        # Those that may be the deepest, in quarters, so that each has more pieces than before.
        order = np.argsort(-bound)
        parts = _quarters(corner[order[:_TOGETHER]])
        every = Triangles(np.zeros(len(parts), dtype=np.int64), np.arange(len(parts)))
        more = _searched(_Boundary(parts, turn, shift), other, every, rows, best, limits, pieces=_MORE_PIECES)
        best = more.best
        if len(more.points):
            points = replace(more.points, row=np.full(len(more.points), at))
        corner = np.concatenate([corner[order[_TOGETHER:]], more.rest.corner])
        bound = np.concatenate([bound[order[_TOGETHER:]], more.rest.bound])
        yield
    most = np.maximum(best, bound.max(initial=0.0))
    return Search(best, most, replace(points, row=np.zeros(len(points), dtype=np.int64)), _nothing_left())


def _quarters(corner: Floats) -> Floats:
    """The four similar parts of triangles (K, 3, 3): (4 K, 3, 3)."""
    middle = (corner + np.roll(corner, -1, axis=1)) / 2.0
    outer = [np.stack([corner[:, k], middle[:, k], middle[:, k - 1]], axis=1) for k in range(3)]
    return np.concatenate([*outer, middle])


def _ranges(given: Ints, triangles: int, problems: int = ALL_ROWS) -> Iterator[tuple[slice, Ints]]:
    """Divide the triangles of problems, from `given` (R), up to the next and the end, into consecutive parts.

    Each has at most so many triangles, of so many problems: these problems, and the first triangle and the end for each
    of them, (K, 2).
    """
    at, total = 0, int(given[-1])
    while at < total:
        first = int(np.searchsorted(given, at, side="right"))
        end = min(total, at + triangles, int(given[min(first - 1 + problems, len(given) - 1)]))
        last = int(np.searchsorted(given, end))
        parts = np.stack([given[first - 1 : last], given[first : last + 1]], axis=1)
        yield slice(first - 1, last), np.ascontiguousarray(np.clip(parts, at, end))
        at = end


# Bounds of all points.
_EVERYWHERE = np.array([-np.inf] * 3 + [np.inf] * 3)


def _in_round(
    source: _Boundary,
    other: ConvexRows,
    some: Triangles,
    row: Ints,
    best: Floats,
    limits: Floats,
    boxes: Floats | None,
) -> Search:
    """Search triangles in round bodies, by polytopes around them."""
    best = best.copy()
    bound = best.copy()
    limits[:, 1] = np.maximum(limits[:, 1], INTERFERENCE_ROUND * other.bodies.reach[row])
    around = len(AROUND)
    facing, against = _facing(source, some)
    problem = np.append(np.repeat(np.arange(len(row)), around), facing)
    normal = np.einsum("nij,kj->nki", other.bodies.rotation[row], AROUND).reshape(-1, 3)
    normal = np.concatenate([normal, against])
    plane = np.column_stack([normal, other.support_distance(row[problem], normal)])
    going, parts = np.arange(len(row)), [no_points()]
    for _ in range(_PLANES):
        mine = np.isin(problem, going)
        order = np.flatnonzero(mine)[np.argsort(problem[mine], kind="stable")]
        number = np.bincount(np.searchsorted(going, problem[order]), minlength=len(going))
        kept = np.isin(some.problem, going)
        these = Triangles(np.searchsorted(going, some.problem[kept]), some.triangle[kept])
        place = _Boundary(source.corner, source.rotation[going], source.translation[going])
        asked = other, these, row[going], best[going], limits[going], None if boxes is None else boxes[going]
        searched = _searched(place, *asked, (plane[order], number), pieces=_PIECES_AROUND)
        bound[going], found = searched.bound, searched.points
        going = going[found.row]
        if not len(going):
            break
        depth, touching = _planes_below(other, row[going], found.point)
        parts.append(Points(going, found.point, depth))
        best[going] = np.maximum(best[going], depth)
        problem, plane = np.append(problem, going), np.concatenate([plane, touching])
    points = Points.joined(parts)
    return Search(best, np.maximum(best, bound), points.take(points.depth > 0.0), _nothing_left())


def _facing(source: _Boundary, some: Triangles) -> tuple[Ints, Floats]:
    """Problems (K,) and the directions (K, 3) against the faces of their triangles, if these are few.

    If a face touches a round body, the plane of the face is a tangent plane of the body, which leaves nothing of the
    face inside.
    """
    p, q, r = np.moveaxis(source.corner[some.triangle], 1, 0)
    normal = np.einsum("kij,kj->ki", source.rotation[some.problem], normalized(cross(r - p, q - p), np.zeros(3)))
    rounded = np.rint(normal / _SAME_FACE)
    some_of = np.unique(np.column_stack([some.problem, rounded]), axis=0, return_index=True)[1]
    problem, normal = some.problem[some_of], normal[some_of]
    kept = (np.bincount(problem, minlength=1)[problem] <= _FACES) & normal.any(axis=1)
    return problem[kept], normal[kept]


@dataclass(frozen=True)
class _Patches(RowTable):
    """Patches of round boundaries: problem, corners (K, 3, 3) and kind; see `boundary`."""

    problem: Ints
    corner: Floats
    kind: Ints


def _of_patches(one: ConvexRows, other: MeshRows, row: Ints, best: Floats, limits: Floats) -> Search:
    """Search the boundaries of round shapes in meshes."""
    best, shapes = best.copy(), one.shapes.take(row)
    left, last = np.zeros(len(best)), np.zeros(len(best))
    assert isinstance(shapes, Curved)
    limits[:, 1] = np.maximum(limits[:, 1], INTERFERENCE_ROUND * one.bodies.reach[row])
    found = boundary(shapes)
    patches, seen = _Patches(found.row, found.corner, found.kind), [no_points()]

    def measure(problem: Ints, point: Floats) -> None:
        depth = depth_of_points(other, row[problem], point, np.maximum(best[problem], 0.0))
        np.maximum.at(best, problem, depth)
        # Only the deepest point counts.
        deep = np.flatnonzero((depth >= best[problem]) & (depth > 0.0))
        seen.append(Points(problem[deep], point[deep], depth[deep]))

    def limit(problem: Ints) -> Floats:
        result: Floats = _level(best, limits)[problem]
        return result

    measure(np.repeat(patches.problem, 3), patches.corner.reshape(-1, 3))
    for _ in range(_ROUNDS):
        if not len(patches):
            break
        problem, corner, kind = patches.problem, patches.corner, patches.kind
        bulge, middle = bulges(shapes, problem, kind, corner), corner.mean(axis=1)
        measure(problem, moved_to_boundary(shapes, problem, kind, middle))
        radius = length(corner - middle[:, None]).max(axis=1) + bulge
        rest = limit(problem)
        bound = depth_of_points(other, row[problem], middle, np.maximum(rest - radius, 0.0)) + radius
        deeper = np.flatnonzero(bound > rest)
        # Round shapes along walls have many.
        many = np.flatnonzero(np.bincount(problem[deeper], minlength=len(best))[problem[deeper]] > _ALONG)
        some = deeper[many]
        beside = _are_beside(other, row[problem[some]], corner[some], (bulge - rest)[some], (bound - radius)[some])
        deeper = np.delete(deeper, many[beside])
        kept = np.sort(deeper[smallest_per_group(problem[deeper], -bound[deeper], _PATCHES)])
        others = np.setdiff1d(deeper, kept)
        np.maximum.at(left, problem[others], bound[others])
        # Patches that bulge by less than the tolerance are triangles, which are searched together.
        give = np.maximum(limits[:, 1], INTERFERENCE * best)[problem[kept]]
        fine = bulge[kept] <= _FINE * give
        if fine.any():
            some = kept[fine][np.argsort(problem[kept[fine]], kind="stable")]
            still = np.broadcast_to(np.eye(3), (len(best), 3, 3)), np.zeros((len(best), 3))
            source = _Boundary(corner, *still)
            found_on = _searched(source, other, Triangles(problem[some], some), row, best, limits, pieces=_PIECES)
            on, point = some[found_on.on], found_on.points.point
            measure(problem[on], moved_to_boundary(shapes, problem[on], kind[on], point))
            np.maximum.at(left, problem[some], found_on.bound[problem[some]] + bulge[some])
            kept = kept[~fine]
        # A patch that hardly bulges is searched like a triangle.
        level = limit(problem[kept]) - bulge[kept]
        flat = np.flatnonzero(level > bulge[kept])
        asked = kept[flat]
        still = np.broadcast_to(np.eye(3), (len(asked), 3, 3)), np.zeros((len(asked), 3))
        bounds = limits[problem[asked]].copy()
        bounds[:, 1], bounds[:, 2] = 2.0 * bounds[:, 0], level[flat]
        every = Triangles(np.arange(len(asked)), asked)
        searched = _searched(
            _Boundary(corner, *still), other, every, row[problem[asked]], np.zeros(len(asked)), bounds, pieces=0
        )
        shallow = flat[searched.bound <= level[flat]]
        done = np.zeros(len(kept), dtype=bool)
        done[shallow] = True
        kept = kept[~done]
        last = np.zeros(len(best))
        np.maximum.at(last, problem[kept], bound[kept])
        patches = _halved(shapes, patches.take(kept), measure)
    points = Points.joined(seen)
    first = smallest_per_group(points.row, -points.depth)
    left = np.maximum(left, last)
    bound = np.where(left > limit(np.arange(len(best))), left, best)
    return Search(best, bound, points.take(first), _nothing_left())


def _are_beside(other: MeshRows, row: Ints, corner: Floats, reach: Floats, depth: Floats) -> Bools:
    """Return which triangles (K, 3, 3) are outside the solids of rows (K,), and farther away than `reach` (K,).

    `depth` (K,) is that of their centers. A round shape along a wall is so near to it that only the distance of whole
    patches shows that they are outside: it grows with the square of the angle, as the bulge of a patch does.
    """
    result = np.zeros(len(row), dtype=bool)
    out = np.flatnonzero((depth < 0.0) & (depth < -reach))
    if len(out):
        near = any_within(side(Pieces(corner[out])), other.take(row[out]), np.maximum(reach[out], 0.0))
        result[out] = ~near
    return result


def _halved(shapes: Curved, patches: _Patches, measure: Callable[[Ints, Floats], None]) -> _Patches:
    """Halve the edge of each patch along which the boundary is curved most. For flat patches, the longest edge."""
    edge = np.roll(patches.corner, -1, axis=1) - patches.corner
    size = length(edge)
    if isinstance(shapes, SupportMapped):
        bend = shapes.bend(patches.problem, patches.kind, patches.corner)
        size = np.where(bend.max(axis=1, keepdims=True) > 0.0, bend, size)
    else:
        start, end = (each[patches.problem] for each in ends_of(shapes))
        axis = normalized(end - start, np.array([0.0, 0.0, 1.0]))
        size = np.where((patches.kind == SIDE)[:, None], length(cross(edge, axis[:, None])), size)
    at, first = np.arange(len(patches)), size.argmax(axis=1)
    tip, left, right = (patches.corner[at, (first + k) % 3] for k in range(3))
    middle = moved_to_boundary(shapes, patches.problem, patches.kind, (tip + left) / 2.0, (tip, left))
    measure(patches.problem, middle)
    halves = [np.stack([tip, middle, right], axis=1), np.stack([middle, left, right], axis=1)]
    return _Patches(np.tile(patches.problem, 2), np.concatenate(halves), np.tile(patches.kind, 2))
