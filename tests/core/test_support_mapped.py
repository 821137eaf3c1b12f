# SPDX-License-Identifier: GPL-3.0-or-later
"""Ellipsoids and cones against every bounded convex kind: answers known beforehand, and answers found another way.

Pairs are drawn so that their gap is known: two support planes are put at a distance, along any direction. Beside that,
an ellipsoid is a ball in other coordinates, and a cone one in a half-space is three numbers.
"""

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

import collision_kit.core as ck
from tests.helpers import zoo
from tests.helpers.offline import by_turns, slow

MAPPED = (ck.Kind.ELLIPSOID, ck.Kind.CONE)
BOUNDED = tuple(kind for kind in ck.Kind if kind < ck.Kind.HALF_SPACE)
# Dimensionless: fractions of the size of a pair. What docs/conventions.md promises of distances, depths and points.
DISTANCE, DEPTH, POINT = 1e-12, 1e-8, 1e-7
EVERY_PAIR = [
    pytest.param(first, second, id=f"{first.name}-{second.name}".lower()) for first in MAPPED for second in BOUNDED
]


def needles_and_plates(kind, rng, count):
    """One extent up to ten thousand times another."""
    place, extent = rng.uniform(-1.0, 1.0, (count, 3)), 10.0 ** rng.uniform(-4.0, 0.0, (count, 3))
    if kind == ck.Kind.ELLIPSOID:
        return ck.Ellipsoids(place, extent, zoo.rotations(rng, count))
    axis = zoo.rotations(rng, count)[:, 0] * extent[:, :1]
    return ck.Cones(place, place + axis, extent[:, 1])


def nearly_aligned(kind, rng, count):
    """Turned by about 1e-9 from the axes of the world, so that faces and sides are all but parallel."""
    place, extent = rng.uniform(-1.0, 1.0, (count, 3)), rng.integers(1, 4, (count, 3)) / 2.0
    tilt = np.eye(3) + 1e-9 * rng.normal(size=(count, 3, 3))
    left, _, right = np.linalg.svd(tilt)
    turn = left @ right @ zoo.quarter_turns(rng, count)
    if kind == ck.Kind.ELLIPSOID:
        return ck.Ellipsoids(place, extent, turn)
    return ck.Cones(place, place + turn[:, :, 0] * extent[:, :1], extent[:, 1])


DRAWN = {"generic": zoo.generic, "needles and plates": needles_and_plates, "nearly aligned": nearly_aligned}


CELLS = [pytest.param(*pair.values, maker, id=f"{pair.id}-{maker}") for pair in EVERY_PAIR for maker in DRAWN]
every_draw = pytest.mark.parametrize(("first", "second", "maker"), by_turns(CELLS, len(DRAWN), 0))


def drawn(kinds, maker, seed, count):
    rng = np.random.default_rng([seed, *kinds])
    make = DRAWN[maker]
    return rng, make(kinds[0], rng, count), (make if kinds[1] in MAPPED else zoo.generic)(kinds[1], rng, count)


def apart_by(rng, a, b, gap):
    """B moved so that a plane with A behind it and one with B before it are `gap` apart, each touching its shape."""
    normal = zoo.rotations(rng, len(a))[:, 0]
    return zoo.moved(b, ck.support(a, normal) - ck.support(b, -normal) + gap[:, None] * normal), normal


def size_of(a, b):
    return a.bounding_spheres()[1] + b.bounding_spheres()[1]


@pytest.mark.parametrize("count", [80, *slow(300)])
@every_draw
def test_a_distance_that_is_known_is_found(first, second, maker, count):
    rng, a, b = drawn((first, second), maker, 1, count)
    size = size_of(a, b)
    gap = size * 10.0 ** rng.uniform(-12.0, 0.0, count)
    b, _ = apart_by(rng, a, b, gap)
    found = ck.distance(a, b)
    assert (np.abs(found.distance - gap) <= DISTANCE * size).all()
    assert (zoo.support(a, found.normal) + zoo.support(b, -found.normal) <= -gap + DISTANCE * size).all()
    assert not ck.overlap(a, b)[gap > 2.0 * DISTANCE * size].any()
    for shapes, point, way in ((a, found.point_a, 1.0), (b, found.point_b, -1.0)):
        level = np.einsum("ni,ni->n", point, way * found.normal)
        assert (np.abs(level - zoo.support(shapes, way * found.normal)) <= POINT * size).all()


@pytest.mark.parametrize("count", [15, *slow(150)])
@every_draw
def test_the_depth_frees_and_is_at_most_one_that_is_known(first, second, maker, count):
    rng, a, b = drawn((first, second), maker, 2, count)
    size = size_of(a, b)
    known = size * 10.0 ** rng.uniform(-11.0, -1.0, count)
    b, _ = apart_by(rng, a, b, -known)
    found = ck.distance(a, b)
    meet = found.distance < 0.0
    depth = -found.distance
    # The translation parts the two, so the depth is at least the true one; and the one known does, too.
    overlap = zoo.support(a, found.normal) + zoo.support(b, -found.normal)
    assert (np.abs(overlap - depth) <= DISTANCE * size)[meet].all()
    assert (depth <= known + DEPTH * size).all()
    # What is thin may be passed altogether.
    np.testing.assert_array_equal(ck.overlap(a, b), found.distance <= found.rounding)
    assert (found.distance < 0.0).mean() > 0.35


@pytest.mark.parametrize("count", [20, *slow(200)])
@pytest.mark.parametrize(("first", "second"), by_turns(EVERY_PAIR, 2, 0))
def test_no_direction_of_many_has_less_overlap_than_the_depth(first, second, count):
    rng, a, b = drawn((first, second), "generic", 3, count)
    found = ck.distance(a, b)
    meet = np.flatnonzero(found.distance < 0.0)
    assert len(meet) >= count // 5
    many = 4000
    directions = rng.normal(size=(many, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    for row in meet[: count // 5]:
        reach = zoo.extremes(a, row, directions) - zoo.extremes(b, row, -directions)
        least = np.einsum("ki,ki->k", reach, directions).min()
        assert -found.distance[row] <= least + DEPTH * size_of(a, b)[row]


@pytest.mark.parametrize(("scale", "shift"), [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e6)])
@pytest.mark.parametrize(("first", "second"), EVERY_PAIR)
def test_scale_and_place_change_a_known_distance_by_rounding(first, second, scale, shift):
    rng, a, b = drawn((first, second), "generic", 4, 100)
    gap = rng.uniform(0.01, 1.0, 100)
    b, _ = apart_by(rng, a, b, gap)
    move = shift * np.array([0.6, -0.7, 0.4])
    found = ck.distance(zoo.placed(a, np.eye(3), scale, move), zoo.placed(b, np.eye(3), scale, move))
    assert (np.abs(found.distance - scale * gap) <= scale * size_of(a, b) * DISTANCE + 1e-15 * shift * 20.0).all()


def distance_to_ellipsoid(radii, point):
    """How far a point is outside an ellipsoid with its axes along those of the world, by the root of one equation."""
    if (point / radii) @ (point / radii) <= 1.0:
        return 0.0

    def excess(t):
        return ((radii * point / (t + radii**2)) ** 2).sum() - 1.0

    t = brentq(excess, 0.0, radii.max() * np.linalg.norm(point), xtol=1e-15, rtol=1e-14, maxiter=500)
    nearest = radii**2 * point / (t + radii**2)
    return np.linalg.norm(point - nearest)


def test_balls_are_as_far_from_ellipsoids_as_the_equation_of_the_nearest_point_says():
    rng = np.random.default_rng(5)
    a = zoo.generic(ck.Kind.ELLIPSOID, rng, 400)
    b = ck.Spheres(a.center + rng.normal(size=(400, 3)) * 2.0, rng.uniform(0.0, 0.5, 400))
    found = ck.distance(a, b)
    local = np.einsum("nij,ni->nj", a.rotation, b.center - a.center)
    outside = np.array([distance_to_ellipsoid(radii, point) for radii, point in zip(a.radii, local, strict=True)])
    far = outside > 0.0
    assert 300 < far.sum() < 400
    np.testing.assert_allclose(found.distance[far], (outside - b.radius)[far], atol=1e-12)


def test_cones_stand_over_half_spaces_as_high_as_their_apex_or_their_rim():
    rng = np.random.default_rng(6)
    a, b = zoo.generic(ck.Kind.CONE, rng, 500), zoo.generic(ck.Kind.HALF_SPACE, rng, 500)
    axis = (a.apex - a.base) / np.linalg.norm(a.apex - a.base, axis=1, keepdims=True)
    sine = np.linalg.norm(np.cross(axis, b.normal), axis=1)
    low = np.minimum(np.einsum("ni,ni->n", a.base, b.normal) - a.radius * sine, np.einsum("ni,ni->n", a.apex, b.normal))
    np.testing.assert_allclose(ck.distance(a, b).distance, low - b.offset, atol=1e-13)


@pytest.mark.parametrize("kind", MAPPED)
def test_contacts_with_a_half_space_lie_midway_between_its_surface_and_that_of_the_shape(kind):
    """Along any direction, and for cones on their bases and sides, tilted by up to two degrees."""
    rng = np.random.default_rng(7)
    count = 400
    a, noise = zoo.generic(kind, rng, count), 0.02 * rng.normal(size=(count, 3))
    normal = zoo.rotations(rng, count)[:, 0]
    if kind == ck.Kind.CONE:
        along = a.apex - a.base
        square = np.einsum("ni,ni->n", along, along)
        length = np.sqrt(square)[:, None]
        axis = along / length
        aside = np.cross(axis, normal)
        aside /= np.linalg.norm(aside, axis=1, keepdims=True)
        side = length * aside + a.radius[:, None] * axis
        normal[::3] = (axis + noise)[::3]
        normal[1::3] = (noise - side / np.linalg.norm(side, axis=1, keepdims=True))[1::3]
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    height = rng.uniform(-0.3, 0.3, count)
    b = ck.HalfSpaces(normal, -zoo.support(a, -normal) - height)
    touch = ck.contacts(a, b, margin=0.3)
    np.testing.assert_array_equal(touch.pair[np.diff(touch.pair, prepend=-1) > 0], np.arange(count))
    np.testing.assert_allclose(touch.normal, -normal[touch.pair], atol=1e-12)
    np.testing.assert_allclose(touch.depth[np.diff(touch.pair, prepend=-1) > 0], -height, atol=1e-12)
    one, other = (touch.point + way * touch.depth[:, None] * touch.normal / 2.0 for way in (1.0, -1.0))
    np.testing.assert_allclose(np.einsum("ci,ci->c", other, normal[touch.pair]), b.offset[touch.pair], atol=1e-12)
    # How far outside the surface of the shape.
    if kind == ck.Kind.ELLIPSOID:
        ball = np.einsum("cji,cj->ci", a.rotation[touch.pair], one - a.center[touch.pair]) / a.radii[touch.pair]
        outside = np.linalg.norm(ball, axis=1) - 1.0
    else:
        share = np.einsum("ci,ci->c", one - a.base[touch.pair], along[touch.pair]) / square[touch.pair]
        rim = np.linalg.norm(one - a.base[touch.pair] - share[:, None] * along[touch.pair], axis=1)
        outside = np.where(np.abs(share) <= 1e-9, 0.0, rim / a.radius[touch.pair] + share - 1.0)
        # On the base, a side and a point of each: four contacts, two and one.
        assert {1, 2, 4} <= {*np.bincount(touch.pair).tolist()}
    np.testing.assert_allclose(outside, 0.0, atol=1e-9)


@pytest.mark.parametrize("count", [4, *slow(200)])
def test_an_ellipsoid_with_equal_radii_is_a_ball_and_a_ball_is_one(count):
    rng = np.random.default_rng(7)
    balls = zoo.generic(ck.Kind.SPHERE, rng, count)
    same = ck.Ellipsoids(balls.center, np.repeat(balls.radius[:, None], 3, axis=1), zoo.rotations(rng, count))
    for kind in BOUNDED:
        other = zoo.generic(kind, np.random.default_rng([8, kind]), count)
        one, two = ck.distance(balls, other), ck.distance(same, other)
        np.testing.assert_allclose(one.distance, two.distance, atol=1e-9)


def test_a_core_that_ends_in_the_middle_of_a_cones_base_has_a_normal():
    # Both support points along the cone's axis are the same point, which is the whole of A - B that is known then.
    middle = [-98.69585937805593, -122.69334983817986, 87.309685468548]
    capsule = ck.Capsules([middle], [[63.45380418985035, 1.4544821866968223, 30.583075676187182]], [128.87273584343222])
    cone = ck.Cones([middle], [[-323.0652935344751, 186.9678869232947, 123.66551727699888]], [42.61074817475141])
    found = ck.distance(capsule, cone)
    np.testing.assert_allclose(np.linalg.norm(found.normal, axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(found.distance, -capsule.radius, rtol=1e-8)
    np.testing.assert_allclose(found.point_b - found.point_a, found.distance[:, None] * found.normal, atol=1e-10)


def test_a_thin_cone_keeps_its_axis_wherever_it_is_seen_from():
    start, end = [-0.0024504474645726613, -0.028392948961762424, -0.007294835248354734], [0.007, -0.0127, -0.0254]
    base = np.array([[-0.002391615971439103, -0.01821573606552784, -0.002714712719959726]])
    apex = np.array([[-0.0023916005328890387, -0.01821571127121648, -0.0027147412999127944]])
    capsule, cone = ck.Capsules([start], [end], [0.005206548467531342]), ck.Cones(base, apex, [0.023403045085415745])
    found = ck.distance(capsule, cone)
    away, axis = -found.normal, (apex - base) / np.linalg.norm(apex - base)
    rim = cone.radius * np.linalg.norm(np.cross(axis, away), axis=1)
    reach = np.maximum((base * away).sum(axis=1) + rim, (apex * away).sum(axis=1))
    ends = np.array([[start], [end]])
    gap = -reach - (ends @ found.normal[0]).max() - capsule.radius
    np.testing.assert_allclose(gap, found.distance, rtol=0.0, atol=4.0 * found.rounding[0])


def test_the_separating_translation_of_a_segment_along_a_cones_axis_is_the_shortest_around_it():
    """All separating translations around the axis are nearly equally short, and all others are longer at once."""
    rng = np.random.default_rng(31)
    count = 24
    cones = zoo.generic(ck.Kind.CONE, rng, count)
    axis = cones.apex - cones.base
    aside = cones.radius[:, None, None] * 10.0 ** rng.uniform(-7.0, -3.0, (count, 1, 1))
    # From within the cone to beyond its base.
    ends = cones.base[:, None] + rng.uniform([[0.1], [-3.0]], [[0.6], [-0.1]], (count, 2, 1)) * axis[:, None]
    ends += aside * rng.normal(size=(count, 2, 3))
    segments = ck.Triangles(np.concatenate([ends, ends.mean(axis=1, keepdims=True)], axis=1))
    found = ck.distance(cones, segments)
    for row in range(count):
        one, (start, end) = cones.take([row]), ends[row]
        along = (end - start) / np.linalg.norm(end - start)
        side = np.linalg.svd(along[None])[2][1:]

        def overlap(angle, one=one, start=start, side=side):
            normal = np.multiply.outer(np.cos(angle), side[0]) + np.multiply.outer(np.sin(angle), side[1])
            rows = normal.reshape(-1, 3)
            farthest = ck.support(one.take([0] * len(rows)), rows)
            return ((farthest - start) * rows).sum(axis=1).reshape(np.shape(angle))

        angles = np.linspace(0.0, 2.0 * np.pi, 721)
        near = angles[np.argmin(overlap(angles))]
        least = minimize_scalar(overlap, (near - 0.01, near, near + 0.01), tol=1e-12).fun
        size = size_of(one, segments.take([row]))[0]
        assert -found.distance[row] <= least + DEPTH * size
        place = found.point_b[row] - start
        assert np.linalg.norm(place - (place @ along) * along) <= POINT * size


def test_depths_of_nearly_coaxial_cones_are_the_least_and_the_same_when_swapped():
    rng = np.random.default_rng(3)
    tilt = 10.0 ** rng.uniform(-3, -1, 12)
    axis = np.stack([np.sin(tilt), np.zeros(12), np.cos(tilt)], axis=1)
    base = rng.normal(size=(12, 3)) * tilt[:, None] + [0.0, 0.0, 0.1]
    a = ck.Cones(np.zeros((12, 3)), np.tile([0.0, 0.0, 2.0], (12, 1)), rng.uniform(0.4, 1.0, 12))
    b = ck.Cones(base, base + axis * rng.uniform(1.0, 2.0, (12, 1)), rng.uniform(0.4, 1.0, 12))
    found = ck.distance(a, b)
    assert (found.distance < -0.1).all()
    np.testing.assert_allclose(ck.distance(b, a).distance, found.distance, rtol=0.0, atol=1e-9)
    # Around the axis, the separating translation is almost equally short everywhere.
    turn = np.linspace(-np.pi, np.pi, 721)
    way = found.normal[:, None] * np.cos(turn)[:, None] + np.cross(axis, found.normal)[:, None] * np.sin(turn)[:, None]
    way += ((1.0 - np.cos(turn)) * np.einsum("ni,ni->n", axis, found.normal)[:, None])[..., None] * axis[:, None]
    pair, way = np.repeat(np.arange(12), 721), way.reshape(-1, 3)
    reach = np.einsum("ni,ni->n", a.take(pair).support(way) - b.take(pair).support(-way), way)
    assert (reach.reshape(12, -1).min(axis=1) >= -found.distance - 1e-9).all()


def test_cones_on_one_axis_or_on_parallel_ones_have_the_depth_that_a_drawing_shows():
    along, over = (
        ck.Cones([[-0.5, 0.5, 0.5]], [[1.5, 0.5, 0.5]], [2.0]),
        ck.Cones([[0.0, 0.5, 0.0]], [[0.0, 0.5, 1.0]], [2.0]),
    )
    beside, inside = (
        ck.Cones([[-0.5, 0.5, -0.5]], [[1.5, 0.5, -0.5]], [1.0]),
        ck.Cones([[0.0, 0.5, 0.0]], [[0.0, 0.5, 1.0]], [0.5]),
    )
    for a, b, depth in ((along, beside, np.sqrt(2.0)), (over, inside, 1.0)):
        for found in (ck.distance(a, b), ck.distance(b, a)):
            np.testing.assert_allclose(found.distance, -depth, rtol=1e-12)
            np.testing.assert_allclose(np.linalg.norm(found.normal, axis=1), 1.0, rtol=1e-12)


def on_one_axis(kind, rng, turn):
    """Around the last axes of rotations (N, 3, 3), which pass through the origin."""
    along, count = turn[:, :, 2], len(turn)
    start = along * rng.uniform(-1.0, 1.0, (count, 1))
    height, radius = (
        rng.choice([-1.0, 1.0], (count, 1)) * rng.uniform(0.1, 1.5, (count, 1)),
        rng.uniform(0.1, 1.0, count),
    )
    match kind:
        case ck.Kind.CONE:
            return ck.Cones(start, start + height * along, radius)
        case ck.Kind.CYLINDER:
            return ck.Cylinders(start, start + height * along, radius)
        case ck.Kind.CAPSULE:
            return ck.Capsules(start, start + height * along, radius)
    return ck.Ellipsoids(start, np.stack([radius, radius, np.abs(height[:, 0])], axis=1), turn)


@pytest.mark.parametrize("count", [100, *slow(1000)])
@pytest.mark.parametrize("second", [ck.Kind.CAPSULE, ck.Kind.CYLINDER, *MAPPED], ids=lambda kind: kind.name.lower())
@pytest.mark.parametrize("first", MAPPED, ids=lambda kind: kind.name.lower())
def test_shapes_of_revolution_on_one_axis_have_the_depth_of_their_profiles(first, second, count):
    """The separating translations around the axis are equal. One along the axis or oblique to it may be shorter."""
    rng = np.random.default_rng([9, first, second])
    turn = zoo.rotations(rng, count)
    a, b = on_one_axis(first, rng, turn), on_one_axis(second, rng, turn)
    found, size = ck.distance(a, b), size_of(a, b)
    overlap = zoo.support(a, found.normal) + zoo.support(b, -found.normal)
    assert (np.abs(overlap + found.distance) <= DISTANCE * size).all()
    meet = np.flatnonzero(found.distance < 0.0)
    assert len(meet) > count // 3
    for row in meet:

        def along(angle, row=row):
            way = np.stack([np.sin(angle), np.zeros_like(angle), np.cos(angle)], axis=-1).reshape(-1, 3) @ turn[row].T
            reach = zoo.extremes(a, row, way) - zoo.extremes(b, row, -way)
            return np.einsum("ki,ki->k", reach, way).reshape(np.shape(angle))

        angle, step = np.linspace(0.0, np.pi, 721, retstep=True)
        near = angle[along(angle).argmin()]
        least = minimize_scalar(
            along, bounds=(near - step, near + step), method="bounded", options={"xatol": 1e-12}
        ).fun
        assert -found.distance[row] <= least + DEPTH * size[row]


def on_a_lattice(kind, rng, count):
    """Aligned with the axes, with whole and half numbers: touching, coaxial and concentric pairs are common."""
    place, extent = rng.integers(-1, 2, (count, 3)) / 2.0, rng.choice([0.25, 0.5, 1.0, 2.0], (count, 3))
    axis = np.eye(3)[rng.integers(0, 3, count)] * extent[:, :1]
    match kind:
        case ck.Kind.ELLIPSOID:
            return ck.Ellipsoids(place, extent)
        case ck.Kind.CONE:
            return ck.Cones(place, place + axis, extent[:, 1])
        case ck.Kind.CYLINDER:
            return ck.Cylinders(place - axis, place + axis, extent[:, 1])
        case ck.Kind.CAPSULE:
            return ck.Capsules(place - axis, place + axis, extent[:, 1])
    return ck.Boxes(place, extent)


@pytest.mark.parametrize("count", [60, *slow(1000)])
@pytest.mark.parametrize(
    "second", [ck.Kind.BOX, ck.Kind.CAPSULE, ck.Kind.CYLINDER, *MAPPED], ids=lambda kind: kind.name.lower()
)
@pytest.mark.parametrize("first", MAPPED, ids=lambda kind: kind.name.lower())
def test_on_a_lattice_the_depth_is_along_the_normal_and_no_direction_has_less_overlap(first, second, count):
    rng = np.random.default_rng([5, first, second])
    a, b = on_a_lattice(first, rng, count), on_a_lattice(second, rng, count)
    found = ck.distance(a, b)
    size = size_of(a, b)
    np.testing.assert_allclose(np.linalg.norm(found.normal, axis=1), 1.0, rtol=0.0, atol=1e-12)
    overlap = zoo.support(a, found.normal) + zoo.support(b, -found.normal)
    assert (np.abs(overlap + found.distance) <= DISTANCE * size).all()
    directions = np.concatenate([np.eye(3), -np.eye(3), zoo.rotations(rng, 2000)[:, 0]])
    meet = np.flatnonzero(found.distance <= 0.0)
    assert len(meet) > count // 4
    for row in meet[:60]:
        reach = zoo.extremes(a, row, directions) - zoo.extremes(b, row, -directions)
        assert -found.distance[row] <= np.einsum("ki,ki->k", reach, directions).min() + DEPTH * size[row]


def test_a_needle_in_a_ball_that_is_large_beside_it_leaves_by_its_side():
    height, radius, large = 28.0, 0.004, 1e5
    cone = ck.Cones([[0.0, 0.0, 0.0]], [[0.0, height, 0.0]], [radius])
    found = ck.distance(cone, ck.Spheres([[0.0, height / 2.0, 0.0]], [large]))
    side = radius / 2.0 / np.hypot(1.0, radius / height)
    np.testing.assert_allclose(-found.distance - large, side, rtol=1e-6)


def test_an_ellipsoid_beyond_the_edge_of_a_face_has_its_witness_on_the_box():
    # Small turns of the normal about the edge change the depth by less than rounding, but move the points.
    half_extents = np.array([1.3270016171466985e-06, 1.6848084425331707e-06, 7.014327399498914e-07])
    rotation = np.array(
        [
            [0.35303758636186644, 0.32110316559691976, 0.8787816677989048],
            [0.027452543838517834, 0.9353019506462548, -0.3527840967987434],
            [-0.9352062983388113, 0.14867083830041466, 0.321381644445463],
        ]
    )
    box = ck.Boxes(
        [[1.335810055917875e-06, -2.1065877681382914e-07, 7.864503931543094e-07]], [half_extents], [rotation]
    )
    ellipsoid = ck.Ellipsoids(
        [[1.538098843657526e-06, 1.093299378199294e-06, -5.178558142595984e-07]],
        [[1.108491287298796e-06, 5.941705637883059e-07, 7.027075103113333e-07]],
        [
            [
                [0.3530362878361981, 0.3210925669552063, 0.8787860620861901],
                [0.027464307285575428, 0.9353044181573126, -0.35277663925029734],
                [-0.9352064431429888, 0.1486782056036705, 0.32137781485708083],
            ]
        ],
    )
    size = (box.bounding_spheres()[1] + ellipsoid.bounding_spheres()[1])[0]
    for count in (1, 6):
        rows = np.zeros(count, dtype=np.int64)
        local = (ck.distance(box.take(rows), ellipsoid.take(rows)).point_a - box.center) @ rotation
        assert (np.abs(local) - half_extents).max() <= 1e-7 * size


@pytest.mark.parametrize("kind", [ck.Kind.CYLINDER, ck.Kind.CONE, ck.Kind.ELLIPSOID], ids=lambda kind: kind.name)
def test_a_hull_without_faces_is_answered_for_beside_one_with_faces(kind):
    cube = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    hulls = ck.Hulls.from_points([cube, [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]])
    other = zoo.generic(kind, np.random.default_rng(0), 1).take(np.zeros(2, dtype=np.int64))
    axes, contacts = ck.separating_axis(hulls, other), ck.contacts(hulls, other, margin=4.0)
    for row in range(2):
        alone = hulls.take(np.array([row])), other.take(np.array([row]))
        np.testing.assert_array_equal(axes.feature_a[row], ck.separating_axis(*alone).feature_a[0])
        own = ck.contacts(*alone, margin=4.0)
        np.testing.assert_allclose(contacts.point[contacts.pair == row], own.point, atol=1e-12)


def test_a_tip_that_all_but_touches_a_rim_leaves_by_the_shortest_way():
    cone = ck.Cones(
        [[-0.5292845723734996, -0.3373943619836697, 0.4414800076986971]],
        [[-0.5292845724046382, -0.8373943619836698, 0.44148000741357835]],
        [0.5],
    )
    cylinder = ck.Cylinders(
        [[-0.5922202956704661, -1.851392303897118, 1.53765526661914]],
        [[-0.6623105415390126, -1.0315755584506074, 0.3185466062809196]],
        [0.26554635524748804],
    )
    # Along one direction, the two overlap by 3.6e-10. GJK ends with a distance of 7e-7.
    for a, b in ((cone, cylinder), (cylinder, cone)):
        assert -3.6e-10 < ck.distance(a, b).distance[0] < 0.0


def test_a_cone_on_a_crate_has_four_contacts_on_its_rim():
    cone = ck.Cones([[0.1, 0.2, -0.01]], [[0.1, 0.2, 2.0]], [0.5])
    crate = ck.Boxes([[0.0, 0.0, -1.0]], [[1.0, 1.0, 1.0]])
    touch = ck.contacts(cone, crate)
    assert len(touch) == 4
    np.testing.assert_allclose(touch.depth, 0.01, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(touch.point[:, :2] - [0.1, 0.2], axis=1), 0.5, atol=1e-12)
    np.testing.assert_allclose(touch.normal, [[0.0, 0.0, -1.0]] * 4, atol=1e-9)


@pytest.mark.parametrize(
    "cone",
    [
        ck.Cones([[0.1, 0.2, 0.1]], [[0.1, 0.2, 1.0]], [0.5]),
        ck.Cones([[-0.4, 0.2, 0.102]], [[0.8, 0.2, 0.102]], [0.002]),
    ],
    ids=["on its base", "on its side"],
)
def test_contacts_of_cones_lie_on_faces_that_count_as_one_because_they_are_nearly_coplanar(cone):
    # The ridge is so low that both sides of the roof are one face in contacts.
    eaves = [[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 0.0)]
    house = ck.Hulls.from_points([np.array(eaves + [[0.0, y, 4e-6] for y in (-1.0, 1.0)])])
    for a, b in ((cone, house), (house, cone)):
        touch = ck.contacts(a, b, margin=0.2)
        assert len(touch) >= 2
        assert np.ptp(touch.point[:, 0]) > 0.4
        half = touch.normal * (touch.depth / 2.0)[:, None]
        for shape, point in ((a, touch.point + half), (b, touch.point - half)):
            off = ck.distance(ck.Spheres(point, np.zeros(len(point))), shape.take(np.zeros(len(point), dtype=int)))
            np.testing.assert_allclose(off.distance, 0.0, atol=1e-9)


def test_a_cone_that_lies_on_its_side_touches_along_a_line():
    # Its side is level: the apex and the lowest point of the rim are as high as each other.
    radius, height = 0.5, 2.0
    slope = np.arcsin(radius / np.hypot(radius, height))
    axis = np.array([np.cos(slope), 0.0, -np.sin(slope)])
    base = -height * axis + np.array([2.0, 0.0, 0.0])
    cone = ck.Cones([base], [base + height * axis], [radius])
    lowest = zoo.support(cone, np.array([[0.0, 0.0, -1.0]]))[0]
    for other in (
        ck.HalfSpaces([[0.0, 0.0, 1.0]], [-lowest]),
        ck.Boxes([[0.0, 0.0, -lowest - 1.0]], [[9.0, 9.0, 1.0]]),
    ):
        touch = ck.contacts(cone, other)
        assert len(touch) == 2
        np.testing.assert_allclose(np.linalg.norm(np.diff(touch.point, axis=0)), np.hypot(radius, height), rtol=1e-6)


@pytest.mark.parametrize("count", [1, *slow(20)])
@pytest.mark.parametrize("kind", MAPPED)
def test_what_moves_touches_when_the_distance_says_so(kind, count):
    rng = np.random.default_rng([9, kind])
    for other in BOUNDED:
        a, b = zoo.generic(kind, rng, count), zoo.generic(other, rng, count)
        shift = 4.0 * zoo.rotations(rng, count)[:, 0]
        b, way = zoo.moved(b, shift), -2.0 * shift
        found = ck.time_of_impact(a, b, velocity_b=way)

        def gap(share, a=a, b=b, way=way):
            return ck.distance(a, zoo.moved(b, share[:, None] * way)).distance

        hit = found.hit
        time = np.where(hit, found.time, 1.0)
        assert (gap(time) <= 1e-9)[hit].all()
        for share in np.linspace(0.0, 0.999, count + 4):
            assert (gap(share * time) > 0.0)[~hit | (time > 0.0)].all()


@pytest.mark.parametrize("count", [1, *slow(12)])
@pytest.mark.parametrize("kind", MAPPED)
def test_what_turns_touches_neither_before_nor_long_after_it_is_said_to(kind, count):
    rng = np.random.default_rng([10, kind])
    a, b = zoo.generic(kind, rng, count), zoo.generic(ck.Kind.BOX, rng, count)
    b = zoo.moved(b, 4.0 * zoo.rotations(rng, count)[:, 0])
    spin = 3.0 * rng.normal(size=(count, 3))
    way = a.bounding_spheres()[0] - b.center
    found = ck.time_of_impact(a, b, velocity_b=way, angular_velocity_a=spin, pivot_a=a.bounding_spheres()[0])
    assert found.decided.all()
    motion_a = ck.RigidMotion(np.zeros((count, 3)), spin, a.bounding_spheres()[0])
    motion_b = ck.RigidMotion(way, np.zeros((count, 3)), np.zeros((count, 3)))
    for share in (0.5, 0.9, 1.0):
        time = np.where(found.hit, share * found.time, share)
        there = ck.distance(a.placed(*motion_a.pose(time)), b.placed(*motion_b.pose(time))).distance
        if share < 1.0:
            assert (there > -1e-12)[found.time > 0.0].all()
        else:
            assert (np.abs(there) <= 1e-8)[found.hit & (found.time > 0.0)].all()


@pytest.mark.parametrize("count", [8, *slow(60)])
@pytest.mark.parametrize(("first", "second"), by_turns(EVERY_PAIR, 3, 0))
def test_one_holds_the_other_if_it_reaches_farther_in_all_of_many_directions(first, second, count):
    rng, a, b = drawn((first, second), "generic", 13, count)
    # Small ones inside, about half of them all the way.
    middle = ck.support(a, np.zeros((count, 3)))
    b = zoo.placed(b, np.eye(3), 0.15, np.zeros(3))
    b = zoo.moved(b, middle - b.bounding_spheres()[0] + 0.2 * rng.normal(size=(count, 3)))
    directions = zoo.rotations(rng, 1500).reshape(-1, 3)

    def reach(shapes, row):
        return np.einsum("ki,ki->k", zoo.extremes(shapes, row, directions), directions)

    for inner, outer in ((a, b), (b, a)):
        least = np.array([(reach(outer, row) - reach(inner, row)).min() for row in range(count)])
        # Between the directions it may be less by as much as the outer one turns a corner.
        clear = (least < -0.01) | (least > 0.06 * outer.bounding_spheres()[1])
        np.testing.assert_array_equal(ck.contains(outer, inner)[clear], (least > 0.0)[clear])


@pytest.mark.parametrize("count", [8, *slow(400)])
def test_a_cone_holds_cylinders_on_its_axis_as_wide_as_its_side_leaves_room_for(count):
    """Where they begin in one base, that is the direction in which the cone reaches least beyond the cylinder."""
    rng = np.random.default_rng(17)
    cones = zoo.generic(ck.Kind.CONE, rng, count)
    axis = cones.apex - cones.base
    low = np.where(np.arange(count) % 2, 0.0, rng.uniform(0.0, 0.5, count))
    high = low + rng.uniform(0.05, 0.95, count) * (1.0 - low)
    share = rng.uniform(0.5, 1.5, count)
    ends = (cones.base + at[:, None] * axis for at in (low, high))
    held = ck.contains(cones, ck.Cylinders(*ends, share * (1.0 - high) * cones.radius))
    assert held.any() and not held.all()
    np.testing.assert_array_equal(held, share <= 1.0)


@pytest.mark.parametrize("kind", MAPPED)
def test_bounds_and_balls_hold_the_shape_and_touch_it(kind):
    rng = np.random.default_rng([11, kind])
    shapes = zoo.generic(kind, rng, 50)
    lower, upper = ck.bounds(shapes)
    for axis in range(3):
        along = np.broadcast_to(np.eye(3)[axis], (50, 3))
        np.testing.assert_allclose(upper[:, axis], zoo.support(shapes, along), atol=1e-14)
        np.testing.assert_allclose(-lower[:, axis], zoo.support(shapes, -along), atol=1e-14)
    center, radius = ck.bounding_spheres(shapes)
    far = [
        np.linalg.norm(zoo.extremes(shapes, row, zoo.rotations(rng, 500)[:, 0]) - center[row], axis=1).max()
        for row in range(50)
    ]
    assert (np.array(far) <= radius * (1.0 + 1e-12)).all()
    assert (np.array(far) >= 0.97 * radius).all()


@pytest.mark.parametrize("count", [1, *slow(6)])
@pytest.mark.parametrize("kind", MAPPED)
def test_interference_with_meshes_grows_to_that_of_their_hulls(kind, count):
    """A crate as a mesh with a dent far away is a crate as far as the shape on its other side is concerned."""
    rng = np.random.default_rng([12, kind])
    a = zoo.generic(kind, rng, count)
    crate = ck.Boxes([[0.0, 0.0, 0.0]], [[8.0, 8.0, 8.0]])
    top = zoo.support(a, np.tile([[0.0, 0.0, -1.0]], (count, 1)))
    a = zoo.moved(a, np.column_stack([-ck.bounds(a)[0][:, :2], 8.0 + top - 0.05]))
    corners = np.array([[x, y, z] for x in (-8.0, 8.0) for y in (-8.0, 8.0) for z in (-8.0, 8.0)])
    points = np.vstack([corners, [[0.0, 0.0, -6.0]]])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (1, 5, 7, 3)]
    triangles = [t for p, q, r, s in quads for t in ((p, q, r), (p, r, s))]
    bottom = (0, 2, 6, 4)
    triangles += [(bottom[k], bottom[(k + 1) % 4], 8) for k in range(4)]
    mesh = ck.Meshes.from_triangles([(points, triangles)])
    np.testing.assert_allclose(ck.interference(a, mesh), ck.interference(a, crate), rtol=2e-3)


def test_what_is_no_ellipsoid_and_no_cone_is_refused_by_name_and_row():
    with pytest.raises(ValueError, match="radii: row 1"):
        ck.Ellipsoids([[0, 0, 0]] * 2, [[1, 1, 1], [1, -1, 1]])
    with pytest.raises(ValueError, match="apex: row 1 is its base"):
        ck.Cones([[0, 0, 0]] * 2, [[0, 0, 1], [0, 0, 0]], [1, 1])
    with pytest.raises(ValueError, match="rotation: row 0"):
        ck.Ellipsoids([[0, 0, 0]], [[1, 1, 1]], [np.diag([1.0, 1.0, 2.0])])


@pytest.mark.parametrize("height", [-3.0, -2.0, -1.0, 3.0])
def test_a_half_space_contains_what_does_not_reach_out_of_it(height):
    half_space = ck.HalfSpaces([[0.0, 0.0, 1.0]], [0.0])
    for body in (
        ck.Ellipsoids([[0.0, 0.0, height]], [[0.5, 0.5, 2.0]]),
        ck.Cones([[0.0, 0.0, height - 2.0]], [[0.0, 0.0, height + 2.0]], [0.5]),
    ):
        assert ck.contains(half_space, body)[0] == (height <= -2.0)


@pytest.mark.parametrize(("first", "second"), by_turns(EVERY_PAIR, 3, 0))
def test_every_question_has_the_same_answer_about_pairs_that_are_one_rounding_apart(first, second):
    rng, count = np.random.default_rng([18, first, second]), 300
    a, b = zoo.generic(first, rng, count), zoo.generic(second, rng, count)
    for _ in range(3):
        found = ck.distance(a, b)
        b = zoo.moved(b, (rng.uniform(0.99, 1.01, count) * found.rounding - found.distance)[:, None] * found.normal)
    found = ck.distance(a, b)
    meets = found.distance <= found.rounding
    assert 0.2 < meets.mean() < 0.8
    np.testing.assert_array_equal(ck.overlap(a, b), meets)
    np.testing.assert_array_equal(np.bincount(ck.contacts(a, b).pair, minlength=count) > 0, meets)
    np.testing.assert_array_equal(ck.classify(a, b) >= ck.Verdict.TOUCHING, meets)
