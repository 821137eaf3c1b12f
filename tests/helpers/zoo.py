# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches of every kind for the tests: random shapes, and degenerate ones on a lattice."""

from collections.abc import Callable

import numpy as np

import collision_kit.core as ck
from collision_kit.core.shapes import Shapes
from tests.helpers import mesh_zoo


def rotations(rng: np.random.Generator, count: int) -> np.ndarray:
    """Uniformly distributed random rotations, (N, 3, 3)."""
    w, x, y, z = (lambda q: q / np.linalg.norm(q, axis=0))(rng.normal(size=(4, count)))
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.array(rows).transpose(2, 0, 1)


def quarter_turns(rng: np.random.Generator, count: int) -> np.ndarray:
    """Rotations that map the coordinate axes exactly onto coordinate axes."""
    result = np.zeros((count, 3, 3))
    for matrix in result:
        matrix[rng.permutation(3), np.arange(3)] = rng.choice([-1.0, 1.0], 3)
        if np.linalg.det(matrix) < 0.0:
            matrix[:, 0] *= -1.0
    return result


def assemblies(rng: np.random.Generator, count: int, maker: str) -> ck.Assemblies:
    """Assemblies of one to three spheres, boxes and hulls."""
    kinds = [ck.Kind.SPHERE, ck.Kind.BOX, ck.Kind.HULL]
    bodies = [[MAKERS[maker](kind, rng, 1) for kind in kinds[: rng.integers(1, 4)]] for _ in range(count)]
    return ck.Assemblies(bodies)


def parts(shapes: ck.Assemblies, row: int) -> list[Shapes]:
    """The parts of one assembly, a batch of one row each."""
    numbers = shapes.parts_of(np.array([row]))[1]
    return [shapes.parts.batches[shapes.parts.batch[k]].take(shapes.parts.slot[[k]]) for k in numbers]


def generic(kind: ck.Kind, rng: np.random.Generator, count: int) -> Shapes:
    """Shapes of about unit size; about half of their pairs overlap."""
    place = rng.uniform(-1.0, 1.0, (count, 3))
    match kind:
        case ck.Kind.SPHERE:
            return ck.Spheres(place, rng.uniform(0.1, 1.0, count))
        case ck.Kind.CAPSULE:
            return ck.Capsules(place, place + rng.normal(size=(count, 3)), rng.uniform(0.05, 0.6, count))
        case ck.Kind.CYLINDER:
            return ck.Cylinders(place, place + rng.normal(size=(count, 3)), rng.uniform(0.05, 0.8, count))
        case ck.Kind.ELLIPSOID:
            return ck.Ellipsoids(place, rng.uniform(0.1, 1.0, (count, 3)), rotations(rng, count))
        case ck.Kind.CONE:
            return ck.Cones(place, place + rng.normal(size=(count, 3)), rng.uniform(0.05, 1.0, count))
        case ck.Kind.BOX:
            return ck.Boxes(place, rng.uniform(0.1, 1.0, (count, 3)), rotations(rng, count))
        case ck.Kind.TRIANGLE:
            return ck.Triangles(place[:, None] + rng.normal(size=(count, 3, 3)))
        case ck.Kind.HULL:
            points = [0.6 * rng.normal(size=(rng.integers(4, 24), 3)) for _ in range(count)]
            return ck.Hulls.from_points(points, place, rotations(rng, count))
        case ck.Kind.HALF_SPACE:
            return ck.HalfSpaces(rng.normal(size=(count, 3)), rng.normal(size=count))
        case ck.Kind.PLANE:
            return ck.Planes(rng.normal(size=(count, 3)), rng.normal(size=count))
        case ck.Kind.MESH:
            return mesh_zoo.meshes(rng, count, "generic", place, rotations(rng, count))
        case ck.Kind.COMPOUND:
            return assemblies(rng, count, "generic")


def degenerate(kind: ck.Kind, rng: np.random.Generator, count: int) -> Shapes:
    """Shapes on a small lattice: touching, coplanar, parallel, concentric, flat, contained, or without any extent."""
    place = rng.integers(-2, 3, (count, 3)) / 2.0
    match kind:
        case ck.Kind.SPHERE:
            return ck.Spheres(place, rng.integers(0, 3, count) / 2.0)
        case ck.Kind.CAPSULE:
            return ck.Capsules(place, place + rng.integers(-1, 2, (count, 3)), rng.integers(0, 3, count) / 2.0)
        case ck.Kind.CYLINDER:
            along = rng.integers(-1, 2, (count, 3))
            along[(along == 0).all(axis=1), 2] = 1
            return ck.Cylinders(place, place + along, rng.integers(0, 3, count) / 2.0)
        case ck.Kind.ELLIPSOID:
            return ck.Ellipsoids(place, rng.integers(0, 3, (count, 3)) / 2.0, quarter_turns(rng, count))
        case ck.Kind.CONE:
            along = rng.integers(-1, 2, (count, 3))
            along[(along == 0).all(axis=1), 2] = 1
            return ck.Cones(place, place + along, rng.integers(0, 3, count) / 2.0)
        case ck.Kind.BOX:
            return ck.Boxes(place, rng.integers(0, 3, (count, 3)) / 2.0, quarter_turns(rng, count))
        case ck.Kind.TRIANGLE:
            return ck.Triangles(place[:, None] + rng.integers(-1, 2, (count, 3, 3)))
        case ck.Kind.HULL:
            points = [rng.integers(-1, 2, (rng.integers(1, 12), 3)) for _ in range(count)]
            return ck.Hulls.from_points(points, place, quarter_turns(rng, count))
        case ck.Kind.HALF_SPACE | ck.Kind.PLANE:
            normal = rng.integers(-1, 2, (count, 3)).astype(float)
            normal[(normal == 0.0).all(axis=1), 2] = 1.0
            batch = ck.HalfSpaces if kind == ck.Kind.HALF_SPACE else ck.Planes
            return batch(normal, rng.integers(-2, 3, count) / 2.0)
        case ck.Kind.MESH:
            return mesh_zoo.meshes(rng, count, "degenerate", place, quarter_turns(rng, count))
        case ck.Kind.COMPOUND:
            return assemblies(rng, count, "degenerate")


MAKERS: dict[str, Callable[[ck.Kind, np.random.Generator, int], Shapes]] = {
    "generic": generic,
    "degenerate": degenerate,
}


def placed(shapes: Shapes, rotation: np.ndarray, scale: float, shift: np.ndarray) -> Shapes:
    """The batch rotated by (3, 3), scaled, and translated by one vector (3,) or one for each row (N, 3)."""

    def point(x: np.ndarray) -> np.ndarray:
        return scale * (x @ rotation.T) + shift

    match shapes:
        case ck.Spheres():
            return ck.Spheres(point(shapes.center), scale * shapes.radius)
        case ck.Capsules():
            return ck.Capsules(point(shapes.start), point(shapes.end), scale * shapes.radius)
        case ck.Cylinders():
            return ck.Cylinders(point(shapes.start), point(shapes.end), scale * shapes.radius)
        case ck.Ellipsoids():
            return ck.Ellipsoids(point(shapes.center), scale * shapes.radii, rotation @ shapes.rotation)
        case ck.Cones():
            return ck.Cones(point(shapes.base), point(shapes.apex), scale * shapes.radius)
        case ck.Triangles():
            corner = scale * (shapes.vertices @ rotation.T)
            return ck.Triangles(corner + (shift if np.ndim(shift) == 1 else shift[:, None]))
        case ck.Boxes():
            return ck.Boxes(point(shapes.center), scale * shapes.half_extents, rotation @ shapes.rotation)
        case ck.Hulls():
            same = scale == 1.0
            geometry = shapes.geometry if same else ck.convex_hulls([scale * hull.points for hull in shapes.geometry])
            return ck.Hulls(geometry, shapes.index, point(shapes.translation), rotation @ shapes.rotation)
        case ck.Meshes():
            geometry = shapes.geometry if scale == 1.0 else mesh_zoo.scaled(shapes, scale)
            turned = rotation @ shapes.rotation
            return ck.Meshes(geometry, shapes.index, point(shapes.translation), turned, shapes.solid)
        case ck.HalfSpaces() | ck.Planes():
            normal = shapes.normal @ rotation.T
            return type(shapes)(normal, scale * shapes.offset + (normal * shift).sum(axis=1))
        case ck.Assemblies():
            shifts = np.broadcast_to(shift, (len(shapes), 3))
            return ck.Assemblies(
                [
                    [placed(part, rotation, scale, shifts[row]) for part in parts(shapes, row)]
                    for row in range(len(shapes))
                ]
            )


def moved(shapes: Shapes, shift: np.ndarray) -> Shapes:
    """The batch with each row translated by its own vector (N, 3)."""
    return placed(shapes, np.eye(3), 1.0, shift)


def cores(shapes: Shapes) -> tuple[list[np.ndarray], np.ndarray]:
    """World vertices of each shape's core, and its radius, computed independently of the code under test."""
    match shapes:
        case ck.Spheres():
            return [center[None] for center in shapes.center], shapes.radius
        case ck.Capsules():
            return [np.stack(ends) for ends in zip(shapes.start, shapes.end, strict=True)], shapes.radius
        case ck.Boxes():
            signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
            rows = zip(shapes.center, shapes.half_extents, shapes.rotation, strict=True)
            return [center + (signs * half) @ turn.T for center, half, turn in rows], np.zeros(len(shapes))
        case ck.Hulls():
            rows = zip(shapes.index, shapes.translation, shapes.rotation, strict=True)
            points = [shapes.geometry[index].points @ turn.T + shift for index, shift, turn in rows]
            return points, np.zeros(len(shapes))
        case ck.Triangles():
            return list(shapes.vertices), np.zeros(len(shapes))
        case ck.Meshes():
            return [mesh_zoo.world(shapes, row).reshape(-1, 3) for row in range(len(shapes))], np.zeros(len(shapes))
    raise TypeError(shapes)


def support(shapes: Shapes, direction: np.ndarray) -> np.ndarray:
    """The extent of each shape along its direction (N, 3): (N,); for unbounded shapes only along their normal."""
    if isinstance(shapes, ck.HalfSpaces | ck.Planes):
        along = np.einsum("ni,ni->n", shapes.normal, direction)
        back = np.where(along < -1.0 + 1e-12, -shapes.offset, np.inf) if isinstance(shapes, ck.Planes) else np.inf
        return np.where(along > 1.0 - 1e-12, shapes.offset, back)
    if isinstance(shapes, ck.Cylinders):
        axis = shapes.end - shapes.start
        axis = axis / np.linalg.norm(axis, axis=1, keepdims=True)
        ends = np.einsum("kni,ni->kn", np.stack([shapes.start, shapes.end]), direction).max(axis=0)
        across = np.linalg.norm(np.cross(axis, direction), axis=1)
        return ends + shapes.radius * across
    if isinstance(shapes, ck.Ellipsoids):
        local = np.einsum("nij,ni->nj", shapes.rotation, direction)
        return np.einsum("ni,ni->n", shapes.center, direction) + np.linalg.norm(shapes.radii * local, axis=1)
    if isinstance(shapes, ck.Cones):
        axis = shapes.apex - shapes.base
        axis = axis / np.linalg.norm(axis, axis=1, keepdims=True)
        across = np.linalg.norm(np.cross(axis, direction), axis=1)
        low, high = (np.einsum("ni,ni->n", end, direction) for end in (shapes.base, shapes.apex))
        return np.maximum(low + shapes.radius * across, high)
    if isinstance(shapes, ck.Assemblies):
        each = [(parts(shapes, row), direction[[row]]) for row in range(len(shapes))]
        return np.array([max(support(part, along)[0] for part in body) for body, along in each])
    points, radius = cores(shapes)
    return np.array([(p @ d).max() for p, d in zip(points, direction, strict=True)]) + radius


def extremes(shapes: Shapes, row: int, directions: np.ndarray) -> np.ndarray:
    """Points (K, 3) of one bounded shape that are farthest along unit directions (K, 3)."""
    if isinstance(shapes, ck.Cylinders):
        start, end, radius = shapes.start[row], shapes.end[row], shapes.radius[row]
        axis = (end - start) / np.linalg.norm(end - start)
        # Computed by cross products, because close to the axis a difference would leave a component along it.
        aside = np.cross(np.cross(axis, directions), axis)
        size = np.linalg.norm(aside, axis=1, keepdims=True)
        aside = np.where(size > 1e-12, aside / np.where(size > 1e-12, size, 1.0), 0.0)
        return np.where((directions @ axis)[:, None] > 0.0, end, start) + radius * aside
    if isinstance(shapes, ck.Ellipsoids):
        turn, radii = shapes.rotation[row], shapes.radii[row]
        scaled = (directions @ turn) * radii
        size = np.linalg.norm(scaled, axis=1, keepdims=True)
        unit = np.where(size > 0.0, scaled / np.where(size > 0.0, size, 1.0), 0.0)
        return shapes.center[row] + (unit * radii) @ turn.T
    if isinstance(shapes, ck.Cones):
        base, apex, radius = shapes.base[row], shapes.apex[row], shapes.radius[row]
        axis = (apex - base) / np.linalg.norm(apex - base)
        aside = np.cross(np.cross(axis, directions), axis)
        size = np.linalg.norm(aside, axis=1, keepdims=True)
        rim = base + radius * np.where(size > 1e-12, aside / np.where(size > 1e-12, size, 1.0), 0.0)
        higher = directions @ apex > np.einsum("ki,ki->k", directions, rim)
        return np.where(higher[:, None], apex, rim)
    points, radius = cores(shapes.take(np.array([row])))
    return points[0][np.argmax(points[0] @ directions.T, axis=0)] + radius[0] * directions
