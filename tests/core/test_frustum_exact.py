# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact culling: what no single plane cuts off, and is outside all the same, against linear programs."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

import collision_kit.core as ck
from tests.helpers.cameras import placed, projection
from tests.helpers.offline import MANY_SEEDS

NAMES = ["perspective", "shifted", "endless", "reversed", "orthographic"]
CORNERS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))


def depth_of_polytope(planes, points):
    """How deep the hull of the points reaches into the planes' region: the greatest least level of any of its points.

    A linear program over the weights of the points; negative if they are apart.
    """
    levels = planes[:, :3] @ points.T + planes[:, 3:]
    count = len(points)
    cost = np.append(np.zeros(count), -1.0)
    result = linprog(
        cost,
        A_ub=np.column_stack([-levels, np.ones(len(planes))]),
        b_ub=np.zeros(len(planes)),
        A_eq=np.append(np.ones(count), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * count + [(None, None)],
    )
    assert result.status == 0
    return -result.fun


def nearest(planes, point):
    """Distance from a point to the region, by its projection on every face, edge and corner."""
    planes = planes[np.linalg.norm(planes[:, :3], axis=1) > 0.5]
    scale = np.abs(planes[:, 3]).max() + np.abs(point).max()

    def is_inside(place):
        return (planes[:, :3] @ place + planes[:, 3] >= -1e-9 * scale).all()

    if is_inside(point):
        return 0.0
    best = np.inf
    for size in (1, 2, 3):
        for chosen in itertools.combinations(range(len(planes)), size):
            normal, offset = planes[list(chosen), :3], planes[list(chosen), 3]
            if np.linalg.matrix_rank(normal, tol=1e-9) < size:
                continue
            place = point - np.linalg.pinv(normal) @ (normal @ point + offset)
            if is_inside(place):
                best = min(best, np.linalg.norm(place - point))
    return best


def turns(rng, count):
    turn = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    return turn * np.sign(np.linalg.det(turn))[:, None, None]


def around(frustum, rng, count):
    """Places by the frustum's edges and corners, where planes say too little."""
    corners = frustum.corners_within(30.0)
    ends = corners[frustum.edges[rng.integers(0, 12, count)]]
    weight = rng.random((count, 1))
    return ends[:, 0] * weight + ends[:, 1] * (1 - weight) + rng.normal(0, 5.0, (count, 3))


def check(frustum, shapes, truth):
    """Conservative and exact verdicts against the truth: how far inside each shape is, below zero outside."""
    quick, exact = frustum.classify(shapes), frustum.classify(shapes, exact=True)
    clear = np.abs(truth) > 1e-7
    assert np.count_nonzero(clear) > 0.9 * len(truth)
    np.testing.assert_array_equal((exact >= 0)[clear], (truth > 0.0)[clear])
    # Nothing that is seen is culled by the planes, and what is inside is inside either way.
    assert (quick[clear & (truth > 0.0)] >= 0).all()
    np.testing.assert_array_equal(quick == 1, exact == 1)
    return np.count_nonzero((quick == 0) & (exact == -1))


@pytest.mark.parametrize("name", NAMES)
def test_boxes_against_a_linear_program(name):
    rng = np.random.default_rng(11)
    frustum = ck.Frustum.from_matrix(projection(name) @ placed(rng))
    count = 80
    center = around(frustum, rng, count)
    half = rng.uniform(0, 16, (count, 3)) * (rng.random((count, 3)) > 0.1)
    turn = turns(rng, count)
    turn[: count // 2] = np.eye(3)
    points = center[:, None] + np.einsum("nij,ncj->nci", turn, CORNERS[None] * half[:, None])
    truth = np.array([depth_of_polytope(frustum.planes, box) for box in points])
    assert check(frustum, ck.Boxes(center, half, turn), truth) > 1
    assert check(frustum, ck.Hulls.from_points(list(points)), truth) > 1
    # Aligned ones are bounds.
    lower, upper = (center - half)[: count // 2], (center + half)[: count // 2]
    aligned = ck.Boxes(center, half).take(np.arange(count // 2))
    np.testing.assert_array_equal(
        frustum.classify_bounds(lower, upper, exact=True), frustum.classify(aligned, exact=True)
    )


@pytest.mark.parametrize("name", NAMES)
def test_triangles_against_a_linear_program(name):
    rng = np.random.default_rng(12)
    frustum = ck.Frustum.from_matrix(projection(name) @ placed(rng))
    vertices = around(frustum, rng, 50)[:, None] + rng.normal(0, 8, (50, 3, 3))
    truth = np.array([depth_of_polytope(frustum.planes, triangle) for triangle in vertices])
    assert check(frustum, ck.Triangles(vertices), truth) > 0


@pytest.mark.parametrize("name", NAMES)
def test_spheres_against_the_nearest_point(name):
    rng = np.random.default_rng(13)
    frustum = ck.Frustum.from_matrix(projection(name) @ placed(rng))
    center, radius = around(frustum, rng, 50), rng.uniform(0, 8, 50)
    truth = radius - [nearest(frustum.planes, point) for point in center]
    # As many again that all but touch.
    radius = np.concatenate([radius, np.maximum(radius - truth + rng.choice([-1e-5, 1e-5], 50), 0.0)])
    truth = np.concatenate([truth, radius[50:] - (radius[:50] - truth)])
    assert check(frustum, ck.Spheres(np.tile(center, (2, 1)), radius), truth) > 3


def test_capsules_against_the_nearest_point():
    """Distance along a segment is convex: its least value, found by bisection, against the radius."""
    rng = np.random.default_rng(14)
    frustum = ck.Frustum.from_matrix(projection("perspective") @ placed(rng))
    start = around(frustum, rng, 8)
    end = start + rng.normal(0, 6, start.shape)
    radius = rng.uniform(0, 4, 8)
    truth = []
    for a, b, r in zip(start, end, radius, strict=True):
        low, high = 0.0, 1.0
        for _ in range(40):
            first, second = low + (high - low) / 3, high - (high - low) / 3
            if nearest(frustum.planes, a + first * (b - a)) <= nearest(frustum.planes, a + second * (b - a)):
                high = second
            else:
                low = first
        truth.append(r - nearest(frustum.planes, a + low * (b - a)))
    check(frustum, ck.Capsules(start, end, radius), np.array(truth))


def test_a_large_box_by_a_corner_of_the_frustum_is_outside():
    """The classic false positive: below the far plane's lower edge (y = -24, z = -40), and beyond no single plane."""
    frustum = ck.Frustum.from_matrix(projection("perspective"))
    box = ck.Boxes([[0.0, -42.5, -45.0]], [[30.0, 17.5, 15.0]])
    assert frustum.classify(box).tolist() == [0]
    assert frustum.classify(box, exact=True).tolist() == [-1]
    lower, upper = box.bounds()
    assert frustum.classify_bounds(lower, upper).tolist() == [0]
    assert frustum.classify_bounds(lower, upper, exact=True).tolist() == [-1]
    # Raised until it holds that edge, it is seen.
    assert frustum.classify(ck.Boxes([[0.0, -40.5, -45.0]], [[30.0, 17.5, 15.0]]), exact=True).tolist() == [0]


def test_boxes_that_touch_an_edge_of_the_frustum_cross_and_by_a_hair_farther_are_outside():
    """A square pyramid's edge against a turned box's edge: only their cross product parts them."""
    frustum = ck.Frustum.from_matrix(np.diag([1.0, 1.0, -1.0, 1.0]))  # [-1, 1]³
    turn = np.array([[1, -1, 0], [1, 1, 0], [0, 0, np.sqrt(2)]]) / np.sqrt(2)
    lean = np.array([[1, 0, 0], [0, 1, -1], [0, 1, 1]]) / np.sqrt([1, 2, 2])[:, None]
    for rotation, direction in ((turn, [1, 1, 0]), (lean @ turn, [1, 1, 0])):
        axis = np.array(direction) / np.sqrt(2)
        reach = np.abs(rotation.T @ axis).sum() + np.sqrt(2)
        at = np.array([reach - 1e-9, reach, reach + 1e-9])
        boxes = ck.Boxes(at[:, None] * axis, np.ones((3, 3)), rotation=[rotation] * 3)
        wanted = (truth_along(frustum, boxes) >= -1e-12).astype(int) - 1
        assert wanted.tolist() == frustum.classify(boxes, exact=True).tolist()


def truth_along(frustum, boxes):
    points = boxes.center[:, None] + np.einsum("nij,cj->nci", boxes.rotation, CORNERS)
    return np.array([depth_of_polytope(frustum.planes, box) for box in points])


def test_a_frustum_within_a_box_is_crossed_by_it():
    frustum = ck.Frustum.from_matrix(projection("perspective"))
    box = ck.Boxes([[0, 0, 0]], [[500, 500, 500]])
    for exact in (False, True):
        assert frustum.classify(box, exact).tolist() == [0]
        assert frustum.classify_bounds(*box.bounds(), exact).tolist() == [0]


def test_a_surface_around_the_frustum_is_not_seen_and_a_solid_is():
    box = ck.convex_hull(CORNERS * 100.0)
    triangles = [(face[0], face[k], face[k + 1]) for face in box.faces for k in range(1, len(face) - 1)]
    frustum = ck.Frustum.from_matrix(projection("perspective"))
    solid = ck.Meshes.from_triangles([(box.points, triangles)])
    surface = ck.Meshes.from_triangles([(box.points, triangles)], solid=[False])
    assert frustum.classify(solid, exact=True).tolist() == [0]
    assert frustum.classify(surface).tolist() == [0]
    assert frustum.classify(surface, exact=True).tolist() == [-1]


@pytest.mark.parametrize("name", NAMES)
def test_half_spaces_and_planes_against_a_linear_program(name):
    rng = np.random.default_rng(15)
    frustum = ck.Frustum.from_matrix(projection(name) @ placed(rng))
    normal = rng.normal(size=(40, 3))
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    through = around(frustum, rng, 40)
    offset = np.einsum("ni,ni->n", normal, through) + rng.normal(0, 3, 40)
    reach = []
    for sign in (1.0, -1.0):
        ends = [
            linprog(
                sign * n,
                A_ub=-frustum.planes[:, :3],
                b_ub=frustum.planes[:, 3],
                bounds=[(None, None)] * 3,
                options={"presolve": False},  # which cannot tell endless from empty
            )
            for n in normal
        ]
        assert {end.status for end in ends} <= {0, 3}  # found, or endless
        reach.append(np.array([end.fun if end.status == 0 else -np.inf for end in ends]))
    least, greatest = reach[0], -reach[1]
    for exact in (False, True):
        found = frustum.classify(ck.HalfSpaces(normal, offset), exact)
        np.testing.assert_array_equal(found, np.where(least > offset, -1, 0))
        assert set(found.tolist()) == {-1, 0}
        found = frustum.classify(ck.Planes(normal, offset), exact)
        np.testing.assert_array_equal(found, np.where((least > offset) | (greatest < offset), -1, 0))
        assert set(found.tolist()) == {-1, 0}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(MANY_SEEDS))
def test_many_boxes_against_a_linear_program(seed):
    rng = np.random.default_rng(100 + seed)
    for name in NAMES:
        frustum = ck.Frustum.from_matrix(projection(name) @ placed(rng))
        center, half = around(frustum, rng, 400), 10.0 ** rng.uniform(-2, 2, (400, 3))
        turn = turns(rng, 400)
        points = center[:, None] + np.einsum("nij,ncj->nci", turn, CORNERS[None] * half[:, None])
        truth = np.array([depth_of_polytope(frustum.planes, box) for box in points])
        check(frustum, ck.Boxes(center, half, turn), truth)
        check(frustum, ck.Hulls.from_points(list(points)), truth)
