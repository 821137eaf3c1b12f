# SPDX-License-Identifier: GPL-3.0-or-later
"""Cylinders, cones and ellipsoids of usual size, as coins and as needles: points and normal prove the same distance."""

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers import zoo
from tests.hunt.pair_oracles import Body

ROUND = [ck.Kind.CYLINDER, ck.Kind.CONE, ck.Kind.ELLIPSOID]
OTHERS = [*ROUND, ck.Kind.CAPSULE, ck.Kind.BOX, ck.Kind.TRIANGLE, ck.Kind.HULL]
PAIRS = [(kind, other) for at, kind in enumerate(ROUND) for other in OTHERS[at:]]
ACCURATE = {ck.Kind.CYLINDER, ck.Kind.CAPSULE, ck.Kind.BOX, ck.Kind.TRIANGLE, ck.Kind.HULL}
COUNT = 150
# Multiples of the rounding of a pair.
EXACT = 4.0


def usual(kind, rng):
    return zoo.generic(kind, rng, COUNT)


def thin(kind, rng, width, height):
    """Shapes with these lengths across their axis and along it."""
    place, turn = rng.uniform(-1.0, 1.0, (COUNT, 3)), zoo.rotations(rng, COUNT)
    along = height[:, None] * turn[:, :, 2]
    match kind:
        case ck.Kind.CYLINDER:
            return ck.Cylinders(place, place + along, width)
        case ck.Kind.CONE:
            return ck.Cones(place, place + along, width)
        case _:
            return ck.Ellipsoids(place, np.stack([width, width, height], axis=1), turn)


def coins(kind, rng):
    return thin(kind, rng, rng.uniform(0.1, 1.0, COUNT), 10.0 ** rng.uniform(-6.0, -2.0, COUNT))


def needles(kind, rng):
    return thin(kind, rng, 10.0 ** rng.uniform(-6.0, -2.0, COUNT), rng.uniform(0.5, 2.0, COUNT))


def off(a, b, found):
    """Return how far the witnesses are off the shapes, and the gap along the normal off the distance, in roundings."""
    origin = b.bounding_spheres()[0]
    bodies = [Body(shapes, origin, np.longdouble) for shapes in (a, b)]
    normal = found.normal.astype(np.longdouble)
    gap = -bodies[1].height(-normal) - bodies[0].height(normal)
    points = [point.astype(np.longdouble) - origin for point in (found.point_a, found.point_b)]
    apart = points[1] - points[0] - found.distance[:, None] * normal
    errors = [body.off(point) for body, point in zip(bodies, points, strict=True)]
    return np.max([*errors, np.abs(gap - found.distance), np.linalg.norm(apart, axis=1)], axis=0) / found.rounding


@pytest.mark.parametrize("kinds", PAIRS, ids=lambda kinds: f"{kinds[0].name}-{kinds[1].name}".lower())
@pytest.mark.parametrize("maker", [usual, coins, needles], ids=lambda maker: maker.__name__)
def test_points_and_normal_prove_the_distance_to_rounding(kinds, maker):
    rng = np.random.default_rng([1, *kinds])
    a, b = maker(kinds[0], rng), usual(kinds[1], rng)
    found, swapped = ck.distance(a, b), ck.distance(b, a)
    assert maker is needles or ((found.distance > 0.0).sum() > 10 and (found.distance < 0.0).sum() > 10)
    wrong = (off(a, b, found) > EXACT) | (np.abs(found.distance - swapped.distance) > EXACT * found.rounding)
    assert not wrong[found.distance > 0.0].any()
    # A few depths are less accurate: of cones, and of ellipsoids whose separating translations are nearly equally long
    # in all directions.
    if ck.Kind.CYLINDER in kinds or maker is usual:
        assert wrong.mean() <= (0.0 if set(kinds) <= ACCURATE else 0.03)
