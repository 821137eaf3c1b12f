# SPDX-License-Identifier: GPL-3.0-or-later
"""A flat shape never passes through another, however far it goes; a shape that passes beside another is a miss."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import planar
from collision_kit.core.continuous import cast_parts
from tests.helpers import mesh_zoo, zoo
from tests.helpers.offline import slow
from tests.hunt import flat_sweeps

TRIANGLE = np.array([[-2.0, -1, 1], [3, -1, 0], [0, 2, 0]])
K = ck.Kind


@pytest.mark.parametrize("count", [100, *slow(400)])
@pytest.mark.parametrize("seed", [0, *slow(1)])
def test_integers_say_the_same_at_all_distances(monkeypatch, seed, count):
    monkeypatch.setattr(flat_sweeps, "_ROWS", 40)
    assert flat_sweeps.run(seed, count) == []


def test_the_oracle_in_integers_is_the_one_in_fractions():
    """Of a batch each case alone, from its floats; and it tells a hit from a miss."""
    rng = np.random.default_rng(5)
    for _ in range(4):
        batch = flat_sweeps.Batch(rng, 3)
        corners, velocities = batch.floats()
        hit = batch.lattice()[0]
        for row in range(batch.count) if batch.sorts[1] != "plane" else ():
            found = ck.Impacts.misses(batch.count)
            case = batch.find("", row, corners, velocities, found)
            assert flat_sweeps.wrong(case) == ""
            case["case"]["velocity_b"], case["case"]["velocity_a"] = [[0.0] * 3] * 2
            met = ck.overlap(*(flat_sweeps.made(s, c[[row]]) for s, c in zip(batch.sorts, corners, strict=True)))
            assert flat_sweeps.wrong(case) == "" and (met[0] <= hit[row])


def sheets(count):
    """Things without thickness that hold the triangle, or are it."""
    same = np.zeros(count, dtype=int)
    normal = np.cross(TRIANGLE[1] - TRIANGLE[0], TRIANGLE[2] - TRIANGLE[0])
    normal /= np.linalg.norm(normal)
    turn = np.linalg.qr(np.column_stack([normal, TRIANGLE[1] - TRIANGLE[0], TRIANGLE[2] - TRIANGLE[0]]))[0]
    turn *= np.sign(np.linalg.det(turn))
    middle = TRIANGLE.mean(axis=0)
    batches = {
        "plane": ck.Planes([normal], [normal @ middle]),
        "plate": ck.Boxes([middle], [[0.0, 4.0, 4.0]], [turn]),
        "triangle": ck.Triangles([TRIANGLE]),
        "hull": ck.Hulls.from_points([TRIANGLE], [[0, 0, 0]]),
        "mesh": ck.Meshes.from_triangles([(TRIANGLE, [[0, 1, 2]])]),
        "assembly": ck.Assemblies([[ck.Triangles([TRIANGLE]), ck.Spheres([[0, 0, 1e9]], [0.0])]]),
    }
    return normal, {name: batch.take(same) for name, batch in batches.items()}


def movers(place, rng):
    """Small things without thickness at places, with one corner there and all others within a unit of it."""
    count = len(place)
    corners = place[:, None] + np.concatenate([np.zeros((count, 1, 3)), rng.uniform(-0.5, 0.5, (count, 2, 3))], axis=1)
    return {
        "point": ck.Spheres(place, np.zeros(count)),
        "segment": ck.Capsules(corners[:, 0], corners[:, 1], np.zeros(count)),
        "triangle": ck.Triangles(corners),
        "plate": ck.Boxes(place, rng.uniform(0.0, 0.3, (count, 3)) * [0.0, 1.0, 1.0], zoo.rotations(rng, count)),
        "hull": ck.Hulls.from_points(list(corners - place[:, None]), place),
    }


def inside(rng, count):
    """Points of the triangle that are not near its edges."""
    share = rng.uniform(0.1, 1.0, (count, 3))
    return (share / share.sum(axis=1, keepdims=True)) @ TRIANGLE


@pytest.mark.parametrize("question", [ck.time_of_impact, ck.last_contact], ids=lambda question: question.__name__)
def test_what_flies_through_a_sheet_hits_it_from_where_it_comes(question):
    rng = np.random.default_rng(1)
    count = 24
    normal, targets = sheets(count)
    far = 10.0 ** rng.uniform(0.0, 9.0, count)[:, None]
    way = rng.normal(size=(count, 3))
    way += normal * np.sign(way @ normal)[:, None]
    velocity = way * far / np.linalg.norm(way, axis=1, keepdims=True)
    share = rng.uniform(0.1, 0.9, count)
    # As far as floats go: 1e9 sizes away a float64 is off by 1e-7.
    near = 1e-14 * far[:, 0]
    for (name, target), (sort, mover) in itertools.product(
        targets.items(), movers(inside(rng, count) - share[:, None] * velocity, rng).items()
    ):
        found = question(mover, target, velocity_a=velocity)
        assert (found.hit & found.decided).all(), (name, sort)
        if sort == "point":
            np.testing.assert_allclose(found.time, share, rtol=0.0, atol=1e-14 + 1e-13 / far.min(), err_msg=name)
            height = (found.point - TRIANGLE[0]) @ normal
            assert (np.abs(height) <= 1e-13 + near).all(), name
            facing = np.einsum("ni,ni->n", velocity, found.normal) * (1 if question is ck.time_of_impact else -1)
            assert (facing > 0.0).all(), name
            np.testing.assert_allclose(np.abs(found.normal @ normal), 1.0, atol=1e-9, err_msg=name)


@pytest.mark.parametrize("count", [3, *slow(12)])
def test_what_passes_beside_a_sheet_is_a_miss(count):
    """By a millionth, and by a few roundings of the way."""
    rng = np.random.default_rng(2)
    _, targets = sheets(count)
    edge = rng.integers(0, 3, count)
    start, end = TRIANGLE[edge], TRIANGLE[(edge + 1) % 3]
    share = rng.uniform(0.1, 0.9, count)[:, None]
    aim = start + share * (end - start)
    outward = aim - TRIANGLE.mean(axis=0)
    outward -= (end - start) * ((outward * (end - start)).sum(axis=1) / ((end - start) ** 2).sum(axis=1))[:, None]
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    # Across the edge, so that what is missed beside it is missed at all times.
    way = np.cross(outward, rng.normal(size=(count, 3)))
    far = 10.0 ** rng.uniform(0.0, 6.0, count)[:, None]
    velocity = way * far / np.linalg.norm(way, axis=1, keepdims=True)
    for off in (1e-6, 4e-13 * far):
        place = aim + off * outward - 0.4 * velocity
        for name in ("triangle", "hull"):
            for mover in (ck.Spheres(place, np.zeros(count)), ck.Capsules(place, place + outward, np.zeros(count))):
                found = ck.time_of_impact(mover, targets[name], velocity_a=velocity)
                assert found.decided.all() and not found.hit.any(), name


@pytest.mark.parametrize("far", [1e7, *slow(1.0, 1e5)])
def test_what_turns_as_it_flies_hits_the_sheet_too(far):
    rng = np.random.default_rng(3)
    count = 5
    normal, targets = sheets(count)
    way = rng.normal(size=(count, 3))
    way += 2.0 * normal * np.sign(way @ normal)[:, None]
    velocity = far * way / np.linalg.norm(way, axis=1, keepdims=True)
    share = rng.uniform(0.1, 0.9, count)
    spin = rng.normal(size=(count, 3))
    # About a point within reach of what turns, which is where it meets the sheet.
    aim = inside(rng, count)
    off = rng.uniform(-0.2, 0.2, (count, 3))
    pivot = aim - off - share[:, None] * velocity
    back = ck.RigidMotion(0.0 * spin, -spin, 0.0 * spin).pose(share)[0]
    place = pivot + np.einsum("nij,nj->ni", back, off)
    motion = ck.RigidMotion(velocity, spin, pivot)
    rotation, translation = ck.RigidMotion(0.0 * spin, spin, 0.0 * spin).pose(np.ones(count))[0], pivot + velocity
    same = np.broadcast_to(np.eye(3), (count, 3, 3))
    between = ck.motion_between(same, pivot, rotation, translation)
    for (name, target), (sort, mover) in itertools.product(targets.items(), movers(place, rng).items()):
        for moves in (motion, between) if sort in ("point", "triangle") else (motion,):
            found = ck.time_of_impact(mover, target, motion_a=moves)
            assert (found.hit & found.decided).all(), (name, sort)
            assert (found.time <= share + 1e-9).all(), (name, sort)


def test_a_mesh_is_met_along_its_surface_and_decided():
    """At all angles, down to next to none."""
    mesh = ck.Meshes.from_triangles([(TRIANGLE, [[0, 1, 2]])])
    found = ck.time_of_impact(ck.Spheres([[13.5, 25.8, -6.6]], [0]), mesh, velocity_a=[[-26.8, -51.8, 14]])
    assert found.hit[0] and found.decided[0]
    np.testing.assert_allclose(found.time, [0.5], atol=1e-14)
    slope = 10.0 ** -np.arange(0.0, 8.0)
    start = np.column_stack([np.full(8, -5.0), np.zeros(8), 6.0 * slope])
    way = np.column_stack([np.full(8, 10.0), np.zeros(8), -10.0 * slope])
    flat = ck.Meshes.from_triangles([([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])]).take(np.zeros(8, dtype=int))
    found = ck.time_of_impact(ck.Spheres(start, np.zeros(8)), flat, velocity_a=way)
    assert found.decided.all()
    np.testing.assert_allclose(found.time, 0.6, atol=1e-8)


def test_meshes_meet_when_the_first_of_their_triangles_do(monkeypatch):
    """However few pieces are looked at together; solids from outside, and what starts within one at once."""
    rng = np.random.default_rng(4)
    count = 12
    solids = mesh_zoo.meshes(rng, count, "generic", rng.normal(size=(count, 3)), zoo.rotations(rng, count))
    balls = ck.Spheres(6.0 * rng.normal(size=(count, 3)), rng.uniform(0.0, 0.2, count))
    velocity = -1.6 * (balls.center - solids.translation) + 0.5 * rng.normal(size=(count, 3))
    whole = ck.time_of_impact(balls, solids, velocity_a=velocity)
    monkeypatch.setattr(cast_parts, "_MOST_PIECES", 4)
    monkeypatch.setattr(cast_parts, "_SHORTEST", 0.1)
    few = ck.time_of_impact(balls, solids, velocity_a=velocity)
    for name in ("hit", "time", "point", "normal", "safe"):
        np.testing.assert_allclose(getattr(few, name), getattr(whole, name), rtol=0.0, atol=1e-12)
    assert 0.2 < whole.hit.mean() < 1.0
    for row in range(count):
        mesh = solids.geometry[solids.index[row]]
        corners = mesh.corners @ solids.rotation[row].T + solids.translation[row]
        each = ck.time_of_impact(balls.take(np.array([row])), ck.Triangles(corners), velocity_a=velocity[[row]])
        if not ck.overlap(balls.take(np.array([row])), solids.take(np.array([row])))[0]:
            np.testing.assert_allclose(whole.time[row], each.time.min(), atol=1e-12)


def test_a_plane_meets_the_first_corner_of_a_mesh_on_its_way():
    """On either side of it, and nothing where there is none."""
    mesh = ck.Meshes.from_triangles(
        [([[0, 0, 1], [1, 0, 2], [0, 1, 3], [0, 0, -1], [1, 0, -4], [0, 1, -2]], [[0, 1, 2], [3, 4, 5]])]
    ).take(np.zeros(4, dtype=int))
    plane = ck.Planes([[0, 0, 2]], [0.0])
    found = ck.time_of_impact(plane, mesh, velocity_b=[[0, 0, -4], [9, 0, 4], [5, 5, 0.0], [0, 0, -0.5]])
    np.testing.assert_allclose(found.time, [0.25, 0.25, np.inf, np.inf], atol=1e-15)
    np.testing.assert_allclose(found.normal[:2], [[0, 0, 1], [0, 0, -1]], atol=1e-15)
    ceiling = ck.HalfSpaces([[0, 0, -1]], [-9.0])
    turned = ck.time_of_impact(mesh, ceiling, velocity_a=[[0, 0, 6.0]], velocity_b=[[0, 0, -6.0]])
    np.testing.assert_allclose(turned.time, 0.5, atol=1e-15)


def test_a_corner_that_goes_along_a_plane_does_not_pass_it():
    """The speed along the normal is less than the rounding of the velocity: its sign is told in fractions."""
    rng = np.random.default_rng(11)
    count, height = 300, 2.0**-20
    normal = rng.normal(size=(count, 3))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    planes = ck.Planes(normal, np.zeros(count))
    side = rng.normal(size=(2, count, 3))
    side -= (side * normal).sum(axis=2)[..., None] * normal
    # One corner is nearest to the plane, above or below it.
    sign = rng.choice([-1.0, 1.0], count)[:, None]
    corners = sign[:, None] * np.stack([0.0 * normal, side[0] + normal, side[1] + 2.0 * normal], axis=1)
    corners += side.sum(axis=0)[:, None] + (sign * height * normal)[:, None]
    far = 10.0 ** rng.uniform(10.0, 13.0, count)[:, None]
    velocity = far * (side[0] - side[1])
    hit = []
    for row in range(count):
        along = planes.normal[row]
        heights = [sum(Fraction(x) * Fraction(n) for x, n in zip(of, along, strict=True)) for of in corners[row]]
        speed = sum(Fraction(x) * Fraction(n) for x, n in zip(velocity[row], along, strict=True))
        ends = [*heights, *(of + speed for of in heights)]
        hit.append(min(ends) <= 0 <= max(ends))
    assert 0.2 < np.mean(hit) < 0.8
    meshes = ck.Meshes.from_triangles([(of, [[0, 1, 2]]) for of in corners])
    assert ck.time_of_impact(planes, meshes, velocity_b=velocity).hit[hit].all()
    assert ck.time_of_impact(meshes, planes, velocity_a=velocity).hit[hit].all()


def test_in_the_plane_points_and_segments_do_not_pass_either():
    rng = np.random.default_rng(6)
    count = 300
    far = 10.0 ** rng.uniform(0.0, 7.0, count)[:, None]
    angle = rng.uniform(0.3, np.pi - 0.3, count)
    velocity = far * np.column_stack([np.cos(angle), np.sin(angle)])
    share = rng.uniform(0.1, 0.9, count)
    aim = np.column_stack([rng.uniform(-0.9, 0.9, count), np.zeros(count)])
    points = planar.Circles(aim - share[:, None] * velocity, np.zeros(count))
    wall = planar.AABBs(np.tile([[-1.0, 0.0]], (count, 1)), np.tile([[1.0, 0.0]], (count, 1)))
    found = planar.time_of_impact(points, wall, velocity_a=velocity)
    assert found.hit.all()
    np.testing.assert_allclose(found.time, share, atol=1e-14 + 1e-13 / far.min())
