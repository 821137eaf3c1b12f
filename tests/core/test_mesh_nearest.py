# SPDX-License-Identifier: GPL-3.0-or-later
"""Nearest triangles of points, triangles that meet, and what is proved to be far, against triangles one by one."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.narrow_phase.mesh.bvh_traversal import near
from collision_kit.core.narrow_phase.mesh.deepest import nearest_triangles
from collision_kit.core.narrow_phase.mesh.leaf_queries import distances, meeting, penetrating
from collision_kit.core.narrow_phase.mesh.operands import mesh_rows
from collision_kit.core.query.queries import proved_apart
from tests.helpers import mesh_zoo, zoo
from tests.helpers.offline import slow


def placed(rng):
    """Meshes of one triangle up to a thousand, turned and moved."""
    meshes = [([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), mesh_zoo.box(), mesh_zoo.torus(9, 5)]
    meshes += [mesh_zoo.torus(31, 17), mesh_zoo.torus(16, 8)]
    return ck.Meshes.from_triangles(meshes, rng.uniform(-2.0, 2.0, (5, 3)), zoo.rotations(rng, 5))


def test_nearest_triangles_are_those_of_all():
    rng = np.random.default_rng(8)
    made = placed(rng)
    rows = mesh_rows(made)
    row = rng.integers(0, 5, 120)
    # Near, far, and on the mesh itself, where several triangles are as near.
    point = made.translation[row] + rng.normal(size=(120, 3)) * 10.0 ** rng.uniform(-3, 2, (120, 1))
    corners = [mesh_zoo.world(made, number) for number in range(5)]
    for at in range(0, 120, 8):
        point[at] = corners[row[at]][rng.integers(len(corners[row[at]])), 0]
    far, triangle = nearest_triangles(rows, row, point)
    for each in range(120):
        of_all = ck.distance(ck.Spheres(point[each : each + 1], [0.0]), ck.Triangles(corners[row[each]])).distance
        slack = 1e-12 * (1.0 + np.abs(point[each]).max())
        assert far[each] == pytest.approx(of_all.min(), abs=slack)
        assert of_all[triangle[each]] <= far[each] + slack


@pytest.mark.parametrize("other", [ck.Kind.MESH, ck.Kind.BOX, *slow(ck.Kind.HULL, ck.Kind.CYLINDER, ck.Kind.SPHERE)])
def test_pairs_are_proved_apart_exactly_beyond_their_distance(other):
    rng = np.random.default_rng(3)
    a, b = zoo.generic(ck.Kind.MESH, rng, 60), zoo.generic(other, rng, 60)
    distance = ck.distance(a, b).distance
    rows = np.stack([np.arange(60)] * 2, axis=1)
    assert (distance > 0.0).sum() > 10
    for share in (0.0, 0.5, 1.0 - 1e-9):
        assert proved_apart(a, b, rows, share * np.maximum(distance, 0.0))[distance > 0.0].all()
        assert proved_apart(b, a, rows, share * np.maximum(distance, 0.0))[distance > 0.0].all()
    for more in (1.0, 1.0 + 1e-9, 3.0):
        assert not proved_apart(a, b, rows, more * np.maximum(distance, 0.0)).any()


def test_what_is_inside_a_solid_is_not_proved_apart():
    outer = mesh_zoo.box()
    inner = mesh_zoo.moved(outer, tuple(np.mean(outer[0], axis=0) * 0.8), 0.2)
    pair, reach = np.array([[0, 0]]), np.full(1, 1e-3)
    for solid in (True, False):
        a, b = (ck.Meshes.from_triangles([mesh], solid=solid) for mesh in (outer, inner))
        assert not ck.overlap(a.with_fields(solid=np.array([False])), b)[0]  # the surfaces do not meet
        assert proved_apart(a, b, pair, reach)[0] == proved_apart(b, a, pair, reach)[0] == (not solid)


@pytest.mark.parametrize("moves", [False, True])
def test_all_triangles_that_meet_are_listed_in_trees_of_any_depth(moves):
    """Where B goes, if it moves: each pair that meets at one of a few times is listed, and each once."""
    rng = np.random.default_rng(11)
    made = placed(rng)
    first, second = (grid.reshape(-1) for grid in np.meshgrid(np.arange(5), np.arange(5), indexing="ij"))
    a, b = mesh_rows(made.take(first)), mesh_rows(made.take(second))
    way = rng.normal(size=(25, 3)) if moves else None
    found = near(a.bodies, b.bodies, np.zeros(25), way)
    listed = set(zip(found.pair.tolist(), found.a.tolist(), found.b.tolist(), strict=True))
    assert len(listed) == len(found)
    assert (np.diff(found.pair) >= 0).all()
    met = 0
    for row in range(25):
        p, q = (mesh_zoo.world(made, of[row]) for of in (first, second))
        i, j = (rng.integers(0, len(each), 4000) for each in (p, q))
        # Triangles next to each other are drawn, too: of any pair taken at random few meet.
        close = np.argsort(np.linalg.norm(p.mean(axis=1)[i] - q.mean(axis=1)[j], axis=1))[:400]
        i, j = i[close], j[close]
        for time in (0.0, 0.4, 1.0):
            moved = q[j] + (time * way[row] if moves else 0.0)
            for k in np.flatnonzero(ck.overlap(ck.Triangles(p[i]), ck.Triangles(moved))):
                assert (row, i[k], j[k]) in listed
                met += 1
    assert met > 1000


def test_pieces_that_penetrate_are_those_with_a_depth_above_the_level():
    """Triangles of tori that cross, and of boxes whose faces only touch."""
    rng, deepest = np.random.default_rng(12), []
    for batch in (placed(rng), ck.Meshes.from_triangles([mesh_zoo.box()] * 4, [[k / 2, 0, 0] for k in range(4)])):
        first, second = np.triu_indices(len(batch), 1)
        a, b = mesh_rows(batch.take(first)), mesh_rows(batch.take(second))
        pieces = meeting(a, b)
        depth = -distances(a, b, pieces).distance
        for level in (1e-12, 1e-3, 0.1):
            np.testing.assert_array_equal(penetrating(a, b, pieces, np.full(len(first), level)), depth > level)
        deepest.append(depth.max())
    assert deepest[0] > 1e-3 > deepest[1]
