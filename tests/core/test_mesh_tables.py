# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of a mesh: vertices at the same place, edges, and the tree; and large meshes that are prepared in steps."""

import weakref
from collections import defaultdict

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.mesh import triangle_mesh
from collision_kit.core.mesh.triangle_mesh import EMPTY, TriangleMesh, edges, tree_of, tree_steps, welded
from collision_kit.core.narrow_phase.mesh import operands
from collision_kit.core.narrow_phase.mesh.orientation import orientation, orientation_steps, oriented_rows, prepared
from collision_kit.core.numerics.steps import exhausted
from tests.helpers import mesh_zoo, zoo


def drawn(rng: np.random.Generator, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Points, of which many are at the same place, and triangles, of which some have equal vertices."""
    count = int(rng.integers(3, most))
    points = rng.normal(size=(count, 3)) if rng.random() < 0.3 else rng.integers(-2, 3, (count, 3)).astype(float)
    return rng.choice([-1.0, 1.0], (count, 3)) * points, rng.integers(0, count, (int(rng.integers(1, most)), 3))


def test_vertices_at_the_same_place_have_the_lowest_index():
    rng = np.random.default_rng(1)
    for columns in (1, 2, 3, 4):
        points = rng.integers(-2, 3, (300, columns)) * rng.choice([-1.0, 1.0, 1e-300], (300, columns))
        lowest: dict[tuple[float, ...], int] = {}
        expected = [lowest.setdefault(tuple(point), at) for at, point in enumerate((points + 0.0).tolist())]
        assert welded(points).tolist() == expected
    assert len(welded(np.empty((0, 3)))) == 0


@pytest.mark.parametrize("seed", range(8))
def test_edges_are_those_of_all_sides(seed: int):
    points, triangles = drawn(np.random.default_rng(seed), 400)
    if seed == 0:
        # One vertex with many edges.
        triangles = np.random.default_rng(0).integers(0, len(points), triangles.shape)
        triangles[:, 0] = 0
    corners = welded(points)[triangles]
    sides, up = defaultdict(list), defaultdict(int)
    for triangle, corner in enumerate(corners.tolist()):
        for n in range(3):
            start, end = corner[n], corner[(n + 1) % 3]
            if start != end:
                sides[min(start, end), max(start, end)].append((triangle, n))
                up[min(start, end), max(start, end)] += 1 if start < end else -1
    found = edges(corners)
    assert list(map(tuple, found.vertices.tolist())) == sorted(sides)
    number = {ends: at for at, ends in enumerate(sorted(sides))}
    expected = np.full(corners.shape, -1)
    for ends, places in sides.items():
        for triangle, n in places:
            expected[triangle, n] = number[ends]
    assert np.array_equal(found.of_triangle, expected)
    assert found.uses.tolist() == [len(sides[ends]) for ends in sorted(sides)]
    assert found.open.tolist() == [up[ends] != 0 for ends in sorted(sides)]


def halved(place: np.ndarray, index: np.ndarray, levels: int) -> list[int]:
    """The leaves of a node with these triangles: the lower half along the widest axis goes to the first child.

    A node is full, half full, or the last one of its level, which is more than half full. So few have one child.
    """
    if levels == 0:
        return [int(index[0]) if len(index) else -1]
    half, quarter = 1 << levels - 1, (1 << levels - 1) // 2
    first = len(index) if len(index) <= half else quarter if len(index) <= half + quarter else half
    # Two triangles keep the order of the step before.
    if levels == 1:
        first = min(1, len(index))
    elif len(index):
        axis = (place[index].max(axis=0) - place[index].min(axis=0)).argmax()
        index = index[np.lexsort((index, place[index, axis]))]
    return halved(place, index[:first], levels - 1) + halved(place, index[first:], levels - 1)


@pytest.mark.parametrize("seed", range(12))
def test_a_tree_halves_triangles_at_the_median(seed: int):
    points, triangles = drawn(np.random.default_rng(seed), (20, 300, 3000)[seed % 3])
    corners = points[triangles]
    tree = tree_of(corners)
    lower, upper = corners.min(axis=1), corners.max(axis=1)
    center = lower + (upper - lower) / 2.0
    low = center.min(axis=0)
    extent = (center.max(axis=0) - low).max()
    place = ((center - low) / (extent if extent else 1.0)).astype(np.float32)
    assert sorted(tree.triangle[tree.triangle >= 0].tolist()) == list(range(len(corners)))
    assert tree.triangle.tolist() == halved(place, np.arange(len(corners)), tree.levels)
    leaves = len(tree.triangle)
    for leaf, triangle in enumerate(tree.triangle.tolist()):
        box = np.append(lower[triangle], -upper[triangle]) if triangle >= 0 else np.full(6, EMPTY)
        assert np.array_equal(tree.span[leaves - 1 + leaf], box)
    for node in range(leaves - 1):
        assert np.array_equal(tree.span[node], np.minimum(tree.span[2 * node + 1], tree.span[2 * node + 2]))


@pytest.mark.parametrize("seed", range(3))
def test_meshes_reach_as_far_as_their_vertices(seed: int):
    rng = np.random.default_rng(seed)
    shapes = mesh_zoo.meshes(
        rng, 40, ("generic", "degenerate")[seed % 2], rng.normal(size=(40, 3)), zoo.rotations(rng, 40)
    )
    row, along = rng.integers(0, 40, 500), rng.normal(size=(500, 3))
    along[::5] = np.eye(3)[rng.integers(0, 3, 100)] * rng.choice([-1.0, 1.0], (100, 1))
    along /= np.linalg.norm(along, axis=1)[:, None]
    rows = operands.mesh_rows(shapes)
    expected = np.array(
        [(mesh_zoo.world(shapes, one).reshape(-1, 3) @ way).max() for one, way in zip(row, along, strict=True)]
    )
    assert np.allclose(operands.reaches(rows, row, along), expected, rtol=0.0, atol=1e-14)


def answers(a: ck.Meshes, b: ck.Meshes) -> list[bytes]:
    """Verdicts, depths, distances and contacts of all pairs, in steps, as bytes."""
    world = ck.World([a, b])
    pairs = np.stack([np.arange(len(a)), len(a) + np.arange(len(b))], axis=1)
    verdict, depths = exhausted(world.classify_steps(pairs, touching=1e-6, clearance=0.2))
    distances = exhausted(world.distance_steps(pairs))
    contacts = exhausted(world.contact_steps(pairs, 1e-6, known=distances))
    found = [verdict, depths.depth, depths.bound, distances.distance, distances.normal, contacts.point, contacts.depth]
    return [one.tobytes() for one in found]


def solids() -> tuple[ck.Meshes, ck.Meshes]:
    """Pairs of several meshes, which nothing is known of yet."""
    rng = np.random.default_rng(5)
    return tuple(
        mesh_zoo.meshes(rng, 6, "generic", 0.5 * rng.normal(size=(6, 3)), zoo.rotations(rng, 6)) for _ in range(2)
    )


def test_large_meshes_are_prepared_in_steps_with_the_same_answers(monkeypatch):
    expected, count = answers(*solids()), len(list(prepared(solids()[0])))
    assert count == 0
    monkeypatch.setattr(triangle_mesh, "_LARGE", 1)
    a, b = solids()
    every = sum(1 for _ in prepared(a))
    assert every > 8 * len(a.geometry)
    assert sum(1 for _ in prepared(a)) == 0
    assert answers(a, b) == expected
    for stop in (*range(12), *range(12, every, 17)):
        a, b = solids()
        steps = prepared(a)
        for _ in range(stop):
            next(steps)
        steps.close()
        assert answers(a, b) == expected


def test_a_check_that_ends_in_the_middle_leaves_nothing_behind(monkeypatch):
    expected = answers(*solids())
    monkeypatch.setattr(triangle_mesh, "_LARGE", 1)
    pairs = np.stack([np.arange(6), 6 + np.arange(6)], axis=1)

    def taken(world: ck.World, most: int) -> int:
        steps, count = world.classify_steps(pairs, touching=1e-6), 0
        for _ in steps:
            count += 1
            if count == most:
                break
        steps.close()
        return count

    for stop in range(1, taken(ck.World(solids()), 1 << 30), 23):
        a, b = solids()
        assert taken(ck.World([a, b]), stop) == stop
        assert answers(a, b) == expected


def test_steps_compute_the_tree_and_the_orientation_of_a_mesh_once():
    points, triangles = mesh_zoo.torus(300, 150)
    one, other = (TriangleMesh.checked(points, triangles, "mesh") for _ in range(2))
    assert sum(1 for _ in orientation_steps(one)) >= 6
    assert sum(1 for _ in one.query_steps()) >= one.tree.levels
    assert np.array_equal(one.tree.span, other.tree.span)
    assert np.array_equal(one.tree.triangle, other.tree.triangle)
    assert np.array_equal(exhausted(tree_steps(other.corners)).triangle, other.tree.triangle)
    assert np.array_equal(orientation(one).shell, orientation(other).shell)
    assert sum(1 for _ in orientation_steps(one)) == sum(1 for _ in one.query_steps()) == 0


def row_of_tori(count: int) -> ck.Meshes:
    """As many meshes in a row, each of which touches or meets the next."""
    place = np.stack([2.5 * np.arange(count), np.zeros(count), np.zeros(count)], axis=1)
    made = [mesh_zoo.torus(12, 8 + k % 2) for k in range(count)]
    return ck.Meshes.from_triangles(made, place, zoo.rotations(np.random.default_rng(6), count), solid=True)


def test_tables_of_some_meshes_are_not_kept_by_these_meshes():
    batch = row_of_tori(20)
    rows = operands.mesh_rows(batch.take(np.arange(3)))
    joined = weakref.ref(rows.bodies.span)
    assert len(rows.meshes) == 3
    del rows
    assert joined() is None and not operands.has_tables(batch)


def test_many_queries_of_some_meshes_make_tables_of_all_with_the_same_answers():
    batch, fresh = row_of_tori(20), row_of_tori(20)
    expected = [ck.classify(fresh.take([k]), fresh.take([k + 1]), [[0, 0]], touching=1e-6) for k in range(19)]
    made = []
    for some in (range(k, k + 5) for k in (0, 5, 10, 14, 14)):
        pairs = np.array([(k, k + 1) for k in some if k < 19])
        found = ck.classify(batch, batch, pairs, touching=1e-6)
        assert found.tolist() == [expected[a][0] for a, _ in pairs.tolist()]
        made.append(operands.has_tables(batch))
    # As many triangles have been joined as all meshes have, and more than half of the meshes.
    assert not made[0] and made[-1]


def test_queries_of_the_same_few_meshes_make_no_tables_of_all():
    batch = row_of_tori(20)
    for _ in range(30):
        operands.mesh_rows(batch.take(np.arange(4)))
    assert not operands.has_tables(batch)


def test_queries_of_some_meshes_that_are_turned_inside_out_do_not_make_tables_of_all_each_time(monkeypatch):
    batch, made = row_of_tori(20), []
    inward = [(np.array(mesh.points), np.array(mesh.triangles)[:, ::-1]) for mesh in batch.geometry]
    batch = ck.Meshes.from_triangles(inward, batch.translation, batch.rotation, solid=True)
    whole = operands.MeshTables.of

    def counted(meshes, *, kept):
        made.append(kept)
        return whole(meshes, kept=kept)

    monkeypatch.setattr(operands.MeshTables, "of", counted)
    for turn in range(30):
        oriented_rows(batch.take(np.array([turn % 20, (turn + 7) % 20])))
    # Two of twenty meshes a query: those of ten queries have as many triangles as all.
    assert 1 <= sum(made) <= 3
