# SPDX-License-Identifier: GPL-3.0-or-later
"""Hulls of thousands of vertices: the same answers as by all products with all, without the memory for them."""

import tracemalloc

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.convex.batch_sides import crossing_edges
from collision_kit.core.convex.polytopes import placed, pools, support_table
from collision_kit.core.convex.supporting_faces import supporting_face
from tests.helpers import zoo
from tests.helpers.offline import slow
from tests.helpers.point_sets import on_sphere, prism


def lattice_ball(side: int) -> np.ndarray:
    """Points of a ball that have whole coordinates: many faces with many corners on one plane."""
    line = np.arange(-side, side + 1)
    points = np.stack(np.meshgrid(line, line, line), axis=-1).reshape(-1, 3).astype(float)
    return points[(points**2).sum(axis=1) <= side * side]


def bodies(rng: np.random.Generator) -> ck.Hulls:
    """Hulls on both sides of the number of vertices at which the way of working changes."""
    sets = [on_sphere(rng, 300), on_sphere(rng, 600), prism(200, 2), lattice_ball(12), on_sphere(rng, 40)]
    geometry = ck.convex_hulls(sets)
    assert {len(hull.vertices) >= placed._LARGE for hull in geometry} == {False, True}
    size = np.array([np.abs(points).max() for points in sets])
    scaled = ck.convex_hulls([points / extent for points, extent in zip(sets, size, strict=True)])
    index = np.repeat(np.arange(5), 6)
    turn = zoo.rotations(rng, 30)
    turn[::2] = np.eye(3)
    return ck.Hulls(scaled, index, rng.uniform(-1.0, 1.0, (30, 3)), turn)


@pytest.fixture
def hulls() -> ck.Hulls:
    return bodies(np.random.default_rng(7))


ALL_PAIRS = np.array([(i, j) for i in range(30) for j in range(30) if i < j])


@pytest.mark.parametrize("step", [6, *slow(1)])
@pytest.mark.parametrize("question", ["overlap", "separating_axis", "distance", "classify", "contains"])
def test_answers_do_not_depend_on_the_way(
    hulls: ck.Hulls, question: str, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = ALL_PAIRS[::step]
    large, again = getattr(ck, question)(hulls, hulls, pairs=rows), bodies(np.random.default_rng(7))
    monkeypatch.setattr(placed, "_LARGE", 10**9)
    monkeypatch.setattr(pools, "_SEARCHED", 10**9)
    small = getattr(ck, question)(again, again, pairs=rows)
    if question in ("overlap", "contains"):
        np.testing.assert_array_equal(large, small)
        return
    value = "gap" if question == "separating_axis" else "distance"
    if question == "classify":
        np.testing.assert_array_equal(large, small)
    else:
        np.testing.assert_allclose(getattr(large, value), getattr(small, value), rtol=0.0, atol=1e-12)


def test_the_support_is_the_lowest_of_the_farthest(hulls: ck.Hulls) -> None:
    rng = np.random.default_rng(3)
    chosen = rng.integers(0, len(hulls), 3000)
    directions = rng.integers(-2, 3, (3000, 3)).astype(float)
    directions[::3] = rng.normal(size=(1000, 3))
    assert not directions.any(axis=1).all()
    rows = hulls.take(chosen)
    local = np.einsum("nij,ni->nj", rows.rotation, directions)
    greatest = [(hulls.geometry[k].points @ way).max() for k, way in zip(rows.index, local, strict=True)]
    height = np.einsum("ni,ni->n", ck.support(rows, directions) - rows.translation, directions)
    np.testing.assert_allclose(height, greatest, rtol=0.0, atol=1e-12)
    # Unturned and unmoved, heights on the lattice are exact, and so are ties.
    (ball,) = ck.convex_hulls([lattice_ball(12)])
    unmoved = ck.Hulls([ball], [0] * 3000, np.zeros((3000, 3)))
    straight = rng.integers(-2, 3, (3000, 3)).astype(float)
    corners = ball.points[ball.vertices]
    np.testing.assert_array_equal(ck.support(unmoved, straight), corners[(straight @ corners.T).argmax(axis=1)])


def test_the_same_faces_support_them(hulls: ck.Hulls, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    chosen = hulls.take(np.arange(30))
    normal = on_sphere(rng, 30)
    # Half of them are normals of faces, which all corners of the face share.
    for row in range(0, 30, 2):
        own = hulls.geometry[chosen.index[row]].normals
        normal[row] = chosen.rotation[row] @ own[rng.integers(len(own))]
    face, cosine = supporting_face(placed.polytopes(chosen), normal)
    monkeypatch.setattr(placed, "_LARGE", 10**9)
    wanted, level = supporting_face(placed.polytopes(chosen), normal)
    np.testing.assert_array_equal(face, wanted)
    np.testing.assert_allclose(cosine, level, rtol=0.0, atol=1e-12)


def test_arcs_that_cross_are_all_found(hulls: ck.Hulls) -> None:
    a, b = (hulls.take(np.array(rows)) for rows in ([0, 6, 12, 18, 1], [7, 13, 19, 2, 25]))
    pair, edge_a, edge_b = crossing_edges(a, b)
    for row in range(5):
        (ends_a, planes_a), (ends_b, planes_b) = arcs(a, row), arcs(b, row)
        # The heights of the ends of each arc, and of each arc of -B, above the planes of the others.
        of_b, of_a = -np.einsum("ik,jek->ije", planes_a, ends_b), np.einsum("jk,iek->ije", planes_b, ends_a)
        same_side = (of_b[..., 0] - of_b[..., 1]) * (of_a[..., 1] - of_a[..., 0])
        far = np.minimum(np.abs(of_a), np.abs(of_b)).min(axis=2) > 1e-8
        cross = (of_a.prod(axis=2) < 0.0) & (of_b.prod(axis=2) < 0.0) & (same_side > 0.0)
        meet = (of_a.min(axis=2) < 1e-8) & (of_a.max(axis=2) > -1e-8) & (of_b.min(axis=2) < 1e-8)
        meet &= of_b.max(axis=2) > -1e-8
        found = np.zeros(cross.shape, dtype=bool)
        found[edge_a[pair == row], edge_b[pair == row]] = True
        assert (cross & far).sum() > 100
        assert not (cross & far & ~found).any()
        assert not (found & ~meet).any()


def arcs(hulls: ck.Hulls, row: int) -> tuple[np.ndarray, np.ndarray]:
    """The ends (E, 2, 3) of the arcs of a hull on the Gauss map, and the unit normals (E, 3) of their planes."""
    shape = placed.polytopes(hulls.take(np.array([row])))
    ends, normals = shape.edges[0], shape.normals[0]
    along = shape.vertices[0][ends[:, 1]] - shape.vertices[0][ends[:, 0]]
    return normals[ends[:, 2:]], along / np.linalg.norm(along, axis=1, keepdims=True)


@pytest.mark.parametrize("count", [128, 129, 300, 1100, 3000])
def test_tables_in_two_steps_hold_every_farthest_vertex(count: int) -> None:
    rng = np.random.default_rng(count)
    sets = [on_sphere(rng, count), rng.normal(size=(count, 3)), rng.normal(size=(count, 3)) * [1.0, 1.0, 1e-3]]
    vertices, first = np.concatenate(sets), np.arange(3) * count
    table = support_table.direction_tables(vertices, first, np.full(3, count))
    assert (np.diff(table.start) > 0).all()
    polytope, direction = rng.integers(0, 3, 3000), rng.normal(size=(3, 3000))
    direction[:, ::4] = np.round(direction[:, ::4])
    direction[2, direction.any(axis=0) == 0.0] = 1.0
    _, height, _ = table.farthest(polytope, direction, np.ascontiguousarray(vertices.T), first[polytope])
    wanted = np.array([(sets[which] @ along).max() for which, along in zip(polytope, direction.T, strict=True)])
    np.testing.assert_allclose(height, wanted, rtol=1e-14, atol=1e-14)


@pytest.mark.slow
def test_deep_in_each_other_they_take_little_memory() -> None:
    rng = np.random.default_rng(1)
    geometry = ck.convex_hulls([prism(1000, 2) * [1.0, 1.0, 0.5], on_sphere(rng, 4000)])
    hulls = ck.Hulls(geometry, [0, 1, 0], [[0.0, 0.0, 0.0], [0.1, 0.2, 0.0], [0.0, 0.0, 0.0]])
    rows = [[0, 1], [0, 2]]
    tracemalloc.start()
    depth = -ck.distance(hulls, hulls, pairs=rows).distance
    for question in (ck.overlap, ck.separating_axis, ck.contacts, ck.contains):
        question(hulls, hulls, pairs=rows)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5e8
    # The shortest separating translation of a prism and itself is along its axis. That of the ball is no longer than
    # that and its width.
    np.testing.assert_allclose(depth[1], 1.0, rtol=1e-12)
    assert 1.0 < depth[0] < 1.5 + 1e-3
