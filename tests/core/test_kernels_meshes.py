# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks of trees by kernels give the same answers as numpy."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.kernels import loading
from collision_kit.core.kernels.loading import COMPILED, INTERPRETED
from collision_kit.core.kernels.trees import DOUBTS
from collision_kit.core.narrow_phase.mesh import leaf_queries
from collision_kit.core.narrow_phase.mesh.operands import MeshRows, mesh_rows
from tests.helpers import mesh_zoo, zoo


def lattice(rng: np.random.Generator, count: int) -> tuple[ck.Meshes, ck.Meshes]:
    """Pairs on a lattice, so that faces are coplanar, corners meet and triangles lie in each other."""
    places = rng.integers(-2, 3, (2, count, 3)) / 2.0
    turns = [zoo.quarter_turns(rng, count) for _ in range(2)]
    return tuple(mesh_zoo.meshes(rng, count, "degenerate", *each) for each in zip(places, turns, strict=True))


def scattered(rng: np.random.Generator, count: int) -> tuple[ck.Meshes, ck.Meshes]:
    """Pairs in general position; a third are moved until they touch, to within some rounding errors."""
    made = [mesh_zoo.generic(rng) for _ in range(count - 4)] + [mesh_zoo.torus(31, 17), mesh_zoo.torus(24, 9)] * 2
    place, turn = rng.uniform(-0.9, 0.9, (count, 3)), zoo.rotations(rng, count)
    a = ck.Meshes.from_triangles(made, place, turn)
    order = rng.permutation(count)
    other = a.take(order).with_fields(translation=place[order] + rng.normal(size=(count, 3)))
    found = ck.distance(a, other)
    left = found.rounding * rng.uniform(-8.0, 8.0, count) * 10.0 ** rng.uniform(-3.0, 3.0, count)
    grazing = (left - found.distance)[:, None] * found.normal * (np.arange(count) % 3 == 0)[:, None]
    return a, other.with_fields(translation=other.translation + grazing)


def copies(rng: np.random.Generator, count: int) -> tuple[ck.Meshes, ck.Meshes]:
    """Each mesh and itself, hardly turned and hardly moved: edges are nearly parallel."""
    a = mesh_zoo.meshes(rng, count, "generic", rng.uniform(-1.0, 1.0, (count, 3)), zoo.rotations(rng, count))
    axis = rng.normal(size=(count, 3)) * 10.0 ** rng.uniform(-12.0, -1.0, (count, 1))
    turn = np.zeros((count, 3, 3))
    for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
        turn[:, j, i], turn[:, i, j] = axis[:, k], -axis[:, k]
    turn = np.linalg.qr(np.eye(3) + turn)[0]
    turn *= np.sign(np.einsum("nii->ni", turn))[:, None]
    away = rng.normal(size=(count, 3)) * 10.0 ** rng.uniform(-15.0, 0.0, (count, 1))
    return a, a.with_fields(rotation=turn @ a.rotation, translation=a.translation + away)


def changed(shapes: ck.Meshes, scale: float, offset: np.ndarray) -> ck.Meshes:
    """The batch scaled, then moved."""
    return ck.Meshes(
        mesh_zoo.scaled(shapes, scale), shapes.index, scale * shapes.translation + offset, shapes.rotation, shapes.solid
    )


@pytest.fixture(params=[1, 2])
def pairs(request: pytest.FixtureRequest) -> list[tuple[MeshRows, MeshRows]]:
    """Pairs of meshes of every sort: small and large, near the origin and far from it."""
    rng = np.random.default_rng(request.param)
    result = []
    for draw in (lattice, scattered, copies):
        a, b = draw(rng, 60)
        for scale, offset in ((1.0, 0.0), (1e-6, 0.0), (1e6, 0.0), (1.0, 1e5), (1e-3, 1.0)):
            shift = offset * rng.normal(size=3)
            result.append(tuple(mesh_rows(changed(each, scale, shift)) for each in (a, b)))
    return result


def asked(mode: str, monkeypatch: pytest.MonkeyPatch, question, *arguments):
    """The answer with kernels, or without."""
    monkeypatch.setattr(loading, "mode", mode)
    return question(*arguments)


def test_the_same_triangles_meet(pairs, monkeypatch):
    several = 0
    for a, b in pairs:
        with_numpy = asked(INTERPRETED, monkeypatch, leaf_queries.meeting, a, b)
        with_kernels = asked(COMPILED, monkeypatch, leaf_queries.meeting, a, b)
        for field in ("pair", "a", "b"):
            assert np.array_equal(getattr(with_numpy, field), getattr(with_kernels, field))
        several += len(with_numpy)
    assert several > 10_000


def test_the_same_meshes_meet(pairs, monkeypatch):
    counts = np.zeros(2, dtype=int)
    for a, b in pairs:
        with_numpy = asked(INTERPRETED, monkeypatch, leaf_queries.any_intersecting, a, b)
        assert np.array_equal(with_numpy, asked(COMPILED, monkeypatch, leaf_queries.any_intersecting, a, b))
        counts += np.bincount(with_numpy, minlength=2)
    assert (counts > 100).all()


def test_what_is_not_in_doubt_is_sure(pairs, monkeypatch):
    monkeypatch.setattr(loading, "mode", COMPILED)
    in_doubt = sure = 0
    for a, b in pairs:
        found, meet = leaf_queries.meeting_by_kernel(a, b)
        verdict = leaf_queries.overlap(a, b, found)
        assert verdict[meet].all()
        first, first_meet = leaf_queries.meeting_by_kernel(a, b, first=True)
        # One pair of triangles of each pair of meshes, unless none surely meets, or too many are in doubt before.
        assert not np.isin(first.pair[~first_meet], first.pair[first_meet]).any()
        missed = np.setdiff1d(found.pair[meet], first.pair[first_meet])
        assert (np.bincount(first.pair, minlength=len(b))[missed] == DOUBTS).all()
        assert np.array_equal(np.unique(first.pair), np.unique(found.pair))
        assert leaf_queries.overlap(a, b, first)[first_meet].all()
        in_doubt, sure = in_doubt + (~meet).sum(), sure + meet.sum()
    assert in_doubt > 1000 < sure


def test_the_same_triangles_are_nearest(pairs, monkeypatch):
    count = 0
    for a, b in pairs:
        rows = np.flatnonzero(~asked(INTERPRETED, monkeypatch, leaf_queries.any_intersecting, a, b))
        a, b = a.take(rows), b.take(rows)
        with_numpy = asked(INTERPRETED, monkeypatch, leaf_queries.nearest, a, b)
        with_kernels = asked(COMPILED, monkeypatch, leaf_queries.nearest, a, b)
        for field in ("piece_a", "piece_b"):
            assert np.array_equal(getattr(with_numpy, field), getattr(with_kernels, field))
        for field in ("distance", "point_a", "point_b", "normal"):
            assert np.array_equal(getattr(with_numpy.found, field), getattr(with_kernels.found, field))
        count += len(rows)
    assert count > 100


def test_a_limit_leaves_out_what_is_farther(monkeypatch):
    monkeypatch.setattr(loading, "mode", COMPILED)
    mesh = mesh_zoo.torus(31, 17)
    a = mesh_rows(ck.Meshes.from_triangles([mesh]))
    b = mesh_rows(ck.Meshes.from_triangles([mesh], [[0.0, 0.0, 2.0]], zoo.rotations(np.random.default_rng(1), 1)))
    distance = leaf_queries.nearest(a, b).found.distance
    assert distance[0] > 0.1
    assert len(leaf_queries.may_be_nearest_by_kernel(a, b, 1.0001 * distance))
    assert not len(leaf_queries.may_be_nearest_by_kernel(a, b, 0.9999 * distance))


def test_nearly_parallel_edges_are_not_farther_than_they_are(monkeypatch):
    rng, count = np.random.default_rng(4), 200
    angle, height, share = 10.0 ** rng.uniform(-9.0, -6.0, count), 1e-9, rng.uniform(-0.9, 0.9, count)
    flat, up = np.array([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, -1.0, -1.0]]), []
    for turn, at in zip(angle, share, strict=True):
        # The edge crosses the other one above (at, 0, 0).
        ends = [[x, (x - at) * turn, height] for x in (-1.0, 1.0)]
        up.append(([*ends, [0.0, 1.0, 1.0]], [[0, 1, 2]]))
    turns = zoo.rotations(rng, 1).repeat(count, axis=0)
    a, b = (
        mesh_rows(ck.Meshes.from_triangles(each, np.zeros((count, 3)), turns))
        for each in ([(flat, [[0, 1, 2]])] * count, up)
    )
    distance = asked(INTERPRETED, monkeypatch, leaf_queries.nearest, a, b).found.distance
    np.testing.assert_allclose(distance, height, rtol=1e-4)
    found = asked(COMPILED, monkeypatch, leaf_queries.may_be_nearest_by_kernel, a, b, np.full(count, 1.0))
    assert np.array_equal(found.pair, np.arange(count))
    assert (found.bound <= distance).all()


def test_a_batch_without_pairs(monkeypatch):
    monkeypatch.setattr(loading, "mode", COMPILED)
    a = mesh_rows(ck.Meshes.from_triangles([mesh_zoo.box()])).take(np.empty(0, dtype=np.int64))
    assert len(leaf_queries.meeting(a, a)) == len(leaf_queries.any_intersecting(a, a)) == 0
