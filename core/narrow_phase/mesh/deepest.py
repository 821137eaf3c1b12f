# SPDX-License-Identifier: GPL-3.0-or-later
"""The depth of points in bodies, and the deepest point of a boundary in a body.

A body is a mesh or a convex shape. `kernels/depths` finds the deepest point of triangles in a mesh or in a polytope by
branch and bound. Round shapes are reduced to this case:

- A round body is approximated by a polytope around it, whose planes touch it where points were found to be deepest
  (Kelley, "The cutting-plane method for solving convex programs", 1960).
- The boundary of a round shape is covered by triangles with a bound on their distance from it. Those that may have the
  deepest point are halved, and their corners moved to the boundary.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...kernels import depths
from ...numerics.rows import RowTable, smallest_per_group
from ...numerics.tolerances import INTERFERENCE, INTERFERENCE_ROUND
from ...numerics.types import Floats, Ints
from ...numerics.vectors import dot, length, normalized
from ...shapes import Boxes, Hulls, Spheres, SupportMapped
from ..convex_table import EITHER_ORDER
from .boundary import SIDE, Curved, boundary, bulges, ends_of, moved_to_boundary
from .operands import AROUND, Convex, ConvexRows, MeshRows, ShapeRows, in_frame, in_world, slack_of, surfaces_of

# Maximum number of rounds of halving, of planes that are added to a polytope, and of patches of a boundary that are
# kept for each pair. The bulge of a patch is a quarter after each two halvings.
_ROUNDS, _PLANES, _PATCHES = 24, 64, 512
# Maximum number of waiting pieces while one triangle is searched; and of all pieces, in addition to some for each
# triangle, after which the tolerance is doubled. If a thin ring is in a wall, two large triangles become thousands of
# pieces.
_WAITING, _PIECES, _MORE = 4096, 4096, 16
# Instead, for one of the polytopes around a round body: the next one is closer, whichever point is found.
_PIECES_AROUND = 256


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
) -> tuple[Floats, Points]:
    """The deepest point of triangles of `one` in the other body, for each problem.

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

    Returns
    -------
    (R,) float64
        The new greatest depths.
    Points
        The points that are deeper than the known depth. `row` is the problem.
    """
    if not len(row):
        return best, no_points()
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
    return _searched(source, other, some, row, best, limits, boxes)


def _searched(
    source: _Boundary,
    other: ShapeRows,
    some: Triangles,
    row: Ints,
    best: Floats,
    limits: Floats,
    boxes: Floats | None = None,
    planes: tuple[Floats, Ints] | None = None,
    pieces: int = _PIECES,
) -> tuple[Floats, Points]:
    """Search triangles by the kernel. `planes` are those of each problem, if they are not the faces of the other."""
    count, best = len(row), best.copy()
    turn, shift = source.rotation, source.translation
    surfaces, faces = surfaces_of(other.bodies, row), np.zeros((count, 2), dtype=np.int64)
    plane = np.empty((0, 4))
    if isinstance(other, MeshRows):
        back = other.bodies.rotation[row].transpose(0, 2, 1)
        turn = np.matmul(back, turn)
        shift = np.matmul(back, (shift - other.bodies.translation[row])[..., None])[..., 0]
    else:
        plane, number = planes_of(other.shapes.take(row)) if planes is None else planes
        faces[:, 1] = np.cumsum(number)
        faces[:, 0] = faces[:, 1] - number
    given = np.searchsorted(some.problem, np.arange(count + 1))
    limits = np.column_stack([limits, pieces + _MORE * np.diff(given)])
    place, found = np.empty((count, 3)), np.empty(count, dtype=np.int64)
    depths.deepest(
        surfaces,
        np.ascontiguousarray(plane),
        faces,
        np.ascontiguousarray(source.corner),
        np.ascontiguousarray(some.triangle),
        np.stack([given[:-1], given[1:]], axis=1),
        np.concatenate([turn.reshape(-1, 9), shift], axis=1),
        np.tile(_EVERYWHERE, (count, 1)) if boxes is None else boxes,
        limits,
        best,
        place,
        found,
        np.empty((len(some), 3)),
        np.empty((_WAITING, depths.COLUMNS)),
    )
    new = np.flatnonzero(found >= 0)
    point = place[new]
    if isinstance(other, MeshRows):
        point = in_world(other.bodies, row[new], point[:, None])[:, 0]
    return best, Points(new, point, best[new])


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
) -> tuple[Floats, Points]:
    """Search triangles in round bodies, by polytopes around them."""
    best = best.copy()
    limits[:, 1] = np.maximum(limits[:, 1], INTERFERENCE_ROUND * other.bodies.reach[row])
    around = len(AROUND)
    problem = np.repeat(np.arange(len(row)), around)
    normal = np.einsum("nij,kj->nki", other.bodies.rotation[row], AROUND).reshape(-1, 3)
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
        found = _searched(place, *asked, (plane[order], number), _PIECES_AROUND)[1]
        going = going[found.row]
        if not len(going):
            break
        depth, touching = _planes_below(other, row[going], found.point)
        parts.append(Points(going, found.point, depth))
        best[going] = np.maximum(best[going], depth)
        problem, plane = np.append(problem, going), np.concatenate([plane, touching])
    points = Points.joined(parts)
    return best, points.take(points.depth > 0.0)


@dataclass(frozen=True)
class _Patches(RowTable):
    """Patches of round boundaries: problem, corners (K, 3, 3) and kind; see `boundary`."""

    problem: Ints
    corner: Floats
    kind: Ints


def _of_patches(one: ConvexRows, other: MeshRows, row: Ints, best: Floats, limits: Floats) -> tuple[Floats, Points]:
    """Search the boundaries of round shapes in meshes."""
    best, shapes = best.copy(), one.shapes.take(row)
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
        result: Floats = np.maximum(best * (1.0 + INTERFERENCE) + limits[:, 1], limits[:, 2])[problem]
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
        kept = np.flatnonzero(bound > rest)
        kept = np.sort(kept[smallest_per_group(problem[kept], -bound[kept], _PATCHES)])
        # A patch that hardly bulges is searched like a triangle.
        level = limit(problem[kept]) - bulge[kept]
        flat = np.flatnonzero(level > bulge[kept])
        asked = kept[flat]
        still = np.broadcast_to(np.eye(3), (len(asked), 3, 3)), np.zeros((len(asked), 3))
        bounds = limits[problem[asked]].copy()
        bounds[:, 1], bounds[:, 2] = 2.0 * bounds[:, 0], level[flat]
        every = Triangles(np.arange(len(asked)), asked)
        deep = _searched(
            _Boundary(corner, *still), other, every, row[problem[asked]], np.zeros(len(asked)), bounds, pieces=0
        )[0]
        shallow = flat[deep <= level[flat]]
        done = np.zeros(len(kept), dtype=bool)
        done[shallow] = True
        patches = _halved(shapes, patches.take(kept[~done]), measure)
    points = Points.joined(seen)
    first = smallest_per_group(points.row, -points.depth)
    return best, points.take(first)


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
        size = np.where((patches.kind == SIDE)[:, None], length(np.cross(edge, axis[:, None])), size)
    at, first = np.arange(len(patches)), size.argmax(axis=1)
    tip, left, right = (patches.corner[at, (first + k) % 3] for k in range(3))
    middle = moved_to_boundary(shapes, patches.problem, patches.kind, (tip + left) / 2.0, (tip, left))
    measure(patches.problem, middle)
    halves = [np.stack([tip, middle, right], axis=1), np.stack([middle, left, right], axis=1)]
    return _Patches(np.tile(patches.problem, 2), np.concatenate(halves), np.tile(patches.kind, 2))
