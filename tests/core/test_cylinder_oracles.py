# SPDX-License-Identifier: GPL-3.0-or-later
"""Cylinders against Coal and FCL, many thousand pairs of each kind.

Both iterate on support functions of cylinders and stop at about 1e-6, now and then earlier. So each disagreement is
judged by the certificate: no direction of theirs may have a larger gap than our answer, and ours has its witnesses.
"""

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers import zoo

pytestmark = pytest.mark.slow
COUNT = 10_000
ROUND_AND_BOX = [ck.Kind.SPHERE, ck.Kind.CAPSULE, ck.Kind.CYLINDER, ck.Kind.BOX]


def upright(start, end):
    """A rotation that takes +Z to the direction from start to end, and the middle."""
    axis = (end - start) / np.linalg.norm(end - start)
    side = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    side /= np.linalg.norm(side)
    return np.stack([side, np.cross(axis, side), axis], axis=1), (start + end) / 2.0


def placed(library, shapes, row):
    """One shape of Coal or FCL with its rotation and place."""
    still = np.eye(3)
    match shapes:
        case ck.Spheres():
            return library.Sphere(shapes.radius[row]), still, shapes.center[row]
        case ck.Capsules() | ck.Cylinders():
            turn, middle = upright(shapes.start[row], shapes.end[row])
            kind = library.Capsule if isinstance(shapes, ck.Capsules) else library.Cylinder
            return kind(shapes.radius[row], np.linalg.norm(shapes.end[row] - shapes.start[row])), turn, middle
        case ck.Boxes():
            return library.Box(*(2.0 * shapes.half_extents[row])), shapes.rotation[row], shapes.center[row]
        case ck.Triangles():
            return library.TriangleP(*shapes.vertices[row]), still, np.zeros(3)
        case ck.Hulls():
            points = library.StdVec_Vec3s()
            points.extend(list(shapes.geometry[shapes.index[row]].points))
            return library.Convex.convexHull(points, True, ""), shapes.rotation[row], shapes.translation[row]


def pairs(kind):
    rng = np.random.default_rng([11, kind])
    a, b = zoo.generic(ck.Kind.CYLINDER, rng, COUNT), zoo.generic(kind, rng, COUNT)
    found = ck.distance(a, b)
    gap = -zoo.support(b, -found.normal) - zoo.support(a, found.normal)
    np.testing.assert_allclose(gap, found.distance, atol=1e-12)
    return a, b, found


@pytest.mark.parametrize("kind", [*ROUND_AND_BOX, ck.Kind.HULL], ids=lambda kind: kind.name.lower())
def test_coal_has_no_better_direction_and_agrees_on_nearly_all(kind):
    coal = pytest.importorskip("coal")
    a, b, found = pairs(kind)
    distance, normal = np.empty(COUNT), np.empty((COUNT, 3))
    request = coal.DistanceRequest()
    for row in range(COUNT):
        (shape_a, *frame_a), (shape_b, *frame_b) = placed(coal, a, row), placed(coal, b, row)
        result = coal.DistanceResult()
        distance[row] = coal.distance(
            shape_a, coal.Transform3s(*frame_a), shape_b, coal.Transform3s(*frame_b), request, result
        )
        normal[row] = np.asarray(result.normal).reshape(3)
    judge(a, b, found, distance, normal)


def judge(a, b, found, distance, normal):
    """Ours is the largest gap of all directions, theirs included; and most of their answers are ours."""
    usable = np.isfinite(normal).all(axis=1) & (np.abs(np.linalg.norm(normal, axis=1) - 1.0) < 1e-6)
    assert usable.mean() > 0.99
    a, b, normal = a.take(np.flatnonzero(usable)), b.take(np.flatnonzero(usable)), normal[usable]
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    theirs = -zoo.support(b, -normal) - zoo.support(a, normal)
    assert (theirs <= found.distance[usable] + 1e-12).all()
    # Of a ball whose center is deep inside, Coal's closed form leaves through the side though a cap be nearer.
    assert (np.abs(distance - found.distance) < 1e-4).mean() > 0.98


@pytest.mark.parametrize("kind", ROUND_AND_BOX, ids=lambda kind: kind.name.lower())
def test_fcl_agrees_on_nearly_all_pairs_that_are_apart(kind):
    fcl = pytest.importorskip("fcl")
    a, b, found = pairs(kind)
    apart = np.flatnonzero(found.distance > 1e-3)
    distance = np.empty(len(apart))
    for at, row in enumerate(apart):
        (shape_a, *frame_a), (shape_b, *frame_b) = placed(fcl, a, row), placed(fcl, b, row)
        objects = (
            fcl.CollisionObject(shape_a, fcl.Transform(*frame_a)),
            fcl.CollisionObject(shape_b, fcl.Transform(*frame_b)),
        )
        distance[at] = fcl.distance(*objects, fcl.DistanceRequest(), fcl.DistanceResult())
    # Its witnesses bound the distance from above: it is never nearer than ours, but for its tolerance.
    assert (distance > found.distance[apart] - 1e-5).mean() > 0.999
    assert (np.abs(distance - found.distance[apart]) < 1e-4).mean() > 0.99
