# SPDX-License-Identifier: GPL-3.0-or-later
"""Test each mesh against itself: its loose parts against each other, and its faces for crossings."""

from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace

import numpy as np

from ...core import Hulls, Meshes, SelfCrossings, World, self_crossing
from ...core.constants import Verdict
from ...core.mesh.triangle_mesh import TriangleMesh, build_hulls
from ...core.narrow_phase.mesh.orientation import orientation
from ...core.numerics.rows import numbered_components, rows_of_each
from ...core.numerics.types import Bools, Ints
from ...core.numerics.vectors import cross, dot, normalized
from ..model.message import Message
from ..model.report import CROSSING_FACES, Body, ObjectKey, PairResult, Settings, Shape
from ..scene.reading.own_meshes import OwnMesh
from ..scene.reading.scene_shapes import SceneShapes
from .blocks import Blocks
from .pair_evidence import PairEvidence, judged
from .pairing import touching_levels

# Number of points on crossing faces that are listed as contacts.
MOST_POINTS = 64


@dataclass(frozen=True)
class Added:
    """Bodies, shapes and pairs that the check of a mesh against itself adds to a report.

    Attributes
    ----------
    bodies : list of Body
    shapes : list of Shape
        One for each body.
    geometry : list of TriangleMesh
        Geometry of each, in world space.
    pairs : list of PairResult
        With rows of `bodies` and `shapes`. -1: the body itself.
    """

    bodies: list[Body]
    shapes: list[Shape]
    geometry: list[TriangleMesh]
    pairs: list[PairResult]


def keys_of(bodies: Iterable[Body]) -> dict[ObjectKey, int]:
    """Objects of the bodies, and the row of the body of each."""
    return {key: number for number, body in enumerate(bodies) for key in (body.members or (body.key,))}


def checked(mesh: OwnMesh, body: Body, settings: Settings, seconds: float) -> Generator[None, None, Added]:
    """Check the mesh of a body against itself, in steps.

    Without loose parts and crossing faces, nothing is added.
    """
    name = body.name if mesh.key == body.key else f"{body.name}/{mesh.name}"
    added = Added([], [], [], [])
    part = _loose_parts(mesh)
    if part.any():
        yield from _parts(added, mesh, body, name, part, settings, seconds)
    yield
    _faces(added, mesh, body, name, part, settings)
    return added


def _loose_parts(mesh: OwnMesh) -> Ints:
    """Return the part of each triangle (m,). Parts share no vertex; as in Blender, coincident vertices are not merged.

    A cavity belongs to the part that it is in.
    """
    corner = mesh.triangles
    component = numbered_components(len(mesh.points), corner[:, [0, 1]].ravel(), corner[:, [1, 2]].ravel())
    part = np.unique(component[corner[:, 0]], return_inverse=True)[1].reshape(-1)
    closed = np.flatnonzero(
        np.isin(part, [number for number, rows in rows_of_each(part) if _mesh_of(mesh, rows).watertight])
    )
    if not len(closed):
        return part
    found = orientation(TriangleMesh(mesh.points, corner[closed]))
    first = np.unique(found.shell, return_index=True)[1]
    part_of = part[closed[first]]
    # Shells of a part that are connected at vertices may have cavities.
    solid = np.unique(part_of[found.cavity_of < 0])
    belongs = np.arange(int(part.max()) + 1)
    for shell in np.flatnonzero((found.cavity_of >= 0) & ~np.isin(part_of, solid)).tolist():
        belongs[part_of[shell]] = part_of[found.cavity_of[shell]]
    return belongs[part]


def _mesh_of(mesh: OwnMesh, triangles: Ints) -> TriangleMesh:
    """Return some triangles of a mesh, in world space."""
    used, corner = np.unique(mesh.triangles[triangles], return_inverse=True)
    return TriangleMesh(mesh.points[used], corner.reshape(-1, 3))


def _parts(
    added: Added, mesh: OwnMesh, body: Body, name: str, part: Ints, settings: Settings, seconds: float
) -> Generator[None, None, None]:
    """Test the parts against each other."""
    numbers, meshes = zip(*((number, _mesh_of(mesh, rows)) for number, rows in rows_of_each(part)), strict=True)
    world, kinds, place = _world(list(meshes))
    bounds = world.bounds()
    level = touching_levels(*bounds, settings.touching)
    pairs = world.pairs(max(float(level.max()), settings.clearance))
    tolerance = np.maximum(level[pairs[:, 0]], level[pairs[:, 1]])
    evidence = []
    given = Blocks(world, bounds, pairs, seconds)
    for rows in given:
        finding = PairEvidence.finding(world, pairs[rows], tolerance[rows], settings.clearance, bounds)
        evidence.append((yield from given.timed(finding)))
        yield
    if not evidence:
        return
    found = judged(world, PairEvidence.joined(evidence), np.arange(len(world)))
    used: dict[int, int] = {}
    for pair in found:
        ends = []
        for row in (pair.body_a, pair.body_b):
            if row not in used:
                used[row] = len(added.bodies)
                at = int(place[row])
                _add(added, mesh, body, name, numbers[at] + 1, kinds[row], meshes[at])
            ends.append(used[row])
        pair = replace(pair, body_a=ends[0], body_b=ends[1], shape_a=ends[0], shape_b=ends[1])
        added.pairs.append(pair if added.bodies[ends[0]].part < added.bodies[ends[1]].part else _flipped(pair))


def _world(parts: list[TriangleMesh]) -> tuple[World, list[str], Ints]:
    """Return the parts as shapes, convex ones as hulls, with their kinds and the part of each row."""
    build_hulls(parts)
    convex = np.array([part.convex and part.has_volume for part in parts])
    hulls, others = np.flatnonzero(convex), np.flatnonzero(~convex)
    batches: list[Hulls | Meshes] = []
    if len(hulls):
        batches.append(Hulls([parts[row].hull for row in hulls.tolist()], np.arange(len(hulls))))
    if len(others):
        batches.append(Meshes([parts[row] for row in others.tolist()], np.arange(len(others))))
    return World(batches), ["hull"] * len(hulls) + ["mesh"] * len(others), np.concatenate([hulls, others])


def _flipped(pair: PairResult) -> PairResult:
    return replace(
        pair,
        body_a=pair.body_b,
        body_b=pair.body_a,
        shape_a=pair.shape_b,
        shape_b=pair.shape_a,
        normal=-pair.normal,
        point_a=pair.point_b,
        point_b=pair.point_a,
        contact_normals=-pair.contact_normals,
    )


def _faces(added: Added, mesh: OwnMesh, body: Body, name: str, part: Ints, settings: Settings) -> None:
    """Return the crossing faces as a pair of the mesh and these faces, without those of parts that only touch."""
    # As stored: placing the coordinates would round them.
    local = TriangleMesh(mesh.local, mesh.triangles)
    found = self_crossing(Meshes([local], [0]))
    found = found.take(~_touch(added, mesh, part, found))
    if not len(found):
        return
    triangles = np.unique(np.concatenate([found.triangle_a, found.triangle_b]))
    points = (found.start + found.end) / 2.0 @ mesh.matrix[:3, :3].T + mesh.matrix[:3, 3]
    corner = mesh.points[mesh.triangles[found.triangle_a]]
    normal = normalized(cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), np.array([0.0, 0.0, 1.0]))
    lower, upper = mesh.points.min(axis=0)[None], mesh.points.max(axis=0)[None]
    added.pairs.append(
        PairResult(
            body_a=-1,
            body_b=len(added.bodies),
            verdict=Verdict.PENETRATING,
            distance=0.0,
            normal=normal[0],
            point_a=points[0],
            point_b=points[0],
            contact_points=points[:MOST_POINTS],
            contact_depths=np.zeros(min(len(points), MOST_POINTS)),
            interference=0.0,
            contact_normals=normal[:MOST_POINTS],
            shape_a=-1,
            shape_b=len(added.bodies),
            touching=float(touching_levels(lower, upper, settings.touching)[0]),
            faces=tuple(np.unique(mesh.faces[triangles]).tolist()),
        )
    )
    _add(added, mesh, body, name, CROSSING_FACES, "mesh", TriangleMesh(mesh.points, mesh.triangles[triangles]))


def _touch(added: Added, mesh: OwnMesh, part: Ints, found: SelfCrossings) -> Bools:
    """Return which pairs of triangles (C,) belong to two closed parts that touch there: they share a face, or nearly.

    Parts without common vertices touch if the check found so. Shells of one part touch where their faces coincide and
    face opposite ways.
    """
    one, other = part[found.triangle_a], part[found.triangle_b]
    deep = {
        frozenset((added.bodies[pair.body_a].part, added.bodies[pair.body_b].part))
        for pair in added.pairs
        if pair.verdict > Verdict.TOUCHING
    }
    touching = np.array([frozenset(pair) not in deep for pair in zip(one + 1, other + 1, strict=True)], dtype=bool)
    result = (one != other) & touching
    for number in np.unique(one[found.coplanar & (one == other)]).tolist():
        rows = np.flatnonzero(part == number)
        own = _mesh_of(mesh, rows)
        if own.watertight:
            oriented = orientation(own)
            some = np.flatnonzero(found.coplanar & (one == number) & (other == number))
            a, b = (np.searchsorted(rows, side[some]) for side in (found.triangle_a, found.triangle_b))
            normal = oriented.mesh.planes[:, :3]
            result[some] = (oriented.shell[a] != oriented.shell[b]) & (dot(normal[a], normal[b]) < 0.0)
    return result


def _add(added: Added, mesh: OwnMesh, body: Body, name: str, part: int, kind: str, geometry: TriangleMesh) -> None:
    """Add a part of a body as a separate body."""
    uid, host, place = mesh.key
    title = "crossing faces" if part == CROSSING_FACES else f"part {part}"
    reason = Message("crossing faces") if part == CROSSING_FACES else Message("loose part")
    # Negative numbers are in no other key.
    key = ObjectKey(uid, host, (*place, part if part == CROSSING_FACES else -1 - part))
    added.shapes.append(Shape(mesh.name, len(added.bodies), kind, reason))
    added.bodies.append(replace(body, name=f"{name}: {title}", key=key, members=(), part=part, whole=name))
    added.geometry.append(geometry)


def joined(shapes: SceneShapes, added: Iterable[tuple[int, Added]]) -> tuple[SceneShapes, list[PairResult]]:
    """Return the shapes of a check with the added parts of each body, and the pairs with rows of these."""
    bodies, rows, geometry, pairs = list(shapes.bodies), list(shapes.shapes), list[TriangleMesh](), list[PairResult]()
    first_row = np.unique(shapes.body, return_index=True)[1]
    for number, one in added:
        body, row = len(bodies), len(rows)
        for pair in one.pairs:
            pairs.append(
                replace(
                    pair,
                    body_a=number if pair.body_a < 0 else body + pair.body_a,
                    body_b=body + pair.body_b,
                    shape_a=int(first_row[number]) if pair.shape_a < 0 else row + pair.shape_a,
                    shape_b=row + pair.shape_b,
                )
            )
        bodies += one.bodies
        rows += [replace(shape, body=body + place) for place, shape in enumerate(one.shapes)]
        geometry += one.geometry
    if not pairs:
        return shapes, pairs
    world = shapes.world
    margin = np.zeros(len(world)) if world.margin is None else world.margin
    extended = World(
        [*world.batches, Meshes(geometry, np.arange(len(geometry)))],
        margin=np.concatenate([margin, np.zeros(len(geometry))]),
    )
    body_of = np.concatenate([shapes.body, np.arange(len(shapes.bodies), len(bodies))])
    made = replace(shapes, world=extended, shapes=tuple(rows), bodies=tuple(bodies), body=body_of, filter=None)
    return made, pairs
