# SPDX-License-Identifier: GPL-3.0-or-later
"""Round shapes whose cores are close or all but parallel: the normal shows the distance, contacts lie on both surfaces.

Checked in extended precision with the oracles of the hunts.
"""

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers import zoo
from tests.hunt.pair_oracles import Body

COUNT = 400
ROUND = [
    (ck.Kind.SPHERE, ck.Kind.CAPSULE),
    (ck.Kind.SPHERE, ck.Kind.TRIANGLE),
    (ck.Kind.CAPSULE, ck.Kind.CAPSULE),
    (ck.Kind.CAPSULE, ck.Kind.TRIANGLE),
    (ck.Kind.CAPSULE, ck.Kind.BOX),
]
LYING = [(ck.Kind.CAPSULE, kind) for kind in (ck.Kind.CAPSULE, ck.Kind.BOX, ck.Kind.TRIANGLE)]
kinds_of = {"ids": lambda kinds: f"{kinds[0].name}-{kinds[1].name}".lower()}


def rounded(shapes, radius):
    return shapes.with_fields(radius=radius) if hasattr(shapes, "radius") else shapes


def bodies(a, b):
    origin = ck.bounding_spheres(b)[0]
    return origin, [Body(shapes, origin, np.longdouble) for shapes in (a, b)]


def check_distances(a, b):
    found = ck.distance(a, b)
    origin, (body_a, body_b) = bodies(a, b)
    normal = found.normal.astype(np.longdouble)
    shown = -body_b.height(-normal) - body_a.height(normal)
    np.testing.assert_array_less(np.abs(shown - found.distance), 4.0 * found.rounding)
    for body, point in ((body_a, found.point_a), (body_b, found.point_b)):
        np.testing.assert_array_less(body.off(point.astype(np.longdouble) - origin), 4.0 * found.rounding)


def check_contacts(a, b, margin):
    touch = ck.contacts(a, b, margin=margin)
    size = ck.bounding_spheres(a)[1] + ck.bounding_spheres(b)[1]
    for shapes, sign in ((a, 0.5), (b, -0.5)):
        surface = touch.point.astype(np.longdouble) + sign * touch.depth[:, None] * touch.normal
        off = Body(shapes.take(touch.pair), np.zeros_like(touch.point), np.longdouble).off(surface)
        np.testing.assert_array_less(off, 1e-9 * size[touch.pair])
    return np.bincount(touch.pair, minlength=len(a))


@pytest.mark.parametrize("kinds", ROUND, **kinds_of)
def test_the_normal_shows_the_distance_of_cores_however_close(kinds):
    rng = np.random.default_rng([2, *kinds])
    a, b = (rounded(zoo.generic(kind, rng, COUNT), np.zeros(COUNT)) for kind in kinds)
    found = ck.distance(a, b)
    far = 10.0 ** rng.uniform(-8.0, -0.5, COUNT)
    b = zoo.moved(b, (far - found.distance)[:, None] * found.normal)
    check_distances(a, b)
    # Rounded, so that they touch or overlap, and cores inside the one of the other are not.
    check_distances(rounded(a, far * rng.choice([0.5, 1.0, 3.0], COUNT)), b)


def all_but_parallel(rng, tilt):
    """Capsules along each other, beside or in line, one of them tilted by so much in any direction."""
    turn = zoo.rotations(rng, COUNT)
    along = turn[:, :, 2] + tilt[:, None] * rng.normal(size=(COUNT, 3))
    place = rng.uniform(-1.0, 1.0, (COUNT, 3))
    shift = 10.0 ** rng.uniform(-4.0, 0.0, (COUNT, 1)) * turn[:, :, 0] + rng.uniform(-1.0, 1.0, (COUNT, 1)) * along
    radius = rng.uniform(0.0, 0.5, (2, COUNT)) * rng.integers(0, 2, (2, COUNT))
    half = rng.uniform(0.2, 1.0, (2, COUNT, 1))
    a = ck.Capsules(place - half[0] * turn[:, :, 2], place + half[0] * turn[:, :, 2], radius[0])
    return a, ck.Capsules(place + shift - half[1] * along, place + shift + half[1] * along, radius[1])


@pytest.mark.parametrize("least", [-7.0, -10.0, -16.0])
def test_capsules_that_are_all_but_parallel_are_measured_to_rounding(least):
    rng = np.random.default_rng([3, int(-least)])
    a, b = all_but_parallel(rng, 10.0 ** rng.uniform(least, least + 4.0, COUNT))
    check_distances(a, b)
    check_distances(b, a)
    check_contacts(a, b, 0.5)


@pytest.mark.parametrize("kinds", LYING, **kinds_of)
def test_the_contacts_of_what_lies_along_the_other_but_for_a_tilt_are_on_both_surfaces(kinds):
    rng = np.random.default_rng([4, *kinds])
    tilt = 10.0 ** rng.uniform(-12.0, -4.0, COUNT)
    if kinds[1] == ck.Kind.CAPSULE:
        a, b = all_but_parallel(rng, tilt)
        assert (check_contacts(a, b, 0.2) == 2).any()
        return
    b = zoo.generic(kinds[1], rng, COUNT)
    if kinds[1] == ck.Kind.BOX:
        middle, normal = b.center + b.half_extents[:, 2, None] * b.rotation[:, :, 2], b.rotation[:, :, 2]
        along = b.rotation[:, :, 0] + 0.3 * b.rotation[:, :, 1]
    else:
        middle, along = b.vertices.mean(axis=1), b.vertices[:, 1] - b.vertices[:, 0]
        normal = np.cross(along, b.vertices[:, 2] - b.vertices[:, 0])
        normal /= np.linalg.norm(normal, axis=1)[:, None]
    along = along + tilt[:, None] * rng.normal(size=(COUNT, 3))
    radius = rng.uniform(0.01, 0.5, COUNT)
    place = middle + (radius * rng.uniform(0.9, 1.1, COUNT))[:, None] * normal
    half = rng.uniform(0.2, 1.0, (COUNT, 1))
    a = ck.Capsules(place - half * along, place + half * along, radius)
    assert (check_contacts(a, b, 0.1) == 2).any()


@pytest.mark.parametrize("other", [ck.Kind.CAPSULE, ck.Kind.TRIANGLE])
def test_short_capsules_all_but_parallel_to_an_edge_are_measured_to_rounding(other):
    rng, count = np.random.default_rng([5, other]), 10 * COUNT
    b = zoo.generic(other, rng, count)
    ends = (b.start, b.end) if other == ck.Kind.CAPSULE else (b.vertices[:, 0], b.vertices[:, 1])
    along = ends[1] - ends[0]
    tilt = 10.0 ** rng.uniform(-8.0, 0.0, (count, 1))
    half = 10.0 ** rng.uniform(-10.0, -1.0, (count, 1)) * (along + tilt * rng.normal(size=(count, 3)))
    middle = ends[0] + rng.uniform(0.2, 0.8, (count, 1)) * along
    place = middle + rng.normal(size=(count, 3))
    a = ck.Capsules(place - half, place + half, np.zeros(count))
    check_distances(a, rounded(b, np.zeros(count)))


@pytest.mark.parametrize("other", [ck.Kind.BOX, ck.Kind.TRIANGLE])
def test_capsules_crossing_an_edge_close_by_are_measured_to_rounding(other):
    rng, count = np.random.default_rng([10, other]), 10 * COUNT
    if other == ck.Kind.BOX:
        # Some are edges, and some are plates.
        flat = rng.permuted(rng.integers(0, 2, (count, 3)) * [0, 1, 1], axis=1)
        b = ck.Boxes(
            rng.uniform(-1.0, 1.0, (count, 3)),
            np.where(flat, 0.0, rng.uniform(0.1, 1.0, (count, 3))),
            zoo.rotations(rng, count),
        )
        axis = flat.argmin(axis=1)
        corner = b.center + np.einsum("nij,nj->ni", b.rotation, b.half_extents * rng.choice([-1.0, 1.0], (count, 3)))
        inward = b.center - corner
        edge = b.rotation[np.arange(count), :, axis] * b.half_extents[np.arange(count), axis][:, None]
        edge *= np.where(np.einsum("ni,ni->n", edge, inward) < 0.0, -1.0, 1.0)[:, None] * 2.0
    else:
        corners = zoo.generic(other, rng, count).vertices.copy()
        # Two equal corners.
        corners[::2, 1] = corners[::2, 0]
        b = ck.Triangles(corners)
        corner, edge = corners[:, 0], corners[:, 2] - corners[:, 0]
    middle = corner + rng.uniform(0.0, 1.0, (count, 1)) * edge
    along = edge + 10.0 ** rng.uniform(-10.0, 0.0, (count, 1)) * rng.normal(size=(count, 3))
    place = middle + 10.0 ** rng.uniform(-9.0, 0.0, (count, 1)) * rng.normal(size=(count, 3))
    half = rng.uniform(0.1, 2.0, (count, 1)) * along
    check_distances(ck.Capsules(place - half, place + half, np.zeros(count)), b)


def test_capsules_that_cross_over_the_end_of_an_edge_are_measured_to_rounding():
    """In planes that are parallel but for a tilt, so that rounding decides between the end and the edge."""
    rng, count = np.random.default_rng(12), 20 * COUNT
    first, second, normal = np.moveaxis(zoo.rotations(rng, count), 2, 0)
    corner, angle = rng.uniform(-1.0, 1.0, (count, 3)), rng.uniform(0.0, np.pi, (count, 1))
    edge = np.cos(angle) * first + np.sin(angle) * second
    b = ck.Triangles(np.stack([corner, corner, corner + edge], axis=1))
    along = first + 10.0 ** rng.uniform(-11.0, -6.0, (count, 1)) * rng.normal(size=(count, 3))
    place = corner + rng.uniform(0.1, 2.0, (count, 1)) * normal
    place += 10.0 ** rng.uniform(-11.0, -6.0, (count, 1)) * rng.normal(size=(count, 3))
    check_distances(ck.Capsules(place - along, place + along, np.zeros(count)), b)


def test_long_capsules_all_but_parallel_to_a_plate_are_nearest_at_the_lower_end():
    rng, count = np.random.default_rng(11), 4 * COUNT
    rotation = zoo.rotations(rng, count)
    extents = np.stack([np.full(count, 1e-3), *rng.uniform(1e4, 3e4, (2, count))], axis=1)
    b = ck.Boxes(rng.uniform(-1.0, 1.0, (count, 3)), extents, rotation)
    # Beyond the plate at both ends.
    half = rng.uniform(1.0, 2.0, (count, 1)) * extents[:, 2, None] * rotation[:, :, 2]
    half += 10.0 ** rng.uniform(-9.0, -4.0, (count, 1)) * rng.normal(size=(count, 3))
    place = b.center + 10.0 ** rng.uniform(-2.0, 0.0, (count, 1)) * rotation[:, :, 0]
    place += rng.uniform(-0.5, 0.5, (count, 1)) * extents[:, 1, None] * rotation[:, :, 1]
    check_distances(ck.Capsules(place - half, place + half, np.zeros(count)), b)


@pytest.mark.parametrize("other", [ck.Kind.SPHERE, ck.Kind.CAPSULE])
def test_round_shapes_over_slivers_are_measured_to_rounding(other):
    rng = np.random.default_rng([6, other])
    corners = zoo.generic(ck.Kind.TRIANGLE, rng, COUNT).vertices.copy()
    # All but in a line, and the third corner between the others.
    share = rng.uniform(0.2, 0.8, (COUNT, 1))
    corners[:, 2] = share * corners[:, 0] + (1.0 - share) * corners[:, 1]
    corners[:, 2] += 10.0 ** rng.uniform(-6.0, -1.0, (COUNT, 1)) * rng.normal(size=(COUNT, 3))
    inside = np.einsum("nk,nkj->nj", rng.dirichlet(np.ones(3), COUNT), corners)
    a = zoo.generic(other, rng, COUNT)
    start = a.center if other == ck.Kind.SPHERE else a.start
    a = zoo.moved(a, inside - start + 10.0 ** rng.uniform(-15.0, 0.0, (COUNT, 1)) * rng.normal(size=(COUNT, 3)))
    check_distances(rounded(a, rng.choice([0.0, 0.3], COUNT)), ck.Triangles(corners))


def test_capsules_whose_axes_pierce_needles_nearly_along_them_are_measured_to_rounding():
    rng, count = np.random.default_rng(9), 4 * COUNT
    turn = zoo.rotations(rng, count)
    along, beside, up = np.moveaxis(turn, 2, 0)
    width, rise = 10.0 ** rng.uniform(-6.0, -3.0, (2, count, 1))
    corners = np.stack([-along, along, rng.uniform(-0.9, 0.9, (count, 1)) * along + width * beside], axis=1)
    middle = corners.mean(axis=1)
    run = along + rise * up + 0.3 * width * rng.normal(size=(count, 1)) * beside
    check_distances(ck.Capsules(middle - run, middle + run, rng.choice([0.0, 0.3], count)), ck.Triangles(corners))


def test_contacts_of_capsules_along_boxes_without_width_are_on_both_surfaces():
    rng = np.random.default_rng(7)
    turn = zoo.rotations(rng, COUNT)
    extents = rng.uniform(0.2, 1.0, (COUNT, 3)) * rng.integers(0, 2, (COUNT, 3))
    b = ck.Boxes(rng.uniform(-1.0, 1.0, (COUNT, 3)), extents, turn)
    axis = turn[np.arange(COUNT), :, rng.integers(0, 3, COUNT)]
    beside = turn[np.arange(COUNT), :, rng.integers(0, 3, COUNT)]
    half, radius = rng.uniform(0.5, 3.0, (COUNT, 1)), rng.uniform(0.01, 0.5, COUNT)
    place = b.center + rng.uniform(0.0, 1.5, (COUNT, 1)) * radius[:, None] * beside
    assert (check_contacts(ck.Capsules(place - half * axis, place + half * axis, radius), b, 0.2) == 2).any()


def test_round_shapes_around_a_hull_that_is_a_point_are_measured_to_rounding():
    rng = np.random.default_rng(8)
    place = rng.uniform(-1.0, 1.0, (COUNT, 3))
    b = ck.Hulls([ck.convex_hull(np.zeros((4, 3)))], np.zeros(COUNT, dtype=np.int64), place)
    center = place + 10.0 ** rng.uniform(-14.0, -1.0, (COUNT, 1)) * rng.normal(size=(COUNT, 3))
    check_distances(ck.Spheres(center, rng.choice([0.0, 1.0], COUNT)), b)


def test_cylinders_without_a_radius_that_pass_a_corner_of_a_plate_have_their_witness_on_it():
    rng, count = np.random.default_rng(13), COUNT
    # Most corners are edges of the plate's thickness.
    flat = rng.uniform(-1.0, 1.0, (count, 4, 2)) * [1.0, 0.02]
    flat = flat[np.arange(count)[:, None], np.argsort(-flat[:, :, 0], axis=1)[:, [0, 1, 2, 3, 1, 2, 3]]]
    points = np.append(flat, 1e-8 * rng.uniform(-1.0, 1.0, (count, 7, 1)), axis=2)
    b = ck.Hulls.from_points(list(points)).placed(zoo.rotations(rng, count), rng.uniform(-50.0, 50.0, (count, 3)))
    turn, place = b.rotation, b.translation
    # The cylinder is all but normal to the plate.
    corner = points[:, 0]
    beside = np.append(rng.normal(size=(count, 2)), np.zeros((count, 1)), axis=1) * 10.0 ** rng.uniform(
        -12, -9, (count, 1)
    )
    along = 100.0 * np.append(rng.normal(size=(count, 2)) * 1e-6, np.ones((count, 1)), axis=1)
    start, end = (np.einsum("nij,nj->ni", turn, corner + beside + half) + place for half in (-along, along))
    found = ck.distance(ck.Cylinders(start, end, np.zeros(count)), b)
    origin, (_, body) = bodies(b, b)
    off = body.off(found.point_b.astype(np.longdouble) - origin)
    np.testing.assert_array_less(off, 4.0 * found.rounding)
    assert (found.distance > found.rounding).sum() > count / 4


def test_capsules_along_the_middle_of_a_box_and_a_little_longer_have_their_witness_on_its_face():
    rng, count = np.random.default_rng(14), 2 * COUNT
    b = zoo.generic(ck.Kind.BOX, rng, count)
    b = zoo.moved(b, 10.0 ** rng.uniform(0.0, 6.0, (count, 1)) * rng.normal(size=(count, 3)))
    edge = rng.integers(0, 3, count)
    size = b.half_extents[np.arange(count), edge, None]
    half = size * (1.0 + 10.0 ** rng.uniform(-6.0, -2.0, (count, 1))) * b.rotation[np.arange(count), :, edge]
    half += size * 10.0 ** rng.uniform(-8.0, -4.0, (count, 1)) * rng.normal(size=(count, 3))
    place = b.center + 0.3 * size * b.rotation[np.arange(count), :, (edge + 1) % 3]
    a = ck.Capsules(place - half, place + half, rng.choice([0.0, 0.3], count))
    found, (origin, of) = ck.distance(a, b), bodies(a, b)
    assert (found.distance < -a.radius - found.rounding).sum() > count / 2
    for body, point in zip(of, (found.point_a, found.point_b), strict=True):
        np.testing.assert_array_less(body.off(point.astype(np.longdouble) - origin), 4.0 * found.rounding)


# Found by the hunt of pairs: hulls in the plane y = 0 and along the axis z, with the same rotation.
PLATE = [
    (-0.45663236720002987, -5.347144994029009e-10, -1.2252552898058404),
    (-0.6898775802286282, 5.985459478162938e-10, 0.5273530003129093),
    (-0.1721852887671049, 4.4513010473523116e-10, -0.754788145458631),
    (1.0468411514133946, -6.253316081905255e-10, 0.4677340766329936),
    (-0.24004278572075788, 5.6992132803246127e-11, 1.279696087781657),
    (-0.4538176264892109, 4.5861363474805686e-10, 0.43537617056089933),
    (0.7518476972254944, 2.7589752793175138e-11, 0.9386407548101352),
]
NEEDLE = [
    (4.407798292022942e-07, 1.6825638083203194e-07, 0.01394822586615629),
    (5.402236271327431e-07, 4.513973497474377e-08, -0.04041148675017026),
    (-4.0837639181011706e-09, -1.2756599237797095e-07, -0.041699912399084986),
    (1.1532048977430133e-07, 1.1022596423089125e-08, -0.005229333170530673),
    (5.601840828946968e-07, 3.06844969633092e-07, 0.09200641183265462),
    (6.596278808251456e-07, 1.8372832377580388e-07, 0.037646699216328065),
    (1.1532048977430133e-07, 1.1022596423089121e-08, 0.03635827356741334),
    (2.3472474346670385e-07, 1.496111852241492e-07, 0.07282885279596765),
]
TURN = [
    (0.8495605299358995, -0.16632550106580554, 0.5005823944869036),
    (-0.3895385857636514, -0.8377062442849912, 0.3827635542827823),
    (0.35567765768499954, -0.5201769660232399, -0.7764723612869742),
]


def test_the_normal_of_a_plate_and_a_needle_that_are_one_rounding_apart_shows_the_distance():
    rng, count = np.random.default_rng(15), COUNT
    turn = np.repeat([TURN], count, axis=0)
    first, every = np.zeros(count, dtype=int), np.ones((count, 1))
    place = [0.5652692215946327, -0.09453027766778077, -0.27389443336378405]
    plates = ck.Hulls(ck.convex_hulls([np.array(PLATE)]), first, every * place, turn)
    place = every * [-0.19010481279059221, -0.09341711941649508, -0.03415722817927705]
    needles = ck.Hulls(ck.convex_hulls([np.array(NEEDLE)]), first, place + 1e-12 * rng.normal(size=(count, 3)), turn)
    for _ in range(2):
        found = ck.distance(plates, needles)
        wanted = rng.uniform(0.9, 1.2, count) * found.rounding
        needles = zoo.moved(needles, (wanted - found.distance)[:, None] * found.normal)
    check_distances(plates, needles)


def test_the_normal_of_parallel_boxes_that_are_one_or_two_roundings_apart_shows_the_distance():
    rng, count = np.random.default_rng(17), 4 * COUNT
    turn = zoo.rotations(rng, count)
    a = ck.Boxes(rng.uniform(-1.0, 1.0, (count, 3)), rng.uniform(0.1, 1.0, (count, 3)), turn)
    thin = 10.0 ** rng.uniform(-10.0, 0.0, (count, 3)) ** rng.integers(0, 2, (count, 3))
    b = ck.Boxes(rng.uniform(-1.0, 1.0, (count, 3)), 0.5 * thin, turn @ zoo.quarter_turns(rng, count))
    for _ in range(2):
        found = ck.distance(a, b)
        wanted = rng.uniform(0.5, 2.0, count) * found.rounding
        b = zoo.moved(b, (wanted - found.distance)[:, None] * found.normal)
    check_distances(a, b)
    found = ck.distance(a, b)
    np.testing.assert_array_equal(ck.overlap(a, b), found.distance <= found.rounding)


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("radius", [0.0, 0.25])
def test_a_capsule_along_a_face_that_ends_a_rounding_beyond_it_is_nearest_at_its_lower_end(swapped, radius):
    # The parameter at which the segment leaves the face is that of its end, to rounding.
    far, near = [0.9 + 2.0**-20, 0.0, -0.2], [0.9 + 2.0**-20 - 2.0**-40, 0.0, np.nextafter(0.9, 1.0)]
    start, end = (near, far) if swapped else (far, near)
    found = ck.distance(ck.Capsules([start], [end], [radius]), ck.Boxes([[0.0, 0.0, 0.0]], [[0.9, 0.9, 0.9]]))
    np.testing.assert_allclose(found.distance, 2.0**-20 - 2.0**-40 - radius, rtol=0.0, atol=found.rounding[0])


def test_the_witnesses_of_a_small_triangle_near_the_corner_of_a_large_one_are_on_both():
    rng, count = np.random.default_rng(19), 25 * COUNT
    place = 5.0 * rng.normal(size=(count, 1, 3))
    a = rng.integers(-2, 3, (count, 3, 3)) / 2.0 + place
    size = 10.0 ** rng.uniform(-7.0, -4.0, (count, 1, 1))
    b = a[:, :1] + size * rng.normal(size=(count, 1, 3)) + size * rng.normal(size=(count, 3, 3))
    a, b = ck.Triangles(a), ck.Triangles(b)
    check_distances(a, b)
