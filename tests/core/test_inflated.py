# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes with margins against shapes that are really inflated, and certificates where there are no such shapes."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import Verdict
from collision_kit.core.continuous.motion import RigidMotion
from collision_kit.core.convex.support import support
from collision_kit.core.query import queries
from collision_kit.core.world.world import World
from tests.helpers import zoo
from tests.helpers.mesh_zoo import terrain, voxels
from tests.helpers.offline import slow

CONVEX = (ck.Kind.SPHERE, ck.Kind.CAPSULE, ck.Kind.CYLINDER, ck.Kind.BOX, ck.Kind.TRIANGLE, ck.Kind.HULL)


def every_pair(count: int) -> np.ndarray:
    return np.array([(i, j) for i in range(count) for j in range(i + 1, count)])


def really(shapes, margin: np.ndarray):
    """Spheres, capsules, segments and points, inflated as shapes of their own."""
    if isinstance(shapes, ck.Spheres):
        return ck.Spheres(shapes.center, shapes.radius + margin)
    if isinstance(shapes, ck.Capsules):
        return ck.Capsules(shapes.start, shapes.end, shapes.radius + margin)
    along = shapes.rotation[:, :, 0] * shapes.half_extents[:, :1]
    return ck.Capsules(shapes.center - along, shapes.center + along, margin)


def rods(rng: np.random.Generator, count: int) -> ck.Boxes:
    """Boxes that are segments, so that inflated they are capsules."""
    half = np.zeros((count, 3))
    half[:, 0] = rng.uniform(0.0, 1.0, count)
    return ck.Boxes(rng.normal(size=(count, 3)), half, zoo.rotations(rng, count))


@pytest.mark.parametrize("seed", [0, *slow(1, 2, 3)])
def test_the_answers_are_those_of_shapes_that_are_really_inflated(seed):
    rng = np.random.default_rng(seed)
    count = 12
    batches = [
        ck.Spheres(rng.normal(size=(count, 3)), rng.uniform(0.0, 0.4, count)),
        ck.Capsules(*rng.normal(size=(2, count, 3)), rng.uniform(0.0, 0.4, count)),
        rods(rng, count),
    ]
    margin = np.where(rng.random(3 * count) < 0.3, 0.0, rng.uniform(0.0, 0.6, 3 * count))
    world = World(batches, margin)
    same = World([really(batch, margin[count * k : count * (k + 1)]) for k, batch in enumerate(batches)])
    np.testing.assert_allclose(world.bounds(), same.bounds(), atol=1e-12)
    np.testing.assert_array_equal(world.pairs(0.1), same.pairs(0.1))
    pairs = every_pair(len(world))
    found, expected = world.distance(pairs), same.distance(pairs)
    np.testing.assert_allclose(found.distance, expected.distance, atol=1e-7)
    assert (found.distance < 0.0).any() and (found.distance > 0.0).any()
    np.testing.assert_array_equal(world.overlap(pairs), found.distance <= 0.0)
    np.testing.assert_array_equal(world.contains(pairs), same.contains(pairs))
    np.testing.assert_array_equal(world.contains(pairs[:, ::-1]), same.contains(pairs[:, ::-1]))
    levels = {"touching": 0.05, "clearance": 0.2}
    np.testing.assert_array_equal(world.classify(pairs, **levels), same.classify(pairs, **levels))
    gaps = world.separating_axis(pairs)
    assert (gaps.gap <= found.distance + 1e-9).all()
    np.testing.assert_allclose(gaps.gap[found.distance < 0.0], found.distance[found.distance < 0.0], atol=1e-9)
    meet = world.contacts(pairs, 0.1, known=found)
    deepest = np.full(len(pairs), -np.inf)
    np.maximum.at(deepest, meet.pair, meet.depth)
    near = found.distance <= 0.1
    np.testing.assert_array_equal(np.isfinite(deepest), near)
    np.testing.assert_allclose(deepest[near], -found.distance[near], atol=1e-9)
    assert (meet.depth >= -0.1 - 1e-9).all()


def test_a_contact_lies_midway_between_the_inflated_surfaces():
    box = ck.Boxes([[0.0, 0.0, 0.0], [0.0, 0.0, 2.3]], [[1.0, 1.0, 1.0], [0.5, 0.5, 1.0]])
    world = World([box], [0.3, 0.1])
    found = world.contacts([[0, 1]])
    np.testing.assert_allclose(found.depth, 0.1, atol=1e-12)
    # From 1.3, the top of the lower, down to 1.2, the bottom of the upper.
    np.testing.assert_allclose(found.point[:, 2], 1.25, atol=1e-12)
    np.testing.assert_allclose(np.sort(np.abs(found.point[:, :2]), axis=0), 0.5, atol=1e-12)
    assert len(found) == 4
    assert not len(world.contacts([[0, 1]], known=world.distance([[0, 1]])).pair[4:])
    apart = World([box], [0.1, 0.1])
    assert not len(apart.contacts([[0, 1]]))
    assert len(apart.contacts([[0, 1]], margin=0.11)) == 4


@pytest.mark.parametrize("kind_a", CONVEX)
@pytest.mark.parametrize("kind_b", CONVEX)
def test_convex_shapes_keep_their_certificates(kind_a, kind_b):
    """Displaced by the distance along the normal the inflated shapes touch, and a plane parts them."""
    rng = np.random.default_rng(int(kind_a) * 10 + int(kind_b))
    count = 40
    a, b = zoo.generic(kind_a, rng, count), zoo.generic(kind_b, rng, count)
    margin = rng.uniform(0.0, 0.5, 2 * count)
    world = World([a, b], margin)
    pairs = np.stack([np.arange(count), count + np.arange(count)], axis=1)
    found = world.distance(pairs)
    np.testing.assert_allclose(
        found.point_b - found.point_a, found.distance[:, None] * found.normal, atol=1e-9 * (1.0 + np.abs(margin).max())
    )
    moved = zoo.moved(b, -found.distance[:, None] * found.normal)
    far_a = np.einsum("ni,ni->n", support(a, found.normal), found.normal) + margin[:count]
    near_b = np.einsum("ni,ni->n", support(moved, -found.normal), found.normal) - margin[count:]
    np.testing.assert_allclose(near_b - far_a, 0.0, atol=1e-6)
    # No other separating translation is shorter: along any direction the inflated shapes overlap by at least the depth.
    way = rng.normal(size=(50, 3))
    way /= np.linalg.norm(way, axis=1)[:, None]
    for direction in way:
        along = np.broadcast_to(direction, (count, 3))
        overlap = support(a, along) @ direction - support(b, -along) @ direction
        overlap += margin[:count] + margin[count:]
        deep = found.distance < 0.0
        assert (overlap[deep] >= -found.distance[deep] - 1e-7).all()


@pytest.mark.parametrize("seed", [0, *slow(1, 2)])
def test_what_holds_what_is_what_support_functions_say(seed):
    """A convex set holds another exactly if its support function is nowhere less."""
    rng = np.random.default_rng(seed)
    count = 60
    half = rng.uniform(0.6, 1.0, (count, 3))
    outer = ck.Boxes(np.zeros((count, 3)), half, zoo.rotations(rng, count))
    inner = {
        0: lambda: ck.Boxes(
            rng.normal(size=(count, 3)) * 0.1, rng.uniform(0.1, 0.6, (count, 3)), zoo.rotations(rng, count)
        ),
        1: lambda: ck.Cylinders(*rng.normal(size=(2, count, 3)) * 0.3, rng.uniform(0.1, 0.5, count)),
        2: lambda: ck.Hulls.from_points(list(rng.normal(size=(count, 12, 3)) * 0.35)),
    }[seed]()
    margin = rng.uniform(0.0, 0.5, 2 * count)
    world = World([outer, inner], margin)
    pairs = np.stack([np.arange(count), count + np.arange(count)], axis=1)
    held = world.contains(pairs)
    way = rng.normal(size=(1500, 3))
    way = np.concatenate([way / np.linalg.norm(way, axis=1)[:, None], np.zeros((6, 3))])
    room = np.full(count, np.inf)
    for number, direction in enumerate(way):
        along = np.broadcast_to(direction, (count, 3)).copy()
        if number >= 1500:  # the faces of the outer
            along = outer.rotation[:, :, (number - 1500) // 2] * (1.0 if number % 2 else -1.0)
        spare = np.einsum("ni,ni->n", support(outer, along) - support(inner, along), along)
        room = np.minimum(room, spare + margin[:count] - margin[count:])
    certain = np.abs(room) > 0.02
    assert certain.sum() > 30 and 5 < held[certain].sum() < certain.sum() - 5
    np.testing.assert_array_equal(held[certain], room[certain] > 0.0)
    assert not held[room < 0.0].any()


def test_a_box_fills_a_larger_one_exactly():
    """Inflated by as much as the other is larger, a box touches the larger one's faces from inside."""
    pair = ck.Boxes(np.zeros((2, 3)), [[1.0, 1.0, 1.0], [0.75, 0.75, 0.75]])
    assert World([pair], [0.0, 0.25]).contains([[0, 1]])[0]
    assert not World([pair], [0.0, 0.25001]).contains([[0, 1]])[0]
    assert World([pair], [0.25, 0.5]).contains([[0, 1]])[0]
    # The corners of a box with a margin are round: they do not hold a box as large as their bounds.
    same = ck.Boxes(np.zeros((2, 3)), [[1.0, 1.0, 1.0], [1.25, 1.25, 1.25]])
    assert not World([same], [0.25, 0.0]).contains([[0, 1]])[0]
    assert World([same], [0.25 * 3**0.5 + 1e-9, 0.0]).contains([[0, 1]])[0]


def slot() -> ck.Meshes:
    """A block with a groove one wide and two deep from above."""
    return ck.Meshes.from_triangles([voxels([(x, 0, z) for x in (0, 1, 2) for z in (0, 1, 2) if x != 1 or z == 0])])


def test_a_mesh_that_does_not_let_go_at_once_is_left_all_the_way():
    """In a groove the shortest way from the near wall leads to the far one; what is told is free nevertheless."""
    point = ck.Boxes([[1.3, 0.5, 2.0]], [[0.0, 0.0, 0.0]])
    bare = World([point, slot()])
    assert abs(bare.distance([[0, 1]]).distance[0] - 0.3) < 1e-9
    for margin in (0.2, 0.31, 0.45, 0.6, 2.0):
        world = World([point, slot()], [margin, 0.0])
        found = world.distance([[0, 1]])
        distance, normal = found.distance[0], found.normal[0]
        np.testing.assert_allclose(found.point_b - found.point_a, found.distance[:, None] * found.normal, atol=1e-9)
        if margin < 0.3:
            assert abs(distance - (0.3 - margin)) < 1e-9
            continue
        assert distance <= 0.3 - margin + 1e-9
        apart = queries.distance(zoo.moved(point, distance * normal[None]), slot()).distance[0]
        assert apart >= margin - 1e-9
    assert World([point, slot()], [0.45, 0.0]).distance([[0, 1]]).distance[0] > -0.16
    # Past the far wall it is free, and does not go on to what lies far behind.
    cells = [(x, 0, z) for x in (0, 1, 2) for z in (0, 1, 2) if x != 1 or z == 0]
    far = ck.Meshes.from_triangles([voxels([*cells, (20, 0, 0)])])
    assert World([point, far], [0.6, 0.0]).distance([[0, 1]]).distance[0] > -2.4


@pytest.mark.parametrize("seed", [0, *slow(1, 2)])
def test_meshes_that_overlap_inflated_are_freed_by_what_is_told(seed):
    rng = np.random.default_rng(seed)
    ground = ck.Meshes.from_triangles([terrain(rng, 6)])
    count = 24
    boxes = ck.Boxes(rng.uniform(-1.0, 1.0, (count, 3)), rng.uniform(0.05, 0.3, (count, 3)), zoo.rotations(rng, count))
    margin = rng.uniform(0.0, 0.3, count + 1)
    world, bare = World([boxes, ground], margin), World([boxes, ground])
    pairs = np.stack([np.arange(count), np.full(count, count)], axis=1)
    found, before = world.distance(pairs), bare.distance(pairs)
    both = margin[:count] + margin[count]
    clear = before.distance > both
    np.testing.assert_allclose(found.distance[clear], (before.distance - both)[clear], atol=1e-12)
    assert (found.distance <= before.distance - both + 1e-12).all()
    deep = np.flatnonzero(found.distance < 0.0)
    assert len(deep) > 3
    freed = zoo.moved(boxes, found.distance[:, None] * found.normal)
    apart = queries.distance(freed.take(deep), ground).distance
    assert (apart >= both[deep] - 1e-9).all()
    meet = world.contacts(pairs, known=found)
    assert set(meet.pair.tolist()) == set(np.flatnonzero(found.distance <= 0.0).tolist())


def test_what_a_mesh_holds_keeps_away_from_its_surface_by_what_it_is_inflated_more():
    room = ck.Meshes.from_triangles([voxels([(x, y, z) for x in range(3) for y in range(3) for z in range(3)])])
    middle = 1.5 * np.ones(3)
    for margin, held in ((0.0, True), (0.9, True), (1.1, False)):
        world = World([ck.Boxes([middle], [[0.5, 0.5, 0.5]]), room], [margin, 0.0])
        assert world.contains([[1, 0]])[0] == held, margin
        verdict = Verdict.CONTAINED if held else Verdict.PENETRATING
        assert world.classify([[0, 1]])[0] == verdict
    assert World([ck.Boxes([middle], [[0.5, 0.5, 0.5]]), room], [1.1, 0.2]).contains([[1, 0]])[0]
    # A small box is inflated so far that it holds the room, corners and all.
    far = float(np.sqrt(3.0))
    for margin, held in ((far + 1e-6, True), (far - 1e-3, False)):
        world = World([ck.Boxes([middle], [[0.5, 0.5, 0.5]]), room], [margin, 0.0])
        assert world.contains([[0, 1]])[0] == held


def test_a_compound_holds_an_inflated_shape_by_one_part_and_is_held_by_all():
    spheres, half_space = (
        [ck.Spheres([[x, 0.0, 0.0]], [1.0]) for x in (-3.0, 3.0)],
        ck.HalfSpaces([[0.0, 0.0, 1.0]], [0.0]),
    )
    compounds = ck.Compounds([spheres, [*spheres, half_space]])
    rods = ck.Capsules([[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]], [[3.0, 0.0, 0.0], [3.5, 0.0, 0.0]], [0.2, 0.2])
    world = World([compounds, rods, ck.Spheres(np.zeros((2, 3)), [3.75, 4.0])], [0.0, 0.0, 0.1, 0.1, 0.2, 0.2])
    # A rod from one part to the other has only its ends in the compound. The other one is in a part.
    assert world.contains([[0, 2], [0, 3]]).tolist() == [False, True]
    assert world.contains([[4, 0], [5, 0], [5, 1]]).tolist() == [False, True, False]
    large = World([compounds, ck.Capsules([[3.0, 0.0, 0.0]], [[3.5, 0.0, 0.0]], [0.2])], [0.0, 0.0, 0.31])
    assert not large.contains([[0, 2]])[0]


@pytest.mark.parametrize("kind", [*CONVEX, ck.Kind.CONE, ck.Kind.ELLIPSOID, ck.Kind.HALF_SPACE], ids=lambda k: k.name)
def test_inflated_shapes_hold_a_round_ellipsoid_exactly_if_they_hold_the_ball(kind):
    rng = np.random.default_rng(3)
    count = 60
    outer = zoo.generic(kind, rng, count)
    lower, upper = outer.bounds() if kind != ck.Kind.HALF_SPACE else np.zeros((2, count, 3))
    center = (lower + upper) / 2.0 + 0.2 * rng.normal(size=(count, 3))
    radius = rng.uniform(0.05, 0.5, count)
    balls = ck.Spheres(center, radius)
    ellipsoids = ck.Ellipsoids(center, np.repeat(radius[:, None], 3, axis=1), zoo.rotations(rng, count))
    margin = [rng.uniform(0.3, 1.2, count), rng.uniform(0.0, 0.8, count)]
    held = ck.contains(World([outer], margin[0]), World([balls], margin[1]))
    assert 5 < held.sum() < count - 5
    np.testing.assert_array_equal(ck.contains(World([outer], margin[0]), World([ellipsoids], margin[1])), held)


def test_an_inflated_ball_holds_a_cone_up_to_the_rim():
    ball, cone = ck.Spheres([[0.0, 0.0, 0.0]], [0.5]), ck.Cones([[0.0, 0.0, -0.4]], [[0.0, 0.0, 0.5]], [0.3])
    for more, held in ((1e-9, True), (-1e-9, False)):
        # The rim is 0.5 from the center.
        assert World([ball, cone], [0.25 + more, 0.25]).contains([[0, 1]])[0] == held
    assert World([ball, cone], [0.3, 0.25]).classify([[0, 1]])[0] == Verdict.CONTAINED


@pytest.mark.parametrize("turned", [False, True])
def test_the_depth_of_an_inflated_ball_in_a_mesh_of_a_compound_frees_it(turned):
    ring = ck.Meshes.from_triangles([voxels([(x, y, 0) for x in range(3) for y in range(3) if (x, y) != (1, 1)])])
    far = ck.Spheres([[9.0, 0.0, 0.0]], [0.5])
    ball = ck.Spheres([[1.55, 1.5, 0.5]], [0.3])

    def distance(x: float) -> ck.Distances:
        """With the ball, or where the compound is B the compound, moved along X by `x`."""
        compound = ck.Compounds([[zoo.moved(ring, np.array([[x * turned, 0.0, 0.0]])), far]])
        world = World([compound, zoo.moved(ball, np.array([[x * (not turned), 0.0, 0.0]]))], [0.0, 0.5])
        return world.distance([[1, 0] if turned else [0, 1]])

    found = distance(0.0)
    # In the hole, the ball meets the walls on both sides: it has to leave the ring.
    np.testing.assert_allclose(found.distance, [-2.35])
    np.testing.assert_allclose(np.abs(found.normal), [[1.0, 0.0, 0.0]], atol=1e-12)
    way = -found.distance[0] * found.normal[0, 0]
    np.testing.assert_allclose(distance(way).distance, [0.0], atol=1e-9)
    assert distance(0.9 * way).distance[0] < -1e-3


def test_an_inflated_shape_holds_no_plane():
    world = World([ck.Spheres([[0.0, 0.0, 0.0]], [1.0]), ck.Planes([[0.0, 0.0, 1.0]], [0.0])], [0.1, 0.0])
    assert not world.contains([[0, 1]])[0]


def test_half_spaces_rise_by_their_margin_and_reach_what_they_did_not():
    floor = ck.HalfSpaces([[0.0, 0.0, 2.0]], [0.0])
    crate = ck.Boxes([[0.0, 0.0, 1.5]], [[1.0, 1.0, 1.0]])
    assert not len(World([floor, crate]).pairs())
    world = World([floor, crate], [0.4, 0.2])
    assert world.pairs().tolist() == [[0, 1]]
    assert abs(world.distance([[0, 1]]).distance[0] + 0.1) < 1e-12
    deep = World([floor, ck.Boxes([[0.0, 0.0, -1.2]], [[1.0, 1.0, 1.0]])], [0.0, 0.1])
    assert deep.contains([[0, 1]])[0]
    deep = World([floor, ck.Boxes([[0.0, 0.0, -1.2]], [[1.0, 1.0, 1.0]])], [0.0, 0.3])
    assert not deep.contains([[0, 1]])[0]


@pytest.mark.parametrize("seed", [0, *slow(1, 2)])
def test_impacts_are_those_of_shapes_that_are_really_inflated(seed):
    rng = np.random.default_rng(seed)
    count = 30
    a, b = rods(rng, count), ck.Spheres(rng.normal(size=(count, 3)) * 3.0, rng.uniform(0.0, 0.4, count))
    margin = rng.uniform(0.05, 0.5, 2 * count)
    velocity = 0.4 * rng.normal(size=(2 * count, 3))
    velocity[count:] += a.center - b.center
    turn = rng.normal(size=(2 * count, 3)) * (seed > 0)
    moves = RigidMotion(velocity, turn, np.concatenate([a.center, b.center]))
    pairs = np.stack([np.arange(count), count + np.arange(count)], axis=1)
    world = World([a, b], margin)
    same = World([really(a, margin[:count]), really(b, margin[count:])])
    found = ck.time_of_impact(world, world, pairs, motion_a=moves, motion_b=moves)
    expected = ck.time_of_impact(same, same, pairs, motion_a=moves, motion_b=moves)
    np.testing.assert_array_equal(found.hit, expected.hit)
    assert 5 < found.hit.sum() < count
    hit = found.hit
    np.testing.assert_allclose(found.time[hit], expected.time[hit], atol=1e-6)
    later = hit & (found.time > 0.0)
    np.testing.assert_allclose(found.point[later], expected.point[later], atol=1e-4)
    near, of_world = world.time_of_impact(motion=moves)
    together = {tuple(pair) for pair, hit in zip(near.tolist(), of_world.hit.tolist(), strict=True) if hit}
    assert {tuple(pair) for pair in pairs[hit].tolist()} <= together


def test_boxes_with_margins_are_swept_to_their_inflated_faces():
    boxes = ck.Boxes([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0]], np.ones((2, 3)))
    world = World([boxes], [0.25, 0.25])
    _, found = world.time_of_impact([[0, 1]], velocity=[[3.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    assert abs(found.time[0] - 0.5) < 1e-12
    np.testing.assert_allclose(found.point[0, 0], 2.75, atol=1e-9)


def test_worlds_without_margins_are_plain_and_wrong_margins_are_named():
    balls = ck.Spheres(np.zeros((2, 3)), np.ones(2))
    assert World([balls]).margin is None and World([balls], np.zeros(2)).margin is None
    assert World([balls], [0.0, 0.1]).margin.tolist() == [0.0, 0.1]
    with pytest.raises(ValueError, match="margin"):
        World([balls], [0.1, -0.1])
    with pytest.raises(ValueError, match="2 shapes"):
        World([balls], [0.1])
    with pytest.raises(ValueError, match="row 0 is a plane"):
        World([ck.Planes([[0.0, 0.0, 1.0]], [0.0])], [0.1])
    with pytest.raises(ValueError, match="margin"):
        ck.time_of_impact(balls, balls, margin=-1.0)


def test_functions_and_methods_answer_alike_and_a_side_may_be_a_batch():
    """Whichever way a question is asked, the margins of a world count."""
    rng = np.random.default_rng(8)
    count = 10
    batches = [
        ck.Spheres(rng.normal(size=(count, 3)), rng.uniform(0.0, 0.4, count)),
        ck.Capsules(*rng.normal(size=(2, count, 3)), rng.uniform(0.0, 0.4, count)),
        rods(rng, count),
    ]
    margin = np.where(rng.random(3 * count) < 0.3, 0.0, rng.uniform(0.0, 0.6, 3 * count))
    world = World(batches, margin)
    solid = [really(batch, margin[count * k : count * (k + 1)]) for k, batch in enumerate(batches)]
    same = World(solid)
    pairs = every_pair(len(world))
    np.testing.assert_array_equal(ck.overlap(world, world, pairs), world.overlap(pairs))
    np.testing.assert_array_equal(ck.contains(world, world, pairs), world.contains(pairs))
    np.testing.assert_array_equal(ck.classify(world, world, pairs), world.classify(pairs))
    np.testing.assert_array_equal(ck.interference(world, world, pairs), world.interference(pairs))
    np.testing.assert_array_equal(ck.separating_axis(world, world, pairs).gap, world.separating_axis(pairs).gap)
    np.testing.assert_array_equal(ck.distance(world, world, pairs).distance, world.distance(pairs).distance)
    np.testing.assert_array_equal(ck.contacts(world, world, pairs, 0.2).depth, world.contacts(pairs, 0.2).depth)
    np.testing.assert_array_equal(ck.bounds(world), world.bounds())
    # Against a batch, whose shapes have none.
    across = np.stack([rng.integers(3 * count, size=60), rng.integers(count, size=60)], axis=1)
    np.testing.assert_allclose(
        ck.distance(world, batches[0], across).distance, ck.distance(same, batches[0], across).distance, atol=1e-7
    )
    hint = rng.normal(size=(len(across), 3))
    np.testing.assert_array_equal(
        ck.overlap(batches[0], world, across[:, ::-1], axis=hint), ck.overlap(same, batches[0], across)
    )
    velocity = rng.normal(size=(3 * count, 3))
    for question in (ck.time_of_impact, ck.last_contact):
        found, expected = (
            question(shapes, batches[0], across, velocity_a=velocity, velocity_b=-velocity[:count])
            for shapes in (world, same)
        )
        np.testing.assert_array_equal(found.hit, expected.hit)
        np.testing.assert_allclose(found.time, expected.time, atol=1e-6)
    moved = ck.swept_bounds(world, velocity=velocity), ck.swept_bounds(same, velocity=velocity)
    np.testing.assert_allclose(moved[0], moved[1], atol=1e-12)
    view = np.diag([0.8, 0.8, -0.3, 1.0])
    for exact in (False, True):
        verdicts = ck.Frustum.from_matrix(view).classify(world, exact=exact)
        np.testing.assert_array_equal(verdicts, ck.Frustum.from_matrix(view).classify(same, exact=exact))
        assert set(verdicts.tolist()) == {-1, 0, 1}


def test_projections_are_longer_by_the_margin_at_either_end():
    boxes = ck.Boxes([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0]], np.ones((2, 3)))
    bare, found = (ck.candidate_axes(w, w, [[0, 1]]) for w in (World([boxes]), World([boxes], [0.25, 0.5])))
    tested = bare.status == 0
    np.testing.assert_array_equal(found.interval_a[tested], bare.interval_a[tested] + np.array([-0.25, 0.25]))
    np.testing.assert_array_equal(found.interval_b[tested], bare.interval_b[tested] + np.array([-0.5, 0.5]))
    np.testing.assert_array_equal(found.gap[tested], bare.gap[tested] - 0.75)


def test_what_margins_have_no_answer_for_says_so():
    room = ck.Meshes.from_triangles([voxels([(0, 0, 0)])] * 2, translation=[[0.0, 0.0, 0.0], [0.5, 0.5, 0.5]])
    world = World([room], [0.0, 0.1])
    with pytest.raises(ck.UnsupportedPair, match="margins"):
        ck.crossing(world, world, [[0, 1]])
    with pytest.raises(ValueError, match="margin"):
        ck.ContactCache().update(world, world, [[0, 1]])
    floor = World([ck.HalfSpaces([[0.0, 0.0, 1.0]], [-1.2])], [0.5])
    assert ck.Frustum.from_matrix(np.diag([1.0, 1.0, -1.0, 1.0])).classify(floor).tolist() == [0]
