# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distances that are the negated interference of overlapping pairs, against `distance` and `interference`."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.narrow_phase.mesh.interference import INTERFERENCE
from collision_kit.core.query.queries import local_distance


def ring(sides: int, across: int) -> tuple[np.ndarray, np.ndarray]:
    """A torus, which is concave: points and triangles."""
    u, v = np.meshgrid(*(2.0 * np.pi * np.arange(count) / count for count in (sides, across)), indexing="ij")
    reach = 1.0 + 0.35 * np.cos(v)
    points = np.stack([reach * np.cos(u), reach * np.sin(u), 0.35 * np.sin(v)], axis=-1).reshape(-1, 3)
    at = np.arange(sides * across).reshape(sides, across)
    corner = [np.roll(at, shift, axis=(0, 1)).ravel() for shift in ((0, 0), (-1, 0), (-1, -1), (0, -1))]
    faces = [np.stack([corner[k] for k in one], axis=1) for one in ((0, 1, 2), (0, 2, 3))]
    return points, np.concatenate(faces)


def turned(rng: np.random.Generator, count: int) -> np.ndarray:
    """Random rotations."""
    found = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    found[np.linalg.det(found) < 0.0, :, 0] *= -1.0
    return found


def shapes(rng: np.random.Generator, count: int) -> dict[str, ck.World]:
    """Worlds of one kind each, at random places."""
    place = [rng.uniform(-1.2, 1.2, (count, 3)) for _ in range(4)]
    mesh = ck.Meshes.from_triangles([ring(14, 7)] * count, translation=place[0], rotation=turned(rng, count))
    boxes = ck.Boxes(place[1], rng.uniform(0.1, 0.7, (count, 3)), turned(rng, count))
    balls = ck.Spheres(place[2], rng.uniform(0.1, 0.7, count))
    flat = ck.HalfSpaces(rng.normal(size=(count, 3)), rng.uniform(-0.5, 0.5, count))
    return {
        "mesh": ck.World([mesh]),
        "box": ck.World([boxes]),
        "ball": ck.World([balls]),
        "half-space": ck.World([flat]),
        "inflated": ck.World([mesh], margin=rng.uniform(0.0, 0.1, count)),
    }


@pytest.mark.parametrize("kind", ["mesh", "box", "ball", "half-space", "inflated"])
@pytest.mark.parametrize("seed", [0, 1])
def test_it_is_the_distance_of_separated_pairs_and_minus_the_interference_of_others(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = shapes(rng, 40)["mesh"], shapes(rng, 40)[kind]
    for first, second in ((a, b), (b, a)):
        pairs = np.stack([np.arange(40)] * 2, axis=1)
        found, whole = local_distance(first, second, pairs), ck.distance(first, second, pairs)
        depth = ck.interference(first, second, pairs)
        apart = whole.distance > whole.rounding
        assert apart.any() and (depth > 0.0).any()
        np.testing.assert_allclose(found.distance[apart], whole.distance[apart], atol=1e-12)
        np.testing.assert_allclose(found.normal[apart], whole.normal[apart], atol=1e-7)
        deep = depth > 0.0
        # Both searches are accurate to a thousandth.
        np.testing.assert_allclose(-found.distance[deep], depth[deep], rtol=2.0 * INTERFERENCE, atol=1e-12)
        assert (-found.distance <= -whole.distance + 2.0 * INTERFERENCE * depth + 1e-9)[deep].all()
        step = found.point_b - found.point_a
        np.testing.assert_allclose(step, found.distance[:, None] * found.normal, atol=1e-9)
        np.testing.assert_allclose(np.linalg.norm(found.normal, axis=1), 1.0, atol=1e-9)


@pytest.mark.parametrize("seed", [2, 3])
def test_its_points_are_on_both_surfaces_and_one_is_as_deep_in_the_other_solid(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = rng.uniform(-0.8, 0.8, (2, 60, 3))
    a, b = (
        ck.Meshes.from_triangles([ring(12, 6)] * 60, translation=place, rotation=turned(rng, 60)) for place in places
    )
    found = local_distance(a, b)
    deep = np.flatnonzero(found.distance < -1e-6)
    assert len(deep) > 20
    rows = np.stack([deep, np.arange(len(deep))], axis=1)
    at_a = [ck.signed_distance(one, found.point_a[deep], rows) for one in (a, b)]
    at_b = [ck.signed_distance(one, found.point_b[deep], rows) for one in (a, b)]
    depth = -found.distance[deep]
    a_in_b = np.isclose(at_a[1], -depth, rtol=1e-6) & np.isclose(at_a[0], 0.0, atol=1e-9)
    b_in_a = np.isclose(at_b[0], -depth, rtol=1e-6) & np.isclose(at_b[1], 0.0, atol=1e-9)
    # A point in the middle of both is on no surface, and its depth is the smaller of its two.
    middle = np.isclose(at_a[1], -depth, rtol=1e-6) | np.isclose(at_b[0], -depth, rtol=1e-6)
    assert (a_in_b | b_in_a | middle).all()
    assert (a_in_b | b_in_a).mean() > 0.9


def test_touching_pairs_have_the_distance_zero_and_the_normal_of_a_face() -> None:
    points, triangles = ring(8, 4)
    lowest = points[:, 2].min()
    mesh = ck.Meshes.from_triangles([(points, triangles)])
    floor = ck.Boxes([[0.0, 0.0, lowest - 0.5]], [[4.0, 4.0, 0.5]])
    found = local_distance(mesh, floor)
    assert found.distance[0] == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(found.normal[0], [0.0, 0.0, -1.0], atol=1e-9)


def test_compounds_have_the_interference_of_their_deepest_parts() -> None:
    bars = ck.Compounds([[ck.Boxes([[0, 0, 0]], [[2.0, 0.2, 0.2]]), ck.Meshes.from_triangles([ring(12, 6)])]])
    other = ck.Boxes([[1.2, 0.1, 0.25]], [[0.4, 0.4, 0.2]])
    found = local_distance(bars, other)
    assert -found.distance[0] == pytest.approx(ck.interference(bars, other)[0], rel=2.0 * INTERFERENCE)
    assert found.distance[0] < -0.1
