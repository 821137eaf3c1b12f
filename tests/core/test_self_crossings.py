# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles of a mesh that cross each other: against all pairs, by the middle of what two triangles have in common."""

import itertools
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.query import intersections
from tests.helpers.mesh_zoo import torus
from tests.helpers.offline import slow


def solved(rows, right):
    """The solution of linear equations in rational numbers; None if there is none or more than one."""
    table = [[*row, value] for row, value in zip(rows, right, strict=True)]
    width = len(table[0]) - 1
    for column in range(width):
        pivot = next((row for row in range(column, len(table)) if table[row][column]), None)
        if pivot is None:
            return None
        table[column], table[pivot] = table[pivot], table[column]
        table[column] = [value / table[column][column] for value in table[column]]
        for row in range(len(table)):
            if row != column and table[row][column]:
                factor = table[row][column]
                table[row] = [x - factor * y for x, y in zip(table[row], table[column], strict=True)]
    return None if any(row[-1] for row in table[width:]) else [row[-1] for row in table[:width]]


def weights(triangle, point):
    """The barycentric coordinates of a point; None if it is not in the plane of the triangle."""
    rows = [[corner[axis] for corner in triangle] for axis in range(3)] + [[Fraction(1)] * 3]
    return solved(rows, [*point, Fraction(1)])


def crosses(p, q):
    """Whether the interiors of two triangles have a common point.

    What they have in common is the hull of corners of one in the other, of points where an edge pierces the other, and
    of points where two edges meet. Its middle is inside both or on the boundary of one.
    """
    p, q = ([tuple(Fraction(float(value)) for value in corner) for corner in corners] for corners in (p, q))
    points = []
    for one, other in ((p, q), (q, p)):
        for corner in one:
            found = weights(other, corner)
            if found is not None and min(found) >= 0:
                points.append(corner)
        for start, end in itertools.combinations(one, 2):
            # start + s (end - start) = sum of weights and corners
            rows = [[c[axis] for c in other] + [start[axis] - end[axis]] for axis in range(3)] + [
                [Fraction(1)] * 3 + [Fraction(0)]
            ]
            found = solved(rows, [*start, Fraction(1)])
            if found is not None and min(found) >= 0 and found[3] <= 1:
                points.append(tuple(s + found[3] * (e - s) for s, e in zip(start, end, strict=True)))
    for (a, b), (c, d) in itertools.product(itertools.combinations(p, 2), itertools.combinations(q, 2)):
        found = solved(
            [[b[axis] - a[axis], c[axis] - d[axis]] for axis in range(3)], [c[axis] - a[axis] for axis in range(3)]
        )
        if found is not None and min(found) >= 0 and max(found) <= 1:
            points.append(tuple(s + found[0] * (e - s) for s, e in zip(a, b, strict=True)))
    if not points:
        return False
    middle = [sum(values) / len(points) for values in zip(*points, strict=True)]
    inside = [weights(triangle, middle) for triangle in (p, q)]
    return all(found is not None and min(found) > 0 for found in inside)


def all_pairs(points, triangles):
    corners = np.asarray(points, dtype=float)[triangles]
    pairs = itertools.combinations(range(len(triangles)), 2)
    return [(a, b) for a, b in pairs if crosses(corners[a], corners[b])]


def found_pairs(points, triangles, **place):
    found = ck.self_crossing(ck.Meshes.from_triangles([(points, triangles)], **place))
    return list(zip(found.triangle_a.tolist(), found.triangle_b.tolist(), strict=True))


def drawn(rng, way):
    """Points and triangles: of a small lattice, in a plane, of a tilted one, anywhere, or with nearly equal points."""
    count = int(rng.integers(5, 10))
    points = rng.integers(0, 4, (count, 3)).astype(float)
    if way == "flat":
        points[:, 2] = 0.0
    elif way == "tilted":
        # float32 coordinates of a plane: nearly flat, and exactly only by chance.
        points[:, 2] = 0.0
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        points = (points @ turn.T + rng.normal(size=3)).astype(np.float32).astype(float)
    elif way == "exact tilt":
        points = points[:, :2] @ np.array([[1.0, 2.0, 2.0], [2.0, 1.0, -2.0]]) / 3.0 * 3.0
    elif way == "anywhere":
        points = rng.normal(size=(count, 3))
    elif way == "near":
        points += rng.choice([0.0, 1e-15, -1e-9], points.shape)
    elif way == "far":
        points += 2.0**20
    triangles = rng.integers(0, count, (int(rng.integers(4, 9)), 3))
    return points, triangles


@pytest.mark.parametrize("way", ["lattice", "flat", "tilted", "exact tilt", "anywhere", "near", "far"])
@pytest.mark.parametrize("count", [4, *slow(36)])
def test_as_all_pairs_tell(way, count):
    rng = np.random.default_rng([count, len(way)])
    total = 0
    for _ in range(count):
        points, triangles = drawn(rng, way)
        expected = all_pairs(points, triangles)
        assert found_pairs(points, triangles) == expected
        total += len(expected)
    assert total > 0


def test_neighbors_do_not_cross():
    assert found_pairs(*torus(12, 8)) == []
    grid = np.stack(np.meshgrid(range(4), range(4), indexing="ij"), axis=2).reshape(-1, 2)
    for tilt in ([[1, 0, 0], [0, 1, 0]], [[0.3, 0.5, 0.1], [-0.2, 0.7, 0.9]]):
        points = (grid @ np.array(tilt)).astype(np.float32).astype(float)
        corner = [4 * x + y for x in range(3) for y in range(3)]
        triangles = [t for c in corner for t in ([c, c + 4, c + 5], [c, c + 5, c + 1])]
        assert found_pairs(points, triangles) == all_pairs(points, triangles)


def test_faces_that_only_touch_do_not_cross():
    floor = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]
    standing = [[1, 1, 0], [2, 1, 0], [1, 1, 1]]  # an edge on the floor
    tip = [[1, 1, 0], [3, 1, 1], [1, 3, 1]]
    beside = [[4, 0, 0], [4, 4, 0], [0, 4, 0]]
    through = [[1, 1, -1], [2, 1, -1], [1, 1, 1]]
    above = [[1, 1, 0], [2, 1, 0], [1, 2, 0]]  # in the floor
    for other, expected in ((standing, 0), (tip, 0), (beside, 0), (through, 1), (above, 1), (floor, 1)):
        assert len(found_pairs(floor + other, [[0, 1, 2], [3, 4, 5]])) == expected


def test_segments_lie_on_both_triangles_and_move_with_the_row():
    rng = np.random.default_rng(7)
    points, triangles = rng.normal(size=(30, 3)), rng.integers(0, 30, (40, 3))
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    mesh = ck.Meshes.from_triangles([(points, triangles)])
    rows = ck.Meshes(mesh.geometry, [0, 0], [[0, 0, 0], [5, 6, 7]], [np.eye(3), turn])
    found = ck.self_crossing(rows)
    assert len(found) and np.array_equal(found.triangle_a[found.row == 0], found.triangle_a[found.row == 1])
    for place in (found.start, found.end):
        for triangle in (found.triangle_a, found.triangle_b):
            placed = points[triangles[triangle]]
            placed[found.row == 1] = placed[found.row == 1] @ turn.T + [5, 6, 7]
            apart = ck.distance(ck.Spheres(place, np.zeros(len(place))), ck.Triangles(placed)).distance
            assert np.abs(apart).max() < 1e-9
    assert (np.linalg.norm(found.end - found.start, axis=1) > 0.0)[~found.coplanar].all()


@pytest.mark.parametrize("count", [60, *slow(150)])
def test_few_pairs_of_a_scan_are_decided_in_rational_numbers(count, monkeypatch):
    """A large bumpy surface, some of it flat, that another goes through: float64 decides nearly all pairs."""
    rng = np.random.default_rng(8)
    x, y = np.meshgrid(np.arange(count), np.arange(count), indexing="ij")
    height = np.where(x > count // 2, rng.normal(size=x.shape), 0.0)
    sheet = np.stack([x, y, height], axis=2).reshape(-1, 3)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    corner = (np.arange(count - 1)[:, None] * count + np.arange(count - 1)).ravel()
    faces = np.concatenate(
        [
            np.stack([corner, corner + count, corner + count + 1], 1),
            np.stack([corner, corner + count + 1, corner + 1], 1),
        ]
    )
    points = np.concatenate([sheet @ turn.T, (sheet[:, [0, 2, 1]] + [0.5, 40.25, -50.3]) @ turn.T])
    points = points.astype(np.float32).astype(float)
    asked = []
    exactly = intersections.crossing_exactly
    monkeypatch.setattr(intersections, "crossing_exactly", lambda p, q: asked.append(1) or exactly(p, q))
    tracemalloc.start()
    found = ck.self_crossing(ck.Meshes.from_triangles([(points, np.concatenate([faces, faces + count * count]))]))
    assert tracemalloc.get_traced_memory()[1] < 1 << 29
    tracemalloc.stop()
    assert len(found) > 100
    assert len(asked) < 0.01 * 2 * len(faces)


def test_other_shapes():
    with pytest.raises(ck.UnsupportedPair, match="Spheres"):
        ck.self_crossing(ck.Spheres([[0, 0, 0]], [1]))
    assert len(ck.self_crossing(ck.Meshes.from_triangles([]))) == 0
