# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of one mesh inside another, and what is known of pairs."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.narrow_phase.mesh import intersection
from collision_kit.core.narrow_phase.mesh.leaf_queries import meeting
from collision_kit.core.narrow_phase.mesh.operands import mesh_rows
from collision_kit.core.narrow_phase.mesh.ray_casting import inside
from tests.helpers import mesh_zoo

TOUCHING = 1e-6


def crowd(seed: int) -> tuple[ck.World, np.ndarray]:
    """Tori and a pair of cubes of which one is out of reach, and all pairs near each other."""
    rng = np.random.default_rng(seed)
    turns = np.linalg.qr(rng.normal(size=(14, 3, 3)))[0]
    turns *= np.linalg.det(turns)[:, None, None]
    torus, box = mesh_zoo.torus(), mesh_zoo.box()
    meshes = ck.Meshes.from_triangles([torus] * 12 + [box] * 2, rng.uniform(0.0, 3.0, (14, 3)), turns)
    world = ck.World([meshes])
    return world, world.pairs()


def same(one: ck.Contacts, other: ck.Contacts) -> None:
    for name, value in vars(one).items():
        np.testing.assert_array_equal(value, getattr(other, name), err_msg=name)


@pytest.mark.parametrize("rows", [slice(None), slice(1, None, 2), slice(None, None, -1)])
def test_known_distances_give_the_same(rows: slice):
    world, pairs = crowd(7)
    pairs = pairs[rows]
    found = world.distance(pairs)
    assert (found.distance < -TOUCHING).sum() > 2
    same(world.contacts(pairs, known=found), world.contacts(pairs))
    np.testing.assert_array_equal(world.interference(pairs, known=found), world.interference(pairs))


@pytest.mark.parametrize("seed", range(3))
def test_vertices_inside_are_those_of_the_solid(seed: int):
    rng = np.random.default_rng(seed)
    batch = ck.Meshes.from_triangles([mesh_zoo.torus()] * 8, rng.uniform(0.0, 1.2, (8, 3)))
    a, b = mesh_rows(batch.take(np.arange(4))), mesh_rows(batch.take(np.arange(4, 8)))
    found = intersection.Intersection(a, b).submerged[0]
    count = len(batch.geometry[0].points)
    every = np.repeat(np.arange(4), count), np.tile(np.arange(count), 4)
    within = inside(b, every[0], a.vertices(*every))
    assert within.any()
    np.testing.assert_array_equal(np.sort(found.vertices.pair * count + found.vertices.index), np.flatnonzero(within))
    # The triangles at these vertices are all that have one, and those that meet the other surface.
    leaves = meeting(a, b)
    corner = within.reshape(4, count)[:, batch.geometry[0].triangles]
    listed = np.zeros(corner.shape[:2], dtype=bool)
    listed[leaves.pair, leaves.a] = True
    assert not listed[found.triangles.pair, found.triangles.index].any()
    listed[found.triangles.pair, found.triangles.index] = True
    assert listed[corner.any(axis=2)].all()
    np.testing.assert_array_equal(found.triangles.label.max(initial=-1) < found.labels, True)
