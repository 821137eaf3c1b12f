# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes that are contained in shapes without an inside: they overlap, and reach out nowhere."""

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers import mesh_zoo, zoo

COUNT = 300


def all_in_line(rng):
    """Triangles with corners in one line, and how far along the line the farthest ones are."""
    start, along = rng.uniform(-1.0, 1.0, (COUNT, 3)), rng.normal(size=(COUNT, 3))
    share = rng.uniform(0.0, 1.0, (COUNT, 3))
    return (
        start,
        along,
        share.min(axis=1),
        share.max(axis=1),
        ck.Triangles(start[:, None] + share[..., None] * along[:, None]),
    )


@pytest.mark.parametrize("maker", [ck.Cylinders, ck.Capsules, ck.Cones])
def test_a_triangle_in_a_line_holds_what_does_not_reach_beyond_its_corners(maker):
    rng = np.random.default_rng(1)
    start, along, low, high, triangles = all_in_line(rng)
    # Half of them within the corners, the others on both sides of one.
    share = np.sort(rng.uniform(0.0, 1.0, (COUNT, 2)), axis=1) + np.where(np.arange(COUNT) % 2, 0.0, 0.5)[:, None]
    ends = low[:, None] + share * (high - low)[:, None]
    ends = ends[:, :, None]
    b = maker(start + ends[:, 0] * along, start + ends[:, 1] * along, np.zeros(COUNT))
    beyond = np.maximum(low - ends[:, 0, 0], ends[:, 1, 0] - high) * np.linalg.norm(along, axis=1)
    held = ck.contains(triangles, b)
    assert held.any() and not held.all()
    np.testing.assert_array_equal(held, beyond <= 1e-12)


@pytest.mark.parametrize("kind", [ck.Kind.BOX, ck.Kind.TRIANGLE, ck.Kind.CYLINDER, ck.Kind.CAPSULE, ck.Kind.HULL])
def test_what_is_held_overlaps_where_it_touches_to_rounding(kind):
    rng = np.random.default_rng([2, kind])
    a = zoo.degenerate(kind, rng, 4 * COUNT)
    point = rng.uniform(-1.0, 1.0, (4 * COUNT, 3))
    near = ck.distance(a, ck.Spheres(point, np.zeros(len(point))))
    away = near.rounding * rng.uniform(-3.0, 3.0, len(point))
    b = ck.Spheres(near.point_a + away[:, None] * near.normal, np.zeros(len(point)))
    held = ck.contains(a, b)
    assert held.any() and not held.all()
    assert ck.overlap(a, b)[held].all()


def test_a_plate_as_thin_as_rounding_holds_its_middle():
    rng = np.random.default_rng(41)
    half = rng.uniform(0.5, 1.0, (200, 3))
    half[:, 0] = 10.0 ** rng.uniform(-12.0, -9.0, 200)
    plates = ck.Boxes(rng.uniform(-1.0, 1.0, (200, 3)), half, zoo.rotations(rng, 200))
    assert ck.contains(plates, ck.Spheres(plates.center, np.zeros(200))).all()
    assert ck.contains(plates, ck.Boxes(plates.center, np.zeros((200, 3)), plates.rotation)).all()
    beside = plates.center + 1e-8 * plates.rotation[:, :, 0]
    assert not ck.contains(plates, ck.Spheres(beside, np.zeros(200))).any()


def test_a_point_beyond_a_sharp_edge_or_tip_is_not_held():
    """Behind all faces within rounding, and 2 to 5 roundings outside, a thousand sizes from the origin."""
    place, ahead_of = np.array([300.0, 500.0, 800.0]), np.array([1.0, 0.0, 0.0])
    for half in (0.05, 0.02):
        wedge = [[1.0, y, 0.0] for y in (-0.5, 0.5)] + [[0.0, y, z] for y in (-0.5, 0.5) for z in (-half, half)]
        spike = [[1.0, 0.0, 0.0]] + [[0.0, y, z] for y in (-half, half) for z in (-half, half)]
        hulls = ck.Hulls.from_points([wedge, spike], np.tile(place, (2, 1)))
        tip = np.tile(place + ahead_of, (2, 1))
        rounding = ck.distance(hulls, ck.Spheres(tip, np.zeros(2))).rounding
        for ahead in (-1.0, 2.0, 3.0, 5.0):
            end = tip + (ahead * rounding)[:, None] * ahead_of
            segment = ck.Triangles(np.stack([end, tip - 0.1 * ahead_of, tip - 0.1 * ahead_of], axis=1))
            assert (ck.contains(hulls, segment) == (ahead < 0.0)).all()


def test_cylinders_beside_a_plate_thinner_than_rounding_are_not_held():
    """The plate is held by the rounding of its faces, so only its outline tells what is beside it."""
    rng = np.random.default_rng(4)
    count, far = 40, np.array([3e5, -2e5, 4e5])
    turn = zoo.rotations(rng, count)
    outline = rng.uniform(-1.0, 1.0, (count, 6, 3)) * [1.0, 1.0, 1e-10]
    plates = ck.Hulls([ck.convex_hull(points) for points in outline], np.arange(count), np.tile(far, (count, 1)), turn)
    # Ends are points of the outline, or as far outside as the plate is wide.
    inner = np.einsum("nk,nkj->nj", rng.dirichlet(np.ones(6), count), outline)
    for share, held in ((0.5, True), (3.0, False)):
        end = inner + share * (outline[:, 0] - inner)
        ends = (far + np.einsum("nij,nj->ni", turn, point) for point in (inner, end))
        cylinders = ck.Cylinders(*ends, np.full(count, 1e-11))
        assert (ck.contains(plates, cylinders) == held).all()


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("filled", [[(1, 1, 1)], [(1, 1, 1), (1, 1, 0)], [(1, 1, 1), (0, 1, 1), (2, 1, 1)]], ids=len)
def test_what_fills_a_cavity_that_opens_only_along_edges_is_not_contained(filled, turned):
    around = [(0, 1, 1), (2, 1, 1), (1, 0, 1), (1, 2, 1), (1, 1, 0), (1, 1, 2)]
    turn = zoo.rotations(np.random.default_rng(1), 1) if turned else np.eye(3)[None]
    outer, whole, inner, part = (
        ck.Meshes.from_triangles([mesh_zoo.voxels(cells)], None, turn)
        for cells in (around, [*around, (1, 1, 1)], filled, around[:1])
    )
    assert not ck.contains(outer, inner)[0]
    assert ck.contains(whole, inner)[0]
    assert ck.contains(outer, part)[0]
