# SPDX-License-Identifier: GPL-3.0-or-later
"""The intersection that a query of meshes has found serves the next query about the same pairs."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.narrow_phase.mesh import intersection
from collision_kit.core.narrow_phase.mesh.leaf_queries import meeting
from collision_kit.core.narrow_phase.mesh.operands import mesh_rows
from collision_kit.core.narrow_phase.mesh.ray_casting import inside
from tests import mesh_zoo

TOUCHING = 1e-6


def crowd(seed: int) -> tuple[ck.World, np.ndarray]:
    """Tori and two brackets of which one is out of reach, and all pairs near each other."""
    rng = np.random.default_rng(seed)
    turns = np.linalg.qr(rng.normal(size=(14, 3, 3)))[0]
    turns *= np.linalg.det(turns)[:, None, None]
    torus, bracket = mesh_zoo.torus(), mesh_zoo.bracket()
    meshes = ck.Meshes.from_triangles([torus] * 12 + [bracket] * 2, rng.uniform(0.0, 3.0, (14, 3)), turns)
    world = ck.World([meshes])
    return world, world.pairs()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The intersections that were found anew."""
    names: list[str] = []

    def counted(name: str, found):
        def query(*arguments):
            names.append(name)
            return found(*arguments)

        return query

    for name in ("meeting", "regions", "submerged"):
        monkeypatch.setattr(intersection, name, counted(name, getattr(intersection, name)))
    return names


def same(one: ck.Contacts, other: ck.Contacts) -> None:
    for name, value in vars(one).items():
        np.testing.assert_array_equal(value, getattr(other, name), err_msg=name)


@pytest.mark.parametrize("seed", range(3))
def test_the_intersection_is_found_once_for_all_queries(asked: list[str], seed: int):
    world, pairs = crowd(seed)
    found = world.distance(pairs)
    deep = np.flatnonzero(found.distance < -TOUCHING)
    assert len(deep) > 4
    assert sorted(asked) == ["meeting", "regions", "submerged"]
    asked.clear()
    inner = world.interference(pairs[deep], known=found.take(deep), touching=TOUCHING)
    touch = world.contacts(pairs[deep], known=found.take(deep))
    assert asked == []
    # The same answers as without it.
    bare = ck.Distances(**vars(found)).take(deep)
    np.testing.assert_array_equal(inner, world.interference(pairs[deep], known=bare, touching=TOUCHING))
    same(touch, world.contacts(pairs[deep], known=bare))
    assert "meeting" in asked


def test_rows_in_another_order_and_some_of_them(asked: list[str]):
    world, pairs = crowd(7)
    found = world.distance(pairs)
    asked.clear()
    for rows in (np.arange(1, len(pairs), 2), np.arange(len(pairs))[::-1], slice(3, 9), found.distance < 0.0):
        some = found.take(rows)
        bare = ck.Distances(**vars(some))
        np.testing.assert_array_equal(some.distance, found.distance[rows])
        same(world.contacts(pairs[rows], known=some), world.contacts(pairs[rows], known=bare))
        np.testing.assert_array_equal(
            world.interference(pairs[rows], known=some), world.interference(pairs[rows], known=bare)
        )


def test_distances_of_meshes_are_stored_like_others():
    world, pairs = crowd(1)
    found = world.distance(pairs)
    back = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(back.distance, found.distance)
    np.testing.assert_array_equal(found.flipped().flipped().normal, found.normal)
    # Tables made from others do without what the distances keep.
    twice = type(found).joined([found, found]).take(slice(0, len(pairs)))
    for known in (replace(found, rounding=found.rounding), twice):
        np.testing.assert_array_equal(known.take(np.arange(len(pairs))).distance, found.distance)
        np.testing.assert_array_equal(world.interference(pairs, known=known), world.interference(pairs, known=found))


@pytest.mark.parametrize("seed", range(3))
def test_vertices_inside_are_those_of_the_solid(seed: int):
    rng = np.random.default_rng(seed)
    batch = ck.Meshes.from_triangles([mesh_zoo.torus()] * 8, rng.uniform(0.0, 1.2, (8, 3)))
    a, b = mesh_rows(batch.take(np.arange(4))), mesh_rows(batch.take(np.arange(4, 8)))
    leaves = meeting(a, b)
    row, vertex = intersection.vertices_inside(a, b, np.arange(4), leaves.pair, leaves.a)
    count = len(batch.geometry[0].points)
    every = np.repeat(np.arange(4), count), np.tile(np.arange(count), 4)
    within = inside(b, every[0], a.vertices(*every))
    assert within.any()
    np.testing.assert_array_equal(row * count + vertex, np.flatnonzero(within))
    # The triangles at these vertices are all that have one.
    which, triangle = intersection.triangles_at(a, row, vertex)
    corner = np.zeros((4, len(batch.geometry[0].triangles), 3), dtype=bool)
    corner[:] = within.reshape(4, count)[:, batch.geometry[0].triangles]
    listed = np.zeros(corner.shape[:2], dtype=int)
    np.add.at(listed, (row[which], triangle), 1)
    np.testing.assert_array_equal(listed, corner.sum(axis=2))
