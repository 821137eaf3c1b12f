# SPDX-License-Identifier: GPL-3.0-or-later
"""Hulls against round and flat-faced shapes, and flat-faced shapes over surfaces, against Coal and python-fcl.

Known of the two, and seen here: python-fcl crashes on half-spaces, has no triangles but meshes of one, and may not
return from a signed distance: it is asked for yes or no. Coal has no distance from a lone triangle: its depth is that
of the contact, and of pairs that are apart it is asked for yes or no. Whoever disagrees, ours carries its proof.
"""

import numpy as np
import pytest

import collision_kit.core as ck
from benchmarks.peers import fcl_objects
from tests.helpers import zoo
from tests.helpers.peer_agreement import PEER, name, poses, prove, solids

pytestmark = pytest.mark.slow
COUNT = 10_000
# A few shapes of each hull, because peers take long to make them.
GEOMETRIES = 100
SPHERE, CAPSULE, BOX, TRIANGLE, HULL = ck.Kind.SPHERE, ck.Kind.CAPSULE, ck.Kind.BOX, ck.Kind.TRIANGLE, ck.Kind.HULL
WITH_HULLS = [(SPHERE, HULL), (CAPSULE, HULL), (BOX, HULL), (TRIANGLE, HULL)]
SURFACES = [(kind, surface) for surface in (ck.Kind.HALF_SPACE, ck.Kind.PLANE) for kind in (TRIANGLE, HULL)]


def batches(kinds):
    rng = np.random.default_rng([31, *kinds])
    return tuple(hulls(rng) if kind == HULL else zoo.generic(kind, rng, COUNT) for kind in kinds)


def hulls(rng):
    points = [0.6 * rng.normal(size=(rng.integers(4, 24), 3)) for _ in range(GEOMETRIES)]
    place = rng.uniform(-1.0, 1.0, (COUNT, 3))
    return ck.Hulls(ck.convex_hulls(points), rng.integers(0, GEOMETRIES, COUNT), place, zoo.rotations(rng, COUNT))


def coal_hull(coal, hull):
    points = coal.StdVec_Vec3s()
    points.extend(list(hull.points))
    return coal.Convex.convexHull(points, True, "")


def fcl_hull(fcl, hull):
    return fcl.Convex(hull.points, len(hull.faces), np.concatenate([np.append(len(face), face) for face in hull.faces]))


def placed(shapes, library, make_hull, pose):
    """The library's shape of each row and its pose."""
    if isinstance(shapes, ck.Hulls):
        made = [make_hull(library, hull) for hull in shapes.geometry]
        rows = zip(shapes.index, shapes.rotation, shapes.translation, strict=True)
        return [(made[index], pose(turn, place)) for index, turn, place in rows]
    return [(solid, pose(*at)) for solid, at in zip(solids(shapes, library), poses(shapes), strict=True)]


def check_verdicts(a, b, theirs):
    """Return where verdicts differ by more than the peers' tolerance ours are proved, and there are few."""
    found = ck.distance(a, b)
    np.testing.assert_array_equal(ck.overlap(a, b), found.distance <= found.rounding)
    differ = np.flatnonzero((theirs != (found.distance <= found.rounding)) & (np.abs(found.distance) > PEER))
    prove(a, b, np.union1d(differ, np.arange(0, len(a), 100)))
    assert len(differ) <= len(a) // 200, len(differ)


@pytest.mark.parametrize("kinds", [*WITH_HULLS, *SURFACES], ids=name)
def test_coal(kinds):
    coal = pytest.importorskip("coal")
    a, b = batches(kinds)
    request, measure = coal.CollisionRequest(), coal.DistanceRequest()
    request.enable_contact = True
    hit, signed = np.empty(COUNT, dtype=bool), np.full(COUNT, np.nan)
    objects = (placed(shapes, coal, coal_hull, coal.Transform3s) for shapes in (a, b))
    for row, (one, other) in enumerate(zip(*objects, strict=True)):
        result = coal.CollisionResult()
        hit[row] = coal.collide(*one, *other, request, result) > 0
        if TRIANGLE not in kinds:
            signed[row] = coal.distance(*one, *other, measure, coal.DistanceResult())
        elif hit[row]:
            signed[row] = result.getContact(0).penetration_depth
    check_verdicts(a, b, hit)
    asked = np.isfinite(signed)
    differ = np.flatnonzero(asked & ~(np.abs(ck.distance(a, b).distance - signed) <= PEER))
    prove(a, b, differ)
    assert len(differ) <= COUNT // 100, len(differ)
    assert asked.sum() > COUNT // 10


@pytest.mark.parametrize("kinds", WITH_HULLS, ids=name)
def test_fcl(kinds):
    fcl = pytest.importorskip("fcl")
    a, b = batches(kinds)
    request = fcl.CollisionRequest()
    objects = [
        fcl_objects(shapes)
        if isinstance(shapes, ck.Triangles)
        else [fcl.CollisionObject(*one) for one in placed(shapes, fcl, fcl_hull, fcl.Transform)]
        for shapes in (a, b)
    ]
    hit = [fcl.collide(one, other, request, fcl.CollisionResult()) > 0 for one, other in zip(*objects, strict=True)]
    check_verdicts(a, b, np.array(hit))
