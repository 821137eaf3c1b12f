# SPDX-License-Identifier: GPL-3.0-or-later
"""Needles, plates, hairs, sheets and discs: witnesses and contacts lie on the surfaces, however thin these are."""

import math
from dataclasses import replace

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.convex.active_set import brought_together, settled
from collision_kit.core.convex.gjk import closest
from collision_kit.core.kernels.active_set import of_edge, of_triangle
from tests.helpers import zoo
from tests.helpers.clouds import Clouds
from tests.helpers.offline import many, slow
from tests.hunt import pair_cases, thin_shapes
from tests.hunt.pair_oracles import Body


def off(shapes, point):
    """Return how far points are outside one shape, or one each."""
    if len(shapes) != len(point):
        shapes = shapes.take(np.zeros(len(point), int))
    return ck.distance(ck.Spheres(point, np.zeros(len(point))), shapes).distance


@pytest.mark.parametrize(("seed", "count"), [(4, 100), pytest.param(2, many(1_000, 8_000), marks=pytest.mark.slow)])
def test_random_thin_pairs_have_their_certificates(seed, count):
    assert thin_shapes.run(seed, count) == []


@pytest.mark.parametrize(("field", "what"), [("point_b", "outside"), ("distance", "gap"), ("normal", "unit")])
def test_the_certificates_notice_an_answer_that_is_off(monkeypatch, field, what):
    distance = ck.distance

    def worse(a, b):
        found = distance(a, b)
        return replace(found, **{field: getattr(found, field) * 1.000001 + 1e-6})

    monkeypatch.setattr(ck, "distance", worse)
    failures = thin_shapes.run(1, 60)
    assert len({str(failure["case"]) for failure in failures}) > 50 and any(
        what in failure["what"] for failure in failures
    )


def test_contacts_of_a_needle_lie_on_the_cylinder_too():
    # All of it is level to a millionth, so any of its edges may be taken to face the rim.
    needle = [
        [-0.53226821, 0.78229437, 1.49981799],
        [-1.83089755, 0.78229622, 1.49981904],
        [-0.64010091, 0.78229534, 1.49981882],
        [-0.37814209, 0.78229481, 1.49981679],
        [-0.28044898, 0.78229592, 1.49981695],
        [-0.41652901, 0.78229528, 1.49981874],
        [-0.29824609, 0.78229676, 1.49981891],
        [-0.68303869, 0.78229467, 1.49981725],
        [0.68202861, 0.78229486, 1.499817],
        [-0.79683067, 0.78229613, 1.49981744],
    ]
    a, b = ck.Cylinders([[0, 0, 0]], [[0.5, 0.5, 1.5]], [1.0]), ck.Hulls.from_points([needle])
    touch = ck.contacts(a, b)
    half = touch.normal * touch.depth[:, None] / 2.0
    assert len(touch) and off(a, touch.point + half).max() <= 1e-5 and off(b, touch.point - half).max() <= 1e-5


@pytest.mark.parametrize("scale", [1.0, 2.0**20])
def test_a_plate_deep_in_a_hull_has_its_witnesses_on_both(scale):
    # Corners of a cube, some of them a rounding off.
    low, lower, high = -5e-07, -5.000000000000001e-07, 4.999999999999999e-07
    cube = [
        [-high, lower, low],
        [low, lower, -low],
        [-high, high, lower],
        [low, -low, -low],
        [-low, -high, -high],
        [-low, -high, -lower],
        [high, -lower, lower],
        [-low, -low, -low],
    ]
    turn = [
        [-0.8274913880225383, 0.26262039554037947, 0.49627465237985646],
        [0.5566253190352595, 0.49965677587585344, 0.6637102986471151],
        [-0.07366313160210025, 0.8254535929824048, -0.5596428404572061],
    ]
    place = scale * np.array([[1.2972726251013796e-06, -1.5274598856555432e-06, -6.443594734766016e-07]])
    half = scale * np.array([[1.4933410239041526e-06, 2.9107043494783775e-09, 7.482659175715432e-15]])
    center = scale * np.array([[6.386040584854546e-07, -1.4473554409372067e-07, -6.131851932121534e-07]])
    a = ck.Boxes(place, half, [[[0, 0, 1], [-1, 0, 0], [0, -1, 0]]])
    b = ck.Hulls.from_points([scale * np.array(cube)], center, [turn])
    found = ck.distance(a, b)
    assert max(off(a, found.point_a)[0], off(b, found.point_b)[0]) <= 1e-14 * 1e-6 * scale


def test_a_needle_that_only_a_sliver_of_a_tetrahedron_has_overlap_is_apart():
    needle = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.9041525989536257, 7.4e-10, 1e-09]]
    turn_a = [
        [0.32128690312301467, 0.8851601120913808, 0.3365505932902167],
        [-0.7093390970095632, -0.010501882187567091, 0.70478916],
        [0.6273856639542221, -0.46516801957238274, 0.6245045574147776],
    ]
    short = [[2.8478594e-09, 0.0, 0.0], [2e-09, -0.0089, 0.0]]
    turn_b = [
        [-0.8851600781224748, 0.32128651360188343, 0.3365510544861822],
        [0.010502273622851725, -0.7093394807297088, 0.704788765040177],
        [0.4651680753737998, 0.6273854295850787, 0.6245047513008858],
    ]
    a = ck.Hulls.from_points([needle], [[0.0, 0.0, 0.0]], [turn_a])
    b = ck.Hulls.from_points([short], [[0.044165450206568764, -0.097508729, 0.08624305984814956]], [turn_b])
    found = ck.distance(a, b)
    gap = -zoo.support(b, -found.normal) - zoo.support(a, found.normal)
    assert gap[0] > 1e-9 and not ck.overlap(a, b)[0] and ck.classify(a, b)[0] == ck.Verdict.SEPARATED
    np.testing.assert_allclose(found.distance, gap, atol=1e-15, rtol=0.0)
    for shapes, point in ((a, found.point_a), (b, found.point_b)):
        assert thin_shapes.outside(shapes, point, np.zeros(1))[0] <= 1e-15


@pytest.mark.parametrize("tilt", [0.0, 1e-9, 1e-8, 1e-7, 5e-7])
def test_contacts_of_hulls_that_are_segments_side_by_side_lie_on_both(tilt):
    rng = np.random.default_rng(15)
    along = np.array([0.0, 0.0, 1.0]) + tilt * rng.normal(size=(50, 3))
    turn = zoo.rotations(rng, 1)[0]
    a = ck.Hulls.from_points([np.array([[0, 0, -1], [0, 0, 1]]) @ turn.T])
    a = a.take(np.zeros(50, int))
    offset = np.array([0.3, 0.0, 0.0]) + rng.uniform(-1.5, 1.5, (50, 1)) * [0.0, 0.0, 1.0]
    b = ck.Hulls.from_points(list(np.stack([offset - along, offset + along], axis=1) @ turn.T))
    touch = ck.contacts(a, b, margin=0.4)
    assert (np.bincount(touch.pair, minlength=50) >= 1).all()
    half = touch.normal * touch.depth[:, None] / 2.0
    for shapes, point in ((a, touch.point + half), (b, touch.point - half)):
        assert off(shapes.take(touch.pair), point).max() <= 1.001e-9


def test_contacts_of_a_needle_over_a_box_lie_on_its_vertices():
    needle = [
        [-4.722835661369138e-10, 3.177341001128635e-09, -3.78606469042392e-05],
        [3.722236044341899e-10, 6.401220977721034e-10, 0.0007503786989634686],
        [-1.9587239721969015e-11, 2.0122914499015183e-09, 0.0003609641983587904],
        [1.564038731967096e-10, -5.951442585952365e-09, 0.00042826176590787975],
        [7.660901602111447e-11, 3.055656734540345e-09, -7.006417754830402e-05],
        [-2.595272914626526e-11, 4.626983574792192e-09, 2.389841273473325e-05],
    ]
    turn = [
        [-0.6145310156882706, -0.1576441025215577, 0.7729812207921452],
        [-0.43314947844557994, 0.8863510848307201, -0.16359487688105548],
        [-0.6593429760598535, -0.435350538485458, -0.612973693204657],
    ]
    a = ck.Hulls.from_points([needle], [[-0.0206, 0.0374, 0.0218]], [turn])
    b = ck.Boxes([[-0.01, 0.0249, 0.0189]], [[0.0223, 0.000234, 0.0422]], [turn])
    touch = ck.contacts(a, b, margin=0.05)
    half = touch.normal * touch.depth[:, None] / 2.0
    for shapes, point in ((a, touch.point + half), (b, touch.point - half)):
        shapes = shapes.take(touch.pair)
        assert len(touch) > 1 and thin_shapes.outside(shapes, point, np.full(len(touch), 1e-12)).max() <= 1e-12


@pytest.mark.parametrize("tilt", [1e-12, 1e-7, *slow(1e-9, 1e-5)])
@pytest.mark.parametrize("radius", [1.0, 1e-9, *slow(1e-4)])
def test_cylinders_tilted_by_little_have_their_witnesses_on_both(tilt, radius):
    rng = np.random.default_rng(10)
    along = np.array([0.0, 0.0, 1.0]) + tilt * rng.normal(size=(200, 3))
    place = rng.uniform(-1, 1, (200, 3)) * [radius, radius, 1.0] + [2.05 * radius, 0.0, 0.0]
    a = ck.Cylinders([[0, 0, -1]], [[0, 0, 1]], [radius]).take(np.zeros(200, int))
    b = ck.Cylinders(place - along, place + along, np.full(200, radius))
    found = ck.distance(a, b)
    np.testing.assert_allclose(
        found.point_b - found.point_a, found.distance[:, None] * found.normal, atol=1e-14, rtol=0.0
    )
    gap = -zoo.support(b, -found.normal) - zoo.support(a, found.normal)
    np.testing.assert_allclose(gap, found.distance, atol=1e-14, rtol=0.0)
    for shapes, point in ((a, found.point_a), (b, found.point_b)):
        assert ck.distance(ck.Spheres(point, np.zeros(200)), shapes).distance.max() <= 1e-14


def slivers(rng, count):
    """Points in boxes of any aspect ratio down to 1e-9, along common axes but for a small turn."""
    thin = 10.0 ** rng.uniform(-9, 0, (count, 1, 3))
    turn = np.eye(3) + 10.0 ** rng.uniform(-12, -2, (count, 1, 1)) * rng.normal(size=(count, 3, 3))
    return rng.uniform(-1, 1, (count, 8, 3)) * thin @ turn + rng.uniform(-1.5, 1.5, (count, 1, 3)) * thin


def test_points_and_direction_of_slivers_prove_the_same_distance():
    rng = np.random.default_rng(12)
    a, b = Clouds(slivers(rng, 1000)), Clouds(slivers(rng, 1000))
    found = closest(a, b)
    rows = np.flatnonzero(~found.overlap & (found.distance > 1e-14))
    assert len(rows) > 300
    gap = np.einsum("pi,pi->p", b.support(-found.normal) - a.support(found.normal), found.normal)
    across = found.point_b - found.point_a - found.distance[:, None] * found.normal
    assert np.abs(gap - found.distance)[rows].max() <= 1e-13
    assert np.linalg.norm(across, axis=1)[rows].max() <= 1e-13
    assert not found.doubtful[rows].any()


def test_a_direction_alone_is_enough_to_find_the_closest_points():
    rng = np.random.default_rng(13)
    a, b = Clouds(slivers(rng, 300)), Clouds(slivers(rng, 300) + np.array([4.0, 0.0, 0.0]))
    found = settled(a, b, np.eye(3)[np.zeros(300, int)], np.full(300, 1e-14))
    np.testing.assert_allclose(found.lower, closest(a, b).distance, atol=1e-13, rtol=0.0)
    assert found.miss.max() <= 1e-13


def test_a_direction_that_is_not_the_shortest_separating_translation_is_left_for_a_shorter_one():
    cube = np.array(np.meshgrid([-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0])).reshape(3, 8).T
    a, b = Clouds(cube[None]), Clouds(cube[None] + [1.5, 0.25, 0.0])
    tilted = np.array([[np.cos(0.1), np.sin(0.1), 0.0]])
    gap = np.einsum("pi,pi->p", b.support(-tilted) - a.support(tilted), tilted)
    found = brought_together(a, b, tilted, gap, np.full(1, 1e-14))
    np.testing.assert_allclose(found.lower, -0.5, atol=1e-13)
    np.testing.assert_allclose(found.normal, [[1.0, 0.0, 0.0]], atol=1e-13)
    np.testing.assert_allclose(found.point_a - found.point_b, [[0.5, 0.0, 0.0]], atol=1e-13)


@pytest.mark.parametrize("count", [20, *slow(200)])
@pytest.mark.parametrize(
    "kinds",
    [
        (ck.Kind.HULL, ck.Kind.HULL),
        (ck.Kind.TRIANGLE, ck.Kind.HULL),
        (ck.Kind.CYLINDER, ck.Kind.TRIANGLE),
        (ck.Kind.CYLINDER, ck.Kind.CYLINDER),
    ],
)
def test_contacts_of_needles_and_slivers_lie_on_both_and_overlap_is_what_distance_says(kinds, count):
    rng = np.random.default_rng([5, *kinds])
    turn = zoo.rotations(rng, count)
    turns = turn, turn @ pair_cases.small_turns(rng, 10.0 ** rng.uniform(-12.0, 0.0, count))
    a, b = (
        pair_cases.made(kind, "thin", rng, turn, rng.uniform(-1.0, 1.0, (count, 3)), 1.0)
        for kind, turn in zip(kinds, turns, strict=True)
    )
    near = ck.distance(a, b)
    left = near.rounding * 10.0 ** rng.uniform(-2.0, 12.0, count) * rng.choice([-1.0, 1.0], count)
    b = pair_cases.moved(b, (left - near.distance)[:, None] * near.normal)
    found, touch = ck.distance(a, b), ck.contacts(a, b, margin=0.3)
    np.testing.assert_array_equal(ck.overlap(a, b), found.distance <= found.rounding)
    origin, size = ck.bounding_spheres(b)[0], ck.bounding_spheres(a)[1] + ck.bounding_spheres(b)[1]
    for shapes, sign in ((a, 0.5), (b, -0.5)):
        surface = touch.point.astype(np.longdouble) + sign * touch.depth[:, None] * touch.normal - origin[touch.pair]
        out = Body(shapes.take(touch.pair), origin[touch.pair], np.longdouble).off(surface)
        np.testing.assert_array_less(out, 1.01e-9 * size[touch.pair])


def test_the_depth_of_hulls_that_are_flat_but_for_a_little_is_the_same_when_swapped():
    """The arcs of their edges go from one pole of the Gauss map to the other."""
    rng = np.random.default_rng(51)
    turn = zoo.rotations(rng, 1)[0]
    flat = rng.normal(size=(2, 400, 5, 3)) * [1.0, 1.0, 1e-10]
    a, b = (ck.Hulls.from_points(list(points), rotation=np.repeat(turn[None], 400, axis=0)) for points in flat)
    one, other = ck.distance(a, b), ck.distance(b, a)
    assert (one.distance < -one.rounding).any()
    np.testing.assert_allclose(one.distance, other.distance, rtol=0.0, atol=2.0 * one.rounding.max())


def rims_that_nearly_touch(rng, count):
    """Cylinders beside or in each other whose axes are all but parallel and whose rims are all but in contact."""
    radius = 10.0 ** rng.uniform(-2.0, 0.0, (2, count))
    height = 10.0 ** rng.uniform(-9.0, 0.0, (2, count, 1))
    gap = 10.0 ** rng.uniform(-13.0, -8.0, count) * rng.choice([-1.0, 1.0], count)
    inside = rng.random(count) < 0.3
    between = np.where(inside, np.abs(radius[0] - radius[1]), radius.sum(axis=0)) + gap
    turn = zoo.rotations(rng, count)
    axis_a = turn[:, :, 2]
    axis_b = (turn @ pair_cases.small_turns(rng, 10.0 ** rng.uniform(-8.0, -1.0, count)))[:, :, 2]
    end = rng.choice([-1.0, 1.0], (2, count, 1))
    rim = (
        end[0] * height[0] * axis_a
        + between[:, None] * turn[:, :, 0]
        + (gap * rng.normal(size=count))[:, None] * axis_a
    )
    center = rim - end[1] * height[1] * axis_b
    a = ck.Cylinders(-height[0] * axis_a, height[0] * axis_a, radius[0])
    return a, ck.Cylinders(center - height[1] * axis_b, center + height[1] * axis_b, radius[1])


def test_cylinders_whose_rims_nearly_touch_are_measured_to_rounding_in_both_orders():
    a, b = rims_that_nearly_touch(np.random.default_rng(15), 400)
    found, swapped = ck.distance(a, b), ck.distance(b, a)
    np.testing.assert_array_less(np.abs(found.distance - swapped.distance), 4.0 * found.rounding)
    for shapes, point in ((a, found.point_a), (b, found.point_b), (b, swapped.point_a), (a, swapped.point_b)):
        np.testing.assert_array_less(off(shapes, point), 4.0 * found.rounding)


def test_two_sheets_whose_rims_overlap_by_less_than_they_are_thick_have_one_depth():
    a = ck.Cylinders(
        [[0.8214589489764966, 0.35291115730922246, 0.21498782986146334]],
        [[0.8214583845458813, 0.35311486349811033, 0.21493222139032844]],
        [0.5434963214782828],
    )
    b = ck.Cylinders(
        [[-0.4709359196966453, 0.39274967927141574, 0.3732407602575564]],
        [[-0.4709359196977737, 0.39274967967869817, 0.3732407601463749]],
        [0.759160790046949],
    )
    found, swapped = ck.distance(a, b), ck.distance(b, a)
    # No direction of a dense set around the normal has a larger gap; the radial one has -1.8e-10.
    assert -1.11e-10 < found.distance[0] < -1.1e-10
    assert abs(found.distance[0] - swapped.distance[0]) < found.rounding[0]
    normal = zoo.rotations(np.random.default_rng(0), 2000)[:, :, 2]
    near = found.normal + 10.0 ** np.linspace(-9.0, 0.0, 2000)[:, None] * normal
    near /= np.linalg.norm(near, axis=1)[:, None]
    many = np.zeros(2000, dtype=np.int64)
    gap = -zoo.support(b.take(many), -near) - zoo.support(a.take(many), near)
    assert gap.max() <= found.distance[0] + found.rounding[0]


def test_the_one_contact_left_of_a_needle_over_a_triangle_has_the_normal_of_the_pair():
    corners = [
        [-69621.66720042357, 48663.68451598253, 12755.29235739943],
        [81047.48904870874, 11955.17764311004, -8102.250713529187],
        [-88816.58559721049, 132617.18560070213, 43363.71421423691],
    ]
    points = [
        [-0.015774723816773133, -0.002967419360550722, -29606.011918732765],
        [-0.07879043244055009, 0.010004440564751482, 33865.48511497214],
        [0.020084714185074282, -0.009862932962051617, -94415.53031268957],
        [0.0010094306871172099, 0.0068064383981136616, -14853.573783078762],
        [0.039047505837781174, 0.007827598691556747, 56636.64851818151],
        [0.01998628551441416, -0.011970014158594867, 47898.45925562506],
        [-0.012246272727342725, -0.004466245859273294, -56863.57989734965],
    ]
    place = [48646.75474842788, 38767.54493073291, 5542.210337657016]
    turn = [
        [0.05766750641707308, 0.9813728677378267, 0.18325324873428833],
        [-0.3334310303317715, -0.15408542890493526, 0.9300975371492365],
        [0.9410091427374817, -0.1147387252291755, 0.3183344439693161],
    ]
    a = ck.Triangles([corners])
    b = ck.Hulls.from_points([points], [place], [turn])
    size = (ck.bounding_spheres(a)[1] + ck.bounding_spheres(b)[1])[0]
    touch = ck.contacts(a, b, margin=0.2 * size)
    half = touch.normal * (touch.depth / 2.0)[:, None]
    assert len(touch) == 1
    for shapes, point in ((a, touch.point + half), (b, touch.point - half)):
        assert off(shapes, point).max() < 1e-12 * size


def test_a_tip_beside_a_rim_is_as_far_as_it_was_put():
    """Cylinders without a radius end beside rims of others, and run across the plane of the cap or away from it."""
    rng, count = np.random.default_rng(84), 200
    turn = zoo.rotations(rng, count)
    out, axis = turn[:, :, 0], turn[:, :, 2]
    level, gap = rng.uniform(0.05, 1.5, count)[:, None], 10.0 ** rng.uniform(-13.0, -7.0, count)
    normal = np.cos(level) * out + np.sin(level) * axis
    radius, height = rng.uniform(0.1, 1.0, (2, count))
    a = ck.Cylinders(-height[:, None] * axis, height[:, None] * axis, radius)
    tip = radius[:, None] * out + height[:, None] * axis + gap[:, None] * normal
    along = zoo.rotations(rng, count)[:, :, 2]
    ahead = (along * normal).sum(axis=1)
    along *= np.where(ahead < 0.0, -1.0, 1.0)[:, None]
    b = ck.Cylinders(tip, tip + along, np.zeros(count))
    found, swapped = ck.distance(a, b), ck.distance(b, a)
    for distance in (found.distance, swapped.distance):
        np.testing.assert_array_less(np.abs(distance - gap), found.rounding)
    np.testing.assert_array_equal(ck.overlap(a, b), found.distance <= found.rounding)
    for shapes, point in ((a, found.point_a), (b, found.point_b)):
        np.testing.assert_array_less(off(shapes, point), found.rounding)


def test_rims_in_contact_to_the_last_digit_have_a_contact():
    a = ck.Cylinders(
        [[-0.725951318737631, 0.921243397848528, -0.2089815775257884]],
        [[-0.8931509659601267, 1.0210243616387218, -0.13868996550160895]],
        [0.4938607057882546],
    )
    b = ck.Cylinders(
        [[0.6323669109578894, 0.2871177750123309, 0.24397078348586543]],
        [[-0.39169143182876176, 0.8610655025881637, 0.6715546313020095]],
        [0.44995571583547633],
    )
    found = ck.distance(a, b)
    assert found.rounding[0] < found.distance[0] < 1.2 * found.rounding[0]
    assert not ck.overlap(a, b)[0] and len(ck.contacts(a, b)) == 0
    b = zoo.moved(b, -0.5 * found.distance[:, None] * found.normal)
    assert ck.overlap(a, b)[0] and len(ck.contacts(a, b)) == 1


def test_collinear_points_give_unit_directions_or_none():
    rng = np.random.default_rng(4)
    start, run = rng.integers(-3, 4, (2, 4000, 1, 3)) / 10.0
    for corners in (start + rng.integers(-3, 4, (4000, 3, 1)) / 4.0 * run).tolist():
        p, q, r = map(tuple, corners)
        for candidate in (of_edge(p, p), of_edge(p, q), of_triangle(p, q, r)):
            assert math.isclose(math.hypot(*candidate[0]), 1.0, abs_tol=1e-12) or candidate[0] == (0.0, 0.0, 0.0)


def test_a_needle_far_from_the_origin_keeps_its_deepest_contacts():
    """Its points are rounded by about its width there, and are not off its surface by more than that."""
    place = np.array([10447452.0, -3836248.0, -12198688.0])
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * [3.2e-4, 7.4e-8, 4.0]
    rng = np.random.default_rng(5)
    turn = zoo.rotations(rng, 60)
    needles = ck.Hulls.from_points([corners] * 60, np.tile(place, (60, 1)), turn)
    boxes = ck.Boxes(place + rng.uniform(-6.0, 6.0, (60, 3)), np.tile([7.0, 2.6, 4.7], (60, 1)), zoo.rotations(rng, 60))
    found, touch = ck.distance(needles, boxes), ck.contacts(needles, boxes)
    deepest = np.zeros(60)
    np.maximum.at(deepest, touch.pair, touch.depth)
    assert np.count_nonzero(found.distance < -0.1) > 20
    np.testing.assert_allclose(deepest, np.maximum(-found.distance, 0.0), atol=0.1, rtol=0.01)


@pytest.mark.parametrize("margin", [0.0, 10.0, 225655.0])
def test_a_line_that_crosses_a_side_keeps_that_contact_whatever_the_margin_is(margin):
    line = ck.Cylinders(
        [[-26789.48009737517, -531183.2985296559, 290119.6911219667]],
        [[255298.61794911773, -89931.36017608439, 265605.63834140485]],
        [0.0],
    )
    triangle = ck.Triangles(
        [
            [-169665.65573156788, -841373.1361986506, -155011.10338222107],
            [198783.84940527496, -273659.0760084698, -457833.69486904424],
            [398174.79358331044, 220258.47749291034, 710736.4328455926],
        ]
    )
    found, touch = ck.distance(line, triangle), ck.contacts(line, triangle, margin=margin)
    assert touch.depth.max() >= -found.distance[0] - found.rounding[0]


def test_a_plate_apart_has_a_contact_within_the_margin_at_its_own_distance():
    """The deepest corner of the patch of its face, which is tilted a little, is beside the plate."""
    plate = [[0.0011131003673028558, 68.88397727806166, -0.08153414915651641],
             [-8.770555867144605e-05, -36.276352178299, -0.007743665455701951],
             [0.000451005968080219, 321.3406024882699, -0.04342932844827521],
             [-0.00017325325019353294, 89.15584220680581, -0.08556709702014],
             [-0.0011662852433186037, 63.351868182407344, 0.021478512316911728],
             [-0.0004332845874902786, 187.03399509799428, -0.01126311923832025],
             [0.0010302048229475663, -78.46478117606053, -0.054711638864140176]]  # fmt: skip
    other = [[-270.8252876758887, 69.23544673516301, 73.30063444655609],
             [58.621109800143614, 84.88702976907341, -225.92723856397166],
             [-48.359538136382135, 142.11008634888205, 8.54632055246464],
             [86.5604948560928, 52.31304604568611, -85.8500806628964]]  # fmt: skip
    turns = np.array([[[-1, 0, 0], [0, 1, 0], [0, 0, -1]], [[0, -1, 0], [0, 0, -1], [1, 0, 0]]], dtype=float)
    a = ck.Hulls.from_points([plate], [[-151.67511193631515, -183.3755735420039, -48.037417231915526]], turns[:1])
    b = ck.Hulls.from_points([other], [[-151.67510986328125, -183.37557983398438, -48.037418365478516]], turns[1:])
    found, touch = ck.distance(a, b), ck.contacts(a, b, margin=113.5)
    # docs/conventions.md: of a pair that is apart, less deep by at most a hundredth of the distance.
    assert touch.depth.max() >= -1.01 * found.distance[0]


def off_exactly(shapes, point):
    """Return how far points are outside shapes, by an oracle that computes thin ones in fractions."""
    origin = shapes.bounding_spheres()[0]
    return Body(shapes, origin, np.longdouble).off(point.astype(np.longdouble) - origin).astype(float)


def test_a_sphere_about_a_hull_of_one_point_has_its_witness_on_that_point():
    """The two points had one direction each, along which both seemed to overlap."""
    turned = [[[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]]]
    hull, sphere = ck.Hulls.from_points([[[0.0, 0.0, 0.0]] * 8], rotation=turned), ck.Spheres([[0.0, 0.0, 2e-9]], [0.1])
    found = ck.distance(sphere, hull)
    assert off_exactly(hull, found.point_b) <= found.rounding
    assert found.distance == pytest.approx(2e-9 - 0.1, abs=found.rounding[0])


def test_a_segment_of_a_hull_across_another_at_a_small_angle_touches_it_where_they_cross():
    """The middle of their common part, as of parallel segments, was off both."""
    across = [[[-0.7, -1e-9, 0.0], [1.3, 1e-9, 0.0]]]
    a, b = ck.Hulls.from_points(across), ck.Capsules([[-1.0, 0.0, 0.0]], [[1.0, 0.0, 0.0]], [0.0])
    found = ck.distance(a, b)
    assert found.distance <= found.rounding
    assert off_exactly(a, found.point_a) <= found.rounding and off_exactly(b, found.point_b) <= found.rounding


def test_a_needle_at_the_rim_of_a_plate_has_its_witness_on_the_plate():
    """The rim is seen at a low angle, so that all faces of the plate count as one, whose corners are off the plate."""
    turn_a = [[-0.9226200199019952, 0.3299751843596651, 0.19972149754807872],
              [-0.3791225913534627, -0.871111380125673, -0.3121394306091115],
              [0.07098140320871067, -0.36370501938019756, 0.9288058458451757]]  # fmt: skip
    turn_b = [[-0.9365126009774342, 0.2720926327725589, 0.22115548241311725],
              [-0.34074958914305004, -0.8549532090215105, -0.39108148496530015],
              [0.08266719850898435, -0.4416113784479732, 0.8933899063208388]]  # fmt: skip
    plate = [[0.0006416014727072546, -7.0151911755943e-12, -0.000700342308751744],
             [0.0007799514755417119, -1.4072050588423731e-11, -0.0004929951267846442],
             [-0.0002477731802606427, -2.0948135956736146e-11, -0.00036972979667119474],
             [-6.646006793438525e-05, -3.199129661355496e-11, 4.975665938334324e-05],
             [7.588061748604932e-05, 2.2535587909042583e-11, -0.0007028740594355928],
             [0.00013559753874403178, 2.842457518331193e-11, 0.000329082540458392],
             [-0.0008131555052379205, 3.5538000189685933e-12, -0.0004110406315913812]]  # fmt: skip
    half = np.array([1.087522133000637e-09, 8.154756075122384e-12, 1.915715135546864e-08])
    needle = [[x, y, z] * half for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    a = ck.Hulls.from_points(
        [needle], [[0.0004714718079178791, 0.0004191162079333374, 0.0007668796032417702]], [turn_a]
    )
    b = ck.Hulls.from_points(
        [plate], [[0.0005256773691164811, 0.0005940246867438844, 0.00046165340810350956]], [turn_b]
    )
    found = ck.distance(a, b)
    assert found.distance <= found.rounding
    assert off_exactly(a, found.point_a) <= found.rounding and off_exactly(b, found.point_b) <= found.rounding


def test_overlap_and_distance_agree_about_a_line_at_the_corner_of_a_plate():
    """They are four roundings apart. After a move by a billionth of their size, they seemed to be twenty deep."""
    turn = [[0.7989449400010821, -0.5990529189041711, -0.05312798884825051],
            [0.3156271936070455, 0.49285691944952825, -0.8108461824578456],
            [0.5119242693039742, 0.6310528165717301, 0.5828429335545541]]  # fmt: skip
    plate = ck.Boxes(
        [[-0.0021043857229171635, -0.0012198251752162216, 0.0015097772078224102]],
        [[0.0005132244076541043, 0.0, 0.0005726007192304774]],
        [turn],
    )
    line = ck.Cylinders(
        [[-0.0015037961325815694, 0.001850384393348435, -0.0003179447561473814]],
        [[-0.001760320468746117, -0.002064722745639052, 0.002496266601324067]],
        [0.0],
    )
    found = ck.distance(plate, line)
    assert ck.overlap(plate, line) == (found.distance <= found.rounding)
    assert abs(found.distance) <= 4.0 * found.rounding
