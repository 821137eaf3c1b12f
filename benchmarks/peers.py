# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes as the objects of python-fcl and of Coal, a triangle as a mesh of one, and their questions in loops."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

import collision_kit.core as ck


def rotations(rng: np.random.Generator, count: int) -> np.ndarray:
    """Random rotations, (N, 3, 3)."""
    turn = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    turn[:, :, 0] *= np.linalg.det(turn)[:, None]
    return turn


def upright(start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A rotation that takes +Z to the direction from start to end, and the middle."""
    axis = (end - start) / np.linalg.norm(end - start)
    side = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    side /= np.linalg.norm(side)
    return np.stack([side, np.cross(axis, side), axis], axis=1), (start + end) / 2.0


def solid(library: ModuleType, shapes: Any, row: int) -> tuple[Any, np.ndarray, np.ndarray]:
    """One round shape or box of Coal or FCL with its rotation and place."""
    match shapes:
        case ck.Spheres():
            return library.Sphere(shapes.radius[row]), np.eye(3), shapes.center[row]
        case ck.Capsules() | ck.Cylinders():
            turn, middle = upright(shapes.start[row], shapes.end[row])
            kind = library.Capsule if isinstance(shapes, ck.Capsules) else library.Cylinder
            return kind(shapes.radius[row], float(np.linalg.norm(shapes.end[row] - shapes.start[row]))), turn, middle
        case ck.Cones():
            turn, middle = upright(shapes.base[row], shapes.apex[row])
            return (
                library.Cone(shapes.radius[row], float(np.linalg.norm(shapes.apex[row] - shapes.base[row]))),
                turn,
                middle,
            )
        case ck.Ellipsoids():
            return library.Ellipsoid(*shapes.radii[row]), shapes.rotation[row], shapes.center[row]
        case ck.Boxes():
            return library.Box(*(2.0 * shapes.half_extents[row])), shapes.rotation[row], shapes.center[row]
    return library.Halfspace(shapes.normal[row], shapes.offset[row]), np.eye(3), np.zeros(3)


def fcl_mesh(points: np.ndarray, triangles: np.ndarray) -> Any:
    """A mesh of python-fcl."""
    import fcl

    mesh = fcl.BVHModel()
    mesh.beginModel(len(triangles), len(points))
    mesh.addSubModel(points, triangles)
    mesh.endModel()
    return mesh


def coal_mesh(points: np.ndarray, triangles: np.ndarray) -> Any:
    """A mesh of Coal."""
    import coal

    mesh = coal.BVHModelOBBRSS()
    mesh.beginModel(len(triangles), len(points))
    mesh.addVertices(points)
    mesh.addTriangles(triangles)
    mesh.endModel()
    return mesh


def coal_hull(points: np.ndarray) -> Any:
    """The hull of points, made by Coal's Qhull."""
    import coal

    given = coal.StdVec_Vec3s()
    given.extend(list(points))
    return coal.Convex.convexHull(given, True, "")


_ONE = np.array([[0, 1, 2]])


def fcl_objects(shapes: Any) -> list:
    """Objects of python-fcl with their transforms."""
    import fcl

    if isinstance(shapes, ck.Triangles):
        return [fcl.CollisionObject(fcl_mesh(corners, _ONE), fcl.Transform()) for corners in shapes.vertices]
    made = [solid(fcl, shapes, row) for row in range(len(shapes))]
    return [fcl.CollisionObject(one, fcl.Transform(*pose)) for one, *pose in made]


def coal_objects(shapes: Any) -> list:
    """Geometries of Coal with their transforms; hulls are made anew by Coal."""
    import coal

    if isinstance(shapes, ck.Triangles):
        return [(coal_mesh(corners, _ONE), coal.Transform3s()) for corners in shapes.vertices]
    if isinstance(shapes, ck.Hulls):
        hulls = [coal_hull(hull.points[hull.vertices]) for hull in shapes.geometry]
        rows = zip(shapes.index, shapes.rotation, shapes.translation, strict=True)
        return [(hulls[index], coal.Transform3s(turn, place)) for index, turn, place in rows]
    made = [solid(coal, shapes, row) for row in range(len(shapes))]
    return [(one, coal.Transform3s(*pose)) for one, *pose in made]


def coal_loop(question: str, a: list, b: list, pairs: list) -> Callable[[], list]:
    """`overlap`, `distance` or `contacts` of Coal for each pair."""
    import coal

    if question == "distance":
        measure = coal.DistanceRequest()
        measure.enable_signed_distance = True
        return lambda: [coal.distance(*a[i], *b[j], measure, coal.DistanceResult()) for i, j in pairs]
    request = coal.CollisionRequest()
    request.enable_contact = question == "contacts"
    request.num_max_contacts = 100 if question == "contacts" else 1
    return lambda: [coal.collide(*a[i], *b[j], request, coal.CollisionResult()) > 0 for i, j in pairs]


def fcl_loop(question: str, a: list, b: list, pairs: list) -> Callable[[], list]:
    """`overlap`, `distance` or `contacts` of python-fcl for each pair."""
    import fcl

    if question == "distance":
        measure = fcl.DistanceRequest(enable_nearest_points=True, enable_signed_distance=True)
        return lambda: [fcl.distance(a[i], b[j], measure, fcl.DistanceResult()) for i, j in pairs]
    wanted = question == "contacts"
    request = fcl.CollisionRequest(num_max_contacts=100 if wanted else 1, enable_contact=wanted)
    return lambda: [fcl.collide(a[i], b[j], request, fcl.CollisionResult()) > 0 for i, j in pairs]


def parry_batch(points: np.ndarray, triangles: np.ndarray, a: np.ndarray, b: np.ndarray) -> Callable[[], object]:
    """Whether two poses of one mesh overlap, for all rows of poses (N, 4, 4) in one call of py-parry3d."""
    import py_parry3d

    py_parry3d.set_num_threads(1)
    mesh = py_parry3d.TriMesh(points, triangles.astype(np.uint32))
    world = py_parry3d.CollisionWorld([py_parry3d.CollisionGroup(name, [mesh]) for name in "ab"])
    return lambda: world.check({"a": a, "b": b}, [("a", "b", 0.0)])
