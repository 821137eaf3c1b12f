# SPDX-License-Identifier: GPL-3.0-or-later
"""Cylinders against everything: certificates where features coincide, manifolds, containment, features."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.convex.cylinders import circles
from collision_kit.core.numerics.vectors import normalized
from collision_kit.core.results import ContactType, FeatureKind
from tests.helpers import zoo
from tests.helpers.offline import slow

TINY = 1e-12
DOWN, SIDE = 0, 2


def cylinder(start, end, radius):
    return ck.Cylinders([start], [end], [radius])


def certified(a, b, size=1.0):
    """The distance, after its certificate: what the witnesses prove from above, the normal proves from below."""
    found = ck.distance(a, b)
    across = found.point_b - found.point_a
    np.testing.assert_allclose(across, found.distance[:, None] * found.normal, atol=TINY * size)
    gap = -zoo.support(b, -found.normal) - zoo.support(a, found.normal)
    np.testing.assert_allclose(gap, found.distance, atol=TINY * size)
    for shapes, points in ((a, found.point_a), (b, found.point_b)):
        held = ck.distance(shapes, ck.Spheres(points, np.zeros(len(points))))
        assert (held.distance <= TINY * size).all()
    return found


def test_two_cylinders_in_a_line():
    low, radius = cylinder([0, 0, -1], [0, 0, 1], 1.0), 0.5
    for height, expected in ((1.25, 0.25), (1.0, 0.0), (0.75, -0.25)):
        found = certified(low, cylinder([0, 0, height], [0, 0, height + 2], radius))
        np.testing.assert_allclose(found.distance, expected, atol=TINY)
        np.testing.assert_allclose(found.normal, [[0, 0, 1]], atol=TINY)
    # The one within the other: out through the side is 1.5, out along the axis 1.6.
    found = certified(low, cylinder([0, 0, -0.4], [0, 0, 0.6], radius))
    np.testing.assert_allclose(found.distance, -1.4, atol=TINY)
    found = certified(low, cylinder([0, 0, -0.9], [0, 0, 0.9], radius))
    np.testing.assert_allclose(found.distance, -1.5, atol=TINY)
    np.testing.assert_allclose(found.normal[:, 2], 0.0, atol=TINY)


@pytest.mark.parametrize("tilt", [0.0, 1e-12, 1e-7, *slow(1e-15, 1e-9, 1e-5, 1e-3)])
def test_nearly_parallel_cylinders_side_by_side(tilt):
    a = cylinder([0, 0, -1], [0, 0, 1], 0.5)
    for twist in ([0, 1], [1, 0], [0.6, 0.8]):
        along = np.array([tilt * twist[0], tilt * twist[1], 1.0])
        for away in (0.9, 1.0, 1.3):
            middle = np.array([away, 0.0, 0.5])
            certified(a, cylinder(middle - along, middle + along, 0.5))


def test_coplanar_caps_and_concentric_cylinders():
    a = cylinder([0, 0, 0], [0, 0, 1], 1.0)
    for start, end, radius, expected in (
        ([3, 0, 0], [3, 0, 1], 1.0, 1.0),  # both caps level with each other
        ([2, 0, 0], [2, 0, 1], 1.0, 0.0),
        ([1.5, 0, 1], [1.5, 0, 2], 1.0, 0.0),  # cap on cap
        ([0, 0, 0], [0, 0, 1], 1.0, -1.0),  # itself
        ([0, 0, 0.25], [0, 0, 0.75], 0.25, -0.75),
        ([0, -0.5, 0.5], [0, 0.5, 0.5], 0.125, -0.625),
        ([3, 0, 1], [5, 0, 1], 0.0, 2.0),  # a segment level with a cap
        ([1, 0, 0.5], [2, 0, 0.5], 0.0, 0.0),
    ):
        found = certified(a, cylinder(start, end, radius))
        np.testing.assert_allclose(found.distance, expected, atol=TINY)


@pytest.mark.parametrize("radius", [0.0, 1e-6, *slow(1e-12, 1e-3)])
@pytest.mark.parametrize("kind", [ck.Kind.CAPSULE, ck.Kind.CYLINDER, ck.Kind.BOX, ck.Kind.TRIANGLE, ck.Kind.HULL])
def test_needles_and_coins_have_their_certificates(kind, radius):
    rng = np.random.default_rng([3, kind])
    place, along = rng.uniform(-1, 1, (60, 3)), rng.normal(size=(60, 3))
    others = zoo.generic(kind, rng, 60)
    certified(ck.Cylinders(place, place + along, np.full(60, radius)), others)
    thin = place + max(radius, 1e-9) * along
    certified(ck.Cylinders(place, thin, rng.uniform(0.1, 1.0, 60)), others)


def test_far_from_the_origin_only_the_coordinates_round():
    rng = np.random.default_rng(4)
    for kind in (ck.Kind.SPHERE, ck.Kind.CAPSULE, ck.Kind.CYLINDER, ck.Kind.BOX, ck.Kind.TRIANGLE, ck.Kind.HULL):
        grid = 2.0**-20  # coordinates that survive the move exactly
        a = zoo.generic(ck.Kind.CYLINDER, rng, 50)
        a = ck.Cylinders(np.round(a.start / grid) * grid, np.round(a.end / grid) * grid, a.radius)
        b = zoo.generic(kind, rng, 50)
        shift = np.array([2.0**30, -(2.0**29), 2.0**28])
        far = ck.distance(zoo.placed(a, np.eye(3), 1.0, shift), zoo.placed(b, np.eye(3), 1.0, shift))
        # The other shape's place is rounded to 2^30 eps.
        np.testing.assert_allclose(far.distance, ck.distance(a, b).distance, atol=4.0 * 2.0**30 * 2.3e-16)


def standing(on, tilt=0.0, depth=0.1):
    axis = np.array([np.sin(tilt), 0.0, np.cos(tilt)])
    base = np.array([0.0, 0.0, -depth])
    return ck.contacts(cylinder(base, base + 2 * axis, 0.5), on)


FLOORS = [
    ck.Boxes([[0, 0, -1]], [[2, 2, 1]]),
    ck.Hulls.from_points([2.0 * np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 0])).reshape(3, 8).T]),
    ck.HalfSpaces([[0, 0, 1]], [0]),
    ck.Planes([[0, 0, 1]], [0]),
]


@pytest.mark.parametrize("floor", FLOORS, ids=lambda floor: type(floor).__name__)
def test_a_standing_cylinder_rests_on_four_points_of_its_rim(floor):
    found = standing(floor)
    assert len(found) == 4
    np.testing.assert_allclose(found.normal, [[0, 0, -1]] * 4, atol=TINY)
    np.testing.assert_allclose(found.depth, 0.1, atol=TINY)
    np.testing.assert_allclose(found.point[:, 2], -0.05, atol=TINY)
    # Well spread: each is the far end of a diameter of another.
    np.testing.assert_allclose(np.linalg.norm(found.point[:, :2], axis=1), 0.5, atol=TINY)
    np.testing.assert_allclose(found.point.mean(axis=0)[:2], 0.0, atol=TINY)
    assert found.feature_a.tolist() == [[FeatureKind.EDGE, DOWN]] * 4
    assert found.feature_b[:, 0].tolist() == [FeatureKind.FACE] * 4
    assert (found.type == ContactType.EDGE_FACE).all()


@pytest.mark.parametrize("floor", FLOORS, ids=lambda floor: type(floor).__name__)
def test_a_cylinder_on_its_side_rests_on_a_line_and_a_tilted_one_on_a_point(floor):
    lying = ck.contacts(cylinder([-1, 0, 0.4], [1, 0, 0.4], 0.5), floor)
    assert len(lying) == 2
    np.testing.assert_allclose(lying.depth, 0.1, atol=TINY)
    np.testing.assert_allclose(np.sort(lying.point, axis=0), [[-1, 0, -0.05], [1, 0, -0.05]], atol=TINY)
    tilted = standing(floor, tilt=0.3, depth=-0.1)
    assert len(tilted) == 1 and tilted.feature_a.tolist() == [[FeatureKind.EDGE, DOWN]]
    np.testing.assert_allclose(tilted.depth, 0.5 * np.sin(0.3) - 0.1, atol=TINY)


def test_a_side_longer_than_the_face_is_clipped_to_it():
    found = ck.contacts(cylinder([-3, 0.25, 0.4], [3, 0.25, 0.4], 0.5), FLOORS[0])
    np.testing.assert_allclose(np.sort(found.point, axis=0), [[-2, 0.25, -0.05], [2, 0.25, -0.05]], atol=1e-11)
    assert found.feature_a.tolist() == [[FeatureKind.EDGE, SIDE]] * 2
    assert (found.type == ContactType.EDGE_EDGE).all()


def test_a_cap_on_a_small_face_takes_the_corners_of_the_face():
    found = ck.contacts(cylinder([0, 0, 0], [0, 0, 1], 2.0), ck.Boxes([[0, 0, -0.9]], [[1, 1, 1]]))
    assert len(found) == 4 and (found.type == ContactType.POINT_FACE).all()
    np.testing.assert_allclose(np.abs(found.point), [[1, 1, 0.05]] * 4, atol=TINY)
    assert sorted(found.feature_b.tolist()) == [[FeatureKind.VERTEX, v] for v in (4, 5, 6, 7)]
    assert found.feature_a.tolist() == [[FeatureKind.FACE, DOWN]] * 4


def test_a_cylinder_over_the_brink_stands_on_where_its_rim_crosses_it():
    found = ck.contacts(cylinder([0, 0, 0], [0, 0, 1], 1.0), ck.Boxes([[2.25, 0, -0.9]], [[2, 2, 1]]))
    assert len(found) == 4 and (found.point[:, 0] >= 0.25 - TINY).all()
    brink = [0.25, np.sqrt(1.0 - 0.25**2)]
    for end in (brink, [brink[0], -brink[1]]):
        away = np.linalg.norm(found.point[:, :2] - end, axis=1)
        assert away.min() < 1e-12 and found.type[away.argmin()] == ContactType.EDGE_EDGE


def test_caps_that_overlap_in_part_meet_in_a_lens():
    found = ck.contacts(cylinder([0, 0, 0], [0, 0, 1], 1.0), cylinder([1.2, 0, 2.9], [1.2, 0, 0.9], 1.0))
    assert len(found) == 4
    np.testing.assert_allclose(found.normal, [[0, 0, 1]] * 4, atol=TINY)
    np.testing.assert_allclose(found.depth, 0.1, atol=TINY)
    flat = found.point[:, :2]
    assert (np.linalg.norm(flat, axis=1) <= 1.0 + TINY).all()
    assert (np.linalg.norm(flat - [1.2, 0], axis=1) <= 1.0 + TINY).all()
    for tip in ([0.6, 0.8], [0.6, -0.8]):  # where the rims cross
        assert np.linalg.norm(flat - tip, axis=1).min() < 1e-11
    assert {tuple(f) for f in found.feature_b} <= {(FeatureKind.EDGE, 1), (FeatureKind.FACE, 1)}


def test_a_capsule_along_the_side_meets_it_in_two_points():
    capsule = ck.Capsules([[0.9, 0, -2]], [[0.9, 0, 0.5]], [0.5])
    found = ck.contacts(capsule, cylinder([0, 0, -1], [0, 0, 1], 0.5))
    np.testing.assert_allclose(np.sort(found.point, axis=0), [[0.45, 0, -1], [0.45, 0, 0.5]], atol=TINY)
    np.testing.assert_allclose(found.normal, [[-1, 0, 0]] * 2, atol=TINY)
    np.testing.assert_allclose(found.depth, 0.1, atol=TINY)
    assert (found.type == ContactType.EDGE_EDGE).all()


def test_a_ball_meets_cap_side_and_rim():
    b = cylinder([0, 0, 0], [0, 0, 2], 1.0)
    balls = ck.Spheres([[0.3, 0, 2.4], [1.4, 0, 1], [1.3, 0, 2.4], [0, 0, 0.2], [0.9, 0, 1]], [0.5, 0.5, 0.6, 0.1, 0.1])
    found, touch = certified(balls, b), ck.contacts(balls, b)
    np.testing.assert_allclose(found.distance, [-0.1, -0.1, -0.1, -0.3, -0.2], atol=TINY)
    np.testing.assert_allclose(found.normal[2], [-0.6, 0, -0.8], atol=TINY)
    face, edge = FeatureKind.FACE, FeatureKind.EDGE
    assert touch.feature_b.tolist() == [[face, 1], [edge, SIDE], [edge, 1], [face, 0], [edge, SIDE]]


def test_the_nearer_side_of_a_plane_is_where_the_center_is():
    plane = ck.Planes([[0, 0, 1]], [0])
    for height, normal in ((0.25, -1), (-0.25, 1), (0.0, -1)):
        found = ck.distance(cylinder([0, 0, height - 1], [0, 0, height + 1], 0.5), plane)
        np.testing.assert_allclose(found.distance, abs(height) - 1.0, atol=TINY)
        np.testing.assert_allclose(found.normal, [[0, 0, normal]], atol=TINY)
    flat = ck.Cylinders([[0, 0, 0], [0, 0, 0]], [[1, 0, 0], [1, 0, 0]], [0.0, 0.1])
    assert ck.contains(plane, flat).tolist() == [True, False]


def rim_points(shapes, count=160):
    """Points all around both rims of each cylinder: (N, 2 count, 3)."""
    axis = (shapes.end - shapes.start) / np.linalg.norm(shapes.end - shapes.start, axis=1, keepdims=True)
    first = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis), axis=1)])
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    turn = np.arange(count) * 2.0 * np.pi / count
    circle = np.cos(turn)[:, None] * first[:, None] + np.sin(turn)[:, None] * np.cross(axis, first)[:, None]
    circle *= shapes.radius[:, None, None]
    return np.concatenate([shapes.start[:, None] + circle, shapes.end[:, None] + circle], axis=1)


HOLDERS = [
    ck.Kind.SPHERE,
    ck.Kind.CAPSULE,
    ck.Kind.CYLINDER,
    ck.Kind.BOX,
    ck.Kind.TRIANGLE,
    ck.Kind.HULL,
    ck.Kind.HALF_SPACE,
]


@pytest.mark.parametrize("kind", HOLDERS)
@pytest.mark.parametrize("maker", zoo.MAKERS)
def test_a_shape_holds_a_cylinder_exactly_if_it_holds_its_rims(kind, maker):
    rng = np.random.default_rng([7, kind])
    holders = zoo.MAKERS[maker](kind, rng, 300)
    # Small ones, so that a good part of them is held, and more of them on the brink.
    place = rng.uniform(-0.5, 0.5, (300, 3)) if maker == "generic" else rng.integers(-1, 2, (300, 3)) / 2.0
    along = 0.3 * rng.normal(size=(300, 3)) if maker == "generic" else np.eye(3)[rng.integers(0, 3, 300)] / 2.0
    small = ck.Cylinders(place, place + along, rng.choice([0.0, 0.125, 0.25, 0.5], 300))
    held = ck.contains(holders, small)
    points = rim_points(small)
    row = np.repeat(np.arange(300), points.shape[1])
    depth = ck.distance(holders.take(row), ck.Spheres(points.reshape(-1, 3), np.zeros(len(row)))).distance
    farthest = depth.reshape(300, -1).max(axis=1)
    if kind != ck.Kind.TRIANGLE:
        assert held.any()
    assert not held.all()
    assert (farthest[held] <= TINY).all()
    # Between two sampled points a rim rises above its chord by no more than r (1 - cos(half the step)).
    assert (farthest[~held] > -0.5 * (1.0 - np.cos(np.pi / 160))).all()


def test_the_least_of_an_ellipse_beats_a_scan_of_all_directions():
    rng = np.random.default_rng(8)
    count = 2000
    radius, angle = rng.uniform(0, 1, count), rng.choice([0, 1e-9, 0.3, 1.0, np.pi / 2], count)
    x, y = rng.normal(size=(2, count)) * rng.choice([0.0, 1e-6, 1.0, 30.0], (2, count))
    t, exists = circles.edge_normals(radius, np.sin(angle), np.cos(angle), x, np.abs(y))
    turn = np.linspace(0, np.pi / 2, 1001)[1:-1]

    def overlap(phi):
        a, b = radius[:, None] * np.cos(angle)[:, None], radius[:, None]
        span = np.sqrt((a * np.cos(phi)) ** 2 + (b * np.sin(phi)) ** 2)
        return span - x[:, None] * np.cos(phi) - np.abs(y)[:, None] * np.sin(phi)

    scan = overlap(turn[None])
    size = 1.0 + np.abs(x) + np.abs(y)
    margin = (1e-12 * size)[:, None]
    inner = np.zeros_like(scan, dtype=bool)
    inner[:, 20:-20] = (scan[:, 20:-20] < scan[:, :-40] - margin) & (scan[:, 20:-20] < scan[:, 40:] - margin)
    assert (exists | ~inner.any(axis=1)).all()  # a local minimum inside the quarter has been found
    found = overlap(np.arctan(t)[:, None])[:, 0]
    lowest = np.where(inner, scan, np.inf).min(axis=1)
    assert (found <= lowest + 1e-14 * size)[inner.any(axis=1)].all()
    assert inner.any(axis=1).sum() > 100


def test_newtons_method_finds_the_directions_of_two_rims():
    """From a point beside each local extremum of the distance from one circle to the other that a scan sees."""
    rng = np.random.default_rng(9)
    count, steps = 200, 4000
    axes = rng.normal(size=(2, count, 3))
    axes /= np.linalg.norm(axes, axis=2, keepdims=True)
    center, radius = rng.normal(size=(2, count, 3)), rng.uniform(0.2, 1.5, (2, count))
    turn = np.arange(steps) * 2.0 * np.pi / steps
    seen = 0
    for row in range(count):
        first = np.cross(axes[0, row], [0.3, 0.5, 0.7])
        first /= np.linalg.norm(first)
        circle = np.cos(turn)[:, None] * first + np.sin(turn)[:, None] * np.cross(axes[0, row], first)
        point = center[0, row] + radius[0, row] * circle
        near, rho = nearest_on_circle(point, center[1, row], axes[1, row], radius[1, row])
        away = np.linalg.norm(near - point, axis=1)
        before, after = np.roll(away, 1), np.roll(away, -1)
        turning = np.flatnonzero(
            (((away < before) & (away < after)) | ((away > before) & (away > after))) & (away > 0.1)
        )
        # Where the point passes over B's axis the nearest point jumps: no stationary point.
        turning = turning[rho[turning] > 0.2]
        one = [np.repeat(of[:, row : row + 1], len(turning), axis=1) for of in (center, axes, radius)]
        rims = circles.TwoRims(one[0][0], one[1][0], one[2][0], one[0][1], one[1][1], one[2][1])
        found = rims.normal_near(circle[turning - 5])
        for direction, at in zip(found, turning, strict=True):
            out = direction - (direction @ axes[0, row]) * axes[0, row]
            on_a = center[0, row] + radius[0, row] * out / np.linalg.norm(out)
            on_b, _ = nearest_on_circle(on_a[None], center[1, row], axes[1, row], radius[1, row])
            between = on_b[0] - on_a
            # The line between the points is perpendicular to the circle, and the direction is along it.
            tangent = np.cross(axes[0, row], out / np.linalg.norm(out))
            assert abs(between @ tangent) < 1e-12
            assert np.linalg.norm(np.cross(between, direction)) < 1e-12
            assert np.linalg.norm(on_a - point[at]) < 0.02
            seen += 1
    assert seen > 1.5 * count


def nearest_on_circle(points, center, axis, radius):
    """The nearest point of a circle to each point, and the distances from the circle's axis."""
    spoke = points - center
    flat = spoke - np.outer(spoke @ axis, axis)
    rho = np.linalg.norm(flat, axis=1)
    return center + radius * flat / rho[:, None], rho


HAIRS = [0.0, 2.0**-30, 2.0**-20, 2.0**-10, 0.5, 1.0]


def thin(kind, rng, count):
    """Shapes many of which are a thousand to a thousand million times thinner or shorter than long, or flat."""
    place = np.where(
        rng.random((count, 1)) < 0.5, rng.integers(-4, 5, (count, 3)) / 2.0, rng.uniform(-2, 2, (count, 3))
    )
    along = np.where(rng.random((count, 1)) < 0.5, rng.integers(-2, 3, (count, 3)), rng.normal(size=(count, 3)))
    along = np.where((along == 0.0).all(axis=1)[:, None], [0.0, 0.0, 1.0], along)
    size = np.where(rng.random((3, count)) < 0.5, rng.choice(HAIRS, (3, count)), 2.0 ** rng.uniform(-30, 1, (3, count)))
    turn = np.where(rng.random((count, 1, 1)) < 0.5, zoo.rotations(rng, count), zoo.quarter_turns(rng, count))
    match kind:
        case ck.Kind.CAPSULE:
            return ck.Capsules(place, place + along, size[0])
        case ck.Kind.CYLINDER:
            short = np.where(rng.random(count) < 0.3, 2.0 ** rng.uniform(-30, 0, count), 1.0)
            return ck.Cylinders(place, place + short[:, None] * along, size[0])
        case ck.Kind.BOX:
            return ck.Boxes(place, size.T, turn)
        case _:
            return ck.Triangles(place[:, None] + size.T[:, :, None] * turn)


@pytest.mark.parametrize("kind", [ck.Kind.CAPSULE, ck.Kind.CYLINDER, ck.Kind.BOX, ck.Kind.TRIANGLE])
def test_however_thin_the_witnesses_lie_on_the_shapes_and_prove_the_distance(kind):
    rng = np.random.default_rng([11, kind])
    a, b = thin(ck.Kind.CYLINDER, rng, 3000), thin(kind, rng, 3000)
    found = ck.distance(a, b)
    np.testing.assert_allclose(found.point_b - found.point_a, found.distance[:, None] * found.normal, atol=TINY)
    gap = -zoo.support(b, -found.normal) - zoo.support(a, found.normal)
    np.testing.assert_allclose(gap, found.distance, atol=TINY)
    for shapes, points in ((a, found.point_a), (b, found.point_b)):
        held = ck.distance(shapes, ck.Spheres(points, np.zeros(len(points))))
        assert held.distance.max() <= 10.0 * TINY
    # Moved to touch, they touch; the axis of a short cylinder is not the same when its ends are rounded anew.
    if kind != ck.Kind.CYLINDER:
        freed = ck.distance(a, zoo.moved(b, -found.distance[:, None] * found.normal))
        np.testing.assert_allclose(freed.distance, 0.0, atol=10.0 * TINY)


def test_a_cylinder_that_ends_a_few_roundings_before_a_plate_has_its_witness_on_the_plate():
    count, rng = 2000, np.random.default_rng(12)
    turn, center = zoo.rotations(rng, count), rng.uniform(-1.0, 1.0, (count, 3))
    plate = ck.Boxes(
        center, np.stack([10.0 ** rng.uniform(-3, 0, count), np.full(count, 0.75), np.full(count, 1e-6)], axis=1), turn
    )
    # The cylinder is beside the plate's narrow face, a gap away, and ends above its large face.
    width, gap, radius = plate.half_extents[:, 0], 10.0 ** rng.uniform(-13.5, -11.0, count), 1e-3
    end = np.stack(
        [-(width + radius + gap), rng.uniform(-0.7, 0.7, count), 1e-6 + rng.uniform(0.0, 1e-13, count)], axis=1
    )
    start = end + rng.normal(size=(count, 3)) * 1e-8 + [0.0, 0.0, 1.5]
    start, end = (center + np.einsum("nij,nj->ni", turn, point) for point in (start, end))
    found = ck.distance(plate, ck.Cylinders(start, end, np.full(count, radius)))
    local = np.einsum("nij,ni->nj", turn, found.point_a - center)
    off = np.linalg.norm(local - np.clip(local, -plate.half_extents, plate.half_extents), axis=1)
    assert (off <= 2.0 * found.rounding).all()
    assert found.distance.min() > 0.0


# Found by the hunt of pairs: the rims of both all but touch, and their planes are all but parallel, or one is tiny.
RIMS = [
    (
        (
            [-1.526567775259297e-06, -4.332245286882987e-06, -1.1881145975148527e-06],
            [1.8362490400286957e-06, 6.111875236052492e-07, -1.6362139330298144e-06],
            1.4988924640272784e-06,
        ),
        (
            [1.8697554512000444e-06, 7.23843936373525e-07, -1.4193514920728992e-07],
            [3.3604634681438765e-06, 2.915228306250491e-06, -3.4057206729387826e-07],
            1.5384665919042198e-12,
        ),
    ),
    (
        (
            [1.6375400232211257, -1.0312663580854562, 0.6494064557320391],
            [1.6375439199004334, -1.0312688016212535, 0.6494066262127967],
            0.4925484614485287,
        ),
        (
            [-2.121115290916973, 0.49256026776970563, 0.6235484505925293],
            [1.25871182370729, -1.6268670422032536, 0.7714167870541353],
            0.2237877030863537,
        ),
    ),
    (
        (
            [-0.30753937836970435, 0.9386478294419355, -0.156076209064415],
            [-0.30840268476630467, 0.9382043953902376, -0.15704194047522615],
            1.0,
        ),
        (
            [0.3075400994507878, -0.9386477047695192, 0.15607553799549895],
            [0.3085396779868795, -0.9381342750085879, 0.1571937092765419],
            1.0,
        ),
    ),
    (
        (
            [-0.2172003398967994, -0.8530793631340925, 0.21848938598462353],
            [-0.20959482731445991, -0.4991611119156703, 0.055431130240754425],
            0.0,
        ),
        (
            [-0.7725620161252984, -0.4913491793754695, 0.046128507998318274],
            [-0.7335342214752176, 1.3247869412138629, -0.7906070671599752],
            0.5630982336604652,
        ),
    ),
]


@pytest.mark.parametrize("pair", RIMS)
def test_the_depth_of_rims_that_all_but_touch_is_the_same_when_they_are_swapped(pair):
    a, b = (ck.Cylinders([start], [end], [radius]) for start, end, radius in pair)
    found, swapped = ck.distance(a, b), ck.distance(b, a)
    np.testing.assert_allclose(found.distance, swapped.distance, rtol=0.0, atol=4.0 * found.rounding[0])
    gap = -zoo.support(b, -found.normal) - zoo.support(a, found.normal)
    np.testing.assert_allclose(gap, found.distance, rtol=0.0, atol=4.0 * found.rounding[0])


def test_overlap_and_distance_agree_about_a_triangle_that_is_one_rounding_from_a_rim():
    rng, count = np.random.default_rng(16), 2000
    corners = [[-71670.3, -34712.5, -17102.9], [188526.2, 51207.9, 77938.6], [47523.3, 33423.0, -90969.9]]
    a = ck.Triangles(np.repeat([corners], count, axis=0))
    start, end = ([100020.8, -41184.8, 14299.1], [101766.2, -115498.1, 180346.6])
    move = rng.normal(size=(count, 3))
    b = ck.Cylinders(start + move, end + move, np.full(count, 65802.3))
    for _ in range(2):
        found = ck.distance(a, b)
        wanted = rng.uniform(0.9, 1.2, count) * found.rounding
        b = zoo.moved(b, (wanted - found.distance)[:, None] * found.normal)
    found = ck.distance(a, b)
    np.testing.assert_array_equal(ck.overlap(a, b), found.distance <= found.rounding)
    assert 0.5 < (found.distance > found.rounding).mean() < 1.0


def test_a_cylinder_leaves_a_triangle_near_its_axis_by_the_nearer_side():
    # Both separating translations are nearly opposite and nearly as long.
    start = [2536.7408314668646, 1547.4124092357085, -10750.296430805556]
    end = [2462.0920633169735, 1568.7726417490956, -10580.194414702997]
    corners = [
        [2486.951881444292, 1449.0107780924318, -10657.01120482909],
        [2549.7153, 1686.7743733581133, -10659.335],
        [2418.2814236070903, 1618.6904029303464, -10708.454224292671],
    ]
    rng, count = np.random.default_rng(3), 300
    move = rng.normal(size=(count, 3)) * 10.0 ** rng.uniform(-6.0, 0.0, (count, 1))
    move[0] = 0.0
    a = ck.Cylinders(start + move, end + move, np.full(count, 90.0))
    b = ck.Triangles(np.repeat([corners], count, axis=0))
    found = ck.distance(a, b)
    # The overlap along any direction is at least the depth.
    for scale in 10.0 ** np.linspace(-7.0, -2.0, 40):
        for sign in (-1.0, 1.0):
            way = normalized(sign * found.normal + scale * rng.normal(size=(count, 3)), found.normal)
            overlap = zoo.support(a, way) + zoo.support(b, -way)
            assert (-found.distance <= overlap + found.rounding).all()


@pytest.mark.parametrize("tilt", [1e-6, 1e-4, 1e-2])
def test_discs_side_by_side_whose_rims_touch_are_separated_by_their_rims(tilt):
    rng, count = np.random.default_rng(12), 400
    turn = zoo.rotations(rng, count)
    aside, axis = turn[:, :, 0], turn[:, :, 2]
    radius = rng.uniform(0.3, 1.0, (2, count))
    other = normalized(axis + tilt * rng.normal(size=(count, 3)), axis)
    # The rims touch at the origin. Both discs are on the same side of them.
    place = -radius[0, :, None] * aside
    a = ck.Cylinders(place, place + 10.0 ** rng.uniform(-3.0, 0.0, (count, 1)) * axis, radius[0])
    out = normalized(aside - np.einsum("ni,ni->n", aside, other)[:, None] * other, aside)
    place = radius[1, :, None] * out
    b = ck.Cylinders(place, place + 10.0 ** rng.uniform(-3.0, 0.0, (count, 1)) * other, radius[1])
    found = ck.distance(a, b)
    gap = -zoo.support(b, -aside) - zoo.support(a, aside)
    assert (gap > -100.0 * found.rounding).sum() > count / 4
    assert (found.distance >= gap - found.rounding).all()
