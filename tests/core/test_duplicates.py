# SPDX-License-Identifier: GPL-3.0-or-later
"""Duplicates: against all assignments of vertices, and against the support functions of both shapes."""

import tracemalloc
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.query.duplicates import partners
from tests.helpers.offline import slow


def random_rotations(rng, count):
    matrix = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    return matrix * np.sign(np.linalg.det(matrix))[:, None, None]


def exactly(point):
    return tuple(Fraction(float(value)) for value in point)


def squared(p, q):
    return sum((x - y) ** 2 for x, y in zip(p, q, strict=True))


def hausdorff(p, q):
    """The square of how far any of these points is from the nearest of the others."""
    p, q = [[exactly(point) for point in points] for points in (p, q)]
    there, back = (max(min(squared(x, y) for y in other) for x in one) for one, other in ((p, q), (q, p)))
    return max(there, back)


def any_assignment(points_a, triangles_a, points_b, triangles_b, tolerance):
    """Whether any assignment of vertices carries the triangles of one mesh to those of the other."""
    a, b = [exactly(point) for point in points_a], [exactly(point) for point in points_b]
    wanted = sorted(sorted(triangle) for triangle in triangles_b)
    return len(a) == len(b) and any(
        sorted(sorted(order[corner] for corner in triangle) for triangle in triangles_a) == wanted
        and all(squared(a[row], b[other]) <= Fraction(tolerance) ** 2 for row, other in enumerate(order))
        for order in permutations(range(len(a)))
    )


def random_mesh(rng, count):
    """A mesh of so many different lattice points, all of which triangles have."""
    while True:
        points = rng.integers(0, 3, (count, 3)).astype(float)
        triangles = rng.integers(0, count, (rng.integers(2, 5), 3))
        if len(np.unique(points, axis=0)) == count and len(np.unique(triangles)) == count:
            return points, triangles


@pytest.mark.parametrize("seed", range(4))
def test_meshes_as_all_assignments_of_vertices_tell(seed):
    rng = np.random.default_rng(seed)
    told = []
    for _ in range(60):
        points, triangles = random_mesh(rng, int(rng.integers(3, 7)))
        way = rng.integers(5)
        order = rng.permutation(len(points))
        # Vertex i of the mesh is vertex order[i] of the other.
        other, cells = np.empty_like(points), order[triangles][rng.permutation(len(triangles))]
        other[order] = points
        cells = np.stack([rng.permutation(corners) for corners in cells])
        if way == 1:
            other = other + rng.uniform(-0.1, 0.1, other.shape)
        elif way == 2:
            other[rng.integers(len(other)), rng.integers(3)] += rng.choice([0.29, 0.31, -0.5])
        elif way == 3:
            cells[rng.integers(len(cells)), rng.integers(3)] = rng.integers(len(points))
        elif way == 4:
            other, cells = random_mesh(rng, len(points))
        if len(np.unique(cells)) < len(points):
            continue
        a, b = (ck.Meshes.from_triangles([mesh]) for mesh in ((points, triangles), (other, cells)))
        truth = any_assignment(points, triangles, other, cells, 0.3)
        assert ck.duplicates(a, b, tolerance=0.3).tolist() == [truth]
        assert ck.duplicates(b, a, tolerance=0.3).tolist() == [truth]
        told.append(truth)
    assert 10 < sum(told) < len(told) - 10


@pytest.mark.parametrize("seed", [0, *slow(1, 2)])
def test_hulls_boxes_and_triangles_as_their_corners_tell(seed):
    rng = np.random.default_rng(seed)
    told = []
    for _ in range(80):
        kind = rng.integers(3)
        if kind == 0:
            low, size = rng.integers(0, 2, 3), rng.integers(1, 3, 3)
            points = np.array([low + size * [x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
            shapes = [ck.Boxes([low + size / 2], [size / 2]), ck.Hulls.from_points([rng.permutation(points)])]
        elif kind == 1:
            points = rng.integers(0, 3, (3, 3)).astype(float)
            shapes = [ck.Triangles([points]), ck.Hulls.from_points([points])]
        else:
            points = rng.integers(0, 3, (int(rng.integers(4, 9)), 3)).astype(float)
            shapes = [ck.Hulls.from_points([points])]
        hull = ck.convex_hull(points)
        moved = points + rng.choice([0.0, 0.0, 0.1, 0.25], points.shape) * rng.choice([-1, 1], points.shape)
        other = ck.Hulls.from_points([rng.permutation(moved)])
        theirs = other.geometry[0].points[other.geometry[0].vertices]
        for shape in shapes:
            # All three corners of a triangle count, even if they are in a line.
            corners = points if isinstance(shape, ck.Triangles) else points[hull.vertices]
            truth = hausdorff(corners, theirs) <= Fraction(0.3) ** 2
            assert ck.duplicates(shape, other, tolerance=0.3).tolist() == [truth]
            assert ck.duplicates(other, shape, tolerance=0.3).tolist() == [truth]
        told.append(truth)
    assert 10 < sum(told) < len(told) - 10


def round_shapes(rng, count):
    """One batch of each round kind; the same rows, moved by a little; and the sizes of these moves."""
    off = rng.choice([0.0, 1e-9, 0.01, 0.1, 1.0], count)
    size = rng.uniform(0.5, 2.0, (count, 3))
    start, end = rng.normal(size=(2, count, 3))
    turn = random_rotations(rng, count)
    shift = rng.uniform(-1.0, 1.0, (count, 3)) * off[:, None]
    swap = rng.random(count) < 0.5
    ends = np.where(swap[:, None], end, start) + shift, np.where(swap[:, None], start, end) + shift
    # The axes of an ellipsoid in another order, some of them turned round: the same ellipsoid.
    order = turn[:, :, [1, 2, 0]] * np.array([1.0, -1.0, -1.0])
    yield ck.Spheres(start, size[:, 0]), ck.Spheres(start + shift, size[:, 0] + off)
    yield ck.Capsules(start, end, size[:, 0]), ck.Capsules(*ends, size[:, 0])
    yield ck.Cylinders(start, end, size[:, 0]), ck.Cylinders(*ends, size[:, 0])
    yield ck.Cones(start, end, size[:, 0]), ck.Cones(start + shift, end, size[:, 0])
    yield ck.Ellipsoids(start, size, turn), ck.Ellipsoids(start + shift, size[:, [1, 2, 0]] + off[:, None], order)


@pytest.mark.parametrize("seed", range(3))
def test_round_shapes_are_as_near_as_their_support_functions(seed):
    rng = np.random.default_rng(seed)
    ways = rng.normal(size=(200, 3))
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    for a, b in round_shapes(rng, 60):
        reach = np.stack([[(ck.support(of, np.tile(way, (60, 1))) * way).sum(axis=1) for way in ways] for of in (a, b)])
        farthest = np.abs(reach[0] - reach[1]).max(axis=0)
        for tolerance in (0.0, 0.03, 0.3):
            found = ck.duplicates(a, b, tolerance=tolerance)
            assert (farthest[found] <= tolerance + 1e-12).all()
            # What is tested is at most a few times as far as the surfaces are from each other.
            assert found[farthest * 8.0 <= tolerance].all()
            assert found.any() and not found.all()


def test_other_kinds_are_no_duplicates():
    points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    batches = [
        ck.Spheres([[0, 0, 0]], [1]),
        ck.Ellipsoids([[0, 0, 0]], [[1, 1, 2]]),
        ck.Capsules([[0, 0, 0]], [[0, 0, 1]], [1]),
        ck.Cylinders([[0, 0, 0]], [[0, 0, 1]], [1]),
        ck.Cones([[0, 0, 0]], [[0, 0, 1]], [1]),
        ck.Boxes([[0, 0, 0]], [[1, 1, 1]]),
        ck.Hulls.from_points([points]),
        ck.Meshes.from_triangles([(points, triangles)]),
        ck.HalfSpaces([[0, 0, 1]], [1]),
        ck.Planes([[0, 0, 1]], [1]),
    ]
    for row, a in enumerate(batches):
        for column, b in enumerate(batches):
            assert ck.duplicates(a, b).tolist() == [row == column]


def test_unbounded_shapes():
    a = ck.Planes([[0, 0, 1]] * 3, [1, 1, 1])
    b = ck.Planes([[0, 0, 1], [0, 0, -1], [0, 0, -1]], [1.05, -1, 1])
    assert ck.duplicates(a, b).tolist() == [False, True, False]
    assert ck.duplicates(a, b, tolerance=0.1).tolist() == [True, True, False]
    half = ck.HalfSpaces([[0, 0, -1]], [-1])
    assert ck.duplicates(ck.HalfSpaces([[0, 0, 1]], [1]), half).tolist() == [False]


def test_margins_count():
    box = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    world = ck.World([box, box, box], margin=[0.0, 0.1, 0.1])
    assert world.duplicates([[0, 1], [1, 2]]).tolist() == [False, True]
    assert world.duplicates([[0, 1]], tolerance=0.2).tolist() == [True]


def test_compounds_by_their_parts():
    box, ball = ck.Boxes([[0, 0, 0]], [[1, 1, 1]]), ck.Spheres([[3, 0, 0]], [1])
    a = ck.Compounds([[box, ball]])
    b = ck.Compounds([[ball, box], [box, box], [box, ball, ck.Spheres([[9, 0, 0]], [1])]])
    assert ck.duplicates(a, b).tolist() == [True, False, False]
    assert ck.duplicates(b, a).tolist() == [True, False, False]
    assert ck.duplicates(ck.Compounds([[box]]), box).tolist() == [True]
    assert ck.duplicates(box, ck.Compounds([[box], [ball]])).tolist() == [True, False]


def test_mirrored_and_scaled_copies():
    rng = np.random.default_rng(1)
    points = rng.normal(size=(30, 3))
    triangles = rng.integers(0, 30, (60, 3))
    mirrored = points * [-1, 1, 1]
    meshes = [(points, triangles), (mirrored, triangles[:, ::-1]), (points * 1.01, triangles)]
    world = ck.World([ck.Meshes.from_triangles(meshes)])
    assert not world.duplicates([[0, 1], [0, 2]], tolerance=1e-3).any()
    # A symmetric mesh is its own mirror image.
    both = np.concatenate([points, mirrored]), np.concatenate([triangles, triangles + 30])
    other = both[0] * [-1, 1, 1], both[1][:, ::-1]
    assert ck.duplicates(*(ck.Meshes.from_triangles([mesh]) for mesh in (both, other))).all()


def test_copies_that_are_turned_by_other_matrices():
    rng = np.random.default_rng(2)
    points, triangles = rng.normal(size=(40, 3)) * 10.0, rng.integers(0, 40, (70, 3))
    turn = random_rotations(rng, 1)[0]
    here = ck.Meshes.from_triangles([(points, triangles)], translation=[[100, 0, 0]], rotation=[turn])
    placed = points @ turn.T + [100, 0, 0]
    there = ck.Meshes.from_triangles([(placed, triangles)])
    assert ck.duplicates(here, there).all()
    here, there = ck.Hulls.from_points([points], [[100, 0, 0]], [turn]), ck.Hulls.from_points([placed])
    assert ck.duplicates(here, there).all()


def test_shared_geometry_in_another_pose_that_looks_the_same():
    ring = np.array([[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], float)
    quarter = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    eighth = [[0.5**0.5, -(0.5**0.5), 0], [0.5**0.5, 0.5**0.5, 0], [0, 0, 1]]
    mesh = ck.Meshes.from_triangles([(np.vstack([ring, [[0, 0, 0]]]), [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]])])
    rows = ck.Meshes(mesh.geometry, [0, 0, 0], rotation=[np.eye(3), quarter, eighth])
    assert ck.duplicates(rows, rows, [[0, 1], [0, 2]]).tolist() == [True, False]


@pytest.mark.parametrize("width", [2, 3])
@pytest.mark.parametrize("tolerance", [1e-6, 0.05, 0.7, 30.0])
def test_partners_are_the_nearest(width, tolerance):
    rng = np.random.default_rng(3)
    p, q = rng.uniform(-1.0, 1.0, (300, width)), rng.uniform(-1.0, 1.0, (400, width))
    q[:100] = p[100:200]
    q[100:150] = p[:50] + 1e-7
    apart = np.linalg.norm(p[:, None] - q[None], axis=2)
    nearest = apart.argmin(axis=1)
    expected = np.where(apart.min(axis=1) <= tolerance, nearest, -1)
    found = partners(p, q, tolerance)
    assert np.array_equal(found, expected)


def test_large_meshes_take_little_time_and_memory():
    rng = np.random.default_rng(4)
    count = 400
    x, y = np.meshgrid(np.arange(count), np.arange(count), indexing="ij")
    points = np.stack([x, y, rng.normal(size=x.shape)], axis=2).reshape(-1, 3) / count
    corner = (np.arange(count - 1)[:, None] * count + np.arange(count - 1)).ravel()
    triangles = np.concatenate(
        [
            np.stack([corner, corner + count, corner + 1], 1),
            np.stack([corner + 1, corner + count, corner + count + 1], 1),
        ]
    )
    order = rng.permutation(len(points))
    other = np.empty_like(points)
    other[order] = points + rng.uniform(-1e-8, 1e-8, points.shape)
    meshes = ck.Meshes.from_triangles([(points, triangles), (other, order[triangles][rng.permutation(len(triangles))])])
    tracemalloc.start()
    assert ck.duplicates(meshes, meshes, [[0, 1]], tolerance=1e-6).all()
    # 160,000 vertices: all pairs of them would take 200 GB.
    assert tracemalloc.get_traced_memory()[1] < 1 << 29
    tracemalloc.stop()


def test_many_copies_in_one_place():
    hulls = ck.Hulls(ck.Hulls.from_points([np.random.default_rng(5).normal(size=(50, 3))]).geometry, np.zeros(100, int))
    pairs = np.stack(np.triu_indices(100, 1), axis=1)
    assert ck.duplicates(hulls, hulls, pairs).all()


def test_bad_arguments():
    ball = ck.Spheres([[0, 0, 0]], [1])
    with pytest.raises(ValueError, match="tolerance"):
        ck.duplicates(ball, ball, tolerance=-1.0)
    with pytest.raises(ValueError, match="pairs"):
        ck.duplicates(ball, ball, [[0, 1]])
    assert ck.duplicates(ball, ball, np.empty((0, 2), int)).shape == (0,)
