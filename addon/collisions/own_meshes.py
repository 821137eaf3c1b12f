# SPDX-License-Identifier: GPL-3.0-or-later
"""Each mesh against itself: its loose parts against each other, and its faces that cross each other."""

from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace

import numpy as np

from ...core import Hulls, Meshes, World, self_crossing
from ...core.constants import Verdict
from ...core.mesh.triangle_mesh import TriangleMesh, build_hulls
from ...core.numerics.rows import numbered_components, rows_of_each
from ...core.numerics.types import Ints
from ...core.numerics.vectors import normalized
from ..model.message import Message
from ..model.report import CROSSING_FACES, Body, ObjectKey, PairResult, Settings, Shape
from ..scene.reading.own_meshes import OwnMesh
from ..scene.reading.scene_shapes import SceneShapes
from .blocks import blocks
from .pair_evidence import Evidence, judged
from .pairing import touching_levels

# Points of faces that cross that are listed as contacts.
MOST_POINTS = 64


@dataclass(frozen=True)
class Added:
    """What the check of a mesh against itself adds to a report: bodies, their shapes, and pairs of these.

    Attributes
    ----------
    bodies : list of Body
    shapes : list of Shape
        One of each body.
    geometry : list of TriangleMesh
        That of each, in the world.
    pairs : list of PairResult
        With rows of `bodies` and `shapes`; -1: the body itself.
    """

    bodies: list[Body]
    shapes: list[Shape]
    geometry: list[TriangleMesh]
    pairs: list[PairResult]


def keys_of(bodies: Iterable[Body]) -> dict[ObjectKey, int]:
    """The objects of bodies, and the number of the body of each."""
    return {key: number for number, body in enumerate(bodies) for key in (body.members or (body.key,))}


def checked(mesh: OwnMesh, body: Body, settings: Settings, seconds: float) -> Generator[None, None, Added]:
    """Check a mesh of a body against itself, in steps.

    Without loose parts and faces that cross, nothing is added.
    """
    name = body.name if mesh.key == body.key else f"{body.name}/{mesh.name}"
    added = Added([], [], [], [])
    parts = _loose_parts(mesh)
    if len(parts) > 1:
        yield from _parts(added, mesh, body, name, parts, settings, seconds)
    yield
    _faces(added, mesh, body, name, settings)
    return added


def _loose_parts(mesh: OwnMesh) -> list[TriangleMesh]:
    """The parts that share no vertex, as Blender has them: vertices in the same place are not one."""
    corner = mesh.triangles
    component = numbered_components(len(mesh.points), corner[:, [0, 1]].ravel(), corner[:, [1, 2]].ravel())
    parts = []
    for _, rows in rows_of_each(component[corner[:, 0]]):
        used, triangles = np.unique(corner[rows], return_inverse=True)
        parts.append(TriangleMesh(mesh.points[used], triangles.reshape(-1, 3)))
    return parts


def _parts(
    added: Added, mesh: OwnMesh, body: Body, name: str, parts: list[TriangleMesh], settings: Settings, seconds: float
) -> Generator[None, None, None]:
    world, kinds, number = _world(parts)
    bounds = world.bounds()
    level = touching_levels(*bounds, settings.touching)
    pairs = world.pairs(max(float(level.max()), settings.clearance))
    tolerance = np.maximum(level[pairs[:, 0]], level[pairs[:, 1]])
    evidence = []
    for rows in blocks(world, bounds, pairs, seconds):
        evidence.append(Evidence.of(world, pairs[rows], tolerance[rows], settings.clearance, bounds))
        yield
    if not evidence:
        return
    found = judged(world, Evidence.joined(evidence), np.arange(len(world)))
    used: dict[int, int] = {}
    for pair in found:
        ends = []
        for row in (pair.body_a, pair.body_b):
            if row not in used:
                used[row] = len(added.bodies)
                part = int(number[row])
                _add(added, mesh, body, name, part + 1, kinds[row], parts[part])
            ends.append(used[row])
        pair = replace(pair, body_a=ends[0], body_b=ends[1], shape_a=ends[0], shape_b=ends[1])
        added.pairs.append(pair if added.bodies[ends[0]].part < added.bodies[ends[1]].part else _flipped(pair))


def _world(parts: list[TriangleMesh]) -> tuple[World, list[str], Ints]:
    """The parts as shapes: convex ones as hulls. Their kinds, and which part each row is."""
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


def _faces(added: Added, mesh: OwnMesh, body: Body, name: str, settings: Settings) -> None:
    """The faces that cross each other, as a pair of the mesh and these faces."""
    # As they are stored: to place them would round them.
    found = self_crossing(Meshes([TriangleMesh(mesh.local, mesh.triangles)], [0]))
    if not len(found):
        return
    triangles = np.unique(np.concatenate([found.triangle_a, found.triangle_b]))
    points = (found.start + found.end) / 2.0 @ mesh.matrix[:3, :3].T + mesh.matrix[:3, 3]
    corner = mesh.points[mesh.triangles[found.triangle_a]]
    normal = normalized(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), np.array([0.0, 0.0, 1.0]))
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
            contact_normals=normal[:MOST_POINTS],
            shape_a=-1,
            shape_b=len(added.bodies),
            touching=float(touching_levels(lower, upper, settings.touching)[0]),
            faces=tuple(np.unique(mesh.faces[triangles]).tolist()),
        )
    )
    _add(added, mesh, body, name, CROSSING_FACES, "mesh", TriangleMesh(mesh.points, mesh.triangles[triangles]))


def _add(added: Added, mesh: OwnMesh, body: Body, name: str, part: int, kind: str, geometry: TriangleMesh) -> None:
    """Add a part of a body as a body of its own."""
    uid, host, place = mesh.key
    title = "crossing faces" if part == CROSSING_FACES else f"part {part}"
    reason = Message("crossing faces") if part == CROSSING_FACES else Message("loose part")
    # Negative numbers are in no other key.
    key = ObjectKey(uid, host, (*place, part if part == CROSSING_FACES else -1 - part))
    added.shapes.append(Shape(mesh.name, len(added.bodies), kind, reason))
    added.bodies.append(replace(body, name=f"{name}: {title}", key=key, members=(), part=part, whole=name))
    added.geometry.append(geometry)


def joined(shapes: SceneShapes, added: Iterable[tuple[int, Added]]) -> tuple[SceneShapes, list[PairResult]]:
    """The shapes of a check with what was added to each body, and the pairs with rows of these."""
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
