# SPDX-License-Identifier: GPL-3.0-or-later
"""Rays against shapes: by other algorithms, and exactly, in integers, where rays pass through edges and along faces."""

from fractions import Fraction

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import planar
from collision_kit.core.kernels import loading
from collision_kit.core.numerics.vectors import length
from tests.helpers import mesh_zoo, zoo
from tests.helpers.offline import many
from tests.hunt import ray_casts

CASES = many(2_000, 100_000) if loading.mode == loading.COMPILED else 300
UNBOUNDED = (ck.Kind.HALF_SPACE, ck.Kind.PLANE)


def aimed(shapes, rng):
    """Rays from around each shape towards it; most of them hit."""
    lower, upper = ck.bounds(shapes)
    if shapes.kind in UNBOUNDED:
        lower, upper = np.full((len(shapes), 3), -3.0), np.full((len(shapes), 3), 3.0)
    middle, extent = (lower + upper) / 2.0, np.maximum(upper - lower, 0.1)
    origin = middle + rng.normal(size=middle.shape) * extent
    return origin, middle + (rng.random(middle.shape) - 0.5) * extent - origin


@pytest.mark.parametrize("maker", zoo.MAKERS)
@pytest.mark.parametrize("kind", ck.Kind)
def test_a_ray_hits_where_a_point_that_moves_along_it_does(kind, maker):
    rng = np.random.default_rng([kind, *maker.encode()])
    shapes = zoo.MAKERS[maker](kind, rng, 120)
    origin, direction = aimed(shapes, rng)
    hits = ck.ray_cast(shapes, origin, direction)
    unit = direction / length(direction)[:, None]
    path = 1e4
    moved = ck.time_of_impact(shapes, ck.Spheres(origin, 0.0), velocity_b=path * unit)
    assert moved.decided.all()
    assert hits.hit.sum() > 20
    np.testing.assert_array_equal(hits.hit, moved.hit)
    met = np.flatnonzero(hits.hit)
    np.testing.assert_allclose(hits.distance[met], path * moved.time[met], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(hits.point[met], origin[met] + hits.distance[met, None] * unit[met], atol=1e-12)
    np.testing.assert_allclose(length(hits.normal[met]), 1.0, atol=1e-12)
    assert (np.einsum("ni,ni->n", hits.normal[met], unit[met]) <= 1e-12).all()
    missed = hits[~hits.hit]
    assert np.isinf(missed.distance).all() and np.isnan(missed.point).all() and (missed.feature == -1).all()
    assert not missed.inside.any()
    began = hits[hits.inside]
    assert (began.distance == 0.0).all() and (began.feature == -1).all()


def grid(rng, count, reach=4):
    """Integer rays whose directions are never zero."""
    origin, direction = rng.integers(-reach, reach + 1, (2, count, 3))
    direction[~direction.any(axis=1), 0] = 1
    return origin, direction


def compare(hits, expected, direction):
    """Compare hits with exact times along the directions, None for a miss."""
    wrong = [row for row, time in enumerate(expected) if hits.hit[row] != (time is not None)]
    assert wrong == []
    rows = [row for row, time in enumerate(expected) if time is not None]
    exact = np.array([float(expected[row]) for row in rows]) * np.sqrt((direction[rows].astype(float) ** 2).sum(axis=1))
    np.testing.assert_allclose(hits.distance[rows], exact, rtol=1e-13, atol=1e-13)
    assert len(rows) > len(expected) / 40


def clipped(planes, origin, direction):
    """The exact time at which a ray enters the polytope of planes, normal · x <= offset; None for a miss."""
    enter, leave = Fraction(0), None
    for normal, offset in planes:
        rate = sum(int(n) * int(d) for n, d in zip(normal, direction, strict=True))
        gap = sum(int(n) * int(o) for n, o in zip(normal, origin, strict=True)) - int(offset)
        if rate == 0:
            if gap > 0:
                return None
            continue
        time = Fraction(-gap, rate)
        if rate < 0:
            enter = max(enter, time)
        else:
            leave = time if leave is None else min(leave, time)
    return None if leave is not None and leave < enter else enter


def box_planes(low, high):
    eye = np.eye(3, dtype=int)
    return [(sign * eye[k], high[k] if sign > 0 else -low[k]) for k in range(3) for sign in (1, -1)]


def test_rays_at_boxes_are_exact():
    rng = np.random.default_rng(1)
    low, extent = rng.integers(-2, 3, (CASES, 3)), rng.integers(0, 4, (CASES, 3))
    origin, direction = grid(rng, CASES)
    shapes = ck.Boxes(low + extent / 2.0, extent / 2.0)
    expected = [
        clipped(box_planes(*case[:2]), *case[2:]) for case in zip(low, low + extent, origin, direction, strict=True)
    ]
    compare(ck.ray_cast(shapes, origin, direction), expected, direction)
    corners = [
        [[x, y, z] for x in case[:2, 0] for y in case[:2, 1] for z in case[:2, 2]]
        for case in np.stack([low, low + extent], axis=1)
    ]
    some = slice(0, CASES // 4)
    compare(
        ck.ray_cast(ck.Hulls.from_points(corners[some]), origin[some], direction[some]), expected[some], direction[some]
    )


def triangle_planes(corner):
    """The planes of a triangle as a flat polytope; of one without area, those that hold for its segment or point."""
    side = np.roll(corner, -1, axis=0) - corner
    normal = np.cross(side[0], side[1])
    if not normal.any():
        return None
    out = np.cross(side, normal)
    planes = [(normal, normal @ corner[0]), (-normal, -normal @ corner[0])]
    return planes + [(out[k], out[k] @ corner[k]) for k in range(3)]


def test_rays_at_triangles_are_exact():
    rng = np.random.default_rng(2)
    corner = rng.integers(-3, 4, (CASES, 3, 3))
    origin, direction = grid(rng, CASES)
    # Towards corners, midpoints of sides and points of the face, and along the plane.
    target = np.einsum("nk,nki->ni", rng.multinomial(2, [1 / 3] * 3, CASES), corner)
    towards = rng.random(CASES) < 0.7
    direction[towards] = (target - 2 * origin)[towards]
    within = rng.random(CASES) < 0.2
    direction[within] = (corner[:, 1] - corner[:, 0])[within]
    direction[~direction.any(axis=1), 0] = 1
    planes = [triangle_planes(one) for one in corner]
    rows = np.array([row for row, one in enumerate(planes) if one is not None])
    expected = [clipped(planes[row], origin[row], direction[row]) for row in rows]
    assert sum(time == 0 for time in expected) > CASES // 400
    compare(ck.ray_cast(ck.Triangles(corner[rows]), origin[rows], direction[rows]), expected, direction[rows])
    meshes = ck.Meshes.from_triangles([(one, [[0, 1, 2]]) for one in corner[rows]])
    compare(ck.ray_cast(meshes, origin[rows], direction[rows]), expected, direction[rows])


def square(vector):
    return sum(int(v) ** 2 for v in vector)


def test_rays_at_spheres_and_capsules_hit_exactly_those_that_they_touch():
    rng = np.random.default_rng(3)
    start, axis = rng.integers(-2, 3, (2, CASES, 3))
    radius = rng.integers(0, 4, CASES)
    origin, direction = grid(rng, CASES)
    balls, tubes = [], []
    for s, a, r, o, d in zip(start, axis, radius, origin, direction, strict=True):
        balls.append(near_segment(o, d, s, 0 * a) <= int(r) ** 2)
        tubes.append(near_segment(o, d, s, a) <= int(r) ** 2)
    found = ck.ray_cast(ck.Spheres(start, radius), origin, direction)
    np.testing.assert_array_equal(found.hit, balls)
    capsules = ck.ray_cast(ck.Capsules(start, start + axis, radius), origin, direction)
    np.testing.assert_array_equal(capsules.hit, tubes)
    assert min(sum(balls), CASES - sum(balls)) > CASES // 20
    # The hit is on the surface.
    outside = found.hit & ~found.inside
    np.testing.assert_allclose(length(found.point - start)[outside], radius[outside], atol=1e-7)


def near_segment(origin, direction, start, axis):
    """The exact squared distance of a ray from a segment."""
    u, v, w = ([int(x) for x in each] for each in (direction, axis, origin - start))
    uu, vv, uv = square(u), square(v), sum(x * y for x, y in zip(u, v, strict=True))
    uw, vw = (sum(x * y for x, y in zip(each, w, strict=True)) for each in (u, v))

    def gap(s, t):
        return sum((Fraction(x) + s * a - t * b) ** 2 for x, a, b in zip(w, u, v, strict=True))

    def along_ray(t):
        return max(Fraction(0), (t * uv - uw) / Fraction(uu))

    choices = [(along_ray(t), t) for t in (Fraction(0), Fraction(1))]
    if vv:
        choices.append((Fraction(0), min(max(Fraction(vw, vv), Fraction(0)), Fraction(1))))
        area = uu * vv - uv * uv
        if area:
            s, t = Fraction(uv * vw - uw * vv, area), Fraction(uu * vw - uv * uw, area)
            if s >= 0 and 0 <= t <= 1:
                choices.append((s, t))
    return min(gap(s, t) for s, t in choices)


def test_rays_at_half_spaces_and_planes_are_exact():
    rng = np.random.default_rng(4)
    normal = rng.integers(-2, 3, (CASES, 3))
    normal[~normal.any(axis=1), 2] = 1
    offset = rng.integers(-3, 4, CASES)
    origin, direction = grid(rng, CASES)
    cases = [*zip(normal, offset, origin, direction, strict=True)]
    solid = [clipped([(n, s)], o, d) for n, s, o, d in cases]
    compare(ck.ray_cast(ck.HalfSpaces(normal, offset), origin, direction), solid, direction)
    flat = [clipped([(n, s), (-n, -s)], o, d) for n, s, o, d in cases]
    found = ck.ray_cast(ck.Planes(normal, offset), origin, direction)
    compare(found, flat, direction)
    assert not found.inside.any()


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    "surface", [mesh_zoo.box(), mesh_zoo.ring(), mesh_zoo.torus(16, 9)], ids=["box", "ring", "torus"]
)
def test_no_ray_passes_between_triangles(surface, turned):
    rng = np.random.default_rng(5)
    points, triangles = surface
    turn, shift = (zoo.rotations(rng, 1)[0], np.array([3.0, 1.0, -2.0])) if turned else (np.eye(3), np.zeros(3))
    mesh = ck.Meshes.from_triangles([surface], shift, turn)
    corner = points[triangles] @ turn.T + shift
    # At all vertices, and at points of all edges.
    share = rng.random((len(corner), 3, 1))
    edges = corner + share * (np.roll(corner, -1, axis=1) - corner)
    targets = np.concatenate([corner.reshape(-1, 3), edges.reshape(-1, 3)])
    for away in (3.0, 100.0):
        origin = corner.mean(axis=(0, 1)) + away * rng.normal(size=targets.shape)
        hits = ck.ray_cast(mesh, origin, targets - origin)
        assert hits.hit.all()
        assert (hits.distance <= length(targets - origin) * (1.0 + 1e-9)).all()
        # Along edges and diagonals of faces, from beyond their ends.
        along = corner - np.roll(corner, -1, axis=1)
        start = (corner + away * along).reshape(-1, 3)
        hits = ck.ray_cast(mesh, start, -along.reshape(-1, 3))
        assert hits.hit.all()
    within = ck.ray_cast(mesh, corner.reshape(-1, 3), rng.normal(size=(3 * len(corner), 3)))
    assert (within.distance <= 1e-12).all()


def test_backfaces_are_ignored_if_asked():
    box = ck.Meshes.from_triangles([mesh_zoo.box()])
    lower, upper = (side[0] for side in ck.bounds(box))
    middle = (lower + upper) / 2.0
    inside = ck.ray_cast(box, middle, [1, 0.1, 0.2], backfaces=False)
    assert not inside.hit[0]
    outside = ck.ray_cast(box, middle - [9.0, 0, 0], [1, 0, 0], backfaces=False)
    assert outside.hit[0] and outside.normal[0].tolist() == [-1.0, 0.0, 0.0]
    triangle = ck.Triangles([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    assert ck.ray_cast(triangle, [0.2, 0.2, 1], [0, 0, -1], backfaces=False).feature[0].tolist() == [2, 0]
    assert ck.ray_cast(triangle, [0.2, 0.2, -1], [0, 0, 1]).feature[0].tolist() == [2, 1]
    assert not ck.ray_cast(triangle, [0.2, 0.2, -1], [0, 0, 1], backfaces=False).hit[0]


def test_rays_at_a_hollow_body_hit_the_wall_from_the_cavity():
    corners, triangles = mesh_zoo.box()
    middle = corners.mean(axis=0)
    wall = mesh_zoo.inside_out((middle + (corners - middle) * 0.5, triangles))
    mesh = ck.Meshes.from_triangles([mesh_zoo.joined([(corners, triangles), wall])])
    size = np.ptp(corners[:, 0])
    found = ck.ray_cast(mesh, [middle, middle - [0.375 * size, 0, 0]], [1, 0, 0])
    assert found.inside.tolist() == [False, True]
    np.testing.assert_allclose(found.distance, [size / 4.0, 0.0])
    assert found.normal.tolist() == [[-1, 0, 0], [-1, 0, 0]]


def test_features_and_rows_follow_the_pairs():
    boxes = ck.Boxes([[0, 0, 0], [9, 0, 0]], 1.0)
    found = ck.ray_cast(boxes, [[-5, 0, 0], [9, 0, 5]], [[1, 0, 0], [0, 0, -2]], pairs=[[1, 1], [0, 0], [0, 1]])
    assert found.distance.tolist() == [4.0, 4.0, np.inf]
    assert found.feature.tolist() == [[2, 5], [2, 0], [-1, -1]]
    body = ck.Assemblies([[ck.Spheres([0, 0, 0], 1), boxes]])
    found = ck.ray_cast(body, [[9, 0, 5], [0, 0, 0]], [0, 0, -1])
    assert found.part.tolist() == [2, 0]
    assert found.inside.tolist() == [False, True]
    cylinder = ck.Cylinders([0, 0, -1], [0, 0, 1], 1.0)
    found = ck.ray_cast(cylinder, [[0, 0, 5], [5, 0, 0], [0, 0, -5]], [[0, 0, -1], [-1, 0, 0], [0, 0, 1]])
    assert found.feature.tolist() == [[2, 1], [1, 2], [2, 0]]
    assert found.normal.tolist() == [[0, 0, 1], [1, 0, 0], [0, 0, -1]]


def test_a_limit_is_the_greatest_distance():
    ball = ck.Spheres([0, 0, 0], 1)
    found = ck.ray_cast(ball, [-3, 0, 0], np.tile([2.0, 0, 0], (3, 1)), max_distance=[1.5, 2.0, 9.0])
    assert found.hit.tolist() == [False, True, True]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0, 0, 0]], [[0, 0, 0]]), "direction: row 0 has no length"),
        (([[0, 0]], [[0, 0, 1]]), r"origin: shape \(1, 2\)"),
        (([[0, np.nan, 0]], [[0, 0, 1]]), "origin: row 0 is not finite"),
        ((np.zeros((3, 3)), np.ones((2, 3))), "direction: 2 rows, but origin has 3"),
        ((np.zeros((3, 3)), np.ones((3, 3))), "shapes has 2 rows and origin has 3"),
    ],
)
def test_wrong_rays_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        ck.ray_cast(ck.Spheres(np.zeros((2, 3)), 1.0), *arguments)
    if "shapes" not in message:
        with pytest.raises(ValueError, match=message):
            ck.World([ck.Spheres(np.zeros((2, 3)), 1.0)]).ray_cast(*arguments)


def test_a_wrong_limit_is_named():
    for limit in (-1.0, np.nan, [1.0, 2.0]):
        with pytest.raises(ValueError, match="max_distance: "):
            ck.ray_cast(ck.Spheres([0, 0, 0], 1.0), [0, 0, 3], [0, 0, 1], max_distance=limit)


def worlds():
    rng = np.random.default_rng(7)
    batches = [zoo.generic(kind, rng, 8) for kind in ck.Kind]
    world = ck.World(batches)
    margin = np.where(np.isin(world.kind, (ck.Kind.PLANE, ck.Kind.COMPOUND)), 0.0, 0.3 * rng.random(len(world)))
    bounded = world[~np.isin(world.kind, UNBOUNDED)]
    return {"all": world, "margins": ck.World(batches, margin), "bounded": bounded[::-1], "none": ck.World([])}


WORLDS = worlds()


def every_pair(world, count):
    return np.stack([each.reshape(-1) for each in np.indices((len(world), count))], axis=1)


@pytest.mark.parametrize("name", WORLDS)
def test_a_world_gives_the_nearest_of_all_hits_and_all_of_them(name):
    world, rng = WORLDS[name], np.random.default_rng(8)
    origin, direction = 3.0 * rng.normal(size=(40, 3)), rng.normal(size=(40, 3))
    single = ck.ray_cast(world, origin, direction, every_pair(world, 40), max_distance=6.0)
    distance = np.concatenate([np.full((1, 40), np.inf), single.distance.reshape(len(world), 40)])
    found = world.ray_cast(origin, direction, max_distance=6.0)
    np.testing.assert_array_equal(found.distance, distance.min(axis=0))
    np.testing.assert_array_equal(found.shape, distance.argmin(axis=0) - 1)
    np.testing.assert_array_equal(found.ray, np.arange(40))
    every = world.ray_cast(origin, direction, max_distance=6.0, all_hits=True)
    assert len(every) == single.hit.sum()
    place = np.lexsort((every.shape, every.distance, every.ray))
    np.testing.assert_array_equal(place, np.arange(len(every)))
    np.testing.assert_array_equal(every.distance, distance[every.shape + 1, every.ray])


@pytest.mark.parametrize("name", ["all", "margins", "bounded"])
def test_a_world_gives_the_nearest_shape_to_each_point(name):
    world, rng = WORLDS[name], np.random.default_rng(9)
    points = 3.0 * rng.normal(size=(40, 3))
    distance = ck.signed_distance(world, points, every_pair(world, 40)).reshape(len(world), 40)
    found = world.closest(points)
    np.testing.assert_array_equal(found.distance, distance.min(axis=0))
    np.testing.assert_array_equal(found.shape, distance.argmin(axis=0))


@pytest.mark.parametrize("name", ["all", "margins", "bounded"])
def test_a_world_gives_what_a_moving_shape_touches_first(name):
    world, rng = WORLDS[name], np.random.default_rng(10)
    balls, velocity = ck.Spheres(4.0 * rng.normal(size=(30, 3)), 0.1), 2.0 * rng.normal(size=(30, 3))
    single = ck.time_of_impact(balls, world, every_pair(world, 30)[:, ::-1], velocity_a=velocity)
    time = single.time.reshape(len(world), 30)
    found = world.sweep(balls, velocity)
    np.testing.assert_array_equal(found.time, time.min(axis=0))
    np.testing.assert_array_equal(found.shape, np.where(found.hit, time.argmin(axis=0), -1))
    assert (found.shape >= 0).sum() > 1
    none = ck.World([]).sweep(balls, [1, 0, 0])
    assert not none.hit.any() and (none.shape == -1).all()


def test_the_nearest_pairs_of_a_world_are_in_order():
    world = WORLDS["bounded"]
    pairs, found = world.nearest_pairs(0.4)
    every = np.stack(np.triu_indices(len(world), 1), axis=1)
    distance = world.distance(every).distance
    assert {tuple(pair) for pair in pairs} == {tuple(pair) for pair in every[distance <= 0.4]}
    assert (np.diff(found.distance) >= 0.0).all()
    few, nearest = world.nearest_pairs(0.4, count=3)
    assert few.tolist() == pairs[:3].tolist()
    assert nearest.equals(found[:3])


def test_a_body_with_a_margin_beside_it_is_moved_apart():
    world = ck.World(
        [ck.Assemblies([[ck.Boxes([0, 0, 0], 1.0)]] * 2), ck.Spheres([[0, 0, 0.5]] * 2, 0.5)], margin=[0, 0, 0.1, 0.2]
    )
    np.testing.assert_allclose(world.distance([[0, 2], [1, 3]]).distance, [-1.1, -1.2])


def flat_shapes(rng, count):
    outline = [[0, 0], [4, 0], [4, 1], [1, 1], [1, 3], [0, 3]]
    region = (outline, [[[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]])
    place, turn = rng.normal(size=(count, 2)), 6.0 * rng.random(count)
    circles, boxes = planar.Circles(place, rng.random(count)), planar.Rectangles(place, rng.random((count, 2)), turn)
    return [
        circles,
        boxes,
        planar.AABBs(place, place + rng.random((count, 2))),
        planar.Polygons(list(rng.normal(size=(count, 3, 2)))),
        planar.Regions([region] * count, place, turn),
        planar.World([circles, boxes], margin=rng.random(2 * count))[::2],
    ]


@pytest.mark.parametrize("number", range(6))
def test_rays_in_the_plane_hit_where_a_point_that_moves_does(number):
    rng = np.random.default_rng(11)
    shapes = flat_shapes(rng, 200)[number]
    origin = 3.0 * rng.normal(size=(200, 2))
    direction = rng.normal(size=(200, 2)) - origin
    hits = planar.ray_cast(shapes, origin, direction)
    unit = direction / np.hypot(*direction.T)[:, None]
    moved = planar.time_of_impact(shapes, planar.Circles(origin, 0.0), velocity_b=100.0 * unit)
    np.testing.assert_array_equal(hits.hit, moved.hit)
    met = hits.hit
    np.testing.assert_allclose(hits.distance[met], 100.0 * moved.time[met], atol=1e-10)
    ahead = met & ~hits.inside
    np.testing.assert_allclose(hits.normal[ahead], moved.normal[ahead], atol=1e-7)
    assert ahead.sum() > 20
    assert (np.einsum("ni,ni->n", hits.normal[met], unit[met]) <= 1e-12).all()


def test_rays_at_boxes_of_the_plane_are_exact():
    rng = np.random.default_rng(12)
    low, extent = rng.integers(-2, 3, (CASES, 2)), rng.integers(0, 4, (CASES, 2))
    origin, direction = (each[:, :2] for each in grid(rng, CASES))
    direction = np.where(direction.any(axis=1, keepdims=True), direction, [1, 0])
    shapes = planar.AABBs(low, low + extent)
    expected = []
    for a, b, o, d in zip(low, low + extent, origin, direction, strict=True):
        planes = box_planes([*a, 0], [*b, 0])[:4]
        expected.append(clipped(planes, [*o, 0], [*d, 0]))
    compare(planar.ray_cast(shapes, origin, direction), expected, direction)
    corners = [[a, [b[0], a[1]], b, [a[0], b[1]]] for a, b in zip(low, low + extent, strict=True)]
    compare(planar.ray_cast(planar.Polygons(corners), origin, direction), expected, direction)
    assert (np.isin(planar.ray_cast(shapes, origin, direction).feature[:, 1], [-1, 0, 1, 2, 3])).all()


def test_a_ray_along_the_side_of_a_cone_has_the_normal_of_the_side():
    """By rounding, such a ray enters the surface from behind: its reversed direction is no normal of the cone."""
    rng = np.random.default_rng(12)
    turn, angle, low = rng.uniform(0.0, 2.0 * np.pi, (3, 400))
    radial = np.stack([np.cos(turn), np.sin(turn), np.zeros(400)], axis=1)
    cones = ck.Cones(np.tile([[3.0, -2.0, 5.0]], (400, 1)), np.tile([[3.0, -2.0, 6.0]], (400, 1)), 0.5)
    level = 0.1 + 0.8 * low[:, None] / (2.0 * np.pi)
    point = cones.base + 0.5 * (1.0 - level) * radial + level * [0.0, 0.0, 1.0]
    normal = (radial + np.array([0.0, 0.0, 0.5])) / np.hypot(1.0, 0.5)
    around = np.cross(radial, [0.0, 0.0, 1.0])
    down = np.cross(normal, around)
    way = np.cos(angle)[:, None] * around + np.sin(angle)[:, None] * down
    found = ck.ray_cast(cones, point - 2.0 * way, way)
    rows = np.flatnonzero(found.hit & (np.linalg.norm(found.point - point, axis=1) < 1e-3))
    assert len(rows) > 100
    assert ((found.normal * normal)[rows].sum(axis=1) > 0.99).all()
    assert ((found.normal * way)[rows].sum(axis=1) <= 1e-12).all()


# Found by the hunt `ray_casts`.
FLAT_CONE = {
    "what": "a ray misses what it goes through: CONE",
    "case": {
        "shape": {
            "kind": "CONE",
            "base": [0.3180800756690793, 0.37599136047345055, -0.40723466949709985],
            "apex": [0.3180800764410681, 0.3759913611505726, -0.4072346704323988],
            "radius": 0.2669867903572742,
        },
        "origin": [-1.0095128712001933, 1.3328724340079758, -0.056054738365410306],
        "way": [0.03636779415749386, -0.02324136757639986, -0.010249871967748753],
    },
}
SEGMENT = {
    "what": "the normal of a hit is not against the ray: CAPSULE",
    "case": {
        "shape": {
            "kind": "CAPSULE",
            "start": [-3.689247487055902e-05, -9.164642829171384e-06, 6.789522399736968e-06],
            "end": [-5.850719613721877e-05, -6.644547553580976e-05, -1.6952974913023587e-05],
            "radius": 0.0,
        },
        "origin": [-1.5277753603899285e-05, 4.811618987746693e-05, 3.05320197124975e-05],
        "way": [-0.19450814242681813, -0.5154629675292284, -0.2136557299030319],
    },
}


@pytest.mark.parametrize("failure", [FLAT_CONE, SEGMENT], ids=["flat cone", "segment"])
def test_thin_shapes_are_hit(failure):
    assert ray_casts.wrong(failure) == ""


def test_hits_are_the_first_points_of_the_surface():
    assert ray_casts.run(3, 100) == []
